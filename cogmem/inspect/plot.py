"""Pictures of a memory as SVG: how it grows, what turns cost, what fits, what fades, what nights did.

Plain text without a library. Eyes that see fewer colours tell the series apart by lightness, dashes
and order. Figures come as rows of schema/queries/plot.sql.
"""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    Rows = Sequence[Mapping[str, Any]]
    Points = list[tuple[float, float]]

# Background, ink, faint ink, then the series: blue, orange, green, purple, yellow, grey.
# The series are at least 20 apart (CIE 1976), also where one sort of cone is missing: tests/inspect/test_plot.py.
LIGHT = "#ffffff #1f2933 #5b6670 #0058b2 #9f3300 #008a64 #a9337f #a08600 #5f6b76".split()
DARK = "#14181d #e6eaee #a3adb7 #6ceaff #ff9d5c #38b8af #dd87f4 #e5cc35 #b3bcc5".split()
DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "1 2")

WIDTH, HEIGHT = 440, 270  # narrow, so that a phone shows the letters large enough
LEFT, RIGHT, BOTTOM = 46, 14, 36
LETTER = 6.4  # width of a letter of 12 px, about
EDGE = 8  # what a label keeps free of the border


def style() -> str:
    """Return the style that the pictures of a page share: light or dark as the system has it, or the reader chose."""
    rules = (
        ".plot text{font:12px system-ui,sans-serif;fill:var(--p1)}.plot .faint{fill:var(--p2)}"
        ".plot .title{font-weight:600;font-size:14px}.plot .paper{fill:var(--p0)}"
        ".plot .grid{stroke:var(--p2);stroke-opacity:.35}.plot .level{stroke:var(--p2);stroke-dasharray:3 4}"
        ".plot .line{fill:none;stroke-width:2.4;stroke-linejoin:round}"
    )
    for place, dashes in enumerate(DASHES):
        ink = f"var(--p{place + 3})"
        rules += f".plot .s{place}{{stroke:{ink}"
        rules += f";stroke-dasharray:{dashes}}}" if dashes else "}"
        rules += f".plot .f{place}{{fill:{ink}}}"
    light, dark = _ink(LIGHT), _ink(DARK)
    system, chosen = ":root:not([data-theme=light]) ", ":root[data-theme=dark] "
    return f"{light}@media (prefers-color-scheme:dark){{{system}{dark}}}{chosen}{dark}{rules}"


def _ink(colours: Sequence[str]) -> str:
    named = ";".join(f"--p{place}:{colour}" for place, colour in enumerate(colours))
    return f".plot{{{named}}}"


def _growth(rows: Rows) -> str:
    series = {"living": _stepped(rows, "living"), "archived": _stepped(rows, "put_away")}
    days = [(_day(row["day"]), row["day"]) for row in rows]
    return lines("Memories over time", series, ticks=_spread(days), what="memories")


def _stepped(rows: Rows, column: str) -> Points:
    points: Points = []
    for row in rows:
        if points:
            points.append((_day(row["day"]), points[-1][1]))
        points.append((_day(row["day"]), row[column]))
    return points


def _day(text: str) -> float:
    from datetime import date

    return date.fromisoformat(text).toordinal()


PARTS = {
    "stable": "stable_tokens",
    "contextual": "contextual_tokens",
    "procedures": "procedure_tokens",
    "scoped": "scoped_tokens",
    "headings": "heading_tokens",
}


def _budget(rows: Rows) -> str:
    bars = []
    for row in rows:
        at, parts = row["activated_at"], [row[column] for column in PARTS.values()]
        said = f"{at}: {row['tokens']} of {row['budget']} tokens. {row['prompt'][:80]}"
        bars.append((at[5:16], parts, row["budget"], said))
    what = "tokens; the tick is the budget"
    return stacks("What turns spent their budget on", list(PARTS), bars, what=what)


def _retrieval(rows: Rows) -> str:
    series: dict[str, Points] = {
        "found worth showing": [(row["budget"], 100 * row["share"]) for row in rows]
    }
    useful = [(row["budget"], 100 * row["useful"]) for row in rows if row["useful"] is not None]
    if useful:
        series["called useful"] = useful
    if rows:  # where everything fits there is nothing more to see
        present = rows[0]["present"]
        whole = next((row["budget"] for row in rows if row["share"] == 1), rows[-1]["budget"])
        end = max(1.25 * present, whole)
        series = {name: [at for at in points if at[0] <= end] for name, points in series.items()}
    ticks = [(at, str(at)) for at in (50, 200, 400, 600, 800, 1000, 1200, 1600)]
    title, what = "What would fit into a budget", "% by budget in tokens"
    upright = {"present budget": rows[0]["present"]} if rows else {}
    return lines(title, series, ticks=ticks, what=what, top=100, upright=upright)


