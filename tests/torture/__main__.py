"""The command line of the long runs: what it prints is what docs/reliability.md quotes."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"


def main() -> int:
    from cogmem.file import db, sql

    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("part", choices=["kill", "disk", "power", "crowd", "simulate", "apart"])
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--seconds", type=float, default=1_500)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--histories", type=int, default=1_000)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--drivers", default="apsw,sqlite3")
    parser.add_argument("--folder", help="keep the files here")
    parser.add_argument(
        "--write", action="store_true", help="keep the figures in benchmarks/results"
    )
    options = parser.parse_args()
    print(f"torture {options.part} --seed {options.seed}", flush=True)
    drivers = tuple(options.drivers.split(","))
    sql.statement("store.by_uid")  # what children need is loaded before they are made
    db.MANY = 7  # few live for a hundred commits: the logs of these too shall grow
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        figures: dict[str, Any]
        if options.part == "kill":
            from . import kill

            figures = kill.main(
                folder,
                seed=options.seed,
                kills=options.kills,
                seconds=options.seconds,
                drivers=drivers,
            )
        elif options.part == "crowd":
            from . import crowd

            figures = crowd.main(
                folder, seed=options.seed, processes=options.processes, seconds=options.seconds
            )
        elif options.part == "apart":
            from . import apart

            figures = apart.main(
                folder, seed=options.seed, histories=options.histories, seconds=options.seconds
            )
        elif options.part == "simulate":
            from . import simulate

            figures = simulate.main(
                folder, seed=options.seed, steps=options.steps, seconds=options.seconds
            )
        else:
            from . import disk

            figures = disk.main(folder, options.part, seed=options.seed, seconds=options.seconds)
    if options.write:
        keep(options.part, figures)
    return 1 if figures["faults"] else 0


def keep(part: str, figures: dict[str, Any]) -> None:
    name = "concurrency" if part == "crowd" else "torture"
    file = RESULTS / f"{name}.json"
    told = json.loads(file.read_text()) if file.exists() else {}
    told["machine"] = (
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    )
    told[part] = {"date": time.strftime("%Y-%m-%d", time.gmtime()), **figures}
    file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
