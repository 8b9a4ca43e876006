"""Shortened results keep every error line, say what they left out, and stay within the limit."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem.text import tool_output as compact
from cogmem.text.tool_output import ResultCompactor, error_lines, is_error_line, reports_error

LOGS = Path(__file__).parents[1] / "fixtures" / "logs"

# The parts of each log that a reader needs to know what failed, found by eye.
ESSENTIAL = {
    "pytest": [
        "tests/test_checkout.py::test_rounds_half_up FAILED",
        '>       assert cart.total() == Decimal("2.35")',
        "E       AssertionError: assert Decimal('2.34') == Decimal('2.35')",
        "E        +  where Decimal('2.34') = total()",
        "tests/test_checkout.py:41: AssertionError",
        "E       shop.errors.CarrierTimeout: no answer",
        "shop/shipping.py:164: CarrierTimeout",
        "E       assert False",
        "FAILED tests/test_search.py::test_uses_the_cache - assert False",
        "3 failed, 141 passed",
    ],
    "npm": [
        "src/components/Basket.tsx(48,17): error TS2322",
        "src/lib/price.ts(12,9): error TS2304: Cannot find name 'formatMoney'.",
        "src/pages/Order.tsx(101,5): error TS2554",
        "npm error code 2",
        "npm error command sh -c npm run clean && tsc -p . && vite build",
    ],
    "go_build": [
        "internal/orders/place.go:58:14: undefined: clock.Frozen",
        "internal/orders/place.go:73:9: cannot use total",
        'internal/orders/cancel.go:12:2: "time" imported and not used',
        "internal/orders/cancel.go:40:3: missing return",
        "--- FAIL: TestPlaceTwice (0.03s)",
        "place_test.go:44: order 17 was charged 2 times, expected 1",
        "example.com/shop/internal/orders [build failed]",
    ],
    "docker_build": [
        "#9 2.871 ERROR: Could not find a version that satisfies the requirement shop-core==9.1",
        "#9 2.872 ERROR: No matching distribution found",
        '#9 ERROR: process "/bin/sh -c pip install',
        "ERROR: failed to solve",
    ],
    "trace_python": [
        "ERROR shop.worker job 4170 failed",
        '  File "/srv/shop/jobs/invoice.py", line 41, in execute',
        "    pdf = render(self.order)",
        "KeyError: 'LU'",
        "The above exception was the direct cause",
        "    raise JobFailed(job.id) from error",
        "shop.errors.JobFailed: job 4170",
    ],
    "trace_java": [
        'Exception in thread "http-nio-8080-exec-4" com.example.shop.OrderException',
        "\tat com.example.shop.web.OrderController.show(OrderController.java:34)",
        "Caused by: java.sql.SQLTransientConnectionException",
        "\tat com.example.shop.db.Pool.take(Pool.java:58)",
        "\t... 41 more",
    ],
    "trace_go": [
        "panic: runtime error: index out of range [160] with length 160",
        "goroutine 34 [running]:",
        "example.com/shop/internal/search.(*Index).shard(...)",
        "\t/src/shop/internal/search/index.go:118",
        "\t/src/shop/cmd/shopd/main.go:61 +0x1a5",
    ],
    "trace_node": [
        "TypeError: Cannot read properties of undefined (reading 'toFixed')",
        "    at formatMoney (/srv/web/dist/price.js:31:19)",
        "    at async handler (/srv/web/dist/server.js:140:18)",
    ],
    "trace_rust": [
        "thread 'ingest-3' panicked at src/parser.rs:212:41:",
        "called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }",
        "   0: rust_begin_unwind",
        "   3: shop_ingest::parser::price",
        "             at ./src/reader.rs:77:22",
    ],
}
SMALL = ResultCompactor(max_chars=3_000)


def log(name: str) -> str:
    return (LOGS / f"{name}.log").read_text(encoding="utf-8")


def numbered(count: int, word: str = "step") -> list[str]:
    return [f"{word} {number} of {count}" for number in range(count)]


# --- logs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["", "bash", "read", "deploy"])
@pytest.mark.parametrize("name", ESSENTIAL)
def test_g37_every_error_line_of_a_real_log_is_kept(name: str, tool: str) -> None:
    text = log(name)
    short = SMALL.text(text, tool)
    for part in ESSENTIAL[name]:
        assert part in text
        assert part in short
    lines = text.splitlines()
    assert all(lines[number] in short for number in error_lines(lines))
    assert len(short) <= 3_000


@pytest.mark.parametrize("name", ESSENTIAL)
def test_g36_a_failed_log_keeps_its_errors_within_ten_thousand_characters(name: str) -> None:
    text = "\n".join(numbered(900)) + "\n" + log(name)
    short = SMALL.text(text, "bash", success=False)
    assert len(short) <= compact.FAILURE_CHARS
    assert f" of {len(text)} characters shown]" in short
    assert all(part in short for part in ESSENTIAL[name])


def test_a_clean_log_is_not_flagged_and_keeps_its_ends() -> None:
    lines = log("clean").splitlines()
    assert not reports_error(log("clean"))
    short = SMALL.text(log("clean")).splitlines()
    assert short == [*lines[:10], f"[{len(lines) - 15} lines omitted]", *lines[-5:]]


# --- limits -------------------------------------------------------------------------------------


def test_g36_a_success_within_the_limit_is_unchanged() -> None:
    text = "error: " + "x" * 2_993
    assert SMALL.text(text) is text


@pytest.mark.parametrize(("size", "kept"), [(10_000, True), (10_001, False)])
def test_g36_a_failure_is_kept_whole_up_to_ten_thousand_characters(size: int, kept: bool) -> None:
    text = "x" * size
    short = SMALL.text(text, success=False)
    assert (short == text) is kept
    assert len(short) <= 10_000
    assert kept or short.endswith(f" of {size} characters shown]")


def test_g36_the_data_and_all_other_fields_are_kept() -> None:
    data = {"rows": list(range(5_000))}
    result = {"success": True, "content": "x" * 20_000, "data": data, "id": "call_1", "error": None}
    short = SMALL.compact(result, "query")
    assert short["data"] is data
    assert (short["id"], short["error"], short["success"]) == ("call_1", None, True)
    assert 2_950 < len(short["content"]) <= 3_000
    assert len(result["content"]) == 20_000


def test_g36_a_failed_result_is_judged_by_its_success_field() -> None:
    result = {"success": False, "content": "x" * 9_000, "error": "y" * 12_000}
    short = SMALL.compact(result)
    assert short["content"] == result["content"]
    assert 9_950 < len(short["error"]) <= 10_000


@pytest.mark.parametrize("value", [0, -1])
def test_limits_of_zero_or_less_stand_for_the_defaults(value: int) -> None:
    compactor = ResultCompactor(value, value, value)
    assert (compactor.max_chars, compactor.head_lines, compactor.tail_lines) == (10_000, 10, 5)


def test_g38_long_logs_keep_as_many_ends_as_were_asked_for() -> None:
    lines = numbered(900)
    short = ResultCompactor(1_000, head_lines=3, tail_lines=2).text("\n".join(lines))
    assert short.splitlines() == [*lines[:3], "[895 lines omitted]", *lines[-2:]]


def test_g38_a_few_long_lines_are_cut_plainly() -> None:
    text = "\n".join("x" * 500 for _ in range(16))
    short = SMALL.text(text)
    assert short.startswith(text[:2_900])
    assert short.endswith(f" of {len(text)} characters shown]")
    assert len(short) == 3_000


def test_g38_ends_that_are_too_long_themselves_are_cut() -> None:
    short = SMALL.text("\n".join("x" * 500 for _ in range(40)))
    assert 2_950 < len(short) <= 3_000
    assert short.endswith("characters shown]")


def test_carriage_returns_of_a_progress_bar_end_lines() -> None:
    bar = "\r".join(f"{percent:3d}% done" for percent in range(101))
    short = ResultCompactor(500).text(f"start\r\n{bar}\r\nend\r\n")
    assert short.splitlines()[0] == "start"
    assert "[88 lines omitted]" in short
    assert short.splitlines()[-1] == "end"


# --- errors -------------------------------------------------------------------------------------

DOCUMENTED = [
    "error:",
    "panic:",
    "fatal:",
    "stack trace:",
    "exception:",
    "traceback:",
    "undefined:",
    "cannot use",
    "--- fail",
    "permission denied",
    "not found",
    "syntax error",
    "compilation failed",
    "build failed",
]


@pytest.mark.parametrize("change", [str.lower, str.upper, str.title])
@pytest.mark.parametrize("indicator", DOCUMENTED)
def test_g40_every_documented_indicator_is_found_in_any_case(
    indicator: str, change: object
) -> None:
    assert callable(change)
    line = change(f"line 7 {indicator} x")
    assert reports_error(f"all\ngood\n{line}\n")
    assert is_error_line(line)


@pytest.mark.parametrize(
    "text",
    [
        "err: no route",
        "err = nil check",
        "stopped at line 12",
        "at file a.c",
        "error(5)",
        "FAIL: x",
        "job failed: 3",
        "no such file or directory",
        "Access denied",
        "parse error near }",
        "thread 'main' panicked at src/main.rs:2:5:",
        "Segmentation fault (core dumped)",
        "Traceback (most recent call last):",
        "main.o: undefined reference to `start'",
        'Exception in thread "main" java.lang.IllegalStateException',
        "Error: Cannot find module 'left-pad'",
    ],
)
def test_g40_further_indicators_are_found(text: str) -> None:
    assert reports_error(text)
    assert is_error_line(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "All 12 tests passed.",
        "0 errors, 0 warnings",
        "stderr: (empty)",
        "that line is long",
        "what file is this?",
        "Handles errors and exceptions gracefully.",
        "format file saved",
        "the find command was founded",
        "undefined behaviour is a topic in C",
        "stderr = pipe",
    ],
)
def test_g40_clean_text_is_not_flagged(text: str) -> None:
    assert not reports_error(text)


@pytest.mark.parametrize(
    ("line", "is_error"),
    [
        ("main.go:123: text", False),
        ("main.go:123: undefined name", True),
        ("src/app.py:7: def handle_request(self):", False),
        ("tests/test_a.py::test_reports_missing_stock PASSED", False),
        ("  warning: unused", True),
        ("2 tests failed", True),
        ("terror struck", False),
        ("    at run (/srv/app.js:3:1)", True),
        ("meet me at noon", False),
    ],
)
def test_g37_a_place_alone_is_no_error_line(line: str, is_error: bool) -> None:
    assert is_error_line(line) is is_error


def test_g37_errors_come_first_under_their_own_heading_and_repeats_are_counted() -> None:
    lines = numbered(400)
    for number in range(50, 350, 3):
        lines[number] = "error: disk is full"
    lines[201] = "fatal: giving up"
    short = ResultCompactor(2_000).text("\n".join(lines), "deploy").splitlines()
    assert short[:3] == ["Error lines (101):", "error: disk is full (×100)", "fatal: giving up"]
    assert short[3:5] == ["Other lines:", lines[0]]
    assert short[-1] == lines[-1]
    omitted = [line for line in short if line.endswith(" lines omitted]")]
    shown = len(short) - 5
    assert omitted == [f"[{len(lines) - 101 - shown} lines omitted]"]


def test_g37_short_error_lines_are_kept_as_long_as_there_is_room_for_them() -> None:
    lines = [f"error: part {number:03} broke" for number in range(900)]
    short = ResultCompactor().text("\n".join(lines))
    assert len(short) > 0.99 * compact.FAILURE_CHARS
    assert short.count("broke") > 400


def test_g37_other_lines_are_left_out_when_errors_leave_no_room() -> None:
    errors = [f"error: case {number} has no owner" for number in range(60)]
    short = ResultCompactor(1_500).text("\n".join([*numbered(50), *errors]))
    assert short.splitlines() == ["Error lines (60):", *errors]


def test_g37_so_many_errors_that_they_pass_ten_thousand_characters_are_counted() -> None:
    errors = [f"error: case {number:05d} has no owner" for number in range(3_000)]
    short = SMALL.text("\n".join(errors))
    shown = [line for line in short.splitlines() if line.startswith("error: ")]
    assert len(short) <= 10_100
    assert short.splitlines()[0] == "Error lines (3000):"
    assert short.splitlines()[-1] == f"[{3_000 - len(shown)} more different error lines]"


def test_an_error_in_the_middle_of_a_huge_line_is_shown_with_what_is_around_it() -> None:
    text = "x" * 50_000 + " error: the middle " + "y" * 50_000
    short = SMALL.text(text)
    assert "error: the middle" in short
    assert len(short) <= 3_000


# --- tools --------------------------------------------------------------------------------------


def test_g39_read_keeps_both_ends_and_signatures_between() -> None:
    lines = [f"    value_{number} = {number} * scale" for number in range(300)]
    for number in range(40, 280, 6):
        lines[number] = f"def step_{number}(scale):"
    short = SMALL.text("\n".join(lines), "Read").splitlines()
    assert short[:30] == lines[:30]
    assert short[-10:] == lines[-10:]
    assert [line for line in short[30:-10] if "omitted" not in line] == lines[40:160:6]
    assert short[30:34] == ["[10 lines omitted]", lines[40], "[5 lines omitted]", lines[46]]


def test_g39_code_that_raises_many_errors_is_still_read_by_its_signatures() -> None:
    lines = [f'    raise ValueError("error: value {number} is bad")' for number in range(300)]
    for number in range(40, 280, 6):
        lines[number] = f"def step_{number}(scale):"
    short = ResultCompactor(5_000).text("\n".join(lines), "read").splitlines()
    assert short[:30] == lines[:30]
    assert sum(line.startswith("def step_") for line in short) == 20


def test_g39_bash_keeps_five_and_twenty_lines() -> None:
    lines = numbered(900)
    short = SMALL.text("\n".join(lines), "bash").splitlines()
    assert short == [*lines[:5], "[875 lines omitted]", *lines[-20:]]


def test_g39_bash_with_errors_keeps_three_and_twenty_five_and_every_error() -> None:
    lines = numbered(900)
    lines[400] = "error: one"
    lines[600] = "permission denied: two"
    short = SMALL.text("\n".join(lines), "bash").splitlines()
    gaps = ["[397 lines omitted]", "[199 lines omitted]", "[274 lines omitted]"]
    assert short == [*lines[:3], gaps[0], lines[400], gaps[1], lines[600], gaps[2], *lines[-25:]]


def test_g39_grep_keeps_forty_matches_and_at_most_half_of_them_errors_first() -> None:
    lines = [f"src/a{number}.py:{number}: ordinary line of text" for number in range(200)]
    for number in range(100, 150):
        lines[number] = f"src/a{number}.py:{number}: raise error: {number}"
    short = SMALL.text("\n".join(lines), "grep").splitlines()
    assert short[:20] == lines[100:120]
    assert short[20:40] == lines[:20]
    assert short[40:] == ["[40 of 200 matches shown]"]


@pytest.mark.parametrize(
    ("tool", "count", "note"),
    [("glob", 50, "[50 of 400 paths shown]"), ("tree", 80, "[80 of 400 lines shown]")],
)
def test_g39_glob_and_tree_keep_the_first_and_say_how_many_there_are(
    tool: str, count: int, note: str
) -> None:
    lines = [f"src/module_{number:03d}.py" for number in range(400)]
    short = SMALL.text("\n".join(lines) + "\n", tool).splitlines()
    assert short == [*lines[:count], note]


@pytest.mark.parametrize(
    ("tool", "count"), [("bash", 30), ("read", 50), ("grep", 50), ("glob", 100), ("tree", 100)]
)
def test_g39_up_to_its_number_of_lines_a_tool_has_the_general_rule(tool: str, count: int) -> None:
    few, one_more = numbered(count), numbered(count + 1)
    compactor = ResultCompactor(len("\n".join(few)) - 1)
    assert compactor.text("\n".join(few), tool) == compactor.text("\n".join(few))
    assert compactor.text("\n".join(one_more), tool) != compactor.text("\n".join(one_more))


# --- any text -----------------------------------------------------------------------------------

any_line = st.one_of(
    st.text(max_size=80),
    st.sampled_from([line for name in ESSENTIAL for line in log(name).splitlines()]),
    st.sampled_from(
        ["", "Traceback (most recent call last):", "goroutine 1 [running]:", "\t", "  "]
    ),
    st.integers(0, 3_000).map("error: {} 👩‍👩‍👧 é".format),
)
any_text = st.lists(any_line, max_size=150).map("\n".join)
tools = st.sampled_from(["", "bash", "read", "grep", "glob", "tree"])


@settings(max_examples=examples(150))
@given(any_text, tools, st.integers(1, 4_000))
def test_g43_any_text_is_shortened_within_its_limits_and_stays_text(
    text: str, tool: str, limit: int
) -> None:
    short = ResultCompactor(limit).text(text, tool)
    if len(text) <= limit:
        assert short == text
    elif reports_error(text):
        assert len(short) <= max(limit, compact.FAILURE_CHARS) + 100
    else:
        assert len(short) <= limit
    short.encode()  # no half of a character


@settings(max_examples=examples(150))
@given(any_text, st.sampled_from(["", "bash"]))
def test_g37_no_error_line_of_any_text_is_lost(text: str, tool: str) -> None:
    short = ResultCompactor(1_500).text(text, tool)
    lines = compact._lines(text) if reports_error(text) else []
    wrong = [lines[number] for number in error_lines(lines)]
    if sum(map(len, set(wrong))) + 10 * len(wrong) < 9_000:
        assert all(line in short for line in wrong)


@settings(max_examples=examples(100))
@given(any_text.map(lambda text: text * 4))
def test_g36_any_failure_is_within_ten_thousand_characters(text: str) -> None:
    assert len(SMALL.text(text, success=False)) <= compact.FAILURE_CHARS


def test_a_megabyte_without_a_line_end_takes_no_more_than_moments() -> None:
    for part in ("at ", 'File ", line ', "a::", "1: ", "x.go:1", "export ", "\t", "error: "):
        text = " " + part * (1_000_000 // len(part))
        assert len(SMALL.text(text, "bash")) <= 3_000
