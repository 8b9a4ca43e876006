"""The plugins in integrations/: they are well-formed, and say what cogmem understands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import cogmem
from cogmem.hosts import hooks
from cogmem.hosts.command import Ask, words_of
from cogmem.hosts.edits import files, script
from cogmem.hosts.host import EVENTS, SECONDS, find, patience

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = ROOT / "integrations"
FILES = {
    "claude-code": ("claude-code/hooks/hooks.json", find("claude-code").events, 1),
    "codex": ("codex/hooks.json", find("codex").events, 1),
    "gemini": ("gemini/hooks/hooks.json", find("gemini").events, 1_000),
}


def read(name: str) -> Any:
    return json.loads((PLUGINS / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("host", FILES)
def test_hooks_of_a_plugin_are_those_that_install_writes(host: str) -> None:
    name, events, scale = FILES[host]
    declared = read(name)["hooks"]
    assert set(declared) <= set(events)
    assert {"SessionStart"} <= set(declared)
    for event, groups in declared.items():
        (run,) = groups[0]["hooks"]
        words = words_of(run["command"])
        if host == "claude-code":  # its script finds the program
            assert words[:2] == ["sh", "${CLAUDE_PLUGIN_ROOT}/hooks/run"]
            words = ["cogmem", "hook", *words[2:], "--host", host]
        assert words[:2] == ["cogmem", "hook"]
        assert groups[0].get("matcher") == find(host).tools.get(event)
        asked = hooks.read_arguments(words[2:])
        kind = asked.kind
        assert kind == EVENTS[event.lower()]
        assert asked.host == host
        assert run["timeout"] == patience(event) * scale
        assert run["timeout"] / scale > SECONDS[kind], "the hook gives up before its host does"


@pytest.mark.skipif(os.name == "nt", reason="Claude Code brings a shell of its own there")
def test_the_plugin_without_the_program_says_so_once_and_never_fails(tmp_path: Path) -> None:
    script = PLUGINS / "claude-code/hooks/run"

    def run(event: str, path: str, home: Path) -> str:
        done = subprocess.run(
            ["/bin/sh", str(script), event],
            input=b'{"session_id": "s", "prompt": "heron?"}',
            env={
                "XDG_RUNTIME_DIR": os.environ["XDG_RUNTIME_DIR"],
                "PATH": path,
                "HOME": str(home),
                "COGMEM_DB": str(home / "m.db"),
            },
            capture_output=True,
            check=False,
            cwd=home,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()

    assert (
        "pip install cogmem-sqlite"
        in json.loads(run("start", "/nowhere", tmp_path))["systemMessage"]
    )
    assert run("prompt", "/nowhere", tmp_path) == ""
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "cogmem").symlink_to(Path(sys.executable).parent / "cogmem")
    with cogmem.open(tmp_path / "m.db") as mem:
        mem.learn("The staging host is called heron.")
    assert "heron" in run("prompt", str(commands), tmp_path)
    settings = tmp_path / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(
        '{"hooks": {"Stop": [{"hooks": [{"command": "python /x/cogmem/hook.py stop"}]}]}}'
    )
    assert run("prompt", str(commands), tmp_path) == "", "what install wrote answers already"


UVX = """#!/bin/sh
# What uvx does, for a package that is here already: --quiet --from PACKAGE PROGRAM WORD …
[ "$1 $2 $4" = "--quiet --from cogmem" ] || exit 9
echo "$3" >> "$HOME/fetched"
shift 4
exec "{python}" -m cogmem "$@"
"""


@pytest.mark.skipif(os.name == "nt", reason="Claude Code brings a shell of its own there")
def test_the_plugin_runs_the_program_through_uvx_where_it_is_not_installed(tmp_path: Path) -> None:
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "uvx").write_text(UVX.format(python=sys.executable))
    (commands / "uvx").chmod(0o755)
    environment = {
        "XDG_RUNTIME_DIR": os.environ["XDG_RUNTIME_DIR"],
        "PATH": str(commands),
        "HOME": str(tmp_path),
        "COGMEM_DB": str(tmp_path / "m.db"),
    }

    def run(script: str, *words: str, said: bytes) -> bytes:
        done = subprocess.run(
            ["/bin/sh", str(PLUGINS / "claude-code/hooks" / script), *words],
            input=said,
            env=environment,
            capture_output=True,
            check=False,
            cwd=tmp_path,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    with cogmem.open(tmp_path / "m.db") as mem:
        mem.learn("The staging host is called heron.")
        mem.store.set_setting("resident_minutes", "0", now=1)
    asked = b'{"session_id": "s", "prompt": "What is the staging host called?"}'
    assert b"heron" in run("run", "prompt", said=asked)
    assert b'"recall"' in run("serve", said=ASKED)
    assert (tmp_path / "fetched").read_text().split() == ["cogmem-sqlite", "cogmem-sqlite[mcp]"]
    # A uvx that finds no network fails; a hook does not.
    (commands / "uvx").write_text("#!/bin/sh\nexit 2\n")
    assert run("run", "prompt", said=asked) == b""


HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "c", "version": "1"},
}
ASKED = "".join(
    json.dumps({"jsonrpc": "2.0", **one}) + "\n"
    for one in (
        {"id": 1, "method": "initialize", "params": HELLO},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    )
).encode()


@pytest.mark.skipif(os.name == "nt", reason="Claude Code brings a shell of its own there")
def test_the_plugin_brings_the_tools_once_and_without_the_program_says_why(tmp_path: Path) -> None:
    script = PLUGINS / "claude-code/hooks/serve"

    def serve(path: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["/bin/sh", str(script)],
            input=ASKED,
            env={
                "XDG_RUNTIME_DIR": os.environ["XDG_RUNTIME_DIR"],
                "PATH": path,
                "HOME": str(tmp_path),
                "COGMEM_DB": str(tmp_path / "m.db"),
            },
            capture_output=True,
            check=False,
            cwd=tmp_path,
        )

    nobody = serve("/nowhere")
    assert nobody.returncode == 1, "and not 127"
    assert b"pip install" in nobody.stderr
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "cogmem").symlink_to(Path(sys.executable).parent / "cogmem")
    alone = json.loads(serve(str(commands)).stdout.splitlines()[1])["result"]["tools"]
    assert "recall" in {tool["name"] for tool in alone}
    edit = files(find("claude-code"), Ask(str(tmp_path / "m.db"), False, True), wide=False)[1][1]
    (tmp_path / ".mcp.json").write_text(edit(""))
    assert json.loads(serve(str(commands)).stdout.splitlines()[1])["result"]["tools"] == []


def test_hooks_for_cursor_have_its_flat_form_and_the_same_events() -> None:
    declared = read("cursor/hooks.json")
    assert declared["version"] == 1
    assert list(declared["hooks"]) == list(find("cursor").events)
    for event, entries in declared["hooks"].items():
        (run,) = entries
        asked = hooks.read_arguments(words_of(run["command"])[2:])
        assert (asked.kind, asked.host) == (EVENTS[event.lower()], "cursor")


def test_every_plugin_starts_the_server_and_carries_this_version() -> None:
    entry = {"command": "cogmem", "args": ["mcp"]}
    for name in ("cursor/mcp.json", "gemini/gemini-extension.json"):
        assert read(name)["mcpServers"]["cogmem"] == entry
    assert read("claude-code/.mcp.json")["mcpServers"]["cogmem"] == {
        "command": "sh",
        "args": ["${CLAUDE_PLUGIN_ROOT}/hooks/serve"],  # which finds the program
    }
    toml = tomllib.loads((PLUGINS / "codex/config.toml").read_text())
    assert toml["mcp_servers"]["cogmem"] == entry
    for name in ("claude-code/.claude-plugin/plugin.json", "gemini/gemini-extension.json"):
        assert read(name)["version"] == cogmem.__version__


def test_the_marketplace_leads_to_the_plugin() -> None:
    listed = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())["plugins"]
    folder = ROOT / listed[0]["source"]
    assert (
        json.loads((folder / ".claude-plugin/plugin.json").read_text())["name"] == listed[0]["name"]
    )
    skill = (folder / "skills/memory/SKILL.md").read_text()
    assert skill.startswith("---\nname: memory\ndescription: ")


@pytest.mark.parametrize("name", ["opencode", "pi"])
def test_a_plugin_is_one_file_with_the_command_that_it_runs(name: str) -> None:
    text = script(f"{name}.ts", name, Ask("/m.db", False, True))
    assert '"/m.db"' in text
    assert '["cogmem", "hook"' not in text
    assert '"./plugin"' not in text, "what it shares stands in it"
    exported = [line for line in text.split("\n") if line.startswith("export ")]
    assert len(exported) == 1, "a host takes whatever is exported for a plugin"


def test_the_manifest_that_hosts_share_says_what_the_one_of_claude_code_says() -> None:
    shared, own = read("claude-code/plugin.json"), read("claude-code/.claude-plugin/plugin.json")
    assert shared.pop("$schema").endswith("/1.0.0/plugin.schema.json")
    assert shared == own
    servers = read("claude-code/mcp.json")
    assert set(servers) == {"$schema", "mcpServers"}, "its schema is closed"
    server = servers["mcpServers"]["cogmem"]
    assert server["type"] == "stdio"
    theirs = read("claude-code/.mcp.json")["mcpServers"]["cogmem"]
    written = json.dumps(server["args"]).replace("${PLUGIN_ROOT}", "${CLAUDE_PLUGIN_ROOT}")
    assert [server["command"], json.loads(written)] == [theirs["command"], theirs["args"]]
    market = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text(encoding="utf-8"))
    (entry,) = market["plugins"]
    assert (ROOT / entry["source"]).samefile(PLUGINS / "claude-code")
    assert entry["name"] == shared["name"]
