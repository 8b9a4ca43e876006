"""recall(): filters, order, neighbours in spelling, other scripts, and never a result without a match.

Modules: memories, recalled.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.errors import DatabaseProblem, InvalidInput, UnknownName
from cogmem.tokens import counting

if TYPE_CHECKING:
    from cogmem.search.recalled import Recalled


def texts(found: list[Recalled]) -> list[str]:
    return [one.content for one in found]


def test_z14_each_recall_strengthens_what_it_returns(memory: cogmem.Memory) -> None:
    uid = memory.learn("The walrus swims.", now=NOW).uid
    other = memory.learn("The kestrel flies.", now=NOW).uid
    for turn in range(3):
        memory.recall("walrus", now=NOW + turn)
    row = memory.get(uid, now=NOW)
    assert (row.reinforcement_count, row.access_count, row.raw("accessed_at")) == (4, 3, NOW + 2)
    assert memory.get(other, now=NOW).access_count == 0
    memory.recall("walrus", strengthen=False, now=NOW + 9)
    assert memory.get(uid, now=NOW).access_count == 3


def test_being_injected_does_not_strengthen(memory: cogmem.Memory) -> None:
    uid = memory.learn("The walrus swims.", now=NOW).uid
    memory.activate("walrus", now=NOW)
    assert memory.get(uid, now=NOW).reinforcement_count == 1


def test_z21_filters_by_kind_layer_scope_and_state(memory: cogmem.Memory) -> None:
    fact = memory.learn("A walrus fact.", now=NOW).uid
    memory.learn("A walrus decision.", kind="decision", now=NOW)
    memory.episode("A walrus was seen.", "success", now=NOW)
    memory.procedure("feed a walrus", ["fish"], now=NOW)
    memory.learn("Ada's walrus.", user="ada", now=NOW)
    memory.archive(fact, now=NOW)
    find = lambda **filters: {one.kind for one in memory.recall("walrus", now=NOW, **filters)}  # noqa: E731
    assert find(layer="episodic") == {"episode"}
    assert find(layer="procedural") == {"procedure"}
    assert find(kind="decision") == {"decision"}
    assert find(state="archived") == {"fact"}
    assert find() == {"fact", "decision", "episode", "procedure"}
    assert "Ada's walrus." in texts(memory.recall("walrus", user="ada", now=NOW))
    assert "Ada's walrus." not in texts(memory.recall("walrus", now=NOW))


def test_z21_a_token_budget_holds_and_layers_are_fused(memory: cogmem.Memory) -> None:
    for number in range(6):
        memory.learn(f"Walrus fact number {number} of the sea.", now=NOW)
        memory.episode(f"Walrus number {number} was counted.", now=NOW)
    found = memory.recall("walrus", limit=0, tokens=40, now=NOW)
    assert 0 < sum(one.tokens for one in found) <= 40
    assert {one.layer for one in found[:2]} == {"semantic", "episodic"}


def test_f33_a_query_without_match_returns_nothing(memory: cogmem.Memory) -> None:
    memory.learn("The walrus swims.", now=NOW)
    assert memory.recall("photosynthesis", now=NOW) == []
    assert memory.recall("?!", now=NOW) == []
    assert memory.recall("the of and", now=NOW) == []


def test_a_blank_query_lists_what_is_newest(memory: cogmem.Memory) -> None:
    memory.learn("Old news.", now=NOW - DAY)
    memory.learn("New news.", now=NOW)
    assert texts(memory.recall("", now=NOW)) == ["New news.", "Old news."]
    assert texts(memory.recall(" ", limit=1, now=NOW)) == ["New news."]


def test_f32_english_stems_and_cjk_pairs_both_find(memory: cogmem.Memory) -> None:
    memory.learn("Deployments are running nightly.", now=NOW)
    memory.learn("東京タワーは赤い塔です。", now=NOW)
    memory.learn("部署需要绿色构建", now=NOW)
    assert texts(memory.recall("deployment run", now=NOW)) == ["Deployments are running nightly."]
    assert texts(memory.recall("東京の塔", now=NOW)) == ["東京タワーは赤い塔です。"]
    assert texts(memory.recall("绿色构建", now=NOW)) == ["部署需要绿色构建"]


def test_f32_a_stronger_memory_wins_among_equally_relevant_ones(memory: cogmem.Memory) -> None:
    memory.learn("The walrus sleeps on the northern shore.", now=NOW - 80 * DAY)
    memory.learn("The walrus sleeps on the southern shore.", now=NOW)
    assert texts(memory.recall("walrus shore", now=NOW))[0].endswith("southern shore.")


@pytest.mark.parametrize("query", ["walrsu", "walru", "walruses"])
def test_z28_neighbours_in_spelling_are_tried_when_nothing_fits(
    memory: cogmem.Memory, query: str
) -> None:
    memory.learn("The walrus swims.", now=NOW)
    assert texts(memory.recall(query, now=NOW)) == ["The walrus swims."]


def test_z28_a_single_cjk_character_finds(memory: cogmem.Memory) -> None:
    memory.learn("東京タワーは赤い塔です。", now=NOW)
    assert texts(memory.recall("塔", now=NOW)) == ["東京タワーは赤い塔です。"]


def test_g11_exact_key_all_tags_and_limit(memory: cogmem.Memory) -> None:
    memory.learn("Walrus one.", key="one", tags=["sea", "ice"], now=NOW)
    memory.learn("Walrus two.", key="two", tags=["sea"], now=NOW)
    assert texts(memory.recall("walrus", key="two", now=NOW)) == ["Walrus two."]
    assert texts(memory.recall("walrus", tags=["sea", "ice"], now=NOW)) == ["Walrus one."]
    assert len(memory.recall("walrus", limit=1, now=NOW)) == 1


def test_g12_a_key_match_ranks_above_a_tag_match_above_a_content_match(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Somebody mentioned walrus in passing.", now=NOW)
    memory.learn("Tagged entry about sea animals.", tags=["walrus"], now=NOW)
    memory.learn("Keyed entry about sea animals.", key="walrus", now=NOW)
    assert [text.split()[0] for text in texts(memory.recall("walrus", now=NOW))] == [
        "Keyed",
        "Tagged",
        "Somebody",
    ]


def test_g12_of_equals_the_newest_comes_first(memory: cogmem.Memory) -> None:
    from planted import plant

    for number in range(3):
        plant(memory, "The walrus swims.", at=NOW, created_at=NOW + number)
    found = memory.recall("walrus", now=NOW + 9)
    assert [one.raw("created_at") for one in found] == [NOW + 2, NOW + 1, NOW]


def test_as_of_answers_from_the_past(memory: cogmem.Memory) -> None:
    memory.learn("The theme is dark.", topic="theme", now=NOW - 10 * DAY)
    memory.learn("The theme is light.", topic="theme", now=NOW)
    assert texts(memory.recall("theme", now=NOW)) == ["The theme is light."]
    assert texts(memory.recall("theme", as_of=NOW - DAY, now=NOW)) == ["The theme is dark."]
    assert memory.recall("theme", as_of=NOW - 20 * DAY, now=NOW) == []


def test_as_of_takes_a_time_in_words_and_shows_what_held_at_any_moment_of_it(
    memory: cogmem.Memory,
) -> None:
    memory.learn("The theme is dark.", topic="theme", now=NOW - 100 * DAY)  # 7 October 2026
    memory.learn("The theme is light.", topic="theme", now=NOW - 60 * DAY)  # 16 November
    for said in ("October 2026", "in october", "2026-10", "letzten Oktober"):
        found = memory.recall("theme", as_of=said, now=NOW)
        assert [(one.content, one.past) for one in found] == [
            ("The theme is dark.", "[past, until 2026-11-16] ")
        ], said
    both = memory.recall("theme", as_of="last autumn", now=NOW)
    assert {one.content for one in both} == {"The theme is dark.", "The theme is light."}
    assert memory.recall("theme", as_of="2024", now=NOW) == []
    for said, why in (("before the move", "names no time"), ("2031", "2031")):
        with pytest.raises(InvalidInput, match=why):
            memory.recall("theme", as_of=said, now=NOW)


def test_since_and_until_bound_when_it_was_learned(memory: cogmem.Memory) -> None:
    memory.learn("Walrus of old.", now=NOW - 7 * DAY)
    memory.learn("Walrus of late.", now=NOW)
    assert texts(memory.recall("walrus", since=NOW - DAY, now=NOW)) == ["Walrus of late."]
    assert texts(memory.recall("walrus", until=NOW - DAY, now=NOW)) == ["Walrus of old."]


def test_messages_are_found_and_told_apart(memory: cogmem.Memory) -> None:
    memory.conversation("c").append("user", "The walrus is called Antje.", speaker="Nils", at=NOW)
    (one,) = memory.recall("walrus called", now=NOW)
    assert (one.origin, one.speaker, one.content) == (
        "message",
        "Nils",
        "The walrus is called Antje.",
    )
    assert memory.recall("walrus called", messages=False, now=NOW) == []


def test_a_long_memory_shows_the_place_that_answers(memory: cogmem.Memory) -> None:
    memory.learn("padding " * 100 + "the walrus lives in Svalbard " + "padding " * 100, now=NOW)
    (one,) = memory.recall("walrus Svalbard", now=NOW)
    assert "walrus lives in Svalbard" in one.snippet
    assert len(one.snippet) < 400


def test_g43_snippets_are_cut_between_characters(memory: cogmem.Memory) -> None:
    memory.conversation("c").append("user", "walrus " + "🙂é日" * 400, at=NOW)
    (one,) = memory.recall("walrus", now=NOW)
    one.snippet.encode("utf-8")
    assert one.snippet.endswith("…")


@pytest.mark.parametrize(
    ("bad", "error"),
    [({"layer": "x"}, InvalidInput), ({"state": "x"}, InvalidInput), ({"kind": "x"}, UnknownName)],
)
def test_an_unknown_filter_is_named(
    memory: cogmem.Memory, bad: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error, match="'x' is not"):
        memory.recall("walrus", **bad)  # type: ignore[arg-type]


@settings(max_examples=examples(80))
@given(query=st.text(max_size=60))
def test_z04_no_query_raises_and_every_result_matches(query: str) -> None:
    with cogmem.open(":memory:", counter=counting.Simple()) as mem:
        mem.learn("The walrus swims in cold water.", now=NOW)
        found = mem.recall(query, now=NOW)
        assert all(one.relevance > 0 for one in found) or not query.strip()


def test_procedures_are_found_by_their_steps_and_context(memory: cogmem.Memory) -> None:
    memory.procedure("release", ["tag it", "upload the wheel"], context="before a holiday", now=NOW)
    assert [one.key for one in memory.recall("upload wheel", now=NOW)] == ["release"]
    assert [one.key for one in memory.recall("holiday", now=NOW)] == ["release"]


def test_a_very_long_memory_is_cited_quickly_where_it_answers(memory: cogmem.Memory) -> None:
    text = "heron " * 20_000 + "The stork of the mill is blue. " + "heron " * 20_000
    memory.learn(text, now=NOW)
    started = time.process_time()
    (found,) = memory.recall("stork of the mill", now=NOW)
    assert "The stork of the mill is blue." in found.snippet
    assert len(found.snippet) < 600
    assert memory.recall("heron", now=NOW)[0].snippet.startswith("heron heron")
    assert time.process_time() - started < 5, "quadratic in its hits it would take a minute"


def test_a_setting_that_was_taken_away_by_hand_is_named(memory: cogmem.Memory) -> None:
    memory.learn("The heron is grey.", now=NOW)
    memory.db.transact(
        lambda connection: connection.execute("delete from setting where name = 'half_life_days'")
    )
    with pytest.raises(DatabaseProblem, match="half_life_days is missing"):
        memory.activate("heron", now=NOW)
    act = memory.history.log(limit=1)[0].act or memory.history.log(limit=1)[0].id
    memory.undo(str(act), now=NOW)
    assert "The heron is grey." in memory.activate("heron", now=NOW).text


# -- chances -----------------------------------------------------------------------------------------


def test_a_recall_leaves_out_what_has_little_chance_to_help(memory: cogmem.Memory) -> None:
    memory.learn("The staging server is called heron.", now=NOW)
    memory.learn("The server of the school restaurant speaks French.", now=NOW)
    query = "what is the staging server called?"
    every = memory.recall(query, now=NOW)
    likely = memory.recall(query, min_chance=0.5, now=NOW)
    assert len(every) == 2
    assert [one.content for one in likely] == ["The staging server is called heron."]
    assert all(0 <= one.chance <= 1 for one in every)
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        memory.recall(query, min_chance=2, now=NOW)


def test_the_answer_stands_before_the_question_itself(memory: cogmem.Memory) -> None:
    talk = memory.conversation("monday")
    talk.append("user", "What is the staging server called?", at=NOW - 2000)
    talk.append("assistant", "The staging server is called heron.", at=NOW - 1000)
    found = memory.recall("What is the staging server called?", now=NOW)
    assert "heron" in found[0].content


def test_what_is_over_or_not_learned_yet_is_not_recalled(memory: cogmem.Memory) -> None:
    memory.learn("The heron pass is 4711.", expires_at=NOW + 1000, now=NOW)
    assert memory.recall("heron pass", now=NOW)
    assert not memory.recall("heron pass", now=NOW + 1000)
    assert not memory.recall("heron pass", now=NOW - 1)


def test_a_search_in_the_words_of_an_older_fact_finds_the_newer_one_first(
    memory: cogmem.Memory,
) -> None:
    memory.learn("We use npm for the frontend.", topic="packages", now=NOW)
    memory.learn("It is pnpm everywhere now.", topic="packages", now=NOW + 1000)
    found = memory.recall("which package manager does the frontend use", now=NOW + 2000)
    assert [(one.content, one.is_past) for one in found] == [
        ("It is pnpm everywhere now.", False),
        ("We use npm for the frontend.", True),
    ]


def test_j5_what_fits_comes_first_whatever_its_layer_and_noise_is_left_out_and_counted(
    memory: cogmem.Memory,
) -> None:
    memory.learn("The staging server is called heron.", now=NOW)
    memory.procedure("deploy", ["build the server", "copy it", "look at it"], now=NOW)
    for number in range(30):
        memory.learn(f"Page {number} is served by the old server in the cellar.", now=NOW)
        memory.episode(f"Restarted server {number}", "fine", now=NOW)
    found = memory.recall("which staging server is heron", now=NOW)
    assert found[0].content == "The staging server is called heron."
    chances = [round(one.chance or 0, 1) for one in found]
    assert chances == sorted(chances, reverse=True)
    assert found.weaker > 0
    assert all(one.chance >= 0.05 for one in found)


def test_s5_a_way_comes_with_its_steps_and_a_deed_with_its_outcome(memory: cogmem.Memory) -> None:
    memory.procedure("deploy heron", ["build it", "copy it"], now=NOW)
    memory.episode("Moved heron to Porto", "it took a night", now=NOW)
    said = " ".join(one.snippet for one in memory.recall("heron", now=NOW))
    assert "build it → copy it" in said
    assert "it took a night" in said


def test_z14_a_search_strengthens_what_fits_and_nothing_weaker(memory: cogmem.Memory) -> None:
    strong = memory.learn("The staging server is called heron.", now=NOW).uid
    memory.learn("Lunch is at noon, and the server of the canteen is Ines.", now=NOW)
    found = memory.recall("which staging server is called heron", min_chance=0.0, now=NOW + 1)
    used = {row.uid for row in memory.list() if row.access_count}
    assert strong in used
    assert used <= {one.uid for one in found if one.chance >= 0.25}
