"""The night: what its jobs change, what they leave alone, and that all of it can be seen and undone.

Modules: verbs.steps.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from conftest import EVERYTHING, examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from planted import DAY, everything, plant, state, tie

import cogmem
from cogmem.errors import Conflict, UnknownName
from cogmem.file import making
from cogmem.hear import rules
from cogmem.learn.alike import resemble
from cogmem.night import jobs
from cogmem.tokens import counting

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_800_000_000_000
LONG_AGO = NOW - 300 * DAY  # a fact of weight 0.9 is below 0.1 after 286 days


def by_job(night: jobs.Night) -> dict[str, jobs.JobReport]:
    return {report.job: report for report in night.jobs}


def crowd(memory: cogmem.Memory, count: int = 150) -> list[str]:
    """Fresh memories, so that a few faded ones are a small share."""
    return [
        plant(memory, f"fresh fact number {n}", at=NOW - DAY, reinforcement_count=9)
        for n in range(count)
    ]


# -- the plan --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "-- A job.\n-- reads: a\n-- writes: b\n-- period: day\n-- params: :run\n\nselect 1;",
            "declares",
        ),
        (
            "-- A job.\n-- reads: a\n-- writes: b\n-- period: year\n-- params:\n\nselect 1;",
            "period",
        ),
        ("-- A job.\n-- reads: a\n-- period: day\n-- params:\n\nselect 1;", "writes"),
        (
            "-- A job.\n-- reads: a\n-- writes: b\n-- period: day\n-- params:\n\nselect 1;",
            "job_run first",
        ),
        (
            "-- A job.\n-- reads: a\n-- writes: b\n-- period: day\n-- then: dance\n-- params:\n\nselect 1;",
            "dance",
        ),
    ],
)
def test_a_job_with_a_false_header_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(UnknownName, match=complaint):
        jobs.Job("99_wrong", text)


def test_an_unknown_job_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="there are capture, decay"):
        jobs.jobs("dream")


def test_z25_consolidation_is_due_weekly_and_decay_daily(memory: cogmem.Memory) -> None:
    plant(memory, "something", at=NOW - DAY)
    weekly = {"30_deduplicate", "40_promote", "50_archive"}
    assert weekly < set(jobs.due(memory.store, NOW))
    memory.nightly(now=NOW)
    assert jobs.due(memory.store, NOW) == []
    tomorrow = jobs.due(memory.store, NOW + DAY)
    assert "20_decay" in tomorrow
    assert not weekly & set(tomorrow)
    assert weekly < set(jobs.due(memory.store, NOW + 7 * DAY))


def test_a_missed_night_is_caught_up_and_said(memory: cogmem.Memory) -> None:
    crowd(memory, 5)
    memory.nightly(now=NOW)
    night = memory.nightly(now=NOW + 9 * DAY)
    assert "9 days ago: this one catches up" in night.notices[0]
    assert by_job(night)["50_archive"].outcome == "done"


def test_one_job_can_be_run_alone(memory: cogmem.Memory) -> None:
    night = memory.nightly(now=NOW, job="archive")
    assert [report.job for report in night.jobs] == ["50_archive"]


def test_progress_names_every_job(memory: cogmem.Memory) -> None:
    seen: list[str] = []
    memory.nightly(now=NOW, progress=lambda job, _done, _total: seen.append(job))
    assert [job.name for job in jobs.jobs()] == [name for name in seen if name]


# -- archive ---------------------------------------------------------------------------------------


def test_z12_z24_what_has_faded_is_archived_found_by_search_and_never_injected(
    memory: cogmem.Memory,
) -> None:
    crowd(memory)
    gone = plant(memory, "The walrus server needs a reboot.", at=LONG_AGO)
    stays = plant(memory, "The walrus printer is fine.", at=NOW - 280 * DAY)
    night = memory.nightly(now=NOW)
    assert by_job(night)["50_archive"].archived == 1
    assert (state(memory, gone), state(memory, stays)) == ("archived", "active")
    found = memory.db.ask(
        "select m.uid from memory_fts f join memory m on m.id = f.rowid where memory_fts match 'walrus reboot'"
    )
    assert found == [(gone,)]
    assert gone in {
        found.uid for found in memory.recall("walrus server reboot", now=NOW, strengthen=False)
    }
    turn = memory.activate("Does the walrus server need a reboot?", now=NOW)
    assert "walrus server" not in turn.text


def test_z13_z24_a_memory_is_archived_in_the_first_week_in_which_its_strength_is_below_the_threshold(
    memory: cogmem.Memory,
) -> None:
    crowd(memory)
    uid = plant(memory, "a fading thought", at=NOW)
    fades = memory.db.ask(
        "select fades_at from fading f join memory m on m.id = f.memory_id where m.uid = :uid",
        {"uid": uid},
    )[0][0]
    memory.nightly(now=fades - 1)
    assert state(memory, uid) == "active"
    memory.nightly(now=fades, force=True)
    assert state(memory, uid) == "archived"
    assert memory.db.ask("select strength < 0.1 from strength where uid = :uid", {"uid": uid}) == [
        (1,)
    ]


def test_critical_pinned_and_sole_evidence_memories_stay_whatever_their_strength(
    memory: cogmem.Memory,
) -> None:
    crowd(memory)
    critical = plant(memory, "never drop the table", "policy", at=LONG_AGO, priority=4)
    pinned = plant(memory, "lives in Oslo", "profile", at=NOW - 2000 * DAY)
    sole = plant(memory, "the one thing that shows it", "episode", at=LONG_AGO)
    claim = plant(memory, "what it shows", at=NOW - DAY)
    tie(memory, claim, "evidence", sole, NOW - DAY)
    first = plant(memory, "shows it too", "episode", at=LONG_AGO)
    second = plant(memory, "shows it as well", "episode", at=LONG_AGO)
    other = plant(memory, "what both show", at=NOW - DAY)
    tie(memory, other, "evidence", first, NOW - DAY)
    tie(memory, other, "evidence", second, NOW - DAY)
    memory.nightly(now=NOW)
    assert [state(memory, uid) for uid in (critical, pinned, sole, first)] == ["active"] * 4
    assert state(memory, second) == "archived"


def test_what_a_person_brought_back_is_left_alone(memory: cogmem.Memory) -> None:
    crowd(memory)
    uid = plant(memory, "old but dear", at=LONG_AGO)
    run = by_job(memory.nightly(now=NOW))["50_archive"].run
    assert run
    memory.undo(run, now=NOW + 1)
    memory.nightly(now=NOW + 7 * DAY)
    assert state(memory, uid) == "active"
    memory.nightly(now=NOW + 98 * DAY)
    assert state(memory, uid) == "archived"


def test_a_run_beyond_its_share_stops_whole_with_a_report(memory: cogmem.Memory) -> None:
    crowd(memory, 100)
    old = [plant(memory, f"old {n}", at=LONG_AGO) for n in range(30)]
    before = everything(memory)
    night = memory.nightly(now=NOW)
    report = by_job(night)["50_archive"]
    assert report.outcome == "stopped"
    assert "would archive 30 of 130 active memories, 13 are allowed" in report.note
    assert not night.is_sound
    assert everything(memory) == before
    assert memory.db.ask(
        "select is_stopped, archived_count, allowed_archived from job_run where job = '50_archive'"
    ) == [(1, 0, 13)]
    memory.store.set_setting("archive_share", "0.24", now=NOW + 1)
    again = memory.nightly(now=NOW + 2)
    assert by_job(again)["50_archive"].archived == 30
    assert {state(memory, uid) for uid in old} == {"archived"}


def test_an_archive_goes_in_portions_within_one_run_and_one_limit(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "PORTION", 3)
    crowd(memory)
    gone = [plant(memory, f"faded {n}", at=LONG_AGO) for n in range(8)]
    foreseen = by_job(memory.nightly(now=NOW, dry_run=True))["50_archive"]
    report = by_job(memory.nightly(now=NOW))["50_archive"]
    assert (foreseen.archived, report.archived, report.changed) == (8, 8, 8)
    assert {change.uid for change in foreseen.changes or ()} == set(gone)
    acts = "select count(distinct act) from change where run = :run"
    assert memory.db.ask(acts, {"run": report.run}) == [(3,)]
    assert memory.db.ask("select count(*) from archiving") == [(0,)]
    assert report.run
    memory.undo(report.run, now=NOW)
    assert {state(memory, uid) for uid in gone} == {"active"}


@pytest.mark.parametrize("way", ["rebuild", "another version of what is derived"])
def test_a_plan_that_was_cut_off_survives_a_rebuild(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    crowd(memory)
    gone = [plant(memory, f"faded {n}", at=LONG_AGO) for n in range(8)]
    monkeypatch.setattr(jobs._Work, "_carry_out", lambda *_: None)
    memory.nightly(now=NOW, job="archive")
    assert [state(memory, uid) for uid in gone] == ["active"] * 8
    if way != "rebuild":
        memory.db.ask("drop view belief")  # as an older version of schema/derived would lack it
    making.rebuild(memory.db)
    monkeypatch.undo()
    report = by_job(memory.nightly(now=NOW, job="archive"))["50_archive"]
    assert (report.outcome, report.archived) == ("done", 8)
    assert [state(memory, uid) for uid in gone] == ["archived"] * 8


def test_an_archive_killed_between_portions_is_completed_and_spares_what_was_used_since(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "PORTION", 3)
    crowd(memory)
    gone = [plant(memory, f"faded {n}", at=LONG_AGO) for n in range(8)]
    monkeypatch.setattr(jobs._Work, "_carry_out", lambda *_: None)
    memory.nightly(now=NOW, job="archive")
    assert [state(memory, uid) for uid in gone] == ["active"] * 8
    assert "50_archive" in jobs.due(memory.store, NOW)
    memory.recall("faded 7", limit=1, now=NOW)
    monkeypatch.undo()
    report = by_job(memory.nightly(now=NOW, job="archive"))["50_archive"]
    assert (report.outcome, report.changed) == ("done", 7)
    assert [state(memory, uid) for uid in gone] == ["archived"] * 7 + ["active"]


# -- the clock -------------------------------------------------------------------------------------


@pytest.mark.parametrize("used_since", [False, True])
def test_a_clock_ten_years_ahead_archives_nothing(memory: cogmem.Memory, used_since: bool) -> None:
    crowd(memory, 8)
    memory.nightly(now=NOW)
    ahead = NOW + 3650 * DAY
    if used_since:
        plant(memory, "written under the wrong clock", at=ahead - 1_000)
    before = everything(memory)
    night = memory.nightly(now=ahead)
    assert {report.outcome for report in night.jobs} == {"stopped"}
    assert "--force" in night.notices[0]
    assert everything(memory) == before
    # and when the clock is right again, nights go on
    plant(memory, "the clock is right again", at=NOW + DAY)
    assert memory.nightly(now=NOW + DAY).is_sound


def test_a_gap_of_years_is_believed_by_the_second_night_that_sees_it(memory: cogmem.Memory) -> None:
    crowd(memory, 8)
    memory.nightly(now=NOW)
    back = NOW + 1500 * DAY
    assert not memory.nightly(now=back).is_sound
    assert {report.outcome for report in memory.nightly(now=back + 3_600_000).jobs} == {"stopped"}
    night = by_job(memory.nightly(now=back + DAY))
    assert night["20_decay"].outcome == night["95_back_up"].outcome == "done"
    assert len(memory.list(now=back + DAY)) == 8, "what faded meanwhile goes within the share only"
    assert by_job(memory.nightly(now=back + 2 * DAY))["20_decay"].outcome == "done"


def test_a_clock_a_year_back_archives_nothing_and_the_rest_of_the_night_goes_on(
    memory: cogmem.Memory,
) -> None:
    crowd(memory, 8)
    old = plant(memory, "faded on any clock", at=LONG_AGO - 600 * DAY)
    plant(memory, "the latest", at=NOW)
    night = by_job(memory.nightly(now=NOW - 365 * DAY))
    assert {night[name].outcome for name in ("50_archive", "60_expire", "80_prune")} == {"stopped"}
    assert {night[name].outcome for name in ("10_capture", "20_decay", "95_back_up")} == {"done"}
    assert state(memory, old) == "active"


def test_force_believes_the_clock_but_not_a_loss_beyond_the_share(memory: cogmem.Memory) -> None:
    crowd(memory, 40)
    memory.nightly(now=NOW)
    night = memory.nightly(now=NOW + 3650 * DAY, force=True)
    assert by_job(night)["20_decay"].outcome == "done"
    assert by_job(night)["50_archive"].outcome == "stopped"


# -- twice, and again ------------------------------------------------------------------------------


def test_z24_a_second_run_of_a_period_changes_nothing(memory: cogmem.Memory) -> None:
    crowd(memory, 20)
    for n in range(6):
        plant(memory, "said twice", at=NOW - DAY * n)
    plant(memory, "old", at=LONG_AGO)
    first = by_job(memory.nightly(now=NOW))
    assert (first["30_deduplicate"].merged, first["50_archive"].archived) == (5, 1)
    latest = memory.db.read("history.latest")
    night = memory.nightly(now=NOW + 1_000)
    assert {report.outcome for report in night.jobs} == {"already"}
    assert memory.db.read("history.latest") == latest


def test_two_nights_that_began_at_once_do_each_job_once(memory: cogmem.Memory) -> None:
    plant(memory, "long ago", at=LONG_AGO)
    crowd(memory)
    others: list[jobs.Night] = []

    def another(_job: str, _number: int, _count: int) -> None:
        if not others:
            with cogmem.open(
                memory.path, counter=counting.Simple(), driver=memory.db.driver
            ) as beside:
                others.append(beside.nightly(now=NOW, force=True))

    night = memory.nightly(now=NOW, force=True, progress=another)
    assert {report.outcome for report in others[0].jobs} == {"done"}
    assert {report.outcome for report in night.jobs} == {"already"}, night.jobs
    assert memory.db.ask("select max(n) from (select count(*) as n from job_run group by job)") == [
        (1,)
    ]


def test_a_job_that_died_between_its_parts_is_taken_up_where_it_stood(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: Any) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "back_up", dies)
        with pytest.raises(KeyboardInterrupt):
            memory.nightly(now=NOW)
    assert jobs.due(memory.store, NOW) == ["95_back_up"]
    night = by_job(memory.nightly(now=NOW + 1_000))
    assert night["95_back_up"].outcome == "done"
    assert memory.db.ask("select count(*) from job_run where job = '95_back_up'") == [(1,)]


# -- deduplicate -----------------------------------------------------------------------------------


def test_z26_merging_adds_counts_unites_tags_and_keeps_the_evidence_of_both(
    memory: cogmem.Memory,
) -> None:
    crowd(memory, 5)
    seen = plant(memory, "saw it happen", "episode", at=NOW - DAY)
    winner = plant(
        memory,
        "Deploys need a green build.",
        at=NOW - 3 * DAY,
        tags=("ci",),
        reinforcement_count=2,
        access_count=1,
        accessed_at=NOW - 2 * DAY,
    )
    loser = plant(
        memory,
        "deploys  need a GREEN build.",
        at=NOW - DAY,
        tags=("ci", "deploy"),
        reinforcement_count=3,
        access_count=2,
        accessed_at=NOW - DAY,
        priority=1,
    )
    tie(memory, loser, "evidence", seen, NOW - DAY)
    tie(memory, seen, "derived_from", loser, NOW - DAY)
    # The more reinforced one wins.
    winner, loser = loser, winner
    night = by_job(memory.nightly(now=NOW))
    assert (night["30_deduplicate"].merged, night["30_deduplicate"].archived) == (1, 0)
    kept, lost = memory.get(winner, now=NOW), memory.get(loser, now=NOW)
    assert (kept.reinforcement_count, kept.access_count, kept.state) == (5, 3, "active")
    assert kept.tags == ["ci", "deploy"]
    assert (lost.state, lost.archive_reason) == ("archived", "merged")
    relations = memory.db.ask(
        "select a.uid, l.relation, b.uid from link l"
        " join memory a on a.id = l.from_id join memory b on b.id = l.to_id"
        " order by l.relation"
    )
    assert relations == [
        (seen, "derived_from", winner),
        (winner, "evidence", seen),
        (winner, "merged_from", loser),
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "note"},
        {"user": "ada"},
        {"project": "p1"},
        {"session": "s1"},
        {"runtime": "r1"},
        {"path_glob": "src/**"},
        {"polarity": -1},
        {"kind": "event"},
        {"detail": {"topic": "editor"}},
        {"detail": {"valid_to": NOW}},
    ],
    ids=str,
)
def test_z26_deduplication_never_crosses_kind_scope_polarity_or_time(
    memory: cogmem.Memory, other: dict[str, Any]
) -> None:
    plant(memory, "the same words", at=NOW - DAY)
    plant(memory, "the same words", at=NOW - DAY, **other)
    assert by_job(memory.nightly(now=NOW))["30_deduplicate"].merged == 0


def test_events_of_different_instants_are_different_events(memory: cogmem.Memory) -> None:
    for day in (1, 2):
        plant(memory, "deployed to production", "episode", at=NOW - day * DAY)
    assert by_job(memory.nightly(now=NOW))["30_deduplicate"].merged == 0
    for _ in (1, 2):
        plant(memory, "deployed to staging", "episode", at=NOW - DAY)
    assert by_job(memory.nightly(now=NOW, force=True))["30_deduplicate"].merged == 1


def test_a_memory_that_somebody_named_is_not_merged_away(memory: cogmem.Memory) -> None:
    plant(memory, "python", "note", at=NOW - DAY, key="language", reinforcement_count=1)
    plant(memory, "python", "note", at=NOW - DAY, key="script", reinforcement_count=9)
    unnamed = plant(memory, "python", "note", at=NOW - DAY, reinforcement_count=5)
    memory.nightly(now=NOW)
    assert memory.get("language", now=NOW).state == memory.get("script", now=NOW).state == "active"
    assert state(memory, unnamed) == "archived"
    assert memory.get("script", now=NOW).reinforcement_count == 14


def unlike(memory: cogmem.Memory, count: int = 40) -> None:
    """Memories that resemble neither each other nor anything else here."""
    for n in range(count):
        plant(memory, f"tok{n}a tok{n}b tok{n}c tok{n}d", at=NOW - DAY, reinforcement_count=9)


def test_z26_what_says_the_same_in_other_words_is_merged_and_found_by_the_words_of_either(
    memory: cogmem.Memory,
) -> None:
    unlike(memory)
    winner = plant(
        memory,
        "The staging database runs on port 5433",
        at=NOW - 3 * DAY,
        tags=("ports",),
        reinforcement_count=5,
        access_count=1,
        accessed_at=NOW - DAY,
    )
    loser = plant(
        memory,
        "The staging db runs on port 5433 (behind haproxy)",
        at=NOW - DAY,
        tags=("staging",),
        reinforcement_count=4,
        access_count=3,
        accessed_at=NOW - DAY,
    )
    before = everything(memory)
    rehearsal = by_job(memory.nightly(now=NOW, dry_run=True))["30_deduplicate"]
    assert (rehearsal.merged, everything(memory)) == (1, before)
    report = by_job(memory.nightly(now=NOW))["30_deduplicate"]
    assert report.merged == 1
    kept, lost = memory.get(winner, now=NOW), memory.get(loser, now=NOW)
    assert (lost.state, lost.archive_reason) == ("archived", "merged")
    assert (kept.state, kept.reinforcement_count, kept.access_count) == ("active", 9, 4)
    assert set(kept.tags) >= {"ports", "staging"}
    for words in ("staging database", "staging db", "haproxy"):
        found = [one.uid for one in memory.recall(words, state="active", strengthen=False, now=NOW)]
        assert found[:1] == [winner], words
    links = memory.db.ask(
        "select a.uid, b.uid from link l join memory a on a.id = l.from_id"
        " join memory b on b.id = l.to_id where l.relation = 'merged_from'"
    )
    assert links == [(winner, loser)]
    assert report.run
    memory.undo(report.run, now=NOW)
    assert memory.get(winner, now=NOW).content == "The staging database runs on port 5433"
    assert (state(memory, loser), memory.get(winner, now=NOW).access_count) == ("active", 1)
    # What was taken back is not done again.
    assert by_job(memory.nightly(now=NOW + 7 * DAY))["30_deduplicate"].merged == 0


@pytest.mark.alike
@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The staging database runs on port 5434", {}),
        ("The staging database never runs on port 5433", {"polarity": -1}),
        ("The production database runs on port 5433", {}),
        ("The staging db runs on port 5433", {"user": "ada"}),
        ("The staging db runs on port 5433", {"kind": "note"}),
        ("The staging db runs on port 5433", {"key": "port"}),
        ("The staging db runs on port 5433", {"priority": 4}),
        ("The staging db runs on port 5433", {"detail": {"topic": "ports"}}),
        ("The staging db runs on port 5433", {"state": "candidate"}),
    ],
    ids=str,
)
def test_z26_what_only_resembles_stays_apart(
    memory: cogmem.Memory, text: str, other: dict[str, Any]
) -> None:
    unlike(memory)
    named = "key" in other or "priority" in other
    first = plant(
        memory,
        "The staging database runs on port 5433",
        at=NOW - DAY,
        **({"key": "own", "priority": 4} if named else {}),
    )
    second = plant(memory, text, at=NOW - DAY, **other)
    before = state(memory, second)
    assert by_job(memory.nightly(now=NOW))["30_deduplicate"].merged == 0
    assert (state(memory, first), state(memory, second)) == ("active", before)


def test_what_was_compared_once_is_not_compared_again_until_it_changes(
    memory: cogmem.Memory,
) -> None:
    unlike(memory, 5)
    uid = memory.learn("It was compared when it was written", now=NOW).uid
    assert resemble(memory.store, now=NOW) == 5
    assert resemble(memory.store, now=NOW) == 0
    with memory.db.together():
        memory.db.ask(f"update memory set content = 'another text' where uid = '{uid}'")
    assert resemble(memory.store, now=NOW) == 1


def test_a_bounded_number_is_compared_each_night(memory: cogmem.Memory) -> None:
    unlike(memory, 5)
    assert [resemble(memory.store, now=NOW, most=3) for _ in range(3)] == [3, 2, 0]


def test_merging_in_other_words_beyond_the_share_stops_whole_and_is_not_forgotten(
    memory: cogmem.Memory,
) -> None:
    unlike(memory)
    memory.store.set_setting("merge_share", "0", now=NOW)
    plant(memory, "The staging database runs on port 5433", at=NOW - DAY)
    plant(memory, "The staging db runs on port 5433", at=NOW - DAY)
    before = everything(memory)
    report = by_job(memory.nightly(now=NOW))["30_deduplicate"]
    assert report.outcome == "stopped"
    assert everything(memory) == before
    memory.store.set_setting("merge_share", "0.1", now=NOW)
    assert by_job(memory.nightly(now=NOW, force=True))["30_deduplicate"].merged == 1


# -- expire, prune ---------------------------------------------------------------------------------


def test_candidates_that_nobody_confirmed_and_memories_past_their_end_are_archived(
    memory: cogmem.Memory,
) -> None:
    old = plant(memory, "perhaps", at=NOW - 31 * DAY, state="candidate")
    young = plant(memory, "perhaps not", at=NOW - 29 * DAY, state="candidate")
    ended = plant(memory, "until yesterday", at=NOW - 2 * DAY, expires_at=NOW - DAY)
    lasting = plant(memory, "until tomorrow", at=NOW - 2 * DAY, expires_at=NOW + DAY)
    report = by_job(memory.nightly(now=NOW))["60_expire"]
    assert (report.archived, report.changed) == (1, 2)
    assert [state(memory, uid) for uid in (old, young, ended, lasting)] == [
        "archived",
        "candidate",
        "archived",
        "active",
    ]


def test_f16_what_was_removed_is_purged_after_purge_days_once_and_undo_brings_it_back(
    memory: cogmem.Memory,
) -> None:
    uid = plant(memory, "removed long ago", at=NOW - 50 * DAY, state="deleted")
    recent = plant(memory, "removed of late", at=NOW - 2 * DAY, state="deleted")
    memory.nightly(now=NOW)
    assert state(memory, uid) == "deleted", "by default it is kept for ever"
    memory.store.set_setting("purge_days", "30", now=NOW)
    before = everything(memory)
    report = by_job(memory.nightly(now=NOW + DAY))["80_prune"]
    assert report.changed == 1
    assert memory.db.ask("select uid from memory") == [(recent,)]
    assert by_job(memory.nightly(now=NOW + 2 * DAY))["80_prune"].changed == 0
    assert report.run
    memory.undo(report.run, now=NOW + 3 * DAY)
    assert everything(memory) == before


def test_the_ledger_keeps_as_many_days_as_its_setting_says(memory: cogmem.Memory) -> None:
    for days in (100, 10):
        memory.db.write(
            [
                (
                    "insert into activation (turn, prompt, budget, tokens, counter, activated_at)"
                    " values (:turn, '', 1, 0, '', :at)",
                    {"turn": f"turn_{days}", "at": NOW - days * DAY},
                )
            ],
            verb="turn",
            at=NOW,
        )
    report = by_job(memory.nightly(now=NOW))["80_prune"]
    assert memory.db.ask("select turn from activation") == [("turn_10",)]
    assert report.note == "1 turn left the ledger"


# -- promote ---------------------------------------------------------------------------------------


def recur(memory: cogmem.Memory, count: int, sessions: int, **columns: Any) -> list[str]:
    """Episodes alike in all but their words, spread over some sessions."""
    outcome = columns.pop("outcome", "")
    uids = []
    for n in range(count):
        detail = {"session_name": f"s{n % sessions}", "outcome": outcome}
        text = f"something about it {n} {outcome} {columns}"
        at = NOW - DAY + n
        uids.append(plant(memory, text, "episode", at=at, detail=detail, **columns))
    return uids


def candidates(memory: cogmem.Memory) -> list[str]:
    return [
        row[0]
        for row in memory.db.ask("select key from memory where state = 'candidate' order by key")
    ]


def test_the_text_of_a_document_is_no_evidence(memory: cogmem.Memory) -> None:
    for n in range(6):
        plant(
            memory,
            "Run the linter before you push.",
            "episode",
            at=NOW - DAY + n,
            tags=("linter",),
            detail={"session_name": f"s{n}"},
        )
    memory.db.write(
        [
            (
                "insert into document (path, name, scope, hash, size, body, modified_at, seen_at) values"
                " ('/AGENTS.md', 'AGENTS.md', 'project', '', 9, 'Run the linter before you push. Rest.', 0, 0)",
                {},
            )
        ],
        verb="document",
        at=NOW - DAY,
    )
    assert by_job(memory.nightly(now=NOW))["40_promote"].promoted == 0


def test_a_command_that_keeps_succeeding_becomes_a_candidate_procedure(
    memory: cogmem.Memory,
) -> None:
    recur(memory, 6, 3, data={"command": "make release"}, outcome="success")
    recur(memory, 1, 1, data={"command": "make release"}, outcome="failure")
    recur(memory, 6, 3, data={"command": "make chaos"}, outcome="failure")
    recur(memory, 6, 3, data={"command": "ls -l"}, outcome="success")
    memory.nightly(now=NOW)
    assert candidates(memory) == ["auto.command.make release"]
    made = memory.get("auto.command.make release", now=NOW)
    assert (
        made.kind,
        made.detail["steps"],
        made.detail["success_count"],
        made.detail["failure_count"],
    ) == ("command", ["make release"], 6, 1)
    assert made.content == "`make release` worked 6 of 7 times."


def test_what_recurs_and_which_commands_say_nothing_are_settings(memory: cogmem.Memory) -> None:
    recur(memory, 4, 2, data={"command": "make release"}, outcome="success")
    recur(memory, 4, 2, data={"command": "git status"}, outcome="success")
    assert by_job(memory.nightly(now=NOW))["40_promote"].promoted == 0
    memory.store.set_setting("recurs_occasions", "2", now=NOW)
    memory.store.set_setting("plain_commands", "cd git", now=NOW)
    memory.nightly(now=NOW + 7 * DAY)
    assert candidates(memory) == ["auto.command.make release"]


def test_a_command_of_recorded_tool_calls_is_promoted_too(memory: cogmem.Memory) -> None:
    for n in range(5):
        talk = memory.conversation(f"c{n % 3}")
        talk.append(
            "assistant",
            [
                {
                    "type": "tool_call",
                    "id": f"t{n}",
                    "name": "bash",
                    "arguments": {"command": "npm run build"},
                }
            ],
            at=NOW - DAY,
        )
        talk.append(
            "tool",
            [{"type": "tool_result", "tool_call_id": f"t{n}", "content": "built"}],
            at=NOW - DAY,
        )
    memory.nightly(now=NOW, job="promote")
    assert candidates(memory) == ["auto.command.npm run build"]


def test_what_a_person_says_in_every_session_is_no_fact(memory: cogmem.Memory) -> None:
    for n in range(6):
        memory.conversation(f"c{n}").append("user", "nice, commit and push it", at=NOW - DAY)
    memory.nightly(now=NOW, job="promote")
    assert memory.list(state="candidate", now=NOW) == []


def test_procedures_gain_successes_and_failures_from_episodes_that_name_them_once(
    memory: cogmem.Memory,
) -> None:
    uid = plant(
        memory,
        "how to deploy",
        "procedure",
        at=NOW - 9 * DAY,
        key="deploy",
        detail={"success_count": 1},
    )
    for n, outcome in enumerate(("success", "succeeded at last", "failure", "in words")):
        plant(
            memory,
            f"try {n}",
            "episode",
            at=NOW - DAY + n,
            tags=("deploy",),
            detail={"outcome": outcome},
        )
    plant(
        memory,
        "try by data",
        "episode",
        at=NOW - DAY + 9,
        data={"procedure": "deploy"},
        detail={"outcome": "failed"},
    )
    plant(
        memory,
        "of somebody else",
        "episode",
        at=NOW - DAY,
        tags=("deploy",),
        detail={"outcome": "success"},
        user="ada",
    )
    for _ in (1, 2):
        memory.nightly(now=NOW, job="promote", force=True)
        detail = memory.get(uid, now=NOW).detail
        assert (detail["success_count"], detail["failure_count"], detail["used_at"]) == (
            4,
            2,
            NOW - DAY + 9,
        )


def test_a_candidate_said_again_in_another_conversation_becomes_active(
    memory: cogmem.Memory,
) -> None:
    said = plant(memory, "likes tea", at=NOW - DAY, state="candidate")
    once = plant(memory, "likes coffee", at=NOW - DAY, state="candidate")
    rule = plant(memory, "must have tea", "policy", at=NOW - DAY, state="candidate")
    foreign = plant(memory, "likes malware", at=NOW - DAY, state="candidate", source="web")
    newest = "select max(id) from message"
    for n, uids in enumerate(((said, once, rule, foreign), (said, rule, foreign))):
        memory.conversation(f"c{n}").append("user", "tea", at=NOW - DAY)
        for uid in uids:
            memory.db.write(
                [
                    (
                        "jobs.bear_out",
                        {"uid": uid, "message": memory.db.ask(newest)[0][0], "now": NOW},
                    )
                ],
                verb="plant",
                at=NOW - DAY,
            )
    memory.nightly(now=NOW, job="promote")
    assert [state(memory, uid) for uid in (said, once, rule, foreign)] == [
        "active",
        *["candidate"] * 3,
    ]


# -- capture what was missed -----------------------------------------------------------------------


def test_what_was_missed_is_captured_once_with_its_message_as_evidence(
    memory: cogmem.Memory,
) -> None:
    talk = memory.conversation("c1", user="ada")
    talk.append("user", "Please always use tabs in this repository.", at=NOW - DAY)
    talk.append("assistant", "I will always use tabs from now on in this repository.", at=NOW - DAY)
    night = memory.nightly(now=NOW)
    assert by_job(night)["10_capture"].note == "2 messages read, 1 memory captured"
    made = memory.list(kind="preference", now=NOW, everywhere=True)
    assert [(row.user, row.source) for row in made] == [("ada", "user_explicit")]
    assert memory.db.ask("select count(*) from link where relation = 'evidence'") == [(1,)]
    assert memory.db.ask("select captured_seq = next_seq from conversation") == [(1,)]
    run = by_job(night)["10_capture"].run
    assert run
    assert {change.uid for change in memory.history.diff(run, everywhere=True)} == {made[0].uid}
    # read again from the start, the message teaches nothing new
    memory.db.write([("update conversation set captured_seq = 0", {})], verb="test", at=NOW)
    before = everything(memory)
    memory.nightly(now=NOW, job="capture", force=True)
    assert everything(memory) == before


def test_the_rules_are_read_in_the_columns_that_matching_wants(memory: cogmem.Memory) -> None:
    listed = memory.db.ask(f"select {rules.RULE_COLUMNS} from capture_rule order by name")
    assert sorted(memory.db.read("jobs.rules")) == listed


# -- what conversations leave ----------------------------------------------------------------------

WISH = "We don't want a second config file, put it into settings.toml instead."


def test_a_conversation_at_rest_leaves_its_lines_once_and_later_ones_when_it_goes_on(
    memory: cogmem.Memory,
) -> None:
    talk = memory.conversation("c1", user="ada")
    talk.append("user", WISH, at=NOW - DAY)
    talk.append("user", "thanks!", at=NOW - DAY)
    memory.conversation("c2").append("user", WISH.replace("config", "lock"), at=NOW - 1_000)
    night = memory.nightly(now=NOW)
    (line,) = memory.list(kind="dropped", now=NOW, everywhere=True)
    assert (line.content, line.user, line.detail["session_name"]) == (WISH, "ada", "c1")
    assert line.data["message"] == f"msg_{talk.messages()[0].id}"
    memory.nightly(now=NOW + DAY // 2, force=True)
    lines = memory.list(layer="episodic", now=NOW, everywhere=True)
    assert {row.detail["session_name"] for row in lines} == {"c1", "c2"}
    talk.append("user", "No, the loader must never read settings.toml twice.", at=NOW + DAY)
    memory.nightly(now=NOW + 2 * DAY)
    assert len(memory.list(layer="episodic", now=NOW, everywhere=True)) == 3
    run = next(job.run for job in night.jobs if job.job == "70_leave")
    assert run
    memory.undo(run, now=NOW + 3 * DAY, everywhere=True)
    assert line.uid not in {row.uid for row in memory.list(layer="episodic", everywhere=True)}


def test_a_session_waits_for_notes_only_where_calls_are_allowed(
    memory: cogmem.Memory,
) -> None:
    talk = memory.conversation("c1")
    for n in range(3):
        talk.append("user", f"turn {n}", at=NOW - DAY)
    memory.nightly(now=NOW)
    assert memory.db.ask("select count(*) from task") == [(0,)]
    for span in ("day", "run"):
        memory.store.set_setting(f"model_calls_per_{span}", "3", now=NOW)
    talk.append("user", "turn 4", at=NOW)
    memory.nightly(now=NOW + DAY)
    assert memory.db.ask("select purpose, state from task") == [("notes", "ready")]


# -- dry run, diff, undo ---------------------------------------------------------------------------


def scene(memory: cogmem.Memory, draw: list[tuple[str, int, int, int]]) -> None:
    """A space of random rows: (kind, age in days, which text, priority)."""
    for number, (kind, age, text, priority) in enumerate(draw):
        detail = (
            {"session_name": f"s{number % 4}", "outcome": "success"} if kind == "episode" else None
        )
        data = {"command": "make thing"} if kind == "episode" else None
        plant(
            memory,
            f"text {text}",
            kind,
            at=NOW - age * DAY,
            tags=(f"tag{text % 3}",),
            priority=priority,
            detail=detail,
            data=data,
        )
    talk = memory.conversation("c1")
    for turn in range(3):
        talk.append("user", f"Please never use tabs {turn} here.", at=NOW - DAY)


def changes_of(memory: cogmem.Memory, night: jobs.Night) -> dict[str, list[tuple[Any, ...]]]:
    """Per job what was changed, uids of captured memories aside: those are drawn by the write path."""
    found = {}
    for report in night.jobs:
        rows = report.changes
        if rows is None:
            rows = memory.history.diff(report.run) if report.run and report.changed else []
        found[report.job] = [
            (
                row.record,
                row.action,
                _plain(row.before),
                _plain(row.after),
                row.uid if report.job != "10_capture" else None,
            )
            for row in rows
        ]
    return found


def _plain(row: dict[str, Any] | None) -> Any:
    return None if row is None else {name: value for name, value in row.items() if name != "uid"}


SCENES = st.lists(
    st.tuples(
        st.sampled_from(["fact", "fact", "episode", "policy", "profile", "procedure"]),
        st.integers(0, 500), st.integers(0, 12), st.integers(1, 4),
    ),
    max_size=40,
)  # fmt: skip


@settings(
    max_examples=examples(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(draw=SCENES, share=st.sampled_from(["0.1", "1"]))
def test_a_dry_run_lists_exactly_what_the_real_run_changes_and_undo_takes_all_of_it_back(
    draw: list[tuple[str, int, int, int]], share: str
) -> None:
    with cogmem.open(":memory:", counter=counting.Simple()) as memory:
        memory.store.set_setting("archive_share", share, now=NOW - 501 * DAY)
        memory.store.set_setting("merge_share", share, now=NOW - 501 * DAY)
        scene(memory, draw)
        before = everything(memory)
        latest = memory.db.read("history.latest")
        planned = memory.nightly(now=NOW, dry_run=True)
        assert everything(memory) == before
        assert memory.db.read("history.latest") == latest
        assert memory.db.ask("select count(*) from job_run") == [(0,)]
        done = memory.nightly(now=NOW)
        left_out = {report.job for report in planned.jobs if report.outcome == "left out"}
        assert left_out == {"90_optimise", "95_back_up"}
        predicted = changes_of(memory, planned)
        actual = changes_of(memory, done)
        assert {job: rows for job, rows in predicted.items() if job not in left_out} == {
            job: rows for job, rows in actual.items() if job not in left_out
        }
        for report in reversed(done.jobs):
            if report.run and report.changed:
                memory.undo(report.run, now=NOW + 1)
        assert everything(memory) == before
        assert memory.file.check() == []


def test_undo_of_a_run_reports_what_was_changed_since_and_overwrites_nothing(
    memory: cogmem.Memory,
) -> None:
    crowd(memory)
    old = [plant(memory, f"old {n}", at=LONG_AGO) for n in range(3)]
    run = by_job(memory.nightly(now=NOW))["50_archive"].run
    assert run
    memory.remove(old[0], now=NOW + 1)
    with pytest.raises(Conflict, match=f"{old[0]}.*changed since"):
        memory.undo(run, now=NOW + 2)
    assert state(memory, old[1]) == "archived"
    done = memory.undo(run, force=True, now=NOW + 3)
    assert [state(memory, uid) for uid in old] == ["deleted", "active", "active"]
    assert len(done.conflicts) == 1


# -- backups ---------------------------------------------------------------------------------------


def test_backups_are_private_verified_and_rotated(memory: cogmem.Memory, path: str) -> None:
    memory.store.set_setting("backups_kept", "3", now=NOW)
    for night in range(5):
        memory.nightly(now=NOW + night * DAY)
    folder = f"{path}.backups"
    names = sorted(os.listdir(folder))
    assert names == ["20270117T080000Z.db", "20270118T080000Z.db", "20270119T080000Z.db"]
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    assert {stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) for name in names} == {0o600}
    memory.store.set_setting("backups_kept", "0", now=NOW)
    memory.nightly(now=NOW + 6 * DAY)
    assert sorted(os.listdir(folder)) == names, "0 makes none and takes none away"


# -- faults ----------------------------------------------------------------------------------------

NIGHT = """
import sys, cogmem
from cogmem.tokens import counting
with cogmem.open(sys.argv[1], counter=counting.Simple(), driver=sys.argv[3]) as memory:
    print("ready", flush=True)
    memory.nightly(now=int(sys.argv[2]))
