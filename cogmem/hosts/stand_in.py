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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SAID = "Noted."
SHORT = 10


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
    """A model for as long as the block runs."""
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
        if path.endswith("/responses"):
            self._as_response(asked)
        elif path.endswith("/chat/completions"):
            self._as_completion(asked)
        elif "enerateContent" in path:
            self._as_content("stream" in path, asked)
        else:
            self._as_message(asked)

    def _called(self, asked: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
        """Return the tool that is called first, where the host has any."""
        return self.server.calls.pop(0) if asked.get("tools") and self.server.calls else None

    def _as_message(self, asked: dict[str, Any]) -> None:
        said: dict[str, Any] = {"type": "text", "text": self.server.said}
        message = {
            "id": f"msg_{len(self.server.asked)}",
            "type": "message",
            "role": "assistant",
            "model": asked.get("model", "m"),
            "content": [said],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 2},
        }
        if not asked.get("stream"):
            self._send_json(message)
            return
        call = self._called(asked)
        block, delta, reason = {**said, "text": ""}, {**said, "type": "text_delta"}, "end_turn"
        if call:
            name = f"toolu_{len(self.server.asked)}"
            block = {"type": "tool_use", "id": name, "name": call[0], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
            reason = "tool_use"
        ended = {"delta": {"stop_reason": reason}, "usage": {"output_tokens": 2}}
        self._stream(
            ("message_start", {"message": {**message, "content": [], "stop_reason": None}}),
            ("content_block_start", {"index": 0, "content_block": block}),
            ("content_block_delta", {"index": 0, "delta": delta}),
            ("content_block_stop", {"index": 0}),
            ("message_delta", ended),
            ("message_stop", {}),
        )

    def _as_response(self, asked: dict[str, Any]) -> None:
        name = f"call_{len(self.server.asked)}"
        said = {"type": "output_text", "text": self.server.said, "annotations": []}
        item: dict[str, Any] = {"type": "message", "role": "assistant", "id": "m1"}
        item |= {"status": "completed", "content": [said]}
        tokens = SHORT
        if call := self._called(asked):
            item = {"type": "function_call", "id": "f1", "call_id": name, "name": call[0]}
            item["arguments"] = json.dumps(call[1])
        else:
            tokens = self.server.length()
        used = {"input_tokens": tokens, "output_tokens": 2, "total_tokens": tokens + 2}
        self._stream(
            ("response.created", {"response": {"id": name}}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed", {"response": {"id": name, "output": [item], "usage": used}}),
        )

    def _as_completion(self, asked: dict[str, Any]) -> None:
        base = {"id": "c1", "created": 0, "model": asked.get("model", "m")}
        message: dict[str, Any] = {"role": "assistant", "content": self.server.said}
        reason = "stop"
        if call := self._called(asked) if asked.get("stream") else None:
            function = {"name": call[0], "arguments": json.dumps(call[1])}
            one = {"index": 0, "id": f"call_{len(self.server.asked)}", "type": "function"}
            message = {"role": "assistant", "tool_calls": [{**one, "function": function}]}
            reason = "tool_calls"
        tokens = SHORT if call else self.server.length()
        used = {"prompt_tokens": tokens, "completion_tokens": 2, "total_tokens": tokens + 2}
        if not asked.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason}
            answer = {**base, "object": "chat.completion", "choices": [choice], "usage": used}
            self._send_json(answer)
            return
        chunk = {**base, "object": "chat.completion.chunk"}
        wanted = {"index": 0, "delta": message, "finish_reason": None}
        ended = {"index": 0, "delta": {}, "finish_reason": reason}
        self._send_lines(
            [{**chunk, "choices": [wanted]}, {**chunk, "choices": [ended], "usage": used}]
        )

    def _send_lines(self, chunks: list[dict[str, Any]]) -> None:
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
        self._send("text/event-stream", ("".join(lines) + "data: [DONE]\n\n").encode())

    def _as_content(self, streamed: bool, asked: dict[str, Any]) -> None:
        part: dict[str, Any] = {"text": self.server.said}
        if call := self._called(asked) if streamed else None:
            part = {"functionCall": {"name": call[0], "args": call[1]}}
        said = {
            "content": {"role": "model", "parts": [part]},
            "finishReason": "STOP",
            "index": 0,
        }
        used = {"promptTokenCount": self.server.length(), "candidatesTokenCount": 2}
        used["totalTokenCount"] = sum(used.values())
        answer = {"candidates": [said], "usageMetadata": used}
        if streamed:
            self._send("text/event-stream", f"data: {json.dumps(answer)}\r\n\r\n".encode())
        else:
            self._send_json(answer)

    def _stream(self, *events: tuple[str, dict[str, Any]]) -> None:
        lines = [
            f"event: {name}\ndata: {json.dumps({'type': name, **fields})}\n\n"
            for name, fields in events
        ]
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
