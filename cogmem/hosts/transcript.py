"""What a coding agent wrote down of a session, brought into the conversation record.

A transcript only grows, so what the record holds already is skipped; where its tail differs, the
record takes the host's word. What is not a message (or no JSON) is passed over: it is the host's file.
"""

from __future__ import annotations

import time

from cogmem.errors import Conflict
from cogmem.hosts import act, own_words
from cogmem.hosts.host import HOSTS, find, objects, spoken, within
from cogmem.hosts.lines import messages as messages_of
from cogmem.hosts.transcripts import split
from cogmem.records import foreign_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.conversation.record import Entry
    from cogmem.hosts.host import Event
    from cogmem.memory import Memory

RESULT_LIMIT = 20_000  # characters kept of one tool result: its head and its tail
# What hosts put into the person's mouth: their own commands, reminders and surroundings.
NOT_SAID = tuple(start for host in HOSTS for start in find(host).not_said)


def record(mem: Memory, event: Event) -> None:
    """Record what is new of the session's talk, and let the capture rules read it."""
    session = event.session
    if not session:
        return
    path = event.text("transcript_path") if event.host.reads_own else ""
    now = event.at or time.time_ns() // 1_000_000
    entries = read(path, now)
    talk = mem.conversation(session)
    if entries:
        bring_up_to_date(talk, entries, now)
        act.learn(mem, entries)
    else:
        told = [
            ("user", spoken(own_words.without(event.text("prompt")), NOT_SAID)),
            ("assistant", event.text("prompt_response")),
        ]
        told += [("assistant", event.text(name)) for name in ("last_assistant_message", "text")]
        for number, (role, text) in enumerate(told):
            uid = f"{event.turn}.{number}" if event.turn else None
            if text:
                talk.append(role, text, at=now, counted=False, uid=uid)
        act.learn(mem, act.told_calls(event))
    mem.capture_conversation(session)


def record_helper(mem: Memory, event: Event) -> None:
    """Record what a subagent was told and did as its own talk: only its like has it in sight. Who speaks to
    it is an agent, so no rule reads it; what failed and what mended it serves everybody."""
    name, kind = event.text("agent_id"), event.text("agent_type")
    now = time.time_ns() // 1_000_000
    entries = read(event.text("agent_transcript_path"), now, of_helper=True)
    if not name or not event.session or not entries:
        return
    talk = mem.conversation(f"{event.session}/{name}", runtime=kind or "subagent")
    bring_up_to_date(talk, entries, now)
    act.learn(mem, entries)


def read(path: str, now: int, *, of_helper: bool = False) -> list[Entry]:
    """Return the messages of a transcript; none where there is none."""
    if not path:
        return []
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return list(messages(file.read(), now, of_helper=of_helper))
    except OSError:  # some hosts name the file before they write it
        return []


def bring_up_to_date(talk: Conversation, entries: list[Entry], now: int) -> None:
    """Record what is new; where the tail differs, the host's word counts."""
    try:
        _bring(talk, entries, now)
    except Conflict:  # a backfill reads the same transcript
        _bring(talk, entries, now)


def _bring(talk: Conversation, entries: list[Entry], now: int) -> None:
    state = talk.state()
    held = state.next_seq if state else 0
    last = talk.recent(1) if held else []
    if not last or (
        held <= len(entries) and is_same(last[0].role, last[0].parts, entries[held - 1])
    ):
        talk.extend(entries[held:], counted=False, held=held)
    else:
        told = [{"role": role, "parts": parts} for role, parts, *_ in entries]
        talk.save(told, at=now, counted=False)


def has_lost(mem: Memory, event: Event) -> bool:
    """Tell whether what the host would send next is without the stable text."""
    path = event.text("transcript_path")
    return bool(path) and event.host.has_lost(path, lambda: mem.turns.frozen(event.session))


def conclude(mem: Memory, session: str) -> None:
    """End the session: it leaves its lines, its own notes go, and a model reads it where one is turned on."""
    if session:
        mem.sessions.conclude(session)
        mem.sessions.end(session)
        if mem.notes.wait(session):
            from cogmem.hosts import spawn

            spawn.note(mem.place)


