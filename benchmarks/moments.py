"""Does memory come at its moment? Ten intentions, three branches and two skills in a month of use.

    python benchmarks/moments.py [--alone] [--show]

prompts/moments.txt says what is done on which day and what must be told there; month.txt is the talk around it, in
the same project (--alone: without it). Branches are those of a real repository, and a skill is a file that is edited
by hand. Whatever is told that a line does not name, or not told that it names, is a miss of what it is about:
    early     told where it must not be
    missing   not told where it must be
    right     neither, in the whole month
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

import month

import cogmem
from cogmem.scope import project_of

PROJECT = "ferry"
PROCEDURES = {
    "rollback": ("Roll back the booking service", ["Find the tag of yesterday", "Deploy that tag"]),
    "seed": ("Fill a database for trials", ["Empty the tables", "Load the sample of May"]),
}
SHOWN = "now is the moment: "


class Moments(month.Month):
    """A month in which a project has a working tree."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder / "month.db"))
        self.root, self.skills = folder / "code", folder / "skills"
        self.root.mkdir()
        self.git("init", "-q", "--initial-branch=main")
        self.git("commit", "-q", "--allow-empty", "-m", "Begin")
        self.project = project_of(str(self.root)).id

    def open(self, project: str) -> cogmem.Memory:
        mem = super().open(self.project if project == PROJECT else project)
        if project == PROJECT:
            mem.on_branch(str(self.root))
        return mem

    def git(self, *words: str) -> None:
        who = ("-c", "user.name=Nora", "-c", "user.email=nora@example.org")
        subprocess.run(["git", *who, *words], cwd=self.root, check=True, capture_output=True)

    def does(self, verb: str, said: str) -> str:
        """One line of the script; returns all that is told."""
        self.now += timedelta(minutes=1)
        self.number += 1
        now, session = self.now, f"moment-{self.number}"
        name, _, rest = said.partition(" | ")
        with self.open(PROJECT) as mem:
            if verb == "say":
                text = mem.activate(said, session=session, now=now).text
                mem.conversation(session).append("user", said, at=now)
                mem.capture_conversation(session, now=now)
                return text
            if verb == "ask":
                return mem.activate(said, session=session, now=now).text
            if verb == "run":
                return mem.at_act(command=said, session=session, now=now).text
            if verb == "edit":
                return mem.at_act(file=said, writes=True, session=session, now=now).text
            if verb == "mean":
                mem.intentions.add(rest, name, now=now)
            elif verb == "done":
                mem.intentions.done(
                    next(one.uid for one in mem.intentions.list() if one.content == said), now=now
                )
            elif verb == "git":
                self.git(*said.split())
            elif verb == "write":
                (self.root / said).write_text("a line\n", "utf-8")
                self.git("add", "--all")
                self.git("commit", "-q", "-m", f"Write {said}")
            elif verb == "learn":
                mem.learn(said, "decision", now=now)
            elif verb == "settle":
                mem.repository.branches(str(self.root), now=now)
            elif verb == "try":
                self.tries(mem, said.split()[0])
            elif verb == "rewrite":
                skill, _, old = name.partition(": ")
                file = self.skills / skill / "SKILL.md"
                file.write_text(file.read_text("utf-8").replace(old, rest), "utf-8")
            elif said == "offered":
                return " ".join(f"offered {one.key}" for one in mem.skills.offered())
            elif said == "export":
                done = mem.skills.export(str(self.skills), now=now).done
                return " ".join(f"exported {Path(one.path).parent.name}" for one in done)
            else:
                mem.skills.sync(str(self.skills), now=now)
        return ""

    def tries(self, mem: cogmem.Memory, name: str) -> None:
        if name not in [row.key for row in mem.list(kind="procedure", limit=0)]:
            what, steps = PROCEDURES[name]
            mem.procedure(name, steps, description=what, now=self.now)
        mem.tried(name, success=True, now=self.now)


def script() -> list[tuple[int, str, str, str]]:
    """Day, verb, words and what must be told, line by line."""
    rows = []
    for line in (month.HERE / "prompts" / "moments.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            doing, _, due = line.partition(" -> ")
            day, verb, *said = doing.split(" ", 2)
            rows.append((int(day), verb, said[0] if said else "", due.strip()))
    return rows


def sorts(rows: list[tuple[int, str, str, str]]) -> dict[str, str]:
    """What is to be told at some moment, with its sort."""
    found = {}
    for due in filter(None, (row[3] for row in rows)):
        by = {verb for _, verb, said, _ in rows if due in said and verb != "done"}
        found[due] = "branch" if "learn" in by else "intention" if by & {"say", "mean"} else "skill"
    never = [said.split(" | ")[1] for _, verb, said, _ in rows if verb == "mean"]
    return {**dict.fromkeys(never, "intention"), **found}


def replay(folder: Path, *, alone: bool, show: bool = False) -> dict[str, str]:
    """The month; returns what each intention, branch and skill came to."""
    rows = script()
    all_of = sorts(rows)
    signs = {what: SHOWN + what if sort == "intention" else what for what, sort in all_of.items()}
    verdicts = dict.fromkeys(all_of, "right")
    talk = {} if alone else month.read("month")[0]
    played = Moments(folder)
    for day in range(1, max(*talk, *(row[0] for row in rows)) + 1):
        begins = month.BEGAN + timedelta(days=day - 1)
        played.now = begins  # before the talk, so that what is told in it is late
        for _, verb, said, due in (row for row in rows if row[0] == day):
            text = played.does(verb, said)
            for what, sign in signs.items():
                if (sign in text) != (what == due):
                    verdicts[what] = "missing" if what == due else "early"
                    if show:
                        print(f"day {day}, {verb} {said}: {verdicts[what]}: {what}\n{text}")
        for part, (project, lines) in enumerate(talk.get(day, [])):
            played.now = begins + timedelta(hours=3 + 2 * part)
            played.session(project, lines)
        played.night(day - 1)
    with played.open(PROJECT) as mem:
        told = {one.content for one in mem.intentions.list(limit=0) if one.told_at}
    due = {row[3] for row in rows}
    verdicts.update(dict.fromkeys(told - due, "early"))  # in the talk of the month
    return verdicts


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--alone", action="store_true", help="without the talk of the month")
    parser.add_argument("--show", action="store_true", help="print what was told where it failed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        verdicts = replay(Path(folder), alone=options.alone, show=options.show)
    for what, verdict in verdicts.items():
        print(f"{verdict:8} {what}")
    all_of = sorts(script())
    for sort in ("intention", "branch", "skill"):
        counts = Counter(verdicts[what] for what in all_of if all_of[what] == sort)
        print(f"{sort}:", ", ".join(f"{many} {verdict}" for verdict, many in counts.items()))


if __name__ == "__main__":
    main()
