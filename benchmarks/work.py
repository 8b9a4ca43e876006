"""Does the memory serve real work: does it speak when that helps, keep quiet otherwise, and keep what lasts?

    python benchmarks/work.py --data DIR [--set realwork-dev …] [--notes FILE | --model recorded:FILE] [--blocks FILE]
                              [--no-nights] [--write]

DIR holds realwork-*.json.gz: `sessions` of agents at work, each a list of messages in order; `turns`: prompts that a
reader marked with what they need (none, helpful, needed) and the phrases of earlier sessions that help; `hear`: what
in the prompts is worth keeping, with the places where it is said again. None of it is part of this repository.

All messages are replayed in order of time. Before a prompt activate() is asked for its session, then it is recorded,
and heard as a host would have it; at each change of day comes a night; after its last message a session is ended.
Counted are the prompts with a mark:

    quiet     of the prompts that need nothing, the share that gets text all the same (volatile), and its tokens
    helped    of the prompts that a memory helps, the share that gets a marked phrase, word for word; `told` counts a
              line that holds six tenths of the phrase's telling words as well
    hearing   of the memories that are active in the end (not episodes), the share that matches something worth
              keeping, by six tenths of the smaller one's telling words; and the reverse, for the strong ones and all
    again     of what was said three times in different sessions, the share that stands in the stable text of the next
    always    the lines of the last stable text, printed to be read
    idle      of chats that decide nothing (decisions-*.json.gz), heard in one memory: memories that are active, for
              each hundred of a person's messages, and lines that stand in Always; of the prompts that begin a chat
              and of others, the share that gets text, and its tokens; half of the chats teach hearing and the gate
    life      of what people ask an assistant about projects of theirs (realmem-*.jsonl.gz): how much of what they
              mean stands in the block; the first three of five teach

The last third of the prompts stands apart (`late`): what learns from such data learns from the first two thirds, or
from one project and is tried on the other. --notes FILE lets a model leave notes at the end of each session whose
answers are a reader's (JSON lines: session, ref, kind, text, about); --model recorded:FILE one whose answers
`make record-notes` kept. Both go the whole way: shown, asked, checked, kept. --blocks FILE keeps each marked
prompt's block, to be read.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cogmem
from cogmem.errors import NotRecorded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "work.json"
MATCH = 0.6  # share of the telling words of the smaller text
BEGUN = 10  # chats that are only recorded: before, there is nothing to be told
OFTEN = 3  # sessions in which something was said, after which it should be a rule
# What cogmem remarks behind a line of its own accord: how often it was said, and what was said since.
REMARK = re.compile(r"(?: \((?:said \d+ times|check: |earlier: )[^\n]*\))+$")
# What tells nothing in any text. Kept apart from the product's own words on purpose: this is the judge.
PLAIN = frozenset(
    "a an and are as at be been but by can could did do does don for from had has have he her his how i if in into is"
    " it its just let like me more my no not now of on one only or our out she should so some than that the their"
    " them then there these they this to too up us use was we were what when where which who why will with would"
    " you your"
    .split()
)  # fmt: skip


def telling(text: str) -> frozenset[str]:
    """The words of a text that say something, without common endings."""
    words = re.findall(r"[^\W_]+", text.lower())
    return frozenset(
        re.sub(r"(?<=\w{3})(?:ing|ed|es|s)$", "", word)
        for word in words
        if len(word) > 1 and word not in PLAIN
    )


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts share enough of the smaller one's telling words."""
    smaller = min(len(one), len(other))
    return smaller > 0 and len(one & other) >= MATCH * smaller


def folded(text: str) -> str:
    return " ".join(text.lower().split())


class Message:
    """One message of a session, with its place."""

    def __init__(self, session: str, number: int, raw: dict[str, Any]) -> None:
        self.session = session
        self.ref = f"{session}#{number}"
        self.role = raw["role"]
        self.text = raw["text"]
        at = datetime.fromisoformat(raw["at"])
        self.at = at if at.tzinfo else at.replace(tzinfo=UTC)


