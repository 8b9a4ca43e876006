"""A folder that everybody reads and writes: on a network disk, or kept in sync by a cloud service.

The memory itself must never lie there: a copy taken while it is written is torn. What lies there is files of acts
(`org_….<digest>.acts`), each written whole under a name that says what is in it; who finds one that it has not read
takes it in, whosever it is and in whatever order they come. Small files of one's own are joined. When something was
forgotten, all that still tells of it is written anew without it. With a key (COGMEM_SYNC_KEY) the files are
encrypted (Fernet, of `cryptography`), and what is not encrypted with that key is not taken in.
"""

from __future__ import annotations

import base64
import json
import os
import re
from contextlib import suppress
from errno import EDQUOT, ENOSPC
from hashlib import sha256

from cogmem.errors import DatabaseProblem, DiskFull, InvalidInput, install_command
from cogmem.file.private import plain_file, write_private
from cogmem.file.process import is_running
from cogmem.records import new_uid
from cogmem.sync import well_formed
from cogmem.sync.acts import AT_ONCE
from cogmem.sync.exchange import NOWHERE, Side, Synced
from cogmem.sync.well_formed import Misshapen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.sync.exchange import Message
    from cogmem.sync.well_formed import Upto

KEY = "COGMEM_SYNC_KEY"


def new_key() -> str:
    """Return a key for a folder, to be carried to each machine by hand."""
    return base64.urlsafe_b64encode(os.urandom(32)).decode()


class Cipher:
    """How the lines of a folder's files are written: encrypted with a key, or plain without one."""

    def __init__(self, key: str = "") -> None:
        self.ending, self._with = "acts", None
        self.why_not = f"it is encrypted: put its key into {KEY}"
        if not key:
            return
        self.ending = "encrypted"
        self.why_not = f"it is not encrypted, and {KEY} is set"
        try:
            from cryptography.fernet import Fernet

            self._with = Fernet(key)
        except ImportError:
            raise InvalidInput(
                f"{KEY} is set, and nothing is here to encrypt with: {install_command('encrypt')}"
            ) from None
        except ValueError:
            raise InvalidInput(f"{KEY} is no key: `cogmem sync --new-key` makes one") from None

    def reading(self, name: str) -> Cipher:
        """Return what a file of one's own is read with: it may be older than the key."""
        return self if name.endswith(f".{self.ending}") or self._with is None else Cipher()

    def closed(self, line: bytes) -> bytes:
        """Return a line as it is written."""
        return line if self._with is None else bytes(self._with.encrypt(line))

    def opened(self, line: bytes) -> bytes:
        """Return a line as it was said."""
        if self._with is None:
            return line
        from cryptography.fernet import InvalidToken

        try:
            return bytes(self._with.decrypt(line))
        except (InvalidToken, TypeError, ValueError):
            raise Misshapen("it was encrypted with another key, or changed") from None


NAME = "cogmem-folder"  # holds the folder's own name: one that was emptied gets another
# Beside the names of files: the receipt up to which they tell of nothing forgotten.
CLEANED = "cleaned"
# A file of others, of this memory, and of others with something that was left outside.
READ, MINE, HALF_READ = 0, 1, 2
LARGEST = 1 << 30  # bytes of one file
LONGEST = 64 << 20  # of a line
_FILE = re.compile(r"(org_[0-9a-f]{1,40})\.[0-9a-f]{16}\.(acts|encrypted)\Z")


def meet(side: Side, folder: str, cipher: Cipher) -> Synced:
    """Read what others put here, and put here what they lack."""
    try:
        if not os.path.isdir(folder):
            os.makedirs(folder, mode=0o700)
            os.chmod(folder, 0o700)
        return _Meeting(side, folder, cipher).held()
    except OSError as error:
        if error.errno in (ENOSPC, EDQUOT):
            raise DiskFull(
                f"the disk of {folder} is full: nothing is lost; make room and sync again"
            ) from None
        raise DatabaseProblem(
            f"{folder} cannot be read or written ({error.strerror}): nothing is lost; sync again when it can"
        ) from None


