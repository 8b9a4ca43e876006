"""Counters agree with tiktoken and with the systems they come from; cuts stay within the budget.

Modules: costs.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
import regex
from conftest import examples
from counted_texts import (
    CODE,
    PROSE,
    beyond,
    blanks,
    numbers,
    signs,
    words,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cogmem.errors import UnknownName
from cogmem.tokens import counting
from cogmem.tokens.bounds import Upper
from cogmem.tokens.counting import (
    Cjk,
    O200k,
    Simple,
    Tiktoken,
    TokenizerUnavailable,
    TokenUsage,
    Typed,
)

o200k, upper, simple, typed, cjk = O200k(), Upper(), Simple(), Typed(), Cjk()


# --- exact --------------------------------------------------------------------------------------


@pytest.fixture
def nothing_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No encoding loaded, no network, and an empty cache folder, which is returned."""
    import tiktoken.load
    import tiktoken.registry

    def read(path: str) -> bytes:
        assert "://" not in path, f"asked the network for {path}"
        return Path(path).read_bytes()

    monkeypatch.setattr(tiktoken.load, "read_file", read)
    monkeypatch.setattr(counting, "_encodings", {})
    monkeypatch.setattr(counting, "_excerpts", [])
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def table() -> bytes:
    return counting._shipped_table()


def test_the_encoding_is_the_one_that_tiktoken_would_build(
    nothing_loaded: Path, table: bytes
) -> None:
    from tiktoken_ext.openai_public import o200k_base

    (nothing_loaded / counting._TABLES["o200k_base"][0]).write_bytes(table)
    theirs = o200k_base()
    assert theirs["pat_str"] == counting._O200K_PIECES
    assert theirs["special_tokens"] == counting._O200K_SPECIAL
    assert theirs["mergeable_ranks"] == counting._ranks(table)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello world", 2),
        ("1234567", 3),
        ("你好世界", 2),
        ("<|endoftext|>", 7),
        ("\ud800", 1),
    ],
)
def test_known_texts_have_known_counts(text: str, count: int) -> None:
    assert o200k.count(text) == count


