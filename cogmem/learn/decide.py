"""Decides what an admitted draft becomes: key → exact text → similarity → topic → insert → capacity.

It decides on rows that it has read. The one short write that follows checks that nobody has changed
them; otherwise it decides anew. It asks a model outside any transaction, and only where similarity
leaves the question open.

An untrusted draft (one that may only stand as a candidate) never strengthens, rewrites, confirms or
closes a memory that is active.
"""

from __future__ import annotations

from contextlib import suppress

from cogmem.errors import Conflict, GuardRefused
from cogmem.guard import guard
from cogmem.language.contradiction import difference, polarity
from cogmem.language.judge import states
from cogmem.language.similarity import merge_text
from cogmem.learn.admit import PROFILES, admit, is_of_old_talk, layer_columns, room
from cogmem.learn.alike import ALIKE, alike, compared, found_by_words, projected
from cogmem.learn.corrected import closing, corrected, is_correction, of_the_person
from cogmem.learn.doubt import believed, doubts, leans_on
from cogmem.learn.merge import joined_text, keeps_both, united
from cogmem.models.prompts import prompt
from cogmem.ports import asked
from cogmem.records import Learned, json_list
from cogmem.scope import Scope
from cogmem.text import lines
from cogmem.text.cell import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.language.similarity import Verdict
    from cogmem.learn.admit import Admitted, Profile
    from cogmem.ports import Model
    from cogmem.records import Draft
    from cogmem.store.kinds import Kind
    from cogmem.store.store import Store

_DECISIONS = 4  # that others may overtake, before they have to wait for it
_LAYER_STEP = {
    "semantic": "store.set_fact",
    "episodic": "store.set_episode",
    "procedural": "store.set_procedure",
}
_PLACE = ("layer", "runtime", "user", "project", "session")


def learn(
    store: Store,
    draft: Draft,
    *,
    now: int,
    profile: str | Profile = "tool",
    model: Model | None = None,
) -> Learned:
    """Remember a draft, and say what became of it."""
    if draft.after or is_correction(draft.data):
        from cogmem.learn.meant import meant

        whole = meant(store, draft, now)
        if whole is None:
            return Learned("", "left", "")  # "it's crane now", of nobody knows what
        draft = whole
    if draft.only_corrects and not states(draft.content):
        return Learned("", "left", "")  # it can end nothing
    rules = PROFILES[profile] if isinstance(profile, str) else profile
    at_hand: list[str] = []
    is_heard = draft.said_at is not None and "rule" in draft.data and not is_of_old_talk(draft)
    if is_heard and rules.similarity == "merge":
        draft = of_the_person(store, draft)
        at_hand = _held_again(store, draft, now, rules)
    try:
        admitted = admit(store, draft, rules, now)
    except GuardRefused:
        if draft.only_corrects and not at_hand:
            return Learned("", "left", "")
        raise

    def decided(model: Model | None) -> Learned:
        decision = _Decision(store, admitted, rules, now, model, at_hand)
        return decision.taken(draft.only_corrects)

    for _ in range(_DECISIONS):
        with suppress(Conflict):
            return decided(model)
    with store.db.together():  # others write without a pause: they wait, and not for a model too
        return decided(None)


def _held_again(store: Store, draft: Draft, now: int, rules: Profile) -> list[str]:
    """Make a memory of what a person said before, no memory holds, and this draft ends; its number."""
    from cogmem.learn.said_before import said_before

    found = said_before(store, draft)
    if found is None:
        return []
    earlier, message = found
    learned = learn(store, earlier, now=now, profile=rules)
    if learned.uid:
        step = ("jobs.bear_out", {"uid": learned.uid, "message": message, "now": now})
        store.db.write([step], verb="capture", at=now)
    return [str(number) for (number,) in store.db.read("learn.number_of", {"uid": learned.uid})]


