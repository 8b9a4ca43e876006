"""What the tools take: strict forms, whose JSON schemas are what a model reads."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Priority = Literal["critical", "high", "medium", "normal"]
Lifetime = Literal["session", "project", "global"]
Layer = Literal["episodic", "semantic", "procedural"]
Text = Annotated[str, Field(min_length=1, max_length=100_000)]
Tags = Annotated[list[str], Field(max_length=50)]


class Form(BaseModel):
    """Arguments of one tool; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class Nothing(Form):
    """No arguments."""


class Learn(Form):
    text: Text = Field(description="One statement, whole and understandable by itself.")
    kind: str = Field(
        "fact", description="fact, preference, decision, workflow, pitfall, policy, architecture …"
    )
    key: str = Field("", description="A name; the same key overwrites.")
    topic: str = Field(
        "", description="What a fact is about (editor.theme): a newer one closes the older one."
    )
    tags: Tags = Field(default_factory=list)
    priority: Priority | None = None
    path: str = Field("", description="Glob of the files that it is about (src/auth/**).")
    lifetime: Lifetime = Field(
        "project", description="session: gone with it; global: for all projects."
    )
    source: Literal["user_explicit", "observed", "inferred", "tool", "web"] = Field(
        "observed", description="user_explicit only if the user said it in so many words."
    )
    when: Tags = Field(
        default_factory=list,
        description="To be done later: told once at path:GLOB, command:WORDS, words:WORDS, on:DAY, event:merge.",
    )


class Recall(Form):
    query: str = Field(description="The words to look for; blank lists the newest.")
    layer: Layer | None = None
    kind: str | None = None
    limit: int = Field(8, ge=1, le=50)
    tokens: int | None = Field(None, ge=1, description="The most tokens that the answer may have.")
    as_of: str = Field(
        "", description="What was held at that time: 2026-03-15, March 2026, last spring, 2025."
    )
    history: bool = Field(False, description="Also what holds no more, with its time.")


class Episode(Form):
    event: Text = Field(description="What happened, in one sentence.")
    outcome: str = Field("", description="success, failure, learning, or a sentence.")
    tags: Tags = Field(default_factory=list)


class Procedure(Form):
    name: Text
    steps: list[str] = Field(
        default_factory=list, description="In order; leave out to report how a try went."
    )
    description: str = ""
    context: str = Field("", description="When to use it.")
    outcome: Literal["success", "failure"] | None = Field(None, description="How a try of it went.")
    reason: str = Field("", description="Why it failed.")


class Consolidate(Form):
    dry_run: bool = Field(False, description="Only say what would be done.")


class Forget(Form):
    names: list[str] = Field(
        min_length=1, max_length=10, description="Uids or keys of memories, or msg_<id>."
    )
    words: list[str] = Field(
        default_factory=list, max_length=10, description="Words that must be gone everywhere."
    )
    reason: str = ""
    confirm: str = Field(
        "",
        description="The number of the preview, from the user; without it only what would go is shown.",
    )


class Expand(Form):
    uid: Text = Field(description="mem_…, msg_… or sum_… as it stands in memory text.")
    max_messages: int = Field(20, ge=1, le=200)


_Edit = Literal["add", "search", "remove", "replace", "read", "consolidate", "view"]


class MemoryAction(Form):
    action: Literal[_Edit, "remember", "get", "recall", "list", "forget"]
    content: str = ""
    key: str = ""
    id: str = ""
    query: str = ""
    tags: Tags = Field(default_factory=list)
    scope: Lifetime = "project"
    project_only: bool = False
    ttl_minutes: int | None = Field(None, ge=1)
    include_archived: bool = False
    target: Literal["user", "env", "episodes"] | None = None
    old_text: str = ""


class CollectionAction(Form):
    action: _Edit
    target: Literal["user", "env", "episodes"] | None = None
    content: str = ""
    old_text: str = Field("", description="A piece of text that only the entry meant holds.")
    query: str = Field("", description="For search; for view the session's id.")


class Memorize(Form):
    type: Literal["fact", "preference", "convention", "pattern", "forget"]
    key: Text
    content: str = ""


class Pin(Form):
    content: str = ""
    clear: bool = False
    session: str = Field("", description="The host's id of a session; else the present one.")


class HistorySearch(Form):
    pattern: Text = Field(description="A regular expression; case does not count.")
    conversation: str = Field("", description="Its name; else the present one.")


class MemoryLearn(Form):
    key: Text
    value: Text
    source: Literal["user_explicit", "observed", "inferred", "external_unverified"] = "observed"
    type: str = "fact"
    scope: str = Field("", description="Path or glob that it is about.")
    priority: Priority | None = None
    agent: str = Field("", description="Name of the sub-agent that asks, if any.")


class MemoryRecall(Form):
    query: str
    layer: Literal["all", "semantic", "episodic", "procedural"] = "all"
    scope: str = Field("", description="A file: what is about other files is left out.")
    type: str | None = None
    limit: int = Field(8, ge=1, le=50)
    tokens: int | None = Field(None, ge=1)


class MemoryDelete(Form):
    pattern: str = Field(min_length=3, description="Text that the memories to delete hold.")
    dry_run: bool = True
    confirm: bool = Field(False, description="Needed for more than 10.")


class MemoryExpand(Form):
    summary_id: Text
    max_messages: int = Field(20, ge=1, le=200)


class MemoryCompact(Form):
    conversation_id: Text
    compact: bool = True
    archive: bool = True


class Remember(Form):
    name: str = Field("", description="Short title; made from the description if left out.")
    description: str = Field(
        min_length=1, description="One line that tells whether to read the memory."
    )
    type: str = Field("", description="user, feedback, project or reference; project if left out.")
    body: str = Field(min_length=1, description="The memory itself, in Markdown.")
