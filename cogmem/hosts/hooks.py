"""Hooks of coding agents: an event on standard input, what the agent should know on standard output.

Claude Code, Codex, Gemini CLI and Cursor run a program for each event, give it one JSON object and
read one back. They use nearly the same words, apart from the names of the events:

    start    a session begins, resumes or was compacted   → the stable text
    prompt   the person sent a message                    → the volatile text
    compact  the host is about to shorten its prompt      → the next prompt brings the stable text anew
    stop     the agent has answered                       → its transcript is recorded, rules capture
    said     a message went by, on a host without one     → it is recorded, rules capture
    end      the session is over                          → it leaves its lines
    before   a tool is about to run                       → what is known about its file or command
    after    a tool has run, or failed                    → what mended that before
    helper   a subagent begins                            → the rules
    helped   a subagent has ended                         → its transcript is recorded as its own

A host must never suffer from its memory: whatever goes wrong, the hook says nothing, leaves a line
without any content in hook.log beside the database, and exits with 0 before its time is up.

This is a new process for every event: nothing is imported here that a prompt does not need.
"""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread

from cogmem.file.places import LOST
from cogmem.hosts.host import EVENTS, SECONDS, Event, home, parse, reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from cogmem.memory import Memory

# Events that leave something in the file.
WRITE = frozenset("start prompt compact said stop end helped".split())
# Nobody reads their answer, and to write down what was said takes longer than a host should wait.
PUT_OFF = ("said", "stop", "end", "helped")
FOLD_PATIENCE_MS = 20_000
PATIENCE_MS = 100  # how long a host waits for another process to let go of the file
HOOK = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "hook.py")
INPUT_LIMIT = 32 << 20  # bytes; a longer event is not an event
PROMPT_LIMIT = 20_000  # characters of a prompt that are looked at: its head and its tail


def serve(arguments: Sequence[str]) -> None:
    """Answer one event and end the process. Never fails, never takes longer than its time."""
    if "COGMEM_ASKING" in os.environ:  # cogmem itself asks this agent something: models/program.py
        os._exit(0)
    watch = Watch()
    place = ""
    kind = "?"
    event: Event | None = None
    try:
        words = [word for word in arguments if word != "--plugin"]
        if len(words) < len(arguments) and is_installed():
            os._exit(0)  # the hooks that `cogmem install` wrote answer: twice would be too much
        asked = read_arguments(words)
        kind, place = asked.kind, asked.place
        if not kind:
            raise ValueError("an event that no host has")
        watch.start(SECONDS[kind], place, kind)
        if kind == "fold":
            fold(place)
            os._exit(0)
        raw = read_input()
        said = asked_resident(words, asked, raw) if asked.may_stay and not asked.turn else None
        if said is not None:
            watch.say(said)
            os._exit(0)
        event = read_event(asked, raw)
        if event is not None:
            answer(event, place, asked.with_documents, Alone(say=watch.say))
            if kind == "start":
                fold_soon(place)  # what a process that was killed left behind
            if asked.may_stay and kind in ("start", "prompt"):
                from cogmem.hosts import spawn

                spawn.stay(place)
    except BaseException as error:
        note(place, kind, error)
        tell(watch, event, error)
    os._exit(0)  # nothing is left to tidy up, and tearing Python down takes a millisecond


class Asked:
    """What the words of the command say."""

    __slots__ = ("host", "kind", "may_stay", "place", "turn", "with_documents")

    def __init__(self, kind: str, host: str, place: str, turn: str, flags: Sequence[str]) -> None:
        self.kind = kind  # '' for an event that no host has
        self.host = host
        self.place = place  # the database
        self.turn = turn  # the name of the answer, where another process began with it
        self.with_documents = "--documents" in flags  # they belong to the stable text
        self.may_stay = "--resident" in flags  # a process may stay that answers the next one faster


