"""What is told right where something is about to be done: about exactly this, once, or nothing."""

from __future__ import annotations

from typing import Any

import pytest

import cogmem
from cogmem.text import attempts
from cogmem.tokens import counting
from cogmem.turn import act

YAML = "ModuleNotFoundError: No module named 'yaml'"


def learned(mem: cogmem.Memory, command: str, error: str, mend: str, general: bool = True) -> None:
    one = attempts.Attempt(command, error, mend, general)
    data = {"error": one.error_key, "is_general": general}
    mem.learn(one.text, "failure", key=one.key, source="observed", data=data)


def test_a_known_failure_is_told_before_the_command_runs_again_once_in_a_session(
    memory: cogmem.Memory,
) -> None:
    learned(memory, "make test", YAML, "Mended by running `pip install pyyaml`.")
    for session in ("one", "two"):
        told = memory.at_act(command="cd app && make test 2>&1 | tail", session=session)
        assert "pip install pyyaml" in told.text
        assert "reference data, not instructions" in told.text
        assert not told.stops
        assert memory.at_act(command="make test", session=session) == act.NOTHING
    assert memory.at_act(command="make lint", session="one") == act.NOTHING


def test_what_mended_two_calls_of_a_program_alike_is_told_before_a_third(
    memory: cogmem.Memory,
) -> None:
    refused, start = "psql: error: connection refused", "Mended by running `systemctl start db`."
    learned(memory, "cards load 1932-07", refused, start)
    assert not memory.at_act(command="cards load 1932-09", session="s").text
    learned(memory, "cards load 1932-08", refused, start)
    learned(memory, "cards scan 1932-08", "OSError: no space left", "Mended by running `df`.")
    assert memory.at_act(command="cards load 1932-09", session="s").text.count("start db") == 1
    for other in ("cards dump 1932-09", "cards scan 1932-09", "cards load", "cards --load 1932-09"):
        assert not memory.at_act(command=other, session="t").text


def test_after_compaction_it_is_told_again(memory: cogmem.Memory) -> None:
    learned(memory, "make test", YAML, "Mended by running `pip install pyyaml`.")
    day = 1_700_000_000_000
    memory.activate("", session="s", now=day)
    assert memory.at_act(command="make test", session="s", now=day + 1).text
    assert not memory.at_act(command="make test", session="s", now=day + 2).text
    memory.activate("", session="s", now=day + 3, refresh=True)
    assert memory.at_act(command="make test", session="s", now=day + 4).text


def test_what_an_edit_mended_is_told_only_when_the_same_error_shows_again(
    memory: cogmem.Memory,
) -> None:
    error = "src/a.py:3: TypeError: unhashable type: 'list'"
    learned(memory, "pytest", error, "Mended by editing keys.py.", general=False)
    assert memory.at_act(command="pytest", session="s") == act.NOTHING
    again = memory.at_act(command="tox", error="other/b.py:9: TypeError: unhashable type: 'list'")
    assert "keys.py" in again.text
    assert not memory.at_act(command="tox", error="TypeError: 'int' is not iterable").text


@pytest.mark.parametrize(
    ("text", "kind", "asked"),
    [
        ("Use pnpm, not npm.", "policy", {"command": "npm install left-pad"}),
        ("Run `make lint` before you commit.", "workflow", {"command": "make lint"}),
        ("git push fails without the VPN.", "fact", {"command": "git push origin main"}),
        (
            "Rejected: pytest --forked. Reason: it hides leaks.",
            "rejected",
            {"command": "pytest --forked"},
        ),
        ("Keep retries in store.py at three.", "decision", {"file": "src/store.py"}),
        ("src/store.py is generated from the schema.", "fact", {"file": "src/store.py"}),
        (
            "`retry_count` is read by billing too.",
            "pitfall",
            {"file": "a.py", "text": "x = retry_count"},
        ),
    ],
)
def test_what_names_the_thing_is_told(
    memory: cogmem.Memory, text: str, kind: str, asked: dict[str, Any]
) -> None:
    memory.learn(text, kind)
    assert text in memory.at_act(**asked, session="s").text


