"""Numbers of cards and bank accounts: they carry their own proof (Luhn, ISO 7064), so no word needs to name them."""

from __future__ import annotations

from cogmem.guard.characters import compiled, said

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
            is_card = name == "card number"
            said = low[max(0, start - _NEAR) : start]
            length = (
                len(number) * (_luhn(number) or _is_of_card(said)) if is_card else _iban(number)
            )
            around = low[max(0, start - _NEAR) : end + _NEAR]
            if length and not any(word in around for word in _TRIED):
                yield name, start, start + length


def _is_of_card(said: str) -> bool:
    """Tell whether what stands before a number says that it is one of a card: people mistype a digit."""
    return compiled(_OF_CARD).search(said) is not None


def _luhn(number: str) -> bool:
    digits = [int(sign) for sign in number if sign.isdigit()]
    if len(set(digits)) < 2:
        return False
    total = sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return total % 10 == 0


def _iban(text: str) -> int:
    """Tell how many characters of the text are an account number, 0 if none are."""
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
