"""Recorded messages as evidence: the index is exact, the viewer's scope holds, the ranking answers.

Modules: ground.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.errors import CogmemError, InvalidInput
from cogmem.language.cue import cjk_text, read_cue
from cogmem.scope import Scope
from cogmem.search import messages as ev
from cogmem.tokens.counting import O200k, Simple
from cogmem.turn.block import Block, Costs
from cogmem.turn.layers import as_items

if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.file.db import Database

NOBODY = Scope()


def at(day: int, minute: int = 0) -> int:
    """An instant of day 1, 2, … of this test's time."""
    return NOW + (day - 100) * DAY + minute * 60_000


def ask(
    mem: cogmem.Memory, question: str, scope: Scope = NOBODY, *, limit: int = 50, **how: Any
) -> list[ev.Evidence]:
    moment = datetime.fromtimestamp(NOW / 1000, UTC)
    return ev.evidence(mem.db, read_cue(question, moment), scope, NOW, limit=limit, **how)


def texts(found: list[ev.Evidence]) -> list[str]:
    return [one.text for one in found]


def say(mem: cogmem.Memory, name: str, *said: str, day: int = 1, **scope: str) -> None:
    """Turns of two people, "Ann: words" or just words."""
    talk = mem.conversation(name, **scope)
    for minute, line in enumerate(said):
        who, colon, words = line.partition(": ")
        speaker, words = (who, words) if colon else (None, line)
        talk.append("user", words, speaker=speaker, at=at(day, minute))


# -- the index -------------------------------------------------------------------------------


def differences(db: Database) -> list[object]:
    """Where the derived tables are not what the record says."""
    db.ask("insert into message_fts (message_fts, rank) values ('integrity-check', 1)")
    columns = "place, audience_id, said_at, tokens, asks, rules, speaker"
    counted = (
        "select a.user, a.project, a.runtime, count(*) from message_place p"
        " join audience a on a.id = p.audience_id group by a.id"
    )
    named = (
        "select audience_id, lower(speaker), count(*) from message_place"
        " where speaker <> '' group by 1, 2"
    )
    pairs = [
        (f"select {columns} from message_place", f"select {columns} from inside_message_place_due"),
        ("select user, project, runtime, messages from audience", counted),
        ("select audience_id, lower(name), messages from speaker", named),
    ]
    return [
        (left, extra)
        for one, other in pairs
        for left, right in ((one, other), (other, one))
        for extra in db.ask(f"{left} except {right}")
    ]


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(
            ["say"] * 4
            + ["ask", "edit", "withdraw", "restore", "count", "archive", "redact", "forget"]
            + ["move", "clear"]
        ),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    max_size=25,
)
WORDS = [
    "Always use tabs",
    "I prefer tea",
    "東京都庁に行く",
    "Where is it?",
    "plain words",
    "from now on",
]


