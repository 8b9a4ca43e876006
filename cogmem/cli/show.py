"""Tables and progress for people: with rich on a terminal, plain text anywhere else."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import contextmanager
from datetime import datetime, timedelta

import click

from cogmem.cli.call import is_terminal, one_line
from cogmem.records import instant, milliseconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from rich.console import Console

    from cogmem.cli.call import Call

    Columns = Mapping[str, str | Callable[[Any], Any]]  # heading → field

FOLDED = 16  # what a column that may give way takes at most of a line


def table(rows: Iterable[Any], columns: Columns, **how: Any) -> None:
    """Print rows below their headings, each with the field that stands there, or what a function makes of a row."""
    cells = [[_field(row, one) for one in columns.values()] for row in rows]
    grid([*columns], cells, **how)


def rows(
    it: Call,
    found: Sequence[Any],
    columns: Columns,
    *,
    notes: Sequence[str] = (),
    code: int = 0,
    **how: Any,
) -> None:
    """Answer with rows: for people as a table."""
    it.say(found, lambda: table(found, columns, **how), notes=notes, code=code)


def grid(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    none: str = "nothing",
    spare: Sequence[str] = (),
    is_paged: bool = False,
) -> None:
    """Print cells below their headings; the last column takes the room that is left.

    A narrow terminal gets as many of the `spare` columns as leave half of it to the last one: those
    that differ from row to row come first, then the order tells; a spare column that is empty in
    every row is left out. A spare column stays on one line and is cut with "…", unless there is room
    for all of it. What is too wide even so is shown as a line for each value. `is_paged`: more than a
    screen goes through the person's pager.
    """
    cells = [[_cell(value) for value in row] for row in rows]
    if not cells:
        click.echo(none)
        return
    filled = [
        at for at, name in enumerate(columns) if name not in spare or any(row[at] for row in cells)
    ]
    columns = [columns[position] for position in filled]
    spare = [name for name in spare if name in columns]
    cells = [[row[position] for position in filled] for row in cells]
    if not is_terminal():
        lines = [columns, *cells]
        widths = [max(len(row[i]) for row in lines) for i in range(len(columns))]
        for row in lines:
            padded = [word.ljust(width) for word, width in zip(row, widths, strict=True)]
            click.echo("  ".join(padded).rstrip())
        return
    from rich.console import Console

    console = Console()
    if is_paged and len(cells) > console.height and sys.stdin.isatty():
        os.environ.setdefault("LESS", "-FRX")  # as git has it: colours stay, and so does the text
        with console.pager(styles=True):
            _grid(console, columns, cells, spare)
    else:
        _grid(console, columns, cells, spare)


def _grid(
    console: Console, columns: Sequence[str], cells: list[list[str]], spare: Sequence[str]
) -> None:
    """Print the table as wide as the terminal allows."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    whole = [max(cell_len(row[i]) for row in [columns, *cells]) for i in range(len(columns))]
    giving_way = [columns.index(name) for name in spare]
    widths = [min(width, FOLDED) if i in giving_way else width for i, width in enumerate(whole)]
    kept = [position for position in range(len(columns)) if position not in giving_way]

    def room(share: int, *more: int) -> bool:
        """Tell whether the last column has this share of the width, or all that it can use."""
        left = console.width - sum(widths[i] + 2 for i in (*kept[:-1], *more))
        return left >= min(widths[-1], console.width // share)

    for position in sorted(giving_way, key=lambda i: len({row[i] for row in cells}) == 1):
        if room(2, position):
            kept = sorted([*kept, position])
    if not room(4):
        for number, row in enumerate(cells):
            if number:
                console.print()
            for name, word in zip(columns, row, strict=True):
                if word:
                    console.print(Text.assemble((f"{name}: ", "bold"), word), overflow="fold")
        return
    for position in giving_way:  # what the last column does not need
        if position in kept:
            left = console.width - sum(widths[i] + 2 for i in kept[:-1]) - widths[-1]
            widths[position] = min(whole[position], widths[position] + max(0, left))
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for position in kept:
        last = position == kept[-1]
        is_spare = position in giving_way
        grid.add_column(
            columns[position],
            width=None if last else widths[position],
            overflow="ellipsis" if is_spare else "fold",
            no_wrap=is_spare,
        )
    for row in cells:
        grid.add_row(*(Text(row[position]) for position in kept))
    console.print(grid)


def pairs(rows: Iterable[tuple[str, Any]]) -> None:
    """Print names and values, one pair to a line."""
    said = [(name, _cell(value)) for name, value in rows if value not in (None, "", [], {})]
    width = max((len(name) for name, _ in said), default=0)
    for name, value in said:
        click.echo(f"{name.ljust(width)}  {value}")


def _field(row: Any, which: str | Callable[[Any], Any]) -> Any:
    if not isinstance(which, str):
        return which(row)
    value = row[which] if isinstance(row, dict) else getattr(row, which)
    return when(value) if which == "at" or which.endswith("_at") else value


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, (list, tuple)):
        return one_line(" ".join(str(part) for part in value))
    if isinstance(value, bytes):
        return f"x'{value[:16].hex()}{'…' if len(value) > 16 else ''}'"
    return one_line(str(value))


def when(at: datetime | str | int | None) -> str:
    """Return an instant in UTC, to the minute."""
    if at is None:
        return ""
    said = (
        at if isinstance(at, datetime) else instant(at if isinstance(at, int) else milliseconds(at))
    )
    return str(said.strftime("%Y-%m-%d %H:%M"))


def clipped(value: Any, most: int = 500) -> str:
    """Return a value for one cell of a table; `get` shows it whole."""
    text = told(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def told(value: Any) -> str:
    """Return a value of a row on one line: what is not a text as JSON."""
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def size(count: int) -> str:
    """Bytes as people say them."""
    number = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000 or unit == "GB":
            break
        number /= 1000
    return f"{number:.3g} {unit}" if unit != "B" else f"{count} B"


@contextmanager
def progress(doing: str, unit: str = "lines") -> Iterator[Callable[..., None]]:
    """Show a count on standard error while long work runs, if a person looks at it.

    Called with how much is done, of how much where that is known (then it tells the time left), and what is at work.
    """
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing)
        began = time.monotonic()

        def tell(done: int, total: int = 0, doing: str = doing) -> None:
            rate = done / max(time.monotonic() - began, 0.001)
            said = f"{doing}: {done:,} {unit}, {rate:,.0f}/s"
            if total:
                left = timedelta(seconds=round((total - done) / max(rate, 0.001)))
                said = f"{doing}: {done:,} of {total:,} {unit}, {rate:,.0f}/s, {left} left"
            bar.update(task, description=said)

        yield tell
