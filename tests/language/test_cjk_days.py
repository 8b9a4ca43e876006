"""Days that a prompt names in a script without spaces."""

from datetime import UTC, datetime

import pytest

from cogmem.language.cue import read_cue

NOW = datetime(2025, 12, 31, 22, tzinfo=UTC)  # a Wednesday


def days_of(text: str) -> list[tuple[str, str]]:
    """First and last day of each span."""

    def day(at: int) -> str:
        return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()

    return [(day(start), day(end - 1)) for start, end in read_cue(text, NOW).spans]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2025年1月25日参加的摄影工作坊", "2025-01-25", "2025-01-25"),
        ("1月中旬在哪里", "2025-01-11", "2025-01-20"),
        ("二月底发生了什么", "2025-02-21", "2025-02-28"),
        ("五月的备考", "2025-05-01", "2025-05-31"),
        ("十二月三十一日", "2025-12-31", "2025-12-31"),
        ("去年3月去了哪里", "2024-03-01", "2024-03-31"),
        ("去年夏天", "2024-06-01", "2024-08-31"),
        ("今年の春", "2025-03-01", "2025-05-31"),
        ("작년 겨울", "2024-12-01", "2025-02-28"),
        ("昨天晚上吃了什么", "2025-12-30", "2025-12-30"),
        ("上周谁来过", "2025-12-22", "2025-12-28"),
        ("上个月的账单", "2025-11-01", "2025-11-30"),
        ("三天前说的话", "2025-12-28", "2025-12-28"),
        ("两周前我们讨论了什么", "2025-12-14", "2025-12-20"),
        ("先週の会議で", "2025-12-22", "2025-12-28"),
        ("3月15日に誰と会いましたか", "2025-03-15", "2025-03-15"),
        ("어제 무엇을 먹었나요", "2025-12-30", "2025-12-30"),
        ("3월 15일에 누구를 만났나요", "2025-03-15", "2025-03-15"),
    ],
)
def test_a_day_is_read(text: str, first: str, last: str) -> None:
    assert days_of(text) == [(first, last)]


@pytest.mark.parametrize(
    "text", ["月亮很圆", "2月30日", "十三月", "前面的人", "周到的服务", "日本料理"]
)
def test_what_names_no_day_is_no_day(text: str) -> None:
    assert days_of(text) == []


def test_the_words_of_a_day_are_no_words_to_search_for() -> None:
    cue = read_cue("1月中旬，彭雨晴参观了什么", NOW)
    assert [term.forms[0] for term in cue.terms] == ["彭雨", "雨晴", "晴参", "参观"]
