"""Removing for good, provably: the one exception to "nothing is destroyed".

What goes: the memory, all it ever said, what was merged into or derived from it, the messages that
bear it out, tellings of those, its words in search indexes, vectors, ledger, sessions and waiting
work. Then the file is written anew, so that no free page or log keeps a byte of it. A receipt says
how many rows went, never what they said.

What stays is named in the receipt: copies outside the file (backups, files that a person owns) and
memories that say the same in a person's own words.

A message keeps its place and loses its words, since nothing in a conversation is renumbered.
"""

from __future__ import annotations

import json
import os
import time

from cogmem.errors import (
    CapacityReached,
    CogmemError,
    Conflict,
    Damaged,
    InvalidInput,
    UnknownMemory,
)
from cogmem.file import seal, sql
from cogmem.file.packed import packed, unpacked
from cogmem.guard import guard
from cogmem.records import Record, most_rows
from cogmem.scope import Scope
from cogmem.text import lines
from cogmem.text.cell import mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from cogmem.file.db import Database, Step

SHORTEST = (
    8  # characters from which a text is looked for elsewhere: "tea" stands in too many places
)
LEAST, SHARE = 10, 0.1  # what words may take: so many memories and messages, or this share of them
SHORTEST_WORD = 3  # of the words that a caller names
BLANK = '[{"type":"text","text":"[forgotten]"}]'
_READERS_MS = 100  # how long one try waits for readers
_TRIES = 10  # to write the file anew and empty the log while another process is at work


class Receipt(Record):
    """What went and what did not. `is_scrubbed` is false when free pages still have to be wiped."""

    __slots__ = (
        "actor",
        "at",
        "files",
        "is_scrubbed",
        "left",
        "messages",
        "number",
        "places",
        "reason",
        "removed",
        "uids",
        "words",
    )

    def __init__(self, uids: Sequence[str], actor: str, reason: str, at: int) -> None:
        self.uids = list(uids)
        self.words: list[list[Any]] = []  # length and digest of each word that was named
        self.messages: list[str] = []
        self.removed: dict[str, int] = {}
        self.left: list[str] = []  # memories that hold the words and were not asked for
        self.files: list[str] = []  # outside this file, and not touched
        self.places: dict[
            str, int
        ] = {}  # columns where a word still stands, in rows that are not the viewer's
        self.number = ""  # names what a preview showed; a confirmation has to give it
        self.actor = actor
        self.reason = reason
        self.at = at
        self.is_scrubbed = False


def forget(
    db: Database,
    names: Sequence[str],
    scope: Scope,
    *,
    actor: str,
    now: int,
    reason: str = "",
    words: Sequence[str] = (),
    most: int | None = None,
    confirm: str | None = None,
    dry_run: bool = False,
) -> Receipt:
    """Forget memories (uids) and messages ('msg_<id>'); a dry run says what would go.

    Elsewhere (messages, prompts, tellings) the whole text of a memory is looked for. `words` names
    more: telling words that must be gone, so every memory in sight that holds one goes too. What is not
    in the viewer's sight stays and is counted in `places`. Words may take a tenth of what is in sight,
    and more only as far as `most` says. With `confirm` it is done only if it is what the preview of
    that number showed.
    """
    reason = _told(reason)
    messages = [_message(db, name, scope) for name in names if name.startswith("msg_")]
    uids = [name for name in names if not name.startswith("msg_")]
    if not names:
        raise InvalidInput("name at least one memory or message to forget")
    receipt = Receipt(uids, actor, reason, now)
    wanted = [lines.one_line(guard.normalise(word)) for word in words]
    if any(len(word) < SHORTEST_WORD for word in wanted):
        raise InvalidInput(
            f"a word to forget has {SHORTEST_WORD} characters at least: name a longer one"
        )
    if wanted:
        holding = db.read("forget.holding", {**scope.viewer(), "words": _json(wanted)})
        receipt.uids = [*dict.fromkeys([*uids, *(row[0] for row in holding)])]
    receipt.words = [told_of(word) for word in wanted]
    with db.together(keep=not dry_run):
        _remove(db, receipt, messages, wanted, scope)
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
        seal.note_anew(db)
        receipt.is_scrubbed = scrub(db, actor=actor, now=now)
    return receipt


