"""How long a night takes on a large memory, what it writes, and what turns feel of it.

    python benchmarks/night.py [--memories 1000000] [--share 0.01] [--spread] [--dir FOLDER]

A file of synthetic memories is made once (and kept for further runs in the same folder). Of its
memories one in fifty is an episode, one in a thousand repeats another to the letter, and `share` of them have
faded on the night that is measured. By default they faded in the order in which they were learned,
as they do when most memories are not used again; `--spread` scatters them over the whole file.

Measured are: the first night ever on the file (`share` of it is the backlog), the next week's night,
a dry run, and the 95th percentile of activate() in another process, quiet and during the night. The
largest size of the write-ahead log is sampled while the night runs. Results are JSON on stdout.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import cogmem
from cogmem.file.bulk import Bulk
from cogmem.file.pristine import pristine
from cogmem.text.lines import content_hash
from cogmem.tokens import counting as tokens

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

NOW = 1_800_000_000_000  # 2027-01-15 08:00 UTC
DAY = 86_400_000
WORDS = 40_000
# A fact of weight 0.9 falls below 0.1 after 3.17 half-lives of 90 days: 286 days without use.
FADES_AFTER = 286 * DAY


def rows(count: int, share: float, spread: bool, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Memories with Zipf words; the oldest `share` of them (or scattered ones) have faded by NOW."""
    draw = random.Random(seed)
    vocabulary = [
        "".join(
            draw.choice("bcdfghjklmnprstvwz") + draw.choice("aeiou")
            for _ in range(draw.randint(2, 4))
        )
        for _ in range(WORDS)
    ]
    weights = [1 / (rank + 3) for rank in range(WORDS)]
    drawn: list[str] = []
    row: dict[str, Any] = {}
    for number in range(count):
        if len(drawn) < 20:
            drawn = draw.choices(vocabulary, weights, k=20_000)
        words = [drawn.pop() for _ in range(draw.randint(6, 16))]
        text = f"{' '.join(words)} {number}."
        place = draw.random() if spread else number / count
        # Ages run from just faded at the oldest end to today at the newest one.
        age = (
            FADES_AFTER + 10 * DAY * draw.random()
            if place < share
            else (FADES_AFTER - 4 * DAY) * (1 - (place - share) / (1 - share))
        )
        at = NOW - int(age) + (0 if place < share else -DAY)
        if number % 1000 == 999:  # said again to the letter: duplicates for a night to merge
            yield {**row, "uid": f"mem_{number:016x}"}
            continue
        kind = "episode" if number % 50 == 0 else "fact"
        row = {
            "uid": f"mem_{number:016x}",
            "layer": "episodic" if kind == "episode" else "semantic",
            "kind": kind,
            "content": text,
            "tags": json.dumps([words[0]]) if number % 3 == 0 else "[]",
            "user": f"u{number % 5}",
            "project": f"p{number % 20}",
            "tokens": len(text) // 4,
            "token_counter": "simple",
            "content_hash": content_hash(text),
            "at": at,
        }
        yield row


INSERT = (
    "insert into memory (uid, layer, kind, content, tags, user, project, source, tokens, token_counter,"
    " content_hash, created_at, updated_at, reinforced_at) values (:uid, :layer, :kind, :content, :tags,"
    " :user, :project, 'observed', :tokens, :token_counter, :content_hash, :at, :at, :at)"
)


def make(path: str, count: int, share: float, spread: bool) -> None:
    """A file of `count` memories with search index, history and all else that triggers make."""
    with cogmem.open(path, counter=tokens.Simple()) as mem:

        def body(connection: Any) -> None:
            bulk = Bulk(connection, pristine())
            for row in rows(count, share, spread):
                connection.execute(INSERT, row)
            bulk.wake()
            connection.execute("update context set last_at = ?", (NOW - DAY,))

        mem.db.transact(body)
        mem.db.ask("pragma wal_checkpoint(truncate)")


