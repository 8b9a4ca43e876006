"""Turns that were, and the sessions they belong to: `mem.turns`."""

from __future__ import annotations

from cogmem.errors import InvalidInput, UnknownName
from cogmem.records import Record, given_instant, milliseconds, most_rows
from cogmem.scope import Scope
from cogmem.space import Area
from cogmem.text.cell import listed
from cogmem.text.lines import several_storable, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.search.recalled import Recalled
    from cogmem.space import Instant, Space
    from cogmem.turn.activation import Activation, Considered
    from cogmem.turn.earned import Earned
    from cogmem.turn.session import Running


class TurnBrief(Record):
    """A turn that was, in short: what it cost, how many items it showed and left out."""

    SHOWN = ("turn", "session", "at", "tokens", "shown", "left_out", "prompt")
    turn: str
    session: str
    at: datetime
    tokens: int
    budget: int
    elapsed_us: int
    stable_hash: str
    prompt: str
    shown: int
    left_out: int


class Weighed(Record):
    """What a turn kept of one candidate: the stage it reached and its figures then."""

    ref: str
    layer: str
    stage: str
    position: int
    strength: float | None
    relevance: float | None
    score: float | None
    chance: float | None
    tokens: int
    was_useful: int | None


class PastTurn(Record):
    """A turn that was, whole: what it was asked, what it cost, and all that the ledger kept of it."""

    SHOWN = ("turn", "session", "at", "tokens", "budget", "prompt")
    turn: str
    session: str
    runtime: str
    user: str
    project: str
    prompt: str
    files: str
    budget: int
    tokens: int
    counter: str
    stable_hash: str
    text_hash: str
    weights: str
    elapsed_us: int
    at: datetime
    items: list[Weighed]


class CurvePoint(Record):
    """A setting of `silence`: the chance that it asks for, and how many turns would have spoken.

    Below the setting in force these are the least: what was sure to stay away was not weighed.
    """

    setting: str
    least: float
    turns: int
    turns_that_spoke: int
    percent: float | None
    in_force: bool


