"""A month of one busy agent in one process: 500 turns a day, a night after each day.

    python benchmarks/long_life.py [--days 30] [--turns 500] [--ledger-days 10]

Each turn records the user's message, lets capture read it, takes a turn of its session and records
the answer; some turns learn, recall or save. Every session lasts 25 turns. The process never closes
the file, as a server would not. After each night it is told how large the file is and its log, what
each table holds, how long turns took, and how much memory and how many descriptors are in use.

What must hold: the ledger stays within its days, free pages go back to the disk, turns of the last days
take no longer than those of the first in the same run, memory and descriptors do not grow.
`ledger_days` is 90 by default, longer than the month; the run uses 10, so that letting go shows.
Results go to results/long-life.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import cogmem

RESULTS = Path(__file__).resolve().parent / "results" / "long-life.json"
START = 1_800_000_000_000
DAY = 86_400_000
TURNS_OF_A_SESSION = 25
TOPICS = ("billing", "migration", "search", "onboarding", "release", "latency", "exports", "mobile")


class Month:
    """The agent and what it says; words follow Zipf, so that a few subjects come up all the time."""

    def __init__(self, memory: cogmem.Memory, seed: int) -> None:
        self.memory = memory
        self.draw = random.Random(seed)
        consonants, vowels = "bcdfglmnprstvz", "aeiou"
        syllables = [a + b for a in consonants for b in vowels]
        self.words = ["".join(self.draw.choices(syllables, k=3)) for _ in range(6_000)]
        self.turns = 0

    def word(self) -> str:
        return self.words[min(int(len(self.words) ** self.draw.random()), len(self.words) - 1)]

    def sentence(self, length: int) -> str:
        return " ".join(self.word() for _ in range(length))

    def turn(self, at: int) -> tuple[float, float]:
        """One turn; wall and CPU seconds of its activation."""
        memory, draw = self.memory, self.draw
        session = f"session-{self.turns // TURNS_OF_A_SESSION}"
        self.turns += 1
        topic = draw.choice(TOPICS)
        prompt = f"How do we handle {topic} {self.sentence(draw.randrange(4, 16))}?"
        if draw.random() < 0.03:
            prompt += f" Please always check {self.sentence(3)} before you start."
        talk = memory.conversation(session)
        talk.append("user", prompt, at=at)
        memory.capture(prompt, session=session, now=at)
        wall, cpu = time.perf_counter(), time.process_time()
        memory.activate(prompt, session=session, now=at)
        spent = time.perf_counter() - wall, time.process_time() - cpu
        talk.append("assistant", f"For {topic}: {self.sentence(40)}.", at=at)
        if draw.random() < 0.06:
            memory.learn(f"The {topic} of {self.sentence(7)} is known.", now=at)
        if draw.random() < 0.04:
            memory.recall(f"{topic} {self.sentence(3)}", now=at)
        if self.turns % TURNS_OF_A_SESSION == 0:
            talk.ingest()
        return spent


def resident_mb() -> float:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def by_table(memory: cogmem.Memory) -> dict[str, float]:
    """Megabytes of each table with its indexes; the shadows of a search index count as it."""
    rows = memory.db.ask(
        "select coalesce(s.tbl_name, d.name), sum(d.pgsize) from dbstat d"
        " left join sqlite_schema s on s.name = d.name group by 1"
    )
    sizes: dict[str, float] = {}
    for name, size in rows:
        for index in ("memory_fts", "message_fts", "document_fts"):
            if name.startswith(index):
                name = index
        sizes[name] = sizes.get(name, 0) + size / 1e6
    return {
        name: round(size, 2)
        for name, size in sorted(sizes.items(), key=lambda one: -one[1])
        if size >= 0.3
    }


def live(path: str, days: int, turns: int, ledger_days: int, seed: int) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    with cogmem.open(path, user="ada", project="lake") as memory:
        for name, value in (("ledger_days", str(ledger_days)), ("backups_kept", "1")):
            memory.store.set_setting(name, value, now=START)
        month = Month(memory, seed)
        for day in range(days):
            began = time.perf_counter()
            at = START + day * DAY
            spent = [month.turn(at + number * 60_000) for number in range(turns)]
            talked = time.perf_counter() - began
            began = time.perf_counter()
            night = memory.nightly(now=at + DAY - 3_600_000)
            slept = time.perf_counter() - began
            if not night.is_sound:
                print([job.note for job in night.jobs if job.outcome in ("stopped", "failed")])
            log = path + "-wal"
            found.append(
                {
                    "day": day,
                    "file_mb": round(os.path.getsize(path) / 1e6, 2),
                    "log_mb": round(os.path.getsize(log) / 1e6, 2) if os.path.exists(log) else 0,
                    "free_pages": memory.db.ask("pragma freelist_count")[0][0],
                    "turns_in_ledger": memory.db.ask("select count(*) from activation")[0][0],
                    "sessions": memory.db.ask("select count(*) from session")[0][0],
                    "memories": memory.db.ask("select count(*) from memory")[0][0],
                    "turn_p50_ms": round(statistics.median(wall for wall, _ in spent) * 1e3, 2),
                    "turn_cpu_p50_ms": round(statistics.median(cpu for _, cpu in spent) * 1e3, 2),
                    "turn_cpu_p95_ms": round(
                        sorted(cpu for _, cpu in spent)[int(turns * 0.95)] * 1e3, 2
                    ),
                    "talked_s": round(talked, 1),
                    "night_s": round(slept, 2),
                    "resident_mb": round(resident_mb(), 1),
                    "descriptors": descriptors(),
                }
            )
            print(json.dumps(found[-1]), file=sys.stderr, flush=True)
        sizes = by_table(memory)
        problems = memory.file.check()
    return {"days": found, "by_table_mb": sizes, "check": problems}


def summary(told: dict[str, Any], ledger_days: int) -> dict[str, Any]:
    """First and last days of one run: a busy machine is busy for both."""
    days = told["days"]
    span = max(1, min(5, len(days) // 3))
    settled = days[min(ledger_days, len(days) - span - 1) :]  # once the ledger is full

    def middle(some: list[dict[str, Any]], name: str) -> float:
        return float(statistics.median(day[name] for day in some))

    first, last = days[1 : 1 + span], days[-span:]
    grown = (settled[-1]["file_mb"] - settled[0]["file_mb"]) / max(1, len(settled) - 1)
    begun = settled[
        :span
    ]  # the file is no longer new, and the ledger lets go as much as it takes in
    return {
        "turn_cpu_p50_ms": {
            "first_days": middle(first, "turn_cpu_p50_ms"),
            "once_settled": middle(begun, "turn_cpu_p50_ms"),
            "last_days": middle(last, "turn_cpu_p50_ms"),
        },
        "last_to_settled": round(
            middle(last, "turn_cpu_p50_ms") / middle(begun, "turn_cpu_p50_ms"), 2
        ),
        "file_mb_a_day_once_settled": round(grown, 3),
        "file_mb_at_the_end": days[-1]["file_mb"],
        "largest_log_mb": max(day["log_mb"] for day in days),
        "most_free_pages": max(day["free_pages"] for day in days),
        "resident_mb": {
            "first_days": middle(first, "resident_mb"),
            "last_days": middle(last, "resident_mb"),
        },
        "descriptors": {"first": first[0]["descriptors"], "last": last[-1]["descriptors"]},
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--ledger-days", type=int, default=10)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="keep the figures in results/")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.db")
        told = live(path, options.days, options.turns, options.ledger_days, options.seed)
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "turns_a_day": options.turns,
        "ledger_days": options.ledger_days,
        "seed": options.seed,
        "turns": options.days * options.turns,
        "summary": summary(told, options.ledger_days),
        **told,
    }
    print(json.dumps({key: value for key, value in result.items() if key != "days"}, indent=1))
    if options.write:
        RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 1 if told["check"] else 0


if __name__ == "__main__":
    sys.exit(main())
