"""What every line of an import needs: its row is stored or left out, its texts pass the guard, and all is noted."""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.exchange import form
from cogmem.file import sql
from cogmem.file.bulk import Bulk
from cogmem.file.pristine import pristine
from cogmem.guard import guard
from cogmem.guard.glance import may_name, may_tell
from cogmem.records import Record, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cogmem.exchange.form import Row
    from cogmem.store.store import Store


class Fault(Record):
    """A line that an import could not take, and why."""

    line: int
    reason: str


class Imported(Report):
    """What an import did: rows per table, what was left out and why, and the lines that were bad."""

    act: str | None
    as_is: bool
    is_dry_run: bool
    lines: int
    added: dict[str, int]
    waiting: int  # of the memories: they are candidates
    skipped: dict[str, int]
    bad: list[Fault]
    notes: list[str]


class Rows:
    """Lines that become rows; `result` says what became of them."""

    connection: Any
    as_is: bool
    keeps_numbers: bool
    _bulk: Bulk | None
    _found: dict[str, int]
    _unread: list[str]

    def __init__(
        self,
        store: Store,
        header: Row,
        line_count: int,
        owner: Mapping[str, str],
        actor: str,
        now: int,
    ) -> None:
        self.store = store
        self.fresh = pristine(store.db.driver)
        self.header = header
        self.line_count = line_count
        self.owner = dict(owner)
        self.actor = actor
        self.now = now
        self.result = Imported("", False)

    def _run(self, statement: str, **params: Any) -> list[tuple[Any, ...]]:
        text = sql.statement(statement)
        rows: list[tuple[Any, ...]] = self.connection.execute(text, params).fetchall()
        return rows

    def _insert(self, table: str, row: Row, *, replacing: bool = False) -> int:
        form.demand(self.fresh, table, row)
        if not self.as_is:
            _refuse_secrets(row)
        if table == "memory" and row.get("state") == "candidate":
            self.result.waiting += 1
        number = 0
        if not (replacing and self._overwrite(table, row)):
            cursor = self.connection.execute(self.fresh.insert(table, row), row)
            is_apsw = self.store.db.driver == "apsw"
            number = int(
                (self.connection.last_insert_rowid() if is_apsw else cursor.lastrowid) or 0
            )
        self.result.added[table] = self.result.added.get(table, 0) + 1
        return number

    def _overwrite(self, table: str, row: Row) -> bool:
        """Tell whether a row of this primary key was there; now it is this one."""
        full = form.whole(self.fresh, table, row)
        return bool(self.connection.execute(self.fresh.update(table), full).fetchall())

    def _skip(self, reason: str) -> None:
        self.result.skipped[reason] = self.result.skipped.get(reason, 0) + 1

    def _cleaned(self, text: str, origin: str) -> str:
        """Return a text of unknown origin as the guard lets it in."""
        guarded = guard.apply(guard.normalise(text), guard.POLICIES[origin])
        if guarded.verdict == "reject":
            raise InvalidInput(guard.explain(guarded.findings))
        self._count(guarded.findings)
        return str(guarded.text)

    def _count(self, findings: Any) -> None:
        for finding in findings:
            self._found[finding.kind] = self._found.get(finding.kind, 0) + 1

    def _read_restored(self, text: str, *, last: bool = False) -> None:
        """Read what is restored, many texts at a time, for what to tell; it stays as it is."""
        self._unread.append(text)
        if last or len(self._unread) >= 200:
            self._count(guard.inspect("\n".join(self._unread)))
            self._unread.clear()


_MADE = ("content_hash", "terms")  # of what was read already


def _refuse_secrets(row: Row) -> None:
    """Look a last time at a row of unknown origin: texts were cleaned, names and all else must hold no secret."""
    for name, value in row.items():
        if name in _MADE or not isinstance(value, str):
            continue
        if may_tell(value) or may_name(value):
            findings = guard.inspect(value, with_orders=False)
            if any(finding.kind == "secret" for finding in findings):
                raise InvalidInput(f"{name} holds a secret: take it out")
