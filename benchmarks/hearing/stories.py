"""Tell how many stories come out right: `python benchmarks/hearing/stories.py [--wrong]`.

A story is a line of `stories/*.txt`: something said, what was said later, a question about now, a
question about before, a value that only the newer statement has, and words that only the older one
has. Behind a "+" the later statement is learned, any other is said. A story is right if the newer is
shown for the question about now and the older is not, and the question about before finds the older.
`tuned.txt` was looked at while the rules were made, `held.txt` was not.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import cogmem

FOLDER = Path(__file__).resolve().parent / "stories"
START = 1_800_000_000_000
DAY = 86_400_000
RECORDED = ", with the record"


class Story(NamedTuple):
    """One line."""

    said: str
    later: str
    now: str
    before: str
    newer: str
    older: str


class Outcome(NamedTuple):
    """What became of a story: how each part went, and whether the past is told as such."""

    newer: bool
    older_gone: bool
    kept: bool  # the older statement can be asked for by its time
    past: bool  # the question about before brings it

    @property
    def right(self) -> bool:
        return self.newer and self.older_gone and self.past


def stories(name: str) -> list[Story]:
    """The stories of a file."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [Story(*line.split(" | ")) for line in lines]


def told(memory: cogmem.Memory, story: Story, at: int = START, recorded: bool = False) -> Outcome:
    """Live through one story in three days; the memory belongs to its teller alone."""
    if recorded:
        memory.conversation(f"first {at}").append("user", story.said, at=at)
        if not story.later.startswith("+"):
            memory.conversation(f"second {at}").append("user", story.later, at=at + DAY)
    memory.capture(story.said, now=at)
    if story.later.startswith("+"):
        memory.learn(story.later[1:], source="user_explicit", now=at + DAY)
    else:
        memory.capture(story.later, now=at + DAY)
    ask = at + 2 * DAY
    shown = memory.activate(story.now, now=ask).text
    then = [row.content for row in memory.facts.at(at + DAY // 2, now=ask)]
    past = [found.content for found in memory.recall(story.before, now=ask)]
    return Outcome(
        story.newer.lower() in shown.lower(),
        story.older.lower() not in shown.lower(),
        any(story.older.lower() in text.lower() for text in then),
        any(story.older.lower() in text.lower() for text in past),
    )


def outcomes(name: str, recorded: bool = False, every: int = 1) -> list[tuple[Story, Outcome]]:
    """Every story of a file, or each so many-th of them, told by another person of one memory."""
    with tempfile.TemporaryDirectory() as folder:
        memory = cogmem.open(Path(folder) / "memory.db")
        memory.close()
        found = []
        for number, story in enumerate(stories(name)[::every]):
            with cogmem.open(Path(folder) / "memory.db", user=f"teller{number}") as own:
                found.append((story, told(own, story, recorded=recorded)))
        return found


def main() -> None:
    """Report both halves."""
    for name, recorded in (("tuned", False), ("held", False), ("tuned", True), ("held", True)):
        told_all = outcomes(name, recorded)
        size = len(told_all)
        print(
            f"{name}{RECORDED * recorded}: {size} stories,"
            f" right {sum(one.right for _, one in told_all) / size:.2f}:"
            f" newer shown {sum(one.newer for _, one in told_all) / size:.2f},"
            f" older not {sum(one.older_gone for _, one in told_all) / size:.2f},"
            f" past answered {sum(one.past for _, one in told_all) / size:.2f};"
            f" older held at its time {sum(one.kept for _, one in told_all) / size:.2f},"
            f" right without the past {sum(all(one[:2]) for _, one in told_all) / size:.2f}"
        )
        if "--wrong" in sys.argv and name == "tuned":
            for story, one in told_all:
                if not one.right:
                    flags = "".join(
                        mark if ok else "-" for mark, ok in zip("nokp", one, strict=True)
                    )
                    print(f"  {flags} {story.said} | {story.later} | {story.now}")


if __name__ == "__main__":
    main()
