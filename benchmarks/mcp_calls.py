"""What a tool call costs over MCP: recall over stdio, asked by the SDK's client, one call at a time.

python benchmarks/mcp_calls.py [MEMORIES] [CALLS]        (100000 and 200 when not given)
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import sys
import tempfile
import time

from hook import ROOT, make
from mcp import Client, StdioServerParameters

GOAL = 6.0  # ms, the median of a recall


async def measure(path: str, words: list[str], calls: int) -> None:
    """Start the server, call, print."""
    rng = random.Random(13)
    target = StdioServerParameters(
        command=sys.executable, args=["-m", "cogmem", "--db", path, "mcp"],
        env={"PATH": os.environ["PATH"], "HOME": os.path.dirname(path)}, cwd=ROOT,
    )  # fmt: skip
    started = time.perf_counter()
    async with Client(target) as client:
        await client.list_tools()
        print(
            f"start, greeting and list of tools: {(time.perf_counter() - started) * 1_000:.0f} ms"
        )
        spent = []
        for _ in range(calls):
            query = "how do I " + " ".join(rng.sample(words[50:3_000], rng.randint(2, 5)))
            begun = time.perf_counter()
            answer = await client.call_tool("recall", {"query": query})
            spent.append((time.perf_counter() - begun) * 1_000)
            if answer.is_error:
                raise SystemExit(f"recall failed: {answer.content}")
        begun = time.perf_counter()
        for _ in range(50):
            await client.list_resource_templates()
        bare = (time.perf_counter() - begun) * 1_000 / 50
    p50, p95 = statistics.median(spent), statistics.quantiles(spent, n=20)[-1]
    print(f"recall over stdio: p50 {p50:.1f} ms, p95 {p95:.1f} ms ({calls} calls)")
    print(f"of which the protocol, measured with an empty request: {bare:.1f} ms")
    print(f"goal: p50 <= {GOAL} ms: {'met' if p50 <= GOAL else 'missed'}")


def main() -> None:
    """Make the file and measure on it."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    calls = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.db")
        asyncio.run(measure(path, make(path, count), calls))


if __name__ == "__main__":
    main()
