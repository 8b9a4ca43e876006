"""Whether two statements speak of the same thing, and whether the newer one ends or changes the older.

Learning, the turn, duplicates and review all ask here. What a statement says of a change is read first: what moved
where ("staging moved to crane"), what is over ("heron is gone"), what took whose place, what is new. Where nothing
says so, a learned sum of what both share and what stands against what decides (`contrast`).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from cogmem.language.contradiction import difference
from cogmem.language.contrast import chance, opposed, sort_of
from cogmem.language.ordinary import per_thousand
from cogmem.language.statement import (
    Statement,
    Word,
    gist,
    kin,
    language_as_written,
    read,
    reason_in,
    undated,
    without,
)
from cogmem.language.table import table
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 300  # characters of a text that is still one statement
AGAINST = 0.5  # chance from which two cannot both hold
CERTAIN = (
    0.8  # … from which the newer one takes the place though nothing says that something changed
)
TELLING = 40.0  # of a thousand texts; a word that stands in more tells no matter
MOST_CLAUSES = 4
LEAST = 2  # words of a clause; fewer belong to the one before, as ", not on Tuesday" does
MOST_GONE = 3  # words that name what is over
MOST_BESIDE = 4  # words of a value beside what moved
_CLAUSE = re.compile(r"(?<=\w)[.!。！](?:\s+|$)|[,;] |[，；、]| [–—-] |(?<=\w): ")


class Judged(NamedTuple):
    """What the newer statement does to the older one.

    `ends` it, `changes` it, `lessens` it: one of several is over; or stands `against` it: both cannot
    hold, but nothing says which one does.
    """

    relation: str
    reason: str
    gone: Sequence[Word] = ()  # the words of the older one that hold no more

    @property
    def replaces(self) -> bool:
        return self.relation in ("ends", "changes")


MOST_WORDS = 24  # of a text that states something; what has more tells a story
MOST_SENTENCES = 2
FEWEST = 2  # words of a statement


@lru_cache(maxsize=4096)
def states(text: str) -> bool:
    """Tell whether a text is a statement that another one can end or change: short, and no question."""
    if (
        len(text) > LONGEST
        or text[:1] in "[("
        or "?" in text
        or "？" in text
        or len(text.split()) > MOST_WORDS
    ):
        return False
    if text.isascii() and text.count(" ") < FEWEST - 1 + 2 * text.endswith("!"):
        return False  # "See ya Nate!"
    return sum(text.count(mark) for mark in (". ", "! ", "。")) < MOST_SENTENCES


def sentences(text: str) -> list[str]:
    """Return the sentences of a message that state something."""
    parts = _sentence_ends(text.isascii()).split(text)
    return [part for part in map(str.strip, parts) if part and states(part)]


@cache
def _sentence_ends(is_ascii: bool) -> re.Pattern[str]:
    marks, letters = (".!?", "A-Z") if is_ascii else (".!?。！？", "A-Z\u3040-\u9fff")
    return re.compile(rf"(?<=[{marks}])\s*(?=[{letters}])|\n+|(?<=[.!?])\s+")


def matter_words(text: str) -> list[Word]:
    """Return the words that tell the matter of a statement, as they were said."""
    return [
        word
        for word in read(text).words
        if word.sense not in ("i", "be")
        and "he" not in word.classes
        and per_thousand(word.said) < TELLING
    ]


@lru_cache(maxsize=2048)
def matter_of(text: str) -> frozenset[str]:
    """Return what tells the matter of a statement: its words but for their endings, or its signs."""
    found: set[str] = set()
    for word in matter_words(text):
        is_plain = word.said.isascii()
        if not is_plain and any("\u3400" <= sign <= "\u9fff" for sign in word.said):
            found.update(word.said)
        else:
            found.add(word.sense[:5] if word.sense.isalpha() else word.sense)
    return frozenset(found)


@lru_cache(maxsize=4096)
def judge(old: str, new: str, corrects: bool = False) -> Judged | None:
    """Say what the newer statement does to the older one; None where both may hold, or say the same.

    `corrects`: the newer one was said to set something right.
    """
    old, new = undated(old), undated(new)
    if not states(old) or not states(new) or not may_touch(old, new):
        return None
    found = _of_its_parts(old, new, corrects)
    return None if found is None or difference(old, new) is None else found


def _of_its_parts(old: str, new: str, corrects: bool) -> Judged | None:
    """Return what one statement does to another one, or to one clause of it."""
    old = reason_in(old)[0]  # where the reason is over, what rests on it is in doubt and not over
    bare = reason_in(new)[0]
    parts = clauses(old)
    if len(parts) > 1:  # "Reports go out on Mondays, Jo reads them": one of them may be over
        for part in parts:
            found = _judged(part, bare, corrects, is_part=True) if may_touch(part, bare) else None
            if found is not None and found.replaces:
                return found
    found = _judged(old, bare, corrects)
    if found is None and bare != new:  # "crane, because heron is gone"
        found = _judged(old, new, corrects)
    return found


def _judged(old: str, new: str, corrects: bool, is_part: bool = False) -> Judged | None:
    """Return what one statement without its reason does to another one, or to one clause of it."""
    held, whole = read_both(old, new)
    language = held.language
    if is_part and not _says_something(held):
        return None
    if not held.words or not whole.words or "past" in held.flags:
        return None
    if "if" in held.flags and "if" in whole.flags:
        return None  # each holds in a case of its own
    parts = [read(clause, language) for clause in clauses(new)]
    for at, said in enumerate(parts):
        if at and said.words and _points_back(said):
            said = parts[at] = _spelled_out(parts[at - 1], said)
        found = _told(held, said, whole)
        if found is not None:
            return found
    if len(parts) > 1 and (found := _dismissed(held, parts, whole)) is not None:
        return found
    if "new" in whole.flags and (found := _new_one(held, whole)) is not None:
        return found
    if "also" in whole.flags and not whole.events and not whole.denied:
        return None  # "Dana handles sales too now"
    if "now" in whole.flags:
        for said in parts:
            if (found := _on_other_days(held, said)) is not None:
                return found
    if is_part and not any(_have_one_subject(held, said) for said in parts):
        return None
    if not whole.events:
        found = _contrasted(held, whole, corrects) or (
            _contrasted(held, parts[0], corrects) if len(parts) > 1 else None
        )
        return found or _named_shorter(held, parts)
    for said in parts if any(said.events for said in parts) else (whole,):
        if (
            _may_stand_against(held, said)
            and (found := _contrasted(held, said, corrects)) is not None
        ):
            return found
    return _named_shorter(held, parts)


def may_touch(old: str, new: str) -> bool:
    """Tell whether two statements may have anything to do with each other, which costs a tenth of judging them.

    They have a word in common, or at least the letters that kin words begin with; or both tell of who speaks, and
    the newer one of a move, or both of what the speaker is.
    """
    language = _language_of_both(old, new)
    held, said = gist(old, language), gist(new, language)
    if not (held.starts.isdisjoint(said.starts) and held.starts and said.starts):
        return True
    if held.flags.isdisjoint(_SPEAKING) or said.flags.isdisjoint(_SPEAKING):
        return False
    return "moved" in said.flags or not (
        held.flags.isdisjoint(_BEING) or said.flags.isdisjoint(_BEING)
    )


_SPEAKING = frozenset(("i", "me"))
_BEING = frozenset(("be", "was"))


def _says_something(held: Statement) -> bool:
    """Tell whether a clause says something by itself: "it is slow" does not."""
    if not held.words or "he" in held.words[0].classes:
        return False
    verb = held.verb()
    return 0 < verb < len(held.words) - 1 or (
        verb == len(held.words) and held.words[0].sense == "i" and len(held.words) > LEAST
    )


def read_both(old: str, new: str) -> tuple[Statement, Statement]:
    """Read two statements in one language: the one in which both are written, or what both together tell."""
    language = _language_of_both(old, new)
    return read(old, language), read(new, language)


def _language_of_both(old: str, new: str) -> str:
    language = language_as_written(old)
    return language if language_as_written(new) == language else language_as_written(f"{old} {new}")


@lru_cache(maxsize=512)
def clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of a statement, a few at most; one too short to say anything belongs to what is before."""
    found: list[str] = []
    at = 0
    for mark in (*_CLAUSE.finditer(text), None):
        part = text[at : mark.start() if mark else None].strip()
        if found and part.isascii() and (len(part.split()) < LEAST or _begins_with_no(part)):
            found[-1] = text[text.rindex(found[-1]) : mark.start() if mark else None].strip()
        elif part:
            found.append(part)
        at = mark.end() if mark else at
    return tuple(found[:MOST_CLAUSES]) if len(found) > 1 else (text,)


