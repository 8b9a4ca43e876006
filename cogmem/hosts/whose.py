"""Whose a file of talk is: the host that wrote it, and the sessions in it."""

from __future__ import annotations

import os

from cogmem.file.foreign import is_database
from cogmem.hosts.host import HOSTS, find
from cogmem.hosts.session import Kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

HEAD = 1 << 18  # bytes of a transcript that tell whose it is


def in_file(host: str, path: str) -> Kept | None:
    """Return the session of a transcript, as its head and its file tell it."""
    try:
        stat = os.stat(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            head = file.read(HEAD)
    except (OSError, ValueError):  # no file has such a name
        return None
    told = find(host).session_of(path, head)
    if told is None or not stat.st_size:
        return None
    return Kept(path, *told, stat.st_mtime_ns, stat.st_size)


def whose(path: str, hosts: Iterable[str] = HOSTS) -> tuple[str, list[Kept]]:
    """Return the host that wrote a file, and the sessions in it; '' where none of these did."""
    for name in hosts:
        if is_database(path):
            found = find(name).stored(path)
        else:
            one = in_file(name, path)
            found = [] if one is None else [one]
        if found:
            return name, found
    return "", []
