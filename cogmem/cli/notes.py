"""The command by which a model leaves notes of sessions."""

from __future__ import annotations

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, call, one_line, shown
from cogmem.cli.complete import SESSION
from cogmem.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.noted.note import Noted


@click.command(cls=Command)
@click.argument("session", type=SESSION, required=False)
@click.option(
    "--dry-run", is_flag=True, help="Show the very text that would be sent, and send nothing."
)
@click.option("--changed", is_flag=True, help="Show what notes changed so far.")
@call
def notes(it: Call, session: str | None, dry_run: bool, changed: bool) -> None:
    """Let the model leave notes of a session: what was decided, turned down, found out, wished, left open.

    It happens by itself where a model is turned on, when a session ends or at night. JSON: session, runs, fault,
    calls, notes, replaced; with --dry-run a list of {system, prompt, tokens}; with --changed of {run, at, uid,
    action, kind, state, content, what, session}.
    """
    if changed:
        with it.open(read_only=True) as mem:
            rows = mem.notes.changed()
        columns = ("run", "session", "what", "uid", "content")
        show.rows(it, rows, columns, columns, none="no notes changed anything")
        return
    if session is None:
        raise InvalidInput("name a session: `cogmem chat list` shows them")
    with it.open() as mem:
        if mem.conversation(session).state() is None:
            raise InvalidInput(f"no session is called {session!r}: `cogmem chat list` shows them")
        if dry_run:
            asked = mem.notes.shown(session)
            text = "\n\n".join(
                f"{shown(one.system)}\n\n{shown(one.prompt)}\n\n(about {one.tokens} tokens)"
                for one in asked
            )
            it.say(asked, text or "There is nothing that no notes were left of yet.")
            return
        done = mem.notes.read(session)
    if done.fault:
        click.echo(f"cogmem: {one_line(done.fault)}", err=True)
    it.say(done, lambda: _tell(done))


def _tell(done: Noted) -> None:
    cells = [(one.outcome, one.sort, one.uid, one.reason or one.text) for one in done.notes]
    show.table(("became", "note", "uid", "what"), cells, none="nothing to note")
    if done.replaced:
        click.echo(f"{len(done.replaced)} lines that rules had made gave way")
    for run in done.runs:
        click.echo(f"`cogmem undo {run}` takes it back")
