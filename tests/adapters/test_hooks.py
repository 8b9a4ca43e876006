"""Hooks as hosts run them: real processes, real transcripts, hostile input, silence on any fault."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem import tokens
from cogmem.adapters import hooks, transcript

if TYPE_CHECKING:
    from pathlib import Path

Run = "Callable[..., subprocess.CompletedProcess[bytes]]"


@pytest.fixture
def home(tmp_path: Path, empty_space: str) -> Path:
    """A folder with a memory that knows a rule and a fact."""
    path = tmp_path / "memory.db"
    shutil.copyfile(empty_space, path)
    with cogmem.open(path, counter=tokens.Simple()) as mem:
        mem.learn("Deploys need a green build.", kind="policy")
        mem.learn("The staging host is called heron.")
    return tmp_path


def run(home: Path, event: str, fields: Any, *, host: str = "claude-code") -> str:
    """One event as a host sends it; the hook's answer, after exit 0 with nothing on stderr."""
    raw = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
    done = subprocess.run(
        hooks.command(event, host, str(home / "memory.db")),
        input=raw, capture_output=True, timeout=60, check=False, cwd=home,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(home)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode("ascii")


def context(answer: str, event: str) -> str:
    """The text that the host would put into its prompt."""
    said = json.loads(answer)["hookSpecificOutput"]
    assert said["hookEventName"] == event
    return str(said["additionalContext"])


def opened(home: Path) -> cogmem.Memory:
    return cogmem.open(home / "memory.db", counter=tokens.Simple())


# -- the life of a session -----------------------------------------------------------------------


def test_a_session_start_brings_the_stable_text_and_a_prompt_the_volatile_one(home: Path) -> None:
    base = {"session_id": "s1", "cwd": str(home), "hook_event_name": "SessionStart"}
    first = context(run(home, "start", {**base, "source": "startup"}), "SessionStart")
    assert "Deploys need a green build." in first
    assert "heron" not in first
    base["hook_event_name"] = "UserPromptSubmit"
    asked = context(
        run(home, "prompt", {**base, "prompt": "what is the staging host called?"}),
        "UserPromptSubmit",
    )
    assert "heron" in asked
    assert "Deploys" not in asked, "the stable text is in the host's prompt already"


def test_a_prompt_without_a_session_start_brings_both_texts_once(home: Path) -> None:
    event = {"session_id": "s1", "cwd": str(home), "prompt": "the staging host?"}
    assert "Deploys" in run(home, "prompt", event)
    assert "Deploys" not in run(home, "prompt", event)


def test_after_compaction_the_stable_text_comes_again(home: Path) -> None:
    base = {"session_id": "s1", "cwd": str(home)}
    first = run(home, "start", {**base, "source": "startup"})
    assert run(home, "start", {**base, "source": "resume"}) == "", "a resumed prompt holds it"
    assert run(home, "start", {**base, "source": "compact"}) == first
    # Gemini CLI tells before it compresses, and cannot be answered then.
    assert run(home, "PreCompress", {**base, "trigger": "auto"}, host="gemini") == ""
    assert "Deploys" in run(home, "BeforeAgent", {**base, "prompt": "go on"}, host="gemini")


def test_what_is_learned_meanwhile_leaves_the_stable_text_alone(home: Path) -> None:
    base = {"session_id": "s1", "cwd": str(home)}
    first = run(home, "start", {**base, "source": "startup"})
    with opened(home) as mem:
        mem.learn("Never push to main on a Friday.", kind="policy")
    told = run(home, "prompt", {**base, "prompt": "hello"})
    assert "Friday" in told, "news comes at the tail"
    assert "Deploys" not in told
    assert "Friday" not in run(home, "prompt", {**base, "prompt": "hello"}), "and comes once"
    with opened(home) as mem:
        assert mem.activate("", session="s1").stable == context(first, "SessionStart")


def test_names_of_events_are_understood_in_any_spelling(home: Path) -> None:
    base = {"session_id": "", "cwd": str(home), "prompt": "staging host"}
    for name in ("prompt", "UserPromptSubmit", "user-prompt-submit", "BeforeAgent"):
        assert "heron" in run(home, name, base)


def test_a_file_named_in_the_prompt_brings_what_is_about_it(home: Path) -> None:
    with opened(home) as mem:
        mem.learn("Sessions here are signed with ed25519.", path="src/auth/**")
    said = run(home, "prompt", {"session_id": "", "prompt": "fix @src/auth/login.py, please"})
    assert "ed25519" in said
    assert hooks.mentioned("mail me@x.org or @you, see @a/b.py.") == ["a/b.py"]


def test_the_command_names_this_interpreter_and_the_file(home: Path) -> None:
    words = hooks.command("prompt", "codex", str(home / "memory.db"))
    assert words[0] == sys.executable
    assert os.path.isabs(words[words.index("--db") + 1])


# -- transcripts ---------------------------------------------------------------------------------

CLAUDE = [
    {"type": "summary", "summary": "x"},
    {"type": "user", "uuid": "1", "timestamp": "2027-01-15T08:00:00Z", "sessionId": "s1",
     "message": {"role": "user", "content": "Never deploy on Fridays."}},
    {"type": "user", "isMeta": True, "message": {"role": "user", "content": "Caveat: local"}},
    {"type": "assistant", "timestamp": "2027-01-15T08:00:01Z",
     "message": {"role": "assistant", "content": [
         {"type": "thinking", "thinking": "secret thoughts"},
         {"type": "text", "text": "I will look."},
         {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]}},
    {"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t1", "content": "a.py " * 9_000}]}},
    {"type": "user", "isSidechain": True, "message": {"role": "user", "content": "of a subagent"}},
    {"type": "user", "message": {"role": "user", "content": "<command-name>/clear</command-name>"}},
    {"type": "attachment", "attachment": {"content": "what a hook said"}},
]  # fmt: skip
CODEX = [
    {"type": "session_meta", "payload": {"id": "s1"}},
    {"type": "response_item", "timestamp": "2027-01-15T08:00:00Z", "payload": {
        "type": "message", "role": "user",
        "content": [{"type": "input_text", "text": "<environment_context>cwd</environment_context>"}]}},
    {"type": "response_item", "payload": {"type": "message", "role": "developer", "content": []}},
    {"type": "response_item", "payload": {
        "type": "message", "role": "user",
        "content": [{"type": "input_text", "text": "Never deploy on Fridays."}]}},
    {"type": "response_item", "payload": {"type": "reasoning", "summary": []}},
    {"type": "response_item", "payload": {
        "type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I will look."}]}},
    {"type": "response_item", "payload": {
        "type": "function_call", "name": "shell", "arguments": '{"command": ["ls"]}', "call_id": "t1"}},
    {"type": "response_item", "payload": {
        "type": "function_call_output", "call_id": "t1", "output": "a.py"}},
    {"type": "event_msg", "payload": {"type": "token_count"}},
]  # fmt: skip
GEMINI = {"sessionId": "s1", "messages": [
    {"type": "user", "timestamp": "2027-01-15T08:00:00Z", "content": [{"text": "Never deploy on Fridays."}]},
    {"type": "info", "content": "update available"},
    {"type": "gemini", "content": "I will look.", "toolCalls": [
        {"id": "t1", "name": "list", "args": {"path": "."}, "result": [{"text": "a.py"}]}]},
]}  # fmt: skip


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (lines(CLAUDE), ["user", "assistant", "tool"]),
        (lines(CODEX), ["user", "assistant", "assistant", "tool"]),
        (json.dumps(GEMINI, indent=1), ["user", "assistant", "tool"]),
        (lines(GEMINI["messages"]), ["user", "assistant", "tool"]),  # type: ignore[arg-type]
    ],
    ids=["claude-code", "codex", "gemini", "gemini lines"],
)
def test_a_transcript_gives_what_was_said_and_done(text: str, roles: list[str]) -> None:
    said = list(transcript.messages(text, 7))
    assert [role for role, *_ in said] == roles
    assert said[0][3] in (7, 1_800_000_000_000)
    whole = json.dumps([parts for _, parts, *_ in said])
    assert "Never deploy on Fridays." in whole
    assert "I will look." in whole
    for noise in ("secret thoughts", "Caveat", "subagent", "command-name", "environment_context"):
        assert noise not in whole
    assert max(len(json.dumps(parts)) for _, parts, *_ in said) < transcript.RESULT_LIMIT + 200


