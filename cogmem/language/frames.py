"""Holds two statements against each other word by word: what is the frame, and what differs in it.

"The lease runs until 2027" and "The lease runs until 2029" share all but one place. Whether both
can hold depends on what stands there. One may deny the other; the two words may be opposites; or
the place has room for one value only: what a definite thing is or is called, where it stands, who
looks after it, what is counted of it. Two differences, or one that stands before the verb, make two
matters: the meeting with Lee and the meeting with Ana. Of what one may have many (friends, tools,
languages), two are no contradiction.
"""

from __future__ import annotations

import re
from collections import namedtuple
from difflib import SequenceMatcher
from functools import lru_cache

from cogmem.language.clauses import fold
from cogmem.language.opposites import CALENDAR, QUALITY, STATE, is_calendar, opposed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 4  # words of a value; more are another statement


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_TOKEN = re.compile(r"[\w][\w./@:+#'-]*[\w]|\w")
# What says in more than one word what a word could say.
_PHRASES = (
    (re.compile(r"\b(?:can't|cannot|can not) stand\b"), "hates"),
    (re.compile(r"\b(?:turned|switched) (on|off)\b"), r"\1"),
    (re.compile(r"\b(?:do|does)(?:n't| not) (?:have|has|need) to\b|\bneed(?:n't| not)\b"), "not must"),
    (re.compile(r"\b(?:have|has|need|needs) to\b"), "must"),
    (re.compile(r"\bno longer\b|\b(?:any ?more|nicht mehr|ne plus|ya no|niet meer|nao mais)\b"), " not "),
    (re.compile(r"\b([a-z]+)n't\b"), r"\1 not"),
    (re.compile(r"\bout of order\b"), "broken"),
    (re.compile(r"\bmust not\b|\bmay not\b|\bnot allowed to\b"), "not may"),
    (re.compile(r"\b(i|we|you|they|he|she|it)'(?:m|re|s)\b"), r"\1 is"),
    (re.compile(r"\bread[- ]only\b"), "readonly"),
    (re.compile(r"\b(?:has |with )?write access\b"), "writable"),
    (re.compile(r"\b(left|right)-handed\b"), r"\1 handed"),
    (re.compile(r"\b([a-z])'(?=[a-z]{3})"), r"\1' "),
)  # fmt: skip
# One of these stands in each of them; most statements have none and need not be searched for all.
_PHRASE_LETTERS = tuple(
    "'|can|turned|switched|need| to|longer|more|mehr|plus|ya no|meer|mais|order|not|read|write|handed".split(
        "|"
    )
)
_NOT = _listed(
    "not no never cannot none neither nicht kein keine keinen keiner nie niemals nunca jamas jamais pas"
    " ni tampoco nao non mai niet geen nooit"
)
# Neither change what is said nor carry it: not looked at.
_IDLE = _listed(
    "a an do does did ca wo n ne here hier aqui ici qui now nowadays again still yet currently today really very"
    " always also just please actually that's jetzt nun wieder noch immer auch gerade ein eine einen einer ahora ya"
    " siempre otra vez un una maintenant encore toujours une agora ainda sempre um uma adesso ora ancora nu"
    " nog steeds altijd een"
)
_ONE_OF = _listed("a an ein eine einen einem einer un una une um uma een")
_SAME = {
    word: row.split()[0]
    for row in (
        "is are am be was 're 's 'm i'm we're it's",
        "ist sind bin war",
        "esta estan es son fica",
        "je j",
        "must should shall soll sollen muss mussen needs need",
        "use uses using",
        "the der die das den dem des el la los las le les l il lo gli o os as de het",
    )
    for word in row.split()
}
_DEFINITE = _listed(
    "the our my your his her their its this der die das unser unsere unserem mein meine dein el la los las"
    " nuestro nuestra mi mis tu su le les notre nos mon ma mes son sa leur il lo mio mia nostro nostra o os"
    " as meu minha nosso nossa de het onze ons mijn"
)
_BEING = _listed(
    "is are am be was ist sind bin war esta estan es son est sont suis e sao fica sono zijn"
)
# One value at a time: how it is called, where it is, what it does for a living, until when it is so.
_ONE = _listed(
    "called named titled lives live living resides works work employed located based hosted stored kept sits"
    " sit stands stand hangs lies listens listen runs run starts start begins ends end opens closes expires"
    " leaves departs arrives lasts costs cost takes weighs measures equals defaults points"
    " belongs handled owned maintained managed served led written built deployed rotates renews moved"
    " heisst heissen wohnt wohne lebt lebe arbeitet arbeite steht stehen liegt hangt lauft laufen beginnt"
    " endet offnet schliesst kostet dauert gehort sitzt befindet fahrt"
    " llama llamo vive vivo trabaja trabajo cuesta empieza termina abre cierra sale dura corre escucha"
    " appelle habite vit travaille coute commence finit ouvre ferme dure tourne ecoute trouve"
    " chama chamo mora moro trabalha custa comeca acaba fecha roda fica"
    " chiama chiamo abita abito vive lavora lavoro costa inizia finisce apre chiude gira ascolta trova"
    " heet woont woon werkt kost begint eindigt opent sluit duurt staat ligt draait luistert"
)
# One may do it with many, on many days, in many places: only what is counted clashes.
_HAVING = _listed(
    "have has had own owns got buy buys bought sell sells see saw read reads speak speaks play plays know"
    " knows learn learns wear wears watch eat eats drink drinks write writes visit visited"
    " habe hat haben besitze besitzt spreche spricht tengo tiene hablo habla ai a parle tenho tem falo"
    " ho ha parlo parla heb heeft spreek spreekt use uses used benutze nutze uso usa utilise gebruik"
)
_USING = _listed(
    "use uses using benutzen benutze nutzen nutzt verwenden verwendet usamos uso usa utilisons utilise"
    " usiamo usano gebruiken gebruikt"
)
_PORTUGUESE = _listed(
    "agora moro mora fica ficam nao meu minha nosso nossa voce esta trabalho ao sao o"
)
_SPEAKER = _listed("any i we you ich wir yo nosotros je nous on eu nos io noi ik wij we")
_WITH = _listed("with mit con avec com met and und y et e en")
_FOR = _listed("for fur zum zur para pour per voor as als in im en em dans")
_IN = _listed(
    "in at on to near im am an auf en a au aux rue na no em nel nella al alla aan op bei under behind"
    " by via through until from since von bis hasta desde jusqu'a jusqu depuis por per da door tot met"
    " avec con com mit every each all alle cada chaque ogni elke"
)
_ABOUT = _listed(
    "above over below under than about around up to up_to exactly least most only max maximum minimum"
)
_ENUMERATING = _listed(
    "number nummer numero part teil parte chapter kapitel item step case example question fact note entry"
)
_KEEPER = _listed("by von por par da door via through durch")
_NAMING = _BEING | _ONE
_VERBS = _NAMING | _HAVING | _USING
_MONEY = _listed("euro euros eur dollar dollars pound pounds francs cents")
_NUMBER = re.compile(
    r"[#v$€£]?\d[\w.,:%/-]*$|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty"
    r"|eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|dos|tres|cuatro|cinco|seis|siete|ocho"
    r"|nueve|diez|once|doce|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|dois|duas|quatro|sete"
    r"|oito|nove|dez|doze|due|tre|quattro|cinque|sei|sette|otto|dieci|undici|dodici|twee|drie|vijf|zes|zeven"
    r"|negen|tien|twaalf)$"
)
_UNTELLING = _DEFINITE | _IN | _BEING | _FOR | _SPEAKER