def act(db: Database, verb: str, action: str, a: int, b: int) -> None:
    """One thing that clients do, in SQL alone."""
    conversation, seq = a % 3 + 1, b
    there = db.ask(
        "select id, is_current, text from message where conversation_id = :c and seq = :s"
        " order by version desc",
        {"c": conversation, "s": seq},
    )
    steps: list[tuple[str, dict[str, Any]]] = []
    row = {
        "c": conversation,
        "s": seq,
        "role": ("user", "assistant")[b % 2],
        "text": WORDS[(a + b) % 6],
        "who": ("", "Ann", "ann", "Bob", "user")[(a * b) % 5],
        "version": len(there) + 1,
    }
    insert = (
        "insert into message (conversation_id, seq, version, role, speaker, tokens, said_at, text, parts)"
        " values (:c, :s, :version, :role, :who, 7, 5, :text, '[]')"
    )
    retire = "update message set is_current = 0 where conversation_id = :c and seq = :s"
    if action == "say" and not there:
        steps = [(insert, row)]
    elif action in ("edit", "withdraw") and there:
        row["text"] = "" if action == "withdraw" else row["text"]
        steps = [(retire, {"c": conversation, "s": seq}), (insert, row)]
    elif action == "restore" and there and not any(current for _, current, _ in there):
        steps = [("update message set is_current = 1 where id = :id", {"id": there[0][0]})]
    elif action == "ask":
        steps = [("update message set asks = 1 where seq = :s", {"s": seq})]
    elif action == "count":
        steps = [("update message set tokens = :n where seq = :s", {"n": a, "s": seq})]
    elif action == "archive":
        made = (
            "insert into segment (conversation_id, start_seq, end_seq, message_count, body, created_at)"
            " values (:c, :s, :s, 1, x'00', 5)"
        )
        moved = (
            "update message set parts = null, segment_id = (select max(id) from segment)"
            " where conversation_id = :c and seq = :s and parts is not null"
        )
        at_place = {"c": conversation, "s": seq}
        taken = db.ask(
            "select 1 from segment where (conversation_id, start_seq) = (:c, :s)", at_place
        )
        if there and not taken:
            steps = [(made, at_place), (moved, at_place)]
    elif action == "redact":
        steps = [("update message set text = 'gone', terms = '' where seq = :s", {"s": seq})]
    elif action == "forget":
        where = {"c": conversation, "s": seq}
        steps = [("delete from message where conversation_id = :c and seq = :s", where)]
    elif action == "move":
        steps = [
            (
                "update conversation set user = :u where id = :c",
                {"u": f"u{b % 2}", "c": conversation},
            )
        ]
    elif action == "clear" and b == 0:
        steps = [("delete from conversation where id = :c", {"c": conversation})]
        steps += [
            (
                f"insert into conversation (id, name, created_at) values (:c, 'c{a}{b}', 1)",
                {"c": conversation},
            )
        ]
    if steps:
        db.write(steps, verb=verb, at=5)


@pytest.mark.parametrize("driver", ["apsw", "sqlite3"])
@settings(max_examples=examples(60))
@given(actions=ACTIONS)
def test_the_message_index_is_exact_after_anything_that_may_happen_to_the_record(
    driver: str, actions: list[tuple[str, int, int]]
) -> None:
    with cogmem.open(":memory:", driver=driver, counter=Simple()) as mem:
        for number in (1, 2, 3):
            mem.db.ask(
                "insert into conversation (id, name, project, created_at) values (:n, :n, :p, 1)",
                {"n": number, "p": "p" if number == 3 else ""},
            )
        for action, a, b in actions:
            verb = {"archive": "archive"}.get(action, "forget")
            act(mem.db, verb, action, a, b)
        assert differences(mem.db) == []
        kept = mem.db.ask("select place, said_at, tokens, asks, rules, speaker from message_place")
        mem.file.rebuild()
        assert differences(mem.db) == []
        again = mem.db.ask("select place, said_at, tokens, asks, rules, speaker from message_place")
        assert again == kept


PUT = "insert into message (conversation_id, seq, version, role, said_at, text, parts) values "


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (PUT + "(9, 0, 1, 'user', 1, 'x', '[]')", "needs its conversation"),
        (PUT + "(1, 16777216, 1, 'user', 1, 'x', '[]')", "16777216 messages"),
        (PUT + "(1, 0, 2, 'user', 1, 'x', '[]')", "first marks the version"),
        ("update conversation set id = 7", "keeps its number"),
    ],
)
def test_what_the_index_cannot_hold_is_refused(
    memory: cogmem.Memory, statement: str, said: str
) -> None:
    say(memory, "c", "hello there")
    memory.db.ask("pragma foreign_keys = off")
    with pytest.raises(CogmemError, match=said):
        memory.db.ask(statement)
    memory.db.ask("pragma foreign_keys = on")
    assert differences(memory.db) == []


def test_an_older_version_comes_back_only_when_no_other_is_in_force(memory: cogmem.Memory) -> None:
    talk = memory.conversation("c")
    talk.append("user", "the heron is grey", at=at(1))
    talk.edit(0, "the heron is white", at=at(2))
    with pytest.raises(InvalidInput, match="another version"):
        memory.db.ask("update message set is_current = 1 where version = 1")
    assert texts(ask(memory, "heron")) == ["the heron is white"]


