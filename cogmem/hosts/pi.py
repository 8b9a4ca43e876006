"""pi: its sessions are trees, of which one branch counts."""

from __future__ import annotations

from cogmem.hosts.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Pi(Host):
    """pi."""

    def lines(self, path: str, plain: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Return the branch that the session is on: who goes back in pi goes on beside what was said before."""
        held = list(plain)
        above = {line.get("id"): line.get("parentId") for line in held if line.get("id")}
        branch: set[Any] = set()
        place = next((line.get("id") for line in reversed(held) if "parentId" in line), None)
        while place is not None and place not in branch:
            branch.add(place)
            place = above.get(place)
        return (line for line in held if line.get("id") in branch or "parentId" not in line)


OWN = Pi
