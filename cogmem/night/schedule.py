"""Has the machine run `cogmem nightly`: a systemd user timer, or a line of the user's crontab.

A plan says first, word for word, what would be written and run; nothing happens before `install` is
called with it. Each memory file has its own entry, marked with its path, so that others stay as they
are. A missed night needs no second entry: the next one catches up, and the timer is persistent.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys

from cogmem.errors import CogmemError, InvalidInput
from cogmem.file import places
from cogmem.records import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MARK = "# cogmem nightly:"
WAIT = 30  # seconds that crontab or systemctl may take
WAYS = ("systemd", "cron")


class ScheduleProblem(CogmemError):
    """crontab or systemctl is not there, or refused."""


class Plan(Report):
    """What would be written and run: `files` by path, the crontab `line`, and the `commands`."""

    way: str
    path: str
    name: str
    line: str
    files: dict[str, str]
    commands: list[list[str]]

    def told(self) -> str:
        """Return the plan for a person to read."""
        if self.way == "cron":
            return f"This line goes into your crontab (crontab -e shows it):\n{self.line}\n"
        parts = [f"{path}:\n{text}" for path, text in self.files.items()]
        parts += [f"then: {shlex.join(command)}\n" for command in self.commands]
        return "\n".join(parts)


def plan(
    path: str, *, at: str = "03:17", way: str | None = None, cogmem: Sequence[str] | None = None
) -> Plan:
    """Tell how a memory's nights would be scheduled, every day at a local time of HH:MM."""
    hour, minute = _time_of_day(at)
    path = places.without_password(_whole(path))
    way = way or found_way()
    if way not in WAYS:
        raise InvalidInput(f"{way!r} is not a way to schedule: use {' or '.join(WAYS)}")
    command = [*(cogmem or program()), "--db", path, "nightly"]
    made = Plan(way, path, _name(path))
    if way == "cron":
        # In a crontab % ends the command; the shell never sees the backslash.
        told = shlex.join(command)
        log = shlex.quote(f"{places.beside(path)}.nightly.log")  # what it did, no content
        run = f"{told} >>{log} 2>&1".replace("%", "\\%")
        made.line = f"{minute} {hour} * * * {run} {MARK} {path}"
        return made
    folder = _unit_folder()
    start = " ".join(_unit_quoted(part) for part in command)
    made.files = {
        os.path.join(folder, f"{made.name}.service"): (
            f"{MARK} {path}\n[Unit]\nDescription=cogmem: the night of a memory\n\n"
            f"[Service]\nType=oneshot\nNice=10\nExecStart={start}\n"
        ),
        os.path.join(folder, f"{made.name}.timer"): (
            f"{MARK} {path}\n[Unit]\nDescription=cogmem: every night\n\n"
            f"[Timer]\nOnCalendar=*-*-* {hour:02}:{minute:02}:00\nPersistent=true\n"
            f"RandomizedDelaySec=300\n\n[Install]\nWantedBy=timers.target\n"
        ),
    }
    made.commands = [
        ["systemctl", "--user", "daemon-reload"],
        ["systemctl", "--user", "enable", "--now", f"{made.name}.timer"],
    ]
    return made


def install(made: Plan) -> None:
    """Do what a plan says. An earlier entry of the same memory, of either way, gives way to it."""
    if made.way == "cron":
        lines = [line for line in _crontab() if not _is_of(line, made.path)]
        _write_crontab([*lines, made.line])
        if _has_systemd() and os.path.exists(_timer(made.path)):
            _remove_units(made.path)
        return
    for file, text in made.files.items():
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
    for command in made.commands:
        _run(command)
    _leave_crontab(made.path)


def remove(path: str) -> list[str]:
    """Take a memory's entries away; says which there were."""
    path = _whole(path)
    gone = []
    if os.path.exists(_timer(path)):
        _remove_units(path)
        gone.append("systemd")
    if _leave_crontab(path):
        gone.append("cron")
    return gone


