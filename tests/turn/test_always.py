"""Layer A is kept while nothing changed it: whoever keeps it shows what whoever reads it anew shows."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

from conftest import DAY, NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.strength import decay, fades_next

if TYPE_CHECKING:
    import pytest

    from cogmem.turn.activation import Activation

HOUR = 3_600_000


def told(activation: Activation) -> list[Any]:
    figures = [item.kept() for item in (*activation.chosen, *activation.left_out)]
    return [activation.stable, activation.volatile, activation.tokens, figures]


# -- kept, and read anew ---------------------------------------------------------------------------


def test_a_wish_of_another_process_is_in_the_next_prompt(path: str) -> None:
    code = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).execute("
        "\"insert into remember (content, kind) values ('I prefer tea.', 'preference')\")"
    )
    with cogmem.open(path) as mem:
        mem.file.show()
        mem.learn("I prefer short answers.", kind="preference", now=NOW)
        assert "tea" not in mem.activate("What is up?", now=NOW + 1).stable
        subprocess.run([sys.executable, "-c", code, path], check=True)
        assert "I prefer tea." in mem.activate("What is up?", now=NOW + 3).stable


def test_a_turn_reads_layer_a_once_while_nothing_changes_it(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cogmem.open(path) as mem:
        mem.learn("I prefer short answers.", kind="preference", now=NOW)
        asked: list[str] = []
        read = mem.db.read

        def counted(name: str, *params: Any) -> list[tuple[Any, ...]]:
            asked.append(name)
            return read(name, *params)

        monkeypatch.setattr(mem.db, "read", counted)
        mem.activate("What is up?", now=NOW)
        once = asked.count("turn.baseline")
        for later in range(3):
            mem.conversation("talk").append("user", f"It is {later}.", at=NOW + later)
            mem.activate("What is up?", now=NOW + later)
        assert asked.count("turn.baseline") == once > 0
        mem.learn("I prefer tea.", kind="preference", now=NOW)
        assert "tea" in mem.activate("What is up?", now=NOW + 4).stable
        assert asked.count("turn.baseline") == 2 * once
        stable = mem.activate("What is up?", now=NOW + 5).stable
        for session in ("monday", "tuesday"):
            assert mem.activate("What is up?", session=session, now=NOW + 5).stable == stable
        assert asked.count("turn.baseline") == 2 * once
        mem.learn("Answer in verse.", kind="policy", session="friday", now=NOW)
        assert "verse" not in mem.activate("What is up?", session="sunday", now=NOW + 6).stable
        assert "verse" in mem.activate("What is up?", session="friday", now=NOW + 6).stable
        assert "verse" not in mem.activate("What is up?", session="saturday", now=NOW + 6).stable


def test_a_wish_that_ends_or_begins_by_time_alone_leaves_and_comes(path: str) -> None:
    with cogmem.open(path) as memory:
        memory.learn("I prefer tea.", kind="preference", expires_at=NOW + 10, now=NOW)
        memory.learn("Answer in French.", kind="policy", valid_from=NOW + 20, now=NOW)
        seen = [
            memory.activate("What is up?", now=NOW + later).stable for later in (0, 9, 10, 19, 20)
        ]
        assert ["tea" in one for one in seen] == [True, True, False, False, False]
        assert ["French" in one for one in seen] == [False, False, False, False, True]


def test_what_was_forgotten_for_good_is_not_kept(path: str) -> None:
    with cogmem.open(path) as memory:
        memory.learn("I prefer short answers.", kind="preference", now=NOW)
        latest = memory.learn("I prefer tea.", kind="preference", now=NOW)
        assert "tea" in memory.activate("What is up?", now=NOW).stable
        memory.forget(latest.uid, now=NOW)
        assert "tea" not in memory.activate("What is up?", now=NOW).stable


WISHES = ("tea", "short answers", "German", "no jokes", "tables", "the metric system")
steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("wish"), st.sampled_from(WISHES), st.sampled_from(("preference", "policy"))
        ),
        st.tuples(st.just("ends"), st.sampled_from(WISHES), st.integers(0, 5)),
        st.tuples(st.just("undo"), st.integers(0, 3), st.none()),
        st.tuples(st.just("half-life"), st.sampled_from(("1", "90")), st.none()),
        st.tuples(st.just("wait"), st.sampled_from((0, 1, HOUR, DAY, 40 * DAY)), st.none()),
        st.tuples(st.just("said"), st.sampled_from(WISHES), st.none()),
    ),
    max_size=12,
)


@settings(max_examples=examples(15))
@given(steps)
def test_who_keeps_layer_a_shows_what_who_reads_it_anew_shows(
    tmp_path_factory: pytest.TempPathFactory, made: list[tuple[str, Any, Any]]
) -> None:
    path = str(tmp_path_factory.mktemp("always") / "memory.db")
    now = NOW
    acts: list[str] = []
    with cogmem.open(path) as mem:
        for what, one, other in made:
            if what == "wish":
                mem.learn(f"I prefer {one}.", kind=other, now=now)
            elif what == "ends":
                mem.learn(
                    f"I like {one}.", kind="preference", expires_at=now + other * DAY + 1, now=now
                )
            elif what == "undo":
                acts = [row.act for row in mem.history.log(limit=4)]
                if one < len(acts):
                    mem.undo(acts[one], force=True, now=now)
            elif what == "half-life":
                mem.db.connection.execute(
                    "update setting set value = ? where name = 'half_life_days'", (one,)
                )
            elif what == "wait":
                now += one
            else:
                mem.conversation("talk").append("user", f"More about {one}.", at=now)
            with cogmem.open(path) as fresh:
                anew = told(fresh.activate("What do I prefer?", now=now))
            assert told(mem.activate("What do I prefer?", now=now)) == anew


# -- until when ------------------------------------------------------------------------------------


@given(st.integers(-DAY, 4_000 * DAY), st.one_of(st.just(0), st.integers(1, 400 * DAY)))
def test_a_strength_stays_until_it_is_said_to_fall(age: int, half_life: int) -> None:
    later = fades_next(age, half_life)
    if later is None:
        assert decay(age, half_life) == decay(age + 5_000 * 400 * DAY, half_life) or half_life
        return
    assert later > age
    assert decay(later - 1, half_life) == decay(age, half_life) > decay(later, half_life)
