"""What a tool call costs over MCP: recall over stdio on a large file, one call at a time.

    python benchmarks/mcp_calls.py [MEMORIES] [CALLS]        (100000 and 200 when not given)

How soon the tools are listed after the start is a ratio to a bare interpreter, both started in turn.
In each round the same question goes to `cogmem mcp` from a client that only writes and reads lines, as
hosts in other languages do, and from the SDK's own client; to a server of the SDK whose only tool does
nothing; and to the library in this process. So one can see what is memory and what is protocol.
--write keeps the figures in results/mcp.json.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

from hook import ROOT, make
from mcp import Client, StdioServerParameters

import cogmem

if TYPE_CHECKING:
    from collections.abc import Callable

GOAL = 6.0  # ms, the median of a recall
RESULTS = os.path.join(ROOT, "benchmarks", "results", "mcp.json")
NOTHING = """
import anyio, mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def list_tools(context, params):
    return types.ListToolsResult(tools=[types.Tool(name="nothing", input_schema={"type": "object"})])

async def call_tool(context, params):
    return types.CallToolResult(content=[types.TextContent(type="text", text="{}")])

async def run():
    made = Server("nothing", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await made.run(read, write, made.create_initialization_options())

anyio.run(run)
"""


class Lines:
    """A client that writes a line and reads one: what remains is the server's."""

    def __init__(self, words: list[str], folder: str) -> None:
        self.running = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "HOME": folder},
        )
        self.number = 0
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "lines", "version": "1"},
        }
        self.ask("initialize", hello)
        self._write({"method": "notifications/initialized"})

    def _write(self, message: dict[str, Any]) -> None:
        assert self.running.stdin is not None
        self.running.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.running.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """One request and its answer."""
        self.number += 1
        self._write({"id": self.number, "method": method, "params": params})
        assert self.running.stdout is not None
        while line := self.running.stdout.readline():
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self.number:
                return answer["result"]  # type: ignore[no-any-return]
        raise SystemExit("the server is gone")

    def cpu_ms(self) -> float:
        """CPU time of the server so far, its threads included."""
        with open(f"/proc/{self.running.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1_000 / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self.running.kill()
        self.running.communicate()


def timed(work: Callable[[], Any], spent: list[float]) -> Any:
    """Do it, and note how long it took."""
    begun = time.perf_counter()
    answer = work()
    spent.append((time.perf_counter() - begun) * 1_000)
    return answer


def greeted(words: list[str], folder: str, rounds: int = 15) -> dict[str, float]:
    """How soon a server that is started has listed its tools, against a bare interpreter."""
    listed: list[float] = []
    bare: list[float] = []
    for _ in range(rounds):
        begun = time.perf_counter()
        client = Lines(words, folder)
        client.ask("tools/list", {})
        listed.append((time.perf_counter() - begun) * 1_000)
        client.close()
        timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), bare)
    return {
        "p50_ms": round(statistics.median(listed)),
        "best_ms": round(min(listed)),
        "ratio": round(statistics.median(listed) / statistics.median(bare), 1),
        "best_ratio": round(min(listed) / min(bare), 1),
    }


async def measure(path: str, words: list[str], calls: int) -> dict[str, Any]:
    """Start the servers, take turns, and say what came of it."""
    rng = random.Random(13)
    folder = os.path.dirname(path)
    serve = [sys.executable, "-P", "-X", "utf8", "-m", "cogmem", "--db", path, "mcp"]
    target = StdioServerParameters(
        command=serve[0], args=serve[1:], env={"PATH": os.environ["PATH"], "HOME": folder}, cwd=ROOT
    )
    spent: dict[str, list[float]] = {
        name: [] for name in ("recall", "recall, SDK's client", "nothing", "recall in process")
    }
    tools = greeted(serve, folder)
    plain = Lines(serve, folder)
    empty = Lines([sys.executable, "-c", NOTHING], folder)
    loads = [round(os.getloadavg()[0], 1)]
    async with Client(target) as client:
        await client.list_tools()
        with cogmem.open(path) as mem:
            used = 0.0
            for number in range(calls + 10):
                if number == 10:  # before that, files and caches are warmed
                    for times in spent.values():
                        times.clear()
                    used = plain.cpu_ms()
                query = "how do I " + " ".join(rng.sample(words[50:3_000], rng.randint(2, 5)))
                call = {"name": "recall", "arguments": {"query": query}}
                said = timed(lambda call=call: plain.ask("tools/call", call), spent["recall"])  # type: ignore[misc]
                begun = time.perf_counter()
                answer = await client.call_tool("recall", {"query": query})
                spent["recall, SDK's client"].append((time.perf_counter() - begun) * 1_000)
                if answer.is_error or said.get("isError"):
                    raise SystemExit(f"recall failed: {answer.content}")
                nothing = {"name": "nothing", "arguments": {}}
                timed(lambda call=nothing: empty.ask("tools/call", call), spent["nothing"])  # type: ignore[misc]
                timed(lambda query=query: mem.recall(query, limit=8), spent["recall in process"])  # type: ignore[misc]
            used = (plain.cpu_ms() - used) / calls
    plain.close()
    empty.close()
    loads.append(round(os.getloadavg()[0], 1))
    kept: dict[str, Any] = {
        "machine": f"{os.uname().machine}, {os.cpu_count()} cores, Python {sys.version.split()[0]}",
        "load": loads,
        "calls": calls,
        "tools_listed": tools,
        "server_cpu_ms_per_recall": round(used, 1),
    }
    for name, times in spent.items():
        kept[name] = {
            "p50_ms": round(statistics.median(times), 2),
            "p95_ms": round(statistics.quantiles(times, n=20)[-1], 2),
            "best_ms": round(min(times), 2),
        }
    return kept


def main() -> None:
    """Make the file, measure on it, print and keep the figures."""
    given = [int(word) for word in sys.argv[1:] if word.isdigit()]
    count, calls = given + [100_000, 200][len(given) :]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.db")
        kept = {"memories": count, **asyncio.run(measure(path, make(path, count), calls))}
    print(f"{count} memories, {calls} calls, load {kept['load']}")
    for name in ("recall", "recall, SDK's client", "nothing", "recall in process"):
        one = kept[name]
        print(
            f"{name:22} p50 {one['p50_ms']:6.2f} ms  p95 {one['p95_ms']:6.2f} ms  best {one['best_ms']:6.2f} ms"
        )
    print(f"server: {kept['server_cpu_ms_per_recall']} ms CPU a recall")
    soon = kept["tools_listed"]
    print(
        f"start to list of tools: p50 {soon['p50_ms']} ms, {soon['ratio']} times a bare interpreter;"
        f" best {soon['best_ms']} ms, {soon['best_ratio']} times"
    )
    met = kept["recall"]["p50_ms"] <= GOAL
    print(f"goal: p50 <= {GOAL} ms: {'met' if met else 'missed'}")
    if "--write" in sys.argv:
        with open(RESULTS, "w", encoding="utf-8") as file:
            file.write(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
