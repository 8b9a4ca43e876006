"""What storing costs: single durable writes, a bulk import, a fresh process, eight writers at once.

    python benchmarks/store.py [--memories 100000] [--seconds 20] [--folder DIR]

All cases of a part take turns in short rounds in one process, so that a busy machine slows all of
them alike; CPU time stands beside wall time for the same reason. Every write is a transaction of
its own (WAL, synchronous NORMAL), with search index and history, on a file that holds `--memories`.

`bare row` is what SQLite itself takes for a row of uid and text; `row and search` adds an FTS5
index with its trigger. `store row` is db.write() of one memory. Checkpoints fall where they fall,
and count. learn() whole (guard, tokens, search for look-alikes, write) is measured by write.py.

--write keeps the figures in results/store.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
from write import NOW, sentences

import cogmem
from cogmem.file.bulk import Bulk
from cogmem.file.pristine import pristine
from cogmem.text import lines

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).resolve().parent / "results" / "store.json"
GOALS = {"single": 5_000, "import": 20_000, "fresh": 2.5}
WRITERS = 8
ROUND = 250  # writes of one case before it is the next one's turn

INSERT = (
    "insert into memory (uid, layer, kind, content, tokens, token_counter, content_hash, created_at,"
    " updated_at, reinforced_at) values (?, 'semantic', 'fact', ?, ?, 'o200k', ?, ?, ?, ?)"
)
BARE = "create table note (id integer primary key, uid text not null unique, content text not null)"
SEARCH = """
create virtual table note_fts using fts5 (content, content="note", content_rowid="id",
  tokenize="porter unicode61 remove_diacritics 2");
create trigger note_ai after insert on note begin
  insert into note_fts (rowid, content) values (new.id, new.content);
