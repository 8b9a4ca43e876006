"""Places in code that a text speaks of: naming them, finding them again, and what still stands there.

A place is a few lines, known by a hash of them without indentation and blank lines, so that what is
only moved or indented anew is still the same. It may have a symbol: the block that defines a name.
Nothing here knows one programming language; blocks end where the indentation says so.
"""

from __future__ import annotations

from cogmem.text.lines import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Words that stand right before a name where it is defined.
_DEFINES = frozenset(
    "def class function fn func const let var struct interface type enum trait module sub val static define".split()
)
_NOT_TYPES = frozenset("return await new throw yield raise".split())
_CLOSING = (")", "]", "}", "end")
LONGEST = 400  # lines of one block
TELLING = 3  # what a line must share with a text, to be what the text speaks of


class Place:
    """Lines of a file: where they begin (from 0), how many there are, and their hashes."""

    def __init__(self, lines: Sequence[str], first: int, end: int) -> None:
        bare = [line.strip() for line in lines[first:end] if line.strip()]
        self.first = first
        self.count = len(bare)
        self.head = _hash(bare[0]) if bare else ""
        self.hash = _hash("\n".join(bare)) if bare else ""


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def definition(lines: Sequence[str], symbol: str) -> Place | None:
    """Return the block that defines a name, or `Class.method`; None where it is not defined."""
    first, end = 0, len(lines)
    for name in symbol.removesuffix("()").replace("::", ".").replace("#", ".").split("."):
        found = next((at for at in range(first, end) if _declares(lines[at], name)), None)
        if (
            found is None
        ):  # a docstring may have the name before a colon: what declares it comes first
            found = next((at for at in range(first, end) if _assigns(lines[at], name)), None)
        if found is None:
            return None
        first, end = found, _end(lines, found)
    return Place(lines, first, min(end, first + LONGEST))


def _around(line: str, name: str) -> tuple[str, str] | None:
    """Return what stands before and after a name that stands in a line by itself."""
    at = line.find(name)
    if at < 0 or line[at + len(name) : at + len(name) + 1].isalnum():
        return None
    before, after = line[:at], line[at + len(name) :]
    if after[:1] == "_" or before[-1:] == "_" or before[-1:].isalnum():
        return None
    return before, after


def _declares(line: str, name: str) -> bool:
    """Tell whether a line declares a name by a word for it: def name, class name."""
    around = _around(line, name)
    if around is None:
        return False
    words = around[0].replace("*", " ").split()
    return bool(words) and words[-1] in _DEFINES


def _assigns(line: str, name: str) -> bool:
    """Tell whether a line gives a name its value, NAME = 3 or "name": 3, or declares it by its type: int name() {."""
    around = _around(line, name)
    if around is None:
        return False
    before, after = around
    bare = before.strip()
    rest = after.lstrip("\"'").lstrip() if bare in ('"', "'") else after.lstrip()
    is_method = rest.startswith("(") and line.rstrip().endswith("{")
    if bare in ("", '"', "'", "export", "readonly"):
        is_value = rest.startswith(("=", ":")) and not rest.startswith(("==", "::"))
        return is_value or is_method
    words = bare.split()
    is_typed = all(word.replace("<", "").replace(">", "").isidentifier() for word in words)
    is_value = rest.startswith("=") and not rest.startswith("==")
    return is_typed and words[0] not in _NOT_TYPES and (is_method or is_value)


def _end(lines: Sequence[str], first: int) -> int:
    """Return where the block that begins here ends, by its indentation."""
    depth = _depth(lines[first])
    end = first + 1
    for at in range(first + 1, len(lines)):
        bare = lines[at].strip()
        if not bare:
            continue
        if _depth(lines[at]) > depth:
            end = at + 1
        elif _depth(lines[at]) == depth and bare.startswith((*_CLOSING, "{")):
            end = at + 1
            if not bare.endswith((":", "{", "(", "[", ",")):
                break
        else:
            break
    return end


def _depth(line: str) -> int:
    wide = line.expandtabs(4)
    return len(wide) - len(wide.lstrip())


