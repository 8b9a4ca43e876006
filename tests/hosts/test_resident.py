"""The process that stays: the same answers, faster; and nothing is lost however it ends.

Modules: build, caller.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import shutil
import signal
import sqlite3
import stat
import subprocess
import tempfile
import threading
import time
from socket import AF_UNIX, SHUT_WR, SOCK_STREAM, socket
from typing import TYPE_CHECKING, Any

import pytest
from conftest import EVERYTHING
from folded import answered, no_fault

import cogmem
from cogmem.errors import DiskFull
from cogmem.file.db import Database
from cogmem.hosts import build, caller, hooks, resident
from cogmem.hosts.command import Ask, command
from cogmem.hosts.host import Event
from cogmem.scope import project_at
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(not caller.is_possible(), reason="hooks start Python there")

HERON = "The staging host is called heron."
ASKED = "What is the staging host called?"


class Home:
    """A person's home, a memory in it, and the processes that stay for it."""

    def __init__(self, folder: Path, program: str) -> None:
        self.folder = folder
        self.database = str(folder / "memory.db")
        self.program = program
        self.started: list[subprocess.Popen[bytes]] = []
        self.run_folder = tempfile.mkdtemp(
            prefix="cogmem-run-"
        )  # short, as a socket's name must be
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TMPDIR": self.run_folder,
            "LC_ALL": "C",
        }

    def run(self, event: str, *, program: str | None = None, **fields: Any) -> str:
        """One event, as a host that was configured by `cogmem install` runs it."""
        front = self.program if program is None else program
        ask = Ask(self.database, False, True, True, front)
        asked = {"session_id": "s", "cwd": str(self.folder / "work"), **fields}
        said = answered(ask.words(event, "claude-code"), asked, self.folder, self.environment)
        no_fault(self.folder)
        return said

    def text(self, event: str, **fields: Any) -> str:
        """What an event brings to the prompt."""
        said = self.run(event, **fields)
        return str(json.loads(said)["hookSpecificOutput"]["additionalContext"]) if said else ""

    def opened(self) -> cogmem.Memory:
        return cogmem.open(self.database, counter=counting.Simple())

    def start(self, hook: str = hooks.HOOK) -> subprocess.Popen[bytes]:
        """A process that stays, begun by hand; returns when it listens."""
        words = command("resident", "hook", self.database)
        words[words.index(hooks.HOOK)] = hook
        running = subprocess.Popen(words, env=self.environment)
        self.started.append(running)
        until(lambda: os.path.exists(self.socket))
        return running

    @property
    def socket(self) -> str:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_RUNTIME_DIR", self.run_folder)
            return caller.socket_of(self.database)

    def owner(self) -> int:
        """The process that answers; 0 when there is none."""
        try:
            with open(f"{self.socket}.lock") as file:
                number = int(file.read() or 0)
        except OSError:
            return 0
        return number if number and os.path.exists(self.socket) and not is_gone(number) else 0

    def end(self) -> None:
        while owner := self.owner():
            os.kill(owner, signal.SIGKILL)
            until(lambda owner=owner: is_gone(owner))
        for one in self.started:
            one.kill()
            one.wait()


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def until(is_so: Callable[[], object], seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends, "it never came to that"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The small program in C; '' where there is no compiler."""
    folder = tmp_path_factory.mktemp("state")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder))
        patch.setenv("HOME", str(folder))
        made = build.program()
        assert bool(made) == bool(shutil.which("cc"))
        assert build.program(dry_run=True) == made, "it is made once"
    return made


@pytest.fixture
def home(tmp_path: Path, empty_space: str, program: str) -> Iterator[Home]:
    (tmp_path / "work").mkdir()
    found = Home(tmp_path, program)
    shutil.copyfile(empty_space, found.database)
    with found.opened() as mem:
        mem.learn("Deploys need a green build.", kind="policy")
        mem.learn(HERON)
    yield found
    # What a hook has just started may still be on its way: from now on it finds no place to listen.
    if os.path.isdir(os.path.dirname(found.socket)):
        os.chmod(os.path.dirname(found.socket), 0o755)
    found.end()
    atexit.register(shutil.rmtree, found.run_folder, True)  # it keeps late ones out until then


def test_the_first_hook_answers_by_itself_and_the_next_ones_are_answered_for(home: Home) -> None:
    alone = home.text("start", session_id="a")
    assert "green build" in alone
    until(home.owner)
    until(lambda: os.path.exists(home.socket))
    owner = home.owner()
    for program in dict.fromkeys((home.program, "")):  # the program in C, and Python itself
        session = f"b{len(program)}"
        assert home.text("start", session_id=session, program=program) == alone
        asked = {"session_id": session, "prompt": ASKED, "program": program}
        assert HERON in home.text("prompt", **asked)
    assert home.owner() == owner, "one file has one owner"
    assert stat.S_IMODE(os.stat(home.socket).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(home.socket)).st_mode) == 0o700
    with home.opened() as mem:
        said = [row.prompt for row in mem.turns.list(everywhere=True) if row.prompt]
        assert said == [ASKED] * len({home.program, ""})
        assert mem.file.check() == []


def test_what_is_learned_elsewhere_is_in_the_very_next_answer(home: Home) -> None:
    home.start()
    assert HERON in home.text("prompt", session_id="a", prompt=ASKED)
    with home.opened() as mem:
        mem.learn("The harbour pilot is Mei.")
    assert "Mei" in home.text("prompt", session_id="a", prompt="Who is the harbour pilot?")


WISH = "We don't want a second config file, put it into settings.toml instead."


def transcript(home: Home, count: int, wish: str = "") -> str:
    """A session's transcript of so many messages, and a wish at its end."""
    file = home.folder / "talk.jsonl"
    rows = []
    for number in range(count):
        for role, text in (("user", f"Question {number}"), ("assistant", f"Answer {number}")):
            rows.append({"type": role, "message": {"role": role, "content": text}})
    if wish:
        rows.append({"type": "user", "message": {"role": "user", "content": wish}})
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(file)


def recorded(home: Home) -> list[str]:
    with cogmem.open(home.database, project=project_at(str(home.folder / "work"))) as mem:
        assert mem.file.check() == []
        found = mem.conversations.list()
        return [one.text for row in found for one in mem.conversation(row.name).messages()]


def test_a_session_s_end_is_written_down_after_the_answer(home: Home) -> None:
    owner = home.start()
    talk = transcript(home, 3, WISH)
    assert home.run("stop", transcript_path=talk) == ""
    assert home.run("end", transcript_path=talk) == ""
    until(lambda: not os.path.exists(f"{home.database}.spool"))
    until(lambda: not [name for name in os.listdir(home.folder) if "spool" in name])
    assert recorded(home) == [
        *(text for number in range(3) for text in (f"Question {number}", f"Answer {number}")),
        WISH,
    ]
    with cogmem.open(home.database, project=project_at(str(home.folder / "work"))) as mem:
        assert len(mem.list(layer="episodic")) == 1
    assert owner.poll() is None


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="only Linux tells what is loaded")
def test_what_the_first_message_wants_is_loaded_while_nobody_asks(home: Home) -> None:
    running = home.start()
    assert HERON in home.text("prompt", session_id="a", prompt=ASKED)

    def is_loaded() -> bool:
        with open(f"/proc/{running.pid}/maps") as file:
            return "re2" in file.read()

    until(is_loaded)
    assert HERON in home.text("prompt", session_id="b", prompt=ASKED)
    assert running.poll() is None


