"""The command line: what it says, in which form, with which exit code; also as real processes."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
from click.testing import CliRunner

import cogmem
from cogmem.cli.app import SECTIONS, app
from cogmem.errors import Locked

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Run = Callable[..., Result]

NOW = "2027-01-15T08:00:00"
COMMAND = [sys.executable, "-m", "cogmem"]


@pytest.fixture
def run(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """run("learn", "text") on the memory of this test, from a folder that is not a project."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("COGMEM_DB", "COGMEM_USER", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def runner(*args: str, **options: Any) -> Result:
        return CliRunner().invoke(app, ["--db", path, *args], prog_name="cogmem", **options)

    return runner


def asked(run: Run, *args: str, code: int = 0, **options: Any) -> Any:
    """The JSON answer of a command."""
    result = run(*args, "--json", **options)
    assert result.exit_code == code, result.output
    assert result.stdout.count("\n") == 1, "one document on one line"
    return json.loads(result.stdout)


def spawn(path: str, *args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--db", path, *args],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


def at_terminal(path: str, *args: str, **environment: str) -> str:
    """What a command shows a person at a terminal."""
    here, there = pty.openpty()
    child = subprocess.Popen(
        [*COMMAND, "--db", path, *args],
        stdout=there,
        stderr=there,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "200", **environment},
    )
    os.close(there)
    data = b""
    while True:
        try:
            piece = os.read(here, 4096)
        except OSError:
            break
        if not piece:
            break
        data += piece
    os.close(here)
    assert child.wait(60) == 0
    return data.decode()


# -- answers -------------------------------------------------------------------------------------


def test_z01_a_memory_is_learned_found_changed_removed_and_restored(run: Run) -> None:
    learned = asked(run, "learn", "Deploys need a green build.", "--kind", "policy", "--tag", "ci")
    assert (learned["outcome"], learned["notes"]) == ("inserted", [])
    uid = learned["uid"]
    assert (
        asked(run, "learn", "deploys need a  GREEN build.", "--kind", "policy")["outcome"]
        == "reinforced"
    )
    row = asked(run, "get", uid)
    assert (row["content"], row["priority"], row["tags"]) == (
        "Deploys need a green build.",
        4,
        ["ci"],
    )
    assert row["detail"]["confidence"] == 0.8
    assert asked(run, "update", uid, "--priority", "high", "--key", "deploys")["priority"] == 3
    assert [one["uid"] for one in asked(run, "recall", "deploy")] == [uid]
    assert asked(run, "remove", "deploys")[0]["uid"] == uid
    assert asked(run, "recall", "deploy", code=3) == []
    assert asked(run, "get", uid)["state"] == "deleted"
    asked(run, "restore", uid)
    assert [row["uid"] for row in asked(run, "list")] == [uid]


def test_what_is_said_again_with_other_details_tells_what_stayed_and_how_to_change_it(
    run: Run,
) -> None:
    words = ["learn", "Deploys need a green build."]
    uid = asked(run, *words, "--tag", "ci")["uid"]
    assert asked(run, *words, "--tag", "ci", "--priority", "normal")["notes"] == []
    details = ["--priority", "critical", "--tag", "ci", "--tag", "z", "--expires", "2027-02-01"]
    again = run(*words, *details, "--valid-to", "2027-01-20")
    assert again.stdout == f"reinforced {uid}\n"
    assert again.stderr == (
        "cogmem: it was held already and keeps its priority, tags, expires_at, valid_to: "
        f"`cogmem update {uid}` and `cogmem edit {uid}` change them\n"
    )
    row = asked(run, "update", uid, *details)
    assert (row["priority"], row["tags"][:2], row["expires_at"]) == (
        4,
        ["ci", "z"],
        "2027-02-01T00:00:00.000Z",
    )
    assert asked(run, *words, *details)["notes"] == []


def test_why_says_which_figures_carried_a_message(run: Run, path: str) -> None:
    with cogmem.open(path) as mem:
        mem.conversation("monday").append("user", "The heron nests by the weir near Lund.")
    asked(run, "activate", "Where does the heron nest?")
    told = asked(run, "why", "msg_1")
    assert told["ranking"]["meaning"] > 0
    said = run("why", "msg_1").stdout
    assert "\nCarried by " in said
    assert f"meaning {told['ranking']['meaning']:+.2g}" in said
    assert "Carried by" in run("why-not", "msg_1", "Where does the heron nest?").stdout


def test_what_was_removed_is_named_by_its_key_where_only_one_had_it(run: Run) -> None:
    first = asked(run, "learn", "The staging server is called heron.", "--key", "staging")["uid"]
    asked(run, "activate", "Which server is staging?")
    assert asked(run, "why", "staging")["ref"] == first
    assert asked(run, "why-not", "staging", "Which server is staging?")["shown"]
    assert run("why", "staging").stdout.startswith("staging in turn_")
    asked(run, "remove", "staging")
    assert "--state deleted" in run("get", "nobody").stderr
    assert asked(run, "get", "staging")["state"] == "deleted"
    assert asked(run, "why-not", "staging", "staging")["stage"] == "state"
    assert asked(run, "restore", "staging")[0]["uid"] == first
    asked(run, "remove", "staging")
    second = asked(run, "learn", "The staging server is called stork.", "--key", "staging")["uid"]
    assert "is active: there is nothing to restore" in run("restore", "staging").stderr
    asked(run, "remove", "staging")
    told = run("restore", "staging")
    assert told.exit_code == 1
    assert "2 memories were called 'staging', name one by its uid" in told.stderr
    assert f"{first} (deleted)" in told.stderr
    assert f"{second} (deleted)" in told.stderr


