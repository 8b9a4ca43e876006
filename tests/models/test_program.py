"""A model behind an installed agent: how it is asked, what is read of its answer, and every way in which it fails."""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from pathlib import Path

import pytest
from processes import ran

import cogmem
from cogmem.errors import InvalidInput, ModelCancelled, ModelFailed, ModelTimeout
from cogmem.models.configured import Choice
from cogmem.models.program import PROGRAMS, ProgramModel, installed

# The forms in which the programs answer.
SAID = '{"word": "ready"}'
FORMS = {
    "claude": json.dumps({"type": "result", "is_error": False, "result": SAID,
                          "usage": {"input_tokens": 7, "cache_read_input_tokens": 5, "output_tokens": 3}}),
    "codex": '{"type":"thread.started","thread_id":"t"}\n'
             + json.dumps({"type": "item.completed", "item": {"type": "agent_message", "text": SAID}})
             + '\n{"type":"turn.completed","usage":{"input_tokens":12,"output_tokens":3}}',
    "gemini": "Loaded cached credentials.\n" + json.dumps(
        {"response": SAID, "stats": {"models": {"flash": {"tokens": {"prompt": 12, "candidates": 3}}}}}),
    "qwen": json.dumps([{"type": "system"}, {"type": "result", "is_error": False, "result": SAID,
                                             "usage": {"input_tokens": 12, "output_tokens": 3}}]),
    "opencode": json.dumps({"type": "text", "part": {"text": SAID}})
                + "\n" + json.dumps({"type": "step_finish", "part": {"tokens": {"input": 12, "output": 3}}}),
    "copilot": SAID + "\n",
    "pi": SAID + "\n",
}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that alone is the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def put(folder: Path, name: str, body: str) -> None:
    """A program of that name, which is Python."""
    file = folder / name
    file.write_text(
        f"#!{sys.executable}\nimport json, os, subprocess, sys, time\n{body}\n", "utf-8"
    )
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_is_read_in_the_form_of_each_program(path: Path, name: str) -> None:
    seen = path / "seen.json"
    put(
        path,
        name,
        "seen = [sys.argv[1:], sys.stdin.read(), os.environ['COGMEM_ASKING'], os.listdir()]\n"
        f"open({str(seen)!r}, 'w').write(json.dumps(seen))\n"
        f"print({FORMS[name]!r})",
    )
    assert installed() == [name]
    answer = ProgramModel(name).complete(
        "Say ready.", system="Be brief.", schema={"type": "object"}
    )
    assert str(answer) == SAID
    assert (answer.tokens_in, answer.tokens_out) in {(12, 3), (0, 0)}
    words, asked, asking, beside = json.loads(seen.read_text("utf-8"))
    assert asked == "Be brief.\n\nSay ready."
    assert "Say ready." not in words
    assert (asking, beside) == ("1", [])


def test_a_model_may_be_named_and_an_unknown_program_may_not(path: Path) -> None:
    put(path, "claude", "print(json.dumps({'result': ' '.join(sys.argv[1:]), 'usage': {}}))")
    assert "--model sonnet" in ProgramModel("claude:sonnet").complete("?")
    assert "--model haiku" in ProgramModel("claude").complete("?")
    with pytest.raises(InvalidInput, match="not an agent that can be asked: use claude, codex"):
        ProgramModel("clod")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("sys.exit(3)", "claude ended with 3"),
        ("print('Invalid API key · Please run /login'); sys.exit(1)", "claude is not logged in"),
        ("print('Claude usage limit reached', file=sys.stderr); sys.exit(1)", "no more answers for now"),
        ("print('<html>')", "cannot be read"),
        ("print(json.dumps({'result': '', 'usage': {}}))", "answered nothing"),
        ("print(json.dumps({'is_error': True, 'result': 'a secret'}))", "cannot be read"),
    ],
)  # fmt: skip
def test_a_fault_is_told_in_a_plain_line_without_anybody_s_words(
    path: Path, body: str, told: str
) -> None:
    put(path, "claude", f"sys.stdin.read()\n{body}")
    with pytest.raises(ModelFailed, match=told) as failure:
        ProgramModel("claude").complete("The staging host is heron.")
    assert "heron" not in str(failure.value)
    assert "secret" not in str(failure.value)


def test_a_program_that_is_missing_is_left_alone_for_a_while(path: Path) -> None:
    assert not list(path.iterdir())
    model = ProgramModel("codex")
    with pytest.raises(ModelFailed, match="codex is not on the PATH"):
        model.complete("?")
    assert model.is_resting


def test_one_that_hangs_is_ended_with_all_that_it_started(path: Path) -> None:
    child = path / "child"
    put(
        path,
        "pi",
        f"p = subprocess.Popen([{sys.executable!r}, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(child)!r}, 'w').write(str(p.pid))\ntime.sleep(600)",
    )
    with pytest.raises(ModelTimeout, match="did not answer in 3 s"):
        ProgramModel("pi", timeout=3.0).complete("?")
    for _ in range(200):
        if not is_alive(int(child.read_text("utf-8"))):
            break
        time.sleep(0.05)
    else:
        raise AssertionError("what it started goes on")


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return os.name == "posix" and not os.path.isdir("/proc")
    return state != "Z"


def test_an_answer_that_nobody_wants_any_more_ends_it(path: Path) -> None:
    put(path, "pi", "time.sleep(600)")
    with pytest.raises(ModelCancelled):
        ProgramModel("pi").complete("?", cancelled=lambda: True)


def test_what_it_starts_never_reaches_our_hooks(tmp_path: Path) -> None:
    database = tmp_path / "memory.db"
    with cogmem.open(database) as mem:
        mem.learn("Deploys need a green build.", kind="policy")
    event = json.dumps(
        {"session_id": "s", "prompt": "How do I deploy?", "hook_event_name": "UserPromptSubmit"}
    )
    words = [
        sys.executable,
        "-m",
        "cogmem.hook",
        "prompt",
        "--host",
        "claude-code",
        "--db",
        str(database),
    ]
    for asking, expected in (({}, True), ({"COGMEM_ASKING": "1"}, False)):
        done = ran(words, input=event, env={**os.environ, **asking})
        assert done.returncode == 0
        assert ("green build" in done.stdout) is expected


def test_the_choice_of_an_agent_is_one_row_like_any_other(path: Path) -> None:
    put(path, "claude", f"print({FORMS['claude']!r})")
    model = Choice("host", "claude").made()
    assert model.name == "claude"
    assert str(model.complete("?")) == SAID
