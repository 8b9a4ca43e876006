"""Installing into the real files of hosts, in a temporary home: merged, kept, and taken out again.

Modules: edits, files, cli.hosts.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from processes import ran

from cogmem.cli.app import app
from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.hosts import edits, files
from cogmem.hosts import install as installing
from cogmem.hosts.command import Ask, words_of
from cogmem.hosts.host import find

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTS = (
    "claude-code",
    "codex",
    "gemini",
    "opencode",
    "cursor",
    "pi",
    "copilot",
    "qwen",
    "cline",
    "droid",
    "openclaw",
    "goose",
    "kiro",
    "vscode",
)
THEIRS: dict[str, dict[str, str]] = {
    "claude-code": {
        ".claude/settings.json": json.dumps(
            {"model": "opus", "hooks": {
                "Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}],
                "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]}}
        ),
        ".claude.json": '{"mcpServers": {"other": {"command": "other"}}, "numStartups": 7}',
    },
    "codex": {
        ".codex/config.toml": 'model = "gpt"  # mine\n\n[mcp_servers.other]\ncommand = "other"\n',
        ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}',
    },
    "gemini": {".gemini/settings.json": '{"theme": "Dräcula", "mcpServers": {"other": {"command": "o"}}}'},
    "opencode": {".config/opencode/opencode.json": '{"$schema": "s", "mcp": {"other": {"type": "local"}}}'},
    "cursor": {
        ".cursor/mcp.json": '{"mcpServers": {"other": {"command": "other"}}}',
        ".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "say done"}],'
        ' "sessionStart": [{"command": "x"}]}}',
    },
    "pi": {".pi/agent/models.json": '{"providers": {}}'},
    "copilot": {
        ".copilot/mcp-config.json": '{"mcpServers": {"other": {"command": "other"}}}',
        ".copilot/hooks/cogmem.json": '{"version": 1, "hooks": {"Stop": [{"type": "command", "bash": "say done"}]}}',
    },
    "cline": {
        ".cline/data/settings/cline_mcp_settings.json": '{"mcpServers": {"other": {"command": "other"}}}',
    },
    "droid": {
        ".factory/settings.json": '{"model": "x", "hooks": {"Stop": [{"hooks": [{"command": "say done"}]}]}}',
        ".factory/mcp.json": '{"mcpServers": {"other": {"command": "other"}}}',
    },
    "openclaw": {
        ".openclaw/openclaw.json": '{"plugins": {"entries": {"other": {"enabled": true}}},'
        ' "mcp": {"servers": {"other": {"command": "o"}}}}',
    },
    "goose": {".agents/plugins/cogmem/.mcp.json": '{"mcpServers": {"other": {"command": "other"}}}'},
    "kiro": {
        ".kiro/settings/mcp.json": '{"mcpServers": {"other": {"command": "other"}}}',
        ".kiro/agents/cogmem.json": '{"model": "mine", "hooks": {"stop": [{"command": "say done"}]}}',
    },
    "vscode": {
        ".config/Code/User/settings.json": '{"editor.tabSize": 2, "chat.hookFilesLocations": {"hooks": true}}',
        ".config/Code/User/mcp.json": '{"servers": {"other": {"command": "other"}}, "inputs": []}',
    },
    "qwen": {".qwen/settings.json": '{"theme": "x", "hooks": {"Stop": [{"hooks": [{"command": "say done"}]}]}}'},
}  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own, and a project folder to stand in."""
    places = (
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "XDG_CONFIG_HOME",
        "PI_CODING_AGENT_DIR",
        "COPILOT_HOME",
        "OPENCLAW_STATE_DIR",
    )
    for name in (*places, "COGMEM_DB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def lay(home: Path, host: str) -> dict[Path, str]:
    """The person's own files of a host."""
    files = {home / name: text for name, text in THEIRS[host].items()}
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return files


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.name.endswith(".before-cogmem")
    }


def holds(value: Any, part: Any) -> bool:
    """Whether everything in `part` is still in `value`, at its place."""
    if isinstance(part, dict):
        return isinstance(value, dict) and all(
            k in value and holds(value[k], v) for k, v in part.items()
        )
    if isinstance(part, list):
        return isinstance(value, list) and all(any(holds(one, v) for one in value) for v in part)
    return bool(value == part)


