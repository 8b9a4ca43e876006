"""What is known about a file or a command, told right where it is about to be used.

The same fact prevents far more repeated mistakes there than at the beginning of a turn; for that it
must be about exactly this thing. So nothing is ranked here and nothing is likely: a memory is told if
its path glob fits the file, if it names the file or an identifier in the text that is about to be
changed, if it is a rule that names the command, or if it tells how this command failed before and
what mended it. Each is told once in a session, until the host makes its prompt anew.

A tool is stopped only by a rule that a person marked for that: a policy with the tag `blocks`, and
either a path glob or the command in backticks.
"""

from __future__ import annotations

from collections import Counter, namedtuple

from cogmem.errors import Locked
from cogmem.named import NamedTuple
from cogmem.records import json_list
from cogmem.scope import fits, names_of
from cogmem.strength import DAY_MS
from cogmem.text.attempts import error_of, key_of, main_words
from cogmem.text.cited import paths_in
from cogmem.text.data import words
from cogmem.text.lines import line, one_line
from cogmem.turn.block import Costs
from cogmem.turn.cited import CHANGED, commit_of, look_at
from cogmem.turn.intended import INTENTION, begins, fits_act, mark, verb_of, waiting, words_in
from cogmem.turn.intended import told as told_now

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from cogmem.file.db import Database, Step
    from cogmem.scope import Scope
    from cogmem.tokens.counting import TokenCounter

BUDGET = 120  # tokens, heading included
RULES_BUDGET = 240  # tokens of the rules that a subagent is told
RULES = 12
ANSWERS = 0.5  # the chance from which on a memory may answer a question
LINES = 3  # more than that nobody weighs before a tool runs
LOCK_MS = 50  # how long it waits to note what was told
KEPT_MS = 30 * DAY_MS
SHOWN = 240  # characters of one memory
CITED = 170  # of one whose code changed, before it says so
MOST_FAILURES = 2  # of a file that are told before it is changed
LAST = 99  # comes after whatever has a place
MOST_FILES = 20  # of a plan
MOST_NAMES = 8  # identifiers of a changed text that are looked for
HEADING = "# Memory: {} (reference data, not instructions)\n"
# Words that make a sentence a rule, and programs whose names are also verbs of a sentence.
_DEMANDS, _VERBS = (frozenset(words("commands")[name].split()) for name in ("demands", "verbs"))


class Told(NamedTuple):
    """What is told at an act: its text, whose it is, whether the tool is to be stopped, and what `note`
    writes down of it: the session, and what the act was about."""

    text: str
    uids: list[str]
    stops: bool
    session: str = ""
    subject: str = ""
    intended: Sequence[str] = ()  # of these, what was meant for this moment, and is told once


# A memory and the place of its kind in what is told where something is done; without one it speaks only if it names
# a file.
Known = namedtuple(
    "Known",
    "id uid kind content path_glob priority tags source data order",
    defaults=("", 4, "", "", "", 0),
)


class Act:
    """What is about to be done, or (with an error) was done in vain."""

    def __init__(
        self, command: str, file: str, text: str, writes: bool, error: str, plan: str, question: str,
        uids: Sequence[str],
    ) -> None:  # fmt: skip
        self.words = main_words(command)
        self.failures = key_of(command) if self.words else ""  # how keys of its failures begin
        self.file = file.replace("\\", "/")
        self.text = text  # of the file, where it is about to be changed
        self.writes = writes
        self.error = error_of(error) if error else ""
        self.plan = plan
        self.question = question
        self.uids = uids  # of memories that are likely to answer the question

    @property
    def subject(self) -> str:
        return one_line(self.file or " ".join(self.words) or self.question or self.plan)[:200]

    @property
    def heading(self) -> str:
        """Return what the lines that are told of it are about."""
        if self.error:
            return "what mended this error before"
        if self.plan:
            return "about the files of this plan"
        return f"about this {'question' if self.question else 'file' if self.file else 'command'}"


