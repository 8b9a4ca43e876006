"""Memories and prompts for benchmarks/silence.py: written by hand in prompts/, put together by a seed.

Each kind of file is a list of worlds: what is recorded or learned, prompts that deserve something with
the texts that answer them, and prompts that deserve nothing. Half of the prompts, by the hash of their
words, are for fitting the gate; the figures that are kept come from the other half. The household, in
German, is for neither: nobody tuned anything on it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

PROMPTS = Path(__file__).resolve().parent / "prompts"
BEGIN = datetime(2025, 2, 3, 9, tzinfo=UTC)


class Said(NamedTuple):
    """One recorded message."""

    text: str
    speaker: str
    at: datetime
    session: str


class Wanted(NamedTuple):
    """A prompt that deserves something, and the texts that answer it."""

    text: str
    answers: frozenset[str]


class World(NamedTuple):
    """One memory file, and what is asked of it."""

    kind: str
    name: str
    said: list[Said]
    facts: list[str]
    wanted: list[Wanted]
    now: datetime


def half(text: str) -> int:
    """0: for fitting, 1: for the figures."""
    return hashlib.md5(text.encode(), usedforsecurity=False).digest()[0] & 1


def listed(name: str) -> list[str]:
    """The texts of a file with ` | ` between them."""
    lines = (PROMPTS / name).read_text(encoding="utf-8").splitlines()
    return [part for line in lines for part in line.split(" | ") if part]


def idle() -> list[tuple[str, str]]:
    """Prompts that deserve nothing, each with its category."""
    found, category = [], ""
    for line in (PROMPTS / "idle.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            category = line[2:]
        else:
            found += [(category, part) for part in line.split(" | ") if part]
    return found


def bank(name: str) -> dict[str, list[tuple[str, list[str]]]]:
    """Statements with the prompts that want them, by topic."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    topic = ""
    for line in (PROMPTS / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            topic = line[2:]
        elif line:
            statement, _, prompts = line.partition(" | ")
            found.setdefault(topic, []).append((statement, prompts.split(" ; ")))
    return found


def worlds() -> Iterator[World]:
    """All kinds of files."""
    topics = list(bank("assistant.txt"))
    for seed in range(8):
        rng = random.Random(seed)
        yield chats(seed, rng.sample(topics, 3 + seed % 4), 60 + 60 * seed)
    names = ["Marit", "Tom", "Aisha", "Jonas", "Priya", "Luca", "Hanna", "Diego", "Sophie", "Ken"]
    for seed in range(6):
        rng = random.Random(seed)
        yield friends(seed, rng.sample(names, 2 + seed % 2), 7 + seed, 80 + 90 * seed)
    for seed in (1, 2):
        yield rules(seed)
    for seed in range(20):
        yield ten(seed)
    for seed in (1, 2):
        yield year(seed)
    yield household()


def chats(seed: int, topics: list[str], length: int) -> World:
    """A user and an assistant over some months: long answers, and many prompts that say nothing."""
    rng = random.Random(f"chats {seed}")
    known = bank("assistant.txt")
    filler = [text.replace("\\n", "\n") for text in listed("filler.txt")]
    chatter = [text for category, text in idle() if category in ("social", "act")]
    follow = [
        "How would you do that?",
        "What do you think?",
        "Could you write me an example?",
        "",
        "Can you help me with the next step?",
        "What should I look out for?",
        "",
        "",
    ]
    left = {topic: iter(known[topic]) for topic in topics}
    order = [topic for topic in topics for _ in known[topic]]
    rng.shuffle(order)
    said: list[Said] = []
    wanted: list[Wanted] = []
    at, session = BEGIN, 0
    for number, topic in enumerate(order):
        if number % 3 == 0:
            session += 1
            at += timedelta(days=rng.randrange(2, 9))
        statement, prompts = next(left[topic])
        text = f"{statement} {rng.choice(follow)}".strip()
        said.append(Said(text, "user", at, f"s{session}"))
        opening = rng.choice(["", f"For your {topic}: ", f"About the {topic}, "])
        answer = f"{opening}{rng.choice(filler)} {rng.choice(filler)}"
        said.append(Said(answer, "assistant", at + timedelta(minutes=1), f"s{session}"))
        wanted += [Wanted(prompt, frozenset([text])) for prompt in prompts]
        for _ in range(max(0, length // (2 * len(order)) - 1)):
            at += timedelta(minutes=4)
            said.append(Said(rng.choice(chatter), "user", at, f"s{session}"))
            said.append(Said(rng.choice(filler), "assistant", at, f"s{session}"))
    return World("coding chats", f"chats {seed}", said, [], wanted, at + timedelta(days=2))


def friends(seed: int, names: list[str], each: int, length: int) -> World:
    """Two or three people who tell each other how they are."""
    rng = random.Random(f"friends {seed}")
    told = rng.sample(bank("people.txt")[""], min(40, each * len(names)))
    small = listed("smalltalk.txt")
    said: list[Said] = []
    wanted: list[Wanted] = []
    at, session = BEGIN, 0
    for number, (statement, prompts) in enumerate(told):
        who = names[number % len(names)]
        if number % 2 == 0:
            session += 1
            at += timedelta(days=rng.randrange(1, 12))
        for _ in range(max(1, length // len(told) - 1)):
            at += timedelta(minutes=2)
            said.append(Said(rng.choice(small), rng.choice(names), at, f"s{session}"))
        said.append(Said(statement, who, at, f"s{session}"))
        answers = frozenset([statement])
        wanted += [Wanted(prompt.replace("{A}", who), answers) for prompt in prompts]
    return World("two friends", f"friends {seed}", said, [], wanted, at + timedelta(days=2))


def rules(seed: int) -> World:
    """Facts and rules only: people, services, and how things are done, some 150 of them."""
    rng = random.Random(f"rules {seed}")
    facts: list[str] = []
    wanted: list[Wanted] = []

    def add(text: str) -> str:
        facts.append(text)
        return text

    names = rng.sample(
        "Maren Yusuf Ilse Dario Noemi Pavel Anouk Tobias Zainab Henrik Lucia Kofi Mirjam"
        " Stefan Adaeze Bjorn Carmen Davide Esra Florian Gesine Hamid".split(),
        14,
    )
    whom = [
        "brother",
        "dentist",
        "landlady",
        "piano teacher",
        "goddaughter",
        "team lead",
        "neighbour",
        "grandfather",
        "flatmate",
        "physiotherapist",
        "cousin",
        "trainer",
        "mentor",
        "stepmother",
    ]
    work = [
        "welder",
        "botanist",
        "judge",
        "florist",
        "tram driver",
        "anaesthetist",
        "glazier",
        "brewer",
        "cartographer",
        "umpire",
        "notary",
        "roofer",
        "translator",
        "potter",
    ]
    towns = [
        "Ghent",
        "Tartu",
        "Bergen",
        "Malaga",
        "Graz",
        "Cusco",
        "Dakar",
        "Aarhus",
        "Perth",
        "Lodz",
        "Minsk",
        "Turin",
        "Leeds",
        "Quito",
    ]
    for place, name in enumerate(names):
        who = add(f"{name} is the user's {whom[place]}.")
        does = add(f"{name} is a {work[place]}.")
        lives = add(f"{name} lives in {towns[place]}.")
        born = add(f"{name} was born on {place + 2} {rng.choice(['March', 'May', 'August'])}.")
        if place % 2:
            asked = [
                (f"where does {name} live?", [lives]),
                (f"what is {name}'s job?", [does]),
                (f"when was {name} born?", [born]),
                (f"who is my {whom[place]}?", [who]),
            ]
        else:
            asked = [
                (f"tell me about {name}", [who, does, lives, born]),
                (f"What does {name} do for work?", [does]),
                (f"What's the name of my {whom[place]}?", [who]),
                (f"plan a birthday trip to {name} in {towns[place]}", [lives, born]),
            ]
        wanted += [Wanted(prompt, frozenset(answers)) for prompt, answers in asked]
    stores = ["MySQL", "MongoDB", "Redis", "ClickHouse"]
    services = "pricing shipping returns loyalty vouchers stock labels claims routing audit".split()
    for place, name in enumerate(services):
        port = add(f"The {name} service runs on port {7100 + 17 * place}.")
        team = add(
            f"The {name} service is maintained by the {['Lynx', 'Raven', 'Moose'][place % 3]} team."
        )
        data = add(f"The {name} service stores its data in {stores[place % 4]}.")
        wanted += [
            Wanted(f"which port does {name} run on?", frozenset([port])),
            Wanted(f"who maintains the {name} service?", frozenset([team])),
            Wanted(f"where does {name} store its data?", frozenset([data])),
            Wanted(f"connect to the {name} service and its data store", frozenset([port, data])),
        ]
    for statement, prompts in bank("facts.txt")[""]:
        add(statement)
        wanted += [Wanted(prompt, frozenset([statement])) for prompt in prompts]
    return World("facts and rules", f"rules {seed}", [], facts, wanted, BEGIN)


def ten(seed: int) -> World:
    """A file as it is after a day: ten memories."""
    told = random.Random(f"ten {seed}").sample(bank("facts.txt")[""], 10)
    wanted = [Wanted(prompt, frozenset([text])) for text, prompts in told for prompt in prompts]
    return World("ten memories", f"ten {seed}", [], [text for text, _ in told], wanted, BEGIN)


def year(seed: int) -> World:
    """One user's year: notes to self, messages from others, and facts that were learned from them."""
    rng = random.Random(f"year {seed}")
    notes = [one for told in bank("assistant.txt").values() for one in told]
    told = bank("people.txt")[""]
    small = listed("smalltalk.txt")
    others = ["Marit", "Tom", "Aisha", "Jonas", "Priya"]
    said: list[Said] = []
    wanted: list[Wanted] = []
    at = BEGIN
    entries = [(note, "user") for note in notes] + [
        (one, others[place % 5]) for place, one in enumerate(told)
    ]
    rng.shuffle(entries)
    for number, ((statement, prompts), who) in enumerate(entries):
        at += timedelta(days=2.5)
        for _ in range(6):
            said.append(Said(rng.choice(small), rng.choice(others), at, f"d{number}"))
        said.append(Said(statement, who, at, f"d{number}"))
        answers = frozenset([statement])
        wanted += [Wanted(prompt.replace("{A}", who), answers) for prompt in prompts]
    facts = rng.sample(bank("facts.txt")[""], 40)
    wanted += [Wanted(prompt, frozenset([text])) for text, prompts in facts for prompt in prompts]
    return World("one user's year", f"year {seed}", said, [text for text, _ in facts], wanted, at)


def household() -> World:
    """The unseen kind: the neighbours of a house, in German."""
    rng = random.Random("household")
    small = listed("household_talk.txt")
    names = ["Brandt", "Novak", "Yilmaz", "Okafor"]
    said: list[Said] = []
    wanted: list[Wanted] = []
    at = BEGIN
    for number, (statement, prompts) in enumerate(bank("household.txt")[""]):
        at += timedelta(days=3)
        for _ in range(7):
            said.append(Said(rng.choice(small), rng.choice(names), at, f"h{number}"))
        said.append(Said(statement, rng.choice(names), at, f"h{number}"))
        wanted += [Wanted(prompt, frozenset([statement])) for prompt in prompts]
    return World("a household (unseen)", "household", said, [], wanted, at + timedelta(days=1))


class Amended(NamedTuple):
    """A decision and what took it back, among other talk."""

    prompt: str
    old: str
    new: str
    closing: str  # what the assistant said to the new one
    said: list[Said]
    now: datetime


def amended() -> Iterator[Amended]:
    """Decisions that were taken back a month later, with and without a word that says so."""
    known = [told for topic in bank("assistant.txt").values() for told, _ in topic]
    filler = [text.replace("\\n", "\n") for text in listed("filler.txt")]
    for file in ("amended.txt", "amended_plainly.txt"):
        for number, line in enumerate((PROMPTS / file).read_text(encoding="utf-8").splitlines()):
            told, _, prompt = line.partition(" | ")
            old, _, new = told.partition(" -> ")
            closing = f"Understood, I will keep that in mind: {new}"
            rng = random.Random(line)
            talks = [[one, rng.choice(filler)] for one in rng.sample(known, 16)]
            talks.insert(6, [old, f"Understood, noted: {old}", "thanks", "You are welcome."])
            talks.insert(13, [new, closing])
            said, at = [], BEGIN
            for place, texts in enumerate(talks):
                at += timedelta(days=4)
                for turn, text in enumerate(texts):
                    who = "assistant" if turn % 2 else "user"
                    said.append(Said(text, who, at + timedelta(minutes=turn), f"{number} {place}"))
            yield Amended(prompt, old, new, closing, said, at + timedelta(days=2))


def from_data(folder: Path, names: list[str], most: int) -> Iterator[World]:
    """Conversations of other data sets (see README.md): up to so many prompts of each."""
    for file in sorted(folder.glob("*.jsonl.gz")):
        if not any(file.name.startswith(name) for name in names):
            continue
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                if number < 12:  # QMSum has 195 meetings, which are much alike
                    yield _world(file.name.removesuffix(".jsonl.gz"), json.loads(line), most)


def _world(name: str, row: dict[str, Any], most: int) -> World:
    def instant(text: str) -> datetime:
        at = datetime.fromisoformat(text)
        return at if at.tzinfo else at.replace(tzinfo=UTC)

    texts = {item["id"]: item["text"] for item in row["items"]}
    said = [
        Said(item["text"], item["speaker"], instant(item["at"]), item["session"])
        for item in row["items"]
    ]
    asked = [one for one in row["questions"] if one["category"] != "adversarial"]
    if len(asked) > most:
        asked = random.Random(row["id"]).sample(asked, most)
    wanted = [
        Wanted(one["text"], frozenset(texts[item] for item in one["evidence"])) for one in asked
    ]
    now = max((instant(one["now"]) for one in asked), default=said[-1].at)
    return World(name, row["id"], said, [], wanted, now)
