"""Bad input gets a clear, typed error or a documented normalisation; nothing is lost or half stored.

Modules: errors.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.errors import (
    CapacityReached,
    CogmemError,
    GuardRefused,
    InvalidInput,
    UnknownMemory,
    UnknownName,
)
from cogmem.records import CONTENT_LIMIT
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def refused(
    memory: cogmem.Memory,
    match: str,
    call: Callable[[], object],
    error: type[Exception] = InvalidInput,
) -> None:
    """The call fails in words, and no transaction was written."""
    before = len(memory.history.log(limit=0))
    with pytest.raises(error, match=match):
        call()
    assert len(memory.history.log(limit=0)) == before


# -- text --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\r\n", "\u00a0\u2003"], ids=repr)
def test_text_without_a_word_is_refused(memory: cogmem.Memory, text: str) -> None:
    refused(memory, "nothing to remember", lambda: memory.learn(text, now=NOW))
    learned = memory.learn("Herons wade.", now=NOW)
    refused(
        memory, "nothing to remember", lambda: memory.update(learned.uid, content=text, now=NOW)
    )
    refused(memory, "nothing to remember", lambda: memory.episode(text, now=NOW))


def test_ten_megabytes_of_text_are_refused_with_both_figures(memory: cogmem.Memory) -> None:
    refused(
        memory,
        r"10,485,760 characters.*at most 1,000,000",
        lambda: memory.learn("heron " * 1_747_626 + "here", now=NOW),
    )


def test_the_longest_text_that_fits_is_kept_whole(memory: cogmem.Memory) -> None:
    text = ("heron " * CONTENT_LIMIT)[: CONTENT_LIMIT - 1] + "."
    learned = memory.learn(text, now=NOW)
    assert memory.get(learned.uid, now=NOW).content == text


def test_what_no_client_could_read_back_is_replaced_by_a_visible_mark(
    memory: cogmem.Memory,
) -> None:
    for text in ("Herons\x00 wade.", "Herons\ud800 wade."):
        learned = memory.learn(text, now=NOW)
        assert memory.get(learned.uid, now=NOW).content == "Herons\ufffd wade."


def test_characters_that_nobody_sees_are_refused(memory: cogmem.Memory) -> None:
    refused(memory, "hidden characters", lambda: memory.learn("\u200b", now=NOW), GuardRefused)


@pytest.mark.parametrize("value", [None, 7, b"Herons wade.", ["Herons"]], ids=repr)
def test_what_is_not_text_is_refused(memory: cogmem.Memory, value: Any) -> None:
    refused(memory, "must be text", lambda: memory.learn(value, now=NOW))


@pytest.mark.parametrize("name", ["tags", "steps", "files", "words", "refs"])
def test_one_text_where_a_list_is_meant_is_refused(memory: cogmem.Memory, name: str) -> None:
    uid = memory.learn("Herons wade.", now=NOW).uid
    turn = memory.activate("heron", now=NOW).turn
    calls: dict[str, list[Callable[[], object]]] = {
        "tags": [
            lambda: memory.learn("Storks wade.", tags="bird", now=NOW),
            lambda: memory.update(uid, tags="bird", now=NOW),
            lambda: memory.recall("heron", tags="bird", now=NOW),
        ],
        "steps": [lambda: memory.procedure("nest", "build", now=NOW)],  # type: ignore[arg-type]
        "files": [
            lambda: memory.activate("heron", files="src/a.go", now=NOW),
            lambda: memory.why_not(uid, "heron", files="src/a.go", now=NOW),
        ],
        "words": [lambda: memory.forget(words="heron", now=NOW)],
        "refs": [lambda: memory.used(turn, uid, now=NOW)],
    }
    for call in calls[name]:
        refused(memory, f"{name} must be a list of texts, not one text", call)


def test_arguments_of_a_wrong_type_are_told(memory: cogmem.Memory, path: str) -> None:
    calls: dict[str, Callable[[Any], object]] = {
        "the kind must be text": lambda wrong: memory.learn("Herons wade.", kind=wrong, now=NOW),
        "profile .* is not known": lambda wrong: memory.learn(
            "Herons wade.", profile=wrong, now=NOW
        ),
        "the query must be text": lambda wrong: memory.recall(wrong, now=NOW),
        "the user must be text": lambda wrong: memory.learn("Herons wade.", user=wrong, now=NOW),
        "the name must be text": lambda wrong: memory.get(wrong, now=NOW),
        "the turn must be text": lambda wrong: memory.begin(turn=wrong, now=NOW),
    }
    for match, call in calls.items():
        refused(memory, match, lambda call=call: call(7))
    refused(memory, "the kind must be text", lambda: memory.learn("x y", kind=None, now=NOW))  # type: ignore[arg-type]
    refused(memory, "profile 'zz'", lambda: memory.learn("Herons wade.", profile="zz", now=NOW))
    for budget in ("x", 2.5, True, -1):
        refused(memory, "a budget is", lambda budget=budget: memory.activate("x", budget, now=NOW))
    refused(memory, "NUL", lambda: cogmem.open(f"{path}\0b"))


@pytest.mark.parametrize("name", ["²", "9" * 30, "²9"])
def test_a_number_that_no_change_has_is_told(memory: cogmem.Memory, name: str) -> None:
    memory.learn("Herons wade.", now=NOW)
    for call in (memory.undo, memory.history.diff):
        refused(memory, "there is no change", lambda call=call: call(name), UnknownName)
    assert memory.history.diff(1)[0].action == "insert"


def test_names_that_are_not_utf_8_are_taken_with_a_visible_mark(memory: cogmem.Memory) -> None:
    name = b"caf\xe9".decode("utf-8", "surrogateescape")
    uid = memory.learn("Herons wade.", key=name, user=name, now=NOW).uid
    memory.scope = memory.scope.replacing(user=name)
    assert (memory.get(name, now=NOW).uid, memory.get(uid, now=NOW).user) == (uid, "caf\ufffd")
    for look in (
        lambda: memory.history.log(uid=name),
        lambda: memory.turns.list(session=name),
        lambda: memory.list(tag=name),
        lambda: memory.list(path=name),
        lambda: memory.many.remove(f"{name}s").memories,
    ):
        assert look() == []
    for ask in (memory.turns.get, memory.turns.replay, lambda turn: memory.why(uid, turn)):
        refused(memory, "no turn is called 'caf\ufffd'", lambda ask=ask: ask(name), UnknownName)
    turn = memory.activate("heron", session=name, files=[f"{name}.go"], now=NOW)
    assert "Herons wade." in turn.text
    assert memory.turns.list()[0].session == "caf\ufffd"
    assert memory.why_not(uid, "heron", files=[f"{name}.go"], now=NOW).shown


@pytest.fixture(scope="module")
def shared() -> Iterator[cogmem.Memory]:
    """One memory for many examples."""
    with cogmem.open(":memory:", counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", key="heron", now=NOW)
        yield mem
        assert mem.file.check() == []


@settings(max_examples=examples(60))
@given(text=st.text(max_size=60), key=st.text(max_size=10), tag=st.text(max_size=10))
def test_any_text_is_stored_or_refused_in_words(
    shared: cogmem.Memory, text: str, key: str, tag: str
) -> None:
    before = shared.db.ask("select count(*) from memory")
    try:
        learned = shared.learn(text, key=key, tags=[tag], now=NOW)
    except CogmemError:
        assert shared.db.ask("select count(*) from memory") == before
    else:
        assert shared.get(learned.uid, now=NOW).uid == learned.uid


# -- names and numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("priority", ["urgent", 0, 5, -1, 2.5, True, "", "4.0"], ids=repr)
def test_a_wrong_priority_is_told_with_the_right_ones(memory: cogmem.Memory, priority: Any) -> None:
    refused(
        memory,
        "critical, high, medium, normal",
        lambda: memory.learn("Herons wade.", priority=priority, now=NOW),
    )


@pytest.mark.parametrize(
    "name", ["mem_0000000000000000", "no-such-key", "", "%", "mem_%", "' or 1=1 --"], ids=repr
)
def test_an_unknown_name_is_told_with_a_way_to_find_the_right_one(
    memory: cogmem.Memory, name: str
) -> None:
    memory.learn("Herons wade.", now=NOW)
    for call in (memory.get, memory.remove, memory.archive, memory.restore):
        refused(memory, "cogmem list", lambda call=call: call(name, now=NOW), UnknownMemory)
    refused(memory, "cogmem list", lambda: memory.update(name, content="x", now=NOW), UnknownMemory)


def test_an_unknown_source_state_layer_or_kind_is_told(memory: cogmem.Memory) -> None:
    refused(
        memory,
        "source 'rumour' is not known",
        lambda: memory.learn("x y", source="rumour", now=NOW),
    )
    refused(memory, "state 'gone' is not known", lambda: memory.list(state="gone"))
    refused(memory, "layer 'middle' is not known", lambda: memory.list(layer="middle"))
    refused(
        memory, "kind 'rumour' is not registered", lambda: memory.list(kind="rumour"), UnknownName
    )


@pytest.mark.parametrize("trust", [-0.1, 1.1, float("nan"), float("inf")], ids=repr)
def test_trust_is_a_share(memory: cogmem.Memory, trust: float) -> None:
    with pytest.raises(CogmemError):
        memory.learn("Herons wade.", trust=trust, now=NOW)
    assert memory.stats().memories == 0


@pytest.mark.parametrize(
    "now",
    [datetime.datetime(2027, 1, 15), "tomorrow-ish", 1.8e12, True],
    ids=["naive", "text", "real", "flag"],
)
def test_what_is_no_instant_is_refused(memory: cogmem.Memory, now: Any) -> None:
    refused(
        memory,
        "time zone|aware datetime|not an instant",
        lambda: memory.learn("Herons wade.", now=now),
    )


def test_validity_that_ends_before_it_begins_is_refused(memory: cogmem.Memory) -> None:
    refused(
        memory,
        "valid_to lies before valid_from",
        lambda: memory.learn("Herons wade.", valid_from=NOW, valid_to=NOW - 1, now=NOW),
    )


def test_an_update_of_nothing_is_refused(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", now=NOW)
    refused(memory, "nothing to change", lambda: memory.update(learned.uid, now=NOW))


def test_a_memory_keeps_its_layer(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", now=NOW)
    refused(memory, "keeps its layer", lambda: memory.update(learned.uid, kind="events", now=NOW))


@pytest.mark.parametrize(("name", "steps"), [("bake", []), ("", ["knead"]), (" ", ["knead"])])
def test_a_procedure_needs_a_name_and_steps(
    memory: cogmem.Memory, name: str, steps: list[str]
) -> None:
    refused(memory, "a procedure needs", lambda: memory.procedure(name, steps, now=NOW))


def test_a_full_kind_that_refuses_names_its_figures(memory: cogmem.Memory) -> None:
    memory.learn("m" * 3_990, kind="about_user", now=NOW)
    refused(
        memory,
        r"21 characters.*3990 of 4000",
        lambda: memory.learn("Mara lives in Bonn. .", kind="about_user", now=NOW),
        CapacityReached,
    )


# -- searching ---------------------------------------------------------------------------------------


def test_a_value_of_the_wrong_sort_gets_one_clear_line(memory: cogmem.Memory) -> None:
    memory.learn("Herons wade.", key="herons")
    odd: list[Callable[[Any], object]] = [
        lambda it: memory.nightly(now=it),
        lambda it: memory.forget(it),
        lambda it: memory.learn("Terns dive.", tags=it),
        lambda it: memory.update("herons", tags=it),
        lambda it: memory.activate("herons", files=it),
        lambda it: memory.procedure("fish", it),
        lambda it: memory.sync.exchange(it),
        lambda it: memory.file.backup(it),
    ]
    odd += [
        lambda it: memory.archive("herons", reason=it),
        lambda it: memory.sync.hub(it),
        lambda it: memory.sync.hub("tokens", port=it),
        lambda it: cogmem.open(it),
        lambda it: cogmem.open(":memory:", documents=it),
        lambda it: cogmem.open(":memory:", user_dir=it),
    ]
    for call in odd:
        with pytest.raises(InvalidInput) as told:
            call(2**63)
        assert "\n" not in str(told.value)
    with pytest.raises(InvalidInput, match="number of tokens"):
        memory.conversation("talk").window("x")  # type: ignore[arg-type]
