"""The first words of an MCP server, said before the SDK is loaded.

A host asks who is there and which tools there are, and some (Codex exec, the first turn of Claude
Code) go on without the tools when the answer takes longer than a moment. Those answers never depend
on the memory, so they are prepared: `data/mcp.json` holds, for each version of the protocol, what
the SDK's own server answers, and a test keeps the two in step. Whatever else is asked goes to the
SDK: it reads the opening request again, whose answer the client has, and then everything that follows.

A request that is not exactly what is expected here is not answered here.
"""

from __future__ import annotations

import os
import sys
from _signal import SIG_DFL, SIGINT, signal  # type: ignore[import-not-found]
from _thread import allocate_lock, start_new_thread

from cogmem.hosts.host import parse, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

PREPARED = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "mcp.json"
)
VERSION, CLIENT, ABLE = (
    f"io.modelcontextprotocol/{name}"
    for name in ("protocolVersion", "clientInfo", "clientCapabilities")
)
FEW, NONE = "few", "none"  # the set that is served if none is named, and the one without tools
# Seconds after the first answer until the SDK is loaded, unless it is asked for sooner. It takes a second of a
# processor, which a host that has just started needs itself; a model calls no tool before it has answered.
LOAD_AFTER = 2.0
# Options of the command line that take a value, and may stand where a server is started.
VALUED = ("--db", "--user", "--project", "--actor", "--tools", "--documents")


class Wire:
    """What a client says and is told: standard input and output, out of reach of everybody else.

    A stray print of a library must not land between two answers.
    """

    def __init__(self) -> None:
        self._in, self._out = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        self._read = b""
        self._over = False
        self.again: list[bytes] = []  # lines that the SDK shall read although they were read here
        self.dropped: Any = None  # the id of the one answer that the client has already

    def line(self) -> bytes:
        """Return the next line with its end; b'' when the client has gone."""
        if self.again:
            return self.again.pop(0)
        while b"\n" not in self._read and not self._over:
            piece = os.read(self._in, 1 << 16)
            self._over = not piece
            self._read += piece
        line, end, self._read = self._read.partition(b"\n")
        return line + end

    def readline(self) -> str:
        """Return the same as text, for the SDK."""
        return whole(self.line()).decode("utf-8", "replace")

    def write(self, text: str) -> int:
        """Say a whole line, unless it is the answer that the client has."""
        if self.dropped is not None:
            said = parse(text)
            if said.get("id") == self.dropped and "method" not in said:
                self.dropped = None
                return len(text)
        data = text.encode("utf-8")
        while data:
            data = data[os.write(self._out, data) :]
        return len(text)

    def flush(self) -> None:
        """Do nothing: nothing is held back."""


def whole(line: bytes) -> bytes:
    r"""Return a line of JSON without halves of characters. A program that cuts a text may leave one (`\ud83d`), and
    the SDK would drop the whole request, so that its client waits for ever."""
    if b"\\ud" not in line and b"\\uD" not in line:
        return line
    import re

    pattern = rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    return re.sub(pattern, lambda found: rb"\ufffd" if found[1] else found[0], line)


class Greeting:
    """What can be answered without the SDK: one connection, whose first request decides its era."""

    def __init__(self, toolsets: Sequence[str]) -> None:
        with open(PREPARED, encoding="utf-8") as file:
            held = parse(file.read())
        self._answers: dict[str, dict[str, str]] = held["answers"]
        self._handshakes: list[str] = held["handshakes"]
        self._texts: list[str] = held["texts"]
        self._sets = [held["tools"][name] for name in toolsets if name != NONE]
        self.version = ""  # of a connection that has been greeted
        self.opening = b""  # its first request
        self.notes: list[bytes] = []  # what was told since, and asks for no answer

    def answer(self, line: bytes) -> str | None:
        """Return the answer to a line, '' where none is due; None for what only the SDK can answer."""
        try:
            said = parse(line.decode("utf-8"))
        except (ValueError, RecursionError):
            return None
        if not isinstance(said, dict) or said.get("jsonrpc") != "2.0":
            return None
        method, number, params = said.get("method"), said.get("id"), said.get("params", {})
        if not isinstance(method, str) or not isinstance(params, dict):
            return None
        if "id" not in said:
            if method != "notifications/initialized" or not self.opening:
                return None
            self.notes.append(line)
            return ""
        if isinstance(number, bool) or not isinstance(number, (int, str)):
            return None
        result = self._result(method, params)
        if result is None:
            return None
        self.opening = self.opening or line
        told = number if isinstance(number, int) else quoted(number)
        return f'{{"jsonrpc":"2.0","id":{told},"result":{result}}}\n'

    def _result(self, method: str, params: dict[str, Any]) -> str | None:
        if method == "initialize":
            if self.opening or not _is_hello(params):
                return None
            wanted = params["protocolVersion"]
            self.version = wanted if wanted in self._handshakes else self._handshakes[-1]
        elif not self.opening or self.version not in self._handshakes:
            version = _of_envelope(params)
            if version is None or version in self._handshakes or self.version not in ("", version):
                return None
            if not self.opening and version in self._answers:
                self.version = version
        elif set(params) - {"_meta"} or VERSION in (params.get("_meta") or {}):
            return None
        result = self._answers.get(self.version, {}).get(method)
        if result is not None and method == "tools/list":
            return result.replace('"tools":[]', f'"tools":[{",".join(self._tools())}]', 1)
        return result

    def _tools(self) -> list[str]:
        found: dict[str, str] = {}
        for tools in self._sets:
            for name, texts in tools.items():
                found.setdefault(name, self._texts[texts[self.version]])
        return list(found.values())


