"""The peer's side: a process that fills its store and searches it, told by lines of JSON.

{"fill": [{"id", "text", "speaker", "at", "session"}, ...], "folder": "..."}
    -> {"version": "...", "seconds": 1.5}
{"ask": "a prompt", "limit": 60}
    -> {"texts": ["best", "next", ...], "seconds": 0.01}
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

Item = dict[str, Any]
Ask = Callable[[str, int], list[str]]  # a prompt and how many at most; texts, best first
Fill = Callable[[str, list[Item]], Ask]


def said(item: Item) -> str:
    """The text under which every peer keeps a message."""
    return f"{item['speaker']}: {item['text']}"


def extensible() -> None:
    """Put an SQLite that loads extensions in the place of one that was built without."""
    import sqlite3

    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        import pysqlite3

        sys.modules["sqlite3"] = pysqlite3


def serve(fill: Fill, distribution: str) -> None:
    """Answer until nothing more is asked. What a library prints goes to stderr.

    Libraries are imported, and servers started, before: only the work itself is timed.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    ask: Ask | None = None
    for line in sys.stdin:
        told = json.loads(line)
        started = time.perf_counter()
        if "fill" in told:
            ask = fill(told["folder"], told["fill"])
            answer: dict[str, Any] = {"version": version(distribution)}
        else:
            assert ask is not None, "fill comes before ask"
            texts = ask(told["ask"], told["limit"])
            answer = {"texts": texts, "seconds": time.perf_counter() - started}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
