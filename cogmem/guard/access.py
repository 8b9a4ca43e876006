r"""What lets somebody in, where the sentence names no password: it is known by its shape and by what is spoken of.

"I sign in to the NAS with bob and …" tells a password without the word. Two things together say so: a value that no
word, name or address looks like (letters, a digit or a change of case, and a sign such as `!`, `#` or `&` inside it),
and a sentence about getting in somewhere: a user, an account, a log-in, being locked out.

Here too are the secrets with a shape of their own that means nothing alone: seeds of one-time codes, the three digits
on the back of a card, social security numbers, bare keys in hexadecimal digits, and passwords in the arguments of
programs that take them there.
"""

from __future__ import annotations

from cogmem.guard.characters import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[str, int, int]

GETS_IN = (
    r"(?i)\b(?:sign(?:s|ed|ing)?[ -]?(?:in|on)|log(?:s|ged|ging)?[ -]?(?:in|on|into)|locked out|get(?:s|ting)?"
    r" in(?:to)?"
    r"|lets? (?:me|you|us) in|user(?:name|id)?|login|accounts?|admin|root|panel|dashboard|portal|router|server|wi-?fi"
    r"|melde\w* (?:\S+ ){0,4}an|anmeld\w*|angemeldet|einlogg\w*|eingeloggt|logg\w* (?:\S+ ){0,4}ein|konto|benutzer\w*"
    r"|nutzer\w*|ausgesperrt|komm\w* (?:\S+ ){0,3}rein|reinkommen"
    r"|cuenta|usuario|entr(?:o|as?|ar|amos)|acced\w+|iniciar sesión|inicio sesión|compte|utilisateur|identifiant"
    r"|se connect\w*"
    r"|connexion|connecte\w*|utente|acced\w+|entr(?:are|o)|conta|usuário|acess\w+|uživatel|käyttäjä|konto\w*"
    r"|gebruiker|användare"
    r"|brukernavn|hesab\w*|kullanıcı)\b"
    r"|\b(?:vpn|nas|intranet|mailbox|database|datenbank|base de datos|servidor|serveur|console|accepts?|access"
    r"|zugang|accès|acceso"
    r"|accesso|acesso)\b"
    r"|логин|войти|сервер|服务器|サーバ|서버|邮箱|вайфай|роутер|вход|захо[дж]\w*|аккаунт|уч[её]тн\w*|пользовател"
    r"|用户|账号|帐号|帳號|账户|登录|登陆|登入|ログイン|アカウント|ユーザー|로그인|계정"
    r"|[\w.+-]+@[\w-]+\.[a-z]{2,}"
)
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
_GIVEN = (
    r"(?i)(?:(?:^|\s)(?:accepts|using|use|opens with|öffnet (?:sich )?mit|s'ouvre avec|se abre con|si apre con"
    r"|abre com|it's|it is|and then|then|nimm|nimmt|und dann|dann|pon|usa|y luego|et puis|puis"
    r"|e poi|depois|usando|затем)\s|\b(?:admin|root|user(?:name)?|login|benutzer(?:name)?|nutzer|name|usuario"
    r"|usuário|identifiant|utente"
    r"|логин|пользователь|用户|账号|ログイン)(?:\s[^\s@]+){0,4}?(?:\s(?:with|and|mit|und|con|y|avec|et|e|com|с"
    r"|и)\s|\s?[:/,]\s?|\s[–—-]\s))[\"'`*]*([A-Za-z][A-Za-z0-9]*(?:[_*+.-][A-Za-z0-9]+)+)"
    r"[\"'`*]*(?:\s*$|[.;,!?](?:\s|$)|\s+(?:to|from|for|on|as|um|für|von|auf|als|para|de|como|pour|comme|per"
    r"|come|no|na|для|как)\s)"
)
_BESIDE_ADDRESS = (
    r"(?i)[\w.+-]+@[\w-]+\.[a-z.]{2,}\s*(?:[:/|,;–—]|and then|with|und dann|mit|con|et puis|avec|com|с|pw|pass)\s*"
    r"[\"'`]*([!-~]{6,40})"
)
MAY_LET_IN = r"@[\w-]+\.|[A-Za-z0-9][!#$%&^*+_-][A-Za-z0-9!#$%&*+?~^]"
_ONE_TIME = (
    r"(?i)\b(?:2fa|mfa|totp|otp|two[- ]factor|authenticator|google auth|one[- ]time|zwei-?faktor|doble factor"
    r"|double authentification|двухфактор\w*)\b|二次验证|二步|双因素|2段階|二段階|2단계"
)
_SEED = r"\b([A-Z2-7]{16,64}|(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{2,4})(?:$|[^A-Za-z0-9=])"
_BACK_OF_CARD = (
    r"(?i)\b(?:cvv2?|cvc2?|cv2|csc|card verification (?:code|number|value)|kartenprüf(?:nummer|ziffer)"
    r"|(?:karte|visa|mastercard|[0-9]{4})[^\n]{0,30}\bprüf(?:nummer|ziffer)"
    r"|(?:card|tarjeta|carte|carta|cartão|карт\p{L}+|visa|mastercard|[0-9]{4})[^\n]{0,30}\b(?:security code"
    r"|código de seguridad|code de sécurité"
    r"|код безопасности)"
    r"|codice di sicurezza|código de segurança|cryptogramme(?: visuel)?)\b|安全码|セキュリティコード"
)
_BACK_NUMBER = (
    r"(?i)^(?:[\s:=,\"'\x{ff1a}]|(?:is|ist|est|es|è|é|code|number|lautet|—|–|-|は|是"
    r"|为)\b?){0,4}([0-9]{3,4})(?:$|[^0-9A-Za-z-])"
)
_SOCIAL = r"(?i)\b(?:ssn|social security|my social|sozialversicherung\w*)\b"
_SOCIAL_NUMBER = (
    r"\b((?:00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6[0-57-9][0-9]|66[0-57-9])-?(?:0[1-9]|[1-9][0-9])-?(?:000[1-9]"
    r"|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3}))\b"
)
_BARE_KEY = (
    r"(?i)(?:private|secret|signing|master|wallet|encryption|privater?|geheimer?|clave privada|clé privée|chiave"
    r" privata"
    r"|chave privada|приватн\w*|секретн\w*|закрыт\w*|私钥|私鑰|秘密鍵|개인 ?키)"
    r"[^\n0-9]{0,30}?[^0-9a-zA-Z]((?:0x)?[0-9a-f]{64})(?:$|[^0-9a-zA-Z])"
)
# Programs that take a password as an argument, and how.
_ARGUMENT = (
    r"\b(?:docker|podman|helm|oc|skopeo|nerdctl|crane|az|argocd|npm|vault|kubectl)\b[^\n]*\blogin\b[^\n|]*\s-p["
    r" =]?([^\s|;]{5,})"
    r"|\b(?:redis-cli|valkey-cli|rdcli)\b[^\n|]*\s-a[ =]([^\s|;]{5,})"
    r"|\b(?:mongosh?|mongodump|mongorestore|sqlcmd|cqlsh|clickhouse-client|influx|psexec|xfreerdp|impala-shell"
    r"|ftp|lftp)\b"
    r"[^\n|]*\s(?:-p|-P|/p:|--pass)[ =]?([^\s|;]{5,})"
    r"|\b(?:ldapsearch|ldapadd|ldapmodify|ldapwhoami)\b[^\n|]*\s-w[ =]?([^\s|;]{5,})"
    r"|\b(?:smbclient|rpcclient|net)\b[^\n|]*\s-U[ =]?[^\s%]+%([^\s|;]{5,})"
    r"|\b(?:(?:un)?zip\b[^\n|]*\s-P ?|(?:7z[azr]?|rar|unrar)\b[^\n|]*\s-h?p)([^\s|;-][^\s|;]{4,})"
    r"|\s-pass(?:in|out)?[ =]pass:([^\s|;]{4,})"
    r"|\bhtpasswd\s+-\S*b\S*\s+\S+\s+\S+\s+([^\s|;]{5,})"
    r"|\becho\s+[\"']?[\w.-]+:([^\s\"'|]{5,})[\"']?\s*\|\s*(?:sudo\s+)?chpasswd"
    r"|\b(?:wpa_passphrase|nmcli[^\n]*\bpassword)\s+(?:\S+\s+)?([^\s|;]{8,})"
    r"|(?m:^)\s*(?:requirepass|masterauth|password|passwd|user\s+\S+\s+(?:on\s+)?(?:password|>))\s*([^\s"
    r"|;:=]{6,})\s*(?:$|(?m:$))"
)
# Most texts hold none of these: one search tells.
_MAY_TELL = (
    rf"{_SOCIAL}|[0-9a-f]{{64}}|\s(?:-[pPaw]|-hp|/p:|-U|--pass)[ =]?[^\s]{{5}}|pass:|htpasswd|chpasswd"
    r"|wpa_passphrase|nmcli|(?m:^)\s*(?:requirepass|masterauth|passw(?:or)?d|user)\s"
)
_NAMES = frozenset(
    "feature flag template page phase step plan offer form user username login server host node db sql api app"
    " env test prod dev stage staging role group team account admin"
    " key id type name version v build release table column file branch tag pr issue konto rolle".split()
)
_TRIED = ("example", "sample", "format", "regex")


