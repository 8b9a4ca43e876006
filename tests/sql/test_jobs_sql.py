"""The jobs run without cogmem: Python's sqlite3, the files and seven parameters give the same rows."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import cogmem
from cogmem.file.sql import expand
from cogmem.text import lines
from cogmem.tokens import counting

if TYPE_CHECKING:
    from conftest import Space

SCHEMA = Path(__file__).resolve().parents[2] / "schema"
NOW = 1_800_000_000_000
DAY = 86_400_000
JOBS = sorted((SCHEMA / "jobs").glob("*.sql"))
HEADER = ("reads", "writes", "period", "params")
# What only cogmem adds to rows that SQL made: search words, hash and length, drawn and dated names.
ADDED = {"terms", "content_hash", "tokens", "token_counter", "uid"}


def statements(file: Path) -> list[str]:
    found, lines = [], []
    for line in expand(file.read_text(encoding="utf-8")).splitlines():
        if lines or (line.strip() and not line.startswith("--")):
            lines.append(line)
            if line.endswith(";") and sqlite3.complete_statement("\n".join(lines)):
                found.append("\n".join(lines))
                lines = []
    return found


def run_job(
    db: sqlite3.Connection, file: Path, *, period: str = "2027-01-15", run: str = "", now: int = NOW
) -> str:
    """A job as any client can run it: context, the statements, context."""
    params = {
        "run": run or f"run_{file.stem}",
        "now": now,
        "period": period,
        "is_forced": 0,
        "seed": 1_000_000 * (1 + JOBS.index(file)),
        "most": -1,
    }
    db.execute("begin immediate")
    try:
        db.execute(
            "update context set act = :run, verb = 'nightly', actor = 'shell', run = :run, acted_at = :now,"
            " last_at = :now",
            params,
        )
        for statement in statements(file):
            db.execute(statement, params)
        db.execute(
            "update context set act = null, verb = null, actor = null, run = null, acted_at = null"
        )
        db.execute("commit")
    except BaseException:
        db.execute("rollback")
        raise
    return params["run"]


def furnish(space: Space) -> None:
    """Rows that give every job something to do."""
    space.act(acted_at=NOW - DAY, last_at=NOW - DAY)
    old = {
        "created_at": NOW - 300 * DAY,
        "updated_at": NOW - 300 * DAY,
        "reinforced_at": NOW - 300 * DAY,
    }
    for n in range(80):
        space.remember(f"fresh {n}", content_hash=lines.content_hash(f"fresh {n}"))
    for n in range(4):
        space.remember(f"old {n}", **old)
    space.remember(
        "old but critical", kind="policy", priority=4, **{**old, "reinforced_at": NOW - 900 * DAY}
    )
    for n in range(3):
        space.remember(
            "said again",
            content_hash=lines.content_hash("said again"),
            tags=f'["t{n}"]',
            reinforcement_count=n + 1,
        )
    space.remember("perhaps", state="candidate", **old)
    space.remember("ended", expires_at=NOW - 1)
    space.remember("how to migrate", kind="procedure", key="migration")
    for n in range(6):
        number = space.remember(
            f"migrated {n}",
            kind="episode",
            source="observed",
            tags='["migration"]',
            data='{"command": "make migrate"}',
        )
        space.execute(
            "update episode set session_name = ?, outcome = 'success', happened_at = ? where memory_id = ?",
            (f"s{n % 3}", NOW - DAY, number),
        )
    for n in range(3):
        space.execute(
            "insert into conversation (id, name, created_at, next_seq, captured_seq) values (?, ?, 0, 3, 3)",
            (n + 1, f"c{n}"),
        )
        for seq in range(3):
            text = "The cluster is called Pelican." if seq == 1 else f"conversation {n} says {seq}"
            space.execute(
                "insert into message (conversation_id, seq, role, parts, text, content_hash, origin, said_at)"
                " values (?, ?, 'user', '[]', ?, ?, 'user', ?)",
                (n + 1, seq, text, f"m{text}", NOW - DAY),
            )
    space.act(acted_at=None)


def durable(db: Any) -> dict[str, list[dict[str, Any]]]:
    """What the nights left, without what only cogmem can add."""
    found = {}
    for table, order in (
        ("memory", "id"),
        ("fact", 1),
        ("episode", 1),
        ("procedure", 1),
        ("link", "id"),
    ):
        cursor = db.execute(f"select * from {table} order by {order}")
        names = [column[0] for column in cursor.description]
        found[table] = [
            {name: value for name, value in zip(names, row, strict=True) if name not in ADDED}
            for row in cursor
        ]
    return found


def test_every_job_says_what_it_is_for_reads_writes_and_takes() -> None:
    assert JOBS
    for file in JOBS:
        text = expand(file.read_text(encoding="utf-8"))
        assert re.match(r"\d\d_[a-z_]+\.sql$", file.name)
        assert text.startswith("-- "), file.name
        for word in HEADER:
            assert re.search(rf"^-- {word}: .+$", text, re.M), f"{file.name} does not say {word}"
        assert statements(file)[0].startswith("insert into job_run"), file.name
        assert f"'{file.stem}'" in statements(file)[0], f"{file.name} enters another name"
        begins = text.partition("\n\n")[2]
        writes = set(re.search(r"^-- writes: (.+)$", text, re.M)[1].split(", "))  # type: ignore[index]
        touched = set(re.findall(r"^(?:insert into|update|delete from) (\w+)", begins, re.M))
        assert touched <= writes, f"{file.name} writes {touched - writes} and does not say so"


def test_every_job_runs_on_an_empty_space_and_a_second_time_only_in_the_next_period(
    space: Space,
) -> None:
    for file in JOBS:
        run_job(space, file)
        with pytest.raises(sqlite3.IntegrityError, match="job_run"):
            run_job(space, file, run="run_again")
        run_job(space, file, period="2027-01-16", run=f"run_{file.stem}_2")
    assert space.one("select count(*) from memory") == 0


@pytest.mark.parametrize(
    ("job", "share", "limit"),
    [
        ("50_archive", "archive_share", "archives"),
        ("30_deduplicate", "merge_share", "merges"),
        ("60_expire", "archive_share", "archives"),
    ],
)
def test_a_job_beyond_its_limit_aborts_whole_by_a_constraint_of_the_schema(
    space: Space, job: str, share: str, limit: str
) -> None:
    for n in range(12):
        at = NOW - 300 * DAY
        space.remember(f"old {n}", content_hash=f"h{n % 2}", reinforced_at=at, expires_at=NOW - 1)
    space.execute("update setting set value = '0' where name = ?", (share,))
    before = durable(space)
    file = next(file for file in JOBS if file.stem == job)
    with pytest.raises(sqlite3.IntegrityError, match=f"run_{limit}_no_more_than_allowed"):
        run_job(space, file)
    assert durable(space) == before
    assert space.one("select count(*) from job_run") == 0
    space.execute("update setting set value = '1' where name = ?", (share,))
    run_job(space, file)
    assert space.one("select archived_count + merged_count from job_run") > 9  # type: ignore[operator]


def test_the_jobs_leave_the_same_rows_with_sqlite3_alone_as_with_cogmem(
    space: Space, tmp_path: Path
) -> None:
    kind = type(space)
    alone, ours = tmp_path / "alone.db", tmp_path / "ours.db"
    with cogmem.open(str(ours), counter=counting.Simple()) as memory:
        memory.file.show()
    shutil.copyfile(ours, alone)
    space = sqlite3.connect(alone, isolation_level=None, factory=kind)
    furnish(space)
    space.close()
    shutil.copyfile(alone, ours)

    space = sqlite3.connect(alone, isolation_level=None, factory=kind)
    for file in JOBS:
        weekly = "-- period: week" in file.read_text(encoding="utf-8")
        run_job(space, file, period="2027-W02" if weekly else "2027-01-15")
    by_hand = durable(space)
    space.check_derived()
    counts = (
        "select job, period, considered_count, archived_count, merged_count, promoted_count"
        " from job_run order by job"
    )
    ledger = space.execute(counts).fetchall()
    space.close()

    with cogmem.open(str(ours), counter=counting.Simple()) as memory:
        night = memory.nightly(now=NOW)
        assert night.is_sound, [report.note for report in night.jobs]
        assert memory.file.check() == []
    space = sqlite3.connect(ours, isolation_level=None, factory=kind)
    assert durable(space) == by_hand
    assert space.execute(counts).fetchall() == ledger
    space.close()
    assert [row[3:] for row in ledger if any(row[3:])] == [
        (0, 2, 0),
        (0, 0, 1),
        (4, 0, 0),
        (1, 0, 0),
    ]
