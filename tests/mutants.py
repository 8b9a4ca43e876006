"""Change the code in one small place at a time, and count the changes that no test notices.

    python tests/mutants.py [MODULE …]     e.g. scope guard/guard turn/block; `make mutants` does all of them

Each module is held against the tests that are its own, in a copy of the repository, by mutmut (which
must be installed). A mutant that a test fails on, or that never ends, is killed. Of those that survive
many say the same in other words; `mutmut show NAME` in the copy, which is kept, shows each.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULES = ("scope", "guard/guard", "turn/block", "night/jobs")
NEEDED = (
    "cogmem",
    "schema",
    "tests",
    "docs",
    "pyproject.toml",
    "README.md",
    "AGENTS.md",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "benchmarks",
    "integrations",
)
SECONDS = 1800  # for one module; what was not reached by then is told


def its_tests(module: str) -> str:
    """The file that is named as the module is."""
    room, _, name = f"tests/{module}".rpartition("/")
    return f"{room}/test_{name}.py"


def run(module: str) -> Counter[str]:
    """Mutate one module; returns how many mutants there are of each fate."""
    place = Path(tempfile.mkdtemp(prefix=f"cogmem-mutants-{module.replace('/', '-')}-"))
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            ignore = shutil.ignore_patterns("__pycache__", "results")
            shutil.copytree(source, place / name, ignore=ignore)
        else:
            shutil.copy(source, place / name)
    with open(place / "pyproject.toml", "a", encoding="utf-8") as file:
        copied = [name for name in NEEDED if name not in ("cogmem", "tests", "pyproject.toml")]
        file.write(
            f'\n[tool.mutmut]\nsource_paths = ["cogmem"]\nonly_mutate = ["cogmem/{module}.py"]\n'
            f"also_copy = {copied}\n"
            f'pytest_add_cli_args = ["-p", "no:randomly", "-p", "no:xdist", "-p", "no:cacheprovider"]\n'
            f"pytest_add_cli_args_test_selection = {[its_tests(module)]}\n"
        )
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", "1"]
    with open(place / "mutmut.log", "w", encoding="utf-8") as log:
        try:
            subprocess.run(command, cwd=place, stdout=log, stderr=log, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            print(f"{module}: stopped after {SECONDS} s")
    meta = place / "mutants" / "cogmem" / f"{module}.py.meta"
    if not meta.exists():
        sys.exit(f"mutmut did not run: see {place / 'mutmut.log'}")
    codes = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    fates = Counter(fate(code) for code in codes.values())
    killed, survived = fates["killed"], fates["survived"]
    share = killed / max(1, killed + survived)
    print(f"{module}: {dict(fates)}, {share:.0%} of those that were tried are killed; in {place}")
    return fates


def fate(code: int | None) -> str:
    """What became of a mutant, by the exit code of its tests."""
    if code is None:
        return "not tried"
    return {0: "survived", 33: "no test"}.get(code, "killed")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or MODULES:
        run(chosen)
