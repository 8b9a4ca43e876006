"""Removing for good, provably: the one exception to "nothing is destroyed".

What goes: the memory, all it ever said, what was merged into or derived from it, the messages that
support it, tellings of those, its words in search indexes, vectors, ledger, sessions and waiting
work. Then the file is written anew, so that no free page or log keeps a byte of it. A receipt says
how many rows went, never what they said.

What stays is named in the receipt: copies outside the file (backups, files that a person owns) and
memories that say the same in a person's own words.

A message keeps its place and loses its words, since nothing in a conversation is renumbered.
"""

from __future__ import annotations

import time

from cogmem.errors import (
    CapacityReached,
    CogmemError,
    Conflict,
    InvalidInput,
    UnknownMemory,
    Unreachable,
)
from cogmem.file import seal, sql
from cogmem.guard import guard
from cogmem.records import Record
from cogmem.scope import Scope
from cogmem.store.erase import Receipt, as_json, erase
from cogmem.text import lines
from cogmem.text.cell import mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Database

LEAST, SHARE = 10, 0.1  # what words may take: so many memories and messages, or this share of them
SHORTEST_WORD = 3  # of the words that a caller names
_READERS_MS = 100  # how long one try waits for readers
_TRIES = 10  # to write the file anew and empty the log while another process is at work


class KeptReceipt(Record):
    """What the file keeps of a forgetting: rows by table, who, why and when; never what they said."""

    uid: str
    removed: dict[str, int]
    actor: str
    reason: str
    at: datetime


def forget(
    db: Database,
    names: Sequence[str],
    scope: Scope,
    *,
    now: int,
    reason: str = "",
    words: Sequence[str] = (),
    most: int | None = None,
    confirm: str | None = None,
    dry_run: bool = False,
    everything: bool = False,
) -> Receipt:
    """Forget memories (uids) and messages ('msg_<id>'); a dry run says what would go.

    Elsewhere (messages, prompts, tellings) the whole text of a memory is looked for. `words` names
    more: telling words that must be gone, so every memory in sight that holds one goes too. What is not
    in the viewer's sight stays and is counted in `places`. Words may take a tenth of what is in sight,
    and more only as far as `most` says. With `confirm` it is done only if it is what the preview of
    that number showed. `everything` is all that belongs to the user of this scope.
    """
    reason = _told(reason)
    messages = [_message(db, name, scope) for name in names if name.startswith("msg_")]
    uids = [name for name in names if not name.startswith("msg_")]
    if everything:
        if not scope.user or names or words:
            raise InvalidInput(
                "everything is forgotten for one user, and without further names: `mem.as_user('ann').forget("
                "everything=True)`, `cogmem --user ann forget --everything`"
            )
        scope = Scope(user=scope.user)
        uids = of_user(db, scope.user)
    elif not names:
        raise InvalidInput("name at least one memory or message to forget")
    if messages:  # what a conversation left goes with the last message that supports it
        uids += [
            row[0]
            for row in db.read("forget.left_by", {"ids": as_json(messages)})
            if row[0] not in uids
        ]
    receipt = Receipt([*uids], actor=db.actor, reason=reason, at=now)
    wanted = [lines.one_line(guard.normalise(word)) for word in words]
    if any(len(word) < SHORTEST_WORD for word in wanted):
        raise InvalidInput(
            f"a word to forget has {SHORTEST_WORD} characters at least: name a longer one"
        )
    if wanted:
        holding = db.read("forget.holding", {**scope.viewer(), "phrases": as_json(wanted)})
        receipt.uids = [*dict.fromkeys([*uids, *(row[0] for row in holding)])]
    receipt.words = [told_of(word) for word in wanted]
    with db.together(keep=not dry_run):
        erase(
            db, receipt, messages, wanted, scope, must_exist=not everything, everything=everything
        )
        if wanted:
            _within_bounds(db, receipt, scope, most)
            receipt.places = _still_told(db, wanted)
        receipt.number = _number(receipt, wanted)
        if confirm is not None and confirm != receipt.number:
            raise Conflict(
                f"number {confirm!r} is not that of what would go now: look at the preview again, then "
                "confirm its number"
            )
        if not dry_run:
            seal.announce(db)
    receipt.elsewhere = [label for (label,) in db.read("forget.elsewhere")]
    if not dry_run:
        seal.note_anew(db)
        receipt.is_scrubbed = scrub(db, now=now)
    return receipt


def of_user(db: Database, user: str) -> list[str]:
    """Return the memories that are a user's own, and what nothing but the user's talk bears out."""
    said = [row[0] for row in db.read("forget.messages_of_user", {"user": user})]
    found = db.read("forget.of_user", {"user": user})
    found += db.read("forget.left_by", {"ids": as_json(said)})
    return [*dict.fromkeys(row[0] for row in found)]


