"""Counts how ordinary words are, for cogmem/text/ordinary.py.

    python benchmarks/ordinary_words.py --data DIR [--write]

DIR holds friendsqa, qmsum, lifebench-en-dev and lifebench-zh-dev (README.md); how people write about
code is counted in the docstrings and comments of the installed Python. A stem must be met in two of
the registers, so that nobody's name comes in. Only counts are kept: a power of two of a thousand texts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import sysconfig
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import log2
from pathlib import Path

from cogmem.file.db import Database

TARGET = Path(__file__).resolve().parents[1] / "cogmem" / "text" / "ordinary.py"
WORD = re.compile(r"[a-z]{2,}")
TEXTS = 60_000  # of one register
LEAST, LEAST_PAIR = 8e-4, 2e-2  # shares of the texts below which a word is rare
CODE_FILES = 2_500


def items(folder: Path, name: str) -> Iterator[list[str]]:
    """The texts of each conversation."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield [item["text"] for item in json.loads(line)["items"]]


def comments() -> Iterator[str]:
    """Paragraphs of docstrings, and runs of comments."""
    paths = {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")}
    files = sorted(file for path in paths for file in Path(path).rglob("*.py"))
    random.Random(1).shuffle(files)
    for file in files[:CODE_FILES]:
        source = file.read_text(encoding="utf-8", errors="ignore")
        for text in re.findall(r'"""(.*?)"""', source, re.S):
            yield from (part for part in text.split("\n\n") if 40 < len(part) < 900)
        for run in re.findall(r"(?:^[ \t]*# .*\n)+", source, re.M):
            if 40 < len(run) < 900:
                yield run.replace("#", " ")


def stems(db: Database, texts: Iterable[str]) -> tuple[Counter[str], int]:
    """In how many texts each stem stands, and how many texts there are."""
    known: dict[str, str] = {}
    counted: Counter[str] = Counter()
    many = 0
    for text in texts:
        many += 1
        words = set(WORD.findall(text.lower()))
        for word in words - known.keys():
            known[word] = (db.stems(word) or [""])[0]
        counted.update({known[word] for word in words} - {""})
        if many >= TEXTS:
            break
    return counted, many


def english(folder: Path) -> dict[str, float]:
    """Stems with the mean share of texts that have them."""
    db = Database(":memory:")
    registers = [
        stems(db, (text for talk in items(folder, name) for text in talk))
        for name in ("friendsqa", "qmsum", "lifebench-en-dev")
    ]
    registers.append(stems(db, comments()))
    met = Counter(stem for counted, _ in registers for stem, many in counted.items() if many >= 2)
    return {
        stem: sum(counted[stem] / many for counted, many in registers) / len(registers)
        for stem, in_registers in met.items()
        if in_registers >= 2
    }


def chinese(folder: Path) -> dict[str, float]:
    """Pairs of characters that all people use about as much."""
    people: list[tuple[Counter[str], int]] = []
    for texts in items(folder, "lifebench-zh-dev"):
        counted: Counter[str] = Counter()
        for text in texts:
            pairs = {text[at : at + 2] for at in range(len(text) - 1)}
            counted.update(pair for pair in pairs if all("\u4e00" <= c <= "\u9fff" for c in pair))
        people.append((counted, len(texts)))
    found = {}
    for pair in people[0][0]:
        shares = [counted[pair] / many for counted, many in people]
        if min(counted[pair] for counted, _ in people) >= 3 and max(shares) < 6 * min(shares):
            found[pair] = sum(shares) / len(shares)
    return found


def table(folder: Path) -> str:
    """The rows of the table in ordinary.py."""
    rows: dict[int, list[str]] = defaultdict(list)
    for words, least in ((english(folder), LEAST), (chinese(folder), LEAST_PAIR)):
        for word, share in words.items():
            if share >= least and len(word) > 1:
                rows[max(-1, min(8, round(log2(share * 1000))))].append(word)
    text = ""
    for power in sorted(rows, reverse=True):
        plain = " ".join(sorted(word for word in rows[power] if word.isascii()))
        pairs = " ".join(sorted(word for word in rows[power] if not word.isascii()))
        lines = textwrap.wrap(plain, 88) + textwrap.wrap(pairs, 50)
        body = "".join(f'        "{line} "\n' for line in lines)
        text += f"    {2.0**power}: (\n{body}    ),\n"
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", metavar="DIR", required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--write", action="store_true", help="put the table into ordinary.py")
    options = parser.parse_args()
    rows = table(Path(options.data))
    if not options.write:
        print(rows)
        return 0
    head, _, rest = TARGET.read_text(encoding="utf-8").partition("= {\n")
    after = rest.partition("}\n")[2]
    TARGET.write_text(head + "= {\n" + rows + "}\n" + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
