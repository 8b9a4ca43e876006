"""What an editor knows of AsyncMemory: the calls of Memory, awaited. Made by `make docs-reference`."""

import builtins
import os
from cogmem.conversation.backfilled import Batch, TakenBack
from cogmem.conversation.background import Background
from cogmem.conversation.context import ContextWindow
from cogmem.conversation.conversation import Conversation
from cogmem.conversation.conversations import ConversationBrief, RecordedMessage
from cogmem.conversation.policy import SummaryPolicy
from cogmem.conversation.sessions import Notes, SessionTold
from cogmem.documents.bring import BroughtIn
from cogmem.documents.compose import DocumentSet
from cogmem.documents.edit import Appended, Written
from cogmem.documents.saved import Saved
from cogmem.documents.skills import Offered, SkillsDone
from cogmem.documents.workplace import FilesStatus, Refreshed, ShownDocuments
from cogmem.exchange.copies import Rehearsed, Replaced
from cogmem.exchange.intake import Imported
from cogmem.exchange.whole import Health
from cogmem.file.db import Together
from cogmem.file.user_sql import Answer
from cogmem.hear.capture import Rules
from cogmem.hear.catch_up import CaughtUp
from cogmem.hear.listen import Heard
from cogmem.hear.old_talk import OldTalk
from cogmem.hear.rules import Rule
from cogmem.learn.collections import Collections
from cogmem.learn.experience import Tried
from cogmem.learn.held import Contradiction, Doubted, Fading, Failing
from cogmem.learn.intentions import Intention
from cogmem.night import calls
from cogmem.night.calls import Spend
from cogmem.night.jobs import Night
from cogmem.night.tasks import Filled, Task, WaitingTask
from cogmem.noted.note import Noted, Question
from cogmem.ports import Model
from cogmem.records import Draft, Instant, Learned, Remembered
from cogmem.repository.branches import Branch
from cogmem.repository.citations import Verified
from cogmem.repository.reading import RepositoryRead
from cogmem.repository.repository import StoryLine
from cogmem.scope import Hearer, Owner, Project, Scope
from cogmem.search.recalled import Found
from cogmem.search.vectors import Nearness
from cogmem.space import Instant
from cogmem.store.erase import Receipt
from cogmem.store.forget import KeptReceipt
from cogmem.store.history import LoggedAct, RowChange, Undone
from cogmem.store.many import Changed, Removal, Suspect
from cogmem.store.store import Counts, Filters
from cogmem.sync.exchange import Synced, What
from cogmem.sync.shared import TakenIn
from cogmem.sync.sync import Overwritten, Peer
from cogmem.tokens.counting import TokenCounter
from cogmem.tokens.provider import ProviderCounter
from cogmem.turn.act import Told
from cogmem.turn.activation import Activation, Considered
from cogmem.turn.earned import Earned
from cogmem.turn.explain import Why
from cogmem.turn.turns import CurvePoint, PastTurn, TurnBrief
from cogmem.verbs.today import Today
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Unpack

class AwaitedHistory:
    """What was changed, the newest first: `mem.history`."""

    async def log(self, *, uid: str | None=None, act: str | None=None, run: str | None=None, verb: str | None=None, before: int | None=None, since: Instant=None, until: Instant=None, limit: int=20, everywhere: bool=False) -> list[LoggedAct]:
        """Transactions, the newest first. Who sees a memory sees its changes."""

    async def diff(self, name: str | int, *, everywhere: bool=False) -> list[RowChange]:
        """Return what a change, act or run did to memories in sight, row by row."""

    async def receipts(self, *, limit: int=100) -> list[KeptReceipt]:
        """Return what was forgotten, the latest first: how many rows, never what they said."""

    async def latest(self) -> int:
        """Return the number of the latest change, whoever's it is."""


class AwaitedSync:
    """The same memory on several machines: `mem.sync`."""

    async def exchange(self, target: str, *, user: str | None=None, now: Instant=None) -> Synced:
        """Give and take with a file, a folder, `ssh://host/path`, `host:path` or a hub's address."""

    async def what(self, target: str, *, user: str | None=None, now: Instant=None) -> What:
        """Return what `exchange` would send and take; nothing moves."""

    async def peers(self) -> list[Peer]:
        """Return files and folders that this one met, and when."""

    async def overwritten(self, *, limit: int=100) -> list[Overwritten]:
        """Return texts that a later one took the place of, whose writer had not seen them, the newest first."""

    async def hub(self, tokens: str, *, host: str='127.0.0.1', port: int=0) -> Any:
        """Return a hub over this file: serve_forever() answers until shutdown()."""

    async def new_key(self) -> str:
        """Return a key for the files of a folder, for COGMEM_SYNC_KEY on each machine."""

    async def serve_pipe(self, requests: Any, answers: Any) -> None:
        """Answer the exchange at the other end of a pipe."""