def _begins_with_no(clause: str) -> bool:
    return "not" in table(language_as_written(clause)).words.get(clause.split()[0].lower(), ())


def _points_back(said: Statement) -> bool:
    """Tell whether a clause speaks of what the one before it named: "it's cache2 now"."""
    first = said.words[0]
    return "he" in first.classes and said.verb() == 1


def _spelled_out(before: Statement, said: Statement) -> Statement:
    """Return a clause that points back, with what it points to in the place of "it"."""
    whole = Statement(said.language)
    end = min([at for _, at in before.events] + [before.verb()])
    named = [word for word in before.words[:end] if not word.prep] or before.words[:1]
    whole.words = [*named, *said.words[1:]]
    whole.flags = {*said.flags, "now"} if before.events else said.flags
    moved_by = len(named) - 1
    whole.denied = [at + moved_by for at in said.denied]
    return whole


_PLACES = ("in", "to", "with")


def _dismissed(held: Statement, parts: Sequence[Statement], whole: Statement) -> Judged | None:
    """ "The queue is on kafka, rabbit fell over twice": another value in one clause, the old one dismissed."""
    matter = _matter(held.words)
    heads = [_matter(other.words[: max(1, min(other.verb(), MOST_GONE))])[:1] for other in parts]
    heads = [
        [word for word in matter for one in head if word.begins == one.begins and kin(word, one)]
        for head in heads
    ]
    if not any(heads):
        return None
    for said in parts:
        own = _matter(said.words)
        old = without(matter, own)
        theme = [word for word in matter if word not in old]
        value = without(own, held.words)
        is_answer = len(held.words) == len(old) <= 2  # "S3 then"
        is_answer = is_answer and said.speaks() and any(word.prep in _PLACES for word in value)
        if not (theme or is_answer) or not value or not old or said.denied:
            continue
        if len(value) > MOST_BESIDE:
            continue
        for other, named in zip(parts, heads, strict=True):
            if (
                other is said
                or not other.words
                or (not theme and not other.events and other.verb() == len(other.words))
            ):
                continue
            gone = [word for word in named if word in old]
            # Who left, or does it no more, may be its subject.
            if "over" not in [event for event, _ in other.events] and len(gone) < len(old):
                verb = held.verb() if held.verb() < len(held.words) else 1
                gone = [word for word in gone if word not in held.words[:verb]]
            if not gone or without(theme, other.words) != theme:
                continue
            one, new = sort_of(gone), sort_of(value[-1:])
            if one in ("day", "number") and sort_of(value) == one:
                return _changes(gone, value)
            is_told = "now" in whole.flags or said.events or other.events
            if is_told and {one, new} <= {"name", "word", "code"}:
                return _changes(gone, value)
    return None


