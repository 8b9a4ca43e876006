"""`cogmem inspect`: only who has the key looks, only our forms change anything, nothing is loaded from elsewhere.

Modules: __main__, ask, files, memories, metadata, nights, now, page, pages, review, timeline,
topics, turns.
"""

from __future__ import annotations

import asyncio
import csv
import html
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import chromium
import pytest
from click.testing import CliRunner
from processes import ran
from space import new_space
from story import NOW, QUESTIONS, tell

import cogmem
from cogmem.cli.app import app
from cogmem.errors import InvalidInput
from cogmem.file import sql
from cogmem.inspect import metadata, server
from cogmem.strength import DAY_MS
from cogmem.text.lines import told_day
from cogmem.tokens import counting
from cogmem.tools.toolset import toolset

if TYPE_CHECKING:
    from collections.abc import Iterator

needs_datasette = pytest.mark.skipif(
    find_spec("datasette") is None,
    reason="Datasette is not here: pip install 'cogmem-sqlite[inspect]'",
)
needs_chromium = pytest.mark.skipif(
    chromium.PROGRAM is None, reason="no chromium here: apt-get install chromium"
)
READABLE = (Path(__file__).parent / "readable.js").read_text(encoding="utf-8")
EVIL = (
    "<script>document.title='caught'</script><img src=http://evil.example/x onerror=alert(1)> heron"
)


# -- what Datasette is told ----------------------------------------------------------------------


def test_every_view_for_people_and_every_durable_table_is_described() -> None:
    db = new_space()
    db.execute("create table derivation (type, name, version)")
    told = metadata.metadata(db.all(sql.statement("inspect.objects")))["databases"]["memory"]
    db.close()
    for name in (*metadata.views(), "memory", "activation", "change", "message"):
        assert len(told["tables"][name]["description"]) > 15, name
    assert "never used twice" in told["tables"]["memory"]["columns"]["id"]
    assert {"belief", "turn_cost", "conflict", "semantic_memory"} <= metadata.views().keys()


def test_facets_and_orders_name_columns_that_are_there() -> None:
    db = new_space()
    for table, columns in metadata.FACETS.items():
        there = {row[1] for row in db.all(f'pragma table_xinfo("{table}")')}
        assert set(columns) <= there, table
    for table, column in metadata.NEWEST_FIRST.items():
        assert column in {row[1] for row in db.all(f'pragma table_xinfo("{table}")')}
    db.close()


def test_every_question_has_a_heading_and_asks_for_what_its_sql_uses() -> None:
    asked = metadata.questions()
    assert {"why_shown", "why_left_out", "last_night", "history", "search"} <= asked.keys()
    for name, question in asked.items():
        assert question["title"][-1] in "?.", name
        assert set(question["params"]) == set(sql.parameters(question["sql"])), name
        assert not question["sql"].startswith("--")


# -- who may look --------------------------------------------------------------------------------


async def _inner(scope: dict[str, Any], _receive: Any, send: Any) -> None:
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"public")]}
    )
    await send({"type": "http.response.body", "body": scope["path"].encode()})


