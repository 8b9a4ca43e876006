"""Memories saved as files: names, format, index, caps, and the tool that saves them.

Modules: saved, saved_index, frontmatter, markdown, files.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from conftest import NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.documents import frontmatter, saved, saved_index
from cogmem.documents.files import ABSENT, digest_of
from cogmem.documents.markdown import one_line
from cogmem.documents.saved import (
    INDEX,
    SavedMemories,
    folder_of_project,
    project_slug,
    render,
    shared_folder,
    slug_of,
)
from cogmem.documents.saved_index import entry_slug
from cogmem.errors import Conflict, InvalidInput
from cogmem.tools.toolset import toolset

TYPES = ("user", "feedback", "project", "reference")


@pytest.fixture
def store(tmp_path: Path) -> SavedMemories:
    return SavedMemories(str(tmp_path / "memory"), 80, lambda: TYPES)


def entries(store: SavedMemories) -> list[str]:
    return [slug for line in store.index().split("\n") if (slug := entry_slug(line))]


def files_of(store: SavedMemories) -> set[str]:
    found = {name[:-3] for name in os.listdir(store.folder) if name.endswith(".md")}
    return found - {INDEX[:-3]}


def test_k19_stores_lie_in_the_user_folder(tmp_path: Path) -> None:
    user = str(tmp_path)
    assert folder_of_project(user, "/Users/me/proj") == f"{user}/projects/-Users-me-proj/memory"
    assert shared_folder(user) == f"{user}/shared/memory"


def test_k19_without_a_user_folder_the_store_is_closed() -> None:
    assert (folder_of_project("", "/x"), shared_folder("")) == ("", "")
    for closed in (SavedMemories("", 80), SavedMemories("", 30)):
        assert closed.memories() == ()
        assert closed.index() == ""
        assert closed.path("name") == ""
        assert closed.compact() == ()
        assert closed.remove("name") is None
        with pytest.raises(InvalidInput, match="a folder of yours"):
            closed.save("name", "description", "body")


def test_k19_a_store_that_was_never_written_reads_as_empty(store: SavedMemories) -> None:
    assert (store.memories(), store.index(), store.compact()) == ((), "", ())
    assert not os.path.exists(store.folder)


def test_k19_project_paths_never_share_a_folder() -> None:
    paths = ["/a/b", "/a-b", "/a:b", "/a\\b", "/a~b", "/", "", "C:\\a", "C:/a", "/a/b/", "/é", "/e"]
    paths += ["/x" * 300, "/x" * 301, "/a.", "/\ud800", "/a b", "/a\nb", "."]
    slugs = [project_slug(path) for path in paths]
    assert len({slug.lower() for slug in slugs}) == len(paths)
    for slug in slugs:
        assert slug not in ("", ".", "..")
        assert not set(slug) & set('/\\:*?"<>|\n')
        assert len(slug.encode()) <= 255


@pytest.mark.parametrize(
    ("given_type", "kept"),
    [
        ("user", "user"),
        (" Feedback ", "feedback"),
        ("PROJECT", "project"),
        ("reference", "reference"),
        ("", "project"),
        ("episodic", "project"),
    ],
)
def test_k20_there_are_four_types_and_the_rest_is_the_projects(given_type: str, kept: str) -> None:
    assert SavedMemories("", 80, lambda: TYPES).type_of(given_type) == kept


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Deploy on Fridays?", "deploy-on-fridays"),
        ("  API -- v2!  ", "api-v2"),
        ("a_b.c/d", "a-b-c-d"),
        ("memory", "memory_"),
        ("Memory!", "memory_"),
        ("CON", "con_"),
        ("lpt9", "lpt9_"),
        ("console", "console"),
    ],
)
def test_k21_a_slug_is_lower_case_letters_digits_and_hyphens(name: str, slug: str) -> None:
    assert slug_of(name) == slug


@pytest.mark.parametrize("name", ["", "   ", "!!!", "-._/"])
def test_k21_a_name_needs_a_letter_or_a_digit(name: str) -> None:
    with pytest.raises(InvalidInput, match="needs a name"):
        slug_of(name)


def test_k21_names_of_any_script_are_usable_and_stay_apart(store: SavedMemories) -> None:
    names = [
        "部署流程",
        "部署环境",
        "Правила",
        "café",
        "cafe",
        "मेमोरी",
        "🚀",
        "日本 notes",
        "notes",
    ]
    for name in names:
        assert not store.save(name, f"about {name}", "body").replaced
    assert sorted(memory.name for memory in store.memories()) == sorted(names)
    assert store.save("Cafe\u0301", "the same, decomposed", "body").replaced
    assert len(entries(store)) == len(names)


@settings(max_examples=examples(300), deadline=None)
@given(st.text(max_size=150))
def test_k21_every_slug_is_a_safe_file_name(name: str) -> None:
    try:
        slug = slug_of(name)
    except InvalidInput:
        assert not any(c.isalnum() for c in name)
        return
    assert slug.strip("_").replace("-", "").isalnum()
    assert slug.isascii()
    assert slug.upper() != "MEMORY"
    assert 0 < len(slug) < 120


def test_k21_a_save_made_from_an_old_reading_is_a_conflict(store: SavedMemories) -> None:
    known = store.save("n", "d", "first").memory.digest
    Path(store.path("n")).write_text("edited by hand")
    for expected in (known, ABSENT):
        with pytest.raises(Conflict):
            store.save("n", "d", "x", expected=expected)
        with pytest.raises(Conflict):
            store.remove("n", expected)
    assert Path(store.path("n")).read_text() == "edited by hand"


@pytest.mark.parametrize(
    ("text", "fields", "body"),
    [
        ("---\nname: a\n---\nbody\n", {"name": "a"}, "body\n"),
        ("\ufeff---\r\nName: A\r\n---\r\nbody\r\n", {"name": "A"}, "body\n"),
        ("---\nname: \"q: 1\"\nd: 'it''s'\n---\n", {"name": "q: 1", "d": "it's"}, ""),
        ("---\nname: a\nbody", {}, "---\nname: a\nbody"),
        ("no block\n---\n", {}, "no block\n---\n"),
        ("---\nm:\n  type: user\n---\nx", {"m": "", "type": "user"}, "x"),
        ("---\ntype: user\nm:\n  type: feedback\n---\n", {"m": "", "type": "feedback"}, ""),
        ("---\nname: a\nNAME: b\n---\n", {"name": "b"}, ""),
        ("---\nname: fix: it\nglobs: **/*.js\n---\n", {"name": "fix: it", "globs": "**/*.js"}, ""),
        ("---\ntags:\n  - a\n  - 'b'\n---\n", {"tags": "a, b"}, ""),
        ("---\nd: >-\n  two\n  lines: here\nn: x\n---\n", {"d": "two lines: here", "n": "x"}, ""),
        ("---\nd: one\n  two\n# note\n\nn: x\n---\n", {"d": "one two", "n": "x"}, ""),
        ("---\nurl: https://x.org/a\n---\nb\n---\nc", {"url": "https://x.org/a"}, "b\n---\nc"),
        ("---\n---\nbody", {}, "body"),
        ("", {}, ""),
    ],
)
def test_k22_frontmatter_is_read_with_patience(
    text: str, fields: dict[str, str], body: str
) -> None:
    assert frontmatter.parse(text) == (fields, body)


@settings(max_examples=examples(300), deadline=None)
@given(st.text(), st.text(), st.sampled_from(TYPES), st.text())
def test_k22_what_is_written_is_read_back(name: str, about: str, kind: str, body: str) -> None:
    try:
        text = render(name, about, kind, body)
    except InvalidInput:
        assert any("\ud800" <= c <= "\udfff" for c in name + about + body)
        return
    fields, read = frontmatter.parse(text)
    assert fields["name"] == one_line(name)
    assert fields["description"] == one_line(about)
    assert fields["type"] == kind
    assert read.strip() == body.replace("\0", "").replace("\r\n", "\n").strip()
    assert render(name, about, kind, read) == text


def test_k22_the_file_has_the_known_layout(store: SavedMemories) -> None:
    memory = store.save("Tabs", "how to\nindent", "\n\nUse tabs.\r\nAlways.\n\n", "user").memory
    data = Path(memory.path).read_bytes()
    assert data == (
        b"---\nname: Tabs\ndescription: how to indent\nmetadata:\n  type: user\n---\n"
        b"\nUse tabs.\nAlways.\n"
    )
    again = render("Tabs", "how to indent", "user", "Use tabs.\nAlways.")
    assert memory.digest == digest_of(data) == digest_of(again.encode())


def test_k23_the_index_has_one_sorted_line_for_each_memory(store: SavedMemories) -> None:
    for name in ("beta", "Alpha", "gamma", "beta"):
        store.save(name, f"about {name}", "body")
    assert Path(store.folder, INDEX).read_text() == (
        "# Memory\n\n"
        "- [Alpha](alpha.md) — about Alpha\n"
        "- [beta](beta.md) — about beta\n"
        "- [gamma](gamma.md) — about gamma\n"
    )


def test_k23_what_a_person_wrote_in_the_index_stays(store: SavedMemories) -> None:
    index = Path(store.folder, INDEX)
    store.save("beta", "old", "body")
    store.save("delta", "about delta", "body")
    by_hand = (
        "# My own title\r\n\r\nFree text with a [link](elsewhere/x.md).\r\n\r\n"
        "- [beta](beta.md) — old\r\n- [delta](delta.md) — reworded by hand\r\n"
        "\r\n## More\r\n\r\n- [web](https://example.org/a.md)\r\n- a bullet\r\nno newline at end"
    )
    index.write_bytes(by_hand.encode())
    store.save("beta", "new", "body")
    store.save("charlie", "third", "body")
    expected = by_hand.replace("— old\r\n", "— new\r\n- [charlie](charlie.md) — third\r\n")
    assert index.read_bytes().decode() == expected
    store.remove("beta")
    expected = expected.replace("- [beta](beta.md) — new\r\n", "")
    assert index.read_bytes().decode() == expected


@settings(max_examples=examples(200), deadline=None)
@given(st.text(), st.text())
def test_k23_every_entry_names_its_own_file(name: str, about: str) -> None:
    slug = "a (odd) 100% name"
    line = saved_index.entry(slug, one_line(name) or slug, about)
    assert entry_slug(line) == slug
    assert "\n" not in line


LINE = st.sampled_from(
    ["", "# Memory", "words", "- [a](a.md) — hand", "- [a](a.md)", "- [z](z.md)", "- [w](http://w)"]
)


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(LINE, max_size=10),
    st.sets(st.sampled_from("abcde")),
    st.sampled_from(["", *"abcde"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_k23_indexing_keeps_all_other_lines_and_is_idempotent(
    lines: list[str], slugs: set[str], changed: str, newline: str
) -> None:
    memories = {slug: (slug.upper(), "d") for slug in sorted(slugs)}
    before = newline.join(lines)
    changed = changed if changed in slugs else ""
    after = saved_index.indexed(before, memories, frozenset(slugs), changed)
    found = [slug for line in after.split("\n") if (slug := entry_slug(line))]
    assert sorted(found) == sorted(slugs)
    assert newline == "\n" or "\n" not in before or after.count("\r") == after.count("\r\n")
    if any(line and not entry_slug(line) for line in lines):
        kept = [line.rstrip("\r") for line in after.split("\n") if not entry_slug(line)]
        hand = [line for line in lines if not entry_slug(line)]
        assert [line for line in kept if line] == [line for line in hand if line]
    assert saved_index.indexed(after, memories, frozenset(slugs), changed) == after


def test_k24_the_oldest_leave_and_the_index_never_dangles(tmp_path: Path) -> None:
    small = SavedMemories(str(tmp_path / "memory"), 5)
    for number in range(12):
        result = small.save(f"m{number}", "d", "b")
        left = [f"m{number - 5}"] if number >= 5 else []
        assert [memory.name for memory in result.archived] == left
        assert entries(small) == sorted(files_of(small))
    assert files_of(small) == {f"m{number}" for number in range(7, 12)}
    archived = os.listdir(os.path.join(small.folder, saved.ARCHIVE))
    assert len(archived) == 7  # nothing is destroyed


def test_k24_the_caps_are_eighty_and_thirty(tmp_path: Path) -> None:
    user = str(tmp_path)
    with cogmem.open(tmp_path / "m.db", documents=str(tmp_path), user_dir=user) as mem:
        stores = [mem.documents.shared_memories.files, mem.documents.project_memories.files]
        mem.store.set_setting("saved_memories", "3", now=NOW)
        mem.documents.save("A", "d", "b", now=NOW)
    with cogmem.open(tmp_path / "m.db", documents=str(tmp_path), user_dir=user) as mem:
        assert mem.documents.project_memories.files.cap == 3, "a person may say how many"
    for full, cap in zip(stores, (30, 80), strict=True):
        shutil.rmtree(full.folder, ignore_errors=True)
        os.makedirs(full.folder)
        for number in range(cap):
            path = Path(full.folder, f"m{number:03}.md")
            path.write_text("text")
            os.utime(path, (number, number))
        full.save("new", "d", "b")
        assert files_of(full) == {"new", *(f"m{number:03}" for number in range(1, cap))}


def test_k24_what_was_just_saved_stays_where_the_clock_runs_backwards(tmp_path: Path) -> None:
    small = SavedMemories(str(tmp_path / "memory"), 2)
    future = time.time() + 1e6
    for name in ("a", "b"):
        small.save(name, "d", "b")
        os.utime(small.path(name), (future, future))
    assert [memory.name for memory in small.save("c", "d", "b").archived] == ["a"]
    assert [memory.name for memory in small.save("d", "d", "b").archived] == ["b"]
    assert files_of(small) == {"c", "d"}


def test_k24_overwriting_makes_a_memory_new_again(tmp_path: Path) -> None:
    small = SavedMemories(str(tmp_path / "memory"), 2)
    for name in ("a", "b", "a", "c"):
        small.save(name, "d", "b")
    assert files_of(small) == {"a", "c"}


def test_k24_a_crash_between_file_and_index_is_repaired_at_load(
    store: SavedMemories, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = SavedMemories(store.folder, 2)
    small.save("a", "d", "b")
    small.save("b", "d", "b")
    monkeypatch.setattr(
        SavedMemories, "_reindex", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    with pytest.raises(KeyboardInterrupt):
        small.save("c", "d", "b")
    monkeypatch.undo()
    assert entries(small) == ["a", "b"]  # a.md is gone
    small.compact()
    assert set(entries(small)) <= files_of(small) == {"b", "c"}
    small.save("c", "d", "b")
    assert entries(small) == ["b", "c"]


def test_k24_eight_processes_saving_lose_nothing_and_keep_the_cap(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import sys
        from cogmem.documents.saved import SavedMemories
        store = SavedMemories(sys.argv[1], 20)
        for number in range(3):
            store.save(f"{sys.argv[2]} {number}", "description", "body")
        """
    )
    folder = str(tmp_path / "memory")
    runs = [subprocess.Popen([sys.executable, "-c", script, folder, f"p{n}"]) for n in range(8)]
    assert [run.wait(60) for run in runs] == [0] * 8
    together = SavedMemories(folder, 20)
    assert len(together.memories()) == 20
    assert entries(together) == [memory.slug for memory in together.memories()]
    assert len(os.listdir(os.path.join(folder, saved.ARCHIVE))) == 4


