"""What a statement that tells of a change does to what is held.

What moved where ("staging moved to crane"), what is over ("heron is gone"), what took whose place, what is new, on
which other days a habit is: each event has its rule, which says what of the older statement holds no more.
"""

from __future__ import annotations

from cogmem.language.contrast import sort_of
from cogmem.language.statement import Statement, Word, kin, without
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_GONE = 3  # words that name what is over
MOST_ELSE = 2  # words of a statement that a newer one knows nothing of and changes all the same
MOST_BESIDE = 4  # words of a value beside what moved


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


class _Change(NamedTuple):
    """What is held, and a clause that tells of a change: before which of its words, and in which statement."""

    held: Statement
    said: Statement
    at: int
    whole: Statement


def told(held: Statement, said: Statement, whole: Statement) -> Judged | None:
    """Return what a clause that tells of a change does to what is held."""
    for event, at in said.events or _given_away(said):
        rule = _EVENTS.get(event)
        found = rule(_Change(held, said, at, whole)) if rule is not None else None
        if found is not None:
            return None if _is_turned_down(held, found.gone) else found
    return _no_more(held, said) if "nomore" in said.flags else None


def _is_turned_down(held: Statement, gone: Sequence[Word]) -> bool:
    """Tell whether the older one says no to it as well: "pnpm, not npm" and "stop using npm" are one wish."""
    return any(word.prep == "instead" and _is_in([word], gone) for word in held.words)


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
    if not value:
        return None
    if not without(value, held.words):
        return _moved_back(held, value)
    if not theme and value[-1].is_number:  # "we upgraded to Python 3.12"
        theme, value = without(value, without(value, held.words)), without(value, held.words)
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
    beside: list[Word] = []
    if not (_is_about(held, theme) or (has and len(theme) > 1)):
        beside = _named_beside(held, theme)
        if not beside:
            return None
    rest = [word for word in without(held.words, theme) if not word.is_verb and word.sense != "i"]
    rest = [word for word in rest if word not in beside]
    if source or not rest or len(rest) > MOST_BESIDE or not _of_one_sort(rest, value):
        return None
    found = _changes(rest, value)
    return found._replace(relation="against") if beside else found


def _moved_back(held: Statement, value: Sequence[Word]) -> Judged | None:
    """ "We switched back to npm", of "we moved from npm to pnpm"."""
    left = [word for word in held.words if word.prep == "from"]
    came = [word for word in held.words if word.prep == "to"]
    return _changes(came, value) if held.events and came and _is_in(value, left) else None


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


def allowed(held: Statement, said: Statement) -> Judged | None:
    """ "You can use emojis again", "emojis are fine now", of "never use emojis"."""
    what = _matter(held.words)
    is_free = "may" in said.flags and bool(held.denied) and not said.denied
    return _over_with(what) if is_free and what and not without(what, said.words) else None


def in_its_role(held: Statement, said: Statement) -> Judged | None:
    """ "We use Redis as our cache", "the cache runs on Memcached now": another one has the role."""
    before, after = _role(held), _role(said)
    if before is None or after is None:
        return None
    (frame, role, old), (other, same_role, new) = before, after
    if without(role, same_role) or without(same_role, role) or not without(new, old):
        return None
    named = all(sort_of(value) in ("name", "code") for value in (old, new))
    if not named or max(len(old), len(new)) > MOST_GONE:
        return None
    found = _changes(old, new)
    return found if frame == other else found._replace(relation="against")


