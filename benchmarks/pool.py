"""Many users in one program: a file for each, and one file with a view for each.

    python benchmarks/pool.py [--users 2000] [--threads 16] [--turns 4] [--write]

Every user learns three things and then asks, users drawn by lot and threads at work all the time; `max_open` is a
tenth of the users. Printed are turns a second, the slowest of a hundred, and how often a caller met a lock.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import cogmem
from cogmem.errors import CogmemError

RESULTS = Path(__file__).resolve().parent / "results" / "pool.json"
Lend = Callable[[str], AbstractContextManager[cogmem.Memory]]


@contextmanager
def of_files(folder: str, users: int) -> Iterator[Lend]:
    with cogmem.Pool(f"{folder}/files", max_open=max(1, users // 10)) as pool:
        yield pool.user


@contextmanager
def of_views(folder: str, users: int) -> Iterator[Lend]:
    del users
    with cogmem.open(f"{folder}/one.db") as memory:
        yield lambda user: nullcontext(memory.as_user(user))


def measure(lend: Lend, users: int, threads: int, turns: int) -> dict[str, Any]:
    """Users who learn and ask, from many threads."""
    chance = random.Random(2)
    names = [f"user{number}" for number in range(users)]

    def settle(name: str) -> None:
        with lend(name) as memory:
            for what in ("bees", "a red bicycle", "the keys of the boat"):
                memory.learn(f"{name} keeps {what}.")

    def ask(name: str) -> tuple[float, bool]:
        started = time.perf_counter()
        try:
            with lend(name) as memory:
                memory.activate("Where are the keys of the boat?", session="bench")
        except CogmemError:
            return time.perf_counter() - started, True
        return time.perf_counter() - started, False

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(settle, names))
        asked = [chance.choice(names) for _ in range(users * turns)]
        started = time.perf_counter()
        took = list(pool.map(ask, asked))
        seconds = time.perf_counter() - started
    every = sorted(1000 * one for one, _ in took)
    return {
        "turns_per_s": round(len(took) / seconds),
        "p50_ms": round(every[len(every) // 2], 2),
        "p95_ms": round(every[int(len(every) * 0.95)], 2),
        "faults": sum(failed for _, failed in took),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--users", type=int, default=2_000)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--write", action="store_true", help="keep the figures")
    given = parser.parse_args()
    kept: dict[str, Any] = {"users": given.users, "threads": given.threads}
    for name, way in {"a file each": of_files, "views of one file": of_views}.items():
        with tempfile.TemporaryDirectory() as folder, way(folder, given.users) as lend:
            kept[name] = measure(lend, given.users, given.threads, given.turns)
        print(name, kept[name])
    with tempfile.TemporaryDirectory() as folder, cogmem.open(f"{folder}/one.db") as memory:
        started = time.perf_counter()
        for number in range(10_000):
            memory.as_user(f"user{number}")
        kept["view_us"] = round((time.perf_counter() - started) * 100, 2)
    print("a view:", kept["view_us"], "µs")
    if given.write:
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
