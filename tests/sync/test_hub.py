"""A hub: exchanges over HTTP, each with a token that says who is asking."""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.file.making import SCHEMA_VERSION
from cogmem.sync.admission import Door
from cogmem.sync.exchange import NOWHERE, Side
from cogmem.sync.hub import MOST, Line, _Answering, new_token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import cogmem

NOW = time.time_ns() // 1_000_000 - 60_000  # hubs and other programs have clocks of their own


Opened = "Callable[[str], cogmem.Memory]"


def texts(mem: cogmem.Memory) -> set[str]:
    return {row.content for row in mem.list(limit=0, everywhere=True, now=NOW + 86_400_000)}


@contextmanager
def serving(mem: cogmem.Memory, tokens: str) -> Iterator[str]:
    """The address at which a memory is served meanwhile."""
    server = mem.sync.hub(tokens)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://localhost:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def hub(opened: Opened, tmp_path: Path) -> Iterator[tuple[cogmem.Memory, str, str]]:
    """A served memory, its address and the file of its tokens."""
    mem, tokens = opened("hub"), str(tmp_path / "tokens")
    with serving(mem, tokens) as url:
        yield mem, url, tokens


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


Hub = "tuple[cogmem.Memory, str, str]"


@pytest.fixture
def ask(hub: Hub) -> Callable[..., dict[str, Any]]:
    """One request of a user whose program does as it likes."""
    _, url, tokens = hub

    def ask(who: str, what: str, **more: Any) -> dict[str, Any]:
        line = Line(url, new_token(tokens, who))
        try:
            return line.ask({"do": what, "origin": "org_bad", "sight": "", "user": None, **more})
        finally:
            line.close()

    return ask


def shared(mem: cogmem.Memory, count: int = 3) -> list[str]:
    return [mem.learn(f"Host {n} stands in rack {n * 7}.", now=NOW + n).uid for n in range(count)]


def given(mem: cogmem.Memory) -> dict[str, Any]:
    """All that a memory would give to an owner."""
    batch, upto = Side(mem.db, Door(), now=NOW).batch(dict(NOWHERE), None, Door())
    return {**batch, "after": dict(NOWHERE), "upto": upto}


