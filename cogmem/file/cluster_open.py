"""Opens a memory on a cluster, and brings a cluster of an older schema up to date."""

from __future__ import annotations

import os

from cogmem.errors import ReadOnly
from cogmem.file import migrate
from cogmem.file.cluster import Cluster
from cogmem.file.cluster_copy import load, take_away
from cogmem.file.cluster_nodes import WRITE_S
from cogmem.file.connection import BUSY_MS
from cogmem.file.rqlite import Address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.file.db import Database


def open_space(
    path: str, *, driver: str = "apsw", read_only: bool = False, patience_ms: int = BUSY_MS
) -> tuple[Database, list[str]]:
    """Open a memory on a cluster, making or upgrading it when needed; also tell what was noticed."""
    db = Cluster(Address(path), driver=driver, read_only=read_only, busy_ms=patience_ms)
    notices = list(db.told)
    try:
        if not db.is_cut_off:
            _upgrade(db, notices)
        migrate.bring_up_to_date(db, notices)
    except BaseException:
        db.close()
        raise
    db.is_laid_out = True
    return db, notices


def _upgrade(db: Cluster, notices: list[str]) -> None:
    """Bring a cluster of an older schema up to date: as a file, which then takes the place of all it holds."""
    if _version(db) >= migrate.SCHEMA_VERSION:
        return
    if db.read_only:
        raise ReadOnly(
            f"{db.address.shown} has an older schema: open it once for writing to upgrade it"
        )
    db.hold(WRITE_S)
    try:
        if _version(db) < migrate.SCHEMA_VERSION:
            _replace_all(db, notices)
    finally:
        db.release()
    db.fetch_whole()


def _version(db: Cluster) -> int:
    return int(db.ask("pragma user_version")[0][0])


def _replace_all(cluster: Cluster, notices: list[str]) -> None:
    """Upgrade all that a cluster holds, as a file; the file from before stays on this machine."""
    draft = f"{cluster.path}.upgraded"
    take_away(draft)
    try:
        migrate.copy_to(cluster, draft)
        plain, told = migrate.open_space(draft, driver=cluster.driver)
        plain.close()
        notices += [said for said in told if "was upgraded" not in said]
        [(at, uid)] = cluster.ask("select at, uid from cluster")
        load(cluster.link, draft, uid, at + 1, cluster.driver)
        before = f"{cluster.path}.before-schema-{migrate.SCHEMA_VERSION}"
        os.replace(f"{draft}.before-schema-{migrate.SCHEMA_VERSION}", before)
        notices.append(
            f"{cluster.address.shown} was upgraded to schema {migrate.SCHEMA_VERSION}; before it: {before}"
        )
    finally:
        take_away(draft)
