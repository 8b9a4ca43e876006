"""The mathematics of strength: hand-computed values, and Python and SQL held equal."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW
from hypothesis import given
from hypothesis import strategies as st

from cogmem import strength as activation
from cogmem.file import sql
from cogmem.strength import decay, half_life_ms, strength

if TYPE_CHECKING:
    from collections.abc import Iterator

    import cogmem


@pytest.mark.parametrize(
    ("days", "left"), [(0, 1.0), (90, 0.5), (180, 0.25), (45, 0.7071), (900, 2**-10)]
)
def test_z13_strength_halves_every_ninety_days(days: int, left: float) -> None:
    assert decay(days * DAY, 90 * DAY) == pytest.approx(left, abs=5e-5)


@pytest.mark.parametrize(
    ("half_life", "days", "left"),
    [(30, 30, 0.5), (30, 60, 0.25), (365, 60, 0.8923), (180, 90, 0.7071)],
    ids=["events 30", "events 60", "profile 60", "patterns 90"],
)
def test_f29_the_decay_of_each_category(half_life: int, days: int, left: float) -> None:
    # The look-up has 64 steps to a half-life, so between whole steps it lies at most 1.1 % above.
    assert left <= decay(days * DAY, half_life * DAY) + 5e-5
    assert decay(days * DAY, half_life * DAY) <= left * 1.011


@pytest.mark.parametrize("half_life", [1, DAY, 90 * DAY])
def test_f29_z13_an_instant_in_the_future_counts_as_now(half_life: int) -> None:
    assert decay(-1, half_life) == decay(-(10**15), half_life) == 1.0


def test_a_half_life_of_zero_never_fades() -> None:
    assert decay(10**15, 0) == 1.0


def test_nothing_is_left_after_sixty_four_half_lives() -> None:
    assert decay(64 * DAY - 1, DAY) > 0
    assert decay(64 * DAY, DAY) == 0.0


def test_strength_is_weight_times_decay_times_reinforcement() -> None:
    assert strength(1.4, 90 * DAY, 90 * DAY, 3) == pytest.approx(1.4 * 0.5 * 3)


def test_use_is_the_later_of_repetition_and_recall() -> None:
    assert activation.age_ms(100, 40, None) == 60
    assert activation.age_ms(100, 40, 70) == 30
    assert activation.age_ms(100, 70, 40) == 30


@given(st.integers(0, 10**13), st.integers(0, 10**13), st.integers(1, 10**11), st.integers(1, 50))
def test_what_is_older_or_less_reinforced_is_never_stronger(
    age: int, more: int, half_life: int, count: int
) -> None:
    assert decay(age + more, half_life) <= decay(age, half_life) <= 1.0
    assert strength(1.0, age, half_life, count) <= strength(1.0, age, half_life, count + 1)


# -- the same in SQL ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def halving() -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(":memory:")
    for folder in ("tables", "derived"):
        for _, text in sql.script(folder):
            db.executescript(text)
    yield db
    db.close()


def test_the_table_of_halvings_is_the_arithmetic_of_python(halving: sqlite3.Connection) -> None:
    rows = halving.execute("select step, factor from halving order by step").fetchall()
    assert [step for step, _ in rows] == [*range(64), *range(64, 4097, 64)]
    for step, factor in rows:
        assert factor == decay(step, activation.STEPS), step


def test_decay_in_sql_is_that_of_python_at_every_step(halving: sqlite3.Connection) -> None:
    rows = halving.execute(
        "with recursive age (n) as (select 0 union all select n + 1 from age where n < 4200)"
        + sql.expand(" select n, {decay n, 64} from age")
    ).fetchall()
    assert rows == [(step, decay(step, 64)) for step in range(4201)]


@given(share=st.one_of(st.floats(1e-18, 4), st.integers(0, 3900).map(lambda n: 0.5 ** (n / 64))))
def test_the_way_back_finds_the_first_step_below_a_share(
    halving: sqlite3.Connection, share: float
) -> None:
    [(step,)] = halving.execute(sql.expand("select {steps_to ?1}"), (share,)).fetchall()
    left = (decay(one, 64) for one in range(activation.LAST_STEP + 1))
    assert step == next(one for one, factor in enumerate(left) if factor < share)


@given(
    age=st.one_of(st.integers(-(10**9), 10**13), st.integers(-3, 3).map(lambda n: 90 * DAY + n)),
    half_life=st.one_of(
        st.just(0.0), st.integers(1, 36525), st.floats(0.01, 400).map(lambda d: round(d, 3))
    ),
    weight=st.floats(0.1, 10).map(lambda w: round(w, 3)),
    count=st.integers(1, 500),
    recalled=st.one_of(st.none(), st.integers(-(10**9), 10**9)),
)
def test_f29_python_and_the_sql_view_agree_on_any_history(
    halving: sqlite3.Connection,
    age: int,
    half_life: float,
    weight: float,
    count: int,
    recalled: int | None,
) -> None:
    reinforced_at = NOW - age
    accessed_at = None if recalled is None else reinforced_at + recalled
    halving.execute("savepoint history")
    try:
        halving.execute(
            "update kind set weight = ?, half_life_days = ? where name = 'fact'",
            (weight, half_life),
        )
        halving.execute("update context set last_at = ?", (NOW,))
        halving.execute(
            "insert into memory (uid, layer, kind, content, reinforcement_count, created_at, updated_at,"
            " reinforced_at, accessed_at) values ('mem_0000000000000001', 'semantic', 'fact', 'x', ?, 1, 1, ?, ?)",
            (count, reinforced_at, accessed_at),
        )
        [(found, length)] = halving.execute(
            "select strength, half_life_ms from strength"
        ).fetchall()
        fades = halving.execute("select fades_at from fading").fetchall()
    finally:
        halving.execute("rollback to history")
    assert length == half_life_ms(half_life, 90.0)
    unused = activation.age_ms(NOW, reinforced_at, accessed_at)
    assert found == pytest.approx(strength(weight, unused, length, count), rel=1e-12)
    if fades:
        used_at = NOW - unused
        assert strength(weight, fades[0][0] - used_at, length, count) < 0.1
        assert (
            fades[0][0] == used_at
            or strength(weight, fades[0][0] - 1 - used_at, length, count) >= 0.1
        )


def test_a_memory_read_by_the_library_has_the_strength_of_the_view(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", kind="decision", now=NOW)
    later = memory.get(learned.uid, now=NOW + 90 * DAY)
    assert later.strength == pytest.approx(1.2 * 0.5)
