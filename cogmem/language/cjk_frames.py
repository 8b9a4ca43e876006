"""Holds two Chinese or Japanese statements against each other: the frame, and what differs in it.

As in `frames`, but there are no spaces. Signs of denial are taken out first (不, 没, ません, ない).
What both begin and end with is the frame, what lies between is the value. In Chinese the value comes
last, in Japanese before the verb, so the word that marks the topic (は, 是, 在, 叫) says whether both
speak of one thing.
"""

from __future__ import annotations

import re

from cogmem.language.frames import Contrast
from cogmem.language.opposites import cjk_scales

LONGEST_VALUE = 12

CORRECTING = re.compile(r"^(?:不对|错了|更正|其实|我(?:记错|弄错)|いや|実は|訂正|違います|間違)")
_CHANGED = (
    "现在已经", "现在", "已经不", "不再", "已经", "如今", "目前", "搬到", "换成", "改成", "改到", "改为",
    "改用", "变成", "今は", "今では",
    "もう", "になりました", "に変わりました", "に変更", "に移りました", "に引っ越し", "現在",
)  # fmt: skip
_KEEPS = {
    "搬到": "在",
    "改到": "在",
    "换成": "是",
    "改成": "是",
    "改为": "是",
    "变成": "是",
    "改用": "用",
}
_KEEPS |= {"已经不": "不", "不再": "不", "になりました": "です", "に変わりました": "です"}
_KEEPS |= {"に引っ越し": "に住んで", "に移りました": "にあります"}
_DENIALS = re.compile(
    r"じゃありません|ではありません|じゃない|ではない|ませんでした|ません|くない|ない|なかった"
    r"|没有|从不|从来不|决不|不是|不(?!同|锈|断|仅|但|过|久|错|得了)|没|别"
)
_POLITE = re.compile(
    r"(?:していません|しています|している|ていません|ています|ている|でした|です|ます|ました|だ|する|します|る)$"
)
_IDLE = re.compile(
    r"[\s。．.！!，,、了的呢吧啊着]|非常|真的|很|都(?=是|在|有|喜欢|用|不|会)|也(?=是|在|有|喜欢|用|不|会)|とても|本当に"
)
_ALWAYS = re.compile(r"总是|一直|いつも|必ず|always")
_DAY = re.compile(
    r"^(?:(?:每|下|这|毎週)?(?:周|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜日?|[一二三四五六七八九十\d]+月"
    r"(?:[一二三四五六七八九十\d]+[日号])?|[一二三四五六七八九十\d]+[日号])$"
)
_FIGURE = re.compile(
    r"^(?:早上|上午|下午|晚上|午前|午後|朝|夜)?[\d一二三四五六七八九十百千万两零.:：]+[^\d\sは在是はが]{0,3}$"
)
_LATIN = re.compile(r"^[A-Za-z0-9][\w ./@:+#-]*$")
# After these a place has room for one value only; before a Japanese verb likewise.
_ONE = re.compile(
    r"(?:叫做?|名叫|名字是|名字叫|住在?|位于|就职于|任职于|工作是|职业是|由|归|在|是|为|运行在|部署在|监听|端口|"
    r"默认用?|始于|改到)$|(?:名前|担当|責任者|住所|締め切り|期限|場所|時間|ポート|番号|バージョン|色|は)(?:は|が)?$"
)
_ONE_AFTER = re.compile(
    r"^(?:に住んで|で働|に勤|にあり|にある|で動|に置|が担当|という|といい|と申|に始ま|に終わ|から|まで|まで有効|点|时|端口|负责|管理?|担任)"
)
_OWN = re.compile(r"^(?:に住んで|で働|に勤|といい|と申|に引っ越)")  # of the one who speaks
_MANY = re.compile(
    r"喜欢|爱|会(?!议|计|员|场|社)|有(?!効)|买|看|玩|养|好き|嫌い|持って|話せ|飼って|読|飲|食べ|使"
)
_TOPIC = re.compile(r"^(.{1,14}?)(?:は|が|も)")
_USES = re.compile(r"^(.{2,})(?:用|使用|采用|には|では|は)$")
_SELF = ("我", "我们", "咱们", "私", "僕", "俺", "私たち", "うち", "他", "她", "你")
_HOLDER = ("负责", "管", "担当", "责任", "責任")
_PERSON = re.compile(r"[小老][\u4e00-\u9fff]|[\u4e00-\u9fff]{1,3}さん")


_MOVED = re.compile(
    r"^把?(?P<zh>.{2,8}?)(?:已经|现在|被)*(?:改到|推迟到|延期到|提前到|挪到|调到|移到|改成|改为)(?P<day>.+)"
    r"|^(?P<ja>.{2,12}?)[はが](?P<jour>.+?)に(?:変更|変わ|移|延期)"
)
_WHEN = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜|[一二三四五六七八九十\d]+[月日号点时時]"
)


def _on_another_day(old: str, new: str) -> Contrast | None:
    """It was moved, and both say when: 每周三有组会, 组会改到周五了."""
    found = _MOVED.match(new)
    subject = (found["zh"] or found["ja"]).removeprefix("我们") if found else ""
    if not found or len(subject) < 2 or subject not in old:
        return None
    if f"和{subject}" in old or f"{subject}和" in old:  # the other one stays where it was
        return None
    was, now = _WHEN.search(old.replace(subject, "")), _WHEN.search(found["day"] or found["jour"])
    if not was or not now or was[0] == now[0]:
        return None
    return Contrast(True, f"“{was[0]}” against “{now[0]}”")


