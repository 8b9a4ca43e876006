"""What sort of prompt this is: about the one who asks, about what was, a request to do something.

A gate reads these marks beside what memory covers. None of them is needed to be silent: a prompt in
a language without marks is judged by its words alone. Only the head of a prompt is read. English has lists
of its own, and Chinese a little; what is asked for in others say the sorts of words that hearing knows.
"""

from __future__ import annotations

from itertools import pairwise

from cogmem.cached import lru_cache
from cogmem.language.words import ENGLISH_ALONE
from cogmem.text.data import words as lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

READ = 1_500  # characters of a prompt that are looked at
PASSING = 3  # words that tell nothing by themselves
NOUNS = 3  # words after the first in which a noun finds its verb
STATING = 6  # words from which a statement about others is a report, whatever words it has
LEAD = 4  # words among which a question word makes a question, and a verb a request
EVERYWHERE = 64.0  # of a thousand texts; where other languages' small words are counted to stand
BEGINS = 2  # … a question in other languages, where such a word joins sentences as well
OURS, ASKED_FOR = frozenset(("i", "we", "my")), frozenset(("task", "order", "please"))
SIGNS = "\"'`.,;:!?()[]{}<>*~|=+…“”‘’«»¿¡、。，！？；：（）「」『』【】《》·—–-#/\\"
STOPS = ".?!:;。！？；"  # a word that ends in one of them ends a sentence
ENDS = ("?", "？", "؟")  # in any language
EXCLAIMS = ("!", "！")
INSIDE = (". ", "? ", "! ")  # ends of a sentence behind which another one follows
ARTICLE = frozenset(("a", "an", "the"))
ASKER, SPOKEN_TO = frozenset(("i", "we")), frozenset(("i", "we", "you"))
WANTED = 400  # characters of a prompt that say what it wants to hear

_LISTS = lists("asking")
_WORDS = {name: frozenset(text.split()) for name, text in _LISTS.items()}
_PHRASES = {name: text.replace("\n", "|").split("|") for name, text in _LISTS.items()}
FAMILY = frozenset(_LISTS["family"].replace("\n", ""))
AFTER_A_NAME = frozenset(_LISTS["after a name"])
OPENING_PAIRS = frozenset(tuple(pair.split()) for pair in _LISTS["opening pairs"].split("|"))
PAST_PAIRS = frozenset(
    [("have", "i"), ("have", "we"), ("so", "far")]
    + [("last", one) for one in _WORDS["time"]]
    + [(one, "last") for one in ("i", "we", "he", "she", "they")]
)


class Asking:
    """The marks of one prompt. `names` are words that look like names of somebody or something,
    `idle` those that say nothing in its language, though they do in another; `is_foreign`: it is in a
    language whose words nobody counted."""

    def __init__(self, text: str) -> None:
        head = text[:READ]
        words = _parts(head)
        pairs = set(pairwise(words))
        is_led = _leads(words)
        is_known = is_led or len(words) <= PASSING or not ENGLISH_ALONE.isdisjoint(words)
        elsewhere, small = ([], frozenset()) if is_known else _elsewhere(head, words)
        self.first = (
            not _WORDS["first"].isdisjoint(words)
            or _has_any(head, _LISTS["first unspaced"])
            or any(not OURS.isdisjoint(sorts) for _, sorts in elsewhere)
        )
        leading = _leading(words)
        # "Thanks, that was quick!" speaks of nothing that was.
        exclaims = head.rstrip().endswith(EXCLAIMS) and leading not in _WORDS["question"]
        self.past = not exclaims and (
            not _WORDS["past"].isdisjoint(words)
            or leading == "has"
            or not PAST_PAIRS.isdisjoint(pairs)
            or _has_any(head, _LISTS["past unspaced"].split())
        )
        is_question = any("ask" in sorts for _, sorts in elsewhere[:BEGINS])
        verbs = [word for word, sorts in elsewhere[:LEAD] if not ASKED_FOR.isdisjoint(sorts)]
        is_request = bool(verbs) and not is_question
        self.command = is_led or is_request
        # What is to be done, seldom what it is about.
        self.lead = verbs[-1] if is_request else leading if self.command else ""
        # "a user who is on leave gets …" asks nothing.
        is_about = words[:1] and words[0] in ARTICLE and not head.rstrip().endswith(ENDS)
        self.asks = not self.command and (
            (not is_about and not _WORDS["question"].isdisjoint(words[:LEAD]))
            or is_question
            or (leading in _WORDS["verb first"] and not _wishes(words, leading))
            or head.rstrip().endswith(ENDS)
        )
        self.why = not self.past and "why" in words[:LEAD]
        self.here = (
            not _WORDS["here"].isdisjoint(words)
            or "it" in words[:LEAD]
            or _has_any(head, _LISTS["here unspaced"])
        )
        self.may = _is_of_abilities(words)
        self.trouble = (
            not self.asks
            and not self.command
            and "? " not in head  # "Where is it? (At least two places)" asks as well
            and len(words) > PASSING
            and (
                not _WORDS["trouble"].isdisjoint(words) or (len(words) > STATING and not self.first)
            )
        )
        self.tells = self.first and not self.asks and not self.command
        is_german = not _WORDS["german"].isdisjoint(words)
        self.names = frozenset() if is_german else _names(head)
        self.idle = small | _WORDS["german too"] if is_german else small
        self.is_foreign = bool(elsewhere)
        self.runs = _chinese_names(head)

    def names_a_stranger(self, nowhere: set[str]) -> bool:
        """Tell whether a name in the prompt stands nowhere in memory. Who reports trouble may name anybody: the
        customer and the town are not part of what was decided."""
        if self.trouble:
            return False
        return not self.names.isdisjoint(nowhere) or any(
            all(run[at : at + 2] in nowhere for at in range(len(run) - 1)) for run in self.runs
        )


