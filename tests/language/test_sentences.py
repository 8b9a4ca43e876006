"""Where a sentence ends."""

from __future__ import annotations

from cogmem.language.sentences import sentences


def test_a_sentence_ends_at_a_mark_and_what_closes_after_it_stays() -> None:
    text = 'It broke (again.) Then we said "stop." Nobody, e.g. the host, knew.\n好的。我们用猫。'
    assert sentences(text) == [
        "It broke (again.)",
        'Then we said "stop."',
        "Nobody, e.g. the host, knew.",
        "好的。",
        "我们用猫。",
    ]
