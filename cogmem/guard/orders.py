"""What a sentence asks of whom: the judge of orders that are meant for a model.

A sentence is read for what it speaks of: dropping, rules, what came before, the reader, showing, secrets, sending …
in the words of many languages (`orders.txt`). Which of these stand *together* tells an order to a model from one to
a colleague: every pair has a weight (`orders.json`), learned from tests/fixtures/orders.tsv by
benchmarks/orders.py. A sentence costs some five microseconds.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from cogmem.guard.characters import compiled
from cogmem.text.data import FOLDER, patterns
from cogmem.text.data import words as lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Features = list[str]
    Phrase = tuple[list[str], int]
    Known = tuple[list[int], dict[str, list[Phrase]]]

# A longer sentence is judged in stretches of so many words, each half over the next.
WORDS_AT_ONCE = 40
CUT = "|"  # between the words of two lines; no word is written so
MOST_KNOWN = 20_000  # words whose meaning is kept
# What a sentence is cut at: the signs of many scripts, and a line's end.
_END = re.compile("[.!?\u2026]+[\"'\xbb)\\]]*(?:\\s|$)|[\u3002\uff01\uff1f\uff1b\u0964\n]+")
# What is seen in the signs rather than in the words.
_SIGNS = tuple((name, pattern) for name, _, pattern in patterns("order_signs"))


class _Blanked(dict[int, str]):
    """Letters, marks and digits stay, all else becomes a blank: for str.translate, asked once per sign."""

    def __missing__(self, code: int) -> str:
        from unicodedata import category

        sign = chr(code)
        kept = sign if sign == "_" or category(sign)[0] in "LMN" else " "
        self[code] = kept
        return kept


_blanked = _Blanked()


def plain(text: str) -> str:
    """Return the words of a text in small letters, with one blank around each."""
    return f" {' '.join(text.lower().translate(_blanked).split())} "


def concepts() -> dict[str, list[str]]:
    """Return the words of each concept, as `orders.txt` lists them."""
    said = {name: text.replace("\n", ",").split(",") for name, text in lists("orders").items()}
    return {name: [one for word in words if (one := word.strip())] for name, words in said.items()}


class _Words:
    """The words of all concepts, so laid out that a sentence is looked up and not searched. To compile them to
    patterns would take longer than a process has that reads one message."""

    def __init__(self, table: dict[str, list[str]]) -> None:
        self.whole: dict[str, list[int]] = {}
        self.stems: dict[str, list[int]] = {}
        self.phrases: dict[str, list[Phrase]] = {}  # by their first word
        self.begun: dict[str, list[Phrase]] = {}  # by the stem that they begin with
        self.pieces: list[tuple[str, int]] = []  # of scripts without blanks, looked for anywhere
        self.known: dict[str, Known] = {CUT: ([], {})}
        self.void: set[str] = set()  # words that speak of nothing
        signs = _Blanked({ord(sign): sign for sign in "*,"})
        for concept, words in enumerate(table.values()):
            for word in ",".join(words).lower().translate(signs).split(","):
                self._take(word, concept)
        # Stems by their first letters: most words begin like none of them.
        stems = {*self.stems, *self.begun}
        self.head = min(map(len, stems))
        self.headed: dict[str, list[str]] = {}
        for stem in stems:
            self.headed.setdefault(stem[: self.head], []).append(stem)

    def _take(self, word: str, concept: int) -> None:
        said = word.split()
        if not word.isascii() and any(map(_is_without_blanks, word)):
            self.pieces.append((" ".join(said).rstrip("*"), concept))
        elif len(said) > 1:
            known = self.begun if said[0].endswith("*") else self.phrases
            known.setdefault(said[0].rstrip("*"), []).append((said, concept))
        elif said[0].endswith("*"):
            self.stems.setdefault(said[0][:-1], []).append(concept)
        else:
            self.whole.setdefault(said[0], []).append(concept)

    def spoken_of(self, words: list[str]) -> list[list[int]]:
        """Return numbers of the concepts that each line speaks of; `CUT` stands between lines."""
        self._look_up(set(words))
        known = self.known
        found: set[int] = set()
        lines = []
        for at in [at for at, word in enumerate(words) if word in known]:
            word = words[at]
            if word == CUT:
                lines.append(sorted(found))
                found = set()
                continue
            concepts, phrases = known[word]
            found.update(concepts)
            if phrases:
                following = words[at + 1] if at + 1 < len(words) else ""
                for said, concept in (*phrases.get(following, ()), *phrases.get("*", ())):
                    if concept not in found and _stands(said, words, at):
                        found.add(concept)
        lines.append(sorted(found))
        return lines

    def _look_up(self, words: set[str]) -> None:
        """Learn what words speak of, and which phrases they may begin. It is kept, since words come again."""
        new = words.difference(self.known, self.void)
        if len(self.known) + len(self.void) + len(new) > MOST_KNOWN:
            self.known, self.void = {CUT: ([], {})}, set()
            new = words
        for word in new:
            found = list(self.whole.get(word, ()))
            begun = list(self.phrases.get(word, ()))
            for stem in self.headed.get(word[: self.head], ()):
                if word.startswith(stem):
                    found += self.stems.get(stem, ())
                    begun += self.begun.get(stem, ())
            phrases: dict[str, list[Phrase]] = {}  # by their second word, "*" if that is a stem
            for said, concept in begun:
                second = "*" if said[1].endswith("*") else said[1]
                phrases.setdefault(second, []).append((said, concept))
            if found or phrases:
                self.known[word] = (found, phrases)
            else:
                self.void.add(word)


def _stands(said: list[str], words: list[str], at: int) -> bool:
    """Tell whether a phrase stands at a place; `*` alone is one to four words, behind a word its ending."""
    for number, piece in enumerate(said):
        if piece == "*":
            return any(_stands(said[number + 1 :], words, at + more) for more in range(1, 5))
        if at >= len(words):
            return False
        word = words[at]
        if not (word.startswith(piece[:-1]) if piece.endswith("*") else word == piece):
            return False
        at += 1
    return True


def _is_without_blanks(sign: str) -> bool:
    """Return letters of Chinese, Japanese, Korean and Thai; and of Arabic, which puts small words before others."""
    return (
        "\u0600" <= sign <= "\u06ff"
        or "\u0e00" <= sign <= "\u0e7f"
        or "\u1100" <= sign <= "\u11ff"
        or "\u3041" <= sign <= "\u9fff"
        or "\uac00" <= sign <= "\ud7a3"
        or "\uf900" <= sign <= "\ufaff"
    )


@cache
def _known() -> tuple[_Words, tuple[str, ...]]:
    table = concepts()
    return _Words(table), tuple(table)


def features(sentence: str) -> Features:
    """Return what a sentence speaks of, in the order of the table."""
    found = _named(_spoken_of([sentence])[0])
    return found + _signs(sentence) if found else found


def _spoken_of(several: list[str]) -> list[list[int]]:
    """Return the numbers of the concepts that each of several sentences speaks of."""
    table = _known()[0]
    lines = list(map(plain, several))
    found = table.spoken_of(f" {CUT} ".join(lines).split()) if lines else []
    whole = " ".join(lines)
    pieces = []
    if not whole.isascii() and any(map(_is_without_blanks, set(whole))):
        pieces = [pair for pair in table.pieces if pair[0] in whole]
    for line, concepts in zip(lines, found, strict=True) if pieces else ():
        here = [concept for piece, concept in pieces if piece in line]
        concepts[:] = sorted({*concepts, *here})
    return found


def _named(concepts: Iterable[int]) -> Features:
    names = _known()[1]
    return [names[concept] for concept in concepts]


def _signs(sentence: str) -> Features:
    return [name for name, sign in _SIGNS if compiled(sign).search(sentence)]


@cache
def _weights() -> tuple[float, float, dict[str, float]]:
    import json

    with open(f"{FOLDER}/orders.json", encoding="utf-8") as file:
        told = json.load(file)
    return told["base"], told["threshold"], told["weights"]


def score(found: Features) -> float:
    """Tell how much what a sentence speaks of makes it an order to a model: above `threshold` it is one."""
    base, _, weights = _weights()
    total = base
    for at, name in enumerate(found):
        total += weights.get(name, 0.0)
        for other in found[at + 1 :]:
            total += weights.get(f"{name}+{other}", 0.0)
    return total


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence begins and ends; of a long one, each stretch."""
    at = 0
    for end in [*[match.end() for match in _END.finditer(text)], len(text)]:
        if text[at:end].strip():
            yield from _stretches(text, at, end)
        at = end


