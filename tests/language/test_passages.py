"""Passages of a conversation: how they are parted, how they stand alone, what they are worth."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cogmem.language.passages import FEATURES, best, judge, names_in, parted, passages
from cogmem.text.data import weights

ANSWER = """I see the issue.

## Cause
- `load_config()` returns early, so `settings.toml` is never read
- tests

```go
func never() {}
```
| a | table |
Fixed: it reads the file first. All tests pass.
Should I also remove `old_config.py`?"""


def test_a_text_is_parted_into_sentences_and_items_without_code_and_tables() -> None:
    assert list(parted(ANSWER)) == [
        ("I see the issue.", "", False),
        ("`load_config()` returns early, so `settings.toml` is never read", "Cause", True),
        ("tests", "Cause", True),
        ("Fixed: it reads the file first.", "Cause", False),
        ("All tests pass.", "Cause", False),
        ("Should I also remove `old_config.py`?", "Cause", False),
    ]


def test_names_are_files_flags_functions_and_issues() -> None:
    text = "See `load_config()` in pkg/config.go and README.md, flag --no-sync, userName, MAX_SIZE, #12; or not."
    assert names_in(text) == [
        "load_config()", "pkg/config.go", "README.md", "--no-sync", "userName", "MAX_SIZE", "#12",
    ]  # fmt: skip


def test_an_answer_brings_its_question_and_a_pointing_sentence_the_one_before() -> None:
    found = passages(
        [
            ("assistant", ANSWER),
            ("user", "No, never."),
            ("assistant", "The cache of `store.go` is late. This is why nobody finds it."),
        ]
    )
    texts = [one.text for one in found]
    assert "Cause: tests" in texts
    assert "No, never. (asked: Should I also remove `old_config.py`?)" in texts
    assert texts[-1] == "The cache of `store.go` is late. This is why nobody finds it."
    assert found[-1].names == ["store.go"]


def test_a_denial_of_an_answer_brings_the_question_that_the_person_had_asked() -> None:
    asked = "Which mirror do the builds fetch from?"
    talk = [("user", asked), ("assistant", "The wiki names the old one in Oslo.")]
    denial = "Not since spring, now it's the one in Turku."
    assert passages([*talk, ("user", denial)])[-1].text == f"{denial} (asked: {asked})"
    # What denies nothing stands alone, and so does what answers the agent's own question.
    assert passages([*talk, ("user", "Then build with it.")])[-1].text == "Then build with it."
    offers = ("assistant", "The old one in Oslo. Shall I list all of them for you?")
    told = "No, I know the others and do not need them in this list at all."
    assert passages([talk[0], offers, ("user", told)])[-1].text == told


def test_a_correction_is_worth_more_than_a_greeting_and_what_is_said_twice_stands_once() -> None:
    wish = "We don't want a second config file, put it into settings.toml instead."
    found = passages([("user", wish), ("user", "hello there, how are you today"), ("user", wish)])
    judge(found)
    assert [one.said for one in best(found)] == [wish]
    assert found[0].sort == "dropped"
    assert found[0].chance > 3 * found[1].chance


def test_questions_orders_of_the_moment_and_next_steps_are_no_lines() -> None:
    found = passages(
        [
            ("user", "What does the loader do with the file?"),
            ("user", "Commit and push everything to the server."),
            ("assistant", "Let me look at `loader.py` because it fails when the file is missing."),
            ("assistant", "Would you like me to never read it again because it is slow?"),
        ]
    )
    judge(found)
    assert [one.sort for one in found] == ["", "", "", ""]


def test_each_weight_is_one_of_a_feature() -> None:
    assert set(weights("passages")) == set(FEATURES)


@given(st.lists(st.text(alphabet="ab_/.`-#5 Xé", max_size=20), max_size=4))
def test_a_name_stands_in_one_line_whatever_stands_around_it(lines: list[str]) -> None:
    each = [name for line in lines for name in names_in(line)]
    assert names_in("\n".join(lines)) == list(dict.fromkeys(each))
