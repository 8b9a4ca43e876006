"""A file that is served: `cogmem sync serve` answers exchanges over HTTP, each with a token that says who is asking.

A token is drawn at random and shown once; the file of tokens keeps its digest and the user that it stands for.
Whoever presents it sees what that user sees and brings what that user may write. The hub speaks plain HTTP on its
own machine; a proxy in front of it adds TLS. A token is never sent over plain HTTP to another machine.
"""

from __future__ import annotations

import hmac
import http.client
import ipaddress
import json
import os
import secrets
import threading
import time
from contextlib import suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from cogmem.errors import CogmemError, DatabaseProblem, InvalidInput
from cogmem.sync import well_formed
from cogmem.sync.admission import WHOLE, Door
from cogmem.sync.exchange import Side
from cogmem.sync.pipe import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.sync.exchange import Message

LONGEST = 64 << 20  # bytes of one request or answer
WAIT = 120.0  # seconds for an answer
PATIENCE = 8.0  # seconds for the next bytes of a question that was begun
HOUR = 3_600.0
MOST = {"requests": 5_000, "bytes": 64 << 20, "rows": 50_000}  # of one user in an hour
PLACE = "/sync"


def new_token(path: str, user: str) -> str:
    """Return a token for a user; the file keeps only its digest."""
    token = "cog_" + secrets.token_urlsafe(32)
    handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    with open(handle, "a", encoding="utf-8") as file:
        file.write(f"{_digest(token)} {user}\n")
    return token


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def user_of(path: str, token: str) -> str | None:
    """Return the user whom a token stands for; None for none. A line that is taken out counts at once."""
    digest, found = _digest(token).encode(), None
    with open(path, encoding="utf-8") as file:
        for line in file:
            known, _, user = line.strip().partition(" ")
            if hmac.compare_digest(known.encode(), digest) and user:
                found = user
    return found


class Hub(ThreadingHTTPServer):
    """One served file. Exchanges take turns; each request is short."""

    daemon_threads = True

    def __init__(
        self, db: Database, tokens: str, place: tuple[str, int], private: frozenset[str]
    ) -> None:
        self.db = db
        self.tokens = tokens
        self.private = private
        self.turn = threading.Lock()
        self._used: dict[str, dict[str, float]] = {}  # by user: since when, and how much
        super().__init__(place, _Answering)

    def exceeds(self, user: str, **more: int) -> str:
        """Return what a user has used up for this hour, told with when it goes on; '' if nothing."""
        if user == WHOLE:
            return ""  # the owner
        now = time.monotonic()
        with self.turn:
            used = self._used.get(user)
            if used is None or now - used["since"] > HOUR:
                used = self._used[user] = {"since": now, **dict.fromkeys(MOST, 0)}
            for name, count in more.items():
                used[name] += count
                if used[name] > MOST[name]:
                    minutes = int((HOUR - now + used["since"]) / 60) + 1
                    return f"this token has used its {MOST[name]} {name} of an hour: sync again in {minutes} minutes"
        return ""

    def answer(self, user: str, request: Message) -> Message:
        """Return one request of one user."""
        is_owner = user == WHOLE
        door = Door(None if is_owner else user, self.private, "" if is_owner else user)
        with self.turn:
            now = time.time_ns() // 1_000_000
            return Side(self.db, door, now=now, label=f"{user} over HTTP").answer(request)


class _Answering(BaseHTTPRequestHandler):
    server: Hub
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE

    def do_POST(self) -> None:
        """Answer an exchange's request."""
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        user = user_of(self.server.tokens, token) if kind == "Bearer" and token else None
        size = self.headers.get("Content-Length", "")
        if user is None:
            self._say(401, {"error": "no token of this hub: ask who serves it for one"})
        elif self.path != PLACE:
            self._say(404, {"error": f"exchanges are at {PLACE}"})
        elif not (size.isascii() and size.isdigit()) or len(size) > 12 or int(size) > LONGEST:
            self._say(413, {"error": f"a request has at most {LONGEST} bytes"})
        elif why := self.server.exceeds(user, requests=1, bytes=int(size)):
            self._say(429, {"error": why})
        else:
            self._answer(user, int(size))

    def _answer(self, user: str, size: int) -> None:
        try:
            request = well_formed.parsed(self.rfile.read(size))
            acts = request.get("acts", ()) if isinstance(request, dict) else ()
            rows = sum(len(act.get("subjects", ())) for act in acts if isinstance(act, dict))
            why = self.server.exceeds(user, rows=rows)
            answer = {"error": why} if why else self.server.answer(user, request)
            self._say(429 if why else 200, answer)
        except TimeoutError:
            self.close_connection = True  # it was begun and not ended
        except (CogmemError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            self._say(400, {"error": told(error)})

    def _say(self, status: int, answer: Message) -> None:
        data = json.dumps(answer).encode("ascii")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if status != 200:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a log of who came when is the proxy's."""


class Line:
    """The way to a hub."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        host = parts.hostname
        if not host or parts.username or parts.password:
            raise InvalidInput(
                f"{url} is not an address of a hub: https://host or http://localhost:port"
            )
        if not token:
            raise InvalidInput("a hub needs a token: put it into COGMEM_SYNC_TOKEN")
        if parts.scheme == "http" and not _is_here(host):
            raise InvalidInput(
                f"a token is not sent to {host} in the clear: use https, with a proxy in front of the hub"
            )
        self.url = url
        self._token = token
        self._place = parts.path.rstrip("/") + PLACE
        make = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        self._connection = make(host, parts.port, timeout=WAIT)

    def ask(self, request: Message) -> Message:
        """Return one request, and its answer. One that may not have come is sent once more: nothing happens twice."""
        body = json.dumps(request).encode("ascii")
        for attempt in (1, 2):
            try:
                status, data = self._sent(body)
                break
            except (OSError, http.client.HTTPException) as error:
                self._connection.close()
                if attempt == 2:
                    raise DatabaseProblem(
                        f"{self.url} cannot be reached ({type(error).__name__}): what was exchanged"
                        " so far is kept; sync again later"
                    ) from None
        answer: Any = None
        with suppress(ValueError):
            answer = json.loads(data)
        if status == 200 and isinstance(answer, dict):
            return answer
        said = answer.get("error") if isinstance(answer, dict) else None
        raise DatabaseProblem(
            f"{self.url} answered {status}: {said or 'nothing that an exchange says'}"
        )

    def _sent(self, body: bytes) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        self._connection.request("POST", self._place, body, headers)
        answer = self._connection.getresponse()
        data = answer.read(LONGEST + 1)
        if len(data) > LONGEST:
            raise DatabaseProblem(f"{self.url} says more than {LONGEST} bytes at once")
        return answer.status, data

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


def _is_here(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
