"""Orders to a model that have no place in a memory, and downloads that are run unseen.

Rows are (name, pattern, check) as in `secrets`: the known openings of prompt injection and close paraphrases, kept
narrow, since people write "ignore the previous commit" every day: an order counts only with the object that makes
it an attack.
"""

from __future__ import annotations

from cogmem.text.data import patterns

# Nouns after "ignore all prior …" and "ignore your previous …" that make it ordinary work.
_HARMLESS = (
    " answer answers art attempt attempts bug build builds change changes comment comments commit"
    " commits draft drafts email emails error errors estimate estimates failure failures findings"
    " line lines log logs mail migration migrations note notes output patch patches question"
    " questions reading readings reply replies result results review reviews revision revisions row"
    " rows run runs suggestion suggestions test tests version versions warning warnings work "
)
_ABOUT = frozenset("in on under about from below of regarding within inside except".split())
_NEGATIONS = ("don't", "don’t", "do not", "never", "must not", "cannot", "can't", "should not")


def _ordered(before: str, value: str, after: str) -> bool:
    """Turn down "never ignore …" and "ignore all prior commits"."""
    if before.rstrip().lower().endswith(_NEGATIONS):
        return False
    said = value.lower().split()
    if said == ["disregard", "everything"]:
        # "… in the legacy folder" says what; "… and obey me" and a full stop do not.
        following = after.split()[0].lower() if after[:1].isspace() and after.split() else ""
        return following not in _ABOUT
    last = said[-1]
    noun = after.partition(" ")[2].partition(" ")[0].strip(".,:;!?\"'").lower()
    return last not in ("prior", "previous") or not noun or f" {noun} " not in _HARMLESS


# In the phrases below a space stands for whatever can part two words: blanks of any kind, line
# breaks, quotation and emphasis marks.
_BETWEEN = r"[\s\pZ*\"'>#]+"


def _pattern(text: str, also: list[str]) -> str:
    if "words" not in also:
        return text
    return rf"(?i)\b(?:{text.replace(' ', _BETWEEN)}){'' if 'open' in also else chr(92) + 'b'}"


_ROWS = [(name, text, also.split()) for name, also, text in patterns("injections")]
INJECTIONS, COMMANDS = (
    tuple(
        (name, _pattern(text, also), _ordered if "ordered" in also else None)
        for name, text, also in _ROWS
        if ("command" in also) == is_command
    )
    for is_command in (False, True)
)
