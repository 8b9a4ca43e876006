"""What a coding agent wrote down of a session, brought into the conversation record.

    Claude Code   JSON lines {"type": "user" or "assistant", "message": {…}, "timestamp": …}
    Codex         JSON lines {"type": "response_item", "payload": {…}}
    Gemini CLI    {"messages": […]}, or its messages as JSON lines, of type "user" or "gemini"

A transcript only grows, so what the record holds already is skipped; where its tail differs, the
record takes the host's word. What is no message (or no JSON) is passed over: it is the host's file.
"""

from __future__ import annotations

import time
from datetime import datetime

from cogmem.hosts import act
from cogmem.hosts.event import parse
from cogmem.hosts.transcripts import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from cogmem.conversation.record import Entry
    from cogmem.hosts.event import Event
    from cogmem.memory import Memory

RESULT_LIMIT = 20_000  # characters kept of one tool result: its head and its tail
# What hosts put into the person's mouth: their own commands, reminders and surroundings.
NOT_SAID = (
    "<command-", "<local-command-", "<system-reminder>", "<environment_context>", "<user_instructions>",
    "<task-notification>", "<bash-", "# AGENTS.md instructions", "<session_context>", "Caveat: ",
    "This is the Gemini CLI. We are setting up the context",
)  # fmt: skip
# Where Gemini CLI writes what hooks brought: into the person's own message.
BROUGHT, BROUGHT_END = "<hook_context>", "</hook_context>"


def record(mem: Memory, event: Event) -> None:
    """Record what is new of the session's talk, and let the capture rules read it."""
    # Cursor's own file has a form that nobody promised: its events carry the words.
    session, path = event.session, "" if event.host == "cursor" else event.text("transcript_path")
    if not session:
        return
    now = time.time_ns() // 1_000_000
    entries: list[Entry] = []
    if path:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                entries = list(messages(file.read(), now))
        except OSError:  # some hosts name the file before they write it
            entries = []
    talk = mem.conversation(session)
    if entries:
        state = talk.state()
        held = state.next_seq if state else 0
        act.learn(mem, entries)
        last = talk.recent(1) if held else []
        if not last or (
            held <= len(entries) and is_same(last[0].role, last[0].parts, entries[held - 1])
        ):
            talk.extend(entries[held:], counted=False)
        else:
            talk.save([as_message(entry) for entry in entries], at=now, counted=False)
    else:
        told = [("user", event.text("prompt")), ("assistant", event.text("prompt_response"))]
        told += [("assistant", event.text(name)) for name in ("last_assistant_message", "text")]
        talk.extend([(role, text, None, now, None) for role, text in told if text], counted=False)
        act.learn(mem, act.told_calls(event))
    mem.capture_conversation(session, now=now)


def has_lost(event: Event, stable: str) -> bool:
    """Whether what Gemini CLI would send next is without the stable text: its file shows that."""
    path = event.text("transcript_path")
    if not stable or not path:
        return False
    held: list[Any] = []
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in documents(file.read()):
                changed = line.get("$set")
                if isinstance(changed, dict) and isinstance(changed.get("messages"), list):
                    held = list(changed["messages"])  # resumed or compressed: this is all of it
                else:
                    held.append(line)
    except OSError:
        return False
    # It lets no tags in what hooks bring; of a message's parts each is a text of its own.
    wanted = stable.strip().replace("<", "&lt;").replace(">", "&gt;")
    contents = [one.get("content") for one in held if isinstance(one, dict)]
    parts = [part for said in contents for part in (said if isinstance(said, list) else [said])]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return not any(isinstance(text, str) and wanted in text for text in texts)


def conclude(mem: Memory, session: str) -> None:
    """The session is over: it becomes an episode, and its own notes go."""
    if session:
        mem.sessions.episode(session)
        mem.sessions.end(session)


def is_same(role: str, parts: list[dict[str, Any]], entry: Entry) -> bool:
    """Whether a recorded message is this one; the guard may have changed words, never the shape."""
    given = entry[1] if not isinstance(entry[1], str) else [{"type": "text", "text": entry[1]}]
    return role == entry[0] and [p.get("type") for p in parts] == [p.get("type") for p in given]


def as_message(entry: Entry) -> Mapping[str, Any]:
    """An entry as Conversation.save() takes it."""
    return {"role": entry[0], "parts": entry[1]}


def messages(text: str, now: int) -> Iterator[Entry]:
    """The messages of a transcript, in order; `now` stands in where it gives no instant."""
    for line in without_summaries(documents(text)):
        try:
            at = instant(line.get("timestamp"), now)
            for said in messages_of(line):
                for role, parts in split(said):
                    kept = [shortened(part) for part in parts if is_said(role, part)]
                    if kept:
                        yield role, kept, None, at, None
        except (KeyError, TypeError, ValueError, AttributeError):
            continue  # a form of a later version: what else is in the file still counts


