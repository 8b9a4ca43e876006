"""Hears what old talk would teach: all of it while it is recorded, the best of it once all is there.

A backfill records years at once. What each message that a person typed would teach is gathered and compared with the
rest: what was said in several sessions comes first, then standing orders, then what is likeliest to last, the latest
of it. Of that the best few are learned, the oldest first, as candidates that wait for one look. Nothing of it
confirms or ends anything.
"""

from __future__ import annotations

from json import dumps

from cogmem.hear.hearing import Hearing
from cogmem.hear.proposals import draft_of
from cogmem.hear.said import checksums, earlier, worth_of
from cogmem.language.telling import telling_apart
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from cogmem.hear.capture import Captured
    from cogmem.hear.proposals import Read
    from cogmem.records import Draft, Learned
    from cogmem.scope import Scope
    from cogmem.store.store import Store

SPARE = 10  # that are learned beyond what may wait: some say otherwise than a later one


class _Found(NamedTuple):
    """What one message would teach."""

    draft: Draft
    conversation: int
    seq: int
    session: str
    at: int
    chance: float


class OldTalk(Hearing):
    """What one call of a backfill hears."""

    def __init__(
        self,
        store: Store,
        read: Read,
        learn: Callable[[Draft, int], Learned],
        *,
        batch: str,
        now: int,
    ) -> None:
        super().__init__(store, learn, now)
        self._read = read
        self._batch = batch
        self._found: list[_Found] = []

    def hear(
        self,
        conversation: int,
        session: str,
        scope: Scope,
        rows: Sequence[Mapping[str, Any]],
        first: int,
    ) -> None:
        """Hear messages of a conversation that were just recorded from the place `first` on."""
        stated: list[list[int]] = []
        words: list[list[int]] = []
        before = ""
        for seq, row in enumerate(rows, first):
            text = row["text"]
            is_typed = row["role"] == "user" and not row["origin"]
            said = self.store.without_echo(text)[0] if is_typed else ""
            proposed: list[Captured] = []
            if said:
                proposed, statements = self._read(said, "user", False, before)
                for it in statements if said == text else ():
                    told = checksums(it.words)
                    stated.append([seq, it.start, it.end, worth_of(it.chance), len(told)])
                    words += [[seq, it.start, word] for word in told]
            for one in proposed:
                draft = draft_of(one, scope, at=row["at"], session=session, before=before)
                if draft is not None and not draft.only_corrects:
                    place = (conversation, seq, session, row["at"], one.confidence)
                    self._found.append(_Found(draft, *place))
            before = text or before
        here = {"conversation": conversation}
        steps: list[Any] = [
            ("said.add_many", {**here, "rows": dumps(stated)}),
            ("said.add_words_of_many", {**here, "rows": dumps(words)}),
        ]
        upto = {**here, "upto": first + len(rows)}
        self.write(*(steps if stated else ()), ("jobs.read_up_to", upto))

    def propose(self, most: int) -> list[str]:
        """Learn the best of it as candidates; returns their uids, the best first."""
        learned: dict[str, int] = {}
        best = list(enumerate(self._best()))
        while best and len(learned) < most + SPARE:  # some turn out to say the same
            wanted = most + SPARE - len(learned)
            now, best = best[:wanted], best[wanted:]
            self._teach(sorted(now, key=lambda pair: pair[1].at), learned)
        return sorted(learned, key=learned.__getitem__)

    def _teach(self, found: list[tuple[int, _Found]], learned: dict[str, int]) -> None:
        for rank, one in found:
            draft = one.draft
            draft.state = "candidate"
            draft.data = {**(draft.data or {}), "batch": self._batch}
            uid = self.taught(draft, self._message(one))
            if uid:
                learned[uid] = min(rank, learned.get(uid, rank))

    def _best(self) -> list[_Found]:
        """Return what was found, the best first; what says the same comes once."""
        ranked = []
        for one in self._found:
            number = self._message(one)
            again = earlier(self.store, number, checksums(telling_apart(one.draft.content)))
            sessions = {saying.session for saying in again} | {one.session}
            is_told = one.draft.source == "user_explicit"
            order = (len(sessions), is_told, one.draft.priority or 0, one.chance, one.at)
            ranked.append((order, number, {saying.message for saying in again}, one))
        ranked.sort(key=lambda row: row[0], reverse=True)
        taken: list[_Found] = []
        places: set[int] = set()
        for _, number, same, one in ranked:
            if places.isdisjoint(same):
                taken.append(one)
                places.add(number)
        return taken

    def _message(self, one: _Found) -> int:
        place = {"conversation": one.conversation, "seq": one.seq}
        return int(self.store.db.read("said.message_at", place)[0][0])
