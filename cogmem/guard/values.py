"""Judges the values that the table of secrets finds: a secret, or an ordinary word, a stand-in, a piece of code?

A check takes what stands before a value, the value, and what follows, and says whether it may be a secret.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import log2

from cogmem.guard.phrases import is_about
from cogmem.text.data import listed, words

_LISTS = words("values")
_STAND_INS = _LISTS["stand-ins"].split("|")
_BEGINNINGS = (*_LISTS["openers"].split("|"), *_LISTS["references"].split("|"))
_ROOTS, _PLAIN_WORDS, _TECHNIQUES = (
    frozenset(_LISTS[name].split()) for name in ("roots", "plain words", "techniques")
)


def _entropy(value: str) -> float:
    size = len(value)
    return -sum(n / size * log2(n / size) for n in Counter(value).values())


def placeholder(value: str) -> bool:
    """Tell whether the value stands in for a secret, or says where the secret is kept."""
    low = value.lower()
    if low.startswith(_BEGINNINGS) or len(set(low)) <= 2:
        return True
    if low[0] in "$!*&%@":  # a variable, a YAML tag or alias; `$ecret99` is none
        name = value[1:].strip("%").replace("_", "")
        if name.isalpha() or (name.isalnum() and name.upper() == name):
            return True
    if low[0] in "/.~" and _words(value, 1):
        return True
    return any(word in low for word in _STAND_INS) or ("<" in low and ">" in low)


def _words(value: str, odd: int = 0) -> bool:
    """Tell whether the value is an identifier made of words; so many of its parts may be odd, as in `o200k_base`."""
    parts = value.translate(_SEPARATORS).split("-")
    for part in parts:
        word = part.isalpha() and len(part) <= 14
        number = part.isdigit() and len(part) <= 3
        if part and not (word or number or _technique(part)):
            odd -= 1
            if odd < 0 or len(part) > 5:
                return False
    return len(parts) > 1 and any(part.isalpha() and len(part) > 2 for part in parts)


_SEPARATORS = str.maketrans("_./:", "----")


def _technique(value: str) -> bool:
    stem = value.lower().rstrip("0123456789")
    return 0 < len(value) - len(stem) <= 4 and stem in _TECHNIQUES


def _random(value: str) -> bool:
    """Tell whether an unquoted value of 16 characters or more was drawn rather than written."""
    if len(value) < 16 or _words(value):
        return False
    letters = sum(map(str.isalpha, value))
    digits = sum(map(str.isdigit, value))
    if letters and digits:
        return _entropy(value) >= 3.0
    if letters < 0.8 * len(value):
        return False
    changes = sum(a.islower() != b.islower() for a, b in pairwise(value))
    return changes >= 0.3 * len(value) and _entropy(value) >= 3.7


def _label(value: str) -> bool:
    """Tell whether the value names a password instead of being one: `wrong_password`."""
    low = value.lower()
    named = low.endswith(("password", "passwd", "token", "secret", "key"))
    return named and (_words(value) or (value.isalpha() and not value.islower()))


def _expression(value: str, after: str) -> bool:
    """Tell whether an unquoted value is code: a call, an attribute, a constant's name."""
    if after[:1] in ("(", "[") or "::" in value or "->" in value:
        return True
    if value.replace("_", "").isalnum() and "_" in value and value.upper() == value:
        return True
    root, dot, rest = value.partition(".")
    return bool(dot) and (root in _ROOTS or rest.replace(".", "").isalpha()) and _identifiers(value)


def _identifiers(value: str) -> bool:
    return all(part.isidentifier() for part in value.split("."))


def _key(before: str) -> str:
    return " ".join(before.lower().split())[-60:]


