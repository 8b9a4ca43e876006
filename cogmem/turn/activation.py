"""What goes into a turn (the prompt, the view of the file) and what comes out: its texts, their cost, the rest."""

from __future__ import annotations

from cogmem.cached import cached_property
from cogmem.errors import InvalidInput
from cogmem.records import Record, new_uid
from cogmem.text.lines import hash_of, one_line, storable, unwrapped
from cogmem.turn.block import FORMATS, together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.language.asked_past import AskedPast
    from cogmem.language.cue import Cue
    from cogmem.scope import Scope
    from cogmem.search.gate import Gate
    from cogmem.search.reranking import SecondReader
    from cogmem.search.vectors import Nearness
    from cogmem.store.policy import Policy
    from cogmem.turn.block import Costs, Item


class Prompt:
    """What a host says before a turn: the prompt, whose turn it is and how it wants the answer."""

    def __init__(
        self,
        text: str,
        *,
        now: int,
        actor: str,
        moment: datetime | None = None,
        budget: int | None = None,
        session: str = "",
        files: Sequence[str] = (),
        folder: str = "",
        turn: str | None = None,
        form: str = "markdown",
        refresh: bool = False,
        explains: bool = False,
    ) -> None:
        if not isinstance(text, str):
            raise InvalidInput(f"a prompt is text, not {type(text).__name__}")
        if form not in FORMATS:
            raise InvalidInput(f"format {form!r} is not known: use {' or '.join(FORMATS)}")
        self.text = unwrapped(text)
        self.now = now
        self.actor = actor
        self.moment = now if moment is None else moment  # with its zone, where the caller names one
        self.budget = budget
        self.session = session
        self.files = files
        self.folder = folder  # where relative names of files begin
        self.is_named = turn is not None
        self.turn = storable(turn, "the turn") if turn else new_uid("turn")
        self.form = form
        self.refresh = refresh
        self.explains = explains
        self.begins = False  # a session begins, or goes on: nobody has asked anything yet


class View:
    """The file as one turn looks at it: whose it is, when, by which rules and what lines cost."""

    def __init__(self, db: Database, scope: Scope, policy: Policy, costs: Costs, now: int) -> None:
        self.db = db
        self.scope = scope
        self.policy = policy
        self.costs = costs
        self.now = now
        self.threshold = policy.number("strength_threshold")


class Wanted:
    """What the prompt asks the layers for, and what they must not say again."""

    def __init__(
        self,
        cue: Cue,
        text: str,
        gate: Gate,
        *,
        files: Sequence[str] = (),
        past: AskedPast | None = None,
        near: Nearness | None = None,
        second: SecondReader | None = None,
    ) -> None:
        self.cue = cue
        self.text = text
        self.gate = gate
        self.files = files
        self.past = past  # the prompt asks for what was
        self.near = near
        self.second = second
        self.is_own_told = False  # what the person said before is told
        self.over: set[str] = set()  # lines of a conversation whose matter a later one took up
        self.matter: set[str] = (
            set()
        )  # lines that tell how the matter stands that the prompt is about
        self.stable: set[str] = set()  # the memories of the frozen text
        self.shown: Callable[[], set[str]] = (
            set  # reads what the host's window holds of the turns before
        )

    @cached_property
    def folded(self) -> str:
        """The prompt on one line, in small letters."""
        return one_line(self.text).casefold()

    @cached_property
    def again(self) -> set[str]:
        """What it holds from these, asked for where something may be told."""
        return self.shown()


class Considered(Record):
    """A memory, message or document that a turn considered, and what became of it.

    `stage` is "chosen", or what dropped it. `figures` are the gate's, `ranking` what carried a message.
    """

    SHOWN = ("ref", "kind", "stage", "score", "chance", "tokens", "text")
    ref: str
    layer: str
    kind: str
    stage: str
    position: int
    strength: float | None
    relevance: float | None
    score: float | None
    chance: float | None
    figures: dict[str, float]
    ranking: dict[str, float]
    tokens: int
    text: str

    @property
    def is_beyond(self) -> bool:
        """Tell whether it would have been shown, had there been room."""
        return self.stage in ("rank", "budget")


class Activation(Record):
    """The result of one turn: `stable` for the head of the prompt, `volatile` for this turn, `text` both."""

    SHOWN = ("turn", "tokens", "budget", "text")

    stable: str
    volatile: str
    text: str
    tokens: int
    budget: int
    chosen: list[Item]
    left_out: list[Item]
    turn: str
    stable_hash: str
    document_tokens: int  # what the documents in `stable` cost, beside the budget
    is_new: bool  # `stable` was made in this turn: the host has not seen it yet

    def __init__(
        self,
        stable: str,
        volatile: str,
        tokens: int,
        budget: int,
        considered: Sequence[Item],
        turn: str,
        document_tokens: int = 0,
        is_new: bool = False,
    ) -> None:
        super().__init__(
            stable,
            volatile,
            together(stable, volatile),
            tokens,
            budget,
            [item for item in considered if item.stage == "chosen"],
            [item for item in considered if item.stage != "chosen"],
            turn,
            hash_of(stable),
            document_tokens,
            is_new,
        )

    @property
    def items(self) -> list[Considered]:
        """Return what was chosen, each with its figures."""
        return [Considered(**item.as_dict()) for item in self.chosen]

    @property
    def omitted(self) -> list[Considered]:
        """Return what was considered and left out, each with the stage that dropped it."""
        return [Considered(**item.as_dict()) for item in self.left_out]

    def as_dict(self) -> dict[str, Any]:
        shown = {name: getattr(self, name) for name in type(self).FIELDS}
        del shown["chosen"], shown["left_out"]
        return {
            **shown,
            "items": [item.as_dict() for item in self.chosen],
            "omitted": [item.as_dict() for item in self.left_out],
        }
