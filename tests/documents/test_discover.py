"""Which documents apply to a folder, in which order, and what their imports may reach."""

from __future__ import annotations

import ntpath
import os
from pathlib import Path

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem.documents.discover import (
    LOCAL_NAMES,
    MAX_DEPTH,
    NAMES,
    Screening,
    discover,
    git_root,
    import_place,
    is_import,
)
from cogmem.documents.files import MAX_BYTES, is_inside
from cogmem.documents.markdown import code_lines, headings, sections


def put(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


def text_of(cwd: Path, user_dir: str = "", home: str = "") -> str:
    """The text of the only document."""
    (document,) = discover(str(cwd), user_dir, home).documents
    return document.text


def test_k01_documents_are_read_from_the_general_to_the_specific(
    project: Path, tmp_path: Path
) -> None:
    user = tmp_path / "user"
    below = project / "a" / "b"
    for folder in (user, project, project / "a", below):
        for name in (*NAMES, *LOCAL_NAMES):
            put(folder / name, f"{folder.name}/{name}")
    found = discover(str(below), str(user)).documents
    expected = [(str(user / name), "user") for name in NAMES]
    expected += [(str(project / name), "ancestor") for name in NAMES]
    expected += [(str(project / "a" / name), "ancestor") for name in NAMES]
    expected += [(str(below / name), "project") for name in NAMES]
    expected += [(str(below / name), "local") for name in LOCAL_NAMES]
    assert [(document.path, document.scope) for document in found] == expected


def test_k01_the_git_root_itself_is_the_project_when_work_happens_there(project: Path) -> None:
    put(project.parent / "AGENTS.md", "outside")
    put(project / "AGENTS.md", "inside")
    found = discover(str(project)).documents
    assert [(d.text, d.scope) for d in found] == [("inside", "project")]


def test_k02_without_git_only_the_working_folder_is_read(tmp_path: Path) -> None:
    cwd = tmp_path / "a" / "b"
    put(tmp_path / "a" / "AGENTS.md", "above")
    put(cwd / "AGENTS.md", "here")
    assert git_root(str(cwd)) == ""
    assert [d.text for d in discover(str(cwd)).documents] == ["here"]


def test_k02_a_git_file_of_a_worktree_marks_the_root(tmp_path: Path) -> None:
    put(tmp_path / "tree" / ".git", "gitdir: /elsewhere")
    put(tmp_path / "tree" / "AGENTS.md", "root")
    put(tmp_path / "tree" / "sub" / "AGENTS.md", "sub")
    assert [d.text for d in discover(str(tmp_path / "tree" / "sub")).documents] == ["root", "sub"]


def test_k02_missing_blank_oversize_and_unreadable_files_are_stepped_over(project: Path) -> None:
    put(project / "OK.md", " \n\t\r\n")
    put(project / "REASONIX.md", "x" * (MAX_BYTES + 1))
    put(project / "AGENTS.md", "\n\n  kept  \n\n")
    os.mkfifo(project / "CLAUDE.md")
    put(project / "CLAUDE.local.md", b"\xff\xfeU\x00T\x00F\x00")
    (project / "AGENTS.local.md").mkdir()
    found = discover(str(project))
    assert [d.text for d in found.documents] == ["kept"]
    told = {os.path.basename(problem.path): problem.text for problem in found.problems}
    assert set(told) == {"REASONIX.md", "CLAUDE.md", "CLAUDE.local.md", "AGENTS.local.md"}
    assert "512 KiB" in told["REASONIX.md"]


def test_k02_a_file_of_exactly_the_limit_is_read(project: Path) -> None:
    put(project / "AGENTS.md", "x" * MAX_BYTES)
    assert len(text_of(project)) == MAX_BYTES


def test_k03_a_file_reached_twice_is_read_once(project: Path) -> None:
    put(project / "AGENTS.md", "one text")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    os.link(project / "AGENTS.md", project / "CLAUDE.local.md")
    found = discover(str(project), str(project)).documents  # the user folder lies in the tree, too
    assert [(d.text, d.scope) for d in found] == [("one text", "user")]
    assert str(project / "CLAUDE.md") in found[0].aliases


def test_k03_a_link_out_of_the_project_is_not_read(project: Path, tmp_path: Path) -> None:
    put(tmp_path / "secret", "private key")
    (project / "AGENTS.md").symlink_to(tmp_path / "secret")
    found = discover(str(project))
    assert found.documents == ()
    assert "out of the project" in found.problems[0].text


def test_k03_the_user_folder_may_link_to_wherever_its_owner_likes(tmp_path: Path) -> None:
    put(tmp_path / "dotfiles" / "agents", "mine")
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "AGENTS.md").symlink_to(tmp_path / "dotfiles" / "agents")
    (tmp_path / "work").mkdir()
    assert text_of(tmp_path / "work", str(tmp_path / "user")) == "mine"


