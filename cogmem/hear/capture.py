"""What a message says that is worth keeping, found by rules that are rows.

`compile_rules` reads rows of `capture_rule`; `Rules.match` reads one message and proposes memories.
Nothing is stored here and no model is asked. Every clause is looked at once:

- Its opening words are set aside ("ok, and please …", "in this project …", "rule for the repo: …"),
  so that `^` in a pattern means where the clause really begins.
- One re2 set says which patterns occur. The first that stands takes the clause: constraint before
  correction before preference. A clause that asks to be remembered comes before all three; it is
  stored as what it says ("remember: never use X" is a preference), as a plain fact otherwise.
- A clause is passed over when it asks, supposes, reports what others say, denies the rule's words
  ("I don't always …"), jokes, sets a task about a text ("write a story in which nobody may …") or,
  for preferences, holds for one occasion ("for now"). A condition that limits an order is no such
  case: "if you touch the schema, you must …" is kept, condition and all.
- What is stored is the whole clause, so "never use X" cannot turn into "use X". Two orders joined
  by "and" are two memories, unless the second points back at the first ("… but never use them").

The three families need 20 to 2,000 characters of the person's own prose, counted after code and
other pasted text are left out: less is not a statement, more is a document. What a person asks to
remember is taken at any length. Questions are never rules, but "I prefer metric, could you redo
it?" is a statement with a question behind it, and the statement counts.

Keys let a later statement on the same thing replace the earlier one: `auto.pref.tabs` is written
by "always use tabs" and by "never use tabs". They hold the first 30 characters of the rule's
object; a longer one adds a checksum, so that two with one beginning stay two memories.
"""

from __future__ import annotations

from collections import namedtuple
from zlib import crc32

from cogmem.hear.hollow import is_hollow
from cogmem.hear.languages import language_of
from cogmem.hear.mood import (
    goes_on,
    heads,
    is_for_once,
    is_meant,
    is_not_own_talk,
    is_passing,
    second_order,
    statement_before_question,
)
from cogmem.hear.rules import FAMILIES, STATING, TOLD_APART, Group, Rule, spelled_out
from cogmem.language.clauses import Clause, fold, own_words, readable, regex, segments
from cogmem.language.letters import without_letter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

LONGEST = 2000  # characters of prose above which a message is a document, and only wishes to remember count
SELF_ERROR_LENGTH = 120  # characters of the clause that an episode keeps
SELF_ERROR_SHORTEST = 50  # characters of an assistant's message below which it tells nothing
SELF_ERROR_TAGS = ("auto-detect", "self-improvement")

_EDGES = " ,;:-，、"
_KEYS = {"constraint": "constraint", "preference": "pref", "remember": "remember"}
KEY_LENGTH = 30


# What the scorer calls a clause, as kind, family and priority of the memory that it proposes.
_LIKELY = {
    "wish": ("preference", "preference", 2),
    "rule": ("convention", "preference", 2),
    "profile": ("profile", "profile", 2),
    "decision": ("decision", "decision", 2),
    "correction": ("fact", "correction", 3),
    "fact": ("fact", "statement", 1),
}


class Captured(
    namedtuple(
        "Captured", "text kind family priority polarity confidence state rule key start end outcome"
    )
):
    """A proposed memory. An empty text means: keep what was said or shown just before."""

    __slots__ = ()
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


_REASONS = (" because ", " since ", " unless ", " (")  # what may change while the object stays


_JUDGED = ("en", *TOLD_APART)  # the languages that the scorer knows


class _Hit(namedtuple("_Hit", "rule start body")):
    """A rule that takes a clause, and where in it; body is its object's place, -1 for none."""

    __slots__ = ()
    rule: Rule
    start: int
    body: int


