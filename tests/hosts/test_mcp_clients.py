"""The MCP server, tried by the inspector's command line and by the protocol's own conformance suite."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from processes import ran
from real_host import FOLDER, HERON, needs_hosts, program

import cogmem

pytest.importorskip(
    "mcp", reason="the MCP server needs the extra: pip install 'cogmem-sqlite[mcp]'"
)

import uvicorn

from cogmem.hosts import mcp as adapter

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, needs_hosts]
TOKEN = "a token for the tests"

# What the suite asks of a server that shows everything the protocol has, and of no other. These need
# tools, resources and prompts with names of the suite's own: `test_image_content`, `test://static-text` …
FIXTURES = frozenset(
    """tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content
    tools-call-with-logging tools-call-with-progress tools-call-sampling tools-call-elicitation
    json-schema-2020-12 elicitation-sep1034-defaults elicitation-sep1330-enums server-sse-polling
    resources-read-text resources-read-binary resources-templates-read prompts-get-simple
    prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image""".split()
)
# What cogmem does not offer, and says so when it greets: log messages and watching a resource.
NOT_OFFERED = frozenset({"logging-set-level", "resources-subscribe", "resources-unsubscribe"})
PASSED = frozenset(
    """server-initialize ping completion-complete tools-list tools-call-simple-text tools-call-error
    server-sse-multiple-streams resources-list prompts-list dns-rebinding-protection""".split()
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = str(tmp_path / "memory.db")
    with cogmem.open(path) as mem:
        mem.learn("Deploys need a green build.", kind="policy", key="deploy")
        mem.learn(HERON)
        mem.activate("What is the staging host called?", turn="turn_one")
    return path


@pytest.fixture
def over_http(file: str) -> Iterator[str]:
    """The server as `cogmem mcp --http` makes it, on a free port of the loopback address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    mem = adapter.Opened(file)
    guarded = adapter.guarded(
        adapter.server(mem, adapter.offered((), mem)).streamable_http_app(), TOKEN
    )

    async def with_token(scope: Any, receive: Any, send: Any) -> None:
        # The suite cannot send a header of ours.
        if scope["type"] == "http":
            headers = [*scope["headers"], (b"authorization", f"Bearer {TOKEN}".encode())]
            scope = {**scope, "headers": headers}
        await guarded(scope, receive, send)

    running = uvicorn.Server(
        uvicorn.Config(with_token, host="127.0.0.1", port=port, log_level="error")
    )
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/mcp"
    running.should_exit = True
    thread.join(20)
    mem.close()


def run(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return ran(
        words,
        timeout=240,
        cwd=cwd,
        env={**os.environ, "PATH": f"{FOLDER}{os.pathsep}{os.environ['PATH']}"},
    )


def inspect(target: list[str], method: str, *more: str) -> subprocess.CompletedProcess[str]:
    return run(program("mcp-inspector"), "--cli", "--quiet", *target, "--method", method, *more)


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_inspector_finds_tools_resources_and_prompts(
    file: str, over_http: str, transport: str, era: str
) -> None:
    over_stdio = [sys.executable, "-m", "cogmem", "--db", file, "mcp"]
    target = (
        over_stdio if transport == "stdio" else ["--server-url", over_http, "--transport", "http"]
    )
    target = ["--protocol-era", era, *target]

    def asked(method: str, *more: str) -> Any:
        done = inspect(target, method, *more)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    tools = asked("tools/list", "--strict")["tools"]
    assert len(tools) == 3
    read = asked("resources/read", "--uri", "cogmem://turn/last")
    assert json.loads(read["contents"][0]["text"])["turn"] == "turn_one"
    found = asked("tools/call", "--tool-name", "recall", "--tool-arg", "query=staging host")
    assert "heron" in found["content"][0]["text"]
    assert json.loads(found["content"][0]["text"])["count"] == 1
    told = asked("prompts/get", "--prompt-name", "recall", "--prompt-args", "question=staging host")
    assert "heron" in told["messages"][0]["content"]["text"]
    failed = inspect(target, "tools/call", "--tool-name", "recall")
    assert failed.returncode == 5, "a tool that failed is an exit code of its own"
    assert json.loads(json.loads(failed.stdout)["content"][0]["text"])["success"] is False


def test_many_calls_at_once_are_all_answered(over_http: str) -> None:
    done = inspect(
        ["--server-url", over_http, "--transport", "http"],
        "tools/call",
        "--tool-name",
        "learn",
        "--tool-arg",
        "text=The release captain is Ada.",
        "--load",
        "--load-concurrency",
        "8",
        "--load-requests",
        "80",
        "--format",
        "json",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"errors": 0' in done.stdout or '"errors":0' in done.stdout, done.stdout


def test_the_conformance_suite_passes_where_it_asks_for_what_cogmem_offers(
    over_http: str, tmp_path: Path
) -> None:
    done = run(
        program("conformance"),
        "server",
        "--url",
        over_http,
        "--suite",
        "all",
        "-o",
        str(tmp_path / "found"),
        cwd=tmp_path,
    )
    lines = [line.strip() for line in done.stdout.split("=== SUMMARY ===")[1].splitlines()]
    passed = {line[2:].partition(":")[0] for line in lines if line.startswith("✓")}
    failed = {line[2:].partition(":")[0] for line in lines if line.startswith("✗")}
    assert failed <= FIXTURES | NOT_OFFERED, failed
    assert passed >= PASSED, PASSED - passed
    print(f"conformance: {len(passed)} of {len(passed | failed)} scenarios")
