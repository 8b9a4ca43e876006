"""Every parameter of every verb of a memory, given what it cannot take: one clear line, no bare error of Python."""

import inspect
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from conftest import EVERYTHING

import cogmem
from cogmem.errors import CogmemError
from cogmem.tokens import counting

ODD: list[Any] = [
    *(
        5,
        -1,
        1.5,
        "x",
        "",
        b"x",
        [],
        [1],
        {},
        {"a": 1},
        object(),
        True,
        float("nan"),
        "\ud800",
        ("a", 1),
    )
]
NEEDED = {"content": "We deploy with make ship.", "prompt": "How do we deploy?", "query": "deploy"}
VERBS = sorted(
    name
    for name, method in inspect.getmembers(cogmem.Memory, inspect.isfunction)
    if not name.startswith("_") and name != "close"
)


@pytest.mark.parametrize("verb", VERBS)
def test_what_a_parameter_cannot_take_is_told_in_a_line(verb: str, tmp_path: Path) -> None:
    with cogmem.open(str(tmp_path / "odd.db"), counter=counting.Simple()) as mem:
        uid = mem.learn("We deploy with make ship.").uid
        given = inspect.signature(getattr(mem, verb)).parameters.values()
        needed = {
            one.name: uid if one.name == "uid" else NEEDED.get(one.name, "x")
            for one in given
            if one.default is one.empty
            and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        }
        for number, one in enumerate(given):
            if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
                continue
            for value in ODD if EVERYTHING else ODD[number % 3 :: 3]:
                with suppress(CogmemError):
                    getattr(mem, verb)(**{**needed, one.name: value})


AREAS = (
    *(
        "backfilled",
        "conversations",
        "experience",
        "intentions",
        "facts",
        "file",
        "history",
        "listener",
        "many",
        "models",
    ),
    *("notes", "repository", "sessions", "sharing", "sync", "turns"),
)
WAITS = {
    "close",
    "hub",
    "exchange",
    "wait",
    "restore",
    "serve_pipe",
}  # for others, or end what is open


@pytest.mark.parametrize("area", AREAS)
def test_what_a_parameter_of_an_area_cannot_take_is_told_in_a_line(
    area: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with cogmem.open(str(tmp_path / "odd.db"), counter=counting.Simple()) as mem:
        mem.learn("We deploy with make ship.")
        there = getattr(mem, area)
        verbs = dict(inspect.getmembers(type(there), inspect.isfunction))
        for verb in sorted(name for name in verbs if name[0] != "_" and name not in WAITS):
            given = [
                one
                for one in inspect.signature(getattr(there, verb)).parameters.values()
                if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
            ]
            needed = {one.name: "x" for one in given if one.default is one.empty}
            for one in given:
                for value in (*ODD[2:3], *ODD[5:6], *ODD[7:8], *ODD[9:]):
                    with suppress(CogmemError):
                        getattr(there, verb)(**{**needed, one.name: value})


def test_the_argument_that_does_not_fit_is_named(tmp_path: Path) -> None:
    with cogmem.open(str(tmp_path / "odd.db"), counter=counting.Simple()) as mem:
        with pytest.raises(ValueError, match=r"^learn: trust has to be .*, not 'high'$"):
            mem.learn("We deploy with make ship.", trust="high")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="colour"):
            mem.learn("We deploy with make ship.", colour="red")  # type: ignore[call-arg]
        assert mem.list() == []


def test_a_fault_that_no_argument_explains_goes_on_as_it_is(tmp_path: Path) -> None:
    def progress(*_: object) -> None:
        raise TypeError("mine")

    with (
        cogmem.open(str(tmp_path / "odd.db"), counter=counting.Simple()) as mem,
        pytest.raises(TypeError, match=r"^mine$"),
    ):
        mem.nightly(progress=progress)
