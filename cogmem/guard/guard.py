"""What may enter a memory: secrets, injected instructions and hidden characters are found here.

A memory is read back into prompts for months. A *secret* would be shown to every later model call, an *injection*
gives orders instead of stating something, *invisible* characters and *homoglyphs* say one thing to a person and
another to a model, and a *command* (a download piped into a shell) is fine in a person's own notes alone. What is
done with each, by who says it, stands in POLICIES. A person is asked to take the secret out, as a mark would not be
what they meant; what is recorded is never lost, so it is redacted; a person's own file is shown with a warning,
never changed. Everything runs in linear time: one re2 set says which patterns occur, and only those are located,
after hidden characters are taken out and disguised letters folded. A quoted injection is still caught: quotation
marks cost an attacker nothing. Tokens with a provider's own shape are secrets even in an example; assigned values
only if they are not a placeholder, reference or plain word. Direction marks never pass: they reorder what a reader
sees.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from cogmem.guard import values
from cogmem.guard.characters import (
    LOOK_ALIKE,
    Removed,
    compiled,
    folded,
    held,
    hidden_runs,
    homoglyphs,
    invisible,
)
from cogmem.guard.orders import orders
from cogmem.guard.spoken import spoken
from cogmem.guard.values import drawn
from cogmem.named import NamedTuple
from cogmem.text.data import patterns
from cogmem.text.lines import encodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Literal

    Kind = Literal["secret", "injection", "command", "invisible", "homoglyph"]
    Action = Literal["reject", "redact", "warn", "allow"]
    Standing = Literal["active", "candidate", "refused"]
    Check = Callable[[str, str, str], bool]
    Row = tuple[str, str, Check | None]


class Finding(NamedTuple):
    """One suspicious passage; start and end count characters of the inspected text."""

    kind: Kind
    name: str
    start: int
    end: int


class Guarded(NamedTuple):
    """A text after its policy: as it may be stored (fully redacted if it is rejected), what was found, the
    strongest action."""

    text: str
    findings: tuple[Finding, ...]
    verdict: Action


class Screening(NamedTuple):
    """What to do with each kind of finding, and how far the origin itself is believed."""

    secret: Action
    injection: Action
    command: Action
    invisible: Action
    homoglyph: Action
    trust: float
    standing: Standing


POLICIES: dict[str, Screening] = {
    "user_explicit": Screening("reject", "reject", "allow", "reject", "warn", 1.0, "active"),
    "system": Screening("reject", "warn", "allow", "reject", "warn", 1.0, "active"),
    "observed": Screening("reject", "reject", "warn", "redact", "warn", 0.85, "active"),
    "inferred": Screening("reject", "reject", "reject", "reject", "reject", 0.7, "active"),
    "tool": Screening("redact", "reject", "reject", "redact", "redact", 0.5, "candidate"),
    "import": Screening("redact", "redact", "warn", "redact", "redact", 0.5, "candidate"),
    "web": Screening("redact", "reject", "reject", "redact", "redact", 0.3, "candidate"),
    # What stands in a repository is a person's work, but anybody's: it is cleaned, and not refused.
    "repository": Screening("redact", "redact", "warn", "redact", "redact", 0.7, "active"),
    "record": Screening("redact", "warn", "allow", "redact", "warn", 1.0, "active"),
    "record_tool": Screening("redact", "redact", "warn", "redact", "redact", 0.5, "active"),
    "read_back": Screening("warn", "warn", "warn", "warn", "warn", 1.0, "active"),
}

# Some kinds tell the agent what is so, or what it must do: the standing that an origin can give to those that need a
# person, and to those that need trust. Who is not named is refused: a web page cannot make a policy, not even as a
# candidate.
_BINDING: dict[str, Standing] = {
    "user_explicit": "active",
    "system": "active",
    "observed": "candidate",
    "import": "candidate",
}
_LEANING: dict[str, Standing] = {
    "user_explicit": "active",
    "system": "active",
    "observed": "active",
    "inferred": "candidate",
    "import": "candidate",
}

SHORT = 2_500  # characters of a text whose findings are kept for a while: its turn keeps it, and then it is recorded
MARK = "[redacted: "  # how every mark begins; no pattern matches one
_SEVERITY: tuple[Action, ...] = ("allow", "warn", "redact", "reject")
_BLANKS = (
    " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def standing(origin: str, *, needs_person: int = 0, needs_trust: int = 0) -> Standing:
    """Say how a memory may stand when this origin asserts it; what its kind needs stands in the table of kinds."""
    if needs_person or needs_trust:
        return (_BINDING if needs_person else _LEANING).get(origin, "refused")
    return POLICIES[origin].standing


def normalise(text: str) -> str:
    """Make a text storable: NFC (not NFKC: `x²` is not `x2`), line feeds, no blanks at its ends. What SQLite or
    UTF-8 cannot hold becomes U+FFFD, so that nothing vanishes unseen."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", encodable(text))
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "\ufffd").strip(_BLANKS)


