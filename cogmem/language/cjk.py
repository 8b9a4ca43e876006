"""Scripts without spaces: Chinese, Japanese, Korean, Thai and their neighbours.

The index holds pairs of characters, since nothing tells where a word ends. A question has many pairs
that are not words: particles, the verbs of asking, and what lies across two words. The first two
stand in `data/cjk.txt`; a run is cut at them, so "与彭雨晴在哪里" asks for 彭雨 and 雨晴 alone.
"""

from __future__ import annotations

from cogmem.cached import cache
from cogmem.text.data import words

LONGEST_NAME = 4  # characters of a name in such a script
NAMED_WITHIN = 60  # characters of a prompt in which names of speakers are looked for


@cache
def _lists() -> tuple[list[str], frozenset[str]]:
    found = words("cjk")
    return found["empty"].split(), frozenset(found["particles"])


def is_cjk(c: str) -> bool:
    if c < "\u0e00":
        return False
    if c < "\u1100":
        return c <= "\u0eff" or "\u1000" <= c <= "\u109f"  # Thai, Lao, Burmese
    return (
        "\u4e00" <= c <= "\u9fff"  # Han
        or "\u3040" <= c <= "\u30ff"  # kana
        or "\uac00" <= c <= "\ud7a3"  # Hangul
        or "\u3400" <= c <= "\u4dbf"
        or c <= "\u11ff"
        or "\u1780" <= c <= "\u17ff"  # Khmer
        or "\u3005" <= c <= "\u3007"
        or "\u3105" <= c <= "\u312f"
        or "\u31f0" <= c <= "\u31ff"
        or "\uf900" <= c <= "\ufaff"
        or "\uff66" <= c <= "\uff9d"
        or "\U00020000" <= c <= "\U0003134f"
    )


def has_any(text: str) -> bool:
    """Tell whether a text has any such character; most of one that is not ASCII have a dash or an accent alone."""
    return not text.isascii() and any(map(is_cjk, set(text)))


def runs(text: str) -> list[str]:
    if not has_any(text):
        return []
    # A vowel sign of Thai and its neighbours is not a letter to the index, and parts no word either.
    return "".join(
        [("" if c < "\u1800" and not c.isalnum() else c) if is_cjk(c) else " " for c in text]
    ).split()


def pairs(run: str, alone: bool) -> list[str]:
    """Neighbouring characters; with `alone` the last one too, which then begins a pair."""
    found = [run[i : i + 2] for i in range(len(run) - 1)]
    return [*found, run[-1]] if alone else found


def telling_pairs(run: str) -> list[str]:
    """Return the pairs of a prompt's run that may be of a word."""
    empty, particles = _lists()
    for word in empty:
        if word in run:
            run = run.replace(word, " ")
    run = "".join([" " if c in particles else c for c in run])
    found = [pair for part in run.split() for pair in pairs(part, alone=False)]
    # Japanese endings in hiragana are as common as English stop words.
    return [pair for pair in found if any(not "ぁ" <= c <= "ゟ" for c in pair)]


def may_be_names(text: str) -> list[str]:
    """Return all that could be the name of somebody who speaks here."""
    found: dict[str, None] = {}
    for run in runs(text[:NAMED_WITHIN]):
        for length in range(2, LONGEST_NAME + 1):
            found.update(dict.fromkeys(run[i : i + length] for i in range(len(run) - length + 1)))
    return [*found]


def is_pair(term: str) -> bool:
    """Tell whether a term is two characters that stand for part of a word."""
    return len(term) == 2 and is_cjk(term[0]) and is_cjk(term[1])
