"""`cogmem chat`: conversations that were recorded, or come from elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Group, call, note, now, one_line, says_yes, shown
from cogmem.cli.complete import SESSION
from cogmem.cli.instants import Instant
from cogmem.cli.method import calls
from cogmem.conversation.conversations import Conversations
from cogmem.errors import InvalidInput
from cogmem.memory import Memory
from cogmem.records import in_iso
from cogmem.text.lines import counted, day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.conversation.conversation import Conversation
    from cogmem.conversation.conversations import ConversationBrief
    from cogmem.hosts.backfill import Session
    from cogmem.hosts.talk_files import Recorded


FORMATS = (
    *("messages", "openai", "anthropic", "chatgpt", "letta", "claude-code"),
    *("codex", "droid", "gemini", "opencode", "cursor", "pi", "copilot", "qwen"),
)


@click.group("chat", cls=Group)
def chat() -> None:
    """Import, show, search, summarise and expand conversations."""


def _found(mem: Memory, name: str | None) -> Conversation:
    """Return a conversation by its name or the beginning of it; without one, the latest."""
    rows = mem.conversations.list(limit=0 if name else 1)
    exact = [row for row in rows if name is None or row.name == name]
    rows = exact or [row for row in rows if name and row.name.startswith(name)]
    if not rows:
        what = "recorded" if name is None else f"called {name!r}"
        raise InvalidInput(f"no conversation is {what}: `cogmem chat list` shows what is here")
    if len(rows) > 1 and not exact:
        raise InvalidInput(f"{len(rows)} conversations begin with {name!r}: write more of the name")
    row = max(rows, key=lambda row: (row.user != "", row.project != ""))
    return mem.conversation(row.name, user=row.user, project=row.project, runtime=row.runtime)


@chat.command("import")
@click.argument("source", required=False)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="Default: recognised by its first line."
)
@click.option(
    "--name", help="The conversation, where the file names none; default: the file's name."
)
@click.option(
    "--summarise/--no-summarise", default=True, help="Summarise and archive what came in."
)
@click.option("--dry-run", is_flag=True, help="Say what would come in; change nothing.")
@click.option("--undo", metavar="BATCH", help="Take back what one call recorded; `last`.")
@call
def import_(
    it: Call,
    source: str | None,
    form: str | None,
    name: str | None,
    summarise: bool,
    dry_run: bool,
    undo: str | None,
) -> None:
    """Record the conversations of SOURCE: a file, a folder of files, or standard input (`-`).

    Agents' sessions are known by their form; `cogmem chat backfill` finds them by itself. Importing a file again adds
    only what is new in it.

    JSON: conversations, appended, unchanged, format, bad, batch, dry_run, before, after.
    """
    from cogmem.hosts import talk_files

    if undo is not None:
        take_back(it, undo)
        return
    if source is None:
        raise click.UsageError("name the file or the folder to import; `-` is standard input")
    if source == "-" and not name:
        raise click.UsageError("standard input has no name: give the conversation one with --name")
    files = talk_files.found(os.path.expanduser(source))
    with it.open(must_exist=False) as mem:
        with show.progress("reading" if dry_run else "importing") as progress:
            given = sys.stdin.buffer if source == "-" else None
            how: dict[str, Any] = {"form": form, "name": name or "", "dry_run": dry_run}
            done = talk_files.record(mem, files, given, **how, now=now(), progress=progress)
        if summarise and not dry_run:
            with show.progress("summarising") as progress:
                for number, talk in enumerate(done.conversations, 1):
                    if done.conversations[talk]:
                        mem.conversation(talk).keep_up()
                    progress(number)
    told = ("conversations", "appended", "unchanged", "bad", "batch", "before", "after")
    answer = {name: getattr(done, name) for name in told} | {"dry_run": dry_run}
    answer["format"] = ", ".join(sorted({form for form in done.forms.values() if form})) or None
    it.say(answer, lambda: _tell_import(done, dry_run, names_files=len(files) > 1))


def _tell_import(done: Recorded, dry_run: bool, *, names_files: bool) -> None:
    known = f", {done.unchanged} were here" if done.unchanged else ""
    would = "would record" if dry_run else "recorded"
    click.echo(
        f"{would} {counted(done.appended, 'message')} of "
        f"{counted(len(done.conversations), 'conversation')}{known}"
    )
    for fault in done.bad[:20]:
        place = f"{fault['file']}, line" if names_files else "line"
        click.echo(f"{place} {fault['line']} is left out: {fault['reason']}")
    if len(done.bad) > 20:
        click.echo(f"… and {len(done.bad) - 20} more lines")
    then = "would be here" if dry_run else "now"
    click.echo(f"{counted(done.before, 'message')} before, {done.after} {then}")
    if done.appended and not dry_run:
        click.echo(f"`cogmem chat import --undo {done.batch}` takes it back")


@chat.command("list")
@calls(Conversations.list, "limit=20", here=True)
def list_(found: list[ConversationBrief]) -> None:
    """List conversations, the latest first.

    JSON: [{name, title, runtime, user, project, messages, created_at, last_at}].
    """
    columns = {"name": "name", "messages": "messages", "last": "last_at", "title": "title"}
    none = "no conversation is recorded here (--project names another place)"
    show.table(found, columns, none=none)


@chat.command("show")
@click.argument("name", required=False, type=SESSION)
@click.option("--from", "start", type=int, help="The first message to show, by its number.")
@click.option("--limit", default=50, show_default=True, help="The most messages to show.")
@call
def show_(it: Call, name: str | None, start: int | None, limit: int) -> None:
    """Show the messages of conversation NAME; default: the newest of the latest conversation.

    JSON: [{id, seq, origin, role, speaker, parts, text, tokens, version, segment_id, at}].
    """
    with it.open(here=True, read_only=True) as mem:
        talk = _found(mem, name)
        messages = talk.recent(limit) if start is None else talk.messages(start, start + limit)
        rows = [message.as_dict() for message in messages]
        texts = [message.told() for message in messages]

    def people() -> None:
        for row, text in zip(rows, texts, strict=True):
            edited = f" (version {row['version']})" if row["version"] > 1 else ""
            click.echo(
                f"[{row['seq']}] {show.when(row['at'])} {one_line(row['speaker'] or row['role'])}{edited}"
            )
            click.echo(shown("\n".join(f"    {line}" for line in text.split("\n"))))

    it.say(rows, people)


@chat.command("expand")
@click.argument("uid", required=False)
@click.option("--in", "name", help="The conversation; default: the latest.")
@click.option("--limit", default=20, show_default=True, help="The most messages to show.")
@call
def expand(it: Call, uid: str | None, name: str | None, limit: int) -> None:
    """Show what summary UID was made from; without UID, list the summaries of the conversation.

    JSON: uid, depth, earliest_seq, latest_seq, children, messages, omitted; without UID: index.
    """
    with it.open(here=True, read_only=True) as mem:
        talk = _found(mem, name)
        if uid is None:
            index = talk.index(20_000)
            none = "nothing is summarised yet: `cogmem chat summarise` does it"
            it.say({"index": index}, shown(index.rstrip()) or none)
            return
        found = talk.expand(uid, limit=limit)
    answer: dict[str, Any] = {**found.as_dict(), "messages": [m.as_dict() for m in found.messages]}

    def people() -> None:
        for child in found.children:
            click.echo(f"{child.uid}  messages {child.earliest_seq} to {child.latest_seq}")
            click.echo(shown("\n".join(f"    {line}" for line in child.content.split("\n"))))
        if found.omitted:
            click.echo(f"({found.omitted} older messages are not shown: --limit)")
        for message in found.messages:
            click.echo(
                f"[{message.seq}] {one_line(message.speaker or message.role)}: {shown(message.told())}"
            )

    it.say(answer, people)


@chat.command("summarise")
@click.argument("name", required=False, type=SESSION)
@click.option("--compact", is_flag=True, help="Drop the text of summaries that others tell.")
@call
def summarise(it: Call, name: str | None, compact: bool) -> None:
    """Summarise what is new in conversation NAME, and archive the oldest of a long one.

    The model does it where one is set, otherwise rules. Nothing said is lost. JSON: leaves, condensed,
    retold, ingested_seq, archived, pruned.
    """
    with it.open(here=True) as mem:
        talk = _found(mem, name)
        archived = talk.recover().messages
        done = talk.ingest()
        while moved := talk.archive().messages:
            archived += moved
        pruned = talk.compact().leaf_pruned if compact else 0
    answer = {**done.as_dict(), "archived": archived, "pruned": pruned}
    made = done.leaves + done.condensed + done.retold
    said = f"{talk.name}: {counted(made, 'summary', 'summaries')}, {counted(archived, 'message')} archived"
    it.say(answer, said + (f", the text of {pruned} dropped" if compact else ""))


@chat.command("search")
@click.argument("pattern")
@click.option("--in", "name", help="The conversation; default: the latest.")
@click.option("--limit", default=20, show_default=True)
@call
def search(it: Call, pattern: str, name: str | None, limit: int) -> None:
    """Search what was said for the regular expression PATTERN. Exit code 3: nothing found.

    JSON: matches [{seq, role, excerpt}], is_cut.
    """
    with it.open(here=True, read_only=True) as mem:
        found = _found(mem, name).search(pattern, limit=limit)
    answer = {"matches": found.matches, "is_cut": found.is_cut}
    it.say(answer, shown(found.text()), code=0 if found.matches else 3)


@chat.command("window")
@click.argument("name", required=False, type=SESSION)
@click.option("--budget", default=4000, show_default=True, help="Tokens that the window may have.")
@call
def window(it: Call, name: str | None, budget: int) -> None:
    """Show what a prompt would get of a conversation within a budget.

    JSON: messages, tokens, budget, is_whole, first_seq, gap, shown, omitted.
    """
    with it.open(here=True, read_only=True) as mem:
        found = _found(mem, name).window(budget)

    def people() -> None:
        from cogmem.conversation.parts import told

        for message in found.messages:
            click.echo(f"{message['role']}: {shown(told(message['parts']))}")
        click.echo(f"({found.tokens} of {found.budget} tokens)", err=True)

    it.say(found.as_dict(), people)


@chat.command()
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
            _show_sessions(table)
        is_wanted = bool(left) and not dry_run
        if is_wanted and not yes:
            what = counted(len(left), "session")
            size = show.size(sum(one.size for one in left))
            is_wanted = says_yes(
                it, f"Record {what} ({size})?", "nothing is recorded without a yes"
            )
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
            f"Recorded {counted(done.messages, 'message')} of "
            f"{counted(done.sessions, 'session')}; "
            f"{counted(done.proposed, 'memory waits', 'memories wait')}: `cogmem review --only candidate`."
        )
        for path, reason in done.faults:
            note(f"{path}: {reason}")
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


def _show_sessions(table: Sequence[dict[str, Any]]) -> None:
    columns: show.Columns = {
        "host": "host", "project": "project", "sessions": "sessions", "to record": "waiting",
        "size": lambda row: show.size(row["bytes"]),
        "days": lambda row: f"{day(row['began_at'])} to {day(row['ended_at'])}",
    }  # fmt: skip
    show.table(table, columns, none="No host keeps sessions on this machine.")


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
        f"took back {counted(back.conversations, 'conversation')} and "
        f"{counted(back.memories, 'candidate')}"
        + (
            f"; {counted(back.went_on, 'conversation')} in which more was said since"
            f" {'stays' if back.went_on == 1 else 'stay'}"
            if back.went_on
            else ""
        ),
    )
