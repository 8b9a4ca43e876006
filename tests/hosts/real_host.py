"""How the tests of hosts run a host: a home of its own, a project, a memory, and a model to talk to."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

import cogmem
from cogmem.hosts import act, backfill, install, spool
from cogmem.hosts.trial import SAID, serving, trial_of
from cogmem.scope import project_at
from cogmem.text import attempts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cogmem.hosts.trial import Model

FOLDER = os.environ.get("COGMEM_HOSTS", "")
needs_hosts = pytest.mark.skipif(
    not FOLDER, reason="only with the hosts: `make test-hosts` fetches them, which needs npm"
)
RULE = "Answer in English."
NEVER, HERON = "Never deploy on Fridays.", "The staging host is called heron."

CURE = "Mended by running `pip install pyyaml`."


def learned(host: Host, *commands: str, cure: str = CURE) -> None:
    """Failures of commands that were mended in an earlier session."""
    with cogmem.open(host.database) as mem:
        for number, command in enumerate(commands):
            error = f"ModuleNotFoundError: No module named 'yaml{number or ''}'"
            act.keep(mem, [attempts.Attempt(command, error, cure.format(number), True)])


def program(name: str) -> str:
    """A host's program in the folder that `make test-hosts` made; without it the test is skipped."""
    found = shutil.which(name, path=FOLDER)
    if found is None:
        pytest.skip(f"only with {name}, which npm did not bring for this machine")
    return found


# How a host is asked, and asked again in the same session.
WORDS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "claude-code": (("-p",), ("-p", "--continue")),
    "codex": (
        # Nobody is there to trust the hooks; `codex` asks for it once.
        ("exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check"),
        ("exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check", "resume", "--last"),
    ),
    "gemini": (("-p",), ("--resume", "latest", "-p")),
    "opencode": (("run",), ("run", "--continue")),
    "pi": (
        ("--provider", "check", "--model", "m", "-p"),
        ("--provider", "check", "--model", "m", "-p", "--continue"),
    ),
    "copilot": (("--allow-all-tools", "-p"), ("--allow-all-tools", "--continue", "-p")),
    "qwen": (("-p",), ("--continue", "-p")),
}
# Those that are asked once: Droid goes on with a session by its number alone, and OpenClaw has what comes with a
# message in no later request.
ONCE: dict[str, Sequence[str]] = {
    "droid": ("exec", "-m", "custom:m"),
    "openclaw": ("agent", "--local", "--agent", "main", "-m"),
}
ASIDE = ("title generator", "managed memory")  # what some ask the model for beside a turn


