"""All that belongs to one user goes at once, from the file and from its backups; what is another's stays.

Modules: erase, forget, forget_in_copies.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import cogmem
from cogmem.errors import InvalidInput

NOW = 1_800_000_000_000
HERS = ("quokka", "zanzibar", "marmalade", "otter")


def fill(mem: cogmem.Memory) -> None:
    """What Ann and Ben did, and what belongs to everyone."""
    mem.learn("Builds need a green light.", now=NOW)
    for name, word, other in (("ann", "quokka", "marmalade"), ("ben", "heron", "toast")):
        view = mem.as_user(name)
        view.learn(f"The {word} lives by the mill.", now=NOW)
        view.as_user(name, project="p").learn(f"The {word} of the project is old.", now=NOW)
        talk = view.conversation(f"talk of {name}")
        talk.append("user", f"I had {other} for breakfast.", at=NOW)
        talk.append("assistant", "Noted.", at=NOW)
        view.activate(f"Where does the {word} live?", session=f"s of {name}", now=NOW + 1)
    gone = mem.as_user("ann").learn("Zanzibar was a plan.", now=NOW).uid
    mem.as_user("ann").remove(gone, now=NOW + 2)
    mem.as_user("ann").episode("We met an otter.", kind="session_summary", now=NOW + 2)


def held(path: str) -> list[str]:
    found = []
    for file in Path(path).parent.rglob("*"):
        if file.is_file():
            raw = file.read_bytes().lower()
            found += [f"{file.name}: {word}" for word in HERS if word.encode() in raw]
            found += [
                f"{file.name}: name" for _ in [1] if b"talk of ann" in raw or b"s of ann" in raw
            ]
    return found


def test_all_that_is_a_user_s_goes_and_the_others_stay(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    with cogmem.open(path) as mem:
        fill(mem)
        mem.file.backup(now=NOW + 3)
        mem.nightly(now=NOW + 4)
        assert len(held(path)) > 4
        hers, his = mem.as_user("ann"), mem.as_user("ben")
        preview = hers.forget(everything=True, dry_run=True, now=NOW + 5)
        assert len(preview.messages) == 2
        receipt = hers.forget(everything=True, confirm=preview.number, now=NOW + 5)
        assert receipt.is_scrubbed
        assert receipt.uids == preview.uids
        assert len(receipt.copies) >= 2
        assert mem.file.scrub(now=NOW + 6) == []
        assert hers.list(now=NOW + 7, state="active") == mem.list(now=NOW + 7, state="active")
        assert len(his.list(now=NOW + 7)) >= 2
        assert his.recall("toast", now=NOW + 7)
        assert mem.file.check() == []
    assert held(path) == []
    for copy in tmp_path.rglob("*Z*.db"):
        with cogmem.open(str(copy)) as mem:
            assert mem.as_user("ben").recall("toast", now=NOW + 7)
            assert mem.file.check() == []


def test_a_user_who_only_talked_is_forgotten_too(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    with cogmem.open(path) as mem:
        mem.as_user("ann").conversation("talk of ann").append("user", "An otter!", at=NOW)
        mem.file.backup(now=NOW)
        mem.as_user("ann").forget(everything=True, now=NOW + 1)
        again = mem.as_user("ann").forget(everything=True, now=NOW + 1)
        assert (again.uids, again.messages) == ([], [])
        assert mem.file.scrub(now=NOW + 2) == []
    assert held(path) == []


def test_everything_needs_a_user_and_no_other_names(tmp_path: Path) -> None:
    with cogmem.open(str(tmp_path / "m.db")) as mem:
        uid = mem.learn("Terns dive.", now=NOW).uid
        for view, names in ((mem, ()), (mem.as_user("ann"), (uid,))):
            with pytest.raises(InvalidInput, match="for one user"):
                view.forget(*names, everything=True)
