"""The days that a prompt names, in the words of many languages.

Modules: months
"""

from __future__ import annotations

import os
import shutil
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import ran

from cogmem.language.cue import read_cue
from cogmem.language.days import OPENERS, dates
from cogmem.language.table import words_of_days
from cogmem.language.words import times

TODAY = date(2026, 11, 23)
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("letztes Jahr", "2025-01-01", "2025-12-31"),
        ("im Frühjahr", "2026-03-01", "2026-05-31"),
        ("vor zwei Wochen", "2026-11-06", "2026-11-12"),
        ("diesen Monat", "2026-11-01", "2026-11-30"),
        ("letzten Mai", "2026-05-01", "2026-05-31"),
        ("en mars dernier", "2026-03-01", "2026-03-31"),
        ("vorgestern", "2026-11-21", "2026-11-21"),
        ("Anfang 2025", "2025-01-01", "2025-04-30"),
        ("la semana pasada", "2026-11-16", "2026-11-22"),
        ("en 2024", "2024-01-01", "2024-12-31"),
        ("hace un mes", "2026-10-09", "2026-11-08"),
        ("l’hiver dernier", "2025-12-01", "2026-02-28"),
        ("au printemps", "2026-03-01", "2026-05-31"),
        ("il y a deux ans", "2024-05-25", "2025-05-24"),
        ("l'année dernière", "2025-01-01", "2025-12-31"),
        ("no ano passado", "2025-01-01", "2025-12-31"),
        ("dois anos atrás", "2024-05-25", "2025-05-24"),
        ("la primavera scorsa", "2026-03-01", "2026-05-31"),
        ("a marzo", "2026-03-01", "2026-03-31"),
        ("un anno fa", "2025-05-25", "2026-05-24"),
        ("vorig jaar", "2025-01-01", "2025-12-31"),
        ("drie weken geleden", "2026-10-30", "2026-11-05"),
        ("в марте", "2026-03-01", "2026-03-31"),
        ("в декабре", "2025-12-01", "2025-12-31"),
        ("прошлой весной", "2026-03-01", "2026-05-31"),
        ("в 2025 году", "2025-01-01", "2025-12-31"),
        ("год назад", "2025-05-25", "2026-05-24"),
        ("w zeszłym roku", "2025-01-01", "2025-12-31"),
        ("geçen yıl", "2025-01-01", "2025-12-31"),
        ("2025'te", "2025-01-01", "2025-12-31"),
        ("last spring", "2026-03-01", "2026-05-31"),
        ("this autumn", "2026-09-01", "2026-11-30"),
        ("last autumn", "2025-09-01", "2025-11-30"),
        ("in the summer of 2024", "2024-06-01", "2024-08-31"),
        ("in early 2026", "2026-01-01", "2026-04-30"),
        ("in Q1", "2026-01-01", "2026-03-31"),
        ("Q3 2025", "2025-07-01", "2025-09-30"),
        ("am Freitag", "2026-11-20", "2026-11-20"),
        ("letzten Dienstag", "2026-11-17", "2026-11-17"),
        ("am letzten Wochenende", "2026-11-21", "2026-11-22"),
        ("in den letzten zehn Tagen", "2026-11-13", "2026-11-23"),
        ("am 7. Mai", "2026-05-07", "2026-05-07"),
        ("vendredi dernier", "2026-11-20", "2026-11-20"),
        ("le 1er mars 2025", "2025-03-01", "2025-03-01"),
        ("hier", "2026-11-22", "2026-11-22"),
        ("el viernes", "2026-11-20", "2026-11-20"),
        ("el 7 de mayo de 2025", "2025-05-07", "2025-05-07"),
        ("últimos 3 meses", "2026-08-25", "2026-11-23"),
        ("na sexta-feira", "2026-11-20", "2026-11-20"),
        ("lunedì scorso", "2026-11-16", "2026-11-16"),
        ("op vrijdag", "2026-11-20", "2026-11-20"),
        ("7 мая 2025", "2025-05-07", "2025-05-07"),
        ("в пятницу", "2026-11-20", "2026-11-20"),
        ("w piątek", "2026-11-20", "2026-11-20"),
        ("from June 1st to June 7th", "2026-06-07", "2026-06-07"),
        ("what did I say this morning", "2026-11-23", "2026-11-23"),
    ],
)
def test_a_time_is_read(said: str, first: str, last: str) -> None:
    spans = read_cue(said, NOW).spans
    found = [
        tuple(datetime.fromtimestamp(ms / 1000, UTC).date().isoformat() for ms in (begin, end - 1))
        for begin, end in spans
    ]
    assert (first, last) in found


@pytest.mark.parametrize(
    "said",
    [
        "how is security configured in Spring?",
        "a march on Rome",
        "port 2024 is taken",
        "der Server von Ann",
        "ten days on an island",
        "this is the last an hour",
        "el mes que viene",
        "it may last for long",
        "die letzte Option im Menü",
        "son mois de congé",
        "friday night lights",
    ],
)
def test_what_only_looks_like_a_time_is_none(said: str) -> None:
    assert read_cue(said, NOW).spans == ()


def test_a_season_stays_a_word_of_the_prompt() -> None:
    assert "spring" in [term.forms[0] for term in read_cue("the party last spring", NOW).terms]


@given(
    st.lists(st.sampled_from([*sorted(OPENERS), "2024", "last", "vor", "il", "y", "a", "'", "0"]))
)
def test_any_row_of_words_of_time_is_read(words: list[str]) -> None:
    for first, last in dates(words, TODAY)[0]:
        assert first <= last


MADE_UP = "\n[days]\n" + "".join(
    f"{word}\t{name}\n"
    for word, name in {
        "solu": "month-5-alone", "jarno": "year", "viko": "week", "fora": "last", "ante": "ago-before",
        "dua": "2", "hieru": "yesterday", "somo": "summer", "ena": "before-season before-year",
        "pundo": "weekday-1", "sur": "before-day",
    }.items()
)  # fmt: skip


def test_a_language_is_added_by_a_file(tmp_path: Path) -> None:
    """The words of a language that nobody speaks, read by a process that finds them among the others."""
    import cogmem

    package = tmp_path / "cogmem"
    shutil.copytree(Path(cogmem.__file__).parent, package)
    (package / "data" / "words" / "xx.txt").write_text(f"# made up\nmi\tthe\n{MADE_UP}")
    said = (
        "from cogmem.language.cue import read_cue; from datetime import UTC, datetime;"
        "at = datetime(2026, 11, 23, tzinfo=UTC);"
        "print([[datetime.fromtimestamp(ms / 1000, UTC).date().isoformat() for ms in read_cue(text, at).spans[0]]"
        " for text in ('fora jarno', 'ante dua viko', 'hieru', 'solu', 'ena somo', 'sur pundo')])"
    )
    place = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = ran([sys.executable, "-c", said], env=place, cwd=tmp_path, check=True)
    assert done.stdout.strip() == str([
        ["2025-01-01", "2026-01-01"],
        ["2026-11-06", "2026-11-13"],
        ["2026-11-22", "2026-11-23"],
        ["2026-05-01", "2026-06-01"],
        ["2026-06-01", "2026-09-01"],
        ["2026-11-16", "2026-11-17"],
    ])  # fmt: skip


def test_the_list_of_times_has_the_words_of_every_language_that_ships() -> None:
    known = times()
    for name, words in words_of_days().items():
        if name.startswith(("month-", "weekday-")) or name in (
            "day",
            "week",
            "month",
            "year",
            "summer",
            "today",
        ):
            assert [word for word in words if word not in known] == [], name
