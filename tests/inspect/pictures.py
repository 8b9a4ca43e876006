"""Takes the pictures of docs/how-to/inspect-pictures.md: `make docs-pictures`, with Datasette and Chromium.

The memory in them is the story of the tests with one busy morning after it, so that they are the same every time, but
for the milliseconds that turns took.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import chromium
from planted import DAY
from story import NOW, tell

import cogmem
from cogmem.tokens import counting

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


def main() -> None:
    PLACE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.db")
        memory(path)
        process = subprocess.Popen(
            [sys.executable, "-m", "cogmem", "--db", path, "--json", "inspect", "--no-open"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        root = url.partition("/-/")[0]
        browser = chromium.Browser(Path(folder) / "browser")
        try:
            for view, width, height, dark in VIEWS:
                browser.look(width, dark=dark, height=height)
                browser.visit(url)
                for name in (name for name in PAGES if name in SHOWN[view]):
                    browser.visit(root + PAGES[name])
                    browser.until("!document.querySelector('[data-load]')")
                    browser.ask("document.activeElement.blur()")
                    browser.view(PLACE / f"{name}-{view}.webp")
        finally:
            browser.close()
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)


if __name__ == "__main__":
    main()