def told(text: str, drawn: Callable[[str], bool]) -> Iterator[Span]:
    """Passages of a text that let somebody in; `drawn` says whether a value may be a secret at all."""
    if compiled(MAY_LET_IN).search(text) and compiled(GETS_IN).search(text):
        yield from _shaped(text, drawn)
        yield from _given(text, drawn)
    if not compiled(_MAY_TELL).search(text):
        return
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


def shaped(text: str) -> Iterator[Span]:
    """Return what stands on the back of a card, and what one-time codes are computed from."""
    for match in compiled(_BACK_OF_CARD).finditer(text):
        number = compiled(_BACK_NUMBER).match(text[match.end() : match.end() + 40])
        if number:
            yield "card code", match.end() + number.start(1), match.end() + number.end(1)
    if compiled(_ONE_TIME).search(text):
        for match in compiled(_SEED).finditer(text):
            if _is_mixed(match.group(1).replace(" ", "").replace("-", "")):
                yield "one-time seed", match.start(1), match.end(1)


def _shaped(text: str, drawn: Callable[[str], bool]) -> Iterator[Span]:
    """Values that no word, name or address looks like."""
    for pattern in (_SHAPED, _WIDE_SHAPED):
        for match in compiled(pattern).finditer(text):
            start, end = match.span(1)
            value = text[start:end].rstrip(".?!:,;*_~-")
            if _lets_in(value) and drawn(value) and _stands_alone(text, start, start + len(value)):
                yield "password", start, start + len(value)


def _given(text: str, drawn: Callable[[str], bool]) -> Iterator[Span]:
    """Words with a number, a large and a small letter between which there is a sign: `Fuchsbau_21`."""
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
    """Letters of both sizes and a digit, joined as no name of a product or a version is."""
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
    """Whether the value is a word by itself, or follows a name: `bob:…`, and is no piece of an address or of code."""
    before = compiled(r"\S{0,80}$").search(text[max(0, start - 80) : start]).group()
    after = compiled(r"^\S{0,40}").search(text[end : end + 40]).group()
    if not text[start - 1 : start].isascii():
        before = ""
    is_named = compiled(r"^[\"'`(\x{ff08}«“「]*(?:\w[\w.@-]*[:/,=])?[\"'`(«“「]*$").match(before)
    return bool(is_named) and bool(
        compiled(r"^(?:[\"'`).,;:!?»”」\x{ff09}|]*$|[^!-~])").match(after)
    )


def _is_mixed(seed: str) -> bool:
    """Letters with digits among them, or too many letters for a word in capitals."""
    return (
        "ABCDEFGH" not in seed
        and len(seed) >= 16
        and (any(map(str.isdigit, seed)) or len(seed) >= 26)
        and len(set(seed)) > 6
    )
