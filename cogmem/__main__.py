"""The program `cogmem`, also as `python -m cogmem`.

Hooks are answered before anything of the command line is loaded: a host waits for them every turn.
So is the greeting of an MCP client, which may go on without the tools if it takes long.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run one command."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _replace_closed()
    if sys.argv[1:] == ["--version"]:
        from cogmem import __version__

        try:
            print(f"cogmem {__version__}", flush=True)
        except OSError as error:
            sys.exit(f"cogmem: the answer cannot be written: {error.strerror}")
        return
    if (asked := _hook(sys.argv[1:])) is not None:
        from cogmem.hosts.hooks import serve

        serve(asked)
    if "mcp" in sys.argv[1:]:
        if "--plugin" in sys.argv:  # where `cogmem install` has brought the tools, once is enough
            from cogmem.hosts.claude_code import has_server

            sys.argv.remove("--plugin")
            sys.argv += ["--tools", "none"] if has_server() else []
        from cogmem.hosts.mcp_greeting import greet

        greet(sys.argv[1:], _server)
    try:
        from cogmem.cli.app import main as command_line

        command_line()
    except KeyboardInterrupt:  # while it was loaded: later the command line says so itself
        print("cogmem: interrupted", file=sys.stderr)
        sys.exit(130)


def _replace_closed() -> None:
    """Begin with all three streams, as a program may whose caller closed one: nothing else then gets its number."""
    import os

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the lowest number is free, and it is this one's
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _hook(words: list[str]) -> list[str] | None:
    """Return what a hook is asked, also where the file is named before it; None for every other command."""
    named = words[:2] if words[:1] == ["--db"] else []
    if words[:1] and words[0].startswith("--db="):
        named, words = ["--db", words[0].removeprefix("--db=")], ["", *words]
    rest = words[len(named) :]
    if rest[:1] != ["hook"] or {"-h", "--help"} & set(rest):
        return None
    return [*rest[1:], *named]


def _server() -> None:
    """Load what the MCP server wants."""
    import cogmem.cli.app
    import cogmem.cli.hosts
    import cogmem.hosts.mcp
    import cogmem.tools.few_set  # noqa: F401


if __name__ == "__main__":
    main()
