"""Read a person's file without trusting it; replace it without losing a word.

A write takes the old file's place in one step, if it still holds the bytes that the change was made from. cogmem's
own writers take turns by an advisory lock on the *folder*: each write replaces the file itself, and a lock file
beside it would outlive a crash. An editor takes no lock, so the digest is compared again just before the rename;
where a file system knows no folder locks (some network drives, Windows), that alone remains.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from contextlib import contextmanager, suppress

from cogmem.errors import CogmemError, Conflict, DiskFull, InvalidInput, Locked, ReadOnly
from cogmem.file.private import plain_file
from cogmem.named import NamedTuple
from cogmem.records import Record

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

MAX_BYTES = 512 * 1024
ABSENT = ""  # the digest of a file that does not exist
TEMPORARY = ".cogmem-tmp"
LOCK_WAIT_SECONDS = 10.0
ABANDONED_SECONDS = 3600.0
ATTEMPTS = 8


class FileBytes(NamedTuple):
    """A file as it was read. `identity` is equal for every path that leads to the same file."""

    data: bytes
    digest: str
    identity: tuple[int, int]
    modified_ns: int


class Problem(Record):
    """Something that a reader stepped over, for a person to look at. Line 0 is the whole file."""

    path: str
    line: int
    text: str


class Rewritten(NamedTuple):
    """What `rewrite` left at `path`."""

    path: str
    digest: str
    changed: bool
    created: bool


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_file(path: str, limit: int = MAX_BYTES) -> FileBytes:
    """Return the bytes of a regular file of at most `limit` bytes; an OSError tells what is in the way."""
    with plain_file(path, limit) as file:
        data, state = file.read(limit + 1), os.fstat(file.fileno())
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit // 1024} KiB", path)
    return FileBytes(data, digest_of(data), (state.st_dev, state.st_ino), state.st_mtime_ns)


def shown_text(data: bytes) -> tuple[str, str]:
    """Return the text as a prompt shows it (no BOM, plain newlines), and what was wrong with the bytes."""
    if b"\0" in data:
        return "", "not text in UTF-8"
    try:
        text, wrong = data.decode("utf-8"), ""
    except UnicodeDecodeError as error:
        text, wrong = data.decode("utf-8", "replace"), f"byte {error.start} is not UTF-8; replaced"
    return text.removeprefix("\ufeff").replace("\r\n", "\n"), wrong


def is_inside(folder: str, path: str, flavour: ModuleType = os.path) -> bool:
    """Tell whether `path` is `folder` or below it, by name alone. `flavour` is os.path or ntpath."""
    folder, path = str(flavour.normcase(folder)), str(flavour.normcase(path))
    separator = str(flavour.sep)
    return path == folder or path.startswith(folder.rstrip(separator) + separator)


def plain_path(path: str) -> str:
    """Return the file to write for `path`: itself, or what it links to in the same folder. A link that leads
    elsewhere is refused: a project could carry an AGENTS.md that points at somebody's shell profile."""
    path = os.path.abspath(path)
    folder = os.path.realpath(os.path.dirname(path))
    real = os.path.realpath(path)
    if os.path.dirname(real) != folder:
        raise InvalidInput(f"{path} is a link to {real}; name that file itself to change it")
    if os.path.lexists(real) and not os.path.isfile(real):
        raise InvalidInput(f"{path} is not a regular file; name a Markdown file")
    return real


def named_error(error: OSError, path: str) -> CogmemError:
    """Return the error of the operating system as one of ours, saying what to do next."""
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"{path}: {reason}; free some room and try again")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return ReadOnly(f"{path}: {reason}; check who may write there")
    return CogmemError(f"{path}: {reason}; nothing was changed")


@contextmanager
def folder_lock(folder: str, wait: float = LOCK_WAIT_SECONDS) -> Iterator[None]:
    """Hold a folder's advisory lock; it must exist. Clears away what a crashed writer left."""
    if fcntl is None:
        yield
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise named_error(error, folder) from error
    try:
        if _locked(descriptor, folder, wait):
            for name in os.listdir(folder):
                if name.startswith(".") and name.endswith(TEMPORARY):
                    path = os.path.join(folder, name)
                    with suppress(OSError):
                        if time.time() - os.lstat(path).st_mtime > ABANDONED_SECONDS:
                            os.unlink(path)
        yield
    finally:
        os.close(descriptor)


