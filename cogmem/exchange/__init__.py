"""What leaves the file and comes back: JSON lines, CSV, backups and copies for one scope."""

from __future__ import annotations

from cogmem.exchange.copies import Replaced, backup, backups, copy_for, restore_backup, verify
from cogmem.exchange.intake import Imported
from cogmem.exchange.inward import import_lines
from cogmem.exchange.outward import export_lines
from cogmem.exchange.sheet import export_csv, import_csv

__all__ = [
    "Imported",
    "Replaced",
    "backup",
    "backups",
    "copy_for",
    "export_csv",
    "export_lines",
    "import_csv",
    "import_lines",
    "restore_backup",
    "verify",
]
