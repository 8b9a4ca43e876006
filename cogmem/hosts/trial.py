"""A host itself, run once in a home of its own, with a stand-in for its model: does memory reach the request?

What the files of cogmem say is tried by install.py. Whether the version of a host that is installed here takes them
for what they are, only the host can tell. Its own configuration is not read, and nothing leaves this machine.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from cogmem.hosts.edits import filled
from cogmem.text.data import FOLDER

PATIENCE = 180  # seconds: some fetch what they need when they start for the first time
PASSED_ON = ("PATH", "LANG", "TMPDIR", "SYSTEMROOT", "npm_config_registry")
# By host: its program, its words, its variables and files, and the tools that the stand-in asks for where memory
# comes by one. Codex's hooks nobody trusts here, and Cline takes one word for a command. Cursor's program, Goose,
# Kiro and VS Code cannot be given another model.
with open(f"{FOLDER}/trials.json", encoding="utf-8") as _file:
    TRIALS: dict[str, dict[str, Any]] = json.load(_file)


class Trial(NamedTuple):
    """How a host is run once: its program, its words, and what it needs to talk to the stand-in."""

    program: str
    words: list[str]
    environment: dict[str, str]
    files: dict[str, str]  # below its home
    calls: list[tuple[str, dict[str, str]]]


def trial_of(host: str, url: str) -> Trial:
    """Return how a host is run with a stand-in at this address."""
    row = json.loads(json.dumps(TRIALS[host]).replace("{URL}", url))
    files = {
        name: held if isinstance(held, str) else json.dumps(held)
        for name, held in row.get("files", {}).items()
    }
    calls = [(name, given) for name, given in row.get("calls", ())]
    return Trial(row["program"], row["words"], row.get("environment", {}), files, calls)


def tried(host: str, wanted: str) -> tuple[str, bool | None, str]:
    """Run a host once: its program, whether what is wanted reached the request (None: it could not be tried), and
    what there is to say."""
    if host not in TRIALS:
        return host, None, "not tried: its program cannot be given a stand-in for its model"
    with (
        serving() as model,
        tempfile.TemporaryDirectory(prefix="cogmem-trial-", ignore_cleanup_errors=True) as home,
    ):
        trial = trial_of(host, model.url)
        model.calls += trial.calls
        program = shutil.which(trial.program)
        if program is None:
            return trial.program, None, "not tried: it is not on the PATH"
        passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        environment = {**passed, "HOME": home, "TERM": "dumb", **trial.environment}
        for name, text in trial.files.items():
            file = os.path.join(home, *name.split("/"))
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "w", encoding="utf-8") as opened:
                opened.write(text)
        project = os.path.join(home, "project")
        os.mkdir(project)
        memory = os.path.join(home, "memory.db")
        own = [sys.executable, "-P", "-m", "cogmem", "--db", memory]
        steps = [
            [*own, "learn", wanted, "--kind", "policy"],
            [*own, "install", host, "--no-resident", "--yes"],
            [program, *trial.words],
        ]
        said = ""
        for words in steps:
            is_done, said = _run(words, {**environment, "PWD": project}, project)
            if not is_done:
                return trial.program, False, said
        if any(wanted in json.dumps(one, ensure_ascii=False) for one in model.asked):
            return trial.program, True, "memory reached the request of a session"
        told = "it asked the model without what is in memory" if model.asked else said
        return trial.program, False, told or "it asked the model nothing"


def _run(words: list[str], environment: dict[str, str], folder: str) -> tuple[bool, str]:
    try:
        done = subprocess.run(
            words,
            env=environment,
            cwd=folder,
            timeout=PATIENCE,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, f"it cannot be run: {error}"
    said = (done.stderr + done.stdout).decode("utf-8", "replace").strip()
    return not done.returncode or SAID in said, said[-300:]


# -- the stand-in for a model ----------------------------------------------------------------------
# On the loopback address it answers "Noted." in the words of every provider a host speaks, and keeps what it was
# asked: that is what a check looks at. Anthropic's messages, OpenAI's responses and chat completions, and Gemini's
# contents, streamed or whole.

SAID = "Noted."
SHORT = 10
with open(f"{FOLDER}/answers.json", encoding="utf-8") as _file:
    ANSWERS: dict[str, Any] = json.load(_file)  # by kind: whole, or streamed as said or as a call


class Model(ThreadingHTTPServer):
    """Keeps every request that asks for an answer. `tokens` is how long it calls the next one."""

    daemon_threads = True

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.came: list[float] = []  # when each of them came, in seconds of the monotonic clock
        self.tokens = SHORT
        self.said = SAID  # what it answers
        self.refusal = 0  # the status with which it refuses; 0: it does not
        self.calls: list[tuple[str, dict[str, Any]]] = []  # tools to call first
        super().__init__(("127.0.0.1", 0), Answer)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def length(self) -> int:
        """Tell how long the request is said to be; the one after it is short again."""
        length, self.tokens = self.tokens, SHORT
        return length


@contextmanager
def serving() -> Iterator[Model]:
    """Serve a model for as long as the block runs."""
    with Model() as model:
        threading.Thread(target=model.serve_forever, daemon=True).start()
        yield model
        model.shutdown()


class Answer(BaseHTTPRequestHandler):
    """One request."""

    server: Model

    def log_message(self, *_: Any) -> None:
        """Quiet."""

    def do_HEAD(self) -> None:
        self._send("text/plain", b"")

    def do_GET(self) -> None:
        self._send("application/json", b"{}")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}"
        asked = json.loads(raw)
        path = self.path.partition("?")[0]
        if "count_tokens" in path or "countTokens" in path:
            self._send_json({"input_tokens": SHORT, "totalTokens": SHORT})
            return
        self.server.asked.append(asked)
        self.server.came.append(time.monotonic())
        if self.server.refusal:
            said = {"type": "authentication_error", "message": "invalid x-api-key"}
            data = json.dumps({"type": "error", "error": said}).encode()
            self._send("application/json", data, self.server.refusal)
            return
        ends = (("/responses", "response"), ("/chat/completions", "completion"))
        kind = next((kind for end, kind in ends if path.endswith(end)), "message")
        self._answer("content" if "enerateContent" in path else kind, asked, path)

    def _answer(self, kind: str, asked: dict[str, Any], path: str) -> None:
        """Say it as the provider does, or call the tool that is called first, where the host has any."""
        server, forms = self.server, ANSWERS[kind]
        streamed = "stream" in path if kind == "content" else asked.get("stream")
        is_whole = not streamed and "whole" in forms
        can_call = asked.get("tools") and server.calls and not is_whole
        name, given = server.calls.pop(0) if can_call else ("", {})
        is_long = kind == "content" or not (can_call or kind == "message")
        tokens = server.length() if is_long else SHORT
        model, number = asked.get("model", "m"), f"call_{len(server.asked)}"
        held = {
            "$said": server.said,
            "$id": number,
            "$model": model,
            "$name": name,
            "$given": given,
        }
        held |= {"$json": json.dumps(given), "$tokens": tokens, "$total": tokens + 2}
        said = filled(forms["whole" if is_whole else "called" if can_call else "said"], held)
        if is_whole:
            self._send_json(said)
            return
        end = "\r\n" if kind == "content" else "\n"
        lines = [f"data: {json.dumps(one)}{end}{end}" for one in said]
        if kind == "completion":
            lines.append("data: [DONE]\n\n")
        elif kind != "content":
            lines = [f"event: {one['type']}\n{line}" for one, line in zip(said, lines, strict=True)]
        self._send("text/event-stream", "".join(lines).encode())

    def _send_json(self, value: dict[str, Any]) -> None:
        self._send("application/json", json.dumps(value).encode())

    def _send(self, kind: str, data: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
        self.close_connection = True
