"""Sessions of the past, made and recorded: how fast, in how much memory, and how much of it the file keeps.

    python benchmarks/backfill.py [--megabytes 200] [--small] [--folder DIR] [--write]

The sessions are made of what lies on every machine that runs this: the files of Python's standard library are read,
searched, changed and tested, and the pages in docs/ give the words of both sides. They are written as Claude Code
(three of four) and Codex write them, with all that such files hold besides the talk: each result a second time, the
file before a change, signed thoughts, encrypted reasoning, counts of tokens. Then `cogmem chat backfill --yes`
records them, watched from outside.
"""

from __future__ import annotations

import argparse
import base64
import glob
import json
import os
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "backfill.json"
BEGAN = 1_760_000_000  # s
SETTLED = (
    "We decided to keep {} because the other way lost data.",
    "From now on always use {} here.",
    "Never touch {} without a test.",
    "I prefer {} to what we had.",
    "Remember: {} runs only on the build machine.",
)


class Pool:
    """What sessions are made of."""

    def __init__(self, chance: random.Random, *, is_small: bool) -> None:
        self.chance = chance
        self.turns, self.acts = ((1, 4), (0, 1)) if is_small else ((4, 30), (2, 14))
        base = sysconfig.get_paths()["stdlib"]
        names = sorted(glob.glob(f"{base}/*.py") + glob.glob(f"{base}/*/*.py"))
        self.files = []
        for name in names:
            if "site-packages" not in name and "lib2to3" not in name:
                text = Path(name).read_text(encoding="utf-8", errors="replace")
                if 500 < len(text) < 120_000:
                    self.files.append((f"src/{os.path.relpath(name, base)}", text.split("\n")))
        pages = sorted((HERE.parent / "docs").rglob("*.md"))
        self.prose = [
            block
            for page in pages
            for block in page.read_text(encoding="utf-8").split("\n\n")
            if 40 < len(block) < 900
        ]

    def said(self, blocks: int) -> str:
        return "\n\n".join(self.chance.choice(self.prose) for _ in range(blocks))

    def asked(self) -> str:
        text = self.said(1)
        if self.chance.random() < 0.03:
            settled = self.chance.choice(SETTLED).format(self.chance.choice(self.files)[0])
            text = f"{settled} {text}"
        return text

    def drawn(self, size: int) -> str:
        return base64.b64encode(self.chance.randbytes(size)).decode()

    def file(self) -> tuple[str, list[str]]:
        return self.chance.choice(self.files)


def act(pool: Pool, folder: str) -> tuple[str, dict[str, Any], str, Any]:
    """A tool's name, what it took, what it answered, and what Claude Code notes of it besides."""
    chance = pool.chance
    path, lines = pool.file()
    path = f"{folder}/{path}"
    kind = chance.choices(("Read", "Bash", "Edit", "Grep", "Write"), (34, 32, 20, 10, 4))[0]
    if kind == "Read":
        start = chance.randrange(max(1, len(lines) - 50))
        part = lines[start : start + chance.choice((60, 150, 400, 2_000))]
        shown = "\n".join(f"{start + number:6}→{line}" for number, line in enumerate(part, 1))
        held = {
            "filePath": path,
            "content": "\n".join(part),
            "numLines": len(part),
            "startLine": start + 1,
            "totalLines": len(lines),
        }
        return kind, {"file_path": path}, shown, {"type": "text", "file": held}
    if kind in ("Bash", "Grep"):
        word = chance.choice(chance.choice(lines).split() or ["def"])
        if kind == "Grep" or chance.random() < 0.4:
            hits = [
                f"{name}:{number}:{line}"
                for name, held in chance.sample(pool.files, 12)
                for number, line in enumerate(held, 1)
                if word in line
            ]
            shown = "\n".join(hits[: chance.choice((10, 60, 250))]) or "No files found"
        else:
            count = chance.choice((8, 40, 160))
            shown = "\n".join(
                f"tests/test_{chance.choice(pool.files)[0][4:-3].replace('/', '_')}.py::test_{number}"
                f" {chance.choice(('PASSED', 'PASSED', 'PASSED', 'FAILED'))} [{number:3}%]"
                for number in range(count)
            )
            shown += f"\n{pool.said(1)}\n{count} passed in {chance.random() * 90:.2f}s"
        took = {"command": f"grep -rn {word!r} src | head -80", "description": "Look for it"}
        told = {"stdout": shown, "stderr": "", "interrupted": False, "isImage": False}
        return kind, took, shown, told
    start = chance.randrange(max(1, len(lines) - 12))
    old = "\n".join(lines[start : start + chance.choice((2, 6, 20))])
    if kind == "Write":
        return (
            kind,
            {"file_path": path, "content": "\n".join(lines[:300])},
            "File created.",
            {
                "type": "create",
                "filePath": path,
                "content": "\n".join(lines[:300]),
            },
        )
    new = old.replace("self", "this")
    shown = f"The file {path} has been updated. Here's the result:\n" + "\n".join(
        f"{start + number:6}→{line}" for number, line in enumerate(new.split("\n"), 1)
    )
    took = {"file_path": path, "old_string": old, "new_string": new}
    hunk = {"oldStart": start, "newStart": start, "lines": [f" {line}" for line in new.split("\n")]}
    told = {"originalFile": "\n".join(lines), "structuredPatch": [hunk], **took}
    return kind, took, shown, told


