"""Tell where a statement begins, and what is nobody's statement.

People open clauses with words that carry nothing ("ok, and please …"). They ask, say what others say, and what
holds for once; hosts and bots write in their name, and some things are said in confidence. The functions here read
the `plain` form of a clause.

English has most of the words; Indonesian, German, Spanish and French have the commonest ones.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache

from cogmem.language.clauses import fold, regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FRAME = 2000  # characters of a message in which it says what it is

# Words that open a clause and say nothing about it.
_OPENING = (
    r"^(?:[\W_]*(?:please note[:,]|ok(?:ay)?|hey|hi|hello|so|well|and|but|also|plus|please|pls|plz"
    r"|kindly|thanks|thank you|great|cool|perfect|yes|yeah|yep|right|oh(?:,| ok| well| and| wait)"
    r"|ah|u?h+m+|btw|by the way|then|again|important(?:ly)?|seriously|listen|look|generally"
    r"|in general|one more thing|another thing|one thing|first|second|third"
    r"|from now on|as (?:i|we) said(?: before)?|like i said|as always|as mentioned|i said"
    r"|i told you(?: to| that)?|i repeat|sorry|wait|yet|hence|therefore|too"
    r"|bitte|und|aber|y|pero|por favor|et|mais|s'il (?:te|vous) plait|tolong|mohon|dan|tapi|ya)"
    r"\b[\s,:!.*-]*)+"
)
_QUESTION = (
    r"^(?:why|what|how|who|whose|which|where|when (?:should|do|does|did|is|are|can)"
    r"|should (?:i|we)|do (?:i|we|you|they)|does|did|can (?:i|we|you)|could|would (?:you|it|i)"
    r"|will (?:you|it)|is (?:it|there|this|that|a|the)|are (?:there|we|you|they|the)"
    r"|must (?:i|we|the)|may i|am i|have (?:you|i|we)|any idea"
    r"|haruskah|apakah|(?:muss|soll|darf|kann|brauch|brauche) ich|wo|wer|wie|wann|warum|wieso|welche[rsnm]?"
    r"|debo|cual|cuales|donde|quien|por que|est-ce|quel|quelle|comment|pourquoi|qui (?:est|a|s')|c'etait quel"
    r"|com[eo] (?:si|se|mai|faccio|posso|funziona|hago|puedo|funciona|faco|faz|eu|esta|era|sta|va|ta)"
    r"|que (?:significa|pasa|hora|quiere decir)"
    r"|wieviel|wie(?:so)?|was (?:ist|war|heisst|bedeutet|passiert|macht)|wat (?:is|was|betekent|doet)"
    r"|quant[oiae]s?|cuant[oa]s?|combien"
    r"|qual|onde|quem|chi|dove|quale|perche|devo|(?:moet|mag|kan) ik|hoe|waar|wanneer|waarom|welke)\b"
    r"|(?:吗|呢|什么|哪里|ですか|ますか|だっけ)$"
)
# Holds until something is done, or in one text; the languages beside English have their commonest forms.
_PASSING = (
    r"\b(?:for the moment|as a one-off|temporarily|until (?:this|it|that|we|tomorrow|lunch|then|tonight"
    r"|further)"
    r"|while (?:we|i|you)|(?:in|for|on) this (?:\w+ )?(?:file|slide|script|page|text|essay|test|function"
    r"|diagram"
    r"|exercise|paragraph|loop|export|session|demo|table|form|line|step|part)"
    r"|(?:this|that) (?:line|point|run|branch|input)|for the (?:banner|poster|first one|next message)"
    r"|(?:the|your|this) (?:function|method|solution|input|query|regex|validation|new column)\b.*\b(?:must"
    r"|should|has to|needs)"
    r"|la funcion debe|la fonction doit|die funktion muss|la funzione deve|a funcao deve|de functie moet"
    r"|ausnahmsweise|dieses mal|fur heute|por esta vez|de momento|solo hoy|pour cette fois|exceptionnellement"
    r"|pour le moment"
    r"|por agora|so hoje|so por hoje|stavolta|per una volta|solo per oggi|voor een keer|voor een keertje"
    r"|alleen vandaag"
    r"|furs erste|diesmal|bis morgen|vorerst|nur fur diese|in dieser mail"
    r"|por ahora|esta vez|hasta manana|solo para este|en este correo"
    r"|pour l'instant|cette fois|jusqu'a demain|pour ce fichier|dans ce mail"
    r"|por enquanto|dessa vez|desta vez|ate amanha|so neste|neste email"
    r"|per ora|questa volta|fino a domani|solo per questo|in questa mail"
    r"|voor nu|deze keer|tot morgen|alleen voor dit|in deze mail)\b"
    r"|暂时|这次|明天之前|只有这个|这封邮件|とりあえず|今回|明日まで|このファイルだけ|このメール"
)
# Somebody else says, thinks or wants it, or nobody does: "Anna wrote …", "if we ever …".
_OF_OTHERS = (
    r"^(?:(?:my|our|the|el|la|le|il|lo|mein|meine|mon|ma|mi|mio|meu|o|a|de|het|mijn|der|die) )?(?:[\w-]+ ){1,2}"
    r"(?:says?|said|wrote|writes|thinks?|claims?|insists?|complains?|reads|told|asked|wants? (?:us|me|you)"
    r"|wants? (?:everyone|everybody|people|them|all of us)|is convinced|believes?|reckons?|sagt|sagte|meint"
    r"|schrieb|schreibt|behauptet|will,? dass|hat geschrieben"
    r"|dice|dijo|cree|escribio|piensa|quiere que|dit|pense|a ecrit|affirme|veut|diz|disse|acha|escreveu"
    r"|quer que"
    r"|ha scritto|pensa|vuole|afferma|zegt|zei|vindt|schreef|wil dat|beweert)\b"
    r"|^(?:according to|laut|segun|selon|d'apres|segundo|secondo|volgens|in der doku|in de documentatie"
    r"|in the (?:book|movie|film|novel|story|game))\b"
    r"|^(?:no|nope|nah|wrong|nein|non|nee|nao)\b[\s,.:;!-]*(?:(?:that'?s )?(?:the|not the|that) (?:other"
    r"|wrong|one)|try|delete|undo"
    r"|remove|revert|fix|add|show|it (?:doesn't|isn't|won't)|he isn't|dejalo|(?:el|la) otr[oa]|lascia"
    r"|l'altr[oa]|l'autre|deixa|o outro|lass"
    r"|die andere|das andere|het andere|de andere)\b"
    r"|^(?:the|this|that|his|her|their|a) (?:\w+ ){0,2}(?:book|novel|story|poem|song|sign|post|tweet|ad|advert"
    r"|article|blog|readme|manual"
    r"|tutorial|documentation|review|label|slogan|quote|chapter|film|movie|website|forum|thread|note|linter"
    r"|compiler|faq|horoscope)\b"
    r"[^,]{0,40}\b(?:begins?|starts?|opens?|ends?|goes|states?|tells?|insists?|suggests?|recommends?|warns?"
    r"|mentions?)\b"
    r"|^(?:im|in (?:der|einem|einer|dem)|auf (?:der|dem|einem)|en (?:el|la|un|una)|dans (?:le|la|un|une|l')"
    r"|sur (?:le|la|un|l')|n[oa]|num|numa|nel|nella|sul|sulla"
    r"|in (?:het|de|een)|op (?:het|de|een))(?: ?\w+){1,2} (?:steht|heisst es|stand|dice que|ponia|pone que"
    r"|il est ecrit|on lit|est ecrit|diz que|dizia"
    r"|esta escrito|c'e scritto|dice che|staat|stond)\b"
    r"|^(?:write|draft|compose|generate|make up|create|schreibe?|verfasse|escribe|redacta|ecris|redige|escreve"
    r"|escreva|scrivi|schrijf)\b[^:]*:\s"
    r"|^(?:im|in (?:the|my|our|einem|meinem|diesem|het|mijn|een)|en (?:el|mi|un)|dans (?:le|mon|un|ce)|n[oa]"
    r"|n[oa] meu|nel|nel mio) (?:\w+ )?"
    r"(?:game|novel|play|film|movie|story|dream|spiel|roman|film|traum|stuck|juego|sueno|novela|pelicula|jeu"
    r"|reve|jogo|sonho|romance|filme"
    r"|gioco|sogno|romanzo|spel|droom|verhaal)\b"
    r"|^(?:todo|fixme|step \d+|warning)\b"
    r"|^(?:when|if) (?:i|you) (?:click|run|press|open|type)\b"
    r"|^(?:so )?(?:suppose|assuming|imagine|pretend|hypothetically|say we|if (?:i|we) (?:were|was|lived|had"
    r"|used|ever)"
    r"|if (?:it|that|possible|the tests)|angenommen|stell dir|supongamos|imagina|si (?:viviera|j'habitais)"
    r"|supposons|imagine"
    r"|suponha|se (?:eu morasse|abitassi)|supponiamo|immagina|stel dat|stel je voor)\b"
    r"|^(?:en realidad|en fait|na verdade|in realta|eigentlich|eigenlijk) (?:da igual|esta bien|peu importe"
    r"|c'est bon|tanto faz"
    r"|non importa|va bene|ist es egal|passt|maakt het|is het goed)\b"
    r"|^(?:游戏里|梦里|小说里|电影里)|^(?:ゲーム|夢|小説|映画)の中|^(?:帮我|给我)?写[^:：]*[:：]|说|写道|认为|要求我们|觉得我们|と言って|と思って|と書|によると"
    r"|らしい(?:です|よ|ね)*$|だそうです$|^(?:如果|假设|想象|根据|假如|もし)|仮定"
    r"|^(?:我的?)?(?:邻居|客户|顾客|同事|朋友|老师|房东|网友|他|她|他们|她们|有人)\S{0,3}(?:要求|希望|想让|建议|觉得|坚持)"
)
# A message that is not a person's own talk: what hosts and bots write, a part that is played, what is not to be kept.
_FRAME = (
    r"^\W*(?:</?[a-z][a-z_-]+>|\[(?:request|tool|system|bot|automated)\b|\S+\[bot\]|caveat: the messages"
    r"|automated message"
    r"|stop hook|this session is being continued|human:|assistant:|you are (?:a subagent|claude|an ai\b"
    r"|an? \w+ agent)"
    r"|your task is|tool ran|background command"
    r"|base directory for this skill|called the \w+ tool|result of calling|contents of /"
    r"|the user(?:'s)? (?:sent|prefers|request))"
    r"|^(?:\W|ok |now |please |pls |can you |could you |i want you to |let's say you )*(?:(?:act|behave"
    r"|pose) (?:as|like) (?:if|an? |my |the )"
    r"|you(?:'re| are) now )"
    r"|^(?:\W|ok |now )*you(?:'re| are) (?:an? |the )(?:\w+ ){0,3}(?:expert|agent|assistant|pirate"
    r"|interviewer|wizard|specialist)\b"
    r"|\b(?:role-?play|mock interview|let's play|in our story|for the sake of the (?:exercise|argument)"
    r"|pretend (?:i|you|that)"
    r"|(?:my|the) (?:\w+ )?(?:character|villain|hero|heroine|protagonist|elf|wizard)\b|point of view of"
    r"|off the record|not for (?:the|your) (?:notes|memory|record)|(?:just|stays?|strictly) between us"
    r"|between you and me"
    r"|(?:don'?t|do not|no need to|needn't|don't have to|please never) (?:remember|save|keep|note|store|record"
    r"|memori[sz]e) (?:this|that|it|any of (?:this|that|it))\b|(?:don'?t|do not) write (?:this|that|it) down"
    r"|(?:keep|leave) (?:this|that|it) (?:out of|off) (?:your|the) (?:notes|memory|record)"
    r"|forget (?:that )?i (?:ever )?(?:said|told|mentioned)"
    r"|(?:don'?t|do not|no) need to remember|(?:for|in) this (?:session|chat) only|just for this chat|puzzle:"
    r"|scenario:|question \d+:"
    r"|lyrics:|the poem goes|as an? (?:user|admin|customer),? i (?:want|can|need)|given an? \w+"
    r"|acceptance criteria"
    r"|(?:^|[.!?:] )\W*(?:tu (?:mal )?so,? als|spiele? (?:mal )?(?:einen|eine|den|die)"
    r"|stell dir (?:mal )?vor,? (?:ich|du)|haz(?:te)? (?:de|como si)"
    r"|finge que|imagina que (?:soy|eres|eu|voce|tu)|fais comme si|jouez? (?:un|une|le|la|les)\b"
    r"|imagine que (?:je|tu)|faz de conta|finja que"
    r"|fai (?:finta|il|la|lo)\b|fingi di|immagina (?:che (?:io|tu)|di)|doe alsof|speel (?:een|de)\b"
    r"|stel je voor dat (?:ik|je|jij))"
    r"|假装|想象我是|ふりをして|演じて|だと想像して"
    r"|spielen wir|rollenspiel|merke? (?:dir )?das (?:bitte )?nicht|(?:das|dies|es)(?: hier)?(?: bitte)? nicht"
    r" (?:merken|speichern|notieren|aufschreiben)"
    r"|unter uns (?:gesagt|bleib)|bleibt unter uns|vergiss das (?:bitte |gleich )?wieder"
    r"|juguemos|no (?:hace falta que )?(?:lo|te lo) (?:guardes|recuerdes|apuntes|anotes|memorices)"
    r"|no (?:guardes|recuerdes|apuntes|anotes) (?:esto|eso)"
    r"|no hace falta (?:recordar|guardar|apuntar)|(?:queda|quede) entre nosotros|entre tu y yo"
    r"|on joue|(?:ne (?:le |l')|ca )(?:note|retiens|garde|enregistre|memorise)s? pas"
    r"|(?:note|retiens|garde|enregistre|memorise)s?(?: ca pas\b| pas (?:ca|cela|ce que)\b)|(?:reste"
    r"|juste) entre nous"
    r"|pas besoin de (?:noter|retenir|garder|memoriser)"
    r"|vamos brincar|nao (?:guard|salv|anot|memoriz)\w+ isso|nao precisas? (?:de )?(?:lembrar|guardar|salvar"
    r"|anotar)"
    r"|(?:fica|fique|so) entre nos\b"
    r"|giochiamo|non (?:salvar|ricordar|annotar|memorizzar|segnar)(?:te)?lo|(?:resti|resta|rimanga) tra noi"
    r"|non (?:serve|occorre) (?:ricordar|salvar|annotar)"
    r"|(?:dit|dat|het)(?: graag)? niet (?:opslaan|onthouden|bewaren|noteren)"
    r"|hoef(?:t|je)?(?: je)?(?: dat| dit)? niet te (?:onthouden|bewaren)"
    r"|(?:blijft|blijven) onder ons|onder ons gezegd|spel spelen)"
    r"|来玩个|扮演|(?:别|不用|不要|不必)(?:记(?:这|住|下|$|[。，,！!\s])|保存(?:这|$|[。，,！!\s])|存下)|只有你我知道|ゲームしよう|記録しないで|覚えなくて"
    r"|(?:保存|メモ)しないで|ここだけの話"
)
# A sentence that goes on about the one before: "We tried X. It broke Y."
_GOES_ON = (
    r"^(?:(?:and|but|so|then|aber|doch|pero|y|mais|et|mas|e|ma|maar|en)\b,?\s+)?(?:it|that|this|they|these"
    r"|those|which"
    r"|everything|we had to|das|dies|es|sie|dabei|damit|eso|esto|aquello|todo|ca|cela|il|elle|ils|elles|tout|isso"
    r"|isto|aquilo|ele|ela|eles|elas|tudo|questo|quello|tutto|dat|dit|het|ze|alles)\b"
    r"|^(?:但|可是|不过|结果|它|这|那|ても|しかし|ところか|結果|それ|これ)"
)


class _Patterns(namedtuple("_Patterns", "opening question goes_on frame not_for_good")):
    __slots__ = ()


@cache
def _patterns() -> Any:
    return _Patterns(
        *map(regex, (_OPENING, _QUESTION, _GOES_ON, _FRAME, f"{_PASSING}|{_OF_OTHERS}"))
    )


def after_opening(plain: str, begin: int = 0) -> int:
    """Return where a clause begins once the words that only open it are passed."""
    match = _patterns().opening.search(plain[begin:])
    return begin + match.end() if match else begin


def goes_on(plain: str) -> bool:
    """Tell whether a sentence goes on about what the one before was about."""
    return _patterns().goes_on.search(plain) is not None


def opens_as_question(plain: str) -> bool:
    """Tell whether a clause without its opening asks, with or without a mark at its end."""
    return _patterns().question.search(plain) is not None


def is_not_for_good(plain: str) -> bool:
    """Tell whether a clause without its opening is passing or of others: both in one look."""
    return _patterns().not_for_good.search(plain) is not None


def is_not_own_talk(text: str) -> bool:
    """Tell whether a message was written by a host or a bot, plays a part, or is not to be kept."""
    return _patterns().frame.search(fold(text[:FRAME])) is not None
