"""The process that stays: it keeps one memory open and answers its hooks in milliseconds.

A hook that finds no such process answers by itself and then starts one. The process owns its file as long as it holds
a lock beside its socket, so there is only one. It answers with the same code that a hook runs (`hooks.answer`), one
event after the other; what a session leaves behind is written down after the answer. Nothing depends on it: killed at
any point, it costs one hook the time that the hook takes anyway.

It ends by itself: after ten minutes without an event (`resident_minutes`), when its own code has changed on disk,
when another file stands in the place of its own, or when a newer version asks. It closes the file after half a
minute without an event, so nobody holds a memory that is not in use.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from _thread import start_new_thread
from contextlib import contextmanager, suppress

from cogmem import __version__
from cogmem.file.places import beside, place_of, resolved
from cogmem.hosts import caller, hooks, spool
from cogmem.hosts.faults import log
from cogmem.hosts.host import SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from socket import socket as Socket

    from cogmem.hosts.host import Event
    from cogmem.memory import Memory

HOLDS_S = 30.0  # without an event, then the file is let go
# After an answer: a session that stops may end in the same moment, and is not kept waiting.
SOON_S = 0.3
IDLE_S = 1.0  # after the first answers: time to load what writing down wants
RETRY_S = 1.0  # while events wait that somebody's lock kept from being written
READ_S = 2.0  # for one request to arrive
LOCKED_MS = 100
OTHERS = 8  # memories of other projects and hosts that are kept open beside each other
# What the first event would otherwise wait for.
WARM = (
    "cogmem.turn.turn",
    "cogmem.turn.act",
    "cogmem.search.messages",
    "cogmem.hosts.act",
    "cogmem.hosts.spool",
    "cogmem.hosts.transcript",
)
TAKES_OVER_S = 2.0  # for an older one to go


def stay(words: list[str]) -> None:
    """Answer the events of a file until nobody asks any more."""
    gc.enable()  # a hook does without
    place = resolved(hooks.read_arguments(words).place)
    path = caller.socket_of(place)
    if not path:
        return
    folder = os.path.dirname(path)
    with suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
    if not caller.is_private(folder):
        return
    os.umask(0o077)
    if not _own(f"{path}.lock", place):
        return
    os.chdir("/")
    for module in WARM:
        __import__(module)
    one = Resident(place, path)
    if one.minutes:
        one.serve()


def _own(lock: str, place: str) -> bool:
    """Tell whether the file is ours now. The lock is held as long as this process lives, and goes with it."""
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    if not _take(handle, place):
        return False
    os.ftruncate(handle, 0)
    os.write(handle, b"%d\n" % os.getpid())  # for a person who wonders
    return True


def _take(handle: int, place: str) -> bool:
    import fcntl

    ends = 0.0
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:
            # Somebody has it. Asked by a newer version, an older one goes.
            if not ends:
                if caller.ask([hooks.HOOK, "leave", __version__], b"", place) is None:
                    return False
                ends = time.monotonic() + TAKES_OVER_S
            elif time.monotonic() >= ends:
                return False
            time.sleep(0.02)


def is_newer(version: str, than: str) -> bool:
    """Tell whether one version comes after another, by their numbers."""
    one, other = (
        [int(part) for part in text.split(".") if part.isdigit()] for text in (version, than)
    )
    return one > other


def prepare() -> None:
    """Load what the first message that is written down would wait for, and with it whoever asks then."""
    try:
        from cogmem.guard import guard
        from cogmem.hear import catch_up, proposals  # noqa: F401

        guard.apply("from now on ignore this", guard.POLICIES["record"])
    except Exception as error:  # whoever needs it meets it again, and says so
        del error


class Resident(hooks.Alone):
    """One file, kept open, and whoever asks about it."""

    def __init__(self, place: str, path: str) -> None:
        from cogmem.memory import Memory

        super().__init__()
        self.place = place
        self.path = path  # of the socket
        with Memory(place, actor="hook") as mem:  # without being asked; 0 where a person wants none
            self.minutes = float(mem.store.settings().get("resident_minutes", 0))
        self.kept: dict[tuple[str, str, bool], Memory] = {}
        self.old: list[Memory] = []  # of the sessions before, to be closed after the answer
        self.folds_in = 0.0  # seconds until what waits is folded in; 0 when nothing waits
        self.leaves = False
        self.is_prepared = False
        self.asking: Socket  # who is answered
        self.file = place_of(beside(place))
        self.code = Code()
        self.code.has_changed()
        self.left = _state(beside(place))  # as this process left the file
        self.surroundings = sorted(caller.surroundings())

    # -- the loop --------------------------------------------------------------------------------

    def serve(self) -> None:
        """Listen, answer, put in order, until it is time to go."""
        line = self._listen()
        quiet = time.monotonic()
        try:
            while not self.leaves:
                line.settimeout(self._patience())
                try:
                    asking, _ = line.accept()
                except TimeoutError:
                    since = time.monotonic() - quiet
                    self._tidy(since)
                    if since >= self.minutes * 60:
                        break
                    continue
                with asking:
                    self._answer(asking)
                self._close_old()
                self.left = _state(beside(self.place))
                quiet = time.monotonic()
        finally:
            if place_of(self.path) == self.listens:  # not that of one who took over
                os.unlink(self.path)
            line.close()
            self.release()

    def _patience(self) -> float:
        """Tell how long it waits for the next who asks, until there is something to do."""
        if self.folds_in:
            return self.folds_in
        return min(HOLDS_S if self.is_prepared else IDLE_S, self.minutes * 60)

    def _listen(self) -> Socket:
        """Return a socket that is there whole or not at all: made beside its place, and moved."""
        from socket import AF_UNIX, SOCK_STREAM, socket

        draft = f"{self.path}.{os.getpid()}"
        line = socket(AF_UNIX, SOCK_STREAM)
        line.bind(draft)
        os.chmod(draft, 0o600)
        line.listen(16)
        self.listens = place_of(draft)
        os.replace(draft, self.path)
        return line

    def _tidy(self, quiet: float) -> None:
        """Do what is done while nobody asks."""
        if self.folds_in:
            self._fold()
        elif not self.is_prepared:
            self.is_prepared = True
            start_new_thread(prepare, ())  # whoever asks meanwhile is answered
        if quiet >= HOLDS_S:
            self.release()
        self.left = _state(beside(self.place))
        is_ours = caller.is_private(os.path.dirname(self.path))
        is_there = place_of(self.path) == self.listens and self._is_same_file()
        if not is_ours or not is_there or self.code.has_changed():
            self.leaves = True

    def _fold(self) -> None:
        """Write down what waits; while somebody holds the file it goes on waiting."""
        try:
            hooks.fold(self.place, self, LOCKED_MS)
            self.folds_in = RETRY_S if spool.waiting(self.place) else 0.0
        except Exception as error:
            log(self.place, "fold", error)
            self.folds_in = 0.0
        if counting := sys.modules.get("cogmem.tokens.counting"):
            counting.let_go()  # half of what this process holds, for one message in many

    # -- one event -------------------------------------------------------------------------------

    def _answer(self, asking: Socket) -> None:
        """Answer one request; any fault of it is told in the log, and is the asker's to mend."""
        kind = "?"
        watch = hooks.Watch()
        try:
            asking.settimeout(READ_S)
            asking.sendall(b"A")
            words, told, raw = _read(asking)
            if words[1:2] == ["leave"]:
                self.leaves = is_newer(words[2], __version__)
                asking.sendall(b"%08x" % 0 if self.leaves else b"N")
                return
            asked = hooks.read_arguments(words[1:])
            kind = asked.kind
            if not kind or not self._may_answer(words[0], told):
                asking.sendall(b"N")
                return
            watch.start(SECONDS[kind], self.place, kind)
            try:
                event = hooks.read_event(asked, raw)
                self.asking = asking
                if event is None:
                    self.say("")
                else:
                    self._look_anew(kind)
                    hooks.answer(event, self.place, asked.with_documents, self)
            finally:
                watch.stop()
        except (BrokenPipeError, ConnectionResetError):
            pass  # who asked did not wait, and answers by itself
        except Exception as error:
            # Without an answer the hook runs the event by itself, and tells what is to be told.
            log(self.place, kind, error)
            self.release()

    def say(self, text: str) -> None:
        """Tell who asks, who then has all there is to hear."""
        data = text.encode("utf-8", "backslashreplace")
        self.asking.sendall(b"%08x" % len(data) + data)
        self.asking.shutdown(1)  # for writing

    def _look_anew(self, kind: str) -> None:
        """See what a process that has just begun would have seen."""
        if kind == "start":
            self.folds_in = self.folds_in or SOON_S  # what a process that was killed left behind
        elif kind == "prompt" and self.folds_in == SOON_S:
            self._fold()  # the turn before belongs to the record that this one is answered from
        # A session begins with all that opening a file finds out. Where somebody else was at the file,
        # other than through SQLite, only a new look is safe.
        if kind == "start" or self.left != _state(beside(self.place)):
            self.old += self.kept.values()
            self.kept = {}

    def _may_answer(self, hook: str, told: list[bytes]) -> bool:
        """Tell whether the asker would say the same: the same code, surroundings and file."""
        if self.code.has_changed() or not self._is_same_file():
            self.leaves = True
            return False
        return os.path.realpath(hook) == os.path.realpath(hooks.HOOK) and (
            sorted(told) == self.surroundings
        )

    def _is_same_file(self) -> bool:
        return self.file == place_of(beside(self.place))

    # -- the file --------------------------------------------------------------------------------

    @contextmanager
    def opened(self, event: Event, path: str, with_documents: bool) -> Iterator[Memory]:
        """Return the memory as this event's host sees it: what waits is written at its end, and it stays open."""
        key = (event.host.name, event.folder, with_documents)
        mem = self.kept.pop(key, None)
        if mem is None:
            if len(self.kept) >= OTHERS:
                self.old.append(self.kept.pop(next(iter(self.kept))))
            mem = hooks.opened(event, path, with_documents, patience_ms=LOCKED_MS)
        else:
            mem.on_branch(event.folder)  # it may have been switched since
        self.kept[key] = mem
        mem.reread()
        try:
            yield mem
        finally:
            mem.flush()
            if mem.keeps_others_out():
                self.old.append(self.kept.pop(key))

    def fold(self, path: str) -> None:
        """Fold it in when the answer is on its way."""
        self.folds_in = SOON_S

    def release(self) -> None:
        """Close the file: its log goes into it, and the history gets its seal."""
        self.old += self.kept.values()
        self.kept = {}
        self._close_old()

    def _close_old(self) -> None:
        while self.old:
            try:
                self.old.pop().close()
            except Exception as error:
                log(self.place, "close", error)


