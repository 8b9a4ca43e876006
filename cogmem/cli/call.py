"""One call of the command line: which file, who looks, and how it is answered."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from cogmem.errors import InvalidInput
from cogmem.file.places import default_path, is_address, relative_default
from cogmem.memory import Memory
from cogmem.scope import Project

LONGEST_SENTENCE = 300  # characters of what a list of commands says of one


class Call:
    """What the common options said; each command gets one."""

    debug = False  # for the process: it decides how faults are shown

    def __init__(self) -> None:
        self.db: str | None = None
        self.user: str | None = None
        self.project: str | None = None
        self.actor = "cli"
        self.json = False

    @property
    def path(self) -> str:
        """The file of this call."""
        return os.path.expanduser(self.db) if self.db else default_path()

    def must_be_for_all(self, why: str, instead: str) -> None:
        """Refuse a user for whom this call would show what is others'."""
        if self.user:
            raise InvalidInput(f"{why}: leave --user out, or {instead}")

    @contextmanager
    def open(
        self,
        *,
        here: bool = False,
        must_exist: bool = True,
        read_only: bool = False,
        documents: str | None = None,
        everywhere: bool = False,
        patience_ms: int | None = None,
    ) -> Iterator[Memory]:
        """Open the memory, seen by the user and project of this call.

        `here`: without --project, the project of the current folder. `must_exist`: a file that is
        not there is a mistyped name, and not made. `documents`: the folder whose documents count.
        `everywhere`: in all scopes. `patience_ms`: how long to wait for another that writes. What was
        noticed on opening is told.
        """
        from cogmem.models.configured import usable

        self.demand(must_exist)
        project = self.found_project(here)
        with Memory(
            self.path,
            user=self.user or "",
            project=project.id,
            actor=self.actor,
            read_only=read_only,
            documents=documents,
            patience_ms=patience_ms,
        ) as mem:
            if project.root:
                mem.on_branch(project.root)
            if not read_only:
                mem.file.show()
                mem.model, fault = usable(self.path)
                if fault:
                    note(fault)
            told = "" if self.db else relative_default()
            for notice in [*mem.notices, *([told] if told else [])]:
                note(notice)
            if project.root and not here and not read_only:
                mem.file.label_project(project)
            if everywhere:
                mem.scope = mem.scope.replacing(everywhere=True)
            yield mem

    def demand(self, must_exist: bool = True) -> None:
        """Complain about a file that is not there."""
        is_there = (
            is_address(self.path) or os.path.exists(self.path) or os.path.exists(f"{self.path}-wal")
        )  # or its log alone
        if must_exist and self.path != ":memory:" and not is_there:
            from cogmem.exchange.copies import missing

            raise InvalidInput(missing(self.path))

    def found_project(self, here: bool) -> Project:
        """Return the project of this call; one without a root is its bare id ('' for none)."""
        from cogmem.scope import project_of

        if self.project is not None:
            return self.project_named(self.project)
        try:
            return project_of(os.getcwd()) if here else self.project_named("none")
        except InvalidInput:  # a home directory is not a project, and nobody asked for one
            return self.project_named("none")

    def project_named(self, name: str) -> Project:
        """Return the project of a folder, or of the bare id that was given."""
        from cogmem.scope import Project, project_of

        place = os.path.expanduser(name)
        if os.path.isdir(place) or os.sep in place or place.startswith("."):
            return project_of(place)
        return Project("", "", "", id="" if name == "none" else name)

    def say(
        self,
        value: Any,
        human: Callable[[], None] | str,
        *,
        notes: Iterable[str] = (),
        code: int = 0,
    ) -> None:
        """Answer with one JSON document, or as people like it; another code than 0 ends the call."""
        for one in notes:
            note(one)
        if self.json:
            import json

            click.echo(json.dumps(value, ensure_ascii=False, default=lambda one: one.as_dict()))
        elif isinstance(human, str):
            click.echo(human)
        else:
            human()
        if code:
            raise click.exceptions.Exit(code)


def note(text: str) -> None:
    """Tell a person something beside the answer."""
    click.echo(f"cogmem: {text}", err=True)


