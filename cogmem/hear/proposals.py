"""How a captured clause becomes a draft for the write path: its source, standing, key and instant.

A constraint, or what a person asks to remember, is that person's own word and may stand as such
when the rule is sure; a preference or correction was observed. What a rule is unsure of waits as a
candidate until it is said again or confirmed. Dates count from when the message was written.
"""

from __future__ import annotations

from cogmem.language.statement import without_opening
from cogmem.records import Draft
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.hear.capture import Captured
    from cogmem.scope import Scope

NEAR = 500  # characters of the text before that a bare "remember this" keeps
_OWN_WORD = ("constraint", "remember", "correction", "decision", "profile")
_SURE = ("correction", "decision", "profile")  # said of oneself or to set something right
_FEWEST = 3  # words of what stands behind "actually": fewer are not a statement


def draft_of(
    found: Captured, scope: Scope, *, at: int, session: str = "", before: str = ""
) -> Draft | None:
    """The draft of one capture; None where "remember this" has nothing before it to keep."""
    text = found.text or one_line(before)[:NEAR]
    if not text:
        return None
    if found.family == "self_error":
        return Draft(
            text,
            found.kind,
            scope,
            priority=found.priority,
            source="observed",
            said_at=at,
            state=found.state,
            tags=("auto-detect", "self-improvement"),
            detail={"outcome": found.outcome, "session_name": session, "happened_at": at},
        )
    if found.family == "correction":
        text = plainly(text)
    is_sure = found.state == "active"
    is_own_word = is_sure and found.family in _OWN_WORD
    return Draft(
        text,
        found.kind,
        scope,
        key=found.key,
        priority=found.priority,
        said_at=at,
        source="user_explicit" if is_own_word else "observed",
        trust=found.confidence if is_own_word and found.family not in _SURE else None,
        polarity=found.polarity if found.text else None,
        state=None if is_sure else "candidate",
        only_corrects=found.state == "doubtful",
        detail={"confidence": found.confidence},
        data={"rule": found.rule},
    )


def plainly(text: str) -> str:
    """A correction as the statement that it is: "Actually, the port is 8081" without its opening."""
    rest = without_opening(text)
    if len(rest.split()) < _FEWEST and rest.isascii():
        return text
    return rest[:1].upper() + rest[1:] if text[:1].isupper() else rest
