"""The verbs by which a memory tells what it knows: for a prompt, at an act, to a search, and why."""

from __future__ import annotations

import os

from cogmem.arguments import naming
from cogmem.errors import UnknownMemory
from cogmem.records import given_instant
from cogmem.text.lines import several, several_storable, storable
from cogmem.verbs.areas import Areas, area

FAIR = 0.25  # the chance to help from which what an explicit recall gives back counts as used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any, Unpack

    from cogmem.scope import Hearer, Owner, Scope
    from cogmem.search.recalled import Found
    from cogmem.search.vectors import Nearness
    from cogmem.space import Instant
    from cogmem.tokens.counting import TokenCounter
    from cogmem.turn.act import Told
    from cogmem.turn.activation import Activation, Prompt
    from cogmem.turn.explain import Why
    from cogmem.turn.turns import Turns
    from cogmem.verbs.today import Today


def _moment(now: Instant) -> datetime | None:
    """Return the caller's own datetime: its zone says what "yesterday" is."""
    return now if hasattr(now, "astimezone") else None  # type: ignore[return-value]


@naming
class Telling(Areas):
    """A memory that tells what it knows."""

    # -- the turn --------------------------------------------------------------------------------

    def activate(
        self,
        prompt: str,
        budget: int | None = None,
        session: str | None = None,
        files: Sequence[str] = (),
        now: Instant = None,
        *,
        turn: str | None = None,
        form: str = "markdown",
        counter: TokenCounter | None = None,
        refresh: bool = False,
        explain: bool = False,
        **owner: Unpack[Hearer],
    ) -> Activation:
        """Choose and render the memories that matter for this turn, within the budget.

        With a session, `stable` is frozen at its first turn.

        prompt: what the user asks
        budget: tokens it may cost; default: the setting budget_tokens
        session: which one: its stable text stays the same while it lasts
        files: paths at hand, for rules about files
        turn: an id of the caller's own, which makes a retry harmless
        form: markdown or xml
        counter: counts tokens as a certain model does
        refresh: whether to freeze `stable` anew, after the host compacted its prompt
        explain: whether `omitted` tells what the gate kept out, with its chance and why

        >>> turn = mem.activate("Which server is staging?", session="s1")
        >>> "heron" in turn.text
        True
        >>> [item.kind for item in turn.items]
        ['policy', 'fact']
        """
        from cogmem.turn.activation import Prompt

        scope = self.scope.owned(session=session, **owner)
        asked = Prompt(
            prompt,
            now=self.instant(now),
            moment=_moment(now),
            actor=self.actor,
            budget=budget,
            session=scope.session,
            files=several_storable(files, "files", "a file"),
            folder=(self._cwd or os.getcwd()) if files else "",
            turn=turn,
            form=form,
            refresh=refresh,
            explains=explain,
        )
        return self._take(asked, scope, counter)

    def begin(
        self,
        session: str | None = None,
        *,
        turn: str | None = None,
        refresh: bool = False,
        now: Instant = None,
    ) -> Activation:
        """Return the stable text of a session that begins, or goes on: what was learned since it was frozen waits for
        the next prompt.

        session: which one; default: the one the memory was opened with
        turn: an id of the caller's own, which makes a retry harmless
        refresh: whether to freeze it anew, after the host compacted its prompt

        >>> mem.begin("s1").stable == mem.activate("Which server is staging?", session="s1").stable
        True
        """
        from cogmem.turn.activation import Prompt

        scope, at = self.scope.replacing(session=session), self.instant(now)
        asked = Prompt("", now=at, actor=self.actor, session=scope.session, turn=turn)
        asked.refresh, asked.begins = refresh, True
        return self._take(asked, scope, None)

    def _take(self, asked: Prompt, scope: Scope, counter: TokenCounter | None) -> Activation:
        from cogmem.turn.ledger import Ledger
        from cogmem.turn.turn import take_turn

        if self._kept.ledger is None:
            with self._db._held():  # two threads' first turns
                self._kept.ledger = self._kept.ledger or Ledger(self.db)
        return take_turn(
            self._db,
            scope,
            asked,
            counter=counter or self._counter,
            ledger=None if self._db.read_only else self._kept.ledger,
            documents=None if self._cwd is None else self._stable_documents,
            near=self._nearness(asked.text),
            second=self._second(asked.text),
        )

    def at_act(
        self,
        *,
        command: str = "",
        file: str = "",
        text: str = "",
        writes: bool = False,
        error: str = "",
        plan: str = "",
        question: str = "",
        session: str | None = None,
        notes: bool = True,
        now: Instant = None,
    ) -> Told:
        """Return what is known about what is about to be done; each is shown once in a session.

        command: the command that is about to run
        file: the file that is about to be read or changed
        text: what would be written to it
        writes: whether it is to be changed
        error: what went wrong; then what mended the same before comes back
        plan: what is about to be proposed to a person: rules and decisions about its files come back
        question: what a person is about to be asked: what is likely to answer it comes back
        session: what it was shown already is left out
        notes: False: call `note_told` when it has been shown

        >>> mem.at_act(command="git push").text
        ''
        """
        from cogmem.turn import act

        scope, at = self.scope.replacing(session=session), self.instant(now)
        uids: list[str] = []
        if question:
            told_of: dict[str, Any] = {"layer": "semantic", "min_chance": act.ANSWERS, "now": at}
            found = self.recall(question, messages=False, strengthen=False, **told_of)
            uids = [one.uid for one in found]
        doing = act.Act(command, file, text, writes, error, plan, question, uids)
        told = act.tell(self.db, scope, doing, scope.session, now=at, counter=self._counter)
        if notes:
            act.note(self.db, told, now=at, actor=self.actor)
        return told

    def note_told(self, told: Told, *, now: Instant = None) -> bool:
        """Note that what `at_act` found was shown: the session does not get it again. Returns whether it is noted.

        told: what `at_act` gave

        >>> mem.note_told(mem.at_act(command="git push", notes=False))
        False
        """
        from cogmem.turn import act

        return act.note(self.db, told, now=self.instant(now), actor=self.actor)

    def rules_for_subagent(self, *, now: Instant = None) -> str:
        """Return the rules that a subagent gets when it starts; '' where the setting switches them off.

        >>> "green build" in mem.rules_for_subagent()
        True
        """
        from cogmem.turn import act

        return act.rules(self.db, self.scope, now=self.instant(now), counter=self._counter)

    def recall(
        self,
        query: str,
        *,
        layer: str | None = None,
        kind: str | None = None,
        state: str | None = None,
        tags: Sequence[str] = (),
        tag: str | None = None,
        key: str | None = None,
        since: Instant = None,
        until: Instant = None,
        as_of: Instant = None,
        history: bool = False,
        limit: int = 8,
        tokens: int | None = None,
        min_chance: float = 0.0,
        messages: bool = True,
        partitions: Sequence[str] = ("user", "global"),
        strengthen: bool = True,
        near: Nearness | None = None,
        now: Instant = None,
        **owner: Unpack[Owner],
    ) -> Found:
        """Search memories and recorded messages; what an explicit recall returns with a fair chance is strengthened.

        What hardly speaks to the query is left out if there is anything better: `weaker` of the list says how many.

        query: words to look for; a blank one lists what is newest
        layer: episodic, semantic or procedural
        kind: one kind; `cogmem setting kind list` shows all
        state: candidate, active, archived, deleted or expired
        tags: only what has all of these tags
        tag: only what has this tag
        key: only the memory with this key
        since: only what is as new as this instant
        until: only what is older than this instant
        as_of: what was held and known at this instant, or in "last spring", "March 2025" or "2024"
        history: whether to bring what no longer holds, too, as a question about the past does
        tokens: how many tokens all of it may cost
        min_chance: the least chance to help, 0 to 1, as a turn's gate weighs it
        messages: whether to search recorded messages too
        partitions: "user" for what is the user's own, "global" for everyone's
        strengthen: whether what is found counts as used
        near: vectors to compare with; default: by the embedder, if there is one

        >>> [found.key for found in mem.recall("staging server")]
        ['staging']
        >>> mem.recall("heron", since=timedelta(days=-7))[0].created_at.tzinfo
        datetime.timezone.utc
        """
        from cogmem.search.recall import Filter, at_time, search

        at = self.instant(now)
        then, during = at_time(as_of, at)
        scope = self.scope.owned(**owner).replacing(
            own="user" in partitions, shared="global" in partitions
        )
        store = self._kept.store or self.store  # itself it would have the counts written first
        keeps = Filter(
            layer=layer,
            kind=kind,
            state=state,
            key=key,
            tags=[*several(tags, "tags"), *([tag] if tag else [])],
            since=given_instant(since, "since", at),
            until=given_instant(until, "until", at),
            as_of=then,
            during=during,
            history=history,
            messages=messages,
            min_chance=min_chance,
        )
        found = search(
            store,
            scope,
            query,
            keeps,
            now=at,
            moment=_moment(now),
            limit=limit,
            tokens=tokens,
            near=near or self._nearness(query),
            second=self._second(query),
        )
        if strengthen:
            fair = [one for one in found if one.chance is None or one.chance >= FAIR]
            held = [one for one in fair if one.origin == "memory" and one.state == "active"]
            self._count_recalled([one.uid for one in held if not one.is_past], at)
        return found

    def why(self, ref: str, turn: str, *, everywhere: bool = False) -> Why:
        """Return why a memory (uid or key) or message was shown in a turn, or was not: stage, figures, one
        sentence.

        ref: a uid, a key or msg_NUMBER
        turn: the id of the turn

        >>> turn = mem.activate("Which server is staging?")
        >>> mem.why("staging", turn.turn).stage
        'chosen'
        """
        from cogmem.turn.explain import why

        self.flush()
        scope = self.looking(everywhere)
        return why(self.db, self._ref(ref, scope), storable(turn, "the turn"), scope)

    def _ref(self, name: str, scope: Scope) -> str:
        """Return what a turn calls a memory that is named by its key; any other name stays as it is."""
        try:
            return self.store.get(name, scope, self.instant(None), living=False).uid
        except UnknownMemory:
            return storable(name, "the name")

    def why_not(
        self,
        ref: str,
        prompt: str,
        *,
        files: Sequence[str] = (),
        budget: int | None = None,
        session: str | None = None,
        now: Instant = None,
    ) -> Why:
        """Return what keeps a memory out of a prompt, or lets it in, weighed now and not recorded.

        ref: a uid or key
        prompt: the prompt to weigh it for
        files: paths at hand
        budget: tokens the turn may cost
        session: as the next turn of this session would

        >>> mem.why_not("staging", "What is for lunch?").shown
        False
        """
        from cogmem.turn.explain import why_not

        at = self.instant(now)
        return why_not(
            self.db,
            self._ref(ref, self.scope),
            prompt,
            scope=self.scope,
            now=at,
            files=several_storable(files, "files", "a file"),
            budget=budget,
            session=self.scope.owned(session=session).session,
        )

    def used(
        self,
        turn: str,
        refs: Sequence[str],
        *,
        useful: bool = True,
        everywhere: bool = False,
        now: Instant = None,
    ) -> int:
        """Say which shown memories helped (or did not); returns how many the ledger knew.

        turn: the id of the turn
        refs: what helped, by the `ref` of its items
        useful: False: it did not help

        >>> turn = mem.activate("Which server is staging?")
        >>> mem.used(turn.turn, [item.ref for item in turn.items])
        2
        """
        from cogmem.turn.explain import used

        self.flush()
        return used(
            self.db,
            storable(turn, "the turn"),
            several_storable(refs, "refs", "a reference"),
            self.looking(everywhere),
            useful=useful,
            actor=self.actor,
            now=self.instant(now),
        )

    # -- a day -----------------------------------------------------------------------------------

    def today(
        self, *, since: Instant = None, everywhere: bool = False, now: Instant = None
    ) -> Today:
        """Tell what the day brought: turns, what was learned and changed, what waits, how the file is.

        since: the beginning of the day; default: midnight UTC
        now: the instant at which it is asked; default: this one

        >>> [act.verb for act in mem.today().learned][:1]
        ['learn']
        """
        from cogmem.verbs.today import today

        self.flush()
        return today(self, since, everywhere, now)

    # -- by area ---------------------------------------------------------------------------------

    # Past turns: list(), get(), replay(); frozen(), compacted(); project_block().
    turns: Turns = area("turn/turns", "recall")
