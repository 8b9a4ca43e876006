"""What a turn and a write cost by each way of keeping a memory, side by side in one run.

The same memory lies in a file; in a file that Litestream copies each second; in a file that syncs with another one;
and on three nodes of rqlite on the loopback. Turns and writes go from one to the next in changing order. Beside turns
without a pause, the turns of a person are measured, who thinks for a while: on a cluster each of them asks for news.
`make test-cluster` and `make test-litestream` fetch the two programs; without Litestream its row is left out.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median

from activate import build
from corpus import Corpus

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tests" / "cluster"))

TURNS, WRITES, THOUGHT_S = 200, 60, 0.12
WARM = 5  # of each way, which are not counted
COPIED = """dbs:
  - path: {path}
    monitor-interval: 200ms
    replica:
      type: file
      path: {path}.copy
      sync-interval: 1s
"""


@contextmanager
def litestream(file: Path) -> Iterator[bool]:
    """Copies a file for as long as the block lasts, if the program is here."""
    program = shutil.which("litestream")
    if program is None:
        yield False
        return
    config = file.with_suffix(".yml")
    config.write_text(COPIED.format(path=file))
    command = [program, "replicate", "-config", str(config)]
    copier = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(3)  # the first copy of the whole
        yield True
    finally:
        copier.terminate()
        copier.wait()


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
        file = folder / "file.db"
        questions = [prompt for prompt, *_ in build(str(file), size, Corpus())]
        begun = time.perf_counter()
        found["mb"] = round(moved(str(file), nodes.address)["bytes"] / 1e6)
        found["move_s"] = round(time.perf_counter() - begun, 1)
        for name in ("copied", "synced", "hub"):
            shutil.copy(file, folder / f"{name}.db")
        with litestream(folder / "copied.db") as is_copied:
            ways = {
                "file": file,
                **({"litestream": folder / "copied.db"} if is_copied else {}),
                "sync": folder / "synced.db",
                "cluster": nodes.address,
            }
            opened = {
                name: cogmem.open(place, counter=counting.Simple()) for name, place in ways.items()
            }
            took: dict[str, list[float]] = {}

            def measure(what: str, count: int, do: Callable[[cogmem.Memory, str], object]) -> None:
                names = list(opened)
                for number in range(count + WARM):
                    if what == "a turn after a pause":
                        time.sleep(THOUGHT_S)
                    names.append(names.pop(0))
                    for name in names:
                        begun = time.perf_counter()
                        do(opened[name], f"{number} of {name}")
                        if number >= WARM:
                            spent = took.setdefault(f"{name}: {what}", [])
                            spent.append(time.perf_counter() - begun)

            asked = iter(range(1 << 30))

            def ask(mem: cogmem.Memory, _: str) -> object:
                return mem.activate(
                    questions[next(asked) // len(opened) % len(questions)], session="s"
                )

            def write(mem: cogmem.Memory, name: str) -> object:
                return mem.learn(f"Heron {name} waits at the lake.")

            measure("a turn", TURNS, ask)
            measure("a turn after a pause", WRITES, ask)
            opened["sync"].sync.exchange(str(folder / "hub.db"))
            measure("a write", WRITES, write)
            begun = time.perf_counter()
            sent = opened["sync"].sync.exchange(str(folder / "hub.db")).sent
            found["exchange"] = {"acts": sent, "s": round(time.perf_counter() - begun, 2)}
            for mem in opened.values():
                mem.close()
        found["ms"] = {
            name: {
                "p10": round(sorted(times)[len(times) // 10] * 1e3, 2),
                "p50": round(median(times) * 1e3, 2),
                "p95": round(sorted(times)[int(len(times) * 0.95)] * 1e3, 2),
            }
            for name, times in took.items()
        }
    finally:
        nodes.stop()
        with suppress(OSError):
            shutil.rmtree(folder)
    text = json.dumps(found, indent=1)
    print(text)
    if "--write" in sys.argv:
        (HERE / "results" / "cluster.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
