"""The registry of kinds: what a memory can be, by which words it is called, and the policy of each."""

from __future__ import annotations

from math import inf

from cogmem.errors import InvalidInput, UnknownName
from cogmem.named import NamedTuple
from cogmem.records import LAYERS, one_of, priority_number
from cogmem.text.lines import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.guard.guard import Standing


class Kind(NamedTuple):
    """One row of the registry, its columns in the order of store.kinds."""

    name: str
    layer: str
    weight: float
    default_priority: int
    half_life_days: float | None
    is_baseline: int
    is_pinned: int
    is_shared: int
    needs_person: int
    needs_trust: int
    max_rows: int | None
    max_characters: int | None
    capacity_policy: str
    is_wish: int
    stands_by_source: int = 0  # only a name of it may

    def standing(self, origin: str) -> Standing:
        """Tell how a memory of this kind may stand when this origin asserts it."""
        from cogmem.guard.guard import (
            standing,  # its patterns: a hook that learns nothing needs none of them
        )

        if self.stands_by_source:
            return standing(origin)
        return standing(origin, needs_person=self.needs_person, needs_trust=self.needs_trust)

    def under(self, particular: Sequence[Any]) -> Kind:
        """Return this kind as one of its names has it: what that says goes before, but a cap of the kind stays."""
        names = ("is_shared", "stands_by_source", "max_rows", "max_characters", "capacity_policy")
        said = {
            name: value
            for name, value in zip(names, particular, strict=True)
            if value is not None
            and not (name.startswith("max_") and getattr(self, name) is not None)
        }
        return self._replace(**said)


class Kinds:
    """The kinds of one open file, as of the first use in this process."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self._kinds: dict[str, Kind] = {}
        self._aliases: dict[tuple[str, str], Kind] = {}

    def all(self) -> dict[str, Kind]:
        """Return the registry by name."""
        if not self._kinds:
            self._read_kinds()
        return self._kinds

    def of(self, name: str, vocabulary: str = "") -> tuple[Kind, str]:
        """Return a kind by its name or alias, and a note when the name was not known and became `fact`."""
        word = storable(name, "the kind").strip().lower()
        for attempt in (1, 2):
            kinds = self.all()
            alias = self._aliases.get((vocabulary, word)) if vocabulary else None
            found = alias or kinds.get(word) or self._aliases.get(("", word))
            if found:
                return found, ""
            if attempt == 1:
                self._read_kinds()  # someone may have registered it since
        near = self._near(word)
        meant = f"`cogmem update UID --kind {near}` if that was meant, " if near else ""
        return self._kinds["fact"], (
            f"kind {name!r} is not registered, so it was stored as a fact: "
            f"{meant}`cogmem setting kind add` registers a kind"
        )

    def demand(self, name: str) -> Kind:
        """Return a kind by its name or alias; one that is not registered is refused: a person can type it again."""
        kind, note = self.of(name)
        if note:
            near = self._near(name.strip().lower())
            meant = f"did you mean {near}? " if near else ""
            raise UnknownName(
                f"kind {name!r} is not registered: {meant}`cogmem setting kind list` shows them"
            )
        return kind

    def _near(self, word: str) -> str:
        from difflib import get_close_matches

        return next(iter(get_close_matches(word, self.all(), n=1)), "")

    def words_of(self, vocabulary: str) -> frozenset[str]:
        """Return the words by which one of the united systems calls kinds."""
        self.all()
        return frozenset(word for whose, word in self._aliases if whose == vocabulary)

    def _read_kinds(self) -> None:
        self._kinds = {row[0]: Kind(*row) for row in self.db.read("store.kinds")}
        self._aliases = {
            (vocabulary, alias): self._kinds[kind].under(particular)
            for vocabulary, alias, kind, *particular in self.db.read("store.aliases")
        }

    def add(self, row: Mapping[str, Any], *, now: int) -> str:
        """Register a kind of one's own; returns the act."""
        name = str(row["name"]).strip().lower()
        if not name or not name.replace("_", "").isalnum():
            raise InvalidInput(f"kind {row['name']!r} needs a name of letters, digits and _")
        if not str(row["meaning"]).strip():
            raise InvalidInput(
                f"kind {name!r} needs a meaning: say in a sentence what belongs to it"
            )
        _refuse_figures(row)
        one_of("layer", row["layer"], LAYERS)
        if name in self.all():
            raise InvalidInput(
                f"kind {name!r} is registered already: `cogmem setting kind list` shows it"
            )
        written = self.db.write([("store.add_kind", {**row, "name": name})], verb="kind", at=now)
        self._kinds = {}
        return written.act

    def change(self, name: str, changes: Mapping[str, Any], *, now: int) -> str:
        """Change the policy of a kind; what is None stays as it is, a cap of 0 goes. Returns the act.

        A cap of the kind goes before those that its names have.
        """
        kind = self.demand(name)
        name = kind.name
        if all(value is None for value in changes.values()):
            raise InvalidInput("nothing to change: name a figure, such as --half-life 30")
        _refuse_figures(changes)
        named = [one for one in self._aliases.values() if one.name == name]
        policies = {changes.get("capacity_policy") or kind.capacity_policy}
        policies |= {one.capacity_policy for one in named}
        if changes.get("max_characters") and "refuse" not in policies:
            raise InvalidInput(
                "a cap in characters refuses what is too much, it archives nothing: add --when-full refuse"
            )
        step = ("store.set_kind", {**changes, "name": name})
        written = self.db.write([step], verb="kind", at=now)
        self._kinds = {}
        return written.act

    def described(self) -> list[dict[str, Any]]:
        """Return kinds as people see them: their policy, their aliases and how many memories each holds."""
        rows = self.db.rows("store.describe_kinds")
        for row in rows:
            row["aliases"] = (row["aliases"] or "").split()
        return rows

    def set_alias(self, alias: str, kind: str, vocabulary: str, *, now: int) -> str:
        """Let another word stand for a kind; returns the act."""
        step = {"vocabulary": vocabulary, "alias": alias, "kind": kind}
        return self.db.write([("store.set_alias", step)], verb="kind", at=now).act


def _refuse_figures(kind: Mapping[str, Any]) -> None:
    """Refuse figures that no kind can have: what is not a number would be stored as nothing."""
    weight, half_life = kind.get("weight"), kind.get("half_life_days")
    if weight is not None and not 0 < weight < inf:
        raise InvalidInput(f"weight is a number above 0, not {weight}")
    if half_life is not None and not 0 <= half_life <= 36_525:
        raise InvalidInput(f"half_life_days is a number from 0 to 36525, not {half_life}")


def checked_priority(value: int | str | None, kind: Kind) -> int:
    """Return the priority asked for, or the kind's own."""
    return int(kind.default_priority) if value is None else priority_number(value)