def test_z22_episodes_and_procedures_are_stored_and_tries_are_counted(run: Run) -> None:
    asked(
        run,
        "episode",
        "The build broke",
        "--outcome",
        "failure",
        "--at",
        "2027-01-01",
        "--session",
        "s1",
    )
    (episode,) = asked(run, "list", "--layer", "episodic")
    assert (episode["detail"]["outcome"], episode["detail"]["session_name"]) == ("failure", "s1")
    assert episode["detail"]["happened_at"] == "2027-01-01T00:00:00.000Z"
    first = asked(run, "procedure", "release", "bump", "tag", "--context", "on Mondays")
    asked(run, "procedure", "release", "--success")
    assert asked(run, "procedure", "release", "--failure") == {
        "name": "release",
        "successes": 1,
        "failures": 1,
    }
    again = asked(run, "procedure", "release", "-", input="bump\n\n  tag\npush\n")
    assert again["uid"] == first["uid"]
    assert asked(run, "get", "release")["detail"]["steps"] == ["bump", "tag", "push"]
    assert run("procedure", "release", "x", "--success").exit_code == 2


def test_z23_stats_count_by_layer_kind_and_state_with_tokens(run: Run) -> None:
    for words in (
        ["learn", "One."],
        ["learn", "Two.", "--kind", "preference"],
        ["episode", "Three."],
    ):
        asked(run, *words)
    stats = asked(run, "stats")
    assert stats["memories"] == 3
    assert stats["by_layer"] == {"episodic": 1, "semantic": 2, "procedural": 0}
    assert stats["by_kind"] == {"episode": 1, "fact": 1, "preference": 1}
    assert stats["tokens"] > 0
    assert "3 active memories" in run("stats").stdout


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


def test_history_is_shown_and_taken_back(run: Run) -> None:
    uid = asked(run, "learn", "Lunch is at noon.", "--actor", "ann")["uid"]
    asked(run, "update", uid, "--content", "Lunch is at one.")
    update, learn = asked(run, "log")
    assert (update["verb"], learn["verb"], learn["actor"]) == ("update", "learn", "ann")
    changes = asked(run, "diff", update["act"])
    assert changes[0]["before"]["content"] == "Lunch is at noon."
    shown = run("diff", str(update["id"])).stdout
    assert "content: Lunch is at noon. → Lunch is at one." in shown
    assert asked(run, "undo", update["act"], "--dry-run")["act"] is None
    assert asked(run, "undo", str(update["id"]))["uids"] == [uid]
    assert asked(run, "get", uid)["content"] == "Lunch is at noon."
    assert "(undone)" in run("log").stdout
    assert run("undo", "act_nobody").exit_code == 1


def test_f35_the_history_of_another_user_is_shown_and_taken_back_only_when_asked_for(
    run: Run,
) -> None:
    theirs = asked(run, "learn", "Bob's walrus.", "--user", "bob")
    mine = asked(run, "learn", "Ann's heron.", "--user", "ann", "--project", "p")
    turn = asked(run, "activate", "walrus", "--user", "bob")["turn"]
    ann = ("--user", "ann", "--project", "p")
    assert [act["uid"] for act in asked(run, "log", *ann)] == [mine["uid"]]
    assert {act["uid"] for act in asked(run, "log", *ann, "--everywhere")} >= {theirs["uid"]}
    assert asked(run, "turns", *ann) == []
    assert asked(run, "turns", *ann, "--everywhere")[0]["turn"] == turn
    for command in (["diff", theirs["act"]], ["replay", turn], ["why", theirs["uid"], turn]):
        assert "--everywhere" in run(*command, *ann).stderr
        assert asked(run, *command, *ann, "--everywhere")
    refused = run("undo", theirs["act"], *ann)
    assert (refused.exit_code, "--everywhere" in refused.stderr) == (1, True)
    assert asked(run, "undo", mine["act"], "--user", "ann")["uids"] == [mine["uid"]], "any project"
    assert asked(run, "undo", theirs["act"], "--everywhere")["uids"] == [theirs["uid"]]


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


def test_o02_the_two_collections_are_filled_shown_and_mended(run: Run) -> None:
    added = asked(run, "facts", "add", "user", "Mara drinks green tea")
    assert added["outcome"] == "inserted"
    assert asked(run, "facts", "add", "env", "-", input="Python 3.12\n")["outcome"] == "inserted"
    user, env = asked(run, "facts", "show")
    assert user == {
        "target": "user",
        "entries": ["Mara drinks green tea"],
        "characters": 21,
        "limit": 4000,
    }
    assert env["entries"] == ["Python 3.12"]
    assert asked(run, "facts", "replace", "user", "green", "Mara drinks rooibos")["uid"]
    assert "- Mara drinks rooibos" in run("facts", "show", "user").stdout
    gone = asked(run, "facts", "remove", "user", "rooibos")["uid"]
    assert asked(run, "facts", "show", "user")[0]["entries"] == []
    asked(run, "restore", gone)
    assert asked(run, "facts", "show", "user")[0]["entries"] == ["Mara drinks rooibos"]
    missing = run("facts", "remove", "user", "coffee")
    assert missing.exit_code == 1
    assert "no entry of user contains this text" in missing.stderr


def test_o02_what_is_added_in_a_project_folder_is_shown_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    monkeypatch.chdir(folder)
    asked(run, "facts", "add", "user", "Mara drinks green tea")
    asked(run, "facts", "add", "env", "Python 3.12", "--project", ".")
    user, env = asked(run, "facts", "show")
    assert user["entries"] == ["Mara drinks green tea"]
    assert env["entries"] == ["Python 3.12"]
    text = asked(run, "facts", "prompt")["text"]
    assert "Mara drinks green tea" in text
    assert "Python 3.12" in text
    asked(run, "facts", "replace", "user", "green", "Mara drinks rooibos")
    monkeypatch.chdir(tmp_path)
    user, env = asked(run, "facts", "show")
    assert user["entries"] == ["Mara drinks rooibos"]
    assert env["entries"] == [], "it belongs to the project"


