"""The process of `cogmem inspect`: Datasette over one file, on the loopback, behind a key.

Datasette's own pages are read-only. Ours may write, through the library, for who has the key and sends
a form of a page of this start. The file is never held open by two SQLite libraries: Datasette and the
library both use the standard sqlite3, and apsw is not loaded here.
"""

# Types are checked also where Datasette is missing, and all of it is Any then.
# mypy: disable-error-code="import-not-found,import-untyped,untyped-decorator,misc,unused-ignore"

from __future__ import annotations

import hmac
import json
import os
import secrets
import socket
import sqlite3
import sys
from contextlib import closing
from threading import Thread
from urllib.parse import parse_qsl, quote, urlencode

from cogmem.errors import InvalidInput
from cogmem.file import sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    Asgi = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

USUAL_PORT = 8001
START = "/-/look"
SETTINGS = {
    "allow_download": False,  # `cogmem file backup` and `cogmem file export` copy what may be copied
    "suggest_facets": False,
    "default_page_size": 50,
    "sql_time_limit_ms": 4000,
    "facet_time_limit_ms": 1000,
    "truncate_cells_html": 600,
    "cache_size_kb": 8000,
}
# The page's own style and script, and nothing from elsewhere: also not by what a memory says.
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
)
# Our pages have no script but their one file, so that no text of a memory can become one.
OURS = POLICY.replace("script-src 'self' 'unsafe-inline'", "script-src 'self'")
TOKEN = "token"  # the field of a form that says it is of this start
LARGEST = 4 << 20  # bytes of a form


def listening(port: int | None) -> socket.socket:
    """Return a socket on the loopback: the port that was asked for, else the usual one, else a free one."""
    for wanted in (USUAL_PORT, 0) if port is None else (port,):
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind(("127.0.0.1", wanted))
            sock.listen()
            return sock
        except OSError:
            sock.close()
    raise InvalidInput(f"port {port} is taken: name another one, or none to have a free one found")


def application(path: str, token: str = "", *, is_read_only: bool = True) -> Any:
    """Datasette over the file, with what it should know and show."""
    sys.modules.setdefault("pysqlite3", None)  # type: ignore[arg-type]  # a second library on one file
    os.environ.setdefault(
        "DATASETTE_LOAD_PLUGINS", ""
    )  # only ours: others might load from elsewhere
    from datasette.app import Datasette
    from datasette.database import Database
    from datasette.plugins import DEFAULT_PLUGINS, pm

    from cogmem.inspect import metadata, pages
    from cogmem.inspect.page import Desk

    if set(path) & set("?#%"):
        raise InvalidInput("Datasette cannot open a file whose path holds ?, # or %: rename it")
    with closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)) as connection:
        objects = connection.execute(sql.statement("inspect.objects")).fetchall()
    if not metadata.views().keys() <= {name for name, *_ in objects}:
        raise InvalidInput(
            "this file was last opened by an earlier version, and may not be written here: "
            "run `cogmem doctor` where it may"
        )
    for name, plugin in pm.list_name_plugin():
        # What else is installed might load from elsewhere; Datasette's own answer to a fault prints
        # the rows that it had read to the terminal.
        if name not in DEFAULT_PLUGINS or name == "datasette.handle_exception":
            pm.unregister(plugin)
    pm.register(pages, name="cogmem")
    app = Datasette(metadata=metadata.metadata(objects), settings=SETTINGS)
    app.desk = Desk(path, token, is_read_only=is_read_only)
    app.add_database(Database(app, path=path, is_mutable=True), name="memory")
    return app


def token_of(key: str) -> str:
    """Return what forms of this start carry: known to who was shown a page, and not the key itself."""
    return hmac.new(key.encode(), b"forms", "sha256").hexdigest()[:32]


