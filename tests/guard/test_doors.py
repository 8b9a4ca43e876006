"""No secret reaches the disk, whatever door it comes through: every argument of every door is tried.

The doors are found, not listed: the public methods of a memory and of a conversation, and every tool of every
toolset. Each of their arguments that takes text gets a secret; then all bytes of the folder are searched.
"""

from __future__ import annotations

import inspect
import shutil
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import EVERYTHING, NOW
from secret_texts import FORMATS, LOOK_ALIKES, SECRETS, SENTENCES, USUAL, core, fields, leaked

import cogmem
from cogmem.errors import CogmemError
from cogmem.guard import guard
from cogmem.guard.glance import may_name, may_tell
from cogmem.tokens import counting
from cogmem.tools import toolset

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_the_corpora_are_large_enough_to_mean_something() -> None:
    assert len(FORMATS) >= 60
    assert len(SENTENCES) >= 40
    assert len({row["language"] for row in SENTENCES}) >= 6
    assert len(LOOK_ALIKES) >= 150


def test_every_secret_is_found_and_its_sentence_stays() -> None:
    missed = []
    for row in SECRETS:
        guarded = guard.apply(f"{row['text']}\nIt is for Tuesday.", guard.POLICIES["record"])
        if row["value"] in guarded.text or not guarded.text.endswith("It is for Tuesday."):
            missed.append(row["text"])
    assert missed == []


def test_hardly_any_look_alike_is_taken_for_a_secret() -> None:
    taken = [
        row["text"]
        for row in LOOK_ALIKES
        if any(finding.kind == "secret" for finding in guard.inspect(row["text"]))
    ]
    assert len(taken) <= len(LOOK_ALIKES) // 100, taken


# They end the memory that is tried, ask a model, or take a file to read from or to write to.
LEFT = {
    "close", "restore_backup", "query", "plot", "copy_for", "backup", "export", "fill_tasks", "extract",
    "extract_conversation",
    "rebuild", "nightly", "check", "doctor", "import_from", "embed", "wait", "forget",
    "scrub", "fill", "put_in_place",
    "compare", "join_words", "copy_file", "documents", "read_messages",
}  # fmt: skip


def doors(thing: Any) -> Iterator[tuple[str, Any, inspect.Parameter]]:
    """Every argument of every public method that takes text."""
    for name, _ in inspect.getmembers(type(thing), inspect.isfunction):
        if name.startswith("_") or name in LEFT:
            continue
        method = getattr(thing, name)
        for parameter in inspect.signature(method).parameters.values():
            said = str(parameter.annotation)
            if any(
                kind in said for kind in ("str", "Mapping", "Content", "Entry", "Any", "Sequence")
            ):
                yield name, method, parameter


def filled(parameter: inspect.Parameter, secret: str) -> Any:
    said = str(parameter.annotation)
    if "Mapping" in said or "dict" in said:
        return {secret: [secret, {"inner": secret}]}
    if "Entry" in said or parameter.name in ("messages", "entries"):
        return [{"role": "user", "content": secret, "name": secret, "id": secret}]
    if "Content" in said:
        return [
            {"type": "tool_use", "id": secret[:90], "name": secret, "input": {secret: secret}},
            {"type": "text", "text": secret},
        ]
    if any(kind in said for kind in ("Sequence", "Iterable", "list", "tuple")):
        return [secret]
    return secret


def called(name: str, method: Any, parameter: inspect.Parameter, secret: str) -> None:
    given: dict[str, Any] = {}
    rest: list[Any] = []
    for other in inspect.signature(method).parameters.values():
        if other.kind is other.VAR_POSITIONAL:
            rest = [secret] if other.name == parameter.name else [USUAL.get("uid")]
        elif other.kind is other.VAR_KEYWORD:
            continue
        elif other.name == parameter.name:
            given[other.name] = filled(parameter, secret)
        elif other.name == "now":
            given[other.name] = NOW
        elif other.default is other.empty:
            given[other.name] = USUAL.get(other.name, "heron")
    try:
        positional = (
            [
                given.pop(p.name)
                for p in inspect.signature(method).parameters.values()
                if p.name in given and p.kind is p.POSITIONAL_OR_KEYWORD
            ]
            if rest
            else []
        )
        found = method(*positional, *rest, **given)
        if inspect.isgenerator(found):
            list(found)
    except (
        CogmemError,
        TypeError,
        ValueError,
        LookupError,
        AttributeError,
        AssertionError,
    ) as error:
        assert core(secret) not in str(error), f"{name}({parameter.name}) repeats the secret"  # noqa: PT017


