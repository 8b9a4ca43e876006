"""The newer statement wins: what a later message, or a memory, ends or changes is not shown beside it.

"We use Redis for the cache" stays in the record when "the cache goes to Memcached instead" is said a month later, and
both fit the prompt equally well. The judge of statements decides, as it does when something is learned; here it reads
the sentences of the best messages that share a word with the prompt. A message that is over
is left out with what stands around it and adds nothing; what took its place is shown, however little it says of the
prompt. Who asks for history gets both.
"""

from __future__ import annotations

from functools import cached_property

from cogmem.language.asked_past import asked_past
from cogmem.language.table import has_class
from cogmem.search.places import conversation_of
from cogmem.text.lines import bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from cogmem.language.cue import Cue
    from cogmem.search.messages import Evidence

LOOKED_AT = 16  # of the best messages: what is further down seldom finds room
READ = 400  # characters of a message that are read
AROUND = 8  # messages before and after a stale one that belong to it
MATTER = 0.6  # share of the most that any sentence says of the prompt: less is another matter
SAME = 0.5  # share of what the earlier one says that the later one says too
OF_IT = 0.2  # share of the words of an earlier one that what tells of a change must have
ENUMERATED = 2  # earlier ones that a later one may say anew; more are a list, of sprints or of runs
ANY_DAY = 1 << 62  # all that a prompt names is over by then
USER = "user"
MEMORY = -1  # the place of what is no message
KIN = 5  # letters by which two words are taken for one
SIGNS = ".,;:!?()[]\"'“”‘’。，！？"


class _Said:
    """A sentence of a message or a memory, with the words that tell its matter."""

    __slots__ = ("asked", "at", "matter", "place", "ref", "tells", "text")

    def __init__(self, text: str, ref: str, at: int, place: int) -> None:
        self.text, self.ref, self.at, self.place = text, ref, at, place
        self.matter: frozenset[str] = frozenset()
        self.asked: set[str] = set()  # what it says of the prompt
        self.tells: bool | None = None  # that something is otherwise now, once anybody asked


class Amended:
    """What is over, for one prompt: a message is read once, and two sentences are held beside each other once."""

    def __init__(self, cue: Cue, prompt: str) -> None:
        self._cue, self._prompt = cue, prompt
        self._forms = [
            (term.forms[0], form[:KIN], "" if form.isascii() else form)
            for term in cue.terms
            for form in term.forms
        ]
        self._read: dict[tuple[str, str], list[_Said]] = {}
        self._over: dict[tuple[_Said, _Said, int], bool] = {}

    @cached_property
    def _asks_for_history(self) -> bool:
        asked = asked_past(self._prompt, self._cue.spans, ANY_DAY)
        return asked is not None or has_class(self._prompt[:READ], "history")

    def among(
        self,
        found: Sequence[Evidence],
        statements: Sequence[tuple[str, str, int]] = (),
        ended: Container[str] = (),
    ) -> tuple[dict[str, int], set[str]]:
        """The names of messages and statements that are over, each with the instant of what took its place; whose
        names follow.

        `statements` are memories of today: their uids, texts, and the instants of their learning; `ended` are the
        bare texts of what they took the place of. A message may be newer than a statement, where nothing heard it.
        """
        found = found[:LOOKED_AT]
        refs = {one.ref: one for one in found if one.who == USER}
        if not refs or not (statements or ended or _are_apart(list(refs.values()))):
            return {}, set()
        if self._asks_for_history:
            return {}, set()
        from cogmem.language.statement import undated

        said = [sentence for one in refs.values() for sentence in self._sentences(one)]
        told = [_Said(undated(text), uid, at, MEMORY) for uid, text, at in statements]
        by_word: dict[str, list[_Said]] = {}
        for one in (*said, *map(self._of_matter, told)):
            for word in one.matter:
                by_word.setdefault(word, []).append(one)
        most = max((len(one.asked) for one in (*said, *told)), default=0)  # it may be signs alone
        stale: dict[str, int] = {}
        heirs: set[str] = set()
        for one in said if ended else ():
            if bare(one.text) in ended:
                rest = [other for other in said if other.ref == one.ref and other is not one]
                if not any(other.asked - one.asked for other in rest):
                    stale |= dict.fromkeys(self._around(refs[one.ref], found), 0)
        for later in (*said, *told):
            over = {
                earlier.ref
                for earlier in _earlier(later, by_word)
                if earlier.ref not in stale and self._is_over(earlier, later, most)
            }
            if len(over) > ENUMERATED:
                continue
            for ref in over:
                names = self._around(refs[ref], found) if ref in refs else (ref,)
                stale |= dict.fromkeys(names, later.at)
            if over and later.place == MEMORY:
                heirs.add(later.ref)
            elif over:
                heirs.update(one.ref for one in found if 0 <= one.place - later.place <= 1)
        return stale, heirs - stale.keys()

    def _sentences(self, one: Evidence) -> list[_Said]:
        """What a message says, the matter of those sentences alone that somebody asks for."""
        from cogmem.language.judge import sentences  # to load it takes longer than a turn

        known = self._read.get((one.ref, one.text))
        if known is None:
            known = self._read[one.ref, one.text] = [
                self._of_matter(_Said(sentence, one.ref, one.at, one.place))
                for sentence in sentences(one.text[:READ])
            ]
        return known

    def _of_matter(self, one: _Said) -> _Said:
        from cogmem.language.judge import matter_of

        one.asked = _of(one.text, self._forms)
        if one.asked or one.place == MEMORY:
            one.matter = matter_of(one.text)
        return one

    def _is_over(self, earlier: _Said, later: _Said, most: int) -> bool:
        key = earlier, later, most
        if key not in self._over:
            self._over[key] = _is_over(earlier, later, most)
        return self._over[key]

    def _around(self, stale: Evidence, best: Sequence[Evidence]) -> list[str]:
        """A stale message, and what stands around it and says no more of the prompt."""
        own = _of(stale.text, self._forms)
        return [
            one.ref
            for one in best
            if one.ref == stale.ref
            or (
                conversation_of(one.place) == conversation_of(stale.place)
                and abs(one.place - stale.place) <= AROUND
                and _of(one.text, self._forms) <= own
            )
        ]