def assigned(before: str, value: str, after: str) -> bool:
    """Judge the value of `password = value` and its kin."""
    quoted = before[-1:] in ('"', "'", "`") and after[:1] == before[-1]
    value = value.rstrip("\\") if quoted else value.rstrip(".,:!?\\")
    key = _key(before)
    if not undocumented("", value, ""):
        return False
    if placeholder(value) or value.lower() in _PLAIN_WORDS or _technique(value) or _label(value):
        return False
    phrase = any(word in key for word in _PASSWORD_WORDS)
    if any(map(str.isspace, value)):
        return "passphrase" in key and value.replace(" ", "").isalnum() and value.count(" ") > 2
    if not phrase and _identifiers(value) and (value.startswith("_") or "." in value):
        return False
    letters = any(map(str.isalpha, value))
    digits = any(map(str.isdigit, value))
    if quoted and len(value) >= 8:
        return phrase or not (_words(value, 1) or (value.isalpha() and len(value) <= 15))
    if not quoted and (_expression(value, after) or value[:-1].lower() in _PLAIN_WORDS):
        return False
    if phrase and len(value) >= 6:
        mixed = digits and not (value.islower() or value.isupper())
        if _passphrase(value):
            return True
        if value.isalpha() or (_words(value) and not mixed):
            return False
        return (letters and digits) or value.isdigit() or _symbols(value)
    return _random(value) and not is_other_key(key)


def _passphrase(value: str, least: int = 4) -> bool:
    """Tell whether a value is so many words or more that make no sentence: `correct-horse-…`."""
    words = value.split("-")
    if len(words) < least or not all(word.isalpha() and 3 <= len(word) <= 12 for word in words):
        return False
    return value.islower() and not any(is_about(word) or word in _PLAIN_WORDS for word in words)


def is_other_key(before: str) -> bool:
    """Tell whether what stands before a value names a key of a table or a cache: `CACHE_KEY=`."""
    name = before.lower().rstrip(" :=\"'`").removesuffix("key")
    return name.rstrip("_- ").endswith(_OTHER_KEYS)


def drawn(value: str) -> bool:
    """Tell whether a value may be a secret at all, as far as it can be told without the words around it."""
    known = placeholder(value) or value.lower() in _PLAIN_WORDS or _technique(value)
    return not known and not _label(value) and undocumented("", value, "")


def _symbols(value: str) -> bool:
    """Tell whether letters carry the odd symbols of a password that has no digit."""
    return value.isascii() and any(sign in value for sign in "!@#$%^&*+=?") and len(value) >= 8


def spoken(before: str, value: str, after: str) -> bool:
    """Judge the value of `the password is value`: prose, so it has to look drawn or mixed."""
    said, value = value, value.rstrip(".,:;!?)\"'`")
    is_password = any(word in _key(before) for word in _PASSWORD_WORDS)
    ends = said[-1] in ".!?" or after[:1] in ("", "\n")
    if is_password and _passphrase(value, 3 if ends else 4):
        return True
    if placeholder(value) or _words(value) or _technique(value) or _expression(value, after):
        return False
    if not undocumented("", value, ""):
        return False
    if is_password:
        mixed = any(map(str.isalpha, value)) and any(map(str.isdigit, value))
        return len(value) >= 6 and (mixed or _symbols(value))
    return _random(value)


