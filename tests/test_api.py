"""The Python API as an editor shows it: every argument is told, every example runs, results stay as they are.

Modules: frameworks.opening.
"""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import re
import shutil
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import awaited_stub
import pytest
import reference_pages

import cogmem
from cogmem.conversation.conversation import Conversation
from cogmem.conversation.record import Talk
from cogmem.errors import InvalidInput
from cogmem.frameworks import opening
from cogmem.learn.experience import Tried
from cogmem.memory import Memory
from cogmem.records import Record, Report

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {
    **{kind.__name__: kind for kind in reference_pages.FACADE},
    **reference_pages.AREAS,
    "Session": cogmem.Session,
    "Talk": Talk,
    "Conversation": Conversation,
}
OPENING = {"open": Memory, "Session": cogmem.Session, "AsyncMemory": cogmem.AsyncMemory}
CALLS = {
    f"{area}.{name}": member
    for area, kind in KINDS.items()
    for name, member in vars(kind).items()
    if inspect.isfunction(member)
    and not name.startswith("_")
    and name not in dict(reference_pages.sections(kind)).get(reference_pages.INSIDE, ())
}
# What needs a model, or something that is not here, has no example of its own.
ALONE = {
    "models.revive", "models.embed", "file.import_from", "Conversation.expand", "listener.add",
    "collections.consolidate", "documents.resolve",
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_docstring_tells_every_argument(name: str) -> None:
    told = inspect.getdoc(CALLS[name]) or ""
    assert told, f"{name} has no docstring"
    if getattr(KINDS[name.partition(".")[0]], name.partition(".")[2]).__doc__ is None:
        return  # it is told where it is inherited from
    everywhere = (inspect.getdoc(Memory) or "").rpartition("means this:")[2]
    for argument in list(inspect.signature(CALLS[name]).parameters)[1:]:
        assert re.search(rf"^{argument}: \S", told + everywhere, re.MULTILINE), (
            f"{name} does not tell {argument}"
        )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small memory, as the examples have it."""
    path = tmp_path_factory.mktemp("examples") / "memory.db"
    with cogmem.open(path) as mem:
        mem.learn("Deploys need a green build.", kind="policy", key="deploys")
        mem.learn("The staging server is called heron.", key="staging")
        mem.procedure("release", ["run the tests", "tag it"])
        talk = mem.conversation("talk")
        talk.append("user", "What is for lunch?")
        talk.append("assistant", "Soup.")
    return path


@pytest.fixture
def mem(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A copy of it in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tokens.txt").write_text("")
    shutil.copy(made, "memory.db")
    with cogmem.open("memory.db") as mem:
        yield mem


@pytest.mark.parametrize("name", CALLS)
def test_the_example_of_a_docstring_does_what_it_says(name: str, mem: Memory) -> None:
    told = inspect.getdoc(CALLS[name]) or ""
    if ">>> " not in told:
        assert name in ALONE or CALLS[name].__doc__ is None, f"{name} has no example"
        return
    if name.startswith("documents."):
        mem = cogmem.open("memory.db", documents=".", user_dir="own")
    names = {"cogmem": cogmem, "mem": mem, "timedelta": timedelta}
    example = doctest.DocTestParser().get_doctest(told, names, name, None, 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=said.append, clear_globs=False)
    mem.close()
    assert not said, "".join(said)


def test_an_editor_sees_every_keyword_with_its_type() -> None:
    for name, call in {**CALLS, **OPENING, "wrap": cogmem.wrap}.items():
        for one in inspect.signature(call).parameters.values():
            typed = one.name == "self" or one.annotation is not one.empty
            assert typed, f"{name} says no type of {one.name}"
            if one.kind is one.VAR_KEYWORD:
                assert str(one.annotation).startswith("Unpack["), f"{name} hides its keywords"


def test_whatever_opens_a_memory_takes_the_same_keywords() -> None:
    whole = inspect.signature(Memory).parameters
    typed = {name: one.__forward_arg__ for name, one in opening.Opening.__annotations__.items()}
    assert typed == {name: one.annotation for name, one in whole.items() if name != "path"}
    own = opening.OfSession.__annotations__
    assert [name for name in whole if name not in own] == ["path", "session", "read_only"]
    for one, keywords in ((cogmem.AsyncMemory, "Opening"), (cogmem.Session, "OfSession")):
        taken = inspect.signature(one).parameters["opening"]
        assert taken.annotation == f"Unpack[{keywords}]"
    told = inspect.getdoc(Memory) or ""
    assert all(f"\n{name}: " in told for name in whole)


def test_the_stub_of_the_awaited_memory_is_up_to_date() -> None:
    assert awaited_stub.PLACE.read_text(encoding="utf-8") == awaited_stub.stub()


def test_an_instant_in_json_is_iso_text(mem: Memory) -> None:
    at = datetime(2026, 11, 20, 10, 0, 0, 5_000, tzinfo=UTC)
    learned = mem.learn("The offer holds.", valid_from=at, now=at)
    row = mem.get(learned.uid).as_dict()
    assert row["created_at"] == row["detail"]["valid_from"] == "2026-11-20T10:00:00.005Z"
    [told] = [one.as_dict() for one in mem.history.diff(learned.act) if one.record == "memory"]
    assert told["after"]["created_at"] == row["created_at"]
    talk = mem.conversation("said")
    talk.save([{"role": "user", "content": one, "at": one} for one in (row["created_at"], "soon")])
    assert talk.messages()[0].at == at < talk.messages()[1].at, "what is no instant is passed over"
    assert mem.count(until=row["created_at"]) == 0
    assert mem.count(since=row["created_at"]) == mem.stats().memories


def test_a_result_stays_as_it_is_and_reads_well(mem: Memory) -> None:
    row = mem.get("staging")
    for change in (lambda: setattr(row, "content", "x"), lambda: delattr(row, "content")):
        with pytest.raises(AttributeError, match="stays as it is"):
            change()
    assert repr(row).startswith("Remembered(uid='mem_")
    assert "The staging server is called heron." in repr(row)
    assert copy.deepcopy(row) == row == pickle.loads(pickle.dumps(row))
    preview = mem.forget("staging", dry_run=True)
    with pytest.raises(AttributeError, match="Receipt is a result"):
        preview.uids = []
    with pytest.raises(TypeError, match="fields"):
        Tried(1)


def test_one_name_is_one_class_among_what_comes_back() -> None:
    reference_pages.python_api()  # loads every room
    kinds, seen = [Record], {}
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if kind not in (Record, Report):
            assert seen.setdefault(kind.__name__, kind) is kind, kind
    assert set(vars(cogmem)["__all__"]) <= set(dir(cogmem))
    assert "Memory" not in seen


TOKENS = {"documents.show", "documents.stable"}  # what is limited there, and not rows
WORK = {"models.embed", "Conversation.expand"}


@pytest.mark.parametrize("limit", [-1, True, 1.5])
def test_a_limit_below_zero_is_refused_wherever_there_is_one(limit: Any, mem: Memory) -> None:
    for name, call in CALLS.items():
        area, _, verb = name.partition(".")
        parameters = list(inspect.signature(call).parameters.values())[1:]
        if "limit" not in {one.name for one in parameters} or name in TOKENS | WORK:
            continue
        owner = mem.conversation("talk") if area == "Conversation" else getattr(mem, area, mem)
        needed = {"name": "x", "query": "heron", "pattern": "heron", "uid": "x", "path": "x"}
        given: dict[str, Any] = {
            one.name: needed[one.name]
            for one in parameters
            if one.default is one.empty and one.name in needed
        }
        told = ""
        try:
            getattr(owner, verb)(**given, limit=limit)
        except InvalidInput as refusal:
            told = str(refusal)
        assert "limit" in told, f"{name} takes a limit of {limit}"
