"""Memory: one open space, and everything a program does with it.

Each method wires the stages and stays short; the stages hold the logic. Modules that a hook does
not need are imported by the method that does.
"""

from __future__ import annotations

import os

from cogmem.errors import InvalidInput, UnknownMemory, UnknownName
from cogmem.file import migrate
from cogmem.file.places import default_user_dir
from cogmem.records import Draft, milliseconds
from cogmem.scope import Scope, project_at
from cogmem.space import Space
from cogmem.text.lines import several, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import builtins  # the class has a method of the name list
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.conversation.background import Background
    from cogmem.conversation.context import ContextWindow
    from cogmem.conversation.conversation import Conversation
    from cogmem.conversation.notes import Notes
    from cogmem.conversation.policy import SummaryPolicy
    from cogmem.documents.bring import BroughtIn
    from cogmem.documents.workplace import Workplace
    from cogmem.exchange.copies import Replaced
    from cogmem.exchange.intake import Imported
    from cogmem.extraction.work import Extracted
    from cogmem.extraction.work import Work as Extraction
    from cogmem.file.user_sql import Answer
    from cogmem.hear.listen import Heard, Listener
    from cogmem.learn.experience import Experience
    from cogmem.learn.facts import Facts
    from cogmem.night.jobs import Night
    from cogmem.night.tasks import Task
    from cogmem.ports import Model
    from cogmem.records import Learned
    from cogmem.records import Memory as Row
    from cogmem.scope import Project
    from cogmem.search.recall import Recalled
    from cogmem.search.vectors import Embedder, Nearness
    from cogmem.store.forget import Receipt
    from cogmem.store.history import Undone
    from cogmem.store.many import Many, Removal
    from cogmem.tokens.counting import TokenCounter
    from cogmem.turn.act import Told
    from cogmem.turn.activation import Activation
    from cogmem.turn.assembler import Assembler
    from cogmem.turn.ledger import Ledger

    Instant = datetime | int | None


def _moment(now: Instant) -> datetime | None:
    """The caller's own datetime: its zone says what "yesterday" is."""
    return None if now is None or isinstance(now, int) else now


def _names(texts: Sequence[str], what: str, each: str) -> builtins.list[str]:
    return [storable(text, each) for text in several(texts, what)]


def _change(name: str | int) -> str:
    """The name of a change, an act or a run; a number must be one that the file can hold."""
    said = storable(str(name), "the name")
    if said.isdigit() and not (said.isascii() and len(said) < 19):
        raise UnknownName(f"there is no change {said}: `cogmem log` lists them")
    return said


