"""Commands that look into the memory."""

from __future__ import annotations

import os
from datetime import datetime
from typing import Any

import click

from cogmem.cli import call as calls
from cogmem.cli import show
from cogmem.cli.call import Call, Command, call, everywhere, one_line, read_text, shown
from cogmem.cli.complete import KIND, MEMORY, SESSION
from cogmem.cli.instants import Instant, Time
from cogmem.cli.remember import now_option
from cogmem.errors import InvalidInput, Locked, UnknownMemory, code_of
from cogmem.records import LAYERS, LISTED_STATES, PRIORITY_NAMES, STATES, Remembered
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
@click.argument("prompt")
@click.option("--budget", type=int, help="Tokens it may cost; default: the setting budget_tokens.")
@click.option(
    "--session",
    type=SESSION,
    metavar="ID",
    help="The session, whose stable text stays the same while it lasts.",
)
@click.option("--file", "files", multiple=True, metavar="PATH", help="A file at hand; repeatable.")
@click.option("--documents", metavar="FOLDER", help="Put its documents and saved memories first.")
@click.option(
    "--explain", is_flag=True, help="Say what the gate and the ranking made of each candidate."
)
@now_option
@call
def activate(
    it: Call,
    /,
    prompt: str,
    documents: str | None,
    explain: bool,
    now: datetime | None,
    **given: Any,
) -> None:
    """Show the memories that matter for PROMPT.

    They stay within the budget. `-` reads standard input.

    JSON: stable, volatile, text, tokens, budget, items, omitted, turn, stable_hash,
    document_tokens, is_new.
    """
    said = read_text(prompt)
    if documents is not None and not os.path.isdir(documents):
        raise InvalidInput(f"{documents} is not a folder: name the one whose documents count")
    is_said = False
    try:
        with it.open(
            here=True, must_exist=False, documents=documents, patience_ms=PATIENCE_MS
        ) as mem:
            turn = mem.activate(said, now=now, explain=explain, **given)
            it.say(turn.as_dict(), lambda: _show(turn, explain))
            is_said = True
    except Locked as error:  # a turn is recorded on closing: the answer need not wait for that
        if not is_said:
            raise
        click.echo(f"cogmem: this turn is not recorded: {error}", err=True)


def _show(turn: Activation, explain: bool) -> None:
    if explain:
        columns = ("layer", "stage", "chance", "figures", "carried by", "text")
        show.table(columns, _weighed(turn), none="nothing was found for this prompt")
    if not turn.text:
        click.echo("cogmem: nothing that is held fits this prompt", err=True)
        return
    click.echo(shown(turn.text), nl=not turn.text.endswith("\n"))
    if calls.is_terminal():
        chosen = f"{show.counted(len(turn.items), 'item', 'items')}, {turn.tokens} of {turn.budget} tokens"
        click.echo(f"cogmem: {chosen}, {turn.turn}", err=True)


def _weighed(turn: Activation) -> list[tuple[object, ...]]:
    """Return each candidate with its chance and the figures behind it, the likeliest first."""
    rows: list[tuple[object, ...]] = []
    for one in sorted([*turn.items, *turn.omitted], key=lambda one: -(one.chance or 0.0)):
        stage = "shown" if one.stage == "chosen" else one.stage
        figures = ", ".join(f"{name} {value:.2g}" for name, value in one.figures.items() if value)
        carried = ", ".join(f"{name} {value:+.2g}" for name, value in one.ranking.items())
        rows.append((one.layer, stage, _chance(one), figures, carried, one_line(one.text)))
    return rows


def _chance(one: Any) -> str:
    return "" if one.chance is None else f"{one.chance:.2f}"


def _priority(row: Any) -> str:
    return PRIORITY_NAMES[row.priority]


def _key(row: Any) -> str:
    return "" if row.key.startswith(MADE_KEY) else str(row.key)


