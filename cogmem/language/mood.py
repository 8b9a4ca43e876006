"""Tell where a statement begins, and what is nobody's statement.

People open clauses with words that carry nothing ("ok, and please …"). They ask, say what others say, and what
holds for once; hosts and bots write in their name, and some things are said in confidence. The functions here read
the `plain` form of a clause.
"""

from __future__ import annotations

import re
from collections import namedtuple
from functools import cache, lru_cache

from cogmem.language.clauses import fold, regex
from cogmem.text.data import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

FRAME = 2000  # characters of a message in which it says what it is


class _Patterns(
    namedtuple("_Patterns", "opening question goes_on frame not_for_good joint for_good")
):
    __slots__ = ()


@cache
def _patterns() -> Any:
    said = {name: text for name, _, text in patterns("mood")}
    # These three are looked for in each clause: at its beginning alone `re` is the quicker one.
    heads = [said[name] for name in ("opening", "question", "goes on")]
    begins = [re.compile(head, re.ASCII | re.IGNORECASE) for head in heads]
    others = [said["frame"], f"{said['passing']}|{said['of others']}"]
    parted = {"joint": re.compile(said["joint"]), "for_good": re.compile(said["for good"])}
    return _Patterns(*begins, *map(regex, others), **parted)


def _heads(pattern: re.Pattern[str], plain: str) -> bool:
    """Tell whether a clause begins so; in scripts without blanks the sign of it may stand anywhere."""
    return (pattern.match if plain.isascii() else pattern.search)(plain) is not None


@cache
def _in_confidence() -> Any:  # a turn asks for this one alone
    return next(regex(text) for name, _, text in patterns("mood") if name == "in confidence")


@lru_cache(maxsize=256)  # what a message's clauses propose asks, and then what they may say again
def after_opening(plain: str, begin: int = 0) -> int:
    """Return where a clause begins once the words that only open it are passed."""
    match = _patterns().opening.match(plain[begin:])
    return begin + match.end() if match else begin


def goes_on(plain: str) -> bool:
    """Tell whether a sentence goes on about what the one before was about."""
    return _heads(_patterns().goes_on, plain)


@lru_cache(maxsize=256)
def opens_as_question(plain: str) -> bool:
    """Tell whether a clause without its opening asks, with or without a mark at its end."""
    return _heads(_patterns().question, plain)


def is_not_for_good(plain: str) -> bool:
    """Tell whether a clause without its opening is passing or of others: both in one look."""
    return _patterns().not_for_good.search(plain) is not None


def is_for_good(part: str) -> bool:
    """Tell whether a part of a clause without its opening begins as what holds from now on."""
    return _patterns().for_good.match(part) is not None


def joints(plain: str) -> list[tuple[int, int]]:
    """Return where the parts of a clause end, and where the next ones begin."""
    return [joint.span() for joint in _patterns().joint.finditer(plain)]


def is_not_own_talk(text: str) -> bool:
    """Tell whether a message was written by a host or a bot, plays a part, or is not to be kept."""
    head = fold(text[:FRAME])
    return any(one.search(head) is not None for one in (_patterns().frame, _in_confidence()))


def is_confided(text: str) -> bool:
    """Tell whether a person asks that a message be kept by nobody."""
    return _in_confidence().search(fold(text[:FRAME])) is not None


def confided(said: Iterable[tuple[str, str]]) -> list[bool]:
    """Tell of each (role, text) whether it is confided: a person's message, and what answers it."""
    found: list[bool] = []
    for role, text in said:
        is_answer = role != "user"
        found.append(bool(found and found[-1]) if is_answer else is_confided(text))
    return found
