"""Where a working tree stands, read from its files: no process is started for it.

A linked worktree and a submodule have a file `.git` that leads to their own git directory; the refs of
a worktree stand in the directory that it shares with the others.
"""

from __future__ import annotations

import os

from cogmem.scope import first_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.file.db import Database


BRANCH = "branch "  # before its name, where a session would stand in the scope of a memory
# What others start from: what is learned there is staged for nobody. Whatever `origin/HEAD` names is one, too.
TRUNKS = ("main", "master", "trunk", "default", "develop", "development", "dev")


class Tree:
    """A working tree and its git directories."""

    __slots__ = ("common", "git", "root")

    def __init__(self, root: str, git: str, common: str) -> None:
        self.root = root
        self.git = git  # its own: HEAD stands there
        self.common = common  # what worktrees share: refs, objects

    def head(self) -> str:
        """Return the commit that is checked out, as 40 or 64 hex digits; '' before the first one."""
        said = first_line(os.path.join(self.git, "HEAD"))
        for _ in range(5):  # a ref may lead to a ref
            if not said.startswith("ref:"):
                is_hash = len(said) in (40, 64) and not said.strip("0123456789abcdef")
                return said if is_hash else ""
            name = said[4:].strip()
            said = self._ref(name)
        return ""

    def _ref(self, name: str) -> str:
        for place in dict.fromkeys((self.git, self.common)):
            said = first_line(os.path.join(place, *name.split("/")))
            if said:
                return said
        try:
            with open(os.path.join(self.common, "packed-refs"), encoding="utf-8") as file:
                for line in file:
                    found, _, ref = line.rstrip("\n").partition(" ")
                    if ref == name:
                        return found
        except (OSError, ValueError):
            pass
        return ""

    def branch(self) -> str:
        """Return the branch that is checked out or being rebased; '' where there is none, or it is a trunk."""
        said = first_line(os.path.join(self.git, "HEAD"))
        if not said.startswith("ref:"):
            steps = ("rebase-merge", "rebase-apply")
            told = [first_line(os.path.join(self.git, step, "head-name")) for step in steps]
            said = next((f"ref: {one}" for one in told if one), "")
        name = said[4:].strip().removeprefix("refs/heads/")
        return "" if not name or name in TRUNKS or name == self.origin_head() else name

    def origin_head(self) -> str:
        """Return the branch of `origin` that a clone starts from; '' where that is not known."""
        said = first_line(os.path.join(self.common, "refs", "remotes", "origin", "HEAD"))
        return said[4:].strip().removeprefix("refs/remotes/origin/") if said[:4] == "ref:" else ""


def tree_at(folder: str) -> Tree | None:
    """Return the working tree that a folder lies in; None where there is none."""
    place = os.path.realpath(folder)
    while True:
        git = os.path.join(place, ".git")
        if os.path.isdir(git):
            return Tree(place, git, git)
        said = first_line(git) if os.path.isfile(git) else ""
        if said.startswith("gitdir:"):
            own = os.path.realpath(os.path.join(place, said[7:].strip()))
            shared = first_line(os.path.join(own, "commondir"))
            return Tree(place, own, os.path.realpath(os.path.join(own, shared)) if shared else own)
        parent = os.path.dirname(place)
        if parent == place:
            return None
        place = parent


def branch_at(folder: str) -> str:
    """Return the branch that a folder is on, as the scope of a memory has it; '' on a trunk and outside of git."""
    tree = tree_at(folder)
    name = "" if tree is None else tree.branch()
    return BRANCH + name if name else ""


def behind(db: Database, project: str, folder: str) -> str:
    """Return what of a folder's repository is to be looked at: its 'history', since it was read once and stands at
    another commit now; or its 'code', which memories cite, since commits came or went after all of it was verified,
    and its 'branches', on which something waits for their merge."""
    tree = tree_at(folder)
    if tree is None:
        return ""
    followed = db.read("repository.followed", {"project": project, "root": tree.root})
    if followed and followed[0][0] != tree.head():
        return "history"  # reading it looks at the code and the branches as well
    what = ["branches"] if db.read("repository.staged", {"project": project}) else []
    (checked_at,) = db.read("repository.checked_at", {"root": tree.root})[0]
    if checked_at is not None:
        try:
            moved = os.stat(os.path.join(tree.git, "logs", "HEAD")).st_mtime_ns
        except OSError:
            moved = 0
        if moved // 1_000_000 > checked_at:
            what.append("code")
    return " ".join(what)
