"""Real nodes of rqlite on the loopback, for `make test-cluster`: started, killed, stopped and looked at."""

from __future__ import annotations

import base64
import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cogmem.file import sql

TABLES = (
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite%'"
    " and sql not like 'create virtual%' and name not like '%\\_fts%' escape '\\' order by name"
)


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Nodes:
    """Three nodes, each with a folder, a port for clients and one for the others. `flags` go to each of them,
    `joins` to those that join; `trust` and `account` are what one needs who asks them."""

    def __init__(
        self,
        program: str,
        folder: Path,
        flags: Sequence[str] = (),
        joins: Sequence[str] = (),
        trust: ssl.SSLContext | None = None,
        account: str = "",
    ) -> None:
        self.program = program
        self.folder = folder
        self._flags, self._joins = flags, joins
        self._trust, self._account = trust, account
        ports = free_ports(6)
        self.ports, self._raft = ports[:3], ports[3:]
        self._running: dict[int, subprocess.Popen[bytes]] = {}

    @property
    def address(self) -> str:
        scheme = "rqlites" if self._trust else "rqlite"
        return f"{scheme}://" + ",".join(f"127.0.0.1:{port}" for port in self.ports)

    def start(self, *which: int) -> None:
        """Start them and wait until each is ready."""
        for node in which or (0, 1, 2):
            command = [
                *(self.program, "-fk", "-node-id", f"n{node}"),
                *("-http-addr", f"127.0.0.1:{self.ports[node]}"),
                *("-raft-addr", f"127.0.0.1:{self._raft[node]}"),
                *self._flags,
                *self._join(node),
                str(self.folder / f"n{node}"),
            ]
            with open(self.folder / f"n{node}.log", "ab") as log:
                self._running[node] = subprocess.Popen(
                    command, stdout=log, stderr=log, stdin=subprocess.DEVNULL
                )
            self.wait_for(node)

    def _join(self, node: int) -> list[str]:
        """Whom a node asks to take it in: alone and empty it would be a cluster of its own."""
        others = [f"127.0.0.1:{self._raft[other]}" for other in self._running if other != node]
        if not others or (node == 0 and (self.folder / "n0").exists()):
            return []
        return ["-join", ",".join(others), *self._joins]

    def wait_for(self, node: int) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                if self.get(node, "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"node {node} is not ready: {self.folder / f'n{node}.log'}")

    def signal(self, node: int, number: int) -> None:
        self._running[node].send_signal(number)

    def kill(self, node: int) -> None:
        self.signal(node, signal.SIGKILL)
        self._running.pop(node).wait()

    def stop(self) -> None:
        for process in self._running.values():
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()
        self._running = {}

    def get(self, node: int, path: str, body: Any = None, seconds: float = 30) -> tuple[int, bytes]:
        connection = (
            http.client.HTTPSConnection(
                "127.0.0.1", self.ports[node], timeout=seconds, context=self._trust
            )
            if self._trust
            else http.client.HTTPConnection("127.0.0.1", self.ports[node], timeout=seconds)
        )
        headers = {"Content-Type": "application/json"}
        if self._account:
            headers["Authorization"] = f"Basic {base64.b64encode(self._account.encode()).decode()}"
        try:
            said = None if body is None else json.dumps(body)
            connection.request("GET" if body is None else "POST", path, said, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def leader(self) -> int:
        """Which node leads; waits until one does."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            for node in list(self._running):
                try:
                    told = json.loads(self.get(node, "/nodes?timeout=1s", seconds=2)[1])
                except (OSError, ValueError):
                    continue
                for name, one in told.items():
                    if one.get("leader") and int(name[1:]) in self._running:
                        return int(name[1:])
            time.sleep(0.05)
        raise AssertionError("no node leads")

    def rows(self, node: int, text: str) -> list[list[Any]]:
        """What one node itself holds."""
        said = json.loads(self.get(node, "/db/query?level=none", [text])[1])["results"][0]
        assert "error" not in said, said
        rows: list[list[Any]] = said.get("values") or []
        return rows

    def contents(self, node: int) -> dict[str, list[str]]:
        """Every row of every table of one node, in an order of its own."""
        return {
            name: plain(self.rows(node, f"select * from {sql.quoted(name)}"))
            for (name,) in self.rows(node, TABLES)
        }

    def settle(self) -> None:
        """Wait until all nodes have heard of the newest batch."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with suppress(AssertionError):  # a node that was started a moment ago knows no table
                at = {str(self.rows(node, "select at from cluster")) for node in self._running}
                if len(at) == 1 and len(self._running) == 3:
                    return
            time.sleep(0.1)
        raise AssertionError("the nodes do not come to one state")


def plain(rows: list[Any]) -> list[str]:
    """Rows so that JSON's and SQLite's numbers and bytes are the same text."""

    def one(value: Any) -> Any:
        if isinstance(value, bytes):
            return base64.b64encode(value).decode()
        return float(value) if isinstance(value, int | float) else value

    return sorted(json.dumps([one(value) for value in row]) for row in rows)


class Lossy:
    """A way to a node on which answers are lost: each connection is cut after so many of them."""

    def __init__(self, port: int, share: float) -> None:
        self._to, self._every = port, round(1 / share)
        self._answers = 0
        self.lost = 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._server.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            try:
                node = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                client.close()
                continue
            threading.Thread(target=self._pump, args=(client, node, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(node, client, True), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        try:
            while piece := source.recv(1 << 16):
                if is_answer and piece.startswith(b"HTTP/1.1"):
                    self._answers += 1
                    if self._answers % self._every == 0:
                        self.lost += 1
                        break
                target.sendall(piece)
        except OSError:
            pass
        finally:
            for one in (source, target):
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
                one.close()


def program() -> str:
    """The program that `make test-cluster` fetched; nothing where it was not."""
    named = os.environ.get("COGMEM_RQLITED", "")
    return named if os.access(named, os.X_OK) else ""
