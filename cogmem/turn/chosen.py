"""Which of the lines that a turn may tell it tells: the one place where a line is left out for being worth less.

What is over, repeated or below the gate was set apart before. Of the rest, what fits much worse than the best of its
sort is noise, unless it covers what nothing chosen covers yet: a prompt that names five things gets the five. In a
session, where a matter or the person's own words are told, other lines must be sure.
"""

from __future__ import annotations

from cogmem.search.ground import BITS
from cogmem.search.matters import likely
from cogmem.text.lines import BY_THE_USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cogmem.search.gate import Gate
    from cogmem.search.memories import Candidate
    from cogmem.turn.activation import Wanted
    from cogmem.turn.block import Item

COVER = 0.65  # share of the best coverage in its layer from which a memory stands beside the best
CLOSE = 0.5  # share of the best relevance, likewise
NEWS = 0.5  # share of what a memory covers that nothing better covers, from which it stands beside the best
SURE, FAINT = (
    0.5,
    0.02,
)  # chances: of a memory, beside which talk less likely than the other stays out
LIKELY = 0.4  # the chance from which what was heard is told where a session begins; within it, it must be sure
BESIDE_A_MATTER = (
    0.7  # the chance from which a conversation's line stands beside how a matter stands
)
NEVER = 2.0
# Of the share of the prompt that the best message has: a memory with so much says the same.
AS_MUCH = 0.8
DOUBT = "check: "  # begins what is remarked of a memory that may hold no more
SAYING = 4  # words; a shorter message says yes or thanks
WHOLE = 400  # tokens of messages that are shown before any is left out for fitting much worse
TAIL = 0.001  # share of the best score (an exponential) from which a message is worth its tokens
TAIL_OF_ASSISTANT = 0.01  # likewise in talk with an assistant, whose messages are long and alike
TAIL_OF_VECTORS = 0.1  # of either: where vectors are weighed too, scores lie further apart
ROOM = 500  # tokens of raw messages where a session's prompt is told nothing better
FEW, MANY = 4, 8  # lines that a fair match is told by, and a sure one
BESIDE = 3  # that are told for their words beside how a matter stands
HEARD = "observed"  # the source of what nobody asked to keep
ASSISTED = ("user", "assistant")


def choose(
    wanted: Wanted, closing: Sequence[Item], said: Sequence[Item], memories: Sequence[Item]
) -> None:
    """Leave out what is worth less: of how the matter stands, of what else was said, of memories that fit the
    prompt."""
    gate = wanted.gate
    _of_talk(wanted, said)
    line, heard = _least(wanted, closing, said)
    for item in memories:
        one = item.of
        least = line if one.layer == "episodic" else heard if one.source == HEARD else 0.0
        if not item.stage and (item.chance or 0) < least:
            item.stage = "rank"
    _near_the_best(memories, gate.tells)
    sure = {item.layer for item in memories if not item.stage and (item.chance or 0) >= SURE}
    if sure:
        _leave_out_faint(closing, said, "C" in sure)
        _leave_out_beside(gate, said, memories)


def _least(wanted: Wanted, closing: Sequence[Item], said: Sequence[Item]) -> tuple[float, float]:
    """Return the chance that a conversation's line needs, and what was heard: what the person said before, and how a
    matter stands, were chosen by figures of their own, so beside these only what is sure is told, and so it is within
    a session, whose words are mostly about itself. What was pasted has words of anything, and makes no line sure."""
    gate = wanted.gate
    own = [item for item in (*closing, *said) if not item.stage] if gate.is_within else closing
    line = 0.0
    if own:
        line = NEVER if gate.is_pasted else BESIDE_A_MATTER if wanted.matter else SURE
    if wanted.matter or (gate.is_within and gate.situation["inner"]):
        return line, SURE
    return line, LIKELY if gate.is_within else 0.0


def is_quoted(one: Candidate) -> bool:
    """Tell whether a conversation's line has the person's own words."""
    return (one.ending or "").startswith(BY_THE_USER)


