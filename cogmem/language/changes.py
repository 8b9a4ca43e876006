"""Puts what a statement says of a change in one way, whatever the language.

"Ich bin nach Linz gezogen", "le bureau a déménagé à Nantes" and "la riunione è stata spostata al
giovedì" all say that something moved to a place or a day; "pasamos de Jenkins a GitLab" that one
thing took the place of another. Here such a clause gets the English verb between what it says, so
that the comparison of two statements knows one way to say it. It is read, never stored.
"""

from __future__ import annotations

import re
from functools import cache

# What opens a correction and says nothing itself.
OPENING = re.compile(
    r"^(?:\W*(?:(?:ok|well|oh|ah|hm+|and|but|so|please|sorry)\b[\s,]*)*"
    r"(?:actually|(?:no|non|nao|nee)(?=\s*[,.:;!])|no(?= (?:the|it|it's|that|we|my|our|i|i'm|he|she|they|not)\b)"
    r"|nope|nah|wrong|not quite(?: right)?|(?:small )?correction(?: to what i said)?|update"
    r"|wait|oh wait|hang on"
    r"|to correct (?:myself|the record)|let me correct myself|i told you|as i said(?: before)?"
    r"|that'?s (?:wrong|outdated|not true any ?more)"
    r"|it turns out(?: that)?|you(?:'re| are) (?:wrong|mixing things up)|you misremember"
    r"|turns out(?: that)?|from now on|as of (?:now|today)"
    r"|by the way|btw|fyi|remember(?: that)?|note that"
    r"|nein|eigentlich|stimmt nicht|das ist falsch|korrektur|en realidad|correccion|eso esta mal|te equivocas"
    r"|en fait|c'est faux|tu te trompes|na verdade|correcao|(?:isso )?esta errado|voce se enganou"
    r"|in realta|correzione|e sbagliato|ti sbagli|eigenlijk|correctie|dat klopt niet"
    r"|je vergist je)\b[\s,.:;!-]*)+"
    r"|^(?:不对|错了|更正|其实|你(?:记错|弄错)了?|いや|実は|訂正|違います|間違ってるよ)[，,、:：。\s]*"
)
# Opens what sets something right.
CORRECTING = re.compile(
    r"^\W*(?:(?:ok|well|oh|ah|hm+|sorry)[\s,]+)*(?:actually|no,|nope|nah,|wrong|not quite|(?:small )?correction"
    r"|update:|sorry,|turns out|you(?:'re| are) (?:wrong|mixing)|nein,|eigentlich|stimmt nicht|korrektur"
    r"|en realidad|correccion|me equivoque|non,|en fait|je me suis trompe|nao,|na verdade|correcao|me enganei"
    r"|in realta|correzione|mi sono sbagliat|nee,|eigenlijk|correctie|ik vergiste)"
)
_NOW = (
    r"(?:now |already |just |jetzt |nun |inzwischen |mittlerweile |gerade |ahora |ya |hace poco "
    r"|maintenant |deja |agora |ja"
    r" |adesso |ora |gia |nu |inmiddels |al )?"
)
# From now on, in a word.
_SINCE_NOW = (
    r"\b(?:from now on|from here on|going forward|as of (?:now|today)|ab (?:jetzt|sofort|heute)|von nun an|kunftig"
    r"|in zukunft|de ahora en adelante|a partir de ahora|desde ahora|en adelante|a partir de maintenant|desormais"
    r"|dorenavant|a l'avenir|a partir de agora|de agora em diante|daqui (?:pra|para a?) ?frente"
    r"|d'ora in (?:poi|avanti)|da oggi|vanaf nu|van nu af aan|voortaan|in het vervolg)\b"
)
# Adds nothing but that the speaker thought otherwise.
_AFTER_ALL = (
    r"\s*\b(?:after all|at all|al final|finalmente|au final|finalement|no fim(?: das contas)?|alla fine"
    r"|uiteindelijk)(?=\s*[.!]*$)"
)
_FROM_TO = (
    rf"\b(?:(?:sind|bin|haben|habe|hat|ist) {_NOW}von (?P<de>\S+(?: \S+)??) (?:auf|zu|nach) (?P<de2>\S+(?: \S+)??)"
    r" (?:gewechselt|umgestiegen|umgestellt|migriert|umgezogen|gegangen)"
    r"|(?:hemos |he |ha |nos )?(?:pasado|pasamos|pase|cambiamos|cambie|cambiado|migramos|migrado|mudamos) de"
    r" (?P<es>\S+(?: \S+)??) a (?P<es2>\S+)"
    r"|(?:est |sommes |suis |a |avons |ai )(?:passes?|migres?|bascules?) (?:de |d')(?P<fr>\S+(?: \S+)??)"
    r" (?:a|vers|sur) (?P<fr2>\S+)"
    r"|(?:passamos|mudamos|migramos|trocamos|mudei|troquei|passei) (?:de |do |da |o |a )?(?P<pt>\S+(?: \S+)??)"
    r" (?:para|pra|pelo|pela|por) (?:o |a )?(?P<pt2>\S+)"
    r"|(?:siamo passat[ie]|sono passat[oa]|abbiamo migrato|abbiamo cambiato|ho cambiato) (?:da |dal |dalla )"
    r"(?P<it>\S+(?: \S+)??) (?:a|ad|al|alla|verso) (?P<it2>\S+)"
    rf"|(?:zijn|ben|is|hebben|heb|heeft) {_NOW}van (?P<nl>\S+(?: \S+)??) (?:naar|op) (?P<nl2>\S+)"
    r" (?:overgestapt|overgegaan|gegaan|gemigreerd|verhuisd|gewisseld))\b"
)
_MOVED = (
    # who or what lives or stands somewhere else now
    rf"\b(?:(?:bin|ist|sind|seid) {_NOW}nach (?P<a>\S.*?) (?:um|weg)?gezogen\b"
    rf"|(?:ist|sind|wurde|wurden|wird|werden) {_NOW}(?:auf|in|nach|zu) (?P<b>\S.*?)"
    r" (?:verschoben|verlegt|vorgezogen|umgezogen|gestiegen|gesunken|erhoht|gesenkt|angehoben|geandert)\b"
    rf"|(?:ziehe|zieht|ziehen) {_NOW}nach (?P<c>\S.*?) um\b"
    rf"|(?:ben|is|zijn|werd|wordt|worden) {_NOW}naar (?P<d>\S.*?) (?:verhuisd|verplaatst|verzet|verschoven|gestegen"
    r"|gezakt|gegaan|overgestapt|vertrokken)\b"
    rf"|(?:ben|is|zijn|werd|wordt) {_NOW}(?:verhuisd|verplaatst|verzet|verschoven|gestegen|verhoogd|verlaagd)"
    r" naar (?P<e>\S.*)"
    rf"|(?:a|ai|ont|avons|est|sont|suis|sommes|ete|s'est|se) {_NOW}(?:ete )?(?:demenage|deplacee?s?"
    rf"|reportee?s?|decalee?s?"
    r"|avancee?s?|installee?s?|transferee?s?|passee?s?|montee?s?|descendue?s?|augmentee?s?)"
    r" (?:a|au|aux|en|dans|sur|pour|chez|vers) (?:la |le |l')?(?P<f>\S.*)"
    rf"|(?:(?:me|se|nos) )?(?:(?:he|ha|han|hemos|fue|fueron) {_NOW}(?:sido )?(?:mudado"
    rf"|trasladad[oa]s?|movid[oa]s?|pasad[oa]s?"
    r"|cambiad[oa]s?|aplazad[oa]s?|adelantad[oa]s?|subido|bajado)|mude|mudo|mudamos|mudaron|traslado|traslade"
    r"|movio|paso|cambio|subio|bajo|fui a vivir) (?:a|al|para|en) (?:la |el )?(?P<g>\S.*)"
    rf"|(?:(?:me|se|nos) )?(?:(?:foi|foram|ficou|ficaram|esta) {_NOW}(?:movid[oa]s?|transferid[oa]s?"
    rf"|adiad[oa]s?|antecipad[oa]s?"
    r"|remarcad[oa]s?)|mudei(?:-me)?|mudou(?:-se)?|mudamos(?:-nos)?|mudaram(?:-se)?|passou|subiu|baixou"
    r"|caiu) (?:para|pra|pro) (?:o |a )?(?P<h>\S.*)"
    rf"|(?:(?:mi|si|ci) )?(?:sono|e|siamo|ho|ha|hanno|abbiamo) {_NOW}(?:stat[oaie] )?(?:trasferit[oaie]|spostat[oaie]"
    r"|rinviat[oaie]|anticipat[oaie]|passat[oaie]|salit[oaie]|sces[oaie]|traslocato|cambiato casa)"
    r" (?:a|ad|al|alla|in|nel|nella|su) (?P<i>\S.*)"
    r"|(?:went|has gone|goes|rose|has risen|dropped|fell|is|was|has been|got) (?:up|down|raised"
    r"|lowered|increased|reduced"
    r"|pushed|pushed back|rescheduled|brought forward|bumped|postponed|extended|shifted|changed|relocated"
    r"|moved) to (?P<j>\S.*)"
    r"|(?:rose|dropped|fell|increased|relocated) to (?P<k>\S.*))"
)
# Who speaks is in the verb.
_SPEAKER = (
    r"^(?P<now>(?:ahora|ya|agora|adesso|ora) )?(?:(?:me|nos|mi|ci) (?=moved)|(?=moved\b|vivo en"
    r"|vivimos en|trabajo (?:en|como|de)"
    r"|moro (?:em|no|na)|moramos|trabalho (?:em|no|na|como)|abito|vivo|lavoro (?:in|a|come|per|al|alla)))"
)


