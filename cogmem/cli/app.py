"""The command line. `cogmem --help` lists the commands; every one of them takes `--json`.

Exit codes: 0 done, 1 an error of cogmem (said on standard error in one line, with what to do next),
2 wrong usage, 3 nothing found (get, recall), 130 interrupted. A closed pipe is not an error. With --json
a call that failed also answers {"error", "code", "hint"} on standard output.

A command's module is loaded when the command is called, so that none pays for what others need.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import StringIO
from typing import Any

import click

from cogmem import __version__
from cogmem.cli.call import (
    COMMON,
    Call,
    Command,
    every_command,
    first_sentence,
    list_commands,
    part_of,
    sayable,
)
from cogmem.errors import CogmemError, UnknownName, code_of

# The first page of help says what each of these does; the rest stands below by subject.
EVERY_DAY = "Every day"
# What a person sees in `cogmem help`, in this order: heading → command → module of this package.
SECTIONS: dict[str, dict[str, str]] = {
    EVERY_DAY: {
        "install": "hosts", "learn": "remember", "activate": "look", "recall": "look", "list": "look",
        "get": "look", "update": "remember", "remove": "remember", "undo": "past", "today": "today",
        "review": "review", "inspect": "turns", "intend": "remember",
    },
    "Set right": {
        "edit": "edit", "bulk": "edit", "restore": "remember", "fact": "fact", "forget": "file",
    },
    "Look": {"why": "turns", "turn": "turns", "log": "past", "sql": "look", "demo": "demo"},
    "Sources": {
        "capture": "capture", "chat": "chat", "docs": "docs", "git": "repository", "skills": "docs",
    },
    "The file": {"doctor": "file", "file": "file", "sync": "sync", "nightly": "night"},
    "Settings": {"setting": "policy", "model": "model"},
    "Programs": {"hook": "hosts", "mcp": "hosts", "help": "app"},
}  # fmt: skip
_MODULES = {name: module for commands in SECTIONS.values() for name, module in commands.items()}
UNSAID = ("hook", "help")  # agents call the one, and the line above names the other
# Words of other programs, and the command that does it here.
MEANT = {
    "remind": "intend", "intentions": "intend list",
    "add": "learn", "remember": "learn", "save": "learn", "store": "learn", "search": "recall",
    "find": "recall", "query": "recall", "grep": "recall", "show": "get", "cat": "get", "ls": "list",
    "delete": "remove", "rm": "remove", "del": "remove", "purge": "forget", "mv": "bulk move",
    "history": "log", "revert": "undo", "rollback": "undo", "status": "today", "health": "doctor",
    "web": "inspect", "ui": "inspect", "config": "setting",
    "set": "setting", "init": "install", "setup": "install", "prompt": "activate", "context": "activate",
    "sleep": "nightly", "night": "nightly", "commits": "git", "repo": "git",
    "session": "chat", "sessions": "chat",
}  # fmt: skip


class App(click.Group):
    """Finds commands where they are, and turns faults into sentences and exit codes."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = _MODULES.get(cmd_name)
        if module is None:
            return None
        from importlib import import_module

        held = vars(import_module(f"cogmem.cli.{module}"))
        command: click.Command = held.get(cmd_name) or held[f"{cmd_name}_"]  # `list_`
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that was named, or its part; a word that is none points to the one that was meant."""
        if args and args[0] not in _MODULES and not args[0].startswith("-"):
            ctx.fail(self._unknown(ctx, args[0]))
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and (part := part_of(command, rest)):
            rest.remove(part)
            return f"{name} {part}", command.parts[part], rest  # type: ignore[attr-defined]
        return name, command, rest

    def _unknown(self, ctx: click.Context, word: str) -> str:
        """Return what to type instead of a word that is not a command."""
        from difflib import get_close_matches

        word = word.lower()
        named: dict[str, list[str]] = {}  # a command, or the last word of a part → its whole names
        for top in _MODULES:
            command = self.get_command(ctx, top)
            for name, _ in every_command(top, command) if command else ():
                while name:
                    names = named.setdefault(name.rpartition(" ")[2], [])
                    names += [name] if name not in names else []
                    name = name.rpartition(" ")[0]
        named |= {each: [one] for each, one in MEANT.items()}
        near = [word] if word in named else get_close_matches(word, named, n=3, cutoff=0.75)
        wanted = dict.fromkeys(name for each in near for name in named[each])
        if not wanted:
            return f"there is no command {word!r}: `cogmem help all` lists them"
        told = " or ".join(f"`cogmem {name}`" for name in wanted)
        return f"there is no command {word!r}: " + (
            f"use {told}" if word in named else f"did you mean {told}?"
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.list_section(ctx, formatter, EVERY_DAY)
        with formatter.section("More (`cogmem help SUBJECT` says what each does)"):
            formatter.write_dl(
                [
                    (heading, ", ".join(name for name in names if name not in UNSAID))
                    for heading, names in SECTIONS.items()
                    if heading != EVERY_DAY
                ]
            )

    def list_section(
        self, ctx: click.Context, formatter: click.HelpFormatter, heading: str
    ) -> None:
        """Write one subject's commands, a line each."""
        found = [(name, self.get_command(ctx, name)) for name in SECTIONS[heading]]
        list_commands(heading, [(name, one) for name, one in found if one], formatter)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that has gone (`cogmem list | head`) is not its fault."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # Nothing more can be said, also not by the flush at exit.
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        return result

    def main(self, *args: Any, **options: Any) -> Any:
        """Run one command and leave with its exit code."""
        options["standalone_mode"] = False
        given = options.get("args") or (args[0] if args else None) or sys.argv[1:]
        wants_json = "--json" in given
        try:
            code = super().main(*args, **options)
        except click.ClickException as error:
            if error.message.startswith("Got unexpected extra argument"):
                said = f"{error.message}: put a text of several words into quotes"
                error = click.UsageError(said, getattr(error, "ctx", None))
            if wants_json:
                said = sayable(error.format_message())
                _say_fault(said, "usage", "--help shows how it is called")
            told = StringIO()
            error.show(told)
            click.echo(sayable(told.getvalue()), err=True, nl=False)
            code = error.exit_code
        except click.Abort:
            click.echo("cogmem: interrupted", err=True)
            code = 130
        except CogmemError as error:
            code = _failed(str(error), code_of(error), wants_json)
        except OSError as error:
            name = "the system" if error.filename is None else str(error.filename) or "''"
            name = name.partition(".partial-")[0]
            reason = f"{name}: {error.strerror or error}"
            code = _failed(reason, "system", wants_json)
        except Exception as error:
            # What such an error says may quote a memory, and a scheduled run writes it to a log.
            name = type(error).__name__
            code = _failed(
                f"this should not happen: {name}; --debug shows where", "bug", wants_json
            )
        sys.exit(code if isinstance(code, int) else 0)