def test_the_largest_place_of_a_conversation_is_found(memory: cogmem.Memory) -> None:
    say(memory, "c", "one", "the heron")
    memory.db.ask("insert into conversation (name, created_at, next_seq) values ('d', 1, 16777216)")
    memory.db.ask(
        "insert into message (conversation_id, seq, role, said_at, text, parts, tokens)"
        " values (2, 16777215, 'user', 1, 'a heron far out', '[]', 5)"
    )
    assert {one.place for one in ask(memory, "heron")} >= {(1 << 24) + 1, (2 << 24) + 16777215}
    assert differences(memory.db) == []


# -- what comes back -------------------------------------------------------------------------


def test_a_message_that_shares_words_comes_back_with_all_that_a_line_needs(
    memory: cogmem.Memory,
) -> None:
    say(memory, "talk", "Ann: My  sister\nplays the cello.", "Bob: Nice.", day=3)
    (first, *_) = ask(memory, "Who plays the cello?")
    assert (first.ref, first.place, first.who) == ("msg_1", 1 << 24, "Ann")
    assert first.text == "My sister plays the cello."
    assert (first.at, first.name, first.relevance) == (at(3), "talk", 1.0)
    assert first.tokens is not None
    assert first.score > 0


def test_an_answer_is_found_beside_its_question(memory: cogmem.Memory) -> None:
    filler = [f"Ann: Talk number {n} about nothing at all." for n in range(30)]
    say(
        memory,
        "a",
        *filler[:15],
        "Ann: Which instrument does your sister play?",
        "Bob: Cello!",
        *filler[15:],
    )
    found = texts(ask(memory, "What instrument does the sister play?"))
    assert found[:2] == ["Which instrument does your sister play?", "Cello!"]


def test_messages_after_a_question_gain_more_than_those_before_it(memory: cogmem.Memory) -> None:
    say(memory, "a", "Before.", "What do herons eat?", "After.")
    assert texts(ask(memory, "herons"))[1:] == ["After.", "Before."]


def test_a_conversation_s_messages_have_no_neighbours_in_another(memory: cogmem.Memory) -> None:
    say(memory, "a", "The heron stands.")
    say(memory, "b", "Something else.")
    assert texts(ask(memory, "heron")) == ["The heron stands."]


def test_of_two_equal_matches_the_shorter_one_leads(memory: cogmem.Memory) -> None:
    say(memory, "a", "heron " + "and much else besides " * 40)
    say(memory, "b", "A heron.")
    assert texts(ask(memory, "heron"))[0] == "A heron."


def test_the_speaker_whom_the_prompt_names_leads(memory: cogmem.Memory) -> None:
    say(memory, "a", "Ann Lee: I swim on Mondays.")
    say(memory, "b", "Özlem: I swim on Tuesdays.")
    assert ask(memory, "When does Ann swim?")[0].who == "Ann Lee"
    assert ask(memory, "When does Özlem swim?")[0].who == "Özlem"


def test_a_role_is_no_speaker(memory: cogmem.Memory) -> None:
    memory.conversation("a").append("user", "I swim.", speaker="user", at=at(1))
    assert memory.db.ask("select count(*) from speaker") == [(0,)]


def test_a_rule_for_the_future_leads(memory: cogmem.Memory) -> None:
    say(memory, "a", "We format dates somehow here.")
    say(memory, "b", "Always format dates like 2024-05-01.")
    assert texts(ask(memory, "format dates"))[0].startswith("Always")


def test_what_was_said_on_the_day_that_the_prompt_names_leads(memory: cogmem.Memory) -> None:
    say(memory, "a", "We walked by the lake.", day=10)
    say(memory, "b", "We walked in the wood.", day=40)
    say(memory, "c", "Quite another thing.", day=40)
    day = datetime.fromtimestamp(at(40) / 1000, UTC).strftime("%Y-%m-%d")
    assert texts(ask(memory, f"Where did we walk on {day}?"))[0] == "We walked in the wood."
    assert "Quite another thing." in texts(ask(memory, f"on {day}"))


