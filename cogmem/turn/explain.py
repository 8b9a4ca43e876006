"""Why a memory was shown, or was not: read from the ledger, or weighed anew."""

from __future__ import annotations

from cogmem.errors import UnknownMemory
from cogmem.records import Record
from cogmem.search.gate import least_chance
from cogmem.text.cell import listed
from cogmem.turn.activation import Prompt
from cogmem.turn.turn import take_turn
from cogmem.turn.turns import scope_of, turn_row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope

_SHOWN = {
    "A": "it was shown because it always applies (number {place} of Always)",
    "B": "it was shown because it fits the prompt (number {place}{said}{likely})",
    "C": "it was shown because it is a way to do what the prompt asks for{likely}",
    "D": "it was shown because it is about the files at hand (number {place})",
}
_SENTENCES = {
    "weak": "its strength {strength} was below the threshold {threshold}",
    "budget": "it did not fit: its line costs {tokens} tokens and too few of {budget} were left",
    "duplicate": "another chosen line says the same",
    "rank": "others fitted the prompt much better (its score was {score})",
    "silent": "too little speaks for it: its chance to help is {chance}, below the threshold {least}",
    "shown": "this session was shown it {since}, and it has not changed",
    "confided": "the person asked that it be kept by nobody",
    "noted": "a model has read that conversation, and the notes that it left stand for it",
    "amended": "what was said later on the same matter took its place",
    "gone": "the code that it cites is gone: `cogmem review` asks what becomes of it",
    "superseded": "a newer fact took its place",
    "expired": "it was not valid at that instant: expired, not yet true, or not yet learned",
    "failing": "it failed more often than not, so it is not offered as the way to do it",
    "state": "it is {state}, and only active memories are shown{way}",
    "stable": "it stands in the stable text that this session froze at its first turn",
    "unseen": "it shares no distinctive word with the prompt, so it was never a candidate",
    "scope": "it belongs to another user, project, session or runtime than this turn",
    "crowded": "it shares words with the prompt, but too many memories fitted better",
}

# What lets a memory that is not active be shown.
_WAYS = {
    "candidate": ": `cogmem review` asks about it, `cogmem restore {ref}` confirms it",
    "archived": ": `cogmem restore {ref}` brings it back",
    "deleted": ": `cogmem restore {ref}` brings it back",
}


class Why(Record):
    """Why a memory or message was shown, or was not: `sentence` says it, the figures prove it."""

    SHOWN = ("ref", "stage", "sentence")
    BEGINS_EMPTY = True
    ref: str
    turn: str | None
    stage: str
    layer: str
    strength: float | None
    relevance: float | None
    score: float | None
    chance: float | None
    figures: dict[str, float]
    ranking: dict[str, float]
    tokens: int | None
    budget: int
    shown: bool
    sentence: str


def why(db: Database, ref: str, turn: str, scope: Scope) -> Why:
    """Return what the ledger says of one memory or message in one turn, with the figures and a sentence."""
    row = turn_row(db, turn, scope)
    found = db.rows("explain.item", {"turn": turn, "ref": ref})
    if found:
        return _told(db, row, {**found[0], "ranking": _carried(db, ref, row)})
    if db.read("explain.in_stable", {**_place(row), "ref": ref})[0][0]:
        return _told(db, row, {"ref": ref, "layer": "A", "stage": "stable"})
    again = why_not(
        db, ref, row["prompt"], scope=scope_of(row), now=row["at"], files=listed(row["files"])
    )
    if again.shown:
        said = "that turn did not show it; weighed anew, outside of its session and on what is held now, it would be"
        return again.replacing(turn=turn, sentence=said, stage="silent", shown=False)
    said = f"{again.sentence} (weighed anew: the ledger keeps only the best of what was left out)"
    return again.replacing(turn=turn, sentence=said)


