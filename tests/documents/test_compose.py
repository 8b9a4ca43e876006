"""The frozen text of documents and saved memories, and the updates that follow it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem.documents import saved
from cogmem.documents.compose import (
    INDEX_ENTRIES,
    MORE,
    SHARED_TITLE,
    DocumentSet,
    block,
    compose,
    index_lines,
    load,
)
from cogmem.documents.saved import SavedMemories


@pytest.fixture
def cwd(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture
def user(tmp_path: Path) -> Path:
    folder = tmp_path / "user"
    folder.mkdir()
    return folder


CAP = 80


def of_project(user: Path, cwd: Path) -> SavedMemories:
    return SavedMemories(saved.folder_of_project(str(user), str(cwd)), CAP)


def of_all(user: Path) -> SavedMemories:
    return SavedMemories(saved.shared_folder(str(user)), 30)


def read(cwd: Path, user: Path) -> DocumentSet:
    stores = {"project": of_project(user, cwd), "shared": of_all(user)}
    return load(str(cwd), str(user), **stores)


def test_k07_loading_never_raises_whatever_the_disk_holds(tmp_path: Path, user: Path) -> None:
    store = of_project(user, tmp_path)
    os.makedirs(os.path.dirname(store.folder))
    Path(store.folder).write_text("a file where the folder should be")
    (user / "AGENTS.md").mkdir()
    (tmp_path / "AGENTS.md").write_bytes(b"caf\xe9 @x.md")
    loaded = read(tmp_path, user)
    assert "caf� @x.md" in block(loaded)
    assert loaded.problems
    assert block(load(str(tmp_path / "gone"))) == ""


def test_k07_loading_brings_the_store_within_its_cap(cwd: Path, user: Path) -> None:
    store = of_project(user, cwd)
    store.save("first", "kept for an hour", "body")
    for number in range(CAP):
        (Path(store.folder) / f"by-hand-{number}.md").write_text("text")
    loaded = read(cwd, user)
    assert len(store.memories()) == CAP
    assert "first.md" not in loaded.index


def test_k07_a_save_under_way_elsewhere_does_not_hold_up_a_session(cwd: Path, user: Path) -> None:
    from cogmem.documents.files import folder_lock

    store = of_project(user, cwd)
    store.save("one", "description", "body")
    os.unlink(store.path("one"))  # the index dangles: compacting is due
    with folder_lock(store.folder):
        started = time.monotonic()
        loaded = read(cwd, user)
    assert time.monotonic() - started < 3
    assert "not compacted" in loaded.problems[-1].text
    assert read(cwd, user).problems == ()


def test_k08_equal_files_give_equal_bytes(cwd: Path, user: Path) -> None:
    (user / "AGENTS.md").write_text("Be brief.\r\n")
    (cwd / "CLAUDE.md").write_text("Use tabs.")
    of_project(user, cwd).save("A fact", "what it is", "body")
    text = block(read(cwd, user))
    assert text == block(read(cwd, user))
    parts = [
        "# Memory\n\n",
        f"## {user}/AGENTS.md (user)\n\nBe brief.\n\n",
        f"## {cwd}/CLAUDE.md (project)\n\nUse tabs.\n\n",
        "## Saved memories\n\n",
        "- [A fact](a-fact.md) — what it is\n\nStored in ",
    ]
    positions = [text.index(part) for part in parts]
    assert positions == sorted(positions)
    assert text.count("# Memory\n") == 1


def test_k08_nothing_to_say_is_the_empty_text(cwd: Path, user: Path) -> None:
    assert block(None) == ""
    loaded = read(cwd, user)
    assert block(loaded) == ""
    store = of_project(user, cwd)
    os.makedirs(store.folder)
    (Path(store.folder) / saved.INDEX).write_text("# Memory\n\n")
    assert not block(read(cwd, user))


@pytest.mark.parametrize("count", [0, 1, 29, 30, 31, 500])
def test_k09_the_index_shows_thirty_entries_and_a_constant_note(count: int) -> None:
    entries = [f"- [m{n:03}](m{n:03}.md) — text" for n in range(count)]
    lines = index_lines("# Memory\n\n" + "\n".join(entries) + "\n").split("\n")
    assert lines[:INDEX_ENTRIES] == (entries[:INDEX_ENTRIES] or [""])
    assert lines[INDEX_ENTRIES:] == ([MORE] if count > INDEX_ENTRIES else [])


def test_k08_a_folder_whose_name_is_no_utf8_does_not_break_the_text(tmp_path: Path) -> None:
    folder = os.path.join(os.fsencode(tmp_path), b"caf\xe9\nx")
    os.mkdir(folder)
    Path(os.fsdecode(folder), "AGENTS.md").write_text("rules")
    assert "/caf? x/AGENTS.md (project)\n" in block(load(os.fsdecode(folder)))


def test_k09_a_page_written_into_one_line_does_not_flood_the_prompt() -> None:
    assert len(index_lines("- " + "word " * 10_000)) <= 301


def a_set(text: str) -> DocumentSet:
    return DocumentSet((), text, "/store", "", "", "/", "", "", ())


@settings(max_examples=examples(100), deadline=None)
@given(st.text())
def test_k10_the_base_is_always_the_prefix(base: str) -> None:
    empty, full = a_set(""), a_set("- [a](a.md) — b")
    assert compose(base, empty) == base
    assert compose(base, None) == base
    result = compose(base, full)
    assert result.endswith(block(full))
    if base.strip():
        assert result == base.rstrip("\r\n") + "\n\n" + block(full)
    else:
        assert result == block(full)


def test_k13_the_shared_index_follows_the_project_block(cwd: Path, user: Path) -> None:
    (cwd / "AGENTS.md").write_text("rules")
    of_all(user).save("Everywhere", "for all projects", "body")
    text = block(read(cwd, user))
    assert text.index("rules") < text.index(f"\n\n{SHARED_TITLE}\n\n")
    assert "- [Everywhere](everywhere.md) — for all projects" in text
    (cwd / "AGENTS.md").unlink()
    assert block(read(cwd, user)).startswith(SHARED_TITLE)