def test_killed_at_any_point_it_loses_no_message_and_the_next_turn_is_right(home: Home) -> None:
    chance = random.Random(23)
    count = 0
    for number in range(8 if EVERYTHING else 4):
        running = home.start()
        late = threading.Timer(chance.uniform(0.0, 0.03), running.kill)
        late.start()
        session = f"s{number}"
        said = home.text("prompt", session_id=session, prompt=ASKED)
        assert "green build" in said, "the stable text comes with the first turn of a session"
        assert HERON in said
        count += 1
        assert home.run("stop", transcript_path=transcript(home, count)) == ""
        late.join()
        running.wait()
        home.end()
    assert home.text("start", session_id="last")
    until(lambda: not [name for name in os.listdir(home.folder) if "spool" in name])
    said = recorded(home)
    assert [text for text in said if text.startswith("Question")] == [
        f"Question {number}" for number in range(count)
    ]


def test_of_many_that_start_at_once_one_stays(home: Home) -> None:
    words = command("resident", "hook", home.database)
    started = [subprocess.Popen(words, env=home.environment) for _ in range(4)]
    home.started += started
    until(lambda: sum(one.poll() is None for one in started) == 1)
    (owner,) = (one for one in started if one.poll() is None)
    until(lambda: os.path.exists(home.socket))
    assert HERON in home.text("prompt", prompt=ASKED)
    owner.kill()
    owner.wait()
    assert HERON in home.text("prompt", session_id="next", prompt=ASKED)


