"""The registry of kinds: the vocabularies of five systems as rows, and a person's own."""

from __future__ import annotations

import json
import sqlite3
from math import inf, nan
from typing import TYPE_CHECKING

import pytest
from conftest import NOW

from cogmem.errors import InvalidInput, UnknownName
from cogmem.learn.decide import learn
from cogmem.records import Draft
from cogmem.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    import cogmem


def kinds(memory: cogmem.Memory, system: str) -> dict[str, tuple[float, int, float | None]]:
    """name -> (weight, default priority, half-life) of one system's kinds."""
    rows = memory.db.ask(
        "select name, weight, default_priority, half_life_days from kind where system = :system",
        {"system": system},
    )
    return {name: (weight, priority, half_life) for name, weight, priority, half_life in rows}


def test_z05_seven_types_have_their_weights_and_default_priorities(memory: cogmem.Memory) -> None:
    assert kinds(memory, "zara") == {
        "policy": (1.5, 4, None),
        "pitfall": (1.4, 3, None),
        "architecture": (1.3, 3, None),
        "decision": (1.2, 2, None),
        "workflow": (1.1, 3, None),
        "preference": (1.0, 2, 365),
        "fact": (0.9, 1, None),
    }
    assert memory.store.settings()["half_life_days"] == "90", "which is what null stands for"


def test_f28_six_categories_have_their_half_lives_and_unknown_ones_ninety(
    memory: cogmem.Memory,
) -> None:
    found = {name: half_life for name, (_, _, half_life) in kinds(memory, "flowcraft").items()}
    assert found == {"profile": 0, "entity": 90, "event": 30, "case": 60, "pattern": 180}
    assert memory.store.kinds.of("preferences", "flowcraft")[0].half_life_days == 365
    learned = memory.learn("The kiln is lit on Fridays.", kind="no such category", now=NOW)
    assert memory.get(learned.uid, now=NOW + 90 * 86_400_000).strength == pytest.approx(0.9 * 0.5)


def test_f34_global_categories_lose_user_and_session(memory: cogmem.Memory) -> None:
    draft = Draft(
        "About patterns.", "patterns", Scope(user="mara", session="s"), vocabulary="flowcraft"
    )
    learned = learn(memory.store, draft, now=NOW)
    row = memory.get(learned.uid, now=NOW)
    assert (row.user, row.session) == ("", "")
    for kind in ("cases", "profile", "preferences"):  # a person is nobody else's category
        draft = Draft(f"About {kind}.", kind, Scope(user="mara"), vocabulary="flowcraft")
        learned = learn(memory.store, draft, now=NOW)
        assert learned.uid not in [row.uid for row in memory.list(now=NOW)]
        seen = {row.uid: row.user for row in memory.list(everywhere=True, now=NOW)}
        assert seen[learned.uid] == "mara"
    for kind in ("entities", "events"):
        learned = memory.learn(f"About {kind}.", kind=kind, user="mara", now=NOW)
        seen = memory.list(everywhere=True, now=NOW)
        assert next(row for row in seen if row.uid == learned.uid).user == "mara"


@pytest.mark.parametrize("kind", ["policy", "workflow", "decision", "fact"])
def test_z05_a_memory_takes_the_priority_of_its_kind(memory: cogmem.Memory, kind: str) -> None:
    learned = memory.learn(f"Something about {kind}.", kind=kind, now=NOW)
    assert memory.get(learned.uid, now=NOW).priority == kinds(memory, "zara")[kind][1]


def test_what_a_person_is_and_likes_stays_their_own_unless_a_system_shares_it(
    memory: cogmem.Memory,
) -> None:
    for kind in ("profile", "preference", "preferences", "about_user", "user_note"):
        learned = memory.learn(f"Of Mara: {kind}.", kind=kind, user="mara", now=NOW)
        seen = memory.list(everywhere=True, now=NOW)
        assert next(row for row in seen if row.uid == learned.uid).user == "mara"


def test_a_system_s_word_brings_that_system_s_caps(memory: cogmem.Memory) -> None:
    plain, odek, ok = (memory.store.kinds.of(*word)[0] for word in CAPPED)
    assert (plain.max_rows, plain.max_characters) == (None, None)
    assert (odek.max_characters, odek.capacity_policy) == (4000, "refuse")
    assert (ok.max_rows, ok.capacity_policy) == (80, "archive_oldest")
    assert plain.name == odek.name == ok.name == "profile"


CAPPED = [("profile", ""), ("user", "odek"), ("user", "ok")]


@pytest.mark.parametrize(
    ("given", "stored"), [("critical", 4), ("HIGH", 3), (2, 2), ("1", 1), (None, 1)]
)
def test_z06_priority_is_stored_as_a_number_and_may_be_given(
    memory: cogmem.Memory, given: str | int | None, stored: int
) -> None:
    learned = memory.learn("Herons wade.", priority=given, now=NOW)
    assert memory.db.ask(
        "select priority, typeof(priority) from memory where uid = :u", {"u": learned.uid}
    ) == [(stored, "integer")]


def test_z06_higher_priorities_come_first_in_the_baseline(memory: cogmem.Memory) -> None:
    for priority in (3, 4):
        memory.learn(f"Rule of priority {priority}.", kind="policy", priority=priority, now=NOW)
    order = memory.db.ask(
        "select priority from baseline order by user, project, priority desc, fades_at desc"
    )
    assert order == [(4,), (3,)]


