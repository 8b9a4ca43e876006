"""A skill as its SKILL.md says it (the Agent Skills format): a name, a description, and a body with steps.

Of the body only the steps are the memory's: its longest numbered list, or bulleted one. What else stands there stays
as it is when the steps change, and so do the fields that the memory knows nothing of.
"""

from __future__ import annotations

import re

from cogmem.documents import frontmatter
from cogmem.documents.markdown import code_lines, one_line
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.records import Remembered

LONGEST_NAME, LONGEST_DESCRIPTION = 64, 1024  # of the format
WHEN = " Use when "  # between what a skill does and when to use it
_ITEM = re.compile(r" {0,3}(?:(\d{1,3})[.)]|[-*+])\s+(\S.*)")
_FENCES = ("```", "~~~")


class Skill(NamedTuple):
    """What a skill says, as far as a memory holds it."""

    description: str
    steps: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its text: equal texts are equal skills."""
        return "\n".join((self.description, *self.steps))

    @property
    def parts(self) -> tuple[str, str]:
        """Return what it does, and when to use it."""
        what, when, context = self.description.partition(WHEN)
        return (what, context.rstrip(".")) if when and what and context else (self.description, "")


class _Item(NamedTuple):
    """One step, with the lines where it stands."""

    first: int
    end: int
    text: str


def of_memory(memory: Remembered) -> Skill:
    """Return a procedure as its skill would say it."""
    context = one_line(memory.detail.get("context") or "").rstrip(".").removeprefix("when ")
    what = one_line(memory.content)
    told = f"{what.rstrip('.')}.{WHEN}{context}." if context else what
    return Skill(
        one_line(told, LONGEST_DESCRIPTION - 1),
        tuple(map(one_line, memory.detail.get("steps") or ())),
    )


def of_file(text: str, name: str) -> Skill:
    """Return what a SKILL.md says; without a list of steps, each of its paragraphs is one."""
    fields, body = frontmatter.parse(text)
    lines = body.split("\n")
    steps = [item.text for item in _items(lines)] or _paragraphs(lines)
    said = fields.get("description") or fields.get("name") or name
    return Skill(one_line(said, LONGEST_DESCRIPTION - 1), tuple(steps))


def slug_of(memory: Remembered) -> str:
    """Return the name of a procedure as the format has it: its folder's name, too."""
    words = "-".join(re.findall(r"[a-z0-9]+", memory.key.lower()))
    return words[:LONGEST_NAME].strip("-") or memory.uid.replace("_", "-")


def written(text: str, slug: str, title: str, skill: Skill) -> str:
    """Return a SKILL.md that says this, made new or from what stands there."""
    if not text.strip():
        head = f"---\nname: {slug}\ndescription: {frontmatter.scalar(skill.description)}\n---\n"
        return f"{head}\n# {title}\n\n" + "".join(_numbered(skill.steps, {}))
    there = of_file(text, slug)
    lines = text.split("\n")
    if there.steps != skill.steps:
        _, body = frontmatter.parse(text)
        above = len(lines) - len(body.split("\n"))
        items = _items(lines[above:])
        kept = {item.text: lines[above + item.first : above + item.end] for item in reversed(items)}
        new = "".join(_numbered(skill.steps, kept)).rstrip("\n").split("\n")
        if items:
            lines[above + items[0].first : above + items[-1].end] = new
        else:
            lines += ["## Steps", "", *new, ""]
    if there.description != skill.description:
        _describe(lines, f"description: {frontmatter.scalar(skill.description)}", slug)
    return "\n".join(lines)


def _describe(lines: list[str], field: str, slug: str) -> None:
    fields, _ = frontmatter.parse("\n".join(lines))
    if not fields:
        lines[:0] = [frontmatter.FENCE, f"name: {slug}", field, frontmatter.FENCE, ""]
        return
    end = next(at for at in range(1, len(lines)) if lines[at].rstrip() == frontmatter.FENCE)
    first = next((at for at in range(1, end) if lines[at].startswith("description:")), end)
    last = first
    if first < end:
        last += 1
        while last < end and (not lines[last].strip() or lines[last][0] in " \t"):
            last += 1
    lines[first:last] = [field]


def _numbered(steps: Sequence[str], kept: dict[str, list[str]]) -> list[str]:
    """Return steps as a list; one that stood there before keeps its lines."""
    told = []
    for number, step in enumerate(steps, 1):
        lines = kept.get(step) or [f"1. {step}"]
        found = _ITEM.match(lines[0])
        told.append("\n".join([f"{number}. {found[2] if found else step}", *lines[1:]]) + "\n")
    return told


def _items(lines: Sequence[str]) -> list[_Item]:
    """Return the steps of a body: the longest numbered list, or if there is none the longest bulleted one."""
    code = code_lines(lines)
    found: list[tuple[bool, list[_Item]]] = []
    is_going = False
    for at, line in enumerate(lines):
        item = _ITEM.match(line) if at not in code else None
        if item:
            is_numbered = item[1] is not None
            if not is_going or found[-1][0] != is_numbered:
                found.append((is_numbered, []))
            found[-1][1].append(_Item(at, at + 1, item[2].strip()))
            is_going = True
        elif is_going and (at in code or line[:2] in ("  ", "\t") or line[:1] == "\t"):
            last = found[-1][1].pop()
            more = "" if line.strip()[:3] in _FENCES else f" {line.strip()}"
            found[-1][1].append(_Item(last.first, at + 1, one_line(last.text + more)))
        elif line.strip():
            is_going = False
    return max(found, key=lambda one: (one[0], len(one[1])), default=(False, []))[1]


def _paragraphs(lines: Sequence[str]) -> list[str]:
    text = "\n".join(line for line in lines if not line.startswith("#"))
    return [one_line(part) for part in re.split(r"\n\s*\n", text) if part.strip()]
