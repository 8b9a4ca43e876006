"""The rows of a SQLite file read past SQLite: page by page, for a file whose tree is broken.

Every page that looks like the leaf of a table is read for itself, as the file format describes it
(https://www.sqlite.org/fileformat2.html), from the write-ahead log where that has it anew. Which table a row
belongs to its page does not say; the number and the types of its values do, as the tables of a memory all differ.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

    Cell = tuple[int, tuple[Any, ...]]  # rowid, values

LEAF = 0x0D
_LOG_HEADER, _FRAME_HEADER = 32, 24


class Pages:
    """The pages of a file and of its log; those that are gone read as nothing."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "rb")  # noqa: SIM115  (closed by close)
        head = self._file.read(100)
        size = int.from_bytes(head[16:18], "big")
        size = 65536 if size == 1 else size
        if size < 512 or size & (size - 1):
            size = _likely_size(self._file)
        self.size = size
        self.usable = self.size - (head[20] if len(head) > 20 and head[20] < 64 else 0)
        self.count = -(-os.fstat(self._file.fileno()).st_size // self.size)
        self._logged = _logged(f"{path}-wal", self.size)
        self.count = max(self.count, *self._logged) if self._logged else self.count

    def close(self) -> None:
        self._file.close()

    def __getitem__(self, number: int) -> bytes:
        if number in self._logged:
            return self._logged[number]
        self._file.seek((number - 1) * self.size)
        return self._file.read(self.size)


def _likely_size(file: BinaryIO) -> int:
    """Without a header: of the sizes that memories have, the one whose pages begin where it says."""
    looks = {size: [0, 0] for size in (512, 1024, 4096)}  # [looks like a page, of all]
    file.seek(0)
    for place in range(0, 32 << 20, 512):
        if len(head := file.read(512)) < 8:
            break
        count, content = int.from_bytes(head[3:5], "big"), int.from_bytes(head[5:7], "big")
        here = looks[4096 if place % 4096 == 0 else 1024 if place % 1024 == 0 else 512]
        here[0] += head[0] in (2, 5, 10, LEAF) and 8 + 2 * count <= content <= 4096
        here[1] += 1
    whole, of_whole = looks[4096]
    for size, (between, of_between) in looks.items():
        if 3 * between * of_whole > whole * of_between:
            return size
    return 4096


def _logged(path: str, size: int) -> dict[int, bytes]:
    """Return the latest state of each page in a write-ahead log, up to its last commit."""
    try:
        with open(path, "rb") as log:
            data = log.read()
    except OSError:
        return {}
    kept: dict[int, bytes] = {}
    open_now: dict[int, bytes] = {}
    salt = data[16:24]
    step = _FRAME_HEADER + size
    for at in range(_LOG_HEADER, len(data) - step + 1, step):
        if data[at + 8 : at + 16] != salt:
            break
        open_now[int.from_bytes(data[at : at + 4], "big")] = data[at + _FRAME_HEADER : at + step]
        if int.from_bytes(data[at + 4 : at + 8], "big"):  # a commit names the size of the file
            kept.update(open_now)
            open_now = {}
    return kept


def cells(pages: Pages) -> Iterator[Cell]:
    """Yield every row of every page that is the leaf of a table; a broken one costs itself alone."""
    for number in range(1, pages.count + 1):
        page = pages[number]
        start = 100 if number == 1 else 0
        if len(page) < start + 8 or page[start] != LEAF:
            continue
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        for index in range(min(count, pages.size // 4)):
            place = start + 8 + 2 * index
            at = int.from_bytes(page[place : place + 2], "big")
            try:
                if at < place:
                    continue
                length, at = _number(page, at)
                rowid, at = _number(page, at)
                body = _body(pages, page, at, length)
                yield _signed(rowid), _values(body)
            except (IndexError, ValueError):
                continue


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where the next thing begins."""
    value = 0
    for index in range(9):
        byte = data[at + index]
        if index == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    raise ValueError("no number")


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _body(pages: Pages, page: bytes, at: int, length: int) -> bytes:
    usable = pages.usable
    if length <= usable - 35:
        body = page[at : at + length]
    else:
        least = (usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (usable - 4)
        here = least if here > usable - 35 else here
        body = page[at : at + here]
        following = int.from_bytes(page[at + here : at + here + 4], "big")
        for _ in range(length // (usable - 4) + 2):
            if len(body) >= length or not 0 < following <= pages.count:
                break
            more = pages[following]
            following = int.from_bytes(more[:4], "big")
            body += more[4 : min(usable, 4 + length - len(body))]
    if len(body) != length:
        raise ValueError("a record that is not whole")
    return body


def _values(body: bytes) -> tuple[Any, ...]:
    head, at = _number(body, 0)
    if not 0 < head <= len(body):
        raise ValueError("a record without a head")
    kinds = []
    while at < head:
        kind, at = _number(body, at)
        kinds.append(kind)
    values: list[Any] = []
    at = head
    for kind in kinds:
        if kind == 0:
            values.append(None)
        elif kind in (8, 9):
            values.append(kind - 8)
        elif kind <= 6:
            size = (0, 1, 2, 3, 4, 6, 8)[kind]
            values.append(int.from_bytes(body[at : at + size], "big", signed=True))
            at += size
        elif kind == 7:
            from struct import unpack

            values.append(unpack(">d", body[at : at + 8])[0])
            at += 8
        elif kind >= 12:
            size = (kind - 12) // 2
            raw = body[at : at + size]
            if len(raw) != size:
                raise ValueError("a value that is not whole")
            values.append(raw.decode() if kind % 2 else raw)
            at += size
        else:
            raise ValueError("a value of no kind")
    if at != len(body):
        raise ValueError("a record with something behind it")
    return tuple(values)
