"""Whether two statements can both hold, and whether the newer one takes the place of the older.

Both are cut into telling words. What they share says what they are about; what only one of them says
is a value, if it stands behind the shared subject. Two values clash if the subject has room for one
only: a name, a place, a port, an owner, a day, a version; if one is the opposite of the other; or if
the newer statement says by itself that something changed ("now", "no longer", "moved to", "not X").
Different subjects never clash: Ann and Bob may both live in Berlin.
"""

from __future__ import annotations

import re
from collections import namedtuple
from functools import lru_cache
from unicodedata import normalize

from cogmem.language.changes import CORRECTING, OPENING, plainly
from cogmem.language.clauses import fold
from cogmem.language.frames import contrast, is_of_another, told
from cogmem.language.slots import (
    NUMBER,
    counts_the_subject,
    has_time,
    is_time,
    same_sort_of_place,
    slots,
    value,
)

TYPE_CHECKING = False


class Clash(namedtuple("Clash", "replaces reason")):
    """Why two statements cannot both hold; replaces: the newer one says so, or leaves no doubt."""

    __slots__ = ()
    replaces: bool
    reason: str


_WORD = re.compile(r"[\w][\w./@:+#-]*[\w]|\w|[\u3040-\u9fff]")
_CJK = re.compile(r"[\u3040-\u9fff]+")

_JOINT = re.compile(r"[,;] |，|、| – | - ")
LONGEST_OF_CLAUSES = 200  # characters of a statement whose clauses are looked at one by one
MOST_CLAUSES = 3
MOST_BESIDE = 1  # words that the older of two says beside a subject and a time: "every", "team"

_FILLER = frozenset(
    "a an the is are am be was were been being of to for and or in on at by with from as it its it's this"
    " that these those there here"
    " me my mine we us our ours you your he she his her they their them do does did has have had will would"
    " very really so just also"
    " please s re m ve ll d named who which what then than any more"
    " der die das den dem des ein eine einen einer ist sind war wird werden mein meine wir unser unsere und"
    " oder in im am auf an bei"
    " mit von zu zum zur fur es sich hat haben"
    " el la los las un una es son esta estan en de del al a y o con por para mi mis nuestro nuestra se lo"
    " le les l un une est sont au aux du des et ou avec pour par sur dans mon ma mes notre nos on nous c ce qu"
    " os as um uma e sao na nos nas do da dos das ao com meu minha nosso nossa fica"
    " il lo gli uno sono nel nella del della dei al alla con per mio mia nostro nostra ho abbiamo"
    " het een zijn is op aan van voor met onze ons mijn wij en of te"
    " наш наша наше наши мои моя мое мы я в на у с и это nasz nasza nasze moj moja moje jest".split()
)
_CHANGED = frozenset(
    "now nowadays moved move moves renamed switched switch changed changes replaced migrated became becomes"
    " instead anymore longer used"
    " formerly currently today went got promoted since stopped"
    " jetzt nun inzwischen umgezogen gewechselt umgestiegen mehr sondern heisst"
    " ahora ya actualmente mudado maintenant desormais plus agora mudou ora adesso piu nu"
    " теперь сейчас ныне teraz obecnie artık artik simdi".split()
)
_NOT = frozenset(
    "not no never isn't aren't wasn't don't doesn't didn't won't can't cannot without"
    " nicht kein keine keinen nie niemals nunca jamais pas ne n'est non mai nao niet geen nooit sin ni"
    " ya".split()
)
_CHANGED_OR_NOT = _CHANGED | _NOT
_SYNONYM = {
    word: group.split()[0]
    for group in (
        "called named name names heisst heisse llama llamo appelle chama chamo chiama chiamo heet titled"
        " spelled",
        "use uses using utilize rely run runs running benutzen nutzen verwenden usamos uso utilise"
        " utilisons usiamo gebruiken",
        "live lives living reside resides based wohne wohnt lebe vivo vive habite moro mora abito abita"
        " woon woont",
        "own owns owner owned maintain maintains maintainer maintained responsible handles lead leads"
        " charge runs_it"
        " verantwortlich zustandig responsable responsavel responsabile lleva cuida beheert eigenaar gestisce",
        "listen listens port ports poort porta puerto",
        "work works working employed arbeite trabajo travaille trabalho lavoro werk",
        "postgres postgresql",
        "kubernetes k8s",
        "office offices buro oficina bureau escritorio ufficio kantoor",
        "server host",
        "meeting standup",
        "deadline due",
        "database db datenbank",
    )
    for word in group.split()
}


