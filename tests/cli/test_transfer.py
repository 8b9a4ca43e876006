"""Commands that bring memories out of the file and into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shell import asked

if TYPE_CHECKING:
    from pathlib import Path

    from shell import Run


# -- the file ------------------------------------------------------------------------------------


def test_a_memory_is_exported_imported_and_the_same(run: Run, tmp_path: Path) -> None:
    asked(run, "learn", "Ünïcode — 缓存", "--tag", "a")
    asked(run, "learn", "Bob's.", "--user", "bob")
    target = tmp_path / "out.jsonl"
    assert run("file", "export", str(target), "--history").exit_code == 0
    assert target.stat().st_mode & 0o777 == 0o600
    assert asked(run, "file", "export", str(tmp_path / "again.jsonl"), "--history") == {
        "path": str(tmp_path / "again.jsonl"),
        "memories": 2,
        "bytes": target.stat().st_size,
    }
    assert run("file", "export", str(tmp_path / "a.db")).stdout.startswith(
        f"{tmp_path}/a.db: 2 memories, "
    )
    assert asked(run, "file", "export", str(tmp_path / "a.csv"), "--user", "ann")["memories"] == 1
    assert "exists: name a new file" in run("file", "export", str(target)).stderr
    other = str(tmp_path / "other.db")
    result = asked(run, "--db", other, "file", "import", str(target))
    assert (result["as_is"], result["added"]["memory"]) == (True, 2)
    assert run("--db", other, "file", "export", "--history").stdout_bytes == target.read_bytes()
    assert run("--db", other, "file", "check").stdout == "sound\n"
    assert "Bob" not in run("file", "export", "--user", "ann").stdout
    moved = asked(
        run, "--db", str(tmp_path / "moved.db"), "file", "import", str(target), "--user", "eve"
    )
    assert moved["added"]["memory"] == 2


def test_an_export_says_how_many_memories_are_in_it(run: Run, tmp_path: Path) -> None:
    run("learn", "The staging server is called heron.", "--key", "staging")
    run("fact", "correct", "staging", "The staging server is called stork.")
    run("remove", asked(run, "learn", "Cranes dance.")["uid"])
    names = ("a.jsonl", "a.db", "a.csv", "a.md")
    told = [asked(run, "file", "export", str(tmp_path / name))["memories"] for name in names]
    assert told == [3, 3, 2, 1]


def test_an_import_says_what_waits_and_what_was_there(run: Run) -> None:
    lines = '{"content": "Herons wade."}\n{"content": "Storks clap."}\n'
    said = run("file", "import", "-", "--dry-run", input=lines).stdout
    assert "2 memories would wait as candidates: `cogmem review` decides" in said
    run("file", "import", "-", input=lines)
    assert (
        "left out 2 memories: same text already here"
        in run("file", "import", "-", input=lines).stdout
    )
    owner = asked(run, "--db", ":memory:", "file", "import", "-", "--as-is", input=lines)
    assert (owner["added"], owner["waiting"]) == ({"memory": 2}, 0)


# -- help ----------------------------------------------------------------------------------------


def test_an_export_refuses_an_ending_that_it_does_not_write(run: Run, tmp_path: Path) -> None:
    asked(run, "learn", "First.")
    assert ".odt is not a form" in run("file", "export", str(tmp_path / "a.odt")).stderr
    assert not (tmp_path / "a.odt").exists()


# -- as processes --------------------------------------------------------------------------------


def test_the_choices_of_an_import_are_what_is_read() -> None:
    from cogmem.cli import chat, docs
    from cogmem.documents.foreign import READERS
    from cogmem.hosts import transcripts
    from cogmem.hosts.host import HOSTS, Host, find

    def keeps_talk(name: str) -> bool:
        own = find(name)
        is_stored = type(own).stored is not Host.stored
        return bool(own.talks or own.session) or is_stored

    agents = filter(keeps_talk, HOSTS)
    assert set(chat.FORMATS) == {*transcripts.FORMATS, *agents}
    assert tuple(READERS) == docs.SOURCES