def _stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start <= 4 * WORDS_AT_ONCE or text.count(" ", start, end) <= WORDS_AT_ONCE:
        yield start, end
        return
    blanks = [at for at in range(start, end) if text[at] == " "]
    for number in range(0, len(blanks), WORDS_AT_ONCE // 2):
        begin = blanks[number - 1] if number else start
        last = number + WORDS_AT_ONCE
        yield begin, blanks[last] if last < len(blanks) else end
        if last >= len(blanks):
            return


def orders(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a text that order a model about: one walk over the words of all of them."""
    _, threshold, _ = _weights()
    spans = list(sentences(text))
    for (start, end), concepts in zip(
        spans, _spoken_of([text[a:b] for a, b in spans]), strict=True
    ):
        if _may_order(tuple(concepts)):
            found = _named(concepts) + _signs(text[start:end])
            if len(found) > 1 and score(found) > threshold:
                yield start, start + len(text[start:end].rstrip())


@lru_cache(maxsize=4096)
def _may_order(concepts: tuple[int, ...]) -> bool:
    """Tell whether a sentence that speaks of these could be an order with some signs in it: nearly all could not."""
    _, threshold, _ = _weights()
    found = _named(concepts)
    by_signs = sum([weight for beside, weight in _by_signs() if beside.issubset(found)])
    return bool(found) and score(found) + by_signs > threshold


@cache
def _by_signs() -> list[tuple[set[str], float]]:
    """Return what signs make more likely: beside which concepts, and by how much."""
    signs = {name for name, _ in _SIGNS}
    pairs = [({*pair.split("+")}, weight) for pair, weight in _weights()[2].items() if weight > 0]
    return [(parts - signs, weight) for parts, weight in pairs if parts & signs]
