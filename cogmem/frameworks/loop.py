"""Session: memory for people who write their agent's loop themselves.

    with cogmem.Session("memory.db", "monday") as session:
        system = PERSONA + session.start()
        while prompt := input("> "):
            answer = model(system, f"{session.turn(prompt)}\\n{prompt}")
            session.answered(answer)

start() gives the text for the system prompt, the same bytes as long as the session lasts; turn()
gives what belongs beside one message. What is said is recorded, rules learn from it, and the end
of the session leaves an episode.
"""

from __future__ import annotations

import os

from cogmem.errors import InvalidInput
from cogmem.memory import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from cogmem.frameworks.opening import OfSession
    from cogmem.records import Learned
    from cogmem.space import Instant
    from cogmem.turn.activation import Activation


class Session:
    """One session of an agent, over a memory of its own or one that is open already.

    memory: a path, None for the file that COGMEM_DB names, or a memory that is open
    name: what the session is called: a new name for each, the same one when it goes on
    opening: how a path is opened: user, project and all that `cogmem.open` takes
    """

    def __init__(
        self,
        memory: Memory | str | os.PathLike[str] | None,
        name: str,
        **opening: Unpack[OfSession],
    ) -> None:
        if not name.strip():
            raise InvalidInput(
                "a session needs a name: a new one for each session, the same one when it resumes"
            )
        self._is_ours = not isinstance(memory, Memory)
        if isinstance(memory, Memory):
            if any(opening.values()):
                raise InvalidInput(
                    "the memory is open already, for its own user, project and documents: "
                    "name them in cogmem.open, or pass a path here"
                )
            self.memory = memory
        else:
            self.memory = Memory(memory, session="", read_only=False, **opening)
        self.name = name
        self.latest: Activation | None = None  # what the latest turn was given, with its figures
        self._is_over = False

    def start(self, *, compacted: bool = False, now: Instant = None) -> str:
        """Return the text for the system prompt. Pass compacted=True after you shortened the talk.

        compacted: whether the host shortened its prompt

        >>> with cogmem.Session("loop.db", "monday") as session:
        ...     text = session.start()
        """
        self.latest = self.memory.activate("", session=self.name, refresh=compacted, now=now)
        return self.latest.stable

    def turn(
        self,
        prompt: str,
        *,
        files: Sequence[str] = (),
        budget: int | None = None,
        now: Instant = None,
    ) -> str:
        """Return what memory adds to this message; the message is recorded and rules learn from it.

        prompt: what the user asks
        files: paths at hand
        budget: tokens it may cost

        >>> with cogmem.Session("loop.db", "monday") as session:
        ...     text = session.turn("How do we deploy?")
        """
        self.latest = self.memory.activate(
            prompt, session=self.name, files=files, budget=budget, now=now
        )
        self.asked(prompt, now=now)
        return self.latest.volatile

    def asked(self, prompt: str, *, now: Instant = None) -> None:
        """Record what the user asks, where a host takes the turn by itself; `turn` does both.

        prompt: what the user asks
        now: the instant at which it happens; default: this one

        >>> with cogmem.Session("loop.db", "monday") as session:
        ...     session.asked("How do we deploy?")
        """
        self._record("user", prompt, now)

    def answered(self, text: str, *, now: Instant = None) -> None:
        """Record what the agent said.

        text: what the model answered

        >>> with cogmem.Session("loop.db", "monday") as session:
        ...     text = session.turn("How do we deploy?")
        ...     session.answered("With one command.")
        """
        self._record("assistant", text, now)

    def end(self, *, now: Instant = None) -> list[Learned]:
        """End the session: its notes go, and it leaves the lines worth saying in another one.

        >>> with cogmem.Session("loop.db", "monday") as session:
        ...     learned = session.end()
        """
        if self._is_over:
            return []
        self._is_over = True
        learned = self.memory.sessions.conclude(self.name, now=now)
        self.memory.sessions.end(self.name, now=now)
        return learned

    def _record(self, role: str, text: str, now: Instant) -> None:
        if text.strip():
            self.memory.conversation(self.name).append(role, text, at=now)
            self.memory.capture_conversation(self.name, now=now)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self.end()
        finally:
            if self._is_ours:
                self.memory.close()
