"""Writes docs/reference from the help of the commands and from docstrings, and the measured figures of
docs/scoreboard.md, docs/how-to/cluster.md and benchmarks/README.md from benchmarks/results.

`make docs-reference` writes the pages; without `--write` they go to standard output. A test compares.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import itertools
import json
import pkgutil
import re
import sys
import textwrap
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import cogmem
from cogmem import errors, records
from cogmem.cli.app import SECTIONS, app
from cogmem.cli.call import COMMON
from cogmem.conversation.conversation import Conversation
from cogmem.conversation.record import Talk
from cogmem.documents.workplace import Workplace
from cogmem.hear.listen import Listener
from cogmem.learn.collections import Collections
from cogmem.memory import Memory
from cogmem.space import Space
from cogmem.verbs.areas import AreaOf, Areas
from cogmem.verbs.changing import Changing
from cogmem.verbs.learning import Learning
from cogmem.verbs.telling import Telling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FOLDER = Path(cogmem.__file__).resolve().parents[1] / "docs" / "reference"
MADE = "Made by `make docs-reference`"
UNSAID = ("[OPTIONS]", "COMMAND [ARGS]...")  # of a usage: every command takes options
_ESCAPES = str.maketrans({"|": "\\|", "<": "&lt;", ">": "&gt;", "*": "\\*", "[": "\\[", "]": "\\]"})


# -- the command line ----------------------------------------------------------------------------


def command_line() -> dict[str, str]:
    """Pages by their place: what all commands share, and one for each with its options and the keys of its JSON."""
    parts = [
        "# The command line",
        f"{MADE} from the help of the commands, which `cogmem COMMAND --help` shows too.",
        "Exit codes: 0 done, 1 an error, reported in one line that says what to do next, 2 wrong usage, "
        "3 nothing found (`get`, `recall`), 130 interrupted.",
        "With `--json` a command answers with one document on one line, whose keys its page names behind JSON. "
        "An instant in it is ISO text in UTC, `2026-11-20T10:00:00.000Z`, which every option for an instant reads. "
        "Only `cogmem sql` and `cogmem file export` give the file's own numbers: ms since 1970.",
        "For a text, `-` reads standard input.",
        "## Options of every command",
        "They may stand before the command or behind it.",
        _options([param for param in COMMON() if isinstance(param, click.Option)]),
        "These mean the same wherever a command takes them. A page explains an option once.",
        "\n".join(sorted(_shared_options())),
    ]
    pages = {}
    for heading, names in SECTIONS.items():
        rows = []
        for name in names:
            found = app.get_command(click.Context(app), name)
            assert found is not None
            pages[f"cli/{name}.md"] = _joined(_command(f"cogmem {name}", found))
            does = _plain(
                inspect.cleandoc(found.help or "").partition("\n\n")[0].replace("\n", " ")
            )
            rows.append(f"- [{name}](cli/{name}.md): {does}")
        parts += [f"## {heading}", "\n".join(rows)]
    return {"cli.md": _joined(parts), **pages}


def _joined(parts: Iterable[str]) -> str:
    """A page, which explains an option or argument and names what its examples work on once, in the same words."""
    told: set[str] = set()
    fresh = []
    for part in parts:
        lines = [line for line in part.split("\n") if line not in told]
        told |= {
            line
            for line in lines
            if re.match(r"- `|>>> \w+ = mem\.(collections|conversation)\(", line)
        }
        fresh.append("\n".join(lines).strip())
    return "\n\n".join(filter(None, fresh)) + "\n"


def _command(name: str, command: click.Command, mark: str = "#") -> Iterator[str]:
    # A command remembers the first names of its help option: they must be those of the program.
    context = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
    usage = [one for one in command.collect_usage_pieces(context) if one not in UNSAID]
    yield f"{mark} {' '.join([name, *usage])}".translate(_ESCAPES)
    yield re.sub(r" ?`-` reads standard input\. ?", "", _told(command.help or ""))
    yield "\n".join(_option(one) for one in _own(command) if _option(one) not in _shared_options())
    for part, one in _parts(command).items():
        same = app.get_command(context, part)
        if same is not None and same.callback is one.callback and name != "cogmem":
            yield f"## {name} {part}"
            yield f"The same as [cogmem {part}]({part}.md)."
        else:
            yield from _command(f"{name} {part}", one, "##")


def _told(text: str) -> str:
    """Help as Markdown: what was set line by line becomes a block."""
    parts = []
    for part in inspect.cleandoc(text).split("\n\n"):
        if part.startswith("\b"):
            parts.append("```text\n" + part.lstrip("\b\n") + "\n```")
        else:
            parts.append(_plain(" ".join(part.split())))
    return "\n\n".join(parts)


def _plain(text: str) -> str:
    """Text with what Markdown would read as a mark escaped, but for `code`."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(one if one.startswith("`") else one.translate(_ESCAPES) for one in pieces)


def _options(options: list[click.Option]) -> str:
    return "\n".join(map(_option, options))


def _option(option: click.Option) -> str:
    names = ", ".join([*option.opts, *option.secondary_opts])
    told = option.make_metavar(click.Context(app))
    if not option.is_flag and not told.startswith(("INTEGER", "TEXT", "FLOAT")):
        names += f" {told}"
    said = _plain(option.help or "")
    if option.show_default and option.default not in (None, False, "") and not option.is_flag:
        said = f"{said} Default: `{option.default}`.".strip()
    if option.multiple and "epeatable" not in said:
        said = f"{said} Repeatable.".strip()
    return f"- `{names}`: {said}"


@functools.cache
def _shared_options() -> frozenset[str]:
    """Options that several pages explain in the same words."""
    counts: Counter[str] = Counter()
    for name in itertools.chain.from_iterable(SECTIONS.values()):
        waiting = [app.get_command(click.Context(app), name)]
        told = set()
        while waiting:
            command = waiting.pop()
            waiting += _parts(command).values()
            told |= {_option(one) for one in _own(command)}
        counts.update(told)
    return frozenset(line for line, pages in counts.items() if pages >= SHARED)


def _parts(command: Any) -> dict[str, click.Command]:
    return command.commands if isinstance(command, click.Group) else getattr(command, "parts", {})


def _own(command: click.Command) -> list[click.Option]:
    """The options of a command that its help shows, without the help itself."""
    return [
        param
        for param in command.params
        if isinstance(param, click.Option)
        and not param.hidden
        and param.help != "Show this message and exit."
    ]


# -- Python --------------------------------------------------------------------------------------

INSTANTS = (
    "An instant is an aware `datetime`, a `date` (midnight UTC), ISO text (UTC where it names no zone), "
    "a `timedelta` from now (`timedelta(days=-7)` is a week ago), or ms since 1970. "
    "A limit of 0 is none. Paths may begin with `~`."
)
FROZEN = (
    "Results are frozen objects. Their instants are aware datetimes in UTC. `as_dict()` gives what `--json` prints "
    "on the command line, `raw(name)` one field as the file has it. A `?` marks a field that may be None."
)
SHARED = (
    3  # pages that explain an argument in the same words: then it is told once, for all of them
)
AREAS = {
    **{
        name: one.kind
        for name, one in {**vars(Areas), **vars(Telling)}.items()
        if isinstance(one, AreaOf)
    },
    "listener": Listener,
    "collections": Collections,
    "documents": Workplace,
}
FACADE = (Space, Learning, Changing, Telling, Areas, Memory)  # whose calls are those of a memory
TALKS = {"A conversation: what was said": Talk, "A conversation: summaries": Conversation}
INSIDE = "For other stages"  # the heading in a class below which nobody but cogmem calls


SHORT = 240  # lines of a page that need not be divided
LETTERS = "AHS["  # where a page of records begins; the last is behind Z


def python_api() -> dict[str, str]:
    """Pages by their place: how a memory is opened, and one for each subject."""
    parts = [
        "# The Python API",
        f"{MADE} from signatures and docstrings; what is not listed may change with any version. A page "
        "explains an argument once.",
        INSTANTS,
        FROZEN,
        "Every error derives from `cogmem.CogmemError`. Calls are synchronous, and one `Memory` "
        "may be used by several threads.",
        "## cogmem.open(…)",
        _signature("cogmem.open", Memory.__init__),
        _doc(Memory).rpartition("\n\n")[0],  # its end heads the list of what is the same everywhere
        "## cogmem.AsyncMemory(…)",
        "For programs that live in an event loop: opened with the same arguments by `async with`, and each call "
        "of this reference is awaited: `await mem.learn(…)`, `await mem.history.log()`.",
        "## cogmem.wrap(…)",
        _signature("cogmem.wrap", cogmem.wrap),
        _doc(cogmem.wrap),
    ]
    shared = "\n".join(_argument(*one) for one in sorted(_shared()))
    parts += ["## Arguments that mean the same everywhere", shared]
    pages: dict[str, list[str]] = {}
    for heading, names in itertools.chain.from_iterable(map(sections, FACADE)):
        if heading in (INSIDE, "By area"):
            continue  # an area has a page of its own
        page = pages.setdefault(heading, [f"# A memory: {heading[0].lower()}{heading[1:]}"])
        for name in names:
            page += _member("mem", Memory, name)
    for area, kind in AREAS.items():
        pages |= _area(f"mem.{area}", kind)
    for title, kind in TALKS.items():
        told = [part for page in _area("talk", kind).values() for part in page[2:]]
        pages[title] = [f"# {title}", _doc(kind), *told]
    session = cogmem.Session
    turns = [_signature("cogmem.Session", session.__init__), _doc(session)]
    for name, member in vars(session).items():
        if inspect.isfunction(member) and not name.startswith("_"):
            turns += [f"## Session.{name}", _signature(f"session.{name}", member), _doc(member)]
    pages["cogmem.Session"] = ["# cogmem.Session", *turns]
    results = _records(" ".join(part for page in pages.values() for part in page))
    for first, last in itertools.pairwise(LETTERS):
        to = chr(ord(last) - 1)
        title = f"What comes back: {first}" + (f" to {to}" if to != first else "")
        page = pages[title] = [f"# {title}"]
        for record in results:
            if first <= record.__name__[0] < last:
                page += [f"## {record.__name__}", _doc(record), ", ".join(_fields(record)) + "."]
    pages["Errors"] = ["# Errors", "\n".join(_errors())]
    rows = []
    for heading, page in pages.items():
        names = [part[3:] for part in page if part.startswith("## ")]
        listed = ", ".join(f"`{name.rpartition('.')[2]}`" for name in names if "." in name)
        rows.append(f"- [{heading}](python/{_place(heading)}.md){': ' if listed else ''}{listed}")
    made = {f"python/{_place(heading)}.md": _joined(page) for heading, page in pages.items()}
    return {"python.md": _joined([*parts, "## By subject", "\n".join(rows)]), **made}


def _area(owner: str, kind: type) -> dict[str, list[str]]:
    """One page for a class, or one for each of its headings where that would be long."""
    parted = dict(sections(kind))
    inside = parted.pop(INSIDE, [])
    everything = [name for name in vars(kind) if not name.startswith("_") and name not in inside]
    headed = list(parted.items()) or [("", everything)]
    parts = {
        heading: [part for name in names for part in _member(owner, kind, name)]
        for heading, names in headed
    }
    if sum(part.count("\n") + 2 for page in parts.values() for part in page) < SHORT:
        return {
            owner: [f"# {owner}", _doc(kind), *(part for page in parts.values() for part in page)]
        }
    return {
        f"{owner}: {heading[0].lower()}{heading[1:]}": [
            f"# {owner}: {heading[0].lower()}{heading[1:]}",
            _doc(kind),
            *page,
        ]
        for heading, page in parts.items()
        if page
    }


def _records(signatures: str) -> list[type[records.Record]]:
    """The records that signatures name, and those that these hold, by name."""
    for found in pkgutil.walk_packages(cogmem.__path__, "cogmem."):
        room = found.name.split(".")[1]
        if room not in ("frameworks", "tools", "__main__", "inspect", "hook"):
            importlib.import_module(found.name)
    kinds, heads = [records.Record], {}
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if kind.FIELDS:
            heads[kind.__name__] = kind
    named, asked = {}, [signatures]
    while asked:
        for name in re.findall(r"\b[A-Z]\w+", asked.pop()):
            if name in heads and name not in named:
                named[name] = heads[name]
                asked.append(" ".join(heads[name].__annotations__.values()))
    return [named[name] for name in sorted(named)]


def _fields(record: type[records.Record]) -> Iterator[str]:
    """Their names, a ? at those that may be None, and the class of those that are results themselves."""
    for name in record.FIELDS:
        kind = record.__annotations__[name]
        inner = re.search(r"\b(?!Any|None)[A-Z]\w+", kind)
        held = f": {kind.removesuffix(' | None')}" if inner else ""
        yield f"`{name}{'?' if kind.endswith('| None') else ''}{held}`"


def _place(heading: str) -> str:
    name = heading.lower().removeprefix("cogmem.").removeprefix("mem.")
    return name.replace(":", "").replace(" ", "-")


def _member(owner: str, kind: type, name: str) -> list[str]:
    member = inspect.getattr_static(kind, name)
    if isinstance(member, property):
        return [f"## {owner}.{name}", _doc(member.fget)]
    return [f"## {owner}.{name}", _signature(f"{owner}.{name}", member), _doc(member)]


@functools.cache
def sections(kind: type) -> tuple[tuple[str, list[str]], ...]:
    """The methods under the headings that the class itself has."""
    found = []
    for part in re.split(r"^    # -- ", inspect.getsource(kind), flags=re.MULTILINE)[1:]:
        names = re.findall(r"^    def ([a-z]\w*)\(", part, re.MULTILINE)
        heading = part.partition(" -")[0]
        found.append((heading[0].upper() + heading[1:], names))
    return tuple(found)


def _signature(name: str, function: Any) -> str:
    """The call as one writes it. Its types stand in the package, where an editor shows them."""
    found = inspect.signature(function)
    shown = []
    starred = False
    for one in found.parameters.values():
        if one.name == "self":
            continue
        if one.kind is one.KEYWORD_ONLY and not starred:
            shown.append("*")
        starred |= one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        default = "" if one.default is one.empty else f"={one.default!r}"
        shown.append(f"{stars}{one.name}{default}")
    back = found.return_annotation
    returns = (
        "" if back in (inspect.Signature.empty, "None") else f" -> {back}".replace("builtins.", "")
    )
    line = f"{name}({', '.join(shown)}){returns}"
    told = textwrap.wrap(line, 100, subsequent_indent="    ", break_long_words=False)
    return "```python\n" + "\n".join(told) + "\n```"


@functools.cache
def _shared() -> frozenset[tuple[str, str]]:
    """Arguments that several classes explain in the same words."""
    counts: Counter[tuple[str, str]] = Counter()
    for kind in (*FACADE, *AREAS.values(), *TALKS.values()):
        told = [inspect.getdoc(member) or "" for member in vars(kind).values()]
        counts.update({pair for text in told for pair in _arguments(text)})
    everywhere = _arguments((inspect.getdoc(Memory) or "").rpartition("\n\n")[2])
    return frozenset([*everywhere, *(pair for pair, kinds in counts.items() if kinds >= SHARED)])


def _arguments(text: str) -> list[tuple[str, str]]:
    """The arguments that a docstring or a paragraph of one explains."""
    told = re.sub(r"\n  +", " ", text).split("\n")
    return [
        (one[1], one[2]) for one in (re.fullmatch(r"([a-z_]+): (.+)", line) for line in told) if one
    ]


def _argument(name: str, told: str) -> str:
    return f"- `{name}`: {_plain(told)}"


def _doc(thing: Any) -> str:
    """A docstring as Markdown: its paragraphs, a list of its arguments and its example."""
    text = inspect.getdoc(thing) or ""
    return "\n\n".join(filter(None, map(_paragraph, text.split("\n\n"))))


def _paragraph(text: str) -> str:
    if text.startswith(">>> "):
        return f"```pycon\n{text}\n```" if _shows(text) else ""
    arguments = _arguments(text)
    if len(arguments) < len(re.sub(r"\n  +", " ", text).split("\n")):
        return _plain(" ".join(text.split()))
    return "\n".join(_argument(*one) for one in arguments if one not in _shared())


def _shows(example: str) -> bool:
    """True if an example says more than its signature: not one call alone that gives back nothing or a bare value."""
    first, *rest = example.split("\n")
    told = "".join(rest)
    return "learn(" in first or not re.fullmatch(r"\[\]|''|\{\}|\(\)|True|False|[\d.]*", told)


def _errors() -> Iterator[str]:
    for name, error in vars(errors).items():
        if inspect.isclass(error) and issubclass(error, errors.CogmemError):
            yield f"- `{name}`: {_doc(error)}"


# -- the scoreboard ------------------------------------------------------------------------------

SCOREBOARD = FOLDER.parent / "scoreboard.md"
RESULTS_OF = FOLDER.parents[1] / "benchmarks" / "results"
PEERS = RESULTS_OF.parent / "peers" / "peers.toml"
OF_TALK = {
    "locomo": "**People among themselves** (LoCoMo: short messages of two friends over months",
    "beam": "**A person and an assistant** (BEAM-100K: the assistant's messages run to a thousand words",
}


def scoreboard() -> str:
    """The page with its measured rows made anew from benchmarks/results."""
    text = SCOREBOARD.read_text(encoding="utf-8")
    for part, rows in {"work": _of_script("scoreboard_page").work(), "talk": _measured()}.items():
        begin, end = f"<!-- {part}: made by make docs-reference -->", f"<!-- end of {part} -->"
        head, _, rest = text.partition(begin)
        text = f"{head}{begin}\n{rows}\n{end}{rest.partition(end)[2]}"
    return text


def _measured() -> str:
    kept = _results("scoreboard")
    return "\n".join(
        [
            *(line for family in OF_TALK for line in _side_by_side(kept, family)),
            _whole(kept),
            "",
            *_times(kept),
            _left_out(kept),
            "",
            *_among_many(),
        ]
    )


SHARES = ("recall", "telling_words", "idle_answered")


def _side_by_side(kept: Any, family: str) -> Iterator[str]:
    """What `make scoreboard` found in one kind of talk: each system by its own documented calls."""
    rows = [
        (system, at)
        for system in kept["sample"].values()
        for name, at in system["sets"].items()
        if name.startswith(family)
    ]
    talks, questions = rows[0][1]["conversations"], rows[0][1]["questions"]
    yield f"{OF_TALK[family]}; {questions} questions on {talks} conversations):"
    yield ""
    yield ("| | % found | telling words, % | idle prompts answered, % | tokens a prompt |")
    yield "|---|--:|--:|--:|--:|"
    for system, at in rows:
        figures = " | ".join(_figure(at[name]) for name in SHARES)
        yield f"| {_called(system)} | {figures} | {at['tokens']} |"
    yield ""


def _called(system: Any) -> str:
    if system["name"].startswith("cogmem"):
        return f"**{system['name']}**"
    return f"{system['name']} ({system['version']})"


def _times(kept: Any) -> Iterator[str]:
    """How long a search of each takes, all filled with one conversation and asked in turn."""
    at = kept["times"]
    least, most = min(at["load"]), max(at["load"])
    yield (
        f"**How long a search takes**: {at['questions']} questions on {at['items']} messages, on a busy machine "
        f"(load {least:g} to {most:g} on {kept['machine']['cores']} cores):"
    )
    yield ""
    yield "| | p50 ms |"
    yield "|---|--:|"
    for name, system in kept["sample"].items():
        yield f"| {_called(system)} | {_figure(at['p50_ms'].get(name))} |"
    yield ""


def _whole(kept: Any) -> str:
    """What all conversations say, where the tables are of some."""
    told = []
    for system in kept["whole"].values():
        beam = next(at for name, at in system["sets"].items() if name.startswith("beam"))
        told.append(
            f"{system['name']} {beam['recall']:.1f} % ({beam['telling_words']:.1f} % of the telling words)"
        )
        talks, questions = beam["conversations"], beam["questions"]
    return (
        f"BEAM's table has an even sample, as some peers take long to fill. On all {talks} conversations "
        f"({questions} questions): {'; '.join(told)}."
    )


def _left_out(kept: Any) -> str:
    """Who is not in the tables, and why."""
    told = tomllib.loads(PEERS.read_text(encoding="utf-8"))
    why = {peer["name"]: peer["cannot"] for peer in told.values() if "cannot" in peer}
    why |= {
        peer["name"]: "not in this run"
        for name, peer in told.items()
        if "finds" in peer and name not in kept["sample"]
    }
    why |= {
        f"{system['name']} on {family}": "it took too long"
        for system in kept["sample"].values()
        for family in ("LoCoMo", "BEAM")
        if not any(data.startswith(family.lower()) for data in system["sets"])
    }
    return f"Not measured: {'; '.join(f'{name} ({reason})' for name, reason in why.items())}."


def _among_many() -> Iterator[str]:
    """How the time of a search grows, from the benchmark of a turn: all in one process."""
    kept = _results("activate")
    yield "**Among many memories**, p50 ms of a search in one run of `make bench-activate`:"
    yield ""
    yield "| memories | cogmem, a whole turn | plain FTS5, joined by OR | LangGraph SqliteStore | sqlite-utils |"
    yield "|--:|--:|--:|--:|--:|"
    for size in sorted((name for name in kept if name.isdecimal()), key=int):
        at = kept[size]
        beside = at.get("beside", {})
        times = [
            at["turn"]["p50_ms"],
            at["naive"]["p50_ms"],
            _at(beside, "LangGraph SqliteStore", "p50_ms"),
            _at(beside, "sqlite-utils search", "p50_ms"),
        ]
        yield f"| {int(size):,} | {' | '.join(map(_figure, times))} |"


def _at(found: Any, *names: str) -> Any:
    """A figure by its path; None where it was not measured, as when a rival is not installed."""
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _figure(cell: object) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    number = float(str(cell))
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}"


def _results(name: str) -> Any:
    return json.loads((RESULTS_OF / f"{name}.json").read_text(encoding="utf-8"))


# -- the ways of keeping a memory -----------------------------------------------------------------

CLUSTER = FOLDER.parent / "how-to" / "cluster.md"
# By its name in benchmarks/results/cluster.json: what it is called, what a lost machine takes along, offline.
WAYS = {
    "file": ("one file", "what came after the last [backup](backups.md)", "works"),
    "litestream": ("one file and [Litestream](backups.md)", "a second", "works"),
    "sync": (
        "a file each, and [`cogmem sync`](several-machines.md)",
        "what was not exchanged yet",
        "works, and meets later",
    ),
    "cluster": (
        "a cluster",
        "nothing that was acknowledged",
        "turns and reads go on; a write says that it cannot",
    ),
}


def ways() -> str:
    """The page about clusters with what each way costs, from benchmarks/results."""
    text = CLUSTER.read_text(encoding="utf-8")
    begin, end = "<!-- ways: made by make docs-reference -->", "<!-- end of ways -->"
    head, _, rest = text.partition(begin)
    kept = _results("cluster")
    rows = [
        "| way | a turn | after a pause | a write | a machine is lost | offline |",
        "|---|--:|--:|--:|---|---|",
    ]
    for name, (called, lost, offline) in WAYS.items():
        times = [
            _ms(kept["ms"].get(f"{name}: {what}"))
            for what in ("a turn", "a turn after a pause", "a write")
        ]
        rows.append(f"| {' | '.join([called, *times, lost, offline])} |")
    exchange = kept.get("exchange")
    told = [
        f"In ms, the slowest of the quickest tenth, of {kept['memories']:,} memories: one way after the other in one"
        " run on a busy machine, with three nodes on it (`make bench-cluster`). To move these"
        f" {kept['mb']} MB onto the nodes took {kept['move_s']:.0f} s."
    ]
    if exchange:
        told.append(
            f"To exchange {exchange['acts']} acts with another file took {exchange['s']} s."
        )
    body = "\n".join([*rows, "", *told])
    return f"{head}{begin}\n{body}\n{end}{rest.partition(end)[2]}"


def _ms(times: dict[str, float] | None) -> str:
    return "–" if times is None else f"{times['p10']:.1f}"


# -- the table of the benchmarks -------------------------------------------------------------------


def benchmarks() -> str:
    """benchmarks/README.md as its own script makes it, which also runs without the tests."""
    made: str = _of_script("table").page()
    return made


def _of_script(name: str) -> Any:
    """A script of the benchmarks, which is no package."""
    spec = importlib.util.spec_from_file_location(
        f"benchmarks_{name}", RESULTS_OF.parent / f"{name}.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def made() -> dict[Path, str]:
    """Every page that is made, by its file."""
    reference = {FOLDER / name: text for name, text in (command_line() | python_api()).items()}
    measured = {SCOREBOARD: scoreboard(), CLUSTER: ways()}
    return reference | measured | {RESULTS_OF.parent / "README.md": benchmarks()}


def main() -> None:
    pages = made()
    if "--write" not in sys.argv:
        sys.stdout.write("".join(pages.values()))
        return
    for place in FOLDER.rglob("*.md"):
        if place not in pages:
            place.unlink()
    for place, text in pages.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
