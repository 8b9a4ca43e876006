"""An rqlite cluster over HTTP: its address, and requests that find a node which answers.

Nothing here knows what a memory is. Every request has a time until which it is tried, at one node after the other;
what is known then is told apart: refused by SQLite, or not answered, and whether it may have been done all the same.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import time
from contextlib import suppress
from urllib.parse import parse_qsl, unquote, urlsplit

from cogmem.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator
    from typing import Any

    Node = tuple[str, int]  # host and port

SCHEMES = ("rqlite://", "rqlites://")
LEVELS = ("none", "weak", "linearizable")
PORT = 4001
FASTEST_S, SLOWEST_S = 0.02, 0.25  # pauses between rounds through the nodes
LEAST_S = 0.05  # what one node gets of the time at least
SILENT_S = 1.5  # after that a node that says nothing has to wait for the next round, where it gets twice as long
_PIECE = _LARGE = 1 << 20
PERMISSIONS = ("query", "execute", "backup", "load", "snapshot")


class NoAnswer(Exception):
    """No node gave an answer that counts. `is_doubtful`: one of them may have done what was asked."""

    def __init__(self, said: str, is_doubtful: bool) -> None:
        super().__init__(said)
        self.is_doubtful = is_doubtful


class Refused(Exception):
    """SQLite refused a statement. rqlite tells its words alone, so the result code is read from them."""

    def __init__(self, said: str, place: int = 0) -> None:
        super().__init__(said)
        self.result = result_of(said)
        if self.result == 19 and not any(words in said.lower() for words in _CODES[0][1]):
            self.extendedresult = 1811  # SQLITE_CONSTRAINT_TRIGGER: a sentence of the schema
        self.place = place  # of the statement in the request


_CODES = (
    (19, ("constraint failed", "constraint_failed")),
    (5, ("database is locked", "table is locked")),
    (13, ("disk is full",)),
    (11, ("malformed", "corrupt")),
    (8, ("readonly", "read-only")),
    (18, ("too big",)),
    (10, ("disk i/o error",)),
    (1, ("no such", "syntax error", "already exists", "datatype mismatch", "cannot ", "may not ")),
    (1, ("misuse", "unsupported", "ambiguous", "incomplete input", "unrecognized token")),
    (1, ("values for", "values were supplied", "has no column")),
)


def result_of(said: str) -> int:
    """SQLite's primary result code, as its words have it; what nothing else explains a trigger of ours has said."""
    low = said.lower()
    return next((code for code, words in _CODES if any(word in low for word in words)), 19)


class Address:
    """Where a cluster is: `rqlite://user:password@host:4001,host:4003/?level=weak&ca=file`; rqlites:// with TLS. What
    should not stand in a command line or a configuration may stand in the environment: COGMEM_RQLITE_USER,
    COGMEM_RQLITE_PASSWORD and COGMEM_RQLITE_CA."""

    __slots__ = ("ca", "hosts", "is_secure", "level", "password", "user")

    def __init__(self, text: str) -> None:
        if not text.startswith(SCHEMES):
            raise InvalidInput("the address of a cluster begins with rqlite:// or rqlites://")
        scheme, _, rest = text.partition("://")
        nodes, slash, query = rest.partition("/")
        if not slash:
            nodes, _, query = rest.partition("?")
        account, _, nodes = nodes.rpartition("@")
        user, _, password = account.partition(":")
        self.is_secure = scheme == "rqlites"
        self.user = unquote(user) or os.environ.get("COGMEM_RQLITE_USER", "")
        self.password = unquote(password) or os.environ.get("COGMEM_RQLITE_PASSWORD", "")
        self.hosts = [_node(node) for node in nodes.split(",")]
        asked = dict(parse_qsl(query.lstrip("?"), keep_blank_values=True))
        self.level = asked.pop("level", "weak")
        self.ca = asked.pop("ca", "") or os.environ.get("COGMEM_RQLITE_CA", "")
        if self.level not in LEVELS:
            raise InvalidInput(f"level={self.level} is not known: use {', '.join(LEVELS)}")
        if asked:
            raise InvalidInput(
                f"the address of a cluster knows level and ca, and not {', '.join(sorted(asked))}"
            )

    @property
    def shown(self) -> str:
        """The address without a password: for messages, and as the name of the cluster's copy here."""
        user = f"{self.user}@" if self.user else ""
        named = ((f"[{host}]" if ":" in host else host, port) for host, port in self.hosts)
        nodes = ",".join(f"{host}:{port}" for host, port in named)
        return f"rqlite{'s' * self.is_secure}://{user}{nodes}"


def _node(text: str) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host:
        raise InvalidInput(f"{text!r} is not a node of a cluster: name each as host:port")
    return host, port or PORT