def _bare(word: str) -> str:
    """A plural and its singular are one."""
    if word == "always":
        return word
    return word[:-1] if len(word) > 4 and word[-1] == "s" and word[-2] not in "su" else word


_WITH = re.compile(r"\b(?:with|mit|con|avec|com|met)\b")

# "Ann is a nurse": of which sort somebody is. "In Lisbon", "in a hurry" are no sort.
_SORT = re.compile(
    r"^\W*(?:\S+ ){0,3}?(?:(?:\S+'s|is|am|i'm|was) (?:now )?(?:an?|one of|een)"
    r"|(?:ist|bin|es|soy|est|suis|e|sou|sono|ben) (?:jetzt |ahora |maintenant |agora |adesso |nu )?"
    r"(?:einer?|eines?|un|une|una|um|uma|een))"
    r" (?!(?:bit|little|lot|few|hurry)\b)[^\W\d]"
)
_OWNER = re.compile(
    r"\b(?:owns|maintains|leads|handles|looks after|takes care of|is responsible for|is in charge of"
    r"|manages|signs|betreut|beheert|lleva|cuida d[aeo]s?|gestisce|zustandig|verantwortlich|kummert"
    r"|se ocupa|s'occupe|gere|si occupa|is the (?:contact|admin|head|lead|manager))\b"
)
_UNTIL = re.compile(
    r"\b(?:not|isn't|aren't|no longer|instead of|rather than|from|don't|nicht(?: mehr)?|nicht bei"
    r"|ya no(?: esta| es| se)?|no es|pas|plus|non|piu|nao|niet(?: meer)?)\s+(?:use |en |el |il |le |op "
    r"|live in |in |at |on |called |the |a |mehr )?([\w./@-]+)"
)


@lru_cache(maxsize=1024)
def _terms(text: str) -> tuple[str, ...]:
    """The telling words of a statement, in order, each as the one that stands for its kin."""
    plain = fold(text.replace("ß", "ss")).lower()
    plain = OPENING.sub("", plain)
    found: list[str] = []
    for run in _WORD.findall(plain):
        if _CJK.match(run):
            found.append(run)
            continue
        word = run.removesuffix("'s")
        if word in _FILLER or (len(word) == 1 and not word.isdigit() and word not in "ij"):
            continue
        found.append(_SYNONYM.get(word) or _SYNONYM.get(word.rstrip("s")) or _bare(word))
    return tuple(found)


def clash(old: str, new: str, corrects: bool = False) -> Clash | None:
    """Say why the newer statement and the older one cannot both hold; None if they may.

    `corrects`: the newer one was said to set something right.
    """
    if old.strip().rstrip(".") == new.strip().rstrip("."):
        return None
    found = _clash(old, new, corrects)
    if found is None and len(new) < LONGEST_OF_CLAUSES and _JOINT.search(new):
        # "The project is called Heron now, it used to be Crane": one of the two says it.
        for clause in _JOINT.split(new)[:MOST_CLAUSES]:
            found = found or (_clash(old, clause, corrects) if _is_whole(clause) else None)
    return found


def _is_whole(clause: str) -> bool:
    return len(clause.split()) > 2 or (len(clause) > 4 and bool(_CJK.search(clause)))


