"""The verbs that teach a memory: a text, an event, how a task is done, what was said, how it went."""

from __future__ import annotations

import os

from cogmem.arguments import naming
from cogmem.errors import InvalidInput
from cogmem.records import Draft, given_instant, milliseconds
from cogmem.scope import Scope, project_at
from cogmem.text.lines import several, several_storable, storable
from cogmem.verbs.areas import Areas

TYPE_CHECKING = False
if TYPE_CHECKING:
    import builtins  # the class has a method of the name list
    from collections.abc import Mapping, Sequence
    from typing import Any, Unpack

    from cogmem.hear.catch_up import CaughtUp
    from cogmem.hear.listen import Heard
    from cogmem.hear.old_talk import OldTalk
    from cogmem.learn.experience import Tried
    from cogmem.records import Learned
    from cogmem.scope import Owner
    from cogmem.space import Instant


@naming
class Learning(Areas):
    """A memory that learns."""

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

        text: what to remember, in plain words
        kind: what sort of memory it is; `cogmem setting kind list` shows all
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
        durable: whether to wait until the disk has it, so that a power cut cannot take it
        cites: the code it speaks of: `a.py`, `a.py:10-20`, `a.py#name`; default: as the text has it

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
        self._cite(learned, text, several_storable(cites, "cites", "a place in the code"), at)
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

        >>> mem.episode("The release failed.", "a test was flaky", happened_at="2026-11-20").outcome
        'inserted'
        """
        at = self.instant(now)
        happened = given_instant(happened_at, "happened_at", at)
        detail = {"outcome": outcome, "session_name": session_name, "turns": turns}
        detail |= {"happened_at": at if happened is None else happened}
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

        >>> mem.procedure("restart", ["stop the queue", "start the queue"], context="when it hangs").outcome
        'inserted'
        """
        if not any(str(step).strip() for step in several(steps, "steps")):
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
        """Learn what one message says that is worth keeping. A night reads each recorded message, too.

        text: the message
        role: user or assistant: who said it
        at: when it was said; default: now
        before: the message before it, which a bare "remember this" means

        >>> mem.capture("Never push to main on Fridays.").learned[0].outcome
        'inserted'
        """
        moment = self.instant(now if now is not None else at)
        scope = self.scope.owned(**owner)
        return self.listener.hear(
            self._capture,
            text,
            role,
            scope,
            at=moment if at is None else milliseconds(at, "at", moment),
            now=moment,
            session=scope.session,
            before=before,
        )

    def capture_conversation(
        self, name: str, *, now: Instant = None, **owner: Unpack[Owner]
    ) -> CaughtUp:
        """Read what a recorded conversation says and no rule has read yet: (messages, memories).

        name: the conversation

        >>> mem.capture_conversation("talk")
        CaughtUp(messages=2, memories=0)
        """
        from cogmem.hear.catch_up import CaughtUp, catch_up

        only, rules = (name, self.scope.owned(**owner)), self.listener.rules().read
        at = self.instant(now)
        read, taught = catch_up(self.store, rules, self._capture, run=None, now=at, only=only)
        from cogmem.search.sayings import read_ahead

        read_ahead(self._db, only[1].owner(), name, at, self.actor)
        return CaughtUp(read, taught)

    def tried(
        self, procedure: str, *, success: bool, reason: str = "", now: Instant = None
    ) -> Tried:
        """Record that a procedure was tried: its successes and failures since. One that keeps failing is not offered.

        procedure: its name or uid
        success: whether it worked
        reason: why it failed, in a few words

        >>> mem.tried("release", success=True)
        Tried(successes=1, failures=0)
        """
        row = self.get(procedure, now=now)
        if row.layer != "procedural":
            raise InvalidInput(f"{procedure} is {row.layer}, not a procedure")
        from cogmem.learn.experience import tried

        at = self.instant(now)
        return tried(self.store, row.uid, success, reason, now=at)

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

    # -- for other stages --------------------------------------------------------------------------

    def old_talk(self, batch: str, *, now: Instant = None) -> OldTalk:
        """Hear talk that is recorded after the fact: the best of what it would teach waits for one look."""
        from cogmem.hear.old_talk import OldTalk

        rules, at = self.listener.rules().read, self.instant(now)
        return OldTalk(self.store, rules, self._capture, batch=batch, now=at)
