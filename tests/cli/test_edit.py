"""Editing by hand: the form in an editor, merging two memories, changing many at once.

Modules: form.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW
from hypothesis import given
from hypothesis import strategies as st
from shell import typed

import cogmem
from cogmem.cli import edit, form
from cogmem.errors import Conflict, InvalidInput
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]
    Editor = Callable[..., None]


@pytest.fixture
def run(path: str) -> Run:
    """Run one command on a file of its own; its JSON with `--json`, else what it says."""
    return partial(typed, path)


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """Set EDITOR to a script: one shell command per time it is opened; $1 is the file."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "drafts"))
    (tmp_path / "drafts").mkdir()

    def set_to(*steps: str) -> None:
        for number, step in enumerate(steps):
            (tmp_path / f"step{number}.sh").write_text(step)
        script = tmp_path / "editor.sh"
        script.write_text(
            f'cp "$1" "{tmp_path}/seen$(ls {tmp_path} | grep -c seen).md"\n'
            f'. "{tmp_path}/step$(($(ls {tmp_path} | grep -c seen) - 1)).sh"\n'
        )
        monkeypatch.setenv("EDITOR", f"sh '{script}'")

    return set_to


def drafts(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "drafts").iterdir())


def learned(run: Run, *words: str) -> str:
    return str(run("--json", *words)["uid"])


def test_an_edit_changes_what_was_changed_in_the_form(
    run: Run, editor: Editor, tmp_path: Path
) -> None:
    uid = learned(run, "learn", "The port is 8080.", "--tag", "server", "--topic", "port")
    editor(
        "sed -i -e 's/8080/9090/' -e 's/^priority: .*/priority: high/' -e 's/^key:/key: port/'"
        " -e 's/^tags: .*/tags: server, \"a, b\"/' -e 's/^valid_from:/valid_from: 2026-01-02/' \"$1\""
    )
    assert run("edit", uid).startswith("changed")
    row = run("--json", "get", "port")
    assert (row["content"], row["priority"], row["uid"]) == ("The port is 9090.", 3, uid)
    assert row["tags"][:2] == ["server", "a, b"]
    assert row["detail"]["valid_from"] == "2026-01-02T00:00:00.000Z"
    assert drafts(tmp_path) == []
    assert run("--json", "log", "--limit", "1")[0]["verb"] == "update"


def test_an_unchanged_form_writes_nothing(run: Run, editor: Editor, tmp_path: Path) -> None:
    uid = learned(run, "learn", "The port is 8080.")
    before = run("--json", "log")
    editor("true")
    assert run("edit", uid) == "nothing was changed\n"
    assert run("--json", "log") == before
    assert drafts(tmp_path) == []


def test_a_form_that_cannot_be_stored_opens_again_with_what_is_wrong_and_what_was_typed(
    run: Run, editor: Editor, tmp_path: Path
) -> None:
    uid = learned(run, "learn", "The port is 8080.")
    editor(
        "sed -i -e 's/^kind: .*/kind: nonsense/' -e 's/8080/9090/' \"$1\"",
        "sed -i -e 's/^kind: .*/kind: pitfall/' \"$1\"",
    )
    run("edit", uid)
    again = (tmp_path / "seen1.md").read_text()
    assert again.startswith("# ! kind 'nonsense' is not registered")
    assert "kind: nonsense" in again
    assert "9090" in again
    row = run("--json", "get", uid)
    assert (row["kind"], row["content"]) == ("pitfall", "The port is 9090.")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        ("sed -i 1d", "the first line must be ---"),
        ("sed -i 's/^priority/pirority/'", "'pirority: normal': use kind, key"),
        ("sed -i '/^topic/d'", "topic is missing"),
        ("sed -i 's/^kind: fact/kind: fact\\nkind: policy/'", "says kind a second time"),
        ("sed -i 's/^confidence: .*/confidence: very/'", "is not a number from 0 to 1"),
        ("sed -i 's/^confidence: .*/confidence: 7/'", "confidence_is_a_share"),
        ("sed -i 's/^valid_to:/valid_to: soon/'", "is not an instant"),
        ("sed -i 's/The port.*//'", "the content is empty"),
        ("sed -i 's/^key:/key: \"half/'", 'must end with " again'),
        ("sed -i 's/^priority: .*/priority: 9/'", "is not known: use critical"),
        ("printf '\\377' >>", "the file is not UTF-8 text"),
    ],
)
def test_each_fault_is_told_and_giving_up_keeps_the_text(
    run: Run, editor: Editor, tmp_path: Path, spoil: str, told: str
) -> None:
    uid = learned(run, "learn", "The port is 8080.")
    editor(f'{spoil} "$1"', "true")
    said = run("edit", uid, code=1)
    assert told in (tmp_path / "seen1.md").read_text(errors="replace")
    (draft,) = drafts(tmp_path)
    assert f"--from {draft}" in said
    assert not draft.read_bytes().startswith(b"# !")
    assert draft.stat().st_mode & 0o077 == 0, "others may not read it"
    assert run("--json", "get", uid)["content"] == "The port is 8080."


