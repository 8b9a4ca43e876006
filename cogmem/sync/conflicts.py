"""What a person has to settle after files met: keys that two memories claimed, and texts overwritten unseen."""

from __future__ import annotations

from cogmem.records import Record, most_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope


class Overwritten(Record):
    """A text that another writer replaced who had not seen it: both texts, their writers and the act."""

    uid: str
    lost: str
    kept: str
    lost_by: str
    kept_by: str
    act: str


def waiting(db: Database) -> int:
    """Tell how many contradictions, keys and texts wait for a look."""
    return int(db.read("sync.waiting")[0][0])


def overwritten(db: Database, scope: Scope, *, limit: int = 100) -> list[Overwritten]:
    """Texts that another writer replaced who had not seen them, the newest first; both are in the history."""
    rows = db.rows("sync.overwritten", {**scope.viewer(), "limit": most_rows(limit)})
    return [Overwritten(**row) for row in rows]


def unkeyed(db: Database, scope: Scope) -> list[dict[str, Any]]:
    """Return memories whose key another one has, which claimed it later."""
    return db.rows("sync.unkeyed", scope.viewer())
