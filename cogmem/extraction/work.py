"""What passes through the stages of an extraction: options, proposals, the work itself, its result."""

from __future__ import annotations

from cogmem.errors import CapacityReached, CogmemError, Conflict, InvalidInput, ModelFailed
from cogmem.extraction.talk import CHARACTERS
from cogmem.records import Record, Report, told_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypedDict

    from cogmem.extraction.talk import Formatter, Message
    from cogmem.file.db import Step
    from cogmem.ports import Model
    from cogmem.records import Draft, Learned, Remembered
    from cogmem.scope import Scope
    from cogmem.store.store import Store

    Stage = Callable[["Work"], None]
    # (draft, profile) → what became of it; (old, changes) → act; (old, new) → act
    Learn = Callable[[Draft, str], Learned]
    Revise = Callable[[Remembered, dict[str, Any]], str]
    Supersede = Callable[[Remembered, Remembered], str]

VOCABULARY = "flowcraft"  # whose words the kinds of an extraction are
ACTIONS = ("skip", "create", "merge", "delete")
CONFLICTS = ("factual_correction", "preference_change", "context_dependent")
BOUNDS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 3000, 8000)  # ms, of the histograms


class StageFailed(CogmemError):
    """A stage of an extraction could not do its work; `stage` names it."""

    def __init__(self, stage: str, error: BaseException) -> None:
        said = str(error) if isinstance(error, CogmemError) else type(error).__name__
        super().__init__(f"the stage {stage} of the extraction failed: {said}")
        self.stage = stage


if TYPE_CHECKING:

    class ExtractionOptions(TypedDict, total=False):
        """What a call may set of `Options`."""

        kinds: Sequence[str]
        characters: int
        alike: int
        scoped: bool
        strip_session: bool
        timeline: str
        prompt: str
        formatter: Formatter | None
        post_process: Callable[[list[Proposal]], list[Proposal]] | None
        stages: Sequence[tuple[str, Stage]] | None
        most: int
        timeout: float


class Options(Record):
    """How an extraction goes about it. Each call may set any of them.

    kinds: what may be extracted; empty: the six lasting categories and kinds of one's own
    characters: how much of the talk's end is shown; alike: memories each proposal is compared with
    scoped: belong to the user and project at hand; else to all of this runtime
    strip_session: leave the session out, of what is looked up and of where new memories live
    timeline: the session that new memories are bound to, whatever strip_session says
    prompt: another extraction prompt; formatter, post_process, stages: hooks of one's own
    most: the largest number of proposals taken from one answer; timeout: seconds for each call
    """

    kinds: tuple[str, ...]
    characters: int
    alike: int
    scoped: bool
    strip_session: bool
    timeline: str
    prompt: str
    formatter: Formatter | None
    post_process: Callable[[list[Proposal]], list[Proposal]] | None
    stages: Sequence[tuple[str, Stage]] | None
    most: int
    timeout: float

    def __init__(
        self,
        *,
        kinds: Sequence[str] = (),
        characters: int = CHARACTERS,
        alike: int = 5,
        scoped: bool = True,
        strip_session: bool = True,
        timeline: str = "",
        prompt: str = "",
        formatter: Formatter | None = None,
        post_process: Callable[[list[Proposal]], list[Proposal]] | None = None,
        stages: Sequence[tuple[str, Stage]] | None = None,
        most: int = 100,
        timeout: float = 30.0,
    ) -> None:
        for name, value in (("characters", characters), ("alike", alike), ("most", most)):
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise InvalidInput(f"{name} is a number of at least 1, not {value!r}")
        if isinstance(kinds, str):
            raise InvalidInput("kinds is a list of names, not one text")
        super().__init__(
            kinds=tuple(kinds),
            characters=characters,
            alike=alike,
            scoped=scoped,
            strip_session=strip_session,
            timeline=timeline,
            prompt=prompt,
            formatter=formatter,
            post_process=post_process,
            stages=stages,
            most=most,
            timeout=timeout,
        )

    def plain(self) -> dict[str, Any]:
        """What of it a waiting task can keep: hooks are code and stay behind."""
        kept = (
            "kinds",
            "characters",
            "alike",
            "scoped",
            "strip_session",
            "timeline",
            "prompt",
            "most",
        )
        return {name: getattr(self, name) for name in kept}


