"""What a person does on the pages: every button, in a browser, and what it leaves in the file."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import chromium
import pytest
from planted import DAY, plant
from story import NOW

import cogmem
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("datasette") is None,
        reason="Datasette is not here: pip install 'cogmem-sqlite[inspect]'",
    ),
    pytest.mark.skipif(
        chromium.PROGRAM is None, reason="no chromium here: apt-get install chromium"
    ),
]


class Desk(NamedTuple):
    """A browser over a file of its own."""

    path: str
    root: str
    tab: chromium.Browser
    uids: dict[str, str]

    def row(self, name: str) -> Any:
        with cogmem.open(self.path, counter=counting.Simple()) as mem:
            return {one.uid: one for one in mem.list(everywhere=True, limit=0)}.get(self.uids[name])

    def open(self, page: str) -> None:
        self.tab.complaints.clear()
        self.tab.visit(self.root + page)
        self.tab.until("!document.querySelector('[data-load]')")

    def button(self, verb: str, within: str = "main") -> None:
        """Press the button of one form, and land on the page that it leads to."""
        self.tab.click(f"{within} form:has(input[name=verb][value={verb}]) button")
        assert self.tab.complaints == []

    def told(self) -> str:
        return str(
            self.tab.ask("document.querySelector('.told:not([hidden])')?.firstChild.textContent")
        )


def started(path: str, *more: str) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "cogmem", "--db", path, "--json", "inspect", "--no-open", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())["url"]


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Browser]:
    opened = chromium.Browser(tmp_path_factory.mktemp("browser"))
    yield opened
    opened.close()


@pytest.fixture
def desk(tab: chromium.Browser, tmp_path: Path) -> Iterator[Desk]:
    path = str(tmp_path / "m.db")
    uids: dict[str, str] = {}
    mine: dict[str, Any] = {"source": "user_explicit", "trust": 1.0}
    with cogmem.open(path, counter=counting.Simple()) as mem:

        def put(name: str, text: str, **columns: Any) -> None:
            uids[name] = plant(mem, text, columns.pop("kind", "fact"), **{"at": NOW, **columns})

        put("heron", "The staging server is called heron.", **mine)
        for port in ("8080", "9090"):
            detail = {"topic": "staging.port"}
            put(port, f"The staging server listens on port {port}.", detail=detail, **mine)
        put("guess", "Ann may be moving to Oslo.", state="candidate", source="inferred", trust=0.4)
        put("maybe", "Ann may like the sea.", state="candidate", source="inferred", trust=0.4)
        put("junk", "ok ok", source="observed")
        mem.activate("What is the staging server called?", now=NOW, turn="turn_1")
    process, url = started(path)
    tab.look(1280)
    tab.visit(url)
    yield Desk(path, url.partition("/-/")[0], tab, uids)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    with cogmem.open(path) as mem:
        assert mem.file.check() == []


def test_every_button_of_a_memory_does_what_it_says_and_can_be_taken_back(desk: Desk) -> None:
    page = f"/-/look/memory/{desk.uids['heron']}"
    desk.open(page)
    desk.tab.ask(
        "(f => { f.content.value = 'The staging server is called stork.'; f.key.value = 'staging' })"
        "(document.querySelector('form:has([value=edit])'))"
    )
    desk.button("edit")
    row = desk.row("heron")
    assert (row.content, row.key) == ("The staging server is called stork.", "staging")
    assert desk.told() == "Changed."
    words = "[...document.querySelectorAll('.history .change')].map(e => e.innerHTML).join()"
    assert "<del>heron</del><ins>stork</ins>" in desk.tab.ask(words), "word by word"
    for verb, look in (
        ("pin", lambda row: row.priority == 4),
        ("unpin", lambda row: row.priority == 1),
        ("archive", lambda row: row.state == "archived"),
        ("restore", lambda row: row.state == "active"),
    ):
        desk.button(verb)
        assert look(desk.row("heron")), verb
    desk.tab.ask("document.querySelector('form:has([value=move])').user.value = 'ann'")
    desk.button("move")
    assert desk.row("heron").user == "ann"
    desk.button("undo", ".acts")
    assert desk.row("heron").user == "", "the last act is taken back"
    assert desk.told() == "Taken back: 1 memory."


def test_what_was_changed_since_the_page_was_loaded_is_not_overwritten(desk: Desk) -> None:
    desk.open(f"/-/look/memory/{desk.uids['heron']}")
    with cogmem.open(desk.path, counter=counting.Simple()) as mem:
        mem.update(desk.uids["heron"], content="The staging server is called egret.")
    desk.button("archive")
    assert "was changed since this page was loaded" in desk.told()
    assert desk.row("heron").state == "active"


def test_what_is_to_be_forgotten_is_shown_before_it_goes(desk: Desk) -> None:
    desk.open(f"/-/look/memory/{desk.uids['heron']}")
    desk.button("forget")
    assert desk.tab.ask("document.querySelector('h1').textContent") == "Forget for good?"
    assert desk.row("heron").state == "active", "nothing has gone yet"
    desk.button("forget")
    assert desk.told().startswith("Forgotten")
    assert desk.row("heron") is None


def test_a_review_needs_one_key_for_each_decision_and_one_takes_it_back(desk: Desk) -> None:
    def decided(key: str, told: str) -> None:
        desk.tab.press(key)
        desk.tab.until(f"document.querySelector('#done').textContent.startsWith('{told}')")

    def cards() -> int:
        return int(desk.tab.ask("document.querySelectorAll('.card').length"))

    desk.open("/-/look/review")
    there = cards()
    decided("1", "Settled")
    assert cards() == there - 1
    decided("u", "Taken back")
    desk.tab.until(f"document.querySelectorAll('.card').length === {there}")
    decided("b", "Both hold")
    desk.tab.press("s")
    decided("k", "Kept")
    decided("r", "Removed")
    with cogmem.open(desk.path) as mem:
        verbs = [act.verb for act in mem.history.log(limit=4, everywhere=True)]
        assert mem.facts.conflicts() == []
    assert sorted(verbs[:2]) in (["keep", "remove"], ["remove", "restore"])
    assert desk.tab.complaints == []


def test_a_list_is_searched_as_one_types_and_walked_through_by_keys(desk: Desk) -> None:
    desk.open("/-/look/memories")
    first = "document.querySelector('#list li .text')?.textContent"
    desk.tab.press("/")
    for letter in "stork":
        desk.tab.press(letter)
    desk.tab.until("document.querySelector('#list .nothing')")
    desk.tab.ask("document.querySelector('#q').value = ''")
    for letter in "calle":
        desk.tab.press(letter)
    desk.tab.until(f"({first} || '').includes('called heron')")
    assert desk.tab.ask("location.search") == "?q=calle"
    desk.tab.press("Escape")
    desk.tab.press("j")
    assert "called heron" in desk.tab.ask("document.activeElement.textContent")
    assert desk.tab.complaints == []


def test_what_happens_while_somebody_looks_appears_until_it_is_paused(desk: Desk) -> None:
    desk.open("/-/look")
    with cogmem.open(desk.path, counter=counting.Simple()) as mem:
        mem.learn("Lunch is at noon on Fridays.", now=NOW + DAY)
    seen = "document.querySelector('#stream').textContent.includes"
    desk.tab.until(f"{seen}('Lunch is at noon')")
    desk.tab.ask("document.querySelector('#pause').click()")
    assert desk.tab.ask("document.querySelector('#pause').textContent") == "Go on"


def test_what_is_only_looked_at_has_no_button_and_takes_no_form(
    tab: chromium.Browser, tmp_path: Path
) -> None:
    path = str(tmp_path / "m.db")
    with cogmem.open(path, counter=counting.Simple()) as mem:
        uid = mem.learn("The staging server is called heron.", now=NOW).uid
    process, url = started(path, "--read-only")
    root = url.partition("/-/")[0]
    tab.visit(url)
    for page in (f"memory/{uid}", "review", "nights"):
        tab.visit(f"{root}/-/look/{page}")
        assert tab.ask("document.querySelectorAll('form[method=post]').length") == 0, page
    posted = "fetch('/-/look/act', {method: 'POST', body: new URLSearchParams({verb: 'remove'})})"
    tab.ask(f"{posted}.then(r => document.title = String(r.status))")
    tab.until("document.title === '403'")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)


def test_an_edit_that_is_refused_keeps_what_was_typed(desk: Desk) -> None:
    desk.open(f"/-/look/memory/{desk.uids['heron']}")
    secret = "ghp_" + "4tQ9xLm2Vb7Rk1Ws8Yd3Hc6Nf5Zj0Pa2Ge9T"
    desk.tab.ask(f"document.querySelector('textarea').value = 'The token is {secret}', 0")
    desk.tab.click("form:has(input[name=verb][value=edit]) button")
    assert "a secret" in desk.told()
    assert secret in str(desk.tab.ask("document.querySelector('textarea').value"))
    desk.tab.ask(
        "document.querySelector('textarea').value = 'The staging server is called crane.', 0"
    )
    desk.tab.complaints.clear()  # the browser names the refusal
    desk.button("edit")
    assert "crane" in desk.row("heron").content


def test_a_person_remembers_a_sentence_and_takes_it_back(desk: Desk) -> None:
    desk.open("/-/look/memories")
    desk.tab.ask("document.querySelector('details.act').open = true")
    desk.tab.ask("document.querySelector('.panel textarea').value = 'Invoices go out on Mondays.'")
    desk.button("learn")
    assert "Remembered." in desk.told()
    with cogmem.open(desk.path, counter=counting.Simple()) as mem:
        assert [one.kind for one in mem.recall("invoices", strengthen=False)] == ["fact"]
    desk.button("undo", ".told")
    assert "Taken back: 1 memory." in desk.told()
    with cogmem.open(desk.path, counter=counting.Simple()) as mem:
        assert mem.recall("invoices") == []


def test_what_is_ticked_is_archived_in_one_act_that_one_undo_takes_back(desk: Desk) -> None:
    with cogmem.open(desk.path, counter=counting.Simple()) as mem:
        uids = [mem.learn(f"Shelf {name} holds screws.").uid for name in ("oak", "pine")]
    desk.open("/-/look/memories")
    assert desk.tab.ask("getComputedStyle(document.querySelector('#several')).display") == "none"
    for uid in uids:
        desk.tab.ask(f"document.querySelector('input[value={uid}]').click()")
    desk.tab.click("#several button[value=archive_all]")
    assert "Archived: 2 memories." in desk.told()
    desk.button("undo", ".told")
    with cogmem.open(desk.path, counter=counting.Simple()) as mem:
        assert [mem.get(uid).state for uid in uids] == ["active", "active"]