def _decay(rows: Rows) -> str:
    curves: dict[str, Points] = {}
    for row in rows:
        curves.setdefault(row["kind"], []).append((row["day"], row["strength"]))
    alike: dict[tuple[tuple[float, float], ...], list[str]] = {}
    for kind, points in curves.items():
        alike.setdefault(tuple(points), []).append(kind)
    series = {", ".join(kinds): list(points) for points, kinds in alike.items()}
    ends = {"shown from": "shown_from", "kept from": "kept_from"}
    levels = {name: rows[0][column] for name, column in ends.items()} if rows else {}
    ticks = [(day, str(day)) for day in (0, 90, 180, 270, 360)]
    title, what = "How unused memories fade", "strength by days"
    return lines(title, series, ticks=ticks, what=what, levels=levels)


def _nights(rows: Rows) -> str:
    names = ["archived", "merged", "promoted"]
    nights = []
    for row in rows:
        said = f"{row['night']}: " + ", ".join(f"{row[name]} {name}" for name in names)
        nights.append((row["night"][5:], [row[name] for name in names], None, said))
    return stacks("What nights did", names, nights, what="memories")


# name → the SQL of its rows, the parameter that says how far it looks back, how it is drawn
PICTURES: dict[str, tuple[str, str, Callable[[Rows], str]]] = {
    "growth": ("plot.growth", "", _growth),
    "budget": ("plot.budget", "turns", _budget),
    "retrieval": ("plot.retrieval", "turns", _retrieval),
    "decay": ("plot.decay", "", _decay),
    "nights": ("plot.nights", "runs", _nights),
}


def lines(
    title: str,
    series: Mapping[str, Points],
    *,
    ticks: Sequence[tuple[float, str]],
    what: str,
    top: float | None = None,
    levels: Mapping[str, float] | None = None,
    upright: Mapping[str, float] | None = None,
) -> str:
    """Curves over a common line; `levels` are thresholds, `upright` marks places."""
    every = [point for points in series.values() for point in points]
    parts, high = _frame(title, list(series), [y for _, y in every], what, top, dashed=True)
    if not every:
        return whole(title, parts, "nothing to show yet")
    low_x, high_x = min(x for x, _ in every), max(x for x, _ in every)
    floor, ceiling = HEIGHT - BOTTOM, _ceiling(list(series))

    def place(x: float, y: float) -> tuple[float, float]:
        along = (x - low_x) / (high_x - low_x) if high_x > low_x else 0.5
        return LEFT + along * (WIDTH - LEFT - RIGHT), floor - y / high * (floor - ceiling)

    parts += [_tick(place(x, 0)[0], label) for x, label in ticks if low_x <= x <= high_x]
    for name, level in (levels or {}).items():
        y = place(low_x, level)[1]
        parts.append(_line("level", LEFT, WIDTH - RIGHT, y, y))
        parts.append(_text(LEFT + 4, y - 3, f"{name} {level:g}", "start", "faint"))
    for name, at in (upright or {}).items():
        x = place(at, 0)[0]
        parts.append(_line("level", x, x, ceiling, floor))
        parts.append(_text(x - 4, floor - 6, f"{name} {at:g}", "end", "faint"))
    for number, (name, points) in enumerate(series.items()):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
        kept = f"<title>{escape(name)}: {points[-1][1]:g} at the end</title>"
        parts.append(f'<polyline class="line s{number % 6}" points="{path}">{kept}</polyline>')
        x, y = place(*points[-1])
        parts.append(f'<circle class="f{number % 6}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>')
    return whole(title, parts)


def stacks(
    title: str,
    names: Sequence[str],
    bars: Sequence[tuple[str, Sequence[float], float | None, str]],
    *,
    what: str,
) -> str:
    """Upright bars of several parts: (label, parts, a limit to tick, what to say of it)."""
    sums = [sum(values) for _, values, _, _ in bars]
    limits = [limit for _, _, limit, _ in bars if limit]
    if limits and 2 * max(sums) > max(limits):  # far above the bars, they would press them down
        sums += limits
    parts, high = _frame(title, names, sums, what, None)
    if not bars:
        return whole(title, parts, "nothing to show yet")
    floor, ceiling = HEIGHT - BOTTOM, _ceiling(names)
    step = (WIDTH - LEFT - RIGHT) / len(bars)
    wide = min(26.0, step * 0.8)
    for place, (_, values, limit, said) in enumerate(bars):
        x, y = LEFT + step * (place + 0.5) - wide / 2, float(floor)
        parts.append(f"<g><title>{escape(said)}</title>")
        for number, value in enumerate(values):
            tall = value / high * (floor - ceiling)
            if tall > 0:  # a hair of paper between two parts
                parts.append(_bar(number, x, y - tall, wide, max(tall - 0.8, 0.4)))
            y -= tall
        if limit and limit <= high:
            y = floor - limit / high * (floor - ceiling)
            unbroken = ' style="stroke-dasharray:none"'
            parts.append(_line("s5", x - 1, x + wide + 1, y, y, unbroken))
        parts.append("</g>")
    labels = [(LEFT + step * (place + 0.5), bar[0]) for place, bar in enumerate(bars)]
    parts += [_tick(x, label) for x, label in _spread(labels)]
    return whole(title, parts)


