"""Forgetting stays within its bounds: what is another's, what is too much, what nobody confirmed."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from conftest import NOW

import cogmem
from cogmem.errors import CapacityReached, Conflict
from cogmem.exchange import copies
from cogmem.tokens import counting
from cogmem.tools.toolset import toolset

if TYPE_CHECKING:
    from collections.abc import Iterator

EVERYTHING = (
    "memory",
    "fact",
    "message",
    "session",
    "activation",
    "summary",
    "conversation",
    "document",
    "pending_update",
)


@pytest.fixture
def path(tmp_path: object, empty_space: str) -> str:
    made = os.path.join(str(tmp_path), "memory.db")
    shutil.copyfile(empty_space, made)
    return made


def seen_by(path: str, user: str) -> cogmem.Memory:
    return cogmem.open(path, user=user, counter=counting.Simple())


@pytest.fixture
def mara(path: str) -> Iterator[cogmem.Memory]:
    for user in ("ben", "mara"):
        with seen_by(path, user) as mem:
            mem.learn(f"{user} feeds the heron.", key="bird", now=NOW)
            mem.learn(f"{user} likes tea.", key="drink", now=NOW)
            mem.conversation(f"talk of {user}").append("user", f"{user}: the heron waits.", at=NOW)
            mem.activate("Where is the heron?", session=f"s {user}", now=NOW)
            mem.sessions.notes(f"s {user}").pin("Mind the heron.", at=NOW)
    with seen_by(path, "mara") as mem:
        yield mem
        assert mem.file.check() == []


def rows_of(mem: cogmem.Memory, user: str) -> dict[str, list[tuple[object, ...]]]:
    found = {}
    for table in EVERYTHING:
        columns = [row[1] for row in mem.db.ask(f'pragma table_xinfo("{table}")')]
        if "user" in columns:
            found[table] = mem.db.ask(
                f'select * from "{table}" where user = :user order by 1', {"user": user}
            )
    found["message"] = mem.db.ask(
        "select m.* from message m join conversation c on c.id = m.conversation_id where c.user = :user",
        {"user": user},
    )
    return found


def test_words_take_nothing_of_another_user_and_tell_that_it_is_there(mara: cogmem.Memory) -> None:
    before = rows_of(mara, "ben")
    receipt = mara.forget("bird", words=["heron"], now=NOW)
    assert rows_of(mara, "ben") == before
    assert receipt.places["memory.content"] == 1
    assert receipt.places["message.text"] == 1
    own = rows_of(mara, "mara")
    assert "heron" not in repr(own).lower()


def test_a_common_word_does_not_take_everything(mara: cogmem.Memory) -> None:
    talk = mara.conversation("long")
    for number in range(40):
        talk.append("user", f"the day number {number}", at=NOW)
    count = len(talk)
    with pytest.raises(CapacityReached, match=r"--most \d+"):
        mara.forget("drink", words=["the "], now=NOW)
    assert [message.text for message in talk.messages()].count("[forgotten]") == 0
    assert len(talk) == count


@pytest.mark.parametrize("word", ["content", "active", "priority", "semantic"])
def test_a_word_that_names_a_column_or_a_state_leaves_the_history_sound(
    mara: cogmem.Memory, word: str
) -> None:
    mara.update("bird", content="Mara feeds a crane now.", now=NOW + 1)
    mara.forget("drink", words=[word], now=NOW + 2)
    assert mara.file.check() == []


def test_only_the_number_of_its_own_preview_confirms(mara: cogmem.Memory) -> None:
    preview = mara.forget("bird", words=["heron"], dry_run=True, now=NOW)
    with pytest.raises(Conflict, match="look at the preview again"):
        mara.forget("bird", words=["heron"], confirm="12345678", now=NOW)
    mara.conversation("talk of mara").append("user", "One heron more.", at=NOW)
    with pytest.raises(Conflict):
        mara.forget("bird", words=["heron"], confirm=preview.number, now=NOW)
    assert mara.get("bird", now=NOW)
    again = mara.forget("bird", words=["heron"], dry_run=True, now=NOW)
    assert mara.forget("bird", words=["heron"], confirm=again.number, now=NOW).uids


def test_a_model_cannot_confirm_by_itself(mara: cogmem.Memory) -> None:
    [forget] = [tool for tool in toolset("default", mara) if tool.name == "forget"]
    shown = forget.call({"names": ["bird"]})
    number = mara.forget("bird", dry_run=True, now=NOW).number
    assert number not in repr(shown)
    assert "cogmem forget bird" in shown["message"]
    assert not forget.call({"names": ["bird"], "confirm": "true"})["success"]
    assert mara.get("bird", now=NOW)
    assert forget.call({"names": ["bird"], "confirm": number})["success"]


def test_a_receipt_that_somebody_removes_is_missed(mara: cogmem.Memory) -> None:
    mara.forget("bird", now=NOW)
    assert mara.file.check() == []
    mara.db.ask("delete from receipt")
    [problem] = mara.file.check()
    assert "the history is not what was sealed" in problem
    uid, at = "mem_00000000000000aa", NOW
    mara.db.ask(
        f"insert into receipt (uid, removed, actor, forgotten_at) values ('{uid}', '{{}}', 'x', {at})"
    )
    assert mara.file.check() != []
    mara.db.ask("delete from seal")  # so that the fixture ends clean
    mara.db.ask("delete from receipt")
    copies.accept(mara.path)


def test_places_where_a_word_still_stands_are_told_and_no_others(mara: cogmem.Memory) -> None:
    mara.learn("The aviary has nine doors.", key="quagga-house", user="noor", now=NOW)
    mara.learn("The quagga eats hay.", key="food", now=NOW)
    receipt = mara.forget("food", words=["quagga"], dry_run=True, now=NOW + 1)
    assert "memory.key" in receipt.places
    assert "setting.value" not in receipt.places