def test_cjk_is_found_by_parts_of_its_words(memory: cogmem.Memory) -> None:
    say(memory, "a", "昨日、東京都庁に行きました。", "面白かった")
    assert texts(ask(memory, "都庁はいつ？"))[0].startswith("昨日")


def test_a_message_of_another_client_is_cut_into_pairs_too(memory: cogmem.Memory) -> None:
    say(memory, "a", "Hello.")
    memory.db.ask(
        "insert into message (conversation_id, seq, role, said_at, text, parts)"
        " values (1, 1, 'user', 1, ?, '[null]')",
        [f"{'雨' * 600}: sasso都庁bello, ชื่อ"],
    )
    memory.db.ask("update conversation set next_seq = 2")
    held = {term for (term,) in memory.db.ask("select term from message_term")}
    assert {"雨雨", "雨", "都庁", "庁", "sasso", "bello", "ชอ", "อ"} <= held
    assert texts(ask(memory, "都庁"))[0].startswith("雨雨")
    assert differences(memory.db) == []


def test_an_edit_an_archived_and_a_forgotten_message_are_found_as_they_stand(
    memory: cogmem.Memory,
) -> None:
    talk = memory.conversation("a")
    for words in ("the heron is grey", "the stork is white", "the crane is tall"):
        talk.append("user", words, at=at(1))
    talk.edit(0, "the heron is blue", at=at(2))
    talk.edit(2, None, at=at(2))
    assert texts(ask(memory, "heron"))[0] == "the heron is blue"
    assert not any(
        "grey" in text or "crane" in text for text in texts(ask(memory, "grey crane heron"))
    )
    talk.clear(reason="asked to")
    assert ask(memory, "heron stork crane") == []
    assert memory.db.ask("select count(*) from audience") == [(0,)]


def test_what_was_said_later_than_now_is_no_evidence(memory: cogmem.Memory) -> None:
    say(memory, "a", "The heron of tomorrow.", day=102)
    say(memory, "b", "The heron of today.", day=100)
    assert texts(ask(memory, "heron")) == ["The heron of today."]


def test_what_the_agent_has_before_it_is_no_evidence(memory: cogmem.Memory) -> None:
    said = [f"The heron number {n} stands still." for n in range(60)]
    say(memory, "now", *said, "Where is  the heron?")
    say(memory, "then", "Where is the heron?", "The heron is by the lake.")
    found = ask(
        memory, "Where is the heron?", session="now", prompt="Where is the heron?", room=5_000
    )
    assert {one.name for one in found} == {"now", "then"}
    assert {one.place & 0xFFFFFF for one in found if one.name == "now"} <= set(range(11))
    assert "Where is the heron?" not in texts(found)


@pytest.mark.parametrize(
    "prompt", ["", "   ", "?!", "the of and", '"', "NEAR(", "\ue0001", "x" * 50_000]
)
def test_a_prompt_that_says_nothing_finds_nothing_and_breaks_nothing(
    memory: cogmem.Memory, prompt: str
) -> None:
    say(memory, "a", "The heron stands.")
    assert ask(memory, prompt) == []


def test_an_empty_record_answers_nothing(memory: cogmem.Memory) -> None:
    assert ask(memory, "heron") == []


@settings(max_examples=examples(40))
@given(
    said=st.lists(
        st.text(alphabet="東京都庁に行き abC,.、\n", min_size=1, max_size=40),
        min_size=1,
        max_size=6,
    )
)
def test_of_a_script_without_spaces_the_index_holds_all_pairs_and_the_other_words(
    said: list[str],
) -> None:
    with cogmem.open(":memory:", counter=Simple()) as mem:
        say(mem, "a", *(f"木{one}" for one in said))
        held = {term for (term,) in mem.db.ask("select term from message_term")}
        words = cjk_text(" ".join(f"木{one}" for one in said)).lower().split()
        assert {word for word in words if not word.isascii()} <= held
        # Beside them only the first character of a run, which its other pairs leave alone.
        rest = {word for word in held - set(words) if not word.isascii() and word[0] != "\ue000"}
        assert {len(word) for word in rest} <= {1}
        assert mem.file.check() == []


