"""A statement cut into the words that carry it, each with what it is: a verb, a value, behind which small word.

Accents are dropped, phrases become one word, and words of one sense get one form ("owns", "is responsible for").
Scripts without spaces are cut at the words of the table. What the small words say of the whole is kept beside:
whether it denies, whether it says that something changed, what it says is over.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from cogmem.language.clauses import fold
from cogmem.language.languages import language_of
from cogmem.language.table import NO_CLASS, Table, shared, table
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

LONGEST = 40  # words of a statement; what is longer tells many things
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)+|[\w$€£#][\w./@:+#'’-]*[\w%]|[\w%]|[,;:，、；]")
_JOINED = re.compile(r"\b([a-z]|qu|dell|all|dall|nell|sull)'(?=[a-z]{2})", re.IGNORECASE)
_SHORT = re.compile(r"\b(i|we|you|they|he|she|it)'(?:m|re|s)\b", re.IGNORECASE)
_LETTERS = r"\u3040-\u30ff\u3400-\u9fff"
_NUMBER = re.compile(r"[#v$€£]?\d[\w.,:%/-]*$")
# A word of one of these classes says how the others hang together, and is none of what is said.
SMALL = frozenset(
    "the a not now nomore to from by with for as in filler because instead opening about must may was past object"
    " topic if also since day answer".split()
)
VERBS = frozenset(("one", "use", "have"))
EVENTS = ("moved", "over", "replaced", "tookover", "instead")
PREPOSITIONS = ("to", "from", "by", "with", "for", "as", "in", "instead")
WEEKDAY = "calendar:monday:"
MARKS = ",;:，、；"  # between clauses
SHORT_ENDINGS = "setауеы"  # what a word of three letters may end with beside
LEANING = (
    "me",
    "mi",
    "nos",
    "ci",
    "moi",
    "nous",
)  # whom an order is for, written behind it: respóndeme
LEANT_ON = 4  # letters of a word that has them behind it
KIN_BEGIN = 3  # letters with which words that are kin begin alike
KIN_LEAST = 2  # … whatever their endings do to them: fly, flies
UNSPACED = ("zh", "ja")  # in these a word in Latin letters is a name
UNSPACED_FROM = "\u2e80"  # the first letter of scripts without blanks
BEHIND = ("ja",)  # languages whose small words stand behind what they belong to


class Word:
    """One word that carries a statement."""

    __slots__ = (
        "article",
        "begins",
        "behind",
        "classes",
        "form",
        "is_name",
        "is_number",
        "is_verb",
        "prep",
        "said",
        "sense",
    )

    def __init__(
        self, said: str, classes: frozenset[str], is_name: bool, prep: str, article: str
    ) -> None:
        self.said = said
        self.classes = classes
        self.is_name = is_name
        self.prep = prep  # the class of the small word that it stands behind
        self.article = article
        self.behind = ""  # that small word itself
        own = _by_itself(said, classes)
        self.sense, self.begins, self.form, self.is_verb, self.is_number = own


@lru_cache(maxsize=8192)
def _by_itself(said: str, classes: frozenset[str]) -> tuple[str, str, str, bool, bool]:
    """Return what a word is wherever it stands: its sense, how that begins, the same but for an ending, whether it is
    a verb, or a number."""
    sense = sense_of(said, classes)
    is_inflected = len(sense) > 4 and sense[-1] in "setn" and sense.isalpha()
    form = sense[:-1] if is_inflected else sense
    is_verb = said == "be" or not VERBS.isdisjoint(classes)  # it is, does, uses or has
    is_number = sense[0].isdigit() or _NUMBER.match(said) is not None
    return sense, sense[:KIN_BEGIN], form, is_verb, is_number


def sense_of(said: str, classes: frozenset[str]) -> str:
    """Return what a word stands for: the form that all words of its sense share, or itself."""
    sense = said
    for one in classes:
        if one[0] == "=":
            sense = one[1:]
        elif one[:7] == "number=":
            sense = one[7:]
        elif one == "i":
            sense = "i"
    return sense


@lru_cache(maxsize=1024)
def _use(classes: frozenset[str]) -> tuple[Sequence[str], str]:
    """Return what words of these classes say that happened, and how they place what follows them."""
    happened = [sort for sort in EVENTS if sort in classes]
    return happened, next(iter([sort for sort in PREPOSITIONS if sort in classes]), "")


class Statement:
    """The words that carry a statement in their order, and what its small words say of it."""

    __slots__ = ("_verb", "breaks", "denied", "events", "flags", "language", "times", "words")

    def __init__(self, language: str) -> None:
        self.language = language
        self.words: list[Word] = []
        self.flags: set[str] = set()  # classes of the small words that were met
        self.events: list[tuple[str, int]] = []  # what happened, and before which word it is said
        self.breaks: list[int] = []  # before which words a comma stands
        self.denied: list[int] = []  # before which words something is denied
        self.times: list[Word] | None = None  # the words that name days and hours, once asked for
        self._verb = -1

    def add(
        self, said: str, classes: frozenset[str], name: bool, prep: str, article: str, small: str
    ) -> None:
        """Put a word behind the others, with the opposites that it or its stem has."""
        word = Word(said, classes | _opposites(said), name, prep, article)
        word.behind = small if prep else ""
        self.words.append(word)

    def speaks(self) -> bool:
        """Tell whether it is said of who says it; in some languages the verb tells."""
        return "me" in self.flags or (bool(self.words) and self.words[0].sense == "i")

    def verb(self) -> int:
        """Return the verb's place; the number of words where none is. "Deploy steps use heron" begins with a noun."""
        if self._verb < 0:
            self._verb = self._place_of_verb()
        return self._verb

    def _place_of_verb(self) -> int:
        places = [at for at, word in enumerate(self.words) if word.is_verb]
        if len(places) > 1 and places[0] == 0 and places[1] > 1:
            return places[1]
        if len(places) > 1 and places[1] == places[0] + 1 and self.words[places[1]].said == "be":
            return places[1]  # "our staging host is heron"
        return places[0] if places else len(self.words)

    def reorder(self, words: list[Word]) -> None:
        """Put its words into another order."""
        self.words = words
        self._verb = -1


