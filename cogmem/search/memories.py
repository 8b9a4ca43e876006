"""Finds the memories that share the telling words of a prompt, in time that hardly grows with the store.

1. Document frequencies come from `common_term`; a stem that is not there is rare.
2. Rare terms, then the next few, are read as lists of ids; each adds its idf to the ids in its list.
3. Common terms cannot bring a memory to the top alone, only together: FTS5 itself intersects two
   halves of them, split twice, which costs a tenth of handing every posting to Python.
4. The best few by that rough sum are fetched and scored exactly (BM25 over every term), and the
   strength of a memory lifts or lowers it a little: relevance leads, use only tips the scales.
"""

from __future__ import annotations

from cogmem.language import cjk
from cogmem.language.cue import any_of, in_halves
from cogmem.records import add_up, json_list, json_numbers
from cogmem.search.ground import Asked, Ground
from cogmem.search.near_words import KINDRED, kin, stand_ins
from cogmem.search.spelling import MANY, Slips
from cogmem.text.relevance import K1, B, idf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.language.asked_past import AskedPast
    from cogmem.language.cue import Cue
    from cogmem.scope import Scope
    from cogmem.search.gate import Gate
    from cogmem.search.reranking import SecondReader
    from cogmem.search.vectors import Nearness

COMMON_SHARE = 0.03  # a term in more memories than this says nothing about any of them
PROCEDURES = 30  # procedures weighed beyond the best candidates
ALIKE = 0.35  # of a perfect match in words, for the one nearest in meaning
WHOLE = 4_000  # memories: of no more, all are compared in meaning, not only those found by words
LINE = 25  # tokens; so many candidates are weighed exactly as lines of that length find room
ROOM = 1_000  # tokens, for a search that has no budget
FEW_FOUND = 200  # memories; where words find fewer, words near in meaning are looked for as well
OF_KIN = 200  # of the memories that kindred words bring in to a large space, the newest
NEARER = (
    (0, 3),
    (3, 8),
    (8, 16),
    (16, 48),
)  # words that stand in are asked for in parts, the nearest first
KIN = 0.9  # a kindred word, wholly alike, against the word itself
WIDER = (
    4  # times as many memories are weighed exactly where a prompt lives on words near in meaning
)
PAST = 60  # facts that what was found took the place of, and found facts whose past is looked for
BEQUEST = 0.95  # of the relevance of a fact, for the one that it took the place of
HEIRS = 8  # times that one fact after another took the place of what was found
RARE = 64  # common_term holds stems from this many memories up


UNTRIED = 0.5  # the chance that a procedure works which nobody tried


class Candidate:
    """One memory that shares words with the prompt."""

    # As "memories.by_ids" has them, and what a search finds out.
    __slots__ = tuple(
        "id uid layer kind key content tags path_glob terms source state reinforcement_count tokens token_counter"
        " reinforced_at accessed_at created_at expires_at superseded_by valid_from valid_to recorded_at steps success"
        " keeps_failing ending text relevance matched partly akin cover chance marks".split()
    )

    def __init__(self, row: tuple[Any, ...]) -> None:
        (
            self.id,
            self.uid,
            self.layer,
            self.kind,
            self.key,
            self.content,
            self.tags,
            self.path_glob,
            self.terms,
            self.source,
            self.state,
            self.reinforcement_count,
            self.tokens,
            self.token_counter,
            self.reinforced_at,
            self.accessed_at,
            self.created_at,
            self.expires_at,
            self.superseded_by,
            self.valid_from,
            self.valid_to,
            self.recorded_at,
            self.steps,
            self.success,
            self.keeps_failing,
        ) = row
        self.ending: str | None = None  # of its line: `read_endings` reads it where it may be told
        self.text = f"{self.key} {self.content} {self.tags} {self.path_glob} {self.terms}"
        self.relevance = 0.0  # 0 to 1: the share of what a perfect match would score
        self.matched: set[int] = set()  # the terms of the cue that stand in it, by their number
        self.partly: set[int] = set()  # those that are only part of a joined name in it
        # Terms of which only a kindred word stands in it, and how alike that is.
        self.akin: dict[int, float] = {}
        self.cover = 0.0  # what they are worth together, if a gate was asked
        self.chance: float | None = None  # that it helps, likewise
        self.marks: dict[str, float] = {}  # the figures behind that chance

    def inherits(self, other: Candidate) -> None:
        """Be as near to the prompt as another one, less a little: the one took the place of the other."""
        if self.relevance < other.relevance * BEQUEST:
            self.relevance = other.relevance * BEQUEST
            self.matched, self.partly, self.marks = other.matched, other.partly, other.marks
        self.cover = max(self.cover, other.cover)
        if other.chance is not None:
            self.chance = max(self.chance or 0.0, other.chance)

    def was_valid(self, now: int, asked: AskedPast) -> bool:
        """Held true once, no longer so, and in the time that is asked for."""
        over = self.valid_to
        return (
            self.layer == "semantic"
            and self.state == "active"
            and self.created_at <= now
            and over is not None
            and over <= now
            and asked.covers(self.valid_from, over)
        )

    def is_over(self, now: int) -> bool:
        """Tell whether it holds no more, by its own time."""
        return self.valid_to is not None and self.valid_to <= now

    def is_valid(self, now: int) -> bool:
        """Held true now: known, not superseded, not expired, its time begun and not over."""
        return (
            self.created_at <= now
            and self.superseded_by is None
            and (self.valid_to is None or self.valid_to > now)
            and (self.valid_from is None or self.valid_from <= now)
            and (self.expires_at is None or self.expires_at > now)
        )


