"""pi: an extension runs the hooks, and its model hears nothing before a tool has run. It has no MCP."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit


class Pi(Host):
    """pi: an extension runs the hooks, and its model hears nothing before a tool has run."""

    at = ".pi"
    at_home = os.path.join(".pi", "agent")
    moved_by = "PI_CODING_AGENT_DIR"
    talks: ClassVar[dict[str, str]] = {"sessions": ".jsonl"}
    brings = "start"
    keeps_start = False  # its system prompt is made anew
    tells_beside = True
    tells_words = True

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        for said in lines_of(head):
            if said.get("type") == "session" and said.get("id"):
                began = str(said.get("timestamp") or "")
                return str(said["id"]), str(said.get("cwd") or ""), began
        return None

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

    def messages(self, line: dict[str, Any]) -> list[dict[str, Any]] | None:
        said = line.get("message")
        if line.get("type") != "message" or not isinstance(said, dict):
            return None
        if said.get("role") == "toolResult":
            answer = {
                "type": "tool_result",
                "tool_use_id": said.get("toolCallId"),
                "content": said.get("content"),
                "is_error": said.get("isError"),
            }
            return [{"role": "tool", "content": [answer]}]
        if said.get("role") not in ("user", "assistant"):
            return []  # what a person ran aside, and branches that were left
        content = said.get("content")
        held = [content] if isinstance(content, str) else content
        return [{"role": said["role"], "content": [_block(one) for one in held or ()]}]

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import script

        place = f"{self.folder(wide=wide)}/extensions/cogmem.ts"
        return [(place, lambda _: script("pi.ts", self.name, ask))]

    def left_to_do(self) -> list[str]:
        return [
            "pi has no MCP: memory comes by itself, and its tools are the commands of `cogmem`."
        ]


def _block(block: Any) -> Any:
    """Return a block of a message, its calls of tools as the others write them."""
    if not isinstance(block, dict) or block.get("type") != "toolCall":
        return block
    return {
        "type": "tool_use",
        "id": block.get("id"),
        "name": block.get("name"),
        "input": block.get("arguments"),
    }


HOST = Pi("pi")