def told_of(word: str) -> list[Any]:
    """A word as other files may know it: its length, and a digest by which they find it in texts of their own."""
    from hashlib import blake2b

    low = word.lower()
    return [len(low), blake2b(low.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()]


def follow(
    db: Database, receipts: Sequence[Receipt], words: Sequence[Sequence[str]], scope: Scope
) -> None:
    """Forget here what was forgotten in other files: memories, and the words that were named.

    Elsewhere than in the memories themselves their words go from what is in this scope's sight.
    """
    with db.together():
        for receipt, found in zip(receipts, words, strict=True):
            if found:
                holding = {**scope.viewer(), "words": _json(list(found))}
                held = [row[0] for row in db.read("forget.holding", holding)]
                receipt.uids = [*dict.fromkeys([*receipt.uids, *held])]
            _remove(db, receipt, [], list(found), scope, must_exist=False)
    seal.note_anew(db)
    scrub(db, actor="sync", now=max(receipt.at for receipt in receipts))


def _within_bounds(db: Database, receipt: Receipt, scope: Scope, most: int | None) -> None:
    """Words take what holds them, however much that is: a common one would take everything."""
    memories, said = db.read("forget.in_sight", scope.viewer())[0]
    allowed = max(LEAST, int(SHARE * (memories + said))) if most is None else most
    going = len(receipt.uids) + len(receipt.messages)
    if going > allowed:
        raise CapacityReached(
            f"these words stand in {len(receipt.uids)} memories and {len(receipt.messages)} messages, more than the"
            f" {allowed} that may go at once: name a more telling word, or allow it with --most {going}"
        )


def _still_told(db: Database, words: list[str]) -> dict[str, int]:
    """Where a word still stands, counted by column: rows of others, and names that rows are found by."""
    found: dict[str, int] = {}
    for table, column in db.read("forget.text_columns"):
        name, place = sql.quoted(table), sql.quoted(column)
        [(count,)] = db.ask(
            f"select count(*) from {name} t where exists (select 1 from json_each(:words) p"
            f" where instr(lower(t.{place}), lower(p.value)))",  # a column may be called `key` or `value`, too
            {"words": _json(words)},
        )
        if count:
            found[f"{table}.{column}"] = count
    return found


def _number(receipt: Receipt, words: list[str]) -> str:
    from hashlib import blake2b

    shown = [sorted(receipt.uids), sorted(receipt.messages), sorted(words), receipt.removed]
    return blake2b(_json(shown).encode("utf-8", "replace"), digest_size=4).hexdigest()


def _remove(
    db: Database,
    receipt: Receipt,
    messages: list[int],
    words: list[str],
    scope: Scope,
    *,
    must_exist: bool = True,
) -> None:
    """Everything inside one transaction, and the receipt with it."""
    seen, heard = scope.viewer(), scope.hearer()
    place = {"everywhere": seen["everywhere"], "project": seen["project"]}
    asked = list(receipt.uids)
    rows = db.read("forget.closure", {"uids": _json(asked)})
    uids = [*dict.fromkeys([*asked, *(row[1] for row in rows)])]
    texts = [row[2] for row in rows]
    texts += [text for row in rows for text in mapped(row[3]).get("also", ())]
    texts += [row[0] for row in db.read("forget.past_contents", {"uids": _json(uids)})]
    if asked and not texts and must_exist:
        raise UnknownMemory(f"no memory is called {', '.join(asked)}: `cogmem list` shows uids")
    phrases = [*_phrases(texts), *words]
    for uid, is_told in db.read(
        "forget.telling", {"phrases": _json(phrases), "uids": _json(uids), **seen}
    ):
        (uids if is_told else receipt.left).append(uid)
    receipt.uids = uids
    messages = [
        *messages,
        *(row[0] for row in db.read("forget.saying", {"phrases": _json(phrases), **heard})),
    ]
    places = db.read("forget.message_places", {"ids": _json(sorted(set(messages)))})
    receipt.messages = [f"msg_{row[0]}" for row in places]
    before = [row[0] for row in db.read("forget.predecessors", {"uids": _json(uids)})]
    receipt.left += [uid for uid in before if uid not in receipt.left]
    # A message that bears a memory out in other words: the caller may forget it too.
    evidence = [f"msg_{row[0]}" for row in db.read("forget.evidence", {"uids": _json(uids)})]
    receipt.left += [name for name in evidence if name not in receipt.messages]
    if not asked:  # a message alone: what else holds its words
        phrases = [*_phrases([row[4] for row in places]), *words]
        receipt.left = [
            row[0]
            for row in db.read("forget.telling", {"phrases": _json(phrases), "uids": "[]", **seen})
        ]
    listed = _json(phrases)
    mirrored = db.read("forget.mirrored", {"uids": _json(uids), "phrases": listed, **place})
    receipt.files = [*(row[0] for row in mirrored), *copies_of(db.path)]
    steps: list[tuple[str, Step]] = [
        (
            "document",
            ("forget.delete_documents", {"uids": _json(uids), "phrases": listed, **place}),
        ),
        ("memory", ("forget.delete_memories", {"uids": _json(uids)})),
        ("embedding", ("forget.delete_vectors", {"hashes": _json([row[4] for row in rows])})),
        ("activation", ("forget.blank_prompts", {"phrases": listed, **heard})),
        ("activation_item", ("forget.delete_items", {"refs": _json([*uids, *receipt.messages])})),
        ("session", ("forget.thaw_sessions", {"uids": _json(uids), "phrases": listed, **heard})),
        ("pinned", ("forget.blank_pins", {"phrases": listed, **heard})),
        ("buffer", ("forget.blank_buffers", {"phrases": listed, **heard})),
        ("pending_update", ("forget.delete_notes", {"phrases": listed, **heard})),
        # Work that waits has no owner: words alone are no reason to take what may be another's.
        (
            "task",
            (
                "forget.delete_tasks",
                {
                    "phrases": listed if seen["everywhere"] else _json(_phrases(texts)),
                    "uids": _json(uids),
                },
            ),
        ),
        *_message_steps(db, places, {"phrases": listed, **heard}),
        ("change", ("forget.delete_history", {"uids": _json(uids)})),
        ("arrival", ("forget.delete_arrivals", {"uids": _json(uids)})),
        ("claim", ("forget.drop_claims", {"uids": _json(uids)})),
    ]
    for number, told in db.read("forget.arrived", {"phrases": listed, "kept": _json(receipt.left)}):
        step = {"id": number, "changes": _blanked_changes(told, phrases)}
        steps.append(("arrival", ("forget.blank_arrival", step)))
    past = {"phrases": listed, "kept": _json([*receipt.left, *uids]), **seen}
    for number, before, after, why in db.read("forget.past", past):
        step = {
            "id": number,
            "before": _blanked(before, phrases),
            "after": _blanked(after, phrases),
        }
        steps.append(
            ("change", ("forget.blank_change", {**step, "reason": _taken_out(why, phrases)}))
        )
    written = db.write(
        [step for _, step in steps],
        verb="forget",
        actor=receipt.actor,
        at=receipt.at,
        reason=receipt.reason,
    )
    for (name, _), count in zip(steps, written.changed, strict=True):
        if count:
            receipt.removed[name] = receipt.removed.get(name, 0) + count
    told = _json(receipt.words)
    for name in [*receipt.uids, *([] if asked else receipt.messages)]:
        row = {"uid": name, "removed": _json(receipt.removed), "now": receipt.at, "words": told}
        proof: Step = ("forget.receipt", {**row, "actor": receipt.actor, "reason": receipt.reason})
        db.write([proof], verb="forget", actor=receipt.actor, at=receipt.at)
    seal.anew(db, at=receipt.at)


# What a person wrote. Numbers, names of states and the like stay, whatever word they happen to be.
_WRITTEN = frozenset(
    "content key tags terms data path_glob archive_reason topic outcome session_name context steps meaning"
    " description pattern example counter_example".split()
)


def _blanked(row: str | None, phrases: Sequence[str]) -> str | None:
    """What a change says of a row, without the words: in what a person wrote, and never in a column's name."""
    if row is None:
        return None
    try:
        said = json.loads(row)
    except ValueError:
        return _taken_out(row, phrases)
    for name, value in said.items():
        if name in _WRITTEN and isinstance(value, str):
            said[name] = _taken_out(value, phrases)
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def _blanked_changes(told: str, phrases: Sequence[str]) -> str:
    """The same of what an act of another file said of a memory."""
    rows = []
    for record, action, before, after in json.loads(told):
        rows.append([record, action])
        for side in (before, after):
            blank = None if side is None else _blanked(_json(side), phrases)
            rows[-1].append(None if blank is None else json.loads(blank))
    return _json(rows)


def _taken_out(text: str, phrases: Sequence[str]) -> str:
    """A text without these phrases, whatever their case."""
    for phrase in phrases:
        for said in {phrase, json.dumps(phrase, ensure_ascii=False)[1:-1]}:
            low, wanted, at = text.lower(), said.lower(), 0
            if len(low) != len(text):  # a letter that grows when it is made small
                text = text.replace(said, "[forgotten]")
                continue
            pieces = []
            while (place := low.find(wanted, at)) >= 0:
                pieces += [text[at:place], "[forgotten]"]
                at = place + len(wanted)
            text = "".join(pieces) + text[at:] if pieces else text
    return text


def _message_steps(
    db: Database, places: Sequence[tuple[Any, ...]], words: dict[str, Any]
) -> list[tuple[str, Step]]:
    """Blank messages, the archive that holds their parts, and what was told of them."""
    steps: list[tuple[str, Step]] = []
    archived: dict[int, set[int]] = {}
    for number, conversation, seq, segment, _ in places:
        steps.append(("message", ("forget.blank_message", {"id": number, "parts": BLANK})))
        there = {"conversation": conversation, "seq": seq, **words}
        steps.append(("summary", ("forget.blank_summaries", there)))
        steps.append(("summary_cache", ("forget.drop_cached_summaries", there)))
        if segment is not None:
            archived.setdefault(segment, set()).add(number)
    if not places:
        there = {"conversation": -1, "seq": -1, **words}
        steps.append(("summary", ("forget.blank_summaries", there)))
        steps.append(("summary_cache", ("forget.drop_cached_summaries", there)))
    for segment, numbers in archived.items():
        body = db.read("forget.segment_body", {"id": segment})[0][0]
        step = {"id": segment, "body": _without(bytes(body), numbers)}
        steps.append(("segment", ("forget.rewrite_segment", step)))
    return steps


def _without(body: bytes, numbers: set[int]) -> bytes:
    """The archive of a stretch with some messages blank; the other lines stay byte for byte."""
    kept = []
    try:
        # Not splitlines(): what people write holds line separators that JSON leaves as they are.
        for line in unpacked(body).split("\n"):
            entry = json.loads(line) if line else {}
            if entry.get("id") in numbers:
                entry.pop("text", None)
                entry["parts"] = json.loads(BLANK)
                line = json.dumps(entry, ensure_ascii=False)
            kept.append(line)
    except ValueError as error:
        raise Damaged(
            f"an archived stretch cannot be read ({error}): run `cogmem doctor`"
        ) from None
    return packed("\n".join(kept))


def scrub(db: Database, *, actor: str, now: int) -> bool:
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
                actor=actor,
                at=now,
            )
        if db.ask("select 1 from sqlite_schema where name = 'sqlite_stat4'"):
            db.ask("drop table sqlite_stat4")  # samples of keys; the next ANALYZE makes it anew
    except CogmemError:
        return False
    is_anew = False
    for attempt in range(_TRIES):
        is_anew = is_anew or _written_anew(db)
        if is_anew and _log_emptied(db):
            db.write([("forget.scrubbed", {"now": now})], verb="forget", actor=actor, at=now)
            return True
        time.sleep(0.02 * (attempt + 1))
    return False


