"""The command that records the sessions of the past."""

from __future__ import annotations

import sys

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, call
from cogmem.cli.instants import Instant
from cogmem.errors import InvalidInput
from cogmem.records import in_iso
from cogmem.text.lines import day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.hosts.backfill import Session


@click.command(cls=Command)
@click.option("--host", "hosts", multiple=True, help="Only this host's sessions; repeatable.")
@click.option("--since", type=Instant(), help="Only sessions that ended after this instant.")
@click.option("--yes", is_flag=True, help="Record them without asking.")
@click.option("--background", is_flag=True, help="Record them in a process of its own.")
@click.option("--dry-run", is_flag=True, help="Show what there is, and record nothing.")
@click.option("--undo", "undo", metavar="BATCH", help="Take back what one call recorded; `last`.")
@call
def backfill(
    it: Call,
    hosts: Sequence[str],
    since: datetime | None,
    yes: bool,
    background: bool,
    dry_run: bool,
    undo: str | None,
) -> None:
    """Record the sessions that agents kept on this machine.

    Shows what there is by host and project, and asks before anything is read. Each session goes into the project of
    its folder, secrets are taken out, and what is found in it waits: `cogmem review --only candidate`. The next call
    resumes where one stopped, and records only what is new.

    JSON: {sessions: [{host, project, sessions, bytes, began_at, ended_at, waiting}], recorded: {batch,
    sessions, messages, proposed, bytes, faults}}.
    """
    from cogmem.hosts import backfill as filling

    if undo is not None:
        take_back(it, undo)
        return
    since_at = 0 if since is None else int(since.timestamp() * 1000)
    found = filling.sessions(hosts, since=since_at)
    with it.open(must_exist=False) as mem:
        left = filling.waiting(mem, found)
        table = _by_project(found, {one.path for one in left})
        if not it.json:
            _show(table)
        is_wanted = bool(left) and not dry_run and (yes or _asked(it, left))
        if is_wanted and background:
            _aside(it, hosts, since)
            return
        done = None
        if is_wanted:
            with show.progress("recording", "bytes") as progress:
                done = filling.record(mem, left, user=it.user or "", progress=progress)
    told = None if done is None else done.as_dict()

    def human() -> None:
        if done is None:
            if found and not left:
                click.echo("All of it is recorded.")
            return
        click.echo(
            f"Recorded {show.counted(done.messages, 'message', 'messages')} of "
            f"{show.counted(done.sessions, 'session', 'sessions')}; "
            f"{show.counted(done.proposed, 'memory waits', 'memories wait')}: `cogmem review --only candidate`."
        )
        for path, reason in done.faults:
            click.echo(f"cogmem: {path}: {reason}", err=True)
        click.echo(f"`cogmem chat backfill --undo {done.batch}` takes it back.")

    it.say({"sessions": [in_iso(row) for row in table], "recorded": told}, human)


def _by_project(found: Sequence[Session], left: set[str]) -> list[dict[str, Any]]:
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for one in found:
        counts = {"sessions": 0, "bytes": 0, "waiting": 0}
        days = {"began_at": one.began_at, "ended_at": one.ended_at}
        named = {"host": one.host, "project": one.label or one.folder or "(none)"}
        row = rows.setdefault((one.host, one.project), named | counts | days)
        row["sessions"] += 1
        row["bytes"] += one.size
        row["began_at"] = min(row["began_at"], one.began_at)
        row["ended_at"] = max(row["ended_at"], one.ended_at)
        row["waiting"] += one.path in left
    return list(rows.values())


def _show(table: Sequence[dict[str, Any]]) -> None:
    columns = ("host", "project", "sessions", "to record", "size", "days")
    rows = [
        (*(row[name] for name in ("host", "project", "sessions", "waiting")),
         show.size(row["bytes"]), f"{day(row['began_at'])} to {day(row['ended_at'])}")
        for row in table
    ]  # fmt: skip
    show.table(columns, rows, none="No host keeps sessions on this machine.")


def _asked(it: Call, left: Sequence[Session]) -> bool:
    """Tell whether a person says yes; who cannot be asked has not said it."""
    if it.json or not sys.stdin.isatty():
        click.echo("cogmem: nothing is recorded without a yes: add --yes", err=True)
        return False
    size = show.size(sum(one.size for one in left))
    return click.confirm(f"Record {show.counted(len(left), 'session', 'sessions')} ({size})?")


def _aside(it: Call, hosts: Sequence[str], since: datetime | None) -> None:
    """Make the same call in a process of its own, which outlives this one."""
    import subprocess

    words = [sys.executable, "-P", "-X", "utf8", "-m", "cogmem", "--db", it.path]
    words += ["--user", it.user] if it.user else []
    words += ["chat", "backfill", "--yes", *(word for host in hosts for word in ("--host", host))]
    words += [] if since is None else ["--since", since.isoformat()]
    nothing = subprocess.DEVNULL
    subprocess.Popen(words, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
    click.echo(
        "It goes on in the background: `cogmem chat backfill --dry-run` shows how far it is."
    )


def take_back(it: Call, batch: str) -> None:
    """Take back what one call recorded, of a backfill or of an import."""
    with it.open() as mem:
        known = mem.backfilled.batches()
        names = [row.batch for row in known]
        if batch == "last" and names:
            batch = names[0]
        if batch not in names:
            raise InvalidInput(
                f"no backfill or import is called {batch!r}: "
                + (f"there are {', '.join(names[:5])}" if names else "nothing was recorded yet")
            )
        back = mem.backfilled.undo(batch, now=mem.instant(None))
    it.say(
        {"batch": batch, **back.as_dict()},
        f"took back {show.counted(back.conversations, 'conversation', 'conversations')} and "
        f"{show.counted(back.memories, 'candidate', 'candidates')}"
        + (
            f"; {show.counted(back.went_on, 'conversation', 'conversations')} in which more was said since"
            f" {'stays' if back.went_on == 1 else 'stay'}"
            if back.went_on
            else ""
        ),
    )