def in_time(data: dict[str, Any]) -> list[Message]:
    """All messages as they came; within a session its own order holds."""
    every: list[tuple[datetime, int, Message]] = []
    for one in data["sessions"]:
        latest: datetime | None = None
        for number, raw in enumerate(one["messages"]):
            message = Message(one["id"], number, raw)
            latest = message.at if latest is None else max(latest, message.at)
            every.append((latest, len(every), message))
    return [message for _, _, message in sorted(every, key=lambda row: row[:2])]


class Said:
    """Something worth keeping, and the sessions in which it was said, in order."""

    def __init__(self, raw: dict[str, Any], order: dict[str, int]) -> None:
        self.raw = raw
        self.words = [telling(raw["span"]), telling(raw["as"])]
        refs = [ref for ref in (raw["ref"], *raw["said_again"]) if ref in order]
        self.refs = sorted(refs, key=order.__getitem__)
        sessions = list(dict.fromkeys(ref.split("#")[0] for ref in self.refs))
        self.third = sessions[OFTEN - 1] if len(sessions) >= OFTEN else ""

    def is_in(self, text: str) -> bool:
        """Whether a text tells it: a memory, or a line of a block."""
        words = telling(text)
        return any(alike(own, words) for own in self.words)


class Reader:
    """A model whose notes a careful reader wrote."""

    name = "a reader"

    def __init__(self, path: Path) -> None:
        self.session = ""
        self.notes: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for line in path.read_text("utf-8").splitlines():
            note = json.loads(line)
            self.notes[note["session"]].append(note)

    def complete(self, prompt: str, **_: Any) -> str:
        """The notes whose message is shown."""
        notes = [
            {"kind": one["kind"], "text": one["text"], "messages": [number], "names": one["about"]}
            for one in self.notes[self.session]
            if f"[{(number := int(one['ref'].split('#')[1]))}] " in prompt
        ]
        return json.dumps({"notes": notes}, ensure_ascii=False)


def noting(options: argparse.Namespace) -> Any:
    """What leaves notes: a reader, a recording, or nobody."""
    if options.notes:
        return Reader(Path(options.notes))
    if model := getattr(options, "model", ""):
        from cogmem.models.recorded import Recorded

        return Recorded(model.removeprefix("recorded:"))
    return None


def idle_chats(folder: Path) -> list[list[tuple[str, str]]]:
    """Chats that decide nothing, as roles and texts."""
    files = sorted(folder.glob("decisions-*.json.gz"))
    if not files:
        return []
    with gzip.open(files[0], "rt", encoding="utf-8") as text:
        chats = json.load(text)["others"]
    return [[(message["role"], message["text"]) for message in chat] for chat in chats]


