"""Secrets as people tell them: in a sentence, in their own language, with no format to know them by.

A word names the secret, and somewhere in the same sentence stands a value. Where the sentence says that the word is
the value (`is`, `:`, `lautet`, `是`), little is asked of it; further off it has to look drawn. So "the password
policy needs 12 characters" passes, and "Zx9… es mi contraseña" does not.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from cogmem.guard import access, numbers, phrases, wallet
from cogmem.guard.characters import compiled, held, places, said
from cogmem.guard.rows import has_row
from cogmem.guard.values import is_other_key
from cogmem.text.data import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[str, int, int]

# Codes that open an account when all else is lost: groups of digits and letters with hyphens.
_CODES = said("spoken codes")
# Words for what only its owner may know.
_WORDS = said("spoken words")
_PIN = said("spoken pin")
NAMED = said("spoken named")
_NEAR = 60  # characters after the word in which a drawn value is looked for
_FAR = 8  # words after it in which it is said what the password is
_TELLING = frozenset("0123456789!@#$%^&*+=~")
_NETWORK_NEAR = 24  # characters after the word in which a network may be named
_WHO = said("spoken who")
_PIN_SAID = said("spoken pin said")
_PIN_BESIDE = r"^[^\n.:!0-9a-zA-Z]{0,12}\s?([0-9]{4,8})\b"
_SAID_OF = said("spoken said of")
# Words that name a password only beside who uses it.
_LENT = frozenset(said("spoken lent").split())
_SAID_AS = said("spoken said as")
_END = r"[\n\x{3002}\x{ff01}\x{ff1f}\x{ff1b}\x{0964}]|[.?;](?:\s|$)|!\s+[A-Z]"


_MARK = "[0-9!@#$%^&*+=~]"
# Four signs of ASCII without a blank, and a telling one among them: less is not a value.
_MARKED = rf"{_MARK}[!-~]{{3}}|[!-~]{_MARK}[!-~]{{2}}|[!-~]{{2}}{_MARK}[!-~]|[!-~]{{3}}{_MARK}"
_SIGNS = "!@#$%^&*+?~"
_TOKEN = r"[!-~]{4,}"
_LINK = said("spoken link")
_CHANGED = said("spoken changed")
_LINKS = frozenset(said("spoken links").split())
# What makes of a weak word one for a password: what it lets in to.
_NETWORK = said("spoken network")


# Most texts hold few of these, or none: one pass over a text tells which.
_LOOKS = (
    phrases.MAY_TELL,
    access.BACK_OF_CARD,
    access.ONE_TIME,
    _MARKED,
    access.GETS_IN,
    access.MAY_LET_IN,
    access.MAY_TELL,
    numbers.MAY_OPEN,
    NAMED,
    numbers.CARD,
    numbers.ACCOUNT,
)


def spoken(text: str, drawn: Callable[[str], bool]) -> Iterator[Span]:
    """Passages of a text that tell a secret; `drawn` says whether a value may be one at all."""
    seen = {_LOOKS[place] for place in held(_LOOKS, text.encode())}
    if phrases.MAY_TELL in seen:
        yield from phrases.told(text)
    if has_row(text):
        yield from wallet.phrases(text)
    if access.BACK_OF_CARD in seen:
        yield from access.on_card(text)
    if access.ONE_TIME in seen:
        yield from access.seeds(text)
    if _MARKED not in seen:
        return
    if access.GETS_IN in seen and access.MAY_LET_IN in seen:
        yield from access.let_in(text, drawn)
    if access.MAY_TELL in seen:
        yield from access.told(text, drawn)
    if numbers.MAY_OPEN in seen:
        yield from numbers.opening(text)
    if NAMED in seen:
        yield from _named(text, drawn)
    if numbers.CARD in seen or numbers.ACCOUNT in seen:
        yield from numbers.numbered(text)


def _named(text: str, drawn: Callable[[str], bool]) -> Iterator[Span]:
    is_marked = compiled(_MARKED).search
    for start, end in places(NAMED, text):
        if _within_a_word(text, start, end):
            continue
        if is_marked(text[max(0, start - _NEAR) : end + 2 * _NEAR].encode()):
            yield from _after(text, end, text[start:end], drawn)
            yield from _before(text, start, drawn)


def _after(text: str, end: int, named: str, drawn: Callable[[str], bool]) -> Iterator[Span]:
    """`password: …`, `mi clave es …`, `the passcode … opens the door`."""
    rest = text[end : end + 2 * _NEAR]
    if not set(rest) & _TELLING:
        return
    stop = compiled(_END).search(rest)
    rest = rest[: stop.start()] if stop else rest
    word = named.lower()
    if word == "key" and is_other_key(text[max(0, end - 24) : end]):
        return
    values = [(start, value) for start, value in _values(rest) if start <= _NEAR]
    if not values:
        return
    sure, is_pin = _is(_WORDS, word), _is(_PIN, named)
    told_before = text[max(0, end - 2 * _NEAR) : end]
    if word in _LENT:
        sure = bool(compiled(_WHO).search(text[max(0, end - 40) : end]))
    sure = sure or bool(compiled(_NETWORK).search(told_before + rest[:_NETWORK_NEAR]))
    is_named = bool(compiled(_WHO).search(told_before))
    may_be_far = sure or any(_is_long(value) for _, value in values)
    linked, is_said = _linked(rest, may_be_far, text[end - 1] >= "\u1100")
    for start, value in values:
        if word == "key" and not (is_said and _is_long(value)):
            continue
        direct = start <= linked + 1
        digits = value.replace("-", "") if _is(_CODES, word) else value
        if direct and is_said and (sure or is_pin) and digits.isdigit() and 4 <= len(digits) <= 12:
            yield "pin", end + start, end + start + len(value)
        elif drawn(value) and (
            _strong(value)
            or (direct and sure and _mixed(value))
            or (direct and sure and is_said and _hyphened(value, _is(_CODES, word)))
            or (direct and sure and (is_said or is_named) and _worded(value))
            or (
                sure
                and start + len(value) >= len(rest.rstrip(" .!"))
                and _for(rest[:start])
                and _is_told_of(value)
            )
            or (direct and is_said and _mixed(value) and _changes(value) >= 4)
        ):
            yield "password", end + start, end + start + len(value)
            if is_said and sure:
                yield from _listed(rest, start + len(value), value, end)
    if is_pin and not (is_said and linked) and values:
        said = compiled(_PIN_SAID).match(rest) or compiled(_PIN_BESIDE).match(rest)
        if said:
            yield "pin", end + said.start(1), end + said.end(1)


def _is_long(value: str) -> bool:
    return len(value) >= 20 and _changes(value) >= 6 and value.isalnum()


def _values(text: str) -> Iterator[tuple[int, str]]:
    """Return what may be a value: pieces of ASCII with a digit or a sign in them, and where each begins."""
    plain = (
        text if text.isascii() else "".join(sign if "!" <= sign <= "~" else " " for sign in text)
    )
    at = 0
    for piece in plain.split():
        at = plain.index(piece, at)
        if len(piece) >= 4 and set(piece) & _TELLING:
            yield _bare(at, piece)
        at += len(piece)


def _linked(rest: str, sure: bool, is_wide: bool) -> tuple[int, bool]:
    """Return where the value would begin, and whether what stands before it says that the word is the value."""
    changed = compiled(_CHANGED).match(rest)
    if changed:  # "… auf Zx9 geändert"
        return changed.end(1), True
    link = compiled(_LINK).match(rest)
    linked = link.end() if link else 0
    if link and link.group().strip(" \t\"'*_`()[]"):
        return linked, True
    far, says = _far(rest) if sure else (0, False)  # "the password at home is …"
    return (far, says) if far else (linked, linked == 0 and is_wide)


@cache
def _is(sort: str, word: str) -> bool:
    """Tell whether a word is one of a sort: of codes, of what only its owner may know, of what opens."""
    return compiled(rf"(?i)^(?:{sort})$").match(word) is not None


def _far(rest: str) -> tuple[int, bool]:
    """Return where the value would begin if a few words stand before what says "is", or before "from"."""
    at = of = 0
    for word in rest.split()[:_FAR]:
        at = rest.index(word, at) + len(word)
        if word.lower() in _LINKS or word.endswith((":", "\uff1a")):
            return at + 1, True
        if word.lower() in ("from", "von", "с"):
            return at + 1, False
        of = of or (at + 1) * (word.lower() in ("de", "du", "da"))
    return of, False


def _before(text: str, begin: int, drawn: Callable[[str], bool]) -> Iterator[Span]:
    """`Zx9… is my password`."""
    back = text[max(0, begin - _NEAR) : begin]
    if not any(map(_is_told_of, (value for _, value in _values(back)))):
        return
    found = compiled(_SAID_OF).search(back)
    if not found:
        return
    group = 1 if found.start(1) >= 0 else 2
    start, value = _bare(found.start(group), found.group(group))
    is_said = _strong(value) or compiled(_SAID_AS).search(back[found.start(group) + len(value) :])
    if is_said and _is_told_of(value) and drawn(value):
        start += begin - len(back)
        yield "password", start, start + len(value)


_SHORT = frozenset("pass pw psk key pwd token login secret creds clave chave".split())


def _within_a_word(text: str, start: int, end: int) -> bool:
    """`bypass`, `compass`, `tokenizer`: a Latin word that only holds the letters."""
    named = text[start:end]
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if after in ("_", "-") and text[end + 1 : end + 2].isalpha() and named.isascii():
        return True  # `password_hash_rounds`
    if before.isascii() and before.isalpha() and named.lower() in _SHORT:
        return True
    return after.isascii() and after.isalpha() and text[end - 1].isascii()


def _bare(start: int, value: str) -> tuple[int, str]:
    cut = value.lstrip("\"'`([<{*_")
    start += len(value) - len(cut)
    bare = cut.rstrip("\"'`)]}>,;:*_")
    if bare.endswith((".", "?", "!", "\\")) and not (
        bare.endswith("!") and len(bare) < 14 and _classes(bare[:-1]) >= 2
    ):
        bare = bare.rstrip(".?!")
    return start, bare


def _classes(value: str) -> int:
    return sum(
        (
            any(map(str.islower, value)),
            any(map(str.isupper, value)),
            any(map(str.isdigit, value)),
            any(sign in _SIGNS for sign in value),
        )
    )


def _strong(value: str) -> bool:
    """Return letters of both sizes with digits among them, or a sign and a digit: no word, name or version."""
    if not 7 <= len(value) <= 64 or _is_path(value):
        return False
    if not any(map(str.isdigit, value)) or not any(map(str.isalpha, value)):
        return False
    stem = value.rstrip("0123456789")
    if stem.isalpha() or (stem.replace("-", "").isalpha() and "-" in stem):
        return False
    if _words(value):
        return False
    return _classes(value) >= 3 and (_changes(value) >= 4 or any(sign in _SIGNS for sign in value))


def _words(value: str) -> bool:
    """`import.meta.env.KEY2`, `o200k_base`."""
    return all(part.isidentifier() for part in value.split(".")) and ("." in value or "_" in value)


def _changes(value: str) -> int:
    kinds = ["d" if sign.isdigit() else "u" if sign.isupper() else "l" for sign in value]
    return sum(left != right for left, right in pairwise(kinds))


def _mixed(value: str) -> bool:
    """Return letters and digits, or letters and a sign: enough where the sentence says that it is the password."""
    if not 6 <= len(value) <= 64 or _is_path(value) or _words(value):
        return False
    if value[0].isdigit() and "-" in value:
        return False
    if not any(map(str.isalpha, value)):
        return False
    digits = sum(map(str.isdigit, value))
    return (
        digits >= 2
        or (digits >= 1 and _classes(value) >= 3)
        or any(sign in "!@#$%^&*+=~" for sign in value[:-1])
    )


_TECHNICAL = frozenset(words("values")["technical"].split())


def _worded(value: str) -> bool:
    """`Gato_Negro_55`: words with a number, and none of them what a program calls its things."""
    parts = value.lower().replace(".", "_").split("_")
    bare = [part.rstrip("0123456789") for part in parts]
    digits = sum(map(str.isdigit, value))
    return (
        8 <= len(value) <= 40
        and len(parts) > 1
        and 1 <= digits <= 8
        and all(part.isalnum() for part in parts)
        and not parts[0].isdigit()
        and sum(len(stem) > 2 for stem in bare) >= 1
        and not _TECHNICAL.intersection(bare)
        and not any(stem == "v" for stem in bare)
    )


def _is_told_of(value: str) -> bool:
    """Return what stands before "is my password": more than a word, and no name of a product."""
    parts = value.split("-")
    is_joined = (
        len(parts) > 1
        and all(map(str.isalnum, parts))
        and not (value.islower() or value.isupper())
        and not _TECHNICAL.intersection(part.lower() for part in parts)
    )
    return _strong(value) or _capital(value) or (is_joined and _mixed(value))


def _for(between: str) -> bool:
    """`… for the mail`, between a password and what may be it."""
    words = between.split()
    return (
        2 <= len(words) <= 4
        and words[0].lower() in _WHAT_FOR
        and not compiled(_WHO).search(between)
    )


_WHAT_FOR = frozenset(said("spoken what for").split())


def _capital(value: str) -> bool:
    return _worded(value) and not value.islower() and not value.isupper()


def _listed(rest: str, at: int, first: str, offset: int) -> Iterator[Span]:
    """Return what goes on with a list of secrets: `4tkq-9b2m, x7dd-20pz`."""
    for start, value in _values(rest[at:]):
        between = rest[at : at + start].strip(" ,;&\"'`").lower()
        is_alike = len(value) == len(first) and _kinds(value) == _kinds(first)
        if (
            between
            not in ("", "and", "or", "und", "oder", "y", "o", "et", "ou", "e", "и", "или", "和")
            or not is_alike
        ):
            return
        yield "password", offset + at + start, offset + at + start + len(value)
        rest, offset, at = rest[at + start + len(value) :], offset + at + start + len(value), 0


def _kinds(value: str) -> tuple[int, ...]:
    return tuple(place for place, sign in enumerate(value) if not sign.isalnum())


def _hyphened(value: str, is_code: bool) -> bool:
    """`sunflower-42-rain`, and of codes `8f3kd-92kls`."""
    begins = is_code and any(map(str.isalpha, value[:6]))
    return "-" in value and any(map(str.isdigit, value)) and (begins or not value[0].isdigit())


def _is_path(value: str) -> bool:
    return (
        "://" in value
        or value.startswith(("/", "./", "~", "-", "$", "%", "<", "{", "@"))
        or "/" in value
        or "=" in value[:-2]
        or ("." in value and value.replace(".", "").replace("_", "").isalnum() and value.islower())
        or "(" in value
        or "[" in value
    )
