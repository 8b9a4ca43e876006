"""What was learned on branches that were not merged: whether git says by now that they were.

A branch is merged if every commit of its own is in what others start from: by name, by the change that it makes (a
rebase), or all of them as one change (a squash). Where git's logs do not say where a branch began, it is not
merged.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256

from cogmem.errors import GitProblem
from cogmem.records import Record
from cogmem.repository import git
from cogmem.repository.head import BRANCH, TRUNKS
from cogmem.scope import first_line
from cogmem.text.lines import content_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.repository.head import Tree
    from cogmem.space import Space

MOST = 2_000  # commits of a trunk that are compared with a branch's whole change
AS_PATCH = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "-p")
_MOVED = re.compile(r"([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*\tcheckout: moving from (\S+) to (\S+)")
_PLACE = re.compile(r"^(?:index [0-9a-f.]+(?: \d+)?|@@ -\S+ \+\S+ @@.*)$", re.MULTILINE)


class Branch(Record):
    """A branch with memories that wait for its merge: open, merged (they hold now) or gone (they wait in review)."""

    name: str
    standing: str
    uids: list[str]


def settled(space: Space, tree: Tree, project: str, now: int) -> list[Branch]:
    """Let what was learned on branches hold where they were merged, and wait in review where they went unmerged."""
    staged: dict[str, list[str]] = {}
    for uid, session in space.db.read("repository.staged", {"project": project}):
        staged.setdefault(session.removeprefix(BRANCH), []).append(uid)
    if not staged:
        return []
    trunks = _trunks(tree)
    found = []
    for name, uids in staged.items():
        standing = _standing(tree, name, trunks) if trunks else "open"
        if standing != "open":
            for uid in uids:
                _let_out(space, uid, name, standing, now)
        found.append(Branch(name, standing, uids))
    return found


def _let_out(space: Space, uid: str, name: str, standing: str, now: int) -> None:
    """Take a memory from its branch to the project; of what the project calls or says the same, one stays."""
    store, db = space.store, space.db
    everywhere = space.scope.replacing(everywhere=True)
    reason = f"branch {name} was merged" if standing == "merged" else f"branch {name} went unmerged"
    by: dict[str, Any] = {"now": now, "verb": "branch"}
    with db.together():
        row = store.get(uid, everywhere, now)
        if row.session != f"{BRANCH}{name}" or row.state == "archived":
            return  # another process let it out, or a person took it away, while this one asked git
        place = {name: getattr(row, name) for name in ("runtime", "user", "project")}
        place["session"] = ""
        named = db.read("store.owned_key", {"key": row.key, "layer": row.layer, **place})
        kind = {"layer": row.layer, "kind": row.kind, "path_glob": row.path_glob}
        same = {"content_hash": content_hash(row.content), **kind, **place}
        if standing == "merged":
            for held, *_ in named:
                older = store.get(held, everywhere, now)
                store.set_state(older, "archived", reason="superseded", **by)
        else:
            if named:  # the name is the project's
                unnamed = db.restore_row("memory", "uid", uid, {"key": ""}, present=True)
                db.write([unnamed], verb="branch", at=now, reason=reason)
            store.set_state(row, "candidate", reason=reason, **by)
        if any(one[1] != "archived" for one in db.read("store.owned_text", same)):
            store.set_state(row, "archived", reason=reason, **by)
            return
        move = ("store.move", {"uid": uid, **place, "now": now})
        db.write([move], verb="branch", at=now, reason=reason)


# -- asking git ------------------------------------------------------------------------------------


def _trunks(tree: Tree) -> list[str]:
    names = dict.fromkeys((tree.origin_head(), *TRUNKS))
    places = [f"refs/{place}" for place in ("heads", "remotes/origin")]
    refs = [f"{place}/{name}" for name in names if name for place in places]
    return git.lines(tree.root, "for-each-ref", "--format=%(refname)", *refs)


def _standing(tree: Tree, name: str, trunks: list[str]) -> str:
    refs = [f"refs/heads/{name}", f"refs/remotes/origin/{name}"]
    there = git.lines(tree.root, "for-each-ref", "--format=%(objectname)", *refs)
    began, ended = _logged(tree, name)
    tip = there[0] if there else ended
    try:
        is_merged = "" != began != tip != "" and _is_in(tree.root, tip, trunks)
    except GitProblem:  # its commits are gone as well
        is_merged = False
    return "merged" if is_merged else "open" if there else "gone"


def _logged(tree: Tree, name: str) -> tuple[str, str]:
    """Return the commits that a branch began and ended with, as its own log says, or HEAD moved to and from it."""
    made = first_line(os.path.join(tree.common, "logs", "refs", "heads", *name.split("/")))
    began, ended = made.split(" ")[1] if made.count(" ") > 1 else "", ""
    others = os.path.join(tree.common, "worktrees")
    trees = os.listdir(others) if os.path.isdir(others) else []
    folders = [tree.common, tree.git, *(os.path.join(others, one) for one in trees)]
    for folder in dict.fromkeys(folders):
        log = os.path.join(folder, "logs", "HEAD")
        try:
            with open(log, encoding="utf-8", errors="replace") as file:
                moves = [found for line in file if (found := _MOVED.match(line))]
        except OSError:
            continue
        began = began or next((one[2] for one in moves if one[4] == name), "")
        ended = next((one[1] for one in reversed(moves) if one[3] == name), ended)
    return began, ended


def _is_in(root: str, tip: str, trunks: list[str]) -> bool:
    for trunk in trunks:
        if not git.lines(root, "rev-list", "--max-count=1", tip, "--not", trunk):
            return True
        base = git.lines(root, "merge-base", trunk, tip)
        change = base and git.lines(root, "diff", *AS_PATCH, base[0], tip)
        if not change:  # what does nothing looks like all that does nothing
            continue
        asked = ("rev-list", "--cherry-pick", "--right-only", "--no-merges", "--max-count=1")
        if not git.lines(root, *asked, f"{trunk}...{tip}"):
            return True
        told = ("log", "--no-merges", f"--max-count={MOST}", "--format=%x00", "-z", *AS_PATCH)
        squashed = _change("\n".join(change))  # all that the branch did, as one commit
        if any(_change(one) == squashed for one in git.lines(root, *told, f"{base[0]}..{trunk}")):
            return True
    return False


def _change(diff: str) -> str:
    """Return a change by what it does, wherever in its files, as a patch-id has it."""
    return sha256("".join(_PLACE.sub("", diff).split()).encode()).hexdigest()
