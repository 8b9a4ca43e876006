"""pydantic-ai: memory beside each message, a history that lasts, and two tools.

    memory = AgentMemory(mem, "conversation-7")
    agent = Agent(model, instructions=memory.instructions, toolsets=[memory_tools(mem)])
    result = await agent.run(memory.prompt(text), message_history=memory.history())
    memory.save(result)

The instructions are frozen with the conversation's first turn, and what a message brings stands
before it in the same request: nothing that was sent changes, so a provider's prompt cache holds.
"""

# Types are checked also where the package is missing, and all of it is Any then.
# mypy: disable-error-code="import-not-found,misc,no-any-return,unused-ignore"

from __future__ import annotations

from typing import Any

from pydantic_ai import FunctionToolset
from pydantic_ai.messages import ModelMessagesTypeAdapter

from cogmem.frameworks.items import Items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic_ai.messages import ModelMessage, UserContent

    from cogmem.memory import Memory

ROLES = {"request": "user", "response": "assistant"}
SAID = {"user-prompt", "text"}  # the parts whose words people and agent said
ANSWERS = {"tool-return", "retry-prompt"}


class AgentMemory:
    """One conversation of an agent."""

    def __init__(self, mem: Memory, name: str) -> None:
        self.mem = mem
        self.name = name
        self._items = Items(mem, name)

    def instructions(self) -> str:
        """Return the stable text: rules, architecture, preferences; the same as long as the talk lasts."""
        return self.mem.activate("", session=self.name).stable

    def prompt(
        self, text: str, *, files: Sequence[str] = (), budget: int | None = None
    ) -> str | Sequence[UserContent]:
        """Return a message with what memory adds to it."""
        added = self.mem.activate(text, session=self.name, files=files, budget=budget).volatile
        return [added, text] if added else text

    def history(self) -> list[ModelMessage]:
        """Return all messages so far, as `message_history` takes them."""
        return ModelMessagesTypeAdapter.validate_python(self._items.latest())

    def save(self, result: Any) -> None:
        """Record what a run added; rules learn from what the user said."""
        messages = ModelMessagesTypeAdapter.dump_python(result.new_messages(), mode="json")
        self._items.add(messages, said=_said)
        self.mem.capture_conversation(self.name)


def memory_tools(mem: Memory) -> FunctionToolset[Any]:
    """Return two tools: recall, and remember."""

    def recall(query: str, limit: int = 5) -> list[dict[str, Any]]:
        """Search what is remembered. Use it when the answer may have been said before.

        Args:
            query: Words that the memory may hold.
            limit: How many to return.
        """
        found = mem.recall(query, limit=limit)
        return [{"id": one.uid, "kind": one.kind, "content": one.text} for one in found]

    def remember(text: str, kind: str = "fact") -> str:
        """Remember something for later talks. Use it when the user states a fact or a wish that lasts.

        Args:
            text: What to remember, as one whole sentence.
            kind: fact, preference, decision, pitfall or workflow.
        """
        from cogmem.errors import CogmemError

        try:
            learned = mem.learn(text, kind, source="inferred")
        except CogmemError as error:
            return f"Not remembered: {error}"
        return f"{learned.outcome}: {learned.uid}"

    return FunctionToolset([recall, remember])


def _said(message: Mapping[str, Any]) -> tuple[str, str]:
    """Return who said what. Of a prompt only the last text: before it stands what memory had added."""
    parts, texts = message["parts"], []
    for part in parts:
        if part["part_kind"] in SAID:
            content = part["content"]
            if isinstance(content, list):
                content = next((one for one in reversed(content) if isinstance(one, str)), "")
            texts.append(content)
    is_answer = parts and all(part["part_kind"] in ANSWERS for part in parts)
    role = "tool" if is_answer else ROLES.get(message["kind"], "assistant")
    return role, "\n".join(filter(None, texts))