def spelled_out(low: str) -> str:
    """A folded statement in which each denial, liking and duty is one word."""
    if any(map(low.__contains__, _PHRASE_LETTERS)):
        for pattern, instead in _PHRASES:
            low = pattern.sub(instead, low)
    if " no " in low and not _PORTUGUESE.isdisjoint(low.split()):
        low = low.replace(" no ", " em ")  # "moro no Porto" denies nothing
    return low


class Word(namedtuple("Word", "said bare is_name is_sort")):
    """A word of a statement, as the one that stands for its kin.

    Whether it is written as a name, and whether it is one of its sort: a flat, ein Arzt.
    """

    __slots__ = ()
    said: str
    bare: str
    is_name: bool
    is_sort: bool


class Told(namedtuple("Told", "words is_denied")):
    """The words of a statement that carry it, and whether it denies them."""

    __slots__ = ()
    words: tuple[Word, ...]
    is_denied: bool


@lru_cache(maxsize=1024)
def told(text: str, opening: re.Pattern[str]) -> Told:
    """Cut a statement into the words that carry it."""
    plain = fold(text.replace("ß", "ss")).strip()
    start = opening.match(plain.lower())
    plain = plain[start.end() :] if start else plain
    low = spelled_out(plain.lower())
    names = {
        found[0].lower()
        for found in _TOKEN.finditer(plain)
        if found.start() and (found[0][:1].isupper() or not found[0].isalpha())
    }
    words: list[Word] = []
    is_denied = False
    all_words = _TOKEN.findall(low)
    for place, found in enumerate(all_words, 1):
        if found in _NOT:
            is_denied = True
            continue
        if found not in _IDLE or (found == "an" and place == len(all_words)):
            is_sort = place > 1 and all_words[place - 2] in _ONE_OF
            words.append(Word(found, _SAME.get(found, found), found in names, is_sort))
    return Told(tuple(words), is_denied)


