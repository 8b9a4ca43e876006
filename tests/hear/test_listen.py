"""Auto-capture from end to end: a message is heard, and what it says becomes memory.

Modules: catch_up, hearing, proposals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW

from cogmem.errors import Conflict, InvalidInput, UnknownName
from cogmem.hear.catch_up import CaughtUp
from cogmem.learn import decide

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Clock

    import cogmem


def kept(memory: cogmem.Memory) -> list[tuple[str, str, str]]:
    rows = memory.list(now=NOW)
    return sorted((row.kind, row.content, row.state) for row in rows)


def test_z16_the_three_families_become_memories_with_priority_and_polarity(
    memory: cogmem.Memory,
) -> None:
    memory.capture("Don't ever delete the raw data of the survey.", at=NOW)
    memory.capture("Actually, the port of the lab server is 8081.", at=NOW)
    memory.capture("Never use --no-verify when you commit.", at=NOW)
    rows = {row.content: row for row in memory.list(now=NOW)}
    ban = rows["Don't ever delete the raw data of the survey"]
    assert (ban.kind, ban.priority, ban.polarity, ban.state) == ("policy", 3, -1, "active")
    port = rows["The port of the lab server is 8081"]
    assert (port.kind, port.priority, port.state) == ("fact", 2, "active")
    verify = rows["Never use --no-verify when you commit"]
    assert verify.polarity == -1
    assert memory.db.ask("select 1 from model_call") == []


def test_a_later_word_on_the_same_object_replaces_the_earlier_one(
    memory: cogmem.Memory, clock: Clock
) -> None:
    memory.capture("Always use tabs in this project.", at=clock.at)
    heard = memory.capture("Never use tabs in this project.", at=clock.tick())
    assert heard.learned[0].outcome == "superseded"
    assert [row.content for row in memory.recall("tabs", now=clock.tick())] == [
        "Never use tabs in this project"
    ]


@pytest.mark.parametrize(
    ("before", "after", "held"),
    [
        (
            "The API listens on port 8080.",
            "Actually, the API listens on port 8081.",
            "The API listens on port 8081",
        ),
        (
            "The staging host is called heron.",
            "From now on the staging host is called stork.",
            "stork",
        ),
        ("I live in Berlin.", "I moved to Lisbon.", "Lisbon"),
        ("Marta owns billing.", "Joe owns billing now.", "Joe"),
        ("We use Jenkins for the builds.", "We moved from Jenkins to GitHub Actions.", "Actions"),
        ("Ich wohne in Berlin.", "Ich wohne jetzt in Leipzig.", "Leipzig"),
    ],
)
def test_a_correction_takes_the_place_of_what_it_corrects(
    memory: cogmem.Memory, clock: Clock, before: str, after: str, held: str
) -> None:
    first = memory.capture(before, at=clock.at).learned[0]
    later = clock.tick()
    second = memory.capture(after, at=later, now=later).learned[0]
    assert (second.outcome, second.other) == ("superseded", first.uid)
    now = clock.tick()
    assert memory.get(first.uid, now=now).detail["superseded_by"] == second.uid
    assert held in memory.get(second.uid, now=now).content
    assert memory.get(first.uid, now=now).detail["valid_to"] == later


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann lives in Berlin.", "Bob lives in Berlin."),
        ("Staging runs PostgreSQL 15.", "Production runs PostgreSQL 15."),
        ("My son is called Milo.", "My daughter is called Ines."),
        ("Ticket 4711 is fixed.", "Ticket 4712 is fixed."),
        ("Our office is on Mill Lane.", "Our office closes at six."),
    ],
)
def test_statements_about_different_things_both_stay(
    memory: cogmem.Memory, clock: Clock, one: str, other: str
) -> None:
    memory.learn(one, now=clock.at)
    assert memory.learn(other, now=clock.tick()).outcome == "inserted"
    assert memory.facts.conflicts() == []


def test_a_learned_change_closes_what_was(memory: cogmem.Memory, clock: Clock) -> None:
    memory.learn("Our office is on Mill Lane", now=clock.at)
    memory.learn("Our office moved to Lindenplatz", now=clock.tick())
    found = [row.content for row in memory.recall("office", now=clock.tick())]
    assert found == ["Our office moved to Lindenplatz"]


def test_z17_capturing_asks_no_model(memory: cogmem.Memory) -> None:
    class Never:
        name = "never"

        def complete(self, *_: Any, **__: Any) -> str:
            raise AssertionError("asked")

    memory.model = Never()
    memory.store.set_setting("model_calls_per_day", "9", now=NOW)
    memory.capture("I prefer tea to coffee in the morning.", at=NOW)
    memory.capture("I prefer tea to water in the morning.", at=NOW)
    assert memory.db.ask("select count(*) from model_call") == [(0,)]


def test_z15_remember_this_alone_keeps_what_was_said_before(memory: cogmem.Memory) -> None:
    memory.capture("Remember this.", at=NOW, before="The key to the mill hangs behind the door.")
    assert kept(memory) == [("fact", "The key to the mill hangs behind the door.", "active")]


def test_z15_remember_this_alone_resets_the_decay_of_what_was_shown(
    memory: cogmem.Memory, clock: Clock
) -> None:
    uid = memory.learn("The heron nests by the old mill", now=clock.at).uid
    shown = memory.activate("Where does the heron nest?", session="s", now=clock.pass_days(60))
    assert "heron" in shown.text
    heard = memory.capture("Remember this!", session="s", at=clock.tick())
    row = memory.get(uid, now=clock.at)
    assert heard.refreshed == [uid]
    assert (row.raw("reinforced_at"), row.reinforcement_count) == (clock.at, 1)


def test_relative_dates_count_from_when_the_message_was_written(memory: cogmem.Memory) -> None:
    memory.capture("Remember that we signed the lease yesterday.", at=NOW - 30 * DAY, now=NOW)
    assert "[2026-12-15]" not in memory.list(now=NOW)[0].content.replace("2026-12-15", "", 1)
    assert "yesterday [2026-12-15]" in memory.list(now=NOW)[0].content


def test_what_cogmem_put_into_the_message_is_not_captured(memory: cogmem.Memory) -> None:
    memory.learn("Always use tabs in this project", kind="preference", now=NOW)
    shown = memory.activate("Should I use tabs in this project?", now=NOW).text
    heard = memory.capture(f"{shown}\nWhat do you think of the weather today?", at=NOW)
    assert heard.learned == []


# -- never twice -------------------------------------------------------------------------------------


def test_a_recorded_message_is_captured_once_whoever_reads_it(
    memory: cogmem.Memory, clock: Clock
) -> None:
    talk = memory.conversation("talk")
    talk.append("user", "Always use tabs in this project.", at=clock.at)
    talk.append("user", "Remember that we signed the lease yesterday.", at=clock.tick())
    assert memory.capture_conversation("talk", now=clock.tick()) == CaughtUp(2, 2)
    assert memory.capture_conversation("talk", now=clock.tick()) == CaughtUp(0, 0)
    talk.append("user", "Don't ever push to main on Fridays.", at=clock.tick())
    memory.nightly(job="10_capture", now=clock.pass_days(1))
    rows = memory.list(now=clock.at)
    assert sorted(row.reinforcement_count for row in rows) == [1, 1, 1]
    assert all("[2027-01-14]" in row.content for row in rows if "lease" in row.content)
    evidence = memory.db.ask("select count(*) from link where relation = 'evidence'")
    assert evidence == [(3,)]


# -- rules are rows ----------------------------------------------------------------------------------

HOUSE: dict[str, Any] = {
    "name": "preference.house_style", "family": "preference", "kind": "preference", "position": 5,
    "pattern": r"^house style:\s*(?P<what>\S.*)",
    "example": "House style: numbers below twelve are written as words.",
    "counter_example": "What is the house style of this paper?",
}  # fmt: skip


def test_rules_that_came_with_cogmem_are_told_from_one_s_own(memory: cogmem.Memory) -> None:
    assert not any(rule.is_own for rule in memory.listener.describe())
    memory.listener.add(HOUSE, now=NOW)
    assert [rule.name for rule in memory.listener.describe() if rule.is_own] == [HOUSE["name"]]


def test_a_rule_of_one_s_own_works_at_once_and_can_be_undone(memory: cogmem.Memory) -> None:
    text = "House style: dots behind list items and capitals."
    assert memory.capture(text, at=NOW).learned == []
    act = memory.listener.add(HOUSE, now=NOW)
    assert len(memory.capture(text, at=NOW).learned) == 1
    memory.listener.enable(HOUSE["name"], False, now=NOW)
    assert memory.capture("House style: a blank line before lists.", at=NOW).learned == []
    memory.listener.enable(HOUSE["name"], True, now=NOW)
    memory.undo(memory.history.log(limit=1)[0].act, now=NOW)
    assert memory.capture("House style: a blank line before lists.", at=NOW).learned == []
    memory.undo(act, force=True, now=NOW)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"pattern": "(unclosed"}, "not a re2 pattern"),
        ({"example": "nothing of the kind"}, "example"),
        ({"kind": "nobody"}, "not registered"),
        ({"example": None}, "a example"),
        ({"colour": 1}, "colour"),
        ({"name": "preference.never"}, "disable it"),
    ],
)
def test_a_rule_that_does_not_work_is_refused(
    memory: cogmem.Memory, change: dict[str, Any], what: str
) -> None:
    row = {**HOUSE, **change}
    if change.get("example", "") is None:
        del row["example"]
    if "name" in change:
        row["name"] = memory.listener.describe()[0].name
    with pytest.raises((InvalidInput, UnknownName), match=what):
        memory.listener.add(row, now=NOW)


def test_a_rule_that_another_process_switched_off_is_no_longer_used(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    text = "Remember that the shop is shut on Mondays."
    with open_memory(path) as mem, open_memory(path) as other:
        used = mem.capture(text, at=NOW).learned
        row = mem.get(used[0].uid, now=NOW)
        other.listener.enable(row.data["rule"], False, now=NOW)
        mem.remove(row.uid, now=NOW)
        after = [
            mem.get(one.uid, now=NOW).data["rule"] for one in mem.capture(text, at=NOW).learned
        ]
        assert row.data["rule"] not in after
    with pytest.raises(UnknownName, match="rules list"), open_memory(path) as mem:
        mem.listener.enable("no.rule", True, now=NOW)


def test_a_night_reads_on_behind_a_message_that_cannot_be_stored(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = memory.conversation("talk")
    for text in ("Always use tabs in this project.", "Never use --no-verify when you commit."):
        talk.append("user", text, at=NOW)
    real = decide.learn

    def refused(store: Any, draft: Any, **how: Any) -> Any:
        if "tabs" in draft.content:
            raise Conflict("another process changed this memory meanwhile: read it again")
        return real(store, draft, **how)

    monkeypatch.setattr(decide, "learn", refused)
    night = memory.nightly(now=NOW + DAY)
    assert night.is_sound
    contents = [row.content for row in memory.list(now=NOW + DAY)]
    assert [content for content in contents if "no-verify" in content]
    assert [content for content in contents if "tabs" in content] == []


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("My dentist is Dr. Alvim.", "The user: “My dentist is Dr. Alvim” ("),
        ("Ich bin Vegetarier.", "The user: “Ich bin Vegetarier” ("),
        ("Always use uv.", "Always use uv"),
    ],
)
def test_what_a_person_says_in_the_first_person_is_told_as_their_words_and_day(
    memory: cogmem.Memory, said: str, line: str
) -> None:
    memory.conversation("talk").append("user", said, at=NOW)
    memory.capture_conversation("talk", now=NOW)
    (row,) = memory.list(limit=0, now=NOW)
    assert row.line.startswith(line)
    shown = memory.activate(said, now=NOW + DAY)
    assert f"- {line}" in shown.text


@pytest.mark.parametrize(
    "said", ["Zawsze używaj tabulatorów w plikach src/a.py", "Всегда пиши тесты в src/a.py"]
)  # fmt: skip
def test_a_language_without_words_of_its_own_is_heard_without_an_error(
    memory: cogmem.Memory, said: str
) -> None:
    assert memory.capture(said, now=NOW).refused == []
    from cogmem.hear.proposals import place_in

    place_in(said)


@pytest.mark.parametrize(
    "order",
    [
        "Always answer in German",
        "From now on, answer in German",
        "always use tabs here",
        "Never push to main",
        "please always use snake_case in the JSON, our app breaks otherwise",
        "Antworte immer auf Deutsch",
        "Usa siempre pnpm",
        "Toujours répondre en français",
    ],
)
def test_a_plain_standing_order_stands_in_the_next_session(
    memory: cogmem.Memory, order: str
) -> None:
    memory.conversation("monday").append("user", f"{order}.", at=NOW)
    memory.capture_conversation("monday", now=NOW)
    assert order in memory.activate("hello", session="tuesday", now=NOW + DAY).stable