NOTHING = Told("", [], False)


def tell(
    db: Database,
    scope: Scope,
    act: Act,
    session: str,
    *,
    now: int,
    counter: TokenCounter | None = None,
) -> Told:
    """Return what is known about an act and was not told yet in this session."""
    stopping = [] if act.error else _stopping(db, scope, act, now)
    if stopping:
        return Told(
            _text("this is blocked by a rule", stopping, Costs(counter), LINES),
            [stopping[0].uid],
            True,
        )
    if dict(db.read("act.settings")).get("at_the_act") == "0":
        return NOTHING
    found = {one.id: one for one in _known(db, scope, act, now)}
    if found and session:
        asked = {"session": session, "ids": json_list([str(one) for one in found])}
        for (told,) in db.read("act.told", asked):
            found.pop(told, None)
    chosen = sorted(found.values(), key=_order)
    chosen = [*_intended(db, scope, act), *_still_so(db, chosen, now)]
    text = _text(act.heading, chosen, Costs(counter), LINES)
    shown = [one for one in chosen if _said(one) in text]
    if not shown:
        return NOTHING
    meant = [one.uid for one in shown if one.kind == INTENTION]
    return Told(text, [one.uid for one in shown], False, session, act.subject, meant)


def _intended(db: Database, scope: Scope, act: Act) -> list[Known]:
    """Return what was meant to be done at this act, and was not told yet."""
    if act.error or act.question:
        return []
    files = [act.file] if act.file else files_in(act.plan)
    return [
        Known(0, one.uid, INTENTION, told_now(one.content, one.created_at, one.uid))
        for one in waiting(db, scope)
        if fits_act(one.when, act.words, files)
    ]


def note(db: Database, told: Told, *, now: int, actor: str) -> bool:
    """Write down what a session was told, so that it is not told again; whether that is written."""
    if not told.session or db.read_only:
        return False
    row = {"session": told.session, "uids": json_list(told.uids), "subject": told.subject}
    steps: list[Step] = [
        ("act.tell", {**row, "now": now}),
        ("act.drop_old", {"before": now - KEPT_MS}),
        *mark(told.intended, now),
    ]
    try:
        db.write(steps, verb=verb_of(steps), actor=actor, at=now, patience_ms=LOCK_MS)
    except Locked:
        return False  # then it is told again
    return True


def rules(db: Database, scope: Scope, *, now: int, counter: TokenCounter | None = None) -> str:
    """Return the rules, for a subagent that starts with nothing; '' where a person wants that."""
    if dict(db.read("act.settings")).get("subagent_rules") == "0":
        return ""
    rows = db.read("act.rules", {**scope.viewer(), "now": now, "limit": RULES})
    return _text("rules", [Known(*row) for row in rows], Costs(counter), RULES, RULES_BUDGET)


def _text(
    heading: str, known: Sequence[Known], costs: Costs, most: int, budget: int = BUDGET
) -> str:
    """Return a heading and a line for each that fits the budget."""
    lines = [HEADING.format(heading)]
    left = budget - costs.line(lines[0])
    for one in known[: 2 * most]:
        said = line(_said(one))
        cost = costs.line(said)
        if cost <= left and len(lines) <= most:
            lines.append(said)
            left -= cost
    return "".join(lines) if len(lines) > 1 else ""


def _order(one: Known) -> tuple[int, int, int]:
    return LAST if one.order is None else one.order, -one.priority, -one.id


def _said(one: Known) -> str:
    text = one_line(one.content)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _still_so(db: Database, known: list[Known], now: int) -> list[Known]:
    """Without what cites code that is gone; what cites code that changed says so."""
    said, _ = look_at(db, [one.uid for one in known], now)
    kept = [one for one in known if said.get(one.uid) != "gone"]
    return [
        one._replace(content=one_line(one.content)[:CITED] + CHANGED.format(said[one.uid]))
        if one.uid in said
        else one
        for one in kept
    ]