def COMMON(*, hidden: bool = True) -> list[click.Parameter]:
    """Return the options that every command takes, before and behind its name."""

    def keep(ctx: click.Context, option: click.Parameter, value: Any) -> None:
        if value is not None and value is not False:
            setattr(
                Call if option.name == "debug" else ctx.ensure_object(Call), str(option.name), value
            )

    def option(*names: str, **details: Any) -> click.Option:
        return click.Option(names, expose_value=False, callback=keep, hidden=hidden, **details)

    return [
        option(
            "--db",
            metavar="FILE",
            help="The memory's file; default: COGMEM_DB, then the data folder of the platform.",
        ),
        option(
            "--user",
            metavar="NAME",
            envvar="COGMEM_USER",
            help="Whose memories; default: those that are for everyone.",
        ),
        option(
            "--project",
            metavar="PATH|ID|none",
            help="Which project's memories. Commands that look use the current folder's, "
            "commands that store use none.",
        ),
        option("--actor", metavar="NAME", help="Who is recorded as the one who asked."),
        option("--json", is_flag=True, help="Answer with one JSON document."),
        option("--debug", is_flag=True, help="Show where an error comes from."),
    ]


class Command(click.Command):
    """A command with the common options; `parts` are the commands under its name (`cogmem sync share`)."""

    parts: Mapping[str, click.Command] = {}

    def __init__(self, *args: Any, **options: Any) -> None:
        options["params"] = [*(options.get("params") or []), *COMMON()]
        super().__init__(*args, **options)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        if self.parts:
            list_commands(f"Also under `{ctx.command_path}`", self.parts.items(), formatter)


class Group(click.Group):
    """A family of commands: `cogmem setting kind list`."""

    command_class = Command

    def __init__(self, *args: Any, **options: Any) -> None:
        options["params"] = [*(options.get("params") or []), *COMMON()]
        super().__init__(*args, **options)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        list_commands("Commands", self.commands.items(), formatter)


def list_commands(
    heading: str, found: Iterable[tuple[str, click.Command]], formatter: click.HelpFormatter
) -> None:
    """Write commands under a heading, a line each."""
    with formatter.section(heading):
        formatter.write_dl([(name, first_sentence(command)) for name, command in found])


def every_command(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield what can be run: a command and its parts, or the commands of a family, each with its whole name."""
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield name, command
    under = command.commands if isinstance(command, click.Group) else getattr(command, "parts", {})
    for part, one in under.items():
        yield from every_command(f"{name} {part}", one)


def part_of(command: click.Command, rest: list[str]) -> str:
    """Return the part of a command that its arguments name first, behind options of every command; '' for none."""
    words = iter(rest)
    for word in words:
        if word in ("--db", "--user", "--project", "--actor"):
            next(words, None)
        elif not word.startswith(
            ("--json", "--debug", "--db=", "--user=", "--project=", "--actor=")
        ):
            return word if word in getattr(command, "parts", ()) else ""
    return ""


def first_sentence(command: click.Command) -> str:
    """Return what a list of commands says of one: whole, on as many lines as it takes."""
    return command.get_short_help_str(LONGEST_SENTENCE)


call = click.make_pass_decorator(Call, ensure=True)


everywhere = click.option(
    "--everywhere", is_flag=True, help="Look into every user, project and session."
)


def options(*them: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Give a command several options, in this order."""

    def given(command: Any) -> Any:
        for one in reversed(them):
            command = one(command)
        return command

    return given


def now() -> int:
    """Return the instant of this call, in ms since 1970."""
    return time.time_ns() // 1_000_000


def read_text(value: str) -> str:
    """Return the text itself, or for `-` what stands on standard input."""
    if value != "-":
        return value
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"standard input is not UTF-8 text (byte {error.start})") from None


def says_yes(it: Call, question: str, otherwise: str) -> bool:
    """Tell whether a person says yes; who cannot be asked has not said it, and is told what that means."""
    if it.json or not sys.stdin.isatty():
        note(f"{otherwise}: add --yes")
        return False
    return click.confirm(question)


def one_line(text: str) -> str:
    """Return a text for a terminal: one line, and no character that would steer it."""
    return _STEERING.sub("�", " ".join(text.split()))


_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def shown(text: str) -> str:
    """Return a text of several lines for a terminal."""
    return _STEERING.sub("�", text)


def sayable(message: str) -> str:
    """Return what is wrong as a terminal shows it: of a long message both ends, since what to do stands last."""
    said = shown(message)
    return said if len(said) <= 1_200 else f"{said[:300]} … {said[-600:]}"


def is_terminal() -> bool:
    """Tell whether a person looks on, and wants more than plain text."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