def _written_anew(db: Database) -> bool:
    """Write the file without its free pages: once, since all of it goes through the log."""
    if db.path == ":memory:":
        return True
    try:
        db.ask("pragma temp_store = file")  # the copy may be larger than the machine's memory
        db.ask("vacuum")
        return True
    except CogmemError:
        return False
    finally:
        db.ask("pragma temp_store = memory")


def _log_emptied(db: Database) -> bool:
    """Cut the log off. A longer wait for a reader would keep every writer waiting too."""
    if db.path == ":memory:":
        return True
    try:
        return db.fold_log(_READERS_MS)
    except CogmemError:
        return False


def has_past(db: Database, uid: str, scope: Scope) -> bool:
    """Whether a memory whose row is gone left a past, and was in this scope's sight when it went."""
    rows = [row for row in db.read("history.of_memory", {"uid": uid}) if row[8] == "memory"]
    if not rows or rows[-1][9] != "delete":
        return False
    was = mapped(rows[-1][10])
    owned = ((was.get(axis, ""), mine) for axis, mine in scope.owner().items())
    return scope.everywhere or all(theirs in ("", mine) for theirs, mine in owned)


def receipts(db: Database, *, limit: int = 100) -> list[dict[str, Any]]:
    """What was forgotten, the latest first."""
    rows = db.rows("forget.receipts", {"limit": most_rows(limit)})
    return [{**row, "removed": mapped(row["removed"])} for row in rows]


