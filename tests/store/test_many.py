"""Removing by a piece of text: what it takes, what it refuses, and the one way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    import cogmem

NOW = 1_800_000_000_000
BIRDS = [f"bird{number}" for number in range(51)]


def flock(memory: cogmem.Memory, count: int) -> list[str]:
    """Memories that hold one word and are unlike otherwise."""
    return [
        memory.learn(f"A heron and {bird} {bird}nest", kind="entities", key=bird, now=NOW).uid
        for bird in BIRDS[:count]
    ]


def living(memory: cogmem.Memory, uids: list[str]) -> int:
    return sum(memory.get(uid, now=NOW).state == "active" for uid in uids)


def test_z29_a_dry_run_comes_first_and_lists_what_would_go(memory: cogmem.Memory) -> None:
    uids = flock(memory, 3)
    other = memory.learn("A kestrel", now=NOW).uid
    would = memory.many.remove("HERON", now=NOW)
    assert (would.act, {row.uid for row in would.memories}) == (None, set(uids))
    assert living(memory, [*uids, other]) == 4


def test_z29_a_removal_is_one_act_that_one_undo_takes_back(memory: cogmem.Memory) -> None:
    uids = flock(memory, 5)
    done = memory.many.remove("heron", dry_run=False, reason="birds are out", now=NOW)
    assert living(memory, uids) == 0
    assert memory.recall("heron", now=NOW) == []
    audit = memory.history.log(limit=1)[0]
    assert (audit.act, audit.verb, audit.reason) == (done.act, "remove", "birds are out")
    assert audit.memories == 5
    assert done.act
    memory.undo(done.act, now=NOW)
    assert living(memory, uids) == 5


def test_z29_more_than_ten_want_consent_and_more_than_fifty_are_refused(
    memory: cogmem.Memory,
) -> None:
    uids = flock(memory, 11)
    with pytest.raises(InvalidInput, match=r"11 memories hold 'heron'.* confirm"):
        memory.many.remove("heron", dry_run=False, now=NOW)
    assert living(memory, uids) == 11
    assert memory.many.remove("heron", dry_run=False, confirm=True, now=NOW).act
    assert living(memory, uids) == 0
    more = flock(memory, 51)
    with pytest.raises(InvalidInput, match=r"51 memories .* at most 50"):
        memory.many.remove("heron", dry_run=False, confirm=True, now=NOW)
    assert living(memory, more) == 51


@pytest.mark.parametrize("pattern", ["", "  a ", "ab"])
def test_z29_a_pattern_of_less_than_three_characters_is_refused(
    memory: cogmem.Memory, pattern: str
) -> None:
    with pytest.raises(InvalidInput, match="3 characters at least"):
        memory.many.remove(pattern, dry_run=False, now=NOW)


def test_z29_only_what_the_viewer_sees_is_removed_and_signs_are_taken_as_they_stand(
    memory: cogmem.Memory,
) -> None:
    hers = memory.learn("A heron of ada", user="ada", now=NOW).uid
    percent = memory.learn("100% sure", now=NOW).uid
    plain = memory.learn("100 times", now=NOW).uid
    assert memory.many.remove("heron", dry_run=False, now=NOW).memories == []
    assert [row.uid for row in memory.many.remove("100%", now=NOW).memories] == [percent]
    assert memory.db.ask("select count(*) from memory where state = 'active'") == [(3,)]
    assert {hers, plain} <= {uid for (uid,) in memory.db.ask("select uid from memory")}
