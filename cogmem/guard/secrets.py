r"""What a secret looks like: the rows of `data/patterns/secrets.txt`, with which the guard searches.

A row is (name, pattern, check). The patterns are re2 syntax, so a text of any length and malice is
matched in linear time. If a pattern has groups, the first group that matched is the secret itself,
so that `postgres://app:…@db/shop` keeps all but its password. A check takes what stands before the
value, the value, and what follows, and may turn it down (`values`): re2 has no lookaround, and to
tell `token: o200k_base` from a token takes a few lines of Python. When several rows match one passage,
the earliest names it.

Names are shown to people and written into marks (`[redacted: github token]`), so they are plain
words, and no mark may itself look like a secret.
"""

from __future__ import annotations

from cogmem.guard import values
from cogmem.text.data import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[str, str, str], bool]
    Row = tuple[str, str, Check | None]

SECRETS: tuple[Row, ...] = tuple(
    (name, text, getattr(values, check) if check else None)
    for name, check, text in patterns("secrets")
)
