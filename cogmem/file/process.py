"""Whether a process of this machine still runs: what a dead one left behind (a portion, a lease) is for others."""

from __future__ import annotations

import os


def is_running(number: int) -> bool:
    """Tell whether there is a process of this number, whoever owns it."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it is somebody else's
    return True
