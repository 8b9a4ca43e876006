"""Saved memories as files and as rows: whichever side moves, the other follows; both is a conflict."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import Clock, examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.documents.said import content_of, said_by_file
from cogmem.documents.saved import remember
from cogmem.documents.workplace import Workplace
from cogmem.errors import Conflict, GuardRefused, InvalidInput
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator


class Place:
    """A project folder, a person's folder and a memory that is opened for both."""

    def __init__(self, root: Path, database: str) -> None:
        self.cwd = root / "work"
        self.user = root / "user"
        (self.cwd / ".git").mkdir(parents=True)
        self.user.mkdir()
        self.clock = Clock()
        self.mem = self.open(database)

    def open(self, database: str, **options: object) -> cogmem.Memory:
        given: dict[str, object] = {
            "documents": self.cwd,
            "user_dir": self.user,
            "counter": counting.Simple(),
        }
        return cogmem.open(database, **{**given, **options})  # type: ignore[arg-type]

    @property
    def desk(self) -> Workplace:
        return self.mem.documents

    @property
    def folder(self) -> Path:
        return Path(self.desk.folder)

    @property
    def shared_folder(self) -> Path:
        return Path(self.desk.shared_memories.folder)

    def sync(self, **options: str) -> list[str]:
        """What a sync did, in words; the second sync must find nothing more to do."""
        found = self.desk.sync(now=self.clock.tick(), **options)
        again = self.desk.sync(now=self.clock.tick(), **options)
        assert again.done == []
        self.problems = [problem.text for problem in found.problems]
        self.conflicts = list(found.conflicts)
        return [f"{one.what}: {one.name}" for one in found.done]

    def file(self, name: str, body: str, type: str = "project", description: str = "about") -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.md"
        path.write_text(
            f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {type}\n---\n\n{body}\n"
        )
        return path

    def contents(self) -> list[str]:
        kinds = {"profile", "feedback", "project_note", "reference"}
        rows = self.mem.list(limit=500, now=self.clock.at)
        return sorted(row.content for row in rows if row.kind in kinds and row.state == "active")


@pytest.fixture
def place(tmp_path: Path, empty_space: str) -> Iterator[Place]:
    database = str(tmp_path / "memory.db")
    shutil.copyfile(empty_space, database)
    place = Place(tmp_path, database)
    with place.mem:
        yield place
        assert place.mem.file.check() == []


def save(place: Place, name: str = "Deploys", body: str = "Use the blue button.") -> Path:
    place.desk.save(name, f"{name} in short", body, now=place.clock.tick())
    return place.folder / f"{name.lower()}.md"


# -- files and rows --------------------------------------------------------------------------------


def test_k28_a_saved_memory_is_a_file_and_a_row(place: Place) -> None:
    path = save(place)
    assert "Use the blue button." in path.read_text()
    row = place.mem.get("note/deploys", now=place.clock.at)
    assert (row.kind, row.content) == ("project_note", "Deploys in short\n\nUse the blue button.")
    assert row.project == place.desk.project != ""
    assert place.sync() == []


def test_k28_an_edit_by_hand_changes_the_memory_and_can_be_undone(place: Place) -> None:
    path = save(place)
    path.write_text(path.read_text().replace("blue", "green"))
    assert place.sync() == ["file changed: Deploys"]
    assert "green" in place.mem.get("note/deploys", now=place.clock.at).content
    act = next(one.act for one in place.mem.history.log() if one.verb == "update")
    place.mem.undo(act, now=place.clock.tick())
    assert place.sync() == ["memory changed: Deploys"]
    assert "blue" in path.read_text()


def test_k28_a_file_deleted_by_hand_takes_its_memory_along_until_it_is_restored(
    place: Place,
) -> None:
    path = save(place)
    save(place, "Other")
    path.unlink()
    assert place.sync() == ["file deleted: Deploys"]
    assert len(place.contents()) == 1
    gone = place.mem.list(state="deleted", now=place.clock.at)[0]
    assert gone.archive_reason == "its file was deleted"
    place.mem.restore(gone.uid, now=place.clock.tick())
    assert place.sync() == ["new memory: Deploys"]
    assert "blue" in path.read_text()


