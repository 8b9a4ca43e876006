"""Reports of bugs whose rule was decided in an earlier chat: does the rule stand in the block?

    python benchmarks/decisions.py --data DIR [--half tune|report] [--system NAME ...] [--show] [--write]

DIR holds decisions-*.json.gz: `tasks`, each a report (`prompt`), the chats that decided its matter (the last one
counts, where one amended another) and the decided rule (`policy`, which never enters a memory); `others`: chats that
decide nothing. All chats lie in one memory, in an order drawn by lot, half a day apart, recorded and heard as a host
would have it, each session ended, a night after the last. Then each report is the first prompt of a new session.

    words     the share of the rule's telling words, those of the prompt left out, that stand in the block
    whole     the share of reports whose block has nine tenths of them
    possible  the same share, had the block all of the chats that decided the rule: its own words may stand in none
    stale     of reports whose rule was amended, the share whose block shows a passage of the old chat

Beside cogmem stand plain FTS5 over messages, and FTS5 over whole chats: the best two, told from their end.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import statistics
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoreboard import SYSTEMS, Filled
from shown import BUDGET, COUNTER
from work import folded, telling

import cogmem

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "decisions.json"
BEGAN = datetime(2026, 1, 5, 9, tzinfo=UTC)
APART = timedelta(hours=12)  # between two chats
WHOLE = 0.9  # of a rule's words
PASSAGE = 40  # characters of a sentence that is recognised
OWN = ("cogmem", "fts5", "fts5-chats")


class Task:
    """A report, and what its rule says beyond it."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.name: str = raw["id"]
        self.prompt: str = raw["prompt"]
        self.chats: list[list[dict[str, str]]] = raw["chats"]
        self.rule = telling(raw["policy"]) - telling(raw["prompt"])
        self.is_amended = len(self.chats) > 1
        newest = {one for message in self.chats[-1] for one in passages(message["text"])}
        self.old = {
            one for chat in self.chats[:-1] for message in chat for one in passages(message["text"])
        } - newest
        everything = telling(" ".join(message["text"] for chat in self.chats for message in chat))
        self.possible = len(self.rule & everything) / len(self.rule)

    def score(self, block: str) -> dict[str, Any]:
        words = telling(block)
        found = len(self.rule & words) / len(self.rule)
        text = folded(block)
        return {
            "task": self.name,
            "amended": self.is_amended,
            "words": found,
            "whole": found >= WHOLE,
            "possible_words": self.possible,
            "possible_whole": self.possible >= WHOLE,
            "stale": any(one in text for one in self.old),
            "tokens": COUNTER.count(block),
        }


def passages(text: str) -> list[str]:
    """The sentences of a message that are long enough to be recognised."""
    pieces = re.split(r"(?<=[.!?])\s+|\n+", text)
    return [folded(one) for one in pieces if len(folded(one)) >= PASSAGE]


def tasks_of(folder: Path) -> tuple[list[Task], list[dict[str, Any]]]:
    """The tasks, and the messages of all chats as every system gets them, in order of time."""
    file = next(iter(sorted(folder.glob("decisions-*.json.gz"))))
    with gzip.open(file, "rt", encoding="utf-8") as text:
        data = json.load(text)
    tasks = [Task(raw) for raw in data["tasks"]]
    chance = random.Random(7)
    chats = [(f"other{number}", chat) for number, chat in enumerate(data["others"])]
    chats += [(f"{task.name} 1", task.chats[0]) for task in tasks]
    chance.shuffle(chats)
    later = [
        (f"{task.name} {n + 1}", chat) for task in tasks for n, chat in enumerate(task.chats) if n
    ]
    for name, chat in later:  # somewhere after the one that it amends
        first = next(n for n, (of, _) in enumerate(chats) if of == f"{name.split(' ')[0]} 1")
        chats.insert(chance.randint(first + 1, len(chats)), (name, chat))
    items = [
        {
            "id": f"{session}:{number}",
            "session": session,
            "speaker": message["role"],
            "text": message["text"],
            "at": (BEGAN + at * APART + number * timedelta(minutes=1)).isoformat(),
        }
        for at, (session, chat) in enumerate(chats)
        for number, message in enumerate(chat)
    ]
    return tasks, items


