"""Turns of this checkout beside those of an older one: what became slower, and by how much.

    python benchmarks/older.py CHECKOUT [--cases memories-10000,…] [--data DIR] [--folder DIR]
                               [--instructions] [--write]

Each checkout runs in a process of its own and fills a file of its own by its own code. Then both answer the
same prompts, one after the other and in changing order, so that a busy machine slows both. A process answers
each prompt once, as in a conversation that moves on; of each prompt the quickest of the rounds counts, in processor
time. Ways: in `turn` nobody names a session, in `session` every ten prompts are one, in `recorded` each
prompt of these is appended to its conversation before.

Cases: memories-N (corpus.py, with 60 standing wishes), english-N and chinese-N (N messages to an
assistant), friends-N (N messages of two friends, made_talk.py). With --data also the first conversation of
each file there, in the form of retrieval.py, that has at least ten questions.

--instructions counts with callgrind instead, from a few prompts: slow, and the same on any machine.
`same` is the share of prompts that both answer with the same text: an older checkout may choose otherwise.
--write keeps the ratios in results/older.json, beside those of cases that this run leaves out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "older.json"
NOW = 1_800_000_000_000
HOUR = 3_600_000
PROMPTS = 100
WISHES = 60
WARM_UP = 20  # prompts of each process that do not count
OF_SESSION = 10  # prompts
DEFAULT = "memories-10000,memories-100000,english-10000,chinese-10000,friends-400"
SMALL_WORDS = "的 了 在 是 我 有 和 就 不 人 都 一 上 也 很 到 说 要 去 你 会 着 看 好 这".split()


# -- what is asked and held ------------------------------------------------------------------


def corpus_of(size: int) -> tuple[list[str], list[str]]:
    """Texts of made-up words, and prompts whose answers stand among them."""
    from corpus import Corpus

    corpus = Corpus()
    questions = corpus.questions(PROMPTS)
    texts = [row[0] for row in corpus.memories(size)]
    for number, (_, answer, _) in enumerate(questions):
        texts[int((number + 0.5) * size / len(questions))] = answer
    return texts, [prompt for prompt, _, _ in questions]


def in_chinese(text: str, known: dict[str, str]) -> str:
    """The same with a word of two characters for each word, and none between them."""
    from corpus import STOP

    for word in text.split():
        if word not in known:
            draw = random.Random(word)
            known[word] = (
                draw.choice(SMALL_WORDS)
                if word in STOP
                else "".join(chr(0x4E00 + draw.randrange(6_000)) for _ in "ab")
            )
    return "".join(known[word] for word in text.split()) + "。"


def messages_of(kind: str, size: int) -> tuple[list[dict[str, Any]], list[str]]:
    if kind == "friends":
        from made_talk import people

        talk = people(1, random.Random(1))
        items = talk["items"][:size]
        return items, [one["text"] for one in talk["questions"]][:PROMPTS]
    texts, prompts = corpus_of(size)
    if kind == "chinese":
        known: dict[str, str] = {}
        texts = [in_chinese(one, known) for one in texts]
        prompts = [in_chinese(one, known) for one in prompts]
    items = [
        {
            "text": text,
            "speaker": ("user", "assistant")[number % 2],
            "session": f"talk-{number // 50}",
            "at": NOW - (size - number) * HOUR,
        }
        for number, text in enumerate(texts)
    ]
    return items, prompts


# -- in the process of a checkout ----------------------------------------------------------------


def fill(path: str, case: str) -> list[str]:
    """Make the file of a case, if it is not there; its prompts."""
    import cogmem

    kind, _, rest = case.rpartition("-")
    if kind == "memories":
        import activate  # of the checkout, whose columns it knows
        from corpus import Corpus

        questions = Corpus().questions(activate.QUESTIONS)
        if not os.path.exists(path):
            activate.build(path, int(rest), Corpus())
            with cogmem.open(path) as mem:
                for number in range(WISHES):
                    mem.learn(
                        f"Please keep number {number} of the house rules in mind.",
                        kind="preference",
                        key=f"wish {number}",
                        now=NOW - HOUR,
                    )
        return [prompt for prompt, _, _ in questions][:PROMPTS]
    if case.endswith(".gz"):
        with gzip.open(case, "rt", encoding="utf-8") as lines:
            talk = next(one for one in map(json.loads, lines) if len(one["questions"]) >= 10)
        items, prompts = talk["items"], [one["text"] for one in talk["questions"]][:PROMPTS]
    else:
        items, prompts = messages_of(kind, int(rest))
    if not os.path.exists(path):
        batches: dict[str, list[tuple[Any, ...]]] = {}
        for item in items:
            who = item["speaker"]
            role = who if who in ("user", "assistant") else "user"
            at = _instant(item["at"])
            batches.setdefault(item["session"], []).append((role, item["text"], None, at, who))
        with cogmem.open(path) as mem:
            for session, batch in batches.items():
                for start in range(0, len(batch), 50):
                    mem.conversation(session).extend(batch[start : start + 50])
    return prompts


def _instant(at: Any) -> int:
    if isinstance(at, int):
        return at
    from datetime import UTC, datetime

    read = datetime.fromisoformat(at)
    return int((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp() * 1_000)


def answer(path: str) -> None:
    """Take turns as the lines of standard input ask for: a prompt, a session, whether it is recorded first."""
    import cogmem

    with cogmem.open(path) as mem:
        for line in sys.stdin:
            prompt, session, is_recorded = json.loads(line)
            if is_recorded:
                mem.conversation(session).extend([("user", prompt, None, NOW, None)])
            start = time.process_time_ns()
            got = mem.activate(prompt, session=session or None, now=NOW)
            taken = time.process_time_ns() - start
            print(json.dumps([taken, got.volatile]), flush=True)


# -- beside each other -----------------------------------------------------------------------------


def environment(checkout: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    paths = [str(checkout), str(checkout / "benchmarks"), str(HERE)]
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"}


def run(checkout: Path, *command: str, tool: Sequence[str] = (), **options: Any) -> Any:
    """This script in a process of a checkout."""
    whole = [*tool, sys.executable, str(HERE / "older.py"), *command]
    return subprocess.Popen(
        whole,
        text=True,
        env=environment(checkout),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        **options,
    )


def prompts_of(checkout: Path, path: str, case: str) -> list[str]:
    """Fill the file of a case by the code of a checkout; the prompts."""
    told, _ = run(checkout, "--fill", path, case).communicate()
    found: list[str] = json.loads(told)
    return found


def copied(path: str) -> str:
    """A copy of a file that nobody has open."""
    copy = f"{path}.recorded"
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


def lines_of(prompts: list[str], way: str, of_round: str) -> list[str]:
    """What a worker is asked, a line for each prompt."""
    return [
        json.dumps(
            [
                prompt,
                f"{of_round}-{number // OF_SESSION}" if way != "turn" else "",
                way == "recorded",
            ]
        )
        + "\n"
        for number, prompt in enumerate(prompts)
    ]


def compare(
    checkouts: list[Path], paths: list[str], prompts: list[str], way: str, rounds: int
) -> dict[str, Any]:
    """Two new processes in each round; each answers every prompt once, the first ones only to warm up."""
    best = [[float("inf")] * len(prompts) for _ in checkouts]
    same = 0
    for number in range(rounds):
        workers = [
            run(checkout, "--answer", path) for checkout, path in zip(checkouts, paths, strict=True)
        ]
        for place, line in enumerate(lines_of(prompts, way, f"{time.time_ns()}")):
            texts = ["", ""]
            for which in (0, 1) if (number + place) % 2 else (1, 0):
                workers[which].stdin.write(line)
                workers[which].stdin.flush()
                taken, texts[which] = json.loads(workers[which].stdout.readline())
                best[which][place] = min(best[which][place], taken / 1e6)
            same += not number and texts[0] == texts[1]
        for worker in workers:
            worker.communicate()
    new, old = (times[min(WARM_UP, len(prompts) // 2) :] for times in best)
    return {
        "old_p50_ms": round(statistics.median(old), 3),
        "new_p50_ms": round(statistics.median(new), 3),
        "ratio_of_p50": round(statistics.median(new) / statistics.median(old), 3),
        "ratio_of_sums": round(sum(new) / sum(old), 3),
        "median_ratio": round(statistics.median(a / b for a, b in zip(new, old, strict=True)), 3),
        "same": round(same / len(prompts), 2),
        "prompts": len(new),
    }


def instructions(
    checkout: Path, path: str, prompts: list[str], way: str, few: int = 8, many: int = 28
) -> int:
    """Of one turn: what many cost more than few."""
    counted = []
    for turns in (few, many):
        tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        lines = lines_of(prompts[:turns], way, f"{time.time_ns()}")
        process = run(checkout, "--answer", path, tool=tool, stderr=subprocess.PIPE)
        _, told = process.communicate("".join(lines))
        counted.append(int(re.findall(r"Collected : (\d+)", told)[0]))
    return round((counted[1] - counted[0]) / (many - few))


def main() -> None:
    if sys.argv[1:2] == ["--answer"]:
        sys.path.remove(str(HERE))  # the modules of the checkout come first
        answer(sys.argv[2])
        return
    if sys.argv[1:2] == ["--fill"]:
        sys.path.remove(str(HERE))
        print(json.dumps(fill(*sys.argv[2:4])))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path, help="the older one")
    parser.add_argument("--cases", default=DEFAULT)
    parser.add_argument("--data", type=Path, help="conversations, as retrieval.py reads them")
    parser.add_argument("--folder", help="keep and reuse the files here")
    parser.add_argument("--ways", default="turn,session,recorded")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    checkouts = [HERE.parent, options.checkout.resolve()]
    cases = [case for case in options.cases.split(",") if case]
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if options.data:
        cases += map(str, sorted(options.data.resolve().glob("*.jsonl.gz")))
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        for case in cases:
            name = Path(case).name.removesuffix(".jsonl.gz")
            paths = [os.path.join(folder, f"{which}-{name}.db") for which in ("new", "old")]
            prompts, _ = (
                prompts_of(checkout, path, case)
                for checkout, path in zip(checkouts, paths, strict=True)
            )
            for way in options.ways.split(","):
                if way == "recorded":  # which leaves messages behind: on copies of its own
                    paths = [copied(path) for path in paths]
                found = compare(checkouts, paths, prompts, way, options.rounds)
                print(f"{name:18} {way:8}", json.dumps(found), flush=True)
                kept.setdefault(name, {})[way] = found
                if options.instructions:
                    new, old = (
                        instructions(checkout, path, prompts, way)
                        for checkout, path in zip(checkouts, paths, strict=True)
                    )
                    row = {"old": old, "new": new, "ratio": round(new / old, 3)}
                    print(f"{name:18} {way:8}", json.dumps(row), flush=True)
    if options.write:
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
