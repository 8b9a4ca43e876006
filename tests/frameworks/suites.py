"""Runs the frameworks' own tests against cogmem's adapters: `make suites`.

    python tests/frameworks/suites.py [NAME…]

The tests come with each framework's source release of the version that is installed. They are
fetched into a throw-away folder, meet the stand-ins of stand_ins.py there, and are never kept. What
fails is listed with its reason; a failure that nobody has explained makes the run fail. Figures go
to benchmarks/results/suites.json.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to" / "agent-loops.md"
MARK = "<!-- suites:"
RESULTS = ROOT / "benchmarks" / "results" / "suites.json"

# suite → reason → the tests that fail for it, each by its name: one that is not here is not explained, and one that
# passes is named in vain, unless it fails only sometimes.
KNOWN: dict[str, dict[str, list[str]]] = json.loads(
    Path(__file__).with_name("failures.json").read_text(encoding="utf-8")
)
CLAUDE_SDK = (
    *("session_store_conformance", "session_helpers_store", "session_resume"),
    *("transcript_mirror", "session_summary", "session_import"),
)

# suite: adapter, package, what to copy of its source, tests to run, mode of pytest-asyncio
SUITES: dict[str, dict[str, Any]] = {
    "langgraph_memory": {
        "adapter": "langgraph.MemoryStore",
        "package": "langgraph-checkpoint",
        "copy": ["tests"],
        "run": ["tests/test_store.py"],
        "mode": "auto",
    },
    "langgraph_sqlite": {
        "adapter": "langgraph.MemoryStore",
        "package": "langgraph-checkpoint-sqlite",
        "copy": ["tests"],
        "run": ["tests/test_store.py", "tests/test_async_store.py", "tests/test_ttl.py"],
        "mode": "auto",
    },
    "langgraph_conformance": {
        "adapter": "checkpointer.Checkpointer",
        "package": "langgraph-checkpoint-conformance",
        "copy": None,
        "run": [str(ROOT / "tests/frameworks/test_checkpointer.py"), "-k", "conformance"],
        "mode": "auto",
    },
    "openai_agents": {
        "adapter": "openai_agents.AgentSession",
        "package": "openai-agents",
        "copy": ["tests"],
        "run": ["tests/memory/test_session.py", "tests/memory/test_session_limit.py"],
        "mode": "auto",
    },
    "claude_sdk": {
        "adapter": "claude_sdk.TranscriptStore",
        "package": "claude-agent-sdk",
        "copy": ["tests"],
        "run": [f"tests/test_{name}.py" for name in CLAUDE_SDK],
        "mode": "strict",
    },
    "anthropic": {
        "adapter": "anthropic_memory.client_tool",
        "package": "anthropic",
        "copy": ["tests/lib/tools/memory_tools"],
        "run": ["tests/lib/tools/memory_tools/test_filesystem.py"],
        "mode": "auto",
    },
    "langchain": {
        "adapter": "langchain.MemoryRetriever",
        "package": "langchain-tests",
        "copy": None,
        "run": [str(ROOT / "tests/frameworks/test_langchain.py"), "-k", "TestRetriever"],
        "mode": "auto",
    },
}


def fetched(package: str, folder: Path) -> Path:
    """The source release of the version that is installed, unpacked."""
    wanted = f"{package}=={version(package)}"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-binary",
            package,
            "--dest",
            str(folder),
            wanted,
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    (source,) = (path for path in folder.iterdir() if path.is_dir())
    return source


def run(name: str, suite: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Run one suite; what passed, and what failed with its reason."""
    if suite["copy"] is not None:
        source = fetched(suite["package"], folder / "source")
        for part in suite["copy"]:
            shutil.copytree(source / part, folder / part)
    (folder / "pytest.ini").write_text(
        f"[pytest]\nasyncio_mode = {suite['mode']}\n"
        "asyncio_default_fixture_loop_scope = function\nmarkers =\n    flaky\n    serial\n"
        "    allow_call_model_methods\n    requires_native_macos_sandbox\n"
    )
    report = folder / "report.xml"
    paths = [
        str(folder),
        *(str(ROOT / part) for part in ("", "tests", "tests/sql", "tests/frameworks")),
    ]
    plugin = [] if suite["copy"] is None else ["-p", "stand_ins"]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--tb=no",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:randomly",
            *plugin,
            "-c",
            "pytest.ini",
            "--rootdir",
            str(folder),
            f"--junitxml={report}",
            *suite["run"],
        ],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "COGMEM_STAND_IN": name, "PYTHONPATH": os.pathsep.join(paths)},
    )
    passed, skipped, failed = [], 0, []
    for case in ElementTree.parse(report).iter("testcase"):
        outcome = {child.tag for child in case}
        if outcome & {"failure", "error"}:
            failed.append(_name(case))
        elif "skipped" in outcome:
            skipped += 1
        else:
            passed.append(_name(case))
    return {
        "adapter": suite["adapter"],
        "package": suite["package"],
        "version": version(suite["package"]),
        "passed": len(passed),
        "failed": len(failed),
        "skipped": skipped,
        "explained": reasons(failed, KNOWN.get(name, {})),
        "in_vain": sorted({*passed} & {*_always(KNOWN.get(name, {}))}),
    }