def not_words(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    return not (value.islower() and _words(value))


def opaque(before: str, value: str, after: str) -> bool:
    return not placeholder(value) and not_words(before, value, after)


def mixed(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Turn down a code that is a word, a number or a path: one that lets in has letters and digits of no word."""
    halves = value.split("#")
    if len(halves) > 1 and not all(_is_drawn_half(half) for half in halves):
        return False
    if not (any(map(str.isdigit, value)) and any(map(str.isalpha, value))):
        return False
    return not placeholder(value) and not _words(value, 1) and _entropy(value) >= 3.0


def _is_drawn_half(half: str) -> bool:
    cases = any(map(str.islower, half)) and any(map(str.isupper, half))
    return cases and half.count("-") + half.count("_") < 3


def goes_on(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Tell whether the next line goes on with the token: it is drawn too, and the first one alone is no word."""
    first, _, second = value.partition("\n")
    second = second.strip(" \t>|")
    return (
        interleaved("", first.strip(" \\\r\t"), "")
        and interleaved("", second, "")
        and not _words(second)
    )


def beside_user(before: str, value: str, after: str) -> bool:
    """Judge what stands behind a user's name and a slash: letters with digits or signs, as passwords have them."""
    value = value.rstrip(".,:;)*_")
    if placeholder(value) or _words(value) or _technique(value) or _expression(value, after):
        return False
    inner = value[1:]
    digits, letters = any(map(str.isdigit, inner)), any(map(str.isalpha, value))
    return undocumented(before, value, after) and letters and (digits or _symbols(value))


def userinfo(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Judge the password of a URL; `host:8080?mail=a@b` has none."""
    port = value.split("?")[0].split("#")[0]
    if value in ("password", "passwd", "secret", "pass") and after.startswith(
        ("@localhost", "@127.0.0.1")
    ):
        return False
    return not (placeholder(value) or (port != value and port.isdigit()))


def credential(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    value = value.strip("\"'")
    return not (placeholder(value or "<") or (value.isalpha() and len(value) <= 20))


_DOCUMENTED = _LISTS["documented"].split("|")


def undocumented(before: str, value: str, after: str) -> bool:
    """Turn down the example keys that everybody copies from the documentation."""
    whole = before[-24:] + value + after[:4]
    return not any(sign in whole for sign in _DOCUMENTED)


def varied(before: str, value: str, after: str) -> bool:
    """Turn down what has the shape of a token and is made of words: `EAADataset`, `fw_…`."""
    return (
        undocumented(before, value, after)
        and any(map(str.isdigit, value))
        and _entropy(value) >= 3.0
    )


def interleaved(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Return letters and digits through each other: `9f8e7d6c5b`."""
    if placeholder(value) or _words(value, 1):
        return False
    kinds = [sign.isdigit() for sign in value]
    return sum(left != right for left, right in pairwise(kinds)) >= 3


def wallet(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Prove a key of a wallet by its checksum, which its last four bytes are."""
    from hashlib import sha256

    number = 0
    for sign in value:
        number = number * 58 + "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".index(
            sign
        )
    raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return sha256(sha256(raw[:-4]).digest()).digest()[:4] == raw[-4:]


_NO_SEED = frozenset(_LISTS["no seed"].split())


def wordlist(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Turn down prose: the lists that wallets draw their words from hold no articles and hardly a preposition."""
    from cogmem.guard.wallet import words

    said = value.lower().replace(",", " ").split()
    is_listed = (
        "," in value and sum(word.encode() in words() for word in said) < len(said) / 2
    )  # of things of other kinds
    return not is_listed and not _NO_SEED.intersection(said)


def login(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """`user:password` in base64, as registries keep it."""
    from base64 import b64decode

    try:
        name, colon, word = (
            b64decode(value + "=" * (-len(value) % 4), validate=True).decode().partition(":")
        )
    except ValueError:
        return False
    return bool(name and colon and len(word) > 3) and name.isprintable() and word.isprintable()


_BARE = _LISTS["tokens"].split("|")


def encoded(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Tell whether base64, hex or percent signs wrap a token of a provider."""
    raw = _unwrapped(value)
    return raw.isascii() and any(sign in raw.decode() for sign in _BARE)


def wraps_password(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Tell whether base64 wraps a line that assigns a password: `password=…`."""
    raw = _unwrapped(value)
    if not raw.isascii():
        return False
    low = raw.decode().lower()
    for word in ("password", "passwd", "passphrase", "pwd", "secret", "api_key", "apikey", "token"):
        _, found, rest = low.partition(word)
        rest = rest.lstrip(" \"'")
        if found and rest[:1] in ("=", ":") and len(rest.strip(" \"'=:\n")) >= 4:
            return True
    return False


def _unwrapped(value: str) -> bytes:
    """Return what base64, hex or percent signs wrap; a byte that is no letter if they wrap nothing."""
    from base64 import b64decode, urlsafe_b64decode
    from binascii import Error
    from urllib.parse import unquote_to_bytes

    raw = b"\xff"
    try:
        if "%" in value:
            raw = unquote_to_bytes(value)
        elif all(sign in "0123456789abcdef" for sign in value) and len(value) % 2 == 0:
            raw = bytes.fromhex(value)
        else:
            bare = value.rstrip("=")
            padded = bare + "=" * (-len(bare) % 4)
            raw = (
                urlsafe_b64decode(padded)
                if "-" in bare or "_" in bare
                else b64decode(padded, validate=True)
            )
    except (ValueError, Error):
        pass
    return raw


_PASSWORD_WORDS = listed("glance", "password")
_OTHER_KEYS = tuple(_LISTS["other keys"].split())
