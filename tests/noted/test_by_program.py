"""Notes by an agent's own program: at the end of a session, and what a fault of it costs.

The programs here are stand-ins on the PATH; `make test-hosts` asks the real ones.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW
from processes import ran

import cogmem
from cogmem.models.program import ProgramModel
from cogmem.scope import project_of

if TYPE_CHECKING:
    from pathlib import Path

TALK = (
    ("user", "Why does the health check of heron fail with 503?"),
    (
        "assistant",
        "The 503 comes from the probe: it asks /healthz before the migration in db/migrate.py ends.",
    ),
    ("user", "Good, let the probe wait for it."),
)
NOTE = (
    "heron's health check fails with 503 because the probe asks /healthz before db/migrate.py ends."
)
NOTED = json.dumps(
    {"notes": [{"kind": "cause", "text": NOTE, "messages": [1], "names": ["/healthz"]}]}
)


def said(text: str) -> str:
    answer = {"result": text, "usage": {"input_tokens": 900, "output_tokens": 90}}
    return f"sys.stdin.read(); print(json.dumps({answer!r}))"


@pytest.fixture
def bin_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COGMEM_CONFIG", str(tmp_path / "settings"))
    monkeypatch.delenv("COGMEM_MODEL", raising=False)
    return folder


def put(folder: Path, body: str) -> None:
    file = folder / "claude"
    file.write_text(f"#!{sys.executable}\nimport json, os, sys, time\n{body}\n", "utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def talked(memory: cogmem.Memory, at: int) -> None:
    talk = memory.conversation("s1")
    for place, (role, text) in enumerate(TALK):
        talk.append(role, text, at=at + place)


def noted(memory: cogmem.Memory) -> list[str]:
    return [
        row.content for row in memory.list(layer="episodic", limit=0) if row.source == "inferred"
    ]


FAULTS = {
    "it ends with an error": ("sys.exit(3)", "claude ended with 3"),
    "a rate limit": ("print('Claude usage limit reached', file=sys.stderr); sys.exit(1)", "no more answers for now"),
    "a missing login": ("print('Invalid API key · Please run /login'); sys.exit(1)", "is not logged in"),
    "it hangs": ("time.sleep(600)", "did not answer in 1 s"),
    "a refusal": (said("I am sorry, I cannot help with that."), "no notes that can be read"),
    "another form": ("print('<html>')", "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_plain_line_of_the_doctor_and_the_next_night_asks_again(
    memory: cogmem.Memory, bin_: Path, fault: str
) -> None:
    body, told = FAULTS[fault]
    for span in ("day", "run"):
        memory.store.set_setting(f"model_calls_per_{span}", "20", now=NOW)
    talked(memory, NOW - DAY)
    put(bin_, body)
    memory.model = ProgramModel("claude", timeout=1.0 if fault == "it hangs" else 30.0)
    assert memory.nightly(now=NOW).is_sound
    lines = [row.content for row in memory.list(now=NOW)]
    assert noted(memory) == []
    [warning] = [line for line in memory.file.doctor(now=NOW).warnings if "for the model" in line]
    assert told in warning
    assert "the next night asks again" in warning
    assert "heron" not in warning
    put(bin_, said(f"Here are the notes:\n```json\n{NOTED}\n```\nThat is all."))
    memory.model = ProgramModel("claude", timeout=30.0)  # the next day's process
    memory.nightly(now=NOW + DAY)
    assert noted(memory) == [NOTE]
    assert not [line for line in memory.file.doctor(now=NOW).warnings if "for the model" in line]
    archived = {row.content for row in memory.list(state="archived", limit=0)}
    assert set(lines) <= archived | {row.content for row in memory.list(limit=0)}, "nothing is lost"


def test_what_a_dry_run_shows_is_sent_to_the_byte(
    bin_: Path, tmp_path: Path, program: Path
) -> None:
    database, given = tmp_path / "memory.db", tmp_path / "given"
    keep = f"open({str(given)!r}, 'w').write(sys.stdin.read())\n"
    put(bin_, keep + said("I cannot do that."))
    with cogmem.open(database) as memory:
        talked(memory, NOW)

    def asked(*words: str) -> str:
        return subprocess.run(
            [program, "--db", str(database), *words],
            check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=tmp_path,
        ).stdout  # fmt: skip

    asked("model", "use", "host", "claude")
    shown = asked("model", "notes", "s1", "--dry-run")
    assert not given.exists()
    with pytest.raises(subprocess.CalledProcessError) as failed:
        asked("model", "notes", "s1")
    assert (failed.value.stdout, failed.value.returncode) == ("", 1)
    put(bin_, keep + said("[]"))
    asked("model", "notes", "s1")
    assert shown.partition("\n\n(about ")[0] == given.read_text("utf-8")


@pytest.mark.slow
def test_a_session_that_ends_is_noted_when_its_host_has_gone(
    bin_: Path, tmp_path: Path, program: Path
) -> None:
    database = tmp_path / "memory.db"
    put(bin_, said(NOTED))
    for words in (
        ["model", "use", "host", "claude"],
        ["install", "claude-code", "--notes", "--dry-run"],
    ):
        subprocess.run(
            [program, "--db", str(database), *words],
            check=True, capture_output=True, stdin=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(tmp_path)},
        )  # fmt: skip
    work = tmp_path / "work"
    work.mkdir()
    project = project_of(str(work)).id
    with cogmem.open(database, project=project) as memory:
        talked(memory, int(time.time() * 1000) - 9_000)
    event = {"session_id": "s1", "hook_event_name": "SessionEnd", "cwd": str(work)}
    words = [sys.executable, "-m", "cogmem.hook", "end", "--host", "claude-code", "--db", database]
    done = ran(words, input=json.dumps(event), cwd=work)
    assert done.returncode == 0
    with cogmem.open(database, project=project) as memory:
        for _ in range(300):
            if noted(memory):
                break
            time.sleep(0.1)
        assert noted(memory) == [NOTE]
        [row] = memory.models.spend()
        assert (row.purpose, row.calls, row.tokens_in) == ("notes", 1, 900)
