"""The newer decision wins: what a later message takes back is not shown beside it.

"We use Redis for the cache" stays in the record when "the cache goes to Memcached instead" is said
a month later, and both fit the prompt equally well. So where a later message speaks of what an
earlier one says of the prompt, the earlier one is left out in three cases. The later one has a mark of
change; or it is the user's as the earlier one is, and has most words of it: "standup is at nine", "standup
starts at ten, nine was too early"; or it names what is over: "I chose walnut for the shelf", "I dropped the
walnut". Such a one is shown in the earlier one's place, however little it says of the prompt. What stands
around a stale message and adds nothing of its own goes with it. Who asks for history gets both.
"""

from __future__ import annotations

from cogmem.language.bygone import bygone
from cogmem.language.cjk import is_cjk
from cogmem.language.ordinary import per_thousand
from cogmem.search.places import conversation_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Set

    from cogmem.language.cue import Cue
    from cogmem.search.messages import Evidence

LOOKED_AT = 24  # of the best messages: what is further down seldom finds room
READ = 400  # characters of a message in which a mark of change is looked for
SAME = 0.5  # share of what the earlier one says of the prompt that the later one says too
MATTER = 0.6  # share of the most that any message says of the prompt: less is another matter
AGAIN = 0.5  # share of the words of an earlier one from which the later one says it anew
AS_MUCH = 0.6  # share of what the earlier one says of the prompt, likewise
NAMED = 2  # words of an earlier one that what tells of its change names again, and …
NAMED_SHARE = 0.3  # … this share of its telling words, or half of them where there are few
OF_IT = 0.2  # share of the telling words of an earlier one that what tells of a change must have
BRIEF = 24  # words of a message that makes one statement; a longer one tells more, or asks for help
ENUMERATED = 2  # earlier ones that a later one may say anew; more are a list, of sprints or of runs
EVERYWHERE = 24.0  # of a thousand texts; a word that stands in more says nothing about the matter
USER = "user"
STATED = 10  # of the best messages that are held against each other as statements
STATEMENT = 160  # characters of a message that is one statement
FUNCTION = 100.0  # of a thousand texts; a word that stands in more is none of the matter
ONE_MATTER = 0.5  # share of the words of a statement that another one of the same matter has
AROUND = 8  # messages before and after a stale one that belong to it

CHANGED = (
    " instead", "no longer", "any more", "anymore", "switched", "replaced", "revised", "reverted", "overruled",
    "changed our mind", "changed my mind", "change that", "change of plan", "second thought", "from now on",
    "new rule", "new plan", "moved to", "moved from", "moved them", "was moved", "had to move", "takes over",
    "dropped the", "gave up", "cut the", "removed", " now, ", "these days", "stattdessen", "nicht mehr",
    "ab jetzt", "désormais", "plutôt", "a partir de ahora",
)  # fmt: skip
# These tell of a change if the sentence goes on to say what to: "moved the cache to Memcached".
CHANGING = frozenset(
    "moved moving migrated migrating switched switching changed renamed renaming pushed postponed rescheduled"
    " raised lowered increased reduced bumped shifted upgraded downgraded".split()
)
# These tell of a change right before what is over: "got rid of flake8", "decided against law", "no post".
LEAVING = frozenset(
    "no not rid against quit stopped left leaving dropped ditched scrapped abandoned cancelled canceled retired"
    " removed replaced from than instead without done kein keine keinen statt von pas plus sans non geen"
    " zonder".split()
)
RIGHT_BEFORE = 3  # words
CHANGED_CJK = ("改成", "改为", "换成", "不再", "取消", "推迟", "改到")
HISTORY = frozenset(
    "before previous previously original originally initially formerly earlier history change changed changes"
    " switch switched first used old ever evolve evolved order sequence timeline times vorher früher avant antes"
    " compare difference".split()
)
HISTORY_CJK = ("之前", "以前", "原来", "最初", "改", "历史")
ANY_DAY = 1 << 62  # all that a prompt names is over by then
QUESTION = ("?", "？")
SIGNS = ".,;:!?()[]\"'“”‘’。，！？"