def read_arguments(arguments: Sequence[str]) -> Asked:
    """EVENT [--host NAME] [--db FILE] [--turn NAME] [--documents] [--resident]"""
    words = list(arguments)
    given = {"--host": "", "--db": "", "--turn": "", "--packages": ""}
    for name in given:
        if name in words[:-1]:
            at = words.index(name)
            given[name] = words[at + 1]
            del words[at : at + 2]
    flags = [word for word in words if word in ("--documents", "--resident")]
    said = " ".join(word for word in words if word not in flags).lower()
    event = EVENTS.get("".join(sign for sign in said if sign.isalpha()), "")
    host, place, turn, _ = given.values()  # where the packages are, Python was told at its start
    if not place:
        from cogmem.file.places import default_path

        place = default_path()
    return Asked(event, host or "hook", place, turn, flags)


def read_event(asked: Asked, raw: bytes) -> Event | None:
    """Return the event that a host told; nothing where it is no JSON object."""
    fields = parse(raw.decode("utf-8", "replace").lstrip("\ufeff")) if raw else None
    if not isinstance(fields, dict):
        return None
    event = Event(asked.kind, asked.host, fields)
    event.turn = asked.turn
    if "hookEventName" in fields and asked.host in ("claude-code", "copilot"):
        # VS Code runs the hooks of these two as well; where it has its own, these are silent.
        own = os.path.join(".vscode", "cogmem-hooks.json")
        if any(os.path.exists(os.path.join(at, own)) for at in (home(), event.folder)):
            return None
    return event


def asked_resident(words: list[str], asked: Asked, raw: bytes) -> str | None:
    """Return the answer of the process that has the file open, if there is one."""
    from cogmem.hosts import caller

    if not caller.is_possible():
        return None
    named = [HOOK, *words, "--turn", f"turn_{os.urandom(8).hex()}"]
    said = caller.ask(named, raw, asked.place)
    return None if said is None else said.decode("utf-8", "replace")


def is_installed() -> bool:
    """Tell whether `cogmem install claude-code` has put hooks into the settings, besides the plugin."""
    home = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    for file in (f"{home}/settings.json", ".claude/settings.local.json", ".claude/settings.json"):
        try:
            with open(file, encoding="utf-8", errors="replace") as opened_file:
                if "cogmem/hook.py" in opened_file.read().replace("\\\\", "/"):
                    return True
        except OSError:
            continue
    return False


def read_input() -> bytes:
    """Return all of standard input; nothing when there is none, or far too much."""
    pieces = []
    size = 0
    while piece := os.read(0, 1 << 16):
        pieces.append(piece)
        size += len(piece)
        if size > INPUT_LIMIT:
            raise ValueError("the event is larger than any event")
    return b"".join(pieces)


# -- what the events mean ------------------------------------------------------------------------


class Alone:
    """A process for one event: it opens the file, and leaves what takes longer to another process."""

    def __init__(
        self, patience_ms: int = PATIENCE_MS, say: Callable[[str], None] | None = None
    ) -> None:
        self.patience_ms = patience_ms
        self._say = say

    def say(self, text: str) -> None:
        """Tell the host."""
        if self._say:
            self._say(text)

    def opened(
        self, event: Event, path: str, with_documents: bool
    ) -> AbstractContextManager[Memory]:
        """Return the memory, for `with`."""
        return opened(event, path, with_documents, patience_ms=self.patience_ms)

    def fold(self, path: str) -> None:
        """See to it that what waits beside the file is written down."""
        fold_soon(path)


