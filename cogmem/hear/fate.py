"""Says what becomes of a stretch of a message: is it told, said once or nothing, and of which kind is it?

The scores of `language/worth.py` have a bar for each: standing orders, what holds for all of a sort, who somebody is
and what they like; and other bars for other languages than English, in which no real talk taught.
"""

from __future__ import annotations

from cogmem.language.judge import ALLOWED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.language.unit import Unit

# From which chances on a standing order is active at once: that it is one, and that it is worth keeping at all.
TOLD = (0.62, 0.25)
TOLD_ELSEWHERE = (0.5, 0.25)  # in other languages, in which nobody's talk taught what is none
ORDERED = (0.15, 0.1)  # in English, if it says so of nobody
ONCE = 0.34  # the chance from which on a statement is kept
LEANING = 0.2  # and one that is kept with the sentence before it
POINTING = 0.5  # the same, if it begins with "it", "that", "this"
SURE = 0.55  # and how much more it has to look like one that lasts than like nothing
SURE_ELSEWHERE = 1.5  # the same in other languages than English
SURE_PLAINLY = 0.0  # the same of what somebody likes or hates, and of what a project uses
FOR_ALL = 0.83  # the chance from which on what is said of all of a sort, or forbidden, is one
SURE_FOR_ALL = 3.0
LONGEST_ORDER = 200  # characters of a standing order; more is an explanation
OF_ME = 0.3  # the chance from which on what a person says of themselves is kept
SURE_OF_ME = 3.0
OF_TASTE = 0.05  # the same two of what they like, avoid or cannot have
SURE_OF_TASTE = -3.0
SURE_OF_TASTE_ELSEWHERE = 0.5  # in other languages than English
ME_ALWAYS = 0.6  # the chance from which on it stands in every prompt
SURE_ALWAYS = 2.5
TASTE_ALWAYS = 0.8  # the same of what they like of the work at hand
MOVED = 0.3  # the chance from which on a move of theirs is kept
SURE_MOVED = 0.4
MAYBE = -1.5  # how sure what may set right something held has to be: doing so is most of the proof
LEAST_MAYBE = 0.15  # and how likely worth keeping: what took something's place below it was wrong

# What a clause looks like, as kind, family and priority of the memory that it proposes.
_LIKELY = {
    "wish": ("preference", "preference", 2),
    "rule": ("convention", "preference", 2),
    "profile": ("profile", "profile", 2),
    "decision": ("decision", "decision", 2),
    "correction": ("fact", "correction", 3),
    "fact": ("fact", "statement", 1),
}

_NOW = frozenset(("once", "deixis"))
_ONE = frozenset(("the", "if", "in.we"))  # "I prefer to keep the old API"
_WORKED_ON = frozenset("ours identifier codeobj codepart workobj hostobj partobj tool name".split())
# What counts only if it sets right; the second only what was forbidden.
UNSURE = ("doubtful", ALLOWED)


def fate_of(unit: Unit) -> str:
    """Return "told" or "once", "" for nothing, or one of UNSURE."""
    is_short = unit.last - unit.first <= LONGEST_ORDER
    is_english = unit.language == "en"
    bar = TOLD_ELSEWHERE
    if is_english:
        bar = ORDERED if unit.is_ordered else TOLD
    # Who is spoken to is told what always to do, or never.
    is_bidden = is_english and unit.is_bidden
    is_told = is_bidden or (unit.order >= bar[0] and unit.chance >= bar[1])
    if is_told and is_short and not (unit.points_back or unit.is_half):
        # What must be may be so once: "the page must be reworked". It is found, and stands in no prompt.
        return "told" if unit.is_for_ever else "once"
    if is_short and _is_for_all(unit):
        return "told"
    if not unit.is_half and unit.tells:
        least = ONCE
        if unit.first == 0 and unit.leans:
            least = POINTING if unit.points_back else LEANING
        if unit.chance >= least and unit.sure >= _sureness(unit):
            return "once"
        if unit.names_oneself or (_is_of_oneself(unit) and unit.chance >= OF_ME):
            return "once"
        if unit.tells_of_a_move and unit.chance >= MOVED and unit.sure >= SURE_MOVED:
            return "once"
        surely = SURE_OF_TASTE if is_english else SURE_OF_TASTE_ELSEWHERE
        if unit.is_own_taste and unit.chance >= OF_TASTE and unit.sure >= surely:
            return "once"
    if not unit.tells:
        return ""
    is_maybe = unit.sure >= MAYBE and unit.chance >= LEAST_MAYBE
    return "doubtful" if is_maybe else ALLOWED if unit.allows else ""


def _is_for_all(unit: Unit) -> bool:
    """Tell whether it surely says how all of a sort is done: "use X for all new code", "don't use emojis"."""
    is_order = unit.kind in ("wish", "rule") and unit.is_of_all and unit.tells
    is_sure = unit.chance >= FOR_ALL and unit.sure >= SURE_FOR_ALL
    return is_order and is_sure and not (unit.leans or unit.is_half or unit.is_of_here)


def _sureness(unit: Unit) -> float:
    """Return how much more a stretch has to look like one that lasts than like nothing."""
    if unit.is_taste or unit.is_of_our_use:
        return SURE_PLAINLY
    # Real talk taught in English alone: elsewhere the words have to be surer.
    return SURE if unit.language == "en" or unit.names_a_tool else SURE_ELSEWHERE


def _is_of_oneself(unit: Unit, least: float = SURE_OF_ME) -> bool:
    """Tell whether it surely says who somebody is."""
    is_profile = unit.kind == "profile" and unit.is_of_me and not unit.is_of_work
    return is_profile and unit.sure >= least


def kind_of(unit: Unit, fate: str) -> tuple[str, str, int]:
    """Return kind, family and priority of what a stretch becomes.

    Only what is told and what surely says who somebody is stand in every prompt.
    """
    if fate == ALLOWED:
        return _LIKELY["wish"]
    if unit.kind == "rule" and unit.is_strict and fate == "told":
        return "policy", "constraint", 3
    if fate == "told" and unit.kind not in ("wish", "rule"):
        return _LIKELY["rule"]
    stays = _is_of_oneself(unit, SURE_ALWAYS) and unit.chance >= ME_ALWAYS
    stays = stays and _NOW.isdisjoint(unit.marks)
    if fate != "told" and unit.is_own_taste and _is_of_a_person(unit):
        return _LIKELY["profile"]
    if unit.names_oneself or unit.tells_of_a_move:
        return _LIKELY["profile"]
    if unit.kind == "profile" and not stays:
        return _LIKELY["fact"]
    return _LIKELY[unit.kind]


def _is_of_a_person(unit: Unit) -> bool:
    """Tell whether a taste is of nothing that is worked on here, or surely one that lasts."""
    worked_on = _WORKED_ON - {"name"} if unit.says_favourite else _WORKED_ON
    is_sure = unit.chance >= TASTE_ALWAYS and unit.sure >= SURE_ALWAYS
    return (is_sure and unit.marks.isdisjoint(_ONE)) or worked_on.isdisjoint(unit.marks)
