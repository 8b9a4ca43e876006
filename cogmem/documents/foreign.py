"""Read what other programs remember, as plain records for an import: one reader for each.

A reader decides nothing, changes nothing and never raises for what a file holds: what it cannot read it lists.
Equal files give equal records in equal order, and a record's key stays the same from import to import.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable

from cogmem.documents import frontmatter
from cogmem.documents.foreign_gather import (
    Gathered,
    Reading,
    first_text,
    listed,
    passages,
    texts,
)
from cogmem.documents.markdown import code_lines, one_line
from cogmem.documents.saved_index import entry_slug
from cogmem.file.foreign import Unreadable, is_database, tables
from cogmem.records import foreign_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Row = dict[str, Any]

LINE_LENGTH = 4_000
_NO_WORD = re.compile(r"[^A-Za-z0-9]")  # what Claude Code writes as a dash in the name of a folder
_OBSERVATION = re.compile(r"^\s*[-*+] \[([^\[\]()]{2,60})\](?!\() +(\S.*)$")
_CONTEXT = re.compile(r"^(.*\S)\s+\(([^()]+)\)$")
_RELATION = re.compile(r"^\s*[-*+] ([^\[\]]*?)\s*\[\[([^\[\]]+)\]\](?:\s*\(([^()]*)\))?\s*$")
_TAG = re.compile(r"(?<!\S)#([^\s#]+)")


def read_claude_code(path: str) -> Reading:
    """Return a CLAUDE.md, an auto-memory folder, or a project folder: its guidance, and what Claude Code keeps for
    it elsewhere."""
    found = Gathered("claude-code", vocabulary="ok")  # both write the same files
    if not os.path.isdir(path):
        _guidance(found, path, "")
        return found.reading()
    is_memory = os.path.isfile(os.path.join(path, "MEMORY.md"))
    memory = path if is_memory else os.path.join(path, "memory")
    for name in ("CLAUDE.md", "CLAUDE.local.md", os.path.join(".claude", "CLAUDE.md")):
        if os.path.isfile(os.path.join(path, name)):
            _guidance(found, os.path.join(path, name), "")
    for file in found.files(os.path.join(path, ".claude", "rules"), (".md",)):
        _rule(found, file, path)
    for folder in dict.fromkeys((memory, _kept_elsewhere(path))):
        if folder and os.path.isdir(folder):
            for file in found.files(folder, (".md",)):
                _auto_memory(found, file)
    return found.reading()


def _kept_elsewhere(project: str) -> str:
    """Return where Claude Code keeps a project's memories: under the name of its folder or its checkout's."""
    config = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    where = os.path.realpath(project)
    while True:
        folder = os.path.join(config, "projects", _NO_WORD.sub("-", where), "memory")
        if os.path.isdir(folder):
            return folder
        above = os.path.dirname(where)
        if above == where or os.path.exists(os.path.join(where, ".git")):
            return ""
        where = above


def read_cursor(path: str) -> Reading:
    """Return a .cursorrules file, one .mdc rule, or a project folder that holds them."""
    found = Gathered("cursor")
    if not os.path.isdir(path):
        if path.endswith(".mdc"):
            _rule(found, path, os.path.dirname(path))
        else:
            _guidance(found, path, "")
        return found.reading()
    old = os.path.join(path, ".cursorrules")
    if os.path.isfile(old):
        _guidance(found, old, "")
    rules = os.path.join(path, ".cursor", "rules")
    for file in found.files(rules if os.path.isdir(rules) else path, (".mdc",)):
        _rule(found, file, path)
    return found.reading()


def read_basic_memory(path: str) -> Reading:
    """Return a folder of notes: observations `- [kind] text #tag (context)`, relations, and prose."""
    found = Gathered("basic-memory")
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    for file in found.files(path, (".md",)) if os.path.isdir(path) else [path]:
        text = found.text(file)
        fields, body = frontmatter.parse(text)
        title = fields.get("title") or os.path.splitext(os.path.basename(file))[0]
        name = fields.get("permalink") or os.path.relpath(file, folder)
        start = text.count("\n") - body.count("\n")
        dates = (fields.get(one) for one in ("created", "created_at", "date"))
        created = foreign_instant(next(filter(None, dates), None))
        tags = [tag.lstrip("#") for tag in frontmatter.items(fields.get("tags", ""))]
        lines = body.split("\n")
        code = code_lines(lines)
        for index, line in enumerate(lines):
            if index in code or len(line) > LINE_LENGTH:  # the patterns take the square of a line
                continue
            if record := _observation(line, title) or _relation(line, title):
                said, kind, own = record
                at, all_tags = start + index + 1, [*tags, *own]
                found.add(said, kind, all_tags, created, file, name, at, keyed=said)
                lines[index] = ""
        passages(found, "\n".join(lines), file, name, "note", tags, created, start)
    return found.reading()


def _guidance(found: Gathered, path: str, kind: str) -> None:
    fields, body = frontmatter.parse(text := found.text(path))
    start = text.count("\n") - body.count("\n")
    globs = frontmatter.items(fields.get("paths", "") or fields.get("globs", ""))
    passages(found, body, path, os.path.basename(path), kind, [], None, start, globs)


def _rule(found: Gathered, path: str, folder: str) -> None:
    """Read one rule file: a rule is one memory, its frontmatter says which files it is about."""
    fields, body = frontmatter.parse(found.text(path))
    globs = frontmatter.items(fields.get("globs", "") or fields.get("paths", ""))
    always = fields.get("alwaysapply", "").lower() == "true"
    description = one_line(fields.get("description", ""))
    text = f"{description}\n\n{body.strip()}" if description else body
    kind = "policy" if always else ""
    found.add(text, kind, [], None, path, os.path.relpath(path, folder), 0, globs=globs)


def _auto_memory(found: Gathered, path: str) -> None:
    if os.path.basename(path).lower() != "memory.md":
        text = found.text(path)
        fields, body = frontmatter.parse(text)
        if fields:
            name = fields.get("name") or os.path.basename(path)[:-3]
            said = f"{fields.get('description', '')}\n\n{body.strip()}"
            created = foreign_instant(fields.get("created") or fields.get("created_at"))
            if created is None:
                created = os.stat(path).st_mtime_ns // 1_000_000
            found.add(said, fields.get("type", ""), [], created, path, name, 0)
        else:
            passages(found, text, path, os.path.basename(path), "", [], None, 0)
        return
    # The index: its entries are the other files; whatever else it says is memory too.
    folder = os.path.dirname(path)
    kept = [
        "" if os.path.isfile(os.path.join(folder, f"{entry_slug(line)}.md")) else line
        for line in found.text(path).split("\n")
    ]
    passages(found, "\n".join(kept), path, "MEMORY.md", "", [], None, 0)


def _observation(line: str, title: str) -> tuple[str, str, list[str]] | None:
    match = _OBSERVATION.match(line)
    if not match:
        return None
    text = match[2].strip()
    context = _CONTEXT.match(text)
    tags = _TAG.findall(context[1] if context else text)
    text = _TAG.sub("", context[1] if context else text)
    said = one_line(f"{text} ({context[2]})" if context else text)
    full = said if title.lower() in said.lower() else f"{title}: {said}"
    return full, match[1], tags


def _relation(line: str, title: str) -> tuple[str, str, list[str]] | None:
    match = _RELATION.match(line)
    if not match:
        return None
    verb = match[1].strip().replace("_", " ") or "relates to"
    said = f"{title} {verb} {match[2].strip()}"
    return f"{said} ({match[3].strip()})" if match[3] else said, "relation", []


# -- memory programs -------------------------------------------------------------------------------
# Exports and files of mem0, Letta, claude-mem and the MCP knowledge-graph server say whose a memory is, which agent
# kept it and since when: all of that is kept. A text that was changed there is told with the times from which and
# until which it held.

_EXPORTS = (".json", ".jsonl", ".db", ".sqlite", ".sqlite3")


def _sources(found: Gathered, path: str, endings: tuple[str, ...] = _EXPORTS) -> list[str]:
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


def read_mem0(path: str) -> Reading:
    """Return an export of mem0 or OpenMemory (a list, an object of lists, or lines), its history.db, or a folder of
    them."""
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
    created = foreign_instant(item.get("created_at") or metadata.get("created_at"))
    name, user = first_text(item, ("id", "hash")), _of(item, metadata, "user_id")
    agent = _of(item, metadata, "agent_id", "app_name", "app_id")
    found.add(said, kind, tags, created, path, name, 0, user=user, agent=agent)


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
        text = f"{gone} memories were deleted there: only what they said before is brought"
        found.problem(path, 0, text)


def read_letta(path: str) -> Reading:
    """Return Letta agent files (old or new), exports of archival passages, or a folder of them; talk comes with
    `cogmem chat import`."""
    found = Gathered("letta")
    for file in _sources(found, path, (".af", ".json", ".jsonl")):
        data = found.json(file)
        parts: Row = data if isinstance(data, dict) else {"passages": data}
        agents = [agent for agent in listed(parts.get("agents")) if isinstance(agent, dict)]
        if messages := sum(len(listed(part.get("messages"))) for part in (parts, *agents)):
            text = f"{messages} messages are conversation, not memory; `cogmem chat import` records them"
            found.problem(file, 0, text)
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
            told = {name.replace("_", " "): first_text(row, (name,)) for name in _TOLD}
            said = "\n".join(f"{name}: {text}" for name, text in told.items() if text)
            _kept(found, file, row, said, "session", f"summary/{row.get('id')}")
    return found.reading()


def _observed(found: Gathered, path: str, row: Row) -> None:
    titles = (first_text(row, (name,)).rstrip(".") for name in ("title", "subtitle"))
    head = ". ".join(filter(None, titles))
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


def read_knowledge_graph(path: str) -> Reading:
    """Return the memory.jsonl of the MCP knowledge-graph server, its graph as one JSON object, or a folder."""
    found = Gathered("knowledge-graph")
    for file in _sources(found, path, (".json", ".jsonl")):
        for number, item in found.items(file, ("entities", "relations")):
            _node(found, file, number, item)
    return found.reading()


def _node(found: Gathered, path: str, number: int, item: Row) -> None:
    kind = item.get("type") or ("relation" if "relationType" in item else "entity")
    names = ("name", "entityType", "from", "relationType", "to")
    name, sort, start, verb, end = (first_text(item, (one,)) for one in names)
    if kind == "entity" and name:
        given = listed(item.get("observations"))
        said = [text for text in given if isinstance(text, str)]
        if len(said) < len(given):
            found.problem(path, number, f"an observation of {name} is not text")
        for text in said or [sort]:
            full = text if name.lower() in text.lower() else f"{name}: {text}"
            found.add(full, sort, [sort] if sort else [], None, path, name, number, keyed=text)
    elif kind == "relation" and start and end:
        full = f"{start} {verb.replace('_', ' ') or 'relates to'} {end}"
        found.add(full, "relation", [], None, path, start, number, keyed=full)
    else:
        found.problem(path, number, "neither an entity nor a relation")


READERS: dict[str, Callable[[str], Reading]] = {
    "claude-code": read_claude_code,
    "cursor": read_cursor,
    "basic-memory": read_basic_memory,
    "mem0": read_mem0,
    "letta": read_letta,
    "claude-mem": read_claude_mem,
    "knowledge-graph": read_knowledge_graph,
}
