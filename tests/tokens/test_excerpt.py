"""What a part of the table counts is what the whole table counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem.tokens import counting, excerpt

WHOLE = counting._load("o200k_base")
TABLE = counting._shipped_table()

words = st.sampled_from(
    [
        *(
            "hello",
            "World",
            "naïve",
            "日本語のテキスト",
            "สวัสดี",
            "don't",
            "x_y",
            "ſs",
            "\ud800",
            "🧑‍🚀",
        ),
        *(
            "1234567",
            "3.14",
            "://",
            "\n",
            "\r\n",
            "  ",
            " ",
            "\t",
            "---",
            "=" * 40,
            " " * 90,
            "\u2028",
        ),
    ]
)
texts = st.lists(st.one_of(words, st.text(min_size=1, max_size=6)), min_size=1, max_size=12).map(
    "".join
)


@pytest.fixture(scope="module")
def excerpts() -> excerpt.Excerpts:
    return excerpt.Excerpts(TABLE, counting._O200K_PIECES)


@given(texts)
def test_a_text_has_the_tokens_that_the_whole_table_gives_it(
    excerpts: excerpt.Excerpts, text: str
) -> None:
    excerpts._left, excerpts._texts = excerpt.ENOUGH, excerpt.TEXTS
    encoding = excerpts.encoding(text)
    assert encoding is not None
    assert encoding.encode_ordinary(text) == WHOLE.encode_ordinary(text)


def test_who_counts_much_is_sent_to_the_whole_table() -> None:
    excerpts = excerpt.Excerpts(TABLE, counting._O200K_PIECES)
    assert excerpts.encoding("a" * 100) is not None
    assert (
        excerpts.encoding("a" * excerpt.ENOUGH) is None
    )  # each place would be looked up 128 times
    excerpts = excerpt.Excerpts(TABLE, counting._O200K_PIECES)
    counted = [excerpts.encoding(f"line {number}") for number in range(excerpt.TEXTS + 1)]
    assert counted.index(None) == excerpt.TEXTS


def test_a_process_that_counts_on_turns_to_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken.registry

    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.setattr(counting, "_encodings", {})
    monkeypatch.setattr(counting, "_excerpts", [])
    line = "Deploys to staging need a tag, and Mara signs them."
    expected = len(WHOLE.encode_ordinary(line))
    assert counting.O200k().count(line) == expected
    assert counting._encodings == {}
    much = "=" * 20_000
    assert counting.O200k().count(much) == len(WHOLE.encode_ordinary(much))
    assert (list(counting._encodings), counting._excerpts) == (["o200k_base"], [])
    assert counting.O200k().count(line) == expected
