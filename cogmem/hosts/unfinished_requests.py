"""Requests over HTTP that never end: their connections are closed.

uvicorn waits for the rest of a request for as long as its client likes, so a few hundred halves would keep a server
from answering anybody. What is being answered, or streams, is left alone.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from typing import Any

PATIENCE_S = 4.5  # from one look to the next; what is half there at two of them is given up


class Patient(H11Protocol):
    """One connection of a client that must come to an end with what it asks."""

    _due: asyncio.TimerHandle | None = None
    _unfinished: object = None  # the request that was under way at the last look

    def connection_made(self, transport: Any) -> None:
        """Look at it from now on."""
        super().connection_made(transport)
        self._due = self.loop.call_later(PATIENCE_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        if self._due is not None:
            self._due.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        waits = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        request = self.cycle or self  # of one whose head is not there yet there is nothing
        if waits and (self._unfinished is request or self.cycle is None):
            self.transport.close()
            return
        self._unfinished = request if waits else None
        self._due = self.loop.call_later(PATIENCE_S, self._look)
