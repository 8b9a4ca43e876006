"""The gate: nothing is added to a prompt unless something in memory speaks to it.

Modules: language.asking, language.ordinary, matters, turn.matter.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from talks import talked

from cogmem.errors import InvalidInput
from cogmem.file.db import Database
from cogmem.language.asking import Asking
from cogmem.language.cue import read_cue
from cogmem.language.ordinary import per_thousand
from cogmem.search.gate import Gate, chance, least_chance
from cogmem.search.memories import candidates
from cogmem.search.messages import evidence
from cogmem.store.policy import Policy

if TYPE_CHECKING:
    import cogmem

IDLE = [
    "ok",
    "thanks, that helped a lot",
    "moi",
    "да, продолжай",
    "好的",
    "run the linter",
    "git status",
    "What is the capital of Mongolia?",
    "Write a limerick about a goat",
    "I'm bored",
    "is my English good?",
    "Where does Wilhelmina live?",
    "诸葛文博在哪家公司工作？",
]


@pytest.fixture
def lived(memory: cogmem.Memory) -> cogmem.Memory:
    """A memory of some weeks: facts, an episode, talk with an assistant."""
    for fact in (
        "The staging server is called heron.",
        "Invoices are numbered without gaps.",
        "Ann is allergic to walnuts.",
        "The queue between orders and billing is NATS.",
    ):
        memory.learn(fact, now=NOW - 9 * DAY)
    memory.episode(
        "The migration of May failed", outcome="the index was missing", now=NOW - 8 * DAY
    )
    monday = memory.conversation("monday")
    for who, text in (
        ("user", "I planted a fig tree on the balcony."),
        ("assistant", "Lovely! Water it once a week and keep it out of the wind."),
        ("user", "run the linter"),
        ("assistant", "The linter found nothing."),
        ("user", "We agreed to drop tablets until version 2."),
        ("assistant", "Understood, I will note that."),
    ):
        monday.append(who, text, at=NOW - 7 * DAY)
    return memory


@pytest.mark.parametrize("prompt", IDLE)
def test_a_prompt_that_nothing_speaks_to_gets_nothing(lived: cogmem.Memory, prompt: str) -> None:
    assert lived.activate(prompt, now=NOW).volatile == ""


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("what is the staging server called?", "heron"),
        ("deploy it to the staging server", "heron"),
        ("bake a cake for Ann", "walnuts"),
        ("What did I plant on the balcony?", "fig tree"),
        ("When will we support tablets?", "until version 2"),
        ("why did the migration in May fail?", "index was missing"),
        ("which queue is between orders and billing?", "NATS"),
    ],
)
def test_a_prompt_that_memory_answers_gets_the_answer(
    lived: cogmem.Memory, prompt: str, answer: str
) -> None:
    assert answer in lived.activate(prompt, now=NOW).volatile


def test_ten_megabytes_of_prompt_are_read_at_their_ends_only(lived: cogmem.Memory) -> None:
    much = "lorem ipsum " * 900_000
    lived.learn("The quokka server is staging", now=NOW)
    asked = "Which server is the quokka server? "
    assert lived.activate(much, now=NOW).volatile == ""
    assert "staging" not in lived.activate(much + asked + much, now=NOW).volatile
    assert "quokka" in read_cue(asked + much).forms
    assert "quokka" in read_cue(much + asked).forms
    assert "quokka" not in read_cue(much + asked + much).forms


def test_what_only_repeats_the_prompt_opens_nothing(memory: cogmem.Memory) -> None:
    talk = memory.conversation("monday")
    for prompt in ("rebuild the aviary index", "please rebuild the aviary index"):
        talk.append("user", prompt, at=NOW - DAY)
    assert memory.activate("rebuild the aviary index", now=NOW).volatile == ""


def test_the_setting_is_a_word_or_a_chance(lived: cogmem.Memory) -> None:
    shown = {}
    for value in ("cautious", "balanced", "generous", "0"):
        lived.store.set_setting("silence", value, now=NOW)
        shown[value] = lived.activate("is there a server for staging walnuts?", now=NOW).tokens
    assert shown["cautious"] <= shown["balanced"] <= shown["generous"] <= shown["0"]
    for wrong in ("loud", "1.5", "-1", ""):
        with pytest.raises(InvalidInput, match="cautious, balanced or generous"):
            lived.store.set_setting("silence", wrong, now=NOW)
    assert least_chance("Balanced") == 0.25
    assert least_chance("0.4") == 0.4
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        least_chance("nan")


def test_weights_are_rows_that_a_person_may_turn(lived: cogmem.Memory) -> None:
    assert lived.activate("bake a cake for Ann", now=NOW).volatile
    lived.db.write(
        [
            (
                "update gate_weight set weight = :weight where name = :name",
                {"name": "memory.bias", "weight": -90.0},
            )
        ],
        verb="setting",
        at=NOW,
    )
    assert not lived.activate("bake a cake for Ann", now=NOW).volatile


def test_the_ledger_and_why_not_tell_the_chance(lived: cogmem.Memory) -> None:
    fact = next(row for row in lived.list(now=NOW) if "walnuts" in row.content)
    turn = lived.activate("bake a cake for Ann", now=NOW)
    told = lived.why(fact.uid, turn.turn)
    assert told.chance > 0.25
    kept_out = lived.why_not(
        fact.uid, "Ann Lee discovered what about ancient Roman harbours?", now=NOW
    )
    assert kept_out.stage == "silent"
    assert "too little speaks for it" in kept_out.sentence
    assert kept_out.figures["cover"] > 0


def test_a_message_is_weighed_for_why_not_although_nothing_was_shown(lived: cogmem.Memory) -> None:
    told = lived.why_not(
        "msg_1", "Which trees grow in the taiga of Siberia, and how cold is it there?", now=NOW
    )
    assert told.stage == "silent"
    assert 0 < told.chance < 0.25


def test_a_word_that_only_looks_like_one_of_the_prompt_opens_nothing(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Errors go to the #alerts channel.", now=NOW - DAY)
    memory.learn("Tobias lives in Graz.", now=NOW - DAY)
    for prompt in ("how much did the chandelier cost?", "grazie"):
        assert memory.activate(prompt, now=NOW).volatile == ""
    slipped = memory.activate("what is the allerts channel for errors?", now=NOW)
    assert "#alerts" in slipped.volatile


def test_an_ordinary_word_alone_opens_nothing(memory: cogmem.Memory) -> None:
    memory.learn("The printer is broken until Monday.", now=NOW - DAY)
    memory.learn("The user likes window seats.", now=NOW - DAY)
    for prompt in ("still broken", "let's take a break", "good night", "what is 12 times 30?"):
        assert memory.activate(prompt, now=NOW).volatile == ""
    assert "Monday" in memory.activate("is the printer broken?", now=NOW).volatile


def test_function_words_of_other_languages_open_nothing(memory: cogmem.Memory) -> None:
    memory.learn("Le code de la porte est chez Mamie.", now=NOW - DAY)
    memory.learn("Der Schlüssel liegt unter dem blauen Topf.", now=NOW - DAY)
    for prompt in ("quelle est la capitale de la Mongolie ?", "à demain", "wo liegt der Fehler?"):
        assert "Mamie" not in memory.activate(prompt, now=NOW).volatile
    assert "Mamie" in memory.activate("où est le code de la porte ?", now=NOW).volatile


def test_the_verb_that_a_request_begins_with_is_not_what_it_is_about(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Screenshots in tests use a fixed clock.", now=NOW - DAY)
    memory.learn("The user prefers window seats.", now=NOW - DAY)
    for prompt in ("fix the memory leak", "fix my typo", "please fix the indentation"):
        assert memory.activate(prompt, now=NOW).volatile == ""
    assert "clock" in memory.activate("which clock do the screenshots use?", now=NOW).volatile


STATED = (
    "Don't deploy on Fridays",
    "I have two kids, Ida and Sam",
    "Our newsletter goes out on Mondays",
    "The cellar key hangs behind the boiler",
    "The printer needs the blue cartridge",
    "Anna waters the plants",
)


@pytest.mark.parametrize(
    ("prompt", "stated"),
    [
        ("deploy the new version please", STATED[0]),
        ("Plan a weekend with the kids", STATED[1]),
        ("Write a poem about the ocean", ""),
        ("What is the capital of France?", ""),
        ("please continue with the next step", ""),
    ],
)
def test_a_session_that_begins_is_told_what_was_stated_of_its_most_telling_word(
    memory: cogmem.Memory, prompt: str, stated: str
) -> None:
    memory.conversation("earlier").append("user", "Let us begin with the plan.", at=NOW - DAY)
    for one in STATED:
        memory.learn(one, now=NOW - DAY)
    told = memory.activate(prompt, session="begins", now=NOW).volatile
    assert [one for one in STATED if one in told] == [one for one in (stated,) if one]
    memory.conversation("under way").append("user", "Where did we stop?", at=NOW)
    inner = memory.activate(prompt, session="under way", now=NOW + 1).volatile
    assert not any(one in inner for one in STATED)


def test_a_prompt_that_was_recorded_before_it_asks_is_told_the_same(
    memory: cogmem.Memory,
) -> None:
    said = "The password reset bug was caused by the clock skew between the servers"
    memory.conversation("earlier").append("user", said, at=NOW - DAY)
    memory.learn("The staging server is heron.", now=NOW - DAY)
    for number, (prompt, told) in enumerate(
        (("Which server is staging?", "heron"), ("what caused the password reset bug?", said))
    ):
        assert told in memory.activate(prompt, session=f"asks {number}", now=NOW).volatile
        memory.conversation(f"records {number}").append("user", prompt, at=NOW)
        recorded = memory.activate(prompt, session=f"records {number}", now=NOW).volatile
        assert told in recorded
        assert f"user: {prompt}" not in recorded


def test_a_word_near_in_meaning_speaks_for_the_prompts_own(memory: cogmem.Memory) -> None:
    memory.learn("The user works as a school nurse.", now=NOW - DAY)
    memory.learn("The user likes window seats.", now=NOW - DAY)
    assert "nurse" in memory.activate("what is my job?", now=NOW).volatile


def test_a_subject_of_many_memories_tells_as_much_as_one_of_a_single_memory(
    memory: cogmem.Memory,
) -> None:
    for text in ("runs on port 8104", "is written in Rust", "belongs to the Otters"):
        memory.learn(f"The uploader {text}.", now=NOW - DAY)
    assert "8104" in memory.activate("which port does the uploader use?", now=NOW).volatile


def test_an_earlier_request_is_weighed_by_how_little_it_says(memory: cogmem.Memory) -> None:
    talk = memory.conversation("monday")
    for at, text in enumerate(("stash my changes", "merge the pull request", "fix the loop")):
        talk.append("user", text, at=NOW - DAY + at)
    for prompt in ("review my pull request", "I would prefer a loop here", "show the changes"):
        assert memory.activate(prompt, now=NOW).volatile == ""


# -- figures -----------------------------------------------------------------------------------------


@given(st.floats(0, 5), st.floats(0, 5))
def test_more_coverage_is_never_worth_less(one: float, two: float) -> None:
    weights = {"bias": -14.0, "cover": 6.0}
    low, high = sorted((one, two))
    assert 0 < chance({"cover": low}, weights) <= chance({"cover": high}, weights) < 1


def test_ordinary_words_are_known_by_their_stems() -> None:
    assert per_thousand("file") > per_thousand("port") > per_thousand("heron") == 0
    assert per_thousand("12") > per_thousand("2026") > per_thousand("8104714") > 0
    assert per_thousand("ます") > per_thousand("富士") == 0


@pytest.mark.parametrize(
    ("prompt", "marks"),
    [
        ("review my changes", {"first", "command"}),
        ("could you please add a test?", {"command"}),
        ("What did I say about the lease?", {"first", "past", "asks"}),
        ("how do I exit vim?", {"first", "asks", "may"}),
        ("What is a closure?", {"asks", "may"}),
        ("我上次买了什么？", {"first", "past", "asks"}),
        ("kiitos paljon", set()),
        ("I need a coffee", {"first", "tells"}),
        ("our build is red, fix it", {"first", "tells"}),
        ("why is my test failing?", {"first", "asks", "why"}),
        ("why did we drop tablets?", {"first", "asks", "past"}),
        ("can I delete this file?", {"first", "may", "asks", "here"}),
        ("are we done?", {"first", "asks"}),
        ("cherry-pick the last commit", {"command"}),
        ("what happened last week?", {"asks", "past"}),
        ("Où habite Apolline ?", {"asks"}),
        ("wer kann mir den Zugang zum Lager geben", {"first", "asks"}),
        ("schreib einen Endpunkt für die Rabatte der Kunden", {"command"}),
        ("arregla el error de la exportación de facturas", {"command"}),
        ("corrige le calcul des remises de nos clients", {"first", "command"}),
    ],
)
def test_a_prompt_has_these_marks(prompt: str, marks: set[str]) -> None:
    found = Asking(prompt)
    names = ("first", "past", "asks", "may", "command", "tells", "why", "here")
    assert {name for name in names if getattr(found, name)} == marks


def test_names_are_read_inside_sentences_and_not_in_german() -> None:
    assert Asking("When is Ottoline's birthday?").names == {"ottoline"}
    assert Asking("Wann hat Kunigunde Geburtstag?").names == frozenset()
    assert Asking("司徒雅婷的生日是哪天？").runs == {"司徒雅婷"}
    assert Asking("When is Ottoline's birthday?").names_a_stranger({"ottoline"})
    assert not Asking("When is Ann's birthday?").names_a_stranger({"birthday"})


def test_small_words_of_another_language_ask_for_nothing() -> None:
    asked = Asking("wer kann mir den Zugang zum Lager geben?")
    assert {"wer", "kann", "mir", "den", "zum"} <= asked.idle
    assert asked.idle.isdisjoint({"zugang", "lager"})
    assert Asking("who can give me the key of the store?").idle == frozenset()


def test_one_part_of_a_joined_name_is_no_match_and_two_are(memory: cogmem.Memory) -> None:
    for text in (
        "We moved from Jenkins to GitHub Actions.",
        "Effects run twice in ChatPane.",
        "Payments run on Stripe.",
    ):
        memory.learn(text, now=NOW)
    assert memory.activate("git status", now=NOW + DAY).volatile == ""
    assert "GitHub" in memory.activate("What did we do with GitHub?", now=NOW + DAY).volatile
    assert "ChatPane" in memory.activate("what about the chat pane", now=NOW + DAY).volatile


def test_a_day_in_the_calendar_finds_what_is_said_of_it(memory: cogmem.Memory) -> None:
    memory.learn("The user plays badminton on Wednesdays.", now=NOW - DAY)
    memory.learn("The flight to Rome is on 12 December 2026.", now=NOW - DAY)
    memory.learn("Deploys happen on Tuesdays and Thursdays.", now=NOW - DAY)
    for prompt, word in (
        ("what do I do on Wednesdays?", "badminton"),
        ("what is on 12 December?", "Rome"),
        ("can I deploy on Friday?", "Deploys"),  # that nothing is said of Fridays does not matter
    ):
        assert word in memory.activate(prompt, now=NOW).volatile
    assert not memory.activate("what was on last week?", now=NOW).volatile


def test_a_small_file_speaks_sooner_than_a_large_one(memory: cogmem.Memory) -> None:
    memory.learn("The user's manager is Samuel Osei.", now=NOW - DAY)

    def likely() -> float:
        told = memory.activate("write a mail to my manager", now=NOW, explain=True)
        return max(one.chance or 0.0 for one in [*told.items, *told.omitted])

    alone = likely()
    for number in range(200):
        memory.learn(f"Box {number} stands in row {number % 7}.", now=NOW - DAY)
    assert likely() < alone


def test_only_a_short_prompt_that_begins_a_session_finds_a_small_file_more_telling(
    memory: cogmem.Memory,
) -> None:
    memory.conversation("first").append("user", "Parcels leave from the depot in Gera.", at=NOW)

    def few(prompt: str, session: str) -> float:
        told = memory.activate(prompt, session=session, now=NOW + DAY, explain=True)
        return max(one.figures.get("few", 0.0) for one in (*told.items, *told.omitted))

    short = "where do parcels leave from, which depot?"
    assert few(short, "second") > 0
    assert few(f"{short} {'The label printer needs paper and ink. ' * 5}", "third") == 0
    memory.conversation("second").append("user", short, at=NOW + DAY)
    assert few("and which depot has the parcels for Gera?", "second") == 0


@pytest.mark.parametrize(
    ("prompt", "is_foreign"),
    [
        ("revise o arquivo de configuração com cuidado e corrija todos os erros", True),
        ("внеси в файл названия всех наших отделов", True),
        ("check the file of settings with care and mend all of its faults", False),
        (
            "这个文件要怎么修改才能保留旧的设置",
            False,
        ),  # pairs of characters are counted as they are
    ],
)
def test_words_of_a_language_that_nobody_counted_are_as_ordinary_as_english_ones(
    memory: cogmem.Memory, prompt: str, is_foreign: bool
) -> None:
    memory.learn("The zzyzx is red.", now=NOW)
    policy = Policy.of(memory.db)
    cue = read_cue(f"{prompt} zzyzx", NOW)
    gates = [Gate(text, cue, policy.weights, 0.25, memory.db.stems) for text in (prompt, "zzyzx?")]
    for gate in gates:
        candidates(memory.db, cue, memory.scope, gate=gate)
    here, elsewhere = [gate.tells[-1] for gate in gates]
    assert Asking(prompt).is_foreign == is_foreign
    assert (here < elsewhere) == is_foreign


def test_talk_that_a_hook_recorded_is_shown_before_anybody_counted_its_tokens(
    memory: cogmem.Memory,
) -> None:
    for number in range(20):
        memory.conversation(f"c{number}").append(
            "user", f"Change the colour of button {number}.", at=NOW
        )
    said = "Access logs are kept for 14 days only, because the privacy officer decided so."
    entries = [("user", said, None, NOW, None), ("assistant", "Understood.", None, NOW, None)]
    memory.conversation("logs").extend(entries, counted=False)
    report = "We cannot look into an incident, the access logs of last month are gone."
    assert said in memory.activate(report, now=NOW + DAY).volatile


@pytest.mark.parametrize(
    ("prompt", "is_report"),
    [
        ("The export is empty although there are orders.", True),
        ("A customer who moved to Norway gets two invoices.", True),
        ("Labels of returned parcels come out of the second printer.", True),
        ("mein Code läuft nicht", True),
        ("der Export liefert seit gestern leere Zeilen", True),
        ("übersetze die Anleitung für unsere Kunden ins Englische", False),
        ("fix the failing test", False),
        ("Why does the export fail?", False),
        ("no thanks", False),
        ("I will have lunch with my sister tomorrow.", False),
        ("The export failed twice, on which days? (Name both of them)", False),
    ],
)
def test_a_statement_that_something_is_not_as_it_should_be_is_a_report(
    prompt: str, is_report: bool
) -> None:
    assert Asking(prompt).trouble == is_report


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("Map tiles come late", True),
        ("Map tiles are ours alone", False),
        ("Order numbers may have gaps", False),
        ("Order the books that are missing", True),
        ("Test the client, please. It is slow.", True),
    ],
)
def test_a_noun_that_is_a_verb_elsewhere_asks_for_nothing(text: str, is_asked: bool) -> None:
    assert Asking(text).command == is_asked


def test_w8_a_report_is_told_how_the_talk_about_it_ended(memory: cogmem.Memory) -> None:
    said = (
        "Customers complain that deleted folders still count for the quota.",
        "I see it in the quota page; the size is never taken off. Shall I take it off at once?",
        "No: shared files would be lost otherwise. Take it off after thirty days.",
        "Settled: what was deleted counts until it is purged, thirty days later.",
        "Great.",
    )
    talked(memory, "past", NOW - 90_000_000, *said)
    text = memory.activate(
        "A folder that was deleted still counts for the quota.", now=NOW
    ).volatile
    assert "until it is purged, thirty days later" in text
    assert "Great." not in text


@pytest.mark.parametrize("prompt", ["the tests are slow again", "Why are the tests so slow?"])
def test_who_reports_it_again_or_asks_why_is_told_the_cause_and_no_other_matter(
    memory: cogmem.Memory, prompt: str
) -> None:
    cause = "The cause: every test opens its own Postgres container in conftest.py."
    for day, said in enumerate(
        (
            ("The tests are slow, they take nine minutes. Find out why.", cause),
            ("Great. Never start a container per test again, use the session fixture.", "Noted."),
            ("Reviews for billing are done by Marta, and Jonas does the frontend ones.", "Noted."),
            ("Rename the exporter module to writer.", "Done, exporter.py is writer.py now."),
        )
    ):
        talked(memory, f"day {day}", NOW + day * DAY, *said)
    told = memory.activate(prompt, session="new", now=NOW + 5 * DAY).volatile
    assert cause in told
    assert "Marta" not in told
    assert "exporter" not in told


def test_w8_what_a_later_talk_took_up_again_is_told_as_it_stands_there(
    memory: cogmem.Memory,
) -> None:
    first = (
        "The quota page counts deleted folders, and customers complain about the quota.",
        "Should a deleted folder leave the quota at once, or when the folder is purged?",
        "At once: a deleted folder must not count, purged or not.",
        "Settled: a deleted folder leaves the quota at once.",
    )
    later = (
        "Support wants the rule for deleted folders and the quota back on the table.",
        "Because a folder that is restored would burst the quota? Then count it until it is purged.",
        "Yes. A deleted folder counts until it is purged.",
        "Amended: the quota counts a deleted folder until it is purged.",
    )
    for number in range(6):  # other talks, or every word would stand everywhere
        memory.conversation(f"other {number}").append(
            "user", f"Paint the label of page {number} blue.", at=NOW - 10**9
        )
    for days, said in ((9, first), (2, later)):
        talked(memory, f"{days} days ago", NOW - days * DAY, *said)
    told = memory.activate("Customers complain: the quota page counts deleted folders.", now=NOW)
    assert "counts a deleted folder until it is purged" in told.volatile
    assert "leaves the quota at once" not in told.volatile


def test_who_names_a_speaker_is_told_what_that_one_said_and_not_reasons_alone(
    memory: cogmem.Memory,
) -> None:
    talk = memory.conversation("chat")
    for number, (who, said) in enumerate(
        (
            ("Ines", "My cousin Radek broke his wrist at the climbing hall."),
            ("Tomas", "Oh no! Is the wrist in plaster?"),
            ("Ines", "It is, because the climbing hall had no mats."),
            ("Tomas", "Tell your cousin that I will visit him at home."),
        )
    ):
        talk.append("user", said, speaker=who, at=NOW - 90_000_000 + number)
    prompt = "While chatting with Tomas, Ines told of a problem that her cousin had at the climbing hall."
    text = memory.activate(prompt, now=NOW).volatile
    assert "broke his wrist" in text
    assert "no mats" in text


def test_who_reports_trouble_may_name_anybody() -> None:
    assert not Asking("The parcel of Ottoline was sent to the wrong town.").names_a_stranger(
        {"ottoline"}
    )


def test_an_exclamation_and_a_wish_ask_nothing() -> None:
    assert not Asking("Thanks, that was quick!").past
    assert Asking("what was the port again!").past
    assert not Asking("have a nice weekend").asks
    assert Asking("have we paid the rent").asks
    assert Asking("have the tests passed").asks


def test_what_says_nothing_in_the_language_of_the_prompt_opens_nothing(
    memory: cogmem.Memory,
) -> None:
    """`die` and `hat` are words of English too, and stand in few of its texts."""
    talk = memory.conversation("first")
    for place in range(40):
        talk.append("user", f"Let us talk about plan {place} of the week.", at=NOW - DAY + place)
    talk.append("user", "The plants will die without water.", at=NOW - DAY + 50)
    memory.learn("Der Keller ist bis Mai vermietet, die Garage auch.", now=NOW - DAY)
    assert not memory.activate("Wer schrieb die Zauberflöte?", now=NOW).volatile
    assert memory.activate("when will the plants die?", now=NOW).volatile


def of_a_library(memory: cogmem.Memory) -> None:
    """A project whose every talk has the words of the project, and some of its own."""
    own = (
        "cookie expiry", "matrix padding", "thread pool", "unicode width", "retry jitter", "leap second",
        "socket timeout", "bloom filter", "csv quoting", "weak reference", "lazy import", "heap order",
        "url joining", "path globbing", "log rotation", "trie lookup", "date parsing", "cache eviction",
    )  # fmt: skip
    for number, pair in enumerate(own):
        talk = memory.conversation(f"talk {number}")
        for place, said in enumerate(
            (
                f"I looked at the boltwork helpers and their tests, at {pair} this time.",
                f"The `helpers` of boltwork for {pair} are covered by the tests since the upgrade.",
                f"So {pair} stays as it is, the tests of the helpers say why.",
            )
        ):
            at = NOW - (len(own) - number) * DAY + place
            talk.append("assistant" if place == 1 else "user", said, at=at)


def test_that_a_session_begins_is_no_reason_to_speak(memory: cogmem.Memory) -> None:
    of_a_library(memory)
    scattered = (
        "Walk me through what boltwork does for weak machines: heap, matrix, jitter, timeout, expiry, parsing, and"
        " whether Windows, Haiku or Plan9 users were considered for any of their helpers and tests"
    )
    assert not memory.activate(scattered, session="new", now=NOW).volatile


@pytest.mark.parametrize(
    "asked",
    [
        "How many of the talks said that the tests of the helpers were the reason?",
        "Which libraries does the bloom filter of the dashboard need?",
        "bloom filter: next step",
    ],
)
def test_a_session_that_begins_with_a_short_prompt_is_answered_as_if_there_were_none(
    memory: cogmem.Memory, asked: str
) -> None:
    of_a_library(memory)
    assert memory.activate(asked, session="new", now=NOW).volatile
    memory.conversation("under way").append("user", "Look at the kettle first.", at=NOW)
    assert not memory.activate(asked, session="under way", now=NOW + 1).volatile


def test_a_request_that_says_why_opens_for_one_that_takes_up_its_matter(
    memory: cogmem.Memory,
) -> None:
    of_a_library(memory)
    talk = memory.conversation("engine")
    for at, (role, text) in enumerate(
        (
            ("user", "can you plan the switch of the PDF engine? weasyprint is too slow"),
            ("assistant", "The plan stands in docs/pdf-typst.md: reminders first, then invoices."),
            ("user", "open the pull request of the walrus"),
        )
    ):
        talk.append(role, text, at=NOW - DAY + at)
    told = memory.activate("continue with the switch of the PDF engine", session="new", now=NOW)
    assert "weasyprint is too slow" in told.volatile
    only_asked = "continue with the pull request of the walrus"
    assert not memory.activate(only_asked, session="newer", now=NOW).volatile


def test_what_stands_together_in_one_conversation_is_told_from_there_alone(
    memory: cogmem.Memory,
) -> None:
    of_a_library(memory)
    told = memory.activate("Change the bloom filter: helpers and tests", session="new", now=NOW)
    assert "bloom filter" in told.volatile
    lines = [line for line in told.volatile.splitlines() if line.startswith("- ")]
    assert len(lines) <= 8
    assert lines[0].count("bloom filter") == 1


TOLD = (
    "We moved the billing queue from NATS to Kafka and the heron server keeps staging Invoices are numbered"
    " without gaps Dana wants the crane dashboard in the release of March Never deploy the walrus service on Fridays"
).split()


@pytest.fixture
def told(memory: cogmem.Memory) -> cogmem.Memory:
    """Talk of forty short messages in four sessions, of few words that come again and again."""
    dice = random.Random(5)
    for session in ("one", "two", "three", "now"):
        said = [" ".join(dice.sample(TOLD, 9)) + "." for _ in range(10)]
        talked(memory, session, NOW - DAY, *said)
    return memory


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.sampled_from([*TOLD, "the", "why", "I", "zebra", "kafak"]), min_size=1, max_size=9),
    st.sampled_from(["", "?", " yesterday?", "\n```\nheron\n```"]),
    st.sampled_from(["now", "new"]),
    st.sampled_from([0.02, 0.1, 0.25, 0.5]),
)
def test_a_gate_that_stays_shut_would_not_have_opened(
    told: cogmem.Memory, words: list[str], end: str, session: str, least: float
) -> None:
    prompt = " ".join(words) + end
    policy = Policy.of(told.db)

    def found(gate: Gate) -> list[str]:
        cue = gate.cue
        asked = {"limit": 20, "session": session, "prompt": prompt, "gate": gate}
        return [one.ref for one in evidence(told.db, cue, told.scope, NOW, **asked)]

    def gate() -> Gate:
        cue = read_cue(prompt, NOW, policy.stop_words())
        return Gate(prompt, cue, policy.weights, least, told.db.stems)

    asked_first, read_whole = gate(), gate()
    read_whole.stays_shut = lambda _: False  # type: ignore[method-assign]
    assert found(asked_first) == found(read_whole)
    assert (asked_first.chance >= least) == (read_whole.chance >= least)


@pytest.fixture
def learned(memory: cogmem.Memory) -> cogmem.Memory:
    """Memories of few words that come again and again, some with a key, of each layer."""
    dice = random.Random(7)
    for number in range(60):
        words = dice.sample(TOLD, 6)
        memory.learn(" ".join(words), key=f"{words[0]}.{words[1]}" if number % 3 else "", now=NOW)
    memory.procedure("ship the heron server", steps=["build staging", "deploy Kafka"], now=NOW)
    return memory


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.sampled_from([*TOLD, "the", "why", "I", "zebra", "kafak"]), min_size=1, max_size=9),
    st.sampled_from(["", "?", " is broken", "\n```\nheron\n```"]),
    st.sampled_from([0.0, 1.0]),
    st.sampled_from([0.02, 0.1, 0.25, 0.5]),
)
def test_no_memory_is_left_unread_that_the_gate_would_let_in(
    learned: cogmem.Memory, words: list[str], end: str, inner: float, least: float
) -> None:
    prompt = " ".join(words) + end
    policy = Policy.of(learned.db)
    cue = read_cue(prompt, NOW, policy.stop_words())

    def let_in(only_likely: bool) -> list[str]:
        gate = Gate(prompt, cue, policy.weights, least, learned.db.stems)
        gate.situation = {"inner": inner, "opening": 1 - inner}
        found = candidates(
            learned.db, cue, learned.scope, gate=gate, only_likely=only_likely, room=800
        )
        return [one.uid for one in found if (one.chance or 0.0) >= least]

    assert let_in(only_likely=True) == let_in(only_likely=False)


def test_within_a_session_a_word_alone_makes_nobody_read_a_memory(learned: cogmem.Memory) -> None:
    prompt = "Now rename the heron variable in these helpers, and run their tests again"
    policy = Policy.of(learned.db)
    cue = read_cue(prompt, NOW, policy.stop_words())
    gate = Gate(prompt, cue, policy.weights, 0.25, learned.db.stems)
    gate.situation = {"inner": 1.0}
    assert candidates(learned.db, cue, learned.scope, gate=gate)
    assert not candidates(learned.db, cue, learned.scope, gate=gate, only_likely=True)


def test_where_the_session_has_just_said_it_no_memory_is_looked_for_unless_there_are_notes(
    learned: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt = "Now run the heron tests again"
    policy = Policy.of(learned.db)
    cue = read_cue(prompt, NOW, policy.stop_words())
    gate = Gate(prompt, cue, policy.weights, 0.25, learned.db.stems)
    gate.situation = {"inner": 1.0}
    gate.explained = {*cue.forms}
    asked: list[str] = []
    read = Database.read

    def noted_read(db: Database, name: str, *rest: Any) -> list[tuple[Any, ...]]:
        asked.append(name)
        return read(db, name, *rest)

    monkeypatch.setattr(Database, "read", noted_read)
    assert not candidates(learned.db, cue, learned.scope, gate=gate, only_likely=True)
    assert "memories.having" not in asked

    told = "The heron variable is spelled with one r"
    learned.learn(told, source="inferred", data={"noted": "fact"}, now=NOW)
    candidates(learned.db, cue, learned.scope, gate=gate, only_likely=True)
    assert "memories.having" in asked
