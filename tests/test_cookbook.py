"""docs/how-to/sql-cookbook.md: every query runs in the stock shell and gives the answer that it promises."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from processes import ran
from space import SCHEMA
from story import tell

if TYPE_CHECKING:
    from collections.abc import Callable

SHELL = "/usr/bin/sqlite3"
PAGE = (SCHEMA.parent / "docs" / "how-to" / "sql-cookbook.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^([^\n]+):\n\n```sql\n(.*?)\n```$", PAGE, re.DOTALL | re.MULTILINE))

pytestmark = pytest.mark.skipif(
    not os.path.exists(SHELL),
    reason="this machine has no /usr/bin/sqlite3: install it to prove the cookbook",
)

# The question's first words → patterns, each of which one line of the answer matches; `!` before a
# pattern: no line does. What depends on ranking is not pinned to the digit.
ANSWERS = {
    "What is believed now": [
        r"fact\|The staging server is called heron\.\|[\d.]+\|2027-01-15 08:00:00",
        "!The logo of the staging page is red", "!Oslo", "!printer",
    ],
    "What one user sees": [
        r"semantic\|preference\|Ann prefers green tea", r"episodic\|episode\|The migration",
        r"procedural\|procedure\|release", "!printer",
    ],
    "How much there is": [r"fact\|candidate\|1\|\d+", r"policy\|archived\|1\|\d+"],
    "What is found by a word": [r"mem_0000000000000001\|Deploys need a green build\."],
    "What is known of a file": [r"2027-\d\d-\d\d \S+\|preference\|Use tabs in Go files\.\|mem_", "!heron"],
    "Why a file is as it is": ["!heron"],
    "Files of which most is known": [r"\*\*/\*\.go\|1\|0"],
    "Memories that cite code": ["!heron"],
    "What was read of old sessions": ["!heron"],
    "What changed lately": [r"2027-\d\d-\d\d \S+\|\w+\|"],
    "What is forgotten next": [r"2027-\d\d-\d\d \S+\|\w+\|"],
    "What somebody said": [r"user\|The migration failed"],
    "What waits for you": [r"candidate\|"],
    "What was shown most": [r"\|\d+\|\d+$"],
    "What came of what was shown, as nights count it": [r"\|\d+\|\d+\|\d+$"],
    "Which projects there are": ["!heron"],
    "What each memory says": [r"The migration of the orders failed\.\|.*2027"],
    "What supports a memory": [
        r"derived_from\|The migration of the orders failed\.\|\|2027-01-15 08:00:00",
        r"merged_from\|deploys need a green  BUILD\.",
    ],
    "What was held true until": [
        r"The logo of the staging page is red\.\|2027-01-17 08:00:00\|The logo is a blue heron\."
    ],
    "What was believed at an instant": ["The logo of the staging page is red", "!blue heron"],
    "What the latest turns spent": [
        r"2027-02-11 08:03:00\|What colour has the heron on the logo\?\|\d+\|300\|\d+\|\d+\|0\|0\|0\.\d+",
    ],
    "The same by layer": [r"2027-02-11 08:0\d:00\|A\|always\|\d\|\d+\|0\|2\.5\d*"],
    "What the latest turn was told": [r"B\|1\|The logo is a blue heron\.\|0\.7\d+\|\d+"],
    "All figures of the latest turn": [r"mem_[0-9a-f]{16}\|[ABCD]\|chosen\|\d"],
    "What it left out": [
        r"The logo of the staging page is red\.\|a newer fact took its place\|0\.7\d+\|\d+"
    ],
    "Why one memory is left out": [
        r"Use tabs in Go files\.\|did not fit into what was left of the budget\|\d+"
    ],
    "What is shown most": [r"Deploys need a green build\.\|48\|0\|\d+"],
    "In how many turns memory would speak, by the setting of `silence`": [
        r"generous\|0\.1\|\d+\|\d+\|[\d.]+", r"balanced\|0\.25\|\d+\|\d+\|[\d.]+",
    ],
    "One memory's strength": [
        r"seen\|-23\|2027-01-19\|0\.8807", r"ahead\|0\|2027-02-12\|(?P<now>[\d.]+)",
        r"ahead\|90\|2027-05-13\|[\d.]+",
    ],
    "How the memory grew": [r"2027-01-19\|1\|2\|0\|13", r"2027-02-08\|1\|0\|0\|17"],
    "What contradicts what": [r"topic\|staging\.port\|.*port 9090\.\|.*port 8080\."],
    "What two machines changed": ["!port"],
    "What waits to be": [r"mem_0+b\|Ann may be moving to Oslo\.\|inferred\|0\.4\|2027-01-15 08:00:00"],
    "What may be junk": [
        r"ok ok\|too short to tell anything\|observed", r"The logo is a blue heron\.\|hosts said",
        r"The orders table may hold cats\.\|came from a source of little trust\|web",
        "!Deploys need",
    ],
    "What is known of a person and belongs to nobody": ["!Ann prefers green tea"],
    "What nobody ever used": [r"ok ok\|27\|0\|2027-10-28", "!staging"],
    "The latest runs": [
        r"2027-W03\|30_deduplicate\|done\|0\|1\|0", r"2027-W03\|50_archive\|done\|1\|0\|0",
    ],
    "What they changed": [
        r"50_archive\|The printer on floor two hums\.\|active → archived\|faded",
        r"30_deduplicate\|deploys need a green  BUILD\.\|active → archived\|merged",
    ],
    "What was put away": [r"The printer on floor two hums\.\|faded\|2027-01-19 20:00:00"],
    "Who changed what": [r"2027-02-12 08:00:00\|used\|library\|\d\|0"],
    "Tokens per kind": [r"policy\|1\|\d+\|[\d.]+\|48\|\d+"],
    "Model calls by day": [r"2027-02-11\|judge\|2\|0\|400\|40\|3\.0", r"2027-02-12\|judge\|1\|1\|50\|20\|1\.5"],
}  # fmt: skip


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[str]]:
    """Runs one query over the story, as a person types it."""
    path = str(tmp_path_factory.mktemp("story") / "memory.db")
    tell(path)

    def run(query: str) -> list[str]:
        done = ran([SHELL, "-batch", "-bail", path, query])
        assert done.returncode == 0, f"{query}\n{done.stderr}"
        return done.stdout.splitlines()

    return run


def test_every_question_has_an_answer_here_and_every_answer_a_question() -> None:
    starts = {question: [a for a in ANSWERS if question.startswith(a)] for question in RECIPES}
    assert [question for question, found in starts.items() if len(found) != 1] == []
    assert len(RECIPES) == len(ANSWERS)
    assert PAGE.count("```sql") == len(RECIPES), (
        "each block stands below a line that ends with a colon"
    )


def test_z30_the_query_answers_its_question(answer: Callable[[str], list[str]]) -> None:
    for question, recipe in RECIPES.items():
        assert "\n" not in recipe, "a recipe is one line"
        lines = answer(recipe)
        expected = next(found for start, found in ANSWERS.items() if question.startswith(start))
        for pattern in expected:
            hits = [line for line in lines if re.search(pattern.removeprefix("!"), line)]
            said = "\n".join([question, pattern, *lines])
            assert bool(hits) is not pattern.startswith("!"), said


def test_every_view_for_people_is_asked_in_the_cookbook() -> None:
    files = "".join(
        Path(SCHEMA, "views", name).read_text(encoding="utf-8")
        for name in ("20_conflict.sql", "40_turns_and_nights.sql")
    )
    views = re.findall(r"^create view (\w+)", files, re.MULTILINE)
    asked = " ".join(RECIPES.values())
    assert len(views) > 10
    assert [name for name in views if not re.search(rf"\bfrom {name}\b", asked)] == []
