"""The figures of conversations: how the summaries are built, and the three ways to shrink a message list."""

from __future__ import annotations

from collections import namedtuple

from cogmem.errors import InvalidInput
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class SummaryPolicy(
    namedtuple(
        "SummaryPolicy",
        "chunk_size condense_threshold condense_group_size max_depth token_budget recent_ratio mid_ratio"
        " compact_threshold prune_leaf_content require_parent archive_threshold archive_batch",
        defaults=(10, 6, 3, 4, 4000, 0.6, 0.3, 200, True, True, 1000, 500),
    )
):
    """How a conversation is summarised, windowed and archived. Give only the figures that differ."""

    __slots__ = ()
    chunk_size: int  # messages that one leaf tells
    condense_threshold: int  # nodes of a depth from which they are condensed
    condense_group_size: int  # nodes that one deeper node tells
    max_depth: int  # 4: depths 0 to 3
    token_budget: int  # of a window
    recent_ratio: float  # share of the window for the newest messages, word for word
    mid_ratio: float  # share for summaries of depth 0 and 1; deeper ones get the rest
    compact_threshold: int  # nodes from which told leaves lose their text
    prune_leaf_content: bool
    require_parent: bool  # a leaf that nothing tells keeps its text
    archive_threshold: int  # messages from which the oldest are archived
    archive_batch: int

    def __new__(cls, **given: Any) -> SummaryPolicy:
        self = super().__new__(cls, **given)
        for name in "chunk_size max_depth token_budget archive_batch condense_threshold".split():
            if getattr(self, name) < 1:
                raise InvalidInput(f"{name} is a number of at least 1, not {getattr(self, name)}")
        if self.condense_group_size < 2:
            raise InvalidInput(
                "condense_group_size is at least 2: one node alone cannot be condensed"
            )
        recent, middle = self.recent_ratio, self.mid_ratio
        if not (0 < recent <= 1 and middle >= 0 and recent + middle <= 1):
            raise InvalidInput(
                "recent_ratio and mid_ratio are shares of the window, 1 at most together"
            )
        return self

    def replacing(self, changes: Mapping[str, Any]) -> SummaryPolicy:
        """Return the same with some figures changed; None and 0 leave a figure as it is, False does not."""
        unknown = [name for name in changes if name not in self._fields]
        if unknown:
            raise InvalidInput(
                f"{', '.join(unknown)} is not a setting of a conversation's summaries"
            )
        given = [one for one in changes.items() if one[1] is False or one[1] not in (None, 0, "")]
        return SummaryPolicy(**{**self._asdict(), **dict(given)})


class Strategy(NamedTuple):
    """What a shrinking message list keeps as it is, and how short the rest becomes."""

    name: str
    keep_start: int
    keep_end: int
    min_messages: int
    max_messages: int
    ratio: float
    drop_tool_calls: bool = False

    def for_limit(self, max_input_tokens: int, ratio: float | None = None) -> Strategy:
        """Return the same under a configured limit: a message list of one message per 2,000 tokens of it."""
        most = self.max_messages
        if max_input_tokens > 0:
            most = max(self.min_messages, max_input_tokens // 2000)
        return self._replace(max_messages=most, ratio=self.ratio if ratio is None else ratio)


STRATEGIES = {
    "default": Strategy("default", 4, 20, min_messages=12, max_messages=50, ratio=0.5),
    "compact": Strategy(
        "compact", 2, 6, min_messages=8, max_messages=30, ratio=0.3, drop_tool_calls=True
    ),
    "verbose": Strategy("verbose", 3, 15, min_messages=20, max_messages=100, ratio=0.7),
}
