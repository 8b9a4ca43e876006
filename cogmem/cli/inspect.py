"""Commands that show the memory as pictures and in a browser."""

from __future__ import annotations

import os
import sys

import click

from cogmem.cli.call import Call, Command, call
from cogmem.errors import InvalidInput, install_command
from cogmem.file.places import beside
from cogmem.inspect import plot as pictures

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@click.command(cls=Command)
@click.option("--port", type=click.IntRange(1, 65535), help="Default: 8001, or a free one.")
@click.option(
    "--open/--no-open", "is_open", default=None, help="Open a browser; default: on a desktop only."
)
@click.option(
    "--read-only", "is_read_only", is_flag=True, help="Only look: no page can change anything."
)
@call
def inspect(it: Call, port: int | None, is_open: bool | None, is_read_only: bool) -> None:
    """Show the memory in a browser, until Ctrl-C.

    It shows what happens now, memories, turns, sessions, nights and what waits for a decision;
    Datasette beside it has tables and SQL. It listens on this machine only, behind a key that
    changes with every start. It needs the extra: pip install 'cogmem-sqlite[inspect]'.

    JSON: url, path.
    """
    from importlib.util import find_spec

    if find_spec("datasette") is None:
        raise InvalidInput(f"`cogmem inspect` needs an extra: {install_command('inspect')}")
    it.demand()
    # Opening brings the views up to date. It is closed before Datasette begins, in this process's
    # place: two SQLite libraries on one file in one process would undo each other's locks.
    with it.open(read_only=not os.access(beside(it.path), os.W_OK)):
        pass
    if is_open is None:
        has_screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
        is_open = sys.stdout.isatty() and (has_screen or sys.platform == "darwin")
    words = [sys.executable, "-P", "-m", "cogmem.inspect", beside(it.path)]
    words += ["--port", str(port)] if port else []
    words += ["--open"] if is_open else []
    words += ["--read-only"] if is_read_only else []
    words += ["--json"] if it.json else []
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, words)


@click.command(cls=Command)
@click.argument("picture", type=click.Choice(list(pictures.PICTURES)))
@click.option("--out", metavar="FILE", help="Write it there; default: to standard output.")
@click.option(
    "--theme", type=click.Choice(pictures.THEMES), default="auto", help="Default: the screen's own."
)
@click.option("--last", type=click.IntRange(1), default=40, help="Turns or nights. Default: 40.")
@call
def plot(it: Call, /, picture: str, out: str | None, **given: Any) -> None:
    """Draw PICTURE as SVG.

    \b
    growth     memories over time
    kinds      how many there are of each kind
    budget     what the latest turns spent their tokens on
    share      how much of them a prompt cache keeps
    retrieval  what would fit into a smaller or larger budget
    decay      how unused memories fade
    nights     what the latest nights did

    JSON: picture, rows, and svg or file.
    """
    with it.open(read_only=True) as mem:
        svg, rows = mem.file.drawn(picture, **given)
    if out is not None:
        with open(out, "w", encoding="utf-8") as file:
            file.write(svg)
        it.say({"picture": picture, "rows": rows, "file": out}, f"{out}: {picture}")
        return
    if sys.stdout.isatty() and not it.json:
        raise InvalidInput("a terminal cannot show a picture: name a file with --out")
    it.say({"picture": picture, "rows": rows, "svg": svg}, svg.rstrip("\n"))


COMMANDS = {"inspect": inspect}
