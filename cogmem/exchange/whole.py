"""The file as a whole: `mem.file` checks it, copies it, takes in what others hold, and answers SQL.

Each method loads what it needs, because nobody does two of these things at once.
"""

from __future__ import annotations

import os
import shutil

from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.file import last_seen, making, views
from cogmem.file.connection import GONE
from cogmem.records import Record
from cogmem.space import Area
from cogmem.strength import DAY_MS
from cogmem.text.lines import counted, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime
    from typing import Any

    from cogmem.documents.bring import BroughtIn
    from cogmem.exchange.copies import Rehearsed, Replaced
    from cogmem.exchange.intake import Imported
    from cogmem.file.db import Database
    from cogmem.file.user_sql import Answer
    from cogmem.records import Learned
    from cogmem.scope import Project
    from cogmem.space import Instant, Space


FEW = 5
LOST = (
    "{} memories or settings do not stand as other machines said them: {}"
    " (`cogmem doctor --repair` brings them back)"
)


class Health(Record):
    """What `doctor` finds: figures of the file, warnings about where it lies, notices, and problems."""

    SHOWN = ("path", "size", "warnings", "problems")
    path: str
    size: int
    pages: int
    free_pages: int
    wal_size: int
    journal_mode: str
    driver: str
    sqlite_version: str
    wal_reset_fault: bool
    schema_version: int
    known_schema_version: int
    derived_version: str
    warnings: list[str]
    notices: list[str]
    problems: list[str]
    disk_free: int | None
    last_night_at: datetime | None
    backups: list[str]
    cluster: dict[str, Any]  # how it stands to the nodes; empty for a file


