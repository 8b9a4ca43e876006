"""Files: which the memory knows something of, and the story of each, from the newest back."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

from typing import Any

from cogmem.inspect.page import narrowed, owner_of, page, rows, word

FILES, LINES = 200, 200


async def page_of(datasette: Any, request: Any) -> Any:
    """Return the files, those of which most is known first; or, with `file`, the story of one."""
    owner = owner_of(request)
    path = word(request, "file")
    if path:
        asked = {**owner, "path": path, "limit": LINES}
        story = await rows(datasette, "inspect.file_story", asked)
        return page(datasette, "file", path=path, story=story, is_cut=len(story) == LINES)
    part = word(request, "q")
    asked = {**owner, "part": part, "limit": FILES}
    found = await rows(datasette, "inspect.files", asked)
    told = {"files": found, "part": part, "is_cut": len(found) == FILES}
    return await narrowed(datasette, request, "files", **told)
