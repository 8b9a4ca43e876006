"""Named figures of two statements side by side: what they share, what stands against what, and where.

`cannot both hold` is a sum of these figures with the weights of `data/contrast.txt`, learned from pairs of statements
and from talk among friends (`make fit-contrast`).
"""

from __future__ import annotations

from itertools import pairwise

from cogmem.language.cjk import is_cjk
from cogmem.language.ordinary import per_thousand
from cogmem.language.statement import Statement, Word, without
from cogmem.text.data import weights
from cogmem.text.relevance import likely

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Change = tuple[int, int, int, int]  # from and to which word of the older and of the newer one

LONGEST_VALUE = 4  # words of a value; more are another statement
SHORTEST = 4  # letters of a word that another one may take back
SORTS = ("state", "liking", "quality", "calendar", "tongue", "last")


def chance(pair: Beside, corrects: bool = False) -> float:
    """Tell how likely it is that the two cannot both hold, from 0 to 1."""
    known = weights("contrast")
    told = figures(pair, corrects).items()
    score = sum([known.get(name, 0.0) * value for name, value in told])
    return likely(score)


def opposed(one: Word, other: Word, are_last: bool) -> str:
    """Return the sort of the scale on which two words stand on different sides; '' where on none."""
    found = ""
    for mine in one.classes:
        sort, _, rest = mine.partition(":")
        if sort not in SORTS or (sort == "last" and not are_last):
            continue
        scale, _, _ = rest.partition(":")
        for its in other.classes:
            if its == mine:
                return ""
            if its.startswith(f"{sort}:{scale}:"):
                found = "state" if sort == "last" else sort
    if not found:
        a, b = sorted((one.sense, other.sense), key=len)
        if len(a) >= SHORTEST and b.endswith(a) and b[: -len(a)] in _TAKES_BACK:
            return "state"
    return found


# Of two words the one may only take the other back: valid, invalid.
_TAKES_BACK = frozenset("un in im ir dis non non- de des il onge on 非 无 不".split())


def sort_of(words: Sequence[Word]) -> str:
    """Return what a value is: a day, a number, a code, a name, a word."""
    if not words:
        return "none"
    for word in words:
        for one in word.classes:
            if one[:9] == "calendar:":
                return "number" if one[9:17] == "morning:" else "day"
    if words[0].is_number or (not words[0].is_name and any(word.is_number for word in words)):
        return "label" if "label" in words[0].classes else "number"
    if any(
        one[:6] == "state:" or one[:8] == "quality:" or one in ("date", "figure")
        for one in words[0].classes
    ):
        return "quality"
    last = words[-1]
    if not last.said.replace("-", "").isalpha() and not last.said.replace("'", "").isalpha():
        return "code"
    return "name" if last.is_name or (not last.said.isascii() and is_cjk(last.said[0])) else "word"


class Beside:
    """Two statements side by side: the words that both have, and those that only one of them has."""

    def __init__(self, old: Statement, new: Statement) -> None:
        self.old, self.new = old, new
        self.left, self.right = old.words, new.words
        self.only_old = without(self.left, self.right)
        self.only_new = without(self.right, self.left)
        gone = {id(word) for word in self.only_old}
        self.shared = [word for word in self.left if id(word) not in gone]

    def changes(self) -> list[Change]:
        """Return which words of the one stand where which words of the other do."""
        olds, news = [word.form for word in self.left], [word.form for word in self.right]
        places = {form: at for at, form in enumerate(news)}
        both = [(at, places[form]) for at, form in enumerate(olds) if form in places]
        is_once_each = len(places) == len(news) and len({*olds}) == len(olds)
        if not is_once_each or any(one[1] > other[1] for one, other in pairwise(both)):
            # What stands in another order has more than one reading.
            from difflib import SequenceMatcher

            codes = SequenceMatcher(None, olds, news, autojunk=False).get_opcodes()
            return [code[1:] for code in codes if code[0] != "equal"]
        found = []
        start = begin = 0
        for end, stop in (*both, (len(olds), len(news))):
            if start < end or begin < stop:
                found.append((start, end, begin, stop))
            start, begin = end + 1, stop + 1
        return found