# A node that says so has not done what was asked, and another one may know better.
_NOT_DONE = ("leader not found", "no leader", "store not open", "not ready", "connection refused")


class Link:
    """Requests to one cluster. One thread at a time uses it; a forked child has connections of its own."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._connections: dict[Node, http.client.HTTPConnection] = {}
        self._process = os.getpid()
        self._first = 0  # the node that answered last
        self._context: ssl.SSLContext | None = None

    def close(self) -> None:
        """Let go of all connections."""
        for connection in self._connections.values():
            connection.close()
        self._connections = {}

    def query(
        self, statements: list[list[Any]], *, level: str, seconds: float, node: Node | None = None
    ) -> list[list[list[Any]]]:
        """Return the rows of each statement, by one request; of whichever node answers, or of one."""
        path = f"/db/query?transaction&level={level}"
        results = self._asked(path, statements, seconds, only=node)
        return [result.get("values") or [] for result in results]

    def execute(
        self, statements: list[list[Any]], *, seconds: float, once: bool = False
    ) -> list[dict[str, Any]]:
        """Return all of them as one transaction. `once`: a node that may have done it is the last one asked."""
        return self._asked("/db/execute?transaction", statements, seconds, once)

    def run_alone(self, text: str, *, seconds: float) -> None:
        """Run one statement that no transaction can hold, such as VACUUM."""
        self._asked("/db/execute", [[text]], seconds)

    def _asked(
        self,
        path: str,
        statements: list[list[Any]],
        seconds: float,
        once: bool = False,
        only: Node | None = None,
    ) -> list[dict[str, Any]]:
        said = json.dumps(statements, ensure_ascii=False, separators=(",", ":"))
        body = said.encode("utf-8", "replace")
        answer = self._answer("POST", path, body, seconds, once=once, only=only)
        results: list[dict[str, Any]] = answer["results"]
        for place, result in enumerate(results):
            if "error" in result:
                raise Refused(str(result["error"]), place)
        return results

    def post(
        self, path: str, body: bytes = b"", *, seconds: float, node: Node | None = None
    ) -> None:
        """Send a request whose answer says nothing but whether it was done: /db/load, and /snapshot of one node."""
        kind = "application/octet-stream" if body else "application/json"
        self._answer("POST", path, body, seconds, kind, once=bool(body), only=node)

    def fetch(self, path: str, target: int, *, seconds: float) -> None:
        """Write what a node answers to a file that is open for writing, from its beginning."""

        def keep(answer: http.client.HTTPResponse) -> dict[str, Any]:
            os.ftruncate(target, 0)
            os.lseek(target, 0, os.SEEK_SET)
            while piece := answer.read(_PIECE):
                while piece:
                    piece = piece[os.write(target, piece) :]
            return {"results": []}

        self._answer("GET", path, b"", seconds, keep=keep)

    def _answer(
        self,
        method: str,
        path: str,
        body: bytes,
        seconds: float,
        kind: str = "application/json",
        keep: Any = None,
        once: bool = False,
        only: Node | None = None,
    ) -> dict[str, Any]:
        until = time.monotonic() + seconds
        is_doubtful, said = False, "nobody was asked"
        hosts = [only] if only else self.address.hosts
        badly_set: set[tuple[str, int]] = set()
        for number, host, pause in self._round(hosts, until):
            left = max(LEAST_S, until - time.monotonic())
            # What is large is sent once, and has all the time; else who is silent leaves some to the next.
            share = left
            if len(body) <= _LARGE and not only:
                round_, place = divmod(number, len(hosts))
                share = max(LEAST_S, min(left / (len(hosts) - place), SILENT_S * 2**round_))
            try:
                found = self._once(host, method, path, body, kind, min(left, share), keep)
            except _Sent as error:
                is_doubtful, said = is_doubtful or error.was_sent, f"{host[0]}:{host[1]}: {error}"
                if error.is_setting:
                    badly_set.add(host)
                    if len(badly_set) == len(hosts) and not is_doubtful:
                        raise InvalidInput(said) from error
            else:
                if found.get("error"):
                    said = str(found["error"])
                    is_doubtful = is_doubtful or not any(word in said for word in _NOT_DONE)
                else:
                    self._first = self.address.hosts.index(host)
                    return found
            if only or (once and is_doubtful):
                break
            if pause:
                time.sleep(max(0.0, min(pause, until - time.monotonic())))
        raise NoAnswer(said, is_doubtful)

    def _round(
        self, hosts: list[Node], until: float
    ) -> Iterator[tuple[int, tuple[str, int], float]]:
        """Yield the nodes in turn, from the one that answered last; after each round a longer pause."""
        pause, number, first = FASTEST_S, 0, self._first
        while number == 0 or time.monotonic() < until:
            is_last = number % len(hosts) == len(hosts) - 1
            yield number, hosts[(first + number) % len(hosts)], pause if is_last else 0.0
            number += 1
            if is_last:
                pause = min(pause * 2, SLOWEST_S)

    def _once(
        self,
        host: tuple[str, int],
        method: str,
        path: str,
        body: bytes,
        kind: str,
        seconds: float,
        keep: Any,
    ) -> dict[str, Any]:
        was_sent = False
        try:
            connection = self._connection(host, seconds)
            connection.request(method, path, body, self._headers(kind))
            was_sent = True
            answer = connection.getresponse()
            if answer.status in (301, 302, 307, 308):
                answer.read()
                there = urlsplit(answer.getheader("Location") or "")
                if not there.hostname:
                    return {"error": "leader not found"}
                return self._once(
                    (there.hostname, there.port or PORT), method, path, body, kind, seconds, keep
                )
            if answer.status == 200 and keep is not None:
                found: dict[str, Any] = keep(answer)
                return found
            said = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._drop(host)
            why, is_setting = _why(error)
            raise _Sent(why, was_sent, is_setting) from error
        if answer.status in (401, 403):
            raise InvalidInput(self._not_permitted(path.partition("?")[0]))
        if answer.status == 404:
            raise InvalidInput(
                f"{self.address.shown} knows no {path.partition('?')[0]}: is it rqlite?"
            )
        if answer.status == 400 and b"HTTPS server" in said:
            self._drop(host)
            raise _Sent("it speaks TLS: begin the address with rqlites://", False, True)
        if answer.status != 200:
            return {"error": said.decode("utf-8", "replace")[:200].strip() or str(answer.status)}
        with suppress(ValueError):
            read: Any = json.loads(said)
            return read if isinstance(read, dict) else {}
        return {}

    def _not_permitted(self, path: str) -> str:
        if not self.address.user:
            return (
                f"{self.address.shown} wants a name and a password: put them into the address, or into"
                " COGMEM_RQLITE_USER and COGMEM_RQLITE_PASSWORD"
            )
        return (
            f"{self.address.shown} refuses {path}: the password of {self.address.user} is another one, or the -auth"
            f" file of the nodes lacks one of the permissions that a memory needs ({', '.join(PERMISSIONS)})"
        )

    def _headers(self, kind: str) -> dict[str, str]:
        headers = {"Content-Type": kind}
        if self.address.user:
            account = f"{self.address.user}:{self.address.password}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(account).decode()}"
        return headers

    def _connection(self, host: tuple[str, int], seconds: float) -> http.client.HTTPConnection:
        if self._process != os.getpid():  # the parent's, which goes on with them
            self._connections, self._process = {}, os.getpid()
        connection = self._connections.get(host)
        if connection is None:
            connection = self._connections[host] = self._made(host, seconds)
        connection.timeout = seconds
        if connection.sock is None:
            connection.connect()
        connection.sock.settimeout(seconds)
        return connection

    def _made(self, host: tuple[str, int], seconds: float) -> http.client.HTTPConnection:
        if not self.address.is_secure:
            return http.client.HTTPConnection(*host, timeout=seconds)
        if self._context is None:
            import ssl

            try:
                self._context = ssl.create_default_context(cafile=self.address.ca or None)
            except (OSError, ssl.SSLError) as error:
                raise InvalidInput(
                    f"{self.address.ca} holds no certificate of an authority that can be read ({error}): ca= in the"
                    " address, or COGMEM_RQLITE_CA, is the whole path of a PEM file"
                ) from error
        return http.client.HTTPSConnection(*host, timeout=seconds, context=self._context)

    def _drop(self, host: tuple[str, int]) -> None:
        connection = self._connections.pop(host, None)
        if connection is not None:
            connection.close()


_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "UNKNOWN_PROTOCOL")


class _Sent(Exception):
    """A node did not answer; whether it had the whole request by then. `is_setting`: no time mends it."""

    def __init__(self, said: str, was_sent: bool, is_setting: bool = False) -> None:
        super().__init__(said)
        self.was_sent = was_sent
        self.is_setting = is_setting


def _why(error: Exception) -> tuple[str, bool]:
    told = getattr(error, "verify_message", "")
    if told and "mismatch" in told:
        return f"{told}: name each node in the address as its certificate does", True
    if told:
        return (
            f"its certificate is not trusted ({told}): name the authority that signed it by ca=FILE in the address,"
            " or in COGMEM_RQLITE_CA",
            True,
        )
    if getattr(error, "reason", "") in _NO_TLS:
        return "it speaks no TLS: begin the address with rqlite://", True
    return type(error).__name__, False
