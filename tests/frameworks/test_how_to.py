"""The how-tos: their Python runs."""

from __future__ import annotations

import gc
import warnings
from pathlib import Path
from typing import Any

import pytest
from model_server import provider, say
from pages import blocks, promises_kept

import cogmem

HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to"


def python_of(page: str) -> list[str]:
    return [body for _, body in blocks(HOW_TO / f"{page}.md", "python")]


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
        promises_kept(code, capsys.readouterr().out)
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
