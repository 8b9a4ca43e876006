"""Train the parting of messages into typed and pasted: `python benchmarks/hearing/typed_lines.py DATA [--write]`.

What teaches is derived from marked sessions of real work (`realwork-*.json.gz` in the folder DATA) and the
corpora beside this file, no line is labelled by hand. Typed: lines with something marked as worth keeping, short
messages of one line, the corpora's sentences in nine languages. Pasted: lines with a memory marked as a paste,
what is fenced, messages that begin as other sessions' do (templates) or with a tag, lines that stand in what an
agent wrote, and pastes put together from agents' messages below a typed line. Each project is judged by weights
that never saw it. Needs numpy.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from logistic import fitted

from cogmem.language import typed

HERE = Path(__file__).resolve().parent
OUT = HERE.parents[1] / "cogmem/data/typed.txt"
TEMPLATE = 40  # characters that messages of a template share
LONG = 1000  # characters of a message that may be a template's
TELLING = 25  # characters of a line that can be found again
Labelled = tuple[str, dict[int, int]]  # a message, and by its lines' starts 1: typed, 0: pasted


def sessions(folder: Path) -> dict[str, dict[str, Any]]:
    """The marked projects, by file."""
    return {
        file.name: json.loads(gzip.decompress(file.read_bytes()))
        for file in sorted(folder.glob("realwork-dev*.json.gz"))
    }


def folded(text: str) -> str:
    return " ".join(text.split()).lower()


def printed() -> list[str]:
    """What programs print: the logs that the tests keep."""
    files = sorted((HERE.parents[1] / "tests/fixtures/logs").glob("*"))
    return [file.read_text("utf-8", errors="replace") for file in files if file.is_file()]


def labelled(project: dict[str, Any], seed: int) -> Iterator[Labelled]:
    """A project's messages, with the lines whose label the marks and the structure tell."""
    draw = random.Random(seed)
    spans: dict[str, list[str]] = {}
    for kept in project["hear"]:
        spans.setdefault(kept["ref"], []).append(folded(kept["span"]))
    pasted = {folded(one["content"]) for one in project.get("heard", []) if one["mark"] == "paste"}
    pasted = {one for one in pasted if len(one) > 15}
    own = [
        (f"{session['id']}#{place}", message["text"])
        for session in project["sessions"]
        for place, message in enumerate(session["messages"])
        if message["role"] == "user"
    ]
    agents = [m["text"] for s in project["sessions"] for m in s["messages"] if m["role"] != "user"]
    theirs = {
        one
        for text in agents
        for line in text.splitlines()
        if len(one := folded(line).strip("-*>• ")) >= TELLING
    }
    opened = Counter(text[:TEMPLATE] for _, text in own if len(text) > LONG)
    short: list[str] = []
    for ref, text in own:
        is_made = (len(text) > LONG and opened[text[:TEMPLATE]] > 2) or re.match(
            r"<[a-z][\w-]*>|\[Image|This session is being continued|Implement the following plan",
            text,
        )
        marks: dict[int, int] = {}
        lines = typed.read(text)
        for line in lines:
            said = folded(text[line.start : line.end])
            if line.is_fenced:
                continue
            if any(one in said or (said in one and len(said) > 20) for one in spans.get(ref, ())):
                marks[line.start] = 1
            elif (
                any(one in said for one in pasted)
                or is_made
                or (len(said) >= TELLING and said.strip("-*>• ") in theirs)
            ):
                marks[line.start] = 0
            elif (
                len(lines) == 1
                and len(text) < 300
                and not re.search(r"^\W*\[\d|❯|^/|\w+ \d+: ", text)
            ):
                marks[line.start] = 1
                bare = text.strip()
                # Who writes small and without stops, and who does not, is a habit of one person.
                short += [
                    bare,
                    bare[:1].upper()
                    + bare[1:].rstrip(".")
                    + draw.choice((".", ".", "", ", right?")),
                ]
        if is_made and draw.random() < 0.5:
            continue  # they are many and much alike
        if marks:
            yield text, marks
    fenced = [block for text in agents for block in re.findall(r"(?s)```\w*\n(.*?)\n```", text)]
    fenced = draw.sample(fenced, min(len(fenced), len(agents)))
    logs = [one for one in printed() for _ in range(20)]
    yield from put_together(
        short, [one for one in agents + fenced + logs if one.count("\n") > 3], draw
    )


