"""A second reader for those who have one: a cross-encoder, or a model, that orders the best anew.

A reranker is anything with a name and one method: what each text is worth for a prompt, higher is
better. Answers are kept under the name, so it changes with the weights. `models.reader` makes a
language model one. It reads the best fifty candidates that words have found and says in which order they
stand; how far the best stands above the rest is left as it was, so the gate and the budget mean
the same with it and without it. It is off unless `open(reranker=...)` names one.

A turn does not wait for ever: what is not there by the deadline comes too late for this turn. Its
answer is kept all the same, so the same question finds it next time. If it fails, words alone must
do, and `fault` says why.
"""

from __future__ import annotations

from cogmem.text.lines import hash_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol, TypeVar

    T = TypeVar("T", int, str)

    class Reranker(Protocol):
        """A name under which answers are kept, and what texts are worth for a prompt."""

        @property
        def model(self) -> str: ...

        def rerank(self, prompt: str, texts: Sequence[str]) -> Sequence[float]: ...


TOP = 50  # candidates that are read
DEADLINE = 1.5  # seconds that a turn waits
READ = 2_000  # characters of a text that a reranker gets
KEPT = 20_000  # answers that one process keeps

_kept: dict[tuple[str, str, str], float] = {}  # model, hash of the prompt, hash of the text


class SecondReader:
    """One prompt's reader."""

    def __init__(self, reranker: Reranker, prompt: str, deadline: float = DEADLINE) -> None:
        self.reranker = reranker
        self.prompt = prompt
        self.deadline = deadline
        self.fault = ""

    def order(self, texts: dict[T, str], score: dict[T, float]) -> dict[T, float]:
        """Return the scores of the best, given out anew in the reader's order; the rest as it was."""
        best = sorted(texts, key=lambda one: (-score[one], one))[:TOP]
        worth = self._worth([texts[one][:READ] for one in best])
        if worth is None:
            return score
        values = [score[one] for one in best]
        again = sorted(range(len(best)), key=lambda number: (-worth[number], number))
        return {**score, **{best[number]: values[place] for place, number in enumerate(again)}}

    def _worth(self, texts: list[str]) -> list[float] | None:
        """Return what each text is worth; None if the reader failed or is late."""
        asked = hash_of(self.prompt)
        names = [(self.reranker.model, asked, hash_of(text)) for text in texts]
        unread = {name: text for name, text in zip(names, texts, strict=True) if name not in _kept}
        if unread and not self._read(unread):
            return None
        return [_kept[name] for name in names]

    def _read(self, unread: dict[tuple[str, str, str], str]) -> bool:
        from threading import Thread

        def read() -> None:
            try:
                worth = [
                    float(one) for one in self.reranker.rerank(self.prompt, [*unread.values()])
                ]
                if len(worth) != len(unread):
                    raise ValueError(f"{len(worth)} answers for {len(unread)} texts")
            except Exception as error:  # someone else's code, often someone else's machine
                self.fault = f"{self.reranker.model} could not rank: {error}"
                return
            if len(_kept) > KEPT:
                _kept.clear()
            _kept.update(zip(unread, worth, strict=True))

        reader = Thread(target=read, name="cogmem-reranker", daemon=True)
        reader.start()
        reader.join(self.deadline)
        if reader.is_alive():
            self.fault = f"{self.reranker.model} was not ready within {self.deadline:g} s"
        return all(name in _kept for name in unread)
