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
    """One term of the cue, as this search met it."""

    def __init__(
        self,
        forms: Sequence[str],
        documents: int,
        own: Sequence[int] = (),
        kin: Sequence[int] = (),
        stems: Sequence[str] = (),
        slip: bool = False,
    ) -> None:
        self.forms = forms  # equal spellings, as the prompt has it first
        self.documents = documents  # texts it stands in; 0: nowhere; an estimate where it is common
        self.own = own  # places of the word itself that were read; none if it is common
        self.kin = kin  # places of kindred words
        self.stems = stems  # what the index calls its forms, where the search had to know
        self.explained = False  # the session under way has just said it, or it is idle
        self.worth = 0.0  # what it tells of a conversation
        self.slip = slip  # it stands nowhere itself: what was found is a word that looks like it


class Ground:
    """All terms of a prompt, those that stand nowhere included: what a gate must count."""

    def __init__(
        self, total: int, terms: list[Asked] | None = None, named: frozenset[str] = frozenset()
    ) -> None:
        self.total = total  # messages, or memories, in sight
        self.terms = [] if terms is None else terms
        self.named = named  # speakers that the prompt names, in lower case

    def nowhere(self) -> set[str]:
        """Return words of the prompt that stand in no text."""
        return {
            form for one in self.terms if not one.documents for form in (*one.forms, *one.stems)
        }
