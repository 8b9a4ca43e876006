"""Hooks around a tool: what is known is told before it runs, and what failed is kept.

Claude Code and Codex let a hook speak before a tool (PreToolUse). Gemini CLI and OpenCode let it
stop the tool there, but speak only beside the result (AfterTool, tool.execute.after): what is known
about a file is told with what was read of it, what is known about a command with its outcome.
Before an agent asks its person something, or shows them a plan, it hears once what memory knows of that, in place of
the tool: said beside the result it would come after the person's answer. If that does not settle it, the agent asks
again, and is not stopped a second time.
A failure brings what mended the same one before. What failed and what mended it this time is read from
the transcript when the agent has answered: nothing is written while a tool waits.
"""

from __future__ import annotations

from cogmem.hosts.host import reply as speak
from cogmem.text import attempts, calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from cogmem.hosts.host import Event
    from cogmem.memory import Memory
    from cogmem.space import Instant
    from cogmem.turn.act import Told

AGAIN = (
    "If this settles it, go on by it. If not, do the same again: nothing will stand in the way.\n"
)
# What hosts call the tools by which an agent asks its person, shows a plan, goes into a worktree; without signs.
ASKS = (
    "askuserquestion",
    "askuser",
    "question",
    "requestuserinput",
    "askquestion",
    "askfollowupquestion",
)
PLANS = ("exitplanmode", "exitspecmode", "planexit", "exitplan", "createplan")
WORKTREES = ("enterworktree",)
PLAN_LIMIT = 100_000  # characters
_TEXTS = ("old_string", "oldString", "new_string", "newString", "new_source", "content")


def before(mem: Memory, event: Event) -> Told | None:
    """Return what is told before a tool runs, or that it must not run."""
    doing = subject(event)
    if not doing:
        return None
    if "question" in doing or "plan" in doing:
        return _instead(mem, event, doing)
    told = mem.at_act(**doing, session=_once(event), notes=False)
    if event.host.tells_beside and not told.stops:
        return None
    return told


def _instead(mem: Memory, event: Event, doing: dict[str, Any]) -> Told | None:
    """Return what is told in place of a question or a plan, once: only where it is noted that it was."""
    told = mem.at_act(**doing, session=event.session, notes=False)
    if not told.text or not mem.note_told(told):
        return None
    return told._replace(text=f"{told.text}{AGAIN}", stops=True, session="")


def after(mem: Memory, event: Event) -> Told | None:
    """Return what is told once a tool has run: what mended this failure before, where it failed."""
    doing = subject(event)
    if not doing:
        return None
    said = output(event)
    error = (
        attempts.telling_line(said) if event.kind == "failed" or attempts.exit_code(said) else ""
    )
    command = doing.get("command", "")
    if error and command and not attempts.is_looking(command):
        told = mem.at_act(command=command, error=error, session=event.session, notes=False)
        if told.text:
            return told
    if not event.host.tells_beside:
        return None
    return mem.at_act(**doing, session=event.session, notes=False)


def _once(event: Event) -> str:
    """Return the session that is noted as told; none where the text is only told beside the result. A subagent has
    a prompt of its own, which holds nothing of what the session was told."""
    helper = event.text("agent_id")
    if event.host.tells_beside:
        return ""
    return f"{event.session}/{helper}" if helper else event.session


def learn(mem: Memory, entries: Iterable[Sequence[Any]], *, now: Instant = None) -> None:
    """Keep what failed in a session and what mended it."""
    keep(mem, attempts.attempts(entries), now=now)


