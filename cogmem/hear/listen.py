"""Listens to what is said: rules propose, and the one write path decides.

Per message, in the host's process, without a model. What the rules find in one message is learned
in one transaction. Text that cogmem itself put into the prompt is left out before the rules look.
"""

from __future__ import annotations

from cogmem.errors import REFUSALS, InvalidInput, UnknownName
from cogmem.guard import guard
from cogmem.hear import capture
from cogmem.hear.hearing import Hearing
from cogmem.hear.proposals import draft_of, heard
from cogmem.hear.rules import RULE_COLUMNS, Rule
from cogmem.hear.taken_back import end_what_is, takes_back
from cogmem.records import Record
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.hear.capture import Rules
    from cogmem.records import Draft, Learned
    from cogmem.scope import Scope
    from cogmem.space import Instant, Space

ROLES = ("user", "assistant")
LONGEST_SENTENCE = 400  # characters of an imported text that may be one rule
NO_MESSAGE = 0  # what is heard here need not be recorded
REFRESHED = 3  # memories of the last turn whose decay a bare "remember this" resets


class Heard(Record):
    """What one message taught. `refreshed` are memories that "remember this" meant."""

    BEGINS_EMPTY = True
    learned: list[Learned]
    refreshed: list[str]
    refused: list[str]


