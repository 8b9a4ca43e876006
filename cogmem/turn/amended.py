"""The newer decision wins: what a later message takes back is not shown beside it.

"We use Redis for the cache" stays in the record when "the cache goes to Memcached instead" is said
a month later, and both fit the prompt equally well. So where a later message has a mark of change
and speaks of what an earlier one says of the prompt, the earlier one is left out, and with it what
stands around it and adds nothing of its own. Who asks for history gets both.
"""

from __future__ import annotations

from cogmem.search.places import conversation_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cogmem.search.messages import Evidence
    from cogmem.text.cue import Cue

LOOKED_AT = 24  # of the best messages: what is further down seldom finds room
READ = 400  # characters of a message in which a mark of change is looked for
SAME = 0.5  # share of what the earlier one says of the prompt that the later one says too
MATTER = 0.5  # share of the most that any message says of the prompt: less is another matter
AROUND = 8  # messages before and after a stale one that belong to it

CHANGED = (
    " instead", "no longer", "any more", "anymore", "switched", "replaced", "revised", "reverted", "overruled",
    "changed our mind", "changed my mind", "change that", "change of plan", "second thought", "from now on",
    "new rule", "new plan", "moved to", "moved from", "moved them", "was moved", "had to move", "takes over",
    "dropped the", "gave up", "cut the", "removed", " now, ", "stattdessen", "nicht mehr",
    "ab jetzt", "désormais", "plutôt", "a partir de ahora",
)  # fmt: skip
CHANGED_CJK = ("改成", "改为", "换成", "不再", "取消", "推迟", "改到")
HISTORY = frozenset(
    "before previous previously original originally initially formerly earlier history change changed changes"
    " switch switched first used old ever evolve evolved order sequence timeline times vorher früher avant antes"
    " compare difference".split()
)
HISTORY_CJK = ("之前", "以前", "原来", "最初", "改", "历史")
SIGNS = ".,;:!?()[]\"'“”‘’。，！？"


def amended(
    found: Sequence[Evidence],
    cue: Cue,
    prompt: str,
    worth: Mapping[str, float],
    stems: Callable[[str], list[str]],
    each: Callable[[list[str]], list[list[str]]],
) -> set[str]:
    """Which of these messages were taken back by a later one, by their names; best first.

    `worth` is what each word of the prompt tells.
    """
    best = found[:LOOKED_AT]
    marked = {one.ref: part for one in best if (part := _change(one.text))}
    if not marked or _asks_for_history(prompt):
        return set()
    asked = [
        (worth.get(term.forms[0], 0.0), {stem for form in term.forms for stem in stems(form)})
        for term in cue.terms
    ]
    texts = each([*(one.text for one in best), *marked.values()])
    said = {
        ref: {n: value for n, (value, stems) in enumerate(asked) if not stems.isdisjoint(text)}
        for ref, text in zip(
            [*(one.ref for one in best), *(f"={ref}" for ref in marked)], texts, strict=True
        )
    }
    most = max(sum(said[one.ref].values()) for one in best)
    stale: set[str] = set()
    for later in best:
        told = said.get(f"={later.ref}")
        if not told or sum(told.values()) < MATTER * most:
            continue
        for one in best:
            apart = (
                conversation_of(one.place) != conversation_of(later.place)
                or later.place - one.place > AROUND
            )
            shared = sum(value for n, value in said[one.ref].items() if n in told)
            if (
                apart
                and one.at < later.at
                and shared >= SAME * sum(said[one.ref].values())
                and shared >= MATTER * most
            ):
                stale.update(_around(one, best, said))
    return stale


def _around(
    stale: Evidence, best: Sequence[Evidence], said: Mapping[str, Mapping[int, float]]
) -> list[str]:
    """A stale message, and what stands around it and says no more of the prompt."""
    return [
        one.ref
        for one in best
        if conversation_of(one.place) == conversation_of(stale.place)
        and abs(one.place - stale.place) <= AROUND
        and said[one.ref].keys() <= said[stale.ref].keys()
    ]


def _change(text: str) -> str:
    """The sentences of a message that tell of a change."""
    head = text[:READ]
    for sign in ".!?\n。！？":
        head = head.replace(sign, "\n")
    return " ".join(
        part
        for part in head.split("\n")
        if any(sign in f" {part.lower()} " for sign in CHANGED)
        or any(sign in part for sign in CHANGED_CJK)
    )


def _asks_for_history(prompt: str) -> bool:
    head = prompt[:READ]
    words = [word.strip(SIGNS) for word in head.lower().split()]
    return not HISTORY.isdisjoint(words) or any(sign in head for sign in HISTORY_CJK)
