"""Writes a file that only its owner may read, whole or not at all.

The draft beside it is made anew: a link that waits under its name is never written through.
"""

from __future__ import annotations

import os
from contextlib import suppress


def write_private(path: str, text: str) -> None:
    """Put a text in the place of a file, in a folder that is made if it is missing."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    draft = f"{path}.{os.getpid()}.tmp"
    with suppress(FileNotFoundError):  # of a process of that number that was killed
        os.unlink(draft)
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