def test_z05_an_unknown_type_becomes_a_fact_and_says_so(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", kind="ornithology", now=NOW)
    assert memory.get(learned.uid, now=NOW).kind == "fact"
    assert "ornithology" in learned.notes[0]
    assert "cogmem setting kind add" in learned.notes[0]


ALIASES = [
    ("gokin", "project", "note"), ("gokin", "global", "note"), ("gokin", "session", "note"),
    ("odek", "user", "profile"), ("odek", "env", "environment"),
    ("ok", "user", "profile"), ("ok", "project", "project_note"), ("ok", "feedback", "feedback"),
    ("flowcraft", "preference", "preference"), ("flowcraft", "entities", "entity"),
    ("", "rule", "policy"), ("", "howto", "procedure"), ("", "user", "profile"),
    ("", "project", "project_note"), ("", "global", "note"), ("", "episodes", "session_summary"),
]  # fmt: skip


@pytest.mark.parametrize(("vocabulary", "word", "kind"), ALIASES)
def test_the_same_word_means_what_its_system_means_by_it(
    memory: cogmem.Memory, vocabulary: str, word: str, kind: str
) -> None:
    found, note = memory.store.kinds.of(word, vocabulary)
    assert (found.name, note) == (kind, "")


def test_every_word_is_understood_in_a_call_in_a_shell_and_in_a_sheet(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(path) as mem:
        mem.file.show()
        mem.db.ask("update kind set needs_person = 0")
        rows = mem.db.ask(
            "select alias, kind from kind_alias join kind on name = kind"
            " where vocabulary = '' and layer <> 'procedural' union select name, name from kind"
            " where layer <> 'procedural'"
        )
        words = dict(rows)
        for word, kind in words.items():
            uid = mem.learn(f"A call said {word}.", word, profile="import", now=NOW).uid
            assert mem.get(uid, now=NOW).kind == kind
            assert kind in {row.kind for row in mem.list(kind=word, limit=0, now=NOW)}
        sheet = [{"content": f"A sheet said {word}.", "kind": word} for word in words]
        mem.file.import_(map(json.dumps, sheet), as_is=True, now=NOW)
    with sqlite3.connect(path) as shell:
        for word in words:
            shell.execute(
                "insert into remember (content, kind) values (?, ?)",
                (f"A shell said {word}.", word),
            )
    shell.close()
    with open_memory(path) as mem:
        held = {row.content: row.kind for row in mem.list(limit=0, now=NOW)}
        for word, kind in words.items():
            for who in ("call", "sheet", "shell"):
                assert held[f"A {who} said {word}."] == kind, (who, word)


def test_every_alias_leads_to_a_kind_and_shadows_none_of_its_own_system(
    memory: cogmem.Memory,
) -> None:
    shadowing = memory.db.ask(
        "select vocabulary, alias from kind_alias join kind on name = alias"
        " where vocabulary in ('', system) and kind <> name"
    )
    assert shadowing == []


def test_a_kind_of_one_s_own_is_one_call_or_one_insert(memory: cogmem.Memory) -> None:
    memory.db.ask(
        "insert into kind (name, layer, meaning, half_life_days) values ('rumour', 'semantic', 'Hearsay.', 7)"
    )
    learned = memory.learn("The mill is for sale.", kind="rumour", now=NOW)
    row = memory.get(learned.uid, now=NOW + 7 * 86_400_000)
    assert (row.kind, row.strength) == ("rumour", 0.5)


def test_a_kind_that_memories_use_cannot_be_dropped(memory: cogmem.Memory) -> None:
    memory.learn("Herons wade.", now=NOW)
    with pytest.raises(InvalidInput):
        memory.db.ask("delete from kind where name = 'fact'")


@pytest.mark.parametrize("figure", [nan, inf, -1.0])
def test_the_figures_of_a_kind_are_numbers(memory: cogmem.Memory, figure: float) -> None:
    gem = {"name": "gem", "layer": "semantic", "meaning": "A jewel."}
    for named in ("weight", "half_life_days"):
        said = f"{named} is a number .*, not {figure}"
        with pytest.raises(InvalidInput, match=said):
            memory.store.kinds.change("fact", {named: figure}, now=NOW)
        with pytest.raises(InvalidInput, match=said):
            memory.store.kinds.add({**gem, named: figure}, now=NOW)


def test_a_half_life_is_at_most_a_century(memory: cogmem.Memory) -> None:
    with pytest.raises(InvalidInput, match="half_life_is_zero_to_a_century"):
        memory.db.ask("update kind set half_life_days = 1e12 where name = 'fact'")


@pytest.mark.parametrize("value", ["ninety", "", "-1", "nan", "1e3"])
def test_a_setting_that_is_a_number_refuses_anything_else(
    memory: cogmem.Memory, value: str
) -> None:
    with pytest.raises(InvalidInput):
        memory.store.set_setting("half_life_days", value, now=NOW)
    assert memory.store.settings()["half_life_days"] == "90"


@pytest.mark.parametrize("value", ["*because*", '{"a": 1}', ""])
def test_a_setting_that_is_a_list_refuses_anything_else(memory: cogmem.Memory, value: str) -> None:
    with pytest.raises(InvalidInput, match="reason_phrases is a JSON list of texts"):
        memory.store.set_setting("reason_phrases", value, now=NOW)
    for good in ('["*weil *"]', "[]"):
        memory.store.set_setting("reason_phrases", good, now=NOW)
        assert memory.store.settings()["reason_phrases"] == good


def test_an_unknown_setting_is_named_and_nothing_is_written(memory: cogmem.Memory) -> None:
    with pytest.raises(UnknownName, match="cogmem setting list"):
        memory.store.set_setting("half_live_days", "3", now=NOW)


def test_a_shell_that_drops_a_used_kind_is_refused(
    memory: cogmem.Memory, path: str, stock: Callable[[str, str], str]
) -> None:
    memory.learn("Herons wade.", now=NOW)
    with pytest.raises(AssertionError, match="memories are of this kind"):
        stock(path, "delete from kind where name = 'fact';\n")