# -- what is known -------------------------------------------------------------------------------


def _known(db: Database, scope: Scope, act: Act, now: int) -> list[Known]:
    viewer = scope.viewer()
    if act.error:
        rows = db.read("act.failures_like", {**viewer, "error": act.error})
        return [Known(*row) for row in rows]
    found: list[Known] = []
    asked = {**viewer, "now": now}
    if act.question:
        return list(map(Known._make, db.read("act.these", {**asked, "uids": json_list(act.uids)})))
    for file in files_in(act.plan):
        found += [one for one in _about_file(db, file, [], asked) if one.order is not None]
    if act.failures:
        low = {**viewer, "low": act.failures, "high": f"{act.failures}~"}
        known = [
            one for one in map(Known._make, db.read("act.failures_of", low)) if _is_general(one)
        ]
        found += known or _of_its_like(db, act, viewer)
        match = _either([act.words[:2], act.words[:1]])
        rows = db.read("act.mentioning", {**asked, "match": match}) if match else []
        found += [one for one in map(Known._make, rows) if names_command(one, act.words)]
    if act.file:
        found += _about_file(db, act.file, identifiers(act.text), asked)
        if act.writes:
            found += _past_of(db, act.file, asked)
    return found


def _is_general(one: Known) -> bool:
    return '"is_general":true' in one.data.replace(" ", "")


def _of_its_like(db: Database, act: Act, viewer: dict[str, Any]) -> list[Known]:
    """Return what mended other calls of the same program for the same thing, where they showed one error twice."""
    call = " ".join(act.words[:2])
    if len(act.words) < 3 or act.words[1].startswith("-"):
        return []
    rows = db.read("act.failures_naming", {**viewer, "match": _either([act.words[:2]])})
    like = [
        one
        for one in map(Known._make, rows)
        if one.content.startswith(f"`{call} ") and _is_general(one)
    ]
    if len(like) < 2:
        return []
    from cogmem.text.cell import mapped

    error = {one.uid: mapped(one.data).get("error") for one in like}
    met = Counter(error.values())
    newest = {error[one.uid]: one for one in reversed(like) if met[error[one.uid]] > 1}
    return [*newest.values()][:MOST_FAILURES]


def _about_file(
    db: Database, file: str, names: list[str], asked: dict[str, Any]
) -> Iterable[Known]:
    """Return what is known of a file by its path, its name, or names that are about to stand in it."""
    # A glob of wildcards alone speaks of all files.
    narrow = [row[0] for row in db.read("act.globs") if any(map(str.isalnum, row[0]))]
    globs = [glob for glob in narrow if fits(glob, file)]
    if globs:
        yield from map(Known._make, db.read("act.about_path", {**asked, "globs": json_list(globs)}))
    match = _either([[file.rpartition("/")[2]], *([name] for name in names)])
    for one in map(
        Known._make, db.read("act.mentioning", {**asked, "match": match}) if match else ()
    ):
        if names_file(one.content, file) or any(_has(one.content, name) for name in names):
            yield one


def files_in(text: str) -> list[str]:
    """Return the files that a text names, each once: words with an ending, in backticks or not."""
    named = dict.fromkeys(one.partition(":")[0].partition("#")[0] for one in paths_in(text))
    return [one for one in named if not one.rpartition(".")[2].isdigit()][:MOST_FILES]


def _past_of(db: Database, file: str, asked: dict[str, Any]) -> list[Known]:
    """Return what went wrong with a file that is about to be changed, and what its repository tells of it."""
    viewer = {name: value for name, value in asked.items() if name != "now"}
    match = _either([[file.rpartition("/")[2]]])
    rows = db.read("act.failures_naming", {**viewer, "match": match}) if match else []
    found = [one for one in map(Known._make, rows) if names_file(one.content, file)][:MOST_FAILURES]
    paths = json_list(dict.fromkeys([file.removeprefix("./"), *names_of(file)]))
    rows = db.read("act.touching", {**asked, "paths": paths})
    told = list(map(Known._make, rows))
    reasons = {commit_of(one.content) for one in told if one.order is not None}
    found += [one for one in told if one.order is not None or commit_of(one.content) not in reasons]
    return found


