"""The tools that an agent gets over MCP: three, because each request of its model carries them all.

The rest of what a memory can do is a tool set away: `cogmem mcp --tools default`.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from cogmem.errors import UnknownMemory
from cogmem.tools import default_set, forms
from cogmem.tools.toolset import Answer, Spec


class Recall(forms.Form):
    query: str = Field(description="Words to look for, or a uid to see it whole.")
    limit: int = Field(8, ge=1, le=50)
    as_of: str = Field("", description="What was held then: 2026-03-15, last spring.")


class Learn(forms.Form):
    text: forms.Text = Field(description="One statement, understandable by itself.")
    kind: str = Field("fact", description="fact, preference, decision, policy, pitfall …")
    key: str = Field("", description="A name; the same key overwrites.")
    path: str = Field("", description="Glob of files that it is about.")
    everywhere: bool = Field(False, description="Not for this project alone.")
    said_by_user: bool = False


class Report(forms.Form):
    what: forms.Text = Field(description="What was done, in one sentence; or the procedure's name.")
    outcome: str = Field("", description="success, failure (failure: why), or what came of it.")
    steps: list[str] = Field(default_factory=list, description="How it is done, once it worked.")


def recall(mem: Any, form: Recall) -> Answer:
    if form.query.startswith(("mem_", "msg_", "sum_")) and " " not in form.query:
        return default_set.expand(mem, forms.Expand.model_validate({"uid": form.query}))
    return default_set.recall(mem, forms.Recall.model_validate(form.model_dump()))


def learn(mem: Any, form: Learn) -> Answer:
    given = form.model_dump(include={"text", "kind", "key", "path"})
    given["lifetime"] = "global" if form.everywhere else "project"
    given["source"] = "user_explicit" if form.said_by_user else "observed"
    return default_set.learn(mem, forms.Learn.model_validate(given))


def report(mem: Any, form: Report) -> Answer:
    """Return a try of a procedure, where there are steps or it is known by that name; else an episode."""
    word, _, reason = form.outcome.partition(":")
    went = word if word in ("success", "failure") else None
    tried = {"name": form.what, "steps": form.steps, "outcome": went, "reason": reason.strip()}
    if form.steps or went:
        try:
            return default_set.procedure(mem, forms.Procedure.model_validate(tried))
        except UnknownMemory:
            pass
    told = {"event": form.what, "outcome": form.outcome}
    return default_set.episode(mem, forms.Episode.model_validate(told))


TOOLS = (
    Spec(
        "recall",
        "Search what was decided, asked for and found out in earlier sessions. Use it before asking the user,"
        " and when a task resembles an earlier one.",
        Recall, recall,
    ),
    Spec(
        "learn",
        "Store one lasting statement that will matter in later sessions: what the user states or corrects, or"
        " what was hard to find out. Never secrets, nor what the repository records.",
        Learn, learn,
    ),
    Spec(
        "report",
        "When a task is over: what was done and what came of it; with steps, how it is done.",
        Report, report,
    ),
)  # fmt: skip
