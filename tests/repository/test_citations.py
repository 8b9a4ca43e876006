"""What memories say about code is checked against the code before it is shown.

Modules: text.cited, turn.cited.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

import cogmem

if TYPE_CHECKING:
    from checkout import Checkout

    from cogmem import Memory

CODE = """import os


class Uploader:
    retries = 3

    def send(self, body):
        for attempt in range(self.retries):
            if self._try(body):
                return attempt
        raise OSError("gave up")

    def _try(self, body):
        return bool(body)


def parse_size(text):
    return int(text.strip("GB")) * 1024
"""


@pytest.fixture
def tree(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    checkout.commit("Begin", src__upload_py=CODE)
    monkeypatch.chdir(checkout.root)
    return checkout


def said(memory: Memory, question: str = "how does parse_size read the size of an upload?") -> str:
    return memory.activate(question).volatile


def learn(
    memory: Memory, text: str = "parse_size in src/upload.py reads a size in GB as MB."
) -> str:
    return memory.learn(text).uid


def places(memory: Memory) -> list[tuple[object, ...]]:
    return memory.db.ask("select path, symbol, first_line, line_count, standing from citation")


@pytest.mark.usefixtures("tree")
def test_a_text_that_names_code_cites_it(memory: Memory) -> None:
    learn(memory)
    assert places(memory) == [("src/upload.py", "parse_size", 17, 2, "holds")]


@pytest.mark.usefixtures("tree")
def test_a_name_alone_is_found_where_it_is_defined_once(memory: Memory) -> None:
    learn(memory, "`Uploader.send` gives up after three attempts.")
    assert places(memory)[0][:4] == ("src/upload.py", "Uploader.send", 7, 5)


@pytest.mark.usefixtures("tree")
def test_a_file_without_a_name_cites_the_line_that_the_text_speaks_of(memory: Memory) -> None:
    learn(memory, "Uploads in src/upload.py are tried with retries = 3.")
    assert places(memory) == [("src/upload.py", "", 5, 1, "holds")]


@pytest.mark.usefixtures("tree")
def test_places_can_be_given(memory: Memory) -> None:
    memory.learn("The last line counts.", cites=["src/upload.py:18", "src/upload.py#Uploader._try"])
    assert places(memory) == [
        ("src/upload.py", "", 18, 1, "holds"),
        ("src/upload.py", "Uploader._try", 13, 2, "holds"),
    ]
    learned = memory.learn("Nothing is there.", cites=["src/nowhere.py"])
    assert "cites nothing" in learned.notes[-1]


@pytest.mark.usefixtures("tree")
def test_what_names_no_code_cites_none(memory: Memory) -> None:
    learn(memory, "Mara works on https://example.org/src/upload.py, e.g. on Mondays at 10.30.")
    learn(memory, "The file src/other.py is not there, and ../code/src/upload.py leads outside.")
    learn(memory, "Keep `.env` out of git.")
    assert [row[0] for row in places(memory) if row[0] != "src/upload.py"] == []


def test_code_that_moved_within_its_file_still_holds(memory: Memory, tree: Checkout) -> None:
    learn(memory)
    tree.write(
        "src/upload.py", '"""Uploads."""\n\n' + CODE.replace("    return int", "      return int")
    )
    assert "the code changed since" not in said(memory)
    memory.flush()
    assert places(memory) == [("src/upload.py", "parse_size", 19, 2, "holds")]


def test_code_that_changed_is_told_with_the_memory(memory: Memory, tree: Checkout) -> None:
    learn(memory)
    tree.write("src/upload.py", CODE.replace("1024", "1024**2"))
    assert "reads a size in GB as MB. (the code changed since: src/upload.py)" in said(memory)
    tree.write("src/upload.py", CODE)
    assert "the code changed since" not in said(memory), "it is as it was"


@pytest.mark.parametrize("text", [CODE.partition("def parse_size")[0], None])
def test_what_cites_code_that_is_gone_is_held_back_and_listed_for_review(
    memory: Memory, tree: Checkout, text: str | None
) -> None:
    uid = learn(memory)
    if text is None:
        (tree.root / "src/upload.py").unlink()
    else:
        tree.write("src/upload.py", text)
    result = memory.activate("how does parse_size read the size of an upload?", turn="t1")
    assert "parse_size" not in result.volatile
    memory.flush()
    assert [row.reason for row in memory.many.suspects() if row.uid == uid] == [
        "the code that it cites is gone"
    ]
    assert "is gone" in memory.why(uid, "t1").sentence
    assert memory.recall("parse_size"), "a search still finds it"


def test_verify_follows_a_function_to_another_file(memory: Memory, tree: Checkout) -> None:
    learn(memory)
    head, _, rest = CODE.partition("def parse_size")
    tree.write("src/upload.py", head)
    tree.write("src/sizes.py", f"def parse_size{rest}")
    assert "parse_size" not in said(memory)
    found = memory.repository.verify()
    assert (found.moved, found.gone) == (1, 0)
    assert places(memory) == [("src/sizes.py", "parse_size", 1, 2, "holds")]
    assert "parse_size in src/upload.py" in said(memory)


def test_verify_follows_a_file_to_its_new_name(memory: Memory, tree: Checkout) -> None:
    learn(memory, "Uploads in src/upload.py are tried with retries = 3.")
    tree.git("mv", "src/upload.py", "src/sending.py")
    tree.commit("Rename")
    assert memory.repository.verify().moved == 1
    assert places(memory)[0][:3] == ("src/sending.py", "", 5)


def test_a_working_tree_that_is_not_here_says_nothing(memory: Memory, tree: Checkout) -> None:
    learn(memory)
    tree.root.rename(tree.root.parent / "away")
    assert "parse_size" in said(memory)


def test_before_an_edit_the_same_holds(memory: Memory, tree: Checkout) -> None:
    memory.learn("parse_size in src/upload.py rounds down.", "pitfall")
    tree.write("src/upload.py", CODE.replace("1024", "1000"))
    assert "the code changed since" in memory.at_act(file="src/upload.py", writes=True).text
    (tree.root / "src/upload.py").unlink()
    assert "rounds down" not in memory.at_act(file="src/upload.py", writes=True, session="s2").text


def test_the_story_of_a_file(memory: Memory, tree: Checkout) -> None:
    memory.repository.read(str(tree.root))
    learn(memory)
    kinds = [row.kind for row in memory.repository.story("src/upload.py")]
    assert sorted(kinds) == ["citation", "commit"]


def test_a_session_that_finds_new_commits_has_cited_code_looked_at(
    memory: Memory, tree: Checkout
) -> None:
    folder = str(tree.root)
    assert memory.behind(folder) == "", "nothing is cited"
    learn(memory)
    assert memory.behind(folder) == "", "it was looked at just now"
    tree.commit("Go on")
    later = time.time_ns() + 10**10
    os.utime(tree.root / ".git" / "logs" / "HEAD", ns=(later, later))
    assert memory.behind(folder) == "code"
    memory.repository.verify(now=later // 10**6 + 1)
    assert memory.behind(folder) == ""


def test_code_that_a_rule_cites_is_looked_at_before_every_prompt(path: str, tree: Checkout) -> None:
    with cogmem.open(path) as memory:  # without a counter: what layer A comes to is kept
        memory.learn("Sizes are read by parse_size in src/upload.py only.", kind="policy")
        assert "changed since" not in memory.activate("What is up?").stable
        tree.write("src/upload.py", CODE.replace("* 1024", "* 1000"))
        assert "changed since" in memory.activate("What is up?").stable
