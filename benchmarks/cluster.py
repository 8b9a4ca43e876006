"""What a turn and a write cost on a file and on a cluster of three nodes, side by side in one run.

The same memory lies in a file and on nodes on the loopback, which `make test-cluster` fetches. Turns and writes
alternate between the two. Beside turns without a pause, the turns of a person are measured, who thinks for a
while: each of them asks the leader for news.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from activate import build
from corpus import Corpus

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tests" / "cluster"))

TURNS, WRITES, THOUGHT_S = 200, 60, 0.12


def main() -> None:
    from nodes import Nodes, program

    import cogmem
    from cogmem.exchange.moving import moved
    from cogmem.tokens import counting

    if not program():
        sys.exit(
            "rqlite is not here: COGMEM_RQLITED names the program; make test-cluster fetches it"
        )
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()]
    size = sizes[0] if sizes else 100_000
    folder = Path(tempfile.mkdtemp(prefix="cogmem-cluster-"))
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    nodes = Nodes(program(), folder)
    found: dict[str, object] = {"memories": size}
    try:
        nodes.start()
        questions = [prompt for prompt, *_ in build(str(folder / "file.db"), size, Corpus())]
        begun = time.perf_counter()
        found["mb"] = round(moved(str(folder / "file.db"), nodes.address)["bytes"] / 1e6)
        found["move_s"] = round(time.perf_counter() - begun, 1)
        both = {
            "file": cogmem.open(folder / "file.db", counter=counting.Simple()),
            "cluster": cogmem.open(nodes.address, counter=counting.Simple()),
        }
        took: dict[str, list[float]] = {}
        for number in range(TURNS):
            for name, mem in both.items():
                begun = time.perf_counter()
                mem.activate(questions[number % len(questions)], session="s")
                took.setdefault(f"{name}: a turn", []).append(time.perf_counter() - begun)
        for number in range(WRITES):
            time.sleep(THOUGHT_S)
            for name, mem in both.items():
                begun = time.perf_counter()
                mem.activate(questions[number % len(questions)], session="t")
                took.setdefault(f"{name}: a turn after a pause", []).append(
                    time.perf_counter() - begun
                )
        for number in range(WRITES):
            for name, mem in both.items():
                begun = time.perf_counter()
                mem.learn(f"Heron {number} of {name} waits at lake {number * 7919}.")
                took.setdefault(f"{name}: a write", []).append(time.perf_counter() - begun)
        for mem in both.values():
            mem.close()
        found["ms"] = {
            name: {
                "p50": round(median(times) * 1e3, 2),
                "p95": round(sorted(times)[int(len(times) * 0.95)] * 1e3, 2),
            }
            for name, times in took.items()
        }
    finally:
        nodes.stop()
        shutil.rmtree(folder)
    text = json.dumps(found, indent=1)
    print(text)
    if "--write" in sys.argv:
        (HERE / "results" / "cluster.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
