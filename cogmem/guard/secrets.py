"""What a secret looks like: the rows of `data/patterns/secrets.txt`; the earliest that matches names it.

A row is (name, pattern, check). The first group of a pattern is the secret itself, so that
`postgres://app:…@db/shop` keeps all but its password. A check takes what stands before the value, the value, and
what follows, and may turn it down (`values`): re2 has no lookaround. Names are written into marks, and no mark may
itself look like a secret.
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