def stamp(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(second))


def claude_lines(pool: Pool, name: str, folder: str, second: int) -> Iterator[dict[str, Any]]:
    chance = pool.chance
    number = 0

    def line(kind: str, message: dict[str, Any], **more: Any) -> dict[str, Any]:
        nonlocal number
        number += 1
        return {
            "parentUuid": f"{name}-{number - 1:04}",
            "isSidechain": False,
            "userType": "external",
            "cwd": folder,
            "sessionId": name,
            "version": "2.0.31",
            "gitBranch": "main",
            "type": kind,
            "message": message,
            "uuid": f"{name}-{number:04}",
            "timestamp": stamp(second + number),
            **more,
        }

    def answer(*blocks: dict[str, Any]) -> dict[str, Any]:
        usage = {"input_tokens": 4, "cache_read_input_tokens": 70_123, "output_tokens": 212}
        own = {"id": f"msg_{pool.drawn(12)}", "model": "a-model", "type": "message"}
        message = {**own, "role": "assistant", "content": list(blocks), "usage": usage}
        return line("assistant", message, requestId=f"req_{pool.drawn(12)}")

    for _ in range(chance.randint(*pool.turns)):
        yield line("user", {"role": "user", "content": pool.asked()})
        for _ in range(chance.randint(*pool.acts)):
            if chance.random() < 0.4:
                thought = {"type": "thinking", "thinking": pool.said(1)}
                yield answer({**thought, "signature": pool.drawn(600)})
            if chance.random() < 0.3:
                yield answer({"type": "text", "text": pool.said(1)})
            kind, took, shown, told = act(pool, folder)
            call = f"toolu_{pool.drawn(15)}"
            yield answer({"type": "tool_use", "id": call, "name": kind, "input": took})
            result = {"tool_use_id": call, "type": "tool_result", "content": shown}
            yield line("user", {"role": "user", "content": [result]}, toolUseResult=told)
        yield answer({"type": "text", "text": pool.said(chance.randint(1, 5))})


