"""What of a conversation is worth saying in another one: its passages, each with a chance and a sort.

A passage is a sentence or an item of a list, taken from what was said (no code, no tables, no output, of a
person only what they typed), with as much of its surroundings as it needs to stand alone: the sentence before
it where it begins with "it" or "that", the question where it is a short answer, the names it leaves out. Named
features say what it is like; the weights of `data/passages.txt`, learned from real work by
benchmarks/fit_passages.py, make of them the chance that it helps somebody later. No model is asked.
"""

from __future__ import annotations

import re
from functools import cache
from math import log, log1p

from cogmem.language.sentences import sentences
from cogmem.language.similarity import tokens
from cogmem.language.typed import typed
from cogmem.text.data import patterns, weights
from cogmem.text.relevance import likely

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

LEAST = 0.24  # the chance from which on a passage is worth a line
MOST = 8  # of one conversation
LONGEST, SHORTEST = 320, 24  # characters of a passage
BRIEF = 60  # characters of an answer that says nothing without its question
DENIAL = 100  # … that denies what the agent answered to a question of the person's own
BROUGHT = 200  # characters of the question, or of the sentence before, that come along
LOOKED_AT = 24_000  # characters of one message, from its end: what came of it stands there
GO_AHEAD = 80  # characters of a message that only agrees
SAME = 0.7  # share of the shorter one's words from which two passages say the same
NAMED = 3  # names that a passage brings along which it does not say itself

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+•·]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?")
_HEADING = re.compile(r"\s*(?:#{1,6}\s+(.+?)\s*#*|\*\*([^*]+)\*\*:?)\s*$")
_NOT_SAID = re.compile(
    r"\s*(?:[|>]|<[/a-zA-Z!]|\+\+\+ |--- |@@ |diff --git|\$ |Tool use:|Result:|Read file:|_\*\*"
    r"|[{}\[\]();]+\s*$|={3,}|-{3,}|\d+[→|])"
)
_MARKS = re.compile(r"\*\*|__|^[✅⚠❌✓✗☑️\s]+")
_NAME = re.compile(
    r"`([^`\n]{2,80})`"
    r"|(/(?:[\w.@~-]*+/)*[\w.-]+\w)"
    r"|(?<!\w)(?:"  # nothing else begins within a word: most places are left at once
    r"((?<![.@~-])(?:[\w.@~-]*+/)+[\w.-]+\w)"
    r"|(?<!-)(--?[a-z][\w-]+)"
    r"|\b([\w-]++\.(?:py|go|ts|tsx|js|jsx|rs|rb|java|kt|swift|c|h|cpp|cs|md|json|jsonl|toml|ya?ml|sql"
    r"|sh|css|html|lock|mod|txt|db))\b"
    r"|\b([a-z]++[A-Z]\w+|[A-Z][a-z]++(?:[A-Z][a-z0-9]+)+|[A-Z]{2,}[A-Z0-9]*_[A-Z0-9_]+|[a-z]\w*_\w+)\b"
    r"|(?<!&)(#\d{1,6})\b)"
)
# Without one of these a text names nothing.
_MAY_NAME = re.compile(r"`|/|_|-[a-z]|\.[a-z]|#\d")
_CAMEL = re.compile(r"[a-z][A-Z]")
_LETTER = re.compile(r"[^\W\x00-\x7f]")  # of another alphabet: there re2 ends words elsewhere


class Passage:
    """What one sentence or item says, where it stands, and what it is worth."""

    def __init__(self, said: str, number: int, at: int, of: int, role: str) -> None:
        self.said = said  # as it stands there
        self.text = said  # so that it stands alone
        self.number = number  # of its message, in the order given
        self.at = at  # its place among the passages of its message
        self.of = of  # how many those are
        self.role = role
        self.heading = ""
        self.is_item = False
        self.names: list[str] = []
        self.like: list[str] = []  # the patterns that occur in it
        self.marks: dict[str, float] = {}
        self.chance = 0.0
        self.sort = ""


# -- parting ------------------------------------------------------------------------------------


