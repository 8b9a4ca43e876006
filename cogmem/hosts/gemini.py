"""Gemini CLI."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, answered, called, decoded, files_below, home, objects, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit


class Gemini(Host):
    """Gemini CLI."""

    at = ".gemini"
    events = tuple(
        "SessionStart BeforeAgent BeforeTool AfterTool AfterAgent PreCompress SessionEnd".split()
    )
    tools: ClassVar[dict[str, str]] = {
        "BeforeTool": "run_shell_command|read_file|replace|write_file|ask_user|exit_plan_mode",
        "AfterTool": "run_shell_command|read_file|replace|write_file",
    }
    brings = "BeforeAgent"
    # It puts what a start brings before the first message, or beside it, and leaves both out when it
    # resumes the session; what a prompt brings, it keeps. So the first prompt brings all.
    brings_at_start = False
    tells_beside = True
    shell_on_windows = "powershell"
    not_said = (
        "<session_context>",
        "<hook_context>",
        "This is the Gemini CLI. We are setting up the context",
    )

    def shortens(self, trigger: str) -> bool:
        # It says so before every turn, and only then looks whether there is need; whether it did is
        # seen when it has answered.
        return trigger == "manual"

    def has_lost(self, path: str, stable: Callable[[], str]) -> bool:
        text = stable()
        if not text:
            return False
        held: list[Any] = []
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                for line in objects(file.read()):
                    changed = line.get("$set")
                    if isinstance(changed, dict) and isinstance(changed.get("messages"), list):
                        held = list(changed["messages"])  # resumed or compressed: this is all of it
                    else:
                        held.append(line)
        except OSError:
            return False
        # It lets no tags in what hooks bring; of a message's parts each is a text of its own.
        wanted = text.strip().replace("<", "&lt;").replace(">", "&gt;")
        contents = [one.get("content") for one in held if isinstance(one, dict)]
        parts = [part for said in contents for part in (said if isinstance(said, list) else [said])]
        texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
        return not any(isinstance(said, str) and wanted in said for said in texts)

    def transcripts(self) -> list[str]:
        below = os.path.join(self.folder(wide=True), "tmp")
        return [
            path
            for path in files_below(below, ".json", ".jsonl")
            if f"{os.sep}chats{os.sep}" in path
        ]

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        from cogmem.hosts.session import text_in

        name, began = text_in(head, "sessionId"), text_in(head, "startTime")
        if not name or not text_in(head, "projectHash"):
            return None
        return name, _root_of(path, head), began

    def messages(self, line: dict[str, Any]) -> list[dict[str, Any]] | None:
        if line.get("type") not in ("user", "gemini") or "message" in line:
            return None
        return _messages(line)

    def refusal(self, name: str, reason: str) -> str:
        return f'{{"decision":"deny","reason":{quoted(reason)}}}\n'

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import hooks_and_server

        return [(f"{self.folder(wide=wide)}/settings.json", hooks_and_server(ask, self))]

    def entry(self, words: list[str], seconds: int) -> dict[str, Any]:
        (run,) = super().entry(words, seconds * 1_000)["hooks"]  # it counts ms
        return {"hooks": [{"name": "cogmem", **run}]}


def _root_of(path: str, head: str) -> str:
    """Return the folder of a session: Gemini CLI notes it beside its chats, or keeps a hash of it alone."""
    above = os.path.dirname(os.path.dirname(path))
    try:
        with open(os.path.join(above, ".project_root"), encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        pass
    from cogmem.hosts.session import text_in

    wanted = text_in(head, "projectHash") or os.path.basename(above)
    from cogmem.text.lines import sha256

    for folder in _folders_known():
        if sha256(folder.encode("utf-8", "surrogateescape")).hexdigest() == wanted:
            return folder
    return ""


def _folders_known() -> list[str]:
    """Folders in which it was started, as far as it keeps a list of them; and the one at hand."""
    known = [os.getcwd()]
    for name in ("projects.json", "trustedFolders.json"):
        try:
            with open(home(".gemini", name), encoding="utf-8") as file:
                found = decoded(file.read())
        except OSError:
            continue
        if isinstance(found, dict):
            listed = found.get("projects", found)
            known += [one for one in listed if isinstance(one, str) and os.path.isabs(one)]
    return known


def _messages(line: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a message of Gemini CLI, and the results of its tools, which it keeps with their calls."""
    content = line.get("content")
    if isinstance(content, list):
        texts = [str(part.get("text", "")) for part in content if isinstance(part, dict)]
        content = "\n".join(said for said in map(HOST.spoken, texts) if said)
    listed = line.get("toolCalls")
    calls = [
        call for call in (listed if isinstance(listed, list) else ()) if isinstance(call, dict)
    ]
    calls = [call for call in calls if call.get("name")]
    said = {
        "role": "user" if line["type"] == "user" else "assistant",
        "content": content if isinstance(content, str) else "",
        "tool_calls": [called(one.get("id"), one["name"], one.get("args")) for one in calls],
    }
    results = [
        (one.get("id") or one["name"], one.get("resultDisplay") or one.get("result"))
        for one in calls
    ]
    return [said, *(answered(name, str(result)) for name, result in results if result)]


HOST = Gemini("gemini")