def is_same(role: str, parts: list[dict[str, Any]], entry: Entry) -> bool:
    """Tell whether a recorded message is this one; the guard may have changed words, never the shape."""
    given = entry[1] if not isinstance(entry[1], str) else [{"type": "text", "text": entry[1]}]
    return role == entry[0] and [p.get("type") for p in parts] == [p.get("type") for p in given]


def messages(text: str, now: int, *, of_helper: bool = False) -> Iterator[Entry]:
    """Yield the messages of a transcript, in order; `now` stands in where it gives no instant. In one of a
    subagent, what stands under the person's name comes from the agent that sent it."""
    yield from entries(objects(text), now, of_helper=of_helper)


def entries(
    lines: Iterator[dict[str, Any]],
    now: int,
    *,
    of_helper: bool = False,
    shorten: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
) -> Iterator[Entry]:
    """Yield the messages in the lines of a transcript; `shorten` says how much of a part is kept."""
    shorten = shorten or shortened
    for line in without_summaries(lines):
        try:
            for said in messages_of({**line, "isSidechain": False} if of_helper else line):
                at = foreign_instant(said.get("timestamp", line.get("timestamp"))) or now
                for role, parts in split(said):
                    own = parts if role == "assistant" else [own_words.said(part) for part in parts]
                    own = [of_person(part) for part in own] if role == "user" else own
                    kept = [shorten(part) for part in own if is_said(part)]
                    if kept:
                        origin = "assistant" if of_helper and role == "user" else None
                        yield role, kept, None, at, origin
        except (KeyError, TypeError, ValueError, AttributeError):
            continue  # a form of a later version: what else is in the file still counts


def without_summaries(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Codex has its model tell the talk so far, writes that down as an answer, then that it compacted."""
    latest: dict[str, Any] | None = None
    for line in lines:
        kind = line.get("type")
        if kind == "compacted":
            said = within(latest or {}, "payload.content")
            texts = [part.get("text") for part in said or () if isinstance(part, dict)]
            summary = line.get("payload")
            told = summary.get("message") if isinstance(summary, dict) else None
            if texts and isinstance(told, str) and told.endswith(str(texts[-1])):
                latest = None
        elif kind == "response_item":
            if latest is not None:
                yield latest
            latest = line
        else:
            yield line
    if latest is not None:
        yield latest


def of_person(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a message in the person's name, without what the host put into it."""
    if part["type"] != "text" or not str(part["text"]).lstrip().startswith(NOT_SAID):
        return part
    return {**part, "text": spoken(str(part["text"]), NOT_SAID)}


def is_said(part: Mapping[str, Any]) -> bool:
    """Tell whether a part belongs to the talk: no thinking, no picture's bytes, no empty text."""
    if part["type"] == "text":
        return bool(str(part["text"]).strip())
    return part["type"] in ("tool_call", "tool_result")


def shortened(part: dict[str, Any], limit: int = RESULT_LIMIT) -> dict[str, Any]:
    """Return a part whose result is no longer than a reader can use."""
    said = part.get("content")
    if part["type"] != "tool_result" or (isinstance(said, str) and len(said) <= limit):
        return part
    return {**part, "content": cut(said if isinstance(said, str) else str(said or ""), limit)}


def cut(text: str, limit: int) -> str:
    """Return head and tail of a long text, parted at the ends of lines: half a word or half a secret is neither."""
    if len(text) <= limit:
        return text
    if "PRIVATE KEY" in text:  # nobody knows the middle of a key by itself
        from cogmem.guard import guard

        text = guard.apply(text, guard.POLICIES["record_tool"]).text
        if len(text) <= limit:
            return text
    half = limit // 2
    head, tail = half, len(text) - half
    for blank in ("\n", " "):
        first, last = text.rfind(blank, half // 2, half), text.find(blank, tail, tail + half // 2)
        if first > 0 and last > 0:
            head, tail = first, last + 1
            break
    return f"{text[:head]}\n[… {tail - head} characters …]\n{text[tail:]}"
