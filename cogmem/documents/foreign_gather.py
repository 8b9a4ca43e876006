"""Gather the records of one foreign source: within limits, keyed steadily, with what was stepped over."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from typing import TypedDict

from cogmem.documents.discover import is_import
from cogmem.documents.files import Problem, is_inside, read_file, shown_text
from cogmem.documents.markdown import BULLETS, code_lines, one_line, sections
from cogmem.named import NamedTuple

MARKDOWN_BYTES = 512 * 1024
EXPORT_BYTES = 64 * 1024 * 1024
MAX_FILES = 10_000
MAX_RECORDS = 100_000
MAX_PROBLEMS = 1_000
TEXT_LENGTH = 32_000
NAME_LENGTH = 200
_SKIPPED_FOLDERS = frozenset(("node_modules", "__pycache__", "archive"))


class Record(TypedDict):
    """One foreign memory. `kind` is the other program's word for it, in lower case, or ""."""

    text: str
    kind: str
    tags: list[str]
    globs: list[str]  # the files that it is about; none: all
    created_at: int | None  # ms UTC, if the source says so
    ended_at: int | None  # ms UTC: it held until then
    user: str  # whose it is there, if the source says so
    agent: str  # whose alone it is among several agents
    origin: str  # path, with #heading where there is one
    key: str
    source: str
    vocabulary: str  # whose word `kind` is, where one here has it


class Reading(NamedTuple):
    """What a reader found, and what it stepped over."""

    records: tuple[Record, ...]
    problems: tuple[Problem, ...]


class Gathered:
    """Gathers one reader's records and problems, within the limits."""

    def __init__(self, source: str, vocabulary: str = "") -> None:
        self.source = source
        self.vocabulary = vocabulary
        self.records: list[Record] = []
        self.problems: list[Problem] = []
        self._keys: dict[str, int] = {}
        self._over = 0

    def reading(self) -> Reading:
        if self._over:
            self.problem("", 0, f"{self._over} records are over the limit of {MAX_RECORDS}")
        return Reading(tuple(self.records), tuple(self.problems))

    def problem(self, path: str, line: int, text: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(path, line, text))

    def add(
        self,
        text: str,
        kind: str,
        tags: list[str],
        created_at: int | None,
        origin: str,
        name: str,
        line: int,
        keyed: str = "",
        globs: tuple[str, ...] = (),
        user: str = "",
        agent: str = "",
        ended_at: int | None = None,
    ) -> None:
        """Keep one record. Its key is `name`, and a hash of `keyed` where names are not unique."""
        text = text.replace("\0", "").encode("utf-8", "replace").decode().strip()
        if not text:
            return
        if len(self.records) >= MAX_RECORDS:
            self._over += 1
            return
        if len(text) > TEXT_LENGTH:
            self.problem(origin, line, f"cut from {len(text)} to {TEXT_LENGTH} characters")
            text = text[:TEXT_LENGTH].rstrip() + "…"
        name = one_line(name.encode("utf-8", "replace").decode())
        if keyed or not name:
            digest = hashlib.sha256((keyed or text).encode("utf-8", "replace")).hexdigest()[:12]
            name = f"{name}#{digest}" if name else digest
        count = self._keys.get(name, 0)
        self._keys[name] = count + 1
        record: Record = {
            "text": text,
            "kind": one_line(kind).lower(),
            "tags": list(dict.fromkeys(tag for tag in map(one_line, tags) if tag)),
            "globs": list(globs),
            "created_at": created_at,
            "ended_at": ended_at,
            "user": one_line(user)[:NAME_LENGTH],
            "agent": one_line(agent)[:NAME_LENGTH],
            "origin": origin,
            "key": f"{self.source}:{name}" + (f"+{count}" if count else ""),
            "source": self.source,
            "vocabulary": self.vocabulary,
        }
        self.records.append(record)

    def text(self, path: str, limit: int = MARKDOWN_BYTES) -> str:
        try:
            text, wrong = shown_text(read_file(path, limit).data)
        except OSError as error:
            text, wrong = "", f"not read: {error.strerror or error}"
        if wrong:
            self.problem(path, 0, wrong)
        return text

    def files(self, folder: str, endings: tuple[str, ...]) -> list[str]:
        """Return the files below a folder in a steady order; hidden ones and links out are left out."""
        files: list[str] = []
        base = os.path.realpath(folder)
        for where, folders, names in os.walk(folder):
            folders[:] = sorted(n for n in folders if n[0] != "." and n not in _SKIPPED_FOLDERS)
            for name in sorted(names):
                path = os.path.join(where, name)
                if name[0] == "." or not name.lower().endswith(endings):
                    continue
                if not is_inside(base, os.path.realpath(path)):
                    self.problem(path, 0, "not read: a link out of the folder")
                elif len(files) >= MAX_FILES:
                    self.problem(folder, 0, f"more than {MAX_FILES} files; the rest is left out")
                    return files
                else:
                    files.append(path)
        return files

    def json(self, path: str) -> object:
        """Return the file as JSON, whole or line by line; what is no JSON is a problem."""
        text = self.text(path, EXPORT_BYTES)
        try:
            return json.loads(text) if text.strip() else []
        except RecursionError:
            self.problem(path, 0, "nested too deeply")
            return []
        except ValueError as error:
            line_number = error.lineno if isinstance(error, json.JSONDecodeError) else 0
            whole = Problem(path, line_number, f"not JSON: {error}")
        parsed: list[object] = []
        problems: list[Problem] = []
        for number, line in enumerate(text.split("\n"), 1):
            try:
                parsed.append(json.loads(line) if line.strip() else None)
            except (ValueError, RecursionError) as error:
                parsed.append(None)
                problems.append(Problem(path, number, f"not JSON: {error}"))
        objects = sum(isinstance(item, dict) for item in parsed)
        if objects < len(problems) or not objects:  # it never was one object a line
            self.problems.append(whole)
            return []
        self.problems += problems[:MAX_PROBLEMS]
        return parsed

    def items(self, path: str, names: tuple[str, ...]) -> Iterator[tuple[int, dict[str, object]]]:
        """Yield the objects of a list, of the lists of these names, or of lines, each with its number."""
        data = self.json(path)
        if isinstance(data, dict) and any(name in data for name in names):
            data = [item for name in names for item in listed(data.get(name))]
        for number, item in enumerate(data if isinstance(data, list) else [data], 1):
            if isinstance(item, dict):
                yield number, item
            elif item is not None:
                self.problem(path, number, "not an object")


