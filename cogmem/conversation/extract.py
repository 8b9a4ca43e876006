"""A summary without a model: the lines of a conversation that a later reader will look for.

In this order, as far as the length allows: files and the functions changed in them; errors, each with what mended
it; what depends on what; configuration; decisions; what is open; what people asked for and told. Every line begins
with its sort ("error: …"), so that summaries of summaries can sort them again.
"""

from __future__ import annotations

import re
from collections import Counter

from cogmem.conversation.parts import spelled
from cogmem.language.sentences import sentences
from cogmem.text import calls
from cogmem.text.data import patterns
from cogmem.text.lines import line, one_line
from cogmem.text.tool_output import error_lines, reports_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from cogmem.tokens.counting import TokenCounter

SORTS = ("file", "error", "depends", "config", "decision", "open", "asked", "told")
_SHARE = 0.4  # of the length that one sort may take before every sort had its turn
_LONGEST = 240  # characters of a line
_SHORTEST = 5  # tokens: no line that says something is shorter
_TEXT_LOOKED_AT = 4_000  # characters of one message; a pasted book is not read whole

_READING = ("read", "view", "cat", "open", "list_dir", "tree", "glob", "grep", "search", "ls")
_DEFINED = re.compile(
    r"\b(?:def|func|function|fn|class|struct|interface|impl)\s+([A-Za-z_]\w{2,60})"
)
_CONFIG_FILE = re.compile(
    r"(?i)(?:\.(?:ya?ml|toml|ini|cfg|conf|env|properties)|config[^/]*|dockerfile|makefile)$"
)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_FAULT = re.compile(r"(?i)\w*(?:error|exception|panic|fatal|failed)\b.{4,}")
_MARKS = re.compile(r"^(?:[-*+•>#]+|\d{1,3}[.)])\s+")


_READ = {name: text for name, _, text in patterns("extract")}
_COMMON = frozenset(_READ.pop("common").split("|"))
_SAID = {name: re.compile(text) for name, text in _READ.items()}
_LABEL = re.compile(rf"^(?:- )?({'|'.join(SORTS)}): (.+)$")


class Piece:
    """A line that may be kept: its sort, its place, how much it says."""

    __slots__ = ("order", "sort", "text", "weight")

    def __init__(self, sort: str, text: str, order: int, weight: float) -> None:
        self.sort = sort
        self.text = text
        self.order = order
        self.weight = weight


def extract(
    messages: Iterable[Mapping[str, Any]], limit: int, counter: TokenCounter, *, hinted: bool = True
) -> tuple[str, str]:
    """Return what messages ({"role", "parts", "speaker"}) say, within a number of tokens, and a hint."""
    pieces = list(_pieces(list(messages)))
    return _fit(pieces, limit, counter), _hint(pieces) if hinted else ""


def condense(children: Sequence[str], limit: int, counter: TokenCounter) -> tuple[str, str]:
    """Return what several summaries say, shorter: files are joined, the rest is sorted and cut anew."""
    pieces: list[Piece] = []
    for order, text in enumerate(children):
        own: list[Piece] = []
        for raw in text.split("\n"):
            said = raw.strip()
            match = _LABEL.match(said)
            if match:
                own.append(Piece(match[1], match[2], order, _weight(match[2])))
            elif said:
                said = said.removeprefix("- ")
                own.append(Piece(_sort_of(said) or "told", said, order, _weight(said)))
        # The best line of each child, then the second best: no child is left out.
        for sort in SORTS:
            best = sorted((piece for piece in own if piece.sort == sort), key=lambda p: -p.weight)
            for rank, piece in enumerate(best):
                piece.weight = 1.0 / (1 + rank)
        pieces += own
    return _fit(_joined(pieces), limit, counter), _hint(pieces)


