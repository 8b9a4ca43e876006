"""Summaries without a model: the lines that a later reader will look for."""

from __future__ import annotations

from talks import SESSION, said

from cogmem.conversation.extract import condense, extract
from cogmem.conversation.summarise import LENGTHS
from cogmem.tokens import counting

COUNTER = counting.Simple()


def test_an_extracted_summary_keeps_files_errors_with_fixes_decisions_and_open_ends_in_order() -> (
    None
):
    text, hint = extract(SESSION, 320, COUNTER)
    sorts = [line.removeprefix("- ").partition(":")[0] for line in text.splitlines()]
    assert sorts == sorted(
        sorts, key=["file", "error", "depends", "config", "decision", "open", "asked", "told"].index
    )
    assert "- file: src/auth/login.py changed login" in text
    assert "KeyError: 'token_ttl' → " in text
    assert "missing default for token_ttl" in text
    assert "depends on the auth service" in text
    assert "config/app.toml changed" in text
    assert "Redis instead of Postgres, because they expire" in text
    assert "Rate limiting is still missing" in text
    assert "login page crashes" in text
    assert "noise" not in text
    assert "thanks" not in text
    assert "Let me look" not in text
    assert "login.py" in hint


def test_the_most_important_lines_remain_where_there_is_room_for_few() -> None:
    text, _ = extract(SESSION, 60, COUNTER)
    assert COUNTER.count(text) <= 60
    assert text.startswith("- file: ")


def test_a_summary_of_summaries_joins_files_and_keeps_sorts() -> None:
    children = [
        "- file: a.py changed f\n- decision: Use SQLite.",
        "- file: a.py changed g\n- decision: Use SQLite.\n- open: Docs are missing.",
        "Free words of a model: the deploy failed on Monday.",
    ]
    text, _ = condense(children, 200, COUNTER)
    assert text.splitlines() == [
        "- file: a.py changed f, g",
        "- error: Free words of a model: the deploy failed on Monday.",
        "- decision: Use SQLite.",
        "- open: Docs are missing.",
    ]


def test_people_s_talk_keeps_names_figures_and_who_said_them() -> None:
    talk = [
        said("user", "Hey! How are you?", "Ann"),
        said("user", "I moved to Lisbon in May 2026 with my dog Rufus.", "Ann"),
        said("user", "Nice.", "Bob"),
        said("user", "My sister Clara starts at Siemens on Monday.", "Bob"),
    ]
    text, hint = extract(talk, 80, COUNTER)
    assert "Ann: I moved to Lisbon in May 2026" in text
    assert "Bob: My sister Clara" in text
    assert "Lisbon" in hint
    assert LENGTHS == (150, 200, 260, 320)
