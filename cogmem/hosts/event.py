"""An event of a host: one JSON object, of which only fields of the right type count."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# For a caller that names no event.
NAMES = {
    "start": "SessionStart", "prompt": "UserPromptSubmit", "before": "PreToolUse",
    "after": "PostToolUse", "failed": "PostToolUseFailure", "helper": "SubagentStart",
}  # fmt: skip


class Event:
    """One event as the host told it: only fields of the right type count."""

    __slots__ = ("at", "fields", "folder", "host", "kind", "name", "session")

    def __init__(self, kind: str, host: str, fields: dict[str, Any]) -> None:
        self.kind = kind
        self.at: int | None = None  # when it happened, in ms; none: now
        self.host = host
        self.fields = fields
        self.name = self.text("hook_event_name") or NAMES.get(kind, "")
        self.session = self.text("session_id") or self.text("conversation_id")
        roots = fields.get("workspace_roots")
        first = roots[0] if isinstance(roots, list) and roots else ""
        self.folder = self.text("cwd") or (first if isinstance(first, str) else "")

    def text(self, field: str) -> str:
        """A field that holds text; '' when it holds anything else."""
        value = self.fields.get(field)
        return value if isinstance(value, str) else ""


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


def quoted(text: str) -> str:
    """A text as JSON has it, in plain ASCII."""
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:
        from json import dumps as quote
    return quote(text)


def reply(event: Event, text: str) -> str:
    """What the host reads back; in plain ASCII, whatever the console thinks its encoding is."""
    if not text:
        return ""
    name, said = quoted(event.name), quoted(text)
    if event.host == "cursor":
        return f'{{"additional_context":{said}}}\n'
    return f'{{"hookSpecificOutput":{{"hookEventName":{name},"additionalContext":{said}}}}}\n'
