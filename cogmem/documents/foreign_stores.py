"""Reads what memory programs keep: mem0, Letta, claude-mem, and the MCP knowledge-graph server.

Their exports and their own files say whose a memory is, which agent kept it and since when: all of
that is kept. A text that was changed there is told with the times from which and until which it held.
"""

from __future__ import annotations

import json
import os

from cogmem.documents.foreign_gather import (
    Gathered,
    Reading,
    first_text,
    listed,
    texts,
)
from cogmem.file.foreign import Unreadable, is_database, tables
from cogmem.records import foreign_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Row = dict[str, Any]

_EXPORTS = (".json", ".jsonl", ".db", ".sqlite", ".sqlite3")


def _sources(found: Gathered, path: str, endings: tuple[str, ...] = _EXPORTS) -> list[str]:
    """Return the file itself, or the files of a folder that may be meant."""
    if not os.path.isdir(path):
        return [path]
    files = found.files(path, endings)
    if not files:
        found.problem(path, 0, f"no file in it ends in {', '.join(endings)}")
    return files


def _database(found: Gathered, path: str, names: tuple[str, ...]) -> dict[str, list[Row]]:
    try:
        read = tables(path, names)
    except Unreadable as error:
        found.problem(path, 0, f"not read: {error}")
        return {}
    if not read:
        found.problem(path, 0, f"no table in it is called {' or '.join(names)}")
    return read


# -- mem0 ----------------------------------------------------------------------------------------


def read_mem0(path: str) -> Reading:
    """Return an export of mem0 or OpenMemory (a list, `{"results": […]}`, `{"memories": […]}` or lines), its
    history.db, or a folder of them."""
    found = Gathered("mem0")
    for file in _sources(found, path):
        if is_database(file):
            _mem0_history(found, file)
            continue
        for number, item in found.items(file, ("results", "memories")):
            _mem0_memory(found, file, number, item)
    return found.reading()


def _mem0_memory(found: Gathered, path: str, number: int, item: Row) -> None:
    said = first_text(item, ("memory", "content", "text", "data"))
    if str(item.get("state", "")).lower() == "deleted":
        return
    if not said:
        found.problem(path, 0, f"entry {number} has no text")
        return
    metadata = item.get("metadata") or item.get("metadata_")
    metadata = metadata if isinstance(metadata, dict) else {}
    kind = first_text(metadata, ("type", "category", "kind"))
    tags = [*texts(item.get("categories")), *texts(metadata.get("tags"))]
    tags += [f"run:{run}" for run in [_of(item, metadata, "run_id", "session_id")] if run]
    found.add(
        said,
        kind,
        tags,
        foreign_instant(item.get("created_at") or metadata.get("created_at")),
        path,
        first_text(item, ("id", "hash")),
        0,
        user=_of(item, metadata, "user_id"),
        agent=_of(item, metadata, "agent_id", "app_name", "app_id"),
    )


def _of(item: Row, metadata: Row, *names: str) -> str:
    return first_text(item, names) or first_text(metadata, names)


def _mem0_history(found: Gathered, path: str) -> None:
    """Yield what each memory said, from when on and until when: the last text as it is, the earlier as past."""
    acts: dict[str, list[Row]] = {}
    for row in _database(found, path, ("history",)).get("history", ()):
        acts.setdefault(str(row.get("memory_id") or ""), []).append(row)
    gone = 0
    for name, rows in acts.items():
        said: list[tuple[str, int | None, str]] = []
        for row in rows:
            at = foreign_instant(row.get("updated_at") or row.get("created_at"))
            text = str(row.get("new_memory") or "").strip()
            if str(row.get("event")).upper() == "DELETE" or row.get("is_deleted"):
                text = ""
            if not said and row.get("old_memory") and text:
                said.append((str(row["old_memory"]), foreign_instant(row.get("created_at")), ""))
            said.append((text, at, str(row.get("actor_id") or "")))
        gone += not said[-1][0]
        for place, (text, since, actor) in enumerate(said):
            until = said[place + 1][1] if place + 1 < len(said) else None
            is_last = place + 1 == len(said)
            key = name if is_last else f"{name}@{place + 1}"
            tags = [f"actor:{actor}"] if actor else []
            if text and (is_last or until is not None):
                found.add(text, "", tags, since, path, key, 0, ended_at=until)
    if gone:
        found.problem(
            path, 0, f"{gone} memories were deleted there: only what they said before is brought"
        )


# -- Letta ---------------------------------------------------------------------------------------


def read_letta(path: str) -> Reading:
    """Letta agent files (old or new), exports of archival passages, or a folder of them. Blocks of one
    of several agents are that agent's; what was said is conversation and comes with `cogmem chat import`."""
    found = Gathered("letta")
    for file in _sources(found, path, (".af", ".json", ".jsonl")):
        data = found.json(file)
        parts: Row = data if isinstance(data, dict) else {"passages": data}
        agents = [agent for agent in listed(parts.get("agents")) if isinstance(agent, dict)]
        messages = sum(len(listed(part.get("messages"))) for part in (parts, *agents))
        if messages:
            found.problem(
                file,
                0,
                f"{messages} messages are conversation, not memory; `cogmem chat import` records them",
            )
        _blocks(found, file, parts, agents)
        own = first_text(parts, ("name",)) if not agents else ""
        for holder, name in ((parts, own), *((one, _agent(one)) for one in agents)):
            _passages(found, file, holder, name if len(agents) > 1 else "", name)
    return found.reading()


def _agent(item: Row) -> str:
    return first_text(item, ("name", "id"))


