"""The night: runs schema/jobs in order, each job once per period, and says what it did.

A job is one SQL file and one transaction. Its first statement inserts a row of `job_run`: the unique
period stops a second run, and the limits, which are constraints of that row, stop a run that would
archive or merge too much. Every change carries the run's uid, so a run can be shown and undone.

Some files name a step in their header (`-- then: capture`, `-- first: resemble`): work that SQL cannot
do alone. Such a step may be repeated: a night that was killed is taken up where it stood. So is a
job that is done in portions (it takes `:most`): its limits are proved on the whole plan first.

A dry run is the same night inside a transaction that is rolled back, so what it lists is what the
real one does. The clock is proved first: a leap of more than a year since the last night stops
everything, and a clock that went back keeps the jobs that compare instants from running.
"""

from __future__ import annotations

import hashlib
import os
import time
from datetime import UTC, datetime
from functools import cache

from cogmem.errors import CogmemError, DatabaseProblem, InvalidInput, UnknownName
from cogmem.file import backups, last_seen, sql
from cogmem.file.connection import LOG_LEFT
from cogmem.guard import guard
from cogmem.records import Report
from cogmem.store.history import RowChange, told_row
from cogmem.store.policy import number
from cogmem.strength import DAY_MS
from cogmem.text.lines import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.store.store import Store

    # A step gets the run's uid and the instant, and returns a sentence for the ledger.
    WorkStep = Callable[[str, int], str]
    Progress = Callable[[str, int, int], None]

LEAP = 366 * DAY_MS  # a longer time between two nights is rather a wrong clock
WITNESS = 30 * DAY_MS  # for so long a night that was stopped says that a leap of the clock was none
LOOK_AGAIN = 30 * DAY_MS  # no file is left alone for longer
GRACE = DAY_MS  # by so much a clock may have been set back
_INSIDE = ("complete", "recur", "unite")  # part of the job's own transaction
PORTION = 1_000  # scattered memories archived at a time: some 30 MB of log
READERS_MS = 100  # how long the end of a night waits for readers before it leaves the log as it is
LONG_LOG = 64 << 20  # bytes; readers that follow one another without a gap let it grow so long
LONG_LOG_MS = 1_000  # how long it waits then: who begins to read meanwhile is not in the way
_OUTWARD = ("tidy", "back_up")  # they change no memory, and a rehearsal leaves them out


_HEADER = ("reads", "writes", "period", "params", "needs", "first", "then")
_STEPS = "capture leave earn resemble unite complete recur fill fold tidy back_up".split()


class Job:
    """One file of schema/jobs: its header says what it is for, reads and writes, and how often it runs."""

    def __init__(self, name: str, text: str) -> None:
        head: dict[str, str] = {}
        purpose: list[str] = []
        for line in text.splitlines():
            if not line.startswith("-- "):
                break
            word, colon, rest = line[3:].partition(":")
            if colon and word in _HEADER:
                head[word] = rest.strip()
            else:
                purpose.append(line[3:])
        self.name = name
        self.purpose = " ".join(purpose)
        self.period = head.get("period", "")
        self.needs_clock = head.get("needs") == "clock"
        self.first = head.get("first", "")
        self.then = head.get("then", "")
        statements = sql.split(text)
        portioned = ["most" in sql.parameters(part) for part in statements]
        cut = portioned.index(True) if True in portioned else len(statements)
        self.statements = statements[:cut]
        self.conditions = dict(filter(None, map(_condition, statements)))
        self.portion = statements[cut:]  # repeated, each time a transaction, until it has finished
        named = head.get("params", "").replace(",", " ").split()
        self.params = {part.lstrip(":") for part in named}
        used = {param for part in statements for param in sql.parameters(part)}
        if self.params != used:
            raise UnknownName(f"job {name} declares {sorted(self.params)} but uses {sorted(used)}")
        is_told = self.purpose and {"reads", "writes"} <= set(head)
        if not is_told or self.period not in ("day", "week"):
            raise UnknownName(
                f"job {name} must say its purpose, reads, writes and period (day or week)"
            )
        for step in (self.first, self.then):
            if step and step not in _STEPS:
                raise UnknownName(f"job {name} names a step {step!r} that does not exist")
        if not statements[0].startswith("insert into job_run"):
            raise UnknownName(f"job {name} must insert its row of job_run first")