def figures(pair: Beside, corrects: bool = False) -> dict[str, float]:
    """Return every figure of the two by its name; what is not there is 0."""
    old, new = pair.old, pair.new
    left, right, only_old, only_new = pair.left, pair.right, pair.only_old, pair.only_new
    telling = [word for word in pair.shared if not word.is_verb and word.sense != "i"]
    says_so = bool(new.flags & {"now", "nomore"})
    is_change = bool(corrects or says_so or "opening" in new.flags)
    found: dict[str, float] = {
        "bias": 1.0,
        "shared": min(len(telling), 4) / 4,
        "nothing_shared": float(not telling),
        "shared_rare": min((per_thousand(word.said) for word in telling), default=256.0) ** 0.5
        / 16,
        "few_words": float(min(len(left), len(right)) < 3),
        "no_verb": float(old.verb() == len(left) or new.verb() == len(right)),
        "only_old": min(len(only_old), 6) / 6,
        "only_new": min(len(only_new), 6) / 6,
        "change": float(is_change),
        # What says by itself that something is otherwise now needs no other sign of it.
        "corrects": float(not says_so and (corrects or "opening" in new.flags)),
    }
    if not left or not right:
        return found
    found["past"] = float("was" in new.flags and "now" not in new.flags)
    first = left[0].sense == right[0].sense or (left[0] in pair.shared and right[0] not in only_new)
    found["first_same"] = float(first)
    speaks = left[0].sense == "i" or right[0].sense == "i"
    found["other_speaker"] = float((left[0].sense == "i") != (right[0].sense == "i"))
    verb_old, verb_new = old.verb(), new.verb()
    heads = (
        [word for word in left[:verb_old] if word in only_old],
        [word for word in right[:verb_new] if word in only_new],
    )
    found["other_subject"] = float(bool(heads[0] or heads[1]) and not is_change)
    found["both_subjects_differ"] = float(bool(heads[0] and heads[1]))
    found["other_subject_changed"] = float(bool(heads[0] or heads[1]) and is_change)
    found["role_of_another"] = float(
        bool(heads[0] and heads[1])
        and verb_old + 1 < len(left)
        and left[verb_old].said == "be"
        and left[verb_old + 1].article == "the"
        and verb_new + 1 < len(right)
        and right[verb_new].said == "be"
        and left[verb_old + 1].sense == right[verb_new + 1].sense
    )
    found["change_and_first"] = float(is_change and first)
    values = (
        [w for w in only_old if not w.is_verb],
        [w for w in only_new if not w.is_verb and w.said != "be"],
    )
    found["no_value_new"] = float(not values[1])
    denied = bool(old.denied), bool(new.denied)
    if denied[0] != denied[1]:
        found["denial_differs"] = 1.0
        # "She drinks no coffee" denies "she drinks coffee with milk"; "no coffee at night" does not.
        denier, teller = (values[0], values[1]) if denied[0] else (values[1], values[0])
        found["denial_only"] = float(not denier and len(teller) <= 2 and len(telling) > 0)
        found["denial_adds"] = float(bool(denier))
        found["denial_of_part"] = float(not denier and len(teller) > 0)
        found["denial_nomore"] = float("nomore" in new.flags and not denier)
        found["denial_shares_one"] = float(len(telling) <= 1)
        found["denial_shares_most"] = float(len(telling) * 2 > len(left) - 1)
        found["denial_and_change_of_value"] = float(
            denied[1] and bool(values[1]) and bool(values[0]) and first
        )
    elif denied[0]:
        found["both_deny"] = 1.0
    else:
        olds = [word for word in only_old if word.said != "be"]
        news = [word for word in only_new if word.said != "be"]
        if olds and news:
            _opposites(found, pair, olds, news)
            _values(found, pair, olds, news, is_change)
        else:
            found["one_says_more"] = 1.0
            found["one_says_more_changed"] = float(is_change)
    found["speaker"] = float(speaks)
    found["one_each_changed"] = float(
        is_change
        and len(values[0]) == len(values[1]) == 1
        and sort_of(values[0]) == sort_of(values[1])
        and bool(telling)
    )
    if any("holder" in word.classes for word in pair.shared):
        found["held_by_another"] = float(bool(heads[0] and heads[1]))
        found["holds_another"] = float(bool(values[0] and values[1]) and not heads[0])
    return found


def _opposites(
    found: dict[str, float], pair: Beside, olds: Sequence[Word], news: Sequence[Word]
) -> None:
    """Tell whether what stands against each other are two sides of a scale."""
    sort = ""
    for one in olds:
        end = one.sense[-SHORTEST:]
        for other in news:
            if (one.classes and other.classes) or other.sense[-SHORTEST:] == end:
                are_last = one is pair.left[-1] and other is pair.right[-1]
                sort = sort or opposed(one, other, are_last)
    if not sort:
        return
    having = any("have" in word.classes for word in pair.shared)
    if sort == "tongue":
        if having:
            return  # one may speak several
        sort = "state"  # what is written or said is in one of them
    alone = len(olds) == len(news) == 1
    found[f"opposed_{sort}"] = 1.0
    found[f"opposed_{sort}_alone"] = float(alone)
    found["opposed_beside_others"] = float(not alone)
    found["opposed_having"] = float(having and sort in ("quality", "calendar"))


def _classes(words: Sequence[Word]) -> set[str]:
    return set().union(*[word.classes for word in words])


