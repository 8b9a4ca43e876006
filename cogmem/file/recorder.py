"""A connection that writes down what it is asked to write, so that another database can do the same.

It stands before the connection of a client's copy of a cluster. Reads and pragmas go through; a statement that writes
within a transaction goes through and is kept with its values; a part that is rolled back is forgotten. What `commit`
means is for the cluster to say.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

Recorded = list[tuple[str, "Any"]]

_WRITES = frozenset("insert update delete replace create drop alter".split())
_STAMPS = ("pragma user_version =", "pragma application_id =")
# FTS5 takes its own check for a write; it changes nothing.
_PROOF = "'integrity-check'"


def is_write(text: str) -> bool:
    """Tell whether a statement changes rows, tables or the stamps of a file."""
    low = text.lstrip().lower()
    word = low.split(None, 1)[0]
    if word in _WRITES:
        return _PROOF not in low
    if word == "with":  # a word of it in a literal costs a needless statement, and no more
        return any(verb in low for verb in ("insert into", "update", "delete from"))
    return low.startswith(_STAMPS)


class Recorder:
    """The connection of a driver, with what its transaction wrote."""

    def __init__(
        self, actual: Any, begun: Callable[[], None], commit: Callable[[Recorded], None]
    ) -> None:
        self.actual = actual
        self._begun = begun
        self._commit = commit
        self._steps: Recorded = []
        self._marks: list[tuple[str, int]] = []
        self._is_open = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.actual, name)

    def execute(self, text: str, params: Any = None) -> Any:
        """Run a statement, and keep it if it writes."""
        if text == "commit" and self._is_open:
            self._commit(self._steps)
            self._end()
            return self.actual.execute("select 1 where 0")
        cursor = self.actual.execute(text, params if params is not None else ())
        if self._is_open and is_write(text):
            self._steps.append((text, params))
        else:
            self._follow(text)
        return cursor

    def executemany(self, text: str, rows: Any) -> Any:
        """Run a statement for each row, and keep them all."""
        rows = list(rows)
        cursor = self.actual.executemany(text, rows)
        if self._is_open and is_write(text):
            self._steps += [(text, row) for row in rows]
        return cursor

    def _follow(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        if text == "begin immediate":
            self._end()
            self._is_open = True
            self._begun()
        elif text == "rollback":
            self._end()
        elif word == "savepoint":
            self._marks.append((rest, len(self._steps)))
        elif text.startswith("rollback to "):
            name = text.removeprefix("rollback to ")
            del self._steps[next(at for mark, at in reversed(self._marks) if mark == name) :]
        elif word == "release":
            while self._marks and self._marks.pop()[0] != rest:
                pass

    def _end(self) -> None:
        self._steps, self._marks, self._is_open = [], [], False


def plain(steps: Recorded) -> list[list[Any]]:
    """Statements with their values as rqlite takes them, in JSON: bytes become literals, since it knows none."""
    return [_plain(text, params) for text, params in steps]


def _plain(text: str, params: Any) -> list[Any]:
    if not params:
        return [text]
    if isinstance(params, dict) or hasattr(params, "keys"):
        named = dict(params)
        for name in [
            name
            for name, value in named.items()
            if isinstance(value, (bytes, bytearray, memoryview))
        ]:
            text = _filled(text, name, _literal(named.pop(name)))
        return [text, {name: _value(value) for name, value in named.items()}] if named else [text]
    placed = list(params)
    if any(isinstance(value, (bytes, bytearray, memoryview)) for value in placed):
        # Every value as a name: a literal in the place of one question mark would have to be found among quotes.
        pieces, kept = _pieces(text), []
        for place, value in enumerate(placed):
            if isinstance(value, (bytes, bytearray, memoryview)):
                pieces[place] += _literal(value)
            else:
                pieces[place] += "?"
                kept.append(_value(value))
        return ["".join(pieces), *kept]
    return [text, *map(_value, placed)]


def _value(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def _literal(value: Any) -> str:
    return f"x'{bytes(value).hex()}'"


def _outside(text: str) -> list[bool]:
    """Tell for each character whether it stands outside of quotes and comments."""
    found, closing, at = [], "", 0
    while at < len(text):
        two = text[at : at + 2]
        if closing:
            found.append(False)
            if text.startswith(closing, at):
                found += [False] * (len(closing) - 1)
                at += len(closing) - 1
                closing = ""
        elif two in ("--", "/*"):
            closing = "\n" if two == "--" else "*/"
            found += [False, False]
            at += 1
        elif text[at] in "'\"":
            closing = text[at]
            found.append(False)
        else:
            found.append(True)
        at += 1
    return found


def _filled(text: str, name: str, literal: str) -> str:
    """Return a statement with a literal in the place of a named value."""
    outside, pieces, at = _outside(text), [], 0
    wanted = f":{name}"
    while (place := text.find(wanted, at)) >= 0:
        end = place + len(wanted)
        is_whole = end == len(text) or not (text[end].isalnum() or text[end] == "_")
        pieces += [text[at:place], literal if is_whole and outside[place] else wanted]
        at = end
    return "".join([*pieces, text[at:]])


def _pieces(text: str) -> list[str]:
    """Return what stands between the question marks of a statement."""
    outside, pieces, at = _outside(text), [], 0
    for place, sign in enumerate(text):
        if sign == "?" and outside[place]:
            pieces.append(text[at:place])
            at = place + 1
    return [*pieces, text[at:]]
