"""A logistic score over named figures, by Newton's steps. Needs numpy."""

from __future__ import annotations

import numpy as np

Rows = list[dict[str, float]]


def fitted(
    rows: Rows,
    wanted: list[int],
    share: list[float] | None = None,
    *,
    held: float = 1.0,
    even: bool = False,
) -> dict[str, float]:
    """The weights; `share`: how much a row counts, `even`: both classes count the same, `held`: keeps them small."""
    names = sorted({name for row in rows for name in row})
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(rows), len(names) + 1))
    table[:, -1] = 1
    for number, row in enumerate(rows):
        for name, value in row.items():
            table[number, place[name]] = value
    y = np.array(wanted, float)
    counts = np.ones(len(y)) if share is None else np.array(share, float)
    if even:
        counts = np.where(y > 0, 0.5 / max(1, y.sum()), 0.5 / max(1, (1 - y).sum())) * len(y)
    calm = np.append(np.full(len(names), held), 1e-6)
    best = np.zeros(len(names) + 1)
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(table @ best, -30, 30)))
        slope = table.T @ (counts * (p - y)) + calm * best
        bend = (table * (counts * p * (1 - p))[:, None]).T @ table + np.diag(calm)
        step = np.linalg.solve(bend, slope)
        best -= step
        if np.abs(step).max() < 1e-5:
            break
    return dict(zip([*names, "bias"], [float(one) for one in best], strict=True))
