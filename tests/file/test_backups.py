"""Backups that cannot lose the last good state: tiers, a brake, no links, and a rehearsal."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW

from cogmem.errors import DatabaseProblem
from cogmem.file.backups import folder_of, kept, staying

if TYPE_CHECKING:
    import cogmem

FIRST = datetime(2026, 1, 1, 3, tzinfo=UTC)


def test_seven_days_four_weeks_and_twelve_months_stay() -> None:
    names: set[str] = set()
    for day in range(500):
        names.add((FIRST + timedelta(days=day)).strftime("%Y%m%dT%H%M%SZ.db"))
        names = staying(names, 7)
    last = FIRST + timedelta(days=499)
    assert {(last - timedelta(days=day)).strftime("%Y%m%dT%H%M%SZ.db") for day in range(7)} <= names
    assert len({name[:6] for name in names}) == 12
    assert 7 + 3 + 11 - 3 <= len(names) <= 7 + 4 + 12


def test_what_is_no_nightly_copy_is_nobodys_to_remove() -> None:
    assert staying({"mine.db", "20260101T000000Z-held.db"}, 7) == {
        "mine.db",
        "20260101T000000Z-held.db",
    }


def test_the_last_backup_before_a_loss_is_held(memory: cogmem.Memory) -> None:
    memory.store.set_setting("backups_kept", "1", now=NOW)
    for number in range(20):
        memory.learn(f"Heron {number} waits at lake {number * 7}.", key=f"k{number}", now=NOW)
    memory.nightly(now=NOW)
    for number in range(10):
        memory.remove(f"k{number}", now=NOW)
    for night in range(1, 4):
        memory.nightly(now=NOW + night * DAY)
    names = sorted(os.path.basename(name) for name in kept(memory.path))
    assert "20270115T080000Z-held.db" in names
    assert memory.file.rehearse(kept(memory.path)[-1]).counts["memory"] == 20


def test_a_link_in_the_place_of_the_folder_is_not_followed(
    memory: cogmem.Memory, tmp_path: object
) -> None:
    elsewhere = os.path.join(str(tmp_path), "elsewhere")
    os.mkdir(elsewhere)
    os.symlink(elsewhere, f"{memory.path}.backups")
    night = memory.nightly(now=NOW)
    assert os.listdir(elsewhere) == []
    assert "is a link" in repr(night.as_dict()) if hasattr(night, "as_dict") else True


def test_a_rehearsal_counts_what_comes_back_and_tells_of_damage(memory: cogmem.Memory) -> None:
    memory.learn("Herons wade.", now=NOW)
    made = memory.file.backup(now=NOW)
    done = memory.file.rehearse()
    assert (done.source, done.counts["memory"], done.problems) == (made, 1, [])
    with open(made, "r+b") as file:
        file.truncate(100_000)
    with pytest.raises(DatabaseProblem):
        memory.file.rehearse()


def test_the_nightly_copies_go_to_the_folder_that_a_person_named(
    memory: cogmem.Memory, tmp_path: Path
) -> None:
    disk = tmp_path / "other disk"
    disk.mkdir()
    memory.store.set_setting("backups_folder", str(disk), now=NOW)
    memory.learn("Herons wade.", now=NOW)
    memory.nightly(now=NOW)
    [made] = kept(memory.path)
    assert Path(made).is_relative_to(disk)
    assert not os.path.exists(f"{memory.path}.backups")
    assert memory.file.rehearse().counts["memory"] == 1
    with open(memory.path, "r+b") as file:
        file.truncate(5_000)  # from now on the file itself cannot say where they are
    assert kept(memory.path) == [made]
    memory.file.restore(now=NOW)


def test_two_memories_of_one_name_share_a_folder_and_no_copy(tmp_path: Path) -> None:
    homes = [str(tmp_path / name / "memory.db") for name in ("a", "b")]
    assert len({folder_of(home, str(tmp_path)) for home in homes}) == 2


def test_a_folder_that_is_gone_is_told_and_the_copy_lies_beside_the_file(
    memory: cogmem.Memory, tmp_path: Path
) -> None:
    memory.store.set_setting("backups_folder", str(tmp_path / "stick"), now=NOW)
    night = memory.nightly(now=NOW)
    assert "stick" in next(job.note for job in night.jobs if job.job == "95_back_up")
    assert [os.path.dirname(made) for made in kept(memory.path)] == [f"{memory.path}.backups"]
    assert any("stick" in line for line in memory.file.doctor().warnings)


def test_a_backup_into_a_folder_is_named_after_the_instant(
    memory: cogmem.Memory, tmp_path: Path
) -> None:
    disk = tmp_path / "other disk"
    disk.mkdir()
    made = memory.file.backup(disk, now=NOW)
    assert made == str(disk / f"{os.path.basename(memory.path)}.backup-20270115T080000Z")


def test_every_week_a_night_brings_a_backup_back_whatever_day_it_runs(
    memory: cogmem.Memory,
) -> None:
    notes = []
    for week in range(3):  # this machine is awake on Fridays
        night = memory.nightly(now=NOW + week * 7 * DAY)
        notes += [job.note for job in night.jobs if job.job == "95_back_up"]
    assert ["it comes back whole" in note for note in notes] == [False, True, True]


def test_the_first_night_leaves_the_rehearsal_to_the_next_sunday(memory: cogmem.Memory) -> None:
    sunday = NOW + 2 * DAY
    first, second = (
        memory.nightly(now=at, job="95_back_up").jobs[0].note for at in (sunday, sunday + 7 * DAY)
    )
    assert "rehearsed" not in first
    assert "it comes back whole" in second
