"""The newer statement wins: what a later message, or a memory, ends or changes is left out, or told with that mark.

"We use Redis for the cache" stays in the record when "the cache goes to Memcached instead" is said a month later, and
both fit the prompt equally well. The judge of statements decides, as it does when something is learned; here it reads
the sentences of the best messages that share a word with the prompt. A message that is over
is left out with what stands around it and adds nothing; what took its place is shown, however little it says of the
prompt. What names a thing that was replaced since, or tells of what was changed, is marked. Who asks for history gets
both.
"""

from __future__ import annotations

from cogmem.language.asked_past import asked_past
from cogmem.language.ordinary import TELLING, per_thousand
from cogmem.language.table import has_class
from cogmem.records import json_list
from cogmem.search.ground import BITS
from cogmem.text.lines import BY_THE_USER, bare, line, told_day
from cogmem.turn.chosen import DOUBT, may_be_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Container, Mapping, Sequence

    from cogmem.file.db import Database
    from cogmem.search.memories import Candidate
    from cogmem.search.messages import Evidence
    from cogmem.turn.activation import Wanted
    from cogmem.turn.block import Costs, Item

LOOKED_AT = 12  # of the best messages: what is further down seldom finds room
READ = 400  # characters of a message that are read
AROUND = 8  # messages before and after a stale one that belong to it
MATTER = 0.6  # share of the most that any sentence says of the prompt: less is another matter
SAME = 0.5  # share of what the earlier one says that the later one says too
LIKE = 0.4  # … of their words at a glance; what has less is not read, unless it tells of a change
OF_IT = 0.2  # share of the words of an earlier one that what tells of a change must have
ENUMERATED = 2  # earlier ones that a later one may say anew; more are a list, of sprints or of runs
ANY_DAY = 1 << 62  # all that a prompt names is over by then
TOLD_EVENTS = 8  # of the best events and statements that are held beside each other
USER = "user"
MEMORY = -1  # the place of what is no message
KIN = 5  # letters by which two words are taken for one
SIGNS = ".,;:!?()[]\"'“”‘’。，！？"


class _Said:
    """A sentence of a message or a memory, with the words that tell its matter: at a glance, and read once anybody
    asks."""

    __slots__ = ("_matter", "asked", "at", "place", "ref", "tells", "text", "words")

    def __init__(self, text: str, ref: str, at: int, place: int, asked: frozenset[str]) -> None:
        self.text, self.ref, self.at, self.place = text, ref, at, place
        self.asked = asked  # what it says of the prompt
        # Of a message those sentences alone that somebody asks for.
        self.words = _telling_words(text) if asked or place == MEMORY else frozenset[str]()
        self._matter: frozenset[str] | None = None
        self.tells: bool | None = None  # that something is otherwise now, once anybody asked

    @property
    def matter(self) -> frozenset[str]:
        if self._matter is None:
            from cogmem.language.judge import matter_of  # to load it takes longer than a turn

            self._matter = matter_of(self.text)
        return self._matter


