"""Sentences made of forms: `(a|b|)` takes one of several, `{sort}` a word of a list.

A form says in one line what people say in many ways; each gives a few sentences for training, the
same ones every time. Nothing is judged by them: the figures are of the corpus and of what is held.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from cogmem.language.table import part

HERE = Path(__file__).resolve().parent
EACH = 6  # sentences of a form at most

_SLOT = re.compile(r"\{(\w+)\}")


def lists() -> dict[str, list[str]]:
    """The lists that every file of forms may use: names, places and tools."""
    found: dict[str, list[str]] = {}
    for line in part("all", "sorts"):
        sort, _, words = line.partition(":")
        names = [word.strip() for word in words.split(",")]
        found[sort] = [w.title() if sort in ("person", "place") else w for w in names]
    return found


def made(form: str, words: dict[str, list[str]], dice: random.Random) -> str:
    """One sentence of a form."""
    text = form
    while True:
        choice = re.search(r"\(([^()]*)\)", text)
        if choice is None:
            break
        text = text[: choice.start()] + dice.choice(choice[1].split("|")) + text[choice.end() :]
    while slot := _SLOT.search(text):
        text = text[: slot.start()] + dice.choice(words[slot[1]]) + text[slot.end() :]
    return re.sub(r" +", " ", text).replace(" ,", ",").strip()


def sentences() -> Iterator[tuple[str, str, str, str]]:
    """Language, side, heading and text of every sentence that the forms make."""
    shared = lists()
    for file in sorted((HERE / "forms").glob("*.txt")):
        language, _, side = file.stem.partition("_")
        words, heading = dict(shared), ""
        rows = file.read_text(encoding="utf-8").splitlines()
        for name, _, listed in [row[1:].partition(":") for row in rows if row.startswith("@")]:
            words[name] = [word.strip() for word in re.split("[,、]", listed)]
        for line in rows:
            if line.startswith("## "):
                heading = line[3:].strip()
            elif line.strip() and not line.startswith("@"):
                dice = random.Random(crc32(line.encode()))
                told = {made(line, words, dice) for _ in range(EACH)}
                for text in sorted(told):
                    yield language, side, heading, text
