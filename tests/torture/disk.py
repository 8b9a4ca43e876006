"""A file system that fails, and one that forgets at a power cut what was not brought to the disk.

`Disk` is a VFS of SQLite, made the default one, so that every connection that cogmem opens goes
through it. It counts the calls that touch the disk; at a chosen call it fails (disk full, I/O error, a
write that stops half way), once or from then on. After a power cut nothing works any more, and
`left_behind` gives the files as they may then be found: what was synced, and of what came later any
part, writes torn at the size of a sector among them. With `lies` it says that it has synced, and has not.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import apsw

import cogmem
from cogmem.errors import CogmemError, DatabaseProblem
from cogmem.file import last_seen
from cogmem.tokens import counting

from .deeds import LOADS, Process
from .expected import Expected, observe

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTOR = 512
FAULTS = {
    "full": apsw.SQLITE_FULL,
    "short": apsw.SQLITE_FULL,
    "write": apsw.SQLITE_IOERR_WRITE,
    "sync": apsw.SQLITE_IOERR_FSYNC,
    "read": apsw.SQLITE_IOERR_READ,
    "truncate": apsw.SQLITE_IOERR_TRUNCATE,
}
TOUCHING = {
    "full": ("write", "truncate"),
    "short": ("write",),
    "write": ("write",),
    "sync": ("sync",),
    "read": ("read",),
    "truncate": ("truncate",),
}
KEPT = 40


class Tracked:
    """One file: what is on the disk for certain, and what was written since."""

    def __init__(self, durable: bytes) -> None:
        self.durable = bytearray(durable)
        self.pending: list[tuple[int, bytes | None]] = []  # (offset, data), or (size, None)

    def sync(self) -> None:
        for offset, data in self.pending:
            _apply(self.durable, offset, data)
        self.pending.clear()


def _apply(image: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del image[offset:]
        return
    if len(image) < offset:
        image.extend(bytes(offset - len(image)))
    image[offset : offset + len(data)] = data


class Disk(apsw.VFS):
    """Register it by making one; `unregister` when done, with every connection closed."""

    def __init__(self) -> None:
        self.calls: dict[str, int] = {}
        self.fault = ""
        self.at = 0  # the fault strikes at this call of those that it touches
        self.lasts = False
        self.struck = 0
        self.cut_at = 0  # the power goes at this call of all that change something
        self.is_cut = False
        self.lies = False
        self.files: dict[str, Tracked] = {}
        super().__init__("torture", "unix", makedefault=True)

    def arm(self, fault: str, at: int, *, lasts: bool) -> None:
        self.fault, self.at, self.lasts, self.struck = fault, at, lasts, 0
        self.calls = {}

    def disarm(self) -> None:
        self.fault, self.at, self.cut_at = "", 0, 0
        self.calls = {}

    def called(
        self, what: str, file: FailingFile, data: bytes | None = None, offset: int = 0
    ) -> None:
        """Count a call, and strike if it is the one."""
        if self.is_cut:
            raise apsw.exception_for(apsw.SQLITE_IOERR)
        self.calls[what] = self.calls.get(what, 0) + 1
        if what != "read" and self.cut_at:
            changes = sum(count for name, count in self.calls.items() if name != "read")
            if changes >= self.cut_at:
                self.is_cut = True
                raise apsw.exception_for(apsw.SQLITE_IOERR)
        if self.fault and what in TOUCHING[self.fault]:
            count = sum(self.calls.get(name, 0) for name in TOUCHING[self.fault])
            if count == self.at or (self.lasts and count > self.at):
                self.struck += 1
                if self.fault == "short" and data is not None:
                    file.write_through(data[: len(data) // 2], offset)
                raise apsw.exception_for(FAULTS[self.fault])

    def xOpen(self, name: Any, flags: list[int]) -> FailingFile:
        return FailingFile(self, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:
        if self.is_cut:
            raise apsw.exception_for(apsw.SQLITE_IOERR)
        super().xDelete(name, syncdir)
        self.files.pop(name, None)

    def left_behind(self, draw: random.Random, path: str, folder: str) -> None:
        """Write what a reader may find of a memory after the power cut into another folder.

        A night also makes copies elsewhere, to rehearse a restore, which have the same name.
        """
        os.makedirs(folder, exist_ok=True)
        for name, file in self.files.items():
            if os.path.dirname(name) != os.path.dirname(os.path.realpath(path)):
                continue
            image = bytearray(file.durable)
            how = draw.choice(["nothing", "the first", "any"])
            count = draw.randrange(len(file.pending) + 1)
            for number, (offset, data) in enumerate(file.pending):
                if number < count if how == "the first" else how == "any" and draw.random() < 0.6:
                    if data is not None and draw.random() < 0.1:
                        data = data[: draw.randrange(len(data) // SECTOR + 1) * SECTOR]
                    _apply(image, offset, data)
            with open(os.path.join(folder, os.path.basename(name)), "wb") as out:
                out.write(image)


class FailingFile(apsw.VFSFile):
    """One open file of the disk."""

    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self.disk = disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        before = b""
        if path and os.path.exists(path):
            with open(path, "rb") as file:
                before = file.read()
        super().__init__("unix", name, flags)
        self.tracked = None
        if path and flags[0] & (apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_WAL):
            self.tracked = disk.files.setdefault(path, Tracked(before))

    def write_through(self, data: bytes, offset: int) -> None:
        super().xWrite(data, offset)
        if self.tracked is not None:
            self.tracked.pending.append((offset, bytes(data)))

    def xRead(self, amount: int, offset: int) -> bytes:
        self.disk.called("read", self)
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.called("write", self, data, offset)
        self.write_through(data, offset)

    def xTruncate(self, size: int) -> None:
        self.disk.called("truncate", self)
        super().xTruncate(size)
        if self.tracked is not None:
            self.tracked.pending.append((size, None))

    def xSync(self, flags: int) -> None:
        self.disk.called("sync", self)
        super().xSync(flags)
        if self.tracked is not None and not self.disk.lies:
            self.tracked.sync()


class Life:
    """One process on one file, and what its journal says of it."""

    def __init__(self, path: str, seed: int, folder: str, counted_from: int = 0) -> None:
        self.lines: list[str] = []
        self.process = Process(
            path, "p", self.lines.append, seed=seed, folder=folder, counted_from=counted_from
        )


def made(path: str, seed: int, folder: str) -> Expected:
    """A file with a little of everything, closed; what it holds."""
    life = Life(path, seed, folder)
    for deed in (*LOADS, "learn", "update", "append", "activate", "learn", "remove"):
        if deed not in ("import a restore", "back up"):
            assert life.process.do(deed), life.lines[-1]
    life.process.memory.close()
    expected = Expected()
    expected.read(life.lines)
    return expected


class Origin:
    """A file and the folders of its process, to begin from again and again at the same place."""

    def __init__(self, folder: str, seed: int) -> None:
        self.live = os.path.join(folder, "live")
        self.kept = os.path.join(folder, "kept")
        self.path = os.path.join(self.live, "memory.db")
        self.places = os.path.join(self.live, "places")
        os.makedirs(self.live)
        made(self.path, seed, self.places)
        shutil.copytree(self.live, self.kept, ignore=shutil.ignore_patterns("*-wal", "*-shm"))

    def again(self) -> None:
        shutil.rmtree(self.live)
        shutil.copytree(self.kept, self.live)
        last_seen.forgotten(self.path)  # it is the older state on purpose


def problems_of(path: str, expected: Expected) -> list[str]:
    """What is wrong with a file; tells nothing of damage that was told when it was opened."""
    with cogmem.open(path, counter=counting.Simple()) as mem:
        found, storks = observe(mem)
        for thing in expected.certain:
            if thing.startswith(("saved ", "backup ", "trace ")):
                found[thing] = expected.certain[thing]
        return [*mem.notices, *mem.file.check(), *expected.compare(found, storks)]


# -- faults ----------------------------------------------------------------------------------------


class Faults:
    """Every deed with a fault at some call, once or lasting; afterwards everything must be well."""

    def __init__(self, folder: str, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.draw = random.Random(seed)
        self.cases = self.told = self.unharmed = self.unstruck = 0
        self.by_fault: dict[str, int] = {}
        self.by_error: dict[str, int] = {}
        self.faults: list[str] = []
        self.disk = Disk()
        self.origin = Origin(folder, seed)

    def close(self) -> None:
        self.disk.unregister()

    def sweep(self, deed: str, fault: str, *, lasts: bool, most: int) -> None:
        """A fault at up to `most` of the calls of a deed."""
        seed = self.draw.randrange(2**32)
        count = self._strike(deed, seed, "", 0, False)
        wanted = sum(count.get(what, 0) for what in TOUCHING[fault])
        places = range(1, wanted + 1)
        chosen = self.draw.sample(places, most) if wanted > most else places
        for at in chosen:
            self._strike(deed, seed, fault, at, lasts)

    def _strike(self, deed: str, seed: int, fault: str, at: int, lasts: bool) -> dict[str, int]:
        self.origin.again()
        path, places = self.origin.path, self.origin.places
        where = f"{deed}, {fault} at call {at}{' and on' if lasts else ''}"
        life = Life(path, seed, places, counted_from=1000)
        mem = life.process.memory
        before = Expected()
        before.certain, before.storks[0] = observe(mem)
        before.storks[1] = before.storks[0]
        self.disk.arm(fault, at, lasts=lasts)
        try:
            went_well = life.process.do(deed)
        except Exception as error:
            self.faults.append(f"{where}: {type(error).__name__}: {error}")
            went_well = False
        calls = dict(self.disk.calls)
        struck = self.disk.struck
        self.disk.disarm()
        if fault:
            self.cases += 1
            self.by_fault[fault] = self.by_fault.get(fault, 0) + 1
            self.unstruck += not struck
            self.told += not went_well
            self.unharmed += bool(went_well and struck)
        told = [json.loads(line) for line in life.lines if line.startswith('["x"')]
        for _, _, said in told:
            name = said.partition(":")[0]
            self.by_error[name] = self.by_error.get(name, 0) + 1
            if name not in ("DiskFull", "DatabaseProblem", "Locked", "Damaged"):
                self.faults.append(f"{where}: {said}")
        lines = [line for line in life.lines if not line.startswith('["x"')]
        before.read(lines)  # announced and failed: done or not, but not by half
        try:
            mem.flush()  # the row of a turn that could not be written has waited
            found, storks = observe(mem)
            self._note(where, [*mem.file.check(), *before.compare(_known(found, before), storks)])
            mem.learn("Herons wade here again.")
            mem.close()
            after = Expected()
            after.certain, after.storks = dict(before.certain), list(before.storks)
            self._note(f"{where}, reopened", problems_of(path, after))
        except CogmemError as error:
            self.faults.append(f"{where}, afterwards: {type(error).__name__}: {error}")
        finally:
            mem.close()
        return calls

    def _note(self, where: str, problems: list[str]) -> None:
        self.faults += [f"{where}: {problem}" for problem in problems]

    def figures(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "cases": self.cases,
            "told_as_an_error": self.told,
            "done_in_spite_of_it": self.unharmed,
            "never_reached": self.unstruck,
            "by_fault": self.by_fault,
            "errors": self.by_error,
            "faults": self.faults[:KEPT],
        }


def _known(found: dict[str, Any], expected: Expected) -> dict[str, Any]:
    """With what cannot be seen in the file taken as it was told."""
    kept = ("saved ", "backup ", "trace ")
    told = {thing: value for thing, value in expected.certain.items() if thing.startswith(kept)}
    for _, values in expected.doubts:
        told.update({thing: value for thing, value in values.items() if thing.startswith(kept)})
    return {**found, **told}


# -- power cuts --------------------------------------------------------------------------------------


class PowerCuts:
    """A life cut at some call; what is left must be the life up to one of its deeds."""

    def __init__(self, folder: str, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.draw = random.Random(seed)
        self.cuts = self.sound = self.told = self.deeds = self.lost = self.most_lost = 0
        self.wrong: list[str] = []
        self.disk = Disk()
        self.origin = Origin(folder, seed)

    def close(self) -> None:
        self.disk.unregister()

    def once(self, *, lies: bool, deeds: int = 14) -> None:
        number = self.cuts
        self.cuts += 1
        seed = self.draw.randrange(2**32)
        left = os.path.join(self.folder, f"left{number}")
        self.origin.again()
        path, places = self.origin.path, self.origin.places
        self.disk.files.clear()
        self.disk.is_cut = False
        self.disk.lies = lies
        life = Life(path, seed, places, counted_from=1000)
        states = [self._state(life)]
        names = [name for name in LOADS if name not in ("save a document", "back up")]
        plan = self.draw.choices(names, [LOADS[name] for name in names], k=deeds)
        self.disk.disarm()
        self.disk.cut_at = self.draw.randrange(1, 60 * deeds)
        firm = 0  # the deed up to which closing has brought everything to the disk
        for place, deed in enumerate(plan):
            if place == deeds // 2:  # half way the memory is closed and opened again
                with suppress(CogmemError, apsw.Error):
                    life.process.memory.close()
                    firm = len(states) - 1 if not self.disk.is_cut else firm
                    life = Life(path, seed + 1, places, counted_from=2000)
            if self.disk.is_cut:
                break
            try:
                life.process.do(deed)
            except Exception:
                if not self.disk.is_cut:
                    raise
            if self.disk.is_cut:
                break
            states.append(self._state(life))
        under_way = self._announced(life, states[-1])
        self.disk.is_cut = True
        self.disk.left_behind(self.draw, path, left)
        self.disk.is_cut = False
        self.disk.disarm()
        self.disk.lies = False
        with suppress(CogmemError, apsw.Error):
            life.process.memory.close()
        self._judge(os.path.join(left, "memory.db"), states, under_way, firm, lies, seed)
        shutil.rmtree(left)

    def _state(self, life: Life) -> tuple[dict[str, Any], int]:
        return observe(life.process.memory)

    def _announced(
        self, life: Life, before: tuple[dict[str, Any], int]
    ) -> list[tuple[dict[str, Any], int]]:
        """What the latest deed gives: it was cut off, whatever it said itself."""
        told = [json.loads(line) for line in life.lines]
        told = [one for one in told if one[0] != "x"]
        if not told:
            return []
        values = {
            thing: value["one"] if isinstance(value, dict) else value
            for thing, value in told[-1][2].items()
            if not thing.startswith("trace ")
        }
        storks = before[1] + values.pop("storks", 0)
        return [({**before[0], **values}, storks)]

    def _judge(
        self,
        path: str,
        states: list[tuple[dict[str, Any], int]],
        under_way: list[tuple[dict[str, Any], int]],
        firm: int,
        lies: bool,
        seed: int,
    ) -> None:
        where = f"cut {self.cuts} (seed {seed}{', with lies' if lies else ''})"
        self.deeds += len(states) - 1
        try:
            with cogmem.open(path, counter=counting.Simple()) as mem:
                if mem.notices:
                    self._told(where, lies)
                    return
                problems = mem.file.check()
                if problems:
                    if lies:
                        self._told(where, lies)
                    else:
                        self.wrong.append(f"{where}: {problems[0]}")
                    return
                found = observe(mem)
                mem.learn("Herons wade here again.")
                assert mem.file.check() == []
        except DatabaseProblem as error:
            if lies:
                self._told(where, lies)
            else:
                self.wrong.append(f"{where}: {error}")
            return
        kept = [n for n, state in enumerate(states) if _same(found, state)]
        kept += [len(states) for state in under_way if _same(found, state)]
        if not kept or (max(kept) < firm and not lies):
            self.wrong.append(
                f"{where}: it is not the life up to a deed (firm {firm}, of {len(states) - 1})"
                f" {_difference(found, states[-1])}"
            )
            return
        self.sound += 1
        lost = max(0, len(states) - 1 - max(kept))
        self.lost += lost
        self.most_lost = max(self.most_lost, lost)

    def _told(self, where: str, lies: bool) -> None:
        self.told += 1
        if not lies:
            self.wrong.append(f"{where}: the file was damaged though syncs were honest")

    def figures(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "cuts": self.cuts,
            "sound": self.sound,
            "damage_told": self.told,
            "deeds": self.deeds,
            "deeds_lost": self.lost,
            "most_lost_at_once": self.most_lost,
            "faults": self.wrong[:KEPT],
        }


def _same(found: tuple[dict[str, Any], int], state: tuple[dict[str, Any], int]) -> bool:
    from .expected import is_like

    if found[1] != state[1] or found[0].keys() != {
        name for name, value in state[0].items() if value is not None
    }:
        return False
    return all(is_like(value, state[0][name]) for name, value in found[0].items())


def _difference(found: tuple[dict[str, Any], int], state: tuple[dict[str, Any], int]) -> str:
    both = found[0].keys() | state[0].keys()
    return str(
        [(n, found[0].get(n), state[0].get(n)) for n in both if found[0].get(n) != state[0].get(n)][
            :3
        ]
    )


def _until(seconds: float) -> Iterator[int]:
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        yield number
        number += 1


def main(folder: str, part: str, *, seed: int, seconds: float) -> dict[str, Any]:
    """The long runs: faults at every kind of call of every deed, or power cuts."""
    figures: dict[str, Any]
    if part == "disk":
        run = Faults(folder, seed)
        plan = [
            (deed, fault, lasts) for lasts in (False, True) for fault in FAULTS for deed in LOADS
        ]
        run.draw.shuffle(plan)
        for number in _until(seconds):
            if number == len(plan):
                break
            deed, fault, lasts = plan[number]
            run.sweep(deed, fault, lasts=lasts, most=8)
        figures = {**run.figures(), "sweeps": f"{min(number + 1, len(plan))} of {len(plan)}"}
        run.close()
    else:
        figures = {"faults": []}
        for lies in (False, True):
            place = os.path.join(folder, "lies" if lies else "honest")
            os.makedirs(place)
            cuts = PowerCuts(place, seed)
            for _ in _until(seconds / 2):
                cuts.once(lies=lies)
            told = cuts.figures()
            figures["faults"] += [] if lies else told.pop("faults")
            figures["lying" if lies else "honest"] = told
            cuts.close()
    print(json.dumps(figures, indent=1))
    return figures
