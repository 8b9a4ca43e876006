"""No secret reaches the disk through what other programs call: hooks, waiting events, MCP over HTTP, imports, shells.

Each is the real process, or the real file of events. Every field that takes text gets a secret; then all bytes of
the folder (database, log, backups, spool, marks, logs of hooks) and all that the processes said are searched.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import time
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW
from secret_texts import FORMATS, SENTENCES, leaked

import cogmem
from cogmem.hosts import spool
from cogmem.hosts.command import command
from cogmem.hosts.host import Event
from cogmem.tokens import counting

if TYPE_CHECKING:
    from pathlib import Path

FORMS = [row for row in FORMATS if len(row["value"]) >= 16 and "\n" not in row["text"]]
TOLD = [row for row in SENTENCES if len(row["value"]) > 4]


@pytest.fixture
def home(tmp_path: Path, empty_space: str) -> Path:
    shutil.copyfile(empty_space, tmp_path / "memory.db")
    with opened(tmp_path) as mem:
        mem.learn("Herons wade.", key="bird", now=NOW)
    return tmp_path


def opened(home: Path) -> cogmem.Memory:
    return cogmem.open(home / "memory.db", counter=counting.Simple())


def environment(home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_DATA_HOME": str(home / "data"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }


def run(home: Path, words: list[str], said: bytes = b"") -> bytes:
    done = subprocess.run(
        words,
        input=said,
        capture_output=True,
        timeout=60,
        check=False,
        cwd=home,
        env=environment(home),
    )
    return done.stdout + done.stderr


def fold(home: Path) -> None:
    """Wait for the process that writes down what waited, and for none to come."""
    run(home, command("fold", "claude-code", str(home / "memory.db")))
    for _ in range(200):
        if not [name for name in os.listdir(home) if ".spool" in name]:
            return
        time.sleep(0.05)


def event_of(kind: str, secret: str, home: Path) -> dict[str, Any]:
    """An event of a host with the secret in everything that it tells."""
    said = {"role": "user", "content": f"{secret} is what they said."}
    call = {"name": f"x {secret}", "arguments": {secret: [secret, {secret: secret}]}}
    return {
        "hook_event_name": kind,
        "session_id": "s1",
        "cwd": str(home),
        "prompt": f"Where do herons wade? {secret}",
        "tool_name": "Bash",
        "tool_input": {"command": f"echo {secret}", "file_path": f"/tmp/{secret}", secret: secret},
        "tool_response": {"stdout": secret, "stderr": secret, secret: secret},
        "error": secret,
        "source": "startup",
        "reason": secret,
        "last_assistant_message": secret,
        "prompt_response": secret,
        "text": secret,
        "calls": [call],
        "custom_instructions": secret,
        "agent_type": secret,
        "trigger": "auto",
        "message": said,
    }


EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart",
          "Stop", "PreCompact", "SessionEnd")  # fmt: skip


def test_no_event_of_a_host_brings_a_secret_to_the_disk(home: Path) -> None:
    rows = cycle([*FORMS[::5], *TOLD[::5]])
    tried: dict[str, str] = {}
    told = b""
    for name in EVENTS:
        names = ("session_id", "transcript_path", "turn_id") if name == "UserPromptSubmit" else ()
        for field in ("", *names):
            row = next(rows)
            fields = event_of(name, row["text"], home)
            if field:
                fields = {"session_id": "s2", "cwd": str(home), "prompt": "herons?"} | {
                    field: row["text"]
                }
            tried[row["value"]] = f"{name} {field}"
            words = command(name, "claude-code", str(home / "memory.db"))
            out = run(home, words, json.dumps(fields).encode())
            told += out if name != "UserPromptSubmit" else b""
    talk = home / "talk"
    with_talk = {"session_id": "s3", "cwd": str(home), "transcript_path": f"{talk}.jsonl"}
    lines = [
        {"type": "user", "message": {"role": "user", "content": row["text"]}}
        for row in (FORMS[1], TOLD[1])
    ]
    outside = home.parent / f"{home.name}-talk.jsonl"
    outside.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with_talk["transcript_path"] = str(outside)
    tried |= {row["value"]: "transcript" for row in (FORMS[1], TOLD[1])}
    run(
        home,
        command("Stop", "claude-code", str(home / "memory.db")),
        json.dumps(with_talk).encode(),
    )
    fold(home)
    with opened(home) as mem:
        assert mem.file.check() == []
        assert mem.turns.list(everywhere=True)
        assert mem.conversations.list(everywhere=True)
        mem.file.backup(now=NOW)
    assert leaked(str(home), tried) == {}
    assert not [value for value in tried if value.encode() in told]


def test_what_waits_beside_the_file_holds_no_secret(home: Path) -> None:
    """While another process holds the file, events wait in one of their own: no guard of a memory has read them."""
    tried = {}
    for number, row in enumerate([*FORMS, *TOLD]):
        event = Event(
            "stop", "claude-code", event_of("Stop", row["text"], home) | {"turn_id": row["text"]}
        )
        if number % 2:
            event = Event(
                "prompt", "claude-code", {"session_id": row["text"], "prompt": row["text"]}
            )
        spool.keep(str(home / "memory.db"), event, False)
        tried[row["value"]] = "spool"
    assert len(tried) > 100
    assert leaked(str(home), tried) == {}


def test_no_import_brings_a_secret_to_the_disk_and_no_error_repeats_one(home: Path) -> None:
    """Each column of an export with a secret in it, as lines of JSON and as a table."""
    export = run(
        home, [sys.executable, "-m", "cogmem", "--db", str(home / "memory.db"), "file", "export"]
    )
    kept = [json.loads(line) for line in export.splitlines()]
    texts = sorted({
        (line.get("table", ""), name)
        for line in kept
        for name, value in line.items()
        if isinstance(value, str) and name != "table"
    })  # fmt: skip
    plain = {
        "content": "Herons wade.",
        "kind": "fact",
        "key": "",
        "tags": [],
        "path_glob": "",
        "user": "",
        "project": "",
    }
    rows = cycle([*FORMS, *TOLD])
    tried: dict[str, str] = {}
    files = []
    others = ("runtime", "session", "data", "topic", "uid", "source", "state", FORMS[3]["text"])
    for number, name in enumerate([*plain, *others]):
        row = next(rows)
        line = {**plain, "content": f"Pond {number} has {number + 3} herons."}
        line[name] = (
            [row["text"]]
            if name == "tags"
            else {"note": row["text"]}
            if name == "data"
            else row["text"]
        )
        other = {**plain, "content": f"{row['text']} is what they use at pond {number}."}
        file = home.parent / f"{home.name}-{number}.jsonl"
        good = "".join(json.dumps(one) + "\n" for one in (line, other))
        file.write_text(f"{good}{{broken {row['text']}\n")
        files.append(file)
        tried[row["value"]] = f"import {name}"
    for number, (table, name) in enumerate(texts):
        row = next(rows)
        lines = [
            {**line, name: row["text"]} if line.get("table", "") == table and name in line else line
            for line in kept
        ]
        file = home.parent / f"{home.name}-whole-{number}.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        files.append(file)
        tried.setdefault(row["value"], f"import whole {table}.{name}")
    row = next(rows)
    table_text = io.StringIO()
    csv.writer(table_text).writerows(
        [["content", "key", row["text"]], [row["text"], row["text"], row["text"]]]
    )
    file = home.parent / f"{home.name}.csv"
    file.write_text(table_text.getvalue())
    tried[row["value"]] = "import csv"
    said = b""
    script = (
        "import sys\nfrom cogmem.cli.app import app\n"
        "for name in sys.argv[2:]:\n"
        "    words = ['--db', sys.argv[1], 'file', 'import', '--keep-good', '--guarded', name]\n"
        "    try:\n        app.main(words)\n"
        "    except BaseException as error:\n        print(error, file=sys.stderr)\n"
    )
    said += run(
        home, [sys.executable, "-c", script, str(home / "memory.db"), *map(str, [*files, file])]
    )
    with opened(home) as mem:
        assert mem.file.check() == []
        stored = mem.list(everywhere=True, state="candidate")
        assert len(stored) > 5, "some lines were good but for their secret"
        mem.file.backup(now=NOW)
    assert len(tried) > 20
    assert leaked(str(home), tried) == {}
    assert not {door for value, door in tried.items() if value.encode() in said}, said


def test_no_argument_of_a_command_brings_a_secret_to_the_disk(home: Path) -> None:
    rows = cycle([*FORMS[::3], *TOLD[::3]])
    commands = [
        ["learn", "{}"], ["learn", "Herons.", "--key", "{}"], ["learn", "Herons.", "--tag", "{}"],
        ["learn", "Herons.", "--path", "{}"], ["--user", "{}", "learn", "Herons."],
        ["--project", "{}", "learn", "Herons."], ["learn", "episode", "{}"],
        ["learn", "procedure", "{}", "look", "wade"], ["learn", "procedure", "wade", "{}"],
        ["capture", "Always {}"], ["recall", "{}"], ["activate", "{}"],
        ["list", "--kind", "{}"], ["get", "{}"], ["update", "bird", "{}"], ["remove", "{}"],
        ["remove", "bird", "--reason", "{}"], ["setting", "set", "stop_words", "{}"], ["setting", "set", "{}", "1"],
        ["setting", "kind", "add", "{}"], ["why", "{}"], ["log", "{}"], ["undo", "{}"], ["forget", "{}"],
        ["sql", "select '{}'"], ["fact", "supersede", "bird", "{}"], ["restore", "{}"], ["chat", "show", "{}"],
    ]  # fmt: skip
    tried: dict[str, str] = {}
    given = []
    for words in commands:
        row = next(rows)
        given.append([word.replace("{}", row["text"]) for word in words])
        tried[row["value"]] = " ".join(words)
    script = (
        "import json, sys\nfrom cogmem.cli.app import app\n"
        "for words in json.load(sys.stdin):\n"
        "    try:\n        app.main(['--db', sys.argv[1], *words])\n"
        "    except BaseException as error:\n        print(error, file=sys.stderr)\n"
    )
    run(home, [sys.executable, "-c", script, str(home / "memory.db")], json.dumps(given).encode())
    with opened(home) as mem:
        assert mem.file.check() == []
        mem.file.backup(now=NOW)
    assert leaked(str(home), tried) == {}