def passages(
    found: Gathered,
    text: str,
    path: str,
    name: str,
    kind: str,
    tags: list[str],
    created: int | None,
    start: int,
    globs: tuple[str, ...] = (),
) -> None:
    """Cut prose into memories: a list item or a paragraph each, with the code that follows it."""
    for section in sections(text):
        origin = f"{path}#{section.anchor}" if section.anchor else path
        own = [*tags, section.anchor] if section.level > 1 and section.anchor else tags
        for offset, passage in _cut(section.text, section.level > 0):
            line = start + section.line + offset + 1
            if is_import(passage):
                found.problem(path, line, f"import {passage.strip()} is not followed")
                continue
            found.add(passage, kind, own, created, origin, name, line, keyed=passage, globs=globs)


def _cut(text: str, titled: bool) -> Iterator[tuple[int, str]]:
    lines = text.split("\n")
    code = code_lines(lines)
    begin, blank = 1 if titled else 0, True
    if titled and len(lines) > 1 and lines[1].strip() and not lines[1].strip("=- \r"):
        begin = 2  # an underlined title
    where, passage = begin, list[str]()
    for index in range(begin, len(lines)):
        line = lines[index]
        fresh = index not in code and line.strip()
        if fresh and (line.startswith(BULLETS) or _numbered(line) or is_import(line) or blank):
            indented = line[0] in " \t"
            if not (indented and passage):
                if any(part.strip() for part in passage):
                    yield where, _passage_text(passage)
                where, passage = index, []
        blank = index not in code and not line.strip()
        passage.append(line)
    if any(part.strip() for part in passage):
        yield where, _passage_text(passage)


def _passage_text(lines: list[str]) -> str:
    text = "\n".join(lines).strip()
    if text.startswith(BULLETS):
        return text[2:].strip()
    return text.partition(".")[2].strip() if _numbered(text) else text


def _numbered(line: str) -> bool:
    digits, dot, rest = line.partition(".")
    return bool(dot) and digits.isascii() and digits.isdigit() and rest.startswith(" ")


def first_text(item: dict[str, object], names: tuple[str, ...]) -> str:
    for name in names:
        value = item.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return ""


def listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def texts(value: object) -> list[str]:
    if isinstance(value, dict):
        value = list(value)
    return [item for item in listed(value) if isinstance(item, str)]