def test_turns_are_recorded_once_and_the_session_becomes_an_episode(home: Path) -> None:
    file = home / "talk.jsonl"
    (home / "code").mkdir()
    base = {"session_id": "s1", "cwd": str(home / "code"), "transcript_path": str(file)}
    file.write_text(lines(CLAUDE))
    for _ in range(2):
        assert run(home, "stop", base) == ""
    with opened(home) as mem:
        project = hooks.project(str(home / "code"))
        talk = mem.conversation("s1", project=project)
        assert [message.role for message in talk.messages()] == ["user", "assistant", "tool"]
        held = [row.content for row in mem.list(everywhere=True)]
        assert any("deploy on Fridays" in content for content in held), "a rule captured it"
    more = [
        {"type": kind, "message": {"role": kind, "content": f"{word} the release of the parser"}}
        for word in ("Plan", "Write", "Test")
        for kind in ("user", "assistant")
    ]
    file.write_text(lines(CLAUDE + more))
    assert run(home, "end", {**base, "reason": "exit"}) == ""
    with opened(home) as mem:
        assert len(mem.conversation("s1", project=project).messages()) == 9
        episodes = mem.list(kind="session_summary", everywhere=True)
        assert len(episodes) == 1
        assert mem.check() == []
    assert not (home / "hook.log").exists()