def _locked(descriptor: int, folder: str, wait: float) -> bool:
    deadline, pause = time.monotonic() + wait, 0.001
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise Locked(
                    f"another process has held {folder} for {wait:g} s; try again"
                ) from None
            time.sleep(pause)
            pause = min(pause * 2, 0.02)
        except OSError:  # this file system has no such locks: the digests must do
            return False


def replace_file(
    path: str, data: bytes, expected: str, mode: int = 0o644, limit: int = MAX_BYTES
) -> None:
    """Put `data` at `path` in one step if the file's digest still is `expected`, else Conflict. A new file gets
    `mode` less the umask."""
    if len(data) > limit:
        raise InvalidInput(f"{path} would pass {limit // 1024} KiB and not be read; shorten it")
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.urandom(6).hex()}{TEMPORARY}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, mode)
    try:
        try:
            if expected != ABSENT:
                _keep_owner_and_mode(path, descriptor)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if digest_now(path, limit) != expected:
            raise Conflict(f"{path} was changed meanwhile; read it again and repeat the change")
        if expected != ABSENT or not _linked(temporary, path):
            os.replace(temporary, path)
    except BaseException:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def rewrite(path: str, edit: Callable[[str], str], mode: int = 0o644) -> Rewritten:
    """Apply a pure edit to the file's text, again from the start if somebody changed it meanwhile. Bytes that are
    not UTF-8 travel as surrogates; a missing file is the empty text. The caller holds the folder's lock; `path`
    must not be a link."""
    for attempt in range(ATTEMPTS):
        try:
            try:
                found = read_file(path)
                data, digest = found.data, found.digest
            except FileNotFoundError:
                data, digest = b"", ABSENT
            if b"\0" in data:
                raise InvalidInput(f"{path} is not text in UTF-8; save it as UTF-8 first")
            before = data.decode("utf-8", "surrogateescape")
            after = edit(before)
            if after == before:
                return Rewritten(path, digest, False, False)
            data = after.encode("utf-8", "surrogateescape")
            replace_file(path, data, digest, mode)
        except Conflict:
            if attempt == ATTEMPTS - 1:
                raise
        except OSError as error:
            raise named_error(error, path) from error
        else:
            return Rewritten(path, digest_of(data), True, digest == ABSENT)
    raise AssertionError("unreachable")


def sound_text(text: str) -> str:
    """`text`, if it can be written as UTF-8; checked before it meets bytes that could not."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput(f"character {error.start} is half of a pair; repair the text") from error
    return text


def make_folder(folder: str) -> None:
    """Make a folder and those it lies in; what is made is open to its owner only."""
    try:
        missing = [folder]
        while not os.path.isdir(above := os.path.dirname(missing[-1])) and above != missing[-1]:
            missing.append(above)
        for one in reversed(missing):  # makedirs gives its mode to the last one alone
            os.makedirs(one, mode=0o700, exist_ok=True)
    except OSError as error:
        raise named_error(error, folder) from error


def _keep_owner_and_mode(path: str, descriptor: int) -> None:
    try:
        state = os.stat(path)
    except OSError:  # gone meanwhile: the digest will tell
        return
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, stat.S_IMODE(state.st_mode))
    if hasattr(os, "fchown") and os.geteuid() == 0 and (state.st_uid or state.st_gid):
        # Root edits a person's file: it must stay theirs.
        os.fchown(descriptor, state.st_uid, state.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(state.st_mode))


def digest_now(path: str, limit: int = MAX_BYTES) -> str:
    """Return the digest that a file has at this moment; `ABSENT` without one."""
    try:
        return read_file(path, limit).digest
    except FileNotFoundError:
        return ABSENT


def _linked(temporary: str, path: str) -> bool:
    """Give the finished file its name unless someone took it first; False: no hard links here."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise Conflict(f"{path} was created meanwhile; read it and repeat the change") from None
    except OSError:
        return False
    os.unlink(temporary)
    return True


def _sync_folder(folder: str) -> None:
    """Make the rename itself last; not every system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
