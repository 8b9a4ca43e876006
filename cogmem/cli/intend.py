"""Commands for intentions: what is told once, when its moment comes."""

from __future__ import annotations

import click

from cogmem.cli.call import Call, Command, call
from cogmem.cli.complete import MEMORY
from cogmem.cli.remember import now_option, outcome_of
from cogmem.text.lines import told_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from cogmem.learn.intentions import Intention


@click.command(cls=Command)
@click.argument("text", default="")
@click.option(
    "--when",
    "when",
    multiple=True,
    metavar="MOMENT",
    help="path:GLOB, command:WORDS, words:WORDS, on:DAY or event:merge|release|deploy; repeatable: any of them.",
)
@now_option
@call
def intend(it: Call, /, text: str, when: tuple[str, ...], now: datetime | None) -> None:
    """Keep in mind to do TEXT: it is told once, at the first act or prompt that fits. Without TEXT: list them.

    It does not fade until then. `cogmem intend list` lists what waits and what was told, `intend done` closes it.
    JSON: uid, outcome, act.
    """
    if not text and not when:
        _list(it)
        return
    with it.open(must_exist=False) as mem:
        learned = mem.intentions.add(text, when, now=now)
    it.say(learned.as_dict(), outcome_of(learned))


@click.command("list", cls=Command)
@call
def waiting(it: Call, /) -> None:
    """List what is intended and not done.

    What was told comes first: is it done? JSON: a list of uid, content, when, created_at, told_at.
    """
    _list(it)


def _list(it: Call) -> None:
    with it.open(here=True) as mem:
        rows = mem.intentions.list(limit=0)
    lines = [f"{row.uid}  {row.content}  ({_state(row)})" for row in rows]
    it.say([row.as_dict() for row in rows], "\n".join(lines) or "nothing is intended")


@click.command(cls=Command)
@click.argument("uid", type=MEMORY)
@now_option
@call
def done(it: Call, /, uid: str, now: datetime | None) -> None:
    """Close an intention: it is done, or wanted no more. JSON: act."""
    with it.open(here=True) as mem:
        it.say({"act": mem.intentions.done(uid, now=now)}, f"done: {uid}")


@click.command(cls=Command)
@click.argument("uid", type=MEMORY)
@now_option
@call
def again(it: Call, /, uid: str, now: datetime | None) -> None:
    """Let an intention that was told and is not done come once more. JSON: act."""
    with it.open(here=True) as mem:
        it.say({"act": mem.intentions.again(uid, now=now)}, f"it waits again: {uid}")


def _state(row: Intention) -> str:
    if row.told_at is None:
        return " or ".join(row.when)
    return f"told on {told_day(int(row.told_at.timestamp() * 1000))}: done?"


intend.parts = {"list": waiting, "done": done, "again": again}

COMMANDS = {"intend": intend}