@pytest.mark.parametrize(
    "line",
    ["@docs/setup.md", "@./notes.txt", "@/abs/path.md", "  @a.md\r", "@a\\b", "@~/x", "@é/ü.md"],
)
def test_k04_a_path_alone_on_its_line_is_an_import(line: str) -> None:
    assert is_import(line)


@pytest.mark.parametrize(
    "line", ["@mention", "@", "@a/b and more", "plain text", "see @a/b.md", "", "@a\tb.md", "@@"]
)
def test_k04_prose_is_no_import(line: str) -> None:
    assert not is_import(line)


def test_k04_imports_are_inlined_relative_to_the_file_that_imports(project: Path) -> None:
    put(project / "AGENTS.md", "top\n@docs/a.md\nmail @someone\nbottom")
    put(project / "docs" / "a.md", "\n\na says\n@sub/b.md\n")
    put(project / "docs" / "sub" / "b.md", "\ufeffb says\r\nin two lines\r\n")
    assert text_of(project) == "top\na says\nb says\nin two lines\nmail @someone\nbottom"
    (document,) = discover(str(project)).documents
    assert [os.path.basename(i.path) for i in document.imports] == ["a.md", "b.md"]


def test_k05_imports_stop_at_the_fifth_level(project: Path) -> None:
    put(project / "AGENTS.md", "level 0\n@1.md")
    for level in range(1, 8):
        put(project / f"{level}.md", f"level {level}\n@{level + 1}.md")
    text = text_of(project)
    assert f"level {MAX_DEPTH}\n@{MAX_DEPTH + 1}.md" in text
    assert f"level {MAX_DEPTH + 1}" not in text


def test_k05_a_cycle_ends_with_a_marker(project: Path) -> None:
    put(project / "AGENTS.md", "A\n@b.md")
    put(project / "b.md", "B\n@AGENTS.md\n@b.md")
    mark = "<!-- skipped: import cycle -->"
    assert text_of(project) == f"A\nB\n@AGENTS.md {mark}\n@b.md {mark}"


def test_k05_the_same_file_twice_is_inlined_once_and_is_no_cycle(project: Path) -> None:
    put(project / "AGENTS.md", "@x.md\n@./x.md\n@y.md")
    put(project / "x.md", "X")
    (project / "y.md").symlink_to("x.md")
    mark = "<!-- skipped: already imported above -->"
    assert text_of(project) == f"X\n@./x.md {mark}\n@y.md {mark}"


def test_k05_an_import_of_another_document_does_not_show_it_twice(project: Path) -> None:
    put(project / "AGENTS.md", "the rules")
    put(project / "CLAUDE.md", "@AGENTS.md\nmore")
    found = discover(str(project)).documents
    mark = "<!-- skipped: loaded as its own document -->"
    assert [d.text for d in found] == ["the rules", f"@AGENTS.md {mark}\nmore"]


def test_k05_an_unreadable_target_stays_visible_and_is_reported(project: Path) -> None:
    put(project / "AGENTS.md", "first\n@gone.md\n@.\nlast")
    found = discover(str(project))
    assert found.documents[0].text == "first\n@gone.md\n@.\nlast"
    assert [(p.line, p.text.split(":")[0]) for p in found.problems] == [
        (2, "import not read"),
        (3, "import not read"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "@/etc/hostname",
        "@../outside.md",
        "@docs/../../outside.md",
        "@link.md",
        "@linked/outside.md",
        "@C:\\outside.md",
        "@\\\\server\\share\\x.md",
        "@..\\outside.md",
        "@~/outside.md",
        "@~other/x.md",
    ],
)
def test_k06_imports_cannot_leave_their_folder(project: Path, tmp_path: Path, line: str) -> None:
    outside = put(tmp_path / "outside.md", "SECRET")
    (project / "link.md").symlink_to(outside)
    (project / "linked").symlink_to(tmp_path)
    put(project / "AGENTS.md", f"{line}\nend")
    found = discover(str(project), str(tmp_path / "user"), str(tmp_path))
    assert found.documents[0].text == f"{line}\nend"
    assert "import refused" in found.problems[0].text


def test_k06_a_link_that_stays_inside_is_followed(project: Path) -> None:
    put(project / "docs" / "real.md", "fine")
    (project / "link.md").symlink_to("docs/real.md")
    put(project / "AGENTS.md", "@link.md")
    assert text_of(project) == "fine"


def test_k06_the_home_sign_reaches_the_user_folder_only(project: Path, tmp_path: Path) -> None:
    put(tmp_path / "home" / ".cogmem" / "style.md", "my style")
    put(tmp_path / "home" / "key", "SECRET")
    (tmp_path / "home" / ".cogmem" / "key.md").symlink_to(tmp_path / "home" / "key")
    put(project / "AGENTS.md", "@~/.cogmem/style.md\n@~/.cogmem/key.md\n@~/key\n@~/.cogmem/../key")
    text = text_of(project, str(tmp_path / "home" / ".cogmem"), str(tmp_path / "home"))
    assert text == "my style\n@~/.cogmem/key.md\n@~/key\n@~/.cogmem/../key"


