"""A stand-in for a model, on the loopback address: it answers "Noted." in the words of every provider a host speaks.

It keeps what it was asked: that is what a check looks at. Anthropic's messages, OpenAI's responses
and chat completions, and Gemini's contents, streamed or whole.
"""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cogmem.hosts.edits import filled
from cogmem.text.data import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

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

    def having(self, words: str, since: int = 0) -> list[dict[str, Any]]:
        """Return the requests in which these words stand, in the order in which they came."""
        return [one for one in self.asked[since:] if words in json.dumps(one, ensure_ascii=False)]


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
