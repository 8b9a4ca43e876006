"""Commands that set right what is held: facts and their time, contradictions, rules, forgetting."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, Group, call, read_text
from cogmem.cli.complete import KIND, MEMORY, SESSION
from cogmem.cli.instants import Instant
from cogmem.cli.remember import now_option, outcome_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NOT_YET = "another process is reading, or a node of the cluster is away"

reason_option = click.option("--reason", default="", help="Why; kept in the history.")


@click.command(cls=Command)
@click.argument("name", type=MEMORY)
@click.argument("text")
@reason_option
@now_option
@call
def correct(it: Call, name: str, text: str, reason: str, now: datetime | None) -> None:
    """Say that fact NAME was wrong all along and TEXT is true.

    `-` reads standard input. JSON: as learn.
    """
    said = read_text(text)
    with it.open() as mem:
        learned = mem.facts.correct(name, said, reason=reason, now=now)
    it.say(learned.as_dict(), f"{learned.uid} takes the place of {learned.other}")


@click.command(cls=Command)
@click.argument("old")
@click.argument("new")
@reason_option
@now_option
@call
def supersede(it: Call, old: str, new: str, reason: str, now: datetime | None) -> None:
    """Let fact NEW replace fact OLD from the time at which NEW became true. JSON: act."""
    with it.open() as mem:
        act = mem.facts.supersede(old, new, reason=reason, now=now)
    it.say({"act": act}, f"{new} takes the place of {old}")


@click.command(cls=Command)
@click.argument("name", type=MEMORY)
@click.option("--ends", type=Instant(), help="Since when it no longer holds; default: now.")
@reason_option
@now_option
@call
def retire(it: Call, name: str, ends: datetime | None, reason: str, now: datetime | None) -> None:
    """Say that fact NAME no longer holds. JSON: act."""
    with it.open() as mem:
        act = mem.facts.retire(name, ends=ends, reason=reason, now=now)
    it.say({"act": act}, f"{name} holds no more; it still answers for its time")


@click.command(cls=Command)
@click.argument("names", nargs=-1, required=True, metavar="UID…", type=MEMORY)
@click.option(
    "--word", "words", multiple=True, help="A distinctive word that must disappear everywhere."
)
@click.option(
    "--most",
    type=int,
    help="The most memories that words may remove; default: a tenth of what you see.",
)
@click.option("--yes", is_flag=True, help="Do it; without this, only show what would go.")
@click.option(
    "--confirm", metavar="NUMBER", help="Do it, if it still matches the preview with this number."
)
@reason_option
@now_option
@call
def forget(
    it: Call,
    names: Sequence[str],
    words: Sequence[str],
    most: int | None,
    yes: bool,
    confirm: str | None,
    reason: str,
    now: datetime | None,
) -> None:
    """Remove memories (UID) and messages (msg_N) for good, with all traces.

    With --word, at most a tenth of what you can see is forgotten, and nothing of other users. It
    cannot be undone. JSON: uids, messages, removed, left, files, places, number, is_scrubbed.
    """
    yes = yes or confirm is not None
    with it.open() as mem:
        receipt = mem.forget(
            *names, words=words, most=most, confirm=confirm, reason=reason, dry_run=not yes, now=now
        )
    rows = sum(receipt.removed.values())
    counts = (
        show.counted(len(receipt.uids), "memory", "memories"),
        show.counted(len(receipt.messages), "message", "messages"),
    )
    what = f"{' and '.join(counts)} ({show.counted(rows, 'row', 'rows')} in all)"
    said = [
        f"forgot {what}"
        if yes
        else f"would forget {what}; `--confirm {receipt.number}` does it, and nothing brings it back"
    ]
    said += [f"  stays, since it says more or is another's: {name}" for name in receipt.left]
    said += [f"  not touched, and may still hold it: {path}" for path in receipt.files]
    said += [
        f"  {table}: {show.counted(count, 'row', 'rows')}"
        for table, count in sorted(receipt.removed.items())
    ]
    said += [
        f"  still there, {show.counted(count, 'time', 'times')}: {place}"
        for place, count in receipt.places.items()
    ]
    if yes and not receipt.is_scrubbed:
        said.append(f"  free pages are not overwritten yet, {_NOT_YET}: `cogmem scrub`")
    it.say(receipt.as_dict(), "\n".join(said))


@click.command(cls=Command)
@call
def scrub(it: Call) -> None:
    """Overwrite the pages that held what was forgotten. JSON: is_scrubbed."""
    with it.open() as mem:
        done = mem.file.scrub()
    it.say({"is_scrubbed": done}, "overwritten" if done else f"not yet: {_NOT_YET}")


@click.group(cls=Group, invoke_without_command=True)
@click.pass_context
def conflicts(context: click.Context) -> None:
    """Contradictions; without a subcommand, lists them."""
    if context.invoked_subcommand is None:
        context.invoke(conflicts_list)


@conflicts.command("list")
@call
def conflicts_list(it: Call) -> None:
    """List contradictions.

    JSON: [{reason, topic, uid, content, created_at, other_uid, other_content, other_created_at, why}].
    """
    with it.open(read_only=True) as mem:
        rows = mem.facts.conflicts()
    cells = [
        (
            row.why,
            row.uid,
            row.content,
            row.other_uid,
            row.other_content,
        )
        for row in rows
    ]
    it.say(
        rows,
        lambda: show.table(
            ("why", "newer", "it says", "older", "it says"), cells, none="no contradictions"
        ),
    )


@conflicts.command("resolve")
@click.argument("one")
@click.argument("other")
@click.option("--keep", default="", metavar="UID", help="The one that holds; default: both do.")
@now_option
@call
def conflicts_resolve(it: Call, one: str, other: str, keep: str, now: datetime | None) -> None:
    """Settle a contradiction between ONE and OTHER. JSON: act."""
    with it.open() as mem:
        act = mem.facts.settle(one, other, keep=keep, now=now)
    it.say({"act": act}, f"{keep} holds" if keep else "both hold")


@click.group(cls=Group)
def rules() -> None:
    """What is captured from messages, one pattern per row."""


@rules.command("list")
@call
def rules_list(it: Call) -> None:
    """List the rules in the order in which they are tried.

    JSON: [{name, family, language, position, pattern, veto, kind, priority, polarity, confidence,
    state, outcome, example, counter_example, is_enabled}].
    """
    with it.open(read_only=True) as mem:
        rows = mem.listener.describe()
    cells = [
        (row.name, row.kind, row.state if row.is_enabled else "off", row.example) for row in rows
    ]
    it.say(
        [row._asdict() for row in rows],
        lambda: show.table(("rule", "kind", "stored as", "example"), cells),
    )


@rules.command("check")
@call
def rules_check(it: Call) -> None:
    """Test every rule against its own example and counter-example. JSON: {problems}."""
    with it.open(read_only=True) as mem:
        wrong = mem.listener.check()
    it.say({"problems": wrong}, "\n".join(wrong) or "every rule proves itself")
    if wrong:
        raise click.exceptions.Exit(1)


@rules.command("add")
@click.argument("name")
@click.argument("pattern")
@click.option(
    "--family", required=True, help="constraint, correction, preference, remember, self_error."
)
@click.option("--kind", type=KIND, required=True, help="What it is stored as.")
@click.option("--example", required=True, help="A message that it must capture.")
@click.option(
    "--counter-example", required=True, help="A similar message that it must not capture."
)
@click.option("--veto", help="Skip a clause in which this is found.")
@click.option("--position", type=int, default=100, show_default=True)
@click.option("--candidate", is_flag=True, help="Store it as a candidate until it is said again.")
@call
def rules_add(
    it: Call,
    name: str,
    pattern: str,
    family: str,
    kind: str,
    example: str,
    counter_example: str,
    veto: str | None,
    position: int,
    candidate: bool,
) -> None:
    """Add rule NAME with a re2 PATTERN, if it passes its own test. JSON: name, act."""
    row = {
        "name": name,
        "pattern": pattern,
        "family": family,
        "kind": kind,
        "example": example,
        "counter_example": counter_example,
        "veto": veto,
        "position": position,
        "state": "candidate" if candidate else "active",
    }
    with it.open() as mem:
        act = mem.listener.add(row, actor=it.actor, now=_now())
    it.say({"name": name, "act": act}, f"added {name}")


def _switch(it: Call, name: str, enabled: bool) -> None:
    with it.open() as mem:
        act = mem.listener.enable(name, enabled, actor=it.actor, now=_now())
    it.say({"name": name, "act": act}, f"{name} is {'in' if enabled else 'out of'} use")


@rules.command("enable")
@click.argument("name")
@call
def rules_enable(it: Call, name: str) -> None:
    """Enable rule NAME. JSON: name, act."""
    _switch(it, name, True)


@rules.command("disable")
@click.argument("name")
@call
def rules_disable(it: Call, name: str) -> None:
    """Disable rule NAME. JSON: name, act."""
    _switch(it, name, False)


@click.command(cls=Command)
@click.argument("text")
@click.option("--role", type=click.Choice(("user", "assistant")), default="user", show_default=True)
@click.option(
    "--session", type=SESSION, default=None, metavar="ID", help="The session in which it was said."
)
@click.option("--at", type=Instant(), help="When it was said.")
@call
def capture(it: Call, text: str, role: str, session: str | None, at: datetime | None) -> None:
    """Learn what one message says that is worth keeping.

    `-` reads standard input. JSON: learned, refreshed, refused.
    """
    said = read_text(text)
    with it.open(must_exist=False) as mem:
        heard = mem.capture(said, role, session=session, at=at)
    lines = [outcome_of(one) for one in heard.learned]
    lines += [f"kept alive {uid}" for uid in heard.refreshed]
    for refusal in heard.refused:
        click.echo(f"cogmem: {refusal}", err=True)
    it.say(heard.as_dict(), "\n".join(lines) or "nothing to keep")


def _now() -> int:
    at = datetime.now(UTC)
    return int(at.timestamp() * 1000)


COMMANDS = {
    "correct": correct,
    "supersede": supersede,
    "retire": retire,
    "forget": forget,
    "scrub": scrub,
    "conflicts": conflicts,
    "rules": rules,
    "capture": capture,
}