# "Milo has a new teacher, Mr. Lindqvist": there was another one before.
_NEW_ONE = (
    r"^(?:(?P<we>we|wir)|(?P<i>i|ich)|(?P<whose>[^\W\d][\w-]+(?: [^\W\d][\w-]+)?))"
    r"(?:'ve| have| has| habe| haben| hat)?(?: (?:got|bought|have|has|just|now|finally|jetzt))* "
    r"(?:a |an |eine[nr]? |ein )?(?:new|neue[nrs]?) (?P<what>[^\W\d][\w-]+(?: [^\W\d][\w-]+)??)"
    r"(?: (?:yesterday|today|last \w+|this \w+|gestern|heute))?(?:,|:| called) "
    r"(?:(?:it's|it is|he's|she's|his name is|her name is|called) )?(?P<value>\S.*)"
)

# Of these one has many, and a new one takes no place.
_MANY = frozenset(
    "friend colleague customer client neighbour neighbor project hobby book game recipe idea rule ticket task issue"
    " bug freund freundin kollege kollegin kunde kundin nachbar nachbarin projekt buch spiel idee aufgabe".split()
)

# "Moro no Porto" denies nothing.
_IN_PORTUGUESE = r"\b(mor[oa]|moramos|trabalh[oa]|fica|ficam|esta|estao) (?:no|na|nos|nas)\b"

