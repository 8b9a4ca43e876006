"""A message taken apart into the clauses that a person wrote in their own words.

People paste: code, logs, stack traces, diffs, tables, mails, quotations. None of that is theirs,
and a rule that reads it learns nonsense. `segments` walks the lines once, leaves out what is pasted
and cuts the rest into clauses: a sentence, a list item, a part between semicolons.

A clause knows its place in the message, its text as it would be stored, and `plain`: the same
stretch made ready for matching. There accents are dropped, quotation marks straightened, and URLs,
quotations and inline code of more than one word blanked out with `x`; a single identifier in
backticks or quotes (`uv`, "utilize") stays, as it is part of the sentence. `plain` is as long as
the stretch itself, so an offset in one is an offset in the other.

Reading is bounded: of a very long message only both ends are read, since people write around what
they paste, and reading stops once there is more prose than anybody types.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

PROSE_LIMIT = 8_000  # characters of prose after which reading stops
FEW_CHANGED = 24  # different characters of a text that fold one by one
_WRAPPED_AT = 40  # a line shorter than this was not broken by an editor


class Clause(NamedTuple):
    """One clause; start and end count characters of the message."""

    text: str
    start: int
    end: int
    plain: str
    is_question: bool


_BULLET = r"^\s*(?:[-*+•–]|\d+[.)]|[a-z]\)|\[[ x]\])\s+(?:\[[ x]\]\s+)?"
_INLINE = (
    r"`[^`]+`|\"[^\"]+\"|(?:https?://|www\.)[^\s<>\"']*[^\s<>\"'.,;:!?)]"
    r"|(?:^|[\s(:])'[^']+'(?:[\s.,;:!?)]|$)|<[^<>]+>"
    r"|\[(?:image|photo|picture|file|attachment|video|audio|link)\b[^\]]*\]"
)
_CLOSERS = frozenset(".!?…;\"')]*_")
_INLINE_MARKS = ("`", '"', "'", "<", "[", "://", "www.", "WWW.")
_IDENTIFIER = r"^[`\"'\s(:]*[\w./@+\-]+[`\"'\s.,;:!?)]*$"

_ABBREVIATED = frozenset(
    ("e.g", "i.e", "vs", "dr", "prof", "mr", "mrs", "ms", "nr", "approx", "ca", "cf", "fig", "eq")
)
# A word that only makes sense with what follows: "No. The port is 8081."
_BARE = frozenset(
    ("no", "nope", "nein", "non", "wrong", "incorrect", "actually", "correction", "that's wrong")
)
_STRAIGHT = dict(zip("‘’‚“”„«»–—ßøØłŁıđ\n\r\t\u00a0", '\'\'\'"""""--soOlLid    ', strict=True))
_STRAIGHT |= dict(zip("「」『』：！", '"""":!', strict=True))


def regex(pattern: str) -> Any:
    """Compile a re2 pattern that minds no case. Matching takes linear time, whatever it says."""
    import re2  # type: ignore[import-untyped]

    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    return re2.compile(pattern, options)


@cache
def _bullet() -> Any:
    return regex(_BULLET)


@cache
def _inline_patterns() -> tuple[Any, Any]:
    return regex(_INLINE), regex(_IDENTIFIER)


@cache
def _fold_character(character: str) -> str:
    if straight := _STRAIGHT.get(character):
        return straight
    base = unicodedata.normalize("NFD", character)[0]
    return base if base.isalpha() else character


def fold(text: str) -> str:
    """Drop accents and straighten quotation marks; every character stays one character."""
    if text.isascii():
        return text.replace("\n", " ").replace("\r", " ").replace("\t", " ")
    changed = [c for c in set(text) if not " " <= c < "\x7f" and _fold_character(c) != c]
    if len(changed) > FEW_CHANGED:
        return "".join([c if " " <= c < "\x7f" else _fold_character(c) for c in text])
    for character in changed:  # a search for each is quicker than a look at every letter
        text = text.replace(character, _fold_character(character))
    return text


def readable(text: str) -> str:
    """Replace lone surrogates, which neither re2 nor SQLite takes, each by one character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(["\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text])
    return text


def segments(text: str) -> list[Clause]:
    """Return the clauses of a message that are worth reading, in order."""
    text = readable(text)
    clauses: list[Clause] = []
    size = 0
    for start, end in _stretches(text):
        clauses += _clauses(text, start, min(end, start + PROSE_LIMIT))
        size += max(end - start, 20)  # so that a thousand empty list items are bounded, too
        if size > PROSE_LIMIT:
            break
    return clauses


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Join the lines of hard-wrapped sentences; any other line stands alone."""
    held_start = held_end = -1
    for start, end, is_item in _own_lines(text):
        if (
            held_end - held_start >= _WRAPPED_AT
            and not is_item
            and text[start].islower()
            and text[held_end - 1] not in ".!?:;"
            and text.count("\n", held_end, start) == 1
        ):
            held_end = end
            continue
        if held_start >= 0:
            yield held_start, held_end
        held_start, held_end = start, end
    if held_start >= 0:
        yield held_start, held_end


