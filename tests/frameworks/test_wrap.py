"""wrap: the real clients of both providers, talking to a server on loopback.

Modules: shapes.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import cogmem
from cogmem.errors import InvalidInput
from cogmem.frameworks.wrap import companion

openai = pytest.importorskip("openai")
anthropic = pytest.importorskip("anthropic")

ANSWER = "Use the staging runbook."


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.asked: list[dict[str, Any]] = []
        self.clients: dict[str, Any] = {}

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answers(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(sent)
        kind = self.path.rpartition("/")[2]
        answer = WHOLE[kind]
        if sent.get("stream"):
            data = b"".join(
                f"event: {event.get('type', 'message')}\ndata: {json.dumps(event)}\n\n".encode()
                for event in EVENTS[kind]
            )
            data += b"data: [DONE]\n\n" if kind == "completions" else b""
            form = "text/event-stream"
        else:
            data, form = json.dumps(answer).encode(), "application/json"
        self.send_response(200)
        self.send_header("content-type", form)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _completion(**choice: Any) -> dict[str, Any]:
    kind = "chat.completion.chunk" if "delta" in choice else "chat.completion"
    first = {"index": 0, "finish_reason": None, **choice}
    return {"id": "c", "object": kind, "created": 1, "model": "m", "choices": [first]}


_BLOCK = {"type": "text", "text": ANSWER, "citations": None}
_MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [_BLOCK],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
_OUTPUT = {
    "id": "o",
    "type": "message",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": ANSWER, "annotations": []}],
}
_RESPONSE = {
    "id": "r",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "output": [_OUTPUT],
    "status": "completed",
    "parallel_tool_calls": False,
    "tool_choice": "auto",
    "tools": [],
}
_HALVES = (ANSWER[:10], ANSWER[10:])
WHOLE = {
    "completions": _completion(
        message={"role": "assistant", "content": ANSWER}, finish_reason="stop"
    ),
    "messages": _MESSAGE,
    "responses": _RESPONSE,
}
EVENTS: dict[str, list[dict[str, Any]]] = {
    "completions": [
        *(_completion(delta={"role": "assistant", "content": half}) for half in _HALVES),
        _completion(delta={}, finish_reason="stop"),
    ],
    "messages": [
        {"type": "message_start", "message": {**_MESSAGE, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "text_delta", "text": half},
            }
            for half in _HALVES
        ),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 2},
        },
        {"type": "message_stop"},
    ],
    "responses": [
        *(
            {
                "type": "response.output_text.delta",
                "item_id": "o",
                "output_index": 0,
                "content_index": 0,
                "delta": half,
                "sequence_number": number,
                "logprobs": [],
            }
            for number, half in enumerate(_HALVES)
        ),
        {"type": "response.completed", "response": _RESPONSE, "sequence_number": 9},
    ],
}


@pytest.fixture
def server() -> Iterator[Server]:
    there = Server()
    thread = threading.Thread(target=there.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield there
    for name, client in there.clients.items():
        if "async" not in name:
            client.close()
    there.shutdown()
    there.server_close()


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = str(tmp_path / "memory.db")
    with cogmem.open(path) as mem:
        mem.learn("Always answer in German.", kind="rule")
        mem.learn("The staging server is called stork and runs Debian.")
    return path


def clients(server: Server) -> dict[str, Any]:
    there = {"api_key": "k", "max_retries": 0}
    server.clients = {
        "openai": openai.OpenAI(base_url=f"{server.root}/v1", **there),
        "openai async": openai.AsyncOpenAI(base_url=f"{server.root}/v1", **there),
        "anthropic": anthropic.Anthropic(base_url=server.root, **there),
        "anthropic async": anthropic.AsyncAnthropic(base_url=server.root, **there),
    }
    return server.clients


QUESTION = "What is the staging server called?"
TALK = [{"role": "user", "content": QUESTION}]


def said(path: str, session: str = "monday") -> list[tuple[str, str]]:
    with cogmem.open(path) as mem:
        return [(message.role, message.told()) for message in mem.conversation(session).recent(50)]


def test_anthropic_gets_the_stable_text_with_a_mark_and_the_rest_beside_the_message(
    server: Server, path: str
) -> None:
    client = cogmem.wrap(clients(server)["anthropic"], path, session="monday")
    client.cogmem.flush()  # warm: a busy machine takes longer to load it than a request waits
    answer = client.messages.create(model="m", max_tokens=9, system="Be brief.", messages=TALK)
    client.cogmem.end()
    assert type(answer) is anthropic.types.Message
    assert answer.content[0].text == ANSWER
    [sent] = server.asked
    assert sent["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert "Always answer in German." in sent["system"][0]["text"]
    assert sent["system"][1] == {"type": "text", "text": "Be brief."}
    asked = sent["messages"][0]["content"]
    assert asked.startswith(QUESTION)
    assert "stork" in asked
    assert said(path) == [("user", QUESTION), ("assistant", ANSWER)]
    assert TALK == [{"role": "user", "content": QUESTION}], "the caller's own list stays as it was"


def test_openai_gets_it_in_chats_and_responses(server: Server, path: str) -> None:
    client = cogmem.wrap(clients(server)["openai"], path, session="monday")
    assert (
        client.chat.completions.create(model="m", messages=TALK).choices[0].message.content
        == ANSWER
    )
    assert (
        client.responses.create(model="m", input="And what does stork run?").output_text == ANSWER
    )
    client.cogmem.end()
    chat, response = server.asked
    assert chat["messages"][0]["role"] == "system"
    assert "German" in chat["messages"][0]["content"]
    assert "stork" in chat["messages"][1]["content"]
    assert "German" in response["instructions"]
    assert response["input"].startswith("And what does stork run?")
    assert [role for role, _ in said(path)] == ["user", "assistant"] * 2


def test_what_went_beside_a_message_stands_there_again(server: Server, path: str) -> None:
    client = cogmem.wrap(clients(server)["openai"], path, session="monday")
    talk: list[dict[str, Any]] = [*TALK]
    for prompt in ("Thanks.", "Which Debian is on stork?"):
        answer = client.chat.completions.create(model="m", messages=talk)
        talk += [
            {"role": "assistant", "content": answer.choices[0].message.content},
            {"role": "user", "content": prompt},
        ]
    client.chat.completions.create(model="m", messages=talk)
    client.cogmem.end()
    first, second, third = (sent["messages"] for sent in server.asked)
    assert second[: len(first)] == first, "the provider's cache holds the same bytes"
    assert third[: len(second)] == second


def test_the_rounds_of_tools_of_one_turn_are_one_turn(server: Server, path: str) -> None:
    client = cogmem.wrap(clients(server)["anthropic"], path, session="monday")
    client.messages.create(model="m", max_tokens=9, messages=TALK)
    rounds = [
        *TALK,
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t", "name": "ls", "input": {}}],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t", "content": "a b"}],
        },
    ]
    client.messages.create(model="m", max_tokens=9, messages=rounds)
    client.cogmem.flush()
    assert server.asked[1]["messages"][0] == server.asked[0]["messages"][0]
    assert server.asked[1]["messages"][2] == rounds[2]
    assert len(client.cogmem.memory.turns.list()) == 2  # the start, and the one message
    client.cogmem.end()


def test_streams_go_on_unchanged_and_are_recorded(server: Server, path: str) -> None:
    there = clients(server)
    one = cogmem.wrap(there["openai"], path, session="chat")
    chunks = list(one.chat.completions.create(model="m", messages=TALK, stream=True))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == ANSWER
    events = list(one.responses.create(model="m", input=QUESTION, stream=True))
    assert events[-1].type == "response.completed"
    one.cogmem.end()
    two = cogmem.wrap(there["anthropic"], path, session="message")
    with two.messages.stream(model="m", max_tokens=9, messages=TALK) as stream:
        assert "".join(stream.text_stream) == ANSWER
    for event in two.messages.create(model="m", max_tokens=9, messages=TALK, stream=True):
        last = event
    assert last.type == "message_stop"
    two.cogmem.end()
    answers = [
        text
        for name in ("chat", "message")
        for role, text in said(path, name)
        if role == "assistant"
    ]
    assert answers == [ANSWER] * 4


def test_awaited_clients_have_it_too(server: Server, path: str) -> None:
    async def day() -> None:
        there = clients(server)
        one = cogmem.wrap(there["openai async"], path, session="chat")
        await one.chat.completions.create(model="m", messages=TALK)
        stream = await one.chat.completions.create(model="m", messages=TALK, stream=True)
        assert [chunk async for chunk in stream]
        two = cogmem.wrap(there["anthropic async"], path, session="message")
        async with two.messages.stream(model="m", max_tokens=9, messages=TALK) as stream:
            assert "".join([text async for text in stream.text_stream]) == ANSWER
        one.cogmem.end()
        two.cogmem.end()
        await one.close()
        await two.close()

    asyncio.run(day())
    assert all("German" in json.dumps(sent) for sent in server.asked)
    assert [text for role, text in said(path, "message") if role == "assistant"] == [ANSWER]


def test_a_fault_or_a_slow_memory_neither_changes_nor_delays_the_answer(
    server: Server, path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = cogmem.wrap(clients(server)["anthropic"], path, session="monday")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("gears")

    with monkeypatch.context() as patched:
        patched.setattr(cogmem.Memory, "activate", broken)
        assert (
            client.messages.create(model="m", max_tokens=9, messages=TALK).content[0].text == ANSWER
        )
    assert server.asked[0]["messages"] == TALK
    assert "gears" in caplog.text
    monkeypatch.setattr("cogmem.frameworks.wrap.PATIENCE", 0.05)
    client.cogmem._worker.submit(time.sleep, 0.5)
    assert client.messages.create(model="m", max_tokens=9, messages=TALK).content[0].text == ANSWER
    assert "system" not in server.asked[1]
    assert "too slow" in caplog.text
    client.cogmem.end()


def test_four_marks_of_the_callers_own_leave_no_room_for_a_fifth(server: Server, path: str) -> None:
    client = cogmem.wrap(clients(server)["anthropic"], path, session="monday")
    marked = {"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}
    client.messages.create(model="m", max_tokens=9, system=[marked] * 4, messages=TALK)
    client.cogmem.end()
    assert json.dumps(server.asked[0]).count("cache_control") == 4


def test_everything_else_is_the_clients_own(server: Server, path: str) -> None:
    plain = clients(server)["openai"]
    client = cogmem.wrap(plain, path, session="monday")
    assert client.base_url == plain.base_url
    assert client.models is plain.models
    client.with_options(timeout=5).chat.completions.create(model="m", messages=TALK)
    assert "German" in json.dumps(server.asked[0])
    assert "cogmem.wrap(" in repr(client)
    companion(client).end()
    client.cogmem.end()
    with pytest.raises(InvalidInput, match="has no memory"):
        companion(plain)
    with pytest.raises(InvalidInput, match="not a client"):
        cogmem.wrap(object(), path, session="monday")
