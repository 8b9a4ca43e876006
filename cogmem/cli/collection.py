"""The two small collections that every prompt shows: about the user, and about the environment."""

from __future__ import annotations

import click

from cogmem.cli.call import Call, Group, call, now, one_line, read_text, shown
from cogmem.cli.complete import SESSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

target = click.argument("target", type=click.Choice(("user", "env")))


@click.group(cls=Group)
def collection() -> None:
    """Two small lists that every prompt shows: about the user, and about the environment."""


@collection.command("show")
@click.argument("target", type=click.Choice(("user", "env")), required=False)
@call
def collection_show(it: Call, target: str | None) -> None:
    """Show the entries and how full each collection is. JSON: [{target, entries, characters, limit}]."""
    with it.open(read_only=True, here=True) as mem:
        held = mem.collections()
        found: list[dict[str, Any]] = []
        for one in (target,) if target else ("user", "env"):
            full = {"characters": len(held.text(one)), "limit": held.limit(one)}
            found.append({"target": one, "entries": held.entries(one), **full})

    def human() -> None:
        for one in found:
            full = f" of {one['limit']}" if one["limit"] else ""
            click.echo(f"{one['target']}: {one['characters']}{full} characters")
            for entry in one["entries"]:
                click.echo(f"- {one_line(entry)}")

    it.say(found, human)


@collection.command("add")
@target
@click.argument("text")
@click.option(
    "--no-merge", is_flag=True, help="Keep it apart from an entry that says nearly the same."
)
@call
def collection_add(it: Call, target: str, text: str, no_merge: bool) -> None:
    """Add TEXT; `-` reads standard input. JSON: as learn."""
    with it.open(must_exist=False) as mem:
        held = mem.collections(merge_on_write=not no_merge)
        learned = held.add(target, read_text(text), now=now())
    it.say(learned.as_dict(), f"{learned.outcome}: {learned.uid}")


@collection.command("replace")
@target
@click.argument("old")
@click.argument("new")
@call
def collection_replace(it: Call, target: str, old: str, new: str) -> None:
    """Replace the one entry that contains OLD with NEW. JSON: uid."""
    with it.open(here=True) as mem:
        uid = mem.collections().replace(target, old, read_text(new), now=now())
    it.say({"uid": uid}, f"replaced: {uid}")


@collection.command("remove")
@target
@click.argument("old")
@call
def collection_remove(it: Call, target: str, old: str) -> None:
    """Remove the one entry that contains OLD; `restore` brings it back. JSON: uid."""
    with it.open(here=True) as mem:
        uid = mem.collections().remove(target, old, now=now())
    it.say({"uid": uid}, f"removed: {uid}; `cogmem restore {uid}` brings it back")


@collection.command("consolidate")
@target
@call
def collection_consolidate(it: Call, target: str) -> None:
    """Have the model join entries that belong together. JSON: before, after."""
    with it.open() as mem:
        done = mem.collections().consolidate(target, now=now())
    it.say(done, f"{done.before} entries before, {done.after} now")


@collection.command("prompt")
@click.argument("query", default="")
@click.option(
    "--session", type=SESSION, metavar="ID", default="", help="Add the last lines of this session."
)
@click.option("--lines", default=20, show_default=True, help="The most lines of it; 0: none.")
@call
def collection_prompt(it: Call, query: str, session: str, lines: int) -> None:
    """Print both collections as a block for a system prompt.

    With QUERY it ends with the three past sessions that resemble it. JSON: text.
    """
    from cogmem.tools.odek_set import system_prompt

    with it.open(read_only=True, here=True) as mem:
        text = system_prompt(mem, read_text(query) if query else "", session, lines)
    it.say({"text": text}, shown(text.rstrip()) or "nothing is held")


@collection.command("write")
@click.argument("folder", type=click.Path(file_okay=False))
@call
def collection_write(it: Call, folder: str) -> None:
    """Write both collections into FOLDER as user.md and env.md. JSON: files."""
    with it.open(read_only=True, here=True) as mem:
        files = mem.collections().write_files(folder)
    it.say({"files": files}, "\n".join(files))


@collection.command("read")
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@call
def collection_read(it: Call, folder: str) -> None:
    """Add the entries of FOLDER's user.md and env.md, separated by lines with a § sign.

    JSON: what was refused, by target.
    """
    with it.open(must_exist=False) as mem:
        refused = mem.collections().read_files(folder, now=now())

    def human() -> None:
        for one, faults in refused.items():
            for fault in faults:
                click.echo(f"{one}.md: {fault}")
        click.echo("read; `cogmem docs collection show` lists the entries")

    it.say(refused, human)
