"""The block of `key: value` lines at the head of a Markdown file, read with patience.

People write these by hand, and much of it is no valid YAML: an unquoted colon, a glob that starts with `*`; and
YAML turns `yes` into a truth value. So every value is plain text, nested keys are flattened, keys are lower-cased,
the last one wins, and a block that is never closed is body. What `scalar` writes is valid YAML for others.
"""

from __future__ import annotations

FENCE = "---"
_BLOCK_MARKS = ("|", ">", "|-", ">-", "|+", ">+")
_SPECIAL_START = "-?:,[]{}#&*!|>'\"%@`=~"
_SPECIAL_WORDS = ("null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", ".inf")


def parse(text: str) -> tuple[dict[str, str], str]:
    """Split a file into its fields and its body."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    lines = text.split("\n")
    if lines[0].rstrip() != FENCE:
        return {}, text
    end = next((i for i in range(1, len(lines)) if lines[i].rstrip() == FENCE), 0)
    if not end:
        return {}, text
    fields: dict[str, str] = {}
    key, block_indent = "", -1
    for line in lines[1:end]:
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        if block_indent >= 0 and (not stripped or indent > block_indent):
            fields[key] = f"{fields[key]} {stripped}".strip()
            continue
        block_indent = -1
        if not stripped or stripped.startswith("#"):
            continue
        if stripped.startswith("- ") and key:
            item = _bare(stripped[2:])
            fields[key] = f"{fields[key]}, {item}" if fields[key] else item
            continue
        name, colon, value = stripped.partition(":")
        if not colon or not name.strip() or value.startswith("//"):
            if key and indent:  # a value that runs over several lines
                fields[key] = f"{fields[key]} {stripped}".strip()
            continue
        key = _bare(name).lower()
        value = value.strip()
        if value in _BLOCK_MARKS:
            value, block_indent = "", indent
        fields[key] = _bare(value)
    return fields, "\n".join(lines[end + 1 :])


def items(value: str) -> tuple[str, ...]:
    """Return a field that holds a list: `[a, b]`, `a, b`, or lines that `parse` has joined."""
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        value = value[1:-1]
    return tuple(item for part in value.split(",") if (item := _bare(part)))


def scalar(value: str) -> str:
    """`value`, which is one line, so written that YAML and `parse` both read it back."""
    plain = (
        value
        and value[0] not in _SPECIAL_START
        and ": " not in value
        and " #" not in value
        and not value.endswith(":")
        and not value[0].isdigit()
        and value[0] not in "+."
        and value.lower() not in _SPECIAL_WORDS
        and value.isprintable()
        and value == value.strip()
    )
    if plain:
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _bare(value: str) -> str:
    value = value.strip()
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        inner = value[1:-1]
        if value[0] == "'":
            return inner.replace("''", "'")
        return inner.replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")
    return value