def test_another_file_in_its_place_is_what_the_next_answer_is_from(
    home: Home, empty_space: str
) -> None:
    running = home.start()
    assert HERON in home.text("prompt", session_id="a", prompt=ASKED)
    other = home.folder / "other.db"
    shutil.copyfile(empty_space, other)
    with cogmem.open(other, counter=counting.Simple()) as mem:
        mem.learn("The staging host is called stork.")
    os.replace(other, home.database)
    said = home.text("prompt", session_id="b", prompt=ASKED)
    assert "stork" in said
    assert "heron" not in said
    running.wait(timeout=20)
    with home.opened() as mem:
        (found,) = mem.file.check()
        assert "if it is meant so, `cogmem doctor --accept`" in found, "as for any file put there"


def copy_of_package(folder: Path) -> Path:
    package = folder / "installed" / "cogmem"
    root = os.path.dirname(hooks.HOOK)
    shutil.copytree(root, package)  # with its bytecode, or each test would make it anew
    shutil.copytree(os.path.join(os.path.dirname(root), "schema"), package / "schema")
    return package


def test_an_upgrade_makes_it_go_and_a_newer_version_takes_over(home: Home) -> None:
    package = copy_of_package(home.folder)
    older = home.start(str(package / "hook.py"))
    assert HERON in home.text("prompt", session_id="a", prompt=ASKED)
    assert older.poll() is None, "another installation is not answered for, and it stays"

    (package / "__init__.py").write_text(
        (package / "__init__.py").read_text().replace('__version__ = "', '__version__ = "9.')
    )
    words = command("resident", "hook", home.database)
    words[words.index(hooks.HOOK)] = str(package / "hook.py")
    newer = subprocess.Popen(words, env=home.environment)
    home.started.append(newer)
    older.wait(timeout=20)
    until(lambda: os.path.exists(home.socket))
    assert newer.poll() is None

    present = subprocess.Popen(command("resident", "hook", home.database), env=home.environment)
    assert present.wait(timeout=20) == 0, "an older version leaves the file to the newer one"
    assert newer.poll() is None

    (package / "hosts/hooks.py").write_text((package / "hosts/hooks.py").read_text() + "\n")
    ask = Ask(home.database, False, True, True, "").words("prompt", "claude-code")
    ask[ask.index(hooks.HOOK)] = str(package / "hook.py")
    done = subprocess.run(
        ask, input=b'{"prompt": "hello"}', env=home.environment, capture_output=True, check=False
    )
    assert done.returncode == 0
    newer.wait(timeout=20)


def test_who_has_another_home_is_not_answered_for(home: Home) -> None:
    running = home.start()
    home.environment["COGMEM_USER_DIR"] = str(home.folder)
    assert HERON in home.text("prompt", session_id="a", prompt=ASKED)
    assert running.poll() is None


