"""Orders that say nothing by themselves: "never again", "from now on", "don't do it", 下次不要这样.

They point at what was said or done before them. Kept alone, such a one would stand in every prompt
and tell nobody what to do.
"""

from __future__ import annotations

from cogmem.language.cjk import is_cjk

LONGEST = 8  # words: a longer order says something

# How an order is framed in nine languages: how often, from when, how kindly.
_FRAME = frozenset(
    "never always ever again please now then instead today here either just stop don't do not no this that it so such"
    " future forward going onwards next time way thing mind like these those them of in on at to for with by all any"
    " i me my you your we us our they and or but from now be is was are it's that's i'm"
    " nie niemals immer wieder mehr bitte jetzt ab kunftig künftig so das es mach mache tu nicht kein"
    " jamais toujours encore plus désormais maintenant svp fais fait cela ça pas ne"
    " nunca siempre jamás más otra vez ahora favor por así eso lo hagas haz de a partir"
    " sempre mais agora assim isso faça mai più ancora adesso ora così farlo"
    " nooit altijd meer weer nu voortaan dat het doe niet".split()
)
_UNSPACED = (
    "从现在起 下次 以后 今后 不要 不许 这样 那样 这么 那么 永远 从不 总是 一定 别 做 了 再也 再 也 请 要"
    " これから 今後 二度と しないでください しないで しない ください いつも 絶対に 絶対 もう"
).split()
_SIGNS = ".,;:!?…\"'()。、，！？"


def is_empty_order(text: str) -> bool:
    """Tell whether an order names nothing that is to be done, or left."""
    if any(map(is_cjk, text)):
        for word in _UNSPACED:
            text = text.replace(word, "")
        return not any(map(str.isalnum, text))
    words = [word.strip(_SIGNS) for word in text.lower().replace("’", "'").split()]
    return len(words) <= LONGEST and all(word in _FRAME for word in words)
