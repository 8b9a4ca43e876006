"""The life of one process: every kind of write, drawn by lot, announced and acknowledged.

A journal is a file of JSON lines that outlives its process: `["?", deed, values]` before a deed,
`["!", deed, values]` when it has returned, `["x", deed, error]` when it raised. The values are those
of `expected`.
"""

from __future__ import annotations

import json
import os
import random
import time
from typing import TYPE_CHECKING, Any

import cogmem
from cogmem.tokens import counting

from .expected import ANY, STORK, TOKEN, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = [
    "".join(pair)
    for pair in zip(
        (a + b for a in "bcdfglmnprstvz" for b in "aeiou"),
        (c + d + e for c in "kmnprt" for d in "aeo" for e in ("n", "s", "l", "x")),
        strict=False,
    )
]
LOADS = {  # how often each deed is done, of a hundred or so
    "learn": 14, "learn a key": 5, "learn the stork": 5, "episode": 3, "procedure": 3, "tried": 3,
    "update": 8, "remove": 5, "archive a memory": 3, "restore": 4, "forget": 2, "undo": 4,
    "activate": 12, "recall": 4, "append": 10, "extend": 2, "edit a message": 2, "ingest": 3,
    "archive a talk": 2, "import": 2, "import a restore": 1, "pin": 3, "setting": 2, "capture": 3,
    "save a document": 3, "nightly": 2, "rebuild": 1, "back up": 1,
}  # fmt: skip


