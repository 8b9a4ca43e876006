"""Commands for the file itself: is it sound, and copies of it."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, Group, call, everywhere
from cogmem.cli.transfer import export, import_
from cogmem.errors import DatabaseProblem
from cogmem.file.places import beside, resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NOT_YET = "another process is reading, or a node of the cluster is away"
NO_NIGHT = "no night is scheduled: `cogmem nightly schedule install` has this machine run them"


@click.group(cls=Group)
def file() -> None:
    """The file itself: check and mend it, copy it, move memories in and out."""


@file.command()
@click.option(
    "--repair", is_flag=True, help="Mend what can be mended, say what it was, then verify the file."
)
@click.pass_context
def check(ctx: click.Context, repair: bool) -> None:
    """Verify the file.

    Exit code 1 if it is not sound. JSON: [sentence].
    """
    it = ctx.ensure_object(Call)
    it.demand()
    problems = _damage(it.path)
    if not problems:
        with it.open() as mem, show.progress("checking"):
            for line in mem.file.repair() if repair else []:
                click.echo(f"cogmem: {line}", err=True)
            problems = mem.file.check()
            for line in mem.file.foreign():
                click.echo(f"cogmem: {line}", err=True)
    it.say(problems, "\n".join(problems) or "sound")
    ctx.exit(1 if problems else 0)


def _damage(path: str) -> list[str]:
    """Return why a file cannot be opened as it is."""
    from cogmem.memory import Memory

    try:
        Memory(path, read_only=True).close()
    except DatabaseProblem as error:
        return [str(error)]
    return []


@click.command(cls=Command)
@click.option(
    "--set-aside", is_flag=True, help="Move a damaged file aside; a new memory can then begin."
)
@click.option(
    "--repair", is_flag=True, help="Mend the cells that are damaged, or empty them; the rest stays."
)
@click.option(
    "--accept",
    is_flag=True,
    help="Trust the file as it is now, whatever was noted about it before.",
)
@click.pass_context
def doctor(ctx: click.Context, set_aside: bool, repair: bool, accept: bool) -> None:
    """Report on the file, and on what is wrong with it.

    A damaged file stays where it is: move it aside with --set-aside, read what is left with `cogmem file salvage`, or
    bring back a backup with `cogmem file restore`.

    Exit code 1 if there is a problem. JSON: path, size, pages, free_pages, wal_size,
    journal_mode, driver, sqlite_version, wal_reset_fault, schema_version, known_schema_version,
    derived_version, disk_free, last_night_at, schedule, warnings, notices, problems, backups, blocks,
    cluster: {address, at, unsent, nodes: {node: at}} of a memory on a cluster.
    """
    from cogmem.exchange import copies
    from cogmem.night.schedule import status

    it = ctx.ensure_object(Call)
    if set_aside:
        _set_aside(it)
        return
    it.demand()
    if accept:
        copies.accept(beside(it.path))
    damage = _damage(it.path)
    if damage:
        size = os.path.getsize(it.path) if os.path.isfile(it.path) else 0
        report: dict[str, Any] = {"path": resolved(it.path), "size": size, "problems": damage}
        report |= {"warnings": [], "notices": [], "backups": copies.kept(it.path)}
    else:
        with it.open() as mem, show.progress("examining"):
            mended = mem.file.repair() if repair else []
            health = mem.file.doctor()
            report = {**health.as_dict(), "blocks": mem.turns.blocking()}
            if over := sum(one.is_beyond for one in mem.turns.always()):
                report["warnings"] = [*report["warnings"], _beyond(over)]
            report["schedule"] = status(it.path)
            if not report["schedule"] and not _is_tended(health.last_night_at):
                report["warnings"] = [*report["warnings"], NO_NIGHT]
            report["notices"] = [*report["notices"], *mended]
    it.say(report, lambda: _show(report))
    ctx.exit(1 if report["problems"] else 0)


def _beyond(count: int) -> str:
    one = "1 memory that always applies finds"
    more = f"{count} memories that always apply find"
    return (
        f"{one if count == 1 else more} no room in every prompt (told when it fits): `cogmem list --always`"
        " shows all, the settings always_lines and always_share give more room"
    )


def _set_aside(it: Call) -> None:
    from time import time_ns

    from cogmem.exchange.copies import set_aside

    kept = set_aside(it.path, now=time_ns() // 1_000_000)
    it.say(
        {"path": it.path, "kept_as": kept},
        f"{it.path} is now {kept}; the next to open it begins anew",
    )


def _is_tended(last_night_at: datetime | None) -> bool:
    """Tell whether a night has run in the last two days, whoever runs them."""
    return last_night_at is not None and datetime.now(UTC) - last_night_at < timedelta(days=2)


def _show(report: dict[str, Any]) -> None:
    figures = dict(report)
    names = ("warnings", "notices", "problems", "backups", "blocks")
    lists = {name: figures.pop(name, []) for name in names}
    if not figures.get("wal_reset_fault"):
        figures.pop("wal_reset_fault", None)
    for name in ("size", "wal_size"):
        if name in figures:
            figures[name] = show.size(figures[name])
    if "disk_free" in figures:
        figures["disk_free"] = show.size(figures["disk_free"] or 0)
        figures["last_night_at"] = show.when(figures["last_night_at"]) or "none yet"
        figures["schedule"] = "; ".join(
            f"{way}: {said}" for way, said in figures["schedule"].items()
        )
    standing = figures.pop("cluster", {})
    if standing:
        nodes = (
            f"{node} {'does not answer' if at is None else f'at {at}'}"
            for node, at in standing["nodes"].items()
        )
        figures = {
            "cluster": f"{standing['address']}, this copy at batch {standing['at']}",
            "nodes": ", ".join(nodes),
            "not sent yet": show.counted(standing["unsent"], "write of a turn", "writes of turns"),
            **figures,
        }
    names_shown = {"last_night_at": "last night (UTC)"}
    show.pairs(
        (names_shown.get(name, name.replace("_", " ")), value) for name, value in figures.items()
    )
    for rule in lists["blocks"]:
        click.echo(f"stops tools: {rule}")
    for name in ("backups", "notices", "warnings", "problems"):  # the latest backup stands first
        for sentence in lists[name]:
            click.echo(f"{name.removesuffix('s')}: {sentence}")
    count = len(lists["problems"])
    click.echo(show.counted(count, "problem", "problems") if count else "sound")


@file.command()
@call
def rebuild(it: Call) -> None:
    """Remake search indexes, views and cached values.

    They all follow from the durable record. JSON: path.
    """
    with it.open() as mem, show.progress("rebuilding"):
        mem.file.rebuild()
    it.say({"path": it.path}, "rebuilt")


@file.command()
@click.argument("target", required=False)
@click.option(
    "--rehearse", is_flag=True, help="Restore the latest one (or TARGET) into a scratch folder."
)
@click.pass_context
def backup(ctx: click.Context, target: str | None, rehearse: bool) -> None:
    """Make a verified copy of the whole file.

    By default it lies beside the file; TARGET names another file or a folder, best on another disk. With
    --rehearse no backup is made; exit code 1 if anything is missing.

    JSON: path, or source, counts, problems.
    """
    it = ctx.ensure_object(Call)
    it.must_be_for_all(
        "a backup holds the rows of every user", "`cogmem file export` writes what one user sees"
    )
    if rehearse:
        with it.open() as mem, show.progress("rehearsing"):
            done = mem.file.rehearse(target)
        counted = ", ".join(f"{count} rows of {table}" for table, count in done.counts.items())
        it.say(done.as_dict(), "\n".join([f"{done.source}: {counted}", *done.problems]))
        ctx.exit(1 if done.problems else 0)
    with it.open() as mem, show.progress("copying"):
        made = mem.file.backup(target)
    it.say({"path": made}, made)


@file.command("restore")
@click.argument("source", required=False)
@call
def restore_backup(it: Call, source: str | None) -> None:
    """Replace the file with backup SOURCE.

    Default: the latest backup. The file that was there is kept. JSON: path, source, kept_as.

    """
    from time import time_ns

    from cogmem.exchange.copies import restore_backup

    with show.progress("restoring"):
        done = restore_backup(it.path, source, now=time_ns() // 1_000_000)
    kept = f"; what was there is kept as {done.kept_as}" if done.kept_as else ""
    it.say(done.as_dict(), f"{done.path} is now {done.source}{kept}")


@file.command()
@click.argument("target")
@click.argument("source", required=False)
@call
def salvage(it: Call, target: str, source: str | None) -> None:
    """Read what a damaged file still holds into a new one, TARGET.

    SOURCE is a file that was set aside; default: the memory itself. The damaged one stays as it
    is. JSON: source, target, rows, left_out.
    """
    from cogmem.exchange.salvage import salvage

    with show.progress("reading"):
        done = salvage(source or beside(it.path), target)
    it.say(done.as_dict(), lambda: _show_salvaged(done))


def _show_salvaged(done: Any) -> None:
    show.pairs(
        (table.replace("_", " "), count) for table, count in sorted(done.rows.items()) if count
    )
    for table, count in sorted(done.left_out.items()):
        click.echo(f"left out: {count} of {table}, since what they refer to is gone")
    click.echo(f"{done.target} is ready: look at it with `cogmem --db {done.target} list`")


@file.command()
@call
def scrub(it: Call) -> None:
    """Wipe what was forgotten from backups and free pages. JSON: is_scrubbed, left."""
    with it.open() as mem:
        left = mem.file.scrub()
    told = f"not yet, {NOT_YET}: {', '.join(left)}" if left else "overwritten"
    it.say({"is_scrubbed": not left, "left": left}, told)


@file.command()
@everywhere
@call
def stats(it: Call, everywhere: bool) -> None:
    """Count what is held. JSON: memories, tokens, by_layer, by_kind, by_state."""
    with it.open(here=True) as mem:
        counts = mem.stats(everywhere=everywhere)
        for warning in mem.file.warnings():
            if warning not in mem.notices:  # those are told already
                click.echo(f"cogmem: {warning}", err=True)

    def human() -> None:
        active = show.counted(counts.memories, "active memory", "active memories")
        click.echo(f"{active}, {show.counted(counts.tokens, 'token', 'tokens')}")
        for heading in ("by_layer", "by_kind", "by_state"):
            rows = [(name, count) for name, count in getattr(counts, heading).items() if count]
            if rows:
                click.echo()
                show.table((heading.removeprefix("by_"), "memories"), rows)

    it.say(counts, human)


for other in (export, import_):
    file.add_command(other)

COMMANDS = {"file": file, "doctor": doctor}