@contextmanager
def lived(folder: str, items: list[dict[str, Any]]) -> Iterator[Filled]:
    """A memory that heard all of it as from a host, with a night in the end."""
    with cogmem.open(os.path.join(folder, "cogmem.db"), project="work") as mem:
        for at, item in enumerate(items):
            said = datetime.fromisoformat(item["at"])
            talk = mem.conversation(item["session"])
            talk.append(item["speaker"], item["text"], at=said)
            if item["speaker"] == "user":
                mem.capture_conversation(item["session"], now=said)
            if at + 1 == len(items) or items[at + 1]["session"] != item["session"]:
                mem.sessions.conclude(item["session"], now=said)
                mem.sessions.end(item["session"], now=said)
        mem.nightly(now=datetime.fromisoformat(items[-1]["at"]) + APART)

        def ask(prompt: str, now: str) -> tuple[str, float]:
            turn = mem.activate(
                prompt, BUDGET, session=f"report {prompt[:40]}", now=datetime.fromisoformat(now)
            )
            return turn.text, 0.0

        yield Filled(ask, cogmem.__version__)


def run(
    system: str, tasks: list[Task], items: list[dict[str, Any]], *, show: bool
) -> dict[str, Any]:
    """One system on all tasks."""
    fill = lived if system == "cogmem" else SYSTEMS[system][2]
    now = (datetime.fromisoformat(items[-1]["at"]) + 2 * APART).isoformat()
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        fill(folder, items) as filled,
    ):
        scores = []
        for task in tasks:
            block, _ = filled.ask(task.prompt, now)
            scores.append(task.score(block))
            if show and (scores[-1]["words"] < WHOLE or scores[-1]["stale"]):
                missing = " ".join(sorted(task.rule - telling(block)))
                print(
                    f"--- {task.name}: {task.prompt}\n    missing: {missing}\n{block or '(nothing)'}"
                )
    return figures(scores)


def figures(scores: list[dict[str, Any]]) -> dict[str, Any]:
    amended = [one for one in scores if one["amended"]]
    return {
        "tasks": len(scores),
        "words": percent([one["words"] for one in scores]),
        "whole": percent([one["whole"] for one in scores]),
        "possible_words": percent([one["possible_words"] for one in scores]),
        "possible_whole": percent([one["possible_whole"] for one in scores]),
        "amended": len(amended),
        "amended_words": percent([one["words"] for one in amended]),
        "stale": percent([one["stale"] for one in amended]),
        "tokens": round(statistics.mean([one["tokens"] for one in scores])),
    }


def percent(values: list[Any]) -> float | None:
    return round(100 * statistics.mean(values), 1) if values else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--data", type=Path, default=None, help="the folder with decisions-*.json.gz"
    )
    parser.add_argument("--half", choices=("tune", "report", "all"), default="all")
    parser.add_argument("--system", nargs="+", choices=SYSTEMS, default=list(OWN))
    parser.add_argument("--show", action="store_true", help="show what failed")
    parser.add_argument("--write", action="store_true", help="keep the figures")
    given = parser.parse_args()
    if given.data is None or not any(given.data.glob("decisions-*.json.gz")):
        print(
            "bench-decisions: skipped, there is no decisions-*.json.gz: name its folder with DATA=dir"
        )
        return
    tasks, items = tasks_of(given.data)
    half = {"tune": tasks[::2], "report": tasks[1::2], "all": tasks}[given.half]
    kept = {}
    for system in given.system:
        kept[system] = run(system, half, items, show=given.show and system == "cogmem")
        told = "  ".join(f"{name} {value}" for name, value in kept[system].items())
        print(f"{system:12} {told}", flush=True)
    if given.write:
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