def _pieces(messages: list[Mapping[str, Any]]) -> Iterator[Piece]:
    changed: dict[str, dict[str, None]] = {}
    read: dict[str, int] = {}
    broken: list[Piece] = []
    people = frozenset(str(message.get("speaker") or "").casefold() for message in messages)
    for order, message in enumerate(messages):
        role = message["role"]
        speaker = message.get("speaker") or ""
        who = speaker if speaker != role else "user" if role == "user" else ""
        for part in message["parts"]:
            kind = part.get("type")
            if kind == "tool_call":
                path = _path(part.get("arguments"))
                name = str(part.get("name", "")).lower()
                if path and calls.changes(name):
                    if broken and not broken[-1].text.count(" → "):
                        broken[-1].text += f" → changed {path}"
                    wrote = spelled(part.get("arguments"))[:_TEXT_LOOKED_AT]
                    changed.setdefault(path, {}).update(dict.fromkeys(_DEFINED.findall(wrote)))
                elif path and any(word in name for word in _READING):
                    read[path] = read.get(path, 0) + 1
            elif kind == "tool_result":
                found = _error(spelled(part.get("content")), bool(part.get("is_error")))
                if found and all(found != piece.text.partition(" → ")[0] for piece in broken):
                    broken.append(Piece("error", found, order, 2.0))
            elif kind == "text" and role != "tool":
                for piece in _said(part["text"][:_TEXT_LOOKED_AT], who, role, order, people):
                    if piece.sort == "error" and _SAID["mended"].search(piece.text) and broken:
                        wrong = broken[-1].text.partition(" → ")[0]
                        broken[-1].text = _short(f"{wrong} → {piece.text}")
                    else:
                        yield piece
    for path, names in changed.items():
        what = f"changed {', '.join(list(names)[:6])}" if names else "changed"
        yield Piece("file", f"{path} {what}", 0, 2.0)
        if _CONFIG_FILE.search(path):
            yield Piece("config", f"{path} changed", 0, 1.5)
    for path, times in read.items():
        if path not in changed:
            yield Piece("file", f"{path} read" + (f" {times} times" if times > 1 else ""), 0, 0.5)
    yield from broken


def _said(text: str, who: str, role: str, order: int, people: frozenset[str]) -> Iterator[Piece]:
    is_person = who not in ("", "user")
    first = True
    for part in sentences(_FENCE.sub("\n", text)):
        sentence = one_line(_MARKS.sub("", part).replace("**", "").replace("`", ""))
        is_empty = sentence.endswith(":") or _SAID["empty talk"].match(sentence)
        if is_empty or not _says_much(sentence, people):
            continue
        weight = _weight(sentence, people)
        if _SAID["polite"].match(sentence):
            weight *= 0.3
        elif _SAID["own"].search(sentence):
            weight *= 1.3
        sort = _sort_of(sentence)
        if role == "assistant" and not is_person:
            # What an assistant lists is advice; what it did or found it says in plain sentences.
            if part != _MARKS.sub("", part) or "**" in part:
                sort = "told"
                weight *= 0.3
            weight *= 0.8
        asks = sentence.endswith(("?", "？"))
        if asks and is_person:  # the answer says more
            sort = "told"
            weight *= 0.2
        if sort is None:
            sort = "asked" if asks or (first and role == "user" and not is_person) else "told"
        first = False
        yield Piece(sort, _short(f"{who}: {sentence}" if is_person else sentence), order, weight)


def _sort_of(sentence: str) -> str | None:
    is_news = not _SAID["no news"].search(sentence)
    for sort, signs in _SAID.items():
        if sort in SORTS and (is_news or sort != "error") and signs.search(sentence):
            return sort
    return None


def _says_much(sentence: str, people: frozenset[str]) -> bool:
    """More than an exclamation: two words that mean something, a figure, or a few Han or kana."""
    dense = sum(1 for c in sentence if c > "\u2e7f")
    if dense >= 4 or any(c.isdigit() for c in sentence):
        return len(sentence) > 5
    words = {word.strip(".,!?;:'\"()").casefold() for word in sentence.split()}
    return sum(1 for word in words - people if len(word) > 3 and word not in _COMMON) >= 2


