"""Two statements that cannot both hold are told from two that may: a corpus of pairs says how well.

Modules: frames, opposites, cjk_frames, slots.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cogmem.language.clash import clash
from cogmem.language.opposites import opposed

PAIRS = Path(__file__).resolve().parents[2] / "benchmarks/hearing/pairs"


def pairs(name: str) -> list[tuple[bool, str, str]]:
    found, is_clash = [], False
    for line in (PAIRS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            is_clash = line == "# clash"
        else:
            one, other = line.split("|")
            found.append((is_clash, one, other))
    return found


@pytest.mark.parametrize(
    ("name", "least"), [("tuned", 0.95), ("later", 0.95), ("held", 0.85), ("fresh", 0.8)]
)
def test_what_cannot_both_hold_is_told_from_what_may(name: str, least: float) -> None:
    told = [(is_clash, clash(one, other) is not None) for is_clash, one, other in pairs(name)]
    right = told.count((True, True))
    assert right / (right + told.count((False, True))) >= 0.9
    assert right / (right + told.count((True, False))) >= least


def test_a_clash_says_what_stands_against_what() -> None:
    found = clash("The API listens on port 8080", "The API listens on port 8081", corrects=True)
    assert found is not None
    assert found.replaces
    assert found.reason == "“8080” against “8081”"


def test_what_nobody_said_had_changed_is_only_doubtful() -> None:
    found = clash("The door is red", "The door is green")
    assert found is not None
    assert not found.replaces


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Davide is a welder.", "Davide lives in Ghent."),
        ("Ann is a nurse.", "Ann is a mother of two."),
        ("I am a nurse.", "I moved to Oslo."),
        ("Ana es una enfermera.", "Ana vive en Lima."),
        ("Stork is a Debian server.", "Stork is in hall 3."),
        ("The deploy is on Monday.", "The deploy is at noon."),
        ("The meeting is in room 4.", "The meeting is at 10."),
        ("The meeting is on Monday.", "The meeting is in room 4."),
        ("The office is at Marktplatz 3.", "The office is in Berlin."),
        ("The code is in Rust.", "The code is on GitHub."),
        ("Tom lives in Rome.", "Tom lives in a flat."),
    ],
)
def test_two_things_that_are_true_of_one_do_not_take_each_others_place(old: str, new: str) -> None:
    assert clash(old, new) is None
    assert clash(new, old) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Tom lives in Rome.", "Tom moved to Oslo."),
        ("The office is at Marktplatz 3.", "Our office moved to Lindenplatz."),
        ("Anna wohnt in Köln.", "Anna wohnt in Bonn."),
        ("The standup is at 10.", "The standup is at 11."),
        ("The server is a Dell.", "The server is now a Lenovo."),
        ("Наш офис находится в Казани.", "Теперь наш офис находится в Самаре."),
        ("Nasze biuro jest w Krakowie.", "Nasze biuro jest teraz w Gdańsku."),
        ("Ofisimiz Bursa'da.", "Ofisimiz artık İzmir'de."),
    ],
)
def test_a_new_place_time_or_sort_takes_the_place_of_the_old(old: str, new: str) -> None:
    found = clash(old, new)
    assert found is not None
    assert found.replaces


def test_no_in_portuguese_is_a_place_and_no_denial() -> None:
    found = clash("Moro em Braga", "agora moro no Porto")
    assert found is not None
    assert found.replaces
    assert clash("No usamos Jenkins", "Usamos Jenkins") is not None


def test_a_clause_of_a_longer_statement_may_say_that_something_changed() -> None:
    found = clash("The project is called Crane", "The project is Heron now, it used to be Crane")
    assert found is not None
    assert found.replaces


def test_the_names_of_days_and_colours_are_opposites_in_nine_languages() -> None:
    assert opposed("monday", "tuesdays") == "calendar"
    assert opposed("roja", "azules") == "quality"
    assert opposed("visible", "invisible") == "state"
    assert opposed("rot", "rood") == ""
    assert opposed("on", "off") == "", "before the end of a statement it says where"
    assert opposed("on", "off", are_last=True) == "state"


MOVED = [
    ("We have swimming every Wednesday at 5", "Swimming moved to Thursdays."),
    ("We have a team meeting on Mondays at ten", "The meeting moved to Tuesday"),
    ("Die Probe ist jeden Mittwoch", "Die Probe wurde auf Freitag verschoben"),
    ("每周三下午有组会", "组会改到周五上午了。"),
    ("毎週水曜日に会議があります", "会議は金曜日に変わりました"),
]
GIVEN_UP = [
    ("We use npm for the frontend", "We dropped npm, it's pnpm everywhere now"),
    ("I work at the bakery on Hill Street", "I quit the bakery, I'm at a bookshop now"),
    ("My phone is a Pixel 6.", "I got a new phone yesterday, an iPhone 15."),
    ("Milo's teacher is Ms. Okafor", "Milo has a new teacher, Mr. Lindqvist."),
    ("The landlord is Mr. Petrov.", "We have a new landlord, Mrs. Lang."),
    ("Unser Vermieter ist Herr Petrov", "Wir haben einen neuen Vermieter, Frau Lang"),
]
KEPT = [
    ("We met at the bakery", "I quit the bakery"),
    ("The coffee machine is in the kitchen", "I quit coffee"),
    ("We use npm for the frontend", "We dropped npm for the docs"),
    ("Ann's teacher is Ms. Okafor", "Milo has a new teacher, Mr. Lindqvist."),
    ("My friend is Tom", "I have a new friend, Kim"),
    ("My phone number is 123", "I got a new phone, an iPhone"),
]
STAYED = [
    ("The swimming pool closes on Monday for cleaning", "Swimming moved to Thursdays"),
    ("Judo is on Tuesdays", "Swimming moved to Thursday"),
    ("Milo was born in March", "Milo moved to Berlin in May"),
    ("The report is due on Friday", "The report moved to the archive"),
    ("我每周三去游泳", "组会改到周五了"),
    ("周三有组会和班会", "班会改到周四了"),
]


@pytest.mark.parametrize(("old", "new"), MOVED + GIVEN_UP)
def test_what_moved_was_given_up_or_is_new_takes_the_place_of_what_was(old: str, new: str) -> None:
    found = clash(old, new)
    assert found is not None
    assert found.replaces


@pytest.mark.parametrize(("old", "new"), STAYED + KEPT)
def test_what_is_said_of_something_else_stays(old: str, new: str) -> None:
    assert clash(old, new) is None
