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

FOLDED = 16  # what a column that may give way takes at most of a line


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    none: str = "nothing",
    spare: Sequence[str] = (),
) -> None:
    """Rows below their headings; the last column takes the room that is left.

    A narrow terminal gets as many of the `spare` columns as leave half of it to the last one: those
    that differ from row to row come first, then the order tells. What is too wide even so is shown
    as a line for each value.
    """
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
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    widths = [max(cell_len(row[i]) for row in [columns, *cells]) for i in range(len(columns))]
    giving_way = [columns.index(name) for name in spare]
    for position in giving_way:
        widths[position] = min(widths[position], FOLDED)
    kept = [position for position in range(len(columns)) if position not in giving_way]

    def room(share: int, *more: int) -> bool:
        """Whether the last column has this share of the width, or all that it can use."""
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
                console.print(Text.assemble((f"{name}: ", "bold"), word), overflow="fold")
        return
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for position in kept:
        last = position == kept[-1]
        grid.add_column(
            columns[position], width=None if last else widths[position], overflow="fold"
        )
    for row in cells:
        grid.add_row(*(Text(row[position]) for position in kept))
    console.print(grid)


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


def counted(number: int, one: str, many: str) -> str:
    """A number with its word: 1 memory, 2 memories."""
    return f"{number} {one if number == 1 else many}"


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
