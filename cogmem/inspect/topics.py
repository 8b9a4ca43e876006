"""The map of topics: the words under which memories gather; each opens the memories that hold it.

One after another comes the word that most memories hold which no topic has yet, as long as it has one of its own;
two are joined by a line where memories hold both, and stand near each other then.
"""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

import asyncio
import re
from html import escape
from itertools import count
from math import cos, sin, sqrt

import markupsafe

from cogmem.inspect import plot
from cogmem.inspect.page import counted, link, narrowed, owner_of, rows
from cogmem.language import cjk
from cogmem.language.ordinary import per_thousand
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cogmem.inspect.page import Desk

READ = 2000  # the newest memories
MOST = 18  # topics
ORDINARY = 12.0  # in so many of a thousand texts a word stands that names no topic
TIES = 2  # lines from one topic
TOP, FOOT = 44, 16  # free above and below the map
_WORD = re.compile(r"[^\W\d_]{2,40}")


class Topic(NamedTuple):
    """A word as it is written most often, and the memories that hold it in any form."""

    word: str
    members: frozenset[int]


async def page_of(datasette: Any, request: Any) -> Any:
    """Return the map, and the same topics as a list."""
    owner = owner_of(request)
    found = await rows(datasette, "inspect.spoken", {**owner, "limit": READ})
    topics = await asyncio.to_thread(_topics, datasette.desk, found)
    listed = [(one.word, len(one.members), _opens(one, owner)) for one in topics]
    picture = markupsafe.Markup(drawn(topics, owner))
    told = {"topics": listed, "picture": picture, "read": len(found)}
    return await narrowed(datasette, request, "topics", **told)


def _topics(desk: Desk, found: Sequence[dict[str, Any]]) -> list[Topic]:
    written: dict[str, set[int]] = {}
    for row in found:
        for word in _WORD.findall(row["text"].lower()):
            if len(word) > 2 or cjk.runs(word):
                written.setdefault(word, set()).add(row["id"])
    with desk.opened() as memory:
        stems = memory.db.stems_of_each(written)
    return chosen(written, dict(zip(written, stems, strict=True)), len(found))


def chosen(written: dict[str, set[int]], stems: dict[str, list[str]], read: int) -> list[Topic]:
    """Return the topics of memories, from the words in them and the stem of each word."""
    forms: dict[str, list[str]] = {}
    for word in written:
        if len(stems[word]) == 1 and per_thousand(stems[word][0]) < ORDINARY:
            forms.setdefault(stems[word][0], []).append(word)
    held = {
        stem: frozenset().union(*(written[word] for word in words)) for stem, words in forms.items()
    }
    waiting = {stem: its for stem, its in held.items() if 1 < len(its) <= max(2, read // 2)}
    topics: list[Topic] = []
    has: set[int] = set()
    while waiting and len(topics) < MOST:
        stem = min(waiting, key=lambda one: (-len(waiting[one] - has), -len(waiting[one]), one))
        members = waiting.pop(stem)
        if not members - has:
            break
        has |= members
        word = min(forms[stem], key=lambda one: (-len(written[one]), len(one), one))
        topics.append(Topic(word, members))
    return topics


def _opens(topic: Topic, owner: dict[str, str]) -> str:
    # The blank behind it says that the word is whole.
    return link("/-/look/memories", q=topic.word + " ", order="newest", **owner)


def drawn(topics: Sequence[Topic], owner: dict[str, str]) -> str:
    """Return the map as SVG: the more memories, the larger."""
    title = "Topics"
    if not topics:
        return plot.whole(title, [], "nothing to show yet", 120)
    places = _placed(topics)
    up = min(y - _high(one)[0] for one, (_, y) in zip(topics, places, strict=True)) - TOP
    down = max(y + _high(one)[1] for one, (_, y) in zip(topics, places, strict=True)) - up + FOOT
    parts = [f'<text class="title" x="12" y="22">{title}</text>']
    for here, there in _ties(topics):
        (x, y), (u, v) = places[here], places[there]
        parts.append(
            f'<line class="grid" x1="{x:.1f}" y1="{y - up:.1f}" x2="{u:.1f}" y2="{v - up:.1f}"/>'
        )
    for number, (one, (x, y)) in enumerate(zip(topics, places, strict=True)):
        size = _size(one)
        said = escape(f"{one.word}: {counted(len(one.members), 'memory', 'memories')}")
        parts.append(
            f'<a href="{escape(_opens(one, owner))}" aria-label="{said}"><title>{said}</title>'
            f'<circle class="f{number % 6}" cx="{x:.1f}" cy="{y - up:.1f}" r="{size:.1f}"/>'
            f'<text x="{x:.1f}" y="{y - up + size + 13:.1f}" text-anchor="middle">{escape(one.word)}</text></a>'
        )
    return plot.whole(title, parts, height=round(down), role="group")


def _size(topic: Topic) -> float:
    return min(5 + 3.2 * sqrt(len(topic.members)), 42)


def _high(topic: Topic) -> tuple[float, float]:
    return _size(topic) + 4, _size(topic) + 20


def _wide(topic: Topic) -> float:
    return max(_size(topic), plot.LETTER * len(topic.word) / 2) + 6


def _ties(topics: Sequence[Topic]) -> list[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    for here, one in enumerate(topics):
        shared = [
            (len(one.members & other.members) / len(one.members | other.members), -there)
            for there, other in enumerate(topics)
            if there != here and one.members & other.members
        ]
        for _, there in sorted(shared, reverse=True)[:TIES]:
            found.add((min(here, -there), max(here, -there)))
    return sorted(found)


def _placed(topics: Sequence[Topic]) -> list[tuple[float, float]]:
    """Return a free place for each, along a spiral around those that it shares memories with."""
    places: list[tuple[float, float]] = []
    for one in topics:
        placed = zip(topics, places, strict=False)
        near = [place for other, place in placed if one.members & other.members]
        x0 = sum(x for x, _ in near) / len(near) if near else plot.WIDTH / 2
        y0 = sum(y for _, y in near) / len(near) if near else 0.0
        for step in count():
            far, turn = 4.0 * sqrt(step), 2.4 * step
            x, y = x0 + 1.5 * far * cos(turn), y0 + far * sin(turn)
            if _is_free(topics, places, one, x, y):
                places.append((x, y))
                break
    return places


def _is_free(
    topics: Sequence[Topic], places: Sequence[tuple[float, float]], one: Topic, x: float, y: float
) -> bool:
    wide, (up, down) = _wide(one), _high(one)
    if not 6 + wide <= x <= plot.WIDTH - 6 - wide:
        return wide > plot.WIDTH / 2 - 6 and not places
    for other, (u, v) in zip(topics, places, strict=False):
        high = _high(other)
        if abs(x - u) < wide + _wide(other) and y - up < v + high[1] and v - high[0] < y + down:
            return False
    return True
