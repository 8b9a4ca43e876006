"""What the shell offers behind <Tab>: uids and keys, kinds, sessions, settings of the file at hand.

A completion never fails and never makes a file: where nothing can be read, nothing is offered.
"""

from __future__ import annotations

import os

import click
from click.shell_completion import CompletionItem

from cogmem.cli.call import Call, one_line
from cogmem.file.places import beside
from cogmem.memory import Memory

OFFERED = 40  # more than this is read by nobody
_SHOWN = 60  # characters of a memory beside its uid


class Known(click.ParamType):  # type: ignore[type-arg]  # generic only in later versions
    """A name that the file knows; any other is left to the command to judge."""

    def __init__(self, name: str) -> None:
        self.name = name

    def shell_complete(
        self, ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            with _memory(ctx) as mem:
                offered = _NAMES[self.name](mem)
        except Exception:  # a shell that completes has nowhere to show a fault
            return []
        fitting = [(name, note) for name, note in offered if name.startswith(incomplete)]
        return [
            CompletionItem(name, help=one_line(note)[:_SHOWN] or None)
            for name, note in fitting[:OFFERED]
        ]


def _memory(ctx: click.Context) -> Memory:
    """Return the file of the command line that is being typed."""
    from cogmem.memory import Memory

    it = ctx.find_object(Call) or Call()
    if not os.path.exists(beside(it.path)):
        raise FileNotFoundError(it.path)
    project = it.found_project(True).id
    return Memory(it.path, user=it.user or "", project=project, read_only=True)


def _memories(mem: Memory) -> list[tuple[str, str]]:
    rows = mem.list(limit=1000)
    named = [(row.key, row.content) for row in rows if row.key]
    return [*named, *((row.uid, row.content) for row in rows)]


def _kinds(mem: Memory) -> list[tuple[str, str]]:
    return [(row["name"], row["meaning"]) for row in mem.store.kinds.described()]


def _sessions(mem: Memory) -> list[tuple[str, str]]:
    latest = [(row.session, row.prompt) for row in mem.turns.list(limit=200)]
    recorded = [(row.name, "") for row in mem.conversations.list(limit=OFFERED)]
    return list(dict([*recorded, *reversed(latest)]).items())


def _settings(mem: Memory) -> list[tuple[str, str]]:
    return [(row["name"], row["meaning"]) for row in mem.store.describe_settings()]


_NAMES = {"memory": _memories, "kind": _kinds, "session": _sessions, "setting": _settings}
MEMORY, KIND, SESSION, SETTING = (Known(name) for name in _NAMES)
