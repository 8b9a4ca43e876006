"""What other programs remember comes in through the write path: repeatable, and undone in one step."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from conftest import NOW

import cogmem
from cogmem.documents.bring import CHUNK
from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def mem0(path: Path, *texts: str, kind: str = "") -> Path:
    items = [
        {"id": f"m{number}", "memory": text, "metadata": {"type": kind}, "created_at": "2026-01-02"}
        for number, text in enumerate(texts)
    ]
    return put(path, json.dumps({"results": items}))


@pytest.fixture
def export(tmp_path: Path) -> Path:
    return mem0(tmp_path / "export.json", "Likes green tea", "Works at night", "Owns a boat")


def test_an_import_waits_as_candidates_with_its_provenance(
    memory: cogmem.Memory, export: Path
) -> None:
    result = memory.file.import_from("mem0", export, now=NOW)
    assert (result.found, result.added, result.kinds) == (3, 3, {"fact": 3})
    row = memory.get("mem0:m0", now=NOW)
    assert (row.source, row.state, row.trust) == ("import", "candidate", 0.5)
    assert row.data["origin"] == str(export)
    assert row.detail["valid_from"] == row.data["created_at"] == 1_767_312_000_000
    assert {change.run for change in memory.history.log() if change.verb == "learn"} == {result.run}


def test_what_changed_there_changes_here_unless_it_was_confirmed(
    memory: cogmem.Memory, export: Path
) -> None:
    memory.file.import_from("mem0", export, now=NOW)
    memory.restore("mem0:m1", now=NOW + 1)  # a person confirms one of them
    mem0(export, "Likes black tea", "Works by day", "Owns a boat")
    result = memory.file.import_from("mem0", export, now=NOW + 2)
    assert (result.changed, result.refused, result.known) == (1, 1, 1)
    assert memory.get("mem0:m0", now=NOW).content == "Likes black tea"
    assert memory.get("mem0:m1", now=NOW).content == "Works at night"
    assert "may not change" in result.problems[0].text


def test_what_a_person_removed_stays_out(memory: cogmem.Memory, export: Path) -> None:
    memory.file.import_from("mem0", export, now=NOW)
    memory.remove("mem0:m2", now=NOW + 1)
    result = memory.file.import_from("mem0", export, now=NOW + 2)
    assert (result.removed, result.known, result.added) == (1, 2, 0)
    mem0(export, "Likes green tea", "Works at night", "Owns two boats")
    assert memory.file.import_from("mem0", export, now=NOW + 3).removed == 1


def test_one_undo_takes_a_whole_import_back(memory: cogmem.Memory, tmp_path: Path) -> None:
    memory.learn("Likes green tea", key="tea", now=NOW)
    before = memory.db.ask("select * from memory")
    texts = [f"Fact number {number} of the import" for number in range(CHUNK + 30)]
    result = memory.file.import_from("mem0", mem0(tmp_path / "x.json", *texts), now=NOW + 1)
    assert result.added == CHUNK + 30
    undone = memory.undo(result.run, now=NOW + 2)
    assert len(undone.uids) == CHUNK + 30
    assert memory.db.ask("select * from memory") == before


def test_o29_secrets_are_redacted_on_the_way_in(memory: cogmem.Memory, tmp_path: Path) -> None:
    path = mem0(tmp_path / "x.json", f"The token is {TOKEN}")
    result = memory.file.import_from("mem0", path, now=NOW)
    assert result.added == 1
    assert TOKEN not in memory.get("mem0:m0", now=NOW).content
    assert "secret" in result.problems[0].text
    assert memory.file.import_from("mem0", path, now=NOW + 1).known == 1
    assert memory.db.ask(f"select count(*) from change where after like '%{TOKEN}%'") == [(0,)]


def test_kinds_that_an_import_cannot_have_become_facts_with_a_tag(
    memory: cogmem.Memory, tmp_path: Path
) -> None:
    for number, kind in enumerate(("hobby", "procedure", "about_user", "decision")):
        path = mem0(tmp_path / f"{number}.json", f"A thing of sort {kind}", kind=kind)
        text = path.read_text().replace('"m0"', f'"k-{kind}"')
        memory.file.import_from("mem0", put(path, text), now=NOW)
    kinds = {row.key[7:]: (row.kind, row.tags) for row in memory.list(now=NOW)}
    assert kinds["hobby"][0] == kinds["procedure"][0] == kinds["about_user"][0] == "fact"
    assert "hobby" in kinds["hobby"][1]
    assert kinds["decision"][0] == "decision"


def test_an_import_pushes_nothing_out_of_a_full_kind(memory: cogmem.Memory, tmp_path: Path) -> None:
    for number in range(79):
        memory.learn(f"Own feedback {number}", kind="feedback", now=NOW)
    folder = tmp_path / "memory"
    put(folder / "MEMORY.md", "# Memory\n")
    for number in range(3):
        put(
            folder / f"f{number}.md", f"---\nname: f{number}\ntype: feedback\n---\nForeign {number}"
        )
    result = memory.file.import_from("claude-code", folder, now=NOW + 1)
    assert result.kinds == {"feedback": 1, "fact": 2}
    assert memory.list(state="archived", now=NOW) == []


def test_rules_keep_the_files_that_they_are_about(memory: cogmem.Memory, tmp_path: Path) -> None:
    rules = tmp_path / ".cursor" / "rules"
    put(rules / "ts.mdc", "---\nglobs: '*.ts'\n---\nNo default exports.")
    put(rules / "api.mdc", "---\nglobs: src/api/**, src/db/**\n---\nLog every query.")
    memory.file.import_from("cursor", tmp_path, now=NOW)
    rows = {row.content: row for row in memory.list(now=NOW)}
    assert rows["No default exports."].path_glob == "**/*.ts"
    assert rows["Log every query."].path_glob == ""
    assert rows["Log every query."].data["globs"] == ["src/api/**", "src/db/**"]


SOURCES = {
    "claude-code": ("CLAUDE.md", "# House\n\n- Use tabs\n- Test first\n"),
    "cursor": (".cursorrules", "- Use tabs\n- Test first\n"),
    "basic-memory": (
        "tea.md",
        "---\ntitle: Tea\n---\n- [fact] Tea is green #tea\n- [fact] It is hot\n",
    ),
    "mem0": ("mem0.json", '[{"id": "1", "memory": "Tea"}, {"id": "2", "memory": "Milk"}]'),
    "letta": (
        "agent.json",
        '{"blocks": [{"label": "human", "value": "Ann"}], "passages": [{"id": "p", "text": "Tea"}]}',
    ),
    "knowledge-graph": (
        "memory.jsonl",
        '{"type":"entity","name":"Ann","entityType":"person","observations":["likes tea"]}\n'
        '{"type":"relation","from":"Ann","to":"Bob","relationType":"knows"}\n',
    ),
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_comes_in_twice_without_a_double_and_goes_with_one_undo(
    memory: cogmem.Memory, tmp_path: Path, source: str
) -> None:
    name, text = SOURCES[source]
    path = put(tmp_path / "theirs" / name, text)
    trial = memory.file.import_from(source, path, dry_run=True, now=NOW)
    first = memory.file.import_from(source, path, now=NOW)
    assert trial.added == first.added == first.found == 2
    assert memory.file.import_from(source, path, now=NOW + 1).known == 2
    memory.undo(first.run, now=NOW + 2)
    assert memory.list(now=NOW) == []
    assert memory.file.import_from(source, path, now=NOW + 3).added == 2


def test_a_text_that_is_said_twice_comes_in_once(memory: cogmem.Memory, tmp_path: Path) -> None:
    path = mem0(tmp_path / "x.json", "Likes tea", "likes  tea", "Likes milk")
    result = memory.file.import_from("mem0", path, now=NOW)
    assert (result.added, result.known) == (2, 1)
    assert memory.file.import_from("mem0", path, now=NOW).known == 3


def test_a_memory_that_is_here_already_is_left_alone(memory: cogmem.Memory, tmp_path: Path) -> None:
    mine = memory.learn("Likes tea", now=NOW)
    result = memory.file.import_from("mem0", mem0(tmp_path / "x.json", "Likes tea"), now=NOW + 1)
    assert (result.known, result.added) == (1, 0)
    assert memory.get(mine.uid, now=NOW).reinforcement_count == 1


def test_users_and_projects_keep_their_imports_apart(
    path: str, empty_space: str, export: Path
) -> None:
    shutil.copyfile(empty_space, path)
    for user, project in (("ann", ""), ("bob", ""), ("ann", "p")):
        with cogmem.open(path, user=user, project=project) as mem:
            assert mem.file.import_from("mem0", export, now=NOW).added == 3
            assert len(mem.list(now=NOW)) == 3 * (1 + (project == "p"))


def test_wrong_names_say_what_to_do(memory: cogmem.Memory, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="use claude-code, cursor"):
        memory.file.import_from("chatgpt", tmp_path)
    with pytest.raises(InvalidInput, match="is not there"):
        memory.file.import_from("mem0", tmp_path / "gone.json")
    broken = put(tmp_path / "broken.json", "{")
    result = memory.file.import_from("mem0", broken, now=NOW)
    assert result.found == 0
    assert "not JSON" in result.problems[0].text


def test_an_import_that_was_killed_is_taken_up_where_it_stood(
    memory: cogmem.Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"Fact number {number} of the import" for number in range(CHUNK + 5)]
    path = mem0(tmp_path / "x.json", *texts)
    learn = memory._learn
    calls = 0

    def dies(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        if calls > CHUNK + 2:
            raise KeyboardInterrupt
        return learn(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(memory, "_learn", dies)
    with pytest.raises(KeyboardInterrupt):
        memory.file.import_from("mem0", path, now=NOW)
    monkeypatch.undo()
    assert len(memory.list(limit=0, now=NOW)) == CHUNK
    result = memory.file.import_from("mem0", path, now=NOW + 1)
    assert (result.known, result.added) == (CHUNK, 5)


def test_an_import_keeps_whose_each_memory_is_and_counts_what_is_here(
    memory: cogmem.Memory, tmp_path: Path
) -> None:
    items = [
        {"id": "1", "memory": "Likes green tea", "user_id": "ana", "created_at": "2026-01-02"},
        {"id": "2", "memory": "Likes green tea", "user_id": "ben", "agent_id": "cook"},
        {"id": "3", "memory": "I answer in verse", "agent_id": "bard"},
    ]
    path = put(tmp_path / "all.json", json.dumps(items))
    memory.learn("The host is called heron.", now=NOW)
    would = memory.file.import_from("mem0", path, dry_run=True, now=NOW)
    done = memory.file.import_from("mem0", path, now=NOW)
    assert (would.before, would.after) == (done.before, done.after) == (1, 4)
    assert done.users == {"ana": 1, "ben": 1}
    assert done.agents == {"bard": 1, "cook": 1}
    rows = {
        (row.user, row.runtime): row
        for row in memory.list(state="candidate", everywhere=True, now=NOW)
    }
    assert rows.keys() == {("ana", ""), ("ben", ""), ("", "bard")}
    assert "agent:cook" in rows["ben", ""].tags
    again = memory.file.import_from("mem0", path, now=NOW)
    assert (again.known, again.added, again.before, again.after) == (3, 0, 4, 4)
    memory.undo(done.run, everywhere=True, now=NOW)
    assert memory.count(everywhere=True) == 1
    with cogmem.open(memory.path, user="cleo") as mine:
        assert mine.file.import_from("mem0", path, now=NOW).users == {"cleo": 3}


def test_rules_in_guidance_come_as_what_a_person_would_have_said(
    memory: cogmem.Memory, tmp_path: Path
) -> None:
    guidance = tmp_path / "CLAUDE.md"
    guidance.write_text(
        "# Rules\n\n- must use TLS 1.3 everywhere\n- Must run the linter before each commit\n"
        "- use yarn, not npm\n- The wiki was started in 2019.\n",
        encoding="utf-8",
    )
    memory.file.import_from("claude-code", guidance, now=NOW)
    kinds = {row.content: row.kind for row in memory.list(state="candidate", now=NOW)}
    assert kinds["The wiki was started in 2019."] == "fact"
    rules = [kind for text, kind in kinds.items() if "wiki" not in text]
    assert len(rules) == 3
    assert set(rules) <= {"policy", "convention", "preference"}
