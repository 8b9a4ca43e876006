"""Shortens the results of tools before they fill the context, and keeps what went wrong.

A long success says little: its first and last lines will do. An error says everything, so every
error line is kept, the same line once with its count, and lines of a stack trace are error lines.
What is left out is always counted in a note. Each of the five tools whose output has a known form
has its own rule; what these leave too long, the general rule shortens.

Errors may take more than the limit, up to 10,000 characters, as much as a failed result may have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cogmem.text.data import listed

FAILURE_CHARS = 10_000
LINE_CHARS = 1_000

INDICATORS, WORD_INDICATORS, _ERROR_STARTS, _ERROR_PARTS, _ERROR_WORDS = (
    listed("errors", name)
    for name in ("indicators", "at a word", "starts", "parts", "after a place")
)


_LOCATION = re.compile(r"\.(?:go|py|js|ts|tsx|java|rs|c|cc|cpp|rb|cs|kt|php):\d+")
_FRAME = re.compile(
    r"""
      \s+at\ \S                      # Java, JavaScript, C#
    | \s*File\ ".*",\ line\ \d       # Python
    | \s+\S+\.go:\d+\ \+0x           # Go, the line after the function
    | \s+\d+:\s+\S+::\S              # Rust
    | \s*-->\ \S                     # Rust's compiler
    | \s+\.\.\.\ \d+\ (more|common)  # Java
    | E\ {2,}\S | >\ {2,}\S          # pytest
    """,
    re.VERBOSE,
)
_PYTHON_TRACE = "Traceback (most recent call last)"
_SIGNATURE = re.compile(
    r"\s*(export |public |private |protected |static |async |pub |default |abstract )*"
    r"(func|type|def|class|function|const|struct|interface|export|fn|impl|enum|trait) ?\S"
)


def reports_error(text: str) -> bool:
    """Tell whether any indicator occurs, in any case."""
    lowered = text.lower()
    return any(part in lowered for part in INDICATORS) or any(
        _at_word(part, lowered) for part in WORD_INDICATORS
    )


def _at_word(part: str, text: str) -> bool:
    at = text.find(part)
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_"):
        at = text.find(part, at + 1)
    return at >= 0


def is_error_line(line: str) -> bool:
    """Tell whether the line by itself tells of an error or is a frame of a stack trace."""
    lowered = f" {line.lower().strip()}"
    if any(f" {start}" in lowered for start in _ERROR_STARTS):
        return True
    if any(part in lowered for part in _ERROR_PARTS) or reports_error(line) or _FRAME.match(line):
        return True
    location = _LOCATION.search(lowered)
    return location is not None and any(word in lowered[location.end() :] for word in _ERROR_WORDS)


def error_lines(lines: Sequence[str]) -> list[int]:
    """Return the numbers of the error lines, and of all lines of Python's, Go's and Rust's traces."""
    found = []
    trace = ""
    for number, line in enumerate(lines):
        indented = line[:1] in ("", " ", "\t")
        if _PYTHON_TRACE in line:
            trace = "python"
        elif line.startswith("goroutine "):
            trace = "go"
        elif "panicked at" in line:
            trace = "message"
        elif line.startswith("stack backtrace:"):
            trace = "rust"
        elif trace == "go" and not any(at.startswith("\t") for at in lines[number : number + 2]):
            trace = ""  # in Go's, a line is a place or has its place below it
        elif trace == "rust" and not indented:
            trace = ""
        if (trace and line.strip()) or is_error_line(line):
            found.append(number)
        if (trace == "python" and not indented and _PYTHON_TRACE not in line) or (
            trace == "message" and "panicked at" not in line
        ):
            trace = ""  # this was the message that ends, or begins, the trace
    return found


class ResultCompactor:
    """Limits for one host; a limit of zero or less stands for the default."""

    def __init__(self, max_chars: int = 10_000, head_lines: int = 10, tail_lines: int = 5) -> None:
        self.max_chars = max_chars if max_chars > 0 else 10_000
        self.head_lines = head_lines if head_lines > 0 else 10
        self.tail_lines = tail_lines if tail_lines > 0 else 5

    def compact(self, result: Mapping[str, Any], tool: str = "") -> dict[str, Any]:
        """Return the result {success, content, error, data…} with shorter texts; all else stays."""
        success = bool(result.get("success", True))
        return {
            field: self.text(value, tool, success=success)
            if field in ("content", "error") and isinstance(value, str)
            else value
            for field, value in result.items()
        }

    def text(self, text: str, tool: str = "", *, success: bool = True) -> str:
        """Return the text if it is within the limit, else what is left of it by the rules of its tool."""
        if not success:
            return _failure(text)
        if len(text) <= self.max_chars:
            return text
        lines = _lines(text)
        tool = tool.lower()
        if tool == "grep" and len(lines) > 50:
            return _cut(_grep(lines), self.max_chars, len(text))
        if tool == "glob" and len(lines) > 100:
            return _cut(_first(lines, 50, "paths"), self.max_chars, len(text))
        if tool == "tree" and len(lines) > 100:
            return _cut(_first(lines, 80, "lines"), self.max_chars, len(text))
        if tool == "bash" and len(lines) > 30:
            return self._first_that_fits(text, [_bash(lines)])
        if tool == "read" and len(lines) > 50:
            return self._first_that_fits(text, _read(lines))
        return self._general(text)

    def _first_that_fits(self, text: str, choices: list[str]) -> str:
        fitting = (choice for choice in choices if len(choice) <= self.max_chars)
        return next(fitting, None) or self._general(text)

    def _general(self, text: str) -> str:
        lines = _lines(text)
        if reports_error(text):
            return self._errors_first(lines)
        kept = self.head_lines + self.tail_lines
        if len(lines) <= kept + 1:
            return _cut(text, self.max_chars, len(text))
        numbers = [*range(self.head_lines), *range(len(lines) - self.tail_lines, len(lines))]
        return _cut(_in_order(lines, numbers), self.max_chars, len(text))

    def _errors_first(self, lines: list[str]) -> str:
        numbers = error_lines(lines)
        shown = _folded([lines[number] for number in numbers], max(self.max_chars, FAILURE_CHARS))
        block = f"Error lines ({len(numbers)}):\n{shown}"
        room = self.max_chars - len(block)
        if room <= 500:
            return block
        wrong = set(numbers)
        others = [line for number, line in enumerate(lines) if number not in wrong]
        rest = _ends(others, room - 100)
        return f"{block}\nOther lines:\n{rest}" if rest else block


