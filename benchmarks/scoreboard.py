"""Stores that need no key, side by side: what each finds in 800 tokens, and what it says when nothing is asked.

    python benchmarks/scoreboard.py --data DIR [--system NAME ...] [--whole | --times] [--write]

DIR is that of retrieval.py. Every system gets every item of a conversation by its own documented
call, and every question by its search; what comes back, best first, is packed as lines of speaker
and text into 800 tokens (o200k). cogmem packs its own block. An item counts if its text stands
there whole. An answer of a thousand words never does, so the share of the evidence's telling words
that the text has is counted beside it. Then each is asked the idle prompts of prompts/idle.txt
("thanks!", "run the tests"), which deserve nothing.

cogmem and plain FTS5 run here. The peers of peers/peers.toml run as processes of their own, each in
an environment below .venv/peers that `make scoreboard-peers` makes; one that is not there is left out
and named. --times fills all with one conversation and asks them in turn, so that a busy machine is
busy for each: the times are of the search alone, for cogmem of the whole turn.

Of a data set with more, four conversations are taken, evenly drawn; --whole takes all. Some peers wait for
the disk at every message: with TMPDIR on a disk in memory it is many times as quick and finds the same.
--write keeps the figures in results/scoreboard.json, from which docs/scoreboard.md is made. Rows of
systems that were not asked for stay as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from peer import Embedder, Peer, PeerFailed, installed, peers
from retrieval import conversations, folded, instant, machine, record
from shown import BUDGET, COUNTER, Telling, packed
from silence_files import idle as idle_prompts

import cogmem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Item = dict[str, Any]
    Asked = Callable[[str, str], tuple[str, float]]  # a prompt, its instant: the text, the seconds

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "scoreboard.json"
HERE_ALONE = ("cogmem", "fts5", "fts5-chats")  # what needs no environment of its own
LIMIT = 60  # results asked for: more than 800 tokens hold
SAMPLE = 4  # conversations of each data set: who embeds every message takes long to fill
ASKED = 40  # questions that are timed
EVERY = 20  # of the idle prompts one is asked, in every conversation


class Filled(NamedTuple):
    """A system with one conversation in it, and how it is asked."""

    ask: Asked
    version: str


@contextmanager
def of_cogmem(folder: str, items: list[Item], embedder: Embedder | None = None) -> Iterator[Filled]:
    """A whole turn, packed by cogmem itself."""
    with cogmem.open(os.path.join(folder, "cogmem.db"), embedder=embedder) as mem:

        def ask(prompt: str, now: str) -> tuple[str, float]:
            started = time.perf_counter()
            text = mem.activate(prompt, BUDGET, now=instant(now)).text
            return text, time.perf_counter() - started

        record(mem, items)
        if embedder is not None:
            embedder.keep(True)
            mem.models.embed(len(items))
            embedder.keep(False)
        yield Filled(ask, cogmem.__version__)


@contextmanager
def of_cogmem_with_minilm(folder: str, items: list[Item]) -> Iterator[Filled]:
    """The same with the embedder that the peers have."""
    with Embedder() as embedder, of_cogmem(folder, items, embedder) as filled:
        yield filled


def any_word(prompt: str) -> str:
    """What FTS5 is asked: all words of the prompt, joined by OR."""
    asked = dict.fromkeys("".join(c if c.isalnum() else " " for c in prompt).split())
    return " OR ".join(f'"{word}"' for word in asked)


@contextmanager
def of_fts5(folder: str, items: list[Item]) -> Iterator[Filled]:
    """A table of FTS5, all words of the prompt joined by OR, in the order of bm25()."""
    connection = sqlite3.connect(os.path.join(folder, "plain.db"))
    connection.execute("create virtual table said using fts5 (text, tokenize='porter')")
    connection.executemany(
        "insert into said values (?)", [(f"{item['speaker']}: {item['text']}",) for item in items]
    )

    def ask(prompt: str, _now: str) -> tuple[str, float]:
        started = time.perf_counter()
        match = any_word(prompt)
        texts = (
            [
                text
                for (text,) in connection.execute(
                    "select text from said where said match ? order by rank limit ?", (match, LIMIT)
                )
            ]
            if match
            else []
        )
        seconds = time.perf_counter() - started
        return packed(texts), seconds

    try:
        yield Filled(ask, sqlite3.sqlite_version)
    finally:
        connection.close()


@contextmanager
def of_fts5_chats(folder: str, items: list[Item]) -> Iterator[Filled]:
    """A table of FTS5 with a row for each whole conversation: the best two, each told from its end."""
    talks: dict[str, list[str]] = {}
    for item in items:
        talks.setdefault(item["session"], []).append(f"{item['speaker']}: {item['text']}")
    every = list(talks.values())
    connection = sqlite3.connect(os.path.join(folder, "chats.db"))
    connection.execute("create virtual table talk using fts5 (text, tokenize='porter')")
    connection.executemany("insert into talk values (?)", [("\n".join(talk),) for talk in every])

    def ask(prompt: str, _now: str) -> tuple[str, float]:
        started = time.perf_counter()
        match = any_word(prompt)
        best = (
            connection.execute(
                "select rowid from talk where talk match ? order by rank limit 2", (match,)
            ).fetchall()
            if match
            else []
        )
        texts = [line for (row,) in best for line in reversed(every[row - 1])]
        seconds = time.perf_counter() - started
        return packed(texts), seconds

    try:
        yield Filled(ask, sqlite3.sqlite_version)
    finally:
        connection.close()


@contextmanager
def of_peer(name: str, folder: str, items: list[Item]) -> Iterator[Filled]:
    """A store in a process of its own."""
    with Embedder() as embedder, Peer(name, embedder, folder, items) as peer:

        def ask(prompt: str, _now: str) -> tuple[str, float]:
            texts, seconds = peer.ask(prompt, LIMIT)
            return packed(texts), seconds

        yield Filled(ask, peer.version)
        embedder.keep(False)  # refuses if any search went without its vector


# By the name on the command line: what the table calls it, how it finds, and what fills it.
SYSTEMS: dict[str, tuple[str, str, Callable[..., AbstractContextManager[Filled]]]] = {
    "cogmem": ("cogmem", "words", of_cogmem),
    "cogmem-minilm": ("cogmem with MiniLM", "words and MiniLM", of_cogmem_with_minilm),
    "fts5": ("plain FTS5, all words joined by OR", "words", of_fts5),
    "fts5-chats": (
        "plain FTS5 over whole chats, the best two from their end",
        "words",
        of_fts5_chats,
    ),
} | {name: (peer["name"], peer["finds"], partial(of_peer, name)) for name, peer in peers().items()}


def drawn(file: Path, whole: bool) -> list[dict[str, Any]]:
    """The conversations of a data set, or a few of them, evenly drawn."""
    talks = list(conversations(file))
    if whole or len(talks) <= SAMPLE:
        return talks
    return [talks[n * len(talks) // SAMPLE] for n in range(SAMPLE)]


def measure(
    fill: Callable[..., AbstractContextManager[Filled]], talks: list[dict[str, Any]]
) -> dict[str, Any]:
    """One system on the conversations of one data set."""
    idle = [prompt for _, prompt in idle_prompts()][::EVERY]
    shares: list[float] = []
    told: list[float] = []
    tokens: list[int] = []
    answered: list[bool] = []
    version = ""
    for conversation in talks:
        said = {item["id"]: folded(item["text"]) for item in conversation["items"]}
        telling = Telling(said)
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
            fill(folder, conversation["items"]) as filled,
        ):
            version = filled.version
            for question in conversation["questions"]:
                if question["category"] == "adversarial":
                    continue
                text, _ = filled.ask(question["text"], question["now"])
                tokens.append(COUNTER.count(text))
                block = folded(text)
                found = sum(said[name] in block for name in question["evidence"])
                within = tokens[-1] <= BUDGET
                shares.append(found / len(question["evidence"]) if within else 0.0)
                shown = telling.shown(question["evidence"], block)
                if shown is not None:
                    told.append(shown if within else 0.0)
            now = conversation["questions"][-1]["now"]
            answered += [bool(filled.ask(prompt, now)[0].strip()) for prompt in idle]
    return {
        "version": version,
        "conversations": len(talks),
        "questions": len(shares),
        "recall": round(100 * statistics.mean(shares), 1),
        "telling_words": round(100 * statistics.mean(told), 1),
        "tokens": round(statistics.mean(tokens)),
        "idle_answered": round(100 * statistics.mean(answered), 1),
    }


def row(name: str, files: list[Path], whole: bool) -> dict[str, Any]:
    """One system on all data sets."""
    called, finds, fill = SYSTEMS[name]
    sets: dict[str, Any] = {}
    for file in files:
        data = file.name.removesuffix(".jsonl.gz")
        at = sets[data] = measure(fill, drawn(file, whole))
        print(
            f"{called}, {data}: {at['recall']:.1f} %, telling words {at['telling_words']:.1f} %,"
            f" in {at['tokens']} tokens, idle prompts answered {at['idle_answered']:.0f} %",
            flush=True,
        )
    version = [at.pop("version") for at in sets.values()][-1]
    kept = {"name": called, "version": version, "finds": finds, "sets": sets}
    return kept | {"measured_at": machine()["measured_at"]}


def times(names: list[str], file: Path) -> dict[str, Any]:
    """All systems at once on the shortest conversation, asked in turn: a busy machine is busy for each."""
    talk = min(conversations(file), key=lambda talk: len(talk["items"]))
    asked = [one for one in talk["questions"] if one["category"] != "adversarial"][:ASKED]
    taken: dict[str, list[float]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder, of_cogmem(folder, talk["items"][:20]) as warm:
        warm.ask(asked[0]["text"], asked[0]["now"])  # its parts are loaded, as the peers' are
    with ExitStack() as open_systems:
        filled = {}
        for name in names:
            empty = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
            fill = SYSTEMS[name][2](open_systems.enter_context(empty), talk["items"])
            filled[name] = open_systems.enter_context(fill)
        for question in asked:
            for name, system in filled.items():
                taken[name].append(system.ask(question["text"], question["now"])[1])
    p50 = {name: round(1000 * statistics.median(each), 1) for name, each in taken.items()}
    for name, took in p50.items():
        print(f"{SYSTEMS[name][0]}: p50 {took} ms")
    return {
        "items": len(talk["items"]),
        "questions": len(asked),
        "load": [round(load, 1) for load in os.getloadavg()],
        "p50_ms": p50,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", metavar="DIR", help="folder with *.jsonl.gz")
    parser.add_argument("--system", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--whole", action="store_true", help=f"not {SAMPLE} of each data set")
    parser.add_argument(
        "--times", action="store_true", help="how long each takes, and nothing else"
    )
    parser.add_argument("--write", action="store_true", help="keep the figures")
    options = parser.parse_args()
    files = sorted(Path(options.data).glob("*.jsonl.gz")) if options.data else []
    if not files:
        print("Skipped: --data names no folder with *.jsonl.gz; README.md says where it is from.")
        return 0
    names = [name for name in options.system if name in HERE_ALONE or installed(name)]
    if missing := ", ".join(name for name in options.system if name not in names):
        print(f"Left out, not installed: {missing}: make scoreboard-peers", file=sys.stderr)
    rows: dict[str, Any] = {}
    for name in [] if options.times else names:
        try:
            rows[name] = row(name, files, options.whole)
        except PeerFailed as error:
            print(f"{name}: left out, {error}", file=sys.stderr)
    clock = times(names, files[-1]) if options.times else None
    if options.write:
        kept = json.loads(RESULTS.read_text(encoding="utf-8"))
        part = "whole" if options.whole else "sample"
        both = kept.get(part, {}) | rows
        kept[part] = {name: both[name] for name in SYSTEMS if name in both}
        kept["machine"] = machine()
        if clock:
            kept["times"] = clock
        RESULTS.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
