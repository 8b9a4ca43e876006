"""Why a memory was shown, or was not: read from the ledger, or weighed anew.

`replay` goes further: it copies the file, takes back in the copy everything that happened after a
turn, and runs the turn again on what was known then.
"""

from __future__ import annotations

import os
import tempfile

from cogmem.errors import InvalidInput, UnknownMemory, UnknownName
from cogmem.file import making
from cogmem.records import Record, most_rows
from cogmem.scope import Scope
from cogmem.search.gate import LEAST, least_chance
from cogmem.store import history
from cogmem.text.cell import listed
from cogmem.turn.activation import Activation, Prompt
from cogmem.turn.turn import take_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Database

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


class TurnBrief(Record):
    """A turn that was, in short: what it cost, how many items it showed and left out."""

    SHOWN = ("turn", "session", "at", "tokens", "shown", "left_out", "prompt")
    turn: str
    session: str
    at: datetime
    tokens: int
    budget: int
    elapsed_us: int
    stable_hash: str
    prompt: str
    shown: int
    left_out: int


class Weighed(Record):
    """What a turn kept of one candidate: the stage it reached and its figures then."""

    ref: str
    layer: str
    stage: str
    position: int
    strength: float | None
    relevance: float | None
    score: float | None
    chance: float | None
    tokens: int
    was_useful: int | None


class PastTurn(Record):
    """A turn that was, whole: what it was asked, what it cost, and all that the ledger kept of it."""

    SHOWN = ("turn", "session", "at", "tokens", "budget", "prompt")
    turn: str
    session: str
    runtime: str
    user: str
    project: str
    prompt: str
    files: str
    budget: int
    tokens: int
    counter: str
    stable_hash: str
    text_hash: str
    weights: str
    elapsed_us: int
    at: datetime
    items: list[Weighed]


class CurvePoint(Record):
    """A setting of `silence`: the chance that it asks for, and how many turns would have spoken.

    Below the setting in force these are the least: what was sure to stay away was not weighed.
    """

    setting: str
    least: float
    turns: int
    turns_that_spoke: int
    percent: float | None
    in_force: bool


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
    row = _turn_row(db, turn, scope)
    found = db.rows("explain.item", {"turn": turn, "ref": ref})
    if found:
        return _told(db, row, {**found[0], "ranking": _carried(db, ref, row)})
    if db.read("explain.in_stable", {**_place(row), "ref": ref})[0][0]:
        return _told(db, row, {"ref": ref, "layer": "A", "stage": "stable"})
    again = why_not(
        db, ref, row["prompt"], scope=_scope(row), now=row["at"], files=listed(row["files"])
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
    place = {**scope.owner(), "session": session}
    named = {name: place[name] for name in ("runtime", "user", "project")}
    if session and not db.read("turn.session", {**named, "name": session})[0][0]:
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
    result = take_turn(db, _scope(row), asked)
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

    row = _turn_row(db, turn, scope)
    listed = json_list(refs)
    said = {"turn": turn, "refs": listed, "useful": int(useful)}
    steps: list[Any] = [("explain.mark", said), ("explain.mark_weighed", said)]
    if useful:
        given = _scope(row).replacing(session=row["session"]).viewer()
        seen = [uid for (uid,) in db.read("explain.in_sight", {**given, "refs": listed})]
        steps.append(("store.recalled", {"uids": json_list(seen), "now": now}))
    shown, weighed, *_ = db.write(steps, verb="used", actor=actor, at=now).rows
    return int((weighed or shown or [(0,)])[0][0])


def turns(db: Database, scope: Scope, *, session: str | None, limit: int) -> list[TurnBrief]:
    """Return the latest turns with what they cost."""
    asked = {**scope.hearer(), "session": session, "limit": most_rows(limit)}
    return [TurnBrief(**row) for row in db.rows("explain.turns", asked)]


def curve(db: Database, scope: Scope) -> list[CurvePoint]:
    """Return the gate's curve: each setting, the chance that it asks for, and the turns that would have spoken."""
    rows = db.rows("explain.likeliest", scope.hearer())
    best = [row["chance"] for row in rows]
    now = least_chance(dict(db.read("store.settings")).get("silence", "balanced"))
    asked = {**LEAST, "0.75": 0.75, "0.9": 0.9}
    points = []
    for name, least in asked.items():
        spoke = sum(one >= least for one in best)
        percent = round(100 * spoke / len(best), 1) if best else None
        points.append(CurvePoint(name, least, len(best), spoke, percent, least == now))
    return points


def turn(db: Database, name: str, scope: Scope) -> PastTurn:
    """Return one turn: its row, and what became of each candidate."""
    row = _turn_row(db, name, scope)
    items = [Weighed(**one) for one in db.rows("explain.items", {"turn": name})]
    return PastTurn(**row, items=items)


def replay(db: Database, turn: str, scope: Scope, *, as_of: int | None = None) -> Activation:
    """Run a past turn again on the memory as it was then (or at another instant)."""
    row = _turn_row(db, turn, scope)
    return then(
        db,
        row["prompt"],
        _scope(row),
        at=row["at"] if as_of is None else as_of,
        budget=row["budget"],
        files=listed(row["files"]),
    )


def then(
    db: Database,
    prompt: str,
    scope: Scope,
    *,
    at: int,
    budget: int | None = None,
    files: Sequence[str] = (),
) -> Activation:
    """Return what a prompt would have been given at an instant: a turn in a throw-away copy taken back to it."""
    if db.path == ":memory:":
        raise InvalidInput("a memory in RAM cannot be replayed: it has no file to copy")
    with tempfile.TemporaryDirectory(prefix="cogmem-replay-") as folder:
        target = os.path.join(folder, "then.db")
        making.copy_to(db, target)
        copy = making.open_space(target, driver=db.driver)[0]
        try:
            history.rewind(copy, at)
            asked = Prompt(
                prompt, now=at, actor="replay", budget=budget, files=files, explains=True
            )
            return take_turn(copy, scope, asked)
        finally:
            copy.close()


def _turn_row(db: Database, turn: str, scope: Scope) -> dict[str, Any]:
    """Return a turn of the viewer's own. Another's is answered like one that never was."""
    rows = db.rows("explain.turn", {**scope.hearer(), "turn": turn})
    if not rows:
        raise UnknownName(
            f"no turn is called {turn!r}: `cogmem turn list` lists them, with --everywhere those of all "
            "users and projects"
        )
    return rows[0]


def _place(row: dict[str, Any]) -> dict[str, str]:
    return {name: row[name] for name in ("session", "runtime", "user", "project")}


def _scope(row: dict[str, Any]) -> Scope:
    return Scope(row["runtime"], row["user"], row["project"], "")
