"""Commands about the code at hand: its history, and what memories cite of it."""

from __future__ import annotations

import os

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, call
from cogmem.cli.method import calls
from cogmem.errors import InvalidInput
from cogmem.repository.citations import CitedPlace, Verified
from cogmem.repository.reading import RepositoryRead
from cogmem.repository.repository import Repository
from cogmem.text.lines import counted


@click.command(cls=Command)
@click.argument("folder", default=".")
@call
def git(it: Call, folder: str) -> None:
    """Read the history of the repository at hand.

    Each commit becomes an episode with its day and files; what its message, decision records, changelogs and
    `why:` comments say about why becomes facts. Run again, it reads what is new and drops what a rebase left
    behind; the start of a session does that by itself. The settings git_commits, git_bots and git_at_start
    say how much.

    JSON: {root, project, head, act, added, commits, reasons, known, amended, dropped, returned, refused, notes}.
    """
    place = os.path.abspath(os.path.expanduser(folder))
    if not os.path.isdir(place):
        raise InvalidInput(f"{folder} is not a folder: name one of the working tree")
    with it.open(here=True, must_exist=False) as mem, show.progress("reading", "texts") as more:
        done = mem.repository.read(place, progress=more)
        mem.repository.verify()  # what new commits moved is followed
        mem.repository.branches(place)
    it.say(done, lambda: _tell(done), notes=done.notes)


def _tell(done: RepositoryRead) -> None:
    if not done.head:
        return
    click.echo(f"{done.root} is read up to {done.head[:8]}.")
    said = [
        (done.commits, "commit", "commits", "new"),
        (done.reasons, "reason", "reasons", "why the code is the way it is"),
        (done.amended, "commit", "commits", "that a later one set right"),
        (done.dropped, "memory", "memories", "dropped, as no branch has the commits any more"),
        (done.returned, "memory", "memories", "back with their commits"),
        (done.refused, "text", "texts", "refused by the guard"),
    ]
    for count, one, many, what in said:
        if count:
            click.echo(f"  {counted(count, one, many)} {what}")
    if not done.added and not done.dropped and not done.returned:
        click.echo("  nothing is new")
    if done.act:
        click.echo(f"`cogmem undo {done.act}` takes it back.")


@click.command(cls=Command)
@calls(Repository.verify, "everywhere", here=True)
def verify(found: Verified) -> str:
    """Check the code that memories cite, and follow what moved.

    A turn checks only what it is about to show; this checks everything, and searches for renamed files and moved
    functions.

    JSON: {cited, holds, moved, changed, gone, rows: [{uid, content, path, symbol, first_line, standing}]}.
    """
    moved = [row for row in found.rows if row.standing != "holds"]
    columns: show.Columns = {"code": "standing", "where": _place, "uid": "uid", "memory": "content"}
    if moved:
        show.table(moved, columns)
    return (
        f"{counted(found.cited, 'place')} cited: {found.holds} hold, "
        f"{found.moved} moved, {found.changed} changed, {found.gone} gone"
    )


def _place(row: CitedPlace) -> str:
    name = f"#{row.symbol}" if row.symbol else ""
    line = f":{row.first_line}" if row.first_line and not name else ""
    return f"{row.path}{name}{line}"


@click.command(cls=Command)
@click.argument("folder", default=".")
@call
def branches(it: Call, folder: str) -> None:
    """List the branches on which something was learned that waits for their merge.

    What was learned on a branch that git says was merged then holds for the project; of one that is gone unmerged it
    waits in review. The start of a session looks by itself.

    JSON: [name, standing (open, merged, gone), uids].
    """
    with it.open(here=True) as mem:
        found = mem.repository.branches(os.path.abspath(os.path.expanduser(folder)))
        columns: show.Columns = {
            "branch": "name", "standing": "standing", "memories": lambda one: len(one.uids),
        }  # fmt: skip
        show.rows(
            it, found, columns, none="nothing that was learned on a branch waits for its merge"
        )


git.parts = {"verify": verify, "branches": branches}
