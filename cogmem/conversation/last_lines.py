"""What a conversation leaves when it is over, or at night: lines that stand alone, each a memory of its own.

At most eight, mostly one to four: what was agreed or dropped, a cause, a correction, what was done (by the calls of
tools as well), what is open. Each has its message as evidence, so it is undone and forgotten with it. Besides: what
went wrong and what mended it, so that the next complaint finds its cure, and how the procedures went that were
followed.
"""

from __future__ import annotations

import json
import re
from collections import namedtuple
from functools import cache

from cogmem.conversation.parts import text_of
from cogmem.errors import CapacityReached, GuardRefused, InvalidInput
from cogmem.language import passages
from cogmem.language.judge import matter_of, states
from cogmem.language.mood import confided
from cogmem.language.passages import occurs, parted
from cogmem.language.similarity import exact_cosine, tokens
from cogmem.language.typed import typed
from cogmem.named import NamedTuple
from cogmem.records import Draft
from cogmem.scope import Scope
from cogmem.text.attempts import (
    essence,
    is_looking,
    says_cure,
    segments,
    shown_command,
    steps,
    telling_line,
    ways_in,
)
from cogmem.text.data import patterns
from cogmem.text.lines import content_hash, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from cogmem.conversation.record import Message, Talk
    from cogmem.file.db import Step
    from cogmem.records import Learned

BEFORE = 2  # messages before the ones that are new: what an answer answers stands there
TAGS = 6  # names that a line is found by, beside its words
FILES = 4  # changed files that one line names
QUOTED = 120  # characters of what was asked for
CLOSES = 0.3  # likeness from which what was done is what was open, where both name the same thing
# A command that tries what was changed names it so: `npm test`, `cargo check`, `bundle exec rspec`.
_TRIES = frozenset(
    "test tests pytest unittest rspec jest vitest mocha phpunit tox nox check spec".split()
)
_PART = re.compile(r"[a-z]+")
_COMMIT = re.compile(
    r"git commit\b[^\n]*?-[a-z]*m[ =](?:\"\$\(cat <<'?EOF'?\s*)?([\"']?)([^\n\"']{8,160})"
)


class Line(NamedTuple):
    """One line that a conversation leaves."""

    sort: str
    text: str
    who: str
    message: Message | None
    chance: float
    names: Sequence[str]
    outcome: str = ""  # what the tests said of it


def lines_of(
    messages: Sequence[Mapping[str, Any]],
    most: int = passages.MOST,
    *,
    start: int = 0,
    rows: Sequence[Message] = (),
) -> list[Line]:
    """Return the lines worth saying of messages ({"role", "parts"}) from `start` on; `rows`: the same as recorded."""
    texts_of = [(one["role"], text_of(one["parts"])) for one in messages]
    said = [
        (number, one)
        for number, (one, is_hidden) in enumerate(zip(messages, confided(texts_of), strict=True))
        if one["role"] in ("user", "assistant") and not is_hidden
    ]
    found = passages.judged([texts_of[number] for number, _ in said])
    done = _done(messages, said, start, rows)
    fresh = [one for one in found if said[one.number][0] >= start]
    lines = []
    for one in passages.best(fresh, max(0, most - len(done))):
        number, message = said[one.number]
        who = str(message.get("speaker") or ("user" if message["role"] == "user" else "agent"))
        row = rows[number] if rows else None
        lines.append(Line(one.sort, one.text, who, row, one.chance, one.names))
    return [*lines, *done][:most]


