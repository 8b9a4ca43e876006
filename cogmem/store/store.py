"""Reads and writes rows of the spine: what every other stage stands on.

The store knows the settings, finds memories for a viewer, and changes them one by one. The ordered
path by which new text comes in is learn/decide.py.
"""

from __future__ import annotations

import json

from cogmem.arguments import named
from cogmem.errors import InvalidInput, UnknownMemory, UnknownName
from cogmem.language.cue import index_words
from cogmem.records import (
    LAYERS,
    LISTED_STATES,
    STATES,
    Record,
    Remembered,
    given_instant,
    most_rows,
    one_of,
)
from cogmem.store.kinds import Kinds
from cogmem.text import lines
from cogmem.text.cell import listed
from cogmem.text.lines import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import builtins  # the class has a method of the name list
    from collections.abc import Mapping, Sequence
    from typing import Any, TypedDict, Unpack

    from cogmem.file.db import Database, Step
    from cogmem.records import Instant
    from cogmem.scope import Scope
    from cogmem.tokens.counting import TokenCounter

    class Filters(TypedDict, total=False):
        """What memories are listed and counted by."""

        layer: str | None  # episodic, semantic or procedural
        kind: str | None
        state: str | None  # candidate, active, archived, deleted or expired
        tag: str | None
        path: str | None
        since: Instant
        until: Instant


SEVERAL = 10  # memories that an error names at most
ECHO_LINES = 200  # lines of one text that are compared with what was injected


class Counts(Record):
    """How much is held: active memories and their tokens, and how many by layer, kind and state."""

    memories: int
    tokens: int
    by_layer: dict[str, int]
    by_kind: dict[str, int]
    by_state: dict[str, int]