def put_together(short: list[str], agents: list[str], draw: random.Random) -> Iterator[Labelled]:
    """Messages of several blocks: what a person types, and what agents wrote, pasted between."""
    for number in range(1200):
        whole = ""
        pasted: list[tuple[int, int]] = []
        is_list = draw.random() < 0.15
        for place in range(draw.choice((1, 2, 2, 3, 3, 4, 5, 6))):
            if number % 3 and draw.random() < (0.2 if place == 0 else 0.5):
                rows = draw.choice(agents).splitlines()
                first = draw.randrange(len(rows) - 3)
                block = "\n".join(
                    rows[first : first + draw.choice((1, 2, 3, 6, 12, 40, 300))]
                ).strip("\n")
                if "```" in block:
                    continue
                pasted.append((len(whole), len(whole) + len(block)))
            else:
                block = " ".join(draw.sample(short, draw.choice((1, 1, 2, 3))))
                if is_list:
                    block = draw.choice(("- ", "- ", "* ", f"{place + 1}. ")) + block
            whole += block + ("\n" if is_list else draw.choice(("\n\n", "\n\n", "\n")))
        whole = whole.rstrip()
        marks = {}
        for line in typed.read(whole):
            marks[line.start] = int(not any(first <= line.start < last for first, last in pasted))
        yield whole, marks


def made() -> Iterator[Labelled]:
    """The corpora's sentences, which a person typed."""
    for file in sorted((HERE / "corpus").glob("*.txt")):
        heading = ""
        for raw in file.read_text("utf-8").splitlines():
            if raw.startswith("## "):
                heading = raw[3:]
            elif (
                raw.strip()
                and "\\n" not in raw
                and heading not in ("paste", "pasted", "agent", "long")
            ):
                text = raw.replace("[[", "").replace("]]", "")
                yield text, {line.start: 1 for line in typed.read(text)}


def learned(messages: list[Labelled]) -> tuple[dict[str, float], dict[str, float]]:
    """The weights of a line by itself, then among the others."""
    rows: list[dict[str, float]] = []
    wanted: list[int] = []
    for text, marks in messages:
        for line in typed.read(text):
            if line.start in marks and not line.is_fenced:
                rows.append(line.figures)
                wanted.append(marks[line.start])
    alone = fitted(rows, wanted, even=True)
    rows, wanted = [], []
    for text, marks in messages:
        lines = typed.read(text)
        if not lines:
            continue
        around = typed.around(text, lines, [typed.score(line.figures, alone) for line in lines])
        for line, row in zip(lines, around, strict=True):
            if line.start in marks and not line.is_fenced:
                rows.append(row)
                wanted.append(marks[line.start])
    return alone, fitted(rows, wanted, even=True)


def told(messages: list[Labelled], its: tuple[dict[str, float], dict[str, float]]) -> str:
    """How many typed and how many pasted lines are taken for what they are."""
    right: Counter[tuple[int, bool]] = Counter()
    alone, together = its
    for text, marks in messages:
        lines = typed.read(text)
        if not lines:
            continue
        rows = typed.around(text, lines, [typed.score(line.figures, alone) for line in lines])
        for line, row in zip(lines, rows, strict=True):
            if line.start in marks and not line.is_fenced:
                said = typed.score(row, together) >= 0
                right[marks[line.start], said == bool(marks[line.start])] += 1
    shares = []
    for label, name in ((1, "typed"), (0, "pasted")):
        count = right[label, True] + right[label, False]
        shares.append(f"{name} {right[label, True] / max(1, count):.3f} of {count}")
    return ", ".join(shares)


def main(folder: str, write: bool) -> None:
    projects = {name: list(labelled(one, 7)) for name, one in sessions(Path(folder)).items()}
    corpora = list(made())
    for name, messages in projects.items():
        others = [one for other, rows in projects.items() if other != name for one in rows]
        print(name, told(messages, learned(others + corpora)))
    every = [one for rows in projects.values() for one in rows] + corpora
    its = learned(every)
    print("all, by itself:", told(every, its))
    if write:
        rows = [
            f"{table}\t{name}\t{weight:.3f}"
            for table, weights in zip(("alone", "together"), its, strict=True)
            for name, weight in weights.items()
            if abs(weight) >= 0.005
        ]
        OUT.write_text(
            "# What tells a typed line from a pasted one; learned from marked sessions of two projects"
            " (see NOTICE) by benchmarks/hearing/typed_lines.py.\n" + "\n".join(rows) + "\n",
            "utf-8",
        )
    else:
        for weights in its:
            print(
                sorted(((round(w, 2), n) for n, w in weights.items()), key=lambda one: -abs(one[0]))
            )


if __name__ == "__main__":
    main(sys.argv[1], "--write" in sys.argv)