def test_k25_compact_leaves_a_sound_index_as_it_is(store: SavedMemories) -> None:
    index = Path(store.folder, INDEX)
    store.save("a", "d", "b")
    store.save("b", "d", "b")
    by_hand = (
        b"\xef\xbb\xbf# Mine\r\n- [b](b.md)\n\n\n- [a](a.md) \xff\n- [b](b.md) again, and no end"
    )
    index.write_bytes(by_hand)
    changed = index.stat().st_mtime_ns
    assert store.compact() == ()
    assert index.read_bytes() == by_hand
    assert index.stat().st_mtime_ns == changed


def test_k25_compact_is_idempotent_and_drops_only_dangling_lines(store: SavedMemories) -> None:
    store.save("a", "d", "b")
    store.save("b", "d", "b")
    os.unlink(store.path("a"))
    index = Path(store.folder, INDEX)
    index.write_text("# T\n\ntext\n- [a](a.md) — d\n- [b](b.md) — mine\n")
    store.compact()
    assert index.read_text() == "# T\n\ntext\n- [b](b.md) — mine\n"
    small = SavedMemories(store.folder, 1)
    store.save("c", "d", "b")
    assert [memory.name for memory in small.compact()] == ["b"]
    once = index.read_bytes()
    assert small.compact() == ()
    assert index.read_bytes() == once