class AwaitedSharing:
    """Memories that a team shares in its repository: `mem.sharing`."""

    async def propose(self, name: str, root: str, *, now: Instant=None) -> str:
        """Write a memory into the repository, for others to review; returns the file's path."""

    async def take_in(self, root: str, *, take: str='', now: Instant=None) -> TakenIn:
        """Take in what the repository's files say; `take` names a memory whose file is to win."""


class AwaitedMany:
    """What is done to many memories in one act: `mem.many`."""

    async def change(self, action: str, value: str='', *, dry_run: bool=True, matching: str='', source: str='', weaker_than: float=0, uids: Sequence[str]=(), most: int=1000, everywhere: bool=False, reason: str='', now: Instant=None, **filters: Unpack[Filters]) -> Changed:
        """Remove, archive, restore, tag, untag or set the priority of all that filters choose."""

    async def remove(self, pattern: str, *, dry_run: bool=True, confirm: bool=False, reason: str='', now: Instant=None) -> Removal:
        """Remove all memories in sight that hold a piece of text; a dry run (the default) lists them."""

    async def suspects(self, *, everywhere: bool=False) -> list[Suspect]:
        """Return memories that look like junk, each with the reason, less what somebody said to keep."""


class AwaitedHeld:
    """What is held true, and when: facts as they were, as they are, and as they should be."""

    async def at(self, instant: Instant=None, *, topic: str | None=None, known_at: Instant=None, limit: int=100, now: Instant=None) -> list[Remembered]:
        """Return facts held true at an instant, as they are known now or were known at another instant."""

    async def correct(self, name: str, text: str, *, reason: str='', now: Instant=None) -> Learned:
        """Say what was true all along: a new fact takes the place and the time of a wrong one."""

    async def supersede(self, old: str, new: str, *, reason: str='', now: Instant=None) -> str:
        """Let one fact supersede another, from the time when the newer one became true."""

    async def retire(self, name: str, *, ends: Instant=None, reason: str='', now: Instant=None) -> str:
        """Say that a fact no longer holds; it stays, and answers questions about its time."""

    async def conflicts(self, *, limit: int=100, everywhere: bool=False) -> list[Contradiction]:
        """Pairs of memories that cannot both hold, the newest first; `why` says what stands against what."""

    async def settle(self, one: str, other: str, *, keep: str='', now: Instant=None) -> str:
        """End a contradiction: `keep` names the one that holds; without it both do."""

    async def depend(self, name: str, on: str, *, now: Instant=None) -> str:
        """Say that a memory depends on a fact: when that is over, the memory is marked until you confirm it."""

    async def doubts(self, *, limit: int=100) -> list[Doubted]:
        """Return memories that depend on a fact which is over, the newest doubt first; `why` says it."""

    async def failing(self, *, limit: int=100) -> list[Failing]:
        """Return procedures that keep failing, the latest first: change their steps, keep them or remove them."""

    async def fading(self, *, days: int=30, limit: int=100) -> list[Fading]:
        """Return what would be forgotten within some days, the next one first: `mem.keep` keeps it."""

    async def confirm(self, name: str, *, now: Instant=None) -> str:
        """Say that a memory in doubt still holds; changing it, or saying it again, does so too."""

    async def merge(self, keep: str, other: str, *, text: str='', reason: str='', now: Instant=None) -> str:
        """Merge another memory that says the same into one, which says `text` from now on."""


class AwaitedIntentions:
    """What is to be told once, when its moment comes, and closed when it is done."""

    async def add(self, text: str, when: str | Sequence[str], *, now: Instant=None) -> Learned:
        """Mean to do something: it is told once, at the first moment that fits, and waits until it is done."""

    async def list(self, *, limit: int=100) -> list[Intention]:
        """Return what is intended and not done: first what was told and waits for a word, then what waits to be told."""

    async def done(self, uid: str, *, now: Instant=None) -> str:
        """Close an intention: it is done, or wanted no more."""

    async def again(self, uid: str, *, now: Instant=None) -> str:
        """Let what was told and is not done come once more, at the next moment that fits."""


