"""A memory with a story in it, for what shows memories to people: four weeks of two users and their nights.

It is the same in every run: uids and instants are given, and nothing reads the clock.
"""

from __future__ import annotations

from typing import Any

from planted import DAY, plant, tie

import cogmem
from cogmem.tokens import counting

BEGAN = 1_800_000_000_000  # 2027-01-15 08:00 UTC
NOW = BEGAN + 28 * DAY  # 2027-02-12, the instant of the latest transaction

QUESTIONS = (
    "How do I deploy to the staging server?",
    "Which tea does Ann like in the garden?",
    "Why did the migration of the orders fail?",
    "What colour has the heron on the logo?",
)


def tell(path: str) -> dict[str, str]:
    """Write the story to a new file; name → uid of those that tests ask for."""
    uids: dict[str, str] = {}

    def put(name: str, content: str, kind: str = "fact", *, day: float = 0, **columns: Any) -> None:
        uids[name] = plant(mem, content, kind, at=BEGAN + int(day * DAY), **columns)

    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.file.show()
        mem.store.set_setting("backups_kept", "0", now=BEGAN)
        mine: dict[str, Any] = {"source": "user_explicit", "trust": 1.0}
        put("policy", "Deploys need a green build.", "policy", key="deploy", priority=4, **mine)
        put(
            "tea",
            "Ann prefers green tea in the garden.",
            "preference",
            user="ann",
            priority=3,
            **mine,
        )
        put("heron", "The staging server is called heron.", key="staging", **mine)
        put(
            "port",
            "The staging server listens on port 8080.",
            detail={"topic": "staging.port"},
            **mine,
        )
        put(
            "port2",
            "The staging server listens on port 9090.",
            day=3,
            detail={"topic": "staging.port"},
            **mine,
        )
        put("old", "The logo of the staging page is red.", detail={"topic": "logo"}, **mine)
        put("logo", "The logo is a blue heron.", day=2, **mine)
        put(
            "failed",
            "The migration of the orders failed.",
            "episode",
            detail={"outcome": "the index was missing", "happened_at": BEGAN},
        )
        put(
            "release",
            "release",
            "procedure",
            key="deploy to staging",
            detail={"steps": '["build","push","watch"]'},
            **mine,
        )
        put("go", "Use tabs in Go files.", "preference", path_glob="**/*.go", **mine)
        put("guess", "Ann may be moving to Oslo.", state="candidate", source="inferred", trust=0.4)
        put("junk", "ok ok", day=1)
        put("rumour", "The orders table may hold cats.", day=1, source="web", trust=0.3)
        put("faint", "The printer on floor two hums.", reinforced_at=BEGAN - 400 * DAY)
        put("twin", "deploys need a green  BUILD.", "policy", day=4, priority=2)
        mem.facts.supersede(uids["old"], uids["logo"], now=BEGAN + 2 * DAY)
        talk = mem.conversation("monday", user="ann")
        talk.append("user", "The migration failed since the index was missing.", at=BEGAN + DAY)
        link = (
            "insert into link (from_id, relation, message_id, created_at)"
            " select id, 'evidence', 1, :at from memory where uid = :uid"
        )
        evidence = {"uid": uids["failed"], "at": BEGAN + DAY}
        mem.db.write([(link, evidence)], verb="plant", at=BEGAN + DAY)
        tie(mem, uids["policy"], "derived_from", uids["failed"], BEGAN + DAY)
        for day in range(4, 28):
            at = BEGAN + day * DAY
            for place, question in enumerate(QUESTIONS):
                session = f"day {day}, talk {place % 2}"
                mem.activate(
                    question,
                    now=at + place * 60_000,
                    user="ann" if place % 2 else None,
                    session=session,
                    budget=(60, 150, 300, 800)[(day + place) % 4],
                    files=["cmd/main.go"] if place == 0 else (),
                    turn=f"turn_{day:014x}{place:02x}",
                )
            if day % 6 == 0:
                plant(mem, f"Note {day}: the heron was seen at the pond.", at=at)
            mem.recall("staging server", now=at + 600_000)
            mem.nightly(now=at + DAY // 2)
        mem.used(f"turn_{27:014x}00", [uids["heron"]], now=NOW)
        mem.used(f"turn_{27:014x}03", [uids["logo"]], useful=False, everywhere=True, now=NOW)
        spent = (
            "insert into model_call (purpose, model, run, tokens_in, tokens_out, elapsed_ms, outcome, asked_at)"
            " values ('judge', 'small', '', :tokens, 20, 1500, :outcome, :at)"
        )
        calls = [
            (spent, {"tokens": 100, "outcome": "ok", "at": NOW - DAY}),
            (spent, {"tokens": 300, "outcome": "ok", "at": NOW - DAY}),
            (spent, {"tokens": 50, "outcome": "timeout", "at": NOW}),
        ]
        mem.db.write(calls, verb="plant", at=NOW)
    return uids
