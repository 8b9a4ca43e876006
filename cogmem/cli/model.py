"""Commands about models: which one answers, what it is told, what it cost, what waits for it."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Group, call, now, one_line, read_text, shown
from cogmem.cli.complete import SESSION
from cogmem.cli.method import calls, takes
from cogmem.errors import InvalidInput
from cogmem.memory import Memory
from cogmem.models import configured as models
from cogmem.models.answer import schema
from cogmem.night.models import Models
from cogmem.store.policy import number
from cogmem.text.lines import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.night.tasks import WaitingTask
    from cogmem.noted.note import Noted


CALLS_PER_DAY = 200  # when a model is turned on and nobody names a figure
CALLS_PER_RUN = 50
HOST_CALLS_PER_DAY = 20  # of an agent's own program: a person works with it, too
_CAPS = ("model_calls_per_day", "model_calls_per_run")


@click.group(cls=Group)
def model() -> None:
    """The language model that may be asked. None is needed, and none is asked until you turn it on."""


@model.command("use")
@click.argument("provider")
@click.argument("name", metavar="[MODEL]", default="")
@click.option("--url", default="", help="Where it listens, if not at the usual address.")
@click.option("--key-env", metavar="VARIABLE", help="The environment variable that holds the key.")
@click.option("--timeout", type=float, metavar="SECONDS", help="For each call. Default: 30.")
@click.option("--calls-per-day", type=click.IntRange(0), help=f"Default: {CALLS_PER_DAY}.")
@click.option(
    "--calls-per-run", type=click.IntRange(0), help=f"Of one night. Default: {CALLS_PER_RUN}."
)
@call
def model_use(it: Call, /, provider: str, name: str, **given: Any) -> None:
    """Turn a model on for this memory: host, ollama, openai or anthropic.

    `host` is an agent that is installed here (claude, codex, gemini, qwen, opencode, copilot or pi), asked at the
    cost of its own login; claude:sonnet names a model of it. Without a name it is the first one found.
    Whatever speaks OpenAI's protocol is `openai` with a --url. The choice is stored in your own
    configuration, not in the memory, and a key is stored nowhere. JSON: as `model show`.
    """
    if provider == "recorded":
        raise InvalidInput("a recording is replayed with COGMEM_MODEL=recorded:FILE")
    if provider == "host":
        name, usual_calls = _agent(it, name), HOST_CALLS_PER_DAY
    else:
        usual_calls = CALLS_PER_DAY
    if it.path == ":memory:":
        raise InvalidInput("a memory without a file cannot keep a choice: set COGMEM_MODEL instead")
    wanted = given.pop("calls_per_day"), given.pop("calls_per_run")
    choice = models.Choice(provider, name, **given)
    choice.made()  # refuses an address that a key must not go to
    with it.open(must_exist=False) as mem:
        _turn_on(it, mem, choice, wanted, (usual_calls, CALLS_PER_RUN))
        _say_state(it, mem)


def _turn_on(
    it: Call,
    mem: Memory,
    choice: models.Choice,
    wanted: tuple[int | None, int | None],
    usual: tuple[int, int],
) -> None:
    """Keep the choice, and allow calls; caps that a person set before stay unless new ones are named."""
    settings = mem.store.settings()
    for cap, value, otherwise in zip(_CAPS, wanted, usual, strict=True):
        if value is None and float(settings[cap]) == 0:
            value = otherwise
        if value is not None and str(value) != settings[cap]:
            mem.store.set_setting(cap, str(value), now=now())
    models.keep(it.path, choice)


def notes_by(it: Call, host: str) -> str:
    """Turn on the agent of a host, or the first that is here, for notes; says which."""
    from cogmem.models.program import installed

    named = host.partition("-")[0]  # claude-code is the program claude
    name = _agent(it, named if named in installed() else "")
    with it.open(must_exist=False) as mem:
        usual = (HOST_CALLS_PER_DAY, CALLS_PER_RUN)
        _turn_on(it, mem, models.Choice("host", name), (None, None), usual)
    return name


def _agent(it: Call, name: str) -> str:
    """Return the agent that is asked: the one named, or the first that is installed; a person says yes to it."""
    from cogmem.models.program import ProgramModel, installed

    found = name or next(iter(installed()), "")
    if not found:
        raise InvalidInput(
            "no agent that can be asked is on the PATH: install one, or name another provider"
        )
    ProgramModel(found)  # refuses a name that it does not know
    if not it.json and sys.stdin.isatty():
        click.confirm(
            f"When a session ends, or at night, {found} is asked for notes of it: at most {HOST_CALLS_PER_DAY}"
            " times and 200,000 tokens a day, at the cost of its login. It is sent what you typed and what the"
            " agent said, without secrets, long pastes and tool output, and nothing of private projects. Go on?",
            abort=True,
        )
    return found


@model.command("show")
@call
def model_show(it: Call) -> None:
    """Show which model may be asked, and how often.

    JSON: {provider, model, url, key_env, key_is_set, timeout, from, calls_per_day,
    calls_per_run, calls_left_today, tasks: {state: count}}; model is null if there is none.
    """
    with it.open(read_only=True) as mem:
        _say_state(it, mem)


def _say_state(it: Call, mem: Memory) -> None:
    choice, where = models.chosen(it.path)
    settings = mem.store.settings()
    counts: dict[str, int] = {}
    for task in mem.models.tasks(limit=0):
        counts[task.state] = counts.get(task.state, 0) + 1
    told = ("provider", "model", "url", "key_env", "timeout")
    state: dict[str, Any] = {
        **{name: choice and getattr(choice, name) for name in told},
        "key_is_set": bool(choice and choice.key_env and os.environ.get(choice.key_env)),
        "from": where,
        "calls_per_day": int(float(settings[_CAPS[0]])),
        "calls_per_run": int(float(settings[_CAPS[1]])),
        "calls_left_today": mem.models.calls_left(),
        "tasks": counts,
    }
    it.say(state, lambda: _tell_state(state))


def _tell_state(state: dict[str, Any]) -> None:
    if state["model"] is None:
        click.echo(
            "No model is turned on, and none is needed: `cogmem model use ollama MODEL` turns one on."
        )
        return
    key = state["key_env"] or "none"
    if state["key_env"]:
        key += "" if state["key_is_set"] else " (this variable is not set)"
    calls = f"{state['calls_per_day']} a day ({state['calls_left_today']} left), {state['calls_per_run']} a run"
    waiting = ", ".join(f"{count} {name}" for name, count in sorted(state["tasks"].items()))
    show.pairs(
        [
            ("model", f"{state['provider']}:{state['model']}"),
            ("address", state["url"]),
            ("key", key),
            ("seconds a call", state["timeout"]),
            ("calls", calls),
            ("tasks", waiting),
            ("chosen in", state["from"]),
        ]
    )
    if not state["calls_per_day"]:
        click.echo(
            "No call is allowed: `cogmem setting set model_calls_per_day N` allows N, "
            "and model_calls_per_run as many of one night."
        )


@model.command("off")
@call
def model_off(it: Call) -> None:
    """Turn the model of this memory off, and allow no calls. JSON: {was_on}."""
    with it.open() as mem:
        settings = mem.store.settings()
        for cap in _CAPS:
            if float(settings[cap]):
                mem.store.set_setting(cap, "0", now=now())
    was_on = models.keep(it.path, None)
    it.say({"was_on": was_on}, "The model is off." if was_on else "No model was on.")


_TEST_SCHEMA = schema(word="string")


@model.command("test")
@call
def model_test(it: Call) -> None:
    """Ask the model for one word, as JSON. It counts as a call.

    JSON: {model, answer, is_json, seconds, tokens_in, tokens_out}.
    """
    with it.open() as mem:
        asked = mem.models.capped("test")
        if asked is None:
            raise InvalidInput(
                "no model is turned on: `cogmem model use ollama MODEL` turns one on"
            )
        started = time.perf_counter()
        answer = asked.complete(
            'Answer with the JSON object {"word": "ready"}.', schema=_TEST_SCHEMA, max_tokens=50
        )
        seconds = round(time.perf_counter() - started, 2)
    try:
        is_json = isinstance(json.loads(answer), dict)
    except (ValueError, RecursionError):
        is_json = False
    tokens_in, tokens_out = (getattr(answer, name, 0) for name in ("tokens_in", "tokens_out"))
    found = {"model": asked.name, "answer": answer, "is_json": is_json, "seconds": seconds}
    found |= {"tokens_in": tokens_in, "tokens_out": tokens_out}
    no_json = "no JSON: what wants JSON will often fail with this model"
    lines = [
        f"{asked.name} answered in {seconds} s ({tokens_in} tokens in, {tokens_out} out)",
        *(shown(answer)[:200], "JSON, as asked" if is_json else no_json),
    ]
    it.say(found, "\n".join(lines))


# -- what waits for it -----------------------------------------------------------------------------


@model.command("work")
@click.option("--limit", type=click.IntRange(1), help="The most tasks to do.")
@call
def model_work(it: Call, limit: int | None) -> None:
    """Ask the model now for what waits for it; the next night puts the answers in place.

    JSON: {filled, failed, lost, left}.
    """
    with it.open() as mem:
        if mem.model is None:
            raise InvalidInput(
                "no model is turned on: `cogmem model use ollama MODEL` turns one on"
            )
        counts = mem.models.fill(limit=limit)
    it.say(
        counts, f"{counts.filled} answered, {counts.failed} failed, {counts.left} calls left today"
    )


@model.command("tasks")
@click.option(
    "--state",
    type=click.Choice(("ready", "claimed", "filled", "done", "dead")),
    help="Default: all.",
)
@calls(Models.tasks, "limit=50", read_only=True)
def model_tasks(found: list[WaitingTask]) -> None:
    """List work that waits, or waited, for a model.

    JSON: [{uid, purpose, subject, state, attempts, ready_at, error, created_at, done_at}].
    """
    columns: show.Columns = {
        "task": "uid", "purpose": "purpose", "state": "state", "attempts": "attempts", "not before": "ready_at",
        "error or subject": lambda row: row.error or row.subject,
    }  # fmt: skip
    show.table(found, columns, none="nothing waits for a model")


@model.command("revive")
@click.argument("uid", metavar="TASK")
@call
def model_revive(it: Call, uid: str) -> None:
    """Give a dead task another try. JSON: {uid}."""
    with it.open() as mem:
        mem.models.revive(uid)
    it.say({"uid": uid}, f"{uid} is ready again")


# -- what it is told -------------------------------------------------------------------------------


@model.command("prompts")
@call
def model_prompts(it: Call) -> None:
    """List the prompts with their versions, and what is wrong with your own.

    JSON: [{name, version, source, for, takes, fault}].
    """
    from cogmem.models import prompts

    with it.open(read_only=True) as mem:
        settings = mem.store.settings()
    rows: list[dict[str, Any]] = []
    for name in prompts.names():
        one = prompts.prompt(name, settings)
        head = {"name": name, "version": one.version, "source": one.source, "for": one.purpose}
        rows.append({**head, "takes": list(one.takes), "fault": prompts.fault(name, settings)})
    columns = {"prompt": "name", "version": "version", "source": "source", "for": "for"}
    notes = [f"passed over: {row['fault']}" for row in rows if row["fault"] and not it.json]
    show.rows(it, rows, columns, notes=notes)


@model.command("prompt")
@click.argument("name")
@click.option("--built-in", is_flag=True, help="The one that comes with cogmem.")
@click.option(
    "--set",
    "text",
    metavar="TEXT|-",
    help="Keep your own in this memory; `-` reads standard input.",
)
@click.option("--reset", is_flag=True, help="Return to the built-in one.")
@call
def model_prompt(it: Call, name: str, built_in: bool, text: str | None, reset: bool) -> None:
    """Show one prompt, or put your own in its place. JSON: {name, version, source, text}."""
    from cogmem.models import prompts

    if text is not None and reset:
        raise InvalidInput("--set and --reset exclude each other: give one")
    standard = prompts.built_in(name)
    setting = prompts.SETTING + name
    if text is not None:
        own = read_text(text)
        meaning = f"What a model is told for: {prompts.checked(own, standard).purpose}."
        with it.open(must_exist=False) as mem:
            mem.models.set_prompt(setting, own, meaning)
    elif reset:
        with it.open() as mem:
            mem.models.reset_prompt(setting)
    one = standard
    if not built_in:
        with it.open(read_only=True) as mem:
            one = prompts.prompt(name, mem.store.settings())
    found = {"name": name, "version": one.version, "source": one.source, "text": str(one)}
    it.say(found, f"# {name}, version {one.version} ({one.source})\n{shown(one)}")


# -- what it cost ----------------------------------------------------------------------------------


@model.command()
@takes(Models.spend, "since until")
@click.option(
    "--by",
    type=click.Choice(("day", "purpose", "model")),
    help="One line for each; default: all three.",
)
@call
def spend(it: Call, /, by: str | None, **given: Any) -> None:
    """Show what models were asked for, and what it took.

    Calls, tokens and time; days are UTC. JSON: {rows: [{day, purpose, model, calls, answered, tokens_in,
    tokens_out, elapsed_ms}], total: {calls, answered, tokens_in, tokens_out, elapsed_ms}, calls_per_day,
    calls_left_today}.
    """
    with it.open(read_only=True) as mem:
        rows = [row.as_dict() for row in mem.models.spend(**given)]
        allowed = int(number(mem.store.settings(), _CAPS[0]))
        left = mem.models.calls_left()
    if by is not None:
        values = dict.fromkeys(row[by] for row in rows)
        rows = [{by: one, **_sum([row for row in rows if row[by] == one])} for one in values]
    total = _sum(rows)
    found = {"rows": rows, "total": total, "calls_per_day": allowed, "calls_left_today": left}
    it.say(found, lambda: _tell_spend(found, [by] if by else ["day", "purpose", "model"]))


_FIGURES = ("calls", "answered", "tokens_in", "tokens_out", "elapsed_ms")


def _sum(rows: list[dict[str, Any]]) -> dict[str, int]:
    return {name: sum(row[name] for row in rows) for name in _FIGURES}


def _tell_spend(found: dict[str, Any], names: list[str]) -> None:
    named = (*names, *_FIGURES[:-1])
    columns = [*(name.replace("_", " ") for name in named), "seconds"]
    cells = [
        (*(row[name] for name in named), f"{row['elapsed_ms'] / 1000:.1f}") for row in found["rows"]
    ]
    show.grid(columns, cells, none="no model was ever asked")
    total = found["total"]
    if total["calls"]:
        click.echo(
            f"{counted(total['calls'], 'call')}, {total['tokens_in']} tokens in, "
            f"{total['tokens_out']} out; "
            f"{found['calls_left_today']} of {found['calls_per_day']} calls left today"
        )


@model.command()
@click.option("--limit", type=click.IntRange(min=1), help="At most so many texts; default: all.")
@click.option("--folder", type=click.Path(exists=True, file_okay=False), help="The model's folder.")
@call
def embed(it: Call, limit: int | None, folder: str | None) -> None:
    """Give vectors to memories and messages that have none.

    `recall --meaning` asks them. Needs cogmem-sqlite[vec] and the weights of all-MiniLM-L6-v2. You can
    stop it at any time; the next call resumes where it stopped. JSON: model, embedded.
    """
    from cogmem.models.minilm import MiniLM

    with it.open() as mem, show.progress("embedding", "texts") as progress:
        mem.embedder = MiniLM(folder)
        done = mem.models.embed(limit, progress=progress)
    model = MiniLM.model
    it.say({"model": model, "embedded": done}, f"{done} texts were given vectors of {model}")


@model.command()
@click.argument("session", type=SESSION, required=False)
@click.option(
    "--dry-run", is_flag=True, help="Show the very text that would be sent, and send nothing."
)
@click.option("--changed", is_flag=True, help="Show what notes changed so far.")
@call
def notes(it: Call, session: str | None, dry_run: bool, changed: bool) -> None:
    """Let the model leave notes of a session: what was decided, turned down, found out, wished, left open.

    It happens by itself where a model is turned on, when a session ends or at night. JSON: session, runs, fault,
    calls, notes, replaced; with --dry-run a list of {system, prompt, tokens}; with --changed of {run, at, uid,
    action, kind, state, content, what, session}.
    """
    if changed:
        with it.open(read_only=True) as mem:
            rows = mem.notes.changed()
        columns = {name: name for name in ("run", "session", "what", "uid", "content")}
        show.rows(it, rows, columns, none="no notes changed anything")
        return
    if session is None:
        raise InvalidInput("name a session: `cogmem chat list` shows them")
    with it.open() as mem:
        if mem.conversation(session).state() is None:
            raise InvalidInput(f"no session is called {session!r}: `cogmem chat list` shows them")
        if dry_run:
            asked = mem.notes.shown(session)
            text = "\n\n".join(
                f"{shown(one.system)}\n\n{shown(one.prompt)}\n\n(about {one.tokens} tokens)"
                for one in asked
            )
            it.say(asked, text or "There is nothing that no notes were left of yet.")
            return
        done = mem.notes.read(session)
    fault = [one_line(done.fault)] if done.fault else []
    it.say(done, lambda: _tell_notes(done), notes=fault, code=len(fault))


def _tell_notes(done: Noted) -> None:
    columns: show.Columns = {
        "became": "outcome", "note": "sort", "uid": "uid", "what": lambda one: one.reason or one.text,
    }  # fmt: skip
    if done.notes or not done.fault:
        show.table(done.notes, columns, none="nothing to note")
    if done.replaced:
        click.echo(f"{counted(len(done.replaced), 'line')} that rules had made gave way")
    for run in done.runs:
        click.echo(f"`cogmem undo {run}` takes it back")
