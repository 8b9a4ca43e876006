"""Claude Code itself before it asks its person, shows a plan, or goes into a worktree.

Modules: act.
"""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from real_host import Host, home_of, needs_hosts, told, turns_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, needs_hosts]
ASKS = ("--permission-prompt-tool", "stdio")  # as if a person were there
OPTIONS = [
    {"label": "npm", "description": "It comes with node."},
    {"label": "pnpm", "description": "It is quick."},
]
QUESTION = {"question": "Which package manager for the web client?", "header": "Packages"}
ASKED = {"questions": [{**QUESTION, "multiSelect": False, "options": OPTIONS}]}


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    with home_of("claude-code", tmp_path, monkeypatch) as host:
        name = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        words = ("git", *name, "commit", "--quiet", "--allow-empty", "-m", "begin")
        subprocess.run(words, cwd=host.project, check=True)
        yield host


def answers(asked: list[dict[str, Any]]) -> str:
    """What came in answer to the tools of one prompt."""
    return told(turns_of(asked[-1])[len(turns_of(asked[0])) :])


def test_before_it_asks_its_person_it_hears_what_is_known(claude: Host) -> None:
    claude.learn(
        "The web client uses the package manager pnpm: npm broke its lockfile.", "decision"
    )
    claude.model.calls = [("AskUserQuestion", ASKED)]
    assert "broke its lockfile" in answers(claude.ask("Go on.", *ASKS))


def test_before_it_shows_a_plan_it_hears_what_was_rejected_there(claude: Host) -> None:
    claude.learn("We rejected retries in billing.py: customers paid twice.", "decision")
    asked = claude.ask("Plan the work.", *ASKS, "--permission-mode", "plan")
    place = re.search(r"/[^\s\"]+/plans/[\w-]+\.md", told(asked))
    assert place, "it says where the plan shall lie"
    plan = {"file_path": place[0], "content": "1. Retry in billing.py. 2. Run the tests."}
    claude.model.calls = [("Write", plan), ("ExitPlanMode", {})]
    shown = claude.go_on("Show it.", *ASKS, "--permission-mode", "plan")
    assert "paid twice" in answers(shown)


def test_who_goes_into_a_worktree_hears_the_rule_about_worktrees(claude: Host) -> None:
    claude.learn("Always run `make links` after `git worktree add`.")
    claude.model.calls = [("EnterWorktree", {"name": "billing"})]
    assert "make links" in answers(claude.ask("Go on."))
