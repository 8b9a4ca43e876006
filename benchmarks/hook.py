"""What a hook costs its host: whole processes, from exec to exit, against a bare interpreter.

    python benchmarks/hook.py [MEMORIES] [ROUNDS]        (100000 and 40 when not given)

Every round runs each case once, in turn, so that a busy machine slows all of them alike; figures are
kept in results/hook.json with --write. The file is made anew for each run, with words drawn from a Zipf
distribution and a fixed seed.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

import cogmem  # noqa: E402
from cogmem.hosts import build, caller  # noqa: E402
from cogmem.hosts.command import Ask, command  # noqa: E402
from cogmem.hosts.faults import log_file  # noqa: E402
from cogmem.text.lines import content_hash  # noqa: E402

GOAL = 2.5  # times a bare interpreter
RESULTS = os.path.join(ROOT, "benchmarks", "results", "hook.json")
DAY = 86_400_000


def vocabulary(rng: random.Random, size: int = 30_000) -> list[str]:
    """Words that can be spoken, each once."""
    found: dict[str, None] = {}
    while len(found) < size:
        pairs = range(rng.choice((2, 3, 3, 4)))
        found["".join(rng.choice("bcdfghjklmnprstvz") + rng.choice("aeiou") for _ in pairs)] = None
    return list(found)


def make(path: str, count: int) -> list[str]:
    """A file of so many memories; returns its words, the commonest first."""
    rng = random.Random(7)
    words = vocabulary(rng)
    weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(len(words))))
    kinds = [("fact", "semantic")] * 6 + [("decision", "semantic"), ("pitfall", "semantic")]
    kinds += [("preference", "semantic"), ("episode", "episodic")]
    now = time.time_ns() // 1_000_000
    with cogmem.open(path) as mem:
        rows = []
        for number in range(1, count + 1):
            kind, layer = rng.choice(kinds)
            text = " ".join(rng.choices(words, cum_weights=weights, k=rng.randint(8, 24)))
            priority = 3 if kind == "preference" and rng.random() < 0.0008 else 1
            at = now - rng.randint(0, 200) * DAY
            rows.append(
                (
                    f"mem_{number:016x}",
                    layer,
                    kind,
                    text,
                    priority,
                    len(text) // 3,
                    "upper",
                    content_hash(text),
                    at,
                    at,
                    at,
                )
            )

        def body(connection: object) -> None:
            connection.executemany(  # type: ignore[attr-defined]
                "insert into memory (uid, layer, kind, content, priority, tokens, token_counter,"
                " content_hash, created_at, updated_at, reinforced_at)"
                " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            connection.execute("insert into memory_fts (memory_fts) values ('optimize')")  # type: ignore[attr-defined]

        mem.db.transact(body)
        mem.db.ask("analyze")
    return words


def spent_by(command_words: list[str], event: bytes) -> tuple[float, float, bytes]:
    """Wall and CPU milliseconds of one process, and what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(command_words, input=event, capture_output=True, check=True)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return wall * 1_000, cpu * 1_000, done.stdout


def figures(
    walls: list[float], cpus: list[float], bare: list[float], bare_cpu: list[float]
) -> dict[str, float]:
    """What is kept of one case; ratios are to the bare interpreter of the same rounds."""
    wall, base = statistics.median(walls), statistics.median(bare)
    return {
        "p50_ms": round(wall, 1),
        "p95_ms": round(statistics.quantiles(walls, n=20)[-1], 1),
        "best_ms": round(min(walls), 1),
        "ratio": round(wall / base, 2),
        "best_ratio": round(min(walls) / min(bare), 2),
        "cpu_ratio": round(statistics.median(cpus) / statistics.median(bare_cpu), 2),
    }


def end_resident(path: str) -> None:
    """End the process that stayed; its number stands in its lock."""
    try:
        with open(f"{caller.socket_of(path)}.lock", encoding="utf-8") as file:
            number = int(file.read())
        os.kill(number, signal.SIGTERM)
    except (OSError, ValueError):
        return


