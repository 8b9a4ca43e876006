"""Memory: one open space, and everything a program does with it.

Each method wires the stages and stays short; the stages hold the logic. Modules that a hook does
not need are imported by the method that does.
"""

from __future__ import annotations

import os

from cogmem.errors import InvalidInput, UnknownMemory
from cogmem.file.places import resolved
from cogmem.records import Draft, given_instant, milliseconds
from cogmem.scope import Scope, project_at
from cogmem.space import Space
from cogmem.text.lines import several, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import builtins  # the class has a method of the name list
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any, Unpack

    from cogmem.conversation.backfilled import Backfilled
    from cogmem.conversation.background import Background
    from cogmem.conversation.conversation import Conversation
    from cogmem.conversation.conversations import Conversations
    from cogmem.conversation.policy import SummaryPolicy
    from cogmem.conversation.sessions import Sessions
    from cogmem.documents.workplace import Workplace
    from cogmem.exchange.whole import File
    from cogmem.extraction.reader import Reader
    from cogmem.hear.catch_up import CaughtUp
    from cogmem.hear.listen import Heard, Listener
    from cogmem.learn.bulk import Taken
    from cogmem.learn.experience import Experience, Tried
    from cogmem.learn.facts import Facts
    from cogmem.learn.held import Held
    from cogmem.night.jobs import Night
    from cogmem.night.models import Models
    from cogmem.ports import Model
    from cogmem.records import Learned, Remembered
    from cogmem.repository.repository import Repository
    from cogmem.scope import Hearer, Owner
    from cogmem.search.recall import Recalled
    from cogmem.search.reranking import Reranker, SecondReader
    from cogmem.search.vectors import Embedder, Nearness
    from cogmem.space import Instant
    from cogmem.store.erase import Receipt
    from cogmem.store.history import History, Undone
    from cogmem.store.many import Many
    from cogmem.store.store import Counts
    from cogmem.sync.shared import Sharing
    from cogmem.sync.sync import Sync
    from cogmem.tokens.counting import TokenCounter
    from cogmem.turn.act import Told
    from cogmem.turn.activation import Activation
    from cogmem.turn.explain import Why
    from cogmem.turn.ledger import Ledger
    from cogmem.turn.turns import Turns


def _moment(now: Instant) -> datetime | None:
    """The caller's own datetime: its zone says what "yesterday" is."""
    return now if hasattr(now, "astimezone") else None  # type: ignore[return-value]


def _names(texts: Sequence[str], what: str, each: str) -> builtins.list[str]:
    return [storable(text, each) for text in several(texts, what)]


