"""What Claude Code itself takes longer with cogmem: its start, a turn, its exit.

    python benchmarks/claude_code.py CLAUDE [ROUNDS]        (CLAUDE: the program; 10 rounds when not given)

Each round runs a session of four turns in each setting, in turn, so that a busy machine slows all of
them alike. The model answers on the loopback address. The figures are the medians of the differences to
the same round's session without cogmem; --write keeps them in results/claude_code.json.

"nothing" has hooks that run `true` and an MCP server that does nothing: the host's own price for them.

    start   from the start of the program to its first request to the model
    turn    from a message to the end of its answer, in the same session
    exit    from the end of its input to the end of the program
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from hook import ROOT, end_resident, make

sys.path.insert(0, os.path.join(ROOT, "tests", "hosts"))
from cogmem.hosts import install
from cogmem.hosts.faults import log_file
from cogmem.hosts.trial import Model, serving

GOALS = {"start": 60, "turn": 25, "exit": 60}  # ms, with a process that stays
MEMORIES, TURNS = 100_000, 4
THINKS_S = 0.5  # between turns, far less than a person
RESULTS = os.path.join(ROOT, "benchmarks", "results", "claude_code.json")
SETTINGS = ("without", "nothing", "hooks alone", "resident, cold", "resident, warm")
RESTS_S = 2.5  # before a session: what the one before left to write down is written
EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
# An MCP server that has one tool and does nothing.
NOTHING = """
import json, sys
TOOL = {"name": "nothing", "description": "Does nothing.", "inputSchema": {"type": "object"}}
ANSWERS = {
    "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                   "serverInfo": {"name": "nothing", "version": "1"}},
    "tools/list": {"tools": [TOOL]},
}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        said = ANSWERS.get(asked["method"], {})
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": said}), flush=True)
"""


class Home:
    """A home where only Claude Code and perhaps cogmem are."""

    def __init__(self, folder: str, database: str, setting: str) -> None:
        self.database = database
        self.project = os.path.join(folder, "project")
        os.makedirs(self.project)
        os.environ["HOME"] = folder  # it is there that install() writes
        if setting == "nothing":
            self.do_nothing(folder)
        elif setting != "without":
            install.install("claude-code", database, resident=setting.startswith("resident"))

    def do_nothing(self, folder: str) -> None:
        """Hooks and a server that do nothing: what is left is the host's own price for having them."""
        script = os.path.join(folder, "nothing.py")
        groups = {event: [{"hooks": [{"type": "command", "command": "true"}]}] for event in EVENTS}
        server = {"command": sys.executable, "args": ["-I", "-S", script]}
        os.makedirs(os.path.join(folder, ".claude"))
        for name, told in (
            (".claude/settings.json", json.dumps({"hooks": groups})),
            (".claude.json", json.dumps({"mcpServers": {"nothing": server}})),
            ("nothing.py", NOTHING),
        ):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(told)

    def session(self, program: str, model: Model) -> dict[str, list[float]]:
        """Run a session; returns how long its parts took, in ms."""
        environment = {
            **{name: os.environ[name] for name in ("PATH", "TMPDIR", "XDG_STATE_HOME")},
            "HOME": os.path.dirname(self.project),
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "sk-ant-no-key",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        form = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        asked = len(model.asked)
        begun = time.monotonic()
        running = subprocess.Popen(
            [program, "-p", *form],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.project,
            env=environment,
        )
        turns = []
        for number in range(TURNS):
            turns.append(say(running, f"How is the harbour wall number {number}?"))
            time.sleep(THINKS_S)
        ended = time.monotonic()
        assert running.stdin is not None
        running.stdin.close()
        running.wait(timeout=60)
        left = time.monotonic()
        first = model.came[asked] - begun
        return {
            "start": [first * 1_000],
            "turn": [spent * 1_000 for spent in turns[1:]],
            "exit": [(left - ended) * 1_000],
        }


def say(running: subprocess.Popen[bytes], words: str) -> float:
    """One message and its answer; returns the seconds between."""
    assert running.stdin is not None
    assert running.stdout is not None
    begun = time.monotonic()
    message = {"type": "user", "message": {"role": "user", "content": words}}
    running.stdin.write(json.dumps(message).encode() + b"\n")
    running.stdin.flush()
    while line := running.stdout.readline():
        if json.loads(line).get("type") == "result":
            return time.monotonic() - begun
    raise SystemExit("Claude Code ended before it answered")


def measure(program: str, rounds: int, folder: str) -> dict[str, dict[str, list[list[float]]]]:
    """setting → part → its times in each round."""
    database = os.path.join(folder, "memory.db")
    make(database, MEMORIES)
    os.environ["TMPDIR"] = os.path.join(folder, "run")
    os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
    os.environ.pop("XDG_RUNTIME_DIR", None)
    os.mkdir(os.environ["TMPDIR"])
    homes = {name: Home(os.path.join(folder, name), database, name) for name in SETTINGS[:4]}
    homes["resident, warm"] = homes["resident, cold"]  # another home is not answered for
    found: dict[str, dict[str, list[list[float]]]] = {
        name: {part: [] for part in GOALS} for name in SETTINGS
    }
    with serving() as model:
        for number in range(rounds + 1):  # the first warms the caches and is not counted
            for name in SETTINGS:
                if name != "resident, warm":  # the one before has left it a process
                    end_resident(database)
                time.sleep(RESTS_S)
                times = homes[name].session(program, model)
                for part, spent in times.items():
                    if number:
                        found[name][part].append(spent)
    end_resident(database)
    faults = log_file(database)
    if os.path.exists(faults):
        with open(faults, encoding="utf-8") as file:
            print("faults:", file.read())
    return found


def figures(found: dict[str, dict[str, list[list[float]]]]) -> dict[str, Any]:
    """For each setting and part: the differences to the session without cogmem of the same round."""
    kept: dict[str, Any] = {}
    for name in SETTINGS:
        kept[name] = {}
        for part in GOALS:
            plain = [statistics.median(one) for one in found["without"][part]]
            ours = [statistics.median(one) for one in found[name][part]]
            more = [mine - bare for mine, bare in zip(ours, plain, strict=True)]
            kept[name][part] = {
                "p50_ms": round(statistics.median(ours), 1),
                "p95_ms": round(
                    max(ours) if len(ours) < 20 else statistics.quantiles(ours, n=20)[-1], 1
                ),
                "more_ms": round(statistics.median(more), 1),
            }
    return kept


def main() -> None:
    """Run the sessions, print a line for each setting and part."""
    given = [word for word in sys.argv[1:] if not word.startswith("--")]
    rounds = int(given[1]) if len(given) > 1 else 10
    loads = [round(os.getloadavg()[0], 1)]
    with tempfile.TemporaryDirectory() as folder:
        kept = figures(measure(os.path.abspath(given[0]), rounds, folder))
    loads.append(round(os.getloadavg()[0], 1))
    machine = f"{os.uname().machine}, {os.cpu_count()} cores, Python {sys.version.split()[0]}"
    print(f"{MEMORIES} memories, {rounds} rounds of {TURNS} turns, load {loads}")
    for name in SETTINGS:
        for part, one in kept[name].items():
            goal = f"  goal {GOALS[part]}" if name.startswith("resident") else ""
            print(
                f"{name:15} {part:6} p50 {one['p50_ms']:7.1f} ms  p95 {one['p95_ms']:7.1f} ms"
                f"  more {one['more_ms']:7.1f} ms{goal}"
            )
    if "--write" in sys.argv:
        with open(RESULTS, "w", encoding="utf-8") as file:
            whole = {
                "machine": machine,
                "load": loads,
                "memories": MEMORIES,
                "rounds": rounds,
                **kept,
            }
            file.write(json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    main()