def told_of(word: str) -> list[Any]:
    """Return a word as other files may know it: its length, and a digest by which they find it in their texts."""
    from hashlib import blake2b

    low = word.lower()
    return [len(low), blake2b(low.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()]


def words_of(db: Database, wanted: Sequence[Sequence[Any]]) -> list[str]:
    """Return the words behind these digests, as far as they stand in a text of this file."""
    lengths = {int(length) for length, _ in wanted}
    digests = {digest for _, digest in wanted}
    found: dict[str, None] = {}
    for length in lengths:
        seen: set[str] = set()
        for (text,) in db.read("sync.texts"):
            low = text.lower()
            seen.update(low[at : at + length] for at in range(len(low) - length + 1))
        for word in seen:
            if told_of(word)[1] in digests:
                found[word] = None
    return list(found)


def follow(
    db: Database, receipts: Sequence[Receipt], words: Sequence[Sequence[str]], scope: Scope
) -> None:
    """Forget here what was forgotten in other files: memories, and the words that were named.

    Elsewhere than in the memories themselves their words go from what is in this scope's sight.
    """
    with db.together():
        for receipt, found in zip(receipts, words, strict=True):
            if found:
                holding = {**scope.viewer(), "phrases": as_json(list(found))}
                held = [row[0] for row in db.read("forget.holding", holding)]
                receipt.uids = [*dict.fromkeys([*receipt.uids, *held])]
            erase(db, receipt, [], list(found), scope, must_exist=False)
        seal.announce(db)
    seal.note_anew(db)
    scrub(db, now=max(receipt.raw("at") for receipt in receipts))


def _within_bounds(db: Database, receipt: Receipt, scope: Scope, most: int | None) -> None:
    """Words take what holds them, however much that is: a common one would take everything."""
    memories, said = db.read("forget.in_sight", scope.viewer())[0]
    allowed = max(LEAST, int(SHARE * (memories + said))) if most is None else most
    going = len(receipt.uids) + len(receipt.messages)
    if going > allowed:
        raise CapacityReached(
            f"these words stand in {len(receipt.uids)} memories and {len(receipt.messages)} messages, more than the"
            f" {allowed} that may go at once: name a more distinctive word, or allow it with --most {going}"
        )


def _still_told(db: Database, words: list[str]) -> dict[str, int]:
    """Return where a word still stands, counted by column: rows of others, and names that rows are found by."""
    found: dict[str, int] = {}
    for table, column in db.read("forget.text_columns"):
        name, place = sql.quoted(table), sql.quoted(column)
        [(count,)] = db.ask(
            f"select count(*) from {name} t where exists (select 1 from json_each(:words) p"
            f" where instr(lower(t.{place}), lower(p.value)))",  # a column may be called `key` or `value`, too
            {"words": as_json(words)},
        )
        if count:
            found[f"{table}.{column}"] = count
    return found


def _number(receipt: Receipt, words: list[str]) -> str:
    from hashlib import blake2b

    shown = [sorted(receipt.uids), sorted(receipt.messages), sorted(words), receipt.removed]
    return blake2b(as_json(shown).encode("utf-8", "replace"), digest_size=4).hexdigest()


def scrub(db: Database, *, now: int) -> bool:
    """Wipe what deleted rows left behind: index segments, free pages, the log. False: not all yet.

    Deleting marks; only writing the whole file anew removes. Another process that is reading can
    stand in the way; whoever opens the file next may call this again.
    """
    if not db.read("forget.unscrubbed"):
        return True
    try:
        db.ask("pragma secure_delete = on")
        for (name,) in db.ask(
            "select name from sqlite_schema where sql like 'create virtual table%using fts5%content=%'"
        ):
            db.write(
                [("insert into {0} ({0}) values ('optimize')".format(sql.quoted(name)), {})],
                verb="forget",
                at=now,
            )
        if db.ask("select 1 from sqlite_schema where name = 'sqlite_stat4'"):
            db.ask("drop table sqlite_stat4")  # samples of keys; the next ANALYZE makes it anew
    except CogmemError:
        return False
    is_anew = False
    for attempt in range(_TRIES):
        try:
            is_anew = is_anew or _written_anew(db)
        except Unreachable:  # a node of a cluster, which does not come back in a moment
            return False
        if is_anew and _log_emptied(db):
            db.write([("forget.scrubbed", {"now": now})], verb="forget", at=now)
            return True
        time.sleep(0.02 * (attempt + 1))
    return False


def _written_anew(db: Database) -> bool:
    """Write the file without its free pages: once, since all of it goes through the log."""
    if db.path == ":memory:":
        return True
    try:
        db.write_anew()
        return True
    except Unreachable:
        raise
    except CogmemError:
        return False


def _log_emptied(db: Database) -> bool:
    """Cut the log off. A longer wait for a reader would keep every writer waiting too."""
    if db.path == ":memory:":
        return True
    try:
        return db.fold_log(_READERS_MS)
    except CogmemError:
        return False


def has_past(db: Database, uid: str, scope: Scope) -> bool:
    """Tell whether a memory whose row is gone left a past, and was in this scope's sight when it went."""
    rows = [row for row in db.read("history.of_memory", {"uid": uid}) if row[8] == "memory"]
    if not rows or rows[-1][9] != "delete":
        return False
    was = mapped(rows[-1][10])
    owned = ((was.get(axis, ""), mine) for axis, mine in scope.owner().items())
    return scope.everywhere or all(theirs in ("", mine) for theirs, mine in owned)


def _message(db: Database, name: str, scope: Scope) -> int:
    number = name[4:]
    viewer = scope.hearer()
    if number.isdigit():
        found = db.read("forget.message_heard", {**viewer, "id": int(number)})
        if found:
            return int(found[0][0])
    raise UnknownMemory(f"no message is called {name!r} in this scope: it is msg_ and its number")


def _told(reason: str) -> str:
    """Return the reason as it may stand in the receipt for good: without secrets."""
    text = lines.one_line(guard.normalise(reason))
    return guard.apply(text, guard.POLICIES["record"]).text
