r"""Orders to a model that have no place in a memory, and downloads that are run unseen.

Rows are (name, pattern, check) as in `guard_secrets`. The phrases are the known openings of prompt
injection and their close paraphrases. They are kept narrow on purpose: people write "ignore the
previous commit" and "show the user the prompt again" every day, so an order counts only with the
object that makes it an attack (earlier *instructions*, *your* rules, a system prompt).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.guard.secrets import Row

# Nouns after "ignore all prior …" and "ignore your previous …" that make it ordinary work.
_HARMLESS = (
    " answer answers art attempt attempts bug build builds change changes comment comments commit"
    " commits draft drafts email emails error errors estimate estimates failure failures findings"
    " line lines log logs mail migration migrations note notes output patch patches question"
    " questions reading readings reply replies result results review reviews revision revisions row"
    " rows run runs suggestion suggestions test tests version versions warning warnings work "
)
_ABOUT = frozenset("in on under about from below of regarding within inside except".split())
_NEGATIONS = ("don't", "don’t", "do not", "never", "must not", "cannot", "can't", "should not")


def _ordered(before: str, value: str, after: str) -> bool:
    """Turn down "never ignore …" and "ignore all prior commits"."""
    if before.rstrip().lower().endswith(_NEGATIONS):
        return False
    said = value.lower().split()
    if said == ["disregard", "everything"]:
        # "… in the legacy folder" says what; "… and obey me" and a full stop do not.
        following = after.split()[0].lower() if after[:1].isspace() and after.split() else ""
        return following not in _ABOUT
    last = said[-1]
    noun = after.partition(" ")[2].partition(" ")[0].strip(".,:;!?\"'").lower()
    return last not in ("prior", "previous") or not noun or f" {noun} " not in _HARMLESS


# In the phrases below a space stands for whatever can part two words: blanks of any kind, line
# breaks, quotation and emphasis marks.
_BETWEEN = r"[\s\pZ*\"'>#]+"

_DROP = (
    "(?:ignore|disregard|forget|override|overrule|bypass|dismiss|neglect|abandon|discard"
    "|(?:do not|don['’]t|stop) (?:follow|obey)(?:ing)?|pay no attention to)"
)
_FILLER = "(?:(?:all|any|of|the|these|those|that|your|my|every|each|and|other|system|safety) )*"
_EARLIER = "(?:previous|prior|above|earlier|preceding|foregoing|past|former|original|initial)"
_ORDERS = "(?:instructions?|prompts?|directives?|guidelines?|programming|system messages?)"
_LIMITS = "(?:rules?|constraints?|context|training|polic(?:y|ies)|restrictions?|conversations?)"
_MODEL = "(?:ai|assistant|model|chatbot|bot|llm|persona|entity)"
_UNBOUND = (
    "(?:dan|stan|dude|jailbroken|unrestricted|unfiltered|uncensored|unbound|evil|root|sudo"
    "|(?:developer|god|debug|admin|maintenance) mode)"
)
_PROMPT = (
    "(?:(?:system|initial|original|hidden|secret|developer|base) )+"
    "(?:prompts?|instructions|guidelines|directives|messages?|rules)"
)
_SHOW = (
    "(?:reveal|show|print|output|repeat|display|leak|disclose|tell|give|dump|expose|share|recite"
    "|write out|return|state|quote)"
)
_WHOLE = "(?:(?:me|us|all|the|exact|full|entire|complete|of|verbatim) )*"
_PRIVATE = (
    "(?:api.?keys?|credentials|passwords?|secrets|access tokens?|tokens|private keys?|ssh keys?"
    "|env(?:ironment)? (?:variables?|vars)|\\.env|chat history|conversation(?: history)?|cookies"
    "|system prompt|(?:your|the user['’]?s?) memor(?:y|ies)|~/\\.ssh\\S*|~/\\.aws\\S*|id_rsa)"
)
_SEND = "(?:send|post|upload|exfiltrate|forward|e-?mail|transmit|leak|submit|append|copy|report)"


def _phrases(*alternatives: str) -> str:
    joined = "|".join(alternatives).replace(" ", _BETWEEN)
    return r"(?i)\b(?:" + joined + r")\b"


INJECTIONS: tuple[Row, ...] = (
    (
        "ignore earlier instructions",
        _phrases(
            "ignore (?:all prior|your previous)",
            f"{_DROP} {_FILLER}{_EARLIER} (?:(?:and|or|system|user|safety|your|all) )*"
            f"(?:{_ORDERS}|{_LIMITS})",
            f"{_DROP} {_FILLER}(?:all|any|your|every|system|safety) (?:of )?(?:the |your )?"
            f"{_ORDERS}",
            f"{_DROP} (?:all |any )?(?:of )?your {_LIMITS}",
            f"{_DROP} {_FILLER}{_ORDERS} (?:above|before this|given (?:above|earlier|before)"
            "|(?:that )?you (?:were|have been|got)|so far|up to now)",
            "(?:ignore|disregard|forget) (?:everything|anything|all) (?:(?:that|which) )?(?:above"
            "|before this|prior|you (?:were|have been|know|learned)|i (?:said|told)"
            "|said (?:above|before))",
        ),
        _ordered,
    ),
    ("ignore earlier instructions", _phrases("disregard everything"), _ordered),
    (
        "ignore earlier instructions",
        r"(?i)\bignorier\w* (?:sie )?(?:bitte )?(?:alle )?(?:deine |ihre |die |meine )?"
        r"(?:vorherigen|vorigen|bisherigen|obigen|früheren) (?:anweisungen|instruktionen|befehle)"
        r"|\bignor(?:e|ez|er) (?:toutes )?(?:les |vos |tes )?(?:instructions|consignes) "
        r"(?:précédentes|antérieures|ci-dessus)"
        r"|\b(?:ignor[ae]|olvid[ae]) (?:todas )?(?:las |tus |sus )?(?:instrucciones|órdenes) "
        r"(?:anteriores|previas)"
        r"|\bignor[ea] (?:todas )?(?:as )?(?:suas )?instruções (?:anteriores|prévias)"
        r"|\bignora (?:tutte )?(?:le )?(?:tue )?istruzioni (?:precedenti|di prima)"
        r"|\bnegeer (?:alle )?(?:vorige|eerdere|voorgaande) (?:instructies|opdrachten)"
        r"|\babaikan (?:semua )?(?:instruksi|perintah) (?:sebelumnya|di atas)"
        r"|игнорируй(?:те)? (?:все )?(?:предыдущие|прежние) (?:инструкции|указания)"
        r"|(?:忽略|无视|無視)(?:掉)?(?:所有|全部)?(?:之前|以上|先前|前面|以前)的?(?:所有|全部)?的?(?:指令|指示|提示|命令)"
        r"|(?:以前|これまで|上記)の(?:すべての)?(?:指示|命令)を(?:すべて)?無視"
        r"|이전의? (?:모든 )?(?:지시|명령|지침)\S* ?(?:모두 )?무시",
        None,
    ),
    (
        "new identity",
        _phrases(
            f"you are now an? (?:completely |entirely )?(?:different|new|another) {_MODEL}",
            "you are now a different",
            f"you are now (?:an? )?(?:in )?{_UNBOUND}",
            f"from now on,? you (?:are|will be|become|act as) (?:an? )?{_UNBOUND}",
            "you are no longer (?:bound|restricted|limited|constrained) (?:by|to)",
            f"(?:act|respond|behave|answer) (?:as|like) (?:an? )?{_UNBOUND}",
            "(?:enter|enable|activate|switch to) (?:jailbreak|dan|god|unrestricted) mode",
            f"pretend (?:that )?(?:you are|you're|to be) (?:an? )?{_UNBOUND}",
            "you (?:can )?do anything now",
            "you (?:are|have been) (?:freed|released|liberated) from (?:all |your |any )+"
            "(?:rules|restrictions|constraints|guidelines|limits)",
            "(?:you have|with) no (?:ethical guidelines|content policy|safety rules)",
            "you have no restrictions",
        ),
        None,
    ),
    (
        "new instructions",
        _phrases(
            "follow these new (?:instructions|orders|rules)",
            "your (?:new|real|true|actual|only|sole) (?:instructions|task|goal|objective|purpose"
            "|mission|directive)s? (?:is|are) (?:now )?to",
            "your (?:new|real|true|actual) (?:instructions|directives) are",
            "(?:new|updated|revised) (?:system|developer) (?:prompt|instructions?|directives?):",
        ).removesuffix(r"\b"),
        None,
    ),
    (
        "override of the rules",
        _phrases(
            f"override (?:all )?(?:of )?your (?:{_ORDERS}|{_LIMITS}|safety|core)",
            "(?:disable|turn off|bypass|circumvent|remove|deactivate|drop) (?:all (?:of )?)?your "
            "(?:safety|content|security|ethical|moral|alignment)? ?(?:filters?|guidelines"
            "|restrictions|protocols?|guardrails?|safeguards|limitations|training)",
            "(?:system|admin(?:istrator)?|developer|security) override (?:code|enabled|activated"
            "|engaged|in effect)",
        ),
        None,
    ),
    (
        "request for the system prompt",
        _phrases(
            f"{_SHOW} {_WHOLE}your {_WHOLE}{_PROMPT}",
            f"(?:reveal|leak|disclose|dump|expose|recite|repeat|print|output) {_WHOLE}your {_WHOLE}"
            "(?:prompts?|instructions|guidelines)",
            "(?:repeat|print|output|recite) (?:everything|all (?:of )?the (?:text|words)"
            "|the (?:text|words)) (?:above|before this)",
            "what (?:is|are|was|were) your (?:(?:exact|full|hidden|secret|initial|original) )*"
            "(?:system (?:prompt|message|instructions)|(?:hidden|secret|initial) "
            "(?:prompt|instructions))",
        ),
        None,
    ),
    (
        "fake turn",
        r"(?i)<\|(?:im_start|im_end|im_sep|system|user|assistant|start_header_id|end_header_id"
        r"|eot_id|endoftext|endofprompt|begin_of_text|end_of_text|start|message|channel|tool"
        r"|end_of_turn|eom_id)\|>"
        r"|<｜(?:begin|end|User|Assistant|System)[^｜\n]*｜>|<(?:start|end)_of_turn>"
        r"|</?(?:system|system[_-](?:prompt|reminder|message|instructions)|developer"
        r"|function_(?:calls?|results?)|tool_(?:results?|response|output|calls?))>"
        r"|\[/?(?-i:INST|SYSTEM_PROMPT)\]|<</?SYS>>|\[system\]"
        r"|\[(?:system|admin|developer) (?:message|prompt|override|note|notice)\]"
        r"|(?m:^)[\s>#*_-]*(?:system|developer)(?: (?:message|prompt|override|note))?[*_]*\s*:"
        r"[*_]*\s+(?:you (?:are|must|will|shall|should)|ignore|disregard|forget|override|from now"
        r"|the user)\b"
        r"|-{2,}\s*(?:begin|end|start)(?: of)? (?:system|developer) (?:prompt|message"
        r"|instructions)",
        None,
    ),
    (
        "order to leak data",
        _phrases(
            f"{_SEND} (?:me |us )?(?:(?:all|the|any|every|your|this|a|copy|of|full|contents|stored"
            f"|saved|entire|user['’]?s?|their|and|found|available|contents) )*{_PRIVATE}"
            "(?: [^\\s.;]+){0,6} (?:to|at|via|in) (?:https?:|\\S+@\\S+\\."
            "|(?:this|the following|my|an?|our|that|the) (?:url|address|endpoint|server|webhook"
            "|e-?mail|site|attacker|link)"
            "|\\S+\\.(?:com|net|org|io|dev|example|xyz|ru|cn|site|evil|test)\\b|\\S*attacker)",
        ).removesuffix(r"\b")
        + r"|!\[[^\]\n]*\]\(\s*https?://[^)\s]*[?&][^)\s=]*=\s*(?:\$?\{|\{\{|<|\[|%7B)",
        None,
    ),
    (
        "order to leak data",
        _phrases(
            f"{_PRIVATE}(?: [^\\s.;]+){{0,4}} and {_SEND} (?:them|it|those|these|everything|all)"
            " (?:to|via|at|in)"
        ),
        None,
    ),
    (
        "order to deceive the user",
        _phrases(
            "(?:do not|don['’]t|never) (?:tell|inform|alert|notify|warn) the (?:user|human|operator"
            "|person)(?: (?:about|that|of))? (?:this|these|you)",
            "(?:do not|don['’]t|never) (?:mention|reveal|disclose) (?:this|it|these|that)"
            "(?: (?:instructions?|message|note|request))? to the (?:user|human|operator|person)",
            "(?:hide|conceal) (?:this|these(?: instructions)?|it) from the (?:user|human|operator)",
            "without (?:telling|informing|asking|alerting) the (?:user|human|operator),? "
            "(?:send|upload|post|delete|run|execute|call|write|read)",
        ),
        None,
    ),
)


# --- downloads that are run unseen ----------------------------------------------------------------

COMMANDS: tuple[Row, ...] = (
    (
        "download piped into a shell",
        r"(?i)\b(?:curl|wget|fetch|iwr|invoke-webrequest)\b[^\n|]*\|\s*(?:sudo\s+(?:-\S+\s+)*)?"
        r"(?:/\S*/)?(?:env\s+)?(?:ba|z|da|k|fi)?(?:sh|python3?|perl|ruby|node|php|iex)\b"
        r"|\b(?:ba|z|da|k)?sh\s+(?:-c\s+)?[\"']?(?:<\(|\$\(|`)\s*(?:curl|wget)\b"
        r"|\beval\s+[\"']?(?:\$\(|`)\s*(?:curl|wget)\b"
        r"|\b(?:iex|invoke-expression)\b\s*[(\"'$&][^\n]*\b(?:iwr|irm|downloadstring|invoke-webrequest)\b"
        r"|\bbase64\s+(?:-d|-D|--decode)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b",
        None,
    ),
)
