"""Tools as a host calls them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cogmem.tools.toolset import Tool, toolset

if TYPE_CHECKING:
    from collections.abc import Callable

SECRET = "sk-" + "a1B2c3D4e5F6g7H8i9J0k1L2"


def calls(name: str, mem: Any) -> dict[str, Callable[..., dict[str, Any]]]:
    def caller(tool: Tool) -> Callable[..., dict[str, Any]]:
        return lambda **arguments: tool.call(arguments)

    return {tool.name: caller(tool) for tool in toolset(name, mem)}


def good(answer: dict[str, Any]) -> dict[str, Any]:
    assert answer["success"], answer
    assert answer["message"]
    json.dumps(answer)
    return answer


def bad(answer: dict[str, Any], what: str) -> None:
    assert answer["success"] is False
    assert what in answer["error"], answer["error"]
