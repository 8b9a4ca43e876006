"""A coding agent as cogmem knows it: what it is called, how it differs, and the events that it tells.

`HOSTS` is the table: each host is one row and one module. A hook is a new process: it loads this
module and that of its own host, and nothing of the others.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.session import Kept
    from cogmem.turn.act import Told

    Edit = Callable[[str], str]  # the text of a file → what it shall be

# What a person calls a host, and its module here.
HOSTS = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini": "gemini",
    "opencode": "opencode",
    "cursor": "cursor",
    "pi": "pi",
    "copilot": "copilot",
    "qwen": "qwen",
    "cline": "cline",
    "droid": "droid",
    "openclaw": "openclaw",
    "goose": "goose",
    "kiro": "kiro",
    "vscode": "vscode",
}
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
    """What hosts differ in; by itself, a host of which nothing is known but its name."""

    at = ""  # its folder in a project, and in a person's home folder
    at_home = ""  # the latter, where it is another
    moved_by = ""  # the variable that names another place for it
    talks: ClassVar[dict[str, str]] = {}  # folder of transcripts below it → how their names end
    events: tuple[str, ...] = ()  # those that a hook answers, in the host's words
    tools: ClassVar[dict[str, str]] = {}  # event → the tools that it is about
    means: ClassVar[
        dict[str, str]
    ] = {}  # event → what it means to us, where its name says something else
    renamed: ClassVar[dict[str, str]] = {}  # a field as it calls it → as most do
    brings = "SessionStart"  # the event that brings the stable text
    brings_at_start = True  # what the start of a session brings stays in the prompt
    keeps_start = True  # also when the session is resumed
    tells_beside = False  # its model hears nothing before a tool has run
    tells_words = (
        False  # its events carry what was said, so nothing is read of its own files meanwhile
    )
    tells_prompt = False  # a message stands in its prompt event alone, which records it too
    loads_tools: ClassVar[dict[str, bool]] = {}  # has its model see the tools, not only their names
    consent = ""  # what a person has to say yes to before it is written
    shell_on_windows = "cmd"  # what it runs a hook with there; elsewhere all take a POSIX shell
    not_said: tuple[str, ...] = ()  # how a text begins that it puts into the person's mouth

    def __init__(self, name: str) -> None:
        self.name = name

    # -- while a hook runs -----------------------------------------------------------------------

    def shortens(self, trigger: str) -> bool:
        """Tell whether it shortens its prompt whenever it says that it is about to."""
        return True

    def spoken(self, text: str) -> str:
        """Return what a person said of a text: the blocks that the host put before it are gone; '' if that is all."""
        return spoken(text, self.not_said)

    def has_lost(self, path: str, stable: Callable[[], str]) -> bool:
        """Tell whether what it would send next is without the stable text, as its transcript shows."""
        return False

    def transcript(self, path: str) -> str:
        """Return the file to read what was said from; '' where its events carry the words."""
        return path

    def transcripts(self) -> list[str]:
        """Return the transcripts that it keeps on this machine."""
        base = self.folder(wide=True)
        pairs = self.talks.items()
        return [path for name, end in pairs for path in files_below(os.path.join(base, name), end)]

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        """Of a transcript and its first lines: the session's name, its folder and when it began; None for a file that
        is none."""
        return None

    def stored(self, place: str = "") -> list[Kept]:
        """The sessions that it keeps in databases, many in one file; of the file at a place, if one is named."""
        return []

    def lines(self, path: str, plain: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Return the lines of a session that it keeps, as `messages` takes them; `plain` are those of its file."""
        return plain

    def messages(self, line: dict[str, Any]) -> list[dict[str, Any]] | None:
        """Return the messages in a line of its transcripts; None if the line is not of its form. One may have a
        `timestamp` of its own."""
        return None

    def reply(self, name: str, text: str) -> str:
        """Return what it reads back; `name` is its own word for the event."""
        return (
            f'{{"hookSpecificOutput":{{"hookEventName":{quoted(name)},'
            f'"additionalContext":{quoted(text)}}}}}\n'
        )

    def refusal(self, name: str, reason: str) -> str:
        """Return what it reads back where a tool must not run."""
        return (
            f'{{"hookSpecificOutput":{{"hookEventName":{quoted(name)},"permissionDecision":"deny",'
            f'"permissionDecisionReason":{quoted(reason)}}}}}\n'
        )

    # -- while it is installed -------------------------------------------------------------------

    def folder(self, *, wide: bool) -> str:
        """Where its configuration lies: for all projects of this person, or for this folder."""
        if not wide:
            return os.path.join(os.getcwd(), self.at)
        return os.environ.get(self.moved_by) or home(self.at_home or self.at)

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        """Return its files, and what is done to each."""
        raise NotImplementedError

    def left_to_do(self) -> list[str]:
        """Return what is left for the person to do, or to know, when it is installed."""
        return []

    def entry(self, words: list[str], seconds: int) -> dict[str, Any]:
        """Return a hook as its settings hold it."""
        return {"hooks": [{"type": "command", "command": self.line(words), "timeout": seconds}]}

    def line(self, words: list[str]) -> str:
        """Return a command as its shell on this system wants it."""
        from cogmem.hosts.command import shell_line

        return shell_line(words, self.shell_on_windows if os.name == "nt" else "sh")


def find(name: str) -> Host:
    """Return a host by its name; one of which nothing is known is a plain Host."""
    if name not in HOSTS:
        return Host(name)
    # By its name: who serves one host loads no other.
    module = __import__(f"cogmem.hosts.{HOSTS[name]}", fromlist=("HOST",))
    found: Host = module.HOST
    return found


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
    """Return what the host reads back; in plain ASCII, whatever the console thinks its encoding is."""
    return event.host.reply(event.name, text) if text else ""


# -- JSON ----------------------------------------------------------------------------------------


def parse(text: str) -> Any:
    """A JSON text as Python has it, without loading json and re where the C parts are at hand."""
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


def called(name: Any, tool: Any, arguments: Any) -> dict[str, Any]:
    """Return a call of a tool, as a message of the record takes it."""
    return {"id": name, "name": tool, "arguments": arguments}


def answered(name: Any, content: Any) -> dict[str, Any]:
    """Return what a tool answered, as a message of the record."""
    return {"role": "tool", "tool_call_id": name, "content": content}


def quoted(text: str) -> str:
    """A text as JSON has it, in plain ASCII."""
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
        return
    for line in text.split("\n"):
        found = decoded(line) if line.strip() else None
        if isinstance(found, dict):
            yield found


def files_below(folder: str, *endings: str) -> list[str]:
    """Return the files below a folder whose names end so, in order."""
    found = [
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if name.endswith(endings)
    ]
    return sorted(found)


def lines_of(head: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in the first lines of a transcript; the last one may be cut off, and is left out then."""
    for line in head.split("\n"):
        found = decoded(line)
        if isinstance(found, dict):
            yield found


def decoded(text: str) -> Any:
    """Return a JSON text, or None."""
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None
