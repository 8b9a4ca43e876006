"""An upper bound on o200k tokens that needs no tokenizer, for processes that live milliseconds.

`Upper` says why it is never too low. It is 1.2 to 1.5 times o200k on English and on code, 1.5 to
2.2 times on Chinese, Japanese and Korean, and up to the UTF-8 length on what it knows little of.
"""

from __future__ import annotations

import os

from cogmem.cached import cache

_PATH = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "o200k_whole.txt")


class Upper:
    """Never fewer tokens than o200k has, from a list of common words and four facts about BPE.

    1. A token holds at least one byte, so a text has no more tokens than UTF-8 bytes.
    2. Text is first split into pieces (a word with the one sign before it, up to three digits, a
       run of signs, white space), and a piece that is itself in the table is one token.
    3. Merging ends only when no two neighbours form a token. So where two letters form one, these
       two and what follows cannot all be starts of tokens: n letters whose neighbours all form
       tokens are at most (2n + 1) / 3 of them.
    4. Merging takes the lowest rank first. A character that is a token, and into which no token of
       lower rank reaches from beside it, is thus never split.

    data/o200k_whole.txt lists the words, pairs of letters and characters for which this was
    verified against the table; the tests verify it again.
    """

    name = "upper"

    def count(self, text: str) -> int:
        sorts = text.translate(_SORTS)
        total = at = 0
        while at < len(text):
            start, sort = at, sorts[at]
            at += 1
            while at < len(text) and sorts[at] == sort:
                at += 1
            total += _COSTS[sort](text, start, at)
        return total


class _Whole:
    """What data/o200k_whole.txt holds."""

    def __init__(self) -> None:
        with open(_PATH, encoding="utf-8", newline="") as file:
            either, lower, spaced, lone, merging, blocks, characters = file.read().split("\n")[:7]
        self.either_case = frozenset(either.split(" "))
        self.lower_case = frozenset(lower.split(" "))
        self.after_space = frozenset(spaced.split(" "))
        self.lone_letters = frozenset(map("".join, zip(lone[::2], lone[1::2], strict=True)))
        self.merging_signs = frozenset(map("".join, zip(merging[::2], merging[1::2], strict=True)))
        self.merging_blocks = frozenset(blocks)
        self.characters = frozenset(characters)

    def has_word(self, word: str, lead: str) -> bool:
        if word in self.either_case or word in self.lower_case:
            return True
        if lead and word in self.after_space:
            return True
        return word == word.capitalize() and word.lower() in self.either_case

    def merges(self, pair: str) -> bool:
        if pair.islower() or pair.isupper():
            return pair not in self.lone_letters
        return pair in self.merging_signs


_whole = cache(_Whole)


def _letters(text: str, start: int, end: int) -> int:
    before, after = _char(text, start - 1), _char(text, end)
    if before == "'" and _continues_a_word(_char(text, start - 2)):
        return end - start  # the rule for "'ll" and the like may end a piece after any letter
    # A single sign or tab joins the piece of the word after it; the list was verified with each.
    known = before in ("", " ", "\t", "\n", "\r") or "!" <= before <= "~"
    open_ended = _continues_a_word(after)
    lead = " " if before == " " else ""
    total = 0
    while start < end:
        stop = start + 1
        while stop < end and not (text[stop - 1].islower() and text[stop].isupper()):
            stop += 1
        word, inner = text[start:stop], stop < end
        if known and (inner or not open_ended) and _whole().has_word(word, lead):
            total += 1
        else:
            total += _most_tokens(lead + word, inner or not (open_ended or after == "'"))
        start, lead, known = stop, "", True
    return total


def _most_tokens(run: str, ends: bool) -> int:
    """Fact 3 for characters of one piece; `ends`: the piece surely ends with them."""
    merges = _whole().merges
    total = 0
    before_last = last = False  # whether the two characters before start a token
    for at in range(len(run) + ends):  # a sure end counts as a start
        before_last, last = last, not (before_last and last and merges(run[at - 2 : at]))
        total += last
    return total - ends


def _spaces(text: str, start: int, end: int) -> int:
    """Return a run of ASCII white space, less the last space where that belongs to what follows."""
    before, after = _char(text, start - 1), _char(text, end)
    beside = before + after
    if not beside.isascii() and any(char >= "\x80" and char.isspace() for char in beside):
        return end - start
    run = text[start:end]
    body = run.rstrip(" \t\v\f")
    tail = run[len(body) :]
    if body.strip("\n") or (after == "/" and not tail):  # a slash can join the line ends before it
        total = len(body)
    else:
        total = (2 * len(body) + 1) // 3
    if not tail:
        return total
    if not after:
        return total + _blank(tail)
    joins = tail[-1] == " " and _SORTS[ord(after)] in "a."
    return total + _blank(tail[:-1]) + (not joins)


def _blank(run: str) -> int:
    """White space within a line: spaces or tabs alone are one token up to the length listed."""
    if (len(run) <= 79 and not run.strip(" ")) or (len(run) <= 20 and not run.strip("\t")):
        return min(len(run), 1)
    return len(run)


def _digits(text: str, start: int, end: int) -> int:
    # Other scripts' digits share the pieces of three.
    for char in _char(text, start - 1) + _char(text, end):
        if char >= "\x80" and _category(char)[0] in "NC":
            return end - start
    return (end - start + 2) // 3


def _signs(text: str, start: int, end: int) -> int:
    before, after = _char(text, start - 1), _char(text, end)
    run = text[start:end]
    # Slashes that begin a line may still belong to the signs that ended the line before.
    slashes = len(run) - len(run.lstrip("/")) if before in ("\n", "\r") else 0
    lead = " " if before == " " else ""
    ends = after < "\x80" and after not in ("\n", "\r")
    return slashes + _most_tokens(lead + run[slashes:], ends)


def _beyond_ascii(text: str, start: int, end: int) -> int:
    whole = _whole()
    total = 0
    for at in range(start, end):
        char, before, after = text[at], _char(text, at - 1), _char(text, at + 1)
        if (
            char in whole.characters
            and (before in whole.characters or (before < "\x80" and before != " "))
            and (after in whole.characters or after < "\x80")
        ):
            total += 1
        elif char < "\u0800":
            total += 2
        else:  # fact 3 for the first two of its bytes, which all characters of a block share
            size, block = (3, ~0x3F) if char < "\U00010000" else (4, ~0xFFF)
            total += size - (chr(ord(char) & block) in whole.merging_blocks)
    return total


def _category(char: str) -> str:
    from unicodedata import category

    return category(char)


def _char(text: str, at: int) -> str:
    return text[at] if 0 <= at < len(text) else ""


def _continues_a_word(char: str) -> bool:
    return char.isalpha() or (char >= "\x80" and _category(char)[0] in "LMC")


class _Sorts(dict[int, str]):
    """For str.translate: a letter, 0 digit, _ white space, . other sign, w beyond ASCII."""

    def __missing__(self, code: int) -> str:
        return "w"


_SORTS = _Sorts(
    (code, "a" if char.isalpha() else "0" if char.isdigit() else "." if char.strip() else "_")
    for code, char in enumerate(map(chr, range(128)))
)
_SORTS.update((code, ".") for code in range(0x1C, 0x20))  # white space to Python alone
_COSTS = {"a": _letters, "0": _digits, "_": _spaces, ".": _signs, "w": _beyond_ascii}
