"""The figures of conversations: how the summaries are built, and Gokin's three ways to shrink a talk.

`SummaryPolicy` shapes the DAG and the window over it. A `Strategy` says what a live message list
keeps when it has to become smaller.
"""

from __future__ import annotations

from cogmem.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class SummaryPolicy:
    """How a conversation is summarised, windowed and archived. Give only the figures that differ."""

    __slots__ = (
        "archive_batch",
        "archive_prefix",
        "archive_threshold",
        "chunk_size",
        "compact_threshold",
        "condense_group_size",
        "condense_threshold",
        "max_depth",
        "mid_ratio",
        "prune_leaf_content",
        "recent_ratio",
        "require_parent",
        "token_budget",
    )

    def __init__(
        self,
        *,
        chunk_size: int = 10,  # messages that one leaf tells
        condense_threshold: int = 6,  # nodes of a depth from which they are condensed
        condense_group_size: int = 3,  # nodes that one deeper node tells
        max_depth: int = 4,  # depths 0 to 3
        token_budget: int = 4000,  # of a window
        recent_ratio: float = 0.6,  # share of the window for the newest messages, word for word
        mid_ratio: float = 0.3,  # share for summaries of depth 0 and 1; deeper ones get the rest
        compact_threshold: int = 200,  # nodes from which told leaves lose their text
        prune_leaf_content: bool = True,
        require_parent: bool = True,  # a leaf that nothing tells keeps its text
        archive_threshold: int = 1000,  # messages from which the oldest are archived
        archive_batch: int = 500,
        archive_prefix: str = "archive",
    ) -> None:
        self.chunk_size = chunk_size
        self.condense_threshold = condense_threshold
        self.condense_group_size = condense_group_size
        self.max_depth = max_depth
        self.token_budget = token_budget
        self.recent_ratio = recent_ratio
        self.mid_ratio = mid_ratio
        self.compact_threshold = compact_threshold
        self.prune_leaf_content = prune_leaf_content
        self.require_parent = require_parent
        self.archive_threshold = archive_threshold
        self.archive_batch = archive_batch
        self.archive_prefix = archive_prefix
        for name in (
            "chunk_size",
            "max_depth",
            "token_budget",
            "archive_batch",
            "condense_threshold",
        ):
            if getattr(self, name) < 1:
                raise InvalidInput(f"{name} is a number of at least 1, not {getattr(self, name)}")
        if condense_group_size < 2:
            raise InvalidInput(
                "condense_group_size is at least 2: one node alone cannot be condensed"
            )
        if not (0 < recent_ratio <= 1 and mid_ratio >= 0 and recent_ratio + mid_ratio <= 1):
            raise InvalidInput(
                "recent_ratio and mid_ratio are shares of the window, 1 at most together"
            )

    def replacing(self, changes: Mapping[str, Any]) -> SummaryPolicy:
        """Return the same with some figures changed; None and 0 leave a figure as it is, False does not."""
        unknown = [name for name in changes if name not in self.__slots__]
        if unknown:
            raise InvalidInput(
                f"{', '.join(unknown)} is not a setting of a conversation's summaries"
            )
        given = {
            name: value
            for name, value in changes.items()
            if isinstance(value, bool) or value not in (None, 0, "")
        }
        return SummaryPolicy(
            **{name: given.get(name, getattr(self, name)) for name in self.__slots__}
        )


class Strategy:
    """What a shrinking message list keeps as it is, and how short the rest becomes."""

    __slots__ = (
        "drop_tool_calls",
        "keep_end",
        "keep_start",
        "max_messages",
        "min_messages",
        "name",
        "ratio",
    )

    def __init__(
        self,
        name: str,
        keep_start: int,
        keep_end: int,
        *,
        min_messages: int,
        max_messages: int,
        ratio: float,
        drop_tool_calls: bool = False,
    ) -> None:
        self.name = name
        self.keep_start = keep_start
        self.keep_end = keep_end
        self.min_messages = min_messages
        self.max_messages = max_messages
        self.ratio = ratio
        self.drop_tool_calls = drop_tool_calls

    def for_limit(self, max_input_tokens: int, ratio: float | None = None) -> Strategy:
        """Return the same under a configured limit: a message list of one message per 2,000 tokens of it."""
        most = self.max_messages
        if max_input_tokens > 0:
            most = max(self.min_messages, max_input_tokens // 2000)
        return Strategy(
            self.name,
            self.keep_start,
            self.keep_end,
            min_messages=self.min_messages,
            max_messages=most,
            ratio=self.ratio if ratio is None else ratio,
            drop_tool_calls=self.drop_tool_calls,
        )


STRATEGIES = {
    "default": Strategy("default", 4, 20, min_messages=12, max_messages=50, ratio=0.5),
    "compact": Strategy(
        "compact", 2, 6, min_messages=8, max_messages=30, ratio=0.3, drop_tool_calls=True
    ),
    "verbose": Strategy("verbose", 3, 15, min_messages=20, max_messages=100, ratio=0.7),
}
