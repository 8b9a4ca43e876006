"""A file that is damaged, gone or not what it was: what that looks like, and what a person can do.

Nothing here, and nothing that opens a file, puts another one in its place. Whoever asks is told, until a person
has set the file aside, salvaged it or restored a backup.
"""

from __future__ import annotations

import glob
import os
import time

from cogmem.errors import Damaged, InvalidInput
from cogmem.file.places import size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

WAYS_ON = (
    "nothing was changed. `cogmem file restore` brings back the latest backup, `cogmem file salvage` reads what "
    "is left into a new file, `cogmem doctor --set-aside` puts it by and lets a new memory begin"
)
# How programs that sync a folder call the second of two files that they could not join.
_CONFLICTS = (
    *(" (*conflict*)*", ".sync-conflict-*", " (conflicted copy*", "*_conflict-*"),
    *(" (Case Conflict*", "-conflict-*"),
)
_ASIDE = (".set-aside-*", ".corrupt-*")


def damaged(path: str, why: str) -> Damaged:
    """Return the error that says what is wrong with a file, and what to do."""
    return Damaged(f"{path} is damaged ({why}): {WAYS_ON}")


def missing(path: str, size: int | None) -> None:
    """Raise if there was a memory where nothing is now (size None), or a file without a byte (0)."""
    log = size_of(f"{path}-wal")
    if log and not size_of(path):  # unless another process made the file since it was looked at
        gone = "it has no bytes" if size == 0 else "the file is gone"
        raise damaged(path, f"{gone}, but its log of {log} bytes lies beside it")
    if size is None:
        return
    from cogmem.file import last_seen

    known = last_seen.seen(path)
    if known is not None and known.changes:
        had = f"it had {known.changes} changes when it was last closed"
        raise damaged(path, f"it has no bytes; {had}")
    name = glob.escape(path)
    if glob.glob(f"{name}.backup-*Z") or glob.glob(os.path.join(f"{name}.backups", "*Z.db")):
        raise damaged(path, "it has no bytes, but there are backups of it")


def beside(path: str) -> Iterator[str]:
    """Return what lies beside a memory and waits for a person: one sentence for each."""
    if path == ":memory:":
        return
    from shlex import quote

    name = glob.escape(path)
    aside = [file for pattern in _ASIDE for file in glob.glob(name + pattern)]
    for file in sorted(file for file in aside if not file.endswith(("-wal", "-shm"))):
        yield (
            f"{file} was set aside: `cogmem file salvage NEW_FILE {quote(file)}` reads what it holds; "
            "move it away when you need it no more"
        )
    for log in sorted(glob.glob(f"{name}.*-wal")):
        if not os.path.exists(log.removesuffix("-wal")):
            yield f"{log} is a log whose file is gone: put the file back, or move the log away"
    stem, ending = map(glob.escape, os.path.splitext(path))
    for file in (
        file for mark in _CONFLICTS for file in sorted(glob.glob(f"{stem}{mark}{ending}"))
    ):
        yield (
            f"{file} is a second version that a program for syncing made: changes of the two were not joined; "
            f"`cogmem --db {quote(file)} file export` and `cogmem file import` bring them over"
        )


def set_aside(path: str, *, now: int) -> str:
    """Rename a file with its log, so that a new memory may begin in its place; where it is now."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now // 1000))
    target, number = f"{path}.set-aside-{stamp}", 1
    while os.path.lexists(target) or os.path.lexists(f"{target}-wal"):
        number += 1
        target = f"{path}.set-aside-{stamp}-{number}"
    # The file last: whoever opens its name meanwhile must not find another log's file.
    there = [ending for ending in ("-shm", "-wal", "") if os.path.lexists(path + ending)]
    if not there:
        raise InvalidInput(f"there is nothing at {path} to set aside")
    for ending in there:
        os.rename(path + ending, target + ending)
    return target


def around(
    ask: Callable[[str, Mapping[str, Any]], Any],
    names: Callable[[Any], list[str]],
    text: str,
    params: Mapping[str, Any],
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return columns and rows of a statement that reads, with U+FFFD in the place of what is no UTF-8.

    A driver refuses such a value with the whole statement. So a flipped bit costs its cell and not the answer.
    """
    inner = text.strip().rstrip(";")
    # One row of nothing: apsw names no columns of a statement that is through.
    columns = names(
        ask(f"select told.* from (select 1) left join ({inner}\n) as told on 0", params)
    )
    cells = [f"c{at}" for at in range(len(columns))]
    bytes_or_value = ", ".join(
        f"case typeof({cell}) when 'text' then cast({cell} as blob) else {cell} end, typeof({cell})"
        for cell in cells
    )
    whole = f"with told({', '.join(cells)}) as ({inner}\n) select {bytes_or_value} from told"
    rows = [
        tuple(
            bytes(value).decode(errors="replace") if kind == "text" else value
            for value, kind in zip(row[::2], row[1::2], strict=True)
        )
        for row in ask(whole, params)
    ]
    return columns, rows