def main() -> None:
    """Make the file, run the cases, print a line for each."""
    given = [int(word) for word in sys.argv[1:] if word.isdigit()]
    count, rounds = given + [100_000, 40][len(given) :]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.db")
        words = make(path, count)
        rng = random.Random(11)
        library = (
            f"import sys; sys.path.insert(0, {ROOT!r}); import cogmem;"
            f" mem = cogmem.open({path!r}); mem.activate(sys.argv[1], session='bench');"
            " mem.close()"
        )
        # The process that stays is started by the first hook that finds nobody, and ends with the folder.
        os.environ["TMPDIR"] = os.path.join(folder, "run")
        os.mkdir(os.environ["TMPDIR"])
        os.environ.pop("XDG_RUNTIME_DIR", None)
        os.environ["XDG_STATE_HOME"] = folder
        asks = Ask(path, False, True, True, build.program())
        by_python = Ask(path, False, True, True)
        cases = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "python -I -S -c pass": [sys.executable, "-I", "-S", "-c", "pass"],
            "hook prompt": command("prompt", "claude-code", path),
            "hook before a tool": command("before", "claude-code", path),
            "resident, C: start": asks.words("start", "claude-code"),
            "resident, C: prompt": asks.words("prompt", "claude-code"),
            "resident, C: before a tool": asks.words("before", "claude-code"),
            "resident, Python: prompt": by_python.words("prompt", "claude-code"),
            "resident, C: stop": asks.words("stop", "claude-code"),
            "open + activate": [sys.executable, "-c", library],
        }
        walls: dict[str, list[float]] = {name: [] for name in cases}
        cpus: dict[str, list[float]] = {name: [] for name in cases}
        first: dict[str, float] = {}  # with cold caches; with a resident: while it is begun
        silent = 0
        loads = [round(os.getloadavg()[0], 1)]
        for number in range(rounds + 1):  # the first warms the caches and is not counted
            said = "how do I " + " ".join(rng.sample(words[50:3_000], rng.randint(2, 8)))
            tool = {"command": f"make {rng.choice(words[50:3_000])}"}  # nothing is known of it
            event = json.dumps(
                {
                    "session_id": "bench",
                    "cwd": folder,
                    "prompt": said,
                    "tool_name": "Bash",
                    "tool_input": tool,
                }
            ).encode()
            for name, words_of in cases.items():
                prompt = [said] if name == "open + activate" else []
                wall, cpu, answer = spent_by([*words_of, *prompt], event)
                if not number:
                    first[name] = round(wall, 1)
                else:
                    walls[name].append(wall)
                    cpus[name].append(cpu)
                    silent += name == "hook prompt" and not answer
        loads.append(round(os.getloadavg()[0], 1))
        end_resident(path)
        faults = log_file(path)
        if os.path.exists(faults):
            with open(faults, encoding="utf-8") as file:
                print("faults:", file.read())
    bare = "python -c pass"
    kept: dict[str, Any] = {
        "machine": f"{os.uname().machine}, {os.cpu_count()} cores, Python {sys.version.split()[0]}",
        "load": loads,
        "memories": count,
        "rounds": rounds,
        "without_answer": silent,
    }
    print(f"{count} memories, {rounds} rounds, load {loads}, without an answer: {silent}")
    for name in cases:
        one = figures(walls[name], cpus[name], walls[bare], cpus[bare])
        one["first_ms"] = first[name]
        kept[name] = one
        print(
            f"{name:26} first {one['first_ms']:6.1f} ms  p50 {one['p50_ms']:6.1f} ms"
            f"  p95 {one['p95_ms']:6.1f} ms  × bare:"
            f" {one['ratio']:4.2f}, best of all {one['best_ratio']:4.2f}, CPU {one['cpu_ratio']:4.2f}"
        )
    ratio = kept["hook prompt"]["ratio"]
    print(f"goal: hook <= {GOAL} x bare: {'met' if ratio <= GOAL else 'missed'}")
    if "--write" in sys.argv:
        with open(RESULTS, "w", encoding="utf-8") as file:
            file.write(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
