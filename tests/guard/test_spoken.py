"""Secrets as people tell them, in ten languages: half of the sentences tuned the guard, the others only judge it.

Modules: numbers.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cogmem.guard import guard
from cogmem.guard.glance import may_tell

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "fixtures/guard_told.tsv")
    .read_text(encoding="utf-8")
    .splitlines()
]
MARKED = re.compile("⟦(.+?)⟧")


def told(half: str, kind: str) -> list[str]:
    return [text for where, what, text in ROWS if (where, what) == (half, kind)]


def is_kept(marked: str) -> bool:
    """Whether a value is still there after the guard; the glance must send the sentence to it."""
    text = MARKED.sub(r"\1", marked)
    kept = guard.apply(text, guard.POLICIES["record"]).text
    return any(value in kept for value in MARKED.findall(marked)) or not may_tell(text)


def test_nearly_every_sentence_that_tuned_the_guard_loses_its_secret() -> None:
    texts = told("tuned", "secret")
    kept = [text for text in texts if is_kept(text)]
    assert len(texts) >= 300
    assert len(kept) <= len(texts) * 0.02, kept


def test_of_the_sentences_held_back_nine_in_ten_lose_theirs() -> None:
    texts = told("held back", "secret")
    kept = [text for text in texts if is_kept(text)]
    assert len(texts) >= 90
    assert len(kept) <= len(texts) / 10, kept


@pytest.mark.parametrize("half", ["tuned", "held back"])
def test_hardly_any_sentence_that_only_looks_like_one_is_touched(half: str) -> None:
    texts = told(half, "harmless")
    touched = [
        text
        for text in texts
        if any(found.kind == "secret" for found in guard.inspect(text, with_orders=False))
    ]
    assert len(texts) >= 60
    assert len(touched) <= len(texts) * 0.01, touched


LETS_IN = {
    "cGFzc3dvcmQ9aHVudGVyMmh1bnRlcg==": "encoded password",
    "the config has dXNlcj1hbm4gcGFzc3dvcmQ6IHMzY3IzdFA0c3M= in it": "encoded password",
    "it is ghp_a1B2c3\nD4e5a1B2c3D4, over two lines": "broken token",
    "correct-horse-battery-staple to unlock": "passphrase",
    "use orbit-mango-tiger-lantern to unlock the vault": "passphrase",
    "password=correct-horse-battery-staple": "secret value",
    "Remember that the password is maple-otter-violin.": "secret value",
    "the password: maple otter violin crater": "passphrase",
    "passphrase: maple-otter-violin-crater": "secret value",
    "username deploy / s3cr3tP4ss": "login",
    "login: ann / Tr0ub4dor": "login",
    "the OAuth code is 4/0AX4XfWjYkq3z8uTgH2kLmNoPqRsTuV": "login code",
    "http://localhost:8080/callback?code=AbCdEf4GhIjKl7MnOp&scope=email": "login code",
    "here is the code: QaLJnCTrxlS6Sfi7#bnBs8gKsmrMo1Z5qMxuc3": "login code",
    "your login code is 482913": "login code",
    "G-482913 is your Google verification code": "login code",
    "enter code WDJB-MJHT at the address shown": "login code",
    "the one-time code is 739204": "login code",
    "ok, the code is 481922": "login code",
    "the code is 481 922, it is valid for a minute": "login code",
}


@pytest.mark.parametrize("text", LETS_IN)
def test_what_lets_in_once_or_in_disguise_is_a_secret(text: str) -> None:
    assert may_tell(text), "the first look passes nothing that the second would find"
    found = [one.name for one in guard.inspect(text, with_orders=False) if one.kind == "secret"]
    assert LETS_IN[text] in found


@pytest.mark.parametrize(
    "text",
    [
        "exit code 127 means not found",
        "error code 482913 in the log",
        "username / password fields are required",
        "username admin / editor roles",
        "correct-horse-battery-staple is a comic",
        "open the well-known-config-file to unlock the setting",
        "password=read-from-the-vault-please",
        "password: your-own-password-here",
        "password=forgot-password-reset-link",
        "the password is case-by-case",
        "the password is hashed-and-salted-before-storage",
        "password: required string minimum eight",
        "the password page: sign in, sign out, reset, help",
        "see history/2025-04-28_16-54-task-#001-progress-check.md",
        "?code=404&x=1",
        "aGVsbG8gd29ybGQgdGhpcyBpcyBmaW5l",
        "PR #482913 fixes login",
        "commit a1b2c3d\nis the one",
        "the login code path is in auth.go line 482",
        "the code is 481922 lines long",
        "the error code is 481922",
    ],
)
def test_codes_and_names_of_everyday_work_are_no_secrets(text: str) -> None:
    assert not [one for one in guard.inspect(text, with_orders=False) if one.kind == "secret"]