# One of these stands in every statement that is put in another way; most have none.
_SIGNS = frozenset(
    "now on forward today all jetzt sofort heute nun kunftig zukunft ahora adelante maintenant desormais dorenavant"
    " l'avenir agora diante frente d'ora oggi nu af voortaan vervolg final finalmente finalement fim contas fine"
    " uiteindelijk gewechselt umgestiegen umgestellt migriert umgezogen gegangen pasado pasamos pase cambiamos"
    " cambie cambiado migramos migrado mudamos passe passes migre migres bascule bascules passamos trocamos mudei"
    " troquei passei passati passate passato passata migrato cambiato overgestapt overgegaan gegaan gemigreerd"
    " verhuisd gewisseld gezogen weggezogen verschoben verlegt vorgezogen gestiegen gesunken erhoht gesenkt"
    " angehoben geandert um verplaatst verzet verschoven gestegen gezakt vertrokken verhoogd verlaagd demenage"
    " deplace deplacee deplaces deplacees reporte reportee reportes reportees decale decalee decales decalees"
    " avance avancee avances avancees installe installee installes installees transfere transferee transferes"
    " transferees passee passees monte montee montes montees descendu descendue descendus descendues augmente"
    " augmentee augmentes augmentees mudado trasladado trasladada trasladados trasladadas movido movida movidos"
    " movidas pasada pasados pasadas cambiada cambiados cambiadas aplazado aplazada aplazados aplazadas adelantado"
    " adelantada adelantados adelantadas subido bajado mude mudo mudaron traslado traslade movio paso cambio subio"
    " bajo vivir transferido transferida transferidos transferidas adiado adiada adiados adiadas antecipado"
    " antecipada antecipados antecipadas remarcado remarcada remarcados remarcadas mudei-me mudou mudou-se"
    " mudamos-nos mudaram mudaram-se passou subiu baixou caiu trasferito trasferita trasferiti trasferite spostato"
    " spostata spostati spostate rinviato rinviata rinviati rinviate anticipato anticipata anticipati anticipate"
    " salito salita saliti salite sceso scesa scesi scese traslocato casa up down raised lowered increased reduced"
    " pushed rescheduled brought bumped postponed extended shifted changed relocated moved rose risen dropped fell"
    " new neue neuen neuer neues vivo vivimos trabajo moro mora moramos trabalho trabalha fica ficam esta estao abito"
    " lavoro".split()
)


def plainly(low: str) -> str:
    """A folded lower-case statement with what it says of a change in one way."""
    if _SIGNS.isdisjoint(low.rstrip(".!").split()):
        return low
    since_now, after_all, from_to, moved, new_one, in_portuguese, speaker = _patterns()
    low = new_one.sub(_new_one, low)
    low = after_all.sub("", since_now.sub("now", low))
    low = from_to.sub(_switched, low)
    low = in_portuguese.sub(r"\1 em", moved.sub(_moved, low))
    return speaker.sub(lambda found: "i now " if found["now"] else "i ", low)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Compiled for the first statement that needs them: that takes longer than a turn."""
    return tuple(
        map(
            re.compile,
            (_SINCE_NOW, _AFTER_ALL, _FROM_TO, _MOVED, _NEW_ONE, _IN_PORTUGUESE, _SPEAKER),
        )
    )


def _switched(found: re.Match[str]) -> str:
    old, new = [part for part in found.groups() if part is not None][:2]
    return f"switched from {old} to {new}"


def _new_one(found: re.Match[str]) -> str:
    what = found["what"]
    if what.split()[-1] in _MANY:
        return found[0]
    if found["we"] == "wir" or found["i"] == "ich":
        return f"{'unser' if found['we'] else 'mein'} {what} ist jetzt {found['value']}"
    whose = "our" if found["we"] else "my" if found["i"] else f"{found['whose']}'s"
    return f"{whose} {what} is now {found['value']}"


def _moved(found: re.Match[str]) -> str:
    where = next(part for part in found.groups() if part is not None)
    return f"moved to {where}"
