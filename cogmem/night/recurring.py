"""What recurs, proposed in a sentence that a person would have written.

Episodes that say the same in other words come together; the one nearest to all of them speaks for them,
and what it led to is counted: "Webpack builds fail when the cache is stale (5 times, 2026-12-03 to 2026-12-19);
clearing node_modules/.cache helped, 3 of 4 times." Commands that fail in several conversations say with
which error and what mended it. Words are quoted, numbers are counted, and nothing else is said. What
one night proposed, or a person removed, is not proposed again.
"""

from __future__ import annotations

from collections import Counter, namedtuple
from math import sqrt

from cogmem.language.cjk import is_pair
from cogmem.language.ordinary import per_thousand
from cogmem.language.sentences import sentences
from cogmem.language.similarity import tokens
from cogmem.language.words import ENGLISH
from cogmem.records import json_numbers
from cogmem.store.policy import number
from cogmem.text.attempts import Attempt, attempts
from cogmem.text.cell import listed
from cogmem.text.lines import content_hash, day, memory_uid, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Database

EPISODES, MESSAGES = 400, 20_000  # the newest of each that are looked at
ALIKE = 0.45  # likeness to what a group has in common from which an episode belongs to it
CORE = 3  # telling words that most of a group have, where nothing is told of what it led to
COMMON = 0.6  # share of a group that has a word of its core; what fewer have is of one's own
EVERYWHERE = 60.0  # of a thousand texts: function words, which make no other sentence
LEAST_ROOT = 4  # letters that two forms of a word share
OWN = 5  # words of a sentence among which one may be of one's own
SAME_TAG = 0.15  # that a telling tag in common adds
SAME_END = 0.5  # likeness from which two outcomes are one
BUSY = 19  # episodes of one scope from which half of them in one group tell nothing
NAMED = 4  # days that are named each
EVIDENCE = 20  # of the newest, that bear a proposal out
PLAIN_TAGS = frozenset(  # no topic, however often they come
    "auto-detect self-improvement session episode task todo note misc general user assistant agent chat message tool "
    "code file work test fix bug error failure success done other unknown default the and for with this that from "
    "have not was are you yes no ok today yesterday now new info log data update change".split()
)
FEWEST = 3  # words of what an episode led to, told in its own text
LONGEST = 200  # characters of a sentence that is quoted
_WELL, _BADLY = ("succe", "ok", "passed"), ("fail", "error")


# A sentence, whose it is, and what supports it.
Proposal = namedtuple("Proposal", "key kind content place episodes messages")


class Episode:
    """One thing that happened, once or on several days."""

    def __init__(self, row: Sequence[Any], stems: tuple[frozenset[str], frozenset[str]]) -> None:
        self.id, self.content, tags, *place, self.occasion, outcome, self.at, days, told = row
        self.outcome = _led_to(self.content, outcome)
        self.place = tuple(place)
        self.tags = {str(tag).strip().casefold() for tag in listed(tags)} - PLAIN_TAGS
        self.tags = {tag for tag in self.tags if not tag.startswith("/")}
        self.stems, self.end_stems = stems
        self.times = 1 + days
        self.is_told = bool(told)


def propose(db: Database, run: str, *, now: int) -> int:
    """Store a candidate for whatever recurs and is nowhere held yet; how many."""
    made = 0
    for one in [*_episodes(db), *_commands(db)]:
        place = dict(zip(("runtime", "user", "project"), one.place, strict=True))
        if db.read("recurring.is_proposed", {**place, "key": one.key})[0][0]:
            continue
        # The name follows from what is said, so a rehearsal gives the names of the real run.
        uid = memory_uid(f"{one.key}\0{place}", now)
        row = {**place, "uid": uid, "kind": one.kind, "key": one.key, "content": one.content}
        ties = {"episodes": json_numbers(one.episodes), "messages": json_numbers(one.messages)}
        stored = ("recurring.propose", {**row, "now": now})
        tied = ("recurring.tie", {**ties, "uid": uid, "now": now})
        db.write([stored, tied], verb="nightly", at=now)
        made += 1
    if made:
        db.write([("recurring.count_proposed", {"run": run})], verb="nightly", at=now)
    return made


# -- episodes ------------------------------------------------------------------------------------