def answer(
    path: str = "/memory",
    *,
    method: str = "GET",
    body: bytes = b"",
    is_read_only: bool = False,
    **headers: str,
) -> tuple[int, dict[str, str]]:
    """Status and headers that the guard gives; the key is `k`, the port 8001."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    route, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": route,
        "query_string": query.encode(),
        "headers": [
            (name.encode(), value.encode())
            for name, value in {"host": "127.0.0.1:8001", **headers}.items()
        ],
    }
    guarded = server.guarded(_inner, "k", 8001, is_read_only=is_read_only)
    asyncio.run(guarded(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found


def test_without_the_key_nobody_gets_in() -> None:
    assert answer()[0] == 403
    assert answer(cookie="cogmem-8001=other")[0] == 403
    assert answer(cookie="cogmem-8002=k")[0] == 403
    assert answer("/memory?key=wrong")[0] == 403
    assert answer(authorization="Bearer x")[0] == 403
    assert answer("/memory?key=%C3%A9")[0] == 403


def test_the_key_is_taken_once_kept_in_a_cookie_and_leaves_the_address() -> None:
    status, headers = answer("/-/look/try?prompt=tea%20%26%20cake&key=k")
    assert (status, headers["location"]) == (303, "/-/look/try?prompt=tea+%26+cake")
    assert headers["set-cookie"] == "cogmem-8001=k; HttpOnly; SameSite=Strict; Path=/"
    assert answer(cookie="a=b; cogmem-8001=k")[0] == 200
    assert answer(authorization="Bearer k")[0] == 200


def test_a_page_of_the_web_that_points_its_name_here_is_refused() -> None:
    assert answer(host="evil.example:8001", cookie="cogmem-8001=k")[0] == 421
    assert answer(host="127.0.0.1:9999", cookie="cogmem-8001=k")[0] == 421
    assert answer(host="localhost:8001", cookie="cogmem-8001=k")[0] == 200


def test_every_answer_forbids_to_load_from_elsewhere_and_to_be_kept() -> None:
    _, headers = answer(cookie="cogmem-8001=k")
    assert headers["content-security-policy"].startswith("default-src 'self'")
    assert "http" not in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "same-origin"


def test_a_change_wants_the_key_a_page_of_this_address_and_its_token() -> None:
    token = server.token_of("k")
    post: dict[str, Any] = {
        "method": "POST",
        "cookie": "cogmem-8001=k",
        "origin": "http://127.0.0.1:8001",
        "body": f"token={token}&verb=keep".encode(),
    }
    assert answer("/-/look/act", **post)[0] == 200
    assert answer("/-/look/act", **{**post, "cookie": ""})[0] == 403
    assert answer("/-/look/act", **{**post, "origin": "http://evil.example"})[0] == 403
    assert answer("/-/look/act", **{**post, "origin": "null"})[0] == 403
    assert answer("/-/look/act", **{**post, "body": b"verb=keep"})[0] == 403
    assert answer("/-/look/act", **{**post, "body": b"token=k&verb=keep"})[0] == 403
    assert answer("/-/look/act", **{**post, "body": b"x" * (server.LARGEST + 1)})[0] == 413
    assert answer("/-/look/act", **post, is_read_only=True)[0] == 403
    del post["origin"]
    assert answer("/-/look/act", **post)[0] == 403


def test_our_pages_run_no_script_but_their_file() -> None:
    _, headers = answer("/-/look/memories", cookie="cogmem-8001=k")
    assert "script-src 'self';" in headers["content-security-policy"]


def test_a_free_port_is_found_and_a_taken_one_is_named() -> None:
    with server.listening(None) as first, server.listening(None) as second:
        assert first.getsockname()[0] == second.getsockname()[0] == "127.0.0.1"
        assert first.getsockname()[1] != second.getsockname()[1]
        with pytest.raises(InvalidInput, match="is taken: name another"):
            server.listening(second.getsockname()[1])


def test_the_command_says_what_to_install_and_that_a_file_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = str(tmp_path / "no.db")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    told = CliRunner().invoke(app, ["--db", missing, "inspect"], prog_name="cogmem")
    assert told.exit_code == 1
    assert "pip install 'cogmem-sqlite[inspect]'" in told.output
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    told = CliRunner().invoke(app, ["--db", missing, "inspect"], prog_name="cogmem")
    assert "there is no memory at" in told.output


# -- the real thing ------------------------------------------------------------------------------


class Site(NamedTuple):
    """A server over the story, and how to ask it."""

    path: str
    url: str
    uids: dict[str, str]
    process: subprocess.Popen[str]

    @property
    def root(self) -> str:
        return self.url.partition("/-/")[0]

    def get(self, path: str) -> tuple[int, str]:
        key = self.url.partition("key=")[2]
        request = urllib.request.Request(
            self.root + path, headers={"Authorization": f"Bearer {key}"}
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def rows(self, path: str) -> list[dict[str, Any]]:
        status, body = self.get(path)
        assert status == 200, body
        found: list[dict[str, Any]] = json.loads(body)
        return found


def started(path: str, *, as_json: bool = True) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "cogmem",
            "--db",
            path,
            *(["--json"] if as_json else []),
            "inspect",
            "--no-open",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        assert process.stderr is not None
        pytest.fail(process.stderr.read())
    return process, json.loads(line)["url"] if as_json else line.strip()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    path = str(tmp_path_factory.mktemp("story") / "story.db")
    uids = tell(path)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        uids["evil"] = tell_evil(mem)
        tell_of_a_file(mem, uids)
    process, url = started(path)
    yield Site(path, url, uids, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, ""), err
    # Datasette repeats the SQL that a person mistyped, and nothing that was read.
    assert [line for line in err.splitlines() if not line.startswith("ERROR: conn=")] == []
    assert "heron" not in err
    with cogmem.open(path) as mem:
        assert mem.file.check() == []


def tell_evil(mem: cogmem.Memory) -> str:
    """A memory that would like to be a page."""
    from planted import plant

    return plant(mem, EVIL, at=NOW)


def tell_of_a_file(mem: cogmem.Memory, uids: dict[str, str]) -> None:
    """A commit and the reason that it gave, which a later one set right, and a rule by path."""
    from planted import plant

    touched = {"paths": ["src/upload.py"], "weight": 2}
    said = "Limit uploads to 2 GB: the proxy buffers whole bodies. (commit 15214291, 2027-02-01)"
    later = "Limit uploads to 8 GB: the proxy streams now. (commit 25214292, 2027-02-09)"
    uids["later"] = plant(mem, later, "rationale", at=NOW - 2, data=touched)
    uids["reason"] = plant(mem, said, "rationale", at=NOW - 3, data=touched)
    over = {"uid": uids["reason"], "ends": NOW - 2, "successor": uids["later"]}
    mem.db.write([("repository.close", over)], verb="git", at=NOW)
    uids["rule"] = plant(
        mem, "Sizes are bytes.", "convention", at=NOW - 4, path_glob="src/upload.py"
    )


@needs_datasette
def test_a_file_has_its_story_on_a_page(site: Site) -> None:
    status, listed = site.get("/-/look/files")
    assert status == 200
    assert 'href="/-/look/files?file=src%2Fupload.py"' in listed
    assert "Nothing is known" in site.get("/-/look/files?q=elsewhere")[1]
    _, story = site.get("/-/look/files?file=src%2Fupload.py")
    places = [story.index(site.uids[name]) for name in ("later", "reason", "rule")]
    assert places == sorted(places), "the newest stands first"
    assert story.count("set right since") == 1


@needs_datasette
def test_marks_of_the_timeline_open_what_happened_then(site: Site) -> None:
    status, shown = site.get("/-/look/timeline")
    assert status == 200
    ways = re.findall(r'<a href="(/-/look/timeline[^"#]*)#lines" aria-label="(\d+) ', shown)
    with cogmem.open(site.path, read_only=True) as mem:
        asked = {"project": "", "user": "", "limit": 3000}
        assert sum(int(count) for _, count in ways) == len(mem.db.rows("inspect.timeline", asked))
    for way, count in ways:
        _, opened = site.get(html.unescape(way))
        assert f'<h2 id="lines">{count} entr' in opened, way
    assert "replaced since" in shown
    assert "Nothing happened here yet" in site.get("/-/look/timeline?project=nowhere")[1]


@needs_datasette
def test_a_topic_of_the_map_opens_the_memories_that_hold_it(site: Site) -> None:
    status, shown = site.get("/-/look/topics")
    assert status == 200
    ways = re.findall(r'<a href="([^"]*)" aria-label="([^:"]+): (\d+) memor', shown)
    assert "staging" in {word for _, word, _ in ways}
    for way, word, count in ways:
        _, opened = site.get(html.unescape(way))
        assert opened.count('<p class="text">') >= int(count) > 1, word
    assert "nothing to show yet" in site.get("/-/look/topics?project=nowhere")[1]


@needs_datasette
def test_pages_show_one_owner_and_facets_follow_what_is_searched(site: Site) -> None:
    for page in ("sessions", "turns", "files", "timeline", "topics", "review"):
        status, body = site.get(f"/-/look/{page}?user=nobody")
        assert (status, "Only of nobody" in body) == (200, True), page
        assert "heron" not in body, page
    _, searched = site.get("/-/look/memories?q=heron")
    kinds = re.findall(r'kind=\w+&amp;q=heron"[^>]*>(\w+) <span>(\d+)</span>', searched)
    with cogmem.open(site.path, read_only=True) as mem:
        found = mem.db.rows("inspect.held_of", {"words": "heron", "user": "", "project": ""})
    held = sum(one["memories"] for one in found if one["state"] != "deleted")
    assert sum(int(count) for _, count in kinds) == held > 0


@needs_datasette
def test_an_answer_looks_like_the_other_pages_and_an_unknown_question_is_named(site: Site) -> None:
    policy = site.uids["policy"]
    status, body = site.get(f"/-/look/ask?question=history&memory={policy}")
    assert (status, 'class="answers"' in body, "insert" in body) == (200, True, True)
    status, body = site.get("/-/look/ask?question=nothing")
    assert (status, "no question is called" in body) == (404, True)


@needs_datasette
def test_what_a_model_changed_is_told_run_by_run_with_what_it_was_asked_for(tmp_path: Path) -> None:
    from cogmem.models.recorded import Scripted

    note = {
        "kind": "decision",
        "text": "The heron gets a second disk.",
        "messages": [0],
        "names": ["heron"],
    }
    path = str(tmp_path / "noted.db")
    with cogmem.open(path, counter=counting.Simple()) as mem:
        for span in ("day", "run"):
            mem.store.set_setting(f"model_calls_per_{span}", "9", now=NOW)
        mem.conversation("monday").append("user", "The heron gets a second disk.", at=NOW)
        model = Scripted(json.dumps({"notes": [note]}))
        [run] = mem.notes.read("monday", model=model, now=NOW + 9).runs
    process, url = started(path)
    site = Site(path, url, {}, process)
    status, body = site.get("/-/look/nights/model")
    assert status == 200
    for told in (run, "monday", "The heron gets a second disk.", "noted", "scripted"):
        assert told in body
    assert "Notes" in site.get(f"/-/look/run/{run}")[1]
    assert "Keep what a model noted" in site.get("/-/look/nights")[1]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)


PAGES = (
    "/-/look", "/-/look/memories", "/-/look/memories?q=the+staging&kind=fact", "/-/look/memory/mem_0000000000000001",
    "/-/look/memory/mem_0000000000000008", "/-/look/turns", "/-/look/turn/turn_0000000000001b00",
    "/-/look/turn/turn_0000000000001b00?exact=1", "/-/look/try?prompt=Where%20is%20the%20heron%3F",
    "/-/look/sessions", "/-/look/session?name=monday&user=ann", "/-/look/nights", "/-/look/nights/model",
    "/-/look/review", "/-/look/ask",
    "/-/look/files", "/-/look/files?file=src/upload.py", "/-/look/timeline",
    "/-/look/topics", "/-/look/ask?question=history&memory=mem_0000000000000001", "/-/look/sessions?user=ann",
    "/memory", "/memory/memory", "/memory/belief", "/memory/turn_item", "/memory/left_out", "/memory/night_change",
    "/memory/change", "/memory/activation", "/memory/search?words=heron",
)  # fmt: skip


@needs_datasette
@pytest.mark.parametrize("page", PAGES)
def test_no_page_refers_to_anything_elsewhere_and_no_memory_becomes_markup(
    site: Site, page: str
) -> None:
    status, body = site.get(page)
    assert status == 200, body
    assert "<script>document.title='caught'" not in body
    assert "<img src=http://evil" not in body
    loaded = re.findall(
        r"""<(?:script|img|link|iframe|source|embed)\b[^>]*?(?:src|href)=["']?([^"' >]+)""", body
    )
    assert [one for one in loaded if not one.startswith(("/", "data:", site.root + "/"))] == []
    assert re.findall(r"url\((?!['\"]?(?:data:|/))", body) == []