class AwaitedExperience:
    """What was learned by doing, in one scope: `mem.experience`."""

    async def pattern(self, name: str, description: str, *, example: str='', tags: Sequence[str]=(), now: Instant=None) -> Remembered:
        """Note that a named pattern was met: described anew, counted, its latest five examples kept."""

    async def command(self, command: str, *, success: bool, duration_ms: int | None=None, now: Instant=None) -> Remembered:
        """Note that a command was run: how often, how often well, and how long it takes, by moving averages."""


class AwaitedConversations:
    """All that the viewer may read; `mem.conversation(name)` is one of them."""

    async def list(self, *, limit: int=50, everywhere: bool=False) -> list[ConversationBrief]:
        """Return the conversations that this viewer may read, the latest first."""

    async def window(self, name: str | None, model: str, *, strategy: str='default', summariser: Model | None=None, provider: ProviderCounter | None=None, background: Background | None=None) -> ContextWindow:
        """Return a conversation kept within what a model reads."""

    async def open(self, name: str | None, policy: SummaryPolicy | Mapping[str, Any] | None=None, **owner: Unpack[Hearer]) -> Conversation:
        """Return the record of one conversation, which the memory's model summarises: `mem.conversation`."""

    async def message(self, number: int, **owner: Unpack[Hearer]) -> RecordedMessage:
        """Return one recorded message whole, by the number in its name (msg_NUMBER)."""

    async def of_summary(self, uid: str) -> Conversation:
        """Return the conversation that a summary tells of."""


class AwaitedBackfilled:
    """What a backfill recorded of hosts' transcripts."""

    async def batches(self) -> list[Batch]:
        """Return what each call recorded, the latest first."""

    async def undo(self, batch: str, *, now: Instant=None) -> TakenBack:
        """Take one call back: the conversations that began with it, and what was learned of them and not confirmed"""

    async def new_batch(self) -> str:
        """Return a name for what one call records."""

    async def known(self) -> dict[str, tuple[int, int]]:
        """Return every transcript that was recorded: its size and time then."""

    async def in_one(self) -> Together:
        """Bind a block (`with`): what is recorded of a transcript, heard and noted is there whole, or not at all."""

    async def note(self, place: dict[str, Any], *, began: bool, now: Instant=None, **file: str | int) -> None:
        """So many `messages` of a transcript are recorded in a conversation; `began`: it began with it."""

    async def sift(self, proposed: list[str], *, most: int=..., now: Instant=None) -> int:
        """Let the best of what old talk proposes wait for one look, and forget the rest: the talk stays, and is"""


class AwaitedSessions:
    """Notes, the end of sessions, and what they left."""

    async def notes(self, session: str | None=None, *, capacity: int=20) -> Notes:
        """Return what a session keeps beside its talk: the buffer of its last lines, and one pinned text."""

    async def end(self, session: str | None=None, *, now: Instant=None) -> list[str]:
        """Let the notes of a session go; returns their uids."""

    async def conclude(self, session: str, *, messages: Sequence[Mapping[str, Any]] | None=None, now: Instant=None) -> list[Learned]:
        """Let a session that is over leave the lines that are worth saying in another one; none, if there is none."""

    async def find(self, query: str='', *, limit: int=5, ranker: str='recency', model: Model | None=None) -> list[SessionTold]:
        """Past sessions that left something; ranked by recency, "similar" words or a "model"."""

    async def told(self, session: str) -> list[SessionTold]:
        """Return what is told of a session by its name, the latest first."""


class AwaitedRepository:
    """The history of the code at hand."""

    async def read(self, folder: str, *, progress: Callable[[int], None] | None=None, now: Instant=None) -> RepositoryRead:
        """Read what is new in the repository that a folder lies in, the first time all of it."""

    async def cite(self, name: str, *places: str, folder: str='', now: Instant=None) -> int:
        """Note where a memory speaks of code; returns how many places it cites now."""

    async def verify(self, *, everywhere: bool=False, now: Instant=None) -> Verified:
        """Look at all code that memories in sight cite, and follow what moved."""

    async def branches(self, folder: str, *, now: Instant=None) -> list[Branch]:
        """Branches with memories that wait for their merge; those that were merged hold from now on for the project."""

    async def story(self, path: str, *, limit: int=50) -> list[StoryLine]:
        """Return what is known of one file, the newest first: commits, reasons, rules by path, and what cites it."""


