"""A model leaves notes of a session: `mem.notes`.

One job, at a session's end or at night, and only where a person turned a model on: it reads what was said and
leaves at most eight notes: what was decided or turned down and why, a cause that was found, a wish of the
person, a way that worked, what is open. Each names its messages, is checked against them without the model,
and takes the place of the lines that rules had made of the same talk. One run is one act: undo takes it back.
"""

from __future__ import annotations

import json

from cogmem.errors import CapacityReached, Conflict, InvalidInput, ModelFailed, NotRecorded
from cogmem.models import prompts
from cogmem.models.answer import read
from cogmem.noted import evidence
from cogmem.noted.keep import Keeper, Run, both, join, pairs
from cogmem.noted.note import LONGEST, MOST, SCHEMA, SHORTEST, SORTS, TELLING, Note, note_of
from cogmem.noted.note import Noted as Noted
from cogmem.noted.note import Question as Question
from cogmem.noted.shown import Part, lines, parts
from cogmem.ports import about
from cogmem.records import in_iso, json_numbers, most_rows, new_uid
from cogmem.scope import Scope
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.night.tasks import Task
    from cogmem.noted.note import Stages
    from cogmem.noted.shown import Line
    from cogmem.ports import Model
    from cogmem.space import Instant, Space

ANSWER = 2_000  # tokens
WAIT = 180.0  # seconds of a call
ORDERS = ("policy", "preference", "convention", "workflow")  # heard as a standing wish


