"""Which of some memories are in doubt, since what they depend on is over, and the words that say so."""

from __future__ import annotations

from cogmem.records import json_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.file.db import Database


def marks(db: Database, uids: Sequence[str], now: int) -> dict[str, str]:
    """What is said beside each of these that is in doubt: "check: heron was replaced on 4 May"."""
    if not uids or not db.kept("is anything in doubt", _is_any, of_history=True):
        return {}
    from cogmem.language.doubt import mark

    rows = db.read("memories.doubts", {"refs": json_list(uids), "now": now})
    return {uid: mark(over, newer, ended, now) for uid, over, newer, ended in rows}


def _is_any(db: Database) -> bool:
    return bool(db.read("memories.is_anything_in_doubt")[0][0])