"""


def survive(folder: Path, rounds: int, driver: str = "apsw") -> int:
    """Kill a night at a random point, again and again; returns how many were killed before their end."""
    import random
    import shutil

    from cogmem.exchange.copies import accept

    made, path = str(folder / "made.db"), str(folder / "memory.db")
    size = 400 if EVERYTHING else 120  # memories; a night over a few passes the same points
    with cogmem.open(made, counter=counting.Simple(), driver=driver) as memory:
        for n in range(size):
            plant(
                memory,
                f"fact {n % (size - 20)}",
                at=LONG_AGO if n % 13 == 0 else NOW - DAY,
                tags=("a",),
            )
        recur(memory, 8, 4, tags=("migration",))
        talk = memory.conversation("c1")
        for n in range(size * 3 // 4):
            talk.append("user", f"Please always use spaces in file{n}.py, not tabs.", at=NOW - DAY)
        before = memory.db.ask("select uid, content from memory order by id")
        said = memory.db.ask("select count(*) from message")
    draw, killed = random.Random(11), 0
    longest = 0.3
    for number in range(rounds):
        for ending in ("", "-wal", "-shm"):
            if os.path.exists(path + ending):
                os.unlink(path + ending)
        shutil.rmtree(path + ".backups", ignore_errors=True)
        shutil.copyfile(made, path)
        accept(path)  # the older state is meant
        child = subprocess.Popen(
            [sys.executable, "-c", NIGHT, path, str(NOW), driver], stdout=subprocess.PIPE
        )
        assert child.stdout
        child.stdout.readline()
        began = time.perf_counter()
        if number:  # the first one shows how long a night takes
            time.sleep(draw.random() * longest)
            child.kill()
        child.wait()
        child.stdout.close()
        if not number:
            longest = time.perf_counter() - began
        killed += child.returncode != 0
        with cogmem.open(path, counter=counting.Simple(), driver=driver) as memory:
            assert memory.file.check() == [], f"round {number}"
            memory.nightly(now=NOW + 1_000)
            assert jobs.due(memory.store, NOW) == [], f"round {number}"
            assert memory.file.check() == [], f"round {number}"
            rows = dict(memory.db.ask("select uid, content from memory"))
            assert all(rows.get(uid) == content for uid, content in before), f"round {number}"
            assert memory.db.ask("select count(*) from message") == said
            assert memory.db.ask("select count(*) from job_run where finished_at is null") == [(0,)]
    return killed


@pytest.mark.slow
def test_a_night_killed_at_any_point_loses_nothing_and_is_completed_by_the_next(
    tmp_path: Path,
) -> None:
    rounds = int(os.environ.get("COGMEM_KILLS", "12" if EVERYTHING else "3"))
    assert survive(tmp_path, rounds) >= rounds // 2


def test_an_index_of_many_lists_is_one_list_after_a_night(memory: cogmem.Memory) -> None:
    talk = memory.conversation("talk")
    for number in range(60):
        talk.append("user", f"note {number} about herons", at=NOW - DAY + number)
    most = memory.db.ask("select most_lists from inside_word_merging")[0][0]
    lists = "select count(distinct segid) from message_fts_idx"
    assert memory.db.ask(lists)[0][0] > most
    memory.nightly(now=NOW, job="optimise")
    assert memory.db.ask(lists)[0][0] == 1
    assert len(memory.recall("herons", now=NOW)) > 1


def test_age_alone_archives_a_note_and_nothing_that_a_person_said(memory: cogmem.Memory) -> None:
    memory.conversation("s").append("user", "We moved from Jenkins to GitHub Actions.", at=LONG_AGO)
    memory.capture_conversation("s", now=LONG_AGO)
    (said,) = memory.list(now=LONG_AGO)
    note = plant(memory, "The walrus build took nine minutes.", at=LONG_AGO)
    crowd(memory)
    memory.nightly(now=NOW)
    assert (state(memory, said.uid), state(memory, note)) == ("active", "archived")
