"""Hears what a person takes back: "forget what I said about pnpm" ends what is held of it, "forget that" the last.

Only a sentence that begins so, in so many words (`[taken back]` of a language's file): "don't forget …" and "forget
it, let's go on" take nothing back. What is named must be all in what is held, and in no more than a few statements.
"""

from __future__ import annotations

from functools import cache, lru_cache

from cogmem.language.clauses import fold, segments
from cogmem.language.languages import Words, language_of, words_of
from cogmem.language.table import part
from cogmem.language.telling import telling_apart
from cogmem.named import NamedTuple
from cogmem.records import json_list, json_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.hear.hearing import Hearing
    from cogmem.scope import Scope
    from cogmem.store.store import Store

LONGEST = 200  # characters of a sentence that takes something back
MOST = 3  # statements that one sentence takes back; what names more names none
SEARCHED = 50  # statements that are looked at for each word
# What may stand before: "ok, you can forget …".
LEADING = frozenset("you can please conj actually thanks eval".split())


class TakenBack(NamedTuple):
    """What a sentence takes back: the words that name it, none where it is what was said last; and its place."""

    words: frozenset[str]
    start: int
    end: int


@lru_cache(maxsize=16)  # what a message proposes asks, and then what it ends
def takes_back(text: str) -> tuple[TakenBack, ...]:
    """Return what a person's message takes back."""
    if len(text) > MOST * LONGEST:
        return ()
    low = fold(text).lower()
    words = words_of(language_of(low))
    if not _head(_squeezed(low, words), words)[1]:
        return ()  # as of most
    found = []
    clauses = segments(text)
    for clause in clauses:
        if clause.is_question or len(clause.text) > LONGEST:
            continue
        rest, is_alone = _behind(clause.plain.lower(), words)
        named = telling_apart(rest)
        if named or is_alone:
            found.append(TakenBack(named, clause.start, clause.end))
    return tuple(found)


def end_what_is(
    by: Hearing, taken: Sequence[TakenBack], message: int, scope: Scope, at: int
) -> None:
    """End what a message of that instant takes back."""
    for one in taken:
        uids = _named(by.store, one.words, scope, at) if one.words else _last(by.store, message)
        by.write(*[("learn.close", {"uid": uid, "ends": by.now, "successor": ""}) for uid in uids])


def _behind(plain: str, words: Words) -> tuple[str, bool]:
    """Return what stands behind the words by which a sentence takes back, and whether they are all it says."""
    phrases = _phrases(words.language)
    gap = "" if words.unspaced else " "
    said = _squeezed(plain, words)
    at, head = _head(said, words)
    if not head:
        return "", False
    before = words.tokens(said[:at])
    if words.unspaced:
        is_first = not before or _DENYING.isdisjoint(words.sorts.get(before[-1], ()))
    else:
        is_first = all(not LEADING.isdisjoint(words.sorts.get(one, ())) for one in before)
    if not is_first:
        return "", False
    rest = f"{said[:at] if words.unspaced else ''}{gap}{said[at + len(gap) + len(head) :]}"
    for end in phrases["behind"]:
        rest = rest.replace(f"{gap}{end}{gap}", gap)
    return rest, head in phrases["alone"] and not rest.strip()


def _squeezed(plain: str, words: Words) -> str:
    """Return the words of a text with one blank around each, where its script has blanks."""
    gap = "" if words.unspaced else " "
    return gap + words.joined([token for token in words.tokens(plain) if token[0].isalnum()]) + gap


def _head(said: str, words: Words) -> tuple[int, str]:
    """Return the longest of the words by which a text takes back, and where they stand; '' where none do."""
    phrases = _phrases(words.language)
    gap = "" if words.unspaced else " "
    heads = [head for head in phrases["about"] + phrases["alone"] if f"{gap}{head}{gap}" in said]
    head = max(heads, key=len, default="")
    return said.find(f"{gap}{head}{gap}"), head


@cache
def _phrases(language: str) -> dict[str, tuple[str, ...]]:
    """Return the words by which a language takes back, as its file has them."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys(("about", "alone", "behind"), ())
    for line in part(language, "taken back"):
        name, _, phrases = line.partition(":")
        found[name] = tuple([" ".join(one.split()) for one in fold(phrases).lower().split(",")])
    return found


def _named(store: Store, words: frozenset[str], scope: Scope, at: int) -> list[str]:
    """Find what is held and has all these words; nothing where that is much."""
    matches = json_list([f'"{word}"*' for word in sorted(words)])
    rows = store.db.read("learn.having", {"matches": matches, "limit": SEARCHED})
    ids = {int(number) for (listed,) in rows for number in (listed or "").split()}
    held = store.db.read("said.held", {**scope.place(), "ids": json_numbers(ids), "before": at})
    found = [uid for uid, content in held if words <= telling_apart(content)]
    return found if len(found) <= MOST else []


def _last(store: Store, message: int) -> list[str]:
    """Find what the person's message before this one taught."""
    return [row[0] for row in store.db.read("said.taught_before", {"message": message})]


_DENYING = frozenset(("not", "dont", "never"))