class Rules:
    """Rules as they are tried: those of English and of languages that cogmem cannot tell on every
    message, those of another language on messages in it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._groups: dict[str, Group] = {"": Group()}
        for place, rule in enumerate(self._rules):
            language = rule.language if rule.language in TOLD_APART else ""
            self._groups.setdefault(language, Group()).members.append(place)
        self._groups[""].compile(self._rules)
        self._patterns: dict[str, Any] = {}  # compiled at first need, which most never have
        self._known: dict[str, bool] = {}  # of rules that took something: does the scorer, too

    @property
    def problems(self) -> tuple[str, ...]:
        """The rows that could not be used, and why."""
        for group in self._groups.values():
            group.compile(self._rules)
        return tuple(told for group in self._groups.values() for told in group.problems)

    def _heard_in(self, language: str) -> list[Group]:
        """The groups that read a message in this language."""
        groups = [self._groups[""]]
        if language in self._groups:
            self._groups[language].compile(self._rules)
            groups.append(self._groups[language])
        return groups

    def match(self, text: str, role: str = "user", doubtful: bool = False) -> list[Captured]:
        """Propose memories from one message; `doubtful`: also what counts only if it sets right
        what is held."""
        text = readable(text)
        if role == "assistant":
            return self._self_error(text)
        return self._user_message(text, doubtful) if role == "user" else []

    def _user_message(self, text: str, doubtful: bool) -> list[Captured]:
        if is_not_own_talk(text):
            return []
        text = without_letter(text)
        clauses = segments(text)
        language = language_of(" ".join([clause.plain for clause in clauses]).lower())
        groups = self._heard_in(language)
        is_statement = sum([len(clause.text) for clause in clauses]) <= LONGEST
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
                found.append(self._remembered(text, clause, 0, asked, groups))
                previous, reach = clause, min(reach, 1)
                continue
            asked = None
            reason = self._with_reason(text, previous, clause, groups) if is_statement else None
            if reason:
                found = [one for one in found if one.start < reason.start] + [reason]
                previous = clause
                continue
            hit = None
            occurring = [place for group in groups for place in group.occurring(clause.plain)]
            if occurring and not clause.is_question:
                hit = self._first(clause.plain, occurring, ("remember",))
            if hit is None:
                if occurring and is_statement:
                    found += self._statements(text, clause, occurring)
            elif hit.body < 0:  # "remember this" alone: what was said just before
                if previous and found and found[-1].start == previous.start:
                    found.pop()
                found.append(self._remembered(text, previous, 0, hit.rule, groups))
            else:
                rest = clause.plain[hit.body :].strip()
                if rest:
                    found.append(self._remembered(text, clause, hit.body, hit.rule, groups))
                if clause.plain[: hit.body].rstrip().endswith(":"):
                    asked, reach = hit.rule, 0 if rest else 2
            previous = clause
        if is_statement:
            if found:
                found = self._believed(clauses, found, language)
            found += self._unruled(text, clauses, found, language, doubtful)
        return [one for one in found if one.family == "remember" or not is_hollow(one.text)]

    def _believed(
        self, clauses: list[Clause], found: list[Captured], language: str
    ) -> list[Captured]:
        """Leave out what a rule took by its words where all else in the clause speaks against it.

        A person's own rule is not doubted, and no rule whose example the scorer does not know.
        """
        from cogmem.hear.scorer import doubted

        kept: list[Captured] = []
        for one in found:
            clauses_of = [c for c in clauses if one.start < c.end and c.start < one.end]
            is_doubted = (
                one.family in STATING
                and one.kind != "rejected"  # told by its reason, which no clause of its own shows
                and one.start < one.end
                and doubted(clauses_of, one.start, one.end, language)
            )
            if not (is_doubted and self._is_known(one.rule)):
                kept.append(one)
        return kept

    def _is_known(self, name: str) -> bool:
        """Whether the scorer sees in a rule's own example what the rule sees."""
        from cogmem.hear.scorer import doubted

        known = self._known.get(name)
        if known is None:
            rule = next(rule for rule in self._rules if rule.name == name)
            if rule.is_own or rule.language not in _JUDGED:
                self._known[name] = False
                return False
            clauses = segments(rule.example)
            language = rule.language if rule.language in TOLD_APART else "en"
            known = not doubted(clauses, 0, len(rule.example), language)
            self._known[name] = known
        return known

    def _unruled(
        self,
        text: str,
        clauses: list[Clause],
        found: list[Captured],
        language: str,
        doubtful: bool,
    ) -> list[Captured]:
        """Propose what no rule took but what is likely to last; it waits as a candidate."""
        from cogmem.hear.scorer import proposed

        taken = {(one.start, one.end) for one in found}
        left = [
            clause
            for clause in clauses
            if not any(start < clause.end and clause.start < end for start, end in taken)
        ]
        likely: list[Captured] = []
        for clause, part in proposed(left, language, doubtful):
            start, end = clause.start + part.first, clause.start + part.last
            while end > start and text[end - 1] in _EDGES:
                end -= 1
            while start < end and text[start] in _EDGES:
                start += 1
            words = own_words(text, start, end)
            kind, family, priority = _LIKELY[part.kind]
            likely.append(
                Captured(
                    words,
                    kind,
                    family,
                    priority,
                    0,
                    round(part.chance, 2),
                    "doubtful" if part.is_doubtful else "candidate",
                    "scorer",
                    "",
                    start,
                    end,
                    "",
                )
            )
        return likely

    def _with_reason(
        self, text: str, previous: Clause | None, clause: Clause, groups: Sequence[Group]
    ) -> Captured | None:
        """What was turned down in one sentence, with the reason in the next: "We tried X. It broke Y." """
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

    def _statements(self, text: str, clause: Clause, occurring: list[int]) -> list[Captured]:
        """Read one clause by the three families."""
        plain = clause.plain
        if clause.is_question:
            plain = statement_before_question(plain)
        families = STATING
        joined = second_order(plain)
        if joined:
            seam, start, is_order, points_back = joined
            left = self._first(plain[:seam], occurring, families)
            right = self._first(plain, occurring, families, start)
            if left and right and not points_back:
                return [
                    _captured(text, clause, 0, seam, left),
                    _captured(text, clause, start, len(plain), right),
                ]
            if right and not left and is_order:
                first = (
                    0 if points_back else start
                )  # what is to be done now is not part of the wish
                return [_captured(text, clause, first, len(plain), right)]
        hit = self._first(plain, occurring, families)
        return [_captured(text, clause, 0, len(plain), hit)] if hit else []

    def _remembered(
        self, text: str, clause: Clause | None, first: int, rule: Rule, groups: Sequence[Group]
    ) -> Captured:
        """Make the proposal for what a person asked to remember, of the kind its words call for."""
        if clause is None or clause.is_question:
            return _proposal(rule, "", "", 0, 0)
        occurring = [place for group in groups for place in group.occurring(clause.plain)]
        hit = self._first(clause.plain, occurring, ("constraint", "preference"), first)
        start = clause.start + first
        words = own_words(text, start, clause.end)
        if hit is None:
            return _proposal(rule, words, _key("remember", words), start, clause.end)
        own = hit.rule
        key = _key(own.family, text[clause.start + max(hit.body, first) : clause.end])
        named = rule._replace(
            kind=own.kind, polarity=own.polarity, priority=max(own.priority, rule.priority)
        )
        return _proposal(named, words, key, start, clause.end)

    def _self_error(self, text: str) -> list[Captured]:
        """Make at most one episode of an assistant's message: the first mistake it tells of."""
        if len(text) < SELF_ERROR_SHORTEST:
            return []
        told: list[tuple[Clause, Rule]] = []
        for clause in segments(text):
            occurring = self._groups[""].occurring(clause.plain)
            hit = self._first(clause.plain, occurring, ("self_error",)) if occurring else None
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
        self, plain: str, occurring: list[int] | None, families: tuple[str, ...], begin: int = 0
    ) -> _Hit | None:
        """Find the rule that takes `plain[begin:]`: the first by precedence that stands."""
        rules = [self._rules[index] for index in sorted(occurring or ())]
        rules = [rule for rule in rules if rule.family in families]
        if not rules:
            return None
        places = heads(plain, begin)
        for rule in rules:
            pattern, veto, group = self._pattern(rule)
            for head in places:
                tail = plain[head:]
                match = pattern.search(tail)
                if match is None or (veto and veto.search(tail)):
                    continue
                start = head + match.start()
                if not is_meant(plain, begin, start) or is_passing(plain):
                    continue
                if rule.family not in ("constraint", "correction") and is_for_once(plain):
                    continue
                body = match.start(group) if group else -1
                return _Hit(rule, start, head + body if body >= 0 else -1)
        return None

    def _pattern(self, rule: Rule) -> tuple[Any, Any, int]:
        compiled = self._patterns.get(rule.name)
        if compiled is None:
            pattern = regex(spelled_out(rule.pattern))
            veto = regex(spelled_out(rule.veto)) if rule.veto else None
            compiled = pattern, veto, pattern.groupindex.get("what", 0)
            self._patterns[rule.name] = compiled
        return compiled


