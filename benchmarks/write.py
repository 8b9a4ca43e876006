"""What writing costs: learn() on a large store, capture of a message and of a pasted log, and judging.

    python benchmarks/write.py [--memories 100000] [--writes 3000] [--file PATH]

Prints one JSON document. The store is made of sentences whose words follow Zipf's law, which are imported; what is
measured is learned beside them. It is kept in PATH for the next run, if one is given.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import cogmem
from cogmem.errors import GuardRefused
from cogmem.hear import capture
from cogmem.language.similarity import classify, embed

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = 1_800_000_000_000
FIXTURES = Path(__file__).resolve().parents[1] / "tests" / "fixtures"
SYLLABLES = [
    "ba",
    "be",
    "bi",
    "bo",
    "bu",
    "da",
    "de",
    "di",
    "do",
    "du",
    "ka",
    "ke",
    "ki",
    "ko",
    "ku",
    "la",
    "le",
    "li",
    "lo",
    "lu",
    "ma",
    "me",
    "mi",
    "mo",
    "mu",
    "na",
    "ne",
    "ni",
    "no",
    "nu",
]


def vocabulary(dice: random.Random, size: int = 30_000) -> tuple[list[str], list[float]]:
    """Words that look like words, and how often each is used."""
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(dice.choices(SYLLABLES, k=dice.randint(2, 5)))] = None
    return list(words), [1 / (rank + 3) for rank in range(size)]


def sentences(dice: random.Random, count: int) -> list[str]:
    words, weights = vocabulary(random.Random(1))
    drawn = iter(dice.choices(words, weights, k=count * 14))
    return [
        " ".join(next(drawn) for _ in range(dice.randint(6, 14))).capitalize() + "."
        for _ in range(count)
    ]


def fill(memory: cogmem.Memory, count: int) -> float:
    there = memory.db.ask("select count(*) from memory")[0][0]
    texts = sentences(random.Random(2), count)[there:]
    started = time.perf_counter()
    if texts:
        lines = (json.dumps({"content": text, "kind": "fact"}) for text in texts)
        memory.file.import_(lines, now=NOW)
        memory.file.rebuild()  # the table of common words, as a night makes it
    return len(texts) / (time.perf_counter() - started) if texts else 0.0


def timed(work: list[float]) -> dict[str, float]:
    ordered = sorted(work)
    return {
        "p50_ms": round(statistics.median(ordered) * 1000, 3),
        "p95_ms": round(ordered[int(len(ordered) * 0.95)] * 1000, 3),
        "per_second": round(len(ordered) / sum(ordered)),
    }


def learning(memory: cogmem.Memory, writes: int) -> dict[str, object]:
    """Single durable writes: each a transaction of its own, synchronous NORMAL."""
    texts = sentences(random.Random(int(time.time())), writes)
    new: list[float] = []
    again: list[float] = []
    memory.learn("The first write loads what all others use.", now=NOW)
    busy = time.process_time()
    for text in texts:
        started = time.perf_counter()
        memory.learn(text, now=NOW)
        new.append(time.perf_counter() - started)
    busy = time.process_time() - busy
    for text in texts[: writes // 3]:
        started = time.perf_counter()
        memory.learn(text + " Indeed", now=NOW)
        again.append(time.perf_counter() - started)
    return {
        "new": timed(new),
        "cpu_ms_each": round(busy / writes * 1000, 3),
        "nearly_the_same": timed(again),
    }


def capturing(memory: cogmem.Memory) -> dict[str, object]:
    corpus = [
        json.loads(line) for line in (FIXTURES / "capture_corpus.jsonl").open(encoding="utf-8")
    ]
    idle = [row["text"] for row in corpus if not row["expect"]]
    telling = [row["text"] for row in corpus if row["expect"]]
    dice = random.Random(3)
    prose = iter(sentences(random.Random(5), 20_000))

    def messages(fill: Callable[[], str]) -> list[str]:
        """A long message has one thing to keep and much else."""
        found = []
        while len(found) < 200:
            text = dice.choice(telling) + "\n"
            while len(text) < 2000:
                text += fill() + " "
            found.append(text[:2000])
        return found

    # What the rules nearly match is chosen to be hard for them; people write little of it.
    kinds = {
        "": messages(lambda: next(prose)),
        "_of_near_misses": messages(lambda: dice.choice(idle)),
    }
    rules = memory.listener.rules()
    fifty = capture.compile_rules(memory.db.read("listen.rules")[:50])
    result: dict[str, object] = {}
    for name, used in (("all_rules", rules), ("fifty_rules", fifty)):
        for kind, found in kinds.items():
            spent = []
            for message in found:
                started = time.perf_counter()
                used.match(message)
                spent.append(time.perf_counter() - started)
            result[f"match_2_kB{kind}_{name}"] = timed(spent)
    log = "\n".join(
        line
        for path in sorted((FIXTURES / "logs").iterdir())
        for line in path.read_text().splitlines()
    )
    log = (log * (1_000_000 // len(log) + 1))[:1_000_000]
    spent = []
    for _ in range(5):
        started = time.perf_counter()
        memory.capture(log, at=NOW)
        spent.append(time.perf_counter() - started)
    result["capture_of_a_1_MB_log"] = timed(spent)
    heard = []
    for message in kinds["_of_near_misses"][:100]:
        started = time.perf_counter()
        memory.capture(message, at=NOW)
        heard.append(time.perf_counter() - started)
    result["capture_and_learn_2_kB"] = timed(heard)
    return result


def judging() -> dict[str, object]:
    """Of texts that meet a related one: how many a model would be asked about; asking always is 1."""
    asked = total = false_merges = joined = 0
    for name in ("contradictions", "duplicates"):
        for line in (FIXTURES / f"{name}.jsonl").open(encoding="utf-8"):
            pair = json.loads(line)
            verdict = classify(pair["b"], [("a", pair["a"], embed(pair["a"]))])
            total += 1
            asked += verdict.action == "judge"
            merged = verdict.action in ("merge", "reinforce")
            joined += merged and name == "duplicates"
            false_merges += merged and name == "contradictions"
    return {
        "pairs": total,
        "judged": asked,
        "saved_on_pairs": round(1 - asked / total, 3),
        "false_merges": false_merges,
        "duplicates_joined": joined,
    }


def judged_in_a_stream() -> dict[str, object]:
    """The same for a stream of what people say: the messages that rules captured, as one store."""

    class Counting:
        name = "counting"
        calls = 0

        def complete(self, *_: object, **__: object) -> str:
            self.calls += 1
            return "add"

    model = Counting()
    with cogmem.open(":memory:", model=model) as memory:
        memory.store.set_setting("model_calls_per_day", "100000", now=NOW)
        writes = refused = 0
        for line in (FIXTURES / "capture_corpus.jsonl").open(encoding="utf-8"):
            for expected in json.loads(line)["expect"]:
                try:
                    memory.learn(expected["text"], expected["kind"], now=NOW)
                    writes += 1
                except GuardRefused:
                    refused += 1
    return {
        "writes": writes,
        "refused": refused,
        "model_calls": model.calls,
        "saved": round(1 - model.calls / writes, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--writes", type=int, default=3_000)
    parser.add_argument("--file")
    options = parser.parse_args()
    loads = [os.getloadavg()[0]]
    with (
        tempfile.TemporaryDirectory() as folder,
        cogmem.open(options.file or os.path.join(folder, "write.db")) as memory,
    ):
        filled = fill(memory, options.memories)
        result = {
            "memories": memory.db.ask("select count(*) from memory")[0][0],
            "filled_per_second": round(filled),
            "learn": learning(memory, options.writes),
            "capture": capturing(memory),
            "judge_on_fixtures": judging(),
            "judge_in_a_stream": judged_in_a_stream(),
            "load": [round(load, 1) for load in (*loads, os.getloadavg()[0])],
        }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