def _failed(message: str, code: str, wants_json: bool) -> int:
    """Say what is wrong; with --debug show where."""
    message = sayable(message)
    if Call.debug:
        import traceback

        traceback.print_exc()
    with suppress(OSError):  # what failed may be the answer itself, on a full disk
        if wants_json:
            _say_fault(message, code, message.rpartition(": ")[2] if ": " in message else "")
    with suppress(OSError):
        click.echo(f"cogmem: {message}", err=True)
    return 1


def _say_fault(message: str, code: str, hint: str) -> None:
    """Print the one JSON document of a call that failed."""
    import json

    click.echo(json.dumps({"error": message, "code": code, "hint": hint}, ensure_ascii=False))


app = App(
    name="cogmem",
    help="The memory of an agent in one SQLite file.",
    epilog="The options above may also stand behind the command.",
    params=COMMON(hidden=False),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
click.version_option(__version__, message="cogmem %(version)s", help="Show the version.")(app)


@click.command("help", cls=Command)
@click.argument("subject", nargs=-1)
@click.pass_context
def help_(ctx: click.Context, subject: tuple[str, ...]) -> None:
    """Explain a SUBJECT of `cogmem --help`, a command, or all.

    JSON: [{subject, command, meaning}].
    """
    it = ctx.ensure_object(Call)
    asked = " ".join(subject).lower()
    above = ctx.parent or ctx
    headings = [heading for heading in SECTIONS if asked in ("", "all") or heading.lower() == asked]
    if not headings and subject and subject[0] in app.list_commands(above):
        app.main([*subject, "--help"], prog_name=above.info_name)
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


def main() -> None:
    """Entry point of the program `cogmem`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character
    app.main(prog_name="cogmem")
