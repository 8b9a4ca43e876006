"""What `cogmem.open` may be told beside a path, for those who open a memory in its place."""

from __future__ import annotations

from typing import TypedDict

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from cogmem.ports import Model
    from cogmem.search.reranking import Reranker
    from cogmem.search.vectors import Embedder
    from cogmem.tokens.counting import TokenCounter
    from cogmem.verbs.events import Event


class OfSession(TypedDict, total=False):
    """How a memory is opened for a session that has its own name, and writes."""

    user: str | None
    project: str | None
    runtime: str | None
    actor: str
    driver: str
    patience_ms: int | None
    counter: TokenCounter | None
    model: Model | None
    embedder: Embedder | None
    reranker: Reranker | None
    documents: str | os.PathLike[str] | None
    user_dir: str | os.PathLike[str] | None
    on_event: Callable[[Event], object] | None


class Opening(OfSession, total=False):
    """How any memory is opened."""

    session: str | None
    read_only: bool