class Amended:
    """What is over, for one prompt; a message is read once."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self.chosen: Container[str] = ()  # names of the messages that are told before all others
        self._starts: dict[str, list[str]] = {}  # of forms of the prompt's terms: the first forms
        self._whole: list[
            tuple[str, str]
        ] = []  # … of those that may stand in a text without spaces
        for term in wanted.cue.terms:
            for form in term.forms:
                self._starts.setdefault(form[:KIN], []).append(term.forms[0])
                if not form.isascii():
                    self._whole.append((form, term.forms[0]))
        self._read: dict[tuple[str, str], list[_Said]] = {}
        self._of_text: dict[str, frozenset[str]] = {}
        self._is_history: bool | None = None

    def _asks_for_history(self) -> bool:
        if self._is_history is None:
            prompt = self._wanted.text
            asked = asked_past(prompt, self._wanted.cue.spans, ANY_DAY)
            self._is_history = asked is not None or has_class(prompt[:READ], "history")
        return self._is_history

    def may_be_told(self, found: Collection[Evidence]) -> set[str]:
        """Return the names of those that may be told, unless they are over."""
        may_be = may_be_told(self._wanted, [one.place for one in found])
        return {one.ref for one in found if one.place in may_be or one.ref in self.chosen}

    def among(
        self,
        found: Sequence[Evidence],
        statements: Sequence[tuple[str, str, int]] = (),
        ended: Container[str] = (),
    ) -> tuple[dict[str, int], set[str]]:
        """Return the names of messages and statements that are over, each with the instant of what took its place;
        whose names follow.

        `statements` are memories of today: their uids, texts, and the instants of their learning; `ended` are the
        bare texts of what they took the place of. A message may be newer than a statement, where nothing heard it.
        """
        found = found[:LOOKED_AT]
        refs = {one.ref: one for one in found if one.who == USER}
        may_go = self.may_be_told(refs.values())
        may_change = may_go and _are_apart([one.place for one in refs.values()])
        if not refs or not (statements or ended or may_change) or self._asks_for_history():
            return {}, set()
        from cogmem.language.framing import undated

        said = [sentence for one in refs.values() for sentence in self._sentences(one)]
        bare_of = [(uid, undated(text), at) for uid, text, at in statements]
        told = [_Said(text, uid, at, MEMORY, self._of(text)) for uid, text, at in bare_of]
        may_go.update([uid for uid, _, _ in statements])
        by_word: dict[str, list[_Said]] = {}
        for one in (*said, *told):
            for word in one.words:
                by_word.setdefault(word, []).append(one)
        most = max([len(one.asked) for one in (*said, *told)], default=0)  # it may be signs alone
        stale: dict[str, int] = {}
        heirs: set[str] = set()
        for one in said if ended else ():
            if one.ref in may_go and bare(one.text) in ended:
                rest = [other for other in said if other.ref == one.ref and other is not one]
                if not [other for other in rest if other.asked - one.asked]:
                    stale |= dict.fromkeys(self._around(refs[one.ref], found), 0)
        for later in (*said, *told):
            over: set[str] = set()
            for earlier in _earlier(later, by_word, may_go):
                if (
                    earlier.ref not in stale
                    and earlier.ref not in over
                    and _is_over(earlier, later, most)
                ):
                    over.add(earlier.ref)
            if len(over) > ENUMERATED:
                continue
            for ref in over:
                names = self._around(refs[ref], found) if ref in refs else (ref,)
                stale |= dict.fromkeys(names, later.at)
            if over and later.place == MEMORY:
                heirs.add(later.ref)
            elif over:
                heirs.update([one.ref for one in found if 0 <= one.place - later.place <= 1])
        return stale, heirs - stale.keys()

    def _sentences(self, one: Evidence) -> list[_Said]:
        """Return what a message says."""
        from cogmem.language.judge import statements

        known = self._read.get((one.ref, one.text))
        if known is None:
            known = self._read[one.ref, one.text] = [
                _Said(sentence, one.ref, one.at, one.place, self._of(sentence))
                for sentence in statements(one.text[:READ])
            ]
        return known

    def _of(self, text: str) -> frozenset[str]:
        """Return the terms of the prompt, each by its first form, that a text has."""
        found = self._of_text.get(text)
        if found is None:
            words = {word.strip(SIGNS)[:KIN] for word in text.lower().split()}
            terms = [term for start in words & self._starts.keys() for term in self._starts[start]]
            terms += [term for form, term in self._whole if form in text]
            found = self._of_text[text] = frozenset(terms)
        return found

    def _around(self, stale: Evidence, best: Sequence[Evidence]) -> list[str]:
        """Return a stale message, and what stands around it and says no more of the prompt."""
        own, talk = self._of(stale.text), stale.place >> BITS
        return [
            one.ref
            for one in best
            if one.ref == stale.ref
            or (
                one.place >> BITS == talk
                and abs(one.place - stale.place) <= AROUND
                and self._of(one.text) <= own
            )
        ]


def _telling_words(text: str) -> frozenset[str]:
    """Return the words of a sentence that are not said of everything, but for their endings; of other scripts its
    matter as it is read."""
    if not text.isascii():
        from cogmem.language.judge import matter_of

        return matter_of(text)
    words = [word.strip(SIGNS) for word in text.lower().split()]
    return frozenset([word[:KIN] for word in words if word and per_thousand(word) < TELLING])


def _are_apart(places: Sequence[int]) -> bool:
    """Tell whether any two stand far enough from each other that the one may have changed the other."""
    return max(places) - min(places) > AROUND  # conversations lie further apart than that


def _earlier(
    later: _Said, by_word: Mapping[str, Sequence[_Said]], may_go: Container[str]
) -> list[_Said]:
    """Return what was said before in another place and shares a telling word, each once.

    Where it says nothing of the prompt, nobody asks whether it holds.
    """
    found: dict[int, _Said] = {}
    at, place = later.at, later.place
    for word in later.words:
        for one in by_word[word]:
            if one.at >= at or not one.asked or one.ref not in may_go:
                continue
            if one.place == MEMORY or place == MEMORY:
                if one.place != place:
                    found[id(one)] = one
            elif abs(place - one.place) > AROUND:
                found[id(one)] = one
    return list(found.values())


def _tells(one: _Said) -> bool:
    from cogmem.language.judge import tells_of_change

    if one.tells is None:
        one.tells = tells_of_change(one.text)
    return one.tells


def _is_over(earlier: _Said, later: _Said, most: int) -> bool:
    """Tell whether a later sentence ends or changes an earlier one.

    Where both say most of what is asked, they speak of one thing: then it is enough that the later one tells of a
    change, or says the rest of it anew.
    """
    is_of_memory = earlier.place == MEMORY or later.place == MEMORY
    asked = len(earlier.asked & later.asked)
    alike = len(earlier.words & later.words) >= LIKE * min(len(earlier.words), len(later.words))
    if not (asked and alike) and not _tells(later):
        return False
    shared = len(earlier.matter & later.matter)
    whole = len(earlier.matter)
    fewer = min(whole, len(later.matter))
    if shared < OF_IT * fewer:
        return False
    if not is_of_memory and asked >= max(1, MATTER * most, SAME * len(earlier.asked)):
        # What is said of the thing that is asked for is to stand for what was said before.
        if _tells(later):
            if shared >= OF_IT * whole:
                return True
        elif later.matter - earlier.matter and shared >= SAME * max(2, whole):
            return True
    # Without a change, they must share enough to speak of one thing, and one that is asked for.
    if not (asked and shared >= SAME * fewer) and not _tells(later):
        return False
    from cogmem.language.judge import judge

    found = judge(earlier.text, later.text)
    if found is None or found.replaces:
        return found is not None
    # A memory is marked, a message left out.
    return is_of_memory and found.relation == ("lessens" if earlier.place == MEMORY else "against")


# -- among the lines of a turn -------------------------------------------------------------------


def contradicted(db: Database, uids: list[str]) -> set[str]:
    """Return, of each two of these that cannot both hold, the one that gives way."""
    if len(uids) < 2:
        return set()
    return {uid for (uid,) in db.read("turn.contradicted", {"refs": json_list(uids)})}


def set_right(
    amended: Amended, least: float, said: list[Item], memories: list[Candidate], now: int
) -> None:
    """Messages that a memory of today contradicts are out of date, and it is told in their place, with a chance of
    `least`. Where no message is told anyway, only memories that are likely enough by themselves are looked at."""
    open_to = [item for item in said if not item.stage]
    takes_place = bool(amended.may_be_told([item.of for item in open_to]))
    known = [
        (one.uid, one.content, one.created_at)
        for one in memories
        if one.state == "active"
        and one.is_valid(now)
        and (takes_place or (one.chance or 0.0) >= least)
    ]
    ended = {
        bare(one.content) for one in memories if one.superseded_by is not None or one.is_over(now)
    }
    if not (known or ended) or not open_to:
        return
    stale, heirs = amended.among([item.of for item in said], known, ended)
    over = [item for item in open_to if item.ref in stale]
    for item in over:
        item.stage = "amended"
    for one in memories if stale else ():
        is_said = one.layer == "semantic" or (one.ending or "").startswith(BY_THE_USER)
        if is_said and stale.get(one.uid, 0) > one.reinforced_at:
            _mark_changed(one, stale[one.uid])
    for one in memories if over else ():
        if one.uid in heirs and one.layer == "semantic" and one.chance is not None:
            one.chance = max(one.chance, least)


def doubt_what_names(costs: Costs, said: list[Item], memories: list[Candidate]) -> None:
    """Mark what names something that was replaced since: messages, and what events tell."""
    from cogmem.language.doubt import gone_words
    from cogmem.language.statement import words_in

    def names(text: str, words: Sequence[str], newer: str) -> bool:
        """Tell whether a text names what is over, and does not say so itself."""
        return bare(newer) not in text.casefold() and set(words).issubset(words_in(text))

    open_to = [item for item in said if not item.stage]
    events = [one for one in memories if one.layer == "episodic"]
    if not open_to and not events:
        return
    first = min([*(item.of.at for item in open_to), *(one.created_at for one in events)])
    known = {one.id: one for one in memories}
    over = [
        (old, words, new)
        for old in memories
        if old.superseded_by is not None
        and old.valid_to is not None
        and first < old.valid_to
        and (new := known.get(old.superseded_by)) is not None
        and (words := gone_words(old.content, new.content))
    ]
    for old, words, new in over:
        mark = f"{DOUBT}{' '.join(words)} was replaced on {told_day(old.valid_to)}"
        for item in open_to:
            if item.of.at < old.valid_to and names(item.of.text, words, new.content):
                item.line = line(f"{item.line[2:-1]} ({mark})")
                item.tokens = costs.line(item.line)
        for event in events:
            if event.created_at < old.valid_to and names(event.content, words, new.content):
                event.ending = f"{event.ending}; {mark}" if event.ending else mark


def doubt_what_tells(memories: list[Candidate]) -> None:
    """Mark events that tell what a newer statement changed: "Committed: Send the newsletter on Thursdays"."""
    events = [
        (one, told)
        for one in memories
        if one.layer == "episodic" and (told := one.content.partition(": ")[2].strip(" “”"))
    ]
    if not events:
        return
    newer = [one for one in memories if one.layer != "procedural" and one.superseded_by is None]
    pairs = [
        (event, told, one)
        for event, told in events[:TOLD_EVENTS]
        for one in newer[:TOLD_EVENTS]
        if one.created_at > event.created_at and bare(told) not in bare(one.content)
    ]
    if not pairs:
        return
    from cogmem.language.judge import judge

    changed: dict[str, int] = {}
    for event, told, one in pairs:
        found = judge(told, one.content) if event.uid not in changed else None
        if found is not None and found.replaces:
            changed[event.uid] = one.created_at
    for event, _ in events:
        if event.uid in changed:
            _mark_changed(event, changed[event.uid])


def _mark_changed(one: Candidate, at: int) -> None:
    mark = f"{DOUBT}changed on {told_day(at)}"
    one.ending = f"{one.ending}; {mark}" if one.ending else mark
