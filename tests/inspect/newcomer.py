"""Walks every command and every page as a newcomer does, and counts what failed: `make newcomer`, in Chromium.

A command must explain itself, answer on a new file as on one with a story, and tell a fault in a sentence that
says what to do. A page must load, fit a phone and a desk, complain of nothing and load nothing from elsewhere;
every link on it is followed. `--pictures` takes those of docs/how-to/inspect-pictures.md (`make docs-pictures`).

The memory in them is the story of the tests with one busy morning after it, so that they are the same every time, but
for the milliseconds that turns took.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import chromium
import click
from click.testing import CliRunner
from planted import DAY
from story import NOW, tell

import cogmem
from cogmem.cli.app import MEANT, SECTIONS, UNSAID, app
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "inspect"
MINUTE = 60_000
MORNING = NOW + DAY
TALK = (
    ("user", "The nightly import failed again. Where do its logs go?"),
    ("assistant", "To /var/log/import on heron. The last line says that the disk is full."),
    ("user", "From now on keep only seven days of import logs."),
    ("assistant", "Done: logrotate keeps seven days, and the import runs again."),
    (
        "user",
        "The API listens on port 8081 now. The key for it is sk-ant-api03-" + "Zk9" * 30 + ".",
    ),
    ("assistant", "Noted. I keep no key, and use the port from here on."),
)
PASSING = (
    "The lift of building B is out of order.", "The fair in Lyon has a stand for us.", "Room 4 smells of paint.",
    "The trial of the label printer runs until summer.", "Visitors get the blue badge.",
    "The old fax still takes orders.",
)  # fmt: skip
PROMPTS = (
    ("Where do the logs of the import go?", "ann"),
    ("thanks, looks good", "ann"),
    ("What is the staging server called?", ""),
    ("How do I deploy to the staging server?", ""),
    ("Write a haiku about the sea", "ann"),
    ("Which tea does Ann like in the garden?", "ann"),
)
PAGES = {
    "now": "/-/look",
    "memories": "/-/look/memories?q=staging",
    "topics": "/-/look/topics",
    "memory": "/-/look/memory/mem_0000000000000003",
    "turn": "/-/look/turn/turn_morning_3",
    "session": "/-/look/session?name=import&user=ann",
    "night": "/-/look/nights",
    "review": "/-/look/review",
    "ask": "/-/look/ask",
}
# name, width, height, dark
VIEWS = (("light", 1280, 860, False), ("dark", 1280, 860, True), ("phone", 390, 760, False))
SHOWN = {"light": set(PAGES), "dark": {"now", "turn"}, "phone": {"memories", "memory", "review"}}


def memory(path: str) -> None:
    """The story, and a morning after it."""
    uids = tell(path)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        for days, text in enumerate(PASSING, 259):  # what fades within the next month
            mem.learn(text, now=MORNING - (days + days % 7 * 3) * DAY)
        talk = mem.conversation("import", user="ann")
        for place, (role, text) in enumerate(TALK):
            at = MORNING + place * MINUTE
            talk.append(role, text, at=at)
            if role == "user":
                mem.activate(text, session="import", user="ann", now=at, turn=f"turn_talk_{place}")
                mem.capture(text, at=at + 1000, user="ann")
        mem.update(
            uids["heron"], content="The staging server is called heron, in rack 4.", now=MORNING
        )
        for place, (prompt, user) in enumerate(PROMPTS):
            at = MORNING + (10 + 7 * place) * MINUTE
            mem.activate(prompt, user=user, now=at, turn=f"turn_morning_{place}")
        mem.learn("The API listens on port 8081.", now=MORNING + 30 * MINUTE)
        mem.nightly(now=MORNING + 40 * MINUTE)


# -- commands --------------------------------------------------------------------------------------

MOST = 35  # commands in the first help
PATIENCE = 30  # seconds until a demo has shown what it is worth
# What somebody types in the first hour: where no file is yet, then on one with a story. (words, exit
# codes that are well: a night may refuse, since the story lies in the future)
FIRST = (
    (("today",), (0,)), (("list",), (0,)), (("log",), (0,)), (("review", "--json"), (0, 1)), (("doctor",), (0,)),
    (("recall", "staging"), (0, 3)), (("activate", "How do I deploy to the staging server?"), (0,)),
    (("why", "staging"), (0, 1, 3)), (("get", "nothing-like-it"), (3,)), (("learn", "Tea is at four."), (0,)),
    (("undo",), (0,)), (("log", "--since", "2d"), (0,)), (("fact", "conflicts"), (0,)), (("turn", "list"), (0,)),
    (("file", "stats"), (0,)), (("file", "check"), (0,)), (("setting", "list"), (0,)), (("intend",), (0,)),
    (("nightly", "--dry-run"), (0, 1)), (("chat", "list"), (0,)), (("help",), (0,)), (("help", "all"), (0,)),
    (("install", "claude", "--dry-run"), (1, 2)), (("learn", "x", "--kind", "polcy"), (1, 2)), (("lern", "x"), (2,)),
)  # fmt: skip


def commands(command: click.Command, name: str = "") -> Iterator[str]:
    """A command and those below it."""
    if name:
        yield name
    if isinstance(command, click.Group):
        context = click.Context(command)
        for part in command.list_commands(context):
            below = command.get_command(context, part)
            if below is not None:
                yield from commands(below, f"{name} {part}".strip())
    else:
        for part, below in getattr(command, "parts", {}).items():
            yield from commands(below, f"{name} {part}")


def helped() -> Iterator[str]:
    """What is wrong with the help of a command, or with what a word of another program is told."""
    run = CliRunner()
    shown = run.invoke(app, ["--help"], prog_name="cogmem").output
    if len({name for names in SECTIONS.values() for name in names} - {*UNSAID}) > MOST:
        yield f"cogmem --help: more than {MOST} commands"
    yield from (f"cogmem --help: no {one}" for one in SECTIONS["Every day"] if one not in shown)
    for name in commands(app):
        told = run.invoke(app, [*name.split(), "--help"], prog_name="cogmem")
        if told.exit_code or "Usage: cogmem" not in told.output or len(told.output.split()) < 8:
            yield f"cogmem {name} --help: {told.output.strip()[:120]}"
    for word, meant in MEANT.items():
        told = run.invoke(app, [word], prog_name="cogmem")
        if told.exit_code != 2 or f"cogmem {meant}" not in told.output:
            yield f"cogmem {word}: does not name {meant}: {told.output.strip()[:120]}"


def typed(path: str, home: str) -> Iterator[str]:
    """What is wrong with what is typed in the first hour."""
    place = {name: value for name, value in os.environ.items() if not name.startswith("COGMEM_")}
    place |= {"COGMEM_DB": path, "HOME": home, "XDG_STATE_HOME": home, "COGMEM_USER_DIR": home}
    for words, well in FIRST:
        done = subprocess.run(
            [sys.executable, "-m", "cogmem", *words],
            env=place,
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        said = done.stdout + done.stderr
        is_new = done.returncode == 1 and "`cogmem learn` makes it" in said
        if (done.returncode not in well and not is_new) or "Traceback" in said or not said.strip():
            yield f"cogmem {' '.join(words)}: {done.returncode}: {said.strip()[-160:] or 'silent'}"


def shown() -> Iterator[str]:
    """Whether the demo comes to its end in time."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "cogmem", "demo"],
            cwd=folder,
            env={**os.environ, "HOME": folder, "XDG_STATE_HOME": folder},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    took = time.monotonic() - began
    if done.returncode or took > PATIENCE:
        yield f"cogmem demo: {done.returncode} after {took:.0f} s {done.stderr[-160:]}"


