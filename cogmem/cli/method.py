"""Commands that are methods: the signature and the docstring of a method say what a command takes and what it means.

    @fact.command()
    @calls(Held.retire, "name ends reason now", here=True)
    def retire(name: str) -> str:
        \"\"\"Say that fact NAME no longer holds. JSON: act.\"\"\"
        return f"{name} holds no more"

A parameter without a default is an argument, `--on` an option that is needed; others are options, and `limit=50` has
a default of its own.
"""

from __future__ import annotations

import re
from functools import partial, update_wrapper
from inspect import Parameter, cleandoc, signature
from operator import attrgetter
from typing import Any

import click

from cogmem.cli.call import Call, call, read_text
from cogmem.cli.complete import KIND, MEMORY, SESSION
from cogmem.cli.instants import Instant
from cogmem.memory import Memory
from cogmem.verbs.areas import AreaOf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Decorator = Callable[[Any], Any]


class _Text(click.ParamType):  # type: ignore[type-arg]  # generic only in later versions
    """A text of a person's own; `-` is what stands on standard input."""

    name = "text"

    def convert(self, value: Any, *_: Any) -> str:
        return read_text(value)


class _Count(click.types.IntParamType):
    """A number of something."""

    def convert(self, value: Any, *where: Any) -> Any:
        number = super().convert(value, *where)
        if number < 0:
            self.fail(f"{number} is not in the range from 0 on", *where)
        return number


# What a parameter takes, by its name, where its type says too little.
_OF_NAME: dict[str, Any] = {
    **dict.fromkeys(("text", "event", "prompt", "query", "content"), _Text()),
    **dict.fromkeys(("session", "session_name"), SESSION),
    "kind": KIND,
    "uid": MEMORY,
    "expires_at": Instant(ahead=True),
}
_OF_TYPE = {"int": _Count(), "float": float, "Instant": Instant()}
_SPELLED = {
    "expires_at": "expires", "happened_at": "at", "session_name": "session", "hear_all": "all",
}  # fmt: skip
_SHOWN = {"path": "GLOB", "session": "ID", "session_name": "ID", "files": "PATH", "cites": "PLACE"}


def takes(method: Callable[..., Any], named: str) -> Decorator:
    """Give a command those parameters of a method that are named."""
    known, means = signature(method).parameters, _ALL_MEAN | _meanings(method)

    def given(command: Any) -> Any:
        for word in reversed(named.split()):
            name, _, usual = word.removeprefix("--").partition("=")
            one = known.get(name, _EVERYWHERE)
            command = _parameter(one, means.get(name, ""), word.startswith("--"), usual)(command)
        return command

    return given


_EVERYWHERE = Parameter("everywhere", Parameter.KEYWORD_ONLY, default=False, annotation="bool")


def _parameter(one: Parameter, means: str, is_option: bool, usual: str) -> Decorator:
    kind = one.annotation.removesuffix(" | None")
    several = kind.startswith("Sequence")
    type_ = MEMORY if "uid or key" in means else _OF_NAME.get(one.name, _OF_TYPE.get(kind, str))
    if one.default is one.empty and not is_option:
        return click.argument(one.name, type=type_, nargs=-1 if several else 1, required=True)
    spelled = "--" + _SPELLED.get(one.name, one.name.removesuffix("s" * several)).replace("_", "-")
    said = means.removeprefix("whether to ")
    said = f"{said[:1].upper()}{said[1:]}{'; repeatable' * several}"
    how: dict[str, Any] = {"help": said if said.endswith("…") else f"{said}."}
    if kind == "bool":
        return click.option(spelled, one.name, is_flag=True, **how)
    how |= {"multiple": True} if several else {"default": usual or one.default}
    if one.default is one.empty:
        how |= {"required": True, "default": None}
    how["show_default"] = how.get("default") not in (None, "")
    return click.option(spelled, one.name, type=type_, metavar=_SHOWN.get(one.name), **how)


def _meanings(told: Any) -> dict[str, str]:
    """Return what a docstring says of each parameter."""
    lines = re.sub(r"\n  +", " ", cleandoc(told.__doc__ or "")).split("\n")
    found = (re.fullmatch(r"([a-z_]+): (.+)", line) for line in lines)
    return {one[1]: one[2] for one in found if one}


_ALL_MEAN = _meanings(Memory)  # what several methods take, told once


def calls(method: Callable[..., Any], named: str = "", **opening: Any) -> Decorator:
    """Make a command of a method, and of a function that tells a person what came of it; or of a sentence.

    The function is given what it names of the parameters and of `found`, which the method gave. A text that it
    returns is printed. The rest says how the memory is opened.
    """
    known = signature(method).parameters

    def given(tell: Callable[..., str | None] | str) -> Any:
        def command(it: Call, /, **chosen: Any) -> None:
            asked = {name: value for name, value in chosen.items() if name in known}
            asked |= {name: known[name].default for name, value in asked.items() if value == ()}
            is_wide = bool(chosen.get("everywhere")) and "everywhere" not in known
            with it.open(everywhere=is_wide, **opening) as mem:
                if asked.get("kind"):
                    mem.store.kinds.demand(asked["kind"])
                found = getattr(_owner_of(method, mem), method.__name__)(**asked)
            told = partial(_tell, tell, {**chosen, "found": found})
            answer = {"act": found} if isinstance(found, str) else found
            it.say(answer, told, notes=getattr(found, "notes", ()))

        if isinstance(tell, str):
            first = cleandoc(method.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
            command.__doc__ = f"{first} JSON: act."
        else:
            update_wrapper(command, tell)
        return takes(method, named)(call(command))

    return given


def _tell(tell: Callable[..., str | None] | str, values: dict[str, Any]) -> None:
    if isinstance(tell, str):
        click.echo(tell.format(**values))
        return
    said = tell(**{name: values[name] for name in signature(tell).parameters})
    if said is not None:
        click.echo(said)


_AREAS: dict[str, Callable[[Memory], Any]] = {
    member.name: attrgetter(name)
    for one in Memory.__mro__
    for name, member in vars(one).items()
    if isinstance(member, AreaOf)
} | {"Store": attrgetter("store"), "Kinds": lambda mem: mem.store.kinds}


def _owner_of(method: Callable[..., Any], mem: Memory) -> Any:
    """Return the memory, or the area of it, that has a method."""
    area = _AREAS.get(method.__qualname__.partition(".")[0])
    return area(mem) if area else mem
