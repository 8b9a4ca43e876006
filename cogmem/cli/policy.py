"""Commands for the policy that travels with the file: kinds, settings, the names of scopes."""

from __future__ import annotations

from typing import Any

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, Group, call, now
from cogmem.cli.complete import KIND, SETTING
from cogmem.cli.method import calls
from cogmem.errors import InvalidInput, UnknownName
from cogmem.records import LAYERS, PRIORITY_NAMES, priority_number
from cogmem.store.kinds import Kinds
from cogmem.store.store import Store

VALUE = 32  # characters of a setting's value in the list


@click.group(cls=Group)
def kind() -> None:
    """Kinds of memories and the policy of each."""


@kind.command("list")
@calls(Kinds.described, read_only=True)
def kind_list(found: list[dict[str, Any]]) -> None:
    """List kinds, their aliases and how many memories each holds.

    A narrow terminal shows fewer columns.

    JSON: [{name, layer, meaning, weight, default_priority, half_life_days, is_baseline,
    is_pinned, max_rows, max_characters, named_caps, capacity_policy, system, aliases, active}].
    """
    columns: show.Columns = {
        "kind": "name", "layer": "layer", "weight": "weight",
        "priority": lambda row: PRIORITY_NAMES[row["default_priority"]],
        "half-life": lambda row: _days(row["half_life_days"]),
        "active": "active", "cap": _cap, "aliases": "aliases", "meaning": "meaning",
    }  # fmt: skip
    spare = ("layer", "active", "cap", "aliases", "half-life", "priority", "weight")
    show.table(found, columns, spare=spare)


def _cap(row: dict[str, Any]) -> str:
    """Tell how much of a kind there may be; a name of it may have a cap of its own."""
    own = [f"{row['max_rows']} memories"] if row["max_rows"] else []
    if row["max_characters"]:
        own.append(f"{row['max_characters']} characters")
    return ", ".join([*own, *([row["named_caps"]] if row["named_caps"] else [])])


def _days(half_life: float | None) -> str:
    if half_life is None:
        return "as set"
    return f"{half_life:g} days" if half_life else "never"


_BASELINE = "Always shown when its priority is high or critical."
_PINNED = "Always part of the stable text."
_FULLY = "What gives way at a cap; default: archive_oldest."
_FULL = click.Choice(("archive_oldest", "archive_weakest", "refuse"))
_half_life = click.option(
    "--half-life", "half_life_days", type=float, metavar="DAYS", help="How fast it fades; 0: never."
)


@kind.command("add")
@click.argument("name")
@click.option("--layer", type=click.Choice(LAYERS), default="semantic", show_default=True)
@click.option("--meaning", required=True, help="One sentence, for people and models.")
@click.option(
    "--weight", type=float, default=1.0, show_default=True, help="Multiplies its strength."
)
@click.option(
    "--priority", default="normal", show_default=True, help="For memories that name none."
)
@_half_life
@click.option("--baseline", "is_baseline", is_flag=True, help=_BASELINE)
@click.option("--pinned", "is_pinned", is_flag=True, help=_PINNED)
@click.option("--max-rows", type=click.IntRange(1), help="The most memories of it.")
@click.option("--when-full", "capacity_policy", type=_FULL, default=_FULL.choices[0], help=_FULLY)
@call
def kind_add(it: Call, /, name: str, priority: str, **given: Any) -> None:
    """Register a kind of your own. JSON: name, act."""
    row = {**given, "name": name, "default_priority": priority_number(priority)}
    row |= {"is_shared": 0, "needs_person": 0, "max_characters": None}
    with it.open(must_exist=False) as mem:
        act = mem.store.kinds.add(row, now=now())
    it.say({"name": name.strip().lower(), "act": act}, f"registered {name.strip().lower()}")


