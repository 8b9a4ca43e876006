"""Commands that look into the memory."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from shell import asked

import cogmem
from cogmem.errors import Locked

if TYPE_CHECKING:
    from shell import Run

NOW = "2027-01-15T08:00:00"


# -- answers -------------------------------------------------------------------------------------


def test_activate_answers_with_the_block_or_with_all_its_parts(run: Run) -> None:
    asked(run, "learn", "Deploys need a green build.", "--kind", "policy")
    turn = asked(
        run, "activate", "How do I deploy?", "--budget", "300", "--session", "s", "--now", NOW
    )
    assert {
        "stable",
        "volatile",
        "text",
        "tokens",
        "budget",
        "items",
        "omitted",
        "turn",
    } <= turn.keys()
    assert turn["budget"] == 300
    assert "- Deploys need a green build.\n" in turn["text"]
    assert run("activate", "-", input="deploy").stdout.count("green build") == 1


def test_z30_a_person_s_own_select_sees_the_views(run: Run) -> None:
    asked(run, "learn", "Lunch is at noon.", "--kind", "preference")
    answer = asked(run, "sql", "select content, strength from semantic_memory")
    assert answer == {
        "columns": ["content", "strength"],
        "rows": [["Lunch is at noon.", 1.0]],
        "is_cut": False,
    }
    assert asked(run, "sql", "-", input="select x'00ff' as b")["rows"] == [["00ff"]]
    result = run("sql", "select 1 as n union select 2", "--rows", "1")
    assert result.stdout == "n\n1\n"
    assert "only the first 1 rows" in result.stderr
    assert "only statements that read" in run("sql", "delete from memory").stderr


@pytest.fixture
def two_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return two folders; commands run in the first."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    monkeypatch.chdir(one)
    return one, two


def test_looking_takes_the_project_of_the_folder_and_storing_takes_none(
    run: Run, two_folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, two = two_folders
    asked(run, "learn", "Everywhere.")
    asked(run, "learn", "Only in one.", "--project", ".")
    seen = {
        where: {row["content"] for row in asked(run, "list", *words)}
        for where, words in {
            "here": [],
            "none": ["--project", "none"],
            "two": ["--project", str(two)],
        }.items()
    }
    assert seen == {
        "here": {"Everywhere.", "Only in one."},
        "none": {"Everywhere."},
        "two": {"Everywhere."},
    }
    monkeypatch.chdir(two)
    assert asked(run, "recall", "only", code=3) == []
    asked(run, "learn", "By its id.", "--project", "my-project")
    assert len(asked(run, "list", "--project", "my-project")) == 2
    assert "is not a folder" in run("list", "--project", "./nowhere").stderr
    assert "is a home or root folder" in run("learn", "x", "--project", str(tmp_path)).stderr


def test_contradictions_doubts_and_intentions_of_the_folder_are_looked_at_and_settled(
    run: Run, two_folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = two_folders
    old = asked(run, "learn", "We deploy on Mondays.", "--project", ".")["uid"]
    new = asked(run, "learn", "We never deploy on Mondays.", "--project", ".")["uid"]
    when = ["--when", "path:cache.py", "--project", "."]
    meant = asked(run, "intend", "clean the cache", *when)["uid"]
    monkeypatch.chdir(two)
    assert asked(run, "fact", "conflicts") == asked(run, "intend", "list") == []
    assert "in sight" in run("fact", "conflicts").stdout
    assert len(asked(run, "fact", "conflicts", "list", "--everywhere")) == 1
    assert asked(run, "fact", "doubts", "--everywhere") == []
    monkeypatch.chdir(one)
    assert [row["uid"] for row in asked(run, "fact", "conflicts")] == [new]
    assert [row["uid"] for row in asked(run, "intend", "list")] == [meant]
    asked(run, "intend", "done", meant)
    monkeypatch.chdir(two)
    asked(run, "fact", "conflicts", "resolve", old, new, "--keep", new, "--everywhere")
    assert asked(run, "fact", "conflicts", "list", "--everywhere") == []


def test_a_person_reaches_every_scope_by_uid(run: Run) -> None:
    uid = asked(run, "learn", "Ann's.", "--user", "ann", "--session", "s")["uid"]
    assert run("get", uid).exit_code == 3
    assert asked(run, "get", uid, "--everywhere")["user"] == "ann"
    asked(run, "update", uid, "--priority", "high", "--everywhere")
    asked(run, "remove", uid, "--everywhere")
    asked(run, "restore", uid, "--everywhere")
    assert asked(run, "list", "--everywhere")[0]["priority"] == 3


# -- the file ------------------------------------------------------------------------------------


def test_a_prompt_that_nothing_fits_is_not_answered_with_an_empty_line(run: Run) -> None:
    result = run("activate", "Which star is nearest?")
    assert (result.stdout, result.exit_code) == ("", 0)
    assert "nothing that is held fits this prompt" in result.stderr


def test_an_answer_does_not_wait_for_its_record(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(run, "learn", "Herons wade.")

    def held(_: object) -> None:
        raise Locked("another process keeps it locked: try again when it is done")

    monkeypatch.setattr(cogmem.Memory, "flush", held)
    result = run("activate", "Where do herons wade?")
    assert "- Herons wade." in result.stdout
    assert "this turn is not recorded: another process keeps it locked" in result.stderr
    assert result.exit_code == 0


# -- help ----------------------------------------------------------------------------------------


def test_what_holds_no_more_is_told_so_and_steps_are_told_apart(run: Run) -> None:
    run("learn", "The staging server is called heron.", "--key", "wrong", "--now", "2026-01-01")
    run("fact", "correct", "wrong", "It is called stork.", "--now", "2026-01-02")
    run("learn", "The build server is called jay.", "--key", "jay", "--now", "2026-01-01")
    run("fact", "retire", "jay", "--now", "2026-02-03")
    run("learn", "procedure", "release", "bump it", "tag it")
    listed = run("list").stdout
    assert "[never true] The staging server is called heron." in listed
    assert "[past, until 2026-02-03] The build server is called jay." in listed
    assert "  It is called stork." in listed
    run("learn", "The lease ends.", "--valid-from", "2099-01-01")
    assert "[from 2099-01-01] The lease ends." in run("list").stdout
    wrong = next(row for row in asked(run, "list") if "heron" in row["content"])["uid"]
    assert re.search(r"^valid_to +never true$", run("get", wrong).stdout, re.MULTILINE)
    assert re.search(r"^steps +bump it → tag it$", run("get", "release").stdout, re.MULTILINE)


def test_a_list_says_how_many_it_left_out_and_cuts_long_texts(run: Run) -> None:
    for number in range(7):
        asked(run, "learn", f"Fact {number}: {'word ' * 300}")
    few = run("list", "--limit", "3")
    assert "3 of 7 are shown" in few.stderr
    assert max(map(len, few.stdout.splitlines())) < 700
    assert "are shown" not in run("list").stderr


# -- as processes --------------------------------------------------------------------------------


def test_what_is_beyond_always_is_said_by_the_list_the_doctor_and_today(run: Run) -> None:
    for name in ("main", "release", "staging"):
        run("capture", f"never push to {name} on Fridays")
    assert "no room" not in run("list", "--always").stdout
    run("setting", "set", "always_lines", "2")
    rows = asked(run, "list", "--always")
    assert [row["stage"] for row in rows] == ["chosen", "chosen", "rank"]
    assert run("list", "--always").stdout.count("no room") == 1
    assert "1 memory that always applies finds no room" in run("doctor").stdout
    run("activate", "Which branch is this?")
    assert asked(run, "today")["always_beyond"] == 1
    assert "1 beyond it" in run("today").stdout
    assert run("list", "--always", "--kind", "policy").exit_code != 0