def _blocks(found: Gathered, path: str, parts: Row, agents: list[Row]) -> None:
    """Memory blocks: shared ones as everybody's, an agent's own as that agent's."""
    holders: dict[str, list[str]] = {}
    for agent in agents:
        for uid in texts(agent.get("block_ids")):
            holders.setdefault(uid, []).append(_agent(agent))
    owned: list[tuple[Row, str]] = [(parts, ""), *((one, _agent(one)) for one in agents)]
    for part, own in owned:
        for name in ("core_memory", "blocks", "memory_blocks"):
            for number, item in enumerate(listed(part.get(name)), 1):
                if not isinstance(item, dict) or not isinstance(item.get("value"), str):
                    found.problem(path, 0, f"{name} {number} has no value")
                    continue
                holding = [own] if own else holders.get(first_text(item, ("id",)), [])
                whose = holding[0] if len(holding) == 1 and len(agents) > 1 else ""
                label = first_text(item, ("label", "name"))
                key = f"block/{whose}/{label or number}" if whose else f"block/{label or number}"
                tags = [*texts(item.get("tags")), *(f"agent:{one}" for one in holding)]
                created = foreign_instant(item.get("created_at"))
                found.add(item["value"], label, tags, created, path, key, 0, agent=whose)


def _passages(found: Gathered, path: str, part: Row, whose: str, agent: str) -> None:
    for name in ("passages", "archival_memory", "archival_passages"):
        for number, item in enumerate(listed(part.get(name)), 1):
            said = first_text(item, ("text", "content")) if isinstance(item, dict) else ""
            if not isinstance(item, dict) or not said:
                found.problem(path, 0, f"{name} {number} has no text")
                continue
            created = foreign_instant(item.get("created_at"))
            tags = [*texts(item.get("tags")), *([f"agent:{agent}"] if agent else [])]
            key = first_text(item, ("id",))
            found.add(said, "archival", tags, created, path, key, 0, agent=whose)


# -- claude-mem ----------------------------------------------------------------------------------

_TOLD = ("request", "investigated", "learned", "completed", "next_steps", "notes")


def read_claude_mem(path: str) -> Reading:
    """claude-mem's database, or the folder that holds it: observations, and what each session came to."""
    found = Gathered("claude-mem")
    for file in _sources(found, path, (".db", ".sqlite", ".sqlite3")):
        if not is_database(file):
            found.problem(file, 0, "not a SQLite database")
            continue
        read = _database(found, file, ("observations", "session_summaries"))
        for row in read.get("observations", ()):
            _observed(found, file, row)
        for row in read.get("session_summaries", ()):
            said = "\n".join(
                f"{name.replace('_', ' ')}: {row[name].strip()}"
                for name in _TOLD
                if isinstance(row.get(name), str) and row[name].strip()
            )
            _kept(found, file, row, said, "session", f"summary/{row.get('id')}")
    return found.reading()


def _observed(found: Gathered, path: str, row: Row) -> None:
    head = ". ".join(
        part.strip().rstrip(".")
        for part in (row.get("title"), row.get("subtitle"))
        if isinstance(part, str) and part.strip()
    )
    body = row.get("narrative") or row.get("text") or ""
    facts = [f"- {fact}" for fact in _strings(row.get("facts"))]
    said = "\n".join(part for part in (head, str(body).strip(), *facts) if part)
    _kept(found, path, row, said, str(row.get("type") or ""), f"observation/{row.get('id')}")


def _kept(found: Gathered, path: str, row: Row, said: str, kind: str, key: str) -> None:
    project = first_text(row, ("project",))
    files = [*_strings(row.get("files_modified")), *_strings(row.get("files_edited"))]
    tags = [*([f"project:{project}"] if project else []), *_strings(row.get("concepts"))]
    tags += [f"file:{os.path.basename(file)}" for file in files[:5]]
    at = foreign_instant(row.get("created_at_epoch")) or foreign_instant(row.get("created_at"))
    found.add(said, kind, tags, at, path, key, 0)


def _strings(value: object) -> list[str]:
    """Return a list of texts, which claude-mem keeps as JSON in a column."""
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [value.strip()] if isinstance(value, str) else []
    return [text.strip() for text in texts(value) if text.strip()]


# -- the knowledge graph -------------------------------------------------------------------------


def read_knowledge_graph(path: str) -> Reading:
    """Return the memory.jsonl of the MCP knowledge-graph server, its graph as one JSON object, or a folder."""
    found = Gathered("knowledge-graph")
    for file in _sources(found, path, (".json", ".jsonl")):
        for number, item in found.items(file, ("entities", "relations")):
            _node(found, file, number, item)
    return found.reading()


def _node(found: Gathered, path: str, number: int, item: Row) -> None:
    kind = item.get("type") or ("relation" if "relationType" in item else "entity")
    if kind == "entity" and first_text(item, ("name",)):
        for text, full, sort, name in _observations(found, path, number, item):
            found.add(full, sort, [sort] if sort else [], None, path, name, number, keyed=text)
    elif kind == "relation" and first_text(item, ("from",)) and first_text(item, ("to",)):
        verb = first_text(item, ("relationType",)).replace("_", " ") or "relates to"
        start, end = first_text(item, ("from",)), first_text(item, ("to",))
        full = f"{start} {verb} {end}"
        found.add(full, "relation", [], None, path, start, number, keyed=full)
    else:
        found.problem(path, number, "neither an entity nor a relation")


def _observations(
    found: Gathered, path: str, number: int, item: Row
) -> Iterator[tuple[str, str, str, str]]:
    name, sort = first_text(item, ("name",)), first_text(item, ("entityType",))
    said = [text for text in listed(item.get("observations")) if isinstance(text, str)]
    if len(said) < len(listed(item.get("observations"))):
        found.problem(path, number, f"an observation of {name} is not text")
    for text in said or [sort]:
        yield text, text if name.lower() in text.lower() else f"{name}: {text}", sort, name
