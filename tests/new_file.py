"""A new file is the same to the byte wherever one driver makes it, as tests/file/test_making.py proves: elsewhere it
is made once by each, and copied."""

from __future__ import annotations

import os
import tempfile

from cogmem.file import making
from cogmem.file.db import Database

_make = making._create
_made: dict[str, bytes] = {}


def copy_it() -> None:
    """From now on new files are copies, but for tests of the file itself."""
    making._create = _copied


def _copied(db: Database) -> None:
    is_asked_there = "/file/" in os.environ.get("PYTEST_CURRENT_TEST", "")
    if is_asked_there or db.path == ":memory:" or db.is_of_cluster or _has_bytes(db.path):
        _make(db)
        return
    if db.driver not in _made:
        with tempfile.TemporaryDirectory() as folder:
            new = Database(os.path.join(folder, "new.db"), driver=db.driver)
            _make(new)
            new.close()
            with open(new.path, "rb") as file:
                _made[db.driver] = file.read()
    with open(os.open(db.path, os.O_CREAT | os.O_RDWR, 0o600), "wb") as file:
        os.chmod(db.path, 0o600)
        file.write(_made[db.driver])
    db.ask("pragma user_version")  # from now on its log lies beside it


def _has_bytes(path: str) -> bool:
    return os.path.exists(path) and os.path.getsize(path) > 0
