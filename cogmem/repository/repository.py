"""The repository of a project as memories: `mem.repository`.

Reading it is the work of `reading`; what memories cite of the code is in `citations`.
"""

from __future__ import annotations

import os

from cogmem.errors import GitProblem
from cogmem.records import Record, most_rows
from cogmem.repository.head import tree_at
from cogmem.repository.reading import RepositoryRead, Work
from cogmem.scope import project_of
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cogmem.repository.branches import Branch
    from cogmem.repository.citations import Verified
    from cogmem.repository.reading import LearnMany
    from cogmem.space import Instant, Space


class StoryLine(Record):
    """One thing that is known of a file: a commit, a reason, a rule or a place that a memory cites."""

    happened_at: datetime
    kind: str
    content: str
    weight: float
    state: str
    is_amended: int
    uid: str


class Repository(Area):
    """The history of the code at hand."""

    __slots__ = ("_learn_many",)

    def __init__(self, space: Space, learn_many: LearnMany) -> None:
        super().__init__(space)
        self._learn_many = learn_many

    def read(
        self,
        folder: str,
        *,
        progress: Callable[[int], None] | None = None,
        now: Instant = None,
    ) -> RepositoryRead:
        """Read what is new in the repository that a folder lies in, the first time all of it.

        folder: a folder of its working tree
        progress: called with how many commits are read

        >>> mem.repository.read(".").notes
        ['. lies in no git repository: there is no history to read']
        """
        tree = tree_at(folder)
        if tree is None:
            result = RepositoryRead(folder, "", "")
            result.notes.append(f"{folder} lies in no git repository: there is no history to read")
            return result.closed()
        project = project_of(tree.root)
        at = self.space.instant(now)
        result = RepositoryRead(tree.root, project.id, tree.head())
        if os.path.exists(os.path.join(tree.common, "shallow")):
            result.notes.append(
                "the clone is shallow, so its oldest commits are missing: `git fetch --unshallow` brings them"
            )
        if not result.head:
            result.notes.append("it has no commit yet, so there is no history to read")
            return result.closed()
        work = Work(self.space, self._learn_many, tree, result, at, progress)
        try:
            work.run()
        except GitProblem as problem:  # what was read until then stays
            result.notes.append(str(problem))
        return result.closed()

    def cite(self, name: str, *places: str, folder: str = "", now: Instant = None) -> int:
        """Note where a memory speaks of code; returns how many places it cites now.

        name: its uid or key
        places: `a.py`, `a.py:10-20` or `a.py#name`; without any, as its text has it
        folder: the root of the code; default: the current folder

        >>> mem.repository.cite("staging", "tokens.txt")
        1
        """
        from cogmem.repository.citations import cite

        at = self.space.instant(now)
        row = self.space.get(name, now=at)
        place = folder or os.getcwd()
        return cite(self.space, row.uid, row.content, place, places, at, widely=True)

    def verify(self, *, everywhere: bool = False, now: Instant = None) -> Verified:
        """Look at all code that memories in sight cite, and follow what moved.

        >>> mem.repository.verify().cited
        0
        """
        from cogmem.repository.citations import verify

        found = verify(self.space, self.space.looking(everywhere), self.space.instant(now))
        return found.closed()

    def branches(self, folder: str, *, now: Instant = None) -> list[Branch]:
        """Branches with memories that wait for their merge; those that were merged hold from now on for the project.

        What was learned on a branch that is gone unmerged waits in review.

        folder: a folder of the working tree

        >>> mem.repository.branches(".")
        []
        """
        from cogmem.repository.branches import settled

        tree = tree_at(folder)
        if tree is None:
            return []
        return settled(self.space, tree, project_of(tree.root).id, self.space.instant(now))

    def story(self, path: str, *, limit: int = 50) -> list[StoryLine]:
        """Return what is known of one file, the newest first: commits, reasons, rules by path, and what cites it.

        path: the file, from the root of the repository

        >>> mem.repository.story("README.md")
        []
        """
        asked = {**self.space.scope.viewer(), "path": path, "limit": most_rows(limit)}
        return [StoryLine(**row) for row in self.space.db.rows("repository.story", asked)]