def _of_talk(wanted: Wanted, said: Sequence[Item]) -> None:
    """Keep of what was said what is not much worse than the best; in a session of raw messages those of the likeliest
    conversations, and few: messages of many are no answer. Beside a matter a few that stand out may
    come from anywhere."""
    gate = wanted.gate
    rest = [item for item in said if not item.stage]
    share = TAIL_OF_VECTORS if wanted.near is not None and wanted.near.cosines else 1.0
    kept = 0
    for item in rest:
        one = item.of
        tail = share * (TAIL_OF_ASSISTANT if one.who in ASSISTED else TAIL)
        may_go = kept >= WHOLE or len(one.text.split()) < SAYING
        if may_go and one.relevance < tail and one.place not in gate.outstanding:
            item.stage = "rank"
        else:
            kept += item.tokens
    if not gate.is_within or (wanted.matter and not wanted.is_own_told):
        return
    may_be = may_be_told(wanted, [item.of.place for item in rest])
    left = BESIDE if wanted.matter else MANY if gate.chance >= SURE else FEW
    room = ROOM
    for item in rest:
        if item.stage:
            continue
        if left and item.of.place in may_be and (wanted.matter or item.tokens <= room):
            left, room = left - 1, room - item.tokens
        else:
            item.stage = "rank"


def may_tell_messages(wanted: Wanted) -> bool:
    """Tell whether any message may be told beside what the person said before. Who asks why wants to see them too."""
    gate = wanted.gate
    if not gate.is_within or not gate.least or gate.explains:
        return True
    return gate.chance >= gate.least and bool(wanted.matter or not wanted.is_own_told)


def may_be_told(wanted: Wanted, places: Iterable[int]) -> set[int]:
    """Return which of the messages at these places may be told at all, whatever their rank."""
    gate = wanted.gate
    if not gate.is_within or (wanted.matter and not wanted.is_own_told):
        return {*places}
    if wanted.matter:
        return gate.outstanding.intersection(places)
    near = set() if wanted.is_own_told else likely(gate.matters[:2])
    return {place for place in places if place >> BITS in near}


def _near_the_best(memories: Sequence[Item], tells: Sequence[float]) -> None:
    """Memories that cover much less of the prompt than the best one of their layer are noise, unless what they cover
    is mostly covered by nothing better: a prompt that names five things gets the five. `tells`: each word."""
    open_to = [item for item in memories if item.stage in ("", "shown")]
    best: dict[str, tuple[float, float]] = {}
    for item in open_to:
        cover, relevance = best.get(item.of.layer, (0.0, 0.0))
        best[item.of.layer] = max(cover, item.of.cover), max(relevance, item.of.relevance)
    covered: dict[str, set[int]] = {}
    order = sorted([(-item.of.cover, number) for number, item in enumerate(open_to)])
    for _, number in order:
        item = open_to[number]
        one = item.of
        cover, relevance = best[one.layer]
        known = covered.setdefault(one.layer, set())
        if one.cover < COVER * cover or one.relevance < CLOSE * relevance:
            news = one.matched - known
            if (sum([tells[word] for word in news]) if news else 0.0) < NEWS * one.cover:
                item.stage = item.stage or "rank"
                continue
        known |= one.matched


def _leave_out_beside(gate: Gate, said: Sequence[Item], memories: Sequence[Item]) -> None:
    """Leave out of a session's talk with an assistant what has much less of the prompt than the best message and does
    not stand right beside it, where a fact or a procedure is sure that has as much of it and is in no doubt."""
    if not gate.whole or not (gate.situation["opening"] or gate.situation["inner"]):
        return
    least = AS_MUCH * gate.best_covered / gate.whole
    answers = [
        item
        for item in memories
        if not item.stage
        and item.of.layer != "episodic"
        and (item.chance or 0) >= SURE
        and item.marks["share"] >= least
        and DOUBT not in (item.of.ending or "")
    ]
    best = gate.outstanding
    for item in said if answers else ():
        place = item.of.place
        is_apart = best.isdisjoint((place, place - 1, place + 1))
        if is_apart and not item.stage and item.of.who in ASSISTED:
            item.stage = "rank"


def _leave_out_faint(closing: Sequence[Item], said: Sequence[Item], is_way_sure: bool) -> None:
    """Leave out talk with an assistant about other matters where a memory is sure to help, and where a
    procedure is, what the person said before without a word of the prompt."""
    heard = {
        item.of.place >> BITS
        for item in (*closing, *said)
        if (item.of.chance or 0) >= FAINT or item.of.who not in ASSISTED
    }
    for item in said:
        if not item.stage and item.of.place >> BITS not in heard:
            item.stage = "rank"
    for item in closing if is_way_sure else ():
        if not item.stage and item.of.chance == 0.0:
            item.stage = "rank"
