"""What other programs remember, read as plain records.

Modules: foreign_gather, file.foreign.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from cogmem.documents import foreign_gather
from cogmem.documents.foreign import (
    READERS,
    read_basic_memory,
    read_claude_code,
    read_claude_mem,
    read_cursor,
    read_knowledge_graph,
    read_letta,
    read_mem0,
)
from cogmem.documents.foreign_gather import Reading


def put(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def texts(reading: Reading) -> list[str]:
    return [record["text"] for record in reading.records]


GUIDANCE = """\
Ask before you delete.

# Acme

## Build

- Run `make check` before each commit
  and read its output.
- Never use --no-verify

Deploy like this:

```sh
make ship

@inside.md
```

@docs/more.md

## Style
1. Tabs, not spaces
2. Short names
"""


def test_a_file_of_guidance_gives_an_item_or_a_paragraph_each(tmp_path: Path) -> None:
    path = put(tmp_path / "CLAUDE.md", GUIDANCE)
    reading = read_claude_code(str(path))
    assert texts(reading) == [
        "Ask before you delete.",
        "Run `make check` before each commit\n  and read its output.",
        "Never use --no-verify",
        "Deploy like this:\n\n```sh\nmake ship\n\n@inside.md\n```",
        "Tabs, not spaces",
        "Short names",
    ]
    assert [record["tags"] for record in reading.records] == [
        [],
        ["build"],
        ["build"],
        ["build"],
        ["style"],
        ["style"],
    ]
    assert reading.records[1]["origin"] == f"{path}#build"
    assert all(record["source"] == "claude-code" for record in reading.records)
    assert [(p.line, p.text) for p in reading.problems] == [
        (19, "import @docs/more.md is not followed")
    ]


def test_claude_code_projects_and_memory_folders_are_recognised(tmp_path: Path) -> None:
    project = tmp_path / "project"
    put(project / "CLAUDE.md", "in the root")
    put(project / ".claude" / "CLAUDE.md", "in the folder")
    put(project / ".claude" / "rules" / "api.md", "---\npaths: src/api/**\n---\nCheck inputs.\n")
    reading = read_claude_code(str(project))
    assert texts(reading) == ["in the root", "in the folder", "Check inputs."]
    assert reading.records[2]["globs"] == ["src/api/**"]

    memory = tmp_path / "memory"
    put(
        memory / "MEMORY.md",
        "# Memory\n\n- [Tests](tests.md) — how\n- [web](https://x.org)\nFree words\n",
    )
    note = (
        "---\nname: Tests\ndescription: how to test\nmetadata:\n  type: feedback\n---\n\nUse -n0.\n"
    )
    put(memory / "tests.md", note)
    put(memory / "plain.md", "# Debugging\n\n- Look at the log first\n")
    os.utime(memory / "tests.md", (1_700_000_000, 1_700_000_000))
    reading = read_claude_code(str(memory))
    assert texts(reading) == [
        "[web](https://x.org)\nFree words",
        "Look at the log first",
        "how to test\n\nUse -n0.",
    ]
    record = reading.records[2]
    assert (record["kind"], record["key"]) == ("feedback", "claude-code:Tests")
    assert record["created_at"] == 1_700_000_000_000
    assert texts(read_claude_code(str(tmp_path))) == texts(reading)  # the folder above it


def test_cursor_rules_keep_their_globs(tmp_path: Path) -> None:
    put(tmp_path / ".cursorrules", "Be brief.\n\nUse types.\n")
    put(
        tmp_path / ".cursor" / "rules" / "web.mdc",
        "---\ndescription: Web: rules\nglobs: **/*.tsx, *.css\nalwaysApply: false\n---\n"
        "# Web\n\nUse hooks.\n",
    )
    put(
        tmp_path / ".cursor" / "rules" / "sub" / "all.mdc",
        "---\nalwaysApply: true\n---\nNo TODOs.\n",
    )
    put(tmp_path / ".cursor" / "rules" / "notes.txt", "not a rule")
    reading = read_cursor(str(tmp_path))
    assert texts(reading) == [
        "Be brief.",
        "Use types.",
        "Web: rules\n\n# Web\n\nUse hooks.",
        "No TODOs.",
    ]
    assert reading.records[2]["globs"] == ["**/*.tsx", "*.css"]
    assert [record["kind"] for record in reading.records] == ["", "", "", "policy"]
    assert (
        reading.records[3]["key"] == f"cursor:{os.path.join('.cursor', 'rules', 'sub', 'all.mdc')}"
    )
    one = read_cursor(str(tmp_path / ".cursor" / "rules" / "web.mdc"))
    assert texts(one) == ["Web: rules\n\n# Web\n\nUse hooks."]


NOTE = """\
---
title: Brewing
type: note
tags: [coffee, kitchen]
permalink: brewing
created: 2024-05-01T10:00:00Z
---