def why_not(
    db: Database,
    ref: str,
    prompt: str,
    *,
    scope: Scope,
    now: int,
    files: Sequence[str] = (),
    budget: int | None = None,
    session: str = "",
) -> Why:
    """Weigh one memory for a prompt, without recording anything: the stage it reaches, and why.

    With a session, as its next turn would: what it was shown lately is not shown again.
    """
    place = {**scope.place(), "session": session}
    if session and not db.read("turn.session", {**scope.place(), "name": session})[0][0]:
        session = ""  # nothing was shown to it yet, and nothing is to be written down now
    asked = Prompt(
        prompt, now=now, actor="why", budget=budget, session=session, files=files, explains=True
    )
    result = take_turn(db, scope.replacing(session=session) if session else scope, asked)
    row = {"turn": None, "budget": result.budget, "at": now, "prompt": prompt, **place}
    for item in [*result.chosen, *result.left_out]:
        if item.ref == ref:
            return _told(db, row, item.as_dict())
    found = db.read("explain.memory", {"ref": ref})
    if not found:
        raise UnknownMemory(f"no memory is called {ref!r}: `cogmem list` shows uids")
    state, content, *owner = found[0]
    stage = "unseen"
    if any(
        mine and mine != theirs for mine, theirs in zip(owner, scope.owner().values(), strict=True)
    ):
        stage = "scope"  # of what is another's, nothing else is told
    elif state != "active":
        stage = "state"
    else:
        from cogmem.language.cue import read_cue

        cue = read_cue(prompt, now)
        terms = (*cue.terms, *cue.calendar)
        stems = {stem for term in terms for form in term.forms for stem in db.stems(form)}
        if stems & set(db.stems(content)):
            stage = "crowded"
    return _told(db, row, {"ref": ref, "layer": "B", "stage": stage})


def _carried(db: Database, ref: str, row: dict[str, Any]) -> dict[str, float]:
    """Return what carries a message for the prompt of a turn: weighed anew on what the file holds now."""
    if not ref.startswith("msg_"):
        return {}
    at, budget = row["at"], row["budget"]
    asked = Prompt(row["prompt"], now=at, actor="why", budget=budget, explains=True)
    result = take_turn(db, scope_of(row), asked)
    for item in [*result.chosen, *result.left_out]:
        if item.ref == ref:
            told: dict[str, float] = item.as_dict()["ranking"]
            return told
    return {}


def _told(db: Database, row: dict[str, Any], item: dict[str, Any]) -> Why:
    found = db.read("explain.memory", {"ref": item["ref"]})
    settings = dict(db.read("store.settings"))
    state = found[0][0] if found else ""  # what is gone since
    chance = item.get("chance")
    figures = {
        "layer": item["layer"],
        "place": (item.get("position") or 0) + 1,
        "strength": _short(item.get("strength")),
        "score": _short(item.get("score")),
        "threshold": settings["strength_threshold"],
        "chance": _short(chance),
        "likely": "" if chance is None else f", {chance:.0%} likely to help",
        "said": _said(db, item["ref"]),
        "least": least_chance(settings.get("silence", "balanced")),
        "since": _since(db, row, item),
        "tokens": item.get("tokens"),
        "budget": row["budget"],
        "state": state,
        "way": _WAYS.get(state, "").format(ref=item["ref"]),
    }
    is_chosen = item["stage"] == "chosen"
    sentence = _SHOWN[item["layer"]] if is_chosen else _SENTENCES[item["stage"]]
    told = {name: value for name, value in item.items() if name in Why.FIELDS}
    told |= {"turn": row["turn"], "budget": row["budget"], "sentence": sentence.format(**figures)}
    return Why(**told, shown=is_chosen or item["stage"] == "stable")


def _said(db: Database, ref: str) -> str:
    """Return of which conversation a message is, and of which day."""
    found = db.read("explain.said_in", {"ref": ref}) if ref.startswith("msg_") else ()
    return ", said in “{}” on {}".format(*found[0]) if found else ""


def _since(db: Database, row: dict[str, Any], item: dict[str, Any]) -> str:
    """Return the turn that showed it before."""
    if item["stage"] != "shown":
        return ""
    if row["turn"]:
        found = db.read("explain.shown_before", {"turn": row["turn"], "ref": item["ref"]})
    else:
        found = db.read("explain.shown_in", {**_place(row), "ref": item["ref"]})
    return f"in turn {found[0][0]}" if found else "not long ago"


def _short(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3g}"


def used(
    db: Database,
    turn: str,
    refs: Sequence[str],
    scope: Scope,
    *,
    useful: bool,
    actor: str,
    now: int,
) -> int:
    """Keep in the ledger what helped, as a host says; it counts as used."""
    from cogmem.records import json_list

    row = turn_row(db, turn, scope)
    listed = json_list(refs)
    said = {"turn": turn, "refs": listed, "useful": int(useful)}
    steps: list[Any] = [("explain.mark", said), ("explain.mark_weighed", said)]
    if useful:
        given = scope_of(row).replacing(session=row["session"]).viewer()
        seen = [uid for (uid,) in db.read("explain.in_sight", {**given, "refs": listed})]
        steps.append(("store.recalled", {"uids": json_list(seen), "now": now}))
    shown, weighed, *_ = db.write(steps, verb="used", actor=actor, at=now).rows
    return int((weighed or shown or [(0,)])[0][0])


def _place(row: dict[str, Any]) -> dict[str, str]:
    return {name: row[name] for name in ("session", "runtime", "user", "project")}
