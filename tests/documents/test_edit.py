"""Notes and whole documents, written without losing anybody's words."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem.documents import edit, files
from cogmem.documents.compose import block, load
from cogmem.documents.edit import (
    EditConflict,
    Note,
    append_doc,
    doc_path,
    quick_note,
    with_note,
    write_doc,
)
from cogmem.errors import CogmemError, Conflict, InvalidInput, Locked


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_k14_the_first_existing_name_is_preferred(tmp_path: Path) -> None:
    cwd, user = tmp_path / "work", tmp_path / "user"
    cwd.mkdir()
    user.mkdir()
    at = str(cwd)
    assert doc_path("project", at) == f"{cwd}/AGENTS.md"
    assert doc_path("whatever", at) == f"{cwd}/AGENTS.md"
    assert doc_path("local", at) == f"{cwd}/AGENTS.local.md"
    assert doc_path("user", at, str(user)) == f"{user}/AGENTS.md"
    assert doc_path("user", at) == ""
    (cwd / "CLAUDE.md").touch()
    (cwd / "OK.local.md").touch()
    (user / "REASONIX.md").touch()
    assert doc_path("project", at) == f"{cwd}/CLAUDE.md"
    assert doc_path("local", at) == f"{cwd}/OK.local.md"
    assert doc_path("user", at, str(user)) == f"{user}/REASONIX.md"


def test_k14_a_user_document_that_links_to_dotfiles_is_written_there(tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    (tmp_path / "dotfiles.md").write_text("# Mine\n")
    (tmp_path / "user" / "AGENTS.md").symlink_to(tmp_path / "dotfiles.md")
    append_doc(doc_path("user", str(tmp_path), str(tmp_path / "user")), "likes tea")
    assert "- likes tea" in (tmp_path / "dotfiles.md").read_text()
    assert (tmp_path / "user" / "AGENTS.md").is_symlink()


def test_k15_a_missing_or_blank_document_is_begun(tmp_path: Path) -> None:
    expected = "# Project memory\n\n## Notes\n\n- a note\n"
    path = tmp_path / "new" / "deep" / "AGENTS.md"
    result = append_doc(str(path), "  a \n note ")
    assert path.read_text() == expected
    assert result.created
    assert result.digest == files.digest_of(path.read_bytes())
    assert stat.S_IMODE(path.stat().st_mode) == 0o644 & ~_umask()
    path.write_text("\ufeff \n\n")
    assert not append_doc(str(path), "a note").created
    assert path.read_text() == expected


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_k15_an_empty_note_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    assert append_doc(str(path), " \n\t").note == ""
    assert names(tmp_path) == []


def test_k15_a_note_is_one_line_of_two_hundred_characters(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    append_doc(str(path), "ü" * 300)
    append_doc(str(path), "x" * 200)
    assert path.read_text().endswith(f"- {'ü' * 200}…\n- {'x' * 200}\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# T\n\n## Notes\n\n- a\n\n\n# B\n\nb\n", "# T\n\n## Notes\n\n- a\n- N\n\n\n# B\n\nb\n"),
        ("## Notes\n\n## Other\n", "## Notes\n\n- N\n\n## Other\n"),
        ("## Notes", "## Notes\n\n- N\n"),
        ("text", "text\n\n## Notes\n\n- N\n"),
        ("text\n\n", "text\n\n## Notes\n\n- N\n"),
        ("## Notes\n- a\n  more of a\n", "## Notes\n- a\n  more of a\n- N\n"),
        ("## Notes\nprose\n", "## Notes\nprose\n\n- N\n"),
        ("## Notes ##\n\n- a\n", "## Notes ##\n\n- a\n- N\n"),
        ("## Notes\r\n\r\n- a\r\n\r\n# B\r\n", "## Notes\r\n\r\n- a\r\n- N\r\n\r\n# B\r\n"),
        ("a\r\nb", "a\r\nb\r\n\r\n## Notes\r\n\r\n- N\r\n"),
        ("\ufeff## Notes\n\n- a\n", "\ufeff## Notes\n\n- a\n- N\n"),
        ("\x0b\n", "# Project memory\n\n## Notes\n\n- N\n"),
        ("\x0b\nx\x0b", "\x0b\nx\x0b\n\n## Notes\n\n- N\n"),
        # A heading is one by its whole title and level, and not in code.
        ("### Notes\n\n- a\n", "### Notes\n\n- a\n\n## Notes\n\n- N\n"),
        ("## Notes on x\n\n- a\n", "## Notes on x\n\n- a\n\n## Notes\n\n- N\n"),
        ("```\n## Notes\n```\n", "```\n## Notes\n```\n\n## Notes\n\n- N\n"),
        ("## Notes\n\n- a\n\nOther\n=====\n", "## Notes\n\n- a\n- N\n\nOther\n=====\n"),
        # What stands under a sub-heading is filed; a new note goes before it.
        ("## Notes\n\n- a\n\n### Filed\n\n- b\n", "## Notes\n\n- a\n- N\n\n### Filed\n\n- b\n"),
        ("## Notes\n\n```\n# x\n```\n\n# B\n", "## Notes\n\n```\n# x\n```\n\n- N\n\n# B\n"),
        # A last line without an end gets one only if something follows it.
        ("## Notes\n\n# B", "## Notes\n\n- N\n\n# B"),
    ],
)
def test_k15_a_note_goes_to_the_end_of_its_section(before: str, after: str) -> None:
    assert with_note(before, "N") == (after, ())


def test_k15_notes_stay_in_order_and_only_the_oldest_bullets_leave() -> None:
    text = "intro\n\n## Notes\n\nWhy we keep notes.\n\n- kept: it\n  goes on\n"
    for number in range(32):
        text, dropped = with_note(text, f"note {number}")
        assert dropped == ((f"note {number - 30}",) if number >= 30 else ())
    notes = "".join(f"- note {number}\n" for number in range(2, 32))
    assert text == f"intro\n\n## Notes\n\nWhy we keep notes.\n\n- kept: it\n  goes on\n{notes}"


def test_k15_a_file_full_of_bullets_is_brought_to_thirty_and_says_what_left() -> None:
    text = "## Notes\n" + "".join(f"* {number}\n" for number in range(40)) + "\ntail\n"
    result, dropped = with_note(text, "new")
    assert dropped == tuple(str(number) for number in range(11))
    assert result == "## Notes\n" + "".join(f"* {n}\n" for n in range(11, 40)) + "\ntail\n\n- new\n"


def test_k15_an_unclosed_fence_does_not_breed_headings() -> None:
    text, _ = with_note("```\nnever closed\n", "one")
    text, _ = with_note(text, "two")
    assert text.count("## Notes") == 1
    assert text.endswith("- one\n- two\n")


LINES = ["## Notes", "### Notes", "# T", "", "- a", "* b", "  more", "```", "prose", "===", "---"]


@settings(max_examples=examples(500), deadline=None)
@given(
    st.lists(st.sampled_from([*LINES, "\udcff\udc80", "é\ufeff", "\x0bvt\x85"]), max_size=28),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_k15_unrelated_bytes_are_untouched(lines: list[str], newline: str, ends: bool) -> None:
    before = newline.join(lines) + (newline if ends else "")
    after, dropped = with_note(before, "the note")
    if not before.replace("\ufeff", "").strip():
        return
    # All that happened is that one stretch was put in.
    grown = len(after) - len(before)
    assert any(before[:i] + after[i : i + grown] + before[i:] == after for i in range(len(after)))
    assert len(after) - len(before) <= len("\r\n\r\n## Notes\r\n\r\n- the note\r\n")
    assert after.replace("\r\n", "\n").count("- the note\n") == 1
    assert newline not in before or newline == "\n" or after.count("\n") == after.count("\r\n")
    assert dropped == ()


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(st.sampled_from(["- a", "* b", "- c\n  d", "prose", "", "```\n- x\n```"]), max_size=80)
)
def test_k15_only_the_oldest_plain_bullets_leave(parts: list[str]) -> None:
    notes = [part for part in parts if part in ("- a", "* b")]
    before = "\n".join(["# T", "- mine", "## Notes", *parts, "## After", "- mine too", ""])
    after, dropped = with_note(before, "the note")
    # Text on an indented line after blank lines still belongs to the bullet above it.
    assert dropped == tuple(note[2:] for note in notes[: max(0, len(notes) - 29)])
    rest = iter(after.split("\n"))
    leaving = len(dropped)
    for line in before.split("\n")[3:]:
        if leaving and line in ("- a", "* b"):
            leaving -= 1
            continue
        assert line in rest  # in this order


def test_k15_what_is_no_text_or_too_large_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    for content in ("text".encode("utf-16"), b"x" * (files.MAX_BYTES + 1), b"x" * files.MAX_BYTES):
        path.write_bytes(content)
        with pytest.raises(CogmemError):
            append_doc(str(path), "note")
        assert path.read_bytes() == content
    with pytest.raises(InvalidInput):
        append_doc(str(path), "half a pair \ud800")
    with pytest.raises(InvalidInput):
        append_doc("", "note")
    with pytest.raises(InvalidInput):
        append_doc(str(tmp_path), "note")
    assert names(tmp_path) == ["AGENTS.md"]


def test_k15_a_link_is_followed_within_its_folder_and_refused_beyond(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("rules\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    append_doc(str(tmp_path / "CLAUDE.md"), "note")
    assert (tmp_path / "CLAUDE.md").is_symlink()
    assert "- note" in (tmp_path / "AGENTS.md").read_text()
    (tmp_path / "p").mkdir()
    (tmp_path / "profile").write_text("PATH=/bin\n")
    (tmp_path / "p" / "AGENTS.md").symlink_to("../profile")
    with pytest.raises(InvalidInput, match="link"):
        append_doc(str(tmp_path / "p" / "AGENTS.md"), "alias ls=rm")
    assert (tmp_path / "profile").read_text() == "PATH=/bin\n"


APPENDER = textwrap.dedent(
    """
    import sys
    from cogmem.documents.edit import append_doc
    for number in range(int(sys.argv[3])):
        append_doc(sys.argv[1], f"{sys.argv[2]}-{number}")
    """
)


def test_k16_eight_processes_lose_no_note(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("# Keep me\r\n")
    runs = [
        subprocess.Popen([sys.executable, "-c", APPENDER, str(path), f"p{n}", "3"])
        for n in range(8)
    ]
    assert [run.wait(60) for run in runs] == [0] * 8
    found = [line[2:] for line in path.read_text().splitlines() if line.startswith("- ")]
    assert sorted(found) == sorted(f"p{n}-{m}" for n in range(8) for m in range(3))
    for n in range(8):  # each process's notes are in its own order
        own = [note for note in found if note.startswith(f"p{n}-")]
        assert own == sorted(own)
    assert path.read_bytes().startswith(b"# Keep me\r\n")
    assert names(tmp_path) == ["AGENTS.md"]


def interfering(monkeypatch: pytest.MonkeyPatch, path: Path, texts: list[str]) -> None:
    """Let an editor save `texts`, one each time a write is about to compare digests."""
    digest_now = files.digest_now

    def meddle(at: str, limit: int) -> str:
        if texts:
            path.write_text(texts.pop(0))
        return digest_now(at, limit)

    monkeypatch.setattr(files, "digest_now", meddle)


def test_k16_an_editor_that_takes_no_lock_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("## Notes\n\n- a\n")
    interfering(
        monkeypatch, path, ["## Notes\n\n- a\n- by hand\n", "# New\n\n## Notes\n\n- hand\n"]
    )
    append_doc(str(path), "mine")
    assert path.read_text() == "# New\n\n## Notes\n\n- hand\n- mine\n"


def test_k16_a_file_that_appears_meanwhile_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "AGENTS.md"
    linked = files._linked

    def race(temporary: str, at: str) -> bool:
        if not path.exists():
            path.write_text("born elsewhere\n")
        return linked(temporary, at)

    monkeypatch.setattr(files, "_linked", race)
    append_doc(str(path), "mine")
    assert path.read_text() == "born elsewhere\n\n## Notes\n\n- mine\n"


def test_k16_without_end_to_the_interference_there_is_a_conflict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("0")
    interfering(monkeypatch, path, [str(n) for n in range(1, 50)])
    with pytest.raises(Conflict):
        append_doc(str(path), "mine")
    assert names(tmp_path) == ["AGENTS.md"]


def test_k16_a_lock_that_is_never_freed_is_reported(tmp_path: Path) -> None:
    with (
        files.folder_lock(str(tmp_path)),
        pytest.raises(Locked),
        files.folder_lock(str(tmp_path), 0.05),
    ):
        raise AssertionError("two holders")


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        ("# use tabs", Note("project", "use tabs")),
        ("#use tabs", Note("project", "use tabs")),
        ("  ## use tabs ", Note("project", "use tabs")),
        ("#user: likes tea", Note("user", "likes tea")),
        ("#LOCAL: port 8081", Note("local", "port 8081")),
        ("#project:x", Note("project", "x")),
        ("#global: x", Note("project", "global: x")),
        ("# user: x", Note("project", "user: x")),
        ("#", None),
        ("#user:", None),
        ("#!/bin/sh", None),
        ("no note", None),
        ("", None),
        ("# A document\n\nthat was pasted", None),
    ],
)
def test_k17_a_leading_hash_is_a_note_with_a_choice_of_scope(typed: str, note: Note | None) -> None:
    assert quick_note(typed) == note


def test_k18_documents_are_written_whole_and_end_with_one_newline(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    cwd = tmp_path / "sub"
    cwd.mkdir()
    (tmp_path / "AGENTS.md").write_text("root rules")
    (tmp_path / "AGENTS.md").chmod(0o600)
    user = tmp_path / "user"
    loaded = load(str(cwd), str(user))
    before = block(loaded)
    own = (cwd / "AGENTS.md", cwd / "AGENTS.local.md", user / "AGENTS.md")
    for path in (tmp_path / "AGENTS.md", *own):
        result = write_doc(loaded, str(path), "new text\n\n\n")
        assert path.read_bytes() == b"new text\n"
        assert result.digest == files.digest_of(b"new text\n")
        assert not write_doc(loaded, str(path), "new text").changed
    assert write_doc(loaded, "AGENTS.md", "relative").path == str(cwd / "AGENTS.md")
    assert stat.S_IMODE((tmp_path / "AGENTS.md").stat().st_mode) == 0o600
    assert block(loaded) == before
    assert names(cwd) == ["AGENTS.local.md", "AGENTS.md"]


def test_k18_only_documents_are_written(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    cwd = tmp_path / "sub"
    cwd.mkdir()
    (tmp_path / "victim").write_text("untouched")
    (cwd / "AGENTS.md").symlink_to("../victim")
    loaded = load(str(cwd), str(tmp_path / "user"))
    for path in (
        "",
        "  ",
        "/etc/passwd",
        "README.md",
        "../AGENTS.md",
        f"{cwd}/../sub/AGENTS.local.md",
        f"{cwd}/AGENTS.md",
        f"{cwd}/sub/AGENTS.md",
        str(cwd),
        "\0",
        f"{tmp_path}/AGENTS.md",
    ):
        with pytest.raises(InvalidInput):
            write_doc(loaded, path, "text")
    with pytest.raises(InvalidInput):
        write_doc(loaded, "CLAUDE.md", "not the document that notes go to")
    with pytest.raises(InvalidInput):
        write_doc(None, f"{cwd}/AGENTS.local.md", "text")
    with pytest.raises(InvalidInput):
        write_doc(loaded, f"{cwd}/AGENTS.local.md", " \n")
    assert (tmp_path / "victim").read_text() == "untouched"
    assert names(cwd) == ["AGENTS.md"]


def test_k18_a_text_made_from_an_old_reading_is_a_conflict_that_keeps_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("as read")
    loaded = load(str(tmp_path))
    read = loaded.documents[0].digest
    path.write_text("edited by hand")
    with pytest.raises(EditConflict) as caught:
        write_doc(loaded, str(path), "ours", expected=read)
    assert (caught.value.theirs, caught.value.ours) == ("edited by hand", "ours")
    assert path.read_text() == "edited by hand"
    interfering(monkeypatch, path, ["edited at the last moment"])
    with pytest.raises(EditConflict) as caught:
        write_doc(loaded, str(path), "ours")
    assert caught.value.theirs == path.read_text() == "edited at the last moment"
    assert names(tmp_path) == ["AGENTS.md"]


def test_k18_a_file_with_windows_newlines_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"a\r\nb\r\n")
    write_doc(load(str(tmp_path)), str(path), "a\nc\n")
    assert path.read_bytes() == b"a\r\nc\r\n"


KILLED = textwrap.dedent(
    """
    import os, signal, sys
    from cogmem.documents import edit, files
    files.os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
    edit.append_doc(sys.argv[1], "never finished")
    """
)


def test_k29_a_writer_killed_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("old\n")
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -9
    assert path.read_text() == "old\n"
    (left,) = [name for name in names(tmp_path) if name != "AGENTS.md"]
    append_doc(str(path), "a young temporary file may be another machine's")
    assert left in names(tmp_path)
    os.utime(tmp_path / left, (0, 0))
    append_doc(str(path), "an old one is nobody's")
    assert names(tmp_path) == ["AGENTS.md"]


def test_k29_a_failed_write_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("old\n")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(CogmemError, match="No space"):
        append_doc(str(path), "note")
    monkeypatch.undo()
    monkeypatch.setattr(edit, "replace_file", full)
    with pytest.raises(CogmemError, match="No space"):
        write_doc(load(str(tmp_path)), str(path), "text")
    assert path.read_text() == "old\n"
    assert names(tmp_path) == ["AGENTS.md"]
