"""What texts of a repository say about why the code is as it is: messages of commits, decision records,
changelogs and comments that begin with `why:`.

Which sentences give a reason is told by the setting `reason_phrases`; nothing here knows a language.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log

from cogmem.language import sentences as language
from cogmem.named import NamedTuple
from cogmem.text.lines import one_line

SAID = 420  # characters of one reason
DECISION = 600  # characters of what a decision record decides
_TRAILER = re.compile(
    r"(?i)(?:[a-z-]+-(?:by|id|url|on|to|from)|fixes|closes|refs?|see-also|link|cc|bug|issue|pr|change|"
    r"differential revision|cherry.picked.*|git-svn-id|pull.request.*)\s*:.*"
)
_BULLET = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_REVERTS = re.compile(r"(?i)\breverts?\s+(?:commit\s+)?([0-9a-f]{7,40})\b")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_VERSION = re.compile(r"v?\d+\.\d+[\w.+-]*|unreleased", re.IGNORECASE)
_WHY = re.compile(
    r"^\s*(?:#+|//+!?|/\*+|\*|--|;+|%|<!--|\"\"\"|'''|rem\b)\s*why:\s*(\S.*)$", re.IGNORECASE
)
_COMMENT = re.compile(r"^\s*(?:#+|//+!?|\*(?!/)|--|;+|%)\s?(\S.*)$")
_OVER = re.compile(r"(?i)supersed|deprecat|replaced|obsolete|withdrawn")
_REFUSED = re.compile(r"(?i)\breject|declined|abandoned")
_BREAKING = ("removed", "deprecated", "breaking changes", "breaking", "security")


class Phrases:
    """The patterns of a setting, as one expression."""

    def __init__(self, setting: str) -> None:
        try:
            given = json.loads(setting)
        except ValueError:
            given = []
        patterns = [_pattern(one) for one in given if isinstance(one, str) and one.strip("*")]
        self._any = re.compile("|".join(patterns)) if patterns else None

    def fit(self, text: str) -> bool:
        """Tell whether one of them fits."""
        return self._any is not None and bool(self._any.search(f" {text.lower()} "))


def _pattern(given: str) -> str:
    return "[^.]{0,60}?".join(re.escape(part) for part in given.strip("*").lower().split("*"))


def message_parts(message: str) -> tuple[str, list[str]]:
    """Return the subject of a commit, and the sentences of its body: without trailers, quoted code and logs."""
    subject, _, body = message.partition("\n")
    return one_line(subject), list(sentences(body))


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a prose text; an item of a list is at least one of its own."""
    for paragraph in _paragraphs(text):
        yield from map(one_line, language.sentences(paragraph))


def _paragraphs(text: str) -> Iterator[str]:
    waiting: list[str] = []
    is_code = False
    for line in [*text.split("\n"), ""]:
        if _FENCE.match(line):
            is_code = not is_code
            line = ""
        bare = line.strip()
        is_item = _BULLET.match(line)
        is_out = not bare or is_code or _TRAILER.fullmatch(bare) is not None
        if waiting and (is_out or is_item):
            yield " ".join(waiting)
            waiting = []
        if is_out:
            continue
        if line.startswith(("    ", "\t", ">")) and not waiting and not is_item:
            continue  # quoted code, a log, an answer
        waiting.append(_BULLET.sub("", line, count=1).strip() if is_item else bare)


def reverted(message: str) -> list[str]:
    """Return the commits that a message says it takes back, as far as it gives their names."""
    return [found.lower() for found in _REVERTS.findall(message)]


def reason_of(subject: str, body: list[str], phrases: Phrases) -> str:
    """Return what a commit says about why, as one text that begins with its subject; '' if it says nothing."""
    chosen = [one for one in body if len(one) > 15 and phrases.fit(one)]
    if not chosen:
        return subject if len(subject) > 30 and phrases.fit(subject) else ""
    text = subject.rstrip(".:") + ": "
    for one in chosen:
        if len(text) + len(one) > SAID and not text.endswith(": "):
            break
        text += one[:SAID] + " "
    return text.strip()


# -- files ---------------------------------------------------------------------------------------


class Found(NamedTuple):
    """A reason that stands in a file: its kind, text, place, and whether it is said to hold no more."""

    kind: str
    text: str
    path: str
    line: int
    is_over: bool


def is_record(path: str) -> bool:
    """Tell whether a file is one of the numbered records of decisions that many projects keep."""
    low = f"/{path.lower()}"
    if not low.endswith((".md", ".markdown", ".rst", ".txt")):
        return False
    folder, _, name = low.rpartition("/")
    if folder.endswith(("/adr", "/adrs", "/decisions", "/rfcs", "/decision-records")):
        return name[0].isdigit() or name.startswith(("adr", "rfc"))
    return re.match(r"adr[-_ ]?\d", name) is not None


def is_changelog(path: str) -> bool:
    """Tell whether a file tells the changes of each release."""
    folder, _, name = path.lower().rpartition("/")
    return name.partition(".")[0] in ("changelog", "changes", "history", "news") and (
        folder.count("/") < 2
    )


