"""Asks git: the commits of a repository as they are streamed, and a few smaller questions.

git reads only: nothing is fetched (a partial clone stays partial), no lock is taken, no hook, pager,
signature check or file-system monitor of the repository's own configuration is run.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from cogmem.errors import GitProblem
from cogmem.named import NamedTuple

_OPTIONS = (
    *("-c", "core.fsmonitor=false", "-c", "core.quotePath=false"),
    *("-c", "log.showSignature=false", "-c", "log.mailmap=true", "-c", "core.hooksPath=/dev/null"),
)
_BEGINS = "\x01\x02"  # before each commit; no path looks like that
_FORMAT = f"--format=tformat:{_BEGINS}%H%x00%ct%x00%aN%x00%aE%x00%B%x00"
_PIECE = 1 << 18


class Commit(NamedTuple):
    """One commit: its name, instant (ms), author, whole message and the files that it touched."""

    hash: str
    at: int
    author: str
    email: str
    message: str
    paths: list[str]


def commits(root: str, *revisions: str, most: int) -> Iterator[Commit]:
    """Yield the commits of these revisions without merges, the oldest first, at most so many of the newest."""
    words = ["log", "-z", "--name-only", "--no-renames", "--no-merges", "--reverse"]
    words += [f"--max-count={most}", _FORMAT, *revisions, "--"]
    with _asking(root, words) as process:
        assert process.stdout is not None
        yield from _read(process.stdout)


def _read(stream: Iterable[bytes]) -> Iterator[Commit]:
    head: list[str] = []
    paths: list[str] = []
    for token in _tokens(stream):
        if token.startswith(_BEGINS):
            if len(head) == 5:
                yield _commit(head, paths)
            head, paths = [token[2:]], []
        elif 0 < len(head) < 5:
            head.append(token)
        elif token.strip("\n"):
            paths.append(token.lstrip("\n"))
    if len(head) == 5:
        yield _commit(head, paths)


def _commit(head: list[str], paths: list[str]) -> Commit:
    name, at, author, email, message = head
    return Commit(name, int(at or 0) * 1000, author, email, message.strip(), paths)


def _tokens(stream: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    while piece := stream.read(_PIECE):  # type: ignore[attr-defined]
        *whole, rest = (rest + piece).split(b"\0")
        for token in whole:
            yield token.decode("utf-8", "replace")
    if rest:
        yield rest.decode("utf-8", "replace")


def lines(root: str, *words: str) -> list[str]:
    """Return what git answers, split at NUL where -z was asked for, else by line; [] where it has nothing to say."""
    with _asking(root, words) as process:
        assert process.stdout is not None
        said = process.stdout.read().decode("utf-8", "replace")
    return [one for one in said.split("\0" if "-z" in words else "\n") if one]


def knows(root: str, commit: str) -> bool:
    """Tell whether a commit is still in the repository."""
    asked = ("rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}")
    try:
        return bool(commit and lines(root, *asked))
    except GitProblem:
        return False


@contextmanager
def _asking(root: str, words: Iterable[str]) -> Iterator[subprocess.Popen[bytes]]:
    asks_grep = next(iter(words)) == "grep"
    # Another repository, named for a hook that git itself runs, is not the one at hand.
    others = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
    environment = {name: value for name, value in os.environ.items() if name not in others}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    environment |= {"GIT_PAGER": "cat", "LC_ALL": "C"}
    with tempfile.TemporaryFile() as said:
        try:
            command, nothing = ["git", *_OPTIONS, "-C", root, *words], subprocess.DEVNULL
            process = subprocess.Popen(
                command, stdin=nothing, stdout=subprocess.PIPE, stderr=said, env=environment
            )
        except OSError as error:
            raise GitProblem(
                f"git cannot be run ({error.strerror}): install it, or put it on the PATH"
            ) from None
        try:
            yield process
            code = process.wait()
            if code and not (asks_grep and code == 1):  # grep: nothing found
                said.seek(0)
                reason = said.read().decode("utf-8", "replace").strip().partition("\n")[0]
                raise GitProblem(f"git could not read {root}: {reason or f'it ended with {code}'}")
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            if process.stdout:
                process.stdout.close()
