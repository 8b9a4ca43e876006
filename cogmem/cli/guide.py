"""Help by subject: what one group of commands does, or one command."""

from __future__ import annotations

import click

from cogmem.cli.call import Call, Command, every_command, first_sentence, list_commands
from cogmem.errors import UnknownName


@click.command("help", cls=Command)
@click.argument("subject", nargs=-1)
@click.pass_context
def help_(ctx: click.Context, subject: tuple[str, ...]) -> None:
    """Explain a SUBJECT of `cogmem --help`, a command, or all.

    JSON: [{subject, command, meaning}].
    """
    from cogmem.cli.app import SECTIONS, app

    it = ctx.ensure_object(Call)
    asked = " ".join(subject).lower()
    above = ctx.parent or ctx
    headings = [heading for heading in SECTIONS if asked in ("", "all") or heading.lower() == asked]
    if not headings and subject and subject[0] in app.list_commands(above):
        with above:
            _command(above, subject)
        return
    if not headings:
        raise UnknownName(f"there is no subject or command {asked!r}: `cogmem help all` lists them")
    rows = []
    formatter = above.make_formatter()
    for heading in headings:
        found = [
            one
            for name in SECTIONS[heading]
            if (command := app.get_command(above, name))
            for one in every_command(name, command)
        ]
        list_commands(heading, found, formatter)
        rows += [
            {"subject": heading, "command": name, "meaning": first_sentence(command)}
            for name, command in found
        ]
    it.say(rows, above.get_help() if not asked else formatter.getvalue().strip("\n"))


def _top(above: click.Context, name: str) -> click.Command | None:
    from cogmem.cli.app import app

    return app.get_command(above, name)


def _command(above: click.Context, words: tuple[str, ...]) -> None:
    """Print what `cogmem COMMAND --help` prints, for `cogmem help COMMAND`."""
    found: click.Command = above.command
    context = above
    for word in words:
        parts = found.commands if isinstance(found, click.Group) else getattr(found, "parts", {})
        under = _top(context, word) if context is above else parts.get(word)
        if under is None:
            raise UnknownName(
                f"{context.command_path} has no command {word!r}: `{context.command_path} --help`"
            )
        if not isinstance(found, click.Group):  # `cogmem sync share` has no context for sync
            word, context = f"{context.info_name} {word}", context.parent or context
        found = under
        context = click.Context(found, info_name=word, parent=context)
    click.echo(found.get_help(context))


COMMANDS = {"help": help_}
