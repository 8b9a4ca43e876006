"""A coding agent as cogmem knows it: what it is called, how it differs, and the events that it tells.

Each host is a row, a file of data/hosts; four have a module besides, for what is no row. A hook is a new process: it
reads this module and the row of its own host, and nothing of the others.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, ClassVar

    from cogmem.hosts.session import Kept
    from cogmem.turn.act import Told

# What a person calls each host; its row is the file of that name in data/hosts.
HOSTS = tuple(
    "claude-code codex gemini opencode cursor pi copilot qwen"
    " cline droid openclaw goose kiro vscode".split()
)
# For a caller that names no event.
NAMES = {
    "start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "before": "PreToolUse",
    "after": "PostToolUse",
    "failed": "PostToolUseFailure",
    "helper": "SubagentStart",
}

# What hosts call their events, in lower case without signs → ours; and how many seconds each may take.
EVENTS = {
    "start": "start", "sessionstart": "start", "agentspawn": "start",
    "prompt": "prompt", "userpromptsubmit": "prompt", "beforeagent": "prompt",
    "compact": "compact", "precompact": "compact", "precompress": "compact",
    "stop": "stop", "afteragent": "stop",
    "said": "said", "beforesubmitprompt": "said", "afteragentresponse": "said",
    "end": "end", "sessionend": "end",
    "before": "before", "pretooluse": "before", "beforetool": "before",
    "after": "after", "posttooluse": "after", "aftertool": "after",
    "failed": "failed", "posttoolusefailure": "failed",
    "helper": "helper", "subagentstart": "helper",
    "helped": "helped", "subagentstop": "helped",
    "fold": "fold",
}  # fmt: skip
SECONDS = {
    "start": 5.0,
    "prompt": 3.0,
    "compact": 5.0,
    "said": 3.0,
    "stop": 20.0,
    "end": 20.0,
    "before": 1.0,
    "after": 2.0,
    "failed": 2.0,
    "helper": 2.0,
    "helped": 20.0,
    "fold": 600.0,
}


def patience(event: str) -> int:
    """Return the seconds that a host is told to give the hook of its event: more than that takes at most."""
    own = SECONDS[EVENTS[event.lower()]]
    return 30 if own >= 20 else 10 if own >= 3 else 5


def spoken(text: str, not_said: tuple[str, ...]) -> str:
    """Return a text without the blocks at its head that begin as a host's own do: `<tag …>…</tag>`, or all of it."""
    rest = text.lstrip()
    while not_said and rest.startswith(not_said):
        name = rest[1:].split(">", 1)[0].split(None, 1)[0] if rest[0] == "<" else ""
        _, closing, rest = rest.partition(f"</{name}>") if name else ("", "", "")
        rest = rest.lstrip() if closing else ""
    return rest


