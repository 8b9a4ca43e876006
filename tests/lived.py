"""A memory with something in every table that goes out, and rows drawn by lot."""

from __future__ import annotations

import json
from typing import Any

from conftest import NOW
from hypothesis import strategies as st

import cogmem
from cogmem.exchange import form
from cogmem.file.pristine import pristine
from cogmem.tokens import counting


def fresh(driver: str = "apsw", path: str = ":memory:", **options: Any) -> cogmem.Memory:
    """An empty memory, whose tokens are counted quickly."""
    return cogmem.open(path, driver=driver, counter=counting.Simple(), **options)


def lines(mem: cogmem.Memory, **options: Any) -> list[str]:
    """All that an export says."""
    return list(mem.file.export(**options))


def row(table: str, **given: Any) -> tuple[str, dict[str, Any]]:
    """A step that inserts a whole row."""
    return pristine().insert(table), form.whole(pristine(), table, given)


def live_a_little(mem: cogmem.Memory) -> None:
    """Something in every table that goes out."""
    mem.store.kinds.add(
        {
            "name": "gotcha",
            "layer": "semantic",
            "meaning": "It surprises.",
            "weight": 1.0 / 3,
            "default_priority": 2,
            "half_life_days": 10.5,
            "is_baseline": 0,
            "is_pinned": 0,
            "is_shared": 0,
            "needs_person": 0,
            "max_rows": None,
            "max_characters": None,
            "capacity_policy": "refuse",
        },
        now=NOW,
    )
    mem.db.write(
        [("store.set_alias", {"vocabulary": "", "alias": "trap", "kind": "gotcha"})],
        verb="kind",
        at=NOW,
    )
    mem.store.set_setting("budget_tokens", "900", now=NOW)
    weight = {"table": "gate_weight", "name": "memory.bias", "weight": -20.0 / 3, "meaning": "x"}
    mem.file.import_([json.dumps(weight)], as_is=True, now=NOW)
    mem.learn("The cache lies — 缓存 ünï\u2028code\ttab.", "trap", tags=["a b", "ü"], now=NOW + 1)
    mem.learn("Moved to heron.", topic="host", valid_from=NOW, user="ann", now=NOW + 2)
    mem.learn("Moved to egret.", topic="host", valid_from=NOW + 9, user="ann", now=NOW + 3)
    gone = mem.learn("Nobody needs this.", now=NOW + 4)
    mem.remove(gone.uid, now=NOW + 5)
    mem.learn("Only in this project.", path="src/**", project="p1", now=NOW + 6)
    old = mem.learn("Out of use.", now=NOW + 6)
    mem.archive(old.uid, now=NOW + 7)
    mem.episode("It broke", "failure", session_name="s", turns=3, happened_at=NOW - 5, now=NOW + 8)
    mem.procedure("release", ["bump", "tag"], context="on Mondays", now=NOW + 9)
    mem.tried("release", success=False, now=NOW + 10)
    mem.recall("cache", now=NOW + 11)
    talk = mem.conversation("talk", user="ann")
    for number, word in enumerate(["Hello", "What is heron?", "A server."]):
        talk.append(["user", "user", "assistant"][number], word, at=NOW + number)
    mem.activate("heron", session="s", now=NOW + 12)
    rows = mem.db.ask("select id from memory order by id limit 2")
    first, second = rows[0][0], rows[1][0]
    mem.db.write(
        [
            row("link", from_id=first, relation="related", to_id=second, created_at=NOW),
            row("link", from_id=first, relation="evidence", message_id=2, created_at=NOW),
            row(
                "document",
                path="/x/AGENTS.md",
                name="AGENTS.md",
                scope="project",
                project="p1",
                hash="00",
                size=3,
                body="# A",
                memory_id=second,
                modified_at=NOW,
                seen_at=NOW,
            ),
            row("document_section", document_id=1, position=0, heading="A", content="Words."),
        ],
        verb="test",
        at=NOW + 13,
    )
    mem.file.label_project(
        type("Project", (), {"id": "p1", "label": "one", "root": "/x", "remote": ""})(),
        now=NOW + 14,
    )


json_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


odd_lists = st.sampled_from(["[]", '["a","b"]', '["a", "b"]', '[ "a" ]', "[1, 2.50, null]"])


odd_objects = st.sampled_from(["{}", '{"a":1}', '{"a": 1}', '{"a": 1e400}', '{"a": 1, "a": 2}'])


instants = st.integers(0, 4_000_000_000_000)


rows = st.fixed_dictionaries(
    {
        "content": json_text.map(lambda text: f"x{text}"), "kind": st.sampled_from(["fact", "policy", "note"]),
        "created_at": instants, "updated_at": instants, "reinforced_at": instants,
    },
    optional={
        "uid": st.integers(0, 2**64 - 1).map(lambda number: f"mem_{number:016x}"),
        "tags": odd_lists, "data": odd_objects, "path_glob": json_text, "terms": json_text,
        "user": json_text, "project": json_text, "session": json_text, "runtime": json_text,
        "priority": st.integers(1, 4), "trust": st.floats(0, 1), "polarity": st.sampled_from([1, -1]),
        "state": st.sampled_from(["candidate", "active", "deleted"]), "tokens": st.integers(0, 99),
        "reinforcement_count": st.integers(1, 9), "accessed_at": instants, "expires_at": instants,
        "fact": st.fixed_dictionaries(
            {}, optional={"topic": json_text, "confidence": st.floats(0, 1), "valid_to": instants}
        ),
    },
)  # fmt: skip
