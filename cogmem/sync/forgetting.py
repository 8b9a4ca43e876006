"""What was forgotten in one file is forgotten in all of them, and never comes back.

A receipt names the memory that is gone, never what it said: another file that has it forgets it by its own words.
Words that a person named travel as their length and a digest, and each file looks for them in its own texts.
"""

from __future__ import annotations

from cogmem.store.erase import Receipt
from cogmem.store.forget import follow, words_of
from cogmem.text.cell import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope

    Told = dict[str, Any]  # one receipt as it travels

AT_ONCE = 500


def receipts(db: Database, after: int) -> tuple[list[Told], int]:
    """Return the next receipts after this number, and how far that goes."""
    found: list[Told] = []
    for number, uid, actor, at, words in db.read(
        "sync.receipts", {"after": after, "size": AT_ONCE}
    ):
        after = number
        if uid.startswith("mem_") or words != "[]":  # a message has its number in this file only
            # Why is said at home: the others need to know that, and not more.
            found.append({"uid": uid, "actor": actor, "at": at, "words": listed(words)})
    return found, after


def forget_too(db: Database, told: Iterable[Told], scope: Scope) -> tuple[int, int]:
    """Forget here what others forgot. Returns how much of it was new, and how many memories went with it."""
    known = {uid for (uid,) in db.read("sync.forgotten")}
    groups: dict[tuple[str, int, str], list[Told]] = {}
    for one in told:
        if one["uid"] not in known:
            known.add(one["uid"])
            group = (one["actor"], one["at"], repr(one["words"]))
            groups.setdefault(group, []).append(one)
    if not groups:
        return 0, 0
    made: list[Receipt] = []
    words: list[list[str]] = []
    for (actor, at, _), ones in groups.items():
        receipt = Receipt(
            [one["uid"] for one in ones], actor=actor, reason="forgotten elsewhere", at=at
        )
        receipt.words = ones[0]["words"]
        made.append(receipt)
        words.append(words_of(db, receipt.words))
    follow(db, made, words, scope)
    return sum(map(len, groups.values())), sum(len(receipt.uids) for receipt in made)
