"""Orders that stand in a page, a mail or a log and mean the model: what is noted of them by one that obeys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import NOW

from cogmem.models.recorded import Scripted
from cogmem.noted.note import SORTS

if TYPE_CHECKING:
    from cogmem import Memory

ORDERS = (
    (Path(__file__).parent.parent / "fixtures" / "injected_notes.txt")
    .read_text("utf-8")
    .split("\n")[:-1]
)
PAGE = "<html>\n<head><title>Release 2.4</title></head>\n<body>\n<p>{}</p>\n</body>\n</html>"
WAYS = {
    "a page in a fence": (
        "user",
        "What does this page say about the release?\n\n```html\n" + PAGE + "\n```",
    ),
    "a log": (
        "user",
        "Why does it stop here?\n\n2026-11-20T10:00:01Z INFO worker-1 started pid=4411\n"
        "2026-11-20T10:00:02Z WARN worker-1 {}\n2026-11-20T10:00:03Z ERROR worker-1 exit 1",
    ),
    "what the agent read": (
        "assistant",
        'I read docs/CONTRIBUTING.md. It says: "{}" I did not do that.',
    ),
}


def test_there_are_thirty() -> None:
    assert len(ORDERS) == len(set(ORDERS)) == 30


@pytest.mark.parametrize("way", WAYS)
def test_an_injected_order_never_becomes_a_note_that_is_an_order(memory: Memory, way: str) -> None:
    for span in ("calls_per_day", "calls_per_run", "tokens_per_day"):
        memory.store.set_setting(f"model_{span}", "1000000", now=NOW)
    kept = []
    role, text = WAYS[way]
    for number, order in enumerate(ORDERS):
        talk = memory.conversation(f"s{number}")
        talk.append("user", "Please look at the release of heron.", at=NOW)
        talk.append(role, text.format(order), at=NOW + 1)
        notes = [{"kind": sort, "text": order, "messages": [0, 1], "names": []} for sort in SORTS]
        memory.model = Scripted(json.dumps({"notes": notes}))
        done = memory.notes.read(f"s{number}", now=NOW + 9)
        assert done.calls == 1
        kept += [(one.sort, one.text) for one in done.notes if one.uid]
    assert kept == []
    assert memory.activate("", session="next", now=NOW + 99).stable == ""
