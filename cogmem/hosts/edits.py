"""Edits of hosts' configuration: our hooks and our server in, or out, and nothing else touched.

Ours is known by its name, `cogmem`, and by the file that its commands run, so to edit twice changes
nothing.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from typing import Any

from cogmem.hosts import jsonc
from cogmem.hosts.command import Ask, shell_line
from cogmem.hosts.host import Host, home, patience

Edit = Callable[[str], str]  # the text of a file → what it shall be

OURS = ("cogmem/hook.py", "cogmem\\hook.py", "cogmem hook ")


def files(host: Host, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
    """Return a host's files, and what is done to each. A row names one by `at`, or by `wide` and `here`, and says
    what stands in it: `hooks`, what it `holds`, the `base` that it needs besides; or all of it: `text`, `script`."""
    base = host.folder(wide=wide)
    known = {"base": base, "above": os.path.dirname(base), "home": home()}
    found = []
    for row in host.files:
        moved = row.get("moved") if wide and os.environ.get(host.moved_by) else ""
        named = row.get("at") or moved or row.get("wide" if wide else "here")
        if named:
            place = named.format_map(known)
            place += "c" * (row.get("commented", False) and os.path.exists(f"{place}c"))
            found.append((place, _edit(place, row, host, ask)))
    return found


def _edit(place: str, row: dict[str, Any], host: Host, ask: Ask) -> Edit:
    def change(it: dict[str, Any]) -> None:
        for name, value in base.items() if ask.is_there else ():
            it.setdefault(name, value)
        if "hooks" in row:
            hooks_edit(it, ask, host)
        put(it, held, is_there=ask.is_there)
        if it == base:
            it.clear()

    if "script" in row:
        return lambda _: script(row["script"], host.name, ask)
    if (text := row.get("text")) is not None:
        said = "\n".join(text) if isinstance(text, list) else json.dumps(text, indent=2)
        return lambda _: f"{said}\n" if ask.is_there else ""
    words = ask.server()
    base = row.get("base", {})
    held = filled(
        row.get("holds", {}), {"$command": words[0], "$args": words[1:], "$server": words}
    )
    return toml_edit(change) if place.endswith(".toml") else json_edit(change)


def filled(form: Any, given: dict[str, Any]) -> Any:
    """Return what a row says, with what its names that begin with $ stand for."""
    if isinstance(form, dict):
        return {name: filled(value, given) for name, value in form.items()}
    if isinstance(form, list):
        return [filled(one, given) for one in form]
    return given.get(form, form) if isinstance(form, str) else form


def put(settings: dict[str, Any], held: dict[str, Any], *, is_there: bool) -> None:
    """Put what is held into settings, or take it out: whatever is called cogmem whole, and tables left empty."""
    for name, value in held.items():
        if not is_there and name not in settings:
            continue
        if name != "cogmem" and isinstance(value, dict):
            inner = settings.setdefault(name, {})
            if not isinstance(inner, dict):
                raise ValueError(f'"{name}" in it is not an object')
            put(inner, value, is_there=is_there)
            if not inner and "#" not in getattr(inner, "as_string", str)():  # a comment of TOML
                del settings[name]
        elif not is_there:
            del settings[name]
        elif isinstance(value, dict):
            settings.setdefault(name, {}).update(value)
        else:
            settings[name] = value


def json_edit(change: Callable[[dict[str, Any]], None]) -> Edit:
    """Return an edit of a JSON object; '' when nothing is left of it."""

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
            run = entry(host, words, seconds)
            run = {"matcher": host.tools[event], **run} if event in host.tools else run
            had = [place for place, group in enumerate(hooks.get(event, [])) if is_ours(group)]
            groups.insert(min(had[0], len(groups)) if had else len(groups), run)
        if groups:
            hooks[event] = groups
        else:
            hooks.pop(event, None)
    if not hooks:
        del settings["hooks"]


def entry(host: Host, words: list[str], seconds: int) -> dict[str, Any]:
    """Return a hook as a host's settings hold it, as its shell on this system wants it."""
    shells = {f"${name}": shell_line(words, name) for name in ("sh", "powershell", "cmd")}
    line = shells[f"${host.shell_on_windows if os.name == 'nt' else 'sh'}"]
    given = {"$line": line, "$seconds": seconds, "$ms": seconds * 1_000, **shells}
    found: dict[str, Any] = filled(host.entry, given)
    return found


def is_ours(group: Any) -> bool:
    """Tell whether one of a group's hooks runs our command."""
    return any(mark in run_by(one) for one in entries(group) for mark in OURS)


def run_by(one: dict[str, Any]) -> str:
    """Return the command of a hook, in whatever field a host has it."""
    return str(one.get("command") or one.get("bash") or "")


def entries(group: Any) -> list[Any]:
    """Return the hooks of a group; Cursor has no groups, each stands by itself."""
    held = group.get("hooks", [group]) if isinstance(group, dict) else []
    return [one for one in listed(held) if isinstance(one, dict)]


def listed(value: Any) -> list[Any]:
    """Return a list, or nothing: what else a file holds is not ours."""
    return value if isinstance(value, list) else []


def _without_ours(group: Any) -> Any:
    """Return a group of hooks without our command; None when nothing else is in it."""
    if not is_ours(group):
        return group
    others = [one for one in group.get("hooks", []) if not is_ours({"hooks": [one]})]
    return {**group, "hooks": others} if others else None


def script(file: str, host: str, ask: Ask) -> str:
    """Return a plugin that ships beside this module, as the one file that a host loads: what all of them share, with
    the command that it runs, then its own; '' where it goes."""
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
    with open(os.path.join(os.path.dirname(__file__), file), encoding="utf-8") as opened:
        return opened.read()


def toml_edit(change: Callable[[dict[str, Any]], None]) -> Edit:
    """Return an edit of a TOML file: what it does not touch stays as it is written."""

    def edit(text: str) -> str:
        import tomlkit

        held, plain = tomlkit.parse(text), tomllib.loads(text)
        is_whole = tomlkit.dumps(held) == text
        change(held)
        change(plain)
        made = tomlkit.dumps(held)
        is_right = _full(tomllib.loads(made)) == _full(plain)
        if not (is_whole and is_right):
            raise ValueError("its tables lie in an order in which none can be changed")
        return made

    return edit


def _full(tables: dict[str, Any]) -> dict[str, Any]:
    """Return tables without those in which nothing stands but a comment."""
    return {name: value for name, value in tables.items() if value != {}}
