"""Nights: what each of their jobs did, memory by memory, what a model changed, and the way back."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from datasette.utils.asgi import NotFound

from cogmem.file import sql
from cogmem.inspect import past
from cogmem.inspect.page import ENDLESS, number, page, rows, said
from cogmem.scope import Scope
from cogmem.text.lines import day

RUNS = 150
CHANGES = 300
DAYS = 60  # lines of the ledger of calls
BY_A_MODEL = {
    "notes": "Keep what a model noted of a session.",
    "join": "Put one note in the place of two on one matter, in a model’s words.",
}
_ASIDE = re.compile(r" \(see [^)]*\)")


def jobs() -> dict[str, str]:
    """Return what each job is for: the first sentence of its file."""
    told = {}
    for name, text in sql.script("jobs"):
        lines = [line[3:] for line in text.splitlines() if line.startswith("-- ")]
        first = _ASIDE.sub("", " ".join(lines)).partition(". ")[0].partition(": ")[0]
        told[name] = first.rstrip(".") + "."
    return told | BY_A_MODEL


def title(job: str) -> str:
    """Return the name of a job without its place among the others."""
    return (job[3:] if job[:2].isdigit() else job).replace("_", " ").capitalize()


async def page_of(datasette: Any, request: Any) -> Any:
    """Nights, the latest first, with their runs."""
    asked = {"before": number(request, "before"), "run": "", "limit": RUNS}
    runs = await rows(datasette, "inspect.nights", asked)
    nights: dict[str, dict[str, Any]] = {}
    counted = ("archived", "merged", "promoted", "changed")
    for run in runs:
        run["title"] = title(run["job"])
        none = {"runs": [], "idle": [], **dict.fromkeys(counted, 0)}
        night = nights.setdefault(day(run["at"]), none)
        is_idle = run["finished_at"] and not run["changed_count"] and not run["is_stopped"]
        night["idle" if is_idle else "runs"].append(run)
        for name in counted:
            night[name] += 0 if run["is_undone"] else run[f"{name}_count"]
    for night in nights.values():
        for sort in ("runs", "idle"):
            night[sort].sort(key=lambda run: run["job"])
    more = runs[-1]["at"] if len(runs) == RUNS else None
    told = _stretches(list(nights.items()))
    return page(datasette, "nights", stretches=told, more=more, jobs=jobs(), **said(request))


def _stretches(nights: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Nights in which nothing was to do, several in a row, are one line that opens; the latest night stands alone."""
    found = [{"nights": nights[:1], "is_folded": False}] if nights else []
    for is_idle, group in groupby(nights[1:], key=lambda night: not night[1]["runs"]):
        some = list(group)
        found.append({"nights": some, "is_folded": is_idle and len(some) >= past.FOLDED})
    return found


async def by_a_model(datasette: Any, request: Any) -> Any:
    """Return what a model changed, run by run, and what it was asked for."""
    viewer = Scope(everywhere=True).viewer()
    changes = await rows(datasette, "noted.changed", {**viewer, "limit": CHANGES})
    runs = [list(some) for _, some in groupby(changes, key=lambda change: change["run"])]
    spent = await rows(datasette, "tasks.spend", {"since": 0, "until": None})
    return page(datasette, "by_a_model", runs=runs, spent=spent[:DAYS], **said(request))


async def one(datasette: Any, request: Any) -> Any:
    """Return one run: what it changed, from what to what."""
    name = request.url_vars["run"]
    changes = await rows(datasette, "inspect.run_changes", {"run": name, "limit": CHANGES})
    found = await rows(datasette, "inspect.nights", {"before": ENDLESS, "run": name, "limit": 1})
    if not found:
        raise NotFound(f"no job run is called {name}")
    memories: dict[str, dict[str, Any]] = {}
    for change in changes:
        told = {name: change[name] for name in ("uid", "kind", "content")}
        memory = memories.setdefault(change["uid"] or change["record"], {**told, "lines": []})
        memory["lines"] += past.lines_of(change)
    run = {**found[0], "title": title(found[0]["job"])}
    values: dict[str, Any] = {
        "purpose": jobs().get(run["job"], ""),
        "memories": [*memories.values()],
    }
    values |= {"is_cut": len(changes) == CHANGES}
    return page(datasette, "run", run=run, **values, **said(request))
