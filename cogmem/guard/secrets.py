r"""What a secret looks like: the table that the guard searches with, and the taste behind it.

A row is (name, pattern, check). The patterns are re2 syntax, so a text of any length and malice is
matched in linear time. If a pattern has groups, the first group that matched is the secret itself,
so that `postgres://app:…@db/shop` keeps all but its password. A check takes what stands before the
value, the value, and what follows, and may turn it down: re2 has no lookaround, and to tell
`token: o200k_base` from a token takes a few lines of Python. When several rows match one passage,
the earliest names it.

Names are shown to people and written into marks (`[redacted: github token]`), so they are plain
words, and no mark may itself look like a secret.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import log2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[str, str, str], bool]
    Row = tuple[str, str, Check | None]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# --- taste: is this value a secret or an ordinary word? -------------------------------------------

# Stand-ins that documentation and templates use where a secret would be.
_STAND_INS = (
    "${",
    "{{",
    "}}",
    "***",
    "xxxx",
    "....",
    "...",
    "…",
    "•••",
    "___",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "redacted",
    "example",
    "goes-here",
    "goes_here",
    "-here>",
    "_here",
    "-here",
    "your-",
    "your_",
    "your ",
    "dummy",
    "todo",
    "fixme",
    "not-set",
    "notset",
)
_OPENERS = ("<", "(", "{", "[", "$(", "${", "#{", "%(", "\\")
_REFERENCES = (
    "vault:",
    "op://",
    "arn:",
    "sm://",
    "ssm:",
    "secret://",
    "keyring:",
    "env:",
    "file:",
    "ref+",
    "projects/",
    "http://",
    "https://",
    "sha256:",
    "sha512-",
    "@/",
    "@./",
)
_ROOTS = _listed(
    "app args auth cfg conf config credentials creds ctx data env event github inputs local module"
    " op options opts os params process props req request response result secrets self session"
    " settings state steps this user values var vars vault import system"
)
_PLAIN_WORDS = _listed(
    "string required optional undefined nullable boolean integer disabled enabled unknown missing"
    " password passwort kennwort passphrase secret token bearer access refresh api key keys header"
    " authorization auth csrf xsrf session id name client account private public true false none"
    " null 1password lastpass keepass value text field type input hidden invalid expired forgotten default"
)
# Words whose trailing number is part of the name of a technique, not of a password.
_TECHNIQUES = _listed(
    "base sha md argon rfc oauth x ed rsa aes hs rs es ps uuid ipv utf pbkdf tls ssl ssh v version"
    " type step day page line python node level option table figure fa hmac iso http py utf- sha- p"
    " web ecdsa secp curve crc s k"
)


def _entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    size = len(value)
    return -sum(n / size * log2(n / size) for n in Counter(value).values())


def _placeholder(value: str) -> bool:
    """Tell whether the value stands in for a secret, or says where the secret is kept."""
    low = value.lower()
    if low.startswith(_OPENERS) or low.startswith(_REFERENCES) or len(set(low)) <= 2:
        return True
    if low[0] in "$!*&%@":  # a variable, a YAML tag or alias; `$ecret99` is none
        name = value[1:].strip("%").replace("_", "")
        if name.isalpha() or (name.isalnum() and name.upper() == name):
            return True
    if low[0] in "/.~" and _words(value, 1):
        return True
    return any(word in low for word in _STAND_INS) or ("<" in low and ">" in low)


def _words(value: str, odd: int = 0) -> bool:
    """Tell whether the value is an identifier made of words: kebab, snake, dotted or a path.

    So many of its parts may be odd, as in `o200k_base`.
    """
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


def _assigned(before: str, value: str, after: str) -> bool:
    """Judge the value of `password = value` and its kin."""
    quoted = before[-1:] in ('"', "'", "`") and after[:1] == before[-1]
    value = value.rstrip("\\") if quoted else value.rstrip(".,:!?\\")
    key = before.lower()[-60:]
    if not _undocumented("", value, ""):
        return False
    if _placeholder(value) or value.lower() in _PLAIN_WORDS or _technique(value) or _label(value):
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
        if value.isalpha() or (_words(value) and not mixed):
            return False
        return (letters and digits) or value.isdigit() or _symbols(value)
    return _random(value) and not is_other_key(key)


def is_other_key(before: str) -> bool:
    """Whether what stands before a value names a key of a table or a cache: `CACHE_KEY=`."""
    name = before.lower().rstrip(" :=\"'`").removesuffix("key")
    return name.rstrip("_- ").endswith(_OTHER_KEYS)


def drawn(value: str) -> bool:
    """Whether a value may be a secret at all, as far as it can be told without the words around it."""
    known = _placeholder(value) or value.lower() in _PLAIN_WORDS or _technique(value)
    return not known and not _label(value) and _undocumented("", value, "")


def _symbols(value: str) -> bool:
    """Tell whether letters carry the odd symbols of a password that has no digit."""
    return value.isascii() and any(sign in value for sign in "!@#$%^&*+=?") and len(value) >= 8


def _spoken(before: str, value: str, after: str) -> bool:
    """Judge the value of `the password is value`: prose, so it has to look drawn or mixed."""
    value = value.rstrip(".,:;!?)\"'`")
    if _placeholder(value) or _words(value) or _technique(value) or _expression(value, after):
        return False
    if not _undocumented("", value, ""):
        return False
    if any(word in before.lower()[-40:] for word in _PASSWORD_WORDS):
        mixed = any(map(str.isalpha, value)) and any(map(str.isdigit, value))
        return len(value) >= 6 and (mixed or _symbols(value))
    return _random(value)


def _not_words(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    return not (value.islower() and _words(value))


def _opaque(before: str, value: str, after: str) -> bool:
    return not _placeholder(value) and _not_words(before, value, after)


def _userinfo(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Judge the password of a URL; `host:8080?mail=a@b` has none."""
    port = value.split("?")[0].split("#")[0]
    if value in ("password", "passwd", "secret", "pass") and after.startswith(
        ("@localhost", "@127.0.0.1")
    ):
        return False
    return not (_placeholder(value) or (port != value and port.isdigit()))


