"""Fits the weights by which the notes of a model are chosen for a prompt (cogmem/data/noted.txt).

    python benchmarks/fit_noted.py --data DIR --notes FILE [--set realwork-dev] [--write] [--keep FILE]

DIR and FILE are those of work.py. All sessions are recorded in order of time, and a reader's notes are left as each
ends. For each marked prompt every note that may bear on it is told by its figures; those made from a message that a
reader marked as helping, or that say a marked phrase, are what a logistic regression learns to tell from the others.
What the first two thirds of the prompts teach is tried on the last third: how many of the notes told are such, and
how many prompts that need nothing get one. The bias is set so that of the prompts that need nothing QUIET get one at
the chance at which the setting `silence` opens. --write writes what the first two thirds taught, so that what
ships has not seen the last third.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from fit_sayings import logistic
from fitting import kept, write
from work import Message, Reader, Replay, alike, holds, sets, telling

from cogmem.language.cue import read_cue
from cogmem.search import gate as gates
from cogmem.search.ground import conversation_of
from cogmem.search.memories import candidates
from cogmem.search.messages import evidence
from cogmem.search.noted import CLOSE, MOST, NAMES, noted
from cogmem.store.policy import Policy
from cogmem.text.lines import one_line

OTHERS = 3.0  # what all notes of a prompt that do not help count, against all that do
QUIET = 0.13  # of the prompts that need nothing, those that get a note
ROOM = 800  # tokens


class Asked(Replay):
    """A replay that records, leaves notes, and tells which notes the marked prompts could be given."""

    def run(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.refs = {
            one_line(note["text"]): note["ref"]
            for notes in self.model.notes.values()
            for note in notes
        }
        super().run()
        self.mem.close()

    def record(self, message: Message) -> None:
        self.mem.conversation(message.session).append(message.role, message.text, at=message.at)

    def end(self, message: Message) -> None:
        assert isinstance(self.model, Reader)
        self.model.session = message.session
        self.mem.notes.read(message.session, model=self.model, now=message.at)

    def ask(self, message: Message, number: int) -> None:
        mark = self.marks.get(message.ref)
        if mark is None:
            return
        db, scope = self.mem.store.db, self.mem.scope
        policy = Policy.of(db)
        now = int(message.at.timestamp() * 1000)
        cue = read_cue(message.text, message.at, policy.stop_words())
        gate = gates.Gate(message.text, cue, policy.weights, 0.01, db.stems)
        said = evidence(
            db, cue, scope, now, limit=120, room=ROOM, session=message.session, prompt=message.text, gate=gate,
        )  # fmt: skip
        held = candidates(db, cue, scope, room=ROOM, gate=gate)
        talks = {conversation_of(one.place) for one in said}
        found = noted(db, scope, gate, held, talks, now).found
        phrases = [telling(phrase) for phrase in mark["words"]]
        self.rows.append({
            "ref": message.ref,
            "need": mark["need"] != "none",
            "late": number >= len(self.messages) * 2 / 3,
            "x": [[one.marks[name] for name in NAMES] for one in found],
            "y": [
                mark["need"] != "none"
                and (self.refs.get(one.content) in mark["gold"] or _says(one.content, phrases))
                for one in found
            ],
            "prompt": message.text[:600],
            "texts": [f"[{one.kind}] {one.content}" for one in found],
        })  # fmt: skip


def _says(text: str, phrases: list[frozenset[str]]) -> bool:
    words = telling(text)
    return any(holds(words, one) or (len(one) > 1 and alike(words, one)) for one in phrases)


def fit(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Logistic regression by Newton's method; each prompt counts the same."""
    xs, ys, ws = [], [], []
    for row in rows:
        if row["x"]:
            y = np.array(row["y"], float)
            xs.append(np.array(row["x"]))
            ys.append(y)
            ws.append(np.where(y > 0, 1 / max(1.0, y.sum()), OTHERS / len(y)))
    own, _ = logistic(np.vstack(xs), np.concatenate(ys), np.concatenate(ws))
    table = dict(zip(NAMES, own, strict=True))
    most = sorted(
        (float(scored(row, table).max()) for row in rows if row["x"] and not row["need"]),
        reverse=True,
    )
    opens = gates.LEAST["balanced"]
    return {"bias": float(np.log(opens / (1 - opens)) - most[int(QUIET * len(most))]), **table}


def scored(row: dict[str, Any], table: dict[str, float]) -> Any:
    """The logarithm of the odds of each note of a prompt."""
    own = np.array([table[name] for name in NAMES])
    return np.array(row["x"]) @ own + table.get("bias", 0.0)


def chosen(row: dict[str, Any], table: dict[str, float]) -> list[int]:
    """The notes that a turn would tell."""
    if not row["x"]:
        return []
    odds = scored(row, table)
    least = gates.LEAST["balanced"]
    best = sorted(range(len(odds)), key=lambda one: -odds[one])[:MOST]
    return [
        one
        for one in best
        if odds[one] >= np.log(least / (1 - least)) and odds[one] >= max(odds) + np.log(CLOSE)
    ]


def told(name: str, rows: list[dict[str, Any]], table: dict[str, float]) -> str:
    """What the prompts are given."""
    need = [row for row in rows if row["need"]]
    rest = [row for row in rows if not row["need"]]
    spoke = [row for row in need if chosen(row, table)]
    loud = [row for row in rest if chosen(row, table)]
    lines = sum(len(chosen(row, table)) for row in rows)
    good = sum(row["y"][one] for row in need for one in chosen(row, table))
    hit = sum(any(row["y"][one] for one in chosen(row, table)) for row in need)
    return (
        f"{name:14} need nothing {len(rest)}, get a note {100 * len(loud) / max(1, len(rest)):.1f} %"
        f" | are helped {len(need)}, get a note {100 * len(spoke) / max(1, len(need)):.1f} %,"
        f" a marked one {100 * hit / max(1, len(need)):.1f} % | lines {lines}, marked {good}"
    )


def read(given: argparse.Namespace) -> list[dict[str, Any]]:
    """The marked prompts of a project, each with its notes."""
    [(name, data)] = sets(given.data, [given.set])
    with tempfile.TemporaryDirectory() as folder:
        asked = Asked(name, data, folder, argparse.Namespace(no_nights=True, notes=given.notes))
        asked.run()
        return asked.rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--notes", required=True)
    parser.add_argument("--set", default="realwork-dev")
    parser.add_argument("--write", action="store_true")
    parser.add_argument(
        "--keep", type=Path, help="a file that keeps the figures, and is read if it is there"
    )
    given = parser.parse_args()
    rows = kept(given.keep, lambda: read(given))
    late = [row for row in rows if row["late"]]
    early = [row for row in rows if not row["late"]]
    table = fit(early)
    print(told("early → early", early, table))
    print(told("early → late", late, table))
    if given.write:
        meaning = "What each figure of a note adds to the odds that it helps: fit_noted.py"
        write("noted.txt", meaning, table)


if __name__ == "__main__":
    main()
