"""What a prompt asks memory for.

A prompt becomes a cue: terms for the full-text index, the days it speaks of, and the names in it.
Every term is quoted, so no prompt is a syntax error of FTS5. A term lists the word as written, its
irregular forms (went, go) and, apart, words of kindred meaning that count less (kid, child).
Identifiers and paths are kept whole, as a phrase, and are also split into their parts.
Scripts without spaces are cut into pairs of characters; `index_words` does so at write, the index in a message.

A pasted log must not cost time: of a long prompt only the head and the tail are read.
The stemming is the index's own (porter), so nothing here stems.
"""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.language import cjk
from cogmem.language import words as known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

HEAD = TAIL = 1_500  # characters read at either end of a long prompt
MAX_TERMS = 48
MAX_EXPANDED = 16  # terms that get other forms and kindred words; more would drown the prompt
MAX_PARTS = 6  # of one identifier or path
MOST_PARTS = 200  # of all identifiers in a text
PAIRED = 1 << 18  # characters of a message of which the index makes pairs
MAX_WORD = 64  # longer runs are base64 and the like


class Term:
    """One thing to look for: `forms` are equal spellings, `match` their FTS5 query, `kin` are kindred words."""

    __slots__ = ("forms", "kin", "match")

    def __init__(self, forms: tuple[str, ...], kin: tuple[str, ...] = ()) -> None:
        self.forms = forms
        self.kin = kin
        self.match = any_of(forms)

    def __repr__(self) -> str:
        return f"Term({self.forms!r}, {self.kin!r})"


class Cue:
    """A prompt, read. `spans` are half-open ranges of milliseconds UTC; `calendar` has the words that
    named them, for memories: what was said on a Wednesday need not have the word, what is so does."""

    __slots__ = ("calendar", "forms", "is_english", "names", "spans", "terms")

    def __init__(
        self,
        terms: tuple[Term, ...] = (),
        spans: tuple[tuple[int, int], ...] = (),
        names: tuple[str, ...] = (),
        calendar: tuple[Term, ...] = (),
        is_english: bool = False,
    ) -> None:
        self.terms = terms
        self.forms = frozenset([form for term in terms for form in term.forms])
        self.spans = spans
        self.names = names
        self.calendar = calendar
        self.is_english = (
            is_english  # it has words that no other language has; else nothing is known
        )

    @property
    def match(self) -> str:
        """One FTS5 query of all terms, for callers that want no more than that."""
        return " OR ".join(term.match for term in self.terms)

    def __bool__(self) -> bool:
        return bool(self.terms or self.spans)

    def __repr__(self) -> str:
        return f"Cue({self.terms!r}, {self.spans!r}, {self.names!r})"


def any_of(words: tuple[str, ...]) -> str:
    """Return an FTS5 query that any of the words, or phrases, satisfies."""
    joined = '"' + '" OR "'.join(words) + '"'
    if joined.isascii() and joined.count('"') == 2 * len(words):
        return joined
    # A lone CJK character is asked for as the beginning of a pair.
    alone = [word for word in words if len(word) == 1 and cjk.is_cjk(word)]
    quoted = ['"' + word.replace('"', '""') + '"' for word in words]
    if alone:
        quoted = [
            f"{one}*" if word in alone else one for one, word in zip(quoted, words, strict=True)
        ]
    return " OR ".join(quoted)


def in_halves(queries: list[str]) -> list[str]:
    """Return FTS5 queries for common terms, which say something only together: of one half and of the other, parted
    twice."""
    found = []
    for bit in (1, 2):
        halves: tuple[list[str], list[str]] = ([], [])
        for number, query in enumerate(queries):
            halves[bool(number & bit)].append(query)
        if halves[1]:
            found.append(f"({' OR '.join(halves[0])}) AND ({' OR '.join(halves[1])})")
    return found


