"""Many memories that name themselves, by the guard and with their history, a thousand in one write.

What is read anew from its source again and again (the commits of a repository, say) has a name of
its own there. Its uid is made from that name, so that a second reading finds what the first one
stored: it adds what is new, and touches nothing that is here, in whatever state a person left it.
There is no comparison with what is similar, and no model.
"""

from __future__ import annotations

from itertools import islice

from cogmem.errors import CogmemError
from cogmem.file import sql
from cogmem.file.bulk import Bulk
from cogmem.file.pristine import pristine
from cogmem.learn.admit import PROFILES, admit
from cogmem.records import LAYER_TABLE, Report, json_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.learn.admit import Admitted
    from cogmem.records import Draft
    from cogmem.store.store import Store

    Named = tuple[str, int, Draft]  # uid, the instant at which it came to be, what it says

VERB = "git"
AT_ONCE = 1_000  # memories of one write: others wait for less than a second
WORTH_IT = 200  # memories from which triggers rest


class Taken(Report):
    """What became of many: the act that one undo takes back, and the uids of what is new and of what was refused."""

    act: str
    added: list[str]
    known: int
    refused: list[tuple[str, str]]


def learn_many(
    store: Store,
    named: Iterable[Named],
    *,
    act: str,
    now: int,
    progress: Callable[[int], None] | None,
) -> Taken:
    """Remember all that is not here yet, under one act. Who is stopped midway has stored the thousands before."""
    taken = Taken(act)
    every = iter(named)
    done = 0
    while waiting := [*islice(every, AT_ONCE)]:
        _store(store, waiting, taken, now)
        done += len(waiting)
        if progress and len(waiting) == AT_ONCE:
            progress(done)
    if len(taken.added) >= AT_ONCE:
        counted: list[Step] = [("learn.forget_common", {}), ("learn.count_common", {})]
        store.db.write(counted, verb=VERB, at=now)
        store.db.shrink()
    return taken


def _store(store: Store, named: list[Named], taken: Taken, now: int) -> None:
    known = {row[0] for row in store.db.read("learn.known", {"uids": _list(named)})}
    admitted: list[tuple[str, int, Admitted]] = []
    for uid, at, draft in named:
        if uid in known:
            taken.known += 1
            continue
        known.add(uid)
        try:
            admitted.append((uid, min(at, now), admit(store, draft, PROFILES["repository"], now)))
        except CogmemError as error:
            taken.refused.append((uid, str(error)))
    if not admitted:
        return
    fresh = pristine()
    added: list[str] = []

    def body(connection: Any) -> None:
        added.clear()
        asked = {"uids": _list(admitted)}
        here = {row[0] for row in _run(connection, "learn.known", asked)}
        new = [one for one in admitted if one[0] not in here]
        taken.known += len(here)
        act = {"act": taken.act, "verb": VERB, "actor": store.db.actor, "at": now}
        _run(connection, "learn.open_act", act)
        rest = Bulk(connection, fresh) if len(new) >= WORTH_IT else None
        for uid, at, one in new:
            row = {**one.row, "uid": uid, "created_at": at, "reinforced_at": at}
            table = LAYER_TABLE[one.kind.layer]
            number = connection.execute(fresh.insert("memory", row) + " returning id", row)
            detail = {**one.detail, "memory_id": number.fetchall()[0][0]}
            write = fresh.insert if rest else _update
            connection.execute(write(table, detail), detail).fetchall()
            added.append(uid)
        if rest:
            rest.wake()
        _run(connection, "learn.close_act", {})

    store.db.transact(body)
    taken.added += added


def _update(table: str, row: dict[str, Any]) -> str:
    columns = ", ".join(f'"{name}" = :{name}' for name in row if name != "memory_id")
    return f'update "{table}" set {columns} where memory_id = :memory_id'


def _run(connection: Any, statement: str, params: dict[str, Any]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = connection.execute(sql.statement(statement), params).fetchall()
    return rows


def _list(named: Iterable[tuple[Any, ...]]) -> str:
    return json_list([one[0] for one in named])
