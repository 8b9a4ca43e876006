"""A host is never stopped by its memory: whatever happened to cogmem, its file or the process that stays, the lines
that `cogmem install` wrote end with 0, and say nothing or what they should.

Modules: command, caller.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import venv
from pathlib import Path
from socket import AF_UNIX, SOCK_STREAM, socket
from typing import TYPE_CHECKING, Any

import pytest
from test_resident import copy_of_package, until

import cogmem
from cogmem.hosts import caller, install
from cogmem.hosts.edits import entries, is_ours, run_by
from cogmem.hosts.host import HOSTS, find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(not caller.is_possible(), reason="needs a POSIX shell")

HERON = "The staging host is called heron."
EVENT = {
    "prompt": "What is the staging host called?",
    "tool_name": "Bash",
    "tool_input": {"command": "make test"},
}
# What hosts call a start, a prompt, a tool and a stop.
MOMENTS = {
    "start": ("SessionStart", "sessionStart"),
    "prompt": ("UserPromptSubmit", "BeforeAgent", "beforeSubmitPrompt"),
    "tool": ("PreToolUse", "BeforeTool"),
    "stop": ("Stop", "AfterAgent", "afterAgentResponse"),
}
INSTALL = """
import sys
from cogmem.hosts import install
for host in sys.argv[3:]:
    install.install(host, sys.argv[1], resident=sys.argv[2] == "caller")
