"""Read what other programs remember, as plain records for an import.

One reader for each: Claude Code (CLAUDE.md and the auto-memory folder), Cursor (.cursorrules and
.cursor/rules), a basic-memory folder of notes, mem0 and Letta exports in JSON, and the JSON lines
of the MCP knowledge-graph server. A reader decides nothing and changes nothing. It never raises for
what a file holds: it steps over what it cannot read and lists it, with the line where there is one.
Equal files give equal records in equal order, and a record's key stays the same from import to
import, so that importing twice can recognise what it has.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from cogmem.documents import frontmatter
from cogmem.documents.foreign_gather import (
    Gathered,
    Reading,
    first_text,
    instant,
    listed,
    passages,
    texts,
)
from cogmem.documents.markdown import code_lines, one_line
from cogmem.documents.saved import entry_slug

LINE_LENGTH = 4_000
_OBSERVATION = re.compile(r"^\s*[-*+] \[([^\[\]()]{2,60})\](?!\() +(\S.*)$")
_CONTEXT = re.compile(r"^(.*\S)\s+\(([^()]+)\)$")
_RELATION = re.compile(r"^\s*[-*+] ([^\[\]]*?)\s*\[\[([^\[\]]+)\]\](?:\s*\(([^()]*)\))?\s*$")
_TAG = re.compile(r"(?<!\S)#([^\s#]+)")


def read_claude_code(path: str) -> Reading:
    """A CLAUDE.md, an auto-memory folder, or a project folder with the former."""
    found = Gathered("claude-code")
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
    if os.path.isdir(memory):
        for file in found.files(memory, (".md",)):
            _auto_memory(found, file)
    return found.reading()


def read_cursor(path: str) -> Reading:
    """A .cursorrules file, one .mdc rule, or a project folder that holds them."""
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
    """A folder of notes: observations `- [kind] text #tag (context)`, relations, and prose."""
    found = Gathered("basic-memory")
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    for file in found.files(path, (".md",)) if os.path.isdir(path) else [path]:
        text = found.text(file)
        fields, body = frontmatter.parse(text)
        title = fields.get("title") or os.path.splitext(os.path.basename(file))[0]
        name = fields.get("permalink") or os.path.relpath(file, folder)
        start = text.count("\n") - body.count("\n")
        created = instant(fields.get("created") or fields.get("created_at") or fields.get("date"))
        tags = [tag.lstrip("#") for tag in frontmatter.items(fields.get("tags", ""))]
        lines = body.split("\n")
        code = code_lines(lines)
        for index, line in enumerate(lines):
            if index in code or len(line) > LINE_LENGTH:  # the patterns take the square of a line
                continue
            record = _observation(line, title) or _relation(line, title)
            if record:
                said, kind, own = record
                found.add(
                    said, kind, [*tags, *own], created, file, name, start + index + 1, keyed=said
                )
                lines[index] = ""
        passages(found, "\n".join(lines), file, name, "note", tags, created, start)
    return found.reading()


def read_mem0(path: str) -> Reading:
    """An export of mem0 or OpenMemory: a list, `{"results": […]}`, `{"memories": […]}` or lines."""
    found = Gathered("mem0")
    for number, item in found.items(path, ("results", "memories")):
        said = first_text(item, ("memory", "content", "text", "data"))
        if str(item.get("state", "")).lower() == "deleted":
            continue
        if not said:
            found.problem(path, 0, f"entry {number} has no text")
            continue
        metadata = item.get("metadata") or item.get("metadata_")
        metadata = metadata if isinstance(metadata, dict) else {}
        kind = first_text(metadata, ("type", "category", "kind"))
        tags = [*texts(item.get("categories")), *texts(metadata.get("tags"))]
        created = instant(item.get("created_at") or metadata.get("created_at"))
        found.add(said, kind, tags, created, path, first_text(item, ("id", "hash")), 0)
    return found.reading()


def read_letta(path: str) -> Reading:
    """A Letta agent file (old or new) or an export of archival passages; messages are left out."""
    found = Gathered("letta")
    data = found.json(path)
    parts = data if isinstance(data, dict) else {"passages": data}
    agents = [agent for agent in listed(parts.get("agents")) if isinstance(agent, dict)]
    messages = sum(len(listed(part.get("messages"))) for part in (parts, *agents))
    if messages:
        found.problem(path, 0, f"{messages} messages are conversation, not memory; left out")
    for name in ("core_memory", "blocks", "memory_blocks"):
        for number, item in enumerate(listed(parts.get(name)), 1):
            if not isinstance(item, dict) or not isinstance(item.get("value"), str):
                found.problem(path, 0, f"{name} {number} has no value")
                continue
            label = first_text(item, ("label", "name"))
            created = instant(item.get("created_at"))
            key = f"block/{label or number}"
            found.add(item["value"], label, texts(item.get("tags")), created, path, key, 0)
    for name in ("passages", "archival_memory", "archival_passages"):
        for number, item in enumerate(listed(parts.get(name)), 1):
            said = first_text(item, ("text", "content")) if isinstance(item, dict) else ""
            if not isinstance(item, dict) or not said:
                found.problem(path, 0, f"{name} {number} has no text")
                continue
            created = instant(item.get("created_at"))
            tags = texts(item.get("tags"))
            found.add(said, "archival", tags, created, path, first_text(item, ("id",)), 0)
    return found.reading()


def read_knowledge_graph(path: str) -> Reading:
    """The memory.jsonl of the MCP knowledge-graph server, or its graph as one JSON object."""
    found = Gathered("knowledge-graph")
    for number, item in found.items(path, ("entities", "relations")):
        kind = item.get("type") or ("relation" if "relationType" in item else "entity")
        if kind == "entity" and first_text(item, ("name",)):
            name, sort = first_text(item, ("name",)), first_text(item, ("entityType",))
            said = [text for text in listed(item.get("observations")) if isinstance(text, str)]
            if len(said) < len(listed(item.get("observations"))):
                found.problem(path, number, f"an observation of {name} is not text")
            for text in said or [sort]:
                full = text if name.lower() in text.lower() else f"{name}: {text}"
                tags = [sort] if sort else []
                found.add(full, sort, tags, None, path, name, number, keyed=text)
        elif kind == "relation" and first_text(item, ("from",)) and first_text(item, ("to",)):
            verb = first_text(item, ("relationType",)).replace("_", " ") or "relates to"
            start, end = first_text(item, ("from",)), first_text(item, ("to",))
            full = f"{start} {verb} {end}"
            found.add(full, "relation", [], None, path, start, number, keyed=full)
        else:
            found.problem(path, number, "neither an entity nor a relation")
    return found.reading()


READERS: dict[str, Callable[[str], Reading]] = {
    "claude-code": read_claude_code,
    "cursor": read_cursor,
    "basic-memory": read_basic_memory,
    "mem0": read_mem0,
    "letta": read_letta,
    "knowledge-graph": read_knowledge_graph,
}


def _guidance(found: Gathered, path: str, kind: str) -> None:
    """A file of guidance in free Markdown."""
    fields, body = frontmatter.parse(text := found.text(path))
    start = text.count("\n") - body.count("\n")
    globs = frontmatter.items(fields.get("paths", "") or fields.get("globs", ""))
    passages(found, body, path, os.path.basename(path), kind, [], None, start, globs)


def _rule(found: Gathered, path: str, folder: str) -> None:
    """One rule file: a rule is one memory, its frontmatter says which files it is about."""
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
            created = instant(fields.get("created") or fields.get("created_at"))
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