def test_k26_the_list_is_sorted_and_steps_over_bad_files(store: SavedMemories) -> None:
    for name in ("b", "C", "a"):
        store.save(name, "d", "body")
    Path(store.folder, "binary.md").write_bytes(b"\0\1")
    Path(store.folder, "folder.md").mkdir()
    Path(store.folder, "notes.txt").write_text("no memory")
    Path(store.folder, ".hidden.md").write_text("no memory")
    assert [memory.name for memory in store.memories()] == ["a", "b", "C"]
    assert [os.path.basename(problem.path) for problem in store.read_all()[1]] == [
        "binary.md",
        "folder.md",
    ]
    assert store.path("a") == os.path.join(store.folder, "a.md")
    assert store.index().startswith("# Memory\n\n- [a](a.md)")


def test_k26_an_entry_of_a_file_that_cannot_be_read_stays(store: SavedMemories) -> None:
    store.save("a", "d", "body")
    store.save("b", "d", "body")
    Path(store.path("a")).write_bytes(b"\0")
    store.save("c", "d", "body")
    assert entries(store) == ["a", "b", "c"]


def test_k26_a_file_made_by_hand_can_be_addressed_by_its_name(store: SavedMemories) -> None:
    os.makedirs(store.folder)
    Path(store.folder, "My_Notes (1).md").write_text("by hand")
    assert store.path("My_Notes (1)").endswith("/My_Notes (1).md")
    store.save("other", "d", "b")
    assert entries(store) == ["My_Notes (1)", "other"]
    removed = store.remove("My_Notes (1)")
    assert removed is not None
    assert removed.body == "by hand"
    assert entries(store) == ["other"]
    assert store.remove("My_Notes (1)") is None


