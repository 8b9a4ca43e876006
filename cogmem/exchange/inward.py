"""JSON lines become rows again: all of them in one transaction, or none.

There are two ways in, and the lines do not choose between them by what they say of themselves. *As it is*: every
row with its state, counters, source and numbers; taken for a whole export of everything that comes into a memory
where nothing was ever kept (a restore), or where a person asks for it (`as_is=True`). *Guarded*: what anyone may
have written. Memories go through the guard's import policy and wait as candidates; settings, rules and sessions
stay out.

The last line is a checksum and no signature: it tells a torn file from a whole one, and cannot tell whose it is. So
a restore also looks at every text and says what the guard would have cut. What is here already stays as it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import contextmanager

from cogmem.errors import CogmemError, InvalidInput, TooNew
from cogmem.exchange import form
from cogmem.exchange.intake import BULK, Imported, Intake
from cogmem.file.making import SCHEMA_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import IO, Any

    from cogmem.exchange.form import Row
    from cogmem.store.store import Store

    Source = str | os.PathLike[str] | Iterable[str | bytes]

FAULTS_SHOWN = 5
LINE_LIMIT = 256 << 20  # bytes; an archived segment is one line
_MARK = b"\xef\xbb\xbf"  # that some editors put at the start of a file


class _TakeBack(CogmemError):
    """Ends a transaction that is not to be kept."""


def import_lines(
    store: Store,
    source: Source,
    *,
    now: int,
    as_is: bool | None = None,
    keep_good: bool = False,
    dry_run: bool = False,
    owner: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Imported:
    """Store exported or hand-written lines, from a path or as they come. `as_is` None decides as told above; `owner`
    moves everything into one scope; `progress` hears how many lines of how many were read."""
    with _readable_twice(source) as file:
        survey = _Survey(file)
        if survey.is_torn and not keep_good:
            raise InvalidInput(
                "this export is not whole: its last line is missing or does not fit, so lines were lost "
                "or changed, and nothing was stored. Use --keep-good to take what is there"
            )
        intake = Intake(store, survey.header, survey.count, owner or {}, now)

        def body(connection: Any) -> None:
            intake.begin(connection, as_is, survey.is_whole)
            for number, line in survey.lines():
                intake.take(number, line)
                if progress and number % 500 == 0:
                    progress(number, survey.count)
            intake.finish()
            if dry_run or (intake.result.bad and not keep_good):
                raise _TakeBack

        try:
            store.db.transact(body)
        except _TakeBack:
            intake.result.act = None
        if survey.count > BULK:
            store.db.shrink()
    result = intake.result
    result.is_dry_run = dry_run
    if result.bad and not keep_good and not dry_run:
        raise InvalidInput(_refusal(result))
    return result


def _refusal(result: Imported) -> str:
    shown = result.bad[:FAULTS_SHOWN]
    said = "; ".join(f"line {fault.line}: {fault.reason}" for fault in shown)
    count = len(result.bad)
    return (
        f"{count} of {result.lines} lines cannot be imported, so nothing was stored: {said}"
        f"{'; …' if count > FAULTS_SHOWN else ''}. "
        "Mend them, or use --keep-good to store the others"
    )


@contextmanager
def _readable_twice(source: Source) -> Iterator[IO[bytes]]:
    """Open the source as a file; what comes as a stream is put into a temporary one."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        try:
            with open(path, "rb") as file:
                yield file
        except IsADirectoryError:
            raise InvalidInput(f"{path} is a folder: name the file to import") from None
        except OSError as error:
            if error.filename != source:
                raise
            raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
        return
    with tempfile.TemporaryFile() as spool:
        for line in source:
            data = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
            spool.write(data if data.endswith(b"\n") else data + b"\n")
        yield spool


class _Survey:
    """A first reading: is it an export, is it whole, and is it all of a memory?"""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.header: Row = {}
        digest, last = hashlib.sha256(), b""
        self.count = 0
        for number, line in self.lines():
            digest.update(last)
            self.count, last = number - 1, line
            if number == 1:
                self.header = _header(line)
        proof = {"end": self.count, "sha256": digest.hexdigest()}
        self.is_torn = bool(self.header) and _object(last) != proof
        everything = self.header.get("scope") == "everything"
        self.is_whole = bool(self.header) and not self.is_torn and everything

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines with their numbers, from the start."""
        self._file.seek(0)
        for number, line in enumerate(iter(lambda: self._file.readline(LINE_LIMIT), b""), 1):
            if len(line) == LINE_LIMIT:
                raise InvalidInput(f"line {number} is longer than {LINE_LIMIT >> 20} MiB")
            yield number, line.removeprefix(_MARK) if number == 1 else line


def _object(line: bytes) -> Row:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _header(line: bytes) -> Row:
    found = _object(line)
    if "cogmem" not in found:
        return {}
    version, schema = found["cogmem"], found.get("schema")
    if version == form.FORMAT and schema is None:
        raise InvalidInput(
            'the first line of an export names its schema: {"cogmem": 1, "schema": 1}'
        )
    if version != form.FORMAT or not isinstance(schema, int):
        raise TooNew(
            f"this export has form {version!r}, and {form.FORMAT} is known: upgrade cogmem"
        )
    if schema > SCHEMA_VERSION:
        raise TooNew(
            f"this export was made with schema {schema}, and this cogmem knows {SCHEMA_VERSION}: "
            "upgrade cogmem"
        )
    return found
