"""Where in a message somebody else's letter lies: a greeting, what it says, a sign-off with a name.

People paste a mail and ask below it what to answer. Nothing in the mail is said in their own name,
whatever it says of "I" and "we". A letter with nothing below it may be the person's own.
"""

from __future__ import annotations

from functools import cache

from cogmem.language.clauses import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LAST_WORDS = 240  # characters of what stands below a letter and asks about it

_GREETING = (
    r"(?m)^[ \t]*(?:(?:(?:good )?(?:morning|afternoon|evening)|dear|hi|hello|hey|hallo|moin|guten (?:tag|morgen)"
    r"|liebe[rs]?|sehr geehrte[rn]?|hola|buen[oa]s (?:d[ií]as|tardes)|estimad[oa]s?|querid[oa]s?|bonjour"
    r"|salut|ch[eè]re?s?|ciao|gentile|egregi[oa]|car[oa]|oi|ol[aá]|bom dia|prezad[oa]s?|hoi|beste|geachte|dag)"
    r"(?: \p{L}[\p{L}.'-]*){1,3}[ \t]*[,:!]|(?:你好|您好|亲爱的|尊敬的)\S{0,8}[：:，,]"
    r"|\S{1,8}(?:さん|様|先生|各位)[、,，]?[ \t]*$)"
)
# Its name is written with a capital: "Thanks, Bea" signs, "thanks, can you …" goes on.
_SIGN_OFF = (
    r"(?m)(?:^|[.!?…,。！] ?)[ \t]*(?:(?:(?:with )?(?:(?:kind|best|warm|warmest|many) )?(?:regards|wishes)"
    r"|all the best|best|cheers|sincerely|yours(?: \w+)?|love|(?:many )?thanks(?: again)?|thank you"
    r"|(?:mit )?(?:(?:freundlichen|viele[n]?|liebe[n]?|beste[n]?|sch[oö]ne[n]?|herzliche[n]?) )?gr(?:u|ü)(?:ß"
    r"|ss)e?n?"
    r"|[lv]g|mfg|(?:un )?(?:saludo|abrazo|beso)s?(?: cordiale?s?)?|atentamente|(?:bien )?cordialement"
    r"|bien [aà] (?:vous|toi)|bises|amicalement|(?:um )?abra[cç]os?|beijos?|atenciosamente|cumprimentos"
    r"|(?:un )?abbraccio|(?:cordiali |distinti )?saluti|baci|(?:met )?(?:(?:vriendelijke"
    r"|hartelijke) )?groet(?:en|jes)?"
    r"|mvg)[,.!]?[ \t]*(?:\r?\n[ \t]*)?(?-i:\p{Lu})[^\s,.!?:]*(?: (?-i:\p{Lu})[^\s,.!?:]*){0,2}"
    r"|(?:祝好|此致|敬礼|敬上|敬具|草々|よろしく(?:お願いします|お願いいたします)?)[，,、。！]?\s*\S{1,8})[ \t.]*$"
)
_ABOUT_IT = (
    r"\b(?:repl(?:y|ies)|answer|respond|write back|summar\w+|tl;?dr|translate|draft|legit|scam|spam|phish\w*"
    r"|proofread|tone"
    r"|rude|e?-?mail|letter|mean|decline|antwort\w*|zusammen\w*|ubersetz\w*|entwurf|schreib\w*|contest\w+|resum\w+"
    r"|traduc\w+|carta|correo|mensaje|repond\w*|traduis|lettre|courriel|respond\w+|responder|traduz\w*|mensagem"
    r"|rispond\w+|riassum\w+|traduc\w+|lettera|messaggio|antwoord\w*|vertaal|vat samen|brief|bericht)\b"
    r"|回|总结|翻译|邮件|意思|返事|返|要約|訳|メール"
)


@cache
def _patterns() -> tuple[Any, Any, Any]:
    return regex(_GREETING), regex(_SIGN_OFF), regex(_ABOUT_IT)


def without_letter(text: str) -> str:
    """Return the message with blank lines where a letter stands, so that every place stays as it is."""
    start, end = letter_in(text) if "\n" in text else (0, 0)
    return text[:start] + "\n" * (end - start) + text[end:]


def letter_in(text: str) -> tuple[int, int]:
    """Where a letter lies that something stands below; (0, 0) if there is none."""
    greeting, sign_off, about_it = _patterns()
    begun = greeting.search(text)
    signed = sign_off.search(text, begun.end() if begun else 0)
    if signed:
        below = text[signed.end() :]
        own = below.lstrip()
        gap = below[: len(below) - len(own)].count("\n")
        if own and gap >= (1 if begun else 2) and not own.lower().startswith(("ps", "p.s")):
            return (begun.start() if begun else 0), signed.end()
    if begun:
        above, blank, last = text.rstrip().rpartition("\n\n")
        if blank and len(above) > begun.end() and len(last) <= LAST_WORDS and about_it.search(last):
            return begun.start(), len(above)
    return 0, 0