def _clash(old: str, new: str, corrects: bool) -> Clash | None:
    if _CJK.search(new) and _CJK.search(old):
        from cogmem.language import cjk_frames

        wides = normalize("NFKC", old), normalize("NFKC", new)  # fold would make か of が
        unspaced = cjk_frames.contrast(*(OPENING.sub("", wide) for wide in wides))
        if unspaced is None:
            return None
        is_change = corrects or bool(cjk_frames.CORRECTING.match(wides[1]))
        return Clash(is_change or unspaced.is_sure, unspaced.reason)
    old, new = _plain(old), _plain(new)
    plain = fold(new).lower()
    is_correction = corrects or bool(CORRECTING.match(plain))
    is_change = is_correction or bool({*_terms(new)} & _CHANGED)
    frames = told(old, OPENING), told(new, OPENING)
    if not is_correction and is_of_another(*frames):
        return None
    by_words = _by_words(old, new, corrects)
    if by_words is not None:
        return by_words
    found = contrast(*frames)
    if found is None:
        return None
    return Clash(is_change or found.is_sure, found.reason)


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    """A statement, in other words where it says that something changed."""
    low = fold(text.replace("ß", "ss")).lower()
    plain = plainly(low)
    return text if plain == low else plain


def _by_words(old: str, new: str, corrects: bool) -> Clash | None:
    """What the telling words of both say, in whatever order: the first rule that has an answer decides."""
    left, right = _terms(old), _terms(new)
    if {*left}.isdisjoint({*right} - _CHANGED - _NOT):
        return None
    both = _Both(old, new, left, right, corrects)
    if not all(both.tellings):
        return None
    for rule in _RULES:
        answer = rule(both)
        if answer is not None:
            return None if answer is _BOTH_HOLD else answer
    return None


class _Both:
    """Two statements side by side: what they share, and what only one of them says."""

    __slots__ = (
        "is_change",
        "left",
        "lefts",
        "only_left",
        "only_right",
        "plains",
        "right",
        "rights",
        "same_subject",
        "shared",
        "tellings",
        "texts",
    )

    def __init__(
        self, old: str, new: str, left: tuple[str, ...], right: tuple[str, ...], corrects: bool
    ) -> None:
        self.texts = old, new
        self.left, self.right = left, right
        self.lefts, self.rights = {*left}, {*right}
        self.shared = self.lefts & self.rights - _CHANGED - _NOT
        self.plains = fold(old).lower(), fold(new).lower()
        self.is_change = bool(
            self.rights & _CHANGED or corrects or CORRECTING.match(self.plains[1])
        )
        self.only_left = [w for w in left if w not in self.rights and w not in _CHANGED_OR_NOT]
        self.only_right = [w for w in right if w not in self.lefts and w not in _CHANGED_OR_NOT]
        self.tellings = [[w for w in row if w not in _CHANGED_OR_NOT] for row in (left, right)]
        self.same_subject = False
        if all(self.tellings):
            first, second = self.tellings
            self.same_subject = first[0] == second[0] or (  # "the budget for ads", "the ads budget"
                self.is_change and first[0] in self.rights and second[0] in self.lefts
            )
            if first[0].isdigit() and second[0].isdigit():  # "we have 40 customers"
                self.same_subject = first[1:2] == second[1:2]

    @property
    def reason(self) -> str:
        return f"“{' '.join(self.only_left[:3])}” against “{' '.join(self.only_right[:3])}”"

    @property
    def denial_differs(self) -> bool:
        return bool(self.lefts & _NOT) != bool(self.rights & _NOT)


# What a rule answers where both can hold; None where it cannot tell.
_BOTH_HOLD = Clash(False, "")


def _switched(both: _Both) -> Clash | None:
    """One is on and the other off."""
    before, after = (_SWITCH.findall(plain) for plain in both.plains)
    is_all = {*both.only_left, *both.only_right} <= {"on", "off"}
    if before and after and {*before} != {*after} and is_all:
        return Clash(both.is_change, f"“{before[0]}” against “{after[0]}”")
    return None


