"""Writes notes: down the one write path, as one run, in the place of the lines that rules had made.

A note that says what another session's says strengthens that one and is tied to its message; one that says
what became of it puts it away. What is put away stays in the history, and undo brings it back.
"""

from __future__ import annotations

from contextlib import contextmanager

from cogmem.errors import CapacityReached, Conflict, GuardRefused, InvalidInput
from cogmem.language.contradiction import denied, difference
from cogmem.language.judge import judge
from cogmem.language.passages import names_in
from cogmem.language.similarity import exact_cosine
from cogmem.noted.evidence import numbers
from cogmem.noted.note import SORTS
from cogmem.noted.search import telling_match
from cogmem.records import Draft, json_list
from cogmem.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.file.db import Step
    from cogmem.noted.note import Note, Stages
    from cogmem.noted.shown import Part
    from cogmem.records import Learned
    from cogmem.space import Space

REFUSALS = (CapacityReached, Conflict, GuardRefused, InvalidInput)
ALIKE = 8  # lines that one note is compared with
SAME = 0.72  # likeness of words from which on two notes say the same, if neither denies the other
EVIDENCE = 3  # messages that one note is tied to
TAGS = 6


class Run:
    """One run of a model's notes: what it writes is one act, and nobody writes the same twice."""

    def __init__(self, space: Space, stages: Stages, *, run: str, at: int, by: str) -> None:
        self.space = space
        self.stages = stages
        self.run = run
        self.at = at
        self.by = by

    @contextmanager
    def once(self, job: str, period: str) -> Iterator[None]:
        """Write what is within as one run; a second one of the same period raises Conflict."""
        self.space.store.counter.count("")  # it loads its table now, and not while others wait
        with self.space.db.together(run=self.run):
            opened = {"uid": self.run, "job": job, "period": period, "now": self.at}
            try:
                self.write(("noted.open_run", opened))
            except InvalidInput as error:
                raise Conflict("another process has left notes of this already") from error
            yield
            self.write(("noted.close_run", {"uid": self.run, "now": self.at}))

    def learn(
        self, sort: str, text: str, place: Mapping[str, str], session: str, said_at: int,
        names: Sequence[str], message: int, **data: str,
    ) -> Learned:  # fmt: skip
        """Write a note down the one write path."""
        told = {
            "noted": sort,
            "by": self.by,
            "who": "noted",
            "chance": 0.6,
            "message": f"msg_{message}",
        }
        draft = Draft(
            text,
            SORTS[sort],
            Scope(place["runtime"], place["user"], place["project"], ""),
            source="inferred",
            tags=list(dict.fromkeys([*names, *names_in(text)]))[:TAGS],
            data={**told, **data},  # the words are a model's, and nobody is quoted
            detail={"session_name": session, "happened_at": said_at},
            said_at=said_at,
        )
        return self.stages.learn(draft, self.at)

    def bear_out(self, uid: str, messages: Sequence[int]) -> None:
        """Tie a note to the messages that say so."""
        for message in messages:
            self.write(("jobs.bear_out", {"uid": uid, "message": message, "now": self.at}))

    def put_away(self, uid: str, reason: str) -> None:
        """Archive a note that another one stands in the place of."""
        step = {"uid": uid, "state": "archived", "now": self.at, "archived_at": self.at}
        self.write(("store.set_state", {**step, "archive_reason": reason}))

    def write(self, step: Step) -> Any:
        """Write one step of the run."""
        return self.space.db.write([step], verb="notes", actor=self.space.actor, at=self.at)


class Keeper(Run):
    """One run over one part of a session."""

    def __init__(
        self, space: Space, stages: Stages, talk: Conversation, branch: str, *, run: str, at: int, by: str,
    ) -> None:  # fmt: skip
        super().__init__(space, stages, run=run, at=at, by=by)
        self.talk = talk
        self.branch = branch.removeprefix("branch ")  # that the session's folder was on
        self.uids: list[str] = []
        self.replaced: list[str] = []

    def keep(self, notes: Sequence[Note], part: Part, mark: str) -> None:
        """Write what still stands; the part is read, whatever it left."""
        db, place = self.space.db, self.talk.place
        with self.once("notes", mark):
            stands = {one.id: one.text for one in self.talk.messages(part.lines[0].message.seq)}
            if any(stands.get(line.message.id) != line.message.text for line in part.lines):
                raise Conflict("it was changed or forgotten while the model read it")
            for note in notes:
                if note.outcome:
                    continue
                try:
                    with db.together():
                        self._keep(note, SORTS[note.sort])
                except REFUSALS as refusal:
                    note.drop("refused", str(refusal))
            fresh = {"begin": part.fresh, "end": part.end, "now": self.at}
            if self.uids:
                written = self.write(
                    ("noted.give_way", {**place, **fresh, "uids": json_list(self.uids)})
                )
                self.replaced = [row[0] for row in written.rows[0]]
                done = [
                    (note.text, note.names) for note in notes if note.uid and note.sort != "open"
                ]
                self.stages.close(self.talk, done, self.at)
            self.write(("noted.read_to", {**place, "end": part.end}))

    def _keep(self, note: Note, kind: str) -> None:
        message = note.cited[-1].message
        said_at = max(_instant(line.message) for line in note.cited)
        borne = [line.message.id for line in note.cited[-EVIDENCE:]]
        found = self._others(note.text)
        for uid, its, content in found:
            if its == kind and _says_the_same(content, note.text):
                self.write(("store.reinforce", {"uid": uid, "now": self.at}))
                self.bear_out(uid, borne)
                note.outcome, note.uid = "again", uid
                self.uids.append(uid)
                return
        on = {"branch": self.branch} if self.branch else {}
        learned = self.learn(
            note.sort, note.text, self.talk.place, self.talk.name, said_at, [*on.values(), *note.names], message.id,
            **on,
        )  # fmt: skip
        if not learned.uid:
            note.drop("refused", "; ".join(learned.notes))
            return
        note.outcome, note.uid = "kept", learned.uid
        self.uids.append(learned.uid)
        self.bear_out(learned.uid, borne)
        for uid, _, content in found:
            judged = judge(content, note.text)
            if judged is not None and judged.replaces:
                self.put_away(uid, f"replaced by {learned.uid}")
        if note.sort == "wish":
            typed = [line.message.id for line in note.cited if line.message.role == "user"]
            if typed:
                self.stages.said(self.talk, note.text, typed[-1], self.at)

    def _others(self, text: str) -> list[tuple[str, str, str]]:
        """Return lines that other sessions left and that share telling words, the likest first."""
        match = telling_match(self.space.db, text)
        if not match:
            return []
        asked = {**self.talk.place, "match": match, "limit": ALIKE, "now": self.at}
        return [(uid, kind, text) for uid, kind, text in self.space.db.read("noted.alike", asked)]


def _says_the_same(held: str, said: str) -> bool:
    """Tell whether two notes say the same in nearly the same words: as many denials, the same names and numbers."""
    if judge(held, said) is not None:
        return False
    return difference(held, said) is None or (
        exact_cosine(held, said) >= SAME
        and set(names_in(held)) == set(names_in(said))
        and len(denied(held)) == len(denied(said))
        and numbers(held) == numbers(said)
    )


def _instant(message: Any) -> int:
    return int(message.at.timestamp() * 1000)
