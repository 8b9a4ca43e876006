"""The rules that say what is worth keeping: rows of capture_rule, each proved, and compiled by language."""

from __future__ import annotations

import re

from cogmem.language.clauses import fold, regex
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


STATING = ("constraint", "correction", "decision", "profile", "preference", "statement")
OWN_ERROR = "self_error"  # the family of what an agent says of its own mistakes
FAMILIES = ("remember", *STATING, OWN_ERROR)
PATTERN_LENGTH = 2000  # characters
PROGRAM_SIZE = 3000  # instructions of a compiled pattern


class Rule(NamedTuple):
    """One row of `capture_rule`."""

    name: str
    family: str
    language: str
    position: int
    pattern: str
    veto: str | None
    kind: str
    priority: int
    polarity: int
    confidence: float
    state: str
    outcome: str
    example: str
    counter_example: str
    is_enabled: int
    is_own: int


# The columns of `capture_rule` in the order in which `compile_rules` wants them.
RULE_COLUMNS = ", ".join(Rule._fields)
_MULTIPLIES = ("{", "\\p", "\\P")  # what makes an automaton much longer than its pattern
TOLD_APART = ("de", "es", "fr", "pt", "it", "nl", "zh", "ja")  # whose rules wait for such a message


class Group:
    """The rules of one language, compiled into one re2 set when such a message is first read."""

    def __init__(self) -> None:
        self.members: list[int] = []  # places in the list of all rules
        self.problems: list[str] = []
        self._usable: list[int] = []
        self._set: Any = None

    def compile(self, rules: Sequence[Rule]) -> None:
        """Make the set; a rule that cannot be used is left out and named."""
        if self._set is not None:
            return
        import re2  # type: ignore[import-untyped]

        options = re2.Options()
        options.case_sensitive = False
        options.log_errors = False
        options.max_mem = (
            1 << 26
        )  # a set that runs out of memory would match nothing and not say so
        self._set, parsed = re2.Set.SearchSet(options), re2.Set.SearchSet(options)
        for place in self.members:
            rule = rules[place]
            problem = _problem(rule, parsed)
            if problem:
                told = f"rule {rule.name}: {problem}; correct the row or disable it"
                self.problems.append(told)
            else:
                self._set.Add(_anywhere(spelled_out(rule.pattern)))
                self._usable.append(place)
        if self._usable:
            self._set.Compile()

    def occurring(self, plain: str) -> list[int]:
        """Return which rules' patterns occur in a clause."""
        found = self._set.Match(plain) if self._usable else None
        return [self._usable[number] for number in found or ()]


def spelled_out(pattern: str) -> str:
    """Return a pattern of a rule as re2 reads it: a blank stands for any white space."""
    plain = fold(pattern)
    if _NOT_ONLY_BLANKS.search(plain):
        return _BLANK.sub(lambda found: r"\s+" if found[0] == " " else found[0], plain)
    return plain.replace(" ", r"\s+")


_NOT_ONLY_BLANKS = re.compile(r"\\[ Q]| [?*+{]|\[[^\]]* ")
# What is quoted, in a class or counted is passed over whole.
_BLANK = re.compile(r"\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]| [?*+{]| ")


def _anywhere(pattern: str) -> str:
    """Loosen a pattern so that it is found at any place of a clause, not only at its ends.

    The set is asked once per clause; where the clause begins is looked at only after a hit.
    """
    if "\\Q" in pattern:
        return ""  # quoted text is not worth parsing: look at every clause
    inner = pattern[1:-1].replace("[^", "[")
    if not any(sign in inner for sign in ("^", "$", "\\A", "\\z")):
        return pattern.removeprefix("^").removesuffix("$")  # most patterns: nothing but the ends
    return _ENDS.sub(lambda found: "" if found[0] in _END_SIGNS else found[0], pattern)


_END_SIGNS = ("^", "$", "\\A", "\\z")
_ENDS = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[\^$]"
)  # what may look like one is passed over whole


def _problem(rule: Rule, parsed: Any) -> str:
    """Say why a rule cannot be used; "" if it can. `parsed` is a set to try patterns on."""
    if rule.family not in FAMILIES:
        return f"family {rule.family!r} is not one of {', '.join(FAMILIES)}"
    for part in (rule.pattern, rule.veto):
        if part is None:
            continue
        if not 0 < len(part) <= PATTERN_LENGTH:
            return f"a pattern or veto has 1 to {PATTERN_LENGTH} characters"
        try:
            # Adding to a set only parses. Compiling, ten times dearer, is for what can be large.
            parsed.Add(spelled_out(part))
            is_large = any(sign in part for sign in _MULTIPLIES)
            if is_large and regex(spelled_out(part)).programsize > PROGRAM_SIZE:
                return f"{part[:40]!r} is too large; repeat less"
        except Exception:  # re2 has an exception of its own, lone surrogates another
            return f"{part[:40]!r} is not a re2 pattern ({_fault(part)})"
    return ""


def _fault(pattern: str) -> str:
    """Return what is wrong with a pattern: a set says only that something is."""
    try:
        regex(fold(pattern))
    except Exception as error:
        reason = error.args[0]
        return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
    return "it cannot be read"
