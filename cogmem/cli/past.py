"""Commands that look at the history and go back in it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, call, one_line
from cogmem.cli.method import calls, takes
from cogmem.errors import InvalidInput
from cogmem.memory import Memory
from cogmem.store.history import ASIDE, History, LoggedAct, RowChange, Undone
from cogmem.text.lines import counted


@click.command(cls=Command)
@calls(
    History.log,
    "limit uid act run verb since until before everywhere",
    here=True,
    read_only=True,
)
def log(found: list[LoggedAct]) -> None:
    """Show what was changed and by whom.

    Newest first. Covers the memories that `list` shows.

    JSON: [{id, act, verb, actor, reason, run, undoes, at, rows_changed, memories, uid,
    is_undone, content, was, changed}]: what the memory said after the change, and before.
    """
    columns: show.Columns = {
        "change": "id", "when (UTC)": "at", "verb": _verb, "actor": "actor", "rows": "rows_changed", "what": _what,
    }  # fmt: skip
    none = "nothing in sight was changed (--everywhere looks into all)"
    show.table(found, columns, none=none)


def _verb(act: LoggedAct) -> str:
    return f"{act.verb or 'by hand'}{' (undone)' if act.is_undone else ''}"


def _what(act: LoggedAct) -> str:
    if act.memories > 1:
        return counted(act.memories, "memory", "memories")
    if not act.uid:
        return str(act.content or act.reason or act.act or "")
    said = act.content or act.reason or ""
    if act.was and act.was != said:
        said = f"{act.was} → {said}"
    elif columns := [one for one in (act.changed or "").split(",") if one and one not in COUNTS]:
        said = said if "content" in columns else f"({', '.join(columns)}) {said}"
    return f"{act.uid} {said}"


@click.command(cls=Command)
@calls(History.diff, "name everywhere", here=True, read_only=True)
def diff(found: list[RowChange]) -> None:
    """Show row by row what a change, an act or a run did: NAME is its number or name.

    JSON: [{change, record, uid, action, before, after}].
    """
    for change in found:
        click.echo(f"{change.action} {change.record} {change.uid or ''}".rstrip())
        told = change.as_dict()  # instants as text
        before, after = told["before"] or {}, told["after"] or {}
        for column in {**before, **after}:
            values = [row[column] for row in (before, after) if column in row]
            if len(values) == 2 or values[0] not in (None, ""):
                click.echo(f"  {column}: {' → '.join(map(show.told, values))}")


@click.command(cls=Command)
@click.argument("name", metavar="[CHANGE|ACT|RUN]", default="")
@takes(Memory.undo, "force dry_run everywhere")
@call
def undo(it: Call, name: str, force: bool, dry_run: bool, everywhere: bool) -> None:
    """Take back the last change, a named one, or a whole job run.

    `cogmem log` shows changes. Without a name it takes back the latest change that still stands, so repeated undos go
    further back. An undo can itself be undone by name. It covers all your projects; a change to
    another user's memories needs --user or --everywhere.

    JSON: act, target, rows, uids, conflicts, said.
    """
    with it.open(here=not name) as mem:
        name = name or _last(mem, everywhere)
        undone = mem.undo(name, force=force, dry_run=dry_run, everywhere=everywhere)
    told = "\n".join(told_undone(undone, dry_run=dry_run))
    it.say(undone, told, notes=undone.conflicts)


def told_undone(undone: Undone, *, most: int = 5, dry_run: bool = False) -> Iterator[str]:
    """Yield lines that say what an undo took back, and how to do it again."""
    did = "Would take back" if dry_run else "Took back"
    if not undone.said:
        yield f"{did} {counted(undone.rows, 'row')} of {undone.target}."
    yield from (f"{did}: {one_line(sentence)}." for sentence in undone.said[:most])
    if len(undone.said) > most:
        yield f"… and {len(undone.said) - most} more."
    if undone.act:
        yield f"`cogmem undo {undone.act}` does it again."


def _last(mem: Memory, everywhere: bool) -> str:
    """Return the latest act, or run of a job, that changed memories and was not taken back."""
    # Who has no name of their own may have given a memory to somebody: that is the last act too.
    wide = everywhere or not mem.scope.user
    before = None
    while acts := mem.history.log(limit=_PAGE, before=before, everywhere=wide):
        for act in acts:
            if not act.memories or act.is_undone or act.undoes:
                continue
            if act.verb in ASIDE:
                continue
            name = str(act.run or act.act or act.id)
            if wide and not everywhere and not mem.history.log(act=act.act):
                raise InvalidInput(
                    f"the last change ({act.verb} of {_what(act)}) is out of your sight: "
                    f"`cogmem undo {name} --everywhere` takes it back"
                )
            return name
        before = acts[-1].id
    raise InvalidInput("there is nothing to take back: no change of yours stands here")


COUNTS = (
    "reinforcement_count access_count accessed_at reinforced_at".split()
)  # every use moves them
_PAGE = 50  # acts that are read at once

log.parts = {"diff": diff}
