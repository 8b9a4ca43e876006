"""A language model grades what words have found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import NOW

import cogmem
from cogmem.errors import ModelFailed
from cogmem.models.reader import ModelReader
from cogmem.models.recorded import Scripted


def graded(grades: dict[int, int]) -> str:
    return json.dumps({"grades": [{"number": n, "grade": g} for n, g in grades.items()]})


def test_what_the_model_grades_highest_comes_first(tmp_path: Path) -> None:
    model = Scripted(lambda prompt, _: graded({1 + ("1." not in line_of(prompt)): 3}))
    with cogmem.open(tmp_path / "m.db", reranker=ModelReader(model)) as mem:
        mem.learn("The dentist wants to be paid in cash.", now=NOW)
        mem.learn("Past the church, in Elm Street, a dentist has her practice.", now=NOW)
        found = mem.recall("Where is the dentist?", now=NOW)
        assert "Elm" in found[0].content
        [asked] = model.asked
        assert "Question: Where is the dentist?" in asked["prompt"]
        assert asked["schema"]["required"] == ["grades"]
        mem.recall("Where is the dentist?", now=NOW + 1)
        assert len(model.asked) == 1
        assert mem.file.check() == []


def line_of(prompt: str) -> str:
    return next(line for line in prompt.splitlines() if "Elm" in line)


def test_what_it_leaves_out_is_worth_nothing_and_numbers_of_no_text_are_passed_over() -> None:
    model = Scripted("Here you are: " + graded({2: 3, 9: 3}))
    assert ModelReader(model).rerank("Who?", ["one", "two", "three"]) == [0.0, 3.0, 0.0]


@pytest.mark.parametrize("said", ["", "2, 1", '{"grades": [2]}', '{"grades": 3}', "{"])
def test_an_answer_without_grades_is_refused_and_words_decide(tmp_path: Path, said: str) -> None:
    with pytest.raises(ModelFailed, match="no grades"):
        ModelReader(Scripted(said)).rerank("Who?", ["one"])
    with cogmem.open(tmp_path / "m.db", reranker=ModelReader(Scripted(said, name=said))) as mem:
        mem.learn("The dentist is in Elm Street.", now=NOW)
        assert len(mem.recall("Where is the dentist?", now=NOW)) == 1


def test_another_prompt_or_model_is_another_reader() -> None:
    own = {"prompt.reread": "Grade {notes} for {question}"}
    names = {
        ModelReader(Scripted("x")).model,
        ModelReader(Scripted("x", name="other")).model,
        ModelReader(Scripted("x"), own).model,
    }
    assert len(names) == 3
