"""Our part of Datasette: the opening page, a page per memory and per turn, the preview, and links.

Every hook of this module is called by Datasette by its name.
"""

# Types are checked also where Datasette is missing, and all of it is Any then.
# mypy: disable-error-code="import-not-found,import-untyped,untyped-decorator,misc,unused-ignore"

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime
from sqlite3 import SQLITE_LIMIT_LENGTH
from urllib.parse import quote

import markupsafe
from datasette import hookimpl
from datasette.utils.asgi import NotFound, Request, Response
from datasette.views.base import DatasetteError

from cogmem.errors import CogmemError
from cogmem.file import sql
from cogmem.inspect import plot
from cogmem.inspect.metadata import views

LONGEST = 64 << 20  # bytes of one value, as in file.user_sql
MOST = 512 << 20  # bytes that SQLite may take in this process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_REF = re.compile(r"(mem_[0-9a-f]{16})|msg_([0-9]+)|(run_[0-9a-f]{16})|(act_[0-9a-f]{16})")


async def _rows(
    datasette: Any, name: str, params: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """The rows of a named statement."""
    database = datasette.get_database("memory")
    found = await database.execute(sql.statement(name), params or {}, custom_time_limit=60_000)
    return [dict(row) for row in found.rows]


# -- pages ---------------------------------------------------------------------------------------


@hookimpl
def prepare_connection(conn: Any) -> None:
    """A query that a person types cannot fill the machine's memory: no value and no answer is larger than what
    `cogmem sql` allows, and all of them together have a bound."""
    conn.setlimit(SQLITE_LIMIT_LENGTH, LONGEST)
    conn.execute(f"pragma hard_heap_limit = {MOST}")


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    """Where our pages are."""
    return [
        (r"^/-/look$", _start),
        (r"^/-/look/look\.css$", _css),
        (r"^/-/look/memory/(?P<uid>mem_[0-9a-f]{16})$", _memory),
        (r"^/-/look/turn/(?P<turn>[^/]+)$", _turn),
        (r"^/-/look/preview$", _preview),
    ]


async def _page(datasette: Any, request: Request, name: str, **values: Any) -> Response:
    values["plot_style"] = markupsafe.Markup(plot.style("auto"))
    return Response.html(await datasette.render_template(f"{name}.html", values, request=request))


async def _start(datasette: Any, request: Request) -> Response:
    """What there is, in figures and pictures, and what one may ask."""
    pictures = []
    for picture in plot.PICTURES:
        name, params = plot.statement(picture, 40)
        drawn = plot.draw(picture, await _rows(datasette, name, params), theme=None)
        pictures.append(markupsafe.Markup(drawn))
    (counts,) = await _rows(datasette, "inspect.counts")
    asked = datasette.metadata("queries", database="memory") or {}
    return await _page(
        datasette, request, "look", counts=counts, pictures=pictures, questions=asked, views=views()
    )


async def _memory(datasette: Any, request: Request) -> Response:
    """One memory: what it says, why it is held, what turns did with it, what became of it."""
    uid = request.url_vars["uid"]
    found = await _rows(datasette, "inspect.memory", {"uid": uid})
    if not found:
        raise NotFound(f"no memory is called {uid}: it may have been forgotten")
    strength = await _rows(datasette, "inspect.strength_of", {"uid": uid})
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in strength:
        name = "as turns saw it" if row["tense"] == "seen" else "ahead, if nobody uses it"
        curves.setdefault(name, []).append((row["days"], row["strength"]))
    days = sorted({row["days"] for row in strength})
    ticks = [(day, str(day)) for day in sorted({*days[:1], 0, 90, 180, 365})]
    picture = plot.lines("Strength over time", curves, ticks=ticks, what="days from now")
    return await _page(
        datasette,
        request,
        "look_memory",
        memory=found[0],
        picture=markupsafe.Markup(picture),
        steps=json.loads(found[0]["steps"] or "[]"),
        ties=await _rows(datasette, "inspect.ties", {"uid": uid}),
        turns=await _rows(datasette, "inspect.turns_of", {"uid": uid}),
        changes=await _rows(datasette, "inspect.history_of", {"uid": uid}),
    )


async def _turn(datasette: Any, request: Request) -> Response:
    """One turn: the prompt, what it was given, what was left out and why."""
    turn = request.url_vars["turn"]
    found = await _rows(datasette, "inspect.turn", {"turn": turn})
    if not found:
        raise NotFound(f"no turn is called {turn}: the ledger keeps them for a while only")
    items = await _rows(datasette, "inspect.items", {"turn": turn})
    return await _page(datasette, request, "look_turn", turn=found[0], items=items)


async def _preview(datasette: Any, request: Request) -> Response:
    """What would be injected for a prompt, now; nothing is recorded."""
    asked = {
        name: request.args.get(name) or ""
        for name in ("prompt", "user", "project", "file", "budget")
    }
    values: dict[str, Any] = {"asked": asked, "turn": None, "fault": ""}
    if asked["prompt"]:
        path = datasette.get_database("memory").path
        try:
            values["turn"], values["said"] = await asyncio.to_thread(_activated, path, asked)
        except CogmemError as error:
            values["fault"] = str(error)
    return await _page(datasette, request, "look_preview", **values)


def _activated(path: str, asked: dict[str, str]) -> tuple[Any, dict[str, str]]:
    """The turn that a prompt would be, and the words of what it considered."""
    from cogmem.errors import InvalidInput
    from cogmem.memory import Memory

    if asked["budget"] and not asked["budget"].isdecimal():
        raise InvalidInput("a budget is a number of tokens")
    # The driver is the library that Datasette uses: two of them on one file undo each other's locks.
    with Memory(
        path,
        driver="sqlite3",
        read_only=True,
        user=asked["user"],
        project=asked["project"],
        actor="inspect",
    ) as memory:
        turn = memory.activate(
            asked["prompt"],
            int(asked["budget"]) if asked["budget"] else None,
            files=[asked["file"]] if asked["file"] else [],
        )
        refs = [
            item["ref"] for item in [*turn.items, *turn.omitted] if item["ref"].startswith("mem_")
        ]
        return turn, {ref: memory.get(ref).content for ref in refs}


@hookimpl
def handle_exception(datasette: Any, request: Request, exception: Exception) -> Any:
    """Say what is wrong on the page. Datasette's own answer also prints it, with what was read, to the terminal."""

    async def answer() -> Response:
        status = getattr(exception, "status", 500)
        said = str(exception)
        if isinstance(exception, MemoryError):
            said = f"the query needs more than {MOST >> 20} MiB: narrow it"
        if status == 500 and not isinstance(exception, DatasetteError):
            said = f"This should not happen: {type(exception).__name__}."
        if request.path.endswith(".json"):
            return Response.json({"ok": False, "status": status, "error": said}, status=status)
        values = {"status": status, "said": said, "plot_style": ""}
        body = await datasette.render_template("look_error.html", values, request=request)
        return Response.html(body, status=status)

    return answer


@hookimpl
def extra_css_urls() -> list[str]:
    """What Datasette's own pages lack, on a phone above all."""
    return ["/-/look/look.css"]


async def _css() -> Response:
    return Response(_CSS, content_type="text/css; charset=utf-8")


_CSS = """h1[style] { border-color: #276890 !important }
@media (min-width: 601px) {
  td.col-content, td.col-told, td.col-prompt, td.col-other_content { min-width: 15em } td.col-why { min-width: 9em }
}
@media (max-width: 600px) {
  form.sql label { width: 100% } form.sql input { width: 100%; box-sizing: border-box }
  .table-wrapper, .content, h1, p { overflow-wrap: anywhere } table.rows-and-columns td { overflow-wrap: anywhere }
  .CodeMirror, textarea { max-width: 100% }
}
"""

# -- links and the menu --------------------------------------------------------------------------


@hookimpl
def prepare_jinja2_environment(env: Any) -> None:
    """`{{ ref | linked(text) }}` in templates: the way to a memory, message, run or act; else the text."""
    env.filters["linked"] = lambda value, text="": linked(value, "", text) or text or value


@hookimpl
def render_cell(value: Any, column: str) -> Any:
    """A cell that names a memory, message, turn, run or act leads to it; an instant can be read."""
    return linked(value, column)


def linked(value: Any, column: str, text: str = "") -> Any:
    """A link or a readable instant for what a cell holds, told as `text`; None where it is plain."""
    if isinstance(value, int) and column.endswith("_at") and 10**11 < value < 10**14:
        shown = datetime.fromtimestamp(value / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        return markupsafe.Markup(f'<span title="{value} ms">{shown}</span>')
    if not isinstance(value, str):
        return None
    if column == "turn":
        return _link("/-/look/turn/" + quote(value, safe=""), text or value)
    match = _REF.fullmatch(value)
    if match is None:
        return None
    memory, message, run, _ = match.groups()
    if memory:
        return _link(f"/-/look/memory/{memory}", text or value)
    if message:
        return _link(f"/memory/message/{message}", text or value)
    table, name = ("night_change", "run") if run else ("change", "act")
    return _link(f"/memory/{table}?{name}={value}", text or value)


def _link(path: str, text: str) -> markupsafe.Markup:
    return markupsafe.Markup('<a href="{}">{}</a>').format(path, text)


@hookimpl
def menu_links() -> list[dict[str, str]]:
    """The menu of every page."""
    return [
        {"href": "/-/look", "label": "At a glance"},
        {"href": "/-/look/preview", "label": "What would be injected for …"},
        {"href": "/memory", "label": "Tables and questions"},
    ]
