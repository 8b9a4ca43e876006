"""Finds in a message what is worth keeping, and says what becomes of it.

`compile_rules` reads rows of `capture_rule`; `Rules.match` reads one message and proposes memories.
Nothing is stored here and no model is asked. Only what a person typed is read (`language/typed.py`), clause by
clause, and each has one of three fates:

- *told*: a row says that it asks to be remembered ("remember that …"), a person's own row takes it, or it is a
  standing order ("always …", "use X for all new code"): a score of its own tells it. It is active at once.
- *once*: a statement of the person's own that is likely still true and useful next week (`language/worth.py`).
  It is active with its date and found when it fits, but does not stand in every prompt.
- nothing: the message stays in the record, where search finds it. What is not sure enough may still set right
  what is held (*doubtful*).

What is stored is the whole clause, so "never use X" cannot turn into "use X". A clause that begins with "it", "that"
or "she" is kept with the one before it, or not at all. What a person asks to remember is taken at any length; of
more than 2,000 characters of prose, which is a document, nothing else is. Questions are never kept.
"""

from __future__ import annotations

import re
from zlib import crc32

from cogmem.hear.fate import UNSURE, fate_of, kind_of
from cogmem.hear.rules import FAMILIES, OWN_ERROR, TOLD_APART, Group, Rule, spelled_out
from cogmem.hear.said import POINTED, Statement
from cogmem.language.clauses import Clause, fold, own_words, readable, regex, segments
from cogmem.language.empty_orders import is_empty_order
from cogmem.language.framing import is_of_oneself
from cogmem.language.judge import ALLOWED
from cogmem.language.languages import words_of
from cogmem.language.letters import without_letter
from cogmem.language.mood import after_opening, goes_on, is_not_own_talk
from cogmem.language.telling import telling, telling_apart
from cogmem.language.worth import rebukes, spoken, weighed
from cogmem.named import NamedTuple
from cogmem.text.lines import unwrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from cogmem.language.unit import Unit

LONGEST = 2000  # characters of prose above which a message is a document, and only wishes to remember count
SELF_ERROR_LENGTH = 120  # characters of the clause that an episode keeps
SELF_ERROR_SHORTEST = 50  # characters of an assistant's message below which it tells nothing
WISHED = 0.3  # the chance from which on what is to be remembered is of the kind that it looks like
WORDS_A_RULE = 0.3  # the chance from which on what looks like a rule may be the wording of one
LONGEST_RULE = 200  # characters of such a wording
FEWEST_WORDS = 2  # telling words of a statement that may be said again

_EDGES = " ,;:-，、"
_FILE = re.compile(r"(?<![\w.])@[\w.-]*\w\.[A-Za-z]{1,6}\b(?![(/])")  # what a person points at
_KEYS = {"constraint": "constraint", "preference": "pref", "remember": "remember"}
KEY_LENGTH = 30


class Captured(NamedTuple):
    """A proposed memory. An empty text means: keep what was said or shown just before."""

    text: str
    kind: str
    family: str
    priority: int
    polarity: int
    confidence: float
    state: str
    rule: str
    key: str
    start: int
    end: int
    outcome: str
    is_personal: bool = False  # it is of the person, and holds in every project


_REASONS = (" because ", " since ", " unless ", " (")  # what may change while the object stays


class _Hit(NamedTuple):
    """A rule that takes a clause, and where in it; body and end are its object's place, -1 for none."""

    rule: Rule
    start: int
    body: int
    end: int


