"""One question to a model's provider: JSON over HTTP, with a deadline that holds, and that another thread may end.

What may have been charged is never sent again: an attempt is repeated only if the provider refused it (429, 5xx) or
was never reached. Answers beyond 8 MiB, redirects (they would take the key to somebody else) and keys over plain
HTTP to another machine are refused. Messages of errors hold no text of the request or the answer.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import os
import socket
import ssl
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

from cogmem.errors import InvalidInput, ModelCancelled, ModelFailed, ModelTimeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

ATTEMPTS = 4
UNREACHED = 2  # attempts where nobody picks up: whoever waits has another way
BACK_OFF = 0.5  # seconds after the first attempt; doubled by each further one
CONNECT = 10.0  # seconds until a provider must have picked up
LONGEST_ANSWER = 8 << 20  # bytes
LOOK = 0.05  # seconds between two looks at the clock and at whoever asks
BUSY = (429, 503, 529)
AGAIN = (*BUSY, 500, 502)  # refusals that pass
_ADVICE = {
    401: "check the key",
    403: "the key may not use this model",
    404: "check the address and the model's name",
    413: "the request is too long for this model",
}


class Refused(ModelFailed):
    """The provider answered with an error that will not pass by itself."""

    def __init__(self, message: str, status: int, detail: str) -> None:
        super().__init__(message)
        self.status = status
        self.detail = detail  # the provider's words, in lower case; they are not shown to anybody


def key_from(variable: str) -> str:
    """Return the key that an environment variable holds; '' where none is named."""
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip()
    if key and key.isascii() and key.isprintable() and " " not in key:
        return key
    if key:
        told = f"what the environment variable {variable} holds is not a key: it must be one word of plain letters"
    else:
        told = f"the environment variable {variable} is not set: it must hold the model's key"
    raise ModelFailed(told, is_down=True)


def checked_url(url: str, *, with_key: bool) -> str:
    """Return the address of a provider, if a request (and a key) may go there."""
    try:
        parts = urlsplit(url.strip())
        is_sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_sound = False
    if not is_sound or not parts.hostname or not (url.isascii() and url.strip().isprintable()):
        raise InvalidInput(f"{url!r} is not an address: give one like https://api.example.com/v1")
    if parts.username or parts.query or parts.fragment:
        raise InvalidInput(
            "the address must be plain, without a user, query or fragment: keys go into an "
            "environment variable"
        )
    if with_key and parts.scheme == "http" and not _is_here(parts.hostname):
        raise InvalidInput(
            f"a key must not go over plain HTTP to {parts.hostname}: use https, or name no key"
        )
    return url.strip().rstrip("/")


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:  # any other name
        return False


def post(
    url: str,
    headers: Mapping[str, str],
    body: Mapping[str, Any],
    *,
    seconds: float,
    cancelled: Callable[[], bool] | None = None,
) -> dict[str, Any]:
    """Return the JSON object that a provider answers. Raises ModelFailed, ModelTimeout or ModelCancelled."""
    deadline = time.monotonic() + seconds
    data = json.dumps(body).encode()
    for attempt in range(1, ATTEMPTS + 1):
        wait = BACK_OFF * 2 ** (attempt - 1)
        try:
            status, found, answer = _once(url, headers, data, deadline, cancelled)
        except _Unreached as error:
            failure, was_reached = ModelFailed(str(error), is_down=True), False
        else:
            was_reached = True
            if status == 200:
                return _object(answer, url)
            if status not in AGAIN:
                raise _refusal(url, status, answer)
            asked_for = _retry_after(found)
            wait = wait if asked_for is None else asked_for
            told = f"{_host(url)} is busy or broken ({status}): it is asked again later"
            failure = ModelFailed(told, is_down=True)
            if asked_for is not None or status in BUSY:
                failure.retry_after = asked_for or 0.0
        most = ATTEMPTS if was_reached else UNREACHED
        if attempt >= most or time.monotonic() + wait >= deadline:
            raise failure
        _sleep(wait, cancelled)
    raise AssertionError("unreachable")


class _Unreached(Exception):
    """Nothing was sent."""


def _once(
    url: str,
    headers: Mapping[str, str],
    data: bytes,
    deadline: float,
    cancelled: Callable[[], bool] | None,
) -> tuple[int, Mapping[str, str], bytes]:
    left = deadline - time.monotonic()
    if left <= 0:
        raise _late(url)
    connection, target = _connection(url, min(CONNECT, left))
    try:
        try:
            connection.connect()
        except ssl.SSLCertVerificationError as error:
            raise ModelFailed(f"the certificate of {_host(url)} cannot be trusted") from error
        except (OSError, http.client.HTTPException) as error:
            raise _Unreached(
                f"{_host(url)} cannot be reached: check the address, and that it runs"
            ) from error
        sock = connection.sock
        sock.settimeout(max(deadline - time.monotonic(), 0) + 1)  # the watch ends it before
        with _Watch(sock, deadline, cancelled) as watch:
            try:
                sent = {"content-type": "application/json", "accept-encoding": "identity"}
                connection.request("POST", target, data, {**sent, **headers})
                response = connection.getresponse()
                answer = _read(response, url)
                if watch.over:  # an answer without a length looks whole when it is cut
                    raise TimeoutError
            except (OSError, http.client.HTTPException, ValueError) as error:
                if watch.over == "cancelled":
                    raise ModelCancelled("the answer is not wanted any more") from error
                if watch.over == "timeout" or isinstance(error, TimeoutError):
                    raise _late(url) from error
                raise ModelFailed(
                    f"the connection to {_host(url)} broke before the answer was whole"
                ) from error
        return response.status, response.headers, answer  # type: ignore[return-value]
    finally:
        connection.close()


def _late(url: str) -> ModelTimeout:
    return ModelTimeout(f"{_host(url)} did not answer in time", is_down=True)


def _connection(url: str, seconds: float) -> tuple[http.client.HTTPConnection, str]:
    """Return a connection, through the proxy of the environment if it names one, and what to ask it for."""
    from urllib.request import getproxies, proxy_bypass

    parts = to = urlsplit(url)
    host, target = parts.hostname or "", parts.path or "/"
    is_safe = parts.scheme == "https"
    named = getproxies().get(parts.scheme, "")
    if named and not _is_here(host) and not proxy_bypass(host):
        to = urlsplit(named if "//" in named else f"http://{named}")
        if to.hostname is None or to.scheme != "http":
            raise InvalidInput(
                "the proxy of the environment cannot be used: name one like http://host:port"
            )
        target = target if is_safe else url
    if not is_safe:
        return http.client.HTTPConnection(to.hostname or "", to.port, timeout=seconds), target
    made = http.client.HTTPSConnection(
        to.hostname or "", to.port, timeout=seconds, context=ssl.create_default_context()
    )
    if to is not parts:
        made.set_tunnel(host, parts.port)
    return made, target


class _Watch:
    """Ends a connection under way when its time is over, or nobody wants the answer any more."""

    def __init__(
        self, sock: socket.socket, deadline: float, cancelled: Callable[[], bool] | None
    ) -> None:
        self.over = ""  # timeout or cancelled, once it ended the connection
        self._sock = sock
        self._deadline = deadline
        self._cancelled = cancelled
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(LOOK):
            if self._cancelled is not None and self._cancelled():
                self.over = "cancelled"
            elif time.monotonic() >= self._deadline:
                self.over = "timeout"
            if self.over:
                with suppress(OSError):  # the other side was faster
                    # Not the method of the TLS socket: it would change what the reader stands on.
                    socket.socket.shutdown(self._sock, socket.SHUT_RDWR)
                return


def _read(response: http.client.HTTPResponse, url: str) -> bytes:
    wanted = response.length
    pieces: list[bytes] = []
    size = 0
    while piece := response.read(1 << 16):
        pieces.append(piece)
        size += len(piece)
        if size > LONGEST_ANSWER:
            raise ModelFailed(
                f"{_host(url)} answered more than {LONGEST_ANSWER >> 20} MiB: it was not read"
            )
    if wanted is not None and size < wanted:
        raise http.client.IncompleteRead(b"")
    return b"".join(pieces)


def _object(answer: bytes, url: str) -> dict[str, Any]:
    try:
        found = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise ModelFailed(f"{_host(url)} answered something that is not JSON") from error
    if not isinstance(found, dict):
        raise ModelFailed(f"{_host(url)} answered JSON that is not an object")
    return found


def _refusal(url: str, status: int, answer: bytes) -> Refused:
    """Return what a status means. Of the provider's own words only short names are shown."""
    try:
        error = json.loads(answer).get("error")
    except (ValueError, RecursionError, AttributeError):
        error = None
    told = error if isinstance(error, dict) else {}
    values = (told.get(name) for name in ("type", "code", "param"))
    named = [one for one in values if isinstance(one, str) and _is_name(one)]
    what = f" ({', '.join(dict.fromkeys(named))})" if named else ""
    if 300 <= status < 400:
        advice = "it wants to send the request elsewhere: give the address that it moved to"
    else:
        advice = _ADVICE.get(status, "`cogmem model test` tries it once")
    words = answer[:4000].decode("utf-8", "replace").lower()
    refused = Refused(f"{_host(url)} answered {status}{what}: {advice}", status, words)
    refused.is_down = status in (401, 402, 403, 404)  # a key, an account or a name: all will fail
    return refused


def _is_name(text: str) -> bool:
    return 0 < len(text) <= 60 and all(mark.isalnum() or mark in "_-." for mark in text)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a provider asks to wait; an instant in their place is passed over."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with suppress(ValueError):
            seconds = float(headers.get(name, "")) * unit
            if 0 <= seconds < 1e7:
                return seconds
    return None


def _sleep(seconds: float, cancelled: Callable[[], bool] | None) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if cancelled is not None and cancelled():
            raise ModelCancelled("the answer is not wanted any more")
        time.sleep(min(left, LOOK))


def _host(url: str) -> str:
    return urlsplit(url).netloc
