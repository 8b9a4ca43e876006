"""Citations of memories: found in their texts, given by their writers, and looked at all together.

A turn looks only into the files that are cited. `verify` also searches where cited code went: a file
that was renamed, a function that moved to another one.
"""

from __future__ import annotations

import os

from cogmem.errors import GitProblem, InvalidInput
from cogmem.records import Record, Report
from cogmem.repository import git
from cogmem.repository.head import tree_at
from cogmem.text.cited import (
    Place,
    definition,
    found_again,
    paths_in,
    symbols_in,
    told_line,
    words_defined,
)
from cogmem.turn.cited import SIZE, Citation, read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.scope import Scope
    from cogmem.space import Space

MOST = 6  # places of one memory
SEARCHED = 40  # files in which a name is looked for


class CitedPlace(Record):
    """A place in the code that a memory cites, and how it stands: holds, moved, changed or gone."""

    uid: str
    content: str
    path: str
    symbol: str
    first_line: int | None
    standing: str


class Verified(Report):
    """What became of the cited code: how many places hold, moved, changed, are gone; and the memories concerned."""

    cited: int
    holds: int
    moved: int
    changed: int
    gone: int
    rows: list[CitedPlace]


def cite(
    space: Space, uid: str, text: str, folder: str, given: Sequence[str], now: int, *, widely: bool
) -> int:
    """Note the places in the code that a memory speaks of; returns how many. `given` names them: a.py, a.py:10-20,
    a.py#name; without it the text is read. `widely`: names are looked for in files that it does not name."""
    tree = tree_at(folder)  # where paths begin
    root = tree.root if tree is not None else os.path.realpath(folder)
    found: dict[tuple[str, str, str], tuple[str, str, Place | None]] = {}
    for one in given or paths_in(text)[:MOST]:
        for path, symbol, place in _places(root, one, text, is_given=bool(given)):
            key = (path, symbol, place.hash if place else "")
            found.setdefault(key, (path, symbol, place))
    if widely and not given and not found:
        for symbol in symbols_in(text)[:3]:
            for path, place in _defining(root, symbol):
                found.setdefault((path, symbol, place.hash), (path, symbol, place))
    if given and not found:
        named = ", ".join(map(repr, given))
        raise InvalidInput(f"nothing of {named} is there below {root}: name what exists")
    steps: list[Step] = []
    for path, symbol, place in list(found.values())[:MOST]:
        stat = os.stat(os.path.join(root, path))
        row: dict[str, Any] = {"uid": uid, "root": root, "path": path, "symbol": symbol, "now": now}
        row |= {"size": stat.st_size, "time": stat.st_mtime_ns}
        where = (place.first + 1, place.count, place.hash, place.head) if place else (0, 0, "", "")
        row |= zip(("first_line", "line_count", "text_hash", "head_hash"), where, strict=True)
        steps.append(("repository.cite", row))
    if steps:
        steps.insert(0, ("repository.uncite", {"uid": uid}))
        space.db.write(steps, verb="cite", at=now)
    return max(0, len(steps) - 1)


def _places(
    root: str, name: str, text: str, *, is_given: bool
) -> Iterator[tuple[str, str, Place | None]]:
    path, _, symbol = name.partition("#")
    path, _, numbers = path.partition(":")
    path = _within(root, path)
    whole = os.path.join(root, path)
    if not path or not os.path.isfile(whole):
        return
    lines = read_lines(whole) if os.path.getsize(whole) <= SIZE else []
    if symbol:
        place = definition(lines, symbol)
        if place is None and is_given:
            raise InvalidInput(f"{path} defines no {symbol}: name what it defines")
        if place is not None:
            yield path, symbol, place
        return
    first, _, last = numbers.partition("-")
    if first.isdigit() and 0 < int(first) <= len(lines):
        end = int(last) if last.isdigit() else int(first)
        yield path, "", Place(lines, int(first) - 1, max(int(first), end))
        return
    prose = text.replace(name, " ")
    some = False
    for one in symbols_in(prose) or words_defined(lines, prose):
        place = definition(lines, one)
        if place is not None:
            some = True
            yield path, one, place
    if not some:
        yield path, "", told_line(lines, prose)


def _within(root: str, path: str) -> str:
    whole = os.path.realpath(os.path.join(root, os.path.expanduser(path)))
    inside = os.path.relpath(whole, root).replace(os.sep, "/")
    return "" if inside.startswith("../") or inside == ".." else inside


