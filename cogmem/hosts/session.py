"""One session that a host keeps on this machine, and how it is named inside of a database."""

from __future__ import annotations

from cogmem.named import NamedTuple

INSIDE = "#"  # between the path of a database and the session in it


class Kept(NamedTuple):
    """One session: where it lies, what it is called, where it ran, when it began and was written last, its bytes."""

    path: str
    name: str
    folder: str
    began_at: str | int  # as the host wrote it; '' where it says nothing
    file_time: int  # ns
    size: int


def text_in(head: str, name: str) -> str:
    """Return the first text of a name in the head of a document, which may be cut off."""
    _, found, rest = head.partition(f'"{name}"')
    value = rest.lstrip().removeprefix(":").lstrip() if found else ""
    return value[1:].partition('"')[0] if value.startswith('"') else ""
