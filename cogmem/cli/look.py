"""Commands that look into the memory."""

from __future__ import annotations

import os
from typing import Any

import click

from cogmem.cli import call as calls
from cogmem.cli import show
from cogmem.cli.call import Call, Command, call, everywhere, sayable, shown
from cogmem.cli.complete import KIND, MEMORY
from cogmem.cli.instants import Instant, Time
from cogmem.cli.method import takes
from cogmem.errors import InvalidInput, Locked, UnknownMemory, code_of
from cogmem.exchange.whole import File
from cogmem.memory import Memory
from cogmem.records import LAYERS, LISTED_STATES, PRIORITY_NAMES, STATES, Remembered
from cogmem.text.lines import counted, day, held
from cogmem.turn.activation import Activation, Considered

MADE_KEY = "auto."  # so begins what cogmem itself calls a memory: of no use to a person in a list
PATIENCE_MS = 250  # for whom else writes: the answer is there before, and a turn can go unrecorded
NOTHING = 3  # the exit code of a search without a result
narrowing = calls.options(
    click.option("--layer", type=click.Choice(LAYERS), help="Only this layer."),
    click.option("--kind", type=KIND, help="Only this kind; see `cogmem setting kind list`."),
    click.option("--tag", help="Only what has this tag."),
    click.option("--since", type=Instant(), help="Learned or said at or after this instant."),
    click.option("--until", type=Instant(), help="Learned or said before it."),
)


@click.command(cls=Command)
@takes(Memory.activate, "prompt budget session files now")
@click.option("--documents", metavar="FOLDER", help="Put its documents and saved memories first.")
@click.option(
    "--explain", is_flag=True, help="Say what the gate and the ranking made of each candidate."
)
@call
def activate(it: Call, /, prompt: str, documents: str | None, explain: bool, **given: Any) -> None:
    """Show the memories that matter for PROMPT.

    They stay within the budget. `-` reads standard input.

    JSON: stable, volatile, text, tokens, budget, items, omitted, turn, stable_hash,
    document_tokens, is_new.
    """
    if documents is not None and not os.path.isdir(documents):
        named = documents or "''"
        raise InvalidInput(f"{named} is not a folder: name the one whose documents count")
    is_said = False
    try:
        with it.open(
            here=True, must_exist=False, documents=documents, patience_ms=PATIENCE_MS
        ) as mem:
            turn = mem.activate(prompt, explain=explain, **given)
            it.say(turn, lambda: _show(turn, explain))
            is_said = True
    except Locked as error:  # a turn is recorded on closing: the answer need not wait for that
        if not is_said:
            raise
        calls.note(f"this turn is not recorded: {error}")


def _show(turn: Activation, explain: bool) -> None:
    if explain:
        likeliest = sorted([*turn.items, *turn.omitted], key=lambda one: -(one.chance or 0.0))
        show.table(likeliest, WEIGHED, none="nothing was found for this prompt")
    if not turn.text:
        calls.note("nothing that is held fits this prompt")
        return
    click.echo(shown(turn.text), nl=not turn.text.endswith("\n"))
    if calls.is_terminal():
        chosen = f"{counted(len(turn.items), 'item')}, {turn.tokens} of {turn.budget} tokens"
        calls.note(f"{chosen}, {turn.turn}")


def _chance(one: Any) -> str:
    return "" if one.chance is None else f"{one.chance:.2f}"


def _figures(one: Considered) -> str:
    return ", ".join(f"{name} {value:.2g}" for name, value in one.figures.items() if value)


WEIGHED: show.Columns = {
    "layer": "layer",
    "stage": lambda one: "shown" if one.stage == "chosen" else one.stage,
    "chance": _chance,
    "figures": _figures,
    "carried by": lambda one: ", ".join(
        f"{name} {value:+.2g}" for name, value in one.ranking.items()
    ),
    "text": "text",
}


@click.command(cls=Command)
@takes(Memory.recall, "query limit tokens history now")
@narrowing
@click.option("--state", type=click.Choice(STATES), help="Default: all but removed ones.")
@click.option(
    "--min-chance",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Leave out what has less of a chance to help, as a turn weighs it.",
)
@click.option(
    "--as-of",
    type=Time(),
    help="What was held true then, as it was known then: 2026-03-15, 2d, 'March 2026', 'last spring', 2025.",
)
@click.option(
    "--meaning", is_flag=True, help="By meaning as well; `cogmem model embed` comes first."
)
@call
def recall(it: Call, /, query: str, meaning: bool, **given: Any) -> None:
    """Search memories and recorded messages.

    What is found is strengthened. `-` reads standard input. Exit code 3: nothing found. A question about
    the past ("What was it called before?") also brings what no longer holds, as --history does;
    so does a query that nothing else fits.

    JSON: [{uid, origin, layer, kind, key, content, snippet, tags, state, source, speaker,
    path_glob, score, relevance, chance, strength, tokens, created_at, is_past, valid_from, valid_to}].
    """
    with it.open(here=True) as mem:
        if meaning:
            from cogmem.models.minilm import MiniLM

            mem.embedder = MiniLM()
        found = mem.recall(query, **given)
    columns: show.Columns = {
        "uid": "uid", "kind": "kind", "chance": _chance, "content": lambda one: show.clipped(one.text),
    }  # fmt: skip
    weaker = counted(found.weaker, "weaker one")
    notes = [f"{weaker} left out"] if found.weaker else []
    code = 0 if found else NOTHING
    show.rows(it, found, columns, none="nothing found", notes=notes, code=code)


