"""Memories at work, side by side: the decided rule, silence, what holds now, what failed before, and the cost.

    python benchmarks/scoreboard_work.py --data DIR [--system NAME ...] [--part NAME ...] [--repository DIR] [--write]

No key and no judging model. The parts are those of work_parts.py, beside them `commits` (which earlier commit does a
later one name? of the repository given) and `acts` (work_acts.py). Every system gets every message by its own
documented call and every prompt by its own search; what it finds is packed, best first, into 800 tokens. Text of the
running session and of later ones is left out for it before packing; cogmem lives through the history instead, hears
as from a host, ends sessions, has its nights, and packs its own block. Behind each share stands the interval that
holds 95 of 100 redrawn samples. --write keeps the figures in
results/scoreboard_work.json, from which `make docs-reference` makes docs/scoreboard.md.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import work_acts
import work_commits
from peer import Embedder, Peer, PeerFailed, installed
from retrieval import folded, machine
from scoreboard import HERE_ALONE, SYSTEMS
from shown import BUDGET, packed
from work_figures import figures
from work_parts import PARTS, Part

import cogmem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from work_figures import Answers

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "scoreboard_work.json"
FOUND = 300  # results asked of a peer: what came later is left out of them
LONGEST_S = 1800  # for one system on one part


def of_cogmem(part: Part, folder: str) -> tuple[Answers, int]:
    """Live through the history, and be asked where the asks stand; also the bytes of the file."""
    answers: Answers = []
    asks = iter(part.asks)
    ask = next(asks, None)
    last = {item["session"]: n for n, item in enumerate(part.items)}
    path = os.path.join(folder, "cogmem.db")
    with cogmem.open(path, project="work") as mem:
        day = None
        for number in range(len(part.items) + 1):
            item = part.items[number] if number < len(part.items) else None
            at = datetime.fromisoformat(item["at"]) if item else None
            if part.nights and at and day and at.date() != day:
                mem.nightly(now=at)
            if item is None and not part.nights and part.items:
                mem.nightly(now=datetime.fromisoformat(part.items[-1]["at"]) + timedelta(hours=6))
            day = at.date() if at else day
            while ask is not None and ask.after <= number:
                started = time.process_time()
                turn = mem.activate(ask.prompt, BUDGET, session=ask.session, now=ask.at)
                text = turn.volatile if ask.is_alone else turn.text
                answers.append((text, time.process_time() - started))
                ask = next(asks, None)
            if item is None or at is None:
                break
            talk = mem.conversation(item["session"])
            role = item["speaker"] if item["speaker"] in ("user", "assistant") else "user"
            talk.append(role, item["text"], speaker=item["speaker"], at=at)
            if role == "user":
                mem.capture_conversation(item["session"], now=at)
            if last[item["session"]] == number:
                mem.sessions.conclude(item["session"], now=at)
                mem.sessions.end(item["session"], now=at)
    return answers, os.path.getsize(path)


class Places:
    """Which item a text that a system gives back is from."""

    def __init__(self, part: Part) -> None:
        self._items = part.items
        texts = [folded(item["text"]) for item in part.items]
        self._exact: dict[str, int] = {}
        for number, text in enumerate(texts):
            self._exact.setdefault(text, number)
        self._starts: list[int] = []
        length = 0
        for text in texts:
            self._starts.append(length)
            length += len(text) + 1
        self._all = "\n".join(texts)

    def of(self, text: str) -> int | None:
        from bisect import bisect_right

        bare = folded(text)
        for speaker in ("user: ", "assistant: "):
            bare = bare.removeprefix(speaker)
        if bare in self._exact:
            return self._exact[bare]
        at = self._all.find(bare[:200])
        return bisect_right(self._starts, at) - 1 if at >= 0 else None

    def allowed(self, texts: list[str], after: int, session: str) -> list[str]:
        """Those from before, and not from the running session."""
        kept = []
        for text in texts:
            place = self.of(text)
            if place is not None and place < after and self._items[place]["session"] != session:
                kept.append(text)
        return kept


def of_others(name: str, part: Part, folder: str) -> tuple[Answers, int]:
    """A store that gets all at once; what must not count is left out of its answers."""
    places = Places(part)
    answers: Answers = []
    if name in HERE_ALONE:
        own = work_commits.plain(name, part.items, folder)
        for ask in part.asks:
            started = time.process_time()
            texts = own(ask.prompt, FOUND, ask.after, ask.session)
            answers.append((packed(texts), time.process_time() - started))
    else:
        until = time.monotonic() + LONGEST_S
        with Embedder() as embedder, Peer(name, embedder, folder, part.items) as peer:
            for ask in part.asks:
                if time.monotonic() > until:
                    raise PeerFailed(f"not done within {LONGEST_S // 60} minutes")
                texts, seconds = peer.ask(ask.prompt, FOUND)
                answers.append((packed(places.allowed(texts, ask.after, ask.session)), seconds))
    size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    return answers, size


def measure(name: str, part: Part) -> dict[str, Any]:
    """One system on one part."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        answers, size = (
            of_cogmem(part, folder) if name == "cogmem" else of_others(name, part, folder)
        )
    shares: dict[str, list[float]] = {}
    for ask, (block, _) in zip(part.asks, answers, strict=True):
        for what, value in ask.judge(block).items():
            if value is not None:
                shares.setdefault(what, []).append(value)
    said = sum(len(item["text"].encode()) for item in part.items)
    return figures(SYSTEMS[name][0], shares, answers, size / max(1, said))