class _Decision:
    """One attempt: reads, decides, writes."""

    def __init__(
        self,
        store: Store,
        admitted: Admitted,
        profile: Profile,
        now: int,
        model: Model | None,
        at_hand: list[str],
    ) -> None:
        self.store = store
        self.db = store.db
        self.kind: Kind = admitted.kind
        self.row = admitted.row
        self.detail = admitted.detail
        self.admitted = admitted
        self.notes = list(admitted.notes)
        self.profile = profile
        self.now = now
        self.model = model
        self.topic = self.detail.get("topic", "")
        self.place = {name: self.row[name] for name in _PLACE}
        self.same = {
            **{name: self.row[name] for name in (*_PLACE, "content_hash", "kind", "path_glob")},
            "topic": self.topic,
            "now": now,
        }
        self.is_trusted = admitted.standing == "active"
        self.compared: dict[str, str] = {}
        self.sharing: list[str] | None = None
        self.at_hand = at_hand  # what it is known to end
        self.beside = ""  # a statement that contradicts this one and stays
        self.takes_back = False  # a person says what became of what a person said
        self.corrects = ""  # what a guess says is over
        self.lessens = False  # it says that one of several is over
        self.confirms = ""  # one that waited, and is what this one says is over

    def taken(self, only_corrects: bool) -> Learned:
        """Take the decision; a guess (only_corrects) counts if it says what became of something that is held."""
        with self.db.reading():  # what is compared is seen at one instant
            self.corrects = self._replaced() if only_corrects else ""
            if only_corrects and not self.corrects and not self.lessens:
                return Learned("", "left", "")
            twin = self._twin() if self.corrects else None
            named = self._named() if self.row["key"] and not twin else None
            twin = None if named else twin or self._twin()
            is_hint = self.profile.key_is_hint or not self.row["key"]
            if twin and not is_hint and twin[3] not in ("", self.row["key"]):
                twin = None  # what has a key of its own is another memory
            verdict = None if named or twin or self.corrects else self._verdict()
        if named and self._is_another_statement(named[1]):
            return self._add(None, replaces=named[0], takes_key=True)
        if named:
            return self._overwrite(*named[:4])
        if twin:
            return self._again(*twin)
        if verdict is not None and verdict.action in ("reinforce", "merge"):
            return self._join(verdict)
        if verdict is not None and verdict.action == "judge" and self.model is not None:
            answer = self._asked(verdict)
            if answer == "same":
                return self._join(verdict._replace(action="reinforce"), judged=True)
            if answer == "merge":
                return self._join(verdict, judged=True)
            return self._add(verdict, replaces=verdict.uid if answer == "replace" else "")
        return self._add(verdict, replaces=self.corrects or self._replaced())

    # -- what is there already -------------------------------------------------------------------

    def _named(self) -> tuple[Any, ...] | None:
        """Return the memory of this key, unless the new text has to stand beside it without the key.

        What is unsure only proposes beside what is sure, and waits; a program does not overwrite what a person said.
        """
        found = self.db.read("store.owned_key", {**self.place, "key": self.row["key"]})
        if not found:
            return None
        uid, content, state, _, source = found[0]
        if not self.is_trusted or state != "active" or self._is_said_by(content):
            return found[0]
        if self.row["state"] != "candidate":
            is_a_persons = self.row["layer"] == "semantic" and source == "user_explicit"
            if not is_a_persons or self.row["source"] in _PEOPLES:
                return found[0]
            self.beside = uid
            self.notes.append(
                f"{uid} keeps the key, since a person said it: `cogmem fact conflicts` lists both"
            )
        self.row = {**self.row, "key": ""}
        return None

    def _is_said_by(self, content: str) -> bool:
        return bool(lines.content_hash(content) == self.row["content_hash"])

    def _is_another_statement(self, content: str) -> bool:
        """Tell whether what capture named after its object says something else now: the older one becomes history."""
        return (
            self.row["layer"] == "semantic"
            and self.row["key"].startswith("auto.")
            and self.is_trusted
            and self.row["state"] == "active"
            and not self._is_said_by(content)
        )

    def _overwrite(self, uid: str, content: str, state: str, seen: int) -> Learned:
        """Overwrite the memory of a key: what it says gives way, its age and its counters stay."""
        if not self.is_trusted and state == "active":
            raise GuardRefused(
                f"{self.row['key']!r} names a memory that source {self.row['source']} may not change: "
                "leave the key out, or let a person store it (source user_explicit)"
            )
        row = {name: self.row[name] for name in _REWRITTEN}
        steps: list[Step] = [
            ("store.still", {"uid": uid, "seen": seen}),
            ("store.rewrite", {**row, "uid": uid, "now": self.now}),
            ("store.reinforce", {"uid": uid, "now": self.now}),
            believed(uid),
        ]
        is_said_again = self._is_said_by(content)
        is_sure = self.row["state"] == "active" or (self.is_trusted and is_said_again)
        if state == "candidate" and is_sure:
            steps.append(self._state(uid, "active"))
        if self.kind.layer == "procedural":  # a better way to do it keeps the record of how it went
            way = {name: self.detail[name] for name in ("context", "steps")}
            steps.append(("store.set_steps", {**way, "uid": uid}))
        else:
            detail = self.detail
            if "recorded_at" in detail:
                if is_said_again:  # it is known since it was first said
                    detail = {**detail, "recorded_at": None}
                elif state == "active":
                    steps += doubts(self.store, uid, self.row["content"], self.now)
            steps.append((_LAYER_STEP[self.kind.layer], {**detail, "uid": uid}))
        steps += room(self.store, self.kind, self.row, uid, self.now, replacing=content)
        if not is_said_again and state == "active":
            self.notes.append(f"replaced what the key held; `cogmem log --uid {uid}` shows it")
        return self._done(uid, "updated", [*steps, *self._projected(uid)], other=uid)

    def _twin(self) -> tuple[Any, ...] | None:
        """Return the memory that says this already; "-v" and "-V" are not the same."""
        said = self.row["content"]
        for *row, content in self.db.read("learn.same_text", self.same):
            if content == said or difference(content, said) is None:
                return tuple(row)
        return None

    def _again(self, uid: str, state: str, seen: int, key: str, topic: str | None) -> Learned:
        """Count the same text once more, and bring back what lay archived or waiting."""
        known = self.profile.twin == "known" and state == "active"
        if known or (not self.is_trusted and state != "candidate"):
            return Learned(uid, "known", "", uid, 1.0, self.notes)
        steps: list[Step] = [
            ("store.still", {"uid": uid, "seen": seen}),
            ("store.reinforce", {"uid": uid, "now": self.now}),
        ]
        if self.is_trusted:
            steps.append(believed(uid))
        # A candidate that was said again is confirmed, unless its source may only propose.
        is_back = state == "archived" or (state == "candidate" and self.is_trusted)
        if is_back:
            steps.append(self._state(uid, "active"))
        may_close = self.profile.similarity == "merge" and self.row["source"] in _PEOPLES
        if may_close and (is_back or self.corrects):
            steps += closing(self.store, self.row, uid, self.now)
        if self.topic and not topic:
            steps.append(("learn.set_topic", {"uid": uid, "topic": self.topic}))
        if self.row["key"] and not key and not self.profile.key_is_hint:
            place = {**self.place, "key": self.row["key"]}
            steps.append(("store.still_free", place))
            steps.append(("learn.set_key", {"uid": uid, "key": self.row["key"], "now": self.now}))
        return self._done(uid, "reinforced", steps, other=uid, similarity=1.0)

    def _replaced(self) -> str:
        """Return the statement that this one takes the place of; one that is only doubtful is listed."""
        if self.profile.similarity != "merge" or self.topic:
            return ""
        corrects = is_correction(self.row["data"])
        found = corrected(self.store, self.row, self._sharing(), corrects=corrects, now=self.now)
        if found is None:
            return ""
        is_said = self.is_trusted and self.row["source"] in _PEOPLES
        self.lessens = found.lessens and is_said
        if (found.replaces or found.lessens) and is_said:
            # Two statements on one thing, and the later one changes it: neither is a guess any more.
            self.row = {**self.row, "state": "active"}
        if found.replaces and is_said:
            self.confirms = found.uid if found.is_candidate else ""
            self.takes_back = '"rule": "' in str(self.row["data"])  # heard in a person's own talk
            self.notes.append(f"it takes the place of {found.uid}: {found.reason}")
            return found.uid
        self.beside = found.uid
        self.notes.append(
            f"{found.uid} says otherwise ({found.reason}): `cogmem fact conflicts` lists both"
        )
        return ""

    def _sharing(self) -> list[str]:
        """Memories that share telling words with it, best first; looked for once."""
        if self.sharing is None:
            found = found_by_words(self.store, self.row["content"], self.row["terms"])
            self.sharing = [*dict.fromkeys([*self.at_hand, *found])] if self.at_hand else found
        return self.sharing

    # -- what resembles it -----------------------------------------------------------------------

    def _verdict(self) -> Verdict | None:
        row = self.row
        if self.profile.similarity == "off" or row["layer"] != "semantic":
            return None
        if row["key"] and not self.profile.key_is_hint:
            return None  # a key of one's own is a place of one's own
        place = {**self.same, "trusted": int(self.is_trusted)}
        place["named"] = int(self.profile.similarity == "reinforce")
        del place["content_hash"]
        found = alike(self.store, self._sharing(), place, ALIKE)
        self.compared = {uid: content for uid, content, *_ in found}
        verdict = compared(row["content"], found)
        if verdict.action in ("reinforce", "merge"):
            stored, said = next((one[2], one[1]) for one in found if one[0] == verdict.uid)
            if min(stored, polarity(said)) != row["polarity"]:
                return verdict._replace(
                    action="judge", reason="alike, but one denies what the other says"
                )
        if verdict.action == "merge" and self.profile.similarity == "reinforce":
            # The systems behind these profiles strengthen a twin and leave the rest alone.
            return verdict._replace(action="add")
        return verdict

    def _asked(self, verdict: Verdict) -> str:
        """Return one word of the model on two texts; anything but an answer means: add."""
        old = self.db.read("store.content_of", {"uid": verdict.uid})[0][0]
        said = self._answer("judge", old, 8).lower()
        words = {*"".join(mark if mark.isalpha() else " " for mark in said).split()}
        known = words & {"same", "merge", "replace", "add"}
        # "Do not merge" or "same or merge" is no answer that a memory should be changed on.
        answer = known.pop() if len(known) == 1 and "not" not in words else "add"
        if answer in ("merge", "same") and polarity(old) != self.row["polarity"]:
            answer = "add"  # "use X" and "never use X" never become one, whoever says so
        self.notes.append(f"judged by {getattr(self.model, 'name', 'the model')}: {answer}")
        return answer

    def _join(self, verdict: Verdict, *, judged: bool = False) -> Learned:
        """Strengthen the memory that says the same; keep the fuller text and both sets of words."""
        seen = self.store.seen(verdict.uid)
        old = self.store.get(verdict.uid, Scope(everywhere=True), self.now)
        if old.content != self.compared.get(old.uid):
            raise Conflict("another process changed the memory that this one was compared with")
        steps: list[Step] = [
            ("store.still", {"uid": old.uid, "seen": seen}),
            ("store.reinforce", {"uid": old.uid, "now": self.now}),
        ]
        if self.is_trusted:
            steps.append(believed(old.uid))
        if old.state == "candidate" and self.is_trusted:
            steps.append(self._state(old.uid, "active"))
        content = old.content
        if verdict.action != "reinforce":
            content = self._merged(old.content, judged)
        said, tags = [self.row["content"]], listed(self.row["tags"])
        steps += united(self.store, old, content, said, tags, self.now)
        if content != old.content:
            bare = {**self.row, "content": content}
            steps += room(self.store, self.kind, bare, old.uid, self.now, replacing=old.content)
        outcome = "merged" if verdict.action != "reinforce" else "reinforced"
        return self._done(old.uid, outcome, steps, other=old.uid, verdict=verdict)

    def _merged(self, old: str, judged: bool) -> str:
        """Return one text for both; what a model writes passes the guard again, or the texts are joined."""
        joined = merge_text(old, self.row["content"])
        longest = max(old, self.row["content"], key=len)
        if judged and self.model is not None and joined != longest:
            written = guard.normalise(self._answer("merge", old, 200))
            result = guard.apply(written, guard.POLICIES["inferred"])
            is_clean = result.verdict in ("allow", "warn") and len(written) <= len(joined) + 40
            if written and is_clean and keeps_both(written, old, self.row["content"]):
                return written
        return joined_text(old, self.row["content"], self.admitted.policy)

    def _answer(self, name: str, old: str, most: int) -> str:
        """Return what the model says of two texts; '' if it says nothing."""
        wording = prompt(name, self.store.settings())
        question = wording.filled(old=old, new=self.row["content"])
        return asked(self.model, question, max_tokens=most) or ""

    # -- something new ---------------------------------------------------------------------------

    def _add(
        self, verdict: Verdict | None, *, replaces: str = "", takes_key: bool = False
    ) -> Learned:
        row = self.row
        uid = lines.memory_uid(row["content"], self.db.number())
        steps: list[Step] = []
        if not row["key"]:
            steps.append(("learn.still_new", {**self.same, "content": row["content"]}))
        detail = self.detail
        closing: list[Step] = []
        closed = ""
        if row["layer"] == "semantic" and (self.topic or replaces):
            detail, still, closing, closed = self._succession(uid, replaces)
            steps.append(still)
        if takes_key:  # the older one keeps it until it is closed
            row = {**row, "key": ""}
        steps.append(("store.insert_memory", {**row, "uid": uid}))
        if detail != layer_columns(self.kind.layer, {}, self.now):  # the trigger makes that one
            steps.append((_LAYER_STEP[self.kind.layer], {**detail, "uid": uid}))
        steps += closing
        if takes_key:
            for one, key in ((replaces, ""), (uid, self.row["key"])):
                steps.append(("learn.set_key", {"uid": one, "key": key, "now": self.now}))
        if self.beside:
            step = {"uid": uid, "relation": "contradicts", "other": self.beside, "now": self.now}
            steps.append(("learn.link", step))
        if row["layer"] == "semantic" and self.profile.similarity == "merge":
            steps += leans_on(self.store, row, uid, self._sharing(), self.now)
        steps += self._projected(uid)
        steps += room(self.store, self.kind, row, uid, self.now)
        outcome = "superseded" if closed else "inserted"
        if row["state"] == "candidate":
            outcome = "candidate"
        return self._done(uid, outcome, steps, other=closed or None, verdict=verdict)

    def _succession(self, uid: str, replaces: str) -> tuple[dict[str, Any], Step, list[Step], str]:
        """Return how the newer fact on a topic closes the older one.

        Its own columns, what must still hold before the insert, the steps after it, and what is over or ''.
        """
        wanted = {name: self.row[name] for name in (*_PLACE[1:], "path_glob")}
        begins = self.detail["valid_from"]
        since = self.now if begins is None else begins
        wanted |= {"topic": self.topic, "since": since, "replaces": replaces}
        held = self.db.read("learn.held_on_topic", wanted)
        detail = dict(self.detail)
        still = {**wanted, "uids": json_list(sorted(row[0] for row in held))}
        steps: list[Step] = []
        doubted: list[Step] = []
        closed = later = ""
        for old, state, trust, source, valid_from, is_closed, seen in held:
            if not self.is_trusted or (self.row["state"] == "candidate" and state == "active"):
                self.notes.append(f"{old} stays: a candidate closes nothing until it is confirmed")
            elif source == "user_explicit" and self.row["trust"] < trust and not self.takes_back:
                link = {"uid": uid, "relation": "contradicts", "other": old, "now": self.now}
                steps.append(("learn.link", link))
                self.notes.append(
                    f"{old} stays, since a person said it: `cogmem fact conflicts` lists both"
                )
            elif valid_from is not None and valid_from > since:
                # Learned now, but of an earlier time: the newcomer is the one that is over.
                if state != "candidate" and (detail["valid_to"] or valid_from) >= valid_from:
                    detail["valid_to"], later = valid_from, old
            else:
                steps.append(("store.still", {"uid": old, "seen": seen}))
                if old == self.confirms:
                    steps.append(self._state(old, "active"))
                steps.append(("learn.close", {"uid": old, "ends": since, "successor": uid}))
                detail["valid_from"] = since  # what it replaces held until then
                doubted += doubts(self.store, old, self.row["content"], self.now)
                closed = closed if is_closed else old
        if later:
            close = {"uid": uid, "ends": detail["valid_to"], "successor": later}
            steps.append(("learn.close", close))
        return detail, ("learn.still_held", still), [*steps, *doubted], closed

    # -- writing ---------------------------------------------------------------------------------

    def _projected(self, uid: str) -> list[Step]:
        if self.row["layer"] != "semantic" or self.profile.similarity == "off":
            return []
        return [projected(uid, self.row["content"])]

    def _state(self, uid: str, state: str) -> Step:
        return "store.set_state", {"uid": uid, "state": state, "reason": "", "now": self.now}

    def _done(
        self,
        uid: str,
        outcome: str,
        steps: list[Step],
        *,
        other: str | None = None,
        similarity: float | None = None,
        verdict: Verdict | None = None,
    ) -> Learned:
        act = self.db.write(steps, verb="learn", at=self.now).act
        if verdict is None or not verdict.uid:
            return Learned(uid, outcome, act, other, similarity, self.notes)
        similarity = round(verdict.similarity, 4)
        other = other or verdict.uid
        return Learned(uid, outcome, act, other, similarity, self.notes, verdict.action)


_PEOPLES = ("user_explicit", "observed")  # sources whose word may close what is held
_REWRITTEN = (
    "key content tags terms priority source trust polarity tokens token_counter content_hash path_glob kind data "
    "expires_at"
).split()
