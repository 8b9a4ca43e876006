"""A pool: a file for each user, the longest idle closed, and nobody sees another's."""

from __future__ import annotations

import asyncio
import os
import stat
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import NOW
from hypothesis import given
from hypothesis import strategies as st

import cogmem
from cogmem.errors import InvalidInput, Locked, UnknownName


def test_many_users_and_threads_share_a_few_open_files(tmp_path: Path) -> None:
    users = [
        f"user{number}" for number in range(2_000 if os.environ.get("COGMEM_EVERYTHING") else 60)
    ]
    with cogmem.Pool(tmp_path / "all", max_open=20) as pool:

        def live(user: str) -> None:
            with pool.user(user) as mem:
                mem.learn(f"{user} keeps bees.", now=NOW)
            with pool.user(user) as mem:
                assert f"{user} keeps bees." in mem.activate("What do I keep, bees?", now=NOW).text

        with ThreadPoolExecutor(16) as threads:
            list(threads.map(live, users))
        assert len(pool) <= 20
        for user in users[::40]:
            with pool.user(user) as mem:
                assert [row.content for row in mem.list(now=NOW)] == [f"{user} keeps bees."]
                assert mem.file.check() == []
    assert stat.S_IMODE((tmp_path / "all").stat().st_mode) == 0o700


@given(st.text(min_size=1, max_size=80))
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder, cogmem.Pool(folder) as pool:
        try:
            path = pool.path(name)
        except cogmem.CogmemError:
            return
        assert os.path.dirname(path) == pool.folder
        assert os.path.basename(path).isascii()
        assert len(os.path.basename(path)) <= 64


def test_names_that_look_alike_have_files_of_their_own(tmp_path: Path) -> None:
    with cogmem.Pool(tmp_path) as pool:
        alike = ["ann", "Ann", "ann ", "a/n", "a_n", "..", "ａｎｎ"]
        assert len({pool.path(name) for name in alike}) == len(alike)
        with pytest.raises(InvalidInput, match="needs a user's name"):
            pool.path("")


def test_a_file_in_use_is_not_closed_and_who_finds_no_place_is_told(tmp_path: Path) -> None:
    with (
        cogmem.Pool(tmp_path, max_open=1, patience_s=0.05) as pool,
        pool.user("ann") as ann,
    ):
        with pytest.raises(Locked, match="all 1 files are in use"), pool.user("bob"):
            pass
        ann.learn("I keep bees.", now=NOW)
        assert ann.count(now=NOW) == 1


def test_who_waits_gets_the_place_that_another_gives_back(tmp_path: Path) -> None:
    with cogmem.Pool(tmp_path, max_open=1) as pool:
        begun, may_end = threading.Event(), threading.Event()

        def hold() -> None:
            with pool.user("ann"):
                begun.set()
                may_end.wait(30)

        thread = threading.Thread(target=hold)
        thread.start()
        begun.wait(30)
        threading.Timer(0.05, may_end.set).start()
        with pool.user("bob") as bob:
            bob.learn("I keep goats.", now=NOW)
        thread.join()
        assert len(pool) == 1


def test_a_file_that_cannot_be_opened_leaves_its_place_free(tmp_path: Path) -> None:
    with cogmem.Pool(tmp_path, max_open=1) as pool:
        Path(pool.path("ann")).write_text("this is no database, whatever it says", "utf-8")
        for _ in range(2):
            with pytest.raises(cogmem.CogmemError), pool.user("ann"):
                pass
        with pool.user("bob") as bob:
            assert bob.count(now=NOW) == 0


def test_removing_a_user_removes_the_file_and_what_lies_beside_it(tmp_path: Path) -> None:
    with cogmem.Pool(tmp_path) as pool:
        with pool.user("ann") as ann:
            ann.learn("I keep bees.", now=NOW)
        assert pool.has("ann")
        assert pool.path("ann") in pool.remove("ann")
        assert not pool.has("ann")
        assert not [file for file in tmp_path.iterdir() if b"bees" in file.read_bytes()]
        with pytest.raises(UnknownName, match="ann has no file"):
            pool.remove("ann")


def test_an_event_loop_asks_in_order_for_each_user_and_is_told_when_too_many_wait(
    tmp_path: Path,
) -> None:
    async def lived() -> list[str]:
        async with cogmem.AsyncPool(tmp_path, max_open=4, workers=4, queue=60) as pool:
            await asyncio.gather(
                *[
                    pool.do(f"user{n % 6}", lambda mem, n=n: mem.learn(f"Line {n}.", now=NOW + n))  # type: ignore[misc]
                    for n in range(60)
                ]
            )
            told = await asyncio.gather(
                *[pool.do("ann", lambda mem: mem.count()) for _ in range(70)],
                return_exceptions=True,
            )
            assert [type(one) for one in told[60:]].count(Locked) == 6
            assert "calls wait already" in str(told[-1])
            rows = await pool.do("user0", lambda mem: mem.list(limit=0))
            return [row.content for row in rows]

    told = asyncio.run(lived())
    assert told == [f"Line {n}." for n in range(54, -1, -6)]