def answer(event: Event, path: str, with_documents: bool = False, by: Alone | None = None) -> str:
    """Do what the event asks for and say so; returns the host's JSON, or '' for silence."""
    by = by or Alone()
    if event.kind in PUT_OFF:
        from cogmem.hosts import spawn, spool

        if spawn.can_spawn():
            spool.keep(path, event, with_documents)
            by.say("")
            by.fold(path)
            return ""
    from cogmem.errors import Locked

    text = None
    try:
        with by.opened(event, path, with_documents) as mem:
            if event.kind not in WRITE or mem.is_free(PATIENCE_MS):
                text = done(mem, event)
                by.say(text)
                if event.told is not None:
                    # Not before: who is killed between the two tells it again.
                    mem.note_told(event.told)
    except Locked:
        pass
    if text is None:
        text = without_writing(event, path, with_documents)
        by.say(text)
    if event.kind == "prompt" and event.host.tells_prompt:
        from cogmem.hosts import spool

        said = Event("said", event.host.name, event.fields)
        said.turn = event.turn
        spool.keep(path, said, with_documents)
    return text


def opened(
    event: Event,
    path: str,
    with_documents: bool,
    read_only: bool = False,
    patience_ms: int | None = None,
) -> Memory:
    """Return the memory as the event's host sees it."""
    from cogmem.memory import Memory
    from cogmem.scope import project_at

    folder = event.folder
    # Hosts bring their own documents (CLAUDE.md and the like); ours only where a person asked.
    documents = folder if with_documents and os.path.isdir(folder) else None
    mem = Memory(
        path,
        project=folder and project_at(folder),
        actor=event.host.name,
        documents=documents,
        read_only=read_only,
        patience_ms=patience_ms,
    )
    mem.on_branch(folder)
    return mem


def without_writing(event: Event, path: str, with_documents: bool) -> str:
    """Return the answer while another process holds the file, read as it is; what would be written waits."""
    if event.kind in WRITE:
        from cogmem.hosts import spool

        is_asked = event.kind in ("start", "prompt")
        try:
            spool.keep(path, event, with_documents)
        except OSError:  # no room: who asks is answered all the same
            if not is_asked:
                raise
        if not is_asked:
            return ""
    with opened(event, path, with_documents, read_only=True, patience_ms=PATIENCE_MS) as mem:
        return done(mem, event)


def fold(path: str, by: Alone | None = None, patience_ms: int = FOLD_PATIENCE_MS) -> None:
    """Write down the events that wait beside the file, as soon as it is free."""
    from cogmem.errors import DatabaseProblem, Locked
    from cogmem.hosts import spool

    who = by or Alone(patience_ms)

    def write(event: Event, with_documents: bool) -> bool:
        try:
            with who.opened(event, path, with_documents) as mem:
                if not mem.is_free(patience_ms):
                    return False
                done(mem, event)
        except Locked:
            return False
        except (DatabaseProblem, OSError):
            raise  # of the file, or of its disk: all waits until that is mended
        except Exception as error:
            with who.opened(Event("fold", event.host.name, {}), path, False):
                note(
                    path, event.kind, error
                )  # of this event alone, since the file opens for another
        return True

    spool.fold(path, write)


def fold_soon(path: str) -> None:
    """See to it that what waits beside the file is written down, by another process where one can be started."""
    from cogmem.hosts import spawn

    if not spawn.fold(path):
        fold(path)


def done(mem: Memory, event: Event) -> str:
    """Return what an event asks of a memory; returns the host's JSON, or '' for silence."""
    if event.kind == "prompt":
        return reply(event, on_prompt(mem, event))
    if event.kind == "start":
        return reply(event, on_start(mem, event))
    if event.kind in ("before", "after", "failed"):
        from cogmem.hosts import act

        if event.kind == "before":
            event.told = act.before(mem, event)
            return act.reply(event, event.told)
        event.told = act.after(mem, event)
        return reply(event, event.told.text if event.told else "")
    if event.kind == "helper":
        return reply(event, mem.rules_for_subagent())
    if event.kind == "compact":
        if event.host.shortens_at in ("", event.text("trigger")):
            mem.turns.compacted(event.session)
        return ""
    from cogmem.hosts import transcript

    if event.kind == "helped":
        transcript.record_helper(mem, event)
        return ""
    transcript.record(mem, event)
    if transcript.has_lost(mem, event):
        mem.turns.compacted(event.session)
    if event.kind == "end":
        transcript.conclude(mem, event.session)
    return ""


