"""Kiro CLI: an agent of its own, whose hooks bring what they write on standard output; all agents get the server."""

from __future__ import annotations

from cogmem.hosts.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit

# An agent that names no tools has none, and one that names no documents reads none.
AGENT: dict[str, Any] = {
    "name": "cogmem",
    "description": "The default agent, with memory.",
    "tools": ["*"],
    "resources": ["file://AGENTS.md", "file://README.md", "file://.kiro/steering/**/*.md"],
    "includeMcpJson": True,
}


class Kiro(Host):
    """Kiro CLI. Around a tool its hooks only watch: they stop one with an exit code alone, which ours never have."""

    at = ".kiro"
    events = tuple("agentSpawn userPromptSubmit stop".split())
    renamed: ClassVar[dict[str, str]] = {"assistant_response": "last_assistant_message"}
    brings = "agentSpawn"
    tells_words = True
    tells_prompt = True

    def reply(self, name: str, text: str) -> str:
        return f"{text}\n"

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import hooks_edit, json_edit, named_edit

        def agent(it: dict[str, Any]) -> None:
            if ask.is_there:
                for name, value in AGENT.items():
                    it.setdefault(name, value)
            hooks_edit(it, ask, self)
            if it == AGENT:
                it.clear()

        base = self.folder(wide=wide)
        servers = f"{base}/settings/mcp.json"
        return [
            (f"{base}/agents/cogmem.json", json_edit(agent)),
            (servers, json_edit(lambda it: named_edit(it, "mcpServers", ask.entry()))),
        ]

    def entry(self, words: list[str], seconds: int) -> dict[str, Any]:
        return {"command": self.line(words), "timeout_ms": seconds * 1_000}

    def left_to_do(self) -> list[str]:
        return [
            "Kiro CLI runs hooks of the agent in use: `kiro-cli chat --agent cogmem`, or"
            " `kiro-cli settings chat.defaultAgent cogmem` for good."
        ]


HOST = Kiro("kiro")
