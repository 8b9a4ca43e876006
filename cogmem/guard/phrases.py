r"""Secrets made of plain words: a passphrase, or a password with blanks in it.

Such words look like any others. They follow what says that they are the secret, there are three or four of them at
least, and they make no sentence: no article, no preposition, no verb form, nothing that is said *about* a passphrase.
"""

from __future__ import annotations

from cogmem.guard.characters import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[str, int, int]

PHRASES = (
    r"pass[- ]?phrases?|unlock phrases?|phrase de passe|phrase secrète|frase de (?:contraseña|paso|seguridad"
    r"|acceso)|frase (?:segreta|secreta)"
    r"|frase-senha|(?:кодов|парольн|секретн)\p{L}+ фраз\p{L}+|合言葉|パスフレーズ|口令短语|密码短语"
)
# A password may have blanks too: said by whose it is, or with what it lets in to.
MAY_TELL = r"(?i)phrase|frase|фраз|合言葉|パスフ|短语|pass|kennw|contrase|senha|парол|clave"
PASSWORDS = (
    r"\b(?:my|our|her|his|their|mein|unser|mi|nuestra|mon|notre|la mia|la nostra|minha|nossa"
    r"|мой|наш)"
    r" (?:[^\s.:;!?]{1,16} ){0,2}(?:password|passcode|passwort|kennwort|contraseña"
    r"|mot de passe|password|senha|пароль)\b"
    r"|\bmaster[- ]?(?:password|passwort|kennwort|passcode)\b|мастер-пароль|mot de passe maître"
    r"|(?:contraseña|clave|password|senha|parola)(?: chiave)? m(?:ae|e)str[ae]|マスターパスワード|主密码"
    r"|\b(?:keepass|bitwarden|1password|lastpass|dashlane|nordpass)\b[^\n.:;!?]{0,24}"
    r"|(?:wi-?fi|wlan|router)\b[^\n.:;!?]{0,40}\b(?:pass|password|passwort|contraseña|clave"
    r"|senha|пароль)\b"
)
_LINK = (
    r"(?i)^(?:[^\n.:!?;=]{0,40}?)(?:\s(?:is now|is|was|are|ist|lautet|es|est|c'est|è|é|это"
    r"|set to|—|–|-)\s|\s?[:=\x{ff1a}]\s?"
    r"|\s?(?:是|为|は)\s?|\s(?:['\"`*«“]))\s*['\"`*_(«“]*\s*"
)
_WORD = r"^ ?([\p{Ll}]{3,12}|[0-9]{1,4})(?:$|[\s.,;:!?'\"`)»”*\x{3001}\x{3002}]|です|で)"
_QUOTED = r"^['\"`*«“]([^'\"`*»”\n]{8,80})['\"`*»”]"
_FREE_WORD = _WORD.replace(r"[\p{Ll}]{3,12}", r"\p{L}{3,12}")
_QUOTES = frozenset("'\"`«“")

# What is said about a passphrase, and is not part of one.
_ABOUT = frozenset(
    "characters character word words letter letters digit digits symbols long longer short"
    " shorter strong weak random"
    " secure required optional empty missing wrong invalid needed used different usually"
    " always never still"
    " twenty thirty known unknown new old safe unsafe between least most more less because"
    " since while where"
    " after before without inside under over into onto about each every some any all none per"
    " plain text"
    " something anything nothing somewhere easy hard good bad set you they she him her its his them"
    " valid days hours minutes seconds weeks months years times bits bytes chars visible same"
    " case sensitive"
    " here there today again wer wie was lang kurz sicher geheim zeichen falsch tage stunden wochen"
    " larga corta segura secreta caracteres días horas incorrecta longue courte secrète"
    " caractères jours heures"
    " lunga corta sicura segreta caratteri giorni ore longa curta dias длинная короткая дней"
    " часов символов".split()
)
_FUNCTION = frozenset(
    "the and for not but are was were been has have had too now asked kept held stored written"
    " saved only also with"
    " from that this must should can may will when then than your our long short same what"
    " which who how"
    " der die das und für mit auf aus von bei nach über ist sind wird wurde muss nicht noch"
    " nur aber oder wenn den dem"
    " des ein eine einen einem zum zur les des une dans pour par sur avec sans est sont pas"
    " plus mais que qui"
    " los las del una para por con sin que como más pero está son debe no dei delle della nel"
    " con per che non deve"
    " dos das uma com sem não deve это для как что при без или она они его нужно надо должна"
    " через после каждый".split()
)


def told(text: str) -> Iterator[Span]:
    """Phrases of a text that are said to be a secret."""
    for pattern, is_phrase in ((PHRASES, True), (PASSWORDS, False)):
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
        if (
            word in _FUNCTION
            or word in _ABOUT
            or (is_phrase and not is_free and word.endswith(("ly", "ing")))
        ):
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
    goes_on = rest[upto : upto + 2].strip()
    is_whole = not goes_on or not goes_on[0].isalnum()
    least = 3 if is_quoted or (numbers and not words[0].isdigit() and is_whole) else 4
    if len(words) - numbers < 2 or len(words) < least or (not is_phrase and not is_whole):
        return
    yield "passphrase", at + start, at + upto
