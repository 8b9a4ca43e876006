"""Commands for the file itself: is it sound, and copies of it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from shell import asked

if TYPE_CHECKING:
    from shell import Run


# -- the file ------------------------------------------------------------------------------------


def test_backups_are_made_and_come_back(run: Run) -> None:
    asked(run, "learn", "First.")
    made = asked(run, "file", "backup")["path"]
    asked(run, "learn", "Second.")
    done = asked(run, "file", "restore")
    assert done["source"] == made
    assert [row["content"] for row in asked(run, "list")] == ["First."]
    assert len(asked(run, "--db", done["kept_as"], "list")) == 2
    assert asked(run, "doctor")["backups"] == [made]
    assert f"\nbackup: {made}\n" in run("doctor").stdout


def test_what_shows_every_user_is_refused_to_one(run: Run) -> None:
    asked(run, "learn", "Ann's quetzal.", "--user", "ann")
    for words in (["sql", "select content from memory"], ["file", "backup"]):
        refused = run("--user", "bob", *words)
        assert refused.exit_code != 0
        assert "quetzal" not in refused.output
        assert "leave --user out" in refused.output
        assert run(*words).exit_code == 0


def test_a_file_whose_header_went_comes_back_as_its_message_says(run: Run, path: str) -> None:
    asked(run, "learn", "First.")
    asked(run, "file", "backup")
    with open(path, "r+b") as file:
        file.write(bytes(100))
    told = run("list")
    assert told.exit_code == 1
    assert "`cogmem file restore` brings back the latest backup" in told.output
    assert run("file", "restore").exit_code == 0
    assert [row["content"] for row in asked(run, "list")] == ["First."]


def test_a_memory_with_a_broken_header_is_damaged_wherever_it_lies(run: Run, path: str) -> None:
    asked(run, "learn", "First.")
    moved = path + ".moved.db"
    os.rename(path, moved)
    with open(moved, "r+b") as file:
        file.seek(20)
        file.write(b"garbage")
    for words in (["list"], ["file", "check"], ["doctor"]):
        told = run("--db", moved, *words)
        assert told.exit_code == 1
        assert "is damaged (SQLite cannot read it): nothing was changed." in told.output
    salvaged = run("--db", moved, "file", "salvage", path)
    assert "memory " in salvaged.stdout
    assert [row["content"] for row in asked(run, "list")] == ["First."]
    assert "set-aside" in run("--db", moved, "doctor", "--set-aside").stdout


def test_check_and_doctor_say_what_is_wrong_and_leave_with_one(run: Run, path: str) -> None:
    asked(run, "learn", "First.")
    assert run("file", "check").stdout == "sound\n"
    assert run("doctor").stdout.endswith("\nsound\n")
    assert asked(run, "file", "check") == []
    asked(run, "file", "rebuild")
    os.chmod(path, 0o644)
    assert "warning: " in run("doctor").stdout
    damage = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('drop trigger fact_bu_history')"
    subprocess.run([sys.executable, "-c", damage, path], check=True)
    (problem,) = asked(run, "file", "check", code=1)
    assert "trigger fact_bu_history is missing" in problem
    assert "problem: trigger fact_bu_history is missing" in run("doctor").stdout
    asked(run, "file", "rebuild")
    assert asked(run, "file", "check") == []


# -- help ----------------------------------------------------------------------------------------


def test_the_doctor_tells_of_nights_and_of_room_on_the_disk(run: Run) -> None:
    asked(run, "learn", "First.")
    report = asked(run, "doctor")
    assert report["last_night_at"] is None
    assert report["disk_free"] > 0
    assert any("no night is scheduled" in warning for warning in report["warnings"])
    asked(run, "nightly")
    report = asked(run, "doctor")
    assert report["last_night_at"]
    assert not report["warnings"]
