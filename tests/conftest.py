"""What the tests share: a file, a memory on each driver, a clock that stands still, a stock client.

Every test that writes through `memory` ends with check(): whatever it did, the file must be sound.
Hypothesis draws the same examples in every run; HYPOTHESIS_PROFILE=explore looks for new ones.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zlib
from typing import TYPE_CHECKING

import forked
import new_file
import pytest
import slow
from hypothesis import HealthCheck, settings
from space import new_space  # tests/sql is on the path, see pyproject.toml

import cogmem
from cogmem.file import last_seen
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from space import Space

# What is noted of a memory outside its file is noted where no other program looks.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="cogmem-state-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], True)

# No process stays for a hook that a test runs: no socket can have so long a name. Those tests that are about
# such a process give it a folder of its own.
os.environ["XDG_RUNTIME_DIR"] = os.path.join(os.environ["XDG_STATE_HOME"], "none" * 30)

# Under `nohup` and in the background a shell has interrupts ignored, and every child would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STRAYS = pytest.StashKey[set[str]]()

NOW = 1_800_000_000_000  # 2027-01-15 08:00 UTC, in ms
DAY = 86_400_000

EVERYTHING = os.environ.get("COGMEM_EVERYTHING", "") != ""  # `make test-everything`


def examples(many: int) -> int:
    """How many examples a property is shown: a quarter of them in `make test`, which has the same in every run."""
    return many if EVERYTHING else max(8, many // 4)


_quiet = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile(
    "steady", derandomize=True, database=None, max_examples=examples(100), **_quiet
)
settings.register_profile("explore", max_examples=1_000, **_quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
SHARE = settings.default.max_examples / examples(100)  # more than 1 where more is looked for


def _strays() -> set[str]:
    """What lies in the checkout and is neither committed nor ignored."""
    asked = ["git", "ls-files", "--others", "--exclude-standard", "--directory"]
    try:
        said = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    except OSError:
        return set()
    return set(said.split("\n")) - {""}


def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        session.config.stash[STRAYS] = _strays()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A run leaves nothing in the checkout."""
    left = _strays() - session.config.stash.get(STRAYS, _strays())
    if left:
        print(f"\nthe tests left in the checkout: {', '.join(sorted(left))}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


gc.disable()  # until all tests are collected


def pytest_collection_finish() -> None:
    """What was loaded for thousands of tests stays: to look through it again and again took an eighth of the time."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


class Clock:
    """An instant in ms that moves only when a test says so."""

    def __init__(self, at: int = NOW) -> None:
        self.at = at

    def tick(self, ms: int = 1_000) -> int:
        """A little later."""
        self.at += ms
        return self.at

    def pass_days(self, days: float) -> int:
        """Much later."""
        return self.tick(int(days * DAY))


@pytest.fixture(autouse=True)
def _notes_of_one_test() -> Iterator[None]:
    """Memories of two tests may be copies of one: what was noted of the one is nothing to the other."""
    yield
    shutil.rmtree(last_seen.folder(), ignore_errors=True)


new_file.copy_it()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Where a memory may be made; nothing is there yet."""
    return str(tmp_path / "memory.db")


# Where a driver's own ways show: the file and its statements. What is slow there is one driver's all the same.
ON_BOTH_DRIVERS = ("/file/", "/sql/")
# Two of each: drivers, stock clients, and how a host calls a hook.
WAY = re.compile(r"(?<=[\[-])(?:apsw|sqlite3|sqlite3 shell|Python's sqlite3|caller|plain)(?=[]-])")


@pytest.hookimpl(tryfirst=True)  # before `-m` looks at the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Elsewhere a test goes one of its ways, which its name chooses; `make test-everything` runs all of them."""
    known_as_slow = slow.listed()
    for item in items:
        if slow.name_of(item.nodeid) in known_as_slow:
            item.add_marker("slow")
    if EVERYTHING or any("::" in arg for arg in config.args):
        return
    twins: dict[str, list[pytest.Item]] = {}
    for item in items:
        is_on_both = any(room in item.nodeid for room in ON_BOTH_DRIVERS)
        if WAY.search(item.nodeid) and not (is_on_both and not item.get_closest_marker("slow")):
            twins.setdefault(WAY.sub("*", item.nodeid), []).append(item)
    left: set[pytest.Item] = set()
    for name, ways in twins.items():
        left |= {*ways} - {ways[(zlib.crc32(name.encode()) + 1) % len(ways)]}
    left |= {item for item in items if item.get_closest_marker("long")}
    left |= set(_every_second([item for item in items if item not in left]))
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


def _every_second(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Of cases that prove one rule with other values."""
    seen: dict[str, int] = {}
    for item in items:
        if item.get_closest_marker("alike"):
            name = slow.name_of(item.nodeid)
            seen[name] = seen.get(name, 0) + 1
            if seen[name] % 2 == 0:
                yield item


@pytest.fixture(params=["apsw", "sqlite3"])
def driver(request: pytest.FixtureRequest) -> str:
    """Both drivers in turn: the file must be the same to either."""
    return str(request.param)


@pytest.fixture
def open_memory(driver: str) -> Callable[..., cogmem.Memory]:
    """cogmem.open() with the driver at hand and a counter that needs no table."""

    def opened(path: str, **options: object) -> cogmem.Memory:
        return cogmem.open(path, **{"driver": driver, "counter": counting.Simple(), **options})  # type: ignore[arg-type]

    return opened


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The program `cogmem`, each call in a process of its own: forked.py."""
    yield from forked.program(tmp_path_factory.mktemp("program"))


@pytest.fixture(scope="session")
def empty_space(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A new memory, made once: a copy of it is ten times faster than another one."""
    made = str(tmp_path_factory.mktemp("space") / "empty.db")
    cogmem.open(made).close()
    return made


@pytest.fixture
def memory(
    path: str,
    empty_space: str,
    open_memory: Callable[..., cogmem.Memory],
    request: pytest.FixtureRequest,
) -> Iterator[cogmem.Memory]:
    """An empty memory on each driver, found sound when the test is over: in `make test` every sixth of them."""
    shutil.copyfile(empty_space, path)
    with open_memory(path) as mem:
        yield mem
        is_alone = any("::" in arg for arg in request.config.args)
        if EVERYTHING or is_alone or zlib.crc32(request.node.nodeid.encode()) % 6 == 0:
            assert mem.file.check() == []


STOCK_PYTHON = (
    "import sqlite3, sys\n"
    "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
    "for row in (r for s in sys.stdin.read().split(';\\n') for r in db.execute(s)):\n"
    "    print(*('' if value is None else value for value in row), sep='|')\n"
    "db.close()\n"
)


STOCK = ("sqlite3 shell", "Python's sqlite3")


@pytest.fixture(params=STOCK)
def stock(request: pytest.FixtureRequest) -> Callable[[str, str], str]:
    """A client that knows nothing of cogmem, in a process of its own: stock(path, sql) -> output.

    In its own process, since two SQLite libraries in one process undo each other's file locks.
    """
    if request.param == "sqlite3 shell":
        shell = "/usr/bin/sqlite3"
        if not os.path.exists(shell):
            pytest.skip(
                "this machine has no /usr/bin/sqlite3: install it to prove that stock shells work"
            )
        command = [shell, "-batch", "-bail"]
    else:
        command = [sys.executable, "-I", "-c", STOCK_PYTHON]

    def run(path: str, sql: str) -> str:
        done = subprocess.run(
            [*command, path], input=sql, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture
def space() -> Iterator[Space]:
    """The schema alone, on the standard sqlite3, with its derived rows found exact at the end."""
    db = new_space()
    yield db
    db.check_derived()
    db.close()