def contrast(old: str, new: str) -> Contrast | None:
    """Say why two statements cannot both hold, as far as they stand in one frame."""
    moved = _on_another_day(old, new)
    if moved is not None:
        return moved
    is_change = any(mark in new for mark in _CHANGED) or bool(CORRECTING.match(new))
    left, right = _plain(old), _plain(new)
    if any(word in left[0] and word in right[0] for word in _HOLDER) and is_change:
        people, others = ({*_PERSON.findall(text)} for text in (left[0], right[0]))
        if people and others and not people & others:
            return Contrast(True, f"“{min(people)}” against “{min(others)}”")
    if _other_topic(left[0], right[0]):
        return None
    by_scale = _opposites(left, right)
    if by_scale is not None:
        return by_scale._replace(is_sure=is_change)
    if left[1] != right[1]:
        return _denies(left, right, is_change)
    if left[1]:
        return None
    return _values(left[0], right[0], is_change)


def _plain(text: str) -> tuple[str, bool]:
    """A statement without what is said politely or in passing, and whether it denies."""
    plain = _IDLE.sub("", text)
    for mark in _CHANGED:
        plain = plain.replace(mark, _KEEPS.get(mark, ""))
    plain = _ALWAYS.sub("", plain)
    bare = _DENIALS.sub(lambda found: "是" if found[0] == "不是" else "", plain)
    is_denied = bare != plain
    return _POLITE.sub("", bare), is_denied


def _other_topic(left: str, right: str) -> bool:
    topics = [_TOPIC.match(text) for text in (left, right)]
    if topics[0] and topics[1]:
        return topics[0][1] != topics[1][1]
    return False


def _opposites(left: tuple[str, bool], right: tuple[str, bool]) -> Contrast | None:
    """Whether both are one sentence but for a word, which stands on another side of a scale."""
    start, end = _frame(left[0], right[0])
    for scale in cjk_scales():
        for side, words in enumerate(scale):
            others = [word for n, row in enumerate(scale) if n != side for word in row]
            for word in words:
                if word not in left[0]:
                    continue
                for other in others:
                    if other in right[0] and _once(left[0], word) == _once(right[0], other):
                        if left[1] != right[1] or not (start or end):
                            return None
                        return Contrast(False, f"“{word}” against “{other}”")
    return None


def _once(text: str, word: str) -> str:
    at = text.rfind(word)
    return f"{text[:at]}\0{text[at + len(word) :].removeprefix('色')}"


def _denies(left: tuple[str, bool], right: tuple[str, bool], is_change: bool) -> Contrast | None:
    """Whether the one denies the other: the same but for the denial, and for how much it is liked."""
    a, b = (
        re.sub(r"喜欢|爱|会|想|要|能|正在|する|し|[をはが]", "", text[0]) for text in (left, right)
    )
    ends = (
        len(a) > 1
        and len(b) > 1
        and abs(len(a) - len(b)) <= 1
        and _frame(a, b)[0] >= max(2, min(len(a), len(b)) - 1)
    )  # 食べ, 食べる
    if a == b or (ends and a[:-1] == b[: len(a) - 1]):
        return Contrast(is_change, "one denies what the other says")
    return None


def _frame(a: str, b: str) -> tuple[int, int]:
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return start, end


def _values(a: str, b: str, is_change: bool) -> Contrast | None:
    start, end = _frame(a, b)
    # A number or a name in Latin letters is one value: 8080 and 8081, not their last digits.
    while start and a[start - 1].isascii() and a[start - 1].isalnum():
        start -= 1
    while end and a[len(a) - end].isascii() and a[len(a) - end].isalnum():
        end -= 1
    before, after = a[:start], a[len(a) - end :] if end else ""
    one, two = a[start : len(a) - end], b[start : len(b) - end]
    if not one or not two or max(len(one), len(two)) > LONGEST_VALUE:
        return None
    if any(sign in value for value in (one, two) for sign in ("は", "が", "是", "叫")):
        return None  # the difference says which one is meant
    said = Contrast(True, f"“{one}” against “{two}”")
    if not before:
        return said if _OWN.match(after) else None
    if is_change:
        return said if len(before) > 1 or len(after) > 3 else None
    frame = f"{before}|{after}"
    kinds = [_sort(value, after) for value in (one, two)]
    if kinds[0] != kinds[1]:
        return None
    if kinds[0] in ("figure", "day") and len(before) > 1 and not _counts_the_subject(after):
        return said if not _MANY.search(frame) or kinds[0] == "figure" else None
    uses = _USES.match(before)
    if uses and uses[1] not in _SELF and not after.strip():
        return said._replace(is_sure=False)
    if _MANY.search(frame):
        return None
    if _ONE.search(before) or _ONE_AFTER.match(after):
        # "我是医生", "我是父亲": one may be many things, and is called one.
        is_being = before.endswith(("是", "は")) and kinds[0] != "latin"
        if is_being and (before[:-1] in _SELF or not _is_noun_frame(before)):
            return None
        return said
    return None


_NOUN = re.compile(
    r"(?:名|名字|地址|城市|语言|框架|数据库|服务器|负责人|经理|老板|医生|生日|密码|版本|颜色|主题|品牌|供应商|货币|时区|分支|首都"
    r"|名前|住所|言語|データベース|サーバー|担当|責任者|上司|医者|誕生日|パスワード|バージョン|色|テーマ|支店|通貨|都市|担当者|社長|先生|代表|会社)$"
)


def _is_noun_frame(before: str) -> bool:
    return bool(_NOUN.search(before[:-1]))


def _counts_the_subject(after: str) -> bool:
    """Whether a number says which one is meant: 工单12已关闭."""
    return len(after) > 3


def _sort(value: str, after: str) -> str:
    if _DAY.match(value) or (value in "一二三四五六日天月火水木金土" and after[:1] in ("", "曜")):
        return "day"
    if _FIGURE.match(value):
        return "figure"
    return "latin" if _LATIN.match(value) else "word"
