"""Views for people say what is so: they agree with the tables, the turns and the nights they tell of."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW
from planted import plant
from schema_page import PAGE, page

from cogmem.turn.explain import _SENTENCES

if TYPE_CHECKING:
    from conftest import Clock

    import cogmem

# What is said of a candidate that no turn kept.
NEVER_KEPT = ("stable", "unseen", "scope", "crowded")
MEMORY_OF_EVERYTHING = Path(__file__).resolve().parents[1] / "fixtures" / "schema" / "v1.db"


def rows(memory: cogmem.Memory, text: str, **params: Any) -> list[tuple[Any, ...]]:
    return memory.db.ask(text, params)


def one(memory: cogmem.Memory, text: str, **params: Any) -> Any:
    ((value,),) = rows(memory, text, **params)
    return value


def test_the_schema_page_is_what_the_ddl_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "the schema has changed: run `make docs-schema`"
    )


# -- what is believed ----------------------------------------------------------------------------


def test_belief_holds_what_is_true_now_and_nothing_that_ended_waits_or_begins_later(
    memory: cogmem.Memory,
) -> None:
    memory.learn("The bridge is open.", now=NOW)
    memory.learn("The ferry runs.", valid_to=NOW - DAY, now=NOW - 2 * DAY)
    memory.learn("The tunnel is open.", valid_from=NOW + DAY, now=NOW)
    memory.learn("The kiosk sells ice.", expires_at=NOW + DAY, now=NOW)
    memory.learn("The tram may stop here.", state="candidate", now=NOW)
    memory.learn("The mayor is Rudi.", now=NOW - 9 * DAY)
    memory.learn("The mayor is Vera.", now=NOW)
    held = {"The bridge is open.", "The kiosk sells ice.", "The mayor is Vera."}
    assert {row[0] for row in rows(memory, "select content from belief")} == held
    until = "select valid_to from belief where content = 'The kiosk sells ice.'"
    assert one(memory, until) == "2027-01-16 08:00:00"
    memory.learn("Later.", now=NOW + 2 * DAY)
    assert {row[0] for row in rows(memory, "select content from belief")} == {
        "The bridge is open.",
        "The tunnel is open.",
        "The mayor is Vera.",
        "Later.",
    }


def test_sight_is_what_scope_lets_each_viewer_see(memory: cogmem.Memory) -> None:
    for user in ("", "ann", "ben"):
        memory.learn(f"A fact of {user or 'everyone'}.", user=user, now=NOW)
    for user in ("", "ann", "ben"):
        seen = rows(memory, "select content from sight where viewer_user = :user", user=user)
        memory.scope = memory.scope.replacing(user=user)
        assert {row[0] for row in seen} == {row.content for row in memory.list(now=NOW)}


# -- turns ---------------------------------------------------------------------------------------


@pytest.fixture
def turned(memory: cogmem.Memory) -> cogmem.Memory:
    """Some turns of two sessions, with room for all and for little."""
    memory.file.show()
    memory.learn("Deploys need a green build.", kind="policy", now=NOW)
    for place in range(6):
        memory.learn(f"Server {place} is called heron {place} and stands in hall {place}.", now=NOW)
    memory.procedure("restart the server", ["stop it", "start it"], now=NOW)
    memory.learn("Server files end with .srv", path="srv/**", now=NOW)
    for place, budget in enumerate((800, 60, 90, 30)):
        memory.activate(
            "Which server is called heron? How is a server restarted?",
            budget=budget,
            session=f"s{place % 2}",
            files=["srv/a"],
            turn=f"t{place}",
            now=NOW + place,
        )
    return memory


def test_the_parts_of_a_turn_s_cost_add_up_to_its_tokens(turned: cogmem.Memory) -> None:
    for turn, tokens, *parts, share in rows(
        turned,
        "select turn, tokens, stable_tokens, contextual_tokens, procedure_tokens, scoped_tokens, heading_tokens,"
        " stable_share from turn_cost",
    ):
        assert sum(parts) == tokens, turn
        assert share == round(parts[0] / tokens, 3)
    stable = "select stable_tokens from turn_cost where turn = :turn"
    first = one(turned, stable, turn="t0")
    assert first > 0
    assert one(turned, stable, turn="t2") == first, "the session froze it: it is paid again"


def test_turn_layer_and_left_out_tell_the_ledger_whole(turned: cogmem.Memory) -> None:
    for turn in ("t0", "t1", "t2", "t3"):
        told = turned.turns.get(turn).items
        shown = [item for item in told if item.stage == "chosen"]
        params = {"turn": turn}
        sums = rows(
            turned,
            "select sum(shown), sum(tokens), sum(left_out) from turn_layer where turn = :turn",
            **params,
        )
        assert sums == [
            (len(shown), sum(i.tokens for i in shown), len(told) - len(shown))
            if told
            else (None,) * 3
        ]
        out = rows(turned, "select ref from left_out where turn = :turn", **params)
        assert {row[0] for row in out} == {i.ref for i in told if i.stage != "chosen"}
    assert "did not fit into what was left of the budget" in {
        row[0] for row in rows(turned, "select why from left_out")
    }


def test_every_stage_of_the_ledger_is_told_in_words_of_its_own(turned: cogmem.Memory) -> None:
    stages = [name for name in _SENTENCES if name not in NEVER_KEPT]
    told = str(one(turned, "select sql from sqlite_schema where name = 'turn_item'"))
    assert [stage for stage in stages if f"'{stage}' then" not in told] == ["state"]  # is the else


def test_a_message_in_the_ledger_is_shown_by_its_words(memory: cogmem.Memory) -> None:
    talk = memory.conversation("monday")
    talk.append("user", "The heron nests on the crane at the harbour.", at=NOW - DAY)
    memory.activate("Where does the heron nest?", turn="t", now=NOW)
    (found,) = rows(memory, "select content from turn_item where ref glob 'msg_*'")
    assert found == ("The heron nests on the crane at the harbour.",)


def test_exposure_counts_what_turns_and_hosts_did(turned: cogmem.Memory) -> None:
    uid = one(turned, "select uid from memory where kind = 'policy'")
    turned.used("t0", [uid], useful=False, now=NOW + 9)
    assert rows(
        turned,
        "select times_shown, times_left_out, times_chosen_by_fit, times_useful, times_useless"
        " from exposure where ref = :uid",
        uid=uid,
    ) == [(2, 0, 0, 0, 1)]


# -- strength ------------------------------------------------------------------------------------


def test_strength_ahead_begins_at_the_present_one_and_halves_with_each_half_life(
    memory: cogmem.Memory,
) -> None:
    plant(memory, "The mill stands still.", at=NOW)
    plant(memory, "Ann is allergic to nuts.", "profile", at=NOW)
    ahead = rows(
        memory,
        "select days, valid_at, strength from strength_over_time"
        " where tense = 'ahead' and content = 'The mill stands still.' order by days",
    )
    assert [(days, force) for days, _, force in ahead if days in (0, 90, 180)] == [
        (0, 0.9),
        (90, 0.45),
        (180, 0.225),
    ]
    assert ahead[0][1] == "2027-01-15 08:00:00"
    never = rows(memory, "select distinct strength from strength_over_time where kind = 'profile'")
    assert never == [(1.0,)], "a kind without a half-life does not fade"


def test_what_turns_saw_of_a_strength_stands_before_what_is_ahead(turned: cogmem.Memory) -> None:
    seen = rows(
        turned,
        "select tense, days from strength_over_time where content like 'Server 0%' order by days",
    )
    assert {tense for tense, days in seen if days == 0} == {"seen", "ahead"}
    assert seen[-1] == ("ahead", 365)


# -- what needs a person -------------------------------------------------------------------------


def test_never_used_is_what_nobody_recalled_repeated_tried_or_was_shown(
    memory: cogmem.Memory, clock: Clock
) -> None:
    left = plant(memory, "The attic is dusty.", at=NOW)
    recalled = plant(memory, "The cellar is dry.", at=NOW)
    shown = plant(memory, "The kitchen is warm.", at=NOW)
    tried = memory.procedure("sweep the yard", ["sweep"], now=NOW).uid
    untried = memory.procedure("oil the gate", ["oil"], now=NOW).uid
    memory.recall("cellar", now=NOW)
    memory.activate("Is the kitchen warm?", now=NOW)
    memory.tried("sweep the yard", success=True, now=NOW)
    clock.pass_days(10)
    memory.learn("Later.", now=clock.at)
    unused = dict(rows(memory, "select uid, days from never_used"))
    assert unused.pop(one(memory, "select uid from memory where content = 'Later.'")) == 0
    assert unused == {left: 10, untried: 10}
    assert not {recalled, shown, tried} & unused.keys()


JUNK = {
    "hosts said that it did not help": {"content": "The heron likes jazz."},
    "says the same as an older one": {"content": "The shop   closes at six."},
    "too short to tell anything": {"content": "hm."},
    "came from a source of little trust": {"content": "The moon is hollow.", "trust": 0.2},
    "came by itself and was not used for long": {
        "content": "Somebody rang in spring.", "source": "inferred", "at": NOW - 70 * DAY,
    },
}  # fmt: skip


def test_junk_suspects_come_with_their_reason_and_the_innocent_are_not_named(
    memory: cogmem.Memory,
) -> None:
    plant(memory, "The shop closes at six.", at=NOW - DAY)
    plant(memory, "hm", priority=4, at=NOW)  # critical
    plant(memory, "Bo", "profile", at=NOW)  # pinned
    plant(memory, "The gate is green.", source="user_explicit", at=NOW - 300 * DAY)
    suspects = {
        plant(
            memory,
            columns["content"],
            at=columns.get("at", NOW),
            **{name: value for name, value in columns.items() if name not in ("content", "at")},
        ): why
        for why, columns in JUNK.items()
    }
    disliked = next(iter(suspects))
    memory.activate("Which music does the heron like, jazz?", turn="t", now=NOW)
    assert memory.used("t", [disliked], useful=False, now=NOW) == 1
    assert dict(rows(memory, "select uid, why from junk_suspect")) == suspects


def test_what_came_by_itself_and_is_shown_time_and_again_but_never_asked_for_is_suspected(
    memory: cogmem.Memory,
) -> None:
    plant(memory, "The weather is nice at the harbour.", at=NOW)
    told = plant(memory, "The harbour has a crane.", source="user_explicit", at=NOW)
    for place in range(20):
        memory.activate("How is the weather at the harbour with the crane?", now=NOW + place)
    assert one(memory, "select times_chosen_by_fit from exposure where ref = :uid", uid=told) == 20
    assert rows(memory, "select content, why from junk_suspect") == [
        ("The weather is nice at the harbour.", "shown in twenty turns or more, never asked for")
    ]


def test_evidence_shows_memories_and_messages_that_bear_something_out(
    memory: cogmem.Memory,
) -> None:
    memory.conversation("monday").append("user", "I always take the early ferry.", at=NOW)
    text = "insert into link (from_id, relation, {0}, created_at) values (2, 'evidence', 1, 0)"
    plant(
        memory, "The ferry was missed.", "episode", at=NOW - DAY, detail={"happened_at": NOW - DAY}
    )
    uid = plant(memory, "Take the early ferry.", at=NOW)
    steps: list[Any] = [(text.format("to_id"), {}), (text.format("message_id"), {})]
    memory.db.write(steps, verb="plant", at=NOW)
    found = rows(
        memory,
        "select ref, told, conversation, happened_at from evidence where uid = :uid order by ref",
        uid=uid,
    )
    assert found == [
        ("mem_0000000000000001", "The ferry was missed.", "", "2027-01-14 08:00:00"),
        ("msg_1", "I always take the early ferry.", "monday", "2027-01-15 08:00:00"),
    ]


# -- nights, growth and cost ---------------------------------------------------------------------


def test_night_change_shows_what_a_run_did_and_night_run_that_it_was_taken_back(
    memory: cogmem.Memory,
) -> None:
    memory.store.set_setting("backups_kept", "0", now=NOW)
    for place in range(20):
        plant(memory, f"Stone number {place} is grey.", at=NOW)
    uid = plant(memory, "An old song of the harbour.", at=NOW, reinforced_at=NOW - 400 * DAY)
    memory.nightly(now=NOW)
    ((run, content, became, because),) = rows(
        memory, "select run, content, became, because from night_change where uid = :uid", uid=uid
    )
    assert (content, became, because) == (
        "An old song of the harbour.",
        "active → archived",
        "faded",
    )
    state = "select job, outcome, archived_count, is_undone from night_run where run = :run"
    assert rows(memory, state, run=run) == [("50_archive", "done", 1, 0)]
    memory.undo(run, now=NOW + 1)
    assert rows(memory, state, run=run) == [("50_archive", "done", 1, 1)]
    assert len(rows(memory, "select 1 from night_change where uid = :uid", uid=uid)) == 1


def test_growth_ends_with_what_is_there(memory: cogmem.Memory) -> None:
    for place in range(4):
        plant(memory, f"Stone number {place} is grey.", at=NOW + place * DAY)
    first, second = rows(memory, "select uid from memory order by id limit 2")
    memory.archive(first[0], now=NOW + 4 * DAY)
    memory.remove(second[0], now=NOW + 4 * DAY)
    days = rows(
        memory, "select day, learned, archived, removed, living, put_away from growth order by day"
    )
    assert days[0] == ("2027-01-15", 1, 0, 0, 1, 0)
    assert days[-1] == ("2027-01-19", 0, 1, 1, 2, 1)
    memory.restore(second[0], now=NOW + 5 * DAY)
    assert rows(memory, "select living from growth order by day desc limit 1") == [(3,)]


def test_kind_cost_sums_what_is_kept_and_what_was_shown(turned: cogmem.Memory) -> None:
    kept, shown = rows(turned, "select sum(memories), sum(times_shown) from kind_cost")[0]
    assert kept == one(turned, "select count(*) from memory where state = 'active'")
    assert shown == one(turned, "select count(*) from activation_item where stage = 'chosen'")


def test_spend_counts_a_day_s_calls_by_purpose(memory: cogmem.Memory) -> None:
    call = (
        "insert into model_call (purpose, model, tokens_in, tokens_out, elapsed_ms, outcome, asked_at)"
        " values ('judge', 'm', 10, 5, 500, :outcome, :at)"
    )
    calls: list[Any] = [
        (call, {"outcome": "ok", "at": NOW}),
        (call, {"outcome": "error", "at": NOW + 1}),
        (call.replace("10, 5, 500", "0, 0, 0"), {"outcome": "refused by the cap", "at": NOW + 2}),
    ]
    memory.db.write(calls, verb="plant", at=NOW)
    assert rows(memory, "select * from spend") == [
        ("2027-01-15", "judge", "m", 2, 1, 1, 20, 10, 1.0)
    ]


def test_every_instant_that_a_view_for_people_shows_is_utc_text(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    shutil.copyfile(MEMORY_OF_EVERYTHING, file)
    db = sqlite3.connect(file)
    seen = set()
    for (view,) in db.execute("select name from guide").fetchall():
        found = db.execute(f'select * from "{view}"')
        names = [column[0] for column in found.description]
        assert not {"at", "instant"} & set(names), view
        for row in found:
            for name, value in zip(names, row, strict=True):
                is_instant = name.endswith("_at") or name in ("valid_from", "valid_to")
                assert not (isinstance(value, int) and value > 10**12), f"{view}.{name}"
                if is_instant and value is not None:
                    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", value), f"{view}.{name}"
                    seen.add(view)
    db.close()
    assert len(seen) > 5
