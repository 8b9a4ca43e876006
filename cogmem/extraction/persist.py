"""Stage persist: what was decided goes down the one write path, and all of it is one transaction.

Each proposal stands for itself: one that the guard or a cap refuses leaves the others. A model may
rewrite or end only what was offered to it, never what a person said (both stay, tied as a
contradiction), and nothing that waits as a candidate touches what is active. Nothing is destroyed: a
fact that gives way stays with its time, an event is removed and can be restored.
"""

from __future__ import annotations

from cogmem.errors import CapacityReached, Conflict, GuardRefused, InvalidInput
from cogmem.extraction.work import VOCABULARY
from cogmem.language.similarity import tokens
from cogmem.records import Draft
from cogmem.scope import Scope
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.extraction.work import Proposal, Work
    from cogmem.records import Learned, Remembered

REFUSALS = (CapacityReached, Conflict, GuardRefused, InvalidInput)
EVIDENCE = 2  # messages that one memory is tied to
FORMER = 80  # characters of a former preference that its keyword keeps


def persist(work: Work) -> None:
    """Write what is still open, in one transaction that one undo takes back."""
    todo = work.open()
    if not todo:
        return
    db = work.store.db
    work.store.counter.count("")  # it loads its table now, and not while others wait for the file
    with db.together(run=work.run):
        work.open_run()
        for one in todo:
            try:
                with db.together():
                    _keep(work, one)
            except REFUSALS as refusal:
                one.drop("refused", str(refusal))
                work.measures.count("errors", "persist")
        work.close_run()


def _keep(work: Work, one: Proposal) -> None:
    """Do what was decided on one proposal."""
    target = _target(work, one)
    stays = "" if target is None else _stays(work, one, target)
    if one.action == "merge" and target is not None and not stays:
        _merge(work, one, target)
        return
    learned = _learn(work, one)
    if target is None or learned.uid == target.uid:
        return
    if not stays and learned.outcome == "candidate" and target.state == "active":
        stays = _CANDIDATE
    if stays:
        one.action = "create"
        one.reason = f"{target.uid} stays: {stays}"
        if one.conflict and target.state == "active":
            step = {"uid": learned.uid, "relation": "contradicts", "other": target.uid}
            work.write([("learn.link", {**step, "now": work.now})])
        return
    try:
        with work.store.db.together():
            _replace(work, one, learned, target)
    except REFUSALS as refusal:  # the new one is not lost by it
        one.reason = f"{target.uid} stays: {refusal}"


def _target(work: Work, one: Proposal) -> Remembered | None:
    """The memory that it is about, as it stands now, if it was offered and is still as it was."""
    offered = next((memory for memory in one.offered if memory.uid == one.target), None)
    if one.action not in ("merge", "delete") or offered is None:
        one.action = "create"
        return None
    there = work.store.get(offered.uid, Scope(everywhere=True), work.now)
    if (there.content, there.state) != (offered.content, offered.state):
        one.action, one.reason = "create", f"{offered.uid} was changed meanwhile"
        return None
    return there


def _learn(work: Work, one: Proposal) -> Learned:
    """Down the write path. Where a model has compared, it is not compared again."""
    kind = work.store.kind(one.kind, VOCABULARY)[0]
    detail: dict[str, Any] = {}
    if kind.layer == "episodic":
        detail = {"session_name": work.scope.session, "happened_at": work.said_at}
    draft = Draft(
        one.content,
        one.kind,
        work.owner(bool(kind.is_shared)),
        tags=one.keywords,
        source=one.source,
        said_at=work.said_at,
        data={"extracted": work.run},
        detail=detail,
        state="candidate" if one.is_unsorted else None,
    )
    learned = work.learn(draft, "flowcraft" if one.is_judged else "extraction")
    one.outcome, one.uid = learned.outcome, learned.uid
    one.reason = "; ".join(filter(None, (one.reason, *learned.notes)))
    _bear_out(work, one, learned.uid)
    work.learned.append(learned)
    return learned


def _merge(work: Work, one: Proposal, target: Remembered) -> None:
    """Rewrite the target; its uid, kind and source stay, its keywords are joined."""
    tags = [*target.tags, *one.keywords]
    if one.conflict == "preference_change":
        tags.append(f"prev:{one_line(target.content)[:FORMER]}")
    changes = {"content": one.merged, "tags": list(dict.fromkeys(tags))}
    try:
        with work.store.db.together():
            work.revise(target, changes)
    except (GuardRefused, InvalidInput, CapacityReached) as refusal:
        one.action, one.reason = "create", f"{target.uid} stays: {refusal}"
        _learn(work, one)
        return
    work.write([("store.reinforce", {"uid": target.uid, "now": work.now})])
    _bear_out(work, one, target.uid)
    one.outcome, one.uid = "merged", target.uid


def _replace(work: Work, one: Proposal, learned: Learned, target: Remembered) -> None:
    """The new memory takes the place of the old one."""
    if target.layer == "episodic":
        work.store.set_state(
            target,
            "deleted",
            reason=f"replaced by {learned.uid}",
            actor=work.actor,
            now=work.now,
            verb="extract",
        )
    elif one.conflict == "factual_correction":  # it was wrong from the start
        seen = work.store.seen(target.uid)
        never = ("learn.never_held", {"uid": target.uid, "successor": learned.uid})
        work.write([("store.still", {"uid": target.uid, "seen": seen}), never])
    else:
        newer = work.store.get(learned.uid, Scope(everywhere=True), work.now)
        work.supersede(target, newer)
    one.outcome = "superseded"


def _stays(work: Work, one: Proposal, target: Remembered) -> str:
    """Why a memory may not be touched, or ''."""
    if target.source == "user_explicit":
        return "a person said it"
    standing = work.store.kind(one.kind, VOCABULARY)[0].standing(one.source)
    if target.state == "active" and standing != "active":
        return _CANDIDATE
    return ""


_CANDIDATE = "what waits as a candidate changes nothing until it is confirmed"


def _bear_out(work: Work, one: Proposal, uid: str) -> None:
    """Tie a memory to the recorded messages that say most of it."""
    wanted = set(tokens(one.content))
    shared = [(len(wanted & words), number) for number, words in work.evidence]
    best = sorted((row for row in shared if row[0]), reverse=True)[:EVIDENCE]
    step = {"uid": uid, "now": work.now}
    work.write([("jobs.bear_out", {**step, "message": number}) for _, number in best])
