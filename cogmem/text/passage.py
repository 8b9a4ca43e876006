"""The part of a long text that a reader was looking for.

A message of a thousand words has no place in a list of results, but the two sentences that say what
was asked for do.
"""

from __future__ import annotations

from cogmem.tokens.bounds import Upper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.language.cue import Cue

READ = 20_000  # characters of a text that are looked at
_EDGES = "\"'`.,;:!?()[]{}<>*_~|=+-“”‘’/\\"


def passage(text: str, cue: Cue, stems: Callable[[str], list[str]], max_tokens: int) -> str:
    """Return the part of a long text that says most of a cue: whole words only, with marks of the cut.

    It never costs more than `max_tokens` in o200k; a text that fits comes back as it is. Of a very
    long text only the beginning is looked at.
    """
    upper = Upper()
    if len(text) <= 8 * max_tokens and upper.count(text) <= max_tokens:
        return text
    words = text[:READ].split()
    room = max_tokens - 2 * upper.count(" …")
    costs = [upper.count(" " + word) for word in words]
    if not words or max(costs) > room:  # no blanks to cut at
        from cogmem.tokens.counting import cut_words

        return cut_words(text[:READ], max_tokens, upper)
    numbers: dict[str, int] = {}
    for number, term in enumerate(cue.terms):
        numbers.update((stem, number) for form in (*term.kin, *term.forms) for stem in stems(form))
    likely = {stem[:2] for stem in numbers}
    said = [
        {numbers[stem] for stem in stems(word) if stem in numbers}
        if word.lower().strip(_EDGES)[:2] in likely
        else set()
        for word in words
    ]
    best = start = spent = first = 0
    for end, cost in enumerate(costs, 1):
        spent += cost
        while spent > room:
            spent -= costs[start]
            start += 1
        if said[end - 1]:
            terms = len(set().union(*said[start:end]))
            if terms > best:
                best, first = terms, next(n for n in range(start, end) if said[n])
    # What follows a match is worth more than what leads to it: begin where its sentence begins.
    start, spent = first, costs[first]
    while start and words[start - 1][-1] not in ".!?:;" and spent + costs[start - 1] <= room / 4:
        start -= 1
        spent += costs[start]
    end = first + 1
    while end < len(words) and spent + costs[end] <= room:
        spent += costs[end]
        end += 1
    more = end < len(words) or len(text) > READ
    return f"{'… ' if start else ''}{' '.join(words[start:end])}{' …' if more else ''}"
