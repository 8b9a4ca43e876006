"""Which reason took the place of which: a later commit that says it changes what an earlier one decided.

The later one must speak of a change (the setting `amend_phrases`) and of the same matter: most of what
the earlier one tells, weighed by how rare its words are in this repository, in the same file or even
more of it elsewhere. A commit that reverts another by name needs no likeness.
"""

from __future__ import annotations

from collections import Counter
from math import log

from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = 0.34  # share of what the rarer of the two tells, if they touched the same file
ELSEWHERE = 0.5
COMMON = 0.02  # words in more of all reasons than this tell nothing of the matter
FILES = 40  # a commit that touched more is about none of them


class Reason(NamedTuple):
    """A reason with its words, its commit and files, and whether it says that it changes something."""

    uid: str
    stems: frozenset[str]
    commit: str
    paths: Sequence[str]
    at: int
    amends: bool


def successions(reasons: Sequence[Reason], new: set[str]) -> Iterator[tuple[Reason, Reason]]:
    """(earlier, later) for each reason that a new one takes the place of; they come the oldest first."""
    total = len(reasons)
    often = Counter(stem for one in reasons for stem in one.stems)
    most = max(4, COMMON * total)
    worth = {stem: log(1 + total / count) for stem, count in often.items() if count <= most}
    told: dict[str, list[int]] = {}  # stem → the earlier reasons that have it
    over: set[int] = set()
    for place, later in enumerate(reasons):
        rare = [stem for stem in later.stems if stem in worth]
        if later.amends and later.uid in new:
            shared: dict[int, float] = {}
            for stem in rare:
                for number in told.get(stem, ()):
                    shared[number] = shared.get(number, 0.0) + worth[stem]
            own = sum(worth[stem] for stem in rare)
            files = set(later.paths) if len(later.paths) <= FILES else set()
            for number, value in shared.items():
                earlier = reasons[number]
                if number in over or earlier.commit == later.commit:
                    continue
                whole = min(own, sum(worth[stem] for stem in earlier.stems if stem in worth))
                least = HERE if not files.isdisjoint(earlier.paths[:FILES]) else ELSEWHERE
                if whole and value / whole >= least:
                    over.add(number)
                    yield earlier, later
        for stem in rare:
            told.setdefault(stem, []).append(place)
