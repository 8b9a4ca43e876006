"""What a statement gives a value for: a subject has one name, one place, one port, one owner, one day."""

from __future__ import annotations

import re
from functools import cache

from cogmem.language.changes import OPENING
from cogmem.language.clauses import fold
from cogmem.language.opposites import is_calendar

TYPE_CHECKING = False


# What a subject has one of: where the words of a slot stand, another value is another truth.
_SLOTS = {
    "name": frozenset("called".split()),
    "place": frozenset("live moved located headquartered hosted umgezogen mudado verhuisd".split()),
    "port": frozenset("listen".split()),
    "holder": frozenset(
        "boss manager ceo cto cfo dentist doctor accountant landlord supervisor own lead".split()
    ),
    "date": frozenset(
        "deadline birthday starts start begins opens open closes close expires meeting retro launch"
        " ends offnet schliesst beginnt abre cierra empieza ouvre ferme commence fecha comeca apre chiude"
        " comincia opent sluit begint".split()
    ),
    "figure": frozenset("version limit price costs rate budget timeout takes rent vat fee".split()),
    "choice": frozenset("default favourite favorite font theme".split()),
    "work": frozenset("work".split()),
}
NUMBER = re.compile(
    r"^(?:[v#]?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|dos|tres|cuatro|cinco|seis|siete"
    r"|ocho|nueve|diez|once|doce|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|dois|duas|quatro"
    r"|sete|oito|nove|dez|due|tre|quattro|cinque|sei|sette|otto|dieci|undici|dodici|twee|drie|vijf|zes"
    r"|zeven|negen|tien|twaalf)$)"
)
_PLACE = re.compile(
    r"\b(?P<verb>is|are|sits|lies|ist|liegt|esta|est|fica|e|is|zit|located|moved|moves|live|lives|living|based"
    r"|wohne|wohnt|vivo|vive|habite|moro|mora|abito|woon)"
    r"\s+(?:now\s+|jetzt\s+|ahora\s+)?(?P<how>in|at|on|to|near|im|am|an|auf|en|a|au|rue|na|no|em|nel|nella|aan|te)\b"
)
_PLACED = re.compile(
    _PLACE.pattern
    + r"\s+(?:the\s+|der\s+|dem\s+|die\s+|el\s+|la\s+|le\s+|o\s+|il\s+|de\s+|het\s+)?(?P<what>\S+)"
)
_IS_ONLY = re.compile(r"(?:is|are|ist|esta|est|e)$")
_CLOCK = frozenset(
    "noon midnight mittag mitternacht mediodia midi minuit meio-dia mezzogiorno".split()
)
_ENGLISH_SORT = re.compile(r"\b(?:is|are) an?\b")  # no place, as "e a" or "esta a" would be one
_IS = (
    r"^\W*((?:the|our|my|der|die|das|unsere?r?|meine?r?|el|la|nuestr[oa]|mi|le|notre|mon|ma|o|a|noss[oa]"
    r"|me[ui]|minha|il|lo|nostr[oa]|mi[oa]|de|het|ons|onze|mijn) (?:[\w'-]+ ){1,4}?)"
    r"(?:(?:now|jetzt|ahora|maintenant|agora|adesso|nu) )?"
    r"(?:is|are|ist|es|est|e|heisst|se llama|s'appelle|se chama|si chiama|heet)"
    r"(?: (?:now|jetzt|ahora|maintenant|agora|adesso|nu|called|de|di))? (\S+(?: \S+){0,4})$"
)
_NOW = (" now", " jetzt", " ahora", " maintenant", " agora", " adesso", " nu")


@cache
def _is_pattern() -> re.Pattern[str]:
    return re.compile(_IS, re.IGNORECASE)


def value(text: str) -> tuple[str, str, str] | None:
    """What a statement like "the X is Y" is about, of which sort its value is, and the value."""
    plain = fold(text).strip().rstrip(".!")
    opening = OPENING.match(plain.lower())
    plain = plain[opening.end() :] if opening else plain
    for mark in _NOW:
        plain = plain.removesuffix(mark)
    found = _is_pattern().match(plain)
    if not found:
        return None
    subject, value = found[1].lower().strip(), found[2]
    if value.count(" ") > 1:
        return subject, "", value
    if any(c.isdigit() for c in value) or any(c in value[1:-1] for c in "@._/-"):
        return subject, "identifier", value
    return subject, "name" if value[:1].isupper() else "", value


_COUNTED = re.compile(
    r"^\W*(?:the |our |my )?(?!(?:is|are|at|on|to|in|about|every|runs?|has|have)\b)[a-z]+ #?v?\d"
)


def counts_the_subject(plain: str) -> bool:
    """Whether a number says which one is meant: "ticket 4711 is fixed"."""
    found = _COUNTED.search(plain)
    return found is not None and " " in plain[found.end() :].strip(" .0123456789")


_TIMES = frozenset(
    "one two three four five six seven eight nine ten eleven twelve noon midnight uhr".split()
)


def is_time(word: str) -> bool:
    return word in _TIMES or is_calendar(word)


def has_time(words: list[str]) -> bool:
    before = ""
    for word in words:
        if is_time(word) or (NUMBER.match(word) and (not before or is_time(before))):
            return True  # the 4 of "room 4" is none
        before = word
    return False


def same_sort_of_place(old: str, new: str) -> bool:
    """Whether both tell where something is: "at noon" and "on Monday", "in Rust" and "on GitHub" do not."""
    left, right = (_PLACED.search(_ENGLISH_SORT.sub(" ", plain)) for plain in (old, new))
    if not left or not right:
        return True  # a verb of dwelling alone
    if _sort_of_place(left["what"]) != _sort_of_place(right["what"]):
        return False
    only_is = _IS_ONLY.match(left["verb"]) and _IS_ONLY.match(right["verb"])
    return not only_is or left["how"] == right["how"]


def _sort_of_place(what: str) -> str:
    word = what.strip(".,!")
    if word in ("a", "an", "einem", "einer", "un", "une", "una", "um", "uma", "een"):
        return "sort"  # a flat is in a town
    if word in _CLOCK or word.rstrip("apmh").replace(":", "").isdigit():
        return "clock"
    return "day" if is_time(word) else "place"


def slots(plain: str, terms: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """What a statement gives a value for, and by which words."""
    found = {slot: signs & frozenset(terms) for slot, signs in _SLOTS.items() if signs & {*terms}}
    if (
        "holder" in found
        and "own" in found["holder"]
        and not {"owned", "maintained", "lead"} & {*plain.split()}
    ):
        found["holder"] = found["holder"] - {"own"}
    if _PLACE.search(_ENGLISH_SORT.sub(" ", plain)):
        found["place"] = frozenset(("place",))
    elif "place" in found and not {"live", "located", "headquartered", "hosted"} & {*terms}:
        found.pop("place")
    return found
