"""Fits the weights by which a person's short messages are chosen for a prompt (cogmem/data/sayings.txt).

    python benchmarks/fit_sayings.py --data DIR [--write] [--keep FILE]

DIR holds realwork-*.json.gz. All sessions are recorded in order of time; for each prompt that a memory helps, every
short message that may bear on it is told by its figures, and those that hold a phrase which a reader marked are what
a logistic regression learns to tell from the others. What is learned from one project is tried on the other, both
ways: the share of prompts that get a marked phrase in the best one, four and twelve messages (300 tokens). --write
learns from both and writes the weights.

What is told where a life is talked about is learned apart, from realmem-*.jsonl.gz: of the first TAUGHT people which
messages of theirs a question is about; the share of these within ROOM_OF_LIFE tokens is told of the others.
"""

from __future__ import annotations

import argparse
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from fitting import kept, write
from work import Message, Replay, folded, sets
from work_parts import as_asked, planned

import cogmem
from cogmem.language.cue import read_cue
from cogmem.search import gate as gates
from cogmem.search import sayings
from cogmem.search.messages import evidence
from cogmem.store.policy import Policy

PULL = 10.0  # how strongly a weight is held at 0
OTHERS = 6.0  # what all that hold no phrase count, against all that hold one
ROOM = 300  # tokens
ALL = 10_000
TAUGHT, ROOM_OF_LIFE = 3, 600  # people who teach, and tokens


class Asked(Replay):
    """A replay that only records, and tells what the marked prompts could be given."""

    def run(self) -> None:
        self.rows: list[dict[str, Any]] = []
        super().run()
        self.mem.close()

    def record(self, message: Message) -> None:
        self.mem.conversation(message.session).append(message.role, message.text, at=message.at)

    def end(self, message: Message) -> None:
        pass

    def ask(self, message: Message, number: int) -> None:
        mark = self.marks.get(message.ref)
        if mark is None or mark["need"] == "none" or not mark["words"]:
            return
        found = offered(self.mem, message.text, message.session, message.at)
        phrases = [folded(phrase) for phrase in mark["words"]]
        self.rows.append({
            "ref": message.ref,
            "first": message.ref.endswith("#0"),
            "late": number >= len(self.messages) * 2 / 3,
            "x": [[one.figures.get(name, 0.0) for name in sayings.NAMES] for one in found],
            "tokens": [one.row[4] for one in found],
            "y": [any(phrase in folded(one.row[3]) for phrase in phrases) for one in found],
        })  # fmt: skip


def lives(folder: Path) -> list[list[dict[str, Any]]]:
    """Of each person the questions about their projects, each with the messages of theirs that it could be given."""
    people = []
    for part in planned(folder):
        rows: list[dict[str, Any]] = []
        people.append(rows)
        with tempfile.TemporaryDirectory() as place, cogmem.open(f"{place}/life.db") as mem:
            for ask in as_asked(part, mem):
                found = offered(mem, ask.prompt, ask.session, ask.at)
                rows.append({
                    "x": [[one.figures.get(name, 0.0) for name in sayings.OF_LIFE] for one in found],
                    "tokens": [one.row[4] for one in found],
                    "y": [ask.judge(one.row[3])["evidence"] for one in found],
                })  # fmt: skip
    return people


def offered(mem: cogmem.Memory, text: str, session: str, at: datetime) -> list[sayings.Saying]:
    """All messages of a person that may bear on a prompt, with their figures."""
    db, scope, now = mem.store.db, mem.scope, int(at.timestamp() * 1000)
    policy = Policy.of(db)
    cue = read_cue(text, at, policy.stop_words())
    gate = gates.Gate(text, cue, policy.weights, 0.0, db.stems)
    evidence(db, cue, scope, now, limit=1, session=session, prompt=text, gate=gate)
    return sayings.sayings(db, scope, gate, now, ALL)


def share_told(rows: list[dict[str, Any]], table: dict[str, float]) -> float:
    """The mean share of what questions are about that the best messages hold."""
    weights = np.array([table[name] for name in sayings.OF_LIFE])
    shares = []
    for row in rows:
        spent, share = 0, 0.0
        for one in np.argsort(-(np.array(row["x"]) @ weights)) if row["x"] else ():
            if spent + row["tokens"][one] <= ROOM_OF_LIFE:
                spent += row["tokens"][one]
                share += row["y"][one]
        shares.append(share)
    return 100 * float(np.mean(shares))