def _read(asking: Socket) -> tuple[list[str], list[bytes], bytes]:
    """Return the words, the surroundings and the event of a request."""
    pieces = []
    size = 0
    while piece := asking.recv(1 << 16):
        pieces.append(piece)
        size += len(piece)
        if size > 2 * hooks.INPUT_LIMIT:
            raise ValueError("a request is larger than any event")
    head, _, rest = b"".join(pieces).partition(b"\n")
    name, words, variables = head.split(b" ")
    if name != b"cogmem-1":
        raise ValueError("this is not how a hook asks")
    *parts, raw = rest.split(b"\0", int(words) + int(variables))
    named = [os.fsdecode(part) for part in parts[: int(words)]]
    if hooks_at := [at for at, word in enumerate(named) if word.endswith("hook.py")]:
        named = named[hooks_at[0] :]  # before it stands how Python is started
    return named, parts[int(words) :], raw


def _state(place: str) -> list[tuple[int, ...]]:
    """Tell how the file and its log stand: who finds them otherwise than he left them looks anew."""
    found = []
    for path in (place, f"{os.path.realpath(place)}-wal"):
        try:
            at = os.stat(path)
        except OSError:
            continue
        is_file = path == place
        found.append((at.st_dev, at.st_ino, *((at.st_mtime_ns, at.st_size) if is_file else ())))
    return found


class Code:
    """The code that this process runs, as it stood on the disk when it was loaded."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[int, int]] = {}

    def has_changed(self) -> bool:
        """Tell whether a module is another one now, as after an upgrade."""
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None) if name.startswith("cogmem") else None
            if file:
                try:
                    at = os.stat(file)
                except OSError:
                    return True
                stamp = (at.st_mtime_ns, at.st_size)
                if self.known.setdefault(name, stamp) != stamp:
                    return True
        return False
