"""Documents at the head of a session: composed once, within a limit, unchanged while it lasts.

Modules: workplace.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.documents import compose
from cogmem.documents.compose import LEFT_OUT, TITLE, fitted, load
from cogmem.errors import InvalidInput
from cogmem.tokens import counting
from cogmem.tokens.bounds import Upper


def counted(text: str) -> int:
    return counting.Simple().count(text)


# -- the head of a session -------------------------------------------------------------------------


def test_documents_stand_before_layer_a_and_are_counted_beside_the_budget(
    mem: cogmem.Memory,
) -> None:
    bare = mem.activate("How do I build?", now=NOW + 1)
    turn = mem.activate("How do I build?", session="s", budget=60, now=NOW + 1)
    assert turn.stable.startswith(TITLE)
    assert turn.stable.index("Answer in short") < turn.stable.index("Run `make all`")
    assert turn.stable.index("Run `make all`") < turn.stable.index("Never force-push.")
    assert turn.tokens <= 60 < turn.tokens + turn.document_tokens
    assert turn.document_tokens == counted(turn.stable[: turn.stable.index("# Memory (ref")])
    assert bare.stable == turn.stable
    assert turn.as_dict()["document_tokens"] == turn.document_tokens


def test_without_a_folder_nothing_of_documents_is_loaded(tmp_path: Path) -> None:
    with cogmem.open(tmp_path / "other.db", counter=counting.Simple()) as other:
        turn = other.activate("How do I build?", session="s", now=NOW)
        assert (turn.stable, turn.document_tokens) == ("", 0)


def test_a_frozen_session_does_not_touch_the_disk(
    mem: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = mem.activate("one", session="s", turn="t1", now=NOW + 1)

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a frozen session must not look at documents")

    monkeypatch.setattr("cogmem.documents.workplace.Workplace.stable", fail)
    monkeypatch.setattr("cogmem.documents.files.read_file", fail)
    second = mem.activate("two", session="s", turn="t2", now=NOW + 2)
    again = mem.activate("two", session="s", turn="t2", now=NOW + 3)
    for turn in (second, again):
        assert turn.stable == first.stable
        assert turn.document_tokens == first.document_tokens > 0


def test_another_process_goes_on_with_the_same_bytes(
    mem: cogmem.Memory, cwd: Path, user: Path
) -> None:
    first = mem.activate("one", session="s", now=NOW + 1)
    (cwd / "AGENTS.md").write_text("all new")
    with cogmem.open(
        mem.path, documents=cwd, user_dir=user, counter=counting.Simple(), driver=mem.db.driver
    ) as other:
        turn = other.activate("two", session="s", now=NOW + 2)
        assert (turn.stable, turn.document_tokens) == (first.stable, first.document_tokens)
        fresh = other.activate("two", session="later", now=NOW + 3)
        assert "all new" in fresh.stable


def test_a_refresh_composes_anew_and_folds_the_waiting_notes_in(mem: cogmem.Memory) -> None:
    mem.activate("one", session="s", now=NOW + 1)
    mem.documents.note("# lint before tests", now=NOW + 2)
    turn = mem.activate("two", session="s", refresh=True, now=NOW + 3)
    assert "- lint before tests" in turn.stable
    assert "lint before" not in turn.volatile
    assert "lint before" not in mem.activate("three", session="s", now=NOW + 4).volatile


# -- the limit -------------------------------------------------------------------------------------


def many(tmp_path: Path, sizes: dict[str, int]) -> compose.DocumentSet:
    """Documents of so many words, from the most general folder to the most specific."""
    root = tmp_path / "deep"
    folder = root
    (root / ".git").mkdir(parents=True)
    for name, size in sizes.items():
        folder = folder / name
        folder.mkdir()
        (folder / "AGENTS.md").write_text(f"{name}: " + "word " * size)
    return load(str(folder), "")


def test_what_has_no_room_is_left_out_whole_the_most_general_first(tmp_path: Path) -> None:
    documents = many(tmp_path, {"wide": 60, "middle": 60, "near": 60})
    whole = fitted(documents, counted, 1_000)
    assert whole.left_out == ()
    assert whole.text == compose.block(documents) + "\n\n"
    some = fitted(documents, counted, whole.tokens - 20)
    assert [Path(part.path).parent.name for part in some.left_out] == ["wide"]
    assert "middle: word" in some.text
    assert "near: word" in some.text
    assert "wide: word" not in some.text
    assert f"{LEFT_OUT}: {some.left_out[0].path}." in some.text


def test_a_document_too_large_for_the_limit_gives_the_next_its_chance(tmp_path: Path) -> None:
    documents = many(tmp_path, {"wide": 20, "near": 5_000})
    found = fitted(documents, counted, 200)
    assert "wide: word" in found.text
    assert "near: word" not in found.text


def test_the_index_of_saved_memories_is_served_before_documents(
    mem: cogmem.Memory, cwd: Path
) -> None:
    mem.documents.save("Deploys", "Blue button first", "Then wait.", now=NOW)
    (cwd / "AGENTS.md").write_text("word " * 400)
    found = fitted(mem.documents.load(), counted, 200)
    assert "Blue button first" in found.text
    assert "word word" not in found.text


@settings(max_examples=examples(40), deadline=None)
@given(limit=st.integers(0, 400), sizes=st.lists(st.integers(0, 120), min_size=1, max_size=5))
def test_the_limit_is_never_exceeded_and_equal_files_give_equal_bytes(
    tmp_path_factory: pytest.TempPathFactory, limit: int, sizes: list[int]
) -> None:
    documents = many(tmp_path_factory.mktemp("d"), {f"d{i}": size for i, size in enumerate(sizes)})
    for count in (counted, Upper().count):
        found = fitted(documents, count, limit)
        assert found.tokens == (count(found.text) if found.text else 0) <= limit
        assert found == fitted(documents, count, limit)


def test_the_limit_is_the_setting_s(mem: cogmem.Memory) -> None:
    mem.store.set_setting("stable_budget_tokens", "0", now=NOW)
    turn = mem.activate("one", session="s", now=NOW + 1)
    assert (turn.document_tokens, turn.stable[:10]) == (0, "# Memory (")


# -- what people type ------------------------------------------------------------------------------


def test_show_lists_what_a_prompt_would_get(mem: cogmem.Memory) -> None:
    mem.documents.save("Deploys", "Blue button first", "Then wait.", now=NOW)
    mem.documents.save("Tone", "How to answer", "Briefly.", "user", is_shared=True, now=NOW)
    shown = mem.documents.show(counted, 2_000)
    assert [one.scope for one in shown.documents] == ["user", "project"]
    assert [(one.name, one.is_shared) for one in shown.saved] == [
        ("Deploys", False),
        ("Tone", True),
    ]
    assert shown.tokens == counted(shown.text)
    assert mem.documents.show(counted, 10).left_out != []


def test_a_read_only_memory_still_shows_documents(
    mem: cogmem.Memory, cwd: Path, user: Path
) -> None:
    with cogmem.open(
        mem.path,
        documents=cwd,
        user_dir=user,
        read_only=True,
        driver=mem.db.driver,
        counter=counting.Simple(),
    ) as other:
        assert "Run `make all`" in other.activate("one", now=NOW).stable


def test_k17_a_typed_note_lands_in_the_document_of_its_scope(
    mem: cogmem.Memory, cwd: Path, user: Path
) -> None:
    assert mem.documents.note("# a", now=NOW).path == str(cwd / "AGENTS.md")
    assert mem.documents.note("#user: b", now=NOW).path == str(user / "AGENTS.md")
    assert mem.documents.note("#local: c", now=NOW).path == str(cwd / "AGENTS.local.md")
    with pytest.raises(InvalidInput, match="begins with #"):
        mem.documents.note("no note", now=NOW)