@pytest.mark.parametrize("fence", ["```", "~~~~", "```python", "  ```"])
def test_k06_fenced_code_is_left_alone(project: Path, fence: str) -> None:
    put(project / "x.md", "X")
    close = fence.strip().rstrip("python")
    text = f"{fence}\n@x.md\n{close}\n@x.md"
    put(project / "AGENTS.md", text)
    assert text_of(project) == f"{fence.strip()}\n@x.md\n{close}\nX"


def test_k06_an_import_over_the_limit_is_left_as_it_is(project: Path) -> None:
    put(project / "big.md", "x" * (MAX_BYTES + 1))
    put(project / "half.md", "y" * (MAX_BYTES // 2))
    put(project / "other.md", "z" * (MAX_BYTES // 2))
    put(project / "AGENTS.md", "@big.md\n@half.md\n@other.md")
    found = discover(str(project))
    text = found.documents[0].text
    assert text.startswith("@big.md\nyyy")
    assert text.endswith("y\n@other.md")
    assert all("512 KiB" in problem.text for problem in found.problems)


def test_k06_a_screen_keeps_a_secret_out(project: Path) -> None:
    put(project / "AGENTS.md", "@env.md\n@fine.md")
    put(project / "env.md", "PASSWORD=hunter2")
    put(project / "fine.md", "fine")
    refuse = Screening("holds a password", ""), Screening("", "")
    found = discover(str(project), screen=lambda text: refuse["PASSWORD" not in text])
    assert found.documents[0].text == "@env.md\nfine"
    assert found.problems[0].text == "import refused: holds a password"


def test_k06_windows_paths_are_contained_like_all_others() -> None:
    folder = "C:\\Work\\proj"
    path, fence, refused = import_place("docs\\a.md", folder, flavour=ntpath)
    assert (path, fence, refused) == ("C:\\Work\\proj\\docs\\a.md", folder, "")
    assert import_place("docs/a.md", folder, flavour=ntpath)[0] == "C:\\Work\\proj\\docs\\a.md"
    for target in ("..\\x.md", "D:\\x.md", "D:x.md", "\\x.md", "\\\\h\\s\\x", "a/D:/x", "//h/s/x"):
        assert import_place(target, folder, flavour=ntpath)[2], target
    assert is_inside("C:\\Work", "c:\\work\\x", ntpath)
    assert not is_inside("C:\\Work", "C:\\Workshop", ntpath)
    assert not is_inside("C:\\Work", "D:\\Work\\x", ntpath)
    user = "C:\\Users\\me\\.cogmem"
    place = import_place("~/.cogmem/x.md", folder, user, "C:\\Users\\me", ntpath)
    assert place == ("C:\\Users\\me\\.cogmem\\x.md", user, "")


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(["..", ".", "a", "C:", "", "~", "b.md", "\\", " "]), max_size=6))
def test_k06_no_spelling_of_an_import_leaves_its_folder(parts: list[str]) -> None:
    for flavour, folder in ((os.path, "/srv/p"), (ntpath, "C:\\srv\\p")):
        path, fence, refused = import_place("/".join(parts), folder, "", "/home/me", flavour)
        assert refused or (fence == folder and is_inside(folder, path, flavour))


def test_a_path_that_cannot_exist_raises_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert discover(str(tmp_path / "gone")).documents == ()
    assert discover("\0").documents == ()
    put(tmp_path / "AGENTS.md", "@" + "x/" * 3000 + "y.md")
    assert len(discover(str(tmp_path)).problems) == 1


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(
        st.sampled_from(["# A", "## A #", "A", "===", "---", "```", "~~~", "- x", "", "\r", "  y"]),
        max_size=14,
    ).map("\n".join)
)
def test_sections_are_a_partition_of_the_text(text: str) -> None:
    found = sections(text)
    assert "".join(section.text for section in found) == text
    assert len({section.anchor for section in found if section.level}) == sum(
        1 for section in found if section.level
    )


def test_headings_and_anchors_follow_what_web_views_show() -> None:
    text = "intro\n# Set up!\n```\n# not a heading\n```\nUsage\n-----\n## Set up\n####### no\n#tag"
    lines = text.split("\n")
    assert [(h.level, h.title) for h in headings(lines, code_lines(lines))] == [
        (1, "Set up!"),
        (2, "Usage"),
        (2, "Set up"),
    ]
    assert [s.anchor for s in sections(text)] == ["", "set-up", "usage", "set-up-1"]


def test_the_folder_of_many_imports_is_looked_up_once(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    real = os.path.realpath
    for number in range(30):
        (project / f"part{number}.md").write_text(f"Rule {number}.\n")
    (project / "AGENTS.md").write_text("".join(f"@part{number}.md\n" for number in range(30)))
    monkeypatch.setattr(os.path, "realpath", lambda path: looked.append(path) or real(path))
    assert "Rule 29." in discover(str(project)).documents[0].text
    assert len(looked) < 10
