"""Real agents as the model that cogmem asks: each answers through its own program, and hears nothing of cogmem.

The hosts run offline against a small model; `make test-hosts` fetches them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from real_host import Host, needs_hosts

from cogmem.hosts.stand_in import SAID, serving
from cogmem.models.program import PROGRAMS, ProgramModel

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_hosts
HOSTS = {"claude": "claude-code"}
# What the trial's own home names as the model, where a home has no other.
MODELS = {"opencode": "", "pi": ""}


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_agent_answers_a_question_of_cogmem_without_its_tools(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as model:
        host = Host.of(HOSTS.get(program, program), tmp_path / "home", model)
        for name, value in host.environment.items():
            monkeypatch.setenv(name, value)
        name = {"pi": "pi:check/m"}.get(program, program)
        answer = ProgramModel(name, timeout=120).complete("Which word comes after heron?")
        assert SAID in answer
        asked = str(model.asked)
        assert "Which word comes after heron?" in asked
