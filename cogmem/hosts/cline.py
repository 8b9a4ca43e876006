"""Cline: it has the tools, and a rule that says when to use them; what its hooks say does not reach the model."""

from __future__ import annotations

from cogmem.hosts.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit

RULE = """\
# Memory

The tools of `cogmem` hold what was decided, asked for and found out in earlier sessions.

- Before you plan or change anything, call `recall` with the matter at hand. The first call of a session also
  brings what always holds: follow it.
- When somebody says how they want things done, or a decision is taken, call `learn` with one plain sentence.
- When the task is done, call `episode` with what was done and what came of it.
"""


class Cline(Host):
    """Cline, in a terminal and in editors."""

    at = ".cline"

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import json_edit, named_edit

        base = self.folder(wide=wide)
        rule = (f"{base}/rules/cogmem.md", lambda _: RULE if ask.is_there else "")
        if not wide:  # it has one list of servers for all projects
            return [rule]
        servers = f"{base}/data/settings/cline_mcp_settings.json"
        return [
            (servers, json_edit(lambda it: named_edit(it, "mcpServers", ask.entry()))),
            rule,
        ]

    def left_to_do(self) -> list[str]:
        return [
            "Cline lets no hook bring text to its model: memory comes when the model asks for it,"
            " as the rule tells it to."
        ]


HOST = Cline("cline")
