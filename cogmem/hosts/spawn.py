"""Processes of their own, for what takes longer than a host should wait for its hook. Nobody waits for them."""

from __future__ import annotations

import os
import sys

from cogmem.file.places import beside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.memory import Memory


def open_file(place: str) -> None:
    """Have a process without a time limit open the file. After an upgrade that rebuilds the search
    index of a large one, no hook would ever live to see the end of it."""
    if can_spawn() and os.path.exists(beside(place)):
        _call(place, "file", "stats")


# The C library gives back what is not needed any more: a process that stays writes little and rarely.
SMALL = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "65536"}


def fold(place: str) -> bool:
    """Have a process write down what waits beside the file, if anything does; returns whether nobody else must."""
    folder, base = os.path.split(beside(place))
    if not os.path.isdir(folder) or not any(
        name.startswith(f"{base}.spool") for name in os.listdir(folder)
    ):
        return True
    if not can_spawn():
        return False
    from cogmem.hosts.command import command

    spawn(command("fold", "hook", place), place)
    return True


def follow(mem: Memory, folder: str) -> None:
    """Have a process read the new commits of a repository that was read before, or look for cited code
    that they may have moved and branches that they may have merged."""
    if not folder or not can_spawn():
        return
    what = mem.behind(folder)
    if what == "history":
        _call(mem.place, "git", folder)
    if "code" in what:
        _call(mem.place, "git", "verify", "--everywhere")
    if "branches" in what:
        _call(mem.place, "git", "branches", folder)


def note(place: str) -> None:
    """Have a process ask the model for what waits for one; what fails, the night tries again."""
    if can_spawn():
        _call(place, "model", "work")


def stay(place: str) -> None:
    """Have a process stay that answers the next events; one that is there already makes it end."""
    from cogmem.hosts import caller
    from cogmem.hosts.command import command

    if caller.is_possible():
        spawn(command("resident", "hook", place), place)


def _call(place: str, *words: str) -> None:
    """Have a process of its own do what a command does."""
    spawn([sys.executable, "-X", "utf8", "-P", "-m", "cogmem", "--db", place, *words], place)


def can_spawn() -> bool:
    """Tell whether a process can be started that outlives this one."""
    return hasattr(os, "posix_spawn")


def spawn(words: list[str], place: str) -> None:
    """Start a process that nobody waits for."""
    silent = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in range(3)]
    try:
        os.posix_spawn(
            sys.executable, words, {**os.environ, **SMALL}, file_actions=silent, setsid=True
        )
    except (OSError, NotImplementedError) as error:
        from cogmem.hosts.faults import log

        log(place, "aside", error)