TURNS = """
import json, os, random, sys, time, cogmem
path, seconds, now = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
draw, taken = random.Random(3), []
with cogmem.open(path, user="u1", project="p1") as mem:
    texts = [row[0] for row in mem.db.ask("select content from memory where id % 9973 = 1")]
    end = time.monotonic() + seconds
    print("ready", flush=True)
    while time.monotonic() < end and not os.path.exists(path + ".stop"):
        prompt = " ".join(draw.sample(draw.choice(texts).split(), 5))
        began = time.perf_counter()
        mem.activate(prompt, now=now + len(taken))
        taken.append((time.perf_counter() - began) * 1000)
        time.sleep(0.02)
taken.sort()
at = lambda share: round(taken[int(len(taken) * share)], 2)
print(json.dumps({"turns": len(taken), "p50": at(0.5), "p95": at(0.95), "worst": at(0.9999999)}))
"""


def turns(path: str, seconds: float) -> subprocess.Popen[str]:
    """A process that takes turns for a while, as a host would."""
    child = subprocess.Popen(
        [sys.executable, "-c", TURNS, path, str(seconds), str(NOW)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout
    child.stdout.readline()
    return child


NIGHT = """
import json, sys, time, cogmem
from cogmem.tokens import counting as tokens
path, now, dry = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "dry"
with cogmem.open(path, counter=tokens.Simple()) as mem:
    began = time.perf_counter()
    night = mem.nightly(now=now, dry_run=dry)
    took = time.perf_counter() - began
with open("/proc/self/status", encoding="ascii") as status:
    peak = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
print(json.dumps({
    "seconds": round(took, 2), "peak_mb": peak,
    "notices": night.notices,
    "jobs": {j.job: [j.outcome, j.changed, j.seconds, j.note] for j in night.jobs}}))
"""


def night(path: str, now: int, how: str = "real") -> dict[str, Any]:
    """One night in a process of its own, with the largest size of its log."""
    child = subprocess.Popen(
        [sys.executable, "-c", NIGHT, path, str(now), how], stdout=subprocess.PIPE, text=True
    )
    largest = 0
    stop = threading.Event()

    def sample() -> None:
        nonlocal largest
        while not stop.is_set():
            if os.path.exists(path + "-wal"):
                largest = max(largest, os.path.getsize(path + "-wal"))
            time.sleep(0.005)

    watcher = threading.Thread(target=sample)
    watcher.start()
    out = child.communicate()[0]
    stop.set()
    watcher.join()
    if child.returncode:
        raise SystemExit(child.returncode)
    found: dict[str, Any] = json.loads(out)
    found["wal_mb"] = round(largest / 1e6, 1)
    found["without_backup"] = round(found["seconds"] - found["jobs"]["95_back_up"][2], 2)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=1_000_000)
    parser.add_argument("--share", type=float, default=0.01)
    parser.add_argument("--spread", action="store_true")
    parser.add_argument("--dir", default="/tmp/cogmem-bench-night")
    options = parser.parse_args()
    os.makedirs(options.dir, exist_ok=True)
    made = os.path.join(
        options.dir, f"{options.memories}-{options.share}{'-spread' if options.spread else ''}.db"
    )
    if not os.path.exists(made):
        began = time.perf_counter()
        make(made + ".new.db", options.memories, options.share, options.spread)
        os.rename(made + ".new.db", made)
        print(f"made in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    path = os.path.join(options.dir, "night.db")
    for ending in ("", "-wal", "-shm", ".stop"):
        if os.path.exists(path + ending):
            os.unlink(path + ending)
    shutil.rmtree(path + ".backups", ignore_errors=True)
    shutil.copyfile(made, path)
    results: dict[str, Any] = {
        "memories": options.memories,
        "share": options.share,
        "file_mb": os.path.getsize(path) // 1_000_000,
    }
    results["dry_run"] = night(path, NOW, "dry")
    results["first"] = night(path, NOW)
    quiet = turns(path, 10).communicate()[0]
    results["quiet"] = json.loads(quiet)
    busy = turns(path, 600)
    results["next_week"] = night(path, NOW + 7 * DAY)
    with open(path + ".stop", "w", encoding="utf-8"):
        results["during"] = json.loads(busy.communicate()[0])
    os.unlink(path + ".stop")
    results["p95_ratio"] = round(results["during"]["p95"] / results["quiet"]["p95"], 2)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
