"""Scripts without spaces: Chinese, Japanese, Korean, Thai and their neighbours.

The index holds pairs of characters, since nothing tells where a word ends. A question has many pairs
that are not words: particles, the verbs of asking, and what lies across two words. The first two
stand in lists here; a run is cut at them, so "与彭雨晴在哪里" asks for 彭雨 and 雨晴 alone.
"""

from __future__ import annotations

LONGEST_NAME = 4  # characters of a name in such a script
NAMED_WITHIN = 60  # characters of a prompt in which names of speakers are looked for

# What says nothing of a subject, longest first: words, then single characters. No character is here
# that is part of many telling words (会, 上, 中, 不, 有).
_EMPTY = (
    "为什么 什么样 什么时候 什么时间 哪一天 哪几天 哪一个 哪一种 多少天 多少次 "
    "是什么 有哪些 有什么 是否 是不是 有没有 什么 哪些 哪个 哪里 哪儿 哪天 哪种 "
    "哪家 哪位 多少 几次 几个 几天 怎么 怎样 如何 以及 关于 由于 因为 所以 如果 "
    "但是 而且 或者 还是 并且 然后 其中 之后 之前 之间 期间 时候 的时 后来 分别 "
    "具体 主要 进行 一次 一个 一种 一些 一位 一份 这个 那个 这些 那些 这样 这次 "
    "那次 我们 你们 他们 她们 它们 自己 请问 告诉 请列 列出 总结 简述 描述 说明 "
    "提到 提及 曾经 已经 可以 需要 应该 能够 是在 共有 总共 一共 根据 通过 对于 "
    "针对 随后 最终 最后 相关 有关 について どのように どうして ください ました "
    "でした どんな いつ どこ だれ なぜ どの どう です ます から まで 무엇 언제 "
    "어디 누구 어떻게 그리고 하지만 그래서 에서 에게 입니까 습니까 했나요 인가요"
).split()
_PARTICLES = frozenset(
    "的了是在和与及或我你您他她它这那哪谁吗呢吧啊嘛么其之于被把让将从向跟而且但也都还又很"
)
_EMPTY_PARTICLES = frozenset("のはがをにでともへやか")


def is_cjk(c: str) -> bool:
    if c < "\u0e00":
        return False
    if c < "\u1100":
        return c <= "\u0eff" or "\u1000" <= c <= "\u109f"  # Thai, Lao, Burmese
    return (
        "\u4e00" <= c <= "\u9fff"  # Han
        or "\u3040" <= c <= "\u30ff"  # kana
        or "\uac00" <= c <= "\ud7a3"  # Hangul
        or "\u3400" <= c <= "\u4dbf"
        or c <= "\u11ff"
        or "\u1780" <= c <= "\u17ff"  # Khmer
        or "\u3005" <= c <= "\u3007"
        or "\u3105" <= c <= "\u312f"
        or "\u31f0" <= c <= "\u31ff"
        or "\uf900" <= c <= "\ufaff"
        or "\uff66" <= c <= "\uff9d"
        or "\U00020000" <= c <= "\U0003134f"
    )


def has_any(text: str) -> bool:
    """Tell whether a text has any such character; most of one that is not ASCII have a dash or an accent alone."""
    return not text.isascii() and any(map(is_cjk, set(text)))


def runs(text: str) -> list[str]:
    if not has_any(text):
        return []
    # A vowel sign of Thai and its neighbours is not a letter to the index, and parts no word either.
    return "".join(
        [("" if c < "\u1800" and not c.isalnum() else c) if is_cjk(c) else " " for c in text]
    ).split()


def pairs(run: str, alone: bool) -> list[str]:
    """Neighbouring characters; with `alone` the last one too, which then begins a pair."""
    found = [run[i : i + 2] for i in range(len(run) - 1)]
    return [*found, run[-1]] if alone else found


def telling_pairs(run: str) -> list[str]:
    """Return the pairs of a prompt's run that may be of a word."""
    for word in _EMPTY:
        if word in run:
            run = run.replace(word, " ")
    run = "".join([" " if c in _PARTICLES or c in _EMPTY_PARTICLES else c for c in run])
    found = [pair for part in run.split() for pair in pairs(part, alone=False)]
    # Japanese endings in hiragana are as common as English stop words.
    return [pair for pair in found if any(not "ぁ" <= c <= "ゟ" for c in pair)]


def may_be_names(text: str) -> list[str]:
    """Return all that could be the name of somebody who speaks here."""
    found: dict[str, None] = {}
    for run in runs(text[:NAMED_WITHIN]):
        for length in range(2, LONGEST_NAME + 1):
            found.update(dict.fromkeys(run[i : i + length] for i in range(len(run) - length + 1)))
    return [*found]


def is_pair(term: str) -> bool:
    """Tell whether a term is two characters that stand for part of a word."""
    return len(term) == 2 and is_cjk(term[0]) and is_cjk(term[1])
