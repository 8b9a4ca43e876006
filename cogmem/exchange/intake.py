"""One import under way: line by line into rows, inside one write transaction."""

from __future__ import annotations

import json

from cogmem.errors import CogmemError, DatabaseProblem, InvalidInput
from cogmem.exchange import form
from cogmem.exchange.import_memories import Memories
from cogmem.exchange.import_rows import Fault, Imported
from cogmem.file import sql
from cogmem.file.bulk import Bulk
from cogmem.file.pristine import POLICY
from cogmem.records import new_uid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.exchange.form import Row
    from cogmem.store.store import Kind

BULK = 500  # lines from which triggers rest
FAULTS_KEPT = 1000  # after so many bad lines nobody wants to read on
_LINE_FAULTS = ("ConstraintError", "IntegrityError", "DataError", "TooBigError")  # of both drivers
# What may come from anyone.
_GUARDED = ("memory", "kind", "conversation", "message", "summary", "link")
_PARENTS = {
    "segment": {"conversation_id": "conversation"},
    "message": {"conversation_id": "conversation", "segment_id": "segment"},
    "summary": {"conversation_id": "conversation"},
    "document_section": {"document_id": "document"},
    "pending_update": {"session_id": "session"},
}
_KNOWN = {
    "conversation": "exchange.known_conversation",
    "session": "exchange.known_session",
    "document": "exchange.known_document",
    "summary": "exchange.known_summary",
    "job_run": "exchange.known_run",
}
_TAKEN = (*POLICY, "scope", "memory", "link", *_KNOWN, *_PARENTS, "receipt", "change")