class Replay:
    """One project's sessions, replayed into one memory."""

    def __init__(
        self, name: str, data: dict[str, Any], folder: str, options: argparse.Namespace
    ) -> None:
        self.name = name
        self.messages = in_time(data)
        self.order = {message.ref: at for at, message in enumerate(self.messages)}
        self.marks = {mark["ref"]: mark for mark in data["turns"]}
        self.said = [Said(raw, self.order) for raw in data.get("hear", [])]
        self.pasted = [
            folded(row["content"])
            for row in data.get("heard", [])
            if row["mark"] in ("paste", "secret")
        ]
        self.last = {message.session: message.ref for message in self.messages}
        self.project = name
        self.mem = cogmem.open(f"{folder}/{name}.db", project=self.project)
        self.nights = not options.no_nights
        self.model = noting(options)
        self.noted: Counter[str] = Counter()  # what became of the notes
        for cap in ("calls_per_day", "calls_per_run", "tokens_per_day"):
            self.mem.store.set_setting(f"model_{cap}", str(10**9), now=0)
        self.turns: list[dict[str, Any]] = []
        self.ms: list[float] = []
        self.hear_ms: list[float] = []
        self.stable: dict[str, str] = {}  # of each session, in the order in which they began
        self.waiting: list[Said] = []
        self.again: dict[Said, bool] = {}
        self.seen: set[str] = set()

    def run(self) -> None:
        day = None
        for number, message in enumerate(self.messages):
            if self.nights and day is not None and message.at.date() != day:
                self.mem.nightly(now=message.at)
            day = message.at.date()
            if message.role == "user":
                self.ask(message, number)
            self.record(message)
            if self.last[message.session] == message.ref:
                self.end(message)

    def ask(self, message: Message, number: int) -> None:
        started = time.process_time()
        turn = self.mem.activate(message.text, session=message.session, now=message.at)
        self.ms.append(1000 * (time.process_time() - started))
        if message.session not in self.stable:
            self.stable[message.session] = turn.stable
            self.look_again(message.session, turn.stable)
        mark = self.marks.get(message.ref)
        if mark is None:
            return
        text = folded(turn.text)
        lines = [telling(line) for line in turn.text.splitlines() if line.strip()]
        phrases = mark["words"]
        self.turns.append(
            {
                "ref": message.ref,
                "late": number >= len(self.messages) * 2 / 3,
                "first": message.ref.endswith("#0"),
                "need": mark["need"],
                "spoke": bool(turn.volatile.strip()),
                "tokens": turn.tokens if not turn.stable else max(0, turn.tokens - tokens(turn.stable)),
                "found": sum(folded(phrase) in text for phrase in phrases),
                "told": sum(
                    folded(phrase) in text or any(holds(line, telling(phrase)) for line in lines)
                    for phrase in phrases
                ),
                "phrases": len(phrases),
                "prompt": message.text[:400],
                "block": turn.volatile,
                "wanted": phrases,
                "about": mark.get("about", []),
            }
        )  # fmt: skip

    def look_again(self, session: str, stable: str) -> None:
        """What was said a third time before this session began should stand in its stable text."""
        for one in [one for one in self.waiting if one.third != session]:
            lines = [REMARK.sub("", line) for line in stable.splitlines()]
            self.again[one] = any(one.is_in(line) for line in lines)
            self.waiting.remove(one)

    def record(self, message: Message) -> None:
        talk = self.mem.conversation(message.session)
        talk.append(message.role, message.text, at=message.at)
        if message.role == "user":
            started = time.process_time()
            self.mem.capture_conversation(message.session, now=message.at)
            self.hear_ms.append(1000 * (time.process_time() - started))
        for one in self.said:
            reached = [ref for ref in one.refs if ref.split("#")[0] == one.third]
            if one.third and message.ref == reached[0]:
                self.waiting.append(one)

    def end(self, message: Message) -> None:
        self.mem.sessions.conclude(message.session, now=message.at)
        self.mem.sessions.end(message.session, now=message.at)
        if self.model is not None:
            if isinstance(self.model, Reader):
                self.model.session = message.session
            try:
                done = self.mem.notes.read(message.session, model=self.model, now=message.at)
            except NotRecorded:  # a recording of some sessions leaves the others as they are
                self.noted["sessions not recorded"] += 1
                return
            self.noted["sessions read"] += 1
            self.noted.update(one.outcome for one in done.notes)
            self.noted["lines gave way"] += len(done.replaced)

    def figures(self) -> dict[str, Any]:
        after = self.messages[-1].at
        held = [one for one in self.every_memory() if one.layer != "episodic"]
        hits = [one for one in held if any(said.is_in(one.content) for said in self.said)]
        contents = [one.content for one in held]
        strong = [said for said in self.said if said.raw.get("grade", "strong") == "strong"]
        stable = self.mem.activate("", session="the one after all", now=after).stable
        dirty = [one for one in held if folded(one.content) in self.pasted]
        kept = {
            "active": len(held),
            "good": share(len(hits), len(held)),
            "strong_active": share(sum(any(map(s.is_in, contents)) for s in strong), len(strong)),
            "worth_active": share(
                sum(any(map(s.is_in, contents)) for s in self.said), len(self.said)
            ),
            "pastes_and_secrets": len(dirty),
            "said_thrice": len(self.again),
            "then_always": share(sum(self.again.values()), len(self.again)),
            "always_lines": sum(line.startswith("- ") for line in stable.splitlines()),
            "candidates": len(self.mem.list(state="candidate", limit=10_000)),
            "episodes": len([one for one in self.every_memory() if one.layer == "episodic"]),
            "p50_ms": middle(self.hear_ms),
        }
        self.always = stable
        self.held = held
        return {
            "all": spoken(self.turns),
            "late": spoken([turn for turn in self.turns if turn["late"]]),
            "first": spoken([turn for turn in self.turns if turn["first"]]),
            "inner": spoken([turn for turn in self.turns if not turn["first"]]),
            "hearing": kept,
            "turn_ms": {"p50": middle(self.ms), "p95": rank(self.ms, 0.95)},
        }

    def every_memory(self) -> list[Any]:
        return list(self.mem.list(state="active", limit=100_000))


