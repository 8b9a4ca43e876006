"""The chain over the history: each seal is a digest of the changes and receipts since the one before, and of it.

A change row can be edited by any SQLite client. Its seal then no longer fits, and neither does any later one.
Sealing is not part of a write, which would take a tenth longer: whoever wrote seals when he closes the file, and so
does every night. What is younger than the newest seal is not proved yet.

`forget` takes words out of the past and seals all of it anew; the receipt is part of that seal. A receipt can
only be removed by breaking the chain.
"""

from __future__ import annotations

from contextlib import suppress

from cogmem.errors import CogmemError
from cogmem.file import mark, sql
from cogmem.file.db import Database
from cogmem.file.mark import Mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

STRETCH = 2_000  # rows read at a time
PATIENCE_MS = 50  # who closes a file does not wait for others: the next to close seals for both
AT_ONCE = 50_000  # changes; a tenth of a second
_NONE = (0, 0, 0, "")


def newest(db: Database) -> tuple[int, int, int, str]:
    """Number of the newest seal, the last change and the last receipt below it, its digest."""
    found = db.read("seal.newest")
    if not found:
        return _NONE
    if [type(value) for value in found[0]] != [int, int, int, str]:
        from cogmem.file import damage

        raise damage.damaged(db.path, "its newest seal cannot be read")
    return found[0]


def close(db: Database, *, at: int) -> None:
    """Close a file that this process wrote to, with its history sealed, and note how far it has come.

    A seal that cannot be written is left to the next to close; what it would prove is stored. The note comes
    last, when all that it speaks of is on the disk.
    """
    sealed: Mark | None = None
    with suppress(CogmemError):
        sealed = seal(db, at=at)
    db.close()
    if sealed is not None:
        mark.moved_on(sealed)


def seal(db: Database, *, at: int, most: int = AT_ONCE) -> Mark | None:
    """Seal what came since the last seal, and say how far the memory has come.

    A file of an earlier version has all its past to seal: who only closes it leaves that to the night.
    """
    if db.is_writing:
        return None
    number, changes, receipts, digest = newest(db)
    upto, last = db.read("seal.ends")[0]
    if upto - changes > most:
        return None
    if (upto, last) != (changes, receipts):
        digest = _digest(db, digest, (changes, upto), (receipts, last))
        row = {"after": number, "changes": upto, "receipts": last, "digest": digest, "now": at}
        number = _added(db, row)
        if not number:  # another process sealed meanwhile
            return None
        changes, receipts = upto, last
    return Mark(db.path, number, changes, receipts, digest, at) if number else None


def _added(db: Database, row: dict[str, Any]) -> int:
    """The number of a new link. It is nobody's act: what views take for the latest instant stays as it is."""
    text = sql.statement("seal.insert")
    found: list[tuple[int]] = []

    def body(connection: Any) -> None:
        found[:] = connection.execute(text, row).fetchall()

    db.transact(body, patience_ms=PATIENCE_MS)
    return found[0][0] if found else 0


def anew(db: Database, *, at: int) -> None:
    """Seal the whole history again, after `forget` took words out of it."""
    upto, last = db.read("seal.ends")[0]
    row = {
        "changes": upto,
        "receipts": last,
        "digest": _digest(db, "", (0, upto), (0, last)),
        "now": at,
    }
    db.write([("seal.drop", {}), ("seal.begin", row)], verb="forget", actor="seal", at=at)


def note_anew(db: Database) -> None:
    """Note outside that the chain is another one now: what was noted before is no part of it."""
    number, changes, receipts, digest = newest(db)
    at = db.read("seal.all")[-1][4] if number else 0
    if number and db.path != ":memory:":
        known = mark.seen(db.path)
        mark.note(Mark(db.path, number, changes, receipts, digest, at, known.lost if known else 0))


def broken(db: Database) -> Iterator[str]:
    """Stretches of the history that are not what was sealed."""
    before = _NONE
    for number, changes, receipts, digest, at in db.read("seal.all"):
        made = _digest(db, before[3], (before[1], changes), (before[2], receipts))
        if made != digest:
            yield f"changes {before[1] + 1} to {changes} (seal {number} of {_day(at)})"
        before = (number, changes, receipts, digest)


def _digest(db: Database, before: str, changes: tuple[int, int], receipts: tuple[int, int]) -> str:
    from hashlib import blake2b

    chain = blake2b(before.encode(), digest_size=20)
    for statement, (after, upto) in (("seal.changes", changes), ("seal.receipts", receipts)):
        while after < upto:
            rows = db.read(statement, {"after": after, "upto": upto, "size": STRETCH})
            for row in rows:
                chain.update(repr(row).encode("utf-8", "surrogatepass"))
            after = rows[-1][0] if len(rows) == STRETCH else upto
        chain.update(b"|")
    return chain.hexdigest()


def _day(at: int) -> str:
    from time import gmtime, strftime

    return strftime("%Y-%m-%d %H:%M UTC", gmtime(at // 1000))


def differs(db: Database) -> Iterator[str]:
    """What was noted outside the file, and is not so in it."""
    known = None if db.path == ":memory:" else mark.seen(db.path)
    if known is None:
        return
    day = _day(known.at)
    accept = "if it is meant so, `cogmem doctor --accept`; else `cogmem restore-backup`"
    if known.lost:
        yield (
            f"a memory of {known.lost} changes was here until {day} and is gone; this one was begun anew: {accept}"
        )
    if not known.seal:
        return
    number = newest(db)[0]
    if number < known.seal:
        yield (
            f"this is an older state, or another memory: on {day} it had {known.changes} changes, "
            f"and has {newest(db)[1]} now: {accept}"
        )
    elif db.read("seal.is_there", {"number": known.seal, "digest": known.digest}) == [(0,)]:
        yield f"the history was written anew since {day}, and not by cogmem: {accept}"
