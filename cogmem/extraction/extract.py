"""Stage extract: one call of the model turns talk into proposals.

What the model writes is a proposal and nothing more. A word that is not registered as a kind makes it
a plain fact that waits as a candidate; a kind that was not asked for is dropped and said so. What
draws on a tool's output rather than on anybody's words counts as that tool's.
"""

from __future__ import annotations

from cogmem.errors import CogmemError, InvalidInput, NotRecorded, UnknownName
from cogmem.extraction.reading import read
from cogmem.extraction.talk import talk_of
from cogmem.extraction.work import VOCABULARY, Proposal
from cogmem.guard import guard
from cogmem.models import prompts
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.extraction.talk import Talk
    from cogmem.extraction.work import Work

UNSORTED = "fact"  # what becomes of a word that is not a kind
LONGEST = 4_000  # characters of one statement; more is a document
KEYWORDS, KEYWORD_LENGTH = 12, 60
ANSWER_TOKENS = 2_000
_CONTENT = ("content", "memory", "text", "statement")
_KIND = ("category", "kind", "type")
_TAGS = ("keywords", "tags")


def extract(work: Work) -> None:
    """Ask, read and sort. Without an answer `work.fault` says why, and there are no proposals."""
    options = work.options
    talk = talk_of(
        work.messages,
        work.context,
        characters=options.characters,
        formatter=options.formatter,
        without_echo=lambda text: work.store.without_echo(text)[0],
    )
    if not talk.lines:
        return
    kinds = offered_kinds(work)
    own = _own_prompt(work)  # what this call itself passes must be right
    try:
        instructions = own or prompts.prompt("extract", work.store.settings())
        system = instructions.filled(kinds="\n".join(f"- {name}: {told}" for name, told in kinds))
        answer = work.ask(
            "extract",
            talk.framed(),
            system=system,
            schema=_schema([name for name, _ in kinds]),
            max_tokens=ANSWER_TOKENS,
        )
    except NotRecorded:
        raise
    except Exception as error:  # whatever a model's client raises: no fact is lost by it
        work.error = error
        work.fault = str(error) if isinstance(error, CogmemError) else type(error).__name__
        work.measures.count("errors", "extract")
        return
    reading = read(answer, _CONTENT)
    work.measures.way = reading.way or "unreadable"
    if reading.way != "json":
        work.measures.count("fallbacks", "parse")
    if not reading.way:
        work.fault = f"the answer cannot be read: {_harmless(reading.preview)!r}"
        work.measures.count("errors", "extract")
        return
    if not reading.is_whole:
        work.fault = "the answer is broken or cut off: what is whole of it was taken"
    proposals = [_proposal(item, work, talk, kinds) for item in reading.items]
    if any(one is None for one in proposals):
        work.fault = work.fault or "some of the answer is not a memory"
    work.proposals = _processed(work, [one for one in proposals if one is not None])
    for one in work.proposals[options.most :]:
        one.drop("dropped", f"one answer gives {options.most} memories at most")


def offered_kinds(work: Work) -> list[tuple[str, str]]:
    """The kinds that may be extracted, with what each one means."""
    meanings = work.store.db.read("extraction.kinds", {"vocabulary": VOCABULARY})
    if not work.options.kinds:
        return [(name, meaning) for name, meaning, is_usual in meanings if is_usual]
    known = {name: meaning for name, meaning, _ in meanings}
    found = {}
    for word in work.options.kinds:
        kind, note = work.store.kind(word, VOCABULARY)
        if note:
            raise UnknownName(
                f"kind {word!r} is not registered: `cogmem setting kind list` shows them"
            )
        if kind.name not in known:
            raise InvalidInput(
                f"kind {kind.name} is procedural: a conversation holds no whole procedure"
            )
        found[kind.name] = known[kind.name]
    return list(found.items())


def _own_prompt(work: Work) -> prompts.Prompt | None:
    """The prompt that the call names."""
    if not work.options.prompt:
        return None
    return prompts.checked(work.options.prompt, prompts.prompt("extract", folder=""), "call")


def _schema(kinds: list[str]) -> dict[str, Any]:
    item = {
        "type": "object",
        "properties": {
            "category": {"type": "string", "enum": kinds},
            "content": {"type": "string"},
            "keywords": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["category", "content", "keywords"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"memories": {"type": "array", "items": item}},
        "required": ["memories"],
        "additionalProperties": False,
    }


def _proposal(
    item: dict[str, Any], work: Work, talk: Talk, kinds: list[tuple[str, str]]
) -> Proposal | None:
    """What one item proposes; None if it is none."""
    content = next((item[name] for name in _CONTENT if isinstance(item.get(name), str)), "")
    content = guard.normalise(content)
    if not content:
        return None
    word = next((item[name] for name in _KIND if isinstance(item.get(name), str)), "")
    word = one_line(guard.normalise(word))[:KEYWORD_LENGTH]
    kind, note = work.store.kind(word, VOCABULARY)
    keywords = next((item[name] for name in _TAGS if name in item), ())
    source = "tool" if talk.is_brought(content) else "inferred"
    made = Proposal(kind.name, content, _keywords(keywords), word=word, source=source)
    if note:
        made.is_unsorted = True
        made.reason = f"{word or 'no word'!r} is not a kind: it waits as a plain {UNSORTED}"
        if work.options.kinds and UNSORTED not in (name for name, _ in kinds):
            made.drop("dropped", f"{word!r} is not among the kinds asked for")
    elif kind.name not in (name for name, _ in kinds):
        made.drop("dropped", f"{kind.name} is not among the kinds asked for")
    if not made.outcome and len(content) > LONGEST:
        made.drop("dropped", f"{len(content):,} characters are a document and no statement")
    return made


def _keywords(given: Any) -> list[str]:
    words = given.split(",") if isinstance(given, str) else given
    if not isinstance(words, (list, tuple)):
        return []
    told = [
        one_line(guard.normalise(word))[:KEYWORD_LENGTH] for word in words if isinstance(word, str)
    ]
    return list(dict.fromkeys(filter(None, told)))[:KEYWORDS]


def _processed(work: Work, proposals: list[Proposal]) -> list[Proposal]:
    """The proposals after the caller's own hook."""
    if work.options.post_process is None:
        return proposals
    made = list(work.options.post_process(proposals))
    if not all(isinstance(one, Proposal) for one in made):
        raise InvalidInput("post_process gives a list of proposals")
    for one in made:
        one.kind, one.keywords = (
            work.store.kind(one.kind, VOCABULARY)[0].name,
            _keywords(one.keywords),
        )
        one.content = guard.normalise(one.content)
        if not one.content and not one.outcome:
            one.drop("dropped", "post_process left no text")
    return made


def _harmless(text: str) -> str:
    """The beginning of an answer as a message may show it."""
    return guard.apply(text, guard.POLICIES["record_tool"]).text