def test_k28_a_file_written_by_hand_becomes_a_memory(place: Place) -> None:
    place.file("tone", "Answer briefly.", "feedback")
    place.folder.joinpath("bare.md").write_text("No frontmatter at all.")
    assert sorted(place.sync()) == ["new file: bare", "new file: tone"]
    rows = {row.key: row for row in place.mem.list(now=place.clock.at)}
    assert rows["note/tone"].kind == "feedback"
    assert rows["note/tone"].source == "observed"
    assert rows["note/bare"].content == "No frontmatter at all."
    assert "- [bare](bare.md)" in place.desk.load().index


def test_k28_a_memory_changed_or_removed_in_the_database_changes_its_file(place: Place) -> None:
    path = save(place)
    uid = place.mem.get("note/deploys", now=place.clock.at).uid
    place.mem.update(uid, content="Ask Ann first.", now=place.clock.tick())
    assert place.sync() == ["memory changed: Deploys"]
    assert "Ask Ann first." in path.read_text()
    assert "Ask Ann first." in place.desk.load().index
    place.mem.remove(uid, now=place.clock.tick())
    assert place.sync() == ["memory removed: Deploys"]
    assert not path.exists()
    assert "Deploys" not in place.desk.load().index
    assert any("Ask Ann" in one.read_text() for one in (place.folder / "archive").iterdir())


def test_k28_a_memory_learned_elsewhere_gets_a_file_and_undoing_it_takes_the_file_away(
    place: Place,
) -> None:
    learned = place.mem.learn("Prefers tabs over spaces", kind="feedback", now=place.clock.tick())
    place.mem.learn("Lives in Oslo", kind="user_note", project="", now=place.clock.tick())
    assert sorted(place.sync()) == [
        "new memory: Lives in Oslo",
        "new memory: Prefers tabs over spaces",
    ]
    path = place.folder / "prefers-tabs-over-spaces.md"
    assert "type: feedback" in path.read_text()
    assert (place.shared_folder / "lives-in-oslo.md").exists()
    place.mem.undo(learned.act, now=place.clock.tick())
    place.sync()
    assert not path.exists()


def test_k28_what_changed_on_both_sides_stays_on_both_until_somebody_decides(place: Place) -> None:
    path = save(place)
    uid = place.mem.get("note/deploys", now=place.clock.at).uid
    for keep, expected in (("file", "file: from the file"), ("memory", "memory: from the row")):
        last = path.read_text().split("\n")[-2]
        path.write_text(path.read_text().replace(last, f"{keep}: from the file"))
        place.mem.update(uid, content=f"{keep}: from the row", now=place.clock.tick())
        assert place.sync() == []
        assert "from the file" in path.read_text()
        assert place.mem.get(uid, now=place.clock.at).content == f"{keep}: from the row"
        status = place.desk.status(now=place.clock.at)
        assert [one.name for one in status.conflicts] == ["Deploys"]
        assert "from the file" in status.conflicts[0].file
        assert "from the row" in status.conflicts[0].memory
        with pytest.raises(Conflict, match="docs resolve deploys --keep file"):
            save(place)
        place.desk.resolve("Deploys", keep, now=place.clock.tick())
        assert expected in path.read_text()
        assert expected in place.mem.get(uid, now=place.clock.at).content
        assert place.desk.status(now=place.clock.at).conflicts == []
        assert place.sync() == []
    words = [one.read_text() for one in (place.folder / "archive").iterdir()]
    assert any("from the file" in text for text in words)
    with pytest.raises(InvalidInput, match="not in conflict"):
        place.desk.resolve("Deploys", "file", now=place.clock.tick())


@pytest.mark.parametrize("keep", ["file", "memory"])
def test_k28_deleted_here_and_changed_there_is_a_conflict_too(place: Place, keep: str) -> None:
    path = save(place)
    save(place, "Other")
    uid = place.mem.get("note/deploys", now=place.clock.at).uid
    path.unlink()
    place.mem.update(uid, content="changed", now=place.clock.tick())
    assert place.sync() == []
    assert len(place.conflicts) == 1
    place.desk.resolve("deploys", keep, now=place.clock.tick())
    assert place.sync() == []
    state = place.mem.get(uid, now=place.clock.at).state
    assert (path.exists(), state) == ((False, "deleted") if keep == "file" else (True, "active"))


