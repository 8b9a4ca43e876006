"""The tool `remember`: an agent saves one memory as a file.

A tool never raises: it answers `{success, message, …}` or `{success: false, error}`.
"""

from __future__ import annotations

from cogmem.documents.markdown import one_line
from cogmem.errors import CogmemError, InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from cogmem.documents.saved import Saved

    class Store(Protocol):
        """A folder of saved memories: alone, or kept in step with a database."""

        @property
        def folder(self) -> str: ...

        def save(self, name: str, description: str, body: str, type: str = "") -> Saved: ...


NAME_LENGTH = 80


def remember(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """Carry out one call of the tool."""
    if not store.folder:
        return {
            "success": False,
            "error": "saved memories are unavailable: COGMEM_USER_DIR names no folder of yours",
        }
    try:
        description = one_line(_text(arguments, "description"))
        body = _text(arguments, "body").strip()
        if not description or not body:
            missing = "description" if not description else "body"
            raise InvalidInput(f"`{missing}` is required and must not be empty")
        name = one_line(_text(arguments, "name")) or one_line(description, NAME_LENGTH)
        result = store.save(name, description, body, _text(arguments, "type"))
    except CogmemError as error:
        return {"success": False, "error": str(error)}
    verb = "Updated" if result.replaced else "Saved"
    return {
        "success": True,
        "message": f"{verb} the memory “{result.memory.name}” in {result.memory.path}",
        "path": result.memory.path,
        "name": result.memory.name,
        "replaced": result.replaced,
        "archived": [memory.name for memory in result.archived],
        **({"uid": result.uid} if result.uid else {}),
        **({"notes": list(result.notes)} if result.notes else {}),
    }


def _text(arguments: Mapping[str, object], name: str) -> str:
    value = arguments.get(name, "")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidInput(f"`{name}` must be text")
    return value
