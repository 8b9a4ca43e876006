"""What a session leaves when it is over, and how it is found in later ones.

Modules: sessions, conversations, last_lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW
from talks import SESSION, Answering, call, result, said

from cogmem.conversation.last_lines import lines_of
from cogmem.conversation.sessions import context_block
from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    from cogmem import Memory

SHED = "We don't want the garden shed green, paint it blue instead."
HERONS = "We don't want seven herons, because the lake is too small for them."


def end(memory: Memory, name: str, *texts: str, at: int = NOW) -> Any:
    messages = [said("user", text) for text in texts]
    return memory.sessions.conclude(name, messages=messages, now=at)


# -- lines ----------------------------------------------------------------------------------------


def test_a_session_leaves_few_lines_that_stand_alone_each_with_its_sort(memory: Memory) -> None:
    talk = memory.conversation("s1")
    talk.save(SESSION, at=NOW)
    learned = memory.sessions.conclude("s1", now=NOW)
    rows = [memory.get(one.uid) for one in learned]
    assert {row.kind for row in rows} == {"agreed", "found", "done"}
    told = {row.kind: row for row in rows}
    assert any("missing default for token_ttl" in row.content for row in rows)
    assert "keep sessions in Redis instead of Postgres" in told["agreed"].content
    assert told["agreed"].data["who"] == "user"
    assert told["done"].content.startswith("Changed auth/login.py, config/app.toml for: “The login")
    assert all(row.detail["session_name"] == "s1" and row.data["message"] for row in rows)
    assert memory.sessions.conclude("s1", now=NOW + 1) == [], "nothing is told twice"


def test_what_says_nothing_later_leaves_nothing(memory: Memory) -> None:
    small = ("hi", "ok, proceed", "What does this do?", "Commit and push it.", "thanks!")
    assert end(memory, "s1", *small) == []
    assert end(memory, "s2", "```\nWe decided to keep it.\n```", "| We | never | want |") == []
    assert memory.sessions.conclude("s3", messages=[], now=NOW) == []


def test_a_commit_is_what_was_done() -> None:
    messages = [
        said("user", "Please commit."),
        call("bash", 1, command='git commit -m "Cache outlives a restart"'),
        result("[main 1234567] Cache outlives a restart", 1),
    ]
    assert [(one.sort, one.text) for one in lines_of(messages)] == [
        ("done", "Committed: Cache outlives a restart")
    ]


def test_what_the_tests_said_of_a_change_is_its_outcome() -> None:
    asked = said("user", "The login page forgets who is there, please mend it.")
    edit = [call("edit", 1, file_path="auth/login.py"), result("ok", 1)]
    fails = [call("bash", 2, command="npm test"), result("Error: no session\nexit code: 1", 2)]
    passes = [call("bash", 3, command="npm test"), result("12 passed", 3)]
    looked = [call("bash", 4, command="ls tests"), result("a.py", 4)]

    def outcome(*messages: Any) -> str:
        (line,) = [one for one in lines_of([asked, *messages]) if one.sort == "done"]
        return line.outcome

    assert outcome(*edit, *fails) == "`npm test` failed: Error: no session"
    assert outcome(*edit, *fails, *passes) == "`npm test` passed"
    assert outcome(*passes, *edit) == "", "what was tried before says nothing of it"
    assert outcome(*edit, *looked) == ""


def test_what_was_open_is_archived_when_a_later_session_does_it(memory: Memory) -> None:
    first = memory.conversation("s1")
    first.append("user", "We never want a slow parser_table.", at=NOW)
    first.append(
        "assistant",
        "The lookup in `parser_table` still needs to be made lazy, it remains open.",
        at=NOW,
    )
    memory.sessions.conclude("s1", now=NOW)
    (waits,) = memory.list(kind="open", now=NOW)
    later = memory.conversation("s2")
    later.append("user", "Make it lazy, we don't want it slow.", at=NOW + 1)
    later.append(
        "assistant",
        "Fixed: the lookup in `parser_table` is lazy now because it was slow.",
        at=NOW + 1,
    )
    memory.sessions.conclude("s2", now=NOW + 2)
    assert memory.get(waits.uid).archive_reason == "done"


def test_the_same_line_of_two_sessions_stands_once_and_goes_with_its_message(
    memory: Memory,
) -> None:
    for name in ("s1", "s2"):
        memory.conversation(name).append("user", SHED, at=NOW)
        memory.sessions.conclude(name, now=NOW)
    (line,) = memory.list(layer="episodic", now=NOW)
    assert line.reinforcement_count == 2
    for name in ("s1", "s2"):
        memory.forget(f"msg_{memory.conversation(name).messages()[0].id}", now=NOW)
    assert memory.list(layer="episodic", now=NOW) == []


# -- sessions, found again ---------------------------------------------------------------------------


def test_o17_sessions_are_listed_the_newest_first(memory: Memory) -> None:
    end(memory, "user", SHED, at=NOW)
    end(memory, "s2", HERONS, at=NOW + 10)
    end(memory, "user", "No, the shed should never be blue either.", at=NOW + 20)
    rows = memory.sessions.find(limit=0)
    assert [row.session for row in rows] == ["user", "s2"]
    assert rows[0].summary == f"{SHED} No, the shed should never be blue either."


def test_o18_past_sessions_are_ranked_by_likeness(memory: Memory) -> None:
    end(memory, "s1", SHED, at=NOW)
    end(memory, "s2", HERONS, at=NOW + 10)
    assert [row.session for row in memory.sessions.find("shed")] == ["s2", "s1"]
    similar = memory.sessions.find("the garden shed", ranker="similar")
    assert [row.session for row in similar] == ["s1", "s2"][: len(similar)]
    assert len(memory.sessions.find("x", limit=1)) == 1
    with pytest.raises(InvalidInput, match="not known"):
        memory.sessions.find("x", ranker="magic")


@pytest.mark.parametrize(
    ("answer", "order"),
    [
        ("1,1,7,0", ["s1", "s2"]),
        ("0", ["s2"]),
        ("none", []),
        ("no idea", ["s2", "s1"]),
        (TimeoutError("slow"), ["s2", "s1"]),
    ],
)
def test_o19_a_model_ranks_by_numbers_and_else_the_newest_come_first(
    memory: Memory, answer: str | Exception, order: list[str]
) -> None:
    end(memory, "s1", SHED, at=NOW)
    end(memory, "s2", HERONS, at=NOW + 10)
    found = memory.sessions.find("x", ranker="model", model=Answering(answer))
    assert [row.session for row in found] == order


def test_o21_past_sessions_are_shown_three_at_most_and_no_model_is_asked(memory: Memory) -> None:
    assert context_block([], "shed") == ""
    for number in range(5):
        end(
            memory,
            f"s{number}",
            SHED.replace("shed", f"shed {number} of row {number}"),
            at=NOW + number,
        )
    rows = memory.sessions.find(limit=0)
    block = context_block(rows, "paint the shed")
    assert block.startswith("## Relevant past sessions\n")
    assert block.count("- [s") == 3
    assert context_block(rows, "zebra giraffe") == ""