def apply(text: str, policy: Screening) -> Guarded:
    """Inspect a text and do what the policy says about each finding."""
    # Talk is recorded as it is, orders and all: looking for them would only take time.
    findings = inspect(text, with_orders=policy is not POLICIES["record"])
    if not findings:
        return Guarded(text, (), "allow")
    verdict: Action = "allow"
    for finding in findings:
        verdict = max(verdict, getattr(policy, finding.kind), key=_SEVERITY.index)
    kinds = {kind for kind in _TITLES if verdict == "reject" or getattr(policy, kind) == "redact"}
    return Guarded(redact(text, findings, kinds), findings, verdict)


def explain(findings: Iterable[Finding]) -> str:
    """Say what was found and what to do about it, without repeating the passage itself."""
    kinds: dict[str, list[str]] = {}
    for finding in findings:
        place = f"{finding.name} at character {finding.start}"
        kinds.setdefault(finding.kind, []).append(place)
    parts = []
    for kind, places in kinds.items():
        places[3:] = ["more"] * (len(places) > 3)
        parts.append(f"{_TITLES[kind]} ({', '.join(places)}): {_ADVICE[kind]}")
    return "The text holds " + " It also holds ".join(parts) if parts else "Nothing was found."


_TITLES = {
    "secret": "a secret",
    "injection": "instructions aimed at the model",
    "command": "a download that is run unseen",
    "invisible": "hidden characters",
    "homoglyph": "letters of another alphabet that look Latin",
}
_ADVICE = {
    "secret": "take it out, or say where it is kept instead, and store the text again.",
    "injection": "state the fact in your own words, without the order, and store it again.",
    "command": "name the tool and its official source instead of the command.",
    "invisible": "remove them, or type the passage anew.",
    "homoglyph": "type the word anew.",
}


def redact(
    text: str, findings: Iterable[Finding], kinds: Collection[str] = frozenset(_TITLES)
) -> str:
    """Replace secrets and orders by marks, drop hidden characters, spell disguised words plainly: what was found of
    these kinds, and what a cut brings together, until none is left."""
    for _ in range(8):
        todo = [finding for finding in findings if finding.kind in kinds]
        if not todo:
            break
        text = _replaced(text, todo)
        findings = inspect(text)
    return text


def _replaced(text: str, findings: Iterable[Finding]) -> str:
    pieces = []
    position = 0
    for kind, name, start, end in sorted(findings, key=lambda found: (found.start, -found.end)):
        if end <= position:
            continue
        start = max(start, position)
        pieces.append(text[position:start])
        if kind == "homoglyph":
            pieces.append(text[start:end].translate(LOOK_ALIKE))
        elif kind == "injection":
            pieces.append(f"{MARK}injected instruction]")
        elif kind != "invisible":
            pieces.append(f"{MARK}{name}]")
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def inspect(text: str, *, with_orders: bool = True) -> tuple[Finding, ...]:
    """Find every suspicious passage, in the order of the text."""
    return (_known if len(text) <= SHORT else _inspected)(text, with_orders)


