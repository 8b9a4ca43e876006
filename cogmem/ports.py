"""What cogmem asks of things it does not bring itself. Everything works without them.

A model is whatever has a name and turns a prompt into text. It may raise what it likes: who asks has
a way that needs no model. It is never asked within a transaction, and only under the caps of the
file (see cogmem/night/tasks.py), so an implementation knows nothing of either.
"""

from __future__ import annotations

from cogmem.errors import NotRecorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Model(Protocol):
        """A language model: one prompt in, one answer out.

        `schema` is the JSON schema of the answer that is wanted; who asks reads the answer with care
        all the same. `timeout` is in seconds and for the whole call, attempts included. `cancelled`
        is looked at while the model thinks: once it says True, the call ends with ModelCancelled.
        An implementation takes every option, whether it can use it or not.
        """

        name: str

        def complete(
            self,
            prompt: str,
            *,
            system: str = "",
            schema: dict[str, Any] | None = None,
            max_tokens: int | None = None,
            timeout: float = 30.0,
            cancelled: Callable[[], bool] | None = None,
        ) -> str: ...


class Reply(str):
    """An answer that knows what it cost. A model may as well answer with a plain string."""

    __slots__ = ("model", "tokens_in", "tokens_out")
    model: str  # the name that the provider itself gives; '' if it says none
    tokens_in: int
    tokens_out: int

    def __new__(
        cls, text: str, *, model: str = "", tokens_in: int = 0, tokens_out: int = 0
    ) -> Reply:
        made = super().__new__(cls, text)
        made.model = model
        made.tokens_in = tokens_in
        made.tokens_out = tokens_out
        return made


def asked(model: Model | None, prompt: str, **options: Any) -> str | None:
    """Return a model's answer; None if there is no model, it failed, or no call is allowed.

    The one way in which stages ask, since every one of them can do without an answer. Only a replay
    that misses an answer speaks up: its run would not be the one that was recorded.
    """
    if model is None:
        return None
    try:
        said = model.complete(prompt, **options)
    except NotRecorded:
        raise
    except Exception:  # a model's client may raise anything
        return None
    return said if isinstance(said, str) else None


def about(text: str) -> int:
    """About how many tokens a text has; a provider that counts says it better."""
    return -(-len(text.encode("utf-8", "replace")) // 4)
