"""A loop of one's own: start, turn, answered, end."""

from __future__ import annotations

import sys
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from processes import ran

import cogmem
from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Clock


def test_a_session_learns_and_the_next_one_knows(memory: cogmem.Memory, clock: Clock) -> None:
    memory.learn("Answer in English.", kind="policy", now=clock.tick())
    first = cogmem.Session(memory, "monday")
    system = first.start(now=clock.tick())
    assert "Answer in English." in system
    talk = [
        ("We don't want to deploy on Fridays, do it on Mondays instead.", "Noted."),
        ("We call the staging host heron.", "Good name."),
        ("Plan the release of the parser.", "First the tests, then the changelog."),
    ]
    for prompt, answer in talk:
        first.turn(prompt, now=clock.tick())
        first.answered(answer, now=clock.tick())
        assert first.start(now=clock.tick()) == system, "the same bytes, whatever was learned"
    assert [one.outcome for one in first.end(now=clock.tick())] == ["inserted"]
    assert first.end(now=clock.tick()) == []
    assert len(memory.conversation("monday").messages()) == 2 * len(talk)

    second = cogmem.Session(memory, "tuesday")
    second.start(now=clock.tick())
    assert "heron" in second.turn("what is the staging host called?", now=clock.tick())
    assert second.latest is not None
    assert second.latest.tokens <= second.latest.budget
    assert len(memory.list(kind="dropped", now=clock.tick())) == 1


def test_after_compaction_the_stable_text_is_made_anew(memory: cogmem.Memory, clock: Clock) -> None:
    session = cogmem.Session(memory, "monday")
    assert session.start(now=clock.tick()) == ""
    memory.learn("Answer in English.", kind="policy", now=clock.tick())
    assert session.start(now=clock.tick()) == ""
    assert "Answer in English." in session.start(compacted=True, now=clock.tick())


def test_a_session_that_opened_the_file_closes_it(path: str) -> None:
    with cogmem.Session(path, "monday", user="ada") as session:
        session.turn("hello")
        session.answered("")
        assert session.memory.scope.user == "ada"
    with pytest.raises(cogmem.CogmemError, match="closed"):
        session.memory.stats()


def test_a_session_on_an_open_memory_leaves_it_open(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(path) as mem:
        with cogmem.Session(mem, "monday"):
            pass
        assert mem.stats()


def test_a_session_without_a_name_is_refused(memory: cogmem.Memory) -> None:
    with pytest.raises(InvalidInput, match="name"):
        cogmem.Session(memory, " ")
    with pytest.raises(InvalidInput, match="open already"):
        cogmem.Session(memory, "monday", user="ada")


def test_a_wrapped_client_has_loaded_its_first_turn_before_the_first_request(path: str) -> None:
    wrapped = (
        "import sys; from cogmem.frameworks.loop import Session; from cogmem.frameworks.wrap import Companion;"
        f"made = Companion(Session({path!r}, 'monday')); made.flush();"
        "print('cogmem.turn.layers' in sys.modules, made.memory.turns.list()); made.end()"
    )
    command = [sys.executable, "-c", wrapped]
    done = ran(command, check=True)
    assert done.stdout.strip() == "True []"


def test_a_request_of_a_wrapped_client_waits_for_no_hearing(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.learn("The staging server is called stork.")
    sent = threading.Event()

    class Messages:
        def create(self, **request: Any) -> Any:
            asked.append(request)
            return SimpleNamespace(content=[])

    class Anthropic:
        messages = Messages()

    Anthropic.__module__ = "anthropic"
    asked: list[dict[str, Any]] = []
    heard: list[str] = []

    def capture(name: str, **_: Any) -> None:
        assert sent.wait(60)
        heard.append(name)

    monkeypatch.setattr(memory, "capture_conversation", capture)
    monkeypatch.setattr("cogmem.frameworks.wrap.PATIENCE", 60)
    client: Any = cogmem.wrap(Anthropic(), memory, session="monday")
    talk = [{"role": "user", "content": "What is the staging server called?"}]
    client.messages.create(model="m", max_tokens=9, messages=talk)
    assert "stork" in asked[0]["messages"][0]["content"]
    assert heard == []
    sent.set()
    client.cogmem.end()
    assert heard == ["monday"]
