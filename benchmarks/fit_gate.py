"""Fits the weights of the gate (table gate_weight) on prompts that deserve something and as many that do not.

    python benchmarks/fit_gate.py [--data DIR]

Each file of silence_files.py is asked all prompts of the fitting half, with a gate that keeps nothing
out; the figures that it gives each candidate are what a logistic regression learns from. Every kind of
file counts the same, and so do the two sorts of prompts in it. --data adds FriendsQA, QMSum and
LifeBench, whose licences allow it, whole and in windows of 10 and 100 messages; conversations that may
only judge are never read here. What is printed are the rows for schema/tables/00_space.sql.

The bias is moved at the end, so that a chance of 0.25, which is `balanced`, lets some 3 % of the idle
prompts of these files through, small ones aside.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
from silence import fill, shown
from silence_files import World, from_data, half, idle, worlds

FEATURES = {
    "message": (
        "cover named past asks may why here own own_asks own_command own_tells unknown command days"
    ).split(),
    "memory": "cover share many asks why here own own_asks own_tells unknown".split(),
}
LEARNS = ["friendsqa", "qmsum", "lifebench"]
BALANCED = 0.25
IDLE = {"message": 0.045, "memory": 0.03}  # a file of facts has more words that stand alone
ASKED = 150  # idle prompts asked of each file
PULL = 2.0  # how strongly a weight is held at 0
SMALL = 50  # messages or memories; in smaller files little is met by chance, so they do not set the bias


def figures(world: World, folder: str) -> list[tuple[str, str, dict[str, float], bool, str]]:
    """(candidate, kind of file, figures, whether it deserves something, category) of each prompt."""
    rows = []
    asked = [("", prompt.text, prompt.answers) for prompt in world.wanted]
    many = [(category, text, frozenset[str]()) for category, text in idle() if not half(text)]
    asked += random.Random(world.name).sample(many, min(len(many), ASKED))
    with fill(world, folder) as mem:
        mem.store.set_setting("silence", "0", actor="benchmark", now=0)
        for category, text, answers in asked:
            if half(text):
                continue
            turn = mem.activate(text, now=world.now)
            items = [one for one in (*turn.chosen, *turn.left_out) if one.marks]
            found = shown(turn.text, answers)
            for candidate in ("message", "memory"):
                mine = [one for one in items if (one.kind == "message") == (candidate == "message")]
                if mine and (category or found):
                    best = max(mine, key=lambda one: one.marks["cover"])
                    if not category and not any(
                        " ".join(answer.split()) in " ".join(one.line.split())
                        for one in mine
                        for answer in answers
                    ):
                        continue  # the other sort answers this one
                    covered = best.marks.get("share", 0.0) > 0.99
                    if candidate == "memory" and category and covered:
                        continue  # a fact that says all of an idle prompt is not idle here
                    rows.append((candidate, world.kind, best.marks, not category, category))
    return rows


def windows(world: World, size: int, many: int) -> list[World]:
    """Parts of a world: a file is small for its first weeks."""
    rng = random.Random(f"{world.name} {size}")
    found = []
    for one in rng.sample(world.wanted, min(many, len(world.wanted))):
        at = next((n for n, said in enumerate(world.said) if said.text in one.answers), None)
        if at is not None:
            start = max(0, min(at - rng.randrange(size), len(world.said) - size))
            part = world.said[start : start + size]
            found.append(world._replace(kind=f"{world.kind} {size}", said=part, wanted=[one]))
    return found


def fit(rows: list[tuple[dict[str, float], bool, str]], names: list[str]) -> dict[str, float]:
    """Logistic regression by Newton's method; each kind of file and each sort of prompt weighs the same."""
    many: dict[tuple[str, bool], int] = defaultdict(int)
    for _, deserves, kind in rows:
        many[kind, deserves] += 1
    x = np.array([[1.0, *(marks[name] for name in names)] for marks, _, _ in rows])
    y = np.array([float(deserves) for _, deserves, _ in rows])
    w = np.array([1 / many[kind, deserves] for _, deserves, kind in rows])
    w *= len(rows) / w.sum()
    held = np.diag([0.0, *([PULL] * len(names))])
    beta = np.zeros(x.shape[1])
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        step = np.linalg.solve(
            (x * (w * p * (1 - p))[:, None]).T @ x + held + 1e-9 * np.eye(len(beta)),
            x.T @ (w * (y - p)) - held @ beta,
        )
        beta += step
        if float(np.abs(step).max()) < 1e-8:
            break
    return dict(zip(["bias", *names], map(float, beta), strict=True))


def balance(
    rows: list[tuple[dict[str, float], bool, str]],
    weights: dict[str, float],
    total: dict[str, int],
    idle: float,
) -> None:
    """Move the bias so that BALANCED lets so much of the idle prompts pass, in the mean over the files."""
    z: dict[str, list[float]] = defaultdict(list)
    for marks, deserves, kind in rows:
        if not deserves and kind in total:
            z[kind].append(
                weights["bias"] + sum(weights[k] * marks[k] for k in weights if k != "bias")
            )
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        share = np.mean(
            [sum(value > middle for value in values) / total[kind] for kind, values in z.items()]
        )
        low, high = (middle, high) if share > idle else (low, middle)
    weights["bias"] += float(np.log(BALANCED / (1 - BALANCED))) - high


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", metavar="DIR", help="folder with *.jsonl.gz")
    options = parser.parse_args()
    files = [world for world in worlds() if "unseen" not in world.kind]
    if options.data:
        for world in from_data(Path(options.data), LEARNS, 100):
            files.append(world)
            if world.kind == "friendsqa":
                files += [part for size in (10, 100) for part in windows(world, size, 8)]
    rows: dict[str, list[tuple[dict[str, float], bool, str]]] = defaultdict(list)
    total: dict[str, int] = defaultdict(int)
    fitting = [category for category, text in idle() if not half(text)]
    many = ASKED * sum(category != "own" for category in fitting) // len(fitting)
    for number, world in enumerate(files):
        with tempfile.TemporaryDirectory() as folder:
            for candidate, kind, marks, deserves, category in figures(world, folder):
                if category == "own":
                    rows[f"{candidate} own"].append((marks, deserves, kind))
                else:
                    rows[candidate].append((marks, deserves, kind))
        if len(world.said) + len(world.facts) >= SMALL:
            total[world.kind] += many
        print(f"{number + 1}/{len(files)} {world.name}", file=sys.stderr)
    for candidate, names in FEATURES.items():
        weights = fit(rows[candidate] + rows[f"{candidate} own"], names)
        balance(rows[candidate], weights, total, IDLE[candidate])
        for name, weight in weights.items():
            print(f"  ('{candidate}.{name}', {weight:.2f}, …)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
