"""How a procedure went, read from the commands of a session: nobody has to say that it worked.

A procedure was followed where commands that were run are most of its steps that are commands. It worked if the last
run of each worked; else it failed, and the line that says why is kept. What somebody said of it meanwhile stands.
"""

from __future__ import annotations

import json
from collections import namedtuple

from cogmem.text.attempts import essence, is_looking, segments, steps, telling_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Step

FEWEST = 2  # steps that must have been run
SHARE = 0.5  # of its steps, at least
REASON = 120  # characters of why it failed

Ran = namedtuple("Ran", "command failed output")


def tries(
    ways: Sequence[Sequence[Any]], messages: Sequence[Mapping[str, Any]], since: int, now: int
) -> list[Step]:
    """Return what counts the outcomes of the procedures (rows of store.ways) that were followed in these messages."""
    done = [
        Ran(essence(" ".join(part)).lower(), one.failed, one.output)
        for one in (steps([(one["role"], one["parts"]) for one in messages]) if ways else ())
        if one.command
        for part in segments(one.command)
        if not is_looking(" ".join(part))
    ]
    counted: list[Step] = []
    for uid, _, _, _, stored, used_at in ways if done else ():
        reason = followed(json.loads(stored), done)
        if reason is not None and (used_at is None or used_at < since):
            outcome = {"success": int(not reason), "failure": int(bool(reason)), "reason": reason}
            counted.append(("store.count_outcome", {**outcome, "uid": uid, "now": now}))
    return counted


def followed(way: Sequence[str], done: Sequence[Ran]) -> str | None:
    """Return why a procedure failed, '' where it worked; None where it was not followed."""
    met: list[Ran] = []
    for step in way:
        runs = [one for one in done if _is_step(step.lower(), one.command)]
        met += runs[-1:]
    if len(met) < min(FEWEST, len(way)) or len(met) < SHARE * len(way):
        return None
    failed = next((one for one in met if one.failed), None)
    return "" if failed is None else (telling_line(failed.output) or failed.command)[:REASON]


def _is_step(step: str, command: str) -> bool:
    """Tell whether a command is what a step says: the one stands in the other, at the borders of words."""
    if " " not in command or " " not in step:
        return step == command
    return f" {command} " in f" {step} " or f" {step} " in f" {command} "
