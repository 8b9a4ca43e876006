"""Commands for the agents that people work with: hooks, the MCP server, installing both."""

from __future__ import annotations

import os
import sys

import click

from cogmem.cli.call import Call, Command, call, options, says_yes
from cogmem.cli.show import size
from cogmem.errors import InvalidInput, install_command
from cogmem.text.lines import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.hosts.install import Outcome


@click.command(cls=Command)
@click.argument("event")
@click.option("--host", default="hook", help="Which host asks; recorded as the actor.")
@click.option("--documents", is_flag=True, help="Let the stable text begin with the documents.")
@click.option("--resident", is_flag=True, help="Keep a process that answers the next event faster.")
def hook(event: str, host: str, documents: bool, resident: bool) -> None:
    """Answer one event of a coding agent: JSON on standard input, JSON back.

    EVENT is start, prompt, compact, stop or end, or the host's own word for it. Always ends with
    exit code 0; faults go to hook.log beside the database.
    """
    from cogmem.hosts.hooks import serve

    it = click.get_current_context().ensure_object(Call)
    flags = [*(["--documents"] * documents), *(["--resident"] * resident)]
    serve([event, "--host", host, "--db", it.path, *flags])


@click.command(cls=Command)
@click.option(
    "--tools",
    default="few",
    metavar="SETS",
    help="Toolsets, separated by commas: few has recall, learn and report, default has all eight; none: only"
    " resources and prompts.",
)
@click.option("--http", is_flag=True, help="Serve over HTTP on 127.0.0.1 instead of stdio.")
@click.option("--port", type=click.IntRange(1, 65535), default=8765, show_default=True)
@click.option(
    "--documents",
    metavar="FOLDER",
    help="Whose documents are offered; default: the current folder's.",
)
@call
def mcp(it: Call, tools: str, http: bool, port: int, documents: str | None) -> None:
    """Serve the tools over the Model Context Protocol.

    Over HTTP each client sends the token in COGMEM_MCP_TOKEN; without one a new one is shown.
    """
    try:
        from cogmem.hosts import mcp as adapter
    except ImportError as error:
        raise InvalidInput(
            f"the MCP server needs an extra ({error}): {install_command('mcp')}"
        ) from error

    from cogmem.hosts.mcp_greeting import names_of

    options: dict[str, Any] = {
        "user": it.user or "",
        "actor": it.actor if it.actor != "cli" else "mcp",
        "project": it.found_project(here=True).id,
        "documents": documents or os.getcwd(),
    }
    sets = names_of(tools)
    if http:
        token = os.environ.get("COGMEM_MCP_TOKEN", "")
        adapter.serve_http(it.path, sets, port=port, token=token, **options)
    else:
        adapter.serve_stdio(it.path, sets, **options)


_where = options(
    click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing."),
    click.option("--diff", is_flag=True, help="The same, with each line that would change."),
    click.option("--user-wide/--here", "wide", default=True, help="For all projects, or this one."),
)


