"""The real command lines of hosts, offline, against a small model on the loopback address.

They come from npm: put `claude` and `codex` on the PATH, or name the folder of the programs in COGMEM_HOSTS.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import cogmem
from cogmem.adapters import hooks, install

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = os.environ.get("COGMEM_HOSTS", "")
WHERE = f"{FOLDER}{os.pathsep}{os.environ.get('PATH', '')}"
CLAUDE, CODEX = shutil.which("claude", path=WHERE), shutil.which("codex", path=WHERE)
ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow
needs_claude = pytest.mark.skipif(
    CLAUDE is None, reason="only with Claude Code: npm install @anthropic-ai/claude-code"
)

needs_codex = pytest.mark.skipif(CODEX is None, reason="only with Codex: npm install @openai/codex")


class Model(ThreadingHTTPServer):
    """Says "Noted." to whatever it is asked, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        super().__init__(("127.0.0.1", 0), Answer)


class Answer(BaseHTTPRequestHandler):
    """One request, in the form of Anthropic's messages or of OpenAI's responses."""

    server: Model

    def log_message(self, *_: Any) -> None:
        """Quiet."""

    def do_HEAD(self) -> None:
        self._head("text/plain")

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if "count_tokens" in self.path:
            self._head("application/json")
            self.wfile.write(b'{"input_tokens": 10}')
            return
        self.server.asked.append(asked)
        if self.path.endswith("/responses"):
            self._as_response()
            return
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model", "m"),
            "content": [{"type": "text", "text": "Noted."}], "stop_reason": "end_turn",
            "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 2},
        }  # fmt: skip
        if not asked.get("stream"):
            self._head("application/json")
            self.wfile.write(json.dumps(message).encode())
            return
        self._head("text/event-stream")
        for name, fields in (
            ("message_start", {"message": {**message, "content": [], "stop_reason": None}}),
            ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
            (
                "content_block_delta",
                {"index": 0, "delta": {"type": "text_delta", "text": "Noted."}},
            ),
            ("content_block_stop", {"index": 0}),
            (
                "message_delta",
                {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
            ),
            ("message_stop", {}),
        ):
            data = json.dumps({"type": name, **fields})
            self.wfile.write(f"event: {name}\ndata: {data}\n\n".encode())

    def _as_response(self) -> None:
        item = {
            "type": "message", "role": "assistant", "id": "m1", "status": "completed",
            "content": [{"type": "output_text", "text": "Noted.", "annotations": []}],
        }  # fmt: skip
        used = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        self._head("text/event-stream")
        for name, fields in (
            ("response.created", {"response": {"id": "r1"}}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed", {"response": {"id": "r1", "output": [item], "usage": used}}),
        ):
            data = json.dumps({"type": name, **fields})
            self.wfile.write(f"event: {name}\ndata: {data}\n\n".encode())

    def _head(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()
        self.close_connection = True


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield serving
        serving.shutdown()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    return tmp_path


def say(home: Path, model: Model, *words: str) -> dict[str, Any]:
    """One call of Claude Code; returns the request that carried the prompt."""
    before = len(model.asked)
    environment = {
        **os.environ, "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{model.server_address[1]}",
        "ANTHROPIC_API_KEY": "sk-ant-no-key", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1",
    }  # fmt: skip
    done = subprocess.run(
        [str(CLAUDE), "-p", *words], env=environment, cwd=home / "project", timeout=120, check=False,
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    assert "Noted." in done.stdout, done.stdout + done.stderr
    asked = [one for one in model.asked[before:] if words[-1] in json.dumps(one["messages"])]
    return asked[-1]


def block(request: dict[str, Any]) -> str:
    """The text that the start of the session brought."""
    texts = json.dumps(request["messages"], ensure_ascii=False).split("# Memory (reference data")
    return next(
        (text.partition("</system-reminder>")[0] for text in texts[1:] if "## Always" in text), ""
    )


@needs_claude
def test_what_claude_code_heard_in_one_session_is_in_the_request_of_the_next(
    home: Path, model: Model
) -> None:
    path = home / "memory.db"
    install.install("claude-code", str(path))
    with cogmem.open(path) as mem:
        mem.learn("Answer in English.", kind="policy")
    first = say(home, model, "Never deploy on Fridays, and call the staging host heron.")
    assert "Answer in English." in json.dumps(first["messages"])
    second = say(home, model, "Which name did we give the staging host?")
    told = json.dumps(second["messages"])
    assert "heron" in told, "what was said in the first session"
    assert "deploy on Fridays" in told, "what a rule captured in it"
    third = say(home, model, "--continue", "And when do we deploy?")
    # Its own system prompt names folders and processes; what is ours must not change by a byte.
    assert block(second) == block(third) != ""
    assert "Answer in English." in block(second)
    with cogmem.open(path, project=hooks.project(str(home / "project"))) as mem:
        said = [row["messages"] for row in mem.conversations()]
        assert sorted(said) == [2, 4]
        assert mem.check() == []
    assert not (home / "hook.log").exists()


@needs_claude
def test_claude_code_finds_no_fault_with_the_plugin(home: Path) -> None:
    for folder in (ROOT / "integrations" / "claude-code", ROOT):
        done = subprocess.run(
            [str(CLAUDE), "plugin", "validate", "--strict", str(folder)],
            capture_output=True, text=True, timeout=60, check=False, cwd=home,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


@needs_codex
def test_what_codex_heard_in_one_session_is_in_the_request_of_the_next(
    home: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(home / ".codex"))
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(
        'model = "none"\nmodel_provider = "mock"\n\n[model_providers.mock]\nname = "mock"\n'
        f'base_url = "http://127.0.0.1:{model.server_address[1]}/v1"\n'
        'wire_api = "responses"\nenv_key = "MOCK_KEY"\n'
    )
    path = home / "memory.db"
    install.install("codex", str(path))
    with cogmem.open(path) as mem:
        mem.learn("Answer in English.", kind="policy")
    # Nobody is there to trust the hooks; `codex` asks for it once.
    words = [str(CODEX), "exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check"]
    told = []
    for prompt in ("Never deploy on Fridays. The staging host is heron.", "What is its name?"):
        before = len(model.asked)
        done = subprocess.run(
            [*words, f"{prompt} Staging host?"], cwd=home / "project", timeout=120, check=False,
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env={**os.environ, "MOCK_KEY": "none"},
        )  # fmt: skip
        assert "Noted." in done.stdout, done.stdout + done.stderr
        told.append(json.dumps(model.asked[before:]))
    assert all("Answer in English." in text for text in told)
    assert "heron" in told[1]
    assert "deploy on Fridays" in told[1]
    assert not (home / "hook.log").exists()
