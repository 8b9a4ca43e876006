"""Settings with comments are changed in place: the value is the one that was wanted, and no comment is lost.

Modules: jsonc.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem.hosts.jsonc import changed, read

NAME = st.text("abc", min_size=1, max_size=2)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("x/*,]} ", max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAME, inner, max_size=4),
    max_leaves=10,
)
OBJECT = st.dictionaries(NAME, VALUE, max_size=4)


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """A value as a person may have typed it."""
    blank = st.sampled_from(["", " ", "\n  ", "\t", " // a note\n", "/* two\nlines */", "\r\n"])

    def said(one: Any) -> str:
        if isinstance(one, (dict, list)) and one:
            is_object = isinstance(one, dict)
            members = (
                [
                    f"{draw(blank)}{json.dumps(name)}{draw(blank)}:{draw(blank)}{said(held)}{draw(blank)}"
                    for name, held in one.items()
                ]
                if is_object
                else [f"{draw(blank)}{said(held)}{draw(blank)}" for held in one]
            )
            ends = draw(st.sampled_from(["", ","])) + draw(blank)
            return ("{%s%s}" if is_object else "[%s%s]") % (",".join(members), ends)
        return json.dumps(one)

    return draw(blank) + said(value) + draw(blank)


@given(st.data())
def test_it_reads_what_is_written_and_changes_it_into_anything(data: st.DataObject) -> None:
    before, after = data.draw(OBJECT), data.draw(OBJECT)
    text = data.draw(written(before))
    assert json.dumps(read(text)) == json.dumps(before)
    assert changed(text, before) == text, "nothing to do"
    made = changed(text, after)
    assert read(made) == after
    assert sorted(read(made)) == sorted(after)


THEIRS = """\
{
  // what I use
  "theme": "dark", // at night
  "hooks": {
    "Stop": [
      { "command": "say done" }, // mine
    ],
  },
  /* servers */
  "mcpServers": {"other": {"command": "o"}}
}
"""


def test_comments_and_layout_stay_and_what_came_goes_again() -> None:
    held = read(THEIRS)
    held["hooks"]["Start"] = [{"command": "cogmem"}]
    held["hooks"]["Stop"].append({"command": "cogmem"})
    held["mcpServers"]["cogmem"] = {"command": "c"}
    made = changed(THEIRS, held)
    assert read(made) == held
    for line in THEIRS.splitlines():
        assert line.strip().rstrip("{},") in made
    assert made.count("//") == 3
    assert changed(made, read(THEIRS)).count("//") == 3


@pytest.mark.parametrize("text", ['{"a":1}', '{ "a": 1, "b": 2 }', '{\n "a": 1, "b": 2\n}'])
def test_what_stands_on_one_line_leaves_no_blank_behind(text: str) -> None:
    held = read(text)
    assert changed(changed(text, {**held, "hooks": {}, "mcp": 1}), held) == text
    first = changed(text, {"z": 0, **held})
    assert changed(first, held) == text


@pytest.mark.parametrize(
    "text",
    ["{", '{"a" 1}', '{"a": 1 "b": 2}', "{,}", "[1] 2", "/* x", "{a: 1}", "nul", "[" * 9_000],
)
def test_what_is_no_json_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(text)
