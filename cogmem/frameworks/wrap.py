"""wrap: memory around a client of OpenAI's or Anthropic's, for programs that have no hooks.

    client = cogmem.wrap(anthropic.Anthropic(), "memory.db", session="monday")
    client.messages.create(model=…, max_tokens=…, messages=[{"role": "user", "content": "Hi"}])

The stable text goes in front of the system prompt, with a mark for the provider's cache; what memory
adds to a message stands beside it with the same bytes whenever the caller sends it again. What was said
is recorded, rules learn from it. The answer is never changed, and memory is never waited for longer than
`PATIENCE`: what fails or is late is left out and logged. One thread does the work, in order.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar, cast

from cogmem.errors import InvalidInput
from cogmem.frameworks import shapes
from cogmem.frameworks.loop import Session
from cogmem.memory import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import Any

    from cogmem.frameworks.shapes import Shape

PATIENCE = 0.5  # seconds that a request waits for its memory
KEPT = 2000  # messages whose added text is known; an older one is sent without
log = logging.getLogger("cogmem")

Client = TypeVar("Client")


def wrap(
    client: Client,
    memory: Memory | str | os.PathLike[str] | None = None,
    *,
    session: str,
    user: str = "",
    project: str = "",
    runtime: str = "",
    documents: str | os.PathLike[str] | None = None,
) -> Client:
    """Return the client, with memory. To an editor it is the client that it was; what goes with it is
    `client.cogmem`, or `companion(client)` of `cogmem.frameworks.wrap` where types are checked.

    client: of the package openai or anthropic, awaited or not
    memory: a path, None for the file that COGMEM_DB names, or a memory that is open
    session: what the session is called: a new name for each, the same one when it goes on
    user: whose session it is, where a path is opened
    project: the project it works on, where a path is opened
    runtime: the program it runs in, where a path is opened
    documents: the folder whose documents count, where a path is opened
    """
    if shapes.calls_of(client) is None:
        raise InvalidInput(
            f"{type(client).__module__}.{type(client).__name__} is not a client that wrap knows: "
            "pass one of the packages openai or anthropic, or use cogmem.Session"
        )
    opened = Session(
        memory, session, user=user, project=project, runtime=runtime, documents=documents
    )
    return cast(Client, _At(client, "", client, Companion(opened)))


def companion(client: object) -> Companion:
    """Return what goes with a client that `wrap` gave back."""
    found = getattr(client, "cogmem", None)
    if not isinstance(found, Companion):
        raise InvalidInput("this client has no memory: pass what cogmem.wrap gave back")
    return found


class Companion:
    """What goes with one client: `client.cogmem`. Call end() when the session is over."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="cogmem")
        self._added: dict[str, str] = {}  # a message's place in the talk → what was put beside it
        self._stable: str | None = None
        self._worker.submit(_warm_up, self.memory)

    @property
    def memory(self) -> Memory:
        """The memory that is used."""
        return self._session.memory

    def end(self) -> None:
        """Wait until all is recorded, and let the session become an episode."""
        with suppress(RuntimeError):  # it has ended
            self._worker.submit(self._session.__exit__).result()
        self._worker.shutdown()

    def flush(self) -> None:
        """Wait until all that was said is recorded."""
        self._worker.submit(int).result()

    # -- a request ------------------------------------------------------------------------------------

    def asked(self, shape: Shape, request: dict[str, Any]) -> dict[str, Any]:
        """Return the request with what memory adds in time."""
        given_up: list[bool] = []
        try:
            waiting = self._worker.submit(self._with_memory, shape, request, given_up)
            return waiting.result(PATIENCE)
        except Exception as error:  # a fault of memory is not a fault of the program
            return _without_memory(request, given_up, error)

    async def asked_async(self, shape: Shape, request: dict[str, Any]) -> dict[str, Any]:
        """Return the same without holding up the loop."""
        given_up: list[bool] = []
        try:
            waiting = self._worker.submit(self._with_memory, shape, request, given_up)
            return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(waiting)), PATIENCE)
        except Exception as error:
            return _without_memory(request, given_up, error)

    def _with_memory(
        self, shape: Shape, request: dict[str, Any], given_up: list[bool]
    ) -> dict[str, Any]:
        if self._stable is None:
            self._stable = self._session.start()
        asked = shape.said(request)
        beside: dict[int, str] = {}
        place = hashlib.sha256()
        for number, text in enumerate(asked):
            place.update(text.encode("utf-8", "replace") + b"\0")
            key = f"{number} {place.hexdigest()}"
            if key not in self._added and number == len(asked) - 1 and shape.is_new(request):
                while len(self._added) >= KEPT:
                    del self._added[next(iter(self._added))]
                added = self.memory.activate(text, session=self._session.name).volatile
                self._later(self._session.asked, text)  # hearing takes longer: nobody waits for it
                # What went out without it stays without it: the provider has cached those bytes.
                self._added[key] = "" if given_up else added
            beside[number] = self._added.get(key, "")
        return shape.with_memory(request, self._stable, beside)

    def heard(self, text: str) -> None:
        """Record an answer, behind whatever is being recorded."""
        if text.strip():
            self._later(self._session.answered, text)

    def _later(self, record: Callable[[str], None], text: str) -> None:
        with suppress(RuntimeError):  # the session has ended, or the interpreter
            self._worker.submit(record, text).add_done_callback(_told)