def options_of(given: Mapping[str, Any]) -> Options:
    """Options by name; one that is not known is named."""
    unknown = [name for name in given if name not in Options.FIELDS]
    if unknown:
        raise InvalidInput(
            f"extraction has no option {', '.join(unknown)}: it has {', '.join(Options.FIELDS)}"
        )
    return Options(**given)


class Proposal(Report):
    """A memory that a model proposes, and what was decided on it.

    `source` is how it was learned, as the guard judges it; `offered` are the memories it may meet.
    `outcome` is that of learn(), or skipped, dropped or refused, with `reason`; `uid` what it became.
    """

    kind: str
    content: str
    keywords: list[str]
    word: str
    source: str
    offered: list[Remembered]
    is_unsorted: bool
    is_judged: bool
    action: str
    target: str
    merged: str
    conflict: str
    outcome: str
    reason: str
    uid: str

    def __init__(
        self,
        kind: str,
        content: str,
        keywords: Sequence[str] = (),
        *,
        word: str = "",
        source: str = "inferred",
    ) -> None:
        self.kind = kind
        self.content = content
        self.keywords = list(keywords)
        self.word = word or kind  # what the model itself called it
        self.source = source
        self.offered: list[Remembered] = []
        self.is_unsorted = False  # the model's word for it is not a kind
        self.is_judged = False  # the model has compared it with what was offered
        self.action = "create"
        self.target = ""
        self.merged = ""
        self.conflict = ""
        self.outcome = ""
        self.reason = ""
        self.uid = ""

    def as_dict(self) -> dict[str, Any]:
        row = super().as_dict()
        row["offered"] = [memory.uid for memory in self.offered]
        return row

    def drop(self, outcome: str, reason: str) -> None:
        """Say that nothing becomes of it, and why."""
        self.outcome, self.reason = outcome, reason


class Measures(Report):
    """What one extraction took: ms and errors by stage, and what was decided how often."""

    ms: dict[str, float]
    errors: dict[str, int]
    fallbacks: dict[str, int]
    conflicts: dict[str, int]
    way: str

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self.errors: dict[str, int] = {}
        self.fallbacks: dict[str, int] = {}  # parse: not plain JSON; deduplicate: all were created
        self.conflicts: dict[str, int] = {}
        self.way = ""  # how the answer was read

    def count(self, family: str, name: str) -> None:
        """One more of a kind."""
        counts = getattr(self, family)
        counts[name] = counts.get(name, 0) + 1


