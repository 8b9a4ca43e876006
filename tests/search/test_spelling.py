"""A word that stands nowhere finds the word it is a slip of; a name and a word of English do not."""

from __future__ import annotations

from itertools import permutations

import pytest

import cogmem
from cogmem.language.cue import read_cue
from cogmem.search.spelling import may_be_slips, together

FILLER = "The office plant needs water."


def found(memory: cogmem.Memory, text: str, prompt: str, *, said: bool) -> bool:
    if said:
        talk = memory.conversation("talk")
        talk.append("user", text)
        talk.append("user", FILLER)
    else:
        memory.learn(text, kind="fact")
        memory.learn(FILLER, kind="fact")
    return any(text in one.content for one in memory.recall(prompt))


@pytest.mark.parametrize("said", [False, True])
@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("We deploy to the staging host on Fridays.", "depoly stagging"),
        ("The deployment database runs three microservices.", "deploymnt"),
        ("The deployment database runs three microservices.", "databse"),
        ("The deployment database runs three microservices.", "microservces"),
        ("Мы деплоим по пятницам.", "Когда деплой?"),
        ("Die Rechnungen liegen im Archiv.", "Wo ist die Rechnung?"),
        ("الخادم يعمل على المنفذ 8080", "خادم"),
        ("We call useEffect in ChatPane to subscribe.", "chat pane use effect"),
        ("เซิร์ฟเวอร์ทดสอบชื่อนกกระสา", "เซิร์ฟเวอร์ทดสอบชื่ออะไร"),
        ("Книги хранятся в подвале.", "хранить книгу"),
        ("Vivo en Sevilla y trabajo en una panadería.", "trabajando"),
        ("Os relatórios são enviados às sextas.", "quando enviamos o relatorio"),
        ("Sunucumuzun adı leylek.", "sunucular"),
        ("Palvelimet sijaitsevat kellarissa.", "palvelimien"),
        ("Serwery stoją w piwnicy, kopie robimy w piątki.", "piątek"),
        ("Οι συναντήσεις γίνονται στο γραφείο.", "συνάντηση"),
        ("השרת נמצא במשרד בחיפה.", "שרת"),
        ("Mötena hålls i källaren.", "mötet"),
    ],
)
def test_slips_inflections_and_identifiers_find_what_was_meant(
    memory: cogmem.Memory, text: str, prompt: str, said: bool
) -> None:
    assert found(memory, text, prompt, said=said)


@pytest.mark.parametrize("said", [False, True])
@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("Deployments of the microservices go through staging.", "micro services"),
        ("We moved the websocket listener into a worker.", "web socket listener"),
        ("The staging database lies in Falkenstein.", "stagingdatabase"),
        ("The function parse_config_file reads YAML.", "parseconfigfile"),
        ("The function parse_config_file reads YAML.", "parseConfigFile"),
    ],
)
def test_what_is_written_apart_finds_what_is_written_together_and_the_other_way_round(
    memory: cogmem.Memory, text: str, prompt: str, said: bool
) -> None:
    assert found(memory, text, prompt, said=said)


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("Мы деплоим сервер каждую пятницу.", "Когда деплой?"),
        ("Бухгалтерия пользуется программой Сириус.", "программы"),
        ("المكتب يقع في شارع النيل.", "أين مكتبنا"),
        ("Os relatórios são enviados às sextas.", "quando enviamos o relatorio"),
    ],
)
def test_another_form_of_a_word_is_the_word_where_languages_bend_theirs(
    memory: cogmem.Memory, text: str, prompt: str
) -> None:
    memory.learn(text)
    memory.learn(FILLER)
    assert text in memory.activate(prompt).volatile


def test_what_is_made_of_words_of_the_file_is_told_by_them(memory: cogmem.Memory) -> None:
    words = ["staging", "database", "listener", "config", "parse"]
    memory.learn(" ".join(words))
    for said in permutations(words, 2):
        assert together(memory.db, "memories.known_terms", "".join(said)) == (" ".join(said),)
        assert together(memory.db, "memories.known_terms", f"{''.join(said)}xyzw") == ()


@pytest.mark.parametrize(
    "prompt", ["depoly stagging", "depoly stagign", "how do I depoly to stagign?"]
)
def test_two_slips_that_stand_together_in_a_memory_are_no_accident(
    memory: cogmem.Memory, prompt: str
) -> None:
    for text in ("Deploy to staging with make ship.", FILLER, "Lunch is at one.", "Ann sings."):
        memory.learn(text)
    assert "make ship" in memory.activate(prompt).volatile


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("Marina likes olives.", "What does Marisa like best?"),  # another person
        ("The metal is rusty.", "who won the medal"),  # another word
        ("The poet left.", "write a poem"),  # too short
    ],
)
def test_a_name_and_a_known_word_stay_as_they_are(
    memory: cogmem.Memory, text: str, prompt: str
) -> None:
    talk = memory.conversation("talk")
    talk.append("user", text)
    assert text not in memory.activate(prompt).text


def test_a_long_prompt_is_found_by_its_other_words() -> None:
    several = "amber basalt cedar dahlia ebony fennel ginger hazel indigo juniper kelp larch"
    english = read_cue(f"depoly {several}")
    russian = read_cue(f"деплой {several}")
    assert may_be_slips(read_cue("depoly staging")) == {"depoly", "staging"}
    assert may_be_slips(english) == frozenset()
    assert may_be_slips(russian) == {"деплой"}