class _Meeting:
    def __init__(self, side: Side, folder: str, cipher: Cipher) -> None:
        self.side = side
        self.folder = folder
        self.cipher = cipher
        self.result = Synced(folder)
        self.place = _name_of(folder)
        self.sight = side.door.sight
        self.known = side.trusted(side.known(self.place, self.sight))
        self.files = side.taken_from(self.place, self.sight)
        self.cleaned = self.files.pop(CLEANED, 0)
        self.is_copied = False  # another file writes under this one's name

    def held(self) -> Synced:
        side, result = self.side, self.result
        for name in os.listdir(self.folder):  # what was begun by a process that was killed
            begun, _, number = name.partition(f"{side.self}.partial-")
            if not begun and number.isdigit() and not is_running(int(number)):
                os.unlink(os.path.join(self.folder, name))
        there = _files(self.folder)
        gone = [name for name, its in self.files.items() if its == MINE and name not in there]
        self._put(self.known)
        for name in sorted(_files(self.folder) - self.files.keys()):
            self._read(name)
        there = _files(self.folder)
        is_gone = any(self.files.get(name) == MINE for name in gone)  # and nobody put it elsewhere
        self.files = {name: its for name, its in self.files.items() if name in there}
        if self._is_stale():
            self._put_anew()
        elif is_gone:
            self._put(dict(NOWHERE))
        if self.is_copied:
            side.take_another_name()
        result.received, result.forgotten = side.taken["acts"], side.taken["forgotten"]
        result.refused = {**side.refused, **result.refused}
        result.ahead = dict(side.held_back)
        return result

    def _note(self) -> None:
        taken = json.dumps({**self.files, CLEANED: self.cleaned})
        self.side.note(self.place, self.sight, self.known, label=self.folder, taken=taken)

    def _read(self, name: str) -> None:
        side = self.side
        try:
            proof = _proof(self.folder, name, self.cipher)
        except FileNotFoundError:
            return  # somebody has just joined it with another
        except (OSError, Misshapen) as fault:
            is_link = os.path.islink(os.path.join(self.folder, name))
            told = "it is a link" if is_link else getattr(fault, "strerror", None) or fault
            self.result.refused[f"{name}: {told}"] = 1
            self.result.waiting = True
            return
        refused, is_all = len(side.refused), True
        for batch in _batches(self.folder, name, self.cipher, side.refused):
            is_all = side.take_in(batch, name.partition(".")[0]) and is_all
        self.is_copied = self.is_copied or name.startswith(f"{side.self}.")
        for other in proof["instead"]:
            if other in self.files:
                self.files[other] = READ  # it may go
        if is_all:
            self.files[name] = READ if len(side.refused) == refused else HALF_READ
            heads = side.unless_more_came(self.known)
            if heads is not None:
                self.known, side.arrived, side.told = heads, 0, 0
            self._note()

    def _put(self, known: Upto) -> None:
        """Write what is new since a place into a file, joined with small ones of one's own, which then go."""
        with _Writer(self.folder, self.side.self, self.cipher) as writer:
            upto = self._written(writer, known)
            if writer.count:
                self._done(writer, self._joined(writer))
        if upto != self.known:
            self.known = upto
            self._note()

    def _put_anew(self) -> None:
        """Write all that is known here and now, in the place of all that lay there and is known here."""
        # Whose door is whole has all that a file of others holds which was read.
        free = (MINE, READ) if self.side.door.is_whole else (MINE,)
        instead = [name for name, its in self.files.items() if its in free]
        with _Writer(self.folder, self.side.self, self.cipher) as writer:
            sent = self.result.sent
            self.known = self._written(writer, dict(NOWHERE))
            self.result.sent = sent
            if writer.count:
                self._done(writer, instead)
        self.cleaned = self.known["receipts"]
        self._note()

    def _written(self, writer: _Writer, known: Upto) -> Upto:
        while True:
            batch, upto = self.side.batch(known, None, self.side.door)
            if upto == known:
                return known
            writer.add(batch)
            self.result.sent += len(batch["acts"])
            known = upto

    def _done(self, writer: _Writer, instead: list[str]) -> None:
        """Put the new file in its place, note that it is there, and only then take away those that it replaces."""
        name = writer.done(instead)
        self.files[name] = MINE
        self._note()
        for other in instead:
            if other != name:
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self.folder, other))
                self.files.pop(other, None)

    def _joined(self, writer: _Writer) -> list[str]:
        """Take over own files that are not much larger than what is written: a thousand visits leave a few."""
        sizes = []
        for name, its in self.files.items():
            if its == MINE and name.startswith(f"{self.side.self}."):
                with suppress(FileNotFoundError):
                    sizes.append((os.stat(os.path.join(self.folder, name)).st_size, name))
        joined = []
        for size, name in sorted(sizes):
            if size > 2 * writer.size:
                break
            for batch in _batches(self.folder, name, self.cipher.reading(name), {}):
                writer.add(batch)
            joined.append(name)
        return joined

    def _is_stale(self) -> bool:
        """Tell whether something there tells of what was forgotten since the last look, or lies in the open."""
        mine = (name for name, its in self.files.items() if its == MINE)
        if not all(name.endswith(self.cipher.ending) for name in mine):
            return True
        new = self.side.db.read("sync.receipts", {"after": self.cleaned, "size": 1 << 40})
        if not new:
            return False
        if any(row[4] != "[]" for row in new):
            return True  # words may stand anywhere
        uids = {row[1] for row in new}
        for name in self.files:
            for batch in _batches(self.folder, name, self.cipher.reading(name), {}):
                if any(uids & act["subjects"].keys() for act in batch["acts"]):
                    return True
        self.cleaned = new[-1][0]
        self._note()
        return False


