"""Conversations: how fast they are recorded, windowed and expanded, and whether length matters.

    python benchmarks/conversation.py [--messages 100000] [--json]

Makes two conversations (a tenth of the length, and the whole) of made-up talk with tool calls, and
measures on a file in a temporary folder: durable appends in batches of two, import from JSON lines,
summaries without a model, a window of 4,000 tokens, expanding across the archive.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import cogmem
from cogmem.conversation.dag import nodes
from cogmem.hosts.transcripts import Importing, Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cogmem.conversation.conversation import Conversation

START = 1_767_225_600_000  # 2026-01-01
WORDS = """
    the a we should could service server database table column index query cache token session user
    request response handler retry timeout queue worker deploy release branch merge review test failing
    passing config setting flag value default limit memory disk network latency Monday Tuesday Friday
    budget invoice customer order ticket Berlin Lisbon Anna Clara Postgres Redis because after before
    while when then instead needs reads writes calls returns checks moved fixed decided changed added
""".split()


def talk_lines(count: int, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Turns of a user and an assistant; every fifth turn the assistant calls a tool."""
    chance = random.Random(seed)

    def sentence() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(6, 18))).capitalize() + "."

    made = 0
    while made < count:
        text = " ".join(sentence() for _ in range(chance.randint(1, 3)))
        turn: list[dict[str, Any]] = [{"role": "user", "content": text}]
        if chance.random() < 0.2:
            call = f"call_{made}"
            path = f"src/{chance.choice(WORDS)}/{chance.choice(WORDS)}.py"
            turn.append(
                {
                    "role": "assistant",
                    "content": [
                        {
                            "type": "tool_call",
                            "id": call,
                            "name": "read",
                            "arguments": {"path": path},
                        }
                    ],
                }
            )
            turn.append(
                {
                    "role": "tool",
                    "content": [
                        {"type": "tool_result", "tool_call_id": call, "content": sentence() * 3}
                    ],
                }
            )
        turn.append({"role": "assistant", "content": " ".join(sentence() for _ in range(3))})
        for message in turn[: count - made]:
            yield {**message, "at": START + made * 60_000}
            made += 1


def timed(work: Callable[[], Any], times: int) -> list[float]:
    """Milliseconds of each run, sorted."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        found.append((time.perf_counter() - started) * 1000)
    return sorted(found)


def spread(name: str, found: list[float]) -> dict[str, float]:
    return {
        f"{name}_p50_ms": round(statistics.median(found), 3),
        f"{name}_p95_ms": round(found[int(len(found) * 0.95) - 1], 3),
    }


def append_rate(folder: str, seconds: float = 3.0) -> float:
    """Messages per second in batches of two, each its own durable transaction."""
    lines = list(talk_lines(4_000, seed=1))
    with cogmem.open(os.path.join(folder, "append.db")) as memory:
        talk = memory.conversation("append")
        entries = [(line["role"], line["content"], None, line["at"], None) for line in lines]
        talk.extend(entries[:2])  # the tokenizer's table is loaded here
        done = 0
        started = time.perf_counter()
        while time.perf_counter() - started < seconds:
            place = done % (len(entries) - 2)
            talk.extend(entries[place : place + 2])
            done += 2
        return done / (time.perf_counter() - started)


def imported(folder: str, count: int) -> tuple[str, float]:
    """A file with one conversation of so many messages, and messages per second of its import."""
    path = os.path.join(folder, f"talk_{count}.db")
    data = [(json.dumps(line) + "\n").encode() for line in talk_lines(count)]
    with cogmem.open(path) as memory:
        reader = Reader(data, now=START)
        work = Importing(memory.conversation, "talk")
        started = time.perf_counter()
        for _ in work.take(reader.pieces()):
            pass
        rate = count / (time.perf_counter() - started)
    assert work.appended == {"talk": count}, (work.appended, reader.bad[:3])
    return path, rate


def windows(paths: list[str], rounds: int = 100) -> list[list[float]]:
    """Milliseconds of a window in each file, taken in turn, so that a busy machine is fair to all.

    Both conversations go on meanwhile, as a live one does: what a window finds between the last
    summary and the newest messages differs from turn to turn.
    """
    more = list(talk_lines(rounds, seed=11))
    memories = [cogmem.open(path) for path in paths]
    talks = [memory.conversation("talk") for memory in memories]
    found: list[list[float]] = [[] for _ in paths]
    for talk in talks:
        talk.window(4000)
    for line in more:
        for place, talk in enumerate(talks):
            talk.append(line["role"], line["content"], at=line["at"])
            talk.keep_up()
            found[place] += timed(lambda talk=talk: talk.window(4000), 1)  # type: ignore[misc]
    for memory in memories:
        memory.close()
    return [sorted(one) for one in found]


def measured(folder: str, count: int) -> dict[str, Any]:
    path, rate = imported(folder, count)
    figures: dict[str, Any] = {"messages": count, "import_per_s": round(rate)}
    with cogmem.open(path) as memory:
        talk = memory.conversation("talk")
        started = time.perf_counter()
        talk.ingest()
        figures["summarise_per_s"] = round(count / (time.perf_counter() - started))
        started = time.perf_counter()
        talk.keep_up()
        figures["archive_s"] = round(time.perf_counter() - started, 2)
        window = talk.window(4000)
        assert window.tokens <= 4000, window.tokens
        figures["window_tokens"] = window.tokens
        figures["window_summaries"] = len(window.shown)
        figures.update(spread("expand", expansions(talk)))
        state = talk.state()
        assert state is not None
        figures["archived_share"] = round(state.hot_start_seq / state.next_seq, 3)
        assert memory.file.check() == []
    figures["file_mb"] = round(os.path.getsize(path) / 1e6, 1)
    return figures


def expansions(talk: Conversation) -> list[float]:
    """From leaves all over the record back to their messages, most of them archived."""
    leaves = nodes(talk, depth=0)
    chosen = random.Random(3).sample(leaves, min(60, len(leaves)))
    return sorted(timed(lambda: talk.expand(chosen.pop()["uid"]), len(chosen)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result: dict[str, Any] = {
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
            "append_in_pairs_per_s": round(append_rate(folder)),
            "short": measured(folder, options.messages // 10),
            "long": measured(folder, options.messages),
        }
        short, long = windows(
            [f"{folder}/talk_{options.messages // 10}.db", f"{folder}/talk_{options.messages}.db"]
        )
        result["short"].update(spread("window", short))
        result["long"].update(spread("window", long))
        result["window_long_to_short"] = round(
            statistics.median(long) / statistics.median(short), 2
        )
    if options.json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        if isinstance(value, dict):
            print(name)
            for inner, figure in value.items():
                print(f"  {inner:22} {figure}")
        else:
            print(f"{name:24} {value}")


if __name__ == "__main__":
    main()
