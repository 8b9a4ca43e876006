"""LangChain's history and retriever, with its own suite where it is there."""

from __future__ import annotations

from typing import Any

import pytest

import cogmem
from cogmem.tokens import counting


def test_a_langchain_history_keeps_messages_of_every_type(mem: cogmem.Memory) -> None:
    messages = pytest.importorskip("langchain_core.messages", reason="only with langchain-core")
    from cogmem.frameworks.langchain import ChatHistory

    said = [
        messages.SystemMessage("Be brief."),
        messages.HumanMessage("The staging host is called heron.", name="ada", id="m1"),
        messages.AIMessage(
            "", tool_calls=[{"name": "ping", "args": {"host": "heron"}, "id": "c1"}]
        ),
        messages.ToolMessage("pong", tool_call_id="c1"),
        messages.AIMessage([{"type": "text", "text": "It answers."}], additional_kwargs={"k": [1]}),
    ]
    history = ChatHistory(mem, "talk")
    history.add_messages(said[:3])
    history.add_messages(said[3:])
    assert ChatHistory(mem, "talk").messages == said
    assert any("heron" in one.content for one in mem.recall("staging host"))
    history.clear()
    assert history.messages == []


try:
    from langchain_tests.integration_tests import RetrieversIntegrationTests
except ImportError:

    @pytest.mark.skip(reason="only with langchain-tests")
    def test_langchain_s_own_retriever_suite_passes() -> None: ...

else:
    from cogmem.frameworks.langchain import MemoryRetriever

    class TestRetriever(RetrieversIntegrationTests):  # type: ignore[misc,unused-ignore]
        """langchain-tests' suite for retrievers."""

        @property
        def retriever_constructor(self) -> type[MemoryRetriever]:
            return MemoryRetriever

        @property
        def retriever_constructor_params(self) -> dict[str, Any]:
            memory = cogmem.open(":memory:", counter=counting.Simple())
            for number, word in enumerate(("otters", "lichen", "sextants", "marzipan", "ferries")):
                memory.learn(f"Harbour fact {number} is about {word} and what they cost in winter.")
            return {"memory": memory}

        @property
        def retriever_query_example(self) -> str:
            return "which harbour fact tells what they cost?"
