"""Many new memories in one transaction: what triggers do row by row is done once at the end.

Indexing row by row costs ten times what one statement for all rows costs, and history half. So these triggers go
and come back inside the transaction, which nobody else can see, and their own text, read as a statement over the
new rows, does their work. What refuses INSERT OR REPLACE rests too: who uses this inserts, and unique indexes
refuse the rest.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.pristine import Pristine

_LAYERS = ("fact", "episode", "procedure")
_RECORDED = {"memory": "id", **dict.fromkeys(_LAYERS, "memory_id")}
_LAYER = "memory_ai_layer"
_MAKING = (_LAYER, "memory_ai_search", "memory_ai_baseline", "memory_ai_touched")
_REFUSING = ("memory_bi", "change_bi", *(f"{table}_bi_history" for table in _LAYERS))
# What is derived of each row alone: table, its columns. A row that was changed since it came has its own.
_DERIVED = {
    "fading": ("inside_fading_due", "memory_id, fades_at"),
    "baseline": ("inside_baseline_due", "memory_id, user, project, priority, fades_at"),
    "touched": ("inside_touched", "memory_id, path, weight"),
}


class Bulk:
    """The triggers of new memories at rest; `wake` must follow before any row is changed otherwise."""

    def __init__(self, connection: Any, fresh: Pristine) -> None:
        self._connection = connection
        indexed = connection.execute("select name from pragma_table_info('memory_fts')").fetchall()
        self._columns = ", ".join(name for (name,) in indexed)
        highest = connection.execute(
            "select coalesce(max(seq), 0) from sqlite_sequence where name = 'memory'"
        )
        self._after = highest.fetchall()[0][0]
        names = [f"{table}_{when}_history" for table in _RECORDED for when in ("ai", "au")]
        names += [*_MAKING, *_REFUSING]
        self._triggers = {name: fresh.objects["trigger", name] for name in names}
        for name in self._triggers:
            connection.execute(f'drop trigger if exists "{name}"')

    def wake(self) -> None:
        """Give the new rows their layers, their history and their place in search; then all is as before."""
        for said in _body(self._triggers[_LAYER]).split(";"):
            into, where, when = said.partition("where ")
            if where:
                self._do(f"{into} from memory new where new.id > :after and {when} order by new.id")
        for table, key in _RECORDED.items():
            when, said = _parts(self._triggers[f"{table}_ai_history"])
            new = f"{table} new where new.{key} > :after" + (f" and {when}" if when else "")
            self._do(f"{said} from {new} order by new.{key}")
        self._do(
            f"insert into memory_fts (rowid, {self._columns})"
            f" select id, {self._columns} from inside_memory_text where id > :after order by id"
        )
        for table, (view, columns) in _DERIVED.items():
            self._do(
                f"insert into {table} ({columns}) select {columns} from {view}"
                " where memory_id > :after order by memory_id on conflict do nothing"
            )
        for text in self._triggers.values():
            self._connection.execute(text)

    def _do(self, statement: str) -> None:
        self._connection.execute(statement, {"after": self._after})


def _parts(trigger: str) -> tuple[str, str]:
    """Return when a trigger fires, and the statement between its `begin` and `end`, with a select for its values."""
    head = trigger.partition("begin\n")[0]
    into, _, values = _body(trigger).strip().rstrip(";").partition("values(")
    return head.partition("\nwhen")[2].strip(), f"{into} select {values.removesuffix(')')}"


def _body(trigger: str) -> str:
    return trigger.partition("begin\n")[2].rpartition("end")[0]
