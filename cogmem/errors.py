"""Every error that cogmem raises on purpose.

All share one base, so that a host can catch `CogmemError` and go on. Each class names a condition,
and each message says what to do next.
"""

from __future__ import annotations


class CogmemError(Exception):
    """Base of all errors raised by cogmem."""


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


class ModelFailed(CogmemError):
    """A model gave no answer. What it was asked for is done without it, or waits as a task."""

    retry_after: float | None = None  # seconds that the provider asks to wait
    is_down = False  # nobody is there to answer: the next question would fare the same
    tokens_in = 0  # what it cost all the same
    tokens_out = 0


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


class TooNew(DatabaseProblem):
    """A later version of cogmem wrote this file."""


class ReadOnly(DatabaseProblem):
    """The file or its folder cannot be written."""


class Locked(DatabaseProblem):
    """Another process held the write lock longer than the busy timeout."""


class DiskFull(DatabaseProblem):
    """There is no room left for the write; nothing of it was stored."""


class Corrupt(DatabaseProblem):
    """SQLite cannot read the file as a sound database."""
