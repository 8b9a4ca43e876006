"""The ledger of turns: what each prompt was given, what was left out, and why.

One short transaction per turn. The client may name the turn, so that a retry finds its row. When
another process holds the write lock, the row waits in this process and goes with the next turn or
with close(); it is never dropped.
"""

from __future__ import annotations

from cogmem.errors import DiskFull, GuardRefused, InvalidInput, Locked
from cogmem.file.connection import forks
from cogmem.guard.glance import may_tell
from cogmem.records import json_list, json_rows
from cogmem.text.lines import hash_of
from cogmem.turn.intended import verb_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.file.db import Database, Step
    from cogmem.scope import Scope
    from cogmem.turn.activation import Activation, Prompt

LOCK_MS = 5  # how long a turn waits for the write lock before its row is put off
OMITTED_KEPT = 12  # left-out candidates kept per turn: why_not() weighs any other anew
LONGEST_SECRET = 400  # characters
HEAD = 32  # characters of a prompt that its row keeps for as long as it is there: as `prompt_of` has it
PROMPT_KEPT = 2_000  # characters of the prompt kept: enough to replay its cue


class Ledger:
    """Writes the rows of turns, and keeps those that could not be written yet."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self._forks = forks()
        self._waiting: list[tuple[list[Step], str, int, list[str]]] = []

    def record(
        self,
        result: Activation,
        scope: Scope,
        prompt: Prompt,
        counter: str,
        elapsed_us: int,
        after: Sequence[Step],
    ) -> None:
        """Write one turn: its row, what was chosen, the best of what was not, and its session."""
        kept = _kept(prompt.text)
        considered = (*result.chosen, *result.left_out)
        named = {"turn": result.turn, "session": prompt.session, "now": prompt.now}
        row = {
            **scope.owner(),
            **named,
            "head": kept[:HEAD],
            "budget": result.budget,
            "tokens": result.tokens,
            "counter": counter,
            "elapsed_us": elapsed_us,
            "shown": json_rows([(item.ref, item.layer, item.tokens) for item in result.chosen]),
        }
        weighed = {
            **named,
            "prompt": kept if len(kept) > HEAD else "",
            "files": json_list(map(_kept, prompt.files)),
            "stable_hash": result.stable_hash,
            "text_hash": hash_of(result.volatile),
            "weights": _weights(result),
            "chance": max([item.chance or 0.0 for item in considered], default=None),
            "items": json_rows(
                [item.kept() for item in considered[: len(result.chosen) + OMITTED_KEPT]]
            ),
        }
        steps: list[Step] = [("turn.activation", row), ("turn.weighing", weighed)]
        if self._forks != forks():  # the parent writes its own rows
            self._forks = forks()
            self._waiting = []
        # Who has a session stands in the file since its text was frozen: no name of it is new.
        known = [*scope.owner().values()] if prompt.session else []
        self._waiting.append(([*steps, *after], prompt.actor, prompt.now, known))
        self._write(LOCK_MS)

    def flush(self) -> None:
        """Write what had to wait, however long the lock takes."""
        if self._forks == forks():
            self._write(None)

    def _write(self, patience_ms: int | None) -> None:
        # Threads that share a memory share this list: who writes a row is who takes it off.
        with self.db._held():
            while self._waiting:
                steps, actor, now, known = self._waiting[0]
                try:
                    self.db.write(
                        steps,
                        verb=verb_of(steps),
                        actor=actor,
                        at=now,
                        patience_ms=patience_ms,
                        known=known,
                    )
                except Locked:
                    if patience_ms is None:
                        raise
                    return
                except (
                    DiskFull
                ):  # the turn was answered; its row waits for room, or goes with the process
                    return
                except (
                    InvalidInput,
                    GuardRefused,
                ):  # it will never be right, and must not stop those behind it
                    del self._waiting[0]
                    raise
                del self._waiting[0]


def _weights(result: Activation) -> str:
    """Return which weights ranked the messages of a turn, if there were any: a replay may have others."""
    if "message" not in [item.kind for item in (*result.chosen, *result.left_out)]:
        return ""
    from cogmem.search.figures import weights_hash

    return weights_hash()


def _kept(prompt: str) -> str:
    """Return the head of a prompt, free of secrets. The guard is loaded only where one may be."""
    head = prompt[: PROMPT_KEPT + LONGEST_SECRET]  # or half of one would pass for a word
    if not may_tell(head):
        return head[:PROMPT_KEPT]
    from cogmem.guard import guard

    return guard.apply(guard.normalise(head), guard.POLICIES["record"]).text[:PROMPT_KEPT]
