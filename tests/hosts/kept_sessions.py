"""Sessions in the form in which each host keeps them, as the real programs wrote them when they were asked."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

AT = 1_772_359_200_000  # 2026-03-01T10:00:00Z
ISO = "2026-03-01T10:00:0{}.000Z"
RULE, CALL, RESULT, SAID = "Never deploy on Fridays.", "echo hello", "hello\n", "Noted."
# What each of them tells: role and the kinds of its parts.
TOLD = [
    ("user", ["text"]),
    ("assistant", ["text"]),
    ("user", ["text"]),
    ("assistant", ["tool_call"]),
    ("tool", ["tool_result"]),
    ("assistant", ["text"]),
]


def put(path: Path, *lines: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def pi(home: Path, folder: str, name: str) -> Path:
    def line(id_: str, parent: str | None, **said: Any) -> dict[str, Any]:
        at = {"id": id_, "parentId": parent, "timestamp": ISO.format(1)}
        return {"type": "message", **at, "message": {**said, "timestamp": AT + 1_000}}

    def text(said: str) -> list[dict[str, Any]]:
        return [{"type": "text", "text": said}]

    call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": CALL}}
    thought = {"type": "thinking", "thinking": "Hm."}
    return put(
        home / ".pi" / "agent" / "sessions" / "--shop--" / f"2026_{name}.jsonl",
        {"type": "session", "version": 3, "id": name, "timestamp": ISO.format(0), "cwd": folder},
        {"type": "model_change", "id": "a", "parentId": None, "timestamp": ISO.format(0)},
        line("b", "a", role="user", content=text(RULE)),
        line("c", "b", role="assistant", content=text(SAID)),
        line("x", "c", role="user", content=text("A question that was taken back.")),
        line("d", "c", role="user", content=text("Run the tests.")),
        line("e", "d", role="assistant", content=[thought, call]),
        line("f", "e", role="toolResult", toolCallId="c1", toolName="bash", content=text(RESULT)),
        line("g", "f", role="custom", customType="cogmem", content="# Memory"),
        line("h", "g", role="assistant", content=text(SAID)),
    )


def qwen(home: Path, folder: str, name: str) -> Path:
    def line(kind: str, *parts: dict[str, Any]) -> dict[str, Any]:
        own = {"uuid": "u", "sessionId": name, "timestamp": ISO.format(1), "cwd": folder}
        return {**own, "type": kind, "message": {"role": "user", "parts": list(parts)}}

    call = {"id": "c1", "name": "run_shell_command", "args": {"command": CALL}}
    return put(
        home / ".qwen" / "projects" / "-shop" / "chats" / f"{name}.jsonl",
        line("user", {"text": RULE}),
        {"type": "system", "sessionId": name, "cwd": folder, "subtype": "ui_telemetry"},
        line("assistant", {"text": SAID}),
        line("user", {"text": "Run the tests."}),
        line("assistant", {"text": "Hm.", "thought": True}, {"functionCall": call}),
        line("tool_result", {"functionResponse": {"id": "c1", "response": {"output": RESULT}}}),
        line("assistant", {"text": SAID}),
    )


def copilot(home: Path, folder: str, name: str) -> Path:
    def line(kind: str, **data: Any) -> dict[str, Any]:
        return {"type": kind, "data": data, "id": "i", "timestamp": ISO.format(1), "parentId": "p"}

    call = {"toolCallId": "c1", "name": "bash", "arguments": {"command": CALL}}
    start = {"sessionId": name, "startTime": ISO.format(0), "context": {"cwd": folder}}
    return put(
        home / ".copilot" / "session-state" / name / "events.jsonl",
        {**line("session.start", **start), "parentId": None},
        line("user.message", content=RULE, transformedContent=f"<current_datetime>\n{RULE}"),
        line("system.message", content="You are the GitHub Copilot CLI."),
        line("assistant.message", content=SAID, toolRequests=[]),
        line("user.message", content="Run the tests."),
        line("assistant.message", content="", toolRequests=[call]),
        line("tool.execution_complete", toolCallId="c1", result={"content": RESULT}),
        line("assistant.message", content=SAID, toolRequests=[]),
    )


def opencode(home: Path, folder: str, name: str) -> Path:
    """Its database, and in it a session of a sub-agent too."""
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(
            "create table session (id text primary key, parent_id text, directory text not null, title text,"
            " revert text, time_created integer not null, time_updated integer not null);"
            "create table message (id text primary key, session_id text not null, data text not null);"
            "create table part (id text primary key, message_id text not null, session_id text not null,"
            " data text not null)"
        )
        for id_, parent in ((name, None), ("ses_helper", name)):
            db.execute(
                "insert into session values (?, ?, ?, 'A talk', null, ?, ?)",
                (id_, parent, folder, AT, AT + 9_000),
            )
        for said in opencode_messages():
            _keep(db, said["info"]["id"], name, said)
        _keep(db, "msg_h", "ses_helper", {"info": {"role": "user"}, "parts": [text("Look.")]})
    return path


def text(said: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **more}


def _keep(db: sqlite3.Connection, id_: str, session: str, said: dict[str, Any]) -> None:
    db.execute("insert into message values (?, ?, ?)", (id_, session, json.dumps(said["info"])))
    for number, part in enumerate(said["parts"]):
        row = (f"prt_{id_}_{number}", id_, session, json.dumps(part))
        db.execute("insert into part values (?, ?, ?, ?)", row)


def opencode_messages() -> list[dict[str, Any]]:
    tool = {
        "type": "tool",
        "tool": "bash",
        "callID": "c1",
        "state": {"status": "completed", "input": {"command": CALL}, "output": RESULT},
    }
    told = [
        ("user", [text(RULE), text("# Memory", synthetic=True)]),
        ("assistant", [{"type": "step-start"}, text(SAID)]),
        ("user", [text("Run the tests.")]),
        ("assistant", [tool]),
        ("assistant", [text(SAID)]),
    ]
    return [
        {"info": {"id": f"msg_{n}", "role": role, "time": {"created": AT + n}}, "parts": parts}
        for n, (role, parts) in enumerate(told)
    ]


def opencode_export(home: Path, folder: str, name: str) -> Path:
    """What `opencode export` writes."""
    file = home / "exported.json"
    info = {"id": name, "slug": "shop", "directory": folder, "time": {"created": AT}}
    file.write_text(json.dumps({"info": info, "messages": opencode_messages()}, indent=2))
    return file


def cursor(home: Path, folder: str, name: str) -> Path:
    """The editor's database: a talk, its bubbles, and a talk that never began."""
    call = {
        "name": "run_terminal_cmd",
        "toolCallId": "c1",
        "rawArgs": json.dumps({"command": CALL}),
    }
    bubbles = [
        {"type": 1, "text": RULE, "workspaceUris": [f"file://{folder}"]},
        {"type": 2, "text": SAID},
        {"type": 1, "text": "Run the tests."},
        {"type": 2, "text": "", "toolFormerData": {**call, "result": RESULT}},
        {"type": 2, "text": "", "thinking": {"text": "Hm."}},
        {"type": 2, "text": SAID},
    ]
    path = home / ".config" / "Cursor" / "User" / "globalStorage" / "state.vscdb"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        kept = "create table cursorDiskKV (key text unique on conflict replace, value blob)"
        db.execute(kept)
        heads = [{"bubbleId": f"b{n}", "type": one["type"]} for n, one in enumerate(bubbles)]
        talk = {"composerId": name, "createdAt": AT, "lastUpdatedAt": AT + 9_000}
        talks = {name: heads, "00000000-0000-0000-0000-000000000000": []}
        for key, held in talks.items():
            value = json.dumps({**talk, "composerId": key, "fullConversationHeadersOnly": held})
            db.execute("insert into cursorDiskKV values (?, ?)", (f"composerData:{key}", value))
        for n, one in enumerate(bubbles):
            value = json.dumps({**one, "bubbleId": f"b{n}", "createdAt": ISO.format(n)})
            row = (f"bubbleId:{name}:b{n}", value.encode())
            db.execute("insert into cursorDiskKV values (?, ?)", row)
    return path


def cursor_transcript(home: Path, folder: str, name: str) -> Path:
    """What its agent writes beside: no tools, and the folder as a name with dashes."""
    dashed = folder.strip("/").replace("/", "-").replace("_", "-").replace(".", "-")
    query = f"<timestamp>now</timestamp>\n<user_query>\n{RULE}\n</user_query>"
    return put(
        home / ".cursor" / "projects" / dashed / "agent-transcripts" / name / f"{name}.jsonl",
        {"role": "user", "message": {"content": [text(query)]}},
        {"role": "assistant", "message": {"content": [text(SAID)]}},
    )


NAME = "0f57cfcd-27ad-4fbf-9311-928d4ee1db46"
# host → how it is made, what its session is called
MAKERS = {
    "pi": (pi, NAME),
    "qwen": (qwen, NAME),
    "copilot": (copilot, NAME),
    "opencode": (opencode, "ses_1"),
    "cursor": (cursor, NAME),
}
