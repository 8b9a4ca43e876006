"""Turns that were, and the sessions they belong to: `mem.turns`."""

from __future__ import annotations

from cogmem.records import given_instant, milliseconds
from cogmem.space import Area
from cogmem.text.lines import several, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable, Sequence

    from cogmem.search.recalled import Recalled
    from cogmem.space import Instant, Space
    from cogmem.turn.activation import Activation, Considered
    from cogmem.turn.earned import Earned
    from cogmem.turn.explain import CurvePoint, PastTurn, TurnBrief
    from cogmem.turn.session import Running


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
        from cogmem.turn.explain import turns

        self.space.flush()
        name = None if session is None else storable(session, "the session")
        return turns(self.space.db, self.space.looking(everywhere), session=name, limit=limit)

    def earned(self, *, limit: int = 20, everywhere: bool = False) -> builtins.list[Earned]:
        """Return what came of the memories that turns showed, as nights counted it; the most followed comes first.

        >>> mem.turns.earned()
        []
        """
        from cogmem.turn.earned import earned

        return earned(self.space.db, self.space.looking(everywhere), limit=limit)

    def curve(self, *, everywhere: bool = False) -> builtins.list[CurvePoint]:
        """Tell how often memory would have spoken in this viewer's turns, at other settings of `silence`.

        >>> [point.setting for point in mem.turns.curve() if point.in_force]
        ['balanced']
        """
        from cogmem.turn.explain import curve

        self.space.flush()
        return curve(self.space.db, self.space.looking(everywhere))

    def get(self, name: str, *, everywhere: bool = False) -> PastTurn:
        """Return one turn by its id: what it cost, what was shown and what was left out.

        name: the id of the turn

        >>> turn = mem.activate("Which server is staging?")
        >>> mem.turns.get(turn.turn).prompt
        'Which server is staging?'
        """
        from cogmem.turn.explain import turn

        self.space.flush()
        return turn(self.space.db, storable(name, "the turn"), self.space.looking(everywhere))

    def replay(self, turn: str, *, as_of: Instant = None, everywhere: bool = False) -> Activation:
        """Run a past turn again on the memory as it was then, in a throw-away copy.

        turn: the id of the turn
        as_of: the instant to take the memory back to; default: that of the turn

        >>> turn = mem.activate("Which server is staging?")
        >>> mem.turns.replay(turn.turn).tokens == turn.tokens
        True
        """
        from cogmem.turn.explain import replay

        self.space.flush()
        instant = given_instant(as_of, "as_of", self.space.instant(None))
        name = storable(turn, "the turn")
        return replay(self.space.db, name, self.space.looking(everywhere), as_of=instant)

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
        from cogmem.turn.explain import then

        self.space.flush()
        return then(
            self.space.db,
            storable(prompt, "the prompt"),
            self.space.scope,
            at=milliseconds(as_of, "as_of", self.space.instant(None)),
            budget=budget,
            files=[storable(file, "a file") for file in several(files, "files")],
        )

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
