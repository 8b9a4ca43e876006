"""What a session remembers between its turns: the frozen text, what it was told since, its pins.

The stable text is frozen at the first turn, in the file, so that a restarted process goes on with
the same bytes. What layer A gains or loses later is told once, at the tail of a prompt.
"""

from __future__ import annotations

from cogmem.errors import DiskFull
from cogmem.records import json_list
from cogmem.text.lines import hash_of, line, one_line
from cogmem.turn.block import PINNED, UPDATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.file.db import Database, Step
    from cogmem.scope import Scope
    from cogmem.turn.block import Block

PIN_WIDTH = 200  # characters of a pinned text on one line
NEWS_ROWS = 50  # changed memories looked at per turn; the rest waits for the next one


# The columns of "turn.session", in their order.
_COLUMNS = (
    "id turn_count stable stable_hash stable_tokens held shown pinned last_turn last_text last_tokens document_tokens"
    " frozen_at frozen_change latest"
).split()


class Running:
    """What a session remembers between turns; without a name there is nothing to remember."""

    id = turn_count = stable_tokens = shown = last_tokens = document_tokens = 0
    frozen_at = frozen_change = latest = 0
    stable: str | None = None
    stable_hash = held = pinned = last_turn = last_text = ""

    def __init__(self, db: Database, scope: Scope, name: str) -> None:
        self.db = db
        self.name = name
        self.place = {**scope.place(), "name": name}
        if not name:
            return
        self.__dict__.update(zip(_COLUMNS, db.read("turn.session", self.place)[0], strict=True))
        if not self.id and db.read_only:  # its first turn, and nobody may write that down
            self.name = ""

    def refs(self) -> set[str]:
        """Return the memories in the frozen text."""
        return {*self.held.split()}

    def has_frozen(self, turn: str) -> bool:
        """Tell whether the frozen text came with this turn: a retry brings it too."""
        return bool(self.db.read("turn.froze", {"turn": turn, "at": self.frozen_at}))

    def is_told(self) -> bool:
        """Tell whether a turn of this session was written down since its text was frozen."""
        if not self.name or self.stable is None:
            return True
        return bool(self.db.read("turn.is_told", {**self.place, "since": self.frozen_at}))

    def lately(self, turns: int) -> set[str]:
        """Return what the host's window still holds: shown in the last turns since the prompt was made anew,
        and unchanged since."""
        if not self.name or not turns or self.stable is None:
            return set()
        asked = {**self.place, "since": self.frozen_at, "turns": turns}
        shown = dict(self.db.read("turn.lately_shown", asked))
        is_changed = self.latest > self.frozen_change
        memories = [f'"{ref}":{at}' for ref, at in shown.items() if not ref.startswith("msg_")]
        if memories and is_changed:
            changed = {"shown": "{" + ",".join(memories) + "}", "frozen": self.frozen_change}
            for (ref,) in self.db.read("turn.changed_since", changed):
                del shown[ref]
        return set(shown)

    def freeze(
        self,
        stable: str,
        tokens: int,
        beside: int,
        refs: Sequence[str],
        refresh: bool,
        now: int,
        actor: str,
    ) -> bool:
        """Keep the stable text for the rest of the session; False when another process was faster."""
        if self.db.read_only:
            return True
        step = {
            **self.place,
            "stable": stable,
            "hash": hash_of(stable),
            "tokens": tokens,
            "beside": beside,
            "refs": json_list(refs),
            "latest": self.latest,
            "refresh": int(refresh),
            "now": now,
        }
        steps: list[Step] = [("turn.freeze", step)]
        if not self.id:
            steps.insert(0, ("turn.open_session", {**self.place, "now": now}))
        if beside:  # the documents that are frozen now tell what waiting notes would have told
            folded = {**self.place, "hash": step["hash"], "now": now}
            steps.append(("turn.fold_notes", folded))
        try:
            written = self.db.write(steps, verb="session", actor=actor, at=now)
        except DiskFull:  # who asks is answered all the same, and the next turn tries again
            return True
        self.shown = self.latest
        return written.changed[int(not self.id)] == 1

    def news(self, scope: Scope, refs: set[str]) -> list[tuple[int, str]]:
        """Return what layer A gained, lost or saw changed since it was last told: (change, line)."""
        if self.latest <= self.shown:
            return []
        found = []
        asked = {**scope.viewer(), "since": self.shown, "talk": self.name, "limit": NEWS_ROWS}
        for uid, content, change, is_baseline, is_superseded, state, is_own in self.db.read(
            "turn.news", asked
        ):
            text = one_line(content)
            held = bool(is_baseline) and not is_superseded and state == "active"
            if held and uid not in refs and is_own:
                continue  # it was just said here
            if held and uid not in refs:
                found.append((change, line(text)))
            elif held and text not in (self.stable or ""):
                found.append((change, line(f"now: {text}")))
            elif not held and uid in refs:
                found.append((change, line(f"no longer: {text}")))
        return found

    def tell(self, block: Block, scope: Scope, refs: set[str]) -> tuple[int, list[str]]:
        """Put news, notes and the pinned text into a block; returns what was told: (change, notes)."""
        if not self.name:
            return 0, []
        told, noted = self.latest, []
        news = self.news(scope, refs) if self.stable is not None else []
        notes = self.db.read("turn.notes", {"id": self.id})
        waiting = [text for _, text in news] + [line(one_line(note)) for _, note in notes]
        count = block.open_with(UPDATES, waiting)
        if count < len(news):  # the rest comes next turn
            told = news[count - 1][0] if count else self.shown
        elif count > len(news):
            noted = [note for _, note in notes[: count - len(news)]]
        if self.pinned:
            block.open_with(PINNED, pinned_lines(self.pinned))
        return told, noted

    def advance(
        self, turn: str, text: str, tokens: int, told: tuple[int, list[str]], now: int
    ) -> list[Step]:
        """Return the steps that end a turn: one more turn, and what was told is not told again."""
        if not self.name:
            return []
        params = {**self.place, "turn": turn, "text": text, "tokens": tokens, "shown": told[0]}
        steps: list[Step] = [("turn.advance_session", params)]
        if told[1]:
            notes = {**self.place, "notes": json_list(told[1]), "now": now}
            steps.append(("turn.notes_shown", notes))
        return steps


def pinned_lines(text: str) -> list[str]:
    """Return a pinned text as short lines: of one that is larger than the budget, the beginning is shown."""
    lines = []
    for paragraph in text.splitlines():
        dash, left = "- ", one_line(paragraph)
        while left:
            piece = left
            if len(left) > PIN_WIDTH:
                piece = left[:PIN_WIDTH].rpartition(" ")[0] or left[:PIN_WIDTH]
            lines.append(f"{dash}{piece}\n")
            dash, left = "  ", left[len(piece) :].lstrip()
    return lines
