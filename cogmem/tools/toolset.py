"""Tools for models, in process: `toolset("default", mem)` gives what a model may call.

A tool never raises: it answers `{"success": true, "message": …, …}` or `{"success": false,
"error": …}`. One implementation serves every host (MCP, agents, loops of one's own); the sets of
the five united systems are here by their own names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from cogmem.errors import CogmemError, InvalidInput
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.tools.forms import Form

Answer = dict[str, Any]
TOOLSETS = ("few", "default", "gokin", "odek", "ok", "zara", "flowcraft")


class Tool(NamedTuple):
    """One tool: its JSON schema, when to use it, and `call(arguments)`, which never raises."""

    name: str
    description: str
    parameters: dict[str, Any]
    call: Callable[[Mapping[str, Any] | str], Answer]


class Spec(NamedTuple):
    """A tool before it is bound to a memory: `run(mem, form)` gives the answer or raises."""

    name: str
    description: str
    form: type[Form]
    run: Callable[[Any, Any], Answer]


def toolset(name: str, mem: Any) -> list[Tool]:
    """Return the tools of a set, bound to a memory. Nothing is opened or read before one is called."""
    if name not in TOOLSETS:
        raise InvalidInput(f"toolset {name!r} is not known: use {', '.join(TOOLSETS)}")
    from importlib import import_module

    specs: tuple[Spec, ...] = import_module(f"cogmem.tools.{name}_set").TOOLS
    return [bound(spec, mem) for spec in specs]


def bound(spec: Spec, mem: Any) -> Tool:
    """Return a tool of one memory."""

    def call(arguments: Mapping[str, Any] | str) -> Answer:
        try:
            if isinstance(arguments, (str, bytes)):
                arguments = json.loads(arguments or "{}")
            if not isinstance(arguments, Mapping):
                raise InvalidInput(f"the arguments are an object: {_takes(spec.form)}")
            form = spec.form.model_validate(_understood(spec.form, arguments))
            answer = spec.run(mem, form)
        except Exception as error:
            return {"success": False, "error": _told(error, spec.form)}
        return {"success": True, **answer}

    return Tool(spec.name, spec.description, parameters(spec.form), call)


def _understood(form: type[Form], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments, of which one may go by another name: a model guesses `content` for `text`, or `q` for
    `query`. That is plain as long as one text has no place and one place has no text. Null is left out: some models
    have to send every argument."""
    given = {name: value for name, value in given.items() if value is not None}
    missing = [
        name for name, one in form.model_fields.items() if one.is_required() and name not in given
    ]
    unknown = [name for name in given if name not in form.model_fields]
    if len(missing) == len(unknown) == 1 and isinstance(given[unknown[0]], str):
        given[missing[0]] = given.pop(unknown[0])
    return given


def _takes(form: type[Form]) -> str:
    """Return what a form takes, in a line."""
    fields = form.model_fields.items()
    said = ", ".join(f"{name} (needed)" if one.is_required() else name for name, one in fields)
    return f"send {said}" if said else "send none"


def parameters(form: type[Form]) -> dict[str, Any]:
    """Return the JSON schema of a form, without the titles that only cost tokens."""
    schema: dict[str, Any] = _bare(form.model_json_schema())
    schema.pop("description", None)
    return schema


def _bare(node: Any) -> Any:
    if isinstance(node, list):
        return [_bare(one) for one in node]
    if not isinstance(node, dict):
        return node
    kept = {
        name: _bare(value) for name, value in node.items() if name not in ("title", "properties")
    }
    if "properties" in node:  # among them one may be called title
        kept["properties"] = {name: _bare(value) for name, value in node["properties"].items()}
    return kept


def _told(error: Exception, form: type[Form]) -> str:
    """Return what went wrong, in a sentence that repeats nothing of what was passed."""
    if isinstance(error, CogmemError):
        return str(error)
    faults = getattr(error, "errors", None)
    if callable(faults):  # pydantic's: place and reason of each wrong argument
        said = [
            f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}"
            for fault in faults(include_url=False, include_input=False, include_context=False)
        ]
        return f"wrong arguments: {'; '.join(said[:5])}; {_takes(form)}"
    if isinstance(error, json.JSONDecodeError):
        return f"wrong arguments: they are not JSON; {_takes(form)}"
    return f"{type(error).__name__} inside cogmem: `cogmem doctor` tells more"
