"""Tables and progress for people: with rich on a terminal, plain text anywhere else."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from datetime import UTC, datetime

import click

from cogmem.cli.call import is_terminal, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, none: str = "nothing") -> None:
    """Rows below their headings; the last column takes the room that is left."""
    cells = [[_cell(value) for value in row] for row in rows]
    if not cells:
        click.echo(none)
        return
    if not is_terminal():
        widths = [max(len(row[i]) for row in [list(columns), *cells]) for i in range(len(columns))]
        for row in [list(columns), *cells]:
            padded = [word.ljust(width) for word, width in zip(row, widths, strict=True)]
            click.echo("  ".join(padded).rstrip())
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False, header_style="bold")
    for position, column in enumerate(columns):
        last = position == len(columns) - 1
        grid.add_column(column, no_wrap=not last, overflow="fold" if last else "ellipsis")
    for row in cells:
        grid.add_row(*(Text(word) for word in row))
    Console().print(grid)


def pairs(rows: Iterable[tuple[str, Any]]) -> None:
    """Names and values, one pair to a line."""
    said = [(name, _cell(value)) for name, value in rows if value not in (None, "", [], {})]
    width = max((len(name) for name, _ in said), default=0)
    for name, value in said:
        click.echo(f"{name.ljust(width)}  {value}")


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


def when(at: int | None) -> str:
    """An instant in UTC, to the minute."""
    if at is None:
        return ""
    try:
        return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return f"{at} ms"


def size(count: int) -> str:
    """Bytes as people say them."""
    number = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000 or unit == "GB":
            break
        number /= 1000
    return f"{number:.3g} {unit}" if unit != "B" else f"{count} B"


@contextmanager
def progress(doing: str, unit: str = "lines") -> Iterator[Callable[[int], None]]:
    """A count on standard error while long work runs, if a person looks at it."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing)
        yield lambda done: bar.update(task, description=f"{doing}: {done:,} {unit}")