def fit(rows: list[dict[str, Any]], names: tuple[str, ...] = sayings.NAMES) -> dict[str, float]:
    """Logistic regression by Newton's method; each prompt counts the same."""
    xs, ys, ws = [], [], []
    for row in rows:
        y = (np.array(row["y"], float) > 0).astype(float)
        if y.any():
            xs.append(np.array(row["x"]))
            ys.append(y)
            ws.append(np.where(y > 0, 1 / y.sum(), OTHERS / max(1.0, (1 - y).sum())))
    own, bias = logistic(np.vstack(xs), np.concatenate(ys), np.concatenate(ws))
    return {"bias": bias, **dict(zip(names, own, strict=True))}


def logistic(x: Any, y: Any, w: Any) -> tuple[list[float], float]:
    """The weights and the bias that tell one sort of rows from the other; `w`: how much each counts."""
    scale = x.std(0) + 1e-6
    x = np.hstack([x / scale, np.ones((len(x), 1))])
    held = np.diag([*([PULL] * (x.shape[1] - 1)), 1e-6])
    beta = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        step = np.linalg.solve(
            (x * (w * p * (1 - p))[:, None]).T @ x + held, x.T @ (w * (y - p)) - held @ beta
        )
        beta += step * min(1.0, 1 / float(np.abs(step).max()))
    return [float(one) for one in beta[:-1] / scale], float(beta[-1])


def told(name: str, rows: list[dict[str, Any]], table: dict[str, float]) -> str:
    """The share of prompts that get a marked phrase."""
    weights = np.array([table[name] for name in sayings.NAMES])
    parts = []
    for part, mine in (
        ("first", [row for row in rows if row["first"]]),
        ("inner", [row for row in rows if not row["first"]]),
    ):
        hits = dict.fromkeys((1, 4, 12), 0)
        for row in mine:
            if not row["y"]:
                continue
            order = np.argsort(-(np.array(row["x"]) @ weights))
            for most in hits:
                spent, many = 0, 0
                for one in order:
                    if many < most and spent + row["tokens"][one] <= ROOM:
                        many, spent = many + 1, spent + row["tokens"][one]
                        if row["y"][one]:
                            hits[most] += 1
                            break
        shares = "  ".join(f"{most}: {hit / len(mine):.2f}" for most, hit in hits.items())
        have = sum(any(row["y"]) for row in mine)
        parts.append(f"{part} {len(mine)}, {have} within reach, {shares}")
    return f"{name:18} {' | '.join(parts)}"


def read(data: Path) -> dict[str, list[dict[str, Any]]]:
    """The prompts of each project that a memory helps, each with what it could be given."""
    projects = {}
    for name, project in sets(data, None):
        with tempfile.TemporaryDirectory() as folder:
            asked = Asked(name, project, folder, argparse.Namespace(no_nights=True, notes=""))
            asked.run()
            projects[name] = asked.rows
    return projects


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument(
        "--keep", type=Path, help="a file that keeps the figures, and is read if it is there"
    )
    given = parser.parse_args()
    projects = kept(given.keep, lambda: read(given.data))
    for name, rows in projects.items():
        others = [row for other, its in projects.items() if other != name for row in its]
        print(told(f"→ {name}", rows, fit(others)))
    every = [row for rows in projects.values() for row in rows]
    table = fit(every)
    for name, rows in projects.items():
        print(told(f"both → {name}", rows, table))
    people = lives(given.data)
    of_life = fit([row for rows in people[:TAUGHT] for row in rows], sayings.OF_LIFE)
    del of_life["bias"]
    for number, rows in enumerate(people):
        aside = "" if number < TAUGHT else " (taught nothing)"
        print(f"life {number}: {share_told(rows, of_life):.1f} %{aside}")
    table |= of_life
    if given.write:
        meaning = "What each figure of a short message adds to its worth: fit_sayings.py"
        write("sayings.txt", meaning, table)


if __name__ == "__main__":
    main()
