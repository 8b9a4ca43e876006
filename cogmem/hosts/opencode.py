"""OpenCode: its sessions lie in a database, or in a file that it exports."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, decoded, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.hosts.session import Kept


class OpenCode(Host):
    """OpenCode."""

    def stored(self, place: str = "") -> list[Kept]:
        """Return the sessions in its database; those of sub-agents stay out, since a model talks there to a model."""
        from cogmem.file.foreign import is_database, lengths, tables
        from cogmem.hosts.session import INSIDE, Kept

        data = os.environ.get("XDG_DATA_HOME") or home(".local", "share")
        file = place or os.path.join(data, "opencode", "opencode.db")
        if not is_database(file):
            return []
        try:
            rows = tables(file, ("session",)).get("session", [])
            sizes = lengths(file, "part", "session_id", "data", "", 100)
        except OSError:
            return []
        return [
            Kept(
                f"{file}{INSIDE}{row['id']}",
                row["id"],
                row["directory"],
                row["time_created"],
                row["time_updated"] * 1_000_000,
                sizes.get(row["id"], 0),
            )
            for row in rows
            if "directory" in row and not row["parent_id"] and sizes.get(row["id"])
        ]

    def lines(self, path: str, plain: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the messages of a session in its database, as those of a file that it exports."""
        from cogmem.file.foreign import between, is_database
        from cogmem.hosts.session import INSIDE

        file, _, session = path.rpartition(INSIDE)
        if not is_database(file):
            yield from plain
            return
        rows = between(file, "session", "id", session, session)
        undone = (decoded(rows[0]["revert"] or "") if rows else None) or {}
        end = undone.get("messageID") or "~"  # a person went back to before this one
        parts: dict[str, list[Any]] = {}
        for part in sorted(between(file, "part", "session_id", session, session), key=_by_id):
            parts.setdefault(part["message_id"], []).append(decoded(part["data"]))
        for said in sorted(between(file, "message", "session_id", session, session), key=_by_id):
            if said["id"] < end:
                yield {"info": decoded(said["data"]), "parts": parts.get(said["id"], [])}

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        """Return the session of a file that `opencode export` wrote."""
        from cogmem.hosts.session import text_in

        if '"messages"' not in head or not head.lstrip().startswith("{"):
            return None
        info = head.partition('"info"')[2].partition('"messages"')[0]
        name, folder = (text_in(info, field) for field in ("id", "directory"))
        return (name, folder, "") if name.startswith("ses_") else None

    def folder(self, *, wide: bool) -> str:
        config = os.environ.get("XDG_CONFIG_HOME") or home(".config")
        return f"{config}/opencode" if wide else os.path.join(os.getcwd(), ".opencode")


def _by_id(row: dict[str, Any]) -> str:
    return str(row["id"])  # they begin with the time


OWN = OpenCode
