"""What anybody may write meets every door: prompts, documents, imports, hooks, arguments of tools.

Hypothesis draws text from pieces that mean something to one of the readers, and JSON whose names and
values nearly fit. A door may refuse with an error of ours; it must not fail in another way, and the
file must be sound afterwards.
"""

from __future__ import annotations

import contextlib
import io
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from conftest import EVERYTHING, NOW
from conftest import SHARE as MORE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.documents import compose, foreign
from cogmem.errors import CogmemError
from cogmem.hosts import transcript
from cogmem.hosts.transcripts import FORMATS, Importing, Reader
from cogmem.language.cue import read_cue
from cogmem.tokens import counting
from cogmem.tools.toolset import TOOLSETS, toolset

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

PIECES = (
    "heron", "Wesselburen", "never use ", "remember: ", "yesterday", "on 31 February", "2026-02-30", "last week",
    "NEAR(", "AND", "OR NOT", '"', "'", "*", "^", "-", ":", "(", ")", "{", "}", "[", "]", "\\",
    "/", "..", "@src/a.py",
    "\n", "\r\n", "\t", "\0", "\u2028", "\ufeff", "\u202e", "\U000e0041", "\ud800", "é",
    "e\u0301", "日本語の鳥", "🐦", "ß", "İ",
    "# ", "## Notes", "---", "```", "~~~", "- ", "1. ", "@import.md", "[a](b.md)", "<system>", "</reference-data>",
    "name: ", "description: |", "key: 'v", "  - x", "=====", "mem_0000000000000001",
    "select 1; --", ":now", "%s", "{memory m}",
    "a" * 300, " " * 40, "0" * 50, "1e999", "-0", "C:\\x", "file:///etc/passwd", "AKIAIOSFODNN7EXAMPLE",
)  # fmt: skip
text = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=14).map("".join)
NAMES = (
    "content", "kind", "key", "tags", "table", "uid", "fact", "topic", "steps", "procedure",
    "layer", "state", "priority",
    "id", "role", "parts", "type", "text", "messages", "mapping", "current_node", "message", "author", "at", "name",
    "prompt", "session_id", "cwd", "source", "transcript_path", "hook_event_name", "query", "limit", "budget", "path",
    "cogmem", "schema", "end", "sha256", "from", "to", "relation", "conversation_id", "seq", "created_at", "user",
    "project", "session", "value", "meaning", "pattern", "superseded_by", "memory", "tool_calls",
    "function", "arguments",
)  # fmt: skip
words = st.sampled_from(
    (
        *NAMES,
        "memory",
        "fact",
        "episode",
        "procedure",
        "policy",
        "active",
        "deleted",
        "user",
        "assistant",
        "tool",
        "text",
        "",
        "*",
    )
)
scalar = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.integers(-3, 3)
    | st.floats()
    | text
    | words
)
value = st.recursive(
    scalar,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(NAMES) | text, inner, max_size=5)
    ),
    max_leaves=12,
)
fields = st.dictionaries(st.sampled_from(NAMES), value, max_size=7)
SHARE = MORE * (1 if EVERYTHING else 0.4)  # more with HYPOTHESIS_PROFILE=explore
quick = settings(
    max_examples=int(40 * SHARE),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def mem(tmp_path_factory: pytest.TempPathFactory) -> Iterator[cogmem.Memory]:
    """One memory for all that is thrown at it, found sound at the end."""
    folder = tmp_path_factory.mktemp("fuzz")
    with cogmem.open(
        folder / "memory.db", documents=folder, user_dir=folder / "mine", counter=counting.Simple()
    ) as opened:
        opened.learn("Herons wade at noon.", key="bird", now=NOW)
        opened.procedure("release", ["tag", "push"], now=NOW)
        opened.conversation("talk").append("user", "The heron waits.", at=NOW)
        yield opened
        assert opened.file.check() == []


# -- prompts -----------------------------------------------------------------------------------------


@quick
@given(text)
def test_any_prompt_makes_a_query_and_a_turn_within_its_budget(
    mem: cogmem.Memory, prompt: str
) -> None:
    cue = read_cue(prompt, datetime.fromtimestamp(NOW / 1000, UTC))
    if cue.match:
        mem.db.ask("select count(*) from memory_fts where memory_fts match :m", {"m": cue.match})
    with contextlib.suppress(CogmemError):  # half a character cannot be stored, and is refused
        turn = mem.activate(prompt, budget=200, session="s", files=[prompt[:40]], now=NOW)
        assert turn.tokens <= 200
        mem.recall(prompt, now=NOW)


# -- documents ---------------------------------------------------------------------------------------


@quick
@given(st.lists(text, min_size=1, max_size=3))
def test_any_documents_are_composed_and_their_imports_end(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("project", numbered=True)
    for name, said in zip(("AGENTS.md", "import.md", "b.md"), texts, strict=False):
        (folder / name).write_bytes(f"@import.md\n@AGENTS.md\n{said}".encode("utf-8", "replace"))
    found = compose.load(str(folder), "")
    fitted = compose.fitted(found, lambda piece: len(piece.split()), 60)
    assert fitted.tokens <= 60


READERS = (
    foreign.read_claude_code,
    foreign.read_cursor,
    foreign.read_basic_memory,
    foreign.read_mem0,
    foreign.read_letta,
    foreign.read_knowledge_graph,
)


@quick
@given(value, text)
def test_what_other_programs_wrote_is_read_or_stepped_over(
    tmp_path_factory: pytest.TempPathFactory, data: Any, said: str
) -> None:
    folder = tmp_path_factory.mktemp("foreign", numbered=True)
    bodies = {
        "a.json": json.dumps(data),
        "b.md": said,
        "c.jsonl": f"{json.dumps(data)}\n{said}",
        "d.mdc": said,
    }
    for name, body in bodies.items():
        (folder / name).write_bytes(body.encode("utf-8", "replace"))
    for read in READERS:
        for name in ("", *bodies):
            with contextlib.suppress(CogmemError):
                for record in read(str(folder / name)).records:
                    assert record["text"].strip()
                    assert record["key"]


# -- imports -----------------------------------------------------------------------------------------


@settings(quick, max_examples=int(30 * SHARE))
@given(st.lists(fields.map(json.dumps) | text, max_size=5), st.booleans(), st.booleans())
def test_any_lines_are_imported_whole_or_leave_nothing(
    mem: cogmem.Memory, lines: list[str], as_is: bool, keep_good: bool
) -> None:
    count = mem.db.ask("select count(*) from memory")[0][0]
    whole = [line.replace("\n", " ") for line in lines]
    try:
        done = mem.file.import_(whole, as_is=as_is, keep_good=keep_good, now=NOW)
    except CogmemError:
        assert mem.db.ask("select count(*) from memory")[0][0] == count
    else:
        added = mem.db.ask("select count(*) from memory")[0][0] - count
        assert added == done.added.get("memory", 0)


@settings(quick, max_examples=int(30 * SHARE))
@given(st.lists(fields, max_size=4), st.sampled_from((None, *FORMATS)))
def test_any_conversation_file_is_recorded_or_its_lines_are_named(
    mem: cogmem.Memory, documents: list[dict[str, Any]], form: str | None
) -> None:
    data = [json.dumps(one).encode() + b"\n" for one in documents]
    reader = Reader(data, form, now=NOW)
    with contextlib.suppress(CogmemError):
        for _ in Importing(mem.conversation, "fuzz").take(reader.pieces()):
            pass
    assert all(reason for _, reason in reader.bad)


# -- hooks -------------------------------------------------------------------------------------------


@quick
@given(st.lists(fields.map(json.dumps) | text, max_size=5))
def test_any_transcript_is_read_as_far_as_it_goes(lines: list[str]) -> None:
    for role, parts, *_ in transcript.messages("\n".join(lines), NOW):
        assert role in ("user", "assistant", "tool", "system")
        assert isinstance(parts, list)


# -- tools -------------------------------------------------------------------------------------------


def near(schema: dict[str, Any], whole: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that nearly fit a JSON schema: mostly of its type, now and then anything."""
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rpartition("/")[2]]
    options = schema.get("anyOf")
    if options:
        return st.one_of([near(one, whole) for one in options])
    if "enum" in schema:
        return st.sampled_from(schema["enum"]) | words
    kind = schema.get("type")
    if kind == "object":
        named = {name: near(one, whole) for name, one in schema.get("properties", {}).items()}
        return st.fixed_dictionaries({}, optional=named) if named else fields
    if kind == "array":
        return st.lists(near(schema.get("items", {}), whole), max_size=3)
    plain = {
        "string": text | words,
        "integer": st.integers(-5, 2**40),
        "number": st.floats(),
        "boolean": st.booleans(),
    }
    return plain.get(str(kind), value)


@pytest.mark.parametrize("name", TOOLSETS)
def test_any_arguments_of_any_tool_are_answered(mem: cogmem.Memory, name: str) -> None:
    """ "… inside cogmem" is how a tool tells of an error that nobody thought of: there must be none."""
    tools = toolset(name, mem)

    @settings(quick, max_examples=int(15 * SHARE) * len(tools))
    @given(st.data())
    def throw(data: st.DataObject) -> None:
        tool = data.draw(st.sampled_from(tools))
        arguments = data.draw(near(tool.parameters, tool.parameters) | fields | text)
        answer = tool.call(arguments)
        assert isinstance(answer["success"], bool)
        assert "inside cogmem" not in answer.get("error", ""), (tool.name, arguments)
        json.dumps(answer, default=str)

    with contextlib.redirect_stderr(io.StringIO()):
        throw()


def test_a_sheet_of_nonsense_is_refused_or_imported(mem: cogmem.Memory) -> None:
    from cogmem.exchange.sheet import import_csv

    for body in (
        b"",
        b"\0",
        b"content\n\xff\xfe",
        b'content\n"open',
        b"content,kind\nx",
        b"content;kind\n;\n",
        b"a,b\n1,2",
    ):
        with contextlib.suppress(CogmemError):
            mem.file.import_(import_csv(body), keep_good=True, now=NOW)
