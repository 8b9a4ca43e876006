"""`cogmem today`: what a person sees of a day.

Modules: cogmem.verbs.today.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shell import asked

import cogmem

if TYPE_CHECKING:
    from shell import Run

DAY = "2026-11-20"


def test_a_day_tells_what_was_told_learned_and_changed_and_what_waits(run: Run) -> None:
    run("learn", "The staging server is called heron.", "--key", "s", "--now", f"{DAY}T08:00")
    run("learn", "The staging server is called stork.", "--key", "s", "--now", f"{DAY}T09:00")
    run("learn", "Cranes dance.", "--candidate", "--now", f"{DAY}T09:30")
    run("learn", "Of the day before.", "--now", "2026-11-19")
    run("activate", "What is the staging server called?", "--now", f"{DAY}T10:00")
    run("activate", "thanks", "--now", f"{DAY}T10:01")
    said = run("today", "--now", f"{DAY}T20:00").stdout
    assert "Told: 1 turn, " in said
    assert "silent in 1" in said
    assert "What is the staging server called? (1 shown" in said
    assert "The staging server is called stork." in said
    assert "Waiting: 1 candidate: `cogmem review`" in said
    assert "no night has run yet · no backup yet" in said
    assert "Of the day before." not in said
    day = asked(run, "today", "--now", f"{DAY}T20:00")
    assert (len(day["turns"]), day["silent"]) == (1, 1)
    assert day["waiting"] == {"candidates": 1, "contradictions": 0}
    assert [row["learned"] for row in day["growth"]] == [1, 2]
    later = asked(run, "today", "--now", "2026-11-22T08:00")
    assert [(row["learned"], row["living"]) for row in later["growth"]] == [
        (1, 1),
        (2, 3),
        (0, 3),
        (0, 3),
    ]
    run("learn", "Of the day before.", "--now", "2026-11-22T09:00")
    run("learn", "Of the day before.", "--now", "2026-11-22T09:30")
    assert len(asked(run, "today", "--now", "2026-11-22T10:00")["learned"]) == 1
    assert "Of the day before." in run("today", "--since", "2026-11-19", "--now", DAY).stdout


def test_what_fades_within_a_month_is_told_and_no_other_user_is_seen(run: Run, path: str) -> None:
    run("learn", "A passing thing.", "--now", "2026-01-01", "--user", "ann")
    run("learn", "Bob's walrus.", "--now", "2026-01-01", "--user", "bob")
    with cogmem.open(path, user="ann") as mem:
        ahead = [mem.today(now=f"2026-{month:02}-01").fading for month in range(2, 13)]
        assert ahead[0] == []
        assert ahead[-1] != []
        assert {row["content"] for fades in ahead for row in fades} == {"A passing thing."}
        days = mem.today(now="2026-10-01").fading_by_day()
        assert [place for place, count in enumerate(days) if count] == [12]  # on the 13th
        overdue = mem.today(now="2026-12-01").fading_by_day()
        assert (overdue[0], sum(overdue)) == (1, 1)
    assert "Bob's walrus" not in run("--user", "ann", "today", "--now", "2026-01-01T09:00").stdout
    assert "Bob's walrus" in run("today", "--everywhere", "--now", "2026-01-01T09:00").stdout


def test_what_a_shell_wrote_is_part_of_the_day_and_its_instant_no_change(
    run: Run, path: str
) -> None:
    run("learn", "The staging server is called heron.", "--key", "s", "--now", "2026-11-19")
    with cogmem.open(path) as mem:
        mem.db.ask("update memory set content = 'Of the day before.'")
    run("learn", "Cranes dance.", "--now", "2026-11-19T09:00")
    with cogmem.open(path) as mem:
        mem.db.ask(
            "update memory set content = 'The staging server is called stork.' where key = 's'"
        )
        mem.db.ask("insert into remember (content) values ('Herons wade.')")
    run("recall", "heron", "--now", f"{DAY}T10:00")
    day = asked(run, "today", "--now", f"{DAY}T20:00")
    told = [(act["verb"], act["was"], act["content"]) for act in day["changed"]]
    assert told == [
        ("", None, "Herons wade."),
        ("", "Of the day before.", "The staging server is called stork."),
    ]
    said = run("today", "--now", f"{DAY}T20:00").stdout
    assert "by hand: Of the day before. → The staging server is called stork." in said
    before = asked(run, "log", "--until", "2026-11-19T08:00")
    assert [act["content"] for act in before] == [
        "Of the day before.", "The staging server is called heron.",
    ]  # fmt: skip
