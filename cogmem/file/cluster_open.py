"""Opens a memory on a cluster."""

from __future__ import annotations

from cogmem.file import making
from cogmem.file.cluster import Cluster
from cogmem.file.connection import BUSY_MS
from cogmem.file.rqlite import Address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.file.db import Database


def open_space(
    path: str, *, driver: str = "apsw", read_only: bool = False, patience_ms: int = BUSY_MS
) -> tuple[Database, list[str]]:
    """Open a memory on a cluster, making it when needed; also tell what was noticed."""
    db = Cluster(Address(path), driver=driver, read_only=read_only, busy_ms=patience_ms)
    try:
        making.look_over(db)
    except BaseException:
        db.close()
        raise
    db.is_laid_out = True
    return db, list(db.told)
