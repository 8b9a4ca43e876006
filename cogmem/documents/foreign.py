"""Read what other programs remember, as plain records for an import.

One reader for each: Claude Code (CLAUDE.md and the auto-memory folder), Cursor (.cursorrules and
.cursor/rules), a basic-memory folder of notes; the readers of mem0, Letta, claude-mem and the MCP
knowledge-graph server stand in foreign_stores.py. A reader decides nothing and changes nothing. It never raises for
what a file holds: it steps over what it cannot read and lists it, with the line where there is one.
Equal files give equal records in equal order, and a record's key stays the same from import to
import, so that importing twice can recognise what it has.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from cogmem.documents import frontmatter
from cogmem.documents.foreign_gather import Gathered, Reading, passages
from cogmem.documents.foreign_stores import (
    read_claude_mem,
    read_knowledge_graph,
    read_letta,
    read_mem0,
)
from cogmem.documents.markdown import code_lines, one_line
from cogmem.documents.saved import entry_slug
from cogmem.records import foreign_instant

LINE_LENGTH = 4_000
_NO_WORD = re.compile(r"[^A-Za-z0-9]")  # what Claude Code writes as a dash in the name of a folder
_OBSERVATION = re.compile(r"^\s*[-*+] \[([^\[\]()]{2,60})\](?!\() +(\S.*)$")
_CONTEXT = re.compile(r"^(.*\S)\s+\(([^()]+)\)$")
_RELATION = re.compile(r"^\s*[-*+] ([^\[\]]*?)\s*\[\[([^\[\]]+)\]\](?:\s*\(([^()]*)\))?\s*$")
_TAG = re.compile(r"(?<!\S)#([^\s#]+)")


def read_claude_code(path: str) -> Reading:
    """Return a CLAUDE.md, an auto-memory folder, or a project folder: its guidance, and the memory that Claude
    Code keeps for it in its own folder."""
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
        created = foreign_instant(
            fields.get("created") or fields.get("created_at") or fields.get("date")
        )
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


READERS: dict[str, Callable[[str], Reading]] = {
    "claude-code": read_claude_code,
    "cursor": read_cursor,
    "basic-memory": read_basic_memory,
    "mem0": read_mem0,
    "letta": read_letta,
    "claude-mem": read_claude_mem,
    "knowledge-graph": read_knowledge_graph,
}


def _guidance(found: Gathered, path: str, kind: str) -> None:
    """Read a file of guidance in free Markdown."""
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