class Intake(Memories):
    """Takes the lines of one import; `result` says what became of them."""

    def begin(self, connection: Any, as_is: bool, only_if_empty: bool) -> None:
        """Start, or start again: a transaction that met a lock is retried as a whole."""
        self.connection = connection
        is_empty = bool(self._run("exchange.is_empty")[0][0])
        self.as_is = as_is and (is_empty or not only_if_empty)
        self.keeps_numbers = self.as_is and is_empty
        self.result = Imported(new_uid("act"), self.as_is)
        self._numbers: dict[str, dict[int, int | None]] = {}
        self._successors: list[tuple[str, str]] = []
        self._sources: list[tuple[str, str]] = []
        self._found: dict[str, int] = {}
        self._capped: dict[tuple[Kind, str, str, str], None] = {}
        self._has_past = False
        self._unread: list[str] = []
        self._bulk: Bulk | None = None
        self._run("exchange.open_act", act=self.result.act, actor=self.actor, at=self.now)

    def take(self, number: int, data: bytes) -> None:
        """Store one line, whole or not at all; what is wrong with it is noted with its number."""
        if not data.strip() or len(self.result.bad) >= FAULTS_KEPT:
            return
        self.result.lines = number
        try:
            line = form.parsed(data)
            if not form.is_frame(line):
                self._store(line)
        except Exception as error:
            reason = _reason(error)
            if reason is None:
                raise
            self.result.bad.append(Fault(number, reason))

    def finish(self) -> None:
        """End the act, and tell what the guard found."""
        self._settle()
        self._run("exchange.close_act")
        self._read_restored("", last=True)
        done = "left as it is, since this is a restore" if self.as_is else "treated as imports are"
        for name, count in sorted(self._found.items()):
            self.result.notes.append(f"the guard found {count} × {name}: {done}")

    def _settle(self) -> None:
        """Do what can only be done once all memories are here."""
        self._in_bulk(False)
        for uid, successor in self._successors:
            self._run("exchange.set_successor", uid=uid, successor=successor)
        for summary, source in self._sources:
            self._run("exchange.set_source", summary=summary, source=source)
        for kind, runtime, user, project in self._capped:
            place = {"runtime": runtime, "user": user, "project": project, "now": self.now}
            asked = {"kind": kind.name, "keep": kind.max_rows, **place}
            if kind.capacity_policy == "archive_oldest":
                self._run("store.make_room_by_age", **asked)
            else:
                self._run("store.make_room_by_strength", **asked, newest="")
        self._successors, self._sources, self._capped = [], [], {}

    def _in_bulk(self, wanted: bool) -> None:
        """Store a long run of memories as one; those of an export come in one."""
        if self._bulk is None and wanted and self.line_count > BULK:
            self._bulk = Bulk(self.connection, self.fresh)
        elif self._bulk is not None and not wanted:
            self._bulk.wake()
            self._bulk = None
            self._run("exchange.forget_common_terms")
            self._run("exchange.count_common_terms")

    def _store(self, line: Row) -> None:
        table = line.get("table", "memory")
        self._in_bulk(table == "memory")
        if table == "memory":
            self._memory(line)
        elif table not in _TAKEN:
            raise InvalidInput(f"table {form.shortly(table)} is not one that can be imported")
        elif not self.as_is and table not in _GUARDED:
            self._skip(f"{table}: only with --as-is")
        elif table in POLICY or table == "scope":
            self._policy(table, line)
        elif table == "link":
            self._link(line)
        elif table == "change":
            self._change(line)
        else:
            self._part(table, line)

    def _link(self, line: Row) -> None:
        row = form.heard(self.fresh, "link", line)
        for name, column in form.REFERENCES["link"].items():
            found = self._run("exchange.known_memory", uid=line.get(name))
            row[column] = found[0][0] if found else None
        row["message_id"] = self._number("message", row.get("message_id"))
        if row["from_id"] is None or (row["to_id"] is None) == (row["message_id"] is None):
            self._skip("link: one end is not here")
            return
        same = {name: row[name] for name in ("from_id", "to_id", "message_id")}
        if self._run("exchange.known_link", relation=row.get("relation"), **same):
            self._skip("link: already here")
            return
        if not self.keeps_numbers:
            row.pop("id", None)
        self._insert("link", row)

    # -- policy, conversations and the past ------------------------------------------------------

    def _policy(self, table: str, line: Row) -> None:
        row = form.heard(self.fresh, table, line)
        if not self.as_is:  # a kind: a new one may come in, one that is here stays as it is
            if row.get("name") in self.store.kinds():
                self._skip("kind: already here")
                return
            row["meaning"] = self._cleaned(str(row.get("meaning", "")), "import")
        self._insert(table, row, replacing=self.as_is)

    def _number(self, table: str, number: Any) -> int | None:
        """Return the number here of a row that the file calls otherwise; None when it was left out."""
        if number is None or self.keeps_numbers:
            return number if number is None else int(number)
        known = self._numbers.get(table, {})
        return known.get(number)

    def _part(self, table: str, line: Row) -> None:
        """Take in a row of the conversation record, a session, a document or a note of the past."""
        row = form.heard(self.fresh, table, line)
        form.demand(self.fresh, table, row)
        columns = self.fresh.columns(table)
        row.update({name: value for name, value in self.owner.items() if name in columns})
        number = row.get("id")
        numbers = self._numbers.setdefault(table, {})
        for column, parent in _PARENTS.get(table, {}).items():
            if row.get(column) is None:
                continue
            row[column] = self._number(parent, row[column])
            if row[column] is None:
                self._skip(f"{table}: its {parent} was left out")
                return
        if table in _KNOWN and self._is_here(table, row):
            self._skip(f"{table}: already here")
            return
        if not self.as_is and not self._is_harmless_part(table, row):
            return
        if table == "document":
            found = self._run("exchange.known_memory", uid=line.get("memory"))
            row["memory_id"] = found[0][0] if found else None
        if not self.keeps_numbers:
            row.pop("id", None)
        new = self._insert(table, row)
        if table == "summary":
            self._sources += [(row["uid"], str(uid)) for uid in line.get("sources", ())]
        elif number is not None and not self.keeps_numbers:
            numbers[number] = new

    def _is_here(self, table: str, row: Row) -> bool:
        statement = _KNOWN[table]
        names = sql.parameters(sql.statement(statement))
        return bool(self._run(statement, **{name: row.get(name, "") for name in names}))

    def _is_harmless_part(self, table: str, row: Row) -> bool:
        """Talk of unknown origin: its secrets go, and no rule ever reads it as a person's wish."""
        if table == "conversation":
            row["captured_seq"] = row.get("next_seq", 0)
        elif table == "summary":
            row["content"] = self._cleaned(row.get("content", ""), "record")
        elif table == "message":
            if row.get("segment_id") is not None or row.get("parts") is None:
                self._skip("message: archived ones only with --as-is")
                return False
            before = (row["parts"], row.get("text"))
            row["parts"] = form.dumps(self._cleaned_parts(json.loads(row["parts"])))
            row["text"] = self._cleaned(row.get("text") or "", "record")
            row["origin"] = "import"
            if before != (row["parts"], row["text"]):
                row.update(content_hash="", tokens=None, token_counter="")
        return True

    def _cleaned_parts(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._cleaned(value, "record")
        if isinstance(value, list):
            return [self._cleaned_parts(item) for item in value]
        if isinstance(value, dict):
            return {name: self._cleaned_parts(item) for name, item in value.items()}
        return value

    def _change(self, line: Row) -> None:
        """Take in the history of the file that is restored, in place of what the restoring itself left."""
        if not self.keeps_numbers or self.owner or self.result.bad:
            self._skip("change: only into a fresh memory, and whole")
            return
        if not self._has_past:
            self._has_past = True
            self._settle()
            self._run("exchange.begin_purge")
            self._run("exchange.purge")
            self._run("exchange.end_purge")
            self.result.act = None  # the restored history does not know this import
        self._insert("change", form.heard(self.fresh, "change", line))


def _reason(error: Exception) -> str | None:
    """Return what is wrong with a line, or None when the fault is not the line's."""
    if isinstance(error, CogmemError):
        return None if isinstance(error, DatabaseProblem) else str(error)
    if isinstance(error, UnicodeEncodeError):
        return "it holds half of a character (a lone surrogate)"
    if isinstance(error, OverflowError):
        return "a number is larger than SQLite can hold"
    if type(error).__name__ in _LINE_FAULTS:
        return f"it breaks a rule of the schema: {error}"
    return None