def test_a_sound_copy_in_the_cache_folder_is_preferred(
    nothing_loaded: Path, table: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (nothing_loaded / counting._TABLES["o200k_base"][0]).write_bytes(table)
    monkeypatch.setattr(counting, "_DATA", "/nowhere")
    assert O200k().count("hello world") == 2


def test_a_damaged_copy_in_the_cache_folder_is_ignored_and_left_alone(nothing_loaded: Path) -> None:
    copy = nothing_loaded / counting._TABLES["o200k_base"][0]
    copy.write_bytes(b"IQ== 0\n")
    assert O200k().count("hello world") == 2
    assert copy.read_bytes() == b"IQ== 0\n"


@pytest.mark.parametrize("content", [None, b"no archive", b"\xfd7zXZ\x00"])
def test_a_missing_or_damaged_shipped_table_says_what_to_do(
    nothing_loaded: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    monkeypatch.setattr(counting, "_DATA", str(nothing_loaded))
    if content is not None:
        (nothing_loaded / "o200k_base.tiktoken.xz").write_bytes(content)
    with pytest.raises(TokenizerUnavailable, match="install cogmem again, or count with 'upper'"):
        O200k().count("a")


def test_a_shipped_table_with_another_sum_is_refused(
    nothing_loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import lzma

    monkeypatch.setattr(counting, "_DATA", str(nothing_loaded))
    (nothing_loaded / "o200k_base.tiktoken.xz").write_bytes(lzma.compress(b"IQ== 0\n"))
    with pytest.raises(TokenizerUnavailable, match="is damaged"):
        O200k().count("a")


@pytest.mark.usefixtures("nothing_loaded")
def test_without_tiktoken_the_error_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(TokenizerUnavailable, match="count with 'upper'"):
        O200k().count("a")


@pytest.mark.usefixtures("nothing_loaded")
def test_many_threads_load_the_table_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    build = counting._build
    monkeypatch.setattr(counting, "_build", lambda name: built.append(name) or build(name))
    counts: list[int] = []
    threads = [
        threading.Thread(target=lambda: counts.append(O200k().count("hello world " * 20_000)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert built == ["o200k_base"]
    assert counts == [40_001] * 8


def test_a_million_blanks_do_not_bring_the_process_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "_LONGEST", 20_000)
    assert o200k.count("a" + " " * 1_200_000 + "a") >= 1_200_000 / 128


def test_a_text_counted_in_parts_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (PROSE + "\n\n" + CODE) * 80
    whole = o200k.count(text)
    monkeypatch.setattr(counting, "_LONGEST", 11_000)
    assert o200k.count(text) == whole


@pytest.fixture
def tiny_cl100k(nothing_loaded: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host that has loaded something under the name of cl100k_base: each byte is a token."""
    import tiktoken

    bytes_only = tiktoken.Encoding(
        "cl100k_base",
        pat_str=r"[\s\S]+",
        mergeable_ranks={bytes([byte]): byte for byte in range(256)},
        special_tokens={},
    )
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "cl100k_base", bytes_only)
    return nothing_loaded


@pytest.mark.usefixtures("tiny_cl100k")
def test_f27_tiktoken_counts_by_model_and_by_encoding_with_a_fallback() -> None:
    assert Tiktoken.for_model("gpt-4").name == "tiktoken:cl100k_base"
    assert Tiktoken.for_model("gpt-4").count("hello") == 5
    assert Tiktoken.for_model("some-model-of-tomorrow").count("hello") == 5
    assert Tiktoken("cl100k_base").count("hello") == 5
    assert Tiktoken.for_model("gpt-4o").count("hello world") == 2
    assert Tiktoken("o200k_harmony").count("hello world") == 2


@pytest.mark.parametrize("name", ["gpt-4", "some-model-of-tomorrow"])
def test_f27_an_encoding_that_would_need_the_network_says_what_to_do(
    nothing_loaded: Path, name: str
) -> None:
    with pytest.raises(TokenizerUnavailable, match="TIKTOKEN_CACHE_DIR"):
        Tiktoken.for_model(name)
    assert list(nothing_loaded.iterdir()) == []


@pytest.mark.usefixtures("nothing_loaded")
def test_an_unknown_encoding_is_named() -> None:
    with pytest.raises(UnknownName, match="'klingon'"):
        Tiktoken("klingon")


@pytest.mark.parametrize("name", ["o200k", "upper", "simple", "typed", "cjk"])
def test_counters_are_found_by_their_names(name: str) -> None:
    counter = counting.counter_named(name)
    assert counter.name == name
    assert counter.count("") == 0


@pytest.mark.usefixtures("tiny_cl100k")
def test_tiktoken_is_found_by_encoding_or_model() -> None:
    assert counting.counter_named("tiktoken:cl100k_base").count("hello") == 5
    assert counting.counter_named("tiktoken:gpt-4").name == "tiktoken:cl100k_base"
    assert counting.counter_named("tiktoken:o200k_base").count("hello world") == 2


@pytest.mark.parametrize("name", ["", "o200", "tiktoken", "tiktoken:"])
def test_a_counter_of_another_name_is_refused(name: str) -> None:
    with pytest.raises(UnknownName, match="use one of o200k, upper, simple, typed, cjk"):
        counting.counter_named(name)


# --- estimates ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("hello world", 2), ("a" * 400, 100), ("你好世界", 3), ("你", 1), ("hello 世界", 3)],
)
def test_f27_the_cjk_estimate_matches_the_oracle(text: str, count: int) -> None:
    assert cjk.count(text) == count


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("你好世界!", 2)]
)
def test_g23_the_simple_estimate_is_a_quarter_of_the_characters_rounded_up(
    text: str, count: int
) -> None:
    assert simple.count(text) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ('{"name": "Ada", "age": 36}', 8),  # 26 / 3.0
        (" [1, 2, 3]\n", 3),  # 11 / 3.0
        ("def f(x):\n    return x + 1\n", 8),  # 27 / 3.2
        ("total = 0;\nfor (;;) {\n}\nthis line is prose", 13),  # 43 / 3.2
        ("rename parseHeader to read_header now", 8),  # (5 * 1.3 + 37 / 3.5) / 2
        ("The cat sat on the mat.", 6),  # (3 * int(6 * 1.3) + 23 // 4) // 4 with 7 and 5: 26 // 4
        ("For now, if you can, return the book.", 9),  # (3 * int(8 * 1.3) + 37 // 4) // 4
    ],
)
def test_g23_the_typed_estimate_follows_the_kind_of_text(text: str, count: int) -> None:
    assert typed.count(text) == count


@given(st.text())
def test_estimates_are_never_negative(text: str) -> None:
    assert min(counter.count(text) for counter in (simple, typed, cjk)) >= 0


# --- messages -----------------------------------------------------------------------------------


CALL = {
    "role": "assistant",
    "parts": [
        {"type": "text", "text": "abcdefgh"},
        {"type": "tool_call", "id": "1", "name": "read", "arguments": {"path": "a.py", "limit": 5}},
    ],
}

RESULT = {
    "role": "tool",
    "parts": [{"type": "tool_result", "tool_call_id": "1", "content": "abcd"}],
}


def test_g23_a_message_is_estimated_by_its_text_and_the_values_of_its_calls() -> None:
    # 4 + "abcdefgh" 2 + (10 + "read" 1 + "path" 1 + "a.py" 1 + "limit" 2 + a number 10)
    assert counting.estimate_message(CALL, simple) == 4 + 2 + 10 + 1 + 1 + 1 + 2 + 10
    assert counting.estimate_message(RESULT, simple) == 4 + 10 + 1
    assert counting.estimate_message({"role": "user", "parts": []}, simple) == 4


def test_f27_the_cjk_estimate_of_a_message_is_four_and_its_text() -> None:
    assert counting.text_message_tokens(CALL, cjk) == 4 + 2
    assert counting.text_message_tokens(RESULT, cjk) == 4


def test_f27_an_exact_count_takes_roles_calls_and_results() -> None:
    arguments = o200k.count('{"path": "a.py", "limit": 5}')
    call = 4 + o200k.count("assistant") + o200k.count("abcdefgh") + o200k.count("read") + arguments
    assert counting.message_tokens(CALL, o200k) == call
    result = 4 + o200k.count("tool") + o200k.count("abcd")
    assert counting.message_tokens(RESULT, o200k) == result


# --- usage --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("used", "near", "exceeds"),
    [
        (0, False, False),
        (799, False, False),
        (800, True, False),
        (999, True, False),
        (1000, True, True),
        (1200, True, True),
    ],
)
def test_g26_eighty_percent_is_near_and_the_maximum_is_exceeded(
    used: int, near: bool, exceeds: bool
) -> None:
    usage = TokenUsage(used, 1000, is_estimate=True)
    assert (usage.input_tokens, usage.max_tokens, usage.is_estimate) == (used, 1000, True)
    assert usage.percent_used == used / 1000
    assert (usage.near_limit, usage.exceeds_limit) == (near, exceeds)


@given(st.integers(1, 400_000))
def test_g26_exactly_eighty_percent_is_near_whatever_the_size(fifths: int) -> None:
    assert TokenUsage(fifths * 4, fifths * 5).near_limit
    assert not TokenUsage(fifths * 4 - 1, fifths * 5).near_limit


@pytest.mark.parametrize("unknown", [0, -1])
def test_g26_an_unknown_maximum_is_never_near_or_exceeded(unknown: int) -> None:
    usage = TokenUsage(500, unknown)
    assert (usage.percent_used, usage.near_limit, usage.exceeds_limit) == (0.0, False, False)


# --- lines --------------------------------------------------------------------------------------


line_texts = st.lists(st.one_of(words, signs, numbers, beyond, blanks), max_size=8).map(
    lambda parts: "".join(parts).replace("\n", " ")
)


@settings(max_examples=examples(600))
@given(st.lists(line_texts, min_size=1, max_size=6))
@example(["ends with blanks  \t ", "  starts with them", "", "/", "ends with \r", "\x85", "\u2028"])
def test_costs_of_lines_add_up_exactly(parts: list[str]) -> None:
    made = [f"- {part}\n" for part in parts]
    block = "## What matters now\n" + "".join(made)
    costs = [o200k.count(line) for line in made]
    assert o200k.count("## What matters now\n") + sum(costs) == o200k.count(block)


@pytest.mark.parametrize(
    ("first", "second", "apart", "together"),
    [("- a.\n", "\n", 4, 3), ("- a\n", "\n- b\n", 7, 6), ("- a*\n", "/usr\n", 5, 6)],
)
def test_lines_that_start_with_a_blank_or_a_slash_would_not_add_up(
    first: str, second: str, apart: int, together: int
) -> None:
    assert o200k.count(first) + o200k.count(second) == apart
    assert o200k.count(first + second) == together


# --- cutting ------------------------------------------------------------------------------------


COUNTERS = [simple, cjk, upper, o200k]

cuttable = st.lists(st.one_of(words, words, blanks, signs, beyond), min_size=1, max_size=14).map(
    "".join
)


@settings(max_examples=examples(500))
@given(cuttable, st.integers(0, 12), st.sampled_from(COUNTERS))
@example("👩‍👩‍👧你👩‍👩‍👧好e\u0301", 9, upper)
@example("か\u3099が\u3099ｶﾞ", 3, upper)
def test_g43_a_cut_fits_and_never_splits_what_is_read_as_one_character(
    text: str, budget: int, counter: counting.TokenCounter
) -> None:
    cut = counting.cut_words(text, budget, counter)
    assert counter.count(cut) <= budget
    if cut not in ("", text):
        assert cut.endswith(counting.ELLIPSIS)
        kept = cut[: -len(counting.ELLIPSIS)]
        assert text.startswith(kept)
        ends = {match.end() for match in regex.finditer(r"\X", text)}
        assert len(kept) in ends
        rest = text[len(kept) :]
        assert (
            rest[0].isspace() or counting._is_unspaced(rest[0]) or counting._is_unspaced(kept[-1])
        )


@given(st.lists(st.text("abcdefg.", min_size=1, max_size=9), min_size=1), st.integers(0, 30))
def test_a_cut_keeps_as_many_whole_words_as_fit(parts: list[str], budget: int) -> None:
    text = " ".join(parts)
    cut = counting.cut_words(text, budget, simple)
    if simple.count(text) <= budget:
        assert cut == text
        return
    kept = cut.removesuffix(counting.ELLIPSIS).split()
    assert kept == parts[: len(kept)]
    assert len(kept) < len(parts)
    one_more = " ".join(parts[: len(kept) + 1]) + counting.ELLIPSIS
    assert len(kept) + 1 == len(parts) or simple.count(one_more) > budget


def test_chinese_is_cut_between_characters_and_a_long_word_is_not_cut() -> None:
    assert counting.cut_words("我喜欢喝茶", 4, upper).startswith("我")
    assert counting.cut_words("incomprehensibilities of it", 3, simple) == ""
    assert counting.cut_words("short words only here", 3, simple) == "short words…"
    assert counting.cut_words("", 0, simple) == ""


def test_a_cut_asks_the_counter_a_logarithm_of_times() -> None:
    asked = []

    class Watched:
        name = "watched"

        def count(self, text: str) -> int:
            asked.append(text)
            return len(text)

    cut = counting.cut_words("word " * 4_096, 1_000, Watched())
    assert len(cut) <= 1_000 < len(cut) + len(" word")
    assert len(asked) <= 2 + 12


# --- cold start ---------------------------------------------------------------------------------
