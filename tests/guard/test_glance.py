"""The first look at a text lets nothing pass that the guard would find."""

from __future__ import annotations

import re._parser as parser  # type: ignore[import-not-found,import-untyped]
from typing import TYPE_CHECKING, Any

import pytest
from secret_texts import SECRETS

from cogmem.guard import guard, numbers, phrases, spoken
from cogmem.guard.characters import said
from cogmem.guard.glance import may_name, may_tell

if TYPE_CHECKING:
    from collections.abc import Iterable


def matching(pieces: Iterable[tuple[Any, Any]]) -> list[str]:
    """Texts that a pattern of plain words matches, each way through its branches once."""
    found = [""]
    for kind, of in pieces:
        name = str(kind)
        if name == "LITERAL":
            more = [chr(of)]
        elif name == "IN":
            more = [chr(sign) for what, sign in of if str(what) == "LITERAL"]
        elif name == "SUBPATTERN":
            more = matching(of[-1])
        elif name == "BRANCH":
            more = [text for branch in of[1] for text in matching(branch)]
        else:
            least, _, inner = of
            more = [*([""] if least == 0 else []), *matching(inner)]
        found = [begin + end for begin in found for end in more]
    return found


WORDS = (spoken._WORDS, said("spoken words too"), spoken._PIN.replace("(?-i:PIN)", "PIN"))


@pytest.mark.parametrize("pattern", WORDS, ids=["sure", "too", "pin"])
def test_every_word_that_names_a_secret_is_reason_to_look_closer(pattern: str) -> None:
    known = matching(parser.parse(pattern))
    assert len(known) > 20
    assert [word for word in known if not may_tell(f"{word} kF9$2mmQz")] == []


def plain(pattern: str) -> str:
    """A pattern with nothing in it but words."""
    for sign in (r"\b", r"\w*", "(?-i:", r"\p{L}+"):
        pattern = pattern.replace(sign, "(?:" if sign == "(?-i:" else "")
    return pattern


LOCKS = (numbers.LOCKED, numbers.OPENS_IT)


@pytest.mark.parametrize("pattern", LOCKS, ids=["locked", "opening"])
def test_every_word_for_what_a_number_opens_is_reason_to_look_closer(pattern: str) -> None:
    known = matching(parser.parse(plain(pattern)))
    assert len(known) > 20
    assert [word for word in known if not may_tell(f"{word} is 6071")] == []


def test_every_word_for_a_phrase_is_reason_to_look_closer() -> None:
    known = matching(parser.parse(plain(phrases.PHRASES)))
    assert len(known) > 20
    assert [word for word in known if not may_tell(f"{word}: quiet ember walnut ferry")] == []


def test_whatever_the_guard_finds_the_glance_saw() -> None:
    found = [row["text"] for row in SECRETS if guard.inspect(row["text"], with_orders=False)]
    assert len(found) > 150
    assert [text for text in found if not may_tell(text)] == []


def test_a_path_or_a_call_is_no_reason_to_look_closer() -> None:
    paths = (
        "src/domain/session_workspace.ts",
        "`getTaskStatusFromParams()`",
        "docs/2025-05-01-notes.md",
    )
    assert [path for path in paths if may_tell(f"Why is {path} so long?")] == []


def test_a_name_of_our_own_is_no_reason_whatever_was_drawn_for_it() -> None:
    names = ("turn_0002fa8801bb9999", "mem_cafe02fa11112222", "act_2fa2fa2fa2fa2fa2")
    assert [name for name in names if may_name(name)] == []
    assert may_name("mem_" + b"password=Zx9kQ2mmT81 for heron".hex())