def _episodes(db: Database) -> Iterator[Proposal]:
    rows = db.read("recurring.episodes", {"limit": EPISODES})
    settings = dict(db.read("store.settings"))
    least = int(number(settings, "recurs_occasions"))
    texts = [_telling(text) for row in rows for text in (row[1], _led_to(row[1], row[7]))]
    stems = _rooted(db.stems_of_each(texts))
    batched = zip(stems[::2], stems[1::2], strict=True)
    found = [Episode(row, one) for row, one in zip(rows, batched, strict=True)]
    for place in dict.fromkeys(one.place for one in found):
        mine = [one for one in found if one.place == place]
        for group in _groups(mine):
            times = sum(one.times for one in group)
            occasions = len({one.occasion for one in group}) + sum(one.times - 1 for one in group)
            if times < least or occasions < least or any(one.is_told for one in group):
                continue
            if len(group) > 1 and 2 * len(group) > max(BUSY, len(mine)):
                continue  # what most of all that happens is about tells nothing
            ends, is_telling = _ends(group)
            spoken = _spoken(group, is_telling)
            if spoken is None:
                continue
            content = f"{_sentence(spoken.content)} ({times} times{_days(group)}){ends}."
            key = f"auto.recurs.{content_hash(spoken.content)[:12]}"
            evidence = sorted(one.id for one in group[:EVIDENCE])
            yield Proposal(key, "fact", content, place, evidence, [])


def _days(group: Sequence[Episode]) -> str:
    """On which days it recurred; of many, from when to when."""
    days = sorted({day(one.at) for one in group})
    if 1 < len(days) == sum(one.times for one in group) <= NAMED:
        return f": {', '.join(days[:-1])} and {days[-1]}"
    return _from_to(days[0], days[-1])


def _from_to(first: str, last: str) -> str:
    return f" since {first}" if first == last else f", {first} to {last}"


def _rooted(texts: Sequence[Sequence[str]]) -> list[frozenset[str]]:
    """Return the stems of each text, where forms that stemming keeps apart are one: flaky, flaked."""
    root: dict[str, str] = {}
    last = ""
    for stem in sorted({stem for stems in texts for stem in stems}):
        least = max(LEAST_ROOT, min(len(last), len(stem)) - 1)
        if not (last and stem.isalpha() and stem[:least] == last[:least]):
            last = stem
        root[stem] = last
    return [frozenset(map(root.__getitem__, stems)) for stems in texts]


def _groups(found: Sequence[Episode]) -> list[list[Episode]]:
    """Episodes that say the same, in the order in which they came, the newest first."""
    groups: list[list[Episode]] = []
    for one in found:
        near = [(sum(_like(one, other) for other in group) / len(group), group) for group in groups]
        likeness, group = max(near, key=lambda pair: pair[0], default=(0.0, []))
        if likeness >= ALIKE:
            group.append(one)
        else:
            groups.append([one])
    return groups


def _like(one: Episode, other: Episode) -> float:
    """Return the cosine of two episodes' words, two at least, and something for a tag in common."""
    if len(one.stems & other.stems) < 2 and one.stems != other.stems:
        return 0.0
    return _cosine(one.stems, other.stems) + SAME_TAG * (not one.tags.isdisjoint(other.tags))


