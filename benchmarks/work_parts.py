"""What the scoreboard of work asks: a history of messages, questions at points of it, and how a block is judged.

Every part gives the same to every system: items as {id, session, speaker, text, at}, in order, and asks, each with
the number of items that lie before it. What comes later, and what the running session said, never counts.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from decisions import APART, tasks_of
from retrieval import conversations, folded, instant
from silence_files import idle as idle_prompts
from work import folded as small
from work import holds, in_time, sets, telling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cogmem import Memory

    Item = dict[str, Any]
    Scores = dict[str, float | None]  # None: does not count for this figure

EVERY = 20  # of the idle prompts one is asked
BEGAN = datetime(2026, 2, 2, 9, tzinfo=UTC)


class Ask(NamedTuple):
    """A prompt at a point of a history, and what a block for it is worth."""

    prompt: str
    at: datetime
    session: str
    after: int  # so many items lie before it
    judge: Callable[[str], Scores]
    is_alone: bool = False  # only what the prompt brings counts, not what stands in every session


class Part(NamedTuple):
    """A history and its asks; `goals` says of each figure whether more is better."""

    name: str
    title: str
    items: list[Item]
    asks: list[Ask]
    goals: dict[str, bool]
    nights: bool  # one at each change of day, else one in the end


def decided(folder: Path) -> Iterator[Part]:
    """Rules that were decided in chats, and amended ones."""
    if not any(folder.glob("decisions-*.json.gz")):
        return
    tasks, items = tasks_of(folder)
    at = datetime.fromisoformat(items[-1]["at"]) + 2 * APART

    def judged(task: Any) -> Callable[[str], Scores]:
        def judge(block: str) -> Scores:
            score = task.score(block)
            amended = task.is_amended
            return {
                "words of the rule": score["words"],
                "whole rule": float(score["whole"]),
                "words of an amended rule": score["words"] if amended else None,
                "old chat shown": float(score["stale"]) if amended else None,
            }

        return judge

    asks = [Ask(task.prompt, at, task.name, len(items), judged(task)) for task in tasks]
    goals = {"words of the rule": True, "whole rule": True}
    goals |= {"words of an amended rule": True, "old chat shown": False}
    yield Part("decisions", "Decisions in chats", items, asks, goals, nights=False)


def worked(folder: Path) -> Iterator[Part]:
    """Sessions of real work: silence where nothing is needed, what helps where something is."""
    for name, data in sets(folder, None):
        messages = in_time(data)
        marks = {mark["ref"]: mark for mark in data["turns"]}
        items = [
            {
                "id": one.ref,
                "session": one.session,
                "speaker": one.role,
                "text": one.text,
                "at": one.at.isoformat(),
            }
            for one in messages
        ]

        def judged(mark: dict[str, Any]) -> Callable[[str], Scores]:
            def judge(block: str) -> Scores:
                text, lines = small(block), [telling(line) for line in block.splitlines()]
                none = mark["need"] == "none"
                phrases = [] if none else mark["words"]
                found = [one for one in phrases if small(one) in text]
                told = [one for one in phrases if any(holds(line, telling(one)) for line in lines)]
                return {
                    "text where none is needed": float(bool(block.strip())) if none else None,
                    "a marked phrase": float(bool(found)) if phrases else None,
                    "… or its words in a line": float(bool(found or told)) if phrases else None,
                }

            return judge

        asks = [
            Ask(one.text, one.at, one.session, at, judged(marks[one.ref]), is_alone=True)
            for at, one in enumerate(messages)
            if one.ref in marks
        ]
        goals = {"text where none is needed": False, "a marked phrase": True}
        goals |= {"… or its words in a line": True}
        yield Part(name, f"Real work ({name})", items, asks, goals, nights=True)


RELATIONS = (
    "The head of {} is {}",
    "{} is built by {}",
    "The harbour of {} belongs to {}",
    "{} is reviewed by {}",
    "The keys of {} are kept by {}",
    "{} buys its steel from {}",
    "The night shift at {} is led by {}",
    "{} was sold to {}",
)
QUESTIONS = (
    "Who is the head of {}?",
    "Who builds {}?",
    "Whom does the harbour of {} belong to?",
    "Who reviews {}?",
    "Who keeps the keys of {}?",
    "Where does {} buy its steel?",
    "Who leads the night shift at {}?",
    "To whom was {} sold?",
)


def made_name(chance: random.Random) -> str:
    parts = "bra nol ven tis kar mun del osh rin quo pel tar lim sed vor hal".split()
    return "".join(chance.sample(parts, chance.randint(2, 3))).capitalize()


def changing(_folder: Path | None = None, *, facts: int = 200) -> Iterator[Part]:
    """Numbered facts, of which a later number holds: half of them change, a quarter twice."""
    chance = random.Random(11)
    names: set[str] = set()
    while len(names) < 4 * facts:
        names.add(made_name(chance))
    every = sorted(names)
    chance.shuffle(every)
    matters = [(n % len(RELATIONS), every.pop()) for n in range(facts)]
    order = [n for n in range(facts) for _ in range(1 + (n % 2 == 0) + (n % 4 == 0))]
    chance.shuffle(order)
    values: dict[int, list[str]] = {}
    items = []
    for number, matter in enumerate(order):
        relation, subject = matters[matter]
        values.setdefault(matter, []).append(every.pop())
        text = RELATIONS[relation].format(subject, values[matter][-1])
        items.append(
            {
                "id": str(number),
                "session": f"facts {number // 20}",
                "speaker": "user",
                "text": f"{number}. {text}.",
                "at": (BEGAN + timedelta(hours=number)).isoformat(),
            }
        )

    def judged(told: list[str]) -> Callable[[str], Scores]:
        def judge(block: str) -> Scores:
            found = told[-1] in block
            old = [block.find(one) for one in told[:-1] if one in block]
            first = found and all(block.find(told[-1]) < at for at in old)
            changed = len(told) > 1
            return {
                "what holds": float(found),
                "what held before, beside it": float(bool(old)) if changed else None,
                "what holds stands first": float(first) if changed else None,
            }

        return judge

    at = BEGAN + timedelta(hours=len(order) + 24)
    asks = [
        Ask(
            QUESTIONS[matters[n][0]].format(matters[n][1]),
            at,
            f"asked {n}",
            len(items),
            judged(told),
        )
        for n, told in sorted(values.items())
        if n % 2 == 0 or n % 8 == 1
    ]
    goals = {"what holds": True, "what held before, beside it": False}
    goals |= {"what holds stands first": True}
    yield Part("changes", "Knowledge that changes", items, asks, goals, nights=False)


def talked(folder: Path, sets: str, title: str, *, idle: bool) -> Iterator[Part]:
    """Conversations with questions: the share of the evidence; and prompts that deserve nothing, asked in the end."""
    for file in sorted(folder.glob(f"{sets}*.jsonl.gz")):
        for number, talk in enumerate(conversations(file)):
            items = [item | {"at": instant(item["at"]).isoformat()} for item in talk["items"]]
            items.sort(key=lambda item: instant(item["at"]))
            said = {item["id"]: folded(item["text"]) for item in items}
            begins: dict[str, int] = {}
            for at, item in enumerate(items):
                begins.setdefault(item["session"], at)
            asks = []
            for one in talk["questions"]:
                if one["category"] == "adversarial" or not one["evidence"]:
                    continue
                at = instant(one["now"])
                later = [n for n, item in enumerate(items) if instant(item["at"]) >= at]
                session = one.get("session", "")
                after = min(begins.get(session, len(items)), *later[:1] or [len(items)])
                judge = partial(share_of, [said[name] for name in one["evidence"]])
                asks.append(Ask(one["text"], at, session or f"asked {len(asks)}", after, judge))
            asks.sort(key=lambda ask: ask.after)
            goals = {"evidence": True}
            if idle:
                goals["idle prompts answered"] = False
                at = instant(talk["questions"][-1]["now"])
                for n, (_, prompt) in enumerate(idle_prompts()):
                    if n % EVERY == 0:
                        alone = Ask(prompt, at, f"idle {n}", len(items), answered, is_alone=True)
                        asks.append(alone)
            name = f"{file.name.removesuffix('.jsonl.gz')}-{number}"
            yield Part(name, title, items, asks, goals, nights=False)


def share_of(wanted: list[str], block: str) -> Scores:
    text = folded(block)
    return {"evidence": sum(one in text for one in wanted) / len(wanted)}


def answered(block: str) -> Scores:
    return {"idle prompts answered": float(bool(block.strip()))}


def planned(folder: Path) -> Iterator[Part]:
    """Projects that people have with an assistant."""
    yield from talked(folder, "realmem-", "Projects with an assistant", idle=False)


def as_asked(part: Part, mem: Memory) -> Iterator[Ask]:
    """Yield each ask of a history as soon as what lies before it is recorded."""
    number = 0
    for ask in part.asks:
        for item in part.items[number : ask.after]:
            talk = mem.conversation(item["session"])
            talk.append(item["speaker"], item["text"], at=instant(item["at"]))
        number = max(number, ask.after)
        yield ask


PARTS = (decided, worked, changing, planned)