@needs_datasette
def test_every_view_and_table_can_be_looked_at(site: Site) -> None:
    _, body = site.get("/memory?_show_hidden=1")
    names = set(re.findall(r'href="/memory/(\w+)"', body)) - metadata.questions().keys()
    assert metadata.views().keys() | {"memory", "activation", "change"} <= names
    failed = {name: site.get(f"/memory/{name}?_size=1")[0] for name in names}
    assert {name: status for name, status in failed.items() if status != 200} == {}


@needs_datasette
def test_every_link_of_the_opening_page_leads_somewhere_and_the_newest_stands_first(
    site: Site,
) -> None:
    _, body = site.get("/-/look/ask")
    links = {html.unescape(link) for link in re.findall(r'href="(/[^"]*)"', body)}
    forms = set(re.findall(r'<form action="([^"]*)"', body))
    for page in ("", "/memories", "/turns", "/sessions", "/nights", "/review"):
        found = site.get(f"/-/look{page}")[1]
        links |= {html.unescape(link) for link in re.findall(r'href="(/[^"]*)"', found)}
    assert len(links) > 80
    assert "/-/look/ask" in forms
    assert set(re.findall(r'name="question" value="(\w+)"', body)) == metadata.questions().keys()
    assert {link: site.get(link)[0] for link in links | forms if site.get(link)[0] != 200} == {}
    turns = site.rows("/memory/turn_cost.json?_shape=array")
    assert turns[0]["activation_id"] > turns[-1]["activation_id"]


