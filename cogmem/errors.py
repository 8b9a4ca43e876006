"""Every error that cogmem raises on purpose.

All share one base, so that a host can catch `CogmemError` and go on. Each class names a condition,
and each message says what to do next. What a driver raises becomes one of them in `of_driver`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# What the package index calls us. The name `cogmem` on it belongs to somebody else's program.
DISTRIBUTION = "cogmem-sqlite"


def install_command(extra: str) -> str:
    """Return the command that brings what an optional part needs."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"


# What takes secrets out of a message: set by guard.glance, which is loaded with every file.
screen: Callable[[str], str] | None = None


class CogmemError(Exception):
    """Base of all errors raised by cogmem. What it repeats of an input, it repeats without secrets."""

    def __str__(self) -> str:
        said = super().__str__()
        return said if screen is None else screen(said)


class InvalidInput(CogmemError, ValueError):
    """The caller passed something that cannot be stored or understood."""


class UnknownMemory(CogmemError, LookupError):
    """No memory has this uid or key in the scope asked for."""


class UnknownName(CogmemError, LookupError):
    """A kind, job, setting, change or run of this name does not exist."""


class GuardRefused(CogmemError):
    """The guard found a secret, an injected instruction or hidden characters."""


class CapacityReached(CogmemError):
    """The kind's policy refuses more memories."""


class Conflict(CogmemError):
    """Something else changed what this call decided on; read again and decide anew."""


# What a memory does not take in as it is; whoever brings many goes on with the next.
REFUSALS = (CapacityReached, Conflict, GuardRefused, InvalidInput)


class GitProblem(CogmemError):
    """A repository could not be read: git is missing, or refused."""


class ModelFailed(CogmemError):
    """A model gave no answer. What it was asked for is done without it, or waits as a task."""

    retry_after: float | None = None  # seconds that the provider asks to wait
    is_down = False  # nobody is there to answer: the next question would fare the same
    tokens_in = 0  # what it cost all the same
    tokens_out = 0

    def __init__(self, message: str = "", **about: float) -> None:
        super().__init__(message)
        self.__dict__.update(about)


class ModelTimeout(ModelFailed, TimeoutError):
    """A model did not answer in time."""


class ModelCancelled(ModelFailed):
    """Whoever asked wanted the answer no more."""


class NotRecorded(CogmemError):
    """A replay was asked something that its recording does not hold."""


class DatabaseProblem(CogmemError):
    """Base of the conditions of the file itself."""


class ForeignFile(DatabaseProblem):
    """The file is a database, or something else, that cogmem did not make."""

    is_database = True


class TooNew(DatabaseProblem):
    """A later version of cogmem wrote this file."""


class ReadOnly(DatabaseProblem):
    """The file or its folder cannot be written."""


class Locked(DatabaseProblem):
    """Another process held the write lock longer than the busy timeout."""


class Unreachable(Locked):
    """No node of the cluster answers, or none of them leads: what was asked may be asked again."""


class DiskFull(DatabaseProblem):
    """There is no room left for the write; nothing of it was stored."""


class Damaged(DatabaseProblem):
    """The file is not the sound database that it was; nobody but a person puts another in its place."""

    is_of_text = False  # a value whose bytes are not text: the file is sound else


def code_of(error: CogmemError) -> str:
    """Return the error's class as a word for programs: unknown_memory, disk_full …"""
    name = type(error).__name__
    return "".join(f"_{mark.lower()}" if mark.isupper() else mark for mark in name).lstrip("_")


# SQLite's primary result codes, the same for both drivers.
_BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT = 5, 6, 8, 10, 11
_FULL, _CANTOPEN, _TOOBIG, _CONSTRAINT, _NOTADB = 13, 14, 18, 19, 26
_TRIGGER = 1811  # SQLITE_CONSTRAINT_TRIGGER: somebody's RAISE()
# SQLITE_IOERR_WRITE, _TRUNCATE, _SHMSIZE: a quota, a limit, a disk without room.
_UNWRITTEN = (778, 1546, 4874)


def is_of_trigger(error: BaseException) -> bool:
    """Tell whether a trigger refused the write, in words of its own."""
    return _extended(error) == _TRIGGER


def _extended(error: BaseException) -> int | None:
    return getattr(error, "extendedresult", None) or getattr(error, "sqlite_errorcode", None)


NOT_TEXT = (
    "holds a text with damaged bytes: `cogmem doctor` says where, `cogmem file restore` brings back the latest"
    " backup, `cogmem file salvage` reads all the rest into a new file"
)


def of_driver(error: BaseException, where: str) -> CogmemError:
    """Return what a driver's error means and what to do next, without any content."""
    if isinstance(error, CogmemError):
        return error
    code = getattr(error, "result", None)
    if code is None:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    said = str(error)
    if code in (_BUSY, _LOCKED):
        return Locked(f"another process keeps {where} locked: try again when it is done")
    if code == _READONLY:
        return ReadOnly(
            f"{where} cannot be written: check the permissions of the file and its folder"
        )
    if code == _FULL or (code == _IOERR and _extended(error) in _UNWRITTEN):
        return DiskFull(f"the disk of {where} is full: nothing of this write was stored; make room")
    if isinstance(error, UnicodeDecodeError) or said.startswith("Could not decode to UTF-8"):
        told = Damaged(f"{where} {NOT_TEXT}")  # what the driver says may hold the words
        told.is_of_text = True
        return told
    if code == _NOTADB:
        foreign = ForeignFile(f"{where} is not a cogmem database: name another file")
        foreign.is_database = False
        return foreign
    if code == _CORRUPT:
        return Damaged(
            f"{where} is damaged ({said}): nothing was changed; `cogmem doctor` says more, "
            "`cogmem file restore` brings back the latest backup, `cogmem file salvage` reads what is left"
        )
    if code == _CANTOPEN:
        return DatabaseProblem(
            f"{where} cannot be opened: check that the folder exists and is yours"
        )
    if code == _IOERR:
        return DatabaseProblem(f"reading or writing {where} failed ({said}): check the disk")
    if code == _TOOBIG:
        return InvalidInput("the text is larger than SQLite can hold: shorten it")
    if code == _CONSTRAINT:
        if "what_was_decided_on_still_holds" in said or "update it instead of" in said:
            return Conflict("another process changed this memory meanwhile: read it again")
        if said == "constraint failed":  # ours all have names: a table of FTS5's own is meant
            return DatabaseProblem(
                f"the search index of {where} is damaged: `cogmem file rebuild` remakes it"
            )
        if is_of_trigger(error):  # a sentence of the schema, with what to do
            return InvalidInput(said.removeprefix("constraint failed: "))
        return InvalidInput(f"the write breaks a rule of the schema: {said}")
    if code:
        return DatabaseProblem(f"{where}: {said}")
    if isinstance(error, OverflowError):
        return InvalidInput("a number is too large: the largest is 9223372036854775807")
    if isinstance(error, UnicodeEncodeError):
        return InvalidInput("a text or a file name is not UTF-8: write it anew")
    return DatabaseProblem(f"{where}: {type(error).__name__}: {said}")
