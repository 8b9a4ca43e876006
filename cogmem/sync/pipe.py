"""The program at the other end of a pipe: `cogmem` on another machine, over ssh, or one that a test starts.

Each request is one line of JSON, and so is each answer. Between two requests the other side holds no state outside
its file, so a connection may break anywhere.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess

from cogmem.errors import CogmemError, DatabaseProblem, InvalidInput
from cogmem.sync.well_formed import Misshapen, object_of, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Self

    from cogmem.sync.exchange import Message, Side


class Pipe:
    """A cogmem that was started for one exchange, and ends with it."""

    def __init__(self, command: list[str], target: str) -> None:
        self.target = target
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise DatabaseProblem(f"{command[0]} cannot be started: {error.strerror}") from None

    def ask(self, request: Message) -> Message:
        """Return one request, and its answer."""
        pipe = self._process
        assert pipe.stdin is not None
        assert pipe.stdout is not None
        try:
            pipe.stdin.write(json.dumps(request).encode("ascii") + b"\n")
            pipe.stdin.flush()
            said = pipe.stdout.readline()
        except OSError:
            said = b""
        try:
            answer = object_of(parsed(said))
        except Misshapen:
            raise DatabaseProblem(
                f"{self.target} did not answer: is cogmem installed there, and on the path of a shell that ssh opens?"
                " What was exchanged so far is kept; sync again"
            ) from None
        if "error" in answer:
            raise InvalidInput(f"{self.target}: {answer['error']}")
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        with self._process:  # closes the rest, and waits
            pass


def over_ssh(host: str, port: int | None, path: str) -> list[str]:
    """Return the command that opens a file on another machine. COGMEM_SSH names another ssh, with its options."""
    ssh = shlex.split(os.environ.get("COGMEM_SSH", "ssh"))
    where = ["-p", str(port)] if port else []
    database = ["--db", path] if path else []
    remote = shlex.join(["cogmem", *database, "sync", "--stdio"])
    return [*ssh, *where, "--", host, remote]


def serve(side: Side, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer the requests of a pipe until it closes."""
    for line in requests:
        try:
            answer = side.answer(parsed(line))
        except (CogmemError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            answer = {"error": told(error)}
        answers.write(json.dumps(answer).encode("ascii") + b"\n")
        answers.flush()


def told(error: Exception) -> str:
    """Return a fault as the other side may hear it."""
    if isinstance(error, CogmemError):
        return str(error)
    return "that was no request of an exchange: is the other cogmem of this version?"
