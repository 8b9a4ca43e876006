"""Where a memory lies, and what of its address may be shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from cogmem.errors import InvalidInput
from cogmem.file import places
from cogmem.hosts.install import install
from cogmem.night.schedule import plan

SECRET = "rqlites://ada:s3cret@db1:4001,db2:4001"


def test_an_address_with_a_password_is_not_written_into_files_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for write in (lambda: install("claude-code", SECRET), lambda: plan(SECRET, way="cron")):
        with pytest.raises(InvalidInput, match="COGMEM_RQLITE_PASSWORD") as told:
            write()
        assert "s3cret" not in str(told.value)
    assert list(tmp_path.iterdir()) == []
    assert "rqlites://ada@db1:4001" in plan("rqlites://ada@db1:4001", way="cron").line


def test_what_is_shown_of_an_address_has_no_password() -> None:
    assert places.shown(SECRET) == "rqlites://ada@db1:4001,db2:4001"
    assert places.shown("rqlite://db1:4001") == "rqlite://db1:4001"
    assert places.shown("/home/ada:s/a@b.db") == "/home/ada:s/a@b.db"


@pytest.mark.parametrize(
    ("named", "is_told"),
    [("memory.db", True), ("/m/memory.db", False), ("~/m.db", False), ("rqlite://db1:4001", False)],
)
def test_a_default_that_names_another_file_in_every_folder_is_told(
    monkeypatch: pytest.MonkeyPatch, named: str, is_told: bool
) -> None:
    monkeypatch.setenv("COGMEM_DB", named)
    assert bool(places.relative_default()) == is_told
