"""Does a turn keep silent when nothing speaks to it, and speak when something does?

    python benchmarks/silence.py [--data DIR] [--write]

Every kind of file (silence_files.py) is asked prompts that deserve nothing and prompts that deserve
something; what counts is the text that activate() gives beside the stable one. Only the half of the
prompts that the gate was not fitted on is counted, all of them for the kind of file that is unseen.
`found` is the share of a prompt's answers that stand whole in the block, `open` the same with the gate
wide open (silence 0): their difference is what silence costs.

--data adds conversations of other data sets (README.md), --write keeps the figures in
results/silence.json and draws docs/silence.svg.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval import BOTTOM, HEIGHT, LEFT, RIGHT, STYLE, TOP, WIDTH, machine
from silence_files import World, amended, from_data, half, idle, worlds

import cogmem
from cogmem.language.cue import read_cue, says_only
from cogmem.tokens.counting import O200k

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "silence.json"
PLOT = HERE.parent / "docs" / "silence.svg"
BUDGET = 800
CURVE = ["0", "generous", "balanced", "cautious", "0.8"]
COUNTER = O200k()


def fill(world: World, folder: str) -> cogmem.Memory:
    """A memory file that holds a world."""
    mem = cogmem.open(f"{folder}/{world.name}.db")
    for one in world.said:
        role = one.speaker if one.speaker in ("user", "assistant") else "user"
        talk = mem.conversation(one.session)
        talk.append(role, one.text, speaker=one.speaker, at=one.at)
    for fact in world.facts:
        mem.learn(fact, now=world.now)
    return mem


def folded(text: str) -> str:
    return " ".join(text.split())


def shown(block: str, answers: frozenset[str]) -> int:
    """How many of the answers stand whole in a block."""
    text = folded(block)
    return sum(folded(answer) in text for answer in answers)


class Tally:
    """What one kind of file did at one setting."""

    def __init__(self) -> None:
        self.found: list[float] = []
        self.silent: list[bool] = []
        self.tokens: list[int] = []
        self.precise: list[float] = []
        self.spoke: dict[str, list[bool]] = defaultdict(list)
        self.idle_tokens: list[int] = []
        self.ms: list[float] = []
        self.idle_ms: list[float] = []

    def figures(self) -> dict[str, Any]:
        idle_all = [
            one for category, many in self.spoke.items() if category != "own" for one in many
        ]
        return {
            "wanted": len(self.found),
            "found": percent(self.found),
            "silenced": percent(self.silent),
            "precision": percent(self.precise),
            "tokens": round(statistics.mean(self.tokens), 1) if self.tokens else None,
            "idle": len(idle_all) + len(self.spoke["own"]),
            "spoke": percent(idle_all),
            "spoke_own": percent(self.spoke["own"]),
            "by_category": {name: percent(many) for name, many in sorted(self.spoke.items())},
            "idle_tokens": round(statistics.mean(self.idle_tokens), 1)
            if self.idle_tokens
            else None,
            "ms": middle(self.ms),
            "idle_ms": middle(self.idle_ms),
        }


def percent(values: list[float] | list[bool]) -> float | None:
    return round(100 * statistics.mean(values), 2) if values else None


def middle(values: list[float]) -> float | None:
    return round(statistics.median(values), 3) if values else None


def counts(world: World, text: str) -> bool:
    return "unseen" in world.kind or half(text) == 1


def ask(mem: cogmem.Memory, world: World, tally: Tally) -> None:
    """All prompts of the counted half."""
    for wanted in world.wanted:
        if not counts(world, wanted.text):
            continue
        started = time.perf_counter()
        turn = mem.activate(wanted.text, BUDGET, now=world.now)
        tally.ms.append(1000 * (time.perf_counter() - started))
        there = shown(turn.text, wanted.answers)
        tally.found.append(there / len(wanted.answers))
        tally.silent.append(not turn.volatile)
        tally.tokens.append(COUNTER.count(turn.volatile))
        facts = [one for one in turn.chosen if one.kind != "message"]
        if facts and not world.said:
            tally.precise.append(there / len(facts))
    facts = [read_cue(fact) for fact in world.facts]
    for category, text in idle():
        if not counts(world, text) or any(says_only(text, fact) for fact in facts):
            continue  # "run the tests" is not idle where a fact says how tests are run
        started = time.perf_counter()
        turn = mem.activate(text, BUDGET, now=world.now)
        tally.idle_ms.append(1000 * (time.perf_counter() - started))
        tally.spoke[category].append(bool(turn.volatile))
        tally.idle_tokens.append(COUNTER.count(turn.volatile) if turn.volatile else 0)


def measure(files: Iterator[World], settings: list[str]) -> dict[str, dict[str, Any]]:
    """Figures by kind of file and setting."""
    tallies: dict[str, dict[str, Tally]] = {}
    for world in files:
        mine = tallies.setdefault(world.kind, {name: Tally() for name in settings})
        with tempfile.TemporaryDirectory() as folder, fill(world, folder) as mem:
            for name in settings:
                mem.store.set_setting("silence", name, now=0)
                ask(mem, world, mine[name])
        print(f"{world.kind}: {world.name}", file=sys.stderr)
    return {
        kind: {name: tally.figures() for name, tally in mine.items()}
        for kind, mine in tallies.items()
    }


def measure_amended() -> dict[str, float | None]:
    """Of decisions that were taken back: how often the stale one is shown, the new one, and its closing turn."""
    stale, new, closing = [], [], []
    for one in amended():
        if not half(one.prompt):
            continue
        world = World("amended", "amended", one.said, [], [], one.now)
        with tempfile.TemporaryDirectory() as folder, fill(world, folder) as mem:
            block = mem.activate(one.prompt, BUDGET, now=one.now).volatile
        stale.append(f"user: {one.old}" in block)
        new.append(f"user: {one.new}" in block)
        closing.append(one.closing in block)
    return {
        "asked": len(stale),
        "stale": percent(stale),
        "new": percent(new),
        "closing": percent(closing),
    }


def report(kinds: dict[str, dict[str, Any]]) -> str:
    lines = [
        f"{'':26}{'open':>7}{'found':>7}{'silenced':>9}{'precise':>8}{'tokens':>7} | idle"
        f"{'spoke':>7}{'own':>6}{'tokens':>7} | ms open, now, idle"
    ]
    for kind, found in kinds.items():
        wide, now = found["0"], found["balanced"]
        cells = [wide["found"], now["found"], now["silenced"], now["precision"], now["tokens"]]
        cells += [now["spoke"], now["spoke_own"], now["idle_tokens"]]
        widths = (7, 7, 9, 8, 7, 11, 6, 7)
        text = "".join(
            f"{'-' if cell is None else f'{cell:.1f}':>{width}}"
            for cell, width in zip(cells, widths, strict=True)
        )
        lines.append(f"{kind:26}{text}   {wide['ms']} {now['ms']} {now['idle_ms']}")
    return "\n".join(lines)


# -- the plot --------------------------------------------------------------------------------


def plot(kinds: dict[str, dict[str, Any]]) -> str:
    """Found against mean tokens of prompts that deserve something, from wide open to cautious."""
    across, up = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(tokens: float) -> float:
        return LEFT + across * tokens / BUDGET

    def y(found: float) -> float:
        return TOP + up * (1 - found / 100)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        ' aria-label="Share of the answers in the block by its mean length">',
        f"<style>{STYLE}</style>",
    ]
    for tick in range(0, 101, 20):
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
            f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick} %</text>'
        )
    for tokens in range(0, BUDGET + 1, 200):
        parts.append(
            f'<text x="{x(tokens):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{tokens}</text>'
        )
    parts.append(
        f'<text x="{LEFT + across / 2}" y="{HEIGHT - 8}" text-anchor="middle">mean tokens of a block</text>'
    )
    ends = []
    for number, (kind, found) in enumerate(kinds.items()):
        points = [
            (name, one["tokens"], one["found"])
            for name, one in found.items()
            if one["tokens"] is not None
        ]
        path = " ".join(f"{x(tokens):.1f},{y(share):.1f}" for _, tokens, share in points)
        parts.append(f'<polyline class="line c{number % 3}" points="{path}"/>')
        for name, tokens, share in points:
            size = 5.5 if name == "balanced" else 3
            parts.append(
                f'<circle class="d{number % 3}" cx="{x(tokens):.1f}" cy="{y(share):.1f}" r="{size}">'
                f"<title>{kind}, silence {name}: {share:.1f} % in {tokens:.0f} tokens</title></circle>"
            )
        ends.append((y(points[0][2]), x(points[0][1]), kind))
    last = 0.0
    for high, right, kind in sorted(ends):
        last = max(high, last + 15)
        parts.append(f'<text x="{right + 10:.1f}" y="{last + 4:.1f}">{kind}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", metavar="DIR", help="folder with *.jsonl.gz")
    parser.add_argument(
        "--most", type=int, default=80, help="prompts of each conversation of --data"
    )
    parser.add_argument("--write", action="store_true", help="measure the whole curve and keep it")
    options = parser.parse_args()
    settings = CURVE if options.write else ["0", "balanced"]
    files = list(worlds())
    if options.data:
        names = ["locomo", "beam100k", "friendsqa", "lifebench"]
        files += from_data(Path(options.data), names, options.most)
    kinds = measure(iter(files), settings)
    print(report(kinds))
    taken_back = measure_amended()
    print("amended decisions:", ", ".join(f"{name} {value}" for name, value in taken_back.items()))
    if options.write:
        kept = {"machine": machine(), "kinds": kinds, "amended": taken_back}
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        PLOT.write_text(plot(kinds), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
