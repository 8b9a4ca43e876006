"""Which pairs of a prompt in a script without spaces are looked for."""

import pytest

from cogmem.language.cjk import may_be_names
from cogmem.language.cue import read_cue


@pytest.mark.parametrize(
    ("prompt", "pairs"),
    [
        ("与彭雨晴在哪里", ["彭雨", "雨晴"]),
        ("我的手机是什么颜色", ["手机", "颜色"]),
        ("请问他们分别说明了哪些风险", ["风险"]),
        ("田中さんと何を食べましたか", ["田中", "中さ", "食べ"]),
    ],
)
def test_particles_and_the_words_of_asking_part_a_run(prompt: str, pairs: list[str]) -> None:
    assert [term.forms[0] for term in read_cue(prompt).terms] == pairs


def test_a_prompt_of_particles_alone_is_looked_for_as_it_stands() -> None:
    assert [term.forms[0] for term in read_cue("是什么").terms] == ["是什", "什么"]


def test_names_are_looked_for_by_all_their_possible_lengths() -> None:
    found = may_be_names("问彭雨晴，ok?")
    assert {"彭雨", "彭雨晴", "问彭雨晴"} <= set(found)
    assert "ok" not in found
