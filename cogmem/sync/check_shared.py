"""What is wrong with the shared memories of a repository, said without a database: for a check of a pull request."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatch
from itertools import combinations

from cogmem.file.pristine import pristine
from cogmem.guard import guard
from cogmem.language.contradiction import difference
from cogmem.language.similarity import exact_cosine
from cogmem.sync.shared_files import FOLDER, Shared, read_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ALIKE = 0.6  # from where two texts speak of one matter, and must not say opposite things
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_LEFT_OUT = frozenset((".git", "node_modules", ".venv", "__pycache__"))


def faults(root: str) -> list[str]:
    """Sentences, each with the file that it is about; none if all is well."""
    found: list[str] = []
    shared: list[Shared] = []
    for one in read_all(root):
        if isinstance(one, str):
            found.append(one)
        else:
            shared.append(one)
    kinds = pristine().policy["kind"]
    for one in shared:
        name = os.path.basename(one.path)
        if (one.fields["kind"],) not in kinds:
            found.append(
                f"{name}: no kind is called {one.fields['kind']}: `cogmem setting kind list` shows them"
            )
        said = f"{one.content}\n{one.fields.get('key', '')}\n{one.fields.get('tags', '')}"
        findings = [
            f for f in guard.inspect(said) if f.kind in ("secret", "injection", "invisible")
        ]
        if findings:
            found.append(f"{name}: the guard refuses it: {guard.explain(findings)}")
    found += _twice(shared)
    found += _opposed(shared)
    found += _dead(root, shared)
    return found


def _twice(shared: list[Shared]) -> Iterator[str]:
    for what in ("uid", "key", "topic"):
        seen: dict[str, str] = {}
        for one in shared:
            value = one.fields.get(what)
            name = os.path.basename(one.path)
            if not value or (what == "topic" and one.fields.get("until")):
                continue
            if value in seen:
                yield f"{name}: its {what} {value} is that of {seen[value]} too: one of them has to go"
            seen.setdefault(value, name)


def _opposed(shared: list[Shared]) -> Iterator[str]:
    living = [one for one in shared if not one.fields.get("until")]
    for one, other in combinations(living, 2):
        if exact_cosine(one.content, other.content) >= ALIKE:
            apart = difference(one.content, other.content)
            if apart:
                names = os.path.basename(one.path), os.path.basename(other.path)
                yield f"{names[1]}: it contradicts {names[0]} ({apart}): settle which one holds"


def _dead(root: str, shared: list[Shared]) -> Iterator[str]:
    files: list[str] | None = None
    for one in shared:
        name = os.path.basename(one.path)
        glob = one.fields.get("path")
        if glob:
            files = _files(root) if files is None else files
            if not any(_fits(file, glob) for file in files):
                yield f"{name}: no file fits its path {glob}: was it moved?"
        for link in _LINK.findall(one.content):
            target = link.partition("#")[0]
            if not target or "://" in target or target.startswith("mailto:"):
                continue
            beside = os.path.join(os.path.dirname(one.path), target)
            if not os.path.exists(beside) and not os.path.exists(
                os.path.join(root, target.lstrip("/"))
            ):
                yield f"{name}: it cites {target}, which is not there"


def _files(root: str) -> list[str]:
    found = []
    for place, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        inner = os.path.relpath(place, root).replace(os.sep, "/")
        prefix = "" if inner == "." else f"{inner}/"
        found += [prefix + name for name in names if not f"{prefix}{name}".startswith(FOLDER)]
    return found


def _fits(file: str, glob: str) -> bool:
    if glob.endswith("/"):
        return file.startswith(glob)
    return (
        fnmatch(file, glob) or fnmatch(file, glob.replace("**/", "")) or file.startswith(f"{glob}/")
    )
