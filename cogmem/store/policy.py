"""What the rows of a file say about how it is used: settings, kinds, and the weights of the gate.

Whoever takes many turns keeps it: `Policy.of(db)` reads it anew when the history grew.
"""

from __future__ import annotations

from cogmem.errors import DatabaseProblem
from cogmem.strength import age_ms, fades_next, half_life_ms, strength

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from cogmem.file.db import Database

END = (1 << 63) - 1  # of time, as SQLite has it


def number(settings: Mapping[str, str | None], name: str) -> float:
    """Return a setting that is a number. One that a client or a bad disk spoilt is told, with a way on."""
    try:
        return float(settings[name] or "")
    except (KeyError, ValueError):
        raise DatabaseProblem(
            f"the setting {name} is missing or is not a number: `cogmem setting set` mends it, `cogmem log` shows "
            "who took it away, `cogmem undo` or a backup brings it back"
        ) from None


class Policy:
    """The settings, what kinds are worth, and the weights of the gate, read in three short statements."""

    @classmethod
    def of(cls, db: Database) -> Policy:
        """Return the policy of a file as it is now, read anew only where it may have changed."""
        return db.kept("policy", cls, of_history=True)

    def __init__(self, db: Database) -> None:
        self.settings = dict(db.read("store.settings"))
        default = self.number("half_life_days")
        kinds = db.read("store.kinds")
        self.kinds = {row[0]: (float(row[2]), half_life_ms(row[4], default)) for row in kinds}
        self.wishes = {row[0] for row in kinds if row[-1]}
        self.silence = self.settings.get("silence", "balanced")
        self.weights: dict[str, dict[str, float]] = {"message": {}, "session": {}, "memory": {}}
        for name, weight in db.read("store.gate_weights"):
            candidate, _, figure = name.partition(".")
            self.weights[candidate][figure] = weight

    def number(self, name: str) -> float:
        return number(self.settings, name)

    def stop_words(self) -> frozenset[str]:
        """Return words of other languages that say nothing, beside the English ones."""
        return frozenset(self.settings.get("stop_words", "").split())

    def strength(
        self, kind: str, now: int, reinforced: int, accessed: int | None, count: int
    ) -> float:
        return self.strength_at(kind, age_ms(now, reinforced, accessed), count)

    def strength_at(self, kind: str, age: int, count: int) -> float:
        """Return the strength of what went so long without use: type weight × decay × reinforcement count."""
        # A kind whose row was taken away by hand has no policy: what is of it is as good as gone.
        weight, half_life = self.kinds.get(kind, (0.0, 0))
        return strength(weight, age, half_life, count)

    def fades_next(self, kind: str, now: int, reinforced: int, accessed: int | None) -> int:
        """Return the instant at which that strength is next another one; the end of time if there is none."""
        age = age_ms(now, reinforced, accessed)
        next_age = fades_next(age, self.kinds.get(kind, (0.0, 0))[1])
        return END if next_age is None else now - age + next_age