def _captured(text: str, clause: Clause, first: int, last: int, hit: _Hit) -> Captured:
    """Make the proposal for the characters first to last of a clause."""
    start, end = clause.start + first, clause.start + last
    key = _key(hit.rule.family, text[clause.start + max(hit.body, first) : end])
    return _proposal(hit.rule, own_words(text, start, end), key, start, end)


def _proposal(rule: Rule, text: str, key: str, start: int, end: int) -> Captured:
    return Captured(
        text,
        rule.kind,
        rule.family,
        rule.priority,
        rule.polarity,
        rule.confidence,
        rule.state,
        rule.name,
        key,
        start,
        end,
        rule.outcome,
    )


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
    return Rules(sorted(rules, key=lambda rule: (_rank(rule.family), rule.position, rule.name)))


def _rank(family: str) -> int:
    return FAMILIES.index(family) if family in FAMILIES else len(FAMILIES)


def check_rules(rows: Iterable[Sequence[Any]]) -> list[str]:
    """Prove every enabled rule by its own example and counter-example; return what is wrong."""
    enabled = [rule for rule in map(Rule._make, rows) if rule.is_enabled]
    rules = compile_rules(enabled)
    wrong = list(rules.problems)
    for row in enabled:
        if any(problem.startswith(f"rule {row.name}:") for problem in wrong):
            continue
        role = "assistant" if row.family == "self_error" else "user"
        takers = {found.rule for found in rules.match(row.example, role)}
        if row.name not in takers:
            instead = f", {', '.join(sorted(takers))} takes it" if takers else ""
            wrong.append(f"rule {row.name}: its example is not captured by it{instead}")
        if row.name in {found.rule for found in rules.match(row.counter_example, role)}:
            wrong.append(f"rule {row.name}: its counter-example is captured by it")
    return wrong
