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

    layer, key, content, outcome, steps = said
    policy = guard.POLICIES["web"]
    checked = {
        name: guard.apply(text, policy)
        for name, text in (
            ("key", key),
            ("content", content),
            ("outcome", outcome),
            ("steps", steps),
        )
        if text
    }
    if any(
        finding.kind in ("injection", "command")
        for one in checked.values()
        for finding in one.findings
    ):
        return layer, "", HELD_BACK.format(uid), None, None
    clean = {name: one.text for name, one in checked.items()}
    return (
        layer,
        clean.get("key", key),
        clean.get("content", content),
        clean.get("outcome", outcome),
        clean.get("steps", steps),
    )