def _is_hello(params: Mapping[str, Any]) -> bool:
    """Tell whether these are the parameters of an `initialize` that the SDK takes too."""
    return (
        set(params) <= {"protocolVersion", "capabilities", "clientInfo", "_meta"}
        and isinstance(params.get("protocolVersion"), str)
        and _is_able(params.get("capabilities"))
        and _is_client(params.get("clientInfo"))
        and isinstance(params.get("_meta", {}), dict)
        and VERSION not in params.get("_meta", {})
    )


def _of_envelope(params: Mapping[str, Any]) -> str | None:
    """Return the version in the envelope that each request of the later protocol carries."""
    meta = params.get("_meta")
    if set(params) != {"_meta"} or not isinstance(meta, dict) or not _is_able(meta.get(ABLE)):
        return None
    if CLIENT in meta and not _is_client(meta[CLIENT]):
        return None
    version = meta.get(VERSION)
    return version if isinstance(version, str) else None


def _is_able(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(one, dict) for one in value.values())


def _is_client(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(value.get(name), str) for name in ("name", "version")
    )


# -- one process, one connection -----------------------------------------------------------------

_wire: Wire | None = None  # what this process has read ahead of the SDK


def greeted() -> Wire | None:
    """Return the wire of a connection that was greeted here; it is the caller's from now on."""
    global _wire
    wire, _wire = _wire, None
    return wire


def greet(words: Sequence[str], load: Callable[[], object]) -> None:
    """Answer what can be answered, until something else is asked; the client has gone: end here.

    `load` brings in what comes after, beside the answers. Words that are not plainly those of a server
    on standard input are left to the command line.
    """
    global _wire
    toolsets = toolsets_of(words)
    # Where it is not plain that there is an SDK to hand over to, the command line looks.
    has_sdk = any(os.path.isdir(os.path.join(path, "mcp", "server")) for path in sys.path)
    if toolsets is None or not has_sdk:
        return
    try:
        greeting = Greeting(toolsets)
    except (OSError, KeyError):  # a set that is not known: the command line says so
        return
    signal(SIGINT, SIG_DFL)  # so hosts say that they are done: nothing is open yet, so end at once
    wire = _wire = Wire()
    loading = Loading(load)
    sys.setswitchinterval(0.001)  # an answer does not wait long for the loading beside it
    while line := wire.line():
        answer = greeting.answer(line)
        if answer is None:
            break
        if answer:
            wire.write(answer)
            loading.begin(LOAD_AFTER)
    else:
        os._exit(0)  # gone, and nobody waits for the loading
    loading.finish()
    if greeting.opening:
        wire.again = [greeting.opening, *greeting.notes, line]
        wire.dropped = parse(greeting.opening.decode("utf-8"))["id"]
    else:
        wire.again = [line]


def toolsets_of(words: Sequence[str]) -> list[str] | None:
    """Return the tool sets that `cogmem … mcp …` asks for; None when it may ask for something else."""
    commands, toolsets, rest = [], FEW, list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if name in VALUED:
            if not equals:
                if not rest:
                    return None
                value = rest.pop(0)
            toolsets = value if name == "--tools" else toolsets
        elif word.startswith("-"):
            return None
        else:
            commands.append(word)
    if commands != ["mcp"]:
        return None
    return names_of(toolsets)


def names_of(toolsets: str) -> list[str]:
    """Return the tool sets of a list; an empty one is the default."""
    return [name for name in map(str.strip, toolsets.split(",")) if name] or [FEW]


class Loading:
    """Work that begins beside the answers, once, and that one can wait for."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self._now, self._done = allocate_lock(), allocate_lock()
        self._begun = False

    def begin(self, after: float) -> None:
        """Begin in so many seconds, once."""
        if not self._begun:
            self._begun = True
            self._now.acquire()
            self._done.acquire()
            start_new_thread(self._run, (after,))

    def _run(self, after: float) -> None:
        self._now.acquire(timeout=after)
        try:
            self._work()
        except BaseException as error:  # the caller meets it again, and says it properly
            del error
        finally:
            self._done.release()

    def finish(self) -> None:
        """Wait until it is done; what was not begun is left to the caller."""
        if self._begun:
            self._now.release()  # if it has not begun yet, it begins at once
            with self._done:
                pass
