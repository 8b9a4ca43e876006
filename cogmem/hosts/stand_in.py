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
            count = SHORT
            self._send_json({"input_tokens": count, "totalTokens": count})
            return
        self.server.asked.append(asked)
        self.server.came.append(time.monotonic())
        if self.server.refusal:
            said = {"type": "authentication_error", "message": "invalid x-api-key"}
            data = json.dumps({"type": "error", "error": said}).encode()
            self.send_response(self.server.refusal)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            return
        if path.endswith("/responses"):
            self._as_response(asked)
        elif path.endswith("/chat/completions"):
            self._as_completion(asked)
        elif "enerateContent" in path:
            self._as_content("stream" in path, asked)
        else:
            self._as_message(asked)

    def _as_message(self, asked: dict[str, Any]) -> None:
        if asked.get("stream") and asked.get("tools") and self.server.calls:
            name, arguments = self.server.calls.pop(0)
            block = {
                "type": "tool_use",
                "id": f"toolu_{len(self.server.asked)}",
                "name": name,
                "input": {},
            }
            piece = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
            begun = {
                "id": "msg_0",
                "type": "message",
                "role": "assistant",
                "model": asked.get("model", "m"),
                "content": [],
                "stop_reason": None,
                "stop_sequence": None,
                "usage": {"input_tokens": 10, "output_tokens": 2},
            }
            ended = {"delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 2}}
            self._stream(
                ("message_start", {"message": begun}),
                ("content_block_start", {"index": 0, "content_block": block}),
                ("content_block_delta", {"index": 0, "delta": piece}),
                ("content_block_stop", {"index": 0}),
                ("message_delta", ended),
                ("message_stop", {}),
            )
            return
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": asked.get("model", "m"),
            "content": [{"type": "text", "text": self.server.said}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 2},
        }
        if not asked.get("stream"):
            self._send_json(message)
            return
        begun = {**message, "content": [], "stop_reason": None}
        said = {"type": "text_delta", "text": self.server.said}
        ended = {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}
        self._stream(
            ("message_start", {"message": begun}),
            ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
            ("content_block_delta", {"index": 0, "delta": said}),
            ("content_block_stop", {"index": 0}),
            ("message_delta", ended),
            ("message_stop", {}),
        )

    def _as_response(self, asked: dict[str, Any]) -> None:
        if asked.get("tools") and self.server.calls:
            name, arguments = self.server.calls.pop(0)
            call = {
                "type": "function_call",
                "id": "f1",
                "call_id": f"call_{len(self.server.asked)}",
                "name": name,
                "arguments": json.dumps(arguments),
            }
            spent = {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12}
            self._stream(
                ("response.created", {"response": {"id": "r0"}}),
                ("response.output_item.done", {"output_index": 0, "item": call}),
                (
                    "response.completed",
                    {"response": {"id": "r0", "output": [call], "usage": spent}},
                ),
            )
            return
        item = {
            "type": "message",
            "role": "assistant",
            "id": "m1",
            "status": "completed",
            "content": [{"type": "output_text", "text": self.server.said, "annotations": []}],
        }
        used = {"input_tokens": self.server.length(), "output_tokens": 2}
        used["total_tokens"] = sum(used.values())
        self._stream(
            ("response.created", {"response": {"id": "r1"}}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed", {"response": {"id": "r1", "output": [item], "usage": used}}),
        )

    def _as_completion(self, asked: dict[str, Any]) -> None:
        base = {"id": "c1", "created": 0, "model": asked.get("model", "m")}
        used = {"prompt_tokens": self.server.length(), "completion_tokens": 2}
        used["total_tokens"] = sum(used.values())
        if not asked.get("stream"):
            message = {"role": "assistant", "content": self.server.said}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self._send_json(
                {**base, "object": "chat.completion", "choices": [choice], "usage": used}
            )
            return
        base["object"] = "chat.completion.chunk"
        if asked.get("tools") and self.server.calls:
            name, arguments = self.server.calls.pop(0)
            function = {"name": name, "arguments": json.dumps(arguments)}
            call = {
                "index": 0,
                "id": f"call_{len(self.server.asked)}",
                "type": "function",
                "function": function,
            }
            wanted = {
                "index": 0,
                "delta": {"role": "assistant", "tool_calls": [call]},
                "finish_reason": None,
            }
            ended = {"index": 0, "delta": {}, "finish_reason": "tool_calls"}
            chunks = [{**base, "choices": [wanted]}, {**base, "choices": [ended], "usage": used}]
            self._send_lines(chunks)
            return
        said = {
            "index": 0,
            "delta": {"role": "assistant", "content": self.server.said},
            "finish_reason": None,
        }
        ended = {"index": 0, "delta": {}, "finish_reason": "stop"}
        chunks = [{**base, "choices": [said]}, {**base, "choices": [ended], "usage": used}]
        self._send_lines(chunks)

    def _send_lines(self, chunks: list[dict[str, Any]]) -> None:
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
        self._send("text/event-stream", ("".join(lines) + "data: [DONE]\n\n").encode())

    def _as_content(self, streamed: bool, asked: dict[str, Any]) -> None:
        part: dict[str, Any] = {"text": self.server.said}
        if streamed and asked.get("tools") and self.server.calls:
            name, arguments = self.server.calls.pop(0)
            part = {"functionCall": {"name": name, "args": arguments}}
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

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
        self.close_connection = True