def _always(known: dict[str, list[str]]) -> list[str]:
    return [one for why, tests in known.items() if not why.startswith("sometimes") for one in tests]


def _name(case: Any) -> str:
    return f"{case.get('classname')}::{case.get('name')}".removeprefix("tests.")


def reasons(failed: list[str], known: dict[str, list[str]]) -> dict[str, list[str]]:
    """Failures by their reason; those without one stand under an empty reason."""
    found: dict[str, list[str]] = {}
    for test in sorted(failed):
        reason = next((why for why, tests in known.items() if test in tests), "")
        found.setdefault(reason, []).append(test)
    return found


def show(results: dict[str, Any]) -> None:
    """Put the pass rates and the reasons into the how-to."""
    lines = ["| tests of | adapter | pass |", "|---|---|--:|"]
    whys = []
    for name in [name for name in SUITES if name in results]:
        one = results[name]
        lines.append(
            f"| {one['package']} {one['version']} | `{one['adapter']}` "
            f"| {one['passed']} of {one['passed'] + one['failed']} |"
        )
        whys += [f"- {one['package']}, {len(t)}: {why}" for why, t in one["explained"].items()]
    lines += ["", "Why the others do not:", "", *whys]
    before, start, rest = PAGE.read_text(encoding="utf-8").partition(f"{MARK} made by")
    line, _, rest = rest.partition("\n")
    _, end, after = rest.partition(f"{MARK} end -->")
    PAGE.write_text(
        f"{before}{start}{line}\n" + "\n".join(lines) + f"\n{end}{after}", encoding="utf-8"
    )


def main(names: list[str]) -> int:
    results: dict[str, Any] = {}
    vain = 0
    for name, suite in SUITES.items():
        if names and name not in names:
            continue
        try:
            version(suite["package"])
        except PackageNotFoundError:
            print(f"{name}: skipped, {suite['package']} is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "source").mkdir()
            result = results[name] = run(name, suite, Path(folder))
        ran = result["passed"] + result["failed"]
        print(
            f"{result['package']} {result['version']} against {result['adapter']}: "
            f"{result['passed']} of {ran} pass ({100 * result['passed'] / max(1, ran):.0f} %)"
        )
        for reason, tests in result["explained"].items():
            print(f"  {len(tests):3} {reason or 'NOT EXPLAINED'}")
            if not reason:
                print("".join(f"        {test}\n" for test in tests), end="")
        for test in result.pop("in_vain"):
            print(f"    PASSES, and is named in failures.json: {test}")
            vain += 1
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    kept = {name: {**kept, **results}[name] for name in SUITES if name in {**kept, **results}}
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    show(kept)
    unexplained = sum(len(one["explained"].get("", ())) for one in results.values())
    return 1 if unexplained or vain or not all(one["passed"] for one in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