class AwaitedNotes:
    """Notes that a model leaves of sessions; without one there are none, and rules do as before."""

    async def read(self, session: str, *, project: str | None=None, model: Model | None=None, now: Instant=None) -> Noted:
        """Let the model leave notes of what no notes were left of yet."""

    async def shown(self, session: str, *, project: str | None=None) -> list[Question]:
        """Return the very texts that the model would be sent for a session; nothing is sent."""

    async def changed(self, *, limit: int=100) -> list[dict[str, Any]]:
        """Return what notes changed, the latest first: by run and memory, what was added, strengthened and put away."""

    async def wait(self, session: str, *, project: str | None=None, now: Instant=None) -> str:
        """Have a session wait for its notes; returns the task, '' where none is to be asked for."""

    async def gather(self, *, now: Instant=None) -> int:
        """Have notes on one matter that weeks of sessions left wait to be joined; returns how many pairs."""

    async def joined(self, task: Task, model: Model) -> dict[str, Any]:
        """Return one note in the place of two: what a task of the night asks for."""

    async def again(self, task: Task, model: Model) -> dict[str, Any]:
        """Return the notes of a session that waits: what a task of the night asks for."""


class AwaitedModels:
    """The model and the embedder that this memory was opened with; it works without either."""

    async def spend(self, *, since: Instant=None, until: Instant=None) -> list[Spend]:
        """Return what models were asked for: calls, tokens and time by day, purpose and model."""

    async def calls_left(self, *, now: Instant=None) -> int:
        """Tell how many calls the cap of a day still allows."""

    async def tasks(self, *, state: str | None=None, limit: int=100) -> list[WaitingTask]:
        """Return what waits for a model, or waited."""

    async def revive(self, task: str, *, now: Instant=None) -> None:
        """Give a dead task another try."""

    async def set_prompt(self, name: str, value: str, meaning: str, *, now: Instant=None) -> None:
        """Keep a prompt of your own in this memory, under the name of its setting."""

    async def reset_prompt(self, name: str, *, now: Instant=None) -> None:
        """Use the prompt that comes with cogmem again."""

    async def fill(self, *, limit: int | None=None, run: str='', cancelled: Callable[[], bool] | None=None, now: Instant=None) -> Filled:
        """Ask the model for what waits for one, under the caps; the next night puts it in place."""

    async def embed(self, limit: int | None=None, *, progress: Callable[[int], None] | None=None, now: Instant=None) -> int:
        """Give vectors to memories and messages that have none; returns how many."""

    async def capped(self, purpose: str, at: int | None=None, *, model: Model | None=None, run: str='') -> calls.Capped | None:
        """Return the given model or else the memory's, under the caps and in the ledger; None without one."""