def candidates(
    db: Database,
    cue: Cue,
    scope: Scope,
    *,
    room: int = ROOM,
    wide: int = 1,
    near: Nearness | None = None,
    gate: Gate | None = None,
    second: SecondReader | None = None,
    only_likely: bool = False,
) -> list[Candidate]:
    """Return the memories that fit a cue best, in any state but removed, most relevant first.

    As many are weighed as may find room, and more in a large space; `wide` multiplies that, for
    searches that filter what comes back. With `near`, memories that mean what the prompt means gain,
    and some come in that share no word with it. `only_likely`: nothing comes back where the gate is sure to keep out
    all of them.
    """
    size = db.kept("memories.size", _size)
    keep = wide * max(room // LINE, round(2 * size**0.25))
    found, ground = (
        _by_words(db, cue, scope, size, keep, gate if only_likely else None)
        if size
        else ([], Ground(0))
    )
    if near and size:
        found = _by_meaning(db, scope, size, found, near)
    if second is not None and found:
        relevance = {one.id: one.relevance for one in found}
        relevance = second.order({one.id: one.content for one in found}, relevance)
        for one in found:
            one.relevance = relevance[one.id]
        found = likeliest(found)
    if gate is not None:
        gate.weigh(found, ground, near.cosines if near else {})
    return found


def with_past(db: Database, scope: Scope, found: list[Candidate]) -> list[Candidate]:
    """Return what was found, and what it took the place of: as near to the prompt as that, less a little."""
    known = {one.id: one for one in found}
    ids = json_numbers(list(known)[:PAST])
    of = dict(db.read("memories.before", {"ids": ids, "limit": PAST}))
    for before in by_ids(db, scope, of):
        known.setdefault(before.id, before).inherits(known[of[before.id]])
    return likeliest(known.values())


def by_ids(db: Database, scope: Scope, ids: Iterable[int]) -> list[Candidate]:
    """Read the memories of these numbers that a viewer sees."""
    wanted = json_numbers(ids)
    if wanted == "[]":
        return []
    asked = {**scope.viewer(), "ids": wanted, "more": "[]", "procedures": 0}
    return [*map(Candidate, db.read("memories.by_ids", asked))]


def with_heirs(db: Database, scope: Scope, found: list[Candidate], least: float) -> list[Candidate]:
    """Return what was found, and what took its place: whoever asks in an older fact's words means the newer one.

    "Which package manager does the frontend use?" has the words of "we use npm for the frontend", and none of
    "we dropped npm, it is pnpm everywhere now". The newer
    fact inherits the chance of the older one, if that is likely enough to help.
    """
    known = {one.id: one for one in found}
    lost = [one for one in found if one.superseded_by is not None and _has_heir(one, least)]
    for _ in range(HEIRS):
        missing = sorted({one.superseded_by for one in lost if one.superseded_by} - known.keys())
        known |= {one.id: one for one in by_ids(db, scope, missing)}
        heirs = []
        for one in lost:
            heir = known.get(one.superseded_by or 0)
            if heir is not None and heir.relevance < one.relevance * BEQUEST:
                heir.inherits(one)
                heirs.append(heir)
        lost = [one for one in heirs if one.superseded_by is not None and _has_heir(one, least)]
        if not lost:
            break
    return likeliest(known.values())


def _has_heir(one: Candidate, least: float) -> bool:
    return one.state == "active" and (one.chance is None or one.chance >= least)


def read_endings(db: Database, found: Iterable[Candidate]) -> None:
    """Read what ends the lines of memories that may be told."""
    unread = {one.id: one for one in found if one.ending is None}
    if unread:
        for number, ending in db.read("memories.endings", {"ids": json_numbers(unread)}):
            unread[number].ending = ending


def _size(db: Database) -> int:
    return int(db.read("memories.size")[0][0])


def _by_meaning(
    db: Database, scope: Scope, size: int, found: list[Candidate], near: Nearness
) -> list[Candidate]:
    known = {one.id: one for one in found}
    others: list[int] = []
    if size <= WHOLE:
        rows = db.read("memories.newest", {**scope.viewer(), "limit": WHOLE})
        others = [row[0] for row in rows if row[0] not in known]
    alike = near.memories(set(known), others)
    known |= {one.id: one for one in by_ids(db, scope, alike.keys() - known.keys())}
    for one, share in alike.items():
        if one in known:
            known[one].relevance += ALIKE * share
    return likeliest(known.values())


def _by_words(
    db: Database, cue: Cue, scope: Scope, size: int, keep: int, gate: Gate | None
) -> tuple[list[Candidate], Ground]:
    terms = _terms(db, cue, size)
    if not terms:
        return [], Ground(size)
    ground = Ground(size, terms)
    # A note is weighed by figures of its own.
    is_shut = gate is not None and gate.explained and gate.keeps_all_out(ground)
    if is_shut and not db.is_so("memories.is_any_noted"):
        return [], Ground(size)
    score = _rough(db, terms, size, keep, cue)
    if gate is not None and _is_kept_out(db, gate, ground, terms, score, 2 * keep, cue.is_english):
        return [], ground
    kindred: list[tuple[int, float, dict[str, float]]] = []
    if (thorough := _lacks_words(terms)) or len(score) < FEW_FOUND:
        kindred = _kindred(db, terms, score, size, cue.is_english, thorough)
    # What stands in for a word may be any of many.
    wide = WIDER * keep if thorough and kindred else keep
    ranked = _best(score, 2 * wide)
    asked = {
        **scope.viewer(),
        "ids": json_numbers(ranked[:wide]),
        "more": json_numbers(ranked[wide:]),
        "procedures": PROCEDURES,
    }
    found = _exact(db, terms, db.read("memories.by_ids", asked), size, kindred)
    return found[: keep + PROCEDURES], ground


def _is_kept_out(
    db: Database, gate: Gate, ground: Ground, terms: list[Asked], score: dict[str, float], most: int, english: bool,
) -> bool:  # fmt: skip
    """Tell whether the gate keeps out whatever has these words, as it mostly does within a session."""

    def kindred() -> dict[int, float]:
        thorough, few_found = _lacks_words(terms), len(score) < FEW_FOUND
        return {
            number: words[0][2]
            for number, term in enumerate(terms)
            if (thorough or few_found) and (words := _nearest(term, english, thorough, few_found))
        }

    doubtful = gate.may_let_in(ground, kindred)
    if doubtful is None:
        return False
    asked = {"doubtful": json_numbers(doubtful), "ids": json_numbers(_best(score, most))}
    stems = {stem for term in terms for stem in term.stems}
    rows = db.read("memories.apart", asked) if score else ()
    return not [key for (key,) in rows if key is None or stems.issuperset(db.stems(key))]


def _terms(db: Database, cue: Cue, size: int) -> list[Asked]:
    """Return what is looked for; a rare term is not counted yet."""
    terms: list[Asked] = []
    singles: dict[str, None] = {}
    # Plain words are stemmed together; what FTS5 may see as several words, one by one.
    asked = (*cue.terms, *cue.calendar)
    forms = [form for wanted in asked for form in wanted.forms]
    plain = [form for form in forms if form.isascii() and form.isalnum()]
    stemmed = dict(zip(plain, db.stems(" ".join(plain)), strict=True))
    for wanted in asked:
        stems: list[str] = []
        phrases: list[str] = []
        for form in wanted.forms:
            parts = [stemmed[form]] if form in stemmed else db.stems(form)
            if len(parts) == 1:
                stems.append(parts[0])
                singles[parts[0]] = None
            elif parts:
                phrases.append(" ".join(parts))
        if stems or phrases:
            term = Asked(wanted.forms, list(dict.fromkeys(stems)), f"({wanted.match})")
            term.phrases = phrases
            terms.append(term)
    # FTS5 gets the words and stems them itself: a stem stemmed again may differ.
    listed = '["' + '","'.join(singles) + '"]' if singles else "[]"
    common = dict(db.read("memories.common", {"terms": listed}))
    for term in terms:
        known = [common[stem] for stem in term.stems if stem in common]
        if known:
            term.documents = min(sum(known), size)
            term.idf = idf(size, term.documents)
    return terms


def _rough(db: Database, terms: list[Asked], size: int, keep: int, cue: Cue) -> dict[str, float]:
    """Return ids with the sum of the idf of the terms that stand in them, within a budget of postings."""
    budget = max(1_500.0, 16.0 * min(size, 1_000_000) ** 0.5)
    few = max(100.0, budget / 13)
    score: dict[str, float] = {}
    rare = [term for term in terms if not term.documents]
    spent = 0
    slips = Slips(db, ("memories.known_terms", "memories.like_terms"), cue)
    for term, ids in zip(rare, _ids(db, [term.match for term in rare]), strict=True):
        if not ids and term.forms[0] in slips.may_be and _respell(db, term, terms, slips):
            ids = _ids(db, [term.match])[0]
        term.documents, term.ids = len(ids), ids
        if ids:
            spent += len(ids)
            term.idf = idf(size, len(ids))
            add_up(score, ids, term.idf)
    # What stands in too many memories tells nothing, unless nothing else was asked for.
    common = [term for term in terms if term.idf and term not in rare]
    telling = [term for term in common if _is_telling(term, size)]
    common = sorted(telling or ([] if score else common), key=lambda term: term.documents)
    rarest = 0
    while rarest < len(common) and spent + common[rarest].documents <= few:
        spent += common[rarest].documents
        rarest += 1
    middle: list[Asked] = []
    spent = 0
    for term in common[rarest:]:
        spent += term.documents
        if spent > (budget if len(middle) > 1 else 4 * budget):
            break
        middle.append(term)
    asked = [(term.match, term.idf, 0.0) for term in common[:rarest]]
    if len(middle) > 1:
        weight = sum(term.idf for term in middle) / len(middle)
        asked += [(both, weight, weight) for both in in_halves([term.match for term in middle])]
    found = _ids(db, [one[0] for one in asked])
    for (_, weight, first), ids in zip(asked, found, strict=True):
        add_up(score, ids, weight, first)
    for term, ids in zip(common[:rarest], found, strict=False):
        term.ids = ids
    if len(score) < keep and rarest < len(common):
        for one in _newest_ids(db, [common[rarest].match], keep)[0]:
            score.setdefault(one, common[rarest].idf)
    return score


def _respell(db: Database, term: Asked, terms: list[Asked], slips: Slips) -> bool:
    """Look for words of the index instead of one that it lacks; False if it has none like it."""
    words, term.slip = slips.stand_in([one.forms[0] for one in terms], terms.index(term))
    if not words:
        return False
    term.forms = (*term.forms, *words)
    for one in words:
        stems = db.stems(one)
        if len(stems) > 1:
            term.phrases.append(" ".join(stems))
        else:
            term.stems += stems
    term.match = f"({any_of(term.forms)})"
    return True


def _is_telling(term: Asked, size: int) -> bool:
    return term.documents <= max(RARE, COMMON_SHARE * size)


def _ids(db: Database, matches: list[str]) -> list[list[str]]:
    """Return what each of the queries finds, by one statement: a call costs as much as a short list."""
    if not matches:
        return []
    return _listed(db.read("memories.having", {"matches": json_list(matches)}))


def _newest_ids(db: Database, matches: list[str], most: int) -> list[list[str]]:
    """Return the newest that each of the queries finds."""
    if not matches:
        return []
    return _listed(
        db.read("memories.newest_having", {"matches": json_list(matches), "limit": most})
    )


def _listed(rows: list[tuple[Any, ...]]) -> list[list[str]]:
    return [(row[0] or "").split() for row in rows]


def _best(score: dict[str, float], keep: int) -> list[str]:
    """Return the ids with the highest sums; of equals the newest."""
    least = sorted(score.values(), reverse=True)[keep - 1] if len(score) > keep else 0.0
    best = [one for one, value in score.items() if value >= least]
    best.sort(key=int, reverse=True)
    best.sort(key=score.__getitem__, reverse=True)
    return best[:keep]


def _lacks_words(terms: list[Asked]) -> bool:
    """Tell whether half of a short prompt stands nowhere: a longer one has words enough to be found by."""
    lacking = [term for term in terms if not term.documents]
    return len(terms) <= MANY and 2 * len(lacking) >= len(terms)


def _kindred(
    db: Database,
    terms: list[Asked],
    score: dict[str, float],
    size: int,
    english: bool,
    thorough: bool,
) -> list[tuple[int, float, dict[str, float]]]:
    """Return words near in meaning, where the prompt's own find little: they bring memories in.

    Of each term its number, what it is worth, and the stems that stand for it with their likeness.
    `thorough`: all near words are looked for, elsewhere the nearest.
    """
    few_found = len(score) < FEW_FOUND
    asked = []
    for number, term in enumerate(terms):
        words = _nearest(term, english, thorough, few_found)
        if words:
            asked.append((number, term, words))
    every = [words for _, _, words in asked]
    found = []
    for (number, term, words), parts in zip(
        asked, _having_any(db, every, thorough and size <= WHOLE), strict=True
    ):
        like_of: dict[str, float] = {}  # of a memory, by the nearest word that it has
        for likeness, ids in parts:
            for one in ids:
                like_of.setdefault(one, likeness)
        worth = term.idf or idf(size, len(like_of))
        for one, likeness in like_of.items():
            score[one] = score.get(one, 0.0) + KIN * likeness * worth
        found.append((number, worth, {stem: like for stem, _, like in reversed(words)}))
    return found


def _nearest(
    term: Asked, english: bool, thorough: bool, few_found: bool
) -> tuple[tuple[str, str, float], ...]:
    """Return the words that may stand for a term, the nearest first; none where its own find enough."""
    if term.documents and not few_found:
        return ()
    stems = tuple(term.stems)
    return stand_ins(stems, english) if thorough else kin(stems, english)


def _having_any(
    db: Database, asked: list[tuple[tuple[str, str, float], ...]], every: bool
) -> Iterator[list[tuple[float, list[str]]]]:
    """Return for each of several lists the memories that have one of its words, in parts with their likeness, the
    nearest words first.

    Unless `every` is wanted only the newest that have one of the very nearest.
    """
    parts = [
        [words[start:end] for start, end in NEARER if words[start:end]]
        if every
        else [words[:KINDRED]]
        for words in asked
    ]
    matches = [any_of(tuple([word for _, word, _ in part])) for own in parts for part in own]
    ids = iter(_ids(db, matches) if every else _newest_ids(db, matches, OF_KIN))
    return ([(part[0][2], next(ids)) for part in own] for own in parts)


def _exact(
    db: Database,
    terms: list[Asked],
    rows: list[tuple[Any, ...]],
    size: int,
    kindred: Sequence[tuple[int, float, dict[str, float]]],
) -> list[Candidate]:
    """BM25 over every telling term; a row that only shares words that tell nothing is out."""
    counted = [term for term in terms if term.idf and _is_telling(term, size)]
    counted = counted or [term for term in terms if term.idf]
    whole = sum([term.idf for term in counted]) or sum([worth for _, worth, _ in kindred])
    whole = whole * (K1 + 1) or 1.0
    # Most stems are all that their term asks for; the others are counted together, and a phrase where they are not.
    having: dict[str, list[Asked]] = {}
    for term in counted:
        for stem in term.stems:
            having.setdefault(stem, []).append(term)
    alone = {
        stem: owners[0].idf * (K1 + 1)
        for stem, owners in having.items()
        if len(owners) == 1 and len(owners[0].stems) == 1 and not owners[0].phrases
    }
    numbers = {stem: number for number, term in enumerate(terms) for stem in term.stems}
    phrases = [(number, term) for number, term in enumerate(terms) if term.phrases]
    akin = frozenset([stem for _, _, likeness in kindred for stem in likeness])
    asked = frozenset(numbers)
    read = [*map(Candidate, rows)]
    texts = db.stems_of_each([one.text for one in read])
    named = [one for one in read if one.terms and one.terms.isascii()]
    parts = db.stems_of_each([one.terms for one in named])
    names = {one.id: name for one, name in zip(named, parts, strict=True)}
    mean = (sum(map(len, texts)) / len(texts) if texts else 1.0) or 1.0
    found = []
    for one, text in zip(read, texts, strict=True):
        damp = K1 * (1 - B + B * len(text) / mean)
        stood = asked.intersection(text)
        score = 0.0
        times: dict[Asked, int] = {}
        for stem in stood:
            one.matched.add(numbers[stem])
            count = text.count(stem)
            if stem in alone:
                score += alone[stem] * count / (count + damp)
            else:
                for term in having.get(stem, ()):
                    times[term] = times.get(term, 0) + count
        if phrases:
            joined = f" {' '.join(text)} "
            for number, term in phrases:
                count = sum([joined.count(f" {phrase} ") for phrase in term.phrases])
                if count:
                    one.matched.add(number)
                    if term in counted:
                        times.setdefault(term, count)
        for term, count in times.items():
            score += term.idf * count * (K1 + 1) / (count + damp)
        if kindred and not (akin.isdisjoint(text) and one.content.isascii()):
            score += _of_kin(one, text, terms, kindred, damp)
        if score > 0:
            one.relevance = score / whole
            if one.id in names:
                one.partly = _partly(text, names[one.id], {stem: numbers[stem] for stem in stood})
            found.append(one)
    return likeliest(found)


def likeliest(found: Iterable[Candidate]) -> list[Candidate]:
    """Return memories with the most relevant first; of equals the newest."""
    order = sorted([(-one.relevance, -one.id, one) for one in found])
    return [one for _, _, one in order]


def _of_kin(
    one: Candidate,
    text: list[str],
    terms: list[Asked],
    kindred: Sequence[tuple[int, float, dict[str, float]]],
    damp: float,
) -> float:
    """Return what words score that mean nearly the same as a term that does not stand in the text."""
    score = 0.0
    is_plain = one.content.isascii()
    for number, worth, likeness in kindred:
        stems = likeness.keys() & text
        if not is_plain:
            stems |= {stem for stem in likeness if cjk.is_cjk(stem[0]) and stem in one.content}
        if stems and not [stem for stem in terms[number].stems if stem in text]:
            like = max([likeness[stem] for stem in stems])
            score += KIN * like * worth * (K1 + 1) / (1 + damp)
            one.akin[number] = like
    return score


def _partly(text: list[str], name: list[str], stood: dict[str, int]) -> set[int]:
    """Return the terms that are nothing but one part of a joined name: the `git` of GitHub.

    Where two parts were asked for (chat pane, of ChatPane), the name itself was meant.
    """
    parts = {number for stem, number in stood.items() if text.count(stem) == name.count(stem)}
    return parts if len(parts) == 1 else set()
