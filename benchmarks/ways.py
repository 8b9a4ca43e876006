"""The ways that calls take through the house: which modules a turn and learn() pass, and how many calls that is.

    python benchmarks/ways.py [--checkout DIR] [--show] [--write]

Each is walked twice before it is counted, so that nothing is loaded on it: a turn over forty memories, a turn where
two hundred messages are recorded too, one with a prompt of three sentences, and learn() of a statement. A call is one
of a function of cogmem, as the interpreter sees it; a module counts if it has one; statements are those that reach
SQLite. --show lists the modules of each way with their calls; --checkout walks another checkout. The counts do not
depend on the machine; results/ways.json keeps those of the last run that was written.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "ways.json"
NOW = 1_800_000_000_000
BIRDS = ("heron", "stork", "ibis", "crane")
PLACES = (
    "staging",
    "production",
    "billing",
    "search",
    "mail",
    "report",
    "image",
    "audit",
    "login",
    "cache",
)
LONG = (
    "We moved the report job to the new machine yesterday and since then it stops half way. Which port does the"
    " staging server of the heron project listen on? Please look at the log first, then tell me what to change."
)


class Walk:
    """What is called while it is on: functions of cogmem by their module, and statements."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.statements = 0

    def __enter__(self) -> Walk:
        sys.setprofile(self._notice)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _notice(self, frame: Any, event: str, what: Any) -> None:
        if event == "call":
            name = frame.f_globals.get("__name__", "")
            if name.startswith("cogmem."):
                self.calls[name] += 1
        elif event == "c_call" and getattr(what, "__name__", "") in ("execute", "executemany"):
            self.statements += 1


def walked(walk: Callable[[int], object]) -> dict[str, Any]:
    """Walk three times and count the last."""
    for number in range(2):
        walk(number)
    with Walk() as way:
        walk(2)
    return {
        "modules": len(way.calls),
        "calls": way.calls.total(),
        "sql": way.statements,
        "of": dict(way.calls.most_common()),
    }


def ways(folder: str) -> dict[str, dict[str, Any]]:
    """All ways, over a memory of this checkout's own making."""
    import cogmem

    found = {}
    with cogmem.open(os.path.join(folder, "ways.db")) as mem:
        for number, place in enumerate(PLACES):
            for bird in BIRDS:
                mem.learn(
                    f"The {place} server of the {bird} project listens on port {8000 + number}.",
                    now=NOW,
                )
        asks = [
            f"Which port does the {place} server of the heron project listen on?"
            for place in PLACES
        ]
        found["turn over memories"] = walked(
            lambda number: mem.activate(asks[number], session="one", now=NOW + number)
        )
        found["learn"] = walked(
            lambda number: mem.learn(
                f"The {PLACES[number]} server of the ibis project is called lynx.", now=NOW + 9
            )
        )
        talk = mem.conversation("talk")
        for number in range(100):
            place, bird = PLACES[number % 10], BIRDS[number % 4]
            talk.append(
                "user",
                f"How often is the {bird} copied to the {place} disk, {number}?",
                at=NOW + number,
            )
            talk.append(
                "assistant",
                f"The {bird} goes to the {place} disk {number} times a day.",
                at=NOW + number,
            )
        asks = [f"How often is the crane copied to the {place} disk?" for place in PLACES]
        found["turn where talk is recorded"] = walked(
            lambda number: mem.activate(asks[number], session="two", now=NOW + 999 + number)
        )
        found["turn of several sentences"] = walked(
            lambda number: mem.activate(LONG, session=f"of {number}", now=NOW + 1999 + number)
        )
    return found


def main() -> None:
    """Print the ways, beside those of the last run that was kept."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--checkout", help="walk those of another checkout")
    options.add_argument("--show", action="store_true", help="list the modules of each way")
    options.add_argument("--write", action="store_true", help="keep this run in results/ways.json")
    options.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.checkout:
        place = str(Path(given.checkout).resolve())
        command = [sys.executable, __file__, "--json"]
        done = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": place},
            capture_output=True,
            text=True,
            check=True,
        )
        found = json.loads(done.stdout)
    else:
        with tempfile.TemporaryDirectory() as folder:
            found = ways(folder)
    if given.json:
        print(json.dumps(found))
        return
    before = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for name, way in found.items():
        was = before.get(name, {})
        told = f"  ({was['modules']}, {was['calls']}, {was['sql']})" if was else ""
        print(
            f"{name:30} {way['modules']:3} modules {way['calls']:6} calls {way['sql']:4} statements{told}"
        )
        if given.show:
            for module, calls in way["of"].items():
                print(f"    {calls:6} {module}")
    if given.write:
        kept = {
            name: {part: way[part] for part in ("modules", "calls", "sql")}
            for name, way in found.items()
        }
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