class AwaitedFile:
    """One memory file, from outside."""

    async def check(self) -> list[str]:
        """Return what is wrong with the file, in sentences; an empty list: nothing."""

    async def repair(self, *, now: Instant=None) -> list[str]:
        """Mend the cells that are damaged; says what became of each. A text becomes what the history last said of it,"""

    async def doctor(self, *, now: Instant=None) -> Health:
        """Figures of the file, warnings about where it lies, its backups, its last night, and what"""

    async def rebuild(self) -> None:
        """Drop and remake search indexes, views and cached values from the durable record."""

    async def show(self) -> None:
        """Lay the views for people into the file, where clients that know nothing of cogmem find them."""

    async def scrub(self, *, now: Instant=None) -> list[str]:
        """Wipe what was forgotten from the backups, and from pages where another process was in the way; returns"""

    async def backup(self, target: str | os.PathLike[str] | None=None, *, now: Instant=None) -> str:
        """Return a verified copy of the whole file, by default beside it; returns its path."""

    async def rehearse(self, source: str | os.PathLike[str] | None=None) -> Rehearsed:
        """Bring a backup back in a scratch folder, prove it and count what it holds."""

    async def restore(self, source: str | os.PathLike[str] | None=None, *, now: Instant=None) -> Replaced:
        """Put a backup (the latest, if none is named) in the file's place; what was there is kept."""

    async def export(self, *, form: str='jsonl', history: bool=False, everywhere: bool | None=None, now: Instant=None) -> Iterator[str]:
        """Return the memory as text, piece by piece."""

    async def import_(self, source: str | os.PathLike[str] | Iterable[str | bytes], *, as_is: bool | None=None, keep_good: bool=False, dry_run: bool=False, owner: Mapping[str, str] | None=None, now: Instant=None, progress: Callable[[int, int], None] | None=None) -> Imported:
        """Import exported or hand-written lines, from a path or one by one."""

    async def import_from(self, source: str, path: str | os.PathLike[str], *, dry_run: bool=False, now: Instant=None) -> BroughtIn:
        """Take over what another program remembers. One undo of its run takes all of it back."""

    async def copy_for(self, target: str | os.PathLike[str], *, everywhere: bool=False, now: Instant=None) -> str:
        """Return a new memory with what this viewer sees, and no trace of the rest; returns its path."""

    async def query(self, text: str, *, seconds: float=5.0, rows: int=1000) -> Answer:
        """Return the answer to a person's own SQL, which can only read."""

    async def foreign(self) -> list[str]:
        """Views that are not cogmem's, one sentence for each."""

    async def lost(self) -> str:
        """Return a sentence if another memory was here before this one; '' if not, or if a person accepted that."""

    async def label_project(self, project: Project, *, now: Instant=None) -> None:
        """Remember what people call a project, and where it was last seen."""

    async def warnings(self) -> list[str]:
        """Return what a person has to see to before trusting the file: what lies beside it, whether it is the"""


class AwaitedSkills:
    """Procedures beside the skills of an agent: `mem.skills`."""

    async def offered(self, *, limit: int=100) -> list[Offered]:
        """Procedures that worked three times and are no skill yet, the latest first."""

    async def decline(self, name: str, *, now: Instant=None) -> str:
        """Say that a procedure is not to be offered as a skill."""

    async def export(self, folder: str, names: Sequence[str]=(), *, now: Instant=None) -> SkillsDone:
        """Write procedures as skills; those that are named win over what their files say."""

    async def take_in(self, folder: str, names: Sequence[str]=(), *, now: Instant=None) -> SkillsDone:
        """Take in what the files of a folder say; those that are named win over what is held here."""

    async def sync(self, folder: str, *, now: Instant=None) -> SkillsDone:
        """Bring skills and procedures into step, both ways."""

    async def folder(self) -> str:
        """Return the folder where skills lie here: of the repository at hand, or of the person."""


class AwaitedListener:
    """The rules that hear what is worth keeping, compiled once and anew when somebody changes them."""

    async def rules(self) -> Rules:
        """Return the rules in force. Another process's change is noticed by the file's version."""

    async def kind_of(self, text: str) -> str:
        """Return what a sentence of a document is stored as if a person says it; empty if nothing hears it."""

    async def changed(self) -> None:
        """Note that this very connection changed a rule, which its own view of the file's version hides."""

    async def hear(self, learn: Callable[[Draft, int], Learned], text: str, role: str, scope: Scope, *, at: int, now: int, session: str='', before: str='') -> Heard:
        """Learn what one message has to say."""

    async def rehearse(self, text: str, role: str='user', *, before: str='') -> list[Draft]:
        """Return what would be learned of a message, as it would be proposed; nothing is stored."""

    async def describe(self) -> list[Rule]:
        """Return every rule, in the order in which they are tried."""

    async def check(self) -> list[str]:
        """Test every rule against its own example and counter-example; an empty list: all pass."""

    async def add(self, row: Mapping[str, Any], *, now: Instant=None) -> str:
        """Add a rule of your own, if it passes its own test; returns the act."""

    async def enable(self, name: str, enabled: bool, *, now: Instant=None) -> str:
        """Put a rule into use or out of it; returns the act."""


