"""Another process holds the file, or a session is over: the host waits for neither, and nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from folded import hooked, no_fault, opened, until_folded

import cogmem
from cogmem.errors import InvalidInput, Locked
from cogmem.hosts import hooks, spool
from cogmem.hosts.host import Event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path, empty_space: str) -> Path:
    shutil.copyfile(empty_space, tmp_path / "memory.db")
    with opened(tmp_path) as mem:
        mem.learn("Deploys need a green build.", kind="policy")
        mem.learn("The staging host is called heron.")
    return tmp_path


def run(home: Path, event: str, **fields: Any) -> str:
    """The answer to one event."""
    said = hooked(home, event, {"session_id": "s", "cwd": str(home), **fields})
    no_fault(home)
    return said


HOLDER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("begin immediate")
db.execute("update setting set value = value")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def held(home: Path) -> Iterator[subprocess.Popen[str]]:
    """A stock client in the middle of a write."""
    words = ["python3", "-c", HOLDER, str(home / "memory.db")]
    holder = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    yield holder
    holder.communicate()


def talk(home: Path) -> str:
    said = [
        "The harbour pilot is Mei.",
        "We don't want the release of the parser before Friday.",
        "Test it.",
    ]
    rows = [
        {"type": role, "message": {"role": role, "content": text if role == "user" else "Noted."}}
        for text in said
        for role in ("user", "assistant")
    ]
    file = home / "talk.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(file)


def test_a_turn_is_answered_while_a_stock_client_holds_the_file_and_is_in_the_ledger_later(
    home: Path, held: subprocess.Popen[str]
) -> None:
    assert "green build" in run(home, "start", source="startup")
    asked = run(home, "prompt", prompt="what is the staging host called?")
    assert "heron" in asked
    assert run(home, "Stop", transcript_path=talk(home)) == "", "the holder is waited for by nobody"
    # A process of its own may have taken the first of them, and waits for the file.
    waiting = [home / name for name in os.listdir(home) if ".spool" in name]
    assert {stat.S_IMODE(file.stat().st_mode) for file in waiting} == {0o600}
    assert sum(len(file.read_text().splitlines()) for file in waiting) == 3
    held.communicate()
    run(home, "fold")
    until_folded(home)
    with opened(home) as mem:
        assert mem.file.check() == []
        turns = [row.prompt for row in mem.turns.list(everywhere=True)]
        assert "what is the staging host called?" in turns
        assert len(mem.conversation("s").messages()) == 6


def test_the_end_of_a_session_is_answered_at_once_and_leaves_its_lines_by_itself(
    home: Path,
) -> None:
    run(home, "prompt", prompt="The harbour pilot is Mei.")
    run(home, "end", transcript_path=talk(home), reason="exit")
    until_folded(home)
    with opened(home) as mem:
        assert mem.list(kind="dropped", everywhere=True)
        assert mem.file.check() == []


def test_an_end_whose_process_was_killed_is_written_down_after_the_next_start(home: Path) -> None:
    path = str(home / "memory.db")
    ended = Event("end", "claude-code", {"session_id": "s", "transcript_path": talk(home)})
    spool.keep(path, ended, False)
    dead = subprocess.Popen(["sleep", "60"])
    dead.send_signal(signal.SIGKILL)
    dead.wait()
    os.replace(spool.path_of(path), f"{spool.path_of(path)}.{dead.pid}")
    with open(spool.path_of(path), "wb") as file:
        file.write(b'{"kind": "stop", "host": "clau')  # and half a line of a full disk
    run(home, "start", source="startup", session_id="t")
    until_folded(home)
    with opened(home) as mem:
        assert mem.list(kind="dropped", everywhere=True)


def test_events_fold_once_however_often_their_portion_is_read(home: Path) -> None:
    path = str(home / "memory.db")
    for _ in range(2):
        spool.keep(
            path,
            Event("stop", "claude-code", {"session_id": "s", "transcript_path": talk(home)}),
            False,
        )
        spool.keep(
            path,
            Event("prompt", "claude-code", {"session_id": "s", "prompt": "go", "turn_id": "t1"}),
            False,
        )
        hooks.fold(path)
    with opened(home) as mem:
        assert len(mem.conversation("s").messages()) == 6
        assert [row.turn for row in mem.turns.list()] == ["t1"]
        assert mem.file.check() == []


def test_what_waits_is_bounded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "LIMIT", 300)
    path = str(home / "memory.db")
    spool.keep(path, Event("said", "cursor", {"session_id": "s", "prompt": "short"}), False)
    with pytest.raises(OSError, match="too many"):
        spool.keep(path, Event("said", "cursor", {"session_id": "s", "prompt": "long" * 99}), False)
    assert os.path.getsize(spool.path_of(path)) <= 300


WRITER = """
import sys
from cogmem.hosts import spool
from cogmem.hosts.host import Event
for number in range(int(sys.argv[2])):
    said = {"session_id": "s", "prompt": f"{sys.argv[3]} {number}"}
    spool.keep(sys.argv[1], Event("said", "cursor", said), False)