def _warm_up(memory: Memory) -> None:
    """Load what the first request would wait for; a memory that is only read notes nothing."""
    with Memory(memory.place, read_only=True) as only_read:
        only_read.activate("What was decided last week?")


def _told(done: Future[Any]) -> None:
    if done.exception() is not None:
        log.warning("cogmem did not record what was said: %s", done.exception())


def _without_memory(
    request: dict[str, Any], given_up: list[bool], error: Exception
) -> dict[str, Any]:
    given_up.append(True)
    reason = "it was too slow" if isinstance(error, TimeoutError) else error
    log.warning("cogmem adds nothing to this request: %s", reason)
    return request


# -- the client -----------------------------------------------------------------------------------


class _Inside:
    """A part of the client: its own attributes, entered and left as the client has it, awaited or not."""

    _part: Any

    def _over(self) -> None:
        """Note what was said, when it is left."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part, name)

    def __enter__(self) -> Any:
        self._part.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        self._over()
        return self._part.__exit__(*error)

    async def __aenter__(self) -> Any:
        await self._part.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        self._over()
        return await self._part.__aexit__(*error)


class _At(_Inside):
    """A place in the client: all is its own, but for the calls that ask a model."""

    def __init__(self, part: Any, path: str, client: Any, companion: Companion) -> None:
        self._part = part
        self._path = path
        self._client = client
        self.cogmem = companion

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        path = f"{self._path}/{name}".lstrip("/")
        calls = shapes.calls_of(self._client) or {}
        shape = calls.get(path)
        if shape is not None:
            return _call(found, shape, self.cogmem, shapes.is_async(self._client))
        if not self._path and name in ("with_options", "copy"):
            return lambda *args, **options: _At(
                found(*args, **options), "", self._client, self.cogmem
            )
        if any(known.startswith(f"{path}/") for known in calls):
            return _At(found, path, self._client, self.cogmem)
        return found

    def __dir__(self) -> list[str]:
        return [*dir(self._part), "cogmem"]

    def __repr__(self) -> str:
        return f"cogmem.wrap({self._part!r})"


def _call(found: Any, shape: Shape, companion: Companion, is_async: bool) -> Callable[..., Any]:
    """Return the client's own method, with memory in its request and an ear for its answer."""

    def answered(answer: Any, request: dict[str, Any]) -> Any:
        if request.get("stream") is True:
            return _Listened(answer, shape, companion)
        companion.heard(shape.text_of(answer))
        return answer

    def ask(**request: Any) -> Any:
        return answered(found(**companion.asked(shape, request)), request)

    async def ask_async(**request: Any) -> Any:
        return answered(await found(**await companion.asked_async(shape, request)), request)

    if shape.snapshot is not None:
        return lambda **request: _Manager(found, request, shape, companion)
    return ask_async if is_async else ask


class _Listened(_Inside):
    """A stream of events that goes on unchanged; its text is recorded when it is over."""

    def __init__(self, stream: Any, shape: Shape, companion: Companion) -> None:
        self._part = stream
        self._shape = shape
        self._companion = companion
        self._said: list[str] = []

    def _take(self, event: Any) -> Any:
        with suppress(Exception):  # an event that is not known carries no text
            self._said.append(self._shape.text_in(event))
        return event

    def _over(self) -> None:
        text, self._said = "".join(self._said), []
        self._companion.heard(text)

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        try:
            return self._take(next(self._part))
        except StopIteration:
            self._over()
            raise

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        try:
            return self._take(await anext(self._part))
        except StopAsyncIteration:
            self._over()
            raise

    def close(self) -> Any:
        self._over()
        return self._part.close()


class _Manager(_Inside):
    """`with client.messages.stream(…)`: the request is made on entering, as the client has it."""

    def __init__(
        self, found: Any, request: dict[str, Any], shape: Shape, companion: Companion
    ) -> None:
        self._found = found
        self._request = request
        self._shape = shape
        self._companion = companion
        self._part: Any = None
        self._stream: Any = None

    def __enter__(self) -> Any:
        self._part = self._found(**self._companion.asked(self._shape, self._request))
        self._stream = self._part.__enter__()
        return self._stream

    async def __aenter__(self) -> Any:
        request = await self._companion.asked_async(self._shape, self._request)
        self._part = self._found(**request)
        self._stream = await self._part.__aenter__()
        return self._stream

    def _over(self) -> None:
        with suppress(Exception):  # nothing had come yet
            assert self._shape.snapshot is not None
            self._companion.heard(self._shape.text_of(self._shape.snapshot(self._stream)))
