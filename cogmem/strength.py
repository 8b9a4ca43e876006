"""The mathematics of strength: pure, and the same as the SQL views by construction.

strength = type weight × decay × reinforcement count. Decay halves per half-life, in steps of 1/64
half-life, because SQLite builds without exp() can only look it up (table `halving`); with the same
steps here, Python and SQL agree, which a property test holds.
"""

from __future__ import annotations

DAY_MS = 86_400_000
CENTURY = 36_525  # days, the most that the table of kinds allows
STEPS = 64  # to a half-life
LAST_STEP = 4096  # 64 half-lives: nothing is left
_FRACTION = tuple(0.5 ** (step / STEPS) for step in range(STEPS))


def decay(age_ms: int, half_life_ms: int) -> float:
    """Return what is left of 1 after an age; a half-life of 0 never fades, a future instant counts as now."""
    if half_life_ms <= 0 or age_ms <= 0:
        return 1.0
    step = age_ms * STEPS // half_life_ms
    if step >= LAST_STEP:
        return 0.0
    return float(_FRACTION[step % STEPS] * 0.5 ** (step // STEPS))


def fades_next(age_ms: int, half_life_ms: int) -> int | None:
    """Return the age at which decay() next gives another figure; None if it never does."""
    if half_life_ms <= 0:
        return None
    step = max(0, age_ms) * STEPS // half_life_ms + 1
    return None if step > LAST_STEP else -(-step * half_life_ms // STEPS)


def strength(weight: float, age_ms: int, half_life_ms: int, reinforcement_count: int) -> float:
    """Type weight × decay × reinforcement count: the gate, and what the views show."""
    return weight * decay(age_ms, half_life_ms) * reinforcement_count


def half_life_ms(half_life_days: float | None, default_days: float) -> int:
    """Return a kind's half-life in ms, a century at most; None takes the default of the setting."""
    return round(min(CENTURY, default_days if half_life_days is None else half_life_days) * DAY_MS)


def age_ms(now: int, reinforced_at: int, accessed_at: int | None) -> int:
    """Tell how long a memory went without use: since it was last learned, repeated or recalled."""
    if accessed_at is None or accessed_at < reinforced_at:
        return now - reinforced_at
    return now - accessed_at


def damped(force: float) -> float:
    """Tell how strength tips the scales of relevance: from 0.8 for a faint memory to 1.2 for a strong one."""
    return 0.8 + 0.4 * force / (1 + force)
