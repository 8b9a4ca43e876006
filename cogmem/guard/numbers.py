"""Numbers of cards and bank accounts: they carry their own proof (Luhn, ISO 7064), so no word needs to name them;
and numbers that open something, which words must name."""

from __future__ import annotations

from cogmem.guard.characters import compiled, places, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[str, int, int]

CARD = (
    r"\b(?:4[0-9]{3}|220[0-4]|62[0-9]{2}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6011|65[0-9]{2}"
    r"|35[0-9]{2})(?:[ -]?[0-9]{4}){3}\b"
    r"|\b3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}\b|\b3(?:0[0-5]"
    r"|[68][0-9])[0-9][ -]?[0-9]{6}[ -]?[0-9]{4}\b"
)
_NEAR = 60  # characters before and after a number in which it is told what it is
ACCOUNT = r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"
_ACCOUNT_LENGTHS = {
    "AD": 24, "AE": 23, "AT": 20, "BE": 16, "BG": 22, "BR": 29, "CH": 21, "CY": 28, "CZ": 24, "DE": 22,
    "DK": 18, "EE": 20, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GR": 27, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IS": 26, "IT": 27, "KW": 30, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31,
    "NL": 18, "NO": 15, "PL": 28, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19,
    "SK": 24, "SM": 27, "TR": 26, "UA": 29,
}  # fmt: skip
# What says that a number is one for trying things out.
_TRIED = said("numbers tried").split()
_OF_CARD = said("numbers card")


def numbered(text: str) -> Iterator[Span]:
    """Yield numbers of cards and accounts, but for those that the sentence says are for trying out."""
    low = text.lower()
    for pattern, name in ((CARD, "card number"), (ACCOUNT, "account number")):
        for match in compiled(pattern).finditer(text):
            start, end = match.span()
            number = text[start:end]
            length = _iban(number)
            if name == "card number":  # people mistype a digit
                said = compiled(_OF_CARD).search(low[max(0, start - _NEAR) : start])
                length = len(number) if _luhn(number) or said else 0
            around = low[max(0, start - _NEAR) : end + _NEAR]
            if length and not any(word in around for word in _TRIED):
                yield name, start, start + length


def _luhn(number: str) -> bool:
    digits = [int(sign) for sign in number if sign.isdigit()]
    if len(set(digits)) < 2:
        return False
    total = sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return total % 10 == 0


def _iban(text: str) -> int:
    wanted = _ACCOUNT_LENGTHS.get(text[:2], 0)
    taken = 0
    for at, sign in enumerate(text):
        taken += sign != " "
        if taken == wanted:
            number = text[: at + 1].replace(" ", "")
            moved = number[4:] + number[:4]
            value = "".join(str(int(letter, 36)) for letter in moved)
            is_filled = len(set(number[4:])) > 2
            return at + 1 if is_filled and int(value) % 97 == 1 else 0
    return 0


# -- what opens a lock -----------------------------------------------------------------------------
# Four digits are not a secret by themselves, and neither is the word "code". What is said of both decides: a word
# for what is locked (a safe, a door, a phone, a card), a word for what opens it, and right after what says "is" the
# number, with nothing counted behind it. So "the gate code is 6071" is one, and "error code 4041", "room 4711" and
# "200 lines of the lock" are none.

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


def opening(text: str) -> Iterator[Span]:
    """Yield numbers of a text that open something."""
    if not _says(f"{LOCKED}|{OPENS_IT}|{_PIN}", text):
        return
    for start, end in places(_NUMBER, text, 1):
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
