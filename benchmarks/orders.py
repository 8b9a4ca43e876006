"""Learn the weights by which cogmem/guard/orders.py tells an order to a model from one to a colleague.

    python benchmarks/orders.py            report what the shipped weights catch on the half held back
    python benchmarks/orders.py --learn    learn them anew from the other half, and write cogmem/data/orders.json

Sentences: tests/fixtures/orders.tsv (own; attacks of a public taxonomy's families and harmless imperatives, in 19
languages), the harmless ones of the other fixtures of the guard and of capture, and the prose of docs/. Which half a
sentence belongs to, its hash says. The threshold is set on the tuning half by cross validation, and a logistic
regression with L1 and L2 penalties gives the weights: what one sentence alone speaks of weighs nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np

from cogmem.guard import orders

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
ALLOWED = 0.009  # share of harmless sentences that cross validation may take for orders
L1, L2 = 0.2, 1.0  # penalties, for all sentences together
AGAINST, PROSE = (
    3.0,
    0.5,
)  # how much a harmless sentence of the corpus counts, and one of other text


def is_held_back(text: str) -> bool:
    """Half of the sentences, told by their own bytes."""
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 0


def corpus() -> list[tuple[bool, str, str, str]]:
    """Rows of the corpus itself: is it an order to a model, its family, its language, its text."""
    rows = []
    for line in (FIXTURES / "orders.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            family, language, text = line.split("\t")
            rows.append((family != "harmless", family, language, text))
    return rows


def innocent() -> list[str]:
    """Harmless sentences of other fixtures, which must pass: none is held back."""
    found = []
    for name in ("capture_corpus.jsonl", "guard_innocent.jsonl"):
        for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines():
            found.append("".join(json.loads(line)["text"]))
    return list(dict.fromkeys(found))


def prose() -> list[str]:
    """The documentation, paragraph by paragraph, but where it speaks of attacks."""
    found = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        if (
            page.name not in ("security.md", "privacy.md", "writing.md")
            and "orders-are-judged" not in page.name
        ):
            said = re.sub(r"(?s)```.*?```", "", page.read_text(encoding="utf-8"))
            found += [piece.strip() for piece in said.split("\n\n") if len(piece.strip()) > 20]
    return list(dict.fromkeys(found))


def asked(text: str) -> list[list[str]]:
    """What each sentence of a text speaks of."""
    return [orders.features(text[start:end]) for start, end in orders.sentences(text)]


def with_pairs(found: list[str]) -> list[str]:
    return found + [f"{a}+{b}" for at, a in enumerate(found) for b in found[at + 1 :]]


def fitted(rows: np.ndarray, truth: np.ndarray, weight: np.ndarray, steps: int = 300) -> np.ndarray:
    """Accelerated proximal gradient descent; the last column is the base and is not penalised."""
    free = np.ones(rows.shape[1])
    free[-1] = 0
    size = len(truth)
    flat, steep = L1 / size, L2 / size
    inner = rows * np.sqrt(weight)[:, None]
    step = 1 / (0.25 * np.linalg.eigvalsh(inner.T @ inner)[-1] / size + steep)
    found = ahead = np.zeros(rows.shape[1])
    momentum = 1.0
    for _ in range(steps):
        guess = 1 / (1 + np.exp(-rows @ ahead))
        new = ahead - step * (rows.T @ ((guess - truth) * weight) / size + steep * free * ahead)
        new = np.sign(new) * np.maximum(np.abs(new) - step * flat * free, 0)
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - found)
        found, momentum = new, following
    return found


def learn() -> None:
    texts = [(row[3], row[0]) for row in corpus()] + [(text, False) for text in prose()]
    texts = [(text, truth) for text, truth in texts if not is_held_back(text)]
    texts += [(text, False) for text in innocent()]
    sentences, truth, of = [], [], []
    for number, (text, is_order) in enumerate(texts):
        each = asked(text)
        if is_order:  # which of its sentences gives the order is not told: all of them together
            each = [list(dict.fromkeys(name for one in each for name in one))]
        for one in each:
            sentences.append(with_pairs(one))
            truth.append(is_order)
            of.append(number)
    counted = Counter(name for one in sentences for name in one)
    names = sorted(name for name, count in counted.items() if count > 1)
    place = {name: at for at, name in enumerate(names)}
    rows = np.zeros((len(sentences), len(names) + 1))
    rows[:, -1] = 1
    for at, one in enumerate(sentences):
        rows[at, [place[name] for name in one if name in place]] = 1
    facts = np.array(truth)
    hard = {*(row[3] for row in corpus()), *innocent()}
    weight = np.array(
        [1.0 if texts[n][1] else AGAINST if texts[n][0] in hard else PROSE for n in of]
    )
    fold = np.array(
        [hashlib.sha256(b"f" + texts[number][0].encode()).digest()[1] % 5 for number in of]
    )
    told = np.zeros(len(facts))
    for number in range(5):
        told[fold == number] = rows[fold == number] @ fitted(
            rows[fold != number], facts[fold != number], weight[fold != number]
        )
    best: dict[int, float] = {}
    for number, value in zip(of, told, strict=True):
        best[number] = max(best.get(number, -9.0), value)
    harmless = sorted(
        (value for number, value in best.items() if not texts[number][1]), reverse=True
    )
    mean = sorted(
        (
            value
            for number, value in best.items()
            if not texts[number][1] and texts[number][0] in hard
        ),
        reverse=True,
    )
    threshold = max(harmless[int(ALLOWED * len(harmless))], mean[int(ALLOWED * len(mean))])
    caught = [value > threshold for number, value in best.items() if texts[number][1]]
    print(
        f"cross validation: threshold {threshold:.2f}, caught {np.mean(caught):.3f} of {len(caught)},"
        f" harmless {len(harmless)}"
    )
    weights = fitted(rows, facts, weight)
    kept = {
        name: round(float(weights[at]), 3)
        for name, at in place.items()
        if abs(weights[at]) >= 0.005
    }
    data = {
        "base": round(float(weights[-1]), 3),
        "threshold": round(float(threshold), 3),
        "weights": kept,
    }
    (ROOT / "cogmem" / "data" / "orders.json").write_text(
        json.dumps(data, indent=0, sort_keys=True) + "\n", encoding="utf-8"
    )


def report() -> dict[str, float]:
    held = [row for row in corpus() if is_held_back(row[3])]
    found = [(row, bool(list(orders.orders(row[3])))) for row in held]
    attacks = [hit for row, hit in found if row[0]]
    harmless = [hit for row, hit in found if not row[0]]
    other = [bool(list(orders.orders(text))) for text in prose() if is_held_back(text)]
    figures = {
        "attacks": len(attacks),
        "caught": round(float(np.mean(attacks)), 3),
        "harmless": len(harmless),
        "false_alarms": round(float(np.mean(harmless)), 4),
        "other_text": len(other),
        "other_false_alarms": round(float(np.mean(other)), 4),
    }
    print(json.dumps(figures, indent=1))
    for at, label in ((1, "family"), (2, "language")):
        each = Counter(row[at] for row, _ in found if row[0])
        hits = Counter(row[at] for row, hit in found if row[0] and hit)
        print(label, {name: f"{hits[name]}/{count}" for name, count in each.most_common()})
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--learn", action="store_true")
    if parser.parse_args().learn:
        learn()
    report()
