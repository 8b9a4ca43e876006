"""What forgetting removes: the rows, every retelling of their words, and the steps that remove them.

First it finds out how far the words reach; then one write removes all of it, and a receipt follows. Outside the
memories themselves it looks for the whole text of each, in what the person who asks can see.
"""

from __future__ import annotations

import json
import os

from cogmem.errors import Damaged, UnknownMemory
from cogmem.file import backups, seal
from cogmem.file.packed import packed, unpacked
from cogmem.records import Report
from cogmem.scope import Scope
from cogmem.text import lines
from cogmem.text.cell import mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Database, Step

SHORTEST = (
    8  # characters from which a text is looked for elsewhere: "tea" stands in too many places
)
EVERYTHING = "everything"  # the receipt of all that was a user's: whose it was says its sight
BLANK = '[{"type":"text","text":"[forgotten]"}]'


class Receipt(Report):
    """What went and what did not. `is_scrubbed` is false when free pages still have to be wiped."""

    uids: list[str]
    words: list[list[Any]]  # length and digest of each word that was named
    messages: list[str]
    removed: dict[str, int]
    left: list[str]  # memories that hold the words and were not asked for
    files: list[str]  # outside this file, and not touched
    copies: list[str]  # backups, which forget it at the next night or sync
    elsewhere: list[str]  # machines and folders that forget it when they are met
    places: dict[str, int]  # columns where a word still stands, in rows that are not the viewer's
    number: str  # names what a preview showed; a confirmation has to give it
    actor: str
    reason: str
    at: datetime
    is_scrubbed: bool


def erase(
    db: Database,
    receipt: Receipt,
    messages: list[int],
    words: list[str],
    scope: Scope,
    *,
    must_exist: bool = True,
    everything: bool = False,
) -> None:
    """Take the memories of a receipt, these messages, and what tells of them; the receipt says what went.

    With `everything` all that is the user's of this scope goes with them. Inside the transaction of its caller.
    """
    asked = list(receipt.uids)
    reach = _Reach(db, receipt, words, scope)
    reach.follow(messages, must_exist)
    steps = [
        *reach.rows_that_go(),
        *reach.threads_that_go(),
        *reach.messages_blanked(),
        *reach.past_blanked(),
        *(reach.all_of_the_user(scope.user) if everything else ()),
    ]
    written = db.write(
        [step for _, step in steps],
        verb="forget",
        actor=receipt.actor,
        at=receipt.raw("at"),
        reason=receipt.reason,
    )
    for (name, _), count in zip(steps, written.changed, strict=True):
        if count:
            receipt.removed[name] = receipt.removed.get(name, 0) + count
    told = as_json(receipt.words)
    names = [*receipt.uids, *([] if asked or everything else receipt.messages)]
    for name in [*names, EVERYTHING] if everything else names:
        row = {
            "uid": name,
            "removed": as_json(receipt.removed),
            "now": receipt.raw("at"),
            "words": told,
            "sight": as_json(scope.parts()),
        }
        proof: Step = ("forget.receipt", {**row, "actor": receipt.actor, "reason": receipt.reason})
        db.write([proof], verb="forget", actor=receipt.actor, at=receipt.raw("at"))
    seal.anew(db, at=receipt.raw("at"))


