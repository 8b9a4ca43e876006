"""What went wrong in a conversation and what mended it: a pair, so that the next complaint finds its cure.

A person's sentence that something is wrong stays open until they say that it works. What mended it is what was run or
edited in between, and their own words where they say more than that it works; where neither tells anything, the
agent's last sentence. Commands that failed and were mended are told apart, by their calls (`text.attempts`).
"""

from __future__ import annotations

import re
from collections import namedtuple
from functools import cache

from cogmem.conversation.parts import text_of
from cogmem.language.passages import TESTS, parted
from cogmem.language.similarity import tokens
from cogmem.language.typed import typed
from cogmem.text.attempts import is_looking, shown_command, steps
from cogmem.text.data import patterns
from cogmem.text.lines import content_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

WAIT = 12  # messages within which a complaint may be mended
LONGEST = 200  # characters of a complaint, and of what is said of its cure
TELLING = 3  # words beside the plain ones from which a sentence says what mended it
WAYS = 2  # of the things that were done, the last ones
MENDED = ": mended by "  # between the two
ALIKE = 0.4  # likeness from which a complaint is one that was mended before


class Cure(namedtuple("Cure", "complaint mend number")):
    """A complaint, what mended it, and the message that says so."""

    __slots__ = ()

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
    """The complaints of messages ({"role", "parts"}) that were mended, from `start` on."""
    found: list[Cure] = []
    complaint, since = "", 0
    for number, one in enumerate(messages):
        if one["role"] != "user":
            continue
        said = [text for text, _, _ in parted(typed(text_of(one["parts"])))]
        works = next(
            (text for text in said if _tests()["mended"](text) and not _tests()["wrong"](text)), ""
        )
        wrong = next(
            (text for text in said if _tests()["wrong"](text) and len(text) <= LONGEST), ""
        )
        if works and complaint and number - since <= WAIT:
            mend = _mend(works, messages[since + 1 : number])
            if mend and number >= start:
                found.append(Cure(complaint, mend, number))
            complaint = ""
        if wrong and not TESTS["asks"](wrong):
            complaint, since = wrong.rstrip(" .!"), number
    return found


def _mend(works: str, between: Sequence[Mapping[str, Any]]) -> str:
    """Return what mended a complaint, in words; '' where nothing tells it."""
    done = [
        step for step in steps([(one["role"], one["parts"]) for one in between]) if not step.failed
    ]
    ran = [
        shown_command(one.command) for one in done if one.command and not is_looking(one.command)
    ]
    files = [one.file.replace("\\", "/").rpartition("/")[2] for one in done if one.file]
    ways = [f"running `{one}`" for one in list(dict.fromkeys(ran))[-WAYS:]]
    ways += [f"editing {one}" for one in list(dict.fromkeys(files))[-WAYS:]]
    words = works if len(set(tokens(works))) > TELLING else ""
    if not ways and not words:
        agent = [one for one in between if one["role"] == "assistant"]
        last = [text for one in agent for text, _, _ in parted(text_of(one["parts"]))]
        words = last[-1] if last and not TESTS["asks"](last[-1]) else ""
    said = f"“{words[:LONGEST].rstrip(' .!')}”" if words else ""
    return f"{' and '.join(ways)}{f' ({said})' if said else ''}" if ways else said
