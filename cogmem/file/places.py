"""Where files lie when nobody says: the memory itself, and what a person keeps beside it."""

from __future__ import annotations

import os
import sys

from cogmem.errors import InvalidInput

LOST = ".begun-anew"  # ends the name of a file beside a memory that was begun where another one had been


def default_path() -> str:
    """Return where the memory lives when nobody says: COGMEM_DB, else the platform's data folder. The same folders as
    platformdirs gives, which would take longer to import than a turn takes."""
    return os.environ.get("COGMEM_DB") or os.path.join(_data_folder(), "memory.db")


def is_address(path: str) -> bool:
    """Tell whether a memory is on a cluster, and not in a file."""
    return path.startswith(("rqlite://", "rqlites://"))


def beside(path: str) -> str:
    """Return the file of a memory on this machine, beside which its log, what waits and its backups lie: of a cluster
    the copy. Whoever names the nodes of a cluster means the same copy, in whatever order and by whatever account."""
    if not is_address(path):
        return os.path.abspath(path)
    from hashlib import blake2b

    nodes = path.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2].lower()
    named = sorted(
        node if ":" in node.rpartition("]")[2] else f"{node}:4001" for node in nodes.split(",")
    )
    name = blake2b(",".join(named).encode("utf-8", "replace"), digest_size=8).hexdigest()
    return os.path.join(state_folder(), "clusters", name, "memory.db")


def given(path: object, what: str) -> str:
    """Return a path as a caller names it."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise InvalidInput(f"{what} is a path, not {type(path).__name__}")
    place = os.fsdecode(path)
    if "\0" in place:
        raise InvalidInput(f"{what} holds a NUL character, which no file system can take")
    return place


def resolved(path: str) -> str:
    """Return a path as it stays, whatever folder a process goes to: ~ and relative parts are resolved once."""
    if path == ":memory:" or "://" in path:
        return path
    return os.path.abspath(os.path.expanduser(path))


def shown(path: str) -> str:
    """Return a memory's place without the password that an address may hold, for messages."""
    scheme, parted, rest = path.partition("://")
    account, at, nodes = rest.rpartition("@")
    return f"{scheme}{parted}{account.partition(':')[0]}{at}{nodes}" if is_address(path) else path


def without_password(path: str) -> str:
    """Return a memory's place as it may stand in a file or a process list that others read; a password is refused."""
    account = path.partition("://")[2].partition("/")[0].rpartition("@")[0]
    if is_address(path) and ":" in account:
        from cogmem.errors import InvalidInput

        raise InvalidInput(
            "this would write a password where others read it: leave it out of the address, and put it into"
            " COGMEM_RQLITE_PASSWORD where the program starts that uses the memory"
        )
    return path


def relative_default() -> str:
    """Return what to tell of a COGMEM_DB that names another file in every folder; '' where it does not."""
    named = os.environ.get("COGMEM_DB", "")
    if not named or named == ":memory:" or is_address(named):
        return ""
    if os.path.isabs(os.path.expanduser(named)):
        return ""
    return f"COGMEM_DB is relative, so every folder has a memory of its own; here it is {resolved(named)}"


def default_user_dir() -> str:
    """Return where a person's own documents and saved memories lie: COGMEM_USER_DIR ('' for nowhere),
    else beside the default memory."""
    named = os.environ.get("COGMEM_USER_DIR")
    return _data_folder() if named is None else named


def _data_folder() -> str:
    return _platform_folder("LOCALAPPDATA", "Local", "XDG_DATA_HOME", ".local/share")


def state_folder() -> str:
    """Return where cogmem keeps what it can make anew, on this machine only."""
    return _platform_folder("LOCALAPPDATA", "Local", "XDG_STATE_HOME", ".local/state")


def settings_folder() -> str:
    """Return where a person's choices lie."""
    return _platform_folder("APPDATA", "Roaming", "XDG_CONFIG_HOME", ".config")


def _platform_folder(windows: str, below: str, xdg: str, otherwise: str) -> str:
    """Return our folder where the platform has such things: a variable names it, or else a place at home."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get(windows) or os.path.join(home, "AppData", below)
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    else:
        base = os.environ.get(xdg) or os.path.join(home, otherwise)
    return os.path.join(base, "cogmem")


def size_of(path: str) -> int:
    """Return how many bytes a file has; 0, if there is none."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def place_of(path: str) -> tuple[int, int] | None:
    """Return which file a name means; none, if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
