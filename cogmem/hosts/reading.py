"""Old transcripts, made ready for the record: here, or in another process while this one writes.

Reading JSON and looking for secrets takes two thirds of the time that a backfill takes, and needs no database. The
other process reads the transcripts that it is told, one after another, and sends what it made of them, a piece at a
time; it waits when nobody takes them, so no pile of them stands in memory. It ends with the one who started it.
One is enough: more would leave a person who works meanwhile no core, and hold as much memory each.

Of what was said all is kept. Of what tools were given and what they answered the head and the tail are: it is most
of a transcript, and what was decided in a session stands elsewhere.
"""

from __future__ import annotations

import json
import marshal
import os
import subprocess
import sys
import time
from contextlib import suppress

from cogmem.conversation.record import ready
from cogmem.hosts import transcript
from cogmem.hosts.host import decoded, find, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from queue import Queue
    from typing import Any

    # A job's number, and some of its messages; none: it is read to its end; a text: why it cannot be read.
    Piece = tuple[int, list[dict[str, Any]] | str | None]
    Job = tuple[
        str, str, int
    ]  # a host, its transcript, and how many of its messages the record has

KEPT = 1_000  # characters of what a tool was given, and of what it answered
AT_ONCE = 1 << 18  # characters of messages that go to the writer together
IN_HAND = 32  # pieces that wait for the writer
WHOLE = 32 << 20  # bytes; a longer file that is one document is not read
LONGEST = 16 << 20  # characters; a longer line holds pictures or a whole disk, and is passed over
ENDED = "the process that read it has ended: run the same again"
WORTH_IT = 8_000_000  # bytes from which the other process is started


def pieces(jobs: Sequence[Job], size: int) -> Iterator[Piece]:
    """Yield the messages of all jobs, each made ready from the last that the record has."""
    if size >= WORTH_IT and (os.cpu_count() or 1) > 1:
        yield from _from_process(jobs)
        return
    now = time.time_ns() // 1_000_000
    for number, job in enumerate(jobs):
        yield from _made(number, job, now)


def _made(number: int, job: Job, now: int) -> Iterator[Piece]:
    host, path, held = job
    piece: list[dict[str, Any]] = []
    size = 0
    try:
        said = transcript.entries(lines(host, path), now, shorten=shortened)
        for place, entry in enumerate(said):
            if place < held - 1:
                continue
            message = ready(entry)
            piece.append(message)
            size += len(message["parts"])
            if size > AT_ONCE:
                yield number, piece
                piece, size = [], 0
    except OSError as error:
        yield number, str(error)
        return
    if piece:
        yield number, piece
    yield number, None


def shortened(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part with the head and the tail of what a tool was given or answered."""
    if part["type"] == "tool_call":
        return {**part, "arguments": _short(part.get("arguments"))}
    return transcript.shortened(part, KEPT)


def _short(value: Any) -> Any:
    if isinstance(value, str):
        return transcript.cut(value, KEPT)
    if isinstance(value, dict):
        return {name: _short(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_short(one) for one in value]
    return value


def lines(host: str, path: str) -> Iterator[dict[str, Any]]:
    """Return the lines of a session, wherever its host keeps it."""
    return find(host).lines(path, _objects(path))


def _objects(path: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a transcript, line by line; of a file that is one document, its messages."""
    with open(path, encoding="utf-8", errors="replace") as file:
        first = file.readline(LONGEST)
        if isinstance(decoded(first), dict) and not path.endswith(".json"):
            file.seek(0)
            is_rest = False  # of a line that is too long
            while line := file.readline(LONGEST):
                is_whole = line.endswith("\n") or len(line) < LONGEST
                found = decoded(line) if is_whole and not is_rest else None
                is_rest = not is_whole
                if isinstance(found, dict):
                    yield found
            return
        if os.path.getsize(path) <= WHOLE:
            file.seek(0)
            yield from objects(file.read())


# -- the other process ---------------------------------------------------------------------------


def _from_process(jobs: Sequence[Job]) -> Iterator[Piece]:
    from queue import Empty, Queue
    from threading import Thread

    made: Queue[Piece | None] = Queue(IN_HAND)
    words = [sys.executable, "-P", "-X", "utf8", "-m", "cogmem.hosts.reading"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        thread = Thread(target=_fetch, args=(reader, jobs, made), daemon=True)
        thread.start()
        try:
            while piece := made.get():
                yield piece
        finally:
            reader.kill()
            while thread.is_alive():  # it may wait for room
                with suppress(Empty):
                    made.get(timeout=0.1)


def _fetch(reader: subprocess.Popen[bytes], jobs: Sequence[Job], made: Queue[Piece | None]) -> None:
    """Give the process the transcripts, and pass on what it makes of them."""
    assert reader.stdin
    assert reader.stdout
    number = 0
    try:
        with suppress(OSError), reader.stdin as asked:
            asked.write(json.dumps(jobs).encode())
        while number < len(jobs):
            piece: Piece = marshal.load(reader.stdout)
            made.put(piece)
            number += not isinstance(piece[1], list)
    except EOFError:
        made.put((number, ENDED))
    finally:
        made.put(None)


def main() -> None:
    """Read the transcripts that come in as JSON, as fast as somebody takes what they hold."""
    now = time.time_ns() // 1_000_000
    try:
        for number, job in enumerate(json.loads(sys.stdin.read() or "[]")):
            for piece in _made(number, job, now):
                marshal.dump(piece, sys.stdout.buffer)
                sys.stdout.flush()
    except (BrokenPipeError, KeyboardInterrupt):  # the writer is gone, or going
        os._exit(0)


if __name__ == "__main__":
    main()
