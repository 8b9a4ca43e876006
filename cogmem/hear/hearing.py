"""How what is heard is kept: learned by the one write path, in one name at one instant, and tied to its message."""

from __future__ import annotations

from cogmem.errors import REFUSALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.file.db import Step
    from cogmem.records import Draft, Learned
    from cogmem.store.store import Store


class Hearing:
    """Where something is heard, and in whose name."""

    def __init__(self, store: Store, learn: Callable[[Draft, int], Learned], now: int) -> None:
        self.store = store
        self.now = now
        self._learn = learn

    def write(self, *steps: Step) -> None:
        """Write as what captures."""
        self.store.db.write(list(steps), verb="capture", at=self.now)

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
