"""Commands that store and change memories, and intentions: what is told once, when its moment comes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click

from cogmem.cli.call import Call, Command, call, everywhere, read_text
from cogmem.cli.complete import MEMORY, SESSION
from cogmem.cli.method import calls, takes
from cogmem.errors import InvalidInput
from cogmem.learn.intentions import Intentions
from cogmem.memory import Memory
from cogmem.records import Learned, Remembered
from cogmem.text.lines import told_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.learn.intentions import Intention


def _sentence(text: str) -> str:
    said = text.strip()
    return said if said.endswith((".", "!", "?")) else f"{said}."


def outcome_of(found: Learned) -> str:
    """Return what became of a text, in a line: a fact that supersedes another one is itself new."""
    if found.outcome == "superseded":
        return f"inserted {found.uid}, which supersedes {found.other}"
    return f"{found.outcome} {found.uid}"


@click.command(cls=Command)
@takes(
    Memory.learn,
    "text kind priority key tags path cites topic valid_from valid_to expires_at source durable now",
)
@click.option("--session", type=SESSION, metavar="ID", help="Keep it for this session only.")
@click.option(
    "--candidate", is_flag=True, help="Hold it back until it is said again or you restore it."
)
@click.option(
    "--rejected",
    metavar="REASON",
    help="It was tried or proposed, and turned down for this reason.",
)
@call
def learn(
    it: Call, /, text: str, kind: str, candidate: bool, rejected: str | None, **given: Any
) -> None:
    """Remember TEXT.

    `-` reads standard input. Saying the same again strengthens it. JSON: uid, outcome, act,
    other, similarity, notes, verdict.
    """
    if rejected is not None:
        if not rejected.strip():
            raise InvalidInput("say why it was rejected: --rejected 'it lost jobs at restart'")
        text = f"Rejected: {_sentence(text)} Reason: {_sentence(rejected)}"
        kind = "rejected" if kind == "fact" else kind
    with it.open(must_exist=False) as mem:
        mem.store.kinds.demand(kind)
        learned = mem.learn(text, kind, state="candidate" if candidate else None, **given)
    it.say(learned, outcome_of(learned), notes=learned.notes)


@click.command(cls=Command)
@calls(
    Memory.episode,
    "event outcome kind tags path session_name happened_at now",
    must_exist=False,
)
def episode(found: Learned) -> str:
    """Remember that EVENT happened.

    `-` reads standard input. JSON: as learn.
    """
    return outcome_of(found)


@click.command(cls=Command)
@click.argument("name")
@click.argument("steps", nargs=-1)
@takes(Memory.procedure, "description context tags path now")
@click.option("--success", "outcome", flag_value="success", help="It was tried and worked.")
@click.option("--failure", "outcome", flag_value="failure", help="It was tried and failed.")
@click.option("--reason", default="", help="Why it failed.")
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
    it.say(learned, outcome_of(learned), notes=learned.notes)


@click.command(cls=Command)
@calls(Memory.update, "name content kind priority key tags path expires_at everywhere", here=True)
def update(found: Remembered) -> str:
    """Change parts of a memory.

    NAME is its uid or key. JSON: the memory, as get.
    """
    return f"updated {found.uid}"


def _change_state(
    it: Call, names: Sequence[str], verb: str, done: str, everywhere: bool, **details: Any
) -> None:
    with it.open(here=True, everywhere=everywhere) as mem:
        # All names first: one that is not known changes nothing of the others.
        uids = dict.fromkeys(mem.get(name, living=verb != "restore").uid for name in names)
        results = [{"uid": uid, "act": getattr(mem, verb)(uid, **details)} for uid in uids]
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
@takes(Intentions.add, "now")
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
    it.say(learned, outcome_of(learned))


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
    it.say(rows, "\n".join(lines) or "nothing is intended")


def _state(row: Intention) -> str:
    if row.told_at is None:
        return " or ".join(row.when)
    return f"told on {told_day(int(row.told_at.timestamp() * 1000))}: done?"


done = calls(Intentions.done, "uid now", here=True)("done: {uid}")
again = calls(Intentions.again, "uid now", here=True)("it waits again: {uid}")
intend.parts = {
    "list": waiting,
    "done": click.command(cls=Command)(done),
    "again": click.command(cls=Command)(again),
}
