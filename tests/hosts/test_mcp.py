"""The MCP server, asked by the SDK's own client: in process, over stdio and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip(
    "mcp", reason="the MCP server needs the extra: pip install 'cogmem-sqlite[mcp]'"
)

import httpx2
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

import cogmem
from cogmem.hosts import mcp as adapter
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

TOKEN = "a token for the tests"


@pytest.fixture
def file(tmp_path: Path, empty_space: str) -> str:
    return knowing(tmp_path, empty_space)


def knowing(folder: Path, empty_space: str) -> str:
    """A memory that knows two things."""
    path = str(folder / "memory.db")
    shutil.copyfile(empty_space, path)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Deploys need a green build.", kind="policy", key="deploy")
        mem.learn("The staging host is called heron.")
        mem.activate("what is the staging host called?", turn="turn_one")
    return path


def asked(work: Callable[[Client], Coroutine[Any, Any, Any]], target: Any) -> Any:
    """Run one client against a server."""

    async def run() -> Any:
        async with Client(target) as client:
            return await work(client)

    return asyncio.run(asyncio.wait_for(run(), 30))


def in_process(file: str, *toolsets: str) -> Any:
    mem = adapter.Opened(file, counter=counting.Simple())
    return adapter.server(mem, adapter.offered(toolsets, mem))


def over_stdio(file: str, *more: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "cogmem", "--db", file, "mcp", *more],
        env={"PATH": os.environ["PATH"], "HOME": os.path.dirname(file)},
        cwd=os.path.dirname(os.path.dirname(cogmem.__file__)),
    )


@pytest.fixture(scope="module")
def over_http(tmp_path_factory: pytest.TempPathFactory, empty_space: str) -> Iterator[str]:
    """A server on a free port of the loopback address."""
    file = knowing(tmp_path_factory.mktemp("http"), empty_space)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = subprocess.Popen(
        [sys.executable, "-m", "cogmem", "--db", file, "mcp", "--http", "--port", str(port)],
        stderr=subprocess.PIPE,
        env={**os.environ, "COGMEM_MCP_TOKEN": TOKEN},
        cwd=os.path.dirname(os.path.dirname(cogmem.__file__)),
    )
    try:
        for _ in range(1200):  # a minute: a busy machine takes its time to start Python
            assert running.poll() is None, "the server ended by itself"
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        running.terminate()
        running.communicate(timeout=20)


def held(answer: Any) -> Any:
    """What a tool answered."""
    return json.loads(answer.content[0].text)


# -- tools ---------------------------------------------------------------------------------------


def test_the_default_tools_are_few_and_say_when_to_use_them(file: str) -> None:
    listed = asked(lambda client: client.list_tools(), in_process(file)).tools
    assert [tool.name for tool in listed] == ["recall", "learn", "report"]
    for tool in listed:
        assert len(tool.description) > 40
        assert tool.input_schema["type"] == "object"
        assert tool.output_schema is None, "what a tool answers is text, once"
        assert tool.meta == {"anthropic/alwaysLoad": True}
        assert tool.annotations.open_world_hint is False
    every = asked(lambda client: client.list_tools(), in_process(file, "default")).tools
    hints = {tool.name: tool.annotations for tool in every}
    assert hints["recall"].read_only_hint
    assert hints["forget"].destructive_hint
    assert not hints["learn"].destructive_hint


def test_what_is_learned_by_one_call_is_recalled_by_the_next(file: str) -> None:
    async def work(client: Client) -> Any:
        learned = await client.call_tool("learn", {"text": "The release captain is Ada."})
        assert held(learned)["success"], learned
        return await client.call_tool("recall", {"query": "who is the release captain?"})

    found = asked(work, in_process(file))
    assert not found.is_error
    assert "Ada" in json.dumps(held(found))
    assert found.structured_content is None


def test_the_first_recall_of_a_client_brings_what_people_wish_and_the_next_does_not(
    file: str,
) -> None:
    with cogmem.open(file, counter=counting.Simple()) as mem:
        mem.learn("Ann prefers short answers.", kind="preference")

    async def first(client: Client) -> Any:
        wish = {"text": "Always answer in German", "kind": "preference"}
        await client.call_tool("learn", {**wish, "said_by_user": True})
        seen = {"text": "The person likes long tables", "kind": "preference"}
        await client.call_tool("learn", seen)

    async def later(client: Client) -> list[Any]:
        asked = [await client.call_tool("recall", {"query": "what is 2 + 2?"}) for _ in range(2)]
        read = await client.read_resource("cogmem://always")
        return [*(held(one).get("always", "") for one in asked), read.contents[0].text]

    asked(first, over_stdio(file))
    told, again, read = asked(later, over_stdio(file))
    assert again == ""
    for text in (told, read):
        assert "Ann prefers short answers." in text
        assert "Always answer in German" in text
        assert "long tables" not in text, "what a model only saw is no wish that a person told"
    with cogmem.open(file, counter=counting.Simple()) as mem:
        mem.activate("hello", session="of a hook")
    assert asked(later, in_process(file))[0] == "", "its session began with it"


def test_one_bad_call_never_ends_the_server(file: str) -> None:
    async def work(client: Client) -> Any:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("recall", {}),
            ("recall", {"query": 7}),
            ("learn", {"text": ""}),
            ("learn", {"no_such_argument": 1}),
            ("forget", {"name": "mem_0000000000000000"}),
        ]
        for name, arguments in calls:
            answer = await client.call_tool(name, arguments)
            assert answer.is_error, (name, arguments)
            assert held(answer)["success"] is False
            assert held(answer)["error"]
        unknown = await client.session.call_tool("no_such_tool", {})
        assert unknown.is_error
        return await client.call_tool("recall", {"query": "staging host"})

    assert "heron" in asked(work, in_process(file)).content[0].text


def test_a_tool_that_crashes_is_answered_as_failed(file: str) -> None:
    class Broken:
        name = "broken"
        description = "breaks"
        parameters: dict[str, Any] = {"type": "object"}  # noqa: RUF012

        def call(self, _: dict[str, Any]) -> dict[str, Any]:
            raise ZeroDivisionError("oh")

    made = adapter.server(adapter.Opened(file), [Broken()])  # type: ignore[list-item]
    answer = asked(lambda client: client.call_tool("broken", {}), made)
    assert answer.is_error
    assert "ZeroDivisionError" in held(answer)["error"]


def test_other_toolsets_are_offered_by_name(file: str) -> None:
    names = {
        tool.name for tool in asked(lambda c: c.list_tools(), in_process(file, "gokin", "ok")).tools
    }
    assert {"memory", "memorize", "pin_context", "history_search", "remember"} <= names


def test_the_server_answers_before_it_looks_at_the_file(tmp_path: Path) -> None:
    nothing = tmp_path / "broken.db"
    nothing.write_bytes(b"not a database, but tools can be listed " * 20)

    async def work(client: Client) -> Any:
        assert (await client.list_tools()).tools
        return await client.call_tool("recall", {"query": "anything"})

    answer = asked(work, in_process(str(nothing)))
    assert answer.is_error
    assert "not a database" in held(answer)["error"]
    nothing.unlink()
    with cogmem.open(nothing) as mem:
        mem.learn("It is back.")
    assert (
        "back"
        in asked(
            lambda client: client.call_tool("recall", {"query": "is it back?"}),
            in_process(str(nothing)),
        )
        .content[0]
        .text
    )


# -- resources and prompts -----------------------------------------------------------------------


def test_a_memory_counts_and_the_last_turn_are_resources(file: str) -> None:
    async def work(client: Client) -> dict[str, Any]:
        listed = [one.uri for one in (await client.list_resources()).resources]
        assert listed == list(adapter.RESOURCES)
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.uri_template for one in templates} == {
            "cogmem://memory/{uid}",
            "cogmem://turn/{turn}",
            "cogmem://document/{+path}",
        }
        texts = {}
        for uri in (
            "cogmem://stats",
            "cogmem://turn/last",
            "cogmem://turn/turn_one",
            "cogmem://memory/deploy",
        ):
            texts[uri] = json.loads((await client.read_resource(uri)).contents[0].text)
        for uri in ("cogmem://memory/none", "cogmem://nowhere", "cogmem://turn/none"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)
        return texts

    texts = asked(work, in_process(file))
    assert texts["cogmem://memory/deploy"]["content"] == "Deploys need a green build."
    assert texts["cogmem://turn/last"] == texts["cogmem://turn/turn_one"]
    shown = [item for item in texts["cogmem://turn/last"]["items"] if item["stage"] == "chosen"]
    assert len(shown) == 2


def test_the_documents_of_the_folder_are_a_resource(file: str, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Use tabs.\n")
    (tmp_path / ".git").mkdir()
    mem = adapter.Opened(file, documents=tmp_path, user_dir="")
    made = adapter.server(mem, ())
    read = asked(lambda client: client.read_resource("cogmem://documents"), made)
    assert "Use tabs." in read.contents[0].text
    path = str(tmp_path / "AGENTS.md")
    for name in ("AGENTS.md", path, path.replace("/", "%2F")):
        uri = f"cogmem://document/{name}"
        one = asked(lambda client, uri=uri: client.read_resource(uri), made)
        assert one.contents[0].text.strip() == "Use tabs."
    ref = types.ResourceTemplateReference(type="ref/resource", uri=adapter.DOCUMENT_ADDRESS)
    done = asked(lambda client: client.complete(ref, {"name": "path", "value": "/"}), made)
    assert done.completion.values == [path]

    async def strays(client: Client) -> None:
        for elsewhere in ("memory.db", "../../etc/passwd", "/etc/passwd"):
            with pytest.raises(MCPError, match="no document"):
                await client.read_resource(f"cogmem://document/{elsewhere}")

    asked(strays, made)


def test_prompts_bring_what_memory_holds(file: str) -> None:
    async def work(client: Client) -> list[str]:
        listed = (await client.list_prompts()).prompts
        assert [one.name for one in listed] == ["recall", "remember", "review"]
        arguments = {
            "recall": {"question": "the staging host?"},
            "remember": {"text": "We use tabs."},
        }
        texts = []
        for one in listed:
            got = await client.get_prompt(one.name, arguments.get(one.name, {}))
            texts.append(got.messages[0].content.text)
        with pytest.raises(MCPError):
            await client.get_prompt("recall", {})
        return texts

    recall, remember, review = asked(work, in_process(file))
    assert "heron" in recall
    assert "We use tabs." in remember
    assert "heron" in review
    assert "green build" in review


def test_f35_no_resource_and_no_completion_tells_of_another_user_s_turns(file: str) -> None:
    with cogmem.open(file, user="bob", project="p", counter=counting.Simple()) as bob:
        uid = bob.learn("Bob keeps a walrus.").uid
        bob.activate("where is my walrus?", turn="turn_of_bob")
    with cogmem.open(file, user="ann", counter=counting.Simple()) as ann:
        last = adapter.resource(ann, "cogmem://turn/last")[1]
        assert json.loads(last)["turn"] == "turn_one"
        assert uid not in last
        assert adapter.completions(ann, adapter.TURN_ADDRESS, "") == ["turn_one"]
        assert uid not in adapter.completions(ann, adapter.MEMORY_ADDRESS, "")
        for address in ("turn/turn_of_bob", f"memory/{uid}"):
            with pytest.raises(cogmem.CogmemError):
                adapter.resource(ann, f"cogmem://{address}")


def test_addresses_are_completed_with_what_there_is(file: str, tmp_path: Path) -> None:
    def begun(address: str, text: str) -> Callable[[Client], Coroutine[Any, Any, Any]]:
        ref = types.ResourceTemplateReference(type="ref/resource", uri=address)
        return lambda client: client.complete(ref, {"name": "uid", "value": text})

    def values(address: str, text: str, path: str = file) -> list[str]:
        found: list[str] = asked(begun(address, text), in_process(path)).completion.values
        return found

    assert values(adapter.MEMORY_ADDRESS, "dep") == ["deploy"]
    assert len(values(adapter.MEMORY_ADDRESS, "mem_")) == 2
    assert values(adapter.TURN_ADDRESS, "") == ["turn_one"]
    assert values("cogmem://stats", "") == []
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"not a database " * 40)
    assert values(adapter.MEMORY_ADDRESS, "", str(broken)) == [], "typing goes on"


def test_calls_that_come_at_once_open_the_file_once(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    real = cogmem.Memory

    def slow(*arguments: Any, **options: Any) -> Any:
        opened.append(arguments)
        time.sleep(0.05)
        return real(*arguments, **options)

    monkeypatch.setattr(cogmem, "Memory", slow)

    async def work(client: Client) -> list[Any]:
        calls = [client.call_tool("recall", {"query": "staging host"}) for _ in range(6)]
        return list(await asyncio.gather(*calls))

    answers = asked(work, in_process(file))
    assert all("heron" in answer.content[0].text for answer in answers)
    assert len(opened) == 1


# -- transports ----------------------------------------------------------------------------------


def test_over_http_the_token_opens_the_door(over_http: str) -> None:
    async def work() -> Any:
        async with httpx2.AsyncClient() as stranger:
            for headers in ({}, {"Authorization": "Bearer no"}):
                refused = await stranger.post(over_http, json={}, headers=headers)
                assert refused.status_code == 401
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as friend:
            rebound = await friend.post(over_http, json={}, headers={"Host": "evil.example"})
            assert rebound.status_code in (403, 421)
            async with Client(streamable_http_client(over_http, http_client=friend)) as client:
                return await client.call_tool("recall", {"query": "staging host"})

    answer = asyncio.run(asyncio.wait_for(work(), 30))
    assert "heron" in answer.content[0].text


def test_over_http_many_clients_are_served_at_once_and_a_bad_one_harms_nobody(
    over_http: str,
) -> None:
    async def one(number: int) -> list[bool]:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as friend:
            junk = await friend.post(
                over_http, content=b"{not json", headers={"content-type": "application/json"}
            )
            assert junk.status_code >= 400
            async with Client(streamable_http_client(over_http, http_client=friend)) as client:
                fact = f"Shelf number {number} holds the maps of year {1900 + number}."
                calls = [
                    await client.call_tool("learn", {"text": fact}),
                    await client.call_tool("learn", {"nonsense": number}),
                    await client.call_tool("recall", {"query": f"shelf {number} maps"}),
                ]
                return [answer.is_error for answer in calls]

    async def work() -> list[list[bool]]:
        return list(await asyncio.gather(*(one(number) for number in range(5))))

    assert asyncio.run(asyncio.wait_for(work(), 120)) == [[False, True, False]] * 5
