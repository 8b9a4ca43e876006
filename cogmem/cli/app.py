"""The command line. `cogmem --help` lists the commands; every one of them takes `--json`.

Exit codes: 0 done, 1 an error of cogmem (said on standard error in one line, with what to do next),
2 wrong usage, 3 nothing found (get, recall), 130 interrupted. A closed pipe is no error.

A command's module is loaded when the command is called, so that none pays for what others need.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from cogmem.cli.call import COMMON, Call
from cogmem.errors import CogmemError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What a person sees in `cogmem --help`, in this order: heading → command → module of this package.
SECTIONS: dict[str, dict[str, str]] = {
    "Remember": {
        "learn": "remember", "episode": "remember", "procedure": "remember", "update": "remember",
        "remove": "remember", "restore": "remember", "capture": "mend", "extract": "extract",
        "facts": "facts",
    },
    "Set right": {
        "correct": "mend", "supersede": "mend", "retire": "mend", "conflicts": "mend",
        "edit": "edit", "merge": "edit", "review": "review", "bulk": "edit", "forget": "mend", "scrub": "mend",
    },
    "Look": {
        "activate": "look", "recall": "look", "embed": "look", "get": "look", "list": "look", "stats": "look",
        "sql": "look", "demo": "demo", "inspect": "inspect", "plot": "inspect",
    },
    "Turns": {
        "turns": "turns", "why": "turns", "why-not": "turns", "replay": "turns", "used": "turns",
    },
    "Documents": {"docs": "docs", "note": "docs", "import-from": "docs"},
    "Conversations": {"chat": "chat"},
    "History": {"log": "past", "diff": "past", "undo": "past"},
    "Night": {"nightly": "night", "schedule": "night"},
    "The file": {
        "doctor": "file", "check": "file", "rebuild": "file", "backup": "file",
        "restore-backup": "file", "salvage": "file", "export": "transfer", "import": "transfer",
    },
    "Agents": {"hook": "hosts", "mcp": "hosts", "install": "hosts", "uninstall": "hosts"},
    "Models": {"model": "model", "spend": "model"},
    "Policy": {
        "kind": "policy", "rules": "mend", "setting": "policy", "scope": "policy", "completion": "policy",
    },
}  # fmt: skip
_MODULES = {name: module for commands in SECTIONS.values() for name, module in commands.items()}


class App(click.Group):
    """Finds commands where they are, and turns faults into sentences and exit codes."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = _MODULES.get(cmd_name)
        if module is None:
            return None
        from importlib import import_module

        commands: dict[str, click.Command] = import_module(f"cogmem.cli.{module}").COMMANDS
        return commands[cmd_name]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, names in SECTIONS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(heading):
                formatter.write_dl(
                    [(name, found.get_short_help_str(70)) for name, found in commands if found]
                )

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that has gone (`cogmem list | head`) is no fault of its."""
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
        try:
            code = super().main(*args, **options)
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except click.Abort:
            click.echo("cogmem: interrupted", err=True)
            code = 130
        except CogmemError as error:
            code = _told(str(error))
        except OSError as error:
            code = _told(f"{error.filename or 'the system'}: {error.strerror or error}")
        except Exception as error:
            # What such an error says may quote a memory, and a scheduled run writes it to a log.
            code = _told(f"this should not happen: {type(error).__name__}; --debug shows where")
        sys.exit(code if isinstance(code, int) else 0)


def _told(message: str) -> int:
    """Say what is wrong; with --debug show where."""
    if Call.debug:
        import traceback

        traceback.print_exc()
    click.echo(f"cogmem: {message}", err=True)
    return 1


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from cogmem import __version__

        click.echo(f"cogmem {__version__}")
        ctx.exit()


app = App(
    name="cogmem",
    help="The memory of an agent in one SQLite file.",
    epilog="The options above may also stand behind the command.",
    params=[
        *COMMON(hidden=False),
        click.Option(
            ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_version,
            help="Show the version.",
        ),
    ],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)  # fmt: skip


def main() -> None:
    """Entry point of the program `cogmem`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character
    app.main(prog_name="cogmem")
