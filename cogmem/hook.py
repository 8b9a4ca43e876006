"""The file that a host runs for every event: it finds the packages and hands over.

    python -X utf8 -I -S …/cogmem/hook.py prompt --host claude-code --db …/memory.db

Run so, Python reads neither its site-packages nor the user's environment, which saves a third of
the time; what is needed is found beside this file, or else in the usual way. `cogmem hook` and
`python -m cogmem.hook` do the same more slowly.
"""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Serve the event named on the command line, and end the process with exit code 0."""
    gc.disable()  # this process ends before there is anything worth collecting
    try:
        package = os.path.dirname(os.path.abspath(__file__))
        # Run as a file, Python may look for modules among ours first; `-I` looks nowhere near.
        sys.path[:] = [path for path in sys.path if path != package]
        words = sys.argv[1:]
        for packages in (*named(words), os.path.dirname(package)):
            if packages not in sys.path:
                sys.path.append(packages)
        if sys.version_info < (3, 12):
            # Later versions do it themselves: the module in C is whole, reading the one in Python
            # and then replacing all of it takes a millisecond.
            import _datetime  # type: ignore[import-not-found,unused-ignore]

            sys.modules.setdefault("datetime", _datetime)
        # To import it is up to cogmem.file.driver_apsw, which knows how that is quick.
        if not any(os.path.isdir(os.path.join(path, "apsw")) for path in sys.path):
            import site

            site.main()
        from cogmem.hosts.hooks import serve

        serve(words)
    except BaseException:  # a host must never see a fault of its memory; serve() has logged its own
        os._exit(0)


def named(words: list[str]) -> list[str]:
    """Takes `--packages FOLDER` off the command line: where apsw is, if not beside cogmem."""
    if "--packages" not in words[:-1]:
        return []
    at = words.index("--packages")
    folder = words[at + 1]
    del words[at : at + 2]
    return [folder]


if __name__ == "__main__":
    main()