@cache
def _unspaced() -> tuple[Any, Any]:
    """Return what finds letters of scripts without spaces, and what parts these from others. To compile them takes as
    long as a turn, and a process that meets no such letter is spared it."""
    return re.compile(f"[{_LETTERS}]+"), re.compile(f"[{_LETTERS}]+|[^{_LETTERS}]+")


@lru_cache(maxsize=512)  # its language is told by them, then it is glanced at, then read
def tokens(text: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words of a text as written and folded, marks between clauses among them."""
    plain = fold(text.replace("ß", "ss")).replace("’", "'")
    if not plain.isascii() and _unspaced()[0].search(text):
        plain = text
    if "'" in plain:
        plain = _JOINED.sub(lambda found: f"{found[0]} ", _SHORT.sub(r"\1 is", plain))
    written = _TOKEN.findall(plain)
    return written, [word.lower() for word in written]


def read(text: str, language: str = "") -> Statement:
    """Cut a statement into the words that carry it."""
    return _read(text, language or language_as_written(text))


@lru_cache(maxsize=2048)
def _read(text: str, spoken: str) -> Statement:
    said = Statement(spoken)
    _fill(said, *_parted(text, spoken), table(spoken))
    return said


@lru_cache(maxsize=512)
def _parted(text: str, spoken: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words of a text in a language, as written and folded."""
    written, low = tokens(text)
    if not text.isascii() and any(map(_unspaced()[0].search, low)):
        written = low = _cut(low, table(spoken))
    return written, low


def words_in(text: str) -> Sequence[str]:
    """Return all words of a text, folded; scripts without spaces are cut."""
    return _parted(text, language_as_written(text))[1]


class Gist(NamedTuple):
    """What can be told of a statement at a glance, and at least what its reading or that of a part of it holds."""

    starts: frozenset[str]  # the letters that its words begin with, but for "be" and who speaks
    flags: frozenset[str]  # all classes of all its words


@lru_cache(maxsize=4096)
def gist(text: str, language: str) -> Gist:
    """Glance at a statement: a third of the cost of reading it."""
    _, low = _parted(text, language)
    known, opposites = table(language), shared()
    starts: set[str] = set()
    flags: set[str] = set()
    at = 0
    while at < len(low):
        size = known.phrase(low, at)
        word = low[at] if size == 1 else " ".join(low[at : at + size])
        at += size
        classes = known.words.get(word, NO_CLASS)
        flags |= classes
        if "since" in classes:
            flags.add("now")
        if word in MARKS or (classes and classes <= SMALL and word not in opposites):
            continue
        if "be" not in classes and "was" not in classes and "i" not in classes:
            sense = sense_of(word.removesuffix("'s"), classes | opposites.get(word, NO_CLASS))
            starts.add(sense[:KIN_BEGIN])
    return Gist(frozenset(starts), frozenset(flags))


@lru_cache(maxsize=2048)
def language_as_written(text: str) -> str:
    """Return the language of a text as it stands, with its accents and capitals."""
    return language_of(fold(text).lower())


def _cut(low: Sequence[str], known: Table) -> list[str]:
    """Runs without spaces cut at the longest words of the table; what lies between is a word."""
    found: list[str] = []
    sizes = known.sizes
    unspaced, runs = _unspaced()
    for run in (part for word in low for part in runs.findall(word)):
        if not unspaced.match(run):
            found.append(run)
            continue
        at = begun = 0
        while at < len(run):
            size = next((n for n in sizes.get(run[at], ()) if known.has(run[at : at + n])), 0)
            if size:
                if begun < at:
                    found.append(run[begun:at])
                found.append(run[at : at + size])
                begun = at + size
            at += size or 1
        if begun < len(run):
            found.append(run[begun:])
    return found


def _fill(said: Statement, written: Sequence[str], low: Sequence[str], known: Table) -> None:
    opposites = shared()
    at = 0
    prep = article = small = ""
    chunk = 0  # first word of those that a small word behind them will mark
    behind = said.language in BEHIND
    happened_last = -1
    topic = 0  # words of which the rest is said, where the verb comes last
    while at < len(low) and len(said.words) < LONGEST:
        size = known.phrase(low, at)
        word = low[at] if size == 1 else " ".join(low[at : at + size])
        classes = known.words.get(word, NO_CLASS)
        name = not word.isalpha() and " " not in word
        if written[at] != low[at]:
            capital = next((n for n, sign in enumerate(written[at]) if sign.isupper()), -1)
            name = name or capital > 0 or (capital == 0 and at > 0)
        name = name or (said.language in UNSPACED and word.isascii())
        at += size
        if "since" in classes and (end := _day_ends(low, at, known)):
            said.flags.add("now")  # "8082 since Monday" says that it was not before
            prep = article = ""
            at = end
            continue
        if word in MARKS:
            prep = article = ""
            said.breaks.append(len(said.words))
            continue
        if not classes and word.endswith("n't"):
            classes = frozenset(("not",))
        if not classes and word.endswith("'s"):
            word = word[:-2]
            said.flags.add("owner")
        if not classes:
            said.add(word, classes, name, prep, article, small)
            article = ""
            continue
        said.flags |= classes
        happened, placed = _use(classes)
        was_be = bool(said.words) and said.words[-1].said == "be"
        if "being" in classes and not was_be:
            continue  # "hang out", where what "is out" is over
        if happened and was_be and _is_quality(word):
            happened = []  # left handed
        if "not" in classes and said.breaks[-1:] == [len(said.words)]:
            happened = ["instead"]  # on Thursday, not on Tuesday
        said.events += ((sort, len(said.words)) for sort in happened)
        if happened:
            happened_last = len(said.words)
        if "not" in classes or "nomore" in classes or "over" in happened:
            said.denied.append(len(said.words))
        if "be" in classes or "was" in classes:
            said.words.append(Word("be", classes, False, "", ""))
            prep = article = ""
        elif not VERBS.isdisjoint(classes) and not (placed and ("have" in classes or prep)):
            said.words.append(
                Word(word, classes | opposites.get(word, NO_CLASS), False, "", article)
            )
            prep = article = ""
        elif behind and (placed or classes & {"object", "topic"}):
            for one in said.words[chunk:]:
                one.prep = placed or one.prep
            chunk = len(said.words)
            topic = topic or chunk * ("topic" in classes)
        elif happened:
            prep = "instead" if happened[0] == "instead" else "to" if "to" in classes else ""
            article = ""
        elif (
            placed
            and at < len(low)
            and not (
                "the" in classes
                and (
                    not said.words
                    or not (said.words[-1].is_verb or happened_last == len(said.words))
                )
            )
        ):
            prep, article, small = placed, "", word
            if placed == "from":  # "o servidor de testes de heron para crane": the first is an "of"
                for one in said.words:
                    one.prep = "" if one.prep == "from" else one.prep
            if "the" in classes:
                article = "the"
        elif "the" in classes or "a" in classes:
            if prep and said.words and said.words[-1].prep == prep:
                prep = ""  # "instead of Redis the cache …"
            article = "a" if "a" in classes else "the"
        elif classes and classes <= SMALL and word not in opposites:
            continue
        elif "whom" in classes and not prep and _is_an_order(said.words):
            continue  # "answer me in German" is "answer in German"
        else:
            if "i" in classes or "he" in classes:
                prep = ""
            said.add(word, classes, name, prep, article, small)
            article = ""
    verb = said.verb()
    if (topic or behind) and topic < verb < len(said.words):
        words = said.words
        said.reorder([*words[:topic], words[verb], *words[topic:verb], *words[verb + 1 :]])
    _begin_with_who(said)
    _begin_with_role(said)


def _day_ends(low: Sequence[str], at: int, known: Table) -> int:
    """Return where the day that begins here ends: "today", "el lunes"; 0 if none does, or another day follows."""
    while at < len(low):
        end = at + known.phrase(low, at)
        word = " ".join(low[at:end])
        classes = known.words.get(word, NO_CLASS)
        if "day" in classes or any(one.startswith(WEEKDAY) for one in shared().get(word, NO_CLASS)):
            then = known.words.get(low[end], NO_CLASS) if end < len(low) else NO_CLASS
            return 0 if "to" in then and "the" not in then else end
        if "the" not in classes:
            return 0
        at = end
    return 0


_WE = frozenset(("i", "us"))


def _begin_with_who(said: Statement) -> None:
    """ "For the charts we use Plotly" is read as "we use Plotly for the charts", "this project uses" as "we use"."""
    if len(said.words) > 2 and "ours" in said.words[0].classes and "use" in said.words[1].classes:
        said.words[0] = Word("we", _WE, False, "", "")
    speaker = next((at for at, word in enumerate(said.words) if word.sense == "i"), 0)
    front = said.words[:speaker]
    if front and front[0].prep and not said.events and len({word.prep for word in front}) == 1:
        said.reorder([*said.words[speaker:], *front])
        turned = len(said.words)
        said.denied = [(at - speaker) % turned for at in said.denied]
        said.breaks = [(at - speaker) % turned for at in said.breaks]


def _begin_with_role(said: Statement) -> None:
    """ "Postgres is our database" is said as "our database is Postgres" is."""
    verb = said.verb()
    who, role = said.words[:verb], said.words[verb + 1 :]
    if (
        who
        and role
        and said.words[verb].said == "be"
        and role[0].article == "the"
        and (who[0].article != "the" or (who[0].is_name and not role[0].is_name))
        and not any(word.prep or "he" in word.classes or word.sense == "i" for word in said.words)
        and not (said.events or said.denied or said.breaks or "owner" in said.flags)
    ):
        said.reorder([*role, said.words[verb], *who])


def _is_quality(word: str) -> bool:
    return any(one.startswith("quality:") for one in shared().get(word, NO_CLASS))


# rojo, roja, rojas: what a word may end with beside its form in the table.
_ENDINGS = ("es", "en", "er", "em", "as", "os", "s", "e", "a", "o", "i", "n")


@lru_cache(maxsize=4096)
def _opposites(word: str) -> frozenset[str]:
    """Return the classes of a word, or of its form in the table, on the scales of all languages."""
    opposites = shared()
    if word in opposites:
        return opposites[word]
    if len(word) < 5 or not word.isalpha():
        return NO_CLASS
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 3:
            stem = word[: -len(ending)]
            for other in ("", "o", "e"):
                if stem + other in opposites:
                    return opposites[stem + other]
    return NO_CLASS


def _is_an_order(words: Sequence[Word]) -> bool:
    """Tell whether all that was said so far is what somebody is to do."""
    return len(words) == 1 and not words[0].classes and not words[0].is_name


def says_untrue(said: Statement) -> bool:
    """Tell whether it only says of something else that it holds no more: "that's no longer true"."""
    words = [word for word in said.words if word.said != "be" and "he" not in word.classes]
    is_said = all(any(one.startswith("state:true:") for one in word.classes) for word in words)
    return "nomore" in said.flags and bool(words) and is_said


def kin(one: Word, other: Word) -> bool:
    """Tell whether two words are one but for an ending: drink, drinks; trinke, trinkt."""
    a, b = one.sense, other.sense
    if a == b:
        return True
    if len(a) > len(b):
        a, b = b, a
    if b.endswith(LEANING) and unleaning(b) == a:
        return True
    if len(a) < 3 or not a.isalpha() or not b.isalpha() or a[0] >= UNSPACED_FROM:
        return False
    if len(a) == 3:
        return len(b) == 4 and b[:3] == a and b[3] in SHORT_ENDINGS
    if b.endswith("ing") and len(b) > 5:
        b = b[:-3]
        if a in (f"{b}s", f"{b}es", f"{b}ed", f"{b[:-1]}ies", f"{b[:-1]}ied"):
            return True
        a, b = (a, b) if len(a) <= len(b) else (b, a)
    most = len(a) - 1 if len(a) > 4 else len(a)
    return a[:most] == b[:most] and len(b) - most <= 2


def unleaning(word: str) -> str:
    """Return a word without whom an order is for, if that is written behind it: responde, of respóndeme."""
    for one in LEANING:
        if word.endswith(one):
            rest = word[: -len(one)].rstrip("-")
            return rest if len(rest) >= LEANT_ON else word
    return word


def without(words: Iterable[Word], others: Sequence[Word]) -> list[Word]:
    """Return the words of one statement that another one does not have, in their order."""
    senses = {other.sense for other in others}
    rest = [word for word in words if word.sense not in senses]
    if not rest:
        return rest
    starts = {other.begins for other in others}
    return [
        word
        for word in rest
        if word.begins not in starts
        or not any(kin(word, other) for other in others if other.begins == word.begins)
    ]