# -- pages -----------------------------------------------------------------------------------------

OF_A_SORT = 2  # pages that differ only in what they show
READABLE = (Path(__file__).parent / "readable.js").read_text(encoding="utf-8")
LINKS = "[...document.querySelectorAll('a[href^=\"/\"]')].map(a => a.getAttribute('href'))"


def sort_of(address: str) -> str:
    """The page that an address asks for, whatever it shows there."""
    path, _, query = address.partition("#")[0].partition("?")
    path = re.sub(r"(mem|run|act|turn)_\w+|\d+", "*", path)
    names = sorted(part.partition("=")[0] for part in query.split("&") if part)
    return "&".join([path, *names])


def walked(browser: chromium.Browser, root: str, width: int, dark: bool) -> Iterator[str]:
    """What is wrong with the pages that links lead to, from the first; ends with how many there were."""
    browser.look(width, dark=dark)
    waiting, seen, sorts = ["/-/look"], {"/-/look"}, {}
    while waiting:
        address = waiting.pop(0)
        browser.fetched.clear()
        browser.complaints.clear()
        browser.visit(root + address)
        browser.until("!document.querySelector('[data-load]')")
        where = f"{address} at {width} px{', dark' if dark else ''}"
        yield from (f"{where}: {one[:160]}" for one in browser.complaints)
        ours = (root + "/", "data:")
        yield from (f"{where} loads {url}" for url in browser.fetched if not url.startswith(ours))
        wide = browser.ask("document.documentElement.scrollWidth")
        if wide > width:
            yield f"{where}: {wide} px wide"
        if not address.startswith("/-/look"):
            continue  # Datasette's links lead to every column of every table
        wrong = browser.ask(f"({READABLE})()")
        if wrong != {"faint": [], "nameless": []}:
            yield f"{where}: {json.dumps(wrong)[:160]}"
        for link in browser.ask(LINKS):
            sort = sort_of(link)
            if link not in seen and sorts.get(sort, 0) < OF_A_SORT:
                seen.add(link)
                sorts[sort] = sorts.get(sort, 0) + 1
                waiting.append(link.partition("#")[0])
    print(f"{len(seen)} pages at {width} px{', dark' if dark else ''}", flush=True)


