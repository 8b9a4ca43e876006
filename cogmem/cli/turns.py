"""Commands that ask about turns (what was shown, why, what would have been), and show the memory in a browser."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, Group, call, everywhere, shown
from cogmem.cli.method import calls, takes
from cogmem.errors import InvalidInput, install_command
from cogmem.file.places import beside
from cogmem.memory import Memory
from cogmem.turn.turns import Turns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.turn.activation import Activation
    from cogmem.turn.earned import Earned
    from cogmem.turn.explain import Why


@click.group(cls=Group)
def turn() -> None:
    """Turns: what each was given, and what would have been."""


@turn.command("list")
@takes(Turns.list, "session limit everywhere")
@click.option(
    "--curve", is_flag=True, help="How often memory would speak at other settings of `silence`."
)
@call
def turns(it: Call, /, curve: bool, everywhere: bool, **given: Any) -> None:
    """List the latest turns with what they were given.

    --curve counts over all turns how many would have been given something at each value of the setting
    `silence`.

    JSON: [{turn, session, at, tokens, budget, elapsed_us, stable_hash, prompt, shown, left_out}].
    With --curve: [{setting, least, turns, turns_that_spoke, percent, in_force}].
    """
    if curve:
        with it.open(here=True, read_only=True) as mem:
            steps = mem.turns.curve(everywhere=everywhere)
        columns: show.Columns = {
            "silence": "setting", "chance": "least", "turns": "turns", "spoke": "turns_that_spoke",
            "percent": "percent", "": lambda point: "in force" if point.in_force else "",
        }  # fmt: skip
        show.rows(it, steps, columns)
        return
    with it.open(here=True, read_only=True) as mem:
        rows = mem.turns.list(everywhere=everywhere, **given)
    columns = {
        "turn": "turn", "when (UTC)": "at", "tokens": lambda row: f"{row.tokens} of {row.budget}",
        "shown": "shown", "left out": "left_out", "prompt": "prompt",
    }  # fmt: skip
    spare = ("tokens", "shown", "left out")
    none = "no turns are recorded for this user and project (--everywhere shows all)"
    show.rows(it, rows, columns, none=none, spare=spare)


@click.command(cls=Command)
@click.argument("ref", metavar="UID|KEY")
@click.argument("turn", required=False)
@everywhere
@call
def why(it: Call, ref: str, turn: str | None, everywhere: bool) -> None:
    """Say why a memory or message was shown in TURN, or was not.

    Default: the latest turn. `cogmem turn list` lists them.

    Of a message it also says which figures carried it or held it back, each times its weight.

    JSON: {ref, turn, stage, layer, strength, relevance, score, chance, figures, ranking, tokens,
    budget, shown, sentence}.
    """
    with it.open(here=True) as mem:
        if turn is None:
            latest = mem.turns.list(limit=1, everywhere=everywhere)
            if not latest:
                raise click.UsageError(
                    "no turns are recorded for this user and project: `cogmem turn list --everywhere` lists all, "
                    "`cogmem activate` makes one"
                )
            turn = str(latest[0].turn)
        told = mem.why(ref, turn, everywhere=everywhere)
    it.say(told, lambda: click.echo(f"{ref} in {turn}: {told.sentence}.{_carried(told)}"))


@turn.command("why-not")
@calls(Memory.why_not, "ref prompt budget files session now", here=True)
def why_not(ref: str, found: Why) -> str:
    """Weigh a memory for PROMPT, and say what keeps it out or lets it in.

    Nothing is recorded. `-` reads standard input. JSON: as `why`.
    """
    return f"{ref}: {found.sentence}.{_carried(found)}"


def _carried(told: Why) -> str:
    """Return the figures that carried a message or held it back, as one line; nothing for a memory."""
    if not told.ranking:
        return ""
    parts = ", ".join(f"{name} {value:+.2g}" for name, value in told.ranking.items())
    return f"\nCarried by {parts}."


@turn.command()
@calls(Turns.earned, "limit everywhere", here=True, read_only=True)
def earned(found: list[Earned]) -> None:
    """List what came of the memories that turns showed, as nights count it.

    Followed: what the agent said or did next has most of the memory's words. Corrected: a person
    changed, ended or removed it before the next prompt; what is corrected again and again, the
    review asks about. At act: it was told right before or after a tool ran.

    JSON: [{uid, kind, content, shown, followed, corrected, at_act}].
    """
    columns: show.Columns = {
        "followed": "followed", "shown": "shown", "corrected": "corrected", "at act": "at_act", "kind": "kind",
        "memory": "content", "uid": "uid",
    }  # fmt: skip
    none = "nothing was counted yet: a night counts what turns showed an hour ago or earlier"
    show.table(found, columns, none=none, spare=("kind", "uid"))


@turn.command()
@calls(Turns.replay, "turn as_of everywhere", here=True)
def replay(found: Activation) -> None:
    """Run a past turn again on what was known then, in a throw-away copy.

    JSON: as `activate`.
    """
    told = shown(found.text) or "nothing that is held fits this prompt"
    click.echo(told, nl=not told.endswith("\n"))


@turn.command()
@takes(Memory.used, "turn refs everywhere")
@click.option("--not-useful", is_flag=True, help="They did not help.")
@call
def used(it: Call, turn: str, refs: Sequence[str], not_useful: bool, everywhere: bool) -> None:
    """Say which memories of a turn helped; what helped is strengthened.

    JSON: {turn, known}.
    """
    with it.open(here=True) as mem:
        known = mem.used(turn, list(refs), useful=not not_useful, everywhere=everywhere)
    it.say({"turn": turn, "known": known}, f"{known} of {len(refs)} were in that turn.")


@click.command(cls=Command)
@click.option("--port", type=click.IntRange(1, 65535), help="Default: 8001, or a free one.")
@click.option(
    "--open/--no-open", "is_open", default=None, help="Open a browser; default: on a desktop only."
)
@click.option(
    "--read-only", "is_read_only", is_flag=True, help="Only look: no page can change anything."
)
@call
def inspect(it: Call, port: int | None, is_open: bool | None, is_read_only: bool) -> None:
    """Show the memory in a browser, until Ctrl-C.

    It shows what happens now, memories, turns, sessions, nights and what waits for a decision;
    Datasette beside it has tables and SQL. It listens on this machine only, behind a key that
    changes with every start. It needs the extra: pip install 'cogmem-sqlite[inspect]'.

    JSON: url, path.
    """
    from importlib.util import find_spec

    if find_spec("datasette") is None:
        raise InvalidInput(f"`cogmem inspect` needs an extra: {install_command('inspect')}")
    it.demand()
    # Opening brings the views up to date. It is closed before Datasette begins, in this process's
    # place: two SQLite libraries on one file in one process would undo each other's locks.
    with it.open(read_only=not os.access(beside(it.path), os.W_OK)):
        pass
    if is_open is None:
        has_screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
        is_open = sys.stdout.isatty() and (has_screen or sys.platform == "darwin")
    words = [sys.executable, "-P", "-m", "cogmem.inspect", beside(it.path)]
    words += ["--port", str(port)] if port else []
    words += ["--open"] if is_open else []
    words += ["--read-only"] if is_read_only else []
    words += ["--json"] if it.json else []
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, words)
