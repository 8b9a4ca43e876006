"""Files that are apart: random deeds on each, exchanges in any order, and then all of them are equal.

A history is drawn from one number. Three writers with clocks up to 60 days wrong learn, change, merge, undo, archive,
forget, and have their nights; other clients write too, and an act may be about ten thousand memories. Now and then
two of them exchange what they know: the same batch twice, a batch whose answer is lost, one of old marks. Or they
meet in a folder, where one is killed amid a write, and damaged files lie. A file is restored from an old backup, or
becomes the copy of another. A stranger gives what has no shape, or what is not his to say. At the end everybody meets
everybody until nothing moves; then every table says the same in every file, `check` finds nothing, no text that was
acknowledged is lost, and none that was forgotten is back, nor in any byte of the folder or of a file.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import cogmem
from cogmem.errors import CogmemError
from cogmem.store import forget as forgetting
from cogmem.sync.acts import Names, deeds
from cogmem.sync.admission import Door
from cogmem.sync.exchange import NOWHERE, Side, exchange
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable

START = 1_800_000_000_000
DAY = 86_400_000
RESTORED = ("this is an older state", "the history was written anew")  # and so it is
WORDS = [a + b for a in ("ba", "ko", "ri", "tu", "sel") for b in ("lan", "mek", "zor", "pit")]
LOTS = {
    "learn": 24, "same": 5, "key": 9, "topic": 6, "update": 12, "retag": 4, "remove": 5, "restore": 4, "archive": 5,
    "recall": 4, "undo": 9, "merge": 4, "correct": 4, "retire": 2, "supersede": 2, "tried": 5, "setting": 3,
    "kind": 2, "forget": 3, "night": 2, "shell": 4, "bulk": 1,
}  # fmt: skip


class Lost(Exception):
    """The connection broke before a request came, or before its answer did."""


class Killed(BaseException):
    """The process ended here: nothing that it would still have done is done."""


class Writer:
    """One machine: its file, its clock, what it was told to keep."""

    def __init__(self, folder: str, number: int, draw: random.Random, empty: str) -> None:
        self.path = os.path.join(folder, f"{number}.db")
        shutil.copy(empty, self.path)
        self.name = f"w{number}"
        self.draw = draw
        self.skew = draw.choice([1, 30, 60]) * draw.randint(-DAY, DAY)
        self.open()

    def open(self) -> None:
        self.mem = cogmem.open(self.path, actor=self.name, counter=counting.Simple())
        self.mem.db._numbers = itertools.count(self.draw.getrandbits(60))  # one number, one history

    def copied(self, to: str) -> None:
        """A copy of the file, as a person makes one."""
        self.mem.flush()
        self.mem.db.fold_log(1_000)
        shutil.copy(self.path, to)

    def replaced(self, by: str) -> None:
        """Another file lies in its place."""
        self.mem.close()
        for ending in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                os.unlink(self.path + ending)
        shutil.copy(by, self.path)
        self.open()

    def now(self, world: World) -> int:
        return world.at + self.skew


class World:
    """Three writers and what they acknowledged."""

    def __init__(self, folder: str, seed: int, empty: str) -> None:
        self.draw = random.Random(seed)
        self.at = START
        self.serial = 0
        self.texts: dict[str, None] = {}  # acknowledged
        self.gone: set[str] = set()  # texts of what was forgotten, and nowhere else
        self.folder = os.path.join(folder, "shared", "")
        self.backups: dict[str, str] = {}
        self.half: list[str] = []  # damaged files of the folder, which nobody reads or takes away
        self.place = folder
        self.writers = [Writer(folder, number, self.draw, empty) for number in range(3)]

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.at += self.draw.randint(1, 600_000)
            writer = self.draw.choice(self.writers)
            lot = self.draw.random()
            if lot < 0.2:
                other = self.draw.choice([one for one in self.writers if one is not writer])
                if lot < 0.1:
                    self.meet(writer, other, is_rough=True)
                elif lot < 0.15:
                    self.meet_folder(writer, is_rough=True)
                elif lot < 0.17:
                    self.backup(writer)
                elif lot < 0.18:
                    self.restore_backup(writer)
                elif lot < 0.185:
                    self.become(writer, other)
                elif lot < 0.19:
                    self.damage()
                else:
                    self.visit(writer, other)
                continue
            deed = self.draw.choices(list(LOTS), list(LOTS.values()))[0]
            with suppress(CogmemError):
                getattr(self, deed)(writer.mem, writer.now(self))

    def text(self) -> str:
        self.serial += 1
        draw = self.draw
        return (
            f"The {draw.choice(WORDS)} {draw.choice(WORDS)} host has {draw.choice(WORDS)} number"
            f" {self.serial * 7919 % 100_003}."
        )

    def any(self, mem: cogmem.Memory, where: str = "state = 'active'") -> str:
        found = mem.db.ask(f"select uid from memory where {where} order by uid")
        if not found:
            raise CogmemError("nothing to choose from")
        return str(self.draw.choice(found)[0])

    # -- deeds -----------------------------------------------------------------------------------

    def learn(self, mem: cogmem.Memory, now: int) -> None:
        text = self.text()
        kind = self.draw.choice(["fact", "fact", "preference", "event"])
        mem.learn(text, kind, now=now)
        self.texts[text] = None

    def bulk(self, mem: cogmem.Memory, now: int) -> None:
        """One act about very many memories, as an import is."""
        count = int(10 ** self.draw.uniform(0, self.draw.choice([1, 2, 4])))
        texts = [self.text() for _ in range(count)]
        step = ("insert into remember (content) values (:text)", [(text,) for text in texts])
        mem.db.write([step], verb="import", actor=mem.actor, at=now)
        self.texts.update(dict.fromkeys(texts))

    def same(self, mem: cogmem.Memory, now: int) -> None:
        mem.learn(f"The build of {self.draw.choice(WORDS[:3])} takes an hour.", now=now)

    def key(self, mem: cogmem.Memory, now: int) -> None:
        text = self.text()
        mem.learn(text, key=f"branch-{self.draw.randint(1, 3)}", now=now)
        self.texts[text] = None

    def topic(self, mem: cogmem.Memory, now: int) -> None:
        mem.learn(
            f"The window is {self.draw.choice(WORDS)} {self.draw.randint(1, 99)}.",
            topic="window",
            now=now,
        )

    def update(self, mem: cogmem.Memory, now: int) -> None:
        text = self.text()
        mem.update(self.any(mem), content=text, now=now)
        self.texts[text] = None

    def retag(self, mem: cogmem.Memory, now: int) -> None:
        mem.update(
            self.any(mem), tags=[self.draw.choice(WORDS)], priority=self.draw.randint(1, 4), now=now
        )

    def remove(self, mem: cogmem.Memory, now: int) -> None:
        mem.remove(self.any(mem), now=now)

    def restore(self, mem: cogmem.Memory, now: int) -> None:
        mem.restore(self.any(mem, "state in ('deleted', 'archived')"), now=now)

    def archive(self, mem: cogmem.Memory, now: int) -> None:
        mem.archive(self.any(mem), now=now)

    def recall(self, mem: cogmem.Memory, now: int) -> None:
        mem.recall(self.draw.choice(WORDS), now=now)
        mem.flush()

    def undo(self, mem: cogmem.Memory, now: int) -> None:
        found = mem.db.ask(
            "select act from change where act is not null group by act order by max(id) desc limit 8"
        )
        if found:
            mem.undo(
                self.draw.choice(found)[0], now=now, force=self.draw.random() < 0.2, everywhere=True
            )

    def merge(self, mem: cogmem.Memory, now: int) -> None:
        mem.facts.merge(self.any(mem), self.any(mem), now=now)

    def correct(self, mem: cogmem.Memory, now: int) -> None:
        text = self.text()
        mem.facts.correct(self.any(mem, "state = 'active' and layer = 'semantic'"), text, now=now)
        self.texts[text] = None

    def retire(self, mem: cogmem.Memory, now: int) -> None:
        mem.facts.retire(self.any(mem, "state = 'active' and layer = 'semantic'"), now=now)

    def supersede(self, mem: cogmem.Memory, now: int) -> None:
        mem.facts.supersede(
            self.any(mem, "state = 'active' and layer = 'semantic'"),
            self.any(mem, "state = 'active' and layer = 'semantic'"),
            now=now,
        )

    def tried(self, mem: cogmem.Memory, now: int) -> None:
        mem.procedure("deploy", ["build", "push", self.draw.choice(WORDS)], now=now)
        mem.tried("deploy", success=self.draw.random() < 0.5, now=now)

    def setting(self, mem: cogmem.Memory, now: int) -> None:
        row = {"name": "budget_tokens", "value": str(self.draw.randint(500, 900))}
        mem.db.write([("store.set_setting", row)], verb="setting", actor=mem.actor, at=now)

    def kind(self, mem: cogmem.Memory, now: int) -> None:
        name = f"{mem.actor}{self.draw.randint(1, 2)}"
        if not mem.db.ask("select 1 from kind where name = ?", (name,)):
            text = (
                f"insert into kind (name, layer, meaning) values ('{name}', 'semantic', 'Hearsay.')"
            )
            mem.db.write([(text, {})], verb="kind", actor=mem.actor, at=now)
        mem.reread()
        said = self.text()
        mem.learn(said, name, now=now)
        self.texts[said] = None

    def forget(self, mem: cogmem.Memory, now: int) -> None:
        uid = self.any(mem, "1")
        content = mem.db.ask("select content from memory where uid = ?", (uid,))[0][0]
        receipt = mem.forget(uid, now=now)
        if not receipt.left and " number " in content:
            self.gone.add(content)

    def night(self, mem: cogmem.Memory, now: int) -> None:
        mem.nightly(now=now)

    def shell(self, mem: cogmem.Memory, now: int) -> None:
        """Another client, which knows nothing of acts."""
        text = self.text()
        uid = self.any(mem)
        statement = self.draw.choice(
            [
                f"update memory set content = '{text}', updated_at = {now} where uid = '{uid}'",
                f"update memory set state = 'deleted' where uid = '{uid}'",
                f"update memory set priority = {self.draw.randint(1, 4)} where uid = '{uid}'",
                f"insert into remember (content) values ('{text}')",
                f"delete from memory where uid = '{uid}'",
            ]
        )
        mem.db.ask(statement)

    # -- meeting ---------------------------------------------------------------------------------

    def meet(self, one: Writer, other: Writer, *, is_rough: bool = False) -> int:
        """One asks the other; returns how many acts moved."""
        here = Side(one.mem.db, Door(), now=one.now(self), label=other.name)
        there = Side(other.mem.db, Door(), now=other.now(self), label=one.name)
        if not is_rough:
            found = exchange(here, there.answer, other.name)
            assert not found.refused, found.refused
            assert not found.ahead, found.ahead
            return found.sent + found.received + found.forgotten + there.taken["forgotten"]
        with suppress(Lost):
            exchange(here, self.roughly(there.answer), other.name)
        return 1

    def meet_folder(self, writer: Writer, *, is_rough: bool = False) -> int:
        """One visits the folder, and may be killed amid what it writes there."""
        is_dead = [False]

        def mortal(do: Any) -> Any:
            def done(*given: Any, **more: Any) -> Any:
                is_dead[0] = is_dead[0] or (is_rough and self.draw.random() < 0.1)
                if is_dead[0]:
                    raise Killed
                return do(*given, **more)

            return done

        own = {name: getattr(os, name) for name in ("replace", "unlink", "fsync")}
        try:
            for name, do in own.items():
                setattr(os, name, mortal(do))
            done = writer.mem.sync.exchange(self.folder, now=writer.now(self))
        except Killed:
            return 1
        finally:
            for name, do in own.items():
                setattr(os, name, do)
        assert not done.ahead, done.ahead
        return done.sent + done.received + done.forgotten

    def damage(self) -> None:
        """Somebody leaves in the folder what is no sound file."""
        if not os.path.isdir(self.folder):
            return
        name = f"org_{self.draw.getrandbits(20):x}.{self.draw.getrandbits(64):016x}.acts"
        there = (one for one in os.scandir(self.folder) if one.name.endswith(".acts"))
        sound = [one.name for one in there if one.is_file(follow_symlinks=False)]
        lot = self.draw.random()
        if lot < 0.3:
            os.mkfifo(self.folder + name)
        elif lot < 0.5 or not sound:
            with open(self.folder + name, "wb") as file:
                file.write(self.draw.randbytes(200))
        elif lot < 0.8:
            with open(self.folder + self.draw.choice(sorted(sound)), "rb") as file:
                data = file.read()
            with open(self.folder + name, "wb") as file:
                file.write(data.replace(b"host", b"guest")[: self.draw.randint(0, len(data))])
            self.half.append(self.folder + name)
        else:
            os.symlink("/dev/zero", self.folder + name)

    def backup(self, writer: Writer) -> None:
        self.backups[writer.name] = os.path.join(self.place, f"{writer.name}.backup")
        writer.copied(self.backups[writer.name])

    def restore_backup(self, writer: Writer) -> None:
        """An old file takes the place of one that has just been synced: all of it must come back."""
        if writer.name in self.backups:
            self.meet_folder(writer)
            writer.replaced(self.backups[writer.name])

    def become(self, writer: Writer, other: Writer) -> None:
        """A second machine is set up by copying the file of another one."""
        self.meet_folder(writer)
        copy = os.path.join(self.place, "copy.db")
        other.copied(copy)
        writer.replaced(copy)

    def visit(self, writer: Writer, other: Writer) -> None:
        """A stranger with a token gives one of them what another has, turned about, under names of his own."""
        there = Side(other.mem.db, Door(), now=other.now(self))
        batch, upto = there.batch(dict(NOWHERE), None, Door())
        acts = json.loads(json.dumps(batch["acts"]))
        for act in acts:
            act["act"] = f"act_{self.draw.getrandbits(64):016x}"
            act["origin"] = "org_bad"
            for changes in act["subjects"].values():
                self.turn_about(changes)
        given = {"acts": self.draw.sample(acts, min(5, len(acts))), "receipts": []}
        receipts = [
            {"uid": uid, "actor": "w0", "at": 1, "words": []}
            for (uid,) in writer.mem.db.ask(
                "select uid from memory m where not exists (select 1 from arrival a where a.subject = m.uid"
                " and a.actor glob 'eve*') order by uid limit 3"  # what he brought he may forget
            )
        ]
        here = Side(writer.mem.db, Door("eve", guest="eve"), now=writer.now(self))
        request = {**given, "receipts": receipts, "after": dict(NOWHERE), "upto": upto}
        here.answer({"do": "give", "origin": "org_bad", "sight": "", "user": None, **request})
        assert not writer.mem.db.ask("select 1 from receipt where actor glob 'eve*'")

    def turn_about(self, changes: list[Any]) -> None:
        for change in changes:
            row = change[3] if isinstance(change[3], dict) else {}
            lot = self.draw.random()
            if lot < 0.3 and row:
                name = self.draw.choice(sorted(row))
                row[name] = self.draw.choice([None, 7, -1, "x", [], {}, 1 << 70, True, "[" * 999])
            elif lot < 0.4:
                change[self.draw.randint(0, 3)] = self.draw.choice([None, "delete", "peer", 3])

    def roughly(self, answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Requests that come twice, not at all, or whose answer is lost."""

        def ask(request: Any) -> Any:
            request = json.loads(json.dumps(request))
            lot = self.draw.random()
            if lot < 0.1:
                raise Lost
            said = answer(request)
            if lot < 0.2:
                raise Lost
            if lot < 0.4 and request["do"] != "hello":
                said = answer(request)
            return json.loads(json.dumps(said))

        return ask

    def quiesce(self) -> None:
        """Everybody meets everybody until nothing moves."""
        for _ in range(12):
            self.at += 1_000
            pairs = [(a, b) for a in self.writers for b in self.writers if a is not b]
            self.draw.shuffle(pairs)
            moved = sum(self.meet(*pair) for pair in pairs)
            if not moved + sum(self.meet_folder(writer) for writer in self.writers):
                return
        raise AssertionError("they never come to rest")

    # -- what must hold --------------------------------------------------------------------------

    def judge(self) -> None:
        digests = [digest(writer.mem) for writer in self.writers]
        for table in digests[0]:
            first = digests[0][table]
            for writer, other in zip(self.writers[1:], digests[1:], strict=True):
                told = difference(table, writer.name, first, other[table])
                assert not told, told
        for writer in self.writers:
            found = [one for one in writer.mem.file.check() if not one.startswith(RESTORED)]
            assert found == [], (writer.name, found)
            said = everything(writer.mem)
            forgotten = {uid for (uid,) in writer.mem.db.ask("select uid from receipt")}
            there = {uid for (uid,) in writer.mem.db.ask("select uid from memory")}
            assert not forgotten & there, "what was forgotten is back"
            gone_round = writer.mem.db.read("sync.merged_round")
            assert not gone_round, f"nobody of these stays: {gone_round}"
            for text in self.gone:
                assert text not in said, f"{writer.name} still says {text}"
            if not forgotten:
                for text in self.texts:
                    assert text in said, f"{writer.name} lost {text}"
            writer.mem.file.scrub()
            writer.mem.db.fold_log(1_000)
        self.judge_bytes()

    def judge_bytes(self) -> None:
        """What was forgotten stands in no byte of the folder, of a memory or of its log."""
        places = [os.path.join(self.folder, name) for name in os.listdir(self.folder)]
        places += [writer.path + ending for writer in self.writers for ending in ("", "-wal")]
        for place in places:
            if os.path.isfile(place) and not os.path.islink(place) and place not in self.half:
                with open(place, "rb") as file:
                    data = file.read()
                for text in self.gone:
                    assert text.encode() not in data, f"{place} still says {text}"

    def close(self) -> None:
        for writer in self.writers:
            writer.mem.close()


