"""Memories: the list that is searched as one types, and one memory with all that is known about it."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from typing import Any

import markupsafe
from datasette.utils.asgi import NotFound, Response

from cogmem.inspect import past, plot
from cogmem.inspect.page import (
    ENDLESS,
    PATIENT,
    QUICK,
    TooLong,
    held,
    link,
    linked,
    number,
    page,
    rows,
    said,
    short,
    word,
)
from cogmem.language import cjk
from cogmem.records import LAYERS, PRIORITY_NAMES, STATES
from cogmem.store.history import ASIDE
from cogmem.text.cell import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.inspect.page import Desk

SHOWN = 50
ENDINGS = 3  # letters that a stemmer may have changed at the end of a word still being typed
_WORD = re.compile(r"\w+")


def match_of(text: str, *, cut: int = 0, is_whole: bool = False) -> str:
    """Return what a person types, for the index: the last word, less `cut` letters, as the beginning of a word
    unless `is_whole`."""
    words = []
    for token in _WORD.findall(text):
        runs = cjk.runs(token)
        words += [pair for run in runs for pair in cjk.pairs(run, len(run) == 1)]
        rest = token
        for run in runs:
            rest = rest.replace(run, " ")
        words += rest.split()
    if not words:
        return ""
    quoted = [f'"{one}"' for one in words]
    last = words[-1]
    if not is_whole and text[-1:].isalnum() and len(last) > 1 and not cjk.runs(last):
        start = last[: len(last) - cut] if len(last) - cut >= 3 else last
        quoted[-1] = f'("{last}" OR "{start}"*)'
    return " AND ".join(quoted)


async def page_of(datasette: Any, request: Any) -> Any:
    """Return the list, whole or (part=list) alone, as the script asks for it while somebody types."""
    asked = {name: word(request, name) for name in ("state", "layer", "kind", "user", "project")}
    words = word(request, "q")
    if re.fullmatch(r"mem_[0-9a-f]{16}", words):
        return Response.redirect(f"/-/look/memory/{words}")
    before = number(request, "before")
    is_patient = bool(word(request, "patient"))
    filters = {**asked, "state": asked["state"] or "living"}
    filters["state"] = "" if filters["state"] == "any" else filters["state"]
    found, order = await _found(
        datasette,
        str(request.args.get("q") or ""),
        filters,
        before,
        ms=PATIENT if is_patient else QUICK,
        is_newest=word(request, "order") == "newest",
    )
    has_more = len(found or ()) > SHOWN
    values: dict[str, Any] = {
        "asked": {**asked, "q": words},
        "memories": None if found is None else found[:SHOWN],
        "order": order,
        "more": found[SHOWN - 1]["id"] if found and has_more and order != "best" else None,
        "is_narrowed": bool(words) or any(asked.values()),
        "has_more": has_more,
    }
    if is_patient and word(request, "part") == "list":  # the facets stand above it already
        return page(datasette, "_memories", **values, facets=[])
    values["facets"] = await _facets(datasette, asked, words)
    if word(request, "part") == "list":
        return page(datasette, "_memories", **values)
    kinds = [row["name"] for row in await rows(datasette, "inspect.kinds")]
    return page(datasette, "memories", **values, **said(request), kinds=kinds)


async def _found(
    datasette: Any, text: str, filters: dict[str, str], before: int, *, ms: int, is_newest: bool
) -> tuple[list[dict[str, Any]] | None, str]:
    params: dict[str, Any] = {**filters, "limit": SHOWN + 1}
    try:
        if not text.strip():
            later = {**params, "before": before}
            return await rows(datasette, "inspect.listed", later, ms=ms), "newest"
        for cut in (0, *range(1, ENDINGS + 1)):
            words = match_of(text, cut=cut)
            if not words:
                return [], "best"
            if before == ENDLESS and not is_newest:
                try:
                    asked = {**params, "words": words}
                    if found := await rows(datasette, "inspect.best", asked, ms=ms // 2):
                        return found, "best"
                    continue
                except TooLong:  # words of nearly everywhere: the newest that hold them whole
                    if ms == QUICK:
                        words = match_of(text, is_whole=True)
            later = {**params, "words": words, "before": before}
            if found := await rows(datasette, "inspect.found", later, ms=ms):
                return found, "newest"
            if before == ENDLESS and not is_newest and ms == QUICK:
                return None, "newest"  # the last word is not whole yet: its beginning is too common
        near = await asyncio.to_thread(_recalled, datasette.desk, text)
        found = await rows(datasette, "inspect.of_uids", {**params, "uids": json.dumps(near)})
        return sorted(found, key=lambda row: near.index(row["uid"])), "near"
    except TooLong:
        return None, "newest"


def _recalled(desk: Desk, text: str) -> list[str]:
    """Return what `recall` finds where no memory holds all the words; nothing is strengthened."""
    with desk.opened() as memory:
        found = memory.recall(text, limit=SHOWN, strengthen=False)
    return [one.uid for one in found if one.uid.startswith("mem_")]


async def _facets(datasette: Any, asked: dict[str, str], words: str) -> list[dict[str, Any]]:
    """Return what one may narrow by, with how many there are of each among those that are searched."""
    state = asked["state"] or "living"
    counted = None
    if words or asked["user"] or asked["project"]:
        among = {"words": match_of(words) if words else ""}
        among |= {"user": asked["user"], "project": asked["project"]}
        try:
            counted = await rows(datasette, "inspect.held_of", among, ms=QUICK)
        except TooLong:  # words that stand nearly everywhere: nearly the whole file is meant
            counted = None
    if counted is None:
        counted = await held(datasette)

    counts: dict[str, dict[str, int]] = {"state": {}, "layer": {}, "kind": {}}
    for row in counted:
        counts["state"][row["state"]] = counts["state"].get(row["state"], 0) + row["memories"]
        if state in ("any", row["state"]) or (state == "living" and row["state"] != "deleted"):
            for name in ("layer", "kind"):
                counts[name][row[name]] = counts[name].get(row[name], 0) + row["memories"]
    orders = {"state": STATES, "layer": LAYERS, "kind": sorted(counts["kind"])}
    orders["kind"] = sorted(orders["kind"], key=lambda kind: -counts["kind"][kind])
    facets = []
    for name, order in orders.items():
        given = [(value, counts[name].get(value, 0)) for value in order]
        values = []
        for value, count in given:
            is_on = asked[name] == value
            if count or is_on:
                to = link("/-/look/memories", **asked | {"q": words, name: "" if is_on else value})
                values.append({"value": value, "count": count, "is_on": is_on, "href": to})
        facets.append({"name": name, "values": values})
    return facets


async def owners(datasette: Any) -> Any:
    """Users and projects, which only a look at all memories can tell: asked for by the script."""
    return page(datasette, "_owners", owners=await rows(datasette, "inspect.owners", ms=PATIENT))


async def one(datasette: Any, request: Any) -> Any:
    """Return one memory: what it says, why it is held, what turns did with it, what became of it."""
    uid = request.url_vars["uid"]
    found = await rows(datasette, "inspect.memory", {"uid": uid})
    if not found:
        raise NotFound(f"no memory is called {uid}: it may have been forgotten")
    memory = found[0]
    ties = await rows(datasette, "inspect.ties", {"uid": uid})
    earned = await rows(datasette, "inspect.earned_of", {"uid": uid})
    try:
        turns = await rows(datasette, "inspect.turns_of", {"uid": uid}, ms=QUICK)
        strength = await rows(datasette, "inspect.strength_of", {"uid": uid}, ms=QUICK)
    except TooLong:  # a ledger of very many turns
        turns, strength = [], []
    history = past.acts_of(await rows(datasette, "inspect.history_of", {"uid": uid}))
    standing = (act for act in history if not act["is_undone"] and not act["undoes"])
    last = next((act for act in standing if act["verb"] not in ASIDE), None)
    return page(
        datasette,
        "memory",
        memory={**memory, "tags": listed(memory["tags"])},
        priorities=PRIORITY_NAMES,
        earned=earned[0] if earned else None,
        picture=_picture(strength),
        links=draw_ties(memory, ties),
        steps=json.loads(memory["steps"] or "[]"),
        ties=[{**tie, "link": linked(tie["ref"])} for tie in ties],
        turns=turns,
        history=past.stretches(history),
        last=last,
        **said(request),
    )


def _picture(strength: list[dict[str, Any]]) -> markupsafe.Markup:
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in strength:
        name = "as turns saw it" if row["tense"] == "seen" else "ahead, if nobody uses it"
        curves.setdefault(name, []).append((row["days"], row["strength"]))
    days = sorted({row["days"] for row in strength})
    ticks = [(day, str(day)) for day in sorted({*days[:1], 0, 90, 180, 365})]
    drawn = plot.lines("Strength over time", curves, ticks=ticks, what="days from now")
    return markupsafe.Markup(drawn)


MOST_TIES = 8  # branches; the list below the picture has them all
WIDTH, ROW, TOP = 440, 46, 44
LETTERS = 52  # of a text on one line
# How a tie reads from each of its ends.
_OUTWARD = {
    "evidence": "borne out by",
    "merged_from": "merged from",
    "supersedes": "replaces",
    "contradicts": "contradicts",
    "derived_from": "derived from",
    "related": "related to",
}
_INWARD = {
    "evidence": "bears out",
    "merged_from": "merged into",
    "supersedes": "replaced by",
    "contradicts": "contradicted by",
    "derived_from": "led to",
    "related": "related to",
}


def reads(tie: dict[str, Any]) -> str:
    """Return what a tie says, seen from the memory that is looked at."""
    words = _OUTWARD if tie["is_outward"] else _INWARD
    return words.get(tie["relation"], str(tie["relation"]).replace("_", " "))


def draw_ties(memory: dict[str, Any], ties: Sequence[dict[str, Any]]) -> markupsafe.Markup:
    """Return the picture; '' for a memory that nothing is tied to."""
    if not ties:
        return markupsafe.Markup("")
    shown = ties[:MOST_TIES]
    high = TOP + ROW * len(shown) + (18 if len(ties) > MOST_TIES else 0)
    escape = markupsafe.escape
    parts = [
        f'<svg class="plot tree" viewBox="0 0 {WIDTH} {high}" role="group" '
        f'aria-label="{len(ties)} ties of this memory">',
        f'<rect class="paper" width="{WIDTH}" height="{high}"/>',
        '<circle class="f0" cx="16" cy="22" r="6"/>',
        f'<text class="title" x="32" y="26">{escape(short(memory["content"], 46))}</text>',
    ]
    for place, tie in enumerate(shown):
        y = TOP + ROW * place + 18
        target = (
            f'<text x="52" y="{y + 13}">{escape(short(tie["text"] or tie["ref"], LETTERS))}</text>'
        )
        if str(tie["ref"]).startswith("mem_"):
            target = f'<a href="/-/look/memory/{escape(tie["ref"])}">{target}</a>'
        series = 1 if tie["relation"] in ("contradicts", "supersedes") else 2
        parts.append(
            f'<path class="grid branch" d="M16 28 V{y - 10} Q16 {y} 26 {y} H40"/>'
            f'<circle class="f{series}" cx="42" cy="{y}" r="4"/>'
            f'<text class="faint" x="52" y="{y - 3}">{escape(reads(tie))}</text>{target}'
        )
    if len(ties) > MOST_TIES:
        parts.append(
            f'<text class="faint" x="52" y="{high - 6}">and {len(ties) - MOST_TIES} more below</text>'
        )
    return markupsafe.Markup("".join([*parts, "</svg>"]))
