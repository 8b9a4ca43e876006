"""Is a change that somebody announces understood? Rows of hearing/announced, told, then asked about.

    python benchmarks/announced.py [--show] [NAME …]

A row is an old statement, the announcement, a question, the new value and the old one. `learned` learns both a day
apart; `said` is talk in two sessions with other messages around it, recorded and heard as a host does it, with its
nights. Counted is what the block of the question tells: only the new value, both without a word that says which one
holds, only the old one, or none. fresh and what ends in held were not looked at while the judge was made.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

import cogmem

ROWS = Path(__file__).resolve().parent / "hearing" / "announced"
NAMES = ("fresh", "tuned", "held", "casual", "casual-held", "reworded", "reworded-held")
BEGAN, DAY = 1_800_000_000_000, 86_400_000
AROUND = (
    "ok so what is next today?",
    "can you look at the readme please",
    "thanks, works",
    "the tests are green again, commit that",
    "hm, why is the page so slow?",
)
SAYS_SO = ("earlier", "check:", "[past", "was replaced")


def session(mem: cogmem.Memory, name: str, messages: list[str], at: int) -> None:
    """One session with its night."""
    talk = mem.conversation(name)
    for number, text in enumerate(messages):
        now = at + number * 60_000
        mem.activate(text, session=name, now=now)
        talk.append("user", text, at=now)
        mem.capture_conversation(name, now=now)
        talk.append("assistant", "Done.", at=now + 1000)
    mem.sessions.conclude(name, now=at + DAY // 24)
    mem.sessions.end(name, now=at + DAY // 24)
    mem.nightly(now=at + DAY // 3)


def told(row: list[str], number: int, way: str, folder: str) -> tuple[str, str]:
    """What the block of a row's question tells: new, both, old or none; and the block."""
    old, new, question, value, gone = row
    with cogmem.open(f"{folder}/{way}{number}.db", project="p") as mem:
        if way == "learned":
            mem.learn("The other matter is a green lamp in the cellar", now=BEGAN)
            mem.learn(old, now=BEGAN)
            mem.learn(new, now=BEGAN + DAY)
        else:
            around = [AROUND[(number + step) % len(AROUND)] for step in range(4)]
            session(mem, "a", [around[0], old, around[2]], BEGAN)
            session(mem, "b", [around[3]], BEGAN + 2 * DAY)
            session(mem, "c", [around[1], new], BEGAN + 5 * DAY)
        text = mem.activate(question, session="q", now=BEGAN + 8 * DAY).text.casefold()
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    has_new = any(value.casefold() in line for line in lines)
    has_old = any(
        gone.casefold() in line
        and new[:20].casefold() not in line
        and not any(sign in line for sign in SAYS_SO)
        for line in lines
    )
    return ("both" if has_old else "new") if has_new else "old" if has_old else "none", text


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--show", action="store_true", help="print what was not understood")
    options = parser.parse_args()
    for name in options.names:
        rows = [
            line.split(" | ") for line in (ROWS / f"{name}.txt").read_text("utf-8").splitlines()
        ]
        for way in ("learned", "said"):
            with tempfile.TemporaryDirectory() as folder:
                answers = [told(row, number, way, folder) for number, row in enumerate(rows)]
            counts = Counter(answer for answer, _ in answers)
            figures = ", ".join(f"{counts[one]} {one}" for one in ("new", "both", "old", "none"))
            print(f"{name:12}{way:8} of {len(rows)}: {figures}")
            for row, (answer, text) in zip(rows, answers, strict=True):
                if options.show and answer != "new":
                    print(f"    {answer}: {row[0]} / {row[1]}\n{text}")


if __name__ == "__main__":
    main()