def digest(mem: cogmem.Memory) -> dict[str, Any]:
    """Every durable table as all files must have it: numbers of rows are a file's own."""
    db = mem.db
    found: dict[str, Any] = {
        name: {row[0]: row for row in db.ask(text)}
        for name, text in {
            "memory": "select uid, layer, kind, key, content, tags, terms, runtime, user, project, session,"
            " path_glob, priority, source, trust, polarity, state, reinforcement_count, access_count,"
            " tokens, token_counter, content_hash, data, created_at, updated_at, reinforced_at,"
            " accessed_at, expires_at, archived_at, archive_reason from memory",
            "fact": "select m.uid, f.topic, f.valid_from, f.valid_to, f.recorded_at, f.confidence, s.uid from fact f"
            " join memory m on m.id = f.memory_id left join memory s on s.id = f.superseded_by",
            "episode": "select m.uid, e.outcome, e.happened_at, e.session_name, e.turns, e.form from episode e"
            " join memory m on m.id = e.memory_id",
            "procedure": "select m.uid, p.context, p.steps, p.success_count, p.failure_count, p.used_at from"
            " procedure p join memory m on m.id = p.memory_id",
            "link": "select a.uid || l.relation || b.uid, l.created_at from link l join memory a on a.id = l.from_id"
            " join memory b on b.id = l.to_id",
            "kind": "select * from kind",
            "setting": "select * from setting",
            "gate_weight": "select * from gate_weight",
            "capture_rule": "select * from capture_rule",
            "claim": "select wants || subject from claim",
            "receipt": "select distinct uid from receipt where uid glob 'mem_*'",
        }.items()
    }
    names = Names(db)
    subjects = {
        uid
        for (uid,) in db.ask(
            "select uid from change where uid is not null union select subject from arrival"
            " union select record || ' ' || row_key from change where uid is null"
        )
    }
    found["acts"] = {
        subject: json.dumps(deeds(db, names, subject), sort_keys=True)
        for subject in sorted(subjects)
    }
    for uid in found[
        "receipt"
    ]:  # that something led to what is forgotten, only those know who never had it
        for subject, told in found["acts"].items():
            if uid in told:
                found["acts"][subject] = told.replace(f'"{uid}"', "null")
    found["acts"] = {subject: told for subject, told in found["acts"].items() if told != "[]"}
    return found