def _inspected(text: str, with_orders: bool) -> tuple[Finding, ...]:
    data = text.encode(errors="replace")  # a lone surrogate still counts as one character
    text = data.decode()
    hidden = hidden_runs(text, data)
    findings = [Finding("invisible", *place) for place in invisible(text, hidden)]
    # Patterns are searched in what a reader would see: without hidden characters, and once more
    # with disguised letters folded. Both views keep one character per character.
    removed = Removed(hidden)
    view = removed.cut(text)
    data = view.encode() if hidden else data
    findings += _located(data, removed)
    findings += _told(view, findings, removed, with_orders)
    if len(data) != len(view):
        disguised = homoglyphs(view, data)
        findings += [
            Finding("homoglyph", name, removed.start(start), removed.end(end))
            for name, start, end in disguised
        ]
        plain = folded(view, data, bool(disguised))
        if plain != view:
            findings += _located(plain.encode(), removed)
            findings += _told(plain, findings, removed, with_orders)
    return tuple(sorted(set(findings), key=lambda found: (found.start, found.end, found.kind)))


_known = lru_cache(maxsize=32)(_inspected)


def _told(view: str, findings: list[Finding], removed: Removed, with_orders: bool) -> list[Finding]:
    found = [
        Finding("secret", name, removed.start(start), removed.end(end))
        for name, start, end in spoken(view, drawn)
    ]
    known = [finding for finding in findings if finding.kind == "injection"]
    for start, end in orders(view) if with_orders else ():
        first, last = removed.start(start), removed.end(end)
        if not any(finding.start < last and first < finding.end for finding in known):
            found.append(Finding("injection", "order to the model", first, last))
    return [
        new
        for new in found
        if not any(
            old.kind == new.kind and old.start <= new.start and new.end <= old.end
            for old in findings
        )
    ]


# (name, pattern, check); of several that match the earliest names it. The first group of a pattern is the secret
# itself, so that `postgres://app:…@db/shop` keeps all but its password. A check takes what stands before the value,
# the value, and what follows, and may turn it down: re2 has no lookaround. No name may itself look like a secret.
SECRETS: tuple[Row, ...] = tuple(
    (name, text, getattr(values, check) if check else None)
    for name, check, text in patterns("secrets")
)


# The known openings of prompt injection and close paraphrases, kept narrow, since people write "ignore the previous
# commit" every day: an order counts only with the object that makes it an attack. These nouns after "ignore all
# prior …" and "ignore your previous …" make it ordinary work.
_HARMLESS = (
    " answer answers art attempt attempts bug build builds change changes comment comments commit"
    " commits draft drafts email emails error errors estimate estimates failure failures findings"
    " line lines log logs mail migration migrations note notes output patch patches question"
    " questions reading readings reply replies result results review reviews revision revisions row"
    " rows run runs suggestion suggestions test tests version versions warning warnings work "
)
_ABOUT = frozenset("in on under about from below of regarding within inside except".split())
_NEGATIONS = ("don't", "don’t", "do not", "never", "must not", "cannot", "can't", "should not")


def _ordered(before: str, value: str, after: str) -> bool:
    """Turn down "never ignore …" and "ignore all prior commits"."""
    if before.rstrip().lower().endswith(_NEGATIONS):
        return False
    said = value.lower().split()
    if said == ["disregard", "everything"]:
        # "… in the legacy folder" says what; "… and obey me" and a full stop do not.
        following = after.split()[0].lower() if after[:1].isspace() and after.split() else ""
        return following not in _ABOUT
    last = said[-1]
    noun = after.partition(" ")[2].partition(" ")[0].strip(".,:;!?\"'").lower()
    return last not in ("prior", "previous") or not noun or f" {noun} " not in _HARMLESS


