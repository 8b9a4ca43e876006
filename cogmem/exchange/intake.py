"""One import under way: line by line into rows, inside one write transaction."""

from __future__ import annotations

import json

from cogmem.errors import CogmemError, DatabaseProblem, InvalidInput
from cogmem.exchange import form
from cogmem.file import sql
from cogmem.file.bulk import Bulk
from cogmem.file.pristine import POLICY, pristine
from cogmem.guard import guard
from cogmem.guard.glance import may_name, may_tell
from cogmem.records import CONTENT_LIMIT, LAYER_TABLE, Record, Report, new_uid
from cogmem.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cogmem.exchange.form import Row
    from cogmem.store.kinds import Kind
    from cogmem.store.store import Store

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
_OWNER = ("runtime", "user", "project")
_KNOWN = {  # by these columns a row is known again
    **dict.fromkeys(("conversation", "session"), ("name", *_OWNER)),
    **dict.fromkeys(("summary", "job_run"), ("uid",)),
    "document": ("path",),
}
_TAKEN = (*POLICY, "scope", "memory", "link", *_KNOWN, *_PARENTS, "receipt", "change")
_LAYER_TABLES = set(LAYER_TABLE.values())
_MADE = ("content_hash", "terms")  # of what was read already


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


class Intake:
    """Takes the lines of one import; `result` says what became of them."""

    def __init__(
        self, store: Store, header: Row, line_count: int, owner: Mapping[str, str], now: int
    ) -> None:
        self.store = store
        self.fresh = pristine()
        self.header = header
        self.line_count = line_count
        self.owner = dict(owner)
        self.now = now

    def begin(self, connection: Any, as_is: bool | None, is_export: bool) -> None:
        """Start, or start again: a transaction that met a lock is retried as a whole."""
        self.connection = connection
        is_empty = bool(self._run("exchange.is_empty")[0][0])
        self.as_is = is_export and is_empty if as_is is None else as_is
        self.keeps_numbers = self.as_is and is_empty
        self.result = Imported(new_uid("act"), self.as_is)
        self._numbers: dict[str, dict[int, int | None]] = {}
        self._successors: list[tuple[str, str]] = []
        self._sources: list[tuple[str, str]] = []
        self._found: dict[str, int] = {}
        self._capped: dict[tuple[Kind, str, str, str], None] = {}
        self._unread: list[str] = []  # what is restored, and the guard has not looked at
        self._bulk: Bulk | None = None
        act = {"act": self.result.act, "actor": self.store.db.actor}
        self._run("exchange.open_act", **act, at=self.now)

    def take(self, number: int, data: bytes) -> None:
        """Store one line, whole or not at all; what is wrong with it is noted with its number."""
        if not data.strip() or len(self.result.bad) >= FAULTS_KEPT:
            return
        self.result.lines = number
        try:
            self._store(form.parsed(data))
        except Exception as error:
            reason = _reason(error)
            if reason is None:
                raise
            self.result.bad.append(Fault(number, reason))

    def finish(self) -> None:
        """End the act, and tell what the guard found."""
        self._settle()
        self._run("learn.close_act")
        self._count(guard.inspect("\n".join(self._unread)))
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
        for kind, *place in self._capped:
            asked = dict(zip(_OWNER, place, strict=True), kind=kind.name, keep=kind.max_rows)
            if kind.capacity_policy == "archive_oldest":
                self._run("store.make_room_by_age", **asked, now=self.now)
            else:
                self._run("store.make_room_by_strength", **asked, now=self.now, newest="")
        self._successors, self._sources, self._capped = [], [], {}

    def _in_bulk(self, wanted: bool) -> None:
        """Store a long run of memories as one; those of an export come in one."""
        if self._bulk is None and wanted and self.line_count > BULK:
            self._bulk = Bulk(self.connection, self.fresh)
        elif self._bulk is not None and not wanted:
            self._bulk.wake()
            self._bulk = None
            self._run("learn.forget_common")
            self._run("learn.count_common")

    def _store(self, line: Row) -> None:
        if form.is_frame(line):
            return
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

    def _memory(self, line: Row) -> None:
        given = form.heard(self.fresh, "memory", line)
        if not given.get("content"):
            raise InvalidInput("a memory needs content")
        # In an empty file only the lines themselves can repeat a uid, and the schema refuses that.
        if "uid" in given and not self.keeps_numbers and self._memory_id(given["uid"]):
            return self._skip("memory: already here")
        kind, unknown = self.store.kinds.of(given.get("kind") or "fact")
        if unknown:
            raise InvalidInput(
                f"kind {given['kind']!r} is not registered: `cogmem setting kind add` does it"
            )
        table = LAYER_TABLE[kind.layer]
        detail, successor = self._detail(line, table)
        created = given.setdefault("created_at", self.now)
        given.setdefault("priority", kind.default_priority)
        given.setdefault("updated_at", created)
        given.setdefault("reinforced_at", created)
        given.update(self.owner, kind=kind.name)
        if given.setdefault("layer", kind.layer) != kind.layer:
            raise InvalidInput(
                f"the layer of its kind {kind.name} is {kind.layer}, not {form.shortly(given['layer'])}"
            )
        if self.as_is:
            self._unread.append(given["content"])
            if len(self._unread) >= 200:
                self._count(guard.inspect("\n".join(self._unread)))
                self._unread.clear()
        elif not self._is_harmless(given, detail, kind):
            return None
        if not (self.as_is and self.header):
            key, content = given.get("key", ""), given["content"]
            given.update(self.store.written_form(kind.layer, key, content, detail))
        if not self._is_new(given):
            return None
        if not self.keeps_numbers:
            given.pop("id", None)
        if "uid" not in given:
            given["uid"] = lines.memory_uid(given["content"], self.store.db.number())
        if detail:
            self._insert_with_detail(given, table, detail)
        else:
            self._insert("memory", given)
        if successor:
            self._successors.append((given["uid"], successor))
        return None

    def _insert_with_detail(self, given: Row, table: str, detail: Row) -> None:
        """Run two statements, of which the second may find a fault after the first has stored a row."""
        stored = self.result.added.get("memory", 0), self.result.waiting
        self._run("savepoint line")
        try:
            number = self._insert("memory", given)
            row = {**self.fresh.layer_row({**given, "id": number})[1], **detail}
            # The trigger that would have made this row may be at rest.
            write = self.fresh.insert if self._bulk else self.fresh.update
            self.connection.execute(write(table), row).fetchall()
        except Exception:
            self._run("rollback to line")
            self.result.added["memory"], self.result.waiting = stored
            raise
        finally:
            self._run("release line")

    def _detail(self, line: Row, table: str) -> tuple[Row, str]:
        """Return what the line says of its layer's own row, and the uid of what took a fact's place."""
        given = line.keys() & _LAYER_TABLES
        if not given:
            return {}, ""
        said = line.get(table, {})
        if given != {table} or not isinstance(said, dict):
            raise InvalidInput(
                f"a memory of this kind has {table}, an object, and no other layer's"
            )
        said = dict(said)
        successor = said.pop("superseded_by", None) or ""
        if successor and not (isinstance(successor, str) and line.get("uid")):
            raise InvalidInput("superseded_by is the uid of a memory, on a line that has a uid too")
        return form.heard(self.fresh, table, said), successor

    def _is_harmless(self, given: Row, detail: Row, kind: Kind) -> bool:
        """Make a memory of unknown origin harmless; False leaves it out."""
        standing = kind.standing("import")
        state = given.get("state", "active")
        if state == "deleted":
            self._skip("memory: removed where it comes from")
            return False
        if standing == "refused":
            raise InvalidInput(f"an import cannot bring a {kind.name}: a person has to say it")
        content = self._cleaned(given["content"], "import")
        if not content or len(content) > CONTENT_LIMIT:
            raise InvalidInput(f"the content must have 1 to {CONTENT_LIMIT:,} characters")
        given["content"] = content
        given["key"] = self._cleaned(lines.one_line(given.get("key", "")), "import")
        given["tags"] = self._cleaned_list(given.get("tags", "[]"), "tags")
        for name, value in detail.items():
            if name == "steps":
                detail[name] = self._cleaned_list(value, name)
            elif isinstance(value, str):
                detail[name] = self._cleaned(value, "import")
        given.update(source="import", reinforcement_count=1, access_count=0, accessed_at=None)
        given["trust"] = min(given.get("trust", 1.0), guard.POLICIES["import"].trust)
        given["state"] = standing if state == "active" else state
        for name in ("created_at", "updated_at", "reinforced_at"):
            given[name] = min(given[name], self.now)
        return self._has_room(given, kind)

    def _cleaned_list(self, text: str, what: str) -> str:
        try:
            words = json.loads(text)
        except ValueError:
            words = None
        if not isinstance(words, list):
            raise InvalidInput(f"{what} must be a list of texts")
        return form.dumps([self._cleaned(lines.one_line(str(word)), "import") for word in words])

    def _has_room(self, given: Row, kind: Kind) -> bool:
        """Tell whether a kind that refuses at its cap takes one more; the others make room at the end."""
        if (kind.max_rows is None and kind.max_characters is None) or given["state"] == "archived":
            return True
        place = {name: given.get(name, "") for name in _OWNER}
        if kind.capacity_policy != "refuse":
            if kind.max_rows is not None:
                self._capped[kind, place["runtime"], place["user"], place["project"]] = None
            return True
        count, characters = self._run("store.usage", kind=kind.name, **place)[0]
        characters += len(given["content"])
        if (kind.max_rows is not None and count >= kind.max_rows) or (
            kind.max_characters is not None and characters > kind.max_characters
        ):
            self._skip(f"memory: {kind.name} is full here")
            return False
        return True

    def _is_new(self, given: Row) -> bool:
        """Tell whether nothing here stands in its way: its key, or for a line without a uid its words."""
        if self.keeps_numbers or (not given.get("key") and "uid" in given):
            return True
        place = {name: given.get(name, "") for name in ("layer", *_OWNER, "session")}
        if given.get("key") and given.get("state", "active") in ("candidate", "active"):
            is_taken = self._run("store.owned_key", key=given["key"], **place)
            why = "memory: key taken here"
        else:
            said = {"kind": given["kind"], "path_glob": given.get("path_glob", ""), **place}
            said["content_hash"] = lines.content_hash(given["content"])
            is_taken = "uid" not in given and self._run("store.owned_text", **said)
            why = "memory: same text already here"
        if is_taken:
            self._skip(why)
        return not is_taken

    def _link(self, line: Row) -> None:
        row = form.heard(self.fresh, "link", line)
        for name, column in form.REFERENCES["link"].items():
            row[column] = self._memory_id(line.get(name))
        row["message_id"] = self._number("message", row.get("message_id"))
        if row["from_id"] is None or (row["to_id"] is None) == (row["message_id"] is None):
            return self._skip("link: one end is not here")
        same = {name: row[name] for name in ("from_id", "to_id", "message_id")}
        if self._run("exchange.known_link", relation=row.get("relation"), **same):
            return self._skip("link: already here")
        if not self.keeps_numbers:
            row.pop("id", None)
        self._insert("link", row)
        return None

    def _policy(self, table: str, line: Row) -> None:
        row = form.heard(self.fresh, table, line)
        if not self.as_is:  # a kind: a new one may come in, one that is here stays as it is
            if row.get("name") in self.store.kinds.all():
                return self._skip("kind: already here")
            row["meaning"] = self._cleaned(str(row.get("meaning", "")), "import")
        self._insert(table, row, replacing=self.as_is)
        return None

    def _memory_id(self, uid: str | None) -> int | None:
        found = self._run("learn.number_of", uid=uid)
        return found[0][0] if found else None

    def _number(self, table: str, number: Any) -> int | None:
        """Return the number here of a row that the file calls otherwise; None when it was left out."""
        if number is None or self.keeps_numbers:
            return number if number is None else int(number)
        return self._numbers.get(table, {}).get(number)

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
                return self._skip(f"{table}: its {parent} was left out")
        if table in _KNOWN:
            names = " and ".join(f'"{name}" = :{name}' for name in _KNOWN[table])
            known = {name: row.get(name, "") for name in _KNOWN[table]}
            if self._run(f"select 1 from {table} where {names}", **known):
                return self._skip(f"{table}: already here")
        if not self.as_is and not self._is_harmless_part(table, row):
            return None
        if table == "document":
            row["memory_id"] = self._memory_id(line.get("memory"))
        if not self.keeps_numbers:
            row.pop("id", None)
        new = self._insert(table, row)
        if table == "summary":
            self._sources += [(row["uid"], str(uid)) for uid in line.get("sources", ())]
        elif number is not None and not self.keeps_numbers:
            numbers[number] = new
        return None

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
            return self._skip("change: only into a fresh memory, and whole")
        if self.result.act is not None:
            self._settle()
            for step in ("exchange.begin_purge", "exchange.purge", "exchange.end_purge"):
                self._run(step)
            self.result.act = None  # the restored history does not know this import
        self._insert("change", form.heard(self.fresh, "change", line))
        return None

    def _run(self, statement: str, **params: Any) -> Any:
        text = statement if " " in statement else sql.statement(statement)
        return self.connection.execute(text, params).fetchall()

    def _insert(self, table: str, row: Row, *, replacing: bool = False) -> int:
        form.demand(self.fresh, table, row)
        if not self.as_is:
            _refuse_secrets(row)
        if table == "memory" and row.get("state") == "candidate":
            self.result.waiting += 1
        number = 0
        full = form.whole(self.fresh, table, row) if replacing else row
        # One of this primary key that is there becomes this one.
        if not replacing or not self.connection.execute(self.fresh.update(table), full).fetchall():
            cursor = self.connection.execute(self.fresh.insert(table, row), row)
            is_apsw = self.store.db.driver == "apsw"
            number = self.connection.last_insert_rowid() if is_apsw else cursor.lastrowid or 0
        self.result.added[table] = self.result.added.get(table, 0) + 1
        return number

    def _skip(self, reason: str) -> None:
        self.result.skipped[reason] = self.result.skipped.get(reason, 0) + 1

    def _cleaned(self, text: str, origin: str) -> str:
        guarded = guard.apply(guard.normalise(text), guard.POLICIES[origin])
        if guarded.verdict == "reject":
            raise InvalidInput(guard.explain(guarded.findings))
        self._count(guarded.findings)
        return str(guarded.text)

    def _count(self, findings: Any) -> None:
        for finding in findings:
            self._found[finding.kind] = self._found.get(finding.kind, 0) + 1


def _refuse_secrets(row: Row) -> None:
    """Look a last time at a row of unknown origin: texts were cleaned, names and all else must hold no secret."""
    for name, value in row.items():
        if name in _MADE or not isinstance(value, str):
            continue
        if may_tell(value) or may_name(value):
            findings = guard.inspect(value, with_orders=False)
            if any(finding.kind == "secret" for finding in findings):
                raise InvalidInput(f"{name} holds a secret: take it out")


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
