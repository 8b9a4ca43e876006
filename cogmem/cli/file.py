"""Commands for the file itself: is it sound, copies of it, what goes out and in, and what is forgotten for good."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, Group, call, everywhere
from cogmem.cli.complete import MEMORY
from cogmem.cli.method import takes
from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.exchange.whole import File
from cogmem.file.places import beside, resolved
from cogmem.file.private import write_whole
from cogmem.memory import Memory
from cogmem.text.lines import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.exchange.intake import Imported


NOT_YET = "another process is reading, or a node of the cluster is away"
NO_ROOM = (
    "no room in every prompt (told when it fits): `cogmem list --always` shows all, the settings always_lines and"
    " always_share give more room"
)
NO_NIGHT = "no night is scheduled: `cogmem nightly schedule install` has this machine run them"


@click.group(cls=Group)
def file() -> None:
    """The file itself: check and mend it, copy it, move memories in and out."""


@file.command()
@call
def check(it: Call) -> None:
    """Verify the file; `cogmem doctor --repair` mends what can be mended.

    Exit code 1 if it is not sound. JSON: [sentence].
    """
    it.demand()
    problems, notes = _damage(it.path), []
    if not problems:
        with it.open() as mem, show.progress("checking"):
            problems, notes = mem.file.check(), mem.file.foreign()
    told = "\n".join(problems) or "sound"
    it.say(problems, told, notes=notes, code=1 if problems else 0)


def _damage(path: str) -> list[str]:
    """Return why a file cannot be opened as it is."""
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
    "--repair",
    is_flag=True,
    help="Mend what can be mended: damaged cells, what other machines know otherwise.",
)
@click.option(
    "--accept",
    is_flag=True,
    help="Trust the file as it is now, whatever was noted about it before.",
)
@call
def doctor(it: Call, set_aside: bool, repair: bool, accept: bool) -> None:
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
                who = ("memory that always applies finds", "memories that always apply find")
                report["warnings"] = [*report["warnings"], f"{counted(over, *who)} {NO_ROOM}"]
            report["schedule"] = status(it.path)
            if not report["schedule"] and not _is_tended(health.last_night_at):
                report["warnings"] = [*report["warnings"], NO_NIGHT]
            report["notices"] = [*report["notices"], *mended]
    it.say(report, lambda: _show(report), code=1 if report["problems"] else 0)


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
            "not sent yet": counted(standing["unsent"], "write of a turn", "writes of turns"),
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
    click.echo(counted(count, "problem") if count else "sound")


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
@call
def backup(it: Call, target: str | None, rehearse: bool) -> None:
    """Make a verified copy of the whole file.

    By default it lies beside the file; TARGET names another file or a folder, best on another disk. With
    --rehearse no backup is made; exit code 1 if anything is missing.

    JSON: path, or source, counts, problems.
    """
    it.must_be_for_all(
        "a backup holds the rows of every user", "`cogmem file export` writes what one user sees"
    )
    if rehearse:
        with it.open() as mem, show.progress("rehearsing"):
            done = mem.file.rehearse(target)
        counted = ", ".join(f"{count} rows of {table}" for table, count in done.counts.items())
        told = "\n".join([f"{done.source}: {counted}", *done.problems])
        it.say(done, told, code=1 if done.problems else 0)
        return
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
        told = mem.notices  # already
        notes = [one for one in mem.file.warnings() if one not in told]

    def human() -> None:
        active = counted(counts.memories, "active memory", "active memories")
        click.echo(f"{active}, {counted(counts.tokens, 'token')}")
        for heading in ("by_layer", "by_kind", "by_state"):
            rows = [(name, count) for name, count in getattr(counts, heading).items() if count]
            if rows:
                click.echo()
                show.grid((heading.removeprefix("by_"), "memories"), rows)

    it.say(counts, human, notes=notes)


FORMS = ("jsonl", "csv", "db", "md")
_ENDINGS = {form: form for form in FORMS} | {"tsv": "csv"}
_ENDINGS |= dict.fromkeys(("", "ndjson", "json"), "jsonl")


def _form(named: str | None, path: str) -> str:
    ending = os.path.splitext(path)[1].lower().lstrip(".")
    form = named or _ENDINGS.get(ending)
    if form is None:
        raise InvalidInput(
            f"{path}: .{ending} is not a form of an export: use .jsonl, .csv, .md or .db, or say --format"
        )
    return form


@file.command()
@click.argument("target", default="-")
@click.option(
    "--format", "form", type=click.Choice(FORMS), help="Default: from the ending of TARGET."
)
@click.option("--history", is_flag=True, help="With all changes, so that they can still be undone.")
@call
def export(it: Call, target: str, form: str | None, history: bool) -> None:
    """Write the memory as JSON lines, CSV, Markdown or a new file.

    TARGET `-` is standard output. With --user or --project only what they see goes out; a .db then holds no trace
    of the rest. JSON lines leave out what turns were shown and what models cost; CSV holds memories
    only, and Markdown the lines of what holds now. `cogmem file backup` copies all.

    JSON: path, memories, bytes.
    """
    form = _form(form, target)
    whole = it.user is None and it.project is None
    if form == "db" and target == "-":
        raise click.UsageError("a memory of its own needs a file: name a TARGET")
    if target != "-" and os.path.exists(target):
        raise InvalidInput(f"{target} exists: name a new file")
    with it.open() as mem, show.progress("exporting") as progress:
        if form == "db":
            mem.file.copy_for(target, everywhere=whole)
            _told(it, target, _held(mem, whole))
            return
        said = mem.file.export(form=form, history=history, everywhere=whole)
        pieces = _counted_bytes(said, progress)
        if target == "-":
            sys.stdout.buffer.writelines(pieces)
            sys.stdout.buffer.flush()
        else:
            write_whole(target, pieces)  # for its owner only
            removed = form == "csv" and mem.count(state="deleted", everywhere=whole)
            count = _lines(target) if form == "md" else _held(mem, whole) - removed
            _told(it, target, count)


def _counted_bytes(pieces: Iterable[str], progress: Callable[[int], None]) -> Iterator[bytes]:
    for number, piece in enumerate(pieces, 1):
        yield piece.encode("utf-8")
        if number % 500 == 0:
            progress(number)


def _held(mem: Memory, whole: bool) -> int:
    return sum(mem.stats(everywhere=whole).by_state.values())


def _lines(page: str) -> int:
    with open(page, encoding="utf-8") as lines:
        return sum(line.startswith("- ") for line in lines)


def _told(it: Call, target: str, count: int) -> None:
    size = os.path.getsize(target)
    told = {"path": target, "memories": count, "bytes": size}
    it.say(told, f"{target}: {counted(count, 'memory', 'memories')}, {show.size(size)}")


@file.command("import")
@click.argument("source")
@click.option(
    "--format", "form", type=click.Choice(FORMS[:2]), help="Default: from the ending of SOURCE."
)
@click.option(
    "--as-is/--guarded",
    "as_is",
    default=None,
    help="Trust the file as your own, or screen it as a stranger's. Default: a whole export into an "
    "empty memory is trusted, anything else is screened.",
)
@takes(File.import_, "keep_good dry_run")
@call
def import_(it: Call, /, source: str, form: str | None, **given: Any) -> None:
    """Import JSON lines or CSV: all or nothing.

    SOURCE `-` is standard input. With --user or --project everything goes to them. What the guard
    screened waits as candidates until `cogmem review` keeps it.

    JSON: act, added, waiting, skipped, bad, notes, lines, as_is, is_dry_run.
    """
    owner = {}
    if it.user is not None:
        owner["user"] = it.user
    if it.project is not None:
        owner["project"] = it.found_project(False).id
    lines: str | Iterable[str | bytes] = source
    read = _form(form, source)
    if read not in FORMS[:2]:
        raise InvalidInput(f"{source}: an import reads JSON lines or CSV, or say --format")
    if read == "csv":
        from cogmem.exchange.sheet import import_csv

        lines = import_csv(_bytes(source))
    elif source == "-":
        lines = sys.stdin.buffer
    with it.open(must_exist=False) as mem, show.progress("importing") as progress:
        result = mem.file.import_(lines, owner=owner, progress=progress, **given)
    it.say(result.as_dict(), lambda: _show_import(result))


def _bytes(source: str) -> bytes:
    if source == "-":
        return sys.stdin.buffer.read()
    if os.path.isdir(source):
        raise InvalidInput(f"{source} is a folder: name the file to import")
    with open(source, "rb") as file:
        return file.read()


def _counted(table: str, count: int) -> str:
    """Return the rows of a table in words: 1 memory, 2 memories, 3 capture rules."""
    name = table.replace("_", " ")
    return counted(count, name, f"{name[:-1]}ies" if name.endswith("y") else f"{name}s")


_CANDIDATES = ("a candidate", "candidates")


def _show_import(result: Imported) -> None:
    added = ", ".join(_counted(name, count) for name, count in result.added.items()) or "nothing"
    how = "trusted as it is" if result.as_is else "screened by the guard"
    click.echo(f"{'would add' if result.is_dry_run else 'added'} {added} ({how})")
    if result.waiting:
        waiting = counted(result.waiting, "memory", "memories")
        wait = "would wait" if result.is_dry_run else "waits" if result.waiting == 1 else "wait"
        click.echo(
            f"{waiting} {wait} as {_CANDIDATES[result.waiting > 1]}: `cogmem review` decides"
        )
    for reason, count in result.skipped.items():
        table, _, why = reason.partition(": ")
        click.echo(f"left out {_counted(table, count)}: {why}")
    for fault in result.bad:
        click.echo(f"line {fault.line}: {fault.reason}")
    for note in result.notes:
        click.echo(note)
    if result.act and result.added:
        click.echo(f"`cogmem undo {result.act}` takes it back")


@click.command(cls=Command)
@click.argument("names", nargs=-1, metavar="[UID…]", type=MEMORY)
@takes(Memory.forget, "words most everything reason now")
@click.option("--yes", is_flag=True, help="Do it; without this, only show what would go.")
@click.option(
    "--confirm", metavar="NUMBER", help="Do it, if it still matches the preview with this number."
)
@call
def forget(it: Call, /, names: Sequence[str], yes: bool, confirm: str | None, **given: Any) -> None:
    """Remove memories (UID) and messages (msg_N) for good, with all traces.

    With --word, at most a tenth of what you can see is forgotten, and nothing of other users. It
    cannot be undone. JSON: uids, messages, removed, left, files, copies, places, number, is_scrubbed.
    """
    yes = yes or confirm is not None
    with it.open() as mem:
        receipt = mem.forget(*names, confirm=confirm, dry_run=not yes, **given)
    rows = sum(receipt.removed.values())
    counts = (
        counted(len(receipt.uids), "memory", "memories"),
        counted(len(receipt.messages), "message"),
    )
    what = f"{' and '.join(counts)} ({counted(rows, 'row')} in all)"
    would = f"would forget {what}; `--confirm {receipt.number}` does it, and nothing brings it back"
    said = [f"forgot {what}" if yes else would]
    for why, names in (
        ("stays, since it says more or is another's", receipt.left),
        ("not touched, and may still hold it", receipt.files),
        ("holds it until the next night, or `cogmem file scrub`", receipt.copies),
        ("holds it until `cogmem sync` has met it", receipt.elsewhere),
    ):
        said += [f"  {why}: {name}" for name in names]
    for table, count in sorted(receipt.removed.items()):
        said.append(f"  {table}: {counted(count, 'row')}")
    for place, count in receipt.places.items():
        said.append(f"  still there, {counted(count, 'time')}: {place}")
    if yes and not receipt.is_scrubbed:
        said.append(f"  free pages are not overwritten yet, {NOT_YET}: `cogmem file scrub`")
    it.say(receipt.as_dict(), "\n".join(said))
