"""Is a month of use remembered as it stands now? 40 sessions, 60 nights, then 22 questions.

    python benchmarks/month.py [--other | --third] [--show] [--page FILE] [--write]

prompts/month.txt holds the talk of one person in two projects and at home, with the commands that an agent ran for
them. What was mended since was mended with its answers in view, and later with those of month-other.txt (--other),
the month of another person, and by those of month-third.txt (--third) with what was stale in it. It is replayed as a
host would have it: each prompt asks activate() and is recorded and heard, calls of tools are recorded with their
results, a session is concluded at its end, and every day has its night. `@` lines are what an agent does beside the
talk: it learns a value by its key, a procedure or an episode, and says how a procedure went.

Each question counts as one of
    right    what must be told is told, nothing that is over stands as if it held, and at most two lines are of
             another matter
    noisy    the same with more lines of other matters
    missing  something that must be told is not
    stale    something that is over is told without a word that says so; the announcement of a change, which names
             both, says so itself
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import cogmem
from cogmem.hosts import act

HERE = Path(__file__).resolve().parent
BEGAN = datetime(2026, 9, 1, 9, tzinfo=UTC)
NIGHTS = 60
LATER = 30  # days between the nights that follow, up to the last question
OTHER_LINES = 2  # of another matter, that a clean answer may have
# Where one of these stands in a line, it does not tell what is over as if it held.
SAYS_SO = (
    "earlier",
    "check:",
    "[past",
    "was replaced",
    "failed",
    "moved",
    "is gone",
    "instead",
    "too much",
)


class Question:
    """One row of the questions."""

    def __init__(self, row: str) -> None:
        place, self.way, self.prompt, must, over, about = (
            part.strip() for part in row.removeprefix("? ").split("|")
        )
        day, self.project = place.split()
        self.day = int(day)
        self.must = [
            [one.strip() for one in either.split(" / ")] for either in must.split(";") if either
        ]
        self.over = [one.strip() for one in over.split(";") if one.strip()]
        self.about = about.split()

    def verdict(self, text: str, chosen: str) -> str:
        """What an answer is worth; `chosen`: the part of it that was chosen for this prompt."""
        lines = told(text)
        if self.way == "silent":
            return "noisy" if lines else "right"
        if self.way == "rows":
            return "right" if text == self.must[0][0] else "noisy"
        for line in lines:
            is_announced = self.must and all(
                any(one in line for one in either) for either in self.must
            )
            says_so = is_announced or any(sign in line for sign in SAYS_SO)
            if any(one in line for one in self.over) and not says_so:
                return "stale"
        if not all(any(one in line for line in lines for one in either) for either in self.must):
            return "missing"
        other = [line for line in told(chosen) if not any(word in line for word in self.about)]
        return "noisy" if self.about and len(other) > OTHER_LINES else "right"


def told(text: str) -> list[str]:
    """The lines of a block, in small letters."""
    return [line for line in text.casefold().splitlines() if line.startswith("- ")]


class Month:
    """The replay: one file, opened by each session for its project."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.now = BEGAN
        self.number = 0

    def open(self, project: str) -> cogmem.Memory:
        return cogmem.open(self.path, user="nora", project=project)

    def session(self, project: str, lines: list[str]) -> None:
        """One session, line by line."""
        name = f"{project}-{self.number}"
        with self.open(project) as mem:
            talk = mem.conversation(name)
            calls: list[Any] = []
            for line in lines:
                self.now += timedelta(minutes=2)
                at = int(self.now.timestamp() * 1000)
                sign, _, said = line.partition(" ")
                if sign == ">":
                    mem.activate(said, session=name, now=at)
                    talk.append("user", said, at=at)
                    calls.append(("user", said, None, None, None))  # as a transcript has it
                    mem.capture_conversation(name, now=at)
                elif sign == "<":
                    talk.append("assistant", said, at=at)
                elif sign == "@":
                    self.beside(mem, said, at)
                elif sign.startswith("@"):
                    self.beside(mem, line[1:], at)
                else:
                    entries = self.call(sign, said, len(calls))
                    talk.extend([(*entry, None, at, None) for entry in entries], counted=False)
                    calls += [(*entry, None, None, None) for entry in entries]
            act.learn(mem, calls, now=at)
            mem.sessions.conclude(name, now=at)
            mem.sessions.end(name, now=at)
        self.number += 1

    def call(self, sign: str, said: str, number: int) -> list[tuple[str, list[dict[str, Any]]]]:
        """A call of a tool and its result."""
        command, _, error = said.partition(" | ")
        given = {"file_path": said} if sign == "+" else {"command": command}
        name = "Edit" if sign == "+" else "Bash"
        call = {"type": "tool_call", "id": str(number), "name": name, "arguments": given}
        failed = {"is_error": True} if sign == "!" else {}
        content = f"{error}\nexit code: 1" if sign == "!" else "ok"
        result = {"type": "tool_result", "tool_call_id": str(number), "content": content}
        return [("assistant", [call]), ("tool", [result | failed])]

    def beside(self, mem: cogmem.Memory, said: str, at: int) -> None:
        """What the agent does beside the talk."""
        verb, _, rest = said.partition(" ")
        if verb == "learn":
            name, _, value = rest.partition(": ")
            kind, key = name.split()
            mem.learn(value, kind, key=key, now=at)
        elif verb == "procedure":
            name, _, told = rest.partition(": ")
            what, *steps = told.split(" | ")
            mem.procedure(name, steps, description=what, now=at)
        elif verb == "episode":
            what, _, outcome = rest.partition(" | ")
            mem.episode(what, outcome=outcome, now=at)
        elif verb == "try":
            name, _, how = rest.partition(" ")
            reason = how.partition(": ")[2]
            mem.tried(name, success=how == "ok", reason=reason, now=at)
        else:
            raise SystemExit(f"month.txt: {verb} is not known")

    def night(self, day: int) -> None:
        with self.open("") as mem:
            mem.nightly(now=BEGAN + timedelta(days=day, hours=17))

    def answer(self, one: Question, number: int) -> tuple[str, str]:
        """What the memory tells in a new session on that day, and the part of it that was chosen for the prompt."""
        now = self.now = BEGAN + timedelta(days=one.day - 1, hours=2, minutes=number)
        session = f"question-{number}"
        with self.open(one.project) as mem:
            if one.way == "act":
                text = mem.at_act(command=one.prompt, session=session, now=now).text
                return text, text
            if one.way == "rows":
                held = [
                    *mem.list(limit=0, state="active", everywhere=True),
                    *mem.list(limit=0, state="candidate", everywhere=True),
                ]
                found = [
                    row for row in held if one.prompt in row.content and row.layer == "semantic"
                ]
                return str(len(found)), ""
            if one.way == "proposed":
                rows = mem.list(limit=0, state="candidate")
                return "\n".join(f"- {row.content}" for row in rows if row.source == "inferred"), ""
            turn = mem.activate(one.prompt, session=session, now=now)
            whole = {"silent": turn.volatile, "stable": turn.stable}.get(one.way, turn.text)
            return whole, turn.volatile if one.way == "turn" else ""