class Notes(Area):
    """Notes that a model leaves of sessions; without one there are none, and rules do as before."""

    def __init__(self, space: Space, stages: Stages) -> None:
        super().__init__(space)
        self._stages = stages

    def read(
        self,
        session: str,
        *,
        project: str | None = None,
        model: Model | None = None,
        now: Instant = None,
    ) -> Noted:
        """Let the model leave notes of what no notes were left of yet.

        session: its name
        project: of which project; default: the one at hand
        model: what reads it; default: the memory's model

        >>> mem.notes.read("monday").notes
        []
        """
        talk = self._talk(session, project)
        at = self.space.instant(now)
        return self._read(
            talk,
            at,
            lambda run: self._stages.capped("notes", at=at, model=model, run=run),
            self.space.scope.branch,
        ).closed()

    def shown(self, session: str, *, project: str | None = None) -> list[Question]:
        """Return the very texts that the model would be sent for a session; nothing is sent.

        session: its name
        project: of which project; default: the one at hand

        >>> mem.notes.shown("monday")
        []
        """
        talk = self._talk(session, project)
        _, found, _ = self._parts(talk)
        return [
            Question(system, said, about(system + said))
            for system, said in map(self._question, found)
        ]

    def _queue(self, purpose: str, subject: str, payload: dict[str, Any], at: int) -> str:
        return self._stages.queue(self.space.db, purpose, subject, payload, now=at)

    def _is_allowed(self) -> bool:
        settings = self.space.store.settings()
        return all(float(settings[f"model_calls_per_{span}"]) > 0 for span in ("day", "run"))

    def changed(self, *, limit: int = 100) -> list[dict[str, Any]]:
        """Return what notes changed, the latest first: by run and memory, what was added, strengthened and put away.

        limit: how many changes at most

        >>> mem.notes.changed()
        []
        """
        rows = self.space.db.rows(
            "noted.changed", {"limit": most_rows(limit), **self.space.scope.viewer()}
        )
        return [in_iso(row) for row in rows]

    def _scope(self, project: str | None) -> Scope:
        return self.space.scope.replacing(session="", project=project)

    def _is_private(self, project: str) -> bool:
        return project in self.space.store.settings().get("private_projects", "").split()

    def _talk(self, session: str, project: str | None) -> Conversation:
        """Return the session's conversation, of whoever opened the memory and nobody else."""
        scope = self._scope(project)
        if self._is_private(scope.project):
            raise InvalidInput(
                f"project {scope.project!r} is private: no model is shown anything of it "
                "(the setting private_projects names it)"
            )
        return self._stages.conversation(
            session, user=scope.user, project=scope.project, runtime=scope.runtime
        )

    def _parts(self, talk: Conversation) -> tuple[str, list[Part], list[Line]]:
        """Return the name under which its runs are kept, its unread parts, and all that is shown of it."""
        state = talk.state()
        if state is None:
            return "", [], []
        first = f"conversation {state.id} "
        found = talk.db.read("noted.read_up_to", {"talks": json_numbers([state.id])})
        start = found[0][1] if found else 0
        if start >= state.next_seq:
            return first, [], []
        shown = lines(talk.messages(), lambda text: self.space.store.without_echo(text)[0])
        return first, parts(shown, start), shown

    def _question(self, part: Part) -> tuple[str, str]:
        said = "\n".join(line.typed for line in part.lines if line.message.role == "user")
        asked = prompts.spoken("notes", said or part.told(), self.space.store.settings())
        return asked.filled(most=MOST), part.told()

    def _read(
        self, talk: Conversation, at: int, model: Callable[[str], Model | None], branch: str
    ) -> Noted:
        done = Noted(talk.name)
        first, waiting, shown = self._parts(talk)
        held = talk.db.read("noted.held", talk.place)[0][0] if waiting else 0
        room = MOST - int(held)
        for number, part in enumerate(waiting):
            system, said = self._question(part)
            run = new_uid("run")
            asked = model(run)
            try:
                if asked is None:
                    raise ModelFailed("there is no model: `cogmem model use` names one")
                done.calls += 1
                answer = asked.complete(
                    said, system=system, schema=SCHEMA, max_tokens=ANSWER, timeout=WAIT
                )
                found = self._understood(answer)
            except NotRecorded:
                raise
            except Exception as error:  # whatever a model's client raises: nothing is lost by it
                done.failed(error)
                break
            share = max(0, -(-room // (len(waiting) - number)))  # what it leaves is for the others
            self._check(found, part, shown, share)
            kept = Keeper(self.space, self._stages, talk, branch, run=run, at=at, by=asked.name)
            try:
                kept.keep(found, part, f"{first}{part.end:012d}")
            except Conflict as error:  # the next night reads what stands then
                for note in found:
                    note.drop("dropped", str(error))
                done.notes += found
                break
            done.notes += found
            done.replaced += kept.replaced
            room -= len(kept.uids)
            done.runs += [run] * bool(kept.uids)
        if done.fault and isinstance(done.error, CapacityReached):
            done.calls -= 1
        return done

    def _understood(self, answer: Any) -> list[Note]:
        """Return the notes in an answer; one that cannot be read is a fault of the model's."""
        if not isinstance(answer, str):
            raise ModelFailed("the model's answer is not text")
        items = read(answer, TELLING)
        if items is None:
            raise ModelFailed(
                "the model's answer holds no notes that can be read: it is asked again"
            )
        return [note for note in map(note_of, items) if note is not None]

    def _check(self, found: Sequence[Note], part: Part, shown: Sequence[Line], most: int) -> None:
        """Drop the notes of one part that its messages do not bear out, and those beyond `most`."""
        by_number = {line.message.seq: line for line in part.lines}
        rules = self._stages.listener().rules()
        for note in found:
            note.cite(by_number)
            is_order = note.sort == "wish" or any(
                one.kind in ORDERS for one in rules.match(note.text)
            )
            fault = (
                f"it is no {' and no '.join(SORTS)}" if note.sort not in SORTS
                else "it is too short or too long" if not SHORTEST <= len(note.text) <= LONGEST
                else evidence.fault(note.text, note.cited, shown, is_order=is_order)
            )  # fmt: skip
            if fault:
                note.drop("dropped", fault)
        for note in [note for note in found if not note.outcome][most:]:
            note.drop("dropped", f"a session leaves {MOST} notes at most")

    # -- for other stages --------------------------------------------------------------------------

    def wait(self, session: str, *, project: str | None = None, now: Instant = None) -> str:
        """Have a session wait for its notes; returns the task, '' where none is to be asked for."""
        settings = self.space.store.settings()
        scope = self._scope(project)
        if not self._is_allowed() or self._is_private(scope.project):
            return ""
        talk = self._talk(session, scope.project)
        if talk.count_turns() < int(float(settings["noted_turns"])) or not self._parts(talk)[1]:
            return ""
        at = self.space.instant(now)
        subject = json.dumps(
            [session, scope.project, scope.user, scope.runtime], ensure_ascii=False
        )
        payload = {"session": session, "project": scope.project, "branch": scope.branch}
        return self._queue("notes", subject, payload, at)

    def gather(self, *, now: Instant = None) -> int:
        """Have notes on one matter that weeks of sessions left wait to be joined; returns how many pairs."""
        if not self._is_allowed():
            return 0
        at = self.space.instant(now)
        waiting = [
            self._queue("join", " ".join(uids), {"notes": uids, "project": project}, at)
            for project, uids in pairs(self.space, at)
            if not self._is_private(project)
        ]
        return len(waiting)

    def joined(self, task: Task, model: Model) -> dict[str, Any]:
        """Return one note in the place of two: what a task of the night asks for."""
        project = task.payload["project"]
        if self._is_private(project):
            return {"uid": ""}
        scope = self.space.scope
        place = {"runtime": scope.runtime, "user": scope.user, "project": project}
        two = both(self.space, task.payload["notes"], place)
        if len(two) < 2:
            return {"uid": ""}
        at = self.space.instant(None)
        old, new = (one["content"] for one in two)
        asked = prompts.spoken("merge", f"{old}\n{new}", self.space.store.settings())
        said = asked.filled(old=old, new=new)
        answer = model.complete(said, max_tokens=ANSWER, timeout=WAIT)
        run = Run(self.space, self._stages, run=new_uid("run"), at=at, by=model.name)
        try:
            return {"uid": join(run, two, str(answer), place)}
        except Conflict:
            return {"uid": ""}

    def again(self, task: Task, model: Model) -> dict[str, Any]:
        """Return the notes of a session that waits: what a task of the night asks for."""
        talk = self._talk(task.payload["session"], task.payload["project"])
        at = self.space.instant(None)
        done = self._read(talk, at, lambda _: model, task.payload.get("branch", ""))
        if done.fault:
            raise done.error or ModelFailed(done.fault)
        return {"runs": done.runs, "kept": sum(bool(one.uid) for one in done.notes)}
