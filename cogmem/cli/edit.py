"""Editing by hand: one memory in an editor, or many at once.

The editor gets the text of form.py in a file. What cannot be stored is told at its top and the editor
opens again; nothing typed is ever lost, since the file stays where it is whenever its text was not stored.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from typing import Any

import click

from cogmem.cli import form, show
from cogmem.cli.call import Call, Command, call, everywhere, read_text
from cogmem.cli.complete import MEMORY
from cogmem.cli.look import narrowing
from cogmem.cli.method import takes
from cogmem.errors import CogmemError, Conflict, InvalidInput, UnknownMemory
from cogmem.file.places import is_address
from cogmem.memory import Memory
from cogmem.records import STATES, Remembered
from cogmem.store.many import Many

# -- the editor ----------------------------------------------------------------------------------


def editor() -> list[str]:
    """Return the person's own editor, as words of a command."""
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if named:
        return shlex.split(named)
    found = next((name for name in ("nano", "vim", "vi") if shutil.which(name)), None)
    if found is None:
        raise InvalidInput(
            "there is no editor: set EDITOR, or change the text of `cogmem edit UID --show` and "
            "give it back with `cogmem edit UID --from FILE`"
        )
    return [found]


def edited(mem: Memory, row: Remembered) -> Remembered | None:
    """Let a person change a memory in an editor until it can be stored; None: nothing was changed."""
    words = editor()
    handle, path = tempfile.mkstemp(prefix=f"cogmem-{row.uid}-", suffix=".md")  # mode 0600
    os.close(handle)
    text, fault = form.text_of(row), ""
    while True:
        _write(path, _with_fault(text, fault))
        before = os.stat(path).st_mtime_ns, _read(path)
        try:
            code = subprocess.call([*words, path])
        except KeyboardInterrupt:
            code = 130
        except OSError as error:
            os.unlink(path)
            raise InvalidInput(
                f"the editor {words[0]!r} cannot be run ({error.strerror}): set EDITOR to another"
            ) from None
        after = os.stat(path).st_mtime_ns, _read(path)
        text = _without_fault(after[1])
        if code:
            raise _kept(path, text, row, f"the editor ended with {code}: nothing was changed")
        if (fault and after == before) or not text.strip():
            why = fault.splitlines()[0].rstrip(":") if fault else "the text is empty"
            raise _kept(path, text, row, f"{why}: nothing was changed")
        try:
            done = stored(mem, row, text)
            os.unlink(path)
            return done
        except UnknownMemory as gone:
            raise _kept(path, text, row, str(gone)) from None
        except Conflict:
            old, newer = row, mem.get(row.uid)
            fault = f"{_what_differs(old, newer)}\nSave to have it as below; leave without saving to give up."
            # What the person left as it was, is what the other one made of it.
            mine, was, now_there = form.read(text, row.layer), form.fields(old), form.fields(newer)
            text = form.text_of(
                newer, {n: now_there[n] if mine[n] == was[n] else mine[n] for n in now_there}
            )
            row = newer
        except CogmemError as error:
            fault = str(error)


def stored(mem: Memory, row: Remembered, text: str) -> Remembered | None:
    """Store what a form says, if the memory still is as it was read; None: it says the same."""
    changes = form.changes(form.fields(row), form.read(text, row.layer), row.layer)
    return mem.update(row.uid, seen=row, **changes) if changes else None


def _what_differs(old: Remembered, new: Remembered) -> str:
    before, after = form.fields(old), form.fields(new)
    told = [
        f"  {name} is now {' '.join(str(after[name]).split())[:200]}"
        for name in after
        if after[name] != before[name]
    ]
    if old.state != new.state:
        told.append(f"  it is {new.state} now")
    return "\n".join(["it was changed meanwhile:", *told])


def _kept(path: str, text: str, row: Remembered, why: str) -> InvalidInput:
    """Return the error to end with; what was typed and not stored stays in its file."""
    if not text.strip() or text == form.text_of(row):
        os.unlink(path)
        return InvalidInput(why)
    _write(path, text)
    return InvalidInput(
        f"{why}. Your text is kept: `cogmem edit {row.uid} --from {path}` takes it up again"
    )


_MARK = "# ! "


def _with_fault(text: str, fault: str) -> str:
    if not fault:
        return text
    said = "".join(f"{_MARK}{line}\n" for line in fault.splitlines())
    return f"{said}{text}"


def _without_fault(text: str) -> str:
    lines = text.split("\n")
    while lines and lines[0].startswith(_MARK.rstrip()):
        lines.pop(0)
    return "\n".join(lines)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="", errors="surrogateescape") as file:
        file.write(text)


def _read(path: str) -> str:
    with open(path, encoding="utf-8", newline="", errors="surrogateescape") as file:
        return file.read()


# -- commands ------------------------------------------------------------------------------------


