"""The lines of an import that are memories: made harmless, left out where they are known, stored with their layer."""

from __future__ import annotations

import json

from cogmem.errors import InvalidInput
from cogmem.exchange import form
from cogmem.exchange.import_rows import Rows
from cogmem.guard import guard
from cogmem.records import CONTENT_LIMIT, LAYER_TABLE
from cogmem.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.exchange.form import Row
    from cogmem.store.store import Kind


_LAYER_TABLES = set(LAYER_TABLE.values())


class Memories(Rows):
    """Lines of memories become rows."""

    _successors: list[tuple[str, str]]
    _capped: dict[tuple[Kind, str, str, str], None]

    def _memory(self, line: Row) -> None:
        given = form.heard(self.fresh, "memory", line)
        if not given.get("content"):
            raise InvalidInput("a memory needs content")
        # In an empty file only the lines themselves can repeat a uid, and the schema refuses that.
        if (
            "uid" in given
            and not self.keeps_numbers
            and self._run("exchange.known_memory", uid=given["uid"])
        ):
            self._skip("memory: already here")
            return
        kind, unknown = self.store.kind(given.get("kind") or "fact")
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
            self._read_restored(given["content"])
        elif not self._is_harmless(given, detail, kind):
            return
        if not (self.as_is and self.header):
            given.update(
                self.store.written_form(kind.layer, given.get("key", ""), given["content"], detail)
            )
        if not self._is_new(given):
            return
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

    def _insert_with_detail(self, given: Row, table: str, detail: Row) -> None:
        """Run two statements, of which the second may find a fault after the first has stored a row."""
        stored = self.result.added.get("memory", 0), self.result.waiting
        self._run("exchange.save_line")
        try:
            number = self._insert("memory", given)
            row = {**form.layer_default(self.fresh, table, given), **detail, "memory_id": number}
            # The trigger that would have made this row may be at rest.
            write = self.fresh.insert if self._bulk else self.fresh.update
            self.connection.execute(write(table), row).fetchall()
        except Exception:
            self._run("exchange.drop_line")
            self.result.added["memory"], self.result.waiting = stored
            raise
        finally:
            self._run("exchange.keep_line")

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
        policy = guard.POLICIES["import"]
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
        given.update(
            source="import",
            trust=min(given.get("trust", 1.0), policy.trust),
            state=standing if state == "active" else state,
            reinforcement_count=1,
            access_count=0,
            accessed_at=None,
        )
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
        """Return a kind that refuses at its cap leaves the memory out; the others make room at the end."""
        if (kind.max_rows is None and kind.max_characters is None) or given["state"] == "archived":
            return True
        place = {name: given.get(name, "") for name in ("runtime", "user", "project")}
        if kind.capacity_policy != "refuse":
            if kind.max_rows is not None:
                self._capped[(kind, place["runtime"], place["user"], place["project"])] = None
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
        place = {
            name: given.get(name, "") for name in ("layer", "runtime", "user", "project", "session")
        }
        is_living = given.get("state", "active") in ("candidate", "active")
        if given.get("key") and is_living:
            if self._run("store.owned_key", key=given["key"], **place):
                self._skip("memory: key taken here")
                return False
        elif "uid" not in given and self._run(
            "store.owned_text",
            content_hash=lines.content_hash(given["content"]),
            kind=given["kind"],
            path_glob=given.get("path_glob", ""),
            **place,
        ):
            self._skip("memory: same text already here")
            return False
        return True