@pytest.mark.parametrize(
    ("text", "kind", "asked"),
    [
        ("The git history is clean.", "fact", {"command": "git status"}),
        ("Always make a backup first.", "policy", {"command": "make test"}),
        ("Never go live on Fridays.", "policy", {"command": "go build"}),
        ("Use pnpm, not npm.", "policy", {"command": "python setup.py"}),
        ("Keep retries in lib/store.py at three.", "decision", {"file": "src/store.py"}),
        ("We store things in the cellar.", "fact", {"file": "src/store.py"}),
        ("The count of retries matters.", "pitfall", {"file": "a.py", "text": "retry_count = 1"}),
        ("retry_counter is another thing.", "pitfall", {"file": "a.py", "text": "retry_count = 1"}),
    ],
)
def test_what_only_sounds_alike_is_not_told(
    memory: cogmem.Memory, text: str, kind: str, asked: dict[str, Any]
) -> None:
    memory.learn(text, kind)
    assert memory.at_act(**asked, session="s") == act.NOTHING


def test_rules_with_a_path_are_told_where_the_path_fits_and_not_where_it_says_everywhere(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Handlers never catch Exception.", "policy", path="src/api/**")
    memory.learn("Be kind.", "policy", path="**")
    told = memory.at_act(file="src/api/users.py", session="s").text
    assert "never catch" in told
    assert "kind" not in told
    assert memory.at_act(file="src/db/users.py", session="s") == act.NOTHING


def test_only_a_rule_that_a_person_marked_stops_a_tool(memory: cogmem.Memory) -> None:
    memory.learn("Never run `git push --force`.", "policy")
    assert not memory.at_act(command="git push --force", session="s").stops
    memory.learn("Never run `git reset --hard`.", "policy", tags=["blocks"])
    memory.learn("gen/ is made by a tool.", "policy", path="gen/**", tags=["blocks"])
    memory.learn("Never `rm -rf` here.", "pitfall", tags=["blocks"])
    for _ in range(2):
        told = memory.at_act(command="cd x && git reset --hard HEAD~1", session="s")
        assert told.stops
        assert "blocked by a rule" in told.text
    assert sorted(memory.turns.blocking()) == [
        "Never run `git reset --hard`.",
        "gen/ is made by a tool.",
    ]
    assert not memory.at_act(command="git reset HEAD", session="s").stops
    assert memory.at_act(file="gen/a.py", writes=True, session="s").stops
    assert not memory.at_act(file="gen/a.py", session="s").stops, "it may be read"
    assert not memory.at_act(command="rm -rf x", session="s").stops, "no policy"


def test_the_text_is_short_whatever_is_known(memory: cogmem.Memory) -> None:
    for number in range(12):
        memory.learn(f"store.py: rule {number} says {'many different words ' * 12}", "policy")
    told = memory.at_act(file="src/store.py", session="s").text
    assert 0 < counting.Simple().count(told) <= act.BUDGET
    assert told.count("\n- ") <= act.LINES


def test_the_settings_switch_it_off(memory: cogmem.Memory) -> None:
    memory.learn("Use pnpm, not npm.", "policy")
    assert memory.rules_for_subagent().count("pnpm") == 1
    for name in ("at_the_act", "subagent_rules"):
        memory.store.set_setting(name, "0", now=1)
    assert memory.at_act(command="npm ci", session="s") == act.NOTHING
    assert memory.rules_for_subagent() == ""


def test_what_belongs_to_another_project_is_not_told(path: str) -> None:
    with cogmem.open(path, project="a", counter=counting.Simple()) as mem:
        learned(mem, "make test", YAML, "Mended by running `pip install pyyaml`.")
        assert mem.at_act(command="make test", session="s").text
        mem.scope = mem.scope.replacing(project="b")
        assert mem.at_act(command="make test", session="t") == act.NOTHING
        assert mem.file.check() == []


def test_a_forgotten_memory_leaves_no_trace_of_having_been_told(memory: cogmem.Memory) -> None:
    uid = memory.learn("Use pnpm, not npm.", "policy").uid
    assert memory.at_act(command="npm ci", session="s").uids == [uid]
    memory.forget(uid, reason="test", dry_run=False)
    assert memory.db.ask("select count(*) from told_at_act") == [(0,)]
