"""What lets somebody in, where the sentence names no password: a value that no word, name or address looks like, in
a sentence about getting in somewhere; and secrets with a shape of their own that means nothing alone."""

from __future__ import annotations

from cogmem.guard.characters import compiled, places, said
from cogmem.text.data import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[str, int, int]

GETS_IN = said("access gets in")
# A sign within the value, and on both sides of it what words are made of.
_SHAPED = (
    r"(?:^|[\s\"'`(\x{ff08}«“「:=,/])"
    r"([A-Za-z0-9][A-Za-z0-9._!#$%&*+?~^@-]*[!#$%&*+?~^][A-Za-z0-9._!#$%&*+?~^@-]*)"
)
_WIDE_SHAPED = (
    r"(?:\p{Han}|\p{Hiragana}|\p{Katakana}"
    r"|\p{Hangul})([A-Za-z0-9][A-Za-z0-9._-]*[!#$%&*+?~^][A-Za-z0-9._!#$%&*+?~^-]*)"
)
# The same with `_` or `-`, as names have them too: at the end of what is said about getting in.
_GIVEN = said("access given")
_BESIDE_ADDRESS = said("access beside address")
MAY_LET_IN = r"@[\w-]+\.|[A-Za-z0-9][!#$%&^*+_-][A-Za-z0-9!#$%&*+?~^]"
ONE_TIME = said("access one time")
_SEED = r"\b([A-Z2-7]{16,64}|(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{2,4})(?:$|[^A-Za-z0-9=])"
BACK_OF_CARD = said("access back of card")
_BACK_NUMBER = said("access back number")
_SOCIAL = said("access social")
_SOCIAL_NUMBER = (
    r"\b((?:00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6[0-57-9][0-9]|66[0-57-9])-?(?:0[1-9]|[1-9][0-9])-?(?:000[1-9]"
    r"|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3}))\b"
)
_BARE_KEY = said("access bare key")
# Programs that take a password as an argument, and how.
_ARGUMENT = said("access argument")
MAY_TELL = (
    rf"{_SOCIAL}|[0-9a-f]{{64}}|\s(?:-[pPaw]|-hp|/p:|-U|--pass)[ =]?[^\s]{{5}}|pass:|htpasswd|chpasswd"
    r"|wpa_passphrase|nmcli|(?m:^)\s*(?:requirepass|masterauth|passw(?:or)?d|user)\s"
)
_NAMES = frozenset(words("values")["names"].split())
_TRIED = ("example", "sample", "format", "regex")


def let_in(text: str, drawn: Callable[[str], bool]) -> Iterator[Span]:
    """Values that let somebody in, of a text that speaks of it; `drawn` says whether one may be a secret at all."""
    yield from _shaped(text, drawn)
    yield from _given(text, drawn)


def told(text: str, drawn: Callable[[str], bool]) -> Iterator[Span]:
    """Passages of a text that have a shape of their own, or stand where a program takes a password."""
    if compiled(_SOCIAL).search(text) and not any(word in text.lower() for word in _TRIED):
        for match in compiled(_SOCIAL_NUMBER).finditer(text):
            yield "social security number", match.start(1), match.end(1)
    for match in compiled(_BARE_KEY).finditer(text):
        yield "wallet key", match.start(1), match.end(1)
    for match in compiled(_ARGUMENT).finditer(text):
        group = match.lastindex
        value = match.group(group).strip("\"'")
        if len(value) >= 4 and drawn(value) and not value.startswith("-"):
            start = match.start(group) + match.group(group).index(value)
            yield "password", start, start + len(value)


def on_card(text: str) -> Iterator[Span]:
    """Return what stands on the back of a card."""
    for match in compiled(BACK_OF_CARD).finditer(text):
        number = compiled(_BACK_NUMBER).match(text[match.end() : match.end() + 40])
        if number:
            yield "card code", match.end() + number.start(1), match.end() + number.end(1)


def seeds(text: str) -> Iterator[Span]:
    """Return what one-time codes are computed from, of a text that speaks of them."""
    for match in compiled(_SEED).finditer(text):
        if _is_mixed(match.group(1).replace(" ", "").replace("-", "")):
            yield "one-time seed", match.start(1), match.end(1)