def codex_lines(pool: Pool, name: str, folder: str, second: int) -> Iterator[dict[str, Any]]:
    chance = pool.chance
    yield {
        "timestamp": stamp(second),
        "type": "session_meta",
        "payload": {"id": name, "cwd": folder, "timestamp": stamp(second)},
    }

    def item(payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": stamp(second), "type": "response_item", "payload": payload}

    def event(payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": stamp(second), "type": "event_msg", "payload": payload}

    def message(role: str, text: str) -> dict[str, Any]:
        form = "input_text" if role == "user" else "output_text"
        return item({"type": "message", "role": role, "content": [{"type": form, "text": text}]})

    for _ in range(chance.randint(*pool.turns)):
        second += 60
        text = pool.asked()
        yield message("user", text)
        yield event({"type": "user_message", "message": text})
        for _ in range(chance.randint(*pool.acts)):
            yield item({"type": "reasoning", "summary": [], "encrypted_content": pool.drawn(1_200)})
            kind, took, shown, _ = act(pool, folder)
            call = f"call_{pool.drawn(12)}"
            arguments = json.dumps(took)
            yield item(
                {"type": "function_call", "name": kind, "arguments": arguments, "call_id": call}
            )
            output = json.dumps({"output": shown, "metadata": {"exit_code": 0}})
            yield item({"type": "function_call_output", "call_id": call, "output": output})
            used = {"total_token_usage": {"input_tokens": 50_000}, "model_context_window": 272_000}
            yield event({"type": "token_count", "info": used})
        text = pool.said(chance.randint(1, 5))
        yield message("assistant", text)
        yield event({"type": "agent_message", "message": text})


def make(home: Path, megabytes: int, *, is_small: bool = False, seed: int = 7) -> int:
    """Write sessions until there are so many; returns how many bytes they are. Small ones are mostly talk."""
    chance = random.Random(seed)
    pool = Pool(chance, is_small=is_small)
    total = number = 0
    while total < megabytes * 1_000_000:
        number += 1
        folder = home / "work" / f"project{number % 12}"
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{number:08x}-0000-4000-8000-000000000000"
        second = BEGAN + number * 3_600
        if number % 4:
            path = home / ".claude" / "projects" / f"-work-project{number % 12}" / f"{name}.jsonl"
            lines = claude_lines(pool, name, str(folder), second)
        else:
            path = home / ".codex" / "sessions" / "2026" / "03" / f"rollout-{name}.jsonl"
            lines = codex_lines(pool, name, str(folder), second)
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            write(file, lines)
        total += path.stat().st_size
    return total


def write(file: TextIO, lines: Iterator[dict[str, Any]]) -> None:
    for line in lines:
        file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


def tree(number: int) -> list[int]:
    """A process and all that it started."""
    found = [number]
    for one in found:
        try:
            told = Path(f"/proc/{one}/task/{one}/children").read_text(encoding="ascii")
        except OSError:
            continue
        found += map(int, told.split())
    return found


def memory_of(number: int) -> int:
    """Bytes that a process holds; what it shares with others counts for its part."""
    try:
        told = Path(f"/proc/{number}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return (
        next(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:")) * 1024
    )


def record(home: Path, total: int) -> dict[str, Any]:
    """`cogmem chat backfill --yes`, watched."""
    database = home / "memory.db"
    environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COGMEM_DB"):
        environment.pop(name, None)
    words = [
        sys.executable,
        "-m",
        "cogmem",
        "--db",
        str(database),
        "chat",
        "backfill",
        "--yes",
        "--json",
    ]
    began = time.perf_counter()
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as process:
        most = 0
        while process.poll() is None:
            most = max(most, sum(map(memory_of, tree(process.pid))))
            time.sleep(0.2)
        told = json.loads(process.stdout.read())["recorded"] if process.stdout else {}
    seconds = time.perf_counter() - began
    used = os.times()
    kept = sum(path.stat().st_size for path in home.glob("memory.db*"))
    return {
        "megabytes": round(total / 1e6, 1),
        "sessions": told["sessions"],
        "messages": told["messages"],
        "candidates": told["proposed"],
        "seconds": round(seconds, 1),
        "cpu_seconds": round(used.children_user + used.children_system, 1),
        "megabytes_per_second": round(total / 1e6 / seconds, 2),
        "megabytes_per_cpu_second": round(
            total / 1e6 / (used.children_user + used.children_system), 2
        ),
        "peak_memory_megabytes": round(most / 1e6),
        "share_of_transcripts": round(kept / total, 3),
        "faults": len(told["faults"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--small", action="store_true", help="Sessions of one to four prompts.")
    parser.add_argument("--folder", type=Path, help="Keep what is made here.")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        home = asked.folder or Path(temporary)
        home.mkdir(parents=True, exist_ok=True)
        total = make(home, asked.megabytes, is_small=asked.small)
        found = record(home, total)
    print(json.dumps(found, indent=2))
    if asked.write:
        RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
