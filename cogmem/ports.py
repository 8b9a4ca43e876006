"""What cogmem asks of things it does not bring itself. Everything works without them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Model(Protocol):
        """A language model: one prompt in, one answer out. It raises whatever it likes."""

        name: str

        def complete(
            self,
            prompt: str,
            *,
            system: str = "",
            schema: dict[str, Any] | None = None,
            max_tokens: int | None = None,
            timeout: float = 30.0,
        ) -> str: ...
