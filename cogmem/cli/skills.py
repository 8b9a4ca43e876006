"""Commands for procedures beside the skills of an agent."""

from __future__ import annotations

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.documents.skills import SkillsDone


@click.command(cls=Command)
@call
def skills(it: Call) -> None:
    """Bring procedures and an agent's skills into step.

    A skill is a folder with a SKILL.md, in .claude/skills, .agents/skills or the like. Alone it
    lists the procedures that worked three times and are no skill yet; `cogmem review` offers them.

    JSON: [uid, key, content, why].
    """
    with it.open(here=True) as mem:
        fields = ("uid", "key", "why")
        show.rows(it, mem.skills.offered(limit=0), ("uid", "procedure", "how it went"), fields)


@click.command(cls=Command)
@click.argument("folder")
@click.argument("names", nargs=-1)
@call
def export(it: Call, folder: str, names: tuple[str, ...]) -> None:
    """Write procedures into FOLDER as skills.

    NAMES are uids or keys; what they say wins over their files. Without names: those that worked
    three times, and what was changed here of those that are skills already.

    JSON: {done: [what, uid, path], problems}.
    """
    with it.open(here=True) as mem:
        _tell(it, mem.skills.export(folder, names))


@click.command("import", cls=Command)
@click.argument("folder")
@click.argument("names", nargs=-1)
@call
def import_(it: Call, folder: str, names: tuple[str, ...]) -> None:
    """Take in what the skills of FOLDER say.

    A skill that is new here waits as a candidate: `cogmem review` asks about it. Of one that you
    changed by hand the change holds. NAMES are folders of skills, whose files win over what is held here.

    JSON: {done: [what, uid, path], problems}.
    """
    with it.open(here=True, must_exist=False) as mem:
        _tell(it, mem.skills.take_in(folder, names))


@click.command("sync", cls=Command)
@click.argument("folder")
@call
def in_step(it: Call, folder: str) -> None:
    """Bring the skills of FOLDER and their procedures into step, both ways.

    What changed on one side changes on the other; what changed on both is told, and stays.

    JSON: {done: [what, uid, path], problems}.
    """
    with it.open(here=True, must_exist=False) as mem:
        _tell(it, mem.skills.sync(folder))


def _tell(it: Call, result: SkillsDone) -> None:
    for problem in result.problems:
        click.echo(f"cogmem: {problem}", err=True)
    lines = "\n".join(f"{one.what}: {one.path}" for one in result.done)
    it.say(result.as_dict(), lines or "nothing changed")


skills.parts = {"export": export, "import": import_, "sync": in_step}

COMMANDS = {"skills": skills}
