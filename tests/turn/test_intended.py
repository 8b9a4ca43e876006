"""An intention is told once, at the first moment that fits, never before, and waits until it is done.

Modules: hear.intended, learn.intentions.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import DAY, NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.cli.app import app
from cogmem.errors import InvalidInput

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import moments  # type: ignore[import-not-found]

FLAG = "Drop the export flag"


def comes(mem: cogmem.Memory, session: str, now: int, **doing: str) -> bool:
    """Whether the intention is told at an act, or with a prompt."""
    if "prompt" in doing:
        return FLAG in mem.activate(doing["prompt"], session=session, now=now).volatile
    return FLAG in mem.at_act(session=session, now=now, **doing).text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("when", "early", "moment"),
    [
        ("path:src/exporter/**", {"file": "src/reader/a.py"}, {"file": "src/exporter/a.py"}),
        ("command:make deploy", {"command": "make test"}, {"command": "cd app && make deploy ENV=eu"}),
        ("event:merge", {"command": "git commit -m merge"}, {"command": "git merge --no-ff topic"}),
        ("event:release", {"command": "npm test"}, {"command": "npm publish"}),
        ("words:exporter", {"file": "src/export.py"}, {"file": "src/Exporter/a.py"}),
        ("words:exporter", {"prompt": "Where is the export flag?"}, {"prompt": "Let us look at the exporters"}),
        ("words:nächster Auftrag", {"prompt": "der Auftrag ist da"}, {"prompt": "Nächster Auftrag bitte"}),
    ],
)  # fmt: skip
def test_it_comes_once_where_it_fits_and_waits_to_be_done(
    memory: cogmem.Memory, when: str, early: dict[str, str], moment: dict[str, str]
) -> None:
    meant = memory.intentions.add(FLAG, when, now=NOW)
    assert not comes(memory, "a", NOW + DAY, **early)
    assert comes(memory, "a", NOW + 300 * DAY, **moment)
    assert not comes(memory, "b", NOW + 301 * DAY, **moment)
    (row,) = memory.intentions.list()
    assert (row.content, row.when) == (FLAG, [when])
    assert row.told_at is not None
    memory.intentions.again(meant.uid, now=NOW + 301 * DAY)
    assert comes(memory, "c", NOW + 301 * DAY, **moment)
    memory.intentions.done(meant.uid, now=NOW + 302 * DAY)
    assert not comes(memory, "d", NOW + 303 * DAY, **moment)
    assert memory.intentions.list() == []


def test_a_day_comes_with_the_first_prompt_from_then_on(memory: cogmem.Memory) -> None:
    memory.intentions.add(FLAG, ["on:2027-03-01", "words:flag"], now=NOW)
    first = 1803859200000  # 2027-03-01
    assert not comes(memory, "a", first - 1, prompt="ok")
    assert comes(memory, "b", first + 5 * DAY, prompt="hello")
    assert not comes(memory, "c", first + 6 * DAY, prompt="the flag")


def test_it_never_fades_and_undo_takes_it_back(memory: cogmem.Memory) -> None:
    meant = memory.intentions.add(FLAG, "words:exporter", now=NOW)
    for day in (1, 100, 400, 2000):
        memory.nightly(now=NOW + day * DAY)
    memory.undo(meant.act, now=NOW + 2000 * DAY)
    assert memory.intentions.list() == []
    assert not comes(memory, "a", NOW + 2001 * DAY, prompt="the exporter")
    memory.intentions.add(FLAG, "words:exporter", now=NOW)
    assert comes(memory, "b", NOW + 2001 * DAY, prompt="the exporter")


def test_that_it_was_told_is_signed_and_is_not_the_last_change(memory: cogmem.Memory) -> None:
    learned = memory.intentions.add(FLAG, ["words:checkout"], now=NOW)
    assert comes(memory, "s1", NOW + 1, prompt="the checkout is slow")
    memory.close()
    with cogmem.open(memory.path) as mem:
        told, added = mem.history.log()
    assert (told.verb, told.raw("at"), added.act) == ("told", NOW + 1, learned.act)
    undone = CliRunner().invoke(app, ["--db", memory.path, "undo"])
    assert "is gone again" in undone.stdout


def test_another_project_and_another_person_do_not_get_it(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    with cogmem.open(path, user="ann", project="one") as mem:
        mem.intentions.add(FLAG, "words:exporter", now=NOW)
    for user, project in (("ann", "two"), ("bob", "one")):
        with cogmem.open(path, user=user, project=project) as mem:
            assert not comes(mem, "x", NOW + DAY, prompt="the exporter")
            assert mem.intentions.list() == []
    with cogmem.open(path, user="ann", project="one") as mem:
        assert comes(mem, "y", NOW + DAY, prompt="the exporter")


def test_without_a_note_of_it_it_comes_again(memory: cogmem.Memory) -> None:
    """A process that is killed before it noted what it told loses no intention."""
    memory.intentions.add(FLAG, "command:make deploy", now=NOW)
    for _ in range(2):
        told = memory.at_act(command="make deploy", session="a", notes=False, now=NOW)
        assert FLAG in told.text
    assert memory.note_told(told, now=NOW)
    assert not comes(memory, "b", NOW, command="make deploy")


@settings(max_examples=examples(60))
@given(
    st.lists(st.sampled_from(["make deploy", "make test", "git merge x", "ls"]), max_size=6),
    st.sampled_from(["make deploy", "git merge"]),
)
def test_of_any_acts_the_first_that_fits_tells_it(commands: list[str], trigger: str) -> None:
    with cogmem.open(":memory:") as mem:
        mem.intentions.add(FLAG, f"command:{trigger}", now=NOW)
        told = [
            comes(mem, f"s{number}", NOW + number, command=command)
            for number, command in enumerate(commands)
        ]
    fitting = [command.startswith(trigger) for command in commands]
    first = fitting.index(True) if True in fitting else -1
    assert told == [number == first for number in range(len(commands))]


def test_the_newest_of_very_many_is_told_as_well(memory: cogmem.Memory) -> None:
    with memory.store.db.together():
        for number in range(250):
            memory.intentions.add(f"Look at part {number}", f"path:part{number}/*", now=NOW)
    assert "Look at part 249" in memory.at_act(file="part249/a.py", session="a", now=NOW).text


@pytest.mark.parametrize("when", ["", "soon", "on:Friday", "event:lunch", "words:?!", "path:"])
def test_a_moment_that_nobody_understands_is_refused_with_what_to_write(
    memory: cogmem.Memory, when: str
) -> None:
    with pytest.raises(InvalidInput, match=r"path:GLOB|2026-12-04|merge|words:"):
        memory.intentions.add(FLAG, when, now=NOW)


def test_commands_add_list_and_close(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")

    def run(*words: str) -> str:
        done = CliRunner().invoke(app, [*words, "--db", path], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    uid = run("intend", FLAG, "--when", "path:src/**", "--when", "on:2026-12-04").split()[1]
    assert "path:src/** or on:2026-12-04" in run("intend", "list")
    assert run("intend") == run("intend", "list")
    run("intend", "done", uid)
    assert "nothing is intended" in run("intend", "list")


@pytest.mark.parametrize(
    ("said", "what", "when"),
    [
        ("Remind me to drop the flag when we touch the exporter.", "drop the flag", "exporter"),
        ("next time we release, bump the schema version", "bump the schema version", "release event:release"),
        ("Erinnere mich daran, aufzuräumen, wenn wir den Exporter anfassen", "aufzuräumen", "exporter"),
        ("Erinnere mich daran, aufzuräumen, wenn wir die Größe anfassen", "aufzuräumen", "grosse"),
        ("Remind me to warn Ann when we change the login page", "warn Ann", "login page"),
        ("Next time we deploy to staging, check the lock", "check the lock", "deploy staging"),
        ("Remind me to check the lock when you run `make deploy`", "check the lock", "command:make deploy"),
        ("Remind me to drop it when we touch `src/a.py`.", "drop it", "command:src/a.py path:src/a.py"),
        ("Please remind me to ask for the invoice on Friday.", "ask for the invoice", "on:2027-01-22"),
        ("remind me in three days to ask for the invoice", "ask for the invoice", "on:2027-01-18"),
    ],
)  # fmt: skip
def test_it_is_heard_where_somebody_asks_for_it_in_so_many_words(
    memory: cogmem.Memory, said: str, what: str, when: str
) -> None:
    memory.capture(f"Thanks. {said}", now=NOW)
    (row,) = memory.intentions.list()
    moments = re.split(
        r" (?=[a-z]+:)", when if when.startswith(("on:", "command:")) else f"words:{when}"
    )
    assert (row.content, row.when) == (what, moments)
    talk = memory.conversation("talk")
    for number in range(3):
        talk.append("user", said, at=NOW + number)
        memory.capture_conversation("talk", now=NOW + number)
    assert {one.kind for one in memory.list(limit=0, everywhere=True)} == {"intention"}
    assert what not in memory.activate("ok", session="a", now=NOW + DAY).stable


@pytest.mark.parametrize(
    "said",
    [
        "Can you remind me what this does when we run it?",
        "Next time we should be careful.",
        "next time you run it, why does it fail?",
        "It failed the next time we released, sadly.",
        "Please remind me of the name",
        "Remind me to put the button in the corner",
        "Remind me on what we agreed to do",
        "the reminder comes when we release",
    ],
)
def test_other_talk_intends_nothing(memory: cogmem.Memory, said: str) -> None:
    memory.capture(said, now=NOW)
    assert memory.intentions.list() == []


def test_review_asks_whether_it_is_done_and_lists_what_will_be_forgotten(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    with cogmem.open(path) as mem:
        mem.intentions.add(FLAG, "words:exporter", now=NOW)
        assert comes(mem, "a", NOW, prompt="the exporter")
        mem.episode("The wash was broken", now=NOW)
        mem.activate("hello", session="b", now=NOW + 40 * DAY)

        def asked(*words: str) -> list[str]:
            done = CliRunner().invoke(app, ["review", "--json", "--db", path, *words])
            return [row["content"] for row in json.loads(done.output)]

        assert [FLAG in row for row in asked()] == [True]
        fading = asked("--only", "fading")
        soon = mem.facts.fading(days=3650)
        assert [row.content for row in soon] == ["The wash was broken"]
        assert len(fading) <= 1
        mem.keep(soon[0].uid, now=NOW + 41 * DAY)
        assert mem.facts.fading(days=3650)[0].day > soon[0].day


@pytest.mark.long
def test_a_month_of_intentions_branches_and_skills_comes_at_its_moments(tmp_path: Path) -> None:
    verdicts = moments.replay(tmp_path, alone=True)
    assert len(verdicts) == 17
    assert set(verdicts.values()) == {"right"}
