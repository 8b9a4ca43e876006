"""Sessions that hosts kept before cogmem was there are recorded once, into their projects, and can be taken back.

Modules: reading, session, talk_files, hear.old_talk, conversation.backfilled.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from processes import ran

import cogmem
from cogmem.conversation.record import Talk
from cogmem.hosts import backfill, reading, transcript
from cogmem.scope import project_of
from cogmem.text.lines import sha256

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

AT = "2026-03-0{}T10:00:00.000Z"
RULE = "Never use npm here, always use pnpm."


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home folder with two projects and the sessions of three hosts."""
    house = tmp_path / "home"
    for name in ("shop", "farm"):
        (house / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(house))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COGMEM_DB"):
        monkeypatch.delenv(name, raising=False)
    claude(house, "c1", "shop", [RULE, "The shop opens at nine."])
    claude(house, "c2", "farm", ["We sow barley in March."])
    codex(house, "x1", "farm", "The tractor is called Greta.")
    gemini(house, "g1", "shop", "Refunds take three days.")
    return house


def put(path: Path, *lines: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def claude(house: Path, name: str, project: str, said: list[str], **more: object) -> Path:
    own = {"sessionId": name, "cwd": str(house / project), **more}
    path = house / ".claude" / "projects" / f"-{project}" / f"{name}.jsonl"
    lines: list[Any] = [{"type": "summary", "summary": "A talk."}]
    for number, text in enumerate(said, 1):
        at = {"timestamp": AT.format(number), **own}
        lines.append({"type": "user", "message": {"role": "user", "content": text}, **at})
        answer = [{"type": "text", "text": f"Noted, {number}."}]
        lines.append(
            {"type": "assistant", "message": {"role": "assistant", "content": answer}, **at}
        )
    put(path, *lines)
    return path


def codex(house: Path, name: str, project: str, said: str) -> None:
    meta = {"id": name, "cwd": str(house / project), "timestamp": AT.format(3)}
    message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": said}]}
    put(
        house / ".codex" / "sessions" / "2026" / "03" / f"rollout-{name}.jsonl",
        {"type": "session_meta", "payload": meta},
        {"type": "response_item", "timestamp": AT.format(3), "payload": message},
    )


def gemini(house: Path, name: str, project: str, said: str) -> None:
    folder = str(house / project)
    put(house / ".gemini" / "projects.json", {"projects": {folder: project}})
    hashed = sha256(folder.encode()).hexdigest()
    talk = {
        "sessionId": name,
        "projectHash": hashed,
        "startTime": AT.format(4),
        "messages": [{"type": "user", "content": said, "timestamp": AT.format(4)}],
    }
    put(house / ".gemini" / "tmp" / hashed / "chats" / f"session-{name}.json", talk)


def filled(mem: cogmem.Memory) -> backfill.Recorded:
    return backfill.record(mem, backfill.waiting(mem, backfill.sessions()))


def test_the_sessions_of_all_hosts_are_found_with_their_projects(home: Path) -> None:
    found = {one.name: one for one in backfill.sessions()}
    assert {name: (one.host, one.label) for name, one in found.items()} == {
        "c1": ("claude-code", "shop"),
        "c2": ("claude-code", "farm"),
        "x1": ("codex", "farm"),
        "g1": ("gemini", "shop"),
    }
    assert found["c1"].project == project_of(str(home / "shop")).id
    assert [one.name for one in backfill.sessions(["codex"])] == ["x1"]


def test_each_goes_into_its_project_and_what_is_said_there_is_found_there(
    home: Path, path: str
) -> None:
    with cogmem.open(path) as mem:
        assert filled(mem).sessions == 4
    with cogmem.open(path, project=project_of(str(home / "shop")).id) as mem:
        said = " ".join(one.content for one in mem.recall("when does the shop open, and refunds?"))
        assert "The shop opens at nine." in said
        assert "Refunds take three days." in said
        assert "barley" not in said
        assert mem.file.check() == []


@pytest.mark.usefixtures("home")
def test_what_the_rules_hear_waits_for_a_yes(path: str) -> None:
    with cogmem.open(path) as mem:
        assert filled(mem).proposed >= 1
        held = mem.list(state="candidate", everywhere=True)
        assert RULE.rstrip(".") in [one.content for one in held]
        assert mem.list(state="active", everywhere=True) == []


def test_nothing_becomes_true_unasked_and_the_best_wait(
    home: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "MOST", 3)
    claude(home, "c3", "shop", ["Always run the tests before you push."])
    claude(home, "c4", "shop", ["Always run the tests before you push."])
    claude(home, "c5", "shop", ["Always use pnpm here."])
    claude(home, "c6", "shop", ["Always use yarn here instead of pnpm."])
    birds = "robin wren heron stork crane swift raven crow finch"
    acts = ("Always ask {} before you deploy.", "Never delete the logs of {}.")
    birds = [act.format(bird) for bird in birds.split() for act in acts]
    claude(home, "c7", "shop", birds)
    with cogmem.open(path) as mem:
        done = filled(mem)
        waiting = mem.list(state="candidate", everywhere=True, limit=0)
        assert done.proposed == len(waiting) == 3
        assert [one for one in waiting if one.content.startswith("Always run the tests")]
        assert mem.list(state="active", everywhere=True) == [], "said twice is not said yes"
        again = filled(mem)
        assert (again.sessions, again.proposed) == (0, 0)
        mem.backfilled.undo(done.batch)
        for state in ("candidate", "active", "archived"):
            assert mem.list(state=state, everywhere=True) == []
        assert mem.file.check() == []


@pytest.mark.usefixtures("home")
def test_another_call_records_nothing_twice(path: str) -> None:
    with cogmem.open(path) as mem:
        filled(mem)
        before = mem.db.ask("select count(*) from message")
        assert backfill.waiting(mem, backfill.sessions()) == []
        mem.db.ask("delete from transcript")  # not even if nothing was noted
        assert filled(mem).messages == 0
        assert mem.db.ask("select count(*) from message") == before


def test_a_session_that_went_on_brings_only_what_is_new(home: Path, path: str) -> None:
    with cogmem.open(path) as mem:
        filled(mem)
        claude(home, "c2", "farm", ["We sow barley in March.", "And oats in April."])
        assert [one.name for one in backfill.waiting(mem, backfill.sessions())] == ["c2"]
        assert filled(mem).messages == 2


@pytest.mark.usefixtures("home")
def test_one_act_takes_it_back(path: str) -> None:
    with cogmem.open(path) as mem:
        done = filled(mem)
        assert done.proposed
        assert mem.backfilled.undo(done.batch, now=mem.instant(None)).conversations == 4
        for table in (
            "message",
            "memory",
            "said",
            "said_word",
            "link",
            "transcript",
            "conversation",
        ):
            assert mem.db.ask(f"select count(*) from {table}") == [(0,)], table
        assert mem.db.ask(
            "select count(*) from change where after glob '*pnpm*' or before glob '*pnpm*'"
        ) == [(0,)]
        assert filled(mem).sessions == 4, "another call finds them again"
        assert mem.file.check() == []


def test_a_talk_that_a_hook_recorded_is_not_taken_away_with_it(home: Path, path: str) -> None:
    with cogmem.open(path, project=project_of(str(home / "farm")).id) as mem:
        mem.conversation("c2").append("user", "We sow barley in March.")
        done = filled(mem)
        mem.backfilled.undo(done.batch, now=mem.instant(None))
        assert [row.name for row in mem.conversations.list(everywhere=True)] == ["c2"]


def test_a_talk_that_went_on_since_stays_whole(home: Path, path: str) -> None:
    with cogmem.open(path, project=project_of(str(home / "farm")).id) as mem:
        done = filled(mem)
        claude(home, "c2", "farm", ["We sow barley in March.", "And oats in April."])
        filled(mem)
        mem.conversation("c2").append("user", "The oats are in.")
        back = mem.backfilled.undo(done.batch, now=mem.instant(None))
        assert (back.conversations, back.went_on) == (3, 1)
        said = [one.text for one in mem.conversation("c2").messages()]
        assert said[::2] == ["We sow barley in March.", "And oats in April.", "The oats are in."]
        assert mem.file.check() == []


def test_what_somebody_keeps_while_it_is_taken_back_stays(
    path: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cogmem.open(path, project=project_of(str(home / "shop")).id) as mem:
        done = filled(mem)
        rule, *_ = mem.list(state="candidate")
        forget = type(mem.backfilled)._forget

        def late(it: Any, uids: list[str], at: int) -> None:
            mem.keep(rule.uid)
            forget(it, uids, at)

        monkeypatch.setattr(type(mem.backfilled), "_forget", late)
        mem.backfilled.undo(done.batch, now=mem.instant(None))
        assert [one.uid for one in mem.list(state="active")] == [rule.uid]


def test_what_a_hook_records_meanwhile_is_not_recorded_twice(
    home: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cogmem.open(path, project=project_of(str(home / "farm")).id) as mem:
        pieces = reading.pieces

        def late(*given: Any) -> Iterator[Any]:
            mem.conversation("c2").append("user", "We sow barley in March.")
            yield from pieces(*given)

        monkeypatch.setattr(reading, "pieces", late)
        done = filled(mem)
        assert [why for _, why in done.faults] == [
            "c2 is being recorded elsewhere: run the same again"
        ]
        assert done.sessions == 3
        monkeypatch.setattr(reading, "pieces", pieces)
        assert filled(mem).messages == 1
        said = [one.text for one in mem.conversation("c2").messages()]
        assert said == ["We sow barley in March.", "Noted, 1."]


def test_what_a_backfill_records_meanwhile_a_hook_does_not_record_again(
    home: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = claude(home, "c2", "farm", ["We sow barley in March."])
    project = project_of(str(home / "farm")).id
    with cogmem.open(path, project=project) as mem, cogmem.open(path) as other:
        talk = mem.conversation("c2")
        row = Talk.row

        def late(it: Talk, *given: Any, **also: Any) -> Any:
            monkeypatch.setattr(Talk, "row", row)
            filled(other)
            return row(it, *given, **also)

        monkeypatch.setattr(Talk, "row", late)
        now = int(time.time() * 1000)
        transcript.bring_up_to_date(talk, transcript.read(str(file), now), now)
        said = [one.text for one in talk.messages()]
        assert said == ["We sow barley in March.", "Noted, 1."]


def test_secrets_are_taken_out_and_subagents_stay_out(home: Path, path: str) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    claude(home, "c3", "shop", [f"My token is {token}."])
    claude(home, "agent-1", "shop", ["Look at this."], isSidechain=True)
    with cogmem.open(path) as mem:
        assert "agent-1" not in [one.name for one in backfill.sessions()]
        filled(mem)
        assert token not in str(mem.db.ask("select text, parts from message"))


def test_a_project_that_is_gone_keeps_its_sessions_apart(home: Path) -> None:
    (home / "farm").rmdir()
    found = {one.name: one for one in backfill.sessions()}
    assert found["c2"].project == found["x1"].project != ""
    assert found["c2"].label == "farm"


@pytest.mark.parametrize("size", [0, 1 << 40], ids=["in processes", "in one"])
def test_after_a_kill_it_goes_on_where_it_was(home: Path, path: str, size: int) -> None:
    for number in range(4):
        claude(home, f"long{number}", "shop", [f"Line {n} of {number}." for n in range(1, 9)])
    program = (
        "import os, sys, cogmem\n"
        "from cogmem.hosts import backfill, reading\n"
        f"backfill.AT_ONCE, reading.WORTH_IT = 3, {size}\n"
        "with cogmem.open(sys.argv[1]) as mem:\n"
        "    def stop(done, total):\n"
        "        if done > total / 2: os.kill(os.getpid(), 9)\n"
        "    backfill.record(mem, backfill.waiting(mem, backfill.sessions()), progress=stop)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], env=os.environ, check=False)
    assert done.returncode == -signal.SIGKILL
    with cogmem.open(path) as mem:
        filled(mem)
        assert mem.db.ask("select count(*) from message") == [(4 * 16 + 4 + 2 + 1 + 1,)]
        assert mem.file.check() == []
        for one in mem.backfilled.batches():
            mem.backfilled.undo(one.batch)
        assert mem.db.ask("select count(*) from message") == [(0,)], "what was killed goes too"


def test_processes_record_what_one_would(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        claude(home, f"more{number}", "shop", [f"Line {n} of {number}." for n in range(1, 30)])
    kept = []
    for size in (1 << 40, 0):
        monkeypatch.setattr(reading, "WORTH_IT", size)
        with cogmem.open(tmp_path / f"{size}.db") as mem:
            assert filled(mem).faults == []
            kept.append(
                mem.db.ask(
                    "select c.name, m.seq, m.role, m.text, m.parts, m.terms, m.content_hash from message m"
                    " join conversation c on c.id = m.conversation_id order by c.name, m.seq"
                )
            )
            assert mem.file.check() == []
    assert kept[0] == kept[1]


def test_a_reader_ends_with_the_one_who_started_it() -> None:
    words = [sys.executable, "-P", "-m", "cogmem.hosts.reading"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, timeout=60, check=True)
    assert done.returncode == 0


@pytest.mark.usefixtures("home")
def test_a_reader_that_ends_too_soon_is_told_and_another_call_goes_on(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "WORTH_IT", 0)
    with cogmem.open(path) as mem:
        with monkeypatch.context() as broken:
            broken.setattr(sys, "executable", "/bin/false")
            assert "run the same again" in filled(mem).faults[0][1]
        assert filled(mem).sessions == 4


def test_of_what_tools_were_given_and_answered_the_head_and_the_tail_are_kept(
    home: Path, path: str
) -> None:
    lines = [f"line {number}" for number in range(5_000)]
    key = ["-----BEGIN RSA PRIVATE KEY-----", *(["QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB" * 2] * 60)]
    lines[100:100] = [*key, "-----END RSA PRIVATE KEY-----"]
    call = {"type": "tool_use", "id": "t", "name": "Write", "input": {"content": "\n".join(lines)}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "\n".join(lines[:180])}
    own = {"sessionId": "w1", "cwd": str(home / "shop"), "timestamp": AT.format(1)}
    put(
        home / ".claude" / "projects" / "-shop" / "w1.jsonl",
        {"type": "assistant", "message": {"role": "assistant", "content": [call]}, **own},
        {"type": "user", "message": {"role": "user", "content": [result]}, **own},
        {"type": "user", "message": {"role": "user", "content": "word " * 9_000}, **own},
    )
    with cogmem.open(path) as mem:
        filled(mem)
        rows = mem.db.ask(
            "select m.parts || m.text from message m join conversation c on c.id = m.conversation_id"
            " where c.name = 'w1' order by m.seq"
        )
        given, answered, said = (str(row[0]) for row in rows)
        assert "line 0" in given
        assert "line 4999" in given
        assert max(len(given), len(answered)) < 3 * reading.KEPT
        assert "QUFB" not in given + answered
        assert len(said) > 40_000, "what a person says is kept whole"


def test_a_line_that_is_too_long_is_passed_over(
    home: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude(home, "c9", "shop", ["Short.", "long " * 2_000, "Short again."])
    monkeypatch.setattr(reading, "LONGEST", 5_000)
    with cogmem.open(path) as mem:
        filled(mem)
        told = mem.db.ask("select text from message where text like 'Short%' or text like 'long%'")
        assert told == [("Short.",), ("Short again.",)]


@pytest.mark.usefixtures("home")
def test_in_the_background_it_goes_on_by_itself(path: str) -> None:
    command = [sys.executable, "-m", "cogmem", "--db", path, "chat", "backfill"]
    words = [*command, "--yes", "--background"]
    told = ran(words, check=True).stdout
    assert "goes on in the background" in told
    for _ in range(600):
        seen = ran([*command, "--dry-run", "--json"], check=True)
        left = sum(row["waiting"] for row in json.loads(seen.stdout)["sessions"])
        if not left:
            break
        time.sleep(0.1)
    assert left == 0


@pytest.mark.usefixtures("home")
def test_nothing_is_recorded_without_a_yes(path: str, program: Path) -> None:
    command = [program, "--db", path, "chat", "backfill"]
    asked = subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True
    )
    assert "nothing is recorded without a yes" in asked.stderr
    assert "farm" in asked.stdout
    said = ran([*command, "--yes", "--json"], check=True)
    assert json.loads(said.stdout)["recorded"]["sessions"] == 4
    back = ran([*command, "--undo", "last"], check=True)
    assert back.stdout.startswith("took back 4 conversations")


def test_droid_keeps_sessions_in_the_form_of_pi(home: Path, path: str) -> None:
    farm = str(home / "farm")
    said = [
        {"type": "text", "text": "<system-reminder>\nTools.\n</system-reminder>"},
        {"type": "text", "text": "Geese need a pond."},
    ]
    call = {"type": "tool_use", "id": "t", "name": "Execute", "input": {"command": "ls"}}
    answer = {"type": "tool_result", "tool_use_id": "t", "content": "hay"}
    at = {"type": "message", "timestamp": AT.format(5)}
    put(
        home / ".factory" / "sessions" / "-farm" / "d1.jsonl",
        {"type": "session_start", "id": "d1", "cwd": farm},
        {**at, "id": "a", "message": {"role": "user", "content": said}},
        {**at, "id": "b", "parentId": "a", "message": {"role": "assistant", "content": [call]}},
        {**at, "id": "c", "parentId": "b", "message": {"role": "user", "content": [answer]}},
    )
    with cogmem.open(path) as mem:
        assert filled(mem).sessions == 5
    with cogmem.open(path, project=project_of(farm).id) as mem:
        told = [one.told() for one in mem.conversation("d1").messages()]
        assert told == ["Geese need a pond.", 'Execute({"command": "ls"})', "hay"]