def amended(
    found: Sequence[Evidence],
    cue: Cue,
    prompt: str,
    worth: Mapping[str, float],
    stems: Callable[[str], list[str]],
    each: Callable[[list[str]], list[list[str]]],
) -> tuple[set[str], set[str]]:
    """Which of these messages were taken back by a later one, by their names, and which ones took them
    back by naming what they say; best first. `worth` is what each word of the prompt tells.
    """
    best = found[:LOOKED_AT]
    marked = {one.ref: part for one in best if one.who == USER and (part := _change(one.text))}
    if len(best) < 2 or _asks_for_history(prompt, cue):
        return set(), set()
    asked = [
        (worth.get(term.forms[0], 0.0), {stem for form in term.forms for stem in stems(form)})
        for term in cue.terms
    ]
    asks = {stem for _, stems in asked for stem in stems}
    texts = each([*(one.text for one in best), *marked.values()])
    words = dict(
        zip([*(one.ref for one in best), *(f"={ref}" for ref in marked)], texts, strict=True)
    )
    said = {
        ref: {n: value for n, (value, stems) in enumerate(asked) if not stems.isdisjoint(text)}
        for ref, text in ((ref, frozenset(text)) for ref, text in words.items())
    }
    worths = {one.ref: sum(said[one.ref].values()) for one in best}
    most = max(worths.values())
    # What two share is no more than either says of the prompt.
    telling = [one for one in best if worths[one.ref] >= MATTER * most]
    stated = {one.ref: _stated(one, words[one.ref]) for one in best}
    stale: set[str] = set()
    anew: list[list[Evidence]] = []  # of each later statement, the earlier ones that it says anew
    for later in telling:
        anew.append([])
        changed = said.get(f"={later.ref}", {})
        for one in telling:
            if one.who != USER or one.at >= later.at:
                continue
            is_near = later.place - one.place <= AROUND
            if is_near and conversation_of(one.place) == conversation_of(later.place):
                continue
            whole = worths[one.ref]
            if _shared(said[one.ref], changed) >= max(MATTER * most, SAME * whole) and _is_of(
                words[one.ref], words.get(f"={later.ref}", ())
            ):
                stale.update(_around(one, best, said))
            elif _shared(said[one.ref], said[later.ref]) >= max(
                MATTER * most, AS_MUCH * whole
            ) and _says_anew(stated[one.ref], stated[later.ref]):
                anew[-1].append(one)
    listed = {one.ref for many in anew if len(many) > ENUMERATED for one in many}
    for one in (one for many in anew for one in many if one.ref not in listed):
        stale.update(_around(one, best, said))
    heirs: set[str] = set()
    for later in (one for one in best if one.who == USER and one.ref not in stale):
        sentences = _sentences(later.text) if later.ref in marked else _leaving(later.text)
        change = words.get(f"={later.ref}") or [stem for one in sentences for stem in stems(one)]
        for one in best if change else ():
            own = stated[one.ref]
            if (
                own
                and one.at < later.at
                and conversation_of(one.place) != conversation_of(later.place)
                and _names(own, change, asks)
                and (later.ref in marked or _leaves(sentences, own - asks, stems))
            ):
                stale.update(_around(one, best, said))
                heirs.update(reply.ref for reply in best if 0 <= reply.place - later.place <= 1)
    return stale, heirs


def _names(earlier: frozenset[str], change: Sequence[str], asks: Set[str]) -> bool:
    """Whether what tells of a change names what an earlier statement says: "I dropped the walnut for the
    bookshelf", of "I chose walnut for the bookshelf". One of the words is the prompt's, and one is not."""
    named = earlier.intersection(change)
    least = max(1, min(NAMED, AGAIN * len(earlier)), NAMED_SHARE * len(earlier))
    return len(named) >= least and not named <= asks and not named.isdisjoint(asks)


def _leaving(text: str) -> list[str]:
    """The sentences of a message that may say what is over."""
    if LEAVING.isdisjoint(text[:READ].lower().split()):
        return []
    return [one for one in _sentences(text) if not LEAVING.isdisjoint(one.lower().split())]


def _leaves(sentences: Sequence[str], values: Set[str], stems: Callable[[str], list[str]]) -> bool:
    """Whether one of these stands right behind a word that says that it is over."""
    for one in sentences:
        spoken = one.lower().split()
        for at, word in enumerate(spoken):
            if word in LEAVING and not values.isdisjoint(
                stems(" ".join(spoken[at + 1 : at + 1 + RIGHT_BEFORE]))
            ):
                return True
    return False


