"""Commands for kinds, settings and the names of scopes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from shell import asked

import cogmem
from cogmem.errors import CapacityReached

if TYPE_CHECKING:
    from shell import Run


def test_o01_the_caps_of_a_kind_are_changed_and_the_rest_of_its_policy_stays(
    run: Run, path: str
) -> None:
    def add(text: str) -> None:
        with cogmem.open(path) as mem:
            mem.collections().add("user", text)

    add("Mara drinks tea")
    before = {row["name"]: row for row in asked(run, "setting", "kind", "list")}["profile"]
    done = asked(
        run, "setting", "kind", "set", "profile", "--max-characters", "50", "--half-life", "30"
    )
    after = {row["name"]: row for row in asked(run, "setting", "kind", "list")}["profile"]
    assert before["named_caps"] == "user_note 80 memories, about_user 4000 characters"
    changed = {"max_characters": 50, "half_life_days": 30.0}
    assert after == {**before, **changed, "named_caps": "user_note 80 memories"}
    with pytest.raises(CapacityReached):
        add("x" * 51)
    asked(run, "undo", done["act"])
    assert {row["name"]: row for row in asked(run, "setting", "kind", "list")}["profile"] == before
    # The collection's cap follows, up as well as down; 0 leaves it the one that it had.
    for cap, shown in (("0", "of 4000 characters"), ("5100", "user: 15 of 5100 characters")):
        asked(run, "setting", "kind", "set", "profile", "--max-characters", cap)
        assert shown in run("docs", "collection", "show").output
    add("Mara " + "walks far " * 500)
    asked(run, "setting", "kind", "set", "note", "--max-rows", "0")
    assert {row["name"]: row for row in asked(run, "setting", "kind", "list")}["note"][
        "max_rows"
    ] is None
    refused = run(
        "setting", "kind", "set", "note", "--max-characters", "9"
    )  # nothing would hold it
    assert refused.exit_code == 1
    assert "--when-full refuse" in refused.output
    for words in (["profile"], ["nothing", "--weight", "1"], ["profile", "--weight", "-1"]):
        assert run("setting", "kind", "set", *words).exit_code == 1, words


def test_kinds_settings_and_scopes_are_listed_and_changed(run: Run, tmp_path: Path) -> None:
    asked(
        run,
        "setting",
        "kind",
        "add",
        "Gotcha",
        "--meaning",
        "It surprises.",
        "--weight",
        "1.2",
        "--half-life",
        "30",
    )
    asked(run, "setting", "kind", "alias", "trap", "gotcha")
    asked(run, "learn", "The cache lies.", "--kind", "trap")
    kinds = {kind["name"]: kind for kind in asked(run, "setting", "kind", "list")}
    assert (kinds["gotcha"]["aliases"], kinds["gotcha"]["active"], kinds["gotcha"]["system"]) == (
        ["trap"],
        1,
        "user",
    )
    assert asked(run, "setting", "set", "budget_tokens", "900")["value"] == "900"
    assert asked(run, "setting", "get", "budget_tokens")["value"] == "900"
    assert run("setting", "get", "budget_tokens").stdout == "900\n"
    longest = max(run("setting", "list").output.splitlines(), key=len)
    assert len(longest) < 300, "a long value is cut"
    assert {row["name"] for row in asked(run, "setting", "list")} > {
        "budget_tokens",
        "half_life_days",
    }
    place = tmp_path / "house"
    place.mkdir()
    asked(run, "learn", "Only here.", "--project", str(place), "--user", "ann")
    scopes = {(row["axis"], row["label"]): row for row in asked(run, "setting", "scope", "list")}
    assert scopes["project", "house"]["memories"] == 1
    assert scopes["user", ""]["id"] == "ann"
    for words in (
        ["setting", "kind", "add", "gotcha", "--meaning", "x"],
        ["setting", "set", "nothing", "1"],
        ["setting", "set", "budget_tokens", "much"],
        ["setting", "get", "nothing"],
        ["setting", "kind", "alias", "policy", "gotcha"],
        ["setting", "kind", "alias", "x", "nothing"],
    ):
        assert run(*words).exit_code == 1, words