def parted(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the sentences and items of a text, each with its heading: no code, no tables, no output."""
    heading, fence, is_item = "", "", False
    block: list[str] = []

    def closed() -> Iterator[tuple[str, str, bool]]:
        said = " ".join(block).strip()
        block.clear()
        if said:
            for sentence in [said] if is_item and len(said) <= LONGEST else sentences(said):
                clean = " ".join(_MARKS.sub("", sentence).split())
                if clean:
                    yield clean, heading, is_item

    for line in text[-LOOKED_AT:].split("\n"):
        opening = _FENCE.match(line)
        if fence:
            fence = "" if opening and line.strip().startswith(fence) else fence
            continue
        if opening or not line.strip() or _NOT_SAID.match(line):
            yield from closed()
            fence = opening[1] if opening else ""
            continue
        head = _HEADING.match(line)
        if head:
            yield from closed()
            heading, is_item = (head[1] or head[2]).strip(" :*"), False
            continue
        item = _ITEM.match(line)
        if item:
            yield from closed()
            is_item = True
            line = line[item.end() :]
        elif not block:
            is_item = False
        block.append(line.strip())
    yield from closed()


def names_in(text: str) -> list[str]:
    """Files, flags, functions and numbers of issues that a text names, each once."""
    # A name stands in one line, and most lines have none.
    naming = [line for line in text.split("\n") if _MAY_NAME.search(line) or _CAMEL.search(line)]
    if not naming:
        return []
    found = map("".join, _NAME.findall("\n".join(naming)))  # one of its groups has the name
    return list(dict.fromkeys(map(str.strip, found)))


# -- features -----------------------------------------------------------------------------------


_ROWS = {
    name: text if also == "cased" else f"(?i){text}" for name, also, text in patterns("passages")
}


@cache
def occurs(name: str) -> Callable[[str], object]:
    """Return what tells whether one of the patterns occurs in a text."""
    return re.compile(_ROWS[name]).search


@cache
def _together() -> tuple[Callable[[str], list[int] | None], list[str], list[str]]:
    """Return all patterns in one re2 set, their names in its order, and the names of those that re2 cannot read."""
    import re2  # type: ignore[import-untyped]

    options = re2.Options()
    options.log_errors = False
    together, names, others = re2.Set.SearchSet(options), [], []
    for name, text in _ROWS.items():
        try:
            together.Add(text)
            names.append(name)
        except re2.error:  # it looks behind or ahead
            others.append(name)
    together.Compile()
    return together.Match, names, others


def occurring(text: str) -> list[str]:
    """Return the names of the patterns that occur in a text: one pass over it where its letters are ASCII."""
    if _LETTER.search(text):
        return [name for name in _ROWS if occurs(name)(text)]
    match, names, others = _together()
    found = [names[place] for place in match(text) or ()]
    return found + [name for name in others if occurs(name)(text)]


OWN = (
    "bias", "agent", "first message", "late", "last message", "last of message", "first of message", "alone",
    "item", "heading", "length", "long", "short", "names", "no names", "central", "answers", "accepted",
    "long message", "pasted",
)  # fmt: skip
# What the words are like counts apart in those of a person and of an agent.
FEATURES = (*OWN, *(f"{who} {name}" for name in _ROWS for who in ("person", "agent")))


def passages(said: Sequence[tuple[str, str]]) -> list[Passage]:
    """Return all passages of a conversation, (role, text) each, in order, with what they are like."""
    texts = [typed(text) if role == "user" else text[-LOOKED_AT:] for role, text in said]
    named: dict[str, int] = {}  # in how many messages names stand: of one alone it tells nothing
    for text in texts if len(texts) > 1 else ():
        for name in names_in(text):
            named[name] = named.get(name, 0) + 1
    found: list[Passage] = []
    before: list[Passage] = []
    person: list[Passage] = []
    for number, (role, whole) in enumerate(said):
        own = list(parted(texts[number]))
        after = said[number + 1] if number + 1 < len(said) else ("", "")
        agrees = after[0] == "user" != role and 0 < len(after[1]) < GO_AHEAD and _agrees(after[1])
        answers = role == "user" and bool(before) and asks(before[-1])
        mine: list[Passage] = []
        for at, (text, heading, is_item) in enumerate(own):
            one = Passage(text, number, at, len(own), role)
            one.heading, one.is_item = heading, is_item
            one.names, one.like = names_in(text), occurring(text)
            one.marks = _features(one, len(whole), len(said), answers, agrees, named)
            one.marks["pasted"] = float(role == "user" and len(texts[number]) < len(whole) / 2)
            _stand_alone(one, mine, before, person, named)
            mine.append(one)
        found += mine
        if role == "user":
            before, person = [], mine
        else:
            before = mine
    return found


def _agrees(text: str) -> bool:
    return not occurs("asks")(text) and not occurs("not")(text)


def _features(
    one: Passage, size: int, messages: int, answers: bool, accepted: bool, named: Mapping[str, int]
) -> dict[str, float]:
    """Return what a passage is like; a name that is missing is 0."""
    agent, length = one.role != "user", len(one.said)
    who = "agent" if agent else "person"
    marks = {f"{who} {name}": 1.0 for name in one.like}
    marks.update({
        "bias": 1.0,
        "agent": float(agent),
        "first message": float(one.number == 0),
        "late": one.number / max(1, messages - 1),
        "last message": float(agent and one.number >= messages - 2),
        "last of message": float(agent and one.of - one.at <= 3),
        "first of message": float(one.at == 0),
        "alone": float(one.of == 1),
        "item": float(one.is_item),
        "heading": float(bool(one.heading)),
        "length": log(max(length, 8) / 80),
        "long": float(length > 220),
        "short": float(length < 40),
        "names": min(3, len(one.names)) / 2,
        "no names": float(not one.names),
        "central": float(any(named.get(name, 0) > 1 for name in one.names)),
        "answers": float(answers),
        "accepted": float(accepted),
        "long message": log1p(size / 1000),
    })  # fmt: skip
    return marks


def _stand_alone(
    one: Passage,
    mine: Sequence[Passage],
    before: Sequence[Passage],
    person: Sequence[Passage],
    named: Mapping[str, int],
) -> None:
    """Let a passage bring what it points to: the sentence before, the question that it answers, the names.

    The question is the one that the agent asked just before, or what the person had asked and now answers or
    corrects: "Which region?" – "The first." – "Not any more, it is the second."
    """
    points_back = mine and "points" in one.like and not mine[-1].is_item
    if points_back and len(mine[-1].said) <= BROUGHT:
        one.text = f"{mine[-1].said} {one.said}"
    elif not mine and (asked := _asked(one, before, person)):
        one.text = f"{one.said} (asked: {asked})"
    elif one.is_item and one.heading and len(one.said) < BRIEF and len(one.heading) <= BRIEF:
        one.text = f"{one.heading}: {one.said}"
    if not one.names:
        around = dict.fromkeys(name for other in (*mine[-3:], *before[-3:]) for name in other.names)
        one.names = sorted(around, key=lambda name: -named.get(name, 0))[:NAMED]


def _asked(one: Passage, before: Sequence[Passage], person: Sequence[Passage]) -> str:
    """Return the question that the first sentence of a person's message answers, where it says little without."""
    if one.role != "user" or not before:
        return ""
    question = before[-1]
    if asks(question):
        is_answer = len(one.said) < BRIEF
    elif person:
        question = person[-1]
        is_answer = len(one.said) < DENIAL and "not" in one.like and asks(question)
        is_answer = is_answer and ("always" not in one.like or "now" in one.like)  # no "never …"
    else:
        return ""
    return question.said if is_answer and SHORTEST <= len(question.said) <= BROUGHT else ""


# -- judging ------------------------------------------------------------------------------------


def judge(found: Sequence[Passage], table: Mapping[str, float] | None = None) -> None:
    """Give passages their chance, that they help somebody later, and their sort."""
    table = weights("passages") if table is None else table
    for one in found:
        total = sum([table.get(name, 0.0) * value for name, value in one.marks.items()])
        one.chance = likely(total)
        one.sort = _sort(one)


def judged(said: Sequence[tuple[str, str]]) -> list[Passage]:
    """Return all passages of a conversation, each with its chance and its sort."""
    found = passages(said)
    judge(found)
    return found


def asks(one: Passage) -> bool:
    """Tell whether a passage is a question."""
    return "asks" in one.like


_LASTS = frozenset("why not must wants refuses instead always settled because".split())


def _sort(one: Passage) -> str:
    """Return what sort of thing a passage tells, by its features, the most telling first; '' for what tells nothing
    later: questions, orders of the moment, an agent's next step and its offers."""
    has = set(one.like)
    if one.role == "user":
        lasts = has & _LASTS
        if not lasts and ("asks" in has or ("order" in has and not one.names)):
            return ""
        if has & {"refuses", "instead"} and "not" in has:
            return "dropped"
        if "found" in has and not lasts - {"not"}:  # a report of trouble
            return "found"
        if has & {"why", "loud"} or ("not" in has and "settled" not in has):
            return "corrected"
        return "agreed"
    if has & {"asks", "offers", "steps"}:
        return ""
    if "open" in has and "did" not in has:
        return "open"
    if "cause" in has or ("because" in has and has & {"found", "not"}):
        return "found"
    if "instead" in has and "not" in has:
        return "dropped"
    if "settled" in has:
        return "agreed"
    return "done" if "did" in has else "found"


def best(found: Sequence[Passage], most: int = MOST, *, least: float = LEAST) -> list[Passage]:
    """Return the passages worth a line, none that says what another one says, in the order of saying."""
    chosen: list[tuple[Passage, frozenset[str]]] = []
    for one in sorted(found, key=lambda one: -one.chance):
        if len(chosen) == most or one.chance < least:
            break
        if (
            not one.sort
            or not SHORTEST <= len(one.text) <= LONGEST + BROUGHT
            or len(one.said) > LONGEST
        ):
            continue
        words = frozenset(tokens(one.said))
        if all(len(words & other) < SAME * min(len(words), len(other)) for _, other in chosen):
            chosen.append((one, words))
    return sorted((one for one, _ in chosen), key=lambda one: (one.number, one.at))
