"""Puts cogmem into the configuration of a coding agent, and takes it out again.

    host          hooks                              MCP server                      besides
    claude-code   settings.json                      .claude.json, .mcp.json
    codex         hooks.json                         config.toml
    gemini        settings.json                      settings.json
    opencode                                         opencode.json                   plugin/cogmem.ts
    cursor        hooks.json                         mcp.json

What stands in these files already stays as it is. Ours is known by its name, `cogmem`, and by the
file that its commands run, so installing twice changes nothing. Before the first change a file is
copied to NAME.before-cogmem.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from typing import NamedTuple

from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.hosts.hooks import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Edit = Callable[[str], str]  # the text of a file → what it shall be

# The event as the host calls it, and the seconds it is given: a little more than the hook takes itself.
CLAUDE_EVENTS = {
    "SessionStart": 10, "UserPromptSubmit": 10, "PreToolUse": 5, "PostToolUseFailure": 5,
    "SubagentStart": 5, "Stop": 30, "SessionEnd": 30,
}  # fmt: skip
CODEX_EVENTS = {
    "SessionStart": 10, "UserPromptSubmit": 10, "PreToolUse": 5, "PostToolUse": 5,
    "SubagentStart": 5, "Stop": 30,
}  # fmt: skip
GEMINI_EVENTS = {
    "SessionStart": 10, "BeforeAgent": 10, "BeforeTool": 5, "AfterTool": 5, "AfterAgent": 30,
    "PreCompress": 10, "SessionEnd": 30,
}  # fmt: skip
# The tools that use a file or run a command; no process is started for the others.
TOOLS = {
    "PreToolUse": "Bash|Read|Edit|Write|MultiEdit|NotebookEdit|apply_patch",
    "PostToolUseFailure": "Bash", "PostToolUse": "Bash",
    "BeforeTool": "run_shell_command|read_file|replace|write_file",
    "AfterTool": "run_shell_command|read_file|replace|write_file",
}  # fmt: skip
# Cursor lets only the start of a session bring text; the rest tells what was said.
CURSOR_EVENTS = {
    "sessionStart": 10,
    "beforeSubmitPrompt": 10,
    "afterAgentResponse": 10,
    "sessionEnd": 30,
}
BEGIN, END = "# cogmem: begin\n", "# cogmem: end\n"
# The event that brings the stable text, where it is not SessionStart (see hooks.on_start).
BRINGS = {"gemini": "BeforeAgent", "opencode": "start", "cursor": "sessionStart"}
TOLD = "The check of cogmem arrived."  # what a check looks for in the answers
PATIENCE = 1.0  # seconds that hosts wait for the list of tools
OURS = ("cogmem/hook.py", "cogmem\\hook.py", "cogmem hook ")


class Outcome(NamedTuple):
    """What became of one file."""

    file: str
    what: str  # written, changed, removed or unchanged
    backup: str = ""


class Probe(NamedTuple):
    """One part of an installation, tried as the host would use it."""

    part: str
    is_good: bool
    said: str


class Ask(NamedTuple):
    """What the files are made for."""

    path: str  # the database
    documents: bool
    is_there: bool  # False: take it out

    def hook(self, event: str, host: str) -> str:
        words = command(event, host, self.path) + (["--documents"] if self.documents else [])
        return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)

    def server(self) -> list[str]:
        # -P: hosts start it in the project's folder, whose files must not pass for Python's modules.
        words = [sys.executable, "-P", "-X", "utf8", "-m", "cogmem"]
        return [*words, "--db", os.path.abspath(self.path), "mcp"]


def install(
    host: str, path: str, *, wide: bool = True, documents: bool = False, dry_run: bool = False
) -> list[Outcome]:
    """Configure a host, for all projects of this person or for the current folder."""
    return _apply(host, Ask(path, documents, True), wide, dry_run)


def uninstall(host: str, *, wide: bool = True, dry_run: bool = False) -> list[Outcome]:
    """Take out what install() put in."""
    return _apply(host, Ask("memory.db", False, False), wide, dry_run)


def _apply(host: str, ask: Ask, wide: bool, dry_run: bool) -> list[Outcome]:
    # All edits are made before any is written: a file that cannot be read stops all of them.
    planned = [
        (file, _read(file), edit) for file, edit in _plan(host, ask, _base(host, wide), wide)
    ]
    edited = [(file, before, _edited(file, before, edit)) for file, before, edit in planned]
    return [_write(file, before, after, dry_run) for file, before, after in edited]


def _base(host: str, wide: bool) -> str:
    """The folder of a host's configuration."""
    home, here = os.path.expanduser("~"), os.getcwd()
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    places = {
        "claude-code": (
            os.environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude",
            f"{here}/.claude",
        ),
        "codex": (os.environ.get("CODEX_HOME") or f"{home}/.codex", f"{here}/.codex"),
        "gemini": (f"{home}/.gemini", f"{here}/.gemini"),
        "opencode": (f"{config}/opencode", f"{here}/.opencode"),
        "cursor": (f"{home}/.cursor", f"{here}/.cursor"),
    }
    if host not in places:
        raise InvalidInput(f"host {host!r} is not known: use {', '.join(places)}")
    return places[host][0 if wide else 1]


