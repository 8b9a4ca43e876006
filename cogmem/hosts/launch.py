"""The process of a hook, until it has its modules: hook.py runs this before it loads anything of ours.

Python started with `-I -S` reads neither its site-packages nor the user's environment, which saves a
third of the time. What is needed is found beside this package, or else in the usual way.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any


def serve(words: list[str], package: str) -> None:
    """Serve the event that these words name, and end the process."""
    gc.disable()  # this process ends before there is anything worth collecting
    # Run as a file, Python may look for modules among ours first; `-I` looks nowhere near.
    sys.path[:] = [path for path in sys.path if path != package]
    beside = os.path.dirname(package)
    for packages in (*named(words), beside):
        if packages not in sys.path:
            sys.path.append(packages)
    if sys.version_info < (3, 12):
        sys.modules.setdefault("datetime", Datetime("datetime"))
    if os.name == "posix" and not sys.flags.optimize:
        sys.meta_path.insert(0, Compiled(beside))
    # To import it is up to cogmem.file.driver_apsw, which knows how that is quick.
    if not any(os.path.isdir(os.path.join(path, "apsw")) for path in sys.path):
        import site

        site.main()
    if words[:1] == ["resident"]:
        from cogmem.hosts.resident import stay

        stay(words)
    else:
        from cogmem.hosts.hooks import serve as answer

        answer(words)


def named(words: list[str]) -> list[str]:
    """Takes `--packages FOLDER` off the command line: where apsw is, if not beside cogmem."""
    if "--packages" not in words[:-1]:
        return []
    at = words.index("--packages")
    folder = words[at + 1]
    del words[at : at + 2]
    return [folder]


class Compiled:
    """Finds our modules as Python has left them compiled, with four calls to the system for each.

    The usual way also looks into each folder and at its time, which with forty modules takes more than a
    millisecond. A module that was changed since, or never compiled, is left to the usual way.
    """

    def __init__(self, packages: str) -> None:
        from _frozen_importlib_external import MAGIC_NUMBER

        self.packages = packages
        self.head = MAGIC_NUMBER + bytes(4)  # compiled from a source of that time and size
        self.ending = f"{sys.implementation.cache_tag}.pyc"
        self.spec: Any = type(sys.__spec__)
        self.code: dict[str, bytes] = {}

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """Return where a module is; None: somebody else has to find it."""
        if name.partition(".")[0] != "cogmem":
            return None
        place = f"{self.packages}/{name.replace('.', '/')}"
        try:
            try:
                source, is_package = f"{place}.py", False
                status = os.stat(source)
            except FileNotFoundError:
                source, is_package = f"{place}/__init__.py", True
                status = os.stat(source)
            folder, _, file = source.rpartition("/")
            compiled = f"{folder}/__pycache__/{file[:-2]}{self.ending}"
            code = contents(compiled)
        except OSError:
            return None
        made_of = (int(status.st_mtime), status.st_size)
        if code[:16] != self.head + b"".join(
            (number & 0xFFFFFFFF).to_bytes(4, "little") for number in made_of
        ):
            return None
        self.code[name] = code
        spec = self.spec(name, self, origin=source, is_package=is_package)
        spec.has_location, spec.cached = True, compiled
        if is_package:
            spec.submodule_search_locations.append(folder)
        return spec

    def create_module(self, _spec: ModuleSpec) -> None:
        """Make an ordinary module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run what was read when the module was found."""
        exec(marshal.loads(memoryview(self.code.pop(module.__name__))[16:]), module.__dict__)


def contents(path: str) -> bytes:
    """Return a whole file; `open` would ask the system three times as much."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        found = piece = os.read(handle, 65_536)
        while len(piece) == 65_536:
            piece = os.read(handle, 65_536)
            found += piece
        return found
    finally:
        os.close(handle)


class Datetime(type(sys)):  # type: ignore[misc]
    """The module datetime, as C has it, for who asks it for something; few turns do.

    It is whole. Before Python 3.12 the module in Python is read first and then replaced altogether.
    """

    def __getattr__(self, name: str) -> Any:
        import _datetime  # type: ignore[import-not-found,unused-ignore]

        return getattr(_datetime, name)
