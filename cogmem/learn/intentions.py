"""What somebody means to do when its moment comes: `mem.intentions`."""

from __future__ import annotations

import json
from datetime import date

from cogmem.errors import InvalidInput
from cogmem.learn.decide import learn
from cogmem.records import Draft, Record, milliseconds, most_rows, one_of
from cogmem.space import Area
from cogmem.text.attempts import EVENTS
from cogmem.text.lines import day, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from cogmem.records import Learned, Remembered
    from cogmem.space import Instant

SORTS = ("path", "command", "words", "on", "event")
KIND = "intention"


class Intention(Record):
    """What is intended, and when; `told_at` once its moment came: is it done?"""

    SHOWN = ("uid", "content", "when", "told_at")
    uid: str
    content: str
    when: list[str]
    created_at: datetime
    told_at: datetime | None


class Intentions(Area):
    """What is to be told once, when its moment comes, and closed when it is done."""

    def add(self, text: str, when: str | Sequence[str], *, now: Instant = None) -> Learned:
        """Mean to do something: it is told once, at the first moment that fits, and waits until it is done.

        text: what is to be done
        when: path:GLOB, command:WORDS, words:WORDS, on:DAY or event:merge, release or deploy; several: any of them

        >>> mem.intentions.add("drop the flag", "path:src/exporter/**").outcome
        'inserted'
        """
        triggers = [trigger(one) for one in ([when] if isinstance(when, str) else when)]
        if not triggers:
            raise InvalidInput(f"say when: {WANTED}")
        draft = Draft(
            text,
            KIND,
            self.space.scope.replacing(session=""),
            source="user_explicit",
            data={"when": triggers},
        )
        at = self.space.instant(now)
        return learn(self.space.store, draft, now=at, profile="import")

    def list(self, *, limit: int = 100) -> list[Intention]:
        """Return what is intended and not done: first what was told and waits for a word, then what waits to be told.

        >>> mem.intentions.list()
        []
        """
        viewer = self.space.scope.viewer()
        rows = self.space.db.rows("intentions.list", {**viewer, "limit": most_rows(limit)})
        return [
            Intention(**{**row, "when": [spoken(*one) for one in json.loads(row["when"] or "[]")]})
            for row in rows
        ]

    def done(self, uid: str, *, now: Instant = None) -> str:
        """Close an intention: it is done, or wanted no more.

        uid: its name; `list` tells it

        >>> meant = mem.intentions.add("drop the flag", "words:exporter")
        >>> act = mem.intentions.done(meant.uid)
        """
        at = self.space.instant(now)
        row = self._named(uid, at)
        return self.space.store.set_state(row, "archived", reason="done", now=at, verb="done")

    def again(self, uid: str, *, now: Instant = None) -> str:
        """Let what was told and is not done come once more, at the next moment that fits.

        uid: its name; `list` tells it

        >>> meant = mem.intentions.add("drop the flag", "words:exporter")
        >>> act = mem.intentions.again(meant.uid)
        """
        at = self.space.instant(now)
        step = ("intentions.again", {"uid": self._named(uid, at).uid, "now": at})
        return self.space.db.write([step], verb="intend", at=at).act

    def _named(self, uid: str, at: int) -> Remembered:
        row = self.space.store.get(uid, self.space.scope, at)
        if row.kind != KIND:
            raise InvalidInput(
                f"{uid} is a {row.kind} and no intention: `cogmem intend list` lists them"
            )
        return row


WANTED = "path:GLOB, command:WORDS, words:WORDS, on:2026-12-04 or event:merge (release, deploy)"


def trigger(said: str) -> list[str]:
    """Return a trigger as it is kept: its sort and its value."""
    sort, colon, value = storable(said, "when").partition(":")
    sort, value = sort.strip().lower(), value.strip().strip("'\"")
    if not colon or sort not in SORTS or not value:
        raise InvalidInput(f"{said!r} says no moment: use {WANTED}")
    if sort == "on":
        try:
            value = str(milliseconds(date.fromisoformat(value), "when", 0))
        except ValueError:
            raise InvalidInput(f"{value!r} is not a day: write on:2026-12-04") from None
    if sort == "event":
        one_of("event", value, EVENTS)
    if sort == "words" and not any(map(str.isalnum, value)):
        raise InvalidInput(f"{said!r} names no words: write words:exporter")
    return [sort, value]


def spoken(sort: str, value: str) -> str:
    """Return a trigger as a person writes it."""
    if sort == "on":
        value = day(int(value))
    return f"{sort}:{value}"