# -- what a statement says of a change -----------------------------------------------------------


class _Change(NamedTuple):
    """What is held, and a clause that tells of a change: before which of its words, and in which statement."""

    held: Statement
    said: Statement
    at: int
    whole: Statement


def _told(held: Statement, said: Statement, whole: Statement) -> Judged | None:
    """Return what a clause that tells of a change does to what is held."""
    for event, at in said.events or _given_away(said):
        rule = _EVENTS.get(event)
        found = rule(_Change(held, said, at, whole)) if rule is not None else None
        if found is not None:
            return found
    return _no_more(held, said) if "nomore" in said.flags else None


def _given_away(said: Statement) -> list[tuple[str, int]]:
    """ "We gave Bruno to my parents": whoever gives something has it no more."""
    verb = 1 if len(said.words) > 1 and said.words[0].sense == "i" else 0
    gives = verb and "give" in said.words[verb].classes
    given = gives and any(word.prep == "to" for word in said.words[verb + 1 :])
    return [("over", verb)] if given else []


def _moved(one: _Change) -> Judged | None:
    """ "Staging moved from heron to crane", "we moved standup to ten": a thing, and its new value."""
    held, said = one.held, one.said
    value = [word for word in said.words if word.prep == "to"]
    over = said.words[said.denied[-1] :] if said.denied and said.denied[-1] > one.at else []
    source = [word for word in said.words if word.prep == "from" or word in over]
    theme = _matter(
        [
            word
            for word in said.words
            if word.prep not in ("to", "from", "instead") and word not in over
        ]
    )
    if (
        said.words[one.at : one.at + 1]
        and said.words[one.at] in theme
        and not _is_in(theme, held.words)
    ):
        theme = [word for word in theme if word not in said.words[: one.at]]  # who moved it
    if not value or not without(value, held.words):
        return None
    if source and theme and _is_in(theme, held.words) and _is_in(source, held.words):
        return _changes(source, value)
    if source and not theme and (_ends(held, source, []) or _goes_by(held, source)):
        return _changes(source, value)
    if not theme:
        return _speaker_moved(held, said, value)
    if (found := _on_another_day(held, theme, value)) is not None:
        return found
    has = any("have" in word.classes for word in held.words)
    if has and (held.denied or not _is_more_or_less(held, theme, value)):
        return None
    if source or not (_is_about(held, theme) or (has and len(theme) > 1)):
        return None
    rest = [word for word in without(held.words, theme) if not word.is_verb and word.sense != "i"]
    if not rest or len(rest) > MOST_BESIDE or not _of_one_sort(rest, value):
        return None
    return _changes(rest, value)


