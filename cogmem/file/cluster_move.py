"""A memory as a whole goes onto a cluster, and off it: as the file that it is."""

from __future__ import annotations

import os

from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.file import cluster_open, migrate
from cogmem.file.cluster import WRITE_S, Cluster
from cogmem.file.cluster_copy import load, take_away

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Database


def onto(
    file: str, address: str, *, driver: str = "apsw", replaces: bool = False
) -> dict[str, Any]:
    """Put the memory of a file onto a cluster that holds none, or with `replaces` in the place of what it holds."""
    source, _ = migrate.open_space(file, driver=driver)
    draft = ""
    try:
        target, _ = cluster_open.open_space(address, driver=driver)
        assert isinstance(target, Cluster)
        try:
            if target.is_cut_off:
                raise DatabaseProblem(f"{target.address.shown} does not answer: try again")
            if not replaces and target.ask("select exists (select 1 from change)") == [(1,)]:
                raise InvalidInput(
                    f"{target.address.shown} holds a memory already: --replace puts this one in its place"
                )
            draft = f"{target.path}.moved"
            take_away(draft)
            migrate.copy_to(source, draft)
            target.hold(WRITE_S)
            [(at, uid)] = target.ask("select at, uid from cluster")
            size = load(target.link, draft, uid, at + 1, target.driver)
            target.fetch_whole()
            return {
                "address": target.address.shown,
                "bytes": size,
                "problems": _differ(source, target),
            }
        finally:
            target.close()
    finally:
        source.close()
        if draft:
            take_away(draft)


def off(address: str, file: str, *, driver: str = "apsw") -> dict[str, Any]:
    """Make a file of the memory on a cluster, which goes on holding it."""
    if os.path.lexists(file):
        raise InvalidInput(f"{file} is there already: name a file that is not")
    source, _ = cluster_open.open_space(address, driver=driver)
    assert isinstance(source, Cluster)
    try:
        if source.is_cut_off:
            raise DatabaseProblem(f"{source.address.shown} does not answer: try again")
        source.send_turns()
        migrate.copy_to(source, file)
        target, _ = migrate.open_space(file, driver=driver)
        try:
            return {
                "file": file,
                "bytes": os.path.getsize(file),
                "problems": _differ(source, target),
            }
        finally:
            target.close()
    finally:
        source.close()


def _differ(one: Database, other: Database) -> list[str]:
    """Tables whose rows are not the same in both."""
    from cogmem.file.digest import of_tables

    ours, theirs = of_tables(one), of_tables(other)
    return [
        f"table {name} differs"
        for name in sorted({*ours, *theirs})
        if ours.get(name) != theirs.get(name)
    ]
