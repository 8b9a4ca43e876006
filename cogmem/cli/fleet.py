"""Commands for many memories: their nights, copies, checks, and forgetting in all of them."""

from __future__ import annotations

import os
from datetime import UTC

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, Group, call, options
from cogmem.cli.call import now as clock
from cogmem.cli.instants import Instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from cogmem.fleet.fleet import Done, Pool

LISTED = 20  # failures that a person gets to see; --json has more


@click.group(cls=Group)
def fleet() -> None:
    """Work on many memories, such as one file for each user: nights, copies, checks, forgetting.

    DIR is a folder whose *.db files are the memories, at any depth; LIST is a text file with one path a line.
    Exit code 1 if something failed.
    """


_list = click.option(
    "--due-list",
    metavar="FILE",
    help="The file that keeps what is due when. Default: .cogmem-fleet.db in the folder, or LIST.due.db.",
)
_over_files = options(
    click.argument("where", metavar="DIR|LIST"),
    _list,
    click.option("--scheduler", metavar="ADDRESS", help="Work on this dask cluster."),
    click.option(
        "--workers",
        type=click.IntRange(1, 256),
        help="Processes of this machine. Default: one for each core.",
    ),
    click.option("--most", type=click.IntRange(1), help="The most files; the rest waits."),
    click.option("--dry-run", is_flag=True, help="Say how many files are due, and open none."),
    click.option("--now", type=Instant(), help="The instant to work at; default: now."),
    click.pass_context,
)


_NIGHTLY = """Run the night of every file that is due; the others are not opened.

JSON: {files, due, done, already, changed, receipts, gone, not_memories, failed: [{path, problem}], seconds,
cpu_ms, left}. With --dry-run: {files, due, taken, failing}.
"""
_BACKUP = "Make a verified copy of every file, where its nights put theirs."
_MIGRATE = "Bring every file to this version of cogmem, so that nobody has to wait for it."
for _name, _work, _help in (
    ("nightly", "night", _NIGHTLY),
    ("backup", "backup", _BACKUP),
    ("check", "check", "Verify every file."),
    ("migrate", "migrate", _MIGRATE),
):
    _help = _help if "JSON" in _help else f"{_help}\n\nJSON: as of `fleet nightly`."
    fleet.command(_name, cls=Command, help=_help)(
        _over_files(lambda ctx, work=_work, **given: _do(ctx, work, **given))
    )


@fleet.command(cls=Command)
@click.argument("owner", metavar="USER")
@_over_files
def forget(ctx: click.Context, owner: str, **given: Any) -> None:
    """Forget all that belongs to USER in every file and its copies, with a receipt for each.

    A file that a pool made for USER goes whole. What is for everyone and what belongs to others stays. It cannot be
    undone; --dry-run says how many files would be looked at.

    JSON: as of `fleet nightly`, with receipts: [{path, memories, messages, removed, wiped, left, elsewhere}], or
    {path, files} for a file that went whole.
    """
    _do(ctx, "forget", owner, **given)


def _do(
    ctx: click.Context,
    name: str,
    user: str = "",
    *,
    where: str,
    due_list: str | None,
    scheduler: str | None,
    workers: int | None,
    most: int | None,
    dry_run: bool,
    now: datetime | None,
) -> None:
    from cogmem.fleet import fleet as fleets
    from cogmem.fleet.due_list import DueList
    from cogmem.fleet.works import Work

    it = ctx.ensure_object(Call)
    files = fleets.found(where)
    place = due_list or fleets.place_of_list(where)
    at = clock() if now is None else int(now.astimezone(UTC).timestamp() * 1000)
    what = Work(name, at, user)
    due = DueList(place if not dry_run or os.path.exists(place) else ":memory:")
    try:
        if dry_run:
            copy = due.rehearse()
            copy.look(files, what.listed)
            counts = copy.counts(now=at, clock=clock(), work=what.listed)
            it.say(counts, f"{counts['due']:,} of {counts['files']:,} files are due.")
            return
        pool = _pool(scheduler, workers)
        with show.progress(name, "files") as progress:
            done = fleets.run(due, files, pool, what, clock=clock, most=most, progress=progress)
    finally:
        due.close()
    it.say(done.as_dict(), lambda: _tell(done, name))
    ctx.exit(1 if done.failed else 0)


@fleet.command()
@click.argument("where", metavar="DIR|LIST")
@_list
@call
def status(it: Call, where: str, due_list: str | None) -> None:
    """Show how many files are known, due and in progress, and which failed last time.

    JSON: {files, due, taken, failing, failures: [{path, work, problem, failures}]}.
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
        from cogmem.fleet.workers import Cluster

        return Cluster(scheduler)
    from cogmem.fleet.workers import Workers

    return Workers(workers or os.cpu_count() or 1)


_DID = {
    "night": "nights", "backup": "copied", "check": "sound", "migrate": "brought to this version",
    "forget": "held something",
}  # fmt: skip


def _said(receipt: dict[str, Any]) -> str:
    """Return a receipt in a line."""
    if "files" in receipt:
        return f"the file is gone, {len(receipt['files'])} files in all"
    told = f"forgot {receipt['memories']:,} memories and {receipt['messages']:,} messages"
    told += f", {len(receipt['wiped']):,} copies wiped"
    for where in (*receipt["left"], *receipt["elsewhere"]):
        told += f"; may still hold some: {where}"
    return told


def _tell(done: Done, name: str) -> None:
    click.echo(
        f"{done.files:,} files, {done.due:,} were due: {done.done:,} {_DID[name]} in {done.seconds:,.1f} s,"
        f" {done.changed:,} rows changed, {done.cpu_ms:.0f} ms of CPU a file"
    )
    for one in done.receipts[:LISTED]:
        click.echo(f"{one['path']}: {_said(one)}")
    if len(done.receipts) > LISTED:
        click.echo(f"… and {len(done.receipts) - LISTED:,} more: --json has all receipts")
    for count, what in (
        (done.already, "were done already"), (done.gone, "are gone"),
        (done.not_memories, "are not memories"), (done.left, "are due still"),
    ):  # fmt: skip
        if count:
            click.echo(f"{count:,} {what}")
    for one in done.failed[:LISTED]:
        click.echo(f"{one['path']}: {one['problem']}")
    if len(done.failed) > LISTED:
        click.echo(f"… and {len(done.failed) - LISTED:,} more: --json lists them")
