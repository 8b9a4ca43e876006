"""What is told of a session without a model: only what really stands in it, and each thing once.

The sessions are written as each host writes them, and read as each host's are read.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem.conversation.episodes import LONGEST, narrative
from cogmem.conversation.recount import recount
from cogmem.hosts import transcript
from cogmem.text.lines import one_line

SESSIONS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "fixtures" / "sessions.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
AT = "2027-01-15T08:00:00Z"


def claude(steps: list[list[Any]]) -> str:
    rows: list[dict[str, Any]] = []

    def add(role: str, content: Any) -> None:
        rows.append({"type": role, "message": {"role": role, "content": content}, "timestamp": AT})

    for number, (sort, *what) in enumerate(steps):
        if sort in ("user", "say"):
            text = [{"type": "text", "text": what[0]}]
            add("user" if sort == "user" else "assistant", what[0] if sort == "user" else text)
            continue
        path = {"file_path": f"/home/mara/app/{what[0]}"}
        edit = {**path, "old_string": "a", "new_string": "b"}
        if sort == "run":
            name, given, output, failed = "Bash", {"command": what[0]}, what[2], what[1] != 0
        elif sort == "read":
            name, given, output, failed = "Read", path, "text", False
        else:
            failed = sort == "fail_edit"
            output = "<tool_use_error>File is read-only</tool_use_error>" if failed else "done"
            name, given = "Edit", edit
        add("assistant", [{"type": "tool_use", "id": f"t{number}", "name": name, "input": given}])
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": output}
        if failed:
            result |= {
                "is_error": True,
                "content": f"Exit code 1\n{output}" if sort == "run" else output,
            }
        add("user", [result])
    return "".join(json.dumps(row) + "\n" for row in rows)


def codex(steps: list[list[Any]]) -> str:
    rows: list[dict[str, Any]] = [{"type": "session_meta", "payload": {"id": "s1"}}]

    def add(payload: dict[str, Any]) -> None:
        rows.append({"type": "response_item", "timestamp": AT, "payload": payload})

    for number, (sort, *what) in enumerate(steps):
        call = f"call_{number}"
        if sort == "user":
            add(
                {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": what[0]}],
                }
            )
        elif sort == "say":
            add(
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": what[0]}],
                }
            )
        elif sort in ("run", "read"):
            command = what[0] if sort == "run" else f"cat {what[0]}"
            code, output = (what[1], what[2]) if sort == "run" else (0, "text")
            given = json.dumps({"command": ["bash", "-lc", command], "workdir": "/home/mara/app"})
            add({"type": "function_call", "name": "shell", "arguments": given, "call_id": call})
            done = {"output": output, "metadata": {"exit_code": code, "duration_seconds": 0.1}}
            add({"type": "function_call_output", "call_id": call, "output": json.dumps(done)})
        else:
            patch = f"*** Begin Patch\n*** Update File: {what[0]}\n@@\n-a\n+b\n*** End Patch"
            add(
                {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": call}
            )
            code = 1 if sort == "fail_edit" else 0
            done = {
                "output": "Success" if not code else "patch failed",
                "metadata": {"exit_code": code},
            }
            add({"type": "custom_tool_call_output", "call_id": call, "output": json.dumps(done)})
    return "".join(json.dumps(row) + "\n" for row in rows)


def gemini(steps: list[list[Any]]) -> str:
    rows: list[dict[str, Any]] = []
    for number, (sort, *what) in enumerate(steps):
        if sort == "user":
            rows.append({"type": "user", "timestamp": AT, "content": [{"text": what[0]}]})
            continue
        if sort == "say":
            rows.append({"type": "gemini", "timestamp": AT, "content": what[0]})
            continue
        edit = {"file_path": what[0], "old_string": "a", "new_string": "b"}
        if sort == "run":
            name, given = "run_shell_command", {"command": what[0]}
            output = f"Output: {what[2]}\nExit Code: {what[1]}"
        elif sort == "read":
            name, given, output = "read_file", {"absolute_path": what[0]}, "text"
        else:
            name, given = "replace", edit
            failed = sort == "fail_edit"
            output = "Exit Code: 1\nread-only" if failed else "Successfully modified file"
        call = {
            "id": f"c{number}",
            "name": name,
            "args": given,
            "status": "success",
            "result": [
                {
                    "functionResponse": {
                        "id": f"c{number}",
                        "name": name,
                        "response": {"output": output},
                    }
                }
            ],
            "resultDisplay": output,
        }
        rows.append({"type": "gemini", "timestamp": AT, "content": "", "toolCalls": [call]})
    return json.dumps({"sessionId": "s1", "messages": rows}, indent=1)


HOSTS = {"claude-code": claude, "codex": codex, "gemini": gemini}


def recorded(host: str, steps: list[list[Any]]) -> list[dict[str, Any]]:
    """The session as the record holds it. OpenCode and Cursor tell words only, event by event."""
    if host in HOSTS:
        said = transcript.messages(HOSTS[host](steps), 7)
        return [{"role": role, "parts": parts} for role, parts, *_ in said]
    roles = {"user": "user", "say": "assistant"}
    return [
        {"role": roles[sort], "parts": [{"type": "text", "text": what[0]}]}
        for sort, *what in steps
        if sort in roles
    ]


def spans(messages: list[dict[str, Any]]) -> list[str]:
    """Each text that the record holds, of people, calls and results."""
    found = []
    for message in messages:
        for part in message["parts"]:
            values = (
                part.get("text"),
                part.get("content"),
                json.dumps(part.get("arguments"), ensure_ascii=False),
            )
            found += [one_line(str(value).replace("\\n", "\n")) for value in values if value]
    return found


@pytest.mark.parametrize("host", [*HOSTS, "opencode", "cursor"])
@pytest.mark.parametrize("session", SESSIONS, ids=lambda one: str(one["name"]))
def test_a_session_is_told_as_it_was(session: dict[str, Any], host: str) -> None:
    messages = recorded(host, session["steps"])
    text = narrative(messages)
    told: dict[str, list[str]] = {}
    for one in recount(messages):
        told.setdefault(one.sort, []).extend(one.quotes)
        assert one.text in text
    assert told["request"][0] == session["request"]
    assert told.get("decision", []) == session["decisions"]
    left = [*told.get("open", []), *told.get("unanswered", [])]
    assert len(left) == len(session["open"])
    assert all(wanted in found for wanted, found in zip(session["open"], left, strict=True))
    for absent in session["never"]:
        assert absent not in text
    does = host in HOSTS
    files = [name.removeprefix("work/app/") for name in told.get("file", [])]
    assert [one for one in session["files"] if does] == [
        next(path for path in session["files"] if path.endswith(name) or name.endswith(path))
        for name in files
    ]
    failed = [one for one in recount(messages) if one.sort in ("error", "open error")]
    assert len(failed) == (len(session["errors"]) if does else 0)
    for one, (command, error, mend) in zip(failed, session["errors"], strict=False):
        assert f"`{command}`" in one.text
        assert error in one.text
        assert mend in one.text
    quoted = [one.casefold() for one in re.findall("“(.+?)”", text)]
    assert len(quoted) == len(set(quoted)), "each once"
    there = spans(messages)
    for quote in quoted:
        assert any(quote in one.casefold() for one in there), quote


def test_a_request_after_which_the_agent_acted_without_a_word_was_answered() -> None:
    steps = [["user", "Fix the typo."], ["say", "Which one?"], ["user", "the one in the readme"]]
    waiting = recount(recorded("claude-code", steps))
    assert [one.sort for one in waiting] == ["request", "unanswered"]
    done = recount(recorded("claude-code", [*steps, ["edit", "README.md"]]))
    assert [one.sort for one in done] == ["request", "file"]


WORDS = st.sampled_from(
    "We decided to use Postgres.|Let's go with tabs. Error: boom|Hi!|still open: the “docs”|Fix it, please\n\nToday;"
    "|a.py is broken|TODO later|ok|我们决定用令牌。还没做|```\nWe decided nothing\n```|if we decided to wait?".split(
        "|"
    )
) | st.text(max_size=300)
STEPS = st.lists(
    st.tuples(st.sampled_from(["user", "say"]), WORDS).map(list)
    | st.tuples(
        st.just("run"),
        st.sampled_from(["npm test", "make all", "cd x && make all"]),
        st.integers(0, 2),
        WORDS,
    ).map(list)
    | st.tuples(
        st.sampled_from(["edit", "fail_edit"]), st.sampled_from(["a.py", "b/c/d/e.py"])
    ).map(list),
    max_size=12,
)


@given(STEPS)
def test_whatever_was_said_every_quoted_span_is_in_the_record(steps: list[list[Any]]) -> None:
    messages = recorded("claude-code", steps)
    there = spans(messages)
    done = [what[0] for sort, *what in steps if sort == "edit"]
    for one in recount(messages):
        for quote in one.quotes:
            if one.sort == "file":
                assert any(f"/home/mara/app/{path}".endswith(quote) for path in done)
            else:
                assert any(one_line(quote) in said for said in there), (one.sort, quote)
    assert len(narrative(messages).encode()) <= LONGEST