def _shaped(text: str, drawn: Callable[[str], bool]) -> Iterator[Span]:
    for pattern in (_SHAPED, _WIDE_SHAPED):
        for start, end in places(pattern, text, 1):
            value = text[start:end].rstrip(".?!:,;*_~-")
            if _lets_in(value) and drawn(value) and _stands_alone(text, start, start + len(value)):
                yield "password", start, start + len(value)


def _given(text: str, drawn: Callable[[str], bool]) -> Iterator[Span]:
    """Yield words with a number, a large and a small letter between which there is a sign: `Fuchsbau_21`."""
    for match in compiled(_BESIDE_ADDRESS).finditer(text):
        value = match.group(1).rstrip(".,;:?\"'`)")
        if _is_beside(value) and drawn(value):
            yield "password", match.start(1), match.start(1) + len(value)
    for match in compiled(_GIVEN).finditer(text):
        start, end = match.span(1)
        value = text[start:end]
        if (
            8 <= len(value) <= 40
            and _is_made_up(value, match.start(1) - match.start() < 40)
            and drawn(value)
        ):
            yield "password", start, end


def _is_beside(value: str) -> bool:
    """Return what follows the address of an account and is no time, number, path or address."""
    return (
        len(value) >= 6
        and sum(map(str.isalpha, value)) >= 3
        and any(map(str.isdigit, value))
        and not value[0].isdigit()
        and not any(sign in value for sign in "/@=<>()[]{}:#")
        and "." not in value
    )


def _is_made_up(value: str, is_sure: bool) -> bool:
    """Return letters of both sizes and a digit, joined as no name of a product or a version is."""
    if not any(map(str.isdigit, value)) or value.islower() or value.isupper():
        return False
    parts = compiled(r"[_*+.-]").split(value)
    if _NAMES.intersection(part.lower().rstrip("0123456789") for part in parts):
        return False
    if any(sign in "_*+" for sign in value):
        return sum(sum(map(str.isalpha, part)) > 2 for part in parts) >= (1 if is_sure else 2)
    odd = sum(any(map(str.isdigit, part)) and any(map(str.isalpha, part)) for part in parts)
    return len(parts) > 2 and odd > 0 and "." not in value


def _lets_in(value: str) -> bool:
    """Letters, a digit and a sign, and not what programs and people write so: `PR#12`, `C++17`, `50%of`."""
    if not 7 <= len(value) <= 40 or ("@" in value.rstrip("@") and "." in value.rpartition("@")[2]):
        return False
    signs = [at for at, sign in enumerate(value) if sign in "!#$%&^@"]
    if not signs or sum(map(str.isalpha, value)) < 3 or not any(map(str.isdigit, value)):
        return False
    if value.count("#") == len(signs) and (
        value.rpartition("#")[2].isdigit() or "." in value.partition("#")[0]
    ):
        return False
    if "%" in value and compiled("%[0-9A-Fa-f]{2}|[0-9]%").search(value):
        return False
    return not value.startswith(("$", "*", "&", "--")) and "&&" not in value and "**" not in value


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Tell whether the value is a word by itself or follows a name (`bob:…`), and no piece of an address or of
    code."""
    before = compiled(r"\S{0,80}$").search(text[max(0, start - 80) : start]).group()
    after = compiled(r"^\S{0,40}").search(text[end : end + 40]).group()
    if not text[start - 1 : start].isascii():
        before = ""
    is_named = compiled(r"^[\"'`(\x{ff08}«“「]*(?:\w[\w.@-]*[:/,=])?[\"'`(«“「]*$").match(before)
    return bool(is_named) and bool(
        compiled(r"^(?:[\"'`).,;:!?»”」\x{ff09}|]*$|[^!-~])").match(after)
    )


def _is_mixed(seed: str) -> bool:
    """Return letters with digits among them, or too many letters for a word in capitals."""
    return (
        "ABCDEFGH" not in seed
        and len(seed) >= 16
        and (any(map(str.isdigit, seed)) or len(seed) >= 26)
        and len(set(seed)) > 6
    )