@pytest.fixture
def kept(tmp_path: Path, empty_space: str) -> Iterator[cogmem.Memory]:
    path = str(tmp_path / "memory.db")
    shutil.copyfile(empty_space, path)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", key="bird", now=NOW)
        mem.conversation("talk").append("user", "Where do herons wade?", at=NOW)
        yield mem


def test_no_argument_of_any_method_brings_a_secret_to_the_disk(
    kept: cogmem.Memory, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    formats = cycle(row for row in FORMATS if len(row["value"]) >= 16 and "\n" not in row["text"])
    tried: dict[str, list[str]] = {}
    for thing in (kept, kept.conversation("talk"), kept.sessions.notes("s1")):
        for name, method, parameter in doors(thing):
            row = next(formats)
            called(name, method, parameter, row["text"])
            tried.setdefault(row["value"], []).append(
                f"{type(thing).__name__}.{name}({parameter.name})"
            )
    kept.flush()
    kept.file.backup(now=NOW)
    assert sum(map(len, tried.values())) > 100
    assert leaked(str(tmp_path), {value: ", ".join(doors) for value, doors in tried.items()}) == {}
    out = capfd.readouterr()
    assert not [value for value in tried if value in out.out + out.err]


def test_no_argument_of_any_tool_brings_a_secret_to_the_disk(
    kept: cogmem.Memory, tmp_path: Path
) -> None:
    formats = cycle(row for row in FORMATS if len(row["value"]) >= 16 and "\n" not in row["text"])
    tried: dict[str, list[str]] = {}
    for family in toolset.TOOLSETS:
        for tool in toolset.toolset(family, kept):
            schema = tool.parameters
            for name in fields(schema):
                row = next(formats)
                its = schema["properties"][name]
                given = {
                    other: USUAL.get(other, (one.get("enum") or ["heron"])[0])
                    for other, one in schema["properties"].items()
                    if other in schema.get("required", ())
                }
                given[name] = [row["text"]] if its.get("type") == "array" else row["text"]
                tool.call(given)
                tried.setdefault(row["value"], []).append(f"{tool.name}({name})")
    kept.flush()
    assert sum(map(len, tried.values())) > 40
    assert leaked(str(tmp_path), {value: ", ".join(doors) for value, doors in tried.items()}) == {}


def test_no_secret_of_any_form_gets_past_the_doors_of_every_day(
    kept: cogmem.Memory, tmp_path: Path
) -> None:
    """Learning, recording, a turn, a recall, a note: each with each secret, whatever becomes of the call."""
    talk = kept.conversation("talk")
    for number, row in enumerate(SECRETS if EVERYTHING else SECRETS[::3]):
        text = row["text"]
        doors = (
            lambda text=text: kept.learn(text, now=NOW),
            lambda text=text: kept.learn(f"Mara says: {text}", source="tool", now=NOW),
            lambda text=text: kept.capture(f"Always remember this: {text}", now=NOW),
            lambda text=text: talk.append("user", text, at=NOW),
            lambda text=text: talk.append("tool", text, at=NOW),
            lambda text=text, number=number: kept.activate(text, session=f"s{number}", now=NOW),
            lambda text=text: kept.recall(text, now=NOW),
            lambda text=text: kept.episode(text, now=NOW),
            lambda text=text: kept.sessions.notes("s1").pin(text, at=NOW),
        )
        for door in doors if EVERYTHING else doors[number % 3 :: 3]:
            try:
                door()
            except CogmemError as error:
                assert row["value"] not in str(error)  # noqa: PT017
    kept.flush()
    kept.file.backup(now=NOW)
    # A few figures stand in any file by chance.
    values = {row["value"]: row["text"][:30] for row in SECRETS if len(row["value"]) > 4}
    assert leaked(str(tmp_path), values) == {}


def test_a_secret_in_a_persons_own_file_stays_in_that_file(tmp_path: Path) -> None:
    token = next(row for row in FORMATS if row["name"] == "github")["text"]
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "AGENTS.md").write_text(f"# Rules\n\nDeploy with {token} on Tuesdays.\n")
    kept = tmp_path / "kept"
    kept.mkdir()
    with cogmem.open(kept / "memory.db", documents=project, user_dir="") as mem:
        text = mem.activate("How do we deploy?", session="s", now=NOW).text
    assert "on Tuesdays" in text
    assert token not in text
    assert leaked(str(kept), {token: "AGENTS.md"}) == {}
    assert token in (project / "AGENTS.md").read_text()


def test_a_name_gets_the_first_look_that_a_text_gets() -> None:
    missed = [row["text"] for row in FORMATS if may_tell(row["text"]) and not may_name(row["text"])]
    assert [text for text in missed if len(text) >= 12 and " " in text] == []
    assert may_name("pw: Zx9kQw7Lm2"), "what tells stands at the beginning"