@click.command(cls=Command)
@click.argument("name", type=MEMORY)
@everywhere
@call
def get(it: Call, name: str, everywhere: bool) -> None:
    """Show one memory, in whatever state.

    NAME is its uid or key. Exit code 3: there is none.

    JSON: its columns, its strength now, and `detail`, the row of its layer.
    """
    with it.open(here=True, everywhere=everywhere) as mem:
        try:
            row = mem.get(name, living=False)
        except UnknownMemory as error:
            message, hint = sayable(str(error)), str(error).rpartition(": ")[2]
            told = {"error": message, "code": code_of(error), "hint": hint}
            it.say(told, lambda: None, notes=[message], code=NOTHING)
    it.say(row, lambda: show.pairs(_described(row)))


def _described(row: Remembered) -> list[tuple[str, Any]]:
    fields = row.as_dict()
    for name in fields:
        if name.endswith("_at"):
            fields[name] = show.when(getattr(row, name))
    fields["priority"] = PRIORITY_NAMES[row.priority]
    del fields["detail"]
    for name, value in row.detail.items():
        instant = name.endswith("_at") or name in ("valid_from", "valid_to")
        fields[name] = show.when(value) if instant else value
    if row.detail.get("valid_to") == 0:
        fields["valid_to"] = "never true"
    if "steps" in fields:
        fields["steps"] = " → ".join(fields["steps"])
    return list(fields.items())


def _told(row: Remembered, now: int) -> str:
    """Return a memory's line, led by its time if it holds no more, or not yet."""
    if row.is_over(now):
        return held(row.detail["valid_from"], row.detail["valid_to"]) + row.line
    since = row.detail.get("valid_from") or 0
    return f"[from {day(since)}] {row.line}" if since > now else row.line


@click.command("list", cls=Command)
@narrowing
@click.option("--path", metavar="GLOB", help="Only what is about these files.")
@click.option(
    "--state", type=click.Choice(LISTED_STATES), help="Default: all but removed and expired ones."
)
@click.option("--limit", type=int, default=50, show_default=True, help="0 for all.")
@click.option("--always", is_flag=True, help="What stands in every prompt, and what is beyond it.")
@everywhere
@call
def list_(it: Call, /, limit: int, always: bool, everywhere: bool, **filters: Any) -> None:
    """List memories, the newest first.

    A narrow terminal shows fewer columns. JSON: [the memory, as get]; with --always [ref, kind, stage, text].
    """
    if always:
        if everywhere or any(filters.values()):
            raise click.UsageError(
                "--always lists all that always applies here: leave the filters out"
            )
        _always(it)
        return
    with it.open(here=True) as mem:
        rows = mem.list(limit=limit, everywhere=everywhere, **filters)
        is_full = limit > 0 and len(rows) == limit
        count = mem.count(everywhere=everywhere, **filters) if is_full else len(rows)
        now = mem.instant(None)
    columns: show.Columns = {
        "uid": "uid",
        "kind": "kind",
        "priority": lambda row: PRIORITY_NAMES[row.priority],
        "strength": lambda row: f"{row.strength:.2f}",
        "state": "state",
        "key": lambda row: "" if row.key.startswith(MADE_KEY) else row.key,
        "content": lambda row: show.clipped(_told(row, now)),
    }
    spare = ["key", "priority", "strength"]
    if len({row.state for row in rows}) < 2:  # what waits must not look like what is told
        spare.append("state")
    what = "no memory in sight fits" if any(filters.values()) else "no memories in sight"
    none = f"{what} (--everywhere looks into all)"
    show.rows(it, rows, columns, none=none, spare=spare, is_paged=True)
    if count > len(rows):
        calls.note(f"{len(rows):,} of {count:,} are shown (--limit 0 shows all)")


def _always(it: Call) -> None:
    """Tell what always applies, best first; what is beyond the ceiling is found when it fits."""
    with it.open(here=True) as mem:
        rows = mem.turns.always()
    columns: show.Columns = {
        "uid": "ref", "kind": "kind", "in every prompt": _stands, "content": lambda row: show.clipped(row.text),
    }  # fmt: skip
    show.rows(it, rows, columns, none="nothing always applies", is_paged=True)


def _stands(row: Considered) -> str:
    return "no room" if row.is_beyond else "yes" if row.stage == "chosen" else "another says it"


@click.command(cls=Command)
@takes(File.query, "text seconds rows")
@call
def sql(it: Call, text: str, seconds: float, rows: int) -> None:
    """Run your own SELECT.

    It cannot change anything, and sees the rows of every user and project. `-` reads standard input.

    JSON: columns, rows, is_cut.
    """
    it.must_be_for_all(
        "SQL sees the rows of every user", "`cogmem list` and `recall` show one user's"
    )
    with it.open(read_only=True) as mem:
        answer = mem.file.query(text, seconds=seconds, rows=rows)
    notes = ["SQL sees the whole file; --project limits nothing here"] if it.project else []
    result = answer.as_dict()
    result["rows"] = [
        [value.hex() if isinstance(value, bytes) else value for value in row] for row in answer.rows
    ]
    if answer.is_cut:
        notes.append(f"only the first {rows} rows are shown (--rows)")
    it.say(result, lambda: show.grid(answer.columns, answer.rows, none="no rows"), notes=notes)