class Memory(Space):
    """One memory file, seen by one viewer. Use it as a context manager, or close() it."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        user: str = "",
        project: str = "",
        session: str = "",
        runtime: str = "",
        actor: str = "library",
        driver: str = "apsw",
        read_only: bool = False,
        counter: TokenCounter | None = None,
        model: Model | None = None,
        embedder: Embedder | None = None,
        documents: str | os.PathLike[str] | None = None,
        user_dir: str | os.PathLike[str] | None = None,
    ) -> None:
        self._cwd = None if documents is None else os.fspath(documents)
        self._user_dir = None if user_dir is None else os.fspath(user_dir)
        self._workplace: Workplace | None = None
        if self._cwd is not None and not project:  # who works in a folder works on its project
            project = project_at(self._cwd)
        super().__init__(
            path, Scope(runtime, user, project, session), actor=actor, driver=driver,
            read_only=read_only, counter=counter, model=model, embedder=embedder,
        )  # fmt: skip
        self._ledger: Ledger | None = None
        self._listener: Listener | None = None

    def reread(self) -> None:
        super().reread()
        self._listener = None

    # -- writing ---------------------------------------------------------------------------------

    def learn(
        self,
        text: str,
        kind: str = "fact",
        *,
        key: str = "",
        tags: Sequence[str] = (),
        priority: int | str | None = None,
        path: str = "",
        user: str | None = None,
        project: str | None = None,
        session: str | None = None,
        runtime: str | None = None,
        source: str = "user_explicit",
        trust: float | None = None,
        state: str | None = None,
        topic: str = "",
        valid_from: Instant = None,
        valid_to: Instant = None,
        confidence: float | None = None,
        expires_at: Instant = None,
        data: Mapping[str, Any] | None = None,
        vocabulary: str = "",
        profile: str = "tool",
        now: Instant = None,
    ) -> Learned:
        """Remember a text. Learning the same again strengthens it; the same key overwrites."""
        fact = {
            "topic": topic or None,
            "valid_from": None if valid_from is None else milliseconds(valid_from, "valid_from"),
            "valid_to": None if valid_to is None else milliseconds(valid_to, "valid_to"),
            "confidence": confidence,
        }
        draft = Draft(
            text, kind, self.scope.but(user=user, project=project, session=session, runtime=runtime),
            key=key, tags=tags, priority=priority, path_glob=path, source=source, trust=trust,
            state=state, data=data, vocabulary=vocabulary,
            expires_at=None if expires_at is None else milliseconds(expires_at, "expires_at"),
            detail={name: value for name, value in fact.items() if value is not None},
        )  # fmt: skip
        at = self.instant(now)
        learned = self._learn(draft, at, profile)
        says_more = draft.tags or draft.priority is not None or draft.expires_at is not None
        if (says_more or draft.detail) and learned.outcome in ("reinforced", "merged", "known"):
            from cogmem.learn.admit import kept_against

            row = self.store.get(learned.uid, Scope(everywhere=True), at)
            if kept := kept_against(draft, row):
                learned.notes.append(
                    f"it was held already and keeps its {', '.join(kept)}: "
                    f"`cogmem update {row.uid}` and `cogmem edit {row.uid}` change them"
                )
        return learned

    def episode(
        self,
        event: str,
        outcome: str = "",
        *,
        kind: str = "episode",
        tags: Sequence[str] = (),
        session_name: str = "",
        turns: int = 0,
        happened_at: Instant = None,
        key: str = "",
        path: str = "",
        user: str | None = None,
        project: str | None = None,
        source: str = "observed",
        now: Instant = None,
    ) -> Learned:
        """Remember that something happened, and how it ended."""
        at = self.instant(now)
        detail = {
            "outcome": outcome, "session_name": session_name, "turns": turns,
            "happened_at": at if happened_at is None else milliseconds(happened_at, "happened_at"),
        }  # fmt: skip
        scope = self.scope.but(user=user, project=project)
        draft = Draft(
            event, kind, scope, key=key, tags=tags, path_glob=path, source=source, detail=detail
        )
        return self._learn(draft, at)

    def procedure(
        self,
        name: str,
        steps: Sequence[str],
        *,
        description: str = "",
        context: str = "",
        tags: Sequence[str] = (),
        path: str = "",
        user: str | None = None,
        project: str | None = None,
        source: str = "user_explicit",
        now: Instant = None,
    ) -> Learned:
        """Remember how a task is done; the same name overwrites its steps and keeps its record."""
        if not several(steps, "steps"):
            raise InvalidInput("a procedure needs at least one step")
        if not storable(name, "the name").strip():
            raise InvalidInput("a procedure needs a name")
        draft = Draft(
            description or name, "procedure", self.scope.but(user=user, project=project),
            key=name, tags=tags, path_glob=path, source=source,
            detail={"context": context, "steps": list(steps)},
        )  # fmt: skip
        return self._learn(draft, now)

    def _learn(self, draft: Draft, now: Instant, profile: str = "tool") -> Learned:
        from cogmem.learn.admit import profile_named
        from cogmem.learn.decide import learn

        at = self.instant(now)
        rules = profile_named(profile)
        # What is captured is learned within a transaction, and asks no model.
        model = None if profile == "capture" else self._capped("judge", at)
        return learn(self.store, draft, actor=self.actor, now=at, profile=rules, model=model)

    def _capped(
        self, purpose: str, at: int | None = None, *, model: Model | None = None, run: str = ""
    ) -> Model | None:
        """The given model or else the memory's, under the caps and in the ledger; None without one."""
        model = self.model if model is None else model
        if model is None:
            return None
        from cogmem.night.tasks import Capped

        if isinstance(model, Capped):
            return model
        clock = (lambda: self.instant(None)) if at is None else (lambda: at)
        return Capped(self.db, model, purpose, actor=self.actor, clock=clock, run=run)

    def spend(
        self, *, since: Instant = None, until: Instant = None
    ) -> builtins.list[dict[str, Any]]:
        """What models were asked for: calls, tokens and time by day, purpose and model."""
        from cogmem.night.tasks import spend

        return spend(
            self.db, since=0 if since is None else milliseconds(since, "since"),
            until=None if until is None else milliseconds(until, "until"),
        )  # fmt: skip

    @property
    def listener(self) -> Listener:
        """The capture rules: describe(), check(), add(), enable()."""
        listener = self._listener
        if listener is None:
            from cogmem.hear.listen import Listener

            listener = self._listener = Listener(self.store)
        return listener

    def capture(
        self,
        text: str,
        role: str = "user",
        *,
        at: Instant = None,
        session: str | None = None,
        before: str = "",
        user: str | None = None,
        project: str | None = None,
        runtime: str | None = None,
        now: Instant = None,
    ) -> Heard:
        """Learn what one message says that is worth keeping. A recorded one is read once by the night.

        `at` is when it was said, `before` the message before it, which a bare "remember this" means.
        """
        moment = self.instant(now if now is not None else at)
        scope = self.scope.but(user=user, project=project, session=session, runtime=runtime)
        return self.listener.hear(
            lambda draft, when: self._learn(draft, when, "capture"), text, role, scope,
            at=moment if at is None else milliseconds(at, "at"), now=moment, actor=self.actor,
            session=scope.session, before=before,
        )  # fmt: skip

    def capture_conversation(self, name: str, *, now: Instant = None) -> tuple[int, int]:
        """Read what a recorded conversation says and no rule has read yet: (messages, memories)."""
        from cogmem.hear.catch_up import catch_up

        at = self.instant(now)
        return catch_up(
            self.store, self.listener.rules().match,
            lambda draft, when: self._learn(draft, when, "capture"),
            run=None, actor=self.actor, now=at, only=(name, self.scope),
        )  # fmt: skip

    def extract(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        context: Sequence[Mapping[str, Any]] = (),
        user: str | None = None,
        project: str | None = None,
        session: str | None = None,
        runtime: str | None = None,
        model: Model | None = None,
        dry_run: bool = False,
        now: Instant = None,
        **options: Any,
    ) -> Extracted:
        """Let the model read talk and remember what lasts; without one, the capture rules read it.

        Options are those of extraction.Options: kinds, characters, prompt … A dry run asks the model
        and stores nothing.
        """
        from cogmem.extraction.pipeline import run

        at = self.instant(now)
        scope = self.scope.but(user=user, project=project, session=session, runtime=runtime)
        work = self._extraction(messages, context, scope, options, at, model=model)
        return run(
            work, dry_run=dry_run, queue=lambda subject, kept: self._wait("extract", subject, kept, at),
            capture=lambda role, text: self._heard(text, role, scope, at),
        )  # fmt: skip

    def extract_conversation(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        runtime: str | None = None,
        model: Model | None = None,
        now: Instant = None,
        **options: Any,
    ) -> builtins.list[Extracted]:
        """Extract from what a recorded conversation holds and no extraction has read yet."""
        from cogmem.extraction.pipeline import run
        from cogmem.extraction.record import extract_record
        from cogmem.extraction.work import options_of

        at = self.instant(now)
        scope = self.scope.but(user=user, project=project, session=name, runtime=runtime)
        how = options_of(options)
        payload = {"conversation": name, "scope": scope.owner(), "options": how.plain()}
        talk = self.conversation(name, user=user, project=project, runtime=runtime)
        subject = f"conversation {name} {scope.user} {scope.project} {scope.runtime}"
        return extract_record(
            talk,
            lambda said, before, mark, evidence: self._extraction(
                said, before, scope, options, at, model=model, mark=mark, evidence=evidence
            ),
            lambda work: run(work, queue=lambda _, __: self._wait("extract", subject, payload, at)),
            characters=how.characters,
        )

    def _extraction(
        self,
        messages: Sequence[Mapping[str, Any]],
        context: Sequence[Mapping[str, Any]],
        scope: Scope,
        options: Mapping[str, Any],
        at: int,
        *,
        model: Model | None = None,
        **more: Any,
    ) -> Extraction:
        """One extraction with all that it may use; what it learns asks no further model."""
        from cogmem.extraction.work import Work, options_of
        from cogmem.learn.decide import learn
        from cogmem.learn.revise import revise, supersede
        from cogmem.records import new_uid

        store, run, by = self.store, new_uid("run"), self.actor
        return Work(
            store, scope, list(messages), list(context), options_of(options), run=run, actor=by, now=at,
            learn=lambda draft, profile: learn(store, draft, actor=by, now=at, profile=profile),
            revise=lambda row, changes: revise(store, row, changes, actor=by, now=at, verb="extract"),
            supersede=lambda old, new: supersede(store, old, new, actor=by, now=at),
            model=lambda purpose: self._capped(purpose, at, model=model, run=run), **more,
        )  # fmt: skip

    def _extracted_again(self, task: Task, model: Model) -> dict[str, Any]:
        """Another try of an extraction that waits."""
        from cogmem.extraction.pipeline import again
        from cogmem.extraction.record import extract_record
        from cogmem.extraction.work import options_of

        kept, at = task.payload, self.instant(None)
        scope = Scope(**kept["scope"])
        if "conversation" not in kept:
            work = self._extraction(
                kept["messages"], kept["context"], scope, kept["options"], at, model=model,
                is_retry=True,
            )  # fmt: skip
            return again(work)
        talk = self.conversation(
            kept["conversation"], user=scope.user, project=scope.project, runtime=scope.runtime
        )
        done: list[dict[str, Any]] = []
        extract_record(
            talk,
            lambda said, before, mark, evidence: self._extraction(
                said, before, scope, kept["options"], at, model=model, mark=mark,
                evidence=evidence, is_retry=True,
            ),
            lambda work: done.append(again(work)),
            characters=options_of(kept["options"]).characters,
        )  # fmt: skip
        return {"stretches": done}

    def _wait(self, purpose: str, subject: str, payload: Mapping[str, Any], at: int) -> str:
        from cogmem.night.tasks import queue

        return queue(self.db, purpose, subject, payload, actor=self.actor, now=at)

    def _heard(self, text: str, role: str, scope: Scope, at: int) -> builtins.list[Learned]:
        """What the capture rules make of one message."""
        heard = self.listener.hear(
            lambda draft, when: self._learn(draft, when, "capture"), text, role, scope, at=at, now=at,
            actor=self.actor, session=scope.session,
        )  # fmt: skip
        return heard.learned

    def facts(self, *, enabled: bool = True, merge_on_write: bool = True) -> Facts:
        """Two small collections that are always shown: about the user, and the environment."""
        from cogmem.learn.facts import Facts

        return Facts(
            self.store, self.scope, self.actor, model=self._capped("consolidate"), enabled=enabled,
            merge_on_write=merge_on_write,
        )  # fmt: skip

    def experience(self) -> Experience:
        """What was learned by doing: pattern(), command(), file_type()."""
        from cogmem.learn.experience import Experience

        return Experience(self.store, self.scope, self.actor)

    def correct(self, name: str, text: str, *, reason: str = "", now: Instant = None) -> Learned:
        """Say what was true all along: a new fact takes the place and the time of a wrong one."""
        from cogmem.learn.revise import correct

        at = self.instant(now)
        row = self.get(name, now=at)
        return correct(self.store, row, text, actor=self.actor, now=at, reason=reason)

    def supersede(self, old: str, new: str, *, reason: str = "", now: Instant = None) -> str:
        """Let one fact take the place of another, from the newer one's beginning on."""
        from cogmem.learn.revise import supersede

        at = self.instant(now)
        rows = self.get(old, now=at), self.get(new, now=at)
        return supersede(self.store, *rows, actor=self.actor, now=at, reason=reason)

    def retire(
        self, name: str, *, ends: Instant = None, reason: str = "", now: Instant = None
    ) -> str:
        """Say that a fact holds no more; it stays and answers questions about its time."""
        from cogmem.learn.revise import retire

        at = self.instant(now)
        over = None if ends is None else milliseconds(ends, "ends")
        row = self.get(name, now=at)
        return retire(self.store, row, actor=self.actor, now=at, ends=over, reason=reason)

    def conflicts(
        self, *, limit: int = 100, everywhere: bool = False
    ) -> builtins.list[dict[str, Any]]:
        """Pairs of memories that cannot both hold, the newest first."""
        viewer = self.scope.but(everywhere=everywhere).viewer()
        return self.db.rows("learn.conflicts", {**viewer, "limit": limit if limit > 0 else -1})

    def settle(self, one: str, other: str, *, keep: str = "", now: Instant = None) -> str:
        """End a contradiction: `keep` names the one that holds; without it both do."""
        from cogmem.learn.revise import settle, supersede

        at = self.instant(now)
        rows = [self.get(one, now=at), self.get(other, now=at)]
        if not keep:
            return settle(self.store, *rows, actor=self.actor, now=at)
        kept = self.get(keep, now=at)
        lost = [row for row in rows if row.uid != kept.uid]
        if len(lost) != 1:
            raise InvalidInput(f"keep names {kept.uid}: it must be one of the two")
        return supersede(self.store, lost[0], kept, actor=self.actor, now=at)

    def tried(self, procedure: str, *, success: bool, now: Instant = None) -> tuple[int, int]:
        """Record that a procedure was tried: its successes and failures since."""
        row = self.get(procedure, now=now)
        if row.layer != "procedural":
            raise InvalidInput(f"{procedure} is {row.layer}, not a procedure")
        at = self.instant(now)
        step = {"uid": row.uid, "success": int(success), "failure": int(not success), "now": at}
        written = self.db.write(
            [("store.count_outcome", step)], verb="tried", actor=self.actor, at=at
        )
        successes, failures = written.rows[0][0]
        return successes, failures

    def update(
        self,
        name: str,
        *,
        content: str | None = None,
        tags: Sequence[str] | None = None,
        priority: int | str | None = None,
        path: str | None = None,
        key: str | None = None,
        kind: str | None = None,
        expires_at: Instant = None,
        detail: Mapping[str, Any] | None = None,
        seen: Row | None = None,
        now: Instant = None,
    ) -> Row:
        """Change parts of a memory, by uid or key. New content gets its tags anew.

        `detail` holds columns of its layer (topic, outcome, steps …); `seen` is the memory as the
        caller read it: if it was changed since, that is a Conflict.
        """
        from cogmem.learn.revise import revise

        changes = {
            "content": content, "tags": None if tags is None else several(tags, "tags"),
            "priority": priority, "path_glob": path, "key": key,
            "kind": kind, "detail": dict(detail) if detail else None,
            "expires_at": None if expires_at is None else milliseconds(expires_at, "expires_at"),
        }  # fmt: skip
        at = self.instant(now)
        row = seen or self.get(name, now=at)
        revise(self.store, row, changes, actor=self.actor, now=at)
        return self.get(row.uid, now=at)

    def remove(self, name: str, *, reason: str = "removed by hand", now: Instant = None) -> str:
        """Take a memory out of sight and search, by uid or key; `restore` or `undo` brings it back."""
        row = self.get(name, now=now)
        if row.state == "deleted":
            raise InvalidInput(
                f"{row.uid} is removed already: `cogmem restore {row.uid}` brings it back"
            )
        return self.store.set_state(
            row, "deleted", reason=reason, actor=self.actor, now=self.instant(now), verb="remove"
        )

    def remove_matching(
        self,
        pattern: str,
        *,
        dry_run: bool = True,
        confirm: bool = False,
        reason: str = "",
        now: Instant = None,
    ) -> Removal:
        """Remove all memories in sight that hold a piece of text; a dry run (the default) lists them.

        More than ten want confirm=True, more than fifty are refused. One `undo` brings all back.
        """
        from cogmem.store.many import remove_matching

        return remove_matching(
            self.store, self.scope, storable(pattern, "the pattern"), actor=self.actor,
            now=self.instant(now), dry_run=dry_run, confirm=confirm, reason=reason,
        )  # fmt: skip

    def merge(
        self, keep: str, other: str, *, text: str = "", reason: str = "", now: Instant = None
    ) -> str:
        """Let one memory take in another that says the same, and say `text` from now on."""
        from cogmem.learn.merge import merge

        at = self.instant(now)
        rows = self.get(keep, now=at), self.get(other, now=at)
        return merge(self.store, *rows, text, actor=self.actor, now=at, reason=reason)

    def change_many(
        self,
        action: str,
        value: str = "",
        *,
        dry_run: bool = True,
        matching: str = "",
        source: str = "",
        weaker_than: float = 0,
        most: int = 1000,
        everywhere: bool = False,
        reason: str = "",
        now: Instant = None,
        **filters: Any,
    ) -> Many:
        """Remove, archive, restore, tag, untag or set the priority of all that filters choose.

        Filters are those of `list`, and `matching`, `source` and `weaker_than`. A dry run (the
        default) says what would change; otherwise it is one act, which one `undo` takes back.
        """
        from cogmem.store.many import change_many
        from cogmem.store.many import matching as chosen

        at = self.instant(now)
        if action == "restore":
            filters.setdefault("state", "archived")
        rows = self.list(limit=0, everywhere=everywhere, now=at, **filters)
        return change_many(
            self.store, chosen(rows, matching, source, weaker_than), action, value,
            actor=self.actor, now=at, dry_run=dry_run, most=most, reason=reason,
        )  # fmt: skip

    def keep(self, name: str, *, now: Instant = None) -> str:
        """Say that a memory is worth keeping: a candidate becomes active, another starts to fade anew."""
        at = self.instant(now)
        row = self.get(name, now=at)
        if row.state != "active":
            return self.restore(row.uid, now=at)
        step = ("store.reinforce", {"uid": row.uid, "now": at})
        return self.db.write([step], verb="keep", actor=self.actor, at=at).act

    def archive(self, name: str, *, reason: str = "archived by hand", now: Instant = None) -> str:
        """Keep a memory for search only: it is never injected again."""
        row = self.get(name, now=now)
        return self.store.set_state(
            row, "archived", reason=reason, actor=self.actor, now=self.instant(now), verb="archive"
        )

    def restore(self, name: str, *, now: Instant = None) -> str:
        """Bring a removed, archived or candidate memory back to active, by uid or key."""
        row = self.get(name, living=False, now=now)
        if row.state == "active":
            raise InvalidInput(f"{row.uid} is active: there is nothing to restore")
        return self.store.set_state(
            row, "active", reason="", actor=self.actor, now=self.instant(now), verb="restore"
        )

    def end_session(self, session: str | None = None, *, now: Instant = None) -> builtins.list[str]:
        """Let the notes of a session go; returns their uids."""
        at = self.instant(now)
        owner = self.scope.but(session=session).owner()
        if not owner["session"]:
            raise InvalidInput("no session is named: pass session=…")
        written = self.db.write(
            [("store.end_session", {**owner, "now": at})],
            verb="end session",
            actor=self.actor,
            at=at,
        )
        return [row[0] for row in written.rows[0]]

    def compacted(self, session: str | None = None, *, now: Instant = None) -> None:
        """Say that the host shortened its prompt: the next turn brings the stable text anew."""
        place = self.scope.but(session=session).owner()
        place["name"] = place.pop("session")
        step = ("turn.thaw", place)
        self.db.write([step], verb="session", actor=self.actor, at=self.instant(now))

    def frozen(self, session: str) -> str:
        """The stable text that a session works with; '' when its next turn is to freeze one."""
        place = self.scope.but(session=session).owner()
        place["name"] = place.pop("session")
        return str(next((row[2] for row in self.db.read("turn.session", place)), "") or "")

    # -- reading ---------------------------------------------------------------------------------

    def get(self, name: str, *, living: bool = True, now: Instant = None) -> Row:
        """One memory by uid, in whatever state, or by the key of a living one.

        With `living=False` a key also finds the only archived or removed memory that has it.
        """
        return self.store.get(name, self.scope, self.instant(now), living=living)

    def list(
        self,
        *,
        layer: str | None = None,
        kind: str | None = None,
        state: str | None = None,
        tag: str | None = None,
        path: str | None = None,
        since: Instant = None,
        until: Instant = None,
        limit: int = 100,
        everywhere: bool = False,
        now: Instant = None,
    ) -> builtins.list[Row]:
        """Memories by plain filters, the newest first; `everywhere` looks into every scope."""
        return self.store.list(
            self.scope.but(everywhere=everywhere), self.instant(now), layer=layer, kind=kind, state=state,
            tag=None if tag is None else storable(tag, "the tag"), limit=limit,
            path_glob=None if path is None else storable(path, "the path"),
            since=None if since is None else milliseconds(since, "since"),
            until=None if until is None else milliseconds(until, "until"),
        )  # fmt: skip

    def held(
        self,
        at: Instant = None,
        *,
        topic: str | None = None,
        known_at: Instant = None,
        limit: int = 100,
        now: Instant = None,
    ) -> builtins.list[Row]:
        """Facts held true at an instant, as they are known now or were known at another instant."""
        from cogmem.records import Memory as Held

        today = self.instant(now)
        params = {
            **self.scope.viewer(), "topic": topic, "now": today, "limit": limit if limit > 0 else -1,
            "valid_at": today if at is None else milliseconds(at, "at"),
            "known_at": today if known_at is None else milliseconds(known_at, "known_at"),
        }  # fmt: skip
        return [Held(row) for row in self.db.rows("learn.held", params)]

    def stats(self, *, everywhere: bool = False) -> dict[str, Any]:
        """Counts by layer, kind and state, and the tokens that all active memories would cost."""
        return self.store.stats(self.scope.but(everywhere=everywhere))

    # -- conversations ---------------------------------------------------------------------------

    def conversation(
        self,
        name: str | None = None,
        *,
        user: str | None = None,
        project: str | None = None,
        runtime: str | None = None,
        policy: SummaryPolicy | Mapping[str, Any] | None = None,
        model: Model | None = None,
        background: Background | None = None,
    ) -> Conversation:
        """The record of one conversation: append(role, text), window(budget), expand(uid) …

        Without a name it is the one that `cogmem.conversation.conversation.current` holds for this thread or task.
        """
        from cogmem.conversation.conversation import Conversation, current

        name = current.get() if name is None else name
        if name is None:
            raise InvalidInput(
                "no conversation is named: pass its name, or set cogmem.conversation.conversation.current"
            )
        scope = self.scope.but(user=user, project=project, runtime=runtime)
        return Conversation(
            self.store, name, scope, self.actor, self.instant, policy=policy,
            model=self._capped("summarise", model=model), background=background,
        )  # fmt: skip

    def conversations(
        self, *, limit: int = 50, everywhere: bool = False
    ) -> builtins.list[dict[str, Any]]:
        """The conversations that this viewer may read, the latest first."""
        from cogmem.conversation.conversation import conversations

        return list(conversations(self.store, self.scope.but(everywhere=everywhere), limit))

    def context_window(
        self, name: str | None, model: str, *, strategy: str = "default", **options: Any
    ) -> ContextWindow:
        """A conversation kept within what a model reads; options as cogmem.conversation's."""
        from cogmem.conversation.context import ContextWindow

        if options.get("summariser") is not None:
            options["summariser"] = self._capped("summarise", model=options["summariser"])
        return ContextWindow(self.conversation(name), model, strategy=strategy, **options)

    def notes(self, session: str | None = None, *, capacity: int = 20) -> Notes:
        """What a session keeps beside its talk: the buffer of its last lines, and one pinned text."""
        from cogmem.conversation.notes import Notes

        name = self.scope.session if session is None else session
        return Notes(self.db, self.scope, name, self.actor, capacity=capacity)

    def session_episode(
        self,
        session: str,
        *,
        turns: int | None = None,
        messages: Sequence[Mapping[str, Any]] | None = None,
        model: Model | None = None,
        min_turns: int = 3,
        now: Instant = None,
    ) -> Learned | None:
        """Remember a session that is over as one narrative; None: too short, or the guard refused it.

        Without messages it is told from the conversation of the same name.
        """
        from cogmem.conversation.episodes import episode_of
        from cogmem.errors import CogmemError, NotRecorded

        try:
            if messages is None:
                messages = [
                    message.as_message() for message in self.conversation(session).messages()
                ]
            if turns is None:
                turns = sum(1 for message in messages if message["role"] == "user")
            at = self.instant(now)
            draft = episode_of(
                session, turns, messages, self.scope, self.store.counter, now=at,
                model=self._capped("narrate", at, model=model), settings=self.store.settings(),
                min_turns=min_turns,
            )  # fmt: skip
            return None if draft is None else self._learn(draft, at)
        except NotRecorded:
            raise
        except CogmemError:  # the end of a session must not fail through its summary
            return None

    def sessions(
        self,
        query: str = "",
        *,
        limit: int = 5,
        ranker: str = "recency",
        model: Model | None = None,
        now: Instant = None,
    ) -> builtins.list[Row]:
        """Narratives of past sessions; ranked by recency, "similar" words or a "model"."""
        from cogmem.conversation.episodes import ranked

        rows = self.list(kind="session_summary", state="active", limit=0, now=now)
        if ranker != "model":
            return ranked(rows, query, limit, ranker=ranker)
        return ranked(
            rows, query, limit, ranker=ranker, model=self._capped("rank", model=model),
            settings=self.store.settings(),
        )  # fmt: skip

    # -- the turn --------------------------------------------------------------------------------

    def activate(
        self,
        prompt: str,
        budget: int | None = None,
        session: str | None = None,
        files: Sequence[str] = (),
        now: Instant = None,
        *,
        turn: str | None = None,
        form: str = "markdown",
        counter: TokenCounter | None = None,
        refresh: bool = False,
        user: str | None = None,
        project: str | None = None,
        runtime: str | None = None,
    ) -> Activation:
        """Choose and render the memories that matter for this turn, within the budget.

        With a session, `stable` is frozen at its first turn; `refresh` (after the host compacted its
        prompt) freezes it anew. A turn id given by the caller makes a retry harmless.
        """
        from cogmem.turn.ledger import Ledger
        from cogmem.turn.turn import take_turn

        if self._ledger is None:
            with self._db._held():  # two threads' first turns
                self._ledger = self._ledger or Ledger(self.db)
        scope = self.scope.but(user=user, project=project, session=session, runtime=runtime)
        return take_turn(
            self._db, scope, prompt, now=self.instant(now),
            moment=_moment(now), actor=self.actor, budget=budget,
            session=scope.session, files=_names(files, "files", "a file"),
            turn=turn, form=form,
            counter=counter or self._counter, refresh=refresh,
            ledger=None if self._db.read_only else self._ledger,
            documents=None if self._cwd is None else self._stable_documents,
            near=self._nearness(prompt), folder=(self._cwd or os.getcwd()) if files else "",
        )  # fmt: skip

    def at_act(
        self,
        *,
        command: str = "",
        file: str = "",
        text: str = "",
        writes: bool = False,
        error: str = "",
        session: str | None = None,
        now: Instant = None,
    ) -> Told:
        """What is known about a command that is about to run, or a file about to be read or (with
        `writes`) changed; with `error`, what mended the same one before. Once in a session."""
        from cogmem.turn import act

        scope = self.scope.but(session=session)
        doing = act.Act(command, file, text, writes, error)
        return act.tell(
            self.db, scope, doing, scope.session, now=self.instant(now), actor=self.actor,
            counter=self._counter,
        )  # fmt: skip

    def rules_for_subagent(self, *, now: Instant = None) -> str:
        """The rules that a subagent is told when it starts; '' where the setting says so."""
        from cogmem.turn import act

        return act.rules(self.db, self.scope, now=self.instant(now), counter=self._counter)

    def _nearness(self, text: str) -> Nearness | None:
        if self.embedder is None or not isinstance(text, str) or not text.strip():
            return None
        from cogmem.search.vectors import Nearness

        return Nearness(self.db, self.embedder, text)

    def embed(
        self,
        limit: int | None = None,
        *,
        progress: Callable[[int], None] | None = None,
        now: Instant = None,
    ) -> int:
        """Give vectors to memories and messages that have none; returns how many.

        For a background thread or a night: it may be stopped at any time, and the next call goes on.
        """
        if self.embedder is None:
            raise InvalidInput(
                "no embedder is set: cogmem.open(path, embedder=…), for example "
                "cogmem.models.minilm.MiniLM()"
            )
        from cogmem.search.vectors import embed_missing

        return embed_missing(
            self.db, self.embedder, limit=limit, now=self.instant(now), actor=self.actor,
            progress=progress,
        )  # fmt: skip

    def recall(
        self,
        query: str,
        *,
        layer: str | None = None,
        kind: str | None = None,
        state: str | None = None,
        tags: Sequence[str] = (),
        tag: str | None = None,
        key: str | None = None,
        since: Instant = None,
        until: Instant = None,
        as_of: Instant = None,
        limit: int = 8,
        tokens: int | None = None,
        messages: bool = True,
        partitions: Sequence[str] = ("user", "global"),
        user: str | None = None,
        project: str | None = None,
        session: str | None = None,
        runtime: str | None = None,
        strengthen: bool = True,
        near: Nearness | None = None,
        now: Instant = None,
    ) -> builtins.list[Recalled]:
        """Search memories and recorded messages; what an explicit recall returns is strengthened."""
        from cogmem.search.recall import search

        at = self.instant(now)
        scope = self.scope.but(
            user=user, project=project, session=session, runtime=runtime,
            own="user" in partitions, shared="global" in partitions,
        )  # fmt: skip
        store = self._store or self.store  # the store itself would have the counts written first
        found = search(
            store, scope, query, now=at, moment=_moment(now),
            layer=layer, kind=kind, state=state, key=key,
            tags=[*several(tags, "tags"), *([tag] if tag else [])],
            since=None if since is None else milliseconds(since, "since"),
            until=None if until is None else milliseconds(until, "until"),
            as_of=None if as_of is None else milliseconds(as_of, "as_of"),
            limit=limit, tokens=tokens, messages=messages, near=near or self._nearness(query),
        )  # fmt: skip
        uids = [one.uid for one in found if one.origin == "memory" and one.state == "active"]
        if strengthen and uids and not self._db.read_only:
            if self._recalls is None:
                from cogmem.store.counters import counting

                with self._db._held():
                    self._recalls = self._recalls or counting(self._db, self.actor)
            self._recalls.add(uids, at)
        return found

    def assembler(self, **options: Any) -> Assembler:
        """For hosts that hand over whole lists of messages: assembler.before(messages), each time."""
        from cogmem.turn.assembler import Assembler
        from cogmem.turn.ledger import Ledger

        ledger = Ledger(self.db)

        def record(
            told: Activation, scope: Scope, query: str, counter: str, elapsed_us: int, at: int
        ) -> None:
            ledger.record(
                told, scope, scope.session, query, (), counter, elapsed_us, (), at, self.actor
            )

        return Assembler(self, self.recall, self._nearness, record=record, **options)

    def project_block(self, text: str = "", *, now: Instant = None) -> str:
        """The block of a project assistant: what is relevant to the text, then a hot set, by lifetime.

        Nothing that only shares glue words with the text is relevant; without one there is the hot
        set alone.
        """
        from cogmem.turn.project import project_block

        at = self.instant(now)
        found = (
            self.recall(text, limit=6, state="active", messages=False, strengthen=False, now=at)
            if text.strip()
            else []
        )
        relevant = [self.get(one.uid, now=at) for one in found]
        return project_block(relevant, self.list(state="active", limit=0, now=at), at)

    def why(self, ref: str, turn: str, *, everywhere: bool = False) -> dict[str, Any]:
        """Why a memory (uid or key) or message was shown in a turn, or was not: stage, figures, one
        sentence."""
        from cogmem.turn.explain import why

        self.flush()
        scope = self.looking(everywhere)
        return why(self.db, self._ref(ref, scope), storable(turn, "the turn"), scope)

    def _ref(self, name: str, scope: Scope) -> str:
        """What a turn calls a memory that is named by its key; any other name stays as it is."""
        try:
            return self.store.get(name, scope, self.instant(None), living=False).uid
        except UnknownMemory:
            return storable(name, "the name")

    def why_not(
        self,
        ref: str,
        prompt: str,
        *,
        files: Sequence[str] = (),
        budget: int | None = None,
        now: Instant = None,
    ) -> dict[str, Any]:
        """What keeps a memory (uid or key) out of a prompt, or lets it in, weighed now and not
        recorded."""
        from cogmem.turn.explain import why_not

        at = self.instant(now)
        return why_not(
            self.db, self._ref(ref, self.scope), prompt, scope=self.scope, now=at,
            files=_names(files, "files", "a file"), budget=budget,
        )  # fmt: skip

    def used(
        self,
        turn: str,
        refs: Sequence[str],
        *,
        useful: bool = True,
        everywhere: bool = False,
        now: Instant = None,
    ) -> int:
        """Say which shown memories helped (or did not); returns how many the ledger knew."""
        from cogmem.turn.explain import used

        self.flush()
        return used(
            self.db, storable(turn, "the turn"), _names(refs, "refs", "a reference"), self.looking(everywhere),
            useful=useful, actor=self.actor, now=self.instant(now),
        )  # fmt: skip

    def turns(
        self, *, session: str | None = None, limit: int = 20, everywhere: bool = False
    ) -> builtins.list[dict[str, Any]]:
        """This viewer's latest turns, in whatever session: what they cost and how much was shown."""
        from cogmem.turn.explain import turns

        self.flush()
        name = None if session is None else storable(session, "the session")
        return turns(self.db, self.looking(everywhere), session=name, limit=limit)

    def turn(self, name: str, *, everywhere: bool = False) -> dict[str, Any]:
        """One turn by its id: what it cost, what was shown and what was left out."""
        from cogmem.turn.explain import turn

        self.flush()
        return turn(self.db, storable(name, "the turn"), self.looking(everywhere))

    def replay(self, turn: str, *, as_of: Instant = None, everywhere: bool = False) -> Activation:
        """Run a past turn again on the memory as it was then, in a throw-away copy."""
        from cogmem.turn.explain import replay

        self.flush()
        instant = None if as_of is None else milliseconds(as_of, "as_of")
        name = storable(turn, "the turn")
        return replay(self.db, name, self.looking(everywhere), as_of=instant)

    # -- documents -------------------------------------------------------------------------------

    @property
    def documents(self) -> Workplace:
        """The documents and saved memories of the folder that was named when this was opened."""
        if self._cwd is None:
            raise InvalidInput(
                "no folder is named whose documents are meant: cogmem.open(…, documents=FOLDER)"
            )
        if self._workplace is None:
            from cogmem.documents.workplace import Workplace

            user_dir = default_user_dir() if self._user_dir is None else self._user_dir
            self._workplace = Workplace(
                self.store, self.scope, self.actor, self.instant, self._learn, self._revise,
                self._cwd, user_dir,
            )  # fmt: skip
        return self._workplace

    def _stable_documents(
        self, count: Callable[[str], int], limit: int, now: int
    ) -> tuple[str, int]:
        return self.documents.stable(count, limit, now)

    def _revise(self, row: Row, changes: dict[str, Any], now: int) -> str:
        from cogmem.learn.revise import revise

        return revise(self.store, row, changes, actor=self.actor, now=now)

    def import_from(
        self,
        source: str,
        path: str | os.PathLike[str],
        *,
        dry_run: bool = False,
        now: Instant = None,
    ) -> BroughtIn:
        """Take over what another program remembers: claude-code, cursor, basic-memory, mem0, letta
        or knowledge-graph. One undo of its run takes all of it back."""
        from cogmem.documents.bring import bring

        return bring(
            self.store, source, os.fspath(path), self.scope.but(session=""), self._learn,
            actor=self.actor, now=self.instant(now), dry_run=dry_run,
        )  # fmt: skip

    # -- history ---------------------------------------------------------------------------------

    def log(
        self, *, limit: int = 20, everywhere: bool = False, **filters: Any
    ) -> builtins.list[dict[str, Any]]:
        """Transactions, the newest first: filter by uid, act, run, verb, before (a change number).

        Who sees a memory sees its changes; `everywhere` looks into every scope.
        """
        from cogmem.store.history import log

        texts = {
            name: storable(value, name) for name, value in filters.items() if isinstance(value, str)
        }
        return log(self.db, self.looking(everywhere), limit=limit, **{**filters, **texts})

    def diff(self, name: str | int, *, everywhere: bool = False) -> builtins.list[dict[str, Any]]:
        """What a change, act or run did to memories in sight, row by row."""
        from cogmem.store.history import diff

        return diff(self.db, _change(name), self.looking(everywhere))

    def undo(
        self,
        name: str | int,
        *,
        force: bool = False,
        dry_run: bool = False,
        everywhere: bool = False,
        now: Instant = None,
    ) -> Undone:
        """Take back one change (its act) or one job run, in all projects and sessions of this user.

        One that touches memories of another user or runtime is refused, unless `everywhere`.
        """
        from cogmem.store.history import undo

        result = undo(
            self.db, _change(name), self.looking(everywhere), actor=self.actor, now=self.instant(now),
            force=force, dry_run=dry_run,
        )  # fmt: skip
        self.reread()
        return result

    # -- forgetting ------------------------------------------------------------------------------

    def forget(
        self,
        *names: str,
        words: Sequence[str] = (),
        reason: str = "",
        dry_run: bool = False,
        now: Instant = None,
    ) -> Receipt:
        """Remove memories (uid or key) and messages ('msg_<id>') for good, with all traces.

        `words` names telling words that must be gone: all memories in sight that hold one go too.
        """
        from cogmem.documents.erase import erase, mirrors
        from cogmem.store.forget import forget

        at = self.instant(now)
        self.flush()
        several(words, "words")
        uids = [name if name.startswith("msg_") else self._forgettable(name, at) for name in names]
        mirrored = mirrors(self.db)
        receipt = forget(
            self.db, uids, self.scope, actor=self.actor, now=at, reason=reason, words=words,
            dry_run=dry_run,
        )  # fmt: skip
        if not dry_run:  # a saved memory's own file would bring it back
            gone = erase(path for path, uid in mirrored.items() if uid in receipt.uids)
            receipt.files = [path for path in receipt.files if path not in gone]
        return receipt

    def _forgettable(self, name: str, at: int) -> str:
        """The uid behind a name; one whose row is gone may still have a past to forget."""
        try:
            return self.get(name, now=at).uid
        except UnknownMemory:
            from cogmem.store.forget import has_past

            if name.startswith("mem_") and has_past(self.db, name, self.scope):
                return name
            raise

    def scrub(self, *, now: Instant = None) -> bool:
        """Wipe the pages behind what was forgotten, where another process stood in the way."""
        from cogmem.store.forget import scrub

        return scrub(self.db, actor=self.actor, now=self.instant(now))

    def receipts(self, *, limit: int = 100) -> builtins.list[dict[str, Any]]:
        """What was forgotten, the latest first: how many rows, never what they said."""
        from cogmem.store.forget import receipts

        return receipts(self.db, limit=limit)

    # -- work for a model ------------------------------------------------------------------------

    def fill_tasks(
        self,
        *,
        limit: int | None = None,
        run: str = "",
        cancelled: Callable[[], bool] | None = None,
        now: Instant = None,
    ) -> dict[str, int]:
        """Ask the model for what waits for one, under the caps; the next night puts it in place."""
        from cogmem.night.tasks import work

        if self.model is None:
            return {"filled": 0, "failed": 0, "lost": 0, "left": 0}
        asks: dict[str, Callable[[Task, Model], Any]] = {
            "narrate": self._told_session, "extract": self._extracted_again,
        }  # fmt: skip
        return work(
            self.db, self.model, asks, actor=self.actor, clock=lambda: self.instant(now), limit=limit,
            run=run, cancelled=cancelled,
        )  # fmt: skip

    def _told_session(self, task: Task, model: Model) -> str:
        """A session of the record in a model's words."""
        from cogmem.conversation.episodes import request

        row = self.store.get(task.subject, Scope(everywhere=True), self.instant(None))
        talk = self.conversation(
            row.detail["session_name"], user=row.user, project=row.project, runtime=row.runtime
        )
        messages = talk.messages(0, task.payload.get("upto"))
        prompt, options = request([one.as_message() for one in messages], self.store.settings())
        told = " ".join(model.complete(prompt, **options).split())
        if not told:
            raise InvalidInput("the model said nothing: it is asked again later")
        return told

    # -- night -----------------------------------------------------------------------------------

    def nightly(
        self,
        *,
        dry_run: bool = False,
        job: str | None = None,
        force: bool = False,
        now: Instant = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Night:
        """Run the jobs of schema/jobs that are due; a dry run lists what they would change."""
        from cogmem.exchange import copies
        from cogmem.night import jobs, tasks

        store, db, actor = self.store, self.db, self.actor
        counts = {"failed": 0}

        def read_messages(run: str, at: int) -> str:
            from cogmem.hear import capture
            from cogmem.hear.catch_up import catch_up
            from cogmem.learn.decide import learn

            rules = capture.compile_rules(db.read("jobs.rules"))
            read, taught = catch_up(
                store, rules.match, lambda draft, at: learn(store, draft, actor=actor, now=at, profile="capture"),
                run=run, actor=actor, now=at,
                progress=None if progress is None else lambda n, of: progress("10_capture", n, of),
            )  # fmt: skip
            return f"{read} messages read, {taught} memories captured"

        def fill(run: str, at: int) -> str:
            if not dry_run:
                counts.update(self.fill_tasks(run=run, now=at))
            return ""

        def put_in_place(run: str, at: int) -> str:
            folds = {
                "narrate": lambda task: tasks.narrate(store, task, at),
                "extract": lambda _: [],  # what was extracted is in its place already
            }
            done = tasks.fold(db, folds, actor=actor, now=at, run=run)
            told = f"{done['folded']} answers folded, {done['dead']} refused"
            return f"{told}, {counts['failed']} calls failed" if counts["failed"] else told

        def compare(_: str, at: int) -> str:
            from cogmem.learn.alike import resemble

            return f"{resemble(store, now=at)} memories compared"

        def join_words(run: str, at: int) -> str:
            from cogmem.learn.merge import unite

            return f"{unite(store, run, actor=actor, now=at)} memories say it in other words"

        def copy_file(_: str, at: int) -> str:
            return jobs.back_up(store, lambda path, at: copies.backup(db, path, now=at), at)

        return jobs.nightly(
            store, now=self.instant(now), actor=actor, dry_run=dry_run, only=job, force=force,
            progress=progress,
            steps={
                "capture": read_messages, "resemble": compare, "unite": join_words,
                "fill": fill, "fold": put_in_place, "back_up": copy_file,
            },
        )  # fmt: skip

    # -- the file --------------------------------------------------------------------------------

    def check(self) -> builtins.list[str]:
        """Everything that is not as it must be, in sentences; an empty list is a clean bill."""
        from cogmem.file.check import check

        return check(self.db)

    def doctor(self) -> dict[str, Any]:
        """Figures of the file, warnings about where it lies, its backups, and what `check` finds."""
        from cogmem.exchange.copies import backups
        from cogmem.file.check import report

        return {**report(self.db, self.path, self.notices), "backups": backups(self.path)}

    def rebuild(self) -> None:
        """Drop and remake search indexes, views and cached values from the durable record."""
        migrate.rebuild(self.db)

    def backup(self, target: str | os.PathLike[str] | None = None, *, now: Instant = None) -> str:
        """A verified copy of the whole file, by default beside it; returns its path."""
        from cogmem.exchange.copies import backup

        name = None if target is None else os.fspath(target)
        return backup(self.db, name, now=self.instant(now))

    def restore_backup(
        self, source: str | os.PathLike[str] | None = None, *, now: Instant = None
    ) -> Replaced:
        """Put a backup (the latest, if none is named) in the file's place; the file is kept."""
        from cogmem.exchange.copies import restore_backup

        if self.path == ":memory:":
            raise InvalidInput("a memory without a file has no backups")
        name = None if source is None else os.fspath(source)
        self.close()
        try:
            return restore_backup(self.path, name, now=self.instant(now), driver=self._db.driver)
        finally:
            self._db, _ = migrate.open_space(self.path, driver=self._db.driver)
            self.reread()

    def export(self, *, history: bool = False, everywhere: bool = True) -> Iterator[str]:
        """The memory as JSON lines, in an order that import can follow."""
        from cogmem.exchange.outward import export_lines

        return export_lines(self.db, self.scope.but(everywhere=everywhere), history=history)

    def import_(
        self,
        source: str | os.PathLike[str] | Iterable[str | bytes],
        *,
        as_is: bool | None = None,
        keep_good: bool = False,
        dry_run: bool = False,
        owner: Mapping[str, str] | None = None,
        now: Instant = None,
        progress: Callable[[int], None] | None = None,
    ) -> Imported:
        """Take in exported or hand-written lines, from a path or as they come; see exchange."""
        from cogmem.exchange.inward import import_lines

        try:
            return import_lines(
                self.store, source, actor=self.actor, now=self.instant(now), as_is=as_is,
                keep_good=keep_good, dry_run=dry_run, owner=owner, progress=progress,
            )  # fmt: skip
        finally:
            self.reread()

    def copy_for(
        self, target: str | os.PathLike[str], *, everywhere: bool = False, now: Instant = None
    ) -> str:
        """A new memory with what this viewer sees, and no trace of the rest; returns its path."""
        from cogmem.exchange.copies import copy_for

        scope = self.scope.but(everywhere=everywhere)
        return copy_for(self.db, os.fspath(target), scope, now=self.instant(now))

    def query(self, text: str, *, seconds: float = 5.0, rows: int = 1000) -> Answer:
        """The answer to a person's own SQL, which can only read."""
        from cogmem.file.snapshot import file_of
        from cogmem.file.user_sql import query

        return query(file_of(self.db), storable(text, "the statement"), seconds=seconds, rows=rows)

    def plot(self, picture: str, *, last: int = 40, theme: str = "auto") -> str:
        """A picture as SVG: growth, kinds, budget, share, retrieval, decay or nights."""
        from cogmem.inspect.plot import draw, statement

        return draw(picture, self.db.rows(*statement(picture, last)), theme=theme)

    def label_project(self, project: Project, *, now: Instant = None) -> None:
        """Remember what people call a project, and where it was last seen."""
        at = self.instant(now)
        label = {"label": project.label, "root": project.root, "remote": project.remote}
        step = ("store.label_scope", {"axis": "project", "id": project.id, **label, "now": at})
        self.db.write([step], verb="label", actor=self.actor, at=at)