def _plan(host: str, ask: Ask, base: str, wide: bool) -> list[tuple[str, Edit]]:
    """The files of a host, and what is done to each."""
    server = ask.server()
    entry = {"command": server[0], "args": server[1:]}
    if host == "claude-code":
        # What a person keeps to themselves in a project; its settings.json is for everyone.
        settings = os.path.join(base, "settings.json" if wide else "settings.local.json")
        if not wide:
            servers = os.path.join(os.path.dirname(base), ".mcp.json")
        elif os.environ.get("CLAUDE_CONFIG_DIR"):
            servers = os.path.join(base, ".claude.json")
        else:
            servers = f"{base}.json"
        return [
            (settings, _json(lambda it: _hooks(it, ask, host, CLAUDE_EVENTS))),
            (servers, _json(lambda it: _named(it, "mcpServers", entry if ask.is_there else None))),
        ]
    if host == "codex":
        return [
            (f"{base}/hooks.json", _json(lambda it: _hooks(it, ask, host, CODEX_EVENTS))),
            (f"{base}/config.toml", lambda text: _toml(text, entry if ask.is_there else None)),
        ]
    if host == "gemini":

        def both(it: dict[str, Any]) -> None:
            _hooks(it, ask, host, GEMINI_EVENTS, scale=1_000)
            _named(it, "mcpServers", entry if ask.is_there else None)

        return [(f"{base}/settings.json", _json(both))]
    if host == "opencode":
        local = {"type": "local", "command": server, "enabled": True}
        config = f"{base}/opencode.json" if wide else f"{os.path.dirname(base)}/opencode.json"
        return [
            (config, _json(lambda it: _named(it, "mcp", local if ask.is_there else None))),
            (f"{base}/plugin/cogmem.ts", lambda _: _opencode_plugin(ask) if ask.is_there else ""),
        ]

    def versioned(it: dict[str, Any]) -> None:
        _hooks(it, ask, host, CURSOR_EVENTS)
        if ask.is_there:
            it.setdefault("version", 1)
        elif set(it) == {"version"}:
            it.clear()

    return [
        (f"{base}/hooks.json", _json(versioned)),
        (
            f"{base}/mcp.json",
            _json(lambda it: _named(it, "mcpServers", entry if ask.is_there else None)),
        ),
    ]


# -- edits ---------------------------------------------------------------------------------------


def _json(change: Callable[[dict[str, Any]], None]) -> Edit:
    """An edit of a JSON object; '' when nothing is left of it."""

    def edit(text: str) -> str:
        held = json.loads(text) if text.strip() else {}
        if not isinstance(held, dict):
            raise ValueError("it holds no JSON object")
        before = json.dumps(held)
        change(held)
        if json.dumps(held) == before:
            return text  # to the byte, however a person laid it out
        return json.dumps(held, indent=2, ensure_ascii=False) + "\n" if held else ""

    return edit


def _hooks(
    settings: dict[str, Any], ask: Ask, host: str, events: dict[str, int], scale: int = 1
) -> None:
    """Our command under each event, once; other people's stay where they are."""
    hooks = settings.setdefault("hooks", {})
    if not isinstance(hooks, dict):
        raise ValueError('"hooks" in it is no object')
    for event in dict.fromkeys([*hooks, *(events if ask.is_there else ())]):
        if event not in events and not any(_is_ours(one) for one in _listed(hooks[event])):
            continue
        groups = [one for one in (_without_ours(group) for group in hooks.get(event, [])) if one]
        if ask.is_there and event in events:
            run: dict[str, Any] = {"command": ask.hook(event, host)}
            if host != "cursor":  # it has no agreed unit of time, and no groups
                run = {"type": "command", **run, "timeout": events[event] * scale}
                run = {"hooks": [{"name": "cogmem", **run} if host == "gemini" else run]}
                run = {"matcher": TOOLS[event], **run} if event in TOOLS else run
            had = [place for place, group in enumerate(hooks.get(event, [])) if _is_ours(group)]
            groups.insert(min(had[0], len(groups)) if had else len(groups), run)
        if groups:
            hooks[event] = groups
        else:
            hooks.pop(event, None)
    if not hooks:
        del settings["hooks"]


