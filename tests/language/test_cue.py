"""A prompt becomes a cue: safe terms, days and names, at a bounded cost.

Modules: words, days, asking.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta, timezone

import apsw
import pytest
from conftest import examples
from counted import calls
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import ran

import cogmem.language.cue
from cogmem.errors import InvalidInput
from cogmem.language import days as cue_days
from cogmem.language import words as cue_words
from cogmem.language.cue import (
    MAX_TERMS,
    PAIRED,
    any_of,
    cjk_text,
    index_words,
    message_words,
    read_cue,
)

NOW = datetime(2024, 4, 26, 12, tzinfo=UTC)  # a Friday
LOG = "\n".join(
    f"2024-03-15T10:{i % 60:02d}:00 ERROR worker-{i} parse_config failed at src/a{i}/b.py J{i}Run"
    for i in range(900)
)


@pytest.fixture(scope="module")
def index() -> apsw.Connection:
    db = apsw.Connection(":memory:")
    db.execute(
        "create virtual table t using fts5 (content, terms, "
        'tokenize="porter unicode61 remove_diacritics 2")'
    )
    return db


def found(db: apsw.Connection, content: str, match: str) -> bool:
    db.execute("delete from t")
    db.execute("insert into t values (?, ?)", (content, cjk_text(content)))
    return bool(match) and bool(db.execute("select 1 from t(?)", (match,)).fetchall())


def forms(text: str) -> list[str]:
    return [term.forms[0] for term in read_cue(text).terms]


def days(text: str, now: datetime = NOW) -> list[tuple[str, str]]:
    def iso(ms: int) -> str:
        return datetime.fromtimestamp(ms / 1000, now.tzinfo).date().isoformat()

    return [(iso(start), iso(end - 1)) for start, end in read_cue(text, now).spans]


@settings(max_examples=examples(300), deadline=None)
@given(st.text(max_size=300) | st.text(alphabet="\"'*^-+:(){}NEAR ANDOT_./東京かな\n", max_size=80))
def test_no_prompt_is_a_syntax_error_of_the_index(text: str) -> None:
    cue = read_cue(text, NOW)
    db = apsw.Connection(":memory:")
    db.execute("create virtual table t using fts5 (content)")
    for match in (
        cue.match,
        *(term.match for term in cue.terms),
        *(any_of(term.kin) for term in cue.terms),
    ):
        if match:
            db.execute("select 1 from t(?)", (match,)).fetchall()


@settings(max_examples=examples(200), deadline=None)
@given(st.text(max_size=400))
def test_a_cue_depends_on_the_text_alone_and_is_bounded(text: str) -> None:
    cue = read_cue(text, NOW)
    assert repr(cue) == repr(read_cue(text, NOW))
    assert len(cue.terms) <= MAX_TERMS
    assert all(start < end for start, end in cue.spans)


@pytest.mark.parametrize(
    "text", ["", "   \n", "...!!! --- ???", "“”‘’ —", "the of and", "-" * 50_000]
)
def test_a_prompt_that_says_nothing_gives_an_empty_cue(text: str) -> None:
    cue = read_cue(text, NOW)
    assert not cue
    assert cue.match == ""


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("fix parse_config now", "parse config", ["parse", "config"]),
        ("see `src/auth/login.py`.", "src auth login py", ["src", "auth", "login", "py"]),
        ("why HTTPServer fails", "httpserver", ["http", "server"]),
        ("use gpt-4 here", "gpt 4", ["gpt"]),
    ],
)
def test_identifiers_are_kept_whole_and_split(text: str, whole: str, parts: list[str]) -> None:
    said = forms(text)
    assert whole in said
    assert set(parts) - {"http"} <= set(said)  # http alone is a stop word


def test_an_identifier_finds_itself_in_the_index(index: apsw.Connection) -> None:
    for name in (
        "parse_config",
        "src/auth/login.py",
        "HTTPServer",
        "--no-verify",
        "a.b.C",
        "naïve",
    ):
        assert found(index, f"We call {name} twice.", read_cue(name).terms[0].match), name


def test_an_inflected_or_irregular_word_finds_its_other_forms(index: apsw.Connection) -> None:
    assert found(index, "She went home.", read_cue("When does she go?").match)
    assert found(index, "Two children.", read_cue("a child").match)
    assert found(index, "He was teaching.", read_cue("who taught this").match)
    assert not found(index, "She stayed.", read_cue("When does she go?").match)


def test_kindred_words_are_apart_from_forms_and_hold_the_right_way() -> None:
    pets, dog = read_cue("which pets").terms[0], read_cue("the dog").terms[0]
    assert pets.forms == ("pets",)
    assert {"dog", "cat"} <= set(pets.kin)
    assert "cat" not in dog.kin
    assert not set(pets.forms) & set(pets.kin)


def test_a_prompt_is_english_by_words_that_no_other_language_has() -> None:
    assert read_cue("Which pets do they have?").is_english
    assert not read_cue("Was hat der Chef in Die Zeit gesagt?").is_english
    assert not read_cue("hotel restaurant").is_english
    assert not read_cue("养了什么宠物？").is_english


def test_stop_words_of_another_language_can_be_added() -> None:
    german = frozenset({"wo", "ist", "der"})
    cue = read_cue("Wo ist der Schlüssel", stop_words=german)
    assert [term.forms for term in cue.terms] == [("schlüssel",)]


def test_contractions_and_possessives_leave_the_word() -> None:
    assert forms("don't Caroline's we’ll Maria’s") == ["caroline", "maria"]


def test_cjk_is_cut_into_pairs_that_the_index_finds(index: apsw.Connection) -> None:
    for text, query in (
        ("東京都庁に行きました", "都庁"),
        ("우리는 파이썬을 사용한다", "파이썬"),
        ("使用缩进两个空格", "空格"),
        ("設定はPythonで書く", "python"),
        ("東京", "京"),
    ):
        assert found(index, text, read_cue(query).match), query
    assert found(index, "設定はPythonで書く", read_cue("Python").match)
    assert not found(index, "東京都庁", read_cue("大阪").match)


@given(st.text(alphabet="東京都庁に行きabc ,。", max_size=40))
def test_every_cjk_character_begins_a_token(text: str) -> None:
    tokens = cjk_text(text).split()
    assert {c for c in text if c in "東京都庁に行き"} == {t[0] for t in tokens if t[0] not in "abc"}


@given(st.text(alphabet=st.characters(max_codepoint=0x0DFF)))
def test_text_in_scripts_with_spaces_has_no_pairs(text: str) -> None:
    assert cjk_text(text) == ""


@pytest.mark.parametrize("text", ["I may march on", "in 1234", "2024-13-45", "12/13", "last one"])
def test_what_is_no_day_gives_none(text: str) -> None:
    assert days(text) == []


def test_days_begin_at_midnight_where_the_asker_is() -> None:
    tokyo = NOW.astimezone(timezone(timedelta(hours=9)))
    ((start, end),) = read_cue("2024-04-01", tokyo).spans
    assert start == int(datetime(2024, 3, 31, 15, tzinfo=UTC).timestamp() * 1000)
    assert end - start == 86_400_000


def test_a_clock_without_a_zone_is_refused() -> None:
    with pytest.raises(InvalidInput, match="time zone"):
        read_cue("yesterday", datetime(2024, 4, 26))


def test_without_a_clock_no_days_are_read() -> None:
    assert read_cue("last week").spans == ()


def test_names_are_the_capitalised_words_or_all_of_a_lower_case_prompt() -> None:
    assert read_cue("When did Caroline meet Nate?").names == ("caroline", "nate")
    assert "caroline" in read_cue("when did caroline sing").names


@pytest.mark.parametrize(
    "text",
    [
        LOG,
        "Please explain why our children went swimming again " * 1000,
        "東京都庁に行く" * 8000,
        "x" * 50_000,
    ],
)
def test_of_a_huge_prompt_the_ends_are_read(text: str) -> None:
    assert len(text) >= 50_000
    assert (
        calls(lambda: read_cue(text, NOW)) < 2 * calls(lambda: read_cue(text[:25_000], NOW)) + 1000
    )


def test_of_a_long_prompt_the_head_and_the_tail_count() -> None:
    said = forms(f"Investigate zebra crashes\n{LOG}\nWhere does the walrus leak memory?")
    assert {"investigate", "zebra", "walrus", "leak"} <= set(said)


def test_reading_a_cue_needs_no_heavy_module() -> None:
    code = (
        "import sys; from cogmem.language.cue import read_cue; read_cue('What did we do last week?');"
        "print([m for m in ('re', 'json', 'typing', 'dataclasses', 'pathlib') if m in sys.modules])"
    )
    root = os.path.dirname(os.path.dirname(os.path.dirname(cogmem.language.cue.__file__)))
    # Without site, since an editable install may load modules of its own.
    command = [sys.executable, "-S", "-c", code]
    out = ran(command, cwd=root, check=True)
    assert out.stdout.strip() == "[]"


def test_every_word_that_names_a_day_calls_for_the_calendar() -> None:
    words = {*cue_days.OPENERS, *(phrase.rpartition(" ")[2] for phrase in cue_days.NAMED)}
    assert [word for word in sorted(words) if not cue_words.is_of_time([word])] == []


def test_the_parts_of_identifiers_are_indexed_beside_them() -> None:
    assert index_words("We call useEffect in ChatPane, not HTTPServer.") == (
        "use Effect Chat Pane HTTP Server"
    )
    assert index_words("Plain words. And NASA, once more") == ""


def test_of_a_message_the_parts_of_identifiers_are_kept_and_the_pairs_behind_a_book() -> None:
    assert message_words("我们从Jenkins换到了GitHub Actions") == "Git Hub"
    assert message_words("Plain words, 1,5 of them") == ""
    assert message_words("We call useEffect.") == "use Effect"
    assert message_words("字" * PAIRED + "典") == "字典 典"


def test_thai_is_cut_into_pairs_of_letters() -> None:
    assert cjk_text("ชื่อ").split() == ["ชอ", "อ"]
    assert [term.forms for term in read_cue("ชื่อ").terms] == [("ชอ",)]
