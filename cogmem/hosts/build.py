"""Makes the small program that a host runs for its hooks, where the machine has a compiler.

Its source, `caller.c`, comes with the package. The program lies in the state folder under a name made of
that source, so that another version is another file and what a host's configuration names stays. Without a
compiler the hooks start Python, as they do on Windows.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile

from cogmem.file.places import state_folder
from cogmem.hosts import caller

NAME = "caller-"
SECONDS = 30
# A static one starts in half the time; not every system has what that takes.
FLAGS = (["-O2", "-static"], ["-O2"])


def program(*, dry_run: bool = False) -> str:
    """Return the program, made if it is not there yet; '' where it cannot be made."""
    compiler = shutil.which("cc")
    if not caller.is_possible():
        return ""
    source = os.path.join(os.path.dirname(__file__), "caller.c")
    with open(source, "rb") as file:
        name = hashlib.sha256(file.read()).hexdigest()[:12]
    made = os.path.join(state_folder(), f"{NAME}{name}")
    if os.access(made, os.X_OK) or (dry_run and compiler):
        return made
    return made if compiler and _make(compiler, source, made) else ""


def _make(compiler: str, source: str, made: str) -> bool:
    """Compile it beside its place, try it, and move it there."""
    folder = os.path.dirname(made)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=folder, prefix=".caller-")
        os.close(handle)
    except OSError:
        return False
    try:
        for flags in FLAGS:
            words = [compiler, *flags, "-o", draft, source]
            done = subprocess.run(words, capture_output=True, timeout=SECONDS, check=False)
            if done.returncode == 0 and _works(draft):
                os.chmod(draft, 0o700)
                os.replace(draft, made)
                return True
        return False
    except (OSError, subprocess.TimeoutExpired):
        return False
    finally:
        if os.path.exists(draft):
            os.unlink(draft)


def _works(draft: str) -> bool:
    """Tell whether it runs the words that it is given, with their input."""
    cat = shutil.which("cat") or "/bin/cat"
    done = subprocess.run(
        [draft, "5", cat], input=b"here", capture_output=True, timeout=5, check=False
    )
    return (done.returncode, done.stdout) == (0, b"here")
