"""Every host itself, offline, against a model on the loopback address: what holds for all of them.

Modules: trial.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from real_host import (
    CURE,
    HERON,
    NEVER,
    ONCE,
    RULE,
    WORDS,
    Host,
    goes_on,
    home_of,
    learned,
    needs_hosts,
    told,
    turns_of,
)
from test_resident import copy_of_package, until

import cogmem
from cogmem.hosts import caller, hooks, install

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.slow, needs_hosts]


# How a host is asked to run a command, and let it.
NAMED = {"command": "touch made", "description": "make"}
RUNS: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "claude-code": ("Bash", NAMED, ("--allowedTools=Bash",)),
    "codex": (
        "exec_command",
        {"cmd": "touch made"},
        ("--dangerously-bypass-approvals-and-sandbox",),
    ),
    "gemini": ("run_shell_command", NAMED, ("--yolo",)),
    "opencode": ("bash", NAMED, ()),
    "pi": ("bash", {"command": "touch made"}, ()),
    "copilot": ("bash", NAMED, ()),
    "qwen": ("run_shell_command", {**NAMED, "is_background": False}, ("--yolo",)),
    "droid": (
        "Execute",
        {"command": "touch made", "summary": "make", "riskLevel": "low", "riskLevelReason": "none"},
        ("--auto", "high"),
    ),
    "openclaw": ("exec", {"command": "touch made"}, ()),
}


def tools_of(request: dict[str, Any]) -> list[dict[str, Any]]:
    """The tools that a model sees with their schemas, whatever its provider calls them."""
    found = []
    for one in request.get("tools") or ():
        inner = one.get("functionDeclarations") or one.get("tools")
        below = tools_of({"tools": inner}) if inner else [one.get("function", one)]
        found += [
            {**tool, "name": f"{one.get('name', '') if inner else ''}{tool.get('name', '')}"}
            for tool in below
        ]
    return found


def found_named(name: str, value: Any) -> list[Any]:
    """Whatever goes by a name, at any depth."""
    if isinstance(value, dict):
        below = [one for inner in value.values() for one in found_named(name, inner)]
        return [*([value[name]] if name in value else []), *below]
    return (
        [one for inner in value for one in found_named(name, inner)]
        if isinstance(value, list)
        else []
    )


@pytest.fixture(params=WORDS)
def host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Host]:
    with home_of(request.param, tmp_path, monkeypatch) as found:
        yield found


def test_what_was_learned_since_comes_once_and_no_earlier_byte_changes(host: Host) -> None:
    before = host.ask("Hello there.")[-1]
    assert told(before).count(RULE) == 1
    news = ("Indent with tabs.", "", "Names are short.")
    for number, rule in enumerate(news):
        if rule:
            host.learn(rule)
        now = host.go_on(f"Go on, {number}.")[-1]
        assert goes_on(before, now), number
        if rule:
            assert rule in told(turns_of(now)[len(turns_of(before)) :]), "with the next prompt"
        before = now
    assert all(told(before).count(rule) == 1 for rule in news if rule)
    assert told(before).count(RULE) == 1


def test_the_model_sees_the_tools_themselves_and_few_of_them(host: Host) -> None:
    if host.name == "pi":
        pytest.skip("pi has no MCP")
    tool, arguments, options = RUNS[host.name]
    host.model.calls = [(tool, arguments)]  # Gemini CLI begins a turn while it still asks for tools
    last = host.ask("Hello there.", *options)[-1]
    seen = [tool for tool in tools_of(last) if "cogmem" in told(tool)]
    assert {tool["name"].rpartition("cogmem")[2].strip("_-") for tool in seen} == {
        "recall",
        "learn",
        "report",
    }
    assert all("query" in told(tool) for tool in seen if tool["name"].endswith("recall"))
    own = sum(len(told(one)) for one in found_named("wait_for_previous", seen))  # Gemini CLI's own
    assert len(told(seen)) - own <= 2_500


def calling(host: Host, command: str) -> tuple[str, dict[str, Any]]:
    """The call by which a host's model runs a command."""
    tool, arguments, _ = RUNS[host.name]
    return tool, {
        name: command if said == "touch made" else said for name, said in arguments.items()
    }


def test_what_a_host_heard_in_one_session_is_in_the_request_of_the_next(host: Host) -> None:
    assert RULE in told(host.ask(f"{NEVER} {HERON}")[-1])
    second = host.ask("What is the staging host called?")[-1]
    assert "heron" in told(second), "what was said in the first session"
    assert "deploy on Fridays" in told(second), "what a rule captured in it"
    third = host.go_on("And when do we deploy?")[-1]
    assert goes_on(second, third)
    assert sorted(map(len, host.recorded())) == [2, 4]
    assert sorted(host.kept()) == sorted(host.recorded()), "its own files say the same"


def test_a_host_hears_how_a_command_failed_before_and_of_no_other(host: Host) -> None:
    learned(host, "make test")
    for command in ("make test", "make lint"):
        host.model.calls = [calling(host, command)]
        asked = host.ask("Run it.", *RUNS[host.name][2])
        assert (CURE in told(turns_of(asked[-1]))) == (command == "make test")


@pytest.mark.parametrize("host", ["copilot", "pi"], indirect=True)
def test_a_rule_that_blocks_stops_a_tool(host: Host) -> None:
    with cogmem.open(host.database) as mem:
        mem.learn("Never run `touch made`.", "policy", tags=["blocks"])
    host.model.calls = [calling(host, "touch made")]
    asked = host.ask("Make it.", *RUNS[host.name][2])
    assert not (host.project / "made").exists()
    assert "Never run" in told(turns_of(asked[-1]))


@pytest.fixture(params=[*WORDS, *ONCE])
def any_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Host]:
    for name in ("XDG_RUNTIME_DIR", "TMPDIR"):  # no host is given them
        monkeypatch.delenv(name, raising=False)
    with home_of(request.param, tmp_path, monkeypatch) as found:
        yield found


def moved(host: Host, package: Path) -> None:
    """From now on a host runs the package that lies there."""
    for one in install.install(host.name, str(host.database)):
        file = Path(one.file)
        file.write_text(file.read_text().replace(os.path.dirname(hooks.HOOK), str(package)))


def makes(host: Host) -> list[dict[str, Any]]:
    """Ask for a file, and see that the host made it: its prompt, its tool and its end were in nobody's way."""
    tool, arguments, options = RUNS[host.name]
    host.model.calls = [(tool, arguments)]
    asked = host.ask("Make it.", *options)
    assert len(asked) > 1, "the prompt and the tool's result reached the model"
    assert list(host.home.rglob("made")), "the tool has run"
    return asked


def test_with_the_package_gone_the_host_goes_on(any_host: Host) -> None:
    moved(any_host, any_host.home / "gone")
    makes(any_host)


def test_an_upgrade_while_a_process_stays_is_in_no_hosts_way(any_host: Host) -> None:
    package = copy_of_package(any_host.home / "copied")
    moved(any_host, package)
    any_host.ask("Hello there.")
    lock = Path(f"{caller.socket_of(str(any_host.database))}.lock")
    until(lambda: lock.exists() and bool(lock.read_text().strip()))
    stays = int(lock.read_text())
    with open(package / "hosts/hooks.py", "a") as file:
        file.write("\n")
    assert RULE in told(
        makes(any_host)[-1]
    )  # twice where the file was held while the session began
    until(lambda: not Path(f"/proc/{stays}").exists())
    shutil.rmtree(package)  # whoever stays now leaves
