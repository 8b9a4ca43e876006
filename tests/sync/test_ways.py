"""The ways by which files meet: a folder, a pipe as ssh opens it, a hub."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
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


# -- a folder ------------------------------------------------------------------------------------


def test_three_machines_meet_in_a_folder(opened: Opened, tmp_path: Path) -> None:
    mems = [opened(name) for name in "abc"]
    folder = f"{tmp_path}/shared/"
    for number, mem in enumerate(mems):
        mem.learn(f"Host {number} stands in rack {number * 7}.", now=NOW + number)
        mem.sync.exchange(folder, now=NOW + 10)
    for mem in mems:
        mem.sync.exchange(folder, now=NOW + 20)
    assert texts(mems[0]) == texts(mems[1]) == texts(mems[2])
    assert len(texts(mems[0])) == 3
    files = sorted(os.listdir(folder))
    for mem in mems:
        done = mem.sync.exchange(folder, now=NOW + 30)
        assert (done.sent, done.received) == (0, 0)
    assert sorted(os.listdir(folder)) == files
    assert len(files) == 4, "nobody writes what came from the folder back into it"


def test_files_of_a_folder_never_change_and_may_come_in_any_order(
    opened: Opened, tmp_path: Path
) -> None:
    writer, reader = opened("writer"), opened("reader")
    cloud, here = tmp_path / "cloud", tmp_path / "here"
    for number in range(3):
        writer.learn(f"Host {number} stands in rack {number * 7}.", now=NOW + number)
        writer.sync.exchange(f"{cloud}/", now=NOW + 10 + number)
    here.mkdir()
    names = sorted(os.listdir(cloud))
    shutil.copy(cloud / names[0], here)  # the folder's own name
    shutil.copy(cloud / names[3], here)
    assert reader.sync.exchange(f"{here}/", now=NOW + 20).waiting
    assert texts(reader) == set()
    half = (cloud / names[1]).read_bytes()
    (here / names[1]).write_bytes(half[: len(half) // 2])
    assert reader.sync.exchange(f"{here}/", now=NOW + 21).waiting
    shutil.copy(cloud / names[1], here)
    shutil.copy(cloud / names[2], here)
    assert not reader.sync.exchange(f"{here}/", now=NOW + 22).waiting
    assert texts(reader) == texts(writer)


def test_a_folder_that_was_emptied_is_filled_again(opened: Opened, tmp_path: Path) -> None:
    writer, reader = opened("writer"), opened("reader")
    folder = tmp_path / "shared"
    writer.learn("Terns dive.", now=NOW)
    writer.sync.exchange(f"{folder}/", now=NOW + 1)
    shutil.rmtree(folder)
    writer.sync.exchange(f"{folder}/", now=NOW + 2)
    reader.sync.exchange(f"{folder}/", now=NOW + 3)
    assert texts(reader) == {"Terns dive."}


def test_what_is_forgotten_travels_through_a_folder(opened: Opened, tmp_path: Path) -> None:
    one, other = opened("one"), opened("other")
    folder = f"{tmp_path}/shared/"
    uid = one.learn("Ann is allergic to marzipan.", now=NOW).uid
    one.sync.exchange(folder, now=NOW + 1)
    other.sync.exchange(folder, now=NOW + 2)
    one.forget(uid, now=NOW + 3)
    one.sync.exchange(folder, now=NOW + 4)
    other.sync.exchange(folder, now=NOW + 5)
    assert texts(other) == set()


def test_a_folder_of_other_things_is_left_alone(opened: Opened, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "bird.png").write_bytes(b"png")
    with pytest.raises(InvalidInput, match="holds other things"):
        opened("one").sync.exchange(f"{folder}/", now=NOW)
    assert os.listdir(folder) == ["bird.png"]


# -- ssh -----------------------------------------------------------------------------------------

STAND_IN = """#!{python}
import os, subprocess, sys
words = sys.argv[1:]
words = words[words.index("--") + 2:]
remote = words[0].replace("cogmem", "{python} -m cogmem", 1)
sys.exit(subprocess.run(remote, shell=True).returncode)
"""


def test_a_machine_behind_ssh_is_met_through_its_own_cogmem(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text(STAND_IN.format(python=sys.executable))
    ssh.chmod(ssh.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("COGMEM_SSH", str(ssh))
    laptop = opened("laptop")
    laptop.learn("Terns dive.", now=NOW)
    with cogmem.open(str(tmp_path / "server.db")) as server:
        server.learn("Herons wade.", now=NOW)
    done = laptop.sync.exchange(f"ssh://ada@server{tmp_path}/server.db", now=NOW + 1)
    assert (done.sent, done.received) == (1, 1)
    assert texts(laptop) == texts(opened("server")) == {"Terns dive.", "Herons wade."}
    assert laptop.sync.what(f"server:{tmp_path}/server.db", now=NOW + 2).leaving == []


def test_a_machine_that_does_not_answer_is_told(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COGMEM_SSH", f"{sys.executable} -c pass")
    with pytest.raises(DatabaseProblem, match="did not answer"):
        opened("laptop").sync.exchange("server:memory.db", now=NOW)


# -- a hub ---------------------------------------------------------------------------------------


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


# -- commands ------------------------------------------------------------------------------------


def test_the_command_tells_what_moved(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "cogmem", "--db", str(tmp_path / "a.db"), *words],
            env={**os.environ, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    run("learn", "Terns dive.")
    other = str(tmp_path / "b.db")
    assert "Terns dive." in run("sync", other, "--what")
    assert run("sync", other) == "sent 1 act, received 0 acts\n"
    assert run("sync", other) == "nothing new\n"
    assert json.loads(run("--json", "sync", other))["sent"] == 0
    assert other in run("sync", "--peers")
