"""Everyday questions of a person about their memory, each one query on a view of `select * from guide`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW
from planted import plant

import cogmem
from cogmem.text.lines import how_it_came

if TYPE_CHECKING:
    from pathlib import Path

# What is asked, the query, and what an answer must hold.
QUESTIONS = [
    ("What do you believe?", "select content from belief", "The wash is at the corner"),
    ("What do you know about me?", "select content from belief where kind = 'preference'", "oat milk"),
    ("What changed yesterday?", "select before, after from changed where changed_at like '2027-01-16%'",
     "The office is in Ghent"),
    ("What did I put away?", "select content from changed where state_after = 'deleted'", "tram 7"),
    ("What is forgotten next?", "select fades_at, content from fades_next limit 3", "The wash"),
    ("What did I say about the harbour?", "select said_at, text from talk where text like '%harbour%'",
     "harbour is closed on Mondays"),
    ("What is shown most?", "select content, times_shown from shown_most limit 3", "office"),
    ("What was never used?", "select content from never_used", "The wash"),
    ("Which project is this?", "select project, folder, memories from project", "quay"),
    ("What waits for me?", "select sort, content, why from question", "The ferry may run at night"),
    ("What is in doubt?", "select content, why from question where sort = 'doubt'", "check: "),
    ("What keeps failing?", "select content, why from question where sort = 'failing'", "failed 2 of 2"),
    ("What cannot both hold?", "select content, other_content from conflict", "three minutes"),
    ("What did I believe before?", "select content, now_held from superseded", "crane"),
    ("How do I deploy?", "select name, steps from procedural_memory where name = 'deploy'", "ssh heron"),
    ("What works best?", "select name, chance from procedural_memory order by chance desc", "bake"),
    ("What happened lately?", "select event, outcome, happened_at from episodic_memory", "rolled back"),
    ("What is left open?", "select event from episodic_memory where kind = 'open'", "the pump"),
    ("What mended the printer?", "select content from told where kind = 'failure' and content like '%printer%'",
     "mended by"),
    ("How is it told?", "select content, ending from told where key = 'bake'", "worked 1 of 1"),
    ("What was I just told?", "select content, why from turn_item where is_shown", "office"),
    ("What was left out, and why?", "select content, why from left_out", ""),
    ("What did that cost?", "select prompt, tokens from turn_cost", "Where is the office?"),
    ("What did the night do?", "select job, outcome from night_run", "20_decay"),
    ("How much is there?", "select layer, kind, memories from holding", "semantic"),
]  # fmt: skip


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with something of everything."""
    path: Path = tmp_path_factory.mktemp("lived") / "memory.db"
    with cogmem.open(path, project="quay") as mem:
        mem.learn("The wash is at the corner", now=NOW)
        mem.learn("I like oat milk", "preference", now=NOW)
        office = mem.learn("The office is in Bruges", now=NOW).uid
        mem.learn("The tram 7 goes there", key="tram", now=NOW)
        mem.learn("Our staging host is heron", key="auto.staging", now=NOW)
        mem.procedure("deploy", ["build", "ssh heron"], description="How to deploy", now=NOW)
        mem.procedure("bake", ["knead", "wait"], description="How to bake bread", now=NOW)
        mem.procedure("sail", ["hoist", "steer"], description="How to sail", now=NOW)
        mem.tried("bake", success=True, now=NOW)
        for _ in range(2):
            mem.tried("sail", success=False, reason="no wind", now=NOW)
        mem.learn("The build takes about ten minutes", now=NOW)
        mem.learn("The build takes about three minutes", source="tool", now=NOW)
        mem.learn("The ferry may run at night", state="candidate", now=NOW)
        mem.episode("The deploy broke the login", "rolled back", now=NOW)
        mem.episode("Somebody has to oil the pump", kind="open", now=NOW)
        talk = mem.conversation("monday")
        for number, (role, text) in enumerate((
            ("user", "The harbour is closed on Mondays"), ("assistant", "I see."),
            ("user", "the printer page fails"), ("assistant", "Turn it off and on."),
            ("user", "turning it off and on fixed it"),
        )):  # fmt: skip
            talk.append(role, text, at=NOW + number * 1000)
        mem.sessions.conclude("monday", now=NOW + 9000)
        mem.activate("Where is the office?", session="one", now=NOW + DAY - 60_000)
        mem.update(office, content="The office is in Ghent", now=NOW + DAY)
        mem.remove("tram", now=NOW + DAY)
        mem.learn("We replaced heron with crane", now=NOW + DAY)
        mem.activate("Where is the office?", session="two", now=NOW + DAY + 60_000)
        mem.nightly(now=NOW + 2 * DAY)
        mem.file.show()
    return path


def test_an_everyday_question_is_one_query(lived: Path) -> None:
    with cogmem.open(lived, read_only=True) as mem:
        for question, query, answer in QUESTIONS:
            (view,) = re.findall(r"from (\w+)", query)
            assert mem.db.ask("select 1 from guide where name = ?1", [view]) == [(1,)], question
            found = mem.db.ask(query)
            assert answer in str(found), (question, found)
            assert found or not answer


def one(mem: cogmem.Memory, query: str, *given: Any) -> Any:
    ((value,),) = mem.db.ask(query, list(given))
    return value


def test_a_candidate_is_edited_confirmed_and_put_away_by_hand(memory: cogmem.Memory) -> None:
    memory.file.show()
    uids = [
        memory.learn(text, state="candidate", now=NOW).uid
        for text in ("The ferry runs at night", "The ferry has a bar")
    ]
    for query in (
        f"update candidate set content = 'The ferry runs until ten', state = 'active' where uid = '{uids[0]}'",
        f"delete from candidate where uid = '{uids[1]}'",
    ):
        memory.db.transact(lambda connection, query=query: connection.execute(query))
    assert memory.db.ask("select * from candidate") == []
    assert memory.get(uids[0], now=NOW).content == "The ferry runs until ten"
    assert "until ten" in memory.activate("Until when does the ferry run?", now=NOW + DAY).text
    assert memory.get(uids[1], living=False, now=NOW).state == "deleted"
    memory.learn("The ferry is red", state="candidate", now=NOW)
    wrong = "update candidate set state = 'gone'"
    with pytest.raises(cogmem.CogmemError, match="is confirmed by state active"):
        memory.db.transact(lambda connection: connection.execute(wrong))


def test_a_candidate_waits_in_the_same_words_for_who_reads_sql_and_who_reviews(
    memory: cogmem.Memory,
) -> None:
    memory.file.show()
    sources = ("user_explicit", "observed", "inferred", "tool", "web", "import", "system")
    for source in sources:
        plant(memory, f"Told by {source}.", at=NOW, state="candidate", source=source)
    told = memory.db.ask("select content, why from question where sort = 'candidate'")
    assert dict(told) == {f"Told by {source}.": how_it_came(source) for source in sources}