@pytest.mark.parametrize("host", HOSTS)
def test_what_a_person_configured_stays_and_comes_back_whole(home: Path, host: str) -> None:
    theirs = lay(home, host)
    path = str(home / "memory.db")
    done = installing.install(host, path)
    assert {one.what for one in done} <= {"changed", "written"}
    for file, text in theirs.items():
        now = file.read_text(encoding="utf-8")
        if now == text:
            assert host == "pi", "what cogmem has no entry in stays as it is"
            continue
        if file.suffix == ".json":
            assert holds(json.loads(now), json.loads(text))
        else:
            assert text in now
            assert holds(tomllib.loads(now), tomllib.loads(text))
        copy = file.with_name(f"{file.name}.before-cogmem")
        assert copy.read_text(encoding="utf-8") == text
    installed = snapshot(home)
    assert {one.what for one in installing.install(host, path)} == {"unchanged"}
    assert snapshot(home) == installed, "installing twice changes nothing"
    installing.uninstall(host)
    for file, text in theirs.items():
        now = file.read_text(encoding="utf-8")
        if file.suffix == ".json":
            assert json.loads(now) == json.loads(text)
        else:
            assert now == text
    assert set(snapshot(home)) == {str(file.relative_to(home)) for file in theirs}
    assert {one.what for one in installing.uninstall(host)} == {"unchanged"}


@pytest.mark.parametrize("wide", [True, False], ids=["user", "project"])
@pytest.mark.parametrize("host", HOSTS)
def test_from_nothing_to_nothing(home: Path, host: str, wide: bool) -> None:
    made = installing.install(host, str(home / "memory.db"), wide=wide)
    assert made
    assert all(one.what == "written" and not one.backup for one in made)
    assert all(wide or "project" in Path(one.file).parts for one in made)
    installing.uninstall(host, wide=wide)
    assert snapshot(home) == {}


@pytest.mark.parametrize("host", HOSTS)
def test_a_dry_run_changes_nothing(home: Path, host: str) -> None:
    lay(home, host)
    before = snapshot(home)
    planned = installing.install(host, str(home / "memory.db"), dry_run=True)
    assert snapshot(home) == before
    assert not any(one.is_done for one in planned)
    assert [one._replace(backup="", is_done=True) for one in planned] == [
        one._replace(backup="") for one in installing.install(host, str(home / "memory.db"))
    ]