def _defining(root: str, symbol: str) -> list[tuple[str, Place]]:
    """Return the one place in the tree that defines a name; none where there are several."""
    try:
        files = _naming(root, symbol)
    except GitProblem:
        return []
    found = []
    for path in files[:SEARCHED]:
        place = definition(read_lines(os.path.join(root, path)), symbol)
        if place is not None:
            found.append((path, place))
    return found if len(found) == 1 else []


def _naming(root: str, symbol: str) -> list[str]:
    last = symbol.removesuffix("()").replace("::", ".").rpartition(".")[2]
    return git.lines(root, "grep", "-z", "-lIwF", "--untracked", "-e", last)


def verify(space: Space, scope: Scope, now: int) -> Verified:
    """Look at all cited code in sight, and search for what is not where it was."""
    result = Verified()
    steps: list[Step] = []
    rows = space.db.read("repository.citations", scope.viewer())
    for *row, content in rows:
        one = Citation(row)
        before = (one.path, one.first_line)
        step = one.look(now)
        if one.standing == "gone":
            moved = _elsewhere(one) if os.path.isdir(one.root) else None
            if moved is not None:
                steps.append(("repository.moved", _moved(one, moved, now)))
                step = None
        if step is not None:
            steps.append(step)
        result.cited += 1
        if one.standing == "holds" and (one.path, one.first_line) != before:
            result.moved += 1
        else:
            setattr(result, one.standing, getattr(result, one.standing) + 1)
        result.rows.append(
            CitedPlace(one.uid, content, one.path, one.symbol, one.first_line, one.standing)
        )
    if rows:
        steps.append(("repository.checked", {**scope.viewer(), "now": now}))
        space.db.write(steps, verb="verify", at=now)
    return result


def _moved(one: Citation, moved: tuple[str, Place, bool], now: int) -> dict[str, Any]:
    """Return the row of a citation that follows its code; `one` is what it becomes."""
    path, place, is_same = moved
    row = {"was": one.path, "memory_id": one.memory_id, "root": one.root, "symbol": one.symbol}
    stat = os.stat(os.path.join(one.root, path))
    one.path, one.first_line = path, place.first + 1
    one.standing = "holds" if is_same else "changed"
    row |= {"path": path, "first_line": one.first_line, "standing": one.standing, "now": now}
    return {**row, "text_hash": one.text_hash, "size": stat.st_size, "time": stat.st_mtime_ns}


def _elsewhere(one: Citation) -> tuple[str, Place, bool] | None:
    """Return where cited code went: the same text in another file, or a place that now defines its name."""
    try:
        renamed = _renamed(one) if one.size < 0 else []
        if one.symbol:
            files = _naming(one.root, one.symbol)
        else:
            words = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
            named = f"/{one.path.rpartition('/')[2]}"
            files = [path for path in git.lines(one.root, *words) if f"/{path}".endswith(named)]
    except GitProblem:
        return None
    defined = []
    for path in [*renamed, *files][:SEARCHED]:
        whole = os.path.join(one.root, path)
        if path == one.path or not os.path.isfile(whole) or os.path.getsize(whole) > SIZE:
            continue
        lines = read_lines(whole)
        if not one.text_hash:
            return path, Place(lines, 0, 0), True
        if one.symbol:
            place = definition(lines, one.symbol)
            if place is not None and place.hash == one.text_hash:
                return path, place, True
            if place is not None:
                defined.append((path, place, False))
        else:
            at = found_again(lines, one.count, one.text_hash, one.head_hash, one.first_line - 1)
            if at >= 0 or path in renamed:
                return path, Place(lines, max(at, 0), at + 1), at >= 0
    # Where several have the name now, nobody can say which is meant: that it changed is true of each.
    return defined[0] if defined else None


def _renamed(one: Citation) -> list[str]:
    asked = ("log", "-z", "--max-count=1", "--diff-filter=D", "--format=%H", "--", one.path)
    found = git.lines(one.root, *asked)
    if not found:
        return []
    changes = ("diff-tree", "-z", "-r", "-M", "--diff-filter=R", "--name-status")
    names = git.lines(one.root, *changes, found[0].strip())
    return [names[at + 1] for at, name in enumerate(names[:-1]) if name == one.path]
