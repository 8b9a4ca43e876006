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
from collections import namedtuple
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

WINDOW = 16_000  # characters read at each end of a long message
PROSE_LIMIT = 8_000  # characters of prose after which reading stops
FEW_CHANGED = 24  # different characters of a text that fold one by one
_WRAPPED_AT = 40  # a line shorter than this was not broken by an editor


class Clause(namedtuple("Clause", "text start end plain is_question")):
    """One clause; start and end count characters of the message."""

    __slots__ = ()
    text: str
    start: int
    end: int
    plain: str
    is_question: bool


# What a program wrote: a timestamp, a level, a stack frame, a place in a file, a shell line.
_LOG = (
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ,]|\[?\d\d:\d\d:\d\d|(?:\d{1,3}\.){3}\d{1,3}\s"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) [ \d]?\d \d\d:\d\d:\d\d"
    r"|\[?(?:error|warn|warning|info|debug|trace|fatal|critical|notice)\b[\])]?(?:\[\w+\])?:? "
    r"|(?:fehler|erreur|errore?|erro|fout|错误|警告|异常|エラー)[^:：]{0,20}[:：]"
    r"|[\w.]*(?:error|exception|warning)\b(?:\[\w+\])?: |npm (?:err!|warn)|make(?:\[\d\])?: "
    r"|caused by: |at \S+\(|file \".*\", line \d|\S+\.\w+:\d+(?::\d+)?:? |-->|[$%] \S|>>> "
    r"|(?:failed|passed|error) \S+::|= (?:note|help): |\d+ \||\?\? )"
)
# A line that hands over to somebody else's words, up to the next blank line.
_PASTE = (
    r"\b(?:says?|said|reads?|wrote|writes|replied|errors?|output|logs?|trace|traceback|printed|prints"
    r"|got|message|mail|e-?mail|readme|docs?|quote|pasted?|article|poem|lyrics|text|excerpt"
    r"|paragraph|letter|following|this is what|was|sagt|schrieb|geschrieben|nachricht|fehler|ausgabe|correo"
    r"|mensaje|escribio|salida|courriel|a ecrit|sortie|escreveu|mensagem|scritto|messaggio|bericht|schreef"
    r"|uitvoer|transcript|spec|cv|homework|notes)\b[^:]*:\s*$|(?:邮件|如下|写道|メール|ログ).*:\s*$"
)
# A task that brings its material along: nothing after it is said in the person's own name.
_MATERIAL = (
    r"^\W*(?:(?:please|pls|can you|could you|hi|hey|ok|now|then|also|just)\W+)*"
    r"(?:translate|summari[sz]e|proof-?read|re-?write|re-?phrase|paraphrase|polish|shorten|correct"
    r"|review|explain|analy[sz]e|classify|parse|format|simplify|edit|improve|comment on|check"
    r"|ubersetze|korrigiere|traduce|traduis|traduza|traduci|vertaal|corrige|corrija|correggi|corrigeer"
    r"|terjemahkan"
    r"|fix the grammar|reply to \w+|tell \w+|transcript|meeting notes|chat log|minutes"
    r"|here(?:'s| is| are) (?:my|the|a|our|some) \w+)\b[^:.?!]*:(?:\s|$)"
    r"|^翻译:|^翻訳して:|^改一下语法:|^文法を直して:"
)
_FORWARD = (
    r"^(?:dear|hi|hello|hey|hallo|lieber?|sehr geehrte[rn]?|hola|bonjour|chere?|ciao|oi|ola|hoi|beste|geachte)"
    r" [\w.]+(?: [\w.]+)?,$|^\s*(?:-+ ?(?:forwarded|original) message ?-+|begin forwarded message:|from: .*@.*"
    r"|on .* wrote:)\s*$"
)
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
_FOREIGN_STARTS = (
    *("//", "/*", "*/", "#", "<!--", "* @", "{", "}", "[{", "]", "</", "-- "),
    *("npm ERR!", "npm WARN", "Traceback (most recent"),
)
_REMARKS = ("note: ", "help: ", "hint: ")
_CODE_ENDS = ("{", "};", ");", "})", "/>", "*/", "=>", "({", "([")
_CODE_WORDS = tuple(
    f"{word} "
    for word in (
        *("def", "class", "import", "const", "let", "var", "function", "return", "export"),
        *("public", "private", "async", "fn", "func", "if", "for", "while", "select", "insert"),
    )
)
_DIFFS_AND_TRACES = ("diff --git ", "@@ ", "--- a/", "+++ b/", "Traceback (most recent")
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
def _line_patterns() -> tuple[Any, Any, Any, Any, Any]:
    return regex(_LOG), regex(_PASTE), regex(_MATERIAL), regex(_FORWARD), regex(_BULLET)


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
    """Give the lines in the person's own words, and whether each is a list item."""
    log, paste, material, forward, bullet = _line_patterns()
    after_code = after_blank = True
    is_pasted = paste_follows = False
    for at, line in _unfenced_lines(text):
        bare = line.strip()
        if not bare:
            after_blank, is_pasted = True, False
            continue
        is_code = _looks_foreign(line, bare, after_code, after_blank) or (
            (
                bare[0] in "0123456789[-$%=?>"
                or ":" in bare
                or "：" in bare
                or "|" in bare
                or "(" in bare
            )
            and log.search(line) is not None
        )
        if after_code and not after_blank and line.startswith(_REMARKS):  # of a compiler
            is_code = True
        if paste_follows or bare.startswith(_DIFFS_AND_TRACES):
            is_pasted, paste_follows = True, False
        after_code, after_blank = is_code, False
        if is_code or is_pasted:
            continue
        if forward.search(line) and (
            at or bare[-1] != ","
        ):  # a greeting opens a person's own message
            return
        item = (
            bullet.search(line)
            if bare[0] in "-*+•–[" or bare[1:3].strip(").") != bare[1:3]
            else None
        )
        start = at + (item.end() if item else len(line) - len(line.lstrip()))
        end = at + len(line.rstrip())
        task = material.search(fold(text[start : min(end, start + 200)])) if ":" in bare else None
        if task:
            yield start, start + task.end(), False
            return
        if start < end:
            yield start, end, item is not None
        paste_follows = bare[-1] in ":：" and paste.search(fold(bare[-200:])) is not None