def idle(folder: Path, path: Path) -> dict[str, Any]:
    """What hearing and turns make of chats that decide nothing: those that taught them, and those that did not."""
    found: dict[str, Any] = {}
    for name, is_aside in (("taught", False), ("aside", True)):
        chats = [chat for at, chat in enumerate(idle_chats(folder)) if (at % 4 > 1) is is_aside]
        if not chats:
            continue
        mem = cogmem.open(path / f"idle-{name}.db", project="idle")
        now, typed = datetime(2026, 1, 5, 9, tzinfo=UTC), 0
        told: dict[bool, list[int]] = {True: [], False: []}  # tokens, of first prompts and others
        for number, chat in enumerate(chats):
            talk = mem.conversation(f"chat {number}")
            for role, text in chat:
                now += timedelta(minutes=1)
                if role == "user" and number >= BEGUN:
                    turn = mem.activate(text, session=f"chat {number}", now=now)
                    told[(role, text) == chat[0]].append(tokens(turn.volatile))
                talk.append(role, text, at=now)
                if role == "user":
                    typed += 1
                    mem.capture_conversation(f"chat {number}", now=now)
            mem.sessions.conclude(f"chat {number}", now=now)
            mem.sessions.end(f"chat {number}", now=now)
            now += timedelta(hours=8)
        mem.nightly(now=now)
        held = [one for one in mem.list(state="active", limit=100_000) if one.layer != "episodic"]
        stable = mem.activate("", session="the one after all", now=now).stable
        found[name] = {
            "messages": typed,
            "active_of_100": share(len(held), typed),
            "always_lines": sum(line.startswith("- ") for line in stable.splitlines()),
            "first_told": share(sum(map(bool, told[True])), len(told[True])),
            "inner_told": share(sum(map(bool, told[False])), len(told[False])),
            "tokens_when_spoken": mean(filter(None, [*told[True], *told[False]])),
            "lines": [one.content for one in held],
        }
        mem.close()
    return found


def tokens(text: str) -> int:
    from cogmem.tokens.counting import O200k

    global _COUNTER
    if _COUNTER is None:
        _COUNTER = O200k()
    return int(_COUNTER.count(text))


_COUNTER: Any = None


def holds(line: frozenset[str], phrase: frozenset[str]) -> bool:
    """Whether a line holds enough of a phrase's words."""
    return len(phrase) > 1 and len(line & phrase) >= MATCH * len(phrase)


def spoken(turns: list[dict[str, Any]]) -> dict[str, Any]:
    """What marked prompts were given."""
    none = [turn for turn in turns if turn["need"] == "none"]
    helped = [turn for turn in turns if turn["need"] != "none"]
    marked = [turn for turn in helped if turn["phrases"]]
    return {
        "none": len(none),
        "quiet_broken": share(sum(turn["spoke"] for turn in none), len(none)),
        "none_tokens": mean(turn["tokens"] for turn in none),
        "helped": len(helped),
        "spoke": share(sum(turn["spoke"] for turn in helped), len(helped)),
        "any_phrase": share(sum(turn["found"] > 0 for turn in marked), len(marked)),
        "any_told": share(sum(turn["told"] > 0 for turn in marked), len(marked)),
        "phrases": share(sum(t["found"] for t in marked), sum(t["phrases"] for t in marked)),
        "helped_tokens": mean(turn["tokens"] for turn in helped),
        "tokens_when_spoken": mean(turn["tokens"] for turn in turns if turn["spoke"]),
    }