class Rules:
    """Rules as they are tried: those of English and of languages that cogmem cannot tell on every
    message of a person, those of another language on messages in it, those of mistakes on an agent's."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._groups: dict[str, Group] = {"": Group(), OWN_ERROR: Group()}
        for place, rule in enumerate(self._rules):
            group = rule.language if rule.language in TOLD_APART else ""
            group = OWN_ERROR if rule.family == OWN_ERROR else group
            self._groups.setdefault(group, Group()).members.append(place)
        self._groups[""].compile(self._rules)
        self._patterns: dict[str, Any] = {}  # compiled at first need, which most never have

    @property
    def problems(self) -> tuple[str, ...]:
        """The rows that could not be used, and why."""
        for group in self._groups.values():
            group.compile(self._rules)
        return tuple(told for group in self._groups.values() for told in group.problems)

    def _heard_in(self, language: str) -> list[Group]:
        """Return the groups that read a message in this language."""
        groups = [self._groups[""]]
        if language in self._groups:
            self._groups[language].compile(self._rules)
            groups.append(self._groups[language])
        return groups

    def match(
        self, text: str, role: str = "user", doubtful: bool = False, before: str = ""
    ) -> list[Captured]:
        """Propose memories from one message; `doubtful`: also what counts only if it sets right
        what is held; `before`: what was said before it."""
        return self.read(text, role, doubtful, before)[0]

    def read(
        self, text: str, role: str, doubtful: bool, before: str
    ) -> tuple[list[Captured], list[Statement]]:
        """Propose memories, and give every statement that may be said again."""
        text = readable(text)
        if role == "assistant":
            return self._self_error(text), []
        text = unwrapped(text)
        if role != "user" or is_not_own_talk(text):
            return [], []
        text = without_letter(text)
        clauses = segments(text)
        language = spoken(clauses)
        found = self._asked_for(text, clauses, language)
        statements: list[Statement] = []
        if sum([len(clause.text) for clause in clauses]) <= LONGEST:
            units = weighed(clauses, text, before, language)
            found += _judged(text, clauses, units, found, doubtful)
            statements = _statements(text, clauses, units, language)
        found = [one for one in found if one.family == "remember" or not is_empty_order(one.text)]
        return found, statements

    def _asked_for(self, text: str, clauses: list[Clause], language: str) -> list[Captured]:
        """Propose what a row takes: what is to be remembered, and what a person's own rows find."""
        groups = self._heard_in(language)
        found: list[Captured] = []
        asked: Rule | None = None  # an open "remember this: …", and how many line ends it spans
        reach = 0
        previous: Clause | None = None
        for clause in clauses:
            if (
                asked
                and previous
                and not clause.is_question
                and text.count("\n", previous.end, clause.start) <= reach
            ):
                found.append(_remembered(text, clause, 0, asked))
                previous, reach = clause, min(reach, 1)
                continue
            asked = None
            reason = self._with_reason(text, previous, clause, groups)
            if reason:
                found = [one for one in found if one.start < reason.start] + [reason]
                previous = clause
                continue
            occurring = [place for group in groups for place in group.occurring(clause.plain)]
            hit = None
            if occurring and not clause.is_question:
                hit = self._first(clause.plain, occurring, FAMILIES[:-1])
            if hit and hit.rule.family != "remember":
                key = _key(hit.rule.family, clause.plain[max(hit.body, 0) :])
                words = own_words(text, clause.start, clause.end)
                found.append(_proposal(hit.rule, words, key, clause.start, clause.end))
            elif hit and hit.body < 0:  # "remember this" alone: what was said just before
                if previous and found and found[-1].start == previous.start:
                    found.pop()
                found.append(_remembered(text, previous, 0, hit.rule))
            elif hit:
                rest = clause.plain[hit.body : hit.end].strip()
                if rest:
                    what = clause._replace(end=clause.start + hit.end)
                    found.append(_remembered(text, what, hit.body, hit.rule))
                if clause.plain[: hit.body].rstrip().endswith(":"):
                    asked, reach = hit.rule, 0 if rest else 2
            previous = clause
        return found

    def _with_reason(
        self, text: str, previous: Clause | None, clause: Clause, groups: Sequence[Group]
    ) -> Captured | None:
        """Return what was turned down in one sentence, with the reason in the next: "We tried X. It broke Y." """
        if previous is None or previous.is_question or clause.is_question:
            return None
        if text.count("\n", previous.end, clause.start) > 1 or not goes_on(clause.plain):
            return None
        rules = [place for group in groups for place in group.members]
        rules = [place for place in rules if self._rules[place].kind == "rejected"]
        hit = self._first(f"{previous.plain.rstrip()}, {clause.plain}", rules, ("decision",))
        if hit is None:
            return None
        words = own_words(text, previous.start, clause.end)
        return _proposal(hit.rule, words, "", previous.start, clause.end)

    def _self_error(self, text: str) -> list[Captured]:
        """Make at most one episode of an assistant's message: the first mistake it tells of."""
        group = self._groups[OWN_ERROR]
        group.compile(self._rules)
        # An agent writes much: its clauses are parted only where some rule occurs at all.
        if len(text) < SELF_ERROR_SHORTEST or not group.occurring(fold(text)):
            return []
        told: list[tuple[Clause, Rule]] = []
        for clause in segments(text):
            occurring = group.occurring(clause.plain)
            hit = self._first(clause.plain, occurring, (OWN_ERROR,)) if occurring else None
            if hit and not clause.is_question:
                told.append((clause, hit.rule))
        if not told:
            return []
        clause, rule = told[0]
        if any(other.outcome == "learning" for _, other in told):
            rule = rule._replace(outcome="learning")
        words = f"self-error: {clause.text}"
        if len(words) > SELF_ERROR_LENGTH:
            words = words[: SELF_ERROR_LENGTH - 1].rstrip() + "…"
        return [_proposal(rule, words, "", clause.start, clause.end)]

    def _first(
        self, plain: str, occurring: list[int] | None, families: tuple[str, ...]
    ) -> _Hit | None:
        """Find the rule that takes a clause: the first by precedence that stands."""
        rules = [self._rules[index] for index in sorted(occurring or ())]
        rules = [rule for rule in rules if rule.family in families]
        if not rules:
            return None
        head = after_opening(plain)
        for rule in rules:
            pattern, veto, group = self._pattern(rule)
            for start in (head, 0) if head else (0,):
                tail = plain[start:]
                match = pattern.search(tail)
                if match is None or (veto and veto.search(tail)):
                    continue
                body, end = match.span(group) if group else (-1, -1)
                place = (start + body, start + end) if body >= 0 else (-1, -1)
                return _Hit(rule, start + match.start(), *place)
        return None

    def _pattern(self, rule: Rule) -> tuple[Any, Any, int]:
        compiled = self._patterns.get(rule.name)
        if compiled is None:
            pattern = regex(spelled_out(rule.pattern))
            veto = regex(spelled_out(rule.veto)) if rule.veto else None
            compiled = pattern, veto, pattern.groupindex.get("what", 0)
            self._patterns[rule.name] = compiled
        return compiled


