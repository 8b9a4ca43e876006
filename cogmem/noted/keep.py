"""Writes notes: down the one write path, as one run, in the place of the lines that rules had made.

A note that says what another session's says strengthens that one and is tied to its message; one that says
what became of it puts it away. What is put away stays in the history, and undo brings it back.

Two notes of a kind that are at rest, share a name and speak alike wait for the model, a few pairs a night. The one
that it makes of them counts only if nothing is lost or added: each number, each name, nearly every telling
word and each denial of both stand in the one, and its own in the two. Otherwise both stay, and nobody asks again.
"""

from __future__ import annotations

import json
from contextlib import contextmanager

from cogmem.errors import REFUSALS, Conflict, InvalidInput
from cogmem.guard import guard
from cogmem.language.contradiction import denied, difference
from cogmem.language.judge import judge
from cogmem.language.passages import names_in
from cogmem.language.similarity import exact_cosine
from cogmem.noted.evidence import numbers, unsaid
from cogmem.noted.note import LONGEST, SHORTEST, SORTS
from cogmem.records import Draft, json_list
from cogmem.scope import Scope
from cogmem.strength import DAY_MS
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.file.db import Database, Step
    from cogmem.noted.note import Note, Stages
    from cogmem.noted.shown import Part
    from cogmem.records import Learned
    from cogmem.space import Space

ALIKE = 8  # lines that one note is compared with
SAME = 0.72  # likeness of words from which on two notes say the same, if neither denies the other
EVIDENCE = 3  # messages that one note is tied to
TAGS = 6
REST = 7 * DAY_MS  # ms without news of its matter, after which a note is at rest
NEAR = 0.45  # likeness from which two notes that share a name speak of one matter
KEPT = 0.75  # share of the telling words of each note that the joined one must have, and the other way round
PAIRS = 3  # of a night
WORDS = 8  # of a statement, its rarest ones, by which others that speak of the same are found
COMMON = 300  # a word in more memories than this is not searched for, unless there is no other
RARE = 32  # memories in which a word that is not among the common ones is taken to stand


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
        told = {"noted": sort, "by": self.by, "who": "noted", "chance": 0.6}
        told["message"] = f"msg_{message}"
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
        step = {"uid": uid, "state": "archived", "reason": reason, "now": self.at}
        self.write(("store.set_state", step))

    def write(self, step: Step) -> Any:
        """Write one step of the run."""
        return self.space.db.write([step], verb="notes", at=self.at)


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
                gives_way = {**place, **fresh, "uids": json_list(self.uids)}
                self.replaced = [
                    row[0] for row in self.write(("noted.give_way", gives_way)).rows[0]
                ]
                ended = [note for note in notes if note.uid and note.sort != "open"]
                done = [(note.text, note.names) for note in ended]
                self.stages.close(self.talk, done, self.at)
            self.write(("noted.read_to", {**place, "end": part.end}))

    def _keep(self, note: Note, kind: str) -> None:
        message = note.cited[-1].message
        said_at = max(int(line.message.at.timestamp() * 1000) for line in note.cited)
        borne = [line.message.id for line in note.cited[-EVIDENCE:]]
        match = _match(self.space.db, note.text)
        asked = {**self.talk.place, "match": match, "limit": ALIKE, "now": self.at}
        found = self.space.db.read("noted.alike", asked) if match else []
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


# -- two in one ------------------------------------------------------------------------------------


def pairs(space: Space, at: int) -> Iterator[tuple[str, list[str]]]:
    """Yield two notes each that the model has not been asked to join: their project and uids, the older first."""
    owner = {"runtime": space.scope.runtime, "user": space.scope.user}
    found = space.db.read("noted.rested", {**owner, "before": at - REST})
    rested = {row[0]: row for row in found}
    taken: set[str] = set()
    for uid, project, content, sort, session, _ in found:
        match = _match(space.db, content) if uid not in taken else ""
        where = {**owner, "project": project, "name": session}
        asked = {**where, "match": match, "limit": ALIKE, "now": at}
        for other, *_ in space.db.read("noted.alike", asked) if match else ():
            if other not in rested or other in taken or rested[other][3] != sort:
                continue
            two = [other, uid] if rested[other][5] <= rested[uid][5] else [uid, other]
            held = rested[other][2]
            is_alike = not set(names_in(held)).isdisjoint(names_in(content))
            is_tried = space.db.read("noted.is_tried", {"period": " ".join(two)})[0][0]
            if is_alike and exact_cosine(held, content) >= NEAR and not is_tried:
                taken.update(two)
                yield project, two
                break
        if len(taken) >= 2 * PAIRS:
            return


def both(space: Space, uids: list[str], place: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the two as they stand now; fewer where one of them changed meanwhile."""
    rows = space.db.rows("noted.both", {**place, "uids": json_list(uids)})
    return [dict(row) for row in rows]


def loss(one: str, other: str, joined: str) -> str:
    """Return why a text does not stand for two notes; '' if it does."""
    if not SHORTEST <= len(joined) <= LONGEST:
        return "it is too short or too long"
    whole = f"{one}\n{other}"
    if any(unsaid(held, joined, joined, joined, share=KEPT) for held in (one, other)):
        return "it loses something of them"
    return "it adds something to them" if unsaid(joined, whole, whole, whole, share=KEPT) else ""


def join(run: Run, two: list[dict[str, Any]], answer: str, place: Mapping[str, str]) -> str:
    """Put one note in the place of two; returns its uid, or '' where both stay."""
    older, newer = two
    joined = one_line(guard.normalise(answer)).strip('`"“” ')
    is_kept = not loss(older["content"], newer["content"], joined)
    messages = [*json.loads(older["messages"]), *json.loads(newer["messages"])]
    names = [name for one in (newer, older) for name in one["tags"].split("\n") if name]
    kept = ""
    with run.once("join", f"{older['uid']} {newer['uid']}"):
        if both(run.space, [older["uid"], newer["uid"]], place) != two:
            raise Conflict("one of the two was changed or forgotten while the model was asked")
        if is_kept and messages:
            try:
                with run.space.db.together():
                    learned = run.learn(
                        newer["sort"], joined, place, newer["session"], newer["at"], names, messages[-1],
                    )  # fmt: skip
                    kept = learned.uid
                    run.bear_out(kept, messages)
                    for one in two:
                        if kept and one["uid"] != kept:
                            run.put_away(one["uid"], f"joined in {kept}")
            except REFUSALS:
                kept = ""
    return kept


def _match(db: Database, content: str) -> str:
    """Return a full-text query for the rarest words of a statement."""
    text = content[:4000]
    # FTS5 stems what it is asked for, so it gets the words; the stems say how common they are.
    words = dict(zip(db.stems(text), db.words(text), strict=True))
    common = dict(db.read("memories.common", {"terms": json_list(words)}))
    ranked = sorted(words, key=lambda stem: (common.get(stem, RARE), -len(stem)))
    chosen = [stem for stem in ranked[:WORDS] if common.get(stem, RARE) <= COMMON]
    if not chosen and ranked:  # common words only: together they are rare
        return " AND ".join(f'"{words[stem]}"' for stem in ranked[:4])
    return " OR ".join(f'"{words[stem]}"' for stem in chosen)
