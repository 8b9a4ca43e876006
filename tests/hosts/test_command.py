"""The commands that hosts run: their words come back from one line of a shell, whichever it is."""

from __future__ import annotations

import shlex

from hypothesis import given
from hypothesis import strategies as st

from cogmem.hosts.command import shell_line

WORDS = st.lists(st.text(st.characters(min_codepoint=1, exclude_categories=["Cs"]), max_size=20))
PATHS = st.lists(
    st.text(st.sampled_from("abc XYZ-_.0()äß漢&'"), min_size=1, max_size=12), min_size=1, max_size=4
)


@given(WORDS)
def test_a_unix_shell_gets_the_words_as_they_are(words: list[str]) -> None:
    assert shlex.split(shell_line(words, on_windows=False)) == words


@given(PATHS)
def test_both_shells_of_windows_read_the_same_path(parts: list[str]) -> None:
    path = "C:\\" + "\\".join(parts)
    line = shell_line([path, "-I", "--db", path], on_windows=True)
    assert "\\" not in line, "an escape to Git Bash"
    assert shlex.split(line) == [path.replace("\\", "/"), "-I", "--db", path.replace("\\", "/")]
    outside = line.split('"')[::2]
    assert not set("".join(outside)) & set("&()'"), "a mark that cmd.exe or a shell would act on"
