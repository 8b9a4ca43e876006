"""Commands for documents and saved memories, what other programs remember, two small collections, and skills."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from typing import Any

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, Group, call, one_line, read_text, shown
from cogmem.cli.complete import SESSION
from cogmem.errors import InvalidInput
from cogmem.memory import Memory
from cogmem.store.policy import number
from cogmem.text.lines import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.documents.files import Problem
    from cogmem.documents.sections import Compared
    from cogmem.documents.skills import SkillsDone
    from cogmem.documents.workplace import TextConflict

SOURCES = (
    *("claude-code", "cursor", "basic-memory", "mem0", "letta", "claude-mem", "knowledge-graph"),
)
MOST_NAMES = 12  # of users or agents, in a line for people


def _open(it: Call) -> AbstractContextManager[Memory]:
    """Return the memory with the documents of the folder that --project names, else of this one."""
    return it.open(here=True, must_exist=False, documents=_folder(it))


def _folder(it: Call) -> str:
    folder = os.path.expanduser(it.project or ".")
    return folder if os.path.isdir(folder) else "."


@click.group(cls=Group)
def docs() -> None:
    """Documents (AGENTS.md …) and saved memories."""


@docs.command("show")
@click.option("--text", is_flag=True, help="Show what a prompt gets, word for word.")
@call
def show_documents(it: Call, text: bool) -> None:
    """List the documents and saved memories that apply here.

    JSON: cwd, root, user_dir, project, tokens, limit, documents, saved, left_out, problems, text.
    """
    from cogmem.tokens.bounds import Upper

    with _open(it) as mem:
        limit = int(number(mem.store.settings(), "stable_budget_tokens"))
        found = mem.documents.show(Upper().count, limit)

    def human() -> None:
        if text:
            click.echo(shown(found.text), nl=False)
            return
        columns: show.Columns = {
            "scope": "scope", "tokens": "tokens", "document": "path",
            "note": lambda one: "no room" if one.is_left_out else one.caution,
        }  # fmt: skip
        show.table(found.documents, columns, none="no documents apply here")
        if found.saved:
            click.echo()
            columns = {
                "type": "type", "for": lambda one: "all" if one.is_shared else "project",
                "saved memory": "name", "description": "description",
            }  # fmt: skip
            show.table(found.saved, columns)
        click.echo(f"\n{found.tokens} of {found.limit} tokens of each session's stable text")

    it.say(found, human, notes=_faults(found.problems))


@docs.command()
@call
def status(it: Call) -> None:
    """Say where files and database differ, and what is in conflict.

    JSON: documents {fresh, changed, gone}, saved [{name, state, path}], conflicts, elsewhere,
    problems.
    """
    with _open(it) as mem:
        found = mem.documents.status()

    def human() -> None:
        rows = _moved(found.documents)
        rows += [(one.state, one.path or one.name) for one in found.saved if one.state != "in step"]
        show.grid(("state", "file"), rows, none="files and database are in step")
        for conflict in found.conflicts:
            _show_conflict(conflict)
        for folder in found.elsewhere:
            click.echo(f"this project's memories are mirrored in {folder} too")

    it.say(found, human, notes=_faults(found.problems))


@docs.command()
@click.option(
    "--gone",
    type=click.Choice(("restore", "remove")),
    help="A folder of saved memories vanished: write its files again, or remove the memories.",
)
@call
def sync(it: Call, gone: str | None) -> None:
    """Take over what changed in files, and write what changed in the database.

    Runs by itself when a session begins. What changed on both sides is left to `docs resolve`. Called by hand it also
    takes in .cogmem/memories (`cogmem sync share`).

    JSON: documents {fresh, changed, gone}, done [{what, name, path}], conflicts, problems, shared
    {done [{what, uid, path}], problems}.
    """
    from cogmem.documents.discover import git_root

    with _open(it) as mem:
        found = mem.documents.sync(gone=gone or "")
        shared = mem.sharing.take_in(git_root(os.path.abspath(_folder(it))) or _folder(it))

    def human() -> None:
        rows = [(one.what, one.path) for one in found.done]
        rows += [(f"{state} document", path) for state, path in _moved(found.documents)]
        rows += [(f"{one.what} memory", one.path or one.uid) for one in shared.done]
        show.grid(("what", "file"), rows, none="files and database are in step")
        for conflict in found.conflicts:
            _show_conflict(conflict)

    notes = [*_faults(found.problems), *map(one_line, shared.problems)]
    it.say({**found.as_dict(), "shared": shared}, human, notes=notes)


@docs.command()
@click.argument("name")
@click.option(
    "--keep", type=click.Choice(("file", "memory")), required=True, help="The side that holds."
)
@call
def resolve(it: Call, name: str, keep: str) -> None:
    """End the conflict over the saved memory NAME.

    The other side's words stay in the folder's archive, or in the memory's history. JSON: path.
    """
    with _open(it) as mem:
        path = mem.documents.resolve(name, keep)
    it.say({"path": path}, f"{path}: the {keep} holds")


@docs.command()
@click.argument("name")
@click.argument("body")
@click.option("--description", default="", help="One line for the index; default: the name.")
@click.option(
    "--type",
    "type_",
    metavar="TYPE",
    default="project",
    show_default=True,
    help="user, feedback, project or reference.",
)
@click.option("--shared", is_flag=True, help="For all projects.")
@call
def save(it: Call, name: str, body: str, description: str, type_: str, shared: bool) -> None:
    """Save BODY under NAME, as a file and as a memory.

    `-` reads standard input. The same name overwrites. JSON: path, uid, replaced, archived, notes.
    """
    with _open(it) as mem:
        types = mem.store.kinds.words_of("ok")
        if type_ not in types:
            raise InvalidInput(f"type {type_!r} is not known: use {', '.join(sorted(types))}")
        given = (name, description or name, read_text(body), type_)
        saved = mem.documents.save(*given, is_shared=shared, source="user_explicit")
    answer = {"path": saved.memory.path, "uid": saved.uid, "replaced": saved.replaced}
    answer |= {"archived": [one.name for one in saved.archived], "notes": list(saved.notes)}
    it.say(answer, f"saved {saved.uid} {saved.memory.path}", notes=saved.notes)


@docs.command()
@click.argument("text", metavar="'#NOTE'")
@call
def note(it: Call, text: str) -> None:
    """Add a note to a document, as a bullet under its heading Notes.

    `# run the tests first` is for the project, `#user: …` for you everywhere, `#local: …` for this
    checkout. `-` reads standard input. JSON: path, note, digest, created, dropped.
    """
    with _open(it) as mem:
        added = mem.documents.note(read_text(text))
    human = f"{added.path}: {one_line(added.note)}" if added.note else "there was nothing to note"
    it.say(added.as_dict(), human)


@docs.command("import")
@click.argument("source", type=click.Choice(SOURCES))
@click.argument("path")
@click.option("--dry-run", is_flag=True, help="Say what would come in; change nothing.")
@call
def import_from(it: Call, source: str, path: str, dry_run: bool) -> None:
    """Import what another program remembers.

    Its memories wait as candidates and keep their owners; `--user` gives all of them to one person. Importing again
    brings only what is new or changed, and `cogmem undo RUN` takes an import back.

    JSON: source, run, dry_run, found, added, changed, known, removed, refused, before, after, user,
    users, agents, kinds, problems.
    """
    with it.open(must_exist=False) as mem:
        done = mem.file.import_from(source, os.path.expanduser(path), dry_run=dry_run)

    def human() -> None:
        if not done.found and not done.problems:
            click.echo(f"there is nothing of {source} at {path}")
            return
        would = "would bring" if dry_run else "brought"
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(done.kinds.items()))
        click.echo(
            f"{would} {done.added} new and {done.changed} changed of {done.found} memories"
            + (f" ({kinds})" if kinds else "")
        )
        rest = {"known already": done.known, "removed here": done.removed, "refused": done.refused}
        for what, count in rest.items():
            if count:
                click.echo(f"left out: {count} {what}")
        for what, counts in (("of users", done.users), ("of agents", done.agents)):
            if counts:
                some = sorted(counts.items())[:MOST_NAMES]
                told = (f"{one_line(name)} {count}" for name, count in some)
                click.echo(f"{what}: {', '.join(told)}{', …' * (len(counts) > MOST_NAMES)}")
        if len(done.users) > 1 or (done.users and done.user not in done.users):
            click.echo("each person sees their own: `--user NAME`")
        then = "would be here" if dry_run else "now"
        click.echo(f"{counted(done.before, 'memory', 'memories')} before, {done.after} {then}")
        if not dry_run and done.added + done.changed:
            everywhere = " --everywhere" if done.users or done.agents else ""
            click.echo(f"`cogmem undo {done.run}{everywhere}` takes it back")

    it.say(done, human, notes=_faults(done.problems))


def _moved(compared: Compared) -> list[tuple[str, str]]:
    """Return the documents that differ, each with how."""
    states = ("fresh", "changed", "gone")
    return [(state, path) for state in states for path in getattr(compared, state)]


def _show_conflict(conflict: TextConflict) -> None:
    click.echo(f"\nconflict: {conflict.name} ({conflict.path})")
    for side in ("file", "memory"):
        click.echo(f"--- the {side} says\n{shown(getattr(conflict, side) or '(gone)').rstrip()}")
    name = os.path.basename(conflict.path).removesuffix(".md")
    click.echo(f"--- `cogmem docs resolve {name} --keep file` or `--keep memory` decides")


def _faults(problems: list[Problem]) -> list[str]:
    return [
        f"{one_line(f'{one.path}:{one.line}' if one.line else one.path)}: {one_line(one.text)}"
        for one in problems
    ]


# -- the two small collections ---------------------------------------------------------------------


@docs.group(cls=Group)
def collection() -> None:
    """Two small lists that every prompt shows: about the user, and about the environment.

    Agents fill them with the tool `memory`, programs with `mem.collections()`.
    """


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


# -- skills --------------------------------------------------------------------------------------


@click.command(cls=Command)
@call
def skills(it: Call) -> None:
    """Bring procedures and an agent's skills into step.

    A skill is a folder with a SKILL.md, in .claude/skills, .agents/skills or the like. Alone it
    lists the procedures that worked three times and are no skill yet; `cogmem review` offers them.

    JSON: [uid, key, content, why].
    """
    with it.open(here=True) as mem:
        columns = {"uid": "uid", "procedure": "key", "how it went": "why"}
        none = "no procedure that is no skill yet has worked three times"
        show.rows(it, mem.skills.offered(limit=0), columns, none=none)


@click.command(cls=Command)
@click.argument("folder")
@click.argument("names", nargs=-1)
@call
def export_skills(it: Call, folder: str, names: tuple[str, ...]) -> None:
    """Write procedures into FOLDER as skills.

    NAMES are uids or keys; what they say wins over their files. Without names: those that worked
    three times, and what was changed here of those that are skills already.

    JSON: {done: [what, uid, path], problems}.
    """
    with it.open(here=True) as mem:
        _tell_skills(it, mem.skills.export(folder, names))


@click.command("import", cls=Command)
@click.argument("folder")
@click.argument("names", nargs=-1)
@call
def import_skills(it: Call, folder: str, names: tuple[str, ...]) -> None:
    """Take in what the skills of FOLDER say.

    A skill that is new here waits as a candidate: `cogmem review` asks about it. Of one that you
    changed by hand the change holds. NAMES are folders of skills, whose files win over what is held here.

    JSON: {done: [what, uid, path], problems}.
    """
    with it.open(here=True, must_exist=False) as mem:
        _tell_skills(it, mem.skills.take_in(folder, names))


@click.command("sync", cls=Command)
@click.argument("folder")
@call
def in_step(it: Call, folder: str) -> None:
    """Bring the skills of FOLDER and their procedures into step, both ways.

    What changed on one side changes on the other; what changed on both is told, and stays.

    JSON: {done: [what, uid, path], problems}.
    """
    with it.open(here=True, must_exist=False) as mem:
        _tell_skills(it, mem.skills.sync(folder))


def _tell_skills(it: Call, result: SkillsDone) -> None:
    lines = "\n".join(f"{one.what}: {one.path}" for one in result.done)
    it.say(result, lines or "nothing changed", notes=result.problems)


skills.parts = {"export": export_skills, "import": import_skills, "sync": in_step}
