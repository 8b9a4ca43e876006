"""Text as gzip, the same bytes for the same text, and back with a bound.

A few kilobytes of gzip can unfold to gigabytes, and an archive may have come with a stranger's
export: whoever unpacks says stop before the machine's memory is full.
"""

from __future__ import annotations

import gzip
import zlib

MOST = 256 << 20  # bytes of one unpacked text; what cogmem packs itself is far below


def packed(text: str) -> bytes:
    """Return the text as one gzip member, without a time in it."""
    return gzip.compress(text.encode(), 6, mtime=0)


def unpacked(body: bytes) -> str:
    """Return the text of one gzip member; a ValueError says what is wrong with it."""
    stream = zlib.decompressobj(wbits=31)
    try:
        data = stream.decompress(body, MOST + 1)
    except zlib.error as error:
        raise ValueError(f"it is not gzip: {error}") from None
    if len(data) > MOST:
        raise ValueError(f"it unpacks to more than {MOST >> 20} MiB")
    if not stream.eof or stream.unused_data:
        raise ValueError("it is cut off, or something follows it")
    return data.decode()