def test_k28_the_shared_store_is_kept_in_step_too(place: Place) -> None:
    place.desk.save(
        "Tone", "How to answer", "Briefly.", "user", is_shared=True, now=place.clock.tick()
    )
    path = place.shared_folder / "tone.md"
    row = place.mem.get("note/tone", now=place.clock.at)
    assert (row.project, row.kind) == ("", "profile")
    path.write_text(path.read_text().replace("Briefly", "At length"))
    assert place.sync() == ["file changed: Tone"]
    assert "At length." in place.mem.get(row.uid, now=place.clock.at).content


def test_o29_a_secret_in_a_file_does_not_become_memory_and_the_file_is_left_alone(
    place: Place,
) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    path = place.file("token", f"The token is {secret}")
    before = path.read_bytes()
    assert place.sync() == []
    assert any("secret" in text for text in place.problems)
    assert secret not in str(place.problems)
    assert place.contents() == []
    assert path.read_bytes() == before
    with pytest.raises(Conflict, match="not replaced"):
        place.desk.save("token", "x", "y", now=place.clock.tick())
    with pytest.raises(GuardRefused):
        place.desk.save("other", "x", f"token {secret}", now=place.clock.tick())
    assert not (place.folder / "other.md").exists()


def test_o29_an_edit_that_brings_a_secret_is_reported_and_the_memory_stays(place: Place) -> None:
    path = save(place)
    path.write_text(path.read_text() + "\nghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8\n")
    assert place.sync() == []
    assert any("secret" in text for text in place.problems)
    assert place.contents() == ["Deploys in short\n\nUse the blue button."]


def test_hidden_characters_leave_the_file_as_they_leave_the_memory(place: Place) -> None:
    path = place.file("odd", "plain\u200b text")
    assert place.sync() == ["new file: odd"]
    assert "plain text" in path.read_text()
    assert any("plain text" in text for text in place.contents())


def test_what_is_forgotten_does_not_come_back_from_its_file(place: Place) -> None:
    path = save(place)
    other = save(place, "Other", "Stays.")
    place.mem.update("note/deploys", content="Ask Ann first.", now=place.clock.tick())
    place.sync()
    uid = place.mem.get("note/deploys", now=place.clock.at).uid
    place.desk.project_memories.files.remove("deploys")  # leaves a copy in the archive
    assert place.sync() == ["file archived: Deploys"]
    place.mem.restore(uid, now=place.clock.tick())
    assert place.sync() == ["new memory: Deploys"]
    assert place.mem.forget(uid, dry_run=True, now=place.clock.tick()).uids == [uid]
    assert path.exists()
    receipt = place.mem.forget(uid, reason="asked to", now=place.clock.tick())
    assert str(path) not in receipt.files
    assert place.sync() == []
    left = [file for file in place.folder.rglob("*") if file.is_file()]
    assert sorted(file.name for file in left) == ["MEMORY.md", "other.md"]
    assert not any("Ann" in file.read_text() or "Deploys" in file.read_text() for file in left)
    assert other.exists()


# -- folders and limits ----------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["gone", "empty"])
def test_k28_a_folder_that_vanished_removes_nothing_by_itself(place: Place, how: str) -> None:
    save(place)
    shutil.rmtree(place.folder)
    if how == "empty":
        place.folder.mkdir()
    assert place.sync() == []
    assert any("missing or empty" in text for text in place.problems)
    assert len(place.contents()) == 1
    place.desk.save("New", "a new one", "meanwhile", now=place.clock.tick())
    assert not (place.folder / "new.md").exists()
    assert sorted(place.sync(gone="restore")) == ["memory changed: Deploys", "new memory: New"]
    assert len(list(place.folder.glob("*.md"))) == 3
    shutil.rmtree(place.folder)
    assert place.sync(gone="remove") == ["file deleted: Deploys", "file deleted: New"]
    assert place.contents() == []


