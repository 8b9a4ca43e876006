"""A hub: exchanges over HTTP, each with a token that says who is asking."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cogmem
from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.sync.hub import new_token
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = time.time_ns() // 1_000_000 - 60_000  # hubs and other programs have clocks of their own


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], cogmem.Memory]]:
    mems: list[cogmem.Memory] = []

    def opened(name: str) -> cogmem.Memory:
        path = str(tmp_path / f"{name}.db")
        mems.append(cogmem.open(path, actor=name, counter=counting.Simple()))
        return mems[-1]

    yield opened
    for mem in mems:
        assert mem.file.check() == []
        mem.close()


Opened = "Callable[[str], cogmem.Memory]"


def texts(mem: cogmem.Memory) -> set[str]:
    return {row.content for row in mem.list(limit=0, everywhere=True, now=NOW + 86_400_000)}


@pytest.fixture
def hub(opened: Opened, tmp_path: Path) -> Iterator[tuple[cogmem.Memory, str, str]]:
    """A served memory, its address and the file of its tokens."""
    mem, tokens = opened("hub"), str(tmp_path / "tokens")
    server = mem.sync.hub(tokens)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield mem, f"http://localhost:{server.server_address[1]}", tokens
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_user_gets_and_brings_his_own_and_everyone_s(
    opened: Opened,
    hub: tuple[cogmem.Memory, str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served, url, tokens = hub
    served.learn("All like cake.", now=NOW)
    served.learn("Ben likes coffee.", user="ben", now=NOW + 1)
    monkeypatch.setenv("COGMEM_SYNC_TOKEN", new_token(tokens, "ann"))
    laptop = opened("laptop")
    laptop.learn("Ann likes tea.", user="ann", now=NOW + 2)
    laptop.learn("Cem likes milk.", user="cem", now=NOW + 3)
    done = laptop.sync.exchange(url)
    assert texts(laptop) == {"All like cake.", "Ann likes tea.", "Cem likes milk."}
    assert texts(served) == {"All like cake.", "Ben likes coffee.", "Ann likes tea."}
    assert done.refused == {"it is another user's": 1}


def test_a_user_cannot_reach_what_is_another_s_nor_turn_the_hub(
    opened: Opened,
    hub: tuple[cogmem.Memory, str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served, url, tokens = hub
    uid = served.learn("Ben likes coffee.", user="ben", now=NOW).uid
    laptop = opened("laptop")
    laptop.sync.exchange(served.path, now=NOW + 1)  # once, with the owner's leave
    laptop.scope = laptop.scope.replacing(everywhere=True)
    laptop.update(uid, content="Ben likes poison.", now=NOW + 2)
    row = {"name": "budget_tokens", "value": "1"}
    laptop.db.write([("store.set_setting", row)], verb="setting", actor="x", at=NOW + 3)
    monkeypatch.setenv("COGMEM_SYNC_TOKEN", new_token(tokens, "ann"))
    laptop.sync.exchange(url)
    laptop.forget(uid, now=NOW + 5)
    laptop.sync.exchange(url)
    assert texts(served) == {"Ben likes coffee."}
    assert served.store.settings()["budget_tokens"] != "1"


def test_a_token_that_is_unknown_or_taken_out_opens_nothing(
    opened: Opened, hub: tuple[cogmem.Memory, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, url, tokens = hub
    laptop = opened("laptop")
    with pytest.raises(InvalidInput, match="needs a token"):
        laptop.sync.exchange(url)
    token = new_token(tokens, "*")
    assert token not in Path(tokens).read_text()
    monkeypatch.setenv("COGMEM_SYNC_TOKEN", token)
    laptop.sync.exchange(url)
    os.truncate(tokens, 0)
    with pytest.raises(DatabaseProblem, match="401"):
        laptop.sync.exchange(url)


def test_a_token_is_not_sent_in_the_clear(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGMEM_SYNC_TOKEN", "cog_x")
    with pytest.raises(InvalidInput, match="in the clear"):
        opened("laptop").sync.exchange("http://hub.example")
