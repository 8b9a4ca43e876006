"""The history of a repository becomes memories, and stays what the repository says.

Modules: git, head, reasons, cli.repository, learn.bulk, file.bulk, reading.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from processes import ran

from cogmem.learn import bulk
from cogmem.repository import git
from cogmem.scope import project_of

if TYPE_CHECKING:
    from pathlib import Path

    from checkout import Checkout

    from cogmem import Memory

PROXY = """Limit uploads to 2 GB

The proxy in front of us buffers whole bodies, so that larger uploads must be
split by the client. We tried streaming and it did not work.

Signed-off-by: Mara <mara@example.org>
"""


def contents(mem: Memory, **filters: object) -> list[str]:
    return sorted(one.content for one in mem.list(limit=0, **filters))  # type: ignore[arg-type]


def test_a_commit_becomes_an_episode_with_its_day_and_files(
    memory: Memory, checkout: Checkout
) -> None:
    name = checkout.commit("Add the upload form", src__upload_py="form")
    memory.repository.read(str(checkout.root))
    (one,) = memory.list(kind="commit")
    assert one.content == f"Add the upload form (commit {name[:8]}, 2026-05-28)"
    assert one.layer == "episodic"
    assert one.line == one.content, "its day stands in it already"
    assert one.data["paths"] == ["src/upload.py"]
    assert one.detail["happened_at"] == one.raw("created_at") == (1_780_000_000 + 3_600) * 1_000
    assert one.project == project_of(str(checkout.root)).id


def test_what_a_message_says_about_why_becomes_a_fact_with_its_source(
    memory: Memory, checkout: Checkout
) -> None:
    name = checkout.commit(PROXY, src__upload_py="2 GB")
    memory.repository.read(str(checkout.root))
    (one,) = memory.list(kind="rationale")
    assert one.content == (
        "Limit uploads to 2 GB: The proxy in front of us buffers whole bodies, so that larger uploads must "
        f"be split by the client. We tried streaming and it did not work. (commit {name[:8]}, 2026-05-28)"
    )
    assert one.data["commit"] == name


@pytest.mark.parametrize(
    "question",
    [
        "Why are uploads limited to 2 GB?",
        "When did the limit of uploads change?",
        "What was tried with streaming uploads?",
        "Uploads of 3 GB fail with an error of the proxy",
    ],
)
def test_a_turn_answers_why_when_and_what_was_tried(
    memory: Memory, checkout: Checkout, question: str
) -> None:
    for number in range(30):
        checkout.commit(f"Change the colour of button {number}")
    checkout.commit(PROXY, src__upload_py="2 GB")
    memory.repository.read(str(checkout.root))
    assert "The proxy in front of us buffers whole bodies" in memory.activate(question).volatile


def test_a_file_at_hand_brings_its_last_commits_and_reasons_once_each(
    memory: Memory, checkout: Checkout
) -> None:
    checkout.commit("Fix a typo in the form", src__upload_py="typo")
    checkout.commit("Read the form in pieces", src__upload_py="pieces")
    checkout.commit(PROXY, src__upload_py="2 GB")
    memory.repository.read(str(checkout.root))
    for text in (
        memory.activate("go on", files=["src/upload.py"]).volatile,
        memory.at_act(file="src/upload.py", writes=True).text,
    ):
        assert text.count("Limit uploads to 2 GB") == 1
        assert "Read the form in pieces" in text
        assert "typo" not in text, "what changed nothing of weight is not told"
    assert memory.at_act(file="src/upload.py").text == "", "a file that is only read"
    assert "uploads" not in memory.activate("go on", files=["src/other.py"]).volatile


def test_merges_and_bots_are_skipped(memory: Memory, checkout: Checkout) -> None:
    checkout.commit("Begin")
    checkout.git("checkout", "--quiet", "-b", "side")
    checkout.commit("On the side", side_txt="1")
    checkout.git("checkout", "--quiet", "main")
    checkout.commit("Bump a package", "--author=dependabot[bot] <bot@example.org>", lock_txt="1")
    checkout.git("merge", "--quiet", "--no-ff", "-m", "Merge branch side", "side")
    memory.repository.read(str(checkout.root))
    assert [text.partition(" (")[0] for text in contents(memory)] == ["Begin", "On the side"]


def test_reading_again_adds_what_is_new_and_nothing_twice(
    memory: Memory, checkout: Checkout
) -> None:
    folder = str(checkout.root)
    checkout.commit("Begin")
    assert memory.repository.read(folder).added == 1
    assert memory.repository.read(folder).added == 0
    assert memory.behind(folder) == ""
    checkout.commit("Go on")
    assert memory.behind(folder) == "history"
    assert memory.repository.read(folder).added == 1
    assert len(memory.list()) == 2


def test_what_a_rebase_left_behind_goes_and_comes_back_with_its_branch(
    memory: Memory, checkout: Checkout
) -> None:
    folder = str(checkout.root)
    checkout.commit("Begin")
    lost = checkout.commit(PROXY)
    memory.repository.read(folder)
    checkout.git("commit", "--quiet", "--amend", "-m", "Limit uploads to 3 GB")
    done = memory.repository.read(folder)
    assert (done.dropped, done.commits) == (2, 1)
    assert "2 GB" not in " ".join(contents(memory))
    checkout.git("branch", "kept", lost)
    checkout.commit("Go on")
    assert memory.repository.read(folder).returned == 2
    assert "2 GB" in " ".join(contents(memory))


def test_what_a_person_removes_while_it_is_read_stays_removed(
    memory: Memory, checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(checkout.root)
    checkout.commit("Begin")
    lost = checkout.commit(PROXY)
    memory.repository.read(folder)
    checkout.git("commit", "--quiet", "--amend", "-m", "Limit uploads to 3 GB")
    memory.repository.read(folder)
    checkout.git("branch", "kept", lost)
    checkout.commit("Go on")
    uids = [row.uid for row in memory.list(state="deleted") if "2 GB" in row.content]
    assert len(uids) == 2
    commits = git.commits

    def slow(*given: Any, **also: Any) -> Any:
        memory.restore(uids[0])
        memory.remove(uids[0], reason="not ours")
        return commits(*given, **also)

    monkeypatch.setattr(git, "commits", slow)
    memory.repository.read(folder)
    assert [row.uid for row in memory.list() if row.uid in uids] == uids[1:]


def test_another_branch_takes_nothing_away(memory: Memory, checkout: Checkout) -> None:
    folder = str(checkout.root)
    checkout.commit("Begin")
    checkout.git("checkout", "--quiet", "-b", "side")
    checkout.commit("On the side")
    memory.repository.read(folder)
    checkout.git("checkout", "--quiet", "main")
    assert memory.repository.read(folder).dropped == 0
    assert len(memory.list()) == 2


def test_what_a_person_removed_stays_removed(memory: Memory, checkout: Checkout) -> None:
    checkout.commit("Begin")
    memory.repository.read(str(checkout.root))
    memory.remove(memory.list()[0].uid)
    checkout.commit("Go on")
    memory.repository.read(str(checkout.root))
    assert [text.partition(" (")[0] for text in contents(memory)] == ["Go on"]


def test_a_later_reason_on_the_same_matter_takes_the_place_of_the_earlier(
    memory: Memory, checkout: Checkout
) -> None:
    checkout.commit("Limit retries to 3, because the gateway locks us out", src__net_py="3")
    checkout.commit("Sign every request, because the partner must know us", src__net_py="sign")
    checkout.commit(
        "Allow 8 retries instead of 3: the gateway no longer locks us out", src__net_py="8"
    )
    memory.repository.read(str(checkout.root))
    said = memory.activate("the gateway fails after several retries").volatile
    assert "Allow 8 retries" in said
    assert "Limit retries to 3," not in said
    assert "Sign every request" in " ".join(contents(memory, state="active"))
    assert [one.archive_reason for one in memory.list(state="archived")] == ["superseded"]


def test_a_revert_closes_what_it_takes_back(memory: Memory, checkout: Checkout) -> None:
    checkout.commit("Begin")
    checkout.commit("Cache the menu for a day, because it never changes", src__menu_py="day")
    checkout.git("revert", "--no-edit", "HEAD")
    memory.repository.read(str(checkout.root))
    assert (
        "for a day"
        not in memory.activate("the menu is out of date, is it cached?")
        .volatile.replace("Revert", "")
        .partition("Cache the menu for a day, because it never changes (commit")[2]
    )
    (old,) = memory.list(state="archived")
    assert old.content.startswith("Cache the menu")


def test_records_changelogs_and_comments_become_facts_and_go_with_their_text(
    memory: Memory, checkout: Checkout
) -> None:
    folder = str(checkout.root)
    record = (
        "# 3. Use SQLite\n\nStatus: {}\n\n## Context\n\nx\n\n## Decision\n\nOne file is enough.\n"
    )
    checkout.write("docs/adr/0003-sqlite.md", record.format("accepted"))
    checkout.write(
        "CHANGELOG.md", "# Changelog\n\n## 2.0\n\n### Removed\n\n- The old format.\n- X.\n"
    )
    checkout.write(
        "src/ping.py", "# why: the proxy drops idle connections,\n# so we ping\nPING = 20\n"
    )
    checkout.commit("Begin")
    memory.repository.read(folder)
    assert contents(memory, kind="rationale") == [
        "The old format. (CHANGELOG.md, 2.0)",
        "Use SQLite: One file is enough. (docs/adr/0003-sqlite.md)",
        "X. (CHANGELOG.md, 2.0)",
        "the proxy drops idle connections, so we ping (src/ping.py)",
    ]
    assert memory.at_act(file="src/ping.py").text.count("so we ping") == 1
    checkout.write("docs/adr/0003-sqlite.md", record.format("Superseded by 4"))
    checkout.commit("Ping less", src__ping_py="PING = 60\n")
    memory.repository.read(folder)
    assert not [text for text in contents(memory, kind="rationale") if "ping" in text]


def test_secrets_in_a_message_are_taken_out(memory: Memory, checkout: Checkout) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    checkout.commit(
        f"Use the new token because the old one expired\n\nIt is {token}, see the wiki."
    )
    done = memory.repository.read(str(checkout.root))
    assert done.commits == 1
    assert token not in "".join(
        map(str, memory.db.ask("select content || data || terms from memory"))
    )


def test_no_repository_an_empty_one_and_no_git_are_told(
    memory: Memory, checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no git repository" in memory.repository.read(str(tmp_path)).notes[0]
    assert "no commit yet" in memory.repository.read(str(checkout.root)).notes[0]
    checkout.commit("Begin")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git cannot be run" in memory.repository.read(str(checkout.root)).notes[0]


def test_shallow_clones_are_told_and_worktrees_are_read_once(
    memory: Memory, checkout: Checkout, tmp_path: Path
) -> None:
    checkout.commit("Begin")
    checkout.commit("Go on")
    shallow, linked = tmp_path / "shallow", tmp_path / "linked"
    checkout.git("clone", "--quiet", "--depth=1", f"file://{checkout.root}", str(shallow))
    assert "shallow" in memory.repository.read(str(shallow)).notes[0]
    checkout.git("worktree", "add", "--quiet", str(linked))
    memory.repository.read(str(linked))
    memory.repository.read(str(checkout.root))
    assert len(memory.list()) == 2, "one project, read once"


def test_many_commits_come_in_whole_thousands_and_a_stop_between_costs_nothing(
    memory: Memory, checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "AT_ONCE", 4)
    monkeypatch.setattr(bulk, "WORTH_IT", 2)
    for number in range(10):
        checkout.commit(f"Step {number}")

    def stop(done: int) -> None:
        if done == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.repository.read(str(checkout.root), progress=stop)
    assert len(memory.list()) == 8
    done = memory.repository.read(str(checkout.root))
    assert (done.added, done.known) == (2, 8)
    assert memory.activate("what was step 3?").volatile.count("Step 3") == 1


def test_the_command_tells_what_it_did(checkout: Checkout, tmp_path: Path) -> None:
    checkout.commit(PROXY)
    program = shutil.which("cogmem", path=str(_bin()))
    assert program is not None
    done = ran([program, "--db", str(tmp_path / "m.db"), "git"], cwd=checkout.root, check=True)  # fmt: skip
    assert "1 commit new" in done.stdout
    assert "cogmem undo act_" in done.stdout


def _bin() -> Path:
    import sys
    from pathlib import Path

    return Path(sys.executable).parent