def _role(said: Statement) -> tuple[str, list[Word], list[Word]] | None:
    """Return what has something, and what it has: by use or name ("is"), or by where it is ("in")."""
    verb = said.verb()
    if verb == len(said.words) or said.denied or said.events:
        return None
    classes, subject, behind = said.words[verb].classes, said.words[:verb], said.words[verb + 1 :]
    free = [word for word in behind if not word.prep]
    placed = [word for word in behind if word.prep]
    where = {word.prep for word in placed}
    uses = "use" in classes
    if not subject or (subject[0].sense == "i" and len(subject) == 1):
        if uses and where and where <= {"as", "for"}:
            return ("is", placed, free) if free else None
        if "one" in classes and where and where <= {"in", "to"}:
            return ("in", free, placed) if free else None
        return None
    if any(word.sense == "i" or word.prep or "he" in word.classes for word in subject):
        return None
    is_be = said.words[verb].said == "be"
    if free and not placed:
        return ("is", subject, free) if is_be or uses else None
    if placed and not free and where <= {"in", "to"}:
        return ("in", subject, placed) if is_be or "one" in classes else None
    return None


def on_other_days(held: Statement, said: Statement) -> Judged | None:
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
    told = said.words[: _end_of_what_is_over(said, one.at)]
    gone = _matter([word for word in told if not word.prep and "give" not in word.classes])
    beside = _matter([word for word in told if word.prep in ("for", "in")])
    gone = [word for word in gone if not any(own.is_verb and kin(word, own) for own in held.words)]
    who = said.words[: one.at]
    if who and not who[0].prep and not without(who, held.words[: held.verb()]):
        gone = without(gone, who)  # "Alice left Google"
    if not gone or len(gone) > MOST_GONE:
        return None
    if "must" in held.flags and not held.denied and not without(_matter(held.words), said.words):
        return _over_with(gone)  # "stop writing tests first", of "always write tests first"
    if _is_one_of_several(held, gone):
        return _over_with(gone)._replace(relation="lessens")
    if said.speaks() and "owner" in held.flags and held.words[0].is_name:
        return None  # "we left Berlin", of "Ann's team sits in Berlin"
    if not _is_in(beside, held.words):  # "we left Adyen for Mollie"
        instead = [word for word in beside if word.prep == "for" and not word.article]
        is_left = instead == beside and (_ends(held, gone, []) or _goes_by(held, gone))
        return _changes(gone, instead) if is_left else None
    return _over_with(gone) if _ends(held, gone, beside) else None


def _end_of_what_is_over(said: Statement, at: int) -> int:
    """ "Alice left Google and works at Stripe now": what is done behind it is no part of it."""
    named = next((n for n in range(at, len(said.words)) if not said.words[n].is_verb), at)
    verbs = (n for n in range(named, len(said.words)) if said.words[n].is_verb)
    return next(verbs, len(said.words))


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
    shared = [
        w
        for w in held.words
        if not w.is_verb and w.sense != "i" and w not in without(held.words, whole.words)
    ]
    if not [word for word in shared if not _is_in([word], gone)] and not _ends(held, gone, []):
        return None
    if len(without(without(_matter(held.words), gone), whole.words)) > MOST_ELSE:
        return None  # it says much that the newer one knows nothing of
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


def new_one(held: Statement, said: Statement) -> Judged | None:
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


def _named_beside(held: Statement, theme: Sequence[Word]) -> list[Word]:
    """Return what a statement names its subject by, and a newer one leaves out: "my budget for the trip"."""
    subject = [word for word in held.words[: held.verb()] if word.sense != "i"]
    beside = without(subject, theme)
    is_named = bool(subject) and subject[0] not in beside and _is_in(theme, subject)
    return beside if is_named and all(word.prep for word in beside) else []


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
    return all(word.sense == "i" or "he" in word.classes or word.prep for word in subject)


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


def quoted(words: Sequence[Word]) -> str:
    return " ".join(word.said for word in words[:3])


def _changes(gone: Sequence[Word], value: Sequence[Word]) -> Judged:
    return Judged("changes", f"“{quoted(gone)}” against “{quoted(value)}”", tuple(gone))


def _over_with(gone: Sequence[Word]) -> Judged:
    return Judged("ends", f"the newer one says that “{quoted(gone)}” is over", tuple(gone))


def may_stand_against(held: Statement, said: Statement) -> bool:
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


_PLACES = ("in", "to", "with")


def dismissed(held: Statement, parts: Sequence[Statement], whole: Statement) -> Judged | None:
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
