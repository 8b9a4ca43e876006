"""Gemini CLI: whether it has lost what a start brought, and where its sessions ran.

It puts what a start brings before the first message, or beside it, and leaves both out when it resumes the session;
what a prompt brings, it keeps. So the first prompt brings all.
"""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, decoded, home, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Gemini(Host):
    """Gemini CLI."""

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

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        from cogmem.hosts.session import text_in

        name, began = text_in(head, "sessionId"), text_in(head, "startTime")
        if not name or not text_in(head, "projectHash"):
            return None
        return name, _root_of(path, head), began


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


OWN = Gemini
