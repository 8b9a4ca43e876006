"""Models behind an OpenAI-compatible endpoint: OpenAI itself, Ollama, vLLM, llama.cpp and many more.

They agree on `POST …/chat/completions`, and differ in what else they take. So what one of them
refuses by name (the length under its one or its other name, the temperature, a schema) is asked for
in another way and remembered for this process.
"""

from __future__ import annotations

import json

from cogmem.errors import ModelFailed
from cogmem.models.http import HttpModel, Refused
from cogmem.ports import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

URL = "https://api.openai.com/v1"
ROOM = 1024  # tokens at least: models that think before they speak spend it on that


class OpenAIModel(HttpModel):
    """One model of one endpoint. `key_env` names the variable that holds the key; '' sends none."""

    api = "OpenAI-compatible"

    def __init__(
        self,
        name: str,
        *,
        url: str = URL,
        key_env: str = "OPENAI_API_KEY",
        timeout: float | None = None,
    ) -> None:
        super().__init__(name, url, key_env, timeout)
        is_theirs = self.url.startswith("https://api.openai.com")
        self._length = "max_completion_tokens" if is_theirs else "max_tokens"
        self._left_out = {"temperature"} if is_theirs else set()

    def complete(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        timeout: float = 30.0,
        cancelled: Callable[[], bool] | None = None,
    ) -> Reply:
        """The model's answer."""

        def body() -> dict[str, Any]:
            return self._body(prompt, system, schema, max_tokens)

        found = self.ask("/chat/completions", _headers, body, self._adapts, timeout, cancelled)
        return _reply(found)

    def _body(
        self, prompt: str, system: str, schema: dict[str, Any] | None, max_tokens: int | None
    ) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.name}
        if schema is not None and "schema" in self._left_out:
            system = in_words(system, schema)
        elif schema is not None:
            form = {"name": "answer", "schema": schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        asked = [{"role": "system", "content": system}] if system else []
        body["messages"] = [*asked, {"role": "user", "content": prompt}]
        if max_tokens is not None:
            body[self._length] = max(max_tokens, ROOM)
        if "temperature" not in self._left_out:
            body["temperature"] = 0
        return body

    def _adapts(self, refusal: Refused, body: Mapping[str, Any]) -> bool:
        """Whether a refusal names something that can be asked for in another way."""
        detail = refusal.detail
        if refusal.status not in (400, 422):
            return False
        if self._length in body and self._length in detail:
            other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
            self._length = other[self._length]
            return True
        if "response_format" in body and ("response_format" in detail or "schema" in detail):
            self._left_out.add("schema")
            return True
        if "temperature" in body and "temperature" in detail:
            self._left_out.add("temperature")
            return True
        return False


def _headers(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"} if key else {}


def _reply(found: Mapping[str, Any]) -> Reply:
    usage = found.get("usage")
    tokens = (count(usage, "prompt_tokens"), count(usage, "completion_tokens"))
    try:
        choice = found["choices"][0]
        message = choice["message"]
        said = message.get("content")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise failed("the endpoint answered without a message", *tokens) from error
    if isinstance(said, list):  # parts, as some endpoints give them
        said = "".join(
            part["text"]
            for part in said
            if isinstance(part, dict) and isinstance(part.get("text"), str)
        )
    if said is None and message.get("refusal"):
        raise failed("the model declined to answer", *tokens)
    if not isinstance(said, str):
        raise failed("the endpoint answered without text", *tokens)
    said = without_thoughts(said)
    if not said.strip() and choice.get("finish_reason") == "length":
        raise failed("the model used up its tokens before it answered", *tokens)
    model = found.get("model")
    return Reply(
        said,
        model=model if isinstance(model, str) else "",
        tokens_in=tokens[0],
        tokens_out=tokens[1],
    )


def without_thoughts(said: str) -> str:
    """The answer alone, where a model thinks aloud before it."""
    text = said.lstrip()
    if not text.startswith("<think>"):
        return said
    _, closed, answer = text.partition("</think>")
    return answer.lstrip() if closed else ""


def in_words(system: str, schema: Mapping[str, Any]) -> str:
    """What to tell a model that is not held to a schema."""
    wanted = json.dumps(schema, ensure_ascii=False)
    return f"{system}\n\nAnswer with JSON of this schema and nothing else:\n{wanted}".strip()


def count(usage: Any, name: str) -> int:
    """A number of tokens as a provider gives it; 0 where it does not."""
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and 0 <= value < 2**40 else 0


def failed(message: str, tokens_in: int, tokens_out: int) -> ModelFailed:
    """A failure that was paid for all the same."""
    error = ModelFailed(message)
    error.tokens_in, error.tokens_out = tokens_in, tokens_out
    return error