def _is_more_or_less(held: Statement, theme: Sequence[Word], value: Sequence[Word]) -> bool:
    """ "The free plan has five projects", "the free plan was cut to three projects": another number of the same."""
    olds = [word for word in held.words if word.is_number]
    counted = [word for word in value if not word.is_number]
    is_one = len(olds) == 1 and len(counted) + 1 == len(value) and bool(counted)
    return is_one and _is_in(theme, held.words) and _is_in(counted, held.words)


def _on_another_day(held: Statement, theme: Sequence[Word], value: Sequence[Word]) -> Judged | None:
    """ "We have swimming every Wednesday at five", "swimming moved to Thursday"."""
    if sort_of(value) not in ("day", "number") or not _is_in(theme, held.words):
        return None
    rest = without(_matter(held.words), theme)
    times = _times(rest)
    others = [word for word in rest if word not in times]
    subject = [word for word in _matter(held.words[: held.verb()]) if word not in times]
    if not times or len(others) > 1 or not _is_in(subject, theme):
        return None
    is_joined = any(
        word.prep == "with" for word in (*others, *(w for w in held.words if _is_in([w], theme)))
    )
    return None if is_joined else _changes(times, value)


def _on_other_days(held: Statement, said: Statement) -> Judged | None:
    """ "I run every Tuesday", "I do my runs on Mondays now": one habit, and nothing else but its days differs."""
    if held.denied or said.denied:
        return None
    if held.speaks() != said.speaks() and not (held.speaks() and "mine" in said.flags):
        return None
    olds, news = _times_of(held), _times_of(said)
    if not olds or not news or not without(news, olds):
        return None
    about = [word for word in held.words if word not in olds and word.sense != "i"]
    habit = [word for word in said.words if word not in news and word.sense != "i"]
    does = [word for word in habit if word.is_verb and word.said != "be"]
    named = [word for word in habit if not word.is_verb] or does
    bound = [word for word in about if not word.prep and not word.is_verb] or about
    subject = [word for word in held.words[: held.verb()] if word in bound]
    if len(subject) > 1 and subject[-1].is_name and "owner" not in held.flags:
        bound = [word for word in bound if word not in subject[:-1]]  # "my sister Noa"
    if not named or not _is_in(named, about) or not _is_in(bound, habit):
        return None
    return _changes(olds, news)


def _times_of(said: Statement) -> list[Word]:
    if said.times is None:
        said.times = _times(said.words)
    return said.times


