"""What a text must pass before it may become a memory: guard, echo, dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import NOW

from cogmem.errors import GuardRefused
from cogmem.language.contradiction import polarity
from cogmem.language.similarity import embed
from cogmem.learn.alike import resemble
from cogmem.learn.decide import learn
from cogmem.records import Draft
from cogmem.scope import Scope

if TYPE_CHECKING:
    import cogmem

# -- the guard ---------------------------------------------------------------------------------------


def test_z20_an_untrusted_source_changes_nothing_that_is_active(memory: cogmem.Memory) -> None:
    memory.learn("The mirror is at a.example", key="mirror", topic="mirror", now=NOW)
    memory.learn("The office closes at six", now=NOW)
    before = memory.db.ask("select content, reinforcement_count, state from memory order by id")
    with pytest.raises(GuardRefused, match="may not change"):
        memory.learn("The mirror is at b.example", key="mirror", source="web", now=NOW)
    assert memory.learn("The office closes at six", source="web", now=NOW).outcome == "known"
    closing = memory.learn("The mirror is at c.example", topic="mirror", source="web", now=NOW)
    assert closing.outcome == "candidate"
    longer = "The office closes at six because the guard goes home"
    assert memory.learn(longer, source="web", state="active", now=NOW).outcome == "candidate"
    now_there = memory.db.ask("select content, reinforcement_count, state from memory order by id")
    assert now_there[:2] == before
    assert memory.db.ask("select superseded_by from fact order by memory_id")[0] == (None,)


def test_z20_only_a_person_asserts_policies(memory: cogmem.Memory) -> None:
    for source in ("inferred", "tool", "web"):
        with pytest.raises(GuardRefused, match="a person has to say it"):
            memory.learn("All commits must be signed", kind="policy", source=source, now=NOW)
    learned = memory.learn("All commits must be signed", kind="policy", source="observed", now=NOW)
    assert learned.outcome == "candidate"


def test_a_candidate_said_again_by_a_trusted_source_is_confirmed(memory: cogmem.Memory) -> None:
    first = memory.learn("User likes tea", state="candidate", source="observed", now=NOW)
    assert first.outcome == "candidate"
    memory.learn("User likes tea", source="web", now=NOW)
    assert memory.get(first.uid, now=NOW).state == "candidate"
    memory.learn("User likes tea", state="candidate", source="observed", now=NOW)
    assert memory.get(first.uid, now=NOW).state == "active"


# -- what cogmem said itself -------------------------------------------------------------------------


def test_what_cogmem_put_into_a_prompt_is_never_learned_again(memory: cogmem.Memory) -> None:
    memory.learn("The heron nests by the old mill", now=NOW)
    shown = memory.activate("Where does the heron nest?", now=NOW)
    assert "heron" in shown.volatile
    for text in (shown.volatile, shown.volatile.strip(), "- The heron nests by the old mill"):
        with pytest.raises(GuardRefused, match="remembered already"):
            memory.learn(text, now=NOW)
    mixed = memory.learn(f"{shown.volatile}\nThe mill was sold", now=NOW)
    assert memory.get(mixed.uid, now=NOW).content == "The mill was sold"
    assert memory.db.ask("select max(reinforcement_count) from memory") == [(1,)]


def test_a_list_of_one_s_own_is_learned_as_it_is(memory: cogmem.Memory) -> None:
    text = "Shopping:\n- bread\n- tea"
    assert memory.get(memory.learn(text, now=NOW).uid, now=NOW).content == text


def test_g10_tags_are_read_from_the_text_on_every_way_in_and_kept_once(
    memory: cogmem.Memory,
) -> None:
    text = "func build reads /etc/app.conf in package core"
    uid = memory.learn(text, tags=["core", "mine"], now=NOW).uid
    assert memory.get(uid, now=NOW).tags == ["core", "mine", "/etc/app.conf", "build"]
    row = memory.update(uid, content="function clean writes /var/log", now=NOW)
    assert row.tags == ["/var/log", "clean"]
    corrected = memory.facts.correct(uid, "function sweep writes /var/log", now=NOW)
    assert memory.get(corrected.uid, now=NOW).tags == ["/var/log", "sweep"]


# -- dates, polarity, projections --------------------------------------------------------------------


def test_a_relative_date_gets_its_day_beside_the_words(memory: cogmem.Memory) -> None:
    learned = memory.learn("We signed the lease yesterday", now=NOW)
    text = "We signed the lease yesterday [2027-01-14]"
    assert memory.get(learned.uid, now=NOW).content == text
    draft = Draft("We signed the lease yesterday", "fact", Scope(), said_at=NOW - 86_400_000 * 2)
    later = learn(memory.store, draft, now=NOW)
    assert memory.get(later.uid, now=NOW).content == "We signed the lease yesterday [2027-01-12]"


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Never use tabs", -1),
        ("Use tabs", 1),
        ("Do not deploy on Fridays", -1),
        ("No deploys on Fridays", -1),
        ("Avoid global state", -1),
        ("You must not push", -1),
        ("Use pnpm because npm does not work here", 1),
        ("There is no cat here", -1),
        ("", 1),
    ],
)
def test_polarity_is_read_from_the_first_clause(text: str, sign: int) -> None:
    assert polarity(text) == sign


def test_the_polarity_is_stored(memory: cogmem.Memory) -> None:
    uid = memory.learn("Never use tabs", now=NOW).uid
    assert memory.get(uid, now=NOW).polarity == -1
    assert memory.update(uid, content="Use tabs", now=NOW).polarity == 1


def test_projections_follow_the_text_and_are_filled_after_a_rebuild(memory: cogmem.Memory) -> None:
    uid = memory.learn("The heron nests by the mill", now=NOW).uid
    memory.learn("The user likes spicy food", now=NOW)
    stored = memory.db.ask("select vector from projection order by memory_id")
    assert bytes(stored[0][0]) == embed("The heron nests by the mill")
    memory.update(uid, content="The heron left", now=NOW)
    memory.file.rebuild()
    assert memory.db.ask("select count(*) from projection") == [(0,)]
    assert memory.learn("The user enjoys spicy food", now=NOW).outcome == "reinforced"
    assert resemble(memory.store, now=NOW) == 2  # as a night does
    assert memory.db.ask("select count(*) from projection") == [(2,)]
    assert memory.learn("The user enjoys spicy food", now=NOW).outcome == "reinforced"