def _took_over(both: _Both) -> Clash | None:
    return (
        Clash(True, both.reason)
        if both.shared - {"i"} and _TOOK_OVER.search(both.plains[1])
        else None
    )


def _said_to_be_over(both: _Both) -> Clash | None:
    """ "Not X", "no longer X", "from X to Y": the newer one names what is over."""
    newer = both.plains[1]
    if both.only_right and "," not in newer and not _OVER.search(newer):
        return None  # not allergic to dogs: to cats, perhaps
    denied = {_SYNONYM.get(word, _bare(word)) for word in _UNTIL.findall(newer)}
    over = denied & both.lefts - {"i"}
    if over and (both.same_subject or len(both.shared) > 1 or both.right[0] in _CHANGED):
        return Clash(True, f"the newer one says that “{min(over)}” is over")
    return None


def _given_up(both: _Both) -> Clash | None:
    """ "We dropped npm", of "we use npm for the frontend": who speaks says what is over."""
    found = _GIVEN_UP.match(both.plains[1])
    first = both.plains[0].split()[:2]
    if not found or len(first) < 2 or first[0] not in ("i", "we"):
        return None
    word = found[1] or found[2]
    if first[1].endswith("ed") or first[1] in _PAST or _terms(word)[:1] != _terms(word):
        return None
    if {*_terms(word)} & both.lefts:
        return Clash(True, f"the newer one says that “{word}” is over")
    return None


def _denied(both: _Both) -> Clash | None:
    """One denies the very words of the other, or says never where it said always."""
    always = {"always", "never"}
    if {*both.only_left} <= always and {*both.only_right} <= always:
        if both.denial_differs:
            return Clash(both.is_change, "one denies what the other says")
        return _BOTH_HOLD
    return _BOTH_HOLD if both.denial_differs else None


def _on_another_day(both: _Both) -> Clash | None:
    """It was moved, and both say when: "we swim every Wednesday at five", "swimming moved to Thursday"."""
    beside = [word for word in both.only_left if not is_time(word) and not NUMBER.match(word)]
    if (
        both.is_change
        and both.shared - {"i"}
        and has_time(both.only_left)
        and has_time(both.only_right)
        and len(beside) <= MOST_BESIDE
        and all(is_time(word) or NUMBER.match(word) for word in both.only_right)
    ):
        return Clash(True, both.reason)
    return None


def _exchanged(both: _Both) -> Clash | None:
    """One word of what is one's own was put in the place of another."""
    if (
        not both.same_subject
        and both.shared - {"own", "i"}
        and len(both.only_left) == len(both.only_right) == 1
        and _is_own(both.plains)
    ):
        return Clash(True, both.reason)
    return None


def _apart(both: _Both) -> Clash | None:
    """Other subjects, or one says only more than the other."""
    if not both.same_subject or not both.only_right or not both.only_left:
        return _BOTH_HOLD
    before, after = both.plains
    if bool(_SORT.match(before)) != bool(_SORT.match(after)):
        return _BOTH_HOLD  # a welder lives somewhere, too
    return None


def _another_value(both: _Both) -> Clash | None:
    before, after = map(value, both.texts)
    if before and after and before[0] == after[0]:
        if both.is_change:
            return Clash(True, both.reason)
        if before[1] == after[1] != "":
            return Clash(before[1] == "identifier", both.reason)
    return None


def _too_far(both: _Both) -> Clash | None:
    """Too much is said by one alone, or the figure counts the subject itself."""
    if len(both.only_left) > 4 or len(both.only_right) > 5:
        return _BOTH_HOLD
    return _BOTH_HOLD if any(map(counts_the_subject, both.plains)) else None


