"""Going through what waits for a person, one by one: contradictions, doubts, failing ways, candidates, junk suspects,
and procedures that could be skills.

Every decision is written at once as one act, so leaving at any point loses nothing, the next call goes
on with what is left, and `u` takes the last decision back. One key decides; nothing else is needed.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from functools import partial

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, call, everywhere, one_line, shown
from cogmem.cli.edit import edited
from cogmem.errors import CogmemError, UnknownMemory
from cogmem.named import NamedTuple
from cogmem.text.lines import counted, how_it_came

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import Any

    from cogmem.memory import Memory
    from cogmem.records import Remembered

    Keys = dict[str, tuple[str, Callable[["Case"], bool]]]

SORTS = ("contradiction", "doubt", "failing", "intended", "candidate", "suspect", "skill", "fading")
ASKED_FOR = ("fading",)  # come only where --only names them
LIKE = 3  # memories shown beside one, to merge it with
_FIRST, _SECOND = "the first holds", "the second holds"
LINES = 12  # of one memory on the screen


class Item(NamedTuple):
    """One thing to decide: a memory, why it is asked about, and the other one if there are two."""

    sort: str
    uid: str
    reason: str
    other: str = ""

    def is_same(self, item: Item) -> bool:
        return (self.sort, self.uid, self.other) == (item.sort, item.uid, item.other)


def waiting(mem: Memory, sorts: tuple[str, ...], all_scopes: bool) -> list[Item]:
    """Return what is to be decided now; a memory comes once, for its gravest reason."""
    found: list[Item] = []
    if "contradiction" in sorts:
        for row in mem.facts.conflicts(limit=0, everywhere=all_scopes):
            found.append(Item("contradiction", row.uid, row.why, row.other_uid))
    if "doubt" in sorts:
        found += [Item("doubt", row.uid, row.why) for row in mem.facts.doubts(limit=0)]
    if "failing" in sorts:
        found += [Item("failing", row.uid, row.why) for row in mem.facts.failing(limit=0)]
    if "intended" in sorts:
        found += [
            Item("intended", row.uid, "its moment came: is it done?")
            for row in mem.intentions.list(limit=0)
            if row.told_at is not None
        ]
    if "candidate" in sorts:
        held = mem.list(state="candidate", limit=0, everywhere=all_scopes)
        for one in sorted(held, key=_worth):
            latest = mem.history.log(uid=one.uid, limit=1)
            gone = latest[0].reason if latest and latest[0].verb == "branch" else ""
            found.append(Item("candidate", one.uid, gone or how_it_came(one.source)))
    if "suspect" in sorts:
        for doubt in mem.many.suspects(everywhere=all_scopes):
            found.append(Item("suspect", doubt.uid, doubt.reason, doubt.other_uid))
    if "skill" in sorts:
        found += [Item("skill", row.uid, row.why) for row in mem.skills.offered(limit=0)]
    if "fading" in sorts:
        for fading in mem.facts.fading(limit=0):
            found.append(Item("fading", fading.uid, f"forgotten on {fading.day} if nobody uses it"))
    once: dict[str, Item] = {}
    for item in found:
        once.setdefault(item.uid, item)
    return list(once.values())


def _worth(one: Remembered) -> tuple[int, int, datetime]:
    """Order candidates by what they are worth to a person: met most often, then the weightiest, then the oldest."""
    return -one.reinforcement_count, -one.priority, one.created_at


class Case(NamedTuple):
    """An item as it stands now: its memory, the other one of two, and those that it could be merged with."""

    item: Item
    row: Remembered
    other: Remembered | None
    like: list[Remembered]


class Review:
    """One person's way through the list."""

    def __init__(self, mem: Memory, sorts: tuple[str, ...], all_scopes: bool) -> None:
        self.mem = mem
        self.sorts = sorts
        self.all_scopes = all_scopes
        self.done: list[tuple[Item, str]] = []  # what was decided, with the act that can be undone
        self.decided = 0
        self.skipped: list[Item] = []
        # Finding suspects reads the whole ledger, so it is done once; each is looked at again below.
        self.suspects = waiting(mem, ("suspect",), all_scopes) if "suspect" in sorts else []
        self.settled: set[str] = set()  # uids of suspects that are none any more

    def left(self) -> list[Item]:
        """Return what is still to be decided: a decision may settle more than one."""
        quick = tuple(sort for sort in self.sorts if sort != "suspect")
        found = waiting(self.mem, quick, self.all_scopes)
        asked = {item.uid for item in found} | self.settled
        found += [item for item in self.suspects if item.uid not in asked]
        return [item for item in found if not any(item.is_same(one) for one in self.skipped)]

    def run(self) -> None:
        while items := self.left():
            if self._is_there(items[0]):
                self._ask(items[0], len(items))
            else:  # somebody else took it away meanwhile
                self.settled.add(items[0].uid)
        if self.skipped:
            click.echo(f"{len(self.skipped)} skipped: `cogmem review` asks about them again")

    def _is_there(self, item: Item) -> bool:
        try:
            return item.sort != "suspect" or self.mem.get(item.uid).state == "active"
        except UnknownMemory:
            return False

    # -- one item --------------------------------------------------------------------------------

    def _ask(self, item: Item, count: int) -> None:
        row = self.mem.get(item.uid)
        other = self.mem.get(item.other) if item.other else None
        like = [] if item.sort == "contradiction" else self._alike(row, other)
        case = Case(item, row, other, like)
        self._show(case, count)
        keys = self._keys(item, like)
        while True:
            key = self._key(keys)
            try:
                if keys[key][1](case):
                    return
            except CogmemError as error:
                click.secho(f"  {error}", fg="red")

    def _show(self, case: Case, count: int) -> None:
        click.echo()
        click.secho(f"{count} left · {case.item.sort}: {case.item.reason}", bold=True)
        if case.item.sort == "contradiction" and case.other is not None:
            self._one("1", case.row)
            self._one("2", case.other)
            return
        self._one(" ", case.row)
        for number, one in enumerate(case.like, 1):
            if number == 1:
                click.secho("  beside it there is", dim=True)
            self._one(str(number), one)

    def _one(self, mark: str, row: Remembered) -> None:
        lines = textwrap.wrap(shown(row.line), max(40, shutil.get_terminal_size().columns - 6))
        if len(lines) > LINES:
            # What a line ends with says how it went, and what casts doubt on it.
            lines[LINES - 1 : -1] = [f"… {len(lines) - LINES} more lines: edit shows them"]
        text = "\n      ".join(lines)
        click.echo(f"  {click.style(mark, bold=True)} {text}")
        facts = [
            row.uid,
            row.kind,
            f"learned {show.when(row.created_at)}",
            f"strength {row.strength:.2g}",
        ]
        facts += [f"#{tag}" for tag in row.tags[:6]]
        facts += [row.state] if row.state != "active" else []
        click.secho(f"      {one_line(' · '.join(facts))}", dim=True)

    def _alike(self, row: Remembered, other: Remembered | None) -> list[Remembered]:
        """Return memories of the same layer and scope that it could be merged with."""
        if other is not None:
            return [other]
        found = self.mem.recall(
            row.content[:2000], layer=row.layer, limit=8, messages=False, strengthen=False
        )
        rows = [self.mem.get(one.uid) for one in found if one.uid != row.uid]
        place = (row.runtime, row.user, row.project, row.session)
        return [
            one
            for one in rows
            if (one.runtime, one.user, one.project, one.session) == place and one.state == "active"
        ][:LIKE]

    def _keys(self, item: Item, like: list[Remembered]) -> Keys:
        keys: Keys = {}
        if item.sort == "contradiction":
            for key, told in {"1": _FIRST, "2": _SECOND, "b": "both hold"}.items():
                keys[key] = (told, partial(self._settle, told))
            keys["m"] = ("merge into one", self._merge_pair)
        elif item.sort == "skill":
            keys["w"] = ("write it as a skill", self._write)
            never = partial(self._does, self.mem.skills.decline, "it is not offered again")
            keys["n"] = ("never ask", never)
        elif item.sort == "intended":
            keys["d"] = ("done", partial(self._does, self.mem.intentions.done, "done"))
            again = partial(self._does, self.mem.intentions.again, "it comes once more")
            keys["a"] = ("tell it again", again)
        else:
            keys["k"] = ("keep", partial(self._does, self.mem.keep, "kept"))
        if item.sort == "candidate":
            keys["a"] = ("keep all of its kind", partial(self._all, self.mem.keep, "kept"))
            gone = partial(self.mem.remove, reason="review")
            keys["x"] = ("remove all of its kind", partial(self._all, gone, "removed"))
        keys["e"] = ("edit", self._edit)
        if like:
            keys["m"] = ("merge", self._merge)
        keys["r"] = ("remove", self._remove)
        keys["f"] = ("forget for good", self._forget)
        if self.done:
            keys["u"] = ("undo the last", self._undo)
        keys["s"] = ("skip", self._skip)
        keys["q"] = ("quit", self._quit)
        return keys

    def _key(self, keys: Keys) -> str:
        line = " "
        for key, (meaning, _) in keys.items():
            word = f" [{key}] {meaning} "
            if len(line) + len(word) > shutil.get_terminal_size().columns:
                click.echo(line)
                line = " "
            line += word
        key = pressed(line)
        while key not in keys:
            if key in _LEAVE:
                return "q"
            key = pressed(f"  {' '.join(keys)}?")
        return key

    # -- decisions: each says whether the item is done with --------------------------------------

    def _decide(self, item: Item, act: str, told: str) -> bool:
        self.done.append((item, act))
        return self._is_over(item.uid, told)

    def _does(self, act: Callable[[str], str], told: str, case: Case) -> bool:
        return self._decide(case.item, act(case.row.uid), told)

    def _all(self, act: Callable[[str], str], told: str, case: Case) -> bool:
        """Candidates of one kind that wait now; each is an act of its own."""
        kind, wide = case.row.kind, self.all_scopes
        waiting = self.mem.list(state="candidate", kind=kind, limit=0, everywhere=wide)
        for one in waiting:
            self._decide(case.item, act(one.uid), f"{told}: {one_line(one.content)[:100]}")
        return bool(waiting)

    def _is_over(self, uid: str, told: str) -> bool:
        """Note that it is decided, and that no undo takes it back."""
        self.settled.add(uid)
        self.decided += 1
        click.secho(f"  {told}", fg="green")
        return True

    def _write(self, case: Case) -> bool:
        done = self.mem.skills.export(self.mem.skills.folder(), [case.row.uid])
        return self._is_over(case.item.uid, f"written: {done.done[0].path}")

    def _edit(self, case: Case) -> bool:
        row = self._one_of(case, "edit")
        before = self.mem.history.latest()
        done = edited(self.mem, row)
        if done is None:
            click.echo("  nothing was changed")
            return False
        latest = self.mem.history.log(uid=row.uid, limit=1)[0]
        if latest.id > before:
            self._decide(case.item, latest.act or "", f"changed: {one_line(done.content)[:100]}")
        return True  # it comes again, if it still waits

    def _merge(self, case: Case) -> bool:
        like, kept = case.like, case.like[0]
        if len(like) > 1:
            choice = [str(number) for number in range(1, len(like) + 1)]
            kept = like[int(self._which(choice, "merge into which?")) - 1]
        act = self.mem.facts.merge(kept.uid, case.row.uid, reason="review")
        return self._decide(case.item, act, f"merged into {kept.uid}")

    def _merge_pair(self, case: Case) -> bool:
        text = click.prompt("  what is true (empty: give up)", default="", show_default=False)
        if not text.strip():
            return False
        uid = case.row.uid
        act = self.mem.facts.merge(uid, case.item.other, text=text, reason="review")
        return self._decide(case.item, act, f"{uid} says it now")

    def _settle(self, told: str, case: Case) -> bool:
        one, other = case.row.uid, case.item.other
        keep = {_FIRST: one, _SECOND: other}.get(told, "")
        return self._decide(case.item, self.mem.facts.settle(one, other, keep=keep), told)

    def _remove(self, case: Case) -> bool:
        uid = self._one_of(case, "remove").uid
        return self._decide(case.item, self.mem.remove(uid, reason="review"), f"removed {uid}")

    def _forget(self, case: Case) -> bool:
        uid = self._one_of(case, "forget").uid
        warning = click.style("  This cannot be undone. Type y to forget it for good.", fg="red")
        if pressed(warning) != "y":
            click.echo("  it stays")
            return False
        receipt = self.mem.forget(uid, reason="review")
        return self._is_over(uid, f"forgotten: {sum(receipt.removed.values())} rows are gone")

    def _undo(self, _: Case) -> bool:
        item, act = self.done[-1]
        self.mem.undo(act)
        self.done.pop()
        self.settled.discard(item.uid)
        self.decided -= 1
        self.skipped = [one for one in self.skipped if not one.is_same(item)]
        click.secho(f"  taken back: {item.uid}", fg="yellow")
        return True

    def _skip(self, case: Case) -> bool:
        self.skipped.append(case.item)
        return True

    def _quit(self, _: Case) -> bool:
        raise click.exceptions.Exit(0)

    def _one_of(self, case: Case, what: str) -> Remembered:
        """Return the one that is meant, where there are two."""
        if case.item.sort != "contradiction" or case.other is None:
            return case.row
        return {"1": case.row, "2": case.other}[self._which(["1", "2"], f"{what} which?")]

    def _which(self, choice: list[str], question: str) -> str:
        asked = f"  {question} {' '.join(f'[{one}]' for one in choice)}"
        while (key := pressed(asked)) not in choice:
            if key in ("q", *_LEAVE):
                raise click.exceptions.Exit(0)
        return key


