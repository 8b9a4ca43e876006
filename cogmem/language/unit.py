"""A clause or a part of one, and what its features say of it: is it strict, of oneself, of the work, complete?

A feature is a sort of word, two in a row, or how the clause begins: `worth` makes them, `languages` has the sorts.
"""

from __future__ import annotations

import re

from cogmem.language.languages import words_of
from cogmem.language.mood import after_opening
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.language.clauses import Clause

SHORT = 60  # characters of an order to heed something that leaves out what
LIKELY = 0.3  # the chance from which on what may be a standing order counts as a wish

STANDING = frozenset(
    "always never fromnow must forbid in.always in.never in.fromnow in.must in.forbid".split()
)
_LASTS = STANDING - {"must", "in.must"} | {"every", "in.every"}
_ASKS = frozenset(
    "please 1:dont 1:order 1:task 1:agentact 1:style 1:speak must should want need prefer 1:you 1:not dont".split()
)
_TASTES = frozenset("1:prefer 1:hate i>prefer i>hate".split())
_AT_HAND = frozenset("you this deixis once part codeobj".split())
_BEGINS_AS_TASTE = frozenset("1:prefer 1:hate 1:taste".split())
_SPEAKS = frozenset(("1:i", "in.i", "1:my"))
_FAVOURITE = frozenset(("1:my", "my>prefer", "be"))
_AM_CALLED = frozenset(("my>called", "am>called"))
_CALL_ME = frozenset("1:called actually>called can>called please>called i>called".split())
_BY_NAME = frozenset(("called>person", "..name"))
_NO_NAME = frozenset("called>prep called>when called>time modal if ask".split())
_MOVED = frozenset(("i>switch", "i>live"))
_HABITS = frozenset(
    "i>taste a>taste a~taste am>taste dont>taste not>taste must>taste degree>taste degree>hate degree>prefer"
    " always>taste".split()
)
_OF_ME = frozenset(("1:i", "1:am"))
_BEYOND_ONE = frozenset("i~taste i~prefer i~hate".split())
_OF_NOW = frozenset("you we it deixis once problem before digit modal ask state".split())
_AIMED = frozenset(
    f"{sort}>{at}"
    for sort in ("taste", "prefer", "hate", "every")
    for at in ("this", "the", "deixis", "did", "partobj", "think", "pass")
)
_OUR_USE = frozenset(("ours", "use"))
_OF_US = frozenset(("we", "in.we", "ours"))
_NO_STATE = frozenset("this once problem eval modal if ask".split())
_UNDECIDED = frozenset(("ask", "modal", "if"))
_OF_ALL = frozenset(("every", "in.every", "dont"))
_STRICT = frozenset(("must", "forbid", "never"))
_MINE = frozenset(("i", "am", "my", "in.i"))  # "I live in" is one phrase
_HALF = frozenset(("1:if", "1:before"))
_ALLOWS = frozenset(("can", "eval"))
_HERE = frozenset(("once", "in.once"))
_SINCE = _HERE | {"now"}
_OPEN = frozenset(("1:third", "bare"))
_GOES_ON = frozenset(("1:conj", "1:if", "digit"))
_HOW = frozenset(
    "you please 1:order 1:task 1:agentact 1:use 1:style 1:speak 1:stop must should always never every fromnow"
    " habit want need prefer not dont".split()
)
# What a wish that holds in every project does not speak of.
_PLACED = frozenset(
    "we group this deixis codeobj codepart workobj hostobj identifier name tool agentact docobj partobj".split()
)
_OF_WORK = _PLACED - {"name", "tool"}
_OF_WORKING = _OF_WORK - {"identifier"}  # "I switched to a MacBook"
_LABEL = re.compile(r"\b[A-Z]{1,4}-?\d+\b|#\d|\b[A-Za-z]+ \d+\b")
_PATH = re.compile(r"[~.]{0,2}/\w[\w.-]*/\w")


def says_how(marks: set[str]) -> bool:
    """Tell whether a clause of such features says how something is to be done, or is not."""
    return not _HOW.isdisjoint(marks)


def allows(marks: set[str]) -> bool:
    """Tell whether a clause of such features says what may be done now or again."""
    return not _ALLOWS.isdisjoint(marks) and not _SINCE.isdisjoint(marks)


