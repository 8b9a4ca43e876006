"""The how-tos: their Python runs, and the commands they show exist."""

from __future__ import annotations

import gc
import itertools
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from model_server import provider, say

import cogmem
from cogmem.cli.app import app

HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to"
PAGES = ("claude-code", "codex", "gemini", "opencode", "cursor", "mcp", "agent-loops")


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_exist_with_their_options(page: str) -> None:
    text = (HOW_TO / f"{page}.md").read_text(encoding="utf-8")
    ours = re.compile(r"\$ (?:\w+=\S+ )*cogmem ")
    shown = [line for line in text.split("\n") if ours.match(line)]
    for line in shown:
        before = line[2:].partition("cogmem ")[0].split()
        if not all("=" in word for word in before):
            continue  # another program, which is told about cogmem
        words = line.partition("#")[0].split("cogmem ", 1)[1].split()
        if words[0].startswith("'") or "pip" in line:
            continue
        named = itertools.takewhile(lambda word: not word.startswith(("-", "'", '"')), words)
        said = CliRunner().invoke(app, [*named, "--help"])
        assert said.exit_code == 0, line
        for word in words[1:]:
            if word.startswith("--"):
                assert word in said.output, line


def python_of(page: str) -> list[str]:
    text = (HOW_TO / f"{page}.md").read_text(encoding="utf-8")
    return [part.partition("\n```")[0] for part in text.split("```python\n")[1:]]


def test_the_loop_in_the_how_to_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    loop, _, awaited = python_of("agent-loops")
    exec(compile(loop, "agent-loops.md", "exec"), {})
    with cogmem.open("memory.db") as mem:
        assert len(mem.conversation("monday").messages()) == 4
    exec(compile(awaited, "agent-loops.md", "exec"), {})
    with cogmem.open("memory.db", user="ada") as mem:
        assert mem.list(kind="policy")


def test_the_wrapped_client_in_the_how_to_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("anthropic")
    monkeypatch.chdir(tmp_path)
    code = python_of("agent-loops")[1]
    with provider(say("Not today.")) as there:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", there.root)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        exec(compile(code, "agent-loops.md", "exec"), {})
    with cogmem.open("memory.db") as mem:
        assert [one.told() for one in mem.conversation("monday").recent(9)] == [
            "When may I deploy?",
            "Not today.",
        ]


# -- frameworks: each page with the real one, and a model that only says what it is told ---------------

SAID = "Noted."


def no_model() -> None:
    return None


def langchain_model() -> Any:
    from langchain_core.language_models.fake_chat_models import FakeListChatModel

    return FakeListChatModel(responses=[SAID])


def openai_model() -> Any:
    from agents.testing import ScriptedModel
    from openai.types.responses import ResponseOutputMessage, ResponseOutputText

    text = ResponseOutputText(text=SAID, type="output_text", annotations=[])
    message = ResponseOutputMessage(
        id="1", type="message", role="assistant", status="completed", content=[text]
    )
    return ScriptedModel([[message], [message]])


def pydantic_model() -> Any:
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models.function import FunctionModel

    return FunctionModel(lambda *_: ModelResponse(parts=[TextPart(SAID)]))


def adk_model() -> Any:
    from google.adk.models import BaseLlm, LlmResponse
    from google.genai.types import Content, Part

    class Told(BaseLlm):
        async def generate_content_async(self, request: Any, stream: bool = False) -> Any:
            del request, stream
            yield LlmResponse(content=Content(role="model", parts=[Part(text=SAID)]))

    return Told(model="told")


FRAMEWORKS = {
    "anthropic-memory-tool": ("anthropic", no_model),
    "claude-agent-sdk": ("claude_agent_sdk", no_model),
    "google-adk": ("google.adk", adk_model),
    "langchain": ("langchain_core", langchain_model),
    "langgraph": ("langgraph.store.base", no_model),
    "llama-index": ("llama_index.core", no_model),
    "openai-agents": ("agents", openai_model),
    "pydantic-ai": ("pydantic_ai", pydantic_model),
}


@pytest.mark.parametrize("page", FRAMEWORKS)
def test_a_framework_s_page_runs_and_prints_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package, model = FRAMEWORKS[page]
    pytest.importorskip(package, reason=f"only with {package}: make test-frameworks")
    monkeypatch.chdir(tmp_path)
    for code in python_of(page):
        exec(compile(code, f"{page}.md", "exec"), {"model": model()})
        said = capsys.readouterr().out
        place = 0
        for promise in re.findall(r"# → (.+)$", code, re.MULTILINE):
            place = said.find(promise, place)
            assert place >= 0, f"{promise!r} is not in\n{said}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # connections of a framework that nobody closes
        gc.collect()
    with cogmem.open("memory.db") as mem:
        assert mem.file.check() == []


def test_the_notebook_in_the_how_to_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    cells: dict[str, Any] = {}
    for number, cell in enumerate(python_of("notebook")):
        exec(compile(cell, f"notebook.md {number}", "exec"), cells)
    said = capsys.readouterr().out
    assert "Deploys need a green build." in said
    assert list(cells["kinds"].columns) == ["kind", "memories"]
    assert (tmp_path / "kinds.png").stat().st_size > 1_000
    with cogmem.open("memory.db") as mem:
        assert (
            mem.recall("How long does the build take?")[0].content
            == "The build takes four minutes."
        )
