"""The verbs that change what a memory holds, and the ways back: undo, and forgetting for good."""

from __future__ import annotations

from cogmem.arguments import naming
from cogmem.errors import InvalidInput, UnknownMemory
from cogmem.records import given_instant
from cogmem.scope import Scope
from cogmem.text.lines import several, storable
from cogmem.verbs.areas import Areas

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Unpack

    from cogmem.file.db import Step
    from cogmem.records import Remembered
    from cogmem.scope import Owner
    from cogmem.space import Instant
    from cogmem.store.erase import Receipt
    from cogmem.store.history import Undone


@naming
class Changing(Areas):
    """A memory that is changed."""

    # -- changing --------------------------------------------------------------------------------

    def update(
        self,
        name: str,
        *,
        content: str | None = None,
        tags: Sequence[str] | None = None,
        priority: int | str | None = None,
        path: str | None = None,
        key: str | None = None,
        kind: str | None = None,
        expires_at: Instant = None,
        detail: Mapping[str, Any] | None = None,
        seen: Remembered | None = None,
        now: Instant = None,
    ) -> Remembered:
        """Change parts of a memory, by uid or key. New content gets new automatic tags.

        name: its uid or key
        content: the new text; it gets its tags anew
        tags: the new tags
        priority: critical, high, medium or normal
        path: the new glob
        key: the new key
        kind: the new kind, of the same layer
        expires_at: when it is over
        detail: columns of its layer: topic, outcome, steps …
        seen: the memory as you read it; if it has changed since, the call ends with a Conflict

        >>> mem.update("staging", priority="high").priority
        3
        """
        from cogmem.learn.revise import revise

        at = self.instant(now)
        changes = {
            "content": content,
            "tags": None if tags is None else several(tags, "tags"),
            "priority": priority,
            "path_glob": path,
            "key": key,
            "kind": kind,
            "detail": dict(detail) if detail else None,
            "expires_at": given_instant(expires_at, "expires_at", at),
        }
        row = seen or self.get(name, now=at)
        revise(self.store, row, changes, now=at)
        return self.get(row.uid, now=at)

    def move(
        self,
        name: str,
        *,
        reason: str = "",
        now: Instant = None,
        **owner: Unpack[Owner],
    ) -> Remembered:
        """Give a memory to another owner, by uid or key; "" means everyone, None stays as it is.

        name: its uid or key

        >>> mem.move("staging", project="web").project
        'web'
        """
        from cogmem.learn.revise import move

        at = self.instant(now)
        row = self.get(name, now=at)
        has = Scope(row.runtime, row.user, row.project, row.session)
        to = has.owned(**owner)
        move(self.store, row, to, now=at, reason=reason)
        return self.store.get(row.uid, Scope(everywhere=True), at)

    def remove(self, name: str, *, reason: str = "removed by hand", now: Instant = None) -> str:
        """Hide a memory from lists, turns and search, by uid or key; `restore` or `undo` brings it back.

        name: its uid or key

        >>> act = mem.remove("staging")
        >>> mem.get("staging", living=False).state
        'deleted'
        """
        row = self.get(name, now=now)
        if row.state == "deleted":
            raise InvalidInput(
                f"{row.uid} is removed already: `cogmem restore {row.uid}` brings it back"
            )
        return self.store.set_state(
            row, "deleted", reason=reason, now=self.instant(now), verb="remove"
        )

    def keep(self, name: str, *, now: Instant = None) -> str:
        """Say that a memory is worth keeping: a candidate becomes active, an active one starts to fade from now.
        What it is doubted for, or failed for lately, counts no more.

        name: its uid or key

        >>> act = mem.keep("staging")
        """
        at = self.instant(now)
        row = self.get(name, now=at)
        if row.state != "active":
            return self.restore(row.uid, now=at)
        steps: list[Step] = [("store.reinforce", {"uid": row.uid, "now": at})]
        steps += [("learn.believe", {"uid": row.uid}), ("learn.try_again", {"uid": row.uid})]
        return self.db.write(steps, verb="keep", at=at).act

    def archive(self, name: str, *, reason: str = "archived by hand", now: Instant = None) -> str:
        """Keep a memory for search only: no turn shows it again.

        name: its uid or key

        >>> act = mem.archive("staging")
        >>> mem.get("staging", living=False).state
        'archived'
        """
        row = self.get(name, now=now)
        return self.store.set_state(
            row, "archived", reason=reason, now=self.instant(now), verb="archive"
        )

    def restore(self, name: str, *, now: Instant = None) -> str:
        """Bring a removed, archived or candidate memory back to active, by uid or key.

        name: its uid or key

        >>> act = mem.archive("staging")
        >>> act = mem.restore("staging")
        >>> mem.get("staging").state
        'active'
        """
        row = self.get(name, living=False, now=now)
        if row.state == "active":
            raise InvalidInput(f"{row.uid} is active: there is nothing to restore")
        at = self.instant(now)
        ended: list[Step] = []
        if row.state == "candidate" and row.layer == "semantic":  # what it changes is settled
            from cogmem.learn.corrected import closing

            ended = closing(self.store, {**row.as_dict(), "terms": ""}, row.uid, at)
        return self.store.set_state(row, "active", reason="", now=at, verb="restore", also=ended)

    # -- the way back ----------------------------------------------------------------------------

    def undo(
        self,
        name: str | int,
        *,
        force: bool = False,
        dry_run: bool = False,
        everywhere: bool = False,
        now: Instant = None,
    ) -> Undone:
        """Take back one change (its act) or one job run, in all projects and sessions of this user.

        One that touches memories of another user or runtime is refused, unless `everywhere`.

        name: the act, run or number of a change
        force: whether to take back the rest where later changes built on it

        >>> learned = mem.learn("A mistake.")
        >>> mem.undo(learned.act).rows
        1
        """
        from cogmem.store.history import change_name, undo

        result = undo(
            self.db,
            change_name(name),
            self.looking(everywhere),
            now=self.instant(now),
            force=force,
            dry_run=dry_run,
        )
        self.reread()
        return result

    def forget(
        self,
        *names: str,
        words: Sequence[str] = (),
        most: int | None = None,
        confirm: str | None = None,
        reason: str = "",
        dry_run: bool = False,
        everything: bool = False,
        now: Instant = None,
    ) -> Receipt:
        """Remove memories (uid or key) and messages ('msg_<id>') for good, with all traces.

        names: uids, keys or msg_NUMBER
        words: distinctive words that must disappear: each memory in sight that holds one goes too
        most: how many memories words may remove; default: a tenth of what is in sight
        confirm: the number of a preview (`dry_run`): if something else would go by now, nothing does
        everything: whether to forget all that belongs to the user of this view: memories, talk, sessions, turns

        >>> preview = mem.forget("staging", dry_run=True)
        >>> mem.forget("staging", confirm=preview.number).uids == preview.uids
        True
        """
        from cogmem.documents.saved import erase, mirrors
        from cogmem.store.forget import forget

        at = self.instant(now)
        self.flush()
        several(words, "words")
        for name in names:
            storable(name, "a name")
        uids = [name if name.startswith("msg_") else self._forgettable(name, at) for name in names]
        mirrored = mirrors(self.db)
        receipt = forget(
            self.db,
            uids,
            self.scope,
            now=at,
            reason=reason,
            words=words,
            most=most,
            confirm=confirm,
            dry_run=dry_run,
            everything=everything,
        )
        if not dry_run:  # a saved memory's own file would bring it back
            gone = erase(path for path, uid in mirrored.items() if uid in receipt.uids)
            receipt.files = [path for path in receipt.files if path not in gone]
        return receipt.closed()

    def _forgettable(self, name: str, at: int) -> str:
        """Return the uid behind a name; one whose row is gone may still have a past to forget."""
        try:
            return self.get(name, now=at).uid
        except UnknownMemory:
            from cogmem.store.forget import has_past

            if name.startswith("mem_") and has_past(self.db, name, self.scope):
                return name
            raise
