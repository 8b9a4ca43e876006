"""The conversation record: append-only messages with absolute numbers, nothing ever lost.

What is said passes the guard, is counted, and is found by the search that finds memories. A message that the host
changes gets a new version, one that it takes back a version without parts. Archived messages keep their text here
and their parts in a segment. What is made of the record works on a `Talk`; the verbs are those of `Conversation`.
"""

from __future__ import annotations

from cogmem.conversation.parts import WITHDRAWN, Stored, lean, sound, told
from cogmem.conversation.policy import SummaryPolicy
from cogmem.conversation.segment import parts_in_segments
from cogmem.errors import CogmemError, Conflict, InvalidInput
from cogmem.guard import guard
from cogmem.guard.glance import refuse_secret
from cogmem.language.cue import message_words
from cogmem.named import NamedTuple
from cogmem.records import Record
from cogmem.text.cell import every_list, listed
from cogmem.text.lines import line, one_line, storable
from cogmem.tokens.counting import estimate_message, message_tokens, text_message_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.conversation.background import Background
    from cogmem.conversation.parts import Content
    from cogmem.file.db import Database, Step
    from cogmem.ports import Model
    from cogmem.scope import Scope
    from cogmem.space import Instant
    from cogmem.store.store import Store
    from cogmem.tokens.counting import TokenCounter

    Entry = tuple[str, Content, str | None, int, str | None]


class Message(Record):
    """One message as it stands in the record."""

    id: int
    seq: int
    version: int
    role: str
    speaker: str
    parts: list[dict[str, Any]]
    text: str
    tokens: int | None
    origin: str
    segment_id: int | None
    at: datetime

    def __init__(self, row: tuple[Any, ...], parts: str | None) -> None:
        number, seq, version, role, speaker, _, text, tokens, origin, segment, at, _, _ = row
        # Another client may have written what is not part; what it says in words is still there.
        said = sound(listed(parts), text) if parts is not None else [{"type": "text", "text": text}]
        super().__init__(
            number, seq, version, role, speaker, said, text, tokens, origin, segment, at
        )

    def as_message(self) -> dict[str, Any]:
        """Role and parts, as a host sends them."""
        return {"role": self.role, "parts": self.parts}

    def as_said(self) -> dict[str, Any]:
        """Return the same with who said it, where that is not the role."""
        return {**self.as_message(), "speaker": self.speaker if self.speaker != self.role else ""}

    def told(self) -> str:
        """Return everything in it as text."""
        return told(self.parts)


class State(NamedTuple):
    """Where a conversation stands: its number and its cursors."""

    id: int
    next_seq: int
    hot_start_seq: int
    ingested_seq: int
    title: str
    created_at: int


