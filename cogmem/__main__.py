"""The program `cogmem`, also as `python -m cogmem`.

Hooks are answered before anything of the command line is loaded: a host waits for them every turn.
So is the greeting of an MCP client, which may go on without the tools if it takes long.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run one command."""
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        from cogmem.hosts.hooks import serve

        serve(sys.argv[2:])
    if "mcp" in sys.argv[1:]:
        if "--plugin" in sys.argv:  # where `cogmem install` has brought the tools, once is enough
            from cogmem.hosts.claude_code import has_server

            sys.argv.remove("--plugin")
            sys.argv += ["--tools", "none"] if has_server() else []
        from cogmem.hosts.mcp_greeting import greet

        greet(sys.argv[1:], _server)
    from cogmem.cli.app import main as command_line

    command_line()


def _server() -> None:
    """Load what the MCP server wants."""
    import cogmem.cli.app
    import cogmem.cli.hosts
    import cogmem.hosts.mcp
    import cogmem.tools.few_set  # noqa: F401


if __name__ == "__main__":
    main()