def _unfenced_lines(text: str) -> Iterator[tuple[int, str]]:
    """Give every line outside code fences, of a long text only those at its ends."""
    fence = ""
    for at, stop in _windows(text):
        if at:
            is_open = (text.count("\n```", 0, at) + text.startswith("```")) % 2
            fence = "```" if is_open else ""
        while at < stop:
            end = text.find("\n", at, stop)
            end = stop if end < 0 else end
            line = text[at:end]
            mark = line.lstrip()[:3]
            if fence:
                fence = "" if mark == fence else fence
            elif mark in ("```", "~~~"):
                fence = mark
            else:
                yield at, line
            at = end + 1


def _windows(text: str) -> tuple[tuple[int, int], ...]:
    if len(text) <= 2 * WINDOW:
        return ((0, len(text)),)
    # Whole lines only: half a line may hide what it is.
    head = text.rfind("\n", 0, WINDOW) + 1 or WINDOW
    tail = text.find("\n", len(text) - WINDOW) + 1 or len(text)
    return (0, head), (tail, len(text))


def _looks_foreign(line: str, bare: str, after_code: bool, after_blank: bool) -> bool:
    """Tell whether a line is quoted, tabular, markup or code, by its outer shape."""
    if bare[0] in ">|" or bare.startswith(_FOREIGN_STARTS) or bare.endswith(_CODE_ENDS):
        return True
    if line.startswith(("    ", "\t")) and (after_code or after_blank):
        return bare[:2] not in ("- ", "* ", "+ ", "• ") and not bare[0].isdigit()
    if bare[0] == "<" and bare[-1] == ">":
        return True
    if bare[-1] == ";" and ("=" in bare or "(" in bare):
        return True
    return bare[-1] in "(:" and "(" in bare and bare.lower().startswith(_CODE_WORDS)


def _clauses(text: str, start: int, end: int) -> Iterator[Clause]:
    plain = _mask(fold(text[start:end]))
    at = 0
    for stop, after in _ends(plain):
        if plain[stop] == "." and _is_abbreviated(plain[at:stop]):
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