class AwaitedWorkplace:
    """One folder's documents and the two stores of saved memories that belong to it."""

    async def load(self) -> DocumentSet:
        """Return what the files say now, screened by the guard."""

    async def sync(self, *, gone: str='', now: Instant=None) -> Refreshed:
        """Take over what changed on disk, and write what changed in the database."""

    async def status(self, *, now: Instant=None) -> FilesStatus:
        """Return where files and database differ, what is in conflict, and what could not be read."""

    async def show(self, count: Callable[[str], int], limit: int) -> ShownDocuments:
        """Return what a prompt would get: every document and saved memory, and what has no room."""

    async def save(self, name: str, description: str, body: str, type: str='', *, is_shared: bool=False, source: str='observed', now: Instant=None) -> Saved:
        """Save a memory as a file and in the database, for this project or for all."""

    async def resolve(self, name: str, keep: str, *, now: Instant=None) -> str:
        """End a conflict in favour of the file or of the memory; returns the path."""

    async def note(self, text: str, *, now: Instant=None) -> Appended:
        """Add what a person typed as `# note` or `#scope: note` to the document it is for."""

    async def add(self, note: str, scope: str='project', *, now: Instant=None) -> Appended:
        """Add a note to the document of a scope."""

    async def write(self, path: str, body: str, *, expected: str | None=None, now: Instant=None) -> Written:
        """Write a document anew; with `expected`, only over the text that the caller has read."""

    async def text(self) -> str:
        """Return the whole block as a prompt would show it without a limit."""

    async def stable(self, count: Callable[[str], int], limit: int, now: int) -> tuple[str, int]:
        """Return the text that stands at the head of a session's prompt, and what it costs. Trouble with files"""


class AwaitedTurns:
    """Looks back at turns, and serves hosts that need a block in another form than that of `activate`."""

    async def list(self, *, session: str | None=None, limit: int=20, everywhere: bool=False) -> list[TurnBrief]:
        """Return this viewer's latest turns, in whatever session: what they cost and how much was shown."""

    async def earned(self, *, limit: int=20, everywhere: bool=False) -> builtins.list[Earned]:
        """Return what came of the memories that turns showed, as nights counted it; the most followed comes first."""

    async def curve(self, *, everywhere: bool=False) -> builtins.list[CurvePoint]:
        """Tell how often memory would have spoken in this viewer's turns, at other settings of `silence`."""

    async def get(self, name: str, *, everywhere: bool=False) -> PastTurn:
        """Return one turn by its id: what it cost, what was shown and what was left out."""

    async def replay(self, turn: str, *, as_of: Instant=None, everywhere: bool=False) -> Activation:
        """Run a past turn again on the memory as it was then, in a throw-away copy."""

    async def then(self, prompt: str, *, as_of: Instant, budget: int | None=None, files: Sequence[str]=()) -> Activation:
        """Return what a prompt would have been given at an instant, in a throw-away copy of the memory as it was."""

    async def compacted(self, session: str | None=None, *, now: Instant=None) -> None:
        """Say that the host shortened its prompt: the next turn brings the stable text anew."""

    async def frozen(self, session: str) -> str:
        """Return the stable text that a session works with; '' when its next turn is to freeze one."""

    async def project_block(self, text: str='', *, now: Instant=None) -> str:
        """Return the block of a project assistant: what is relevant to the text, then a hot set, by lifetime."""

    async def blocking(self, *, now: Instant=None) -> builtins.list[str]:
        """Return the rules by which a person lets a tool be stopped."""

    async def least_chance(self) -> float:
        """Return the chance to help that the gate asks of a candidate: the setting `silence` as a number."""

    async def always(self, *, now: Instant=None) -> builtins.list[Considered]:
        """Return what always applies, best first: the stage is "chosen" of what stands in every prompt, of the"""


