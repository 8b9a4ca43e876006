"""What is over with a statement, by name: "heron", of "We replaced heron with crane"."""

from __future__ import annotations

from cogmem.language.contrast import sort_of
from cogmem.language.judge import judge
from cogmem.language.ordinary import per_thousand
from cogmem.language.statement import read, without

NAMING = 4.0  # of a thousand texts; a word that stands in more names nothing
MOST_WORDS = 2  # by which something is known again


def gone_words(old: str, new: str = "") -> list[str]:
    """Return the words that name what a statement said and the newer one does not; none where nothing has a name."""
    found = judge(old, new) if new else None
    if found is not None and found.gone:
        words = list(found.gone)
    else:
        held = read(old)
        words = held.words[held.verb() + 1 :] or held.words
        words = without(words, read(new, held.language).words)
    names = [
        word
        for word in words
        if not word.is_verb
        and word.sense != "i"
        and "he" not in word.classes
        and len(word.said) > 1
        and per_thousand(word.said) < NAMING
        and sort_of([word]) in ("name", "word", "code")
    ]
    return [word.said for word in sorted(names, key=lambda word: not word.is_name)[:MOST_WORDS]]
