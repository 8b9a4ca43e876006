"""What recurs is proposed in a sentence that a person would have written, with links to its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW
from planted import plant

if TYPE_CHECKING:
    import cogmem

WEBPACK = [
    (
        "The webpack build fails when the cache is stale",
        "cleared node_modules/.cache, then it passed",
    ),
    ("Webpack build failed again because of a stale cache", "clearing node_modules/.cache helped"),
    (
        "Build of webpack broke, the stale cache once more",
        "cleared node_modules/.cache and it passed",
    ),
    ("The webpack build fails since its cache is stale", "gave up for today"),
]
OTHERS = [
    "The printer on floor two hums.", "Ann joined the choir.", "The invoice went out late.",
    "A heron stood on the barn roof.", "The heating was off on Sunday.",
]  # fmt: skip


OFFICE = "The office closes at six"


def happened(
    memory: cogmem.Memory, stories: list[tuple[str, str]], first: int = 0, **columns: Any
) -> list[str]:
    """Episodes, each in a session and on a day of its own."""
    return [
        plant(
            memory,
            text,
            "episode",
            at=NOW - (9 - n) * DAY,
            detail={
                "session_name": f"s{n}",
                "outcome": outcome,
                "happened_at": NOW - (9 - n) * DAY,
            },
            **columns,
        )
        for n, (text, outcome) in enumerate(stories, first)
    ]


def proposed(memory: cogmem.Memory) -> list[str]:
    rows = memory.list(state="candidate", everywhere=True, now=NOW)
    return sorted(row.content for row in rows)


def evidence(memory: cogmem.Memory) -> list[str]:
    """The uids, or numbers of messages, that bear candidates out."""
    rows = memory.db.ask(
        "select coalesce(e.uid, 'msg_' || l.message_id) from link l join memory m on m.id = l.from_id"
        " left join memory e on e.id = l.to_id where l.relation = 'evidence' and m.state = 'candidate' order by 1"
    )
    return [row[0] for row in rows]


def promote(memory: cogmem.Memory, at: int = NOW, **how: Any) -> int:
    return int(memory.nightly(now=at, job="promote", **how).jobs[0].promoted)


def test_episodes_in_other_words_become_one_sentence_with_what_helped(
    memory: cogmem.Memory,
) -> None:
    uids = happened(memory, WEBPACK)
    happened(memory, [(text, "") for text in OTHERS])
    assert promote(memory) == 1
    (said,) = proposed(memory)
    assert said.startswith("The webpack build fails")
    assert "stale" in said
    assert "(4 times: 2027-01-06, 2027-01-07, 2027-01-08 and 2027-01-09)" in said
    assert said.endswith("3 of 4 times.")
    assert "node_modules/.cache" in said
    assert evidence(memory) == sorted(uids)
    row = memory.list(state="candidate", now=NOW)[0]
    assert (row.kind, row.source, row.data) == ("fact", "inferred", {})
    assert row.tokens


def test_what_helped_is_found_in_the_episodes_own_words_where_its_outcome_is_a_verdict(
    memory: cogmem.Memory,
) -> None:
    happened(
        memory,
        [
            (
                "Webpack build failed with a stale cache; deleting node_modules/.cache fixed it",
                "ok",
            ),
            (
                "The webpack build broke: cache stale. Clearing node_modules/.cache helped",
                "success",
            ),
            (
                "Webpack build failing, stale cache. Cleared node_modules/.cache, it helped",
                "passed",
            ),
            ("Stale cache made the webpack build fail; rm -rf did not help this time", "failure"),
            (
                "The build of webpack fails with a stale cache; wiping node_modules/.cache helped",
                "ok",
            ),
        ],
    )
    happened(memory, [(text, "") for text in OTHERS])
    assert promote(memory) == 1
    (said,) = proposed(memory)
    assert "node_modules/.cache" in said
    assert "(5 times, 2027-01-06 to 2027-01-10)" in said
    assert said.endswith(" of 5 times.")
    assert "went well" not in said


def test_the_same_on_seven_days_is_one_row_and_recurs_all_the_same(memory: cogmem.Memory) -> None:
    for day in range(7):
        memory.episode(
            "The nightly import ran out of memory.", "failure", now=NOW - (8 - day) * DAY
        )
    assert len(memory.list(kind="episode", now=NOW)) == 1
    assert promote(memory) == 1
    assert proposed(memory) == ["The nightly import ran out of memory (7 times since 2027-01-07)."]


@pytest.mark.parametrize(
    ("stories", "columns"),
    [
        (WEBPACK[:2], {}),  # too few
        ([(text, "") for text in OTHERS], {"tags": ("garden",)}),  # a tag alone says no sentence
        (WEBPACK, {"source": "inferred"}),  # made by a night
        (WEBPACK, {"source": "web"}),  # from outside
        (WEBPACK, {"session": "now"}),  # of one session only
    ],
)
def test_what_is_too_little_or_from_elsewhere_is_not_proposed(
    memory: cogmem.Memory, stories: list[tuple[str, str]], columns: dict[str, Any]
) -> None:
    happened(memory, stories, **columns)
    assert promote(memory) == 0


def test_a_burst_is_no_recurrence(memory: cogmem.Memory) -> None:
    for n, (text, _) in enumerate(WEBPACK * 2):
        detail = {"session_name": f"s{n % 2}", "happened_at": NOW - DAY + n}
        plant(memory, f"{text} {n}", "episode", at=NOW - DAY + n, detail=detail)
    assert promote(memory) == 0


def test_people_and_projects_recur_apart(memory: cogmem.Memory) -> None:
    happened(memory, WEBPACK[:2], user="ann")
    happened(memory, WEBPACK[2:], user="bo")
    assert promote(memory) == 0
    happened(memory, [(f"{text} today", end) for text, end in WEBPACK[2:]], 4, user="ann")
    assert promote(memory, force=True) == 1
    assert [row.user for row in memory.list(state="candidate", everywhere=True, now=NOW)] == ["ann"]


def called(memory: cogmem.Memory, talk: int, *calls: tuple[str, str]) -> None:
    """Commands of one conversation with their output; an output that names an error has failed."""
    record = memory.conversation(f"c{talk}")
    for n, (command, output) in enumerate(calls):
        at = NOW - (9 - talk) * DAY + n * 1_000
        name = f"t{talk}.{n}"
        call = {"type": "tool_call", "id": name, "name": "bash", "arguments": {"command": command}}
        result: dict[str, Any] = {"type": "tool_result", "tool_call_id": name, "content": output}
        if "Error" in output:
            result["is_error"] = True
        record.append("assistant", [call], at=at)
        record.append("tool", [result], at=at + 1)


BROKEN = ("npm run build", "> build\nError: Cannot find module './chunk-41.js'")
CURE = ("npm cache clean --force", "cleaned")
WORKS = ("npm run build", "compiled")


def test_a_command_that_keeps_failing_says_with_what_and_what_mended_it(
    memory: cogmem.Memory,
) -> None:
    for talk in range(3):
        called(memory, talk, BROKEN, CURE, WORKS)
    called(memory, 3, BROKEN)
    called(memory, 4, ("pytest -q", "AssertionError: 1 == 2"))
    assert promote(memory) == 1
    (said,) = proposed(memory)
    assert said == (
        "`npm run build` fails with “Error: Cannot find module './chunk-41.js'” (4 times, 2027-01-06 to 2027-01-09);"
        " running `npm cache clean --force` mended it, 3 of 4 times."
    )
    assert len(evidence(memory)) == 4
    assert all(ref.startswith("msg_") for ref in evidence(memory))
    assert memory.list(state="candidate", now=NOW)[0].kind == "pitfall"


def test_a_night_proposes_once_and_not_what_a_person_removed(memory: cogmem.Memory) -> None:
    happened(memory, WEBPACK)
    for talk in range(3):
        called(memory, talk, BROKEN, CURE, WORKS)
    assert promote(memory) == 2
    before = proposed(memory)
    for week in (1, 2):
        assert promote(memory, at=NOW + week * DAY, force=True) == 0
    assert proposed(memory) == before
    for row in memory.list(state="candidate", now=NOW):
        memory.remove(row.uid, now=NOW + 3 * DAY)
    happened(memory, [(f"{text} today", end) for text, end in WEBPACK])
    assert promote(memory, at=NOW + 4 * DAY, force=True) == 0


def test_a_rehearsal_shows_what_the_night_then_does_and_one_undo_takes_it_back(
    memory: cogmem.Memory,
) -> None:
    happened(memory, WEBPACK)
    shown = memory.nightly(now=NOW, job="promote", dry_run=True).jobs[0]
    assert shown.promoted == 1
    assert proposed(memory) == []
    done = memory.nightly(now=NOW, job="promote").jobs[0]
    new = [change for change in shown.changes or [] if change.record == "memory"]
    assert {change.uid for change in new} == {
        row.uid for row in memory.list(state="candidate", now=NOW)
    }
    memory.undo(done.run, now=NOW + 1)
    assert proposed(memory) == []


def test_what_each_says_of_its_own_is_not_said_of_all(memory: cogmem.Memory) -> None:
    about = ("for the payments team", "for the search team", "on logging", "about icons", "on docs")
    happened(memory, [(f"Reviewed the PR {what}", "success") for what in about])
    happened(memory, [(text, "") for text in OTHERS])
    assert promote(memory) == 0


def test_forms_of_a_word_that_stemming_keeps_apart_are_one(memory: cogmem.Memory) -> None:
    happened(
        memory,
        [
            ("test_checkout is flaky on CI", "re-ran it and it passed"),
            ("CI: test_checkout failed, timing", "Re-running passed"),
            ("test_checkout flaked again on CI", "passed on the second run"),
            ("flaky test_checkout blocked the merge", "re-run, green"),
        ],
    )
    happened(memory, [(text, "") for text in OTHERS])
    assert promote(memory) == 1
    assert proposed(memory)[0].startswith("test_checkout is flaky on CI (4 times")


def test_what_one_and_the_same_episode_led_to_counts_each_time(memory: cogmem.Memory) -> None:
    for day in range(5):
        memory.episode(
            "A customer asked for an invoice copy.",
            "sent it from the archive",
            now=NOW - (9 - day) * DAY,
        )
    assert promote(memory) == 1
    assert proposed(memory) == [
        "A customer asked for an invoice copy (5 times since 2027-01-06); sent it from the archive, 5 of 5 times."
    ]


def test_of_what_helped_the_words_that_most_use_are_quoted(memory: cogmem.Memory) -> None:
    happened(
        memory,
        [
            ("git push was rejected because main was behind", "pulled with rebase, then pushed"),
            ("Push rejected, main behind the remote", "git pull --rebase helped"),
            ("git push rejected: main behind, new commits", "pull --rebase and push"),
            ("Push to main rejected again, it was behind", "rebased on it"),
        ],
    )
    happened(memory, [(text, "") for text in OTHERS])
    assert promote(memory) == 1
    assert "pull --rebase and push, 4 of 4 times" in proposed(memory)[0]


def test_no_night_gives_trust_to_what_was_inferred(memory: cogmem.Memory) -> None:
    happened(memory, WEBPACK)
    promote(memory)
    memory.learn(OFFICE, source="inferred", now=NOW)
    for day in range(1, 41, 4):
        for word in ("webpack", "office"):
            memory.recall(word, now=NOW + day * DAY)
            memory.activate(f"what about {word}?", session=f"s{day}", now=NOW + day * DAY)
        before = trusted(memory)
        assert before
        memory.nightly(now=NOW + day * DAY)
        after = trusted(memory)
        assert all(after[uid] <= before[uid] for uid in after.keys() & before.keys())
        assert not set(after) - set(before)
        active = memory.list(limit=0, state="active", everywhere=True)
        assert {row.content for row in active if row.source == "inferred"} <= {OFFICE}


def trusted(memory: cogmem.Memory) -> dict[str, float]:
    """The trust of each memory that nobody said."""
    rows = memory.db.ask("select uid, trust from memory where source = 'inferred'")
    return dict(rows)


def test_what_a_session_left_of_its_work_is_no_incident_again(memory: cogmem.Memory) -> None:
    happened(memory, WEBPACK)
    for n, (text, _) in enumerate(WEBPACK):
        left = f"Changed webpack.config.js for: “{text}”"
        detail = {"session_name": f"s{n}", "happened_at": NOW - (9 - n) * DAY}
        at = NOW - (9 - n) * DAY
        plant(memory, left, "done", at=at, detail=detail, data={"work": True})
    happened(memory, [(text, "") for text in OTHERS])
    assert promote(memory) == 1
    assert "(4 times: " in proposed(memory)[0]
