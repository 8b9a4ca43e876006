"""What a hook pays for before its first query: the modules that opening a memory imports."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import apsw
import pytest
from conftest import NOW
from processes import ran

import cogmem
from cogmem.strength import DAY_MS
from cogmem.tokens import counting

ROOT = str(Path(cogmem.__file__).resolve().parents[1])

# Without `site`, as a hook starts: what is listed beyond a bare interpreter is what cogmem imported.
PROBE = """
import sys
bare = set(sys.modules)
sys.path[:0] = {paths!r}
import cogmem
with cogmem.open({path!r}) as mem:
    {use}
loaded = sorted(set(sys.modules) - bare)
import json
print(json.dumps(loaded))
"""

# Cheap parts of the standard library. A new name here needs a reason: measure it first
# (python -X importtime), and remember that it is paid in every turn.
ALLOWED = {
    "__future__", "_collections", "_collections_abc", "_functools", "_operator",
    "_sha256", "_sha2", "_hashlib", "_stat", "_abc", "abc",
    "genericpath", "hashlib", "itertools", "math", "mmap",
    "os", "os.path", "posixpath", "stat", "time",
    "unicodedata", "zlib",
}  # fmt: skip


def loaded_by(path: str, use: str = "mem.scope") -> list[str]:
    paths = [ROOT, str(Path(apsw.__file__).resolve().parents[1])]
    done = ran(
        [sys.executable, "-I", "-S", "-c", PROBE.format(paths=paths, path=path, use=use)],
        check=True,
        env={**os.environ, "COGMEM_DB": path},
    )
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.fixture
def used_file(path: str) -> str:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Deploys need a green build.", kind="policy", key="deploy")
    return path


def foreign(loaded: list[str]) -> set[str]:
    """What is neither cogmem nor apsw."""
    return {name for name in loaded if name.partition(".")[0] not in ("cogmem", "apsw")}


@pytest.mark.parametrize(
    "use",
    [
        "mem.scope",
        "mem.activate('How do I deploy?')",
        "mem.activate('水鳥 src/a.py', files=['src/a.py'])",
    ],
)
def test_a_hook_imports_apsw_and_a_few_cheap_modules(used_file: str, use: str) -> None:
    loaded = foreign(loaded_by(used_file, use))
    assert loaded <= ALLOWED, f"{use} now imports {loaded - ALLOWED}"


def test_apsw_is_loaded_without_the_package_collections(used_file: str) -> None:
    # A moment after the first turn a thread of its own loads more: what counts is what opening loads.
    use = "assert 'apsw' in sys.modules; assert 'collections' not in sys.modules; mem.activate('deploy?')"
    after = "import collections.abc; collections.OrderedDict; collections.abc.Mapping"
    assert {"apsw", "collections.abc"} <= set(loaded_by(used_file, f"{use}; {after}"))


def test_an_apsw_that_wants_more_of_collections_gets_it(tmp_path: Path) -> None:
    (tmp_path / "apsw.py").write_text("import collections\nORDER = collections.OrderedDict\n")
    probe = (
        f"import sys; sys.path[:0] = {[str(tmp_path), ROOT]!r}\n"
        "from cogmem.file.driver_apsw import apsw\n"
        "assert apsw.collections is sys.modules['collections']; print(apsw.ORDER.__module__)"
    )
    done = ran([sys.executable, "-I", "-S", "-c", probe], check=True)
    assert done.stdout == "collections\n"


def test_a_version_and_a_bare_import_load_no_memory() -> None:
    probe = (
        "import sys; bare = set(sys.modules); sys.argv = ['cogmem', '--version'];"
        f"sys.path.insert(0, {ROOT!r}); from cogmem.__main__ import main; main();"
        "print(sorted(set(sys.modules) - bare))"
    )
    command = [sys.executable, "-I", "-S", "-c", probe]
    told = ran(command, check=True).stdout
    version, loaded = told.splitlines()
    assert version == f"cogmem {cogmem.__version__}"
    assert loaded == "['__future__', 'cogmem', 'cogmem.__main__']"


def test_opening_a_memory_loads_no_stage(used_file: str) -> None:
    loaded = {name for name in loaded_by(used_file) if name.startswith("cogmem.")}
    expected = {
        *(
            "arguments",
            "errors",
            "memory",
            "records",
            "scope",
            "space",
            "file",
            "text",
            "text.lines",
        ),
        *("verbs", "verbs.areas", "verbs.learning", "verbs.changing", "verbs.telling"),
        *("file.connection", "file.db", "file.driver_apsw", "file.making", "file.places"),
        "file.sql",
        *("guard", "guard.glance"),
    }
    assert loaded <= {f"cogmem.{name}" for name in expected}


def test_a_prompt_within_a_session_compiles_no_pattern_though_much_was_said_before(
    path: str,
) -> None:
    wish = (
        "No, retries of the uploader must go through backoff.py, not through a loop of their own."
    )
    with cogmem.open(path, counter=counting.Simple()) as mem:
        for day, name in enumerate(("one", "two", "3e1f0c2a-7a54-4c6e-9b1a-2f8d1f0f6c3e")):
            talk = mem.conversation(name)
            mem.activate(wish, session=name, now=NOW + day * DAY_MS)
            talk.append("user", f"{wish} ({name})", at=NOW + day * DAY_MS)
            talk.append("assistant", "Done in `upload.py`.", at=NOW + day * DAY_MS)
            mem.capture_conversation(name, now=NOW + day * DAY_MS)
    asked = f"session='3e1f0c2a-7a54-4c6e-9b1a-2f8d1f0f6c3e', now={NOW + 2 * DAY_MS}"
    use = f"told = mem.activate('Give src/upload/part_of_it.py retries as well', {asked})"
    loaded = loaded_by(path, f"{use}; print(end='')")
    assert "cogmem.search.sayings" in loaded
    assert {"re", "re2", "cogmem.guard.guard", "cogmem.language.passages"}.isdisjoint(loaded)