def _remembered(text: str, clause: Clause | None, first: int, rule: Rule) -> Captured:
    """Make the proposal for what a person asked to remember, of the kind that it looks like."""
    if clause is None or clause.is_question:
        return _proposal(rule, "", "", 0, 0)
    start = clause.start + first
    words = own_words(text, start, clause.end)
    alone = segments(words)
    units = [one for one in weighed(alone, words) if one.chance >= WISHED and one.first == 0]
    is_personal = False
    if rule.kind == "fact" and len(alone) == 1 and units:
        is_heeded = units[0].kind in ("wish", "rule") or units[0].says_what_we_use
        kind, _, _ = kind_of(units[0], "told" if is_heeded else "once")
        is_personal = kind == "profile"
        if is_personal or is_heeded:
            rule = rule._replace(kind=kind, priority=max(2, rule.priority))
    rule = rule._replace(polarity=0)  # its words tell it
    found = _proposal(rule, words, _key("remember", words), start, clause.end)
    return found._replace(is_personal=is_personal)


def _judged(
    text: str, clauses: list[Clause], units: list[Unit], taken: list[Captured], doubtful: bool
) -> list[Captured]:
    """Propose what is likely to last of what no row took, one stretch of a clause at most."""
    best: dict[int, tuple[float, Unit, str]] = {}
    for unit in units:
        clause = unit.clause
        if any(one.start < clause.end and clause.start < one.end for one in taken):
            continue
        fate = fate_of(unit)
        if fate in UNSURE and not doubtful:
            fate = ""
        held = best.get(clause.start)
        is_surer = held is not None and held[2] in UNSURE and fate not in UNSURE
        # The whole clause, if it is likely; else its likeliest part.
        if fate and (held is None or is_surer or (held[1].first > 0 and unit.chance > held[0])):
            best[clause.start] = unit.chance, unit, fate
    found: list[Captured] = []
    for place, clause in enumerate(clauses):
        if clause.start not in best:
            continue
        chance, unit, fate = best[clause.start]
        start, end = clause.start + unit.first, clause.start + unit.last
        end = start + len(text[start:end].rstrip(_EDGES))
        start = end - len(text[start:end].lstrip(_EDGES))
        words = own_words(text, start, end)
        if fate not in UNSURE and unit.first == 0 and unit.leans:
            earlier = clauses[place - 1] if place else None
            is_near = earlier is not None and "\n" not in text[earlier.end : start]
            if earlier and is_near and not (unit.points_back and earlier.is_question):
                if found and found[-1].start == earlier.start:
                    found.pop()
                start = earlier.start
                words = own_words(text, start, end)
            elif doubtful:
                fate = "doubtful"  # what "it" is may be held
            else:
                continue
        elif unit.opens:
            start += unit.opens
            words = own_words(text, start, end)
        kind, family, priority = kind_of(unit, fate)
        state = "doubtful" if fate in UNSURE else "active"
        rule = "standing order" if fate == "told" else ALLOWED if fate == ALLOWED else "said once"
        of_life = unit.kind in ("wish", "profile") and not unit.has_place
        personal = kind == "profile" or of_life or is_of_oneself(words)
        key = _order_key(words, unit) if fate == "told" else ""
        told = kind, family, priority, 0, round(chance, 2), state, rule
        found.append(Captured(words, *told, key, start, end, "", personal))
    return found


