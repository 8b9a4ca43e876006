"""What one turn asks with: the file as it looks at it, and what the prompt wants of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.file.db import Database
    from cogmem.scope import Scope
    from cogmem.search.gate import Gate
    from cogmem.search.memories import Candidate
    from cogmem.search.reranking import SecondReader
    from cogmem.search.vectors import Nearness
    from cogmem.store.policy import Policy
    from cogmem.text.bygone import Bygone
    from cogmem.text.cue import Cue
    from cogmem.turn.block import Costs


class View:
    """The file as one turn looks at it: whose it is, when, by which rules and what lines cost."""

    def __init__(self, db: Database, scope: Scope, policy: Policy, costs: Costs, now: int) -> None:
        self.db = db
        self.scope = scope
        self.policy = policy
        self.costs = costs
        self.now = now

    def strength(self, one: Candidate) -> float:
        return self.policy.strength(
            one.kind, self.now, one.reinforced_at, one.accessed_at, one.reinforcement_count
        )


class Wanted:
    """What the prompt asks the layers for, and what they must not say again."""

    def __init__(
        self,
        cue: Cue,
        text: str,
        gate: Gate,
        *,
        files: Sequence[str] = (),
        past: Bygone | None = None,
        near: Nearness | None = None,
        second: SecondReader | None = None,
    ) -> None:
        self.cue = cue
        self.text = text
        self.gate = gate
        self.files = files
        self.past = past  # the prompt asks for what was
        self.near = near
        self.second = second
        self.stable: set[str] = set()  # the memories of the frozen text
        self.again: set[str] = set()  # what the host's window holds from the turns before
