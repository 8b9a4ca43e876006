"""Runs an extraction: extract → search → deduplicate → persist, each stage timed, and its faults told.

A model that is missing, busy, broken or answers in tatters never costs a fact. What could be read is
persisted; what could not waits as a task for another try; and where there was no answer at all, the
capture rules read the messages meanwhile, as they do without any model.
"""

from __future__ import annotations

import json
import time
from hashlib import sha256

from cogmem.errors import Conflict, InvalidInput, ModelFailed, NotRecorded, UnknownName
from cogmem.extraction.deduplicate import deduplicate
from cogmem.extraction.extract import extract
from cogmem.extraction.persist import persist
from cogmem.extraction.search import search
from cogmem.extraction.talk import CONTEXT_SHARE, said_in
from cogmem.extraction.work import Extracted, StageFailed, Totals
from cogmem.guard import guard
from cogmem.records import told_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from cogmem.extraction.talk import Message
    from cogmem.extraction.work import Stage, Work
    from cogmem.records import Learned

    # (role, text) of a message → what the capture rules learned of it
    Capture = Callable[[str, str], Sequence[Learned]]
    # (subject, payload) → the task's uid
    Queue = Callable[[str, dict[str, Any]], str]

STAGES: tuple[tuple[str, Stage], ...] = (
    ("extract", extract),
    ("search", search),
    ("deduplicate", deduplicate),
    ("persist", persist),
)
totals = Totals()  # of this process
# A replay that misses, what the caller passed, a stretch that another process was quicker with: they
# go to the caller as they are.
_PLAIN_FAULTS = (NotRecorded, InvalidInput, UnknownName, Conflict)


def run(
    work: Work, *, capture: Capture | None = None, queue: Queue | None = None, dry_run: bool = False
) -> Extracted:
    """Take a work through its stages; `queue` keeps what could not be dealt with."""
    stages = STAGES if work.options.stages is None else tuple(work.options.stages)
    if dry_run:
        stages = tuple(stage for stage in stages if stage[0] != "persist")
        capture = queue = None
    try:
        for name, stage in stages:
            _timed(work, name, stage)
    finally:
        totals.add(work.measures)
    if (
        work.mark and not work.fault and not work.is_marked and not dry_run
    ):  # nothing was found in it
        with work.store.db.together(run=work.run):
            work.open_run()
            work.close_run()
    has_answer = bool(work.proposals) or work.measures.way not in ("", "unreadable")
    done = Extracted(
        "model" if has_answer else "rules" if work.fault and capture else "nobody", work
    )
    if work.learned or any(one.outcome == "merged" for one in work.proposals):
        done.run = work.run
    if work.fault and _may_ask_later(work) and queue is not None:
        kept = _kept(work)
        subject = sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:32]
        done.waiting = queue(subject, kept)
    if done.by == "rules" and capture is not None:
        for role, text in spoken(work.messages):
            done.learned += capture(role, text)
    return done


def again(work: Work) -> dict[str, Any]:
    """Another try of a task: its result, or ModelFailed when the answer is still not whole."""
    done = run(work)
    if work.fault:
        raise work.error or ModelFailed(f"the extraction is not complete yet: {work.fault}")
    return {"run": done.run, "learned": len(done.learned), "proposals": len(done.proposals)}


def spoken(messages: Iterable[Message]) -> list[tuple[str, str]]:
    """What people and the agent said, for the rules."""
    found = [
        (message["role"], said_in(message)[0])
        for message in messages
        if message.get("role") in ("user", "assistant")
        and message.get("origin", message["role"]) in (message["role"], "user")
    ]
    return [(role, text) for role, text in found if text.strip()]


def _timed(work: Work, name: str, stage: Stage) -> None:
    started = time.perf_counter()
    try:
        stage(work)
    except _PLAIN_FAULTS:
        work.measures.count("errors", name)
        raise
    except Exception as error:
        work.measures.count("errors", name)
        raise StageFailed(name, error) from error
    finally:
        took = (time.perf_counter() - started) * 1000
        work.measures.ms[name] = round(work.measures.ms.get(name, 0.0) + took, 3)


def _may_ask_later(work: Work) -> bool:
    """Whether a model may ever be asked: without one, or without a call allowed, nothing needs to wait."""
    settings = work.store.settings()
    allowed = all(float(settings[f"model_calls_per_{span}"]) > 0 for span in ("day", "run"))
    return allowed and work.model("extract") is not None


def _kept(work: Work) -> dict[str, Any]:
    """What a task keeps of the talk: its end, as text and free of secrets."""
    characters = work.options.characters
    return {
        "messages": _plain(work.messages, characters),
        "context": _plain(work.context, round(characters * CONTEXT_SHARE)),
        "scope": work.scope.owner(),
        "options": work.options.plain(),
    }


def _plain(messages: Sequence[Message], characters: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for message in reversed(messages):
        if characters <= 0:
            break
        if message["role"] in ("system", "developer"):
            continue
        said, came = said_in(message)
        origin = str(message.get("origin", message["role"]))
        # What tools brought stands in a message of its own: it is not a word of the one who called them.
        for role, text in (("tool", came), (message["role"], said)):
            end = guard.normalise(text[-2 * characters - 2_000 :]) if characters > 0 else ""
            clean = guard.apply(end, guard.POLICIES["record"]).text[-max(characters, 1) :]
            if clean.strip():
                came_from = "tool" if role == "tool" else origin
                kept: dict[str, Any] = {"role": role, "origin": came_from, "content": clean}
                at = told_instant(message.get("at"))
                if at is not None:
                    kept["at"] = at
                found.append(kept)
                characters -= len(clean)
    return found[::-1]