def parts_of(folder: Path | None) -> Iterator[Part]:
    """All parts that there is data for."""
    for part_of in PARTS:
        if folder is not None:
            yield from part_of(folder)


def told(part: str, row: dict[str, Any]) -> None:
    for name, one in row["systems"].items():
        if "cannot" in one:
            print(f"{part:18} {name:14} left out: {one['cannot']}", flush=True)
            continue
        shares = "  ".join(f"{what} {value[0]}" for what, value in one["shares"].items())
        costs = f"tokens {one['tokens']}  ms {one['ms']}  × {one['bytes']}"
        print(f"{part:18} {name:14} {shares}  {costs}", flush=True)


def keep(part: str, row: dict[str, Any]) -> None:
    """Keep what was measured now beside what was measured before of the same part."""
    kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    kept[part] = row | {"systems": kept.get(part, {}).get("systems", {}) | row["systems"]}
    kept["machine"] = machine()
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=None, help="the folder with the data sets")
    parser.add_argument(
        "--system", nargs="+", choices=SYSTEMS, default=[n for n in SYSTEMS if n != "cogmem-minilm"]
    )
    parser.add_argument(
        "--part",
        nargs="+",
        default=None,
        help="only these: decisions, realwork-dev, changes, acts …",
    )
    parser.add_argument(
        "--repository", default="", help="a git repository whose commits name earlier ones"
    )
    parser.add_argument("--write", action="store_true", help="keep the figures")
    options = parser.parse_args()
    if options.data is None or not options.data.is_dir():
        print(
            "scoreboard-work: only what is made here, as DATA=dir names no folder with data",
            file=sys.stderr,
        )
    names = [name for name in options.system if name in HERE_ALONE or installed(name)]
    if missing := ", ".join(name for name in options.system if name not in names):
        print(f"Left out, not installed: {missing}: make scoreboard-peers", file=sys.stderr)

    def done(name: str, row: dict[str, Any]) -> None:
        told(name, row)
        if options.write:
            keep(name, row)

    for part in parts_of(options.data):
        if options.part and part.name not in options.part:
            continue
        for name in names:
            try:
                one = measure(name, part)
            except PeerFailed as error:
                print(f"{name}: {error}", file=sys.stderr)
                one = {"called": SYSTEMS[name][0], "cannot": str(error).partition(": see ")[0]}
            done(part.name, {"title": part.title, "goals": part.goals, "systems": {name: one}})
    if options.repository and (not options.part or "commits" in options.part):
        done("commits", work_commits.run(options.repository))
    if not options.part or "acts" in options.part:
        done("acts", work_acts.run())
    return 0


if __name__ == "__main__":
    sys.exit(main())
