"""Edits of hosts' configuration: our hooks and our server in, or out, and nothing else touched.

Ours is known by its name, `cogmem`, and by the file that its commands run, so to edit twice changes
nothing.
"""

from __future__ import annotations

import json
import tomllib

from cogmem.hosts import jsonc
from cogmem.hosts.host import patience

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit, Host

OURS = ("cogmem/hook.py", "cogmem\\hook.py", "cogmem hook ")


def json_edit(change: Callable[[dict[str, Any]], None]) -> Edit:
    """An edit of a JSON object; '' when nothing is left of it."""

    def edit(text: str) -> str:
        held = jsonc.read(text) if text.strip() else {}
        if not isinstance(held, dict):
            raise ValueError("it holds no JSON object")
        before = json.dumps(held)
        change(held)
        if json.dumps(held) == before:
            return text  # to the byte, however a person laid it out
        if not text.strip():
            return json.dumps(held, indent=2, ensure_ascii=False) + "\n" if held else ""
        made = jsonc.changed(text, held)
        return made if held or "".join(made.split()) != "{}" else ""

    return edit


def versioned_hooks(ask: Ask, host: Host) -> Edit:
    """The edit of a file that holds hooks and the version of its form."""

    def edit(it: dict[str, Any]) -> None:
        hooks_edit(it, ask, host)
        if ask.is_there:
            it.setdefault("version", 1)
        elif set(it) == {"version"}:
            it.clear()

    return json_edit(edit)


def hooks_and_server(ask: Ask, host: Host) -> Edit:
    """The edit of settings that hold both hooks and servers, as Gemini CLI and its kin have them."""

    def edit(it: dict[str, Any]) -> None:
        hooks_edit(it, ask, host)
        entry = ask.entry()
        named_edit(it, "mcpServers", {**entry, **host.loads_tools} if entry else None)

    return json_edit(edit)


def hooks_edit(settings: dict[str, Any], ask: Ask, host: Host) -> None:
    """Our command under each event, once; other people's stay where they are."""
    events = host.events
    hooks = settings.setdefault("hooks", {})
    if not isinstance(hooks, dict):
        raise ValueError('"hooks" in it is not an object')
    for event in dict.fromkeys([*hooks, *(events if ask.is_there else ())]):
        if event not in events and not any(is_ours(one) for one in listed(hooks[event])):
            continue
        groups = [one for one in (_without_ours(group) for group in hooks.get(event, [])) if one]
        if ask.is_there and event in events:
            seconds = patience(event)
            words = ask.words(host.means.get(event, event), host.name, seconds)
            run = host.entry(words, seconds)
            run = {"matcher": host.tools[event], **run} if event in host.tools else run
            had = [place for place, group in enumerate(hooks.get(event, [])) if is_ours(group)]
            groups.insert(min(had[0], len(groups)) if had else len(groups), run)
        if groups:
            hooks[event] = groups
        else:
            hooks.pop(event, None)
    if not hooks:
        del settings["hooks"]


def is_ours(group: Any) -> bool:
    """Tell whether one of a group's hooks runs our command."""
    return any(mark in run_by(one) for one in entries(group) for mark in OURS)


def run_by(one: dict[str, Any]) -> str:
    """The command of a hook, in whatever field a host has it."""
    return str(one.get("command") or one.get("bash") or "")


def entries(group: Any) -> list[Any]:
    """The hooks of a group; Cursor has no groups, each stands by itself."""
    held = group.get("hooks", [group]) if isinstance(group, dict) else []
    return [one for one in listed(held) if isinstance(one, dict)]


def listed(value: Any) -> list[Any]:
    """A list, or nothing: what else a file holds is not ours."""
    return value if isinstance(value, list) else []


def _without_ours(group: Any) -> Any:
    """A group of hooks without our command; None when nothing else is in it."""
    if not is_ours(group):
        return group
    others = [
        one for one in group.get("hooks", []) if not any(mark in run_by(one) for mark in OURS)
    ]
    return {**group, "hooks": others} if others else None


def named_edit(settings: dict[str, Any], table: str, entry: dict[str, Any] | None) -> None:
    """Our server in the table of servers, or out of it."""
    servers = settings.setdefault(table, {})
    if not isinstance(servers, dict):
        raise ValueError(f'"{table}" in it is not an object')
    if entry is not None:
        servers.setdefault("cogmem", {}).update(entry)
    else:
        servers.pop("cogmem", None)
    if not servers:
        del settings[table]


def script(file: str, host: str, ask: Ask) -> str:
    """A plugin that ships beside this module, as the one file that a host loads: what all of them share, with the
    command that it runs, then its own; '' where it goes."""
    if not ask.is_there:
        return ""
    shared, own = _shipped("plugin.ts"), _shipped(file)
    # A host may take whatever a plugin exports for another plugin.
    shared = shared.replace("\nexport ", "\n")
    command = shared.partition("const COMMAND = ")[2].partition("\n")[0]
    shared = shared.replace(command, json.dumps(ask.words("EVENT", host)))
    about, line, rest = own.partition('import { answer, type Call, noted } from "./plugin"\n')
    if not line:
        raise ValueError(f"{file} does not begin with what plugins share")
    return f"{about}\n{shared}{rest}"


def _shipped(file: str) -> str:
    import os

    with open(os.path.join(os.path.dirname(__file__), file), encoding="utf-8") as opened:
        return opened.read()


def toml_edit(change: Callable[[dict[str, Any]], None]) -> Edit:
    """An edit of a TOML file: what it does not touch stays as it is written."""

    def edit(text: str) -> str:
        import tomlkit

        held = tomlkit.parse(text)
        change(held)
        made = tomlkit.dumps(held)
        if tomllib.loads(made) != held.unwrap():
            raise ValueError("its tables lie in an order in which none can be changed")
        return made

    return edit
