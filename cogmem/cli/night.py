"""Commands of the night, of one memory or of many: run what is due, and have the machine do so by itself."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, Group, call, options
from cogmem.cli.call import now as clock
from cogmem.cli.instants import Instant
from cogmem.cli.method import takes
from cogmem.memory import Memory
from cogmem.text.lines import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.fleet.fleet import Done, Pool
    from cogmem.night.jobs import JobReport, Night
    from cogmem.store.history import RowChange


WIDTH = 60  # characters of a value that a dry run shows


@click.command(cls=Command)
@takes(Memory.nightly, "dry_run job force hear_all now")
@call
def nightly(it: Call, /, **given: Any) -> None:
    """Run the jobs that are due: fade, merge, promote, archive, back up.

    Exit code 1 if a limit or the clock stopped a job, or one failed. JSON: {at, due_at, is_dry_run,
    notices, jobs: [{job, period, run, outcome, changed, archived, merged, promoted, note,
    seconds, changes}]}.
    """
    with it.open() as mem, show.progress("working", "steps") as tell:
        night = mem.nightly(**given, progress=lambda name, *far: tell(*far, name))
    it.say(night, lambda: _tell(night), code=0 if night.is_sound else 1)


def _tell(night: Night) -> None:
    for notice in night.notices:
        click.echo(f"cogmem: {notice}")
    for report in night.jobs:
        click.echo(f"{report.job:<15} {report.outcome:<8} {_figures(report)}".rstrip())
        for change in report.changes or ():
            click.echo(f"  {change.uid or '':<20} {change.record:<9} {_change(change)}".rstrip())
    if night.is_dry_run:
        click.echo("Nothing was changed: this was a dry run.")


def _figures(report: JobReport) -> str:
    counts = {"archived": report.archived, "merged": report.merged, "promoted": report.promoted}
    words = [f"{count:,} {name}" for name, count in counts.items() if count]
    if report.changed and not words:
        words.append(f"{report.changed:,} changed")
    if report.note:
        words.append(report.note)
    if report.run and report.changed and report.changes is None:
        words.append(f"cogmem log diff {report.run} --everywhere")
    return "; ".join(words)


def _change(change: RowChange) -> str:
    """Return one row of a dry run: what a new row says, or which columns turn into what."""
    before, after = change.before or {}, change.after or {}
    if change.action != "update":
        row = after or before
        return f"{change.action} {show.clipped(row.get('content') or row.get('relation') or '', WIDTH)}"
    return ", ".join(
        f"{name}: {show.clipped(before[name], WIDTH)} → {show.clipped(value, WIDTH)}"
        for name, value in after.items()
        if name not in ("updated_at", "archived_at")
    )


@click.group(cls=Group)
def schedule() -> None:
    """Let this machine run the night on its own."""


@schedule.command()
@click.option("--at", default="03:17", show_default=True, metavar="HH:MM", help="Local time.")
@click.option(
    "--with", "way", type=click.Choice(("systemd", "cron")), help="Default: what this machine has."
)
@click.option("--yes", is_flag=True, help="Do it; without this, only show it.")
@call
def install(it: Call, /, yes: bool, **given: Any) -> None:
    """Show what would be written, and write it with --yes.

    JSON: {path, way, name, line, files, commands, installed}.
    """
    from cogmem.night import schedule as schedules

    it.demand()
    made = schedules.plan(it.path, **given)
    if yes:
        schedules.install(made)
    done = "Installed." if yes else "Nothing was written: --yes does it."
    it.say({**made.as_dict(), "installed": yes}, f"{made.told()}{done}")


@schedule.command()
@click.option("--yes", is_flag=True, help="Do it; without this, only show it.")
@call
def remove(it: Call, yes: bool) -> None:
    """Show this memory's entry, and take it away with --yes.

    JSON: {path, scheduled, removed}.
    """
    from cogmem.night import schedule as schedules

    there = schedules.status(it.path)
    gone = schedules.remove(it.path) if yes and there else []
    done = "Removed." if yes else "Nothing was removed: --yes does it."
    it.say(
        {"path": it.path, "scheduled": there, "removed": gone},
        f"{_entries(there)}\n{done}" if there else _none(it),
    )


@schedule.command()
@call
def status(it: Call) -> None:
    """Say whether this memory's nights are scheduled.

    JSON: {path, scheduled}.
    """
    from cogmem.night import schedule as schedules

    there = schedules.status(it.path)
    it.say({"path": it.path, "scheduled": there}, _entries(there) if there else _none(it))


def _entries(there: dict[str, str]) -> str:
    return "\n".join(f"{way}: {said}" for way, said in there.items())


def _none(it: Call) -> str:
    return f"No night is scheduled for {it.path}: `cogmem nightly schedule install` shows how."


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
    call,
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
    fleet.command(_name, help=_help)(
        _over_files(lambda it, work=_work, **given: _do(it, work, **given))
    )


@fleet.command("forget")
@click.argument("owner", metavar="USER")
@_over_files
def fleet_forget(it: Call, /, owner: str, **given: Any) -> None:
    """Forget all that belongs to USER in every file and its copies, with a receipt for each.

    A file that a pool made for USER goes whole. What is for everyone and what belongs to others stays. It cannot be
    undone; --dry-run says how many files would be looked at.

    JSON: as of `fleet nightly`, with receipts: [{path, memories, messages, removed, wiped, left, elsewhere}], or
    {path, files} for a file that went whole.
    """
    _do(it, "forget", owner, **given)


def _do(
    it: Call,
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

    files = fleets.found(where)
    place = due_list or fleets.place_of_list(where)
    at = clock() if now is None else int(now.astimezone(UTC).timestamp() * 1000)
    what = fleets.Work(name, at, user)
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
    it.say(done.as_dict(), lambda: _tell_fleet(done, name), code=1 if done.failed else 0)


@fleet.command("status")
@click.argument("where", metavar="DIR|LIST")
@_list
@call
def fleet_status(it: Call, where: str, due_list: str | None) -> None:
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
    memories = counted(receipt["memories"], "memory", "memories")
    messages = counted(receipt["messages"], "message")
    told = f"forgot {memories} and {messages}, {counted(len(receipt['wiped']), 'copy', 'copies')} wiped"
    for where in (*receipt["left"], *receipt["elsewhere"]):
        told += f"; may still hold some: {where}"
    return told


def _tell_fleet(done: Done, name: str) -> None:
    due = f"{counted(done.files, 'file')}, {counted(done.due, 'was', 'were')} due"
    click.echo(
        f"{due}: {done.done:,} {_DID[name]} in {done.seconds:,.1f} s,"
        f" {counted(done.changed, 'row')} changed, {done.cpu_ms:.0f} ms of CPU a file"
    )
    for one in done.receipts[:LISTED]:
        click.echo(f"{one['path']}: {_said(one)}")
    if len(done.receipts) > LISTED:
        click.echo(f"… and {len(done.receipts) - LISTED:,} more: --json has all receipts")
    for count, it, they in (
        (done.already, "was done already", "were done already"), (done.gone, "is gone", "are gone"),
        (done.not_memories, "is no memory", "are no memories"), (done.left, "is due still", "are due still"),
    ):  # fmt: skip
        if count:
            click.echo(counted(count, it, they))
    for one in done.failed[:LISTED]:
        click.echo(f"{one['path']}: {one['problem']}")
    if len(done.failed) > LISTED:
        click.echo(f"… and {len(done.failed) - LISTED:,} more: --json lists them")


nightly.parts = {"schedule": schedule, "fleet": fleet}
