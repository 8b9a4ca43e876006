"""The schedule: said before it is done, one entry per memory, and what others wrote stays as it was.

Modules: cli.night.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from planted import DAY, plant

import cogmem
from cogmem.errors import InvalidInput
from cogmem.night import schedule
from cogmem.tokens import counting

CRONTAB = """#!/bin/sh
# A crontab of one user, kept in a file.
file="$FAKE_HOME/crontab"
case "$1" in
  -l) if [ -f "$file" ]; then cat "$file"; else echo "no crontab for me" >&2; exit 1; fi ;;
  -)  cat > "$file" ;;
  *)  exit 2 ;;
esac
"""
SYSTEMCTL = """#!/bin/sh
# A user manager that remembers what it was told.
[ "$1" = --user ] || exit 3
shift
[ -f "$FAKE_HOME/down" ] && { echo "Failed to connect to bus" >&2; exit 1; }
echo "$@" >> "$FAKE_HOME/systemctl.log"
case "$1" in
  enable)  touch "$FAKE_HOME/enabled-$3" ;;
  disable) rm -f "$FAKE_HOME/enabled-$3" ;;
  is-enabled) if [ -f "$FAKE_HOME/enabled-$2" ]; then echo enabled; else echo disabled; exit 1; fi ;;
esac
"""
COGMEM = ["/opt/my tools/cogmem"]


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with real executables that stand in for crontab and systemctl."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in (("crontab", CRONTAB), ("systemctl", SYSTEMCTL)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    for tool in ("sh", "cat", "touch", "rm"):
        (programs / tool).symlink_to(f"/bin/{tool}")
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("FAKE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def test_a_plan_does_nothing_by_itself(machine: Path) -> None:
    for way in schedule.WAYS:
        told = schedule.plan("/data/a.db", way=way, cogmem=COGMEM).told()
        assert "/data/a.db" in told
        assert "nightly" in told
    assert not (machine / "crontab").exists()
    assert not (machine / "config").exists()
    assert schedule.status("/data/a.db") == {}


def test_a_crontab_line_joins_what_is_there_and_leaves_without_a_trace(machine: Path) -> None:
    other = "# mine\n0 5 * * * backup --all\n"
    (machine / "crontab").write_text(other)
    made = schedule.plan("/data/a.db", at="04:05", way="cron", cogmem=COGMEM)
    assert made.line.startswith("5 4 * * * '/opt/my tools/cogmem' --db /data/a.db nightly ")
    schedule.install(made)
    schedule.install(made)  # twice is once
    assert (machine / "crontab").read_text() == other + made.line + "\n"
    assert schedule.status("/data/a.db") == {"cron": made.line}
    assert schedule.status("/data/other.db") == {}
    assert schedule.remove("/data/a.db") == ["cron"]
    assert (machine / "crontab").read_text() == other
    assert schedule.remove("/data/a.db") == []


def test_each_memory_has_an_entry_of_its_own(machine: Path) -> None:
    for name in ("a", "b"):
        schedule.install(schedule.plan(f"/data/{name}.db", way="cron", cogmem=COGMEM))
    schedule.remove("/data/a.db")
    assert len((machine / "crontab").read_text().splitlines()) == 1
    assert "cron" in schedule.status("/data/b.db")


def test_a_user_timer_is_written_enabled_and_removed(machine: Path) -> None:
    made = schedule.plan("/data/a.db", at="02:30", cogmem=COGMEM)
    assert made.way == "systemd", "a user manager that answers is preferred"
    schedule.install(made)
    folder = machine / "config" / "systemd" / "user"
    timer = (folder / f"{made.name}.timer").read_text()
    assert "OnCalendar=*-*-* 02:30:00" in timer
    assert "Persistent=true" in timer
    service = (folder / f"{made.name}.service").read_text()
    assert 'ExecStart="/opt/my tools/cogmem" "--db" "/data/a.db" "nightly"' in service
    assert schedule.status("/data/a.db") == {"systemd": "enabled"}
    assert (machine / "systemctl.log").read_text().splitlines()[-3:-1] == [
        "daemon-reload",
        f"enable --now {made.name}.timer",
    ]
    assert schedule.remove("/data/a.db") == ["systemd"]
    assert list(folder.iterdir()) == []
    assert schedule.status("/data/a.db") == {}


def test_a_new_way_takes_the_place_of_the_old_one() -> None:
    schedule.install(schedule.plan("/data/a.db", way="cron", cogmem=COGMEM))
    schedule.install(schedule.plan("/data/a.db", way="systemd", cogmem=COGMEM))
    assert list(schedule.status("/data/a.db")) == ["systemd"]
    schedule.install(schedule.plan("/data/a.db", way="cron", cogmem=COGMEM))
    assert list(schedule.status("/data/a.db")) == ["cron"]


def test_without_a_user_manager_cron_is_chosen_and_without_both_it_is_said(machine: Path) -> None:
    (machine / "down").touch()
    assert schedule.found_way() == "cron"
    for name in ("crontab", "systemctl"):
        (machine / "bin" / name).unlink()
    with pytest.raises(schedule.ScheduleProblem, match="what this machine uses"):
        schedule.found_way()


def test_the_line_runs_in_a_shell_as_it_was_meant(machine: Path) -> None:
    """cron takes the backslash from \\% and hands the rest to sh: paths must arrive whole."""
    shown = machine / "shown"
    program = machine / "it's 100% cogmem"
    program.write_text(f'#!/bin/sh\nfor word in "$@"; do echo "$word" >> {shown}; done\n')
    program.chmod(0o755)
    path = str(machine / 'my $HOME & 50% "memory".db')
    made = schedule.plan(path, way="cron", cogmem=[str(program)])
    command = made.line.split(" ", 5)[5].replace("\\%", "%")
    assert "%" not in made.line.replace("\\%", "").partition("#")[0]
    subprocess.run(["/bin/sh", "-c", command], check=True)
    assert shown.read_text().splitlines() == ["--db", path, "nightly"]


def test_names_that_systemd_would_expand_are_quoted(machine: Path) -> None:
    made = schedule.plan(str(machine / 'a %h $x "q".db'), way="systemd", cogmem=COGMEM)
    service = next(text for name, text in made.files.items() if name.endswith(".service"))
    assert '/a %%h $$x \\"q\\".db"' in service


@pytest.mark.parametrize("at", ["", "3", "24:00", "12:60", "ab:cd", "-1:00", "1:2:3"])
def test_a_time_that_is_none_is_refused(at: str) -> None:
    with pytest.raises(InvalidInput):
        schedule.plan("/data/a.db", at=at, way="cron")


def test_what_cannot_be_scheduled_is_refused() -> None:
    with pytest.raises(InvalidInput, match="without a file"):
        schedule.plan(":memory:")
    with pytest.raises(InvalidInput, match="control"):
        schedule.plan("/data/a\nb.db")
    with pytest.raises(InvalidInput, match="not a way"):
        schedule.plan("/data/a.db", way="luck")


def test_a_crontab_that_refuses_is_told_and_nothing_is_lost(machine: Path) -> None:
    (machine / "bin" / "crontab").write_text("#!/bin/sh\necho 'you are not allowed' >&2\nexit 1\n")
    with pytest.raises(schedule.ScheduleProblem, match="not allowed"):
        schedule.install(schedule.plan("/data/a.db", way="cron"))


def test_the_program_is_absolute() -> None:
    assert os.path.isabs(schedule.program()[0])


# -- the commands ----------------------------------------------------------------------------------


def run(*words: str) -> tuple[int, str]:
    """A command of the night as the program would run it."""
    from cogmem.cli.app import app

    path, *asked = words
    part = [] if asked[0] == "nightly" else ["nightly"]
    done = CliRunner().invoke(app, ["--db", path, *part, *asked])
    return done.exit_code, done.output


def test_the_commands_show_first_and_act_with_yes(machine: Path) -> None:
    path = str(machine / "memory.db")
    with cogmem.open(path):
        pass
    code, said = run(path, "schedule", "install", "--with", "cron")
    assert (code, said.splitlines()[-1]) == (0, "Nothing was written: --yes does it.")
    assert not (machine / "crontab").exists()
    assert "No night is scheduled" in run(path, "schedule", "status")[1]
    assert run(path, "schedule", "install", "--with", "cron", "--yes")[1].endswith("Installed.\n")
    assert json.loads(run(path, "schedule", "status", "--json")[1])["scheduled"]["cron"]
    assert "Nothing was removed" in run(path, "schedule", "remove")[1]
    assert (machine / "crontab").read_text()
    assert "Removed." in run(path, "schedule", "remove", "--yes")[1]
    assert (machine / "crontab").read_text() == ""


def test_the_command_nightly_tells_what_was_done_and_fails_when_a_limit_stops_it(
    tmp_path: Path,
) -> None:
    path = str(tmp_path / "memory.db")
    with cogmem.open(path, counter=counting.Simple()) as memory:
        for n in range(30):
            plant(memory, f"old {n}", at=1_800_000_000_000 - 300 * DAY)
        memory.store.set_setting("archive_share", "1", now=1_800_000_000_000 - DAY)
    at = ("--now", "2027-01-15T08:00:00+00:00")
    code, said = run(path, "nightly", "--dry-run", *at)
    assert code == 0
    assert said.count("state: active → archived") == 30
    assert said.endswith("Nothing was changed: this was a dry run.\n")
    code, said = run(path, "nightly", "--job", "archive", *at)
    assert code == 0
    assert "30 archived" in said
    assert "cogmem log diff run_" in said
    code, said = run(path, "nightly", "--json", "--now", "2040-01-01")
    assert code == 1
    assert {report["outcome"] for report in json.loads(said)["jobs"]} == {"stopped"}
