"""Models behind an OpenAI-compatible endpoint: OpenAI itself, Ollama, vLLM, llama.cpp and many more.

They differ in what they take: what one of them refuses by name is asked for in another way, and that is remembered.
"""

from __future__ import annotations

from cogmem.errors import ModelFailed
from cogmem.models.answer import without_thoughts
from cogmem.models.provider import ROOM, HttpModel, count, reply, text_of
from cogmem.ports import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cogmem.models.http import Refused
    from cogmem.models.provider import Question

URL = "https://api.openai.com/v1"


class OpenAIModel(HttpModel):
    """One model of one endpoint. `key_env` names the variable that holds the key; '' sends none."""

    api, path = "OpenAI-compatible", "/chat/completions"

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

    def _headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}

    def _body(self, asked: Question) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.name}
        if (
            asked.schema is not None and "schema" not in self._left_out
        ):  # a prompt says its form, too
            form = {"name": "answer", "schema": asked.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        first = [{"role": "system", "content": asked.system}] if asked.system else []
        body["messages"] = [*first, {"role": "user", "content": asked.prompt}]
        if asked.max_tokens is not None:
            body[self._length] = max(asked.max_tokens, ROOM)
        if "temperature" not in self._left_out:
            body["temperature"] = 0
        return body

    def _adapts(self, refusal: Refused, body: Mapping[str, Any]) -> bool:
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

    def _reply(self, found: Mapping[str, Any]) -> Reply:
        usage = found.get("usage")
        tokens_in, tokens_out = count(usage, "prompt_tokens"), count(usage, "completion_tokens")
        spent = {"tokens_in": tokens_in, "tokens_out": tokens_out}
        try:
            choice = found["choices"][0]
            message = choice["message"]
            said = message.get("content")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ModelFailed("the endpoint answered without a message", **spent) from error
        if isinstance(said, list):  # parts, as some endpoints give them
            said = text_of(said)
        if said is None and message.get("refusal"):
            raise ModelFailed("the model declined to answer", **spent)
        if not isinstance(said, str):
            raise ModelFailed("the endpoint answered without text", **spent)
        ended = choice.get("finish_reason")
        return reply(without_thoughts(said), ended, found.get("model"), spent)