def _done(
    messages: Sequence[Mapping[str, Any]],
    said: Sequence[tuple[int, Mapping[str, Any]]],
    start: int,
    rows: Sequence[Message],
) -> list[Line]:
    """Commits, by their subjects; without one the files that were changed, and for which order."""
    files: dict[str, None] = {}
    commits: dict[str, None] = {}
    outcome = ""
    for step in steps([(one["role"], one["parts"]) for one in messages[start:]]):
        tried = files and not is_looking(step.command)
        if step.files and not step.failed:
            outcome = ""  # what was tried before says nothing of it
        elif tried and _TRIES.intersection(_PART.findall(essence(step.command).lower())):
            how = f"failed: {telling_line(step.output)}" if step.failed else "passed"
            outcome = f"`{shown_command(step.command)}` {how}"
        if not step.failed:
            files.update(dict.fromkeys(step.files))
            for match in _COMMIT.finditer(step.command or ""):
                commits[one_line(match[2])] = None
    names = ["/".join(path.replace("\\", "/").split("/")[-2:]) for path in files]
    last = rows[-1] if rows else None
    if commits:
        told = [f"Committed: {subject}" for subject in list(commits)[-2:]]
        return [Line("done", one, "agent", last, 0.5, names[:TAGS], outcome) for one in told]
    asked = [one for number, one in said if number >= start and one["role"] == "user"]
    texts = (text for one in asked for text, _, _ in passages.parted(text_of(one["parts"])))
    order = next((text for text in texts if len(text) > 11), "")
    if not names or not order:
        return []
    more = f" and {len(names) - FILES} more files" if len(names) > FILES else ""
    text = f"Changed {', '.join(names[:FILES])}{more} for: “{order[:QUOTED].rstrip()}”"
    return [Line("done", text, "agent", last, 0.3, names[:TAGS], outcome)]


def leave(
    talk: Talk,
    learn: Callable[[Draft, int], Learned],
    *,
    now: int,
    verb: str = "conclude",
) -> list[Learned]:
    """Let a conversation leave its lines; what was told of it before is not told again."""
    db = talk.db
    found = db.read("conversation.untold", talk.place)
    if not found:
        return []
    number, told, end, held = found[0]
    messages = talk.messages(max(0, told - BEFORE), end)
    start = next((at for at, one in enumerate(messages) if one.seq >= told), len(messages))
    shapes = [one.as_said() for one in messages]
    room = passages.MOST - held
    made = lines_of(shapes, room, start=start, rows=messages) if room > 0 else []
    place = Scope(talk.place["runtime"], talk.place["user"], talk.place["project"], "")
    pairs = cures(shapes, start)
    ways = db.read("store.ways", place.owner())
    since = _at(messages[start]) if start < len(messages) else now
    outcomes = tries(ways, shapes[start:], since, now)
    told_of = {pair.complaint for pair in pairs}
    made = [one for one in made if one.text.rstrip(" .!") not in told_of]
    left: list[Learned] = []
    with db.together():
        told_up_to = ("conversation.told_up_to", {"id": number, "upto": end})
        db.write([told_up_to], verb=verb, at=now)
        if outcomes:
            db.write(outcomes, verb="tried", at=now)
        for one in made:
            draft = draft_of(one, talk.name, place, _at(one.message))
            left += _kept(talk, draft, one.message, learn, now)
        for pair in pairs:
            draft = _cure(talk, pair, place, _at(messages[pair.number]))
            left += _kept(talk, draft, messages[pair.number], learn, now)
        finished = [one for one in made if one.sort not in ("open", "corrected")]
        close(talk, [(one.text, one.names) for one in finished], now)
    return left


def _at(message: Message | None) -> int:
    assert message is not None
    return int(message.at.timestamp() * 1000)


def _cure(talk: Talk, pair: Cure, place: Scope, at: int) -> Draft:
    key = pair.key
    for held, content in talk.db.read("conversation.cures", talk.place):
        complaint = content.partition(MENDED)[0]
        if exact_cosine(complaint, pair.complaint) >= ALIKE:
            key = held
            if len(set(tokens(complaint))) > len(set(tokens(pair.complaint))):  # it tells more
                pair = pair._replace(complaint=complaint)
            break
    data = {"session": talk.name}
    return Draft(pair.text, "failure", place, key=key, source="observed", data=data, said_at=at)


def _kept(
    talk: Talk,
    draft: Draft,
    message: Message | None,
    learn: Callable[[Draft, int], Learned],
    now: int,
) -> list[Learned]:
    """Learn one line and tie it to its message; none where the guard refuses it."""
    assert message is not None
    try:
        learned = learn(draft, now)
    except (CapacityReached, GuardRefused, InvalidInput):  # the record keeps the message
        return []
    if not learned.uid:
        return []
    step = {"uid": learned.uid, "message": message.id, "now": now}
    talk.db.write([("jobs.bear_out", step)], verb="conclude", at=now)
    return [learned]


