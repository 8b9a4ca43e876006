"""The model behind an agent that is installed here: `claude -p`, `codex exec` and their like, asked as programs.

It needs no key of its own: the program's login pays. Each is a row of PROGRAMS: how it is asked without tools, by a
small model where it names one, and how its answer is read. It runs in an empty folder, with COGMEM_ASKING set: the
hooks of cogmem that it brings along end at once, so that a question never becomes a memory.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections import namedtuple

from cogmem.errors import InvalidInput, ModelCancelled, ModelFailed, ModelTimeout
from cogmem.models.provider import Provided, count
from cogmem.ports import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from cogmem.models.provider import Question

ASKING = "COGMEM_ASKING"  # set while a program is asked: cogmem is not to listen
LONGEST_ANSWER = 4 << 20  # bytes
LOOK = 0.05  # seconds between two looks at the clock
USUAL_WAIT = 120.0  # seconds: a program starts before it asks
_LIMITED = ("rate limit", "usage limit", "quota", "too many requests", "429", "overloaded")
_LOGGED_OUT = ("log in", "login", "logged in", "api key", "unauthorized", "401", "authenticat")

Said = tuple[str, int, int]  # the answer, tokens in, tokens out


def _result(output: str) -> Said:
    told = json.loads(output[output.index("{") :])
    usage = told.get("usage")
    kept = ("cache_creation_input_tokens", "cache_read_input_tokens")
    tokens = count(usage, "input_tokens") + sum(count(usage, name) for name in kept)
    if told.get("is_error"):
        raise ValueError("the program says that it failed")
    return str(told["result"]), tokens, count(usage, "output_tokens")


def _gemini(output: str) -> Said:
    told = json.loads(output[output.index("{") :])
    models = (told.get("stats") or {}).get("models") or {}
    tokens = [one.get("tokens") for one in models.values() if isinstance(one, dict)]
    return (
        str(told["response"]),
        sum(count(one, "prompt") for one in tokens),
        sum(count(one, "candidates") for one in tokens),
    )


def _qwen(output: str) -> Said:
    found = json.loads(output[output.index("[") :])
    [last] = [one for one in found if isinstance(one, dict) and one.get("type") == "result"][-1:]
    return _result(json.dumps(last))


def _lines(output: str) -> Iterator[dict[str, Any]]:
    for line in output.splitlines():
        if line.startswith("{"):
            told = json.loads(line)
            if isinstance(told, dict):
                yield told


def _codex(output: str) -> Said:
    said, tokens = "", (0, 0)
    for one in _lines(output):
        item = one.get("item")
        if isinstance(item, dict) and item.get("type") == "agent_message":
            said = str(item["text"])
        if usage := one.get("usage"):
            tokens = (count(usage, "input_tokens"), count(usage, "output_tokens"))
    return said, *tokens


def _opencode(output: str) -> Said:
    texts, tokens = [], (0, 0)
    for one in _lines(output):
        part = one.get("part")
        if one.get("type") == "text" and isinstance(part, dict):
            texts.append(str(part["text"]))
        if one.get("type") == "step_finish" and isinstance(part, dict):
            tokens = (count(part.get("tokens"), "input"), count(part.get("tokens"), "output"))
    return "".join(texts), *tokens


def _plain(output: str) -> Said:
    return output, 0, 0


# The command, the words behind it, the word before a model's name, a small model that it knows by a name of its own,
# the word before the question where it does not come on standard input, and what reads its output.
Program = namedtuple("Program", "command words model small asked reads")
PROGRAMS = {
    "claude": Program(
        "claude",
        ("-p", "--output-format", "json", "--tools", "", "--strict-mcp-config", "--no-session-persistence",
         "--disable-slash-commands", "--settings", '{"disableAllHooks": true}'),
        "--model", "haiku", None, _result,
    ),
    "codex": Program(
        "codex",
        ("exec", "--json", "--skip-git-repo-check", "--ephemeral", "--sandbox", "read-only", "-c", "mcp_servers={}",
         "-c", "features.hooks=false", "-c", 'model_reasoning_effort="low"'),
        "--model", "", None, _codex,
    ),
    "gemini": Program(
        "gemini",
        ("--output-format", "json", "--skip-trust", "--extensions", "none", "--allowed-mcp-server-names", "none"),
        "--model", "flash-lite", "--prompt", _gemini,
    ),
    "qwen": Program(
        "qwen", ("--bare", "--output-format", "json", "--chat-recording", "false"), "--model", "", None, _qwen,
    ),
    "opencode": Program("opencode", ("run", "--pure", "--format", "json"), "--model", "", None, _opencode),
    "copilot": Program(
        "copilot", ("--silent", "--disable-builtin-mcps", "--available-tools", "none"), "--model", "", None, _plain,
    ),
    "pi": Program(
        "pi",
        ("--print", "--no-tools", "--no-extensions", "--no-skills", "--no-prompt-templates", "--no-context-files",
         "--no-session"),
        "--model", "", None, _plain,
    ),
}  # fmt: skip
REST_OF_QUESTION = "Do what the text on standard input asks."  # for one whose question is an option


def installed() -> list[str]:
    """Return the programs that are on the PATH, in the order in which they are tried."""
    return [name for name, program in PROGRAMS.items() if shutil.which(program.command)]


class ProgramModel(Provided):
    """A model that an installed agent asks. `name` is the program, or program:model.

    One that is missing, logged out or limited is left alone for a while, as an endpoint that is down.
    """

    def __init__(self, name: str, *, timeout: float | None = None) -> None:
        program, _, model = name.partition(":")
        if program not in PROGRAMS:
            raise InvalidInput(
                f"{program!r} is not an agent that can be asked: use {', '.join(PROGRAMS)}"
            )
        super().__init__(name, timeout)
        self._command = program
        self._program = PROGRAMS[program]
        self._model = model or self._program.small

    def _ask(self, asked: Question) -> Reply:
        # The prompt says its form; the program, how long an answer may be.
        whole = f"{asked.system}\n\n{asked.prompt}".strip()
        wait = self.timeout or max(asked.timeout, USUAL_WAIT)
        output = self._run(self._words(), whole, wait, asked.cancelled)
        try:
            said, tokens_in, tokens_out = self._program.reads(output)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ModelFailed(
                f"what {self._command} answered cannot be read: its form may have changed; "
                f"`{self._command} --version` says which it is"
            ) from error
        if not said.strip():
            raise ModelFailed(f"{self._command} answered nothing")
        return Reply(said.strip(), model=self.name, tokens_in=tokens_in, tokens_out=tokens_out)

    def _words(self) -> list[str]:
        found = shutil.which(self._program.command)
        if found is None:
            raise ModelFailed(
                f"{self._command} is not on the PATH: install it, or choose another with `cogmem model use host`",
                is_down=True,
            )
        words = [found, *self._program.words]
        if self._model:
            words += [self._program.model, self._model]
        if self._program.asked:
            words += [self._program.asked, REST_OF_QUESTION]
        return words

    def _run(
        self, words: list[str], asked: str, wait: float, cancelled: Callable[[], bool] | None
    ) -> str:
        end = time.monotonic() + wait
        with (
            tempfile.TemporaryDirectory(prefix="cogmem-") as folder,
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as printed,
            tempfile.TemporaryFile() as told,
        ):
            given.write(asked.encode("utf-8", "replace"))
            given.seek(0)
            try:
                surroundings = {**os.environ, ASKING: "1", "PWD": folder}
                process = subprocess.Popen(
                    words, stdin=given, stdout=printed, stderr=told, cwd=folder, env=surroundings,
                    start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                told_why = f"{self._command} cannot be started: {error.strerror}"
                raise ModelFailed(told_why, is_down=True) from error
            try:
                while process.poll() is None:
                    if cancelled is not None and cancelled():
                        raise ModelCancelled("the answer is not wanted any more")
                    if time.monotonic() >= end:
                        late = f"{self._command} did not answer in {wait:g} s"
                        raise ModelTimeout(late, is_down=True)
                    if os.fstat(printed.fileno()).st_size > LONGEST_ANSWER:
                        raise ModelFailed(f"{self._command} answers without end: it was ended")
                    time.sleep(LOOK)
            finally:
                _end(process)
            printed.seek(0)
            told.seek(0)
            output = printed.read(LONGEST_ANSWER).decode("utf-8", "replace")
            if process.returncode:
                words_of = (output[-4000:] + told.read(4000).decode("utf-8", "replace")).lower()
                raise ModelFailed(self._why(process.returncode, words_of), is_down=True)
            return output

    def _why(self, code: int, words: str) -> str:
        if any(one in words for one in _LIMITED):
            return f"{self._command} has no more answers for now: it is asked again another night"
        if any(one in words for one in _LOGGED_OUT):
            return f"{self._command} is not logged in: start it once and log in"
        return f"{self._command} ended with {code}: ask it something yourself to see why"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it started; one that has ended leaves nothing."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        elif process.poll() is None:
            process.kill()
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()
