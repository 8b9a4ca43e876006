"""Conversations from elsewhere: what other programs wrote, as messages of the record.

    messages     JSON lines {"role", "content" or "parts", "speaker", "at", "conversation"}
    openai       {"messages": […]} or a list, with tool_calls and role "tool"; whole or one per line
    anthropic    the same with blocks of text, tool_use and tool_result
    chatgpt      conversations.json of a data export
    letta        an agent file: the messages of each of its agents

Files are read piece by piece where their form allows. A piece that cannot be understood is left out
and reported with its place; it never stops the others.
"""

from __future__ import annotations

import json

from cogmem.conversation.parts import ROLES
from cogmem.errors import InvalidInput
from cogmem.records import foreign_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.conversation.record import Entry

    # conversation ('' where the file does not say), title, message
    Piece = tuple[str, str, "Entry"]

FORMATS = ("messages", "openai", "anthropic", "chatgpt", "letta")
BATCH = 5_000  # messages of one transaction
ROLE_OF = {  # what other programs call who speaks
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "developer": "system",
    "function": "tool",
    "chatbot": "assistant",
}


class Reader:
    """The messages of one file, and what in it could not be read."""

    def __init__(self, data: Iterable[bytes], form: str | None = None, *, now: int) -> None:
        if form is not None and form not in FORMATS:
            raise InvalidInput(f"format {form!r} is not known: use {', '.join(FORMATS)}")
        self.form = form
        self.now = now
        self.bad: list[tuple[int, str]] = []  # line or place, reason
        self._data = data

    def pieces(self) -> Iterator[Piece]:
        """Yield every message, in the order of the file."""
        for place, document in self._documents():
            form = self.form or self._recognise(document)
            self.form = self.form or form
            try:
                if form == "letta":
                    yield from self._letta(place, document)
                else:
                    yield from (self._chatgpt if form == "chatgpt" else self._plain)(document)
            except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
                self.bad.append(
                    (place, f"not a {form} message ({type(error).__name__}: {error})"[:200])
                )

    def _documents(self) -> Iterator[tuple[int, Any]]:
        """JSON lines one by one; a file that is one document, as its pieces."""
        lines = iter(self._data)
        head: list[bytes] = []
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text:
                continue
            try:
                document = json.loads(text)
            except (ValueError, RecursionError) as error:
                if head or (text[:1] in b"[{" and not self._has_read):
                    head.append(line)  # the beginning of a document of several lines
                    break
                self.bad.append((number, _why(error, "not JSON")))
                continue
            self._has_read = True
            if isinstance(document, list):
                yield from enumerate(document, 1)
            else:
                yield number, document
        if head:
            try:
                whole = json.loads(b"".join([*head, *lines]))
            except (ValueError, RecursionError) as error:
                self.bad.append((1, _why(error, "neither JSON nor JSON lines")))
                return
            yield from enumerate(whole if isinstance(whole, list) else [whole], 1)

    _has_read = False

    @staticmethod
    def _recognise(document: Any) -> str:
        if isinstance(document, dict):
            if "mapping" in document:
                return "chatgpt"
            if "agents" in document or "core_memory" in document or "agent_type" in document:
                return "letta"
        return "messages"

    def _instant(self, value: Any) -> int:
        return foreign_instant(value) or self.now

    # -- forms -----------------------------------------------------------------------------------

    def _plain(self, document: Mapping[str, Any]) -> Iterator[Piece]:
        """Yield a message, or a conversation that holds messages."""
        if "messages" in document and "role" not in document:
            name = str(
                document.get("id") or document.get("conversation") or document.get("name") or ""
            )
            for message in document["messages"]:
                for one, title, entry in self._plain(message):
                    yield one or name, title or str(document.get("title") or ""), entry
            return
        name = str(document.get("conversation") or document.get("session") or "")
        at = self._instant(
            document.get("at") or document.get("timestamp") or document.get("created_at")
        )
        speaker = document.get("speaker") or document.get("name")
        for role, parts in split(document):
            yield name, "", (role, parts, None if role == "tool" else speaker, at, None)

    def _letta(self, place: int, file: Mapping[str, Any]) -> Iterator[Piece]:
        """Return what was said to each agent; what Letta tells its model in between is left out."""
        for agent in file.get("agents") or [file]:
            name = str(agent.get("name") or agent.get("id") or "")
            for message in agent.get("messages") or ():
                if message.get("role") in ("system", "approval"):
                    continue
                said = {**message, "content": message.get("content") or message.get("text") or ""}
                try:
                    at = self._instant(message.get("created_at"))
                    for role, parts in split(said):
                        spoken = [part for part in parts if part.get("text") != ""]
                        if spoken:
                            yield name, "", (role, spoken, None, at, None)
                except (LookupError, TypeError, ValueError, AttributeError) as error:
                    self.bad.append((place, f"not a letta message ({error})"[:200]))

    def _chatgpt(self, talk: Mapping[str, Any]) -> Iterator[Piece]:
        """Yield the branch that was shown last, from its first message on."""
        nodes = talk["mapping"]
        key = talk.get("current_node") or next(reversed(nodes), None)
        branch: list[Mapping[str, Any]] = []
        seen = set()
        while key in nodes and key not in seen:
            seen.add(key)
            branch.append(nodes[key])
            key = nodes[key].get("parent")
        name = str(talk.get("conversation_id") or talk.get("id") or talk.get("title") or "")
        title = str(talk.get("title") or "")
        for node in reversed(branch):
            message = node.get("message")
            if not message:
                continue
            role = str(message["author"]["role"])
            content = message.get("content") or {}
            parts = [
                {"type": "text", "text": part} if isinstance(part, str) else _unknown(part)
                for part in content.get("parts")
                or [content.get("text") or content.get("result") or ""]
            ]
            parts = [part for part in parts if part.get("text") != ""]
            says_something = any(str(part.get("text") or "").strip() for part in parts)
            if not parts or (role == "system" and not says_something):
                continue
            at = self._instant(message.get("create_time"))
            yield name, title, (ROLE_OF.get(role, role), parts, None, at, None)


