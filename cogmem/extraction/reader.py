"""A model reads talk and says what lasts: `mem.extraction`.

Learning, conversations and tasks are other stages: whoever makes a `Reader` hands them in.
"""

from __future__ import annotations

from cogmem.extraction.pipeline import again, run
from cogmem.extraction.record import extract_record
from cogmem.extraction.work import Work, options_of
from cogmem.records import new_uid
from cogmem.scope import Scope
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Unpack

    from cogmem.conversation.conversation import Conversation
    from cogmem.extraction.work import Extracted, ExtractionOptions
    from cogmem.night.tasks import Task
    from cogmem.ports import Model
    from cogmem.records import Learned
    from cogmem.space import Instant, Space


class Stages:
    """What an extraction asks other stages for."""

    __slots__ = ("capped", "conversation", "hear", "learn", "queue", "revise", "supersede")

    def __init__(
        self,
        *,
        learn: Callable[..., Learned],
        revise: Callable[..., str],
        supersede: Callable[..., str],
        capped: Callable[..., Model | None],
        conversation: Callable[..., Conversation],
        hear: Callable[[str, str, Scope, int], list[Learned]],
        queue: Callable[..., str],
    ) -> None:
        self.learn = learn
        self.revise = revise
        self.supersede = supersede
        self.capped = capped
        self.conversation = conversation
        self.hear = hear
        self.queue = queue


class Reader(Area):
    """Reads messages at hand, or a recorded conversation from where the last extraction ended."""

    def __init__(self, space: Space, stages: Stages) -> None:
        super().__init__(space)
        self._stages = stages

    def run(
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
        **options: Unpack[ExtractionOptions],
    ) -> Extracted:
        """Let the model read talk and remember what lasts; without one, the capture rules read it.

        A dry run asks the model and stores nothing.

        messages: what was said: role and content of each
        context: what was said before, which is shown and not read
        user: whose; default: who opened the memory
        project: of which project
        session: of which session
        runtime: of which runtime
        model: what reads it; default: the memory's model
        dry_run: whether only to say what would happen
        now: the instant at which it happens; default: this one
        options: kinds, characters, alike, prompt …: as extraction.Options has them

        >>> said = [{"role": "user", "content": "I prefer tabs."}]
        >>> mem.extraction.run(said).by
        'rules'
        """
        at = self.space.instant(now)
        scope = self.space.scope.replacing(
            user=user, project=project, session=session, runtime=runtime
        )
        work = self._work(messages, context, scope, dict(options), at, model=model)
        done = run(
            work,
            dry_run=dry_run,
            queue=lambda subject, kept: self._wait("extract", subject, kept, at),
            capture=lambda role, text: self._stages.hear(text, role, scope, at),
        )
        return done.closed()

    def conversation(
        self,
        name: str,
        *,
        user: str | None = None,
        project: str | None = None,
        runtime: str | None = None,
        model: Model | None = None,
        now: Instant = None,
        **options: Unpack[ExtractionOptions],
    ) -> list[Extracted]:
        """Extract from what a recorded conversation holds and no extraction has read yet.

        name: the conversation
        user: whose; default: who opened the memory
        project: of which project
        runtime: of which runtime
        model: what reads it; default: the memory's model
        now: the instant at which it happens; default: this one
        options: kinds, characters, alike, prompt …: as extraction.Options has them

        >>> [done.by for done in mem.extraction.conversation("talk")]
        ['nobody']
        """
        at = self.space.instant(now)
        scope = self.space.scope.replacing(
            user=user, project=project, session=name, runtime=runtime
        )
        how = options_of(dict(options))
        payload = {"conversation": name, "scope": scope.owner(), "options": how.plain()}
        talk = self._stages.conversation(name, user=user, project=project, runtime=runtime)
        subject = f"conversation {name} {scope.user} {scope.project} {scope.runtime}"
        done = extract_record(
            talk,
            lambda said, before, mark, evidence: self._work(
                said, before, scope, dict(options), at, model=model, mark=mark, evidence=evidence
            ),
            lambda work: run(work, queue=lambda _, __: self._wait("extract", subject, payload, at)),
            characters=how.characters,
        )
        return [one.closed() for one in done]

    def again(self, task: Task, model: Model) -> dict[str, Any]:
        """Another try of an extraction that waits: what a task of the night asks for.

        task: the task of the night that asks for it
        model: what reads it
        """
        kept, at = task.payload, self.space.instant(None)
        scope = Scope(**kept["scope"])
        if "conversation" not in kept:
            work = self._work(
                kept["messages"],
                kept["context"],
                scope,
                kept["options"],
                at,
                model=model,
                is_retry=True,
            )
            return again(work)
        talk = self._stages.conversation(
            kept["conversation"], user=scope.user, project=scope.project, runtime=scope.runtime
        )
        done: list[dict[str, Any]] = []
        extract_record(
            talk,
            lambda said, before, mark, evidence: self._work(
                said,
                before,
                scope,
                kept["options"],
                at,
                model=model,
                mark=mark,
                evidence=evidence,
                is_retry=True,
            ),
            lambda work: done.append(again(work)),
            characters=options_of(kept["options"]).characters,
        )
        return {"stretches": done}

    def _work(
        self,
        messages: Sequence[Mapping[str, Any]],
        context: Sequence[Mapping[str, Any]],
        scope: Scope,
        options: Mapping[str, Any],
        at: int,
        *,
        model: Model | None = None,
        **more: Any,
    ) -> Work:
        """One extraction with all that it may use; what it learns asks no further model."""
        ask = self._stages
        store, run, by = self.space.store, new_uid("run"), self.space.actor
        return Work(
            store,
            scope,
            list(messages),
            list(context),
            options_of(options),
            run=run,
            actor=by,
            now=at,
            learn=lambda draft, profile: ask.learn(store, draft, actor=by, now=at, profile=profile),
            revise=lambda row, changes: ask.revise(
                store, row, changes, actor=by, now=at, verb="extract"
            ),
            supersede=lambda old, new: ask.supersede(store, old, new, actor=by, now=at),
            model=lambda purpose: ask.capped(purpose, at=at, model=model, run=run),
            **more,
        )

    def _wait(self, purpose: str, subject: str, payload: Mapping[str, Any], at: int) -> str:
        return self._stages.queue(
            self.space.db, purpose, subject, payload, actor=self.space.actor, now=at
        )
