"""Names the present schema/derived: `make derived` writes what this module computes to its VERSION, and below it how
many triggers schema/ makes, without those of its views for people.

A file that was built by another version is rebuilt when it is opened, so a change in schema/derived
that kept the old name would never reach anyone. A test compares the two.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

SCHEMA = Path(__file__).resolve().parents[2] / "schema"
DERIVED = SCHEMA / "derived"
VIEWS = SCHEMA / "views"


def derived_version() -> str:
    """The first 8 hex digits of SHA-256 over the names and the bytes of the files and of what they share."""
    digest = hashlib.sha256()
    for file in (
        SCHEMA / "predicates.sql",
        *sorted(DERIVED.glob("*.sql")),
        *sorted(VIEWS.glob("*.sql")),
    ):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:8]


def noted() -> str:
    """What VERSION holds."""
    triggers = sum(
        file.read_text().count("create trigger ")
        for folder in (SCHEMA / "tables", DERIVED)
        for file in folder.glob("*.sql")
    )
    return f"{derived_version()}\n{triggers}\n"


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        (DERIVED / "VERSION").write_text(noted())
    else:
        sys.stdout.write(noted())
