"""Anthropic's models, over their Messages API.

Models and gateways that do not know schemas, or the present version of the API, are asked in words,
or by the older version, and this process remembers it.
"""

from __future__ import annotations

from cogmem.errors import ModelFailed
from cogmem.models.provider import ROOM, HttpModel, count, reply, text_of
from cogmem.ports import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cogmem.models.http import Refused
    from cogmem.models.provider import Question

URL = "https://api.anthropic.com"
VERSION, OLDER_VERSION = "2026-10-21", "2023-06-01"  # of the API; what is sent is the same in both
LONGEST = 4096  # tokens of an answer, where the caller sets no bound; the API wants one


class AnthropicModel(HttpModel):
    """One of Anthropic's models. `key_env` names the variable that holds the key."""

    api, path = "Anthropic's API", "/v1/messages"

    def __init__(
        self,
        name: str,
        *,
        url: str = URL,
        key_env: str = "ANTHROPIC_API_KEY",
        timeout: float | None = None,
    ) -> None:
        super().__init__(name, url.rstrip("/").removesuffix("/v1"), key_env, timeout)
        self._version = VERSION
        self._takes_schema = True

    def _headers(self, key: str) -> dict[str, str]:
        return {"anthropic-version": self._version, **({"x-api-key": key} if key else {})}

    def _body(self, asked: Question) -> dict[str, Any]:
        length = LONGEST if asked.max_tokens is None else max(asked.max_tokens, ROOM)
        body: dict[str, Any] = {"model": self.name, "max_tokens": length}
        if asked.schema is not None and self._takes_schema:  # a prompt says its form, too
            body["output_config"] = {"format": {"type": "json_schema", "schema": asked.schema}}
        if asked.system:
            body["system"] = asked.system
        body["messages"] = [{"role": "user", "content": asked.prompt}]
        return body

    def _adapts(self, refusal: Refused, body: Mapping[str, Any]) -> bool:
        detail = refusal.detail
        if refusal.status != 400:
            return False
        if "output_config" in body and ("output_config" in detail or "schema" in detail):
            self._takes_schema = False
            return True
        if "anthropic-version" in detail and self._version == VERSION:
            self._version = OLDER_VERSION
            return True
        return False

    def _reply(self, found: Mapping[str, Any]) -> Reply:
        usage = found.get("usage")
        read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        tokens_in = sum(count(usage, name) for name in read)
        spent = {"tokens_in": tokens_in, "tokens_out": count(usage, "output_tokens")}
        blocks, ended = found.get("content"), found.get("stop_reason")
        if not isinstance(blocks, list):
            raise ModelFailed("the endpoint answered without content", **spent)
        if ended == "refusal":
            raise ModelFailed("the model declined to answer", **spent)
        return reply(text_of(blocks, "text"), ended, found.get("model"), spent)