# --- by tool ------------------------------------------------------------------------------------


def _bash(lines: list[str]) -> str:
    """Return the end matters most; where something failed, every error line in between as well."""
    failed = error_lines(lines) if reports_error("\n".join(lines)) else []
    head, tail = (3, 25) if failed else (5, 20)
    return _in_order(lines, [*range(head), *failed, *range(len(lines) - tail, len(lines))])


def _read(lines: list[str]) -> list[str]:
    """Both ends, signatures and error lines; code may do without the latter, for it raises many."""
    end = len(lines) - 10
    signatures = [number for number in range(30, end) if _SIGNATURE.match(lines[number])]
    numbers = [*range(30), *signatures[:20], *range(end, len(lines))]
    wrong = error_lines(lines) if reports_error("\n".join(lines)) else []
    choices = [_in_order(lines, [*numbers, *wrong])]
    if len(signatures) * 40 > len(lines):
        choices.append(_in_order(lines, numbers))
    return choices


def _grep(lines: list[str]) -> str:
    """Return what looks like an error first, up to half of the matches shown."""
    wrong = [number for number, line in enumerate(lines) if is_error_line(line)][:20]
    first = set(wrong)
    others = [number for number in range(len(lines)) if number not in first]
    return _first([lines[number] for number in [*wrong, *others]], 40, "matches")


def _first(lines: list[str], count: int, what: str) -> str:
    return "\n".join([*lines[:count], f"[{count} of {len(lines)} {what} shown]"])


# --- parts --------------------------------------------------------------------------------------


def _lines(text: str) -> list[str]:
    """Return lines without their ends; a progress bar's carriage returns end lines too."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _in_order(lines: list[str], numbers: Iterable[int]) -> str:
    """Return the lines of these numbers, with a note in every gap."""
    kept = []
    last = -1
    for number in sorted(set(numbers)):
        kept += [*_omitted(number - last - 1), lines[number]]
        last = number
    return "\n".join([*kept, *_omitted(len(lines) - last - 1)])


def _omitted(count: int) -> list[str]:
    return [f"[{count} {'line' if count == 1 else 'lines'} omitted]"] if count else []


def _ends(lines: list[str], room: int) -> str:
    """Return as many lines as there is room for, half from the beginning and half from the end."""
    head = size = 0
    while head < len(lines) and size + len(lines[head]) < room // 2:
        size += len(lines[head]) + 1
        head += 1
    tail = len(lines)
    while tail > head and size + len(lines[tail - 1]) < room:
        size += len(lines[tail - 1]) + 1
        tail -= 1
    return _in_order(lines, [*range(head), *range(tail, len(lines))])


def _folded(lines: list[str], limit: int) -> str:
    """Return each different line once, with how often it came; at the limit, how many more there are."""
    counts: dict[str, int] = {}
    for line in map(_short, lines):
        counts[line] = counts.get(line, 0) + 1
    shown = [f"{line} (×{count})" if count > 1 else line for line, count in counts.items()]
    if sum(map(len, shown)) + len(shown) - 1 <= limit:
        return "\n".join(shown)
    kept: list[str] = []
    room = limit - len(_more(len(shown)))
    for line in shown:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([*kept, _more(len(shown) - len(kept))])


def _more(count: int) -> str:
    return f"[{count} more different error lines]"


def _short(line: str) -> str:
    """Return a line of at most 1,000 characters, around the first indicator if there is one."""
    if len(line) <= LINE_CHARS:
        return line
    lowered = line.lower()
    places = [at for part in INDICATORS if (at := lowered.find(part)) >= 0]
    start = max(0, min(places, default=0) - LINE_CHARS // 4)
    start = min(start, len(line) - LINE_CHARS)
    return f"{'…' if start else ''}{line[start : start + LINE_CHARS]}…"


def _failure(text: str) -> str:
    """Return a failed result up to 10,000 characters; beyond that error lines go before other text."""
    if len(text) <= FAILURE_CHARS:
        return text
    room = FAILURE_CHARS - len(_errors_after(text, FAILURE_CHARS // 2))
    errors = _errors_after(text, room - 60)  # the note of the cut takes that much
    return _cut(text, room if errors else FAILURE_CHARS, len(text)) + errors


def _errors_after(text: str, start: int) -> str:
    later = _lines(text[text.rfind("\n", 0, start) + 1 :])
    errors = _folded([later[number] for number in error_lines(later)], FAILURE_CHARS // 2 - 100)
    return f"\nError lines after that:\n{errors}" if errors else ""


def _cut(text: str, limit: int, total: int) -> str:
    """Return the first characters, and a note of how many of how many; never longer than the limit."""
    if len(text) <= limit:
        return text
    room = limit - len(f"\n[{total} of {total} characters shown]")
    if room <= 0:
        return text[:limit]
    return f"{text[:room]}\n[{room} of {total} characters shown]"