class Listener(Area):
    """The rules that hear what is worth keeping, compiled once and anew when somebody changes them."""

    def __init__(self, space: Space) -> None:
        super().__init__(space)
        self.store = space.store
        self._at = space.instant
        self._rules: Rules | None = None
        self._rows: list[tuple[Any, ...]] = []
        self._version = -1

    # -- the rules in force ----------------------------------------------------------------------

    def rules(self) -> Rules:
        """Return the rules in force. Another process's change is noticed by the file's version.

        >>> [found.kind for found in mem.listener.rules().match("Always answer in German.")]
        ['preference']
        """
        version = self.store.db.read("listen.version")[0][0]
        if self._rules is None or version != self._version:
            rows = self.store.db.read("listen.rules")
            if self._rules is None or rows != self._rows:
                self._rules = capture.compile_rules(rows)
                self._rows = rows
            self._version = version
        return self._rules

    # -- for other stages ------------------------------------------------------------------------

    def kind_of(self, text: str) -> str:
        """Return what a sentence of a document is stored as if a person says it; empty if nothing hears it."""
        found = self.rules().match(text) if len(text) <= LONGEST_SENTENCE else []
        return found[0].kind if len(found) == 1 else ""

    def changed(self) -> None:
        """Note that this very connection changed a rule, which its own view of the file's version hides."""
        self._rules = None

    def hear(
        self,
        learn: Callable[[Draft, int], Learned],
        text: str,
        role: str,
        scope: Scope,
        *,
        at: int,
        now: int,
        session: str = "",
        before: str = "",
    ) -> Heard:
        """Learn what one message has to say."""
        if role not in ROLES:
            raise InvalidInput(f"role {role!r} is not captured: use {' or '.join(ROLES)}")
        if not isinstance(text, str):
            raise InvalidInput(f"a message is text, not {type(text).__name__}")
        told = Heard()
        text, _ = self.store.without_echo(text)
        # What was captured belongs to the person or project; a session would take it along.
        owner = scope.replacing(session="")
        read = self.rules().read
        proposals, _, ways = heard(self.store, read, text, role, before, owner, at)
        taken = takes_back(text) if role == "user" else ()
        if not proposals and not ways and not taken:
            return told
        with self.store.db.together():
            end_what_is(Hearing(self.store, learn, now), taken, NO_MESSAGE, owner, at)
            told.learned.extend([learn(way, now) for way in ways])
            for found in proposals:
                draft = draft_of(found, owner, at=at, session=session, before=before)
                if draft is None:
                    told.refreshed.extend(self._refresh(session, now))
                    continue
                try:
                    learned = learn(draft, now)
                    if learned.uid:
                        told.learned.append(learned)
                except REFUSALS as refusal:
                    told.refused.append(str(refusal))
        return told

    def rehearse(self, text: str, role: str = "user", *, before: str = "") -> list[Draft]:
        """Return what would be learned of a message, as it would be proposed; nothing is stored.

        text: the message
        role: user or assistant: who says it
        before: the message before it, which a bare "remember this" means

        >>> mem.listener.rehearse("Never push to main on Fridays.")[0].kind
        'preference'
        """
        text, _ = self.store.without_echo(text)
        found = self.rules().match(text, role, doubtful=True) if text else []
        at = self.space.instant(None)
        drafts = [draft_of(one, self.space.scope, at=at, before=before) for one in found]
        return [draft for draft in drafts if draft is not None]

    def _refresh(self, session: str, now: int) -> list[str]:
        """Reset the decay of what was shown last: "remember this" with nothing before it."""
        if not session:
            return []
        shown = self.store.db.read("listen.shown_last", {"session": session, "limit": REFRESHED})
        uids = [row[0] for row in shown]
        steps: list[Step] = [("listen.refresh", {"uid": uid, "now": now}) for uid in uids]
        if steps:
            self.store.db.write(steps, verb="remember", at=now)
        return uids

    # -- the table of rules ----------------------------------------------------------------------

    def describe(self) -> list[Rule]:
        """Return every rule, in the order in which they are tried.

        >>> len(mem.listener.describe()) > 20
        True
        """
        return [Rule(**row) for row in self.store.db.rows("listen.describe")]

    def check(self) -> list[str]:
        """Test every rule against its own example and counter-example; an empty list: all pass.

        >>> mem.listener.check()
        []
        """
        return capture.check_rules(self.store.db.read("listen.rules"))

    def add(self, row: Mapping[str, Any], *, now: Instant = None) -> str:
        """Add a rule of your own, if it passes its own test; returns the act.

        row: the columns of the rule: name, kind, pattern, example, counter_example …
        """
        whole = {**_DEFAULTS, **row}
        unknown = [name for name in whole if name not in _COLUMNS]
        missing = [name for name in _COLUMNS if name not in whole]
        if unknown or missing:
            what = f"no {', '.join(unknown)}" if unknown else f"a {', '.join(missing)}"
            raise InvalidInput(f"a rule has {what}: see docs/capture.md")
        whole["kind"] = self.store.kinds.demand(str(whole["kind"])).name
        for name in ("name", "example", "counter_example", "pattern"):
            whole[name] = guard.normalise(str(whole[name]))
        if any(existing.name == whole["name"] for existing in self.describe()):
            raise InvalidInput(
                f"a rule {whole['name']!r} exists already: disable it and use another name"
            )
        wrong = capture.check_rules([(*(whole[name] for name in _COLUMNS), 1)])
        if wrong:
            raise InvalidInput("; ".join(wrong))
        act = self.store.db.write([("listen.add", whole)], verb="rule", at=self._at(now)).act
        self.changed()
        return act

    def enable(self, name: str, enabled: bool, *, now: Instant = None) -> str:
        """Put a rule into use or out of it; returns the act.

        name: its name; `describe` lists them
        enabled: whether it is in use

        >>> act = mem.listener.enable(mem.listener.describe()[0].name, False)
        """
        if not any(rule.name == name for rule in self.describe()):
            raise UnknownName(f"no rule is called {name!r}: `cogmem capture rules list` shows them")
        step: Step = ("listen.enable", {"name": name, "is_enabled": int(enabled)})
        act = self.store.db.write([step], verb="rule", at=self._at(now)).act
        self.changed()
        return act


# What a person may say of a rule: all but whose it is.
_COLUMNS = tuple(name for name in RULE_COLUMNS.split(", ") if name != "is_own")
_DEFAULTS = {
    "language": "en",
    "position": 100,
    "veto": None,
    "priority": 2,
    "polarity": 1,
    "confidence": 0.8,
    "state": "active",
    "outcome": "",
    "is_enabled": 1,
}