def tell(watch: Watch, event: Event | None, error: BaseException) -> None:
    """Tell the agent and its person of a damaged file, each time, with what to do. All other faults
    only the log tells."""
    try:
        from cogmem.errors import Damaged

        if event is not None and event.kind in ("start", "prompt") and isinstance(error, Damaged):
            watch.say(reply(event, f"cogmem has no memory for this turn: {error}"))
    except BaseException as fault:
        del fault


def on_start(mem: Memory, event: Event) -> str:
    """Return the stable text, unless the host still has it. What is new since is told with the next prompt."""
    source = event.text("source")
    refresh = source in ("compact", "clear")
    if not event.host.brings_at_start:
        if refresh:
            mem.turns.compacted(event.session)
        return ""
    result = mem.begin(event.session, refresh=refresh, turn=event.turn or None, now=event.at)
    from cogmem.hosts import spawn

    spawn.follow(mem, event.folder)
    if source == "resume" and not result.is_new and event.host.keeps_start:
        return ""  # the host brings back its old prompt, with the text in it
    warned = [f"cogmem: {line}" for line in mem.file.warnings()]
    return "\n\n".join(text for text in (result.stable, *warned) if text)


def on_prompt(mem: Memory, event: Event) -> str:
    """Return the volatile text; the stable one too where no session start has brought it."""
    prompt = event.host.spoken(event.text("prompt"))  # a host speaks up as well: nobody asks then
    if len(prompt) > PROMPT_LIMIT:
        prompt = f"{prompt[: PROMPT_LIMIT // 2]}\n{prompt[-PROMPT_LIMIT // 2 :]}"
    result = mem.activate(
        prompt,
        session=event.session,
        files=mentioned(prompt),
        turn=event.text("turn_id") or event.turn or None,
        now=event.at,
    )
    text = result.text if result.is_new else result.volatile
    return f"{text}\n\ncogmem: {lost}" if (lost := told_of_loss(mem)) else text


def told_of_loss(mem: Memory) -> str:
    """That another memory was here, each turn until a person has said that it is meant."""
    if not os.path.exists(mem.path + LOST):
        return ""
    from cogmem.errors import Damaged

    said = mem.file.lost()
    if said:
        note(mem.path, "prompt", Damaged(said))
    return said


def mentioned(prompt: str) -> list[str]:
    """Return files that the prompt points at with an @, as agents let people do."""
    if "@" not in prompt:
        return []
    found = [word[1:].rstrip(".,;:!?)\"'") for word in prompt.split() if word.startswith("@")]
    return [name for name in found if "/" in name or "." in name][:20]


# -- time and faults -----------------------------------------------------------------------------


class Watch:
    """Ends the process when its time is up, also while SQLite waits for a lock."""

    def __init__(self) -> None:
        self.done = allocate_lock()
        self.speaking = allocate_lock()

    def start(self, seconds: float, place: str, kind: str) -> None:
        """From now on there are so many seconds."""
        self.done.acquire()
        start_new_thread(self._wait, (seconds, place, kind))

    def stop(self) -> None:
        """Stop waiting: the time was enough."""
        self.done.release()

    def _wait(self, seconds: float, place: str, kind: str) -> None:
        if not self.done.acquire(timeout=seconds):
            note(place, kind, TimeoutError(f"it took more than {seconds:g} s"))
            from cogmem.hosts import spawn

            spawn.open_file(place)
            self.speaking.acquire(timeout=1.0)  # half an answer would be worse than a late one
            os._exit(0)

    def say(self, text: str) -> None:
        """Write the answer, whole."""
        data = text.encode("utf-8", "backslashreplace")
        with self.speaking:
            while data:
                data = data[os.write(1, data) :]


def note(place: str, kind: str, error: BaseException) -> None:
    """Tell the log of hooks what went wrong."""
    from cogmem.hosts.faults import log

    log(place, kind, error)
