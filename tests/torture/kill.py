"""Processes that write, ended with SIGKILL at random instants, again and again on the same file.

The system keeps what a killed process had handed to it, so every acknowledged write must be there,
and nothing may be half done.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import sys
import time
import traceback
from contextlib import suppress
from typing import Any

import cogmem
from cogmem.errors import CogmemError
from cogmem.exchange.copies import verify
from cogmem.tokens import counting

from .deeds import Process
from .expected import Expected, observe

SLOTS = 3
LONGEST = 0.9  # seconds until a process is killed
ROUNDS_OF_A_FILE = 14
KEPT = 5  # faults described


class Kills:
    """One run; `figures` tells it."""

    def __init__(self, folder: str, seed: int, drivers: tuple[str, ...]) -> None:
        self.folder = folder
        self.seed = seed
        self.draw = random.Random(seed)
        self.drivers = drivers
        self.faults: list[str] = []
        self.kills = self.rounds = self.files = self.acknowledged = self.nights = 0
        self.while_opening = 0
        self.worst_open = 0.0
        self.in_flight: dict[str, int] = {}
        self.leftovers: dict[str, int] = {}
        self.memories = 0

    def run(self, kills: int, seconds: float) -> None:
        """Until so many processes were killed, or the time is up."""
        end = time.monotonic() + seconds
        while self.kills < kills and time.monotonic() < end:
            if self.rounds % ROUNDS_OF_A_FILE == 0:
                self._new_file()
            self._round(min(SLOTS, kills - self.kills))
            self.rounds += 1
            if self.faults:
                break

    def _new_file(self) -> None:
        for old in os.listdir(self.folder):
            place = os.path.join(self.folder, old)
            (shutil.rmtree if os.path.isdir(place) else os.unlink)(place)
        self.files += 1
        self.path = os.path.join(self.folder, "memory.db")
        self.expected = Expected()

    def _round(self, count: int) -> None:
        children: list[tuple[int, str, float]] = []
        for slot in range(count):
            name = f"w{slot}"
            journal = os.path.join(self.folder, f"journal-{self.rounds}-{slot}")
            seed = self.draw.randrange(2**32)
            driver = self.draw.choice(self.drivers)
            wait = self.draw.random() * self.draw.choice([0.06, LONGEST, LONGEST])
            sys.stdout.flush()
            pid = os.fork()
            if pid == 0:
                self._live(name, journal, seed, driver)
            children.append((pid, journal, time.monotonic() + wait))
        for pid, _, at in sorted(children, key=lambda child: child[2]):
            time.sleep(max(0.0, at - time.monotonic()))
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            if os.WIFSIGNALED(status):
                self.kills += 1
            else:
                self.faults.append(f"a process ended by itself in round {self.rounds}")
        for _, journal, _ in children:
            try:
                with open(journal, encoding="utf-8") as file:
                    lines = file.readlines()
            except FileNotFoundError:
                lines = []
            self.while_opening += not lines
            self.expected.read(line for line in lines if not line.startswith("ready"))
        self._look()

    def _live(self, name: str, journal: str, seed: int, driver: str) -> None:
        """What a child does; it never returns."""
        code = 1
        try:
            file = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            process = Process(
                self.path,
                name,
                lambda line: os.write(file, line.encode()),
                seed=seed,
                driver=driver,
                counted_from=self.rounds * 10_000,
                folder=self.folder,
            )
            os.write(file, b"ready\n")
            process.run(60.0)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)

    def _look(self) -> None:
        """Open what is left, and prove it."""
        began = time.perf_counter()
        with cogmem.open(self.path, counter=counting.Simple(), actor="audit") as mem:
            self.worst_open = max(self.worst_open, time.perf_counter() - began)
            problems = [*mem.notices, *mem.file.check()]
            found, storks = observe(mem)
            for slot in range(SLOTS):
                found.update(self._saved(f"w{slot}"))
            for thing in self.expected.certain:
                if thing.startswith("trace ") and self._is_traced(thing.partition(" ")[2]):
                    found[thing] = "its bytes are in the file"
            problems += self._backups(found)
            problems += self.expected.compare(found, storks)
            self.expected.certain = {
                thing: value
                for thing, value in self.expected.certain.items()
                if not thing.startswith(("trace ", "backup "))
            }
            if self.rounds % 5 == 4:
                mem.nightly()
                self.nights += 1
                problems += mem.file.check()
                [(unfinished,)] = mem.db.ask(
                    "select count(*) from job_run where finished_at is null and is_forced = 0"
                )
                if unfinished:
                    problems.append(f"{unfinished} job runs were not taken up by the next night")
            self.memories = max(self.memories, mem.db.ask("select count(*) from memory")[0][0])
        self.acknowledged += self.expected.acknowledged
        self.expected.acknowledged = 0
        for deed, count in self.expected.in_flight.items():
            self.in_flight[deed] = self.in_flight.get(deed, 0) + count
        self.expected.in_flight = {}
        for name in os.listdir(self.folder):
            if ".partial" in name or ".saving" in name:
                self.leftovers[name] = os.path.getsize(os.path.join(self.folder, name))
        self.faults += [f"round {self.rounds}: {problem}" for problem in problems]

    def _is_traced(self, token: str) -> bool:
        whole = re.compile(token.encode() + rb"(?!\d)")
        for ending in ("", "-wal"):
            try:
                with open(self.path + ending, "rb") as file:
                    if whole.search(file.read()):
                        return True
            except FileNotFoundError:
                continue
        return False

    def _saved(self, name: str) -> dict[str, Any]:
        """Documents as their files have them, once both sides were brought into step."""
        place = os.path.join(self.folder, name)
        if not os.path.isdir(os.path.join(place, "here")):
            return {}
        found: dict[str, Any] = {}
        with cogmem.open(
            self.path,
            counter=counting.Simple(),
            user=name,
            documents=os.path.join(place, "here"),
            user_dir=os.path.join(place, "own"),
        ) as mem:
            refreshed = mem.documents.sync()
            if refreshed.conflicts or refreshed.problems:
                self.faults.append(f"documents of {name}: {refreshed.as_dict()}")
            after = mem.documents.status().saved
            if any(one.state != "in step" for one in after):
                self.faults.append(f"documents of {name} are not in step: {after}")
            for saved in mem.documents.project_memories.files.memories():
                found[f"saved {name} {saved.name}"] = int(saved.body.split()[1])
        return found

    def _backups(self, found: dict[str, Any]) -> list[str]:
        problems = []
        for name in os.listdir(self.folder):
            place = os.path.join(self.folder, name)
            if ".by-" in name and ".partial" not in name:
                try:
                    verify(place)
                    found[f"backup {place}"] = True
                except CogmemError as error:
                    problems.append(f"{name}: {error}")
                os.unlink(place)
        return problems

    def figures(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "kills": self.kills,
            "while_opening": self.while_opening,
            "files": self.files,
            "rounds": self.rounds,
            "acknowledged_writes": self.acknowledged,
            "nights_completed": self.nights,
            "memories_at_most": self.memories,
            "under_way_when_killed": dict(sorted(self.in_flight.items())),
            "worst_reopening_ms": round(self.worst_open * 1e3, 1),
            "leftovers": len(self.leftovers),
            "faults": self.faults[:KEPT],
        }


def main(
    folder: str, *, seed: int, kills: int, seconds: float, drivers: tuple[str, ...]
) -> dict[str, Any]:
    # Notes of files that were here before go with them: nobody says that a memory is gone.
    os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
    run = Kills(folder, seed, drivers)
    run.run(kills, seconds)
    figures = run.figures()
    print(json.dumps(figures, indent=1))
    return figures
