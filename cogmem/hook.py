"""The file that a host runs for every event:

    python -X utf8 -I -S …/cogmem/hook.py prompt --host claude-code --db …/memory.db

`cogmem hook` and `python -m cogmem.hook` do the same more slowly. Python compiles the file that it is
told to run anew each time, so this one holds nothing but the way to hosts/launch.py.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def main() -> None:
    """Serve the event named on the command line, and end the process with exit code 0."""
    try:
        from _frozen_importlib_external import SourceFileLoader

        package = os.path.dirname(os.path.abspath(__file__))
        name = "cogmem.hosts.launch"
        code = SourceFileLoader(name, os.path.join(package, "hosts", "launch.py")).get_code(name)
        launch: dict[str, Any] = {"__name__": name}
        exec(code or "", launch)
        launch["serve"](sys.argv[1:], package)
    except BaseException:  # a host must never see a fault of its memory; serve() has logged its own
        os._exit(0)


if __name__ == "__main__":
    main()
