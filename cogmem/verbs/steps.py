"""The steps of a night that SQL alone cannot take, and which stage takes each.

A job in schema/jobs names its step. Each step is told the run and the instant, and says in one line
what it did.
"""

from __future__ import annotations

from cogmem.strength import DAY_MS
from cogmem.text.lines import counted

REHEARSED_ON = 3  # days since 1 January 1970, which was a Thursday, modulo 7: Sundays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.night.models import Models
    from cogmem.noted.notes import Notes
    from cogmem.records import Draft, Learned
    from cogmem.space import Space

    Step = Callable[[str, int], str]


def waiting(count: int) -> str:
    """Say how many messages no night has heard yet."""
    wait = counted(count, "more waits", "more wait")
    return f"{wait} to be heard: the next nights go on, `cogmem nightly --all` hears all now"


def _captured(messages: int, memories: int) -> str:
    return (
        f"{counted(messages, 'message')} read, {counted(memories, 'memory', 'memories')} captured"
    )


class Steps:
    """The steps of one night."""

    def __init__(
        self,
        space: Space,
        models: Models,
        *,
        dry_run: bool,
        hears_all: bool,
        progress: Callable[[str, int, int], None] | None,
        notes: Callable[[], Notes],
    ) -> None:
        self.space = space
        self.notes = notes
        self.models = models
        self.dry_run = dry_run
        self.hears_all = hears_all
        self.progress = progress
        self.failed = 0  # calls of a model

    def by_name(self) -> dict[str, Step]:
        """Return steps by the name that a job calls them."""
        return {
            "capture": self.read_messages, "leave": self.leave_lines, "earn": self.count_earnings,
            "resemble": self.compare, "unite": self.join_words, "fill": self.fill,
            "fold": self.put_in_place, "back_up": self.copy_file,
        }  # fmt: skip

    def read_messages(self, run: str, at: int) -> str:
        """Let the capture rules read what nobody has read yet."""
        from cogmem.hear import capture
        from cogmem.hear.catch_up import A_NIGHT, catch_up
        from cogmem.learn.decide import learn

        if not self.space.db.read("jobs.behind"):  # to compile the rules takes longer than a night
            return _captured(0, 0)
        store, told = self.space.store, self.progress
        rules = capture.compile_rules(self.space.db.read("jobs.rules"))
        read, taught = catch_up(
            store,
            rules.read,
            lambda draft, when: learn(store, draft, now=when, profile="capture"),
            run=run,
            now=at,
            progress=None if told is None else lambda n, of: told("10_capture", n, of),
            most=None if self.hears_all else A_NIGHT,
        )
        done = _captured(read, taught)
        left = self.space.db.read("jobs.unheard")[0][0]
        return f"{done}; {waiting(left)}" if left else done

    def leave_lines(self, run: str, at: int) -> str:
        """Let conversations that are at rest leave their lines."""
        from cogmem.conversation.last_lines import leave
        from cogmem.conversation.record import Talk
        from cogmem.learn.decide import learn
        from cogmem.scope import Scope

        space, made, talks = self.space, 0, 0

        def kept(draft: Draft, when: int) -> Learned:
            return learn(space.store, draft, now=when, profile="line")

        for name, runtime, user, project in space.db.read("jobs.at_rest", {"now": at}):
            place = Scope(runtime, user, project, "")
            talk = Talk(space.store, name, place, space.instant)
            with space.db.together(run=run):
                made += len(leave(talk, kept, now=at, verb="nightly"))
                if (runtime, user) == (space.scope.runtime, space.scope.user):  # nobody else's
                    self.notes().wait(name, project=project, now=at)
            talks += 1
        if self.models.calls_left(now=at):
            self.notes().gather(now=at)
        return f"{counted(talks, 'conversation')} left {counted(made, 'line')}"

    def count_earnings(self, run: str, at: int) -> str:
        """Count what came of the memories that turns showed."""
        if not self.space.db.read("jobs.is_shown")[0][0]:
            return "0 memories were shown"
        from cogmem.turn.earned import count

        with self.space.db.together(run=run):
            shown = count(self.space.db, now=at)
        return counted(shown, "memory was shown", "memories were shown")

    def compare(self, _: str, at: int) -> str:
        """Pair what says the same in other words."""
        from cogmem.learn.alike import resemble

        return f"{counted(resemble(self.space.store, now=at), 'memory', 'memories')} compared"

    def join_words(self, run: str, at: int) -> str:
        """Give what stayed the words of what was merged into it."""
        from cogmem.learn.merge import unite

        joined = unite(self.space.store, run, now=at)
        return f"{counted(joined, 'memory says', 'memories say')} it in other words"

    def fill(self, run: str, at: int) -> str:
        """Ask the model for what waits for one."""
        if not self.dry_run:
            self.failed = self.models.fill(run=run, now=at).failed
        return ""

    def put_in_place(self, run: str, at: int) -> str:
        """Put the model's answers where they belong."""
        from cogmem.night import tasks

        space = self.space
        # What was noted is in its place already.
        folds: dict[str, tasks.Fold] = dict.fromkeys(("notes", "join"), lambda _: [])
        done = tasks.fold(space.db, folds, now=at, run=run)
        told = f"{counted(done['folded'], 'answer')} folded, {done['dead']} refused"
        return f"{told}, {counted(self.failed, 'call')} failed" if self.failed else told

    def copy_file(self, _: str, at: int) -> str:
        """Back the file up."""
        from cogmem.errors import DatabaseProblem
        from cogmem.exchange.copies import backup, rehearse
        from cogmem.file import backups
        from cogmem.night.jobs import back_up
        from cogmem.store.forget_in_copies import forget_in_copies

        db = self.space.db
        waiting = forget_in_copies(db, now=at)
        [(last,)] = db.read("jobs.rehearsed")
        is_first = last is None  # each copy after it is proved by a rehearsal, once a week
        told = back_up(
            self.space.store, lambda path, when: backup(db, path, now=when, pages=is_first), at
        )
        if waiting:
            told += f"; what was forgotten is still in {', '.join(waiting)}"
        # Not in the first night, which has a backlog to hear; a week later if no night comes on a Sunday.
        is_time = not is_first and (at // DAY_MS % 7 == REHEARSED_ON or at - last >= 7 * DAY_MS)
        if is_time and backups.kept(db.path):
            done = rehearse(db)
            if done.problems:
                raise DatabaseProblem(
                    f"{done.source} was made and does not come back whole: {'; '.join(done.problems)}"
                )
            told += "; rehearsed: it comes back whole"
        return told
