"""Questions that share no telling word with the statement that answers them.

    python benchmarks/kindred.py [--minilm] [--half tune|report] [--write]

The pairs of prompts/kindred.txt, in five languages, stand among 3,000 other memories. A pair counts
as found when its statement is among the first eight that recall() brings back. Every other pair is
for tuning; what is reported is the other half, which nothing was tuned on. Without a model only the
table of near words can help, and it is English: the other languages say how much is missing there.

--write keeps the figures of the reported half in results/kindred.json.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from made_talk import people
from retrieval import machine

import cogmem

if TYPE_CHECKING:
    from cogmem.search.vectors import Embedder

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "kindred.json"
OTHERS = 3_000
FIRST = 8


def pairs() -> list[tuple[str, str, str]]:
    """Language, statement, question."""
    found = []
    language = ""
    for line in (HERE / "prompts" / "kindred.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            language = line[2:]
        elif line:
            statement, question = line.split(" | ")
            found.append((language, statement, question))
    return found


def others() -> list[str]:
    """Memories that answer none of them: what friends tell each other."""
    rnd = random.Random(11)
    found: dict[str, None] = {}
    number = 0
    while len(found) < OTHERS:
        found.update(dict.fromkeys(item["text"] for item in people(number, rnd)["items"]))
        number += 1
    return [*found][:OTHERS]


def measure(half: str, embedder: Embedder | None) -> dict[str, Any]:
    """The share of pairs found, in all and by language."""
    asked = pairs()[half == "report" :: 2]
    found: dict[str, list[bool]] = defaultdict(list)
    with (
        tempfile.TemporaryDirectory() as folder,
        cogmem.open(os.path.join(folder, "memory.db"), embedder=embedder) as mem,
    ):
        uids = [mem.learn(statement).uid for _, statement, _ in asked]
        for text in others():
            mem.learn(text)
        if embedder is not None:
            mem.models.embed()
        for uid, (language, _, question) in zip(uids, asked, strict=True):
            best = mem.recall(question, limit=FIRST, strengthen=False)
            found[language].append(any(one.uid == uid for one in best))
    every = [one for answers in found.values() for one in answers]
    return {
        "pairs": len(every),
        "found": round(sum(every) / len(every), 3),
        "languages": {
            name: {"pairs": len(answers), "found": round(sum(answers) / len(answers), 3)}
            for name, answers in found.items()
        },
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minilm", action="store_true", help="compare by meaning as well")
    parser.add_argument("--half", choices=("tune", "report"), default="report")
    parser.add_argument("--write", action="store_true", help="keep the figures of the other half")
    options = parser.parse_args()
    embedder = None
    if options.minilm:
        from cogmem.models.minilm import MiniLM, ModelMissing

        try:
            embedder = MiniLM()
        except ModelMissing as error:
            print(f"Skipped: {error}")
            return 0
    told = measure(options.half, embedder)
    parts = ", ".join(f"{name} {one['found']:.2f}" for name, one in told["languages"].items())
    print(f"{options.half}: {told['found']:.3f} of {told['pairs']} pairs found ({parts})")
    if options.write and options.half == "report":
        kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
        kept |= {"machine": machine(), "with MiniLM" if options.minilm else "without a model": told}
        RESULTS.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