def _times(words: Sequence[Word]) -> list[Word]:
    """Return the words that name days, hours, and parts of the day."""
    return [
        word
        for word in words
        if sort_of([word]) in ("day", "number")
        or any(one.startswith(("quality:hourly:", "calendar:")) for one in word.classes)
    ]


def _speaker_moved(held: Statement, said: Statement, value: Sequence[Word]) -> Judged | None:
    """ "I relocated to Porto", of "I live in Berlin"."""
    if not said.speaks() or not held.speaks():
        return None
    rest = [word for word in held.words if not word.is_verb and word.sense != "i"]
    lives = any("live" in word.classes for word in held.words) or (
        held.verb() < len(held.words)
        and held.words[held.verb()].said == "be"
        and rest[:1]
        and rest[0].prep == "in"
    )
    return _changes(rest, value) if lives and rest and sort_of(value) != "number" else None


def _over(one: _Change) -> Judged | None:
    """ "Heron is gone", "we dropped heron for staging"."""
    held, said = one.held, one.said
    if sum(at <= one.at for at in said.denied) > 1:
        return None  # "never give up"
    gone = _matter([word for word in said.words if not word.prep and "give" not in word.classes])
    beside = _matter([word for word in said.words if word.prep in ("for", "in")])
    gone = [word for word in gone if not any(own.is_verb and kin(word, own) for own in held.words)]
    if not gone or len(gone) > MOST_GONE:
        return None
    if _is_one_of_several(held, gone):
        return _over_with(gone)._replace(relation="lessens")
    if said.speaks() and "owner" in held.flags and held.words[0].is_name:
        return None  # "we left Berlin", of "Ann's team sits in Berlin"
    if not _is_in(beside, held.words):  # "we left Adyen for Mollie"
        instead = [word for word in beside if word.prep == "for" and not word.article]
        is_left = instead == beside and (_ends(held, gone, []) or _goes_by(held, gone))
        return _changes(gone, instead) if is_left else None
    return _over_with(gone) if _ends(held, gone, beside) else None


def _is_one_of_several(held: Statement, gone: Sequence[Word]) -> bool:
    """Tell whether these are one of what the speaker has: "Bruno", of "we have two cats, Pixel and Bruno"."""
    verb = held.verb()
    has = verb < len(held.words) and "have" in held.words[verb].classes
    if not has or not held.speaks() or held.denied or len(gone) > 1:
        return False
    value = held.words[verb + 1 :]
    last = next((at for at, word in enumerate(value) if word.prep == "with"), 0)
    return bool(last) and _is_in(gone, value[last - 1 : last + 1])


def _replaced(one: _Change) -> Judged | None:
    """ "We replaced heron with crane", "crane replaces heron"."""
    held, said, at = one.held, one.said, one.at
    value = [word for word in said.words if word.prep in ("with", "by", "to", "from")]
    bare = _matter([word for word in said.words if not word.prep])
    beside = _matter([word for word in said.words if word.prep in ("for", "as", "in")])
    if not value and "swap" in said.flags:  # "we swapped otter for badger"
        value = [word for word in beside if word.prep == "for"]
        beside = [word for word in beside if word not in value]
    if not value:
        value, bare = said.words[:at], _matter([word for word in said.words[at:] if not word.prep])
    if not bare or not without(value, held.words) or not _is_in(beside, held.words):
        return None
    if len(bare) > MOST_GONE or not _ends(held, bare, beside):
        return None
    found = _changes(bare, value)
    return found._replace(relation="against") if _is_of_somebody(held) else found


def _took_over(one: _Change) -> Judged | None:
    """ "Kofi takes over billing", of "Marta owns billing"."""
    held, said, at = one.held, one.said, one.at
    who = _matter([word for word in said.words[:at] if not word.prep])
    what = _matter([word for word in said.words[at:] if word.prep != "from"]) or _matter(
        [word for word in said.words if word.prep]
    )
    if not who or not what or not _is_in(what, held.words):
        return None
    had = [word for word in without(held.words, what) if not word.is_verb]
    source = [word for word in said.words if word.prep == "from"]
    if source and _is_in(source, held.words) and not _is_in(source, what) and not held.denied:
        return _changes(source, who)
    if (
        not any("holder" in word.classes for word in held.words)
        or not without(who, held.words)
        or not had
    ):
        return None
    return _changes(had, who)