def _elsewhere(
    head: str, words: list[str]
) -> tuple[list[tuple[str, tuple[str, ...]]], frozenset[str]]:
    """Return the words of a prompt that is not English, with what hearing knows of each, and its small words."""
    from cogmem.language.clauses import fold  # a hook whose prompt is English reads none of it
    from cogmem.language.languages import language_of, words_of
    from cogmem.language.ordinary import per_thousand

    plain = fold(head).lower()
    language = language_of(plain)
    if language == "en" or (known := words_of(language)).unspaced:
        return [], frozenset()
    small = frozenset([one for one in words if per_thousand(fold(one)) >= EVERYWHERE])
    return [(one, known.sorts.get(one, ())) for one in known.tokens(plain)], small


def _is_of_abilities(words: list[str]) -> bool:
    """Tell whether it asks what may be, or what something is: "can I …", "how do you …", "what is a …"."""
    for before, one, two in zip(["", *words], words, words[1:], strict=False):
        if one in _WORDS["modal"] and two in ASKER:
            return True
        if one in ("do", "does") and two in SPOKEN_TO and before in _WORDS["question"]:
            return True
        if before == "what" and one in ("is", "s") and two in ARTICLE:
            return True
    return False


def is_request(text: str) -> bool:
    """Tell whether a short text asks for something to be done and says no more, or is a word or two in passing."""
    words = _parts(text)
    if len(words) <= PASSING and text.isascii():
        return True
    ended = [text.find(end) for end in INSIDE if end in text]
    says_more = bool(ended) and len(_parts(text[min(ended) + 1 :])) > PASSING
    return not says_more and _leads(words)


def _leads(words: list[str]) -> bool:
    leading = _leading(words)
    return leading.partition("-")[0] in _WORDS["commands"] and not _states(words, leading)


def _states(words: list[str], leading: str) -> bool:
    """Tell whether the word is the noun of a statement: `map tiles are …`, `order numbers may …`."""
    if words[0] != leading:
        return False
    for word in words[1 : 1 + NOUNS]:
        if word in _WORDS["finite"]:
            return True
        if word in _WORDS["bound"]:
            return False
    return False


def _wishes(words: list[str], leading: str) -> bool:
    """Tell whether it only says have: "have a nice evening", "have fun". A question goes on with who has."""
    return leading == "have" and _WORDS["who has"].isdisjoint(words[words.index(leading) + 1 :][:1])


@lru_cache(maxsize=4)  # the head of a prompt is asked twice in a turn
def sentences_in(text: str) -> list[list[str]]:
    """Return the words of each sentence in lower case, without the signs around them; "i'm" is two words, and a
    question mark at its end stays as one."""
    found: list[list[str]] = []
    words: list[str] = []
    for line in text.lower().replace("’", "'").split("\n"):
        for chunk in line.split():
            said = chunk.strip(SIGNS)
            if "'" in said:
                words += filter(None, said.split("'"))
            elif said:
                words += (said,)
            if words and chunk[-1] in STOPS:
                if "?" in chunk:
                    words += ("?",)
                found += (words,)
                words = []
        if words:
            found += (words,)
            words = []
    return found


def _parts(text: str) -> list[str]:
    """Return the words of a text, whatever sentence they stand in."""
    return [word for words in sentences_in(text) for word in words if word != "?"]


def _leading(words: list[str]) -> str:
    """Return the first word that is not a polite opening."""
    at = 0
    while at < len(words):
        if words[at] in _WORDS["opening"]:
            at += 1
        elif tuple(words[at : at + 2]) in OPENING_PAIRS:
            at += 2
        else:
            return words[at]
    return ""


def _names(head: str) -> frozenset[str]:
    """Capitalised words inside a sentence."""
    found = set()
    ended = True
    for chunk in head.split():
        word = chunk.strip(SIGNS).partition("'")[0].partition("’")[0]
        plain = word.isascii() and len(word) > 2 and word[0].isupper() and word[1:].islower()
        if plain and not ended and chunk[0] not in "\"'“‘":
            found.add(word.lower())
        ended = chunk[-1] in ".?!:\"'”"
    return frozenset(found)


def _chinese_names(head: str) -> frozenset[str]:
    """Runs that begin like a Chinese name and end where a name would."""
    if head.isascii():
        return frozenset()
    found = set()
    for at, sign in enumerate(head):
        pair = head[at : at + 2]
        family = 2 if pair in _WORDS["family pairs"] else 1 if sign in FAMILY else 0
        for given in (1, 2) if family else ():
            run = head[at : at + family + given]
            after = head[at + family + given : at + family + given + 1]
            if after in AFTER_A_NAME and all("\u4e00" <= c <= "\u9fff" for c in run):
                found.add(run)
                break
    return frozenset(found)


class Asks:
    """What a prompt wants to hear: a time, a number, what I said or what you said."""

    def __init__(self, prompt: str) -> None:
        start = f" {prompt[:WANTED].lower()} "
        self.when = _has_any(start, _PHRASES["when"])
        self.how_many = _has_any(start, _PHRASES["how many"])
        self.voice = (
            -1.0 if _has_any(start, _PHRASES["yours"]) else float(_has_any(start, _PHRASES["mine"]))
        )


def _has_any(text: str, parts: Iterable[str]) -> bool:
    return bool([1 for one in parts if one in text])  # a generator costs more than all looks
