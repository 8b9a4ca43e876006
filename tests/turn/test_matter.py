"""How a conversation stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import NOW

from cogmem.turn.matter import standing

if TYPE_CHECKING:
    from cogmem import Memory

WISH = "We don't want a second config file, put it into settings.toml instead."
LATER = "No, the loader must never read settings.toml twice."


def test_a_conversation_stands_as_its_lines_tell_newest_first(memory: Memory) -> None:
    talk = memory.conversation("s1")
    talk.append("user", WISH, at=NOW)
    talk.append("user", LATER, at=NOW + 1)
    memory.sessions.conclude("s1", now=NOW + 2)
    number = talk.state().id
    lines = standing(memory.db, memory.scope, [number], NOW + 3)[number]
    assert [(one.text, one.kind, one.who, one.at, one.seq) for one in lines] == [
        (LATER, "corrected", "user", NOW + 1, 1),
        (WISH, "dropped", "user", NOW, 0),
    ]
    assert all(one.ref.startswith("mem_") for one in lines)
    assert len(standing(memory.db, memory.scope, [number], NOW + 3, most=1)[number]) == 1


def test_one_without_lines_stands_as_its_closing_passages_tell(memory: Memory) -> None:
    talk = memory.conversation("s1")
    for number, text in enumerate((WISH, *("nothing to see",) * 3, LATER)):
        talk.append("user", text, at=NOW + number)
    memory.conversation("s2").append("user", "hello", at=NOW)
    numbers = [memory.conversation(name).state().id for name in ("s1", "s2")]
    told = standing(memory.db, memory.scope, numbers, NOW + 9)
    assert [one.text for one in told[numbers[0]]] == [LATER, WISH]
    assert told[numbers[0]][0].ref == f"msg_{talk.messages()[4].id}"
    assert told[numbers[1]] == []
    stranger = memory.scope.replacing(user="somebody")
    talk = memory.conversation("s3", user="ada")
    talk.append("user", WISH, at=NOW)
    assert standing(memory.db, stranger, [talk.state().id], NOW + 9) == {talk.state().id: []}


def test_a_line_that_a_conversation_left_stands_in_a_turn_beside_what_was_learned(
    memory: Memory,
) -> None:
    talk = memory.conversation("s1")
    for number in range(30):
        talk.append(
            "user", f"Look at the loader of settings.toml, part {number}.", at=NOW + 2 * number
        )
        talk.append(
            "assistant",
            f"Part {number} of the loader reads settings.toml.",
            at=NOW + 2 * number + 1,
        )
    talk.append("user", WISH, at=NOW + 98)
    talk.append("user", LATER, at=NOW + 99)
    memory.sessions.conclude("s1", now=NOW + 100)
    for number in range(8):
        other = memory.conversation(f"other {number}")
        other.append(
            "user", f"Paint the boat in the harbour, coat {number}.", at=NOW + 200 + number
        )
    prompt = "Change the loader of settings.toml so that it takes a second config file."
    turn = memory.activate(prompt, session="s2", now=NOW + 3_600_000)
    assert LATER in turn.volatile


def test_a_line_is_told_in_a_session_only_where_its_prompt_is_about_an_earlier_conversation(
    memory: Memory,
) -> None:
    talk = memory.conversation("s1")
    talk.append("user", WISH, at=NOW)
    memory.sessions.conclude("s1", now=NOW + 2)
    under_way = memory.conversation("s2")
    under_way.append("user", "Rename the buttons of the dialog.", at=NOW + 3)
    under_way.append("assistant", "Renamed.", at=NOW + 4)
    idle = memory.activate("Yes, put it into the dialog.", session="s2", now=NOW + 5)
    assert WISH not in idle.volatile
    asked = memory.activate("Add a config file for the settings", session="s3", now=NOW + 6)
    assert WISH in asked.volatile


def test_a_long_message_at_the_end_of_a_talk_is_told_by_what_decides(memory: Memory) -> None:
    talk = memory.conversation("s1")
    talk.append("user", "Customers complain that deleted folders count for the quota.", at=NOW)
    filler = "Let me look at the next file of the server now. " * 60
    settled = "We decided that a deleted folder leaves the quota after thirty days: shared files would be lost."
    talk.append("assistant", f"{filler}\n\n{settled}", at=NOW + 1)
    for number in range(6):
        other = memory.conversation(f"other {number}")
        other.append("user", f"Paint the label of page {number} blue.", at=NOW)
    report = "A deleted folder still counts for the quota, customers complain."
    told = memory.activate(report, session="s2", now=NOW + 10).volatile
    assert settled in told
    assert "the next file of the server" not in told


def test_what_stands_in_always_is_not_told_again_as_what_somebody_said(memory: Memory) -> None:
    rule = "The importer shall skip rows without a tenant, always."
    talk = memory.conversation("s1")
    talk.append("user", "Write the importer of the tenants.", at=NOW)
    talk.append("assistant", "Written, with tests.", at=NOW + 1)
    talk.append("user", rule, at=NOW + 2)
    memory.capture_conversation("s1", now=NOW + 2)
    memory.sessions.conclude("s1", now=NOW + 3)
    prompt = "Why does the importer skip rows of a tenant?"
    turn = memory.activate(prompt, session="s2", now=NOW + 86_400_000)
    assert rule.rstrip(".") in turn.stable
    assert "skip rows without a tenant" not in turn.volatile
