"""A made month of a repository: is a command that failed told before it runs again, with what mended it?

Each failure is a session: the command fails, something mends it, the command succeeds. Between them lie sessions of
commands that succeed. Then, in new sessions, the command is about to run again, in part with other arguments; and
commands that never failed are about to run: what is told there is a false alarm. cogmem reads the calls as from a
host, and answers `at_act`. Plain FTS5 over the same calls tells the best one that shares a word.
"""

from __future__ import annotations

import os
import random
import sqlite3
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoreboard import any_word
from work_figures import figures

import cogmem
from cogmem.hosts import act

if TYPE_CHECKING:
    from work_figures import Answers

BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
FAILURES = [
    line.split(" | ")
    for line in (Path(__file__).parent / "prompts" / "failures.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
QUIET = (
    "npm run lint", "npm outdated", "pytest tests/unit -q", "docker compose ps", "make fmt", "make docs",
    "cargo clippy", "cargo doc", "git fetch origin", "git commit -m 'Tidy'", "go vet ./...", "go build ./cmd/x",
    "alembic history", "bundle outdated", "kubectl get pods", "poetry show", "yarn lint", "mvn -q clean",
    "python manage.py shell", "gradle tasks", "npm publish --dry-run", "python tools/report.py", "make bench",
    "docker build -t app .", "git tag v1.2", "pytest tests/store", "cargo run --example demo", "yarn storybook",
)  # fmt: skip


def calls(*done: tuple[str, str, bool]) -> list[tuple[str, list[dict[str, Any]], None, None, None]]:
    """Commands with their output, as messages of a session."""
    found: list[Any] = []
    for number, (command, output, failed) in enumerate(done):
        call = {
            "type": "tool_call",
            "id": str(number),
            "name": "Bash",
            "arguments": {"command": command},
        }
        result = {"type": "tool_result", "tool_call_id": str(number), "content": output}
        found.append(("assistant", [call], None, None, None))
        found.append(("tool", [result | ({"is_error": True} if failed else {})], None, None, None))
    return found


def sessions() -> list[list[tuple[str, str, bool]]]:
    """The month: every failure once, with quiet sessions between."""
    chance = random.Random(3)
    month: list[list[tuple[str, str, bool]]] = []
    for command, error, mend, _ in FAILURES:
        month.append([(one, "ok", False) for one in chance.sample(QUIET, 3)])
        month.append(
            [(command, f"{error}\nexit 1", True), (mend, "done", False), (command, "ok", False)]
        )
    return month


def of_cogmem(folder: str) -> tuple[Answers, int]:
    path = os.path.join(folder, "cogmem.db")
    with cogmem.open(path, project="work") as mem:
        for number, done in enumerate(sessions()):
            at = BEGAN + timedelta(hours=20 * number)
            entries = calls(*done)
            mem.conversation(f"s{number}").extend(
                [
                    (role, parts, None, int(at.timestamp() * 1000), None)
                    for role, parts, *_ in entries
                ],
                counted=False,
            )
            act.learn(mem, entries)
            mem.nightly(now=at + timedelta(hours=10))
        later = BEGAN + timedelta(days=32)
        answers: Answers = []
        for number, command in enumerate([again for *_, again in FAILURES] + list(QUIET)):
            started = time.process_time()
            told = mem.at_act(command=command, session=f"new{number}", now=later).text
            answers.append((told, time.process_time() - started))
    return answers, os.path.getsize(path)


def of_fts5(folder: str) -> tuple[Answers, int]:
    connection = sqlite3.connect(os.path.join(folder, "plain.db"))
    connection.execute("create virtual table call using fts5 (text, tokenize='porter')")
    for done in sessions():
        text = "; ".join(f"{command}: {output}" for command, output, _ in done)
        connection.execute("insert into call values (?)", (text,))
    connection.commit()
    answers: Answers = []
    for command in [again for *_, again in FAILURES] + list(QUIET):
        started = time.process_time()
        found = connection.execute(
            "select text from call where call match ? order by rank limit 1", (any_word(command),)
        ).fetchall()
        answers.append((found[0][0] if found else "", time.process_time() - started))
    return answers, os.path.getsize(os.path.join(folder, "plain.db"))


def run() -> dict[str, Any]:
    """Both, in the form of the scoreboard."""
    systems = {}
    said = sum(len(command) + len(output) for done in sessions() for command, output, _ in done)
    for name, way in {"cogmem": of_cogmem, "plain FTS5, the best call": of_fts5}.items():
        with tempfile.TemporaryDirectory() as folder:
            answers, size = way(folder)
        shares = {
            "told, with what mended it": [
                float(mend in text)
                for (_, _, mend, _), (text, _) in zip(FAILURES, answers, strict=False)
            ],
            "false alarms": [float(bool(text)) for text, _ in answers[len(FAILURES) :]],
        }
        systems[name] = figures(name, shares, answers, size / said)
    return {
        "title": "Failures at the act (a made month)",
        "goals": {"told, with what mended it": True, "false alarms": False},
        "systems": systems,
    }