class Store:
    """The rows of one open space."""

    def __init__(self, db: Database, counter: TokenCounter | None = None) -> None:
        self.db = db
        self.kinds = Kinds(db)
        self._counter = counter

    # -- policy ----------------------------------------------------------------------------------

    @property
    def counter(self) -> TokenCounter:
        """The counter whose figures are stored with new memories: exact, loaded at the first write."""
        if self._counter is None:
            from cogmem.tokens.counting import counter_named

            self._counter = counter_named("o200k")
        return self._counter

    def settings(self) -> dict[str, str]:
        """Return every setting with its value."""
        return dict(self.db.read("store.settings"))

    def describe_settings(self) -> builtins.list[dict[str, str]]:
        """Return every figure that a person may turn, with its meaning."""
        return self.db.rows("store.describe_settings")

    def scopes(self) -> builtins.list[dict[str, Any]]:
        """Return every user, project, session and runtime that owns a memory, and how many are its own."""
        return self.db.rows("store.scopes")

    def set_setting(self, name: str, value: str, *, now: int) -> str:
        """Turn one figure; returns the act. A number is guarded by the file itself."""
        if name not in self.settings():
            raise UnknownName(f"no setting is called {name!r}: `cogmem setting list` shows them")
        if name.endswith("_phrases") and value.strip() != "[]" and not listed(value):
            raise InvalidInput(f"""{name} is a JSON list of texts, such as '["*because *"]'""")
        written = self.db.write(
            [("store.set_setting", {"name": name, "value": value})], verb="setting", at=now
        )
        return written.act

    # -- reading ---------------------------------------------------------------------------------

    def get(self, name: str, scope: Scope, now: int, *, living: bool = True) -> Remembered:
        """Return a memory by uid or by key; the narrowest scope wins a key.

        A key names a living memory; with `living=False` also the only archived or removed one of it.
        """
        name = storable(name, "the name")
        params = {**scope.viewer(), "now": now}
        rows = self.db.rows("store.by_uid", {**params, "uid": name})
        if not rows:
            rows = self.db.rows("store.by_key", {**params, "key": name})
        if not rows and not living:
            rows = self.db.rows("store.by_old_key", {**params, "key": name})
            if len(rows) > 1:
                which = ", ".join(f"{row['uid']} ({row['state']})" for row in rows[:SEVERAL])
                raise UnknownMemory(
                    f"{len(rows)} memories were called {name!r}, name one by its uid: {which}"
                )
        if not rows:
            raise UnknownMemory(
                f"no memory is called {name!r} in this scope: `cogmem list` shows uids and keys "
                "(with --state deleted of what was removed), `cogmem recall` searches"
            )
        return Remembered(rows[0])

    def list(
        self,
        scope: Scope,
        now: int,
        *,
        limit: int = 100,
        **filters: Unpack[Filters],
    ) -> builtins.list[Remembered]:
        """Return memories by plain filters, the newest first; removed and expired ones only when asked for."""
        asked = self.filters(scope, now, **filters)
        rows = self.db.rows("store.list", {**asked, "limit": most_rows(limit)})
        return [Remembered(row) for row in rows]

    def count(self, scope: Scope, now: int, **filters: Unpack[Filters]) -> int:
        """Tell how many memories `list` would show without a limit."""
        return int(self.db.read("store.count", self.filters(scope, now, **filters))[0][0])

    @named
    def filters(
        self,
        scope: Scope,
        now: int,
        *,
        layer: str | None = None,
        kind: str | None = None,
        state: str | None = None,
        tag: str | None = None,
        path: str | None = None,
        since: Instant = None,
        until: Instant = None,
    ) -> dict[str, Any]:
        one_of("layer", layer, LAYERS)
        one_of("state", state, LISTED_STATES)
        if kind is not None:
            kind = self.kinds.demand(kind).name
        return {
            **scope.viewer(),
            "now": now,
            "layer": layer,
            "kind": kind,
            "state": state,
            "tag": None if tag is None else storable(tag, "the tag"),
            "path_glob": None if path is None else storable(path, "the path"),
            "since": given_instant(since, "since", now),
            "until": given_instant(until, "until", now),
        }

    def stats(self, scope: Scope) -> Counts:
        """Counts by layer, kind and state, and the tokens of everything that may be shown."""
        rows = self.db.rows("store.count_by_kind", scope.viewer())
        by_layer = dict.fromkeys(LAYERS, 0)
        by_kind: dict[str, int] = {}
        by_state = dict.fromkeys(STATES, 0)
        tokens = 0
        for row in rows:
            by_state[row["state"]] += row["memories"]
            if row["state"] == "active":
                by_layer[row["layer"]] = by_layer.get(row["layer"], 0) + row["memories"]
                by_kind[row["kind"]] = by_kind.get(row["kind"], 0) + row["memories"]
                tokens += row["tokens"]
        return Counts(sum(by_layer.values()), tokens, by_layer, by_kind, by_state)

    def seen(self, uid: str) -> int | None:
        """Return the latest change of a memory, for `store.still`."""
        latest: int | None = self.db.read("store.last_change", {"uid": uid})[0][0]
        return latest

    # -- what was shown --------------------------------------------------------------------------

    def without_echo(self, text: str) -> tuple[str, int]:
        """Return the text without what cogmem had put into a prompt, and how many lines that was."""
        if "- " not in text:  # so every line begins that a prompt was given
            return text, 0
        whole = {"bare": lines.hash_of(text), "with_end": lines.hash_of(text + "\n")}
        if self.db.read("store.was_injected", whole)[0][0]:
            return "", text.count("\n") + 1
        split = text.split("\n")
        bullets = {
            number: lines.content_hash(line.strip()[2:])
            for number, line in enumerate(split[:ECHO_LINES])
            if line.strip().startswith("- ")
        }
        if not bullets:
            return text, 0
        wanted = json.dumps([*set(bullets.values())])
        shown = {row[0] for row in self.db.read("store.shown_lines", {"hashes": wanted})}
        echoed = {number for number, name in bullets.items() if name in shown}
        if not echoed:
            return text, 0
        kept = [
            line for number, line in enumerate(split) if number not in echoed and not _frames(line)
        ]
        return "\n".join(kept).strip(), len(echoed)

    # -- changing --------------------------------------------------------------------------------

    def written_form(
        self,
        layer: str,
        key: str,
        content: str,
        detail: Mapping[str, Any],
        also: Sequence[str] = (),
    ) -> dict[str, Any]:
        """Return the columns that follow from the text: search words, hash and the length of its line.

        `also` holds other wordings of the same statement: not shown, but found by their words.
        """
        steps = _steps(detail.get("steps"))
        outcome = str(detail.get("outcome") or "")
        text = lines.memory_text(layer, key, content, outcome, steps)
        # What only the layer's row says is found through the spine's own index.
        aside = " ".join((str(detail.get("context") or ""), *steps, outcome, *also)).strip()
        return {
            "terms": " ".join(filter(None, (aside, index_words(f"{key} {content} {aside}")))),
            "content_hash": lines.content_hash(content),
            "tokens": self.counter.count(lines.line(text)),
            "token_counter": self.counter.name,
        }

    def rewrite_steps(
        self, memory: Remembered, changes: Mapping[str, Any], now: int
    ) -> builtins.list[Step]:
        """Return steps that overwrite parts of a memory, if it is still as it was read."""
        row = {name: changes.get(name, getattr(memory, name)) for name in _REWRITABLE}
        also = row["data"].get("also", ())
        detail = changes.get("detail", memory.detail)
        row.update(self.written_form(memory.layer, row["key"], row["content"], detail, also))
        row["tags"] = json.dumps(list(row["tags"]), ensure_ascii=False)
        row["data"] = json.dumps(row["data"], ensure_ascii=False)
        return [
            ("store.still", {"uid": memory.uid, "seen": self.seen(memory.uid)}),
            ("store.rewrite", {**row, "uid": memory.uid, "now": now}),
        ]

    def set_state(
        self,
        memory: Remembered,
        state: str,
        *,
        reason: str,
        now: int,
        verb: str,
        also: Sequence[Step] = (),
    ) -> str:
        """Archive, remove or bring back one memory, and what follows from it; returns the act."""
        step = (
            "store.set_state",
            {"uid": memory.uid, "state": state, "reason": reason, "now": now},
        )
        return self.db.write([step, *also], verb=verb, at=now, reason=reason).act


_REWRITABLE = (
    "key",
    "content",
    "tags",
    "priority",
    "source",
    "trust",
    "polarity",
    "path_glob",
    "kind",
    "data",
    "expires_at",
)


def _steps(value: Any) -> Sequence[str]:
    if value is None:
        return ()
    return [str(step) for step in (listed(value) if isinstance(value, str) else value)]


def _frames(line: str) -> bool:
    """Tell whether a line is a heading that cogmem sets above its own lines."""
    bare = line.strip().lstrip("#").strip().lower()
    return bare.startswith(("memory (reference data", "<memory ", "</memory>")) or (
        line.strip()[:1] in ("#", "<") and bare.strip("</>").replace("-", " ") in _TITLES
    )


_TITLES = (
    "always",
    "relevant now",
    "how it is done",
    "about these files",
    "pinned",
    "changed since this session began",
)