class Host:
    """What hosts differ in, as a row says; by itself, a host of which nothing is known but its name."""

    at = ""  # its folder in a project, and in a person's home folder
    at_home = ""  # the latter, where it is another
    moved_by = ""  # the variable that names another place for it
    editor = ""  # the editor of VS Code's kin among whose settings the latter lies
    talks: tuple[
        tuple[str, str], ...
    ] = ()  # a folder of transcripts below it, and how they are named
    session: ClassVar[dict[str, Any]] = {}  # where a line of a transcript tells whose it is
    events: tuple[str, ...] = ()  # those that a hook answers, in the host's words
    tools: ClassVar[dict[str, str]] = {}  # event → the tools that it is about
    means: ClassVar[
        dict[str, str]
    ] = {}  # event → what it means, where its name says something else
    renamed: ClassVar[dict[str, str]] = {}  # a field as it calls it → as most do
    brings = "SessionStart"  # the event that brings the stable text
    brings_at_start = True  # what the start of a session brings stays in the prompt
    keeps_start = True  # also when the session is resumed
    tells_beside = False  # its model hears nothing before a tool has run
    tells_words = False  # its events carry what was said: nothing is read of its files meanwhile
    reads_own = True  # its transcript has a form that it keeps to
    tells_prompt = False  # a message stands in its prompt event alone, which records it too
    shortens_at = ""  # what triggers it to shorten its prompt; '': it does whenever it says so
    consent = ""  # what a person has to say yes to before it is written
    shell_on_windows = "cmd"  # what it runs a hook with there; elsewhere all take a POSIX shell
    not_said: tuple[str, ...] = ()  # how a text begins that it puts into the person's mouth
    left: tuple[str, ...] = ()  # what a person has to do, or to know, when it is installed
    files: tuple[dict[str, Any], ...] = ()  # its configuration: edits.py
    entry: ClassVar[dict[str, Any]] = {  # a hook as its settings hold it
        "hooks": [{"type": "command", "command": "$line", "timeout": "$seconds"}]
    }
    # What it reads back, and where a tool must not run; `name` is its own word for the event. '': plain text.
    replied = '{"hookSpecificOutput":{"hookEventName":%(name)s,"additionalContext":%(text)s}}'
    refused = (
        '{"hookSpecificOutput":{"hookEventName":%(name)s,"permissionDecision":"deny",'
        '"permissionDecisionReason":%(text)s}}'
    )

    def __init__(self, name: str, row: dict[str, Any] | None = None) -> None:
        self.name = name
        vars(self).update(row or {})

    def spoken(self, text: str) -> str:
        """Return what a person said of a text: the blocks that the host put before it are gone; '' if that is all."""
        return spoken(text, tuple(self.not_said))

    def has_lost(self, path: str, stable: Callable[[], str]) -> bool:
        """Tell whether what it would send next is without the stable text, as its transcript shows."""
        return False

    def transcripts(self) -> list[str]:
        """Return the transcripts that it keeps on this machine."""
        base = self.folder(wide=True)
        return [
            path
            for name, form in self.talks
            for path in files_below(os.path.join(base, name), form)
        ]

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        """Return of a transcript, by its first lines, the session's name, its folder and its begin; None for a file
        that is none."""
        row = self.session
        for line in lines_of(head) if row else ():
            kind = row.get("type")
            if (kind and line.get("type") != kind) or not all(
                within(line, one) for one in row["with"]
            ):
                continue
            if any(within(line, one) for one in row.get("without", ())):
                return None
            name, folder, began = (
                str(within(line, row.get(what, "")) or "") for what in ("name", "folder", "began")
            )
            own = path.removesuffix(f"{os.sep}events.jsonl").removesuffix(".jsonl")
            return name or os.path.basename(own), folder, began
        return None

    def stored(self, place: str = "") -> list[Kept]:
        """Return the sessions that it keeps in databases, many in a file; of the file at a place, if one is named."""
        return []

    def lines(self, path: str, plain: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Return the lines of a session that it keeps; `plain` are those of its file."""
        return plain

    def answer(self, name: str, text: str, *, refuses: bool = False) -> str:
        """Return what it reads back, or where a tool must not run; in plain ASCII, whatever the console thinks its
        encoding is."""
        form = self.refused if refuses else self.replied
        return f"{form % {'name': quoted(name), 'text': quoted(text)} if form else text}\n"

    def folder(self, *, wide: bool) -> str:
        """Return where its configuration lies: for all projects of this person, or for this folder."""
        if not wide:
            return os.path.join(os.getcwd(), self.at)
        if self.editor:
            return editor_folder(self.editor)
        return os.environ.get(self.moved_by) or home(self.at_home or self.at)

    def left_to_do(self) -> list[str]:
        """Return what is left for the person to do, or to know, when it is installed."""
        return list(self.left)


_KNOWN: dict[str, Host] = {}


def find(name: str) -> Host:
    """Return a host by its name; one of which nothing is known is a plain Host."""
    if name not in HOSTS:
        return Host(name)
    if name not in _KNOWN:
        with open(
            f"{os.path.dirname(os.path.dirname(__file__))}/data/hosts/{name}.json", "rb"
        ) as file:
            row = parse(file.read().decode("utf-8"))
        # By its name: who serves one host loads no other.
        own = row.pop("module", "")
        made = __import__(f"cogmem.hosts.{own}", fromlist=("OWN",)).OWN if own else Host
        _KNOWN[name] = made(name, row)
    return _KNOWN[name]


def home(*parts: str) -> str:
    """Return a place in the person's home folder."""
    return os.path.join(os.path.expanduser("~"), *parts)


def editor_folder(editor: str) -> str:
    """Return where an editor of VS Code's kin keeps what belongs to a person."""
    if sys.platform == "darwin":
        return home("Library", "Application Support", editor, "User")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("APPDATA") or home("AppData", "Roaming"), editor, "User")
    return os.path.join(os.environ.get("XDG_CONFIG_HOME") or home(".config"), editor, "User")