def test_k28_most_files_missing_at_once_remove_nothing_by_themselves(place: Place) -> None:
    for number in range(14):
        place.file(f"n{number}", f"text number {number}", description="")
    place.sync()
    for number in range(11):
        (place.folder / f"n{number}.md").unlink()
    place.file("n12", "changed meanwhile", description="")
    assert place.sync() == ["file changed: n12"]
    assert any("11 files are missing at once" in text for text in place.problems)
    assert len(place.contents()) == 14
    assert len(place.sync(gone="remove")) == 11
    assert len(place.contents()) == 3


def test_a_project_that_moved_takes_its_memories_along(place: Place, tmp_path: Path) -> None:
    (place.cwd / ".cogmem").write_text("acme\n")
    place.mem.close()
    place.mem = place.open(str(tmp_path / "memory.db"))
    old = save(place)
    moved = tmp_path / "moved"
    shutil.move(place.cwd, moved)
    place.cwd = moved
    place.mem.close()
    place.mem = place.open(str(tmp_path / "memory.db"))
    assert place.sync() == ["new memory: Deploys"]
    assert (place.folder / "deploys.md").read_bytes() == old.read_bytes()
    assert place.folder != old.parent
    assert place.desk.status(now=place.clock.at).elsewhere == [str(old.parent)]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere: run the tests as a user")
def test_a_read_only_folder_is_reported_and_its_file_follows_later(place: Place) -> None:
    save(place)
    place.folder.chmod(0o500)
    try:
        saved = place.desk.save("Later", "said now", "written later", now=place.clock.tick())
        assert "its file is not" in saved.notes[0]
    finally:
        place.folder.chmod(0o700)
    assert place.sync() == ["new memory: Later"]


