"""Runs tests of the core on a cluster: pytest -p core_on_cluster tests/store … (`make test-cluster CORE=1`).

The memory of a test, `path`, is opened on three nodes that begin each test empty, by a machine of its own. What a
test does to the file itself it does to the copy. The exceptions stand below, each with its reason.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nodes import Nodes, program

import cogmem
from cogmem.cli.call import Call
from cogmem.file.cluster import Cluster
from cogmem.memory import Memory
from cogmem.tokens import counting

# What is of a file and not of a memory: part of a test's name, and why it is left out.
EXCEPTIONS = {
    "test_g18_threads_that_count_at_once": "one of three on one row may be told that others kept changing it",
    "test_g09_whoever_reads_sees_what_was_counted": "it opens the file of the memory a second time, as a file",
    "test_g09_a_locked_file_keeps_the_counts": "it locks the file of the memory",
    "test_not_a_byte_of_the_words_is_left": "it looks into the file; test_one_node.py looks into the copy",
    "test_a_layer_row_has_no_change_of_its_own": "it writes through the driver's connection, past the recorder",
    "test_o20_what_a_model_says_passes_the_guard": "it opens the memory a second time by the path of the copy",
    "test_processes_that_send_the_same_message_at_once": "other processes open the path of the copy",
    "test_a_bulk_leaves_the_file_as_message_by_message_would": "it looks for every table of the copy in a file",
    "test_two_nights_that_began_at_once": "it opens the path of the copy; test_three_nodes.py has two machines",
    "test_backups_are_private_verified_and_rotated": "backups lie beside the copy, and not beside the path",
    "test_a_backup_is_restored_and_the_replaced_file_kept": "a backup goes onto a cluster by `cogmem bulk move`",
}
_nodes: Nodes | None = None
_empty = b""


def pytest_configure(config: pytest.Config) -> None:
    global _nodes, _empty
    _nodes = Nodes(program(), Path(tempfile.mkdtemp(prefix="cogmem-core-")))
    _nodes.start()
    config.add_cleanup(_nodes.stop)
    cogmem.open(_nodes.address, counter=counting.Simple()).close()
    status, _empty = _nodes.get(0, "/db/backup")
    assert status == 200


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for part, reason in EXCEPTIONS.items():
            if part in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=reason))


def _begin_anew() -> None:
    """All nodes hold an empty memory again."""
    import http.client

    assert _nodes is not None
    until = time.monotonic() + 30
    while time.monotonic() < until:
        connection = http.client.HTTPConnection("127.0.0.1", _nodes.ports[_nodes.leader()])
        connection.request("POST", "/db/load", _empty, {"Content-Type": "application/octet-stream"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status == 200:
            return
        time.sleep(0.1)
    raise AssertionError("the nodes take no whole")


@pytest.fixture(autouse=True)
def _on_the_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[None]:
    if "path" not in request.fixturenames and "memory" not in request.fixturenames:
        yield
        return
    assert _nodes is not None
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    _begin_anew()
    own, address, opened = str(tmp_path / "memory.db"), _nodes.address, Memory.__init__

    def on_cluster(self: Memory, path: Any = None, **options: Any) -> None:
        is_own = path is not None and os.fspath(path) == own
        opened(self, address if is_own else path, **options)

    monkeypatch.setattr(Memory, "__init__", on_cluster)
    monkeypatch.setattr(Cluster, "_look", _always(Cluster._look))
    monkeypatch.setattr(Call, "demand", lambda *_: None)
    yield


def _always(look: Any) -> Any:
    """A test that opens a memory twice wants to see at once what the other one wrote."""

    def looked(self: Cluster) -> None:
        self._asked_at = min(self._asked_at, 0.0) if not self.is_cut_off else self._asked_at
        look(self)

    return looked