def _another_number(both: _Both) -> Clash | None:
    if all(map(NUMBER.match, [*both.only_left, *both.only_right])):
        is_slot = slots(both.plains[0], both.left).keys() & slots(both.plains[1], both.right).keys()
        return Clash(both.is_change or bool(is_slot), both.reason)
    return None


def _in_a_slot(both: _Both) -> Clash | None:
    """The subject has room for one name, place, owner or day."""
    before, after = slots(both.plains[0], both.left), slots(both.plains[1], both.right)
    for slot in sorted(before.keys() & after.keys()):
        if slot == "place":
            if same_sort_of_place(*both.plains):
                return Clash(True, both.reason)
        elif (signs := before[slot] & after[slot]) and _fills(both, slot, signs):
            is_plain = len(both.shared) > 1 or len(both.only_left) <= 2
            return Clash(both.is_change or is_plain, both.reason)
    return None


def _fills(both: _Both, slot: str, signs: frozenset[str]) -> bool:
    """Whether what each says alone is a value of this slot."""
    left, right = both.left, both.right
    if slot == "choice" and not any(
        left[at + 1] in both.rights for at, word in enumerate(left[:-1]) if word in signs
    ):
        return False  # the default of another thing
    is_with_many = len(both.only_left) > 1 or _WITH.search(both.plains[0])
    if slot == "work" and not both.is_change and is_with_many:
        return False
    if slot == "date" and not (has_time(both.only_left) and has_time(both.only_right)):
        return False
    if slot == "figure":
        return True
    at = min(map(left.index, signs))
    first = min(map(right.index, both.only_right))
    behind = min(map(left.index, both.only_left)) > at and first > at - 1
    return behind and (slot != "name" or right.index("called") < first)


def _mostly_the_same(both: _Both) -> Clash | None:
    """It says that something changed, and says the rest again."""
    if both.same_subject and not both.is_change and _is_own(both.plains):
        return _BOTH_HOLD  # one may own many things
    again = len(both.shared - {"i"})
    telling = both.tellings[0]
    if both.is_change and again and again * 2 >= len(telling) - ("i" in telling):
        return Clash(True, both.reason)
    return None


_RULES = (
    _switched, _took_over, _said_to_be_over, _given_up, _denied, _on_another_day, _exchanged, _apart, _another_value,
    _too_far, _another_number, _in_a_slot, _mostly_the_same,
)  # fmt: skip


# Says that something is over, and not only that it is not so.
_OVER = re.compile(
    r"\b(?:no longer|any ?more|instead of|rather than|from|stopped|nicht mehr|ya no|plus|non? .* piu"
    r"|nao .* mais|niet meer|geen .* meer)\b"
)
_GIVEN_UP = re.compile(
    r"^(?:i|we)(?:'ve| have)? (?:(?:now|just|finally|actually) )*"
    r"(?:dropped|quit|ditched|scrapped|abandoned|cancelled|canceled|left|got rid of|gave up(?: on)?"
    r"|stopped (?:using|drinking|eating|doing|going to|working (?:at|for|with))) "
    r"(?:the |our |my )?([\w.@/-]+)[\s.!]*$"
    r"|^(?:ich habe|wir haben) (?:den |die |das |unsere[nr]? |meine[nr]? )?([\w.@/-]+)"
    r" (?:abgeschafft|gekundigt|aufgegeben|abgelost|rausgeworfen)[\s.!]*$"
)
_PAST = frozenset("met went was were had did saw bought got took made found left came".split())
_TOOK_OVER = re.compile(
    r"\b(?:took over|takes over|has taken over|ubernimmt|hat .* ubernommen|asume|a repris|assumiu"
    r"|ha preso|neemt .* over|heeft .* overgenomen)\b"
)


_SWITCH = re.compile(r"\b(?:is|are|turned|switched|now)\s+(on|off)$")


def _is_own(plains: tuple[str, str]) -> bool:
    """Whether both name an owner of something: there the subject is the value."""
    return all(_OWNER.search(plain) or " owner" in plain for plain in plains)
