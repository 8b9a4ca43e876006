"""Files of a folder that only those read who have the key: each line is encrypted (Fernet, of `cryptography`)."""

from __future__ import annotations

import base64
import os

from cogmem.errors import InvalidInput, install_command
from cogmem.sync.well_formed import Misshapen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEY = "COGMEM_SYNC_KEY"


def new_key() -> str:
    """Return a key for a folder, to be carried to each machine by hand."""
    return base64.urlsafe_b64encode(os.urandom(32)).decode()


class Cipher:
    """How the lines of a folder's files are written: encrypted with a key, or plain without one."""

    def __init__(self, key: str = "") -> None:
        self.is_on = bool(key)
        self.ending = "encrypted" if key else "acts"
        self.why_not = (
            f"it is not encrypted, and {KEY} is set"
            if key
            else f"it is encrypted: put its key into {KEY}"
        )
        self._with: Any = None
        if key:
            try:
                from cryptography.fernet import Fernet
            except ImportError:
                raise InvalidInput(
                    f"{KEY} is set, and nothing is here to encrypt with: {install_command('encrypt')}"
                ) from None
            try:
                self._with = Fernet(key)
            except ValueError:
                raise InvalidInput(f"{KEY} is no key: `cogmem sync --new-key` makes one") from None

    def reading(self, name: str) -> Cipher:
        """Return what a file of one's own is read with: it may be older than the key."""
        return self if name.endswith(f".{self.ending}") or not self.is_on else Cipher()

    def closed(self, line: bytes) -> bytes:
        """Return a line as it is written."""
        return line if self._with is None else bytes(self._with.encrypt(line))

    def opened(self, line: bytes) -> bytes:
        """Return a line as it was said."""
        if self._with is None:
            return line
        from cryptography.fernet import InvalidToken

        try:
            return bytes(self._with.decrypt(line))
        except (InvalidToken, TypeError, ValueError):
            raise Misshapen("it was encrypted with another key, or changed") from None
