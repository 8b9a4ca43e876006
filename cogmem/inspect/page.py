"""What all pages share: reading with a time limit, rendering, and how instants, references and marks are shown."""

# Types are checked also where Datasette is missing, and all of it is Any then.
# mypy: disable-error-code="import-not-found,import-untyped,misc,unused-ignore"

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import time
from datetime import UTC, datetime
from urllib.parse import quote, urlencode

import markupsafe
from datasette.utils import sqlite_timelimit
from datasette.utils.asgi import Response
from jinja2 import Environment, FileSystemLoader

from cogmem.file import sql
from cogmem.inspect import plot
from cogmem.text.lines import line_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.memory import Memory

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENT = 30_000  # ms that what the script asks for after the page may take
QUICK = 80  # ms that a page waits for what it can do without, or the script can ask for once more
FRESH = 60  # seconds for which what is counted over the whole file may be shown again
ENDLESS = 1 << 62
_REF = re.compile(r"(mem_[0-9a-f]{16})|msg_([0-9]+)|(run_[0-9a-f]{16})|(act_[0-9a-f]{16})")
_REDACTED = re.compile(r"\[redacted: [^\]\n]{1,80}\]|\[forgotten\]")


class TooLong(Exception):
    """A statement took longer than the page can wait for it."""


class Desk:
    """The file that is looked at, and whether and how it may be written."""

    def __init__(self, path: str, token: str, *, is_read_only: bool) -> None:
        self.path = path
        self.token = token  # what a form of ours carries, and a form of another page cannot
        self.is_read_only = is_read_only
        self.held: list[dict[str, Any]] = []  # how much is held, by state and kind, as counted last
        self.counted_at = float(-FRESH)
        self.is_quick = True  # such a count takes no time worth sparing
        self.counting: asyncio.Task[None] | None = None

    def opened(
        self, *, writes: bool = False, user: str = "", project: str = "", everywhere: bool = True
    ) -> Memory:
        """Return the memory, through the library. The driver is the SQLite that Datasette uses too: two of them
        on one file in one process would undo each other's locks."""
        from cogmem.memory import Memory

        whose: dict[str, Any] = {"user": user, "project": project, "actor": "inspect"}
        memory = Memory(self.path, driver="sqlite3", read_only=not writes, **whose)
        if everywhere:
            memory.scope = memory.scope.replacing(everywhere=True)
        return memory


async def rows(
    datasette: Any, name: str, params: dict[str, Any] | None = None, *, ms: int = PATIENT
) -> list[dict[str, Any]]:
    """Return the rows of a named statement; TooLong if it takes more than `ms`."""
    statement = sql.statement(name)

    def read(connection: Any) -> list[dict[str, Any]]:
        try:
            with sqlite_timelimit(connection, ms):
                cursor = connection.execute(statement, params or {})
                names = [column[0] for column in cursor.description]
                found = [dict(zip(names, row, strict=True)) for row in cursor]
        except sqlite3.OperationalError as error:
            if "interrupted" in str(error):
                raise TooLong(name) from None
            raise
        return [{**row, "line": line_of(row)} for row in found] if "ending" in names else found

    answer: list[dict[str, Any]] = await datasette.get_database("memory").execute_fn(read)
    return answer


async def held(datasette: Any) -> list[dict[str, Any]]:
    """Return how much is held, by state and kind; a count that takes too long goes on by itself, and the next page
    has it."""
    desk: Desk = datasette.desk

    async def count() -> None:
        desk.held = await rows(datasette, "inspect.held")
        desk.counted_at = time.monotonic()

    is_due = not desk.held or desk.is_quick or time.monotonic() - desk.counted_at > FRESH
    if desk.counting is None and is_due:
        desk.counting = asyncio.create_task(count())
    if desk.counting is not None:
        began = time.monotonic()
        done, _ = await asyncio.wait({desk.counting}, timeout=QUICK / 1000)
        if done:
            desk.is_quick = time.monotonic() - began < QUICK / 4000
            desk.counting.result()
            desk.counting = None
    return desk.held