def difference(table: str, name: str, first: dict[str, Any], other: dict[str, Any]) -> str:
    """What two files say otherwise; words that only one of them had to take out of its past are no difference."""
    for key in sorted(first.keys() | other.keys()):
        one, two = first.get(key), other.get(key)
        if one == two:
            continue
        if table == "acts" and one and two:
            if "[forgotten]" in one + two and shape(one) == shape(two):
                continue
            mine, theirs = json.loads(one), json.loads(two)
            one = [deed for deed in mine if deed not in theirs]
            two = [deed for deed in theirs if deed not in mine]
        return f"{table} {key}:\n  w0 {one}\n  {name} {two}"
    return ""


def shape(told: str) -> Any:
    """Deeds without what they say."""
    return [
        (
            clock,
            act,
            [
                (record, action, sorted(before or ()), sorted(after or ()))
                for record, action, before, after in rows
            ],
        )
        for clock, act, rows in json.loads(told)
    ]


def everything(mem: cogmem.Memory) -> str:
    rows = mem.db.ask(
        "select content || data from memory union all select coalesce(before, '') || coalesce(after, '') from change"
        " union all select changes from arrival"
    )
    return "\n".join(row[0] for row in rows)


def one(folder: str, seed: int, steps: int, empty: str) -> None:
    """One history, from its number."""
    place = os.path.join(folder, str(seed))
    os.makedirs(place)
    world = World(place, seed, empty)
    try:
        world.run(steps)
        world.quiesce()
        world.judge()
    finally:
        world.close()
    shutil.rmtree(place)


def prepared(folder: str) -> str:
    """An empty file, to copy."""
    path = os.path.join(folder, "empty.db")
    cogmem.open(path).close()
    return path


def main(
    folder: str, *, seed: int, histories: int, seconds: float, steps: int = 40
) -> dict[str, Any]:
    """Many histories, until one is wrong, the time is over or all are done."""
    empty = prepared(folder)
    began = time.monotonic()
    forgetting._READERS_MS = 1  # nobody reads: what is wiped is wiped at once
    done = 0
    for number in range(seed, seed + histories):
        if time.monotonic() - began > seconds:
            break
        try:
            one(folder, number, steps, empty)
        except BaseException:
            print(f"history {number} with {steps} steps", flush=True)
            raise
        done += 1
    took = round(time.monotonic() - began)
    figures = {"histories": done, "steps": done * steps, "seconds": took, "faults": 0}
    print(json.dumps(figures, indent=1))
    return figures