class File(Area):
    """One memory file, from outside."""

    def __init__(
        self, space: Space, learn: Callable[..., Learned], heard: Callable[[str], str]
    ) -> None:
        super().__init__(space)
        self._learn = learn
        self._heard = heard

    def check(self) -> list[str]:
        """Return what is wrong with the file, in sentences; an empty list: nothing.

        >>> mem.file.check()
        []
        """
        from cogmem.file.check import check
        from cogmem.sync.settle import differing

        def from_others(frozen: Database) -> list[str]:
            lost = differing(frozen)
            return [LOST.format(len(lost), ", ".join(lost[:FEW]))] if lost else []

        return check(self.space.db, from_others)

    def repair(self, *, now: Instant = None) -> list[str]:
        """Mend the cells that are damaged; says what became of each. A text becomes what the history last said of it,
        or what can be read of it; what should be JSON becomes empty. What came from another machine and was lost on
        its way into the tables comes back.

        >>> mem.file.repair()
        []
        """
        from cogmem.file.cells import repair
        from cogmem.sync.settle import mend

        at = self.space.instant(now)
        return [*repair(self.space.db, at=at), *mend(self.space.db, at)]

    def doctor(self, *, now: Instant = None) -> Health:
        """Figures of the file, warnings about where it lies, its backups, its last night, and what
        `check` finds.

        >>> mem.file.doctor().problems
        []
        """
        from cogmem.file.backups import folder_of, kept
        from cogmem.file.check import report
        from cogmem.sync import acts

        db, path = self.space.db, self.space.path
        folder = os.path.dirname(os.path.abspath(path))
        found = report(db, path, self.space.notices)
        warnings: list[str] = [*found.pop("warnings")]
        if ownerless := db.read("exchange.of_nobody")[0][0]:
            warnings.append(
                f"every user sees what is known of a person and belongs to nobody (profile: {ownerless}): "
                "`select * from of_nobody` lists it, `cogmem bulk move UID --to-user NAME` gives it to somebody"
            )
        if unheard := db.read("exchange.unheard")[0][0]:
            warnings.append(
                f"{unheard:,} older messages wait to be heard: nights go on, `cogmem nightly --all` hears all"
            )
        for error, count, is_dead in db.read("exchange.unanswered"):
            waits = counted(count, "piece of work waits", "pieces of work wait")
            later = (
                "`cogmem model tasks` lists them, `cogmem model revive TASK` tries one again"
                if is_dead
                else "the next night asks again, `cogmem model work` does it now"
            )
            warnings.append(f"{waits} for the model ({error.rstrip('.')}): {later}")
        at, said = self.space.instant(now), db.read("sync.clock")[0][0]
        if acts.is_ahead(said, at, acts.WORTH_SAYING_MS):
            days = (acts.instant(said) - at) // DAY_MS
            warnings.append(
                f"what was done last here is dated {days} days ahead: set this machine's clock right. Until then it"
                " wins over what other machines do without having seen it"
            )
        standing = db.standing()
        silent = [node for node, at in standing.get("nodes", {}).items() if at is None]
        away = "the node {} does not answer: start it, for of three nodes one may be away"
        warnings += map(away.format, silent)
        if elsewhere := self.space.store.settings().get("backups_folder", ""):
            try:
                folder_of(path, elsewhere)
            except DatabaseProblem as error:
                warnings.append(str(error))
        return Health(
            **found,
            warnings=warnings,
            disk_free=shutil.disk_usage(folder).free if os.path.isdir(folder) else None,
            last_night_at=db.read("jobs.clock")[0][1],
            backups=kept(path),
            cluster=standing,
        )

    def rebuild(self) -> None:
        """Drop and remake search indexes, views and cached values from the durable record.

        >>> mem.file.rebuild()
        """
        self.space.refuse_for_view("rebuilding")
        making.rebuild(self.space.db)

    def show(self) -> None:
        """Lay the views for people into the file, where clients that know nothing of cogmem find them.

        Every command of the command line does it; a file that only hooks and programs write is without.

        >>> mem.file.show()
        """
        views.show(self.space.db)

    def scrub(self, *, now: Instant = None) -> list[str]:
        """Wipe what was forgotten from the backups, and from pages where another process was in the way; returns
        the files that may still hold some of it.

        >>> mem.file.scrub()
        []
        """
        self.space.refuse_for_view("scrubbing")
        from cogmem.store.forget_in_copies import forget_in_copies

        at = self.space.instant(now)
        return forget_in_copies(self.space.db, now=at)

    def backup(self, target: str | os.PathLike[str] | None = None, *, now: Instant = None) -> str:
        """Return a verified copy of the whole file, by default beside it; returns its path.

        target: the path of the copy; default: beside the memory

        >>> mem.file.backup("copy.db")[-7:]
        'copy.db'
        """
        self.space.refuse_for_view("a backup")
        from cogmem.exchange.copies import backup

        if target is not None and not isinstance(target, (str, os.PathLike)):
            raise InvalidInput(f"the target is a path, not {type(target).__name__}")
        name = None if target is None else os.fspath(target)
        made = backup(self.space.db, name, now=self.space.instant(now))
        if name is not None and self.space.path != ":memory:":
            last_seen.kept_copy(self.space.path, made)
        return made

    def rehearse(self, source: str | os.PathLike[str] | None = None) -> Rehearsed:
        """Bring a backup back in a scratch folder, prove it and count what it holds.

        source: the backup; default: the latest

        >>> path = mem.file.backup()
        >>> mem.file.rehearse().problems
        []
        """
        self.space.refuse_for_view("a rehearsal")
        from cogmem.exchange.copies import rehearse

        return rehearse(self.space.db, None if source is None else os.fspath(source))

    def restore(
        self, source: str | os.PathLike[str] | None = None, *, now: Instant = None
    ) -> Replaced:
        """Put a backup (the latest, if none is named) in the file's place; what was there is kept.

        source: the backup; default: the latest

        >>> path = mem.file.backup()
        >>> mem.file.restore().source == path
        True
        """
        self.space.refuse_for_view("restoring")
        from cogmem.exchange.copies import restore_backup

        if self.space.path == ":memory:":
            raise InvalidInput("a memory without a file has no backups")
        if self.space.db.is_of_cluster:
            raise InvalidInput(
                "a backup goes onto a cluster as a whole: `cogmem bulk move BACKUP rqlite://… --replace`"
            )
        name = None if source is None else os.fspath(source)
        path, driver = self.space.path, self.space._db.driver
        self.space.close()
        try:
            return restore_backup(path, name, now=self.space.instant(now), driver=driver)
        finally:
            self.space._db, _ = making.open_space(path, driver=driver)
            self.space.reread()

    def export(
        self,
        *,
        form: str = "jsonl",
        history: bool = False,
        everywhere: bool | None = None,
        now: Instant = None,
    ) -> Iterator[str]:
        """Return the memory as text, piece by piece.

        form: jsonl, in an order that import can follow; csv, its memories as a sheet; md, what holds now, to read
        history: whether the history goes along with JSON lines
        everywhere: whether to look into every user, project and session; default: unless it is one user's view
        now: the instant at which md holds; default: this one

        >>> print("".join(mem.file.export(form="md")).splitlines()[-2])
        - The staging server is called heron.
        """
        if everywhere:
            self.space.refuse_for_view("an export of everyone's memories")
        if everywhere is None:
            everywhere = not self.space.is_view
        scope = self.space.scope.replacing(everywhere=everywhere)
        if form == "jsonl":
            from cogmem.exchange.outward import export_lines

            return export_lines(self.space.db, scope, history=history)
        if form not in ("csv", "md"):
            raise InvalidInput(f"an export is jsonl, csv or md, not {form!r}")
        from cogmem.exchange.sheet import export_csv, export_markdown

        if form == "csv":
            return export_csv(self.space.db, scope)
        return export_markdown(self.space.db, scope, now=self.space.instant(now))

    def import_(
        self,
        source: str | os.PathLike[str] | Iterable[str | bytes],
        *,
        as_is: bool | None = None,
        keep_good: bool = False,
        dry_run: bool = False,
        owner: Mapping[str, str] | None = None,
        now: Instant = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Imported:
        """Import exported or hand-written lines, from a path or one by one.

        source: a path, or the lines themselves
        as_is: whether rows keep their uids and history; default: as the lines are
        keep_good: whether to store the good lines where others are bad; else one of them refuses all
        owner: whom new memories are for: user, project, session, runtime
        progress: called with how many lines are read, and of how many

        >>> mem.file.import_(['{"content": "Tests run in CI."}']).added["memory"]
        1
        """
        from cogmem.exchange.inward import import_lines

        try:
            done = import_lines(
                self.space.store,
                source,
                now=self.space.instant(now),
                as_is=as_is,
                keep_good=keep_good,
                dry_run=dry_run,
                owner=owner,
                progress=progress,
            )
            return done.closed()
        finally:
            self.space.reread()

    def import_from(
        self,
        source: str,
        path: str | os.PathLike[str],
        *,
        dry_run: bool = False,
        now: Instant = None,
    ) -> BroughtIn:
        """Take over what another program remembers. One undo of its run takes all of it back.

        source: claude-code, cursor, basic-memory, mem0, letta, claude-mem or knowledge-graph
        path: its file or folder
        """
        from cogmem.documents.bring import bring

        done = bring(
            self.space.store,
            source,
            os.fspath(path),
            self.space.scope.replacing(session=""),
            self._learn,
            self._heard,
            now=self.space.instant(now),
            dry_run=dry_run,
        )
        return done.closed()

    def copy_for(
        self, target: str | os.PathLike[str], *, everywhere: bool = False, now: Instant = None
    ) -> str:
        """Return a new memory with what this viewer sees, and no trace of the rest; returns its path.

        target: the path of the new file

        >>> mem.file.copy_for("mine.db")[-7:]
        'mine.db'
        """
        self.space.refuse_for_view("a copy")
        from cogmem.exchange.copies import copy_for

        scope = self.space.scope.replacing(everywhere=everywhere)
        return copy_for(self.space.db, os.fspath(target), scope, now=self.space.instant(now))

    def query(self, text: str, *, seconds: float = 5.0, rows: int = 1000) -> Answer:
        """Return the answer to a person's own SQL, which can only read.

        text: one SELECT
        seconds: how long it may take
        rows: how many rows at most

        >>> mem.file.query("select count(*) from memory").rows
        [(3,)]
        """
        self.space.refuse_for_view("a query")
        from cogmem.file.snapshot import file_of
        from cogmem.file.user_sql import query

        text = storable(text, "the statement")
        return query(file_of(self.space.db), text, seconds=seconds, rows=rows)

    # -- for other stages --------------------------------------------------------------------------

    def foreign(self) -> list[str]:
        """Views that are not cogmem's, one sentence for each."""
        from cogmem.file.check import foreign

        return list(foreign(self.space.db))

    def lost(self) -> str:
        """Return a sentence if another memory was here before this one; '' if not, or if a person accepted that."""
        from cogmem.file.last_seen import lost

        return lost(self.space.path)

    def label_project(self, project: Project, *, now: Instant = None) -> None:
        """Remember what people call a project, and where it was last seen."""
        at = self.space.instant(now)
        label = {"label": project.label, "root": project.root, "remote": project.remote}
        step = ("store.label_scope", {"axis": "project", "id": project.id, **label, "now": at})
        self.space.db.write([step], verb="label", at=at)

    def warnings(self) -> list[str]:
        """Return what a person has to see to before trusting the file: what lies beside it, whether it is the
        memory that was here last, and which copies of it diverged.
        """
        from cogmem.file.damage import beside
        from cogmem.file.seal import copies, differs

        if not self.space.db.is_in_place():
            return [GONE.format(self.space.path)]
        db, noticed = self.space.db, self.space.notices
        return list(dict.fromkeys((*noticed, *beside(db.path), *differs(db), *copies(db))))