def test_o24_the_block_of_the_collections_is_printed_and_they_travel_as_files(
    run: Run, tmp_path: Path
) -> None:
    asked(run, "learn", "Herons nest early.")
    assert run("facts", "prompt").stdout.strip() == "nothing is held"
    asked(run, "facts", "add", "user", "Mara drinks green tea every day")
    asked(run, "facts", "add", "user", "Mara drinks green tea every day, with milk", "--no-merge")
    assert len(asked(run, "facts", "show", "user")[0]["entries"]) == 2
    text = asked(run, "facts", "prompt")["text"]
    assert text.startswith("# Stored memory (")
    assert "## User profile\nMara drinks green tea every day\n§\n" in text
    files = asked(run, "facts", "write", str(tmp_path))["files"]
    assert [Path(file).name for file in files] == ["user.md", "env.md"]
    Path(files[1]).write_text("Python 3.12\n§\nsk-a1B2c3D4e5F6g7H8i9J0k1L2m3N4\n§\nmake builds it")
    refused = asked(run, "facts", "read", str(tmp_path))
    assert refused["user"] == []
    assert len(refused["env"]) == 1
    assert asked(run, "facts", "show", "env")[0]["entries"] == ["Python 3.12", "make builds it"]
    without = run("facts", "consolidate", "env")
    assert without.exit_code == 1
    assert "no model" in without.stderr


def test_o01_the_caps_of_a_kind_are_changed_and_the_rest_of_its_policy_stays(run: Run) -> None:
    asked(run, "facts", "add", "user", "Mara drinks tea")
    before = {row["name"]: row for row in asked(run, "kind", "list")}["profile"]
    done = asked(run, "kind", "set", "profile", "--max-characters", "50", "--half-life", "30")
    after = {row["name"]: row for row in asked(run, "kind", "list")}["profile"]
    assert before["named_caps"] == "user_note 80 memories, about_user 4000 characters"
    changed = {"max_characters": 50, "half_life_days": 30.0}
    assert after == {**before, **changed, "named_caps": "user_note 80 memories"}
    assert run("facts", "add", "user", "x" * 51).exit_code == 1
    asked(run, "undo", done["act"])
    assert {row["name"]: row for row in asked(run, "kind", "list")}["profile"] == before
    # The collection's cap follows, up as well as down; 0 leaves it the one that it had.
    for cap, shown in (("0", "of 4000 characters"), ("5100", "user: 15 of 5100 characters")):
        asked(run, "kind", "set", "profile", "--max-characters", cap)
        assert shown in run("facts", "show").output
    assert run("facts", "add", "user", "Mara " + "walks far " * 500).exit_code == 0
    asked(run, "kind", "set", "note", "--max-rows", "0")
    assert {row["name"]: row for row in asked(run, "kind", "list")}["note"]["max_rows"] is None
    refused = run("kind", "set", "note", "--max-characters", "9")  # nothing would hold it
    assert refused.exit_code == 1
    assert "--when-full refuse" in refused.output
    for words in (["profile"], ["nothing", "--weight", "1"], ["profile", "--weight", "-1"]):
        assert run("kind", "set", *words).exit_code == 1, words


