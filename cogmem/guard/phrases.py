r"""Secrets made of plain words: a passphrase, or a password with blanks in it.

Such words look like any others. They follow what says that they are the secret, there are three or four of them at
least, and they make no sentence: no article, no preposition, no verb form, nothing that is said *about* a passphrase.
"""

from __future__ import annotations

from cogmem.guard.characters import compiled, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[str, int, int]

PHRASES = said("phrases phrases")
# A password may have blanks too: said by whose it is, or with what it lets in to.
MAY_TELL = said("phrases may tell")
PASSWORDS = said("phrases passwords")
ANY_PASSWORD = said("phrases any password")
_LINK = said("phrases link")
_WORD = r"^ ?([\p{Ll}]{3,12}|[0-9]{1,4})(?:$|[\s.,;:!?'\"`)»”*\x{3001}\x{3002}]|です|で)"
_QUOTED = r"^['\"`*«“]([^'\"`*»”\n]{8,80})['\"`*»”]"
_FREE_WORD = _WORD.replace(r"[\p{Ll}]{3,12}", r"\p{L}{3,12}")
_QUOTES = frozenset("'\"`«“")

# What is said about a passphrase, and is not part of one.
_ABOUT = frozenset(said("phrases about").split())
_FUNCTION = frozenset(said("phrases function").split())


def is_about(word: str) -> bool:
    """Tell whether a word joins others to a sentence, or is said about a passphrase."""
    return word in _FUNCTION or word in _ABOUT


def told(text: str) -> Iterator[Span]:
    """Phrases of a text that are said to be a secret."""
    for pattern, is_phrase in ((PHRASES, True), (PASSWORDS, False), (ANY_PASSWORD, False)):
        at = -1
        for match in compiled(f"(?i)(?:{pattern})").finditer(text):
            for span in _words(text, match.end(), is_phrase=is_phrase):
                at = span[2]
                yield span
        if at >= 0:
            return


def _words(text: str, at: int, *, is_phrase: bool) -> Iterator[Span]:
    """Four words or more that make no sentence: `correct horse …`. What goes on after them is no part of it."""
    rest = text[at : at + 160]
    link = compiled(_LINK).match(rest)
    if not link:
        return
    start = upto = link.end()
    is_quoted = bool(_QUOTES & set(link.group()[-3:]))
    whole = compiled(_QUOTED).match(rest[link.end() - 1 :]) if is_quoted and is_phrase else None
    if whole and len(whole.group(1).split()) >= 3:
        yield "passphrase", at + link.end() - 1 + whole.start(1), at + link.end() - 1 + whole.end(1)
        return
    # After a colon a phrase may be written as its owner likes.
    is_free = is_phrase and link.group().strip()[-1:] in (*_QUOTES, ":", "=", "\uff1a")
    search = compiled(_FREE_WORD if is_free else _WORD).match
    words: list[str] = []
    while len(words) < 12 and (match := search(rest[upto:])):
        word = match.group(1).lower()
        if is_about(word) or (is_phrase and not is_free and word.endswith(("ly", "ing"))):
            break
        if not words and word.endswith(("ed", "ée")):
            return  # "the passphrase is hashed …"
        words.append(word)
        upto += match.end(1)
        if rest[upto : upto + 1] not in (" ", ""):
            break
    if not words:
        return
    numbers = sum(word.isdigit() for word in words)
    goes_on = rest[upto : upto + 2].partition("\n")[0].strip()
    is_whole = not goes_on or not goes_on[0].isalnum()
    least = 3 if is_quoted or (numbers and not words[0].isdigit() and is_whole) else 4
    if len(words) - numbers < 2 or len(words) < least or (not is_phrase and not is_whole):
        return
    yield "passphrase", at + start, at + upto