def _instead(one: _Change) -> Judged | None:
    """ "Memcached instead of Redis for the cache", "spaces, not tabs"."""
    held, said, whole = one.held, one.said, one.whole
    gone = _matter([word for word in said.words if word.prep == "instead"])
    if not gone or len(gone) > MOST_GONE or not _is_in(gone, held.words):
        return None
    if all(word.prep == "instead" for word in held.words if _is_in([word], gone)):
        return None  # the older one turns it down as well
    shared = [
        w
        for w in held.words
        if not w.is_verb and w.sense != "i" and w not in without(held.words, whole.words)
    ]
    if not [word for word in shared if not _is_in([word], gone)] and not _ends(held, gone, []):
        return None
    return _changes(gone, without(whole.words, held.words))


def _no_more(held: Statement, said: Statement) -> Judged | None:
    """ "We don't use Jenkins any more", "I no longer live in Berlin"."""
    gone = _matter(said.words)
    if not gone or not _is_in(gone, held.words):
        return None
    if bool(held.denied) or len(without(_matter(held.words), gone)) > 2:
        return None
    first = held.words[0].sense == "i" or said.words[0].sense != "i"
    return _over_with(gone) if first else None


def _new_one(held: Statement, said: Statement) -> Judged | None:
    """ "Milo has a new teacher, Mr. Lindqvist", "Teo is the new design lead": there was another one before."""
    at = next((at for at, word in enumerate(said.words) if "new" in word.classes), len(said.words))
    stop = next((stop for stop in said.breaks if stop > at), len(said.words))
    before, what, value = said.words[:at], said.words[at + 1 : stop], said.words[stop:]
    if not value:
        is_named = any(word.said == "be" for word in before)
        verb = next((n for n, word in enumerate(what) if word.said == "be"), len(what))
        what, value = (what, before) if is_named else (what[:verb], what[verb + 1 :])
        before = [] if is_named else before
    if (
        not what
        or not value
        or len(what) > MOST_GONE
        or any("many" in word.classes for word in what)
    ):
        return None
    verb = held.verb()
    subject = [word for word in held.words[:verb] if word.sense != "i"]
    rest = _matter(held.words[verb + 1 :])
    if (
        verb == len(held.words)
        or not subject
        or not rest
        or not without(_matter(value), held.words)
    ):
        return None
    owner = _matter(before)
    if without(what, subject) or without(subject, [*what, *owner]) or without(owner, subject):
        return None
    return _changes(rest, _matter(value)) if _of_one_sort(rest, value) else None


_EVENTS = {
    "moved": _moved, "over": _over, "replaced": _replaced, "tookover": _took_over, "instead": _instead,
}  # fmt: skip


def _matter(words: Sequence[Word]) -> list[Word]:
    """Return the words that name things: no verb, and not who speaks."""
    return [
        word
        for word in words
        if not word.is_verb and word.sense != "i" and "he" not in word.classes
    ]


def _is_in(words: Sequence[Word], others: Sequence[Word]) -> bool:
    return not without(words, others)


def _is_about(held: Statement, theme: Sequence[Word]) -> bool:
    """Tell whether a statement is about this: it is its subject, or what the speaker does it for."""
    if not _is_in(theme, held.words):
        return False
    verb = held.verb()
    if verb == len(held.words) and held.events and held.events[0][1]:
        verb = held.events[0][1]  # "the cache goes to Memcached" says where it is
    subject = [word for word in held.words[:verb] if word.sense != "i"]
    if verb == len(held.words) and held.words[0].sense == "i":
        return True  # "we cache sessions in Redis"
    if subject:
        return any(kin(word, other) for word in subject for other in theme) and not without(
            subject, theme
        )
    behind = [word for word in held.words[verb + 1 :] if word.prep in ("for", "as", "in", "with")]
    return (bool(behind) and _is_in(theme, behind)) or (
        held.words[0].sense == "i" and bool(behind or len(held.words) < 5)
    )


