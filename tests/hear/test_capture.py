"""Rules that read messages: the table proves itself, and two corpora say how well it does.

`python tests/hear/test_capture.py` writes the figures of docs/capture.md anew; a test compares them.

Modules: rules.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yardstick import yardsticks

from cogmem.hear.capture import (
    SELF_ERROR_TAGS,
    Captured,
    Rules,
    check_rules,
    compile_rules,
    spelled_out,
)
from cogmem.hear.rules import RULE_COLUMNS
from cogmem.language.clauses import fold, own_words, readable, segments

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/fixtures/capture_corpus.jsonl"
UNSEEN = ROOT / "tests/fixtures/capture_unseen.jsonl"
PAGE = ROOT / "docs/capture.md"
FAMILIES = ("constraint", "correction", "preference", "remember")


def table() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("pragma foreign_keys = on")
    for name in ("05_kind", "08_capture_rule"):
        connection.executescript((ROOT / f"schema/tables/{name}.sql").read_text(encoding="utf-8"))
    return connection


def rows_of(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    return connection.execute(f"select {RULE_COLUMNS} from capture_rule").fetchall()


ROWS = rows_of(table())
RULES = compile_rules(ROWS)


def row(
    name: str = "preference.mine", pattern: str = r"\bspecial (?P<what>\w+)", **other: Any
) -> Any:
    columns = {
        "name": name,
        "family": "preference",
        "language": "en",
        "position": 1,
        "pattern": pattern,
        "veto": None,
        "kind": "preference",
        "priority": 2,
        "polarity": 1,
        "confidence": 0.8,
        "state": "active",
        "outcome": "",
        "example": "This is a special example.",
        "counter_example": "This one is quite ordinary.",
        "is_enabled": 1,
        "is_own": 1,
    }
    return tuple((columns | other).values())


def texts(message: str, rules: Rules = RULES, role: str = "user") -> list[str]:
    return [found.text for found in rules.match(message, role)]


def only(message: str, role: str = "user") -> Captured:
    (found,) = RULES.match(message, role)
    return found


# --- the corpora -------------------------------------------------------------------------------


def corpus(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def confusion(messages: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """Count (expected family, captured family); "nothing" stands for what is not there.

    An expectation is met only by a capture of the same text, kind and family. A capture of the
    right text in another family or kind counts in that family's column and is an error.
    """
    cells: Counter[tuple[str, str]] = Counter()
    for message in messages:
        found = {(c.text, c.kind, c.family) for c in RULES.match(message["text"])}
        wanted = {(e["text"], e["kind"], e["family"]) for e in message["expect"]}
        for _, _, family in wanted & found:
            cells[family, family] += 1
        missed, extra = sorted(wanted - found), sorted(found - wanted)
        for text, _, family in missed:
            other = next((e for e in extra if e[0] == text), None)
            if other:
                extra.remove(other)
            cells[
                family, (other[2] + " (other kind)" * (other[2] == family)) if other else "nothing"
            ] += 1
        for _, _, family in extra:
            cells["nothing", family] += 1
        if not wanted and not found:
            cells["nothing", "nothing"] += 1
    return cells


def precision_and_recall(cells: Counter[tuple[str, str]]) -> tuple[float, float]:
    right = sum(cells[family, family] for family in FAMILIES)
    captured = sum(n for (_, got), n in cells.items() if got != "nothing")
    expected = sum(n for (want, _), n in cells.items() if want != "nothing")
    return right / captured, right / expected


def figures() -> str:
    """The tables of docs/capture.md."""
    whole = corpus(CORPUS)
    sets = {
        "tuned on (even lines)": whole[1::2],
        "looked at (odd lines)": whole[::2],
        "unseen": corpus(UNSEEN),
    }
    lines = [
        "| messages | n | to be left alone | expected | precision | recall |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, messages in sets.items():
        precision, recall = precision_and_recall(confusion(messages))
        alone = sum(not message["expect"] for message in messages)
        expected = sum(len(message["expect"]) for message in messages)
        lines.append(
            f"| {name} | {len(messages)} | {alone} | {expected} | {precision:.3f} | {recall:.3f} |"
        )
    cells = confusion(whole + corpus(UNSEEN))
    columns = [*FAMILIES, *sorted({got for _, got in cells} - {*FAMILIES, "nothing"}), "nothing"]
    lines += [
        "",
        "| expected ↓ captured → | " + " | ".join(columns) + " |",
        "|---" + "|--:" * len(columns) + "|",
    ]
    for family in (*FAMILIES, "nothing"):
        counts = " | ".join(str(cells[family, column]) for column in columns)
        lines.append(f"| {family} | {counts} |")
    lines += ["", "| family | language | rules |", "|---|---|--:|"]
    counted = table().execute(
        "select family, language, count(*) from capture_rule group by 1, 2 order by 1, 2 <> 'en', 2"
    )
    lines += [f"| {family} | {language} | {n} |" for family, language, n in counted]
    return "\n".join(lines) + "\n"


def test_the_corpus_is_large_varied_and_mostly_not_to_be_captured() -> None:
    messages = corpus(CORPUS)
    assert len(messages) >= 320
    assert len({message["text"] for message in messages}) == len(messages)
    assert sum(not message["expect"] for message in messages) >= 0.45 * len(messages)
    assert not {m["text"] for m in messages} & {m["text"] for m in corpus(UNSEEN)}


@pytest.mark.parametrize("part", [slice(None), slice(0, None, 2), slice(1, None, 2)])
def test_precision_and_recall_on_the_corpus_are_high(part: slice) -> None:
    precision, recall = precision_and_recall(confusion(corpus(CORPUS)[part]))
    assert precision >= 0.92
    assert recall >= 0.85


def test_precision_and_recall_hold_on_messages_that_no_rule_was_tuned_on() -> None:
    precision, recall = precision_and_recall(confusion(corpus(UNSEEN)))
    assert precision >= 0.85
    assert recall >= 0.85


def test_the_page_shows_the_present_figures() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.partition("<!-- figures -->\n")[2].partition("<!-- end -->")[0] == figures(), (
        "run: python tests/hear/test_capture.py"
    )


def test_the_page_s_own_rule_works() -> None:
    statement = PAGE.read_text(encoding="utf-8").partition("```sql\n")[2].partition("```")[0]
    connection = table()
    connection.executescript(statement)
    rows = rows_of(connection)
    assert len(rows) == len(ROWS) + 1
    assert check_rules(rows) == []


# --- the table ---------------------------------------------------------------------------------


def test_every_rule_captures_its_example_and_leaves_its_counter_example() -> None:
    assert check_rules(ROWS) == []
    assert RULES.problems == ()


def test_the_check_names_a_rule_that_fails_its_own_examples() -> None:
    swapped = row(
        example="This one is quite ordinary.", counter_example="This is a special example."
    )
    assert check_rules([*ROWS, swapped]) == [
        "rule preference.mine: its example is not captured by it",
        "rule preference.mine: its counter-example is captured by it",
    ]
    shadowed = row(example="Always use the special template.")
    assert check_rules([*ROWS, shadowed]) == []  # position 1: it comes first
    late = row(example="Always use the special template.", position=999)
    assert check_rules([*ROWS, late]) == [
        "rule preference.mine: its example is not captured by it, preference.always takes it"
    ]


@pytest.mark.parametrize(
    "pattern", ["(", "a{1001}", "(?=x)", "\\", "\ud800", "x" * 2001, "", "(a{30}){200}"]
)
@pytest.mark.parametrize("column", ["pattern", "veto"])
def test_an_unusable_rule_is_reported_by_name_and_the_others_work_on(
    column: str, pattern: str
) -> None:
    rules = compile_rules([*ROWS, row(**{column: pattern})])
    (problem,) = rules.problems
    assert problem.startswith("rule preference.mine: ")
    assert texts("Never commit generated files.", rules) == ["Never commit generated files"]


@pytest.mark.parametrize(
    ("pattern", "at"),
    [
        ("house (style", 7),
        ("house [style", 7),
        (r"\(house\) (a)(style", 14),
        ("ab[z-a]c", 4),
        ("foo (?=bar)", 5),
        ("ok **", 4),
        (r"\k", 1),
    ],
)
def test_what_is_wrong_in_a_rule_is_told_with_its_place(pattern: str, at: int) -> None:
    (problem,) = compile_rules([row(pattern=pattern)]).problems
    assert f", at character {at})" in problem


@pytest.mark.parametrize(
    ("pattern", "as_re2_reads_it"),
    [
        ("from now on", r"from\s+now\s+on"),
        ("[ _]x y", r"[ _]x\s+y"),
        (r"a\ b c", r"a\ b\s+c"),
        ("a ?b *c +d {2}e f", r"a ?b *c +d {2}e\s+f"),
        (r"\Qa b\E c", r"\Qa b\E\s+c"),
        (r"[^\] ] \[ x", r"[^\] ]\s+\[\s+x"),
        (r"\s+(?:a|b)", r"\s+(?:a|b)"),
    ],
)
def test_a_blank_of_a_pattern_is_any_white_space(pattern: str, as_re2_reads_it: str) -> None:
    assert spelled_out(pattern) == as_re2_reads_it


def test_a_rule_that_would_try_everything_elsewhere_ends_here() -> None:
    rules = compile_rules([row(pattern=r"^((a|aa|a+)+)+!(?P<what>.*)$", veto=r"(\w+\s?)+;$")])
    assert rules.problems == ()
    assert texts("a" * 1900, rules) == []
    assert texts("a " * 950, rules) == []


def test_a_person_s_own_rule_is_not_doubted() -> None:
    example = "I always want the special template in my reports."
    message = "the special page is blank again"
    shipped = compile_rules([row(example=example, is_own=0)])
    assert shipped.match(example)
    assert not shipped.match(message)
    assert texts(message, compile_rules([row(example=example)])) == [message]


def test_a_disabled_rule_is_not_used() -> None:
    assert texts("It was a special day for all of us.", compile_rules([row()]))
    assert not texts("It was a special day for all of us.", compile_rules([row(is_enabled=0)]))
    (found,) = compile_rules([]).match("Always use type hints in Python.")
    assert found.rule == "scorer"
    assert found.state == "candidate"  # no rule knows it, so it waits


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("family", "'wish'"),
        ("kind", "'no such kind'"),
        ("priority", "5"),
        ("polarity", "0"),
        ("confidence", "1.5"),
        ("state", "'archived'"),
        ("outcome", "'failure'"),
        ("pattern", "''"),
        ("counter_example", "example"),
        ("is_enabled", "2"),
    ],
)
def test_the_table_refuses_a_senseless_rule(column: str, value: str) -> None:
    connection = table()
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(
            f"update capture_rule set {column} = {value} where name = 'preference.always'"
        )


# --- families, and what is stored --------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "family", "kind"),
    [
        ("I prefer tabs to spaces everywhere", "preference", "preference"),
        ("always use tabs in this repository", "preference", "preference"),
        ("never push to the main branch", "preference", "preference"),
        ("actually the backup runs on db2", "correction", "fact"),
        ("no, the backup runs on db2", "correction", "fact"),
        ("the host is not db1 but db2", "correction", "fact"),
        ("you must sign every commit here", "constraint", "policy"),
        ("required: a signed commit each", "constraint", "policy"),
        ("don't ever push to the main branch", "constraint", "policy"),
    ],
)
def test_z16_the_three_families_with_every_form_of_the_document(
    message: str, family: str, kind: str
) -> None:
    found = only(message)
    assert (found.family, found.kind, found.text) == (family, kind, message)


def test_z16_a_correction_has_high_priority_and_a_constraint_is_critical() -> None:
    assert only("Actually, the port is 8081.").priority == 3
    assert only("You must sign every commit here.").priority == 4
    assert only("Always use tabs in Go files.").priority == 2


def test_constraint_comes_before_correction_before_preference() -> None:
    assert only("No, you must always use the v3 endpoint.").family == "constraint"
    assert only("Actually, I prefer the first version.").family == "correction"
    assert only("I must always use the company letterhead.").family == "constraint"


@pytest.mark.parametrize(
    ("message", "polarity"),
    [
        ("Never use --no-verify", -1),
        ("Always use --no-verify", 1),
        ("Passwords must never be logged.", -1),
        ("Passwords must be rotated monthly.", 1),
        ("Don't use moment.js any longer.", -1),
        ("I never use semicolons in TypeScript.", -1),
        ("I don't like nested ternaries.", -1),
        ("Jangan gunakan singkatan di surat.", -1),
    ],
)
def test_the_whole_clause_is_stored_and_its_polarity_kept(message: str, polarity: int) -> None:
    found = only(message)
    assert found.text == message.rstrip(".")
    assert found.polarity == polarity


@pytest.mark.parametrize(
    "message",
    [
        "I don't always use tabs in my files.",
        "You must be joking, the train is late.",
        "They must have been very tired by then.",
        "Should I always use X in such a case?",
        "He said never use X in such a case.",
        "If I always use tabs, will it complain?",
        "What if we never use the second server?",
        'Her motto is "never use a long word".',
        "Casino, hotel and spa are in one building.",
        "the comment `# always use utf-8` is in line 3",
    ],
)
def test_z17_what_only_looks_like_a_statement_is_left_alone(message: str) -> None:
    assert texts(message) == []


def test_only_user_text_of_up_to_2000_characters_is_read_however_short() -> None:
    order = "Always use tabs here"
    assert texts(order) == [order]
    assert texts("No emojis") == ["No emojis"]
    filler = " The weather was fine and nothing else took place in the garden."
    assert texts(order + "." + filler * 30) == [order]
    assert texts(order + "." + filler * 32) == []
    assert texts(order, role="assistant") == texts(order, role="tool") == []


def test_the_length_counts_prose_and_not_what_is_pasted() -> None:
    code = "```\n" + "x = 1\n" * 2000 + "```\n"
    assert texts(code + "Never change the line length.") == ["Never change the line length"]


def test_several_captures_come_from_one_message_and_one_from_a_clause() -> None:
    assert texts(
        "Actually, the client is Nordlys. I prefer drafts as markdown; always date them."
    ) == ["Actually, the client is Nordlys", "I prefer drafts as markdown", "always date them"]
    assert texts("never rebase main, and always use merge commits") == [
        "never rebase main",
        "always use merge commits",
    ]
    assert texts("I prefer tabs, but never use them in YAML.") == [
        "I prefer tabs, but never use them in YAML"
    ]


def test_a_condition_that_limits_an_order_is_stored_with_it() -> None:
    order = "If you touch the payment code, you must run the integration tests"
    assert texts(order + ".") == [order]
    assert texts("Never push to main unless I say so.") == ["Never push to main unless I say so"]


def test_keys_name_the_object_and_two_long_ones_do_not_collide() -> None:
    assert only("Always use tabs in Go files.").key == "auto.pref.tabs-in-go-files"
    assert only("Never use tabs in Go files.").key == "auto.pref.tabs-in-go-files"
    assert (
        only("Never use tabs in Go files because they break.").key == "auto.pref.tabs-in-go-files"
    )
    first = only("Always use the new API client for refunds and payments.").key
    other = only("Always use the new API client for refunds and payouts.").key
    assert first != other
    assert first[:40] == other[:40] == "auto.pref.the-new-api-client-for-refunds"
    assert only("Emails must never be logged.").key != only("Passwords must never be logged.").key
    assert only("Verwende niemals Übergrößen hier.").key == "auto.pref.ubergrossen-hier".replace(
        "ss", "s"
    )


def test_a_correction_has_no_key_so_that_it_is_compared_with_what_it_corrects() -> None:
    message = "Thanks! Actually, the port is 8081. Actually, the host is db2."
    first, other = RULES.match(message)
    assert (first.key, other.key) == ("", "")
    assert (first.family, other.family) == ("correction", "correction")


def test_low_confidence_waits_as_a_candidate() -> None:
    assert only("I like concise variable names.").state == "candidate"
    assert only("Always use type hints in Python.").state == "active"
    assert all(row[10] == "candidate" for row in ROWS if row[9] < 0.7)


# --- remember ----------------------------------------------------------------------------------


def test_remember_this_is_captured_whatever_its_length() -> None:
    found = only("Remember this: PIN is red")
    assert (found.text, found.kind, found.family, found.state) == (
        "PIN is red",
        "fact",
        "remember",
        "active",
    )
    long = "Remember that the shop is shut on Mondays. " + "We talked about the weather. " * 120
    assert texts(long) == ["the shop is shut on Mondays"]


def test_what_is_remembered_has_the_kind_that_its_words_call_for() -> None:
    found = only("Remember: never use the main kiln after 8 pm.")
    assert (found.kind, found.polarity, found.text) == (
        "preference",
        -1,
        "never use the main kiln after 8 pm",
    )
    assert found.key == only("Never use the main kiln after 8 pm.").key
    assert only("Remember this: all exports must be UTF-8.").kind == "policy"


def test_remember_this_alone_means_what_was_said_before() -> None:
    assert texts("I use zsh on all machines. Remember this.") == ["I use zsh on all machines"]
    assert texts("Remember this.") == [""]
    (found,) = RULES.match("I always use zsh everywhere. Remember that!")
    assert (found.family, found.kind, found.text) == (
        "remember",
        "preference",
        "I always use zsh everywhere",
    )


def test_remember_this_with_a_colon_covers_the_list_below_it() -> None:
    message = "Remember this:\n- prod is eu-west-1\n- staging is us-east-1\n\nNow fix the tests."
    assert texts(message) == ["prod is eu-west-1", "staging is us-east-1"]
    assert texts("Remember this: A is 1. B is 2.\nNow go on.") == ["A is 1", "B is 2"]


# --- self errors -------------------------------------------------------------------------------


def test_z18_an_assistant_s_mistake_becomes_one_episode() -> None:
    told = "I made a mistake in the migration: the column is nullable. I apologize for that."
    found = only(told, role="assistant")
    assert found.text == "self-error: I made a mistake in the migration: the column is nullable"
    assert (found.kind, found.family, found.outcome, found.key) == (
        "self_error",
        "self_error",
        "failure",
        "",
    )
    assert SELF_ERROR_TAGS == ("auto-detect", "self-improvement")


def test_z18_trying_again_makes_it_a_learning() -> None:
    told = "The build failed because the path is wrong. Let me try again with the absolute path."
    assert only(told, role="assistant").outcome == "learning"


def test_z18_talk_about_errors_is_no_error_and_length_is_bounded() -> None:
    for text in (
        "I added error handling for the case that the server answers with status 500.",
        "I made a mistake.",
        "If I made a mistake anywhere in this long list, please tell me and I will look again.",
    ):
        assert RULES.match(text, role="assistant") == []
    told = "I misread the specification of the " + "very " * 40 + "long protocol."
    assert len(only(told, role="assistant").text) == 120
    assert RULES.match(told, role="user") == []


# --- clauses -----------------------------------------------------------------------------------


def test_pasted_text_is_no_clause() -> None:
    message = (
        "Look at this:\n```py\nnever = 1\n```\n> quoted\n| a | b |\n"
        "2026-03-02 10:11:12 ERROR no\n    at com.x.Main(Main.java:3)\n"
        '{"must": 1}\nnpm ERR! must\n$ make must\n\nMy own words here.\n'
        "------ Original Message ------\nNever mind me."
    )
    assert [clause.text for clause in segments(message)] == ["Look at this:", "My own words here"]


def test_an_identifier_in_backticks_stays_and_a_quotation_is_blanked() -> None:
    (clause,) = segments('use `uv` and "poetry", not `pip install x` or "the old way"')
    assert clause.text.endswith('"the old way"')
    assert "`uv`" in clause.plain
    assert '"poetry"' in clause.plain
    assert "pip" not in clause.plain
    assert "old way" not in clause.plain


def test_a_hard_wrapped_sentence_is_one_clause_and_list_items_are_many() -> None:
    wrapped = "This sentence was broken by an editor after the\nsixtieth column. - no item"
    assert segments(wrapped)[0].text == (
        "This sentence was broken by an editor after the sixtieth column"
    )
    assert [c.text for c in segments("rules:\n- one two\n* three e.g. four\n1) five, Dr. No")] == [
        "rules:",
        "one two",
        "three e.g. four",
        "five, Dr. No",
    ]


def test_a_compiler_s_remark_below_its_warning_is_no_wish() -> None:
    assert texts("warning: unused variable\nnote: never read\nwhat now") == []
    assert texts("Note: never touch the vendor folder.") == ["Note: never touch the vendor folder"]


def test_both_ends_of_a_very_long_message_are_read() -> None:
    middle = "2026-03-02 10:11:12 INFO never use this, you must use that\n" * 20_000
    message = "Never touch the old queue.\n\n" + middle + "\nI prefer the short log format."
    assert texts(message) == ["Never touch the old queue", "I prefer the short log format"]
    fenced = "Look:\n```\n" + middle + "```\nI prefer the short log format."
    assert texts(fenced) == ["I prefer the short log format"]


# --- bounds ------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        *("always", "never", "must", "I", "we", "you", "don't", "ever", "no", "remember", "this"),
        *("that", "prefer", "use", "tabs", "actually", "not", "but", "if", "said", "and", "please"),
        *("from now on", "Write a", ",", ".", "?", "!", ";", ":", "'", '"', "`", "```", ">", "|"),
        *(
            "-",
            "#",
            "**",
            "\n",
            "\n\n",
            "\t",
            "é",
            "’",
            "“",
            "”",
            "日本",
            "🙂",
            "\u0130",
            "\ud800",
            "x1",
        ),
    ]
)
ANY_TEXT = st.text(st.characters(), max_size=400) | st.lists(WORDS, max_size=60).map(" ".join)


@given(ANY_TEXT, st.sampled_from(["user", "assistant"]))
def test_any_text_is_read_and_what_is_captured_stands_in_it(text: str, role: str) -> None:
    for found in RULES.match(text, role):
        assert 0 <= found.start <= found.end <= len(text)
        if role == "user":
            assert found.text == own_words(readable(text), found.start, found.end)
    end = 0
    for clause in segments(text):
        assert end <= clause.start < clause.end <= len(text)
        assert len(clause.plain) == clause.end - clause.start
        end = clause.end


@given(st.text(max_size=60), st.text(max_size=20), ANY_TEXT)
def test_any_rule_is_compiled_or_reported_and_matches_any_text(
    pattern: str, veto: str, text: str
) -> None:
    rules = compile_rules([*ROWS[:3], row(pattern=pattern, veto=veto)])
    assert len(rules.problems) <= 1
    rules.match(text)
    rules.match("Always use type hints in Python.")


@given(st.text(max_size=300))
def test_folding_keeps_every_character_s_place(text: str) -> None:
    assert len(fold(text)) == len(text)


PATTERNS = [
    r"(x+x+)+y",
    r"(a|aa)+$",
    r"^(.*)*always(.*)*$",
    r"(?:\w+\s*)+!",
    r"(?:[ab]{1,30}){30}",
    r"\Q^$\E|(.*?,){11}z",
    r"[^]x]+$|[a^$]",
]


def test_evil_rules_and_long_texts_take_bounded_time() -> None:
    evil = [row(f"evil.{n}", pattern) for n, pattern in enumerate(PATTERNS)]
    rules = compile_rules([*ROWS, *evil])
    assert rules.problems == ()
    for text in ("x" * 5000, "a" * 1_000_000, "ab " * 300_000, "must always, " * 80_000):
        taken = yardsticks(lambda text=text: rules.match(text), rounds=2)  # type: ignore[misc]
        assert taken < 2000  # what backtracks takes years


def test_a_megabyte_costs_little_more_than_its_two_ends() -> None:
    prose = (
        "I looked at the report you sent yesterday and most of it reads well. The second chart is"
        " small, though, and the legend covers the last bar. Could you move it to the right? Please"
        " always show prices with VAT included. We met the supplier on Tuesday and agreed. "
    )
    two_kilobytes = yardsticks(lambda: RULES.match((prose * 8)[:1990]))
    log = "2026-03-02 10:11:12,001 ERROR worker-3 you must set TOKEN, never use default (3)\n"
    assert two_kilobytes < 60  # wide: benchmarks/write.py tells the milliseconds
    for text in (
        log * 13_000,
        prose * 4_000,
        "\n" * 1_000_000,
        "\"'`" * 340_000,
        "- a\n" * 250_000,
    ):
        assert yardsticks(lambda text=text: RULES.match(text), rounds=3) < 400  # type: ignore[misc]


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    before, mark, rest = page.partition("<!-- figures -->\n")
    PAGE.write_text(
        before + mark + figures() + "<!-- end -->" + rest.partition("<!-- end -->")[2],
        encoding="utf-8",
    )
    print(figures())
