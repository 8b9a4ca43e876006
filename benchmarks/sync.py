"""What an exchange takes at each side: many small acts, one act about very many memories, and no news.

    python benchmarks/sync.py [--memories 20000] [--act 100000] [--dir FOLDER] [--write]

Each side is a process of its own, so its CPU seconds and its memory are its own: one gives into a folder and one
takes from there, or one gives to a hub, which is a third process, and one takes from it.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval import machine

import cogmem
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from typing import Any

RESULTS = Path(__file__).parent / "results" / "sync.json"
NOW = 1_800_000_000_000
TIMES = 50  # exchanges without news


def opened(path: str) -> cogmem.Memory:
    return cogmem.open(path, counter=counting.Simple())


def spent(began: float) -> dict[str, float]:
    """CPU of this process since then, and the most memory that it ever had."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"cpu_s": round(time.process_time() - began, 2), "mb": round(most / 1024)}


def make(path: str, count: int, at_once: int) -> dict[str, float]:
    """A memory of so many texts, learned in acts of so many."""
    texts = [
        (f"The host {number} of rack {number % 977} has number {number * 7919}.",)
        for number in range(count)
    ]
    with opened(path) as mem:
        for at in range(0, count, at_once):
            step = ("insert into remember (content) values (:text)", texts[at : at + at_once])
            mem.db.write([step], verb="import", actor="ann", at=NOW + at)
    return {}


def meet(path: str, target: str, count: int) -> dict[str, float]:
    with opened(path) as mem:
        began = time.process_time()
        mem.sync.exchange(target)
        told = spent(began)
        assert len(mem.list(limit=0)) == count, "not all of it arrived"
    return told


def no_news(path: str, target: str, _: int) -> dict[str, float]:
    with opened(path) as mem:
        for _ in range(2):
            mem.sync.exchange(target)
        began = time.process_time()
        for _ in range(TIMES):
            mem.sync.exchange(target)
        return {"cpu_ms": round(1000 * (time.process_time() - began) / TIMES, 2)}


def served(path: str, tokens: str, way: Connection) -> None:
    """A hub that tells what it spent since it was asked last."""
    with opened(path) as mem:
        hub = mem.sync.hub(tokens)
        threading.Thread(target=hub.serve_forever, daemon=True).start()
        way.send(f"http://localhost:{hub.server_address[1]}")
        began = time.process_time()
        while way.recv():
            way.send(spent(began))
            began = time.process_time()
        hub.shutdown()
        hub.server_close()


def apart(what: Callable[..., dict[str, float]], *given: Any) -> dict[str, float]:
    """What a function returns in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(what, given)


def both_ways(folder: Path, name: str, count: int, at_once: int) -> dict[str, Any]:
    from cogmem.sync.hub import new_token

    place = folder / name
    place.mkdir()
    made = str(place / "made.db")
    apart(make, made, count, at_once)
    found: dict[str, Any] = {"memories": count, "in_acts_of": at_once}
    there = f"{place / 'folder'}/"
    found["folder"] = {
        "give": apart(meet, made, there, count),
        "take": apart(meet, str(place / "other.db"), there, count),
        "no_news": apart(no_news, made, there, count),
    }
    print(name, json.dumps(found), file=sys.stderr)
    tokens = str(place / "tokens")
    os.environ["COGMEM_SYNC_TOKEN"] = new_token(tokens, "*")
    spawn = multiprocessing.get_context("spawn")
    way, theirs = spawn.Pipe()
    hub = spawn.Process(target=served, args=(str(place / "hub.db"), tokens, theirs))
    hub.start()
    url = way.recv()
    ways = {
        "give": (meet, made),
        "take": (meet, str(place / "third.db")),
        "no_news": (no_news, made),
    }
    found["hub"] = {}
    for step, (what, path) in ways.items():
        found["hub"][step] = apart(what, path, url, count)
        way.send(True)
        found["hub"][step]["at_the_hub"] = way.recv()
    way.send(False)
    hub.join()
    print(name, json.dumps(found["hub"]), file=sys.stderr)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--act", type=int, default=100_000)
    parser.add_argument("--dir", metavar="FOLDER", help="where the files are made, and taken away")
    parser.add_argument("--write", action="store_true", help="keep the results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.dir) as place:
        os.environ["XDG_STATE_HOME"] = f"{place}/state"
        found = {
            "machine": machine(),
            "acts": both_ways(Path(place), "acts", options.memories, 1),
            "one_act": both_ways(Path(place), "one act", options.act, options.act),
        }
    print(json.dumps(found, indent=1))
    if options.write:
        RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
