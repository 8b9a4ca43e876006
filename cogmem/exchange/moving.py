"""Moves a whole memory onto a cluster, or off it: the file itself travels."""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from hashlib import blake2b

from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.file import cluster, making, sql
from cogmem.file.cluster import Cluster
from cogmem.file.cluster_copy import load
from cogmem.file.cluster_nodes import WRITE_S
from cogmem.file.places import is_address
from cogmem.file.private import take_away

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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


_IS_USED = "select exists (select 1 from change) or exists (select 1 from message)"


def moved(source: str, target: str, *, replaces: bool = False) -> dict[str, Any]:
    """Put the memory of a file onto a cluster, or make a file of the memory on a cluster; both are compared."""
    if is_address(source) and is_address(target):
        raise InvalidInput("from one cluster to another it goes by a file: move it twice")
    if is_address(target):
        done = _onto(os.path.expanduser(source), target, replaces)
    elif is_address(source):
        done = _off(source, os.path.expanduser(target))
    else:
        raise InvalidInput("one of the two must be the address of a cluster, rqlite://host:port")
    if done.pop("differ"):
        raise DatabaseProblem(
            f"{done['to']} does not hold what {done['from']} holds: somebody wrote meanwhile; move it again"
        )
    return done


def _onto(file: str, address: str, replaces: bool) -> dict[str, Any]:
    if not os.path.exists(file):
        raise InvalidInput(f"there is no memory at {file}")
    with ExitStack() as left:
        source = left.enter_context(closing(making.open_space(file)[0]))
        target = left.enter_context(closing(_reached(address)))
        draft = f"{target.path}.moved"
        left.callback(take_away, draft)
        left.callback(target.release)
        if not replaces and target.ask(_IS_USED) == [(1,)]:
            raise InvalidInput(
                f"{target.address.shown} holds a memory already: --replace puts this one in its place"
            )
        take_away(draft)
        making.copy_to(source, draft)
        target.hold(WRITE_S)  # nobody else writes until the whole is there, which nobody holds
        [(at, uid)] = target.ask("select at, uid from cluster")
        size = load(target.link, draft, uid, at + 1)
        target.is_held = False  # what the nodes hold was replaced
        target.fetch_whole()
        return _compared(source, target, file, target.address.shown, size)


def _off(address: str, file: str) -> dict[str, Any]:
    """Copy a cluster's memory into a new file; the cluster goes on holding it."""
    if os.path.lexists(file):
        raise InvalidInput(f"{file} exists: name a new file")
    with closing(_reached(address)) as source:
        source.send_turns()
        making.copy_to(source, file)
        with closing(making.open_space(file)[0]) as target:
            size = os.path.getsize(file)
            return _compared(source, target, source.address.shown, file, size)


def _reached(address: str) -> Cluster:
    db, _ = cluster.open_space(address)
    assert isinstance(db, Cluster)
    try:
        if db.is_cut_off:  # an election, perhaps: to open it waits for no longer than a turn may
            db.catch_up(WRITE_S)
    except BaseException:
        db.close()
        raise
    return db


def _compared(
    source: Database, target: Database, began: str, ended: str, size: int
) -> dict[str, Any]:
    ours, theirs = of_tables(source), of_tables(target)
    counts = {"bytes": size, "tables": len(ours), "differ": ours != theirs}
    return {"from": began, "to": ended, **counts}