def test_an_editor_that_fails_keeps_what_was_typed(
    run: Run, editor: Editor, tmp_path: Path
) -> None:
    uid = learned(run, "learn", "The port is 8080.")
    editor("sed -i 's/8080/9090/' \"$1\"; exit 3")
    assert "the editor ended with 3" in run("edit", uid, code=1)
    (draft,) = drafts(tmp_path)
    assert run("edit", uid, "--from", str(draft)).startswith("changed content")
    assert run("--json", "get", uid)["content"] == "The port is 9090."


def test_a_form_from_a_file_that_is_no_text_or_not_there_is_told(run: Run, tmp_path: Path) -> None:
    uid = learned(run, "learn", "The port is 8080.")
    bad = tmp_path / "bad.md"
    bad.write_bytes(b"---\n\xff")
    assert "not UTF-8" in run("edit", uid, "--from", str(bad), code=1)
    assert "No such file" in run("edit", uid, "--from", str(tmp_path / "none.md"), code=1)


def test_what_somebody_else_changed_meanwhile_is_shown_and_kept_where_it_does_not_clash(
    run: Run, editor: Editor, tmp_path: Path, path: str, program: Path
) -> None:
    uid = learned(run, "learn", "The port is 8080.")
    there = f"{program} --db {path}"
    editor(
        f"{there} update {uid} --priority critical --content 'The port is 7070.' > /dev/null\n"
        "sed -i 's/8080/9090/' \"$1\"",
        'cp "$1" "$1.new"; mv "$1.new" "$1"',
    )
    run("edit", uid)
    again = (tmp_path / "seen1.md").read_text()
    assert "# !   content is now The port is 7070." in again
    assert "priority: critical" in again
    row = run("--json", "get", uid)
    assert (row["content"], row["priority"]) == ("The port is 9090.", 4)


def test_a_memory_that_was_forgotten_meanwhile_leaves_the_typed_text(
    run: Run, editor: Editor, tmp_path: Path, path: str, program: Path
) -> None:
    uid = learned(run, "learn", "The port is 8080.")
    there = f"{program} --db {path}"
    editor(f"{there} forget {uid} --yes > /dev/null; sed -i 's/8080/9090/' \"$1\"")
    assert "no memory is called" in run("edit", uid, code=1)
    assert "9090" in drafts(tmp_path)[0].read_text()


def test_without_a_terminal_the_form_is_shown_and_given_back(run: Run, monkeypatch: Any) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    uid = learned(run, "learn", "procedure", "release", "bump, the version", "tag it")
    assert "--from FILE" in run("edit", uid, code=2)
    shown = run("edit", uid, "--show")
    turned = shown.replace("  - tag it", '  - tag it\n  - "- push"')
    done = run("--json", "edit", uid, "--from", "-", said=turned)
    assert done["changed"] == ["steps"]
    assert done["memory"]["detail"]["steps"] == ["bump, the version", "tag it", "- push"]
    assert run("--json", "recall", "push")[0]["uid"] == uid, "the new step is found"


def test_an_episode_s_outcome_is_edited_and_undone(memory: cogmem.Memory) -> None:
    uid = memory.episode("The deploy failed", "rolled back", now=NOW).uid
    row = memory.get(uid, now=NOW)
    text = form.text_of(row).replace("rolled back", "mended\t\\o/ ")
    stored = edit.stored(memory, row, text)
    assert stored is not None
    assert stored.detail["outcome"] == "mended\t\\o/"
    assert memory.recall("mended", messages=False, now=NOW)[0].uid == uid
    memory.undo(memory.history.log(uid=uid, verb="update")[0].act)
    assert memory.get(uid).detail["outcome"] == "rolled back"


