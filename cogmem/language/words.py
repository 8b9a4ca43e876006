"""The words that a cue knows: those that say nothing, those of time, and which belong together.

They lie in `data/english.txt`. None of it is needed: a prompt in another language is searched by its words
alone. Porter stemming, the index's own, brings regular inflections together; what it keeps apart stands there. A
list of groups is one text, searched as text, since building a dictionary of it would cost every process more than
all its look-ups.
"""

from __future__ import annotations

from os import listdir

from cogmem.cached import lru_cache
from cogmem.text.data import FOLDER
from cogmem.text.data import words as lists

_LISTS = lists("english")
# Words that say nothing of the subject.
ENGLISH = frozenset(_LISTS["plain"].split())
_times: list[frozenset[str]] = []  # the words that may name a day, once they are asked for
FORMS, KIN = (f" {_LISTS[name]} ".replace("\n", " ") for name in ("forms", "kin"))

# Of these the ones that are words of no other language that the tables of near words know.
ENGLISH_ALONE = frozenset(
    "the of and what which who where when why how did does my your i they with from about this that is".split()
)
# What follows the apostrophe of "it's" and "don't": it leaves the word before it.
CONTRACTED = frozenset("s t re ve ll d m".split())

APOSTROPHES = ("'", "’")
_UNSPACED_TIMES = frozenset(
    "年月日天周週号前昨去今春夏秋冬년월일주전어작봄름을울"
)  # one is in every date without spaces


def times() -> frozenset[str]:
    """Return the words of which one is in whatever names a day: a list, and those of languages added to it."""
    if not _times:
        found = _LISTS["time"].split()
        added = {name[:-4] for name in listdir(f"{FOLDER}/words")}.difference(
            _LISTS["timed"].split()
        )
        if added:
            from cogmem.language.table import words_of_days

            for name, several in words_of_days(*sorted(added)).items():
                if name.startswith(("month-", "weekday-")) or name in _LISTS["timely"].split():
                    found += several
        _times.append(frozenset(found))
    return _times[0]


def is_of_time(words: list[str]) -> bool:
    """Tell whether a prompt with these words may name a day."""
    known = times()
    if not known.isdisjoint(words):
        return True
    for word in words:
        if word[:4].isdecimal() or not (word.isascii() or _UNSPACED_TIMES.isdisjoint(word)):
            return True
        if word[1:2] in APOSTROPHES and word[2:] in known:  # l'année
            return True
    return False


_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ves", "fe"),
    ("ed", ""),
    ("ed", "e"),
    ("ied", "y"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
)


_LAST_LETTERS = frozenset(ending[-1] for ending, _ in _ENDINGS)
_listed: set[str] = set()  # every word of the two lists, once it is asked for


@lru_cache(maxsize=2_000)  # the words of one agent's prompts come again
def expand(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return other forms of a word, and its kin.

    Found in the lists above by plain text search: a table would take a hook too long to build. Most words are in none
    of them, which a set tells in a tenth of the time.
    """
    bases = _bases(word)
    if not _listed:
        _listed.update(FORMS.split(), KIN.split())
    if _listed.isdisjoint(bases):
        return (word,), ()
    forms: dict[str, None] = {word: None}
    kin: dict[str, None] = {}
    for base in bases:
        for group in _groups_with(base, FORMS):
            forms.update(dict.fromkeys(group.split()))
        for group in _groups_with(base, KIN):
            heads, _, members = group.partition(" : ")
            if not members or base in heads.split():
                kin.update(dict.fromkeys((members or heads).split()))
    return tuple(forms), tuple(k for k in kin if k not in forms and k not in bases)


def _bases(word: str) -> list[str]:
    """Return the word, and what it may be an inflection of."""
    bases = [word]
    if word[-1:] not in _LAST_LETTERS:
        return bases
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            base = word[: -len(ending)] + instead
            bases.append(base)
            if not instead and len(base) > 3 and base[-1] == base[-2]:
                bases.append(base[:-1])
    return bases


def _groups_with(word: str, groups: str) -> list[str]:
    found = []
    needle = f" {word} "
    at = groups.find(needle)
    while at >= 0:
        end = groups.index("|", at)
        found.append(groups[groups.rindex("|", 0, at) + 1 : end])
        at = groups.find(needle, end)
    return found