def _own_lines(text: str) -> Iterator[tuple[int, int, bool]]:
    """Give the lines that the person typed, and whether each is a list item."""
    from cogmem.language.typed import LEAST, judged

    bullet = _bullet()
    for line, chance in judged(text):
        if chance < LEAST:
            continue
        bare = text[line.start : line.end]
        item = bullet.search(bare) if "item" in line.figures or "[" in bare[:3] else None
        start = line.start + (item.end() if item else len(bare) - len(bare.lstrip()))
        end = line.start + len(bare.rstrip())
        if start < end:
            yield start, end, item is not None


def _clauses(text: str, start: int, end: int) -> Iterator[Clause]:
    plain = _mask(fold(text[start:end]))
    at = 0
    for stop, after in _ends(plain):
        if plain[stop] == "." and (
            _is_abbreviated(plain[at:stop])
            or _is_ordinal(plain[at:stop], plain[after : after + 12])
        ):
            continue
        if stop - at < 20 and plain[at:stop].strip(" -").lower() in _BARE:
            continue
        if clause := _clause(
            text, plain, start, at, stop, "?" in plain[stop:after] or plain[stop] == "？"
        ):
            yield clause
        at = after
    if clause := _clause(text, plain, start, at, len(plain), False):
        yield clause


def _ends(plain: str) -> Iterator[tuple[int, int]]:
    """Give where sentences end and where what closes them ends: points, quotes, brackets."""
    last = -1
    # A search per mark is several times faster here than one pattern that finds any of them.
    for stop in sorted([at for mark in _ENDS if mark in plain for at in _places(plain, mark)]):
        if stop < last:
            continue
        last = stop + 1
        if plain[stop] in "。？；":
            yield stop, last
            continue
        while last < len(plain) and plain[last] in _CLOSERS:
            last += 1
        if last == len(plain) or plain[last] == " ":
            yield stop, last


_ENDS = ".!?;…。？；"


def _places(plain: str, mark: str) -> Iterator[int]:
    at = plain.find(mark)
    while at >= 0:
        yield at
        at = plain.find(mark, at + 1)


def _clause(
    text: str, plain: str, offset: int, at: int, stop: int, is_question: bool
) -> Clause | None:
    body = plain[at:stop]
    first = at + len(body) - len(body.lstrip(" -"))
    last = at + len(body.rstrip(" .!?;,。？；，、"))
    if last - first < 2:
        return None
    start, end = offset + first, offset + last
    return Clause(own_words(text, start, end), start, end, plain[first:last], is_question)


def own_words(text: str, start: int, end: int) -> str:
    """Return a stretch of a message as it is stored: on one line, without marks of emphasis."""
    words = text[start:end].replace("**", "").strip()
    return " ".join(words.split()) if "\n" in words else words


def _mask(plain: str) -> str:
    if "**" in plain:
        plain = plain.replace("**", "  ")
    if not any(mark in plain for mark in _INLINE_MARKS):
        return plain
    inline, identifier = _inline_patterns()
    pieces: list[str] = []
    at = 0
    for found in inline.finditer(plain):
        start, end = found.span()
        whole = plain[start:end]
        if "://" in whole or not identifier.search(whole):
            pieces += (plain[at:start], "x" * (end - start))
            at = end
    return "".join(pieces) + plain[at:] if pieces else plain


def _is_abbreviated(sentence: str) -> bool:
    """Tell whether the point after this belongs to its last word."""
    last = sentence[-8:].rsplit(None, 1)[-1:]
    word = last[0].strip("(\"'").lower() if last else ""
    return word in _ABBREVIATED or (len(word) == 1 and word.isalpha())


def _is_ordinal(sentence: str, rest: str) -> bool:
    """Tell whether the point makes a number the day of the month behind it: "am 30. September"."""
    if not sentence[-1:].isdigit():
        return False
    number, month = sentence[-3:].rsplit(None, 1)[-1], rest.split(None, 1)[:1]
    return number.isdigit() and month != [] and month[0].lower().rstrip(",.") in _months()


@cache
def _months() -> frozenset[str]:
    """Return the months of the language that writes a day so."""
    from cogmem.language.table import words_of_days

    days = words_of_days("de")
    return frozenset(
        [fold(word) for name in days if name.startswith("month-") for word in days[name]]
    )
