"""Commands that store and change memories, and intentions: what is told once, when its moment comes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click

from cogmem.cli.call import Call, Command, call, everywhere, read_text
from cogmem.cli.complete import KIND, MEMORY, SESSION
from cogmem.cli.instants import Instant
from cogmem.errors import InvalidInput
from cogmem.records import Learned
from cogmem.text.lines import told_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.learn.intentions import Intention

reason_option = click.option("--reason", default="", help="Why; kept in the history.")
now_option = click.option("--now", type=Instant(), help="The instant that counts as now.")


def _sentence(text: str) -> str:
    said = text.strip()
    return said if said.endswith((".", "!", "?")) else f"{said}."


def _say_learned(it: Call, learned: Learned) -> None:
    for note in learned.notes:
        click.echo(f"cogmem: {note}", err=True)
    it.say(learned.as_dict(), outcome_of(learned))


def outcome_of(learned: Learned) -> str:
    """Return what became of a text, in a line: a fact that supersedes another one is itself new."""
    if learned.outcome == "superseded":
        return f"inserted {learned.uid}, which supersedes {learned.other}"
    return f"{learned.outcome} {learned.uid}"


@click.command(cls=Command)
@click.argument("text")
@click.option(
    "--kind", type=KIND, default="fact", show_default=True, help="See `cogmem setting kind list`."
)
@click.option("--priority", help="critical, high, medium or normal; default: the kind's own.")
@click.option("--key", default="", help="A name; learning the same key again overwrites.")
@click.option("--tag", "tags", multiple=True, help="A word to find it by; repeatable.")
@click.option(
    "--path", default="", metavar="GLOB", help="The files that it is about (src/auth/**)."
)
@click.option(
    "--cite",
    "cites",
    multiple=True,
    metavar="PLACE",
    help="The code that it speaks of: a.py, a.py:10-20 or a.py#name; repeatable.",
)
@click.option(
    "--session", type=SESSION, default=None, metavar="ID", help="Keep it for this session only."
)
@click.option("--topic", default="", help="What a fact is about: a newer one closes an older one.")
@click.option("--valid-from", type=Instant(), help="Since when it is true.")
@click.option("--valid-to", type=Instant(), help="Until when it is true.")
@click.option(
    "--expires", "expires_at", type=Instant(ahead=True), help="From then on it is no longer shown."
)
@click.option("--source", default="user_explicit", show_default=True, help="How it was learned.")
@click.option(
    "--candidate", is_flag=True, help="Hold it back until it is said again or you restore it."
)
@click.option(
    "--rejected",
    metavar="REASON",
    help="It was tried or proposed, and turned down for this reason.",
)
@click.option(
    "--durable", is_flag=True, help="Wait until the disk has it: a power cut cannot take it."
)
@now_option
@call
def learn(
    it: Call, /, text: str, kind: str, candidate: bool, rejected: str | None, **given: Any
) -> None:
    """Remember TEXT.

    `-` reads standard input. Saying the same again strengthens it. JSON: uid, outcome, act,
    other, similarity, notes, verdict.
    """
    said = read_text(text)
    if rejected is not None:
        if not rejected.strip():
            raise InvalidInput("say why it was rejected: --rejected 'it lost jobs at restart'")
        said = f"Rejected: {_sentence(said)} Reason: {_sentence(rejected)}"
        kind = "rejected" if kind == "fact" else kind
    with it.open(must_exist=False) as mem:
        mem.store.demand_kind(kind)
        learned = mem.learn(said, kind, state="candidate" if candidate else None, **given)
    _say_learned(it, learned)


@click.command(cls=Command)
@click.argument("event")
@click.option(
    "--outcome", default="", help="How it ended: success, failure, learning or a sentence."
)
@click.option("--kind", type=KIND, default="episode", show_default=True, help="episode, event …")
@click.option("--tag", "tags", multiple=True, help="A word to find it by.")
@click.option("--path", default="", metavar="GLOB", help="The files that it is about.")
@click.option(
    "--session", "session_name", type=SESSION, default="", metavar="ID", help="Where it happened."
)
@click.option("--at", "happened_at", type=Instant(), help="When it happened.")
@now_option
@call
def episode(it: Call, /, event: str, outcome: str, kind: str, **given: Any) -> None:
    """Remember that EVENT happened.

    `-` reads standard input. JSON: as learn.
    """
    said = read_text(event)
    with it.open(must_exist=False) as mem:
        mem.store.demand_kind(kind)
        learned = mem.episode(said, outcome, kind=kind, **given)
    _say_learned(it, learned)


@click.command(cls=Command)
@click.argument("name")
@click.argument("steps", nargs=-1)
@click.option("--description", default="", help="What it is good for; default: its name.")
@click.option("--context", default="", help="When to use it.")
@click.option("--tag", "tags", multiple=True, help="A word to find it by.")
@click.option("--path", default="", metavar="GLOB", help="The files that it is about.")
@click.option("--success", "outcome", flag_value="success", help="It was tried and worked.")
@click.option("--failure", "outcome", flag_value="failure", help="It was tried and failed.")
@click.option("--reason", default="", help="Why it failed.")
@now_option
@call
def procedure(
    it: Call, /, name: str, steps: Sequence[str], outcome: str | None, reason: str, **given: Any
) -> None:
    """Remember the steps of doing NAME, or how a try went.

    A single step `-` reads the steps from standard input, one to a line. JSON: as learn; after
    --success or --failure: name, successes, failures.
    """
    if list(steps) == ["-"]:
        steps = [line.strip() for line in read_text("-").splitlines() if line.strip()]
    if outcome and steps:
        raise click.UsageError(
            "--success and --failure are for a procedure that is known: give no steps"
        )
    with it.open(must_exist=bool(outcome), here=bool(outcome)) as mem:
        if outcome:
            how = {"success": outcome == "success", "now": given["now"]}
            tried = mem.tried(name, reason=reason, **how)
            said = f"{name}: worked {tried.successes} ×, failed {tried.failures} ×"
            it.say({"name": name, **tried.as_dict()}, said)
            return
        learned = mem.procedure(name, steps, **given)
    _say_learned(it, learned)


@click.command(cls=Command)
@click.argument("name", type=MEMORY)
@click.option("--content", help="The new text (`-` reads standard input).")
@click.option("--kind", type=KIND, help="The new kind.")
@click.option("--priority")
@click.option("--key")
@click.option("--tag", "tags", multiple=True, help="Replaces all its tags.")
@click.option("--path", metavar="GLOB", help="The files that it is about.")
@click.option(
    "--expires", "expires_at", type=Instant(ahead=True), help="From then on it is no longer shown."
)
@everywhere
@call
def update(
    it: Call, /, name: str, content: str | None, tags: Sequence[str], everywhere: bool, **given: Any
) -> None:
    """Change parts of a memory.

    NAME is its uid or key. JSON: the memory, as get.
    """
    said = None if content is None else read_text(content)
    with it.open(here=True, everywhere=everywhere) as mem:
        row = mem.update(name, content=said, tags=list(tags) or None, **given)
    it.say(row.as_dict(), f"updated {row.uid}")


def _change_state(
    it: Call, names: Sequence[str], verb: str, done: str, everywhere: bool, **details: Any
) -> None:
    results = []
    with it.open(here=True, everywhere=everywhere) as mem:
        for name in names:
            uid = mem.get(name, living=verb != "restore").uid
            results.append({"uid": uid, "act": getattr(mem, verb)(uid, **details)})
    it.say(results, "\n".join(f"{done} {result['uid']}" for result in results))


@click.command(cls=Command)
@click.argument("names", nargs=-1, required=True, type=MEMORY)
@click.option("--reason", default="removed by hand", help="Why; kept in the history.")
@everywhere
@call
def remove(it: Call, names: Sequence[str], reason: str, everywhere: bool) -> None:
    """Hide memories from lists, turns and search.

    NAMES are uids or keys. JSON: [{uid, act}]. `cogmem restore` or `cogmem undo` brings them back;
    `cogmem bulk remove` takes many by what they hold.
    """
    _change_state(it, names, "remove", "removed", everywhere, reason=reason)


@click.command(cls=Command)
@click.argument("names", nargs=-1, required=True, type=MEMORY)
@everywhere
@call
def restore(it: Call, names: Sequence[str], everywhere: bool) -> None:
    """Bring removed, archived or candidate memories back.

    NAMES are uids or keys. A key that several removed ones had is not enough; the error lists the uids.
    JSON: [{uid, act}].
    """
    _change_state(it, names, "restore", "restored", everywhere)


learn.parts = {"episode": episode, "procedure": procedure}

# -- intentions ------------------------------------------------------------------------------------


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
def intended_done(it: Call, /, uid: str, now: datetime | None) -> None:
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


intend.parts = {"list": waiting, "done": intended_done, "again": again}