def _ends(held: Statement, gone: Sequence[Word], beside: Sequence[Word]) -> bool:
    """Tell whether a statement is over with these: they are what it says of its subject, or what its speaker uses."""
    if not _is_in(gone, held.words) or held.denied:
        return False
    verb = held.verb()
    if len(held.words) == len(gone):
        return True  # an answer that said no more than its choice: "Mollie"
    if verb == len(held.words):  # "I chose walnut for the bookshelf"
        came = ("", "to", "with", "by") if held.events else ("",)  # "we moved staging to heron"
        return held.words[0].sense == "i" and all(
            word.prep in came for word in held.words if _is_in([word], gone)
        )
    subject, value = held.words[:verb], held.words[verb + 1 :]
    if not _is_in(gone, value):
        return False
    named = [word for word in value if word.prep not in ("for", "as", "with")]
    rest = without(_matter(named), gone)
    is_value = _is_in(gone, named) and (len(rest) <= 1 or named[0] not in rest)
    if not is_value or ("have" in held.words[verb].classes and not subject):
        return False
    if held.words[verb].said == "be":
        return not any(word.prep == "in" for word in value if _is_in([word], gone)) or bool(beside)
    if "one" in held.words[verb].classes and all(
        word.prep == "in" for word in value if _is_in([word], gone)
    ):
        return True  # "staging runs on heron"
    return all(word.sense == "i" or "he" in word.classes for word in subject)


def _goes_by(held: Statement, gone: Sequence[Word]) -> bool:
    """Tell whether these are what the speaker does something with: "we send invoices with Billomat"."""
    means = [word for word in held.words if _is_in([word], gone)]
    verb = held.verb()
    is_told = held.words[0].sense == "i" and not held.denied
    is_told = is_told and (
        verb == len(held.words) or (verb == 1 and "one" in held.words[1].classes)
    )
    return (
        is_told and bool(means) and all(word.prep in ("with", "by", "in", "as") for word in means)
    )


def _is_of_somebody(held: Statement) -> bool:
    """Tell whether it may say where a person is: "Bob works in Berlin", and not "the cache lives in Redis"."""
    subject = held.words[: held.verb()]
    verb = held.words[held.verb() : held.verb() + 1]
    return (
        len(subject) == 1
        and not subject[0].article
        and bool(verb)
        and bool({"=work", "=live"} & verb[0].classes)
        and subject[0].sense != "i"
    )


def _of_one_sort(rest: Sequence[Word], value: Sequence[Word]) -> bool:
    first = [word for word in rest if word.prep == rest[0].prep]
    one, other = sort_of(first), sort_of(value)
    return (
        one == other
        or {one, other} <= {"name", "word", "code"}
        or {one, other} <= {"number", "day"}
    )


def _said(words: Sequence[Word]) -> str:
    return " ".join(word.said for word in words[:3])


def _changes(gone: Sequence[Word], value: Sequence[Word]) -> Judged:
    return Judged("changes", f"“{_said(gone)}” against “{_said(value)}”", tuple(gone))


def _over_with(gone: Sequence[Word]) -> Judged:
    return Judged("ends", f"the newer one says that “{_said(gone)}” is over", tuple(gone))


def _may_stand_against(held: Statement, said: Statement) -> bool:
    """Tell whether a clause says more than that something else changed."""
    if not said.events:
        return len(said.words) > 2 or len(_matter(said.words)) > 1
    theme = _matter([word for word in said.words if word.prep not in ("to", "from")])
    if any(word.prep == "to" for word in said.words):
        return False
    return (
        bool(theme)
        and {event for event, _ in said.events} == {"moved"}
        and _is_in(theme, held.words)
    )


# -- what stands against what --------------------------------------------------------------------


def tells_of_change(text: str) -> bool:
    """Tell whether a statement says by itself that something is otherwise now."""
    said = read(text)
    return bool(said.events or said.flags & {"now", "nomore", "opening"})


def akin(text: str) -> list[str]:
    """Words to look for beside those of a statement: who moved lived somewhere, whatever the words."""
    said = read(text)
    if not said.speaks() or not any(event == "moved" for event, _ in said.events):
        return []
    words = table(said.language).words
    return [word for word in words if "live" in words[word] and " " not in word]


