"""The two small collections that every prompt shows: about the user, and about the environment."""

from __future__ import annotations

import time

import click

from cogmem.cli.call import Call, Group, call, one_line, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

target = click.argument("target", type=click.Choice(("user", "env")))


@click.group(cls=Group)
def facts() -> None:
    """Two small collections that are always shown: user and env."""


def _now() -> int:
    return time.time_ns() // 1_000_000


@facts.command("show")
@click.argument("target", type=click.Choice(("user", "env")), required=False)
@call
def facts_show(it: Call, target: str | None) -> None:
    """Show the entries and how full each collection is. JSON: [{target, entries, characters, limit}]."""
    with it.open(read_only=True, here=True) as mem:
        held = mem.facts()
        found: list[dict[str, Any]] = [
            {
                "target": one, "entries": held.entries(one), "characters": len(held.text(one)),
                "limit": held.limit(one),
            }
            for one in ((target,) if target else ("user", "env"))
        ]  # fmt: skip

    def human() -> None:
        for one in found:
            full = f" of {one['limit']}" if one["limit"] else ""
            click.echo(f"{one['target']}: {one['characters']}{full} characters")
            for entry in one["entries"]:
                click.echo(f"- {one_line(entry)}")

    it.say(found, human)


@facts.command("add")
@target
@click.argument("text")
@call
def facts_add(it: Call, target: str, text: str) -> None:
    """Add TEXT ("-": from standard input). JSON: what became of it."""
    with it.open(must_exist=False) as mem:
        learned = mem.facts().add(target, read_text(text), now=_now())
    answer: dict[str, Any] = learned.as_dict()
    it.say(answer, f"{learned.outcome}: {learned.uid}")


@facts.command("replace")
@target
@click.argument("old")
@click.argument("new")
@call
def facts_replace(it: Call, target: str, old: str, new: str) -> None:
    """Put NEW in the place of the one entry that holds OLD. JSON: uid."""
    with it.open() as mem:
        uid = mem.facts().replace(target, old, read_text(new), now=_now())
    it.say({"uid": uid}, f"replaced: {uid}")


@facts.command("remove")
@target
@click.argument("old")
@call
def facts_remove(it: Call, target: str, old: str) -> None:
    """Take away the one entry that holds OLD; `restore` brings it back. JSON: uid."""
    with it.open() as mem:
        uid = mem.facts().remove(target, old, now=_now())
    it.say({"uid": uid}, f"removed: {uid}; `cogmem restore {uid}` brings it back")


COMMANDS = {"facts": facts}
