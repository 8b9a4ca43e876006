"""Commands for memories that a team shares in its repository."""

from __future__ import annotations

import os

import click

from cogmem.cli.call import Call, Command, call
from cogmem.errors import CogmemError, InvalidInput


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
@click.pass_context
def check_shared(ctx: click.Context, folder: str) -> None:
    """Check the shared memories of a repository, without a database: for CI.

    It reports files that cannot be read, what the guard refuses, duplicate keys and topics,
    contradictions, and dead paths and links. Exit code 1 if there are any. JSON: [sentence].
    """
    from cogmem.sync.check_shared import faults
    from cogmem.sync.shared_files import FOLDER

    if not os.path.isdir(folder):
        raise InvalidInput(f"{folder} is not a folder: name the repository")
    found = faults(folder)
    is_there = os.path.isdir(os.path.join(folder, FOLDER))
    well = "the shared memories are sound" if is_there else f"there is no {FOLDER} to check"
    ctx.ensure_object(Call).say(found, "\n".join(found) or well)
    ctx.exit(1 if found else 0)


@click.command("merge", cls=Command)
@click.argument("base")
@click.argument("ours")
@click.argument("theirs")
@click.pass_context
def merge_shared(ctx: click.Context, base: str, ours: str, theirs: str) -> None:
    """Merge two edits of one shared memory, as git asks for it.

    The result stands in OURS. Exit code 1 if a person has to look at it.
    """
    from cogmem.sync.merging import merged

    try:
        text, is_clean = merged(*(_read(path) for path in (base, ours, theirs)))
    except CogmemError as error:
        click.echo(f"cogmem: {error}", err=True)
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
