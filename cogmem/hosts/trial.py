"""A host itself, run once in a home of its own, with a stand-in for its model: does memory reach the request?

What the files of cogmem say is tried by install.py. Whether the version of a host that is installed here takes them
for what they are, only the host can tell. Its own configuration is not read, and nothing leaves this machine.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple

from cogmem.hosts.stand_in import SAID, serving
from cogmem.text.data import FOLDER

PATIENCE = 180  # seconds: some fetch what they need when they start for the first time
PASSED_ON = ("PATH", "LANG", "TMPDIR", "SYSTEMROOT", "npm_config_registry")
# By host: its program, its words, its variables and files, and the tools that the stand-in asks for where memory
# comes by one. Codex's hooks nobody trusts here, and Cline takes one word for a command. Cursor's program, Goose,
# Kiro and VS Code cannot be given another model.
with open(f"{FOLDER}/trials.json", encoding="utf-8") as _file:
    TRIALS: dict[str, dict[str, Any]] = json.load(_file)


class Trial(NamedTuple):
    """How a host is run once: its program, its words, and what it needs to talk to the stand-in."""

    program: str
    words: list[str]
    environment: dict[str, str]
    files: dict[str, str]  # below its home
    calls: list[tuple[str, dict[str, str]]]


def trial_of(host: str, url: str) -> Trial:
    """Return how a host is run with a stand-in at this address."""
    row = json.loads(json.dumps(TRIALS[host]).replace("{URL}", url))
    files = {
        name: held if isinstance(held, str) else json.dumps(held)
        for name, held in row.get("files", {}).items()
    }
    calls = [(name, given) for name, given in row.get("calls", ())]
    return Trial(row["program"], row["words"], row.get("environment", {}), files, calls)


def tried(host: str, wanted: str) -> tuple[str, bool | None, str]:
    """Run a host once: its program, whether what is wanted reached the request (None: it could not be tried), and
    what there is to say."""
    if host not in TRIALS:
        return host, None, "not tried: its program cannot be given a stand-in for its model"
    with (
        serving() as model,
        tempfile.TemporaryDirectory(prefix="cogmem-trial-", ignore_cleanup_errors=True) as home,
    ):
        trial = trial_of(host, model.url)
        model.calls += trial.calls
        program = shutil.which(trial.program)
        if program is None:
            return trial.program, None, "not tried: it is not on the PATH"
        passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        environment = {**passed, "HOME": home, "TERM": "dumb", **trial.environment}
        for name, text in trial.files.items():
            file = os.path.join(home, *name.split("/"))
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "w", encoding="utf-8") as opened:
                opened.write(text)
        project = os.path.join(home, "project")
        os.mkdir(project)
        memory = os.path.join(home, "memory.db")
        own = [sys.executable, "-P", "-m", "cogmem", "--db", memory]
        steps = [
            [*own, "learn", wanted, "--kind", "policy"],
            [*own, "install", host, "--no-resident", "--yes"],
            [program, *trial.words],
        ]
        said = ""
        for words in steps:
            is_done, said = _run(words, {**environment, "PWD": project}, project)
            if not is_done:
                return trial.program, False, said
        if any(wanted in json.dumps(one, ensure_ascii=False) for one in model.asked):
            return trial.program, True, "memory reached the request of a session"
        told = "it asked the model without what is in memory" if model.asked else said
        return trial.program, False, told or "it asked the model nothing"


def _run(words: list[str], environment: dict[str, str], folder: str) -> tuple[bool, str]:
    try:
        done = subprocess.run(
            words,
            env=environment,
            cwd=folder,
            timeout=PATIENCE,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, f"it cannot be run: {error}"
    said = (done.stderr + done.stdout).decode("utf-8", "replace").strip()
    return not done.returncode or SAID in said, said[-300:]