end"""
ADD_NOTE = "insert into note (uid, content) values (?, ?)"


def uid(number: int) -> str:
    return f"mem_{number:016x}"


def build(path: str, texts: list[str]) -> None:
    """A space of these memories, through all its triggers."""
    with cogmem.open(path) as mem:

        def body(connection: Any) -> None:
            bulk = Bulk(connection, pristine())
            for number, text in enumerate(texts):
                content_hash = lines.content_hash(text)
                connection.execute(
                    INSERT, (uid(number), text, len(text) // 4, content_hash, NOW, NOW, NOW)
                )
            bulk.wake()

        mem.db.transact(body)
    with cogmem.open(path) as mem:
        mem.file.rebuild()


def bare(path: str, texts: list[str], extra: str = "") -> apsw.Connection:
    """The same texts in a plain table, opened as cogmem opens its file."""
    connection = apsw.Connection(path)
    for pragma in ("journal_mode = wal", "synchronous = normal"):
        connection.execute(f"pragma {pragma}").fetchall()
    connection.execute(f"{BARE};{extra}")
    with connection:
        connection.executemany(ADD_NOTE, ((uid(n), text) for n, text in enumerate(texts)))
    return connection


def spread(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        "p50_us": round(statistics.median(ordered) * 1e6),
        "p99_us": round(ordered[int(len(ordered) * 0.99)] * 1e6),
    }


def singles(path: str, texts: list[str], folder: str, writes: int) -> dict[str, Any]:
    """One row, one transaction, over and over: the cases take turns."""
    plain = bare(os.path.join(folder, "bare.db"), texts)
    found = bare(os.path.join(folder, "found.db"), texts, SEARCH)
    mem = cogmem.open(path)
    form = mem.store.written_form

    def row(text: str) -> dict[str, Any]:
        return {
            "uid": lines.memory_uid(text, mem.db.number()),
            "layer": "semantic",
            "kind": "fact",
            "key": "",
            "content": text,
            "tags": "[]",
            "runtime": "",
            "user": "",
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
            "created_at": NOW,
            "updated_at": NOW,
            "reinforced_at": NOW,
            "accessed_at": None,
            "expires_at": None,
            "archived_at": None,
            "archive_reason": "",
            **form("semantic", "", text, {}),
        }

    def store_row(given: dict[str, Any]) -> None:
        mem.db.write([("store.insert_memory", given)], verb="learn", at=NOW)

    def named(text: str) -> tuple[str, str]:
        return os.urandom(8).hex(), text

    cases: dict[str, tuple[Callable[[str], Any], Callable[[Any], Any]]] = {
        "bare row": (named, lambda given: plain.execute(ADD_NOTE, given)),
        "row and search": (named, lambda given: found.execute(ADD_NOTE, given)),
        "store row": (row, store_row),
    }
    wall: dict[str, list[float]] = {name: [] for name in cases}
    cpu = dict.fromkeys(cases, 0.0)
    rounds = writes // ROUND
    fresh = iter(sentences(random.Random(3), (rounds + 1) * ROUND * len(cases)))
    for number in range(rounds + 1):
        for name, (prepare, do) in cases.items():
            given = [prepare(next(fresh)) for _ in range(ROUND)]
            if not number:  # the first round warms up
                for one in given:
                    do(one)
                continue
            spent = time.process_time()
            for one in given:
                start = time.perf_counter()
                do(one)
                wall[name].append(time.perf_counter() - start)
            cpu[name] += time.process_time() - spent
    result: dict[str, Any] = {
        name: {
            "per_s": round(len(taken) / sum(taken)),
            "per_cpu_s": round(len(taken) / cpu[name]),
            "per_s_at_p50": round(1 / statistics.median(taken)),
            **spread(taken),
        }
        for name, taken in wall.items()
    }
    for name in cases:
        result[name]["cpu_to_bare"] = round(cpu[name] / cpu["bare row"], 1)
    faults = mem.file.check()
    assert not faults, faults
    for one in (plain, found, mem):
        one.close()
    return result


def bulk(path: str, texts: list[str], folder: str, count: int) -> dict[str, Any]:
    """JSON lines into the large file, as found somewhere (guarded, counted) and as exported."""
    said = sentences(random.Random(4), 2 * count)
    found = [json.dumps({"content": text, "kind": "fact"}) for text in said[:count]]
    with cogmem.open(os.path.join(folder, "other.db")) as other:
        other.file.import_([json.dumps({"content": text, "kind": "fact"}) for text in said[count:]])
        exported = list(other.file.export())
    plain = bare(os.path.join(folder, "bulk.db"), texts, SEARCH)

    def rows() -> None:
        with plain:
            plain.executemany(ADD_NOTE, ((os.urandom(8).hex(), text) for text in said[:count]))

    result: dict[str, Any] = {}
    with cogmem.open(path) as mem:
        for name, work in (
            ("bare rows and search", rows),
            ("found lines", lambda: mem.file.import_(found, as_is=False)),
            ("exported lines", lambda: mem.file.import_(exported, as_is=True)),
        ):
            before = mem.db.ask("select count(*) from memory")[0][0]
            spent, start = time.process_time(), time.perf_counter()
            work()
            wall, cpu = time.perf_counter() - start, time.process_time() - spent
            result[name] = {"rows_per_s": round(count / wall), "rows_per_cpu_s": round(count / cpu)}
            if work is not rows:
                assert mem.db.ask("select count(*) from memory")[0][0] == before + count
        faults = mem.file.check()
        assert not faults, faults
    plain.close()
    return result


TURN = "import cogmem; m = cogmem.open({path!r}); m.activate({prompt!r}); m.close()"


def fresh(path: str, prompt: str, rounds: int = 21) -> dict[str, float]:
    """A new process that opens the file and takes a turn, against one that does nothing.

    The first of each is not counted: it may have to compile, which nobody does who installed cogmem.
    """
    environ = {name: v for name, v in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    wall: dict[str, list[float]] = {"bare": [], "turn": []}
    cpu: dict[str, list[float]] = {"bare": [], "turn": []}
    for number in range(rounds + 1):
        for name, code in (("bare", "pass"), ("turn", TURN.format(path=path, prompt=prompt))):
            start = time.perf_counter()
            child = os.posix_spawn(sys.executable, [sys.executable, "-c", code], environ)
            _, status, used = os.wait4(child, 0)
            took = time.perf_counter() - start
            assert status == 0
            if number:
                wall[name].append(took)
                cpu[name].append(used.ru_utime + used.ru_stime)
    middle = statistics.median
    return {
        "bare_ms": round(middle(wall["bare"]) * 1e3, 1),
        "turn_ms": round(middle(wall["turn"]) * 1e3, 1),
        "ratio": round(middle(wall["turn"]) / middle(wall["bare"]), 2),
        "best_ratio": round(min(wall["turn"]) / min(wall["bare"]), 2),
        "cpu_ratio": round(middle(cpu["turn"]) / middle(cpu["bare"]), 2),
    }


# Each writer waits for the signal, writes until its time is up, and tells how long each write took.
WRITER = """
import json, random, sys, time
how, path, number, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
if how == "learn":
    import cogmem
    mem = cogmem.open(path, actor=f"w{number}")
    write = mem.learn
else:
    import apsw
    plain = apsw.Connection(path)
    plain.execute("pragma synchronous = normal")
    plain.set_busy_timeout(20_000)
    write = lambda text: plain.execute("insert into note (uid, content) values (?, ?)", (text, text))