def test_installing_says_plainly_that_the_server_needs_its_extra(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    for known in (False, True):
        monkeypatch.setattr(
            importlib.util,
            "find_spec",
            lambda name, *rest, known=known: (
                (known or None) if name == "mcp" else find(name, *rest)
            ),
        )
        done = CliRunner().invoke(app, ["--db", "m.db", "install", "claude-code"])
        assert ("pip install 'cogmem-sqlite[mcp]'" in done.stdout) is not known
        answer = CliRunner().invoke(app, ["--db", "m.db", "--json", "install", "claude-code"])
        assert [one["what"] for one in json.loads(answer.stdout)] == ["unchanged", "unchanged"]
        assert str(home) in answer.stdout
        assert ("pip install 'cogmem-sqlite[mcp]'" in answer.stderr) is not known


def test_another_database_takes_the_place_of_the_first(home: Path) -> None:
    installing.install("claude-code", str(home / "one.db"))
    installing.install("claude-code", str(home / "two.db"), documents=True)
    text = (home / ".claude/settings.json").read_text()
    assert "one.db" not in text
    assert text.count("two.db") == len(find("claude-code").events)
    assert text.count("--documents") == len(find("claude-code").events)


def test_an_event_that_cogmem_once_used_is_cleared_by_installing_again(home: Path) -> None:
    theirs = {"type": "command", "command": "say compacting"}
    ours = {"type": "command", "command": "/bin/python /x/cogmem/hook.py PreCompact"}
    file = home / ".claude/settings.json"
    file.parent.mkdir()
    theirs_too = {"Old": [], "enabled": True}
    compacting = [{"hooks": [ours]}, {"hooks": [theirs, ours]}]
    file.write_text(json.dumps({"hooks": {"PreCompact": compacting, **theirs_too}}))
    installing.install("claude-code", str(home / "memory.db"))
    held = json.loads(file.read_text())["hooks"]
    assert held["PreCompact"] == [{"hooks": [theirs]}]
    assert holds(held, theirs_too)
    assert set(held) == {"PreCompact", *theirs_too, *find("claude-code").events}
    installing.uninstall("claude-code")
    assert json.loads(file.read_text())["hooks"] == {
        "PreCompact": [{"hooks": [theirs]}],
        **theirs_too,
    }


def test_a_file_that_is_no_json_is_left_alone_and_so_are_the_others(home: Path) -> None:
    lay(home, "claude-code")
    (home / ".claude.json").write_text("{ nobody reads this\n}")
    before = snapshot(home)
    with pytest.raises(InvalidInput, match="nothing was changed"):
        installing.install("claude-code", str(home / "memory.db"))
    assert snapshot(home) == before


ODD = '{"limit": 1e3, "limit": 1e3,\n\t"none":null, "exact": 1.10, "allow": ["cogmem recall"]}'


def test_taking_it_out_brings_back_every_byte(home: Path) -> None:
    settings = home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(ODD)
    (home / ".claude.json").write_text("{}")
    before = snapshot(home)
    installing.install("claude-code", str(home / "memory.db"))
    installing.install("claude-code", str(home / "other.db"))
    installing.uninstall("claude-code")
    assert snapshot(home) == before
    assert not list(home.rglob("*.before-cogmem")), "nor is a copy left of what is there"


def test_what_was_changed_since_is_kept_when_it_is_taken_out(home: Path) -> None:
    settings = home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text("{}")
    installing.install("claude-code", str(home / "memory.db"))
    held = json.loads(settings.read_text())
    settings.write_text(json.dumps({**held, "theme": "dark"}))
    installing.uninstall("claude-code")
    assert json.loads(settings.read_text()) == {"theme": "dark"}
    installing.install("claude-code", str(home / "memory.db"))
    settings.write_text(json.dumps({"hooks": json.loads(settings.read_text())["hooks"]}))
    installing.uninstall("claude-code")
    assert settings.read_text() == "{}\n", "a person had this file"


def test_a_change_that_its_program_makes_meanwhile_is_kept(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = home / ".claude.json"
    servers.write_text('{"numStartups": 0}')
    count = 0
    put = files._replace

    def busy(file: str, before: bytes | None, after: bytes | None) -> bool:
        nonlocal count
        if file == str(servers) and count < 3:
            count += 1
            servers.write_text(json.dumps({"numStartups": count}))
        return put(file, before, after)

    monkeypatch.setattr(files, "_replace", busy)
    installing.install("claude-code", str(home / "memory.db"))
    held = json.loads(servers.read_text())
    assert held["numStartups"] == 3
    assert "cogmem" in held["mcpServers"]
    installing.uninstall("claude-code")
    assert json.loads(servers.read_text()) == {"numStartups": 3}


def test_a_file_that_never_stands_still_is_left_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_replace", lambda *_: False)
    with pytest.raises(DatabaseProblem, match="all the time"):
        installing.install("claude-code", str(home / "memory.db"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there is no such thing on this platform")
def test_what_is_no_file_is_refused_and_nothing_waits_for_it(home: Path) -> None:
    settings = home / ".claude/settings.json"
    settings.parent.mkdir()
    os.mkfifo(settings)
    with pytest.raises(InvalidInput, match="not a regular file"):
        installing.install("claude-code", str(home / "memory.db"))
    assert not (home / ".claude.json").exists(), "nothing else was written either"


def test_a_link_that_leads_out_of_the_home_is_refused(
    home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("shared") / "settings.json"
    elsewhere.write_text("{}")
    settings = home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.symlink_to(elsewhere)
    with pytest.raises(InvalidInput, match="leads out of your home"):
        installing.install("claude-code", str(home / "memory.db"))
    assert elsewhere.read_text() == "{}"


def test_a_dry_run_prints_the_lines_that_would_be_written(home: Path) -> None:
    (home / ".claude.json").write_text('{\n  "theme": "dark"\n}\n')
    words = ["--db", str(home / "memory.db"), "install", "claude-code", "--diff"]
    said = CliRunner().invoke(app, words).output
    assert '+    "SessionStart": [' in said
    assert '+    "cogmem": {' in said
    assert "- " not in said.replace('-  "theme": "dark"', ""), "nothing of theirs goes"
    told = json.loads(CliRunner().invoke(app, ["--json", *words]).stdout)
    assert {one["is_done"] for one in told} == {False}


def test_a_dry_run_says_in_short_what_would_come_and_go(home: Path) -> None:
    before = snapshot(home)
    words = ["--db", str(home / "memory.db"), "claude-code", "--dry-run"]
    said = CliRunner().invoke(app, ["install", *words]).output
    assert "with a hook for SessionStart, UserPromptSubmit," in said
    assert "Nothing was changed; --diff shows each line." in said
    assert '"command"' not in said
    assert snapshot(home) == before
    installing.install("claude-code", str(home / "memory.db"))
    gone = CliRunner().invoke(app, ["install", "remove", *words]).output
    assert "would be removed" in gone or "removed, with a hook for SessionStart" in gone


def test_a_link_to_a_file_elsewhere_stays_a_link(home: Path) -> None:
    dotfiles = home / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "settings.json").write_text("{}")
    (home / ".gemini").mkdir()
    (home / ".gemini/settings.json").symlink_to(dotfiles / "settings.json")
    installing.install("gemini", str(home / "memory.db"))
    assert (home / ".gemini/settings.json").is_symlink()
    assert "cogmem" in (dotfiles / "settings.json").read_text()


def test_commands_with_odd_paths_survive_the_shell(home: Path) -> None:
    odd = home / "a 'quoted' $folder"
    odd.mkdir()
    installing.install("codex", str(odd / "memory.db"))
    held = json.loads((home / ".codex/hooks.json").read_text())
    words = held["hooks"]["Stop"][0]["hooks"][0]["command"]
    said = ran(["/bin/sh", "-c", f"printf '%s\\n' {words}"], check=True)
    assert said.stdout.split("\n")[:-1] == words_of(words)
    assert str(odd / "memory.db") in said.stdout.split("\n")


NAME = st.text("abcde", min_size=1, max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAME, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(NAME, JSON, max_size=4))
def test_any_settings_come_back_as_they_were(settings: dict[str, Any]) -> None:
    ask = Ask("/m.db", False, True)
    text = json.dumps(settings)
    for name in ("claude-code", "gemini"):
        host = find(name)
        put = edits.json_edit(lambda it, h=host: edits.hooks_edit(it, ask, h))  # type: ignore[misc]
        take = edits.json_edit(
            lambda it, h=host: edits.hooks_edit(it, ask._replace(is_there=False), h)  # type: ignore[misc]
        )
        after = put(text)
        assert holds(json.loads(after), settings)
        assert put(after) == after
        assert json.loads(take(after) or "{}") == settings


TOML = st.lists(
    st.sampled_from(
        (
            "a = 1  # mine",
            "# only a comment",
            "",
            "[t]",
            'b = "x"',
            "[mcp_servers.other]",
            "[[list]]",
            "[mcp_servers]",
            'mcp_servers = {other = {command = "x"}}',
            'mcp_servers.other.args = ["x"]',
            "[tui.colours]",
        )
    ),
    max_size=8,
).map("\n".join)


@given(TOML | st.text("ab=\n# \"'[]", max_size=40))
def test_any_toml_comes_back_as_it_was(text: str) -> None:
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    entry = {"command": "/bin/pythön", "args": ["-m", "cogmem"]}
    held = {"mcp_servers": {"cogmem": entry}}
    put = edits.toml_edit(lambda it: edits.put(it, held, is_there=True))
    take = edits.toml_edit(lambda it: edits.put(it, held, is_there=False))
    try:
        after = put(text)
    except ValueError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert "in an order" in refused
        return
    assert tomllib.loads(after)["mcp_servers"]["cogmem"] == entry
    assert put(after) == after
    left = take(after)
    told = [line for line in text.split("\n") if line.strip() not in ("", "[mcp_servers]")]
    assert [one for one in left.split("\n") if one.strip() not in ("", "[mcp_servers]")] == told
    now = tomllib.loads(left)
    for one in (before, now):  # an empty one goes, unless a comment stands in it
        one.get("mcp_servers") or one.pop("mcp_servers", None)
    assert now == before


def test_a_server_that_codex_put_beside_ours_stays_and_ours_goes() -> None:
    # As `codex mcp add` leaves a file: its comments may be gone, or stand elsewhere.
    entry = {"command": "/bin/python", "args": ["-m", "cogmem"]}
    held = {"mcp_servers": {"cogmem": entry}}
    put = edits.toml_edit(lambda it: edits.put(it, held, is_there=True))
    take = edits.toml_edit(lambda it: edits.put(it, held, is_there=False))
    other = '[mcp_servers.other]\ncommand = "echo"\n'
    kept = 'model = "x"  # why\n\n'
    assert take(put(kept) + "\n" + other).replace("\n\n\n", "\n\n") == kept + other


# One of each sort: hooks, a plugin, no server.
SORTS = ("claude-code", "opencode", "pi")


@pytest.mark.parametrize(
    "host",
    [pytest.param(host, marks=() if host in SORTS else pytest.mark.long) for host in HOSTS],
)
def test_the_check_runs_what_is_installed_and_memory_arrives(home: Path, host: str) -> None:
    runner = CliRunner()
    path = str(home / "memory.db")
    missing = runner.invoke(app, ["install", host, "--check"])
    assert missing.exit_code == 1
    assert "not installed" in missing.output
    done = runner.invoke(app, ["install", host, "--db", path, "--yes"])
    assert done.exit_code == 0
    assert f"cogmem install {host} --check" in done.stderr
    said = runner.invoke(app, ["install", host, "--check", "--json"])
    found = {line["part"]: line for line in json.loads(said.output)}
    assert all(line["is_good"] for line in found.values()), found
    assert said.exit_code == 0
    if host not in ("cline", "goose"):  # whose hooks bring nothing
        assert found[f"hook {find(host).brings}"]["said"] == "memory arrives"
    if host != "pi":  # which has no MCP
        assert found["mcp server"]["said"] == "memory arrives"
        assert found["mcp tools"]["said"].startswith("listed after")
    assert not (home / "memory.db").exists(), "the check leaves the person's memory alone"


def test_the_check_says_what_is_wrong_with_a_hook(home: Path) -> None:
    installing.install("codex", str(home / "memory.db"))
    file = home / ".codex/hooks.json"
    text = file.read_text()
    file.write_text(
        text.replace(sys.executable, "/no/such/python", 1).replace("Stop --host", "Halt --host")
    )
    found = {line.part: line for line in installing.check("codex")}
    assert "not there" in found["hook SessionStart"].said
    assert "ValueError" in found["hook Stop"].said
    assert found["hook UserPromptSubmit"].is_good, "each answers for itself"


def test_the_server_starts_in_a_folder_whose_files_are_named_like_python_s(home: Path) -> None:
    installing.install("claude-code", str(home / "memory.db"), wide=False)
    for name in ("json.py", "apsw.py", "click.py"):
        Path(name).write_text("raise SystemExit('the project ran')\n")
    words = installing._server_command("claude-code", False)
    done = ran([*words[:-1], "--help"])
    assert done.returncode == 0, done.stderr


def test_what_reads_along_in_openclaw_is_written_after_a_yes(home: Path) -> None:
    words = [sys.executable, "-m", "cogmem", "--db", str(home / "memory.db"), "install", "openclaw"]
    asked = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert "add --yes" in asked.stderr
    assert not (home / ".openclaw").exists()
    subprocess.run([*words, "--yes"], capture_output=True, check=True)
    held = json.loads((home / ".openclaw" / "openclaw.json").read_text())
    assert held["plugins"]["entries"]["cogmem"]["hooks"] == {"allowConversationAccess": True}
    words.insert(words.index("install") + 1, "remove")
    subprocess.run(words, capture_output=True, check=True)
    assert [one for one in (home / ".openclaw").rglob("*") if one.is_file()] == []