class _Reach:
    """How far a forgetting reaches, read before anything goes, and the steps of each kind of place."""

    def __init__(self, db: Database, receipt: Receipt, words: list[str], scope: Scope) -> None:
        self.db = db
        self.receipt = receipt
        self.words = words
        self.seen, self.heard = scope.viewer(), scope.hearer()
        self.phrases: list[str] = []  # what is looked for elsewhere
        self.texts: list[str] = []  # what the memories say and ever said
        self.hashes: list[str] = []
        self.messages: list[tuple[Any, ...]] = []

    def follow(self, messages: list[int], must_exist: bool) -> None:
        """From the memories and messages that are named to all that tells of them."""
        receipt = self.receipt
        asked = list(receipt.uids)
        rows = self.db.read("forget.closure", {"uids": as_json(asked)})
        uids = [*dict.fromkeys([*asked, *(row[1] for row in rows)])]
        texts = [row[2] for row in rows]
        texts += [text for row in rows for text in mapped(row[3]).get("also", ())]
        texts += [row[0] for row in self.db.read("forget.past_contents", {"uids": as_json(uids)})]
        if asked and not texts and must_exist:
            raise UnknownMemory(f"no memory is called {', '.join(asked)}: `cogmem list` shows uids")
        self.texts = texts
        self.hashes = [row[4] for row in rows]
        self.phrases = [*_phrases(texts), *self.words]
        for uid, is_told in self._telling(uids):
            (uids if is_told else receipt.left).append(uid)
        receipt.uids = uids
        said = self.db.read("forget.saying", {"phrases": as_json(self.phrases), **self.heard})
        numbers = sorted({*messages, *(row[0] for row in said)})
        self.messages = self.db.read("forget.message_places", {"ids": as_json(numbers)})
        receipt.messages = [f"msg_{row[0]}" for row in self.messages]
        before = [row[0] for row in self.db.read("forget.predecessors", {"uids": as_json(uids)})]
        receipt.left += [uid for uid in before if uid not in receipt.left]
        # A message that supports a memory in other words: the caller may forget it too.
        evidence = self.db.read("forget.evidence", {"uids": as_json(uids)})
        names = [f"msg_{row[0]}" for row in evidence]
        receipt.left += [name for name in names if name not in receipt.messages]
        if not asked:  # a message alone: what else holds its words
            self.phrases = [*_phrases([row[4] for row in self.messages]), *self.words]
            receipt.left = [row[0] for row in self._telling([])]

    def _telling(self, uids: list[str]) -> list[tuple[Any, ...]]:
        wanted = {"phrases": as_json(self.phrases), "uids": as_json(uids), **self.seen}
        return self.db.read("forget.telling", wanted)

    def rows_that_go(self) -> list[tuple[str, Step]]:
        """Return what is deleted or emptied in place, as (what it counts as, step)."""
        receipt, uids = self.receipt, as_json(self.receipt.uids)
        words = {"phrases": as_json(self.phrases)}
        heard = {**words, **self.heard}
        place = {"everywhere": self.seen["everywhere"], "project": self.seen["project"]}
        documents = {"uids": uids, **words, **place}
        mirrored = self.db.read("forget.mirrored", documents)
        receipt.files = [row[0] for row in mirrored]
        receipt.copies = backups.made(self.db.path)
        beside = [path for path in beside_it(self.db.path) if path not in receipt.copies]
        receipt.files += [*beside, *self.db.kept_elsewhere()]
        refs = as_json([*receipt.uids, *receipt.messages])
        # Work that waits has no owner: words alone are no reason to take what may be another's.
        of_all = self.phrases if self.seen["everywhere"] else _phrases(self.texts)
        return [
            ("document", ("forget.delete_documents", documents)),
            ("memory", ("forget.delete_memories", {"uids": uids})),
            ("embedding", ("forget.delete_vectors", {"hashes": as_json(self.hashes)})),
            ("activation", ("forget.blank_prompts", heard)),
            ("weighing", ("forget.blank_weighings", heard)),
            ("shown", ("forget.delete_shown", {"refs": refs})),
            ("weighed", ("forget.delete_weighed", {"refs": refs})),
            ("left_out_before", ("forget.delete_left_out", {"refs": refs})),
            ("session", ("forget.thaw_sessions", {"uids": uids, **heard})),
            ("pinned", ("forget.blank_pins", heard)),
            ("buffer", ("forget.blank_buffers", heard)),
            ("pending_update", ("forget.delete_notes", heard)),
            ("task", ("forget.delete_tasks", {"phrases": as_json(of_all), "uids": uids})),
        ]

    def all_of_the_user(self, user: str) -> list[tuple[str, Step]]:
        """Return a user's talk, sessions, turns and checkpoints as rows, since none of them is anybody else's."""
        said = self.db.read("forget.messages_of_user", {"user": user})
        self.receipt.messages = [f"msg_{row[0]}" for row in said]
        steps: list[tuple[str, Step]] = [("task", ("forget.delete_user_tasks", {"user": user}))]
        for table in ("conversation", "session", "activation", "transcript", *THREADS, "audience"):
            steps.append((table, (f"delete from {table} where user = :user", {"user": user})))
        return steps

    def threads_that_go(self) -> list[tuple[str, Step]]:
        """Return where the graphs of a program stand, if they hold the words."""
        found = self.db.rows("forget.threads", {"phrases": as_json(self.phrases), **self.heard})
        here = " and ".join(
            f"{name} = :{name}" for name in ("thread", "runtime", "user", "project")
        )
        steps = {table: f"delete from {table} where {here}" for table in THREADS}
        return [(table, (step, place)) for place in found for table, step in steps.items()]

    def messages_blanked(self) -> list[tuple[str, Step]]:
        """Blank messages, the archive that holds their parts, and what was told of them."""
        steps: list[tuple[str, Step]] = []
        archived: dict[int, set[int]] = {}
        for number, conversation, seq, segment, _ in self.messages:
            steps.append(("message", ("forget.blank_message", {"id": number, "parts": BLANK})))
            steps += self._summaries_blanked(conversation, seq)
            if segment is not None:
                archived.setdefault(segment, set()).add(number)
        if not self.messages:
            steps += self._summaries_blanked(-1, -1)
        for segment, numbers in archived.items():
            body = self.db.read("conversation.segment_body", {"id": segment})[0][0]
            step = {"id": segment, "body": _without(bytes(body), numbers)}
            steps.append(("segment", ("forget.rewrite_segment", step)))
        return steps

    def _summaries_blanked(self, conversation: int, seq: int) -> list[tuple[str, Step]]:
        there = {"conversation": conversation, "seq": seq, "phrases": as_json(self.phrases)}
        there |= self.heard
        return [
            ("summary", ("forget.blank_summaries", there)),
            ("summary_cache", ("forget.drop_cached_summaries", there)),
        ]

    def past_blanked(self) -> list[tuple[str, Step]]:
        """Return what the history says of the memories goes; what it says of others loses the words."""
        receipt, uids = self.receipt, as_json(self.receipt.uids)
        steps: list[tuple[str, Step]] = [
            ("change", ("forget.delete_history", {"uids": uids})),
            ("arrival", ("forget.delete_arrivals", {"uids": uids})),
            ("claim", ("forget.drop_claims", {"uids": uids})),
        ]
        wanted = {"phrases": as_json(self.phrases), "kept": as_json(receipt.left)}
        for number, told in self.db.read("forget.arrived", wanted):
            step = {"id": number, "changes": _blanked_changes(told, self.phrases)}
            steps.append(("arrival", ("forget.blank_arrival", step)))
        past = {**wanted, "kept": as_json([*receipt.left, *receipt.uids]), **self.seen}
        for number, before, after, why in self.db.read("forget.past", past):
            step = {
                "id": number,
                "before": _blanked(before, self.phrases),
                "after": _blanked(after, self.phrases),
                "reason": _taken_out(why, self.phrases),
            }
            steps.append(("change", ("forget.blank_change", step)))
        return steps