@click.command(cls=Command)
@click.argument("name", type=MEMORY)
@click.option("--show", "only_show", is_flag=True, help="Print the form, and change nothing.")
@click.option(
    "--from", "source", metavar="FILE", help="Take the form from a file (`-`: standard input)."
)
@everywhere
@call
def edit(it: Call, name: str, only_show: bool, source: str | None, everywhere: bool) -> None:
    """Change a memory in your editor (VISUAL, EDITOR).

    NAME is its uid or key. A text that cannot be stored is shown again with what is wrong; an
    unchanged one changes nothing. JSON: uid, changed, memory; with --show: uid, form.
    """
    with it.open(here=True, everywhere=everywhere) as mem:
        row = mem.get(name)
        if only_show:
            it.say({"uid": row.uid, "form": form.text_of(row)}, form.text_of(row).rstrip("\n"))
            return
        if source is not None:
            done = stored(mem, row, _given(source))
        elif it.json or not (
            sys.stdin.isatty() or os.environ.get("VISUAL") or os.environ.get("EDITOR")
        ):
            raise click.UsageError(
                f"an editor needs a terminal: `cogmem edit {row.uid} --show > FILE`, change FILE, "
                f"then `cogmem edit {row.uid} --from FILE`"
            )
        else:
            done = edited(mem, row)
    before, after = form.fields(row), form.fields(done or row)
    changed = [name for name in after if after[name] != before[name]]
    answer = {"uid": row.uid, "changed": changed, "memory": (done or row).as_dict()}
    it.say(
        answer, f"changed {', '.join(changed)} of {row.uid}" if changed else "nothing was changed"
    )


def _given(source: str) -> str:
    return read_text("-") if source == "-" else _read(os.path.expanduser(source))


@click.command(cls=Command)
@click.argument("names", metavar="NAME...", nargs=-1, required=True, type=MEMORY)
@click.option("--to-user", metavar="NAME", help="`none` shares it with all users.")
@click.option("--to-project", metavar="PATH|ID|none", help="`none`: it counts in every project.")
@takes(Memory.move, "reason")
@click.option("--replace", is_flag=True, help="Replace what the cluster holds.")
@everywhere
@call
def move(
    it: Call, /, names: tuple[str, ...], to_user: str | None, to_project: str | None, **given: Any
) -> None:
    """Give memories to another user or project, or a whole file to a cluster.

    NAME is a uid or key. `cogmem undo` takes it back. JSON: [{uid, user, project}].

    `cogmem bulk move FILE rqlite://HOST:PORT` copies a file's memory onto a cluster; with the
    arguments swapped it copies a cluster's memory into a file. The source stays, and both are
    compared at the end. JSON: from, to, bytes, tables.
    """
    if len(names) == 2 and any(map(is_address, names)):
        _move_whole(it, *names, replaces=given["replace"])
        return
    if to_user is None and to_project is None:
        raise click.UsageError("say where to: --to-user, --to-project")
    found = None if to_project is None else it.project_named(to_project)
    with it.open(here=True, everywhere=given["everywhere"]) as mem:
        if found and found.root:
            mem.file.label_project(found)
        user = "" if to_user == "none" else to_user
        how = {"user": user, "project": found and found.id, "reason": given["reason"]}
        moved = [mem.move(name, **how) for name in names]
    owners = [{"uid": row.uid, "user": row.user, "project": row.project} for row in moved]

    def human() -> None:
        for row in owners:
            user = f"user {row['user']}" if row["user"] else "all users"
            place = f"project {row['project']}" if row["project"] else "every project"
            click.echo(f"{row['uid']} now belongs to {user} in {place}")

    it.say(owners, human)


def _move_whole(it: Call, source: str, target: str, *, replaces: bool) -> None:
    from cogmem.exchange.moving import moved

    with show.progress("moving"):
        done = moved(source, target, replaces=replaces)
    it.say(
        done, f"{done['to']} holds what {done['from']} holds: {done['tables']} tables were compared"
    )


@click.command(cls=Command)
@click.argument(
    "action", type=click.Choice(("remove", "archive", "restore", "tag", "untag", "priority"))
)
@click.argument("value", default="")
@takes(Many.change, "matching source weaker_than most reason everywhere")
@narrowing
@click.option("--state", type=click.Choice(STATES), help="Default: archived for restore, else all.")
@click.option("--path", metavar="GLOB", help="Only what is about these files.")
@click.option("--dry-run", is_flag=True, help="Only list what would change, as without --yes.")
@click.option("--yes", is_flag=True, help="Do it.")
@call
def bulk(it: Call, /, action: str, value: str, dry_run: bool, yes: bool, **choice: Any) -> None:
    """Remove, archive, restore, tag, untag or rank many memories.

    Filters choose them; without --yes they are only listed. tag, untag and priority take a VALUE.
    It is one act, which `cogmem undo` takes back. JSON: action, value, act, memories.

    \b
    cogmem bulk archive --source observed --weaker-than 0.2
    cogmem bulk tag release --matching "deploy" --yes
    """
    filters = {name: chosen for name, chosen in choice.items() if chosen is not None}
    narrowing = set(filters) - {"everywhere", "most", "reason"}
    if not any(filters[name] for name in narrowing):
        raise click.UsageError("say which memories: --kind, --tag, --matching, --source …")
    with it.open(here=True) as mem:
        done = mem.many.change(action, value, dry_run=dry_run or not yes, **filters)
    count = len(done.memories)

    def human() -> None:
        columns = {name: name for name in ("uid", "kind", "strength", "content")}
        show.table(done.memories, columns, none="no memory is chosen")
        if not count:
            return
        what = f"{action} {value}".strip()
        if done.act:
            back = f"undo {done.act}{' --everywhere' if choice['everywhere'] else ''}"
            click.echo(f"{what}: {count} done; `cogmem {back}` takes it back")
        else:
            click.echo(f"{what}: {count} would change; --yes does it")

    it.say(done, human)


bulk.parts = {"move": move}
