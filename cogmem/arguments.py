"""The argument that a call could not take, named: what a bare error of Python does not say.

Nothing is looked at while a call succeeds. Where one ends in an error of Python's own, its arguments are compared
with what its signature says, and the first that does not fit is told in a line. An error that no argument explains
goes on as it is.
"""

from __future__ import annotations

from cogmem.errors import CogmemError, InvalidInput
from cogmem.text.lines import encodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    C = TypeVar("C", bound=type)
    F = TypeVar("F", bound=Callable[..., Any])

# What a name of a type lets in. A name that does not stand here is a class of its own: no plain value is one.
PLAIN: dict[str, tuple[type, ...]] = {
    "None": (type(None),),
    "str": (str,),
    "bytes": (bytes,),
    "bool": (bool, int),
    "int": (int,),
    "float": (int, float),
    "list": (list,),
    "tuple": (tuple,),
    "dict": (dict,),
    "Mapping": (dict,),
    "Sequence": (list, tuple),
    "Iterable": (list, tuple, set, frozenset, dict),
    "Collection": (list, tuple, set, frozenset, dict),
    "Instant": (str, int, type(None)),
    "os.PathLike": (),
}
VALUES = (str, bytes, bool, int, float, list, tuple, dict, set, frozenset, type(None))


def naming(cls: C) -> C:
    """Let the public methods that a class defines name the argument that they could not take."""
    for name, method in list(vars(cls).items()):
        if not name.startswith("_") and hasattr(method, "__code__"):
            setattr(cls, name, named(method))
    return cls


def named(method: F) -> F:
    """Do the same for one function."""

    def call(*args: Any, **named: Any) -> Any:
        try:
            return method(*args, **named)
        except CogmemError:
            raise
        except (TypeError, AttributeError, ValueError) as error:
            told = misfit(method, args, named)
            if told is None:
                raise
            raise InvalidInput(told) from error

    for said in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(call, said, getattr(method, said))
    call.__wrapped__ = method  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


def misfit(method: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> str | None:
    """Return the first argument that is not what the signature of a method says, in a line; None if all are."""
    from inspect import signature

    try:
        given = signature(method).bind(*args, **named)
    except TypeError:
        return None
    for name, value in given.arguments.items():
        wanted = given.signature.parameters[name].annotation
        if isinstance(wanted, str) and not fits(value, wanted):
            return f"{method.__name__}: {name} has to be {' or '.join(_parts(wanted))}, not {_shown(value)}"
    return None


def fits(value: object, wanted: str) -> bool:
    """Tell whether a value may stand where a type is written."""
    return any(_fits(value, part) for part in _parts(wanted))


def _fits(value: object, part: str) -> bool:
    name, _, inside = part.partition("[")
    if name in ("Any", "object", "Unpack"):
        return True
    if name == "Callable":
        return callable(value)
    if not isinstance(value, VALUES):
        return type(value) is not object and PLAIN.get(name, (object,))[-1:] != (str,)
    if not isinstance(value, PLAIN.get(name, ())) or value != value:
        return False  # no number is no number
    if isinstance(value, str):
        return encodable(value) == value
    if isinstance(value, (list, tuple, set, frozenset)) and inside and "," not in inside:
        return all(fits(one, inside[:-1]) for one in value)
    return True


def _parts(wanted: str) -> list[str]:
    """Part `a | b[c | d]` at the bars that stand outside of brackets."""
    parts, depth = [""], 0
    for sign in wanted.replace(" | ", "|"):
        depth += (sign == "[") - (sign == "]")
        if sign == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
