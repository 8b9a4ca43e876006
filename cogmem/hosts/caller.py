"""Asks the process that already has the memory open, before anything else is loaded.

Where there is one, it answers in the time that Python needs to start; `caller.c` does the same without Python,
where a compiler was at hand when cogmem was installed. Where there is none, or it is busy, of another version, or
dies over the event, the answer is None and the hook answers by itself.

    asked    cogmem-1 WORDS VARIABLES\\n, then so many of both, each ended by NUL, then the event
    said     A as soon as it begins, then N (answer by yourself) or eight hex digits and so many bytes

The socket lies in a folder that only this user may enter, under a number made from the file's path.
"""

from __future__ import annotations

import os

# The part of the environment that an answer depends on: who has another one is not answered for.
VARIABLES = ("COGMEM_", "HOME=", "TZ=", "XDG_DATA_HOME=", "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
BEGIN_S, ANSWER_S = 0.15, 20.0  # a resident that is busy for longer is not waited for
LONGEST = 100  # characters of a socket's path: the least that systems allow is 104


def is_possible() -> bool:
    """Tell whether this platform has such sockets, and processes that outlive who started them."""
    return hasattr(os, "posix_spawn") and hasattr(os, "geteuid")


def folder() -> str:
    """Return where the sockets of this user lie."""
    bases = (os.environ.get("XDG_RUNTIME_DIR", ""), os.environ.get("TMPDIR", ""))
    base = next((base for base in bases if base.startswith("/")), "/tmp")
    return f"{base}/cogmem-{os.geteuid()}"


def is_private(path: str) -> bool:
    """Tell whether a folder is this user's and nobody else may enter: another may listen elsewhere."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return (found.st_mode & 0o170077) == 0o040000 and found.st_uid == os.geteuid()


def socket_of(place: str) -> str:
    """Return where the resident of a file listens; '' where no path can be that long."""
    number = 14695981039346656037
    for sign in os.fsencode(os.path.realpath(place)):
        number = ((number ^ sign) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    path = f"{folder()}/{number:016x}"
    return path if len(os.fsencode(path)) < LONGEST else ""


def surroundings() -> list[bytes]:
    """Return the variables that count, as NAME=value."""
    told = (os.fsencode(f"{name}={value}") for name, value in os.environ.items())
    marks = tuple(map(str.encode, VARIABLES))
    return [one for one in told if one.startswith(marks)]


def ask(words: list[str], raw: bytes, place: str) -> bytes | None:
    """Return the resident's answer, whole, or None."""
    path = socket_of(place)
    if not path or not is_private(os.path.dirname(path)) or not os.path.exists(path):
        return None
    # The module in C: the one around it takes as long to load as all the rest.
    from _socket import AF_UNIX, SHUT_WR, SOCK_STREAM, socket

    line = socket(AF_UNIX, SOCK_STREAM)
    try:
        line.settimeout(BEGIN_S)
        line.connect(path)
        if line.recv(1) != b"A":
            return None
        line.settimeout(ANSWER_S)
        line.sendall(request(words, raw))
        line.shutdown(SHUT_WR)
        said = b""
        while piece := line.recv(1 << 16):
            said += piece
        return said[8:] if len(said) >= 8 and int(said[:8], 16) == len(said) - 8 else None
    except (OSError, ValueError):
        return None
    finally:
        line.close()


def request(words: list[str], raw: bytes) -> bytes:
    """Return what is asked."""
    named = [os.fsencode(word) for word in words]
    told = surroundings()
    head = b"cogmem-1 %d %d\n" % (len(named), len(told))
    return head + b"".join(one + b"\0" for one in (*named, *told)) + raw