def _are_of_one_matter(held: Statement, said: Statement, rest: Sequence[Word]) -> bool:
    """Tell whether two statements may speak of the same thing: a telling word is shared, or a way of life. `rest` is
    what the held one has alone."""
    if held.words and said.words and held.words[0].sense == said.words[0].sense == "i":
        verbs = {row.words[row.verb()].said for row in (held, said) if row.verb() < len(row.words)}
        if verbs == {"be"}:
            return True
    for word in held.words:
        if word in rest or word.sense == "i" or word.said == "be" or "he" in word.classes:
            continue
        if word.is_verb:
            if "one" in word.classes or "use" in word.classes or "liking" in str(word.classes):
                return True
        elif per_thousand(word.said) < TELLING:
            return True
    return False


def _contrasted(held: Statement, said: Statement, corrects: bool) -> Judged | None:
    olds = without(held.words, said.words)
    if not _are_of_one_matter(held, said, olds):
        return None
    begin_alike = held.words[0] not in olds
    if not begin_alike and not any(word.is_verb for word in (*held.words, *said.words)):
        return None  # "Old rules of the house", "New rules of the house": titles
    if _are_of_two_things(held, said):
        return None
    likely = chance(held, said, corrects)
    if likely < AGAINST:
        return None
    news = without(said.words, held.words)
    if _is_how_many(news) and not _is_how_many(olds) and any(word.prep == "in" for word in olds):
        return None  # "the team sits in Berlin", "the team is eight people now"
    reason = (
        f"“{_said(olds)}” against “{_said(news)}”"
        if olds and news
        else "one denies what the other says"
    )
    changed = corrects or bool(said.flags & {"now", "nomore"})
    changed = changed or ("opening" in said.flags and likely >= CERTAIN)  # "actually, …"
    is_certain = likely >= CERTAIN and bool(held.denied) == bool(said.denied)
    if is_certain and not changed:
        is_certain = not any(opposed(one, other, True) for one in olds for other in news)
    return Judged("changes" if changed or is_certain else "against", reason, tuple(olds))


def _is_how_many(words: Sequence[Word]) -> bool:
    values = [word for word in words if not word.is_verb]
    return sort_of(values) == "number" and not any(word.prep for word in values)


def _have_one_subject(held: Statement, said: Statement) -> bool:
    mine, its = held.words[: held.verb()], said.words[: said.verb()]
    is_named = not any(word.sense == "i" or "he" in word.classes for word in mine)
    return is_named and bool(mine) and not without(mine, its) and not without(its, mine)


def _named_shorter(held: Statement, parts: Sequence[Statement]) -> Judged | None:
    """ "The broker is mqtt.lan", "the MQTT broker is on nas.lan now": likely one thing, but there may be two."""
    verb = held.verb()
    for said in parts:
        is_told = "now" in said.flags and said.verb() < len(said.words)
        if not is_told or not 0 < verb < len(held.words) or held.denied or said.denied:
            continue
        mine, its = held.words[:verb], said.words[: said.verb()]
        short, long = sorted((mine, its), key=len)
        if (
            not short
            or len(long) - len(short) != 1
            or without(short, long)
            or not kin(short[-1], long[-1])
        ):
            continue
        if short[0].sense == "i" or any(word.is_name for word in short):
            continue
        whole = Statement(said.language)
        whole.words = [*mine, *said.words[said.verb() :]]
        whole.flags = said.flags
        found = _contrasted(held, whole, False)
        if found is not None:
            return found._replace(relation="against")
    return None


def _are_of_two_things(held: Statement, said: Statement) -> bool:
    """ "The deadline for alpha is in May", "the deadline for beta is in May": each has its own."""
    olds = without(held.words[: held.verb()], said.words)
    news = without(said.words[: said.verb()], held.words)
    mine, its = held.words[: held.verb()], said.words[: said.verb()]
    of_one = [row for row in (held, said) if "owner" in row.flags and row.words[0].is_name]
    if mine and its and of_one and len(mine) != len(its) and not without(mine[:1], its[:1]):
        return True  # "Ann's team sits in Berlin", "Ann sits in Porto"
    return (
        bool(olds and news)
        and held.verb() < len(held.words)
        and olds[0].prep == news[0].prep != ""
        and not without(held.words[held.verb() :], said.words)
    )
