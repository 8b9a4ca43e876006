"""What OpenCode, Cursor, pi, Copilot CLI and Qwen Code keep of their sessions is found, read and recorded.

Modules: cursor, lines.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import kept_sessions
import pytest
from click.testing import CliRunner
from kept_sessions import CALL, MAKERS, NAME, RESULT, RULE, SAID, TOLD

import cogmem
from cogmem.cli.app import app
from cogmem.hosts import backfill, reading, transcript, whose
from cogmem.scope import project_of

if TYPE_CHECKING:
    from pathlib import Path

    from cogmem.conversation.record import Entry


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    house = tmp_path / "home"
    (house / "shop").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(house))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "COPILOT_HOME", "PI_CODING_AGENT_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COGMEM_DB"):
        monkeypatch.delenv(name, raising=False)
    return house


def read(host: str, path: str) -> list[Entry]:
    return list(transcript.entries(reading.lines(host, path), 5))


@pytest.mark.parametrize("host", MAKERS)
def test_each_session_is_read_with_its_calls_and_without_what_nobody_said(
    home: Path, host: str
) -> None:
    make, name = MAKERS[host]
    make(home, str(home / "shop"), name)
    (one,) = backfill.sessions()
    assert (one.host, one.name, one.folder) == (host, name, str(home / "shop"))
    said = read(host, one.path)
    assert [(entry[0], [part["type"] for part in entry[1]]) for entry in said] == TOLD
    assert [said[0][1][0]["text"], said[5][1][0]["text"]] == [RULE, SAID]
    assert CALL in json.dumps(said[3][1])
    assert said[4][1][0]["content"] == RESULT
    assert all(entry[3] > kept_sessions.AT - 1 for entry in said), "with the instants of the host"


@pytest.mark.parametrize("host", MAKERS)
def test_it_goes_into_its_project_once_and_can_be_taken_back(
    home: Path, path: str, host: str
) -> None:
    make, name = MAKERS[host]
    make(home, str(home / "shop"), name)
    with cogmem.open(path, project=project_of(str(home / "shop")).id) as mem:
        done = backfill.record(mem, backfill.waiting(mem, backfill.sessions()))
        assert (done.sessions, done.messages, done.faults) == (1, len(TOLD), [])
        assert [row.name for row in mem.conversations.list()] == [name]
        assert backfill.waiting(mem, backfill.sessions()) == []
        mem.backfilled.undo(done.batch, now=mem.instant(None))
        assert mem.conversations.list(everywhere=True) == []
        assert mem.file.check() == []


@pytest.mark.parametrize("host", ["pi", "opencode", "cursor"])
def test_a_talk_that_hooks_recorded_in_their_own_words_stays_as_it_is(
    home: Path, path: str, host: str
) -> None:
    make, name = MAKERS[host]
    make(home, str(home / "shop"), name)
    with cogmem.open(path, project=project_of(str(home / "shop")).id) as mem:
        talk = mem.conversation(name)
        for said in (RULE, "Run the tests."):
            talk.append("user", said)
            talk.append("assistant", SAID)
        done = backfill.record(mem, backfill.waiting(mem, backfill.sessions()))
        assert (done.messages, done.faults) == (0, [])
        assert [message.text for message in talk.messages()] == [RULE, SAID, "Run the tests.", SAID]
        mem.backfilled.undo(done.batch, now=mem.instant(None))
        assert len(talk.messages()) == 4


@pytest.mark.parametrize("host", MAKERS)
def test_chat_import_knows_each_by_its_form(home: Path, path: str, host: str) -> None:
    make, name = MAKERS[host]
    file = make(home, str(home / "shop"), name)
    assert whose.whose(str(file))[0] == host
    before = imported(path, str(file), "--dry-run")
    assert (before["appended"], before["before"], before["after"]) == (6, 0, 6)
    done = imported(path, str(file))
    assert (done["format"], done["conversations"]) == (host, {name: 6})
    assert (done["before"], done["after"], done["bad"]) == (0, 6, [])
    again = imported(path, str(file), "--format", host)
    assert (again["appended"], again["unchanged"], again["before"]) == (0, 6, 6)


def test_a_whole_folder_is_one_act(home: Path, path: str) -> None:
    for host, (make, name) in MAKERS.items():
        make(home / host, str(home / "shop"), name if host == "opencode" else f"{host}-{name}")
    kept_sessions.opencode_export(home / "pi", str(home / "shop"), "ses_2")
    done = imported(path, str(home))
    assert (len(done["conversations"]), done["appended"]) == (6, 6 * len(TOLD))
    assert done["format"] == "copilot, cursor, opencode, pi, qwen"
    undone = run(path, "chat", "import", "--undo", "last")
    assert undone.startswith("took back 6 conversations")
    assert imported(path, str(home))["before"] == 0


def test_cursors_transcripts_count_where_its_database_has_no_such_talk(home: Path) -> None:
    (home / "shop" / "my-farm").mkdir()
    folder = str(home / "shop" / "my-farm")
    kept_sessions.cursor_transcript(home, folder, NAME)
    (one,) = backfill.sessions(["cursor"])
    assert (one.name, one.folder) == (NAME, folder)
    assert [entry[1][0]["text"] for entry in read("cursor", one.path)] == [RULE, SAID]
    kept_sessions.cursor(home, folder, NAME)
    (one,) = backfill.sessions(["cursor"])
    assert len(read("cursor", one.path)) == 6


def test_the_windows_of_cursor_tell_where_a_talk_ran(home: Path) -> None:
    file = kept_sessions.cursor(home, "/elsewhere", NAME)
    window = file.parents[1] / "workspaceStorage" / "w1"
    window.mkdir(parents=True)
    (window / "workspace.json").write_text(json.dumps({"folder": f"file://{home}/shop"}))
    with closing(sqlite3.connect(window / "state.vscdb")) as db, db:
        db.execute("create table ItemTable (key text unique, value blob)")
        held = json.dumps({"allComposers": [{"composerId": NAME}]})
        db.execute("insert into ItemTable values ('composer.composerData', ?)", (held,))
    (one,) = backfill.sessions(["cursor"])
    assert one.folder == str(home / "shop")


def test_what_a_person_took_back_in_opencode_is_not_recorded(home: Path) -> None:
    file = kept_sessions.opencode(home, str(home / "shop"), "ses_1")
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("update session set revert = ? where id = 'ses_1'", ('{"messageID": "msg_2"}',))
    (one,) = backfill.sessions(["opencode"])
    assert [entry[0] for entry in read("opencode", one.path)] == ["user", "assistant"]


@pytest.mark.parametrize("host", ["opencode", "cursor"])
def test_a_damaged_database_stops_nothing(home: Path, path: str, host: str) -> None:
    make, name = MAKERS[host]
    file = make(home, str(home / "shop"), name)
    (one,) = backfill.sessions([host])
    file.write_bytes(file.read_bytes()[:100] + b"\xff" * 5_000)
    assert backfill.sessions([host]) == []
    with cogmem.open(path) as mem:
        done = backfill.record(mem, [one])
        assert (done.messages, len(done.faults)) == (0, 1)


def imported(path: str, *words: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(run(path, "chat", "import", *words, "--json"))
    return found


def run(path: str, *words: str) -> str:
    done = CliRunner().invoke(app, ["--db", path, *words], prog_name="cogmem")
    assert done.exit_code == 0, done.output
    return done.stdout
