"""What stands around a statement: an opening before it, a reason behind it, dates within, and who it is of."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from cogmem.language.clauses import fold
from cogmem.language.statement import language_as_written, read, tokens
from cogmem.language.table import NO_CLASS, part, table

_DATED = re.compile(r" \[\d{4}-[^\]]*\]")
_FIRST = re.compile(r"\s*[\w'’]+")


def undated(text: str) -> str:
    """Return a statement as it was said, without the dates put behind its days: "on 12 June [2027-06-12]"."""
    return _DATED.sub("", text) if "[" in text else text


def is_in_first_person(text: str) -> bool:
    """Tell whether a statement begins with who says it: "I prefer tea", "My dentist is Dr. Alvim"; not "we"."""
    spoken = language_as_written(text)
    first = read(text, spoken).words[:1]
    if first and first[0].sense == "i":
        return "us" not in first[0].classes
    known = table(spoken).words
    return any("mine" in known.get(word, NO_CLASS) for word in tokens(text)[1][:1])


def is_of_the_speaker(text: str) -> bool:
    """Tell whether a statement speaks of who says it, and of nothing that others share: "my manager is Jo now"."""
    flags = read(text).flags
    return not flags.isdisjoint(("i", "me", "mine")) and flags.isdisjoint(("us", "ours"))


def is_of_oneself(text: str) -> bool:
    """Tell whether a statement says what its speaker is: "I'm allergic to nuts"."""
    held = read(text)
    verb = held.verb()
    return (
        held.speaks()
        and verb < 2
        and held.words[verb : verb + 1] != []
        and held.words[verb].said == "be"
        and "us" not in held.words[0].classes
    )


@lru_cache(maxsize=512)
def reason_in(text: str) -> tuple[str, str]:
    """Return a statement without its reason, and the reason: what stands behind "because"; '' for none."""
    spoken = language_as_written(text)
    low = fold(text).lower()
    for word in _because(spoken):
        at = low.find(word)
        if at > 0 and len(low) == len(text) and "because" in read(text, spoken).flags:
            return text[:at].rstrip(" ,;"), text[at + len(word) :].strip(" .!")
    return text, ""


@cache
def _because(language: str) -> list[str]:
    """Return the words that give a reason as they stand in a text."""
    words = table(language).words
    found = [word for word in words if "because" in words[word]]
    return [f" {word} " if word.isascii() else word for word in found]


def without_opening(text: str) -> str:
    """Return a correction as the statement that it is: "Actually, the port is 8081" without its opening."""
    known = table(language_as_written(text))
    rest = text
    while found := _FIRST.match(rest):
        low = [word.lower() for word in tokens(rest[: found.end() + 60])[1] if word not in ",;:"]
        size = next(
            (
                n
                for n in range(min(6, len(low)), 0, -1)
                if "opening" in known.words.get(" ".join(low[:n]), NO_CLASS)
            ),
            0,
        )
        if not size:
            break
        end = 0
        for _ in range(size):
            word = _FIRST.match(rest, end)
            if word is None:
                return rest
            end = word.end()
        after = rest[end:].lstrip(" ,.:;!-—–，：。、")
        if (
            size == 1
            and "answer" in known.words[low[0]]
            and rest[end : end + 1] == " "
            and not (
                known.words.get(low[1] if len(low) > 1 else "", NO_CLASS)
                & {"the", "i", "he", "not"}
            )
        ):
            break  # "no deploys on Friday"
        rest = after
    for lead, instead in _asked(known.language) if rest != text else ():
        if rest.lower().startswith(f"{lead} "):
            return f"{instead} {rest[len(lead) :].strip()}".strip()
    return rest.strip()


@cache
def _asked(language: str) -> list[list[str]]:
    """Return how what somebody was told to do begins, and how the same begins that is said to him."""
    return [line.split("\t") for line in part(language, "asked")]
