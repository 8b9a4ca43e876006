"""What was forgotten goes from the backups of a file too, which would bring it back: at night, and when files meet.

A backup holds the receipts of its time, so what it lacks is forgotten in it as it was here: the same memories, the
same words in the same sight. It is written anew beside itself, proved, and then takes its own place.
"""

from __future__ import annotations

import glob
import os
from contextlib import suppress
from itertools import groupby

from cogmem.errors import CogmemError, Damaged
from cogmem.file import backups, making
from cogmem.file.db import Database
from cogmem.file.private import take_away, take_away_abandoned
from cogmem.scope import Scope
from cogmem.store.erase import EVERYTHING, Receipt, as_json, erase
from cogmem.store.forget import of_user, scrub, words_of
from cogmem.text.cell import listed, mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Row = tuple[Any, ...]  # of "forget.to_follow"

ABANDONED_S = 600  # after that a draft belongs to a process that was killed


def forget_in_copies(db: Database, *, now: int) -> list[str]:
    """Wipe what was forgotten here and in each backup; returns the files that may still hold some of it."""
    left = [] if scrub(db, now=now) else [db.path]
    if db.path == ":memory:" or not db.read("forget.is_in_copies")[0][0]:
        return left
    all_of_it = db.read("forget.to_follow")
    waiting = [path for path in backups.made(db.path) if not _is_done(db, path, all_of_it, now)]
    if not waiting:
        db.write([("forget.gone_from_copies", {"now": now})], verb="forget", at=now)
    return left + waiting


def _is_done(db: Database, path: str, all_of_it: list[Row], now: int) -> bool:
    draft = f"{path}.partial-{os.getpid()}"
    try:
        copy = Database(path, driver=db.driver, read_only=True)
        try:
            known = {(uid, at) for uid, _, _, at, *_ in copy.read("forget.to_follow")}
            lacking = [row for row in all_of_it if (row[0], row[3]) not in known]
            if not lacking:
                return True
            take_away_abandoned(glob.escape(path), ABANDONED_S)
            making.copy_to(copy, draft)
        finally:
            copy.close()
        _forget(db, draft, lacking, now)
        its = os.stat(path)
        os.utime(draft, ns=(its.st_atime_ns, its.st_mtime_ns))
        os.replace(draft, path)
    except (CogmemError, OSError):
        return False
    finally:
        take_away(draft)
    for ending in ("-wal", "-shm"):  # of one that was set aside with its log, which is in the copy
        with suppress(FileNotFoundError):
            os.unlink(path + ending)
    return True


def _forget(db: Database, draft: str, lacking: list[Row], now: int) -> None:
    copy = Database(draft, driver=db.driver)
    try:
        for (actor, reason, at, words, sight, is_message), rows in groupby(
            sorted(lacking, key=_group), key=_group
        ):
            receipt = Receipt(actor=actor, reason=reason, at=at)
            receipt.words = listed(words)
            names = [row[0] for row in rows]
            messages = [int(name[4:]) for name in names if is_message and name[4:].isdigit()]
            scope = Scope(**mapped(sight))
            found = words_of(copy, receipt.words)
            if not is_message:
                holding = {**scope.viewer(), "phrases": as_json(found)}
                held = [row[0] for row in copy.read("forget.holding", holding)] if found else []
                alive = {row[0] for row in db.read("forget.alive", {"uids": as_json(held)})}
                names += [uid for uid in held if uid not in names and uid not in alive]
                receipt.uids = names
            everything = EVERYTHING in names
            if everything:
                names = [name for name in names if name != EVERYTHING]
                receipt.uids = [*dict.fromkeys([*names, *of_user(copy, scope.user)])]
            with copy.together():
                erase(
                    copy, receipt, messages, found, scope, must_exist=False, everything=everything
                )
                for name in set(names) - {*receipt.uids}:  # what it never had
                    row = {"uid": name, "removed": "{}", "now": at, "words": words, "sight": sight}
                    proof = {**row, "actor": actor, "reason": reason}
                    copy.write([("forget.receipt", proof)], verb="forget", at=at)
        if not scrub(copy, now=now):
            raise Damaged(f"{draft} could not be wiped")
        if copy.ask("pragma integrity_check(1)")[0][0] != "ok":
            raise Damaged(f"{draft} is damaged")
    finally:
        copy.close()


def _group(row: Row) -> tuple[Any, ...]:
    uid, actor, reason, at, words, sight = row
    return actor, reason, at, words, sight, uid.startswith("msg_")
