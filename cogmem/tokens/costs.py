"""What a line costs in the counter in force; stored counts are used where they are its own."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.tokens.counting import TokenCounter


class LineCosts:
    """Counts lines. Without a tokenizer no count is ever below that of o200k."""

    def __init__(self, counter: TokenCounter | None = None) -> None:
        self.counter = counter
        self.name = counter.name if counter else "o200k"
        # Whose stored counts it takes.
        self.trusted = ("o200k", "upper") if counter is None else (counter.name,)

    def line(self, text: str, stored: int | None = None, by: str = "") -> int:
        """Cost of one line, newline included."""
        if stored is not None and by in self.trusted:
            return stored
        if self.counter is not None:
            return self.counter.count(text)
        known = self.known(text)
        return self.counts().count(text) if known is None else known

    def known(self, text: str) -> int | None:  # noqa: ARG002  (a line that need not be counted)
        return None

    def counts(self) -> TokenCounter:
        """Return what counts a text of unknown length. Most turns meet none, and do not load the bound."""
        if self.counter is not None:
            return self.counter
        from cogmem.tokens.bounds import Upper

        return Upper()
