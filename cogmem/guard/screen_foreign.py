"""What another client wrote into a memory, before it is shown to a model: no guard has read it.

A secret is taken out. A text that gives orders to the model is held back: the memory is named, and a person can
look at it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Said = tuple[str, str, str, str | None, str | None]  # layer, key, content, outcome, steps

HELD_BACK = "[held back: another program wrote this, and it reads like an order to you; `cogmem get {}` shows it]"


def shown(uid: str, said: Said) -> Said:
    """Return the parts of a memory's line as they may stand in a prompt."""
    from cogmem.guard import guard

    layer, *parts = said
    read = [guard.apply(text or "", guard.POLICIES["web"]) for text in parts]
    found = {finding.kind for one in read for finding in one.findings}
    if not found.isdisjoint(("injection", "command")):
        return layer, "", HELD_BACK.format(uid), None, None
    key, content, outcome, steps = [
        one.text if text else text for one, text in zip(read, parts, strict=True)
    ]
    return layer, key or "", content or "", outcome, steps
