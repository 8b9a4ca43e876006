"""Texts and histories whose tokens are counted."""

from __future__ import annotations

import o200k_whole
from hypothesis import strategies as st

WHOLE = o200k_whole.PATH.read_text(encoding="utf-8").split("\n")
EITHER, LOWER, AFTER_SPACE = (line.split(" ") for line in WHOLE[:3])


SHELTERED = WHOLE[6]


PROSE = (
    "We moved the nightly backup to 03:15, since the old window overlapped with the report job. "
    "Maria prefers short commit messages; don't squash her branches. The staging database isn't "
    "reachable from outside, so use the tunnel (port 5433) and the read-only account."
)


CODE = """\
def retry(call, attempts=3, wait_ms=250):
    for attempt in range(attempts):
        try:
            return call()
        except (TimeoutError, ConnectionError) as error:
            log.warning("attempt %d failed: %s", attempt + 1, error)
            time.sleep(wait_ms / 1000 * 2 ** attempt)
    raise RuntimeError(f"gave up after {attempts} attempts")
"""


CHINESE = "我们每天晚上三点备份数据库。用户喜欢简短的回答，不要使用表格。请先运行测试，再提交代码。"


JAPANESE = "毎晩三時にデータベースをバックアップします。利用者は短い答えを好みます。"


numbers = st.one_of(st.text("0123456789", min_size=1, max_size=7), st.sampled_from("²½٣Ⅷ９"))


blanks = st.sampled_from(
    [
        " ",
        "  ",
        "   ",
        " " * 79,
        " " * 81,
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "\t\t",
        " \n",
        "\n  ",
        "\f",
        "\xa0",
        "\u3000",
        "\x85",
        "\u2028",
    ]
)


words = st.one_of(
    st.sampled_from(EITHER),
    st.sampled_from(EITHER).map(str.capitalize),
    st.sampled_from(LOWER),
    st.sampled_from(AFTER_SPACE).map(" {}".format),
    st.sampled_from(AFTER_SPACE),
    st.text("qjxzkvbgw", min_size=1, max_size=6),
    st.text("etaoinsrhld", min_size=1, max_size=9),
    st.text("ABQXZ", min_size=1, max_size=4),
    st.sampled_from([*o200k_whole.SHORT_FORMS, "'S", "'LL", "’s", "'", "''"]),
)


signs = st.one_of(
    st.text("".join(o200k_whole.SIGNS), min_size=1, max_size=4),
    st.sampled_from(["/", "//", "\n/", "():", " = ", "\x00", "\x1c", "\x7f"]),
)


beyond = st.one_of(
    st.text(SHELTERED, min_size=1, max_size=5),
    st.sampled_from(CHINESE + JAPANESE + "éßñøžąПриветكتابनमस्तेไทย한국어다이京ー"),
    st.sampled_from(
        ["😀", "👍🏽", "👩‍👩‍👧", "🇩🇪", "e\u0301", "\u200d", "\ufe0f", "\ufeff", "\ud83d", "\ude00"]
    ),
    st.characters(),
)
