"""Whether two statements speak of the same thing, and whether the newer one ends or changes the older.

Learning, the turn, duplicates and review all ask here. What a statement says of a change is read first (`events`).
Where nothing says so, a learned sum of what both share and what stands against what decides (`contrast`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile

from cogmem.language import events
from cogmem.language.contradiction import difference
from cogmem.language.contrast import Beside, chance, opposed, sort_of
from cogmem.language.events import Judged
from cogmem.language.framing import reason_in, undated
from cogmem.language.ordinary import TELLING, per_thousand
from cogmem.language.sentences import sentences
from cogmem.language.statement import (
    EVENTS,
    KIN_LEAST,
    Statement,
    Word,
    gist,
    kin,
    language_as_written,
    read,
    says_untrue,
    tokens,
    without,
)
from cogmem.language.table import may_have_class, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_WORDS = 24  # of a text that states something; what has more tells a story
MOST_SENTENCES = 2
FEWEST = 2  # words of a statement
LONGEST = 300  # characters of a text that is still one statement
AGAINST = 0.5  # chance from which two cannot both hold
CERTAIN = 0.8  # … from which the newer one takes the place though nothing says of a change
MOST_CLAUSES = 4
ALLOWED = "allowed"  # the rule by which it is heard what may be done again: it ends what was forbidden, and no more
DEED = 4  # letters with which a deed begins, and what is said of it being done
LEAST = 2  # words of a clause; fewer belong to the one before, as ", not on Tuesday" does
_MARKS = frozenset(".!,;:-")  # one of them parts clauses of ASCII
_CLAUSE = re.compile(r"(?<=\w)[.!。！](?:\s+|$)|[,;] |[，；、]| [–—-] |(?<=\w): ")


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


def statements(text: str) -> list[str]:
    """Return the sentences of a message that state something."""
    return [one for one in sentences(text) if states(one)]


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
    if not _may_be_held_together(old, new):
        return None
    found = _of_its_parts(old, new, corrects)
    return None if found is None or difference(old, new) is None else found


def frees(old: str, new: str) -> Judged | None:
    """Say whether the newer statement allows what the older one forbids."""
    old, new = undated(old), undated(new)
    return events.allowed(*read_both(old, new)) if _may_be_held_together(old, new) else None


def _may_be_held_together(old: str, new: str) -> bool:
    return states(old) and states(new) and may_touch(old, new)


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
    held, whole = _in_one_voice(*read_both(old, new))
    language = held.language
    if is_part and not _says_something(held):
        return None
    if not held.words or not whole.words or "past" in held.flags:
        return None
    if "if" in held.flags and "if" in whole.flags:
        return None  # each holds in a case of its own
    pair = Beside(held, whole)
    if whole.flags.isdisjoint(_CHANGING) and not _may_contrast(pair):
        return None  # as of most
    texts = clauses(new)
    parts = [read(clause, language) for clause in texts] if len(texts) > 1 else [whole]
    for at, said in enumerate(parts):
        if at and says_untrue(said):  # "we deploy on Fridays: that's no longer true"
            said = Statement(language)
            said.words, said.flags = parts[at - 1].words, {*parts[at - 1].flags, "nomore"}
        elif at and said.words and _points_back(said):
            said = parts[at] = _spelled_out(parts[at - 1], said)
        found = events.told(held, said, whole)
        if found is not None:
            return found
    if len(parts) > 1 and (found := events.dismissed(held, parts, whole)) is not None:
        return found
    if "new" in whole.flags and (found := events.new_one(held, whole)) is not None:
        return found
    if "may" in whole.flags and (found := events.allowed(held, whole)) is not None:
        return found
    if "also" in whole.flags and not whole.events and not whole.denied:
        return None  # "Dana handles sales too now"
    if "now" in whole.flags:
        for said in parts:
            found = events.on_other_days(held, said) or events.in_its_role(held, said)
            if found is not None:
                return found
    if is_part and not any(_have_one_subject(held, said) for said in parts):
        return None
    if not whole.events:
        for said in (whole, *parts) if len(parts) > 1 else parts:
            beside = pair if said is whole else Beside(held, said)
            if (found := _contrasted(beside, corrects)) is not None:
                return found
        return _named_shorter(held, parts)
    for said in parts if any(said.events for said in parts) else (whole,):
        if (
            events.may_stand_against(held, said)
            and (found := _contrasted(Beside(held, said), corrects)) is not None
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


_NOW = frozenset(("now", "nomore", "opening"))
_TELLING_OF_CHANGE = _NOW.union(EVENTS, ("since",))  # a "not" behind a comma does as well
_CHANGING = frozenset((*EVENTS, "nomore", "now", "new", "give", "not", "may"))
_MOVING = frozenset(("moved",))
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


def _in_one_voice(held: Statement, said: Statement) -> tuple[Statement, Statement]:
    """ "We host the docs on Heroku", "the docs are hosted on Fly now": what is done as what somebody does."""
    return _as_done(held, said) or held, _as_done(said, held) or said


def _as_done(told: Statement, other: Statement) -> Statement | None:
    """Return a statement of what is done in the words of who does it, if another one tells of the same deed."""
    if told.denied or told.events or not told.words:
        return None
    subject = [*takewhile(lambda word: not word.prep and not word.is_verb, told.words)]
    behind = told.words[len(subject) :] if subject else []
    for at, deed in enumerate(other.words[:2] if behind else ()):
        done = _done(behind, deed)
        if done is None:
            continue
        theme = [*takewhile(lambda word: not word.prep, other.words[at + 1 :])]
        if not theme or without(theme, subject) or without(subject, theme):
            continue
        doers = [word for word in behind if word.prep == "by"] or other.words[:at]
        rest = [word for word in behind if word.prep != "by" and word.said != "be"]
        whole = Statement(told.language)
        whole.words = [*doers, deed, *subject, *[word for word in rest if word is not done]]
        whole.flags = told.flags | {"i", "me"} & other.flags
        return whole
    return None


def _done(words: Sequence[Word], deed: Word) -> Word | None:
    """Return the first word that says that something is done: hosted, gehostet, of "host"."""
    if deed.said == "be" or deed.sense == "i":
        return None
    begins = deed.sense[:KIN_LEAST]
    head = deed.said[:DEED] if len(deed.said) >= DEED and deed.said.isascii() else None
    for word in words:
        if word.sense[:KIN_LEAST] == begins and kin(word, deed):
            return word
        if head is not None and word.said.removeprefix("ge")[:DEED] == head:
            return word
    return None


@lru_cache(maxsize=512)
def clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of a statement, a few at most; one too short to say anything belongs to what is before."""
    if text.isascii() and _MARKS.isdisjoint(text[:-1]):
        return (text,)
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