def test_k27_the_tool_declares_what_it_needs(memory: cogmem.Memory) -> None:
    (tool,) = toolset("ok", memory)
    assert set(tool.parameters["properties"]) == {"name", "description", "type", "body"}
    assert tool.parameters["required"] == ["description", "body"]
    words = tool.parameters["properties"]["type"]["description"]
    assert all(word in words for word in memory.store.kinds.words_of("ok"))
    assert "repository already records" in tool.description


def test_k27_remembering_saves_and_says_where(store: SavedMemories) -> None:
    answer = saved.remember(store, {"description": "Ships on Fridays only!", "body": "Because."})
    assert answer["success"] is True
    assert answer["path"] == store.path("ships-on-fridays-only")
    assert str(answer["path"]) in str(answer["message"])
    (memory,) = store.memories()
    assert (memory.name, memory.type) == ("Ships on Fridays only!", "project")
    answer = saved.remember(
        store, {"name": "Ships on Fridays only", "description": "d", "body": "b", "type": "user"}
    )
    assert answer["replaced"] is True
    assert str(answer["message"]).startswith("Updated")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "description"),
        ({"description": "d"}, "body"),
        ({"description": " ", "body": "b"}, "description"),
        ({"description": "d", "body": "\n"}, "body"),
        ({"description": 1, "body": "b"}, "text"),
        ({"description": "!!!", "body": "b"}, "needs a name"),
        ({"description": "d", "body": "\ud800"}, "half of a pair"),
    ],
)
def test_k27_the_tool_reports_errors_and_never_raises(
    store: SavedMemories, arguments: dict[str, object], error: str
) -> None:
    answer = saved.remember(store, arguments)
    assert answer["success"] is False
    assert error in str(answer["error"])
    assert store.memories() == ()
