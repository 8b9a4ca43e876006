"""A tuple with named fields is what typing would make of the same class, without loading it."""

from __future__ import annotations

import pickle

import pytest

from cogmem.named import NamedTuple


class Bird(NamedTuple):
    """A bird and its legs."""

    name: str
    legs: int = 2

    @property
    def said(self) -> str:
        return f"{self.name} on {self.legs}"


def test_fields_are_told_once_and_a_default_stands_beside_them() -> None:
    bird = Bird("heron")
    assert bird == ("heron", 2) == Bird(name="heron", legs=2)
    assert bird.said == "heron on 2"
    assert bird._replace(legs=1).said == "heron on 1"
    assert (Bird._fields, repr(bird)) == (("name", "legs"), "Bird(name='heron', legs=2)")
    assert (Bird.__doc__, pickle.loads(pickle.dumps(bird))) == ("A bird and its legs.", bird)
    with pytest.raises(AttributeError):
        bird.wings = 2  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        Bird()  # type: ignore[call-arg]
