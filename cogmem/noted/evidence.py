"""Checks a note against the messages that it names, without a model.

A note is a model's words, and a model may be wrong, or be talked into something by what it reads. So a note
counts only as far as the talk supports it: its numbers stand in the messages that it names or beside them,
its names in the talk, what it denies is denied there, and its telling words were said: what was only pasted or
quoted bears nothing out. What a person is said to want must be typed by a person: a pasted page wants nothing.
"""

from __future__ import annotations

import re

from cogmem.language.contradiction import denied
from cogmem.language.passages import names_in
from cogmem.language.sentences import parts
from cogmem.language.telling import telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cogmem.noted.shown import Line

# Messages around a named one that support it: subjects stand in the message before.
BEFORE, AFTER = 2, 1
BORNE_OUT = 0.3  # share of a note's telling words that stand in its evidence
TYPED = 2  # telling words of a wish that a person typed, and no fewer than were only pasted
SAME = 0.6  # share of a clause's telling words from which on a sentence says the same
CLOSE = 0.1  # how much less another sentence may share than the best
SHORTEST = 3  # letters of a part of a name that has to be found
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_QUOTED = re.compile(r"[`“\"]([^`”\"]{2,80})[`”\"]")
_CAPITAL = re.compile(r"(?<![.!?:] )(?<!^)(?<![\"“(`])\b[A-Z][\w.-]*\w")
_WORD = re.compile(r"[^\W_]+")
_STEM = 5  # letters by which a denied word is known again


def fault(
    text: str, named: Sequence[Line], shown: Sequence[Line], *, is_order: bool = False
) -> str:
    """Return why the messages do not support a note; '' if they do. `is_order`: it says how things are done."""
    if not named:
        return "it names no message"
    near = _around(named, shown)
    said = "\n".join(line.typed for line in near)
    seen = "\n".join(line.text for line in near)
    every = "\n".join(line.text for line in shown)
    if fault := unsaid(text, said, seen, every):
        return fault
    words, brought = telling(text), telling(seen) - telling(said)
    if is_order:
        typed = telling("\n".join(line.typed for line in near if line.message.role == "user"))
        if len(words & typed) < max(TYPED, len(words & brought)):
            return "no person typed it"
    return ""


def unsaid(text: str, said: str, seen: str, every: str, *, share: float = BORNE_OUT) -> str:
    """Tell what of a text was not said; '' if all was. `seen` is that with what was pasted and quoted, `every` all of
    the talk; `share`: of its telling words, how many must have been said."""
    known = numbers(seen)
    if any(number not in known for number in numbers(text)):
        return "a number in it stands in none of its messages"
    folded = every.casefold()
    if any(part not in folded for part in _names(text)):
        return "a name in it was not said"
    words = telling(text)
    own = telling(said)
    if len(words & own) < max(share * len(words), len((words & telling(seen)) - own)):
        return "its messages say something else"
    return _turned(text, said)


def _around(named: Sequence[Line], shown: Sequence[Line]) -> list[Line]:
    """Return the named messages and those beside them."""
    places = [at for at, line in enumerate(shown) if any(line is one for one in named)]
    near = {at + step for at in places for step in range(-BEFORE, AFTER + 1)}
    return [line for at, line in enumerate(shown) if at in near]


def _turned(text: str, said: str) -> str:
    """Tell whether a note denies what the talk does not, or tells as true what the talk denies."""
    sentences = [one for one in parts(said) if len(one) > SHORTEST]
    words = [telling(one) for one in sentences]
    stood = [(_stems(_WORD.findall(one.casefold())), _refuses(one)) for one in sentences]
    refusing = [its for its, refuses in stood if refuses]
    telling_it = [its for its, refuses in stood if not refuses]
    for clause in parts(text):
        refused = denied(clause)
        for row in refused:
            stems = _stems(row)
            if any(_stems(row[:1]) & there or len(stems & there) > 1 for there in refusing):
                continue
            if stems and any(_stems(row[:2]) <= there for there in telling_it):
                return "it denies what its messages do not deny"
        wanted = telling(clause)
        if refused or len(wanted) < SHORTEST:
            continue
        shares = [len(wanted & its) / len(wanted) for its in words]
        best = max(shares, default=0.0)
        least = max(SAME, best - CLOSE)
        near = [one for one, share in zip(sentences, shares, strict=True) if share >= least]
        stems = _stems(_WORD.findall(clause.casefold()))
        if near and all(any(stems & _stems(row[:2]) for row in denied(one)) for one in near):
            return "its messages deny it"
    return ""


def _refuses(text: str) -> bool:
    """Tell whether a sentence denies, or turns down in other words."""
    return bool(denied(text)) or not _REFUSING.isdisjoint(_WORD.findall(text.casefold()))


_REFUSING = frozenset(
    "without nor neither cannot nothing none nobody instead rather only drop dropped remove removed revert reverted"
    " reject rejected decline declined skip skipped unlike wrong fails failed missing".split()
)


def _stems(words: Iterable[str]) -> set[str]:
    bare = (word.lstrip("/.~-") for word in words)  # "/healthz" is healthz
    return {word[:_STEM] for word in bare if len(word) >= SHORTEST}


def numbers(text: str) -> set[str]:
    """Return the numbers in a text, however their thousands are parted."""
    return {number.replace(",", "").rstrip(".") for number in _NUMBER.findall(text)}


def _names(text: str) -> set[str]:
    """Return the parts of the names in a text: of paths, flags, identifiers, quotations and capitals."""
    found = [*names_in(text), *_QUOTED.findall(text), *_CAPITAL.findall(text)]
    return {
        part.casefold()
        for name in found
        for part in _WORD.findall(name)
        if len(part) >= SHORTEST and not part.isdigit()
    }