@click.command(cls=Command)
@click.argument("host")
@_where
@click.option("--documents", is_flag=True, help="Hooks also bring AGENTS.md and similar documents.")
@click.option(
    "--resident/--no-resident",
    default=True,
    help="Keep a process for ten minutes after a hook, so that the next one is answered in milliseconds.",
)
@click.option("--check", is_flag=True, help="Run what is installed, as the host would.")
@click.option(
    "--notes",
    is_flag=True,
    help="Let the agent leave notes of sessions too; asks once, and says what it costs.",
)
@click.option("--yes", is_flag=True, help="Say yes to what the agent's settings have to allow.")
@call
def install(
    it: Call,
    /,
    host: str,
    wide: bool,
    dry_run: bool,
    diff: bool,
    check: bool,
    notes: bool,
    yes: bool,
    **given: Any,
) -> None:
    """Connect an agent to this memory.

    HOST is claude-code, codex, gemini, opencode, cursor, pi, copilot, qwen, cline, droid, openclaw, goose, kiro or
    vscode. What its configuration holds stays; a copy of it is made first. The tools need the extra: pip install
    'cogmem-sqlite[mcp]'.

    JSON: [{file, what, backup, lines, is_done}]; with --check: [{part, is_good, said}].
    """
    from importlib.util import find_spec

    from cogmem.hosts import install as installing

    if check:
        found = installing.check(host, wide=wide)
        it.say([line._asdict() for line in found], lambda: _tell_check(found))
        sys.exit(0 if found and all(line.is_good for line in found) else 1)
    dry_run = dry_run or diff
    consent = installing.known(host).consent
    unasked = f"nothing was changed. {consent}"
    if consent and not (yes or dry_run or says_yes(it, f"{consent}. Go on?", unasked)):
        return
    if notes and not dry_run:
        from cogmem.cli.model import notes_by

        click.echo(f"{notes_by(it, host)} leaves notes of sessions.", err=True)
    done = installing.install(host, it.path, wide=wide, dry_run=dry_run, **given)
    it.say([one._asdict() for one in done], lambda: _tell(host, done, dry_run, diff))
    if find_spec("mcp") is None:  # where the answer is JSON, beside it
        click.echo(
            f"The MCP server cannot start yet: {install_command('mcp')}. The hooks work without it.",
            err=it.json,
        )
    if not dry_run:
        for line in [*_next(host, wide), *_past(host)]:
            click.echo(line, err=True)


@click.command(cls=Command)
@click.argument("host")
@_where
@call
def uninstall(it: Call, host: str, wide: bool, dry_run: bool, diff: bool) -> None:
    """Remove this memory from an agent's configuration.

    Everything else in it stays. JSON: [{file, what, backup, lines, is_done}].
    """
    from cogmem.hosts import install as installing

    dry_run = dry_run or diff
    done = installing.uninstall(host, wide=wide, dry_run=dry_run)
    it.say([one._asdict() for one in done], lambda: _tell(host, done, dry_run, diff))


def _tell(host: str, done: list[Outcome], dry_run: bool, diff: bool) -> None:
    for one in done:
        verb = f"would be {one.what}" if dry_run and one.what != "unchanged" else one.what
        click.echo(f"{one.file}: {verb}" + (f" (before: {one.backup})" if one.backup else ""))
        for line in one.lines if diff else _in_short(host, one) if dry_run else ():
            click.echo(f"  {line}")
    if dry_run and not diff and any(one.lines for one in done):
        click.echo("Nothing was changed; --diff shows each line.")


def _in_short(host: str, one: Outcome) -> list[str]:
    """Return what would come into one file, and what would go out of it."""
    from cogmem.hosts.host import find

    said = []
    for sign, verb in (("+", "added"), ("-", "removed")):
        lines = [line for line in one.lines if line.startswith(sign)]
        if not lines:
            continue
        events = [name for name in find(host).events if any(f'"{name}"' in line for line in lines)]
        what = f", with a hook for {', '.join(events)}" if events else ""
        said.append(f"{counted(len(lines), 'line')} {verb}{what}")
    return said


def _next(host: str, wide: bool) -> list[str]:
    """Return what is left for the person to do."""
    from cogmem.hosts.host import find

    lines = find(host).left_to_do()
    here = "" if wide else " --here"
    return [*lines, f"Restart it, then try what was installed: cogmem install {host}{here} --check"]


def _past(host: str) -> list[str]:
    """Return the offer to record the sessions that are there already; it is made, and nothing is read."""
    from cogmem.hosts.host import find

    kept = find(host)
    sizes = [os.path.getsize(path) for path in kept.transcripts() if os.path.isfile(path)]
    sizes += [one.size for one in kept.stored()]
    if not sizes:
        return []
    said = f"{counted(len(sizes), 'session')} ({size(sum(sizes))}) of {host}"
    offer = "`cogmem chat backfill` shows them, and records them if you say yes."
    return [f"There are {said} on this machine: {offer}"]


def _tell_check(found: list[Any]) -> None:
    for line in found:
        click.echo(f"{'ok  ' if line.is_good else 'BAD '} {line.part}: {line.said}")


install.parts = {"remove": uninstall}
