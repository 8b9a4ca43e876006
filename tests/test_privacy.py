"""What is remembered is nobody else's: modes, logs, the network, paths, links, and patterns.

Each threat of docs/security.md names its test; many of them are here, files that were made to do
harm are in test_hostile_files.py.
"""

from __future__ import annotations

import ast
import asyncio
import json
import os
import re
import shlex
import shutil
import stat
import sys
import traceback
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from conftest import NOW
from processes import ran

import cogmem
from cogmem.cli.app import app
from cogmem.documents.files import make_folder
from cogmem.errors import CogmemError, GuardRefused, InvalidInput, UnknownName
from cogmem.exchange.copies import backup
from cogmem.file import making
from cogmem.frameworks.anthropic_memory import MemoryTool
from cogmem.hosts import transcripts
from cogmem.tokens import counting

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
WORDS = "the heron of Wesselburen wades at noon"  # nothing that a log may ever hold

posix = pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX")


@contextmanager
def open_to_all() -> Iterator[None]:
    """A umask that takes nothing away: whatever is private is so by our own doing."""
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """Every file and folder below a place with its mode."""
    return {
        str(one.relative_to(folder)): oct(stat.S_IMODE(one.lstat().st_mode))
        for one in sorted(folder.rglob("*"))
    }


def run(path: str, *words: str, **options: Any) -> Any:
    return CliRunner().invoke(app, ["--db", path, *words], **options)


# -- modes -------------------------------------------------------------------------------------------


@posix
def test_the_file_its_log_and_all_copies_are_for_their_owner_only(
    tmp_path: Path, driver: str
) -> None:
    place = tmp_path / "new" / "cogmem"
    path = str(place / "memory.db")
    with open_to_all(), cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", now=NOW)
        assert {f"memory.db{end}" for end in ("", "-wal", "-shm")} <= set(os.listdir(place))
        mem.file.backup(now=NOW)
        mem.file.copy_for(place / "for-ann.db", now=NOW)
        mem.nightly(now=NOW)
        mem.collections().add("user", "Ann prefers tea.", now=NOW)
        mem.collections().write_files(str(place / "facts"))
        found = modes(place)
    assert any(name.startswith("memory.db.backups/") for name in found)
    assert {mode for name, mode in found.items() if not (place / name).is_dir()} == {"0o600"}
    assert {mode for name, mode in found.items() if (place / name).is_dir()} == {"0o700"}
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


@posix
@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.db"])
def test_an_export_is_for_its_owner_only(path: str, tmp_path: Path, name: str) -> None:
    with open_to_all():
        assert run(path, "learn", "Herons wade.").exit_code == 0
        assert run(path, "file", "export", str(tmp_path / name)).exit_code == 0
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert not [left for left in os.listdir(tmp_path) if "partial" in left]


@posix
def test_saved_memories_are_for_their_owner_only(path: str, tmp_path: Path) -> None:
    user_dir, project = tmp_path / "mine" / "docs", tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    with (
        open_to_all(),
        cogmem.open(path, documents=project, user_dir=user_dir, counter=counting.Simple()) as mem,
    ):
        mem.documents.project_memories.save("Heron", "a bird", "It wades.", now=NOW)
        mem.documents.shared_memories.save("Stork", "another", "It stalks.", now=NOW)
        found = modes(tmp_path / "mine")
    assert {mode for name, mode in found.items() if name.endswith(".md")} == {"0o600"}
    assert {mode for name, mode in found.items() if not name.endswith(".md")} == {"0o700"}


@posix
def test_a_folder_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir(mode=0o755)
    there.chmod(0o755)
    with open_to_all():
        make_folder(str(there / "a" / "b"))
        make_folder(str(there / "a" / "b"))
    assert modes(tmp_path) == {"there": "0o755", "there/a": "0o700", "there/a/b": "0o700"}


@posix
def test_a_file_that_others_can_read_is_told_by_doctor(path: str) -> None:
    cogmem.open(path).close()
    os.chmod(path, 0o644)
    told = json.loads(run(path, "doctor", "--json").stdout)
    assert any("chmod 600" in warning for warning in told["warnings"])


