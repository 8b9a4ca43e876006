"""A request that never ends does not keep its connection; one that is being answered does."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import pytest

uvicorn = pytest.importorskip("uvicorn")

from cogmem.hosts import unfinished_requests  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


async def slow(_scope: dict[str, Any], _receive: Any, send: Callable[..., Awaitable[None]]) -> None:
    """Takes longer for an answer than a request may take to come."""
    await asyncio.sleep(4 * unfinished_requests.PATIENCE_S)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"here"})


async def answers(*requests: bytes) -> list[bytes]:
    """What each of these gets until its connection is closed or says something."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        config = uvicorn.Config(
            slow,
            http=unfinished_requests.Patient,
            lifespan="off",
            log_level="critical",
            timeout_keep_alive=1,
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[door]))

        async def ask(request: bytes) -> bytes:
            reader, writer = await asyncio.open_connection(*door.getsockname())
            writer.write(request)
            try:
                return await asyncio.wait_for(reader.read(100), 30)
            finally:
                writer.close()

        try:
            return await asyncio.gather(*map(ask, requests))
        finally:
            server.should_exit = True
            await serving


def test_what_is_half_sent_is_closed_and_what_is_asked_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unfinished_requests, "PATIENCE_S", 0.1)
    said = asyncio.run(
        answers(
            b"",
            b"POST /mcp HTTP/1.1\r\nHost: h",
            b"POST /mcp HTTP/1.1\r\nHost: here\r\nContent-Length: 50\r\n\r\n{",
            b"GET /mcp HTTP/1.1\r\nHost: here\r\n\r\n",
        )
    )
    assert said[:2] == [b"", b""]
    assert not said[2].endswith(b"here")
    assert said[3].startswith(b"HTTP/1.1 200")