def page(datasette: Any, name: str, *, status: int = 200, **values: Any) -> Response:
    """Return a page, or the part of one that the script asks for."""
    desk: Desk | None = getattr(datasette, "desk", None)
    file = os.path.basename(desk.path) if desk else ""
    body = _pages.get_template(f"{name}.html").render(desk=desk, file=file, **values)
    return Response.html(body, status=status)


def word(request: Any, name: str) -> str:
    """Return one word of the address, or ''."""
    return str(request.args.get(name) or "").strip()


def number(request: Any, name: str, default: int = ENDLESS) -> int:
    """Return one number of the address."""
    given = word(request, name)
    return int(given) if given.isdecimal() and len(given) < 19 else default


def said(request: Any) -> dict[str, Any]:
    """Return what an act that led here has to tell, and the act that an undo takes back."""
    told = {name: word(request, name) for name in ("told", "fault", "undo")}
    return {**told, "address": request.path}


def owner_of(request: Any) -> dict[str, str]:
    """Return the user and the project that a page is narrowed to; '' is all of them."""
    return {name: word(request, name) for name in ("user", "project")}


async def narrowed(datasette: Any, request: Any, name: str, **values: Any) -> Response:
    """Return a page that offers users and projects to narrow it by; none where telling them takes too long."""
    try:
        owners = await rows(datasette, "inspect.owners", ms=QUICK)
    except TooLong:
        owners = []
    return page(datasette, name, owner=owner_of(request), owners=owners, **values)


def link(path: str, **words: Any) -> str:
    """Return an address with what is not empty of these."""
    kept = {name: value for name, value in words.items() if value not in ("", None)}
    return path + ("?" + urlencode(kept) if kept else "")


# -- how things are shown ------------------------------------------------------------------------


def when(value: Any) -> Any:
    """Return an instant in ms as UTC; the script shows it in the reader's own zone."""
    if not isinstance(value, int):
        return ""
    try:
        at = datetime.fromtimestamp(value / 1000, UTC)
    except (ValueError, OverflowError, OSError):  # a file may hold any number
        return str(value)
    return markupsafe.Markup('<time datetime="{}">{}</time>').format(
        at.strftime("%Y-%m-%dT%H:%M:%SZ"), at.strftime("%Y-%m-%d %H:%M")
    )


def linked(value: Any, column: str = "", text: str = "") -> Any:
    """Return a link or a readable instant for what a cell holds, told as `text`; None where it is plain."""
    if isinstance(value, int) and column.endswith("_at") and 10**11 < value < 10**14:
        shown = datetime.fromtimestamp(value / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        return markupsafe.Markup('<span title="{} ms">{}</span>').format(value, shown)
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


def marked(text: Any) -> markupsafe.Markup:
    """Return a text with what the guard took out of it marked."""
    escaped = str(markupsafe.escape(str(text or "")))  # a mark holds nothing that is escaped
    return markupsafe.Markup(_REDACTED.sub(r'<mark class="redacted">\g<0></mark>', escaped))


def figure(value: Any) -> str:
    """Return a number as people read it: thousands apart, no more digits than mean something."""
    if value is None:
        return "–"
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.2f}" if abs(value) < 10 else f"{value:,.0f}".replace(",", "\u202f")
    return f"{int(value):,}".replace(",", "\u202f")


def counted(value: Any, one: str, more: str = "") -> str:
    """`1 turn`, `2 turns`."""
    return f"{figure(value or 0)} {one if value == 1 else more or one + 's'}"


def short(text: Any, most: int = 160) -> str:
    """Return the beginning of a text on one line."""
    said = " ".join(str(text or "").split())
    return said if len(said) <= most else said[: most - 1].rstrip() + "…"


_folder = FileSystemLoader(os.path.join(HERE, "templates"))
_pages = Environment(loader=_folder, autoescape=True, trim_blocks=True, lstrip_blocks=True)
_pages.filters.update(
    when=when,
    marked=marked,
    figure=figure,
    short=short,
    linked=lambda value, text="": linked(value, "", text) or text or value,
    cell=lambda value, column: linked(value, column) or value,
)
_style = markupsafe.Markup(plot.style())
_pages.globals.update(counted=counted, link=link, plot_style=_style)