"""


def test_what_is_added_while_others_take_it_away_is_folded_once_and_in_order(home: Path) -> None:
    path = str(home / "memory.db")
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, path, "200", name]) for name in ("a", "b")
    ]
    folded: list[str] = []

    def write(event: Event, _: bool) -> bool:
        folded.append(event.text("prompt"))
        return True

    while any(one.poll() is None for one in writers):
        spool.fold(path, write)
    spool.fold(path, write)
    for name in ("a", "b"):
        assert [one for one in folded if one.startswith(name)] == [
            f"{name} {number}" for number in range(200)
        ]
    assert len(folded) == 400
    assert not [name for name in os.listdir(home) if ".spool" in name]


def test_one_process_folds_at_a_time_and_all_that_comes_meanwhile(home: Path) -> None:
    path = str(home / "memory.db")
    spool.keep(path, Event("said", "cursor", {"session_id": "s", "prompt": "first"}), False)
    seen: list[str] = []

    def write(event: Event, _: bool) -> bool:
        seen.append(event.text("prompt"))
        if len(seen) == 1:
            spool.keep(path, Event("said", "cursor", {"session_id": "s", "prompt": "next"}), False)
            spool.fold(path, lambda *_: seen.append("by another") is None)
        return True

    spool.fold(path, write)
    assert seen == ["first", "next"]
    assert not spool.waiting(path)


def said(home: Path, text: str, **fields: Any) -> None:
    told = {"session_id": "s", "text": text, **fields}
    spool.keep(str(home / "memory.db"), Event("said", "cursor", told), False)


def recorded(home: Path) -> list[str]:
    with opened(home) as mem:
        assert mem.file.check() == []
        return [message.text for message in mem.conversation("s").messages()]


def test_an_event_that_cannot_be_written_down_holds_up_none_behind_it(home: Path) -> None:
    said(home, "one")
    said(home, "broken", session_id="\udce9")
    said(home, "two")
    path = home / "memory.db"
    path.rename(home / "aside")
    path.mkdir()
    with pytest.raises(InvalidInput, match="folder"):
        hooks.fold(str(path))
    path.rmdir()
    (home / "aside").rename(path)
    hooks.fold(str(path))
    assert recorded(home) == ["one", "two"]
    assert "said InvalidInput" in (home / "hook.log").read_text()
    assert not spool.waiting(str(home / "memory.db"))


def test_what_waits_is_told_once_and_in_order_though_its_process_was_killed_or_found_the_file_held(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(home / "memory.db")
    for text in ("one", "two", "three"):
        said(home, text)
    whole, calls = hooks.done, 0

    def ending(mem: cogmem.Memory, event: Event) -> str:
        nonlocal calls
        calls += 1
        if calls == 2:
            whole(mem, event)
            raise KeyboardInterrupt
        if calls == 4:
            raise Locked("held")
        return whole(mem, event)

    monkeypatch.setattr(hooks, "done", ending)
    with pytest.raises(KeyboardInterrupt):
        hooks.fold(path)
    said(home, "four")
    hooks.fold(path)
    hooks.fold(path)
    assert recorded(home) == ["one", "two", "three", "four"]


def test_what_was_said_is_recorded_with_the_instant_at_which_it_was(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(spool.time, "time_ns", lambda: 1_700_000_000_000_000_000)
        said(home, "The release is tomorrow.")
    hooks.fold(str(home / "memory.db"))
    with opened(home) as mem:
        assert mem.conversation("s").messages()[0].raw("at") == 1_700_000_000_000


def test_half_a_line_of_a_full_disk_does_not_spoil_the_next(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(home / "memory.db")
    whole = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda handle, data: whole(handle, data[:10]))
        with pytest.raises(OSError, match="full"):
            spool.keep(path, Event("said", "cursor", {"session_id": "s", "prompt": "a"}), False)
    spool.keep(path, Event("said", "cursor", {"session_id": "s", "prompt": "b"}), False)
    folded: list[str] = []
    spool.fold(path, lambda event, _: folded.append(event.text("prompt")) is None)
    assert folded == ["b"]


def test_a_reader_does_not_keep_a_turn_from_being_written(home: Path) -> None:
    reader = sqlite3.connect(home / "memory.db", isolation_level=None)
    reader.execute("begin")
    reader.execute("select count(*) from memory").fetchall()
    try:
        assert "heron" in run(home, "prompt", prompt="what is the staging host called?")
        assert not os.path.exists(spool.path_of(str(home / "memory.db")))
    finally:
        reader.close()
