"""Spells out a correction that needs the message before it: "no, it's crane now", after "I deployed to heron".

What it was said of is a held statement with a value that the message before names: it is said again with the new
value in the old one's place, so that the one judge of statements sees two whole ones. If several could be meant, or
none, the correction stays as it was said; one that only points ("it's crane now") is then not kept.
"""

from __future__ import annotations

import re

from cogmem.language.clauses import fold
from cogmem.language.languages import words_of
from cogmem.language.ordinary import per_thousand
from cogmem.language.statement import language_as_written, read, says_untrue, words_in
from cogmem.learn.alike import beside, found_by_words, having
from cogmem.learn.corrected import is_correction
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.language.statement import Statement, Word
    from cogmem.records import Draft
    from cogmem.store.store import Store

MOST_WORDS = 5  # words that carry such a correction; a longer one says itself what it means
MOST_HELD = 8  # statements that are looked at
ENDS = 600  # characters at each end of the message before
LEAST_SAME = 3  # digits that two numbers share
ORDINARY = 40.0  # of a thousand texts; a word that stands in more names nothing
SETS_RIGHT = frozenset(("opening", "now", "nomore", "instead", "he"))
RULE = "correction.meant"
_DIGIT = re.compile(r"\d")
_SPACED = "[^\\W\u3040-\u9fff]"  # a letter or digit of a script whose words stand between blanks


class _Meant(NamedTuple):
    """A held statement, and the word of it that the correction is about."""

    content: str
    old: str


def meant(store: Store, draft: Draft, now: int) -> Draft | None:
    """Return the draft as it was meant; None if it only points at something that is not held."""
    before = f"{draft.after[:ENDS]} {draft.after[-ENDS:]}"
    said = _read(draft.content, before)
    sets_right = is_correction(draft.data) or not SETS_RIGHT.isdisjoint(said.flags)
    if len(said.words) > MOST_WORDS or not said.words or not sets_right:
        return draft
    news = [word for word in said.words if _carries(word) and word.prep != "instead"]
    named = {*words_in(before), *(word.said for word in said.words)}
    ids = [
        *found_by_words(store, draft.content, "")[:MOST_HELD],
        *found_by_words(store, before, "")[:MOST_HELD],
    ]
    held = _held(store, draft, ids, now)
    if says_untrue(said):
        return _untrue(draft, [text for text in held if _is_in(text, named)])
    found = {one for text in held for one in _fits(text, news, said, named)}
    value = [word for word in said.words if word.said != "be" and "he" not in word.classes]
    if not found and len(value) == 1 and not _DIGIT.search(before):
        found = _nearly(store, draft, value[0], now)
    if len(found) == 1:
        (one,) = found
        own = {word.said for word in read(one.content).words}
        new = next(word.said for word in news if word.said not in own)
        draft.content = _put(one.content, one.old, _as_written(draft.content, new))
        draft.data = {**draft.data, "rule": RULE}
        return draft
    return None if len(value) == 1 or _points(said) else draft


def _untrue(draft: Draft, held: Sequence[str]) -> Draft | None:
    """Return "that's no longer true" as said of the one statement that the message before says; None without one."""
    if len(held) != 1:
        return None
    draft.content = f"{held[0].rstrip('.。')}: {draft.content}"
    return draft


def _is_in(text: str, named: set[str]) -> bool:
    """Tell whether all words of a statement are named."""
    words = [word for word in read(text).words if word.said != "be" and word.sense != "i"]
    return all(word.said in named for word in words)


def _read(text: str, before: str) -> Statement:
    """Read a few words in their language, or in that of the talk: in the one that knows more of them."""
    spoken = language_as_written(text), language_as_written(f"{text} {before}")
    return min([read(text, one) for one in spoken], key=lambda said: len(said.words))