THREADS = ("checkpoint", "checkpoint_value", "checkpoint_write")
# What a person wrote. Numbers, names of states and the like stay, whatever word they happen to be.
_WRITTEN = frozenset(
    "content key tags terms data path_glob archive_reason topic outcome session_name context steps meaning"
    " description pattern example counter_example".split()
)


def _blanked(row: str | None, phrases: Sequence[str]) -> str | None:
    """Return what a change says of a row, without the words: in what a person wrote, and never in a column's name."""
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
    """Return the same of what an act of another file said of a memory."""
    rows = []
    for record, action, before, after in json.loads(told):
        rows.append([record, action])
        for side in (before, after):
            blank = None if side is None else _blanked(as_json(side), phrases)
            rows[-1].append(None if blank is None else json.loads(blank))
    return as_json(rows)


def _taken_out(text: str, phrases: Sequence[str]) -> str:
    """Return a text without these phrases, whatever their case."""
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


def _without(body: bytes, numbers: set[int]) -> bytes:
    """Return the archive of a stretch with some messages blank; the other lines stay byte for byte."""
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


def beside_it(path: str) -> list[str]:
    """Return files beside a memory whose names say that they are copies of it: they keep what they hold."""
    if path == ":memory:":
        return []
    folder, name = os.path.split(os.path.abspath(path))
    return [
        os.path.join(folder, other)
        for other in sorted(os.listdir(folder))
        if other.startswith(name + ".")
        and not other.endswith(".lock")  # who has it, and no content
        and os.path.isfile(os.path.join(folder, other))
    ]


def _phrases(texts: Iterable[str]) -> list[str]:
    """Return what to look for elsewhere: each text, also without the dates that were put behind its words."""
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


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
