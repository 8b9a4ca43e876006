"""Conversations of a few messages, and models that answer them as a test wants."""

from __future__ import annotations

import json
from typing import Any

from conftest import NOW

from cogmem.conversation.conversation import Conversation
from cogmem.hosts.transcripts import Reader
from cogmem.memory import Memory


def fill(
    talk: Conversation, count: int, words: str = "The deploy of service {n} is on Monday."
) -> None:
    roles = ("user", "assistant")
    talk.extend([(roles[n % 2], words.format(n=n), None, NOW + n, None) for n in range(count)])


def raw_parts(db: Any) -> dict[int, str]:
    """What is stored for every message version, archived or not, as the very text."""
    from cogmem.conversation.segment import parts_in_segments

    rows = db.ask("select id, parts, segment_id from message")
    archived = parts_in_segments(db, {row[2] for row in rows if row[1] is None})
    return {row[0]: row[1] if row[1] is not None else archived[row[0]] for row in rows}


class Scripted:
    """A model that says what the test wants, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []

    def complete(self, prompt: str, **options: Any) -> str:
        self.asked.append({"prompt": prompt, **options})
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def assert_tiled(talk: Conversation) -> None:
    """The frontier covers each place below the cursor exactly once."""
    state = talk.state()
    assert state is not None
    position = 0
    for earliest, latest, _, _ in talk.db.read("summary.frontier_ranges", {"id": state.id}):
        assert earliest == position, (
            f"place {min(earliest, position)} is covered {earliest < position} twice"
        )
        position = latest + 1
    assert position == state.ingested_seq


def talked(memory: Memory, name: str, at: int, *texts: str) -> None:
    """Record what a user and an assistant say in turn."""
    talk = memory.conversation(name)
    for number, text in enumerate(texts):
        talk.append("assistant" if number % 2 else "user", text, at=at + number)


def said(role: str, text: str, speaker: str = "") -> dict[str, Any]:
    named = {"speaker": speaker} if speaker else {}
    return {"role": role, **named, "parts": [{"type": "text", "text": text}]}


def call(name: str, number: int = 1, **arguments: Any) -> dict[str, Any]:
    part = {"type": "tool_call", "id": f"call_{number}", "name": name, "arguments": arguments}
    return {"role": "assistant", "parts": [part]}


def result(content: str, number: int = 1, **more: Any) -> dict[str, Any]:
    part = {"type": "tool_result", "tool_call_id": f"call_{number}", "content": content, **more}
    return {"role": "tool", "parts": [part]}


class Answering:
    name = "answering"

    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def complete(self, prompt: str, **_: Any) -> str:
        self.asked.append(prompt)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


TRACE = (
    "Traceback (most recent call last):\n"
    '  File "src/auth/login.py", line 3, in login\n'
    "KeyError: 'token_ttl'\n" + "noise\n" * 50
)


NEW_LOGIN = "def login(request):\n    ttl = config.get('token_ttl', 60)"


SESSION = [
    said("user", "The login page crashes since yesterday, please find out why."),
    said("assistant", "Let me look at the code."),
    call("read", 1, path="src/auth/login.py"),
    result("def login():\n    return db.find(user)\n" * 40, 1),
    call("bash", 2, command="pytest"),
    result(TRACE, 2),
    call("edit", 3, path="src/auth/login.py", old="x", new=NEW_LOGIN),
    result("ok", 3),
    said("assistant", "Fixed: the crash was caused by a missing default for token_ttl."),
    said("user", "We decided to keep sessions in Redis instead of Postgres, because they expire by themselves."),
    said("assistant", "ok"),
    said("assistant", "The billing service depends on the auth service for its tokens."),
    call("write", 4, path="config/app.toml", content="token_ttl = 60"),
    result("ok", 4),
    said("user", "Rate limiting is still missing; that is a TODO for next week."),
    said("user", "thanks!"),
]  # fmt: skip


def read(
    *lines: Any, form: str | None = None, indent: int | None = None
) -> tuple[Reader, list[Any]]:
    data = "\n".join(
        line if isinstance(line, str) else json.dumps(line, indent=indent) for line in lines
    )
    reader = Reader(data.encode().splitlines(keepends=True), form, now=NOW)
    return reader, list(reader.pieces())


# Items as the OpenAI Agents SDK has them.
OF_AN_AGENT = [
    {"role": "user", "content": "The staging host is called heron."},
    {"type": "reasoning", "id": "r1", "summary": [], "encrypted_content": None},
    {"type": "function_call", "call_id": "c1", "name": "ping", "arguments": '{"host": "heron"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "pong"},
    {"role": "assistant", "content": [{"type": "output_text", "text": "It answers.", "annotations": []}]},
]  # fmt: skip
