"""Memory: one open space, and everything that a program does with it every day.

The verbs stand in cogmem/verbs, a module for each subject, and stay short: each says who asks and when, loads its
stage and hands on. What is rarer hangs on a memory by its area.
"""

from __future__ import annotations

import os

from cogmem.arguments import naming
from cogmem.file.places import given, resolved
from cogmem.scope import Scope, project_at, project_of
from cogmem.verbs.changing import Changing
from cogmem.verbs.learning import Learning
from cogmem.verbs.telling import Telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Self, Unpack

    from cogmem.conversation.background import Background
    from cogmem.conversation.conversation import Conversation
    from cogmem.conversation.policy import SummaryPolicy
    from cogmem.night.jobs import Night
    from cogmem.ports import Model
    from cogmem.scope import Hearer
    from cogmem.search.reranking import Reranker
    from cogmem.search.vectors import Embedder
    from cogmem.space import Instant
    from cogmem.tokens.counting import TokenCounter
    from cogmem.verbs.events import Event


@naming
class Memory(Learning, Changing, Telling):
    """One memory file, seen by one viewer. Use it as a context manager, or close() it.

    path: the file; default: what COGMEM_DB names, or a file in the platform's data folder
    user: whose memories these are; "" or None is everyone
    project: which project they belong to: its folder by its full path, or a name; "" or None is all of them
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
    on_event: called after each call with its verb, figures and time, and never with a text

    An argument that a call does not explain means this:

    dry_run: whether to say only what would happen
    everywhere: whether to look into every user, project and session
    filters: layer (episodic, semantic or procedural), kind, state (candidate, active, archived, deleted or expired),
      tag, the path that it is about, since and until which instant it was learned
    limit: how many at most; 0: all
    now: the instant at which it happens; default: this one
    owner: user, project, session, runtime: whom it is for; default: those the memory was opened with
    reason: why, for the history
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        user: str | None = "",
        project: str | None = "",
        session: str | None = "",
        runtime: str | None = "",
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
        on_event: Callable[[Event], object] | None = None,
    ) -> None:
        self._cwd = None if documents is None else resolved(given(documents, "documents"))
        # "" says that there is none.
        self._user_dir = (
            resolved(given(user_dir, "user_dir")) if user_dir else None if user_dir is None else ""
        )
        # A folder is its project, as for `--project`.
        if isinstance(project, str) and os.path.isabs(os.path.expanduser(project)):
            project = project_of(project).id
        if self._cwd is not None and not project:  # who works in a folder works on its project
            project = project_at(self._cwd)
        super().__init__(
            path,
            Scope(runtime or "", user or "", project or "", session or ""),
            actor=actor,
            driver=driver,
            read_only=read_only,
            patience_ms=patience_ms,
            counter=counter,
            model=model,
            embedder=embedder,
            reranker=reranker,
        )
        if on_event is not None:
            from cogmem.verbs.events import observed

            self._on_event = on_event
            self.__class__ = observed(type(self))

    def __repr__(self) -> str:
        owner = "".join(
            f", {name}={value!r}" for name, value in self.scope.owner().items() if value
        )
        return f"{type(self).__name__}({self.path!r}{owner})"

    def as_user(
        self,
        user: str,
        *,
        project: str | None = None,
        session: str | None = None,
        runtime: str | None = None,
    ) -> Self:
        """See the same open file as another user: the whole of a memory over the same connection.

        It costs next to nothing, so that a service makes one for each request; what is closed is the memory
        that it came from. Every verb and area keeps to that user's memories and to what everyone sees.

        user: whose memories these are; "" is everyone
        project: which project they belong to; default: as here
        session: which session is running; default: as here
        runtime: which program asks; default: as here

        >>> ann = mem.as_user("ann")
        >>> ann.learn("I keep bees.").outcome
        'inserted'
        >>> mem.as_user("bob").count(kind="fact") < ann.count(kind="fact")
        True
        """
        view = object.__new__(type(self))
        view.__dict__.update(self.__dict__)
        view.scope = self.scope.owned(user=user, project=project, session=session, runtime=runtime)
        view._workplace = None
        view.is_view = True
        return view

    # -- conversation and night ------------------------------------------------------------------

    def conversation(
        self,
        name: str | None = None,
        *,
        policy: SummaryPolicy | Mapping[str, Any] | None = None,
        model: Model | None = None,
        background: Background | None = None,
        **owner: Unpack[Hearer],
    ) -> Conversation:
        """Return the record of one conversation: append(role, text), window(budget), expand(uid) …

        Without a name it is the one that `cogmem.conversation.conversation.current` holds for this thread or task.

        name: its name; default: the one of this thread or task
        policy: how it is summarised: a SummaryPolicy, or what differs from the default one
        model: what summarises; default: the memory's model, or rules without one
        background: where summaries are made after `save`; default: nowhere

        >>> talk = mem.conversation("planning")
        >>> talk.append("user", "Which host is staging?")
        0
        """
        talk = self.conversations.open(name, policy, **owner)
        talk.background = background
        if model is not None:
            talk.model = self._capped("summarise", model=model)
        return talk

    def nightly(
        self,
        *,
        dry_run: bool = False,
        job: str | None = None,
        force: bool = False,
        hear_all: bool = False,
        now: Instant = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Night:
        """Run the jobs of schema/jobs that are due; a dry run lists what they would change.

        job: only this one, such as archive
        force: whether to run jobs that ran in this period already
        hear_all: whether to hear all talk that waits, and not only as much as one night does
        progress: called with the job, how much is done, and of how much

        >>> mem.nightly(dry_run=True).is_sound
        True
        """
        from cogmem.night import jobs
        from cogmem.verbs.steps import Steps

        steps = Steps(
            self,
            self.models,
            dry_run=dry_run,
            hears_all=hear_all,
            progress=progress,
            notes=lambda: self.notes,
        )
        night = jobs.nightly(
            self.store,
            now=self.instant(now),
            dry_run=dry_run,
            only=job,
            force=force,
            again="capture" if hear_all else "",
            progress=progress,
            steps=steps.by_name(),
        )
        return night.closed()