def split(message: Mapping[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield a message of OpenAI's or Anthropic's form as messages of the record: (role, parts).

    Results of tools that stand in a user's message become a message of the tool, before the rest.
    """
    role = str(message["role"])
    role = ROLE_OF.get(role, role)
    if role not in ROLES:
        raise ValueError(f"role {role!r} is not known")
    content = message.get("parts", message.get("content"))
    blocks = [content] if isinstance(content, (str, dict)) else content
    parts = [part_of(block) for block in (() if blocks is None else blocks)]
    calls = message.get("tool_calls") or ()
    parts += [called({**call, **call.get("function", {})}) for call in calls]
    answered = message.get("tool_call_id")
    if role == "tool" and answered and not any(part["type"] == "tool_result" for part in parts):
        text = "\n".join(part.get("text", "") for part in parts)
        parts = [{"type": "tool_result", "tool_call_id": str(answered), "content": text}]
    results = [part for part in parts if part["type"] == "tool_result"]
    if role == "user" and results:
        yield "tool", results
        parts = [part for part in parts if part["type"] != "tool_result"]
        if not parts:
            return
    yield role, parts


# What programs call the parts of a call and of its result.
IDS = ("tool_use_id", "call_id", "toolCallId", "id")
GIVEN = ("arguments", "input", "args")
TOLD = ("content", "output", "response", "error", "message")
CALLS = ("tool_use", "toolCall", "function_call", "custom_tool_call", "functionCall")
RESULTS = ("function_call_output", "custom_tool_call_output", "functionResponse")


def part_of(block: Any) -> dict[str, Any]:
    """Return a block of any program's message as a part of the record."""
    if isinstance(block, str):
        return {"type": "text", "text": block}
    for name in ("functionCall", "functionResponse"):
        if isinstance(block.get(name), dict):
            block = {"type": name, "id": block[name].get("name"), **block[name]}
    kind = block.get("type")
    if kind in ("text", "input_text", "output_text"):
        return {"type": "text", "text": str(block["text"])}
    if kind is None and isinstance(block.get("text"), str) and not block.get("thought"):
        return {"type": "text", "text": block["text"]}
    if kind in CALLS:
        return called(block)
    if kind in RESULTS or (kind == "tool_result" and "tool_use_id" in block):
        return resulted(block)
    return _unknown(block)


def called(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call of a tool as a part of the record."""
    return {
        "type": "tool_call",
        "id": str(_first(block, IDS) or ""),
        "name": str(block["name"]),
        "arguments": _arguments(_first(block, GIVEN)),
    }


def resulted(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a tool answered as a part of the record."""
    content = _first(block, TOLD)
    if isinstance(content, dict):
        content = _first(content, TOLD) or ""
    if isinstance(content, list) and all(one.get("type") == "text" for one in content):
        content = "\n".join(one["text"] for one in content)
    part = {
        "type": "tool_result",
        "tool_call_id": str(_first(block, IDS) or ""),
        "content": content,
    }
    failed = block.get("is_error") or block.get("isError")
    return {**part, "is_error": True} if failed else part


def _first(block: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((block[name] for name in names if block.get(name) is not None), None)


def _unknown(block: Any) -> dict[str, Any]:
    part = dict(block) if isinstance(block, dict) else {"value": block}
    part.setdefault("type", str(part.get("content_type") or "other"))
    return part


def _arguments(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value or {}


# -- into the record ------------------------------------------------------------------------------


class Importing:
    """Writes pieces into conversations; a file that was imported before adds only what is new."""

    def __init__(self, find: Any, default: str) -> None:
        self._find = find  # name -> Conversation
        self.default = default
        self._talks: dict[str, Conversation] = {}
        self._waiting: dict[str, list[Entry]] = {}
        self.known: dict[str, list[Entry]] = {}  # of conversations that were here before
        self._titles: dict[str, str] = {}
        self.appended: dict[str, int] = {}
        self.unchanged = 0

    def take(self, pieces: Iterable[Piece]) -> Iterator[int]:
        """Record all pieces; yields how many were read, now and then."""
        read = 0
        for name, title, entry in pieces:
            name = name or self.default
            read += 1
            talk = self._talk(name)
            if title:
                self._titles[name] = title
            if name in self.known:
                self.known[name].append(entry)
            else:
                waiting = self._waiting.setdefault(name, [])
                waiting.append(entry)
                if len(waiting) >= BATCH:
                    self._write(talk, name)
            if read % 1_000 == 0:
                yield read
        for name in list(self._waiting):
            self._write(self._talk(name), name)
        for name, entries in self.known.items():
            self._merge(self._talk(name), name, entries)
        for name, title in self._titles.items():
            self._talk(name).entitle(title)
        yield read

    def _talk(self, name: str) -> Conversation:
        talk = self._talks.get(name)
        if talk is None:
            talk = self._talks[name] = self._find(name)
            self.appended[name] = 0
            if talk.state() is not None:  # compared as a whole, once it is read
                self.known[name] = []
        return talk

    def _write(self, talk: Conversation, name: str) -> None:
        entries = self._waiting.pop(name, [])
        if entries:
            talk.extend(entries, counted=False)
            self.appended[name] += len(entries)

    def _merge(self, talk: Conversation, name: str, entries: list[Entry]) -> None:
        listed = [
            {"role": role, "parts": content, "speaker": speaker, "at": at}
            for role, content, speaker, at, _ in entries
        ]
        saved = talk.save(listed, counted=False)
        self.appended[name] += len(saved.appended)
        self.unchanged += saved.unchanged


def _why(error: Exception, what: str) -> str:
    """Return why a line cannot be read, for a person."""
    return "not UTF-8 text" if isinstance(error, UnicodeDecodeError) else f"{what} ({error})"[:200]
