"""Every path that may ask a model, walked once, and the calls that are recorded of it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from conftest import DAY, NOW

import cogmem
from cogmem.conversation.dag import nodes
from cogmem.errors import NotRecorded

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def at_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No choice, key, prompt or proxy of the machine reaches a test."""
    for name in os.environ:
        if name.startswith("COGMEM_") or name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COGMEM_CONFIG", str(folder / "settings"))


def allow(memory: cogmem.Memory, calls: int = 1_000, a_run: int = 1_000) -> None:
    """Let so many calls of a model be made in a day and in a run."""
    for span, value in (("day", calls), ("run", a_run)):
        memory.store.set_setting(f"model_calls_per_{span}", str(value), now=NOW)


def calls(memory: cogmem.Memory) -> list[tuple[Any, ...]]:
    return memory.db.ask(
        "select purpose, outcome, tokens_in, tokens_out from model_call order by id"
    )


SESSION = [
    {"role": role, "parts": [{"type": "text", "text": text * 4}]}
    for role, text in (
        ("user", "The login page crashes on an empty password. "),
        ("assistant", "Fixed in src/auth/login.py: the check came too late. "),
        ("user", "We don't want a new layout of the login page, keep the old one instead. "),
        ("user", "Rate limiting is still missing, that is for next week. "),
    )
]


NOTE = "The login page crashes on an empty password because the check in src/auth/login.py came too late."
NOTED = json.dumps(
    {"notes": [{"kind": "cause", "text": NOTE, "messages": [0, 1], "names": ["src/auth/login.py"]}]}
)


def use_everything(memory: cogmem.Memory) -> dict[str, Any]:
    """Each path that may ask a model, once."""
    for text in ("User likes Go", "User likes Python"):
        memory.learn(text, now=NOW)
    facts = memory.collections()
    for text in ("Mara drinks tea", "Bo rides a bicycle"):
        facts.add("user", text, now=NOW)
    try:
        facts.consolidate("user", now=NOW)
    except cogmem.CogmemError as error:
        if isinstance(error, NotRecorded):
            raise
    for place, name in enumerate(("one", "two")):
        memory.sessions.conclude(name, messages=SESSION * 2, now=NOW + place)
    ranked = [one.session for one in memory.sessions.find("login", ranker="model")]
    talk = memory.conversation("talk")
    talk.save(SESSION, at=NOW - DAY)
    talk.ingest(everything=True)
    night = memory.nightly(now=NOW + 2)
    if not night.is_sound:
        raise NotRecorded("; ".join(job.note for job in night.jobs if job.outcome == "failed"))
    return {
        "memories": sorted(row.content for row in memory.list(limit=0, now=NOW + 3)),
        "facts": sorted(row.content for row in memory.list(kind="fact", now=NOW)),
        "noted": [
            row.content for row in memory.list(limit=0, now=NOW + 3) if row.source == "inferred"
        ],
        "ranked": ranked,
        "entries": facts.entries("user"),
        "leaves": [row["content"] for row in nodes(talk)],
        "messages": [message.parts for message in talk.messages()],
        "calls": [row[:2] for row in calls(memory)],
    }
