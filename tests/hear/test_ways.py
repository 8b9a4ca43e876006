"""A message that adds to a procedure changes its steps, and nothing else does."""

from __future__ import annotations

import pytest
from conftest import DAY, NOW

import cogmem

STEPS = ["bump the version", "npm test", "deploy to production", "tell the team"]


@pytest.fixture
def release(memory: cogmem.Memory) -> cogmem.Memory:
    memory.procedure("release", STEPS, description="Release the app", now=NOW)
    memory.procedure("backup", ["stop the writers", "pg_dump"], now=NOW)
    memory.tried("release", success=True, now=NOW)
    return memory


def steps(memory: cogmem.Memory, name: str = "release") -> list[str]:
    found: list[str] = memory.get(name).detail["steps"]
    return found


@pytest.mark.parametrize(
    ("said", "step", "place"),
    [
        ('Add "write the changelog" to the release steps.', "write the changelog", 4),
        ("add purging the cache to the release steps, right after the deploy", "purging the cache", 3),
        ("please put the smoke test into our release checklist before the deploy", "the smoke test", 2),
        ("Betas hear of it first. Add that to the release steps.", "Betas hear of it first", 4),
        ("Füge den Rauchtest zu den Release-Schritten hinzu", "den Rauchtest", 4),
        ("Ajoute la relecture aux étapes de la release", "la relecture", 4),
        ("Añade el aviso a los pasos de la release", "el aviso", 4),
    ],
)  # fmt: skip
def test_what_is_added_becomes_a_step(
    release: cogmem.Memory, said: str, step: str, place: int
) -> None:
    heard = release.capture(said, now=NOW + DAY)
    assert steps(release) == [*STEPS[:place], step, *STEPS[place:]]
    assert "worked 1 of 1" in release.get("release").line
    changed = next(one for one in heard.learned if one.uid == release.get("release").uid)
    release.undo(changed.act, now=NOW + 2 * DAY)
    assert steps(release) == STEPS
    release.conversation("talk").append("user", said, at=NOW + DAY)
    release.capture_conversation("talk", now=NOW + DAY)
    assert steps(release) == [*STEPS[:place], step, *STEPS[place:]]


@pytest.mark.parametrize(
    "said",
    [
        "Did you add the smoke test to the release steps?",
        "Add a button to the release page",
        "add the third step to the wizard",
        "Add a smoke test to the deploy steps",  # no such procedure is held
        "The release steps are long.",
    ],
)
def test_other_talk_changes_no_steps(release: cogmem.Memory, said: str) -> None:
    release.capture(said, now=NOW + DAY)
    assert steps(release) == STEPS
    assert steps(release, "backup") == ["stop the writers", "pg_dump"]


def test_a_step_that_is_there_is_not_added_again(release: cogmem.Memory) -> None:
    release.capture("add npm test to the release steps", now=NOW + DAY)
    assert steps(release) == STEPS


@pytest.mark.parametrize("reply", ["", "I see.", "Noted, thanks."])
def test_what_that_means_is_what_was_said_before_it_in_talk(
    release: cogmem.Memory, reply: str
) -> None:
    """Turn by turn, as a host hears it: an assent between the two says nothing."""
    talk = release.conversation("talk")
    talk.append("user", "The notes were missing again. Write the changelog first.", at=NOW + DAY)
    release.capture_conversation("talk", now=NOW + DAY)
    if reply:
        talk.append("assistant", reply, at=NOW + DAY + 1)
    talk.append("user", "Please add that to the release steps", at=NOW + DAY + 2)
    release.capture_conversation("talk", now=NOW + DAY + 2)
    assert steps(release) == [*STEPS, "Write the changelog first"]
    turn = release.activate("How do we release?", now=NOW + 2 * DAY)
    assert "tell the team → Write the changelog first (worked 1 of 1" in turn.text
