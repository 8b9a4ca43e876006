"""The nights of many small memories: CPU of a due file, what an idle one costs, and what the due list takes.

    python benchmarks/fleet.py [--files 10000] [--memories 100] [--workers 2] [--dir FOLDER] [--write]

One memory is made and copied. Then come a night of all of them, a look at the idle fleet a day later, and a
night after one file in a hundred was used. Copies of single files are turned off, as in a fleet whose disks are
copied by other means; a night with them is measured beside it. What a million files would take is computed from
these figures, but for the due list, which is made of a million rows.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval import machine

import cogmem
from cogmem.fleet import fleet
from cogmem.fleet.due_list import DueList
from cogmem.fleet.fleet import Work, one
from cogmem.fleet.workers import Workers

if TYPE_CHECKING:
    from typing import Any

RESULTS = Path(__file__).parent / "results" / "fleet.json"
NOW = 1_800_000_000_000  # 2027-01-15 08:00 UTC, a Friday: the third night begins a week
DAY = 86_400_000
MILLION = 1_000_000
TAKEN = 1_000  # rows that are taken at once from a list of a million


def seed(place: Path, memories: int, copies: int) -> None:
    """A memory that has had a night, and then a day's use."""
    with cogmem.open(place) as mem:
        mem.store.set_setting("backups_kept", str(copies), now=NOW)
        for number in range(memories):
            dish, spice = number * 7 % 97, number * 13 % 89
            text = f"Person {number} of the house likes dish {dish} with spice {spice}."
            mem.learn(text, now=NOW + number)
        mem.nightly(now=NOW + DAY)
        mem.learn("The user plays the oboe.", now=NOW + DAY + 1)


def alone(folder: Path, memories: int, copies: int) -> dict[str, float]:
    """CPU of one file's night in a process that has had others before."""
    first = folder / f"alone{copies}.db"
    seed(first, memories, copies)
    shutil.rmtree(f"{first}.backups", ignore_errors=True)
    spent: dict[int, list[float]] = {}
    for number in range(12):
        place = folder / f"alone{copies}-{number}.db"
        shutil.copy(first, place)
        for day in range(
            2, 5 if copies else 3
        ):  # a Sunday, where copies are rehearsed; a Monday, a Tuesday
            with cogmem.open(place) as mem:
                mem.learn("The user took up rowing.", now=NOW + day * DAY - 1)
            spent.setdefault(day, []).append(one(str(place), Work("night", NOW + day * DAY)).cpu_ms)
    of_day = [round(statistics.median(times[2:]), 1) for times in spent.values()]
    if not copies:
        return {"memories": memories, "cpu_ms": of_day[0]}
    sunday, monday, other = of_day
    week = round((sunday + monday + 5 * other) / 7, 1)
    return {
        "memories": memories,
        "cpu_ms": week,
        "sunday": sunday,
        "monday": monday,
        "other_days": other,
    }


def clock() -> int:
    return time.time_ns() // 1_000_000


def run(folder: Path, due: DueList, workers: int, now: int) -> dict[str, Any]:
    done = fleet.run(
        due, fleet.found(str(folder)), Workers(workers), Work("night", now), clock=clock
    ).as_dict()
    done["failed"] = len(done["failed"])
    return done


def of_a_million() -> dict[str, float]:
    """What the due list itself takes with a million files."""
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "due.db")
        due = DueList(place)
        started = time.perf_counter()
        due.look(
            (f"/memories/{number % 1000:03}/{number:07}.db", "1 1") for number in range(MILLION)
        )
        looked = time.perf_counter() - started
        spent = []
        for number in range(10):
            started = time.perf_counter()
            due.take(f"w{number}", TAKEN, now=NOW, clock=1, until=2)
            spent.append(time.perf_counter() - started)
        due.close()
        return {
            "rows_taken_in_s": round(looked, 1),
            "ms_to_take_a_thousand": round(1000 * statistics.median(spent), 1),
            "mb": round(os.path.getsize(place) / 1e6),
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--memories", type=int, default=100)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--dir", metavar="FOLDER", help="where the files are made, and taken away")
    parser.add_argument("--write", action="store_true", help="keep the results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.dir) as place:
        folder = Path(place)
        os.environ["XDG_STATE_HOME"] = str(folder / "state")  # where each file is noted
        singles = folder / "single"
        singles.mkdir()
        found: dict[str, Any] = {
            "machine": machine(),
            "alone": [alone(singles, many, 0) for many in (100, 1_000)],
            "alone_with_copies": alone(singles, options.memories, 5),
        }
        shutil.rmtree(singles)
        first = folder / "seed"
        seed(first, options.memories, 0)
        found["file_kb"] = round(first.stat().st_size / 1000)
        with cogmem.open(folder / "empty"):
            pass
        found["empty_file_kb"] = round((folder / "empty").stat().st_size / 1000)
        many = folder / "fleet"
        for number in range(options.files):
            file = many / f"{number % 100:02}" / f"{number:06}.db"
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(first, file)
        due = DueList(str(folder / "due.list"))
        found["all"] = run(many, due, options.workers, NOW + 3 * DAY)
        print(json.dumps(found["all"]), file=sys.stderr)
        started, worked = time.perf_counter(), time.process_time()
        idle = run(many, due, options.workers, NOW + 4 * DAY)
        found["idle"] = {
            "files": idle["files"],
            "due": idle["due"],
            "seconds": round(time.perf_counter() - started, 2),
            "cpu_ms_a_file": round(1000 * (time.process_time() - worked) / idle["files"], 4),
        }
        for number in range(0, options.files, 100):
            with cogmem.open(many / f"{number % 100:02}" / f"{number:06}.db") as mem:
                mem.learn("The user took up rowing.", now=NOW + 4 * DAY)
        found["used"] = run(many, due, options.workers, NOW + 5 * DAY)
        due.close()
    found["million"] = {**of_a_million(), **computed(found)}
    print(json.dumps(found, indent=1))
    if options.write:
        RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def computed(found: dict[str, Any]) -> dict[str, float]:
    """What a million files take, of which one in ten is used on a day."""
    night_ms = found["all"]["cpu_ms"]
    return {
        "gb": round(MILLION * found["file_kb"] / 1e6),
        "core_hours_if_all_are_due": round(MILLION * night_ms / 3.6e6, 1),
        "core_minutes_if_a_tenth_is_due": round(MILLION / 10 * night_ms / 6e4),
        "core_seconds_to_look": round(MILLION * found["idle"]["cpu_ms_a_file"] / 1000),
    }


if __name__ == "__main__":
    sys.exit(main())
