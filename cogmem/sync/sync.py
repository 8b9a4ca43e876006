"""`mem.sync`: the same memory on several machines, each with a file of its own.

Where the other one is says how they meet: a file, a folder that both see, a machine behind ssh, a hub.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing, contextmanager

from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.file import making
from cogmem.file.places import given, is_address, place_of
from cogmem.records import Record, most_rows
from cogmem.space import Area
from cogmem.sync.acts import instant
from cogmem.sync.admission import Door
from cogmem.sync.exchange import NOWHERE, Side, Synced, What, exchange, preview
from cogmem.sync.well_formed import Misshapen
from cogmem.text.lines import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.space import Instant
    from cogmem.sync.exchange import Ask

TOKEN = "COGMEM_SYNC_TOKEN"
OF_FILES = (
    "files exchange acts, and a memory on a cluster is none: `cogmem bulk move` makes a file of it, or puts"
    " a file in its place"
)


class Peer(Record):
    """A file that this one has met, or this one itself."""

    origin: str
    is_self: bool
    label: str
    met_at: datetime | None


class Overwritten(Record):
    """A text that another writer replaced who had not seen it: both texts, their writers and the act."""

    uid: str
    lost: str
    kept: str
    lost_by: str
    kept_by: str
    act: str


class Sync(Area):
    """The same memory on several machines: `mem.sync`."""

    def exchange(self, target: str, *, user: str | None = None, now: Instant = None) -> Synced:
        """Give and take with a file, a folder, `ssh://host/path`, `host:path` or a hub's address.

        With `user` only what that user sees goes and comes; without one, all that the file holds.

        target: a file, a folder, ssh://host/path or the address of a hub
        user: only what this user may see

        >>> mem.sync.exchange("other.db").sent > 0
        True
        """
        place = _Target(target)
        side = self._side(user, now)
        if place.folder:
            from cogmem.sync.folder import KEY, Cipher, meet

            cipher = Cipher(os.environ.get(KEY, ""))
            return self._told(meet(side, place.folder, cipher), side.now)
        with self._asking(place, side) as ask:
            return self._told(exchange(side, ask, target), side.now)

    def what(self, target: str, *, user: str | None = None, now: Instant = None) -> What:
        """Return what `exchange` would send and take; nothing moves.

        target: a file, a folder, ssh://host/path or the address of a hub
        user: only what this user may see

        >>> mem.sync.what("other.db").receiving
        0
        """
        place = _Target(target)
        side = self._side(user, now)
        if place.folder:
            from cogmem.sync.folder import put_upto

            return preview(side, None, target, put_upto(side, place.folder)).closed()
        if place.file and not os.path.exists(place.file):
            return preview(side, None, target, dict(NOWHERE)).closed()
        with self._asking(place, side) as ask:
            return preview(side, ask, target, dict(NOWHERE)).closed()

    def peers(self) -> list[Peer]:
        """Return files and folders that this one met, and when.

        >>> done = mem.sync.exchange("other.db")
        >>> [peer.is_self for peer in mem.sync.peers() if peer.is_self]
        [True]
        """
        return [
            Peer(origin, bool(is_self), label, met_at)
            for origin, is_self, label, *_, met_at in self.space.db.read("sync.peers")
        ]

    def overwritten(self, *, limit: int = 100) -> list[Overwritten]:
        """Return texts that a later one took the place of, whose writer had not seen them, the newest first.

        >>> mem.sync.overwritten()
        []
        """
        viewer = {**self.space.scope.viewer(), "limit": most_rows(limit)}
        return [Overwritten(**row) for row in self.space.db.rows("sync.overwritten", viewer)]

    def hub(self, tokens: str, *, host: str = "127.0.0.1", port: int = 0) -> Any:
        """Return a hub over this file: serve_forever() answers until shutdown().

        tokens: the file of its tokens
        host: the address that it listens at
        port: 0: any that is free

        >>> hub = mem.sync.hub("tokens.txt")
        >>> hub.server_close()
        """
        from cogmem.sync.hub import Hub

        self._must_be_file()
        if not isinstance(port, int) or not 0 <= port <= 65_535:
            raise InvalidInput(f"a port is a number from 0 to 65,535, not {port!r:.40}")
        tokens, host = given(tokens, "the file of tokens"), storable(host, "the host")
        try:
            return Hub(self.space.db, tokens, (host, port), _private(self.space.db))
        except (OSError, TypeError, ValueError) as fault:
            raise InvalidInput(
                f"nothing can listen at port {port} of {host!r:.80} ({fault}): name another port or address"
            ) from None

    def new_key(self) -> str:
        """Return a key for the files of a folder, for COGMEM_SYNC_KEY on each machine.

        >>> len(mem.sync.new_key())
        44
        """
        from cogmem.sync.folder import new_key

        return new_key()

    def _told(self, result: Synced, now: int) -> Synced:
        from cogmem.store.forget_in_copies import forget_in_copies

        result.ahead = {origin: instant(at) - now for origin, at in result.ahead.items()}
        if result.received or result.forgotten:
            self.space.reread()  # kinds and settings may have come
            waiting = self.space.db.read("sync.waiting")[0]  # it looks at all that ever came
            result.conflicts, result.without_key, result.overwritten = map(int, waiting)
        # With nothing forgotten since the last time this is one question.
        result.outstanding = forget_in_copies(self.space.db, now=now)
        return result.closed()

    def _side(self, user: str | None, now: Instant) -> Side:
        self._must_be_file()
        self.space.flush()
        door = Door(None if user is None else storable(user, "the user"), _private(self.space.db))
        return Side(self.space.db, door, now=self.space.instant(now), label=self.space.path)

    def _must_be_file(self) -> None:
        if self.space.db.is_of_cluster:
            raise InvalidInput(OF_FILES)

    @contextmanager
    def _asking(self, place: _Target, side: Side) -> Iterator[Ask]:
        """Lend the way to the other side; what it says that no cogmem says is told as that."""
        try:
            with self._way(place, side) as ask:
                yield ask
        except Misshapen as fault:
            where = place.url or place.host or place.file
            raise DatabaseProblem(
                f"{where} does not answer as a cogmem of this version does ({fault}): what was exchanged so far is"
                " kept; upgrade the older one"
            ) from None

    @contextmanager
    def _way(self, place: _Target, side: Side) -> Iterator[Ask]:
        if place.url:
            from cogmem.sync.hub import Line

            with closing(Line(place.url, os.environ.get(TOKEN, ""))) as line:
                yield line.ask
        elif place.host:
            from cogmem.sync.pipe import Pipe, over_ssh

            with Pipe(over_ssh(place.host, place.port, place.path), place.host) as pipe:
                yield pipe.ask
        else:
            own = self.space.path
            there = place_of(place.file)
            if there is not None and there == place_of(own):
                raise InvalidInput(f"{place.file} is this memory itself: name another file")
            with closing(making.open_space(place.file, driver=self.space.db.driver)[0]) as other:
                door = Door(None, _private(other))
                yield Side(other, door, now=side.now, label=own).answer

    # -- for other stages --------------------------------------------------------------------------

    def serve_pipe(self, requests: Any, answers: Any) -> None:
        """Answer the exchange at the other end of a pipe."""
        from cogmem.sync.pipe import serve

        side = self._side(None, None)
        serve(side, requests, answers)


def _private(db: Database) -> frozenset[str]:
    """Return the projects that never leave a file: it says so itself, and no other file can."""
    found = db.read("sync.private")
    return frozenset(found[0][0].split()) if found else frozenset()


class _Target:
    """Where the other one is, as a person names it."""

    def __init__(self, target: str) -> None:
        self.url = self.host = self.path = self.folder = self.file = ""
        storable(target, "the target")
        self.port: int | None = None
        host, colon, path = target.partition(":")
        is_drive = sys.platform == "win32" and len(host) == 1
        if target.startswith(("http://", "https://")):
            self.url = target
        elif is_address(target):
            raise InvalidInput(OF_FILES)
        elif target.startswith("ssh://"):
            self._ssh(target[len("ssh://") :])
        elif colon and not is_drive and "/" not in host and not os.path.exists(target):
            self.host, self.path = host, path
        else:
            place = os.path.expanduser(target)
            ending = os.path.splitext(place)[1]
            if os.path.isdir(place) or target.endswith(("/", os.sep)):
                self.folder = place
            elif os.path.isfile(place) or ending in (".db", ".sqlite", ".sqlite3"):
                self.file = place
            else:
                raise InvalidInput(
                    f"{target} is not there: a folder ends with /, a file with .db, a machine is ssh://host/path"
                )
        if self.host.startswith("-"):
            raise InvalidInput(f"{self.host} is not a name of a machine")

    def _ssh(self, rest: str) -> None:
        host, slash, path = rest.partition("/")
        name, colon, port = host.rpartition(":")
        if colon and port.isdigit():
            host, self.port = name, int(port)
        self.host, self.path = host, slash + path if path else ""
        if self.path.startswith("/~"):
            self.path = self.path[1:]
