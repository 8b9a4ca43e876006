"""`python -m cogmem.inspect FILE`: what `cogmem inspect` turns into, after it has closed the file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from cogmem.errors import CogmemError
from cogmem.inspect.server import serve


def main() -> int:
    """Serve one file until interrupted."""
    parser = ArgumentParser(prog="cogmem inspect")
    parser.add_argument("path")
    parser.add_argument("--port", type=int)
    parser.add_argument("--open", action="store_true", dest="is_open")
    parser.add_argument("--json", action="store_true", dest="as_json")
    parser.add_argument("--read-only", action="store_true", dest="is_read_only")
    options = parser.parse_args()
    try:
        return serve(**vars(options))
    except CogmemError as error:
        print(f"cogmem: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