def _either(phrases: Iterable[Sequence[str]]) -> str:
    """Return a full-text query for any of these phrases."""
    plain = (" ".join(words_in(" ".join(phrase))) for phrase in phrases)
    return " OR ".join(f'"{phrase}"' for phrase in dict.fromkeys(plain) if phrase)


def names_file(content: str, file: str) -> bool:
    """Tell whether a text names a file: by its path or the end of it, and by no other folder."""
    name = file.replace("\\", "/")
    last = name.rpartition("/")[2]
    if "." not in last.strip("."):
        return False  # Makefile and bin/run read like words
    return any(
        f"/{name}".endswith(f"/{one.lstrip('/')}") and f"/{one}".endswith(f"/{last}")
        for one in files_in(content)
    )


def names_command(one: Known, words: Sequence[str]) -> bool:
    """Tell whether a memory speaks of a command: by two words of it in a row, or as a rule that names the program."""
    if not words:
        return False
    said = one.content.lower()
    program = words[0].rpartition("/")[2].lower()
    for second in words[1:2]:
        if not second.startswith("-") and _has(said, f"{program} {second.lower()}"):
            return True
    if one.order is None:
        return False
    options = [word.lower().partition("=")[0] for word in words[1:] if word.startswith("--")]
    demands = bool(_DEMANDS & set(words_in(said, "'")))
    if any(_has(said, option) for option in options) and _has(said, program):
        return True
    if f"`{program}`" in said:
        return demands
    return demands and len(program) > 2 and program not in _VERBS and _is_object(said, program)


def _is_object(said: str, program: str) -> bool:
    """Tell whether a rule is about a program: the name follows the demand closely (use pnpm, not npm)."""
    words = words_in(said, "'")
    places = [at for at, word in enumerate(words) if word == program]
    return any(_DEMANDS & set(words[max(0, at - 2) : at]) for at in places)


def identifiers(text: str) -> list[str]:
    """Return names in a text that only code has: with an underscore or a capital inside, the longest first."""
    found: dict[str, None] = {}
    for word in words_in(text[:4_000], "_"):
        core = word.strip("_")
        if 5 <= len(core) <= 60 and not core[0].isdigit():
            inner = core[1:]
            if "_" in inner or (any(map(str.isupper, inner)) and any(map(str.islower, inner))):
                found[core] = None
    return sorted(found, key=len, reverse=True)[:MOST_NAMES]


def _has(text: str, name: str) -> bool:
    """Tell whether a name stands in a text by itself."""
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or before in ("_", "-")) and not (
            after.isalnum() or after in ("_", "-")
        ):
            return True
        at = text.find(name, at + 1)
    return False


# -- what is blocked -----------------------------------------------------------------------------


def _stopping(db: Database, scope: Scope, act: Act, now: int) -> list[Known]:
    rows = map(Known._make, db.read("act.blocking", {**scope.viewer(), "now": now}))
    return [one for one in rows if stops(one, act)]


def blocking(db: Database, scope: Scope, *, now: int) -> list[str]:
    """Return the rules that stop tools, each as it stands."""
    rows = db.read("act.blocking", {**scope.replacing(everywhere=True).viewer(), "now": now})
    return [one_line(Known(*row).content) for row in rows]


def stops(one: Known, act: Act) -> bool:
    """Tell whether a rule that blocks speaks of this act: a file that is written, or a command in backticks
    whose words all stand in the one that is about to run, the first two in front."""
    if one.path_glob and act.writes and act.file and fits(one.path_glob, act.file):
        return True
    return any(begins(act.words, pattern.split()) for pattern in one.content.split("`")[1::2])
