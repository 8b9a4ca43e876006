"""What one message says, and how it is kept: learned by the one write path, in one name at one instant, and tied to
its message."""

from __future__ import annotations

from cogmem.errors import REFUSALS
from cogmem.hear.intended import intended, says_so
from cogmem.hear.ways import changed_ways

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.file.db import Step
    from cogmem.hear.capture import Captured
    from cogmem.hear.said import Statement
    from cogmem.records import Draft, Learned
    from cogmem.scope import Scope
    from cogmem.store.store import Store

    # Of a message, who says it, whether doubtful ones count, and what was said before: proposals and statements.
    Read = Callable[[str, str, bool, str], tuple[list[Captured], list[Statement]]]


def heard(
    store: Store, read: Read, text: str, role: str, before: str, scope: Scope, at: int
) -> tuple[list[Captured], list[Statement], list[Draft]]:
    """Return what a message proposes and states, and what a person means to do or wants done otherwise from now on:
    that is heard as nothing else."""
    proposed, statements = read(text, role, True, before)
    if role != "user":
        return proposed, statements, []
    meant = intended(text, scope, at)
    if meant:
        proposed = [one for one in proposed if not says_so(one.text)]
        statements = [one for one in statements if not says_so(text[one.start : one.end])]
    return proposed, statements, [*changed_ways(store, text, before, scope, at), *meant]


class Hearing:
    """Where something is heard, and in whose name."""

    def __init__(
        self, store: Store, learn: Callable[[Draft, int], Learned], actor: str, now: int
    ) -> None:
        self.store = store
        self.actor = actor
        self.now = now
        self._learn = learn

    def write(self, *steps: Step) -> None:
        """Write as what captures."""
        self.store.db.write(list(steps), verb="capture", actor=self.actor, at=self.now)

    def learned(self, draft: Draft) -> str:
        """Learn a draft; '' if it is refused: the record keeps what was said, and what is behind it goes on."""
        try:
            return self._learn(draft, self.now).uid
        except REFUSALS:
            return ""

    def taught(self, draft: Draft, message: int) -> str:
        """Learn a draft, and tie it to the message that says so."""
        uid = self.learned(draft)
        if uid:
            self.write(("jobs.bear_out", {"uid": uid, "message": message, "now": self.now}))
        return uid