def test_the_same_prompt_gives_the_same_order_on_both_drivers(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    draw = random.Random(4)
    words = [f"word{n}" for n in range(40)]
    with open_memory(path) as mem:
        for name in "abc":
            say(mem, name, *(" ".join(draw.choices(words, k=8)) for _ in range(30)))
        first = [(one.place, one.score) for one in ask(mem, "word1 word2 word3")]
        assert first == [(one.place, one.score) for one in ask(mem, "word1 word2 word3")]
    assert len(first) == 50
    assert first[:3] == sorted(first[:3], key=lambda one: -one[1])


# -- scope -----------------------------------------------------------------------------------

SCOPES = [
    {},
    {"user": "ann"},
    {"user": "bob"},
    {"project": "p"},
    {"project": "q"},
    {"runtime": "cli"},
    {"user": "ann", "project": "p"},
    {"user": "bob", "project": "p"},
    {"user": "ann", "runtime": "cli"},
]


def hears(viewer: dict[str, str], owner: dict[str, str]) -> bool:
    return all(
        owner.get(axis, "") in ("", viewer.get(axis, "")) for axis in ("user", "project", "runtime")
    )


@pytest.mark.parametrize("viewer", SCOPES, ids=lambda scope: "+".join(scope.values()) or "nobody")
def test_messages_of_another_user_project_or_runtime_never_come_back(
    memory: cogmem.Memory, viewer: dict[str, str]
) -> None:
    for number, owner in enumerate(SCOPES):
        say(memory, f"c{number}", f"The heron of {number} stands.", **owner)
    wanted = {f"c{number}" for number, owner in enumerate(SCOPES) if hears(viewer, owner)}
    assert {one.name for one in ask(memory, "heron", Scope(**viewer))} == wanted
    everything = ask(memory, "heron", Scope(**viewer, everywhere=True))
    assert len(everything) == len(SCOPES)
    shared = ask(memory, "heron", Scope(**viewer, own=False))
    assert {one.name for one in shared} == {
        f"c{n}" for n, o in enumerate(SCOPES) if hears(viewer, o) and not o.get("user")
    }


def test_the_speakers_and_words_of_others_do_not_steer_a_search(memory: cogmem.Memory) -> None:
    say(memory, "mine", "I will grill on Sunday.", "Will you?", user="ann")
    say(memory, "theirs", "Grill: hello", user="bob")
    assert (
        texts(ask(memory, "What about the Grill?", Scope(user="ann")))[0]
        == "I will grill on Sunday."
    )


def test_in_a_file_of_many_users_the_budget_is_spent_on_the_viewer(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ev, "PER_TERM", 20)
    monkeypatch.setattr(ev, "FEW", 5)
    monkeypatch.setattr(ev, "POSTINGS", 60)
    say(memory, "mine", "My heron stands by the old mill.", user="ann")
    for number in range(40):
        say(memory, f"c{number}", "Their heron stands by a mill.", "Their mill.", user="bob", day=2)
    assert texts(ask(memory, "heron mill", Scope(user="ann"))) == [
        "My heron stands by the old mill."
    ]


def test_a_conversation_given_to_another_scope_is_heard_there_and_no_longer_here(
    memory: cogmem.Memory,
) -> None:
    say(memory, "a", "Ann: The heron stands.", user="ann")
    say(memory, "b", "Other words.", user="bob")
    memory.db.ask("update conversation set user = 'bob' where name = 'a'")
    assert ask(memory, "heron", Scope(user="ann")) == []
    assert len(ask(memory, "heron", Scope(user="bob"))) == 1
    assert differences(memory.db) == []


# -- bounded work ----------------------------------------------------------------------------


def test_common_words_find_a_message_together_when_none_is_read_alone(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ev, "PER_TERM", 20)
    monkeypatch.setattr(ev, "FEW", 5)
    draw = random.Random(1)
    talk = memory.conversation("a")
    entries = [
        (
            "user",
            f"{draw.choice(['heron', 'stork', 'crane', 'ibis'])} number {n}",
            None,
            at(1),
            None,
        )
        for n in range(400)
    ]
    entries.insert(37, ("user", "one heron and one stork met", None, at(1), None))
    talk.extend(entries)
    for counted in (False, True):
        if counted:
            memory.db.ask(
                "insert into common_word (term, messages)"
                " select term, doc from message_term where doc >= 20"
            )
        assert texts(ask(memory, "the heron and the stork"))[0] == "one heron and one stork met"
        assert texts(ask(memory, "the heron"))[0].startswith("heron")


def test_a_search_reads_no_more_than_its_budgets(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ev, "PER_TERM", 50)
    talk = memory.conversation("a")
    draw = random.Random(2)
    words = [f"w{n}x" for n in range(30)]
    talk.extend(
        ("user", " ".join(draw.choices(words, k=6)), None, at(1), None) for _ in range(1_000)
    )
    read = memory.db.read
    sizes: dict[str, int] = {}

    def counting(name: str, params: Any = None) -> list[tuple[Any, ...]]:
        rows = read(name, params)
        joined = name.startswith("messages.places")
        size = max(len(str(row[0] or "").split()) for row in rows) if joined else len(rows)
        sizes[name] = max(size, sizes.get(name, 0))
        return rows

    monkeypatch.setattr(memory.db, "read", counting)
    assert ask(memory, " ".join(words), limit=30)
    assert sizes["messages.places"] <= 2 * ev.FEW
    assert sizes["messages.places_of_each"] <= 2 * ev.FEW
    assert sizes["messages.details"] <= 5 * ev.SCORED
    assert sizes["messages.lines"] <= 30


def test_of_very_many_words_the_rarest_rank(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ev, "RANKED", 3)
    often = ["heron", "stork", "crane", "ibis", "egret"]
    say(memory, "a", *often * 4, " ".join(often))
    say(memory, "b", "one bittern", "one jabiru", "one shoebill")
    found = texts(ask(memory, " ".join([*often, "bittern", "jabiru", "shoebill"])))
    assert sorted(found) == ["one bittern", "one jabiru", "one shoebill"]
    assert texts(ask(memory, "heron stork crane"))[0] == " ".join(often)


def test_what_cannot_fit_is_not_read(memory: cogmem.Memory) -> None:
    say(memory, "a", "heron " * 900, "A heron.")
    assert texts(ask(memory, "heron", room=100)) == ["A heron."]
    assert len(ask(memory, "heron", room=5_000)) == 2


# -- lines of a block ------------------------------------------------------------------------


def test_ten_messages_of_one_instant_stay_in_their_order(memory: cogmem.Memory) -> None:
    talk = memory.conversation("a")
    for number in range(12):
        talk.append("user", f"Heron {number}.", at=at(1))
    costs = Costs(Simple())
    block = Block(800, costs)
    block.take(as_items(ask(memory, "heron"), costs))
    lines = [line for line in block.render().split("\n") if "Heron" in line]
    assert lines == [f"- user: Heron {number}." for number in range(12)]


def test_stored_counts_are_used_where_they_are_the_counter_s_own(path: str) -> None:
    with cogmem.open(path) as mem:
        say(mem, "a", "Ann: The heron stands by the lake.")
        found = ask(mem, "heron")
        (item,) = as_items(found, Costs())
        assert item.tokens == O200k().count(item.line) == found[0].tokens
        assert (item.ref, item.layer, item.kind, item.relevance) == ("msg_1", "B", "message", 1.0)
        (item,) = as_items(found, Costs(Simple()))
        assert item.tokens == Simple().count(item.line)
