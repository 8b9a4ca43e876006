"""The table in README.md, made from results/*.json: every goal with what was measured, missed ones too.

    python benchmarks/table.py

A figure whose run has not been kept stands there as not measured. Nothing is rounded in our favour.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE / "README.md"
BEGIN, END = "<!-- results: made by table.py -->\n", "<!-- end of results -->"

KINDS = (
    "coding chats",
    "two friends",
    "facts and rules",
    "ten memories",
    "one user's year",
    "a household (unseen)",
)
SILENCE: list[tuple[str, str, str, str | None]] = [
    (f"{what} ({kind}), %", "silence", f"kinds/{kind}/balanced/{path}", goal)
    for kind in KINDS
    for what, path, goal in (
        ("silence: idle prompts that got text", "spoke", "<= 5"),
        ("… with I, my or we", "spoke_own", "<= 15"),
        ("… other prompts that got nothing", "silenced", "<= 3"),
    )
]
# what, results/<file>.json, the path in it (an alternative after |), goal (None: shown for comparison)
ROWS: list[tuple[str, str, str, str | None]] = [
    ("store: single durable writes/s", "store", "single writes/store row/per_s", ">= 5000"),
    ("… in CPU time", "store", "single writes/store row/per_cpu_s", ">= 5000"),
    ("… at the median write", "store", "single writes/store row/per_s_at_p50", None),
    ("… bare SQLite row, same run", "store", "single writes/bare row/per_s", None),
    ("… bare row with FTS5, same run", "store", "single writes/row and search/per_s", None),
    ("… CPU time of a write to a bare row's", "store", "single writes/store row/cpu_to_bare", None),
    ("store: rows/s of an exported file", "store", "import/exported lines/rows_per_s", ">= 20000"),
    ("… in CPU time", "store", "import/exported lines/rows_per_cpu_s", ">= 20000"),
    ("… of lines from elsewhere, guarded", "store", "import/found lines/rows_per_s", None),
    ("… bare rows with FTS5, same run", "store", "import/bare rows and search/rows_per_s", None),
    ("store: new process, open + turn, × bare Python", "store", "fresh process/ratio", "<= 2.5"),
    ("store: 8 writers for 20 s, rows lost", "store", "eight writers/learn/lost", "<= 0"),
    ("… locks that a caller had to handle", "store", "eight writers/learn/faults", "<= 0"),
    ("… learn() p99, ms", "store", "eight writers/learn/p99_ms", None),
    ("write: learn() per s", "write", "learn/new/per_second", ">= 1000"),
    ("write: capture of 2 kB with 50 rules, ms", "write",
     "capture/match_2_kB_fifty_rules/p50_ms", "<= 0.3"),
    ("write: a pasted log of 1 MB, ms", "write", "capture/capture_of_a_1_MB_log/p50_ms", "<= 50"),
    ("write: false merges of contradictions", "write", "judge_on_fixtures/false_merges", "<= 0"),
    ("activate: 10 k memories, p50 ms", "activate", "10000/turn/p50_ms", "<= 1.2"),
    ("activate: 100 k, p50 ms", "activate", "100000/turn/p50_ms", "<= 2.5"),
    ("… p95 ms", "activate", "100000/turn/p95_ms", None),
    ("… all words joined by OR, same run, p50 ms", "activate", "100000/naive/p50_ms", None),
    ("activate: 1 M, p50 ms", "activate", "1000000/turn/p50_ms", "<= 4"),
    ("activate: 1 M, resident MB", "activate", "1000000/rss_mb", "<= 120"),
    ("retrieval: LoCoMo, recall at 800 tokens, %", "retrieval",
     "sets/locomo-dev/budgets/800/recall", ">= 86"),
    ("… questions about the wrong name, %", "retrieval",
     "sets/locomo-dev/budgets/800/adversarial", ">= 90"),
    ("retrieval: BEAM, recall at 800 tokens, %", "retrieval",
     "sets/beam100k-dev/budgets/800/recall", ">= 65"),
    ("retrieval: LifeBench, English, recall at 800 tokens, %", "retrieval",
     "sets/lifebench-en-dev/budgets/800/recall", ">= 55"),
    ("retrieval: LifeBench, Chinese, recall at 800 tokens, %", "retrieval",
     "sets/lifebench-zh-dev/budgets/800/recall", ">= 44"),
    ("retrieval: pairs without a shared word, share found", "kindred",
     "without a model/found", ">= 0.35"),
    *SILENCE,
    ("silence: stale decisions shown, %", "silence", "amended/stale", "<= 10"),
    ("… the new one shown", "silence", "amended/new", None),
    ("silence: facts and rules, precision, %", "silence",
     "kinds/facts and rules/balanced/precision", ">= 80"),
    ("night: 1 M memories, 1 % faded, s", "night", "next_week/seconds", "<= 20"),
    ("… write-ahead log, MB", "night", "next_week/wal_mb", "<= 50"),
    ("… first night ever, s", "night", "first/seconds", "<= 120"),
    ("… resident MB", "night", "next_week/peak_mb", "<= 200"),
    ("… turns meanwhile, p95 to quiet p95", "night", "p95_ratio", "<= 3"),
    ("night: the same, faded ones scattered, s", "night-spread", "next_week/seconds", "<= 20"),
    ("night: first over 1,000 messages, CPU s", "first-night", "sizes/1000/first/cpu_s", "<= 15"),
    ("… over 10,000, 5,000 of them heard", "first-night", "sizes/10000/first/cpu_s", "<= 15"),
    ("… over 100,000, 5,000 of them heard", "first-night", "sizes/100000/first/cpu_s", "<= 15"),
    ("… after a day of talk beside 100,000", "first-night", "sizes/100000/day/cpu_s", "<= 1"),
    ("… the file of 100,000 to its text", "first-night", "sizes/100000/file_to_text", "<= 3"),
    *((f"sync: 20,000 memories, {side}, CPU s", "sync", f"acts/{path}/cpu_s", "<= 10")
      for side, path in (("into a folder", "folder/give"), ("from a folder", "folder/take"),
                         ("to a hub", "hub/give"), ("at the hub", "hub/give/at_the_hub"))),
    ("… most memory of a side, MB", "sync", "acts/folder/take/mb", "<= 100"),
    ("sync: one act about 100,000 memories, taken, CPU s", "sync", "one_act/folder/take/cpu_s", None),
    ("… memory, MB", "sync", "one_act/folder/take/mb", None),
    ("sync: no news, ms of CPU, folder", "sync", "acts/folder/no_news/cpu_ms", "<= 15"),
    ("… hub", "sync", "acts/hub/no_news/cpu_ms", "<= 15"),
    ("backfill: MB of transcripts per CPU second (of two)", "backfill",
     "megabytes_per_cpu_second", ">= 4.17"),
    ("… both processes, MB", "backfill", "peak_memory_megabytes", "<= 300"),
    ("… the file, share of the transcripts", "backfill", "share_of_transcripts", "<= 0.4"),
    ("year: nights that stopped themselves", "year", "nights_stopped", "<= 0"),
    ("year: slowest night, s", "year", "slowest_night_s", None),
    ("conversation: appends in pairs/s", "conversation", "append_in_pairs_per_s", ">= 5000"),
    ("conversation: messages imported/s", "conversation", "long/import_per_s", ">= 20000"),
    ("conversation: window of 4,000 tokens, p50 ms", "conversation", "long/window_p50_ms", "<= 5"),
    ("… 100 k to 10 k messages", "conversation", "window_long_to_short", "<= 1.3"),
    ("conversation: expanding, p50 ms", "conversation", "long/expand_p50_ms", "<= 10"),
    ("older: CPU of turns to 938f155's, 400 messages", "older", "friends-400/turn/ratio_of_sums", "<= 1"),
    ("… in sessions of ten prompts", "older", "friends-400/session/ratio_of_sums", "<= 1"),
    ("… and each prompt recorded", "older", "friends-400/recorded/ratio_of_sums", "<= 1"),
    ("… 10,000 messages to an assistant, no session", "older", "english-10000/turn/ratio_of_sums", "<= 1"),
    ("… in sessions", "older", "english-10000/session/ratio_of_sums", "<= 1"),
    ("… 10,000 memories", "older", "memories-10000/turn/ratio_of_sums", "<= 1"),
    ("hook: prompt, × bare Python", "hook", "hook prompt/ratio", "<= 2.5"),
    ("… in CPU time", "hook", "hook prompt/cpu_ratio", None),
    ("mcp: recall over stdio, p50 ms", "mcp", "recall/p50_ms", "<= 6"),
    ("… asked by the SDK's client", "mcp", "recall, SDK's client/p50_ms", None),
    ("… a tool that does nothing, same run and client", "mcp", "nothing/p50_ms", None),
    ("… recall in process, same run", "mcp", "recall in process/p50_ms", None),
    ("documents: 50 with 200 imports, warm, p50 ms", "documents", "compose/p50_ms", "<= 20"),
]  # fmt: skip


def looked_up(found: Any, path: str) -> Any:
    """The figure at a path; a list of objects is looked up by budget; None when it is not there."""
    for name in path.split("/"):
        if isinstance(found, list):
            found = next((one for one in found if str(one.get("budget")) == name), None)
        elif isinstance(found, dict):
            found = found.get(name)
        if found is None:
            return None
    return len(found) if isinstance(found, list) else found


def verdict(value: Any, goal: str | None) -> str:
    if goal is None or value is None:
        return ""
    sign, _, bound = goal.partition(" ")
    met = value >= float(bound) if sign == ">=" else value <= float(bound)
    return "met" if met else "**missed**"


def table(results: dict[str, Any]) -> str:
    out = ["| what | measured | goal | |\n|---|--:|--:|---|\n"]
    for what, name, path, goal in ROWS:
        value = looked_up(results.get(name), path)
        shown = "not measured" if value is None else f"{value:,}"
        asked = (goal or "").replace(">=", "≥").replace("<=", "≤")
        out.append(f"| {what} | {shown} | {asked} | {verdict(value, goal)} |\n")
    out.append("\n")
    for name, kept in results.items():
        if isinstance(kept, dict) and "machine" in kept:
            load = kept.get("load")
            under = f", load {min(load)} to {max(load)} while it ran" if load else ""
            out.append(f"- `{name}`: {_machine(kept['machine'])}{under}\n")
    return "".join(out)


def _machine(told: Any) -> str:
    """In words; retrieval tells it in parts, in the form that its results have elsewhere."""
    if isinstance(told, str):
        return told
    return f"{told['cpu']}, {told['cores']} cores, Python {told['python']}, {told['measured_at']}"


def page() -> str:
    """README.md with its table made anew from the results that are kept."""
    results = {
        file.stem: json.loads(file.read_text(encoding="utf-8"))
        for file in sorted((HERE / "results").glob("[a-z]*.json"))
    }
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit("benchmarks/README.md has lost the lines between which the table stands")
    return before + begin + table(results) + end + after


def main() -> int:
    new = PAGE.with_suffix(".new")
    new.write_text(page(), encoding="utf-8")
    os.replace(new, PAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
