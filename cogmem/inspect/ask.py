"""Questions that are prepared, the memory in pictures, and the views and tables for a person's own SQL."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

from typing import Any

import markupsafe
from datasette.utils.asgi import NotFound

from cogmem.inspect import plot
from cogmem.inspect.metadata import questions, views
from cogmem.inspect.page import PATIENT, page, rows, word

LAST = 40  # turns or nights that a picture shows


async def page_of(datasette: Any, request: Any) -> Any:
    """Return the page; its pictures read much, and are asked for by themselves."""
    if word(request, "part") == "pictures":
        drawn = []
        for name, parameter, draw in plot.PICTURES.values():
            found = await rows(datasette, name, {parameter: LAST} if parameter else {}, ms=PATIENT)
            drawn.append(markupsafe.Markup(draw(found)))
        return page(datasette, "_pictures", pictures=drawn)
    prepared = questions()
    if name := word(request, "question"):
        if name not in prepared:
            raise NotFound(f"no question is called {name!r}: all of them stand on the page Ask")
        asked = {one: word(request, one) for one in prepared[name]["params"]}
        found = await rows(datasette, prepared[name]["statement"], asked)
        told: dict[str, Any] = {"called": name, "question": prepared[name], "asked": asked}
        return page(datasette, "answer", **told, rows=found)
    return page(datasette, "ask", questions=prepared, views=views())