def test_a_folder_that_cannot_be_written_costs_no_memory(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(place)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr("cogmem.documents.saved.replace_file", refuse)
        saved = place.desk.save("Later", "said now", "written later", now=place.clock.tick())
        assert "Permission denied" in saved.notes[0]
        found = place.desk.sync(now=place.clock.tick())
        assert "check who may write there" in found.problems[0].text
    assert place.sync() == ["new memory: Later"]


def test_k24_who_leaves_the_folder_for_room_is_archived_not_removed(place: Place) -> None:
    place.desk.project_memories.files.cap = 3
    for number in range(4):
        save(place, f"N{number}", f"text {number}")
    assert place.sync() == []
    states = [place.mem.get(f"note/n{n}", now=place.clock.at).state for n in range(1, 4)]
    assert states == ["active"] * 3
    assert [row.state for row in place.mem.list(state="archived", now=place.clock.at)] == [
        "archived"
    ]
    # Another program may bring the folder within its cap too.
    place.desk.project_memories.files.cap = 2
    place.desk.project_memories.files.compact()
    assert place.sync() == ["file archived: N1"]
    assert len(place.contents()) == 2


def test_k24_memories_beyond_the_cap_stay_in_the_database(place: Place) -> None:
    place.desk.project_memories.files.cap = 2
    for number in range(5):
        place.mem.learn(f"Note number {number}", kind="feedback", now=place.clock.tick())
    assert len(place.sync()) == 2
    assert place.problems == ["3 memories stay in the database only: the folder holds 2"]
    assert len(place.contents()) == 5


def test_an_unreadable_file_is_no_deleted_file(place: Place) -> None:
    path = save(place)
    path.write_bytes(b"\xff\xfe\x00")
    assert place.sync() == []
    assert len(place.contents()) == 1
    assert any("not" in text for text in place.problems)


def test_two_files_that_say_the_same_are_pointed_out(place: Place) -> None:
    place.file("one", "same words", description="")
    place.sync()
    place.file("two", "same words", description="")
    assert place.sync() == []
    assert any("says the same as" in text for text in place.problems)


def test_one_person_s_folder_is_not_used_for_another_s_memories(
    place: Place, tmp_path: Path
) -> None:
    save(place)
    with place.open(str(tmp_path / "memory.db"), user="bob") as other:
        found = other.documents.sync(now=place.clock.tick())
        assert found.done == []
        assert "a folder of their own" in found.problems[0].text
    assert place.contents() == ["Deploys in short\n\nUse the blue button."]


def test_without_a_user_folder_nothing_is_saved(tmp_path: Path, empty_space: str) -> None:
    database = str(tmp_path / "memory.db")
    shutil.copyfile(empty_space, database)
    with cogmem.open(database, documents=tmp_path, user_dir="") as mem:
        assert mem.documents.sync().done == []
        with pytest.raises(InvalidInput, match="a folder of yours"):
            mem.documents.save("a", "b", "c")
        answer = remember(mem.documents, {"description": "b", "body": "c"})
        assert answer["success"] is False
    with cogmem.open(database) as mem, pytest.raises(InvalidInput, match="documents=FOLDER"):
        _ = mem.documents


def test_a_file_whose_name_is_no_text_is_pointed_out(place: Place) -> None:
    place.folder.mkdir(parents=True)
    try:
        (place.folder / os.fsdecode(b"caf\xe9.md")).write_text("body")
    except OSError:
        pytest.skip("this file system takes only names that are text")
    place.file("fine", "body text")
    assert place.sync() == ["new file: fine"]
    assert any("not text" in text for text in place.problems)


def test_two_processes_that_sync_at_once_make_no_doubles(place: Place, tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    for number in range(12):
        place.file(f"n{number}", f"text number {number}", description="")

    def sync(turn: int) -> None:
        with place.open(str(tmp_path / "memory.db")) as mem:
            mem.documents.sync(now=place.clock.at + turn)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(sync, range(3)))
    place.clock.tick()
    assert place.sync() == []
    assert len(place.contents()) == len(set(place.contents())) == 12


# -- any order of things ---------------------------------------------------------------------------


moves = st.lists(
    st.tuples(
        st.sampled_from(
            ["edit", "delete", "create", "update", "remove", "restore", "save", "sync"]
        ),
        st.integers(0, 2),
        st.integers(0, 9),
    ),
    min_size=3,
    max_size=14,
)


@settings(
    max_examples=examples(100),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(moves)
def test_k28_after_any_moves_one_sync_and_the_resolution_of_conflicts_leave_both_sides_equal(
    tmp_path_factory: pytest.TempPathFactory, empty_space: str, moves: list[tuple[str, int, int]]
) -> None:
    root = tmp_path_factory.mktemp("place")
    database = str(root / "memory.db")
    shutil.copyfile(empty_space, database)
    place = Place(root, database)
    with place.mem as mem:
        for verb, which, number in moves:
            _move(place, verb, f"m{which}", number)
        place.sync()
        for one in place.conflicts:
            place.desk.resolve(one.path, "memory" if one.uid else "file", now=place.clock.tick())
        place.sync()
        status = place.desk.status(now=place.clock.at)
        assert {one.state for one in status.saved} <= {"in step"}
        files = place.desk.project_memories.files.memories()
        assert sorted(content_of(said_by_file(file)) for file in files) == place.contents()
        assert mem.file.check() == []


def _move(place: Place, verb: str, name: str, number: int) -> None:
    path = place.folder / f"{name}.md"
    rows = [
        row
        for state in ("active", "deleted")
        for row in place.mem.list(state=state, now=place.clock.at)
        if row.key == f"note/{name}"
    ]
    living = [row for row in rows if row.state == "active"]
    if verb in ("edit", "create"):
        if (verb == "create") != path.exists():
            place.file(name, f"{name} file {number}")
    elif verb == "delete":
        path.unlink(missing_ok=True)
    elif verb == "update" and living:
        place.mem.update(living[0].uid, content=f"{name} row {number}", now=place.clock.tick())
    elif verb == "remove" and living:
        place.mem.remove(living[0].uid, now=place.clock.tick())
    elif verb == "restore" and rows and not living:
        place.mem.restore(rows[0].uid, now=place.clock.tick())
    elif verb == "save":
        with contextlib.suppress(Conflict):  # refused while a conflict waits for a person
            place.desk.save(name, "about", f"{name} saved {number}", now=place.clock.tick())
    elif verb == "sync":
        place.desk.sync(now=place.clock.tick())
