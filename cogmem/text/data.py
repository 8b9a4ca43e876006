"""What lies in `cogmem/data`: words, weights and patterns, which are data and no code.

A line that begins with # is a remark. A list of words has a head in brackets before its words. A list of
patterns has a head too, with what else is to be known of it; the lines below it, without their two blanks, are
one pattern, in which `{NAME}` is what `NAME = …` said before.
"""

from __future__ import annotations

from os.path import dirname

from cogmem.cached import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

FOLDER = f"{dirname(dirname(__file__))}/data"


def lines(name: str) -> list[str]:
    """Read the lines of a file that are no remarks."""
    with open(f"{FOLDER}/{name}.txt", encoding="utf-8") as file:
        return [line for line in file.read().split("\n") if line[:1] not in ("#", "")]


@cache
def weights(name: str) -> dict[str, float]:
    """Read what each figure weighs: a name and a number from each line."""
    rows = [line.rsplit(None, 1) for line in lines(name)]
    return {figure: float(weight) for figure, weight in rows}


def words(name: str) -> dict[str, str]:
    """Read lists of words: the head of each, and its lines as one text."""
    found: dict[str, list[str]] = {}
    under: list[str] = []
    for line in lines(name):
        if line[0] == "[":
            under = found[line[1:-1]] = []
        else:
            under.append(line)
    return {head: "\n".join(several) for head, several in found.items()}


@cache
def small_words() -> dict[str, frozenset[str]]:
    """Read the small words: of each language those that tell it, and lists for other ends."""
    return {head: frozenset(text.split()) for head, text in words("small").items()}


_LISTED: dict[str, dict[str, list[str]]] = {}


def listed(name: str, head: str) -> list[str]:
    """Return one list of a file in which a bar stands between two, read when somebody first asks."""
    if name not in _LISTED:
        _LISTED[name] = {
            one: text.replace("\n", "|").split("|") for one, text in words(name).items()
        }
    return _LISTED[name][head]


def patterns(name: str) -> list[tuple[str, str, str]]:
    """Read patterns in their order: the name of each, what is said beside it, and the pattern."""
    from re import sub

    parts: dict[str, str] = {}
    found: list[tuple[str, str, str]] = []

    def filled(text: str) -> str:
        return sub(r"\{([A-Z]+)\}", lambda match: parts.get(match[1], match[0]), text)

    head, also, pieces = "", "", [""]
    for line in [*lines(f"patterns/{name}"), "[end]"]:
        if line[:2] == "  ":
            pieces.append(line[2:])
            continue
        text = filled("".join(pieces))
        if head.isupper():
            parts[head] = text
        elif head:
            found.append((head, also, text))
        if line[0] == "[":
            head, _, also = line[1:].partition("]")
            also, pieces = also.strip(), []
        else:
            head, _, first = line.partition(" = ")
            pieces = [first]
    return found


@cache
def caseless(name: str, part: str) -> list[Pattern[str]]:
    """Compile the patterns of one name, whatever the case."""
    import re

    return [re.compile(said, re.IGNORECASE) for head, _, said in patterns(name) if head == part]