def _kin(word: Word, other: Word) -> bool:
    """Whether two words are one but for an ending: drink, drinks; trinke, trinkt."""
    one, two = sorted((word.bare, other.bare), key=len)
    if one == two:
        return True
    if len(one) < 3 or not one.isalpha() or not two.isalpha():
        return False
    if len(one) == 3:
        return two in (f"{one}s", f"{one}e", f"{one}t")
    most = len(one) - 1 if len(one) > 4 else len(one)
    return one[:most] == two[:most] and len(two) - most <= 2


class Contrast(namedtuple("Contrast", "is_sure reason")):
    """Why two statements cannot both hold, and whether that is sure enough to end the older."""

    __slots__ = ()
    is_sure: bool
    reason: str


def contrast(old: Told, new: Told) -> Contrast | None:
    """Say why two statements cannot both hold, as far as their words stand in one frame."""
    left, right = old.words, new.words
    if not left or not right or max(len(left), len(right)) > 30:
        return None
    left_rest, right_rest = _without(left, right), _without(right, left)
    if old.is_denied != new.is_denied:
        denier, told_rest = (left_rest, right_rest) if old.is_denied else (right_rest, left_rest)
        return _denies(denier, told_rest, (left, right))
    if old.is_denied:
        return None
    return _opposites(left_rest, right_rest, left, right) or _values(left, right)