dice, taken = random.Random(number), []
write(f"writer{number} is here")
print("ready", flush=True)
sys.stdin.readline()
end = time.monotonic() + seconds
while time.monotonic() < end:
    text = f"writer{number} saw " + " ".join(f"w{dice.randrange(30000)}" for _ in range(9))
    begun = time.perf_counter()
    write(text)
    taken.append(time.perf_counter() - begun)
print(json.dumps(taken))
"""


def together(how: str, path: str, seconds: float) -> dict[str, Any]:
    """Eight processes on one file; whoever meets a lock he has to handle ends with an error."""
    children = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, how, path, str(number), str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(WRITERS)
    ]
    for child in children:
        assert child.stdout
        child.stdout.readline()
    told = []
    for child in children:
        assert child.stdin
        child.stdin.write("go\n")
        child.stdin.flush()
    faults = []
    for child in children:
        out, err = child.communicate(timeout=seconds + 120)
        if child.returncode:
            faults.append(err.strip().rpartition("\n")[2])
        else:
            told.append(json.loads(out))
    ordered = sorted(one for taken in told for one in taken)
    counts = [len(taken) for taken in told]
    return {
        "processes": WRITERS,
        "seconds": seconds,
        "writes": len(ordered),
        "faults": faults,
        "per_s": round(len(ordered) / seconds),
        "fewest": min(counts),
        "most": max(counts),
        "p50_ms": round(statistics.median(ordered) * 1e3, 2),
        "p99_ms": round(ordered[int(len(ordered) * 0.99)] * 1e3, 1),
        "worst_ms": round(ordered[-1] * 1e3),
    }


def crowd(path: str, texts: list[str], folder: str, seconds: float) -> dict[str, Any]:
    """Eight writers, and then whether all that they believe to have stored is there."""
    plain = os.path.join(folder, "crowd.db")
    bare(plain, texts).close()
    result = {"bare rows": together("bare", plain, min(seconds, 5.0))}
    with cogmem.open(path) as mem:
        before = mem.db.ask("select count(*) from memory")[0][0]
    result["learn"] = together("learn", path, seconds)
    with cogmem.open(path) as mem:
        now = mem.db.ask("select count(*) from memory")[0][0]
        result["learn"]["lost"] = before + WRITERS + result["learn"]["writes"] - now
        result["learn"]["check"] = mem.file.check()
    return result


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--writes", type=int, default=4_000, help="single writes of each case")
    parser.add_argument("--lines", type=int, default=20_000, help="lines of each import")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long eight write at once")
    parser.add_argument("--folder", help="keep the large file here for the next run")
    parser.add_argument("--write", action="store_true", help="keep the figures in results/")
    options = parser.parse_args()
    texts = sentences(random.Random(2), options.memories)
    result: dict[str, Any] = {"machine": machine(), "memories": options.memories}
    loads = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as scratch:
        made = os.path.join(options.folder or scratch, f"store-{options.memories}.db")
        if not os.path.exists(made):
            os.makedirs(os.path.dirname(made), exist_ok=True)
            build(made, texts)
        path = os.path.join(scratch, "memory.db")

        def again() -> str:
            for ending in ("-wal", "-shm"):  # a process that only took a turn leaves its log
                Path(path + ending).unlink(missing_ok=True)
            shutil.copyfile(made, path)
            return path

        parts: dict[str, Callable[[], Any]] = {
            "fresh process": lambda: fresh(again(), texts[7]),
            "single writes": lambda: singles(again(), texts, scratch, options.writes),
            "import": lambda: bulk(again(), texts, scratch, options.lines),
            "eight writers": lambda: crowd(again(), texts, scratch, options.seconds),
        }
        for name, part in parts.items():
            result[name] = part()
            loads.append(os.getloadavg()[0])
            print(name, json.dumps(result[name], indent=1), flush=True)
    result["load"] = [round(load, 1) for load in loads]
    crowded = result["eight writers"]["learn"]
    result["goals"] = {
        "5,000 single durable writes/s": result["single writes"]["store row"]["per_s"]
        >= GOALS["single"],
        "the same in CPU time": result["single writes"]["store row"]["per_cpu_s"]
        >= GOALS["single"],
        "20,000 rows/s imported": result["import"]["exported lines"]["rows_per_s"]
        >= GOALS["import"],
        "the same in CPU time (import)": result["import"]["exported lines"]["rows_per_cpu_s"]
        >= GOALS["import"],
        "open and turn in 2.5 x a bare Python": result["fresh process"]["ratio"] <= GOALS["fresh"],
        "eight writers lose nothing": not (
            crowded["faults"] or crowded["lost"] or crowded["check"]
        ),
    }
    print(json.dumps(result["goals"], indent=1))
    if options.write:
        RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0 if result["goals"]["eight writers lose nothing"] else 1


if __name__ == "__main__":
    sys.exit(main())