def guarded(app: Asgi, key: str, port: int, *, is_read_only: bool = True) -> Asgi:
    """Only who has the key gets in, and only under the loopback's names: a page of the web that resolves its own
    name to this machine has neither. What writes must also come from a page of this very address, and carry its
    token."""
    names = {f"127.0.0.1:{port}".encode(), f"localhost:{port}".encode()}
    origins = {b"http://" + name for name in names}
    cookie = f"cogmem-{port}"

    async def answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        asked = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        given = asked.pop("key", "")
        if headers.get(b"host") not in names:
            await _short(send, 421, b"This address is not mine.")
        elif hmac.compare_digest(given.encode(), key.encode()):
            target = scope["path"] + ("?" + urlencode(asked) if asked else "")
            kept = f"{cookie}={key}; HttpOnly; SameSite=Strict; Path=/"
            await _short(
                send, 303, b"", [(b"location", target.encode()), (b"set-cookie", kept.encode())]
            )
        elif not _has(headers, cookie, key):
            await _short(send, 403, b"Open the address that cogmem printed: it holds the key.")
        elif scope["path"] == "/":
            await _short(send, 303, b"", [(b"location", START.encode())])
        elif scope.get("method", "GET") in ("GET", "HEAD"):
            await app(scope, receive, _strict(send, scope["path"]))
        elif is_read_only:
            await _short(send, 403, b"This memory is only looked at here: nothing can be changed.")
        elif headers.get(b"origin") not in origins:
            await _short(send, 403, b"A change is asked for by a page of this address.")
        else:
            body = await _body(receive)
            given = dict(parse_qsl((body or b"").decode("latin-1"))).get(TOKEN, "")
            if body is None:
                await _short(send, 413, b"That is more than a page may send.")
            elif not hmac.compare_digest(given.encode(), token_of(key).encode()):
                await _short(send, 403, b"This page is of an earlier start: load it again.")
            else:
                await app(scope, _again(body), _strict(send, scope["path"]))

    return answer


def _has(headers: dict[bytes, bytes], cookie: str, key: str) -> bool:
    sent = map(str.strip, headers.get(b"cookie", b"").decode("latin-1").split(";"))
    kept = [part.partition("=")[2] for part in sent if part.startswith(cookie + "=")]
    bearer = headers.get(b"authorization", b"").decode("latin-1").removeprefix("Bearer ")
    return any(hmac.compare_digest(one.encode(), key.encode()) for one in [*kept, bearer])


async def _body(receive: Any) -> bytes | None:
    body = b""
    while True:
        message: dict[str, bytes] = await receive()
        body += message.get("body", b"")
        if len(body) > LARGEST:
            return None
        if not message.get("more_body"):
            return body


def _again(body: bytes) -> Any:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _strict(send: Any, path: str) -> Any:
    policy = OURS if path.startswith(START) else POLICY

    async def sending(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            added = [
                (b"content-security-policy", policy.encode()),
                (b"referrer-policy", b"same-origin"),
                (b"x-content-type-options", b"nosniff"),
                (b"cache-control", b"no-store"),
            ]
            kept = [pair for pair in message["headers"] if pair[0].lower() != b"cache-control"]
            message = {**message, "headers": [*kept, *added]}
        await send(message)

    return sending


async def _short(
    send: Any, status: int, body: bytes, headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    head = {"status": status, "headers": [*plain, *(headers or [])]}
    await send({"type": "http.response.start", **head})
    await send({"type": "http.response.body", "body": body})


def serve(path: str, *, port: int | None, is_open: bool, as_json: bool, is_read_only: bool) -> int:
    """Serve until interrupted; the address is printed once it answers."""
    import uvicorn

    from cogmem.hosts.unfinished_requests import Patient

    is_read_only = is_read_only or not os.access(path, os.W_OK)
    key = secrets.token_urlsafe(18)
    app = application(os.path.abspath(path), token_of(key), is_read_only=is_read_only)
    sock = listening(port)
    port = sock.getsockname()[1]
    url = f"http://127.0.0.1:{port}{START}?key={key}"

    class Server(uvicorn.Server):  # type: ignore[misc,unused-ignore]
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            told = json.dumps({"url": url, "path": path}) if as_json else f"{url}\nCtrl-C ends it."
            print(told, flush=True)
            if is_open:
                import webbrowser

                Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    config = uvicorn.Config(
        guarded(app.app(), key, port, is_read_only=is_read_only),
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=2,
        http=Patient,
    )
    try:
        Server(config).run(sockets=[sock])
    except KeyboardInterrupt:  # uvicorn has ended well and only passes it on
        pass
    finally:
        sock.close()
    return 0
