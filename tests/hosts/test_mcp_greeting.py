"""The first words of the MCP server: what the SDK would say, and long before it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip(
    "mcp", reason="the MCP server needs the extra: pip install 'cogmem-sqlite[mcp]'"
)

import prepare_greeting as prepare

import cogmem
from cogmem.hosts import mcp_greeting as greeting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "t", "version": "1"},
}


def line(**message: Any) -> bytes:
    return (json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode()


class Server:
    """`cogmem mcp` as a host runs it."""

    def __init__(self, folder: Path, *more: str) -> None:
        words = [sys.executable, "-P", "-X", "utf8", "-m", "cogmem", "--db", str(folder / "m.db")]
        self.running = subprocess.Popen(
            [*words, "mcp", *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        )

    def say(self, *lines: bytes) -> None:
        assert self.running.stdin is not None
        self.running.stdin.write(b"".join(lines))
        self.running.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.running.stdout is not None
        return json.loads(self.running.stdout.readline())  # type: ignore[no-any-return]

    def ask(self, number: int | str, method: str, **params: Any) -> dict[str, Any]:
        self.say(line(id=number, method=method, params=params))
        return self.hear()


@contextmanager
def serving(folder: Path, *more: str) -> Iterator[Server]:
    server = Server(folder, *more)
    try:
        yield server
    finally:
        server.running.kill()
        server.running.communicate()


def test_what_is_prepared_is_what_the_sdk_answers() -> None:
    with open(greeting.PREPARED, encoding="utf-8") as file:
        held = json.load(file)
    assert held == prepare.prepared(), "run `make mcp-greeting`"


@pytest.mark.parametrize("version", ["2024-11-05", "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("toolset", ["few", "default", "gokin"])
def test_a_greeting_is_answered_word_for_word_as_by_the_sdk(version: str, toolset: str) -> None:
    asked = prepare.asked(version)
    said = greeting.Greeting([toolset])
    answers = [said.answer(line(**one)) for one in asked]
    assert [json.loads(one) for one in answers if one] == prepare.answered(toolset, asked)


def test_the_tools_are_listed_before_the_sdk_is_loaded_and_calls_are_served_by_it(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as server:
        hello = server.ask("a", "initialize", **HELLO)
        assert hello["id"] == "a"
        assert hello["result"]["protocolVersion"] == HELLO["protocolVersion"]
        server.say(line(method="notifications/initialized"))
        assert len(server.ask(2, "tools/list")["result"]["tools"]) == 3
        learned = server.ask(3, "tools/call", name="learn", arguments={"text": "Heron is staging."})
        assert learned["id"] == 3, "the answer to the greeting did not come twice"
        assert json.loads(learned["result"]["content"][0]["text"])["success"]
        found = server.ask(4, "tools/call", name="recall", arguments={"query": "staging"})
        assert "Heron" in json.dumps(found)
        assert server.ask(5, "no/such/method")["error"]["code"] == -32601
        assert len(server.ask(6, "tools/list")["result"]["tools"]) == 3


@pytest.mark.parametrize("has_called", [False, True])
def test_a_host_that_interrupts_the_server_does_not_wait_for_its_end(
    tmp_path: Path, has_called: bool
) -> None:
    with serving(tmp_path) as server:
        server.ask(1, "initialize", **HELLO)
        server.say(line(method="notifications/initialized"))
        server.ask(2, "tools/list")
        if has_called:
            server.ask(3, "tools/call", name="learn", arguments={"text": "Heron is staging."})
        server.running.send_signal(signal.SIGINT)
        # Its input stays open: that it is closed is not what ends it.
        server.running.wait(timeout=20)
        assert server.running.stderr is not None
        assert server.running.stderr.read() == b""
    if has_called:
        assert not (tmp_path / "m.db-wal").exists(), "it has closed the file"
        with cogmem.open(tmp_path / "m.db") as mem:
            assert mem.recall("staging")
            assert mem.file.check() == []


def test_messages_that_come_in_one_breath_are_answered_each_once(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.say(
            line(id=1, method="initialize", params=HELLO),
            line(method="notifications/initialized"),
            line(id=2, method="ping"),
            line(id=3, method="tools/list"),
            line(id=4, method="prompts/list"),
            line(id=5, method="tools/call", params={"name": "stats", "arguments": {}}),
            line(id=6, method="ping"),
        )
        heard = [server.hear() for _ in range(6)]
        assert sorted(one["id"] for one in heard) == [1, 2, 3, 4, 5, 6]
        assert all("result" in one for one in heard)


def test_a_client_of_the_protocol_without_a_handshake_is_answered_too(tmp_path: Path) -> None:
    meta = {greeting.VERSION: "2026-07-28", greeting.ABLE: {}}
    with serving(tmp_path) as server:
        found = server.ask(1, "server/discover", _meta=meta)["result"]
        assert found["supportedVersions"] == ["2026-07-28"]
        assert server.ask(2, "tools/list", _meta=meta)["result"]["tools"]
        call = {"name": "recall", "arguments": {"query": "heron"}, "_meta": meta}
        assert json.loads(server.ask(3, "tools/call", **call)["result"]["content"][0]["text"])[
            "success"
        ]
        refused = server.ask(4, "initialize", **HELLO)
        assert refused["error"]["code"] == -32022, "the SDK knows how the connection began"


@pytest.mark.alike
@pytest.mark.parametrize(
    "said",
    [
        line(id=1, method="initialize", params={"protocolVersion": 7}),
        line(id=1, method="tools/list"),
        line(id=1, method="tools/call", params={"name": "stats"}),
        line(id=1, method="nothing"),
    ],
)
def test_what_is_asked_wrongly_is_refused_by_the_sdk_itself(tmp_path: Path, said: bytes) -> None:
    assert greeting.Greeting(["default"]).answer(said) is None
    with serving(tmp_path) as server:
        server.say(said)
        assert "error" in server.hear()


@pytest.mark.parametrize("said", [b"no json\n", b"[]\n", b'{"id": 1}\n', b"\xff\n", b"7\n"])
def test_what_is_no_message_is_left_to_the_sdk(said: bytes) -> None:
    assert greeting.Greeting(["default"]).answer(said) is None


@pytest.mark.parametrize(
    ("words", "sets"),
    [
        (["mcp"], ["few"]),
        (["--db", "a file", "mcp", "--tools", "gokin, ok"], ["gokin", "ok"]),
        (["mcp", "--tools=zara", "--documents", "."], ["zara"]),
        (["--db=mcp", "today"], None),
        (["mcp", "--http"], None),
        (["mcp", "--help"], None),
        (["mcp", "--tools"], None),
        (["learn", "mcp"], None),
    ],
)
def test_only_a_server_on_standard_input_greets(words: list[str], sets: list[str] | None) -> None:
    assert greeting.toolsets_of(words) == sets


def test_a_set_of_tools_that_nobody_knows_is_told_at_once(tmp_path: Path) -> None:
    with serving(tmp_path, "--tools", "nobody") as server:
        out, errors = server.running.communicate(timeout=60)
        assert server.running.returncode == 1
        assert out == b""
        assert b"is not known" in errors


def test_a_client_that_leaves_ends_the_server(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.ask(1, "initialize", **HELLO)
        begun = time.monotonic()
        assert server.running.stdin is not None
        server.running.stdin.close()
        assert server.running.wait(30) == 0
        assert time.monotonic() - begun < 5
        server.running.stdin = None


@pytest.mark.alike
@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        (r'{"q":"her\ud800on"}', r'{"q":"her\ufffdon"}'),
        (r'{"q":"\uDC00"}', r'{"q":"\ufffd"}'),
        (r'{"q":"\ud83d\ude00"}', r'{"q":"\ud83d\ude00"}'),
        (r'{"q":"a path \\ud800"}', r'{"q":"a path \\ud800"}'),
        (r'{"q":"\\\ud800\ud800\udc00"}', r'{"q":"\\\ufffd\ud800\udc00"}'),
    ],
)
def test_half_a_character_does_not_cost_a_request(line: str, becomes: str) -> None:
    assert greeting.whole(line.encode()).decode() == becomes
    json.loads(becomes).get("q").encode()
