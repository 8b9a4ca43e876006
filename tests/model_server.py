"""A small model provider on loopback: it speaks OpenAI's and Anthropic's protocols, and fails as told.

    with provider(say("hello"), status(429, {"retry-after": "0"}), say("again")) as there:
        OpenAIModel("m", url=there.openai, key_env="")

Each request takes the next act; the last one is repeated. `there.requests` has what was sent. What
the real endpoints refuse (a wrong path, no key, no messages, an unknown field) is refused here too.
"""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest

    Act = Callable[["Handler"], None]

PROXIES = ("http_proxy", "https_proxy", "all_proxy")
OPENAI_FIELDS = {
    "model",
    "messages",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "response_format",
}
ANTHROPIC_FIELDS = {"model", "messages", "system", "max_tokens", "output_config"}
ANTHROPIC_VERSIONS = ("2026-10-21", "2023-06-01")


class Provider(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, acts: list[Act], key: str, tls: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.acts = acts
        self.key = key
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.over = threading.Event()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def openai(self) -> str:
        return f"{self.root}/v1"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is what these tests are about."""


class Handler(BaseHTTPRequestHandler):
    server: Provider
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.sent = json.loads(body)
        with self.server.lock:
            self.server.requests.append(
                {
                    "path": self.path,
                    "headers": {k.lower(): v for k, v in self.headers.items()},
                    **self.sent,
                }
            )
            acts = self.server.acts
            act = acts.pop(0) if len(acts) > 1 else acts[0]
        wrong = self._wrong()
        if wrong:
            self.answer(*wrong)
        else:
            act(self)

    @property
    def is_anthropic(self) -> bool:
        return self.path == "/v1/messages"

    def _wrong(self) -> tuple[int, dict[str, Any]] | None:
        """What the real endpoint would refuse."""
        if self.path not in ("/v1/chat/completions", "/v1/messages"):
            return 404, {"error": {"message": "no such path", "type": "not_found_error"}}
        key = self.headers.get("authorization", "").removeprefix("Bearer ")
        if self.is_anthropic and not key:
            key = self.headers.get("x-api-key", "")
        if self.server.key and key != self.server.key:
            words = f"Incorrect API key provided: {key}"
            return 401, {"error": {"message": words, "type": "authentication_error"}}
        allowed = ANTHROPIC_FIELDS if self.is_anthropic else OPENAI_FIELDS
        wanted = {"model", "messages"}
        if self.is_anthropic:
            wanted |= {"max_tokens"}
            if self.headers.get("anthropic-version") not in ANTHROPIC_VERSIONS:
                return 400, {
                    "error": {"message": "anthropic-version", "type": "invalid_request_error"}
                }
        odd = [*(set(self.sent) - allowed), *(wanted - set(self.sent))]
        roles = [message["role"] for message in self.sent.get("messages", [])]
        if odd or roles[-1:] != ["user"] or (self.is_anthropic and roles != ["user"]):
            words = f"cannot take {odd} {roles}"
            return 400, {"error": {"message": words, "type": "invalid_request_error"}}
        return None

    def answer(
        self, status: int, body: dict[str, Any] | bytes, headers: dict[str, str] | None = None
    ) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        for name, value in {"content-length": str(len(data)), **(headers or {})}.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def completion(self, text: str) -> dict[str, Any]:
        """A whole answer in the form of the protocol that was spoken."""
        if self.is_anthropic:
            block = {"type": "text", "text": text, "citations": None}
            return {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "claude-there",
                "content": [block],
                "stop_reason": "end_turn",
                "stop_sequence": None,
                "usage": {"input_tokens": 21, "output_tokens": 4},
            }
        message = {"role": "assistant", "content": text, "refusal": None}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "gpt-there",
            "choices": [
                {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
            ],
            "usage": {"prompt_tokens": 21, "completion_tokens": 4, "total_tokens": 25},
        }

    def asked(self) -> str:
        """All words of the request."""
        return json.dumps(self.sent, ensure_ascii=False)


@contextmanager
def provider(*acts: Act, key: str = "", tls: str = "") -> Iterator[Provider]:
    """A provider that lives for the block; `tls` names a file with its key and certificate."""
    server = Provider(list(acts), key, tls)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


# -- acts ------------------------------------------------------------------------------------------


def say(text: str) -> Act:
    """Answer."""
    return lambda it: it.answer(200, it.completion(text))


def by_words(words: dict[str, str], otherwise: str = "add") -> Act:
    """Answer by the first of some words that stands in the request."""
    return lambda it: it.answer(
        200,
        it.completion(
            next((said for word, said in words.items() if word in it.asked()), otherwise)
        ),
    )


def status(code: int, headers: dict[str, str] | None = None, **error: str) -> Act:
    """Refuse."""
    body = {"error": {"message": "no", "type": "some_error", **error}}
    return lambda it: it.answer(code, body, headers)


def body(data: bytes, headers: dict[str, str] | None = None) -> Act:
    """Answer with bytes, whatever they are."""
    return lambda it: it.answer(200, data, headers)


def stall(it: Handler) -> None:
    """Say nothing, for as long as the provider lives."""
    it.server.over.wait(30)
    it.close_connection = True


def drip(it: Handler) -> None:
    """Give the answer byte by byte, each well within any timeout between two of them."""
    data = json.dumps(it.completion("slow")).encode()
    it.send_response(200)
    it.send_header("content-length", str(len(data)))
    it.end_headers()
    for place in range(len(data)):
        if it.server.over.wait(0.05):
            return
        it.wfile.write(data[place : place + 1])
        it.wfile.flush()


def hang_up(it: Handler) -> None:
    """Close the connection without a word."""
    it.close_connection = True


def reset(it: Handler) -> None:
    """Break the connection as a crash does."""
    it.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    it.connection.close()
    it.close_connection = True


def cut(it: Handler) -> None:
    """Promise more than is given."""
    it.answer(200, json.dumps(it.completion("half"))[:60].encode(), {"content-length": "5000"})
    it.close_connection = True


def cut_without_length(it: Handler) -> None:
    """Half an answer that ends with the connection, as HTTP/1.0 has it."""
    data = json.dumps(it.completion("half"))[:60].encode()
    it.answer(200, data, {"content-length": "", "connection": "close"})
    it.close_connection = True


def flood(it: Handler) -> None:
    """Ten megabytes."""
    it.answer(200, it.completion("x" * 10_000_000))


def deep(it: Handler) -> None:
    """JSON that nests deeper than a parser goes."""
    it.answer(200, b"[" * 200_000 + b"]" * 200_000)


def wait_then(seconds: float, act: Act) -> Act:
    """The same, later."""

    def acted(it: Handler) -> None:
        time.sleep(seconds)
        act(it)

    return acted


def without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests go to this machine itself, whatever the one that runs the tests is set to."""
    for name in PROXIES:
        for spelled in (name, name.upper()):
            monkeypatch.delenv(spelled, raising=False)
