"""pydantic-ai: what a model is sent, what is kept, and that nothing sent changes afterwards."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pydantic_ai", reason="only with pydantic-ai: make test-frameworks")

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from cogmem.frameworks.pydantic_ai import AgentMemory, memory_tools

if TYPE_CHECKING:
    import cogmem


class Heard:
    """A model that writes down what it is sent, and says what it is told to say."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.sent: list[str] = []
        self.instructions: list[str | None] = []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.sent.append(
            "\n".join(
                str(part.content) for m in messages for part in m.parts if hasattr(part, "content")
            )
        )
        self.instructions.append(info.instructions)
        answer = self.answers.pop(0)
        return ModelResponse(parts=[answer if not isinstance(answer, str) else TextPart(answer)])


def run(agent: Agent, prompt: Any, **options: Any) -> Any:
    return asyncio.run(agent.run(prompt, **options))


def test_memory_stands_beside_the_message_and_history_lasts(mem: cogmem.Memory) -> None:
    mem.learn("Answer in English.", "policy")
    mem.learn("The staging host is called heron.")
    model = Heard("It is heron.", "I said it is heron.")
    memory = AgentMemory(mem, "monday")
    agent = Agent(FunctionModel(model), instructions=memory.instructions)
    for text in ("What is the staging host called?", "What did you say?"):
        result = run(agent, memory.prompt(text), message_history=memory.history())
        memory.save(result)
    assert "heron" in model.sent[0]
    assert model.sent[1].startswith(model.sent[0]), "what was sent once is sent alike again"
    assert model.instructions[0] == model.instructions[1]
    assert "Answer in English." in (model.instructions[0] or "")
    assert [m.kind for m in AgentMemory(mem, "monday").history()] == [
        "request",
        "response",
        "request",
        "response",
    ]
    assert AgentMemory(mem, "monday").history() == memory.history()


def test_only_the_user_s_own_words_are_recorded_as_said(mem: cogmem.Memory) -> None:
    mem.learn("The staging host is called heron.")
    memory = AgentMemory(mem, "monday")
    agent = Agent(FunctionModel(Heard("Yes.")), instructions=memory.instructions)
    memory.save(run(agent, memory.prompt("Is the staging host up? Never restart it on Fridays.")))
    said = [(message.role, message.text) for message in mem.conversation("monday").messages()]
    assert said == [
        ("user", "Is the staging host up? Never restart it on Fridays."),
        ("assistant", "Yes."),
    ]
    assert any("Fridays" in row.content for row in mem.list(limit=0)), "rules read what was said"


def test_a_model_recalls_and_remembers_with_the_tools(mem: cogmem.Memory) -> None:
    mem.learn("The staging host is called heron.")
    model = Heard(
        ToolCallPart("recall", {"query": "staging host"}),
        ToolCallPart("remember", {"text": "Ada wants short answers.", "kind": "preference"}),
        ToolCallPart("remember", {"text": "key AKIAIOSFODNN7EXAMPLZ"}),
        "Done.",
    )
    memory = AgentMemory(mem, "monday")
    agent = Agent(FunctionModel(model), toolsets=[memory_tools(mem)])
    result = run(agent, "Look, then keep it.")
    memory.save(result)
    assert "heron" in model.sent[1]
    assert any("short answers" in row.content for row in mem.list(limit=0))
    assert "Not remembered" in model.sent[3]
    assert [message.role for message in mem.conversation("monday").messages()] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]
    kept = AgentMemory(mem, "monday").history()
    assert [m.kind for m in kept] == [m.kind for m in result.all_messages()]
