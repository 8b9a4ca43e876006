"""Commands that store and change memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shell import asked

if TYPE_CHECKING:
    from pathlib import Path

    from shell import Run


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


def test_what_was_removed_is_named_by_its_key_where_only_one_had_it(run: Run) -> None:
    first = asked(run, "learn", "The staging server is called heron.", "--key", "staging")["uid"]
    asked(run, "activate", "Which server is staging?")
    assert asked(run, "why", "staging")["ref"] == first
    assert asked(run, "turn", "why-not", "staging", "Which server is staging?")["shown"]
    assert run("why", "staging").stdout.startswith("staging in turn_")
    asked(run, "remove", "staging")
    assert "--state deleted" in run("get", "nobody").stderr
    assert asked(run, "get", "staging")["state"] == "deleted"
    assert asked(run, "turn", "why-not", "staging", "staging")["stage"] == "state"
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
        "learn",
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
    first = asked(run, "learn", "procedure", "release", "bump", "tag", "--context", "on Mondays")
    asked(run, "learn", "procedure", "release", "--success")
    assert asked(run, "learn", "procedure", "release", "--failure") == {
        "name": "release",
        "successes": 1,
        "failures": 1,
    }
    again = asked(run, "learn", "procedure", "release", "-", input="bump\n\n  tag\npush\n")
    assert again["uid"] == first["uid"]
    assert asked(run, "get", "release")["detail"]["steps"] == ["bump", "tag", "push"]
    assert run("learn", "procedure", "release", "x", "--success").exit_code == 2


# -- the file ------------------------------------------------------------------------------------


def test_what_was_over_when_it_was_learned_is_told(run: Run) -> None:
    assert "it expired already" in run("learn", "Herons wade.", "--expires", "2020-01-01").stderr


def test_a_fact_that_supersedes_another_is_called_new(run: Run) -> None:
    old = asked(run, "learn", "Staging is called heron.", "--topic", "staging")["uid"]
    said = run("learn", "Staging is called stork.", "--topic", "staging").stdout
    assert said.startswith("inserted mem_")
    assert said.endswith(f", which supersedes {old}\n")


# -- help ----------------------------------------------------------------------------------------


def test_a_memory_moves_to_another_user_and_project(run: Run, tmp_path: Path) -> None:
    uid = asked(run, "learn", "Ann likes short answers.")["uid"]
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    moved = asked(run, "bulk", "move", uid, "--to-user", "ann", "--to-project", str(folder))
    assert moved[0]["user"] == "ann"
    assert moved[0]["project"]
    assert asked(run, "list") == []
    assert asked(run, "list", "--user", "ann", "--project", str(folder))[0]["uid"] == uid
    assert "shop" in run("setting", "scope", "list").stdout
    asked(run, "undo", "--everywhere")
    assert asked(run, "list")[0]["uid"] == uid
    assert asked(run, "bulk", "move", uid, code=2)["code"] == "usage"
    assert (
        "belongs there already"
        in asked(run, "bulk", "move", uid, "--to-user", "none", code=1)["error"]
    )
    other = asked(run, "learn", "Ann likes short answers.", "--user", "ann")["uid"]
    refused = asked(run, "bulk", "move", uid, "--to-user", "ann", code=1)
    assert refused["code"] == "conflict"
    assert other in refused["error"]
    assert asked(run, "file", "check") == []


# -- as processes --------------------------------------------------------------------------------


def test_what_was_rejected_is_kept_with_its_reason(run: Run) -> None:
    made = asked(run, "learn", "Redis for the queue", "--rejected", "it lost jobs at a restart")
    (row,) = asked(run, "list", "--kind", "rejected")
    assert row["uid"] == made["uid"]
    assert row["content"] == "Rejected: Redis for the queue. Reason: it lost jobs at a restart."
    assert run("learn", "Redis for the queue", "--rejected", " ").exit_code == 1


def test_several_memories_are_removed_all_or_none(run: Run) -> None:
    uids = [asked(run, "learn", text)["uid"] for text in ("Herons wade.", "Cranes dance.")]
    assert "'nobody'" in run("remove", uids[0], "nobody", uids[1]).stderr
    assert len(asked(run, "list")) == 2
    assert [one["uid"] for one in asked(run, "remove", *uids, uids[0])] == uids
    assert "'nobody'" in run("restore", uids[0], "nobody").stderr
    assert asked(run, "list") == []
