"""How a hook finds its modules: as they were compiled, and never what they were before a change.

Modules: cogmem.hook.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from processes import ran

import cogmem
from cogmem.hosts.launch import Compiled

PACKAGE = Path(cogmem.__file__).parent
PROBE = (
    "import sys; sys.path.insert(0, {root!r}); from cogmem_launch import Compiled, Datetime\n"
    "sys.meta_path.insert(0, Compiled({root!r}))\n"
    "import cogmem.text.one as one; print(one.SAID, type(one.__loader__).__name__, one.__file__)"
)


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A small package of the same name, and what finds its modules beside it."""
    (tmp_path / "cogmem" / "text").mkdir(parents=True)
    for folder in ("cogmem", "cogmem/text"):
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "cogmem" / "text" / "one.py").write_text("SAID = 'first'\n")
    shutil.copyfile(PACKAGE / "hosts" / "launch.py", tmp_path / "cogmem_launch.py")
    return tmp_path


def ask(packages: Path) -> list[str]:
    """What the module says in a new process, what loaded it, and its file."""
    probe = PROBE.format(root=str(packages))
    done = ran([sys.executable, "-I", "-S", "-c", probe], check=True)
    return done.stdout.split()


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the usual way is taken")
def test_a_compiled_module_is_loaded_and_a_changed_one_is_compiled_anew(packages: Path) -> None:
    source = packages / "cogmem" / "text" / "one.py"
    assert ask(packages) == ["first", "SourceFileLoader", str(source)]
    assert ask(packages) == ["first", "Compiled", str(source)]
    source.write_text("SAID = 'the second'.split()[1]\n")
    assert ask(packages)[:2] == ["second", "SourceFileLoader"]
    assert ask(packages)[:2] == ["second", "Compiled"]
    compiled = next(source.parent.glob("__pycache__/one.*.pyc"))
    compiled.write_bytes(compiled.read_bytes()[:10])
    assert ask(packages)[:2] == ["second", "SourceFileLoader"]


def test_modules_of_others_and_those_that_are_not_there_are_left_to_the_usual_way() -> None:
    finder = Compiled(str(PACKAGE.parent))
    assert finder.find_spec("json") is None
    assert finder.find_spec("cogmem.text.no_such_module") is None
    assert finder.find_spec("cogmem_of_somebody_else") is None


def test_a_prompt_loads_datetime_only_when_it_names_a_day(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    with cogmem.open(path) as mem:
        mem.learn("Deploys need a green build.")
    probe = (
        "import sys; sys.path[:0] = {paths!r}\n"
        "from cogmem.hosts.launch import Datetime; sys.modules['datetime'] = Datetime('datetime')\n"
        "import cogmem; mem = cogmem.open({path!r}); mem.activate({prompt!r})\n"
        "print('_datetime' in sys.modules, sys.modules['datetime'].date(2027, 1, 15).isoformat())"
    )
    import apsw

    paths = [str(PACKAGE.parent), str(Path(apsw.__file__).parents[1])]
    for prompt, loads in (("How do I deploy?", "False"), ("What did I deploy on Monday?", "True")):
        done = ran(
            [sys.executable, "-I", "-S", "-c", probe.format(paths=paths, path=path, prompt=prompt)],
            check=True,
        )
        assert done.stdout.split() == [loads, "2027-01-15"]