def jobs(only: str | None = None) -> list[Job]:
    """Return the plan of a night in order, or the one job of a name, with or without its number."""
    plan = [_job(name, text) for name, text in sql.script("jobs")]
    if only is None:
        return plan
    chosen = [job for job in plan if only in (job.name, job.name.partition("_")[2])]
    if not chosen:
        known = ", ".join(job.name.partition("_")[2] for job in plan)
        raise UnknownName(f"no job is called {only!r}: there are {known}")
    return chosen


@cache
def _job(name: str, text: str) -> Job:
    """Return a job's file, taken apart once: who has the nights of many files pays for the work alone."""
    return Job(name, text)


def _condition(statement: str) -> tuple[str, str] | None:
    """Return a statement and its condition, if its first line has one: `update memory -- if: select …`."""
    _, is_there, condition = statement.partition("\n")[0].partition(" -- if: ")
    return (statement, condition) if is_there else None


def period_of(job: Job, now: int) -> str:
    """Return the day or the ISO week, in UTC, in which a job runs once."""
    at = datetime.fromtimestamp(now // 1000, UTC)
    return at.strftime("%G-W%V" if job.period == "week" else "%Y-%m-%d")


class JobReport(Report):
    """What became of one job.

    outcome: done, already (it ran in this period), stopped (by a limit or the clock), left out (of a
    rehearsal), failed. `changes` lists the rows of a rehearsal; those of a real run stand in diff(run).
    """

    job: str
    period: str
    run: str | None
    outcome: str
    changed: int
    archived: int
    merged: int
    promoted: int
    note: str
    seconds: float
    changes: list[RowChange] | None


class Night(Report):
    """One call of nightly(): its jobs in order, and what a person should know."""

    at: datetime
    due_at: datetime | None  # when the next one has work, if nobody uses the file meanwhile
    is_dry_run: bool
    jobs: list[JobReport]
    notices: list[str]

    @property
    def is_sound(self) -> bool:
        """Tell whether no job was stopped or failed."""
        return all(job.outcome not in ("stopped", "failed") for job in self.jobs)

    def as_dict(self) -> dict[str, Any]:
        return {**super().as_dict(), "jobs": [job.as_dict() for job in self.jobs]}


def due(store: Store, now: int) -> list[str]:
    """Jobs that have not come to their end in their present period."""
    found = []
    for job in jobs():
        ran = store.db.read("jobs.ran", {"job": job.name, "period": period_of(job, now)})
        if not ran or ran[0][1] is None:
            found.append(job.name)
    return found


def due_at(store: Store, night: Night) -> int:
    """Return when the next night has something to do if nobody uses the file meanwhile: a day's beginning in UTC.

    Each job runs once a day at most. What waits for a cause that no instant tells is looked for once in
    LOOK_AGAIN.
    """
    now: int = night.raw("at")
    tomorrow = (now // DAY_MS + 1) * DAY_MS
    event, waits, is_new = store.db.read("jobs.coming", {"now": now})[0]
    if waits or not night.is_sound or store.db.read("jobs.unheard")[0][0]:
        return tomorrow
    at = min(now + LOOK_AGAIN, event or now + LOOK_AGAIN)
    if is_new:  # the jobs of a week ran before it came
        monday = (now // DAY_MS + 3) // 7 * 7 + 4  # 1 January 1970 was a Thursday
        at = min(at, monday * DAY_MS)
    return max(tomorrow, at)


def nightly(
    store: Store,
    *,
    now: int,
    steps: Mapping[str, WorkStep],
    dry_run: bool = False,
    only: str | None = None,
    force: bool = False,
    again: str = "",
    progress: Progress | None = None,
) -> Night:
    """Run what is due. `force` runs it again within its period, and believes the clock; `again` names a step of
    which alone this is wanted.
    """
    plan = jobs(only)
    store.db.look()
    night = Night(at=now, is_dry_run=dry_run)
    work = _Work(store, night, steps, force, again, progress)
    if not dry_run:
        work.run_all(plan)
        if only is None:
            night.due_at = due_at(store, night)  # type: ignore[assignment]
        return night
    with store.db.together(keep=False):
        work.run_all(plan)
    return night


def back_up(store: Store, backup: Callable[[str, int], object], now: int) -> str:
    """Make one verified copy in <file>.backups/ and let those go that no tier keeps: `file.backups`."""
    path = store.db.path
    settings = store.settings()
    keep, elsewhere = int(number(settings, "backups_kept")), settings.get("backups_folder", "")
    if path == ":memory:" or keep == 0:
        return "no backup is wanted"
    told = ""
    try:
        folder = backups.folder_of(path, elsewhere)
    except DatabaseProblem as error:
        if not elsewhere:
            raise
        folder, told = backups.folder_of(path), f"; {error}. This one lies beside the file"
    stamp = datetime.fromtimestamp(now // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    target = os.path.join(folder, f"{stamp}.db")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if not os.path.exists(target):
            backup(target, now)
        kept = backups.rotate(folder, os.path.basename(target), keep, store.db.driver)
    except InvalidInput:
        if not os.path.exists(target):
            raise
        return f"{target}; another night made it{told}"
    except OSError as error:
        raise DatabaseProblem(
            f"backups in {folder} cannot be kept ({error.strerror}): check that folder and its disk"
        ) from error
    if not told:
        last_seen.kept_in(path, folder if elsewhere else "")
    return f"{target}; {kept}{told}"


class _Work:
    """One night under way."""

    def __init__(
        self,
        store: Store,
        night: Night,
        steps: Mapping[str, WorkStep],
        force: bool,
        again: str,
        progress: Progress | None,
    ) -> None:
        self.store = store
        self.db = store.db
        self.night = night
        self.now: int = night.raw("at")
        own = {"complete": self._complete, "recur": self._recur, "tidy": self._tidy}
        self.steps = {**own, **steps}
        self.force = force
        self.again = again
        self.progress = progress
        self.last_at, self.last_night, runs, newest = self.db.read("jobs.clock")[0]
        # Names follow from the state of the file, so a rehearsal gives the names of the real run.
        self._salt = f"{runs}\0{newest}"

    def _name(self, job: Job, period: str) -> tuple[str, int]:
        """Return what a run is called, and its seed."""
        name = hashlib.sha256(f"{self._salt}\0{job.name}\0{period}".encode()).digest()
        return f"run_{name[:8].hex()}", int.from_bytes(name[8:16], "big") >> 2

    def run_all(self, plan: list[Job]) -> None:
        leapt, went_back = self._prove_clock()
        for done, job in enumerate(plan):
            if self.progress:
                self.progress(job.name, done, len(plan))
            report = JobReport(job.name, period_of(job, self.now), outcome="done")
            self.night.jobs.append(report)
            started = time.perf_counter()
            try:
                if leapt or (went_back and job.needs_clock):
                    self._stop(job, report, "the clock cannot be right: see the notices")
                else:
                    self._run(job, report)
            except CogmemError as error:
                report.outcome, report.note = "failed", str(error)
            report.seconds = round(time.perf_counter() - started, 3)
            if not self.night.is_dry_run and self.db.log_size() > LOG_LEFT:
                self.db.fold_log()
        if self.progress:
            self.progress("", len(plan), len(plan))

    def _prove_clock(self) -> tuple[bool, bool]:
        """Tell whether time leapt forward since the last night, and whether it went back."""
        notices = self.night.notices
        since = self.last_night or self.last_at
        if since and self.now - since > LEAP:
            days = (self.now - since) // DAY_MS
            # A night that was stopped saw this clock too, and since then it went on as clocks do.
            bounds = {"after": self.now - WITNESS, "upto": self.now - DAY_MS // 2}
            is_right = self.force or bool(self.db.read("jobs.stopped_between", bounds))
            notices.append(
                f"{days} days have passed since the last night: the clock was taken for right"
                if is_right
                else f"{days} days have passed since "
                + ("the last night" if self.last_night else "the last change")
                + ". Nothing was changed: the next night goes on if the clock still says so, `cogmem nightly"
                " --force` does it now"
            )
            return not is_right, False
        known = max(self.last_at, self.last_night or 0)
        if known - self.now > GRACE:
            days = (known - self.now) // DAY_MS
            notices.append(
                f"the clock stands {days} days before the latest change: nothing is archived"
            )
            return False, not self.force
        if self.last_night and self.now - self.last_night > 2 * DAY_MS:
            days = (self.now - self.last_night) // DAY_MS
            notices.append(f"the last night was {days} days ago: this one catches up")
        return False, False

    def _run(self, job: Job, report: JobReport) -> None:
        ran = self.db.read("jobs.ran", {"job": job.name, "period": report.period})
        is_wanted = self.force or job.then == self.again != ""
        if ran and ran[0][1] is not None and not is_wanted:
            report.outcome, report.run = "already", ran[0][0]
            report.note = f"it ran in {report.period}"
            return
        if self.night.is_dry_run and job.then in _OUTWARD:
            report.outcome = "left out"
            report.note = "it changes no memory"
            return
        unfinished = ran[0][0] if ran and ran[0][1] is None else None
        name, seed = self._name(job, report.period)
        report.run = unfinished or name
        params = {
            "run": report.run,
            "now": self.now,
            "period": report.period,
            "is_forced": int(bool(ran) and not unfinished),
            "seed": seed,
            "most": PORTION,
        }
        try:
            self._change(job, params, is_begun=bool(unfinished))
        except InvalidInput as error:
            if not self._explains(job, report, str(error)):
                raise
            return
        if job.then not in ("", *_INSIDE):
            note = self.steps[job.then](report.run, self.now)
            finish = {"run": report.run, "now": self.now, "note": note}
            self._write([("jobs.finish", finish)], self.now)
        counts = self.db.read("jobs.counts", {"run": report.run})[0]
        report.changed, report.archived, report.merged, report.promoted = counts[:4]
        report.note = counts[7]
        if self.night.is_dry_run:
            changed = self.db.read("jobs.changes", {"run": report.run})
            report.changes = [told_row(row) for row in changed]

    def _change(self, job: Job, params: dict[str, Any], *, is_begun: bool) -> None:
        """Do what a job changes in the memory: its statements in one transaction, then its portions."""
        if job.first and not is_begun:
            self.steps[job.first](params["run"], self.now)
        with self.db.together(run=params["run"]):
            if not is_begun:
                self._write(self._with_work(job, job.statements, params), self.now)
            if job.then in _INSIDE:
                self.steps[job.then](params["run"], self.now)
        self._carry_out(job, params)

    def _carry_out(self, job: Job, params: dict[str, Any]) -> None:
        """Carry out the portions of a job. Each goes from the log into the file before the next is written."""
        while job.portion and not self.db.read("jobs.is_finished", {"run": params["run"]})[0][0]:
            with self.db.together(run=params["run"]):
                self._write(self._with_work(job, job.portion, params), self.now)
            if not self.night.is_dry_run:
                self.db.fold_log()

    def _explains(self, job: Job, report: JobReport, said: str) -> bool:
        """Tell whether a constraint that refused a job is one of its limits, or says that it has run."""
        if "run_archives_no_more_than_allowed" in said or "run_merges_no_more" in said:
            self._stop(job, report, "")
            return True
        # Of two nights that began at once the names are the same: see _salt.
        if "job_run.uid" in said or "job_run.period" in said or "job_run_once_per" in said:
            report.outcome, report.note = "already", "another process ran it meanwhile"
            return True
        return False

    def _with_work(
        self, job: Job, statements: list[str], params: dict[str, Any]
    ) -> list[tuple[str, dict[str, Any]]]:
        """Those that have something to do. To compile what changes memories, with all triggers of the history, takes
        longer than to look; in a fleet that is most of an ordinary night."""
        found = []
        for text in statements:
            condition = job.conditions.get(text)
            if condition is None or self.db.ask(condition, {"run": params["run"]})[0][0]:
                found.append((text, params))
        return found

    def _write(self, steps: Sequence[Step], at: int) -> None:
        self.db.write(steps, verb="nightly", at=at)

    def _stop(self, job: Job, report: JobReport, note: str) -> None:
        """Leave a row that says why a job did nothing; an undone rehearsal gives the figures."""
        report.outcome = "stopped"
        report.run, _ = self._name(job, report.period)
        allowed_archived = allowed_merged = considered = 0
        at = max(self.last_at, 1)  # a wrong clock must not become the instant that views show
        if not note:
            at = self.now
            with self.db.together(keep=False):
                self._write([], self.now)
                limit = self.db.read("jobs.limit", {"job": job.name})[0]
                verb, share, considered, wanted, allowed = limit
            allowed_archived, allowed_merged = (0, allowed) if verb == "merge" else (allowed, 0)
            note = (
                f"it would {verb} {wanted:,} of {considered:,} active memories, {allowed:,} are allowed; "
                f"nothing was changed. `cogmem nightly --dry-run` with a larger share shows them, "
                f"`cogmem setting set {share} {min(1.0, wanted / max(considered, 1)) + 0.005:.2f}` allows them"
            )
        report.note = note
        told = {"run": report.run, "job": job.name, "period": report.period, "note": note}
        allowed_of = {"allowed_archived": allowed_archived, "allowed_merged": allowed_merged}
        forced = int(self.force)
        stop = {
            **told,
            **allowed_of,
            "is_forced": forced,
            "considered": considered,
            "now": self.now,
        }
        self._write([("jobs.stop", stop)], at)

    # -- steps that need no other stage ----------------------------------------------------------

    def _complete(self, run: str, now: int) -> str:
        """Give what SQL wrote its search words, hash and length, after the guard has read it."""
        for row in self.db.rows("jobs.unwritten", {"run": run}):
            policy = guard.POLICIES[row["source"]]
            checked = guard.apply(guard.normalise(row["content"]), policy)
            text = checked.text.strip() or "…"
            form = self.store.written_form(
                row["layer"], row["key"], text, {"outcome": row["outcome"], "steps": row["steps"]}
            )
            state, reason = row["state"], ""
            if state == "candidate":
                place = ("uid", "layer", "runtime", "user", "project")
                same = {**{name: row[name] for name in place}, "content_hash": form["content_hash"]}
                shown = hashlib.sha256(row["content"].encode()).hexdigest()[:32]
                if checked.verdict == "reject":
                    state, reason = "deleted", "refused by the guard"
                elif self.db.read("jobs.is_known", same)[0][0]:
                    state, reason = "deleted", "known already"
                elif self.db.read("jobs.was_shown", {"text_hash": shown})[0][0]:
                    state, reason = "deleted", "shown by cogmem itself"
            whole = {**form, "uid": row["uid"], "content": text, "state": state}
            self._write([("jobs.complete", {**whole, "archive_reason": reason})], now)
        return ""

    def _recur(self, run: str, now: int) -> str:
        """Propose what recurs in other words, and complete all that the run has proposed."""
        from cogmem.night.recurring import propose

        propose(self.db, run, now=now)
        return self._complete(run, now)

    def _tidy(self, run: str, now: int) -> str:  # noqa: ARG002
        """Return what SQLite does outside transactions: figures for its planner, free pages, its log."""
        self.db.ask("pragma analysis_limit = 400")
        self.db.ask("analyze")
        free = self.db.ask("pragma freelist_count")[0][0]
        self.db.ask("pragma incremental_vacuum(20000)")
        self.db.fold_log(READERS_MS if self.db.log_size() < LONG_LOG else LONG_LOG_MS)
        left = self.db.ask("pragma freelist_count")[0][0]
        return f"{counted(free - left, 'free page')} given back"
