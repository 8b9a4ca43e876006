"""What a session was, told from what really stands in it: nothing is concluded, every quotation is there.

In this order: the person's first request, what was decided, which files were changed, which commands
failed and what mended them, and what is open at the end. Each once. What the record does not tell is
left out, so a session of small talk has no more than its beginning.
"""

from __future__ import annotations

import re

from cogmem.conversation.extract import sentences
from cogmem.conversation.parts import text_of
from cogmem.language.similarity import exact_cosine
from cogmem.text.attempts import attempts, steps
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

QUOTED = 160  # characters of one quotation
DECISIONS, FILES, ERRORS, OPEN = 3, 6, 2, 2  # told of each sort, the last ones; of files the first
SAME = 0.7  # likeness from which two sentences say the same
ENDING = 4  # messages at the end of a session in which something is still open
LOOKED_AT = 4_000  # characters of one message

# What anybody says who decided something.
_SETTLED = r"""
    \b(?: we(?:'ve|\ have)?\ (?:now\ )?(?:decided|agreed|chose|settled) | i(?:'ve|\ have)?\ (?:decided|chosen|settled)
      | (?:it\ (?:is|was)|it's)\ (?:decided|agreed) | decision\ (?:is|was)
      | (?:we|i)(?:'re|'m|\ are|\ am)\ going\ with | (?:we|i)\ (?:went|go)\ with | settled\ on | from\ now\ on
      | wir\ (?:haben\ )?(?:uns\ )?(?:entschieden|beschlossen|bleiben\ bei) | entschieden\b | beschlossen
      | ab\ (?:jetzt|sofort) | (?:hemos\ )?decidi(?:do|mos) | a\ partir\ de\ ahora
      | (?:on\ a|nous\ avons|j'ai)\ (?:décidé|choisi) | désormais | a\ partir\ de\ agora | ficou\ decidido
      | (?:abbiamo|ho)\ (?:deciso|scelto) | d'ora\ in\ poi | (?:we\ hebben|is)\ besloten | voortaan )\b
    | 决定 | 改用 | 决定用 | 決め(?:た|まし) | ことにし(?:た|ます|まし)
"""
# A person's word settles it as well; an agent that says "let's use grep" tells of its next step.
_CHOSEN = r"""
    | \b(?: let'?s\ (?:use|go\ with|keep\ (?!it\ short|looking|going)|stick\ (?:with|to)|take\ (?!a\b))
      | we(?:'ll|\ will)\ (?:use|go\ with|keep|stick) | i(?:'ll|\ will)\ (?:go|stick)\ with | go\ with
      | going\ with | wir\ nehmen | vamos\ (?:a\ usar|usar|con|com) | on\ (?:prend|garde|part\ sur)
      | usiamo | andiamo\ con
      | we\ nemen )\b
    | 我们(?:就)?用
"""
_DECIDED = {
    "user": re.compile(f"(?ix){_SETTLED}{_CHOSEN}"),
    "assistant": re.compile(f"(?ix){_SETTLED}"),
}
_OPEN = re.compile(
    r"""(?ix)
    \b(?: todo | fixme | next\ steps? | remaining | still\ (?:need|needs|has|have|to|open|missing|fails|failing)
      | not\ (?:done|finished|covered|tested)\ yet | pending | follow[- ]?up | blocked | unresolved | needs\ to\ be
      | tomorrow | later\ we
      | offen | fehlt\ noch | noch\ (?:nicht|offen|zu) | pendiente | falta | queda | reste\ à | il\ reste
      | falta | manca\ ancora | da\ fare | nog\ (?:niet|te) )\b
    | 还(?:没|需|要) | 待办 | まだ | 未対応
    """
)
_GREETING = re.compile(
    r"""(?ix)^(?: hi | hello | hey | good\ (?:morning|afternoon|evening|night) | thanks? | thank\ you
      | ok(?:ay)? | yes | great | perfect | bye | hallo | guten\ (?:tag|morgen|abend) | moin | danke | hola
      | buen[oa]s\ \w+ | gracias | bonjour | salut | merci | olá | oi | bom\ dia | obrigad[oa] | ciao | buongiorno
      | grazie | hoi | bedankt | 你好 | 您好 | 谢谢 | こんにちは )\b[\s,!.…]*(?:[\w'’]+[\s,!.…]*){0,2}$"""
)
_NO_DECISION = re.compile(
    r"(?i)[?？]\s*$|^\s*(?:if|should|could|what if|wenn|si|se|als|如果|もし)\b"
    r"|\b(?:i think|i guess|maybe|perhaps|not sure|unless|vielleicht|quizás|peut-être|talvez|forse|misschien)\b"
)
# Brought along, not said: quoted lines, and what hosts put between marks of their own.
_BROUGHT = re.compile(r"(?s)<([a-z]+(?:-[a-z]+)+)>.*?</\1>|(?m:^[ \t]*>.*$)")


class Told:
    """One thing that is told: its sort, its sentence, and the words in it that the record has."""

    __slots__ = ("quotes", "sort", "text")

    def __init__(self, sort: str, text: str, quotes: Sequence[str]) -> None:
        self.sort = sort
        self.text = text
        self.quotes = list(quotes)


