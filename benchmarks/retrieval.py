"""How much of a question's evidence stands in the block that activate() renders, within a budget.

    python benchmarks/retrieval.py --data DIR [--budget 800 ...] [--write] [--json]

DIR holds *.jsonl.gz, one conversation a line: {"id", "items": [{"id", "text", "speaker", "at",
"session"}], "questions": [{"id", "text", "category", "evidence": [item ids], "now"}]}. Each
conversation gets a fresh memory file. Every item is recorded with `conversation(session).append`,
every question is asked with `activate(question, now=...)`, and the text that comes back is all that
counts: an item is there if its words, white space folded, stand whole in it. A text of more than
the budget in o200k tokens scores 0. Questions of category `adversarial` name the wrong person or
ask for what was never said; they are counted apart.

--minilm adds vectors: every message is embedded by cogmem.models.minilm after it was recorded
(slow: some 30 texts a second and core), and every question as it is asked.

--write keeps the figures in results/retrieval.json and draws docs/retrieval.svg, for which sets that
taught nothing are measured at five budgets; with --minilm it keeps them in
results/retrieval-minilm.json. The data is not part of this repository: README.md beside this file
says where it is from.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from datetime import UTC, datetime
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cogmem
from cogmem.tokens.counting import O200k

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cogmem.search.vectors import Embedder

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "retrieval.json"
PLOT = HERE.parent / "docs" / "retrieval.svg"
CURVE = [200, 400, 800, 1600, 3200]
# Sets whose names begin so teach the weights of the ranking: their licences allow it.
LEARNS = ("friendsqa", "qmsum", "lifebench")


def conversations(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def instant(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def folded(text: str) -> str:
    return " ".join(text.split())


def record(mem: cogmem.Memory, items: list[dict[str, Any]]) -> float:
    """Append every item as it comes; returns the seconds it took."""
    started = time.perf_counter()
    for item in items:
        who = item["speaker"]
        role = who if who in ("user", "assistant") else "user"
        talk = mem.conversation(item["session"])
        talk.append(role, item["text"], speaker=who, at=instant(item["at"]))
    return time.perf_counter() - started


class Tally:
    """Shares of evidence found in one data set at one budget, and what each turn took."""

    def __init__(self) -> None:
        self.shares: dict[str, list[float]] = defaultdict(list)
        self.by_conversation: dict[str, list[float]] = defaultdict(list)
        self.seconds: list[float] = []
        self.tokens: list[int] = []

    def add(self, conversation: str, category: str, share: float) -> None:
        self.shares[category].append(share)
        if category != "adversarial":
            self.by_conversation[conversation].append(share)

    def figures(self, budget: int) -> dict[str, Any]:
        asked = [s for name, values in self.shares.items() if name != "adversarial" for s in values]
        took = sorted(self.seconds)
        return {
            "budget": budget,
            "questions": len(asked),
            "recall": percent(asked),
            "adversarial": percent(self.shares.get("adversarial", [])),
            "categories": {
                name: {"questions": len(values), "recall": percent(values)}
                for name, values in sorted(self.shares.items())
            },
            "conversations": sorted(percent(v) or 0.0 for v in self.by_conversation.values()),
            "tokens": {"mean": round(statistics.mean(self.tokens)), "most": max(self.tokens)},
            "over_budget": sum(count > budget for count in self.tokens),
            "ms": {
                "p50": round(1000 * took[len(took) // 2], 2),
                "p95": round(1000 * took[int(len(took) * 0.95)], 2),
            },
        }


def percent(shares: list[float]) -> float | None:
    return round(100 * statistics.mean(shares), 2) if shares else None


def measure(
    file: Path, budgets: list[int], folder: str, embedder: Embedder | None = None
) -> dict[str, Any]:
    """All conversations of one data set, at every budget."""
    counter = O200k()
    tallies = {budget: Tally() for budget in budgets}
    messages = 0
    seconds = 0.0
    for number, conversation in enumerate(conversations(file)):
        said = {item["id"]: folded(item["text"]) for item in conversation["items"]}
        path = os.path.join(folder, f"{file.name}-{number}.db")
        with cogmem.open(path, embedder=embedder) as mem:
            seconds += record(mem, conversation["items"])
            if embedder is not None:
                mem.models.embed(len(said))
            messages += len(said)
            for question in conversation["questions"]:
                now = instant(question["now"])
                for budget, tally in tallies.items():
                    started = time.perf_counter()
                    text = mem.activate(question["text"], budget, now=now).text
                    tally.seconds.append(time.perf_counter() - started)
                    tokens = counter.count(text)
                    tally.tokens.append(tokens)
                    block = folded(text)
                    there = sum(said[name] in block for name in question["evidence"])
                    share = there / len(question["evidence"]) if tokens <= budget else 0.0
                    tally.add(conversation["id"], question["category"], share)
    return {
        "messages": messages,
        "appends_per_second": round(messages / seconds),
        "budgets": [tally.figures(budget) for budget, tally in tallies.items()],
    }


def machine() -> dict[str, Any]:
    import apsw

    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "cogmem": cogmem.__version__,
        "measured_at": datetime.now(UTC).strftime("%Y-%m-%d"),
    }


def report(name: str, figures: dict[str, Any]) -> str:
    """One data set as text, with the categories of the budget that matters."""
    lines = [f"{name}: {figures['messages']} messages, {figures['appends_per_second']} appends/s"]
    for at in figures["budgets"]:
        apart = "" if at["adversarial"] is None else f"  adversarial {at['adversarial']:.1f} %"
        lines.append(
            f"  {at['budget']:>5} tokens: {at['recall']:.2f} %{apart}"
            f"  p50 {at['ms']['p50']:.1f} ms  p95 {at['ms']['p95']:.1f} ms"
            f"  mean block {at['tokens']['mean']}, over budget {at['over_budget']}"
        )
        if at["budget"] == 800 or len(figures["budgets"]) == 1:
            for category, found in at["categories"].items():
                lines.append(f"      {found['recall']:>6.1f} %  {category} ({found['questions']})")
    return "\n".join(lines)


# -- the plot --------------------------------------------------------------------------------

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 24, 48
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #444 }
  .grid { stroke: #8886; stroke-width: 1 }
  .goal { stroke: #888; stroke-width: 1; stroke-dasharray: 3 4 }
  .line { fill: none; stroke-width: 2.5 }
  .c0 { stroke: #0a6fb5 } .d0 { fill: #0a6fb5 }
  .c1 { stroke: #c2570c } .d1 { fill: #c2570c }
  .c2 { stroke: #6b7280 } .d2 { fill: #6b7280 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ccc }
    .c0 { stroke: #58b4f0 } .d0 { fill: #58b4f0 }
    .c1 { stroke: #f59e5b } .d1 { fill: #f59e5b }
    .c2 { stroke: #9ca3af } .d2 { fill: #9ca3af }
  }
"""


