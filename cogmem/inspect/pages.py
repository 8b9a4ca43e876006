"""Our part of Datasette: where our pages are, what its own pages lack, and how faults are told.

Every hook of this module is called by Datasette by its name.
"""

# Types are checked also where Datasette is missing, and all of it is Any then.
# mypy: disable-error-code="import-not-found,import-untyped,untyped-decorator,misc,unused-ignore"

from __future__ import annotations

import os
from sqlite3 import SQLITE_LIMIT_LENGTH
from typing import Any

from datasette import hookimpl
from datasette.utils.asgi import Request, Response
from datasette.views.base import DatasetteError

from cogmem.inspect import (
    acts,
    ask,
    files,
    memories,
    nights,
    now,
    review,
    timeline,
    topics,
    turns,
)
from cogmem.inspect.page import HERE, TooLong, linked, page

LONGEST = 64 << 20  # bytes of one value, as in file.user_sql
MOST = 512 << 20  # bytes that SQLite may take in this process
_ROUTES = {
    r"^/-/look$": now.page_of,
    r"^/-/look/now/more$": now.more,
    r"^/-/look/today$": now.today,
    r"^/-/look/memories$": memories.page_of,
    r"^/-/look/memories/owners$": memories.owners,
    r"^/-/look/memory/(?P<uid>[^/]+)$": memories.one,
    r"^/-/look/turns$": turns.page_of,
    r"^/-/look/turn/(?P<turn>[^/]+)$": turns.one,
    r"^/-/look/try$": turns.tried,
    r"^/-/look/sessions$": turns.sessions_page,
    r"^/-/look/session$": turns.session_page,
    r"^/-/look/timeline$": timeline.page_of,
    r"^/-/look/topics$": topics.page_of,
    r"^/-/look/files$": files.page_of,
    r"^/-/look/nights$": nights.page_of,
    r"^/-/look/nights/model$": nights.by_a_model,
    r"^/-/look/run/(?P<run>[^/]+)$": nights.one,
    r"^/-/look/review$": review.page_of,
    r"^/-/look/review/suspects$": review.suspects,
    r"^/-/look/ask$": ask.page_of,
    r"^/-/look/act$": acts.act,
}
_FILES = {"look.css": "text/css", "look.js": "text/javascript"}


@hookimpl
def prepare_connection(conn: Any) -> None:
    """Keep a query that a person types from filling the machine's memory: no value and no answer is larger than what
    `cogmem sql` allows, and all of them together have a bound."""
    conn.setlimit(SQLITE_LIMIT_LENGTH, LONGEST)
    conn.execute(f"pragma hard_heap_limit = {MOST}")


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    """Return where our pages are."""
    return [*_ROUTES.items(), (r"^/-/look/(?P<name>look\.(?:css|js))$", _file)]


async def _file(request: Request) -> Response:
    name = request.url_vars["name"]
    with open(os.path.join(HERE, "static", name), encoding="utf-8") as file:
        return Response(file.read(), content_type=f"{_FILES[name]}; charset=utf-8")


@hookimpl
def skip_csrf(scope: Any) -> bool:
    """Our forms carry the token of this start, which the server looks at before anything else."""
    return bool(scope["path"] == "/-/look/act")


@hookimpl
def handle_exception(datasette: Any, request: Request, exception: Exception) -> Any:
    """Say what is wrong on the page. Datasette's own answer also prints it, with what was read, to the terminal."""

    async def answer() -> Response:
        status = getattr(exception, "status", 500)
        said = str(exception)
        if status == 404 and said.startswith("Database not found"):
            said = f"There is no page {request.path}."
        elif isinstance(exception, MemoryError):
            said = f"the query needs more than {MOST >> 20} MiB: narrow it"
        elif isinstance(exception, TooLong):
            status, said = 503, "Reading this takes too long: narrow it, or ask with `cogmem sql`."
        elif status == 500 and not isinstance(exception, DatasetteError):
            said = f"This should not happen: {type(exception).__name__}."
        if request.path.endswith(".json"):
            return Response.json({"ok": False, "status": status, "error": said}, status=status)
        return page(datasette, "error", status=status, code=status, said=said)

    return answer


@hookimpl
def extra_css_urls() -> list[str]:
    """Return what Datasette's own pages lack: a dark scheme, and lines that a phone can show."""
    return ["/-/look/look.css"]


@hookimpl
def render_cell(value: Any, column: str) -> Any:
    """Link a cell that names a memory, message, turn, run or act to it; make an instant readable."""
    return linked(value, column)


@hookimpl
def menu_links() -> list[dict[str, str]]:
    """Return the menu of Datasette's pages."""
    places = {
        "Today": "/-/look",
        "Memories": "/-/look/memories",
        "Turns": "/-/look/turns",
        "Sessions": "/-/look/sessions",
        "Files": "/-/look/files",
        "Nights": "/-/look/nights",
        "Review": "/-/look/review",
        "Questions and tables": "/-/look/ask",
    }
    return [{"href": path, "label": label} for label, path in places.items()]
