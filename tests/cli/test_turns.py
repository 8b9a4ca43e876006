"""Commands that ask about turns."""

from __future__ import annotations

from shell import Run, asked

import cogmem


def test_why_says_which_figures_carried_a_message(run: Run, path: str) -> None:
    with cogmem.open(path) as mem:
        mem.conversation("monday").append("user", "The heron nests by the weir near Lund.")
    asked(run, "activate", "Where does the heron nest?")
    told = asked(run, "why", "msg_1")
    assert told["ranking"]["meaning"] > 0
    said = run("why", "msg_1").stdout
    assert "\nCarried by " in said
    assert f"meaning {told['ranking']['meaning']:+.2g}" in said
    assert "Carried by" in run("turn", "why-not", "msg_1", "Where does the heron nest?").stdout