def _shared(earlier: Mapping[int, float], later: Mapping[int, float]) -> float:
    """What both say of the prompt."""
    return sum(value for n, value in earlier.items() if n in later)


def _stated(one: Evidence, stems: Sequence[str]) -> frozenset[str]:
    """The telling words of a statement of the user's; nothing if it is none."""
    if one.who != USER or len(stems) > BRIEF or one.text.rstrip().endswith(QUESTION):
        return frozenset()
    return frozenset(stem for stem in stems if per_thousand(stem) < EVERYWHERE)


def _is_of(earlier: Sequence[str], change: Sequence[str]) -> bool:
    """Whether a change is one of what an earlier message says: a word of the prompt in both is not enough
    where that says much else."""
    own = {stem for stem in earlier if per_thousand(stem) < EVERYWHERE}
    return len(own.intersection(change)) >= OF_IT * len(own)


def _says_anew(earlier: frozenset[str], later: frozenset[str]) -> bool:
    """Whether a later statement has most words of an earlier one, and others in the place of the rest."""
    return bool(later - earlier) and len(earlier & later) >= AGAIN * max(2, len(earlier))


def set_right(
    found: Sequence[Evidence],
    statements: Sequence[tuple[str, int]],
    left_out: Set[str],
    each: Callable[[list[str]], list[list[str]]],
) -> set[str]:
    """Which of these messages a later statement sets right: a message of the same speaker, or a memory.

    "The meeting room is Apollo" and, a day later, "the meeting room is Juno now": both cannot hold,
    and the later one takes the place. `statements` are memories with the instants of their learning;
    what is `left_out` already needs no setting right.
    """
    short = [one for one in found[:STATED] if len(one.text) <= STATEMENT]
    later = [(one.text, one.at, one.who, False) for one in short]
    later += [(text, at, USER, True) for text, at in statements if len(text) <= STATEMENT]
    asked = [one for one in short if one.ref not in left_out]
    if not asked or len(later) < 2:
        return set()
    words = list(map(_matter, each([text for text, *_ in later])))
    stale: set[str] = set()
    for one in asked:
        own = words[short.index(one)]
        for (text, at, who, is_held), others in zip(later, words, strict=True):
            if at > one.at and who == one.who and text != one.text and _of_one(own, others):
                from cogmem.language.clash import clash  # to load it takes longer than a turn

                against = clash(one.text, text)
                if against is not None and (against.replaces or is_held):
                    stale.add(one.ref)
                    break
    return stale


def _matter(stems: Sequence[str]) -> frozenset[str]:
    """What tells the matter of a statement: its words, and the single signs of Chinese and Japanese."""
    found: set[str] = set()
    for stem in stems:
        if not stem.isascii() and any(map(is_cjk, stem)):
            found.update(stem)
        elif per_thousand(stem) < FUNCTION:
            found.add(stem)
    return frozenset(found)


def _of_one(earlier: frozenset[str], later: frozenset[str]) -> bool:
    """Whether two statements may be of one matter: the shorter one has half of its words in the other."""
    least = min(len(earlier), len(later))
    return least > 0 and len(earlier & later) >= ONE_MATTER * least


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
    plain = f" {head.lower()} "
    if (
        not any(sign in plain for sign in CHANGED)
        and CHANGING.isdisjoint(plain.split())
        and (head.isascii() or not any(sign in head for sign in CHANGED_CJK))
    ):
        return ""
    return " ".join(
        part
        for part in _sentences(text)
        if any(sign in f" {part.lower()} " for sign in CHANGED)
        or any(sign in part for sign in CHANGED_CJK)
        or _changes_to(part.lower().split())
    )


def _sentences(text: str) -> list[str]:
    head = text[:READ]
    for sign in ".!?\n。！？":
        head = head.replace(sign, "\n")
    return head.split("\n")


def _changes_to(words: list[str]) -> bool:
    """Whether a sentence tells what something was changed to: moved the session cache to Memcached."""
    at = next((at for at, word in enumerate(words) if word in CHANGING), len(words))
    return "to" in words[at:]


def _asks_for_history(prompt: str, cue: Cue) -> bool:
    if bygone(prompt, cue.spans, ANY_DAY) is not None:
        return True
    head = prompt[:READ]
    words = [word.strip(SIGNS) for word in head.lower().split()]
    return not HISTORY.isdisjoint(words) or any(sign in head for sign in HISTORY_CJK)