def draft_of(one: Line, session: str, place: Scope, at: int) -> Draft:
    """Return a line as a memory to be learned."""
    data: dict[str, Any] = {"who": one.who, "chance": round(one.chance, 3)}
    if one.message:
        data["message"] = f"msg_{one.message.id}"
    if one.sort == "done":  # no incident of its own
        data["work"] = True
    detail = {"session_name": session, "happened_at": at, "outcome": one.outcome}
    draft = Draft(one.text, one.sort, place, source="observed", data=data, detail=detail)
    draft.tags, draft.said_at = list(one.names[:TAGS]), at
    return draft


def close(talk: Talk, done: Sequence[tuple[str, Sequence[str]]], now: int) -> None:
    """Archive what was open elsewhere and is done now (text and names): both name the same thing and speak alike."""
    asked = {**talk.place, "kind": "open", "now": now}
    for uid, content, tags in talk.db.read("conversation.left_open", asked) if done else ():
        names = {*passages.names_in(content), *tags.split("\n")} - {""}
        if any(
            names & {*its, *passages.names_in(text)} and exact_cosine(content, text) >= CLOSES
            for text, its in done
        ):
            step = {"uid": uid, "state": "archived", "reason": "done", "now": now}
            talk.db.write([("store.set_state", step)], verb="conclude", at=now, reason="done")


# -- how a procedure went --------------------------------------------------------------------------
# Read from the commands of a session: nobody has to say that it worked. A procedure was followed where commands that
# were run are most of its steps that are commands. It worked if the last run of each worked; else it failed, and the
# line that says why is kept. What somebody said of it meanwhile stands.

FEWEST = 2  # steps that must have been run
SHARE = 0.5  # of its steps, at least
REASON = 120  # characters of why it failed

Ran = namedtuple("Ran", "command failed output")


def tries(
    ways: Sequence[Sequence[Any]], messages: Sequence[Mapping[str, Any]], since: int, now: int
) -> list[Step]:
    """Return what counts the outcomes of the procedures (rows of store.ways) that were followed in these messages."""
    done = [
        Ran(essence(" ".join(part)).lower(), one.failed, one.output)
        for one in (steps([(one["role"], one["parts"]) for one in messages]) if ways else ())
        if one.command
        for part in segments(one.command)
        if not is_looking(" ".join(part))
    ]
    counted: list[Step] = []
    for uid, _, _, _, stored, used_at in ways if done else ():
        reason = followed(json.loads(stored), done)
        if reason is not None and (used_at is None or used_at < since):
            outcome = {"success": int(not reason), "failure": int(bool(reason)), "reason": reason}
            counted.append(("store.count_outcome", {**outcome, "uid": uid, "now": now}))
    return counted


def followed(way: Sequence[str], done: Sequence[Ran]) -> str | None:
    """Return why a procedure failed, '' where it worked; None where it was not followed."""
    met: list[Ran] = []
    for step in way:
        runs = [one for one in done if _is_step(step.lower(), one.command)]
        met += runs[-1:]
    if len(met) < min(FEWEST, len(way)) or len(met) < SHARE * len(way):
        return None
    failed = next((one for one in met if one.failed), None)
    return "" if failed is None else (telling_line(failed.output) or failed.command)[:REASON]


def _is_step(step: str, command: str) -> bool:
    """Tell whether a command is what a step says: the one stands in the other, at the borders of words."""
    if " " not in command or " " not in step:
        return step == command
    return f" {command} " in f" {step} " or f" {step} " in f" {command} "


WAIT = 12  # messages within which a complaint may be mended
SENTENCES = 4  # of a message that complains; a longer one tells a story
LONGEST = 200  # characters of a complaint, and of what is said of its cure
TELLING = 3  # words beside the plain ones from which a sentence says what mended it
MENDED = ": mended by "  # between the two
ALIKE = 0.4  # likeness from which a complaint is one that was mended before


