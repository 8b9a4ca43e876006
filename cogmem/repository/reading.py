"""One reading of a repository: what its commits and files say becomes memories.

Each commit becomes an episode, what it, a decision record, a changelog or a comment says about why becomes a fact.
All have uids made from their names in the repository, so reading again adds what is new; what a rebase left without
a branch goes, and comes back with it. A reason that a later commit takes the place of is closed.
"""

from __future__ import annotations

import json
import os

from cogmem.records import Draft, Report, json_list, new_uid
from cogmem.repository import git, reasons
from cogmem.repository.reasons import Reason, successions
from cogmem.scope import Scope
from cogmem.store.policy import number
from cogmem.text.lines import day, named_uid
from cogmem.turn.cited import COMMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Protocol

    from cogmem.file.db import Step
    from cogmem.repository.git import Commit
    from cogmem.repository.head import Tree
    from cogmem.space import Space

    class LearnMany(Protocol):
        def __call__(
            self,
            named: Iterable[tuple[str, int, Draft]],
            now: int,
            act: str,
            progress: Callable[[int], None] | None,
        ) -> Any: ...


GONE = "gone from the repository"
AMENDED = "superseded"
BODY = 1_500  # characters of a message by which its commit is found
NAMES = 8  # of the files of a commit, by which it is found
SWEEPING = 30  # files; a commit that touches more tells little about each
MOST_PATHS = 100  # of one commit that are noted; one that changes more is noted with as many
FILE_SIZE = 2 << 20  # bytes; a longer file is not read for reasons
ENTRIES = 400  # of one changelog, the newest


class RepositoryRead(Report):
    """What reading a repository did, and what to say about it."""

    root: str
    project: str
    head: str
    act: str
    added: int
    commits: int
    reasons: int
    known: int
    dropped: int
    returned: int
    amended: int
    refused: int
    notes: list[str]


