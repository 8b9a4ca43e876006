"""What a prompt asks memory for.

A prompt becomes a cue: terms for the full-text index, the days it speaks of, and the names in it.
Every term is quoted, so no prompt is a syntax error of FTS5. A term lists the word as written, its
irregular forms (went, go) and, apart, words of kindred meaning that count less (kid, child).
Identifiers and paths are kept whole, as a phrase, and are also split into their parts.
Scripts without spaces are cut into pairs of characters; `cjk_text` does the same at write.

A pasted log must not cost time: of a long prompt only the head and the tail are read.
The stemming is the index's own (porter), so nothing here stems.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from unicodedata import category

from cogmem import cue_words as known
from cogmem.errors import InvalidInput

HEAD = TAIL = 1_500  # characters read at either end of a long prompt
MAX_TERMS = 48
MAX_EXPANDED = 16  # terms that get other forms and kindred words; more would drown the prompt
MAX_PARTS = 6  # of one identifier or path
MAX_WORD = 64  # longer runs are base64 and the like


class Term:
    """One thing to look for: `forms` are equal spellings, `kin` are kindred words."""

    __slots__ = ("forms", "kin")

    def __init__(self, forms: tuple[str, ...], kin: tuple[str, ...] = ()) -> None:
        self.forms = forms
        self.kin = kin

    @property
    def match(self) -> str:
        """The FTS5 query of the word and its forms."""
        return any_of(self.forms)

    @property
    def kin_match(self) -> str:
        """The FTS5 query of the kindred words; empty if there are none."""
        return any_of(self.kin)

    def __repr__(self) -> str:
        return f"Term({self.forms!r}, {self.kin!r})"


class Cue:
    """A prompt, read. `spans` are half-open ranges of milliseconds UTC."""

    __slots__ = ("names", "spans", "terms")

    def __init__(
        self,
        terms: tuple[Term, ...] = (),
        spans: tuple[tuple[int, int], ...] = (),
        names: tuple[str, ...] = (),
    ) -> None:
        self.terms = terms
        self.spans = spans
        self.names = names

    @property
    def match(self) -> str:
        """One FTS5 query of all terms, for callers that want no more than that."""
        return " OR ".join(term.match for term in self.terms)

    def __bool__(self) -> bool:
        return bool(self.terms or self.spans)

    def __repr__(self) -> str:
        return f"Cue({self.terms!r}, {self.spans!r}, {self.names!r})"


def any_of(words: tuple[str, ...]) -> str:
    """An FTS5 query that any of the words, or phrases, satisfies."""
    return " OR ".join(
        # A lone CJK character is asked for as the beginning of a pair.
        '"' + word.replace('"', '""') + ('"*' if len(word) == 1 and _is_cjk(word) else '"')
        for word in words
    )


def read_cue(
    text: str, now: datetime | None = None, stop_words: frozenset[str] = frozenset()
) -> Cue:
    """Read a prompt. `now` (aware) dates it; `stop_words` are added to the English ones."""
    if now is not None and now.tzinfo is None:
        raise InvalidInput("`now` has no time zone: pass an aware datetime")
    head, tail = _ends(text)
    spans: list[tuple[date, date]] = []
    dated: set[str] = set()
    if now is not None:
        for chunks in (head, tail):
            found, used = _dates([_bare(chunk).lower() for chunk in chunks], now.date())
            spans += found
            dated |= used
    names: dict[str, None] = {}
    seen: set[str] = set()
    terms: list[Term] = []
    tail.reverse()
    for chunks, limit in ((head, MAX_TERMS // 2 if tail else MAX_TERMS), (tail, MAX_TERMS)):
        for word in (word for chunk in chunks for word in _words(chunk)):
            if len(terms) >= limit:
                break
            folded = word.lower()
            if folded in seen or folded in dated:
                continue
            seen.add(folded)
            if folded in known.ENGLISH or folded in stop_words:
                continue
            if word[0].isupper() and " " not in word:
                names[folded] = None
            if len(terms) < MAX_EXPANDED and folded.isalpha():
                forms, kin = known.expand(folded)
                seen.update(forms)
                terms.append(Term(forms, kin))
            else:
                terms.append(Term((folded,)))
    if not names and text[:HEAD].islower():  # someone who writes no capitals still names people
        names = dict.fromkeys(term.forms[0] for term in terms if " " not in term.forms[0])
    instants = [_instants(first, last, now) for first, last in spans] if now else []
    return Cue(tuple(terms), tuple(dict.fromkeys(instants)), tuple(names))


def cjk_text(text: str) -> str:
    """What the index must hold beside a text with CJK in it; empty if there is none.

    Every run becomes pairs of characters, and each character begins a token (the last one of a
    run stands alone), so that a query of one character can be answered by a prefix search.
    Words of other scripts that touch a run, with no blank between, are set free.
    """
    if text.isascii() or max(text) < "\u1100":
        return ""
    tokens: list[str] = []
    for chunk in text.split():
        runs = _cjk_runs(chunk)
        if runs:
            tokens += (pair for run in runs for pair in _pairs(run, alone=True))
            rest = "".join([c if c.isalnum() and not _is_cjk(c) else " " for c in chunk])
            tokens += rest.split()
    return " ".join(tokens)


# -- words -----------------------------------------------------------------------------------


def _ends(text: str) -> tuple[list[str], list[str]]:
    """The first and the last words of a text; the second list is empty if it is short."""
    if len(text) <= HEAD + TAIL:
        chunks = text.split()
        if len(chunks) <= MAX_TERMS:
            return chunks, []
        return chunks[: len(chunks) // 2], chunks[len(chunks) // 2 :]
    head, tail = text[:HEAD].split(), text[-TAIL:].split()
    # The word that a cut goes through is no word, unless it is all there is.
    if len(head) > 1 and not (text[HEAD - 1].isspace() or text[HEAD].isspace()):
        head.pop()
    if len(tail) > 1 and not (text[-TAIL - 1].isspace() or text[-TAIL].isspace()):
        del tail[0]
    return head, tail


def _bare(chunk: str) -> str:
    return chunk.strip(_EDGES)


def _words(chunk: str) -> list[str]:
    """The searchable words of a run of text without blanks; identifiers whole first."""
    chunk = _bare(chunk)
    if not chunk.isascii():
        chunk = chunk[: 4 * MAX_WORD]  # a text without blanks is one chunk
        if max(chunk, default="") >= "\u1100" and (runs := _cjk_runs(chunk)):
            pairs = [pair for run in runs for pair in _pairs(run, alone=len(run) == 1)]
            # Japanese endings in hiragana are as common as English stop words.
            telling = [pair for pair in pairs if any(not "ぁ" <= c <= "ゟ" for c in pair)] or pairs
            rest = "".join(" " if _is_cjk(c) else c for c in chunk)
            return telling + [word for part in rest.split() for word in _words(part)]
        chunk = chunk.replace("’", "'")
    if not chunk or len(chunk) > 4 * MAX_WORD:
        return []
    if chunk.isalnum():
        return _camel(chunk) if len(chunk) <= MAX_WORD else []
    if "'" in chunk:
        stem, _, ending = chunk.rpartition("'")
        if ending.lower() in known.CONTRACTED:
            return _words(stem)
    if chunk.isascii():
        parts = chunk.translate(_BLANK_PUNCTUATION).split()
    else:
        parts = "".join(c if c.isalnum() or category(c)[0] == "M" else " " for c in chunk).split()
    parts = [part for part in parts if len(part) <= MAX_WORD][:MAX_PARTS]
    if not parts:
        return []
    joined = not _JOINTS.isdisjoint(chunk) or ("-" in chunk and any(p.isdigit() for p in parts))
    words = [" ".join(parts)] if joined and len(parts) > 1 else []
    for part in parts:
        if len(part) > 1 or not words:
            words += _camel(part)
    return words


def _camel(word: str) -> list[str]:
    """`HTTPServer` → itself, HTTP, Server."""
    if word.islower() or word.isupper() or word[1:].islower() or not word.isascii():
        return [word]
    parts: list[str] = []
    start = 0
    for i in range(1, len(word)):
        begins = word[i].isupper() and (
            not word[i - 1].isupper() or (i + 1 < len(word) and word[i + 1].islower())
        )
        if begins:
            parts.append(word[start:i])
            start = i
    parts.append(word[start:])
    if len(parts) == 1:
        return [word]
    return [word] + [part for part in parts[:MAX_PARTS] if len(part) > 1]


def _is_cjk(c: str) -> bool:
    if c < "\u1100":
        return False
    return (
        "\u4e00" <= c <= "\u9fff"  # Han
        or "\u3040" <= c <= "\u30ff"  # kana
        or "\uac00" <= c <= "\ud7a3"  # Hangul
        or "\u3400" <= c <= "\u4dbf"
        or c <= "\u11ff"
        or "\u3005" <= c <= "\u3007"
        or "\u3105" <= c <= "\u312f"
        or "\u31f0" <= c <= "\u31ff"
        or "\uf900" <= c <= "\ufaff"
        or "\uff66" <= c <= "\uff9d"
        or "\U00020000" <= c <= "\U0003134f"
    )


def _cjk_runs(text: str) -> list[str]:
    return "".join([c if _is_cjk(c) else " " for c in text]).split()


def _pairs(run: str, alone: bool) -> list[str]:
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    return [*pairs, run[-1]] if alone else pairs


# -- days ------------------------------------------------------------------------------------


def _dates(words: list[str], today: date) -> tuple[list[tuple[date, date]], set[str]]:
    """The days a text names, first and last inclusive, and the words that named them."""
    found: list[tuple[date, date]] = []
    used: set[str] = set()
    i = 0
    while i < len(words):
        if words[i] not in known.OPENERS and not words[i][:1].isdecimal():
            i += 1
            continue
        for length in range(min(4, len(words) - i), 0, -1):
            group = words[i : i + length]
            before = words[i - 1] if i else ""
            span = _written(group, before, today) or _relative(group, today)
            if span:
                found.append(span)
                used.update(group)
                i += length - 1
                break
        i += 1
    return found, used - set(known.COUNTED)


def _written(group: list[str], before: str, today: date) -> tuple[date, date] | None:
    """2024-03-15 · 2024-03 · 7 May 2023 · May 7th, 2023 · May 2023 · in May · in 2022"""
    if len(group) == 1:
        word = group[0]
        if word[:4].isdigit() and word[4:5] == "-":
            parts = word[:10].split("-")
            if len(parts) == 2 or (len(parts) == 3 and parts[2].isdigit()):
                return _day_or_month(parts[0], parts[1], parts[2] if len(parts) == 3 else "")
        if word in known.MONTHS and before in known.BEFORE_MONTH:
            month = known.MONTHS[word]
            return _month(today.year - (month > today.month), month)
        is_year = len(word) == 4 and word.isdigit() and word[:2] in known.CENTURIES
        if is_year and before in known.BEFORE_YEAR:
            return date(int(word), 1, 1), date(int(word), 12, 31)
        return None
    parts = [word for word in group if word != "of"]
    if len(group) > 3 and len(parts) == len(group):
        return None
    months = [word for word in parts if word in known.MONTHS]
    others = [word for word in parts if word not in known.MONTHS]
    if len(months) != 1 or not others or (parts[-1] in known.MONTHS and len(others) != 1):
        return None
    month = known.MONTHS[months[0]]
    last = others[-1]
    year = int(last) if len(last) == 4 and last.isascii() and last.isdecimal() else 0
    if year and len(others) == 1:
        return _month(year, month) if parts[0] in known.MONTHS else None
    day = known.ordinal(others[0])
    if not day or len(others) > (2 if year else 1):
        return None
    if year:
        return _day(year, month, day)
    # A day without a year is the last one that has been.
    this = _day(today.year, month, day)
    return this if this and this[0] <= today else _day(today.year - 1, month, day)


def _relative(group: list[str], today: date) -> tuple[date, date] | None:
    """yesterday · last week · this month · on Friday · two weeks ago · the past ten days"""
    one = timedelta(days=1)
    phrase = " ".join(group)
    if phrase in known.DAYS_BACK:
        day = today - one * known.DAYS_BACK[phrase]
        return day, day
    if len(group) == 2:
        which, unit = group
        if which in ("last", "past", "previous", "this"):
            return _period(unit, 0 if which == "this" else 1, today)
        if which == "on" and unit.rstrip("s") in known.WEEKDAYS:
            return _period(unit.rstrip("s"), 1, today)
        return None
    if len(group) != 3:
        return None
    first, second, third = group
    days = known.UNIT_DAYS.get((second if third == "ago" else third).rstrip("s"), 0)
    length = days * known.count(first if third == "ago" else second)
    length = min(length, today.toordinal() - 1)
    if third == "ago" and length:
        # "Three weeks ago" is said of days near that one.
        middle = today - one * length
        slack = one * min(days // 2, middle.toordinal() - 1)
        return middle - slack, min(middle + slack, today)
    if first in ("last", "past") and length:
        return today - one * length, today
    return None


def _period(unit: str, back: int, today: date) -> tuple[date, date] | None:
    one = timedelta(days=1)
    if unit in ("night", "evening", "morning", "afternoon"):
        return today - one * back, today - one * back
    if unit in known.WEEKDAYS:
        since = (today.weekday() - known.WEEKDAYS[unit]) % 7 or 7 * back
        return today - one * since, today - one * since
    monday = today - one * today.weekday()
    if unit == "week":
        return monday - one * 7 * back, monday + one * (6 - 7 * back)
    if unit == "weekend":
        saturday = monday + one * (5 - 7 * back)
        return saturday, saturday + one
    if unit == "month":
        return _month(today.year - (today.month == back), (today.month - back) or 12)
    if unit == "year":
        return date(today.year - back, 1, 1), date(today.year - back, 12, 31)
    if unit in known.MONTHS:
        month = known.MONTHS[unit]
        return _month(today.year - (month > today.month or (back and month == today.month)), month)
    return None


def _day_or_month(year: str, month: str, day: str) -> tuple[date, date] | None:
    if not (month.isdigit() and 1 <= int(month) <= 12 and int(year)):
        return None
    return _day(int(year), int(month), int(day)) if day else _month(int(year), int(month))


def _day(year: int, month: int, day: int) -> tuple[date, date] | None:
    try:
        return (date(year, month, day),) * 2
    except ValueError:
        return None


def _month(year: int, month: int) -> tuple[date, date]:
    first = date(max(year, 1), month, 1)
    later = date(first.year, 12, 31) if month == 12 else date(first.year, month + 1, 1)
    return first, later if month == 12 else later - timedelta(days=1)


def _instants(first: date, last: date, now: datetime) -> tuple[int, int]:
    """From the first midnight to the end of the last day, in the zone of `now`."""
    start = datetime.combine(first, time.min, now.tzinfo)
    end = datetime.combine(last, time.max, now.tzinfo)
    return (start - _EPOCH) // _MS, (end - _EPOCH) // _MS + 1


# -- data ------------------------------------------------------------------------------------

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)
_EDGES = "\"'`.,;:!?()[]{}<>*~|=+…“”‘’«»„、。，！？；：（）「」『』【】《》·—–-#/\\"
_BLANK_PUNCTUATION = {i: " " for i in range(128) if not chr(i).isalnum()}
_JOINTS = frozenset("_./\\:@#+")