class Event:
    """One event as the host told it: only fields of the right type count."""

    __slots__ = ("at", "fields", "folder", "host", "kind", "name", "session", "told", "turn")

    def __init__(self, kind: str, host: str, fields: dict[str, Any]) -> None:
        self.kind = kind
        self.at: int | None = None  # when it happened, in ms; none: now
        self.told: Told | None = (
            None  # what it brought at an act, to be noted when it has been said
        )
        self.turn = ""  # its name, where another process may have begun to answer it
        self.host = find(host)
        called = self.host.renamed
        self.fields = (
            {called.get(name, name): value for name, value in fields.items()} if called else fields
        )
        self.name = self.text("hook_event_name") or NAMES.get(kind, "")
        self.session = self.text("session_id") or self.text("conversation_id")
        roots = fields.get("workspace_roots")
        first = roots[0] if isinstance(roots, list) and roots else ""
        self.folder = self.text("cwd") or (first if isinstance(first, str) else "")

    def text(self, field: str) -> str:
        """Return a field that holds text; '' when it holds anything else."""
        value = self.fields.get(field)
        if value is None and "_" in field:  # some write sessionId
            first, *rest = field.split("_")
            value = self.fields.get(first + "".join(map(str.capitalize, rest)))
        return value if isinstance(value, str) else ""


def reply(event: Event, text: str) -> str:
    """Return what the host reads back; '' for silence."""
    return event.host.answer(event.name, text) if text else ""


# -- JSON ----------------------------------------------------------------------------------------


def parse(text: str) -> Any:
    """Return a JSON text as Python has it, without loading json and re where the C parts are at hand."""
    try:
        from _json import make_scanner
    except ImportError:
        from json import loads

        return loads(text)
    text = text.strip(" \t\n\r")
    try:
        value, end = make_scanner(_Plain)(text, 0)  # type: ignore[arg-type]
    except StopIteration:
        raise ValueError("this is not JSON") from None
    if end != len(text):
        raise ValueError("something follows the JSON")
    return value


class _Plain:
    """What the scanner asks its decoder for: nothing special."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012  (asked for by other versions of the scanner)


def quoted(text: str) -> str:
    """Return a text as JSON has it, in plain ASCII."""
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:
        from json import dumps as quote
    return quote(text)


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a file of lines, or of a file that is one document with messages."""
    whole = decoded(text) if text.lstrip().startswith("{") and "\n{" not in text.strip() else None
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        yield from (one for one in whole["messages"] if isinstance(one, dict))
    else:
        yield from lines_of(text)


def files_below(folder: str, *forms: str) -> list[str]:
    """Return the files below a folder whose paths have one of these forms, in order."""
    from fnmatch import fnmatch

    below = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)
    return sorted(path for path in below if any(fnmatch(path, form) for form in forms))


def within(line: dict[str, Any], places: str) -> Any:
    """Return what stands in a line at the first place that holds anything: `data.context.cwd|cwd`."""
    for place in places.split("|"):
        held: Any = line
        for name in place.split("."):
            held = held.get(name) if isinstance(held, dict) else None
        if held:
            return held
    return None


def lines_of(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in the lines of a text; a last one that is cut off is left out."""
    for line in text.split("\n"):
        found = decoded(line) if line.strip() else None
        if isinstance(found, dict):
            yield found


def decoded(text: str) -> Any:
    """Return a JSON text, or None."""
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None