def _is_ours(group: Any) -> bool:
    return any(mark in str(one.get("command", "")) for one in _entries(group) for mark in OURS)


def _entries(group: Any) -> list[Any]:
    """The hooks of a group; Cursor has no groups, each stands by itself."""
    held = group.get("hooks", [group]) if isinstance(group, dict) else []
    return [one for one in _listed(held) if isinstance(one, dict)]


def _listed(value: Any) -> list[Any]:
    """A list, or nothing: what else a file holds is not ours."""
    return value if isinstance(value, list) else []


def _without_ours(group: Any) -> Any:
    """A group of hooks without our command; None when nothing else is in it."""
    if not _is_ours(group):
        return group
    others = [
        one
        for one in group.get("hooks", [])
        if not any(mark in str(one.get("command", "")) for mark in OURS)
    ]
    return {**group, "hooks": others} if others else None


def _named(settings: dict[str, Any], table: str, entry: dict[str, Any] | None) -> None:
    """Our server in the table of servers, or out of it."""
    servers = settings.setdefault(table, {})
    if not isinstance(servers, dict):
        raise ValueError(f'"{table}" in it is no object')
    if entry is not None:
        servers["cogmem"] = {**servers.get("cogmem", {}), **entry}
    else:
        servers.pop("cogmem", None)
    if not servers:
        del settings[table]


def _toml(text: str, entry: dict[str, Any] | None) -> str:
    """The table of our server at the end of a TOML file; the rest is not touched by a byte."""
    head, begin, rest = text.partition(BEGIN)
    tail = rest.partition(END)[2] if begin else ""
    kept = head.removesuffix("\n") if begin and head.endswith("\n\n") else head
    held = tomllib.loads(kept + tail)
    if entry is None:
        return kept + tail
    if "cogmem" in held.get("mcp_servers", {}):
        raise ValueError("it has a table mcp_servers.cogmem of its own: remove that first")
    # A JSON string is a TOML string too, as long as it is ASCII.
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in entry.items()]
    gap = "" if not kept else "\n" if kept.endswith("\n") else "\n\n"
    made = f"{kept}{gap}{BEGIN}[mcp_servers.cogmem]\n{''.join(lines)}{END}{tail}"
    tomllib.loads(made)
    return made


def _opencode_plugin(ask: Ask) -> str:
    """The plugin for OpenCode, with the command that it runs."""
    with open(os.path.join(os.path.dirname(__file__), "opencode.ts"), encoding="utf-8") as file:
        text = file.read()
    words = command("EVENT", "opencode", ask.path) + (["--documents"] if ask.documents else [])
    line = 'const COMMAND = ["cogmem", "hook", "EVENT", "--host", "opencode"]'
    return text.replace(line, f"const COMMAND = {json.dumps(words)}")


# -- files ---------------------------------------------------------------------------------------


def _read(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} cannot be read ({error}): nothing was changed") from error


def _edited(file: str, before: str, edit: Edit) -> str:
    try:
        return edit(before)
    except (ValueError, AttributeError, TypeError) as error:
        raise InvalidInput(
            f"{file} is not what it should be ({error}): mend it by hand; nothing was changed"
        ) from error


def _write(file: str, before: str, after: str, dry_run: bool) -> Outcome:
    if after == before:
        return Outcome(file, "unchanged")
    what = "removed" if not after else "changed" if before else "written"
    # A file that has our entries is not what the person had: an older copy of theirs is worth more.
    backup = f"{file}.before-cogmem" if before and "cogmem" not in before else ""
    if dry_run:
        return Outcome(file, what, backup)
    try:
        if backup:
            shutil.copy2(file, backup)
        if not after:
            os.unlink(file)
            return Outcome(file, what, backup)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        # A link (people keep such files in a repository) stays one: what it points to is replaced.
        target = os.path.realpath(file)
        handle, draft = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".cogmem-")
        with open(handle, "w", encoding="utf-8") as opened:
            opened.write(after)
        if os.path.exists(target):
            shutil.copymode(target, draft)
        os.replace(draft, target)
    except OSError as error:
        raise DatabaseProblem(
            f"{file} cannot be written ({error}): check its permissions"
        ) from error
    return Outcome(file, what, backup)


# -- trying it -----------------------------------------------------------------------------------