class Unit(NamedTuple):
    """A clause or a part of one: what it looks like, and how likely it is worth keeping."""

    clause: Clause
    first: int
    last: int
    kind: str
    chance: float
    sure: float  # by how much more it looks like its kind than like nothing
    order: float  # how likely it is a standing order
    marks: set[str]
    tells: bool  # it names something: "we don't want that" does not
    language: str

    @property
    def is_strict(self) -> bool:
        """Tell whether it forbids, or says what must be."""
        return not _STRICT.isdisjoint(self.marks)

    @property
    def is_for_ever(self) -> bool:
        """Tell whether it says "always", "never", "from now on" or "all", or that something is forbidden."""
        return not _LASTS.isdisjoint(self.marks)

    @property
    def is_of_all(self) -> bool:
        """Tell whether it speaks of all of a sort, or says what not to do, and not only to stop it."""
        stops = "1:stop" in self.marks and "not" not in self.marks
        return not stops and not _OF_ALL.isdisjoint(self.marks)

    @property
    def is_of_me(self) -> bool:
        """Tell whether it says "I" or "my", and not "we"."""
        return not _MINE.isdisjoint(self.marks) and "we" not in self.marks

    @property
    def has_place(self) -> bool:
        """Tell whether it speaks of us, of this project, a file or a part of the work."""
        return not _PLACED.isdisjoint(self.marks)

    @property
    def is_of_work(self) -> bool:
        """Tell whether it speaks of us, of what is at hand or of a part of the work: more than a name or a tool."""
        return not _OF_WORK.isdisjoint(self.marks)

    @property
    def is_bidden(self) -> bool:
        """Tell whether whoever is spoken to is told what always to do, or never, and not only here."""
        is_of_now = "fromnow" not in self.marks and not _HERE.isdisjoint(self.marks)
        return "bidden" in self.marks and not is_of_now

    @property
    def is_ordered(self) -> bool:
        """Tell whether it says what always to do, or never, and not who is to do it."""
        return "ordered" in self.marks

    @property
    def allows(self) -> bool:
        """Tell whether it says what may be done now or again: it counts where that was forbidden."""
        return allows(self.marks)

    @property
    def points_back(self) -> bool:
        """Tell whether it begins with "it", "that", "this" and needs what stands before it: not "this project"."""
        return "1:this" in self.marks and "this>ours" not in self.marks

    @property
    def leans(self) -> bool:
        """Tell whether it needs what stands before: who "she" is, what is to be kept in mind, what never to do."""
        heeds = "heed" in self.marks and self.last - self.first <= SHORT
        return heeds or self.points_back or not _OPEN.isdisjoint(self.marks)

    @property
    def opens(self) -> int:
        """Return how long the "and", "also" is that it begins with."""
        plain = self.clause.plain[self.first : self.last].lower()
        first = plain.partition(" ")[0]
        joins = "conj" in words_of(self.language).sorts.get(first.rstrip(","), ())
        return len(first) + 1 if joins and after_opening(plain) > len(first) else 0

    @property
    def is_half(self) -> bool:
        """Tell whether it says only when or if ("before we get on to it"), and not what then."""
        whole = "comma" in self.marks or "bidden" in self.marks
        return not whole and not _HALF.isdisjoint(self.marks)

    @property
    def is_of_here(self) -> bool:
        """Tell whether it holds here and now: a number, a path, a label, a condition, something said before."""
        said = self.clause.plain[self.first : self.last]
        return (
            self.points_back
            or not _GOES_ON.isdisjoint(self.marks)
            or _LABEL.search(said) is not None
            or _PATH.search(said) is not None
        )

    @property
    def is_taste(self) -> bool:
        """Tell whether somebody says what they like or hate, and of nothing that is here or was just said."""
        return not _TASTES.isdisjoint(self.marks) and _AT_HAND.isdisjoint(self.marks)

    @property
    def is_own_taste(self) -> bool:
        """Tell whether somebody says what they like, avoid, cannot have or only ever take, and of nothing at hand."""
        marks = self.marks
        speaks = not _SPEAKS.isdisjoint(marks) or self.language != "en"
        if not speaks or not _AIMED.isdisjoint(marks) or not _OF_NOW.isdisjoint(marks):
            return False
        if not _BEGINS_AS_TASTE.isdisjoint(marks) or self.says_favourite:
            return True
        if marks.isdisjoint(_OF_ME):
            return False
        if not _HABITS.isdisjoint(marks) or ("i>every" in marks and "am" not in marks):
            return True
        strongly = not _BEYOND_ONE.isdisjoint(marks)
        return strongly and any(one.startswith("^i ") and one.endswith("ly") for one in marks)

    @property
    def says_favourite(self) -> bool:
        """Tell whether somebody says what their favourite is."""
        return self.marks >= _FAVOURITE

    @property
    def names_oneself(self) -> bool:
        """Tell whether somebody says what they are called, or are to be called, and with which name."""
        says = not _AM_CALLED.isdisjoint(self.marks) or (
            not _CALL_ME.isdisjoint(self.marks) and ("in.i" in self.marks or self.language != "en")
        )
        named = not _BY_NAME.isdisjoint(self.marks) and _NO_NAME.isdisjoint(self.marks)
        return says and named

    @property
    def tells_of_a_move(self) -> bool:
        """Tell whether somebody says where they moved to, or what they changed to, and not of the work at hand."""
        moved = "1:i" in self.marks and not _MOVED.isdisjoint(self.marks)
        return moved and "we" not in self.marks and _OF_WORKING.isdisjoint(self.marks)

    @property
    def is_of_our_use(self) -> bool:
        """Tell whether it says what something of ours, the project or the team, uses, and no trouble with it."""
        return self.marks >= _OUR_USE and _NO_STATE.isdisjoint(self.marks)

    @property
    def says_what_we_use(self) -> bool:
        """Tell whether it says what we use, or something of ours does."""
        return "use" in self.marks and not _OF_US.isdisjoint(self.marks)

    @property
    def names_a_tool(self) -> bool:
        """Tell whether it says of a tool, which is called the same in every language, and not that it might be."""
        return "tool" in self.marks and _UNDECIDED.isdisjoint(self.marks)

    @property
    def says_how(self) -> bool:
        """Tell whether it says how something is to be done, or is not: it counts where it is said again."""
        return says_how(self.marks) or "@" in self.clause.plain[self.first : self.last]

    @property
    def is_wish(self) -> bool:
        """Tell whether it is said of what somebody does, and not only of how something is."""
        return (
            self.order >= LIKELY
            or not _ASKS.isdisjoint(self.marks)
            or "@" in self.clause.plain[self.first : self.last]
        )
