"""A whole turn at 10 k, 100 k and 1 M memories, beside what else one could do with the same file.

    python benchmarks/activate.py [--sizes 10000,100000,1000000] [--folder DIR]

Memories and prompts are synthetic (corpus.py): Zipf words, topics, one planted answer per prompt.
Everything runs in one process. Lines are taken to cost a token per four letters, as English does.
`turn` is mem.activate() whole: cue, candidates, exact scores, layers, rendering and the ledger
row; every prompt is asked for the first time, as in a conversation that moves on, and nothing else
runs between, as a naive search of a large file leaves nothing of it in SQLite's memory.
`naive` is FTS5 with all words joined by OR, `no stop words` the same without function words.
Hits count the planted answer among the ten best (naive) or in the rendered block (turn).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corpus import STOP, Corpus
from rivals import RIVALS

import cogmem

NOW = 1_800_000_000_000
RESULTS = Path(__file__).resolve().parent / "results" / "activate.json"
QUESTIONS = 200


def build(path: str, size: int, corpus: Corpus) -> list[tuple[str, str, str]]:
    """A space of `size` memories, written in bulk through all its triggers; returns the questions."""
    questions = corpus.questions(QUESTIONS)
    place = {int((i + 0.5) * size / QUESTIONS): i for i in range(QUESTIONS)}
    kinds = ("fact", "decision", "workflow", "pitfall", "episode", "procedure")
    layers = {"episode": "episodic", "procedure": "procedural"}
    with cogmem.open(path) as mem:

        def body(connection: object) -> None:
            connection.execute(CONTEXT, (NOW, NOW))
            for i, (content, tag, key, glob, terms) in enumerate(corpus.memories(size)):
                if i in place:
                    content, tag, key, glob, terms = questions[place[i]][1], "", "", "", ""
                kind = kinds[0] if i in place or i % 20 else kinds[(i // 20) % 6]
                at = NOW - (i * 7919 % 80) * 86_400_000
                connection.execute(
                    INSERT,
                    (
                        f"mem_{i:016x}",
                        layers.get(kind, "semantic"),
                        kind,
                        key,
                        content,
                        f'["{tag}"]' if tag else "[]",
                        terms,
                        glob,
                        len(content) // 4 + 4,
                        f"{i:032x}",
                        at,
                        at,
                        at,
                    ),
                )
            for i in range(12):
                content = f"Policy number {i}: keep the {corpus.vocab[400 + i]} green."
                cost = len(content) // 4 + 4
                row = (f"mem_{size + i:016x}", "semantic", "policy", "", content, "[]", "", "")
                connection.execute(INSERT, (*row, cost, f"{size + i:032x}", NOW, NOW, NOW))
            connection.execute("update memory set priority = 4 where kind = 'policy'")
            connection.execute(
                "update context set act = null, verb = null, actor = null, acted_at = null where id = 1"
            )

        mem.db.transact(body)
        mem.db.ask("insert into memory_fts (memory_fts) values ('optimize')")
        mem.db.ask("delete from common_term")
        mem.db.ask(
            "insert into common_term (term, documents) select term, doc from memory_term where doc >= 64"
        )
        mem.db.ask("pragma wal_checkpoint(truncate)")
    return questions


CONTEXT = (
    "update context set act = 'act_build', verb = 'import', actor = 'bench', acted_at = ?, last_at = ?"
    " where id = 1"
)
INSERT = (
    "insert into memory (uid, layer, kind, key, content, tags, terms, path_glob, tokens, token_counter,"
    " content_hash, created_at, updated_at, reinforced_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'o200k', ?, ?, ?, ?)"
)


def figures(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        "p50_ms": round(ordered[len(ordered) // 2] * 1e3, 3),
        "p95_ms": round(ordered[int(len(ordered) * 0.95)] * 1e3, 3),
        "mean_ms": round(statistics.fmean(ordered) * 1e3, 3),
    }


def measure(path: str, questions: list[tuple[str, str, str]], naive: int) -> dict[str, object]:
    times: dict[str, list[float]] = {"turn": [], "naive": [], "no stop words": []}
    hits: dict[str, list[bool]] = {name: [] for name in times}
    both: list[tuple[bool, bool]] = []
    stop = set(STOP)
    with cogmem.open(path) as mem:
        for prompt, _, _ in questions[:20]:
            mem.activate(prompt, now=NOW)
        for prompt, answer, _ in questions:
            start = time.perf_counter()
            text = mem.activate(prompt, now=NOW).text
            times["turn"].append(time.perf_counter() - start)
            hits["turn"].append(answer in text)
        for number, (prompt, answer, _) in enumerate(questions[:naive]):
            words = list(dict.fromkeys(prompt.split()))
            for name, kept in (
                ("naive", words),
                ("no stop words", [w for w in words if w not in stop]),
            ):
                match = " OR ".join(f'"{word}"' for word in kept)
                start = time.perf_counter()
                rows = mem.db.ask(
                    "select m.content from (select rowid from memory_fts where memory_fts match :match"
                    " order by rank limit 10) f join memory m on m.id = f.rowid",
                    {"match": match},
                )
                times[name].append(time.perf_counter() - start)
                hits[name].append((answer,) in rows)
            both.append((hits["turn"][number], hits["naive"][-1]))
    result: dict[str, object] = {}
    for name, taken in times.items():
        result[name] = {
            **figures(taken),
            "hits": round(sum(hits[name]) / len(hits[name]), 3),
            "prompts": len(taken),
        }
    result["same prompts"] = {
        "turn": round(sum(a for a, _ in both) / len(both), 3),
        "naive": round(sum(b for _, b in both) / len(both), 3),
    }
    return result


FRESH = "import cogmem; m = cogmem.open({path!r}); m.activate({prompt!r}); m.close()"


def fresh(path: str, prompt: str, rounds: int = 15) -> dict[str, float]:
    """A new process that opens the file and takes one turn, against one that does nothing."""
    bare, turn = [], []
    # What was compiled once is compiled for every later process, unless the environment forbids it.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for number in range(rounds + 1):
        for code, kept in (("pass", bare), (FRESH.format(path=path, prompt=prompt), turn)):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, env=env)
            if number:
                kept.append(time.perf_counter() - start)
    return {
        "bare_ms": round(statistics.median(bare) * 1e3, 1),
        "turn_ms": round(statistics.median(turn) * 1e3, 1),
        "ratio": round(statistics.median(turn) / statistics.median(bare), 2),
    }


RSS = (
    "import cogmem, json, sys; m = cogmem.open(sys.argv[1])\n"
    "for p in json.load(sys.stdin): m.activate(p)\n"
    "print(next(l for l in open('/proc/self/status') if l.startswith('VmHWM')).split()[1])"
)


def memory_mb(path: str, questions: list[tuple[str, str, str]]) -> float:
    """Peak resident memory of a process that takes a hundred turns."""
    given = json.dumps([prompt for prompt, _, _ in questions[:100]])
    command = [sys.executable, "-c", RSS, path]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return round(int(done.stdout) / 1024, 1)


def beside(
    size: int, questions: list[tuple[str, str, str]], corpus: Corpus, count: int
) -> dict[str, object]:
    """The same texts in other stores, where they are installed."""
    found: dict[str, object] = {}
    place = {int((i + 0.5) * size / QUESTIONS): i for i in range(QUESTIONS)}
    for name, make in RIVALS.items():
        with tempfile.TemporaryDirectory() as folder:
            texts = (
                questions[place[i]][1] if i in place else row[0]
                for i, row in enumerate(corpus.memories(size))
            )
            start = time.perf_counter()
            try:
                search = make(folder, texts)
            except Exception as error:  # a rival that cannot run here is said, not hidden
                found[name] = f"does not run here: {type(error).__name__}: {error}"
                continue
            if search is None:
                found[name] = "not installed"
                continue
            built = time.perf_counter() - start
            times, hits = [], []
            for prompt, answer, _ in questions[:count]:
                start = time.perf_counter()
                hits.append(answer in search(prompt))
                times.append(time.perf_counter() - start)
            found[name] = {
                **figures(times),
                "hits": round(sum(hits) / len(hits), 3),
                "prompts": len(times),
                "build_s": round(built, 1),
            }
    return found


def cacheable() -> float:
    """The share of a session's prompt bytes that stayed the same: 100 turns, a rule learned in every tenth."""
    kept = whole = 0
    with cogmem.open(":memory:") as mem:
        for number in range(20):
            mem.learn(f"House rule {number} is kept by everyone here.", kind="policy", now=NOW)
            mem.learn(f"The walrus of pond {number} eats {number} fish a day.", now=NOW)
        for turn in range(100):
            if turn % 10 == 9:
                mem.learn(f"Rule number {turn} was learned.", kind="policy", now=NOW + turn)
            got = mem.activate(
                f"what does the walrus of pond {turn % 20} eat", session="s", now=NOW + turn
            )
            kept += len(got.stable.encode())
            whole += len(got.text.encode())
    return round(kept / whole, 3)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--folder", help="keep and reuse the built files here")
    parser.add_argument(
        "--naive", type=int, default=60, help="prompts that the slow rivals answer too"
    )
    parser.add_argument(
        "--beside", type=int, default=100_000, help="largest size that other stores are filled to"
    )
    parser.add_argument("--write", action="store_true", help="keep the figures in results/")
    options = parser.parse_args()
    corpus = Corpus()
    results: dict[str, object] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    }
    results["cacheable share of a session's memory bytes"] = cacheable()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        for size in map(int, options.sizes.split(",")):
            path = os.path.join(folder, f"turn-{size}.db")
            start = time.perf_counter()
            questions = (
                build(path, size, corpus)
                if not os.path.exists(path)
                else corpus.questions(QUESTIONS)
            )
            built = time.perf_counter() - start
            row = measure(path, questions, options.naive)
            row["build_s"] = round(built, 1)
            row["fresh process"] = fresh(path, questions[0][0])
            row["rss_mb"] = memory_mb(path, questions)
            if size <= options.beside:
                row["beside"] = beside(size, questions, corpus, options.naive)
            results[str(size)] = row
            print(size, json.dumps(row, indent=1), flush=True)
    if options.write:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