# -- logs and tracebacks -----------------------------------------------------------------------------


def hook(
    path: str, event: dict[str, Any], kind: str = "prompt"
) -> subprocess.CompletedProcess[str]:
    return ran([sys.executable, "-m", "cogmem.hook", kind, "--db", path], input=json.dumps(event))


@posix
def test_the_log_of_hooks_holds_no_content_and_is_private(path: str, tmp_path: Path) -> None:
    Path(path).write_text(f"this is no database: {WORDS}")
    with open_to_all():
        done = hook(path, {"prompt": WORDS, "session_id": "s", "cwd": str(tmp_path)})
        broken = hook(path, {}, kind="stop")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert broken.returncode == 0
    log = tmp_path / "hook.log"
    assert "ForeignFile" in log.read_text()
    assert not any(word in log.read_text() for word in ("heron", "Wesselburen", "noon"))
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


@posix
def test_the_log_of_hooks_is_not_written_through_a_link(path: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "hook.log").symlink_to(victim)
    Path(path).write_text("this is no database")
    assert hook(path, {"prompt": "x"}).returncode == 0
    assert victim.read_text() == "mine"


def test_an_error_nobody_expected_is_told_without_what_it_says(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError(f"invalid literal: {WORDS}")

    monkeypatch.setattr(cogmem.Memory, "learn", broken)
    quiet = run(path, "learn", WORDS)
    assert quiet.exit_code == 1
    assert "heron" not in quiet.stderr
    assert "--debug" in quiet.stderr


def test_a_traceback_of_a_write_that_failed_shows_no_value(memory: cogmem.Memory) -> None:
    uid = memory.learn("Storks stalk.", now=NOW).uid
    steps = [
        (
            "update memory set content = :content, priority = 9 where uid = :uid",
            {"content": WORDS, "uid": uid},
        )
    ]
    with pytest.raises(CogmemError) as told:
        memory.db.write(steps, verb="test", at=NOW)
    shown = "".join(traceback.format_exception(told.value))
    assert "heron" not in shown
    assert told.value.__cause__ is not None, "the driver's error is part of what was looked at"


def test_a_refused_secret_is_not_repeated_by_its_refusal(memory: cogmem.Memory) -> None:
    with pytest.raises(GuardRefused) as told:
        memory.learn(f"The token is {SECRET}.", now=NOW)
    shown = "".join(traceback.format_exception(told.value))
    assert SECRET not in shown
    assert SECRET[8:20] not in shown


# -- the network -------------------------------------------------------------------------------------

A_DAY = """
import sys
opened = []
def heard(event, given):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
        opened.append((event, given))
sys.addaudithook(heard)
import cogmem
path, folder = sys.argv[1:]
with cogmem.open(path, documents=folder, user_dir=folder + "/mine") as mem:
    mem.learn("Ann prefers short answers.", kind="preference", user="ann")
    mem.capture("Please always run the tests before a commit.")
    mem.conversation("monday").append("user", "The logo is blue.")
    mem.activate("What does the logo look like?", session="s")
    mem.recall("logo")
    mem.nightly(force=True)
    list(mem.file.export())
    mem.file.backup()
    mem.documents.sync()
    mem.file.doctor()
    mem.file.query("select count(*) from memory")
    mem.forget(mem.list()[0].uid)
    mem.file.rebuild()
from cogmem.cli.app import app
for words in (["file", "stats"], ["doctor"], ["file", "export", folder + "/out.csv"], ["list"]):
    try:
        app.main(["--db", path, *words], prog_name="cogmem")
    except SystemExit as end:
        assert not end.code, (words, end.code)
print("sockets:", opened)
"""


def test_a_whole_day_opens_no_socket(path: str, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    done = ran([sys.executable, "-c", A_DAY, path, str(folder)])
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "sockets: []"


# The edge where a person asked for a network: a server on the loopback address, and a model that
# they named. Nothing else may even load what opens a connection.
ON_THE_NETWORK = {
    "hosts/mcp.py",
    "hosts/unfinished_requests.py",  # the time limits of the MCP server's own connections
    "hosts/resident.py",  # a socket of this machine, which no other reaches
    "sync/hub.py",  # what `cogmem sync serve` and an address given to `cogmem sync` speak
    "file/rqlite.py",  # the nodes of a cluster, for a memory that was opened by such an address
    "models/http.py",
    "hosts/trial.py",  # a stand-in for a model, on the loopback address, while a check runs
    "inspect",
}
NETWORK = {
    "socket",
    "http",
    "urllib",
    "ssl",
    "ftplib",
    "smtplib",
    "httpx",
    "requests",
    "uvicorn",
    "aiohttp",
}


def test_no_module_loads_what_opens_connections_but_those_at_the_edge() -> None:
    package = ROOT / "cogmem"
    found = set()
    for file in package.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        if not any(name in source for name in NETWORK):
            continue
        for node in ast.walk(ast.parse(source)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            names = [name for name in names if name != "urllib.parse"]  # takes addresses apart
            if any(name.partition(".")[0] in NETWORK for name in names):
                found.add(file.relative_to(package).as_posix())
    beyond = {
        one
        for one in found
        if one not in ON_THE_NETWORK and one.split("/")[0] not in ON_THE_NETWORK
    }
    assert beyond == set()


def asked_over_http(
    headers: list[tuple[bytes, bytes]], kind: str = "http"
) -> tuple[list[Any], bool]:
    """One request to the guarded server: what was sent back, and whether the server itself was asked."""
    pytest.importorskip("mcp", reason="the MCP server needs the extra `mcp`")
    from cogmem.hosts.mcp import guarded

    sent: list[Any] = []
    reached = False

    async def server(*_: Any) -> None:
        nonlocal reached
        reached = True

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    asyncio.run(guarded(server, "right")({"type": kind, "headers": headers}, receive, send))
    return sent, reached


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"authorization", b"")],
        [(b"authorization", b"Bearer ")],
        [(b"authorization", b"Bearer wrong")],
        [(b"authorization", b"right")],
        [(b"authorization", b"Bearer right ")],
        [(b"authorization", b"Basic right")],
        [(b"authorization", b"Bearer right"), (b"authorization", b"Bearer wrong")],
        [(b"authorization", b"Bearer right\xff")],
        [(b"x-authorization", b"Bearer right")],
    ],
)
def test_mcp_over_http_without_the_token_is_refused(headers: list[tuple[bytes, bytes]]) -> None:
    sent, reached = asked_over_http(headers)
    assert not reached
    assert sent[0]["status"] == 401


