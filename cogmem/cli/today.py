"""`cogmem today`: one screen on what a memory did."""

from __future__ import annotations

from collections.abc import Iterable

import click

from cogmem.cli import show
from cogmem.cli.call import Command
from cogmem.cli.method import calls
from cogmem.memory import Memory
from cogmem.store.history import LoggedAct
from cogmem.text.lines import counted
from cogmem.verbs.today import Today, health

LINES = 5  # of each part
WIDTH = 96  # characters of a line
_BARS = " ▁▂▃▄▅▆▇█"


@click.command(cls=Command)
@calls(Memory.today, "since everywhere now", here=True, read_only=True)
def today(found: Today) -> None:
    """Show what was told, learned and changed today, what waits and what fades.

    JSON: since, at, turns, silent, learned, changed, waiting, growth, fading, last_night_at, last_backup,
    warnings, always_tokens, always_beyond, budget.
    """
    day, spent = found, sum(turn.tokens for turn in found.turns)
    told = f"{counted(len(day.turns), 'turn')}, {spent:,} tokens"
    silent = f"; silent in {day.silent}" if day.silent else ""
    turns = (
        f"{turn.prompt or 'a session began'}  ({turn.shown} shown, {turn.tokens} tokens)"
        for turn in day.turns
    )
    _part(f"Told: {told if day.turns else 'nothing'}{silent}", turns)
    _part(f"Learned: {_memories(day.learned)}", map(_learned, day.learned))
    _part(f"Changed: {_memories(day.changed)}", map(_did, day.changed))
    waits = [counted(n, what[:-1], what) for what, n in day.waiting.items() if n]
    click.echo(f"Waiting: {', '.join(waits)}: `cogmem review`" if waits else "Waiting: nothing")
    if day.growth:
        bars = _bars([row["learned"] for row in day.growth])
        gone = _bars([row["gone"] for row in day.growth])
        held, since = day.growth[-1]["living"], day.growth[0]["day"]
        went = f" gone {gone}" if gone.strip() else ""
        click.echo(f"Growth:  {held:,} held; since {since} learned {bars}{went}")
    if day.fading:
        first, bars = day.fading[0], _bars(day.fading_by_day())
        at = show.when(first["fades_at"])[:10]
        click.echo(f"Fading:  {len(day.fading)} within {len(bars)} days {bars}")
        click.echo(f"  next on {at}: {show.clipped(first['content'], WIDTH - 20)}")
    click.echo(f"Health:  {health(day)}")
    for warning in day.warnings:
        click.echo(f"  {warning}")


def _part(heading: str, lines: Iterable[str]) -> None:
    said = list(lines)
    click.echo(heading)
    for line in said[:LINES]:
        click.echo(f"  {show.clipped(line, WIDTH)}")
    if len(said) > LINES:
        click.echo(f"  … and {len(said) - LINES} more")


def _memories(acts: list[LoggedAct]) -> str:
    return counted(sum(act.memories for act in acts), "memory", "memories")


def _learned(act: LoggedAct) -> str:
    return _said(act) if act.memories < 2 else f"{act.verb}: {_said(act)}"


def _said(act: LoggedAct) -> str:
    several = counted(act.memories, "memory", "memories")
    return str(act.content or act.reason) if act.memories < 2 else several


def _did(act: LoggedAct) -> str:
    was = f"{act.was} → " if act.was and act.was != act.content else ""
    return f"{act.verb or 'by hand'}: {was}{_said(act)}"


def _bars(counts: list[int]) -> str:
    most = max(counts, default=0) or 1
    return "".join(_BARS[-(-8 * count // most)] for count in counts)
