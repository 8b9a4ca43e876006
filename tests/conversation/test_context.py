"""ContextWindow: what is sent fits the model, shrinks when it is due, and loses no message.

Modules: parts, policy, shrink.
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from talks import call, result, said

import cogmem
from cogmem.conversation.background import Background
from cogmem.conversation.context import ContextWindow, limits_of
from cogmem.conversation.parts import answers, calls
from cogmem.conversation.policy import STRATEGIES
from cogmem.conversation.shrink import (
    LONG_MARKS,
    MARKS,
    chunks,
    emergency,
    formatted,
    plan,
    score,
    summary_of,
)
from cogmem.conversation.summarise import Teller, preserving_prompt
from cogmem.errors import InvalidInput
from cogmem.tokens import counting
from cogmem.tokens.provider import ProviderCounter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem import Memory
    from cogmem.conversation.conversation import Conversation

WORDS = "The gentle river flows past seven old mills near town {n} "


def talk_of(memory: Memory, messages: Sequence[dict[str, Any]]) -> Conversation:
    talk = memory.conversation("talk")
    talk.extend([(message["role"], message["parts"], None, NOW, None) for message in messages])
    return talk


def plain(count: int, repeat: int = 1) -> list[dict[str, Any]]:
    return [said(("user", "assistant")[n % 2], WORDS.format(n=n) * repeat) for n in range(count)]


def limited(memory: Memory, tokens_allowed: int, **more: Any) -> None:
    values = {"max_input_tokens": tokens_allowed, **more}
    for name, value in values.items():
        memory.store.set_setting(name, str(value), now=NOW)


def size(memory: Memory, messages: Sequence[dict[str, Any]]) -> int:
    from cogmem.conversation.record import whole_tokens

    return sum(whole_tokens(message, memory.store.counter) for message in messages)


# -- limits and settings ---------------------------------------------------------------------------


def test_g25_limits_come_from_rows_by_name_then_by_the_longest_name_within(memory: Memory) -> None:
    expected = {
        "gemini-3-flash": (1_048_576, 65_536),
        "gemini-3-pro": (1_048_576, 65_536),
        "gemini-2.5-flash": (1_048_576, 8_192),
        "gemini-2.5-pro": (1_048_576, 8_192),
        "gemini-2.0-flash": (1_048_576, 8_192),
        "glm-4.7": (128_000, 131_072),
    }
    assert {name: limits_of(memory.db, name) for name in expected} == expected
    assert limits_of(memory.db, "models/Gemini-3-Pro-preview") == (1_048_576, 65_536)
    assert limits_of(memory.db, "no such model") == (128_000, 8_192)
    rows = [("glm-4.7-air", 1000, 10), ("glm", 5, 5)]
    for row in rows:
        step = "insert into model_limit values (:m, :i, :o)"
        memory.db.write([(step, dict(zip("mio", row, strict=True)))], verb="setting", at=NOW)
    assert limits_of(memory.db, "GLM-4.7-air-x") == (1000, 10)
    assert limits_of(memory.db, "glm-4.7-x") == (128_000, 131_072)


def test_g25_a_configured_limit_outlives_a_change_of_model(memory: Memory) -> None:
    limited(memory, 5_000)
    window = memory.conversations.window("talk", "glm-4.7")
    assert window.max_tokens == 5_000
    window.use_model("gemini-3-pro")
    assert (window.max_tokens, window.max_output) == (5_000, 65_536)


def test_g42_the_context_s_settings_have_the_documented_defaults(memory: Memory) -> None:
    settings = memory.store.settings()
    expected = {
        "warning_threshold": "0.8",
        "summarization_ratio": "0.5",
        "tool_result_max_chars": "10000",
        "enable_auto_summary": "1",
        "auto_compact_threshold": "0.75",
        "max_input_tokens": "0",
    }
    assert {name: settings[name] for name in expected} == expected


def test_g26_a_window_is_near_its_limit_at_exactly_80_percent(memory: Memory) -> None:
    talk = talk_of(memory, plain(4))
    cost = size(memory, plain(4))
    limited(memory, cost * 10 // 8 if cost % 4 == 0 else cost)
    usage = ContextWindow(talk, "any").usage()
    assert usage.input_tokens == cost
    assert usage.near_limit
    assert usage.is_estimate  # the tests count with an estimate


# -- triggers --------------------------------------------------------------------------------------


def test_g27_near_the_limit_it_is_summarised_and_with_the_switch_off_it_is_not(
    memory: Memory,
) -> None:
    messages = plain(40)
    talk = talk_of(memory, messages)
    limited(memory, int(size(memory, messages) / 0.85), enable_auto_summary=0)
    assert ContextWindow(talk, "any").prepare().actions == []
    limited(memory, int(size(memory, messages) / 0.85), enable_auto_summary=1)
    prepared = ContextWindow(talk, "any").prepare()
    assert prepared.actions == ["optimised"]
    assert not prepared.usage.near_limit
    assert [m.text for m in talk.messages()] == [m["parts"][0]["text"] for m in messages]


def test_between_requests_a_full_window_is_compacted_once_a_minute_and_leaves_checkpoints(
    memory: Memory,
) -> None:
    messages = plain(80)
    talk = talk_of(memory, messages)
    limited(memory, int(size(memory, messages) / 0.76))
    window = ContextWindow(talk, "any")
    start = datetime(2025, 1, 1, tzinfo=UTC)
    before = window.usage().input_tokens
    assert window.look_after(start) == "compacted"
    assert window.usage().input_tokens < before
    assert window.look_after(start + timedelta(seconds=59)) == "nothing"
    for minute in range(1, 81):
        assert window.look_after(start + timedelta(minutes=minute)) == "nothing"
    assert [point.messages for point in window.checkpoints] == [len(window.messages())] * 5
    apart = {b.raw("at") - a.raw("at") for a, b in pairwise(window.checkpoints)}
    assert apart == {600_000}
    assert [m.text for m in talk.messages()] == [m["parts"][0]["text"] for m in messages]


def test_g28_at_75_percent_all_but_the_last_50_messages_are_told(memory: Memory) -> None:
    messages = plain(120)
    talk = talk_of(memory, messages)
    limited(memory, int(size(memory, messages) / 0.76))
    prepared = ContextWindow(talk, "any").prepare()
    assert prepared.actions == ["compacted"]
    summary, *rest = prepared.messages
    assert summary["role"] == "user"
    assert summary["parts"][0]["text"].startswith(MARKS[0])
    assert rest == messages[-50:]


def test_g29_over_the_limit_it_is_cut_without_a_model_and_keeps_the_first_two(
    memory: Memory,
) -> None:
    messages = plain(60)
    talk = talk_of(memory, messages)
    limited(memory, size(memory, messages) // 3, enable_auto_summary=0)
    prepared = ContextWindow(talk, "any").prepare()
    assert prepared.actions == ["emergency"]
    assert prepared.messages[:2] == messages[:2]
    assert prepared.messages[2:] == messages[-(len(prepared.messages) - 2) :]
    assert prepared.usage.input_tokens <= size(memory, messages) // 3 * 0.7
    assert emergency(messages[:4], [1000] * 4, 10) == [0, 1, 2, 3]


def test_g29_a_single_message_beyond_the_limit_is_shortened_within(memory: Memory) -> None:
    talk = talk_of(memory, [*plain(6), said("user", "BEGIN " + "word " * 3000 + "END")])
    limited(memory, 800, enable_auto_summary=0)
    prepared = ContextWindow(talk, "any").prepare()
    assert prepared.usage.input_tokens < 800
    assert prepared.messages[-1]["parts"][0]["text"].startswith("BEGIN")
    assert talk.messages()[-1].text.endswith("END")


def test_g30_steady_growth_towards_85_percent_is_seen_ahead(memory: Memory) -> None:
    messages = plain(40)
    talk = talk_of(memory, messages)
    window = ContextWindow(talk, "any")
    window.max_tokens = int(size(memory, messages) / 0.60)
    for number in range(2):
        assert window.prepare().actions == []
        talk.extend([(m["role"], m["parts"], None, NOW, None) for m in plain(10)[:4]])
        window.max_tokens = int(size(memory, window.messages()) / (0.70 + number / 100))
    grown = plain(60)[-14:]
    talk.extend([(m["role"], m["parts"], None, NOW, None) for m in grown])
    window.max_tokens = int(size(memory, window.messages()) / 0.745)
    assert window.prepare().actions == ["optimised"]


def test_g30_many_short_messages_are_a_reason_by_themselves(memory: Memory) -> None:
    talk = talk_of(memory, plain(150))
    window = ContextWindow(talk, "glm-4.7")
    assert window.prepare().actions == []
    talk.append("user", "The mill turns.")
    assert window.prepare().actions == ["optimised"]
    assert len(window.messages()) < 60


def test_g30_only_one_optimisation_runs_at_a_time(memory: Memory) -> None:
    going, entered = threading.Event(), threading.Event()

    class Slow:
        name = "slow"

        def complete(self, _prompt: str, **_: Any) -> str:
            entered.set()
            assert going.wait(10)
            return "A summary."

    talk = talk_of(memory, plain(150))
    window = ContextWindow(talk, "glm-4.7", summariser=Slow())
    first: list[str] = []
    thread = threading.Thread(target=lambda: first.append(window.optimise()))
    thread.start()
    assert entered.wait(10)
    assert window.optimise() == window.compact() == "skipped"
    going.set()
    thread.join()
    assert first == ["optimised"]


def test_between_two_shrinkings_the_list_only_grows_so_that_a_cache_holds(memory: Memory) -> None:
    talk = talk_of(memory, plain(160))
    window = ContextWindow(talk, "glm-4.7")
    before = window.prepare().messages
    for number in range(5):
        talk.append("user", f"more {number}")
        after = window.prepare().messages
        assert after[: len(before)] == before
        assert len(after) == len(before) + 1
        before = after


def test_a_second_summary_takes_the_first_along(memory: Memory) -> None:
    talk = talk_of(memory, [said("user", "We decided to name the boat Heron."), *plain(119)])
    window = ContextWindow(talk, "glm-4.7")
    window.compact()
    talk.extend([(m["role"], m["parts"], None, NOW, None) for m in plain(100)])
    assert window.compact() == "compacted"
    first = window.messages()[0]["parts"][0]["text"]
    assert "Heron" in first
    assert len(window.messages()) == 51


def test_long_results_are_shortened_in_the_window_and_whole_in_the_record(memory: Memory) -> None:
    log = "\n".join(f"line {n}" for n in range(3000))
    talk = talk_of(memory, [call("grep", 1, pattern="x", path="src/app.py"), result(log)])
    window = ContextWindow(talk, "glm-4.7")
    shown = window.prepare().messages[1]["parts"][0]["content"]
    assert len(shown) <= 10_000
    assert talk.messages()[1].parts[0]["content"] == log
    assert list(window.key_files) == ["src/app.py"]


def test_the_provider_s_count_is_used_and_carried_on_for_a_few_messages(memory: Memory) -> None:
    asked = []

    def ask(content: Any) -> int:
        asked.append(len(content))
        return 1_000

    provider = ProviderCounter(ask, counting.Simple())
    talk = talk_of(memory, plain(4))
    window = ContextWindow(talk, "glm-4.7", provider=provider)
    provider.measure(window.messages())
    assert (window.usage().input_tokens, window.usage().is_estimate) == (1_000, False)
    talk.append("user", "four more words here")
    usage = window.usage()
    assert 1_000 < usage.input_tokens < 1_030
    assert usage.is_estimate


@settings(max_examples=examples(25))
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("say"), st.integers(1, 40)),
            st.tuples(st.just("tool"), st.integers(1, 3)),
            st.tuples(st.just("fail"), st.integers(1, 60)),
        ),
        min_size=3,
        max_size=60,
    ),
    st.integers(120, 900),
    st.sampled_from(list(STRATEGIES)),
)
def test_whatever_is_said_the_window_stays_below_its_limit_with_whole_pairs(
    turns: list[tuple[str, int]], limit: int, strategy: str
) -> None:
    with cogmem.open(":memory:", counter=counting.Simple()) as memory:
        limited(memory, limit)
        talk = memory.conversation("talk")
        window = ContextWindow(talk, "any", strategy=strategy)
        number = 0
        for kind, amount in turns:
            if kind == "say":
                talk.append("user", "word " * amount)
            else:
                for _ in range(amount if kind == "tool" else 1):
                    number += 1
                    talk.append("assistant", call("bash", number, command="make")["parts"])
                    text = "error: it broke " * amount if kind == "fail" else "ok"
                    talk.append("tool", result(text, number, is_error=kind == "fail")["parts"])
            prepared = window.prepare()
            assert not prepared.usage.exceeds_limit
            asked = [one for message in prepared.messages for one in calls(message["parts"])]
            answered = [one for message in prepared.messages for one in answers(message["parts"])]
            assert asked == answered


# -- plans, scores, summaries ----------------------------------------------------------------------


def test_g31_a_plan_keeps_both_ends_the_pairs_and_what_matters() -> None:
    messages = plain(40)
    messages[3:5] = [call("grep", 1), result("found")]
    messages[10] = said("assistant", "The build failed with an exception.")
    messages[15:17] = [call("edit", 2, path="a.py"), result("done", 2)]
    messages[19:21] = [call("glob", 3), result("a b", 3)]
    chosen = plan(messages, STRATEGIES["default"])
    assert chosen is not None
    assert chosen.start == [0, 1, 2, 3, 4]  # the fifth answers the fourth
    assert chosen.end == list(range(19, 40))  # and the twentieth last is an answer
    assert set(chosen.kept) == {10, 15, 16}
    assert sorted([*chosen.start, *chosen.kept, *chosen.summarise, *chosen.end]) == list(range(40))


def test_g31_a_short_list_is_left_alone_and_a_long_one_keeps_a_third_of_the_maximum() -> None:
    assert plan(plain(11), STRATEGIES["default"]) is None
    chosen = plan(plain(60), STRATEGIES["default"])
    assert chosen is not None
    assert len(chosen.end) == 16  # 50 // 3


@pytest.mark.parametrize(
    ("message", "level"),
    [
        (said("system", "You are careful."), "critical"),
        (said("user", "Follow these instructions closely."), "critical"),
        (said("assistant", "It failed with an error."), "critical"),
        (result("no such file", is_error=True), "critical"),
        (call("edit", 1, path="a.py"), "high"),
        (call("bash", 1, command="make"), "high"),
        (said("user", "We decided on this approach and agreed that it must stay."), "high"),
        (said("user", "What a lovely day."), "normal"),
        (said("assistant", "All tests pass with no errors."), "normal"),
        (call("read", 1, path="a.py"), "normal"),
    ],
)
def test_g32_scores_tell_errors_and_edits_from_glances(message: dict[str, Any], level: str) -> None:
    assert score(message).level == level


def test_g32_glances_weigh_less_and_repeated_ones_are_low() -> None:
    read = call("read", 1, path="a.py")
    assert score(read).value < score(said("assistant", "What a lovely day.")).value
    reads = {"role": "assistant", "parts": call("read", 1)["parts"] * 4}
    assert score(reads).level == "low"
    assert score(result("x" * 6000)).value < score(result("x")).value


def test_g33_the_prompt_names_six_priorities_in_order_and_four_exclusions() -> None:
    prompt = preserving_prompt(0.5)
    named = (
        *("1. file paths", "2. errors", "3. dependencies", "4. configuration", "5. architecture"),
        *("6. open issues", "Leave out", "- raw logs", "- intermediate", "- confirmations"),
        *("- repeated reads",),
    )
    places = [prompt.index(words) for words in named]
    assert places == sorted(places)
    assert "about 50 % as long" in prompt


def test_g34_chunks_end_where_a_topic_may_end_and_at_sixty_at_the_latest() -> None:
    messages = plain(200)
    messages[17] = said("user", "ok, thanks")
    messages[5] = said("user", "ok")  # too early to end a chunk
    lengths = [len(chunk) for chunk in chunks(messages)]
    assert lengths == [18, 60, 60, 62]  # two left over join the last
    messages[30:32] = [call("read", 1), result("x")]
    assert len(next(chunks(messages[16:]))) == 15
    assert [len(chunk) for chunk in chunks(plain(7))] == [7]


class Counting:
    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def complete(self, _prompt: str, **options: Any) -> str:
        self.asked.append(options["system"])
        return f"part {len(self.asked)}"


def test_g34_beyond_a_hundred_messages_parts_are_told_and_then_the_whole(memory: Memory) -> None:
    counter = memory.store.counter
    short, long = Counting(), Counting()
    one = summary_of(plain(100, 4), STRATEGIES["default"], Teller(counter, short))
    assert len(short.asked) == 1
    assert one["parts"][0]["text"] == f"{MARKS[0]}\npart 1\n{MARKS[1]}"
    whole = summary_of(plain(150, 4), STRATEGIES["default"], Teller(counter, long))
    assert len(long.asked) >= 3
    assert whole["parts"][0]["text"].startswith(LONG_MARKS[0])


def test_g35_the_ratio_of_the_settings_is_what_a_summary_aims_at(memory: Memory) -> None:
    limited(memory, 0, summarization_ratio=0.25)
    window = ContextWindow(talk_of(memory, plain(2)), "glm-4.7")
    assert window.strategy.ratio == 0.25
    assert "25 %" in preserving_prompt(window.strategy.ratio)
    assert ContextWindow(window.talk, "glm-4.7", strategy="compact").strategy.ratio == 0.3


def test_strategies_have_gokin_s_figures() -> None:
    figures = {
        name: (s.keep_start, s.keep_end, s.min_messages, s.max_messages, s.ratio, s.drop_tool_calls)
        for name, s in STRATEGIES.items()
    }
    assert figures == {
        "default": (4, 20, 12, 50, 0.5, False),
        "compact": (2, 6, 8, 30, 0.3, True),
        "verbose": (3, 15, 20, 100, 0.7, False),
    }
    assert STRATEGIES["default"].for_limit(128_000).max_messages == 64
    with pytest.raises(InvalidInput, match="not known"):
        ContextWindow(None, "x", strategy="loud")  # type: ignore[arg-type]


def test_g43_long_texts_are_cut_between_characters_for_the_model() -> None:
    shown = formatted(said("user", "é🙂" * 4000))
    assert shown.encode().decode() == shown
    assert len(shown) < 4100
    lines = formatted(result("\n".join(f"row {n} of the log" for n in range(200))))
    assert "row 0 " in lines
    assert "row 199 " in lines
    assert "[160 lines are left out]" in lines
    assert formatted(result("boom", is_error=True)) == "tool: error: boom"


def test_work_in_the_background_shows_in_a_later_request(memory: Memory) -> None:
    background = Background()
    talk = talk_of(memory, plain(160))
    window = ContextWindow(talk, "glm-4.7", background=background)
    prepared = window.prepare()
    assert prepared.actions == ["started"]
    assert background.close()
    talk.append("user", "And now?")
    later = window.messages()
    assert len(later) < 80
    assert later[-1] == said("user", "And now?")
