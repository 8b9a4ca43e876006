"""Who sees a memory, and where: scopes, project identity and path globs.

A scope has four columns (runtime, user, project, session); an empty one means everyone. The rule
itself is one SQL predicate, `visible`; this module only fills its parameters. A path glob adds
the files a memory is about. What was learned on a branch that is not merged has the branch in the place of
a session: who works on that branch sees it, in whatever worktree.

A project is what git says it is: its remote when there is one, else its common directory, so that
worktrees and fresh clones share memories. A file `.cogmem` (or `.cogmem/project`, where a team shares
memories in that folder) that holds a name wins over git.
"""

from __future__ import annotations

import os

from cogmem.errors import InvalidInput
from cogmem.text.lines import sha256, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypedDict

    class Hearer(TypedDict, total=False):
        """For whom a call is, where it is not whom the memory was opened for; "" means everyone."""

        user: str | None
        project: str | None
        runtime: str | None

    class Owner(Hearer, total=False):
        """The same, and for which session."""

        session: str | None


class Scope:
    """A viewer or an owner. `everywhere` sees all rows: for administration, never for a prompt."""

    __slots__ = ("branch", "everywhere", "own", "project", "runtime", "session", "shared", "user")

    def __init__(
        self,
        runtime: str = "",
        user: str = "",
        project: str = "",
        session: str = "",
        *,
        own: bool = True,
        shared: bool = True,
        everywhere: bool = False,
        branch: str = "",
    ) -> None:
        self.branch = branch  # as the session column has it; "" where what is learned holds for all
        self.runtime = storable(runtime, "the runtime")
        self.user = storable(user, "the user")
        self.project = storable(project, "the project")
        self.session = storable(session, "the session")
        self.own = own
        self.shared = shared
        self.everywhere = everywhere

    def replacing(self, **changes: Any) -> Scope:
        """Return the same scope with some parts changed; a part given as None stays as it is."""
        given = {name: value for name, value in changes.items() if value is not None}
        if not given:
            return self
        if given.get("project", self.project) != self.project:
            given.setdefault("branch", "")  # of another repository
        return Scope(**(self.parts() | given))

    def owned(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        session: str | None = None,
        runtime: str | None = None,
        **unknown: object,
    ) -> Scope:
        """Return the same scope for whom a call names."""
        if unknown:
            raise TypeError(
                f"{', '.join(sorted(unknown))}: no call takes this; whom it is for is said by user, project, "
                "session and runtime"
            )
        return self.replacing(user=user, project=project, session=session, runtime=runtime)

    def parts(self) -> dict[str, Any]:
        """Return all that makes it, to be kept and made anew from."""
        return {name: getattr(self, name) for name in self.__slots__}

    def owner(self) -> dict[str, Any]:
        """Return the four columns of a row that belongs to this scope."""
        return {**self.place(), "session": self.session}

    def place(self) -> dict[str, Any]:
        """Return the three columns of a row that no session owns, such as a conversation."""
        return {"runtime": self.runtime, "user": self.user, "project": self.project}

    def viewer(self) -> dict[str, Any]:
        """Return the parameters of the predicate `visible`."""
        return {
            **self.owner(),
            "own": int(self.own),
            "shared": int(self.shared),
            "everywhere": int(self.everywhere),
            "branch": self.branch,
        }

    def hearer(self) -> dict[str, Any]:
        """Return the parameters of the predicate `heard`: a conversation has no session column."""
        params = self.viewer()
        del params["session"], params["branch"]
        return params

    def __repr__(self) -> str:
        return f"Scope({', '.join(f'{name}={value!r}' for name, value in self.owner().items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scope) and self.viewer() == other.viewer()

    def __hash__(self) -> int:
        return hash(tuple(self.viewer().values()))


class Project:
    """A project's identity: an id for the scope column, and what a person knows it by."""

    __slots__ = ("id", "label", "remote", "root")

    def __init__(
        self, identity: str, label: str, root: str, remote: str = "", *, id: str | None = None
    ) -> None:
        told = identity.encode("utf-8", "surrogateescape")
        self.id = sha256(told).hexdigest()[:16] if id is None else id
        self.label = label
        self.root = root
        self.remote = remote


def project_of(folder: str, *, home: str | None = None) -> Project:
    """Return the project that a folder belongs to; the home directory and the root are refused."""
    start = os.path.realpath(os.path.expanduser(folder))
    if not os.path.isdir(start):
        raise InvalidInput(
            f"{folder} is not a folder: name the project's folder, or its 16-digit id"
        )
    house = os.path.realpath(home if home is not None else os.path.expanduser("~"))
    place = start
    while True:
        for marker in (os.path.join(place, ".cogmem"), os.path.join(place, ".cogmem", "project")):
            name = first_line(marker) if os.path.isfile(marker) else ""
            if name:
                return Project(f"name:{name}", name, place)
        # Settings kept in a repository at home do not make one project of all that lies below.
        if place != house and os.path.exists(os.path.join(place, ".git")):
            return _git_project(place)
        parent = os.path.dirname(place)
        if parent == place or place == house:
            break
        place = parent
    if start in (house, os.path.dirname(start)):
        raise InvalidInput(
            f"{folder} is a home or root folder, not a project: go into the project's folder, "
            "or put a file .cogmem with a name there"
        )
    return Project(f"path:{start}", os.path.basename(start), start)


