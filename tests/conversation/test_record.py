"""The record: what is said is numbered once, kept to the letter, and never silently dropped.

Modules: conversation, save.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from conftest import NOW

import cogmem
from cogmem.conversation.conversation import Conversation, current
from cogmem.errors import InvalidInput
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cogmem import Memory

CALL = {
    "type": "tool_call",
    "id": "call_1",
    "name": "bash",
    "arguments": {"command": "make", "env": {"CI": 1}},
}
RESULT = {"type": "tool_result", "tool_call_id": "call_1", "content": "ok\n\n\ttabs  and blanks \n"}


def texts(talk: Conversation) -> list[str]:
    return [message.text for message in talk.messages()]


def said(*lines: str) -> list[dict[str, str]]:
    roles = ("user", "assistant")
    return [{"role": roles[place % 2], "content": line} for place, line in enumerate(lines)]


def test_messages_are_numbered_from_zero_and_read_back_in_order(memory: Memory) -> None:
    talk = memory.conversation("talk")
    assert [talk.append("user", f"line {n}", at=NOW + n) for n in range(5)] == [0, 1, 2, 3, 4]
    assert texts(talk) == [f"line {n}" for n in range(5)]
    assert [message.raw("at") for message in talk.messages(1, 3)] == [NOW + 1, NOW + 2]
    assert len(talk) == 5


def test_f01_a_range_is_half_open_and_clamped(memory: Memory) -> None:
    talk = memory.conversation("talk")
    talk.save(said("a", "b", "c"))
    assert [m.seq for m in talk.messages(-5, 2)] == [0, 1]
    assert [m.seq for m in talk.messages(2, 99)] == [2]
    assert talk.messages(2, 2) == []
    assert talk.messages(3, 1) == []
    assert [m.text for m in talk.recent(2)] == ["b", "c"]
    assert memory.conversation("nobody").messages() == []


def test_f01_saving_a_longer_list_appends_its_tail_only(memory: Memory) -> None:
    talk = memory.conversation("talk")
    assert talk.save(said("a", "b")).appended == [0, 1]
    again = talk.save(said("a", "b"))
    assert (again.appended, again.edited, again.withdrawn, again.unchanged) == ([], [], [], 2)
    assert talk.save(said("a", "b", "c")).appended == [2]
    assert texts(talk) == ["a", "b", "c"]


def test_f01_the_same_length_with_other_words_is_written_as_new_versions(memory: Memory) -> None:
    talk = memory.conversation("talk")
    talk.save(said("a", "b", "c"))
    saved = talk.save(said("a", "B", "c"))
    assert saved.edited == [1]
    assert saved.unchanged == 2
    assert texts(talk) == ["a", "B", "c"]
    assert [v.text for v in talk.versions(1)] == ["b", "B"]


def test_f01_a_shorter_list_takes_the_end_back_and_keeps_what_was_said(memory: Memory) -> None:
    talk = memory.conversation("talk")
    talk.save(said("a", "b", "c"))
    assert talk.save(said("a")).withdrawn == [1, 2]
    assert texts(talk) == ["a"]
    assert [v.text for v in talk.versions(2)] == ["c", ""]
    assert talk.append("user", "d") == 3
    assert texts(talk) == ["a", "d"]


def test_a_host_that_forgot_the_beginning_only_appends(memory: Memory) -> None:
    talk = memory.conversation("talk")
    system = {"role": "system", "content": "be brief"}
    talk.save([system, *said("a", "b", "c", "d")])
    saved = talk.save([system, *said("a", "b", "c", "d")[2:], {"role": "user", "content": "e"}])
    assert saved.appended == [5]
    assert saved.withdrawn == []
    assert saved.edited == []
    assert texts(talk) == ["be brief", "a", "b", "c", "d", "e"]


def test_f01_clearing_takes_messages_segments_and_summaries_with_it(memory: Memory) -> None:
    talk = memory.conversation("talk", policy={"archive_threshold": 20, "archive_batch": 10})
    talk.save(said(*(f"line {n}" for n in range(40))))
    talk.keep_up()
    assert talk.clear(reason="asked for") == 40
    for table in ("conversation", "message", "segment", "summary", "summary_source"):
        assert memory.db.ask(f"select count(*) from {table}") == [(0,)]
    assert talk.append("user", "again") == 0


def test_f02_tool_calls_and_results_come_back_to_the_letter(memory: Memory) -> None:
    talk = memory.conversation("talk")
    talk.append("assistant", [{"type": "text", "text": "I look."}, CALL])
    talk.append("tool", [RESULT])
    first, second = talk.messages()
    assert first.parts == [{"type": "text", "text": "I look."}, CALL]
    assert second.parts == [RESULT]
    assert first.text == "I look."
    assert second.text == ""


@pytest.mark.parametrize(
    ("role", "content", "why"),
    [
        ("robot", "x", "role 'robot' is not known"),
        ("user", 7, "a message is text or a list of parts"),
        ("user", [{"text": "x"}], 'an object with a "type"'),
        ("user", [{"type": "text"}], 'needs its words under "text"'),
        ("assistant", [{"type": "tool_call", "id": "1"}], 'needs the "name"'),
        ("tool", [{"type": "tool_result", "content": float("nan")}], "cannot be written as JSON"),
    ],
)
def test_f02_a_malformed_message_is_refused_with_a_reason(
    memory: Memory, role: str, content: object, why: str
) -> None:
    with pytest.raises(InvalidInput, match=why):
        memory.conversation("talk").append(role, content)  # type: ignore[arg-type]
    assert memory.conversation("talk").messages() == []


def test_f02_what_is_no_entry_of_the_record_is_refused_before_anything_is_stored(
    memory: Memory,
) -> None:
    talk = memory.conversation("talk")
    good = ("user", "Which host is staging?", None, NOW, None)
    with pytest.raises(InvalidInput, match="`save` takes messages"):
        talk.extend([good, {"role": "user", "content": "heron"}])  # type: ignore[list-item]
    assert talk.messages() == []
    assert talk.extend([good]) == [0]


def test_secrets_are_redacted_before_they_reach_the_record(memory: Memory) -> None:
    key = "sk-" + "a1B2" * 10
    talk = memory.conversation("talk")
    talk.append("user", f"my key is {key}")
    talk.append("tool", [{**RESULT, "content": {"env": [f"KEY={key}"]}}])
    stored = json.dumps(memory.db.ask("select text, parts from message"))
    assert key not in stored
    assert "[redacted" in stored


def test_saving_a_list_with_a_secret_again_changes_nothing(memory: Memory) -> None:
    talk = memory.conversation("talk")
    spoken = said("my key is sk-" + "a1B2" * 10, "noted")
    talk.save(spoken)
    assert talk.save(spoken).unchanged == 2
    assert [v.version for v in talk.versions(0)] == [1]


def test_an_edit_keeps_every_version_and_marks_the_summaries_above_it(memory: Memory) -> None:
    talk = memory.conversation("talk")
    talk.save(said(*(f"The budget is {n} euros." for n in range(12))))
    talk.ingest()
    assert talk.edit(3, "The budget is 777 euros.") == 2
    assert [v.text for v in talk.versions(3)] == [
        "The budget is 3 euros.",
        "The budget is 777 euros.",
    ]
    assert memory.db.ask("select is_stale from summary") == [(1,)]
    assert talk.ingest().retold == 1
    content, stale = memory.db.ask("select content, is_stale from summary")[0]
    assert "777" in content
    assert not stale


def test_editing_what_was_never_said_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="has no message 4"):
        memory.conversation("talk").edit(4, "x")


def test_two_scopes_with_one_name_are_two_conversations(memory: Memory) -> None:
    memory.conversation("talk", user="ann").append("user", "mine")
    memory.conversation("talk", user="bob").append("user", "his")
    assert texts(memory.conversation("talk", user="ann")) == ["mine"]
    assert texts(memory.conversation("talk")) == []


def test_an_uncounted_message_is_counted_with_the_next_ingest(memory: Memory) -> None:
    talk = memory.conversation("talk")
    talk.append("user", "ten words " * 10, counted=False)
    assert memory.db.ask("select tokens, whole_tokens from message") == [(None, None)]
    talk.ingest(everything=True)
    tokens, whole = memory.db.ask("select tokens, whole_tokens from message")[0]
    assert tokens > 20
    assert whole > 20


def test_f49_tools_find_the_conversation_of_their_turn(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="no conversation is named"):
        memory.conversation()
    token = current.set("talk of today")
    try:
        memory.conversation().append("user", "hello")
    finally:
        current.reset(token)
    assert texts(memory.conversation("talk of today")) == ["hello"]


def test_conversations_are_listed_for_those_who_may_read_them(memory: Memory) -> None:
    memory.conversation("old", user="ann").append("user", "x", at=NOW)
    memory.conversation("new", user="ann").append("user", "x", at=NOW + 5)
    memory.conversation("his", user="bob").append("user", "x", at=NOW)
    memory.conversation("new", user="ann").entitle("About x")
    ann = [row.name for row in memory.conversations.list()]
    assert ann == []
    everyone = memory.conversations.list(everywhere=True)
    assert next(row.name for row in everyone) == "new"
    assert len(everyone) == 3
    assert everyone[0].title == "About x"


def test_two_connections_never_give_a_number_twice(
    path: str, open_memory: Callable[..., Memory]
) -> None:
    with open_memory(path) as one, open_memory(path) as two:
        a, b = one.conversation("talk"), two.conversation("talk")
        seqs = [talk.append("user", str(n)) for n in range(10) for talk in (a, b)]
        assert seqs == list(range(20))
        assert one.file.check() == []


def test_a_save_that_meets_another_writer_compares_again(
    path: str, open_memory: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_memory(path) as one, open_memory(path) as two:
        talk = one.conversation("talk")
        talk.save(said("a", "b"))
        state = talk.state
        late = iter([True])

        def stale_state() -> object:
            found = state()
            if next(late, False):
                two.conversation("talk").append("user", "c")
            return found

        monkeypatch.setattr(talk, "state", stale_state)
        assert talk.save(said("a", "b", "c", "d")).appended == [3]
        assert texts(talk) == ["a", "b", "c", "d"]


def test_tokens_are_counted_with_the_counter_in_force(path: str) -> None:
    with cogmem.open(path, counter=counting.Cjk()) as mem:
        mem.conversation("talk").append("user", "你好世界")
        assert mem.db.ask("select whole_tokens, token_counter from message") == [(7, "cjk")]


def test_a_bulk_leaves_the_file_as_message_by_message_would(
    open_memory: Callable[..., Memory], tmp_path: Path
) -> None:
    lines: list[tuple[str, object, str | None, int, None]] = [
        (
            ("user", "assistant")[n % 2],
            f"Line {n} 你好 about herons?" if n % 5 else "",
            ("Ann", "ann", None)[n % 3],
            NOW + n,
            None,
        )
        for n in range(250)
    ]
    lines.append(("assistant", [CALL], None, NOW, None))
    bulk, one_by_one = (str(tmp_path / f"{name}.db") for name in ("bulk", "single"))
    with open_memory(bulk) as memory, open_memory(one_by_one) as single:
        for mem in (memory, single):
            mem.conversation("before", user="ann").append(
                "user", "hello heron", speaker="ANN", at=NOW
            )
        memory.conversation("talk", user="ann").extend(lines)
        for entry in lines:
            single.conversation("talk", user="ann").extend([entry])
        compared = [
            row[0]
            for row in memory.db.ask(
                "select name from sqlite_schema where type = 'table' and sql not like '%virtual%'"
            )
            if not row[0].startswith(
                ("sqlite_", "message_fts_", "memory_fts_", "document_fts", "context", "fact_fts")
            )
        ]
        assert {"message", "message_place", "audience", "speaker"} <= set(compared)
        for table in compared:
            both = [mem.db.ask(f"select * from {table}") for mem in (memory, single)]
            if table == "message":  # but for its name, the last column
                both = [[row[:-1] for row in rows] for rows in both]
            assert both[0] == both[1], table
        found = "select rowid from message_fts where message_fts match 'heron' order by rowid"
        assert memory.db.ask(found) == single.db.ask(found)
        triggers = "select name, sql from sqlite_schema where type = 'trigger' order by name"
        assert memory.db.ask(triggers) == single.db.ask(triggers)
        assert single.file.check() == []


def test_a_bulk_that_fails_leaves_the_triggers_where_they_were(memory: Memory) -> None:
    talk = memory.conversation("talk")
    talk.append("user", "first")
    broken = memory.db.write

    def failing(steps: list[object], **options: object) -> object:
        return broken([*steps, ("insert into message (id) values (1)", {})], **options)  # type: ignore[list-item, arg-type]

    memory.db.write = failing  # type: ignore[method-assign, assignment]
    with pytest.raises(cogmem.CogmemError):
        talk.extend([("user", f"line {n}", None, NOW, None) for n in range(250)])
    memory.db.write = broken  # type: ignore[method-assign]
    assert texts(talk) == ["first"]
    assert talk.append("user", "second heron") == 1
    assert len(memory.db.ask("select rowid from message_fts where message_fts match 'heron'")) == 1