@needs_datasette
def test_a_memory_leads_to_its_turns_and_to_its_evidence(site: Site) -> None:
    _, listed = site.get("/memory/belief")
    policy = site.uids["policy"]
    assert f'<a href="/-/look/memory/{policy}">{policy}</a>' in listed
    _, page = site.get(f"/-/look/memory/{policy}")
    assert "Deploys need a green build." in page
    turn = re.search(r'href="(/-/look/turn/turn_\w+)"', page)
    assert turn
    _, told = site.get(turn[1])
    assert any(question in told for question in QUESTIONS)
    assert "Deploys need a green build." in told
    failed = site.uids["failed"]
    assert f'href="/-/look/memory/{failed}"' in page, "what it was derived from"
    _, evidence = site.get(f"/-/look/memory/{failed}")
    message = re.search(r'href="(/memory/message/\d+)"', evidence)
    assert message
    assert "The migration failed since the index was missing." in site.get(message[1])[1]
    assert f'href="/-/look/memory/{policy}"' in evidence, "what it bears out"


@needs_datasette
def test_the_questions_answer(site: Site) -> None:
    def asked(question: str, **params: str) -> list[dict[str, Any]]:
        query = urllib.parse.urlencode({**params, "_shape": "array"})
        return site.rows(f"/memory/{question}.json?{query}")

    shown = asked("why_shown", memory="called heron")
    assert {row["ref"] for row in shown} == {site.uids["heron"]}
    assert shown == asked("why_shown", memory=site.uids["heron"])
    assert {row["why"] for row in asked("why_left_out", memory=site.uids["old"])} == {
        "a newer fact took its place"
    }
    night = asked("last_night", night="")
    assert night == asked("last_night", night="2027-01-19")
    assert {"faded", "merged"} <= {row["because"] for row in night}
    seen = {row["uid"] for row in asked("who_sees", user="ann", project="")}
    assert site.uids["tea"] in seen
    assert site.uids["tea"] not in {row["uid"] for row in asked("who_sees", user="", project="")}
    assert site.uids["policy"] in {row["uid"] for row in asked("search", words='deploying "build')}
    assert asked("search", words=" ") == []
    held = {row["uid"] for row in asked("believed_on", day="2027-01-16")}
    assert site.uids["old"] in held
    assert site.uids["logo"] not in held
    assert asked("history", memory=site.uids["policy"])[-1]["action"] == "insert"
    assert site.uids["junk"] in {row["uid"] for row in asked("fading", day="2027-12-31")}
    assert [row["calls"] for row in asked("model_cost", month="2027-02")] == [1, 2]
    assert asked("why_shown", memory="") == []