def status(path: str) -> dict[str, str]:
    """Return the entries of a memory by way: the crontab line, or what systemctl says of the timer."""
    path = _whole(path)
    found = {}
    if os.path.exists(_timer(path)):
        found["systemd"] = "not enabled"
        if _has_systemd():
            said = _try(["systemctl", "--user", "is-enabled", f"{_name(path)}.timer"])
            found["systemd"] = said.stdout.strip() or "not enabled"
    if shutil.which("crontab"):
        mine = [line for line in _crontab() if _is_of(line, path)]
        if mine:
            found["cron"] = mine[0]
    return found


def found_way() -> str:
    """Return what this machine offers: systemd if the user's own manager answers, else cron."""
    if _has_systemd() and _try(["systemctl", "--user", "show-environment"]).returncode == 0:
        return "systemd"
    if shutil.which("crontab"):
        return "cron"
    raise ScheduleProblem(
        "neither a systemd user manager nor crontab is here: run `cogmem nightly` from what this "
        "machine uses for timed work"
    )


def program() -> list[str]:
    """Return the command that a timer can run without a shell's set-up: absolute, beside this interpreter."""
    beside = os.path.join(os.path.dirname(sys.executable), "cogmem")
    return [beside] if os.access(beside, os.X_OK) else [sys.executable, "-m", "cogmem"]


def _whole(path: str) -> str:
    if path == ":memory:":
        raise InvalidInput("a memory without a file has no nights")
    whole = places.resolved(path)
    if any(ord(character) < 32 for character in whole):
        raise InvalidInput("the path holds control characters, which no crontab can carry")
    return whole


def _name(path: str) -> str:
    return f"cogmem-nightly-{hashlib.sha256(path.encode()).hexdigest()[:8]}"


def _unit_folder() -> str:
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "systemd", "user")


def _timer(path: str) -> str:
    return os.path.join(_unit_folder(), f"{_name(path)}.timer")


def _unit_quoted(part: str) -> str:
    told = part.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{told}"'


def _time_of_day(at: str) -> tuple[int, int]:
    hour, _, minute = at.partition(":")
    if hour.isdecimal() and minute.isdecimal() and int(hour) < 24 and int(minute) < 60:
        return int(hour), int(minute)
    raise InvalidInput(f"{at!r} is not a time of day: write it as 03:17")


def _is_of(line: str, path: str) -> bool:
    return line.rstrip().endswith(f"{MARK} {path}")


def _crontab() -> list[str]:
    said = _try(["crontab", "-l"])
    if said.returncode != 0:
        if "no crontab" in said.stderr.lower() or not said.stderr.strip():
            return []
        raise ScheduleProblem(f"crontab -l failed: {said.stderr.strip()}")
    return said.stdout.splitlines()


def _leave_crontab(path: str) -> bool:
    """Take the lines of a memory out of the crontab; tells whether there were any."""
    lines = _crontab() if shutil.which("crontab") else []
    kept = [line for line in lines if not _is_of(line, path)]
    if kept != lines:
        _write_crontab(kept)
    return kept != lines


def _write_crontab(lines: list[str]) -> None:
    _run(["crontab", "-"], "\n".join(lines) + "\n" if lines else "")


def _remove_units(path: str) -> None:
    name = _name(path)
    if _has_systemd():
        _try(["systemctl", "--user", "disable", "--now", f"{name}.timer"])
    for ending in ("timer", "service"):
        file = os.path.join(_unit_folder(), f"{name}.{ending}")
        if os.path.exists(file):
            os.unlink(file)
    if _has_systemd():
        _try(["systemctl", "--user", "daemon-reload"])


def _has_systemd() -> bool:
    return shutil.which("systemctl") is not None


def _try(command: list[str], text: str | None = None) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=WAIT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ScheduleProblem(f"{command[0]} could not be run: {error}") from error


def _run(command: list[str], text: str | None = None) -> None:
    said = _try(command, text)
    if said.returncode != 0:
        raise ScheduleProblem(
            f"{shlex.join(command)} failed: {said.stderr.strip() or said.stdout.strip()}"
        )
