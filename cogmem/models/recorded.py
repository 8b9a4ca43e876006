"""Models that are no models: one says what it is told to, one records another, one replays a recording.

A recording is a file of JSON lines: the hash of the request, the answer and its tokens, or the name of the fault. A
replay gives the answers to equal requests in their order; what was not recorded is an error that no fallback hides.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading

from cogmem.errors import InvalidInput, ModelCancelled, ModelFailed, ModelTimeout, NotRecorded
from cogmem.ports import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from cogmem.ports import Model

    Answer = str | Exception | Callable[[str, Mapping[str, Any]], str]

_APPEND = os.O_CREAT | os.O_WRONLY | os.O_APPEND
_FAULTS = {"timeout": ModelTimeout, "cancelled": ModelCancelled, "failed": ModelFailed}


class Scripted:
    """Says what a test wants: texts, faults to raise, or functions of (prompt, options).

    The last answer is repeated for ever. `asked` has every request: {"prompt": …, **options}.
    """

    def __init__(self, *answers: Answer, name: str = "scripted") -> None:
        if not answers:
            raise InvalidInput("a scripted model needs at least one answer")
        self.name = name
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []

    def complete(self, prompt: str, **options: Any) -> str:
        """Return the next answer of the script."""
        self.asked.append({"prompt": prompt, **options})
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, str) else answer(prompt, options)


def request_hash(prompt: str, options: Mapping[str, Any]) -> str:
    """Name a request by all that shapes its answer; which model is asked, and how long, does not."""
    shaping = [options.get("system", ""), options.get("schema"), options.get("max_tokens")]
    whole = json.dumps([prompt, *shaping], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


class Recording:
    """Another model, whose answers and faults are added to a file."""

    def __init__(self, model: Model, path: str | os.PathLike[str]) -> None:
        self.name = model.name
        self._model = model
        self._path = os.fspath(path)
        self._lock = threading.Lock()

    @property
    def is_resting(self) -> bool:
        """Tell whether the other model was down just now."""
        return bool(getattr(self._model, "is_resting", False))

    def complete(self, prompt: str, **options: Any) -> str:
        """Return the other model's answer."""
        entry: dict[str, Any] = {"request": request_hash(prompt, options), "model": self.name}
        try:
            said = self._model.complete(prompt, **options)
        except NotRecorded:
            raise
        except Exception as error:
            kinds = (
                (ModelCancelled, "cancelled"),
                (TimeoutError, "timeout"),
                (Exception, "failed"),
            )
            fault = next(name for kind, name in kinds if isinstance(error, kind))
            self._keep({**entry, "fault": fault})
            raise
        entry["answer"] = str(said)
        if isinstance(said, Reply):
            entry |= {"tokens_in": said.tokens_in, "tokens_out": said.tokens_out}
        self._keep(entry)
        return said

    def _keep(self, entry: Mapping[str, Any]) -> None:
        line = json.dumps(entry, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        with self._lock, open(os.open(self._path, _APPEND, 0o600), "ab") as file:
            file.write(line)


class Recorded:
    """Gives the answers of a recording again."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.name = "recorded"
        self._answers: dict[str, list[dict[str, Any]]] = {}
        self._given: dict[str, int] = {}
        self._lock = threading.Lock()
        try:
            with open(self.path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    if line.strip():
                        self._take(number, line)
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(
                f"the recording {self.path} cannot be read: run once with COGMEM_MODEL_RECORD={self.path}"
            ) from error

    def _take(self, number: int, line: str) -> None:
        try:
            entry = json.loads(line)
            request, answer = entry["request"], entry.get("answer")
            if not isinstance(answer, str) and entry["fault"] not in _FAULTS:
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InvalidInput(
                f"line {number} of {self.path} is not a recorded answer: it needs request, and answer or fault"
            ) from error
        self.name = str(entry.get("model") or self.name)
        self._answers.setdefault(str(request), []).append(entry)

    def complete(self, prompt: str, **options: Any) -> str:
        """Return the answer that was recorded for this request."""
        request = request_hash(prompt, options)
        with self._lock:
            known = self._answers.get(request, [])
            place = self._given.get(request, 0)
            if place >= len(known):
                times = f"{len(known)} answers" if known else "no answer"
                raise NotRecorded(
                    f"{self.path} holds {times} to request {request}, which was asked {place + 1} times: "
                    f"run once with COGMEM_MODEL_RECORD={self.path} to record what is missing"
                )
            self._given[request] = place + 1
        entry = known[place]
        if "answer" not in entry:
            raise _FAULTS[entry["fault"]](f"the model {entry['fault']} when this was recorded")
        figures = {name: int(entry.get(name, 0)) for name in ("tokens_in", "tokens_out")}
        return Reply(entry["answer"], model=self.name, **figures)
