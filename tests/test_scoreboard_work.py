"""The scoreboard of work: what it gives each system, how it counts, and the release gate."""

from __future__ import annotations

import gzip
import json
import sys
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
import amb_provider  # noqa: E402
import release_gate  # noqa: E402
import scoreboard_page  # noqa: E402
import scoreboard_work  # noqa: E402
import work  # noqa: E402
import work_acts  # noqa: E402
import work_parts  # noqa: E402


def message(session: str, minute: int, role: str, text: str) -> dict[str, Any]:
    return {"role": role, "at": f"2026-03-0{session[-1]}T09:{minute:02d}:00+00:00", "text": text}


PROJECT = {
    "sessions": [
        {
            "id": "s1",
            "messages": [
                message("s1", 0, "user", "The exporter writes Parquet files, never CSV."),
                message("s1", 1, "assistant", "Understood: Parquet only."),
            ],
        },
        {
            "id": "s2",
            "messages": [message("s2", 0, "user", "Which files does the exporter write?")],
        },
        {"id": "s3", "messages": [message("s3", 0, "user", "thanks")]},
    ],
    "turns": [
        {"ref": "s2#0", "need": "needed", "gold": ["s1#0"], "words": ["writes Parquet files"]},
        {"ref": "s3#0", "need": "none", "gold": [], "words": []},
    ],
    "hear": [
        {
            "ref": "s1#0",
            "span": "The exporter writes Parquet files, never CSV.",
            "as": "The exporter writes Parquet, not CSV.",
            "said_again": [],
            "grade": "strong",
        }
    ],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with gzip.open(tmp_path / "realwork-toy.json.gz", "wt", encoding="utf-8") as file:
        json.dump(PROJECT, file)
    return tmp_path


def test_a_replay_asks_before_it_records_and_counts_what_was_marked(tmp_path: Path) -> None:
    replay = work.Replay("toy", PROJECT, str(tmp_path), Namespace(no_nights=False, notes=""))
    replay.run()
    figures = replay.figures()
    assert [turn["ref"] for turn in replay.turns] == ["s2#0", "s3#0"]
    assert figures["all"]["any_phrase"] == 100.0
    assert figures["all"]["quiet_broken"] == 0.0
    assert replay.mem.file.check() == []
    replay.mem.close()


def test_the_judge_takes_six_tenths_of_the_smaller_text_for_the_same() -> None:
    said = work.telling("Never push to main on Fridays")
    assert work.alike(said, work.telling("never pushing to main on Friday, he said"))
    assert not work.alike(said, work.telling("Never deploy in the evening"))
    assert not work.alike(frozenset(), said)


def test_what_came_later_or_in_the_running_session_counts_for_nobody(data: Path) -> None:
    part = next(work_parts.worked(data))
    places = scoreboard_work.Places(part)
    texts = [f"{item['speaker']}: {item['text']}" for item in part.items]
    kept = places.allowed([*texts, "user: nobody said this"], after=3, session="s2")
    assert kept == texts[:2]


@pytest.mark.parametrize("system", ["cogmem", "fts5", "fts5-chats"])
def test_every_own_system_answers_every_ask_of_a_part(data: Path, system: str) -> None:
    for part in work_parts.worked(data):
        figures = scoreboard_work.measure(system, part)
        assert figures["asks"] == len(part.asks) == 2
        assert set(figures["shares"]) == set(part.goals)


def test_facts_change_by_a_later_number_and_all_names_differ() -> None:
    part = next(work_parts.changing(facts=40))
    told = [item["text"].rstrip(".").split()[-1] for item in part.items]
    assert len(set(told)) == len(told)
    judged = [ask.judge("\n".join(item["text"] for item in part.items)) for ask in part.asks]
    assert all(one["what holds"] == 1 for one in judged)
    assert any(one["what held before, beside it"] == 1 for one in judged)


@pytest.mark.long  # test_act.py walks a month like it
def test_failures_are_told_before_they_come_again_and_nothing_else_is() -> None:
    shares = work_acts.run()["systems"]["cogmem"]["shares"]
    assert shares["told, with what mended it"][0] >= 80
    assert shares["false alarms"][0] <= 5


def test_the_page_names_the_best_of_each_figure_by_what_is_better() -> None:
    share = {"asks": 4, "tokens": 5, "ms": 1.0, "bytes": 2.0}
    row = {
        "title": "Toy",
        "goals": {"found": True, "noise": False},
        "systems": {
            "a": share | {"called": "A", "shares": {"found": [80, 70, 90], "noise": [9, 8, 10]}},
            "b": share | {"called": "B", "shares": {"found": [60, 50, 70], "noise": [2, 1, 3]}},
        },
    }
    table = scoreboard_page.table(row)
    assert "| A | **80 (70–90)** | 9 (8–10) |" in table
    assert "| B | 60 (50–70) | **2 (1–3)** |" in table


def test_the_gate_says_worse_only_beyond_the_noise_of_the_kept_run() -> None:
    kept = {"up": [50, 40, 60, True], "down": [10, 5, 15, False], "lost": [1, 1, 1, True]}
    now = {"up": [41, 0, 0, True], "down": [16, 0, 0, False], "new": [3, 0, 0, True]}
    verdicts = {name: verdict for verdict, name, *_ in release_gate.compared(now, kept)}
    assert verdicts == {"up": "same", "down": "worse", "new": "new", "lost": "gone"}
    assert release_gate.compared(now, kept)[0][0] == "worse"


def test_the_provider_for_another_benchmark_keeps_users_apart_and_its_budget(
    tmp_path: Path,
) -> None:
    provider = amb_provider.CogmemProvider(budget=300)
    provider.prepare(tmp_path)
    provider.ingest(
        [
            SimpleNamespace(
                id="d1", user_id="ann", timestamp="2026-01-03T10:00:00", messages=None,
                content="Ann: My sister Ruth keeps bees in Porto.\nassistant: How lovely!",
            ),
            SimpleNamespace(
                id="d2", user_id="bob", timestamp=None, content="",
                messages=[{"role": "user", "content": "My sister Ida keeps goats in Lund."}],
            ),
        ]
    )  # fmt: skip
    asked = "What does my sister keep in Porto?"
    found, raw = provider.retrieve(asked, user_id="ann", query_timestamp="2026-02-01T10:00:00Z")
    assert "bees" in found[0].content
    assert "goats" not in found[0].content
    assert raw is not None
    assert raw["tokens"] <= 300
    assert "bees" not in str(provider.retrieve(asked, user_id="bob")[0])
    provider.cleanup()
