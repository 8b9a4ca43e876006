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
    from cogmem.noted.note import Stages
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


class AreaOf:
    """An area of a memory: made of the class that its annotation names, with what the memory hands to it."""

    def __init__(self, module: str, handed: tuple[str, ...]) -> None:
        self.module = "cogmem." + module.replace("/", ".")
        self.handed = handed

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = owner.__annotations__[name]

    @property
    def kind(self) -> Any:
        """The class; its module is loaded by who asks first."""
        return getattr(__import__(self.module, fromlist=[self.name]), self.name)

    def __get__(self, mem: Space | None, _: object = None) -> Any:
        return self if mem is None else self.kind(mem, *[getattr(mem, one) for one in self.handed])


def area(module: str, *handed: str) -> Any:
    """Return an area whose class stands in a module, and is handed these of the memory's own."""
    return AreaOf(module, handed)


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

    history: History = area("store/history")  # what was changed: log(), diff(), receipts()
    # The same memory on several machines: exchange(), what(), peers(), overwritten().
    sync: Sync = area("sync/sync")
    # Memories that a team shares in its repository: propose(), take_in().
    sharing: Sharing = area("sync/shared")
    many: Many = area("store/many")  # many memories in one act: change(), remove(), suspects()
    # What is held true, and when: at(), correct(), supersede(), retire(), conflicts(), settle(), merge().
    facts: Held = area("learn/held")
    # What is told once, when its moment comes: add(), list(), done().
    intentions: Intentions = area("learn/intentions")
    experience: Experience = area("learn/experience")  # learned by doing: pattern(), command()
    # What was said: open(), list(), window(), message(), of_summary().
    conversations: Conversations = area("conversation/conversations", "_capped")
    # Hosts' transcripts that were recorded after the fact: known(), batches(), undo().
    backfilled: Backfilled = area("conversation/backfilled")
    # Sessions and what remains of them: notes(), end(), conclude(), find(), told().
    sessions: Sessions = area("conversation/sessions", "_learn", "_capped", "_talk")
    # The repository of the code at hand: read(), cite(), verify(), branches(), story().
    repository: Repository = area("repository/repository", "_learn_many")
    # A model leaves notes of sessions: read(), shown(), wait(), gather(), changed().
    notes: Notes = area("noted/notes", "_stages_of_notes")
    # The model and the embedder: spend(), calls_left(), tasks(), fill(), revive(), embed().
    models: Models = area("night/models", "_answers")
    # The file: check(), doctor(), rebuild(), backup(), restore(), export(), import_(), query() …
    file: File = area("exchange/whole", "_learn", "_heard")
    # Procedures beside the skills of an agent: export(), take_in(), sync(), offered().
    skills: Skills = area("documents/skills", "_learn", "_revise")

    @property
    def listener(self) -> Listener:
        """The capture rules: describe(), check(), add(), enable()."""
        listener: Listener | None = self._kept.listener
        if listener is None:
            from cogmem.hear.listen import Listener

            listener = self._kept.listener = Listener(self)
        return listener

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

    # -- for other stages ------------------------------------------------------------------------

    @property
    def _talk(self) -> Callable[..., Conversation]:
        return self.conversations.open

    @property
    def _stages_of_notes(self) -> Stages:
        from cogmem.conversation.last_lines import close
        from cogmem.night.tasks import queue
        from cogmem.noted.note import Stages

        return Stages(
            learn=lambda draft, at: self._learn(draft, at, "line"),
            capped=self._capped,
            conversation=self._talk,
            close=close,
            queue=queue,
            listener=lambda: self.listener,
            said=self._said_of,
        )

    @property
    def _answers(self) -> dict[str, Callable[[Any, Model], Any]]:
        """What a model is asked for at night, beside its own work."""
        return {
            "notes": lambda task, model: self.notes.again(task, model),
            "join": lambda task, model: self.notes.joined(task, model),
        }

    def _heard(self, text: str) -> str:
        return self.listener.kind_of(text)

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
        from cogmem.language.telling import telling_apart

        start = BEYOND + crc32(text.encode())
        said = [Statement(start, start + 1, 0.0, telling_apart(text))]
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
