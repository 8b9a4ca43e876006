"""The passage of a long text that says what was asked for."""

from __future__ import annotations

from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem.language.cue import read_cue
from cogmem.text.passage import passage
from cogmem.tokens.counting import O200k


def split(text: str) -> list[str]:
    """Stems enough for these tests."""
    return [word.strip(".,!?").lower().removesuffix("s") for word in text.split()]


def test_a_passage_begins_with_the_sentence_that_says_most_of_the_cue() -> None:
    filler = "Nothing of interest happens in this part of the text. " * 20
    text = f"{filler}A heron. {filler}Herons and storks eat frogs by the lake. {filler}"
    cut = passage(text, read_cue("What do herons and storks eat?"), split, 40)
    assert cut.startswith("… Herons and storks eat frogs by the lake. Nothing of")
    assert cut.endswith(" …")


def test_a_text_that_fits_or_says_nothing_of_the_cue_is_cut_at_its_end_alone() -> None:
    text = "One two three four five six seven eight nine ten. " * 9
    assert passage("Short text.", read_cue("heron"), split, 40) == "Short text."
    cut = passage(text, read_cue("heron"), split, 40)
    assert cut.startswith("One two three")
    assert cut.endswith(" …")


@settings(max_examples=examples(150))
@given(
    st.text(alphabet="abc heron. 12,都庁é\n", max_size=400),
    st.integers(8, 60),
    st.sampled_from(["heron", "abc 12", "都庁", ""]),
)
def test_a_passage_keeps_whole_words_and_its_length(text: str, most: int, prompt: str) -> None:
    cut = passage(text, read_cue(prompt), split, most)
    assert O200k().count(cut) <= most
    body = cut.removeprefix("… ").removesuffix("…").rstrip()
    assert body in " ".join(text.split()) or body in text


def test_a_passage_of_a_huge_text_is_quick_to_find() -> None:
    text = "a b c heron d e f " * 50_000
    assert passage(text, read_cue("heron"), split, 40).startswith(("a b c heron", "heron"))