def recount(messages: Sequence[Mapping[str, Any]]) -> list[Told]:
    """What is told of a session, in the order of its sentences."""
    said = [(one["role"], one["parts"]) for one in messages]
    seen: list[str] = []
    told = [*_request(messages, seen), *_decisions(messages, seen), *_files(said)]
    return [*told, *_errors(said), *_left_open(messages, seen)]


def _request(messages: Sequence[Mapping[str, Any]], seen: list[str]) -> Iterator[Told]:
    for message in messages:
        if message["role"] != "user":
            continue
        spoken = [one for one in _sentences(message) if not _GREETING.match(one)]
        if spoken:
            quotes = [_cut(spoken[0])]
            if len(spoken[0]) < QUOTED / 4 and len(spoken) > 1:
                quotes.append(_cut(spoken[1]))
            seen += spoken[: len(quotes)]
            yield Told("request", f"It began with {_listed(map(_quoted, quotes))}.", quotes)
            return


def _decisions(messages: Sequence[Mapping[str, Any]], seen: list[str]) -> Iterator[Told]:
    """In the person's words; in the agent's, where the person says nothing of it."""
    for role in ("user", "assistant"):
        found: list[str] = []
        for message in messages:
            if message["role"] == role:
                for one in _sentences(message):
                    if (
                        _DECIDED[role].search(one)
                        and not _NO_DECISION.search(one)
                        and _is_new(one, seen)
                    ):
                        seen.append(one)
                        found.append(_cut(one))
        if found:
            quotes = found[-DECISIONS:]
            yield Told("decision", f"Decided: {_listed(map(_quoted, quotes))}.", quotes)
            return


def _files(said: Sequence[tuple[str, Any]]) -> Iterator[Told]:
    """Files that a call changed, and succeeded in it."""
    changed: dict[str, None] = {}
    for step in steps(said):
        if not step.failed:
            changed.update(dict.fromkeys(step.files))
    names = list(dict.fromkeys(_shown(path) for path in changed))
    if names:
        more = f" and {len(names) - FILES} more" if len(names) > FILES else ""
        yield Told("file", f"Changed: {', '.join(names[:FILES])}{more}.", names[:FILES])


def _errors(said: Sequence[tuple[str, Any]]) -> Iterator[Told]:
    """Failed commands: those that were mended, and the last one that was not."""
    tried = attempts(said)
    mended = [one for one in tried if one.mend][-ERRORS:]
    for one in mended:
        yield Told(
            "error", f"`{one.command}` failed with {_quoted(one.error)}. {one.mend}", [one.error]
        )
    for one in [one for one in tried if not one.mend][-1:]:
        text = f"`{one.command}` failed with {_quoted(one.error)}; nothing here mended it."
        yield Told("open error", text, [one.error])


def _left_open(messages: Sequence[Mapping[str, Any]], seen: list[str]) -> Iterator[Told]:
    """What somebody called open at the end, and a request that nobody answered."""
    talk = [
        one for one in messages if one["role"] in ("user", "assistant") and text_of(one["parts"])
    ]
    last = talk[-1] if talk else None
    waits = last is not None and last["role"] == "user" and len(talk) > 1
    for message in reversed(messages):
        if message is last:
            break
        waits = waits and message["role"] != "assistant"  # one that says nothing may have done it
    found: list[str] = []
    for message in talk[-ENDING:]:
        for one in _sentences(message):
            if _OPEN.search(one) and _is_new(one, seen):
                seen.append(one)
                found.append(_cut(one))
    quotes = found[-OPEN:]
    if quotes:
        yield Told("open", f"Left open: {_listed(map(_quoted, quotes))}.", quotes)
    if waits and last is not None:
        asked = [one for one in _sentences(last) if _says_enough(one) and _is_new(one, seen)]
        if asked:
            quote = _cut(asked[0])
            yield Told("unanswered", f"Not answered any more: {_quoted(quote)}.", [quote])


# -- words ---------------------------------------------------------------------------------------


def _sentences(message: Mapping[str, Any]) -> Iterable[str]:
    said = text_of(message["parts"])[:LOOKED_AT]
    return sentences(_BROUGHT.sub("\n", said) if message["role"] == "user" else said)


def _says_enough(sentence: str) -> bool:
    """More than "Fine.": three words, or six signs of a script that writes no spaces."""
    wide = sum(1 for sign in sentence if sign > "\u2e7f")
    return (len(sentence.split()) >= 3 or wide >= 6) and not _GREETING.match(sentence)


def _is_new(sentence: str, seen: Sequence[str]) -> bool:
    return all(
        sentence.casefold() != one.casefold() and exact_cosine(sentence, one) < SAME for one in seen
    )


def _cut(sentence: str) -> str:
    """The beginning of a sentence, to a whole word, as it stands in the record."""
    if len(sentence) <= QUOTED:
        return sentence
    at = sentence.rfind(" ", QUOTED // 2, QUOTED)
    return sentence[: at if at > 0 else QUOTED].rstrip()


def _quoted(text: str) -> str:
    return f"“{one_line(text).rstrip('.;')}”"


def _listed(parts: Iterable[str]) -> str:
    return "; ".join(parts)


def _shown(path: str) -> str:
    """The end of a path, which is what it is known by."""
    return "/".join(path.replace("\\", "/").split("/")[-3:]).lstrip("/")