@needs_datasette
def test_a_prompt_that_is_tried_shows_what_an_agent_would_get_now_and_then_and_records_nothing(
    site: Site,
) -> None:
    before = site.rows("/memory/activation.json?_shape=array&_size=max")
    prompt = urllib.parse.quote("How do I deploy to the staging server?")
    at = "2027-02-12T08:00"
    _, page = site.get(
        f"/-/look/try?prompt={prompt}&user=ann&budget=200&file=cmd/main.go&as_of={at}"
    )
    for line in (
        "- Deploys need a green build.",
        "- Ann prefers green tea",
        "- Use tabs in Go files.",
    ):
        assert line in page
    assert re.search(r"\d+ of 200 tokens", page)
    assert "a budget is a number" in site.get("/-/look/try?prompt=a&budget=many")[1]
    assert (
        "which is not an instant: write it like" in site.get("/-/look/try?prompt=a&as_of=soon")[1]
    )
    assert "- Ann prefers" not in site.get(f"/-/look/try?prompt={prompt}&as_of={at}")[1]
    earlier = site.get(f"/-/look/try?prompt={prompt}&as_of=2027-01-17T12:00")[1]
    assert "- The staging server listens on port 8080." in earlier
    assert "- The staging server listens on port 9090." not in earlier, "it came the day after"
    assert site.rows("/memory/activation.json?_shape=array&_size=max") == before


