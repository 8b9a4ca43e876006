"""What models are told: one file per prompt, with its version, and the way to put another in its place.

    ---
    version: 1
    for: what it is asked for, in one sentence
    takes: old, new
    ---
    The text. {old} and {new} are filled in; every other brace stays as it is.

A prompt of your own stands in the memory, as the setting `prompt.NAME`. It must name all that the built-in one takes;
one that does not is passed over, and `cogmem model prompts` says why. Its header may be left out: then its version is
the hash of its text.
"""

from __future__ import annotations

import hashlib
import os
import re

from cogmem.errors import InvalidInput, UnknownName
from cogmem.language.clauses import fold
from cogmem.language.languages import language_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "prompts"
)
SETTING = "prompt."  # before the name, in the settings of a memory
LONGEST = 64_000  # characters of one's own prompt


class Prompt(str):
    """The text of a prompt. `source`: built-in or setting."""

    __slots__ = ("name", "purpose", "source", "takes", "version")
    name: str
    version: str
    purpose: str
    takes: tuple[str, ...]
    source: str

    def filled(self, **values: object) -> str:
        """Return the text with its places filled, each once: what is put in is never looked at again."""
        if set(values) != set(self.takes):
            raise InvalidInput(
                f"prompt {self.name} takes {_listed(self.takes)}: pass exactly these"
            )
        if not values:
            return str(self)
        places = re.compile("{(" + "|".join(map(re.escape, self.takes)) + ")}")
        return places.sub(lambda place: str(values[place[1]]), self)


def names() -> list[str]:
    """Return all prompts that are built in."""
    return sorted(file[:-3] for file in os.listdir(FOLDER) if file.endswith(".md"))


def prompt(name: str, settings: Mapping[str, str] | None = None) -> Prompt:
    """Return the prompt of a name: from the memory's settings, else the built-in one."""
    try:
        return _own(name, settings or {}) or built_in(name)
    except InvalidInput:  # work must not stop for it
        return built_in(name)


def fault(name: str, settings: Mapping[str, str]) -> str:
    """Return why a prompt of one's own cannot stand in the place of a built-in one; '' where it can."""
    try:
        _own(name, settings)
        return ""
    except InvalidInput as error:
        return str(error)


def _own(name: str, settings: Mapping[str, str]) -> Prompt | None:
    text = settings.get(SETTING + name, "")
    return checked(text, built_in(name)) if text.strip() else None


def spoken(name: str, text: str, settings: Mapping[str, str] | None = None) -> Prompt:
    """Return the prompt of a name in the language of a text; one of one's own stands before what is built in."""
    plain, other = prompt(name, settings), f"{name}-{language_of(fold(text))}"
    if other not in names():
        return plain
    found = prompt(other, settings)
    return plain if found.source == "built-in" != plain.source else found


def checked(text: str, standard: Prompt) -> Prompt:
    """Return one's own prompt in the place of another, if it can stand there."""
    name, takes = standard.name, standard.takes
    if len(text) > LONGEST:
        raise InvalidInput(f"prompt {name} has {len(text)} characters: {LONGEST} at most")
    own = _parsed(name, text, "setting")
    if not own.strip() or any(f"{{{place}}}" not in own for place in takes):
        raise InvalidInput(
            f"your own prompt {name} must say something and name {_listed(takes)}: "
            f"`cogmem model prompt {name} --built-in` shows how"
        )
    own.takes = takes
    own.purpose = own.purpose or standard.purpose
    return own


_known: dict[str, Prompt] = {}


def built_in(name: str) -> Prompt:
    """Return the prompt that comes with cogmem."""
    if name not in _known:
        if name not in names():
            raise UnknownName(f"no prompt is called {name!r}: there are {', '.join(names())}")
        with open(os.path.join(FOLDER, f"{name}.md"), encoding="utf-8") as file:
            _known[name] = _parsed(name, file.read(), "built-in")
    return _known[name]


def _parsed(name: str, text: str, source: str) -> Prompt:
    head: dict[str, str] = {}
    lines = text.replace("\r\n", "\n").split("\n")
    bare = [line.strip() for line in lines]
    if bare[0] == "---" and "---" in bare[1:]:
        end = bare.index("---", 1)
        pairs = (line.partition(":") for line in bare[1:end])
        head = {word.strip(): value.strip() for word, _, value in pairs}
        lines = lines[end + 1 :]
    made = Prompt("\n".join(lines).strip())
    made.name = name
    made.source = source
    made.version = head.get("version") or hashlib.sha256(made.encode()).hexdigest()[:8]
    made.purpose = head.get("for", "")
    made.takes = tuple(word for word in head.get("takes", "").replace(",", " ").split() if word)
    return made


def _listed(takes: tuple[str, ...]) -> str:
    return ", ".join(f"{{{name}}}" for name in takes) or "nothing"
