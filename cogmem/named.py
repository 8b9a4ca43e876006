"""Tuples with named fields, as typing has them: that module takes longer to load than a turn may."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Fields(type):
        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            said = body["__annotations__"]
            made = namedtuple(name, said, defaults=[body.pop(one) for one in said if one in body])
            return type(name, (made,), {**body, "__slots__": ()})

    class NamedTuple(metaclass=_Fields):
        """A class below it names and types its fields, each once."""
