"""Commands for what is held true: its time, its contradictions, what depends on it, and two that say the same."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Group, call, everywhere, read_text
from cogmem.cli.complete import MEMORY
from cogmem.cli.instants import Instant
from cogmem.cli.remember import now_option, reason_option


@click.group(cls=Group)
def fact() -> None:
    """What is held true: correct it, let a newer fact replace it, end it, settle contradictions."""


@fact.command()
@click.argument("name", type=MEMORY)
@click.argument("text")
@reason_option
@now_option
@call
def correct(it: Call, /, name: str, text: str, **given: Any) -> None:
    """Say that fact NAME was wrong all along and TEXT is true.

    `-` reads standard input. JSON: as learn.
    """
    said = read_text(text)
    with it.open(here=True) as mem:
        learned = mem.facts.correct(name, said, **given)
    it.say(learned.as_dict(), f"{learned.uid} takes the place of {learned.other}")


@fact.command()
@click.argument("old")
@click.argument("new")
@reason_option
@now_option
@call
def supersede(it: Call, /, old: str, new: str, **given: Any) -> None:
    """Let fact NEW replace fact OLD from the time at which NEW became true. JSON: act."""
    with it.open(here=True) as mem:
        act = mem.facts.supersede(old, new, **given)
    it.say({"act": act}, f"{new} takes the place of {old}")


@fact.command()
@click.argument("name", type=MEMORY)
@click.option("--ends", type=Instant(), help="Since when it no longer holds; default: now.")
@reason_option
@now_option
@call
def retire(it: Call, /, name: str, **given: Any) -> None:
    """Say that fact NAME no longer holds. JSON: act."""
    with it.open(here=True) as mem:
        act = mem.facts.retire(name, **given)
    it.say({"act": act}, f"{name} holds no more; it still answers for its time")


@fact.group(cls=Group, invoke_without_command=True)
@click.pass_context
def conflicts(context: click.Context) -> None:
    """List contradictions, or settle one."""
    if context.invoked_subcommand is None:
        context.invoke(conflicts_list)


@conflicts.command("list")
@everywhere
@call
def conflicts_list(it: Call, everywhere: bool) -> None:
    """List contradictions.

    JSON: [{reason, topic, uid, content, created_at, other_uid, other_content, other_created_at, why}].
    """
    with it.open(here=True, read_only=True) as mem:
        rows = mem.facts.conflicts(everywhere=everywhere)
    columns = ("why", "newer", "it says", "older", "it says")
    fields = "why uid content other_uid other_content"
    none = "no contradictions in sight (`cogmem fact conflicts list --everywhere` looks into all)"
    show.rows(it, rows, columns, fields, none=none)


@conflicts.command("resolve")
@click.argument("one")
@click.argument("other")
@click.option("--keep", default="", metavar="UID", help="The one that holds; default: both do.")
@everywhere
@now_option
@call
def conflicts_resolve(
    it: Call, one: str, other: str, keep: str, everywhere: bool, now: datetime | None
) -> None:
    """Settle a contradiction between ONE and OTHER. JSON: act."""
    with it.open(here=True, everywhere=everywhere) as mem:
        act = mem.facts.settle(one, other, keep=keep, now=now)
    it.say({"act": act}, f"{keep} holds" if keep else "both hold")


@fact.command()
@click.argument("name", type=MEMORY)
@click.option("--on", required=True, metavar="FACT", help="The uid or key of the fact it rests on.")
@now_option
@call
def depend(it: Call, name: str, on: str, now: datetime | None) -> None:
    """Say that memory NAME depends on a fact: when that is over, NAME is marked. JSON: act."""
    with it.open(here=True) as mem:
        act = mem.facts.depend(name, on, now=now)
    it.say({"act": act}, f"{name} depends on {on}")


@fact.command()
@everywhere
@call
def doubts(it: Call, everywhere: bool) -> None:
    """List memories that depend on a fact which is over.

    JSON: [{uid, content, ended_uid, ended_content, newer_content, ended_at, why}].
    """
    with it.open(here=True, read_only=True, everywhere=everywhere) as mem:
        rows = mem.facts.doubts()
    none = "nothing in sight is in doubt (--everywhere looks into all)"
    show.rows(it, rows, ("uid", "it says", "why"), "uid content why", none=none)


@fact.command()
@click.argument("name", type=MEMORY)
@now_option
@call
def confirm(it: Call, name: str, now: datetime | None) -> None:
    """Say that NAME still holds, though what it depends on is over. JSON: act."""
    with it.open(here=True) as mem:
        act = mem.facts.confirm(name, now=now)
    it.say({"act": act}, f"{name} holds")


@fact.command()
@click.argument("keep", type=MEMORY)
@click.argument("other", type=MEMORY)
@click.option("--text", default="", help="What it says from then on; default: what KEEP says.")
@reason_option
@everywhere
@call
def merge(it: Call, keep: str, other: str, text: str, reason: str, everywhere: bool) -> None:
    """Merge memory OTHER into KEEP, and archive OTHER.

    KEEP takes over its counts, tags and words. JSON: act.
    """
    with it.open(here=True, everywhere=everywhere) as mem:
        act = mem.facts.merge(keep, other, text=read_text(text) if text else "", reason=reason)
    it.say({"act": act}, f"{other} is part of {keep} now; `cogmem undo {act}` takes it apart")
