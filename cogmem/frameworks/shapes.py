"""How requests and answers of the two providers' clients are shaped: where memory goes, what was said.

A request is the keyword arguments of the call. Nothing here changes what the caller passed: lists and
messages are copied where something is put in. What is not understood is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from cogmem.named import NamedTuple

MARKS = 4  # of a cache that Anthropic allows in one request


class Shape(NamedTuple):
    """One call of a client. Positions count the user's own messages, the first being 0."""

    with_memory: Callable[[dict[str, Any], str, Mapping[int, str]], dict[str, Any]]
    messages: Callable[[dict[str, Any]], list[Any]]
    text_of: Callable[[Any], str]
    text_in: Callable[[Any], str]
    snapshot: Callable[[Any], Any] | None = None  # of a call that is entered: what it has so far

    def said(self, request: dict[str, Any]) -> list[str]:
        """Return what the user said in this talk, message by message; results of tools are not words of theirs."""
        return [words_of(one) for one in self.messages(request) if is_users(one)]

    def is_new(self, request: dict[str, Any]) -> bool:
        """Tell whether the talk ends with a message of the user's."""
        messages = self.messages(request)
        return bool(messages) and is_users(messages[-1])


def _get(thing: Any, name: str) -> Any:
    """Return a field of a mapping or of an object of the client's."""
    return thing.get(name) if isinstance(thing, dict) else getattr(thing, name, None)


def _parts(message: Any) -> list[Any]:
    content = _get(message, "content")
    return content if isinstance(content, list) else []


def words_of(message: Any) -> str:
    """Return the text of a message."""
    content = _get(message, "content")
    if isinstance(content, str):
        return content
    kinds = ("text", "input_text")
    texts = [_get(part, "text") for part in _parts(message) if _get(part, "type") in kinds]
    return "\n".join(text for text in texts if isinstance(text, str))


def is_users(message: Any) -> bool:
    """Tell whether a message holds words of the user."""
    return _get(message, "role") == "user" and bool(words_of(message).strip())


def _beside(messages: list[Any], added: Mapping[int, str], kind: str) -> list[Any]:
    """Return the messages, each of the user's with what memory adds behind its own text."""
    put = []
    numbers = count()
    for message in messages:
        text = added.get(next(numbers), "") if is_users(message) else ""
        if text and isinstance(message, dict):
            content = message["content"]
            if isinstance(content, str):
                content = f"{content}\n\n{text}"
            else:
                content = [*content, {"type": kind, "text": text}]
            message = {**message, "content": content}
        put.append(message)
    return put


# -- OpenAI: chat completions ------------------------------------------------------------------------


def _chat_messages(request: dict[str, Any]) -> list[Any]:
    return list(request.get("messages") or ())


def _chat_with_memory(
    request: dict[str, Any], stable: str, added: Mapping[int, str]
) -> dict[str, Any]:
    messages = _beside(_chat_messages(request), added, "text")
    if stable:  # the provider caches equal beginnings by itself
        messages = [{"role": "system", "content": stable}, *messages]
    return {**request, "messages": messages}


def _chat_text(answer: Any) -> str:
    choices = _get(answer, "choices") or []
    return str(_get(_get(choices[0], "message"), "content") or "") if choices else ""


def _chat_delta(event: Any) -> str:
    choices = _get(event, "choices") or []
    first = [one for one in choices if _get(one, "index") in (0, None)]
    return str(_get(_get(first[0], "delta"), "content") or "") if first else ""


# -- OpenAI: responses ---------------------------------------------------------------------------------


def _response_messages(request: dict[str, Any]) -> list[Any]:
    given = request.get("input")
    return [{"role": "user", "content": given}] if isinstance(given, str) else list(given or ())


def _response_with_memory(
    request: dict[str, Any], stable: str, added: Mapping[int, str]
) -> dict[str, Any]:
    messages = _beside(_response_messages(request), added, "input_text")
    put = dict(request)
    if isinstance(request.get("input"), str):
        put["input"] = messages[0]["content"]
    elif messages:
        put["input"] = messages
    if stable:
        own = request.get("instructions")
        put["instructions"] = f"{stable}\n\n{own}" if isinstance(own, str) and own else stable
    return put


def _response_text(answer: Any) -> str:
    return str(_get(answer, "output_text") or "")


def _response_delta(event: Any) -> str:
    is_text = _get(event, "type") == "response.output_text.delta"
    return str(_get(event, "delta") or "") if is_text else ""


# -- Anthropic: messages ---------------------------------------------------------------------------------


def _anthropic_with_memory(
    request: dict[str, Any], stable: str, added: Mapping[int, str]
) -> dict[str, Any]:
    put = {**request, "messages": _beside(_chat_messages(request), added, "text")}
    if stable:
        own = request.get("system")
        blocks = [{"type": "text", "text": own}] if isinstance(own, str) and own else []
        if isinstance(own, (list, tuple)):
            blocks = list(own)
        first: dict[str, Any] = {"type": "text", "text": stable}
        if _marks(request) < MARKS:
            first["cache_control"] = {"type": "ephemeral"}
        put["system"] = [first, *blocks]
    return put


def _marks(request: dict[str, Any]) -> int:
    """Tell how often the caller marks the cache already."""
    system = request.get("system")
    blocks = list(system) if isinstance(system, (list, tuple)) else []
    blocks += list(request.get("tools") or ())
    for message in _chat_messages(request):
        blocks += _parts(message)
    return sum(bool(_get(block, "cache_control")) for block in blocks)


def _anthropic_text(answer: Any) -> str:
    blocks = [block for block in _get(answer, "content") or [] if _get(block, "type") == "text"]
    return "".join(str(_get(block, "text") or "") for block in blocks)


def _anthropic_delta(event: Any) -> str:
    delta = _get(event, "delta")
    is_text = _get(event, "type") == "content_block_delta" and _get(delta, "type") == "text_delta"
    return str(_get(delta, "text") or "") if is_text else ""


# -- which client has which --------------------------------------------------------------------------------

_CHAT = (_chat_with_memory, _chat_messages, _chat_text, _chat_delta)
_RESPONSE = (_response_with_memory, _response_messages, _response_text, _response_delta)
_MESSAGE = (_anthropic_with_memory, _chat_messages, _anthropic_text, _anthropic_delta)
# By package: the attributes that lead to a call, and its shape.
CALLS: dict[str, dict[str, Shape]] = {
    "openai": {
        "chat/completions/create": Shape(*_CHAT),
        "chat/completions/parse": Shape(*_CHAT),
        "chat/completions/stream": Shape(*_CHAT, lambda one: one.current_completion_snapshot),
        "responses/create": Shape(*_RESPONSE),
        "responses/parse": Shape(*_RESPONSE),
        "responses/stream": Shape(*_RESPONSE, lambda one: one.get_final_response()),
    },
    "anthropic": {
        "messages/create": Shape(*_MESSAGE),
        "messages/stream": Shape(*_MESSAGE, lambda one: one.current_message_snapshot),
    },
}


def calls_of(client: Any) -> dict[str, Shape] | None:
    """Return the calls of a client that ask a model; None: it is of no provider that is known."""
    for kind in type(client).__mro__:
        package = kind.__module__.partition(".")[0]
        if package in CALLS:
            return CALLS[package]
    return None


def is_async(client: Any) -> bool:
    """Tell whether the client's calls are awaited."""
    return any(kind.__name__.startswith("Async") for kind in type(client).__mro__)