class Work:
    """One reading under way."""

    def __init__(
        self,
        space: Space,
        learn_many: LearnMany,
        tree: Tree,
        result: RepositoryRead,
        now: int,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.space = space
        self.learn_many = learn_many
        self.tree = tree
        self.result = result
        self.now = now
        self.progress = progress
        self.settings = self.space.store.settings()
        self.phrases = reasons.Phrases(self.settings["reason_phrases"])
        self.minor = reasons.Phrases(self.settings["minor_phrases"])
        self.bots = self.settings["git_bots"].lower().split()
        self.owner = Scope(project=result.project)
        self.reverts: list[tuple[str, str]] = []  # commit that reverts, prefix of the other
        self.added: list[str] = []
        self.act = new_uid("act")  # one for all that is read, so that one undo takes it back

    def run(self) -> None:
        place = {"project": self.result.project, "root": self.tree.root}
        row = self.space.db.read("repository.read_up_to", place)
        read, docs = row[0] if row else ("", "")
        head = self.result.head
        held = {one[0]: one[1:] for one in self.space.db.read("repository.held", place)}
        if read and not git.knows(self.tree.root, read):
            read = ""  # it was thrown away since: all is compared
        if read != head or not read:
            since = [head, f"^{read}"] if read else [head]
            self._take(self._commits(since, held))
            self._drop(read, held)
        changed: list[str] | None = None
        if docs and docs != head and git.knows(self.tree.root, docs):
            asked = ("diff", "-z", "--name-only", "--no-renames", docs, head)
            changed = git.lines(self.tree.root, *asked)
        self._files(held, changed)
        self._amend()
        done = ("repository.note", {**place, "head": head, "docs": head, "now": self.now})
        self._write([done])

    def _take(self, named: Iterable[tuple[str, int, Draft]]) -> None:
        taken = self.learn_many(named, self.now, self.act, self.progress)
        self.result.act = self.act if taken.added else self.result.act
        self.result.known += taken.known
        self.result.refused += len(taken.refused)
        self.result.added += len(taken.added)
        self.added += taken.added

    # -- commits ---------------------------------------------------------------------------------

    def _commits(
        self, revisions: list[str], held: dict[str, Any]
    ) -> Iterator[tuple[str, int, Draft]]:
        most = int(number(self.settings, "git_commits"))
        for commit in git.commits(self.tree.root, *revisions, most=most):
            who = f"{commit.author} {commit.email}".lower()
            if any(bot in who for bot in self.bots) or not commit.message:
                continue
            uid = named_uid("commit", self.result.project, commit.hash)
            if uid in held:
                self.result.known += 1
                continue
            yield from self._drafts(uid, commit)

    def _drafts(self, uid: str, commit: Commit) -> Iterator[tuple[str, int, Draft]]:
        subject, body = reasons.message_parts(commit.message)
        source = f"{COMMIT}{commit.hash[:8]}, {day(commit.at)})"
        for name in reasons.reverted(commit.message):
            self.reverts.append((commit.hash, name))
        reason = reasons.reason_of(subject, body, self.phrases)
        paths = commit.paths[:MOST_PATHS]
        names = list(dict.fromkeys(path.rpartition("/")[2] for path in paths))[:NAMES]
        data: dict[str, Any] = {"commit": commit.hash, "paths": paths}
        words = [" ".join(body)[:BODY], " ".join(names)]  # the body is found where it is shown
        self.result.commits += 1
        yield (
            uid,
            commit.at,
            Draft(
                f"{subject}{source}",
                "commit",
                self.owner,
                source="observed",
                data={
                    **data,
                    "author": commit.author,
                    "weight": self._weight(subject, body, reason, len(commit.paths)),
                    "also": [one for one in (words[1:] if reason else words) if one],
                },
                detail={"happened_at": min(commit.at, self.now)},
            ),
        )
        if reason:
            self.result.reasons += 1
            yield (
                named_uid("reason", self.result.project, commit.hash),
                commit.at,
                Draft(
                    f"{reason}{source}",
                    "rationale",
                    self.owner,
                    source="observed",
                    data={**data, "also": [one for one in words if one]},
                    detail={"valid_from": min(commit.at, self.now)},
                ),
            )

    def _weight(self, subject: str, body: list[str], reason: str, files: int) -> int:
        """Tell how much a commit tells about its files: 0, nothing that anybody asks for, to 3."""
        if self.minor.fit(subject):
            return 0
        weight = 1 + bool(reason) + (len(body) > 1)
        return max(1, weight - (files > SWEEPING))

    def _drop(self, read: str, held: dict[str, Any]) -> None:
        """Drop what no branch has any more, and bring back what is on one again."""
        of_commits = {uid: row for uid, row in held.items() if row[3]}
        gone_once = any(row[1] == "deleted" and row[2] == GONE for row in of_commits.values())
        lost: set[str] = set()
        if read:
            words = ("rev-list", read, "--not", "HEAD", "--branches", "--remotes", "--tags")
            lost = set(git.lines(self.tree.root, *words))
        is_all = not read and len(of_commits) > 0
        reachable: set[str] = set()
        if is_all or gone_once:
            refs = ("HEAD", "--branches", "--remotes", "--tags")
            reachable = set(git.lines(self.tree.root, "rev-list", *refs))
        drop, back = [], []
        for uid, (_, state, reason, commit, _) in of_commits.items():
            is_lost = commit in lost or (is_all and commit not in reachable)
            if state in ("active", "archived") and is_lost:
                drop.append(uid)
            elif state == "deleted" and reason == GONE and commit in reachable:
                back.append(uid)
        self._set(drop, "deleted", GONE)
        self._set(back, "active", "")
        self.result.dropped += len(drop)
        self.result.returned += len(back)

    def _set(self, uids: list[str], state: str, reason: str) -> None:
        if uids:
            step: dict[str, Any] = {"uids": json_list(uids), "state": state, "reason": reason}
            archived_at = self.now if state == "archived" else None
            step |= {"gone": GONE, "archived_at": archived_at, "now": self.now}
            self._write([("repository.set_state", step)], reason=reason, act=self.act)

    def _write(self, steps: list[Step], act: str | None = None, reason: str = "") -> None:
        self.space.db.write(steps, verb="git", at=self.now, act=act, reason=reason)

    # -- files -----------------------------------------------------------------------------------

    def _files(self, held: dict[str, Any], changed: list[str] | None) -> None:
        known = {uid: row for uid, row in held.items() if row[4]}
        if changed is not None:
            known = {uid: row for uid, row in known.items() if row[4] in set(changed)}
        wanted: dict[str, tuple[str, int, Draft]] = {}
        for found in self._found(changed):
            uid = named_uid("file", self.result.project, found.path, found.text)
            wanted[uid] = (uid, self.now, self._of_file(found))
        new = [one for uid, one in wanted.items() if uid not in known]
        self.result.reasons += len(new)
        self._take(new)
        here = {uid for uid, row in known.items() if row[1] == "active"}
        gone = {uid for uid, row in known.items() if row[1] == "deleted" and row[2] == GONE}
        self._set(sorted(here.difference(wanted)), "deleted", GONE)
        self._set(sorted(gone.intersection(wanted)), "active", "")

    def _of_file(self, found: reasons.Found) -> Draft:
        is_comment = not (reasons.is_record(found.path) or reasons.is_changelog(found.path))
        draft = Draft(found.text, found.kind, self.owner, source="observed")
        draft.path_glob = found.path if is_comment else ""
        draft.data = {"file": found.path, "line": found.line}
        draft.detail = {"valid_to": self.now} if found.is_over else {}
        return draft

    def _found(self, changed: list[str] | None) -> Iterator[reasons.Found]:
        if changed is not None and not changed:
            return
        files = changed if changed is not None else git.lines(self.tree.root, "ls-files", "-z")
        for path in files:
            if reasons.is_record(path):
                if one := reasons.of_record(path, self._text(path)):
                    yield one
            elif reasons.is_changelog(path):
                entries = list(reasons.of_changelog(path, self._text(path), self.phrases))
                yield from entries[:ENTRIES]
        asked = ("grep", "-z", "-lIi", "-E", r"(#|//|\*|--|;|%|<!--|\"\"\")[[:space:]]*why:")
        only = ("--", *changed[:500]) if changed is not None else ()
        for path in git.lines(self.tree.root, *asked, *only):
            lines = self._text(path).split("\n")
            for place, line in enumerate(lines):
                around = lines[place : place + 8] if "why:" in line.lower() else []
                if around and (one := reasons.of_comments(path, place + 1, around)):
                    yield one

    def _text(self, path: str) -> str:
        whole = os.path.join(self.tree.root, path)
        try:
            if os.path.getsize(whole) > FILE_SIZE or os.path.islink(whole):
                return ""
            with open(whole, encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    # -- what took the place of what -------------------------------------------------------------

    def _amend(self) -> None:
        new = set(self.added)
        if not new:
            return
        amends = reasons.Phrases(self.settings["amend_phrases"])
        rows = self.space.db.read("repository.reasons", {"project": self.result.project})
        stems = self.space.db.stems_of_each([row[1].rpartition(COMMIT)[0] for row in rows])
        listed = [
            Reason(uid, frozenset(words), commit, json.loads(paths or "[]"), at, amends.fit(text))
            for (uid, text, commit, paths, at), words in zip(rows, stems, strict=True)
        ]
        steps: list[Step] = []
        stale: list[str] = []
        for earlier, later in successions(listed, new):
            close = {"uid": earlier.uid, "ends": later.at, "successor": later.uid}
            steps.append(("repository.close", close))
            stale.append(named_uid("commit", self.result.project, earlier.commit))
        for commit, name in self.reverts:
            place = {"project": self.result.project, "prefix": name, "length": len(name)}
            successor = named_uid("reason", self.result.project, commit)
            for uid, layer in self.space.db.read("repository.by_commit", place):
                if layer == "semantic":
                    close = {"uid": uid, "ends": self.now, "successor": successor}
                    steps.append(("repository.close", close))
                else:
                    stale.append(uid)
        self.result.amended = len(set(stale))
        if steps:
            self._write(steps, act=self.act)
        self._set(list(dict.fromkeys(stale)), "archived", AMENDED)
