"""A stretch of archived messages as the text that is packed: a line of JSON for each, its parts as they stood."""

from __future__ import annotations

import json

from cogmem.errors import Damaged
from cogmem.file.packed import packed, unpacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from cogmem.file.db import Database


def body_of(rows: Iterable[tuple[Any, ...]]) -> bytes:
    """Return the body of a segment from rows (id, seq, version, role, speaker, at, parts)."""
    return packed("".join(map(_segment_line, rows)))


def parts_in_segments(db: Database, segments: Iterable[int]) -> dict[int, str]:
    """Return the stored parts of all messages in some segments, by message id."""
    return {
        number: parts for segment in sorted(segments) for number, parts in entries_of(db, segment)
    }


def _segment_line(row: tuple[Any, ...]) -> str:
    *told, parts = row
    head = dict(zip(("id", "seq", "version", "role", "speaker", "at"), told, strict=True))
    text = json.dumps(head, ensure_ascii=False)[:-1]
    if "\n" in parts:  # between the values of parts that another client wrote
        return f"{text}, {json.dumps({'text': parts})[1:]}\n"
    return f'{text}, "parts": {parts}}}\n'


def entries_of(db: Database, segment: int) -> Iterator[tuple[int, str]]:
    """Yield the messages of a segment: id and stored parts."""
    rows = db.read("conversation.segment_body", {"id": segment})
    try:
        for text in unpacked(rows[0][0]).split("\n"):
            head, mark, parts = text.partition(', "parts": ')
            if mark:
                yield int(head[7 : head.index(",")]), parts[:-1]
            elif text:
                entry = json.loads(text)
                yield entry["id"], entry["text"]
    except (LookupError, TypeError, ValueError) as error:
        raise Damaged(
            f"segment {segment} cannot be read ({type(error).__name__}): run `cogmem doctor`"
        ) from error