def plot(series: list[tuple[str, list[tuple[int, float]]]]) -> str:
    """The curves as SVG: budget from left to right (each step doubles it), recall upwards."""
    across = WIDTH - LEFT - RIGHT
    up = HEIGHT - TOP - BOTTOM

    def x(budget: int) -> float:
        return LEFT + across * log2(budget / CURVE[0]) / log2(CURVE[-1] / CURVE[0])

    def y(recall: float) -> float:
        return TOP + up * (1 - recall / 100)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        ' aria-label="Share of evidence in the block by budget">',
        f"<style>{STYLE}</style>",
    ]
    for tick in range(0, 101, 20):
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
            f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick} %</text>'
        )
    for budget in CURVE:
        parts.append(
            f'<line class="{"goal" if budget == 800 else "grid"}" x1="{x(budget):.1f}" x2="{x(budget):.1f}"'
            f' y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
            f'<text x="{x(budget):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{budget:,}</text>'
        )
    parts.append(
        f'<text x="{LEFT + across / 2}" y="{HEIGHT - 8}" text-anchor="middle">budget of the block, in tokens</text>'
    )
    for number, (name, points) in enumerate(series):
        path = " ".join(f"{x(budget):.1f},{y(recall):.1f}" for budget, recall in points)
        last = points[-1]
        parts.append(f'<polyline class="line c{number}" points="{path}"/>')
        for budget, recall in points:
            parts.append(
                f'<circle class="d{number}" cx="{x(budget):.1f}" cy="{y(recall):.1f}" r="3.5">'
                f"<title>{name}, {budget} tokens: {recall:.1f} %</title></circle>"
            )
        parts.append(f'<text x="{x(last[0]) + 10:.1f}" y="{y(last[1]) + 4:.1f}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def curves(sets: dict[str, dict[str, Any]]) -> list[tuple[str, list[tuple[int, float]]]]:
    """What the plot shows: sets that taught nothing, and the questions that name the wrong person."""
    found = []
    sets = {name: figures for name, figures in sets.items() if not name.startswith(LEARNS)}
    for name, figures in sets.items():
        found.append((name, [(at["budget"], at["recall"]) for at in figures["budgets"]]))
    for name, figures in sets.items():
        apart = [
            (at["budget"], at["adversarial"]) for at in figures["budgets"] if at["adversarial"]
        ]
        if apart:
            found.append((f"{name}, wrong name", apart))
    return found[:3]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", metavar="DIR", help="folder with *.jsonl.gz")
    parser.add_argument("--budget", type=int, nargs="+", default=[800], metavar="N")
    parser.add_argument("--write", action="store_true", help="measure the whole curve and keep it")
    parser.add_argument("--minilm", action="store_true", help="compare by meaning as well")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    files = sorted(Path(options.data).glob("*.jsonl.gz")) if options.data else []
    if not files:
        where = f"{options.data} holds no *.jsonl.gz" if options.data else "no --data was given"
        print(f"Skipped: {where}. benchmarks/README.md says where the data is from.")
        return 0
    embedder = None
    if options.minilm:
        from cogmem.models.minilm import MiniLM, ModelMissing

        try:
            embedder = MiniLM()
        except ModelMissing as error:
            print(f"Skipped: {error}")
            return 0
    whole_curve = options.write and embedder is None
    sets: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            name = file.name.removesuffix(".jsonl.gz")
            # What taught the weights is no judge, so it has no curve.
            curve = whole_curve and not name.startswith(LEARNS)
            sets[name] = measure(file, CURVE if curve else options.budget, folder, embedder)
            print(report(name, sets[name]), file=sys.stderr if options.json else sys.stdout)
    result = {"machine": machine(), "sets": sets}
    if options.json:
        print(json.dumps(result, indent=2))
    if options.write:
        RESULTS.parent.mkdir(exist_ok=True)
        kept = RESULTS if embedder is None else RESULTS.with_stem("retrieval-minilm")
        kept.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    if options.write and embedder is None:
        PLOT.write_text(plot(curves(sets)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