class Host:
    """One host in a home where nothing else is, as `cogmem install` found it and left it."""

    @classmethod
    def of(cls, name: str, home: Path, model: Model, **environment: str) -> Host:
        """A host set up as `cogmem install --check` does; cogmem is not in it yet."""
        trial = trial_of(name, model.url)
        found = cls(trial.program, home, model, **trial.environment, **environment)
        found.name = name
        for file, text in trial.files.items():
            found.write(file, text)
        return found

    def __init__(self, name: str, home: Path, model: Model, **environment: str) -> None:
        self.path = program(name)
        self.name = name
        self.home = home
        self.project = home / "project"
        self.database = home / "memory.db"
        self.model = model
        self.environment = {
            "HOME": str(home),
            "PWD": str(self.project),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "PATH": f"{FOLDER}{os.pathsep}{os.environ['PATH']}",
            **environment,
        }
        home.mkdir(exist_ok=True)
        self.project.mkdir()
        subprocess.run(["git", "init", "--quiet", str(self.project)], check=True)

    def ask(self, text: str, *options: str) -> list[dict[str, Any]]:
        """Ask it something in a new session; returns what it asked the model for that."""
        words = ONCE.get(self.name) or WORDS[self.name][0]
        return self._asked(words, text, options)

    def go_on(self, text: str, *options: str) -> list[dict[str, Any]]:
        """Ask it something in the session that was last."""
        return self._asked(WORDS[self.name][1], text, options)

    def _asked(
        self, words: Sequence[str], text: str, options: Sequence[str]
    ) -> list[dict[str, Any]]:
        # OpenCode puts what is longer than one word in quotes.
        said = text.split() if self.name == "opencode" else [text]
        at = 0 if words[0].startswith("-") else 1  # behind a command's name
        found = self.say(*words[:at], *options, *words[at:], *said)
        return [one for one in found if not any(mark in told(one) for mark in ASIDE)]

    def learn(self, text: str, kind: str = "policy", **given: Any) -> None:
        """Let its memory learn something."""
        with cogmem.open(self.database) as mem:
            mem.learn(text, kind, **given)

    def say(self, *words: str, answer: str = SAID) -> list[dict[str, Any]]:
        """Run it once with these words; returns what it asked the model meanwhile."""
        before = len(self.model.asked)
        done = subprocess.run(
            [self.path, *words],
            env=self.environment,
            cwd=self.project,
            timeout=240,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert answer in done.stdout + done.stderr, done.stdout + done.stderr
        return self.model.asked[before:]

    def recorded(self) -> list[list[str]]:
        """The texts of each conversation in the record, found sound; no hook has told of a fault."""
        patience = time.monotonic() + 30
        folder, name = os.path.split(spool.path_of(str(self.database)))
        while any(one.startswith(name) for one in os.listdir(folder)):
            assert time.monotonic() < patience, (
                "what the last hook left is written down by another process"
            )
            time.sleep(0.1)
        faults = self.home / "hook.log"
        assert not faults.exists(), faults.read_text()
        with cogmem.open(self.database, project=project_at(str(self.project))) as mem:
            assert mem.file.check() == []
            talks = [mem.conversation(row.name) for row in mem.conversations.list()]
            texts = [[message.text for message in talk.messages()] for talk in talks]
        for text in (text for talk in texts for text in talk):
            assert "reference data" not in text, "what memory brought is not what a person said"
        return texts

    def kept(self) -> list[list[str]]:
        """The texts of each session that the host itself has kept, as a backfill records them elsewhere."""
        with cogmem.open(self.home / "filled.db", project=project_at(str(self.project))) as mem:
            done = backfill.record(mem, backfill.waiting(mem, backfill.sessions()))
            assert done.faults == []
            talks = [mem.conversation(row.name) for row in mem.conversations.list()]
            return [[message.text for message in talk.messages()] for talk in talks]

    def write(self, name: str, held: dict[str, Any] | str) -> None:
        """A file of its configuration, there before cogmem comes."""
        file = self.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(held if isinstance(held, str) else json.dumps(held))


def told(request: Any) -> str:
    """All that a request says, as one text that can be searched."""
    return json.dumps(request, ensure_ascii=False)


@contextmanager
def home_of(
    name: str, home: Path, monkeypatch: pytest.MonkeyPatch, **environment: str
) -> Iterator[Host]:
    """A host at home in a folder, with cogmem in it that knows a rule."""
    for place in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "PI_CODING_AGENT_DIR"):
        monkeypatch.delenv(place, raising=False)
    for place in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(place, raising=False)
    monkeypatch.setenv("HOME", str(home))
    with serving() as model:
        host = Host.of(name, home, model, **environment)
        install.install(name, str(host.database))
        host.learn(RULE)
        yield host


def turns_of(request: dict[str, Any]) -> list[dict[str, Any]]:
    """What was said so far, as a request tells it."""
    found = request.get("messages") or request.get("input") or request.get("contents") or []
    return list(found)


def bare(value: Any) -> Any:
    """A request without the marks of a provider's cache and a host's own reminders, which hosts move about; a
    text alone stands for itself."""
    if isinstance(value, list):
        value = [one for one in value if not _is_reminder(one)]
    if isinstance(value, dict):
        found = {name: bare(one) for name, one in value.items() if name != "cache_control"}
        content = found.get("content")
        if isinstance(content, list) and len(content) == 1 and set(content[0]) == {"type", "text"}:
            found["content"] = content[0]["text"]
        return found
    return [bare(one) for one in value] if isinstance(value, list) else value


def _is_reminder(part: Any) -> bool:
    text = part.get("text") if isinstance(part, dict) else None
    return isinstance(text, str) and text.startswith("<system-reminder>") and "# Memory" not in text


FIXED = ("system", "instructions", "systemInstruction", "tools")


def goes_on(earlier: dict[str, Any], later: dict[str, Any]) -> bool:
    """Whether a later request begins with every byte of an earlier one: system prompt, tools, all that was said."""
    was, now = bare(earlier), bare(later)
    turns = turns_of(was)
    return (
        all(was.get(name) == now.get(name) for name in FIXED)
        and turns_of(now)[: len(turns)] == turns
        and len(turns_of(now)) > len(turns)
    )
