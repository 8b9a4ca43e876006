"""A language model as a second reader: it grades the best fifty texts for a prompt, in one call.

A grade is of a text alone, so that texts which come in later are graded on the same scale. `search.reranking` keeps
what came back, and waits no longer than its deadline.
"""

from __future__ import annotations

from cogmem.errors import ModelFailed
from cogmem.models.answer import read, schema
from cogmem.models.prompts import prompt as prompt_of
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cogmem.ports import Model

LONGEST = 400  # characters of a text that the model is shown
ANSWER = 1_000  # tokens
SCHEMA = schema(grades=[schema(number="integer", grade="integer")])


class ModelReader:
    """Grades texts with a language model: `cogmem.open("memory.db", reranker=ModelReader(model))`.

    model: any model of cogmem.models, or your own with `name` and `complete`
    settings: those of a memory, which may hold a prompt of your own
    """

    def __init__(self, model: Model, settings: Mapping[str, str] | None = None) -> None:
        self._asked = model
        self._prompt = prompt_of("reread", settings)
        # What it said to another prompt is not what it says now.
        self.model = f"{model.name}, reread {self._prompt.version}"

    def rerank(self, prompt: str, texts: Sequence[str]) -> list[float]:
        """Return the grade of each text, 0 where the model named none."""
        notes = [f"{number}. {one_line(text)[:LONGEST]}" for number, text in enumerate(texts, 1)]
        said = self._asked.complete(
            self._prompt.filled(question=one_line(prompt), notes="\n".join(notes)),
            schema=SCHEMA,
            max_tokens=ANSWER,
        )
        grades = _grades(said)
        return [grades.get(number, 0.0) for number in range(1, len(texts) + 1)]


def _grades(said: str) -> dict[int, float]:
    try:
        found = read(said, ("grade",)) or [{}]
        return {int(one["number"]): float(one["grade"]) for one in found}
    except (ValueError, TypeError, KeyError) as error:
        raise ModelFailed("the model gave no grades: ask another one to rerank") from error