def _values(
    found: dict[str, float],
    pair: Beside,
    olds: Sequence[Word],
    news: Sequence[Word],
    is_change: bool,
) -> None:
    """Tell of one frame with one place that differs whether that place has room for one value."""
    sorts = sort_of(olds), sort_of(news)
    found["sort_differs"] = float(
        sorts[0] != sorts[1] and {*sorts} != {"name", "word"} and {*sorts} != {"code", "word"}
    )
    found["sort_differs_number"] = float(
        ("number" in sorts or "label" in sorts) and sorts[0] != sorts[1]
    )
    found["sort_differs_day"] = float(("day" in sorts) and sorts[0] != sorts[1])
    same_sort = sorts[0] == sorts[1]
    # slots: what a subject has one of
    slots = set()
    left, right, both = _classes(pair.left), _classes(pair.right), _classes(pair.shared)
    for slot in ("holder", "date", "figure", "choice", "name", "live"):
        if slot in left and slot in right:
            slots.add(slot)
            found[f"slot_{slot}"] = 1.0
            found[f"slot_{slot}_{sorts[0] if same_sort else 'mixed'}"] = 1.0
    found["liked"] = float(bool([one for one in both if one[:7] == "liking:"]))
    if "many" in both:
        found["of_many"] = 1.0
    verbs_old = [w for w in pair.left if w.is_verb]
    verbs_new = [w for w in pair.right if w.is_verb]
    verbs_differ = bool(verbs_old and verbs_new) and not any(
        a.sense == b.sense or a.sense[:4] == b.sense[:4] for a in verbs_old for b in verbs_new
    )
    found["verb_differs"] = float(verbs_differ)
    found["verb_differs_changed"] = float(verbs_differ and is_change)
    found["changed_same_sort"] = float(is_change and same_sort)
    changes = pair.changes()
    is_exchange = all(start < end and begin < stop for start, end, begin, stop in changes)
    if len(changes) != 1 or not is_exchange:
        found["no_frame"] = 1.0
        found["two_blocks"] = float(len(changes) == 2 and is_exchange)
        ends = bool(pair.left[-1] in pair.only_old and pair.right[-1] in pair.only_new)
        found["no_frame_end"] = float(ends)
        return
    at, end, begin, stop = changes[0]
    a, b, before, after = pair.left[at:end], pair.right[begin:stop], pair.left[:at], pair.left[end:]
    found["frame"] = 1.0
    found["frame_at_start"] = float(not before)
    found["frame_in_subject"] = float(
        any(word.is_verb for word in (*a, *b)) or any(word.is_verb for word in after)
    )
    found["frame_at_end"] = float(not after)
    found["frame_long"] = float(max(len(a), len(b)) > LONGEST_VALUE)
    found["frame_value_long"] = (len(a) + len(b) - 2) / 6
    found["frame_changed"] = float(is_change and bool(before))
    places = a[0].prep, b[0].prep
    found["frame_prep_differs"] = float(places[0] != places[1])
    found["frame_other_place"] = float(places[0] == places[1] and a[0].behind != b[0].behind)
    found["frame_prep_same"] = float(places[0] == places[1] != "")
    found["frame_article_differs"] = float(a[0].article != b[0].article and not places[0])
    found["frame_article_a"] = float(a[0].article == b[0].article == "a")
    if not before:
        return
    verbs = [word for word in before if word.is_verb]
    verb = verbs[-1] if verbs else None
    kind = "none"
    if verb is not None:
        kind = (
            "be"
            if verb.said == "be"
            else next((one for one in ("have", "use", "one") if one in verb.classes), "none")
        )
    sort = sorts[0] if same_sort else "mixed"
    in_subject = found["frame_in_subject"]
    if not in_subject:
        found[f"frame_{kind}"] = 1.0
        found[f"frame_{kind}_{sort}"] = 1.0
        if a[0].prep and kind in ("be", "one", "none"):
            found[f"frame_{kind}_placed"] = 1.0
            found[f"frame_{kind}_placed_{sort}"] = 1.0
        definite = (
            before[0].article == "the"
            or before[0].is_name
            or "'" in before[0].said
            or "owner" in pair.old.flags
        )
        if definite:
            found[f"frame_{kind}_definite"] = 1.0
            found[f"frame_{kind}_definite_{sort}"] = 1.0
        found["frame_for_same"] = float(
            bool(after) and after[0].prep in ("for", "in") and kind == "use"
        )
        found["frame_between"] = (
            min(2, len(before) - 1 - before.index(verb)) / 2 if verb is not None else 0.0
        )
    if sort == "number":
        named = before[-1]
        found["label"] = float("label" in named.classes)
        found["counts_subject"] = float(bool(after) and not verbs)
        found["number_units_differ"] = float(
            [w.sense for w in a if not w.is_number] != [w.sense for w in b if not w.is_number]
        )
