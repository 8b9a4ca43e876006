"""The little of Markdown that documents need: fences, headings, sections, one-line text.

A line ends with a line feed and with nothing else, so a file's bytes can be put together again
exactly; a carriage return stays at the end of its line.
"""

from __future__ import annotations

from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BULLETS = ("- ", "* ", "+ ")


class Heading(NamedTuple):
    """A heading and the index of its first line."""

    line: int
    level: int
    title: str


class Section(NamedTuple):
    """A heading with what follows up to the next heading; the part before the first is level 0."""

    line: int
    level: int
    title: str
    anchor: str
    text: str


def one_line(text: str, limit: int = 0) -> str:
    """`text` on one line, whitespace collapsed; more than `limit` characters are cut with `…`."""
    text = " ".join(text.replace("\0", " ").split())
    if limit and len(text) > limit:
        return text[:limit].rstrip() + "…"
    return text


def code_lines(lines: Sequence[str], unclosed_is_code: bool = True) -> frozenset[int]:
    """Return the lines in fenced code, the fences included. A fence that is never closed makes the rest code, as
    Markdown has it; whoever adds text at the end asks for the other reading, so as to find again what was added."""
    inside: list[int] = []
    opened, mark, length = -1, "", 0
    for index, line in enumerate(lines):
        stripped = line.strip()
        if opened < 0:
            if stripped[:3] in ("```", "~~~"):
                mark = stripped[0]
                rest = stripped.lstrip(mark)
                if mark == "~" or "`" not in rest:
                    opened, length = index, len(stripped) - len(rest)
        elif len(stripped) >= length and stripped == mark * len(stripped):
            inside.extend(range(opened, index + 1))
            opened = -1
    if opened >= 0 and unclosed_is_code:
        inside.extend(range(opened, len(lines)))
    return frozenset(inside)


def headings(lines: Sequence[str], code: frozenset[int]) -> list[Heading]:
    """Headings in both styles, `## Title` and underlined ones, outside of code."""
    found: list[Heading] = []
    for index, line in enumerate(lines):
        line = line.removeprefix("\ufeff") if index == 0 else line
        if index in code or not line:
            continue
        if line.startswith("#"):
            text = line.lstrip("#")
            level = len(line) - len(text)
            if level <= 6 and (not text.strip() or text[0] in " \t"):
                found.append(Heading(index, level, _title(text)))
        elif line[0] in "=-" and index > 0:
            mark = line.rstrip()
            if mark == line[0] * len(mark) and _may_be_underlined(lines, index - 1, code):
                above = lines[index - 1].strip()
                found.append(Heading(index - 1, 1 if line[0] == "=" else 2, above))
    return found


def sections(text: str) -> tuple[Section, ...]:
    """Cut a text at its headings. The sections' texts joined are the text again."""
    lines = text.split("\n")
    found = headings(lines, code_lines(lines))
    if not found or found[0].line > 0:
        found.insert(0, Heading(0, 0, ""))
    seen: dict[str, int] = {}
    result: list[Section] = []
    for heading, end in zip(found, [*(h.line for h in found[1:]), len(lines)], strict=True):
        body = "\n".join(lines[heading.line : end])
        if end < len(lines):
            body += "\n"
        if heading.level == 0 and not body:
            continue
        name = anchor(heading.title)
        count = seen.get(name, 0)
        seen[name] = count + 1
        shown = f"{name}-{count}" if count else name
        result.append(Section(heading.line, heading.level, heading.title, shown, body))
    return tuple(result)


def anchor(title: str) -> str:
    """Return the fragment by which web views of Markdown link to a heading."""
    kept = (c for c in title.strip().lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def ended_lines(text: str) -> list[str]:
    """Return the lines with their ends; the last may have none."""
    lines = text.split("\n")
    return [*(line + "\n" for line in lines[:-1]), *(lines[-1:] if lines[-1] else ())]


def newline_of(text: str) -> str:
    """Return the line ending that a text uses, by its first one."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _title(text: str) -> str:
    title = text.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title


def _may_be_underlined(lines: Sequence[str], index: int, code: frozenset[int]) -> bool:
    line = lines[index]
    text = line.strip()
    if not text or index in code or line[0] in "#>|" or line.startswith(BULLETS):
        return False
    # A rule or the fence of a frontmatter is not a title, and indented text belongs to a list.
    return line[0] not in " \t" and text != text[0] * len(text)