@click.command(cls=Command)
@click.argument("query")
@narrowing
@click.option("--state", type=click.Choice(STATES), help="Default: all but removed ones.")
@click.option("--limit", type=int, default=8, show_default=True)
@click.option(
    "--tokens", type=click.IntRange(min=0), help="The token limit for all results together."
)
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
    "--history", is_flag=True, help="Also what no longer holds, with the time when it held."
)
@click.option(
    "--meaning", is_flag=True, help="By meaning as well; `cogmem model embed` comes first."
)
@now_option
@click.pass_context
def recall(ctx: click.Context, /, query: str, meaning: bool, **given: Any) -> None:
    """Search memories and recorded messages.

    What is found is strengthened. `-` reads standard input. Exit code 3: nothing found. A question about
    the past ("What was it called before?") also brings what no longer holds, as --history does;
    so does a query that nothing else fits.

    JSON: [{uid, origin, layer, kind, key, content, snippet, tags, state, source, speaker,
    path_glob, score, relevance, chance, strength, tokens, created_at, is_past, valid_from, valid_to}].
    """
    it = ctx.ensure_object(Call)
    said = read_text(query)
    with it.open(here=True) as mem:
        if meaning:
            from cogmem.models.minilm import MiniLM

            mem.embedder = MiniLM()
        found = mem.recall(said, **given)
    fields = ("uid", "kind", _chance, lambda one: show.clipped(one.text))
    show.rows(it, found, ("uid", "kind", "chance", "content"), fields, none="nothing found")
    if found.weaker:
        click.echo(f"{show.counted(found.weaker, 'weaker one', 'weaker ones')} left out", err=True)
    if not found:
        ctx.exit(NOTHING)


@click.command(cls=Command)
@click.argument("name", type=MEMORY)
@everywhere
@click.pass_context
def get(ctx: click.Context, name: str, everywhere: bool) -> None:
    """Show one memory, in whatever state.

    NAME is its uid or key. Exit code 3: there is none.

    JSON: its columns, its strength now, and `detail`, the row of its layer.
    """
    it = ctx.ensure_object(Call)
    with it.open(here=True, everywhere=everywhere) as mem:
        try:
            row = mem.get(name, living=False)
        except UnknownMemory as error:
            message, hint = str(error), str(error).rpartition(": ")[2]
            it.say({"error": message, "code": code_of(error), "hint": hint}, lambda: None)
            click.echo(f"cogmem: {message}", err=True)
            ctx.exit(NOTHING)
    it.say(row.as_dict(), lambda: show.pairs(_described(row)))


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
    return list(fields.items())


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
        held = mem.count(everywhere=everywhere, **filters) if is_full else len(rows)
    columns = ("uid", "kind", "priority", "strength", "state", "key", "content")
    fields = (
        *("uid", "kind", _priority, lambda row: f"{row.strength:.2f}", "state"),
        *(_key, lambda row: show.clipped(row.line)),
    )
    spare = ("key", "state", "priority", "strength")
    none = "no memories in sight (--everywhere looks into all)"
    show.rows(it, rows, columns, fields, none=none, spare=spare, is_paged=True)
    if held > len(rows):
        click.echo(f"cogmem: {len(rows):,} of {held:,} are shown (--limit 0 shows all)", err=True)


def _always(it: Call) -> None:
    """Tell what always applies, best first; what is beyond the ceiling is found when it fits."""
    with it.open(here=True) as mem:
        rows = mem.turns.always()
    columns = ("uid", "kind", "in every prompt", "content")
    fields = ("ref", "kind", _stands, lambda row: show.clipped(row.text))
    show.rows(it, rows, columns, fields, none="nothing always applies", is_paged=True)


def _stands(row: Considered) -> str:
    return "no room" if row.is_beyond else "yes" if row.stage == "chosen" else "another says it"


@click.command(cls=Command)
@click.argument("text")
@click.option("--seconds", type=float, default=5.0, show_default=True, help="The time limit.")
@click.option(
    "--rows", type=click.IntRange(min=0), default=1000, show_default=True, help="The row limit."
)
@call
def sql(it: Call, text: str, seconds: float, rows: int) -> None:
    """Run your own SELECT.

    It cannot change anything, and sees the rows of every user and project. `-` reads standard input.

    JSON: columns, rows, is_cut.
    """
    statement = read_text(text)
    it.must_be_for_all(
        "SQL sees the rows of every user", "`cogmem list` and `recall` show one user's"
    )
    with it.open(read_only=True) as mem:
        answer = mem.file.query(statement, seconds=seconds, rows=rows)
    if it.project:
        click.echo("cogmem: SQL sees the whole file; --project limits nothing here", err=True)
    result = answer.as_dict()
    result["rows"] = [
        [value.hex() if isinstance(value, bytes) else value for value in row] for row in answer.rows
    ]
    it.say(result, lambda: show.table(answer.columns, answer.rows, none="no rows"))
    if answer.is_cut:
        click.echo(f"cogmem: only the first {rows} rows are shown (--rows)", err=True)
