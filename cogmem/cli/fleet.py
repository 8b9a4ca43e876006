"""Commands for the nights of many memories."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from datetime import UTC

import click

from cogmem.cli.call import Call, Command, Group, call
from cogmem.cli.call import now as clock
from cogmem.cli.instants import Instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from cogmem.fleet.fleet import Done, Pool

LISTED = 20  # failures that a person gets to see; --json has more


@click.group(cls=Group)
def fleet() -> None:
    """Run the nights of many memories, such as one file for each user."""


_list = click.option(
    "--due-list",
    metavar="FILE",
    help="The file that keeps what is due when. Default: .cogmem-fleet.db in the folder, or LIST.due.db.",
)


@fleet.command(cls=Command)
@click.argument("where", metavar="DIR|LIST")
@_list
@click.option("--scheduler", metavar="ADDRESS", help="Work on this dask cluster.")
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="Processes of this machine. Default: one for each core.",
)
@click.option("--most", type=click.IntRange(1), help="The most nights to run; the rest waits.")
@click.option("--dry-run", is_flag=True, help="Say how many files are due, and open none.")
@click.option("--now", type=Instant(), help="The instant to work at; default: now.")
@click.pass_context
def nightly(
    ctx: click.Context,
    where: str,
    due_list: str | None,
    scheduler: str | None,
    workers: int | None,
    most: int | None,
    dry_run: bool,
    now: datetime | None,
) -> None:
    """Run the night of every file that is due; the others are not opened.

    DIR is a folder whose *.db files are the memories, at any depth; LIST is a text file with one
    path a line. If it is killed, the next call resumes.

    Exit code 1 if a night failed. JSON: {files, due, nights, already, changed, gone, not_memories, failed: [{path,
    problem}], seconds, cpu_ms, left}. With --dry-run: {files, due, taken, failing}.
    """
    from cogmem.fleet import fleet as fleets
    from cogmem.fleet.due_list import DueList

    it = ctx.ensure_object(Call)
    files = fleets.found(where)
    place = due_list or fleets.place_of_list(where)
    at = clock() if now is None else int(now.astimezone(UTC).timestamp() * 1000)
    due = DueList(place if not dry_run or os.path.exists(place) else ":memory:")
    try:
        if dry_run:
            copy = due.rehearse()
            copy.look(files)
            counts = copy.counts(now=at, clock=clock())
            it.say(counts, f"{counts['due']:,} of {counts['files']:,} files are due.")
            return
        pool = _pool(scheduler, workers)
        with _progress() as progress:
            done = fleets.nightly(
                due, files, pool, now=at, clock=clock, most=most, progress=progress
            )
    finally:
        due.close()
    it.say(done.as_dict(), lambda: _tell(done))
    ctx.exit(1 if done.failed else 0)


@fleet.command()
@click.argument("where", metavar="DIR|LIST")
@_list
@call
def status(it: Call, where: str, due_list: str | None) -> None:
    """Show how many files are known, due and in progress, and which failed last time.

    JSON: {files, due, taken, failing, failures: [{path, problem, failures}]}.
    """
    from cogmem.errors import InvalidInput
    from cogmem.fleet import fleet as fleets
    from cogmem.fleet.due_list import DueList

    place = due_list or fleets.place_of_list(where)
    if not os.path.exists(place):
        raise InvalidInput(
            f"there is no due list at {place}: `cogmem nightly fleet nightly {where}` makes it"
        )
    due = DueList(place)
    try:
        at = clock()
        counts, failures = due.counts(now=at, clock=at), due.failing(fleets.TOLD)
    finally:
        due.close()
    lines = [
        f"{counts['files']:,} files, {counts['due']:,} due, {counts['taken']:,} at work,"
        f" {counts['failing']:,} failing"
    ]
    lines += [f"{one['path']}: {one['problem']}" for one in failures[:LISTED]]
    it.say({**counts, "failures": failures}, "\n".join(lines))


def _pool(scheduler: str | None, workers: int | None) -> Pool:
    if scheduler is not None:
        from cogmem.fleet.cluster import Cluster

        return Cluster(scheduler)
    from cogmem.fleet.workers import Workers

    return Workers(workers or os.cpu_count() or 1)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Tell how far it is, on standard error, if a person looks at it."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _tell(done: Done) -> None:
    click.echo(
        f"{done.files:,} files, {done.due:,} were due: {done.nights:,} nights in {done.seconds:,.1f} s,"
        f" {done.changed:,} rows changed, {done.cpu_ms:.0f} ms of CPU a file"
    )
    others = {
        "were done already": done.already,
        "are gone": done.gone,
        "are not memories": done.not_memories,
        "are due still": done.left,
    }
    for what, count in others.items():
        if count:
            click.echo(f"{count:,} {what}")
    for one in done.failed[:LISTED]:
        click.echo(f"{one['path']}: {one['problem']}")
    if len(done.failed) > LISTED:
        click.echo(f"… and {len(done.failed) - LISTED:,} more: --json lists them")
