"""Which commands failed in a session, what error they showed, and what mended them.

The calls and results of a session are read in order. A failure stays open until the same command
succeeds; what was done in between is what mended it: commands that changed something, edited files,
another way to call it, what a person says that did it, or nothing but a second try. Of the error one
line is kept, the one that says what is wrong; its signature is that line without what differs from run
to run.

Looking around (grep, ls, git status) fails and succeeds all the time; it is neither a failure worth
keeping nor a cure.
"""

from __future__ import annotations

from collections import namedtuple
from itertools import takewhile

from cogmem.cached import cache
from cogmem.named import NamedTuple
from cogmem.text.calls import changes, command_in, file_in, patch_in, patched, patched_files
from cogmem.text.data import caseless, listed
from cogmem.text.data import words as lists
from cogmem.text.lines import hash_of, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

# The commands by which an event is known.
EVENTS = {
    "merge": ("git merge", "gh pr merge", "glab mr merge"),
    "release": ("git tag", "gh release create", "npm publish", "twine upload", "cargo publish", "make release"),
    "deploy": ("make deploy", "npm run deploy", "fly deploy", "kubectl apply", "terraform apply"),
}  # fmt: skip

COMMAND_KEPT, ERROR_KEPT = 120, 160  # characters
SAID = 200  # of what a person says of a cure
WAYS_KEPT = 2  # of the things that mended it, the last ones
ANOTHER_WAY = 3  # calls after the failure in which another way to call it counts as its cure

_LISTS = lists("commands")
LOOKS, GROUND, BEFORE, LOOKING_GIT = (
    frozenset(_LISTS[name].split()) for name in ("looks", "ground", "before", "looking git")
)


class Attempt(NamedTuple):
    """A command that failed and was mended ('' while it is not). `is_general`: the cure does not
    depend on what the files said that day, so it is worth telling before the command runs again."""

    command: str
    error: str
    mend: str
    is_general: bool

    @property
    def key(self) -> str:
        """The name under which memory keeps it: the command's and the error's signature."""
        return f"{key_of(self.command)}{self.error_key}"

    @property
    def error_key(self) -> str:
        """The name of its error, whatever command shows it."""
        return error_of(self.error)

    @property
    def text(self) -> str:
        """Return what memory says of it."""
        return f"`{self.command}` failed: {self.error}{'' if self.error[-1:] in '.!' else '.'} {self.mend}".strip()


def key_of(command: str) -> str:
    """Return the beginning of the key of all failures of a command."""
    return f"failure.{hash_of(essence(command))[:8]}."


# -- commands ------------------------------------------------------------------------------------


@cache
def _pieces() -> Callable[[str], list[str]]:
    """Return what cuts a line into words, with what is quoted in them, and signs that part commands: not "2>&1"."""
    import re

    word = r"""(?:[^ \t\r\n;|&'"]|'[^']*(?:'|\Z)|"[^"]*(?:"|\Z)|(?<=>)&)+"""
    return re.compile(rf"{word}|[\n;|&]").findall


def segments(command: str) -> list[list[str]]:
    """Return the words of each simple command of a line: parted at && || ; | and line ends, quotes kept."""
    found: list[list[str]] = [[]]
    for piece in _pieces()(command):
        if piece in "\n;|&":
            found.append([])
        else:
            found[-1].append(piece)
    return [words for words in map(_bare, found) if words]


def _bare(words: Sequence[str]) -> list[str]:
    """Return a simple command without variables set for it, `sudo` and redirections."""
    kept = list(words)
    while kept:
        name, equals, _ = kept[0].partition("=")
        if equals and name.replace("_", "a").isalnum():
            del kept[0]
        elif kept[0] in BEFORE and len(kept) > 1:
            number = kept[0] == "timeout"
            del kept[0]
            while kept and (kept[0].startswith("-") or (number and kept[0][:1].isdigit())):
                del kept[0]
        else:
            break
    plain, skips = [], False
    for word in kept:
        if skips:
            skips = False
        elif word.lstrip("0123456789&") in (">", ">>", "<"):
            skips = True
        elif not word.lstrip("0123456789&").startswith((">", "<")):
            plain.append(word)
    return plain


def main_words(command: str) -> list[str]:
    """Return the words of the simple command that a line is about: not the `cd` before it, nor the `| tail`."""
    for words in segments(command):
        if words[0] not in GROUND:
            return words
    return []


