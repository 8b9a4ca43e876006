"""Commands for one memory on several machines, and for what a team shares in its repository."""

from __future__ import annotations

import os
import sys

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, call, note
from cogmem.errors import CogmemError, InvalidInput
from cogmem.file.places import is_address
from cogmem.text.lines import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.memory import Memory
    from cogmem.sync.exchange import Synced, What


@click.command(cls=Command)
@click.argument("target", required=False)
@click.option(
    "--what", is_flag=True, help="Show what would leave and how much would come; move nothing."
)
@click.option("--peers", is_flag=True, help="List the files and folders that were met.")
@click.option(
    "--stdio", is_flag=True, help="Answer the cogmem at the other end of a pipe, as ssh starts it."
)
@click.option(
    "--new-key", is_flag=True, help="Make a key that encrypts a folder's files, and print it."
)
@call
def sync(it: Call, target: str | None, what: bool, peers: bool, stdio: bool, new_key: bool) -> None:
    """Exchange what two files know, both ways.

    TARGET is another memory file, a folder that both machines see (it ends with /),
    ssh://host/path or host:path, or the address of a hub (with its token in COGMEM_SYNC_TOKEN).
    With --user only what that user sees is exchanged. A key in COGMEM_SYNC_KEY encrypts what lies in a folder.

    JSON: target, sent, received, forgotten, refused, ahead, waiting, outstanding; counted when acts came: conflicts,
    without_key, overwritten.
    With --what: target, acts, leaving, reasons, receiving. With --peers: [origin, is_self, label, met_at].
    """
    if new_key:
        from cogmem.sync.folder import KEY
        from cogmem.sync.folder import new_key as made

        key = made()
        told = f"Put it into {KEY} on each machine. Nobody can read the folder without it."
        it.say({"key": key}, f"{key}\n{told}")
        return
    with it.open(must_exist=stdio or what or peers) as mem:
        if stdio:
            mem.sync.serve_pipe(sys.stdin.buffer, sys.stdout.buffer)
        elif peers:
            _peers(it, mem)
        elif target is None:
            raise click.UsageError("name a TARGET: a file, a folder, ssh://host/path or a hub")
        elif what:
            would = mem.sync.what(target, user=it.user)
            it.say(would.as_dict(), lambda: _would(would))
        else:
            done = mem.sync.exchange(target, user=it.user)
            it.say(done.as_dict(), lambda: _done(done))


def _peers(it: Call, mem: Memory) -> None:
    columns: show.Columns = {
        "name": "origin", "what": lambda one: "this file" if one.is_self else one.label, "met (UTC)": "met_at",
    }  # fmt: skip
    show.rows(it, mem.sync.peers(), columns)


def _would(would: What) -> None:
    if would.receiving:
        click.echo(f"would take {_acts(would.receiving)}")
    if not would.leaving:
        click.echo("nothing would leave")
        return
    click.echo(f"would send {_acts(would.acts)}:")
    rows: list[tuple[object, ...]] = []
    for one in would.leaving:
        rows.append((one.subject, one.acts, one.user, one.project, one.content))
        rows += [("", "", "", "", text) for text in one.texts]
    show.grid(("what", "acts", "user", "project", "texts"), rows)
    click.echo(f"with who did it and why: {', '.join(would.reasons)}")


def _done(done: Synced) -> None:
    if not (done.sent or done.received or done.forgotten):
        click.echo("nothing new")
    else:
        sent, received = _acts(done.sent), _acts(done.received)
        gone = f", forgot {done.forgotten} that others forgot" if done.forgotten else ""
        click.echo(f"sent {sent}, received {received}{gone}")
    for reason, count in done.refused.items():
        click.echo(f"left outside {count} × {reason}")
    for origin, ms in done.ahead.items():
        click.echo(
            f"the clock of {origin} is {ms // 3_600_000} hours ahead: its acts wait until then, or"
            " set that clock right"
        )
    if done.waiting:
        click.echo("files of the folder that are not whole come in when they are: sync again then")
    for path in done.outstanding:
        click.echo(f"may still hold what was forgotten: {path}; `cogmem file scrub` tries again")
    for count, one, many, way in (
        (done.conflicts, "contradiction", "contradictions", "fact conflicts list --everywhere"),
        (
            done.without_key,
            "memory whose key another took",
            "memories whose keys others took",
            'sql "select * from claim"',
        ),
        (
            done.overwritten,
            "text written over unseen",
            "texts written over unseen",
            'sql "select * from overwritten"',
        ),
    ):
        if count:
            click.echo(f"{counted(count, one, many)} to look at: `cogmem {way}`")


def _acts(count: int) -> str:
    return counted(count, "act")


