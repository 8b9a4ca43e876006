"""The scoreboard: what it counts, and how it speaks with a store in another process."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
import peer  # noqa: E402
import scoreboard  # noqa: E402

KEPT = json.loads((ROOT / "benchmarks/results/scoreboard.json").read_text(encoding="utf-8"))
PARTS = ("sample", "whole")

# A store that finds what holds the prompt, and whose library prints.
TOY = """
from exchange import said, serve

def fill(folder, items):
    print("a library that prints")
    texts = [said(item) for item in items]

    def ask(prompt, limit):
        if prompt == "fall over":
            raise SystemExit(1)
        return [text for text in texts if prompt in text][:limit]

    return ask

serve(fill, "pytest")
"""


class Unasked:
    """An embedder that nobody wants."""

    url = "http://127.0.0.1:0"

    def keep(self, whether: bool) -> None:
        pass


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[peer.Peer]:
    (tmp_path / "toy/bin").mkdir(parents=True)
    (tmp_path / "toy/bin/python").symlink_to(sys.executable)
    (tmp_path / "toy.py").write_text(TOY, encoding="utf-8")
    monkeypatch.setattr(peer, "PLACE", tmp_path)
    monkeypatch.setattr(peer, "BUILT", tmp_path)
    monkeypatch.setattr(peer, "peers", lambda: {"toy": {"runs": str(tmp_path / "toy.py")}})
    site = str(Path(pytest.__file__).parents[1])
    beside = [str(ROOT / "benchmarks/peers"), site]
    monkeypatch.setattr(peer, "ALONE", peer.ALONE | {"PYTHONPATH": ":".join(beside)})
    items = [{"speaker": "Ann", "text": f"I have {n} dogs"} for n in range(5)]
    with peer.Peer("toy", Unasked(), str(tmp_path), items) as filled:  # type: ignore[arg-type]
        yield filled


def test_a_store_in_another_process_is_filled_and_asked(toy: peer.Peer) -> None:
    assert toy.version == pytest.__version__
    texts, seconds = toy.ask("dogs", 3)
    assert texts == ["Ann: I have 0 dogs", "Ann: I have 1 dogs", "Ann: I have 2 dogs"]
    assert seconds > 0
    assert toy.ask("cats", 3)[0] == []


def test_a_store_that_falls_over_is_left_out_and_never_counted(toy: peer.Peer) -> None:
    with pytest.raises(peer.PeerFailed, match=r"see .*toy\.log"):
        toy.ask("fall over", 3)


@given(st.lists(st.text(max_size=400), max_size=40))
def test_what_is_packed_holds_the_budget(texts: list[str]) -> None:
    block = scoreboard.packed(texts)
    assert scoreboard.COUNTER.count(block) <= scoreboard.BUDGET
    assert block or not texts


def test_the_rarer_a_word_the_more_of_the_answer_it_tells() -> None:
    said = {str(n): f"we met on day{n} again" for n in range(40)} | {"a": "a heron named Osric"}
    telling = scoreboard.Telling(said | {"b": "a heron flew"})
    osric, heron = (telling.shown(["a"], text) for text in ("Osric", "heron"))
    assert osric is not None
    assert heron is not None
    assert osric > heron > 0
    assert telling.shown(["a"], "the HERON that was named Osric") == pytest.approx(1.0)
    assert telling.shown(["0"], "nothing of it") == 0.0
    assert scoreboard.Telling({"c": "we", "d": "we"}).shown(["c"], "we") is None


def test_without_data_the_scoreboard_says_where_it_is_from(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["scoreboard.py"])
    assert scoreboard.main() == 0
    assert "README.md says where it is from" in capsys.readouterr().out


@pytest.mark.parametrize("part", PARTS)
def test_the_rows_that_are_kept_are_of_systems_that_can_be_run_again(part: str) -> None:
    assert {"cogmem", "fts5"} <= set(KEPT[part]) <= set(scoreboard.SYSTEMS)
    for row in KEPT[part].values():
        for at in row["sets"].values():
            shares = (at[name] for name in ("recall", "telling_words", "idle_answered"))
            assert all(0 <= share <= 100 for share in shares)
            assert 0 < at["tokens"] <= scoreboard.BUDGET


def figures(part: str, system: str, data: str) -> dict[str, Any]:
    found: dict[str, Any] = KEPT[part][system]["sets"][data]
    return found


@pytest.mark.parametrize("system", ["cogmem", "fts5"])
def test_two_runs_over_the_same_conversations_agree_to_a_point(system: str) -> None:
    same = [
        data
        for data, at in KEPT["sample"][system]["sets"].items()
        if at["conversations"] == figures("whole", system, data)["conversations"]
    ]
    assert same != []
    for data in same:
        one, other = (figures(part, system, data) for part in PARTS)
        for name in ("recall", "telling_words", "idle_answered"):
            assert one[name] == pytest.approx(other[name], abs=1.0), f"{data}: {name}"
