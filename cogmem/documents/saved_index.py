"""MEMORY.md, the index of saved memories: a line for each, between whatever else a person wrote into it."""

from __future__ import annotations

from cogmem.documents.markdown import ended_lines, newline_of, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TITLE = "# Memory"
DESCRIPTION_LENGTH = 200
_LINK_CODES = (("%", "%25"), (" ", "%20"), ("(", "%28"), (")", "%29"))


def entry(slug: str, name: str, description: str) -> str:
    """Return a memory's line in the index."""
    name, target = name.replace("[", "(").replace("]", ")").rstrip("\\"), slug
    for character, code in _LINK_CODES:
        target = target.replace(character, code)
    line = f"- [{name}]({target}.md)"
    description = one_line(description, DESCRIPTION_LENGTH)
    return f"{line} — {description}" if description else line


def entry_slug(line: str) -> str:
    """Return the slug of the memory whose entry this line is; "" for all that a person wrote."""
    if not line.startswith("- ["):
        return ""
    _, found, rest = line.partition("](")
    target, closed, _ = rest.partition(")")
    if not found or not closed or not target.endswith(".md"):
        return ""
    if any(c in target for c in "/\\:#"):  # a link to elsewhere
        return ""
    for character, code in reversed(_LINK_CODES):
        target = target.replace(code, character)
    return target[:-3]


def indexed(
    text: str, told: Mapping[str, tuple[str, str]], present: frozenset[str], changed: str = ""
) -> str:
    """Return the index brought into step with the memories, of each slug its name and description. A file in
    `present` that could not be read keeps its line, and so does one that a person reworded, unless it is of the slug
    `changed`; new entries join the first run, sorted by name."""
    newline = newline_of(text)
    lines: list[str] = []
    placed: set[str] = set()
    for line in ended_lines(text):
        slug = entry_slug(line)
        if slug and (slug not in present or slug in placed):
            continue
        placed.add(slug)
        if slug and slug == changed:
            line = entry(slug, *told[slug]) + newline
        lines.append(line)
    new = [entry(slug, *told[slug]) + newline for slug in told.keys() - placed]
    if new and not any(line.strip("\ufeff \t\r\n") for line in lines):
        lines = [TITLE + newline, newline]
    first = next((i for i, line in enumerate(lines) if entry_slug(line)), -1)
    if new and first < 0:
        if not lines[-1].endswith("\n"):  # a person's last line
            lines[-1] += newline
        if lines[-1].strip():
            lines.append(newline)
        first = len(lines)
    lines[first:first] = new
    return "".join(_sorted_runs(lines, newline))


def _sorted_runs(lines: list[str], newline: str) -> list[str]:
    result: list[str] = []
    run: list[str] = []
    for line in [*lines, ""]:
        if entry_slug(line):
            # The file's last line may lack its end, and need not stay the last.
            run.append(line if line.endswith("\n") else line + newline)
            continue
        result += sorted(run, key=lambda entry: order(entry[3:].partition("](")[0]))
        run = []
        result.append(line)
    return result


def order(name: str) -> tuple[str, str]:
    """Return by what memories are sorted."""
    return (name.casefold(), name)


def without_dangling(text: str, present: frozenset[str]) -> str:
    """Return the index without the entries of files that are gone."""
    lines = ended_lines(text)
    return "".join(line for line in lines if not (slug := entry_slug(line)) or slug in present)