def test_update_refuses_what_was_changed_since_it_was_seen(memory: cogmem.Memory) -> None:
    uid = memory.learn("The port is 8080.").uid
    seen = memory.get(uid)
    memory.update(uid, tags=["server"])
    with pytest.raises(Conflict):
        memory.update(uid, content="The port is 9090.", seen=seen)
    with pytest.raises(InvalidInput, match="has no steps"):
        memory.update(uid, detail={"steps": ["a"]})


words = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12).map(str.strip)


@given(
    content=st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60),
    key=words,
    tags=st.lists(words.filter(bool), max_size=3),
    outcome=st.text(st.characters(exclude_categories=("Cs",)), max_size=20),
)
def test_a_form_says_what_the_memory_says(
    content: str, key: str, tags: list[str], outcome: str
) -> None:
    row = shell_row(content, key, tags, outcome)
    if row.content.strip():
        assert form.read(form.text_of(row), row.layer) == form.fields(row)


class _Like:
    """What a form needs of a memory, without a file."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def shell_row(content: str, key: str, tags: list[str], outcome: str) -> Any:
    text = content.replace("\r", " ").strip("\n")
    return _Like(
        uid="mem_0123456789abcdef",
        layer="episodic",
        state="active",
        user="",
        project="",
        session="",
        runtime="",
        created_at=NOW,
        source="observed",
        strength=0.5,
        kind="episode",
        key=key,
        tags=tags,
        path_glob="src/**",
        priority=2,
        content=text,
        detail={"outcome": outcome, "happened_at": NOW},
    )


def test_merging_leaves_one_that_has_the_counts_words_and_tags_of_both(
    memory: cogmem.Memory,
) -> None:
    kept = memory.learn("The staging server is heron.", tags=["server"], now=NOW).uid
    other = memory.learn("We call the machine for trials 'heron'.", tags=["names"], now=NOW).uid
    act = memory.facts.merge(kept, other, text="The staging server is called heron.", now=NOW + DAY)
    row = memory.get(kept, now=NOW + DAY)
    assert (row.content, row.reinforcement_count) == ("The staging server is called heron.", 2)
    assert set(row.tags) >= {"server", "names"}
    assert memory.get(other).archive_reason == "merged"
    assert memory.recall("machine for trials", messages=False, now=NOW + DAY)[0].uid == kept
    memory.undo(act)
    assert memory.get(kept).content == "The staging server is heron."
    assert memory.get(other).state == "active"


def test_a_merged_procedure_keeps_its_record_and_what_bears_it_out(memory: cogmem.Memory) -> None:
    kept = memory.procedure("release", ["tag it"], now=NOW).uid
    other = memory.procedure("ship", ["push the tag"], now=NOW).uid
    episode = memory.episode("The release went well", now=NOW).uid
    memory.tried("release", success=True, now=NOW)
    memory.tried("ship", success=True, now=NOW)
    memory.tried("ship", success=False, now=NOW)
    link = ("learn.link", {"uid": other, "relation": "evidence", "other": episode, "now": NOW})
    memory.db.write([link], verb="link", at=NOW)
    act = memory.facts.merge("release", "ship", now=NOW)
    detail = memory.get(kept).detail
    assert (detail["success_count"], detail["failure_count"]) == (2, 1)
    links = "select count(*) from link l join memory m on m.id = l.from_id where m.uid = :uid"
    assert memory.db.ask(links, {"uid": kept}) == [(2,)]
    memory.undo(act)
    assert memory.get(kept).detail["success_count"] == 1
    assert memory.db.ask(links, {"uid": kept}) == [(0,)]


def test_what_holds_is_not_merged_into_what_is_past(memory: cogmem.Memory) -> None:
    past = memory.learn("The staging server is called heron.", valid_to=NOW, now=NOW - DAY).uid
    held = memory.learn("Staging runs on a machine named heron.", key="held", now=NOW).uid
    with pytest.raises(InvalidInput, match=f"holds no more: merge it into {held} instead"):
        memory.facts.merge(past, held, now=NOW)
    memory.facts.merge(held, past, now=NOW)
    assert memory.get(held, now=NOW).state == "active"


def test_what_differs_in_layer_or_scope_is_not_merged(memory: cogmem.Memory) -> None:
    fact = memory.learn("The port is 8080.").uid
    episode = memory.episode("The port was changed").uid
    hers = memory.learn("The port is 8080 for Ann.", user="ann").uid
    memory.scope = memory.scope.replacing(everywhere=True)
    with pytest.raises(InvalidInput, match="differ in layer"):
        memory.facts.merge(fact, episode)
    with pytest.raises(InvalidInput, match="differ in user"):
        memory.facts.merge(fact, hers)
    with pytest.raises(InvalidInput, match="not merged with itself"):
        memory.facts.merge(fact, fact)


def test_the_command_merge_names_the_way_back(run: Run) -> None:
    kept = learned(run, "learn", "The server is heron.")
    other = learned(run, "learn", "Trials run on the machine in the cellar.")
    assert "cogmem undo" in run(
        "fact", "merge", kept, other, "--text", "The server heron is for trials."
    )
    assert run("--json", "get", kept)["content"] == "The server heron is for trials."


def test_a_bulk_action_is_rehearsed_done_as_one_act_and_undone(memory: cogmem.Memory) -> None:
    for number in range(12):
        memory.learn(f"Log line number {number * 7919} of run {number}", source="observed", now=NOW)
    memory.learn("Deploys need a green build.", kind="policy", now=NOW)
    planned = memory.many.change("remove", source="observed", now=NOW)
    assert (len(planned.memories), planned.act) == (12, None)
    assert memory.stats().memories == 13
    done = memory.many.change("remove", source="observed", dry_run=False, now=NOW)
    assert done.act is not None
    assert memory.stats().memories == 1
    assert memory.undo(done.act).rows == 12
    assert memory.stats().memories == 13


def test_bulk_tags_ranks_archives_and_restores_what_filters_choose(memory: cogmem.Memory) -> None:
    for name in ("heron", "stork"):
        memory.learn(f"The server {name} stands in the cellar.", kind="note", now=NOW)
    memory.learn("Answer in short sentences.", now=NOW)
    change = lambda *words, **filters: len(  # noqa: E731
        memory.many.change(*words, dry_run=False, now=NOW, **filters).memories
    )
    assert change("tag", "server", kind="note") == 2
    assert change("tag", "server", kind="note") == 0, "they have it"
    assert change("priority", "high", tag="server", matching="STORK") == 1
    assert change("untag", "server", matching="heron") == 1
    assert change("archive", weaker_than=0.95) == 3
    assert change("restore", kind="note") == 2
    with pytest.raises(InvalidInput, match="at most 1"):
        memory.many.change("archive", kind="note", most=1)
    with pytest.raises(InvalidInput, match="needs a value"):
        memory.many.change("tag", kind="note")
    with pytest.raises(InvalidInput, match="takes no value"):
        memory.many.change("remove", "all", kind="note")
    with pytest.raises(InvalidInput, match="cannot be done to many"):
        memory.many.change("forget", kind="note")


def test_the_command_bulk_only_lists_until_it_is_told_yes(run: Run) -> None:
    run("learn", "The server heron stands in the cellar.")
    assert "say which memories" in run("bulk", "remove", code=2)
    assert "1 would change; --yes does it" in run("bulk", "remove", "--matching", "heron")
    assert "1 would change" in run("bulk", "remove", "--matching", "heron", "--yes", "--dry-run")
    assert "no memory is chosen" in run("bulk", "remove", "--matching", "stork", "--yes")
    assert "no memory is chosen" in run("bulk", "restore", "--matching", "heron", "--yes")
    done = run("--json", "bulk", "remove", "--matching", "heron", "--yes")
    assert done["act"]
    run("undo", done["act"])
    assert len(run("--json", "list")) == 1


def test_another_s_memory_is_neither_edited_nor_changed_in_bulk(path: str, run: Run) -> None:
    with cogmem.open(path, user="ann", counter=counting.Simple()) as mem:
        uid = mem.learn("Ann likes herons.").uid
    run("edit", uid, "--show", code=1)
    assert "no memory is chosen" in run("bulk", "remove", "--matching", "heron", "--yes")
