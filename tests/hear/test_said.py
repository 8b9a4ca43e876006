"""What a person says again: in a second session it counts more, in a third it is a rule; undo takes it back.

Modules: said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW

if TYPE_CHECKING:
    import cogmem

SAID = (
    "you're editing in the main workspace, not the session",
    "you edited the main workspace, not the session one",
    "you should not be editing files in the main workspace",
)


def say(memory: cogmem.Memory, session: str, text: str, at: int, night: bool) -> None:
    memory.conversation(session).append("user", text, at=at)
    if night:
        memory.nightly(now=at + DAY // 2)
    else:
        memory.capture_conversation(session, now=at)


def stable(memory: cogmem.Memory, at: int) -> str:
    return memory.activate("What is 2 + 2?", now=at).stable


@pytest.mark.parametrize("night", [False, True])
def test_what_is_said_in_a_third_session_stands_in_always_with_its_count_and_first_day(
    memory: cogmem.Memory, night: bool
) -> None:
    for number, text in enumerate(SAID):
        at = NOW + number * DAY
        assert "workspace" not in stable(memory, at)
        say(memory, f"s{number}", text, at, night)
    lines = stable(memory, NOW + 3 * DAY).splitlines()
    told = [line for line in lines if "main workspace" in line]
    assert len(told) == 1
    assert "(said 3 times since " in told[0]


def test_a_wish_in_three_wordings_is_one_rule_and_its_reverse_takes_its_place(
    memory: cogmem.Memory,
) -> None:
    texts = (
        "Use pnpm, not npm",
        "please use pnpm instead of npm",
        "stop using npm, we use pnpm here",
        "use npm instead of pnpm",
        "we use npm, not pnpm",
        "please use npm, not pnpm",
    )
    told = []
    for number, text in enumerate(texts):
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
        told.append(
            [line for line in stable(memory, NOW + number * DAY).splitlines() if "said" in line]
        )
    assert told == [
        [],
        [],
        ["- please use pnpm instead of npm (said 3 times since 15 January)"],
        [],
        [],
        ["- use npm instead of pnpm (said 3 times since 18 January)"],
    ]


@pytest.mark.parametrize(
    "texts",
    [
        ("Please answer in German", "answer me in German please", "answer in German"),
        (
            "Bitte keine Kommentare im Code",
            "keine Kommentare im Code bitte",
            "lass die Kommentare im Code weg",
        ),
        ("请用中文回答", "用中文回答我", "请用中文"),
        ("Por favor responde en español", "responde en español por favor", "respóndeme en español"),
    ],
)
def test_a_wish_that_only_says_what_is_to_be_done_counts_too(
    memory: cogmem.Memory, texts: tuple[str, ...]
) -> None:
    for number, text in enumerate(texts):
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    assert "(said 3 times since 15 January)" in stable(memory, NOW + 3 * DAY)


def test_of_two_orders_the_later_one_counts_what_was_said(memory: cogmem.Memory) -> None:
    said = ("Bitte keine Kommentare im Code", "keine Kommentare im Code bitte")
    for number, text in enumerate((*said, "lass die Kommentare im Code weg")):
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
        assert [line for line in stable(memory, NOW + number * DAY).splitlines() if "Code" in line]


def test_a_standing_order_that_is_said_in_other_words_is_told_once(memory: cogmem.Memory) -> None:
    for number, text in enumerate(
        ("Please answer in German", "answer me in German please", "Always answer in German")
    ):
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    told = [line for line in stable(memory, NOW + 3 * DAY).splitlines() if "German" in line]
    assert told == ["- Always answer in German (said 3 times since 15 January)"]


@pytest.mark.parametrize(
    ("rule", "freed"),
    [
        ("Never commit to main", "you can commit to main now"),
        ("never use emojis", "emojis are fine again"),
        ("always run the linter before committing", "no need to run the linter before committing any more"),
        ("always write tests first", "stop writing tests first"),
    ],
)  # fmt: skip
def test_a_rule_that_is_taken_back_stands_in_no_prompt(
    memory: cogmem.Memory, rule: str, freed: str
) -> None:
    say(memory, "s0", rule, NOW, night=False)
    assert rule in stable(memory, NOW)
    say(memory, "s1", freed, NOW + DAY, night=False)
    assert rule not in stable(memory, NOW + DAY)


def test_what_is_said_in_a_second_session_counts_more(memory: cogmem.Memory) -> None:
    say(memory, "s0", SAID[0], NOW, night=False)
    (first,) = memory.list(now=NOW)
    say(memory, "s1", SAID[1], NOW + DAY, night=False)
    assert memory.get(first.uid, now=NOW + DAY).reinforcement_count > first.reinforcement_count


def test_a_rebuke_that_is_said_again_is_active(memory: cogmem.Memory) -> None:
    say(memory, "s0", "Why do you keep adding docstrings to every private function?", NOW, False)
    assert memory.list(now=NOW) == []
    again = "no docstrings on private functions, I said that before!"
    say(memory, "s1", again, NOW + DAY, night=False)
    (kept,) = memory.list(now=NOW + DAY)
    assert (kept.content, kept.state) == (again.rstrip("!"), "active")
    assert "docstrings" not in stable(memory, NOW + DAY)


def test_what_a_person_removed_is_not_made_a_rule_again(memory: cogmem.Memory) -> None:
    for number, text in enumerate(SAID):
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    (rule,) = [row for row in memory.list(now=NOW + 3 * DAY) if "said" in row.data]
    memory.remove(rule.uid, now=NOW + 3 * DAY)
    say(memory, "s9", SAID[1], NOW + 4 * DAY, night=False)
    assert "said" not in stable(memory, NOW + 5 * DAY)


@pytest.mark.parametrize(
    ("other", "clearer"),
    [
        ("you should only touch session files", "stop editing in the main workspace"),
        ("never touch main workspace files, only session files",
         "never touch main workspace files, only session files"),
    ],
)  # fmt: skip
def test_two_wordings_of_one_wish_are_one_rule_in_the_clearer_words_and_both_stay_memories(
    memory: cogmem.Memory, other: str, clearer: str
) -> None:
    for number, text in enumerate(
        (
            "you're editing in the main workspace",
            "you're editing the main workspace again",
            "stop editing in the main workspace",
            "why are you editing main workspace files, not session files?",
            "are you editing main workspace files, not session files?",
            other,
        )
    ):
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    told = [line for line in stable(memory, NOW + 8 * DAY).splitlines() if "said" in line]
    assert told == [f"- {clearer} (said 6 times since 15 January)"]
    held = {row.content for row in memory.list()}
    assert {other, "stop editing in the main workspace"} <= held


def test_what_is_said_three_times_in_one_session_is_no_rule(memory: cogmem.Memory) -> None:
    for number, text in enumerate(SAID):
        say(memory, "one", text, NOW + number, night=False)
    assert "said" not in stable(memory, NOW + DAY)


def test_another_matter_is_not_the_same(memory: cogmem.Memory) -> None:
    for number, text in enumerate(
        (
            "run the tests of the importer",
            "the importer drops empty rows",
            "show me the tests of billing",
        )
    ):
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    assert "said" not in stable(memory, NOW + 4 * DAY)


def test_a_message_that_is_forgotten_leaves_no_statement(memory: cogmem.Memory) -> None:
    say(memory, "s0", SAID[0], NOW, night=False)
    assert memory.db.ask("select count(*) from said") == [(1,)]
    number = memory.db.ask("select id from message")[0][0]
    memory.forget(f"msg_{number}", now=NOW + 1)
    assert memory.db.ask("select count(*) from said_word") == [(0,)]


def test_a_rebuke_in_question_form_counts_and_the_clearest_wish_is_the_wording(
    memory: cogmem.Memory,
) -> None:
    for number, text in enumerate(
        (
            "why are you editing files in the main workspace?",
            "did you edit the main workspace files again?",
            "you're editing files in the main workspace, not the session workspace",
        )
    ):
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    told = [line for line in stable(memory, NOW + 4 * DAY).splitlines() if "workspace" in line]
    assert len(told) == 1
    assert told[0].startswith("- you're editing")


def test_orders_of_the_moment_are_no_rule_however_often_they_are_given(
    memory: cogmem.Memory,
) -> None:
    for number in range(6):
        for text in ("Proceed with phase 1, ask me questions", "Address 3, 8 and 11", "yes, go on"):
            say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    assert "said" not in stable(memory, NOW + 7 * DAY)


def test_a_rule_is_told_once_whatever_it_is_called(memory: cogmem.Memory) -> None:
    for number, text in enumerate((*SAID, *SAID, *SAID)):
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    told = [line for line in stable(memory, NOW + 9 * DAY).splitlines() if "said" in line]
    assert len(told) == 1
    assert "said 9 times" in told[0]


def test_a_file_that_is_pointed_at_in_three_sessions_is_a_rule(memory: cogmem.Memory) -> None:
    for number, text in enumerate(
        (
            "did you follow @house-style.md at all?",
            "@house-style.md",
            "not like this, see @house-style.md",
        )
    ):
        assert "house-style" not in stable(memory, NOW + number * DAY)
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    lines = stable(memory, NOW + 3 * DAY).splitlines()
    assert [line for line in lines if "since" in line] == [
        "- @house-style.md (said 3 times since 15 January)"
    ]


def test_another_file_with_words_of_the_same_is_not_pointed_at(memory: cogmem.Memory) -> None:
    for number, name in enumerate(("house-style", "house-rules", "house-colours")):
        say(memory, f"s{number}", f"read @{name}.md", NOW + number * DAY, night=False)
    assert "said" not in stable(memory, NOW + 4 * DAY)


def test_a_rule_names_no_no_that_it_was_said_with_and_no_saying_of_its_own_doubts_it(
    memory: cogmem.Memory,
) -> None:
    for number in range(3):
        text = "no, always write to the staging table" if number else "no, use the staging table"
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    told = [line for line in stable(memory, NOW + 4 * DAY).splitlines() if "staging" in line]
    assert told
    assert not any("- no" in line.lower() or "check:" in line for line in told)


def test_what_an_agent_wrote_first_is_not_the_persons_own(memory: cogmem.Memory) -> None:
    wish = "We want every importer to write through the staging table"
    memory.conversation("review").append("assistant", f"Findings\n\n1. **{wish}**", at=NOW)
    say(memory, "s1", f"Address 1. {wish}.\nLeave out 2.", NOW + DAY, night=False)
    assert memory.list(now=NOW + DAY) == []
    say(memory, "s2", wish, NOW + 2 * DAY, night=False)  # all that is said: an answer
    assert [row.content for row in memory.list(now=NOW + 2 * DAY)] == [wish]


def test_what_only_says_that_something_works_now_makes_no_memory(memory: cogmem.Memory) -> None:
    for number, text in enumerate(("perfect, that works", "perfect, works now")):
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    assert memory.list(now=NOW + 2 * DAY) == []


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("Always answer in German",
         ("answer in English", "please answer in English", "answer me in English please")),
        ("Antworte immer auf Deutsch",
         ("antworte auf Englisch", "bitte antworte auf Englisch", "antworte mir auf Englisch")),
        ("Responde siempre en español",
         ("responde en inglés", "respóndeme en inglés", "por favor responde en inglés")),
        ("请一直用中文回答", ("用英文回答", "请用英文回答我", "用英文回答吧")),
    ],
)  # fmt: skip
def test_a_rule_ends_the_order_beside_which_it_cannot_hold(
    memory: cogmem.Memory, order: str, said: tuple[str, ...]
) -> None:
    say(memory, "s0", order, NOW, night=False)
    for number, text in enumerate(said, start=1):
        assert f"- {order}" in stable(memory, NOW + number * DAY - 1)
        say(memory, f"s{number}", text, NOW + number * DAY, night=False)
    always = stable(memory, NOW + 4 * DAY)
    assert order not in always
    assert "said 3 times" in always


def test_a_rule_of_something_else_ends_no_order(memory: cogmem.Memory) -> None:
    say(memory, "s0", "Always answer in German", NOW, night=False)
    for number, text in enumerate(
        ("keep answers short", "keep your answers short", "short answers please")
    ):
        say(memory, f"t{number}", text, NOW + (number + 1) * DAY, night=False)
    assert "Always answer in German" in stable(memory, NOW + 5 * DAY)