def essence(command: str) -> str:
    """Return a command as its failures are known by."""
    return " ".join(main_words(command))


def head(command: str) -> tuple[str, str]:
    """Program and first word that is not an option: what another way to call it has in common."""
    words = main_words(command)
    if not words:
        return "", ""
    return words[0].rpartition("/")[2], next((w for w in words[1:] if not w.startswith("-")), "")


def is_looking(command: str) -> bool:
    """Tell whether a command only looks."""
    program, first = head(command)
    if program == "git":
        return first in LOOKING_GIT
    return not program or program in LOOKS or (program == "sed" and " -n" in command)


# -- errors --------------------------------------------------------------------------------------


def telling_line(output: str) -> str:
    """Return the one line of an output that says what is wrong; '' when there is none."""
    lines = [one_line(line) for line in _plain(output[-20_000:]).splitlines() if line.strip()]
    lines = [line for line in lines if not line.lower().startswith(("exit code", "wall time"))]
    named = [line for line in lines if _names_error(line)]
    signs = () if named else listed("errors", "wrong")
    wrong = [line for line in lines if any(sign in line.lower() for sign in signs)]
    chosen = named[-1] if named else wrong[0] if wrong else lines[-1] if lines else ""
    return chosen.removeprefix("E ").strip()[:ERROR_KEPT]


def _plain(output: str) -> str:
    """Return an output as it was printed: Gemini CLI keeps it as one line of quoted text."""
    if "\n" in output or "\\n" not in output:
        return output
    return output.rstrip("'\"]})").replace("\\n", "\n")


def _names_error(line: str) -> bool:
    """`ModuleNotFoundError: …`, as languages name what they throw."""
    name, colon, said = line.removeprefix("E ").strip().partition(":")
    last = name.rpartition(".")[2].rpartition(" ")[2]
    return (
        bool(colon and said.strip()) and last.endswith(("Error", "Exception")) and last != "Error"
    )


def error_of(error: str) -> str:
    """Return the name of an error that a command showed, or that stands in its output."""
    return hash_of(signature(telling_line(error)))[:8]


def signature(error: str) -> str:
    """Return an error without what differs from run to run: paths, numbers, times, addresses."""
    kept = []
    for word in error.lower().split():
        core = word.strip("'\"`()[]{}<>,:;.")
        if "/" in core or "\\" in core:
            core = core.replace("\\", "/").rstrip("/").rpartition("/")[2]
        is_name = core.isalnum() and core[0].isalpha() and len(core) <= 8
        if any(sign.isdigit() for sign in core) and not is_name:
            core = "#"  # TS2304 and E0425 are names of errors, not numbers
        if core:
            kept.append(core)
    return " ".join(kept)


def has_failed(result: Mapping[str, Any]) -> bool:
    """Tell whether the result of a call tells of a failure, as hosts write it."""
    said = str(result.get("content") or "")
    if any(sign in said[:400].lower() for sign in listed("errors", "untried")):
        return False
    return bool(result.get("is_error")) or exit_code(said) > 0


def exit_code(output: str) -> int:
    """Return the exit code that a host wrote at the head or the end of an output; 0 where there is none."""
    for part in (output[:400], output[-200:]):
        folded = part.lower()
        for mark in ("exit code:", "exit code", "exited with code", '"exit_code":'):
            _, found, rest = folded.partition(mark)
            digits = "".join(takewhile(str.isdigit, rest.strip()[:3]))
            if found and digits:
                return int(digits)
    return 0


# -- a session -----------------------------------------------------------------------------------

Step = namedtuple("Step", "command file failed output files")


def steps(messages: Iterable[Sequence[Any]], is_heard: bool = False) -> Iterator[Step]:
    """Yield the calls of a session with what became of them: commands run, files changed; `is_heard`: and, as the
    output of a step without either, what a person said."""
    calls: dict[str, tuple[str, str, list[str]]] = {}
    for message in messages:
        if is_heard and message[0] == "user" and (said := _typed(message[1])):
            yield Step("", "", False, said, [])
        for part in message[1] if not isinstance(message[1], str) else ():
            if part.get("type") == "tool_call":
                given = part.get("arguments")
                command, file = subject(given, str(part.get("name")))
                files = list(patched_files(patch_in(given))) or [file] * bool(file)
                calls[str(part.get("id"))] = command, file, files
            elif part.get("type") == "tool_result":
                command, file, files = calls.pop(str(part.get("tool_call_id")), ("", "", []))
                if command or file:
                    said = str(part.get("content") or "")
                    yield Step(command, file, has_failed(part), said, files)


