"""Digests of all that a memory holds, by table: two files, or a file and a cluster, hold the same or they do not."""

from __future__ import annotations

from hashlib import blake2b

from cogmem.file import sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.file.db import Database

_TABLES = (
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'cluster%'"
    " and sql not like 'create virtual%' and name not like '%\\_fts%' escape '\\' order by name"
)


def of_tables(db: Database) -> dict[str, str]:
    """Return the digest of each table, whatever the order of its rows; search indexes follow from them."""
    found = {}
    for (name,) in db.ask(_TABLES):
        total = 0
        for row in db.ask(f"select * from {sql.quoted(name)}"):
            one = blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=16)
            total = (total + int.from_bytes(one.digest(), "big")) % (1 << 128)
        found[name] = f"{total:032x}"
    return found
