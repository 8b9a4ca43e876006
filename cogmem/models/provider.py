"""What models share: one question in the form that a provider takes, and its answer.

A class of `HttpModel` says where its questions go, what a request and an answer look like, and what it
learns from a refusal.
"""

from __future__ import annotations

import time

from cogmem.errors import ModelFailed
from cogmem.models.http import Refused, checked_url, key_from, post
from cogmem.named import NamedTuple
from cogmem.ports import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

FORMS = 4  # of one question: a schema or a word for it, and the like
REST, LONGEST_REST = 30.0, 3600.0  # seconds that a provider is left alone which is down
ROOM = 1024  # tokens at least: models that think before they speak spend it on that


class Question(NamedTuple):
    """What a model is asked, as `complete` takes it."""

    prompt: str
    system: str
    schema: dict[str, Any] | None
    max_tokens: int | None
    timeout: float
    cancelled: Callable[[], bool] | None


class Provided:
    """One that is down is left alone for a while, so that a night or a long conversation does not wait
    for it again and again."""

    def __init__(self, name: str, timeout: float | None) -> None:
        self.name = name
        self.timeout = timeout  # seconds, in the place of what a caller allows
        self._rests_until = 0.0

    @property
    def is_resting(self) -> bool:
        """Tell whether it was down just now."""
        return time.monotonic() < self._rests_until

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
        """Return the model's answer."""
        try:
            return self._ask(Question(prompt, system, schema, max_tokens, timeout, cancelled))
        except ModelFailed as error:
            if error.is_down:
                wanted = min(error.retry_after or 0.0, LONGEST_REST)
                self._rests_until = time.monotonic() + max(REST, wanted)
            raise

    def _ask(self, asked: Question) -> Reply:
        raise NotImplementedError


class HttpModel(Provided):
    """A model behind an address."""

    api: str  # what the endpoint must speak, as a person would ask for it
    path: str  # below its address, where questions go

    def __init__(self, name: str, url: str, key_env: str, timeout: float | None) -> None:
        super().__init__(name, timeout)
        self.url = checked_url(url, with_key=bool(key_env))
        self.key_env = key_env  # the variable that holds the key; '' sends none

    def _ask(self, asked: Question) -> Reply:
        for _ in range(FORMS):
            body = self._body(asked)
            try:
                found = post(
                    self.url + self.path,
                    self._headers(key_from(self.key_env)),
                    body,
                    seconds=self.timeout or asked.timeout,
                    cancelled=asked.cancelled,
                )
            except Refused as refusal:
                if not self._adapts(refusal, body):
                    raise
            else:
                return self._reply(found)
        raise ModelFailed(f"the endpoint refuses every form of the request: is it {self.api}?")

    def _headers(self, key: str) -> dict[str, str]:
        raise NotImplementedError

    def _body(self, asked: Question) -> dict[str, Any]:
        raise NotImplementedError

    def _adapts(self, refusal: Refused, body: Mapping[str, Any]) -> bool:
        """Tell whether a refusal names something that can be asked for in another way."""
        raise NotImplementedError

    def _reply(self, found: Mapping[str, Any]) -> Reply:
        raise NotImplementedError


def count(usage: Any, name: str) -> int:
    """Return a number of tokens as a provider gives it; 0 where it does not."""
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and 0 <= value < 2**40 else 0


def text_of(blocks: list[Any], kind: str | None = None) -> str:
    """Return the texts of an answer in parts, as one; of one type where it is named."""
    of_kind = (one for one in blocks if isinstance(one, dict) and kind in (None, one.get("type")))
    return "".join(text for one in of_kind if isinstance(text := one.get("text"), str))


def reply(said: str, ended: Any, model: Any, spent: dict[str, int]) -> Reply:
    """Return an answer, what the endpoint calls the model that gave it, and the tokens in and out."""
    if not said.strip() and ended in ("length", "max_tokens"):
        raise ModelFailed("the model used up its tokens before it answered", **spent)
    return Reply(said, model=model if isinstance(model, str) else "", **spent)
