"""Commands that look at the history and go back in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shell import asked

import cogmem

if TYPE_CHECKING:
    from shell import Run


# -- answers -------------------------------------------------------------------------------------


def test_history_is_shown_and_taken_back(run: Run) -> None:
    uid = asked(run, "learn", "Lunch is at noon.", "--actor", "ann")["uid"]
    asked(run, "update", uid, "--content", "Lunch is at one.")
    update, learn = asked(run, "log")
    assert (update["verb"], learn["verb"], learn["actor"]) == ("update", "learn", "ann")
    changes = asked(run, "log", "diff", update["act"])
    assert changes[0]["before"]["content"] == "Lunch is at noon."
    shown = run("log", "diff", str(update["id"])).stdout
    assert "content: Lunch is at noon. → Lunch is at one." in shown
    assert asked(run, "undo", update["act"], "--dry-run")["act"] is None
    assert asked(run, "undo", str(update["id"]))["uids"] == [uid]
    assert asked(run, "get", uid)["content"] == "Lunch is at noon."
    assert "(undone)" in run("log").stdout
    assert run("undo", "act_nobody").exit_code == 1


def test_an_undo_says_what_it_took_back(run: Run) -> None:
    run("learn", "The staging server is called heron.", "--key", "staging")
    uid = asked(run, "learn", "The staging server is called stork.", "--key", "staging")["uid"]
    back = run("undo").stdout
    assert (
        "Took back: “The staging server is called stork.” is “The staging server is called heron.” again."
    ) in back
    again = back.split("`")[1].removeprefix("cogmem ").split()
    assert asked(run, *again)["said"] == [
        "“The staging server is called heron.” is “The staging server is called stork.” again"
    ]
    run("remove", uid)
    assert "Would take back: “The staging server is called stork.” is active again." in (
        run("undo", "--dry-run").stdout
    )
    run("undo")
    assert "“Tabs.” is gone again" in (run("learn", "Tabs.") and run("undo")).stdout


def test_the_log_reaches_back_to_an_instant(run: Run) -> None:
    run("learn", "Long ago.", "--now", "2026-01-05")
    run("learn", "Later.", "--now", "2026-01-12")
    assert [act["content"] for act in asked(run, "log", "--since", "2026-01-06")] == ["Later."]
    assert [act["content"] for act in asked(run, "log", "--until", "2026-01-06")] == ["Long ago."]


def test_f35_the_history_of_another_user_is_shown_and_taken_back_only_when_asked_for(
    run: Run,
) -> None:
    theirs = asked(run, "learn", "Bob's walrus.", "--user", "bob")
    mine = asked(run, "learn", "Ann's heron.", "--user", "ann", "--project", "p")
    turn = asked(run, "activate", "walrus", "--user", "bob")["turn"]
    ann = ("--user", "ann", "--project", "p")
    assert [act["uid"] for act in asked(run, "log", *ann)] == [mine["uid"]]
    assert {act["uid"] for act in asked(run, "log", *ann, "--everywhere")} >= {theirs["uid"]}
    assert asked(run, "turn", "list", *ann) == []
    assert asked(run, "turn", "list", *ann, "--everywhere")[0]["turn"] == turn
    for command in (
        ["log", "diff", theirs["act"]],
        ["turn", "replay", turn],
        ["why", theirs["uid"], turn],
    ):
        assert "--everywhere" in run(*command, *ann).stderr
        assert asked(run, *command, *ann, "--everywhere")
    refused = run("undo", theirs["act"], *ann)
    assert (refused.exit_code, "--everywhere" in refused.stderr) == (1, True)
    assert asked(run, "undo", mine["act"], "--user", "ann")["uids"] == [mine["uid"]], "any project"
    assert asked(run, "undo", theirs["act"], "--everywhere")["uids"] == [theirs["uid"]]


# -- the file ------------------------------------------------------------------------------------


def test_a_new_memory_is_logged_by_what_it_says(run: Run) -> None:
    asked(run, "learn", "Herons wade.", "--key", "heron")
    assert run("log").stdout.rstrip().endswith(" Herons wade.")
    assert "()" not in run("log").stdout


# -- help ----------------------------------------------------------------------------------------


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


def test_undo_without_a_name_takes_back_what_a_shell_wrote_and_its_instant_with_it(
    run: Run, path: str
) -> None:
    run("learn", "Herons wade.")
    with cogmem.open(path) as mem:
        mem.db.ask("insert into remember (content) values ('Cranes dance.')")
    run("recall", "herons")
    assert [act["verb"] for act in asked(run, "log")] == ["date", "date", "recall", "", "learn"]
    assert "by hand" in run("log").stdout
    undone = asked(run, "undo")
    assert undone["said"] == ["“Cranes dance.” is gone again"]
    assert [row["content"] for row in asked(run, "list")] == ["Herons wade."]
    asked(run, "undo", undone["act"])
    assert asked(run, "get", undone["uids"][0])["created_at"] > "2020"


def test_what_was_set_is_named_by_the_log_its_diff_and_an_undo(run: Run) -> None:
    run("learn", "Herons wade.")
    run("setting", "set", "silence", "0.5")
    run("setting", "kind", "add", "recipe", "--layer", "semantic", "--meaning", "How to cook")
    run("setting", "kind", "set", "recipe", "--weight", "2")
    log = asked(run, "log", "--limit", "3")
    assert [act["content"] for act in log] == ["recipe", "recipe", "silence = 0.5"]
    assert "silence = 0.5" in run("log").stdout
    assert "setting: silence = 0.5" in run("today").stdout
    assert run("log", "diff", log[2]["act"]).stdout == (
        "update setting silence\n  value: balanced → 0.5\n"
    )
    said = [asked(run, "undo", act["act"])["said"] for act in log]
    assert said == [
        ["the kind recipe is as it was"], ["the kind recipe is gone again"],
        ["the setting silence is “balanced” again"],
    ]  # fmt: skip


def test_undo_without_a_name_never_skips_what_it_cannot_see(run: Run) -> None:
    asked(run, "learn", "First.")
    uid = asked(run, "learn", "Second.")["uid"]
    asked(run, "bulk", "move", uid, "--to-user", "ann")
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