def _held(store: Store, draft: Draft, ids: Sequence[str], now: int) -> list[str]:
    """Read those of these statements that are of the same place."""
    place = {**draft.scope.owner(), "path_glob": draft.path_glob}
    rows = beside(store, place, dict.fromkeys(ids), most=2 * MOST_HELD, now=now)
    return [text for _, text, _, state in rows if state == "active"]


def _nearly(store: Store, draft: Draft, new: Word, now: int) -> set[_Meant]:
    """Find what is held of a number that differs in its last digit alone: nobody said what 8082 is of."""
    same = new.said[:-1]
    if not new.is_number or len(same) < LEAST_SAME:
        return set()
    (ids,) = having(store, [f'"{same}"*'], MOST_HELD)
    return {
        _Meant(text, word.said)
        for text in _held(store, draft, ids, now)
        for word in read(text).words
        if word.is_number and word.said[:-1] == same and word.said != new.said
    }


def _fits(text: str, news: Sequence[Word], said: Statement, named: set[str]) -> list[_Meant]:
    """Find the one word of a held statement that the message before names, and the new value could stand for."""
    held = read(text)
    own = {word.said for word in held.words}
    fresh = [word for word in news if word.said not in own]
    if len(fresh) != 1 or len(held.words) > 2 * MOST_WORDS:
        return []
    (new,) = fresh
    verb = held.verb()
    values = [word for word in held.words[verb + 1 :] if _carries(word)] or held.words[-1:]
    # "Our deploy tool is fabric": what the value is, the statement says itself.
    is_told = len(values) == 1 and "be" in held.words[min(verb, len(held.words) - 1)].classes
    is_told = is_told and not values[0].prep
    spoken = {word.said for word in said.words if word.prep != "instead"}
    of_it = new.is_number and any(word.said in spoken for word in held.words if _carries(word))
    olds = [
        word
        for word in values
        if (of_it or word.said in named)
        and word.said not in spoken
        and _is_of_a_kind(word, held, new, said, is_told)
    ]
    if len(olds) > 1:
        olds = [word for word in olds if per_thousand(word.said) < ORDINARY][-1:]
    if len(olds) != 1 or fold(text).lower().count(olds[0].said) != 1:
        return []
    shared = [word for word in held.words if word is not olds[0] and _carries(word)]
    is_of_it = any(word.said in named for word in shared)
    is_named = not new.is_number and per_thousand(olds[0].said) < ORDINARY
    return [_Meant(text, olds[0].said)] if is_of_it or is_named else []


def _is_of_a_kind(old: Word, held: Statement, new: Word, said: Statement, is_told: bool) -> bool:
    """Tell whether one value can stand for the other: number for number, place for place, a name for what is named.

    Nothing else may: of "she has all the guidebooks" nobody is to make "she lives in guidebooks".
    """
    if old.is_number or new.is_number:
        return old.is_number and new.is_number
    kinds = [
        _NAMES.intersection(words_of(one.language).sorts.get(word.said, ()))
        for word, one in ((old, held), (new, said))
    ]
    is_called = "name" in held.flags and "name" in said.flags
    if is_told and not kinds[0]:
        return bool(kinds[1]) or new.is_name or is_called
    return not kinds[0].isdisjoint(kinds[1])


_NAMES = frozenset(("tool", "place", "person", "time"))


def _carries(word: Word) -> bool:
    return not word.is_verb and "he" not in word.classes and word.sense != "i"


def _points(said: Statement) -> bool:
    is_said = 1 < said.verb() < len(said.words)
    return "he" in said.flags and not is_said and "he" in said.words[0].classes


def _as_written(text: str, word: str) -> str:
    at = fold(text).lower().find(word)
    return text[at : at + len(word)] if at >= 0 else word


def _put(text: str, old: str, new: str) -> str:
    """Put one value in the place of the other."""
    found = re.search(rf"(?<!{_SPACED}){re.escape(old)}(?!{_SPACED})", fold(text).lower())
    return text[: found.start()] + new + text[found.end() :] if found else text
