"""What wants a person after files met: keys that two memories claimed, and texts that were written over unseen."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope


def waiting(db: Database) -> int:
    """How many contradictions, keys and texts wait for a look."""
    return int(db.read("sync.waiting")[0][0])


def overwritten(db: Database, scope: Scope, *, limit: int = 100) -> list[dict[str, Any]]:
    """Texts that another writer replaced who had not seen them, the newest first; both are in the history."""
    return db.rows("sync.overwritten", {**scope.viewer(), "limit": limit if limit > 0 else -1})


def unkeyed(db: Database, scope: Scope) -> list[dict[str, Any]]:
    """Memories whose key another one has, which claimed it later."""
    return db.rows("sync.unkeyed", scope.viewer())