class Process:
    """One writer: slot `name` of a file, with its own user, conversation, session and documents."""

    def __init__(
        self,
        path: str,
        name: str,
        journal: Callable[[str], object],
        *,
        seed: int,
        driver: str = "apsw",
        counted_from: int = 0,
        folder: str = "",
    ) -> None:
        self.name = name
        self.journal = journal
        self.draw = random.Random(seed)
        self.number = counted_from
        folder = os.path.join(folder or path + ".places", name)
        os.makedirs(os.path.join(folder, "here"), exist_ok=True)
        self.memory = cogmem.open(
            path,
            driver=driver,
            counter=counting.Simple(),
            user=name,
            actor=name,
            documents=os.path.join(folder, "here"),
            user_dir=os.path.join(folder, "own"),
        )
        self.last_act = ""  # of the latest update, and what it left
        self.undoes: dict[str, Any] = {}
        self.taken: dict[str, list[float]] = {}  # seconds of each deed

    def run(self, seconds: float, loads: dict[str, int] = LOADS, pause: float = 0.0) -> None:
        """Do one deed after another until the time is up, with pauses up to so many seconds."""
        end = time.monotonic() + seconds
        names = list(loads)
        weights = list(loads.values())
        while time.monotonic() < end:
            self.do(self.draw.choices(names, weights)[0])
            if pause:
                time.sleep(self.draw.random() * pause)

    def do(self, deed: str) -> bool:
        """One deed, if there is something to do it to; whether it went well."""
        try:
            getattr(self, deed.replace(" ", "_"))()
        except cogmem.errors.CogmemError as error:
            self.journal(json.dumps(["x", deed, f"{type(error).__name__}: {error}"]) + "\n")
            return False
        return True

    def _told(self, deed: str, values: dict[str, Any], act: Callable[[], object]) -> None:
        """Announce, act, acknowledge; `act` may know the values better than could be announced."""
        self.journal(json.dumps(["?", deed, values]) + "\n")
        began = time.perf_counter()
        known = act()
        self.taken.setdefault(deed, []).append(time.perf_counter() - began)
        self.journal(json.dumps(["!", deed, known if isinstance(known, dict) else values]) + "\n")

    def _token(self) -> str:
        self.number += 1
        return f"zq{self.name}n{self.number}"

    def _text(self, token: str, version: int = 1) -> str:
        return f"{token} take {version} " + " ".join(self.draw.choices(WORDS, k=7))

    def _some(self, state: str = "active") -> tuple[str, str, int] | None:
        """A memory of this process: uid, token, version."""
        rows = self.memory.db.ask(
            "select uid, content from memory where user = :name and state = :state"
            " and kind in ('fact', 'note') and content like 'zq%' and (key = '' or state = 'active')"
            " order by id desc limit 40",
            {"name": self.name, "state": state},
        )
        rows = [row for row in rows if VERSION.search(row[1])]
        if not rows:
            return None
        uid, content = self.draw.choice(rows)
        token, version = TOKEN.search(content), VERSION.search(content)
        assert token
        assert version
        return uid, token[0], int(version[1])

    # -- memories --------------------------------------------------------------------------------

    def learn(self, **options: Any) -> None:
        token = self._token()
        text = self._text(token)

        def act() -> None:
            outcome = self.memory.learn(text, **options).outcome
            assert outcome == "inserted", f"a new text was {outcome}"

        self._told("learn", {f"memory {token}": [1, "active"]}, act)

    def learn_a_key(self) -> None:
        key = f"{self.name}-{self.draw.randrange(40)}"
        rows = self.memory.db.ask(
            "select content, state from memory where key = :key and user = :name and state = 'active'",
            {"key": key, "name": self.name},
        )
        if rows:
            token = TOKEN.search(rows[0][0])
            version = VERSION.search(rows[0][0])
            assert token
            assert version
            number, name = int(version[1]) + 1, token[0]
        else:
            number, name = 1, self._token()
        text = self._text(name, number)
        self._told(
            "learn a key",
            {f"memory {name}": [number, "active"]},
            lambda: self.memory.learn(text, kind="note", key=key),
        )

    def learn_the_stork(self) -> None:
        self._told("learn the stork", {"storks": 1}, lambda: self.memory.learn(STORK, user=""))

    def episode(self) -> None:
        token = self._token()
        text = self._text(token)
        self._told(
            "episode",
            {f"memory {token}": [1, "active"]},
            lambda: self.memory.episode(text, "it went well", tags=[WORDS[self.number % 9]]),
        )

    def procedure(self) -> None:
        key = f"{self.name}-way-{self.draw.randrange(4)}"
        rows = self._procedure(key)
        token, version, successes = rows or (self._token(), 0, 0)
        text = self._text(token, version + 1)
        self._told(
            "procedure",
            {f"procedure {key}": [version + 1, successes]},
            lambda: self.memory.procedure(key, ["look", "write", "look again"], description=text),
        )

    def _procedure(self, key: str) -> tuple[str, int, int] | None:
        rows = self.memory.db.ask(
            "select m.content, p.success_count from memory m join procedure p on p.memory_id = m.id"
            " where m.key = :key and m.user = :name and m.state = 'active'",
            {"key": key, "name": self.name},
        )
        if not rows:
            return None
        token, version = TOKEN.search(rows[0][0]), VERSION.search(rows[0][0])
        assert token
        assert version
        return token[0], int(version[1]), rows[0][1]

    def tried(self) -> None:
        key = f"{self.name}-way-{self.draw.randrange(4)}"
        found = self._procedure(key)
        if found:
            self._told(
                "tried",
                {f"procedure {key}": [found[1], found[2] + 1]},
                lambda: self.memory.tried(key, success=True),
            )

    def update(self) -> None:
        some = self._some()
        if some:
            uid, token, version = some
            text = self._text(token, version + 1)

            def act() -> None:
                self.memory.update(uid, content=text)
                self.last_act = self.memory.history.log(limit=1, uid=uid)[0].act
                self.undoes = {f"memory {token}": [version, "active"]}

            self._told("update", {f"memory {token}": [version + 1, "active"]}, act)

    def undo(self) -> None:
        if self.last_act:
            act, values = self.last_act, self.undoes
            self.last_act = ""
            rows = self.memory.db.ask(
                "select max(c.act) from change c join change mine on mine.uid = c.uid"
                " where mine.act = :act and c.id > mine.id and c.act <> :act",
                {"act": act},
            )
            if rows[0][0] is None:  # nothing came after it
                self._told("undo", values, lambda: self.memory.undo(act))

    def remove(self) -> None:
        self._state("remove", "active", "deleted", self.memory.remove)

    def archive_a_memory(self) -> None:
        self._state("archive a memory", "active", "archived", self.memory.archive)

    def restore(self) -> None:
        before = self.draw.choice(["deleted", "archived"])
        self._state("restore", before, "active", self.memory.restore)

    def _state(self, deed: str, before: str, after: str, act: Callable[[str], object]) -> None:
        some = self._some(before)
        if some:
            uid, token, version = some
            self._told(deed, {f"memory {token}": [version, after]}, lambda: act(uid))

    def forget(self) -> None:
        some = self._some(self.draw.choice(["active", "deleted", "archived"]))
        if some:
            uid, token, _ = some
            self.last_act = ""

            def act() -> dict[str, Any]:
                receipt = self.memory.forget(uid)
                gone: dict[str, Any] = {f"memory {token}": None}
                if receipt.is_scrubbed:
                    gone[f"trace {token}"] = None
                return gone

            self._told("forget", {f"memory {token}": None}, act)

    def capture(self) -> None:
        token = self._token()
        words = " ".join(self.draw.choices(WORDS, k=4))

        def act() -> dict[str, Any]:
            heard = self.memory.capture(f"Please always write {token} {words} in lower case.")
            return {f"memory {token}": [0, ANY] if heard.learned else None}

        self._told("capture", {f"memory {token}": [0, ANY]}, act)

    def setting(self) -> None:
        value = str(self.draw.randrange(2, 9))
        self._told(
            "setting",
            {},
            lambda: self.memory.store.set_setting(
                "procedures_per_turn", value, now=self.memory.instant(None)
            ),
        )

    # -- turns -----------------------------------------------------------------------------------

    def activate(self) -> None:
        words = " ".join(self.draw.choices(WORDS, k=6))
        turn = f"{self.name}t{self._token()}"

        def act() -> dict[str, Any] | None:
            self.memory.activate(f"What about {words}?", session=self.name, turn=turn)
            if self.draw.random() < 0.5:
                return {f"turn {turn}": {"one": True}}  # it may have to wait for another writer
            self.memory.flush()
            return None

        self._told("activate", {f"turn {turn}": True}, act)

    def recall(self) -> None:
        def act() -> None:
            # Notes only: being recalled would count the stork too.
            self.memory.recall(" ".join(self.draw.choices(WORDS, k=3)), kind="note")
            self.memory.flush()

        self._told("recall", {}, act)

    def pin(self) -> None:
        text = f"pinned {self.draw.randrange(10**6)}"
        notes = self.memory.sessions.notes(self.name)
        at = self.memory.instant(None)
        self._told("pin", {f"pin {self.name}": text}, lambda: notes.pin(text, at))

    # -- conversations ---------------------------------------------------------------------------

    def append(self) -> None:
        self._extend("append", 1)

    def extend(self) -> None:
        self._extend("extend", self.draw.choice([5, 40, 230]))

    def _extend(self, deed: str, count: int) -> None:
        talk = self.memory.conversation(self.name)
        length = len(talk)
        at = self.memory.instant(None)
        lines = [
            ("assistant" if n % 2 else "user", f"{self.name} line {n}", None, at, None)
            for n in range(length, length + count)
        ]
        self._told(deed, {f"talk {self.name}": length + count}, lambda: talk.extend(lines))

    def edit_a_message(self) -> None:
        """A new version of the same words: the record must stay as it reads."""
        talk = self.memory.conversation(self.name)
        length = len(talk)
        if length:
            seq = self.draw.randrange(length)
            text = f"{self.name} line {seq}"
            self._told("edit a message", {}, lambda: talk.edit(seq, text))

    def ingest(self) -> None:
        talk = self.memory.conversation(self.name)
        self._told("ingest", {}, lambda: talk.ingest())

    def archive_a_talk(self) -> None:
        talk = self.memory.conversation(self.name, policy={"archive_threshold": 20})
        self._told("archive a talk", {}, lambda: talk.archive())

    # -- the file --------------------------------------------------------------------------------

    def _lines(self, count: int) -> tuple[dict[str, Any], list[str]]:
        texts = [self._text(self._token()) for _ in range(count)]
        lines = [
            json.dumps({"table": "memory", "content": text, "user": self.name}) for text in texts
        ]
        return {f"memory {text.split()[0]}": [1, ANY] for text in texts}, lines

    def import_(self) -> None:
        values, lines = self._lines(25)
        self._told("import", values, lambda: self.memory.file.import_(lines))

    def import_a_restore(self) -> None:
        """More lines than the triggers are awake for."""
        values, lines = self._lines(520)
        self._told("import a restore", values, lambda: self.memory.file.import_(lines, as_is=True))

    def save_a_document(self) -> None:
        name = f"page {self.draw.randrange(6)}"
        version = self.draw.randrange(10**6)
        self._told(
            "save a document",
            {f"saved {self.name} {name}": version},
            lambda: self.memory.documents.save(
                name, "Notes of the lake", f"Version {version} of it."
            ),
        )

    def nightly(self) -> None:
        force = self.draw.random() < 0.7

        def act() -> None:
            night = self.memory.nightly(force=force)
            failed = [job.note for job in night.jobs if job.outcome == "failed"]
            if failed:
                raise cogmem.errors.DatabaseProblem(failed[0])

        self._told("nightly", {}, act)

    def rebuild(self) -> None:
        self._told("rebuild", {}, self.memory.file.rebuild)

    def back_up(self) -> None:
        self.number += 1
        target = f"{self.memory.path}.by-{self.name}-{self.number}"
        self._told("back up", {f"backup {target}": True}, lambda: self.memory.file.backup(target))


setattr(Process, "import", Process.import_)
