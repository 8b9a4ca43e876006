"""`cogmem chat`: conversations imported, listed, searched and expanded from a shell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from shell import typed

import cogmem

if TYPE_CHECKING:
    from pathlib import Path


def run(path: str, *words: str, **how: Any) -> Any:
    return typed(path, "chat", *words, **how)


def test_chat_imports_lists_shows_searches_expands_and_windows(path: str, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    rows = [
        {
            "role": ("user", "assistant")[n % 2],
            "content": f"The deploy of service {n} is on Monday.",
        }
        for n in range(30)
    ]
    file.write_text("\n".join(map(json.dumps, rows)) + "\n{broken\n", encoding="utf-8")
    said_ = run(path, "import", str(file), "--json")
    assert (said_["conversations"], said_["appended"]) == ({"talk": 30}, 30)
    assert said_["bad"][0]["line"] == 31
    assert "0 messages of 1 conversation, 30 were here" in run(path, "import", str(file))
    assert run(path, "list", "--json")[0]["messages"] == 30
    assert "talk" in run(path, "list")
    shown = run(path, "show", "--json", "--from", "3", "--limit", "2")
    assert [row["seq"] for row in shown] == [3, 4]
    assert "The deploy of service 29" in run(path, "show", "ta")
    assert "[7] assistant: The deploy of service 7" in run(path, "search", "service 7 ")
    assert run(path, "search", "zebra", code=3) == "no matches\n"
    index = run(path, "expand")
    uid = next(word for word in index.split() if word.startswith("sum_"))
    assert "[0] user: The deploy of service 0" in run(path, "expand", uid)
    window = run(path, "window", "--budget", "200", "--json")
    assert window["tokens"] <= 200
    assert "Earlier in this conversation" in run(path, "window", "--budget", "420")


def test_chat_summarises_what_a_host_recorded_and_says_where_that_is_still_to_do(
    path: str,
) -> None:
    with cogmem.open(path) as mem:
        mem.conversation("talk").save(
            [{"role": "user", "content": f"Service {n} moves on Monday."} for n in range(60)]
        )
    assert "`cogmem chat summarise` does it" in run(path, "expand")
    done = run(path, "summarise", "--compact", "--json")
    assert (done["leaves"], done["condensed"], done["ingested_seq"]) == (6, 2, 60)
    assert (done["archived"], done["pruned"]) == (0, 6)
    assert "sum_" in run(path, "expand")
    assert run(path, "summarise", "ta") == "talk: 0 summaries, 0 messages archived\n"


def test_chat_says_what_is_wrong(path: str, tmp_path: Path) -> None:
    cogmem.open(path).close()
    (tmp_path / "empty").mkdir()
    for words, why in (
        (("show", "nothing"), "no conversation is called 'nothing'"),
        (("import", str(tmp_path / "empty")), "is a folder"),
    ):
        assert why in run(path, *words, code=1)
    assert "--name" in run(path, "import", "-", said="", code=2)


def test_chat_reads_standard_input(path: str) -> None:
    lines = json.dumps({"role": "user", "content": "hello"})
    done = run(path, "import", "-", "--name", "piped", "--json", said=lines)
    assert done["conversations"] == {"piped": 1}


def test_what_is_no_talk_is_said_plainly(path: str, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_bytes(b'{"role": "user", "content": "Hi"}\n\xff\xfe\x80\n')
    said = run(path, "import", str(file), "--name", "x")
    assert "line 2 is left out: not UTF-8 text" in said
