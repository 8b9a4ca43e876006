"""The command that lets a model read talk and remember what lasts."""

from __future__ import annotations

import json

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, call, one_line, read_text
from cogmem.cli.complete import SESSION
from cogmem.cli.remember import now_option
from cogmem.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.extraction.work import Extracted


@click.command(cls=Command)
@click.argument("source", required=False, metavar="[FILE|-]")
@click.option("--conversation", metavar="NAME", help="Read what is new in a recorded conversation.")
@click.option("--kind", "kinds", multiple=True, help="What to look for; repeatable.")
@click.option(
    "--session", type=SESSION, default=None, metavar="ID", help="The session in which it was said."
)
@click.option(
    "--characters",
    type=click.IntRange(1),
    default=8000,
    show_default=True,
    help="How many characters, counted from the end, the model sees.",
)
@click.option(
    "--dry-run", is_flag=True, help="Ask the model, show what it proposes, store nothing."
)
@now_option
@call
def extract(
    it: Call,
    source: str | None,
    conversation: str | None,
    kinds: Sequence[str],
    session: str | None,
    characters: int,
    dry_run: bool,
    now: datetime | None,
) -> None:
    """Let the model read talk and remember what lasts.

    Without a model the capture rules read it. FILE holds messages as JSON (a list, or one to a line),
    or plain text. JSON: by, run, waiting, fault, calls, proposals, learned, measures; with
    --conversation a list of these.
    """
    if (source is None) == (conversation is None):
        raise InvalidInput("name a file of messages, or a conversation with --conversation NAME")
    options: dict[str, Any] = {"kinds": kinds, "characters": characters}
    messages = [] if source is None else _messages(_text(source))
    with it.open(must_exist=conversation is not None) as mem:
        if conversation is not None:
            if dry_run:
                raise InvalidInput("--dry-run goes with a file: a record is read once")
            if mem.conversation(conversation).state() is None:
                raise InvalidInput(
                    f"no conversation is called {conversation!r}: `cogmem chat list`"
                )
            done = mem.extraction.conversation(conversation, now=now, **options)
        else:
            done = [
                mem.extraction.run(messages, session=session, dry_run=dry_run, now=now, **options)
            ]
    for one in done:
        if one.fault:
            later = f"; it waits as {one.waiting}" if one.waiting else ""
            click.echo(f"cogmem: {one_line(one.fault)}{later}", err=True)
    rows = [one.as_dict() for one in done]
    it.say(rows if conversation is not None else rows[0], lambda: _show(done))


def _show(done: Sequence[Extracted]) -> None:
    cells = []
    for one in done:
        cells += [
            (each.outcome or each.action, each.kind, each.uid, each.reason or each.content)
            for each in one.proposals
        ]
        proposed = {each.uid for each in one.proposals}
        cells += [
            (each.outcome, "", each.uid, "found by a capture rule")
            for each in one.learned
            if each.uid not in proposed
        ]
    show.table(("became", "kind", "uid", "what"), cells, none="nothing to keep")
    runs = [one.run for one in done if one.run]
    if runs:
        click.echo(f"`cogmem undo {runs[-1]}` takes it back")


def _text(source: str) -> str:
    if source == "-":
        return read_text("-")
    with open(source, encoding="utf-8") as file:
        try:
            return file.read()
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{source} is not UTF-8 text (byte {error.start})") from None


def _messages(text: str) -> list[dict[str, Any]]:
    """Messages from JSON; anything else is one text that a person said."""
    bare = text.strip()
    if not bare:
        raise InvalidInput("there is nothing to read: the text is empty")
    if bare[0] not in "[{":
        return [{"role": "user", "content": bare}]
    try:
        found = json.loads(bare)
    except ValueError:
        try:
            found = [json.loads(line) for line in bare.splitlines() if line.strip()]
        except ValueError:
            return [{"role": "user", "content": bare}]
    found = found if isinstance(found, list) else found.get("messages", [found])
    if not all(isinstance(one, dict) and isinstance(one.get("role"), str) for one in found):
        raise InvalidInput('a message is an object with "role" and "content" or "parts"')
    return list(found)
