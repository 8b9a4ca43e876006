"""Commands for what is picked up from what people say: one message, and the rules that read it."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, Group, call, now
from cogmem.cli.complete import KIND, SESSION
from cogmem.cli.method import takes
from cogmem.cli.remember import outcome_of
from cogmem.memory import Memory


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
    columns: show.Columns = {
        "rule": "name", "kind": "kind", "example": "example",
        "stored as": lambda row: row["state"] if row["is_enabled"] else "off",
    }  # fmt: skip
    show.rows(it, [row._asdict() for row in rows], columns)


@rules.command("check")
@call
def rules_check(it: Call) -> None:
    """Test every rule against its own example and counter-example. JSON: {problems}."""
    with it.open(read_only=True) as mem:
        wrong = mem.listener.check()
    told = "\n".join(wrong) or "every rule proves itself"
    it.say({"problems": wrong}, told, code=1 if wrong else 0)


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
def rules_add(it: Call, /, candidate: bool, **row: Any) -> None:
    """Add rule NAME with a re2 PATTERN, if it passes its own test. JSON: name, act."""
    row["state"] = "candidate" if candidate else "active"
    with it.open() as mem:
        act = mem.listener.add(row, now=now())
    it.say({"name": row["name"], "act": act}, f"added {row['name']}")


def _switch(it: Call, name: str, enabled: bool) -> None:
    with it.open() as mem:
        act = mem.listener.enable(name, enabled, now=now())
    it.say({"name": name, "act": act}, f"{name} is {'in' if enabled else 'out of'} use")


for _verb, _is_on in (("enable", True), ("disable", False)):
    _help = f"{_verb.capitalize()} rule NAME. JSON: name, act."
    _switched = call(partial(_switch, enabled=_is_on))
    rules.command(_verb, help=_help)(click.argument("name")(_switched))


@click.command(cls=Command)
@takes(Memory.capture, "text at")
@click.option("--role", type=click.Choice(("user", "assistant")), default="user", show_default=True)
@click.option("--session", type=SESSION, metavar="ID", help="The session in which it was said.")
@call
def capture(it: Call, /, text: str, role: str, **given: Any) -> None:
    """Learn what one message says that is worth keeping.

    `-` reads standard input. JSON: learned, refreshed, refused.
    """
    with it.open(must_exist=False) as mem:
        heard = mem.capture(text, role, **given)
    lines = [outcome_of(one) for one in heard.learned]
    lines += [f"kept alive {uid}" for uid in heard.refreshed]
    it.say(heard, "\n".join(lines) or "nothing to keep", notes=heard.refused)


capture.parts = {"rules": rules}
