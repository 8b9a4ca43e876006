"""What must not fall: every figure of a release, compared with the kept one and its noise.

    python benchmarks/release_gate.py --data DIR [--write]

The parts of the scoreboard of work for cogmem alone, what is kept of real work and where it stands, evidence and
silence in conversations, and the time of a turn by that of plain FTS5 in the same run. A figure is worse (or better)
where it lies outside the interval that holds 95 of 100 redrawn samples of the kept run; times where they moved by a
fifth. Prints what is worse first and ends with 1 if anything is: a change that trades one for another says so in
CHANGELOG.md, and keeps the new figures with --write.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import work
import work_acts
from scoreboard_work import measure, parts_of
from work_parts import talked

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "release.json"
NOISE = 0.2  # of a time
KEPT = {"good": True, "strong_active": True, "then_always": True, "pastes_and_secrets": False}
Figures = dict[str, Any]  # a name: value, low, high, and whether more is better


def of_parts(folder: Path) -> Iterator[tuple[str, Any]]:
    """Every share of every part, and how long a turn takes beside FTS5."""
    talks = [
        part
        for sets, title in (("locomo", "People"), ("beam", "Assistant"), ("friendsqa", "Friends"))
        for part in list(talked(folder, sets, title, idle=True))[:2]
    ]
    for part in [*parts_of(folder), *talks]:
        own, plain = measure("cogmem", part), measure("fts5", part)
        for what, (value, low, high) in own["shares"].items():
            yield f"{part.name}: {what}", [value, low, high, part.goals[what]]
        yield f"{part.name}: tokens", [own["tokens"], 0.8 * own["tokens"], 1.2 * own["tokens"], False]  # fmt: skip
        ratio = round(own["ms"] / max(plain["ms"], 0.01), 2)
        noise = [(1 - NOISE) * ratio, (1 + NOISE) * ratio]
        yield f"{part.name}: ms by FTS5's", [ratio, *noise, False]
    for what, (value, low, high) in work_acts.run()["systems"]["cogmem"]["shares"].items():
        yield f"acts: {what}", [value, low, high, what != "false alarms"]


def of_hearing(folder: Path) -> Iterator[tuple[str, Any]]:
    """What was kept of real work; the noise is that of a share of so many."""
    for name, data in work.sets(folder, None):
        with tempfile.TemporaryDirectory() as place:
            replay = work.Replay(name, data, place, argparse.Namespace(no_nights=False, notes=""))
            replay.run()
            kept = replay.figures()["hearing"]
            replay.mem.close()
        counts = {"good": kept["active"], "strong_active": 60, "then_always": kept["said_thrice"]}
        for what, more in KEPT.items():
            value = kept[what] or 0.0
            share = min(max(value / 100, 0.05), 0.95)
            noise = 196 * sqrt(share * (1 - share) / max(1, counts[what])) if what in counts else 0
            yield f"{name}: {what}", [value, value - noise, value + noise, more]


def compared(now: Figures, kept: Figures) -> list[tuple[str, str, float, float | None]]:
    """Each figure with its verdict; what is worse first."""
    rows = []
    for name, (value, _, _, more) in now.items():
        if name not in kept:
            rows.append(("new", name, value, None))
            continue
        before, low, high, _ = kept[name]
        inside = low <= value <= high
        verdict = "same" if inside else "better" if (value > high) == more else "worse"
        rows.append((verdict, name, value, before))
    rows += [("gone", name, 0.0, value[0]) for name, value in kept.items() if name not in now]
    order = ("worse", "gone", "better", "new", "same")
    return sorted(rows, key=lambda row: order.index(row[0]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=None, help="the folder with the data sets")
    parser.add_argument("--write", action="store_true", help="keep the figures")
    options = parser.parse_args()
    if options.data is None or not any(options.data.glob("realwork-*.json.gz")):
        print("release-gate: skipped, DATA=dir names no folder with realwork-*.json.gz")
        return 0
    now = dict(of_parts(options.data)) | dict(of_hearing(options.data))
    kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    rows = compared(now, kept)
    for verdict, name, value, before in rows:
        print(f"{verdict:7} {name:60} {value:8g}  {'' if before is None else f'was {before:g}'}")
    if options.write:
        RESULTS.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    return int(any(row[0] in ("worse", "gone") for row in rows))


if __name__ == "__main__":
    sys.exit(main())