class Memory(Space):
    """One memory file, seen by one viewer. Use it as a context manager, or close() it.

    path: the file; default: what COGMEM_DB names, or a file in the platform's data folder
    user: whose memories these are; "" is everyone
    project: which project they belong to; "" is all of them
    session: which session is running, where calls do not name one
    runtime: which program asks, where several keep their memories apart
    actor: who is recorded as the one who changes something
    driver: apsw, or sqlite3 of the standard library
    read_only: whether nothing may be written
    patience_ms: how long to wait for another process that writes
    counter: counts tokens as the model does; default: the tokenizer that ships with cogmem
    model: answers what rules leave open
    embedder: makes vectors, to compare by meaning beside words
    reranker: orders the best answers of a search anew
    documents: the folder whose AGENTS.md and saved memories count; its project is taken too
    user_dir: where a person's own documents lie; "" is nowhere
    """

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
        patience_ms: int | None = None,
        counter: TokenCounter | None = None,
        model: Model | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        documents: str | os.PathLike[str] | None = None,
        user_dir: str | os.PathLike[str] | None = None,
    ) -> None:
        self._cwd = None if documents is None else resolved(os.fspath(documents))
        # "" says that there is none.
        self._user_dir = (
            resolved(os.fspath(user_dir)) if user_dir else None if user_dir is None else ""
        )
        self._workplace: Workplace | None = None
        if self._cwd is not None and not project:  # who works in a folder works on its project
            project = project_at(self._cwd)
        super().__init__(
            path,
            Scope(runtime, user, project, session),
            actor=actor,
            driver=driver,
            read_only=read_only,
            patience_ms=patience_ms,
            counter=counter,
            model=model,
            embedder=embedder,
            reranker=reranker,
        )
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
        durable: bool = False,
        cites: Sequence[str] = (),
        now: Instant = None,
        **owner: Unpack[Owner],
    ) -> Learned:
        """Remember a text. Learning the same again strengthens it; the same key overwrites.

        `cites` names the code that it speaks of (`a.py`, `a.py:10-20`, `a.py#name`); without it that is read from the
        text. `durable` returns only when the disk has it, so that a power cut cannot take it.

        text: what to remember, in plain words
        kind: what sort of memory it is; `cogmem kind list` shows all
        key: a short name of its own; what has the key already is overwritten
        tags: words to find it by
        priority: critical, high, medium or normal; default: that of the kind
        path: a glob such as `src/**/*.py`: it is about these files
        source: how it was learned, such as user_explicit or observed; it decides on trust and state
        trust: 0 to 1; default: that of the source
        state: candidate or active; default: as the source has it
        topic: what a fact is about, such as `deploy.host`: of one topic one fact holds
        valid_from: since when it holds
        valid_to: until when it holds
        confidence: 0 to 1: how sure it is
        expires_at: when it is over and no longer shown
        data: anything else, as JSON
        vocabulary: whose word `kind` is, where systems differ: odek, gokin, zara …
        profile: which rules for capacity and similarity apply: tool, odek, gokin …
        durable: whether to wait until the disk has it
        cites: the code it speaks of: `a.py`, `a.py:10-20`, `a.py#name`; default: as the text has it
        now: the instant at which it happens; default: this one
        owner: user, project, session, runtime: whom it is for; default: those the memory was opened with

        >>> mem.learn("The backup runs at night.", key="backup").outcome
        'inserted'
        >>> mem.learn("We use Python 3.11.", valid_to="2026-12-31", project="web").notes
        []
        """
        at = self.instant(now)
        fact = {
            "topic": topic or None,
            "valid_from": given_instant(valid_from, "valid_from", at),
            "valid_to": given_instant(valid_to, "valid_to", at),
            "confidence": confidence,
        }
        draft = Draft(
            text,
            kind,
            self.scope.owned(**owner),
            key=key,
            tags=tags,
            priority=priority,
            path_glob=path,
            source=source,
            trust=trust,
            state=state,
            data=data,
            vocabulary=vocabulary,
            expires_at=given_instant(expires_at, "expires_at", at),
            detail={name: value for name, value in fact.items() if value is not None},
        )
        if durable:
            with self.db.durably():
                learned = self._learn(draft, at, profile)
        else:
            learned = self._learn(draft, at, profile)
        self._cite(learned, text, _names(cites, "cites", "a place in the code"), at)
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

    def _cite(self, learned: Learned, text: str, given: builtins.list[str], at: int) -> None:
        """Note the code that a memory speaks of, where there is a working tree at hand."""
        from cogmem.text.cited import paths_in

        is_new = learned.outcome in ("inserted", "updated", "superseded", "candidate", "merged")
        if not given and not (is_new and ("`" in text or "_" in text or paths_in(text))):
            return
        from cogmem.repository.citations import cite
        from cogmem.repository.head import tree_at

        folder = self._cwd or os.getcwd()
        is_at_home = bool(self.scope.project) and self.scope.project == project_at(folder)
        if given or tree_at(folder) is not None:
            try:
                cite(self, learned.uid, text, folder, given, at, widely=is_at_home)
            except InvalidInput as error:  # it is remembered all the same
                learned.notes.append(f"it cites nothing: {error}")

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
        source: str = "observed",
        now: Instant = None,
        **owner: Unpack[Owner],
    ) -> Learned:
        """Remember that something happened, and how it ended.

        event: what happened
        outcome: how it ended
        kind: episode, event or another kind of this layer
        tags: words to find it by
        session_name: the session in which it happened
        turns: how many turns that took
        happened_at: when; default: now
        key: a short name of its own
        path: a glob such as `src/**/*.py`: it is about these files
        source: how it was learned, such as user_explicit or observed; it decides on trust and state
        now: the instant at which it happens; default: this one
        owner: user, project, session, runtime: whom it is for; default: those the memory was opened with

        >>> mem.episode("The release failed.", "a test was flaky", happened_at="2026-11-20").outcome
        'inserted'
        """
        at = self.instant(now)
        detail = {
            "outcome": outcome,
            "session_name": session_name,
            "turns": turns,
            "happened_at": at
            if happened_at is None
            else milliseconds(happened_at, "happened_at", at),
        }
        scope = self.scope.owned(**owner)
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
        source: str = "user_explicit",
        now: Instant = None,
        **owner: Unpack[Owner],
    ) -> Learned:
        """Remember how a task is done; the same name overwrites its steps and keeps its record.

        name: what the task is called; the same name overwrites
        steps: what to do, in order
        description: what it is for; default: its name
        context: when it applies
        tags: words to find it by
        path: a glob such as `src/**/*.py`: it is about these files
        source: how it was learned, such as user_explicit or observed; it decides on trust and state
        now: the instant at which it happens; default: this one
        owner: user, project, session, runtime: whom it is for; default: those the memory was opened with

        >>> mem.procedure("restart", ["stop the queue", "start the queue"], context="when it hangs").outcome
        'inserted'
        """
        if not several(steps, "steps"):
            raise InvalidInput("a procedure needs at least one step")
        if not storable(name, "the name").strip():
            raise InvalidInput("a procedure needs a name")
        draft = Draft(
            description or name,
            "procedure",
            self.scope.owned(**owner),
            key=name,
            tags=tags,
            path_glob=path,
            source=source,
            detail={"context": context, "steps": list(steps)},
        )
        return self._learn(draft, now)

    def _learn(self, draft: Draft, now: Instant, profile: str = "tool") -> Learned:
        from cogmem.learn.admit import profile_named
        from cogmem.learn.decide import learn

        at = self.instant(now)
        rules = profile_named(profile)
        # What is captured is learned within a transaction, and asks no model.
        model = None if profile == "capture" else self._capped("judge", at=at)
        return learn(self.store, draft, actor=self.actor, now=at, profile=rules, model=model)

    @property
    def listener(self) -> Listener:
        """The capture rules: describe(), check(), add(), enable()."""
        listener = self._listener
        if listener is None:
            from cogmem.hear.listen import Listener

            listener = self._listener = Listener(self.store, self.actor, self.instant)
        return listener

    def capture(
        self,
        text: str,
        role: str = "user",
        *,
        at: Instant = None,
        before: str = "",
        now: Instant = None,
        **owner: Unpack[Owner],
    ) -> Heard:
        """Learn what one message says that is worth keeping. A recorded one is read once by the night.

        `at` is when it was said, `before` the message before it, which a bare "remember this" means.

        text: the message
        role: user or assistant: who said it
        at: when it was said; default: now
        before: the message before it, which a bare "remember this" means
        now: the instant at which it happens; default: this one
        owner: user, project, session, runtime: whom it is for; default: those the memory was opened with

        >>> mem.capture("Never push to main on Fridays.").learned[0].outcome
        'inserted'
        """
        moment = self.instant(now if now is not None else at)
        scope = self.scope.owned(**owner)
        return self.listener.hear(
            lambda draft, when: self._learn(draft, when, "capture"),
            text,
            role,
            scope,
            at=moment if at is None else milliseconds(at, "at", moment),
            now=moment,
            actor=self.actor,
            session=scope.session,
            before=before,
        )

    def capture_conversation(
        self, name: str, *, batch: str = "", now: Instant = None, **owner: Unpack[Owner]
    ) -> CaughtUp:
        """Read what a recorded conversation says and no rule has read yet: (messages, memories). What is
        learned of a `batch` of old talk waits as a candidate, whoever said it.

        name: the conversation
        batch: a name for old talk: what is learned of it waits as a candidate
        now: the instant at which it happens; default: this one
        owner: user, project, session, runtime: whom it is for; default: those the memory was opened with

        >>> mem.capture_conversation("talk")
        CaughtUp(messages=2, memories=0)
        """
        from cogmem.hear.catch_up import CaughtUp, catch_up

        at = self.instant(now)

        def learn(draft: Draft, when: int) -> Learned:
            if batch:
                draft.state = "candidate"
                draft.data = {**(draft.data or {}), "batch": batch}
            return self._learn(draft, when, "capture")

        read, taught = catch_up(
            self.store,
            self.listener.rules().match,
            learn,
            run=None,
            actor=self.actor,
            now=at,
            only=(name, self.scope.owned(**owner)),
        )
        return CaughtUp(read, taught)

    def _heard(self, text: str, role: str, scope: Scope, at: int) -> builtins.list[Learned]:
        """What the capture rules make of one message."""
        heard = self.listener.hear(
            lambda draft, when: self._learn(draft, when, "capture"),
            text,
            role,
            scope,
            at=at,
            now=at,
            actor=self.actor,
            session=scope.session,
        )
        return heard.learned

    def tried(self, procedure: str, *, success: bool, now: Instant = None) -> Tried:
        """Record that a procedure was tried: its successes and failures since.

        procedure: its name or uid
        success: whether it worked
        now: the instant at which it happens; default: this one

        >>> mem.tried("release", success=True)
        Tried(successes=1, failures=0)
        """
        row = self.get(procedure, now=now)
        if row.layer != "procedural":
            raise InvalidInput(f"{procedure} is {row.layer}, not a procedure")
        at = self.instant(now)
        step = {"uid": row.uid, "success": int(success), "failure": int(not success), "now": at}
        written = self.db.write(
            [("store.count_outcome", step)], verb="tried", actor=self.actor, at=at
        )
        from cogmem.learn.experience import Tried

        return Tried(*written.rows[0][0])

    # -- changing ----------------------------------------------------------------------------------

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
        seen: Remembered | None = None,
        now: Instant = None,
    ) -> Remembered:
        """Change parts of a memory, by uid or key. New content gets its tags anew.

        `detail` holds columns of its layer (topic, outcome, steps …); `seen` is the memory as the
        caller read it: if it was changed since, that is a Conflict.

        name: its uid or key
        content: the new text; it gets its tags anew
        tags: the new tags
        priority: critical, high, medium or normal
        path: the new glob
        key: the new key
        kind: the new kind, of the same layer
        expires_at: when it is over
        detail: columns of its layer: topic, outcome, steps …
        seen: the memory as you read it; if it was changed since, that is a Conflict
        now: the instant at which it happens; default: this one

        >>> mem.update("staging", priority="high").priority
        3
        """
        from cogmem.learn.revise import revise

        at = self.instant(now)
        changes = {
            "content": content,
            "tags": None if tags is None else several(tags, "tags"),
            "priority": priority,
            "path_glob": path,
            "key": key,
            "kind": kind,
            "detail": dict(detail) if detail else None,
            "expires_at": given_instant(expires_at, "expires_at", at),
        }
        row = seen or self.get(name, now=at)
        revise(self.store, row, changes, actor=self.actor, now=at)
        return self.get(row.uid, now=at)

    def move(
        self,
        name: str,
        *,
        reason: str = "",
        now: Instant = None,
        **owner: Unpack[Owner],
    ) -> Remembered:
        """Give a memory to another owner, by uid or key; "" means everyone, None stays as it is.

        name: its uid or key
        reason: why, for the history
        now: the instant at which it happens; default: this one
        owner: user, project, session, runtime: whom it is for; default: those the memory was opened with

        >>> mem.move("staging", project="web").project
        'web'
        """
        from cogmem.learn.revise import move

        at = self.instant(now)
        row = self.get(name, now=at)
        has = Scope(row.runtime, row.user, row.project, row.session)
        to = has.owned(**owner)
        move(self.store, row, to, actor=self.actor, now=at, reason=reason)
        return self.store.get(row.uid, Scope(everywhere=True), at)

    def remove(self, name: str, *, reason: str = "removed by hand", now: Instant = None) -> str:
        """Take a memory out of sight and search, by uid or key; `restore` or `undo` brings it back.

        name: its uid or key
        reason: why, for the history
        now: the instant at which it happens; default: this one

        >>> act = mem.remove("staging")
        >>> mem.get("staging", living=False).state
        'deleted'
        """
        row = self.get(name, now=now)
        if row.state == "deleted":
            raise InvalidInput(
                f"{row.uid} is removed already: `cogmem restore {row.uid}` brings it back"
            )
        return self.store.set_state(
            row, "deleted", reason=reason, actor=self.actor, now=self.instant(now), verb="remove"
        )

    def keep(self, name: str, *, now: Instant = None) -> str:
        """Say that a memory is worth keeping: a candidate becomes active, another starts to fade anew.

        name: its uid or key
        now: the instant at which it happens; default: this one

        >>> act = mem.keep("staging")
        """
        at = self.instant(now)
        row = self.get(name, now=at)
        if row.state != "active":
            return self.restore(row.uid, now=at)
        step = ("store.reinforce", {"uid": row.uid, "now": at})
        return self.db.write([step], verb="keep", actor=self.actor, at=at).act

    def archive(self, name: str, *, reason: str = "archived by hand", now: Instant = None) -> str:
        """Keep a memory for search only: it is never injected again.

        name: its uid or key
        reason: why, for the history
        now: the instant at which it happens; default: this one

        >>> act = mem.archive("staging")
        >>> mem.get("staging", living=False).state
        'archived'
        """
        row = self.get(name, now=now)
        return self.store.set_state(
            row, "archived", reason=reason, actor=self.actor, now=self.instant(now), verb="archive"
        )

    def restore(self, name: str, *, now: Instant = None) -> str:
        """Bring a removed, archived or candidate memory back to active, by uid or key.

        name: its uid or key
        now: the instant at which it happens; default: this one

        >>> act = mem.archive("staging")
        >>> act = mem.restore("staging")
        >>> mem.get("staging").state
        'active'
        """
        row = self.get(name, living=False, now=now)
        if row.state == "active":
            raise InvalidInput(f"{row.uid} is active: there is nothing to restore")
        return self.store.set_state(
            row, "active", reason="", actor=self.actor, now=self.instant(now), verb="restore"
        )

    def stats(self, *, everywhere: bool = False) -> Counts:
        """Counts by layer, kind and state, and the tokens that all active memories would cost.

        everywhere: whether to look into every user, project and session

        >>> mem.stats().by_layer
        {'episodic': 0, 'semantic': 2, 'procedural': 1}
        """
        return self.store.stats(self.scope.replacing(everywhere=everywhere))

    def conversation(
        self,
        name: str | None = None,
        *,
        policy: SummaryPolicy | Mapping[str, Any] | None = None,
        model: Model | None = None,
        background: Background | None = None,
        **owner: Unpack[Hearer],
    ) -> Conversation:
        """The record of one conversation: append(role, text), window(budget), expand(uid) …

        Without a name it is the one that `cogmem.conversation.conversation.current` holds for this thread or task.

        name: its name; default: the one of this thread or task
        policy: how it is summarised: a SummaryPolicy, or what differs from the default one
        model: what summarises; default: the memory's model, or rules without one
        background: where summaries are made after `save`; default: nowhere
        owner: user, project, session, runtime: whom it is for; default: those the memory was opened with

        >>> talk = mem.conversation("planning")
        >>> talk.append("user", "Which host is staging?")
        0
        """
        return self.conversations.open(
            name,
            policy=policy,
            model=model,
            background=background,
            **owner,
        )

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
        explain: bool = False,
        **owner: Unpack[Hearer],
    ) -> Activation:
        """Choose and render the memories that matter for this turn, within the budget.

        With a session, `stable` is frozen at its first turn; `refresh` (after the host compacted its
        prompt) freezes it anew. A turn id given by the caller makes a retry harmless. With `explain`
        what the gate kept out is among `omitted`, with the chance it was given and why.

        prompt: what the user asks
        budget: tokens it may cost; default: the setting budget_tokens
        session: keeps `stable` the same while it lasts
        files: paths at hand, for rules about files
        now: the instant at which it happens; default: this one
        turn: an id of the caller's own, which makes a retry harmless
        form: markdown or xml
        counter: counts tokens as a certain model does
        refresh: whether to freeze `stable` anew, after the host compacted its prompt
        explain: whether `omitted` tells what the gate kept out, and why
        owner: user, project, session, runtime: whom it is for; default: those the memory was opened with

        >>> turn = mem.activate("Which server is staging?", session="s1")
        >>> "heron" in turn.text
        True
        >>> [item.kind for item in turn.items]
        ['policy', 'fact']
        """
        from cogmem.turn.activation import Prompt
        from cogmem.turn.ledger import Ledger
        from cogmem.turn.turn import take_turn

        if self._ledger is None:
            with self._db._held():  # two threads' first turns
                self._ledger = self._ledger or Ledger(self.db)
        scope = self.scope.owned(session=session, **owner)
        asked = Prompt(
            prompt,
            now=self.instant(now),
            moment=_moment(now),
            actor=self.actor,
            budget=budget,
            session=scope.session,
            files=_names(files, "files", "a file"),
            folder=(self._cwd or os.getcwd()) if files else "",
            turn=turn,
            form=form,
            refresh=refresh,
            explains=explain,
        )
        return take_turn(
            self._db,
            scope,
            asked,
            counter=counter or self._counter,
            ledger=None if self._db.read_only else self._ledger,
            documents=None if self._cwd is None else self._stable_documents,
            near=self._nearness(prompt),
            second=self._second(prompt),
        )

    def at_act(
        self,
        *,
        command: str = "",
        file: str = "",
        text: str = "",
        writes: bool = False,
        error: str = "",
        session: str | None = None,
        notes: bool = True,
        now: Instant = None,
    ) -> Told:
        """What is known about a command that is about to run, or a file about to be read or (with
        `writes`) changed; with `error`, what mended the same one before. Once in a session: who gives
        `notes=False` calls `note_told` when it has been said.

        command: the command that is about to run
        file: the file that is about to be read or changed
        text: what would be written to it
        writes: whether it is to be changed
        error: what went wrong: tells what mended the same before
        session: what it was told already is not told again
        notes: whether to note at once that it was told
        now: the instant at which it happens; default: this one

        >>> mem.at_act(command="git push").text
        ''
        """
        from cogmem.turn import act

        scope, at = self.scope.replacing(session=session), self.instant(now)
        doing = act.Act(command, file, text, writes, error)
        told = act.tell(self.db, scope, doing, scope.session, now=at, counter=self._counter)
        if notes:
            act.note(self.db, told, now=at, actor=self.actor)
        return told

    def note_told(self, told: Told, *, now: Instant = None) -> None:
        """What `at_act` found has been said: the session is not told it again.

        told: what `at_act` gave
        now: the instant at which it happens; default: this one

        >>> mem.note_told(mem.at_act(command="git push", notes=False))
        """
        from cogmem.turn import act

        act.note(self.db, told, now=self.instant(now), actor=self.actor)

    def rules_for_subagent(self, *, now: Instant = None) -> str:
        """The rules that a subagent is told when it starts; '' where the setting says so.

        now: the instant at which it happens; default: this one

        >>> "green build" in mem.rules_for_subagent()
        True
        """
        from cogmem.turn import act

        return act.rules(self.db, self.scope, now=self.instant(now), counter=self._counter)

    def _nearness(self, text: str) -> Nearness | None:
        if self.embedder is None or not isinstance(text, str) or not text.strip():
            return None
        from cogmem.search.vectors import Nearness

        return Nearness(self.db, self.embedder, text)

    def _second(self, text: str) -> SecondReader | None:
        if self.reranker is None or not isinstance(text, str) or not text.strip():
            return None
        from cogmem.search.reranking import SecondReader

        return SecondReader(self.reranker, text)

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
        history: bool = False,
        limit: int = 8,
        tokens: int | None = None,
        min_probability: float = 0.0,
        messages: bool = True,
        partitions: Sequence[str] = ("user", "global"),
        strengthen: bool = True,
        near: Nearness | None = None,
        now: Instant = None,
        **owner: Unpack[Owner],
    ) -> builtins.list[Recalled]:
        """Search memories and recorded messages; what an explicit recall returns is strengthened.

        `min_probability` leaves out what has less of a chance to help, as a turn's gate weighs it. `history`
        brings facts that hold no more as well, as a question about the past does ("what was it called
        before?"), each with the time that it held; `as_of` asks for what was held and known at an instant, or at
        any time of "last spring", "March 2025" or "2024".

        query: words to look for; a blank one lists what is newest
        layer: episodic, semantic or procedural
        kind: one kind; `cogmem kind list` shows all
        state: candidate, active, archived, deleted or expired
        tags: only what has all of these tags
        tag: only what has this tag
        key: only the memory with this key
        since: only what is as new as this instant
        until: only what is older than this instant
        as_of: what was held and known at this instant, or in this time
        history: whether to bring what holds no more as well
        limit: how many at most; 0: all
        tokens: how many tokens all of it may cost
        min_probability: the least chance to help, 0 to 1
        messages: whether to search recorded messages too
        partitions: "user" for what is the user's own, "global" for everyone's
        strengthen: whether what is found counts as used
        near: vectors to compare with; default: by the embedder, if there is one
        now: the instant at which it happens; default: this one
        owner: user, project, session, runtime: whom it is for; default: those the memory was opened with

        >>> [found.key for found in mem.recall("staging server")]
        ['staging']
        >>> mem.recall("heron", since=timedelta(days=-7))[0].created_at.tzinfo
        datetime.timezone.utc
        """
        from cogmem.search.recall import Filter, at_time, search

        at = self.instant(now)
        then, during = at_time(as_of, at)
        scope = self.scope.owned(**owner).replacing(
            own="user" in partitions, shared="global" in partitions
        )
        store = self._store or self.store  # the store itself would have the counts written first
        keeps = Filter(
            layer=layer,
            kind=kind,
            state=state,
            key=key,
            tags=[*several(tags, "tags"), *([tag] if tag else [])],
            since=given_instant(since, "since", at),
            until=given_instant(until, "until", at),
            as_of=then,
            during=during,
            history=history,
            messages=messages,
            min_probability=min_probability,
        )
        found = search(
            store,
            scope,
            query,
            keeps,
            now=at,
            moment=_moment(now),
            limit=limit,
            tokens=tokens,
            near=near or self._nearness(query),
            second=self._second(query),
        )
        uids = [
            one.uid
            for one in found
            if one.origin == "memory" and one.state == "active" and not one.is_past
        ]
        if strengthen and uids and not self._db.read_only:
            if self._recalls is None:
                from cogmem.store.counters import counting

                with self._db._held():
                    self._recalls = self._recalls or counting(self._db, self.actor)
            self._recalls.add(uids, at)
        return found

    def why(self, ref: str, turn: str, *, everywhere: bool = False) -> Why:
        """Why a memory (uid or key) or message was shown in a turn, or was not: stage, figures, one
        sentence.

        ref: a uid, a key or msg_NUMBER
        turn: the id of the turn
        everywhere: whether to look into every user, project and session

        >>> turn = mem.activate("Which server is staging?")
        >>> mem.why("staging", turn.turn).stage
        'chosen'
        """
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
        session: str | None = None,
        now: Instant = None,
    ) -> Why:
        """What keeps a memory (uid or key) out of a prompt, or lets it in, weighed now and not
        recorded; with a session, as its next turn would.

        ref: a uid or key
        prompt: the prompt to weigh it for
        files: paths at hand
        budget: tokens the turn may cost
        session: as the next turn of this session would
        now: the instant at which it happens; default: this one

        >>> mem.why_not("staging", "What is for lunch?").shown
        False
        """
        from cogmem.turn.explain import why_not

        at = self.instant(now)
        return why_not(
            self.db,
            self._ref(ref, self.scope),
            prompt,
            scope=self.scope,
            now=at,
            files=_names(files, "files", "a file"),
            budget=budget,
            session=self.scope.owned(session=session).session,
        )

    def used(
        self,
        turn: str,
        refs: Sequence[str],
        *,
        useful: bool = True,
        everywhere: bool = False,
        now: Instant = None,
    ) -> int:
        """Say which shown memories helped (or did not); returns how many the ledger knew.

        turn: the id of the turn
        refs: what helped, by the `ref` of its items
        useful: False: it did not help
        everywhere: whether to look into every user, project and session
        now: the instant at which it happens; default: this one

        >>> turn = mem.activate("Which server is staging?")
        >>> mem.used(turn.turn, [item.ref for item in turn.items])
        2
        """
        from cogmem.turn.explain import used

        self.flush()
        return used(
            self.db,
            storable(turn, "the turn"),
            _names(refs, "refs", "a reference"),
            self.looking(everywhere),
            useful=useful,
            actor=self.actor,
            now=self.instant(now),
        )

    # -- by area ---------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        """What was changed: log(), diff(), receipts()."""
        from cogmem.store.history import History

        return History(self)

    @property
    def sync(self) -> Sync:
        """The same memory on several machines: exchange(), what(), peers(), overwritten()."""
        from cogmem.sync.sync import Sync

        return Sync(self)

    @property
    def sharing(self) -> Sharing:
        """Memories that a team shares in its repository: propose(), take_in()."""
        from cogmem.sync.shared import Sharing

        return Sharing(self)

    @property
    def many(self) -> Many:
        """Many memories in one act: change(), remove(), suspects()."""
        from cogmem.store.many import Many

        return Many(self)

    @property
    def facts(self) -> Held:
        """What is held true, and when: at(), correct(), supersede(), retire(), conflicts(), settle(), merge()."""
        from cogmem.learn.held import Held

        return Held(self)

    @property
    def experience(self) -> Experience:
        """What was learned by doing: pattern(), command(), file_type()."""
        from cogmem.learn.experience import Experience

        return Experience(self.store, self.scope, self.actor, self.instant)

    def collections(self, *, enabled: bool = True, merge_on_write: bool = True) -> Facts:
        """Two small collections that are always shown: about the user, and the environment.

        enabled: False: it refuses changes and shows nothing
        merge_on_write: whether an entry that says the same is joined

        >>> mem.collections().entries("user")
        []
        """
        from cogmem.learn.facts import Facts

        return Facts(
            self.store,
            self.scope,
            self.actor,
            self.instant,
            model=self._capped("consolidate"),
            enabled=enabled,
            merge_on_write=merge_on_write,
        )

    @property
    def turns(self) -> Turns:
        """Turns that were: list(), get(), replay(); frozen(), compacted(); assembler(), project_block()."""
        from cogmem.turn.turns import Turns

        return Turns(self, self.recall, self._nearness)

    @property
    def conversations(self) -> Conversations:
        """What was said: open(), list(), window(), message(), of_summary()."""
        from cogmem.conversation.conversations import Conversations

        return Conversations(self, self._capped)

    @property
    def backfilled(self) -> Backfilled:
        """Hosts' transcripts that were recorded after the fact: known(), batches(), undo()."""
        from cogmem.conversation.backfilled import Backfilled

        return Backfilled(self)

    @property
    def sessions(self) -> Sessions:
        """Sessions and what remains of them: notes(), end(), episode(), find(), told()."""
        from cogmem.conversation.sessions import Sessions

        return Sessions(self, self._learn, self._capped, self.conversation)

    @property
    def repository(self) -> Repository:
        """The repository of the code at hand: read(), all()."""
        from cogmem.repository.repository import Repository

        return Repository(self, self._learn_many)

    def behind(self, folder: str) -> str:
        """What of a folder's repository is to be looked at now, without running git.

        'history' where it was read once and has other commits now, 'code' where memories cite code and commits
        came since it was verified; else ''.

        folder: a folder of its working tree

        >>> mem.behind(".")
        ''
        """
        from cogmem.repository.head import behind

        return "" if self._db.read_only else behind(self.db, self.scope.project, folder)

    def _learn_many(
        self,
        named: Iterable[tuple[str, int, Draft]],
        now: int,
        act: str | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Taken:
        """Remember what names itself: the door of what is read from a repository."""
        from cogmem.learn.bulk import learn_many

        return learn_many(
            self.store,
            named,
            actor=self.actor,
            now=now,
            profile="repository",
            verb="git",
            act=act,
            progress=progress,
        )

    @property
    def extraction(self) -> Reader:
        """A model reads talk: run(), conversation()."""
        from cogmem.extraction.reader import Reader, Stages
        from cogmem.learn.decide import learn
        from cogmem.learn.revise import revise, supersede
        from cogmem.night.tasks import queue

        return Reader(
            self,
            Stages(
                learn=learn,
                revise=revise,
                supersede=supersede,
                capped=self._capped,
                conversation=self.conversation,
                hear=self._heard,
                queue=queue,
            ),
        )

    @property
    def models(self) -> Models:
        """The model and the embedder: spend(), calls_left(), tasks(), fill(), revive(), embed()."""
        from cogmem.night.models import Models

        return Models(
            self,
            {
                "narrate": lambda task, model: self.sessions.retold(task, model),
                "extract": lambda task, model: self.extraction.again(task, model),
            },
        )

    def _capped(
        self, purpose: str, *, at: int | None = None, model: Model | None = None, run: str = ""
    ) -> Model | None:
        """The given model or else the memory's, under the caps and in the ledger; None without one."""
        if model is None and self.model is None:
            return None
        return self.models.capped(purpose, at, model=model, run=run)

    @property
    def file(self) -> File:
        """The file: check(), doctor(), rebuild(), backup(), restore(), export(), import_(), query() …"""
        from cogmem.exchange.whole import File

        return File(self, self._learn, lambda text: self.listener.kind_of(text))

    @property
    def documents(self) -> Workplace:
        """The documents and saved memories of the folder that was named when this was opened."""
        if self._cwd is None:
            raise InvalidInput(
                "name the folder whose documents you mean: cogmem.open(…, documents=FOLDER)"
            )
        if self._workplace is None:
            from cogmem.documents.workplace import Workplace
            from cogmem.file.places import default_user_dir

            user_dir = default_user_dir() if self._user_dir is None else self._user_dir
            self._workplace = Workplace(
                self.store,
                self.scope,
                self.actor,
                self.instant,
                self._learn,
                self._revise,
                self._cwd,
                user_dir,
            )
        return self._workplace

    def _stable_documents(
        self, count: Callable[[str], int], limit: int, now: int
    ) -> tuple[str, int]:
        return self.documents.stable(count, limit, now)

    def _revise(self, row: Remembered, changes: dict[str, Any], now: int) -> str:
        from cogmem.learn.revise import revise

        return revise(self.store, row, changes, actor=self.actor, now=now)

    # -- the way back ----------------------------------------------------------------------------

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

        name: the act, run or number of a change
        force: whether to take back the rest where later changes built on it
        dry_run: whether only to say what would happen
        everywhere: whether to look into every user, project and session
        now: the instant at which it happens; default: this one

        >>> learned = mem.learn("A mistake.")
        >>> mem.undo(learned.act).rows
        1
        """
        from cogmem.store.history import change_name, undo

        result = undo(
            self.db,
            change_name(name),
            self.looking(everywhere),
            actor=self.actor,
            now=self.instant(now),
            force=force,
            dry_run=dry_run,
        )
        self.reread()
        return result

    def forget(
        self,
        *names: str,
        words: Sequence[str] = (),
        most: int | None = None,
        confirm: str | None = None,
        reason: str = "",
        dry_run: bool = False,
        now: Instant = None,
    ) -> Receipt:
        """Remove memories (uid or key) and messages ('msg_<id>') for good, with all traces.

        `words` names telling words that must be gone: all memories in sight that hold one go too, as many
        as `most` says (a tenth of what is in sight, if it says nothing). `confirm` is the number of the
        preview (`dry_run`) that was looked at: if anything else would go now, nothing does.

        names: uids, keys or msg_NUMBER
        words: words that must be gone: all memories in sight that hold one go too
        most: how many may go by their words; default: a tenth of what is in sight
        confirm: the number of the preview that was looked at
        reason: why, for the history
        dry_run: whether only to say what would happen
        now: the instant at which it happens; default: this one

        >>> preview = mem.forget("staging", dry_run=True)
        >>> mem.forget("staging", confirm=preview.number).uids == preview.uids
        True
        """
        from cogmem.documents.erase import erase, mirrors
        from cogmem.store.forget import forget

        at = self.instant(now)
        self.flush()
        several(words, "words")
        uids = [name if name.startswith("msg_") else self._forgettable(name, at) for name in names]
        mirrored = mirrors(self.db)
        receipt = forget(
            self.db,
            uids,
            self.scope,
            actor=self.actor,
            now=at,
            reason=reason,
            words=words,
            most=most,
            confirm=confirm,
            dry_run=dry_run,
        )
        if not dry_run:  # a saved memory's own file would bring it back
            gone = erase(path for path, uid in mirrored.items() if uid in receipt.uids)
            receipt.files = [path for path in receipt.files if path not in gone]
        return receipt.closed()

    def _forgettable(self, name: str, at: int) -> str:
        """The uid behind a name; one whose row is gone may still have a past to forget."""
        try:
            return self.get(name, now=at).uid
        except UnknownMemory:
            from cogmem.store.forget import has_past

            if name.startswith("mem_") and has_past(self.db, name, self.scope):
                return name
            raise

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
        """Run the jobs of schema/jobs that are due; a dry run lists what they would change.

        dry_run: whether only to say what would happen
        job: only this one, such as 30_fade
        force: whether to run jobs that ran in this period already
        now: the instant at which it happens; default: this one
        progress: called with the job, how much is done, and of how much

        >>> mem.nightly(dry_run=True).is_sound
        True
        """
        from cogmem.night import jobs
        from cogmem.steps import Steps

        steps = Steps(self, self.models, dry_run=dry_run, progress=progress)
        night = jobs.nightly(
            self.store,
            now=self.instant(now),
            actor=self.actor,
            dry_run=dry_run,
            only=job,
            force=force,
            progress=progress,
            steps=steps.by_name(),
        )
        return night.closed()
