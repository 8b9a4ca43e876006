"""Notes on one matter that weeks of sessions left become one, and nothing of them is lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW

from cogmem.models.recorded import Scripted
from cogmem.noted.keep import loss

if TYPE_CHECKING:
    from cogmem import Memory

OLDER = "The probe of /healthz waits 30 s for db/migrate.py to end, so that heron starts clean."
NEWER = "The probe of /healthz never restarts heron while db/migrate.py runs, it waits for its end."
JOINED = (
    "The probe of /healthz waits 30 s for db/migrate.py to end, so that heron starts clean. It never restarts heron"
    " while db/migrate.py runs."
)


def note(memory: Memory, session: str, text: str, at: int, project: str = "") -> None:
    talk = memory.conversations.open(session, project=project)
    talk.append("user", text, at=at)
    told = {"kind": "decision", "text": text, "messages": [0], "names": ["/healthz"]}
    [kept] = memory.notes.read(
        session, project=project or None, model=Scripted(json.dumps({"notes": [told]})), now=at + 1
    ).notes
    assert kept.outcome == "kept", kept.reason


@pytest.fixture
def memory(memory: Memory) -> Memory:
    for span in ("day", "run"):
        memory.store.set_setting(f"model_calls_per_{span}", "20", now=NOW)
    return memory


def held(memory: Memory, state: str = "active") -> list[str]:
    return [row.content for row in memory.list(state=state, limit=0) if row.source == "inferred"]


def test_two_notes_of_weeks_ago_become_one_and_one_undo_brings_them_back(memory: Memory) -> None:
    note(memory, "s1", OLDER, NOW - 30 * DAY)
    note(memory, "s2", NEWER, NOW - 15 * DAY)
    memory.model = model = Scripted(JOINED)
    assert memory.nightly(now=NOW).is_sound
    assert held(memory) == [JOINED]
    assert sorted(held(memory, "archived")) == sorted([OLDER, NEWER])
    assert memory.models.spend(since=NOW)[0].purpose == "join"
    row = next(one for one in memory.notes.changed() if one["what"] == "joined")
    assert {one["what"].partition(" mem_")[0] for one in memory.notes.changed()} == {
        "noted", "joined", "put away: joined in",
    }  # fmt: skip
    memory.nightly(now=NOW + DAY)
    assert len(model.asked) == 1
    memory.undo(row["run"], now=NOW + DAY + 1)
    assert sorted(held(memory)) == sorted([OLDER, NEWER])
    memory.nightly(now=NOW + 2 * DAY)
    assert len(model.asked) == 1, "what a person took back is not asked for again"


@pytest.mark.parametrize("change", ["update", "forget"])
def test_what_becomes_of_one_while_the_model_is_asked_stays(memory: Memory, change: str) -> None:
    note(memory, "s1", OLDER, NOW - 30 * DAY)
    note(memory, "s2", NEWER, NOW - 15 * DAY)
    uid = next(row.uid for row in memory.list() if row.content == OLDER)

    def slow(*_: Any) -> str:
        if change == "update":
            memory.update(uid, content=f"{OLDER} Since May it waits 60 s.", now=NOW)
        else:
            memory.forget(uid, now=NOW)
        return JOINED

    memory.model = Scripted(slow)
    memory.nightly(now=NOW)
    assert JOINED not in held(memory)
    assert NEWER in held(memory)
    assert [text for text in held(memory) if text.endswith("60 s.")] == (
        [f"{OLDER} Since May it waits 60 s."] if change == "update" else []
    )


@pytest.mark.parametrize(
    "answer",
    [
        JOINED.replace("30", "40"),  # a number changed
        JOINED.replace("30 s ", ""),  # a number lost
        JOINED.replace("never restarts", "restarts"),  # a denial lost
        JOINED.replace("db/migrate.py", "the migration"),  # a name lost
        f"{JOINED} Postgres and its replicas are upgraded with pg_upgrade before every release.",  # added
        OLDER,
        "",
        "I cannot do that.",
    ],
)
def test_what_loses_or_adds_something_changes_nothing_and_is_asked_for_once(
    memory: Memory, answer: str
) -> None:
    note(memory, "s1", OLDER, NOW - 30 * DAY)
    note(memory, "s2", NEWER, NOW - 15 * DAY)
    memory.model = model = Scripted(answer)
    memory.nightly(now=NOW)
    memory.nightly(now=NOW + DAY)
    assert sorted(held(memory)) == sorted([OLDER, NEWER])
    assert len(model.asked) == 1
    assert loss(OLDER, NEWER, answer)


def test_two_german_notes_are_joined_in_german(memory: Memory) -> None:
    older = "Die Sonde von /healthz wartet 30 s, bis db/migrate.py fertig ist, damit heron sauber startet."
    newer = (
        "Die Sonde von /healthz wartet auf das Ende von db/migrate.py und startet heron nie neu."
    )
    note(memory, "s1", older, NOW - 30 * DAY)
    note(memory, "s2", newer, NOW - 15 * DAY)
    memory.model = model = Scripted("")
    memory.nightly(now=NOW)
    [asked] = model.asked
    assert asked["prompt"].startswith("Schreibe auf Deutsch")


def test_notes_that_are_at_work_apart_or_private_stay_as_they_are(memory: Memory) -> None:
    note(memory, "s1", OLDER, NOW - 30 * DAY)
    note(memory, "s2", NEWER, NOW - 2 * DAY)
    note(memory, "s3", "The queue of /jobs keeps 500 entries in Redis.", NOW - 20 * DAY)
    note(memory, "s4", OLDER, NOW - 30 * DAY, "vault")
    note(memory, "s5", NEWER, NOW - 15 * DAY, "vault")
    memory.store.set_setting("private_projects", "vault", now=NOW)
    memory.model = model = Scripted(JOINED)
    memory.nightly(now=NOW)
    assert model.asked == []
    assert len(held(memory)) == 3
    memory.store.set_setting("private_projects", "", now=NOW)
    memory.nightly(now=NOW + DAY)
    assert len(model.asked) == 1, "the two of the project that is private no more"