def told_calls(event: Event) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the calls of a turn as messages, from a host that tells them and keeps no transcript."""
    listed = event.fields.get("calls")
    found: list[tuple[str, list[dict[str, Any]]]] = []
    for number, call in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(call, dict) and isinstance(call.get("name"), str):
            known = {"id": str(number), "name": call["name"], "arguments": call.get("arguments")}
            result = {"tool_call_id": str(number), "content": str(call.get("output") or "")}
            failed = {"is_error": True} if call.get("failed") else {}
            found.append(("assistant", [{"type": "tool_call", **known}]))
            found.append(("tool", [{"type": "tool_result", **result, **failed}]))
    return found


def keep(mem: Memory, found: Iterable[attempts.Attempt], *, now: Instant = None) -> None:
    """Write attempts down, each once; one that is not mended says nothing anew of a known one."""
    from cogmem.errors import CogmemError, UnknownMemory

    latest: dict[str, attempts.Attempt] = {}
    for one in found:
        if one.mend or one.key not in latest:
            latest[one.key] = one
    for key, one in latest.items():
        try:
            held = mem.get(key, now=now).content
        except UnknownMemory:
            held = ""
        if held == one.text or (held and not one.mend):
            continue
        data = {"error": one.error_key, "is_general": one.is_general}
        try:
            mem.learn(
                one.text,
                "failure",
                key=key,
                session="",
                source="observed",
                data=data,
                state="active" if one.mend else "candidate",
                now=now,
            )
        except CogmemError:  # a secret in it, say: this one is not kept
            continue


def subject(event: Event) -> dict[str, Any]:
    """Return the command or the file that a tool is about to use, the question that it asks, the plan that it shows;
    {} for other tools."""
    given = event.fields.get("tool_input")
    if not isinstance(given, dict) or event.text("tool_name").startswith("mcp__"):
        return {}
    tool = "".join(sign for sign in event.text("tool_name").lower() if sign.isalpha())
    if tool in ASKS and event.kind == "before":
        asked = " ".join(_asked(given))
        return {"question": asked} if asked else {}
    if tool in PLANS and event.kind == "before":
        plan = given.get("plan") or _kept_plan(given.get("plan_path") or given.get("planFilePath"))
        return {"plan": plan} if isinstance(plan, str) and plan else {}
    if tool in WORKTREES:
        return {
            "command": f"git worktree add {given.get('name') or given.get('path') or ''}".strip()
        }
    command = calls.command_in(given)
    # What an editor does with a file is no command.
    if command and not ("edit" in tool and isinstance(given.get("path"), str)):
        if "*** Begin Patch" in command:
            return {"file": calls.patched(command), "text": command, "writes": True}
        return {"command": command}
    listed = given.get("files")
    if isinstance(listed, list) and len(listed) == 1:
        given = {"path": listed[0], **given}
    file = calls.file_in(given)
    if "." not in file.replace("\\", "/").rpartition("/")[2]:
        return {}
    texts = [text for text in map(given.get, _TEXTS[:5]) if isinstance(text, str)]
    writes = calls.changes(event.text("tool_name"))
    return {"file": within(file, event.folder), "text": "\n".join(texts), "writes": writes}


def _asked(given: Any) -> Iterable[str]:
    """Yield the words of a question, and of the answers that it offers."""
    if isinstance(given, dict):
        for name, value in given.items():
            if isinstance(value, str) and name in ("question", "label", "prompt"):
                yield value
            elif name in ("questions", "options", "choices"):
                yield from _asked(value)
    elif isinstance(given, list):
        for value in given:
            yield from [value] if isinstance(value, str) else _asked(value)


def _kept_plan(file: Any) -> str:
    """Return a plan that a host keeps in a file."""
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read(PLAN_LIMIT)
    except (OSError, TypeError, ValueError):
        return ""


def within(file: str, folder: str) -> str:
    """Return a file as its project names it."""
    plain, root = file.replace("\\", "/"), folder.replace("\\", "/").rstrip("/")
    return (
        plain[len(root) + 1 :]
        if root and plain.startswith(f"{root}/")
        else plain.removeprefix("./")
    )


def output(event: Event) -> str:
    """Return what a tool answered, as text, in any host's form."""
    said = event.text("error")
    held = event.fields.get("tool_response", event.fields.get("tool_result"))
    return said or "\n".join(_texts(held))


def _texts(held: Any) -> Iterable[str]:
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict):
        code = held.get("exit_code", held.get("exitCode"))
        if isinstance(code, int):
            yield f"exit code: {code}"
        for value in held.values():
            yield from _texts(value)
    elif isinstance(held, list):
        for value in held:
            yield from _texts(value)


def reply(event: Event, told: Told | None) -> str:
    """Return what the host reads back before a tool; '' for silence."""
    if told is None or not told.text:
        return ""
    if not told.stops:
        return speak(event, told.text)
    return event.host.answer(event.name, told.text, refuses=True)
