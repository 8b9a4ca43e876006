"""The log of hooks: a host never suffers from its memory, so what goes wrong is told here and nowhere else."""

from __future__ import annotations

import os
import time

from cogmem.file.places import beside

LOG_LIMIT = 256 << 10  # bytes; then the log becomes hook.log.1 and begins anew


def log(place: str, kind: str, error: BaseException) -> None:
    """Write one line on what went wrong: names and places in the code, nothing of what was said."""
    try:
        from cogmem.errors import DatabaseProblem

        where = ""
        trace = error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            where = f"{os.path.basename(code.co_filename)}:{trace.tb_lineno}"
            trace = trace.tb_next
        # Other messages may quote what a person wrote; these speak of the file only.
        said = str(error) if isinstance(error, (DatabaseProblem, TimeoutError)) else ""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        text = " ".join(f"{stamp} {kind} {type(error).__name__} {where} {said}".split())
        file = log_file(place)
        if os.path.exists(file) and os.path.getsize(file) > LOG_LIMIT:
            os.replace(file, f"{file}.1")
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        handle = os.open(file, flags, 0o600)
        try:
            os.write(handle, f"{text[:500]}\n".encode("utf-8", "replace"))
        finally:
            os.close(handle)
    except BaseException as fault:  # without a place for the log there is nobody to tell
        del fault


def log_file(place: str) -> str:
    """Return where the faults of hooks are told: beside the database."""
    folder = os.path.dirname(beside(place)) if place else os.path.expanduser("~")
    return os.path.join(folder, "hook.log")