def documents(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file of lines, or of a file that is one document with messages."""
    whole = decoded(text) if text.lstrip().startswith("{") and "\n{" not in text.strip() else None
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        yield from (one for one in whole["messages"] if isinstance(one, dict))
        return
    for line in text.split("\n"):
        found = decoded(line) if line.strip() else None
        if isinstance(found, dict):
            yield found


def without_summaries(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Codex has its model tell the talk so far, writes that down as an answer, then that it compacted."""
    latest: dict[str, Any] | None = None
    for line in lines:
        kind = line.get("type")
        if kind == "compacted":
            said = latest and (codex_message(latest.get("payload")) or {}).get("content")
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


def decoded(text: str) -> Any:
    """A JSON text, or None."""
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None


def messages_of(line: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages in a line of any host, with `role` and `content`; most lines hold none or one."""
    kind = line.get("type")
    if kind == "response_item":
        found = codex_message(line.get("payload"))
        return [found] if found else []
    if kind in ("user", "gemini") and "message" not in line:
        return gemini_messages(line)
    said = line.get("message")
    if kind not in ("user", "assistant") or not isinstance(said, dict):
        return []
    if line.get("isMeta") or line.get("isSidechain") or line.get("isCompactSummary"):
        return []
    return [said]


def codex_message(item: Any) -> dict[str, Any] | None:
    """A message, a call or a result of Codex."""
    if not isinstance(item, dict):
        return None
    kind = item.get("type")
    if kind == "message" and item.get("role") in ("user", "assistant"):
        return item
    if kind in ("function_call", "custom_tool_call"):
        function = {"name": item.get("name"), "arguments": item.get("arguments", item.get("input"))}
        return {
            "role": "assistant",
            "tool_calls": [{"id": item.get("call_id"), "function": function}],
        }
    if kind in ("function_call_output", "custom_tool_call_output"):
        output = item.get("output")
        text = output if isinstance(output, str) else str((output or {}).get("content", ""))
        return {"role": "tool", "tool_call_id": item.get("call_id"), "content": text}
    return None


def gemini_messages(line: dict[str, Any]) -> list[dict[str, Any]]:
    """A message of Gemini CLI, and the results of its tools, which it keeps with their calls."""
    content = line.get("content")
    if isinstance(content, list):
        texts = [str(part.get("text", "")) for part in content if isinstance(part, dict)]
        content = "\n".join(said for said in map(without_brought, texts) if said)
    elif isinstance(content, str) and line["type"] == "user":
        content = without_brought(content)
    listed = line.get("toolCalls")
    calls = [
        call for call in (listed if isinstance(listed, list) else ()) if isinstance(call, dict)
    ]
    calls = [call for call in calls if call.get("name")]
    said = {
        "role": "user" if line["type"] == "user" else "assistant",
        "content": content if isinstance(content, str) else "",
        "tool_calls": [
            {
                "id": call.get("id"),
                "function": {"name": call["name"], "arguments": call.get("args")},
            }
            for call in calls
        ],
    }
    return [said, *(
        {
            "role": "tool", "tool_call_id": call.get("id") or call["name"],
            "content": str(call.get("resultDisplay") or call.get("result") or ""),
        }
        for call in calls
        if call.get("result") or call.get("resultDisplay")
    )]  # fmt: skip


def without_brought(text: str) -> str:
    """The words that follow what a hook brought."""
    while text.startswith(BROUGHT):
        text = text.partition(BROUGHT_END)[2].lstrip()
    return text


def is_said(role: str, part: Mapping[str, Any]) -> bool:
    """Whether a part belongs to the talk: no thinking, no picture's bytes, nothing of the host's own."""
    if part["type"] == "text":
        text = str(part["text"]).lstrip()
        return bool(text) and not (role == "user" and text.startswith(NOT_SAID))
    return part["type"] in ("tool_call", "tool_result")


def shortened(part: dict[str, Any]) -> dict[str, Any]:
    """A part whose result is no longer than a reader can use."""
    said = part.get("content")
    if part["type"] != "tool_result" or (isinstance(said, str) and len(said) <= RESULT_LIMIT):
        return part
    text = said if isinstance(said, str) else str(said or "")
    if len(text) > RESULT_LIMIT:
        half = RESULT_LIMIT // 2
        text = f"{text[:half]}\n[… {len(text) - 2 * half} characters …]\n{text[-half:]}"
    return {**part, "content": text}


def instant(value: Any, now: int) -> int:
    """An ISO instant in ms; `now` where there is none."""
    if not isinstance(value, str):
        return now
    try:
        return int(datetime.fromisoformat(value).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return now
