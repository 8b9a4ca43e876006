"""Commands for what is held true: its time, its contradictions, what depends on it, and two that say the same."""

from __future__ import annotations

import click

from cogmem.cli import show
from cogmem.cli.call import Group
from cogmem.cli.method import calls
from cogmem.learn.held import Contradiction, Doubted, Held
from cogmem.records import Learned


@click.group(cls=Group)
def fact() -> None:
    """What is held true: correct it, let a newer fact replace it, end it, settle contradictions."""


@fact.command()
@calls(Held.correct, "name text reason now", here=True)
def correct(found: Learned) -> str:
    """Say that fact NAME was wrong all along and TEXT is true.

    `-` reads standard input. JSON: as learn.
    """
    return f"{found.uid} takes the place of {found.other}"


for _name, _method, _takes, _told in (
    ("supersede", Held.supersede, "old new reason now", "{new} takes the place of {old}"),
    ("retire", Held.retire, "name ends reason now", "{name} holds no more; it still answers for its time"),
    ("depend", Held.depend, "name --on now", "{name} depends on {on}"),
    ("confirm", Held.confirm, "name now", "{name} holds"),
    (
        "merge", Held.merge, "keep other text reason now everywhere",
        "{other} is part of {keep} now; `cogmem undo {found}` takes it apart",
    ),
):  # fmt: skip
    fact.command(_name)(calls(_method, _takes, here=True)(_told))


@fact.group(cls=Group, invoke_without_command=True)
@click.pass_context
def conflicts(context: click.Context) -> None:
    """List contradictions, or settle one."""
    if context.invoked_subcommand is None:
        context.invoke(conflicts_list)


@conflicts.command("list")
@calls(Held.conflicts, "everywhere", here=True, read_only=True)
def conflicts_list(found: list[Contradiction]) -> None:
    """List contradictions.

    JSON: [{reason, topic, uid, content, created_at, other_uid, other_content, other_created_at, why}].
    """
    columns = {
        "why": "why", "newer": "uid", "it says": "content", "older": "other_uid", "it said": "other_content",
    }  # fmt: skip
    none = "no contradictions in sight (`cogmem fact conflicts list --everywhere` looks into all)"
    show.table(found, columns, none=none)


@conflicts.command("resolve")
@calls(Held.settle, "one other keep everywhere now", here=True)
def conflicts_resolve(keep: str) -> str:
    """Settle a contradiction between ONE and OTHER. JSON: act."""
    return f"{keep} holds" if keep else "both hold"


@fact.command()
@calls(Held.doubts, "everywhere", here=True, read_only=True)
def doubts(found: list[Doubted]) -> None:
    """List memories that depend on a fact which is over.

    JSON: [{uid, content, ended_uid, ended_content, newer_content, ended_at, why}].
    """
    none = "nothing in sight is in doubt (--everywhere looks into all)"
    show.table(found, {"uid": "uid", "it says": "content", "why": "why"}, none=none)