class Totals:
    """The measures of many extractions together, as histograms and counters."""

    def __init__(self) -> None:
        self.runs = 0
        self.buckets: dict[str, list[int]] = {}
        self.counters: dict[str, int] = {}

    def add(self, one: Measures) -> None:
        """Enter one extraction."""
        self.runs += 1
        for stage, took in one.ms.items():
            row = self.buckets.setdefault(stage, [0] * (len(BOUNDS) + 1))
            row[sum(took > bound for bound in BOUNDS)] += 1
        for family in ("errors", "fallbacks", "conflicts"):
            for name, count in getattr(one, family).items():
                key = f"{family}.{name}"
                self.counters[key] = self.counters.get(key, 0) + count

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON: bucket n counts what took at most bound n, the last the rest."""
        return {
            "runs": self.runs,
            "bounds_ms": list(BOUNDS),
            "stage_duration_ms": {stage: list(row) for stage, row in self.buckets.items()},
            "counters": dict(sorted(self.counters.items())),
        }


class Work:
    """One extraction under way: what it is about, what it may use, what it has found so far."""

    def __init__(
        self,
        store: Store,
        scope: Scope,
        messages: Sequence[Message],
        context: Sequence[Message],
        options: Options,
        *,
        run: str,
        actor: str,
        now: int,
        learn: Learn,
        revise: Revise,
        supersede: Supersede,
        model: Callable[[str], Model | None],
        is_retry: bool = False,
        mark: str = "",
        evidence: Sequence[tuple[int, set[str]]] = (),
    ) -> None:
        self.store = store
        self.scope = scope
        self.messages = messages
        self.context = context
        self.options = options
        self.run = run
        self.actor = actor
        self.now = now
        self.learn = learn
        self.revise = revise
        self.supersede = supersede
        self.model = model
        self.is_retry = is_retry  # an earlier attempt may have stored some of it
        self.mark = mark  # names a stretch of the record, which is dealt with once
        self.is_marked = False
        self.evidence = evidence  # recorded messages: id, words
        self.proposals: list[Proposal] = []
        self.learned: list[Learned] = []
        self.fault = ""  # why the model's answer is missing, or not all of it could be read
        self.error: Exception | None = None  # what the model raised
        self.calls = 0
        self.measures = Measures()

    def owner(self, is_shared: bool) -> Scope:
        """Where a memory of this work lives; one of a shared kind is bound to no user or session."""
        scope = self.scope if self.options.scoped else self.scope.replacing(user="", project="")
        bound = self.options.timeline or self.scope.session
        if self.options.strip_session and not self.options.timeline:
            bound = ""
        if is_shared or bound == self.scope.user:
            bound = ""
        return scope.replacing(user="" if is_shared else scope.user, session=bound)

    @property
    def said_at(self) -> int:
        """When the last of it was said: "yesterday" counts from there. Hosts may not say; then now."""
        told = [told_instant(one.get("at")) for one in self.messages]
        known = [at for at in told if at is not None]
        return min(max(known), self.now) if known else self.now

    def open(self) -> list[Proposal]:
        """Proposals that nothing was decided on yet."""
        return [one for one in self.proposals if not one.outcome]

    def ask(self, purpose: str, prompt: str, **details: Any) -> str:
        """One call; a model that is not there, may not be asked or fails is the caller's to bear."""
        model = self.model(purpose)
        if model is None:
            raise ModelFailed("there is no model: `cogmem model set` names one")
        if self.options.timeout != 30.0:
            details["timeout"] = self.options.timeout
        self.calls += 1
        try:
            said = model.complete(prompt, **details)
        except CapacityReached:  # nobody was asked
            self.calls -= 1
            raise
        if not isinstance(said, str):
            raise ModelFailed("the model's answer is not text")
        return said

    def write(self, steps: Sequence[Step]) -> None:
        """Steps of this extraction's own."""
        if steps:
            self.store.db.write(steps, verb="extract", actor=self.actor, at=self.now)

    def open_run(self) -> None:
        """Begin the run that undo() takes. A stretch of the record is marked as dealt with, if it is."""
        self.is_marked = bool(self.mark) and not self.fault
        opening = {
            "uid": self.run,
            "is_forced": int(not self.is_marked),
            "now": self.now,
            "period": self.mark if self.is_marked else f"talk {self.run}",
        }
        try:
            self.write([("extraction.open_run", opening)])
        except InvalidInput as error:
            if self.is_marked:  # the name of the stretch is taken
                raise Conflict("another process has extracted from this stretch already") from error
            raise

    def close_run(self) -> None:
        """End it."""
        self.write([("extraction.close_run", {"uid": self.run, "now": self.now})])


class Extracted(Report):
    """What an extraction did. `run` is what undo() takes; '' if nothing was written.

    by: model, rules (there was no answer, so capture rules read the messages) or nobody (there was
    nothing to read, or the record keeps it for later). `waiting` is the task that keeps what no
    answer, or no readable one, has dealt with yet.
    """

    by: str
    run: str
    waiting: str
    fault: str
    calls: int
    proposals: list[Proposal]
    learned: list[Learned]
    measures: Measures

    def __init__(self, by: str, work: Work | None = None) -> None:
        self.by = by
        self.run = ""
        self.waiting = ""
        self.fault = work.fault if work else ""
        self.calls = work.calls if work else 0
        self.proposals: list[Proposal] = work.proposals if work else []
        self.learned: list[Learned] = work.learned if work else []
        self.measures = work.measures if work else Measures()

    def as_dict(self) -> dict[str, Any]:
        row = super().as_dict()
        row["proposals"] = [one.as_dict() for one in self.proposals]
        row["learned"] = [one.as_dict() for one in self.learned]
        row["measures"] = self.measures.as_dict()
        return row