def share(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def mean(values: Iterable[float]) -> float | None:
    every = list(values)
    return round(statistics.mean(every), 1) if every else None


def middle(values: list[float]) -> float | None:
    return round(statistics.median(values), 2) if values else None


def rank(values: list[float], at: float) -> float | None:
    return round(sorted(values)[int(len(values) * at)], 2) if values else None


def sets(folder: Path, wanted: list[str] | None) -> Iterator[tuple[str, dict[str, Any]]]:
    for file in sorted(folder.glob("realwork-*.json.gz")):
        name = file.name.removesuffix(".json.gz")
        if wanted is None or name in wanted:
            with gzip.open(file, "rt", encoding="utf-8") as text:
                yield name, json.load(text)


def life(folder: Path, path: Path) -> dict[str, Any]:
    """Tell of each person how much of what their questions are about is told, and in how many tokens."""
    from work_parts import as_asked, planned  # it reads this module

    figures = {}
    for part in planned(folder):
        with cogmem.open(path / f"{part.name}.db") as mem:
            told = [
                (ask.judge(turn.text)["evidence"], turn.tokens)
                for ask in as_asked(part, mem)
                for turn in [mem.activate(ask.prompt, session=ask.session, now=ask.at)]
            ]
        evidence, tokens = (statistics.mean(values) for values in zip(*told, strict=True))
        figures[part.name] = {"evidence": round(100 * evidence, 1), "tokens": round(tokens)}
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=None, help="the folder with realwork-*.json.gz"
    )
    parser.add_argument("--set", dest="sets", nargs="+", default=None, help="only these")
    parser.add_argument(
        "--notes", default="", help="JSON lines of a reader's notes, left as their session ends"
    )
    parser.add_argument("--model", default="", help="recorded:FILE, what `make record-notes` kept")
    parser.add_argument(
        "--blocks", default="", help="a file for each marked prompt's block, and what was kept"
    )
    parser.add_argument("--no-nights", action="store_true", help="leave the nights out: quicker")
    parser.add_argument("--write", action="store_true", help="keep the figures")
    options = parser.parse_args()
    if options.data is None or not any(options.data.glob("realwork-*.json.gz")):
        print("bench-work: skipped, there is no realwork-*.json.gz: name its folder with DATA=dir")
        return
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, data in sets(options.data, options.sets):
            replay = Replay(name, data, folder, options)
            replay.run()
            results[name] = replay.figures()
            print(f"\n{name}")
            if replay.noted:
                results[name]["notes"] = dict(replay.noted)
            for part, values in results[name].items():
                print(f"  {part:8}", "  ".join(f"{key} {value}" for key, value in values.items()))
            print("  Always, at the end:")
            print("\n".join(f"    {line}" for line in replay.always.splitlines()))
            sys.stdout.flush()
            if options.blocks:
                keep_blocks(Path(options.blocks), name, replay)
            replay.mem.close()
        if options.sets is None:
            print("\nidle chats")
            for name, values in idle(options.data, Path(folder)).items():
                lines = values.pop("lines")
                print(f"  {name:8}", "  ".join(f"{key} {value}" for key, value in values.items()))
                print("\n".join(f"    {line[:160]}" for line in lines))
                results.setdefault("idle", {})[name] = values
            print("\nprojects of a life")
            results["life"] = life(options.data, Path(folder))
            for name, values in results["life"].items():
                print(f"  {name:8}", "  ".join(f"{key} {value}" for key, value in values.items()))
    if options.write:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


def keep_blocks(path: Path, name: str, replay: Replay) -> None:
    """Everything that a reader needs to judge by hand."""
    with path.open("a", encoding="utf-8") as file:
        for turn in replay.turns:
            file.write(json.dumps({"set": name, **turn}, ensure_ascii=False) + "\n")
        for one in replay.held:
            row = {"set": name, "held": one.content, "kind": one.kind, "source": one.source}
            row["good"] = any(said.is_in(one.content) for said in replay.said)
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
