"""Token counts from a provider's own API, remembered, and estimated where the API fails.

`begin` counts in a thread while the turn goes on with an estimate; versions see to it that a late result never
replaces a newer one.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict

from cogmem.named import NamedTuple
from cogmem.tokens.counting import Typed, estimate_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cogmem.tokens.counting import Message, TokenCounter

    Content = str | Sequence[Message]

AT_ONCE = 3
REMEMBERED = 1000


class TokenCount(NamedTuple):
    """A number of tokens, and whether it is an estimate."""

    tokens: int
    is_estimate: bool


class ProviderCounter:
    """Asks a provider's own counter, which can be any callable, and estimates where that fails.

    `ask` takes what `measure` was given, a text or a list of messages, and keeps its own time
    limit: Python cannot stop a thread, so a call that hangs holds one of the three places.
    """

    name = "provider"

    def __init__(self, ask: Callable[[Content], int], estimate: TokenCounter | None = None) -> None:
        self._ask = ask
        self._estimate = estimate or Typed()
        self._lock = allocate_lock()
        self._counts: OrderedDict[bytes, int] = OrderedDict()
        self._latest: TokenCount | None = None
        self._version = self._latest_version = self._cleared_version = 0
        self._under_way = 0
        self._closed = False

    @property
    def latest(self) -> TokenCount | None:
        """The newest count that `begin` brought; None before there is one and after `clear`."""
        return self._latest

    def count(self, text: str) -> int:
        return self.measure(text).tokens

    def measure(self, content: Content) -> TokenCount:
        """Return the precise count, from memory or from the provider, else an estimate."""
        known = self.estimate(content)
        if not known.is_estimate or self._closed:
            return known
        version = self._version
        tokens = self._precise(content)
        if tokens is None:
            return known
        self._remember(content, tokens, version)
        return TokenCount(tokens, is_estimate=False)

    def estimate(self, content: Content) -> TokenCount:
        """Return the remembered count, else an estimate; never asks the provider."""
        if not content:
            return TokenCount(0, is_estimate=False)
        key = _fingerprint(content)
        with self._lock:
            if key in self._counts:
                self._counts.move_to_end(key)
                return TokenCount(self._counts[key], is_estimate=False)
        if isinstance(content, str):
            return TokenCount(self._estimate.count(content), is_estimate=True)
        tokens = sum(estimate_message(message, self._estimate) for message in content)
        return TokenCount(tokens, is_estimate=True)

    def begin(self, content: Content) -> bool:
        """Count in a thread, for `latest`. False: three are under way, and this one is skipped."""
        import threading

        with self._lock:
            if self._closed or self._under_way >= AT_ONCE:
                return False
            self._under_way += 1
            self._version += 1
            version = self._version
        # A daemon, so that a provider that never answers cannot keep the process alive.
        thread = threading.Thread(target=self._finish, args=(content, version), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the system gives no more threads
            with self._lock:
                self._under_way -= 1
            return False
        return True

    def clear(self) -> None:
        """Forget every count: the history has changed, and what is under way is about the old."""
        with self._lock:
            self._counts.clear()
            self._latest = None
            self._version += 1
            self._cleared_version = self._latest_version = self._version

    def close(self) -> None:
        """Ask the provider no more, and drop what is under way."""
        with self._lock:
            self._closed = True

    def _finish(self, content: Content, version: int) -> None:
        tokens = self._precise(content)
        if tokens is not None:
            self._remember(content, tokens, version)
        with self._lock:
            self._under_way -= 1
            if tokens is not None and version > self._latest_version and not self._closed:
                self._latest_version = version
                self._latest = TokenCount(tokens, is_estimate=False)

    def _precise(self, content: Content) -> int | None:
        try:
            tokens = self._ask(content)
        except Exception:  # whatever a client may raise: an estimate is better than no answer
            return None
        sound = isinstance(tokens, int) and not isinstance(tokens, bool) and tokens >= 0
        return tokens if sound else None

    def _remember(self, content: Content, tokens: int, version: int) -> None:
        key = _fingerprint(content)
        with self._lock:
            if version < self._cleared_version or self._closed:
                return
            self._counts[key] = tokens
            self._counts.move_to_end(key)
            if len(self._counts) > REMEMBERED:
                self._counts.popitem(last=False)


def _fingerprint(content: Content) -> bytes:
    import hashlib
    import json

    if isinstance(content, str):
        return hashlib.sha256(b"text " + content.encode("utf-8", "surrogatepass")).digest()
    counted = ("type", "text", "name", "arguments", "content")
    messages = [
        [message["role"], [[part.get(field) for field in counted] for part in message["parts"]]]
        for message in content
    ]
    return hashlib.sha256(json.dumps(messages, sort_keys=True, default=str).encode()).digest()
