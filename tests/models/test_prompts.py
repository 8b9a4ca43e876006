"""Prompts: each has a version and its places, and one of one's own may stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from asked_models import allow, use_everything
from conftest import NOW
from hypothesis import given
from hypothesis import strategies as st

from cogmem.errors import (
    InvalidInput,
    UnknownName,
)
from cogmem.models import prompts
from cogmem.models.recorded import Scripted

if TYPE_CHECKING:
    import cogmem


@pytest.mark.parametrize("name", prompts.names())
def test_every_prompt_has_a_version_a_purpose_and_its_places(name: str) -> None:
    one = prompts.prompt(name)
    assert (one.name, one.source) == (name, "built-in")
    assert one.version.isdigit()
    assert len(one.purpose) > 20
    assert one == one.strip() != ""
    assert all(f"{{{place}}}" in one for place in one.takes)
    filled = one.filled(**{place: f"<{place}>" for place in one.takes})
    assert all(f"<{place}>" in filled for place in one.takes)


@given(old=st.text(), new=st.text())
def test_what_is_put_into_a_prompt_is_never_read_as_a_place(old: str, new: str) -> None:
    one = prompts.prompt("judge")
    before, _, rest = str(one).partition("{old}")
    between, _, after = rest.partition("{new}")
    assert one.filled(old=old, new=new) == before + old + between + new + after
    assert (
        one.filled(old="{new}{old}", new="{old}")
        == before + "{new}{old}" + between + "{old}" + after
    )


def test_a_prompt_takes_just_what_it_names() -> None:
    for wrong in ({}, {"old": "a"}, {"old": "a", "new": "b", "other": "c"}):
        with pytest.raises(InvalidInput, match=r"takes \{old\}, \{new\}"):
            prompts.prompt("judge").filled(**wrong)
    with pytest.raises(UnknownName, match="judge"):
        prompts.prompt("no such prompt")


OWN = "A: {old}. B: {new}. One word."


def test_one_s_own_prompt_stands_in_the_memory() -> None:
    inside = {"prompt.judge": f"---\nversion: 7\n---\n{OWN}"}
    assert (prompts.prompt("judge", inside), prompts.prompt("judge", inside).version) == (OWN, "7")
    own = prompts.prompt("judge", {"prompt.judge": f"{OWN} Now!"})
    assert (own, own.source, len(own.version)) == (f"{OWN} Now!", "setting", 8)
    assert own.purpose == prompts.built_in("judge").purpose
    assert prompts.prompt("judge", {"prompt.judge": "  "}).source == "built-in"
    assert prompts.fault("judge", inside) == ""


@pytest.mark.parametrize(
    "text", ["B: {new} alone", "---\nversion: 2\n---\n", "x{old}{new}" * 9_000]
)
def test_a_prompt_that_cannot_stand_is_passed_over_and_told(text: str) -> None:
    assert prompts.prompt("judge", {"prompt.judge": text}).source == "built-in"
    assert "prompt judge" in prompts.fault("judge", {"prompt.judge": text})


def test_every_path_uses_one_s_own_prompts(memory: cogmem.Memory) -> None:
    for name in prompts.names():
        places = " ".join(f"{{{place}}}" for place in prompts.built_in(name).takes)
        memory.models.set_prompt(f"prompt.{name}", f"OWN {name} {places}", "own", now=NOW)
    allow(memory, 1000)
    memory.model = model = Scripted("merge")
    use_everything(memory)
    memory.conversation("long").save(
        [{"role": "user", "content": f"The gentle river flows past mill {n}."} for n in range(150)],
        at=NOW,
    )
    window = memory.conversations.window("long", "glm-4.7", summariser=model)
    assert window.optimise() == "optimised"
    told = {
        words[1]
        for request in model.asked
        for text in (request["prompt"], request.get("system", ""))
        if (words := text.split()) and words[0] == "OWN"
    }
    assert told >= {
        "judge",
        "merge",
        "consolidate",
        "notes",
        "rank",
        "summarise-0",
        "make-room",
    }
