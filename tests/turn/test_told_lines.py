"""Every line of a turn stands alone: a value has its key, an event its day, a procedure its tries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW
from talks import talked

from cogmem.file.db import Database
from cogmem.noted.shown import lines
from cogmem.strength import DAY_MS
from cogmem.text.lines import memory_text

if TYPE_CHECKING:
    from cogmem import Memory

DAY, SAID = "2026-11-21", "21 November 2026"
TOMORROW = "16 January 2027"  # of NOW


@pytest.mark.parametrize(
    ("key", "content", "told"),
    [
        ("port", "8081", "port: 8081"),
        ("deploy.host", "crane", "deploy.host: crane"),
        ("indent", "tabs", "indent: tabs"),
        ("port", "port 8081", "port 8081"),
        ("backup", "The backup runs at night.", "The backup runs at night."),
        ("editor", "We all write in neovim", "We all write in neovim"),
        ("auto.3f9a", "8081", "8081"),
        ("", "8081", "8081"),
    ],
)
def test_a_bare_value_is_told_with_its_key(key: str, content: str, told: str) -> None:
    assert memory_text("semantic", key, content) == told


def test_s4_a_keyed_value_keeps_its_key_in_a_turn_and_in_a_recall(memory: Memory) -> None:
    memory.learn("8081", key="port", now=NOW)
    assert "- port: 8081\n" in memory.activate("Which port do we use?", now=NOW).text
    assert memory.recall("port", now=NOW)[0].snippet == "port: 8081"


def test_an_event_tells_how_it_went_and_when(memory: Memory) -> None:
    memory.episode("The deploy broke the login page", "rolled back", happened_at=DAY, now=NOW)
    line = f"The deploy broke the login page (rolled back, {SAID})"
    assert (
        f"- {line}\n" in memory.activate("Why did the deploy break the login page?", now=NOW).text
    )
    assert memory.recall("login page", now=NOW)[0].snippet == line


def test_s5_s6_a_procedure_tells_its_tries_and_one_that_keeps_failing_is_not_offered(
    memory: Memory,
) -> None:
    for name in ("restore the database", "restore the database by hand"):
        memory.procedure(name, ["stop the writers", "copy the file"], now=NOW)
    for _ in range(3):
        memory.tried("restore the database", success=True, now=NOW)
    memory.tried("restore the database by hand", success=True, now=NOW)
    for _ in range(9):
        memory.tried(
            "restore the database by hand", success=False, reason="no such host", now=NOW + DAY_MS
        )
    found = {
        one.key: one.snippet for one in memory.recall("restore the database", now=NOW + DAY_MS)
    }
    assert found["restore the database by hand"].endswith(
        f"stop the writers → copy the file (failed 9 of 10, last {TOMORROW}: no such host)"
    ), found
    turn = memory.activate("How do I restore the database?", now=NOW + DAY_MS)
    assert "(worked 3 of 3, last " in turn.text
    assert "by hand" not in turn.text
    assert {one.stage for one in turn.left_out if one.layer == "C"} == {"failing"}


@pytest.mark.parametrize(
    ("tries", "told", "is_offered"),
    [
        ("+-", "worked 1 of 2", True),
        ("--", "failed 2 of 2", False),
        ("+---", "failed 3 of 4", False),
        ("---++", "worked 2 of 5", True),  # what works by now counts more
        ("++++++++++--", "worked 10 of 12", True),
        ("++++++++++------", "failed 6 of 16", False),
    ],
)
def test_recent_tries_weigh_more(
    memory: Memory, tries: str, told: str, *, is_offered: bool
) -> None:
    memory.procedure("restore the database", ["stop the writers", "copy the file"], now=NOW)
    for sign in tries:
        memory.tried("restore the database", success=sign == "+", now=NOW)
    assert f"({told}, last 15 January 2027" in memory.get("restore the database", now=NOW).line
    turn = memory.activate("How do I restore the database?", now=NOW + DAY_MS)
    assert ("stop the writers" in turn.text) == is_offered


def test_why_the_last_try_failed_is_told_without_its_secrets(memory: Memory) -> None:
    memory.procedure("publish", ["build", "upload"], now=NOW)
    memory.tried("publish", success=True, now=NOW)
    reason = "denied for token ghp_" + "a1B2" * 9
    memory.tried("publish", success=False, reason=reason, now=NOW)
    line = memory.get("publish", now=NOW).line
    assert "(worked 1 of 2, last 15 January 2027, which failed: denied for token" in line
    assert "ghp_a1" not in line
    memory.tried("publish", success=True, now=NOW)
    assert "denied" not in memory.get("publish", now=NOW).line


def test_the_tokens_of_such_lines_are_those_that_are_counted(memory: Memory) -> None:
    memory.procedure("release", ["run the tests", "tag it"], now=NOW)
    memory.tried("release", success=True, now=NOW)
    memory.episode("The release failed", "a test was flaky", happened_at=DAY, now=NOW)
    for budget in (30, 60, 200):
        turn = memory.activate(
            "How do I release, and why did the release fail?", budget=budget, now=NOW
        )
        assert turn.tokens <= budget


def test_a_prompt_that_names_several_things_gets_each_of_them(memory: Memory) -> None:
    known = (
        "TypeScript must be strict in all packages",
        "Kubernetes runs on our own metal",
        "MongoDB holds the sessions",
    )
    for at, said in enumerate((*known, "The canteen closes at three", "Paint the hall blue")):
        memory.learn(said, now=NOW + at)
    prompt = "Plan the project: TypeScript, Kubernetes and MongoDB."
    told = memory.activate(prompt, now=NOW + DAY_MS).volatile
    assert all(said in told for said in known)
    assert "canteen" not in told


def test_one_that_keeps_failing_is_asked_about_and_offered_again_when_somebody_stands_by_it(
    memory: Memory,
) -> None:
    uid = memory.procedure("flash the router", ["hold reset", "upload the image"], now=NOW).uid
    for number in range(3):
        memory.tried("flash the router", success=False, reason="bad checksum", now=NOW + number)
    (failing,) = memory.facts.failing()
    assert (failing.uid, failing.why) == (
        uid,
        "failed 3 of 3, last 15 January 2027: bad checksum",
    )
    later = NOW + DAY_MS
    assert "upload the image" not in memory.activate("How do I flash the router?", now=later).text
    memory.keep(uid, now=later)
    assert memory.facts.failing() == []
    told = memory.activate("How do I flash the router?", now=later).text
    assert "upload the image (failed 3 of 3, last 15 January 2027: bad checksum)" in told


def test_what_is_done_once_a_year_is_there_on_its_day(memory: Memory) -> None:
    memory.procedure("renew the boat licence", ["fill in the form", "pay the fee"], now=NOW)
    memory.tried("renew the boat licence", success=True, now=NOW)
    for month in range(1, 14, 3):
        memory.nightly(now=NOW + month * 30 * DAY_MS)
    year = NOW + 395 * DAY_MS
    assert memory.get("renew the boat licence", now=year).state == "active"
    told = memory.activate("How do I renew the boat licence?", now=year).text
    assert "pay the fee (worked 1 of 1, last 15 January 2027)" in told


@pytest.mark.parametrize(
    "said",
    [
        "don't remember this: I'm interviewing at Acme on Friday, the recruiter is Dana",
        "bitte nicht merken: ich bewerbe mich bei Acme, die Recruiterin heißt Dana",
    ],
)
def test_what_somebody_asks_not_to_remember_is_told_in_no_other_session(
    memory: Memory, said: str
) -> None:
    talked(
        memory, "monday", NOW, "plan my friday", "Done.", said, "Good luck at Acme, Dana is nice."
    )
    assert memory.capture_conversation("monday", now=NOW + 9).memories == 0
    memory.sessions.conclude("monday", now=NOW + 9)
    later = NOW + DAY_MS
    assert memory.list(now=later) == []
    shown = lines(memory.conversation("monday").messages())
    assert [line.text for line in shown] == ["[0] user: plan my friday", "[1] agent: Done."]
    for asked in ("Who is the recruiter at Acme?", "Wer ist die Recruiterin bei Acme?"):
        turn = memory.activate(asked, session="tuesday", now=later)
        assert "Dana" not in turn.text
    assert "confided" in {one.stage for one in turn.left_out}


@pytest.mark.parametrize("is_known", [False, True])
def test_beside_a_fact_that_answers_talk_with_less_of_the_question_stays_out(
    memory: Memory, is_known: bool
) -> None:
    talk = memory.conversation("mill")
    for who, text in (
        ("user", "How does the station send its data?"),
        ("assistant", "Over MQTT to the broker in the settings."),
        ("user", "The broker is called heron, the topic is garden."),
        ("user", "Every reading is sent each 30 seconds instead of 60, says the gauge team."),
        ("assistant", "Thirty seconds then."),
    ):
        talk.append(who, text, at=NOW)
    if is_known:
        memory.learn("Every reading of the gauge is sent each 30 seconds.", now=NOW)
    question = "How often are the readings of the gauge sent?"
    told = memory.activate(question, session="next", now=NOW + 2 * DAY_MS).volatile
    assert "each 30 seconds" in told
    assert "Thirty seconds then" in told
    assert ("Over MQTT" in told) != is_known


def test_how_lines_end_is_read_of_those_alone_that_may_be_told(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.episode("Rolled the heron server back", outcome="success", now=NOW)
    memory.learn("The heron server is rebooted on Mondays", now=NOW)
    asked: list[Any] = []
    read = Database.read

    def noticed(db: Database, name: str, *params: Any) -> list[tuple[Any, ...]]:
        if name == "memories.endings":
            asked.append(params)
        return read(db, name, *params)

    monkeypatch.setattr(Database, "read", noticed)
    unlikely = "Why does Zaphod paint the server room and its corridor in such bright colours?"
    assert not memory.activate(unlikely, now=NOW).volatile
    assert not asked
    told = memory.activate("Who rolled the heron server back?", now=NOW)
    assert "back (success, 15 January 2027)" in told.volatile
    assert len(asked) == 1