def test_mcp_over_http_serves_the_token_and_nothing_but_http() -> None:
    right = [(b"authorization", b"Bearer right")]
    assert asked_over_http(right) == ([], True)
    assert asked_over_http([], "lifespan") == ([], True)
    assert asked_over_http(right, "websocket") == ([], False)


# -- a person's own SQL ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "delete from memory",
        "pragma journal_mode = delete",
        "attach 'other.db' as other",
        "vacuum into 'copy.db'",
        "select load_extension('x')",
        "pragma writable_schema = on",
        "create temp table t (x)",
        "select 1; delete from memory",
        "explain delete from memory",
        "with t as (select 1) insert into memory (uid) select 'x'",
        "pragma wal_checkpoint(truncate)",
        "begin immediate",
        "detach main",
        "reindex",
        "analyze",
        "pragma key = 'x'",
    ],
)
def test_own_sql_cannot_write_reach_out_or_run(path: str, tmp_path: Path, text: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", now=NOW)
        before = set(os.listdir(tmp_path))
        with pytest.raises(InvalidInput):
            mem.file.query(text)
        assert set(os.listdir(tmp_path)) == before
        assert len(mem.list(now=NOW)) == 1


def test_own_sql_ends_by_time_by_rows_and_by_size(path: str) -> None:
    numbers = "with recursive c(n) as (select 1 union all select n + 1 from c)"
    with cogmem.open(path, counter=counting.Simple()) as mem:
        with pytest.raises(InvalidInput, match="took longer"):  # it would go on for ever
            mem.file.query(f"{numbers} select count(*) from c", seconds=0.2)
        assert len(mem.file.query(f"{numbers} select n from c", rows=7).rows) == 7
        found = mem.file.query(f"{numbers} select zeroblob(20000000) from c")
        assert (len(found.rows), found.is_cut) == (3, True), "64 MiB together, whatever the rows"


# -- patterns ----------------------------------------------------------------------------------------

EVIL = ["(a+)+$", "(a|aa)+$", "(.*a){20}$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y"]


@pytest.mark.parametrize("pattern", EVIL)
def test_a_pattern_that_a_person_wrote_takes_time_in_line_with_the_text(
    memory: cogmem.Memory, pattern: str
) -> None:
    """Python's own `re` needs 2^n steps for these: for ever on a text of this length."""
    talk = memory.conversation("talk")
    talk.append("user", "a" * 50_000 + "!", at=NOW)
    rule = {
        "name": "evil",
        "kind": "fact",
        "pattern": pattern,
        "example": "aaaa xxy Za",
        "counter_example": "!",
        "meaning": "A test.",
    }
    with suppress(CogmemError):  # it did not prove itself; what counts is that it ended
        memory.listener.add(rule, now=NOW)
    talk.search(pattern)
    memory.capture("a" * 50_000 + "!", now=NOW)


@pytest.mark.parametrize("pattern", [r"(a)\1", "(?=a)", "(" * 2000, "[", "a{9999}", "", "x" * 5000])
def test_a_pattern_that_cannot_be_run_in_linear_time_is_refused_with_a_reason(
    memory: cogmem.Memory, pattern: str
) -> None:
    with pytest.raises(InvalidInput):
        memory.conversation("talk").search(pattern)


# -- paths -------------------------------------------------------------------------------------------

WAYS_OUT = [
    "/memories/../secret",
    "/memories/./../x",
    "/memories/..",
    "../memories/x",
    "/etc/passwd",
    "/memories2/x",
    "/memories/%2e%2e/x",
    "/memories/%2E%2E%2Fx",
    "/memories\\..\\x",
    "/memories//x",
    "/memories/a\0b",
    "/memories/a\nb",
    "/memories/\u202egpj.x",
    "memories/x",
    "",
    "/",
    "/memories/" + "x" * 600,
]


@pytest.mark.parametrize("command", ["view", "create", "delete", "rename"])
def test_the_memory_tool_leads_nowhere_else(tmp_path: Path, empty_space: str, command: str) -> None:
    path = str(tmp_path / "memory.db")
    shutil.copyfile(empty_space, path)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        tool = MemoryTool(mem)
        tool.call({"command": "create", "path": "/memories/a.md", "file_text": "mine"})
        for way in WAYS_OUT:
            call = {
                "command": command,
                "path": way,
                "file_text": "x",
                "old_path": "/memories/a.md",
                "new_path": way,
            }
            assert tool.call(call).startswith("Error"), way
            assert tool.call({"command": "view", "path": "/memories/a.md"}).endswith("mine"), way
            assert len(mem.list(now=NOW)) == 1, way
    assert os.listdir(tmp_path) == ["memory.db"]


@pytest.mark.parametrize(
    "name", ["../../outside", "/etc/passwd", "a/../../b", "..", "con", "x\0y", "."]
)
def test_the_name_of_a_saved_memory_stays_in_its_folder(
    path: str, tmp_path: Path, name: str
) -> None:
    user_dir = tmp_path / "mine"
    with cogmem.open(path, documents=tmp_path, user_dir=user_dir, counter=counting.Simple()) as mem:
        before = {one for one in tmp_path.rglob("*") if user_dir not in one.parents}
        try:
            saved = mem.documents.shared_memories.save(name, "", "text", now=NOW)
        except InvalidInput:
            pass
        else:
            assert Path(saved.memory.path).parent == user_dir / "shared" / "memory"
        after = {one for one in tmp_path.rglob("*") if user_dir not in one.parents}
        assert after - before <= {user_dir}


@pytest.mark.parametrize("command", ["file import", "chat import", "file restore"])
@pytest.mark.parametrize("source", ["folder", "missing", "nul\0byte"])
def test_what_is_no_file_is_refused_in_one_sentence(
    path: str, tmp_path: Path, command: str, source: str
) -> None:
    (tmp_path / "folder").mkdir()
    run(path, "learn", "Herons wade.")
    done = run(path, *command.split(), str(tmp_path / source))
    assert done.exit_code in (1, 2)
    assert "Traceback" not in done.output
    assert [row["content"] for row in json.loads(run(path, "list", "--json").stdout)] == [
        "Herons wade."
    ]


def test_modules_that_lie_in_the_working_folder_are_not_run(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project may carry a csv.py. Exporting a sheet there must not run it."""
    hostile = tmp_path / "project"
    hostile.mkdir()
    for name in ("csv", "json", "sqlite3", "sqlite_utils"):
        (hostile / f"{name}.py").write_text("open('was-run', 'w').close()")
    monkeypatch.chdir(hostile)
    assert run(path, "learn", "Herons wade.").exit_code == 0
    assert run(path, "file", "export", str(tmp_path / "out.csv")).exit_code == 0
    assert run(path, "file", "import", str(tmp_path / "out.csv")).exit_code == 0
    assert "was-run" not in os.listdir(hostile)


# -- links -------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.db", "out.backup"])
def test_nothing_is_written_through_a_link(path: str, tmp_path: Path, name: str) -> None:
    """A link where the copy, or its partial name, is about to be made leads a writer elsewhere."""
    victims = [tmp_path / "victim", tmp_path / "not there yet"]
    victims[0].write_text("mine")
    run(path, "learn", "Herons wade.")
    target = tmp_path / name
    command = "backup" if name.endswith("backup") else "export"
    for victim in victims:
        for link in (target, tmp_path / f"{name}.partial-{os.getpid()}"):
            link.symlink_to(victim)
            done = run(path, "file", command, str(target))
            assert done.exit_code in (0, 1)
            assert victims[0].read_text() == "mine"
            assert not victims[1].exists()
            if done.exit_code == 0:
                assert target.stat().st_size
                assert not target.is_symlink()
            for left in (target, link):
                if os.path.lexists(left):
                    left.unlink()


@posix
def test_a_copy_is_not_made_through_a_link_that_appears_meanwhile(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim, target = tmp_path / "victim", str(tmp_path / "copy.db")
    unlink = os.unlink

    def raced(place: Any, **options: Any) -> None:
        unlink(place, **options)
        os.symlink(victim, place)

    with cogmem.open(path, counter=counting.Simple()) as mem:
        Path(target).write_text("old")
        monkeypatch.setattr(os, "unlink", raced)
        with pytest.raises(FileExistsError):
            making.copy_to(mem.db, target)
    assert not victim.exists()


@posix
def test_a_saved_memory_that_is_a_link_is_not_written_through(path: str, tmp_path: Path) -> None:
    user_dir, victim = tmp_path / "mine", tmp_path / "profile"
    victim.write_text("mine")
    with cogmem.open(path, documents=tmp_path, user_dir=user_dir, counter=counting.Simple()) as mem:
        mirror = mem.documents.shared_memories
        place = Path(mirror.save("Heron", "", "It wades.", now=NOW).memory.path)
        place.unlink()
        place.symlink_to(victim)
        with suppress(CogmemError):
            mirror.save("Heron", "", "It waits.", now=NOW + 1)
        mem.documents.sync(now=NOW + 2)
    assert victim.read_text() == "mine"


# -- imports that swell ------------------------------------------------------------------------------


def test_json_nested_without_end_is_a_bad_line_and_not_the_end(path: str, tmp_path: Path) -> None:
    deep = "[" * 200_000
    lines = tmp_path / "deep.jsonl"
    lines.write_text('{"content": "Herons wade."}\n' + deep + "\n" + '{"content": ' + deep + "\n")
    done = run(path, "file", "import", str(lines), "--keep-good", "--json")
    assert done.exit_code == 0, done.output
    assert [bad["reason"] for bad in json.loads(done.stdout)["bad"]] == [
        "it is nested too deeply"
    ] * 2


@pytest.mark.parametrize(
    "line",
    [
        "[" * 200_000,
        '{"role": "user", "content": ' + "[" * 200_000,
        '{"role": "user", "content": "x", "at": Infinity}',
        '{"role": "user", "content": "x", "at": NaN}',
        '{"role": "user", "content": "x", "at": 1e400}',
        '{"role": "user", "content": "x", "at": ' + "9" * 400 + "}",
        '{"role": "user", "content": "x", "at": "0001-01-01T00:00:00+14:00"}',
        '{"mapping": {"a": {"parent": "a", "message": null}}, "current_node": "a"}',
        '{"messages": [{"messages": [7]}]}',
    ],
)
def test_a_line_of_a_conversation_that_swells_leaves_the_others_readable(line: str) -> None:
    good = '{"role": "user", "content": "Herons wade."}'
    reader = transcripts.Reader([f"{one}\n".encode() for one in (good, line, good)], now=NOW)
    texts = [entry[1][0]["text"] for _, _, entry in reader.pieces()]
    assert texts.count("Herons wade.") == 2 or reader.bad


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cogmem.exchange import inward

    monkeypatch.setattr(inward, "LINE_LIMIT", 1 << 20)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        with pytest.raises(InvalidInput, match="longer than 1 MiB"):
            mem.file.import_("/dev/zero", now=NOW)
        assert mem.list(now=NOW) == []


# -- encryption --------------------------------------------------------------------------------------


@pytest.mark.skipif(
    shutil.which("gpg") is None, reason="the pipe of docs/how-to/encryption.md needs gpg"
)
def test_an_export_is_encrypted_and_comes_back_through_pipes(path: str, tmp_path: Path) -> None:
    run(path, "learn", WORDS)
    safe, back = tmp_path / "memory.jsonl.gpg", tmp_path / "restored.db"
    cogmem_ = f"{shlex.quote(sys.executable)} -m cogmem"
    gpg = f"gpg --homedir {tmp_path / 'gnupg'} --batch --quiet --pinentry-mode loopback --passphrase x"
    (tmp_path / "gnupg").mkdir(mode=0o700)
    done = ran(
        [
            "bash",
            "-euo",
            "pipefail",
            "-c",
            f"{cogmem_} --db {path} file export --history - | {gpg} --symmetric --output {safe}\n"
            f"{gpg} --decrypt {safe} | {cogmem_} --db {back} file import -\n"
            f"gpgconf --homedir {tmp_path / 'gnupg'} --kill all",
        ]
    )
    assert done.returncode == 0, done.stderr
    assert b"heron" not in safe.read_bytes()
    assert [row["content"] for row in json.loads(run(str(back), "list", "--json").stdout)] == [
        WORDS
    ]


# -- the page ----------------------------------------------------------------------------------------


def test_every_threat_names_tests_that_exist() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    threats = [line for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(threats) > 20
    sources: dict[str, str] = {}
    for line in threats:
        named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", line)
        assert named, f"no test is named for: {line}"
        for file, test in named:
            source = sources.setdefault(file, (ROOT / file).read_text(encoding="utf-8"))
            assert f"def {test}(" in source, f"{file} has no {test}"
    for file in re.findall(r"\]\(([\w/.-]+\.md)\)", page):
        assert (ROOT / "docs" / file).exists(), file


def test_an_unknown_backup_source_names_what_to_do(path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        with pytest.raises(InvalidInput, match="name the one to restore"):
            mem.file.restore()
        with pytest.raises(InvalidInput, match="make it first"):
            backup(mem.db, "/no/such/folder/copy.db", now=NOW)
        with pytest.raises(UnknownName):
            mem.undo("act_nobody", now=NOW)