def check(host: str, *, wide: bool = True) -> list[Probe]:
    """Run what the host's files say, as the host would, on a small memory made for it."""
    import cogmem

    found: list[Probe] = []
    with tempfile.TemporaryDirectory(prefix="cogmem-check-") as folder:
        probe = os.path.join(folder, "memory.db")
        with cogmem.Memory(probe) as mem:
            mem.learn(TOLD, kind="policy")
        for event, words in _hook_commands(host, wide):
            found.append(_try_hook(host, event, _on(words, probe), folder))
        server = _server_command(host, wide)
        if server:
            found += _try_server(_on(server, probe), folder)
    if not found:
        found.append(
            Probe("files", False, f"cogmem is not installed in {host}: `cogmem install {host}`")
        )
    return found


def _on(words: list[str], path: str) -> list[str]:
    """The same command on another file."""
    if "--db" not in words:
        return [*words, "--db", path]
    at = words.index("--db")
    return [*words[: at + 1], path, *words[at + 2 :]]


def _hook_commands(host: str, wide: bool) -> Iterator[tuple[str, list[str]]]:
    for file, _ in _plan(host, Ask("memory.db", False, True), _base(host, wide), wide):
        text = _read(file)
        if file.endswith(".json") and text.strip():
            for event, groups in json.loads(text).get("hooks", {}).items():
                for group in groups:
                    for one in _entries(group):
                        if any(mark in str(one.get("command", "")) for mark in OURS):
                            yield event, shlex.split(one["command"], posix=sys.platform != "win32")
        elif file.endswith(".ts") and "const COMMAND = " in text:
            listed = json.loads(text.partition("const COMMAND = ")[2].partition("\n")[0])
            for event in ("start", "prompt", "stop", "end"):
                yield event, [event if word == "EVENT" else word for word in listed]


def _server_command(host: str, wide: bool) -> list[str]:
    for file, _ in _plan(host, Ask("memory.db", False, True), _base(host, wide), wide):
        text = _read(file)
        if file.endswith(".toml"):
            entry = tomllib.loads(text).get("mcp_servers", {}).get("cogmem")
        elif file.endswith(".json") and text.strip():
            held = json.loads(text)
            entry = held.get("mcpServers", held.get("mcp", {})).get("cogmem")
        else:
            entry = None
        if entry:
            listed = entry["command"]
            return listed if isinstance(listed, list) else [listed, *entry.get("args", [])]
    return []


def _try_hook(host: str, event: str, words: list[str], folder: str) -> Probe:
    part = f"hook {event}"
    asked = json.dumps(
        {"session_id": "check", "cwd": folder, "prompt": "check", "source": "compact"}
    )
    try:
        done = subprocess.run(
            words, input=asked.encode(), capture_output=True, timeout=60, check=False, cwd=folder
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Probe(part, False, f"it cannot be run: {error}")
    faults = os.path.join(folder, "hook.log")
    if done.returncode or done.stderr or os.path.exists(faults):
        said = _read(faults) or done.stderr.decode("utf-8", "replace")[-300:]
        if os.path.exists(faults):
            os.unlink(faults)  # the next hook shall answer for itself
        return Probe(part, False, said.strip() or f"it ended with exit code {done.returncode}")
    if event == BRINGS.get(host, "SessionStart"):
        arrived = TOLD.encode() in done.stdout
        return Probe(part, arrived, "memory arrives" if arrived else "it brought no memory")
    return Probe(part, True, "answered")


def _try_server(words: list[str], folder: str) -> list[Probe]:
    """Greet the server, ask for its tools, and have it recall what the check has learned."""
    hello = {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "cogmem-check", "version": "1"},
    }  # fmt: skip
    call = {"name": "recall", "arguments": {"query": "check arrived"}}
    asked: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": call},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked).encode()
    begun = time.monotonic()
    try:
        running = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
        )
    except OSError as error:
        return [Probe("mcp server", False, f"it cannot be run: {error}")]
    out, listed = b"", 0.0
    ends = threading.Timer(60, running.kill)
    ends.start()
    with running:
        try:
            assert running.stdin is not None
            assert running.stdout is not None
            running.stdin.write(lines)
            running.stdin.flush()
            while TOLD.encode() not in out and (line := running.stdout.readline()):
                out += line
                if b'"tools":[{' in line and not listed:
                    listed = time.monotonic() - begun
        except BrokenPipeError:  # it ended before it was asked, and has said why
            pass
        finally:
            ends.cancel()
            running.kill()
        errors = running.stderr.read() if running.stderr else b""
    if TOLD.encode() not in out:
        said = errors.decode("utf-8", "replace").strip()[-300:]
        said = said or ("it recalls nothing" if out else "it says nothing")
        return [Probe("mcp server", False, said)]
    told = f"listed after {listed * 1_000:.0f} ms" if listed else "none were listed"
    return [
        # Codex begins without tools that come late, and says nothing about it.
        Probe("mcp tools", 0 < listed < PATIENCE, told),
        Probe("mcp server", True, "memory arrives"),
    ]
