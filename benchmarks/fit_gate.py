"""Fits the weights of the gate (table gate_weight) on prompts that deserve something and as many that do not.

    python benchmarks/fit_gate.py [--data DIR]

Each file of silence_files.py is asked all prompts of the fitting half, with a gate that keeps nothing
out; the figures that it gives each candidate are what a logistic regression learns from. Every kind of
file counts the same, and so do the two sorts of prompts in it. --data adds FriendsQA, QMSum and
LifeBench, whose licences allow it, whole and in windows of 10 and 100 messages; conversations that may
only judge are never read here. What is printed are the rows for schema/tables/00_space.sql.

A prompt of a session is weighed apart, by rows `session.*`: they are learned from those prompts of the files that
were asked in a session, and judged as such, and from the marked prompts of real work (realwork-*.json.gz), which
count REAL times as much. What a session says for memories is learned beside the weights that the schema has, which
stay; what talk of a life says, beside those of a session. Both are printed as shipped; --hand-over prints beside it
what each project says of the other. --base fits the rest as well: there the bias is moved so that a chance of 0.25,
which is `balanced`, lets some 3 % of the idle prompts of these files through, small ones aside; in a session WORKING
of those of real work.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import defaultdict
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from decisions import APART, tasks_of
from silence import fill, shown
from silence_files import World, from_data, half, idle, worlds
from work import Message, Replay, sets
from work_parts import as_asked, planned

import cogmem
from cogmem.errors import GuardRefused
from cogmem.store.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cogmem.turn.activation import Activation

FEATURES = {
    "message": (
        "cover named past asks may why here own own_asks own_command own_tells unknown command days"
    ).split(),
    "memory": "cover share many asks why here own own_asks own_tells unknown".split(),
}
OF_SESSION = "opening inner brief pasted".split()
BEGINS = "life life_rich".split()  # says nothing of memories
OF_MATTER = "together share beyond rich fresh".split()
# How a prompt is worded is no evidence that an earlier conversation helps it.
SESSION = [
    "cover",
    "named",
    "unknown",
    "days",
    "trouble",
    *OF_SESSION,
    *BEGINS,
    "inner_cover",
    *OF_MATTER,
]
BY_HAND = {
    "message": {"trouble": 2.5},
    "session": {"few": 1.0},
    "memory": {"trouble": 2.2, "few": 2.0, "key": 3.0, "short": 1.0, "foremost": 2.0},
}
LEARNS = ["friendsqa", "qmsum", "lifebench"]
BALANCED = 0.25
IDLE = {"message": 0.045, "memory": 0.03}  # a file of facts has more words that stand alone
ASKED = 150  # idle prompts asked of each file
LONGEST = 0.5  # of a step of the fit
PULL = 2.0  # how strongly a weight is held at 0
UNDER_WAY = (
    6  # messages of a session in which a third of the prompts are asked; another third begins one
)
CHATS = "chats about a library"
TALKED, REPORTED = 24.0, 14.0  # what its prompts that need nothing count, and the reports that do
LIFE = "projects of a life"
TAUGHT = 3  # people
BEGUN = 15  # chats; a file that holds fewer says little about how many words stand everywhere
WORK = "work "  # begins the name of a project whose prompts a reader marked
REAL = 12.0  # what these count beside the prompts of one kind of file
BESIDE, QUIET = (
    2.0,
    6.0,
)  # … of memories, and there those that deserve nothing, as most real prompts do
WORKING = 0.08  # share of the prompts of real work that need nothing and are let through
LIVING = 0.02  # … of the idle ones where a life is talked about
SMALL = 50  # messages or memories; in smaller files little is met by chance, so they do not set the bias


def figures(world: World, folder: str) -> list[tuple[str, str, dict[str, float], bool, str]]:
    """(candidate, kind of file, figures, whether it deserves something, category) of each prompt."""
    rows = []
    asked = [("", prompt.text, prompt.answers) for prompt in world.wanted]
    many = [(category, text, frozenset[str]()) for category, text in idle() if not half(text)]
    asked += random.Random(world.name).sample(many, min(len(many), ASKED))
    with fill(world, folder) as mem:
        mem.store.set_setting("silence", "0", now=0)
        talk = mem.conversation("under way")
        for number, (_, text, _) in enumerate(many[:UNDER_WAY] if world.said else ()):
            talk.append("assistant" if number % 2 else "user", text, at=world.now)
        for number, (category, text, answers) in enumerate(asked):
            if half(text):
                continue
            session = ("", f"opens {number}", "under way")[number % 3] if world.said else ""
            turn = mem.activate(text, session=session, now=world.now)
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


def work(
    folder: Path, notes: Path, wanted: Sequence[str]
) -> Iterator[tuple[str, str, dict[str, float], bool]]:
    """(candidate, project, figures, whether an earlier session helps) of the marked prompts of real work."""
    for name, data in sets(folder, [*wanted] or None):
        with tempfile.TemporaryDirectory() as place:
            asked = argparse.Namespace(no_nights=True, notes=str(notes) if notes.exists() else "")
            yield from Asked(name, data, place, asked).figures_of_marked()


class Asked(Replay):
    """A replay that hears nothing: what was said, and the notes of careful readers, are all that it holds."""

    def __init__(
        self, name: str, data: dict[str, Any], folder: str, asked: argparse.Namespace
    ) -> None:
        super().__init__(name, data, folder, asked)
        self.mem.store.set_setting("silence", "0", now=0)
        self.found: list[tuple[str, str, dict[str, float], bool]] = []

    def figures_of_marked(self) -> list[tuple[str, str, dict[str, float], bool]]:
        self.run()
        self.mem.close()
        return self.found

    def ask(self, message: Message, number: int) -> None:  # noqa: ARG002
        mark = self.marks.get(message.ref)
        if mark is None:
            return
        turn = self.mem.activate(message.text, session=message.session, now=message.at)
        self.found += _best_of(turn, self.name, mark["need"] != "none")

    def record(self, message: Message) -> None:
        self.mem.conversation(message.session).append(message.role, message.text, at=message.at)

    def end(self, message: Message) -> None:
        notes = {} if self.model is None else self.model.notes  # of a reader
        for note in notes.get(message.session, []):
            with suppress(GuardRefused):  # a note that quotes an order
                self.mem.learn(note["text"], kind="fact", source="inferred", now=message.at)


def chats(folder: Path) -> Iterator[tuple[str, str, dict[str, float], bool]]:
    """The same of chats about one library: those that decide nothing need nothing, half of them teach that; reports
    whose rule was decided in one of the others do."""
    if not any(folder.glob("decisions-*.json.gz")):
        return
    tasks, items = tasks_of(folder)
    with tempfile.TemporaryDirectory() as place, cogmem.open(f"{place}/chats.db") as mem:
        mem.store.set_setting("silence", "0", now=0)
        talks: set[str] = set()
        for item in items:
            session, at = item["session"], datetime.fromisoformat(item["at"])
            teaches = session.startswith("other") and int(session[5:]) % 4 < 2
            if item["speaker"] == "user" and teaches and len(talks) > BEGUN:
                yield from _best_of(
                    mem.activate(item["text"], session=session, now=at), CHATS, False
                )
            talks.add(session)
            mem.conversation(session).append(item["speaker"], item["text"], at=at)
        for task in tasks[::2]:
            turn = mem.activate(task.prompt, session=f"report {task.name}", now=at + APART)
            yield from _best_of(turn, CHATS, True)


def lives(folder: Path) -> Iterator[tuple[str, str, dict[str, float], bool]]:
    """The same of what people ask of an assistant about their own projects: each needs what was said before. The
    first TAUGHT of them teach, the others are for figures."""
    for part in islice(planned(folder), TAUGHT):
        with tempfile.TemporaryDirectory() as place, cogmem.open(f"{place}/life.db") as mem:
            mem.store.set_setting("silence", "0", now=0)
            for ask in as_asked(part, mem):
                turn = mem.activate(ask.prompt, session=ask.session, now=ask.at)
                yield from _best_of(turn, LIFE, True)


def _best_of(
    turn: Activation, kind: str, deserves: bool
) -> Iterator[tuple[str, str, dict[str, float], bool]]:
    """The figures of the best message and of the best memory."""
    items = [one for one in (*turn.chosen, *turn.left_out) if one.marks]
    for candidate in ("message", "memory"):
        mine = [one for one in items if (one.kind == "message") == (candidate == "message")]
        if mine:
            best = max(mine, key=lambda one: one.marks["cover"])
            yield candidate, kind, best.marks, deserves


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


def _counts(kind: str, deserves: bool, quiet: float) -> float:
    """What a prompt of a project counts against one of a made file, and one that deserves nothing against others."""
    if quiet == 1.0 and kind == CHATS:
        return REPORTED if deserves else TALKED
    if not kind.startswith(WORK):
        return 1.0
    if quiet == 1.0:
        return REAL
    return BESIDE if deserves else BESIDE * quiet


def fit(
    rows: list[tuple[dict[str, float], bool, str]],
    names: list[str],
    known: dict[str, float] | None = None,
    quiet: float = 1.0,
) -> dict[str, float]:
    """Logistic regression by Newton's method; each kind of file and each sort of prompt weighs the same.

    What is `known` already, its bias included, stays as it is.
    """
    many: dict[tuple[str, bool], int] = defaultdict(int)
    for _, deserves, kind in rows:
        many[kind, deserves] += 1
    given = np.array([weighed(marks, known) if known else 0.0 for marks, _, _ in rows])
    x = np.array([[not known, *(marks.get(name, 0.0) for name in names)] for marks, _, _ in rows])
    y = np.array([float(deserves) for _, deserves, _ in rows])
    w = np.array(
        [_counts(kind, deserves, quiet) / many[kind, deserves] for _, deserves, kind in rows]
    )
    w *= len(rows) / w.sum()
    held = np.diag([0.0, *([PULL] * len(names))])
    beta = np.zeros(x.shape[1])
    for _ in range(400):
        p = 1 / (1 + np.exp(-np.clip(given + x @ beta, -30, 30)))
        step = np.linalg.solve(
            (x * (w * p * (1 - p))[:, None]).T @ x + held + 1e-9 * np.eye(len(beta)),
            x.T @ (w * (y - p)) - held @ beta,
        )
        beta += step * min(1.0, LONGEST / float(np.abs(step).max()))
        if float(np.abs(step).max()) < 1e-8:
            break
    return dict(zip(["bias", *names], map(float, beta), strict=True))


def weighed(marks: dict[str, float], weights: dict[str, float]) -> float:
    """The weighted sum of some figures."""
    return weights["bias"] + sum(
        weights[name] * marks.get(name, 0.0) for name in weights if name != "bias"
    )


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
            z[kind].append(weighed(marks, weights))
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        share = np.mean(
            [sum(value > middle for value in values) / total[kind] for kind, values in z.items()]
        )
        low, high = (middle, high) if share > idle else (low, middle)
    weights["bias"] += float(np.log(BALANCED / (1 - BALANCED))) - high


def of_a_session(row: tuple[dict[str, float], bool, str]) -> bool:
    """Whether a prompt was asked in a session."""
    return any(row[0].get(name) for name in OF_SESSION)


def within(rows: list[tuple[dict[str, float], bool, str]]) -> dict[str, float]:
    """The weights of prompts of a session; the bias lets WORKING of the idle ones of real work through."""
    weights = fit(rows, SESSION)
    z = [
        weighed(marks, weights)
        for marks, deserves, kind in rows
        if not deserves and kind.startswith(WORK)
    ]
    if z:
        weights["bias"] += float(np.log(BALANCED / (1 - BALANCED)) - np.quantile(z, 1 - WORKING))
    return weights


def of_life(
    rows: list[tuple[dict[str, float], bool, str]], known: dict[str, float]
) -> dict[str, float]:
    """What talk of a life says beside the weights of a session, so that LIVING of the idle prompts pass there."""
    weights = fit(rows, BEGINS, known)
    del weights["bias"]
    idle = [marks for marks, deserves, _ in rows if not deserves and marks.get("life", 0.0) == 1]
    z = [weighed(marks, known | weights) for marks in idle]
    if z:
        weights["life"] += float(np.log(BALANCED / (1 - BALANCED)) - np.quantile(z, 1 - LIVING))
    return weights


def told(
    kind: str, rows: list[tuple[dict[str, float], bool, str]], weights: dict[str, float]
) -> str:
    """Of one kind of file, the share of prompts of either sort that get something."""
    least = float(np.log(BALANCED / (1 - BALANCED)))
    shares = []
    for wanted in (False, True):
        mine = [
            weighed(marks, weights) > least for marks, deserves, _ in rows if deserves == wanted
        ]
        shares.append(f"{100 * np.mean(mine):.0f} % of {len(mine)}" if mine else "none")
    return f"  {kind:24} idle {shares[0]}, helped {shares[1]}"


def weights_of_the_schema() -> dict[str, dict[str, float]]:
    """The weights that a new file has."""
    with cogmem.open(":memory:") as mem:
        return {name: dict(table) for name, table in Policy.of(mem.store.db).weights.items()}


def print_rows(candidate: str, weights: dict[str, float]) -> None:
    for name, weight in weights.items():
        print(f"  ('{candidate}.{name}', {weight:.2f}, …)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", metavar="DIR", help="folder with *.jsonl.gz")
    parser.add_argument("--work", nargs="*", default=[], help="only these of the projects in DIR")
    parser.add_argument(
        "--keep", metavar="FILE", help="keep all figures there, or read them if it is there"
    )
    parser.add_argument(
        "--base", action="store_true", help="fit the weights outside of sessions too"
    )
    parser.add_argument(
        "--hand-over", action="store_true", help="also learn without each project and try it there"
    )
    options = parser.parse_args()
    kept = Path(options.keep) if options.keep else None
    is_kept = kept is not None and kept.exists()
    files = [world for world in worlds() if "unseen" not in world.kind and not is_kept]
    if options.data and not is_kept:
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
    if options.data and not is_kept:
        notes = Path(options.data, "realwork-notes.jsonl")
        for candidate, project, marks, deserves in work(Path(options.data), notes, options.work):
            rows[f"{candidate} own"] += [(marks, deserves, WORK + project)]
        for candidate, kind, marks, deserves in (
            *chats(Path(options.data)),
            *lives(Path(options.data)),
        ):
            rows[f"{candidate} own"] += [(marks, deserves, kind)]
    if kept is not None and is_kept:
        kept_rows, total = json.loads(kept.read_text("utf-8"))
        rows.update(kept_rows)
    elif kept is not None:
        kept.write_text(json.dumps([rows, total]), encoding="utf-8")
    shipped = weights_of_the_schema()
    for candidate, names in FEATURES.items() if options.base else ():
        alone = [row for row in rows[candidate] + rows[f"{candidate} own"] if not of_a_session(row)]
        weights = fit(alone, names)
        balance(rows[candidate], weights, total, IDLE[candidate])
        shipped[candidate] = weights | BY_HAND[candidate]
        print_rows(candidate, shipped[candidate])
    # Those of a session that are judged as if there were none teach nothing about sessions.
    asked = [row for row in rows["message"] + rows["message own"] if row[0].get("within")]
    if options.hand_over:
        for project in sorted({row[2] for row in asked if row[2].startswith(WORK)}):
            others = within([row for row in asked if row[2] != project])
            print(told(project, [row for row in asked if row[2] == project], others))
    weights = within([row for row in asked if row[2] != LIFE]) | BY_HAND["session"]
    weights |= of_life(asked, weights)
    print_rows("session", weights)
    for project in sorted({row[2] for row in asked}):
        print(told(project, [row for row in asked if row[2] == project], weights))
    every = rows["memory"] + rows["memory own"]
    known = {name: value for name, value in shipped["memory"].items() if name not in OF_SESSION}
    beside = fit(every, OF_SESSION, known, QUIET)
    del beside["bias"]
    print_rows("memory", beside)
    return 0


if __name__ == "__main__":
    sys.exit(main())