def test_without_a_transcript_the_event_s_own_words_are_recorded(home: Path) -> None:
    event = {
        "session_id": "s1",
        "prompt": "Plan it.",
        "prompt_response": "Done.",
        "transcript_path": None,
    }
    run(home, "AfterAgent", event, host="gemini")
    with opened(home) as mem:
        assert [m.text for m in mem.conversation("s1").messages()] == ["Plan it.", "Done."]


# -- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"\n", b"null", b"[]", b"{", b"\xff\xfe{}", b'{"prompt": 7, "session_id": {}, "cwd": []}',
        b"[" * 100_000, b'{"prompt": "' + b"a b " * 400_000 + b'"}', b'{"prompt": "\\ud800 \\u0000"}',
        '\ufeff{"prompt": "höst", "cwd": "/no/such"}'.encode(),
    ],
    ids=range(11),
)  # fmt: skip
def test_whatever_comes_in_the_hook_ends_well(home: Path, raw: bytes) -> None:
    answer = run(home, "prompt", raw)
    assert answer == "" or json.loads(answer)


def test_an_unknown_event_and_a_broken_file_are_told_in_the_log_only(home: Path) -> None:
    (home / "memory.db").write_bytes(b"this is no database " * 400)
    said = "a very private sentence"
    assert run(home, "prompt", {"prompt": said}) == ""
    assert run(home, "no-such-event", {"prompt": said}) == ""
    told = (home / "hook.log").read_text()
    assert "prompt ForeignFile" in told
    assert "not a database" in told
    assert said not in told
    assert (home / "hook.log").stat().st_mode & 0o777 == 0o600


def test_the_log_begins_anew_when_it_is_long(home: Path) -> None:
    file = home / "hook.log"
    file.write_bytes(b"x\n" * hooks.LOG_LIMIT)
    hooks.log(str(home / "memory.db"), "prompt", ValueError("private"))
    assert len(file.read_text().splitlines()) == 1
    assert "private" not in file.read_text()
    assert (home / "hook.log.1").exists()


def test_a_locked_file_does_not_hold_up_the_host(home: Path) -> None:
    # In a process of its own: two SQLite libraries in one would undo each other's locks.
    holder = subprocess.Popen(
        [sys.executable, "-I", "-c",
         "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
         "db.execute('begin immediate'); print('held', flush=True); sys.stdin.read(1)",
         str(home / "memory.db")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        started = time.monotonic()
        assert run(home, "prompt", {"session_id": "new", "prompt": "staging host"}) == ""
        assert time.monotonic() - started < hooks.SECONDS["prompt"] + 3
        assert "TimeoutError" in (home / "hook.log").read_text()
    finally:
        holder.communicate(b"x")


def test_a_prompt_leaves_a_file_that_stock_clients_read(home: Path) -> None:
    run(home, "prompt", {"session_id": "s1", "prompt": "staging host"})
    counted = subprocess.run(
        [sys.executable, "-I", "-c",
         "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("
         "'select count(*) from activation').fetchone()[0])", str(home / "memory.db")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert counted.stdout.strip() == "1"
    assert sqlite3.sqlite_version_info  # the stock library, not apsw's


# -- JSON ----------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_the_small_reader_reads_what_json_writes(value: Any) -> None:
    for text in (json.dumps(value), f"\n {json.dumps(value, ensure_ascii=False)} "):
        assert hooks.parse(text) == json.loads(text)


@given(st.text())
def test_the_small_reader_refuses_what_json_refuses(text: str) -> None:
    try:
        expected = json.loads(text, strict=False)
    except ValueError:
        with pytest.raises(ValueError):  # the C reader has words of its own
            hooks.parse(text)
    else:
        assert hooks.parse(text) == expected or expected != expected


@given(st.text(), st.text())
def test_every_answer_is_ascii_json(name: str, text: str) -> None:
    event = hooks.Event("prompt", "codex", {"hook_event_name": name})
    answer = hooks.reply(event, text)
    assert answer.isascii()
    if text:
        assert json.loads(answer)["hookSpecificOutput"]["additionalContext"] == text


@settings(max_examples=200)
@given(st.lists(st.recursive(
    st.dictionaries(st.sampled_from([
        "type", "message", "role", "content", "payload", "tool_calls", "toolCalls", "text", "id",
        "function", "name", "arguments", "timestamp", "tool_use_id", "args", "result", "call_id",
    ]), st.sampled_from([
        "user", "assistant", "gemini", "response_item", "message", "function_call_output", "text",
        "tool_use", "tool_result", "function_call", "2027-01-01T00:00:00", None, 7, [], {}, "x",
    ])),
    lambda inner: st.dictionaries(
        st.sampled_from(["message", "payload", "content", "toolCalls"]), inner | st.lists(inner)
    ),
    max_leaves=6,
)))  # fmt: skip
def test_a_transcript_of_any_shape_is_read_without_a_fault(rows: list[dict[str, Any]]) -> None:
    for role, parts, _, at, _ in transcript.messages(lines(rows), 7):
        assert role in ("user", "assistant", "tool", "system")
        assert parts
        assert isinstance(at, int)