"""


class Installed:
    """An installation of its own: a venv, a copy of the package, a home with a memory, and what hosts would run."""

    def __init__(self, folder: Path, way: str) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        self.sessions = 0
        self.venv = folder / "venv"
        venv.create(self.venv, symlinks=True)
        self.package = copy_of_package(folder)
        with open(self.package / "hosts/host.py", "a") as file:  # on a busy machine, too
            file.write("\nSECONDS = {kind: 10 * limit for kind, limit in SECONDS.items()}\n")
        self.database = str(self.home / "memory.db")
        self.run_folder = tempfile.mkdtemp(prefix="cogmem-run-")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TMPDIR": self.run_folder,
        }
        beside = [str(self.package.parent), *(path for path in sys.path if "packages" in path)]
        self.python = {**self.environment, "PYTHONPATH": os.pathsep.join(beside)}
        hosts = [name for name in HOSTS if find(name).events]
        words = ["-P", "-c", INSTALL, self.database, way, *hosts]
        subprocess.run([self.venv / "bin/python", *words], env=self.python, check=True)
        self.lines = {host: dict(self._lines(host)) for host in hosts}

    def _lines(self, host: str) -> Iterator[tuple[str, str]]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOME", str(self.home))
            for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"):
                patch.delenv(name, raising=False)
            for file, _ in install.files_of(
                find(host), install.Ask("m.db", False, True), wide=True
            ):
                held = json.loads(Path(file).read_text()) if file.endswith(".json") else {}
                for event, groups in held.get("hooks", {}).items():
                    for moment, names in MOMENTS.items():
                        if event in names and is_ours(groups[0]):
                            yield moment, run_by(entries(groups[0])[0])

    def learn(self, text: str) -> None:
        with cogmem.open(self.database) as mem:
            mem.learn(text)

    def run(self, line: str, seconds: float = 120.0) -> str:
        """One line as a host runs it; what it answers, after exit 0 with nothing said beside."""
        self.sessions += 1
        named = {"session_id": f"s{self.sessions}"}
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            input=json.dumps({**EVENT, **named, "cwd": str(self.home)}).encode(),
            capture_output=True,
            timeout=seconds,
            check=False,
            cwd=self.home,
            env=self.environment,
        )
        assert (done.returncode, done.stderr) == (0, b""), line
        return done.stdout.decode()

    def all_lines(self) -> Iterator[str]:
        return (line for lines in self.lines.values() for line in lines.values())

    @property
    def socket(self) -> str:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_RUNTIME_DIR", self.run_folder)
            return caller.socket_of(self.database)

    def log(self) -> str:
        file = self.home / "hook.log"
        return file.read_text() if file.exists() else ""

    def resident(self) -> subprocess.Popen[bytes]:
        hook = [str(self.package / "hook.py"), "resident", "--db", self.database]
        packages = [path for path in sys.path if os.path.isdir(os.path.join(path, "apsw"))]
        words = [self.venv / "bin/python", "-I", "-S", *hook, "--packages", packages[0]]
        running = subprocess.Popen(words, env=self.environment)
        until(lambda: os.path.exists(self.socket))
        return running


@pytest.fixture(params=["caller", "plain"])
def installed(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Installed]:
    found = Installed(tmp_path, request.param)
    if request.param == "caller" and not shutil.which("cc"):
        pytest.skip("there is no compiler here")
    assert {moment for lines in found.lines.values() for moment in lines} == set(MOMENTS)
    yield found
    lock = Path(f"{found.socket}.lock")
    shutil.rmtree(found.package, ignore_errors=True)  # whoever stays leaves, or is ended here
    if lock.exists() and (number := lock.read_text().strip()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(number), signal.SIGKILL)
    shutil.rmtree(found.run_folder, ignore_errors=True)


def test_the_package_gone_half_replaced_or_without_its_python(installed: Installed) -> None:
    shutil.move(installed.package / "hosts/hooks.py", installed.folder)  # between old and new
    assert {installed.run(line) for line in installed.all_lines()} == {""}
    (installed.package / "hook.py").write_text("import os\nfrom __future__ import half")
    assert {installed.run(line) for line in installed.all_lines()} == {""}
    shutil.rmtree(installed.package)
    assert {installed.run(line) for line in installed.all_lines()} == {""}
    if any("caller-" in line for line in installed.all_lines()):
        assert "cogmem is not there or broken" in installed.log()
    shutil.rmtree(installed.venv)
    assert {installed.run(line) for line in installed.all_lines()} == {""}
    shutil.rmtree(installed.home / ".local", ignore_errors=True)  # where the caller lies
    assert {installed.run(line) for line in installed.all_lines()} == {""}


def _damaged(place: str) -> None:
    with open(place, "r+b") as file:
        file.write(os.urandom(4096))


def _no_database(place: str) -> None:
    Path(place).write_text("this is a letter, not a memory\n" * 99)


@pytest.mark.alike
@pytest.mark.parametrize("harm", [_damaged, _no_database, os.unlink])
def test_a_file_that_is_damaged_or_gone(installed: Installed, harm: Callable[[str], None]) -> None:
    installed.learn(HERON)
    harm(installed.database)
    for moment, line in installed.lines["claude-code"].items():
        said = installed.run(line)
        if said:  # a person hears of damage, in the words of a hook
            assert moment in ("start", "prompt")
            assert "cogmem" in json.loads(said)["hookSpecificOutput"]["additionalContext"]


def test_a_file_that_somebody_holds(installed: Installed) -> None:
    installed.learn(HERON)
    holder = sqlite3.connect(installed.database, isolation_level=None)
    holder.execute("pragma locking_mode = exclusive")
    holder.execute("begin exclusive")
    said = {moment: installed.run(line) for moment, line in installed.lines["claude-code"].items()}
    holder.close()
    assert set(said.values()) == {""}


def test_the_process_that_stays_is_dead_or_stands_still(installed: Installed) -> None:
    installed.learn(HERON)
    lines = installed.lines["claude-code"]
    running = installed.resident()
    assert "heron" in installed.run(lines["prompt"])
    running.send_signal(signal.SIGSTOP)
    assert {moment for moment, line in lines.items() if "heron" in installed.run(line)} == {
        "prompt"
    }
    running.kill()
    running.wait()
    assert os.path.exists(installed.socket), "it left its socket behind"
    assert "heron" in installed.run(lines["prompt"])


def test_the_process_that_stays_begins_to_answer_and_never_ends(installed: Installed) -> None:
    installed.learn(HERON)
    os.makedirs(os.path.dirname(installed.socket), mode=0o700)
    held: list[Any] = []
    with socket(AF_UNIX, SOCK_STREAM) as line:
        line.bind(installed.socket)
        line.listen(8)

        def begin() -> None:
            while True:
                try:
                    asking, _ = line.accept()
                    asking.sendall(b"A")
                except OSError:
                    return
                held.append(asking)

        threading.Thread(target=begin, daemon=True).start()
        for moment in ("tool", "stop"):
            order = installed.lines["claude-code"][moment]
            # The caller waits as long as its first word says, which for a stop is half a minute.
            assert installed.run(re.sub(r"(caller-\w+'?) \d+", r"\1 4", order)) == ""
        os.unlink(installed.socket)
        line.shutdown(2)
    for asking in held:
        asking.close()


def test_an_upgrade_while_it_runs_makes_it_leave_by_itself(installed: Installed) -> None:
    installed.learn(HERON)
    running = installed.resident()
    assert "heron" in installed.run(installed.lines["claude-code"]["prompt"])
    with open(installed.package / "hosts/hooks.py", "a") as file:
        file.write("\n")
    assert running.wait(timeout=60) == 0
    assert "heron" in installed.run(installed.lines["codex"]["prompt"])
