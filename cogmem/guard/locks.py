r"""Numbers that open something: a safe, a door, a phone, a card.

Four digits are not a secret by themselves, and neither is the word "code". What is said of both decides: a word for
what is locked, a word for what opens it, and right after what says "is" the number, with nothing counted behind it.
So "the gate code is 6071" is one, and "error code 4041", "room 4711" and "200 lines of the lock" are none.
"""

from __future__ import annotations

from cogmem.guard.characters import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[str, int, int]

# What opens. The second list is both at once: it opens, and there is only one thing that it opens.
OPENS = (
    r"code|combo|clave|chiave|chave|mot de passe|mdp|contraseñ\p{L}*|senha|pass(?:wor[dt]|wd)|kennwort"
    r"|парол\p{L}*|\bpin|пин|密码|密碼|パスワード|パスコード|ロック|비밀번호|combination|keypad|kombination"
    r"|zahlenkombination|código|codigo|combinación"
    r"|combinação|combinaison"
    r"|digicode|codice|combinazione|kod|код|шифр|комбинаци|码|碼|番号|コード|ナンバー|暗号|번호"
)
OPENS_IT = (
    r"unlock(?:s|ed|ing)?|arm(?:s|ed|ing)?\b|(?:un)?scharf|開く|開け|열"
    r"|disarm(?:s|ed|ing)?|entsperr\w*|entschärf\w*|entriegel\w*"
    r"|déverrouill\w*|désarm\w*"
    r"|desbloque\w*|desactiv\w* la alarma|sblocc\w*|разблокир\w*|解锁|解鎖|解除|opens? with"
    r"|geht (?:auf )?mit|to open|zum öffnen|pour ouvrir|para abrir|per aprire|чтобы открыть|開ける|打开|öffnet\w* mit"
    r"|s'ouvre avec|se abre con|si apre con|abre com|открывается"
)
_PIN = (
    r"\bpin (?:is|was|ist|es|est|è|é)\b|"
    r"\bpin\b (?:on|of|for|to|vom|von|für|zum|per|pour|para|на|от)\b|"
    r"\b(?:voicemail|phone|tablet|screen|sim|card|bank|debit|credit|atm|door|alarm|locker|app)(?:['\x{2019}]s)?"
    r" pin\b|"
    r"(?-i:\bPIN\b)|\bpin[- ]code\b|code pin\b|пин-?код|пин "
    r"|\b(?:my|mein|meine|mi|mon|minha|meu|mio|мой) pin\b|\bpin (?:de|del|do|da|der|des|du)\b"
)
LOCKED = (
    r"safe|vault|padlock|\block\b|lockbox|key ?box|locker|\bdoors?\b|\bgates?\b|garage"
    r"|\balarm\b|suitcase|koffer|maleta|valise|valigia|чемодан|entrance|front entry|keypad"
    r"|storage unit|\bphone\b|\btablet\b|\bipad\b|\biphone\b|\bsim\b|voicemail|\b(?:debit"
    r"|credit|bank) ?card\b|\batm\b|\bbank\b"
    r"|tresor|schloss|schließfach|\btür|haustür|\btor\b|\btore?s?code|alarmanlage|eingang"
    r"|handy|\bkarte\b|ec-karte|bankkarte"
    r"|caja fuerte|puerta|portal|portón|garaje|alarma|candado|taquilla|móvil|tarjeta|coffre"
    r"|\bporte\b|portail|alarme|cadenas"
    r"|entrée|entrada|ingresso|\bвход|入口|\bcarte\b|fahrrad|\bbici|vélo|\bbike\b|自転車|自行车|casier|immeuble"
    r"|interphone|carte bleue|carte bancaire|cassaforte|\bporta\b|portone"
    r"|cancello|allarme|lucchetto|bancomat"
    r"|citofono|cofre|portão|garagem|cadeado|cartão|celular|сейф|двер|ворот|гараж|сигнализаци"
    r"|домофон|подъезд|замок|замка"
    r"|карт[аеуы]|телефон|门禁|大门|门锁|保险箱|保险柜|车库|报警|储物柜|手机|银行卡|金庫|玄関"
    r"|ドア|オートロック|ロッカー"
    r"|スマホ|携帯|カード|금고|현관|대문"
)
# What takes three numbers to open, whatever is called the code of it.
_DIALLED = (
    r"padlock|lockbox|locker|vault|\bsafe\s*:|safe (?:code|combo)|safe (?:is|opens with)\s+$|tresor|koffer"
    r"|maleta|valise|valigia|mala|чемодан|caja fuerte|coffre|cassaforte|cofre|candado|cadenas"
    r"|сейф|金庫|保险箱|保险柜"
)
# Codes that everybody may know.
_OPEN_TO_ALL = (
    r"error|status|exit|return|response|http|fehler|erreur|errore|erro\b|ошибк|错误|錯誤"
    r"|エラー|\bzip\b|postal|postleitzahl|area code"
    r"|country|dress|product|produkt|producto|produit|prodotto|produto|товар|source code"
    r"|quellcode|line|room|raum|issue|ticket"
    r"|订单|注文|version|\bport(?:$|[^\p{L}])|module"
)
# What may stand between "is" and the number.
_LATELY = (
    "the|number|le|la|el|il|o|a|ab|heute|gestern|seit|from|today|now|currently|still|again|wieder|jetzt|aktuell"
    "|ahora|hoy|desde|maintenant|désormais|adesso|ora|agora|hoje|теперь|сейчас|сегодня|с"
)
_SAID = (
    r"(?:(?:^|[\s,])(?:left|right|links|rechts|izquierda|gauche|sinistra|esquerda|is|was|are|now|ist|war|lautet"
    r"|heißt|jetzt|es|es el|est|c'est|è|é|to"
    r"|jest|это|tipp\w*(?: du)?|gib|teclea\w*|introdu\w+|marca|tape[rz]?|compose[rz]?|digit\w+|набер\p{L}*"
    r"|набира\p{L}*|нажми|输入|按|type|typing|enter|entering|press|pressing"
    r"|punch|punching in|dial|with|mit|con|con el|avec|com|con il|avec le|die|der)"
    r"|[:=\x{ff1a}\x{2013}\x{2014}-]|['\x{2019}]s"
    r"|(?:chang\w+|passé\w*|geändert|gestellt|gesetzt|set|cambi\p{L}+|mudou|muda\p{L}+|pass[ao]\w*|измен\p{L}*"
    r"|поменя\p{L}*)"
    r"\s(?:to|auf|à|au|a|al|en|in|para|pra|per|на)"
    r"|(?:changed|geändert|cambi\w+|chang\w+|mudou|muda\w+|измени\w*|поменя\w*|neu|new|nuevo|nouveau|nuov[oa]"
    r"|novo|novo)"
    r"[^.;:0-9]{0,16},"
    r"|→|->|是|为|為|は|가|는|은|이|改成了?|改为|換成|换成|变成"
    rf"|{OPENS}|{_PIN})(?:\s(?:{_LATELY})){{0,3}}\s*[\"'*`(«“]*\s*$"
    r"|(?:\s(?:is|was|are|ist|es|est|è|é)\s[^.;:0-9]{1,24},\s*$)"
)
_NUMBER = (
    r"(?:^|[^0-9A-Za-zА-я.,:/\\_+#€$-])([0-9]{1,2}(?:[- ][0-9]{1,2}){2,3}|[0-9]{2,3}[A-ZА-Я][0-9]{2,4}"
    r"|[A-ZА-Я]?[0-9]{4,8}[A-ZА-Я]?)"
)
_NO_END = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_%/€$-")
# Without one of these there is no such number.
MAY_OPEN = r"[0-9]{4}|[0-9][- ][0-9]{1,2}[- ][0-9]|[0-9]{2}[A-ZА-Я][0-9]{2}"
# What may stand behind such a number: an end, or a word that goes on with the sentence, and not what is counted.
_GOES_ON = (
    r"^[#*]?(?:$|[\"'`)»”*#]|\s*[,;!?…]|\s*\.(?:\s|$)|\s*[\n\x{3001}\x{3002}\x{ff0c}\x{ff01}]"
    r"|です|だ|。|了|啦|哦|に|よ|ね|を|で"
    r"|\s+(?:and|or|then|twice|on|at|for|in|by|now|if|please|but|so|as|to|since|from|until|instead|here|again"
    r"|und|oder|dann|bitte"
    r"|als|zum|für|wenn|aber|ein|auf|seit|ab|rein|y|o|pero|por"
    r"|para|como|desde|et|ou|mais|pour|comme|s'il|depuis|puis|e|poi|luego|depois|ma|dal|da|per|come|mas|и|а|но"
    r"|потом|затем|для|с|別|别)(?:[\s,]|$)"
    r"|\s*[别記记])"
)
_AS_CODE = (
    r"(?i)^\s+(?:als|as|as the|como|comme|come|for the|für die|para la|pour la)"
    r" (?:code|pin|kombination|código|codice|combination)"
)
_END = r"[\n\x{3002}\x{ff01}\x{ff1f};!?]|\.\s"
_BACK = 80  # characters before a number in which it is said what it opens


def numbers(text: str) -> Iterator[Span]:
    """Numbers of a text that open something."""
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