def project_at(folder: str) -> str:
    """Return the id of the project that a folder belongs to; "" in a home folder and where there is none."""
    try:
        return project_of(folder).id
    except InvalidInput:
        return ""


def _git_project(root: str) -> Project:
    git = os.path.join(root, ".git")
    if os.path.isfile(git):  # a worktree or a submodule: the file leads to its own git directory
        line = first_line(git)
        if line.startswith("gitdir:"):
            git = os.path.realpath(os.path.join(root, line[7:].strip()))
    common = git
    shared = os.path.join(git, "commondir")
    if os.path.isfile(shared):
        common = os.path.realpath(os.path.join(git, first_line(shared)))
    remote = _remote(os.path.join(common, "config"))
    if remote:
        return Project(f"remote:{remote}", remote.rpartition("/")[2], root, remote)
    top = os.path.dirname(common) if os.path.basename(common) == ".git" else common
    return Project(f"path:{os.path.realpath(common)}", os.path.basename(top), root)


def _remote(config: str) -> str:
    """Return the url of remote "origin", or of the only remote, without scheme, credentials and `.git`."""
    urls: dict[str, str] = {}
    section = ""
    try:
        with open(config, encoding="utf-8", errors="replace") as file:
            for text in map(str.strip, file):
                if text.startswith("["):
                    section = text
                elif section.startswith('[remote "') and text.partition("=")[0].strip() == "url":
                    urls.setdefault(section[9:].partition('"')[0], text.partition("=")[2].strip())
    except OSError:
        return ""
    url = urls.get("origin") or (next(iter(urls.values())) if len(urls) == 1 else "")
    if not url or url.startswith((".", "/", "file:")):
        return ""
    url = url.partition("://")[2] or url.replace(":", "/", 1)
    return url.rpartition("@")[2].removesuffix("/").removesuffix(".git").lower()


def first_line(path: str) -> str:
    """Return the first line of a small file; '' where it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""


def fits(glob: str, path: str) -> bool:
    """Tell whether a path is within a glob: exact, below a folder, or by the wildcards * ? [ ] and **."""
    pattern, name = _clean(glob), _clean(path)
    if not pattern:
        return True
    if not any(mark in pattern for mark in "*?["):
        return name == pattern or name.startswith(pattern + "/")
    if "/" not in pattern:  # `*.sql` names files wherever they lie
        pattern = f"**/{pattern}"
    # `src/*` names a folder's children; what lies below a matching folder is within it too.
    return _match_parts([*pattern.split("/"), "**"], name.split("/"))


def names_of(file: str, folder: str = "") -> list[str]:
    """Return the names by which a glob may know a file: as it was given, whole, and from the top of its
    working tree (or of `folder`), whatever links lead there. The file itself need not exist."""
    given = _clean(file)
    whole = os.path.join(os.path.expanduser(folder), given) if folder else given
    names = {given: None, os.path.normpath(given).replace("\\", "/"): None}
    if os.path.isabs(whole):
        place, name = os.path.split(os.path.normpath(whole))
        real = os.path.realpath(place)
        names[_clean(os.path.join(real, name))] = None
        top = _top(real) or (os.path.realpath(os.path.expanduser(folder)) if folder else "")
        if top and (real + os.sep).startswith(top.rstrip(os.sep) + os.sep):
            names[_clean(os.path.relpath(os.path.join(real, name), top))] = None
    return list(names)


def _top(place: str) -> str:
    """Return the top of the working tree that a folder lies in; empty if it lies in none."""
    house = os.path.realpath(os.path.expanduser("~"))
    while place != house:
        if any(os.path.exists(os.path.join(place, mark)) for mark in (".git", ".cogmem")):
            return place
        parent = os.path.dirname(place)
        if parent == place:
            break
        place = parent
    return ""


def narrowness(glob: str) -> tuple[int, int]:
    """Tell how specific a glob is: literal parts first, then literal characters; bigger is more specific."""
    parts = [part for part in _clean(glob).split("/") if part]
    literal = [part for part in parts if not any(mark in part for mark in "*?[")]
    return len(literal), sum(len(part) for part in parts) - sum(part.count("*") for part in parts)


def _clean(path: str) -> str:
    text = path.replace("\\", "/")
    while text.startswith("./"):
        text = text[2:]
    while "//" in text:
        text = text.replace("//", "/")
    return text.rstrip("/") if len(text) > 1 else text


def _match_parts(wanted: list[str], given: list[str]) -> bool:
    # Iterative, with one place to come back to per `**`, so that no glob can take exponential time.
    i = j = 0
    star, mark = -1, 0
    while j < len(given):
        if i < len(wanted) and wanted[i] == "**":
            star, mark, i = i, j, i + 1
        elif i < len(wanted) and _match_name(wanted[i], given[j]):
            i, j = i + 1, j + 1
        elif star >= 0:
            mark += 1
            i, j = star + 1, mark
        else:
            return False
    return all(part == "**" for part in wanted[i:])


def _match_name(pattern: str, name: str) -> bool:
    if not any(mark in pattern for mark in "*?["):
        return pattern == name
    from fnmatch import fnmatchcase

    return fnmatchcase(name, pattern.replace("[^", "[!"))