@needs_datasette
def test_nothing_can_be_written_and_faults_are_told_without_what_was_read(site: Site) -> None:
    for statement in (
        "delete from memory",
        "pragma user_version = 9",
        "with k as (select 'k' as k) insert into kind (name, layer, meaning) select k, 'semantic', k"
        " from k",
        "attach 'x' as y",
    ):
        status, body = site.get("/memory?" + urllib.parse.urlencode({"sql": statement}))
        assert status == 400, body
    status, body = site.get("/memory?sql=select+no_such_thing+from+memory")
    assert (status, "no such column" in body) == (400, True)
    for name in ("mem_ffffffffffffffff", "mem_0", "the-build"):
        status, body = site.get(f"/-/look/memory/{name}")
        assert (status, f"no memory is called {name}" in body) == (404, True)
    assert "no job run is called run_0" in site.get("/-/look/run/run_0")[1]
    assert site.get("/-/look/turn/none")[0] == 404
    assert site.get("/memory.db")[0] in (403, 404), "the file itself is not handed out"


@needs_datasette
def test_others_write_while_it_is_open_and_it_sees_what_they_wrote(site: Site) -> None:
    before = site.rows("/memory/holding.json?_shape=array")
    with cogmem.open(site.path, counter=counting.Simple()) as mem:
        uid = mem.learn("Written while somebody looks.", now=NOW + 1).uid
    assert "Written while somebody looks." in site.get(f"/-/look/memory/{uid}")[1]
    assert site.rows("/memory/holding.json?_shape=array") != before


@needs_datasette
def test_every_door_tells_the_same_line_of_a_memory(tmp_path: Path) -> None:
    """A turn, a search, a tool, an export in three forms and a page."""
    path, begun = str(tmp_path / "m.db"), time.time_ns() // 1_000_000 - 2 * DAY_MS
    later = begun + 2 * DAY_MS
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Our staging host is heron", key="auto.host", now=begun)
        uids = [
            mem.learn("8081", key="port", now=begun).uid,
            mem.capture("I'm allergic to walnuts.", now=begun).learned[0].uid,
            mem.episode(
                "The nightly import broke", "rolled back", happened_at=begun, now=begun
            ).uid,
            mem.procedure("restore-db", ["stop the writers", "copy the file"], now=begun).uid,
            mem.learn("The badge printer prints for heron", now=begun).uid,
        ]
        mem.tried("restore-db", success=True, now=begun)
        mem.tried("restore-db", success=False, reason="no such host", now=begun)
        mem.learn("We replaced heron with crane", now=begun + DAY_MS)
        first, second = told_day(begun), told_day(begun + DAY_MS)
        lines = [mem.get(uid, now=later).line for uid in uids]
        assert lines == [
            "port: 8081",
            f"The user: “I'm allergic to walnuts” ({first})",
            f"The nightly import broke (rolled back, {first})",
            "restore-db: stop the writers → copy the file"
            f" (worked 1 of 2, last {first}, which failed: no such host)",
            f"The badge printer prints for heron (check: heron was replaced on {second})",
        ]
        asked = [
            "Which port is it?",
            "Am I allergic to walnuts?",
            "Why did the nightly import break?",
            "How do I restore-db?",
            "What does the badge printer print for?",
        ]
        recall = tool("default", mem, "recall")
        whole = tool("default", mem, "expand")
        told = [json.loads(piece) for piece in mem.file.export()]
        of_json = {one["uid"]: one for one in told if one.get("table") == "memory"}
        sheet = csv.DictReader(io.StringIO("".join(mem.file.export(form="csv"))))
        of_csv = {row["uid"]: row["line"] for row in sheet}
        page = "".join(mem.file.export(form="md", now=later)).splitlines()
        for uid, line, prompt in zip(uids, lines, asked, strict=True):
            assert line in mem.activate(prompt, now=later).text
            found = {one.uid: one.text for one in mem.recall(prompt, now=later)}
            assert found[uid] == line
            listed = {one.uid: one.text for one in mem.recall("", now=later)}
            assert listed[uid] == line
            answer = recall({"query": prompt})["memories"]
            assert {one["uid"]: one["content"] for one in answer}[uid] == line
            assert whole({"uid": uid})["line"] == line
            assert of_json[uid]["line"] == line
            assert of_csv[uid] == line
            assert f"- {line}" in page
    process, url = started(path)
    site = Site(path, url, {}, process)
    _, listing = site.get("/-/look/memories")
    for uid, line in zip(uids, lines, strict=True):
        assert line in html.unescape(listing)
        assert line in html.unescape(site.get(f"/-/look/memory/{uid}")[1])
    assert lines[-1] in html.unescape(site.get("/-/look/review")[1])
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)