def _without(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    same = {other.bare for other in others}
    alike: dict[str, list[Word]] = {}  # words that are kin begin with the same three letters
    for other in others:
        alike.setdefault(other.bare[:3], []).append(other)
    return [
        word
        for word in words
        if word.bare not in same
        and not any(_kin(word, other) for other in alike.get(word.bare[:3], ()))
    ]


def _telling(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if word.said not in _UNTELLING]


def _denies(
    denier: Sequence[Word], teller: Sequence[Word], both: tuple[Sequence[Word], ...]
) -> Contrast | None:
    """ "She drinks no coffee" denies "she drinks coffee with milk"; "no coffee at night" does not."""
    if any(len(_telling(words)) < 2 for words in both):
        return None
    if _telling(denier) or len(_telling(teller)) > 2:
        return None
    if _telling(teller) and any(word.is_name for word in teller):
        return None
    return Contrast(False, "one denies what the other says")


def _opposites(
    left_rest: Sequence[Word],
    right_rest: Sequence[Word],
    left: Sequence[Word],
    right: Sequence[Word],
) -> Contrast | None:
    a, b = _telling(left_rest), _telling(right_rest)
    if len(a) != len(b):
        a, b = _uncounted(left_rest), _uncounted(right_rest)
    if len(left_rest) == len(right_rest) == 1:
        a, b = list(left_rest), list(right_rest)  # on, an, aan: the last word of a statement
    if len(a) != 1 or len(b) != 1:
        return None
    are_last = a[0] == left[-1] and b[0] == right[-1]
    sort = opposed(a[0].said, b[0].said, are_last=are_last)
    shared = [word for word in left if word not in left_rest]
    if not sort or not [word for word in shared if word.said not in _BEING | _DEFINITE]:
        return None
    verbs = {word.said for word in shared}
    if sort in (QUALITY, CALENDAR) and verbs & _HAVING:
        return None  # one may own a red and a blue one
    if sort in (STATE, QUALITY) and not are_last and not _is_said(left, a[0]):
        return None  # the red team, the blue team
    if sort == CALENDAR and len(_telling(left)) > 3:
        return None  # somebody may do it on both days
    return Contrast(False, _against(a, b))


def _is_said(words: Sequence[Word], word: Word) -> bool:
    """Whether a word stands in what is said of the subject, and not in the subject."""
    place = words.index(word)
    if any(other.said in _BEING | _ONE for other in words[place + 1 :]):
        return False
    following = words[place + 1 : place + 2]
    stands_alone = not following or following[0].said in _IN | _FOR | _DEFINITE
    stands_alone = stands_alone or (place > 0 and words[place - 1].said in _IN | _WITH)
    return stands_alone or any(
        other.said in _VERBS or other.said == "must" for other in words[:place]
    )


def _uncounted(words: Sequence[Word]) -> list[Word]:
    """The telling words without a sum: free, or two euros."""
    return [w for w in _telling(words) if not _NUMBER.match(w.said) and w.said not in _MONEY]


@lru_cache(maxsize=8)
def _codes(
    left: tuple[Word, ...], right: tuple[Word, ...]
) -> Sequence[tuple[str, int, int, int, int]]:
    """How the words of one statement become those of the other; two questions are asked of the same pair."""
    bare = [word.bare for word in left], [word.bare for word in right]
    return SequenceMatcher(None, *bare, autojunk=False).get_opcodes()


def is_of_another(old: Told, new: Told) -> bool:
    """Whether the words before the verb name two matters: the meeting with Lee, the meeting with Ana."""
    left, right = old.words, new.words
    if not left or not right:
        return False
    begin_alike = left[0].bare == right[0].bare
    if not begin_alike and not any(_NUMBER.match(word.said) for word in left):
        return False
    if not any(word.said in _NAMING or _NUMBER.match(word.said) for word in left):
        return False
    codes = _codes(left, right)
    apart = [code for code in codes if code[0] == "replace"]
    if apart and _is_label(left, apart[0][1]):
        return True
    if len(apart) != 2 or not apart[0][1] or len(apart) != sum(c[0] != "equal" for c in codes):
        return False
    between = left[apart[0][2] : apart[1][1]]
    return any(word.said in _NAMING for word in between)


def _is_label(words: Sequence[Word], place: int) -> bool:
    """Whether a number only says which one is meant: rule 4, turn 9. A port that is listened on is none."""
    if not place or not _NUMBER.match(words[place].said):
        return False
    named = words[place - 1]
    if named.said in _ENUMERATING:
        return True
    if not named.said.isalpha() or named.said in _IN | _DEFINITE | _VERBS | _ABOUT:
        return False
    following = words[place + 1 : place + 2]
    if named.said.endswith("s") or (following and following[0].said not in _IN | _BEING | _ONE):
        return False  # it seats twelve, one needs two reviews
    return not any(word.said in _VERBS for word in words[:place])


def _values(left: tuple[Word, ...], right: tuple[Word, ...]) -> Contrast | None:
    """Of one frame with one place that differs: whether that place has room for one value."""
    if left[0].bare != right[0].bare:
        return None
    codes = _codes(left, right)
    apart = [code for code in codes if code[0] != "equal"]
    if len(apart) != 1 or apart[0][0] != "replace":
        return None
    _, start, end, begin, stop = apart[0]
    a, b = left[start:end], right[begin:stop]
    before, after = left[:start], left[end:]
    if not before or len(a) > MOST or len(b) > MOST:
        return None
    verbs = [n for n, w in enumerate(before) if w.said in _VERBS]
    if any(w.said in _BEING for w in (*a, *b)) or any(w.said in _BEING | _ONE for w in after):
        return None  # the difference says which one is meant
    numbers = _figures(a), _figures(b)
    counted = bool(numbers[0] and numbers[1]) and _units(a) == _units(b)
    subject = [w for w in before if w.said not in _IN | _BEING]
    if counted and len(subject) > 0 and (verbs or before[-1].said in _IN):
        is_definite = any(w.said in _DEFINITE or "'s" in w.said or w.is_name for w in before)
        return Contrast(is_definite and bool(verbs), _against(a, b))
    is_code = len(a) == len(b) == 1 and not (a[0].said.isalpha() or b[0].said.isalpha())
    if is_code and before[0].said in _DEFINITE and any(w.said in _IN for w in before):
        return Contrast(False, _against(a, b))
    if not verbs or (numbers[0] and not numbers[1]) or (numbers[1] and not numbers[0]):
        return None
    verb = before[verbs[-1]].said
    between = before[verbs[-1] + 1 :]
    if verb in _USING:
        is_for = bool(after) and after[0].said in _FOR
        return Contrast(False, _against(a, b)) if is_for and len(a) == len(b) == 1 else None
    if verb in _HAVING or len(between) > 2 or before[-1].said in _WITH:
        return None
    if not any(w.said in _DEFINITE or "'s" in w.said or w.is_name for w in (*before, left[0])) and (
        verb in _BEING
    ):
        return None
    return _one_value(a, b, verb, between, before)


def _one_value(
    a: Sequence[Word],
    b: Sequence[Word],
    verb: str,
    between: Sequence[Word],
    before: Sequence[Word],
) -> Contrast | None:
    places = [words[0].said for words in (a, b) if words[0].said in _IN]
    if len(places) == 1 or len({*places}) > 1:
        return None  # "in Rust" and "on GitHub"
    is_placed = bool(places) or any(w.said in _IN for w in between)
    is_kept = any(w.said in _KEEPER for w in between)
    values = _telling(a), _telling(b)
    if not all(values) or _has_article(a) != _has_article(b):
        return None
    if values[0][0].is_sort != values[1][0].is_sort:
        return None  # one lives in a flat and in Rome
    days = [any(is_calendar(w.said) for w in words) for words in values]
    if days[0] != days[1]:
        return None
    are_names = all(words[-1].is_name for words in values)
    if verb in _ONE and (are_names or is_placed or is_kept or verb in _CALLED):
        return Contrast(True, _against(a, b))
    if verb in _BEING and (is_placed or are_names):
        is_definite = before[0].said in _DEFINITE or "'s" in before[0].said or is_placed
        return Contrast(is_definite, _against(a, b)) if is_definite else None
    return None


_CALLED = _listed(
    "called named titled heisst heissen llama llamo appelle chama chamo chiama chiamo heet"
)
_ARTICLE = _listed("the der die das el la le il lo o de het")


def _has_article(words: Sequence[Word]) -> bool:
    return words[0].said in _ARTICLE


def _figures(words: Sequence[Word]) -> list[str]:
    return [word.said for word in words if _NUMBER.match(word.said)]


def _units(words: Sequence[Word]) -> list[str]:
    """What is counted, as far as it does not stand behind both."""
    return [w.bare for w in words if not _NUMBER.match(w.said)]


def _against(a: Sequence[Word], b: Sequence[Word]) -> str:
    return f"“{' '.join(w.said for w in a[:3])}” against “{' '.join(w.said for w in b[:3])}”"
