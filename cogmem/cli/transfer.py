"""Commands that bring memories out of the file and into it."""

from __future__ import annotations

import os
import sys

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, call
from cogmem.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from cogmem.exchange.intake import Imported
    from cogmem.memory import Memory

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


@click.command("export", cls=Command)
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
            _told(it, mem, target, whole)
            return
        said = mem.file.export(form=form, history=history, everywhere=whole)
        pieces = (piece.encode("utf-8") for piece in said)
        if target == "-":
            out = sys.stdout.buffer
            for number, piece in enumerate(pieces, 1):
                out.write(piece)
                if number % 500 == 0:
                    progress(number)
            out.flush()
        else:
            _write(target, pieces, progress)
            _told(it, mem, target, whole)


def _told(it: Call, mem: Memory, target: str, whole: bool) -> None:
    count = sum(mem.stats(everywhere=whole).by_state.values())
    size = os.path.getsize(target)
    told = {"path": target, "memories": count, "bytes": size}
    it.say(told, f"{target}: {show.counted(count, 'memory', 'memories')}, {show.size(size)}")


def _write(target: str, pieces: Iterable[bytes], progress: Callable[[int], None]) -> None:
    """Write a new file for its owner only, which has its name when it is whole."""
    partial = f"{target}.partial-{os.getpid()}"
    try:
        handle = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(handle, "wb") as file:
            for number, piece in enumerate(pieces, 1):
                file.write(piece)
                if number % 500 == 0:
                    progress(number)
        os.rename(partial, target)
    except BaseException:
        if os.path.exists(partial):
            os.unlink(partial)
        raise


@click.command("import", cls=Command)
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
@click.option("--keep-good", is_flag=True, help="Store the good lines even if others are bad.")
@click.option("--dry-run", is_flag=True, help="Say what would happen; store nothing.")
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
        project = it.found_project(False)
        owner["project"] = project if isinstance(project, str) else project.id
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
    it.say(result.as_dict(), lambda: _show(result))


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
    return show.counted(count, name, f"{name[:-1]}ies" if name.endswith("y") else f"{name}s")


_CANDIDATES = ("a candidate", "candidates")


def _show(result: Imported) -> None:
    added = ", ".join(_counted(name, count) for name, count in result.added.items()) or "nothing"
    how = "trusted as it is" if result.as_is else "screened by the guard"
    click.echo(f"{'would add' if result.is_dry_run else 'added'} {added} ({how})")
    if result.waiting:
        waiting = show.counted(result.waiting, "memory", "memories")
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
