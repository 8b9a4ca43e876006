"""The commands that hosts run: their words come back from one line of a shell, whichever it is."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from cogmem.hosts.command import shell_line, words_of

WORDS = st.lists(st.text(st.characters(min_codepoint=1, exclude_categories=["Cs"]), max_size=20))
PATHS = st.lists(
    st.text(st.sampled_from("abc XYZ-_.0()äß漢&'"), min_size=1, max_size=12), min_size=1, max_size=4
)


@given(WORDS)
def test_a_unix_shell_gets_the_words_as_they_are(words: list[str]) -> None:
    line = shell_line(words)
    assert words_of(line) == words
    assert line.endswith(" || exit 0")


@given(PATHS)
def test_the_shells_of_windows_read_the_same_path(parts: list[str]) -> None:
    path = "C:\\" + "\\".join(parts)
    words = [path, "-I", "--db", path]
    read = [word.replace("\\", "/") for word in words]
    line = shell_line(words, "cmd")
    assert "\\" not in line, "an escape to Git Bash"
    assert words_of(line) == read
    outside = line.removesuffix(" || exit 0").split('"')[::2]
    assert not set("".join(outside)) & set("&()'"), "a mark that cmd.exe or a shell would act on"
    assert [_as_powershell(word) for word in _powershell(shell_line(words, "powershell"))] == read


def _powershell(line: str) -> list[str]:
    """The words between the call operator and the end, quoted words whole."""
    told = re.fullmatch(r"& (.*) 2>\$null; exit 0", line)
    assert told, "a quoted word at the head would be a value, and `||` is not known everywhere"
    return re.findall(r"(?:'(?:[^']|'')*'|[^ ']+)", told[1])


def _as_powershell(word: str) -> str:
    return word[1:-1].replace("''", "'") if word.startswith("'") else word