def read(name: str) -> tuple[dict[int, list[tuple[str, list[str]]]], list[Question]]:
    """Sessions by day, and the questions."""
    days: dict[int, list[tuple[str, list[str]]]] = {}
    questions = []
    for line in (HERE / "prompts" / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            day, project = re.split(r"\s+", line[2:])
            days.setdefault(int(day), []).append((project, []))
            latest = days[int(day)][-1][1]
        elif line.startswith("? "):
            questions.append(Question(line))
        elif line and not line.startswith("#"):
            latest.append(line)
    return days, questions


def replay(path: str, name: str) -> tuple[Counter[str], list[tuple[Question, str, str]]]:
    """The month and its questions, each on its day before that day's sessions; an answer costs the memory nothing."""
    days, questions = read(name)
    month = Month(path)
    answers: list[tuple[Question, str, str]] = []
    last = max(one.day for one in questions)
    for day in range(1, last + 1):
        for number, one in enumerate(questions):
            if one.day == day:
                text, chosen = month.answer(one, number)
                answers.append((one, one.verdict(text, chosen), text))
        for part, (project, lines) in enumerate(days.get(day, [])):
            month.now = BEGAN + timedelta(days=day - 1, hours=3 + 2 * part)
            month.session(project, lines)
        if day <= NIGHTS or day % LATER == 0:
            month.night(day - 1)
    return Counter(verdict for _, verdict, _ in answers), answers


def page(name: str, counts: Counter[str], answers: list[tuple[Question, str, str]]) -> str:
    """The month as a reader sees it: each question with what the memory told."""
    figures = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    parts = [
        "# A month, asked\n",
        f"{len(answers)} questions: {figures}. The talk: ../prompts/{name}.txt.\n",
    ]
    for one, verdict, text in answers:
        parts.append(
            f"## {verdict}: {one.prompt}\nday {one.day}, {one.project}\n\n```\n{text.rstrip() or '(nothing)'}\n```\n"
        )
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--other",
        action="store_const",
        const="month-other",
        default="month",
        dest="name",
        help="the other person's month",
    )
    parser.add_argument(
        "--third",
        action="store_const",
        const="month-third",
        dest="name",
        help="a third month, mended by what was stale in it",
    )
    parser.add_argument("--show", action="store_true", help="print what was told")
    parser.add_argument("--page", type=Path, help="write the month as a page to this file")
    parser.add_argument("--write", action="store_true", help="keep the figures")
    parser.add_argument("--db", default="", help="keep the memory in this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts, answers = replay(options.db or f"{folder}/month.db", options.name)
    for one, verdict, text in answers:
        print(f"{verdict:8} {one.prompt}")
        if options.show:
            print("\n".join(f"           {line}" for line in text.splitlines()))
    figures = {name: counts[name] for name in ("right", "noisy", "missing", "stale")}
    print(f"of {len(answers)}:", ", ".join(f"{count} {name}" for name, count in figures.items()))
    if options.page:
        options.page.write_text(page(options.name, counts, answers), "utf-8")
    if options.write:
        kept = {
            "questions": len(answers),
            **figures,
            "by": {one.prompt: v for one, v, _ in answers},
        }
        results = HERE / "results" / f"{options.name}.json"
        results.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
        results.with_suffix(".md").write_text(page(options.name, counts, answers), "utf-8")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
