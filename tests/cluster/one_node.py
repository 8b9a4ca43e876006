"""One node as a client sees it, in this process: rqlite's HTTP over a SQLite in memory, with faults on demand.

It is no cluster: what the real nodes do among themselves is for `make test-cluster`. It answers as they answer, so
that what a client does with an answer, a lost one, a refusal or a redirection is tested wherever the tests run.
"""

from __future__ import annotations

import base64
import json
import sqlite3
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class OneNode:
    """Answers on a port of the loopback. `faults` are taken from the front, one for each request that writes."""

    def __init__(self, holds: bytes = b"") -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        if holds:
            self.db.deserialize(holds)
        self.db.execute("pragma foreign_keys = on")
        self.lock = threading.Lock()
        self.faults: list[str] = []
        self.account = ""
        self.asked: list[str] = []
        self.is_led = True
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"rqlite://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self.db.close()

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        """What is really there."""
        with self.lock:
            return self.db.execute(text).fetchall()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        node = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # the header and the body of an answer go by two writes

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

            def do_GET(self) -> None:
                self.answer(b"")

            def do_POST(self) -> None:
                self.answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

            def answer(self, body: bytes) -> None:
                node.asked.append(self.path)
                if node.account and self.headers.get("Authorization") != node.account:
                    self.send(401, b"")
                    return
                writes = "execute" in self.path or "load" in self.path
                fault = node.faults.pop(0) if node.faults and writes else ""
                if fault == "redirect":
                    self.send(301, b"", f"http://127.0.0.1:{node.port}{self.path}")
                    return
                if fault.startswith("says "):
                    self.send(200, json.dumps({"results": [], "error": fault[5:]}).encode())
                    return
                if not node.is_led:
                    self.send(503, b"leader not found")
                    return
                status, said = node.do(self.path, body)
                if fault == "lost":  # done, and the answer never comes
                    self.close_connection = True
                    self.connection.close()
                    return
                self.send(status, said)

            def send(self, status: int, said: bytes, location: str = "") -> None:
                self.send_response(status)
                if location:
                    self.send_header("Location", location)
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

        return Handler

    def do(self, path: str, body: bytes) -> tuple[int, bytes]:
        with self.lock:
            if path.startswith("/db/backup"):
                return 200, self.db.serialize()
            if path.startswith("/db/load"):
                self.db.deserialize(body)
                return 200, b"{}"
            if path.startswith("/snapshot"):
                return 200, b""
            is_whole = "transaction" in path
            results: list[dict[str, Any]] = []
            if is_whole:
                self.db.execute("begin")
            try:
                for text, *values in json.loads(body):
                    results.append(self._result(text, values))
            except sqlite3.Error as error:
                results.append({"error": str(error)})
                if is_whole:
                    self.db.execute("rollback")
            else:
                if is_whole:
                    self.db.execute("commit")
            return 200, json.dumps({"results": results}).encode("utf-8", "surrogatepass")

    def _result(self, text: str, values: list[Any]) -> dict[str, Any]:
        named = values[0] if values and isinstance(values[0], dict) else values
        cursor = self.db.execute(text, named)
        if cursor.description is None:
            return {"rows_affected": cursor.rowcount, "last_insert_id": cursor.lastrowid}
        return {
            "columns": [column[0] for column in cursor.description],
            "values": [
                [base64.b64encode(v).decode() if isinstance(v, bytes) else v for v in row]
                for row in cursor.fetchall()
            ],
        }
