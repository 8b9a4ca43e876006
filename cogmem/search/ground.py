"""What a search knows of a prompt beside the list that it brings back: each term, and where it stands.

A place is a message's conversation and its seq in one number, as `place` of schema/predicates.sql has it. Neighbours
differ by one, so that what stands before and after a message is arithmetic.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BITS = 24  # that the seq takes: what is above them is the conversation
SEQS = 1 << BITS  # messages that a conversation can hold


def conversation_of(place: int) -> int:
    """Return the conversation of a place."""
    return place >> BITS


def seq_of(place: int) -> int:
    """Return the seq of a place."""
    return place & (SEQS - 1)


class Asked:
    """One term of the cue, as a search meets it."""

    def __init__(self, forms: tuple[str, ...], stems: list[str], match: str) -> None:
        self.forms = forms  # equal spellings, as the prompt has it first
        self.stems = stems  # what the index calls its forms
        self.match = match  # the query that finds it
        self.phrases: list[str] = []  # forms that the index has as several stems
        self.documents = 0  # texts it stands in; 0: nowhere; an estimate where it is common
        self.idf = 0.0
        self.ids: list[str] | None = None  # of the memories that have it, if they were read
        self.own: Sequence[int] = ()  # places where it stands; none are read if it is common
        self.kin: Sequence[int] = ()  # places of kindred words
        self.explained = False  # the session under way has just said it, or it is idle
        self.worth = 0.0  # what it tells of a conversation
        self.slip = False  # it stands nowhere itself: what was found is a word that looks like it


class Ground:
    """All terms of a prompt, those that stand nowhere included: what a gate must count."""

    def __init__(self, total: int, terms: Sequence[Asked] = ()) -> None:
        self.total = total  # messages, or memories, in sight
        self.terms = terms
        self.named: frozenset[str] = frozenset()  # speakers that the prompt names, in lower case

    def nowhere(self) -> set[str]:
        """Return words of the prompt that stand in no text."""
        return {
            form for one in self.terms if not one.documents for form in (*one.forms, *one.stems)
        }