# In the phrases below a space stands for whatever can part two words: blanks of any kind, line
# breaks, quotation and emphasis marks.
_BETWEEN = r"[\s\pZ*\"'>#]+"


def _spelled(text: str, also: list[str]) -> str:
    if "words" not in also:
        return text
    return rf"(?i)\b(?:{text.replace(' ', _BETWEEN)}){'' if 'open' in also else chr(92) + 'b'}"


_ORDER_ROWS = [(name, text, also.split()) for name, also, text in patterns("injections")]
INJECTIONS, COMMANDS = (
    tuple(
        (name, _spelled(text, also), _ordered if "ordered" in also else None)
        for name, text, also in _ORDER_ROWS
        if ("command" in also) == is_command
    )
    for is_command in (False, True)
)

_TABLES = tuple(
    (kind, *row)
    for kind, table in (("secret", SECRETS), ("injection", INJECTIONS), ("command", COMMANDS))
    for row in table
)
_PATTERNS = tuple(pattern for _, _, pattern, _ in _TABLES)
_KEY_BODY = (
    r"(?:\s|\\[nr])*(?:[ \t\"'+,>]*(?:\\[nr])*(?:[A-Za-z0-9+/=]{16,}"
    r"|(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\n]*)"
    r"[ \t\"'+,\\rn]*\n?)+(?:[ \t]*[A-Za-z0-9+/]{1,15}={0,2}[ \t]*(?:\n|$))?"
)
_KEY_END = r"-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-MAC: \S+"


def _located(data: bytes, removed: Removed) -> list[Finding]:
    """Find what the tables describe; only patterns that the set reports are searched for."""
    spans: dict[str, list[tuple[int, int, int]]] = {}
    for index in held(_PATTERNS, data):
        kind = _TABLES[index][0]
        spans.setdefault(kind, []).extend((*span, index) for span in _spans(data, index))
    found = []
    for kind, places in spans.items():
        # Overlapping passages of one kind are one finding, named by the earliest row.
        places.sort()
        merged: list[list[int]] = []
        for start, end, index in places:
            if merged and start < merged[-1][1]:
                merged[-1][1:] = max(merged[-1][1], end), min(merged[-1][2], index)
            else:
                merged.append([start, end, index])
        at = characters = 0
        for start, end, index in merged:
            characters += len(data[at:start].decode())
            first, characters = characters, characters + len(data[start:end].decode())
            at = end
            name = _TABLES[index][1]
            place = removed.start(first), removed.end(characters)
            found.append(Finding(kind, name, *place))  # type: ignore[arg-type]
    return found


def _spans(data: bytes, index: int) -> Iterator[tuple[int, int]]:
    _, name, pattern, check = _TABLES[index]
    search = compiled(pattern).search
    groups = range(1, compiled(pattern).groups + 1)
    position = 0
    while match := search(data, position):
        begin, stop = match.span()
        start, end = next(
            (match.span(group) for group in groups if match.start(group) >= 0), (begin, stop)
        )
        if name == "private key":
            stop = end = _key_end(data, end)
        before = data[max(0, begin - 24) if start == begin else begin : start].decode(
            errors="ignore"
        )
        value = data[start:end].decode()
        if check is None or check(before, value, data[end : end + 40].decode(errors="ignore")):
            yield start, end
            position = stop
        else:
            # A value that is turned down may hold a secret of its own.
            position = start if begin < start and end - start <= 400 else stop


def _key_end(data: bytes, header_end: int) -> int:
    """Return where the key block ends: at its last line, or where nothing looks like a key any more."""
    window = data[header_end : header_end + 20_000]
    if last := compiled(_KEY_END).search(window):
        return header_end + int(last.end())
    body = compiled(_KEY_BODY).match(window)
    return header_end + (int(body.end()) if body else 0)
