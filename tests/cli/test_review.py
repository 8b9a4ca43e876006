"""`cogmem review` at a real terminal: keys go in, the screen comes out, the file is looked at after."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest
from conftest import DAY
from shell import typed

import cogmem
from cogmem.cli.review import pressed, waiting
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = int(time.time() * 1000)  # the command reads the clock, so what is planted is near it


class Terminal:
    """A person at a terminal: `sees` waits for words on the screen, `types` presses keys."""

    command: tuple[str, ...] = (sys.executable, "-m", "cogmem")

    def __init__(self, path: str, *words: str, **environment: str) -> None:
        self.pid, self.handle = pty.fork()
        if self.pid == 0:
            settings = {"COLUMNS": "100", "TERM": "xterm", **environment}
            words = (*self.command, "--db", path, *words)
            os.execve(words[0], words, {**os.environ, **settings})
        self.screen = self.raw = ""
        self.read_to = 0

    def sees(self, words: str, seconds: float = 30) -> str:
        """The screen since the last look, up to and with these words."""
        end = time.monotonic() + seconds
        while words not in self.screen[self.read_to :]:
            ready, _, _ = select.select([self.handle], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"{words!r} did not come:\n{self.screen}"
            try:
                data = os.read(self.handle, 65536)
            except OSError:
                data = b""
            assert data, f"it ended before {words!r} came:\n{self.screen}"
            self.raw += data.decode()
            self.screen += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", data.decode())
        start = self.read_to
        self.read_to = self.screen.index(words, start) + len(words)
        return self.screen[start : self.read_to]

    def types(self, keys: str) -> None:
        os.write(self.handle, keys.encode())

    def ends(self, seconds: float = 30) -> int:
        """Its exit code."""
        end = time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self.handle], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"it did not end:\n{self.screen}"
            try:
                data = os.read(self.handle, 65536)
            except OSError:
                break
            if not data:
                break
            self.screen += data.decode()
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.handle)


@pytest.fixture(autouse=True, scope="module")
def forked(program: Path) -> None:
    """Each is a process of its own, but Python is not started anew for it."""
    Terminal.command = (str(program),)


@pytest.fixture
def planted(path: str) -> str:
    """A contradiction, a candidate and two suspects."""
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Indent the code of this repository with tabs", now=NOW - 4 * DAY)
        mem.learn("Indent the code of this repository with spaces", now=NOW - 3 * DAY)
        mem.learn("The build takes an hour.", state="candidate", now=NOW - 2 * DAY)
        mem.learn("hm", now=NOW - DAY)
        mem.learn("ok", now=NOW - DAY + 1)
    return path


@pytest.fixture
def at_terminal(planted: str) -> Iterator[Terminal]:
    terminal = Terminal(planted, "review")
    yield terminal
    terminal.close()
    with cogmem.open(planted) as mem:
        assert mem.file.check() == []


def states(path: str) -> dict[str, str]:
    with cogmem.open(path, read_only=True) as mem:
        rows = [*mem.list(limit=0), *mem.list(state="deleted", limit=0)]
        return {row.content: row.state for row in rows}


def conflicts(path: str) -> int:
    with cogmem.open(path, read_only=True) as mem:
        return len(mem.facts.conflicts())


def test_one_key_decides_each_and_leaving_keeps_what_was_decided(
    at_terminal: Terminal, planted: str
) -> None:
    screen = at_terminal.sees("[q] quit \r\n")
    assert "4 left · contradiction" in screen
    assert "with tabs" in screen
    assert "with spaces" in screen
    at_terminal.types("2")
    screen = at_terminal.sees("[q] quit \r\n")
    assert "3 left · candidate: told by a person: keep it?" in screen
    at_terminal.types("k")
    at_terminal.sees("2 left · suspect: too short")
    at_terminal.sees("[q] quit \r\n")
    assert conflicts(planted) == 0, "it was written at once"
    at_terminal.types("q")
    assert at_terminal.ends() == 0
    assert "2 decided, 2 left" in at_terminal.screen
    assert states(planted)["The build takes an hour."] == "active"

    again = Terminal(planted, "review")
    assert "2 left · suspect" in again.sees("[q] quit \r\n")
    again.types("r")
    assert "1 left" in again.sees("[q] quit \r\n")
    again.types("k")
    assert again.ends() == 0
    assert "2 decided, 0 left" in again.screen
    again.close()
    assert (states(planted)["hm"], states(planted)["ok"]) == ("deleted", "active")
    assert typed(planted, "review") == "nothing waits for a decision\n"


def test_undo_takes_back_one_decision_after_the_other_and_skip_leaves_for_later(
    at_terminal: Terminal, planted: str
) -> None:
    at_terminal.sees("[q] quit \r\n")
    at_terminal.types("1")
    at_terminal.sees("[q] quit \r\n")
    at_terminal.types("r")
    at_terminal.sees("2 left")
    at_terminal.sees("[q] quit \r\n")
    at_terminal.types("u")
    assert "3 left · candidate" in at_terminal.sees("[q] quit \r\n")
    at_terminal.types("u")
    assert "4 left · contradiction" in at_terminal.sees("[q] quit \r\n")
    assert conflicts(planted) == 1
    for _ in range(3):
        at_terminal.types("s")
        at_terminal.sees("[q] quit \r\n")
    at_terminal.types("s")
    assert at_terminal.ends() == 0
    assert "4 skipped" in at_terminal.screen
    assert "0 decided, 4 left" in at_terminal.screen
    assert set(states(planted).values()) == {"active", "candidate"}


def test_forgetting_asks_once_more_and_a_wrong_key_decides_nothing(
    at_terminal: Terminal, planted: str
) -> None:
    for key in "ss":
        at_terminal.sees("[q] quit \r\n")
        at_terminal.types(key)
    at_terminal.sees("too short")
    at_terminal.sees("[q] quit \r\n")
    at_terminal.types("x")
    at_terminal.sees("k e r f s q?\r\n")
    at_terminal.types("f")
    at_terminal.sees("for good.\r\n")
    at_terminal.types("n")
    at_terminal.sees("it stays")
    at_terminal.sees("[q] quit \r\n")
    at_terminal.types("f")
    at_terminal.sees("for good.\r\n")
    at_terminal.types("y")
    at_terminal.sees("forgotten:")
    at_terminal.sees("[q] quit \r\n")
    at_terminal.types("\x03")
    assert at_terminal.ends() == 0
    assert "hm" not in states(planted)


def test_two_that_contradict_are_merged_into_what_is_true(
    at_terminal: Terminal, planted: str
) -> None:
    at_terminal.sees("[q] quit \r\n")
    at_terminal.types("m")
    at_terminal.sees("what is true")
    at_terminal.types("Indent with tabs, align with spaces\n")
    at_terminal.sees("3 left")
    at_terminal.sees("[q] quit \r\n")
    at_terminal.types("q")
    assert at_terminal.ends() == 0
    held = states(planted)
    assert held["Indent with tabs, align with spaces"] == "active"
    assert sorted(held.values()).count("archived") == 1


def test_one_is_edited_in_the_editor_and_asked_about_again(planted: str) -> None:
    terminal = Terminal(
        planted, "review", "--only", "candidate", EDITOR="sed -i 's/an hour/ten minutes/'"
    )
    terminal.sees("[q] quit \r\n")
    terminal.types("e")
    terminal.sees("changed: The build takes ten minutes.")
    terminal.sees("1 left · candidate")
    terminal.sees("[q] quit \r\n")
    terminal.types("k")
    assert terminal.ends() == 0
    terminal.close()
    assert states(planted)["The build takes ten minutes."] == "active"


def test_what_says_the_same_is_merged_with_the_one_beside_it(path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("The server for trials is called heron.", now=NOW - DAY)
        mem.learn("Trials run on a server that we call heron.", state="candidate", now=NOW)
    terminal = Terminal(path, "review", "--only", "candidate")
    assert "beside it there is" in terminal.sees("[q] quit \r\n")
    terminal.types("m")
    terminal.sees("merged into")
    assert terminal.ends() == 0
    terminal.close()
    assert states(path) == {
        "The server for trials is called heron.": "active",
        "Trials run on a server that we call heron.": "archived",
    }


def test_a_long_text_is_cut_and_no_color_means_no_color(path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        text = "\n".join(f"line {number} of a long note" for number in range(80))
        mem.learn(text, state="candidate", now=NOW)
    terminal = Terminal(path, "review", NO_COLOR="1")
    terminal.sees("[q] quit \r\n")
    terminal.types("q")
    assert terminal.ends() == 0
    terminal.close()
    assert "more lines: edit shows them" in terminal.screen
    assert "line 70" not in terminal.screen
    assert "\x1b[" not in terminal.raw


def test_without_a_terminal_it_lists_and_says_what_decides_instead(planted: str) -> None:
    items = typed(planted, "--json", "review")
    assert [item["sort"] for item in items] == ["contradiction", "candidate", "suspect", "suspect"]
    assert "with tabs" in items[0]["other_content"]
    said = typed(planted, "review", code=2)
    assert "cogmem review --json" in said
    assert "cogmem restore" in said


def test_a_suspect_that_was_kept_is_not_asked_about_again(path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        bad = mem.learn("The heron is a bird that likes fish.", now=NOW - 9 * DAY).uid
        turn = mem.activate("What does the heron like?", now=NOW - 8 * DAY)
        mem.used(turn.turn, [bad], useful=False, now=NOW - 8 * DAY)
        short = mem.learn("hm", now=NOW).uid
        suspects = lambda: [row.uid for row in mem.many.suspects()]  # noqa: E731
        assert suspects() == [bad, short]
        mem.keep(bad, now=NOW)
        assert suspects() == [short]
        mem.undo(mem.remove(short, now=NOW), now=NOW)
        assert suspects() == []
        assert mem.file.check() == []


def test_without_a_unix_terminal_a_key_is_read_by_the_console(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "termios", None)  # as on Windows
    monkeypatch.setattr("click.getchar", lambda: "K")
    assert pressed("keep it?") == "k"
    assert capsys.readouterr().out == "keep it?\n"


def test_what_old_talk_taught_is_kept_or_removed_all_of_a_kind_at_once(path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        for number, kind in enumerate(("convention", "decision", "convention", "fact", "decision")):
            text = f"{kind.capitalize()} {'abcde'[number] * 8} of the old talk."
            data = {"batch": "fill_0000000000000001"}
            mem.learn(text, kind, state="candidate", data=data, now=NOW - DAY + number)
    terminal = Terminal(path, "review", "--only", "candidate")
    try:
        terminal.sees("5 left · candidate")
        terminal.sees("[a] keep all of its kind")
        terminal.sees("[q] quit")
        terminal.types("a")
        terminal.sees("3 left · candidate")
        terminal.sees("[q] quit")
        terminal.types("x")
        terminal.sees("1 left · candidate")
        terminal.sees("[q] quit")
        terminal.types("u")
        terminal.sees("2 left · candidate")
        terminal.sees("[q] quit")
        terminal.types("r")
        terminal.sees("1 left · candidate")
        terminal.sees("[q] quit")
        terminal.types("k")
        assert terminal.ends() == 0
    finally:
        terminal.close()
    with cogmem.open(path) as mem:
        kept = sorted(one.kind for one in mem.list(state="active"))
        assert kept == ["convention", "convention", "fact"]
        assert mem.list(state="candidate") == []
        assert mem.file.check() == []


def test_a_procedure_that_worked_three_times_becomes_a_skill_or_is_never_asked_about_again(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".claude" / "skills").mkdir(parents=True)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        for name in ("deploy", "release"):
            mem.procedure(name, ["Knock.", "Enter."], description=f"To {name}", now=NOW - 2 * DAY)
            for _ in range(3):  # the latest comes first
                mem.tried(name, success=True, now=NOW - DAY * (2 if name == "release" else 1))
    terminal = Terminal(path, "review", HOME=str(tmp_path))
    try:
        terminal.sees("2 left · skill: worked 3 of 3")
        terminal.sees("[q] quit")
        terminal.types("w")
        terminal.sees("written: ")
        terminal.sees("1 left · skill")
        terminal.sees("[q] quit")
        terminal.types("n")
        assert terminal.ends() == 0
    finally:
        terminal.close()
    assert os.listdir(tmp_path / ".claude" / "skills") == ["deploy"]
    with cogmem.open(path) as mem:
        assert mem.skills.offered() == []
        assert mem.file.check() == []


def test_what_is_worth_most_is_asked_about_first(memory: cogmem.Memory) -> None:
    for text, priority, times in (
        ("The ferry is slow", 1, 1),
        ("The mill is shut", 2, 1),
        ("The inn is full", 1, 2),
    ):
        for _ in range(times):
            memory.learn(text, source="tool", state="candidate", priority=priority, now=NOW)
    asked = [memory.get(item.uid).content for item in waiting(memory, ("candidate",), True)]
    assert asked == ["The inn is full", "The mill is shut", "The ferry is slow"]