def _statements(
    text: str, clauses: list[Clause], units: list[Unit], language: str
) -> list[Statement]:
    """Give what says how something is to be done: wishes, orders, rebukes, and files that they point at."""
    chances = {clause.start: 0.0 for clause in rebukes(clauses, language)}
    chances |= {
        unit.clause.start: unit.chance if _words_a_rule(unit) else 0.0
        for unit in units
        if unit.first == 0 and unit.last == len(unit.clause.plain) and unit.says_how
    }
    found: dict[int, Statement] = {}
    for clause in clauses:
        if clause.start not in chances:
            continue
        chance, words = chances[clause.start], telling_apart(text[clause.start : clause.end])
        if len(words) >= FEWEST_WORDS:
            found[clause.start] = Statement(clause.start, clause.end, chance, words)
        for file in _FILE.finditer(text, clause.start, clause.end):
            start, name = file.start(), file[0].lower()
            if start > clause.start or not chance:
                words = telling(name.rpartition(".")[0]) | {name}
                found[start] = Statement(start, file.end(), POINTED, words)
    return list(found.values())


def _words_a_rule(unit: Unit) -> bool:
    return (
        unit.chance >= WORDS_A_RULE
        and unit.sure >= 0
        and unit.kind in ("wish", "rule", "correction")
        and unit.last <= LONGEST_RULE
        and unit.is_wish
        and not unit.is_of_here
    )


def _order_key(words: str, unit: Unit) -> str:
    """Name a standing order by what it is about, so that "never …" takes the place of "always …"."""
    sorts = words_of(unit.language).sorts
    about = [
        word
        for word in fold(words).lower().split()
        if _FRAME.isdisjoint(sorts.get(word.strip(",.!"), ()))
    ]
    return _key("preference", " ".join(about))


_FRAME = frozenset(("always", "never", "dont", "not", "fromnow", "please"))


def _proposal(rule: Rule, text: str, key: str, start: int, end: int) -> Captured:
    told = rule.kind, rule.family, rule.priority, rule.polarity, rule.confidence, rule.state
    return Captured(text, *told, rule.name, key, start, end, rule.outcome)


def _key(family: str, subject: str) -> str:
    """Name a memory by the first 30 characters of what it is about; a statement has no name."""
    if family not in _KEYS:
        return ""
    subject = fold(subject).lower()
    for reason in _REASONS:
        subject = subject.split(reason, 1)[0]
    words = "".join([c if c.isalnum() else " " for c in subject]).split()
    slug = "-".join(words)
    if not slug:
        return ""
    if len(slug) > KEY_LENGTH:
        slug = f"{slug[:KEY_LENGTH].rstrip('-')}~{crc32(slug.encode()):08x}"
    return f"auto.{_KEYS[family]}.{slug}"


def compile_rules(rows: Iterable[Sequence[Any]]) -> Rules:
    """Compile rows of `capture_rule`, their columns as in RULE_COLUMNS.

    A row that cannot be used is left out and named in `problems`; the others work on.
    """
    rules = [rule for rule in map(Rule._make, rows) if rule.is_enabled]
    rank = {family: at for at, family in enumerate(FAMILIES)}
    last = len(rank)
    return Rules(sorted(rules, key=lambda it: (rank.get(it.family, last), it.position, it.name)))


def check_rules(rows: Iterable[Sequence[Any]]) -> list[str]:
    """Prove every enabled rule by its own example and counter-example; return what is wrong."""
    enabled = [rule for rule in map(Rule._make, rows) if rule.is_enabled]
    rules = compile_rules(enabled)
    wrong = list(rules.problems)
    for row in enabled:
        if any(problem.startswith(f"rule {row.name}:") for problem in wrong):
            continue
        role = "assistant" if row.family == OWN_ERROR else "user"
        takers = {found.rule for found in rules.match(row.example, role)}
        if row.name not in takers:
            instead = f", {', '.join(sorted(takers))} takes it" if takers else ""
            wrong.append(f"rule {row.name}: its example is not captured by it{instead}")
        if row.name in {found.rule for found in rules.match(row.counter_example, role)}:
            wrong.append(f"rule {row.name}: its counter-example is captured by it")
    return wrong
