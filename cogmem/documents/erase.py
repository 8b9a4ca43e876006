"""Take the files of forgotten memories away for good.

A saved memory that was forgotten would come back with the next sync if its file stayed. This is the
one place that destroys such a file, its copies in the archive and its line in the index.
"""

from __future__ import annotations

import os
from contextlib import suppress

from cogmem.documents.saved import ARCHIVE, SavedMemories, is_in_a_store
from cogmem.errors import CogmemError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cogmem.file.db import Database


def mirrors(db: Database) -> dict[str, str]:
    """Return every file that mirrors a saved memory, with the memory's uid: asked before it is forgotten."""
    return dict(db.read("documents.all_mirrors"))


def erase(paths: Iterable[str]) -> list[str]:
    """Remove these files; returns all that went. What cannot be removed stays and is not returned.

    The paths come from rows, and rows may come from a stranger's export: a path that no store of
    saved memories would use is left alone.
    """
    gone: list[str] = []
    for path in filter(is_in_a_store, paths):
        folder, name = os.path.split(path)
        copies = [path]
        with suppress(OSError):
            archive = os.path.join(folder, ARCHIVE)
            start = f"{name.removesuffix('.md')}~"
            copies += [
                os.path.join(archive, one) for one in os.listdir(archive) if one.startswith(start)
            ]
        for copy in copies:
            with suppress(OSError):
                os.unlink(copy)
                gone.append(copy)
        with suppress(CogmemError, OSError):
            SavedMemories(folder, 0).reindex()
    return gone
