"""Intentions: what somebody meant to do when its moment comes, told once where it fits.

An intention is a memory whose data say when: a path that is touched, a command that is run, words of a prompt, a day,
an event such as a merge. It is told at the act or with the prompt that fits first, marked as told in the write that
notes the turn or the act, and never told unasked before: search leaves it out. Killed in between, it is told again.
"""

from __future__ import annotations

from cogmem.records import json_list
from cogmem.scope import fits
from cogmem.text.lines import line, one_line, told_day
from cogmem.turn.block import Item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cogmem.file.db import Database, Step
    from cogmem.scope import Scope
    from cogmem.turn.activation import View

INTENTION = "intention"
LONGEST = 150  # characters of an intention that are told
KIN = 3  # letters that a word of a trigger has at least; shorter ones are taken whole


class Intended:
    """One intention, and the moments at which it is told: (sort, value)."""

    def __init__(
        self, uid: str, content: str, created_at: int, when: Sequence[Sequence[str]]
    ) -> None:
        self.uid, self.content, self.created_at, self.when = uid, content, created_at, when


def waiting(db: Database, scope: Scope) -> list[Intended]:
    """Return the intentions of a scope that were not told yet, the oldest first."""
    if not db.is_so("intentions.is_any"):
        return []
    import json  # what holds no intention need not load it

    rows = db.read("intentions.waiting", scope.viewer())
    return [Intended(uid, content, at, json.loads(when)) for uid, content, at, when in rows]


def at_prompt(view: View, scope: Scope, text: str, files: Sequence[str]) -> list[Item]:
    """Return the lines of the intentions whose moment this prompt is."""
    found = [
        one for one in waiting(view.db, scope) if _fits_prompt(one.when, text, files, view.now)
    ]
    items = []
    for one in found:
        said = line(told(one.content, one.created_at, one.uid))
        items.append(Item(one.uid, "B", INTENTION, said, view.costs.line(said)))
    return items


def _fits_prompt(when: Iterable[Sequence[str]], text: str, files: Sequence[str], now: int) -> bool:
    words = text.casefold()
    return any(
        (sort == "words" and names(value, words))
        or (sort == "on" and now >= int(value))
        or (sort == "path" and any(fits(value, file) for file in files))
        for sort, value in when
    )


def fits_act(when: Iterable[Sequence[str]], words: Sequence[str], files: Sequence[str]) -> bool:
    """Tell whether an act is the moment: the words of its command, or the files that it touches."""
    from cogmem.text.attempts import EVENTS, main_words

    for sort, value in when:
        wanted = [value] if sort == "command" else EVENTS.get(value, ()) if sort == "event" else ()
        if any(begins(words, main_words(one)) for one in wanted):
            return True
        if sort == "path" and any(fits(value, file) for file in files):
            return True
        if sort == "words" and any(names(value, file.casefold()) for file in files):
            return True
    return False


def begins(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Tell whether all wanted words stand in a command, those that are no options in front."""
    plain = [word for word in words if not word.startswith("-")]
    lead = [word for word in wanted if not word.startswith("-")]
    return bool(wanted) and plain[: len(lead)] == lead and set(wanted) <= set(words)


def names(wanted: str, low: str) -> bool:
    """Tell whether a prompt in small letters has all words of a trigger, whatever their endings."""
    said = set(words_in(low))
    return all(any(_is_kin(word, one) for one in said) for word in words_in(wanted.casefold()))


def words_in(text: str, also: str = "") -> list[str]:
    """Return the words of a text, whatever stands between them; `also` are signs within words."""
    return "".join(sign if sign.isalnum() or sign in also else " " for sign in text).split()


def _is_kin(one: str, other: str) -> bool:
    if len(one) <= KIN or not one.isascii():
        return one == other or (not one.isascii() and one in other)
    return other.startswith(one[:-1]) and len(other) <= len(one) + 2


def told(content: str, at: int, uid: str) -> str:
    """Return what is said of an intention when its moment has come."""
    said = one_line(content).rstrip(" .")[:LONGEST]
    return f"Intended on {told_day(at)}, now is the moment: {said} (`cogmem intend done {uid}`)"


def mark(uids: Iterable[str], now: int) -> list[Step]:
    """Return what notes that intentions were told."""
    named = list(uids)
    return [(_TELL, {"uids": json_list(named), "now": now})] if named else []


def verb_of(steps: Iterable[Step]) -> str:
    """Return how the write of a turn is signed: one that told an intention changed a memory, which has a history."""
    return "told" if _TELL in [name for name, _ in steps] else "activate"


_TELL = "intentions.tell"