def _cosine(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / sqrt(len(one) * len(other)) if one and other else 0.0


def _spoken(group: Sequence[Episode], is_telling: bool) -> Episode | None:
    """Return the episode that speaks for all: with the words that most have, of equals the shorter one.

    None: what they have in common says too little, or each says a thing of its own ("reviewed the docs PR").
    """
    seen = Counter[str]()
    for one in group:
        seen.update(dict.fromkeys(one.stems, one.times))
    times = sum(one.times for one in group)
    core = [stem for stem, count in seen.items() if count >= COMMON * times]
    if len(core) < (CORE - 1 if is_telling else CORE):
        return None
    fit = [
        one
        for one in group
        if OWN * sum(_own(stem) for stem in one.stems if seen[stem] < COMMON * times)
        <= len(one.stems)
    ]
    return _nearest([(one, one.stems) for one in fit], seen) if fit else None


def _own(stem: str) -> float:
    """Tell how much a word that few of a group have makes a sentence another one: "no" and "again" little."""
    if per_thousand(stem) >= EVERYWHERE:
        return 0.0
    return 1 / 3 if is_pair(stem) else 1.0  # a word without spaces has two or three pairs


def _nearest(of: Sequence[tuple[Any, frozenset[str]]], seen: Mapping[str, int]) -> Any:
    """Return what says most of what is seen often, and little besides; of equals the shorter one."""
    most = max(seen.values(), default=1)
    return max(
        of,
        key=lambda pair: (
            round(sum(seen[stem] / most - COMMON for stem in pair[1]), 6),
            -len(getattr(pair[0], "content", pair[0])),
        ),
    )[0]


def _led_to(content: str, outcome: str) -> str:
    """Return what an episode led to; of one that only says that it went well, what its text goes on to say."""
    if not outcome.strip().casefold().startswith(_WELL):
        return outcome
    said = one_line(content)
    starts = [at + len(sign) for sign in ("; ", ". ", ", ") if (at := said.find(sign)) > 0]
    rest = said[min(starts) :] if starts else ""
    return rest if len(rest.split()) >= FEWEST else outcome


def _ends(group: Sequence[Episode]) -> tuple[str, bool]:
    """Return what it led to most often, counted where that is known, and whether that tells anything."""
    known = [
        (one_line(one.outcome), one.end_stems)
        for one in group
        if one.outcome.strip()
        for _ in range(one.times)
    ]
    ends = [end for end, _ in known]
    if len(ends) < 2:  # once is not a count
        return "", False
    plain = (*_WELL, *_BADLY, "learning")
    told = [(end, stems) for end, stems in known if not end.casefold().startswith(plain)]
    if told:
        alike = [
            [pair for pair in told if pair[1] == stems or _cosine(pair[1], stems) >= SAME_END]
            for _, stems in told
        ]
        most = max(alike, key=lambda group: (len(group), -len(group[0][0])))
        if len(most) > 1 and 2 * len(most) >= len(ends):
            seen = Counter(stem for _, stems in most for stem in stems)
            said = _within(_sentence(_nearest(most, seen)))
            return f"; {said}, {len(most)} of {len(ends)} times", True
    well = sum(end.casefold().startswith(_WELL) for end in ends)
    badly = sum(end.casefold().startswith(_BADLY) for end in ends)
    if well and badly and 2 * max(well, badly) >= len(ends):
        way, count = ("it went well", well) if well >= badly else ("it failed", badly)
        return f"; {way} {count} of {len(ends)} times", True
    return "", False


# -- commands ------------------------------------------------------------------------------------


def _commands(db: Database) -> Iterator[Proposal]:
    """Commands that fail with one error in several conversations, and what mended it."""
    least = int(number(dict(db.read("store.settings")), "recurs_occasions"))
    talks: dict[int, list[tuple[Any, ...]]] = {}
    for row in db.read("recurring.calls", {"limit": MESSAGES}):
        talks.setdefault(row[1], []).append(row)
    found: dict[tuple[Any, ...], list[tuple[Attempt, int, int]]] = {}
    for rows in talks.values():
        read = [
            (row[3], [p for p in listed(row[4]) if isinstance(p, dict)], row[0], row[5])
            for row in rows
        ]
        for attempt in attempts(read):
            shown = next(
                ((number, at) for _, parts, number, at in read if _shows(parts, attempt)), None
            )
            if shown:
                found.setdefault((rows[0][6:9], attempt.key), []).append((attempt, *shown))
    for (place, name), cases in found.items():
        # One of each conversation is told: attempts() tells a failure once until it is mended.
        if len(cases) < least:
            continue
        command, error = cases[-1][0].command, cases[-1][0].error
        first, last = day(min(at for _, _, at in cases)), day(max(at for _, _, at in cases))
        mended = Counter(attempt.mend for attempt, _, _ in cases if attempt.mend)
        said = f"`{command}` fails with “{error.rstrip('.')}” ({len(cases)} times{_from_to(first, last)})"
        if mended:
            mend, times = mended.most_common(1)[0]
            said += f"; {_mended(mend)}, {times} of {len(cases)} times"
        shown_in = sorted(number for _, number, _ in cases[-EVIDENCE:])
        yield Proposal(f"auto.{name}", "pitfall", f"{said}.", place, [], shown_in)


def _shows(parts: Iterable[dict[str, Any]], attempt: Attempt) -> bool:
    return any(
        attempt.error in one_line(str(part.get("content") or ""))
        for part in parts
        if part.get("type") == "tool_result"
    )


def _mended(mend: str) -> str:
    """ "Mended by running `x`." as it goes within a sentence."""
    way = mend.rstrip(".")
    if way.startswith("Mended by "):
        return f"{way.removeprefix('Mended by ')} mended it"
    return _within(way)


def _telling(text: str) -> str:
    """Return a text without the words that stand in any."""
    said = " ".join(word for word in text.split() if word.casefold() not in ENGLISH)
    return " ".join(tokens(said))


# -- words ---------------------------------------------------------------------------------------


def _sentence(text: str) -> str:
    """Return the first sentence of a text, without its full stop."""
    said = next(iter(sentences(one_line(text))), "")
    if len(said) > LONGEST:
        space = said.rfind(" ", LONGEST // 2, LONGEST)
        said = f"{said[: space if space > 0 else LONGEST]}…"
    return said.rstrip(".!;。！")


def _within(text: str) -> str:
    """Return a sentence as a part of another one: its first word is small, unless it is a name or a shout."""
    first, _, rest = text.partition(" ")
    is_plain = first.casefold() in _SMALL or first.endswith(("ed", "ing"))
    if is_plain and first[:1].isupper() and first[1:].islower():
        return f"{first.lower()} {rest}".rstrip()
    return text


_SMALL = frozenset("it the a an this that we they he she there cleared ran".split())
