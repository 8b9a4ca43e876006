"""Pictures: true to their rows, sound as SVG, to be told apart by every eye, by day and by night."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from story import tell

import cogmem
from cogmem.inspect import plot

if TYPE_CHECKING:
    from collections.abc import Callable

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("story") / "story.db")
    tell(path)
    return path


def rows(path: str, picture: str, last: int = 40) -> list[dict[str, Any]]:
    with cogmem.open(path, read_only=True) as mem:
        name, parameter, _ = plot.PICTURES[picture]
        return mem.db.rows(name, {parameter: last} if parameter else {})


def drawn(picture: str, found: list[dict[str, Any]]) -> str:
    return plot.PICTURES[picture][2](found)


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


# -- true ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("picture", plot.PICTURES)
def test_every_picture_of_the_story_and_of_an_empty_memory_is_sound_svg(
    story: str, path: str, picture: str
) -> None:
    cogmem.open(path).close()
    for file in (story, path):
        svg = drawn(picture, rows(file, picture))
        root = ElementTree.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        assert root.get("aria-label")
        width, height = map(float, root.get("viewBox", "").split()[2:])
        for node in root.iter():
            for name in ("x", "x1", "x2", "cx"):
                assert -1 <= float(node.get(name, 0)) <= width, ElementTree.tostring(node)
            for name in ("y", "y1", "y2", "cy"):
                assert -1 <= float(node.get(name, 0)) <= height, ElementTree.tostring(node)
        assert ("nothing to show yet" in svg) is (not rows(file, picture))


def test_bars_are_as_tall_as_their_figures(story: str) -> None:
    turns = rows(story, "budget", 5)
    svg = ElementTree.fromstring(drawn("budget", turns))
    parts = {
        row["activated_at"]: [float(rect.get("height", 0)) for rect in group.iter(f"{SVG}rect")]
        for row, group in zip(turns, svg.iter(f"{SVG}g"), strict=True)
    }
    heights = [sum(part + 0.8 for part in parts[row["activated_at"]]) for row in turns]
    shares = [tall / row["tokens"] for tall, row in zip(heights, turns, strict=True)]
    assert max(shares) == pytest.approx(min(shares), rel=0.01)
    assert len(turns) == 5


def test_the_growth_of_the_story_ends_with_what_is_there(story: str) -> None:
    found = rows(story, "growth")
    with cogmem.open(story, read_only=True) as mem:
        held = mem.stats(everywhere=True).by_state
    assert found[-1]["living"] == held["active"] + held["candidate"]
    assert found[-1]["put_away"] == held["archived"]


def test_a_larger_budget_never_fits_less(story: str) -> None:
    found = rows(story, "retrieval", 1000)
    shares = [row["share"] for row in found]
    assert shares == sorted(shares)
    assert 0 < shares[0] < 1 == shares[-1]
    assert {row["present"] for row in found} == {800}
    assert [row["budget"] for row in found][:2] == [50, 100]


def test_decay_halves_at_the_half_life_and_kinds_that_fade_alike_share_a_curve(story: str) -> None:
    found = rows(story, "decay")
    fact = {row["day"]: row["strength"] for row in found if row["kind"] == "fact"}
    assert (fact[0], fact[90], fact[180]) == (0.9, 0.45, 0.225)
    assert "fact, episode" in texts(drawn("decay", found))


def test_how_far_back_a_picture_looks_is_a_number_of_turns(story: str) -> None:
    assert len(rows(story, "budget", 7)) == 7
    assert rows(story, "budget", 7) == rows(story, "budget", 30)[-7:]


def test_words_of_memories_cannot_break_out_of_a_picture() -> None:
    row: dict[str, Any] = dict.fromkeys(plot.PARTS.values(), 1)
    row |= {
        "activated_at": "2027-01-15 08:00:00",
        "budget": 9,
        "tokens": 5,
        "prompt": "</title><script>&\"'",
    }
    svg = drawn("budget", [row])
    ElementTree.fromstring(svg)
    assert "<script" not in svg


@given(
    st.lists(
        st.lists(st.floats(0, 1e9, allow_nan=False, width=32), min_size=2, max_size=2), max_size=60
    )
)
def test_whatever_the_figures_are_a_picture_is_drawn_within_its_frame(
    values: list[list[float]],
) -> None:
    bars = [(str(place), parts, None, "said") for place, parts in enumerate(values)]
    curves: dict[str, list[tuple[float, float]]] = {
        "one": [(place, parts[0]) for place, parts in enumerate(values)]
    }
    for svg in (
        plot.stacks("T", ["a", "b"], bars, what="w"),
        plot.lines("T", curves, ticks=[], what="w"),
    ):
        root = ElementTree.fromstring(svg)
        for rect in root.iter(f"{SVG}rect"):
            assert -1 <= float(rect.get("y", 0)) <= plot.HEIGHT
        for line in root.iter(f"{SVG}polyline"):
            for point in line.get("points", "").split():
                assert -0.1 <= float(point.partition(",")[2]) <= plot.HEIGHT


@given(st.floats(0, 1e12, allow_nan=False), st.booleans())
def test_a_scale_holds_its_figure_with_few_round_steps(top: float, is_whole: bool) -> None:
    top = float(int(top)) if is_whole else top
    high, step = plot._scale(top, is_whole)
    assert high >= top
    assert 1 <= round(high / step) <= 7
    assert not is_whole or step == int(step)


# -- for every eye -------------------------------------------------------------------------------

# How eyes without one sort of cone see linear light (Machado, Oliveira and Fernandes, 2009).
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no long cones": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "no middle cones": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "no short cones": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip


def linear(colour: str) -> list[float]:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour: str) -> float:
    return sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, eye: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    light = linear(colour)
    r, g, b = (
        min(1, max(0, sum(w * part for w, part in zip(row, light, strict=True)))) for row in eye
    )
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    f: Callable[[float], float] = lambda t: t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116  # noqa: E731
    return 116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))


@pytest.mark.parametrize("theme", [plot.LIGHT, plot.DARK], ids=["light", "dark"])
def test_ink_stands_out_from_its_paper(theme: tuple[str, ...]) -> None:
    paper, ink, faint, *series = theme
    assert contrast(paper, ink) >= 7
    assert contrast(paper, faint) >= 4.5
    assert min(contrast(paper, colour) for colour in series) >= 3


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("theme", [plot.LIGHT, plot.DARK], ids=["light", "dark"])
def test_series_that_stand_together_are_told_apart_by_eyes_that_see_fewer_colours(
    theme: tuple[str, ...], eye: str
) -> None:
    seen = {colour: lab(colour, EYES[eye]) for colour in theme[3:8]}
    for one, other in itertools.combinations(seen, 2):
        apart = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
        assert apart >= 20, f"{one} and {other} look alike with {eye}: {apart:.1f}"


def test_curves_differ_by_their_dashes_too() -> None:
    assert len(set(plot.DASHES)) == len(plot.DASHES) == len(plot.LIGHT) - 3 == len(plot.DARK) - 3
    rules = plot.style()
    assert [f".s{place}{{stroke:" in rules for place in range(6)] == [True] * 6
