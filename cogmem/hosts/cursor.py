"""Cursor: its talks lie in the database of its editor, or in transcripts beside it."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, decoded, editor_folder, files_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.hosts.session import Kept


class Cursor(Host):
    """Cursor."""

    def transcripts(self) -> list[str]:
        """Return what it writes beside its database: of those that the database has too, none."""
        held = {one.name for one in self.stored()}
        below = files_below(os.path.join(self.folder(wide=True), "projects"), "*.jsonl")
        return [
            path
            for path in below
            if f"{os.sep}agent-transcripts{os.sep}" in path
            and f"{os.sep}subagents{os.sep}" not in path
            and os.path.basename(path).removesuffix(".jsonl") not in held
        ]

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        first = decoded(head.partition("\n")[0])
        said = first.get("message") if isinstance(first, dict) else None
        if not isinstance(said, dict) or "role" not in first or "content" not in said:
            return None
        above = path.split(f"{os.sep}agent-transcripts{os.sep}")[0]
        folder = _unfolded(os.path.basename(above)) if above != path else ""
        return os.path.basename(path).removesuffix(".jsonl"), folder, ""

    def stored(self, place: str = "") -> list[Kept]:
        """Return the talks of the editor, in the one database that it keeps for all windows."""
        from cogmem.file.foreign import between, is_database, lengths
        from cogmem.hosts.session import INSIDE, Kept

        user = editor_folder("Cursor")
        file = place or os.path.join(user, "globalStorage", "state.vscdb")
        if not is_database(file):
            return []
        try:
            rows = between(file, TABLE, "key", TALK, f"{TALK}~")
            sizes = lengths(file, TABLE, "key", "value", BUBBLE, 36)
        except OSError:
            return []
        folders = {} if place else _folders(user)
        found = []
        for row in rows:
            talk, name = decoded(_text(row["value"])), row["key"].removeprefix(TALK)
            if not isinstance(talk, dict) or not _bubbles(talk):
                continue
            began = talk.get("createdAt") or 0
            ended = talk.get("lastUpdatedAt") or began
            size = sizes.get(name) or len(row["value"])
            folder = folders.get(name) or _window(file, name, talk)
            path = f"{file}{INSIDE}{name}"
            found.append(Kept(path, name, folder, began, int(ended) * 1_000_000, size))
        return found

    def lines(self, path: str, plain: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        from cogmem.file.foreign import between, is_database
        from cogmem.hosts.session import INSIDE

        file, _, name = path.rpartition(INSIDE)
        if not is_database(file):
            yield from plain
            return
        held = between(file, TABLE, "key", TALK + name, TALK + name)
        talk = (decoded(_text(held[0]["value"])) if held else None) or {}
        for one in _bubbles(talk):
            key = f"{BUBBLE}{name}:{one.get('bubbleId')}"
            rows = between(file, TABLE, "key", key, key)
            bubble = decoded(_text(rows[0]["value"])) if rows else one
            if isinstance(bubble, dict):
                yield {"timestamp": bubble.get("createdAt") or talk.get("createdAt"), **bubble}


TABLE = "cursorDiskKV"
TALK, BUBBLE = "composerData:", "bubbleId:"  # how the keys of talks and of their messages begin


def _folders(user: str) -> dict[str, str]:
    """Return the folder in which each talk ran, as the windows of the editor know it."""
    from cogmem.file.foreign import between

    found = {}
    below = os.path.join(user, "workspaceStorage")
    for name in sorted(os.listdir(below)) if os.path.isdir(below) else ():
        try:
            with open(os.path.join(below, name, "workspace.json"), encoding="utf-8") as file:
                folder = _place((decoded(file.read()) or {}).get("folder"))
            state, key = os.path.join(below, name, "state.vscdb"), "composer.composerData"
            rows = between(state, "ItemTable", "key", key, key) if folder else []
        except (OSError, AttributeError):
            continue
        held = (decoded(_text(rows[0]["value"])) or {}) if rows else {}
        for talk in held.get("allComposers") or ():
            found[str(talk.get("composerId"))] = folder
    return found


def _window(file: str, name: str, talk: dict[str, Any]) -> str:
    """Return the folder in which a talk began, as its first message tells it."""
    from cogmem.file.foreign import between

    first = _bubbles(talk)[0]
    key = f"{BUBBLE}{name}:{first.get('bubbleId')}"
    rows = between(file, TABLE, "key", key, key)
    bubble = (decoded(_text(rows[0]["value"])) if rows else first) or {}
    places = bubble.get("workspaceUris")
    return _place(places[0]) if isinstance(places, list) and places else ""


def _place(address: Any) -> str:
    """Return the folder that a file's address names; '' where it is on another machine."""
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(address if isinstance(address, str) else "")
    place = unquote(parts.path) if parts.scheme == "file" else ""
    return place[1:] if place[2:3] == ":" else place  # /c:/work on Windows


def _unfolded(name: str) -> str:
    """Return the folder that was written with dashes, where it is found: /home/ada/my-shop as home-ada-my-shop."""
    place, rest = os.sep, name
    while rest:
        here = sorted(os.listdir(place), key=len, reverse=True) if os.access(place, os.R_OK) else []
        fits = [one for one in here if f"{rest}-".startswith(f"{_dashed(one)}-")]
        inner = next((one for one in fits if os.path.isdir(os.path.join(place, one))), "")
        if not inner:
            return ""
        place, rest = os.path.join(place, inner), rest[len(_dashed(inner)) + 1 :]
    return place


def _dashed(name: str) -> str:
    return "".join(mark if mark.isalnum() else "-" for mark in name).strip("-") or name


def _bubbles(talk: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the messages of a talk in order: whole in old ones, else their names."""
    held = talk.get("fullConversationHeadersOnly") or talk.get("conversation")
    return [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")


OWN = Cursor