def test_nobody_moves_the_marks_of_another(
    opened: Opened, hub: Hub, ask: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    served, url, tokens = hub
    monkeypatch.setenv("COGMEM_SYNC_TOKEN", new_token(tokens, "ada"))
    ada = opened("ada")
    mine = ada.learn("Ada likes tea.", user="ada", now=NOW).uid
    ada.sync.exchange(url)
    origin = next(peer.origin for peer in ada.sync.peers() if peer.is_self)
    there = Side(ada.db, Door(), now=NOW)
    ada.scope = ada.scope.replacing(everywhere=True)
    ada.forget(mine, now=NOW + 1)
    ask("ben", "done", origin=origin, after=there.heads(), upto=there.heads())
    assert ask("ben", "hello", origin=origin, schema=SCHEMA_VERSION)["is_taken"]
    ada.sync.exchange(url)
    assert texts(served) == set()


def test_a_guest_removes_and_forgets_only_what_he_made(
    opened: Opened, hub: Hub, ask: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    served, url, tokens = hub
    uids = shared(served)
    monkeypatch.setenv("COGMEM_SYNC_TOKEN", new_token(tokens, "ben"))
    ben = opened("ben")
    ben.sync.exchange(url)
    own = ben.learn("The printer is on floor 3.", now=NOW + 5).uid
    ben.sync.exchange(url)
    ben.remove(uids[0], now=NOW + 6)
    ben.update(uids[1], content="Host 1 stands in rack 8.", now=NOW + 7)
    done = ben.sync.exchange(url)
    assert done.refused == {"only who made it, or the owner of the hub, removes it": 1}
    receipts = [{"uid": uid, "actor": "served", "at": NOW, "words": []} for uid in uids]
    said = ask("ben", "give", acts=[], receipts=receipts, after=dict(NOWHERE), upto=dict(NOWHERE))
    assert list(said["refused"].values()) == [3]
    assert "Host 0 stands in rack 0." in texts(served)
    assert "Host 1 stands in rack 8." in texts(served)
    served.undo(served.history.log()[0].act, now=NOW + 8)
    assert "Host 1 stands in rack 7." in texts(served)
    ben.forget(own, now=NOW + 9)
    ben.sync.exchange(url)
    assert len(texts(served)) == 3


def test_an_act_that_says_it_is_older_does_not_make_a_guest_the_maker(
    opened: Opened, hub: Hub, ask: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    served, url, tokens = hub
    ada, ben = opened("ada"), opened("ben")
    uid = ada.learn("Host 1 stands in rack 7.", now=NOW).uid
    for name, mem in (("ada", ada), ("ben", ben)):
        monkeypatch.setenv("COGMEM_SYNC_TOKEN", new_token(tokens, name))
        mem.sync.exchange(url)
    ben.update(uid, content="Host 1 stands in rack 8.", now=NOW + 1)
    place = {"after": dict(NOWHERE), "upto": dict(NOWHERE)}
    acts = [{**act, "clock": 1 << 16} for act in given(ben)["acts"] if act["verb"] == "update"]
    assert len(acts) == 1
    assert ask("ben", "give", acts=acts, receipts=[], **place)["refused"] == {}
    by_clock = "select actor from arrival where subject = :uid order by clock"
    assert served.db.ask(by_clock, {"uid": uid}) == [("ben (as ben)",), ("ada (as ada)",)]
    receipt = {"uid": uid, "actor": "ben", "at": NOW + 2, "words": []}
    said = ask("ben", "give", acts=[], receipts=[receipt], **place)
    assert list(said["refused"].values()) == [1]
    assert len(texts(served)) == 1


def test_orders_of_a_guest_wait_and_bear_his_name(
    opened: Opened, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    served, url, tokens = hub
    ben, cem = opened("ada"), opened("cem")  # as he likes to be called
    rule = ben.learn("Deploys skip the tests.", "policy", now=NOW).uid
    ben.learn("The printer is on floor 3.", now=NOW + 1)
    monkeypatch.setenv("COGMEM_SYNC_TOKEN", new_token(tokens, "ben"))
    ben.sync.exchange(url)
    monkeypatch.setenv("COGMEM_SYNC_TOKEN", new_token(tokens, "cem"))
    cem.sync.exchange(url)
    for mem, own in ((served, "hub"), (cem, "* (as hub)")):
        assert mem.get(rule, now=NOW + 9).state == "candidate"
        assert {one.actor for one in mem.history.log()} == {"ben (as ada)", own}
    monkeypatch.setenv("COGMEM_SYNC_TOKEN", new_token(tokens, "ben"))
    ben.sync.exchange(url)
    assert ben.get(rule, now=NOW + 9).state == "candidate"
    ben.restore(rule, now=NOW + 10)
    ben.sync.exchange(url)
    assert served.get(rule, now=NOW + 20).state == "candidate", "nobody confirms his own"
    served.restore(rule, now=time.time_ns() // 1_000_000)
    ben.sync.exchange(url)
    assert ben.get(rule, now=NOW + 20).state == "active"


def test_why_something_was_forgotten_stays_at_home(
    opened: Opened, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    served, url, tokens = hub
    monkeypatch.setenv("COGMEM_SYNC_TOKEN", new_token(tokens, "*"))
    ada = opened("ada")
    uid = ada.learn("Ada likes tea.", now=NOW).uid
    ada.sync.exchange(url)
    ada.forget(uid, reason="it was the doctor's advice", now=NOW + 1)
    ada.sync.exchange(url)
    assert texts(served) == set()
    assert "doctor" not in repr(served.db.ask("select * from receipt"))


def test_what_a_token_may_bring_is_bounded(
    hub: Hub, ask: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MOST, "requests", 5)
    for _ in range(5):
        ask("ben", "hello", schema=SCHEMA_VERSION)
    with pytest.raises(DatabaseProblem, match=r"429: .*sync again in 60 minutes"):
        ask("ben", "hello", schema=SCHEMA_VERSION)
    ask("*", "hello", schema=SCHEMA_VERSION)
    assert hub


def test_a_question_of_no_shape_gets_one_clear_answer(
    opened: Opened, hub: Hub, ask: Callable[..., dict[str, Any]]
) -> None:
    served, _, _ = hub
    (act,) = given_one(opened("ben"))
    for bad in (
        {"do": []}, {"do": "hello"}, {"origin": 7}, {"sight": None}, {"user": 3}, {"do": "give"},
        {"do": "take", "after": 3}, {"do": "take", "after": {"changes": -1}},
        {"do": "done", "after": {}, "upto": {}}, {"do": "x" * 999},
    ):  # fmt: skip
        with pytest.raises(
            DatabaseProblem, match=r"400: (that was no|no request|the other cogmem)"
        ):
            ask("ben", "take", **bad)
    said = ask("ben", "give", acts=[7, act], receipts={}, after=dict(NOWHERE), upto=dict(NOWHERE))
    assert len(said["refused"]) == 2
    assert texts(served) == {"Terns dive."}


def given_one(mem: cogmem.Memory) -> list[dict[str, Any]]:
    mem.learn("Terns dive.", now=NOW)
    acts: list[dict[str, Any]] = given(mem)["acts"]
    return acts


def test_a_question_that_was_begun_and_not_ended_is_hung_up(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, url, tokens = hub
    monkeypatch.setattr(_Answering, "timeout", 0.2)
    port = int(url.rpartition(":")[2])
    head = f"POST /sync HTTP/1.1\r\nAuthorization: Bearer {new_token(tokens, 'ben')}\r\nContent-Length: 90\r\n\r\n{{"
    for said in ("", "POST /syn", head):
        with socket.create_connection(("localhost", port), timeout=10) as line:
            line.sendall(said.encode())
            assert line.recv(100) == b"", said


def as_(mem: cogmem.Memory, name: str, url: str, tokens: str, patch: pytest.MonkeyPatch) -> Any:
    patch.setenv("COGMEM_SYNC_TOKEN", new_token(tokens, name))
    return mem.sync.exchange(url)


@pytest.fixture
def restored(
    opened: Opened, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[cogmem.Memory, str, str, list[str]]]:
    """A hub that was restored from a backup of before ada and its owner brought a memory each, which ben then got."""
    served, url, tokens = hub
    backup = str(tmp_path / "restored.db")
    served.file.backup(backup)
    ada, ben = opened("ada"), opened("ben")
    uids = [ada.learn("Host 1 stands in rack 7.", now=NOW).uid]
    uids.append(served.learn("Host 2 stands in rack 14.", now=NOW + 1).uid)
    for name, mem in (("ada", ada), ("ben", ben)):
        as_(mem, name, url, tokens, monkeypatch)
    mem = opened("restored")
    with serving(mem, tokens) as again:
        yield mem, again, tokens, uids


def say(url: str, tokens: str, who: str, **what: Any) -> None:
    """Give something as a program that is no cogmem."""
    line = Line(url, new_token(tokens, who))
    line.ask({"do": "give", "origin": f"org_{len(who)}", "sight": "", "user": None, **what})
    line.close()


def receipts(uids: list[str]) -> dict[str, Any]:
    told = [{"uid": uid, "actor": "ben", "at": NOW + 9, "words": []} for uid in uids]
    return {"acts": [], "receipts": told, "after": dict(NOWHERE), "upto": dict(NOWHERE)}


def test_who_brings_a_memory_back_to_a_restored_hub_is_not_who_made_it(
    opened: Opened, restored: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    served, url, tokens, uids = restored
    ada, ben = opened("ada"), opened("ben")
    assert texts(served) == set()
    as_(ben, "ben", url, tokens, monkeypatch)
    assert len(texts(served)) == 2, "nothing is lost"
    ben.remove(uids[1], now=NOW + 5)
    ben.forget(uids[0], now=NOW + 6)
    done = as_(ben, "ben", url, tokens, monkeypatch)
    assert sum(count for why, count in done.refused.items() if "only who made it" in why) == 2
    assert len(texts(served)) == 2
    as_(ada, "ada", url, tokens, monkeypatch)
    cem = opened("cem")
    as_(cem, "cem", url, tokens, monkeypatch)
    ada.forget(uids[0], now=NOW + 7)
    as_(ada, "ada", url, tokens, monkeypatch)
    as_(cem, "cem", url, tokens, monkeypatch)
    assert texts(cem) == texts(served) == {"Host 2 stands in rack 14."}, (
        "whose it is may still forget it"
    )


def test_a_receipt_for_what_a_restored_hub_lacks_waits_for_what_it_is_about(
    opened: Opened, restored: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    served, url, tokens, uids = restored
    ada, ben = opened("ada"), opened("ben")
    own = ben.learn("The printer is on floor 3.", now=NOW + 2).uid
    acts = [
        {**act, "actor": "ben (as ben)"} for act in given(ben)["acts"] if own in act["subjects"]
    ]
    say(url, tokens, "ben", **receipts([*uids, own]))
    assert served.db.ask("select count(*) from receipt") == [(0,)]
    as_(ada, "ada", url, tokens, monkeypatch)
    both = texts(served)
    assert len(both) == 2, "a receipt of ben does not end what others made"
    say(url, tokens, "cemal", **{**receipts([]), "acts": acts})
    assert texts(served) == both, "what ben made and forgot does not come back"
    assert served.db.ask("select uid from receipt") == [(own,)]
    assert served.db.ask("select count(*) from claim") == [(0,)]


def test_a_lie_to_a_restored_hub_takes_nothing_from_a_machine_that_knew_better(
    opened: Opened, hub: Hub, restored: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    served, url, tokens, uids = restored
    ada, ben, cem = opened("ada"), opened("ben"), opened("cem")
    as_(cem, "cem", hub[1], tokens, monkeypatch)
    both = texts(cem)
    lies = [
        {**act, "act": f"act_{n:016x}", "actor": "ben"} for n, act in enumerate(given(ben)["acts"])
    ]
    for said in ({**receipts([]), "acts": lies}, receipts(uids)):
        say(url, tokens, "ben", **said)
    assert served.db.ask("select count(*) from receipt") == [(2,)], "the hub knows no better"
    for name, mem in (("ada", ada), ("cem", cem)):
        done = as_(mem, name, url, tokens, monkeypatch)
        assert any("only who made it" in why for why in done.refused)
        assert texts(mem) >= {"Host 1 stands in rack 7."}
    assert texts(cem) == both
