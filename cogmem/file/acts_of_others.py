"""Acts for what clients wrote that know nothing of acts.

A client that sets no context leaves changes without the name of an act. The next transaction of cogmem gives
them one, and a place in the order of all acts, before it adds its own: so they can be told apart, exchanged
with other files and taken back by name.
"""

from __future__ import annotations

from cogmem.file.sql import statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def name_all(connection: Any, number: Callable[[], int]) -> None:
    """Name every change that has no act, within the transaction that is open."""
    act, before = "", (0, None, "", "")
    for change in connection.execute(statement("acts_of_others.changes")).fetchall():
        if not _comes_with(before, change):
            act = f"act_{number():016x}"
            connection.execute(statement("acts_of_others.tick"))
        connection.execute(statement("acts_of_others.name"), {"act": act, "id": change[0]})
        before = change


def _comes_with(before: tuple[Any, ...], change: tuple[Any, ...]) -> bool:
    """Tell whether these are a memory and the row of its layer, which come and go together, under two numbers."""
    return bool(
        change[0] == before[0] + 1
        and change[1] is not None
        and change[1:3] == before[1:3]
        and change[2] != "update"
        and "link" not in (change[3], before[3])
    )
