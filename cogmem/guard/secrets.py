r"""What a secret looks like: the table that the guard searches with.

A row is (name, pattern, check). The patterns are re2 syntax, so a text of any length and malice is
matched in linear time. If a pattern has groups, the first group that matched is the secret itself,
so that `postgres://app:…@db/shop` keeps all but its password. A check takes what stands before the
value, the value, and what follows, and may turn it down (`values`): re2 has no lookaround, and to
tell `token: o200k_base` from a token takes a few lines of Python. When several rows match one passage,
the earliest names it.

Names are shown to people and written into marks (`[redacted: github token]`), so they are plain
words, and no mark may itself look like a secret.
"""

from __future__ import annotations

from cogmem.guard import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[str, str, str], bool]
    Row = tuple[str, str, Check | None]

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
    ("aws access key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b", values.undocumented),
    (
        "aws secret key",
        r"(?i)(?:aws.{0,20}(?:secret|sk)|secret.?access.?key)\S{0,20}[\"']?\s*[:=,>]{1,2}\s*[\"']?"
        r"([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)",
        values.undocumented,
    ),
    ("github token", r"\b(?:gh[a-z]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})", None),
    ("gitlab token", r"\bgl(?:[a-z]{2,8})-[A-Za-z0-9_-]{20,}", values.not_words),
    (
        "slack token",
        r"\bxox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}|\bxapp-[0-9]-[A-Za-z0-9-]{20,}",
        values.not_words,
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
        values.undocumented,
    ),
    ("anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{10,}", values.not_words),
    ("openai key", r"\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{16,}", values.not_words),
    ("api key", r"\bsk-[A-Za-z0-9_-]{20,}", values.not_words),
    ("npm token", r"\bnpm_[A-Za-z0-9]{30,}", None),
    ("pypi token", r"\bpypi-[A-Za-z0-9_-]{40,}", values.not_words),
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
    (
        "json web token",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*",
        values.undocumented,
    ),
    (
        "password in address",
        r"(?i)\b[a-z][a-z0-9+.-]*://[^\s:/@'\"<>?#]*:([^\s/'\"<>]+)@"
        r"|\bjdbc:oracle:thin:[^\s/@]+/([^\s@/]+)@",
        values.userinfo,
    ),
    ("bearer token", r"(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{20,})", values.opaque),
    (
        "authorization header",
        r"(?i)\bauthorization\\?[\"']?\s*[:=,]\s*\\?[\"']?(?:basic|token|apikey|digest|bot|key)\s+"
        r"([A-Za-z0-9._~+/=-]{8,})",
        values.credential,
    ),
    (
        "password on a command line",
        r"(?i)\bcurl\b[^\n]*\s(?:-u|--user)[ =]?[\"']?[^\s:\"']+:([^\s\"']{4,})"
        r"|\bsshpass\s+-p\s*[\"']?([^\s\"']{4,})|\bmysql(?:dump)?\b[^\n]*\s-p([^\s\"'-][^\s\"']{4,})"
        r"|\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S{4,})"
        r"|\becho\s+[\"']?([^\s\"']{4,})[\"']?\s*\|\s*sudo\s+-S|\bnet\s+use\s+\S+\s+\S+\s+([^\s/*]\S{3,})\s+/user:",
        values.credential,
    ),
    (
        "recovery phrase",
        r"(?i)(?:\bmnemonic|\bseed|\b(?:recovery|backup)[ _-]?(?:phrase|words)|\bwallet|semilla|助记词|助記詞|助憶"
        r"|シードフレーズ|니모닉|мнемоник|сид-фраз|wiederherstellungs(?:wörter|phrase))[^\n]{0,40}?[:= \"']\s*"
        r"((?-i:[a-z]{3,8}[ ,]+){11,23}[a-z]{3,8})",
        values.wordlist,
    ),
    (
        "secret value",
        r"(?i)<" + _KEY + r">([^<>\n]{6,})</"
        r"|" + _KEY + r"\\?(?:[\"']\]?)?(?:\s*:\s*(?:&'?\w* ?)?str(?:ing)?)?"
        r"[ \t]*(?:=>|:=|={1,3}|:)[ \t]*[rbfu@]?\\?" + _VALUE,
        values.assigned,
    ),
    (
        "secret value",
        r"(?i)\b(?:key|name|id)\s*=\s*[\"'][\w.:-]*" + _KEY + r"[\"']\s+value\s*=\s*" + _VALUE,
        values.assigned,
    ),
    (
        "secret value",
        r"(?i)--(?:[a-z]+-)*" + _KEY + r"[ \t]+" + _VALUE,
        values.assigned,
    ),
    (
        "secret value",
        r"(?i)" + _KEY + r"(?:[ \t]+(?:for|to|of|on|in)[ \t]+[^\n.;:]*?)?"
        r"[ \t]+(?:is|was|are|ist|es|est|lautet)(?:[ \t]+now)?[ \t:]+[\"'`]?([^\s\"'`<>]{6,})",
        values.spoken,
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
        values.varied,
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
    (
        "wallet key",
        r"\b([5KL][1-9A-HJ-NP-Za-km-z]{50,51})\b"
        r"|\b([xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112})\b",
        values.wallet,
    ),
    ("wallet key", r"(?i)\bprivate[ _-]?key\W{0,5}(?:is\s+)?((?:0x)?[0-9a-f]{64})\b", None),
    ("registry login", r"\"auth\\?\"\s*:\s*\\?\"([A-Za-z0-9+/]{8,}={0,2})\\?\"", values.login),
    (
        "header key",
        r"(?i)\bx-[a-z-]*(?:key|token|secret|auth)\\?[\"']?\s*[:=]\s*\\?[\"']?([A-Za-z0-9_.+/=-]{8,})",
        values.interleaved,
    ),
    (
        "broken token",  # over two lines, as a narrow window breaks it
        r"\b(?:gh[a-z]_|github_pat_|sk-(?:ant|proj)-|glpat-|xox[a-z]-|npm_|pypi-|AKIA|AIza|eyJ|hf_|xai-)[A-Za-z0-9_.-]*"
        r"\\?[ \t]*\r?\n[ \t>|]{0,8}[A-Za-z0-9_.+/=-]{8,}",
        values.goes_on,
    ),
    (
        "login code",
        r"(?i)(?:\b(?:(?:log|sign)[ -]?in|one[- ]time|verification|authenticat\w+|security|2fa|mfa|confirmation"
        r"|pass) ?code"
        r"|\b(?:otp|totp))(?:\s(?:is|was|now|:))?[\s:=]{1,3}[\"'`*]{0,2}([0-9]{4,8}|[0-9]{3}[ -][0-9]{3})\b"
        r"|\b(?:g-)?([0-9]{5,8}) (?:is|as) (?:your|my|the|our)(?: [\w-]+){0,3} code\b"
        r"|\b(?:enter|type|paste)(?: in)?(?: the| this)? code:? [\"'`*]{0,2}"
        r"([0-9]{6,8}|(?-i:[A-Z0-9]{4}-[A-Z0-9]{4}))\b"
        r"|\b(?:device|user|pairing|activation|login) code(?: is)?[ :=]{1,3}[\"'`*]{0,2}"
        r"((?-i:[A-Z0-9]{4}-[A-Z0-9]{4}))\b",
        None,
    ),
    (
        "login code",
        r"\b(4/0A[A-Za-z0-9_-]{20,})|[?&]code=([A-Za-z0-9._~%/-]{12,})|\b([A-Za-z0-9_-]{12,}#[A-Za-z0-9_-]{12,})"
        r"|(?i)\b(?:oauth|authori[sz]ation|auth|login|sign-?in) code\b[^\n]{0,20}?[ :=\"'`]([A-Za-z0-9_/.~-]{16,})",
        values.mixed,
    ),
    (
        "login",
        r"(?i)\b(?:user(?:name)?|log-?in|account|benutzer(?:name)?|usuario|utilisateur)[ \t:=]+[\"'`]?[\w.@+-]{1,40}"
        r"[\"'`]?[ \t]*/[ \t]*[\"'`]?([^\s/\"'`]{6,40})",
        values.beside_user,
    ),
    (
        "passphrase",
        r"(?i)\b([a-z]{3,12}(?:-[a-z]{3,12}){3,9}) (?:(?:to|for|will|should) )?"
        r"(?:unlocks?|unlocking|decrypts?|opens?)"
        r"(?:\s*$|[ \t]*[.,!;?\n]|[ \t](?:it\b|(?:(?:the|my|our|his|her|your) )?(?:\w+ )?"
        r"(?:vault|laptop|safe|disk|drive|phone|database|keyring|keychain|computer|server|screen|account|wallet"
        r"|volume|backup|machine|archive)\b))",
        values.undocumented,
    ),
    ("encoded password", r"\b([A-Za-z0-9+/_-]{16,}={0,2})", values.wraps_password),
    ("encoded token", r"\b([A-Za-z0-9+/_-]{28,}={0,2})", values.encoded),
    ("encoded token", r"\b((?:[0-9a-f]{2}){20,})\b", values.encoded),
    (
        "encoded token",
        r"\b((?:[A-Za-z0-9._~-]{1,40}%[0-9A-Fa-f]{2}){1,8}[A-Za-z0-9._~-]{16,})",
        values.encoded,
    ),
)