def of_record(path: str, text: str) -> Found | None:
    """Return what a decision record decides, under its title."""
    title, status, parts, front = _record_parts(text)
    decisions = (parts[name] for name in parts if "decision" in name and "driver" not in name)
    others = (said for name, said in parts.items() if said and name != "status")
    decided = next(decisions, "") or next(others, front)
    said = one_line(decided)
    if not title and not said:
        return None
    title = re.sub(r"^(?:adr[-_ ]*)?\d+[.:)]?\s*[-–—:]?\s*", "", title, flags=re.IGNORECASE)
    kind = "rejected" if _REFUSED.search(status) else "rationale"
    content = f"{title.rstrip('.')}: {_cut(said, DECISION)}" if said else title
    return Found(kind, f"{content} ({path})", path, 1, bool(_OVER.search(status)))


def _record_parts(text: str) -> tuple[str, str, dict[str, str], str]:
    title = status = front = name = ""
    parts: dict[str, list[str]] = {}
    for line in text.split("\n"):
        heading = _HEADING.match(line)
        if heading:
            if not title:
                title = heading[2]
            else:
                name = heading[2].lower()
                parts.setdefault(name, [])
            continue
        bare = line.strip()
        said = re.match(r"(?i)[-*\s]*\**status\**\s*:\**\s*(.+)", bare)
        if said and not status:
            status = said[1]
        elif name:
            parts[name].append(bare)
        elif bare and not bare.startswith("---") and ":" not in bare[:20]:
            front += bare + " "
    joined = {name: _BULLET.sub("", " ".join(said).strip()) for name, said in parts.items()}
    return title, status or joined.get("status", ""), joined, front


def of_changelog(path: str, text: str, phrases: Phrases) -> Iterator[Found]:
    """Yield the entries of a changelog that give a reason or break something, with their release."""
    release = section = ""
    entry: list[str] = []
    began = 0
    for number, line in enumerate([*text.split("\n"), "# "], 1):
        heading = _HEADING.match(line)
        if heading or not line.strip() or _BULLET.match(line):
            said = one_line(" ".join(entry))
            if said and release and (section in _BREAKING or phrases.fit(said)):
                text = f"{_cut(said, SAID)} ({path}, {release})"
                yield Found("rationale", text, path, began, False)
            entry = []
        if heading:
            named = _VERSION.search(heading[2])
            if named:
                release, section = one_line(heading[2].strip("[]")), ""
            else:
                section = heading[2].lower()
        elif _BULLET.match(line):
            entry, began = [_BULLET.sub("", line, count=1).strip()], number
        elif entry and line.strip():
            entry.append(line.strip())


def of_comments(path: str, number: int, lines: list[str]) -> Found | None:
    """Return a comment that begins with `why:`, with the comment lines that follow it."""
    first = _WHY.match(lines[0])
    if first is None:
        return None
    said = [first[1]]
    for line in lines[1:]:
        more = _COMMENT.match(line)
        if more is None or _WHY.match(line):
            break
        said.append(more[1])
    text = re.sub(r"\s*(?:\*/|-->|\"\"\"|''')\s*$", "", one_line(" ".join(said)))
    return Found("rationale", f"{_cut(text, SAID)} ({path})", path, number, False) if text else None


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rsplit(' ', 1)[0]}…"


# -- which reason took the place of which ----------------------------------------------------------
# A later commit says that it changes what an earlier one decided. It must speak of a change (the setting
# `amend_phrases`) and of the same matter: most of what the earlier one tells, weighed by how rare its words are in
# this repository, in the same file or even more of it elsewhere. A commit that reverts another by name needs no
# likeness.

HERE = 0.34  # share of what the rarer of the two tells, if they touched the same file
ELSEWHERE = 0.5
COMMON = 0.02  # words in more of all reasons than this tell nothing of the matter
FILES = 40  # a commit that touched more is about none of them


class Reason(NamedTuple):
    """A reason with its words, its commit and files, and whether it says that it changes something."""

    uid: str
    stems: frozenset[str]
    commit: str
    paths: Sequence[str]
    at: int
    amends: bool


def successions(reasons: Sequence[Reason], new: set[str]) -> Iterator[tuple[Reason, Reason]]:
    """(earlier, later) for each reason that a new one takes the place of; they come the oldest first."""
    total = len(reasons)
    often = Counter(stem for one in reasons for stem in one.stems)
    most = max(4, COMMON * total)
    worth = {stem: log(1 + total / count) for stem, count in often.items() if count <= most}
    told: dict[str, list[int]] = {}  # stem → the earlier reasons that have it
    over: set[int] = set()
    for place, later in enumerate(reasons):
        rare = [stem for stem in later.stems if stem in worth]
        if later.amends and later.uid in new:
            shared: dict[int, float] = {}
            for stem in rare:
                for number in told.get(stem, ()):
                    shared[number] = shared.get(number, 0.0) + worth[stem]
            own = sum(worth[stem] for stem in rare)
            files = set(later.paths) if len(later.paths) <= FILES else set()
            for number, value in shared.items():
                earlier = reasons[number]
                if number in over or earlier.commit == later.commit:
                    continue
                whole = min(own, sum(worth[stem] for stem in earlier.stems if stem in worth))
                least = HERE if not files.isdisjoint(earlier.paths[:FILES]) else ELSEWHERE
                if whole and value / whole >= least:
                    over.add(number)
                    yield earlier, later
        for stem in rare:
            told.setdefault(stem, []).append(place)
