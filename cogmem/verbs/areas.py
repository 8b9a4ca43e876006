"""What hangs on a memory by its subject (its history, the file, the models …), and how the stages reach each other.

Stages are strangers: what one needs of another is handed to it here. An area is made when somebody asks for it.
"""

from __future__ import annotations

from cogmem.arguments import naming
from cogmem.errors import InvalidInput
from cogmem.space import Space

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from cogmem.conversation.backfilled import Backfilled
    from cogmem.conversation.conversation import Conversation
    from cogmem.conversation.conversations import Conversations
    from cogmem.conversation.sessions import Sessions
    from cogmem.documents.skills import Skills
    from cogmem.documents.workplace import Workplace
    from cogmem.exchange.whole import File
    from cogmem.hear.listen import Listener
    from cogmem.learn.bulk import Taken
    from cogmem.learn.collections import Collections
    from cogmem.learn.experience import Experience
    from cogmem.learn.held import Held
    from cogmem.learn.intentions import Intentions
    from cogmem.night.models import Models
    from cogmem.noted.notes import Notes
    from cogmem.ports import Model
    from cogmem.records import Draft, Learned, Remembered
    from cogmem.repository.repository import Repository
    from cogmem.search.reranking import SecondReader
    from cogmem.search.vectors import Nearness
    from cogmem.space import Instant
    from cogmem.store.history import History
    from cogmem.store.many import Many
    from cogmem.sync.shared import Sharing
    from cogmem.sync.sync import Sync