class Cure(NamedTuple):
    """A complaint, what mended it, and the message that says so."""

    complaint: str
    mend: str
    number: int

    @property
    def key(self) -> str:
        """The name under which memory keeps it."""
        return f"failure.cure.{content_hash(self.complaint)[:12]}"

    @property
    def text(self) -> str:
        """Return what memory says of it."""
        return f"{self.complaint}{MENDED}{self.mend}"


@cache
def _tests() -> dict[str, Callable[[str], object]]:
    return {name: re.compile(said, re.IGNORECASE).search for name, _, said in patterns("cures")}


def cures(messages: Sequence[Mapping[str, Any]], start: int = 0) -> list[Cure]:
    """Return the complaints of messages ({"role", "parts"}) that were mended, from `start` on."""
    found: list[Cure] = []
    complaint, since, told = "", 0, 0
    before: list[str] = []  # what was said last that may be a complaint in other words
    for number, one in enumerate(messages):
        if one["role"] != "user":
            continue
        said = _typed(one)
        works = next((text for text in said if _works(text)), "")
        if works and says_cure(works) and not complaint and len(said) <= SENTENCES:
            complaint, since = _trouble(" ".join(said), before, messages[told:number]), number - 1
        if works and complaint and number - since <= WAIT:
            mend = _mend(works, messages[since + 1 : number])
            if mend and number >= start and not _came_back(complaint, messages[number + 1 :]):
                found.append(Cure(complaint, mend, number))
            complaint = ""
        wrong = [text for text in said if _complains(text)]
        if wrong and len(said) <= SENTENCES:
            complaint, since = wrong[0].rstrip(" .!"), number
        if stated := [text for text in said if _tells(text)]:
            before, told = stated, number + 1
    return found


def _trouble(mended: str, before: Sequence[str], answers: Sequence[Mapping[str, Any]]) -> str:
    """Return what a person told before that this mended: of the same matter, or the answer to it named the cure."""
    about = matter_of(mended)
    alike = [text for text in before if not about.isdisjoint(matter_of(text))]
    proposed = [one for one in answers if one["role"] == "assistant"][:1]
    if not alike and any(
        not about.isdisjoint(matter_of(text_of(one["parts"]))) for one in proposed
    ):
        alike = [*before[-1:]]
    return alike[0].rstrip(" .!") if alike else ""


def _works(text: str) -> bool:
    is_told = says_cure(text) and not text.endswith("?") and not occurs("asks")(text)
    return (_is("mended", text) or is_told) and not _is("wrong", text)


def _typed(message: Mapping[str, Any]) -> list[str]:
    return [text for text, _, _ in parted(typed(text_of(message["parts"])))]


def _is(name: str, text: str) -> bool:
    return _tests()[name](text) is not None


def _complains(text: str) -> bool:
    """Tell whether a sentence says that something is wrong, and is no question, no order and no case."""
    is_said = len(text) <= LONGEST and _is("wrong", text) and not _is("supposes", text)
    return is_said and not occurs("asks")(text)


def _tells(text: str) -> bool:
    """Tell whether a sentence states something that "… fixed it" may be said of."""
    return states(text) and not _is("supposes", text) and not occurs("asks")(text)


def _came_back(complaint: str, after: Sequence[Mapping[str, Any]]) -> bool:
    said = [text for one in after[:WAIT] if one["role"] == "user" for text in _typed(one)]
    return any(_complains(text) and exact_cosine(text, complaint) >= ALIKE for text in said)


def _mend(works: str, between: Sequence[Mapping[str, Any]]) -> str:
    done = [
        step for step in steps([(one["role"], one["parts"]) for one in between]) if not step.failed
    ]
    ways = ways_in(done)
    words = works if says_cure(works) or (ways and len(set(tokens(works))) > TELLING) else ""
    said = f"“{words[:LONGEST].rstrip(' .!')}”" if words else ""
    return f"{' and '.join(ways)}{f' ({said})' if said else ''}" if ways else said
