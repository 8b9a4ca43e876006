"""`cogmem chat`: conversations that were recorded, or come from elsewhere."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Group, call, one_line, shown
from cogmem.cli.complete import SESSION
from cogmem.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.memory import Memory

FORMATS = ("messages", "openai", "anthropic", "claude-code", "chatgpt", "letta")


@click.group("chat", cls=Group)
def chat() -> None:
    """Conversations: import, show, expand, search, window."""


def _found(mem: Memory, name: str | None) -> Conversation:
    """A conversation by its name or the beginning of it; without one, the latest."""
    rows = mem.conversations.list(limit=0 if name else 1)
    exact = [row for row in rows if name is None or row["name"] == name]
    rows = exact or [row for row in rows if name and row["name"].startswith(name)]
    if not rows:
        raise InvalidInput(f"no conversation {name!r} here: `cogmem chat list` shows them")
    if len(rows) > 1 and not exact:
        raise InvalidInput(f"{len(rows)} conversations begin with {name!r}: write more of the name")
    row = max(rows, key=lambda row: (row["user"] != "", row["project"] != ""))
    return mem.conversation(
        row["name"], user=row["user"], project=row["project"], runtime=row["runtime"]
    )


@contextmanager
def _lines(source: str) -> Iterator[Iterable[bytes]]:
    if source == "-":
        yield sys.stdin.buffer
    elif os.path.isdir(source):
        raise InvalidInput(f"{source} is a folder: name the file to import")
    else:
        with open(source, "rb") as file:
            yield file


@chat.command("import")
@click.argument("source")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="Default: recognised by its first line."
)
@click.option(
    "--name", help="The conversation, where the file names none; default: the file's name."
)
@click.option(
    "--summarise/--no-summarise", default=True, help="Summarise and archive what came in."
)
@call
def import_(it: Call, source: str, form: str | None, name: str | None, summarise: bool) -> None:
    """Record a conversation from SOURCE (`-` is standard input).

    Importing a file again adds only what is new in it. JSON: conversations, appended,
    unchanged, bad.
    """
    from cogmem.hosts.transcripts import Importing, Reader

    default = name or (os.path.splitext(os.path.basename(source))[0] if source != "-" else "")
    if not default:
        raise click.UsageError("standard input has no name: give the conversation one with --name")
    with it.open(must_exist=False) as mem, _lines(source) as data:
        reader = Reader(data, form, now=_now())
        work = Importing(mem.conversation, default)
        with show.progress("importing") as progress:
            for count in work.take(reader.pieces()):
                progress(count)
        if summarise:
            with show.progress("summarising") as progress:
                for number, talk in enumerate(work.appended, 1):
                    if work.appended[talk]:
                        mem.conversation(talk).keep_up()
                    progress(number)
    bad = [{"line": place, "reason": reason} for place, reason in reader.bad]
    answer = {
        "conversations": work.appended,
        "appended": sum(work.appended.values()),
        "unchanged": work.unchanged,
        "format": reader.form,
        "bad": bad,
    }

    def people() -> None:
        known = f", {work.unchanged} were here" if work.unchanged else ""
        click.echo(
            f"recorded {answer['appended']} messages of {len(work.appended)} conversations{known}"
        )
        for fault in bad[:20]:
            click.echo(f"line {fault['line']} is left out: {fault['reason']}")
        if len(bad) > 20:
            click.echo(f"… and {len(bad) - 20} more lines")

    it.say(answer, people)


def _now() -> int:
    import time

    return time.time_ns() // 1_000_000


@chat.command("list")
@click.option("--limit", default=20, show_default=True)
@call
def list_(it: Call, limit: int) -> None:
    """The conversations, the latest first.

    JSON: [{name, title, runtime, user, project, messages, created_at, last_at}].
    """
    with it.open(here=True) as mem:
        rows = mem.conversations.list(limit=limit)
    columns = ("name", "messages", "last", "title")
    it.say(
        rows,
        lambda: show.table(
            columns,
            [
                (row["name"], row["messages"], show.when(row["last_at"]), row["title"])
                for row in rows
            ],
            none="no conversation is recorded",
        ),
    )


@chat.command("show")
@click.argument("name", required=False, type=SESSION)
@click.option("--from", "start", type=int, help="The first message to show, by its number.")
@click.option("--limit", default=50, show_default=True, help="The most messages to show.")
@call
def show_(it: Call, name: str | None, start: int | None, limit: int) -> None:
    """The messages of conversation NAME, or of the latest one; the newest unless --from is given.

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
@click.option("--matching", metavar="WORDS", help="Without UID: the summaries that share words.")
@click.option("--limit", default=20, show_default=True, help="The most messages to show.")
@call
def expand(it: Call, uid: str | None, name: str | None, matching: str | None, limit: int) -> None:
    """What summary UID was made from; without UID, the summaries of the conversation.

    JSON: uid, depth, earliest_seq, latest_seq, children, messages, omitted; without UID: index;
    with --matching: [{uid, depth, content, expand_hint, earliest_seq, latest_seq, score …}].
    """
    with it.open(here=True, read_only=True) as mem:
        talk = _found(mem, name)
        if matching and uid is None:
            from cogmem.conversation.expand import find_nodes

            nodes = [{**node, "score": score} for node, score in find_nodes(talk, matching, limit)]
            spans = [f"{node['earliest_seq']} to {node['latest_seq']}" for node in nodes]
            rows = [
                (node["uid"], span, one_line(node["content"]))
                for node, span in zip(nodes, spans, strict=True)
            ]
            columns = ("uid", "messages", "content")
            it.say(nodes, lambda: show.table(columns, rows, none="no summary shares a word"))
            return
        if uid is None:
            index = talk.index(20_000)
            it.say({"index": index}, shown(index.rstrip()) or "nothing is summarised yet")
            return
        found = talk.expand(uid, limit=limit)
    answer: dict[str, Any] = {**found.as_dict(), "messages": [m.as_dict() for m in found.messages]}

    def people() -> None:
        for child in found.children:
            click.echo(f"{child['uid']}  messages {child['earliest_seq']} to {child['latest_seq']}")
            click.echo(shown("\n".join(f"    {line}" for line in child["content"].split("\n"))))
        if found.omitted:
            click.echo(f"({found.omitted} older messages are not shown: --limit)")
        for message in found.messages:
            click.echo(
                f"[{message.seq}] {one_line(message.speaker or message.role)}: {shown(message.told())}"
            )

    it.say(answer, people)


@chat.command("search")
@click.argument("pattern")
@click.option("--in", "name", help="The conversation; default: the latest.")
@click.option("--limit", default=20, show_default=True)
@call
def search(it: Call, pattern: str, name: str | None, limit: int) -> None:
    """Where the regular expression PATTERN stands in what was said. Exit code 3: nowhere.

    JSON: matches [{seq, role, excerpt}], is_cut.
    """
    with it.open(here=True, read_only=True) as mem:
        found = _found(mem, name).search(pattern, limit=limit)
    it.say(
        {"matches": [match.as_dict() for match in found.matches], "is_cut": found.is_cut},
        shown(found.text()),
    )
    if not found.matches:
        raise SystemExit(3)


@chat.command("window")
@click.argument("name", required=False, type=SESSION)
@click.option("--budget", default=4000, show_default=True, help="Tokens that the window may have.")
@call
def window(it: Call, name: str | None, budget: int) -> None:
    """What of a conversation a prompt would get within a budget.

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


COMMANDS = {"chat": chat}