def _typed(parts: Any) -> str:
    if not isinstance(parts, str):
        texts = [str(part.get("text") or "") for part in parts if part.get("type") == "text"]
        parts = "\n".join(texts)
    return parts.strip() if len(parts) <= SAID else ""


def subject(arguments: Any, name: str) -> tuple[str, str]:
    """Return the command or the changed file of a call; nothing of calls that only look."""
    if patch := patch_in(arguments):
        return "", patched(patch)
    if not isinstance(arguments, dict):
        return "", ""
    command = command_in(arguments)
    return command, "" if command or not changes(name) else file_in(arguments)


def attempts(messages: Iterable[Sequence[Any]]) -> list[Attempt]:
    """Return the failures of a session in order, each with what mended it as far as that is known."""
    failures: list[tuple[str, str, int]] = []  # command, error, number of the step
    found: list[Attempt] = []
    done: list[Step] = []
    for step in steps(messages, is_heard=True):
        done.append(step)
        if not step.command or is_looking(step.command):
            continue
        if step.failed:
            error = telling_line(step.output)
            if error and not any(_same(step.command, one[0]) for one in failures):
                failures.append((step.command, error, len(done)))
            continue
        for one in list(failures):
            command, error, at = one
            between = [other for other in done[at:-1] if not other.failed]
            if _same(command, step.command):
                found.append(mended(command, error, between))
                failures.remove(one)
            elif (
                sum(bool(other.command or other.file) for other in done[at:]) <= ANOTHER_WAY
                and not any(map(_changes, between))
                and (head(command) == head(step.command) or _is_twin(command, step.command))
            ):
                way = f"It worked as `{shown_command(step.command)}`."
                found.append(Attempt(shown_command(command), error, way, True))
                failures.remove(one)
    return found + [
        Attempt(shown_command(command), error, "", False) for command, error, _ in failures
    ]


def mended(command: str, error: str, between: Sequence[Step]) -> Attempt:
    """Return a failure and its cure: what changed something since, commands before edits."""
    ways = ways_in(between)
    said = "" if ways else _said_to_mend(between)
    mend = f"Mended by {' and '.join(ways)}." if ways else "It worked when it was run again."
    mend = f"What mended it: “{said}”." if said else mend
    is_general = bool(ways or said) and not any(one.file for one in between)
    return Attempt(shown_command(command), error, mend, is_general)


def ways_in(done: Sequence[Step]) -> list[str]:
    """Return in words what was done that may have mended something: the last commands, then the last edits."""
    ran = [
        shown_command(one.command) for one in done if one.command and not is_looking(one.command)
    ]
    edited = [one.file.replace("\\", "/").rpartition("/")[2] for one in done if one.file]
    ways = [f"running `{one}`" for one in list(dict.fromkeys(ran))[-WAYS_KEPT:]]
    return ways + [f"editing {one}" for one in list(dict.fromkeys(edited))[-WAYS_KEPT:]]


def _said_to_mend(between: Sequence[Step]) -> str:
    """Return what a person said that mended a failure, where no call did: "holding the boot button did it"."""
    for one in reversed(between):
        if not one.command and not one.file and says_cure(one.output):
            return one_line(one.output).rstrip(" .!")
    return ""


def says_cure(text: str) -> bool:
    """Tell whether a sentence says what mended something."""
    return caseless("cures", "told")[0].search(text) is not None


def _changes(step: Step) -> bool:
    return bool(step.file) or not is_looking(step.command)


def _same(one: str, other: str) -> bool:
    return essence(one) == essence(other)


def _is_twin(one: str, other: str) -> bool:
    """`npm test` and `pnpm test`: another program, all else alike."""
    return main_words(one)[1:] == main_words(other)[1:] != []


def shown_command(command: str) -> str:
    """Return a command as it is told: what it is about, in one line."""
    return one_line(essence(command).replace("`", "'"))[:COMMAND_KEPT]
