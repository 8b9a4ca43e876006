"""What `cogmem doctor` tells of a file: figures, and whether it lies where a database is safe."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import cogmem
from cogmem.file import check, layout
from cogmem.tokens import counting

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_800_000_000_000


@pytest.fixture
def path(path: str) -> str:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Deploys need a green build.", kind="policy", now=NOW)
    return path


def test_doctor_tells_figures_and_finds_nothing_wrong(path: str) -> None:
    with cogmem.open(path) as mem:
        backup = mem.file.backup()
        report = mem.file.doctor(now=NOW)
    assert report.problems == []
    assert report.warnings == []
    assert report.size == report.pages * layout.PAGE_SIZE
    assert report.journal_mode == "wal"
    assert report.schema_version == report.known_schema_version
    assert report.backups == [backup]
    assert not report.wal_reset_fault


@pytest.mark.parametrize(
    ("folder", "cloud"),
    [
        ("Dropbox", "Dropbox"),
        ("Dropbox (Acme)", "Dropbox"),
        ("OneDrive - Acme", "OneDrive"),
        ("Library/Mobile Documents", "iCloud"),
        ("Google Drive", "Google Drive"),
        ("Library/CloudStorage/GoogleDrive-me", "Google Drive"),
        ("Nextcloud", "Nextcloud"),
    ],
)
def test_folders_that_a_cloud_syncs_are_warned_of(tmp_path: Path, folder: str, cloud: str) -> None:
    place = tmp_path / folder / "notes"
    place.mkdir(parents=True)
    (warning,) = check.place_warnings(str(place / "memory.db"), mounts=os.devnull)
    assert f"synced by {cloud}" in warning


def test_a_folder_of_syncthing_is_known_by_its_mark(tmp_path: Path) -> None:
    (tmp_path / ".stfolder").mkdir()
    (warning,) = check.place_warnings(str(tmp_path / "memory.db"), mounts=os.devnull)
    assert "synced by Syncthing" in warning


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "9p", "fuse.sshfs"])
def test_network_file_systems_are_warned_of(tmp_path: Path, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda1 / ext4 rw 0 0\nserver:/home {tmp_path} {kind} rw 0 0\n")
    (warning,) = check.place_warnings(str(tmp_path / "memory.db"), mounts=str(mounts))
    assert f"is a {kind} file system" in warning


def test_a_local_disk_is_not_warned_of(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"server:/x /mnt nfs4 rw 0 0\n/dev/sda1 {tmp_path} ext4 rw 0 0\n")
    assert list(check.place_warnings(str(tmp_path / "memory.db"), mounts=str(mounts))) == []
