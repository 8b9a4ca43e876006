"""Tags that a text brings along: absolute paths, function names and package names.

They follow the tags a caller gave, each once, in the order: paths, functions, packages.
"""

from __future__ import annotations


def auto_tags(text: str) -> list[str]:
    """Return the paths, `function`/`func` names and `package` names that a text mentions."""
    paths: list[str] = []
    functions: list[str] = []
    packages: list[str] = []
    words = text.split()
    for position, word in enumerate(words):
        if word.startswith("/"):
            path = _prefix(word, "/_.-").rstrip(".")
            if len(path) > 1:
                paths.append(path)
        if word in ("function", "func", "package") and position + 1 < len(words):
            name = _prefix(words[position + 1], "_")
            if name and not name[0].isdigit():
                (packages if word == "package" else functions).append(name)
    return list(dict.fromkeys([*paths, *functions, *packages]))


def _prefix(word: str, extra: str) -> str:
    end = 0
    while end < len(word) and ((word[end].isascii() and word[end].isalnum()) or word[end] in extra):
        end += 1
    return word[:end]