def tool(name: str, mem: cogmem.Memory, called: str) -> Any:
    return next(one.call for one in toolset(name, mem) if one.name == called)


@needs_datasette
def test_a_file_that_may_only_be_read_can_be_looked_at(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    with cogmem.open(path, counter=counting.Simple()) as mem:
        uid = mem.learn("Read me.", now=NOW).uid
    os.chmod(path, 0o444)
    process, url = started(path, as_json=False)
    try:
        status, body = Site(path, url, {}, process).get(f"/-/look/memory/{uid}")
        assert (status, "Read me." in body) == (200, True)
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")


@needs_datasette
def test_a_file_of_an_earlier_version_that_cannot_be_written_says_what_to_do(
    tmp_path: Path,
) -> None:
    import apsw

    path = str(tmp_path / "m.db")
    with cogmem.open(path) as mem:
        mem.file.show()
    old = apsw.Connection(path)
    old.execute("drop view belief")
    old.close()
    told = ran([sys.executable, "-m", "cogmem.inspect", path])
    assert told.returncode == 1
    assert "run `cogmem doctor` where it may" in told.stderr


# -- as a person sees it -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Browser]:
    opened = chromium.Browser(tmp_path_factory.mktemp("browser"))
    yield opened
    opened.close()


@pytest.mark.slow
@needs_datasette
@needs_chromium
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_pages_fit_the_screen_load_nothing_else_complain_of_nothing_and_can_be_read(
    site: Site, browser: chromium.Browser, width: int, dark: bool, tmp_path: Path
) -> None:
    browser.look(width, dark=dark)
    browser.visit(site.url)
    assert browser.ask("location.search") == "", "the key is not left in the address"
    kept = os.environ.get("COGMEM_PICTURES")
    for number, page in enumerate((*PAGES, f"/-/look/memory/{site.uids['evil']}")):
        browser.fetched.clear()
        browser.complaints.clear()
        browser.visit(site.root + page)
        browser.until("!document.querySelector('[data-load]')")
        assert browser.ask("document.documentElement.scrollWidth") <= width, page
        assert [
            url for url in browser.fetched if not url.startswith((site.root + "/", "data:"))
        ] == []
        assert browser.complaints == [], page
        assert browser.ask("document.title") != "caught"
        if page.startswith("/-/look"):
            assert browser.ask(f"({READABLE})()") == {"faint": [], "nameless": []}, page
        if kept:  # for somebody who wants to look
            name = f"{number:02}-{width}-{'dark' if dark else 'light'}.png"
            browser.picture(tmp_path.__class__(kept) / name)


@pytest.mark.slow
@needs_datasette
@needs_chromium
def test_letters_are_large_enough_on_a_phone_and_pictures_follow_a_dark_screen(
    site: Site, browser: chromium.Browser
) -> None:
    def paper() -> str:
        return str(browser.ask("getComputedStyle(document.querySelector('svg.plot .paper')).fill"))

    browser.look(390)
    browser.visit(site.url)
    browser.visit(site.root + "/-/look/ask")
    browser.until("document.querySelectorAll('.pictures svg').length == 5")
    tall = "Math.min(...[...document.querySelectorAll('svg text')].map(t => t.getBoundingClientRect().height))"
    assert browser.ask(tall) >= 9
    light = paper()
    browser.look(390, dark=True)
    browser.visit(site.root + "/-/look/ask")
    browser.until("document.querySelectorAll('.pictures svg').length == 5")
    assert (light, paper()) == ("rgb(255, 255, 255)", "rgb(20, 24, 29)")


# -- what a newcomer meets -------------------------------------------------------------------------


@pytest.mark.slow
@needs_datasette
def test_a_page_says_words_and_never_a_list_of_the_program_s_own(site: Site) -> None:
    for page in PAGES:
        body = site.get(page)[1]
        assert not re.search(r"\[\{(&#39;|'|&#34;)", body), page
        assert 'class="told">[' not in body, page
    status, body = site.get("/-/look/nothere")
    assert (status, "There is no page /-/look/nothere." in body) == (404, True)


@pytest.mark.slow
@needs_datasette
def test_a_message_that_is_tried_shows_what_would_be_kept_and_keeps_nothing(site: Site) -> None:
    before = site.rows("/memory.json?sql=select+count(*)+from+memory&_shape=array")
    body = site.get("/-/look/try?as=message&prompt=Never+push+to+main+on+Fridays.")[1]
    assert "1 memory would be kept" in body
    assert "is kept at once · for everyone" in body
    assert "Nothing would be kept" in site.get("/-/look/try?as=message&prompt=thanks")[1]
    assert site.rows("/memory.json?sql=select+count(*)+from+memory&_shape=array") == before


@pytest.mark.slow
@needs_datasette
def test_the_day_is_told_with_its_health(site: Site) -> None:
    body = site.get("/-/look/today")[1]
    assert re.search(r"no night has run yet|last night \d+ (h|days) ago", body)
    assert "to review" in body
    assert "fade within a month" in body


AXE = Path(sys.prefix) / "axe" / "axe.min.js"


@pytest.mark.slow
@needs_datasette
@needs_chromium
@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: make test-inspect fetches it")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_serious_on_any_page(
    site: Site, browser: chromium.Browser, width: int, dark: bool
) -> None:
    browser.look(width, dark=dark)
    browser.visit(site.url)
    found = {}
    for page in (one for one in PAGES if one.startswith("/-/look")):
        browser.visit(site.root + page)
        browser.until("!document.querySelector('[data-load]')")
        browser.ask(AXE.read_text(encoding="utf-8") + ";0")
        browser.ask("axe.run().then(r => { window.axed = JSON.stringify(r.violations) }) && 0")
        browser.until("window.axed")
        found[page] = [
            (one["id"], [node["html"][:120] for node in one["nodes"]][:3])
            for one in json.loads(browser.ask("window.axed"))
            if one["impact"] in ("serious", "critical")
        ]
    assert {page: faults for page, faults in found.items() if faults} == {}


@needs_datasette
def test_what_came_of_a_memory_stands_on_its_page_and_beside_the_turns(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    with cogmem.open(path, counter=counting.Simple()) as mem:
        uid = mem.learn("The staging server is heron behind the bastion.", now=NOW).uid
        mem.activate("Which is the staging server?", session="s", now=NOW + 1)
        talk = mem.conversation("s")
        talk.append("assistant", "It is heron, behind the bastion.", at=NOW + 2)
        mem.nightly(now=NOW + 86_400_000)
    process, url = started(path)
    try:
        for page in (f"/-/look/memory/{uid}", "/-/look/turns"):
            status, body = Site(path, url, {}, process).get(page)
            assert (status, "shown 1 time, followed 1" in body) == (200, True), page
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
