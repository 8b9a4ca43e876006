"""Computes cogmem/data/o200k_whole.txt from the table of o200k_base; run it to write the file.

Each function gives one line of the file, in order, and its conditions are what the proof in
cogmem/tokens/bounds.py rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cogmem
from cogmem.tokens import counting

Ranks = dict[bytes, int]
Count = Callable[[str], int]

PATH = Path(cogmem.__file__).parent / "data" / "o200k_whole.txt"
LETTERS = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
SIGNS = [sign for sign in map(chr, range(33, 127)) if not sign.isalnum()]
# What the splitting pattern takes as the end of the word before; \u017f is a long s.
SHORT_FORMS = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'\u017f"]
# Ranks follow frequency, so these say how rare a word may be to be listed.
RAREST_ANYWHERE = 60_000
RAREST_AFTER_SPACE = 70_000


def the_file(ranks: Ranks) -> str:
    either, lower = words_anywhere(ranks)
    lines = [
        " ".join(either),
        " ".join(lower),
        " ".join(words_after_space(ranks, {*either, *lower, *map(str.capitalize, either)})),
        "".join(lone_letters(ranks)),
        "".join(merging_signs(ranks)),
        "".join(merging_blocks(ranks)),
        "".join(sorted(whole_characters(ranks))),
    ]
    return "\n".join(lines) + "\n"


def words_anywhere(ranks: Ranks) -> tuple[list[str], list[str]]:
    """Words worth one token each wherever they stand: those that may be capitalised, and others."""
    either, lower = [], []
    for word, rank in ascii_words(ranks):
        if rank <= RAREST_ANYWHERE and word.islower() and is_one_anywhere(word, ranks):
            capital = word.capitalize()
            if len(word) > 1 and is_one_anywhere(capital, ranks):
                either.append(word)
            else:
                lower.append(word)
    return either, lower


def words_after_space(ranks: Ranks, listed: set[str]) -> list[str]:
    """More words, exactly as written, that are one token together with the space before them."""
    return [
        word
        for word, rank in ascii_words(ranks)
        if rank <= RAREST_AFTER_SPACE
        and word not in listed
        and (word.islower() or word.isupper() or word == word.capitalize())  # one piece
        and short_forms_fit(" " + word, 0)
    ]


def ascii_words(ranks: Ranks) -> Iterator[tuple[str, int]]:
    for token, rank in ranks.items():
        if token[:1] == b" " and token[1:].isalpha() and token.isascii():
            yield token[1:].decode(), rank


def is_one_anywhere(word: str, ranks: Ranks) -> bool:
    """One token alone and after a space, and no more than the sign's one and one after a sign."""
    if not (word.encode() in ranks and b" " + word.encode() in ranks):
        return False
    for sign in (*SIGNS, "\t"):
        if tokens_of(sign + word) > 2 or not short_forms_fit(sign + word, 1):
            return False
    return short_forms_fit(word, 0) and short_forms_fit(" " + word, 0)


def short_forms_fit(piece: str, before: int) -> bool:
    """With 's, 'll and so on: one token and a character each for what is added, at the most."""
    return all(tokens_of(piece + form) <= before + 1 + len(form) for form in SHORT_FORMS)


def tokens_of(text: str) -> int:
    return counting.O200k().count(text)


def lone_letters(ranks: Ranks) -> list[str]:
    """Pairs of letters of one case that are no token; all other such pairs are."""
    pairs = (first + second for case in LETTERS for first in case for second in case)
    return [pair for pair in pairs if pair.encode() not in ranks]


def merging_signs(ranks: Ranks) -> list[str]:
    """Pairs of a space or sign and a sign that are a token."""
    pairs = (first + second for first in (" ", *SIGNS) for second in SIGNS)
    return [pair for pair in pairs if pair.encode() in ranks]


def merging_blocks(ranks: Ranks) -> list[str]:
    """First characters of the blocks whose characters begin with the same two bytes, a token."""
    firsts = [*range(0x800, 0xD800, 0x40), *range(0xE000, 0x10000, 0x40)]
    firsts += range(0x10000, 0x110000, 0x1000)
    return [char for char in map(chr, firsts) if char.encode()[:2] in ranks]


def whole_characters(ranks: Ranks) -> set[str]:
    """Characters that are a token and that nothing breaks up while their neighbours are listed.

    What could break one up is a token of lower rank that holds some of its bytes and something
    from beside it. For each such token either the characters it could break are left out, or the
    neighbour it needs, whichever are used less. Not so where the neighbour is a space: the bound
    never relies on a character after a space.
    """
    chars = {char for char in map(chr, range(0x2000, 0x20000)) if is_token(char, ranks)}
    before = None
    while chars != before:
        before = set(chars)
        for broken, beside in breakers(ranks, chars):
            if beside is not None and 3 * use(beside, ranks) < use(broken, ranks):
                chars -= beside
            else:
                chars -= broken
    return chars


def breakers(ranks: Ranks, chars: set[str]) -> Iterator[tuple[set[str], set[str] | None]]:
    """For each token that breaks listed characters: these, and the neighbours that it needs.

    The neighbours are None where they are ASCII and cannot be left out. `chars` may shrink while
    the tokens are gone through.
    """
    for token, rank in sorted(ranks.items(), key=lambda item: item[1]):
        tail, middle, head = split_at_broken_characters(token)
        if not (tail or head) or not (middle or (tail and head)):
            continue
        for part, rest, nearest in ((tail, head, middle[:1]), (head, tail, middle[-1:])):
            if not part or (part is head and nearest == " "):
                continue
            holds = bytes.endswith if part is tail else bytes.startswith
            opposite = bytes.startswith if part is tail else bytes.endswith
            broken = {
                char for char in chars if holds(char.encode(), part) and ranks[char.encode()] > rank
            }
            if nearest:
                beside = None if nearest.isascii() else {nearest} & chars
            else:
                beside = {char for char in chars if opposite(char.encode(), rest)}
            if broken and (beside is None or beside):
                yield broken, beside


def split_at_broken_characters(token: bytes) -> tuple[bytes, str, bytes]:
    """The end of a character, whole characters, and the beginning of one."""
    start = 0
    while start < len(token) and token[start] & 0xC0 == 0x80:
        start += 1
    for end in range(len(token), max(start - 1, len(token) - 4), -1):
        try:
            return token[:start], token[start:end].decode(), token[end:]
        except UnicodeDecodeError:
            continue
    return b"", "", b""  # bytes that no text has


def is_token(char: str, ranks: Ranks) -> bool:
    return not "\ud800" <= char <= "\udfff" and char.encode() in ranks


def use(chars: set[str], ranks: Ranks) -> float:
    return sum(1 / ranks[char.encode()] for char in chars)


if __name__ == "__main__":
    PATH.write_text(
        the_file(counting._ranks(counting._shipped_table())), encoding="utf-8", newline="\n"
    )