# Brewing

What we learnt about filter coffee.

## Observations
- [method] Bloom for 30 seconds #filter (after Ana)
- [preference] Brewing starts with light roasts
- [ ] buy paper
- [x] clean the mill
- [a link](https://example.org) stays prose

```
- [method] not an observation
```

## Relations
- requires [[Grinder]]
- pairs_with [[Milk]] (for guests)
"""


def test_basic_memory_notes_give_observations_relations_and_prose(tmp_path: Path) -> None:
    put(tmp_path / "notes" / "brewing.md", NOTE)
    put(tmp_path / ".hidden" / "x.md", "never read")
    put(tmp_path / "secret.md", "elsewhere")
    (tmp_path / "notes" / "link.md").symlink_to(tmp_path / "secret.md")
    reading = read_basic_memory(str(tmp_path / "notes"))
    by_text = {record["text"]: record for record in reading.records}
    assert list(by_text) == [
        "Brewing: Bloom for 30 seconds (after Ana)",
        "Brewing starts with light roasts",
        "Brewing requires Grinder",
        "Brewing pairs with Milk (for guests)",
        "What we learnt about filter coffee.",
        "[ ] buy paper",
        "[x] clean the mill",
        "[a link](https://example.org) stays prose\n\n```\n- [method] not an observation\n```",
    ]
    bloom = by_text["Brewing: Bloom for 30 seconds (after Ana)"]
    assert (bloom["kind"], bloom["tags"]) == ("method", ["coffee", "kitchen", "filter"])
    assert bloom["created_at"] == 1_714_557_600_000
    assert bloom["key"].startswith("basic-memory:brewing#")
    assert by_text["Brewing requires Grinder"]["kind"] == "relation"
    assert "link out" in reading.problems[0].text


def test_mem0_exports_are_read_in_each_of_their_shapes(tmp_path: Path) -> None:
    one = {
        "id": "m-1",
        "memory": "Likes tea",
        "hash": "h",
        "categories": ["food"],
        "metadata": {"type": "Preference"},
        "created_at": "2024-01-02T03:04:05.678+00:00",
    }
    two = {"id": 7, "content": "Works at night", "state": "active", "created_at": 1_704_164_645}
    gone = {"id": 8, "content": "Old", "state": "deleted"}
    for data in ([one, two, gone], {"results": [one, two, gone]}, {"memories": [one, two, gone]}):
        path = put(tmp_path / "mem0.json", json.dumps(data, indent=1))
        reading = read_mem0(str(path))
        assert texts(reading) == ["Likes tea", "Works at night"]
        assert reading.problems == ()
    first, second = reading.records
    assert (first["kind"], first["tags"], first["key"]) == ("preference", ["food"], "mem0:m-1")
    assert first["created_at"] == 1_704_164_645_678
    assert (second["key"], second["created_at"]) == ("mem0:7", 1_704_164_645_000)
    lines = put(tmp_path / "mem0.jsonl", f"{json.dumps(one)}\n{{broken\n\n{json.dumps(two)}\n3\n")
    reading = read_mem0(str(lines))
    assert texts(reading) == ["Likes tea", "Works at night"]
    assert [problem.line for problem in reading.problems] == [2, 5]


def test_letta_files_give_blocks_and_passages_but_no_messages(tmp_path: Path) -> None:
    new = {
        "agents": [{"name": "a", "messages": [{"role": "user", "content": "hi"}]}],
        "blocks": [
            {"id": "block-1", "label": "human", "value": "Name: Ana", "limit": 5000},
            {"label": "persona", "value": " "},
            {"label": "broken"},
        ],
    }
    reading = read_letta(str(put(tmp_path / "agent.af", json.dumps(new))))
    assert texts(reading) == ["Name: Ana"]
    assert (reading.records[0]["kind"], reading.records[0]["key"]) == ("human", "letta:block/human")
    assert [p.text.split(";")[0] for p in reading.problems] == [
        "1 messages are conversation, not memory",
        "blocks 3 has no value",
    ]
    old = {"core_memory": [{"label": "persona", "value": "Kind"}], "messages": []}
    assert texts(read_letta(str(put(tmp_path / "old.af", json.dumps(old))))) == ["Kind"]
    passages = [{"id": "p-1", "text": "A passage", "tags": ["x"], "created_at": "2024-01-01"}, {}]
    reading = read_letta(str(put(tmp_path / "passages.json", json.dumps(passages))))
    assert texts(reading) == ["A passage"]
    assert reading.records[0]["created_at"] == 1_704_067_200_000
    assert len(reading.problems) == 1


def test_blocks_of_several_agents_are_each_agent_s_own_and_shared_ones_everybody_s(
    tmp_path: Path,
) -> None:
    agents = [
        {"id": "agent-1", "name": "cook", "block_ids": ["block-1", "block-3"]},
        {"id": "agent-2", "name": "clerk", "block_ids": ["block-2", "block-3"]},
    ]
    blocks = [
        {"id": "block-1", "label": "persona", "value": "I cook."},
        {"id": "block-2", "label": "persona", "value": "I file."},
        {"id": "block-3", "label": "human", "value": "Name: Ana"},
    ]
    path = put(tmp_path / "two.af", json.dumps({"agents": agents, "blocks": blocks}))
    records = read_letta(str(path)).records
    assert [(one["text"], one["agent"], one["key"]) for one in records] == [
        ("I cook.", "cook", "letta:block/cook/persona"),
        ("I file.", "clerk", "letta:block/clerk/persona"),
        ("Name: Ana", "", "letta:block/human"),
    ]
    assert records[2]["tags"] == ["agent:cook", "agent:clerk"]


def database(path: Path, *statements: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()
    return path


def test_mem0_s_history_tells_what_was_held_and_until_when(tmp_path: Path) -> None:
    path = database(
        tmp_path / "history.db",
        "create table history (id text primary key, memory_id text, old_memory text, new_memory text, event text,"
        " created_at datetime, updated_at datetime, is_deleted integer, actor_id text, role text)",
        "insert into history values"
        " ('1', 'm', null, 'Lives in Rome', 'ADD', '2024-01-01', null, 0, 'ana', 'user'),"
        " ('2', 'm', 'Lives in Rome', 'Lives in Oslo', 'UPDATE', '2024-01-01', '2024-03-01', 0, 'ana', 'user'),"
        " ('3', 'n', null, 'Owns a boat', 'ADD', '2024-01-01', null, 0, null, null),"
        " ('4', 'n', 'Owns a boat', null, 'DELETE', '2024-01-01', '2024-02-01', 1, null, null)",
    )
    put(
        tmp_path / "export.json",
        json.dumps([{"id": "x", "memory": "Plays chess", "user_id": "ben"}]),
    )
    reading = read_mem0(str(tmp_path))
    january, february, march = 1_704_067_200_000, 1_706_745_600_000, 1_709_251_200_000
    told = [
        (one["text"], one["key"], one["created_at"], one["ended_at"]) for one in reading.records
    ]
    assert told == [
        ("Plays chess", "mem0:x", None, None),
        ("Lives in Rome", "mem0:m@1", january, march),
        ("Lives in Oslo", "mem0:m", march, None),
        ("Owns a boat", "mem0:n@1", january, february),
    ]
    assert [one["user"] for one in reading.records] == ["ben", "", "", ""]
    assert reading.records[1]["tags"] == ["actor:ana"]
    assert "1 memories were deleted there" in reading.problems[0].text
    assert read_mem0(str(path)).records == reading.records[1:]


def test_claude_mem_s_observations_and_sessions_keep_their_day_project_and_files(
    tmp_path: Path,
) -> None:
    path = database(
        tmp_path / "claude-mem.db",
        "create table observations (id integer primary key, project text, text text, type text, title text,"
        " facts text, concepts text, files_modified text, created_at text, created_at_epoch integer)",
        "create table session_summaries (id integer primary key, project text, request text, learned text,"
        " created_at_epoch integer)",
        "insert into observations values (1, 'shop', null, 'bugfix', 'The cart forgot taxes',"
        """ '["taxes are added in cart.py"]', '["gotcha"]', '["src/cart.py"]', 'x', 1704067200000)""",
        "insert into session_summaries values (1, 'shop', 'Fix the cart', ' ', 1704067200000)",
    )
    for place in (path, tmp_path):
        first, second = read_claude_mem(str(place)).records
        assert first["text"] == "The cart forgot taxes\n- taxes are added in cart.py"
        assert first["tags"] == ["project:shop", "gotcha", "file:cart.py"]
        assert (first["kind"], first["created_at"]) == ("bugfix", 1_704_067_200_000)
        assert (second["text"], second["key"]) == ("request: Fix the cart", "claude-mem:summary/1")
    put(tmp_path / "none.db", "no database")
    assert "not a SQLite database" in read_claude_mem(str(tmp_path / "none.db")).problems[0].text
    assert read_claude_mem(str(tmp_path / "gone.db")).records == ()


def test_what_claude_code_keeps_of_a_project_is_found_from_the_project_s_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    project = tmp_path / "my.shop"
    put(project / "CLAUDE.md", "Use tabs.\n")
    put(project / ".git" / "HEAD", "ref: refs/heads/main\n")
    (project / "src").mkdir()
    name = re.sub("[^A-Za-z0-9]", "-", os.path.realpath(project))
    put(
        tmp_path / "config" / "projects" / name / "memory" / "MEMORY.md",
        "- The till is called heron.\n",
    )
    assert texts(read_claude_code(str(project))) == ["Use tabs.", "The till is called heron."]
    assert texts(read_claude_code(str(project / "src"))) == ["The till is called heron."]
    assert read_claude_code(str(tmp_path)).records == ()


def test_knowledge_graphs_give_observations_that_name_their_entity(tmp_path: Path) -> None:
    said = ["Ana bakes", "is 40", 3]
    lines = [
        {"type": "entity", "name": "Ana", "entityType": "Person", "observations": said},
        {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
        {"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works_at"},
        {"type": "other"},
        "no object",
    ]
    body = "\n".join(json.dumps(line) for line in lines) + "\nnot json\n"
    reading = read_knowledge_graph(str(put(tmp_path / "memory.jsonl", body)))
    assert texts(reading) == ["Ana bakes", "Ana: is 40", "Acme: company", "Ana works at Acme"]
    assert [record["kind"] for record in reading.records] == [
        "person",
        "person",
        "company",
        "relation",
    ]
    assert sorted(problem.line for problem in reading.problems) == [1, 4, 5, 6]
    graph = {"entities": [lines[0]], "relations": [lines[2]]}
    whole = read_knowledge_graph(str(put(tmp_path / "graph.json", json.dumps(graph, indent=2))))
    assert texts(whole) == ["Ana bakes", "Ana: is 40", "Ana works at Acme"]
    assert whole.records[0]["key"] == reading.records[0]["key"]


@pytest.mark.parametrize("name", READERS)
def test_no_reader_raises_for_what_a_file_holds(tmp_path: Path, name: str) -> None:
    for number, content in enumerate(
        (
            b"",
            b"\0",
            b"\xff\xfe",
            b"[" * 100_000,
            b'{"results": 3}',
            b"[1, [2], null]",
            b"{",
            b'{"agents": [1], "blocks": {"a": 1}}',
            b"1" * 5000,
            b"---\n",
            b'[{"memory": {"a": 1}}]',
        )
    ):
        path = put(tmp_path / f"{number}.json", content)
        READERS[name](str(path))
    assert READERS[name](str(tmp_path / "missing")).problems
    assert READERS[name](str(tmp_path / "missing")).records == ()


def test_limits_are_kept_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign_gather, "MAX_RECORDS", 2)
    monkeypatch.setattr(foreign_gather, "TEXT_LENGTH", 10)
    data = [{"id": n, "memory": "x" * 20} for n in range(5)]
    reading = read_mem0(str(put(tmp_path / "m.json", json.dumps(data))))
    assert texts(reading) == ["x" * 10 + "…"] * 2
    assert [problem.text for problem in reading.problems][-1] == "3 records are over the limit of 2"
    monkeypatch.setattr(foreign_gather, "EXPORT_BYTES", 100)
    assert "larger" in read_mem0(str(tmp_path / "m.json")).problems[0].text
    for number in range(4):
        put(tmp_path / "notes" / f"{number}.md", "text")
    monkeypatch.setattr(foreign_gather, "MAX_FILES", 1)
    assert "more than 1 files" in read_basic_memory(str(tmp_path / "notes")).problems[-1].text


def test_a_hostile_line_costs_no_time(tmp_path: Path) -> None:
    path = put(tmp_path / "a.md", "- " + " " * 400_000 + "x [[y\n- [ab] " + "( " * 100_000)
    started = time.perf_counter()
    read_basic_memory(str(path))
    assert time.perf_counter() - started < 2


def test_equal_files_give_equal_records_with_keys_of_their_own(tmp_path: Path) -> None:
    put(tmp_path / "a.md", "- [x1] same\n- [x1] same\n\nprose\n\nprose\n")
    once, again = read_basic_memory(str(tmp_path)), read_basic_memory(str(tmp_path))
    assert once == again
    assert len({record["key"] for record in once.records}) == len(once.records) == 4
