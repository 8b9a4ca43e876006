"""Puts cogmem into the configuration of a coding agent, and takes it out again.

Which files a host has, and what becomes of them, its row says.

What stands in these files already stays as it is. Before the first change a file is copied to
NAME.before-cogmem; see files.py for how it is replaced and put back.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import time
import tomllib
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from cogmem.errors import InvalidInput
from cogmem.file.places import without_password
from cogmem.hosts import build, caller, files, jsonc, trial
from cogmem.hosts.command import Ask, words_of
from cogmem.hosts.edits import Edit, entries, is_ours, run_by
from cogmem.hosts.edits import files as files_of
from cogmem.hosts.host import HOSTS, Host, find

TOLD = "The check of cogmem arrived."  # what a check looks for in the answers
JSON = (".json", ".jsonc")
PATIENCE = 1.0  # seconds that hosts wait for the list of tools


class Outcome(NamedTuple):
    """What became of one file."""

    file: str
    what: str  # written, changed, removed or unchanged
    backup: str = ""
    lines: Sequence[str] = ()  # that come in (+) or go out (-)
    is_done: bool = True  # False: it is only what would become of it


class Probe(NamedTuple):
    """One part of an installation, tried as the host would use it."""

    part: str
    is_good: bool
    said: str


def install(
    host: str,
    path: str,
    *,
    wide: bool = True,
    documents: bool = False,
    resident: bool = True,
    dry_run: bool = False,
) -> list[Outcome]:
    """Configure a host, for all projects of this person or for the current folder. With `resident` a
    process stays for a while after a hook and answers the next one."""
    known(host)
    path = without_password(path)
    may_stay = resident and caller.is_possible()
    program = build.program(dry_run=dry_run) if may_stay else ""
    return _apply(host, Ask(path, documents, True, may_stay, program), wide, dry_run)


def uninstall(host: str, *, wide: bool = True, dry_run: bool = False) -> list[Outcome]:
    """Take out what install() put in."""
    return _apply(host, Ask("memory.db", False, False), wide, dry_run)


def known(host: str) -> Host:
    """Return a host that cogmem can be put into."""
    if host not in HOSTS:
        near = [name for name in HOSTS if host.lower() in name or name in host.lower()]
        meant = f"did you mean {near[0]}? It knows" if len(near) == 1 and host else "use"
        raise InvalidInput(f"host {host!r} is not known: {meant} {', '.join(HOSTS)}")
    return find(host)


def _apply(host: str, ask: Ask, wide: bool, dry_run: bool) -> list[Outcome]:
    # All edits are made before any is written: a file that cannot be read stops all of them.
    named = [(file, edit, files.read(file)) for file, edit in files_of(known(host), ask, wide=wide)]
    bare = [out for _, out in files_of(known(host), ask._replace(is_there=False), wide=wide)]
    planned = [
        (file, edit, before, _edited(file, before, edit, ask.is_there), _is_ours(before, out))
        for (file, edit, before), out in zip(named, bare, strict=True)
    ]
    return [_change(*one, ask.is_there, dry_run) for one in planned]


def _is_ours(before: bytes | None, out: Edit) -> bool:
    """Tell whether something in a file would be taken out, or cannot be."""
    if b"cogmem" not in (before or b""):
        return False
    text = (before or b"").decode("utf-8", "replace")
    try:
        return out(text) != text
    except ValueError:
        return True


def _edited(file: str, before: bytes | None, edit: Edit, is_there: bool) -> bytes | None:
    """Return what becomes of a file; None: it goes."""
    if not is_there:
        is_ours_alone, earlier = files.earlier(file, before)
        if is_ours_alone:
            return earlier
    try:
        after = edit((before or b"").decode("utf-8")).encode("utf-8")
    except (ValueError, AttributeError, TypeError) as error:
        raise InvalidInput(
            f"{file} holds something unexpected ({error}): repair it by hand; nothing was changed"
        ) from error
    if after:
        return after
    if not (before or b"").strip():
        return before
    if files.existed(file):  # a person had it, perhaps with nothing in it
        return b"{}\n" if file.endswith(JSON) else b""
    return None


def _change(
    file: str,
    edit: Edit,
    before: bytes | None,
    after: bytes | None,
    is_ours: bool,
    is_there: bool,
    dry_run: bool,
) -> Outcome:
    """Replace one file, unless it is as it should be."""
    if after == before:
        return Outcome(file, "unchanged", is_done=not dry_run)
    what = "removed" if after is None else "changed" if before is not None else "written"
    lines = _lines(before, after)
    if dry_run:
        return Outcome(file, what, "", lines, False)
    copy = files.keep(file, before, after, is_ours=is_ours) if is_there else ""

    def again(now: bytes | None) -> bytes | None:
        return after if now == before else _edited(file, now, edit, is_there)

    restored = not is_there and files.earlier(file, before)[0]
    files.change(file, before, again)
    if not is_there:
        files.forget(file, is_restored=restored)
    return Outcome(file, what, copy, lines)


def _lines(before: bytes | None, after: bytes | None) -> list[str]:
    """Return the lines that come in (+) and go out (-)."""
    from difflib import unified_diff

    old, new = ((text or b"").decode("utf-8", "replace").splitlines() for text in (before, after))
    return [
        line for line in unified_diff(old, new, n=0) if not line.startswith(("---", "+++", "@@"))
    ]


def _read(file: str) -> str:
    return (files.read(file) or b"").decode("utf-8", "replace")


# -- trying it -----------------------------------------------------------------------------------


def check(host: str, *, wide: bool = True) -> list[Probe]:
    """Run what the host's files say, as the host would, on a small memory made for it; then the host itself, in a
    home of its own, where it is installed and can be given a stand-in for its model."""
    import cogmem

    found: list[Probe] = []
    with tempfile.TemporaryDirectory(prefix="cogmem-check-", ignore_cleanup_errors=True) as folder:
        probe = os.path.join(folder, "memory.db")
        with cogmem.Memory(probe) as mem:
            mem.learn(TOLD, kind="policy")
        for event, words in _hook_commands(host, wide):
            found.append(_try_hook(host, event, _on(words, probe), folder))
        server = _server_command(host, wide)
        if server:
            found += _try_server(_on(server, probe), folder)
    if not found:
        return [
            Probe("files", False, f"cogmem is not installed in {host}: `cogmem install {host}`")
        ]
    program, is_good, said = trial.tried(host, TOLD)
    return [*found, Probe(f"{program} itself", is_good is not False, said)]


def _on(words: list[str], path: str) -> list[str]:
    """Return the same command on another file, for which nobody stays."""
    words = [word for word in words if word != "--resident"]
    if "--db" not in words:
        return [*words, "--db", path]
    at = words.index("--db")
    return [*words[: at + 1], path, *words[at + 2 :]]


def _hook_commands(host: str, wide: bool) -> Iterator[tuple[str, list[str]]]:
    for file, _ in files_of(known(host), Ask("memory.db", False, True), wide=wide):
        text = _read(file)
        if file.endswith(JSON) and text.strip():
            for event, groups in jsonc.read(text).get("hooks", {}).items():
                for one in chain.from_iterable(map(entries, groups)):
                    if is_ours({"hooks": [one]}):
                        yield event, words_of(run_by(one))
        elif file.endswith(".ts") and "const COMMAND = " in text:
            listed = json.loads(text.partition("const COMMAND = ")[2].partition("\n")[0])
            for event in ("start", "prompt", "stop", "end"):
                yield event, [event if word == "EVENT" else word for word in listed]


def _server_command(host: str, wide: bool) -> list[str]:
    for file, _ in files_of(known(host), Ask("memory.db", False, True), wide=wide):
        text = _read(file)
        if file.endswith(".toml"):
            entry = tomllib.loads(text).get("mcp_servers", {}).get("cogmem")
        elif file.endswith(JSON) and text.strip():
            held = jsonc.read(text)
            servers = held.get("mcpServers", held.get("mcp", held))
            entry = servers.get("servers", servers).get("cogmem")
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
    if event == known(host).brings:
        arrived = TOLD.encode() in done.stdout
        return Probe(part, arrived, "memory arrives" if arrived else "it brought no memory")
    return Probe(part, True, "answered")


def _try_server(words: list[str], folder: str) -> list[Probe]:
    """Greet the server, ask for its tools, and have it recall what the check has learned."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "cogmem-check", "version": "1"},
    }
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
