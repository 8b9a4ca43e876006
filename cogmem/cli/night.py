"""Commands of the night: run what is due, and have the machine do so by itself."""

from __future__ import annotations

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, Group, call
from cogmem.cli.fleet import fleet
from cogmem.cli.instants import Instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from cogmem.night.jobs import JobReport, Night
    from cogmem.store.history import RowChange

WIDTH = 60  # characters of a value that a dry run shows


@click.command(cls=Command)
@click.option("--dry-run", is_flag=True, help="List every row that would change, and change none.")
@click.option("--job", metavar="NAME", help="Run one job only, such as archive.")
@click.option(
    "--force", is_flag=True, help="Run again within the period, even if the clock looks wrong."
)
@click.option(
    "--all", "hear_all", is_flag=True, help="Hear all talk that waits, not only a night's share."
)
@click.option("--now", type=Instant(), help="The instant to work at; default: now.")
@click.pass_context
def nightly(
    ctx: click.Context,
    dry_run: bool,
    job: str | None,
    force: bool,
    hear_all: bool,
    now: datetime | None,
) -> None:
    """Run the jobs that are due: fade, merge, promote, archive, back up.

    Exit code 1 if a limit or the clock stopped a job, or one failed. JSON: {at, due_at, is_dry_run,
    notices, jobs: [{job, period, run, outcome, changed, archived, merged, promoted, note,
    seconds, changes}]}.
    """
    it = ctx.ensure_object(Call)
    with it.open() as mem, show.progress("working", "steps") as tell:
        night = mem.nightly(
            dry_run=dry_run,
            job=job,
            force=force,
            hear_all=hear_all,
            now=now,
            progress=lambda name, *far: tell(*far, name),
        )
    it.say(night.as_dict(), lambda: _tell(night))
    ctx.exit(0 if night.is_sound else 1)


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


nightly.parts = {"schedule": schedule, "fleet": fleet}

COMMANDS = {"nightly": nightly}