def _weight(sentence: str, people: frozenset[str] = frozenset()) -> float:
    """Tell how much a sentence says: names, figures and long words, for its length."""
    words = sentence.split()
    names = figures = long = 0
    for place, word in enumerate(words):
        if any(c.isdigit() for c in word):
            figures += 1
        elif place and word[:1].isupper() and len(word) > 1 and word[1] not in "'’":
            names += word.strip(".,!?;:'\"()").casefold() not in people
        if len(word) > 6:
            long += 1
    dense = sum(1 for c in sentence if c > "\u2e7f") / 4  # Han and kana have no blanks
    return float(
        (0.5 + 1.2 * names + 1.2 * figures + 0.6 * long + 0.5 * dense) / (8 + len(words)) ** 0.5
    )


def _path(arguments: Any) -> str:
    if isinstance(arguments, str) and arguments.lstrip().startswith("{"):
        import json

        try:
            arguments = json.loads(arguments)
        except ValueError:
            return ""
    return one_line(calls.file_in(arguments))[:160]


def _error(result: str, is_error: bool) -> str:
    if not (is_error or reports_error(result)):
        return ""
    rows = result[:20_000].split("\n")
    numbers = error_lines(rows) or [0]
    said = [row for row in (one_line(rows[at]) for at in numbers if at < len(rows)) if row]
    telling = [row for row in said if _FAULT.search(row)]
    # A trace ends with what happened, a build log begins with it.
    best = (telling[-1] if "Traceback" in result else telling[0]) if telling else (said or [""])[0]
    return _short(best)


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    cut = text.rfind(" ", _LONGEST - 60, _LONGEST)
    return text[: cut if cut > 0 else _LONGEST].rstrip() + "…"


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Return lines about one file as one line; what was read matters less the more there is."""
    files: dict[str, list[str]] = {}
    rest = []
    for piece in pieces:
        path, _, what = piece.text.partition(" ")
        if piece.sort == "file":
            files.setdefault(path, []).extend(what.removeprefix("changed").strip(" ,").split(", "))
            if what.startswith("changed"):
                files[path].append("\0")
        else:
            rest.append(piece)
    for path, told in files.items():
        what, weight = ("changed", 2.0) if "\0" in told else ("read", 0.5)
        names = [one for one in dict.fromkeys(told) if one and not one.startswith(("\0", "read"))]
        text = f"{path} {what} {', '.join(names[:6])}".rstrip()
        rest.append(Piece("file", text, 0, weight))
    return rest


def _fit(pieces: list[Piece], limit: int, counter: TokenCounter) -> str:
    """Return the best lines of each sort in turn, then what room is left to the best of the rest."""
    kept: list[Piece] = []
    seen: set[str] = set()
    costs: dict[str, int] = {}
    room = limit
    pools = {
        sort: sorted((p for p in pieces if p.sort == sort), key=lambda p: (-p.weight, p.order))
        for sort in SORTS
    }
    for last_pass in (False, True):
        for sort in SORTS:
            spent = 0
            for piece in pools[sort]:
                key = piece.text.casefold()
                if key in seen or len(key) > 12 * room:  # counting takes longer than all the rest
                    continue
                if not last_pass and spent and spent + len(key) // 6 > limit * _SHARE / 2:
                    continue
                cost = costs.get(key)
                if cost is None:
                    cost = costs[key] = counter.count(line(f"{sort}: {piece.text}"))
                if cost > room or (not last_pass and spent and spent + cost > limit * _SHARE / 2):
                    continue
                seen.add(key)
                kept.append(piece)
                room -= cost
                spent += cost
                if room < _SHORTEST:
                    break
    kept.sort(key=lambda piece: (SORTS.index(piece.sort), piece.order))
    return "\n".join(f"- {piece.sort}: {piece.text}" for piece in kept)


_WORD = re.compile(r"[^\W\d_][\w./-]{3,40}")


def _hint(pieces: Sequence[Piece]) -> str:
    counts: Counter[str] = Counter()
    spelling: dict[str, str] = {}
    for piece in pieces:
        for word in _WORD.findall(piece.text):
            low = word.casefold().rstrip(".-/")
            if low not in _COMMON and "…" not in low:
                counts[low] += 4 if piece.sort == "file" and "/" in word else 1 + word[0].isupper()
                spelling.setdefault(low, word.rstrip(".-/"))
    return ", ".join(spelling[low] for low, _ in counts.most_common(6))
