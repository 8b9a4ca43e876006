"""Every command once on a memory that lies on three real nodes: what is for files alone says what to do instead."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from nodes import Nodes, program
from processes import ran

from cogmem.cli.app import SECTIONS, app
from cogmem.cli.call import every_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not program(), reason="rqlite is not here: make test-cluster"),
]

# One call a line, in an order in which each finds what it needs; words in braces are filled in.
CALLS = """
learn|The build server is called heron.|--key|build
learn|The archive is on the otter.|--key|archive
learn|The kite was removed on Monday.|--key|kite
learn|The shop opens at nine.|--key|shop
learn|The shop opens at ten.|--key|shop2
learn episode|We moved the build to heron.
learn procedure|release|build|push
capture|Remember: the api speaks gRPC.
activate|Where is the build server?|--session|s
recall|heron
list
get|build
update|build|--priority|high
remove|kite
restore|kite
undo
restore|kite
review
doctor
docs collection show
docs collection prompt
edit|build|--show
fact correct|build|The build server is called egret.
fact supersede|shop|shop2
fact retire|{archive}
bulk move|kite|--to-user|ben
fact conflicts
fact conflicts list
fact merge|{archive}|{build}
fact conflicts resolve|{shop}|{shop2}
bulk|tag|bird|--kind|fact
file stats
sql|select count(*) from memory
turn list
why|build|{turn}
turn why-not|build|deploy
turn replay|{turn}
turn used|{turn}|build
docs save|tabs|Use tabs.
docs show
docs status
docs sync
docs note|# run the tests first
docs import|basic-memory|{folder}/notes
chat import|{folder}/talk.jsonl
chat list
chat show|{talk}
chat search|kite
chat window|{talk}
chat summarise|{talk}
chat backfill|--yes
git|{folder}/project
git verify
git branches
log
today
turn earned
intend|drop the flag|--when|words:exporter
intend list
fact doubts
skills
log diff|1
nightly|--dry-run
nightly
nightly schedule status
file check
file rebuild
file scrub
file backup
file export|{folder}/out.jsonl
file import|{folder}/out.jsonl
file salvage|{folder}/salvaged.db
sync share|{build}
sync check|{folder}/project
install|claude-code
install remove|claude-code
model show
model prompts
model tasks
model off
model spend
setting kind list
setting kind add|bird|--meaning|What flies.
setting kind set|bird|--weight|2
setting kind alias|fowl|bird
capture rules list
capture rules check
capture rules disable|remember.this
capture rules enable|remember.this
setting list
setting get|backups_kept
setting set|backups_kept|3
setting scope list
forget|{shop}
""".strip()
# What is not for a cluster, and what it says.
REFUSED = {
    "file restore": ("file restore", "cogmem bulk move .*backup.* rqlite://.* --replace"),
    "sync|{folder}/other.db": ("sync", "`cogmem bulk move` makes a file of it"),
    "sync serve|--tokens|{folder}/tokens": ("sync serve", "`cogmem bulk move` makes a file of it"),
    "edit|{shop2}": ("edit", "--show > FILE"),
    "doctor|--set-aside": ("doctor", "the next call fetches it"),
    "model work": ("model work", "cogmem model use"),
}
# Tried below as a process, or without a memory: demo, help and completion have one of their own or none.
APART = {"hook", "mcp", "inspect", "demo", "help", "setting completion"}
# Want a model, an embedder, or files of git's; what they write goes the way of all others.
ELSEWHERE = {
    *("model embed", "sync merge", "model use", "model test", "model revive", "model prompt"),
    *(
        "capture rules add",
        "docs resolve",
        "chat expand",
        "nightly schedule install",
        "nightly schedule remove",
    ),
    *(
        "nightly fleet nightly",
        "nightly fleet status",
        "nightly fleet backup",
        "nightly fleet check",
        "nightly fleet migrate",
        "nightly fleet forget",
    ),
    *(
        "fact confirm",
        "fact depend",
        "model notes",
        "skills export",
        "skills import",
        "skills sync",
        "intend done",
        "intend again",
    ),
}


def leaves() -> Iterator[str]:
    for top in SECTIONS.values():
        for each in top:
            for name, _ in every_command(each, app.get_command(None, each)):  # type: ignore[arg-type]
                yield name


@pytest.fixture
def run(
    nodes: Nodes,
    machine: Callable[[str], dict[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Any]:
    machine("one")
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    (tmp_path / "notes").mkdir()
    (tmp_path / "facts").mkdir()
    (tmp_path / "notes" / "bird.md").write_text("# Heron\n\n- [fact] It wades.\n")
    said = {"role": "user", "content": "Where is the kite?", "id": "m1"}
    (tmp_path / "talk.jsonl").write_text(json.dumps(said) + "\n")
    for command in (
        ("init", "-q"),
        ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "One"),
    ):
        subprocess.run(["git", *command], cwd=project, check=True)

    def run(*words: str) -> Any:
        return CliRunner().invoke(app, ["--db", nodes.address, *words], prog_name="cogmem")

    return run


def test_every_command_works_on_a_cluster_or_says_what_to_do(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    known = {"folder": str(tmp_path)}

    def fill(line: str) -> list[str]:
        words = line.split("|")
        name, *rest = words
        return [*name.split(), *(word.format(**known) for word in rest)]

    failed = []
    for line in CALLS.splitlines():
        result = run(*fill(line))
        if result.exit_code != 0:
            failed.append((line, result.output))
        if line.startswith(("learn", "fact correct")):
            for one in json.loads(run("list", "--json").output):
                if one["key"]:
                    known[one["key"]] = one["uid"]
        if line.startswith("activate"):
            known["turn"] = json.loads(run("turn", "list", "--json").output)[0]["turn"]
        if line.startswith("chat list"):
            known["talk"] = json.loads(run("chat", "list", "--json").output)[0]["name"]
    assert not failed, "\n".join(f"{line}: {told}" for line, told in failed)
    for line, (_, told) in REFUSED.items():
        result = run(*fill(line))
        assert result.exit_code != 0, line
        assert re.search(told, result.output), (line, result.output)
    tried = {line.partition("|")[0] for line in CALLS.splitlines()}
    named = tried | {name for name, _ in REFUSED.values()} | APART | ELSEWHERE
    assert named == set(leaves())


def test_hooks_and_tools_answer_from_a_cluster(
    run: Callable[..., Any], nodes: Nodes, tmp_path: Path
) -> None:
    run("learn", "Never deploy on Fridays.", "--kind", "policy", "--priority", "critical")
    base = [sys.executable, "-m", "cogmem", "--db", nodes.address]

    def told(command: list[str], *lines: dict[str, Any]) -> str:
        text = "".join(json.dumps(line) + "\n" for line in lines)
        done = ran([*base, *command], input=text)
        return done.stdout + done.stderr

    event = {"session_id": "s1", "cwd": str(tmp_path / "project")}
    start = {**event, "hook_event_name": "SessionStart", "source": "startup"}
    assert "Fridays" in told(["hook", "SessionStart", "--host", "claude-code"], start)
    with subprocess.Popen(
        [*base, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin
        assert server.stdout

        def ask(number: int, method: str, **params: Any) -> Any:
            line = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            print(json.dumps(line), file=server.stdin, flush=True)
            for answer in server.stdout or ():
                if json.loads(answer).get("id") == number:
                    return json.loads(answer)["result"]
            raise AssertionError("no answer")

        version = {"name": "test", "version": "1"}
        ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=version)
        tools = {tool["name"] for tool in ask(2, "tools/list")["tools"]}
        assert tools >= {"learn", "recall"}
        learned = ask(3, "tools/call", name="learn", arguments={"text": "The heron waits."})
        assert not learned.get("isError"), learned
        found = ask(4, "tools/call", name="recall", arguments={"query": "heron"})
        assert "The heron waits." in str(found)
        server.stdin.close()
    assert "heron" in run("list").output