def tells_of_change(text: str) -> bool:
    """Tell whether a statement says by itself that something is otherwise now."""
    if text.isascii() and "," not in text:
        words = {word.strip(".,;:!?()[]\"'") for word in text.lower().split()}
        if not may_have_class(words, _TELLING_OF_CHANGE):
            return False  # as of most
    said = read(text)
    return bool(said.events or said.flags & _NOW)


def akin(text: str) -> list[str]:
    """Words to look for beside those of a statement: who moved lived somewhere, whatever the words."""
    if text.isascii() and not may_have_class({*tokens(text)[1]}, _MOVING):
        return []  # known at a glance, as of most
    said = read(text)
    if not said.speaks() or not any(event == "moved" for event, _ in said.events):
        return []
    words = table(said.language).words
    return [word for word in words if "live" in words[word] and " " not in word]


def _are_of_one_matter(pair: Beside) -> bool:
    """Tell whether two statements may speak of the same thing: a telling word is shared, or a way of life."""
    held, said = pair.old, pair.new
    if held.words and said.words and held.words[0].sense == said.words[0].sense == "i":
        verbs = {row.words[row.verb()].said for row in (held, said) if row.verb() < len(row.words)}
        if verbs == {"be"}:
            return True
    for word in pair.shared:
        if word.sense == "i" or word.said == "be" or "he" in word.classes:
            continue
        if word.is_verb:
            if "one" in word.classes or "use" in word.classes or "liking" in str(word.classes):
                return True
        elif per_thousand(word.said) < TELLING:
            return True
    return False


def _may_contrast(pair: Beside) -> bool:
    """Tell whether they are of one matter, and no titles: "Old rules of the house", "New rules of the house"."""
    if not _are_of_one_matter(pair):
        return False
    return pair.left[0] not in pair.only_old or any(
        word.is_verb for word in (*pair.left, *pair.right)
    )


def _contrasted(pair: Beside, corrects: bool) -> Judged | None:
    if not _may_contrast(pair) or _are_of_two_things(pair):
        return None
    likely = chance(pair, corrects)
    if likely < AGAINST:
        return None
    held, said, olds, news = pair.old, pair.new, pair.only_old, pair.only_new
    if _is_how_many(news) and not _is_how_many(olds) and any(word.prep == "in" for word in olds):
        return None  # "the team sits in Berlin", "the team is eight people now"
    reason = (
        f"“{events.quoted(olds)}” against “{events.quoted(news)}”"
        if olds and news
        else "one denies what the other says"
    )
    changed = corrects or bool(said.flags & {"now", "nomore"})
    changed = changed or ("opening" in said.flags and likely >= CERTAIN)  # "actually, …"
    is_certain = likely >= CERTAIN and bool(held.denied) == bool(said.denied)
    is_certain = is_certain and (changed or len(olds) <= events.MOST_BESIDE)
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
        found = _contrasted(Beside(held, whole), False)
        if found is not None:
            return found._replace(relation="against")
    return None


def _are_of_two_things(pair: Beside) -> bool:
    """ "The deadline for alpha is in May", "the deadline for beta is in May": each has its own."""
    held, said = pair.old, pair.new
    mine, its = held.words[: held.verb()], said.words[: said.verb()]
    of_one = [row for row in (held, said) if "owner" in row.flags and row.words[0].is_name]
    if mine and its and of_one and len(mine) != len(its) and not without(mine[:1], its[:1]):
        return True  # "Ann's team sits in Berlin", "Ann sits in Porto"
    olds = [word for word in pair.only_old if word in mine]
    news = [word for word in pair.only_new if word in its]
    return (
        bool(olds and news)
        and held.verb() < len(held.words)
        and olds[0].prep == news[0].prep != ""
        and len(olds) == len(pair.only_old)
    )