@click.command(cls=Command)
@click.option("--tokens", required=True, help="The file of tokens; --add-user makes it.")
@click.option("--add-user", help="Make a token for this user, print it once and end; * sees all.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8377, show_default=True)
@call
def serve(it: Call, tokens: str, add_user: str | None, host: str, port: int) -> None:
    """Serve the memory as a hub that others sync with.

    Each client needs a token, and exchanges only what its user may see. It speaks plain HTTP: put
    a proxy with TLS in front before other machines come.

    JSON: with --add-user: user, token; else url.
    """
    if is_address(it.path):
        from cogmem.sync.sync import OF_FILES

        raise InvalidInput(OF_FILES)
    if add_user is not None:
        from cogmem.sync.hub import new_token

        token = new_token(tokens, add_user)
        told = f"It is shown once; take its line out of {tokens} to end it."
        it.say({"user": add_user, "token": token}, f"{token}\n{told}")
        return
    with it.open() as mem:
        if not (os.path.isfile(tokens) and os.access(tokens, os.R_OK)):
            raise InvalidInput(f"there are no tokens at {tokens}: make one with --add-user")
        hub = mem.sync.hub(tokens, host=host, port=port)
        url = f"http://{host}:{hub.server_address[1]}"
        it.say({"url": url}, f"serving {mem.path} at {url}; end it with ctrl-c")
        sys.stdout.flush()
        try:
            hub.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            click.echo("ended", err=True)
        finally:
            hub.server_close()


# -- what a team shares in its repository ----------------------------------------------------------


@click.command(cls=Command)
@click.argument("names", nargs=-1)
@click.option("--take", is_flag=True, help="Let the file win over what this memory says now.")
@click.option("--setup", is_flag=True, help="Tell git how edits of one shared memory are merged.")
@call
def share(it: Call, names: tuple[str, ...], take: bool, setup: bool) -> None:
    """Write memories into .cogmem/memories of this repository, for others to review.

    NAME is a uid or key. Commit the files and open a pull request; `cogmem docs sync` takes in what was merged.

    JSON: [path]; with --take [{what, uid, path}]; with --setup [what].
    """
    from cogmem.sync.shared import set_up

    root = _root()
    if setup:
        done = set_up(root)
        it.say(done, "\n".join(f"told git in {one}" for one in done))
        return
    if not names:
        raise click.UsageError("name a memory to share, or --setup")
    with it.open(here=True) as mem:
        if take:
            found = [one for name in names for one in mem.sharing.take_in(root, take=name).done]
            told = "\n".join(f"{one.what} {one.uid}" for one in found)
            it.say(found, told or "nothing changed")
            return
        paths = [mem.sharing.propose(name, root) for name in names]
    shown = "\n".join(os.path.relpath(path) for path in paths)
    it.say(paths, f"{shown}\ncommit it and let others review it")


@click.command("check", cls=Command)
@click.argument("folder", default=".")
@call
def check_shared(it: Call, folder: str) -> None:
    """Check the shared memories of a repository, without a database: for CI.

    It reports files that cannot be read, what the guard refuses, duplicate keys and topics,
    contradictions, and dead paths and links. Exit code 1 if there are any. JSON: [sentence].
    """
    from cogmem.sync.shared import FOLDER, faults

    if not os.path.isdir(folder):
        raise InvalidInput(f"{folder} is not a folder: name the repository")
    found = faults(folder)
    is_there = os.path.isdir(os.path.join(folder, FOLDER))
    well = "the shared memories are sound" if is_there else f"there is no {FOLDER} to check"
    it.say(found, "\n".join(found) or well, code=1 if found else 0)


@click.command("merge", cls=Command)
@click.argument("base")
@click.argument("ours")
@click.argument("theirs")
@click.pass_context
def merge_shared(ctx: click.Context, base: str, ours: str, theirs: str) -> None:
    """Merge two edits of one shared memory, as git asks for it.

    The result stands in OURS. Exit code 1 if a person has to look at it.
    """
    from cogmem.sync.shared import merged

    try:
        text, is_clean = merged(*(_read(path) for path in (base, ours, theirs)))
    except CogmemError as error:
        note(str(error))
        ctx.exit(1)
    with open(ours, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    ctx.exit(0 if is_clean else 1)


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        raise InvalidInput(f"{path} cannot be read") from None


def _root() -> str:
    """Return the top of the repository at hand."""
    from cogmem.documents.discover import git_root

    root = git_root(os.getcwd())
    if not root:
        raise InvalidInput("this is not a repository: go into the clone of the team's repository")
    return root


sync.parts = {"serve": serve, "share": share, "check": check_shared, "merge": merge_shared}