def put_upto(side: Side, folder: str) -> Upto:
    """Tell how far the feeds of this file lie in a folder."""
    if not os.path.isfile(os.path.join(folder, NAME)):
        return dict(NOWHERE)
    return side.trusted(side.known(_name_of(folder), side.door.sight))


def _name_of(folder: str) -> str:
    path = os.path.join(folder, NAME)
    for _ in range(2):
        with suppress(FileNotFoundError):
            with plain_file(path, 100, follows=False) as file:
                name: str = file.read().decode("utf-8", "replace").strip()
            if re.fullmatch(r"dir_[0-9a-f]{1,40}", name):
                return name
            raise InvalidInput(
                f"{path} does not name a folder of acts: name another folder, or take that file away"
            )
        ours = re.compile(rf"{_FILE.pattern}|.*\.partial|{NAME}")
        if not all(map(ours.match, os.listdir(folder))):
            raise InvalidInput(
                f"{folder} holds other things: make an empty folder for the acts and name that"
            )
        with suppress(PermissionError):
            os.chmod(folder, 0o700)
        write_private(path, f"{new_uid('dir')}\n")
    raise InvalidInput(f"{path} cannot be read")


def _files(folder: str) -> set[str]:
    return {name for name in os.listdir(folder) if _FILE.match(name)}


def _private(path: str, flags: int) -> int:
    """Return a new file that only its owner reads, whatever the umask; what lies there is not written through."""
    with suppress(FileNotFoundError):
        os.unlink(path)
    return os.open(path, flags | os.O_EXCL, 0o600)


class _Writer:
    """One file while it is written: a line for each act and receipt, and a last one that proves the others."""

    def __init__(self, folder: str, origin: str, cipher: Cipher) -> None:
        self.folder = folder
        self.origin = origin
        self.cipher = cipher
        self.count = self.size = 0
        self._digest = sha256()
        self._seen: set[bytes] = set()
        self._partial = os.path.join(folder, f"{origin}.partial-{os.getpid()}")
        self._file: Any = None

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            with suppress(FileNotFoundError):
                os.unlink(self._partial)

    def add(self, batch: Message) -> None:
        """Add what a batch says, each thing once."""
        for row in [*({"receipt": one} for one in batch["receipts"]), *batch["acts"]]:
            told = json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")
            name = sha256(told).digest()
            if name in self._seen:
                continue
            self._seen.add(name)
            line = self.cipher.closed(told) + b"\n"
            if self._file is None:
                self._file = open(self._partial, "wb", opener=_private)  # noqa: SIM115
            self._file.write(line)
            self._digest.update(line)
            self.count += 1
            self.size += len(line)

    def done(self, instead: list[str]) -> str:
        """Put it in its place; returns its name. `instead` names files whose acts are in it."""
        proof = {"end": self.count, "sha256": self._digest.hexdigest(), "instead": instead}
        self._file.write(self.cipher.closed(json.dumps(proof).encode()) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        name = f"{self.origin}.{self._digest.hexdigest()[:16]}.{self.cipher.ending}"
        os.replace(self._partial, os.path.join(self.folder, name))
        return str(name)


def _lines(folder: str, name: str) -> Iterator[bytes]:
    with plain_file(os.path.join(folder, name), LARGEST, follows=False) as file:
        while line := file.readline(LONGEST + 1):
            if len(line) > LONGEST:
                raise Misshapen("it has an endless line")
            yield line


def _proof(folder: str, name: str, cipher: Cipher) -> dict[str, Any]:
    if not name.endswith(f".{cipher.ending}"):
        raise Misshapen(cipher.why_not)
    digest, last = sha256(), b""
    for line in _lines(folder, name):
        digest.update(last)
        last = line
    proof = well_formed.parsed(cipher.opened(last.rstrip(b"\n"))) if last.endswith(b"\n") else None
    if not isinstance(proof, dict) or proof.get("sha256") != digest.hexdigest():
        raise Misshapen("it is not whole, or not yet")
    if not isinstance(proof.get("instead"), list):
        proof["instead"] = []
    return proof


def _batches(folder: str, name: str, cipher: Cipher, refused: dict[str, int]) -> Iterator[Message]:
    """Return what a file says, a part at a time; the proof was looked at before."""
    acts: list[Any] = []
    told: list[Any] = []
    try:
        for line in _lines(folder, name):
            try:
                said = well_formed.parsed(cipher.opened(line.rstrip(b"\n")))
            except Misshapen as fault:
                refused[f"a line of {name}: {fault}"] = 1
                continue
            if isinstance(said, dict) and "receipt" in said:
                told.append(said["receipt"])
            elif isinstance(said, dict) and "act" in said:
                acts.append(said)
            if len(acts) + len(told) >= AT_ONCE:
                yield {"acts": acts, "receipts": told}
                acts, told = [], []
    except FileNotFoundError:
        pass  # somebody joined it with another, which is read in its turn
    if acts or told:
        yield {"acts": acts, "receipts": told}