def test_a_folder_that_others_may_enter_is_not_used(home: Home) -> None:
    running = home.start()
    os.chmod(os.path.dirname(home.socket), 0o755)
    assert not caller.is_private(os.path.dirname(home.socket))
    assert HERON in home.text("prompt", session_id="a", prompt=ASKED)
    second = subprocess.run(
        command("resident", "hook", home.database), env=home.environment, check=False
    )
    assert second.returncode == 0, "nor does anybody listen there"
    until(lambda: running.poll() == 0)  # and who did leaves as soon as it sees that


def test_it_ends_by_itself_and_lets_go_of_the_file(home: Home) -> None:
    with home.opened() as mem:
        mem.store.set_setting("resident_minutes", "0.01", now=1)
    running = home.start()
    assert HERON in home.text("prompt", session_id="a", prompt=ASKED)
    assert running.wait(timeout=20) == 0
    stock = sqlite3.connect(home.database)
    assert stock.execute("pragma journal_mode = delete").fetchone() == ("delete",), (
        "nobody holds it"
    )
    stock.close()
    assert not os.path.exists(home.socket)


def test_a_person_who_wants_none_has_none(home: Home) -> None:
    with home.opened() as mem:
        mem.store.set_setting("resident_minutes", "0", now=1)
    words = command("resident", "hook", home.database)
    done = subprocess.run(words, env=home.environment, timeout=20, check=False)
    assert done.returncode == 0
    assert not os.path.exists(home.socket)
    plain = Ask(home.database, False, True).words("prompt", "claude-code")
    assert plain == command("prompt", "claude-code", home.database)


def test_while_another_process_holds_the_file_it_answers_and_writes_later(home: Home) -> None:
    home.start()
    assert home.text("start", session_id="a")
    holder = sqlite3.connect(home.database, isolation_level=None)
    holder.execute("begin immediate")
    assert HERON in home.text("prompt", session_id="a", prompt=ASKED)
    assert home.run("stop", session_id="a", transcript_path=transcript(home, 2)) == ""
    holder.execute("rollback")
    holder.close()
    until(lambda: not [name for name in os.listdir(home.folder) if "spool" in name])
    assert recorded(home)[::2] == ["Question 0", "Question 1"]
    with home.opened() as mem:
        assert ASKED in [row.prompt for row in mem.turns.list(everywhere=True)]


@pytest.mark.parametrize(
    "request_sent",
    [b"", b"hello\n", b"cogmem-1 1 0\n", b"cogmem-1 9 9\nx\0", b"cogmem-1 1 0\nstart\0{"],
)
def test_whatever_is_asked_it_stays(home: Home, request_sent: bytes) -> None:
    running = home.start()
    with socket(AF_UNIX, SOCK_STREAM) as line:
        line.connect(home.socket)
        line.sendall(request_sent)
        line.shutdown(SHUT_WR)
        while line.recv(100):
            pass
    (home.folder / "hook.log").unlink(missing_ok=True)
    assert HERON in home.text("prompt", session_id="a", prompt=ASKED)
    assert running.poll() is None


def test_versions_are_compared_by_their_numbers() -> None:
    assert resident.is_newer("0.10.0", "0.9.1")
    assert not resident.is_newer("0.9.1", "0.9.1")


def test_who_reads_a_memory_on_a_full_disk_keeps_nobody_from_it(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    stays = resident.Resident(home.database, f"{home.run_folder}/s")
    event = Event("prompt", "claude-code", {"session_id": "s"})

    def full(_: Database) -> None:
        raise DiskFull("no room for what lies beside it")

    with monkeypatch.context() as while_full:
        while_full.setattr(Database, "_connect", full)
        with stays.opened(event, home.database, False) as mem:
            assert mem.list()
    stays._close_old()  # as after each answer
    with stays.opened(event, home.database, False) as mem:
        assert mem.learn("There is room again.").outcome == "inserted"
    stays.release()
