"""A first look at a text: may it hold a secret at all?

The guard loads a library of patterns, which takes longer than a turn, and most prompts hold nothing that it would
look at. Who must be quick asks here first. To look closer for nothing costs time; to pass a secret costs more.
"""

from __future__ import annotations

from itertools import pairwise

from cogmem import errors
from cogmem.errors import GuardRefused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_HEX = frozenset("0123456789abcdefABCDEF-_")
_OURS = frozenset(
    ("", "mem", "act", "turn", "run")
)  # what stands before what is drawn of our own names
_DRAWN = 6  # characters of a word that may be drawn
_LONG = 16  # of one that is no longer a word
_NO_NAME = 40  # of a piece that no name has
_NUMBER = 12  # digits that may be those of a card or an account
_FEWEST_BLANKS = 10  # of a text with a wallet's phrase in it
_JOINTS = "/._-:,;()[]{}<>'\"`=@?*"  # what stands between the words of a path or a call
_YEAR = 4  # digits of a number in one
_HUMP = 3  # letters to each capital within a name, at least
_SIGNED = 7  # of a word with a digit and a sign, as passwords have
_SIGNS = "!#$%&*~^"

# Parameters that name something, in whatever statement. What a text says its stage has guarded, by the policy of
# who said it; names have no policy: one that holds a secret is refused, whatever the door it came through.
_NAMES = frozenset(
    "runtime user project session reason actor name turn path path_glob label root remote origin host speaker"
    " conversation key title model purpose subject ref role tool file folder vocabulary archive_reason value meaning"
    " pattern example counter_example heading anchor asks label language relation expand_hint".split()
)


def may_tell(text: str) -> bool:
    """Tell whether the guard has to look at this text for secrets."""
    folded = f" {text.lower()}"
    if _tells(folded) or _may_open(folded):
        return True
    if not (text.isprintable() or text.replace("\n", " ").replace("\t", " ").isprintable()):
        return True  # hidden characters part what belongs together
    digits = 0
    for word in text.split():
        if word.isalpha():
            digits = 0
            continue
        count = sum(map(str.isdigit, word))
        digits = digits + count if count else 0
        if count and len(word) >= _SIGNED and _is_signed(word[:-1]):
            return True
        if digits >= _NUMBER or (len(word) >= _LONG and not _is_path(word)):
            return True
        if count and len(word) >= _DRAWN and _is_drawn(word):
            return True
    return _has_row(text)


def _is_path(word: str) -> bool:
    """Tell whether a long word is made of short ones, as names of files and functions are: nothing in it is drawn."""
    for sign in _JOINTS:
        word = word.replace(sign, " ")
    for piece in word.split():
        if piece.isdigit():
            if len(piece) > _YEAR:
                return False
        elif not piece.isalpha():
            return False
        elif not (piece.islower() or piece.isupper() or piece.istitle()):
            humps = sum(a.islower() and b.isupper() for a, b in pairwise(piece))
            # Of one drawn letter by letter every second one is another case.
            if _HUMP * humps > len(piece) or not piece[-2:].islower():
                return False
    return True


def _is_signed(word: str) -> bool:
    """Return a sign within a word, or what joins words where they are of large and small letters."""
    signs = set(word)
    if not signs.isdisjoint(_SIGNS):
        return True
    return not signs.isdisjoint("_+-") and not (word.islower() or word.isupper())


def _has_row(text: str) -> bool:
    if text.count(" ") + text.count("\n") < _FEWEST_BLANKS:
        return False
    from cogmem.guard.rows import has_row

    return has_row(text)


def may_name(text: str) -> bool:
    """Tell whether the guard has to look at a name: of a user, a session, a turn, a path."""
    if len(text) < 8 or (len(text) < 12 and " " not in text):
        return False
    kind, _, drawn = text.rpartition(
        "_"
    )  # `turn_…`: our own names may hold "2fa" and mean nothing by it
    if not set(drawn) - _HEX and kind in _OURS:
        return _is_writing(drawn)
    folded = f" {text.lower()}"
    if " " in text and sum(map(str.isdigit, text)) >= _NUMBER:
        return True  # a number alone is what programs call things
    if _has_row(text):
        return True
    if len(text) >= 18 and _stands_in("shapes", text):
        return True
    if (
        len(text) >= _NO_NAME
        and max(map(len, text.replace("-", " ").replace("/", " ").split())) >= _NO_NAME
    ):
        return True
    if " " in text or len(text) >= 12:
        return _tells(folded) or _may_open(folded)
    return False


def _may_open(folded: str) -> bool:
    return sum(map(str.isdigit, folded)) >= 4 and _stands_in("locked", folded)


def _tells(folded: str) -> bool:
    return _stands_in("telling", folded)


def _stands_in(name: str, text: str) -> bool:
    """Tell whether any word of a list does. A generator would be resumed for each: half the calls of a small turn."""
    from cogmem.text.data import listed

    for word in listed("glance", name):  # noqa: SIM110
        if word in text:
            return True
    return False


def _is_writing(digits: str) -> bool:
    """Tell whether hexadecimal digits spell a text, as those of an identity or a digest never do."""
    if len(digits) < _NO_NAME:
        return False
    try:
        spelt = bytes.fromhex(digits)
    except ValueError:
        return False
    return spelt.isascii() and spelt.decode().isprintable()


def _is_drawn(word: str) -> bool:
    kinds = [sign.isdigit() for sign in word if sign.isalnum()]
    return sum(left != right for left, right in pairwise(kinds)) >= 3


def refuse_secrets(
    steps: Iterable[tuple[str, Any]], *names: str, known: Iterable[str] = ()
) -> None:
    """Refuse a write, given as statements with their parameters, that calls anything by a secret: by names that are
    not `known` in the file."""
    read = {*known}  # the steps of a write name the same session, turn and project
    for _, params in steps:
        if not isinstance(params, list):
            for name in _NAMES.intersection(params):
                value = params[name]
                if value.__class__ is str and value not in read:
                    read.add(value)
                    if may_name(value):
                        refuse_secret(name, value)
    for value in names:
        if value and may_name(value):
            refuse_secret("reason", value)


def refuse_secret(name: str, value: str) -> None:
    """Refuse a name that the guard takes for a secret, before anything is stored."""
    from cogmem.guard import guard

    if any(finding.kind == "secret" for finding in guard.inspect(value, with_orders=False)):
        raise GuardRefused(
            f"the {name.replace('_', ' ')} holds a secret: take it out; nothing was stored"
        )


def without_secrets(said: str) -> str:
    """Return a message as it may be shown and logged."""
    if not may_name(said):
        return said
    from cogmem.guard import guard

    return guard.apply(said, guard.POLICIES["record"]).text


errors.screen = without_secrets