def main() -> None:
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.db")
        memory(path)
        is_walk = "--pictures" not in sys.argv[1:]
        if is_walk:
            faults += [*helped(), *shown(), *typed(os.path.join(folder, "new.db"), folder)]
            copy = os.path.join(folder, "copy.db")
            with cogmem.open(path) as mem:
                mem.file.backup(copy)
            faults += typed(copy, folder)
            print(f"{len({*commands(app)})} commands, {len(MEANT)} other words for them")
        if chromium.PROGRAM is None:
            faults.append(
                "the pages were not walked: install Chromium (Debian's package `chromium`)"
            )
            report(faults)
        process = subprocess.Popen(
            [sys.executable, "-m", "cogmem", "--db", path, "--json", "inspect", "--no-open"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        try:
            url = json.loads(process.stdout.readline())["url"]
            root = url.partition("/-/")[0]
            browser = chromium.Browser(Path(folder) / "browser")
            try:
                browser.visit(url)
                if is_walk:
                    for width, dark in ((390, False), (1280, True)):
                        faults += walked(browser, root, width, dark)
                else:
                    pictures(browser, root)
            finally:
                browser.close()
        finally:  # also where no browser came up
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)
    report(faults)


def report(faults: list[str]) -> NoReturn:
    """Print what failed, and end."""
    print(*faults, f"{len(faults)} failed", sep="\n")
    sys.exit(bool(faults))


def pictures(browser: chromium.Browser, root: str) -> None:
    """The pages as they stand on a screen, for the documentation."""
    PLACE.mkdir(exist_ok=True)
    for view, width, height, dark in VIEWS:
        browser.look(width, dark=dark, height=height)
        for name in (name for name in PAGES if name in SHOWN[view]):
            browser.visit(root + PAGES[name])
            browser.until("!document.querySelector('[data-load]')")
            browser.ask("document.activeElement.blur()")
            browser.view(PLACE / f"{name}-{view}.webp")


if __name__ == "__main__":
    main()
