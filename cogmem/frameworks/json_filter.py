"""Filters over JSON values, as LangGraph's stores read them: {"colour": "red", "score": {"$gt": 3}}.

A name leads to a field, or by dots into nested ones. A value must be equal, an object must hold its
fields, a list must be the same, and $eq, $ne, $gt, $gte, $lt, $lte compare.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from cogmem.errors import InvalidInput

_ORDERS = {"$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le}


def passes(value: Any, wanted: Mapping[str, Any]) -> bool:
    """Tell whether a value is as a filter wants it."""
    return all(_fits(_field(value, name), want) for name, want in wanted.items())


def equal_in_sql(wanted: Mapping[str, Any] | None) -> list[tuple[str, Any]]:
    """Return the fields that must hold a plain value, as paths of SQL; the rest only `passes` knows."""
    return [
        (f'$."{name}"', value)
        for name, value in (wanted or {}).items()
        if name.replace("_", "").replace("-", "").isalnum()
        and name.isascii()
        and _is_of_a_cell(value)
    ]


def _is_of_a_cell(value: Any) -> bool:
    """Tell whether SQLite can hold a plain value: no halves of letters, no number of more than 64 bits."""
    if isinstance(value, str):
        return not any("\ud800" <= mark <= "\udfff" for mark in value)
    return value is None or (isinstance(value, int) and -(1 << 63) <= value < 1 << 63)


def _field(value: Any, name: str) -> Any:
    """Return a field by its name, else by a path with dots."""
    if isinstance(value, dict) and name in value:
        return value[name]
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        if any(str(name).startswith("$") for name in wanted):
            return all(_compares(value, name, one) for name, one in wanted.items())
        return isinstance(value, dict) and all(
            _fits(value.get(name), one) for name, one in wanted.items()
        )
    if isinstance(wanted, (list, tuple)):
        is_as_long = isinstance(value, list) and len(value) == len(wanted)
        return is_as_long and all(map(_fits, value, wanted))
    return _is(value, wanted)


def _is(value: Any, wanted: Any) -> bool:
    """Equal as in JSON, where true is not 1."""
    return bool(value == wanted) and isinstance(value, bool) == isinstance(wanted, bool)


def _compares(value: Any, sign: str, wanted: Any) -> bool:
    if sign == "$eq":
        return _is(value, wanted)
    if sign == "$ne":
        return not _is(value, wanted)
    if sign not in _ORDERS:
        raise InvalidInput(f"{sign} compares nothing: use $eq, $ne, $gt, $gte, $lt or $lte")
    if not (isinstance(value, str) and isinstance(wanted, str)):
        try:
            value, wanted = float(value), float(wanted)
        except (TypeError, ValueError, OverflowError):
            return False  # nothing is more or less than what is of another sort
    return bool(_ORDERS[sign](value, wanted))
