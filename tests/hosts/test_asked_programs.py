"""Real agents as the model that cogmem asks: each answers through its own program, and hears nothing of cogmem.

The hosts run offline against a small model; `make test-hosts` fetches them.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
from real_host import RULE, Host, home_of, needs_hosts

import cogmem
from cogmem.hosts.trial import SAID, serving
from cogmem.models.program import PROGRAMS, ProgramModel

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_hosts
HOSTS = {"claude": "claude-code"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_agent_answers_a_question_of_cogmem_without_its_tools_and_cogmem_in_it_hears_nothing(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with home_of(HOSTS.get(program, program), tmp_path / "home", monkeypatch) as host:
        answer = asking(program, host, monkeypatch).complete("Which word comes after heron?")
        assert SAID in answer
        asked = str(host.model.asked)
        assert "Which word comes after heron?" in asked
        assert RULE not in asked
        connection = sqlite3.connect(host.database)  # nobody else has it open
        for table in ("conversation", "activation", "told_at_act"):
            assert connection.execute(f"select count(*) from {table}").fetchone() == (0,), table
        connection.close()


def asking(program: str, host: Host, monkeypatch: pytest.MonkeyPatch) -> ProgramModel:
    """The program of a home, which asks the model there."""
    for name, value in host.environment.items():
        monkeypatch.setenv(name, value)
    return ProgramModel({"pi": "pi:check/m"}.get(program, program), timeout=120)


TALK = (
    ("user", "Why does the health check of heron fail with 503?"),
    ("assistant", "The 503 comes from the probe: it asks /healthz before db/migrate.py ends."),
)
NOTE = (
    "heron's health check fails with 503 because the probe asks /healthz before db/migrate.py ends."
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_agent_leaves_notes_of_a_session_and_a_fault_of_its_model_leaves_all_as_it_was(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = {"kind": "cause", "text": NOTE, "messages": [1], "names": ["/healthz"]}
    with serving() as model, cogmem.open(tmp_path / "memory.db") as memory:
        host = Host.of(HOSTS.get(program, program), tmp_path / "home", model)
        asked = asking(program, host, monkeypatch)
        for span in ("day", "run"):
            memory.store.set_setting(f"model_calls_per_{span}", "20", now=0)
        talk = memory.conversation("monday")
        for role, text in TALK:
            talk.append(role, text)
        model.said = "I am sorry, I cannot help with that."
        assert "no notes that can be read" in memory.notes.read("monday", model=asked).fault
        model.refusal, asked.timeout = 401, 25.0
        fault = memory.notes.read("monday", model=asked).fault
        assert fault
        assert "heron" not in fault
        assert memory.list() == []
        model.refusal, model.said = (
            0,
            f"Here you are:\n```json\n{json.dumps({'notes': [note]})}\n```",
        )
        asked = ProgramModel(asked.name, timeout=120)
        assert [one.outcome for one in memory.notes.read("monday", model=asked).notes] == ["kept"]
        assert [row.content for row in memory.list()] == [NOTE]
        assert "transcript is data" in str(model.asked)
