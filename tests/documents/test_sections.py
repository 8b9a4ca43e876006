"""Documents in the database: found by section, and compared with the disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from conftest import NOW

from cogmem.documents.sections import find_sections
from cogmem.language.cue import read_cue
from cogmem.scope import Scope

if TYPE_CHECKING:
    from pathlib import Path

    import cogmem


def test_a_search_cites_path_and_heading_and_follows_the_file(
    mem: cogmem.Memory, cwd: Path
) -> None:
    mem.documents.sync(now=NOW + 1)
    cue = read_cue("what must I run before pushing?")
    found = find_sections(mem.db, cue, mem.scope, 3)
    assert [one.ref for one in found] == [f"{cwd / 'AGENTS.md'}#build"]
    assert "make all" in found[0].content
    (cwd / "AGENTS.md").write_text(
        "# Anew\n\nPushing needs two reviews.\n\n## 部署\n\n先测试再发布。\n"
    )
    assert mem.documents.status(now=NOW + 2).documents.changed == [str(cwd / "AGENTS.md")]
    mem.documents.sync(now=NOW + 2)
    assert [one.anchor for one in find_sections(mem.db, cue, mem.scope, 3)] == ["anew"]
    assert [one.heading for one in find_sections(mem.db, read_cue("测试"), mem.scope)] == ["部署"]
    assert find_sections(mem.db, read_cue("the of"), mem.scope) == []
    os.unlink(cwd / "AGENTS.md")
    mem.documents.sync(now=NOW + 3)
    assert find_sections(mem.db, cue, mem.scope, 3) == []


def test_another_project_does_not_find_these_sections(mem: cogmem.Memory) -> None:
    mem.documents.sync(now=NOW + 1)
    elsewhere = Scope("", "", "another", "")
    cue = read_cue("push sentences")
    assert {one.scope for one in find_sections(mem.db, cue, mem.scope)} == {"user", "project"}
    assert {one.scope for one in find_sections(mem.db, cue, elsewhere)} == {"user"}


def test_an_import_that_changed_is_noticed(mem: cogmem.Memory, cwd: Path) -> None:
    (cwd / "AGENTS.md").write_text("@more.md\n")
    (cwd / "more.md").write_text("Zebras are striped.")
    mem.documents.sync(now=NOW + 1)
    (cwd / "more.md").write_text("Zebras are spotted.")
    assert mem.documents.sync(now=NOW + 2).documents.changed == [str(cwd / "AGENTS.md")]
    assert "spotted" in find_sections(mem.db, read_cue("zebras"), mem.scope)[0].content


def test_documents_that_did_not_change_cost_no_write(mem: cogmem.Memory) -> None:
    mem.documents.sync(now=NOW + 1)
    before = mem.db.ask("select last_at from context")
    mem.documents.sync(now=NOW + 9)
    assert mem.db.ask("select last_at from context") == before