def read_cue(
    text: str, now: datetime | int | None = None, stop_words: frozenset[str] = frozenset()
) -> Cue:
    """Read a prompt. `now`, aware or in ms UTC, dates it; `stop_words` are added to the English ones."""
    if not (now is None or isinstance(now, int)) and now.tzinfo is None:
        raise InvalidInput("`now` has no time zone: pass an aware datetime")
    head, tail = _ends(text)
    spans: tuple[tuple[int, int], ...] = ()
    dated: set[str] = set()
    calendar: tuple[Term, ...] = ()
    head, tail = [chunk.strip(_EDGES) for chunk in head], [chunk.strip(_EDGES) for chunk in tail]
    if now is not None:
        passages = [[chunk.lower() for chunk in chunks] for chunks in (head, tail)]
        if any(map(known.is_of_time, passages)):
            from cogmem.language.days import days, in_calendar

            spans, dated = days(passages, now)
            calendar = tuple(Term((one,)) for word in in_calendar(dated) for one in _words(word))
            written = sorted((one for one in dated if not one.isascii()), key=len, reverse=True)
            if written:  # in a script without spaces a date is part of a chunk
                head, tail = _without(head, written), _without(tail, written)
    names: dict[str, None] = {}
    seen: set[str] = set()
    terms: list[Term] = []
    tail.reverse()
    for chunks, limit in ((head, MAX_TERMS // 2 if tail else MAX_TERMS), (tail, MAX_TERMS)):
        words: list[str] = []
        for chunk in chunks:
            if (
                chunk[1:].islower()
                and chunk.isalnum()
                and chunk.isascii()
                and len(chunk) <= MAX_WORD
            ):
                words.append(chunk)  # as most are
            else:
                words += _words(chunk)
        for word in words:
            folded = word.lower()
            if folded in seen or folded in known.ENGLISH or folded in dated:
                continue
            if len(terms) >= limit:
                break
            seen.add(folded)
            if folded in stop_words:
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
    english = not known.ENGLISH_ALONE.isdisjoint([chunk.lower() for chunk in (*head, *tail)])
    return Cue(tuple(terms), spans, tuple(names), calendar, english)


def cjk_text(text: str) -> str:
    """Return what the index must hold beside a text with CJK in it; empty if there is none.

    Every run becomes pairs of characters, and each character begins a token (the last one of a
    run stands alone), so that a query of one character can be answered by a prefix search.
    Words of other scripts that touch a run, with no blank between, are set free.
    """
    if not cjk.has_any(text):
        return ""
    tokens: list[str] = []
    for chunk in text.split():
        runs = cjk.runs(chunk)
        if runs:
            tokens += (pair for run in runs for pair in cjk.pairs(run, alone=True))
            rest = "".join([c if c.isalnum() and not cjk.is_cjk(c) else " " for c in chunk])
            tokens += rest.split()
    return " ".join(tokens)


def index_words(text: str) -> str:
    """Return what the index must hold beside a text: pairs of characters, and the parts of identifiers.

    So "chat pane" finds `ChatPane`, which the index has as one word.
    """
    return " ".join(filter(None, (cjk_text(text), _identifier_parts(text))))


def message_words(text: str) -> str:
    """Return the same for a message, of which the index itself makes pairs; of one longer than a book only here."""
    others = "".join([" " if cjk.is_cjk(c) else c for c in text]) if cjk.has_any(text) else text
    return " ".join(filter(None, (cjk_text(text[PAIRED - 1 :]), _identifier_parts(others))))


def _identifier_parts(text: str) -> str:
    parts: dict[str, None] = {}
    read: set[str] = set()
    data = text.encode(errors="surrogatepass")
    # A part begins at a capital behind another sign, or before a small letter: few runs of a text have one.
    shape = data.translate(_SHAPE).replace(b"AAa", b"aAa")
    hump = shape.find(b"aA")
    while hump >= 0 and len(parts) <= MOST_PARTS:
        end = shape.find(b" ", hump) % (len(shape) + 1)
        run = data[shape.rfind(b" ", 0, hump) + 1 : end].decode(errors="surrogatepass")
        for chunk in run.split():
            if chunk[1:].isupper():
                continue
            for word in chunk.translate(_BLANK_PUNCTUATION).split():
                if word not in read:  # code names few things, again and again
                    read.add(word)
                    if len(word) <= MAX_WORD and not word.isupper():
                        parts.update(dict.fromkeys(_camel(word)[1:]))
            if len(parts) > MOST_PARTS:
                break
        hump = shape.find(b"aA", end)
    return " ".join(parts)


def says_only(text: str, cue: Cue) -> bool:
    """Tell whether a text has no word of its own beside those of a cue and those that say nothing."""
    chunks = text.split()
    forms, plain = cue.forms, known.ENGLISH
    chunks.sort(key=len, reverse=True)  # mostly the longest is one of its own
    for chunk in chunks:
        word = chunk.strip(_EDGES)
        low = word.lower()
        if word.isalpha() and word.isascii():
            if low in forms or low in plain:
                continue  # as most do
            if word[1:].islower():
                return False
        # A part of "camelCase" may be nowhere.
        for part in _words(word):
            low = part.lower()
            if low not in forms and low not in plain:
                return False
    return True


# -- words -----------------------------------------------------------------------------------


def _ends(text: str) -> tuple[list[str], list[str]]:
    """Return the first and the last words of a text; the second list is empty if it is short."""
    if len(text) <= HEAD + TAIL:
        chunks = text.split()
        if len(chunks) <= MAX_TERMS:
            return chunks, []
        return chunks[: len(chunks) // 2], chunks[len(chunks) // 2 :]
    head, tail = text[:HEAD].split(), text[-TAIL:].split()
    # The word that a cut goes through is not a word, unless it is all there is.
    if len(head) > 1 and not (text[HEAD - 1].isspace() or text[HEAD].isspace()):
        head.pop()
    if len(tail) > 1 and not (text[-TAIL - 1].isspace() or text[-TAIL].isspace()):
        del tail[0]
    return head, tail


def _without(chunks: list[str], phrases: list[str]) -> list[str]:
    for phrase in phrases:
        chunks = [chunk.replace(phrase, " ") for chunk in chunks]
    return chunks


def _bare(chunk: str) -> str:
    return chunk.strip(_EDGES)


def _is_plain(chunk: str) -> bool:
    """Tell whether it is one word as it stands, as most are."""
    return chunk[1:].islower() and chunk.isalnum() and chunk.isascii() and len(chunk) <= MAX_WORD


def _words(chunk: str) -> list[str]:
    """Return the searchable words of a run of text without blanks; identifiers whole first."""
    if _is_plain(chunk):
        return [chunk]
    if not chunk.isascii():
        chunk = chunk[: 4 * MAX_WORD]  # a text without blanks is one chunk
        if max(chunk, default="") >= "\u0e00" and (runs := cjk.runs(chunk)):
            telling = [pair for run in runs for pair in cjk.telling_pairs(run)]
            telling = telling or [p for run in runs for p in cjk.pairs(run, alone=len(run) == 1)]
            rest = "".join(" " if cjk.is_cjk(c) else c for c in chunk)
            return telling + [word for part in rest.split() for word in _words(_bare(part))]
        chunk = chunk.replace("’", "'")
    if not chunk or len(chunk) > 4 * MAX_WORD:
        return []
    if chunk.isalnum():
        return _camel(chunk) if len(chunk) <= MAX_WORD else []
    if "'" in chunk:
        stem, _, ending = chunk.rpartition("'")
        if ending.lower() in known.CONTRACTED:
            return _words(_bare(stem))
    if chunk.isascii():
        parts = chunk.translate(_BLANK_PUNCTUATION).split()
    else:
        from unicodedata import category

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


# -- data ------------------------------------------------------------------------------------

_EDGES = "\"'`.,;:!?()[]{}<>*~|=+…“”‘’«»„、。，！？；：（）「」『』【】《》·—–-#/\\"
_BLANK_PUNCTUATION = {i: " " for i in range(128) if not chr(i).isalnum()}
_SHAPE = bytes(
    ord("A" if c.isupper() else "a" if c.isalnum() else " " if c.isspace() else ".")
    if c.isascii()
    else ord(".")
    for c in map(chr, range(256))
)
_JOINTS = frozenset("_./\\:@#+")