@naming
class Areas(Space):
    """A space with its areas."""

    _cwd: str | None  # the folder whose documents count
    _user_dir: str | None  # where a person's own documents lie; "" is nowhere
    _workplace: Workplace | None = None

    def reread(self) -> None:
        super().reread()
        self._kept.listener = None

    # -- by area ---------------------------------------------------------------------------------

    @property
    def listener(self) -> Listener:
        """The capture rules: describe(), check(), add(), enable()."""
        listener: Listener | None = self._kept.listener
        if listener is None:
            from cogmem.hear.listen import Listener

            listener = self._kept.listener = Listener(self)
        return listener

    @property
    def history(self) -> History:
        """Return what was changed: log(), diff(), receipts()."""
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
    def intentions(self) -> Intentions:
        """What is told once, when its moment comes: add(), list(), done()."""
        from cogmem.learn.intentions import Intentions

        return Intentions(self)

    @property
    def experience(self) -> Experience:
        """Return what was learned by doing: pattern(), command()."""
        from cogmem.learn.experience import Experience

        return Experience(self)

    def collections(self, *, enabled: bool = True, merge_on_write: bool = True) -> Collections:
        """Return two small collections that are always shown: about the user, and the environment.

        enabled: False: it refuses changes and shows nothing
        merge_on_write: whether an entry that says the same is joined

        >>> mem.collections().entries("user")
        []
        """
        from cogmem.learn.collections import Collections

        model = self._capped("consolidate")
        return Collections(self, model=model, enabled=enabled, merge_on_write=merge_on_write)

    @property
    def conversations(self) -> Conversations:
        """Return what was said: open(), list(), window(), message(), of_summary()."""
        from cogmem.conversation.conversations import Conversations

        return Conversations(self, self._capped)

    @property
    def backfilled(self) -> Backfilled:
        """Hosts' transcripts that were recorded after the fact: known(), batches(), undo()."""
        from cogmem.conversation.backfilled import Backfilled

        return Backfilled(self)

    @property
    def sessions(self) -> Sessions:
        """Sessions and what remains of them: notes(), end(), conclude(), find(), told()."""
        from cogmem.conversation.sessions import Sessions

        return Sessions(self, self._learn, self._capped, self.conversations.open)

    @property
    def repository(self) -> Repository:
        """The repository of the code at hand: read(), all()."""
        from cogmem.repository.repository import Repository

        return Repository(self, self._learn_many)

    def behind(self, folder: str) -> str:
        """Return what of a folder's repository is to be looked at now, without running git.

        'history' where it was read once and has other commits now; else 'code' where memories cite code and commits
        came since it was verified, and 'branches' where something waits for their merge.

        folder: a folder of its working tree

        >>> mem.behind(".")
        ''
        """
        from cogmem.repository.head import behind

        return "" if self._db.read_only else behind(self.db, self.scope.project, folder)

    def on_branch(self, folder: str) -> None:
        """Stage from now on what is learned for the branch that a folder of the project is on, and see what was.

        folder: a folder of the working tree

        >>> mem.on_branch(".")
        """
        from cogmem.repository.head import branch_at

        branch = branch_at(folder) if self.scope.project else ""
        if branch != self.scope.branch:
            self.scope = self.scope.replacing(branch=branch)

    @property
    def notes(self) -> Notes:
        """A model leaves notes of sessions: read(), shown(), wait(), gather(), changed()."""
        from cogmem.conversation.last_lines import close
        from cogmem.night.tasks import queue
        from cogmem.noted.note import Stages
        from cogmem.noted.notes import Notes

        stages = Stages(
            learn=lambda draft, at: self._learn(draft, at, "line"),
            capped=self._capped,
            conversation=self.conversations.open,
            close=close,
            queue=queue,
            listener=lambda: self.listener,
            said=self._said_of,
        )
        return Notes(self, stages)

    @property
    def models(self) -> Models:
        """The model and the embedder: spend(), calls_left(), tasks(), fill(), revive(), embed()."""
        from cogmem.night.models import Models

        answers = {
            "notes": lambda task, model: self.notes.again(task, model),
            "join": lambda task, model: self.notes.joined(task, model),
        }
        return Models(self, answers)

    @property
    def file(self) -> File:
        """The file: check(), doctor(), rebuild(), backup(), restore(), export(), import_(), query() …"""
        from cogmem.exchange.whole import File

        return File(self, self._learn, lambda text: self.listener.kind_of(text))

    @property
    def skills(self) -> Skills:
        """Procedures beside the skills of an agent: export(), take_in(), sync(), offered()."""
        from cogmem.documents.skills import Skills

        return Skills(self, self._learn, self._revise)

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
            self._workplace = Workplace(self, self._learn, self._revise, self._cwd, user_dir)
        return self._workplace

    # -- for other stages ------------------------------------------------------------------------

    def _learn(self, draft: Draft, now: Instant, profile: str = "tool") -> Learned:
        from cogmem.learn.admit import profile_named
        from cogmem.learn.decide import learn

        at = self.instant(now)
        rules = profile_named(profile)
        # What is captured is learned within a transaction, and asks no model.
        model = None if profile in ("capture", "line") else self._capped("judge", at=at)
        return learn(self.store, draft, now=at, profile=rules, model=model)

    def _capture(self, draft: Draft, now: Instant) -> Learned:
        return self._learn(draft, now, "capture")

    def _learn_many(
        self,
        named: Iterable[tuple[str, int, Draft]],
        now: int,
        act: str,
        progress: Callable[[int], None] | None,
    ) -> Taken:
        """Remember what names itself: the door of what is read from a repository."""
        from cogmem.learn.bulk import learn_many

        return learn_many(self.store, named, act=act, now=now, progress=progress)

    def _revise(self, row: Remembered, changes: dict[str, Any], now: int) -> str:
        from cogmem.learn.revise import revise

        return revise(self.store, row, changes, now=now)

    def _said_of(self, talk: Conversation, text: str, message: int, at: int) -> None:
        """Count a wish that a model noted where it is said again; a rule is worded as the person worded it."""
        from zlib import crc32

        from cogmem.hear.hearing import Hearing
        from cogmem.hear.said import BEYOND, Statement, noticed
        from cogmem.language.worth import telling

        start = BEYOND + crc32(text.encode())
        said = [Statement(start, start + 1, 0.0, telling(text))]
        by = Hearing(self.store, self._capture, at)
        noticed(by, message, said, talk.scope, session=talk.name, at=at)

    def _capped(
        self, purpose: str, *, at: int | None = None, model: Model | None = None, run: str = ""
    ) -> Model | None:
        """Return the given model or else the memory's, under the caps and in the ledger; None without one."""
        if model is None and self.model is None:
            return None
        return self.models.capped(purpose, at, model=model, run=run)

    def _stable_documents(
        self, count: Callable[[str], int], limit: int, now: int
    ) -> tuple[str, int]:
        return self.documents.stable(count, limit, now)

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
