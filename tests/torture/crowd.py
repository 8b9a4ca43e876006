"""Sixteen processes on one file: writers, turns, hooks, nights, a long reader, somebody who checks.

Nobody may meet a lock that he has to handle, nothing acknowledged may be missing, and every state
that a reader sees must be one state.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
import traceback
from contextlib import suppress
from typing import Any

import cogmem
from cogmem.errors import CogmemError
from cogmem.file.snapshot import snapshot
from cogmem.tokens import counting

from .deeds import LOADS, Process
from .expected import Expected, observe

HEAVY = ("forget", "rebuild", "import a restore", "nightly", "back up")  # others do them here
WRITES = {deed: load for deed, load in LOADS.items() if deed not in HEAVY}
TURNS = {"activate": 10, "recall": 4, "append": 6, "capture": 2}
KEPT = 8
PAUSE = 0.2  # seconds at most between the deeds of one process; agents think for longer
SELDOM = 15.0  # seconds between nights, checks and forgetting


class Crowd:
    """The roles of the processes; each writes its journal and, at the end, what it took."""

    def __init__(self, folder: str, seed: int, seconds: float) -> None:
        self.folder = folder
        self.path = os.path.join(folder, "memory.db")
        self.seed = seed
        self.seconds = seconds
        self.end = 0.0

    def roles(self, processes: int) -> list[str]:
        others = ["night", "reader", "checker", "hook", "forgetter"][: max(0, processes - 2)]
        rest = processes - len(others)
        return [*others, *(["writer", "turns"] * rest)[:rest]]

    def live(self, role: str, name: str, seed: int) -> None:
        """What a child does; it never returns."""
        code = 1
        try:
            file = os.open(self._journal(name), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

            def journal(line: str) -> None:
                os.write(file, line.encode())

            taken: dict[str, list[float]] = {}
            if role in ("writer", "turns", "forgetter"):
                process = Process(self.path, name, journal, seed=seed, folder=self.folder)
                taken = process.taken
                if role == "forgetter":
                    while time.monotonic() < self.end:
                        for deed in ("learn", "learn", "forget"):
                            process.do(deed)
                        time.sleep(self.rest())
                else:
                    loads = WRITES if role == "writer" else TURNS
                    process.run(self.end - time.monotonic(), loads, PAUSE)
                process.memory.close()
            else:
                getattr(self, role)(name, journal, taken, random.Random(seed))
            with open(self._journal(name) + ".taken", "w", encoding="utf-8") as out:
                json.dump(taken, out)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)

    def _journal(self, name: str) -> str:
        return os.path.join(self.folder, f"journal-{name}")

    def rest(self) -> float:
        return max(0.0, min(SELDOM, self.end - time.monotonic()))

    def night(self, name: str, journal: Any, taken: dict[str, Any], _: random.Random) -> None:
        with cogmem.open(self.path, counter=counting.Simple(), actor=name) as mem:
            mem.store.set_setting("backups_kept", "2", now=mem.instant(None))
            while time.monotonic() < self.end:
                began = time.perf_counter()
                night = mem.nightly(force=True)
                taken.setdefault("night", []).append(time.perf_counter() - began)
                for job in night.jobs:
                    if job.outcome == "failed":
                        journal(json.dumps(["x", f"night {job.job}", job.note]) + "\n")
                time.sleep(self.rest())

    def reader(self, name: str, journal: Any, taken: dict[str, Any], draw: random.Random) -> None:
        """Holds one state for seconds; it must not move under it, nor stop the others."""
        counts = "select (select count(*) from memory), (select count(*) from change)"
        with cogmem.open(self.path, counter=counting.Simple(), actor=name) as mem:
            while time.monotonic() < self.end:
                with snapshot(mem.db) as frozen:
                    first = frozen.ask(counts)
                    time.sleep(min(draw.uniform(2, 8), max(0.0, self.end - time.monotonic())))
                    began = time.perf_counter()
                    if frozen.ask(counts) != first:
                        journal(json.dumps(["x", "reader", "its state moved"]) + "\n")
                    taken.setdefault("read", []).append(time.perf_counter() - began)

    def checker(self, name: str, journal: Any, taken: dict[str, Any], _: random.Random) -> None:
        with cogmem.open(self.path, counter=counting.Simple(), actor=name) as mem:
            while time.monotonic() < self.end:
                began = time.perf_counter()
                for problem in mem.file.check():
                    journal(json.dumps(["x", "check", problem]) + "\n")
                taken.setdefault("check", []).append(time.perf_counter() - began)
                mem.stats(everywhere=True)
                time.sleep(self.rest())

    def hook(self, name: str, journal: Any, taken: dict[str, Any], draw: random.Random) -> None:
        """A process of its own for every turn opens, takes one turn and closes; so does this."""
        number = 0
        while time.monotonic() < self.end:
            number += 1
            turn = f"{name}t{number}"
            began = time.perf_counter()
            try:
                with cogmem.open(self.path, counter=counting.Simple(), actor=name) as mem:
                    mem.activate(f"what of lake {draw.random()}?", session=name, turn=turn)
            except CogmemError as error:
                journal(json.dumps(["x", "hook", f"{type(error).__name__}: {error}"]) + "\n")
                continue
            taken.setdefault("hook", []).append(time.perf_counter() - began)
            journal(json.dumps(["!", "hook", {f"turn {turn}": True}]) + "\n")
            time.sleep(draw.random() * PAUSE)

    def run(self, processes: int) -> dict[str, Any]:
        cogmem.open(self.path, counter=counting.Simple()).close()
        roles = self.roles(processes)
        draw = random.Random(self.seed)
        self.end = time.monotonic() + self.seconds
        children = {}
        for number, role in enumerate(roles):
            name = f"c{number}"
            seed = draw.randrange(2**32)
            sys.stdout.flush()
            pid = os.fork()
            if pid == 0:
                self.live(role, name, seed)
            children[pid] = name
        largest_log = 0
        ended: dict[str, int] = {}
        limit = self.end + 120
        while children and time.monotonic() < limit:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid:
                ended[children.pop(pid)] = os.waitstatus_to_exitcode(status)
                continue
            with suppress(FileNotFoundError):
                largest_log = max(largest_log, os.path.getsize(self.path + "-wal"))
            time.sleep(0.1)
        faults = [f"{name} ended with {code}" for name, code in ended.items() if code]
        for pid, name in children.items():
            faults.append(f"{name} did not end")
            os.kill(pid, 9)
            os.waitpid(pid, 0)
        return self._figures(roles, faults, largest_log)

    def _figures(self, roles: list[str], faults: list[str], largest_log: int) -> dict[str, Any]:
        expected = Expected()
        taken: dict[str, list[float]] = {}
        for number in range(len(roles)):
            journal = self._journal(f"c{number}")
            if os.path.exists(journal):
                with open(journal, encoding="utf-8") as file:
                    expected.read(file)
            if os.path.exists(journal + ".taken"):
                with open(journal + ".taken", encoding="utf-8") as file:
                    for deed, seconds in json.load(file).items():
                        taken.setdefault(deed, []).extend(seconds)
        acknowledged = expected.acknowledged
        with cogmem.open(self.path, counter=counting.Simple()) as mem:
            found, storks = observe(mem)
            for thing, value in expected.certain.items():
                if thing.startswith(("saved ", "trace ")):
                    found[thing] = value
            # Everybody closed, so turns that had to wait are written too.
            for _, values in expected.doubts:
                expected.certain.update(values)
            expected.doubts = []
            faults += expected.compare(found, storks)
            faults += mem.file.check()
        log = self.path + "-wal"
        writes = [
            seconds
            for deed, many in taken.items()
            if deed not in ("night", "check", "read", "hook", "forget")
            for seconds in many
        ]
        return {
            "seed": self.seed,
            "processes": len(roles),
            "seconds": self.seconds,
            "acknowledged": acknowledged,
            "faults": faults[:KEPT],
            "fault_count": len(faults),
            "deeds": spread(writes),
            "hook": spread(taken.get("hook", [])),
            "night": spread(taken.get("night", [])),
            "check": spread(taken.get("check", [])),
            "forget": spread(taken.get("forget", [])),
            "activate": spread(taken.get("activate", [])),
            "learn": spread(taken.get("learn", [])),
            "largest_log_mb": round(largest_log / 1e6, 1),
            "log_left_mb": round(os.path.getsize(log) / 1e6, 1) if os.path.exists(log) else 0,
        }


def spread(seconds: list[float]) -> dict[str, float]:
    if not seconds:
        return {"count": 0}
    ordered = sorted(seconds)
    return {
        "count": len(ordered),
        "p50_ms": round(statistics.median(ordered) * 1e3, 1),
        "p99_ms": round(ordered[int(len(ordered) * 0.99)] * 1e3, 1),
        "worst_ms": round(ordered[-1] * 1e3, 1),
    }


def main(folder: str, *, seed: int, processes: int, seconds: float) -> dict[str, Any]:
    figures = Crowd(folder, seed, seconds).run(processes)
    print(json.dumps(figures, indent=1))
    return figures
