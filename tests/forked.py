"""The program `cogmem` as tests call it: each call is a process of its own, forked from one that has loaded
everything.

To start Python and load the command line takes longer than most commands. What begins with the process itself (hooks,
servers, what loads what) is tried with the true program; so is README.
"""

from __future__ import annotations

import gc
import importlib
import marshal
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
# What a call does: hand over its words, surroundings and streams, and end as the process did that ran it.
CALL = """\
import marshal, os, sys
from _socket import AF_UNIX, SCM_RIGHTS, SOCK_STREAM, SOL_SOCKET, socket
line = socket(AF_UNIX, SOCK_STREAM)
line.connect({place!r})
told = marshal.dumps((sys.argv[1:], os.getcwd(), dict(os.environ)))
streams = b"".join(one.to_bytes(4, sys.byteorder) for one in (0, 1, 2))
line.sendmsg([len(told).to_bytes(4, "big")], [(SOL_SOCKET, SCM_RIGHTS, streams)])
line.sendall(told)
ended = line.recv(1)
os._exit(ended[0] if ended else 70)
"""
WARM = (
    *("cli", "conversation", "documents", "file", "guard", "hear", "language", "learn", "night"),
    *("repository", "search", "store", "text", "tokens", "turn", "verbs"),
)


def program(folder: Path) -> Iterator[Path]:
    """Yield the program in a folder; `program -c TEXT` runs Python."""
    place, call, made = folder / "line", folder / "call.py", folder / "cogmem"
    call.write_text(CALL.format(place=str(place)))
    made.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{call}" "$@"\n')
    made.chmod(0o755)
    words = [sys.executable, __file__, str(place)]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, env={**os.environ, "PYTHONPATH": paths}
    ) as serving:
        while not place.exists():
            assert serving.poll() is None, "the process that calls are forked from has ended"
            time.sleep(0.02)
        yield made
        serving.kill()


def serve(place: str) -> None:
    """Load everything, then fork for each call."""
    import new_file

    import cogmem

    for room in WARM:
        for found in pkgutil.iter_modules([str(ROOT / "cogmem" / room)]):
            with suppress(ImportError):  # what needs an extra
                importlib.import_module(f"cogmem.{room}.{found.name}")
    new_file.copy_it()
    with tempfile.TemporaryDirectory() as folder, cogmem.open(f"{folder}/first.db") as mem:
        mem.learn("What is loaded at the first call need not be loaded again.")
        mem.activate("What need not be loaded again?")
    gc.collect()
    gc.freeze()
    line = socket.socket(socket.AF_UNIX)
    line.bind(f"{place}.new")
    line.listen(64)
    os.rename(f"{place}.new", place)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while sys.stdin not in select.select([line, sys.stdin], [], [])[0]:  # it ends with the tests
        asking, _ = line.accept()
        if os.fork() == 0:
            line.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _answer(asking)
        asking.close()


def _answer(asking: socket.socket) -> None:
    """Be the process that was asked for."""
    size, streams, *_ = socket.recv_fds(asking, 4, 3)
    wanted, told = int.from_bytes(size, "big"), b""
    while len(told) < wanted:
        told += asking.recv(wanted - len(told))
    words, folder, surroundings = marshal.loads(told)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = (
        os.fdopen(one, how, closefd=False) for one, how in ((0, "r"), (1, "w"))
    )
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace", buffering=1, closefd=False)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(surroundings)
    sys.argv = ["cogmem", *words]
    sys.path[:0] = [one for one in surroundings.get("PYTHONPATH", "").split(os.pathsep) if one]
    code = 0
    try:
        if words[:1] == ["-c"]:
            exec(compile(words[1], "<string>", "exec"), {"__name__": "__main__"})
        else:
            from cogmem.__main__ import main

            main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    for told_to in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            told_to.flush()
    asking.send(bytes([code & 255]))
    os._exit(code & 255)


if __name__ == "__main__":
    serve(sys.argv[1])