def test_kinds_settings_and_scopes_are_listed_and_changed(run: Run, tmp_path: Path) -> None:
    asked(
        run,
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
    asked(run, "kind", "alias", "trap", "gotcha")
    asked(run, "learn", "The cache lies.", "--kind", "trap")
    kinds = {kind["name"]: kind for kind in asked(run, "kind", "list")}
    assert (kinds["gotcha"]["aliases"], kinds["gotcha"]["active"], kinds["gotcha"]["system"]) == (
        ["trap"],
        1,
        "user",
    )
    assert asked(run, "setting", "set", "budget_tokens", "900")["value"] == "900"
    assert asked(run, "setting", "get", "budget_tokens")["value"] == "900"
    assert run("setting", "get", "budget_tokens").stdout == "900\n"
    assert {row["name"] for row in asked(run, "setting", "list")} > {
        "budget_tokens",
        "half_life_days",
    }
    place = tmp_path / "house"
    place.mkdir()
    asked(run, "learn", "Only here.", "--project", str(place), "--user", "ann")
    scopes = {(row["axis"], row["label"]): row for row in asked(run, "scope", "list")}
    assert scopes["project", "house"]["memories"] == 1
    assert scopes["user", ""]["id"] == "ann"
    for words in (
        ["kind", "add", "gotcha", "--meaning", "x"],
        ["setting", "set", "nothing", "1"],
        ["setting", "set", "budget_tokens", "much"],
        ["setting", "get", "nothing"],
        ["kind", "alias", "policy", "gotcha"],
        ["kind", "alias", "x", "nothing"],
    ):
        assert run(*words).exit_code == 1, words


def test_looking_takes_the_project_of_the_folder_and_storing_takes_none(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    monkeypatch.chdir(one)
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


def test_a_person_reaches_every_scope_by_uid(run: Run) -> None:
    uid = asked(run, "learn", "Ann's.", "--user", "ann", "--session", "s")["uid"]
    assert run("get", uid).exit_code == 3
    assert asked(run, "get", uid, "--everywhere")["user"] == "ann"
    asked(run, "update", uid, "--priority", "high", "--everywhere")
    asked(run, "remove", uid, "--everywhere")
    asked(run, "restore", uid, "--everywhere")
    assert asked(run, "list", "--everywhere")[0]["priority"] == 3


def test_options_stand_before_or_behind_the_command(run: Run, path: str) -> None:
    asked(run, "learn", "Ann's.", "--user", "ann")
    result = CliRunner().invoke(app, ["list", "--json", "--user", "ann", "--db", path])
    assert [row["content"] for row in json.loads(result.stdout)] == ["Ann's."]
    assert asked(run, "--user", "bob", "list") == []
    environment = {"COGMEM_DB": path, "COGMEM_USER": "ann"}
    assert "Ann's." in CliRunner().invoke(app, ["list"], env=environment).stdout


def test_text_of_others_cannot_steer_the_terminal_or_its_markup(run: Run) -> None:
    assert run("learn", "Loud \u2067words").exit_code == 1
    asked(
        run, "import", "-", "--as-is", input='{"content": "\\u001b[31mRed \\u202eback [bold]x"}\n'
    )
    shown = run("list").stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "�[31mRed �back [bold]x" in shown


# -- the file ------------------------------------------------------------------------------------


def test_a_memory_is_exported_imported_and_the_same(run: Run, tmp_path: Path) -> None:
    asked(run, "learn", "Ünïcode — 缓存", "--tag", "a")
    asked(run, "learn", "Bob's.", "--user", "bob")
    target = tmp_path / "out.jsonl"
    assert run("export", str(target), "--history").exit_code == 0
    assert target.stat().st_mode & 0o777 == 0o600
    assert asked(run, "export", str(tmp_path / "again.jsonl"), "--history") == {
        "path": str(tmp_path / "again.jsonl"),
        "memories": 2,
        "bytes": target.stat().st_size,
    }
    assert run("export", str(tmp_path / "a.db")).stdout.startswith(f"{tmp_path}/a.db: 2 memories, ")
    assert asked(run, "export", str(tmp_path / "a.csv"), "--user", "ann")["memories"] == 1
    assert "exists: name a new file" in run("export", str(target)).stderr
    other = str(tmp_path / "other.db")
    result = asked(run, "--db", other, "import", str(target))
    assert (result["as_is"], result["added"]["memory"]) == (True, 2)
    assert run("--db", other, "export", "--history").stdout_bytes == target.read_bytes()
    assert run("--db", other, "check").stdout == "sound\n"
    assert "Bob" not in run("export", "--user", "ann").stdout
    moved = asked(run, "--db", str(tmp_path / "moved.db"), "import", str(target), "--user", "eve")
    assert moved["added"]["memory"] == 2


def test_a_bad_import_names_the_line_and_the_fate_of_the_others(run: Run) -> None:
    good = '{"content": "Good."}\n'
    result = run("import", "-", input=good + "{\n" + good)
    assert result.exit_code == 1
    assert (
        "1 of 3 lines cannot be imported, so nothing was stored: line 2: it is not JSON"
        in result.stderr
    )
    result = run("import", "-", "--keep-good", input=good + "{\n")
    assert result.exit_code == 0
    assert "added 1 memory (screened by the guard)\n1 memory waits as a candidate" in result.stdout
    assert "\nline 2: it is not JSON" in result.stdout
    assert asked(run, "import", "-", "--dry-run", input='{"content": "More."}')["is_dry_run"]
    assert len(asked(run, "list")) == 1


def test_an_import_says_what_waits_and_what_was_there(run: Run) -> None:
    lines = '{"content": "Herons wade."}\n{"content": "Storks clap."}\n'
    said = run("import", "-", "--dry-run", input=lines).stdout
    assert "2 memories would wait as candidates: `cogmem review` decides" in said
    run("import", "-", input=lines)
    assert "left out 2 memories: same text already here" in run("import", "-", input=lines).stdout
    owner = asked(run, "--db", ":memory:", "import", "-", "--as-is", input=lines)
    assert (owner["added"], owner["waiting"]) == ({"memory": 2}, 0)


WRONG = {
    "learn one two": "put a text of several words into quotes",
    "learn x --valid-from 2026-05-02 --valid-to 2026-05-01": "valid_to lies before valid_from",
    "procedure deploy --tag x ''": "at least one step",
    "recall x --tokens -1": "is not in the range",
    "recall x --min-chance 2": "is not in the range",
    "activate x --documents nowhere": "nowhere is not a folder",
    "backup nowhere/": "nowhere/ is not a folder: make it first",
    "export nowhere/x.jsonl": "nowhere/x.jsonl: No such file",
    "check-shared nowhere": "nowhere is not a folder: name the repository",
    "setting set silence loud": "cogmem: silence is cautious, balanced or generous",
    "backfill --undo b1": "no backfill or import is called 'b1': nothing was recorded yet",
    "docs write nowhere/AGENTS.md x": "is not one of the documents: name /",
}


@pytest.mark.parametrize("words", WRONG)
def test_what_is_wrong_is_said_in_words_of_the_person(run: Run, words: str) -> None:
    asked(run, "learn", "Herons wade.")
    result = run(*shlex.split(words))
    assert result.exit_code in (1, 2)
    assert WRONG[words] in " ".join(result.stderr.split())
    assert run("list").stdout.count("mem_") == 1


def test_what_was_over_when_it_was_learned_is_told(run: Run) -> None:
    assert "it expired already" in run("learn", "Herons wade.", "--expires", "2020-01-01").stderr


def test_a_prompt_that_nothing_fits_is_not_answered_with_an_empty_line(run: Run) -> None:
    result = run("activate", "Which star is nearest?")
    assert (result.stdout, result.exit_code) == ("", 0)
    assert "nothing that is held fits this prompt" in result.stderr


def test_what_would_be_forgotten_is_told_before_and_after(run: Run) -> None:
    uid = asked(run, "learn", "Herons wade.")["uid"]
    said = run("forget", uid).stdout
    assert said.startswith("would forget 1 memory and 0 messages (")
    assert "nothing brings it back" in said
    assert run("forget", uid, "--yes").stdout.startswith("forgot 1 memory and 0 messages (")


def test_a_fact_that_supersedes_another_is_called_new(run: Run) -> None:
    old = asked(run, "learn", "Staging is called heron.", "--topic", "staging")["uid"]
    said = run("learn", "Staging is called stork.", "--topic", "staging").stdout
    assert said.startswith("inserted mem_")
    assert said.endswith(f", which supersedes {old}\n")


def test_a_new_memory_is_logged_by_what_it_says(run: Run) -> None:
    asked(run, "learn", "Herons wade.", "--key", "heron")
    assert run("log").stdout.rstrip().endswith(" Herons wade.")
    assert "()" not in run("log").stdout


def test_a_repository_without_shared_memories_is_not_called_sound(run: Run, tmp_path: Path) -> None:
    assert "there is no .cogmem" in run("check-shared", str(tmp_path)).stdout


def test_an_answer_does_not_wait_for_its_record(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(run, "learn", "Herons wade.")

    def held(_: object) -> None:
        raise Locked("another process keeps it locked: try again when it is done")

    monkeypatch.setattr(cogmem.Memory, "flush", held)
    result = run("activate", "Where do herons wade?")
    assert "- Herons wade." in result.stdout
    assert "this turn is not recorded: another process keeps it locked" in result.stderr
    assert result.exit_code == 0


def test_a_sheet_goes_out_and_comes_in(run: Run, tmp_path: Path) -> None:
    asked(run, "learn", 'Say "hi", twice')
    target = tmp_path / "out.csv"
    assert run("export", str(target)).exit_code == 0
    assert '"Say ""hi"", twice"' in target.read_text()
    other = str(tmp_path / "other.db")
    assert asked(run, "--db", other, "import", str(target))["added"] == {"memory": 1}
    assert asked(run, "--db", other, "import", "-", "--format", "csv", input="content\nMore\n")[
        "added"
    ]
    assert len(asked(run, "--db", other, "list")) == 2


def test_a_copy_of_what_one_user_sees_is_a_memory_of_its_own(run: Run, tmp_path: Path) -> None:
    asked(run, "learn", "Ann's quetzal.", "--user", "ann")
    asked(run, "learn", "Bob's zanzibar.", "--user", "bob")
    target = tmp_path / "ann.db"
    assert run("export", str(target), "--user", "ann").exit_code == 0
    assert b"zanzibar" not in target.read_bytes()
    assert len(asked(run, "--db", str(target), "list", "--everywhere")) == 1
    assert run("export", "-", "--format", "db").exit_code == 2


def test_backups_are_made_and_come_back(run: Run) -> None:
    asked(run, "learn", "First.")
    made = asked(run, "backup")["path"]
    asked(run, "learn", "Second.")
    done = asked(run, "restore-backup")
    assert done["source"] == made
    assert [row["content"] for row in asked(run, "list")] == ["First."]
    assert len(asked(run, "--db", done["kept_as"], "list")) == 2
    assert asked(run, "doctor")["backups"] == [made]
    assert f"\nbackup: {made}\n" in run("doctor").stdout


def test_check_and_doctor_say_what_is_wrong_and_leave_with_one(run: Run, path: str) -> None:
    asked(run, "learn", "First.")
    assert run("check").stdout == "sound\n"
    assert run("doctor").stdout.endswith("\nsound\n")
    assert asked(run, "check") == []
    asked(run, "rebuild")
    os.chmod(path, 0o644)
    assert "warning: " in run("doctor").stdout
    damage = (
        "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('drop view archived')"
    )
    subprocess.run([sys.executable, "-c", damage, path], check=True)
    (problem,) = asked(run, "check", code=1)
    assert "view archived is missing" in problem
    assert "problem: view archived is missing" in run("doctor").stdout
    asked(run, "rebuild")
    assert asked(run, "check") == []


def test_a_damaged_file_is_diagnosed_and_not_touched(run: Run, path: str) -> None:
    asked(run, "learn", "First.")
    asked(run, "backup")
    with open(path, "r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 8000)
    before = Path(path).read_bytes()
    report = asked(run, "doctor", code=1)
    assert "damaged" in report["problems"][0]
    assert len(report["backups"]) == 1
    assert run("check").exit_code == 1
    assert Path(path).read_bytes() == before
    asked(run, "restore-backup")
    assert asked(run, "check") == []


# -- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["learn", "   "], 1, "there is nothing to remember"),
        (["learn", "x", "--priority", "huge"], 1, "priority 'huge' is not known"),
        (["learn", "x", "--source", "rumour"], 1, "source 'rumour' is not known"),
        (
            ["learn", "x", "--valid-from", "soon"],
            2,
            "'soon' is not an instant; write it like 2026-11-20",
        ),
        (["learn"], 2, "Missing argument 'TEXT'"),
        (["learn", "x", "--colour", "red"], 2, "No such option"),
        (["teach", "x"], 2, "there is no command 'teach'"),
        (["serach", "x"], 2, "did you mean `cogmem recall`?"),
        (["delete", "x"], 2, "use `cogmem remove`"),
        (["get", "nobody"], 3, "no memory is called 'nobody'"),
        (["remove", "nobody"], 1, "no memory is called 'nobody'"),
        (["undo", "999"], 1, "there is no change 999"),
        (["list", "--kind", "nothing"], 1, "kind 'nothing' is not registered"),
        (["list", "--limit", "many"], 2, "not a valid integer"),
        (["recall", '"unbalanced AND ( * ^ NEAR'], 3, "nothing found"),
        (["import", "nowhere.jsonl"], 1, "nowhere.jsonl cannot be read"),
        (["import", "."], 1, "is a folder"),
        (["backup", "no/such/folder/x.db"], 1, "is not a folder"),
        (["restore-backup"], 1, "there is no backup beside"),
    ],
)
def test_faults_are_one_sentence_and_a_meaningful_code(
    run: Run, words: list[str], code: int, said: str
) -> None:
    asked(run, "setting", "set", "budget_tokens", "800")
    result = run(*words)
    assert result.exit_code == code, result.output
    assert said in result.output
    assert "Traceback" not in result.output


def test_an_argument_that_is_not_utf_8_is_no_accident(path: str) -> None:
    latin = b"caf\xe9.go"
    spawn(path, "learn", "The coffee is strong.", "--path", "caf*")
    for words in (
        ["activate", "coffee", "--file", latin],
        ["activate", "coffee", "--session", latin],
        ["list", "--user", latin],
    ):
        done = spawn(path, *words)  # type: ignore[arg-type]
        assert (done.returncode, done.stderr) == (0, "")
        assert "The coffee is strong." in done.stdout
    done = spawn(path, "get", latin)  # type: ignore[arg-type]
    assert done.returncode == 3
    assert "no memory is called 'caf\ufffd.go'" in done.stderr


def test_the_help_of_learn_and_activate_names_every_key(run: Run) -> None:
    for words in (["learn", "Deploys need a green build."], ["activate", "deploy"]):
        told = " ".join(run(words[0], "--help").stdout.split())
        named = re.search(r"JSON: ([\w, ]+)\.", told)[1].split(", ")  # type: ignore[index]
        assert set(named) == set(asked(run, *words))
    (found,) = asked(run, "recall", "deploys")
    told = " ".join(run("recall", "--help").stdout.split())
    assert set(re.search(r"JSON: \[\{([\w, ]+)\}\]", told)[1].split(", ")) == set(found)  # type: ignore[index]


def test_a_file_that_is_not_there_is_not_made_by_looking(run: Run, path: str) -> None:
    for words in (
        ["list"],
        ["recall", "x"],
        ["stats"],
        ["log"],
        ["doctor"],
        ["check"],
        ["export"],
        ["sql", "select 1"],
    ):
        result = run(*words)
        assert result.exit_code == 1
        assert "there is no memory at" in result.stderr
    assert not os.path.exists(path)


def test_foreign_files_and_folders_are_left_alone(run: Run, tmp_path: Path) -> None:
    note = tmp_path / "notes.txt"
    note.write_text("not a database, but long enough to be looked at")
    assert "is not a database" in run("--db", str(note), "learn", "x").stderr
    assert "is a folder" in run("--db", str(tmp_path), "learn", "x").stderr
    assert note.read_text().startswith("not a database")


def test_debug_shows_where_a_fault_comes_from(run: Run) -> None:
    try:
        assert "Traceback" in run("learn", "", "--debug").stderr
    finally:
        from cogmem.cli.call import Call

        Call.debug = False


def test_a_fault_that_should_not_happen_is_still_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("gears")

    monkeypatch.setattr(cogmem.Memory, "learn", broken)
    result = run("learn", "x")
    assert (result.exit_code, result.stderr) == (
        1,
        "cogmem: this should not happen: RuntimeError; --debug shows where\n",
    )


def test_what_was_noticed_on_opening_goes_to_standard_error(run: Run, path: str) -> None:
    asked(run, "learn", "First.")
    with open(path, "r+b") as file:
        file.truncate(300)
    refused = run("learn", "Second.", "--json")
    assert (refused.exit_code, json.loads(refused.stdout)["code"]) == (1, "damaged")
    assert "is damaged" in refused.stderr
    assert os.path.getsize(path) == 300, "nobody replaces a damaged file"
    assert run("doctor", "--set-aside").exit_code == 0
    nothing = run("list").stderr
    assert "there is no memory" in nothing
    assert "was set aside" in nothing
    result = run("learn", "Second.", "--json")
    assert json.loads(result.stdout)["outcome"] == "inserted"
    assert "is gone" not in result.stderr, "a person put it by"
    assert "was set aside" in run("doctor").stdout


# -- help ----------------------------------------------------------------------------------------

COMMANDS = [name for commands in SECTIONS.values() for name in commands]


def test_the_names_that_others_build_on_are_there() -> None:
    assert set(COMMANDS) >= {
        "learn",
        "activate",
        "recall",
        "episode",
        "procedure",
        "log",
        "undo",
        "doctor",
        "rebuild",
        "get",
        "update",
        "remove",
        "restore",
        "list",
        "stats",
        "check",
        "diff",
        "backup",
        "restore-backup",
        "export",
        "import",
        "sql",
        "kind",
        "setting",
        "scope",
        "completion",
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    result = run(command, "-h")
    assert result.exit_code == 0
    first = result.stdout.split("\n\n")[1].strip()
    assert first.endswith((".", ":")), first
    assert "--db" not in result.stdout, "the common options are explained once"


def test_help_lists_commands_by_purpose_and_the_common_options(run: Run) -> None:
    shown = run("--help").stdout
    for word in (
        *SECTIONS,
        *COMMANDS,
        "--db",
        "--user",
        "--project",
        "--actor",
        "--json",
        "--version",
    ):
        assert word in shown
    assert run().exit_code == 2
    assert run("--version").stdout == f"cogmem {cogmem.__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_their_completion(run: Run, shell: str) -> None:
    source = asked(run, "completion", shell)["source"]
    assert "_COGMEM_COMPLETE" in source
    done = CliRunner().invoke(
        app,
        [],
        prog_name="cogmem",
        env={"_COGMEM_COMPLETE": "bash_complete", "COMP_WORDS": "cogmem res", "COMP_CWORD": "1"},
    )
    assert "restore-backup" in done.stdout


def test_a_failed_call_answers_with_json_too(run: Run) -> None:
    asked(run, "learn", "Tabs are four wide.")
    fault = asked(run, "update", "nobody", "--content", "x", code=1)
    assert set(fault) == {"error", "code", "hint"}
    assert fault["code"] == "unknown_memory"
    assert fault["hint"].startswith("`cogmem list` shows uids and keys")
    assert asked(run, "get", "nobody", code=3)["code"] == "unknown_memory"
    assert asked(run, "delete", "x", code=2)["code"] == "usage"


def test_undo_without_a_name_goes_back_change_by_change(run: Run) -> None:
    uid = asked(run, "learn", "The port is 8080.")["uid"]
    asked(run, "update", uid, "--content", "The port is 9090.")
    asked(run, "learn", "Deploys go out on Fridays.")
    for held in ({"The port is 9090."}, {"The port is 8080."}, set()):
        asked(run, "undo")
        assert {row["content"] for row in asked(run, "list")} == held
    assert "nothing to take back" in asked(run, "undo", code=1)["error"]


def test_undo_without_a_name_passes_over_what_a_search_counted(run: Run) -> None:
    run("learn", "The staging server is called heron.", "--key", "staging")
    run("learn", "The staging server is called stork.", "--key", "staging")
    run("recall", "staging")
    run("undo")
    assert "heron" in run("get", "staging").output


def test_undo_without_a_name_never_skips_what_it_cannot_see(run: Run) -> None:
    asked(run, "learn", "First.")
    uid = asked(run, "learn", "Second.")["uid"]
    asked(run, "move", uid, "--to-user", "ann")
    assert "out of your sight" in asked(run, "undo", code=1)["error"]
    asked(run, "undo", "--everywhere")
    assert {row["content"] for row in asked(run, "list")} == {"First.", "Second."}


def test_the_log_tells_what_each_change_said_at_its_time(run: Run) -> None:
    uid = asked(run, "learn", "The port is 8080.")["uid"]
    asked(run, "update", uid, "--content", "The port is 9090.")
    asked(run, "update", uid, "--priority", "high")
    asked(run, "update", uid, "--content", "The port is 7070.")
    told = [(act["was"], act["content"], act["changed"]) for act in asked(run, "log")]
    assert [row[:2] for row in told] == [
        ("The port is 9090.", "The port is 7070."),
        (None, "The port is 9090."),
        ("The port is 8080.", "The port is 9090."),
        (None, "The port is 8080."),
    ]
    assert told[1][2] == "priority"
    assert "The port is 8080. → The port is 9090." in run("log").stdout


def test_a_memory_moves_to_another_user_and_project(run: Run, tmp_path: Path) -> None:
    uid = asked(run, "learn", "Ann likes short answers.")["uid"]
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    moved = asked(run, "move", uid, "--to-user", "ann", "--to-project", str(folder))
    assert moved[0]["user"] == "ann"
    assert moved[0]["project"]
    assert asked(run, "list") == []
    assert asked(run, "list", "--user", "ann", "--project", str(folder))[0]["uid"] == uid
    assert "shop" in run("scope", "list").stdout
    asked(run, "undo", "--everywhere")
    assert asked(run, "list")[0]["uid"] == uid
    assert asked(run, "move", uid, code=2)["code"] == "usage"
    assert "belongs there already" in asked(run, "move", uid, "--to-user", "none", code=1)["error"]
    other = asked(run, "learn", "Ann likes short answers.", "--user", "ann")["uid"]
    refused = asked(run, "move", uid, "--to-user", "ann", code=1)
    assert refused["code"] == "conflict"
    assert other in refused["error"]
    assert asked(run, "check") == []


def test_a_list_says_how_many_it_left_out_and_cuts_long_texts(run: Run) -> None:
    for number in range(7):
        asked(run, "learn", f"Fact {number}: {'word ' * 300}")
    few = run("list", "--limit", "3")
    assert "3 of 7 are shown" in few.stderr
    assert max(map(len, few.stdout.splitlines())) < 700
    assert "are shown" not in run("list").stderr


def test_help_explains_a_subject_or_a_command(run: Run) -> None:
    assert "backup" in run("help", "file").stdout
    assert "Make a verified copy" in run("help", "all").stdout
    assert run("help", "rules", "add").stdout == run("rules", "add", "--help").stdout
    assert "there is no subject" in run("help", "cooking").stderr


def test_an_export_refuses_an_ending_that_it_does_not_write(run: Run, tmp_path: Path) -> None:
    asked(run, "learn", "First.")
    assert ".md is not a form" in run("export", str(tmp_path / "a.md")).stderr
    assert not (tmp_path / "a.md").exists()


def test_the_doctor_tells_of_nights_and_of_room_on_the_disk(run: Run) -> None:
    asked(run, "learn", "First.")
    report = asked(run, "doctor")
    assert report["last_night_at"] is None
    assert report["disk_free"] > 0
    assert any("no night is scheduled" in warning for warning in report["warnings"])
    asked(run, "nightly")
    report = asked(run, "doctor")
    assert report["last_night_at"]
    assert not report["warnings"]


# -- as processes --------------------------------------------------------------------------------


def test_standard_input_is_read_as_bytes_of_utf_8(path: str) -> None:
    command = [*COMMAND, "--db", path, "learn", "-", "--json"]
    done = subprocess.run(
        command, input="Größe: ½ 缓存\n".encode(), capture_output=True, check=True
    )
    uid = json.loads(done.stdout)["uid"]
    with cogmem.open(path) as mem:
        assert mem.get(uid).content == "Größe: ½ 缓存"
    done = subprocess.run(command, input=b"caf\xe9", capture_output=True, check=False)
    assert (done.returncode, json.loads(done.stdout)["code"]) == (1, "invalid_input")
    assert b"standard input is not UTF-8" in done.stderr


def test_a_closed_pipe_is_quiet(path: str) -> None:
    with cogmem.open(path) as mem:
        mem.file.import_(
            [json.dumps({"content": f"Fact {n}. " + "x" * 500}) for n in range(400)], as_is=True
        )
    for words in (["export"], ["list", "--limit", "0"]):
        with subprocess.Popen(
            [*COMMAND, "--db", path, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            child.stdout.read(10)
            child.stdout.close()
            assert child.stderr.read() == b""
            assert child.wait(60) == 0


def test_an_interrupt_leaves_with_130_and_the_file_sound(path: str, tmp_path: Path) -> None:
    big = tmp_path / "big.jsonl"
    big.write_text(
        "".join(json.dumps({"content": f"Fact number {n}."}) + "\n" for n in range(40_000))
    )
    child = subprocess.Popen(
        [*COMMAND, "--db", path, "import", str(big), "--as-is"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not (os.path.exists(path + "-wal") and os.path.getsize(path + "-wal") > 100_000):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert said.decode().strip() == "cogmem: interrupted"
    # Python may end itself by the signal after all; to a shell both are 130.
    assert child.returncode in (130, -signal.SIGINT)
    with cogmem.open(path) as mem:
        assert mem.stats().memories == 0
        assert mem.file.check() == []


def test_o05_processes_that_write_at_once_lose_nothing(path: str) -> None:
    with cogmem.open(path):
        pass
    facts = [
        "Lunch is at noon.",
        "The server room is cold.",
        "Ann plays the cello.",
        "Invoices leave on Mondays.",
        "Our logo has a heron.",
        "Tabs are for Go.",
    ]
    children = [
        subprocess.Popen(
            [*COMMAND, "--db", path, "learn", fact, "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for fact in facts
    ]
    for child in children:
        out, said = child.communicate(timeout=120)
        assert (child.returncode, said) == (0, b"")
        assert json.loads(out)["outcome"] == "inserted"
    with cogmem.open(path) as mem:
        assert mem.stats().memories == 6
        assert mem.file.check() == []


def test_a_person_at_a_terminal_gets_a_table_and_others_plain_text(path: str) -> None:
    with cogmem.open(path) as mem:
        mem.learn("The [bold] truth.")

    rich = at_terminal(path, "list")
    assert "\x1b[1m" in rich
    assert "The [bold] truth." in rich
    for plain in (at_terminal(path, "list", NO_COLOR="1"), spawn(path, "list").stdout):
        assert "\x1b" not in plain
        assert "The [bold] truth." in plain


def test_a_narrow_terminal_gives_half_of_itself_to_what_is_told(path: str) -> None:
    with cogmem.open(path) as mem:
        mem.learn("Deploys need a green build, whoever asks for one.", key="auto.pref.green-build")
        mem.learn("Maybe the build is slow.", kind="preference", state="candidate")
    assert "  Deploys need a green build, whoever" in at_terminal(path, "list", COLUMNS="80")
    assert "whoever asks for one." in at_terminal(path, "list", COLUMNS="200")
    assert "strength" in at_terminal(path, "list", COLUMNS="200")
    assert "strength" not in at_terminal(path, "list", COLUMNS="80")
    kinds = at_terminal(path, "kind", "list", COLUMNS="80")
    assert re.search(r"^entity +semantic +\d.* A project, team or system", kinds, re.MULTILINE)


def test_an_answer_that_is_too_wide_is_a_line_for_each_value(path: str) -> None:
    with cogmem.open(path) as mem:
        mem.learn("Deploys need a green build.", key="deploys")
    answer = "select uid, content, kind, key, layer, state from memory"
    wide, narrow = (at_terminal(path, "sql", answer, COLUMNS=width) for width in ("200", "60"))
    assert "Deploys need a green build.  fact  deploys" in wide
    assert "content: \x1b[0mDeploys need a green build.\r\n" in narrow
    assert "…" not in narrow


def test_a_command_loads_only_what_it_uses(path: str) -> None:
    with cogmem.open(path) as mem:
        mem.learn("Lunch is at noon.")
    program = (
        "import sys\n"
        "from cogmem.cli.app import app\n"
        "try:\n    app.main(args=sys.argv[1:])\n"
        "except SystemExit:\n    pass\n"
        "print(*sorted({'rich', 'sqlite_utils', 'tiktoken', 'numpy', 'pydantic', 'sqlite3'} & set(sys.modules)))\n"
    )
    for words in (
        ["--help"],
        ["--db", path, "list"],
        ["--db", path, "stats"],
        ["--db", path, "log"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == "", words


def test_g14_the_hot_set_is_grouped_and_leaves_no_turn(run: Run) -> None:
    asked(run, "learn", "Herons nest early.", "--key", "herons")
    text = asked(run, "activate", "When do herons nest?", "--hot-set")["text"]
    assert "## Relevant to this turn\n- **herons**: Herons nest early.\n" in text
    assert "### User Preferences" in asked(run, "activate", "--hot-set")["text"]
    assert "--hot-set" in run("activate").output
    assert asked(run, "turns") == []


def test_what_was_rejected_is_kept_with_its_reason(run: Run) -> None:
    made = asked(run, "learn", "Redis for the queue", "--rejected", "it lost jobs at a restart")
    (row,) = asked(run, "list", "--kind", "rejected")
    assert row["uid"] == made["uid"]
    assert row["content"] == "Rejected: Redis for the queue. Reason: it lost jobs at a restart."
    assert run("learn", "Redis for the queue", "--rejected", " ").exit_code == 1


def test_the_choices_of_an_import_are_what_is_read() -> None:
    from cogmem.cli import chat, docs
    from cogmem.documents.foreign import READERS
    from cogmem.hosts import talk_files, transcripts
    from cogmem.hosts.host import Host, find

    def keeps_talk(name: str) -> bool:
        own = type(find(name))
        return own.messages is not Host.messages or own.stored is not Host.stored

    agents = filter(keeps_talk, talk_files.AGENTS)
    assert set(chat.FORMATS) == {*transcripts.FORMATS, *agents}
    assert tuple(READERS) == docs.SOURCES


def test_no_list_of_commands_breaks_a_sentence_off(run: Run) -> None:
    names = [name for section in SECTIONS.values() for name in section]
    context = click.Context(app)
    families = [name for name in names if isinstance(app.get_command(context, name), click.Group)]
    assert "kind" in families
    lists = [run("help", "all").output, *(run(name, "--help").output for name in families)]
    told = [line for text in lists for line in text.splitlines() if not line.startswith("Usage")]
    assert [line for line in told if line.endswith("...")] == []