def found_again(lines: Sequence[str], count: int, text_hash: str, head_hash: str, near: int) -> int:
    """Return where a place stands now, the nearest to where it was (from 0); -1 if it is not there as it was."""
    bare = [(at, line.strip()) for at, line in enumerate(lines) if line.strip()]
    hits = []
    for number, (at, text) in enumerate(bare):
        if _hash(text) == head_hash:
            piece = bare[number : number + count]
            if len(piece) == count and _hash("\n".join(one for _, one in piece)) == text_hash:
                hits.append(at)
    return min(hits, key=lambda at: abs(at - near), default=-1)


def told_line(lines: Sequence[str], text: str) -> Place | None:
    """Return the one line that a text speaks of most, by names and numbers; None if no line stands out."""
    wanted = dict(_tokens(text))
    best: list[tuple[int, int]] = []
    for at, line in enumerate(lines):
        if len(line) < 300:
            words = {word for word, _ in _tokens(line)}
            best.append((sum(wanted[word] for word in words if word in wanted), -at))
    best.sort(reverse=True)
    if not best or best[0][0] < TELLING or (len(best) > 1 and best[1][0] == best[0][0]):
        return None
    at = -best[0][1]
    return Place(lines, at, at + 1)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield words of a text as code has them, each with what it tells: numbers and joined names most."""
    for word in "".join(sign if sign.isalnum() or sign == "_" else " " for sign in text).split():
        low = word.lower()
        if word.isdigit():
            yield low, 2
        elif "_" in word.strip("_") or (word[1:] != low[1:] and len(word) > 3):
            yield low, 2
            for part in low.split("_"):
                if len(part) > 3:
                    yield part, 1
        elif len(word) > 3:
            yield low, 1


def paths_in(text: str) -> list[str]:
    """Return what may name a file: words with a dot inside or a folder before them, and a line: a.py:12-20."""
    found: dict[str, None] = {}
    for word in text.replace("\\", "/").split():
        if "." not in word[1:-1]:
            continue
        core = word.strip("`'\"()[]{}<>,;!?*").rstrip(".:").removeprefix("./")
        name = core.partition(":")[0].partition("#")[0].rpartition("/")[2]
        stem, dot, ending = name.rpartition(".")
        if "://" not in core and dot and stem and 0 < len(ending) < 9 and ending.isalnum():
            found[core] = None
    return list(found)


def words_defined(lines: Sequence[str], text: str) -> list[str]:
    """Plain words of a text that its file defines: `send`, where the file has `def send`. The first two."""
    named = set()
    for line in lines:
        words = line.replace("(", " ").replace(":", " ").replace("{", " ").split()
        for at, before in enumerate(words[:-1]):
            if before in _DEFINES and len(words[at + 1]) > 2:
                named.add(words[at + 1])
    bare = (word.strip("`'\"()[]{}<>,;:!?.") for word in text.split())
    return [word for word in dict.fromkeys(bare) if word in named][:2]


def symbols_in(text: str) -> list[str]:
    """Return what may name something in code: joined names, `quoted` ones, and those before parentheses."""
    found: dict[str, None] = {}
    for number, quoted in enumerate(text.split("`")):
        for word in quoted.split():
            core = word.strip("'\"[]{}<>,;:!?*").rstrip(".")
            called = core.endswith("()")
            core = core.removesuffix("()").strip("()")
            plain = core.replace(".", "").replace("::", "").replace("_", "")
            if len(core) < 3 or not plain.isalnum() or plain[0].isdigit() or "/" in core:
                continue
            inner = core[1:]
            joined = "_" in core.strip("_") or (
                any(map(str.isupper, inner)) and (core.isupper() or any(map(str.islower, core)))
            )
            head, dot, tail = core.partition(".")  # Block.take, but no e.g. and no file.py
            joined = (joined and not dot) or (
                bool(tail) and head[:1].isupper() and tail.isidentifier()
            )
            if called or joined or (number % 2 and " " not in quoted.strip()):
                found[core] = None
    return list(found)
