"""What turns wrote into this machine's copy of a cluster, and the cluster has not taken yet: table `cluster_unsent`.

It goes along with the next batch, in the order in which it was written, or alone when much of it waits. A turn whose
step the cluster refuses is set aside, so that it stops nobody; `doctor` tells of it.
"""

from __future__ import annotations

import json
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

MOST, OLDEST_MS = 20, 60_000  # turns that wait before they are sent alone
WAITING = "select count(*), coalesce(min(made_at), 0) from cluster_unsent where refused is null"
REFUSED = "select count(*) from cluster_unsent where refused is not null"


def keep(actual: Any, steps: list[list[Any]]) -> None:
    """Leave here what a turn wrote."""
    row = (as_json(steps), now_ms())
    actual.execute("insert into cluster_unsent (steps, made_at) values (?, ?)", row)


def waiting(actual: Any) -> list[tuple[int, str]]:
    """Return the turns that wait, in their order: number, and steps as JSON."""
    found: list[tuple[int, str]] = actual.execute(
        "select id, steps from cluster_unsent where refused is null order by id"
    ).fetchall()
    return found


def let_go(actual: Any, numbers: Iterable[int]) -> None:
    """Let go of what the cluster took."""
    for number in numbers:
        actual.execute("delete from cluster_unsent where id = ?", (number,))


def set_aside(actual: Any, turns: Sequence[tuple[int, str]], place: int, said: str) -> None:
    """Set one of these turns aside: the cluster refuses a step of it."""
    for number, steps in turns:
        count = len(json.loads(steps))
        if place < count:
            actual.execute("update cluster_unsent set refused = ? where id = ?", (said, number))
            return
        place -= count


def are_due(count: int, oldest: int) -> bool:
    """Tell whether so many wait, or one of them for so long, that they are to be sent alone."""
    return count >= MOST or bool(count and now_ms() - oldest >= OLDEST_MS)


def as_json(value: Any) -> str:
    """Return steps as they are kept and sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def now_ms() -> int:
    """Read the clock of this machine: how long things wait is not an instant of the memory."""
    return time.time_ns() // 1_000_000