def copies_of(path: str) -> list[str]:
    """Copies of the file beside it, by their names: they keep what they hold."""
    if path == ":memory:":
        return []
    folder, name = os.path.split(os.path.abspath(path))
    beside = [
        os.path.join(folder, other)
        for other in sorted(os.listdir(folder))
        if other.startswith(name + ".") and os.path.isfile(os.path.join(folder, other))
    ]
    nightly = os.path.join(folder, name + ".backups")
    if os.path.isdir(nightly):
        beside += [os.path.join(nightly, other) for other in sorted(os.listdir(nightly))]
    return beside


def _message(db: Database, name: str, scope: Scope) -> int:
    number = name[4:]
    viewer = scope.hearer()
    if number.isdigit():
        found = db.read("forget.message_heard", {**viewer, "id": int(number)})
        if found:
            return int(found[0][0])
    raise UnknownMemory(f"no message is called {name!r} in this scope: it is msg_ and its number")


def _phrases(texts: Iterable[str]) -> list[str]:
    """What to look for elsewhere: each text, also without the dates that were put behind its words."""
    found: dict[str, None] = {}
    for text in texts:
        found[text] = None
        bare = lines.one_line(_without_dates(text))
        found[bare] = None
        found[bare.rstrip(".!?")] = None
    return [text for text in found if len(text) >= SHORTEST and text != "[forgotten]"]


def _without_dates(text: str) -> str:
    pieces = text.split(" [")
    kept = pieces[0]
    for piece in pieces[1:]:
        date, closed, rest = piece.partition("]")
        is_date = closed and any(c.isdigit() for c in date) and len(date) < 60
        kept += rest if is_date else f" [{piece}"
    return kept


def _told(reason: str) -> str:
    """The reason as it may stand in the receipt for good: without secrets."""
    text = lines.one_line(guard.normalise(reason))
    return guard.apply(text, guard.POLICIES["record"]).text


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
