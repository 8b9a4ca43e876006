r"""Numbers that open something: a safe, a door, a phone, a card.

Four digits are not a secret by themselves, and neither is the word "code". What is said of both decides: a word for
what is locked, a word for what opens it, and right after what says "is" the number, with nothing counted behind it.
So "the gate code is 6071" is one, and "error code 4041", "room 4711" and "200 lines of the lock" are none.
"""

from __future__ import annotations

from cogmem.guard.characters import compiled, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[str, int, int]

# What opens. The second list is both at once: it opens, and there is only one thing that it opens.
OPENS = said("locks opens")
OPENS_IT = said("locks opens it")
_PIN = said("locks pin")
LOCKED = said("locks locked")
# What takes three numbers to open, whatever is called the code of it.
_DIALLED = said("locks dialled")
# Codes that everybody may know.
_OPEN_TO_ALL = said("locks open to all")
_SAID = said("locks said")
_NUMBER = (
    r"(?:^|[^0-9A-Za-zА-я.,:/\\_+#€$-])([0-9]{1,2}(?:[- ][0-9]{1,2}){2,3}|[0-9]{2,3}[A-ZА-Я][0-9]{2,4}"
    r"|[A-ZА-Я]?[0-9]{4,8}[A-ZА-Я]?)"
)
_NO_END = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_%/€$-")
# Without one of these there is no such number.
MAY_OPEN = r"[0-9]{4}|[0-9][- ][0-9]{1,2}[- ][0-9]|[0-9]{2}[A-ZА-Я][0-9]{2}"
# What may stand behind such a number: an end, or a word that goes on with the sentence, and not what is counted.
_GOES_ON = said("locks goes on")
_AS_CODE = said("locks as code")
_END = r"[\n\x{3002}\x{ff01}\x{ff1f};!?]|\.\s"
_BACK = 80  # characters before a number in which it is said what it opens


def numbers(text: str) -> Iterator[Span]:
    """Yield numbers of a text that open something."""
    if not _says(f"{LOCKED}|{OPENS_IT}|{_PIN}", text):
        return
    for match in compiled(_NUMBER).finditer(text):
        start, end = match.span(1)
        if text[end : end + 1] in _NO_END:
            continue
        before = text[max(0, start - _BACK) : start]
        ends = [found.end() for found in compiled(_END).finditer(before)]
        before = before[ends[-1] :] if ends else before
        if before and _opens(before, text[start:end], text[end : end + 40]):
            yield "pin", start, end


def _opens(before: str, number: str, after: str) -> bool:
    if not _says(LOCKED, before) and not _says(f"{OPENS_IT}|{_PIN}", before):
        return False
    if _says(_OPEN_TO_ALL, before) or not compiled(_GOES_ON).search(after):
        return False
    is_said = _says(_SAID, before) or _says(
        rf"(?:{OPENS})[^0-9]{{0,24}}(?:{LOCKED})\p{{L}}*\s*$|(?:\bpin"
        rf"|пин)[^0-9]{{0,24}}(?:{LOCKED})\p{{L}}*(?:\s\p{{L}}+)?\s*$",
        before,
    )
    if compiled(_AS_CODE).search(after):
        return is_said
    is_dialled = not number.isalnum() and _says(_DIALLED, before)
    if is_dialled and _says(OPENS, before):
        return True
    return is_said and (is_dialled or _says(f"{OPENS}|{OPENS_IT}|{_PIN}", before))


def _says(pattern: str, text: str) -> bool:
    return compiled(f"(?i)(?:{pattern})").search(text) is not None
