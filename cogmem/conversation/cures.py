"""What went wrong in a conversation and what mended it: a pair, so that the next complaint finds its cure.

A person's sentence that something is wrong, in a short message, stays open until they say that it works; where they
say what fixed it, what they told before of the same matter was the trouble, whatever its words. What mended
it is what was run or edited in between, or their own words where they say what did; where neither tells it, and where
the same complaint comes again, there is no cure. Commands that failed and were mended are told apart, by their calls
(`text.attempts`).
"""

from __future__ import annotations

import re
from functools import cache

from cogmem.conversation.parts import text_of
from cogmem.language.judge import matter_of, states
from cogmem.language.passages import occurs, parted
from cogmem.language.similarity import exact_cosine, tokens
from cogmem.language.typed import typed
from cogmem.named import NamedTuple
from cogmem.text.attempts import says_cure, steps, ways_in
from cogmem.text.data import patterns
from cogmem.text.lines import content_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

WAIT = 12  # messages within which a complaint may be mended
SENTENCES = 4  # of a message that complains; a longer one tells a story
LONGEST = 200  # characters of a complaint, and of what is said of its cure
TELLING = 3  # words beside the plain ones from which a sentence says what mended it
MENDED = ": mended by "  # between the two
ALIKE = 0.4  # likeness from which a complaint is one that was mended before


class Cure(NamedTuple):
    """A complaint, what mended it, and the message that says so."""

    complaint: str
    mend: str
    number: int

    @property
    def key(self) -> str:
        """The name under which memory keeps it."""
        return f"failure.cure.{content_hash(self.complaint)[:12]}"

    @property
    def text(self) -> str:
        """Return what memory says of it."""
        return f"{self.complaint}{MENDED}{self.mend}"


@cache
def _tests() -> dict[str, Callable[[str], object]]:
    """Tell whether a sentence says that something is wrong, and whether it says that it works."""
    return {name: re.compile(said, re.IGNORECASE).search for name, _, said in patterns("cures")}


def cures(messages: Sequence[Mapping[str, Any]], start: int = 0) -> list[Cure]:
    """Return the complaints of messages ({"role", "parts"}) that were mended, from `start` on."""
    found: list[Cure] = []
    complaint, since, told = "", 0, 0
    before: list[str] = []  # what was said last that may be a complaint in other words
    for number, one in enumerate(messages):
        if one["role"] != "user":
            continue
        said = _typed(one)
        works = next((text for text in said if _works(text)), "")
        if works and says_cure(works) and not complaint and len(said) <= SENTENCES:
            complaint, since = _trouble(" ".join(said), before, messages[told:number]), number - 1
        if works and complaint and number - since <= WAIT:
            mend = _mend(works, messages[since + 1 : number])
            if mend and number >= start and not _came_back(complaint, messages[number + 1 :]):
                found.append(Cure(complaint, mend, number))
            complaint = ""
        wrong = [text for text in said if _complains(text)]
        if wrong and len(said) <= SENTENCES:
            complaint, since = wrong[0].rstrip(" .!"), number
        if stated := [text for text in said if _tells(text)]:
            before, told = stated, number + 1
    return found


def _trouble(mended: str, before: Sequence[str], answers: Sequence[Mapping[str, Any]]) -> str:
    """Return what a person told before that this mended: of the same matter, or the answer to it named the cure."""
    about = matter_of(mended)
    alike = [text for text in before if not about.isdisjoint(matter_of(text))]
    proposed = [one for one in answers if one["role"] == "assistant"][:1]
    if not alike and any(
        not about.isdisjoint(matter_of(text_of(one["parts"]))) for one in proposed
    ):
        alike = [*before[-1:]]
    return alike[0].rstrip(" .!") if alike else ""


def _works(text: str) -> bool:
    """Tell whether a sentence says that it works again, or what made it."""
    is_told = says_cure(text) and not text.endswith("?") and not occurs("asks")(text)
    return (_is("mended", text) or is_told) and not _is("wrong", text)


def _typed(message: Mapping[str, Any]) -> list[str]:
    return [text for text, _, _ in parted(typed(text_of(message["parts"])))]


def _is(name: str, text: str) -> bool:
    return _tests()[name](text) is not None


def _complains(text: str) -> bool:
    """Tell whether a sentence says that something is wrong, and is no question, no order and no case."""
    is_said = len(text) <= LONGEST and _is("wrong", text) and not _is("supposes", text)
    return is_said and not occurs("asks")(text)


def _tells(text: str) -> bool:
    """Tell whether a sentence states something that "… fixed it" may be said of."""
    return states(text) and not _is("supposes", text) and not occurs("asks")(text)


def _came_back(complaint: str, after: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether what was said to work is complained of again soon."""
    said = [text for one in after[:WAIT] if one["role"] == "user" for text in _typed(one)]
    return any(_complains(text) and exact_cosine(text, complaint) >= ALIKE for text in said)


def _mend(works: str, between: Sequence[Mapping[str, Any]]) -> str:
    """Return what mended a complaint, in words; '' where nothing tells it."""
    done = [
        step for step in steps([(one["role"], one["parts"]) for one in between]) if not step.failed
    ]
    ways = ways_in(done)
    words = works if says_cure(works) or (ways and len(set(tokens(works))) > TELLING) else ""
    said = f"“{words[:LONGEST].rstrip(' .!')}”" if words else ""
    return f"{' and '.join(ways)}{f' ({said})' if said else ''}" if ways else said
