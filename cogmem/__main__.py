"""The program `cogmem`, also as `python -m cogmem`.

Hooks are answered before anything of the command line is loaded: a host waits for them every turn.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run one command."""
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        from cogmem.hosts.hooks import serve

        serve(sys.argv[2:])
    from cogmem.cli.app import main as command_line

    command_line()


if __name__ == "__main__":
    main()
