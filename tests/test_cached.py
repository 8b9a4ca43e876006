"""Functions that keep their answers are those of functools, without its weight."""

from __future__ import annotations

from cogmem.cached import cache, cached_property, lru_cache


def test_an_answer_is_kept_and_of_too_many_the_oldest_goes() -> None:
    asked: list[int] = []

    @lru_cache(maxsize=2)
    def double(number: int) -> int:
        """Twice as much."""
        asked.append(number)
        return 2 * number

    assert [double(number) for number in (1, 2, 1, 3, 2, 1)] == [2, 4, 2, 6, 4, 2]
    assert asked == [1, 2, 3, 2, 1]
    assert (double.__name__, double.__doc__) == ("double", "Twice as much.")
    assert double.cache_info()[3] == 2


def test_without_a_measure_all_answers_are_kept() -> None:
    asked: list[int] = []

    @cache
    def same(number: int) -> int:
        asked.append(number)
        return number

    assert [same(number) for number in (*range(300), *range(300))] == [*range(300), *range(300)]
    assert asked == [*range(300)]


def test_a_property_is_read_once_for_each_object() -> None:
    class Text:
        def __init__(self, said: str) -> None:
            self.said = said
            self.read = 0

        @cached_property
        def low(self) -> str:
            self.read += 1
            return self.said.lower()

    one, other = Text("Heron"), Text("Stork")
    assert [one.low, one.low, other.low] == ["heron", "heron", "stork"]
    assert (one.read, other.read) == (1, 1)