class Turns(Area):
    """Looks back at turns, and serves hosts that need a block in another form than that of `activate`."""

    def __init__(self, space: Space, recall: Callable[..., list[Recalled]]) -> None:
        super().__init__(space)
        self._recall = recall

    def list(
        self, *, session: str | None = None, limit: int = 20, everywhere: bool = False
    ) -> list[TurnBrief]:
        """Return this viewer's latest turns, in whatever session: what they cost and how much was shown.

        session: only turns of this session

        >>> turn = mem.activate("Which server is staging?", session="s1")
        >>> mem.turns.list(session="s1")[0].shown
        2
        """
        self.space.flush()
        asked = {
            **self.space.looking(everywhere).hearer(),
            "session": None if session is None else storable(session, "the session"),
            "limit": most_rows(limit),
        }
        return [TurnBrief(**row) for row in self.space.db.rows("explain.turns", asked)]

    def earned(self, *, limit: int = 20, everywhere: bool = False) -> builtins.list[Earned]:
        """Return what came of the memories that turns showed, as nights counted it; the most followed comes first.

        >>> mem.turns.earned()
        []
        """
        from cogmem.turn.earned import Earned

        asked = {**self.space.looking(everywhere).viewer(), "limit": most_rows(limit)}
        return [Earned(**row) for row in self.space.db.rows("earned.list", asked)]

    def curve(self, *, everywhere: bool = False) -> builtins.list[CurvePoint]:
        """Tell how often memory would have spoken in this viewer's turns, at other settings of `silence`.

        >>> [point.setting for point in mem.turns.curve() if point.in_force]
        ['balanced']
        """
        from cogmem.search.gate import LEAST

        self.space.flush()
        rows = self.space.db.rows("explain.likeliest", self.space.looking(everywhere).hearer())
        best = [row["chance"] for row in rows]
        now = self.least_chance()
        points = []
        for name, least in {**LEAST, "0.75": 0.75, "0.9": 0.9}.items():
            spoke = sum(one >= least for one in best)
            percent = round(100 * spoke / len(best), 1) if best else None
            points.append(CurvePoint(name, least, len(best), spoke, percent, least == now))
        return points

    def get(self, name: str, *, everywhere: bool = False) -> PastTurn:
        """Return one turn by its id: what it cost, what was shown and what was left out.

        name: the id of the turn

        >>> turn = mem.activate("Which server is staging?")
        >>> mem.turns.get(turn.turn).prompt
        'Which server is staging?'
        """
        row = self._row(name, everywhere)
        items = self.space.db.rows("explain.items", {"turn": row["turn"]})
        return PastTurn(**row, items=[Weighed(**one) for one in items])

    def replay(self, turn: str, *, as_of: Instant = None, everywhere: bool = False) -> Activation:
        """Run a past turn again on the memory as it was then, in a throw-away copy.

        turn: the id of the turn
        as_of: the instant to take the memory back to; default: that of the turn

        >>> turn = mem.activate("Which server is staging?")
        >>> mem.turns.replay(turn.turn).tokens == turn.tokens
        True
        """
        instant = given_instant(as_of, "as_of", self.space.instant(None))
        row = self._row(turn, everywhere)
        at = row["at"] if instant is None else instant
        return self._then(row["prompt"], scope_of(row), at, row["budget"], listed(row["files"]))

    def then(
        self,
        prompt: str,
        *,
        as_of: Instant,
        budget: int | None = None,
        files: Sequence[str] = (),
    ) -> Activation:
        """Return what a prompt would have been given at an instant, in a throw-away copy of the memory as it was.

        prompt: what would have been asked
        as_of: the instant to take the memory back to
        budget: tokens it may cost
        files: paths at hand

        >>> mem.turns.then("Which server is staging?", as_of="2020-01-01").text
        ''
        """
        self.space.flush()
        at = milliseconds(as_of, "as_of", self.space.instant(None))
        named = several_storable(files, "files", "a file")
        return self._then(storable(prompt, "the prompt"), self.space.scope, at, budget, named)

    def _then(
        self, prompt: str, scope: Scope, at: int, budget: int | None, files: Sequence[str]
    ) -> Activation:
        """Copy the file, take back in the copy all that happened since, and run the turn on what was known then."""
        import os
        import tempfile

        from cogmem.file import making
        from cogmem.store import history
        from cogmem.turn.activation import Prompt
        from cogmem.turn.turn import take_turn

        db = self.space.db
        if db.path == ":memory:":
            raise InvalidInput("a memory in RAM cannot be replayed: it has no file to copy")
        with tempfile.TemporaryDirectory(prefix="cogmem-replay-") as folder:
            target = os.path.join(folder, "then.db")
            making.copy_to(db, target)
            copy = making.open_space(target, driver=db.driver)[0]
            try:
                history.rewind(copy, at)
                asked = Prompt(
                    prompt, now=at, actor="replay", budget=budget, files=files, explains=True
                )
                return take_turn(copy, scope, asked)
            finally:
                copy.close()

    def _row(self, turn: str, everywhere: bool) -> dict[str, Any]:
        self.space.flush()
        return turn_row(self.space.db, storable(turn, "the turn"), self.space.looking(everywhere))

    def compacted(self, session: str | None = None, *, now: Instant = None) -> None:
        """Say that the host shortened its prompt: the next turn brings the stable text anew.

        session: which one; default: the one the memory was opened with

        >>> mem.turns.compacted("s1")
        """
        step = ("turn.thaw", self._running(session).place)
        self.space.db.write(
            [step], verb="session", actor=self.space.actor, at=self.space.instant(now)
        )

    def frozen(self, session: str) -> str:
        """Return the stable text that a session works with; '' when its next turn is to freeze one.

        session: which one

        >>> turn = mem.activate("Which server is staging?", session="s1")
        >>> mem.turns.frozen("s1") == turn.stable
        True
        """
        return self._running(session).stable or ""

    def _running(self, session: str | None) -> Running:
        from cogmem.turn.session import Running

        scope = self.space.scope.replacing(session=session)
        return Running(self.space.db, scope, scope.session)

    def project_block(self, text: str = "", *, now: Instant = None) -> str:
        """Return the block of a project assistant: what is relevant to the text, then a hot set, by lifetime.

        Nothing that only shares glue words with the text is relevant; without one there is the hot
        set alone.

        text: what it is about; default: nothing in particular

        >>> "heron" in mem.turns.project_block("Which server is staging?")
        True
        """
        from cogmem.turn.project import project_block

        at = self.space.instant(now)
        found = (
            self._recall(text, limit=6, state="active", messages=False, strengthen=False, now=at)
            if text.strip()
            else []
        )
        relevant = [self.space.get(one.uid, now=at) for one in found]
        return project_block(relevant, self.space.list(state="active", limit=0, now=at), at)

    # -- for other stages --------------------------------------------------------------------------

    def blocking(self, *, now: Instant = None) -> builtins.list[str]:
        """Return the rules by which a person lets a tool be stopped."""
        from cogmem.turn import act

        return act.blocking(self.space.db, self.space.scope, now=self.space.instant(now))

    def least_chance(self) -> float:
        """Return the chance to help that the gate asks of a candidate: the setting `silence` as a number."""
        from cogmem.search.gate import least_chance

        return least_chance(str(self.space.store.settings().get("silence", "balanced")))

    def always(self, *, now: Instant = None) -> builtins.list[Considered]:
        """Return what always applies, best first: the stage is "chosen" of what stands in every prompt, of the
        rest what keeps it beyond the ceiling.
        """
        from cogmem.store.policy import Policy
        from cogmem.turn.activation import Considered, View
        from cogmem.turn.always import Always
        from cogmem.turn.block import Costs

        policy = Policy.of(self.space.db)
        at = self.space.instant(now)
        view = View(self.space.db, self.space.scope, policy, Costs(None), at)
        found = Always(view, int(policy.number("budget_tokens")), "markdown").considered
        return [Considered(**item.as_dict()) for item in found]


def turn_row(db: Database, turn: str, scope: Scope) -> dict[str, Any]:
    """Return a turn of the viewer's own. Another's is answered like one that never was."""
    rows = db.rows("explain.turn", {**scope.hearer(), "turn": turn})
    if not rows:
        raise UnknownName(
            f"no turn is called {turn!r}: `cogmem turn list` lists them, with --everywhere those of all "
            "users and projects"
        )
    return rows[0]


def scope_of(row: dict[str, Any]) -> Scope:
    """Return whose a turn was."""
    return Scope(row["runtime"], row["user"], row["project"], "")
