"""What failed in a session and what mended it, read from its calls and results.

Modules: calls.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem.text import attempts
from cogmem.text.attempts import Attempt

YAML = "Exit code 2\nTraceback:\nModuleNotFoundError: No module named 'yaml'\nmake: *** [test]"


def ran(command: str, output: str = "ok", failed: bool = False) -> list[tuple[str, Any]]:
    number = f"call_{id(output)}_{command}"
    call = {"type": "tool_call", "id": number, "name": "Bash", "arguments": {"command": command}}
    result = {"type": "tool_result", "tool_call_id": number, "content": output}
    return [("assistant", [call]), ("tool", [{**result, "is_error": True} if failed else result])]


def edited(file: str) -> list[tuple[str, Any]]:
    call = {"type": "tool_call", "id": file, "name": "Edit", "arguments": {"file_path": file}}
    return [
        ("assistant", [call]),
        ("tool", [{"type": "tool_result", "tool_call_id": file, "content": "done"}]),
    ]


def only(messages: list[tuple[str, Any]]) -> Attempt:
    (found,) = attempts.attempts(messages)
    return found


def test_a_command_that_works_after_another_one_was_mended_by_it() -> None:
    one = only(
        ran("make test", YAML, True) + ran("ls") + ran("pip install pyyaml") + ran("make test")
    )
    assert one.text == (
        "`make test` failed: ModuleNotFoundError: No module named 'yaml'. Mended by running `pip install pyyaml`."
    )
    assert one.is_general


def test_what_an_edit_mended_holds_for_those_files_only() -> None:
    failed = ran("pytest", "Exit code 1\nE   AssertionError: 3 != 4", True)
    one = only(failed + edited("/w/src/sums.py") + ran("pytest"))
    assert one.mend == "Mended by editing sums.py."
    assert not one.is_general


def test_another_way_to_call_it_is_a_cure() -> None:
    failed = ran("npm test", "npm error Missing script", True)
    assert only(failed + ran("pnpm test")).mend == "It worked as `pnpm test`."
    failed = ran("python manage.py test", "Exit code 1\nError: no settings", True)
    one = only(failed + ran("python manage.py test --settings=ci"))
    assert one.mend == "It worked as `python manage.py test --settings=ci`."


def test_what_works_by_itself_the_second_time_is_told_as_such() -> None:
    one = only(ran("make test", YAML, True) + ran("make test"))
    assert one.mend == "It worked when it was run again."
    assert not one.is_general


def test_what_was_not_mended_stays_open_and_looking_around_is_no_failure() -> None:
    assert only(ran("make test", YAML, True)).mend == ""
    assert attempts.attempts(ran("grep -r x .", "Exit code 1", True)) == []
    assert attempts.attempts(ran("cd src && ls nowhere", "ls: no such file", True)) == []
    assert (
        attempts.attempts(ran("rm x", "The user doesn't want to proceed with this", True)) == []
    ), "the person said no"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("make test", "cd app && CI=1 make test 2>&1 | tail -5"),
        ("npm run build", "sudo npm run build > log.txt"),
        ("pytest -q", "timeout 30 pytest -q"),
    ],
)
def test_a_command_is_known_whatever_stands_around_it(one: str, other: str) -> None:
    assert attempts.key_of(one) == attempts.key_of(other)


def test_an_error_is_known_without_paths_numbers_and_times() -> None:
    one = attempts.signature("/tmp/a1/src/main.py:12: error after 3.4s: no module named 'yaml'")
    other = attempts.signature("/home/x/src/main.py:99: error after 12.0s: no module named 'yaml'")
    assert one == other
    assert attempts.signature("error TS2304: x") != attempts.signature("error TS2551: x")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Exit code 1\nboom", 1),
        ("Exit code: 0\nOutput: fine", 0),
        ("Process exited with code 127\n", 127),
        ('{"output":"x","metadata":{"exit_code":2}}', 2),
        ("all is well", 0),
        ("x" * 900 + "\nExit Code: 3", 3),
    ],
)
def test_hosts_write_exit_codes_in_many_ways(said: str, code: int) -> None:
    assert attempts.exit_code(said) == code


def test_an_output_that_was_kept_as_one_quoted_line_is_read_too() -> None:
    said = r"[{'response': {'output': 'Output: ok\nerror: no lock file\nExit Code: 3'}}]"
    assert attempts.exit_code(said) == 3
    assert attempts.telling_line(said) == "error: no lock file"


@given(st.text(max_size=200))
def test_no_command_and_no_output_is_too_odd_to_be_read(text: str) -> None:
    words = attempts.main_words(text)
    assert all(words)
    assert len(attempts.telling_line(text)) <= attempts.ERROR_KEPT
    found = attempts.attempts(ran(text or "x", text, True) + ran(text or "x"))
    assert all(one.mend for one in found)


def test_what_a_person_says_did_it_is_the_cure_where_no_call_was() -> None:
    failed = ran("pio run -t upload", "Error: wrong boot mode\nexit code: 1", True)
    held = [("user", [{"type": "text", "text": "holding the boot button did it"}])]
    one = only([*failed, *held, *ran("pio run -t upload")])
    assert one.mend == "What mended it: “holding the boot button did it”."
    assert one.is_general
    talk = [("user", "hm, again please"), *ran("pip install pyserial")]
    other = only([*failed, *talk, *held, *ran("pio run -t upload")])
    assert other.mend == "Mended by running `pip install pyserial`."
    assert only([*failed, ("user", "try again"), *ran("pio run -t upload")]).is_general is False