def _credential(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    value = value.strip("\"'")
    return not (_placeholder(value or "<") or (value.isalpha() and len(value) <= 20))


# --- formats that prove themselves, and such as are wrapped in another -----------------------------------

# What documentation prints where a key would stand. Written in pieces, so that no scanner takes them for real.
_DOCUMENTED = (
    "EXAMPLE",
    "4eC39Hq",
    "LyjWDarjtT1zdp7dc",
    "TYooMQauv",
    "dEDq54NiTphI7jx",
    "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6",
)


def _undocumented(before: str, value: str, after: str) -> bool:
    """Turn down the example keys that everybody copies from the documentation."""
    whole = before[-24:] + value + after[:4]
    return not any(sign in whole for sign in _DOCUMENTED)


def _varied(before: str, value: str, after: str) -> bool:
    """Turn down what has the shape of a token and is made of words: `EAADataset`, `fw_…`."""
    return (
        _undocumented(before, value, after)
        and any(map(str.isdigit, value))
        and _entropy(value) >= 3.0
    )


def _interleaved(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Letters and digits through each other: `9f8e7d6c5b`."""
    if _placeholder(value) or _words(value, 1):
        return False
    kinds = [sign.isdigit() for sign in value]
    return sum(left != right for left, right in pairwise(kinds)) >= 3


def _wallet(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Prove a key of a wallet by its checksum, which its last four bytes are."""
    from hashlib import sha256

    number = 0
    for sign in value:
        number = number * 58 + "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".index(
            sign
        )
    raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return sha256(sha256(raw[:-4]).digest()).digest()[:4] == raw[-4:]


_NO_SEED = frozenset(
    "the and for are was were been from into its our has had not but which should must may his her him them these"
    " those data users tables rows".split()
)


def _wordlist(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Turn down prose: the lists that wallets draw their words from hold no articles and hardly a preposition."""
    from cogmem.guard.wallet import words

    said = value.lower().replace(",", " ").split()
    is_listed = (
        "," in value and sum(word in words() for word in said) < len(said) / 2
    )  # of things of other kinds
    return not is_listed and not _NO_SEED.intersection(said)


def _login(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """`user:password` in base64, as registries keep it."""
    from base64 import b64decode

    try:
        name, colon, word = (
            b64decode(value + "=" * (-len(value) % 4), validate=True).decode().partition(":")
        )
    except ValueError:
        return False
    return bool(name and colon and len(word) > 3) and name.isprintable() and word.isprintable()


_BARE = (
    "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xapp-",
    "sk_live_", "rk_live_", "sk-", "AKIA", "ASIA", "AIza", "npm_", "pypi-", "hf_", "hvs.", "dckr_pat_",
    "SG.", "-----BEGIN ", "shpat_", "glsa_", "dop_v1_", "ya29.", "whsec_", "sntrys_", "xkeysib-",
    "ATATT3", "figd_", "dapi", "eyJhbGciOi",
)  # fmt: skip


def _encoded(before: str, value: str, after: str) -> bool:  # noqa: ARG001
    """Whether base64, hex or percent signs wrap a token of a provider."""
    from base64 import b64decode, urlsafe_b64decode
    from binascii import Error
    from urllib.parse import unquote_to_bytes

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
        return False
    return raw.isascii() and any(sign in raw.decode() for sign in _BARE)


# --- secrets --------------------------------------------------------------------------------------

_PASSWORD_WORDS = (
    "passw",
    "passphrase",
    "passcode",
    "pwd",
    "_pass",
    "-pass",
    "kennwort",
    "contrase",
    "senha",
    "mot de passe",
    "mot_de_passe",
    "kata sandi",
    "пароль",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
)
# What stands before "key" where it keeps nothing secret.
_OTHER_KEYS = tuple(
    "partition sort primary foreign cache row object public idempotency storage dedup group index map lookup hash"
    " route routing range license".split()
)
_KEY = (
    r"(?:passw(?:or[dt]|d)|passphrase|passcode|pwd|[_-]pass|kennwort|contrase(?:ñ|n)a|senha"
    r"|mot[ _]de[ _]passe|kata sandi|пароль|密码|密碼|パスワード|비밀번호"
    r"|secret|token|(?-i:\b[A-Z0-9_]+_KEY\b|[a-z]ApiKey\b|_apikey\b)|api[ _-]?key|(?:access|secret|auth|account"
    r"|private|signing|encryption|client"
    r"|master|deploy|service)[ _-]?key|credentials?)"
    r"(?:[_-](?:base|value|prod|production|staging|dev|test|live|old|new|[0-9]{1,2}))?"
)
_VALUE = r"(?:\"([^\"\n]{6,})\"|'([^'\n]{6,})'|`([^`\n]{6,})`|([^\s\"'`<>(){}\[\],;&|]{6,}))"

SECRETS: tuple[Row, ...] = (
    (
        "private key",
        r"(-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5})"
        r"|(PuTTY-User-Key-File-[23]:)|\b(AGE-SECRET-KEY-1[0-9A-Z]{40,})",
        None,
    ),
    ("aws access key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b", _undocumented),
    (
        "aws secret key",
        r"(?i)(?:aws.{0,20}(?:secret|sk)|secret.?access.?key)\S{0,20}[\"']?\s*[:=,>]{1,2}\s*[\"']?"
        r"([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)",
        _undocumented,
    ),
    ("github token", r"\b(?:gh[a-z]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})", None),
    ("gitlab token", r"\bgl(?:[a-z]{2,8})-[A-Za-z0-9_-]{20,}", _not_words),
    (
        "slack token",
        r"\bxox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}|\bxapp-[0-9]-[A-Za-z0-9-]{20,}",
        _not_words,
    ),
    (
        "webhook address",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/-]{20,}"
        r"|https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/[0-9]{10,}/[A-Za-z0-9_-]{30,}"
        r"|https://[a-z0-9.-]+\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{40,}",
        None,
    ),
    (
        "google key",
        r"\bAIza[0-9A-Za-z_-]{35}|\bya29\.[0-9A-Za-z_-]{20,}|\bGOCSPX-[0-9A-Za-z_-]{20,}",
        None,
    ),
    (
        "stripe key",
        r"\b(?:sk|pk|rk)[_-](?:live|test)[_-][A-Za-z0-9]{10,}|\bwhsec_[A-Za-z0-9+/=]{20,}",
        _undocumented,
    ),
    ("anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{10,}", _not_words),
    ("openai key", r"\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{16,}", _not_words),
    ("api key", r"\bsk-[A-Za-z0-9_-]{20,}", _not_words),
    ("npm token", r"\bnpm_[A-Za-z0-9]{30,}", None),
    ("pypi token", r"\bpypi-[A-Za-z0-9_-]{40,}", _not_words),
    (
        "azure key",
        r"(?i)\b(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{40,}={0,2})"
        r"|[?&]sig=([A-Za-z0-9%+/]{40,}={0,2})",
        None,
    ),
    ("twilio key", r"\bSK[0-9a-f]{32}\b", None),
    ("sendgrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}", None),
    (
        "service token",
        r"\b(?:hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,}|xai-[A-Za-z0-9]{40,}"
        r"|pplx-[A-Za-z0-9]{40,}|do[opr]_v1_[a-f0-9]{40,}|shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"
        r"|hv[sbr]\.[A-Za-z0-9_-]{24,}|dckr_pat_[A-Za-z0-9_-]{20,}|dp\.pt\.[A-Za-z0-9]{40,}"
        r"|lin_api_[A-Za-z0-9]{30,}|ntn_[A-Za-z0-9]{40,}|PMAK-[A-Za-z0-9-]{50,}"
        r"|dapi[0-9a-f]{32}|glsa_[A-Za-z0-9_]{32,}|NRAK-[A-Z0-9]{27}|pul-[a-f0-9]{40}"
        r"|sbp_[a-f0-9]{40}|rubygems_[a-f0-9]{40,}|tskey-[a-z]+-[A-Za-z0-9-]{20,}"
        r"|ATATT3[A-Za-z0-9_=-]{40,}|figd_[A-Za-z0-9_-]{30,}|sntry[su]_[A-Za-z0-9_+/=-]{40,}"
        r"|key-[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}"
        r"|[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,})",
        None,
    ),
    ("json web token", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*", _undocumented),
    (
        "password in address",
        r"(?i)\b[a-z][a-z0-9+.-]*://[^\s:/@'\"<>?#]*:([^\s/'\"<>]+)@"
        r"|\bjdbc:oracle:thin:[^\s/@]+/([^\s@/]+)@",
        _userinfo,
    ),
    ("bearer token", r"(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{20,})", _opaque),
    (
        "authorization header",
        r"(?i)\bauthorization\\?[\"']?\s*[:=,]\s*\\?[\"']?(?:basic|token|apikey|digest|bot|key)\s+"
        r"([A-Za-z0-9._~+/=-]{8,})",
        _credential,
    ),
    (
        "password on a command line",
        r"(?i)\bcurl\b[^\n]*\s(?:-u|--user)[ =]?[\"']?[^\s:\"']+:([^\s\"']{4,})"
        r"|\bsshpass\s+-p\s*[\"']?([^\s\"']{4,})|\bmysql(?:dump)?\b[^\n]*\s-p([^\s\"'-][^\s\"']{4,})"
        r"|\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S{4,})"
        r"|\becho\s+[\"']?([^\s\"']{4,})[\"']?\s*\|\s*sudo\s+-S|\bnet\s+use\s+\S+\s+\S+\s+([^\s/*]\S{3,})\s+/user:",
        _credential,
    ),
    (
        "recovery phrase",
        r"(?i)(?:\bmnemonic|\bseed|\b(?:recovery|backup)[ _-]?(?:phrase|words)|\bwallet|semilla|助记词|助記詞|助憶"
        r"|シードフレーズ|니모닉|мнемоник|сид-фраз|wiederherstellungs(?:wörter|phrase))[^\n]{0,40}?[:= \"']\s*"
        r"((?-i:[a-z]{3,8}[ ,]+){11,23}[a-z]{3,8})",
        _wordlist,
    ),
    (
        "secret value",
        r"(?i)<" + _KEY + r">([^<>\n]{6,})</"
        r"|" + _KEY + r"\\?(?:[\"']\]?)?(?:\s*:\s*(?:&'?\w* ?)?str(?:ing)?)?"
        r"[ \t]*(?:=>|:=|={1,3}|:)[ \t]*[rbfu@]?\\?" + _VALUE,
        _assigned,
    ),
    (
        "secret value",
        r"(?i)\b(?:key|name|id)\s*=\s*[\"'][\w.:-]*" + _KEY + r"[\"']\s+value\s*=\s*" + _VALUE,
        _assigned,
    ),
    (
        "secret value",
        r"(?i)--(?:[a-z]+-)*" + _KEY + r"[ \t]+" + _VALUE,
        _assigned,
    ),
    (
        "secret value",
        r"(?i)" + _KEY + r"(?:[ \t]+(?:for|to|of|on|in)[ \t]+[^\n.;:]*?)?"
        r"[ \t]+(?:is|was|are|ist|es|est|lautet)(?:[ \t]+now)?[ \t:]+[\"'`]?([^\s\"'`<>]{6,})",
        _spoken,
    ),
    (
        "service token",
        r"\b(?:EA(?:AC|AG|AB|AJ|AA)[A-Za-z0-9]{60,}|xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"
        r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,}|ops_eyJ[A-Za-z0-9+/_=-]{60,}"
        r"|AKCp[0-9][A-Za-z0-9]{60,}|cmVmdGtuOj[A-Za-z0-9+/=]{40,}|FlyV1 fm[12][a-z]?_[A-Za-z0-9+/=,_-]{40,}"
        r"|secret_[A-Za-z0-9]{43}\b|glc_eyJ[A-Za-z0-9+/=]{40,}|sb_secret_[A-Za-z0-9_-]{20,}|ATTA[A-Za-z0-9]{60,}"
        r"|ABSK[A-Za-z0-9+/]{100,}|nfp_[A-Za-z0-9]{36}|HRKU-AA[A-Za-z0-9_-]{50,}|pscale_(?:tkn|pw"
        r"|oauth)_[A-Za-z0-9=._-]{30,}"
        r"|sq0(?:csp|atp)-[A-Za-z0-9_-]{20,}|access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}"
        r"|sl\.[A-Za-z0-9_=-]{100,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{60,}|[12]/[0-9]{15,}/[0-9]{15,}:[a-f0-9]{32}"
        r"|CFPAT-[A-Za-z0-9_-]{40,}|aio_[A-Za-z0-9]{28}\b|lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"
        r"|sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}|rzp_(?:live|test)_[A-Za-z0-9]{14}"
        r"|access-(?:production|development|sandbox)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
        r"|(?:sdk|mob|api)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|sq[upa]_[a-f0-9]{40}|EZ[AT]K[A-Za-z0-9]{50,}"
        r"|duffel_(?:live|test)_[A-Za-z0-9_=-]{40,}|FLWSECK(?:_TEST)?-[a-h0-9]{12,}(?:-X)?|pnu_[A-Za-z0-9]{36}"
        r"|rdme_[a-z0-9]{60,}|shippo_(?:live|test)_[a-f0-9]{40}|tfp_[A-Za-z0-9_.=-]{50,}"
        r"|dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{60,}|CLOJARS_[a-z0-9]{60}|ico-[A-Za-z0-9]{32}\b"
        r"|sha256~[A-Za-z0-9_-]{43}|[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}|v1\.0-[a-f0-9]{24}-[a-f0-9]{120,}"
        r"|fw_[A-Za-z0-9]{24}\b|sk_[a-f0-9]{48}\b|bku[a-z]_[a-f0-9]{40}|CCIPAT_[A-Za-z0-9]{20,}_[a-f0-9]{40}"
        r"|vc[pkira]_[A-Za-z0-9]{50,}|SSWS 00[A-Za-z0-9_-]{38,}"
        r"|t1\.[A-Z0-9a-z_-]{20,}[=]{0,2}(?:\.[A-Z0-9a-z_-]{80,}[=]{0,2})?"
        r"|AQVN[A-Za-z0-9_-]{35,}|y0_[A-Za-z0-9_-]{50,}|pcsk_[A-Za-z0-9_]{40,}|tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,}"
        r"|fc-[a-f0-9]{32}|jina_[A-Za-z0-9_-]{40,}|csk-[a-z0-9]{40,}|nvapi-[A-Za-z0-9_-]{50,}|e2b_[a-f0-9]{40}"
        r"|napi_[a-z0-9]{50,}|re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}|dp\.(?:st|ct|sa|scim|audit)\.[A-Za-z0-9_.]{36,}"
        r"|ph[cxs]_[A-Za-z0-9]{40,}|LTAI[A-Za-z0-9]{16,26}|AKID[A-Za-z0-9]{32}|AKLT[A-Za-z0-9=_-]{30,}"
        r"|rnd_[A-Za-z0-9]{28,}"
        r"|dd[pw]_[A-Za-z0-9]{36}|sgp_[A-Za-z0-9_]{40,}|cio[A-Za-z0-9]{32}\b|oy2[a-z0-9]{43}"
        r"|dckr_oat_[A-Za-z0-9_-]{20,}"
        r"|ATCTT3[A-Za-z0-9_=-]{40,}|hvp\.[A-Za-z0-9_-]{24,}|pa-[A-Za-z0-9_-]{43}|up_[A-Za-z0-9]{32}"
        r"|bb_live_[A-Za-z0-9_-]{20,}"
        r"|sk_V2_\w{30,}|dop_v1_[a-f0-9]{64}|wandb_v1_\w{40,}|key_[a-f0-9]{60,}|SCW[A-Z0-9]{17}"
        r"|glrt-[A-Za-z0-9_-]{20,})",
        _varied,
    ),
    (
        "recovery code",
        r"\b([0-9]{6}(?:-[0-9]{6}){7})\b|(?i:recovery|filevault|wiederherstell|récupération|recuperación"
        r"|восстановлен|恢复|復旧)"
        r"[^\n]{0,40}?\b([A-Z0-9]{4}(?:-[A-Z0-9]{4}){5})\b",
        None,
    ),
    (
        "password",
        r"(?i)(?:\bapp(?:lication)?[ -](?:specific[ -])?passw\w+|contraseña de aplicación|mot de passe d'application"
        r"|password per (?:le )?app|senha de app|парол\p{L} приложени\p{L}+|应用(?:专用)?密码|专用密码|アプリ"
        r" ?パスワード)"
        r"[^\n]{0,30}?[^a-z]((?-i:[a-z]{4})(?:[ -](?-i:[a-z]{4})){3})\b",
        None,
    ),
    ("wallet key", r"\b([5KL][1-9A-HJ-NP-Za-km-z]{50,51})\b|\b([xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112})\b", _wallet),
    ("wallet key", r"(?i)\bprivate[ _-]?key\W{0,5}(?:is\s+)?((?:0x)?[0-9a-f]{64})\b", None),
    ("registry login", r"\"auth\\?\"\s*:\s*\\?\"([A-Za-z0-9+/]{8,}={0,2})\\?\"", _login),
    (
        "header key",
        r"(?i)\bx-[a-z-]*(?:key|token|secret|auth)\\?[\"']?\s*[:=]\s*\\?[\"']?([A-Za-z0-9_.+/=-]{8,})",
        _interleaved,
    ),
    ("encoded token", r"\b([A-Za-z0-9+/_-]{28,}={0,2})", _encoded),
    ("encoded token", r"\b((?:[0-9a-f]{2}){20,})\b", _encoded),
    ("encoded token", r"\b((?:[A-Za-z0-9._~-]{1,40}%[0-9A-Fa-f]{2}){1,8}[A-Za-z0-9._~-]{16,})", _encoded),
)  # fmt: skip
