"""A year of five users, day by day: what stays, what fades, what is promoted, what prompts get.

    python benchmarks/year.py [--days 365] [--svg docs/year.svg]

Every day each user learns a dozen things, takes turns and recalls what interests them: a few
memories often, most of them once or never (Zipf). Every night `nightly` runs. Planted among them are
*important* memories (policies, and facts that come up once in two months) and *junk* (facts that
nobody asks for again). At the end the important ones must be active and the old junk archived.
Results are JSON on stdout; the plot is plain SVG, written by this file.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

import cogmem
from cogmem.tokens import counting as tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

START = 1_800_000_000_000
DAY = 86_400_000
USERS = 5
LEARNED = 11  # memories that a user learns in a day, beside two episodes
TURNS = 4
TOPICS = ("billing", "migration", "search", "onboarding", "release", "latency", "exports", "mobile")
FADES = 287  # days after which a plain fact that was never used is below 0.1


class Year:
    """The simulated space."""

    def __init__(self, memory: cogmem.Memory, seed: int = 5) -> None:
        self.memory = memory
        self.draw = random.Random(seed)
        self.words = [
            "".join(self.draw.choices("bcdfglmnprstvz", k=1) + self.draw.choices("aeiou", k=1)) * 2
            + str(n)
            for n in range(4_000)
        ]
        self.uids: list[list[str]] = [[] for _ in range(USERS)]
        self.texts: list[list[str]] = [[] for _ in range(USERS)]
        self.important: list[str] = []
        self.rare: list[str] = []
        self.junk: dict[str, int] = {}
        self.count = 0

    def remember(self, user: int, content: str, kind: str, at: int, **columns: Any) -> str:
        """A row as the write path would store it, without its search for look-alikes."""
        self.count += 1
        layer = self.memory.store.kinds.all()[kind].layer
        row = {
            "uid": f"mem_{self.count:016x}",
            "layer": layer,
            "kind": kind,
            "key": "",
            "content": content,
            "tags": "[]",
            "runtime": "",
            "user": f"u{user}",
            "project": "",
            "session": "",
            "path_glob": "",
            "priority": 1,
            "source": "observed",
            "trust": 0.85,
            "polarity": 1,
            "state": "active",
            "reinforcement_count": 1,
            "access_count": 0,
            "data": "{}",
            "created_at": at,
            "updated_at": at,
            "reinforced_at": at,
            "accessed_at": None,
            "expires_at": None,
            "archived_at": None,
            "archive_reason": "",
            **self.memory.store.written_form(layer, "", content, {}),
            **columns,
        }
        steps: list[tuple[str, dict[str, Any]]] = [("store.insert_memory", row)]
        if layer == "episodic":
            told = {
                "outcome": "success",
                "happened_at": at,
                "session_name": f"d{at // DAY}",
                "turns": 0,
                "form": "event",
            }
            steps.append(("store.set_episode", {**told, "uid": row["uid"]}))
        self.memory.db.write(steps, verb="learn", at=at)
        return str(row["uid"])

    def sentence(self) -> str:
        return " ".join(self.draw.choices(self.words, k=9)) + f" {self.count}"

    def plant(self) -> None:
        for user in range(USERS):
            for number in range(5):
                text = f"important policy {number} {self.sentence()}"
                self.important.append(
                    self.remember(user, text, "policy", START, priority=4, source="user_explicit")
                )
            for number in range(10):
                text = f"important fact {number} {self.sentence()}"
                self.rare.append(self.remember(user, text, "decision", START))

    def day(self, day: int) -> int:
        """One day; returns the memories that prompts were given."""
        at = START + day * DAY
        injected = 0
        for user in range(USERS):
            for number in range(LEARNED):
                text = self.sentence()
                uid = self.remember(user, text, "fact", at + number)
                if number == 0:
                    self.junk[uid] = day
                else:
                    self.uids[user].append(uid)
                    self.texts[user].append(text)
            topic = TOPICS[(user + day // 40) % len(TOPICS)]
            for number in range(2):
                tags = json.dumps([topic if number else self.draw.choice(self.words)])
                self.remember(
                    user, f"worked on {self.sentence()}", "episode", at + number, tags=tags
                )
            mine = self.uids[user]
            for turn in range(TURNS):
                place = self.zipf(len(mine))
                words = self.texts[user][place].split()
                result = self.memory.activate(
                    " ".join(words[:5]), user=f"u{user}", now=at + 1000 + turn
                )
                injected += len(result.items)
            wanted = list({mine[self.zipf(len(mine))] for _ in range(5)})
            self.memory.db.write(
                [("store.recalled", {"uids": json.dumps(wanted), "now": at + 5000})],
                verb="recall",
                at=at + 5000,
            )
        due = [uid for place, uid in enumerate(self.rare) if (day + place) % 60 == 59]
        if due:
            self.memory.db.write(
                [("store.recalled", {"uids": json.dumps(due), "now": at + 6000})],
                verb="recall",
                at=at + 6000,
            )
        return injected

    def zipf(self, count: int) -> int:
        """A place among count, the first ones far more often."""
        return min(int(count ** self.draw.random()) - 1, count - 1) if count else 0

    def states(self, uids: Sequence[str]) -> dict[str, int]:
        rows = self.memory.db.ask(
            "select state, count(*) from memory where uid in (select value from json_each(:uids)) group by state",
            {"uids": json.dumps(list(uids))},
        )
        return dict(rows)


def svg(days: list[dict[str, int]]) -> str:
    """Two small charts, one above the other, on a common line of days."""
    width, height, left, gap = 760, 190, 70, 60
    colours = {
        "active": "#1b6ca8",
        "archived": "#b5651d",
        "promoted": "#2e8b57",
        "injected": "#8a4f9e",
    }
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + left + 110} {2 * (height + gap)}" '
        'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
    ]
    for place, names in enumerate((("active", "archived"), ("injected", "promoted"))):
        top = 30 + place * (height + gap)
        most = max(max(day[name] for name in names) for day in days) or 1
        parts.append(
            f'<path d="M{left} {top}V{top + height}H{left + width}" fill="none" stroke="#888"/>'
        )
        for share in (0, 0.5, 1):
            y = top + height * (1 - share)
            parts.append(
                f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{most * share:,.0f}</text>'
            )
        for position, name in enumerate(names):
            points = " ".join(
                f"{left + width * n / max(len(days) - 1, 1):.1f},{top + height * (1 - day[name] / most):.1f}"
                for n, day in enumerate(days)
            )
            parts.append(
                f'<polyline points="{points}" fill="none" stroke="{colours[name]}" stroke-width="1.6"/>'
            )
            parts.append(
                f'<text x="{left + width + 8}" y="{top + 14 + 18 * position}" fill="{colours[name]}">{name}'
                f"{' a day' if name == 'injected' else ''}</text>"
            )
        parts.append(
            f'<text x="{left + width / 2}" y="{top + height + 24}" text-anchor="middle">day</text>'
        )
        for day in range(0, len(days), 60):
            parts.append(
                f'<text x="{left + width * day / max(len(days) - 1, 1):.0f}" y="{top + height + 14}" '
                f'text-anchor="middle">{day}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


def simulate(days: int) -> tuple[list[dict[str, int]], dict[str, Any]]:
    """The whole year; the figures of each day, and the outcome."""
    found: list[dict[str, int]] = []
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "year.db")
        with cogmem.open(path, counter=tokens.Simple()) as memory:
            memory.store.set_setting("backups_kept", "0", now=START - DAY)
            year = Year(memory)
            year.plant()
            promoted = 0
            stopped = 0
            slowest = 0.0
            for day in range(days):
                injected = year.day(day)
                at = time.perf_counter()
                night = memory.nightly(now=START + day * DAY + DAY // 2)
                slowest = max(slowest, time.perf_counter() - at)
                stopped += not night.is_sound
                promoted += sum(job.promoted for job in night.jobs)
                counts = memory.stats(everywhere=True).by_state
                found.append(
                    {
                        "day": day,
                        "active": counts["active"],
                        "archived": counts["archived"],
                        "promoted": promoted,
                        "injected": injected,
                    }
                )
                if day % 30 == 0:
                    print(found[-1], f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
            old = [uid for uid, day in year.junk.items() if day < days - FADES - 8]
            young = [uid for uid in year.junk if uid not in set(old)]
            outcome = {
                "memories": year.count,
                "days": days,
                "important": year.states(year.important + year.rare),
                "old_junk": year.states(old),
                "young_junk": year.states(young),
                "nights_stopped": stopped,
                "slowest_night_s": round(slowest, 2),
                "seconds": round(time.perf_counter() - began),
                "check": memory.file.check(),
                "last": found[-1],
            }
    return found, outcome


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--svg", help="draw the year here")
    options = parser.parse_args()
    found, outcome = simulate(options.days)
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as out:
            out.write(svg(found))
    print(json.dumps(outcome, indent=1))
    important, junk = outcome["important"], outcome["old_junk"]
    if set(important) - {"active"} or set(junk) - {"archived"}:
        raise SystemExit("an important memory was archived, or old junk was not")


if __name__ == "__main__":
    main()
