"""The whole of a memory on three real nodes: moved onto them and off, upgraded while it is used, and forgotten in.

Modules: file.cluster_copy, exchange.moving.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import NOW
from nodes import Nodes, program

import cogmem
from cogmem.errors import CogmemError
from cogmem.file.making import SCHEMA_VERSION
from cogmem.tokens import counting

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not program(), reason="rqlite is not here: make test-cluster"),
]
Machine = Callable[[str], dict[str, str]]
WORD = "quollborine"


def held(folder: Path, word: str = WORD) -> list[str]:
    """Files of a folder that hold a word, by their bytes."""
    found = []
    for place, _, names in os.walk(folder):
        for name in names:
            if word.encode() in Path(place, name).read_bytes():
                found.append(name)
    return sorted(found)


def test_a_client_that_has_a_later_schema_before_it_says_so(nodes: Nodes, machine: Machine) -> None:
    machine("one")
    with cogmem.open(nodes.address, counter=counting.Simple()) as mem:
        mem.learn("The heron waits at the lake.", now=NOW)
        nodes.get(nodes.leader(), "/db/execute", [f"pragma user_version = {SCHEMA_VERSION + 1}"])
        machine("two")
        with pytest.raises(CogmemError, match="upgrade cogmem"):
            cogmem.open(nodes.address, counter=counting.Simple())


def test_what_is_forgotten_is_gone_from_nodes_copies_and_logs(
    nodes: Nodes, machine: Machine, tmp_path: Path
) -> None:
    machine("two")
    two = cogmem.open(nodes.address, counter=counting.Simple())
    machine("one")
    one = cogmem.open(nodes.address, counter=counting.Simple())
    uid = one.learn(f"The {WORD} waits at the weir.", now=NOW).uid
    for number in range(20):
        one.learn(f"Heron {number} waits at lake {number * 7919}.", now=NOW + 1)
    two.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert two.get(uid).content.startswith("The")
    places = [tmp_path / f"n{node}" for node in range(3)]
    assert all(held(place) for place in places)

    receipt = one.forget(uid, now=NOW + 2)
    assert receipt.is_scrubbed
    nodes.settle()
    # What is left is what the receipt names: free pages of the logs, and the copy of who has not looked since.
    assert {name for place in places for name in held(place)} <= {"raft.db"}
    assert held(tmp_path / "one") == []
    assert held(tmp_path / "two") != []
    two.db._asked_at = 0.0  # type: ignore[attr-defined]
    two.list()
    assert held(tmp_path / "two") == []

    # The log of a node that is renewed begins from nothing; as the page about clusters has it.
    for node in range(3):
        nodes.kill(node)
        shutil.rmtree(places[node])
        nodes.start(node)
        one.learn(f"Node {node} is new.", now=NOW + 3)
    nodes.settle()
    assert [held(place) for place in places] == [[], [], []]
    assert one.file.check() == two.file.check() == []
    one.close()
    two.close()


def test_what_a_node_that_was_away_still_holds_is_told_and_wiped_later(
    nodes: Nodes, machine: Machine, tmp_path: Path
) -> None:
    machine("one")
    with cogmem.open(nodes.address, counter=counting.Simple()) as mem:
        uid = mem.learn(f"The {WORD} waits at the weir.", now=NOW).uid
        away = next(node for node in (1, 2) if node != nodes.leader())
        nodes.kill(away)
        assert not mem.forget(uid, now=NOW + 1).is_scrubbed
        assert any("does not answer" in told for told in mem.file.doctor().warnings)
        assert "raft.db" in held(tmp_path / f"n{away}")
        nodes.start(away)
        nodes.settle()
        assert mem.file.scrub(now=NOW + 2) == []
        assert set(held(tmp_path / f"n{away}")) <= {"raft.db"}
        for node in range(3):  # a log without its past starts again
            nodes.kill(node)
            nodes.start(node)
        mem.learn("The heron waits at the lake.", now=NOW + 3)
        nodes.settle()
        assert mem.file.check() == []
