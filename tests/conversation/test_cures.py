"""What went wrong and what mended it is one memory, and the next complaint brings the cure first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW

from cogmem.conversation.last_lines import cures

if TYPE_CHECKING:
    from cogmem import Memory


def said(*lines: str) -> list[dict[str, Any]]:
    """Messages: `>` a person's, `<` the agent's, `$` a command that worked."""
    found: list[dict[str, Any]] = []
    for number, line in enumerate(lines):
        sign, _, text = line.partition(" ")
        if sign == "$":
            call = {"type": "tool_call", "id": str(number), "name": "Bash"}
            result = {"type": "tool_result", "tool_call_id": str(number), "content": "ok"}
            found.append({"role": "assistant", "parts": [{**call, "arguments": {"command": text}}]})
            found.append({"role": "tool", "parts": [result]})
        else:
            role = "user" if sign == ">" else "assistant"
            found.append({"role": role, "parts": [{"type": "text", "text": text}]})
    return found


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (
            ("> the printer page fails with a white screen", "$ npm run clean", "> works again"),
            ["the printer page fails with a white screen: mended by running `npm run clean`"],
        ),
        (
            (
                "> the login does not load on Safari",
                "< Trying.",
                "> turning off the ad blocker fixed it",
            ),
            ["the login does not load on Safari: mended by “turning off the ad blocker fixed it”"],
        ),
        (  # a trouble told in words of its own
            (
                "> the badge reader in the hall blinks red since noon",
                "< Could be the cable.",
                "> It was the card. Cleaning the reader fixed it",
            ),
            [
                "the badge reader in the hall blinks red since noon: mended by “Cleaning the reader fixed it”"
            ],
        ),
        (  # the answer named the cure
            (
                "> The label printer prints empty labels again",
                "< Try power cycling it or cleaning the sensor.",
                "> cleaning the sensor fixed it, thanks",
            ),
            [
                "The label printer prints empty labels again: mended by “cleaning the sensor fixed it, thanks”"
            ],
        ),
        (
            (
                "> Der Drucker druckt nur leere Seiten",
                "< Reinige den Druckkopf.",
                "> Den Druckkopf reinigen hat geholfen",
            ),
            [
                "Der Drucker druckt nur leere Seiten: mended by “Den Druckkopf reinigen hat geholfen”"
            ],
        ),
        (("> My sister moved to Porto", "< Nice.", "> the new hire helped the team a lot"), []),
        (("> the menu is blue now", "< Fine.", "> Cleaning the reader fixed it"), []),
        (  # "that" is what the answer did: thanks say nothing of it
            (
                "> the driver hangs on page two",
                "< Moved it to RAM.",
                "> nice, that fixed it. keep it so",
            ),
            [],
        ),
        (("> Der Drucker ist kaputt", "< Neu gestartet.", "> super, das hat geholfen"), []),
        (
            ("> the router is stuck", "< Try the power.", "> turning it off fixed it"),
            ["the router is stuck: mended by “turning it off fixed it”"],
        ),
        (("> is the reader new?", "< Yes.", "> Cleaning the reader fixed it"), []),
        (("> Die Heizung ist kaputt", "< Das Ventil klemmt.", "> läuft wieder"), []),
        (
            ("> Die Heizung ist kaputt", "$ make heat", "> läuft wieder"),
            ["Die Heizung ist kaputt: mended by running `make heat`"],
        ),
        (("> the build fails", "$ make clean", "> works now", "> no, the build fails again"), []),
        (("> run the linter and tell me if anything fails", "$ make lint", "> works now"), []),
        (("> don't write code yet, it's broken", "$ make clean", "> works now"), []),
        (("> we don't use the cache", "$ make clean", "> works now"), []),
        (("> the login does not load", "< Trying.", "> still broken"), []),
        (("> add a login page", "$ npm test", "> works now"), []),
        (("> why does it fail?", "$ npm test", "> works now"), []),
        (("> the build fails", "$ cat log.txt", "< Shall I look?", "> works now"), []),
    ],
)
def test_a_complaint_and_what_mended_it_are_a_pair(lines: tuple[str, ...], told: list[str]) -> None:
    assert [one.text for one in cures(said(*lines))] == told


def session(memory: Memory, name: str, at: int, *lines: str) -> None:
    talk = memory.conversation(name)
    for number, one in enumerate(said(*lines)):
        entry = (one["role"], one["parts"], None, at + number * 1000, None)
        talk.extend([entry], counted=False)
    memory.sessions.conclude(name, now=at + 60_000)


def test_s7_the_next_complaint_brings_the_cure_first(memory: Memory) -> None:
    session(
        memory, "a", NOW, "> metro can't resolve the module although the file is there",
        "$ npx expo start --clear", "> works now",
    )  # fmt: skip
    session(
        memory, "b", NOW + DAY, "> metro again can't resolve a module", "$ rm -rf .metro", "> fixed"
    )
    cured = [row for row in memory.list(limit=0, now=NOW + DAY) if row.kind == "failure"]
    assert [(row.content, row.reinforcement_count) for row in cured] == [
        (
            "metro can't resolve the module although the file is there: mended by running `rm -rf .metro`",
            2,
        )
    ]
    turn = memory.activate("metro can't resolve ./lang, the file is there", now=NOW + 2 * DAY)
    first = turn.volatile.split("## Relevant now\n")[1].splitlines()[0]
    assert "mended by running `rm -rf .metro`" in first


def test_forgetting_the_message_forgets_its_cure(memory: Memory) -> None:
    session(memory, "a", NOW, "> the bells don't ring", "< Oil it.", "> oiling the hinge fixed it")
    (cure,) = [row for row in memory.list(limit=0, now=NOW) if row.kind == "failure"]
    ref = memory.db.ask("select max(id) from message where role = 'user'")[0][0]
    memory.forget(f"msg_{ref}", now=NOW + DAY)
    assert cure.uid not in {row.uid for row in memory.list(limit=0, now=NOW + DAY)}