_LEAVE = ("\x03", "\x04", "\x1b", "")  # Ctrl-C, Ctrl-D, Escape, a terminal that has gone


def pressed(prompt: str) -> str:
    """Return the key that is pressed after the prompt was shown: one pressed before it meant something else."""
    try:
        import termios
        import tty
    except ImportError:  # Windows: its console gives single keys by another call
        click.echo(prompt)
        return click.getchar().lower()

    place = sys.stdin.fileno()
    before = termios.tcgetattr(place)
    try:
        tty.setcbreak(place, termios.TCSAFLUSH)
        # Ctrl-C is a key like others here: as a signal it may come just before the read, and be lost.
        quiet = termios.tcgetattr(place)
        quiet[3] &= ~termios.ISIG
        termios.tcsetattr(place, termios.TCSANOW, quiet)
        click.echo(prompt)
        return os.read(place, 32).decode(errors="replace").lower()
    except KeyboardInterrupt:
        return "\x03"
    finally:
        termios.tcsetattr(place, termios.TCSADRAIN, before)


@click.command(cls=Command)
@click.option("--only", type=click.Choice(SORTS), multiple=True, help="Only this sort; repeatable.")
@everywhere
@call
def review(it: Call, only: tuple[str, ...], everywhere: bool) -> None:
    """Decide what waits for you, one by one.

    Contradictions, what is in doubt, procedures that keep failing, intentions whose moment came, candidates,
    junk suspects, and procedures that worked three times, as skills for an agent. `--only fading` lists what the
    next month would forget. One key decides, and each decision is stored at once.

    JSON (decides nothing): [{sort, uid, reason, content, other_uid, other_content}].
    """
    sorts = only or tuple(sort for sort in SORTS if sort not in ASKED_FOR)
    with it.open(here=True, everywhere=everywhere) as mem:
        if it.json:
            it.say([_told(mem, item) for item in waiting(mem, sorts, everywhere)], "")
            return
        items = waiting(mem, sorts, everywhere)
        if not items:
            click.echo("nothing waits for a decision")
            return
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise click.UsageError(
                f"this is not a terminal, and {counted(len(items), 'decision waits', 'decisions wait')}: "
                "`cogmem review --json` lists them; `cogmem fact conflicts resolve`, `cogmem restore`, "
                "`cogmem edit --from`, `cogmem fact merge` and `cogmem remove` decide"
            )
        if os.environ.get("NO_COLOR"):
            click.get_current_context().color = False
        going = Review(mem, sorts, everywhere)
        try:
            going.run()
        finally:
            rest = len(waiting(mem, sorts, everywhere))
            click.echo(f"{going.decided} decided, {rest} left")


def _told(mem: Memory, item: Item) -> dict[str, Any]:
    return {
        "sort": item.sort,
        "uid": item.uid,
        "reason": item.reason,
        "content": mem.get(item.uid).line,
        "other_uid": item.other,
        "other_content": mem.get(item.other).line if item.other else "",
    }