class Talk:
    """What was said in one conversation of one scope: written, changed and read."""

    def __init__(
        self,
        store: Store,
        name: str,
        scope: Scope,
        instant: Callable[[Instant], int],
        *,
        policy: SummaryPolicy | Mapping[str, Any] | None = None,
        model: Model | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise InvalidInput("a conversation needs a name: pass the host's id for it")
        self.store = store
        self.db = store.db
        self.name = guard.normalise(name)
        self.scope = scope
        self.instant = instant
        self.policy = (
            policy if isinstance(policy, SummaryPolicy) else SummaryPolicy().replacing(policy or {})
        )
        self.model = model
        self.background: Background | None = None  # where summaries are made after a save
        self.place = {**scope.place(), "name": self.name}
        self._is_open = False

    # -- writing ---------------------------------------------------------------------------------

    def append(
        self,
        role: str,
        content: Content,
        *,
        speaker: str | None = None,
        at: Instant = None,
        origin: str | None = None,
        counted: bool = True,
        uid: str | None = None,
    ) -> int:
        """Record one message; returns its seq, its place in the conversation.

        role: user, assistant, system or tool
        content: text, or a list of parts
        speaker: who said it, where several speak in one role
        at: when it was said; default: now
        origin: where it comes from, where that is not its role
        counted: False: its tokens are counted later, which a process that lives for milliseconds wants
        uid: a name of the message; one name is never recorded twice, so it may be sent again

        >>> mem.conversation("talk").append("user", "And tomorrow?")
        2
        """
        row = self.row(role, content, speaker, self.instant(at), origin, counted=counted)
        if uid is None:
            return self.append_rows([row])[0]
        row["uid"] = storable(uid, "the uid")
        refuse_secret("uid", uid)
        if (seq := self._recorded(uid)) is not None:
            return seq
        try:
            return self.append_rows([row])[0]
        except CogmemError:
            if (seq := self._recorded(uid)) is None:
                raise
            return seq  # the same message, sent at the same time

    def _recorded(self, uid: str) -> int | None:
        found = self.db.rows("conversation.place_of", {"uid": uid})
        if not found:
            return None
        seq = found[0].pop("seq")
        if found[0] != self.place:
            raise InvalidInput(
                "a message of this uid is in another conversation: give each message its own"
            )
        return int(seq)

    def extend(
        self, entries: Iterable[Entry], *, counted: bool = True, held: int | None = None
    ) -> list[int]:
        """Record several messages in one transaction; returns their places.

        entries: role, content, speaker or None, the instant in ms, origin or None, of each
        counted: whether tokens are counted at once
        held: only if the conversation has so many messages by then; otherwise Conflict is raised

        >>> mem.conversation("lunch").extend([("user", "Hungry?", None, 1_800_000_000_000, None)])
        [0]
        """
        given = list(entries)
        if not all(isinstance(entry, (tuple, list)) and len(entry) == 5 for entry in given):
            raise InvalidInput(
                "a message to record is (role, content, speaker, at in milliseconds, origin): `save` takes"
                " messages as a model does"
            )
        rows = [self.row(*entry, counted=counted) for entry in given]
        if held is None or not rows:
            return self.append_rows(rows) if rows else []
        with self.db.together():
            state = self.state()
            if held != (state.next_seq if state else 0):
                raise Conflict(f"conversation {self.name} grew while more was read: try again")
            return self.append_rows(rows)

    def edit(self, seq: int, content: Content | None, *, at: Instant = None) -> int:
        """Put a new version at a place; returns its number. The one before it stays in `versions`.

        seq: the place of the message
        content: what it says now; None: the host takes the message back
        at: when it was changed; default: now

        >>> mem.conversation("talk").edit(1, "Lentil soup.")
        2
        """
        state = self.state()
        place = {"id": state.id if state else -1, "seq": seq}
        versions = self.db.read("conversation.versions", place)
        if not versions or state is None:
            raise InvalidInput(f"conversation {self.name} has no message {seq}: nothing to edit")
        now = self.instant(at)
        _, _, _, role, speaker, *_ = versions[-1]
        row = None if content is None else self.row(role, content, speaker, now, None, counted=True)
        written = self.db.write(self.edit_steps(state.id, seq, row, now), verb="edit", at=now)
        version: int = written.rows[1][0][0]
        return version

    def entitle(self, title: str) -> None:
        """Give the conversation a title that people see in lists.

        title: one line

        >>> mem.conversation("talk").entitle("What is for lunch")
        """
        state = self.state()
        if state is not None:
            clean = guard.apply(one_line(guard.normalise(title)), guard.POLICIES["record"]).text
            step = ("conversation.entitle", {"id": state.id, "title": clean[:200]})
            self.db.write([step], verb="record", at=self.instant(None))

    def clear(self, *, reason: str) -> int:
        """Forget the whole conversation for good; returns how many places it had.

        >>> mem.conversation("talk").clear(reason="it was a trial")
        2
        """
        state = self.state()
        if state is None:
            return 0
        step = ("conversation.forget", {"id": state.id})
        self.db.write([step], verb="forget", at=self.instant(None), reason=reason)
        self._is_open = False
        return state.next_seq

    # -- reading ---------------------------------------------------------------------------------

    def __len__(self) -> int:
        state = self.state()
        return len(self.db.read("conversation.hashes", {"id": state.id})) if state else 0

    def messages(self, start: int = 0, end: int | None = None) -> list[Message]:
        """Return messages as they read now, in order.

        start: the first place
        end: the place behind the last one; None: to the end

        >>> [said.text for said in mem.conversation("talk").messages()]
        ['What is for lunch?', 'Soup.']
        """
        state = self.state()
        if state is None:
            return []
        bounds = {"id": state.id, "start": max(start, 0), "end": 2**62 if end is None else end}
        return self.read(self.db.read("conversation.range", bounds))

    def recent(self, count: int = 50) -> list[Message]:
        """Return the last messages, in order.

        count: how many

        >>> [said.role for said in mem.conversation("talk").recent(1)]
        ['assistant']
        """
        state = self.state()
        if state is None:
            return []
        bounds = {"id": state.id, "end": 2**62, "count": count if count > 0 else 50}
        return self.read(reversed(self.db.read("conversation.before", bounds)))

    def versions(self, seq: int) -> list[Message]:
        """Return everything that ever stood at one place; a version without parts took the message back.

        seq: the place of the message

        >>> len(mem.conversation("talk").versions(0))
        1
        """
        state = self.state()
        place = {"id": state.id if state else -1, "seq": seq}
        return self.read(self.db.read("conversation.versions", place))

    # -- for other stages ------------------------------------------------------------------------

    def take(self, ready: Iterable[Mapping[str, Any]]) -> list[int]:
        """Record messages that `ready` made, here or in another process, in one transaction."""
        own = {**self.place, "tokens": None, "whole_tokens": None, "token_counter": ""}
        rows = [{**own, **one} for one in ready]
        return self.append_rows(rows) if rows else []

    def append_rows(self, rows: list[dict[str, Any]], seen: State | None = None) -> list[int]:
        """Write prepared rows; `seen`: only if the record is still as it was read."""
        last = rows[-1]["at"]
        for _ in range(2):
            steps = in_bulk(self.db, self.append_steps(rows), self.place, len(rows))
            if seen is not None:
                steps.insert(0, ("conversation.still", {"id": seen.id, "next_seq": seen.next_seq}))
            elif not self._is_open:
                steps.insert(0, ("conversation.open", {**self.place, "now": last}))
            written = self.db.write(steps, verb="record", at=last)
            seqs = [found[0][0] for found in written.rows if found]
            if len(seqs) == len(rows):
                self._is_open = True
                if len(rows) >= SWELLS:
                    self.db.shrink()
                return seqs
            self._is_open = False  # it was forgotten since it was opened here
        raise Conflict(f"conversation {self.name} was removed while it was written: try again")

    def append_steps(self, rows: list[dict[str, Any]]) -> list[Step]:
        """Return steps that append prepared rows and move the cursor."""
        if not rows:
            return []
        steps: list[Step] = [
            ("conversation.append", {**row, "ahead": ahead}) for ahead, row in enumerate(rows)
        ]
        return [*steps, ("conversation.advance", {**self.place, "count": len(rows)})]

    def edit_steps(self, number: int, seq: int, row: dict[str, Any] | None, now: int) -> list[Step]:
        """Return steps that put a version at a place; no row: one that says the host took it back."""
        place = {"id": number, "seq": seq}
        if row is None:
            role = self.db.read("conversation.versions", place)[-1][3]
            row = {**self.row(role, "", None, now, "withdrawn", counted=True), "parts": WITHDRAWN}
        row = {name: value for name, value in row.items() if name not in self.place}
        return [
            ("conversation.retire", place),
            ("conversation.edit", {**row, **place}),
            ("conversation.mark_stale", place),
            ("conversation.forget_cached", place),
        ]

    def row(
        self,
        role: str,
        content: Content,
        speaker: str | None,
        at: int,
        origin: str | None,
        *,
        counted: bool,
    ) -> dict[str, Any]:
        """Return the columns of a message: its secrets taken out, its tokens counted."""
        form = Stored(role, speaker or "", content, guarded=True)
        tokens = whole = None
        if counted:
            tokens, whole = self.counts(role, form.speaker, form.text, form.parts)
        return {
            **self.place,
            **_columns(form, role, origin, at),
            "tokens": tokens,
            "whole_tokens": whole,
            "token_counter": self.store.counter.name if counted else "",
        }

    def counts(
        self, role: str, speaker: str, text: str, parts: Sequence[Mapping[str, Any]]
    ) -> tuple[int, int]:
        """Tokens of a message's rendered line, and of all of it in a window."""
        counter = self.store.counter
        tokens = counter.count(line(f"{speaker or role}: {one_line(text)}"))
        return tokens, whole_tokens({"role": role, "parts": parts}, counter)

    def read(self, rows: Iterable[tuple[Any, ...]]) -> list[Message]:
        """Return messages from rows, the parts of archived ones taken from their segments."""
        found = list(rows)
        archived = {row[9] for row in found if row[5] is None}
        parts = parts_in_segments(self.db, archived) if archived else {}
        return [Message(row, row[5] if row[5] is not None else parts.get(row[0])) for row in found]

    def state(self) -> State | None:
        """Number and cursors; None before the first message."""
        rows = self.db.read("conversation.find", self.place)
        return State(*rows[0]) if rows else None

    def contents(self, count: int | None = None) -> list[list[dict[str, Any]]]:
        """Return the parts of all messages, or of the last ones, in order: quicker than whole messages."""
        state = self.state()
        if state is None:
            return []
        limit = -1 if count is None else count
        rows = self.db.read("conversation.contents", {"id": state.id, "limit": limit})
        archived = {row[2] for row in rows if row[1] is None}
        kept = parts_in_segments(self.db, archived) if archived else {}
        texts = [row[1] if row[1] is not None else kept.get(row[0], "") for row in reversed(rows)]
        words = (row[3] for row in reversed(rows))
        return [sound(parts, text) for parts, text in zip(every_list(texts), words, strict=True)]

    def count_turns(self) -> int:
        """Tell how many messages of the user stand in it."""
        return int(self.db.read("conversation.turns", self.place)[0][0])


def ready(entry: Entry) -> dict[str, Any]:
    """Return what a message is in the record wherever it goes: its secrets taken out, its words to be searched. No
    database is asked, so that other processes can do it; `Talk.take` records it, and its tokens are counted later."""
    role, content, speaker, at, origin = entry
    return _columns(Stored(role, speaker or "", content, guarded=True), role, origin, at)


def _columns(form: Stored, role: str, origin: str | None, at: int) -> dict[str, Any]:
    return {
        "role": role,
        "speaker": form.speaker,
        "parts": lean(form.parts),
        "text": form.text,
        "terms": message_words(form.text),
        "asks": int("?" in form.text[-30:] or "？" in form.text[-30:]),
        "content_hash": form.hash,
        "uid": None,
        "origin": "" if origin is None or origin == role else origin,
        "at": at,
    }


def whole_tokens(message: Mapping[str, Any], counter: TokenCounter) -> int:
    """Return what a message costs in a window, by the rule that belongs to the counter."""
    if counter.name == "cjk":
        return text_message_tokens(message, counter)
    return (estimate_message if counter.name == "typed" else message_tokens)(message, counter)


# -- many messages at once -------------------------------------------------------------------------
# FTS5 writes its pending words out with every statement of a trigger, so indexing message by message costs twice
# what recording it costs. A bulk puts the two triggers to rest, which nobody else can see before the transaction
# ends, does their work for all messages at once, and brings them back. If the search index has other triggers than
# those known here, nothing is put to rest.

WORTH_IT = 200  # messages
SWELLS = 2_000  # messages from which the index keeps so much that each later write is slower
_KNOWN = ["message_ai_search", "message_place_ai"]
_AFTER = (
    "conversation.place_many",
    "conversation.index_many",
    "conversation.count_many",
    "conversation.name_many",
)


def in_bulk(
    db: Database, steps: Sequence[Step], place: Mapping[str, str], count: int
) -> list[Step]:
    """Return the steps that append `count` messages and move the cursor, indexed as one."""
    if count < WORTH_IT:
        return list(steps)
    triggers = db.read("conversation.insert_triggers")
    if [name for name, _ in triggers] != _KNOWN:
        return list(steps)
    owner = {name: value for name, value in place.items() if name != "name"}
    return [
        *((f"drop trigger {name}", {}) for name in _KNOWN),
        *steps,
        ("conversation.hear_many", owner),
        *((name, {**place, "count": count}) for name in _AFTER),
        ("conversation.forget_empty_audience", owner),
        *((text, {}) for _, text in triggers),
    ]
