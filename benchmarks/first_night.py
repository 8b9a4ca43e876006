"""The first night over talk that nobody has heard, at several sizes in one run, and the night after a day of talk.

    python benchmarks/first_night.py --data DIR [--sizes 1000,10000,100000] [--folder DIR]

The messages are those of the conversations in DIR (the form of retrieval.py), the same share of each file at every
size. They are recorded at once, as an import records them. Processor seconds of each job tell which one does not grow
with the talk. A night hears so many messages and no more: `left` wait for the next one. `day` is the night after 300
messages more, once all of the backlog is taken for heard; it is no night that tries to bring a backup back, as one in
seven does. `file_to_text` is the file beside the bytes of its text.
JSON on stdout.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cogmem
from cogmem.hear.catch_up import A_NIGHT

DAY = 86_400_000
OF_A_DAY = 300  # messages
KEPT = 0.05  # seconds of a job that is told

Said = tuple[str, str, str, str | None, int]


def instant(text: str) -> int:
    at = datetime.fromisoformat(text)
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)


def talk(folder: Path) -> list[list[Said]]:
    """The messages of each file: conversation, role, text, speaker, instant."""
    files = []
    for name in sorted(folder.glob("*.jsonl.gz")):
        rows: list[Said] = []
        with gzip.open(name, "rt", encoding="utf-8") as lines:
            for one in map(json.loads, lines):
                for item in one["items"]:
                    who = item["speaker"]
                    role, speaker = (who, None) if who in ("user", "assistant") else ("user", who)
                    place = f"{name.name} {one['id']} {item['session']}"
                    rows.append((place, role, item["text"], speaker, instant(item["at"])))
        files.append(rows)
    return files


def share(files: list[list[Said]], size: int) -> list[Said]:
    total = sum(map(len, files))
    return [row for rows in files for row in rows[: round(len(rows) * size / total)]]


def record(mem: cogmem.Memory, rows: list[Said]) -> None:
    by_place: dict[str, list[Said]] = {}
    for row in rows:
        by_place.setdefault(row[0], []).append(row)
    for place, said in by_place.items():
        mem.conversation(place).extend([(*row[1:], None) for row in said])


def night(mem: cogmem.Memory, now: int) -> dict[str, Any]:
    busy: dict[str, float] = {}
    began, at = time.process_time(), ""

    def tell(job: str, *_: int) -> None:
        nonlocal began, at
        if job != at:
            busy[at] = round(time.process_time() - began, 2)
            began, at = time.process_time(), job

    started = time.process_time()
    mem.nightly(now=now, force=True, progress=tell)
    told = {job: seconds for job, seconds in busy.items() if job and seconds >= KEPT}
    return {"cpu_s": round(time.process_time() - started, 2), "jobs": told}


def measure(files: list[list[Said]], size: int, path: str) -> dict[str, Any]:
    rows = share(files, size)
    text = sum(len(row[2].encode()) for row in rows)
    latest = max(row[4] for row in rows)
    with cogmem.open(path) as mem:
        record(mem, rows)
        mem.db.ask("pragma wal_checkpoint(truncate)")
        found: dict[str, Any] = {
            "messages": len(rows),
            "file_to_text": round(os.path.getsize(path) / text, 2),
        }
        found["first"] = night(mem, latest + DAY)
        found["left"] = max(0, len(rows) - A_NIGHT)
        mem.db.ask("update conversation set captured_seq = next_seq")
        more = [row for of_file in files for row in of_file[-OF_A_DAY // len(files) :]]
        record(mem, [("day", *row[1:4], latest + DAY + at) for at, row in enumerate(more)])
        found["day"] = night(mem, latest + 2 * DAY)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--folder")
    options = parser.parse_args()
    load = [round(os.getloadavg()[0], 1)]
    files = talk(options.data)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        sizes = map(int, options.sizes.split(","))
        found = {
            str(size): measure(files, size, os.path.join(folder, f"{size}.db")) for size in sizes
        }
    load.append(round(os.getloadavg()[0], 1))
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(
        json.dumps({"machine": machine, "load": load, "a_night": A_NIGHT, "sizes": found}, indent=1)
    )


if __name__ == "__main__":
    main()
