"""The chain over the history: each seal is a digest of the changes and receipts since the one before, and of it.

A change row that any SQLite client edits no longer fits its seal, nor any later one. Whoever wrote seals when he
closes the file, and so does every night; what is younger than the newest seal is not proved yet. `forget` takes
words out of the past and seals all of it anew with its receipt, which can only be removed by breaking the chain.
"""

from __future__ import annotations

from contextlib import suppress

from cogmem.errors import CogmemError
from cogmem.file import damage, last_seen, sql
from cogmem.file.db import Database
from cogmem.file.last_seen import Mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

STRETCH = 2_000  # rows read at a time
PATIENCE_MS = 50  # who closes a file does not wait for others: the next to close seals for both
AT_ONCE = 50_000  # changes; a tenth of a second
FEW = 5  # copies are named
_NONE = (0, 0, 0, "")


def newest(db: Database) -> tuple[int, int, int, str]:
    """Number of the newest seal, the last change and the last receipt below it, its digest."""
    found = db.read("seal.newest")
    if not found:
        return _NONE
    if [type(value) for value in found[0]] != [int, int, int, str]:
        raise damage.damaged(db.path, "its newest seal cannot be read")
    return found[0]


def close(db: Database, *, at: int) -> None:
    """Close a file that this process wrote to, with its history sealed, and note how far it has come. A seal that
    cannot be written is left to the next to close; what it would prove is stored. The note comes last, when all that
    it speaks of is on the disk."""
    sealed: Mark | None = None
    with suppress(CogmemError):
        sealed = seal(db, at=at)
        # Another memory in its place may have more seals: what was noted stays, so that it is told.
        if sealed is not None and any(differs(db)):
            sealed = None
    db.close()
    if sealed is not None:
        last_seen.moved_on(sealed)


def seal(db: Database, *, at: int) -> Mark | None:
    """Seal what came since the last seal, and say how far the memory has come. A file of an earlier version has all
    its past to seal: who only closes it leaves that to the night."""
    if db.is_writing:
        return None
    if db.read("seal.has_unnamed")[0][0]:  # a seal covers the names of acts too
        db.transact(db.name_acts_of_others, patience_ms=PATIENCE_MS)
    number, changes, receipts, digest = newest(db)
    upto, last = db.read("seal.ends")[0]
    if upto - changes > AT_ONCE:
        return None
    if (upto, last) != (changes, receipts):
        digest = _digest(db, digest, (changes, upto), (receipts, last))
        row = {"after": number, "changes": upto, "receipts": last, "digest": digest, "now": at}
        number = _added(db, row)  # 0: another process sealed meanwhile
    return Mark(db.path, number, upto, last, digest, at, origin=origin(db)) if number else None


def origin(db: Database) -> str:
    """Return the first act of the history, which all copies of a memory share."""
    found = db.read("seal.origin")
    return str(found[0][0] or "") if found else ""


def _added(db: Database, row: dict[str, Any]) -> int:
    """Return the number of a new link. It is nobody's act: what views take for the latest instant stays as it is."""
    text = sql.statement("seal.insert")
    found: list[tuple[int]] = []

    def body(connection: Any) -> None:
        found[:] = connection.execute(text, row).fetchall()

    db.transact(body, patience_ms=PATIENCE_MS)
    return found[0][0] if found else 0


def anew(db: Database, *, at: int) -> None:
    """Seal the whole history again, after `forget` took words out of it."""
    upto, last = db.read("seal.ends")[0]
    digest = _digest(db, "", (0, upto), (0, last))
    row = {"changes": upto, "receipts": last, "digest": digest, "now": at}
    db.write([("seal.drop", {}), ("seal.begin", row)], verb="forget", actor="seal", at=at)


def announce(db: Database) -> None:
    """Note outside, before the block of `anew` is committed, that the chain may be this one from now on. File and
    note are two things, and a process may be killed between them: until the note has moved on, both the chain that
    was noted and the one that was announced are right."""
    known = None if db.path == ":memory:" else last_seen.seen(db.path)
    if known is not None and known.seal:
        number, *_, digest = newest(db)
        last_seen.note(known._replace(announced=(number, digest)))


def note_anew(db: Database) -> None:
    """Note outside that the chain is another one now: what was noted before is not part of it."""
    number, changes, receipts, digest = newest(db)
    at = db.read("seal.all")[-1][4] if number else 0
    if number and db.path != ":memory:":
        known = last_seen.seen(db.path)
        now = Mark(db.path, number, changes, receipts, digest, at, origin=origin(db))
        last_seen.note(now.after(known))


def broken(db: Database) -> Iterator[str]:
    """Stretches of the history that are not what was sealed."""
    before = _NONE
    for number, changes, receipts, digest, at in db.read("seal.all"):
        made = _digest(db, before[3], (before[1], changes), (before[2], receipts))
        if made != digest:
            yield f"changes {before[1] + 1} to {changes} (seal {number} of {last_seen.day(at)})"
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


def differs(db: Database) -> Iterator[str]:
    """Return what was noted outside the file, and is not so in it."""
    known = None if db.path == ":memory:" else last_seen.seen(db.path)
    if known is None:
        return
    day = last_seen.day(known.at)
    accept = "if it is meant so, `cogmem doctor --accept`; otherwise `cogmem file restore`"
    if known.lost:
        yield last_seen.loss(known)
    if not known.seal:
        return
    number = newest(db)[0]
    if known.announced and _holds(db, *known.announced):
        return
    if number < known.seal:
        yield (
            f"this is an older state, or another memory: on {day} it had {known.changes} changes, "
            f"and has {newest(db)[1]} now: {accept}"
        )
    elif not _holds(db, known.seal, known.digest):
        yield f"the history was written anew since {day}, or an older copy went on in its place: {accept}"


def copies(db: Database) -> Iterator[str]:
    """Copies of this memory that were written to since, so that neither has all."""
    from shlex import quote

    known = None if db.path == ":memory:" else last_seen.seen(db.path)
    others = [other for other in parted(db) if not (known and other in known.apart)]
    if len(others) > FEW:
        yield f"{len(others)} copies of this memory hold what it lacks; `cogmem doctor --accept` if you keep them all"
    else:
        for other in others:
            yield (
                f"{other} is a copy of this memory and holds what this one lacks: keep one of them"
                f" (`cogmem --db {quote(other)} file export` and `cogmem file import` bring it over), or keep both:"
                " `cogmem doctor --accept`"
            )


def parted(db: Database) -> list[str]:
    """Return the paths of copies of this memory that have changes which it lacks."""
    if db.path == ":memory:":
        return []
    known = last_seen.seen(db.path)
    began = (known.origin if known else "") or origin(db)
    copies = last_seen.copies(db.path, began)
    return [copy.path for copy in copies if not _holds(db, copy.seal, copy.digest)]


def _holds(db: Database, number: int, digest: str) -> bool:
    return db.read("seal.is_there", {"number": number, "digest": digest}) != [(0,)]