def _frame(
    title: str,
    names: Sequence[str],
    values: Iterable[float],
    what: str,
    top: float | None,
    *,
    dashed: bool = False,
) -> tuple[list[str], float]:
    """Heading, legend and the lines of the scale; also the figure at its upper end."""
    parts = _head(title, names, dashed)
    found = list(values)
    high, step = _scale(top or max([*found, 0.0]), all(value == int(value) for value in found))
    floor, ceiling = HEIGHT - BOTTOM, _ceiling(names)
    for number in range(round(high / step) + 1):
        y = floor - number * step / high * (floor - ceiling)
        parts.append(_line("grid", LEFT, WIDTH - RIGHT, y, y))
        parts.append(_text(LEFT - 6, y + 4, f"{number * step:,g}", "end", "faint"))
    parts.append(_text(WIDTH - RIGHT, HEIGHT - 4, what, "end", "faint"))
    return parts, high


def _scale(top: float, is_whole: bool) -> tuple[float, float]:
    """Return a round upper end not below `top`, and the step of its lines; whole figures get whole steps."""
    if top < 1e-9:
        return 1.0, 1.0
    tenth = 10.0 ** (floor(log10(top)) - 1)
    for factor in (1, 2, 2.5, 5, 10):
        step = factor * tenth
        if ceil(top / step) <= 6 and not (is_whole and step % 1):
            break
    else:
        step = 20 * tenth
    return ceil(top / step) * step, step


def _legend(names: Sequence[str]) -> list[tuple[float, int, int, str]]:
    found, x, row = [], float(LEFT), 0
    for number, name in enumerate(names):
        name = name if len(name) <= 48 else name[:47] + "…"
        wide = 26 + LETTER * len(name)
        if x > LEFT and x + wide > WIDTH - RIGHT:
            x, row = float(LEFT), row + 1
        found.append((x, row, number, name))
        x += wide + 8
    return found


def _ceiling(names: Sequence[str]) -> int:
    rows = _legend(names)[-1][1] + 1 if names else 0
    return 36 + 17 * rows


def _head(title: str, names: Sequence[str], dashed: bool = False) -> list[str]:
    parts = [f'<text class="title" x="12" y="20">{escape(title)}</text>']
    for x, row, number, name in _legend(names):
        y = 40 + 17 * row
        if dashed:
            parts.append(_line(f"line s{number % 6}", x, x + 20, y - 4, y - 4))
        else:
            parts.append(_bar(number, x + 6, y - 10, 12, 11))
        parts.append(_text(x + 24, y, name, "start"))
    return parts


def _spread(ticks: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Return the first and the last of many labels, and the one nearest to the middle if there is room."""
    if len(ticks) <= 2:
        return list(ticks)
    low, high = ticks[0][0], ticks[-1][0]
    inner = min(ticks[1:-1], key=lambda tick: abs(tick[0] - (low + high) / 2))
    is_central = abs(inner[0] - (low + high) / 2) < (high - low) * 0.2
    return [ticks[0], inner, ticks[-1]] if is_central else [ticks[0], ticks[-1]]


def _tick(x: float, label: str) -> str:
    half = 0.55 * LETTER * len(label)
    at = min(max(x, half + EDGE), WIDTH - half - EDGE)
    return _text(at, HEIGHT - BOTTOM + 15, label, "middle", "faint")


def _line(kind: str, x: float, to_x: float, y: float, to_y: float, more: str = "") -> str:
    place = f'x1="{x:.1f}" x2="{to_x:.1f}" y1="{y:.1f}" y2="{to_y:.1f}"'
    return f'<line class="{kind}"{more} {place}/>'


def _bar(number: int, x: float, y: float, wide: float, high: float) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    return f'<rect class="f{number % 6}" {place}/>'


def _text(x: float, y: float, text: str, anchor: str, style: str = "") -> str:
    named = f' class="{style}"' if style else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def whole(
    title: str, parts: Iterable[str], said: str = "", height: int = HEIGHT, role: str = "img"
) -> str:
    """Return a picture of these parts, or one that says why it is empty; `group`: a reader can open its marks."""
    if said:
        parts = [*parts, _text(WIDTH / 2, height / 2, said, "middle", "faint")]
    return (
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="{role}" '
        f'aria-label="{escape(title)}"><rect class="paper" width="100%" height="100%" rx="6"/>'
        + "\n".join(parts)
        + "</svg>\n"
    )
