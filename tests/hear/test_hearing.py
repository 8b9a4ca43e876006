"""What people say, as the corpus has it: what lasts is heard, what does not is left alone.

The shipped weights were trained on this corpus, so this only notices what breaks;
`python benchmarks/hearing/train.py` judges each half by weights of the other.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cogmem.language.mood import is_confided, is_not_own_talk

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks/hearing"))

import train  # type: ignore[import-not-found]  # noqa: E402

RULES = train.shipped_rules()
LINES = list(train.corpus())


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("wish", 0.75),
        ("rule", 0.75),
        ("profile", 0.75),
        ("decision", 0.75),
        ("correction", 0.75),
        ("fact", 0.75),
    ],
)
def test_what_lasts_is_heard(kind: str, least: float) -> None:
    lines = [line for line in LINES if line.kind == kind][::3]
    missed = [line.text for line in lines if not train.heard(RULES, line)]
    assert len(missed) <= (1 - least) * len(lines), missed


def test_what_does_not_last_is_left_alone() -> None:
    lines = [line for line in LINES if line.kind == "nothing"][::3]
    taken = [line.text for line in lines if train.heard(RULES, line)]
    assert len(taken) <= 0.03 * len(lines), taken


@pytest.mark.parametrize(
    "text",
    [
        "<task-notification>\n<summary>We use pnpm in this repo</summary>\n</task-notification>",
        "don't remember this, but I live in Graz",
        "let's play a game: I'm a knight called Roland and I live in a castle",
    ],
)
def test_what_is_not_the_person_s_own_talk_is_not_read(text: str) -> None:
    assert RULES.match(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "keep this out of your notes: I live in Graz",
        "no need to remember this, but my name is Ada",
        "das bleibt unter uns: ich wohne in Graz",
        "das bitte nicht speichern: ich wohne in Graz",
        "esto queda entre nosotros: vivo en Murcia",
        "ne le note pas, mais j'habite à Lyon",
        "não precisa lembrar, mas moro em Braga",
        "resti tra noi: abito a Torino",
        "dit hoef je niet te onthouden: ik woon in Delft",
        "这个不用记，我住在苏州",
        "ここだけの話、大阪に住んでいます",
    ],
)
def test_what_is_said_in_confidence_is_not_kept(text: str) -> None:
    assert is_confided(text)
    assert RULES.match(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Passwörter bitte nie im Klartext speichern.",
        "No guardes contraseñas en el repositorio.",
        "Ne garde jamais de mots de passe dans les logs.",
        "Wachtwoorden nooit in de log opslaan.",
        "我叫李明，不要记错",
        "Please note that we use pnpm here.",
        "We don't store it in the database, the cache is enough.",
        "I don't remember this endpoint, who calls it?",
        "Do not save it to disk, keep it in memory.",
    ],
)
def test_a_rule_about_what_is_saved_is_no_confidence(text: str) -> None:
    assert not is_not_own_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "how do I always answer in the same tone",
        "come si fa a usare sempre i tab",
        "como se usa siempre la misma cabecera",
        "act as my landlord, I own two houses and live in Graz",
        "fai finta che io abiti a Torino",
        "stell dir vor, ich bin ein Ritter und wohne in Graz",
        "write a short bio: I'm a baker and I live in Rome",
        "im Traum bin ich Pilotin",
        "the poem begins with: my name is Ada and I live by the sea",
        "im Forum steht, dass wir immer signieren",
    ],
)
def test_questions_parts_and_texts_of_others_say_nothing_of_the_person(text: str) -> None:
    assert RULES.match(text) == []


@pytest.mark.parametrize(
    ("name", "kind", "least"),
    [("apart", "wish", 0.75), ("fresh", "rule", 0.75), ("held", "correction", 0.75)],
)
def test_what_lasts_is_heard_in_sentences_that_taught_nothing(
    name: str, kind: str, least: float
) -> None:
    lines = [line for line in train.corpus(train.HERE / name) if line.kind == kind]
    assert sum(bool(train.heard(RULES, line)) for line in lines) >= least * len(lines)


@pytest.mark.parametrize("name", ["held", "fresh", "apart"])
def test_little_that_passes_is_kept_of_sentences_that_taught_nothing(name: str) -> None:
    lines = [line for line in train.corpus(train.HERE / name) if line.kind == "nothing"]
    assert sum(bool(train.heard(RULES, line)) for line in lines) <= 0.05 * len(lines)


@pytest.mark.parametrize(
    "text",
    [
        "I'm off to the market now, back in an hour",
        "Thanks, that plan looks solid",
        "Stop asking and just show me the list now",
        "I'm back",
        "Just send me the draft now",
        "My brain is foggy today",
    ],
)
def test_moods_and_orders_of_the_moment_keep_nothing_and_set_nothing_right(text: str) -> None:
    assert RULES.match(text, doubtful=True) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Every time the train is late I get a coffee first", []),
        ("Please always answer in German", ["standing order"]),
        (
            "From now on, never ask me whether to run the tests before you commit, just run them",
            ["standing order"],
        ),
    ],
)
def test_a_standing_order_is_said_to_whoever_works(text: str, told: list[str]) -> None:
    found = [one.rule for one in RULES.match(text)]
    assert [rule for rule in found if rule != "said once"] == told


def test_what_is_not_sure_of_a_person_stands_in_no_prompt() -> None:
    said = ("I'm vegetarian", "I'm a nurse", "I'm working night shifts this month")
    kinds = [RULES.match(text)[0].kind for text in said]
    assert kinds == ["profile", "profile", "fact"]


def test_a_language_is_heard_by_its_words_where_no_sentence_of_it_taught() -> None:
    lines = list(train.corpus(train.HERE / "untaught"))
    lasting = [line for line in lines if line.kind != "nothing"]
    missed = [line.text for line in lasting if not train.heard(RULES, line)]
    assert len(missed) <= 0.4 * len(lasting), missed
    taken = [line.text for line in lines if line.kind == "nothing" and train.heard(RULES, line)]
    assert taken == []