@kind.command("set")
@click.argument("name", metavar="KIND", type=KIND)
@click.option("--weight", type=float, help="Multiplies its strength.")
@click.option("--priority", help="For memories that name none.")
@_half_life
@click.option("--baseline/--no-baseline", "is_baseline", default=None, help=_BASELINE)
@click.option("--pinned/--no-pinned", "is_pinned", default=None, help=_PINNED)
@click.option("--max-rows", type=click.IntRange(0), help="The most memories of it; 0: no cap.")
@click.option(
    "--max-characters", type=click.IntRange(0), help="The most characters of them all; 0: no cap."
)
@click.option("--when-full", "capacity_policy", type=_FULL, help=_FULLY)
@call
def kind_set(it: Call, /, name: str, priority: str | None, **changes: Any) -> None:
    """Change the policy of a kind, built-in or your own. JSON: name, act."""
    changes["default_priority"] = None if priority is None else priority_number(priority)
    with it.open() as mem:
        act = mem.store.kinds.change(name.strip().lower(), changes, now=now())
    it.say({"name": name, "act": act}, f"changed {name}; `cogmem undo {act}` takes it back")


@kind.command("alias")
@click.argument("alias")
@click.argument("name", metavar="KIND", type=KIND)
@click.option("--vocabulary", default="", help="Whose word it is; default: everybody's.")
@call
def kind_alias(it: Call, alias: str, name: str, vocabulary: str) -> None:
    """Let ALIAS stand for KIND. JSON: alias, kind."""
    word = alias.strip().lower()
    with it.open(must_exist=False) as mem:
        name = mem.store.kinds.demand(name).name
        if not word or (word in mem.store.kinds.all() and not vocabulary):
            raise InvalidInput(f"{alias!r} cannot be an alias: it is a kind itself, or empty")
        mem.store.kinds.set_alias(word, name, vocabulary, now=now())
    it.say({"alias": word, "kind": name}, f"{word} now means {name}")


@click.group(cls=Group)
def setting() -> None:
    """Settings: the values that you can change."""


@setting.command("list")
@calls(Store.describe_settings, read_only=True)
def setting_list(found: list[dict[str, str]]) -> None:
    """List settings with their meaning; `setting get` shows a long value whole.

    JSON: [{name, value, meaning}].
    """
    columns: show.Columns = {
        "setting": "name", "value": lambda row: show.clipped(row["value"], VALUE), "meaning": "meaning",
    }  # fmt: skip
    show.table(found, columns)


@setting.command("get")
@click.argument("name", type=SETTING)
@call
def setting_get(it: Call, name: str) -> None:
    """Show one setting. JSON: name, value, meaning."""
    with it.open(read_only=True) as mem:
        found = [row for row in mem.store.describe_settings() if row["name"] == name]
    if not found:
        raise UnknownName(f"no setting is called {name!r}: `cogmem setting list` shows them")
    it.say(found[0], found[0]["value"])


@setting.command("set")
@click.argument("name", type=SETTING)
@click.argument("value")
@call
def setting_set(it: Call, name: str, value: str) -> None:
    """Change one setting. JSON: name, value, act."""
    with it.open(must_exist=False) as mem:
        act = mem.store.set_setting(name, value, now=now())
    it.say({"name": name, "value": value, "act": act}, f"{name} = {value}")


@click.group(cls=Group)
def scope() -> None:
    """Who owns memories: users, projects, sessions."""


@scope.command("list")
@calls(Store.scopes, read_only=True)
def scope_list(found: list[dict[str, Any]]) -> None:
    """List scopes, with how many memories each owns. JSON: [{axis, id, label, root, memories}]."""
    columns = {
        "scope": "axis", "id": "id", "memories": "memories", "label": "label", "folder": "root",
    }  # fmt: skip
    show.table(found, columns, none="all memories are everyone's")


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@call
def completion(it: Call, shell: str) -> None:
    """Print what your shell needs to complete commands.

    \b
    bash, zsh:  eval "$(cogmem setting completion bash)"
    fish:       cogmem setting completion fish | source

    JSON: shell, source.
    """
    from click.shell_completion import get_completion_class

    from cogmem.cli.app import app

    maker = get_completion_class(shell)
    if maker is None:
        raise InvalidInput(f"there is no completion for {shell}")
    text = maker(app, {}, "cogmem", "_COGMEM_COMPLETE").source()
    it.say({"shell": shell, "source": text}, text)


for other in (kind, scope, completion):
    setting.add_command(other)