def _are_apart(best: Sequence[Evidence]) -> bool:
    """Tell whether any two stand far enough from each other that the one may have changed the other."""
    places = [one.place for one in best]
    return max(places) - min(places) > AROUND or len({*map(conversation_of, places)}) > 1


def _earlier(later: _Said, by_word: Mapping[str, Sequence[_Said]]) -> list[_Said]:
    """Return what was said before in another place and shares a telling word, each once.

    Where it says nothing of the prompt, nobody asks whether it holds.
    """
    found: dict[int, _Said] = {}
    for word in later.matter:
        for one in by_word[word]:
            if one.at >= later.at or not one.asked or one.place == later.place == MEMORY:
                continue
            if not (
                MEMORY not in (later.place, one.place)
                and abs(later.place - one.place) <= AROUND
                and conversation_of(one.place) == conversation_of(later.place)
            ):
                found[id(one)] = one
    return list(found.values())


def _is_over(earlier: _Said, later: _Said, most: int) -> bool:
    """Tell whether a later sentence ends or changes an earlier one.

    Where both say most of what is asked, they speak of one thing: then it is enough that the later one tells of a
    change, or says the rest of it anew.
    """
    from cogmem.language.judge import judge, tells_of_change

    if later.tells is None:
        later.tells = tells_of_change(later.text)
    if MEMORY not in (earlier.place, later.place) and _says_anew(earlier, later, most):
        return True
    if not _may_be(earlier, later):
        return False
    found = judge(earlier.text, later.text)
    if found is None or found.replaces:
        return found is not None
    # A memory is marked, a message left out.
    return found.relation == ("lessens" if earlier.place == MEMORY else "against") and (
        MEMORY in (earlier.place, later.place)
    )


def _says_anew(earlier: _Said, later: _Said, most: int) -> bool:
    """Tell whether what a later message says of the thing that is asked for is to stand for what was said before."""
    both = len(earlier.asked & later.asked)
    if both < max(1, MATTER * most, SAME * len(earlier.asked)):
        return False
    shared = len(earlier.matter & later.matter)
    if later.tells:
        return shared >= OF_IT * len(earlier.matter)
    return bool(later.matter - earlier.matter) and shared >= SAME * max(2, len(earlier.matter))


def _may_be(earlier: _Said, later: _Said) -> bool:
    """Tell whether two sentences share enough to speak of one thing; without a change, one that is asked for."""
    shared = len(earlier.matter & later.matter)
    fewer = min(len(earlier.matter), len(later.matter))
    if later.tells:
        return shared >= OF_IT * fewer
    return shared >= SAME * fewer and not earlier.asked.isdisjoint(later.asked)


def _of(text: str, forms: Sequence[tuple[str, str, str]]) -> set[str]:
    """The terms of the prompt, each by its first form, that a text has."""
    words = {word.strip(SIGNS)[:KIN] for word in text.lower().split()}
    return {term for term, start, whole in forms if start in words or (whole and whole in text)}
