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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import Any

    from cogmem.memory import Memory
    from cogmem.records import Remembered

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
            found.append(Item("candidate", one.uid, gone or f"came from source {one.source}"))
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
        self._show(item, row, other, like, count)
        keys = self._keys(item, like)
        while True:
            key = self._key(keys)
            try:
                if keys[key][1](item, row, other, like):
                    return
            except CogmemError as error:
                click.secho(f"  {error}", fg="red")

    def _show(
        self,
        item: Item,
        row: Remembered,
        other: Remembered | None,
        like: list[Remembered],
        count: int,
    ) -> None:
        click.echo()
        click.secho(f"{count} left · {item.sort}: {item.reason}", bold=True)
        if item.sort == "contradiction" and other is not None:
            self._one("1", row)
            self._one("2", other)
            return
        self._one(" ", row)
        for number, one in enumerate(like, 1):
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

    def _keys(
        self, item: Item, like: list[Remembered]
    ) -> dict[str, tuple[str, Callable[..., bool]]]:
        keys: dict[str, tuple[str, Callable[..., bool]]] = {}
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

    def _key(self, keys: dict[str, tuple[str, Callable[..., bool]]]) -> str:
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
        self.settled.add(item.uid)
        self.decided += 1
        click.secho(f"  {told}", fg="green")
        return True

    def _does(
        self, act: Callable[[str], str], told: str, item: Item, row: Remembered, *_: Any
    ) -> bool:
        return self._decide(item, act(row.uid), told)

    def _all(
        self, act: Callable[[str], str], told: str, item: Item, row: Remembered, *_: Any
    ) -> bool:
        """Candidates of one kind that wait now; each is an act of its own."""
        wide = self.all_scopes
        waiting = self.mem.list(state="candidate", kind=row.kind, limit=0, everywhere=wide)
        for one in waiting:
            self._decide(item, act(one.uid), f"{told}: {one_line(one.content)[:100]}")
        return bool(waiting)

    def _write(self, item: Item, row: Remembered, *_: Any) -> bool:
        done = self.mem.skills.export(self.mem.skills.folder(), [row.uid])
        self.settled.add(item.uid)
        self.decided += 1
        click.secho(f"  written: {done.done[0].path}", fg="green")
        return True

    def _edit(self, item: Item, row: Remembered, other: Remembered | None, *_: Any) -> bool:
        row = self._one_of(row, other if item.sort == "contradiction" else None, "edit")
        before = self.mem.history.latest()
        done = edited(self.mem, row)
        if done is None:
            click.echo("  nothing was changed")
            return False
        latest = self.mem.history.log(uid=row.uid, limit=1)[0]
        if latest.id > before:
            self._decide(item, latest.act or "", f"changed: {one_line(done.content)[:100]}")
        return True  # it comes again, if it still waits

    def _merge(
        self, item: Item, row: Remembered, _other: Remembered | None, like: list[Remembered]
    ) -> bool:
        choice = [str(number) for number in range(1, len(like) + 1)]
        kept = like[int(self._which(choice, "merge into which?")) - 1] if len(like) > 1 else like[0]
        act = self.mem.facts.merge(kept.uid, row.uid, reason="review")
        return self._decide(item, act, f"merged into {kept.uid}")

    def _merge_pair(
        self, item: Item, row: Remembered, other: Remembered | None, _like: list[Remembered]
    ) -> bool:
        assert other is not None
        text = click.prompt("  what is true (empty: give up)", default="", show_default=False)
        if not text.strip():
            return False
        act = self.mem.facts.merge(row.uid, other.uid, text=text, reason="review")
        return self._decide(item, act, f"{row.uid} says it now")

    def _settle(
        self, told: str, item: Item, row: Remembered, other: Remembered | None, *_: Any
    ) -> bool:
        assert other is not None
        keep = {_FIRST: row.uid, _SECOND: other.uid}.get(told, "")
        return self._decide(item, self.mem.facts.settle(row.uid, other.uid, keep=keep), told)

    def _remove(self, item: Item, row: Remembered, other: Remembered | None, *_: Any) -> bool:
        row = self._one_of(row, other if item.sort == "contradiction" else None, "remove")
        return self._decide(item, self.mem.remove(row.uid, reason="review"), f"removed {row.uid}")

    def _forget(self, item: Item, row: Remembered, other: Remembered | None, *_: Any) -> bool:
        row = self._one_of(row, other if item.sort == "contradiction" else None, "forget")
        warning = click.style("  This cannot be undone. Type y to forget it for good.", fg="red")
        if pressed(warning) != "y":
            click.echo("  it stays")
            return False
        receipt = self.mem.forget(row.uid, reason="review")
        self.settled.add(row.uid)
        self.decided += 1
        click.secho(f"  forgotten: {sum(receipt.removed.values())} rows are gone", fg="green")
        return True

    def _undo(self, *_: Any) -> bool:
        item, act = self.done[-1]
        self.mem.undo(act)
        self.done.pop()
        self.settled.discard(item.uid)
        self.decided -= 1
        self.skipped = [one for one in self.skipped if not one.is_same(item)]
        click.secho(f"  taken back: {item.uid}", fg="yellow")
        return True

    def _skip(self, item: Item, *_: Any) -> bool:
        self.skipped.append(item)
        return True

    def _quit(self, *_: Any) -> bool:
        raise click.exceptions.Exit(0)

    def _one_of(self, row: Remembered, other: Remembered | None, what: str) -> Remembered:
        """Return the one that is meant, where there are two."""
        if other is None:
            return row
        return {"1": row, "2": other}[self._which(["1", "2"], f"{what} which?")]

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
                f"this is not a terminal, and {show.counted(len(items), 'decision waits', 'decisions wait')}: "
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


COMMANDS = {"review": review}