class Awaited:
    """The calls of a memory, and its areas, awaited."""

    path: Awaitable[str]
    scope: Awaitable[Scope]
    actor: Awaitable[str]
    notices: Awaitable[builtins.list[str]]
    history: AwaitedHistory
    sync: AwaitedSync
    sharing: AwaitedSharing
    many: AwaitedMany
    facts: AwaitedHeld
    intentions: AwaitedIntentions
    experience: AwaitedExperience
    conversations: AwaitedConversations
    backfilled: AwaitedBackfilled
    sessions: AwaitedSessions
    repository: AwaitedRepository
    notes: AwaitedNotes
    models: AwaitedModels
    file: AwaitedFile
    skills: AwaitedSkills
    listener: AwaitedListener
    documents: AwaitedWorkplace
    turns: AwaitedTurns
    async def flush(self) -> None:
        """Write now what waits: rows of turns, and what recalls counted in the last two seconds."""

    async def interrupt(self) -> None:
        """Break off what another thread has this memory do; of a write nothing is stored then."""

    async def get(self, name: str, *, living: bool=True, now: Instant=None) -> Remembered:
        """Return one memory by uid, in whatever state, or by the key of a living one."""

    async def list(self, *, limit: int=100, everywhere: bool=False, now: Instant=None, **filters: Unpack[Filters]) -> builtins.list[Remembered]:
        """Return memories by plain filters, the newest first; `everywhere` looks into every scope."""

    async def count(self, *, everywhere: bool=False, now: Instant=None, **filters: Unpack[Filters]) -> int:
        """Tell how many memories `list` would show without a limit."""

    async def stats(self, *, everywhere: bool=False) -> Counts:
        """Counts by layer, kind and state, and the tokens that all active memories would cost."""

    async def is_free(self, patience_ms: int) -> bool:
        """Tell whether a write could begin within that time: for those who would rather do without."""

    async def keeps_others_out(self) -> bool:
        """Tell whether nobody else can open the file meanwhile: where the disk is full, it is read alone."""

    async def looking(self, everywhere: bool) -> Scope:
        """Return who looks back; one who looks everywhere already goes on doing so."""

    async def refuse_for_view(self, what: str) -> None:
        """Refuse to one user's view what shows or changes the whole file: that is for whoever opened it."""

    async def instant(self, now: Instant) -> int:
        """Return the caller's instant in ms, or this one."""

    async def learn(self, text: str, kind: str='fact', *, key: str='', tags: Sequence[str]=(), priority: int | str | None=None, path: str='', source: str='user_explicit', trust: float | None=None, state: str | None=None, topic: str='', valid_from: Instant=None, valid_to: Instant=None, confidence: float | None=None, expires_at: Instant=None, data: Mapping[str, Any] | None=None, vocabulary: str='', profile: str='tool', durable: bool=False, cites: Sequence[str]=(), now: Instant=None, **owner: Unpack[Owner]) -> Learned:
        """Remember a text. Learning the same again strengthens it; the same key overwrites."""

    async def episode(self, event: str, outcome: str='', *, kind: str='episode', tags: Sequence[str]=(), session_name: str='', turns: int=0, happened_at: Instant=None, key: str='', path: str='', source: str='observed', now: Instant=None, **owner: Unpack[Owner]) -> Learned:
        """Remember that something happened, and how it ended."""

    async def procedure(self, name: str, steps: Sequence[str], *, description: str='', context: str='', tags: Sequence[str]=(), path: str='', source: str='user_explicit', now: Instant=None, **owner: Unpack[Owner]) -> Learned:
        """Remember how a task is done; the same name overwrites its steps and keeps its record."""

    async def capture(self, text: str, role: str='user', *, at: Instant=None, before: str='', now: Instant=None, **owner: Unpack[Owner]) -> Heard:
        """Learn what one message says that is worth keeping. A night reads each recorded message, too."""

    async def capture_conversation(self, name: str, *, now: Instant=None, **owner: Unpack[Owner]) -> CaughtUp:
        """Read what a recorded conversation says and no rule has read yet: (messages, memories)."""

    async def tried(self, procedure: str, *, success: bool, reason: str='', now: Instant=None) -> Tried:
        """Record that a procedure was tried: its successes and failures since. One that keeps failing is not offered."""

    async def old_talk(self, batch: str, *, now: Instant=None) -> OldTalk:
        """Hear talk that is recorded after the fact: the best of what it would teach waits for one look."""

    async def update(self, name: str, *, content: str | None=None, tags: Sequence[str] | None=None, priority: int | str | None=None, path: str | None=None, key: str | None=None, kind: str | None=None, expires_at: Instant=None, detail: Mapping[str, Any] | None=None, seen: Remembered | None=None, now: Instant=None) -> Remembered:
        """Change parts of a memory, by uid or key. New content gets new automatic tags."""

    async def move(self, name: str, *, reason: str='', now: Instant=None, **owner: Unpack[Owner]) -> Remembered:
        """Give a memory to another owner, by uid or key; "" means everyone, None stays as it is."""

    async def remove(self, name: str, *, reason: str='removed by hand', now: Instant=None) -> str:
        """Hide a memory from lists, turns and search, by uid or key; `restore` or `undo` brings it back."""

    async def keep(self, name: str, *, now: Instant=None) -> str:
        """Say that a memory is worth keeping: a candidate becomes active, an active one starts to fade from now."""

    async def archive(self, name: str, *, reason: str='archived by hand', now: Instant=None) -> str:
        """Keep a memory for search only: no turn shows it again."""

    async def restore(self, name: str, *, now: Instant=None) -> str:
        """Bring a removed, archived or candidate memory back to active, by uid or key."""

    async def undo(self, name: str | int, *, force: bool=False, dry_run: bool=False, everywhere: bool=False, now: Instant=None) -> Undone:
        """Take back one change (its act) or one job run, in all projects and sessions of this user."""

    async def forget(self, *names: str, words: Sequence[str]=(), most: int | None=None, confirm: str | None=None, reason: str='', dry_run: bool=False, everything: bool=False, now: Instant=None) -> Receipt:
        """Remove memories (uid or key) and messages ('msg_<id>') for good, with all traces."""

    async def activate(self, prompt: str, budget: int | None=None, session: str | None=None, files: Sequence[str]=(), now: Instant=None, *, turn: str | None=None, form: str='markdown', counter: TokenCounter | None=None, refresh: bool=False, explain: bool=False, **owner: Unpack[Hearer]) -> Activation:
        """Choose and render the memories that matter for this turn, within the budget."""

    async def begin(self, session: str | None=None, *, turn: str | None=None, refresh: bool=False, now: Instant=None) -> Activation:
        """Return the stable text of a session that begins, or goes on: what was learned since it was frozen waits for"""

    async def at_act(self, *, command: str='', file: str='', text: str='', writes: bool=False, error: str='', plan: str='', question: str='', session: str | None=None, notes: bool=True, now: Instant=None) -> Told:
        """Return what is known about what is about to be done; each is shown once in a session."""

    async def note_told(self, told: Told, *, now: Instant=None) -> bool:
        """Note that what `at_act` found was shown: the session does not get it again. Returns whether it is noted."""

    async def rules_for_subagent(self, *, now: Instant=None) -> str:
        """Return the rules that a subagent gets when it starts; '' where the setting switches them off."""

    async def recall(self, query: str, *, layer: str | None=None, kind: str | None=None, state: str | None=None, tags: Sequence[str]=(), tag: str | None=None, key: str | None=None, since: Instant=None, until: Instant=None, as_of: Instant=None, history: bool=False, limit: int=8, tokens: int | None=None, min_chance: float=0.0, messages: bool=True, partitions: Sequence[str]=('user', 'global'), strengthen: bool=True, near: Nearness | None=None, now: Instant=None, **owner: Unpack[Owner]) -> Found:
        """Search memories and recorded messages; what an explicit recall returns with a fair chance is strengthened."""

    async def why(self, ref: str, turn: str, *, everywhere: bool=False) -> Why:
        """Return why a memory (uid or key) or message was shown in a turn, or was not: stage, figures, one"""

    async def why_not(self, ref: str, prompt: str, *, files: Sequence[str]=(), budget: int | None=None, session: str | None=None, now: Instant=None) -> Why:
        """Return what keeps a memory out of a prompt, or lets it in, weighed now and not recorded."""

    async def used(self, turn: str, refs: Sequence[str], *, useful: bool=True, everywhere: bool=False, now: Instant=None) -> int:
        """Say which shown memories helped (or did not); returns how many the ledger knew."""

    async def today(self, *, since: Instant=None, everywhere: bool=False, now: Instant=None) -> Today:
        """Tell what the day brought: turns, what was learned and changed, what waits, how the file is."""

    async def collections(self, *, enabled: bool=True, merge_on_write: bool=True) -> Collections:
        """Return two small collections that are always shown: about the user, and the environment."""

    async def behind(self, folder: str) -> str:
        """Return what of a folder's repository is to be looked at now, without running git."""

    async def on_branch(self, folder: str) -> None:
        """Stage from now on what is learned for the branch that a folder of the project is on, and see what was."""

    async def conversation(self, name: str | None=None, *, policy: SummaryPolicy | Mapping[str, Any] | None=None, model: Model | None=None, background: Background | None=None, **owner: Unpack[Hearer]) -> Conversation:
        """Return the record of one conversation: append(role, text), window(budget), expand(uid) …"""

    async def nightly(self, *, dry_run: bool=False, job: str | None=None, force: bool=False, hear_all: bool=False, now: Instant=None, progress: Callable[[str, int, int], None] | None=None) -> Night:
        """Run the jobs of schema/jobs that are due; a dry run lists what they would change."""

