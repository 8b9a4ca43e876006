"""Work as a number of calls, of Python and of C: the same on a busy, slow or fast machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """How many calls the work makes once what it loads is loaded."""
    work()
    made = 0

    def notice(_frame: Any, event: str, _what: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(notice)
    try:
        work()
    finally:
        sys.setprofile(before)
    return made
