"""What the site needs beside the pages: its order, and the repository's own pages that docs link to.

Called by mkdocs (see mkdocs.yml); the tests read the order here as well.
"""

from __future__ import annotations

import os
import posixpath
import re
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Pages of the repository outside docs/, and their place on the site.
HOUSE = {
    "README.md": "house/readme.md",
    "schema/README.md": "house/schema.md",
    "benchmarks/README.md": "house/benchmarks.md",
    "AGENTS.md": "house/agents.md",
    "CHANGELOG.md": "house/changelog.md",
}
# Who searches for a word wants the command or the call, then how to use it, and only then why it is so.
BOOSTS = (
    ("reference/cli/", 8),
    ("reference/", 6),
    ("how-to/", 3),
    ("concepts/", 2),
    ("decisions", 0.3),
    ("house/changelog", 0.2),
    ("", 1),
)
_LINK = re.compile(r"(?<=\]\()([^)\s:#]+)(#[^)\s]*)?(?=\))")


def pages(folder: str) -> list[str]:
    """Every page, those of the house included."""
    found = [
        posixpath.relpath(
            os.path.join(place, name).replace(os.sep, "/"), folder.replace(os.sep, "/")
        )
        for place, _, names in os.walk(folder)
        for name in names
        if name.endswith(".md")
    ]
    return sorted([*found, *HOUSE.values()])


def ordered(entries: list[Any], known: list[str]) -> list[Any]:
    """The order of mkdocs.yml with `folder/*` filled in, less what is not there (yet)."""
    named = {page for page in _leaves(entries) if not page.endswith("/*")}

    def filled(entry: Any) -> list[Any]:
        if isinstance(entry, dict):
            ((title, inner),) = entry.items()
            if isinstance(inner, str):
                return [{title: inner}] if inner in known else []
            return [{title: [one for part in inner for one in filled(part)]}]
        if entry.endswith("/*"):
            within = entry[:-1]
            return [page for page in known if page.startswith(within) and page not in named]
        return [entry] if entry in known else []

    return [one for entry in entries for one in filled(entry)]


def _leaves(entries: list[Any]) -> list[str]:
    found: list[str] = []
    for entry in entries:
        inner = next(iter(entry.values())) if isinstance(entry, dict) else entry
        found += _leaves(inner) if isinstance(inner, list) else [inner]
    return found


def rewritten(text: str, source: str) -> str:
    """A page whose links lead to places on the site; `source` is its path in the repository.

    A link to a file that is not on the site keeps its words only.
    """

    def place(match: re.Match[str]) -> str:
        target, anchor = match[1], match[2] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        here = HOUSE.get(source) or posixpath.relpath(source, "docs")
        if path in HOUSE:
            there = HOUSE[path]
        elif path.startswith("docs/"):
            there = posixpath.relpath(path, "docs")
        else:
            return "\0"
        return posixpath.relpath(there, posixpath.dirname(here) or ".") + anchor

    return re.sub(r"\[([^\]]*)\]\(\0\)", r"\1", _LINK.sub(place, text))


# -- called by mkdocs ----------------------------------------------------------------------------


def on_config(config: Any) -> Any:
    config.nav = ordered(config.nav, pages(config.docs_dir))
    return config


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    for source, place in HOUSE.items():
        with open(os.path.join(ROOT, source), encoding="utf-8") as file:
            files.append(File.generated(config, place, content=rewritten(file.read(), source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    place = page.file.src_uri
    page.meta["search"] = {
        "boost": next(boost for start, boost in BOOSTS if place.startswith(start))
    }
    if page.file.src_uri in HOUSE.values():
        return markdown
    return rewritten(markdown, f"docs/{page.file.src_uri}")
